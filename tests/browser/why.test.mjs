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

// What happens in the story as a file tells it in which something is otherwise.
function changedSteps(name, change) {
  const changed = scenario(CRASH);
  change(changed);
  delete changed.expect;
  changed.story = [];
  return nativeSteps(temporaryFile(`${name}.json`, changed), "en").map(({ sentence }) => sentence);
}

const REPETITION = stepOf(/C3 .* for the 2nd time/);
const openSetting = async (page, name) => {
  await page.locator(`#setting-${name.replaceAll(".", "\\.")}`).click();
  await menu(page).waitFor();
};
const valuesOf = (page, lead) => menu(page).getByRole("group", { name: lead }).getByRole("menuitemradio");

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
  const changed = changedSteps("timeout", ({ groups: [group] }) => (group.settings["session.timeout.ms"] = 10_000));
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

// What each of these is in the file: the run is that of the file, but for the steps that set it, and comes to another end.
for (const [setting, value, owner, change, label, came] of [
  ["sink.unique_key", "event_id", "payments", ({ sinks: [sink] }) => (sink.unique_key = "event_id"), "payments", /3 ignored/],
  ["commit.after_records", "1", "billing", ({ groups: [group] }) => (group.handling.commit = { after_records: 1 }), "Duplicates", /^1$/],
  ["enable.auto.commit", "true", "billing", ({ groups: [group] }) => (group.settings["enable.auto.commit"] = true), "Duplicates", /^\d+$/],
]) {
  pageTest(`${setting} is changed from the beginning, and the outcome with it`, { reducedMotion: true }, async ({ page, axe }) => {
    await page.keyboard.press("End");
    const outcome = async () => (label === "Duplicates" ? verdict(page, label) : page.locator(".sink").textContent());
    const before = await outcome();
    await scrubTo(page, REPETITION);
    await openSetting(page, setting);
    // What is half under the bar of views, as the column is scrolled, would count as too small.
    await axe({ "target-size": { enabled: false } });
    await valuesOf(page, /^From the beginning/).filter({ hasText: new RegExp(`^${value}(the default)?$`) }).click();
    const own = `from the beginning: ${setting}=${value} for ${owner}`;
    assert.match(await page.locator(".own-branch").textContent(), new RegExp(own));
    const said = (await captions(page)).slice(0, -1);
    const sets = said.filter((text) => /enable\.auto\.commit|unique key on|From its next record on/.test(text));
    assert.ok(sets.length > 0, said.slice(0, 4).join("\n"));
    assert.deepEqual((await captions(page)).filter((text) => !sets.includes(text)), changedSteps(setting, change));
    await page.keyboard.press("End");
    const after = await outcome();
    assert.notEqual(after, before);
    assert.match(after, came);
  });
}

pageTest("a run that begins with the story's own value is the story", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, REPETITION);
  await openSetting(page, "sink.unique_key");
  await valuesOf(page, /^From the beginning/).filter({ hasText: /^event_id/ }).click();
  assert.equal(await page.locator(".own-branch").count(), 1);
  await scrubTo(page, (await captions(page)).findIndex((text) => /C3 .* for the 2nd time/.test(text)) + 1);
  await openSetting(page, "sink.unique_key");
  await valuesOf(page, /^From the beginning/).filter({ hasText: /^none/ }).click();
  assert.equal(await page.locator(".own-branch").count(), 0);
  assert.equal(STEPS[await shownStep(page) - 1].time, STEPS[REPETITION - 1].time);
  assert.deepEqual(await captions(page), STEPS.map(({ sentence }) => sentence));
});

pageTest("what was changed here can be changed from the beginning, too", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, stepOf(/^c1 has processed A2/));
  await openSetting(page, "handling.time");
  await valuesOf(page, /^From here on, c1/).filter({ hasText: /^100ms/ }).click();
  await scrubTo(page, (await captions(page)).findIndex((text) => /^c1 has processed F1/.test(text)) + 1);
  await openSetting(page, "handling.time");
  const [here, beginning] = [valuesOf(page, /^From here on/), valuesOf(page, /^From the beginning/)].map((values) => values.filter({ hasText: /^100ms/ }));
  assert.equal(await here.getAttribute("aria-disabled"), "true");
  assert.equal(await beginning.getAttribute("aria-disabled"), null);
  await beginning.click();
  assert.match(await page.locator(".own-branch").textContent(), /from the beginning: handling.time=100ms for billing/);
});

pageTest("a producer is started again with another setting, and sends first what it has", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, stepOf(/^A1 is appended/));
  await openSetting(page, "linger.ms");
  await valuesOf(page, /^Restart shop/).filter({ hasText: /^1000/ }).click();
  assert.match(await page.locator(".own-branch").textContent(), /Set linger.ms of shop to 1000/);
  const said = await captions(page);
  const stopped = said.findIndex((text) => /^shop calls close\(\)/.test(text));
  const started = said.findIndex((text) => /^shop starts/.test(text));
  assert.ok(stopped > 0 && started > stopped, said.join("\n"));
});

pageTest("a setting that only a broker's start could change says so, and is changed from the beginning", { reducedMotion: true }, async ({ page, axe }) => {
  await scrubTo(page, stepOf(/begins its first rebalance/));
  await openSetting(page, "group.initial.rebalance.delay.ms");
  const here = menu(page).getByRole("menuitem", { name: /^From here on/ });
  assert.equal(await here.getAttribute("aria-disabled"), "true");
  assert.match(await here.textContent(), /reads it at its start/);
  await axe();
  await valuesOf(page, /^From the beginning, the brokers/).filter({ hasText: /^10000/ }).click();
  assert.match((await captions(page)).find((text) => /begins its first rebalance/.test(text)), /waits 10 s/);
});

pageTest("an assignor with which a group would not let a client in again says so beforehand", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, stepOf(/^The leader c1 assigns/));
  await openSetting(page, "partition.assignment.strategy");
  const unknown = valuesOf(page, /^Restart c1/).filter({ hasText: /^roundrobin/ });
  assert.match(await unknown.textContent(), /none in common/);
  assert.doesNotMatch(await valuesOf(page, /^From the beginning/).filter({ hasText: /^roundrobin/ }).textContent(), /none in common/);
  await unknown.click();
  assert.ok((await captions(page)).some((text) => /InconsistentGroupProtocolException/.test(text)));
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
  await valuesOf(page, /^From here on/).filter({ hasText: /^5s/ }).click();
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

pageTest("what a member has processed twice already would be processed once more, not a second time", { reducedMotion: true }, async ({ page }) => {
  const twice = (await captions(page)).findIndex((sentence) => /for the 2nd time/.test(sentence)) + 1;
  await scrubTo(page, twice);
  assert.match(await page.locator(".stakes").textContent(), /C3 would be processed once more/);
});

pageTest("a setting of a member that has stopped is changed for its next start", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, stepOf(/^c3 crashes/));
  await openSetting(page, "commit.after_records");
  assert.equal(await menu(page).getByText(/^From here on/).count(), 0);
  await menu(page).getByRole("group", { name: /^Restart c3/ }).getByRole("menuitemradio", { name: /^1\b/ }).click();
  await settled(page);
  assert.match(await caption(page), /^c3 starts/);
});
