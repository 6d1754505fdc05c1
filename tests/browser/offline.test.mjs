// The page without a network, and the change from one version to the next: always all of one version.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { writeWorker } from "../../scripts/dist.mjs";
import { startServer } from "../../scripts/serve-static.mjs";
import { appStarted, dist, pageTest, settled } from "./page.mjs";
import { CRASH, scenario, temporaryFile } from "./story.mjs";

const folder = mkdtempSync(join(tmpdir(), "logstep-offline-"));
after(() => rmSync(folder, { recursive: true, force: true }));

// --- Hosts whose content changes.

let hosts = 0;

// A server at an address of its own that hands out one folder after the other.
async function host(content, prefix = "/course/unit 3/") {
  const root = join(folder, `host-${++hosts}`);
  const show = (content) => {
    symlinkSync(content, `${root}-next`);
    renameSync(`${root}-next`, root);
  };
  show(content);
  const { url, close } = await startServer({ root, prefix });
  after(close);
  return { url, close, show };
}

const MARKED = /^(boot|load|logstep-page|logstep-reader)-[^.]*\.js$/;

// The build again as another version: each of its files has another name, and each script and the document say which
// version they are of.
function version(name) {
  const build = join(folder, name);
  cpSync(dist, build, { recursive: true });
  const change = (file, how) => writeFileSync(join(build, file), how(readFileSync(join(build, file), "utf8")));
  const hashes = new Set(readdirSync(build).join().match(/[0-9a-f]{16}/g));
  const renamed = (text) => [...hashes].reduce((text, hash) => text.replaceAll(hash, createHash("sha256").update(name + hash).digest("hex").slice(0, 16)), text);
  for (const file of readdirSync(build).filter((file) => renamed(file) !== file || file === "index.html")) {
    if (/\.(html|css|js)$/.test(file)) change(file, renamed);
    if (MARKED.test(file)) change(file, (script) => `${script};(self.versions = self.versions || []).push(${JSON.stringify(`${name} ${file.match(MARKED)[1]}`)});`);
    if (file.endsWith(".css")) change(file, (sheet) => `${sheet}:root{--${file.split("-")[0]}:${name}}`);
    if (file === "index.html") change(file, (html) => html.replace("<html ", `<html data-version="${name}" `));
    renameSync(join(build, file), join(build, renamed(file)));
  }
  writeWorker(build);
  return build;
}

const A = version("A");
const B = version("B");
const OWN = temporaryFile("own.json", { ...scenario(CRASH), title: "Opened offline" });

// --- What a page is made of.

// The versions of all that is in the page; the reader of files is in it once a file has been opened.
const versions = (page) => page.evaluate(() => {
  const style = getComputedStyle(document.documentElement);
  return [
    `${document.documentElement.dataset.version} html`, ...self.versions, ...["boot", "styles"].map((name) => `${style.getPropertyValue(`--${name}`)} ${name}.css`),
  ].sort();
});
const PARTS = ["boot", "boot.css", "html", "load", "logstep-page", "styles.css"];
const all = (name, ...more) => [...PARTS, ...more].map((part) => `${name} ${part}`).sort();

const kept = (page) => page.evaluate(async () => {
  await navigator.serviceWorker.ready;
  return navigator.serviceWorker.getRegistration().then(({ active }) => active.state === "activated"
    || new Promise((done) => active.addEventListener("statechange", () => done(true))));
});
const registrations = (page) => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
const caches = (page) => page.evaluate(async () => {
  const names = await self.caches.keys();
  return Promise.all(names.map(async (name) => (await (await self.caches.open(name)).keys()).map(({ url }) => url).sort()));
});

async function visit(context, url) {
  const page = await context.newPage();
  await page.goto(url);
  await appStarted(page);
  return page;
}

async function openFile(page) {
  await page.locator("input[type=file]").setInputFiles(OWN);
  await page.locator("#story option:checked", { hasText: "Opened offline" }).waitFor({ state: "attached" });
}

const offer = (page) => page.locator(".new-version");
const files = (build, url) => readdirSync(build, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== "sw.js")
  .map((entry) => new URL(join(entry.parentPath ?? entry.path, entry.name).slice(build.length + 1).replace(/^index\.html$/, "./"), url).href)
  .sort();

// --- Tests.

const GONE = [/^console: Failed to load resource/, /^console: .*fetching the script/];
let place;

pageTest("once opened, the page works without a network: under a path, with query and fragment, and it opens files", {
  keeps: true, expect: GONE, reducedMotion: true, server: async () => (place = await host(dist)),
}, async ({ page, context, url }) => {
  await kept(page);
  assert.deepEqual(await caches(page), [files(dist, url)]);
  await page.close();
  await place.close();

  const later = await visit(context, `${url}?lang=ja&theme=dark`);
  assert.equal(await later.locator("html").getAttribute("lang"), "ja");
  assert.equal(await later.locator("html").getAttribute("data-theme"), "dark");
  await later.keyboard.press("End");
  await openFile(later);
  await later.goto(`${url}index.html`);
  await appStarted(later);
  await later.reload();
  await appStarted(later);
});

pageTest("a new version is offered, and taken as a whole when it is asked for", {
  keeps: true, reducedMotion: true, server: async () => (place = await host(A)),
}, async ({ page, url, screenshot, axe }) => {
  await kept(page);
  assert.deepEqual(await versions(page), all("A"));
  assert.equal(await offer(page).count(), 0);
  place.show(B);
  await page.reload();
  await appStarted(page);
  await offer(page).waitFor();
  await settled(page);
  assert.deepEqual(await versions(page), all("A"));
  await screenshot("new-version");
  await axe();
  await openFile(page);
  assert.deepEqual(await versions(page), all("A", "logstep-reader"));

  await offer(page).getByRole("button").click();
  await page.waitForFunction(() => document.documentElement.dataset.version === "B");
  await appStarted(page);
  await openFile(page);
  assert.deepEqual(await versions(page), all("B", "logstep-reader"));
  assert.equal(await offer(page).count(), 0);
  await kept(page);
  assert.deepEqual(await caches(page), [files(B, url)]);
});

pageTest("a new version takes its place by itself once no page of the old one is open", {
  keeps: true, server: async () => (place = await host(A)),
}, async ({ page, context, url }) => {
  await kept(page);
  place.show(B);
  await page.reload();
  await offer(page).waitFor();
  assert.deepEqual(await versions(page), all("A"));
  await page.close();
  // A browser looks a second later whether anybody needs the old one. A page that is opened in just that second waits for it,
  // and now and then, in a browser that is watched by a test, for ever.
  await new Promise((done) => setTimeout(done, 2000));

  const later = await visit(context, url);
  assert.deepEqual(await versions(later), all("B"));
  await kept(later);
  assert.deepEqual(await caches(later), [files(B, url)]);
});

pageTest("another window of the old version stays whole when the new one is taken", {
  keeps: true, reducedMotion: true, expect: [/404/, /Failed to fetch dynamically imported module/], server: async () => (place = await host(A)),
}, async ({ page, context, url }) => {
  await kept(page);
  const other = await visit(context, url);
  place.show(B);
  await page.reload();
  await offer(page).getByRole("button").click();
  await page.waitForFunction(() => document.documentElement.dataset.version === "B");

  await offer(other).waitFor();
  await other.locator("input[type=file]").setInputFiles(OWN);
  await other.getByRole("dialog").waitFor();
  await other.keyboard.press("Escape");
  assert.deepEqual(await versions(other), all("A"));
  await offer(other).getByRole("button").click();
  await other.waitForFunction(() => document.documentElement.dataset.version === "B");
  await appStarted(other);
  assert.deepEqual(await versions(other), all("B"));
});

pageTest("what a host hands out while it is brought up to date is not kept", {
  keeps: true, expect: [/integrity/], server: async () => (place = await host(A)),
}, async ({ page, url }) => {
  await kept(page);
  const half = join(folder, "half");
  cpSync(B, half, { recursive: true });
  cpSync(join(A, "index.html"), join(half, "index.html"));
  place.show(half);
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update().catch(() => {});
    const { installing } = registration;
    await new Promise((done) => installing.state === "redundant" ? done() : installing.addEventListener("statechange", done));
  });
  await page.reload();
  await appStarted(page);
  assert.deepEqual(await versions(page), all("A"));
  assert.equal(await offer(page).count(), 0);
  place.show(B);
  await page.reload();
  await offer(page).getByRole("button").click();
  await page.waitForFunction(() => document.documentElement.dataset.version === "B");
  await kept(page);
  assert.deepEqual(await caches(page), [files(B, url)]);
});

pageTest("copies under different paths of one host are kept apart", {
  keeps: true,
  server: async () => {
    const both = join(folder, "both");
    cpSync(A, both, { recursive: true });
    mkdirSync(join(both, "inner"));
    cpSync(B, join(both, "inner"), { recursive: true });
    return host(both);
  },
}, async ({ page, context, url }) => {
  await kept(page);
  const inner = await visit(context, `${url}inner/`);
  await kept(inner);
  assert.deepEqual(await caches(inner), [files(A, url), files(B, `${url}inner/`)]);
  assert.deepEqual([await versions(page), await versions(inner)], [all("A"), all("B")]);
});

// Long enough for a worker to be registered, which happens at once after the start.
const aWhile = (page) => page.waitForTimeout(500);

pageTest("in a frame nothing is kept", { keeps: true, wait: "nothing" }, async ({ page, url }) => {
  await page.route(`${url}host.html`, (route) => route.fulfill({ contentType: "text/html", body: `<iframe src="${url}" title="logstep"></iframe>` }));
  await page.goto(`${url}host.html`);
  await appStarted(await (await page.waitForSelector("iframe")).contentFrame());
  await aWhile(page);
  assert.equal(await registrations(page), 0);
});

pageTest("where storage is forbidden nothing is kept, and all else works", {
  keeps: true,
  prepare: ({ page }) => page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", { get() { throw new DOMException("forbidden", "SecurityError"); } });
  }),
}, async ({ page }) => {
  await aWhile(page);
  assert.equal(await registrations(page), 0);
  await openFile(page);
});

pageTest("where there are no service workers all else works", {
  keeps: true,
  prepare: ({ page }) => page.addInitScript(() => { delete Navigator.prototype.serviceWorker; }),
}, async ({ page }) => {
  assert.equal(await page.evaluate(() => navigator.serviceWorker), undefined);
  await aWhile(page);
  await openFile(page);
});

test("the page as it is worked on has no worker", () => {
  assert.doesNotMatch(readFileSync(join(dirname(fileURLToPath(import.meta.url)), "../../index.html"), "utf8"), /name="worker"|sw\.js/);
});

pageTest("the page can be installed, with icons of the sizes that it names", { keeps: true }, async ({ page, context }) => {
  await kept(page);
  const browser = await context.newCDPSession(page);
  const { errors, data } = await browser.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
  // A test's browser keeps nothing, in which it cannot be helped.
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((error) => error !== "in-incognito"), []);
  for (const { src, sizes, type } of JSON.parse(data).icons.filter(({ type }) => type === "image/png")) {
    const png = readFileSync(join(dist, src));
    assert.equal(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, sizes);
    assert.equal(type, "image/png");
  }
});
