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
  const { type, step, steps, time, sentence, playing, own, scenario: name, title, lang, theme, link, verdicts, ...rest } = await state(page);
  assert.deepEqual([type, step, playing, own, name, lang, theme], ["state", 57, false, false, CRASH, "en", "light"]);
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
    assert.deepEqual(Object.keys(moment).toSorted(), ["from", "logstep", "origin", "own", "playing", "sentence", "step", "steps", "time", "type"]);
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
  const actions = [
    { freeze: "c1" }, { thaw: "c1" }, { crash: "c1" }, { join: "billing" }, { slow_down: { member: "c2", time: "2s" } },
    { pause: { member: "c2", partition: "orders-1" } }, { add_partitions: { topic: "orders", to: 4 } }, { set: { latency: "7ms" } },
    { produce: { producer: "shop", key: "order-1001", value: "paid" } }, { restart: "c4" },
  ];
  for (const action of actions) {
    const { sentence } = await state(page);
    await done(page, { type: "act", action });
    assert.notEqual((await state(page)).sentence, sentence, JSON.stringify(action));
  }
  const after = await state(page);
  for (const [action, code, words] of [
    [{ crash: "c1" }, "refused", /not running/],
    [{ crash: "c9" }, "malformed", /^crash: There is no member "c9"\. Did you mean "c1"\? There are: c1, c2, c3, c4, shop$/],
    [{ freeze: { member: "c1" }, at: "5s" }, "malformed", /^freeze: This has to be a string, not an object\.\nat: There is no field "at"/],
    [{}, "malformed", /crash, close, start/],
  ]) {
    const { type, code: answered, message } = await answer(page, { type: "act", action });
    assert.deepEqual([type, answered], ["error", code]);
    assert.match(message, words);
  }
  assert.deepEqual(await state(page), after);
  await done(page, { type: "set", lang: "ja" });
  assert.match((await answer(page, { type: "act", action: { crash: "c9" } })).message, /「c9」というメンバーはありません/);
});

test("what is asked after an action comes after it, even though that has to be read first", async ({ page }) => {
  await send(page, { logstep: 1, type: "act", action: { crash: "c1" } }, { logstep: 1, type: "seek", step: 3, id: "later" });
  await toldOf(page, "later");
  const { step, steps, link } = await state(page);
  assert.equal(step, 3);
  assert.match(link, /&do=/);
  assert.ok(steps > 57);
});

hostTest("where the reader cannot be loaded, an action fails, and the figure goes on", {
  body: FRAME, app: true, expect: [/Failed to load resource|reader/, /TypeError/],
  prepare: ({ page }) => page.route(/logstep-reader/, (route) => route.abort()),
}, async ({ page }) => {
  await hello(page);
  assert.equal((await answer(page, { type: "act", action: { crash: "c1" } })).code, "failed");
  await done(page, { type: "step" });
});

test("where somebody has done something, the run is no longer that of the story", async ({ page }) => {
  await done(page, { type: "act", action: { crash: "c1" } });
  assert.equal((await state(page)).own, true);
  await done(page, { type: "seek", step: 57 });
  assert.equal((await state(page)).own, false);
});

test("far more than a hundred things can be done", async ({ page }) => {
  for (let times = 0; times < 130; times += 1) {
    await done(page, { type: "act", action: times % 2 === 0 ? { freeze: "c1" } : { thaw: "c1" } });
    if (times % 20 === 19) await page.waitForTimeout(1_000);
  }
});

test("language and theme are set in place", async ({ page }) => {
  await done(page, { type: "set", lang: "ja", theme: "dark" });
  const { lang, theme, sentence, step } = await state(page);
  assert.deepEqual([lang, theme, step], ["ja", "dark", 57]);
  assert.match(sentence, /[ぁ-ん]/);
  assert.deepEqual(await (await frame(page)).evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme]), ["ja", "dark"]);
});

test("auto is the theme of the system as it is then", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await done(page, { type: "set", theme: "auto" });
  assert.equal((await state(page)).theme, "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await done(page, { type: "set", theme: "auto" });
  assert.equal((await state(page)).theme, "light");
});

test("that there is no such story is said in the language of the figure", async ({ page }) => {
  await done(page, { type: "set", lang: "ja" });
  const { code, message } = await answer(page, { type: "load", scenario: "nope" });
  assert.equal(code, "unknown");
  assert.match(message, /^その名前のストーリーはありません。指定できる名前: crash-before-commit, /);
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

// --- What the address says.

const SPACE = `<svg width="10" height="2000"></svg>`;
const ADDRESSED = (address) => (url) => `<p><input></p>${SPACE}<iframe src="${url}?embed${address}" title="figure" width="900" height="500"></iframe>`;
const KEEP_FOCUS = ({ page }) => page.addInitScript(() => {
  if (window.parent === window) document.addEventListener("DOMContentLoaded", () => document.querySelector("input")?.focus());
});

for (const [what, address, code, said] of [
  ["a link whose run goes differently now", `#v=1&amp;scenario=${CRASH}&amp;step=20&amp;t=13000000&amp;check=00000000&amp;lang=en`, "outdated", /another version/],
  ["a link of a later version", "&amp;lang=en#v=99&amp;scenario=x", "unknown", /newer version/],
  ["a damaged link", `&amp;lang=en#v=1&amp;scenario=${CRASH}&amp;step=3&amp;do=%00`, "malformed", /damaged: do/],
  ["a story that there is not", "&amp;lang=en&amp;scenario=nope&amp;step=58", "unknown", /no story of the name/],
]) {
  hostTest(`${what} is told in a line and to the host, and takes neither the focus nor the place in the page`, {
    body: ADDRESSED(address), app: true, prepare: KEEP_FOCUS,
  }, async ({ page }) => {
    await hello(page);
    const { type, id, code: told, message } = await toldOf(page, "error");
    assert.deepEqual([type, id, told], ["error", undefined, code]);
    assert.match(message, said);
    const inside = await frame(page);
    assert.match(await inside.locator(".report-note").textContent(), said);
    assert.equal(await inside.locator("dialog").count(), 0);
    assert.deepEqual(await page.evaluate(() => [document.activeElement.localName, scrollY]), ["input", 0]);
    assert.equal(await inside.evaluate(() => document.activeElement.localName), "body");
    const { step, scenario: name } = await state(page);
    assert.equal(name, CRASH);
    assert.notEqual(step, 58);
    await inside.locator(".report-note button").click();
    assert.equal(await inside.locator(".report-note").count(), 0);
  });
}

for (const [address, ...shown] of [
  [`&amp;step=5&amp;lang=ja#v=1&amp;scenario=${UNIQUE_KEY}&amp;step=70&amp;t=1&amp;check=00000000&amp;lang=en`, UNIQUE_KEY, 5, "ja"],
  [`&amp;scenario=${CRASH}&amp;step=9#v=1&amp;scenario=${UNIQUE_KEY}&amp;step=70&amp;lang=en`, CRASH, 9, "en"],
  [`&amp;scenario=${UNIQUE_KEY}&amp;lang=en#v=1&amp;scenario=${UNIQUE_KEY}&amp;step=70`, UNIQUE_KEY, 70, "en"],
]) {
  hostTest(`parameters have the last word: ${address}`, { body: ADDRESSED(address), app: true }, async ({ page }) => {
    await hello(page);
    const { scenario: name, step, lang } = await state(page);
    assert.deepEqual([name, step, lang], shown);
    assert.equal(await page.evaluate(() => told.filter(({ type }) => type === "error").length), 0);
    // What the figure goes to takes their place, so that it comes back there.
    await done(page, { type: "seek", step: 12 });
    const inside = await frame(page);
    await inside.waitForFunction(() => location.hash.includes("step=12") && location.search === "?embed");
  });
}

// With everything that can be shown, and in both languages at the widths of columns of text.
const EVERYTHING = "verdicts,transport,timeline,legend,story,why,text";

for (const [width, show] of [[360, ""], [360, EVERYTHING], [640, EVERYTHING], [900, ""], [900, EVERYTHING], [1_200, EVERYTHING]]) {
  hostTest(`a figure of ${width} px with ${show ? "everything" : "the usual"} is as high as its content, however high or low its frame is`, {
    body: (url) => `<iframe src="${url}?embed&amp;scenario=${CRASH}&amp;step=57&amp;lang=en${show && `&amp;show=${show}`}" title="figure" width="${width}" height="300"></iframe>`, app: true,
  }, async ({ page }) => {
    await hello(page);
    const height = () => page.evaluate(() => told.findLast(({ type }) => type === "height").height);
    const resize = async (height) => {
      await page.evaluate((height) => { document.querySelector("iframe").height = height; }, height);
      await page.waitForTimeout(400);
    };
    if (show) {
      const inside = await frame(page);
      await inside.locator(".twin summary").click();
      await page.waitForTimeout(400);
    }
    const first = await height();
    for (const other of [2_000, 300, first]) {
      await resize(other);
      assert.equal(await height(), first, `in a frame of ${other} px`);
    }
    assert.ok(first > 200 && first < (show ? 4_000 : 1_500), `${first}`);
  });
}

for (const lang of ["en", "ja"]) {
  hostTest(`in a narrow column (${lang}) a figure keeps its height from step to step`, {
    body: (url) => `<iframe src="${url}?embed&amp;scenario=${CRASH}&amp;step=0&amp;lang=${lang}" title="figure" width="360" height="1100"></iframe>`, app: true,
  }, async ({ page }) => {
    await hello(page);
    const inside = await frame(page);
    const heights = new Set();
    const last = await inside.locator("#timeline").evaluate((slider) => Number(slider.max));
    for (let step = 0; step <= last; step += 1) {
      await inside.evaluate((step) => {
        const slider = document.querySelector("#timeline");
        slider.value = step;
        slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }, step);
      heights.add(await inside.locator("html").evaluate((root) => Math.ceil(root.getBoundingClientRect().height)));
    }
    assert.ok(last > 100 && heights.size <= 3, `${[...heights]}`);
  });
}

for (const more of ["", "&amp;compact", "&amp;show=transport,story"]) {
  hostTest(`in a frame that is too low the sentence and the buttons are in sight${more}`, {
    body: (url) => `<iframe src="${url}?embed&amp;scenario=${CRASH}&amp;step=57&amp;lang=en${more}" title="figure" width="360" height="480"></iframe>`, app: true,
  }, async ({ page, screenshot }) => {
    await hello(page);
    const inside = await frame(page);
    await screenshot(`figure-low${more.replace(/\W/g, "-")}`);
    const [top, bottom, buttons] = await inside.evaluate(() => {
      const caption = document.querySelector(".caption").getBoundingClientRect();
      const transport = document.querySelector(".transport").getBoundingClientRect();
      return [caption.top, Math.abs(caption.bottom - transport.top), innerHeight - transport.bottom];
    });
    assert.ok(top > 0 && bottom < 12 && Math.abs(buttons) < 1, `${[top, bottom, buttons]}`);
  });
}

// --- Playing by itself.

const AUTOPLAY = (more = "", attributes = "") => (url) =>
  `${SPACE}<iframe src="${url}?embed&amp;autoplay&amp;scenario=${CRASH}&amp;lang=en${more}" title="figure" width="900" height="700" ${attributes}></iframe>${SPACE}`;

const scrollTo = (page, to) => page.evaluate((to) => document.querySelector(to)?.scrollIntoView({ block: "center" }) ?? scrollTo({ top: 0 }), to);
const isPlaying = async (page) => (await state(page)).playing;
const playingIs = (page, wanted) => page.waitForFunction((wanted) => told.findLast(({ type }) => type === "step")?.playing === wanted, wanted);

// Out of sight and into sight again, with the time that it takes for a figure to notice.
async function comeBack(page) {
  for (const to of ["nowhere", "iframe"]) {
    await scrollTo(page, to);
    await page.waitForTimeout(400);
  }
}

for (const [name, sandbox] of [["", ""], [" in a sandboxed frame of another origin", `sandbox="allow-scripts"`]]) {
  hostTest(`with autoplay a figure${name} plays while it is in sight, and only then`, {
    body: AUTOPLAY("&amp;step=57", sandbox), app: true, elsewhere: sandbox !== "",
  }, async ({ page }) => {
    await hello(page);
    await page.waitForTimeout(400);
    const { playing, step } = await state(page);
    assert.deepEqual([playing, step], [false, 57]);
    await scrollTo(page, "iframe");
    await playingIs(page, true);
    await page.waitForFunction(() => told.some(({ type, step }) => type === "step" && step > 57));
    await scrollTo(page, "nowhere");
    await playingIs(page, false);
    await scrollTo(page, "iframe");
    await playingIs(page, true);
  });
}

const ACTS = {
  "a press on something": (inside) => inside.locator(".verdict").first().click(),
  "a press on the button that pauses": (inside) => inside.locator("#play").click(),
  "Enter on it": (inside) => inside.locator("#play").press("Enter"),
  "Space on it": (inside) => inside.locator("#play").press(" ", { delay: 200 }),
  "the space bar": (inside) => inside.locator("#caption").press(" "),
  "a key": (inside) => inside.locator("#caption").press("Tab"),
  "a step": (inside) => inside.locator("#caption").press("ArrowLeft"),
  "a drag of the timeline": (inside) => inside.locator("#timeline").evaluate((slider) => {
    slider.value = 70;
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }),
  "the host's back": (_, page) => done(page, { type: "back" }),
  "the host's pause": (_, page) => done(page, { type: "pause" }),
};

for (const [name, act] of Object.entries(ACTS)) {
  hostTest(`with autoplay, ${name} stops it for good`, { body: AUTOPLAY("&amp;step=57"), app: true }, async ({ page }) => {
    await hello(page);
    await scrollTo(page, "iframe");
    await playingIs(page, true);
    await act(await frame(page), page);
    await playingIs(page, false);
    await comeBack(page);
    assert.equal(await isPlaying(page), false);
  });
}

hostTest("with autoplay, what the host does before a figure is in sight keeps it from playing", { body: AUTOPLAY("&amp;step=57"), app: true }, async ({ page }) => {
  await hello(page);
  await done(page, { type: "seek", step: 60 });
  await comeBack(page);
  const { playing, step } = await state(page);
  assert.deepEqual([playing, step], [false, 60]);
});

hostTest("with autoplay, what the reader plays again goes on out of sight", { body: AUTOPLAY("&amp;step=57&amp;speed=0.25"), app: true }, async ({ page }) => {
  await hello(page);
  await scrollTo(page, "iframe");
  await playingIs(page, true);
  const inside = await frame(page);
  await inside.locator("#play").click();
  await playingIs(page, false);
  await inside.locator("#play").click();
  await playingIs(page, true);
  await comeBack(page);
  assert.equal(await isPlaying(page), true);
});

for (const [name, step, speed] of [["a question", 110, "8"], ["the end", 143, "8"]]) {
  hostTest(`with autoplay, ${name} stops it for good`, { body: AUTOPLAY(`&amp;step=${step}&amp;speed=${speed}`), app: true }, async ({ page }) => {
    await hello(page);
    await scrollTo(page, "iframe");
    await playingIs(page, true);
    await playingIs(page, false);
    const { step: stopped } = await state(page);
    await comeBack(page);
    const { playing, step: shown } = await state(page);
    assert.deepEqual([playing, shown], [false, stopped]);
  });
}

hostTest("with autoplay, a figure that opens on a question waits for the answer", { body: AUTOPLAY("&amp;step=100&amp;speed=8"), app: true }, async ({ page }) => {
  await hello(page);
  await scrollTo(page, "iframe");
  await playingIs(page, true);
  await playingIs(page, false);
  const { step: asks } = await state(page);
  await page.evaluate((asks) => { document.querySelector("iframe").src = document.querySelector("iframe").src.replace("step=100", `step=${asks}`); told.length = 0; }, asks);
  await page.waitForFunction(() => told.some(({ type }) => type === "ready"));
  await hello(page);
  await comeBack(page);
  const { playing, step } = await state(page);
  assert.deepEqual([playing, step], [false, asks]);
});

hostTest("without autoplay, and where the reader wants no motion, a figure is paused", {
  body: (url) => `${FRAME(url)}${AUTOPLAY("&amp;step=57")(url)}`, app: true,
}, async ({ page }) => {
  await hello(page);
  await page.waitForTimeout(400);
  assert.equal(await isPlaying(page), false);
  // In the middle of it, too.
  const second = await frame(page, 1);
  await page.locator("iframe").nth(1).evaluate((frame) => frame.scrollIntoView({ block: "center" }));
  const paused = await (await frame(page)).locator("#play").getAttribute("aria-label");
  await second.waitForFunction((paused) => document.querySelector("#play").getAttribute("aria-label") !== paused, paused);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await second.waitForFunction((paused) => document.querySelector("#play").getAttribute("aria-label") === paused, paused);
  await page.reload();
  await hello(page);
  await page.locator("iframe").nth(1).evaluate((frame) => frame.scrollIntoView({ block: "center" }));
  await page.waitForTimeout(600);
  assert.equal(await (await frame(page, 1)).locator("#play").getAttribute("aria-label"), paused);
});

// Runs first in a figure: a tab that can be hidden. Browsers without a window hide none.
const HIDEABLE = () => {
  if (window.parent === window) return;
  const { requestAnimationFrame, cancelAnimationFrame } = window;
  let isHidden = false;
  let last = 0;
  const waiting = new Map();
  window.requestAnimationFrame = (call) => {
    if (!isHidden) return requestAnimationFrame.call(window, call);
    waiting.set((last -= 1), call);
    return last;
  };
  window.cancelAnimationFrame = (id) => waiting.delete(id) || cancelAnimationFrame.call(window, id);
  Object.defineProperty(document, "visibilityState", { get: () => (isHidden ? "hidden" : "visible") });
  Object.defineProperty(document, "hidden", { get: () => isHidden });
  window.hide = (hides) => {
    isHidden = hides;
    document.dispatchEvent(new Event("visibilitychange"));
    if (hides) return;
    for (const call of waiting.values()) requestAnimationFrame.call(window, call);
    waiting.clear();
  };
};

hostTest("a figure that plays in a hidden tab waits there, obeys, and goes on where it was when it is shown again", {
  body: FRAME, app: true, prepare: ({ page }) => page.addInitScript(HIDEABLE),
}, async ({ page }) => {
  await hello(page);
  await done(page, { type: "play" });
  await page.waitForFunction(() => told.some(({ type, step }) => type === "step" && step > 57));
  const inside = await frame(page);
  await inside.evaluate(() => hide(true));
  await page.waitForTimeout(200);
  const before = await state(page);
  assert.equal(before.playing, true);
  await page.waitForTimeout(3_000);
  assert.deepEqual(await state(page), before);
  await inside.evaluate(() => hide(false));
  const after = await state(page);
  // Of the time that has passed, a tenth of a second at most is played at once.
  assert.ok(after.playing && after.step <= before.step + 1, `${before.step} ${after.step}`);
  await page.waitForFunction((step) => told.some((told) => told.type === "step" && told.step > step), after.step);

  await inside.evaluate(() => hide(true));
  await done(page, { type: "seek", step: 3 });
  await inside.evaluate(() => hide(false));
  const { step, playing } = await state(page);
  assert.deepEqual([step, playing], [3, false]);
  assert.equal(await shownStep(inside), 3);
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
  // What was done makes another run; the text leads back to the story.
  await page.getByRole("button", { name: "crash c1" }).click();
  await page.waitForFunction(() => /c1 crashes/.test(document.querySelector("#sentence").textContent));
  assert.equal(await page.locator(".place[aria-current]").count(), 0);
  await page.getByRole("link", { name: "here c3 crashes" }).click();
  await page.waitForFunction(() => /^Step 58 .* c3 crashes/.test(document.querySelector("#sentence").textContent));
  await page.getByRole("link", { name: "the partitions are assigned again" }).click();
  await page.waitForFunction(() => /leader c1 assigns/.test(document.querySelector("#sentence").textContent));
  assert.equal(await page.locator(".place[aria-current]").first().textContent(), "the partitions are assigned again");

  const shown = await (await page.waitForSelector("#lesson iframe", { state: "attached" })).contentFrame();
  assert.equal(await shownStep(shown), 109);
  await page.getByRole("button", { name: "日本語" }).click();
  await page.waitForFunction(() => /^ステップ 109 /.test(document.querySelector("#sentence").textContent));

  for (const [button, said] of [["c1 をクラッシュさせる", /c1 がクラッシュしました/], ["c1 をクラッシュさせる", /^このプロセスは動いていません/], ["最初からやり直す", /^ステップ 46 /]]) {
    await page.getByRole("button", { name: button }).click();
    await page.waitForFunction((source) => new RegExp(source).test(document.querySelector("#sentence").textContent), said.source);
  }
});
