// What if: runs beside each other, in step by simulated time, with what differs marked and summed up in a sentence.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { pageTest, settled } from "./page.mjs";
import { caption, lastStep, member, pressUntilFocused, scrubTo, shownStep } from "./story.mjs";

const scene = (name) => fileURLToPath(new URL(`../scenes/${name}.json`, import.meta.url));

const menu = (page) => page.getByRole("menu");
const runs = (page) => page.locator(".compare-run");
const sentence = (page) => page.locator("#compared").textContent();
const titles = (page) => page.locator(".compare-title h2").allTextContents();
const drawing = (page, index) => runs(page).nth(index).locator(".stage-drawing").evaluate((svg) => svg.outerHTML);
const result = (page, index, label) => runs(page).nth(index).locator(".result", { hasText: label });
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function openSetting(page, name) {
  await page.locator("#pane-settings").click();
  await page.locator(`[id^="configured-consumer"][id$="-${name}"]`).first().click();
  await menu(page).waitFor();
}

async function compareSetting(page, name, value) {
  await openSetting(page, name);
  const offered = menu(page).getByRole("group", { name: /^Compare with|だった場合と比較する/ });
  await offered.getByRole("menuitem", { name: value, exact: true }).click();
  await runs(page).first().waitFor();
}

async function openFile(page, name) {
  await page.locator("input[type=file]").setInputFiles(scene(name));
  await page.locator("#story option[value='']").waitFor({ state: "attached" });
  await settled(page);
}

pageTest("a commit before processing beside one after it: the sentence, what differs, and both in step", { reducedMotion: true }, async ({ page, axe }) => {
  await scrubTo(page, 90);
  await compareSetting(page, "commit.when", "before_batch");
  assert.deepEqual(await titles(page), ["commit.after_records=3", "commit.when=before_batch"]);
  const said = await sentence(page);
  assert.match(said, /^With the commit after every 3 records processed, no record is lost and 3 are processed twice; with the commit before processing, 1 record is lost and none is processed twice\./);
  await axe();
  // At the end the results are those of the sentence, and marked by a sign and a word.
  await page.keyboard.press("End");
  for (const [label, values] of [["Lost", ["0", "1"]], ["Duplicates", ["3", "0"]]]) {
    for (const index of [0, 1]) {
      assert.equal(await result(page, index, label).locator("b").textContent(), values[index]);
      assert.match(await result(page, index, label).textContent(), /^≠.*\(differs\)$/);
    }
  }
  assert.doesNotMatch(await result(page, 0, "Parallelism").textContent(), /differs/);
  // The story beside it is where its own run is at that time: at its end, too.
  await page.keyboard.press("Home");
  const before = await drawing(page, 0);
  assert.equal(before, await drawing(page, 0));
  await scrubTo(page, 60);
  assert.notEqual(await drawing(page, 0), before);
  // Only the run that is stepped can be acted on.
  assert.equal(await page.locator("#member-0").count(), 1);
  assert.equal(await runs(page).nth(1).locator("#member-0").count(), 1);
});

pageTest("another run is stepped from the same time, and the one that is stepped stays at the end", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 90);
  const clock = () => page.locator(".clock-readout").textContent();
  const seconds = async () => Number(/([\d.]+)\s*s/.exec(await clock())[1]);
  await compareSetting(page, "commit.when", "before_batch");
  const at = await seconds();
  const last = await lastStep(page);
  await page.getByRole("button", { name: /^Step this run/ }).click();
  assert.ok(Math.abs(await seconds() - at) < 1.5, `${at} ${await clock()}`);
  assert.notEqual(await lastStep(page), last);
  assert.ok(await runs(page).first().evaluate((run) => run.classList.contains("is-driven")));
  const shown = await shownStep(page);
  await page.keyboard.press("ArrowRight");
  assert.equal(await shownStep(page), shown + 1);
  await page.locator("#end-comparison").click();
  assert.equal(await runs(page).count(), 0);
  assert.equal(await page.locator(".stage-drawing").count(), 1);
  // It was the story.
  assert.equal(await page.locator(".own-branch").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.id), "play");
});

pageTest("by keyboard alone: one's own run beside the story's, a step, and Esc", { reducedMotion: true }, async ({ page, axe }) => {
  await scrubTo(page, 45);
  await member(page, "c1").click();
  await page.getByRole("menuitem", { name: /^Crash/ }).click();
  await page.locator("#timeline").focus();
  await pressUntilFocused(page, "Shift+Tab", "#compare-with-story");
  await page.keyboard.press("Enter");
  await runs(page).first().waitFor();
  assert.deepEqual(await titles(page), ["The story", "Crash c1 at 10.0 s"]);
  assert.match(await sentence(page), /^As it was, .*; with “Crash c1 at 10\.0 s”, /);
  await page.keyboard.press("ArrowRight");
  assert.match(await runs(page).first().locator(".compare-here").textContent(), /owner of P0; process of c1/);
  await axe();
  const said = await caption(page);
  await page.keyboard.press("Escape");
  assert.equal(await runs(page).count(), 0);
  assert.equal(await caption(page), said, "the run that was stepped stays");
  assert.equal(await page.locator("#side").count(), 1, "the column is open again");
});

pageTest("what is done to the run that is stepped goes on in its place", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 90);
  await compareSetting(page, "commit.when", "before_batch");
  await scrubTo(page, 50);
  await page.locator("#member-1").click();
  await page.getByRole("menuitem", { name: /^Crash/ }).click();
  const [story, own] = await titles(page);
  assert.equal(story, "commit.after_records=3");
  assert.match(own, /^commit\.when=before_batch, Crash c2 at /);
});

pageTest("a run is named that was changed by a consumer which the story does not have", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 40);
  await page.locator("#group-0").click();
  await page.getByRole("menuitem", { name: /^Add a consumer/ }).click();
  await page.locator("#member-3").click();
  await page.getByRole("menuitem", { name: /^Crash/ }).click();
  await page.locator("#back-to-story").click();
  await scrubTo(page, 60);
  await page.locator("#member-0").click();
  await page.getByRole("menuitem", { name: /^Crash/ }).click();
  await page.getByRole("group", { name: "Compare with" }).getByRole("button", { name: /Crash c4/ }).click();
  const [other, own] = await titles(page);
  assert.match(other, /Add a consumer to billing at .*, Crash c4 at /);
  assert.match(own, /^Crash c1 at /);
});

pageTest("three partitions beside six", { reducedMotion: true }, async ({ page }) => {
  await openFile(page, "three-partitions");
  await scrubTo(page, 100);
  await page.locator("#of-partition-0").click();
  await menu(page).getByRole("group", { name: /^Compare with this many/ }).getByRole("menuitem", { name: "6 partitions" }).click();
  assert.deepEqual(await titles(page), ["orders: 3 partitions", "orders: 6 partitions"]);
  assert.match(await sentence(page), /^With 3 partitions, 3 of 6 members have a partition .*; with 6 partitions, 6 of 6 members have a partition /);
  await page.keyboard.press("End");
  assert.deepEqual(await Promise.all([0, 1].map((index) => runs(page).nth(index).locator(".stage-drawing .tape").count())), [3, 6]);
});

pageTest("eager beside cooperative, with a slow member, and a third", { reducedMotion: true }, async ({ page }) => {
  await openFile(page, "slow-member");
  await compareSetting(page, "partition.assignment.strategy", "cooperative-sticky");
  assert.match(await sentence(page), /^With sticky \(eager\), partitions stand still for 30 s in all and 5 partitions are given up only to come back; with cooperative-sticky \(cooperative\), /);
  await page.locator(".side-switch").click();
  await compareSetting(page, "partition.assignment.strategy", "range");
  assert.equal(await runs(page).count(), 3);
  assert.equal((await titles(page)).length, 3);
  // There is no room for a fourth.
  await openSetting(page, "partition.assignment.strategy");
  assert.equal(await menu(page).getByRole("group", { name: /^Compare with/ }).count(), 0);
  await page.keyboard.press("Escape");
  // Another story closes it.
  await page.locator("#story").selectOption({ index: 1 });
  await settled(page);
  assert.equal(await runs(page).count(), 0);
  assert.equal(await page.locator("#side").count(), 1);
});

pageTest("with several groups it is chosen whose account is compared", { reducedMotion: true }, async ({ page }) => {
  await openFile(page, "two-groups");
  await page.keyboard.press("End");
  await compareSetting(page, "max.poll.records", "1");
  const groups = page.getByRole("group", { name: "Group shown" }).getByRole("button");
  assert.equal(await groups.count(), 2);
  const before = await result(page, 0, "Lag").textContent();
  await groups.nth(1).click();
  assert.equal(await groups.nth(1).getAttribute("aria-pressed"), "true");
  assert.notEqual(await result(page, 0, "Lag").textContent(), before);
});

pageTest("on a phone the runs are one below the other, and nothing sticks out", { width: 360, height: 740, lang: "ja", theme: "dark", reducedMotion: true, touch: true }, async ({ page, axe }) => {
  await scrubTo(page, 90);
  await compareSetting(page, "commit.when", "before_batch");
  assert.match(await sentence(page), /^3 件処理するごとのコミットでは、消失は 0 件、重複は 3 件です。処理前のコミットでは、消失は 1 件、重複は 0 件です。/);
  const [first, second] = await Promise.all([0, 1].map((index) => runs(page).nth(index).boundingBox()));
  assert.ok(first.y + first.height <= second.y && Math.abs(first.x - second.x) < 1);
  assert.ok(await overflow(page) <= 0);
  for (const button of await page.locator(".compare button").all()) assert.ok((await button.boundingBox()).height >= 40);
  await axe();
});

pageTest("a figure does not offer it", { path: "?embed&side&step=90", reducedMotion: true }, async ({ page }) => {
  await page.locator(".stage-drawing").waitFor();
  await page.locator("#of-partition-0").click();
  await menu(page).waitFor();
  assert.equal(await menu(page).getByRole("group", { name: /^Compare/ }).count(), 0);
});
