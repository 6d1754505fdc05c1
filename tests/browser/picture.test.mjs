// The stage can be read from the first step to the last: a world that can be seen whole is, and no words stand over others.

import assert from "node:assert/strict";
import { pageTest } from "./page.mjs";
import { BEYOND, COVERED, WORLDS, openWorld, show } from "./states.mjs";
import { atSteps, lastStep, range } from "./story.mjs";

const MOMENTS = 32;
// To be seen at once, their words would be too small.
const TALLER = ["topics"];

for (const world of Object.keys(WORLDS)) {
  pageTest(`words do not cover each other: ${world}`, { reducedMotion: true }, async ({ page }) => {
    await openWorld(page, world);
    const last = await lastStep(page);
    const steps = range(0, MOMENTS).map((n) => Math.round((last * n) / MOMENTS));
    for (const lang of ["en", "ja"]) {
      for (const width of [360, 1320]) {
        await show(page, { width, height: 800, lang, theme: "light" });
        assert.deepEqual([...new Set((await atSteps(page, steps, COVERED)).flat())], [], `${lang}, ${width} px: covered`);
        assert.deepEqual([...new Set((await atSteps(page, steps, BEYOND)).flat())], [], `${lang}, ${width} px: beyond its frame`);
      }
      if (TALLER.includes(world)) continue;
      const view = await page.locator(".stage-view").evaluate((view) => view.scrollHeight - view.clientHeight);
      assert.ok(view <= 1, `the stage scrolls: ${view} px are out of sight`);
    }
  });
}
