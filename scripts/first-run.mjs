// Finds out what of the page's program opening and stepping the first story runs, and writes what it does not run to
// scripts/rest.txt, by which scripts/split.mjs parts the program:
//
//   node scripts/first-run.mjs        with the release build, which it makes if the sources have changed
//
// To be run when a browser test says that the first story needs the rest, or when the first load has grown too large.
// Every function notes that it was called, then the story is played in a browser: in both languages, on a large screen and on
// a phone, forwards, backwards and by its questions.

import binaryen from "binaryen";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { WHOLE_PROGRAM, ensureDist } from "./dist.mjs";
import { findChrome } from "./find-chrome.mjs";
import { startServer } from "./serve-static.mjs";
import { HERE, RULES, functionsOf, pathOf, read } from "./split.mjs";

const SHOWN = 40; // functions
const VIEWERS = [
  { locale: "en", viewport: { width: 1320, height: 800 } },
  { locale: "ja", viewport: { width: 360, height: 740 }, hasTouch: true, reducedMotion: "reduce", colorScheme: "dark" },
];

const dist = process.env.LOGSTEP_DIST || ensureDist();
const folder = mkdtempSync(join(tmpdir(), "logstep-first-run-"));
cpSync(dist, folder, { recursive: true });
const program = readFileSync(WHOLE_PROGRAM);
const own = functionsOf(read(program)).filter(({ module }) => !module);
const sizes = codeSizes(program);
const first = readdirSync(folder).find((name) => /^logstep-first-.*\.wasm$/.test(name));
writeFileSync(join(folder, first), noting(read(program)));

const server = await startServer({ root: folder, prefix: "/" });
const browser = await chromium.launch({ executablePath: findChrome(), headless: true, args: ["--no-sandbox", "--disable-gpu"] });
const ran = new Set();
try {
  for (const viewer of VIEWERS) for (const index of await firstStory(viewer)) ran.add(index);
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
}

const rows = own.map(({ name }, index) => ({ path: pathOf(name), size: sizes[index], ran: ran.has(index) }));
const didRun = rows.filter(({ ran }) => ran).map(({ path }) => path);
const didNot = [...new Set(rows.filter(({ path, ran }) => !ran && !/panic|dlmalloc/.test(path)).map(({ path }) => path))];
const rules = [...new Set(didNot.map(rule).filter(Boolean))].toSorted();
const head = readFileSync(RULES, "utf8").split("\n").filter((line) => line.startsWith("#"));
writeFileSync(RULES, [...head, ...rules, ""].join("\n"));

const sum = (of) => rows.filter(of).reduce((bytes, { size }) => bytes + size, 0).toLocaleString("en");
console.log(`${sum(({ ran }) => ran)} bytes of code ran, ${sum(({ ran }) => !ran)} did not; scripts/rest.txt has ${rules.length} lines. Largest that ran:`);
for (const { path, size } of rows.filter(({ ran }) => ran).toSorted((a, b) => b.size - a.size).slice(0, SHOWN)) {
  console.log(String(size).padStart(8), path);
}

// The shortest beginning of a path, at the end of a module or type, with which nothing begins that ran; the path itself at most.
function rule(path) {
  const beginnings = [...path.matchAll(/::/g)].map(({ index }) => path.slice(0, index + 2)).slice(1);
  return [...beginnings, path].find((beginning) => !didRun.some((path) => path.startsWith(beginning)));
}

function noting(module) {
  for (const [index, { name, results, body }] of functionsOf(module).filter(({ module }) => !module).entries()) {
    module.addGlobal(`ran${index}`, binaryen.i32, true, module.i32.const(0));
    module.addGlobalExport(`ran${index}`, `ran${index}`);
    const note = module.global.set(`ran${index}`, module.i32.const(1));
    binaryen.Function.setBody(module.getFunction(name), module.block(null, [note, body], results));
  }
  // The rest never arrives.
  module.addGlobal(HERE, binaryen.i32, true, module.i32.const(0));
  module.addGlobalExport(HERE, HERE);
  return module.emitBinary();
}

// Bytes of each function's code, in order: section 10 is a list of bodies, each behind its length.
function codeSizes(bytes) {
  let at = 8; // behind the magic number and the version
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  for (;;) {
    const [section, length] = [bytes[at++], number()];
    if (section === 10) break;
    at += length;
  }
  return Array.from({ length: number() }, () => {
    const size = number();
    at += size;
    return size;
  });
}

async function firstStory(viewer) {
  const context = await browser.newContext(viewer);
  const page = await context.newPage();
  // Without it, the page waits with what needs it.
  await page.route("**/logstep-rest-*.wasm", () => {});
  await page.addInitScript(() => {
    const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...parameters) => {
      const made = await instantiate.apply(WebAssembly, parameters);
      window.program = (made.instance ?? made).exports;
      return made;
    };
  });
  await page.goto(server.url);
  await page.locator("#timeline").waitFor({ state: "attached" });
  const last = Number(await page.locator("#timeline").getAttribute("max"));
  for (let step = 0; step <= last; step++) {
    await page.locator("#timeline").evaluate((slider, step) => {
      slider.value = step;
      slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }, step);
    await page.waitForTimeout(10);
  }
  for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowLeft", "PageDown", "PageUp", "End"]) await page.keyboard.press(key);
  for (let scene = 0; scene < 12; scene++) await page.keyboard.press("Shift+ArrowLeft");
  await page.locator(".speed select").selectOption("8×");
  await page.locator("#play").click();
  await page.locator(".choice").first().click({ timeout: 60_000 });
  await page.locator(".question .primary").click();
  await page.waitForFunction((last) => Number(document.querySelector("#timeline").value) === last, last);
  await page.setViewportSize({ width: 820, height: 700 });
  await page.waitForTimeout(500);
  const found = await page.evaluate(() =>
    Object.keys(window.program).filter((name) => /^ran\d+$/.test(name) && window.program[name].value).map((name) => Number(name.slice(3))));
  await context.close();
  return found;
}
