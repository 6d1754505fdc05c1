// The address: it follows what is shown, leads back there, and does no harm whatever it says.

import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { pageTest, settled } from "./page.mjs";
import { CRASH, UNIQUE_KEY, caption, captions, drawing, lastStep, member, scenario, scrubTo, shownStep, temporaryFile } from "./story.mjs";

const fragment = (page) => page.evaluate(() => location.hash);
const part = async (page, name) => new URLSearchParams((await fragment(page)).slice(1)).get(name);
const addressSays = (page, name, value) =>
  page.waitForFunction(([name, value]) => new URLSearchParams(location.hash.slice(1)).get(name) === value, [name, value]);
const story = (page) => page.locator(".choose-story select").inputValue();
const pack = (content) => deflateSync(content).toString("base64url");

async function again(context, url) {
  const page = await context.newPage();
  await page.goto(url);
  await page.locator(".member").first().waitFor();
  await settled(page);
  return page;
}

pageTest("the address follows quietly, and a reload comes back where it was", { reducedMotion: true }, async ({ page, context }) => {
  const entries = await page.evaluate(() => history.length);
  await scrubTo(page, 70);
  await page.getByRole("button", { name: "日本語" }).click();
  await addressSays(page, "step", "70");
  await addressSays(page, "lang", "ja");
  assert.equal(await part(page, "scenario"), CRASH);
  assert.equal(await page.evaluate(() => history.length), entries, "no entry was added");

  const shown = [await shownStep(page), await caption(page), await drawing(page)];
  await page.reload();
  await page.locator(".member").first().waitFor();
  assert.deepEqual([await shownStep(page), await caption(page), await drawing(page)], shown);
  const other = await again(context, page.url());
  assert.deepEqual([await shownStep(other), await caption(other), await drawing(other)], shown);
});

pageTest("a reload while it plays comes back to about the place", {}, async ({ page }) => {
  const from = await shownStep(page);
  await page.locator("#play").click();
  await page.waitForFunction((wanted) => Number(document.querySelector("#timeline").value) >= wanted, from + 8);
  const left = await shownStep(page);
  await page.reload();
  await page.locator(".member").first().waitFor();
  const shown = await shownStep(page);
  assert.ok(Math.abs(shown - left) <= 4, `left at ${left}, came back to ${shown}`);
});

pageTest("what was shown last is there after a reload at once", { reducedMotion: true }, async ({ page }) => {
  await addressSays(page, "scenario", CRASH);
  await page.waitForTimeout(500); // Until the address may be changed again.
  await page.keyboard.press("End");
  await page.reload();
  await page.locator(".member").first().waitFor();
  assert.equal(await shownStep(page), await lastStep(page));
});

pageTest("who leaves before the address may be changed again comes back all the same", { reducedMotion: true }, async ({ page }) => {
  await page.keyboard.press("End");
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("ArrowLeft");
  const left = await shownStep(page);
  await page.evaluate(() => document.documentElement.classList.add("left"));
  await page.goto("about:blank");
  await page.goBack();
  await page.locator(".member").first().waitFor();
  assert.equal(await page.locator("html.left").count(), 0, "the page was opened anew");
  assert.equal(await shownStep(page), left);
});

pageTest("a link carries what was done by hand", { reducedMotion: true }, async ({ page, context }) => {
  for (const [step, name, action] of [[45, "c1", "Crash"], [70, "c1", "Start"], [80, "c2", "Freeze"]]) {
    await scrubTo(page, step);
    await member(page, name).click();
    await page.getByRole("menuitem", { name: new RegExp(`^${action}\\b`) }).click();
  }
  const said = await captions(page);
  await scrubTo(page, 90);
  await addressSays(page, "step", "90");
  const shown = [await shownStep(page), await caption(page), await drawing(page)];
  const other = await again(context, page.url());
  assert.deepEqual([await shownStep(other), await caption(other), await drawing(other)], shown);
  assert.deepEqual(await captions(other), said);
});

pageTest("another story is another entry, and Back returns to the place in the one before", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 61);
  await addressSays(page, "step", "61");
  await page.locator(".choose-story select").selectOption("1");
  await addressSays(page, "scenario", UNIQUE_KEY);
  await page.goBack();
  await addressSays(page, "scenario", CRASH);
  await page.waitForFunction(() => document.querySelector("#timeline").value === "61");
  assert.equal(await story(page), "0");
  await page.goForward();
  await addressSays(page, "scenario", UNIQUE_KEY);
  await page.waitForFunction(() => document.querySelector(".choose-story select").value === "1");
});

pageTest("a scenario of one's own is in the link as a whole", { reducedMotion: true }, async ({ page, context }) => {
  const own = { ...scenario(CRASH), title: { ja: "わたしの実行", en: "A run of my own" } };
  await page.locator("input[type=file]").setInputFiles(temporaryFile("own.json", own));
  await page.locator(".story h2", { hasText: "A run of my own" }).waitFor();
  await scrubTo(page, 33);
  await addressSays(page, "step", "33");
  assert.ok(page.url().length < 8_000, `${page.url().length}`);
  const shown = [await caption(page), await drawing(page)];
  const other = await again(context, page.url());
  await other.locator(".story h2", { hasText: "A run of my own" }).waitFor();
  await settled(other);
  assert.equal(await shownStep(other), 33);
  assert.deepEqual([await caption(other), await drawing(other)], shown);
});

const openTo = (hash) => ({ path: `#${hash}`, reducedMotion: true });

pageTest("a link whose run goes differently now opens at the same time and says so", openTo(`v=1&scenario=${CRASH}&step=20&t=13000000`), async ({ page }) => {
  await page.getByRole("dialog").getByText(/another version/).waitFor();
  await page.keyboard.press("Escape");
  assert.match(await page.locator(".clock-readout").textContent(), /t = 1[23]\./);
});

for (const [what, hash, message] of [
  ["a story that is not there", "v=1&scenario=nothing&step=3", /no story of the name/],
  ["a later version", "v=99&scenario=x", /newer version/],
  ["a damaged number", `v=1&scenario=${CRASH}&step=abc`, /damaged: step/],
  ["damaged deeds", `v=1&scenario=${CRASH}&step=3&do=%00`, /damaged: do/],
  ["a file that is no file", "v=1&file=AAAA&step=3", /could not be read/],
  ["a file with mistakes", `v=1&file=${pack('{ "format": "logstep/1", "colour": 1 }')}`, /cannot be opened/],
  ["a file that unpacks to far more than a scenario may be", `v=1&file=${pack(Buffer.alloc(30_000_000, " "))}`, /could not be read/],
  ["a link that is far too long", `v=1&file=${"A".repeat(200_000)}`, /too long/],
]) {
  pageTest(`${what} in a link: a message, the first story, and nothing else`, openTo(hash), async ({ page }) => {
    await page.getByRole("dialog").getByText(message).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await story(page), "0");
    // The address says at once what is shown.
    await addressSays(page, "scenario", CRASH);
    await page.keyboard.press("End");
    assert.match(await caption(page), /^The run ends/);
  });
}

pageTest("a story by a name that there is not: a message, and no step of another", { path: "?scenario=nope&step=58", reducedMotion: true }, async ({ page }) => {
  await page.getByRole("dialog").getByText(/no story of the name/).waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await story(page), "0");
  assert.notEqual(await shownStep(page), 58);
});

pageTest("what is shown takes the place of the parameters that said it, and of no others", { path: `?scenario=${UNIQUE_KEY}&theme=dark&step=58&lang=en`, reducedMotion: true }, async ({ page, context }) => {
  assert.deepEqual([await shownStep(page), await story(page)], [58, "1"]);
  await scrubTo(page, 60);
  await addressSays(page, "step", "60");
  assert.equal(await page.evaluate(() => location.search), "?theme=dark");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator("#export").click();
  await page.getByRole("menuitem", { name: "Copy as text" }).click();
  await page.getByText("Copied.").first().waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(`\\n${new URL(page.url()).origin}/#v=1&scenario=${UNIQUE_KEY}&step=60&`));
});

// Links of the first version in each form. They never change.
const FILE = pack(JSON.stringify({ ...scenario(CRASH), title: "Mine" }));
for (const [hash, title, step] of [
  [`#step=3`, /commits$/, 3],
  [`#scenario=${UNIQUE_KEY}&step=58`, /unique key/i, 58],
  [`#v=1&scenario=${CRASH}&do=iNjXAwMAAQAA&step=46&lang=en`, /commits$/, 46],
  [`#v=1&scenario=${CRASH}&step=46&events=all&lang=en`, /commits$/, 46],
  [`#v=1&file=${FILE}&step=58&lang=en`, /^Mine$/, 58],
  [`#v=1&file=${FILE}&do=iNjXAwMAAQAA&step=46`, /^Mine$/, 46],
]) {
  pageTest(`an old link is opened: ${hash.slice(0, 60)}`, { path: hash, reducedMotion: true }, async ({ page }) => {
    await page.locator(".story h2", { hasText: title }).waitFor();
    assert.equal(await shownStep(page), step);
    assert.equal(await page.getByRole("dialog").count(), 0);
    if (hash.includes("&do=")) {
      await page.locator(".own-branch").waitFor();
      await page.keyboard.press("End");
      assert.match((await captions(page)).join("\n"), /c1 crashes/);
    }
  });
}

pageTest("a hundred links, each damaged elsewhere, do no harm", { reducedMotion: true }, async ({ page }) => {
  const whole = `v=1&scenario=${CRASH}&do=iNjXAwMAAQAA&step=46&t=7000000&check=00c0ffee&events=all&lang=en&file=${FILE.slice(0, 300)}`;
  const failed = await page.evaluate(async (whole) => {
    let state = 20;
    const random = (below) => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) % below;
    };
    const letters = "#&=%0918AZaz_-<>\"'\u0000\u3042";
    const mutated = () => {
      const parts = whole.split("");
      for (let times = 1 + random(4); times > 0; times -= 1) {
        const at = random(parts.length);
        [() => parts.splice(at, 1 + random(20)), () => { parts[at] = letters[random(letters.length)]; }, () => parts.splice(at, 0, letters[random(letters.length)].repeat(1 + random(9)))][random(3)]();
      }
      return parts.join("");
    };
    for (let link = 0; link < 100; link += 1) {
      const hash = mutated();
      location.hash = hash;
      await new Promise((done) => setTimeout(done, 20));
      if (document.documentElement.dataset.boot !== "started" || document.querySelectorAll(".member").length === 0) return hash;
    }
    return null;
  }, whole);
  assert.equal(failed, null);
  assert.equal(await page.locator("img, script:not([src])").count(), 0);
  await page.evaluate((hash) => { location.hash = hash; }, `v=1&scenario=${CRASH}&step=58&lang=en`);
  await page.waitForFunction(() => document.querySelector("#timeline").value === "58");
});

pageTest("text in a link is never markup", openTo(`v=1&scenario=${encodeURIComponent("<img src=x onerror=alert(1)>")}&step=1`), async ({ page }) => {
  await page.getByRole("dialog").waitFor();
  assert.equal(await page.locator("img").count(), 0);
});
