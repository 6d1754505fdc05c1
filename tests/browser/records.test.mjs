// The table of records: what stands in it against the run, what is selected on the stage and in it, order, filter, copying.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { openWorld } from "./states.mjs";
import { CRASH, lastStep, member, nativeOutcome, nativeText, pressUntilFocused, scenarioFile, scrubTo, shownStep } from "./story.mjs";

const LEDGER = nativeText(scenarioFile(CRASH), "--csv").trim().split(/\r?\n/).map((line) => line.split(","));
const OUTCOME = nativeOutcome(scenarioFile(CRASH)).groups.billing;
const of = (column) => LEDGER[0].indexOf(column);
const times = (record) => LEDGER.filter((line) => line[of("record")] === record).length;
const NAMES = [...new Set(LEDGER.slice(1).map((line) => line[of("record")]))];
const REPEATED = NAMES.filter((name) => times(name) > 1);

const open = (page, name = "Records") => page.getByRole("group", { name: /What is shown|表示の切り替え/ }).getByRole("button", { name, exact: true }).click();
const rows = (page) => page.locator(".record-row");
const column = (page, name) => page.locator(`.record-row .of-${name}`).allTextContents();
// The names of the rows, as their tiles show them.
const named = (page) => page.locator(".record-row .chip-name").allTextContents();
const row = (page, name) => page.locator(".record-row", { has: page.locator(".chip-name", { hasText: new RegExp(`^${name}$`) }) });
const count = (page) => page.locator(".records-count").textContent();
const way = (page) => page.locator("#open-record li").allTextContents();
const WIDE = { width: 1920, height: 1080, reducedMotion: true };

pageTest("the table says what the ledger of the run says", WIDE, async ({ page, axe }) => {
  await page.keyboard.press("End");
  await open(page);
  assert.equal(await rows(page).count(), NAMES.length);
  const [names, keys, states, by] = [await named(page), await column(page, "key"), await column(page, "state"), await column(page, "by")];
  for (const name of NAMES) {
    const at = names.indexOf(name);
    const last = LEDGER.filter((line) => line[of("record")] === name).at(-1);
    assert.equal(keys[at], last[of("key")], name);
    assert.equal(by[at], last[of("member")], name);
    assert.equal(states[at], times(name) > 1 ? `processed ${times(name)}×` : "processed", name);
  }
  assert.equal(REPEATED.length, OUTCOME.duplicates.total);
  await axe();
});

pageTest("before anything is sent, and in a world without groups, it says why there is nothing", WIDE, async ({ page, axe }) => {
  await scrubTo(page, 0);
  await open(page);
  await page.getByText("No record has been sent yet.").waitFor();
  await axe();
  await openWorld(page, "keyless");
  await scrubTo(page, await lastStep(page));
  assert.equal(await page.locator(".group").count(), 0);
  assert.equal(await page.locator(".record-table .of-committed").count(), 0);
  await page.getByText("There is no consumer group").waitFor();
  assert.deepEqual(new Set(await column(page, "state")), new Set(["in the log"]));
});

pageTest("a press on a tile of the stage opens the record in the table, and a press in the table marks it on the stage", WIDE, async ({ page }) => {
  await page.keyboard.press("End");
  const [name] = REPEATED;
  await page.locator(".tape .tile", { has: page.locator(".chip-name", { hasText: new RegExp(`^${name}$`) }) }).click();
  assert.equal(await page.getByRole("button", { name: "Records", exact: true }).getAttribute("aria-pressed"), "true");
  assert.equal(await row(page, name).getByRole("button", { expanded: true }).count(), 1);
  const told = await way(page);
  assert.ok(told.some((line) => /c3 crashes before it has committed/.test(line)), told.join("\n"));
  assert.equal(told.filter((line) => /processed by/.test(line)).length, times(name));
  const corners = () => page.locator(".stage-drawing .tape .corners").count();
  assert.equal(await corners(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await corners(), 0);
  assert.equal(await page.locator("#open-record").count(), 0);
  await row(page, name).getByRole("button", { name: new RegExp(`^${name}: `) }).focus();
  await page.keyboard.press("Enter");
  assert.equal(await corners(), 1);
  assert.equal(await page.locator("#open-record").count(), 1);
});

pageTest("each thing that happened leads to its step, which is then marked", WIDE, async ({ page }) => {
  await page.keyboard.press("End");
  const [name] = REPEATED;
  await open(page);
  await row(page, name).getByRole("button", { name: new RegExp(`^${name}: `) }).click();
  const told = (await way(page)).length;
  await page.locator("#open-record li", { hasText: "1st time" }).getByRole("button").click();
  assert.match(await page.locator(".caption").textContent(), new RegExp(`has processed ${name}`));
  assert.equal(await page.locator("#open-record .is-now").count(), 1);
  assert.ok((await way(page)).length < told, "what comes later is not told");
  assert.equal(await row(page, name).locator(".of-last [aria-current=step]").count(), 1);
  await scrubTo(page, 0);
  assert.equal(await rows(page).count(), 0);
});

pageTest("the heads order the table, by keyboard, and say so", WIDE, async ({ page }) => {
  await page.keyboard.press("End");
  await open(page);
  const head = (name) => page.getByRole("columnheader", { name });
  assert.equal(await head("Sent").getAttribute("aria-sort"), "ascending");
  const sent = await named(page);
  await head("State").getByRole("button").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  assert.equal(await head("State").getAttribute("aria-sort"), "descending");
  assert.equal(await head("Sent").getAttribute("aria-sort"), null);
  assert.deepEqual((await named(page)).slice(0, REPEATED.length).sort(), [...REPEATED].sort());
  await head("Key").getByRole("button").click();
  const keys = (await column(page, "key"));
  assert.deepEqual(keys, [...keys].sort());
  await head("Sent").getByRole("button").click();
  assert.deepEqual(await named(page), sent);
});

pageTest("text, state and what is selected narrow the table down, and one press shows all again", WIDE, async ({ page, axe }) => {
  await page.keyboard.press("End");
  await open(page);
  const search = page.getByRole("searchbox");
  await search.fill("order-1009");
  const found = await count(page);
  assert.ok((await column(page, "key")).every((key) => key === "order-1009"));
  assert.match(found, new RegExp(`^\\d+ of ${NAMES.length}$`));
  // Keys of the page do not step while somebody writes.
  const step = await shownStep(page);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await shownStep(page), step);
  await search.fill(REPEATED[0].toLowerCase());
  assert.deepEqual(await named(page), [REPEATED[0]]);
  await search.fill("no such thing");
  await page.getByText("No record fits the filter.").waitFor();
  await axe();
  await page.getByRole("button", { name: "Show all" }).click();
  assert.equal(await rows(page).count(), NAMES.length);
  assert.equal(await search.inputValue(), "");

  await page.getByRole("combobox", { name: "Filter by state" }).selectOption("processed more than once");
  assert.deepEqual((await named(page)).sort(), [...REPEATED].sort());
  await page.getByRole("button", { name: "Show all" }).click();

  await member(page, "c2").click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Only c2" }).click();
  const expected = NAMES.filter((name) => LEDGER.some((line) => line[of("record")] === name && line[of("member")] === "c2"));
  assert.deepEqual((await named(page)).sort(), expected.sort());
  await page.getByRole("button", { name: "Only c2" }).click();
  assert.equal(await rows(page).count(), NAMES.length);
  await page.getByRole("combobox", { name: /^Filter by partition/ }).selectOption("P2");
  assert.ok((await column(page, "partition")).every((name) => name === "P2"));
});

for (const isAllowed of [true, false]) {
  pageTest(`what fits is copied for a spreadsheet${isAllowed ? "" : "; where the browser refuses, it is there to be taken by hand"}`, {
    ...WIDE,
    prepare: async ({ page, context }) => {
      if (isAllowed) await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      else await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("no")) } }));
    },
  }, async ({ page }) => {
    await page.keyboard.press("End");
    await open(page);
    await page.getByRole("combobox", { name: "Filter by state" }).selectOption("processed more than once");
    await page.getByRole("button", { name: /^Copy the table/ }).click();
    let text;
    if (isAllowed) {
      await page.locator(".caption", { hasText: "Copied." }).waitFor();
      text = await page.evaluate(() => navigator.clipboard.readText());
    } else {
      text = await page.getByRole("dialog").locator("textarea").inputValue();
      await page.keyboard.press("Escape");
    }
    const [head, ...lines] = text.trim().split(/\r?\n/).map((line) => line.split("\t"));
    const at = (name) => head.indexOf(name);
    assert.deepEqual(lines.map((line) => line[at("record")]).sort(), [...REPEATED].sort());
    assert.ok(lines.every((line) => line.length === head.length && Number(line[at("times")]) > 1 && line[at("state")] === "processed"));
  });
}

for (const [lang, width, theme] of [["en", 360, "dark"], ["ja", 360, "light"], ["ja", 820, "dark"], ["ja", 1320, "light"]]) {
  pageTest(`it fits into ${width} px and is clean, ${lang}, ${theme}`, { lang, theme, width, height: 800, reducedMotion: true }, async ({ page, axe, screenshot }) => {
    await page.keyboard.press("End");
    await open(page, lang === "en" ? "Records" : "レコード");
    await page.locator(".record-row").first().locator(".record-name").click();
    await settled(page);
  const over = await page.evaluate(() => {
      const pane = document.querySelector("#records").getBoundingClientRect();
      return [...document.querySelectorAll("#records *")].filter((element) => !element.closest(".visually-hidden") && element.getBoundingClientRect().right > pane.right + 0.5).map((element) => element.outerHTML.slice(0, 90));
    });
    assert.deepEqual(over, []);
    // What lies half under the bar of a phone is scrolled out from there.
    await axe({ "target-size": { enabled: width > 760 } });
    await screenshot(`records-${width}-${lang}`);
  });
}

pageTest("with the keyboard alone one comes to the table and out of it", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, await lastStep(page));
  await page.locator("#pane-records").focus();
  await page.keyboard.press("Enter");
  await pressUntilFocused(page, "Tab", "#find-record");
  await pressUntilFocused(page, "Tab", ".record-table thead button");
  await pressUntilFocused(page, "Tab", ".record-name");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement.matches(".record-name[aria-expanded=true]")), true);
  await pressUntilFocused(page, "Tab", "#open-record .step-button");
});

pageTest("a hundred thousand records are paged, and the last page is there at once", { ...WIDE }, async ({ page }) => {
  await openWorld(page, "records");
  await page.keyboard.press("End");
  await open(page);
  assert.equal(await rows(page).count(), 30);
  await page.getByRole("button", { name: "To the last" }).click();
  assert.match(await page.locator(".record-pages").textContent(), /99,991–100,000 of 100,000/);
  await page.getByRole("columnheader", { name: "Last processed" }).getByRole("button").click();
  await page.getByRole("columnheader", { name: "Last processed" }).getByRole("button").click();
  assert.match(await page.locator(".record-pages").textContent(), /1–30 of 100,000/);
});
