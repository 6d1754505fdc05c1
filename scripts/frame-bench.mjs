// Measures the page in a real browser against the budgets of the design, and prints them; never fails because of them.
//
//   node scripts/frame-bench.mjs        builds dist/ if the sources have changed; LOGSTEP_DIST names another build
//
// It plays a scenario with 12 partitions, 12 members and 600 records at 8 times the usual speed and at the usual one, and sums
// up script, style and layout of each frame, as the browser counts them. It seeks in a run of as many steps as a run may
// have. While a sweep of crashes runs, it counts how long the page takes to draw the next frame, and to show the step of a key
// press. Memory is that of the page's program; what reads files has one of its own, which is given back.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ensureDist } from "./dist.mjs";
import { findChrome } from "./find-chrome.mjs";
import { largeScenario } from "./large-scenario.mjs";
import { startServer } from "./serve-static.mjs";

const FRAMES = 300;
const FIRST_STEPS = 5; // how often the page is opened
const SEEKS = 200;
const LONG_RUN = 120_000; // milliseconds that the page is given to work out all of a run

const LARGE = { partitions: 12, members: 12, records: 600, perSecond: 20, endsAt: "60s" };
// One record a batch, as long as a file may ask for: it comes to the 1,000,000 steps at which a run ends.
const LONGEST = { partitions: 12, members: 12, records: 100_000, perSecond: 180, handling: "20ms", endsAt: "570s" };
const STEPS = 1_000_000;
// A run of 100,000 records, and the views beside the stage.
const LONG = { partitions: 12, members: 12, records: 100_000, perSecond: 1_000, handling: "5ms", endsAt: "120s" };
const VIEWS = ["why", "records", "sequence", "lag", "settings"];
const SWEPT = 10_000; // milliseconds of a sweep that are looked at

const server = await startServer({ root: process.env.LOGSTEP_DIST || ensureDist(), prefix: "/" });
const folder = mkdtempSync(join(tmpdir(), "logstep-bench-"));
const browser = await chromium.launch({ executablePath: findChrome(), headless: true, args: ["--no-sandbox", "--disable-gpu"] });
try {
  console.log("\nPage in a browser (a machine that is busy with other things makes all of it larger)");
  const [{ model }, { length }] = [cpus()[0], cpus()];
  console.log(`${model}, ${length} cores, ${browser.browserType().name()} ${browser.version()}\n`);
  print("first step possible after opening, median", `${await firstStep()} ms`, "under 1,000 ms");
  for (const speed of ["1×", "8×"]) {
    const { p50, p95, memory } = await playing(speed);
    print(`12 x 12, 600 records, playing at ${speed}: script and layout a frame, median`, `${p50} ms`, "");
    print(`12 x 12, 600 records, playing at ${speed}: script and layout a frame, 95th percentile`, `${p95} ms`, "at most 8 ms");
    if (speed === "8×") print("12 x 12, 600 records: WebAssembly memory", megabytes(memory), "");
  }
  for (const view of VIEWS) {
    const { p50, p95 } = await playing("8×", LONG, view);
    print(`100,000 records, 12 x 12, "${view}" open, playing at 8×: script and layout a frame, median`, `${p50} ms`, "");
    print(`100,000 records, 12 x 12, "${view}" open, playing at 8×: the same, 95th percentile`, `${p95} ms`, "at most 8 ms");
  }
  const swept = await sweeping();
  print("crash sweep of the main story, from press to end", `${swept.story} ms`, "under 1,000 ms");
  print(`crash sweep of 12 x 12, 600 records, ${swept.runs} runs: longest time between two frames`, `${swept.gap} ms`, "at most 100 ms");
  print("the same: longest time from a key press to its step", `${swept.answer} ms`, "at most 100 ms");
  print("main story with history, at its end: WebAssembly memory", megabytes(await storyMemory()), "at most 16 MB");
  const { events, visible, p50, p95, longest, memory } = await seeking();
  const run = `${events.toLocaleString("en")} steps, ${visible.toLocaleString("en")} visible`;
  print(`${run}: seek to a random one and draw, median`, `${p50.toFixed(1)} ms`, "");
  print(`${run}: the same, 95th percentile`, `${p95.toFixed(1)} ms`, "");
  print(`${run}: the same, the longest of ${SEEKS}`, `${longest.toFixed(1)} ms`, "at most 32 ms");
  print(`${run}: WebAssembly memory`, megabytes(memory), "at most 160 MB");
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
}

function print(what, found, budget) {
  console.log(`${what.padEnd(84)} ${found.padStart(9)}   ${budget}`);
}

function megabytes(bytes) {
  return bytes === undefined ? "unknown" : `${(bytes / 1e6).toFixed(1)} MB`;
}

function percentile(numbers, share) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)];
}

function memoryOf(page) {
  return page.evaluate(() => window.wasmMemory?.buffer.byteLength);
}

// A fresh page, of which the WebAssembly memory is kept where it can be measured.
async function newPage() {
  const context = await browser.newContext({ viewport: { width: 1320, height: 800 }, locale: "en", serviceWorkers: "block" });
  const page = await context.newPage();
  await page.addInitScript(() => {
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const original = WebAssembly[name];
      WebAssembly[name] = async (...parameters) => {
        const made = await original.apply(WebAssembly, parameters);
        // The page's program is the first that is made; its rest shares this memory.
        window.wasmMemory ??= (made.instance ?? made).exports.memory;
        return made;
      };
    }
  });
  return page;
}

// Milliseconds from asking for the page to a step that a key press has made.
async function firstStep() {
  const times = [];
  for (let n = 0; n < FIRST_STEPS; n++) {
    const page = await newPage();
    await page.addInitScript(() => {
      const look = () => {
        const slider = document.querySelector("#timeline");
        if (slider && Number(slider.max) > 0) window.ready = performance.now();
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(server.url);
    await page.waitForFunction(() => window.ready);
    times.push(await page.evaluate(() => window.ready));
    await page.context().close();
  }
  return Math.round(percentile(times, 0.5));
}

async function storyMemory() {
  const page = await newPage();
  await page.goto(server.url);
  await page.locator("#timeline").waitFor({ state: "attached" });
  await page.keyboard.press("End");
  await page.getByText("The run ends").first().waitFor();
  const memory = await memoryOf(page);
  await page.context().close();
  return memory;
}

// A fresh page that has opened a large scenario.
async function openLarge(options) {
  const page = await newPage();
  await page.goto(server.url);
  await page.locator("#timeline").waitFor({ state: "attached" });
  const file = join(folder, "large.json");
  writeFileSync(file, JSON.stringify(largeScenario(options)));
  await page.locator("input[type=file]").setInputFiles(file);
  await page.waitForFunction((members) => document.querySelectorAll(".member").length === members, options.members);
  return page;
}

// Milliseconds from a drag of the timeline to a page that shows the step, layout included.
async function seeking() {
  const page = await openLarge(LONGEST);
  await page.locator(".computing").waitFor({ state: "detached", timeout: LONG_RUN });
  const visible = await page.evaluate(() => Number(document.querySelector("#timeline").max));
  // How many steps of all kinds there are is told where each of them is a step.
  await page.locator("#go-to").click();
  await page.locator("[role=menuitemcheckbox]").click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("End");
  const told = await page.locator(".step-readout small").textContent();
  const events = Number(told.replace(/\D/g, ""));
  if (events !== STEPS) throw new Error(`the longest run has ${events} steps, not ${STEPS}`);
  const times = await page.evaluate(async ([visible, seeks]) => {
    const slider = document.querySelector("#timeline");
    const turn = new MessageChannel();
    const nextTurn = () => new Promise((done) => {
      turn.port1.onmessage = done;
      turn.port2.postMessage(0);
    });
    const times = [];
    let drawn = 12345; // The same places in every run.
    for (let n = 0; n < seeks; n++) {
      drawn = (Math.imul(drawn, 1_103_515_245) + 12_345) >>> 0;
      const wanted = String(1 + (drawn % visible));
      const begins = performance.now();
      slider.value = wanted;
      slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
      while (document.querySelector(".step-readout b").textContent !== wanted) await nextTurn();
      document.body.getBoundingClientRect();
      times.push(performance.now() - begins);
      await new Promise(requestAnimationFrame);
    }
    return times;
  }, [visible, SEEKS]);
  const memory = await memoryOf(page);
  await page.context().close();
  return { events, visible, p50: percentile(times, 0.5), p95: percentile(times, 0.95), longest: Math.max(...times), memory };
}

// Milliseconds of a whole sweep, and the longest that the page is busy during a large one.
async function sweeping() {
  const small = await newPage();
  await small.goto(server.url);
  await small.locator("#timeline").waitFor({ state: "attached" });
  await small.locator("#pane-sweep").click();
  const story = await small.evaluate(async () => {
    const begins = performance.now();
    document.querySelector("#sweep-start").click();
    do await new Promise(requestAnimationFrame); while (!document.querySelector(".sweep-summary") || document.querySelector("#sweep-stop"));
    return Math.round(performance.now() - begins);
  });
  await small.context().close();

  const page = await openLarge(LARGE);
  await page.locator(".computing").waitFor({ state: "detached", timeout: LONG_RUN });
  await page.locator("#pane-sweep").click();
  await page.locator("#sweep-start").click();
  await page.locator(".sweep progress[value]").waitFor();
  const { gap, answer, runs } = await page.evaluate(async (millis) => {
    const until = performance.now() + millis;
    let [gap, answer] = [0, 0];
    let last = await new Promise(requestAnimationFrame);
    const watch = (time) => {
      gap = Math.max(gap, time - last);
      last = time;
      if (time < until) requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
    const shown = () => document.querySelector(".step-readout b").textContent;
    const turn = new MessageChannel();
    const nextTurn = () => new Promise((done) => {
      turn.port1.onmessage = done;
      turn.port2.postMessage(0);
    });
    while (performance.now() < until) {
      const before = shown();
      const begins = performance.now();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: before === "0" ? "End" : "Home", bubbles: true, cancelable: true }));
      while (shown() === before) await nextTurn();
      document.body.getBoundingClientRect();
      answer = Math.max(answer, performance.now() - begins);
      await new Promise((done) => setTimeout(done, 150));
    }
    const runs = [...document.querySelectorAll(".sweep-legend b")].reduce((sum, count) => sum + Number(count.textContent.replace(/,/g, "")), 0);
    return { gap: Math.round(gap), answer: Math.round(answer), runs };
  }, SWEPT);
  await page.context().close();
  return { story, gap, answer, runs };
}

async function playing(speed, world = LARGE, view = "why") {
  const page = await openLarge(world);
  await page.locator(".computing").waitFor({ state: "detached", timeout: LONG_RUN });
  await page.locator(`#pane-${view}`).click();
  // From the middle, where the tapes and the table are full.
  await page.evaluate(() => {
    const slider = document.querySelector("#timeline");
    slider.value = Math.round(slider.max / 2);
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await page.locator(".speed select").selectOption(speed);

  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name) => metrics.find((metric) => metric.name === name).value;
    return { busy: 1000 * (of("ScriptDuration") + of("LayoutDuration") + of("RecalcStyleDuration")), frames: await page.evaluate(() => window.frameCount) };
  };
  await page.evaluate(() => {
    window.frameCount = 0;
    const count = () => {
      window.frameCount += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  await page.locator("#play").click();
  const frames = [];
  for (let before = await spent(); frames.length < FRAMES;) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const now = await spent();
    if (now.frames > before.frames) frames.push((now.busy - before.busy) / (now.frames - before.frames));
    before = now;
  }
  const memory = await memoryOf(page);
  await page.context().close();
  return { p50: percentile(frames, 0.5).toFixed(1), p95: percentile(frames, 0.95).toFixed(1), memory };
}
