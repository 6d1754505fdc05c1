// A figure in somebody else's page, as docs/embedding.md says: what the two hear from each other, and the element that does it
// all. What the app makes of it is another matter: in its place the tests here answer by themselves.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { HEADERS } from "../../scripts/serve-static.mjs";
import { frame, hello, hostTest, send, toldOf, types } from "./host.mjs";
import { dist, pageTest, settled } from "./page.mjs";
import { CRASH, scenario } from "./story.mjs";

const FRAME = (url) => `<iframe src="${url}?embed" title="figure" width="900" height="400"></iframe>`;
const ELEMENT = (url, attributes = "") => `<script type="module" src="${url}embed.js"></script><logstep-figure ${attributes}><a href="${url}">What it shows</a></logstep-figure>`;

// What the app was asked; actions are bytes for it.
const asked = async (page, number) => (await frame(page, number)).evaluate(() => window.asked.map(({ id, ...detail }) => (
  detail.action ? { ...detail, action: new TextDecoder().decode(detail.action) } : detail
)));
const letAllBeDone = async (page) => (await frame(page)).evaluate(() => { window.answersItself = true; });

// What the figure answers to a message.
let lastId = 0;
async function answer(page, message) {
  const id = `answer ${(lastId += 1)}`;
  await send(page, { logstep: 1, id, ...message });
  return toldOf(page, id);
}

// The app's answer to what it was asked last.
const reply = async (page, error, value) => (await frame(page)).evaluate(
  ([error, value]) => window.logstepBoot.replied(window.asked.at(-1).id, error ?? undefined, value ?? undefined),
  [error, value],
);

// --- Messages.

const COMMANDS = [
  [{ type: "play" }, { type: "play" }],
  [{ type: "pause" }, { type: "pause" }],
  [{ type: "step" }, { type: "step", by: 1 }],
  [{ type: "step", by: 1_000 }, { type: "step", by: 1_000 }],
  [{ type: "back", by: 3 }, { type: "back", by: 3 }],
  [{ type: "seek", step: 0 }, { type: "seek", step: 0 }],
  [{ type: "seek", time: 11_021 }, { type: "seek", time: 11_021 }],
  [{ type: "act", action: { crash: "c3" } }, { type: "act", action: `{"crash":"c3"}` }],
  [{ type: "act", action: { slow_down: { member: "注<b>", time: "2s" } } }, { type: "act", action: `{"slow_down":{"member":"注<b>","time":"2s"}}` }],
  [{ type: "set", lang: "ja" }, { type: "set", lang: "ja" }],
  [{ type: "set", lang: "en", theme: "dark" }, { type: "set", lang: "en", theme: "dark" }],
  [{ type: "state" }, { type: "state" }],
  [{ type: "load", scenario: CRASH }, { type: "load", name: CRASH }],
];

hostTest("before hello, nothing is heard, and only that the figure is ready and how high it is is told", { body: FRAME }, async ({ page }) => {
  await toldOf(page, "ready");
  await send(page, ...COMMANDS.map(([message]) => ({ logstep: 1, id: 1, ...message })));
  await (await frame(page)).evaluate(() => {
    logstepBoot.shown({ step: 1 });
    logstepBoot.answered({ question: "" });
  });
  await toldOf(page, "height");
  await hello(page);
  assert.deepEqual(await types(page), ["ready", "done"]);
  assert.deepEqual(await asked(page), []);
});

for (const elsewhere of [false, true]) {
  hostTest(`what a host ${elsewhere ? "of another" : "of the same"} origin asks reaches the app, and what the app says reaches the host`, {
    body: FRAME, elsewhere,
  }, async ({ page, url }) => {
    await hello(page);
    for (const [message, detail] of COMMANDS) {
      const id = `of ${JSON.stringify(message)}`.slice(0, 64);
      await send(page, { logstep: 1, id, ...message });
      await (await frame(page)).waitForFunction((count) => window.asked.length === count, COMMANDS.findIndex(([other]) => other === message) + 1);
      assert.deepEqual((await asked(page)).at(-1), detail);
      const state = { step: 3, verdicts: [{ name: "Lost", value: "0" }] };
      await reply(page, undefined, message.type === "state" ? state : undefined);
      assert.deepEqual(await toldOf(page, id), message.type === "state" ? { type: "state", id, ...state } : { type: "done", id });
    }

    await send(page, { logstep: 1, id: 5.5, type: "act", action: { close: "c9" } });
    await (await frame(page)).waitForFunction((count) => window.asked.length > count, COMMANDS.length);
    await reply(page, ["refused", "there is no c9"]);
    assert.deepEqual(await toldOf(page, 5.5), { type: "error", id: 5.5, code: "refused", message: "there is no c9" });
    // An answer to nothing that was asked is not told.
    await reply(page);

    const moment = { step: 58, steps: 144, time: 11_021, sentence: "c3 crashes.", playing: false };
    const given = { question: "From where?", choice: 0, text: "3", right: true };
    await (await frame(page)).evaluate(([moment, given]) => {
      logstepBoot.shown(moment);
      logstepBoot.answered(given);
    }, [moment, given]);
    assert.deepEqual(await toldOf(page, "step"), { type: "step", ...moment });
    assert.deepEqual(await toldOf(page, "answered"), { type: "answered", ...given });

    const told = await page.evaluate(() => window.told);
    assert.ok(told.every(({ logstep, origin, from }) => logstep === 1 && origin === new URL(url).origin && from === 0));
    assert.equal(told.length - told.filter(({ type }) => type === "height").length, COMMANDS.length + 5);
  });
}

hostTest("a whole scenario reaches the app as a file, be it an object or a text", { body: FRAME }, async ({ page }) => {
  await hello(page);
  const own = { ...scenario(CRASH), title: "注文 <img src=x>" };
  for (const file of [own, JSON.stringify(own, undefined, 2), `\ufeff \n${JSON.stringify(own)}`]) {
    const before = (await asked(page)).length;
    await send(page, { logstep: 1, type: "load", scenario: file });
    await (await frame(page)).waitForFunction((before) => window.asked.length > before, before);
    const text = await (await frame(page)).evaluate(() => {
      const { file } = window.asked.at(-1);
      return file instanceof Uint8Array && new TextDecoder("utf-8", { ignoreBOM: true }).decode(file);
    });
    assert.equal(text, typeof file === "string" ? file : JSON.stringify(file));
    await reply(page);
  }
});

const MALFORMED = {
  unknown: [{ logstep: 2 }, { logstep: "1", type: "play" }, { logstep: null, type: "play" }, {}, { type: "toString" }, { type: "__proto__" }, { type: ["play"] }, { type: "Play" }],
  malformed: [
    { type: "hello", now: true }, { type: "play", by: 1 }, { type: "pause", when: 0 }, { type: "state", of: "c3" },
    { type: "step", by: 0 }, { type: "step", by: 1_001 }, { type: "step", by: 1.5 }, { type: "step", by: "1" }, { type: "step", by: null }, { type: "step", bye: 1 },
    { type: "back", by: -1 }, { type: "back", by: [1] },
    { type: "seek" }, { type: "seek", step: 1, time: 1 }, { type: "seek", step: -1 }, { type: "seek", time: 0.5 }, { type: "seek", step: 1e10 }, { type: "seek", time: "0" },
    { type: "act" }, { type: "act", action: "crash" }, { type: "act", action: ["crash"] }, { type: "act", action: null },
    { type: "set" }, { type: "set", lang: "fr" }, { type: "set", lang: ["ja"] }, { type: "set", theme: "pink" }, { type: "set", lang: "ja", theme: null },
    { type: "load" }, { type: "load", scenario: 1 }, { type: "load", scenario: null }, { type: "load", scenario: [] }, { type: "load", scenario: "" }, { type: "load", scenario: "n".repeat(201) },
  ],
  "too-large": [{ type: "load", scenario: `{"title": "${"x".repeat(300_000)}"}` }, { type: "load", scenario: { title: "x".repeat(300_000) } }, { type: "load", scenario: "x".repeat(300_001) }, { type: "act", action: { crash: "c".repeat(2_000) } }, { type: "act", action: { a: new Array(3_000).fill(0) } }],
};

// Runs first in a figure, so that nothing is too often.
const LEISURE = ({ page }) => page.addInitScript(() => {
  let now = 0;
  performance.now = () => (now += 100);
});

hostTest("what is wrong with a message is answered, and does not reach the app", { body: FRAME, prepare: LEISURE }, async ({ page }) => {
  await hello(page);
  for (const [code, messages] of Object.entries(MALFORMED)) {
    for (const message of messages) {
      const { type, code: answered, message: words } = await answer(page, message);
      assert.deepEqual([type, answered], ["error", code], JSON.stringify(message).slice(0, 100));
      assert.match(words, /has to be|has either|has lang|not known|may have/);
      assert.doesNotMatch(words, /\b(fr|pink|eval|bye)\b/, "a message is told back");
    }
  }
  for (const id of ["i".repeat(65), { a: 1 }, null, true]) await send(page, { logstep: 1, type: "play", id });
  await answer(page, { type: "seek" });
  assert.equal((await page.evaluate(() => told.filter(({ type, code, id }) => type === "error" && code === "malformed" && id === undefined))).length, 4);
  assert.deepEqual(await asked(page), []);
});

hostTest("a thousand malformed messages at random change nothing, and each is answered or ignored", { body: FRAME, prepare: LEISURE }, async ({ page }) => {
  await hello(page);
  const before = await (await frame(page)).evaluate(() => document.querySelector("#app").innerHTML);
  const counts = await page.evaluate(async () => {
    let state = 20;
    const random = (below) => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) % below;
    };
    const pick = (list) => list[random(list.length)];
    const deep = (levels) => {
      let value = {};
      for (let level = 0; level < levels; level += 1) value = { scenario: value };
      return value;
    };
    const cyclic = () => {
      const value = { type: "load" };
      value.action = value;
      return value;
    };
    // None of these is a right value of any field.
    const odd = () => pick([
      () => null, () => NaN, () => -Infinity, () => -random(1_000) - 1, () => 0.5 + random(9), () => 10n ** 30n, () => true, () => "", () => "\u0000\ud800", () => "<img src=x onerror=alert(1)>".repeat(10),
      () => [], () => [[[]]], () => new Array(2 ** 31), () => new Map([["type", "play"]]), () => new Set([1]), () => new Date(NaN), () => /x/g, () => new Uint8Array(9),
      () => new Blob(["x"]), () => new Error("x"), () => JSON.parse('{"__proto__": {"crash": "c3"}, "constructor": 1}'), () => cyclic(), () => deep(1_000), () => new Boolean(true),
    ])();
    const FIELDS = { step: "by", back: "by", seek: "step", set: "lang", play: "x", pause: "x", state: "x", hello: "x" };
    const message = () => pick([
      odd,
      () => ({ type: "play" }),
      () => ({ logstep: odd(), type: "play", id: 1 }),
      () => ({ logstep: 1, type: odd(), id: 1 }),
      () => ({ logstep: 1, type: pick(["constructor", "toString", "hasOwnProperty", "ready", "loaded"]), id: 1 }),
      ...Array.from({ length: 6 }, () => () => {
        const type = pick(Object.keys(FIELDS));
        return { logstep: 1, type, [FIELDS[type]]: odd(), id: 1 };
      }),
      () => ({ logstep: 1, type: "seek", step: 1, time: odd(), id: 1 }),
      () => ({ logstep: 1, type: "act", action: pick([cyclic(), 1, [], null, "", { a: 10n }, { a: new Array(2 ** 31) }, deep(1_500)]), id: 1 }),
      () => ({ logstep: 1, type: "load", scenario: pick([cyclic(), 1, [], null, new Array(9), "", new Date(0) && undefined, { a: 10n }, { a: new Array(2 ** 31) }]), id: 1 }),
      () => JSON.parse('{"logstep": 1, "type": "play", "id": 1, "__proto__": {"type": "pause"}}'),
      () => ({ logstep: 1, type: "play", id: pick([{}, [], null, NaN, "x".repeat(100), true]) }),
    ])();
    const { contentWindow } = document.querySelector("iframe");
    const from = told.length;
    let answerable = 0;
    for (let sent = 0; sent < 1_000; sent += 1) {
      const made = message();
      if (typeof made === "object" && made !== null && Object.hasOwn(made, "logstep")) answerable += 1;
      contentWindow.postMessage(made, "*");
    }
    contentWindow.postMessage({ logstep: 1, type: "seek", id: "last" }, "*");
    while (!told.some(({ id }) => id === "last")) await new Promise((done) => setTimeout(done, 20));
    const answers = told.slice(from).filter(({ type, id }) => type !== "height" && id !== "last");
    return { answerable, answered: answers.length, others: answers.filter(({ type }) => type !== "error") };
  });
  assert.ok(counts.answerable > 700);
  assert.equal(counts.answered, counts.answerable);
  assert.deepEqual(counts.others, []);
  assert.deepEqual(await asked(page), []);
  assert.equal(await (await frame(page)).evaluate(() => document.querySelector("#app").innerHTML), before);
  assert.equal(await (await frame(page)).evaluate(() => document.documentElement.dataset.boot), "started");
});

hostTest("of too many messages some are answered, and after a while all are heard again", { body: FRAME }, async ({ page }) => {
  await hello(page);
  await letAllBeDone(page);
  await send(page, ...Array.from({ length: 500 }, (_, id) => ({ logstep: 1, type: "play", id })));
  await settled(await frame(page));
  const count = (await asked(page)).length;
  assert.ok(count >= 49 && count <= 100, `${count} were heard`);
  const errors = await page.evaluate(() => told.filter(({ type }) => type === "error").map(({ code }) => code));
  assert.ok(errors.length >= 1 && errors.length <= 8 && errors.every((code) => code === "too-often"), `${errors}`);
  await page.waitForTimeout(1_100);
  assert.equal((await answer(page, { type: "seek" })).code, "malformed");
});

hostTest("what is asked waits until what was asked before it is done, and not too much can wait", { body: FRAME, prepare: LEISURE }, async ({ page }) => {
  await hello(page);
  await send(page, { logstep: 1, type: "act", id: "first", action: { crash: "c3" } }, { logstep: 1, type: "state", id: "second" });
  await send(page, ...Array.from({ length: 100 }, (_, id) => ({ logstep: 1, type: "pause", id })));
  for (const id of [98, 99]) assert.deepEqual((await toldOf(page, id)).code, "too-often");
  assert.deepEqual((await asked(page)).map(({ type }) => type), ["act"]);
  await reply(page, ["refused", "it is down"]);
  await reply(page, undefined, { step: 1 });
  await letAllBeDone(page);
  await reply(page);
  await toldOf(page, 97);
  const answers = await page.evaluate(() => told.filter(({ id, code }) => id !== undefined && id !== "hello" && code !== "too-often").map(({ id, type }) => [id, type]));
  assert.deepEqual(answers, [["first", "error"], ["second", "state"], ...Array.from({ length: 98 }, (_, id) => [id, "done"])]);
});

// --- Who is heard.

hostTest("what others than the host say is ignored", {
  body: (url) => `${FRAME(url)}<iframe src="${url}host-sibling.html" title="another"></iframe>`,
  prepare: ({ page }) => page.route("**/host-sibling.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>x</title>" })),
}, async ({ page }) => {
  await toldOf(page, "ready");
  const strangers = [await frame(page, 0), await frame(page, 1)];
  // The figure itself, and another frame beside it.
  for (const stranger of strangers) {
    await stranger.evaluate(() => {
      for (const type of ["hello", "play"]) window.parent.frames[0].postMessage({ logstep: 1, type, id: 1 }, "*");
    });
  }
  await hello(page);
  for (const stranger of strangers) await stranger.evaluate(() => window.parent.frames[0].postMessage({ logstep: 1, type: "play", id: 2 }, "*"));
  await answer(page, { type: "seek" });
  assert.deepEqual(await types(page), ["ready", "done", "error"]);
  assert.deepEqual(await asked(page), []);
});

for (const [what, of, isHeard] of [
  ["its own origin", (url) => url, true], ["another origin", () => "https://example.org", false], ["what is no origin", () => "example.org", false], ["no origin at all", () => "null", false],
]) {
  hostTest(`a figure whose address says that its host is of ${what} ${isHeard ? "obeys" : "obeys nobody"}`, {
    body: (url) => `<iframe src="${url}?embed&amp;host=${encodeURIComponent(of(url))}" title="figure"></iframe>`,
  }, async ({ page }) => {
    await toldOf(page, "ready");
    await send(page, { logstep: 1, type: "hello", id: 1 }, { logstep: 1, type: "play", id: 2 });
    await settled(await frame(page));
    assert.deepEqual(await types(page), isHeard ? ["ready", "done"] : ["ready"]);
    assert.equal((await asked(page)).length, isHeard ? 1 : 0);
  });
}

hostTest("answers are for the origin of the host alone", { body: FRAME }, async ({ page, url }) => {
  await page.evaluate(() => {
    window.targets = [];
    const { postMessage } = window;
    window.postMessage = (message, target) => {
      targets.push([message.type, target]);
      postMessage.call(window, message, target);
    };
  });
  await hello(page);
  await answer(page, { type: "seek" });
  const targets = (await page.evaluate(() => targets)).filter(([type]) => !["ready", "height"].includes(type));
  assert.deepEqual(targets, [["done", new URL(url).origin], ["error", new URL(url).origin]]);
});

hostTest("a figure in a sandboxed frame, which has no origin and no storage, hears and answers", {
  body: (url) => `<iframe sandbox="allow-scripts" src="${url}?embed" title="figure" width="900" height="400"></iframe>`, elsewhere: true,
}, async ({ page }) => {
  await hello(page);
  assert.equal(await (await frame(page)).evaluate(() => {
    try {
      return String(window.localStorage);
    } catch (error) {
      return error.name;
    }
  }), "SecurityError");
  assert.equal((await answer(page, { type: "seek" })).code, "malformed");
  assert.equal(await page.evaluate(() => told.every(({ origin }) => origin === "null")), true);
});

hostTest("a host that has no origin itself is answered", {
  body: FRAME, policy: "sandbox allow-scripts", elsewhere: true,
}, async ({ page }) => {
  assert.equal(await page.evaluate(() => window.origin), "null");
  await hello(page);
  assert.equal((await answer(page, { type: "seek" })).code, "malformed");
});

pageTest("outside of frames nothing for hosts is loaded", {}, async ({ page, requests }) => {
  await settled(page);
  assert.deepEqual(requests.filter((url) => /\/(host|embed|demo)/.test(url)), []);
  await page.evaluate(() => window.postMessage({ logstep: 1, type: "hello" }, "*"));
});

// --- The height.

// Gives the content of a figure a height of its own.
const setContent = async (page, height) => (await frame(page)).evaluate((height) => {
  document.documentElement.style.height = height;
  document.documentElement.style.overflow = "hidden";
}, height);

hostTest("the element is as high as what it shows", { body: ELEMENT }, async ({ page }) => {
  await toldOf(page, "ready");
  for (const height of [700, 333, 1_200]) {
    await setContent(page, `${height - 0.4}px`);
    await page.waitForFunction((height) => document.querySelector("logstep-figure").getBoundingClientRect().height === height, height);
  }
});

hostTest("content that grows with its frame does not grow for ever", { body: ELEMENT }, async ({ page }) => {
  await toldOf(page, "ready");
  await setContent(page, "calc(100vh + 20px)");
  await page.waitForTimeout(1_500);
  const height = () => page.evaluate(() => document.querySelector("logstep-figure").getBoundingClientRect().height);
  const before = await height();
  await page.waitForTimeout(500);
  assert.equal(await height(), before);
  // And is told again when it changes by itself.
  await setContent(page, "500px");
  await page.waitForFunction(() => document.querySelector("logstep-figure").getBoundingClientRect().height === 500);
});

hostTest("a frame that is not displayed tells its height once it is", {
  body: (url) => `<div hidden>${FRAME(url)}</div>`,
}, async ({ page }) => {
  await hello(page);
  await answer(page, { type: "seek" });
  assert.deepEqual(await page.evaluate(() => told.filter(({ type }) => type === "height")), []);
  await page.evaluate(() => { document.querySelector("[hidden]").hidden = false; });
  assert.ok((await toldOf(page, "height")).height > 0);
});

// --- The element.

const isReady = (page) => page.waitForFunction(() => [...document.querySelectorAll("logstep-figure")].every((figure) => figure.shadowRoot?.querySelector("slot").hidden));

test("the script of the element has less than 3,000 bytes and needs nothing else", () => {
  const script = readFileSync(join(dist, "embed.js"), "utf8");
  assert.ok(Buffer.byteLength(script) < 3_000, `${Buffer.byteLength(script)} bytes`);
  assert.doesNotMatch(script, /\bfrom\s*["']|import\s*\(/);
});

for (const elsewhere of [false, true]) {
  hostTest(`in a page ${elsewhere ? "of another" : "of the same"} origin the element passes its attributes on and is told what happens`, {
    body: (url) => ELEMENT(url, `scenario="${CRASH}" step="5" lang="ja" theme="dark" show="story,why" compact autoplay speed="2" label="図 &lt;1&gt;"`), elsewhere,
  }, async ({ page, url }) => {
    await isReady(page);
    const shown = page.locator("iframe");
    assert.equal(await shown.getAttribute("title"), "図 <1>");
    const address = new URL(await shown.getAttribute("src"));
    assert.equal(address.origin + address.pathname, url);
    assert.deepEqual(Object.fromEntries(address.searchParams), { embed: "", scenario: CRASH, step: "5", lang: "ja", theme: "dark", show: "story,why", compact: "", autoplay: "", speed: "2" });

    await page.evaluate(() => {
      const figure = document.querySelector("logstep-figure");
      window.events = [];
      for (const type of ["step", "answered", "error"]) figure.addEventListener(type, (event) => events.push([type, event.detail, event instanceof CustomEvent]));
    });
    const [moment, given] = [{ step: 6, steps: 144, time: 12, sentence: "x", playing: true }, { question: "?", choice: 1, text: "y", right: false }];
    await (await frame(page)).evaluate(([moment, given]) => {
      logstepBoot.shown(moment);
      logstepBoot.answered(given);
    }, [moment, given]);
    await page.waitForFunction(() => events.length === 2);
    assert.deepEqual(await page.evaluate(() => events), [["step", moment, true], ["answered", given, true]]);
  });
}

hostTest("the methods of the element are promises of what the figure answers", { body: ELEMENT }, async ({ page }) => {
  await page.waitForFunction(() => customElements.get("logstep-figure"));
  // Asked before there is a figure: they wait for it.
  await page.evaluate(() => {
    const figure = document.querySelector("logstep-figure");
    window.outcomes = {};
    const note = (name, promise) => promise.then((value) => { outcomes[name] = value ?? "done"; }, (error) => { outcomes[name] = [error.code, error.message]; });
    note("play", figure.play());
    note("pause", figure.pause());
    note("step", figure.step());
    note("back", figure.back(2));
    note("seek", figure.seek({ step: 7 }));
    note("act", figure.act({ crash: "c3" }));
    note("set", figure.set({ lang: "ja" }));
    note("load", figure.load("crash"));
    note("state", figure.state());
    note("wrong", figure.seek({ step: -1 }));
  });
  await isReady(page);
  const wanted = [
    { type: "play" }, { type: "pause" }, { type: "step", by: 1 }, { type: "back", by: 2 }, { type: "seek", step: 7 }, { type: "act", action: `{"crash":"c3"}` },
    { type: "set", lang: "ja" }, { type: "load", name: "crash" }, { type: "state" },
  ];
  for (const { type } of wanted) {
    await (await frame(page)).waitForFunction((type) => window.asked.at(-1)?.type === type, type);
    await reply(page, type === "act" ? ["refused", "c3 is down"] : undefined, type === "state" ? { step: 7 } : undefined);
  }
  assert.deepEqual(await asked(page), wanted);
  await page.waitForFunction(() => Object.keys(outcomes).length === 10);
  const outcomes = await page.evaluate(() => window.outcomes);
  assert.deepEqual(outcomes.state, { step: 7 });
  assert.deepEqual(outcomes.act, ["refused", "c3 is down"]);
  assert.equal(outcomes.wrong[0], "malformed");
});

hostTest("the figure follows the attributes of the element, and is loaded anew only where it has to be", {
  body: (url) => ELEMENT(url, `step="5"`),
}, async ({ page }) => {
  await isReady(page);
  const change = (name, value) => page.evaluate(([name, value]) => document.querySelector("logstep-figure").setAttribute(name, value), [name, value]);
  await (await frame(page)).evaluate(() => { window.isSame = true; });
  await letAllBeDone(page);
  await change("lang", "ja");
  await change("theme", "dark");
  await change("step", "58");
  await change("label", "Another title");
  await (await frame(page)).waitForFunction(() => window.asked.length === 3);
  assert.deepEqual(await asked(page), [{ type: "set", lang: "ja" }, { type: "set", theme: "dark" }, { type: "seek", step: 58 }]);
  assert.equal(await page.locator("iframe").getAttribute("title"), "Another title");
  assert.equal(await (await frame(page)).evaluate(() => window.isSame), true);

  const entries = await page.evaluate(() => history.length);
  await change("scenario", CRASH);
  await change("compact", "");
  await isReady(page);
  const again = await frame(page);
  assert.equal(await again.evaluate(() => window.isSame), undefined);
  assert.match(again.url(), /scenario=crash-before-commit.*compact/);
  assert.equal(await page.evaluate(() => history.length), entries);
});

hostTest("what stands inside the element is shown until the figure is there", {
  body: ELEMENT, prepare: async ({ page }) => page.route(/host-[0-9a-f]{16}\.js$/, async (route) => {
    await new Promise((done) => setTimeout(done, 1_000));
    await route.continue();
  }),
}, async ({ page }) => {
  const link = page.getByRole("link", { name: "What it shows" });
  await page.waitForSelector("iframe", { state: "attached" });
  assert.equal(await link.isVisible(), true);
  assert.equal(await page.locator("iframe").getAttribute("title"), "What it shows");
  // It lies above the frame.
  assert.equal(await page.evaluate(() => document.elementFromPoint(30, document.querySelector("a").getBoundingClientRect().y + 5).localName), "a");
  await isReady(page);
  assert.equal(await link.isVisible(), false);
});

hostTest("where the figure cannot be reached, what stands inside stays, and methods say that it does not answer", {
  body: (url) => ELEMENT(url, `src="${url}nowhere/"`), expect: [/404/],
  // Ten seconds pass in a tenth of one.
  prepare: ({ page }) => page.addInitScript(() => {
    const { setTimeout } = window;
    if (window.parent === window) window.setTimeout = (call, delay) => setTimeout(call, delay / 100);
  }),
}, async ({ page }) => {
  await page.waitForSelector("iframe", { state: "attached" });
  const failed = await page.evaluate(() => document.querySelector("logstep-figure").play().catch(({ code, message }) => [code, message]));
  assert.deepEqual(failed, ["failed", "the figure does not answer"]);
  assert.equal(await page.getByRole("link", { name: "What it shows" }).isVisible(), true);
});

hostTest("of too many calls at once the element refuses those that the figure would not hear", { body: ELEMENT }, async ({ page }) => {
  await isReady(page);
  await letAllBeDone(page);
  const [codes, waited] = await page.evaluate(async () => {
    const figure = document.querySelector("logstep-figure");
    const from = performance.now();
    const all = await Promise.all(Array.from({ length: 120 }, () => figure.step().then(() => "done", ({ code }) => code)));
    return [all, performance.now() - from];
  });
  assert.deepEqual(codes, [...new Array(45).fill("done"), ...new Array(75).fill("too-often")]);
  assert.ok(waited < 5_000, `${waited}`);
  await page.waitForTimeout(1_100);
  assert.equal(await page.evaluate(() => document.querySelector("logstep-figure").step().then(() => "done")), "done");
});

hostTest("a figure that cannot start says why in its place, and to the host", {
  body: ELEMENT, expect: [/logstep-first|Failed to load resource|TypeError/],
  prepare: ({ page }) => page.route(/logstep-first/, (route) => route.abort()),
}, async ({ page }) => {
  const { code, message } = await page.evaluate(() => new Promise((done) => {
    document.querySelector("logstep-figure").addEventListener("error", ({ detail }) => done(detail));
  }));
  assert.equal(code, "failed");
  assert.match(message, /The program could not be loaded/);
  assert.equal(await page.getByRole("link", { name: "What it shows" }).isVisible(), false);
  await page.frameLocator("iframe").getByRole("button", { name: "Reload" }).waitFor();
});

hostTest("a figure is loaded when it comes near to what is seen, or when something is asked of it", {
  body: (url) => `<svg width="10" height="4000"></svg>${ELEMENT(url)}<svg width="10" height="4000"></svg><logstep-figure></logstep-figure>`,
}, async ({ page }) => {
  await page.waitForFunction(() => customElements.get("logstep-figure"));
  await settled(page);
  assert.equal(await page.locator("iframe").count(), 0);
  await page.evaluate(() => scrollTo(0, 3_200));
  await page.waitForSelector("iframe", { state: "attached" });
  await settled(page);
  assert.equal(await page.locator("iframe").count(), 1);
  await page.evaluate(() => { document.querySelectorAll("logstep-figure")[1].play(); });
  assert.equal(await page.locator("iframe").count(), 2);
});

hostTest("an element that is taken away takes everything with it, and can be put in again", { body: ELEMENT }, async ({ page }) => {
  await isReady(page);
  const failed = await page.evaluate(() => {
    window.figure = document.querySelector("logstep-figure");
    const asked = figure.play().catch(({ message }) => message);
    figure.remove();
    return asked;
  });
  assert.equal(failed, "taken away");
  assert.equal(await page.evaluate(() => window.length), 0);
  const listening = await page.evaluate(() => {
    const listeners = new Set();
    const { addEventListener, removeEventListener } = window;
    Object.assign(window, { addEventListener: (_, listener) => listeners.add(listener), removeEventListener: (_, listener) => listeners.delete(listener) });
    document.querySelector("main").append(figure);
    const most = listeners.size;
    figure.remove();
    Object.assign(window, { addEventListener, removeEventListener });
    return [most, listeners.size];
  });
  assert.deepEqual(listening, [1, 0]);
  await page.evaluate(() => document.querySelector("main").append(figure));
  await isReady(page);
});

hostTest("an address that would be a script is refused", {
  body: (url) => ELEMENT(url, `src="javascript:parent.ran=1"`), policy: "script-src 'self' 'unsafe-inline'", expect: [/not caught: TypeError: src is not http/],
}, async ({ page, problems }) => {
  await page.waitForFunction(() => customElements.get("logstep-figure"));
  while (problems.length === 0) await settled(page);
  assert.equal(await page.locator("iframe").count(), 0);
  assert.equal(await page.evaluate(() => window.ran), undefined);
});

hostTest("several figures in a page from right to left are told apart, and do not turn around", {
  body: (url) => `${ELEMENT(url)}${ELEMENT(url, 'label="second"')}`, dir: "rtl",
}, async ({ page, axe }) => {
  await isReady(page);
  const second = await frame(page, 1);
  await page.evaluate(() => {
    window.steps = [[], []];
    document.querySelectorAll("logstep-figure").forEach((figure, number) => figure.addEventListener("step", ({ detail }) => steps[number].push(detail.step)));
  });
  await second.evaluate(() => logstepBoot.shown({ step: 2 }));
  await (await frame(page, 0)).evaluate(() => logstepBoot.shown({ step: 1 }));
  await page.waitForFunction(() => steps[0].length === 1 && steps[1].length === 1);
  assert.deepEqual(await page.evaluate(() => steps), [[1], [2]]);
  assert.equal(await second.evaluate(() => getComputedStyle(document.body).direction), "ltr");
  const [figure, shown] = await page.evaluate(() => [document.querySelector("logstep-figure"), document.querySelector("logstep-figure").shadowRoot.querySelector("iframe")].map((element) => element.getBoundingClientRect().toJSON()));
  assert.deepEqual([shown.left, shown.width], [figure.left, figure.width]);
});

// --- The lesson that has figures in it.

// The server's answers are kept as those of docs/hosting/nginx.conf are.
async function keptServer() {
  const sent = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = join(dist, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    const bytes = readFileSync(file);
    const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}"`;
    const type = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", wasm: "application/wasm" }[file.split(".").pop()];
    const kept = /-[0-9a-f]{16}(_bg)?\.(css|js|wasm)$/.test(file) ? "public, max-age=31536000, immutable" : "no-cache";
    const isKnown = request.headers["if-none-match"] === etag;
    if (!isKnown) sent.push(pathname);
    response.writeHead(isKnown ? 304 : 200, { ...HEADERS, "Cache-Control": kept, ETag: etag, "Content-Type": type });
    return response.end(isKnown ? undefined : bytes);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}/`, sent };
}

const kept = keptServer();

pageTest("three figures in a page load the program once", { server: () => kept, wait: "nothing" }, async ({ page, url }) => {
  await page.goto(`${url}demo.html`);
  for (const shown of ["#lesson", "#measurement", "#quiz"]) {
    await page.locator(shown).scrollIntoViewIfNeeded();
    const handle = await page.waitForSelector(shown === "#measurement" ? shown : `${shown} iframe`, { state: "attached" });
    await (await handle.contentFrame()).waitForFunction(() => document.documentElement.dataset.boot === "started" && window.logstepBoot.isWhole());
  }
  const { sent } = await kept;
  const programs = sent.filter((path) => /\.(wasm|js|css)$/.test(path));
  assert.deepEqual(programs.toSorted(), [...new Set(programs)].toSorted());
  assert.equal(programs.filter((path) => path.endsWith(".wasm")).length, readdirSync(dist).filter((file) => /^logstep-(first|rest)-.*\.wasm$/.test(file)).length);
});

for (const [lang, width, theme] of [["ja", 360, "dark"], ["en", 1280, "light"]]) {
  pageTest(`the lesson reads in ${lang} at ${width} px, and everything in it is there in both languages`, {
    lang, width, theme, wait: "nothing",
  }, async ({ page, url, axe, screenshot }) => {
    await page.goto(`${url}demo.html`);
    await page.waitForFunction(() => document.querySelector("#lesson").shadowRoot?.querySelector("slot").hidden);
    assert.equal(await page.evaluate(() => document.documentElement.lang), lang);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    const other = lang === "ja" ? "en" : "ja";
    // What stands inside a figure is hidden by the figure.
    const isShown = (of) => page.locator(`.${of}`).evaluateAll((elements) => elements.map((element) => element.closest("logstep-figure") ? "inside" : element.lang === document.documentElement.lang && element.checkVisibility()));
    assert.ok((await isShown(lang)).every((shown) => shown));
    assert.ok((await isShown(other)).every((shown) => shown === "inside" || !shown));
    assert.equal(await page.locator(".en").count(), await page.locator(".ja").count());
    await screenshot(`demo-${lang}-${width}`);
    await axe({ "frame-tested": { enabled: false } });
    await page.getByRole("button", { name: lang === "ja" ? "English" : "日本語" }).click();
    assert.equal(await page.evaluate(() => document.documentElement.lang), other);
    assert.ok((await isShown(other)).every((shown) => shown));
  });
}
