// Whatever a viewer can come across reads: at every width, in both languages, in light and dark, for everybody.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { BEYOND, COVERED, STATES, reach, scrollsSideways, show, smallestWords } from "./states.mjs";
import { leaving } from "./story.mjs";

// All widths in both languages; axe, which takes longest, once for each width, language and theme.
const SHOWN = [
  { width: 360, height: 740, lang: "ja", theme: "light", axe: true },
  { width: 360, height: 740, lang: "en", theme: "light" },
  { width: 560, height: 900, lang: "en", theme: "light" },
  { width: 560, height: 900, lang: "ja", theme: "dark" },
  { width: 640, height: 900, lang: "ja", theme: "light", axe: true },
  { width: 640, height: 900, lang: "en", theme: "dark" },
  { width: 820, height: 1180, lang: "en", theme: "dark", axe: true },
  { width: 820, height: 1180, lang: "ja", theme: "dark" },
  { width: 1320, height: 800, lang: "ja", theme: "dark", axe: true },
  { width: 1320, height: 800, lang: "en", theme: "dark" },
  { width: 1920, height: 1080, lang: "en", theme: "light", axe: true },
  { width: 1920, height: 1080, lang: "ja", theme: "light" },
];

for (const state of Object.keys(STATES)) {
  pageTest(`everything reads: ${state}`, { reducedMotion: true }, async ({ page, axe, screenshot }) => {
    await reach(page, state);
    const found = [];
    for (const shown of SHOWN) {
      await show(page, shown);
      const name = `${state}-${shown.width}-${shown.theme}-${shown.lang}`;
      const wrong = (what) => found.push(`${name}: ${what}`);
      const sideways = await scrollsSideways(page);
      if (sideways !== 0) wrong(`scrolls sideways by ${sideways} px`);
      for (const pair of await page.evaluate(`(${COVERED})()`)) wrong(`covered: ${pair}`);
      for (const text of await page.evaluate(`(${BEYOND})()`)) wrong(`leaves its frame: ${text}`);
      for (const text of await page.evaluate(leaving)) wrong(`leaves its box: ${text}`);
      const { size, text } = await smallestWords(page);
      if (size < 9) wrong(`too small: ${text} is ${size.toFixed(1)} px high`);
      if (!shown.axe) continue;
      await screenshot(name);
      // Tall enough for everything, since axe takes what the sticky bar happens to cover in part for too small.
      await page.setViewportSize({ width: shown.width, height: Math.max(shown.height, 3200) });
      await settled(page);
      await axe().catch((error) => wrong(error.message));
    }
    assert.deepEqual(found, []);
  });
}
