// The stage can be read from the first step to the last: a world that can be seen whole is, and no words stand over others.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { BEYOND, COVERED, WORLDS, openWorld, reach, show, stepOf } from "./states.mjs";
import { atSteps, caption, lastStep, range, shownStep } from "./story.mjs";

const MOMENTS = 32;

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
      const view = await page.locator(".stage-view").evaluate((view) => view.scrollHeight - view.clientHeight);
      assert.ok(view <= 1, `the stage scrolls: ${view} px are out of sight`);
    }
  });
}

pageTest("at the step of a crash its mark is seen on the handle of the timeline", { reducedMotion: true }, async ({ page }) => {
  await reach(page, "crash");
  const [handle, mark] = await Promise.all([".thumb", ".mark.is-crash"].map((selector) => page.locator(selector).boundingBox()));
  assert.ok(Math.abs(handle.x + handle.width / 2 - mark.x - mark.width / 2) < 2, "there they meet");
  const isAbove = await page.evaluate(() => {
    const [handle, mark] = [".thumb", ".mark.is-crash"].map((selector) => document.querySelector(selector));
    return Boolean(handle.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_FOLLOWING);
  });
  assert.ok(isAbove);
});

pageTest("a line says what the signs of the stage mean, in at most two lines on a phone", { width: 360, height: 740, reducedMotion: true }, async ({ page }) => {
  for (const lang of ["en", "ja"]) {
    await show(page, { width: 360, height: 740, lang, theme: "light" });
    const { height } = await page.locator(".signs").boundingBox();
    assert.ok(height <= 2 * 18 + 6, `${lang}: ${height} px`);
    assert.equal(await page.locator(".signs li").count(), 6);
  }
});

pageTest("Go to leads to the step that lost records, and there they are crossed out", { reducedMotion: true }, async ({ page }) => {
  await openWorld(page, "loss");
  await page.keyboard.press("Home");
  await page.locator("#go-to").click();
  await page.getByRole("menuitem", { name: /^Next loss/ }).click();
  assert.equal(await shownStep(page), stepOf(/^c1 crashes/, "loss"));
  const said = (await caption(page)).match(/is lost: (\d+) records/);
  assert.equal(await page.locator(".tape .cross").count(), Number(said[1]));
  assert.equal(await page.locator(".timeline-drawing .cross").count(), 1);
});

for (const [width, height] of [[360, 740], [820, 1180], [1320, 800]]) {
  pageTest(`words of the drawing are explained below it, ${width} px`, { width, height, reducedMotion: true }, async ({ page }) => {
    for (const [lang, words] of [["en", ["generation", "unique key"]], ["ja", ["世代", "ユニークキー"]]]) {
      await show(page, { width, height, lang, theme: "light" });
      assert.deepEqual(await page.locator(".words .term").allTextContents(), words);
      const [summary, explained] = await Promise.all([".twin summary", ".words"].map((selector) => page.locator(selector).boundingBox()));
      assert.ok(summary.x + summary.width <= explained.x && explained.x + explained.width <= width, "they are beside each other");
      assert.ok(explained.height < 40, "in one line");
      for (const word of words) {
        await page.locator(".words .term", { hasText: word }).click();
        assert.equal(await page.getByRole("dialog").locator("b").textContent(), word);
        await page.keyboard.press("Escape");
        assert.ok(await page.locator(".words .term", { hasText: word }).evaluate((term) => term === document.activeElement));
      }
    }
  });
}

pageTest("a pool is drawn: what each worker has in hand, and what waits", { reducedMotion: true }, async ({ page }) => {
  await openWorld(page, "workers");
  await page.locator("#timeline").evaluate((slider) => {
    slider.value = Math.floor(slider.max / 3);
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await settled(page);
  const words = await page.locator(".seat .status").first().textContent();
  const [, busy, waiting] = words.match(/^(\d+) busy · (\d+) wait$/);
  assert.equal(await page.locator(".seat .workers").first().locator(".dial-on").count(), Math.min(6, Number(busy)));
  const queue = await page.locator(".seat .workers .queue").first().getAttribute("d");
  assert.equal(queue.split("M").length - 1, Math.min(5, Number(waiting)));
});

pageTest("a record of which a copy was sent elsewhere is neither waiting nor lost, and a sign says so", { reducedMotion: true }, async ({ page }) => {
  assert.equal(await page.locator(".signs", { hasText: "set aside" }).count(), 0, "where nothing sends copies, it is no sign");
  await openWorld(page, "aside");
  await page.keyboard.press("End");
  await settled(page);
  const copies = await page.locator(".tape", { hasText: "P0" }).last().locator(".chip-name").allTextContents();
  const aside = await page.locator(".tape g:has(> .chip.is-aside) .chip-name").allTextContents();
  assert.ok(aside.length > 0 && aside.every((name) => copies.includes(name)), `${aside} of ${copies}`);
  assert.equal(await page.locator(".signs", { hasText: "set aside" }).count(), 1);
});
