// What a person does to a member by hand: it branches off, it has the consequences that a native run of the same has,
// and the story stays as it was.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import {
  CRASH, caption, captions, drawing, drawings, member, nativeOutcome, nativeSteps, pressUntilFocused, scenario,
  sceneAsText, scrubTo, shownStep, temporaryFile, verdict,
} from "./story.mjs";

const menu = (page) => page.getByRole("menu");
const openMenus = async (page) => {
  return menu(page).count();
};
// By how it begins, so that "Start" is not also "Restart"; the reason why it is not possible follows the label.
const item = (page, name) => page.getByRole("menuitem", { name: new RegExp(`^${name}\\b`) });
const focused = async (page, read) => {
  await settled(page);
  return page.evaluate(read);
};
const focusedId = (page) => focused(page, () => document.activeElement.id);
const focusedText = (page) => focused(page, () => document.activeElement.textContent);

// The story with one more crash: of a member, right after it has processed so many records.
function withCrash(name, records) {
  const changed = scenario(CRASH);
  changed.actions.push({ crash: name, after: { processed: { member: name, records } } });
  delete changed.expect;
  changed.story = [];
  return temporaryFile(`crash-${name}.json`, changed);
}

// The step after which `sentence` has just been said.
async function scrubToSentence(page, sentence) {
  const said = await captions(page);
  const index = said.findIndex((text) => text.startsWith(sentence));
  assert.ok(index >= 0, `no step says ${sentence}`);
  await scrubTo(page, index + 1);
  return index + 1;
}

async function isTheNativeRun(page, file) {
  const outcome = nativeOutcome(file);
  const said = await captions(page);
  assert.deepEqual(said, nativeSteps(file, "en").map(({ sentence }) => sentence));
  await page.keyboard.press("End");
  assert.equal(Number(await verdict(page, "Duplicates")), outcome.groups.billing.duplicates.total);
  assert.match(await page.locator(".sink").textContent(), new RegExp(`^payments${outcome.sinks.payments.rows} rows`));
  return { outcome, said };
}

pageTest("a crash by mouse at another moment has the consequences of a native run of it", { reducedMotion: true }, async ({ page }) => {
  const step = await scrubToSentence(page, "c1 has processed A2");
  await member(page, "c1").click();
  await item(page, "Crash").click();
  assert.equal(await openMenus(page), 0);
  assert.match(await caption(page), /^c1 crashes. It has processed 2 records that it has not committed/);
  assert.equal(await shownStep(page), step + 1);

  const { outcome, said } = await isTheNativeRun(page, withCrash("c1", 2));
  assert.deepEqual(outcome.groups.billing.partitions["orders-0"].processed_twice, [0, 1]);
  const blamed = said.filter((text) => /for the 2nd time/.test(text) && /c1 had crashed/.test(text));
  assert.deepEqual(blamed.map((text) => text.match(/processed (\w+)/)[1]), ["A1", "A2"]);
});

pageTest("a crash by keyboard alone has the consequences of a native run of it", { reducedMotion: true }, async ({ page }) => {
  await scrubToSentence(page, "c2 has processed D2");
  await page.locator("#timeline").focus();
  const c2 = await member(page, "c2").getAttribute("id");
  await pressUntilFocused(page, "Shift+Tab", `#${c2}`);

  await page.keyboard.press("Enter");
  await menu(page).waitFor();
  assert.match(await focusedText(page), /^Crash/);
  await page.keyboard.press("ArrowDown");
  assert.match(await focusedText(page), /^Leave/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.match(await caption(page), /^c2 crashes/);
  assert.equal(await focusedId(page), c2, "the focus is back on the member");

  const { outcome } = await isTheNativeRun(page, withCrash("c2", 4));
  assert.deepEqual(outcome.groups.billing.partitions["orders-1"].processed_twice, [3]);
});

pageTest("the story stays as it was, and one press away", { reducedMotion: true }, async ({ page }) => {
  const said = await captions(page);
  const drawn = await drawings(page, [30, 70, 110, 144]);
  await page.keyboard.press("End");
  const text = await sceneAsText(page);
  await scrubTo(page, 70);
  await member(page, "c2").click();
  await item(page, "Crash").click();
  assert.match(await page.locator(".own-branch").textContent(), /after step 70: Crash c2/);
  assert.notDeepEqual(await captions(page), said);

  await page.getByRole("button", { name: "Back to the story" }).click();
  assert.equal(await page.locator(".own-branch").count(), 0);
  assert.deepEqual(await captions(page), said);
  assert.ok((await drawings(page, [30, 70, 110, 144])).every((drawing, index) => drawing === drawn[index]));
  await page.keyboard.press("End");
  assert.deepEqual(await sceneAsText(page), text);
});

pageTest("the story is silent on a branch, asks nothing there, and goes on when one is back", { reducedMotion: true }, async ({ page }) => {
  const told = async () => {
    await page.keyboard.press("Home");
    const scenes = [];
    for (let before = -1, shown = 0; shown !== before; ) {
      scenes.push([shown, await page.locator(".say").allTextContents(), await page.locator(".question").count()]);
      await page.keyboard.press("Shift+ArrowRight");
      [before, shown] = [shown, await shownStep(page)];
    }
    return scenes;
  };
  const whole = await told();
  assert.ok(whole.length > 5 && whole.some(([, , questions]) => questions > 0));

  await scrubTo(page, 45);
  await member(page, "c1").click();
  await item(page, "Leave").click();
  for (const step of [46, 80, 120]) {
    await scrubTo(page, step);
    assert.equal(await page.locator(".say").count(), 0, `after ${step} steps`);
    assert.equal(await page.locator(".question").count(), 0, `after ${step} steps`);
  }
  // Before the parting it is told as it was.
  assert.deepEqual((await told()).map(([shown]) => shown), whole.map(([shown]) => shown).filter((shown) => shown <= 45));
  await page.getByRole("button", { name: "Back to the story" }).click();
  assert.deepEqual(await told(), whole);
});

pageTest("every branch can be reached again", { reducedMotion: true }, async ({ page }) => {
  for (const name of ["c1", "c2"]) {
    await scrubTo(page, 45);
    await member(page, name).click();
    await item(page, "Leave").click();
    if (name === "c1") await page.getByRole("button", { name: "Back to the story" }).click();
  }
  const branches = page.getByRole("group", { name: "Branch" }).getByRole("button");
  assert.deepEqual(await branches.allTextContents(), ["The story", "after step 45: Stop c1 (close())", "after step 45: Stop c2 (close())"]);
  await branches.nth(1).click();
  await scrubTo(page, 46);
  assert.match(await caption(page), /^c1 /);
});

pageTest("what is not possible says why and does nothing", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 70);
  const before = await drawing(page);
  await member(page, "c3").click();
  for (const name of ["Crash", "Leave"]) {
    assert.equal(await item(page, name).getAttribute("aria-disabled"), "true");
    assert.match(await item(page, name).textContent(), /The process is not running/);
    await item(page, name).click({ force: true });
  }
  assert.equal(await item(page, "Start").getAttribute("aria-disabled"), null);
  await page.keyboard.press("Escape");
  assert.equal(await drawing(page), before);
  assert.equal(await page.locator(".own-branch").count(), 0);

  await page.keyboard.press("End");
  await member(page, "c1").click();
  const offered = await menu(page).getByRole("menuitem").count();
  assert.ok(offered > 3);
  assert.equal(await menu(page).locator("[aria-disabled=true]").count(), offered);
  assert.match(await menu(page).textContent(), /The run has ended; go back to act/);
});

pageTest("a crashed member that is started again joins, and one that is told to leave hands over", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 70);
  await member(page, "c3").click();
  await item(page, "Start").click();
  assert.match(await caption(page), /^c3 starts/);
  await page.keyboard.press("End");
  assert.match(await member(page, "c3").getAttribute("aria-label"), /owns P2/);

  await scrubTo(page, 90);
  await member(page, "c1").click();
  await item(page, "Leave").click();
  const saidAfter = (await captions(page)).slice(90).join("\n");
  assert.match(saidAfter, /c1 .*(leave|close)/);
  assert.match(await member(page, "c1").getAttribute("aria-label"), /has left/);
});

pageTest("a menu closes by Esc, by Tab, by its member and by a click elsewhere, and the focus goes back", { reducedMotion: true }, async ({ page }) => {
  const c2 = await member(page, "c2").getAttribute("id");
  const open = async () => {
    await member(page, "c2").focus();
    await page.keyboard.press("Enter");
    await menu(page).waitFor();
    assert.equal(await member(page, "c2").getAttribute("aria-expanded"), "true");
  };
  for (const key of ["Escape", "Tab"]) {
    await open();
    await page.keyboard.press(key);
    assert.equal(await openMenus(page), 0, key);
    assert.equal(await focusedId(page), c2, key);
  }
  await open();
  await member(page, "c2").click();
  assert.equal(await openMenus(page), 0, "its member");
  await open();
  await page.locator(".caption").click();
  assert.equal(await openMenus(page), 0, "elsewhere");
});

pageTest("a finger opens the menu inside the window, on a phone too", { reducedMotion: true, touch: true, width: 360, height: 740 }, async ({ page }) => {
  await scrubTo(page, 50);
  for (const name of ["c1", "c3"]) {
    await member(page, name).tap();
    const box = await menu(page).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 360 && box.y >= 0 && box.y + box.height <= 740, JSON.stringify(box));
    await page.keyboard.press("Escape");
  }
});

pageTest("what was done can be taken back and done again, by button and by key", { reducedMotion: true }, async ({ page }) => {
  const story = await captions(page);
  await scrubTo(page, 45);
  await member(page, "c1").click();
  await item(page, "Leave").click();
  const own = await captions(page);
  assert.notDeepEqual(own, story);

  await page.locator("#undo").click();
  assert.equal(await shownStep(page), 45);
  assert.equal(await page.locator("#undo").count(), 0);
  assert.deepEqual(await captions(page), story);
  await page.locator("#redo").click();
  assert.equal(await shownStep(page), 46);
  assert.deepEqual(await captions(page), own);

  await page.keyboard.press("Control+z");
  assert.deepEqual(await captions(page), story);
  for (const key of ["Control+y", "Control+Shift+z"]) {
    await page.keyboard.press(key);
    assert.deepEqual(await captions(page), own, key);
    await page.keyboard.press("Control+z");
  }
  // Whatever is done next closes the way to what was taken back.
  await scrubTo(page, 30);
  await member(page, "c2").click();
  await item(page, "Crash").click();
  assert.equal(await page.locator("#redo").count(), 0);
});

pageTest("a message on its way is dragged back, and arrives that much later", {}, async ({ page }) => {
  const said = await captions(page);
  const sent = said.findIndex((text) => /^shop sends E1/.test(text)) + 1;
  await scrubTo(page, sent);
  await page.locator("#timeline").blur();
  await page.locator(".speed select").selectOption("⅒×");
  await page.locator(".speed select").blur();
  await page.keyboard.press("ArrowRight");
  const flight = page.locator(".flight").first();
  await flight.waitFor();
  const { x, y, width, height } = await flight.boundingBox();
  const [fromX, fromY] = [x + width / 2, y + height / 2];
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  await page.mouse.move(fromX - 60, fromY);
  await page.mouse.move(fromX - 60, fromY + 150);
  assert.match(await page.locator(".held-up").textContent(), /^\+1\.[45] s$/);
  const held = await page.locator("#timeline").inputValue();
  await page.waitForTimeout(300);
  assert.equal(await page.locator("#timeline").inputValue(), held, "nothing moves meanwhile");
  await page.mouse.up();
  assert.match(await page.locator(".own-branch").textContent(), /Delay/);
  assert.match(await caption(page), /Produce request of shop/);
  // It is seen until it arrives, with its clock, also where it has hardly moved.
  for (let step = await shownStep(page); !/^E1 is appended/.test(await caption(page)); step++) {
    await scrubTo(page, step);
    if (/^E1 is appended/.test(await caption(page))) break;
    assert.equal(await page.locator(".flight", { hasText: "E1" }).count(), 1, await caption(page));
  }
  await page.locator("#undo").click();
  assert.deepEqual(await captions(page), said);
});

pageTest("a message on its way has a menu, and waits while it is open", {}, async ({ page }) => {
  await scrubToSentence(page, "shop sends E1");
  await page.locator("#timeline").blur();
  await page.locator(".speed select").selectOption("¼×");
  await page.locator(".speed select").blur();
  await page.keyboard.press("ArrowRight");
  await page.locator(".flight").first().click({ force: true });
  await menu(page).waitFor();
  const shown = await page.locator("#timeline").inputValue();
  await page.waitForTimeout(1_500);
  assert.equal(await page.locator("#timeline").inputValue(), shown);
  await item(page, "Delay").click();
  assert.match(await page.locator(".own-branch").textContent(), /Delay/);
});

pageTest("the menu of a partition closes where there is no such partition yet", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 60);
  await page.getByRole("button", { name: /^partition P2/ }).click();
  await item(page, "Grow to 4 partitions").click();
  await page.getByRole("button", { name: /^partition P3/ }).click();
  assert.equal(await openMenus(page), 1);
  await scrubTo(page, 20);
  assert.deepEqual([await openMenus(page), await shownStep(page)], [0, 20]);
  // It was there a moment ago, and is again.
  await scrubTo(page, 61);
  await page.getByRole("button", { name: /^partition P3/ }).click();
  assert.equal(await openMenus(page), 1);
});

pageTest("with the explanation closed there is a way back to the story, too", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 60);
  await page.locator(".side-switch").click();
  await member(page, "c1").click();
  await item(page, "Crash").click();
  await page.locator(".stage-buttons button", { hasText: "Back to the story" }).click();
  await settled(page);
  assert.equal(await page.locator(".stage-buttons button", { hasText: "Back to the story" }).count(), 0);
  assert.equal(await page.locator("#undo").count(), 0);
});
