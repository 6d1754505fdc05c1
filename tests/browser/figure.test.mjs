// A figure as its host sees it, app and all: what each message of docs/embedding.md does.

import assert from "node:assert/strict";
import { frame, hello, hostTest, send, toldOf } from "./host.mjs";
import { pageTest } from "./page.mjs";
import { CRASH, UNIQUE_KEY, scenario, shownStep } from "./story.mjs";

const FRAME = (url) => `<iframe src="${url}?embed&amp;scenario=${CRASH}&amp;step=57&amp;lang=en" title="figure" width="900" height="500"></iframe>`;

const test = (name, check) => hostTest(name, { body: FRAME, app: true }, async (given) => {
  await hello(given.page);
  await check(given);
});

let lastId = 0;
async function answer(page, message) {
  const id = `answer ${(lastId += 1)}`;
  await send(page, { logstep: 1, id, ...message });
  const { id: _, ...answer } = await toldOf(page, id);
  return answer;
}

const state = (page) => answer(page, { type: "state" });
const done = async (page, message) => assert.deepEqual(await answer(page, message), { type: "done" });

test("the state is what the figure shows", async ({ page }) => {
  const { type, step, steps, time, sentence, playing, scenario: name, title, lang, theme, link, verdicts, ...rest } = await state(page);
  assert.deepEqual([type, step, playing, name, lang, theme], ["state", 57, false, CRASH, "en", "light"]);
  assert.deepEqual(rest, {});
  assert.equal(title, scenario(CRASH).title.en);
  assert.ok(steps > 100 && time > 10_000 && time < 12_000, `${steps} ${time}`);
  assert.match(sentence, /^c3 has processed E2/);
  assert.match(link, /^http.*#v=1&/);
  assert.ok(verdicts.length >= 4 && verdicts.every(({ name, value }) => typeof name === "string" && typeof value === "string"));
});

test("steps, places and times are gone to, and each moment is told", async ({ page }) => {
  for (const [message, step] of [[{ type: "step" }, 58], [{ type: "step", by: 10 }, 68], [{ type: "back", by: 11 }, 57], [{ type: "back" }, 56], [{ type: "seek", step: 3 }, 3]]) {
    await done(page, message);
    assert.equal((await state(page)).step, step);
    const moment = await page.evaluate(() => told.findLast(({ type }) => type === "step"));
    assert.equal(moment.step, step);
    assert.deepEqual(Object.keys(moment).toSorted(), ["from", "logstep", "origin", "playing", "sentence", "step", "steps", "time", "type"]);
  }
  await done(page, { type: "seek", time: 11_021 });
  assert.match((await state(page)).sentence, /^c3 crashes/);
});

test("it plays and pauses", async ({ page }) => {
  await done(page, { type: "play" });
  assert.equal((await state(page)).playing, true);
  await page.waitForFunction(() => told.some(({ type, step, playing }) => type === "step" && step >= 59 && playing));
  await done(page, { type: "pause" });
  assert.equal((await state(page)).playing, false);
});

test("an action is done, or refused with the reason and without a change", async ({ page }) => {
  await done(page, { type: "act", action: { crash: "c1" } });
  const after = await state(page);
  for (const name of ["c9", "c1"]) {
    const { type, code, message } = await answer(page, { type: "act", action: { crash: name } });
    assert.deepEqual([type, code], ["error", "refused"]);
    assert.ok(message.length > 5);
  }
  assert.deepEqual(await state(page), after);
});

test("language and theme are set in place", async ({ page }) => {
  await done(page, { type: "set", lang: "ja", theme: "dark" });
  const { lang, theme, sentence, step } = await state(page);
  assert.deepEqual([lang, theme, step], ["ja", "dark", 57]);
  assert.match(sentence, /[ぁ-ん]/);
  assert.deepEqual(await (await frame(page)).evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme]), ["ja", "dark"]);
});

test("another story is loaded by its name, or as a whole; what cannot be read changes nothing", async ({ page }) => {
  await done(page, { type: "load", scenario: UNIQUE_KEY });
  assert.equal((await state(page)).scenario, UNIQUE_KEY);
  const own = { ...scenario(CRASH), title: "<img src=x onerror=alert(1)>" };
  for (const file of [own, JSON.stringify(own)]) {
    await done(page, { type: "load", scenario: file });
    assert.equal((await state(page)).title, own.title);
  }
  assert.equal(await (await frame(page)).evaluate(() => document.querySelectorAll("img").length), 0);
  const before = await state(page);
  for (const wrong of ["no-such-story", "{", { format: "logstep/1" }, { ...own, topics: 1 }]) {
    assert.equal((await answer(page, { type: "load", scenario: wrong })).type, "error");
  }
  assert.deepEqual(await state(page), before);
});

hostTest("a question that is answered is told", {
  body: (url) => `<iframe src="${url}?embed&amp;scenario=${CRASH}&amp;step=112&amp;lang=en&amp;show=story,transport" title="figure" width="900" height="900"></iframe>`, app: true,
}, async ({ page }) => {
  await hello(page);
  await (await frame(page)).getByRole("button", { name: "3", exact: true }).first().click();
  const { question, choice, text, right } = await toldOf(page, "answered");
  assert.deepEqual([question, right, text], ["From which offset will the new owner of P2 read?", true, "3"]);
  assert.ok(Number.isInteger(choice));
});

hostTest("a figure is as high as its content, however high or low its frame is", { body: FRAME, app: true }, async ({ page }) => {
  const heights = [];
  for (const height of [150, 2_000]) {
    await page.evaluate((height) => {
      told.length = 0;
      const frame = document.querySelector("iframe");
      frame.height = height;
      frame.src += "";
    }, height);
    await hello(page, height);
    await toldOf(page, "height");
    await page.waitForTimeout(300);
    heights.push(await page.evaluate(() => told.findLast(({ type }) => type === "height").height));
  }
  assert.equal(heights[0], heights[1]);
  assert.ok(heights[0] > 200 && heights[0] < 900, `${heights}`);
});

pageTest("the text of the lesson leads its figure, and says what that shows", { wait: "nothing", lang: "en" }, async ({ page, url }) => {
  await page.goto(`${url}demo.html`);
  await page.waitForFunction(() => document.querySelector("#sentence").textContent.startsWith("Step 46 "));
  const sentences = { "c3 commits for the last time": /c3 commits 3 on P2/, "here c3 crashes": /c3 crashes/, "the coordinator gives c3 up": /its session expires/, "the partitions are assigned again": /leader c1 assigns/ };
  for (const [link, sentence] of Object.entries(sentences)) {
    await page.getByRole("link", { name: link }).click();
    await page.waitForFunction(([source]) => new RegExp(source).test(document.querySelector("#sentence").textContent), [sentence.source]);
    assert.equal(await page.locator(".place[aria-current]").first().textContent(), link);
  }
  const shown = await (await page.waitForSelector("#lesson iframe", { state: "attached" })).contentFrame();
  assert.equal(await shownStep(shown), 109);
  await page.getByRole("button", { name: "日本語" }).click();
  await page.waitForFunction(() => /^ステップ 109 /.test(document.querySelector("#sentence").textContent));
});
