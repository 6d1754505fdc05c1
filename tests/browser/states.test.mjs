// Whatever a viewer can come across reads: at every width, in both languages, in light and dark, for everybody.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { BEYOND, COVERED, STATES, emptyHeight, reach, scrollsSideways, show, smallestWords } from "./states.mjs";
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

// Between a tablet and a desktop, where the stage first has the whole width and then shares it; of what is there most to read.
const BETWEEN = [
  { width: 900, height: 700, lang: "en", theme: "light" },
  { width: 1024, height: 768, lang: "ja", theme: "light" },
  { width: 1121, height: 800, lang: "en", theme: "dark" },
  { width: 1180, height: 820, lang: "ja", theme: "light" },
  { width: 1280, height: 720, lang: "en", theme: "light" },
];
const FULL = ["rebalance", "topics", "twelve", "many"];

for (const state of Object.keys(STATES)) {
  pageTest(`everything reads: ${state}`, { reducedMotion: true }, async ({ page, axe, screenshot }) => {
    await reach(page, state);
    const found = [];
    for (const shown of FULL.includes(state) ? [...SHOWN, ...BETWEEN] : SHOWN) {
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
      const empty = await emptyHeight(page);
      if (empty > 1) wrong(`${empty.toFixed(0)} px of the drawing's height are empty`);
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
