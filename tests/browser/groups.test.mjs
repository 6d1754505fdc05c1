// Worlds larger than a story: several groups, of which one is looked at, and more than there is room for at once.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { largeScenario } from "../../scripts/large-scenario.mjs";
import { pageTest, settled } from "./page.mjs";
import { CRASH, atSteps, lastStep, leaving, member, nativeOutcome, nativeSteps, range, scenarioFile, sceneAsText, scrubTo, temporaryFile, verdict } from "./story.mjs";

const SEVERAL = fileURLToPath(new URL("../scenes/several.json", import.meta.url));
const GROUPS = ["billing", "audit", "analytics"];

const open = async (page, file, title) => {
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator("#story option:checked", { hasText: title }).waitFor({ state: "attached" });
};
const openSeveral = (page) => open(page, SEVERAL, JSON.parse(readFileSync(SEVERAL, "utf8")).title);
const choice = (page, name) => page.getByRole("group", { name: "Group shown" }).getByRole("button", { name, exact: true });
const chosen = async (page) => {
  return page.locator(".choose-group [aria-pressed=true]").allTextContents();
};

pageTest("the verdicts are those of the group that is chosen, and the lags too", { reducedMotion: true }, async ({ page, axe, screenshot }) => {
  const outcome = nativeOutcome(SEVERAL);
  await openSeveral(page);
  await page.keyboard.press("End");
  assert.deepEqual(await chosen(page), ["billing"]);
  const lags = [];
  for (const name of GROUPS) {
    await choice(page, name).focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(await chosen(page), [name]);
    const group = outcome.groups[name];
    assert.equal(Number(await verdict(page, "Duplicates")), group.duplicates.total, name);
    assert.equal(Number(await verdict(page, "Lost")), group.lost.total, name);
    lags.push(await page.locator(".tape .lag").allTextContents());
    await screenshot(`group-${name}`);
  }
  assert.equal(new Set(lags.map(String)).size, GROUPS.length, "each group has its own lags");
  await axe();
});

pageTest("whoever selects a member or a group on the stage sees the verdicts of that group", { reducedMotion: true }, async ({ page }) => {
  await openSeveral(page);
  await scrubTo(page, 200);
  await member(page, "a1").click();
  assert.deepEqual(await chosen(page), ["audit"]);
  await page.keyboard.press("Escape");
  assert.deepEqual(await chosen(page), ["audit"], "also when the menu is closed");
  await page.locator(".group", { hasText: "analytics" }).locator(".frame-name").click();
  assert.deepEqual(await chosen(page), ["analytics"]);
  await openSeveral(page);
  assert.deepEqual(await chosen(page), ["billing"], "a scenario opens with its first group");
});

pageTest("a step of another group says so, and one press shows it as that group sees it", { reducedMotion: true }, async ({ page }) => {
  await openSeveral(page);
  const steps = nativeSteps(SEVERAL, "en");
  const commit = steps.findIndex(({ sentence }) => /^a1 commits/.test(sentence)) + 1;
  await scrubTo(page, commit);
  assert.deepEqual(await chosen(page), ["billing"]);
  assert.ok(await page.locator(".group.is-at-hand .card-name", { hasText: "a1" }).isVisible(), "its frame is marked");
  await page.getByRole("button", { name: "See it as audit" }).click();
  assert.deepEqual(await chosen(page), ["audit"]);
  assert.equal(await page.locator(".see-as").count(), 0);
  assert.ok(await page.locator("#caption").evaluate((caption) => caption === document.activeElement), "the focus is not lost");
  await scrubTo(page, steps.findIndex(({ sentence }) => /^c\d commits/.test(sentence)) + 1);
  assert.equal(await page.getByRole("button", { name: "See it as billing" }).count(), 1);
});

pageTest("a story with one group offers no choice", {}, async ({ page }) => {
  assert.equal(await page.locator(".choose-group, .see-as").count(), 0);
});

pageTest("the scene as text has every group, whichever is chosen", { reducedMotion: true }, async ({ page }) => {
  await openSeveral(page);
  await scrubTo(page, 200);
  const text = await sceneAsText(page);
  const headings = await page.locator(".twin h2").allTextContents();
  for (const name of GROUPS) assert.ok(headings.some((heading) => heading.includes(name)), name);
  assert.ok(text.some((line) => /^c6: idle/.test(line)), text.join("\n"));
  await choice(page, "audit").click();
  assert.deepEqual(await sceneAsText(page), text);
});

for (const options of [{ lang: "ja", width: 360 }, { lang: "en", width: 360 }, { lang: "ja" }, { lang: "en" }]) {
  pageTest(`words stay inside their boxes with several groups, ${options.width ?? 1280} px, ${options.lang}`, { ...options, reducedMotion: true }, async ({ page }) => {
    await openSeveral(page);
    const steps = range(0, await lastStep(page)).filter((step) => step % 9 === 0);
    assert.deepEqual([...new Set((await atSteps(page, steps, leaving)).flat())], []);
  });
}

// Whether an element is in sight, with nothing over its corners.
const isInSight = (locator) => locator.evaluate((element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return [[left + 12, top + 12], [right - 12, bottom - 12]].every(([x, y]) => {
    const found = document.elementFromPoint(x, y);
    return element.parentElement.contains(found) || found?.contains(element);
  });
});

pageTest("on a phone the member that a decisive step is about comes out from under the sentence", { width: 360, height: 740, reducedMotion: true }, async ({ page }) => {
  const crash = nativeSteps(scenarioFile(CRASH), "en").findIndex(({ sentence }) => /^c3 crashes/.test(sentence)) + 1;
  await scrubTo(page, crash - 1);
  await page.evaluate(() => scrollTo(0, 0));
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.ok(await isInSight(member(page, "c3").locator(".card")));

  // Not where somebody reads below.
  await scrubTo(page, crash - 1);
  // Not to the very end, which moves where what is below gets shorter.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight - innerHeight - 120));
  const before = await page.evaluate(() => scrollY);
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.equal(await page.evaluate(() => scrollY), before);
});

pageTest("128 members are drawn, can be reached, and the stage follows the steps", { reducedMotion: true }, async ({ page, screenshot }) => {
  const file = largeScenario({ partitions: 12, members: 128, records: 60, perSecond: 10, endsAt: "30s" });
  await open(page, temporaryFile("many.json", file), file.title);
  assert.equal(await page.locator(".member").count(), 11);
  await page.getByRole("button", { name: "Show every row" }).click();
  assert.equal(await page.locator(".member").count(), 128);
  await page.keyboard.press("End");
  await member(page, "c128").focus();
  await settled(page);
  assert.ok(await isInSight(member(page, "c128").locator(".card")));
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("Escape");
  await screenshot("members-128");
});

pageTest("every record of a verdict can be reached, a page at a time", { reducedMotion: true }, async ({ page, axe, screenshot }) => {
  const file = largeScenario({ partitions: 12, members: 3, records: 200, perSecond: 20, handling: "100ms", endsAt: "60s" });
  file.actions = [{ crash: "c2", at: "12s" }];
  await open(page, temporaryFile("crash.json", file), file.title);
  await page.keyboard.press("End");
  await page.locator(".verdict", { hasText: "Order across the topic" }).click();
  const pages = page.locator(".pages select");
  const total = Number((await page.locator(".pages").textContent()).match(/of ([\d,]+)$/)[1].replace(",", ""));
  const count = await pages.locator("option").count();
  assert.ok(count > 2 && count === Math.ceil(total / 12), `${count} pages of ${total}`);
  const found = new Set();
  for (const index of range(0, count - 1)) {
    await pages.selectOption({ index });
    for (const name of await page.locator(".concerned button").allTextContents()) found.add(name);
  }
  assert.equal(found.size, total);
  await screenshot("verdict-pages");
  const { height } = await page.locator(".concerned").boundingBox();
  assert.ok(height <= 64);
  await axe();

  // A record of the last page leads somewhere, and there are fewer of them there.
  await page.locator(".concerned button").first().click();
  assert.ok(await page.locator(".concerned button").count() > 0);
});
