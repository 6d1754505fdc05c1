// What is shown is given away: as a link, as a frame, as an element, each with what it leads to in sight.

import assert from "node:assert/strict";
import { appStarted, pageTest } from "./page.mjs";
import { CRASH, caption, member, scrubTo, temporaryFile } from "./story.mjs";

const open = async (page, name = "Share or embed…") => {
  await page.locator("#export").click();
  await page.getByRole("menuitem", { name }).click();
  await page.getByRole("dialog").waitFor();
};
const text = (page, label) => page.getByRole("dialog").getByLabel(label, { exact: true }).inputValue();

pageTest("link, frame and element lead to the moment that is shown", { reducedMotion: true }, async ({ page, context, axe, screenshot }) => {
  await scrubTo(page, 75);
  const said = await caption(page);
  await open(page);
  await axe();
  const preview = page.frameLocator(".preview");
  await preview.locator(".member").first().waitFor();
  assert.equal(await preview.locator(".caption").textContent(), said);
  await screenshot("share");

  const link = await text(page, "Link");
  const frame = await text(page, "Frame, without script");
  const element = await text(page, "Element, resizes itself and has an API");
  for (const address of [link, frame.match(/src="([^"]+)"/)[1], element.match(/<a href="([^"]+)"/)[1]]) {
    const other = await context.newPage();
    await other.goto(address.replaceAll("&amp;", "&"));
    await appStarted(other);
    assert.equal(await caption(other), said, address);
    await other.close();
  }
  // A person can read what a built-in story needs.
  const { pathname, search, hash } = new URL(frame.match(/src="([^"]+)"/)[1].replaceAll("&amp;", "&"));
  assert.deepEqual([pathname, search, hash], ["/", `?embed&scenario=${CRASH}&step=75&lang=en`, ""]);
  assert.match(element, new RegExp(`<logstep-figure label="[^"]+" scenario="${CRASH}" step="75" lang="en">`));
  assert.doesNotMatch(frame, /style=/);
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("dialog").count(), 0);
});

pageTest("what was done by hand, and the colours and the speed of the page, are given away as well", { reducedMotion: true, path: "?theme=dark" }, async ({ page, context }) => {
  await scrubTo(page, 45);
  await member(page, "c1").click();
  await page.getByRole("menuitem", { name: /^Crash\b/ }).click();
  await page.locator(".speed select").selectOption("2000");
  const said = await caption(page);
  await open(page);
  const frame = await text(page, "Frame, without script");
  const element = await text(page, "Element, resizes itself and has an API");
  assert.match(frame, /\?embed&amp;theme=dark&amp;speed=2#v=1&amp;scenario=.*&amp;do=/);
  assert.match(element, / theme="dark" speed="2" src="[^"]+#v=1&/);
  const preview = page.frameLocator(".preview");
  assert.equal(await preview.locator(".caption").textContent(), said);
  assert.deepEqual(await preview.locator("html").evaluate((root) => [root.dataset.theme, root.lang]), ["dark", "en"]);
  await page.getByRole("dialog").getByLabel("Language").selectOption({ label: "日本語" });
  await preview.locator("html[lang=ja]").waitFor();
  await page.getByRole("dialog").getByLabel("Colours").selectOption({ label: "the reader's" });
  await preview.locator("html[data-theme=light]").waitFor();
  const other = await context.newPage();
  await other.goto((await text(page, "Frame, without script")).match(/src="([^"]+)"/)[1].replaceAll("&amp;", "&"));
  await appStarted(other);
  assert.match(await caption(other), /c1 がクラッシュしました/);
});

pageTest("what the figure shows is chosen, and the preview follows", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 75);
  await open(page);
  const preview = page.frameLocator(".preview");
  await preview.locator(".transport").waitFor();
  assert.equal(await preview.locator(".why").count(), 0);
  const snippet = () => text(page, "Frame, without script");
  // The preview is the snippet: its address, and its height is that of the figure.
  const isPreviewed = async () => {
    await page.waitForFunction(() => {
      const frame = document.querySelector(".preview");
      return Math.abs(frame.height - frame.contentDocument.documentElement.getBoundingClientRect().height) <= 1;
    });
    const [, address, height] = (await snippet()).match(/src="[^"]*\/(\?[^"]+)"[^]* height="(\d+)"/);
    assert.equal(await page.locator(".preview").getAttribute("src"), `./${address.replaceAll("&amp;", "&")}`);
    assert.equal(await page.locator(".preview").getAttribute("height"), height);
  };
  await isPreviewed();
  await page.getByLabel("explanation", { exact: true }).check();
  await preview.locator("#why h3").waitFor();
  assert.match(await snippet(), /show=verdicts,transport,timeline,legend,why/);
  await isPreviewed();
  for (const part of ["results", "timeline", "legend"]) await page.getByLabel(part, { exact: true }).uncheck();
  await preview.locator(".verdicts").waitFor({ state: "hidden" });
  assert.match(await text(page, "Element, resizes itself and has an API"), / show="transport,why"/);
  await page.getByLabel("explanation", { exact: true }).uncheck();
  assert.match(await snippet(), /&amp;compact"/);
  await page.getByLabel("plays when it comes into sight").check();
  assert.match(await snippet(), /&amp;compact&amp;autoplay"/);
  assert.match(await text(page, "Element, resizes itself and has an API"), / compact autoplay>/);
  await isPreviewed();
});

pageTest("a text is copied by a button, or selected where copying is forbidden", { reducedMotion: true }, async ({ page, context }) => {
  await open(page);
  const copy = page.getByRole("button", { name: "Copy: Link" });
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }));
  await copy.click();
  await page.waitForFunction(() => {
    const { activeElement: area } = document;
    return area.matches("textarea") && area.selectionStart === 0 && area.selectionEnd === area.value.length;
  });
  await page.evaluate(() => { delete navigator.clipboard; });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await copy.click();
  await page.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await text(page, "Link"));
});

pageTest("what is too much for a link is offered as a file", { reducedMotion: true }, async ({ page }) => {
  // Words that do not repeat, so that they cannot be packed.
  const random = (seed) => Array.from({ length: 4_000 }, (_, index) => ((seed + index) * 2654435761 % 4294967296).toString(36)).join(" ");
  const own = {
    format: "logstep/1", title: "Much", about: random(7), seed: 1, ends_at: "10s", cluster: { kafka: "4.0" },
    topics: [{ name: "orders", partitions: 1 }],
    producers: [{ name: "shop", client: { family: "java", version: "4.0" }, topic: "orders", workload: { from: "1s", per_second: 1, records: 2, keys: 1 } }],
    groups: [],
  };
  await page.locator("input[type=file]").setInputFiles(temporaryFile("much.json", own));
  await page.waitForFunction(() => document.title.startsWith("Much"));
  await open(page);
  assert.match(await page.getByRole("dialog").textContent(), /too much for a link/);
  const download = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: /Scenario file/ }).click();
  assert.match((await download).suggestedFilename(), /\.json$/);
});

pageTest("in Japanese on a phone it reads, and nothing scrolls sideways", { lang: "ja", width: 360, height: 740, theme: "dark", reducedMotion: true }, async ({ page, axe, screenshot }) => {
  await open(page, "共有・埋め込み…");
  await page.frameLocator(".preview").locator(".member").first().waitFor();
  await axe();
  await screenshot("share-360-ja");
  assert.equal(await page.evaluate(() => document.querySelector("dialog").scrollWidth - document.querySelector("dialog").clientWidth), 0);
});
