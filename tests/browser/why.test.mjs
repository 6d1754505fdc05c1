// Why a step happened: the chain back to what somebody did, other values of its settings, the words it uses, and what a
// verdict is about.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { CRASH, caption, captions, nativeSteps, pressUntilFocused, scenario, scenarioFile, scrubTo, shownStep, temporaryFile, verdict } from "./story.mjs";

const STEPS = nativeSteps(scenarioFile(CRASH), "en");
const stepOf = (pattern) => {
  const index = STEPS.findIndex(({ sentence }) => pattern.test(sentence));
  assert.ok(index >= 0, `no step says ${pattern}`);
  return index + 1;
};
const EXPIRY = stepOf(/session expires/);
const SETTING = "#setting-session\\.timeout\\.ms";

const menu = (page) => page.getByRole("menu");
const meaning = (page) => page.locator(".meaning");
const focusedId = async (page) => {
  await settled(page);
  return page.evaluate(() => document.activeElement.id);
};
const isInside = async (page, locator) => {
  const box = await locator.boundingBox();
  const { width, height } = page.viewportSize();
  assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, JSON.stringify(box));
};

// The story with another session timeout for the whole group.
function withTimeout(millis) {
  const changed = scenario(CRASH);
  const group = changed.groups[0];
  group.settings = { ...group.settings, "session.timeout.ms": millis };
  delete changed.expect;
  changed.story = [];
  return temporaryFile(`timeout-${millis}.json`, changed);
}

pageTest("a long chain shows what is near and what somebody did, and all of it when asked", { reducedMotion: true }, async ({ page, axe }) => {
  await scrubTo(page, stepOf(/C3 .* for the 2nd time/));
  const links = page.locator(".reason");
  const near = await links.count();
  const origin = page.locator(".reason.is-origin");
  assert.match(await origin.textContent(), /the scenario.*c3 crashed/);
  await page.getByRole("button", { name: /^Show all/ }).click();
  assert.ok(await links.count() > near);
  assert.equal(await page.getByRole("button", { name: /^Show all/ }).count(), 0);
  await axe();
  // The whole link can be pressed, and its time by keyboard.
  await origin.locator(".when").press("Enter");
  assert.match(await caption(page), /^c3 crashes/);
  assert.equal(await focusedId(page), "why-title", "the focus is where one reads on");
  assert.match(await page.locator(".why-head").textContent(), /the scenario/);
});

pageTest("what a person did is marked as done by hand", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 45);
  await page.locator(".member").first().click();
  await page.getByRole("menuitem", { name: /^Crash/ }).click();
  assert.match(await page.locator(".why-head").textContent(), /by hand/);
  const said = await captions(page);
  await scrubTo(page, said.findIndex((text) => /c1.*session expires/.test(text)) + 1);
  assert.match(await page.locator(".reason.is-origin").textContent(), /by hand.*c1 crashed/);
});

pageTest("a setting is changed by keyboard from the beginning: the run is that of a file with it", { reducedMotion: true }, async ({ page, axe }) => {
  await scrubTo(page, EXPIRY);
  await page.locator("#timeline").focus();
  await pressUntilFocused(page, "Shift+Tab", SETTING);
  await page.keyboard.press("Enter");
  await menu(page).waitFor();
  await axe();
  const [present] = await menu(page).getByRole("menuitemradio", { checked: true }).allTextContents();
  assert.match(present, /^45000.*default/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");

  assert.match(await caption(page), /from the beginning with session.timeout.ms=10000 for billing/);
  assert.match(await page.locator(".own-branch").textContent(), /from the beginning: session.timeout.ms=10000 for billing/);
  assert.equal(await focusedId(page), "why-title");
  await axe();
  // But for the steps that set it, it is the run of the file.
  const changed = nativeSteps(withTimeout(10_000), "en").map(({ sentence }) => sentence);
  const said = (await captions(page)).filter((text) => !text.includes("session.timeout.ms"));
  assert.ok(said.some((text) => /Nothing heard from c3 for 10 s/.test(text)), said.join("\n"));
  assert.deepEqual(said, changed);

  await page.locator("#undo").click();
  assert.equal(await shownStep(page), EXPIRY);
  assert.deepEqual(await captions(page), STEPS.map(({ sentence }) => sentence));
  await page.locator("#redo").click();
  assert.match(await page.locator(".own-branch").textContent(), /session.timeout.ms=10000/);
});

pageTest("what was done by hand is done again from the beginning with another setting", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 45);
  await page.locator(".member").first().click();
  await page.getByRole("menuitem", { name: /^Crash/ }).click();
  const expiry = (text) => /c1.*session expires/.test(text);
  await scrubTo(page, (await captions(page)).findIndex(expiry) + 1);
  await page.locator(SETTING).click();
  await menu(page).getByRole("menuitemradio", { name: /^10000/ }).first().click();
  const said = await captions(page);
  assert.ok(said.some((text) => /^c1 crashes/.test(text)));
  assert.match(said.find(expiry), /for 10 s/);
});

pageTest("a client is started again with another setting, in one act", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, EXPIRY);
  await page.locator(SETTING).click();
  await menu(page).getByRole("group", { name: /^Restart c3/ }).getByRole("menuitemradio", { name: /^6000/ }).click();
  assert.match(await caption(page), /^c3 starts/);
  assert.match(await page.locator(".own-branch").textContent(), /Set session.timeout.ms of c3 to 6000/);
  await page.locator("#undo").click();
  assert.equal(await shownStep(page), EXPIRY);
});

pageTest("a value that the client refuses stays in the menu, with the reason", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, EXPIRY);
  await page.locator("#setting-heartbeat\\.interval\\.ms").click();
  const refused = menu(page).getByRole("menuitemradio", { name: /^60000/ }).first();
  assert.equal(await refused.getAttribute("aria-disabled"), "true");
  assert.match(await refused.textContent(), /shorter than session.timeout.ms=45000/);
  await refused.click({ force: true });
  assert.equal(await page.locator(".own-branch").count(), 0);
});

pageTest("what is not Kafka's is changed from here", { reducedMotion: true }, async ({ page }) => {
  const step = stepOf(/^c1 has processed A2/);
  await scrubTo(page, step);
  await page.locator("#setting-handling\\.time").click();
  await menu(page).getByRole("group", { name: /^From here on/ }).getByRole("menuitemradio", { name: /^5s/ }).click();
  assert.equal(await shownStep(page), step + 1);
  assert.match(await page.locator(".why-head").textContent(), /by hand/);
});

pageTest("a word is explained by keyboard, once in a panel", { reducedMotion: true }, async ({ page, axe }) => {
  await scrubTo(page, EXPIRY);
  const words = await page.locator(".caption .term").allTextContents();
  assert.deepEqual(words, ["session", "group", "members"]);
  const word = page.locator(".caption .term").first();
  await word.focus();
  await page.keyboard.press("Enter");
  await meaning(page).waitFor();
  assert.equal(await word.getAttribute("aria-expanded"), "true");
  assert.match(await page.getByRole("dialog", { name: "session timeout" }).textContent(), /session.timeout.ms/);
  await isInside(page, meaning(page));
  await axe();
  for (const key of ["Escape", "Tab"]) {
    await page.keyboard.press(key);
    assert.equal(await meaning(page).count(), 0, key);
    assert.equal(await focusedId(page), await word.getAttribute("id"), key);
    if (key === "Escape") await page.keyboard.press("Enter");
  }
  // Stepping closes what is open.
  await page.keyboard.press("Enter");
  await meaning(page).waitFor();
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.equal(await meaning(page).count(), 0);
});

for (const lang of ["en", "ja"]) {
  pageTest(`a finger opens what a word means, inside a phone's window, ${lang}`, { lang, reducedMotion: true, touch: true, width: 360, height: 740 }, async ({ page, axe }) => {
    await scrubTo(page, EXPIRY);
    for (const panel of [".caption", ".say", ".why"]) {
      const word = page.locator(`${panel} .term`).first();
      await word.scrollIntoViewIfNeeded();
      await word.tap();
      await meaning(page).waitFor();
      await isInside(page, meaning(page));
      const text = await meaning(page).textContent();
      assert.match(text, lang === "ja" ? /。$/ : /\.$/);
      // What lies half under the hand on time here can be scrolled into sight.
      if (panel === ".caption") await axe({ "target-size": { enabled: false } });
      await page.locator(".meaning button").tap();
      await settled(page);
      assert.equal(await meaning(page).count(), 0);
    }
  });
}

pageTest("each record of a verdict goes to the step that made the verdict so", { reducedMotion: true }, async ({ page, axe }) => {
  await page.keyboard.press("End");
  const open = async (label) => {
    await page.locator(".verdict", { hasText: label }).click();
    await settled(page);
  };
  await open("Duplicates");
  await axe();
  const record = page.getByRole("group", { name: /second processing/ }).getByRole("button", { name: "C3" });
  await record.focus();
  await page.keyboard.press("Enter");
  assert.match(await caption(page), /C3 .*for the 2nd time/);
  assert.equal(await verdict(page, "Duplicates"), "1");

  await scrubTo(page, EXPIRY);
  await open("Lag");
  await page.locator(".concerned button").first().click();
  assert.match(await caption(page), /is appended to/);

  await scrubTo(page, EXPIRY);
  await open("Parallelism");
  const idle = page.locator(".concerned button");
  assert.deepEqual(await idle.allTextContents(), ["c3: crashed"]);
  await idle.click();
  assert.match(await caption(page), /^c3 crashes/);
});
