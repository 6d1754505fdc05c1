// The lag of a group over time: what it looks like and why, its lines, its table, and what can be done there.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { openWorld, stepOf } from "./states.mjs";
import { scrubTo, shownStep, verdict } from "./story.mjs";

const open = async (page) => {
  await page.locator("#pane-lag").click();
  await page.locator("#lag-title").waitFor();
};
const cells = async (page, name) => (await page.locator("#lag tbody tr", { hasText: name }).locator("td").allTextContents()).map((cell) => cell.trim());

// What the lines of a plot come to at the present moment, as heights below its top line.
const ends = (page, id) =>
  page.locator(`#${id} .line path`).evaluateAll((lines) => lines.map((line) => line.getAttribute("d").match(/ (\d+)$/)[1]).map(Number));

pageTest("after a crash it names the partition that stands still, since when, and why", { reducedMotion: true }, async ({ page, axe }) => {
  await open(page);
  await scrubTo(page, stepOf(/session expires/));
  assert.equal(await page.locator("#lag-title").textContent(), "P2: rises suddenly, and goes on rising");
  assert.match(await page.locator("#lag .pane-text").textContent(), /^Nothing has been committed since 10\.0 s: no member that is alive reads it\.$/);
  // As the stage says it.
  const [committed, end, lag] = await cells(page, "P2");
  assert.equal(Number(end) - Number(committed), Number(lag));
  assert.equal(await page.locator("#partition-2 .lag .number").textContent(), lag);
  const records = await ends(page, "plot-records");
  assert.equal(records.indexOf(Math.min(...records)), 2, "P2 is highest");
  await axe();
});

pageTest("nothing of the future is drawn, and a press on a plot goes to its time", { reducedMotion: true }, async ({ page }) => {
  await open(page);
  const step = stepOf(/^c3 crashes/);
  await scrubTo(page, step);
  const here = await page.locator("#lag table").textContent();
  const now = await page.locator("#plot-records .now").getAttribute("d");
  const drawn = await page.locator("#plot-records .line path").first().getAttribute("d");
  assert.equal(drawn.match(/L(\d+) \d+$/)[1], now.match(/M(\d+)/)[1], "the line ends at the present moment");
  const box = await page.locator("#plot-records").boundingBox();
  await page.mouse.click(box.x + box.width * 0.7, box.y + box.height / 2);
  await settled(page);
  assert.ok((await shownStep(page)) > step, "to the right it is later");
  assert.notEqual(await page.locator("#lag table").textContent(), here);
  await page.mouse.click(box.x + 2, box.y + box.height / 2);
  await settled(page);
  assert.ok((await shownStep(page)) < step, "at the left end is the start");
});

pageTest("zooming shows less time, and a partition that is chosen is marked everywhere", { reducedMotion: true, lang: "ja" }, async ({ page, axe }) => {
  await open(page);
  await scrubTo(page, stepOf(/session expires/));
  const window = () => page.locator("#lag .pane-tools span").textContent();
  assert.equal(await window(), "全体");
  assert.equal(await page.getByRole("button", { name: "縮小" }).getAttribute("aria-disabled"), "true");
  await page.getByRole("button", { name: "拡大" }).press("Enter");
  await settled(page);
  assert.match(await window(), /^直近 \d/);
  const chosen = page.locator("#lag tbody").getByRole("button", { name: "P2" });
  await chosen.press("Enter");
  assert.equal(await chosen.getAttribute("aria-pressed"), "true");
  await page.locator("#plot-records .line.is-selected text", { hasText: "P2" }).waitFor();
  await page.locator(".stage-drawing .corners").waitFor();
  // Whoever chooses on the stage sees it here.
  await page.locator("#of-partition-0").press("Enter");
  await page.keyboard.press("Escape");
  await page.locator("#plot-age .line.is-selected text", { hasText: "P0" }).waitFor();
  await axe();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#lag .is-selected").count(), 0, "Esc takes the marks away");
});

pageTest("a long run with many partitions draws those that are furthest behind", { reducedMotion: true }, async ({ page, axe }) => {
  await openWorld(page, "many");
  await open(page);
  await scrubTo(page, 9_000);
  const names = await page.locator("#plot-records .line text").allTextContents();
  assert.equal(names.length, 8);
  assert.equal(names.at(-1), "121 others");
  const total = (await page.locator("#lag tbody tr td:nth-child(4)").allTextContents()).reduce((sum, cell) => sum + Number(cell.replace(",", "")), 0);
  const ofGroup = (await verdict(page, "Lag")).match(/[\d,]+/)[0].replace(",", "");
  assert.equal(total, Number(ofGroup), "together they are the lag of the group");
  await axe();
});

pageTest("where no group reads it says so", { reducedMotion: true }, async ({ page, axe }) => {
  await openWorld(page, "keyless");
  await open(page).catch(() => {});
  await page.getByText("There is no consumer group in this scenario.").waitFor();
  await axe();
});
