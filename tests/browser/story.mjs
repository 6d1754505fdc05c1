// What a viewer does to the page and what a viewer sees there; and the same run made natively, to compare with.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

export const CRASH = "crash-before-commit";
export const UNIQUE_KEY = "crash-before-commit-unique-key";

export const scenario = (name) => JSON.parse(readFileSync(scenarioFile(name), "utf8"));
export const scenarioFile = (name) => join(ROOT, "static/scenarios", `${name}.json`);

// --- The native run.

// Runs logstep-run, and fails with what it says if it fails.
function runner(...parameters) {
  const { error, status, stdout, stderr } = spawnSync(
    "cargo", ["run", "--quiet", "--locked", "--no-default-features", "--bin", "logstep-run", "--", ...parameters],
    { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 },
  );
  assert.equal(error, undefined);
  assert.equal(status, 0, stderr);
  return stdout;
}

// The visible steps of a scenario file as the native runner tells them: time in seconds and sentence.
export function nativeSteps(file, lang) {
  const lines = runner("run", file, "--lang", lang).split("\n");
  const steps = lines.slice(0, lines.indexOf("")).map((line) => line.match(/^ *(\d+) +([\d.]+)  (.*)$/));
  assert.ok(steps.length > 0 && steps.every((step, index) => Number(step?.[1]) === index), "the transcript has changed its form");
  return steps.map(([, , time, sentence]) => ({ time: Number(time), sentence }));
}

export const nativeOutcome = (file) => JSON.parse(runner("run", file, "--json"));

// Writes a scenario to a file of its own and returns the name of the file.
export function temporaryFile(name, content) {
  const file = join(tmpdir(), `logstep-test-${process.pid}-${name}`);
  writeFileSync(file, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content));
  return file;
}

// --- The page.

export const shownStep = (page) => page.locator("#timeline").evaluate((slider) => Number(slider.value));
export const lastStep = (page) => page.locator("#timeline").evaluate((slider) => Number(slider.max));

// Moves the slider as a drag does, and waits until the page has drawn that.
export async function scrubTo(page, step) {
  await page.evaluate(async (step) => {
    const slider = document.querySelector("#timeline");
    slider.value = step;
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await new Promise((done) => setTimeout(done));
  }, step);
  assert.equal(await shownStep(page), step);
}

// For each of the steps: what `read`, a function that runs in the page, makes of it.
export function atSteps(page, steps, read) {
  // As one piece of text, because the page's policy lets nothing in it be evaluated.
  return page.evaluate(`(async () => {
    const slider = document.querySelector("#timeline");
    const found = [];
    for (const step of ${JSON.stringify(steps)}) {
      slider.value = step;
      slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await new Promise((done) => setTimeout(done));
      found.push((${read})());
    }
    return found;
  })()`);
}

export const range = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

export const drawing = (page) => page.locator(".stage-drawing").evaluate((stage) => stage.outerHTML);
export const caption = (page) => page.locator(".caption").textContent();
export const story = (page) => page.locator(".say").textContent();
export const verdict = (page, label) => page.locator(".verdict", { hasText: label }).locator("b").textContent();
export const member = (page, name) => page.locator(".member", { has: page.locator(".card-name", { hasText: new RegExp(`^${name}$`) }) });

// The lines of the scene as text, hidden or not.
export const sceneAsText = (page) => page.locator(".twin li").allTextContents();

// Opens a scenario file as a person does.
export async function openFile(page, file) {
  await page.locator("input[type=file]").setInputFiles(file);
}

// Waits until the future is known to its end.
export async function known(page) {
  await page.locator(".computing").waitFor({ state: "detached" });
}
