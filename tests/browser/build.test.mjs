// The lab in the browser: a world is built, changed, taken back, kept and broken.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pageTest } from "./page.mjs";
import { settled } from "./settled.mjs";
import { caption, lastStep, shownStep } from "./story.mjs";

const build = (page) => page.locator("#build");
const open = async (page) => {
  await page.locator("#pane-build").click();
  await build(page).locator("#build-ends_at").waitFor();
};
const begin = async (page, name) => {
  await build(page).locator(".pane-tools select").selectOption(name);
  await page.locator(".logo").waitFor();
  await build(page).getByRole("button", { name: "Undo" }).and(page.locator(":enabled")).waitFor();
  await settled(page);
};
const type = async (page, id, text) => {
  await page.locator(`#${id}`).fill(text);
  await page.locator(`#${id}`).press("Enter");
  await settled(page);
};
const go = async (page, name) => {
  await build(page).locator("button.build-open", { hasText: name }).first().click();
  await build(page).locator(".trail [aria-current]", { hasText: name.split(" ")[0] }).waitFor();
};
const clock = async (page) => (await page.locator(".transport").innerText()).match(/t = .*/)[0];
const tapes = (page) => page.locator(".stage-drawing .tape").count();
const members = (page) => page.locator(".stage-drawing .seat").count();

pageTest("a change is on the stage at once, at the same simulated time, and can be taken back and made again", { reducedMotion: true }, async ({ page }) => {
  await open(page);
  const before = await clock(page);
  await go(page, "orders");
  await type(page, "build-topics-0-partitions", "6");
  await page.locator(".tape").nth(5).waitFor();
  assert.equal(await tapes(page), 6);
  assert.equal(await clock(page), before);
  await build(page).getByRole("button", { name: "Undo" }).click();
  await page.locator(".tape").nth(5).waitFor({ state: "detached" });
  assert.equal(await tapes(page), 3);
  assert.equal(await page.locator("#build-topics-0-partitions").inputValue(), "3");
  await build(page).getByRole("button", { name: "Redo" }).click();
  await page.locator(".tape").nth(5).waitFor();
  assert.equal(await page.locator("#build-topics-0-partitions").inputValue(), "6");
});

pageTest("a world is built from nothing by keyboard alone", { reducedMotion: true }, async ({ page }) => {
  await page.locator("#pane-build").focus();
  await page.keyboard.press("Enter");
  await build(page).locator("#build-ends_at").waitFor();
  await begin(page, "empty");
  assert.equal(await members(page), 0);
  const press = async (name) => {
    await build(page).getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
    await settled(page);
  };
  const back = async () => {
    await build(page).locator(".trail button").first().focus();
    await page.keyboard.press("Enter");
    await build(page).locator("#build-ends_at").waitFor();
  };
  await press("Add a producer");
  await build(page).locator(".trail [aria-current]", { hasText: "producer1" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "build-title", "the focus is on the form that has been opened");
  await back();
  await press("Add a group");
  await press("Add a member");
  await build(page).locator(".trail [aria-current]", { hasText: "c2" }).waitFor();
  await page.locator(".seat").nth(1).waitFor();
  assert.equal(await members(page), 2);
  await page.keyboard.press("Escape");
  await page.locator("#pane-why").focus();
  await page.keyboard.press("End");
  assert.match(await page.locator(".verdicts").innerText(), /Parallelism/);
  assert.ok((await lastStep(page)) > 50);
});

pageTest("a mistake is told at its control, the stage keeps the world before, and the way leads to it", { reducedMotion: true }, async ({ page }) => {
  await open(page);
  await go(page, "orders");
  await type(page, "build-topics-0-partitions", "600");
  await build(page).getByRole("alert").waitFor();
  assert.match(await build(page).getByRole("alert").innerText(), /cannot run yet[^]*between 1 and 200/);
  assert.equal(await page.locator("#build-topics-0-partitions").getAttribute("aria-invalid"), "true");
  assert.equal(await tapes(page), 3);
  await build(page).locator(".trail button").first().click();
  await build(page).locator(".build-entry.is-wrong").waitFor();
  await build(page).locator(".build-wrong button").click();
  await type(page, "build-topics-0-partitions", "4");
  await page.locator(".tape").nth(3).waitFor();
  assert.equal(await build(page).getByRole("alert").count(), 0);
});

pageTest("what is selected on the stage has its form open, and what has its form open is marked there", { reducedMotion: true }, async ({ page }) => {
  await open(page);
  await page.locator(".seat", { hasText: "c2" }).first().click();
  await build(page).locator(".trail [aria-current]", { hasText: "c2" }).waitFor();
  await page.keyboard.press("Escape");
  await build(page).locator(".trail button", { hasText: "billing" }).click();
  await go(page, "c3");
  await settled(page);
  const middle = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const [marked, card] = [await middle(page.locator(".picked")), await middle(page.locator(".seat", { hasText: "c3" }).locator(".card"))];
  assert.ok(Math.hypot(marked[0] - card[0], marked[1] - card[1]) < 4, `marked at ${marked}, c3 at ${card}`);
});

pageTest("what is built is in the address, and a reload comes back to it; what has mistakes, too", { reducedMotion: true }, async ({ page }) => {
  await open(page);
  await begin(page, "two-groups");
  await go(page, "orders");
  await type(page, "build-topics-0-partitions", "5");
  await page.waitForFunction(() => location.hash.includes("file="));
  await page.waitForTimeout(600);
  await page.reload();
  await page.locator(".tape").nth(4).waitFor();
  assert.match(await page.locator("#story option:checked").textContent(), /Two groups read one topic/);
  await open(page);
  await go(page, "orders");
  await type(page, "build-topics-0-partitions", "500");
  await build(page).getByRole("alert").waitFor();
  await page.waitForTimeout(600);
  await page.reload();
  await build(page).getByRole("alert").waitFor();
  assert.match(await build(page).getByRole("alert").innerText(), /500 is not/);
});

pageTest("the text of the file can be changed and pasted; what is no JSON is told with its line, and undone", { reducedMotion: true }, async ({ page }) => {
  await open(page);
  await build(page).locator(".build-file summary").click();
  const area = page.locator("#build-text");
  const text = await area.inputValue();
  await area.fill(text.replace('"partitions": 3', '"partitions": 2'));
  await build(page).getByRole("button", { name: "Use this text" }).click();
  await build(page).getByRole("alert").waitFor();
  assert.match(await build(page).getByRole("alert").innerText(), /orders-2/, "the file expects something of a partition that is gone");
  await area.fill("{");
  await build(page).getByRole("button", { name: "Use this text" }).click();
  await build(page).getByText("cannot run yet.").waitFor();
  assert.equal(await tapes(page), 3, "the world before is still there");
  for (let n = 0; n < 2; n++) {
    await build(page).getByRole("button", { name: "Undo" }).click();
    await settled(page);
  }
  await build(page).locator("#build-ends_at").waitFor();
  assert.equal(await area.inputValue(), text);
});

pageTest("what was done by hand is kept where it is still possible", { reducedMotion: true }, async ({ page }) => {
  await open(page);
  await page.locator(".seat", { hasText: "c1" }).first().click();
  await page.getByRole("menuitem", { name: /^Crash/ }).click();
  await page.locator(".seat.is-crashed").waitFor();
  const said = await caption(page);
  await build(page).locator(".trail button").first().click();
  await type(page, "build-ends_at", "70s");
  await page.waitForFunction(() => document.querySelector(".timeline, .transport").textContent.includes("70 s"));
  assert.equal(await page.locator(".seat.is-crashed").count(), 1);
  assert.equal(await caption(page), said);
});

pageTest("a file that is dropped on the page is opened, and the lab shows it", { reducedMotion: true }, async ({ page }) => {
  await open(page);
  const text = readFileSync(new URL("../../docs/examples/minimal.json", import.meta.url), "utf8");
  const data = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "minimal.json", { type: "application/json" }));
    return data;
  }, text);
  for (const kind of ["dragover", "drop"]) await page.dispatchEvent("body", kind, { dataTransfer: data });
  await page.locator("#story option[value='']").waitFor({ state: "attached" });
  assert.match(await page.locator("#story option:checked").textContent(), /My first scenario/);
  await build(page).locator("button.build-open", { hasText: "2 members" }).waitFor();
});

for (const lang of ["en", "ja"]) {
  for (const [width, height] of [[360, 740], [820, 1180], [1320, 800], [1920, 1080]]) {
    pageTest(`the lab fits and is accessible: ${lang}, ${width} px`, { width, height, lang, reducedMotion: true }, async ({ page, axe }) => {
      await open(page);
      // In one column, what is half under a bar would count as too small.
      const rules = width < 1121 ? { "target-size": { enabled: false } } : undefined;
      const beyond = () => page.evaluate(() => [...document.querySelectorAll("#build *")].filter((element) => {
        const { right, width } = element.getBoundingClientRect();
        return width > 0 && right > document.documentElement.clientWidth + 1;
      }).map((element) => element.outerHTML.slice(0, 120)));
      assert.deepEqual(await beyond(), []);
      await build(page).locator(".build-besides summary").click();
      await page.locator("#build-title").evaluate((title) => title.scrollIntoView({ block: "center" }));
      await axe(rules);
      await build(page).locator("#build-groups-0").click();
      await build(page).locator("#build-groups-0-handling-time").waitFor();
      await axe(rules);
      assert.deepEqual(await beyond(), []);
      assert.ok((await shownStep(page)) >= 0);
    });
  }
}
