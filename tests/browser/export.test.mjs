// What a person takes along: pictures of the stage, texts of the run, the step as words. Each is opened and looked at.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { appStarted, pageTest, settled } from "./page.mjs";
import { largeScenario } from "../../scripts/large-scenario.mjs";
import { CRASH, caption, lastStep, member, nativeText, pressUntilFocused, scenario, scenarioFile, sceneAsText, scrubTo, temporaryFile, verdict } from "./story.mjs";

const WORDS = {
  en: {
    menu: "Share and export", export: "Export", copy: "Copy as text", svg: "SVG", png: "PNG", transcript: "Transcript (text)", outcome: "Outcome (JSON)",
    ledger: "Ledger (CSV)", scenario: "Scenario file (JSON)",
  },
  ja: {
    menu: "共有・書き出し", export: "書き出す", copy: "文章をコピー", svg: "SVG", png: "PNG", transcript: "経過（テキスト）", outcome: "実行結果（JSON）",
    ledger: "処理の記録（CSV）", scenario: "シナリオファイル（JSON）",
  },
};

const menu = (page, lang = "en") => page.getByRole("menu", { name: WORDS[lang].menu });
const dialog = (page, lang = "en") => page.getByRole("dialog", { name: new RegExp(`^(${WORDS[lang].export}|${WORDS[lang].menu})$`) });

const waiting = (page) => page.getByRole("dialog", { name: "Exporting…" });

async function choose(page, what, lang = "en") {
  await page.getByRole("button", { name: WORDS[lang].menu }).click();
  await menu(page, lang).getByRole("menuitem", { name: WORDS[lang][what], exact: true }).click();
}

// Takes it along; the name of the file and what is in it.
async function taken(page, what, lang = "en") {
  const [download] = await Promise.all([page.waitForEvent("download"), choose(page, what, lang)]);
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
}

const open = (page, file) => page.locator("input[type=file]").setInputFiles(file);

// --- Looking at pictures, in a page without any policy or style of ours.

async function elsewhere(context) {
  const page = await context.newPage();
  await page.goto("about:blank");
  return page;
}

const address = (content, type) => `data:${type};base64,${content.toString("base64")}`;

// Runs in a page: two pictures drawn at one size; how many of a thousand of their points differ so much that one sees it, how
// many colours the first has, and the colour of its corner.
const compare = async ([first, second, width, height]) => {
  const points = [];
  for (const source of [first, second]) {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, width, height);
    points.push(context.getImageData(0, 0, width, height).data);
  }
  const [a, b] = points;
  let different = 0;
  const colours = new Set();
  for (let at = 0; at < a.length; at += 4) {
    if (Math.max(...[0, 1, 2].map((part) => Math.abs(a[at + part] - b[at + part]))) > 64) different += 1;
    colours.add((a[at] << 16) | (a[at + 1] << 8) | a[at + 2]);
  }
  return { different: (different / (width * height)) * 1000, colours: colours.size, corner: [...a.slice(0, 4)] };
};

// The drawing as one sees it on the page, at the size that it has there. What else the page shows over it is taken away.
async function seen(page) {
  const box = await page.locator(".stage-drawing").evaluate((stage) => {
    const { width, height } = stage.viewBox.baseVal;
    Object.assign(stage.style, { position: "fixed", left: 0, top: 0, width: `${width}px`, height: `${height}px`, background: "var(--bg)", zIndex: 9 });
    return { width, height };
  });
  // As wide as it was, since words are larger where the window is narrower.
  const { width } = page.viewportSize();
  await page.setViewportSize({ width: Math.max(width, Math.ceil(box.width)), height: Math.ceil(box.height) });
  return { ...box, png: await page.screenshot({ clip: { x: 0, y: 0, ...box } }) };
}

for (const [lang, theme, width, step] of [["en", "light", 1280, 70], ["ja", "dark", 1280, 101], ["ja", "light", 360, 85]]) {
  pageTest(`the picture is the stage, on its own, ${lang}, ${theme}, ${width} px`, { lang, theme, width, reducedMotion: true }, async ({ page, context }) => {
    await scrubTo(page, step);
    const sentence = await caption(page);
    const { name, content } = await taken(page, "svg", lang);
    const { name: pngName, content: png } = await taken(page, "png", lang);
    assert.deepEqual([name, pngName], [`logstep-${CRASH}-step-${step}.svg`, `logstep-${CRASH}-step-${step}.png`]);

    const svg = content.toString("utf8");
    const other = await elsewhere(context);
    const found = await other.evaluate((svg) => {
      const { documentElement: root } = new DOMParser().parseFromString(svg, "image/svg+xml");
      const all = [...root.querySelectorAll("*")];
      return {
        root: root.localName,
        kinds: [...new Set(all.map((element) => element.localName))].sort(),
        attributes: [...new Set([root, ...all].flatMap((element) => element.getAttributeNames()))],
        size: [root.getAttribute("width"), root.getAttribute("height")].map(Number),
        texts: [...root.querySelectorAll("text")].map((text) => text.textContent),
        title: root.querySelector("title").textContent,
        description: root.querySelector("desc").textContent,
      };
    }, svg);
    assert.equal(found.root, "svg");
    assert.deepEqual(found.kinds, ["circle", "desc", "g", "path", "rect", "text", "title", "tspan"]);
    assert.deepEqual(found.attributes.filter((attribute) => /^(on|class|style|href|xlink|tabindex|pathLength)/.test(attribute)), []);
    assert.deepEqual(svg.match(/url\(|var\(|https?:[^"]*/g), ["http://www.w3.org/2000/svg"], "nothing is fetched, nothing is looked up");
    const texts = await page.locator(".stage-drawing text").evaluateAll((texts) => texts.map((text) => text.textContent).filter((text) => text));
    assert.ok(texts.filter((text) => /^[A-F]\d$/.test(text)).length > 10, "the stage shows records");
    assert.deepEqual(found.texts, texts);
    assert.ok(found.title.includes(lang === "ja" ? `ステップ ${step}` : `step ${step}`), found.title);
    assert.ok(found.description.startsWith(sentence));
    assert.ok(found.description.includes(`${lang === "ja" ? "消失" : "Lost"}: 0`), found.description);

    // It looks as the page does; so does the PNG, which is twice as large.
    const [pngWidth, pngHeight] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.deepEqual([pngWidth, pngHeight], found.size.map((length) => length * 2));
    const shown = await seen(page);
    for (const [picture, type] of [[content, "image/svg+xml"], [png, "image/png"]]) {
      const { different, colours, corner } = await other.evaluate(compare, [address(picture, type), address(shown.png, "image/png"), shown.width, shown.height]);
      // Drawn at twice the size and made smaller, letters have other edges.
      assert.ok(different < (type === "image/png" ? 12 : 0.1), `${type}: ${different} of 1000 points differ`);
      assert.ok(colours > 50, `${type}: ${colours} colours`);
      assert.deepEqual(corner, theme === "dark" ? [14, 19, 28, 255] : [244, 246, 249, 255]);
    }
  });
}

for (const lang of ["en", "ja"]) {
  pageTest(`the texts of a run are those of the headless runner, ${lang}`, { lang, reducedMotion: true }, async ({ page }) => {
    await scrubTo(page, 30);
    for (const [what, rest, ...options] of [["transcript", "-transcript.txt", "--lang", lang], ["outcome", "-outcome.json", "--json"], ["ledger", "-ledger.csv", "--csv"]]) {
      const { name, content } = await taken(page, what, lang);
      assert.equal(name, `logstep-${CRASH}${rest}`);
      const text = content.toString("utf8");
      const native = nativeText(scenarioFile(CRASH), ...options);
      if (what !== "transcript") assert.equal(text, native);
      else {
        const [title, link, empty, ...lines] = text.split("\n");
        assert.deepEqual([title, empty, lines.join("\n")], [scenario(CRASH).title[lang], "", native]);
        assert.match(link, new RegExp(`^http.*/#v=1&scenario=${CRASH}&step=30&.*lang=${lang}$`));
        // The last step has the number that the page gives it.
        assert.equal(lines.findLast((line) => /^ *\d+ +[\d.]+  /.test(line)).trim().split(" ")[0], String(await lastStep(page)));
      }
    }
    const { name, content } = await taken(page, "scenario", lang);
    assert.equal(name, `logstep-${CRASH}.json`);
    assert.deepEqual(content, readFileSync(scenarioFile(CRASH)));
    assert.match(await caption(page), lang === "ja" ? /書き出しました。/ : /Exported\./);
  });
}

pageTest("what was done by hand is in the texts of the run", { reducedMotion: true }, async ({ page }) => {
  for (const [step, name, action] of [[45, "c1", "Crash"], [70, "c1", "Start"], [80, "c2", "Freeze"]]) {
    await scrubTo(page, step);
    await member(page, name).click();
    await page.getByRole("menuitem", { name: new RegExp(`^${action}\\b`) }).click();
  }
  const outcome = JSON.parse((await taken(page, "outcome")).content);
  assert.notEqual(outcome.digest, JSON.parse(nativeText(scenarioFile(CRASH), "--json")).digest);
  await page.keyboard.press("End");
  assert.ok((await sceneAsText(page)).join("\n").includes(outcome.digest), "it is the run that the page shows");
  assert.equal(await verdict(page, "Duplicates"), String(outcome.groups.billing.duplicates.total));
});

// Written as no program would.
const OWN = `\ufeff{ "format": "logstep/1",   "title": "わたしの/世界: <1>", "ends_at": "20s", "cluster": { "kafka": "4.0" },
  "topics": [{ "name": "t", "partitions": 2 }], "groups": [],\r
  "producers": [{ "name": "p", "topic": "t", "records": [{ "at": "1s", "key": "注文", "value": "=1+1" }, { "at": "2s", "key": "b", "value": "\\u0001\\"" }] }] }\n`;

pageTest("a file of one's own comes back byte for byte, and its picture is well-formed whatever its records hold", { reducedMotion: true }, async ({ page, context }) => {
  const file = temporaryFile("own.json", OWN);
  await open(page, file);
  await page.locator("#story option:checked", { hasText: "わたしの" }).waitFor({ state: "attached" });
  await page.keyboard.press("End");
  const { name, content } = await taken(page, "scenario");
  assert.equal(name, "logstep-わたしの-世界-1.json");
  assert.deepEqual(content, readFileSync(file));
  const [title, link, empty, ...lines] = (await taken(page, "transcript")).content.toString("utf8").split("\n");
  assert.deepEqual([title, empty, lines.join("\n")], ["わたしの/世界: <1>", "", nativeText(file)]);
  assert.match(link, /#v=1&.*&file=/);
  const svg = (await taken(page, "svg")).content.toString("utf8");
  const other = await elsewhere(context);
  assert.equal(await other.evaluate((svg) => new DOMParser().parseFromString(svg, "image/svg+xml").documentElement.localName, svg), "svg");
});

for (const lang of ["en", "ja"]) {
  pageTest(`the step is copied in words, with a link that leads to it, ${lang}`, { lang, reducedMotion: true }, async ({ page, context, screenshot }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await scrubTo(page, 101);
    const [sentence, duplicates] = [await caption(page), await verdict(page, lang === "ja" ? "重複" : "Duplicates")];
    await choose(page, "copy", lang);
    await page.locator(".caption", { hasText: lang === "ja" ? "コピーしました。" : "Copied." }).waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const lines = text.split("\n");
    assert.equal(lines.length, 6, text);
    assert.equal(lines[0], JSON.parse(readFileSync(scenarioFile(CRASH), "utf8")).title[lang]);
    assert.match(lines[1], lang === "ja" ? /^ステップ 101 · [\d.]+ 秒$/ : /^step 101 · [\d.]+ s$/);
    assert.equal(lines[2], sentence);
    assert.match(lines[3], lang === "ja" ? /^なぜ: ./ : /^Why: ./);
    assert.ok(lines[4].split(" · ").includes(`${lang === "ja" ? "重複" : "Duplicates"}: ${duplicates}`), lines[4]);
    await screenshot(`copied-${lang}`);

    const other = await context.newPage();
    await other.goto(lines[5]);
    await appStarted(other);
    await settled(other);
    assert.equal(await caption(other), sentence);
  });
}

pageTest("where copying is forbidden, the text is there, selected", { reducedMotion: true, prepare: ({ page }) => page.addInitScript(() => {
  Object.defineProperty(navigator, "clipboard", { value: undefined });
}) }, async ({ page, axe, screenshot }) => {
  await choose(page, "copy");
  const area = dialog(page).getByRole("textbox");
  const [text, selected] = await area.evaluate((area) => [area.value, area.value.slice(area.selectionStart, area.selectionEnd)]);
  assert.match(text, /\nhttp:\/\/127\.0\.0\.1:.*#v=1&scenario=/);
  assert.equal(selected, text);
  assert.ok(await area.evaluate((area) => area === document.activeElement));
  await screenshot("export-copy-by-hand");
  await axe();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
});

pageTest("in a sandboxed frame, where nothing can be saved or copied, everything can be taken by hand", {
  wait: "nothing",
  reducedMotion: true,
}, async ({ page, url, screenshot }) => {
  await page.setContent(`<iframe sandbox="allow-scripts" src="${url}" width="1200" height="700" title="logstep"></iframe>`);
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  await appStarted(frame);
  const byHand = async (what) => {
    await choose(frame, what);
    await dialog(frame).waitFor();
  };
  const close = async () => {
    await page.keyboard.press("Escape");
    await dialog(frame).waitFor({ state: "detached" });
  };
  const text = () => dialog(frame).getByRole("textbox").inputValue();

  await byHand("copy");
  assert.match(await text(), /^step \d+ · /m);
  await close();
  await byHand("ledger");
  // A text area has no carriage returns.
  assert.equal(await text(), nativeText(scenarioFile(CRASH), "--csv").replaceAll("\r\n", "\n"));
  assert.equal(await dialog(frame).getByRole("link").getAttribute("download"), `logstep-${CRASH}-ledger.csv`);
  await close();
  await byHand("svg");
  assert.match(await text(), /^<svg [^]*<\/svg>\n$/);
  await close();
  await byHand("png");
  assert.ok(await dialog(frame).getByRole("img").evaluate(async (image) => { await image.decode(); return image.naturalWidth > 1000; }));
  await screenshot("export-in-a-frame");
  await close();
});

const isExporter = (url) => /\/logstep-exporter-[0-9a-f]{16}_bg\.wasm$/.test(url.pathname);
const isScript = (url) => /\/export-[0-9a-f]{16}\.js$/.test(url.pathname);

for (const [what, matches] of [["what makes it", isScript], ["the exporter", isExporter]]) {
  pageTest(`where ${what} does not arrive, the page says so, and the next time tries again`, {
    reducedMotion: true,
    expect: [/Failed to load resource/, /TypeError/],
  }, async ({ page, screenshot }) => {
    await page.route(matches, (route) => route.abort());
    await choose(page, "outcome");
    await dialog(page).getByText("The export did not succeed").waitFor();
    await screenshot("export-failed");
    await page.keyboard.press("Escape");
    await page.unroute(matches);
    assert.equal((await taken(page, "outcome")).content.toString("utf8"), nativeText(scenarioFile(CRASH), "--json"));
  });
}

pageTest("under a policy that allows no picture of its own the page says that there is no PNG, and SVG works", {
  reducedMotion: true,
  expect: [/Content Security Policy/, /EncodingError/],
  prepare: ({ page, url }) => page.route(url, async (route) => {
    const response = await route.fetch();
    const policy = response.headers()["content-security-policy"].replace(/;\s*img-src[^;]*/, "");
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
  }),
}, async ({ page }) => {
  await choose(page, "png");
  await dialog(page).getByText("Please export SVG instead.").waitFor();
  await page.keyboard.press("Escape");
  assert.match((await taken(page, "svg")).content.toString("utf8"), /^<svg /);
});

pageTest("while it takes long the page says so, and can be told to stop", { reducedMotion: true }, async ({ page, axe, screenshot }) => {
  let downloads = 0;
  page.on("download", () => { downloads += 1; });
  let arrive;
  const arrives = new Promise((resolve) => { arrive = resolve; });
  await page.route(isExporter, async (route) => { await arrives; await route.continue(); });
  await choose(page, "ledger");
  await waiting(page).getByRole("progressbar", { name: "Exporting…" }).waitFor();
  await screenshot("export-progress");
  await axe();
  await waiting(page).getByRole("button", { name: "Cancel" }).click();
  await waiting(page).waitFor({ state: "detached" });
  const answered = page.waitForResponse((response) => isExporter(new URL(response.url())));
  arrive();
  await answered;
  // What is asked for now is made after the one that was given up.
  assert.equal((await taken(page, "outcome")).content.toString("utf8"), nativeText(scenarioFile(CRASH), "--json"));
  assert.equal(downloads, 1);
});

pageTest("a long run says how far it is, and the page goes on", { reducedMotion: true }, async ({ page }) => {
  await open(page, temporaryFile("long.json", largeScenario({ partitions: 12, members: 6, records: 20_000, perSecond: 500, handling: "1ms", endsAt: "120s" })));
  await page.locator("#story option:checked", { hasText: "20000 records" }).waitFor({ state: "attached" });
  await page.evaluate(() => {
    window.seen = [];
    new MutationObserver(() => {
      const bar = document.querySelector("progress");
      if (bar && window.seen.at(-1) !== bar.value) window.seen.push(bar.value);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await taken(page, "transcript");
  const seen = await page.evaluate(() => window.seen);
  assert.ok(seen.length >= 3 && seen.every((percent, index) => index === 0 || percent >= seen[index - 1]), String(seen));
});

pageTest("the menu is there for the keyboard and for everyone", { reducedMotion: true }, async ({ page, axe, screenshot }) => {
  await pressUntilFocused(page, "Tab", "#export");
  await page.keyboard.press("Enter");
  await menu(page).waitFor();
  await screenshot("export-menu");
  await axe();
  for (const _ of [1, 2]) await page.keyboard.press("ArrowDown"); // behind sharing and copying
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  assert.match(download.suggestedFilename(), /\.svg$/);
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement.id), "export", "the focus is back where it came from");
});
