// Opening a scenario file: a good one is shown; any other leaves the page as it was and says what is wrong with it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { largeScenario } from "../../scripts/large-scenario.mjs";
import { appStarted, pageTest, settled } from "./page.mjs";
import {
  CRASH, UNIQUE_KEY, afterKeys, caption, drawing, lastStep, mistakesOf, nativeOutcome, readDrawing, scenario,
  scenarioFile, sceneAsText, scrubTo, shownStep, temporaryFile, verdict,
} from "./story.mjs";

const open = (page, file) => page.locator("input[type=file]").setInputFiles(file);
const dialog = (page) => page.getByRole("dialog");
const app = async (page) => {
  return page.locator(".app").evaluate((app) => {
    const behind = app.cloneNode(true);
    behind.querySelectorAll("dialog").forEach((dialog) => dialog.remove());
    return behind.outerHTML;
  });
};
const isOpen = (page, title) => page.locator("#story option:checked", { hasText: title }).waitFor({ state: "attached" });

pageTest("a good file takes the place of the story", { reducedMotion: true }, async ({ page }) => {
  const changed = { ...scenario(UNIQUE_KEY), title: "A story of my own" };
  await open(page, temporaryFile("own.json", changed));
  await isOpen(page, "A story of my own");
  await page.waitForFunction(() => document.title === "A story of my own – logstep");
  await page.keyboard.press("End");
  assert.ok((await sceneAsText(page)).join("\n").includes(nativeOutcome(scenarioFile(UNIQUE_KEY)).digest));
});

pageTest("a file that has been edited can be opened again", { reducedMotion: true }, async ({ page }) => {
  const file = temporaryFile("edited.json", { ...scenario(CRASH), title: "As it was" });
  await open(page, file);
  await isOpen(page, "As it was");
  await page.keyboard.press("End");
  const before = await caption(page);
  assert.equal(await verdict(page, "Duplicates"), "3");

  // Nobody crashes any more.
  writeFileSync(file, JSON.stringify({ ...scenario(CRASH), title: "As it is now", actions: [], story: [], opens_at: undefined, expect: undefined, ends_at: "81s" }));
  await open(page, file);
  await isOpen(page, "As it is now");
  await page.keyboard.press("End");
  assert.notEqual(await caption(page), before);
  assert.equal(await verdict(page, "Duplicates"), "0");
});

const BROKEN = `{
  "format": "logstep/1",
  "title": { "ja": "壊れたファイル", "en": "A broken file" },
  "seed": "seven",
  "ends_at": "10s",
  "cluster": { "kafka": "4.0" },
  "topics": [{ "name": "orders", "partitions": 0, "colour": "red" }],
  "producers": [],
  "groups": [{ "name": "billing", "members": [{ "name": "c1" }] }],
  "actions": [{ "crash": "c9", "at": "3s" }]
}`;

for (const lang of ["en", "ja"]) {
  pageTest(`a broken file changes nothing, and all its mistakes are listed with their places, ${lang}`, { lang, reducedMotion: true }, async ({ page, screenshot }) => {
    await scrubTo(page, 70);
    const before = await app(page);
    const file = temporaryFile("broken.json", BROKEN);
    await open(page, file);
    await dialog(page).waitFor();
    assert.match(await dialog(page).locator("h2").textContent(), /^broken\.json$/);

    const listed = await dialog(page).locator(".mistakes li").allTextContents();
    assert.deepEqual(listed.map((text) => text.match(/^\d+:\d+/)[0]).slice(0, 3), ["4:11", "7:48", "7:51"]);
    assert.deepEqual(listed, mistakesOf(file, lang));
    assert.equal(await app(page), before);
    await screenshot(`mistakes-${lang}`);
  });
}

for (const [what, content, message] of [
  ["that is too large", "x".repeat((1 << 20) + 1), /too large \(at most 1 MiB\)/],
  ["that is not UTF-8", new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), /could not be read/],
  ["that is not JSON", "<h1>Sign in</h1>", /1:1/],
  ["that is empty", "", /1:1/],
]) {
  pageTest(`a file ${what} says so and changes nothing`, { reducedMotion: true }, async ({ page }) => {
    const before = await app(page);
    await open(page, temporaryFile("bad", content));
    await dialog(page).waitFor();
    assert.match(await dialog(page).textContent(), message);
    assert.equal(await app(page), before);
  });
}

pageTest("the dialog closes by Esc and by its button, the focus goes back, and the same file can be tried again", { reducedMotion: true }, async ({ page }) => {
  const file = temporaryFile("again.json", "{");
  const input = page.locator("input[type=file]");
  for (const close of [() => page.keyboard.press("Escape"), () => page.getByRole("button", { name: "Close" }).click()]) {
    await input.focus();
    await open(page, file);
    await dialog(page).waitFor();
    await close();
    await dialog(page).waitFor({ state: "detached" });
    assert.equal(await input.evaluate((input) => input === document.activeElement), true);
  }
  writeFileSync(file, JSON.stringify({ ...scenario(CRASH), title: "Mended" }));
  await open(page, file);
  await isOpen(page, "Mended");
});

pageTest("whatever stands in a file is text", { reducedMotion: true }, async ({ page }) => {
  const hostile = `"><img src=x onerror="window.ran=1"><script>window.ran=2</script>{{7*7}}\u202e&lt;`;
  const file = scenario(CRASH);
  file.title = file.about = hostile;
  for (const beat of file.story) if (beat.say) beat.say = hostile;
  for (const record of file.producers[0].records) record.value = hostile;
  file.producers[0].records[0].key = hostile;
  delete file.expect;
  await open(page, temporaryFile("hostile.json", file));
  await isOpen(page, hostile);
  await page.keyboard.press("End");
  assert.equal(await page.locator("img, .app script").count(), 0);
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.equal(await page.title(), `${hostile} – logstep`);
  assert.equal(await page.locator(".say").textContent(), hostile);
});

// The reader is a program of its own, fetched for the first file.
const isReader = (url) => /\/logstep-reader[^/]*\.(js|wasm)$/.test(url.pathname);
const isReaderProgram = (url) => isReader(url) && url.pathname.endsWith(".wasm");
const isReaderGlue = (url) => isReader(url) && url.pathname.endsWith(".js");
const glue = (read) => ({ contentType: "text/javascript", body: `export default async () => {}; export const read = () => { ${read}; };` });
const own = (title) => temporaryFile("own.json", { ...scenario(CRASH), title });
const openButton = (page) => page.locator(".open-file");

pageTest("the reader is fetched for the first file, and only once", { reducedMotion: true }, async ({ page, requests }) => {
  const fetched = () => requests.filter((request) => isReader(new URL(request))).length;
  await page.keyboard.press("End");
  await settled(page);
  assert.equal(fetched(), 0);
  for (const title of ["One", "Two"]) {
    await open(page, own(title));
    await isOpen(page, title);
    assert.equal(fetched(), 2);
  }
});

const saysThatReaderIsMissing = async (page) => {
  await dialog(page).waitFor();
  assert.match(await dialog(page).textContent(), /The part of logstep that reads files could not be loaded/);
};

for (const [what, matches, answer] of [
  ["glue does not arrive", isReaderGlue, (route) => route.abort()],
  ["program does not arrive", isReaderProgram, (route) => route.abort()],
  ["program is not there", isReaderProgram, (route) => route.fulfill({ status: 404, body: "Not found" })],
  ["program is something else", isReaderProgram, (route) => route.fulfill({ contentType: "text/html", body: "<h1>Sign in</h1>" })],
  ["program stops", isReaderGlue, (route) => route.fulfill(glue("throw new WebAssembly.RuntimeError('unreachable')"))],
]) {
  pageTest(`where the reader's ${what}, the page says so and goes on, and the next file tries again`, {
    reducedMotion: true,
    expect: [/Failed to load resource/, /TypeError|Error: 404|CompileError|RuntimeError/],
  }, async ({ page, screenshot }) => {
    await scrubTo(page, 70);
    const before = await app(page);
    await page.route(matches, answer);
    await open(page, own("Mine"));
    await saysThatReaderIsMissing(page);
    assert.equal(await app(page), before);
    await screenshot("no-reader");
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    assert.equal(await shownStep(page), 71);

    await page.unroute(matches);
    await open(page, own("Mine"));
    await isOpen(page, "Mine");
  });
}

pageTest("a reader that another version of the page has left behind is not understood, and the page says so", { reducedMotion: true }, async ({ page }) => {
  const before = await app(page);
  await page.route(isReaderGlue, (route) => route.fulfill(glue("return new Uint8Array([9])")));
  await open(page, own("Mine"));
  await saysThatReaderIsMissing(page);
  assert.equal(await app(page), before);
});

pageTest("while the reader is on its way the page says so and can be used, and what is opened meanwhile stays", { reducedMotion: true }, async ({ page }) => {
  let arrive;
  const arrives = new Promise((resolve) => { arrive = resolve; });
  await page.route(isReaderProgram, async (route) => { await arrives; await route.continue(); });
  await scrubTo(page, 70);
  await open(page, own("Late"));
  await openButton(page).getByText("Reading the file…").waitFor();
  await page.keyboard.press("ArrowRight");
  assert.equal(await shownStep(page), 71);
  await page.locator("#story").selectOption("1");
  await openButton(page).getByText("Open a file…").waitFor();
  const answered = page.waitForResponse((response) => isReaderProgram(new URL(response.url())));
  arrive();
  await answered;
  // A file that is chosen now is read after the late one has arrived.
  await open(page, own("Own"));
  await isOpen(page, "Own");
  assert.equal(await page.locator("#story option", { hasText: "Late" }).count(), 0);
});

pageTest("a file opens in a sandboxed frame that has no origin", { wait: "nothing" }, async ({ page, url }) => {
  await page.setContent(`<iframe sandbox="allow-scripts" src="${url}" width="1000" height="700" title="logstep"></iframe>`);
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  await appStarted(frame);
  await frame.locator("input[type=file]").setInputFiles(own("Framed"));
  await frame.locator("#story option:checked", { hasText: "Framed" }).waitFor({ state: "attached" });
});

const small = (changes) => ({ ...largeScenario({ partitions: 3, members: 3, records: 9, perSecond: 3, endsAt: "20s" }), ...changes });
const groups = (changes) => small().groups.map((group) => ({ ...group, ...changes }));
for (const [what, changes] of [
  ["no group, no table and a producer without records", { groups: [], sinks: [], producers: [{ ...small().producers[0], workload: undefined, records: [] }] }],
  ["no table", { groups: groups({ handling: { time: "1ms", commit: { after_records: 5 } } }), sinks: [] }],
  ["no producer", { producers: [] }],
  ["more members than partitions", { topics: [{ name: "orders", partitions: 1 }] }],
  ["12 partitions and 12 members", largeScenario({ partitions: 12, members: 12, records: 60, perSecond: 20, endsAt: "20s" })],
  ["two topics, two groups and two tables", {
    topics: [{ name: "orders", partitions: 2 }, { name: "returns", partitions: 2 }],
    groups: ["billing", "audit"].map((name) => ({ ...groups({ name })[0], members: [{ name: `${name}-1` }] })),
    sinks: [{ name: "payments", unique_key: null }, { name: "log", unique_key: "id" }],
  }],
]) {
  pageTest(`scenario with ${what} is drawn and stepped through`, { reducedMotion: true }, async ({ page, screenshot }) => {
    const file = small(changes);
    await open(page, temporaryFile("odd.json", file));
    await isOpen(page, file.title);
    await page.keyboard.press("Home");
    const last = await lastStep(page);
    const drawings = await afterKeys(page, Array(Math.min(last, 100)).fill("ArrowRight"), readDrawing);
    assert.ok(drawings.every((drawing) => !/NaN|undefined|width="-/.test(drawing)));
    assert.equal(await page.locator(".tape-name").count(), file.topics.reduce((sum, { partitions }) => sum + partitions, 0));
    assert.equal(await page.locator(".member").count(), file.groups.reduce((sum, { members }) => sum + members.length, 0));
    await page.keyboard.press("End");
    assert.equal(await shownStep(page), last);
    await screenshot(`scenario-${what.replaceAll(/[ ,]+/g, "-")}`);
  });
}

pageTest("with 100,000 records the page answers while it works out the future", {}, async ({ page }) => {
  const file = largeScenario({ partitions: 12, members: 12, records: 100_000, perSecond: 10_000, handling: "1ms", endsAt: "40s" });
  // As long as it is at work: a key press in each frame, and what it leads to.
  await page.evaluate(() => {
    window.looks = [];
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: "longtask" });
    const look = () => {
      const { value, max } = document.querySelector("#timeline");
      if (document.querySelector(".computing")) {
        window.looks.push({ shown: Number(value), known: Number(max) });
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      }
      requestAnimationFrame(look);
    };
    look();
  });
  await open(page, temporaryFile("long.json", file));
  await isOpen(page, file.title);
  await page.locator(".computing").waitFor({ state: "detached", timeout: 30_000 });
  const { looks, longest } = await page.evaluate(() => ({ looks: window.looks, longest: window.longest }));
  assert.ok(looks.length >= 5, `at work for ${looks.length} frames`);
  assert.ok(looks.at(-1).shown > looks[0].shown, "stepped meanwhile");
  assert.ok(looks.at(-1).known > looks[0].known, "the timeline grew meanwhile");
  assert.ok(longest < 500, `for ${longest} ms nothing was answered`);

  assert.ok(await lastStep(page) > 300_000);
  await page.keyboard.press("End");
  assert.match(await caption(page), /^The run ends/);
});
