// The view Sequence: what it draws against the run, going to a step from it, selection both ways, the list, the switch.

import assert from "node:assert/strict";
import { largeScenario } from "../../scripts/large-scenario.mjs";
import { pageTest, settled } from "./page.mjs";
import { CRASH, caption, nativeSteps, scenarioFile, scrubTo, shownStep, temporaryFile } from "./story.mjs";

const STEPS = nativeSteps(scenarioFile(CRASH), "en");
const stepOf = (pattern) => {
  const index = STEPS.findIndex(({ sentence }) => pattern.test(sentence));
  assert.ok(index >= 0, `no step says ${pattern}`);
  return index + 1;
};
const CRASHES = stepOf(/^c3 crashes/);
const EXPIRY = stepOf(/session expires/);
// The rebalance of the two that are left is over.
const REBALANCED = stepOf(/^c2 gets P2 in generation 2/);

const open = async (page, step) => {
  await scrubTo(page, step);
  await page.locator("#pane-sequence").click();
  await page.locator(".sequence-view").waitFor();
};
const words = (page) => page.locator(".sequence-item text").allTextContents();
const head = (page, name) => page.locator(".sequence-heads").getByRole("button", { name: new RegExp(`^${name} ·`) });
const asList = (page, name = "As a list") => page.locator("#sequence").getByRole("button", { name }).click();
const lines = (page) => page.locator(".sequence-list li").allTextContents();
const assertInSight = async (page, locator) => {
  const [outer, inner] = [await page.locator(".sequence-view").boundingBox(), await locator.boundingBox()];
  const isIn = inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width;
  assert.ok(isIn, `${JSON.stringify(inner)} in ${JSON.stringify(outer)}`);
};

pageTest("a rebalance can be read: who learns of it, who waits for whom, who gets what", { reducedMotion: true }, async ({ page, axe }) => {
  await open(page, REBALANCED);
  const said = await words(page);
  const count = (text) => said.filter((label) => label === text).length;
  assert.equal(count("Heartbeat: REBALANCE_IN_PROGRESS"), 2, said.join("\n"));
  // Requests and answers.
  assert.equal(count("JoinGroup"), 4);
  assert.equal(count("SyncGroup"), 4);
  assert.equal(said.filter((label) => /^waits for c[12]$/.test(label)).length, 1);
  for (const label of ["c3: session expired", "PreparingRebalance", "generation 2, leader c1", "assigns partitions", "Stable"]) assert.equal(count(label), 1, label);
  await assertInSight(page, page.locator(".sequence-now").last());
  await axe();
});

pageTest("heartbeats and fetches are there when they are asked for", { reducedMotion: true }, async ({ page }) => {
  await open(page, CRASHES);
  assert.deepEqual((await words(page)).filter((label) => /^(Heartbeat|Fetch)$/.test(label)), []);
  const chatter = page.getByRole("button", { name: "Heartbeats and fetches" });
  await chatter.click();
  assert.equal(await chatter.getAttribute("aria-pressed"), "true");
  const said = await words(page);
  assert.ok(said.includes("Heartbeat") && said.includes("Fetch"), said.join("\n"));
});

pageTest("nothing is drawn of what comes later", { reducedMotion: true }, async ({ page }) => {
  await open(page, CRASHES - 1);
  assert.ok(!(await words(page)).includes("crashes"));
  await page.keyboard.press("ArrowRight");
  assert.ok((await words(page)).includes("crashes"));
});

pageTest("what is pressed is gone to and selected, in the drawing and in the list", { reducedMotion: true }, async ({ page, axe }) => {
  await open(page, CRASHES + 3);
  await page.locator(".sequence-item", { hasText: "C3 processed" }).first().click();
  assert.match(await caption(page), /^c3 has processed C3/);
  assert.equal(await page.locator(".sequence-item.is-selected").count() > 0, true);
  assert.equal(await page.locator(".sequence-row").count() > 0, true, "the step that is shown is marked");
  await scrubTo(page, CRASHES + 3);
  await asList(page);
  await axe();
  const button = page.locator(".sequence-list li", { hasText: /^.*c3 crashes/ }).getByRole("button");
  await button.focus();
  await page.keyboard.press("Enter");
  assert.match(await caption(page), /^c3 crashes/);
  assert.equal(await shownStep(page), CRASHES);
  const present = page.locator('.sequence-list li[aria-current="step"]');
  assert.match((await present.allTextContents()).join("\n"), /c3 crashes/);
  assert.match(await present.last().getAttribute("class"), /is-selected/);
});

pageTest("a member is selected by its lifeline with the keyboard, and its lifeline by the member", { reducedMotion: true }, async ({ page }) => {
  await open(page, EXPIRY);
  await head(page, "c2").focus();
  await page.keyboard.press("Enter");
  assert.equal(await head(page, "c2").getAttribute("aria-pressed"), "true");
  assert.ok(await page.locator(".lifeline.is-selected").count() > 0);
  await page.keyboard.press("Escape");
  assert.equal(await head(page, "c2").getAttribute("aria-pressed"), "false");
  await page.locator("#member-0").click();
  await page.keyboard.press("Escape");
  assert.equal(await head(page, "c1").getAttribute("aria-pressed"), "true", "what is selected on the stage is selected here");
});

pageTest("in Japanese, on a phone, dark: the same, inside of its frame", { lang: "ja", width: 360, height: 740, theme: "dark", reducedMotion: true }, async ({ page, axe }) => {
  await open(page, REBALANCED);
  const said = await words(page);
  assert.ok(said.includes("c3 のセッション切れ") && said.some((label) => /^c[12] を待つ$/.test(label)), said.join("\n"));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await axe();
  await asList(page, "一覧で読む");
  assert.ok((await lines(page)).some((line) => /ブローカー 0 → c1: レスポンス Heartbeat: REBALANCE_IN_PROGRESS/.test(line)));
  await axe();
});

pageTest("of many members, the one that the step is about is in sight", { reducedMotion: true }, async ({ page }) => {
  const file = temporaryFile("many.json", largeScenario({ partitions: 24, members: 24, records: 400, perSecond: 40, endsAt: "40s" }));
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator("h2", { hasText: "24 partitions" }).waitFor();
  await open(page, 400);
  await settled(page);
  const row = page.locator(".sequence-row").last();
  assert.equal(await row.count(), 1);
  const y = (await row.boundingBox()).y;
  const at = await page.locator(".sequence-item text").evaluateAll((texts, y) => texts.map((text) => text.getBoundingClientRect()).find((box) => Math.abs(box.y - y) < 8)?.x, y);
  const view = await page.locator(".sequence-view").boundingBox();
  assert.ok(at > view.x && at < view.x + view.width, `${at} in ${view.x} to ${view.x + view.width}`);
});

pageTest("a world without clients says that nothing was sent", { reducedMotion: true }, async ({ page, axe }) => {
  const world = { format: "logstep/1", title: "Nothing", ends_at: "20s", cluster: { kafka: "4.0" }, topics: [{ name: "t", partitions: 2 }], producers: [], groups: [] };
  await page.locator("input[type=file]").setInputFiles(temporaryFile("nothing.json", world));
  await page.locator("h2", { hasText: "Nothing" }).waitFor();
  await page.locator("#pane-sequence").click();
  assert.match(await page.locator("#sequence").textContent(), /No message has been sent/);
  await axe();
});
