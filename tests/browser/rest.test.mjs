// The program comes in two parts: the first story needs only the first, and what needs the rest gets it.

import assert from "node:assert/strict";
import { appStarted, pageTest } from "./page.mjs";
import { CRASH, captions, lastStep, member, nativeOutcome, nativeSteps, scenarioFile, scrubTo, shownStep, verdict } from "./story.mjs";

const REST = "**/logstep-rest-*.wasm";

// The first request for the rest is answered when the test says so; `then` answers those that follow.
const held = (answers, then) => async ({ page }) => {
  await page.route(REST, (route) => {
    answers.push(route);
    if (answers.length > 1) then(route);
  });
};
const why = (page) => page.locator("#why h3");

for (const lang of ["en", "ja"]) {
  const asked = [];
  pageTest(`the first story is stepped and played before the rest is there, ${lang}`, { lang, prepare: held(asked, (route) => route.abort()) }, async ({ page }) => {
    const native = nativeSteps(scenarioFile(CRASH), lang);
    assert.deepEqual(await captions(page), native.map(({ sentence }) => sentence));
    const outcome = nativeOutcome(scenarioFile(CRASH)).groups.billing;
    const duplicates = lang === "en" ? "Duplicates" : "重複";
    assert.equal(Number(await verdict(page, duplicates)), outcome.duplicates.total);

    for (const key of ["Home", "ArrowRight", "ArrowLeft", "Shift+ArrowRight", "Shift+ArrowLeft"]) await page.keyboard.press(key);
    await page.locator(".speed select").selectOption("8×");
    await page.locator("#play").click();
    await page.locator(".choice").first().click({ timeout: 30_000 });
    await page.locator(".question .primary").click();
    await page.waitForFunction((last) => Number(document.querySelector("#timeline").value) === last, await lastStep(page));
    assert.equal(await why(page).count(), 0, "the explanation waits for the rest");
    assert.equal(asked.length, 1, "nothing asked for the rest again: if it did, run `node scripts/first-run.mjs`");

    await asked[0].continue();
    await why(page).waitFor();
  });
}

const early = [];
pageTest("what needs the rest before it is there fetches it and waits", { reducedMotion: true, prepare: held(early, (route) => route.continue()) }, async ({ page }) => {
  await scrubTo(page, 40);
  await member(page, "c1").click();
  await page.getByRole("menuitem", { name: /^Crash/ }).click();
  assert.equal(await shownStep(page), 41);
  assert.equal(early.length, 2);
  await why(page).waitFor();
  await early[0].continue();
  await page.keyboard.press("ArrowRight");
  assert.equal(await shownStep(page), 42, "arriving a second time, it changes nothing");
});

pageTest("where the rest cannot be had, the page says so when it is needed, and a reload can help", {
  prepare: ({ page }) => page.route(REST, (route) => route.abort()),
  expect: [/ERR_FAILED/, /not caught/, /NetworkError/],
}, async ({ page }) => {
  await scrubTo(page, 40);
  await member(page, "c1").click();
  const message = page.getByRole("alert");
  await message.waitFor();
  assert.match(await message.textContent(), /could not be loaded/);
  await page.unroute(REST);
  await message.getByRole("button", { name: "Reload" }).click();
  await member(page, "c1").click();
  await page.getByRole("menu").waitFor();
});

// Runs first: Chrome before 114, which neither compiles nor starts a large program at once.
const OLD = () => {
  const refusing = (made, isRefused) => new Proxy(made, {
    construct(target, parameters) {
      if (isRefused(parameters[0])) throw new RangeError("disallowed on the main thread, if the buffer size is larger than 4KB");
      return Reflect.construct(target, parameters);
    },
  });
  WebAssembly.Module = refusing(WebAssembly.Module, ({ byteLength }) => byteLength > 4_096);
  WebAssembly.Instance = refusing(WebAssembly.Instance, () => true);
};

for (const path of ["", "?lang=en"]) {
  pageTest(`a browser that cannot have the rest at once waits for it before it starts${path && ", with parameters too"}`, {
    path, reducedMotion: true, wait: "nothing", prepare: async ({ page }) => {
      await page.addInitScript(OLD);
      await page.route(REST, async (route) => {
        await new Promise((done) => setTimeout(done, 1_000));
        await route.continue();
      });
    },
  }, async ({ page, url }) => {
    await page.goto(url);
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.boot), undefined);
    await appStarted(page);
    assert.equal(await page.evaluate(() => logstepBoot.isWhole()), true);
    await scrubTo(page, 40);
    await member(page, "c1").click();
    await page.getByRole("menuitem", { name: /^Crash/ }).click();
    assert.equal(await shownStep(page), 41);
    await why(page).waitFor();
  });
}
