// The story on the page: it is the native run, its text follows the events, its questions are answered by the run.

import assert from "node:assert/strict";
import { pageTest } from "./page.mjs";
import {
  CRASH, UNIQUE_KEY, caption, captions, drawing, lastStep, nativeOutcome, nativeSteps, scenario, scenarioFile, sceneAsText,
  scrubTo, shownStep, story, verdict,
} from "./story.mjs";

const STEPS = nativeSteps(scenarioFile(CRASH), "en");
const stepOf = (pattern) => {
  const index = STEPS.findIndex(({ sentence }) => pattern.test(sentence));
  assert.ok(index >= 0, `no step says ${pattern}`);
  return index + 1; // the number of steps that have happened then
};

for (const lang of ["en", "ja"]) {
  pageTest(`every step says what the native run says, ${lang}`, { lang, reducedMotion: true }, async ({ page }) => {
    const native = nativeSteps(scenarioFile(CRASH), lang);
    assert.equal(await lastStep(page), native.length);
    const said = await captions(page);
    assert.deepEqual(said, native.map(({ sentence }) => sentence));
  });
}

for (const name of [CRASH, UNIQUE_KEY, "recorded-crash-takeover"]) {
  pageTest(`run ends as natively, with the same digest: ${name}`, { path: `?scenario=${name}` }, async ({ page }) => {
    const outcome = nativeOutcome(scenarioFile(name));
    await page.keyboard.press("End");
    assert.equal(await shownStep(page), outcome.visible_steps);
    const text = (await sceneAsText(page)).join("\n");
    assert.ok(text.includes(outcome.digest), `${outcome.digest} is not in\n${text}`);
    const [group] = Object.values(outcome.groups);
    assert.equal(Number(await verdict(page, "Duplicates")), group.duplicates.total);
    assert.equal(Number(await verdict(page, "Lost")), group.lost.total);
  });
}

pageTest("without a unique key a row is there twice, with one it is not", {}, async ({ page }) => {
  const secondRows = () => page.locator(".row.is-duplicate .mono").allTextContents();
  await page.keyboard.press("End");
  assert.deepEqual(await secondRows(), ["C3", "B4", "E2"]);
  assert.match(await page.locator(".sink").textContent(), /29 rows/);

  await page.locator("#story").selectOption({ label: scenario(UNIQUE_KEY).title.en });
  await page.keyboard.press("End");
  assert.deepEqual(await secondRows(), []);
  assert.match(await page.locator(".sink").textContent(), /26 rows.*3 ignored/);
});

pageTest("opens where the scenario says, paused", {}, async ({ page }) => {
  assert.equal(await shownStep(page), stepOf(/is appended to/));
  await page.getByRole("button", { name: "Play" }).waitFor();
});

pageTest("story speaks when the events happen, not before", { reducedMotion: true }, async ({ page }) => {
  const text = (event) => scenario(CRASH).story.find(({ when }) => JSON.stringify(when) === JSON.stringify(event)).say.en;
  for (const [event, pattern] of [
    [{ crashed: "c3" }, /^c3 crashes/],
    [{ session_expired: "c3" }, /session expires/],
    [{ rebalance_started: "billing" }, /so billing rebalances/],
    [{ duplicate: "billing" }, /for the 2nd time/],
    ["ended", /^The run ends/],
  ]) {
    const step = stepOf(pattern);
    await scrubTo(page, step - 1);
    assert.notEqual(await story(page), text(event));
    await scrubTo(page, step);
    assert.equal(await story(page), text(event));
  }
});

pageTest("scene buttons and Shift with an arrow go from scene to scene", { reducedMotion: true }, async ({ page }) => {
  const place = () => page.locator(".scenes .place").textContent();
  const beats = scenario(CRASH).story;
  const nth = 1 + beats.findIndex(({ when }) => when.crashed === "c3");
  const crash = stepOf(/^c3 crashes/);
  await scrubTo(page, crash - 1);
  await page.getByRole("button", { name: "Next scene" }).click();
  assert.deepEqual([await shownStep(page), await place()], [crash, `scene ${nth} / ${beats.length}`]);
  await page.getByRole("button", { name: "Previous scene" }).click();
  assert.ok(await shownStep(page) < crash);
  assert.equal(await place(), `scene ${nth - 1} / ${beats.length}`);
  await page.keyboard.press("Shift+ArrowRight");
  assert.deepEqual([await shownStep(page), await place()], [crash, `scene ${nth} / ${beats.length}`]);
});

pageTest("playing stops at the question, before the step that answers it", {}, async ({ page }) => {
  const decisive = stepOf(/^c2 begins to read P2 at 3/);
  await scrubTo(page, decisive - 8);
  await page.locator(".speed select").selectOption("8×");
  await page.getByRole("button", { name: "Play" }).click();
  await page.locator(".question").waitFor();
  await page.getByRole("button", { name: "Play" }).waitFor();
  assert.equal(await shownStep(page), decisive - 1);
  assert.equal(await page.locator(".answer").count(), 0);

  await page.locator(".choice").first().click();
  await page.getByRole("button", { name: "See what happens" }).click();
  await page.waitForFunction((step) => document.querySelector("#timeline").value >= step, decisive);
});

for (const [lang, right, wrong] of [["en", /^Right/, /^Not quite.* 3$/], ["ja", /^正解/, /^不正解.* 3$/]]) {
  pageTest(`answers come from the run, and right and wrong are said, ${lang}`, { lang, reducedMotion: true }, async ({ page }) => {
    const decisive = stepOf(/^c2 begins to read P2 at 3/);
    await scrubTo(page, decisive - 1);
    // Committed 3; c3 had processed up to 5 and been given up to 6; the log ends at 9.
    assert.deepEqual((await page.locator(".choice").allTextContents()).map(Number), [3, 5, 6, 9]);

    await page.locator(".choice", { hasText: "6" }).click();
    assert.match(await page.locator(".answer").textContent(), wrong);
    assert.equal(await page.locator(".choice.is-wrong").textContent(), "6");
    assert.equal(await page.locator(".choice.is-right").textContent(), "3");
    await page.locator(".choice", { hasText: "3" }).click();
    assert.match(await page.locator(".answer").textContent(), right);
    assert.equal(await page.locator(".choice.is-wrong").count(), 0);
  });
}

pageTest("the chain of reasons of a duplicate leads to the crash, and each reason to its step", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, stepOf(/C3 .* for the 2nd time/));
  const reasons = page.locator(".reason");
  const crash = reasons.filter({ hasText: "c3 crashed" });
  assert.equal(await crash.count(), 1, (await reasons.allTextContents()).join("\n"));
  await crash.locator(".when").click();
  assert.equal(await shownStep(page), stepOf(/^c3 crashes/));
});

pageTest("a verdict shows the records that it is about", { reducedMotion: true }, async ({ page }) => {
  await page.keyboard.press("End");
  await page.locator(".verdict", { hasText: "Duplicates" }).click();
  const names = (marked) => page.locator(marked).allTextContents();
  assert.deepEqual((await names(".tape g:has(> .corners) .chip-name")).sort(), ["B4", "C3", "E2"]);
  // Each has its first row and its second.
  assert.deepEqual((await names(".row:has(> .corners) > .mono")).sort(), ["B4", "B4", "C3", "E2"]);
  assert.deepEqual(await names(".signs li:has(.corners)"), ["what is selected"]);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".corners").count(), 0);
});

pageTest("what a verdict is about does not look like what is in hand", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, stepOf(/^c1 begins to read P0 at 6/));
  const ringed = () => page.locator(".tape g:has(> .ring:not(.is-duplicate)) .chip-name").allTextContents();
  const inHand = await ringed();
  await page.locator(".verdict", { hasText: "Lag" }).click();
  assert.ok(await page.locator(".tape .corners").count() > inHand.length);
  assert.deepEqual(await ringed(), inHand);
});

for (const [lang, label, says] of [["en", "Lag", "nothing committed"], ["ja", "ラグ", "コミットなし"]]) {
  pageTest(`without a commit the lag has no number and no age, ${lang}`, { lang, reducedMotion: true }, async ({ page }) => {
    await scrubTo(page, stepOf(/^A1 is appended/));
    assert.equal(await verdict(page, label), says);
    await page.keyboard.press("End");
    assert.match(await verdict(page, label), /^\d/);
  });
}

pageTest("changing the language changes the words, not the place", { reducedMotion: true }, async ({ page }) => {
  const step = stepOf(/^c3 crashes/);
  await scrubTo(page, step);
  await page.getByRole("button", { name: "日本語" }).click();
  assert.equal(await shownStep(page), step);
  assert.equal(await caption(page), nativeSteps(scenarioFile(CRASH), "ja")[step - 1].sentence);
  assert.match(await drawing(page), /トピック/);
  await page.reload();
  await page.locator(".caption").waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "ja", "the choice is remembered");
});

pageTest("on a phone the question comes into sight, and then the stage again", { width: 360, height: 740 }, async ({ page }) => {
  const isInSight = (selector) => page.waitForFunction((selector) => {
    const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }, selector);
  await scrubTo(page, stepOf(/^c2 begins to read P2 at 3/) - 3);
  await page.getByRole("button", { name: "Play" }).click();
  await page.locator(".choice").first().waitFor();
  await isInSight(".question");
  await page.locator(".choice").first().click();
  await page.getByRole("button", { name: "See what happens" }).click();
  await isInSight(".tape:nth-child(3) .tape-body");
});
