// The views beside the stage: one is open, what is selected in one is marked in all, and all settings.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { openWorld, stepOf } from "./states.mjs";
import { CRASH, member, scenario, scrubTo, shownStep } from "./story.mjs";

const PANES = ["why", "records", "sequence", "lag", "settings", "sweep"];
const pressed = (page) => page.locator(".panes button[aria-pressed=true]").getAttribute("id");

for (const options of [{ lang: "ja" }, { lang: "en", width: 360 }]) {
  pageTest(`each view opens by keyboard, and the arrow keys go on stepping, ${options.lang}`, { ...options, reducedMotion: true }, async ({ page, axe }) => {
    await scrubTo(page, stepOf(/^c3 crashes/));
    for (const pane of PANES) {
      const before = await shownStep(page);
      await page.locator(`#pane-${pane}`).press("Enter");
      await settled(page);
      assert.equal(await pressed(page), `pane-${pane}`);
      await page.keyboard.press("ArrowRight");
      assert.equal(await shownStep(page), before + 1, "a step on");
      await page.keyboard.press("ArrowLeft");
      // On a phone, what is half under the bar would count as too small.
      await axe({ "target-size": { enabled: !options.width } });
    }
  });
}

pageTest("what is chosen on the stage is marked there and in the views until Esc", { reducedMotion: true }, async ({ page }) => {
  await page.locator("#pane-settings").click();
  await scrubTo(page, stepOf(/^c3 crashes/));
  await member(page, "c2").click();
  await page.keyboard.press("Escape");
  const selected = page.locator("#all-settings .part.is-selected .part-name");
  assert.match(await selected.textContent(), /^billing: c1, c2, c3/);
  await page.locator(".stage-drawing .corners").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await selected.count(), 0);
  assert.equal(await page.locator(".stage-drawing > g > .corners").count(), 0);
});

pageTest("settings: what differs from its default comes first, and each has other values or a reason", { reducedMotion: true }, async ({ page, axe }) => {
  await page.locator("#pane-settings").click();
  const part = page.locator("#all-settings .part", { hasText: "billing: c1, c2, c3" });
  const rows = await part.locator(".configured").evaluateAll((rows) => rows.map((row) => [row.querySelector("code").textContent, row.querySelector(".default")?.textContent, row.classList.contains("is-changed")]));
  // As the file sets them.
  const { settings } = scenario(CRASH).groups[0];
  const shown = new Map(rows.map(([setting]) => setting.split("=")));
  for (const [name, value] of Object.entries(settings)) assert.equal(shown.get(name), String(value), name);
  const changed = rows.filter(([, , isChanged]) => isChanged);
  assert.ok(changed.length > 0);
  assert.deepEqual(rows.slice(0, changed.length), changed, "they come first");
  assert.ok(changed.every(([, told]) => /^changed; default /.test(told)));
  assert.match((await part.locator("h4").textContent()), /Java \d/);
  const button = part.locator(".setting", { hasText: "session.timeout.ms" });
  await button.press("Enter");
  const menu = page.getByRole("menu", { name: "session.timeout.ms" });
  await menu.waitFor();
  await axe();
  // Right beside its button, which has the focus again once it is closed.
  const [box, anchor] = [await menu.boundingBox(), await button.boundingBox()];
  const apart = Math.max(anchor.y - (box.y + box.height), box.y - (anchor.y + anchor.height));
  assert.ok(apart < 20 && box.y >= 0, JSON.stringify([box, anchor]));
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement.textContent.split("=")[0]), "session.timeout.ms");
  await button.press("Enter");
  await menu.getByRole("menuitemradio", { name: /^10000/ }).first().click();
  await settled(page);
  await part.locator("code", { hasText: "session.timeout.ms=10000" }).waitFor();
  assert.equal(await pressed(page), "pane-settings", "the view stays");
});

pageTest("settings of a world with several clients, groups and tables", { reducedMotion: true, lang: "ja" }, async ({ page, axe }) => {
  await openWorld(page, "groups");
  await page.locator("#pane-settings").click();
  const titles = await page.locator("#all-settings .part h4").allTextContents();
  assert.equal(new Set(titles).size, titles.length, "each part has a name of its own");
  assert.equal(titles.at(-1), "ブローカーとネットワーク");
  await axe();
});
