// What a viewer does to the page and what a viewer sees there; and the same run made natively, to compare with.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SETTLED, settled } from "./settled.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

export const CRASH = "crash-before-commit";
export const UNIQUE_KEY = "crash-before-commit-unique-key";

export const scenario = (name) => JSON.parse(readFileSync(scenarioFile(name), "utf8"));
export const scenarioFile = (name) => join(ROOT, "static/scenarios", `${name}.json`);

// --- The native run.

function run(...parameters) {
  const { error, status, stdout, stderr } = spawnSync(
    "cargo", ["run", "--quiet", "--locked", "--no-default-features", "--bin", "logstep-run", "--", ...parameters],
    { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 },
  );
  assert.equal(error, undefined);
  return { status, stdout, stderr };
}

// Fails with what the runner says if it fails.
function runner(...parameters) {
  const { status, stdout, stderr } = run(...parameters);
  assert.equal(status, 0, stderr);
  return stdout;
}

// The visible steps of a scenario file as the native runner tells them: time in seconds and sentence.
export function nativeSteps(file, lang) {
  const lines = runner("run", file, "--lang", lang).split("\n");
  const steps = lines.slice(0, lines.indexOf("")).map((line) => line.match(/^ *(\d+) +([\d.]+)  (.*)$/));
  assert.ok(steps.length > 0 && steps.every((step, index) => Number(step?.[1]) === index + 1), "the transcript has changed its form");
  return steps.map(([, , time, sentence]) => ({ time: Number(time), sentence }));
}

// What the runner prints of a run: "--json", "--csv", or nothing for the transcript.
export const nativeText = (file, ...options) => runner("run", file, ...options);

export const nativeOutcome = (file) => JSON.parse(nativeText(file, "--json"));

// What the runner finds wrong with a file, without the file's name: "line:column what".
export function mistakesOf(file, lang) {
  const { status, stderr } = run("run", file, "--lang", lang);
  assert.notEqual(status, 0);
  return stderr.trim().split("\n").map((line) => line.slice(`${file}:`.length).replace(/^(\d+:\d+):/, "$1"));
}

const folder = mkdtempSync(join(tmpdir(), "logstep-test-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

// Writes a scenario to a file of its own and returns the name of the file.
export function temporaryFile(name, content) {
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content));
  return file;
}

// --- The page.

// What `read` makes of the first element that fits.
const look = (page, selector, read) => page.locator(selector).first().evaluate(read);

export const shownStep = (page) => look(page, "#timeline", (slider) => Number(slider.value));
export const lastStep = (page) => look(page, "#timeline", (slider) => Number(slider.max));
// The stage as text. Attributes are in order, since one that comes and goes is the last of its element.
const DRAWN = (stage) => {
  const copy = stage.cloneNode(true);
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    const attributes = [...element.attributes].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name } of attributes) element.removeAttribute(name);
    for (const { name, value } of attributes) element.setAttribute(name, value);
  }
  return copy.outerHTML;
};
export const drawing = (page) => look(page, ".stage-drawing", DRAWN);
export const caption = (page) => look(page, ".caption", (caption) => caption.textContent);
export const story = (page) => look(page, ".say", (said) => said.textContent);
// The lines of the scene as text, which are made when a viewer opens it.
export async function sceneAsText(page) {
  const isOpen = await look(page, ".twin", (twin) => twin.open);
  if (!isOpen) await page.locator(".twin summary").click();
  return look(page, ".twin", (twin) => [...twin.querySelectorAll("li")].map((line) => line.textContent));
}

export const verdict = (page, label) => page.locator(".verdict", { hasText: label }).locator("b").textContent();

export const member = (page, name) => page.locator(".member", { has: page.locator(".card-name", { hasText: new RegExp(`^${name}$`) }) });

// What `read`, a function that runs in the page, makes of it after each of the moves. All in one go, since it is done
// hundreds of times; as one piece of text, because the page's policy lets nothing in it be evaluated.
function afterEach(page, moves, move, read) {
  return page.evaluate(`(async () => {
    const found = [];
    for (const value of ${JSON.stringify(moves)}) {
      (${move})(value);
      await (${SETTLED})();
      found.push((${read})());
    }
    return found;
  })()`);
}

// Moves the slider to each of the steps, as a drag does.
export const atSteps = (page, steps, read) => afterEach(page, steps, (step) => {
  const slider = document.querySelector("#timeline");
  slider.value = step;
  slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
}, read);

// Presses each of the keys.
export const afterKeys = (page, keys, read) => afterEach(page, keys, (key) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}, read);

export async function scrubTo(page, step) {
  const [shown] = await atSteps(page, [step], () => Number(document.querySelector("#timeline").value));
  assert.equal(shown, step);
}

export const readDrawing = `() => (${DRAWN})(document.querySelector(".stage-drawing"))`;
export const drawings = (page, steps) => atSteps(page, steps, readDrawing);

// What is said at each step, from the first.
export const captions = async (page) => atSteps(page, range(1, await lastStep(page)), () => document.querySelector(".caption").textContent);

// Presses a key until an element that fits has the focus.
export async function pressUntilFocused(page, key, selector) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press(key);
    await settled(page);
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
  }
  assert.fail(`${key} does not reach ${selector}`);
}

export const range = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

// Runs in the page: the texts of the stage that reach beyond the box they stand in.
export const leaving = () => [[".seat", ".card"], [".producer", ".card"], [".row", ".row-body"], [".chip", ".chip-body"], [".hash", ".hash-body"], [".commit:has(.flag)", ".flag"]]
  .flatMap(([group, box]) => [...document.querySelectorAll(group)].flatMap((element) => {
    const body = element.querySelector(box).getBoundingClientRect();
    return [...element.querySelectorAll(element.matches(".producer") ? ":scope > text" : "text")].filter((text) => {
      const { left, right, width } = text.getBoundingClientRect();
      return width > 0 && (left < body.left - 0.5 || right > body.right + 0.5);
    });
  })).map((text) => text.textContent);
