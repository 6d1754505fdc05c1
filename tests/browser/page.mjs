// The harness of the browser tests: one build for all of them, one browser for each file, a fresh page for each test.
//
//   pageTest("claim about the page", { lang: "ja", width: 360 }, async ({ page, screenshot, axe }) => { ... });
//
// opens the built page under a strict content security policy, waits for the app, runs the body, and then fails if
// anything was written to the console as an error (what the policy refuses is), thrown and not caught, or asked for
// from any other host. What a locator reads is read once the page has drawn.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { ensureDist } from "../../scripts/dist.mjs";
import { findChrome } from "../../scripts/find-chrome.mjs";
import { startServer } from "../../scripts/serve-static.mjs";
import { settled } from "./settled.mjs";

export { settled };

const SCREENSHOTS = join(dirname(fileURLToPath(import.meta.url)), "../../target/screenshots");
const TEST_TIMEOUT = 60_000;
const STEP_TIMEOUT = 10_000; // how long one action in a page, or one wait, may take

// What a locator reads, it reads once the page has settled: otherwise a test that is quicker than a busy machine sees the
// page as it was before the last key.
const READS = [
  "allInnerTexts", "allTextContents", "boundingBox", "count", "evaluate", "evaluateAll", "getAttribute", "innerText",
  "inputValue", "isChecked", "isDisabled", "isEnabled", "isVisible", "textContent",
];

const withoutScript = new WeakSet(); // the pages in which nothing can be waited for, and nothing is drawn

function readSettled(page) {
  const locators = Object.getPrototypeOf(page.locator("html"));
  if (locators.readsSettled) return;
  locators.readsSettled = true;
  for (const name of READS) {
    const read = locators[name];
    locators[name] = async function (...parameters) {
      // A frame that has gone has nothing left to draw.
      const frames = withoutScript.has(this.page()) ? [] : this.page().frames();
      await Promise.all(frames.map((frame) => settled(frame).catch(() => {})));
      return read.apply(this, parameters);
    };
  }
}

// The build under test: the one that LOGSTEP_DIST names, else dist/, built now if the sources have changed.
export const dist = process.env.LOGSTEP_DIST || ensureDist();

let browser;
const servers = new Map(); // by prefix

// Both start at their first use and serve the whole file.
function launchBrowser() {
  return (browser ??= chromium.launch({
    executablePath: findChrome(),
    headless: true,
    timeout: 30_000,
    // No sandbox, since root has none and only our own files are opened; the rest keeps the browser off the network.
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  }));
}

function serve(prefix) {
  if (!servers.has(prefix)) servers.set(prefix, startServer({ root: dist, prefix }));
  return servers.get(prefix);
}

after(async () => {
  await (await browser)?.close();
  for (const server of servers.values()) await (await server).close();
});

// Options, all of them optional:
//   path       what follows the address of the page: "?lang=ja", "#..."
//   prefix     the path under which the server offers the page
//   server     () => a promise of { url }, in place of the server that is the same for all tests
//   keeps      true if the page may be kept for use without a network; else each test loads all of it
//   width, height, theme ("light" | "dark"), lang (as a browser says it), reducedMotion, javaScript, touch
//   prepare    async ({ page, context, url }) => ..., before the page is opened: init scripts, routes
//   wait       "app" (until the app has taken the place of the loading text), "load", or "nothing" (do not even open it)
//   expect     patterns of problems that the test causes on purpose
export function pageTest(name, options, body) {
  test(name, { timeout: TEST_TIMEOUT, skip: options.skip }, async () => {
    const { path = "", prefix = "/", wait = "app", expect = [] } = options;
    const url = (await (options.server ? options.server() : serve(prefix))).url + path;
    const context = await (await launchBrowser()).newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
      colorScheme: options.theme ?? "light",
      locale: options.lang ?? "en",
      reducedMotion: options.reducedMotion ? "reduce" : "no-preference",
      javaScriptEnabled: options.javaScript ?? true,
      hasTouch: options.touch ?? false,
      serviceWorkers: options.keeps ? "allow" : "block",
    });
    context.setDefaultTimeout(STEP_TIMEOUT);
    try {
      const problems = [];
      const requests = [];
      context.on("console", (message) => {
        if (message.type() === "error") problems.push(`console: ${message.text()}`);
      });
      context.on("weberror", (webError) => problems.push(`not caught: ${webError.error()}`));
      context.on("request", (request) => {
        requests.push(request.url());
        if (/^(https?|wss?):/.test(request.url()) && new URL(request.url()).origin !== new URL(url).origin) {
          problems.push(`request to another host: ${request.url()}`);
        }
      });

      const page = await context.newPage();
      readSettled(page);
      if (options.javaScript === false) withoutScript.add(page);
      await options.prepare?.({ page, context, url });
      if (wait !== "nothing") await page.goto(url);
      if (wait === "app") await appStarted(page);

      await body({
        page,
        context,
        url,
        problems,
        requests,
        axe: (rules) => axe(page, rules),
        screenshot: (file) => screenshot(page, file),
      });

      const unexpected = problems.filter((problem) => !expect.some((pattern) => pattern.test(problem)));
      assert.deepEqual(unexpected, [], "the page had problems");
    } finally {
      await context.close();
    }
  });
}

// Waits until the app has started in a page or a frame; fails with the page's own message if it says that it cannot.
export async function appStarted(pageOrFrame) {
  await pageOrFrame.waitForFunction(() => document.documentElement.dataset.boot);
  const message = await pageOrFrame.locator("#boot-message").textContent();
  assert.equal(await pageOrFrame.evaluate(() => document.documentElement.dataset.boot), "started", message);
  await pageOrFrame.waitForSelector("#app .boot", { state: "detached" });
}

// Writes target/screenshots/NAME.png, for a person to look at.
export async function screenshot(page, name) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// Fails on any violation that axe finds in the page as it is now. `rules` switches rules off or on, by axe's own names:
// { "color-contrast": { enabled: false } }.
export async function axe(page, rules = {}) {
  // Evaluated, not added as an element, which the page's policy would refuse.
  await page.evaluate(AXE);
  const { violations, passes } = await page.evaluate(
    ([tags, rules]) => window.axe.run(document, { runOnly: { type: "tag", values: tags }, rules, resultTypes: ["violations", "passes"] }),
    [AXE_TAGS, rules],
  );
  assert.ok(passes.length > 0, "axe found nothing to check");
  const report = violations.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((node) => `    ${node.target}  ${node.html}\n    ${node.failureSummary}`).join("\n")}`);
  assert.equal(violations.length, 0, `axe found violations\n${report.join("\n")}`);
}
