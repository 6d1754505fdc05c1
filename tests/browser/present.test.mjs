// The stage alone, for an audience: what is seen, what can be done, and the way back.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { stepOf } from "./states.mjs";
import { scrubTo, shownStep } from "./story.mjs";

const CRASH_STEP = stepOf(/^c3 crashes/);
const isPresenting = (page) => page.locator(".is-presenting").count();
const isFull = (page) => page.evaluate(() => document.fullscreenElement !== null);
const focused = async (page) => {
  await settled(page);
  return page.evaluate(() => document.activeElement.id);
};

for (const options of [{ lang: "en" }, { lang: "ja", width: 360, theme: "dark" }]) {
  pageTest(`only the stage and the sentence are seen, large, and a remote steps, ${options.lang}`, { ...options, reducedMotion: true }, async ({ page, axe }) => {
    await scrubTo(page, CRASH_STEP);
    await page.locator("#pane-lag").click();
    await page.keyboard.press("F9");
    await page.locator(".is-presenting").waitFor();
    for (const hidden of [".head", ".verdicts", ".transport", ".side", ".signs", ".stage-buttons"]) assert.equal(await page.locator(hidden).isVisible(), false, hidden);
    const { width, height } = page.viewportSize();
    const stage = await page.locator(".stage-drawing").boundingBox();
    const subtitle = await page.locator(".caption").boundingBox();
    assert.ok(stage.width > width * 0.85 || stage.height > height * 0.7, JSON.stringify(stage));
    assert.ok(subtitle.y >= stage.y && subtitle.y + subtitle.height <= height, "all of it is on the screen");
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight + 1), false, "nothing scrolls");
    assert.ok(Number.parseFloat(await page.locator(".caption").evaluate((words) => getComputedStyle(words).fontSize)) >= 18);
    // What cannot be pressed cannot be read either: the step that comes is announced.
    await axe({ "landmark-one-main": { enabled: false }, "page-has-heading-one": { enabled: false } });
    await page.keyboard.press("PageDown");
    assert.equal(await shownStep(page), CRASH_STEP + 1);
    await page.keyboard.press("PageUp");
    assert.equal(await shownStep(page), CRASH_STEP);
    assert.equal((await page.locator(".present-step").textContent()).split(" / ")[0], String(CRASH_STEP));
    // Nothing can be pressed, by mouse or by keyboard.
    await page.mouse.click(stage.x + stage.width / 2, stage.y + stage.height / 2);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.closest?.(".app") === null), true);
    await page.keyboard.press("Enter");
    assert.equal(await page.getByRole("menu").count(), 0);
    assert.equal(await shownStep(page), CRASH_STEP);
    await page.keyboard.press("Escape");
    await page.locator(".is-presenting").waitFor({ state: "detached" });
    assert.equal(await focused(page), "present", "back where one was");
    assert.equal(await page.locator("#lag-title").count(), 1, "with the view that was open");
  });
}

pageTest("a blank screen, and the first press brings the stage back and nothing else", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, CRASH_STEP);
  // Where nobody presents, a letter does nothing.
  await page.locator("#timeline").blur();
  await page.keyboard.press("b");
  assert.equal(await page.locator(".present-blank").count(), 0);
  await page.locator("#present").click();
  for (const key of [".", "b"]) {
    await page.keyboard.press(key);
    const blank = await page.locator(".present-blank").boundingBox();
    assert.deepEqual([blank.width, blank.height], Object.values(page.viewportSize()));
    await page.keyboard.press("PageDown");
    assert.equal(await page.locator(".present-blank").count(), 0);
    assert.equal(await shownStep(page), CRASH_STEP);
  }
  await page.keyboard.press("PageDown");
  assert.equal(await shownStep(page), CRASH_STEP + 1);
});

pageTest("whoever leaves the full screen has finished", { reducedMotion: true }, async ({ page }) => {
  await page.locator("#present").click();
  await page.waitForFunction(() => document.fullscreenElement !== null);
  await page.evaluate(() => document.exitFullscreen());
  await page.locator(".is-presenting").waitFor({ state: "detached" });
  await page.keyboard.press("F9");
  await page.waitForFunction(() => document.fullscreenElement !== null);
  await page.keyboard.press("F9");
  await page.locator(".is-presenting").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.fullscreenElement === null);
  assert.equal(await isFull(page), false);
  assert.equal(await isPresenting(page), 0);
});
