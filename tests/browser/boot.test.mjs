// The page before the app: it starts wherever it is put, and where it cannot, it says why.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { firstLoadFiles } from "../../scripts/size.mjs";
import { appStarted, dist, pageTest } from "./page.mjs";

// A module whose start function traps, as a panic in Rust does.
const TRAP = "new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,8,1,0,10,5,1,3,0,0,11])";

const isGlue = (url) => /logstep-page[^/]*\.js$/.test(url.pathname);
const isRest = (file) => /^(logstep-rest|rest|parts)-/.test(file);
const isProgram = (url) => url.pathname.endsWith(".wasm");

async function says(page, kind, { reload }) {
  const message = page.getByRole("alert");
  await message.waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.boot), kind);
  assert.match(await message.locator("[lang=ja]").first().textContent(), /[ぁ-ん]/);
  assert.match(await message.locator("[lang=en]").first().textContent(), /[a-z]/);
  assert.equal(await message.getByRole("button", { name: "Reload" }).count(), reload ? 1 : 0);
  assert.equal(await page.locator(".boot-loading").isVisible(), false);
}

for (const theme of ["light", "dark"]) {
  pageTest(`starts under a strict content security policy, ${theme}`, { theme }, async ({ page, screenshot, axe }) => {
    assert.match(await page.title(), / – logstep$/);
    await screenshot(`start-${theme}`);
    await axe();
  });
}

pageTest("harness notices what the policy refuses", { expect: [/Content Security Policy/] }, async ({ page, problems }) => {
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.ran = true";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.ok(problems.some((problem) => problem.includes("Content Security Policy")), problems.join("\n"));
});

test("built page has no inline script, style or event handler and names no other host", () => {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  for (const [, attributes, content] of html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)) {
    assert.match(attributes, /\ssrc="\.\//);
    assert.equal(content.trim(), "");
  }
  assert.doesNotMatch(html, /<style\b|\sstyle=|\son[a-z]+=|javascript:/i);
  assert.doesNotMatch(html, /(?:src|href|content)="(?:[a-z]+:)?\/\//i);
});

pageTest("first load is what the size check counts", {}, async ({ requests, url }) => {
  const loaded = requests.map((request) => request.slice(url.length) || "index.html");
  const counted = firstLoadFiles(dist);
  // The rest comes when all of that is at work.
  assert.deepEqual(loaded.filter((file) => !counted.includes(file) && !isRest(file)), []);
  assert.equal(counted.filter(isRest).length, 0);
});

test("first load does not contain the reader of scenario files", () => {
  // From the format, and from the words for what is wrong with a file.
  const marks = ["logstep/1", "key_prefix", "has to be in double quotes", "二重引用符"];
  const reader = readdirSync(dist).find((file) => /^logstep-reader-[0-9a-f]{16}_bg\.wasm$/.test(file));
  const inside = (file) => {
    const bytes = readFileSync(join(dist, file));
    return marks.filter((mark) => bytes.includes(mark));
  };
  assert.deepEqual(inside(reader), marks);
  assert.deepEqual(firstLoadFiles(dist).flatMap(inside), []);
});

pageTest("starts under a path, with a query and a fragment", { prefix: "/course/unit 3/", path: "?lang=ja#x" }, async ({ page }) => {
  assert.match(page.url(), /\/course\/unit%203\/\?lang=ja#x$/);
});

pageTest("starts in a sandboxed frame that has no origin", { wait: "nothing" }, async ({ page, url }) => {
  await page.setContent(`<iframe sandbox="allow-scripts" src="${url}" width="800" height="500" title="logstep"></iframe>`);
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  await appStarted(frame);
  assert.equal(await frame.evaluate(() => window.origin), "null");
});

pageTest("paints text before WebAssembly arrives", {
  wait: "nothing",
  prepare: ({ page }) => page.route(isProgram, () => {}), // never answered
}, async ({ page, url, screenshot, axe }) => {
  await page.goto(url, { waitUntil: "commit" });
  await page.getByText("読み込み中…").waitFor();
  await page.getByText("Loading…").waitFor();
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  await screenshot("boot-loading");
  await axe();
});

pageTest("without JavaScript it asks for it", { javaScript: false, wait: "load" }, async ({ page, screenshot }) => {
  // Not by text: Playwright takes no text inside <noscript> for visible.
  await page.locator("noscript p[lang=ja]").waitFor();
  await page.locator("noscript p[lang=en]").waitFor();
  assert.equal(await page.locator(".boot-loading").isVisible(), false);
  await screenshot("boot-no-javascript");
});

pageTest("without WebAssembly it says so", {
  width: 360,
  wait: "load",
  prepare: ({ page }) => page.addInitScript(() => { delete window.WebAssembly; }),
}, async ({ page, screenshot, axe }) => {
  await says(page, "no-wasm", { reload: false });
  await screenshot("boot-no-wasm");
  await axe();
});

for (const [what, make] of [
  ["WebAssembly of today", () => { WebAssembly.validate = () => false; }],
  ["CompressionStream", () => { delete window.CompressionStream; }],
]) {
  pageTest(`a browser too old for ${what} is told so`, {
    wait: "load",
    prepare: ({ page }) => page.addInitScript(make),
  }, async ({ page }) => says(page, "too-old", { reload: false }));
}

pageTest("the same browsers are named by the page that cannot start, by the help and by the README", {}, async ({ page }) => {
  const versions = (text) => Object.fromEntries([...text.matchAll(/(Chrome|Edge|Firefox|Safari) (\d+(?:\.\d+)?)/g)].map(([, name, version]) => [name, version]));
  await page.locator("#help-button").click();
  const named = versions(await page.getByRole("dialog").textContent());
  assert.deepEqual(Object.keys(named), ["Chrome", "Edge", "Firefox", "Safari"]);
  const boot = readFileSync(join(dist, readdirSync(dist).find((file) => /^boot-.*\.js$/.test(file))), "utf8");
  const readme = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "../../README.md"), "utf8");
  assert.deepEqual([versions(boot), versions(readme)], [named, named]);
  // And they are the latest of each column of the table that says why.
  const rows = [...readme.matchAll(/^\| .+ \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm)].map(([, ...row]) => row.map(Number));
  const all = rows.pop();
  assert.ok(rows.length > 3);
  assert.deepEqual(all, all.map((_, column) => Math.max(...rows.map((row) => row[column]))));
  assert.deepEqual(all, [named.Chrome, named.Firefox, named.Safari].map(Number));
});

pageTest("host whose policy forgets WebAssembly is told so", {
  wait: "load",
  prepare: ({ page, url }) => page.route(url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": "default-src 'self'" } });
  }),
  expect: [/Content Security Policy/i],
}, async ({ page }) => says(page, "refused", { reload: false }));

const FAILURES = [
  ["program that is not there", "network", isProgram, (route) => route.fulfill({ status: 404, body: "Not found" })],
  ["program that does not arrive", "network", isProgram, (route) => route.abort()],
  ["program that is something else", "damaged", isProgram, (route) => route.fulfill({ contentType: "text/html", body: "<h1>Sign in</h1>" })],
  ["program that is cut short", "damaged", isProgram, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.body()).subarray(0, 1000) });
  }],
  ["glue that does not arrive", "network", isGlue, (route) => route.abort()],
  ["starter that does not arrive", "network", (url) => /\/load[^/]*\.js$/.test(url.pathname), (route) => route.abort()],
  ["program that traps while it starts", "stopped", isGlue, (route) => route.fulfill({
    contentType: "text/javascript",
    body: `export default () => WebAssembly.instantiate(${TRAP});`,
  })],
];

for (const [what, kind, matches, answer] of FAILURES) {
  pageTest(`${what} is reported, and a reload can help`, {
    wait: "load",
    prepare: ({ page }) => page.route(matches, answer),
    expect: [/^console: /],
  }, async ({ page, screenshot, axe }) => {
    await says(page, kind, { reload: true });
    await screenshot(`boot-${what.replaceAll(" ", "-")}`);
    await axe();
    await page.unroute(matches);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.waitForFunction(() => document.documentElement.dataset.boot === "started");
  });
}

pageTest("program without its type is started all the same", {
  prepare: ({ page }) => page.route(isProgram, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-type": "application/octet-stream" } });
  }),
}, async ({ page }) => page.waitForFunction(() => window.logstepBoot.isWhole()));

pageTest("trap after the start is reported above the app", { expect: [/unreachable/] }, async ({ page, screenshot }) => {
  await page.evaluate((bytes) => { setTimeout(() => new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)))); },
    TRAP.match(/\d+/g).slice(1).map(Number));
  await page.getByRole("alert").waitFor();
  await screenshot("stopped");
  await page.getByRole("button", { name: "Reload" }).click();
  await appStarted(page);
});
