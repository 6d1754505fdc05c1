// Time: the same picture whichever way one comes, every way by keyboard, and movement that neither rushes nor delays.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { afterKeys, caption, captions, drawing, drawings, lastStep, pressUntilFocused, range, readDrawing, scrubTo, shownStep } from "./story.mjs";

const setSpeed = (page, speed) => page.locator(".speed select").selectOption(speed);
const playing = (page) => page.getByRole("button", { name: "Pause" });
const paused = (page) => page.getByRole("button", { name: "Play", exact: true });
const reached = (page, step) => page.waitForFunction((step) => Number(document.querySelector("#timeline").value) >= step, step);

// Simulated time as the page shows it, in seconds.
const clock = (text) => Number(text.match(/t = ([\d.]+)/)[1]);

pageTest("a step looks the same by scrubbing, by stepping forward and by stepping back", { reducedMotion: true }, async ({ page }) => {
  const last = await lastStep(page);
  const scrubbed = await drawings(page, range(0, last));
  assert.ok(new Set(scrubbed).size > last / 2, "most steps change the picture");

  await page.keyboard.press("Home");
  const forward = await afterKeys(page, Array(last).fill("ArrowRight"), readDrawing);
  assert.deepEqual(range(1, last).filter((step) => forward[step - 1] !== scrubbed[step]), []);
  const back = await afterKeys(page, Array(last).fill("ArrowLeft"), readDrawing);
  assert.deepEqual(range(1, last).filter((presses) => back[presses - 1] !== scrubbed[last - presses]), []);
});

pageTest("a step looks the same when it was played to", {}, async ({ page }) => {
  const target = 60; // c3 has crashed, c2 has committed
  await scrubTo(page, target);
  const scrubbed = await drawing(page);
  await scrubTo(page, target - 8);
  await setSpeed(page, "4×");
  await page.keyboard.press("Escape");
  for (const _ of range(1, 8)) {
    const before = await shownStep(page);
    await page.getByRole("button", { name: "One step forward" }).click();
    await reached(page, before + 1);
  }
  assert.equal(await shownStep(page), target);
  assert.equal(await drawing(page), scrubbed);
});

pageTest("each key does what the help says", { reducedMotion: true }, async ({ page }) => {
  const last = await lastStep(page);
  await scrubTo(page, 40);
  await page.locator("#timeline").blur();
  for (const [key, step] of [
    ["ArrowRight", 41], ["PageDown", 42], ["ArrowLeft", 41], ["PageUp", 40],
    ["Home", 0], ["ArrowLeft", 0], ["End", last], ["ArrowRight", last],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await shownStep(page), step, key);
  }
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  await playing(page).waitFor();
  await page.keyboard.press(" ");
  await paused(page).waitFor();
});

pageTest("keys with Ctrl, Alt or Meta are left to the browser", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 40);
  await page.locator("#timeline").blur();
  for (const key of ["Control+ArrowRight", "Alt+PageDown", "Meta+ArrowLeft"]) await page.keyboard.press(key);
  assert.equal(await shownStep(page), 40);
});

pageTest("keyboard alone plays the story to its end, and simulated time never runs back", {}, async ({ page }) => {
  const last = await lastStep(page);
  await page.evaluate(() => {
    window.clocks = [];
    const look = () => {
      window.clocks.push(document.querySelector(".clock-readout").textContent);
      requestAnimationFrame(look);
    };
    look();
  });
  await pressUntilFocused(page, "Tab", ".speed select");
  for (const _ of range(1, 3)) await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator(".speed select").inputValue(), "8000");
  await pressUntilFocused(page, "Shift+Tab", "#play");
  await page.keyboard.press("Enter");

  await page.locator(".question").waitFor({ timeout: 20_000 });
  await paused(page).waitFor();
  await pressUntilFocused(page, "Tab", ".choice");
  await page.keyboard.press("Enter");
  await pressUntilFocused(page, "Tab", ".question .primary");
  await page.keyboard.press("Enter");

  await reached(page, last);
  await paused(page).waitFor();
  assert.match(await caption(page), /^The run ends/);

  const clocks = (await page.evaluate(() => window.clocks)).map(clock);
  assert.ok(clocks.length > 50, `only ${clocks.length} frames`);
  assert.deepEqual(clocks.filter((time, frame) => frame > 0 && time < clocks[frame - 1]), []);
});

pageTest("a record is seen on its way from the producer to its partition", {}, async ({ page }) => {
  await scrubTo(page, 15); // shop is about to send A1
  await setSpeed(page, "½×");
  await page.evaluate(() => {
    window.seen = [];
    const left = (selector) => document.querySelector(selector)?.getBoundingClientRect().left;
    const look = () => {
      const name = document.querySelector(".flight .chip-name")?.textContent;
      if (name === "A1") window.seen.push(left(".flight .chip-body"));
      requestAnimationFrame(look);
    };
    look();
  });
  await paused(page).click();
  await reached(page, 17);
  const from = await page.locator(".producer .card").evaluate((card) => card.getBoundingClientRect().left);
  const to = await page.locator(".tape-body").first().evaluate((tape) => tape.getBoundingClientRect().right);
  const seen = await page.evaluate(() => window.seen);
  assert.ok(new Set(seen).size >= 5, `seen at ${seen}`);
  assert.deepEqual(seen.filter((x) => x < from || x > to), []);
  assert.deepEqual(seen, seen.toSorted((a, b) => a - b));
});

pageTest("the next press completes the movement under way", {}, async ({ page }) => {
  await scrubTo(page, 57);
  await page.locator("#timeline").blur();
  await setSpeed(page, "¼×"); // 5.6 seconds for the crash
  await page.locator(".speed select").blur();
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(200);
  assert.equal(await shownStep(page), 57, "on the way");
  await page.keyboard.press("ArrowRight");
  assert.equal(await shownStep(page), 58);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await shownStep(page), 58, "back from a movement is where it began");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await shownStep(page), 57);
});

pageTest("the state follows the slider while it is dragged", {}, async ({ page }) => {
  const { x, y, width, height } = await page.locator("#timeline").boundingBox();
  const at = (share) => page.mouse.move(x + width * share, y + height / 2);
  const seen = [];
  await at(0.2);
  await page.mouse.down();
  for (const share of [0.3, 0.5, 0.7, 0.9, 0.4]) {
    await at(share);
    seen.push([await shownStep(page), await caption(page)]);
  }
  await page.mouse.up();
  const last = await lastStep(page);
  for (const [index, share] of [0.3, 0.5, 0.7, 0.9, 0.4].entries()) {
    assert.ok(Math.abs(seen[index][0] / last - share) < 0.03, `${seen[index]} at ${share}`);
  }
  assert.equal(new Set(seen.map(([, sentence]) => sentence)).size, 5);
});

pageTest("after a gap without frames nothing rushes", {}, async ({ page }) => {
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  await reached(page, 1);
  const [before, after] = await page.evaluate(async () => {
    const shown = () => Number(document.querySelector("#timeline").value);
    const frame = () => new Promise(requestAnimationFrame);
    const before = shown();
    for (const end = performance.now() + 1500; performance.now() < end;);
    await frame();
    await frame();
    return [before, shown()];
  });
  assert.ok(after - before <= 1, `from ${before} to ${after}`);
});

pageTest("a long wait shows a running clock", {}, async ({ page }) => {
  const last = await lastStep(page);
  await scrubTo(page, last - 1); // 62.5 s; the run ends at 80 s
  await setSpeed(page, "½×");
  await page.locator(".speed select").blur();
  await page.keyboard.press("ArrowRight");
  const running = page.locator(".caption .clock");
  await running.waitFor();
  const first = parseFloat((await running.textContent()).replace("t = ", ""));
  await page.waitForFunction((first) => parseFloat(document.querySelector(".caption .clock").textContent.replace("t = ", "")) > first + 3, first);
  await reached(page, last);
  assert.equal(await running.count(), 0);
});

pageTest("with reduced motion one press is one jump, and playing moves nothing between the steps", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 15);
  await page.locator("#timeline").blur();
  await page.evaluate(() => {
    window.changes = 0;
    new MutationObserver(() => { window.changes += 1; }).observe(document.querySelector(".stage-drawing"), { subtree: true, childList: true, attributes: true });
  });
  await page.keyboard.press("ArrowRight");
  assert.equal(await shownStep(page), 16);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const changes = await page.evaluate(() => window.changes);
  assert.equal(changes, 1);

  await page.keyboard.press(" ");
  await reached(page, 18);
  assert.ok(await page.evaluate(() => window.changes) <= changes + 4, "a change for each step, not for each frame");
});

const goTo = async (page, name) => {
  await page.locator("#go-to").click();
  await page.getByRole("menuitem", { name: new RegExp(`^${name}`) }).click();
};

pageTest("the nearest crash, rebalance, commit and duplicate are one choice away, both ways", { reducedMotion: true }, async ({ page }) => {
  const said = await captions(page);
  const at = (pattern) => said.flatMap((sentence, index) => (pattern.test(sentence) ? [index + 1] : []));
  // A rebalance is gone to where it begins: who is asked and who answers comes after.
  const moments = { crash: at(/^c3 crashes/), duplicate: at(/for the 2nd time/), rebalance: at(/begins its first rebalance|, so billing rebalances/) };
  assert.equal(moments.crash.length, 1);
  assert.equal(moments.duplicate.length, 3);
  assert.equal(moments.rebalance.length, 2);
  for (const name of ["crash", "duplicate", "rebalance"]) {
    await page.keyboard.press("Home");
    for (const step of moments[name]) {
      await goTo(page, `Next ${name}`);
      assert.equal(await shownStep(page), step);
    }
    await page.keyboard.press("End");
    for (const step of moments[name].toReversed()) {
      await goTo(page, `Previous ${name}`);
      assert.equal(await shownStep(page), step);
    }
  }
  await page.keyboard.press("Home");
  await goTo(page, "Next commit");
  assert.match(await caption(page), /commits/);
  await page.keyboard.press("Home");
  await page.locator("#go-to").click();
  const crash = page.getByRole("menuitem", { name: /^Previous crash/ });
  assert.equal(await crash.getAttribute("aria-disabled"), "true");
  assert.match(await crash.textContent(), /none before/);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "go-to");
});

pageTest("a key goes from mark to mark", { reducedMotion: true }, async ({ page }) => {
  const last = await lastStep(page);
  const marks = [];
  for (let before = -1; before !== await shownStep(page);) {
    before = await shownStep(page);
    await page.keyboard.press("Shift+PageDown");
    marks.push(await shownStep(page));
  }
  marks.pop();
  assert.ok(marks.length >= 6 && marks.every((step, index) => index === 0 || step > marks[index - 1]), `${marks} of ${last}`);
  await page.keyboard.press("Shift+PageUp");
  assert.equal(await shownStep(page), marks.at(-2));
});

pageTest("every event can be a step, and the picture at visible steps stays the same", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 50);
  const visible = [await caption(page), await drawing(page)];
  await page.locator("#go-to").click();
  await page.getByRole("menuitemcheckbox").click();
  await page.keyboard.press("Escape");
  await page.locator("#go-to").blur();
  assert.deepEqual([await caption(page), await drawing(page)], visible);
  const sentences = [];
  let presses = 0;
  while ((await shownStep(page)) < 53 && presses < 100) {
    await page.keyboard.press("ArrowRight");
    presses++;
    sentences.push(await caption(page));
  }
  assert.ok(presses > 3, "there is more to see than the visible steps");
  assert.ok(sentences.every((sentence) => sentence.length > 5));
  for (let back = 0; back < presses; back++) await page.keyboard.press("ArrowLeft");
  assert.deepEqual([await caption(page), await drawing(page)], visible);

  await page.keyboard.press("ArrowRight");
  await page.locator("#go-to").click();
  assert.equal(await page.getByRole("menuitemcheckbox").getAttribute("aria-checked"), "true");
  await page.getByRole("menuitemcheckbox").click();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".step-readout small").count(), 0);
});

pageTest("a held key runs, and released it stops", {}, async ({ page }) => {
  await scrubTo(page, 20);
  await page.locator("#timeline").blur();
  await setSpeed(page, "8×");
  await page.locator(".speed select").blur();
  await page.keyboard.down("ArrowRight");
  await page.keyboard.down("ArrowRight"); // as the keyboard repeats it
  await playing(page).waitFor();
  await reached(page, 26);
  await page.keyboard.up("ArrowRight");
  await paused(page).waitFor();
  const stopped = await shownStep(page);
  await page.waitForTimeout(400);
  assert.ok((await shownStep(page)) <= stopped + 1, "it has stopped");
});

pageTest("as fast as possible still stops at the question", { reducedMotion: true }, async ({ page }) => {
  await page.keyboard.press("Home");
  await setSpeed(page, "max");
  await paused(page).click();
  await page.locator(".question").waitFor();
  await paused(page).waitFor();
  await page.locator(".choice").first().click();
  await page.locator(".question .primary").click();
  await reached(page, await lastStep(page));
  await paused(page).waitFor();
});

for (const key of ["ArrowRight", "PageDown"]) {
  pageTest(`after a choice from a list by mouse the keys are the page's again: ${key}`, { reducedMotion: true }, async ({ page }) => {
    for (const list of ["#story", ".speed select"]) {
      await page.locator(list).click();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await settled(page);
      const [chosen, before] = [await page.locator(list).inputValue(), await shownStep(page)];
      await page.keyboard.press(key);
      await settled(page);
      assert.deepEqual([await page.locator(list).inputValue(), await shownStep(page)], [chosen, before + 1], list);
    }
  });
}

pageTest("with the keyboard alone a list keeps the focus while one chooses", { reducedMotion: true }, async ({ page }) => {
  await page.keyboard.press("Tab");
  await page.locator(".speed select").focus();
  await page.keyboard.press("ArrowDown");
  await settled(page);
  assert.ok(await page.locator(".speed select").evaluate((list) => list === document.activeElement));
});
