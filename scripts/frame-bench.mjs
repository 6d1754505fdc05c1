// Measures the page in a real browser against the budgets of the design, and prints them; never fails because of them.
//
//   node scripts/frame-bench.mjs        builds dist/ if the sources have changed; LOGSTEP_DIST names another build
//
// It plays a scenario with 12 partitions, 12 members and 600 records at the highest speed and at the usual one, and sums up
// script, style and layout of each frame, as the browser counts them. Memory is that of the WebAssembly instance.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ensureDist } from "./dist.mjs";
import { findChrome } from "./find-chrome.mjs";
import { largeScenario } from "./large-scenario.mjs";
import { startServer } from "./serve-static.mjs";

const FRAMES = 300;
const FIRST_STEPS = 5; // how often the page is opened

const server = await startServer({ root: process.env.LOGSTEP_DIST || ensureDist(), prefix: "/" });
const folder = mkdtempSync(join(tmpdir(), "logstep-bench-"));
const browser = await chromium.launch({ executablePath: findChrome(), headless: true, args: ["--no-sandbox", "--disable-gpu"] });
try {
  console.log("Page in a browser (a machine that is busy with other things makes all of it larger)\n");
  print("first step possible after opening, median", `${await firstStep()} ms`, "under 1,000 ms");
  for (const speed of ["1×", "8×"]) {
    const { p50, p95, memory } = await playing(speed);
    print(`12 x 12, 600 records, playing at ${speed}: script and layout a frame, median`, `${p50} ms`, "");
    print(`12 x 12, 600 records, playing at ${speed}: script and layout a frame, 95th percentile`, `${p95} ms`, "at most 8 ms");
    if (speed === "8×") print("12 x 12, 600 records: WebAssembly memory", megabytes(memory), "");
  }
  print("main story with history, at its end: WebAssembly memory", megabytes(await storyMemory()), "at most 16 MB");
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
        window.wasmMemory = (made.instance ?? made).exports.memory;
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

async function playing(speed) {
  const page = await newPage();
  await page.goto(server.url);
  await page.locator("#timeline").waitFor({ state: "attached" });
  const file = join(folder, "large.json");
  writeFileSync(file, JSON.stringify(largeScenario({ partitions: 12, members: 12, records: 600, perSecond: 20, endsAt: "60s" })));
  await page.locator("input[type=file]").setInputFiles(file);
  await page.waitForFunction(() => document.querySelectorAll(".member").length === 12);
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
