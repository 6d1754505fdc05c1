// The sweep: many runs that differ in one thing each, as a grid and as a table, while the page goes on answering.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { pageTest, settled } from "./page.mjs";
import { openWorld, scrollsSideways } from "./states.mjs";
import { CRASH, caption, drawing, scenario, scenarioFile, shownStep, temporaryFile, verdict } from "./story.mjs";

const open = async (page) => {
  await page.locator("#pane-sweep").click();
  await page.locator("#sweep-start").waitFor();
};
const start = (page) => page.locator("#sweep-start").click();
// Until it has come to its end, or was stopped.
const isOver = (page) => page.locator("#sweep-stop").waitFor({ state: "detached", timeout: 60_000 });
const run = async (page) => {
  await start(page);
  await isOver(page);
  await settled(page);
};
const summary = (page) => page.locator(".sweep-summary").textContent();
const counts = async (page) => (await page.locator(".sweep-legend b").allTextContents()).map((count) => Number(count.replace(",", "")));
const cell = (page, member, column) => page.locator(`#sweep-${member}-${column}`);
const toEnd = async (page) => {
  await page.getByRole("button", { name: /^Last step/ }).click();
  await settled(page);
};
const chosen = (page) => page.locator("td[aria-selected=true]");

// What the native runner makes of the same.
function nativeSweep(...options) {
  const { stdout, stderr, status } = spawnSync(
    "cargo", ["run", "--quiet", "--locked", "--no-default-features", "--bin", "logstep-run", "--", "sweep", scenarioFile(CRASH), "--json", ...options],
    { cwd: fileURLToPath(new URL("../..", import.meta.url)), encoding: "utf8", maxBuffer: 1 << 26 },
  );
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout).rows;
}

pageTest("a crash anywhere is a grid that says what the native runner says", { reducedMotion: true }, async ({ page, axe }) => {
  const rows = nativeSweep("--crash");
  await open(page);
  await axe();
  await run(page);
  const [lost, repeated, disordered, harmless] = await counts(page);
  assert.equal(lost, rows.filter((row) => row.lost > 0).length);
  assert.equal(repeated, rows.filter((row) => row.lost === 0 && row.duplicates > 0).length);
  assert.equal(lost + repeated + disordered + harmless, rows.length, "the legend adds up");
  const again = rows.filter((row) => row.duplicates > 0).length;
  assert.equal(await summary(page), `Wherever a member crashes, nothing is lost; in ${again} of ${rows.length} places records are processed twice or more.`);
  // As text, each run is a line.
  await page.getByRole("button", { name: "As a table", exact: true }).click();
  await settled(page);
  const first = (await page.locator(".sweep-table tbody tr").first().locator("th button, td").allTextContents()).map((text) => text.trim());
  assert.equal(first[0], String(rows[0].case.after_visible_step));
  assert.equal(first[2], rows[0].case.crashes);
  assert.match(await page.locator(".record-pages span").textContent(), new RegExp(`of ${rows.length}$`));
  await axe();
});

pageTest("the keyboard goes over the grid, looks closer, and opens a run at its decisive step", { reducedMotion: true }, async ({ page, axe }) => {
  const rows = nativeSweep("--crash");
  await open(page);
  await page.locator("#sweep-start").press("Enter");
  await isOver(page);
  await settled(page);
  const step = await shownStep(page);
  // One stop of Tab, and the arrow keys from there: nothing steps.
  await cell(page, 0, 0).focus();
  assert.equal(await page.locator("[role=gridcell][tabindex='0']").count(), 1);
  await page.keyboard.press("ArrowRight");
  assert.equal(await chosen(page).getAttribute("id"), "sweep-0-0", "the first press chooses");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "End", "ArrowRight", "Home"]) await page.keyboard.press(key);
  for (let n = 0; n < 10; n++) await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.equal(await chosen(page).getAttribute("id"), "sweep-2-10");
  assert.equal(await page.evaluate(() => document.activeElement.id), "sweep-2-10", "the focus goes along");
  assert.equal(await shownStep(page), step);
  assert.match(await chosen(page).getAttribute("aria-label"), /^c3, steps \d+–\d+: the worst of \d+ runs: /);
  // Closer, until each column is a step.
  await page.keyboard.press("Enter");
  await settled(page);
  const repeated = page.locator("tr:last-child td.is-repeated").first();
  await repeated.focus();
  await repeated.click();
  await settled(page);
  const label = await chosen(page).getAttribute("aria-label");
  const [, after, times] = label.match(/^c3, step (\d+): (\d+) processed again$/);
  const row = rows.find(({ case: { crashes, after_visible_step: at } }) => crashes === "c3" && at === Number(after));
  assert.equal(row.duplicates, Number(times));
  const decisive = await page.locator("#sweep-detail p", { hasText: "Decided by" }).innerText();
  assert.match(decisive, new RegExp(`^Decided by step ${row.decided_by.visible_step}, at `));
  await axe();
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await shownStep(page), row.decided_by.visible_step);
  const sentence = decisive.split("\n")[1];
  assert.ok(sentence.length > 10 && (await caption(page)).includes(sentence), "the caption is that of the decisive step");
  // At its end the run has come to what its row says. The address leads others there.
  await toEnd(page);
  assert.equal(await verdict(page, "Duplicates"), String(row.duplicates));
  assert.equal((await verdict(page, "Lost")).match(/\d+/)?.[0] ?? "0", String(row.lost));
  const end = await shownStep(page);
  await page.waitForFunction((end) => location.hash.includes("without=crashes") && location.hash.includes(`&step=${end}&`), end);
  await page.reload();
  await page.locator("#timeline").waitFor({ state: "attached" });
  await settled(page);
  assert.equal(await shownStep(page), end);
  assert.equal(await verdict(page, "Duplicates"), String(row.duplicates), "a reload comes back to the run");
});

pageTest("one button returns, and a result is never shown as that of another run", { reducedMotion: true, lang: "ja" }, async ({ page }) => {
  await open(page);
  await run(page);
  const step = await shownStep(page);
  const before = await drawing(page);
  await page.locator("td.is-repeated").first().click();
  await page.locator("#sweep-open").click();
  await page.locator("#sweep-return").waitFor();
  const elsewhere = page.getByText("いま表示しているものとは別の実行の結果");
  assert.equal(await elsewhere.count(), 0, "it is one of its own runs");
  await page.locator("#sweep-return").click();
  await settled(page);
  assert.deepEqual([await shownStep(page), await drawing(page)], [step, before]);
  assert.equal(await page.locator("#sweep-return").count(), 0);
  // On a branch of the viewer's own it is said that this is of another run.
  await page.locator("td.is-repeated").first().click();
  await page.locator("#sweep-open").click();
  await page.locator("#sweep-return").waitFor();
  await page.locator("#back-to-story").click();
  await settled(page);
  assert.equal(await elsewhere.count(), 0, "that is where it began");
  await page.locator(".member").first().focus();
  await page.keyboard.press("Enter");
  await page.locator("[role=menuitem]:not([aria-disabled=true])").first().click();
  await settled(page);
  assert.equal(await elsewhere.count(), 1);
  // Another world takes it away.
  await page.locator("#story").selectOption({ index: 1 });
  await settled(page);
  assert.equal(await page.locator(".sweep-summary").count(), 0);
});

pageTest("it can be stopped, and the page answers meanwhile", { reducedMotion: true }, async ({ page }) => {
  await openWorld(page, "twelve");
  await open(page);
  await start(page);
  await page.locator("#sweep-stop").waitFor();
  // Steps are made, and drawn, while it runs: between two of its slices.
  await page.locator("progress[value]").waitFor();
  const from = await shownStep(page);
  await page.locator("#pane-sweep").focus();
  for (let n = 0; n < 5; n++) await page.keyboard.press("PageDown");
  await settled(page);
  assert.equal(await shownStep(page), from + 5);
  // Each slice ends with its frame: many frames pass while it runs, none of which takes long beside the others.
  const frames = await page.evaluate(async () => {
    const times = [];
    const value = () => document.querySelector(".sweep progress")?.value ?? Infinity;
    const before = value();
    for (let n = 0; n < 40; n++) times.push(await new Promise(requestAnimationFrame));
    return { gaps: times.slice(1).map((time, index) => time - times[index]).sort((a, b) => a - b), hasGoneOn: value() > before };
  });
  assert.ok(frames.hasGoneOn, "it goes on");
  assert.ok(frames.gaps[Math.floor(frames.gaps.length / 2)] < 100, `half of the frames take more than ${frames.gaps[20]} ms`);
  await page.locator("#sweep-stop").click();
  await isOver(page);
  await settled(page);
  assert.match(await summary(page), /^So far: /);
  await page.getByText("Stopped. This is what there is so far.").waitFor();
  const found = await counts(page);
  const runs = found.reduce((sum, count) => sum + count, 0);
  assert.ok(runs > 0);
  assert.equal(await page.evaluate(() => document.activeElement.id), "sweep-start", "the focus has a place");
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  assert.deepEqual(await counts(page), found, "nothing goes on");
});

pageTest("seeds and values of a setting are tables, each line of which opens its run", { reducedMotion: true }, async ({ page, axe }) => {
  const seeds = nativeSweep("--seeds", "5..8");
  await open(page);
  await page.getByRole("button", { name: "The seed" }).click();
  await page.getByLabel("First seed").fill("9");
  await page.getByLabel("Last seed").fill("8");
  assert.equal(await page.locator("#sweep-start").getAttribute("aria-disabled"), "true");
  await page.getByLabel("First seed").fill("5");
  await run(page);
  const lines = page.locator(".sweep-table tbody tr");
  assert.equal(await lines.count(), 4);
  for (const [index, row] of seeds.entries()) {
    const cells = await lines.nth(index).locator("th button, td").allTextContents();
    assert.deepEqual([cells[0], Number(cells[1]), Number(cells[2])], [String(row.case.seed), row.lost, row.duplicates]);
  }
  await axe();
  await page.getByRole("button", { name: "Open this run: seed 7" }).click();
  await settled(page);
  assert.equal(await shownStep(page), seeds[2].decided_by.visible_step);
  await page.waitForFunction(() => location.hash.includes("seed=7"));
  await toEnd(page);
  assert.equal(await verdict(page, "Duplicates"), String(seeds[2].duplicates));
  await page.locator("#sweep-return").click();
  await settled(page);
  // A setting.
  const values = nativeSweep("--set", "max.poll.records=1,10,100,500");
  await page.getByRole("button", { name: "A setting" }).click();
  await page.locator(".sweep-fields select").selectOption({ label: (await page.locator(".sweep-fields option").allTextContents()).find((name) => name.startsWith("max.poll.records")) });
  await run(page);
  for (const row of values) {
    const line = lines.filter({ has: page.locator("th button", { hasText: new RegExp(`^${row.case.value}$`) }) });
    assert.deepEqual((await line.locator("td").allTextContents()).slice(0, 2).map(Number), [row.lost, row.duplicates], row.case.value);
  }
});

pageTest("on a phone nothing overflows, and a finger finds each cell", { width: 360, height: 740, touch: true, lang: "ja" }, async ({ page, axe }) => {
  await open(page);
  await run(page);
  await page.locator("td.is-repeated").first().tap();
  await page.locator("#sweep-open").waitFor();
  assert.equal(await scrollsSideways(page), 0);
  const box = await cell(page, 0, 0).boundingBox();
  assert.ok(box.width >= 24 && box.height >= 24, `${box.width} x ${box.height}`);
  await page.setViewportSize({ width: 360, height: 3200 });
  await settled(page);
  await axe();
});

pageTest("where nobody reads there is nobody to crash", { reducedMotion: true }, async ({ page }) => {
  const alone = scenario(CRASH);
  const file = temporaryFile("alone.json", { ...alone, groups: [], sinks: [], actions: [], story: [], expect: undefined, opens_at: undefined });
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator("#story option[value='']").waitFor({ state: "attached" });
  await open(page);
  assert.equal(await page.locator("#sweep-start").getAttribute("aria-disabled"), "true");
  await page.getByText("There is no consumer in this scenario").waitFor();
});
