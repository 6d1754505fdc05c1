// Everything by touch: each region of the page does for a finger what it does for a mouse, and a finger hits it.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { QUESTION } from "./states.mjs";
import { caption, captions, lastStep, member, scrubTo, shownStep, temporaryFile } from "./story.mjs";

const menu = (page) => page.getByRole("menu");
const SIZES = [{ width: 360, height: 740 }, { width: 1320, height: 800 }];
const MISTAKES = `{ "format": "logstep/1", "seed": "x" }`;

// A test at both sizes.
function touchTest(name, body, options = {}) {
  for (const size of SIZES) pageTest(`${name}, ${size.width} px`, { ...size, touch: true, reducedMotion: true, ...options }, body);
}

const tap = async (page, selector) => {
  await page.locator(selector).first().tap();
  await settled(page);
};
// A tap as it comes from a finger: before its own, the harness scrolls what it taps into the middle.
const tapAt = async (page, locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  await page.touchscreen.tap(x + width / 2, y + height / 2);
};
// A tap where there is nothing that a finger could mean.
const tapBeside = async (page) => {
  const [x, y] = await page.evaluate(() => {
    const isFree = (x, y) => [[0, 0], [-20, 0], [20, 0], [0, -20], [0, 20]].every(([across, down]) => {
      const hit = document.elementFromPoint(x + across, y + down);
      return hit && !hit.closest("button, label, select, input, summary, .member, .subject, .menu, .group") && (!hit.closest("dialog") || hit.matches("dialog"));
    });
    const isOutside = (x, y) => {
      const { left, right, top, bottom } = document.querySelector(".menu, dialog[open]").getBoundingClientRect();
      return x < left || x > right || y < top || y > bottom;
    };
    for (let y = 24; y < innerHeight - 24; y += 8) {
      // In front of a dialog there is only the dialog.
      for (const x of document.querySelector("dialog[open]") ? [4] : [30, innerWidth / 2, innerWidth - 30]) {
        if (isOutside(x, y) && (x === 4 || isFree(x, y))) return [x, y];
      }
    }
    return [];
  });
  await page.touchscreen.tap(x, y);
  await settled(page);
};
const scrollOf = (page) => page.evaluate(() => [scrollX, scrollY]);
const scrubToSentence = async (page, pattern) => {
  const index = (await captions(page)).findIndex((sentence) => pattern.test(sentence));
  assert.ok(index >= 0, `no step says ${pattern}`);
  await scrubTo(page, index + 1);
};

// A finger on the screen.
async function finger(page) {
  const session = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  return {
    down: (x, y) => touch("touchStart", [{ x, y }]),
    move: (x, y) => touch("touchMove", [{ x, y }]),
    up: () => touch("touchEnd", []),
  };
}

// Runs in the page: what can be pressed and is too small for a finger, or cannot be brought to where a finger hits it. Words
// inside of sentences are as high as their line.
const outOfReach = () => {
  const controls = [...document.querySelectorAll("button, label.button, select, input:not(.visually-hidden), summary, .member, .subject:not(.flight)")]
    .filter((element) => element.getClientRects().length > 0 && !element.matches(".term"));
  const top = document.querySelector("dialog[open], .menu");
  const found = [];
  for (const control of top ? controls.filter((element) => top.contains(element)) : controls) {
    control.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = control.getBoundingClientRect();
    const name = `${control.id || control.getAttribute("aria-label") || control.textContent} ${width.toFixed(1)}x${height.toFixed(1)}`;
    if (width < 24 || height < 24) found.push(`small: ${name}`);
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!hit || !(control.contains(hit) || hit.contains(control))) found.push(`covered by ${hit?.outerHTML.slice(0, 60)}: ${name}`);
  }
  return { count: controls.length, found };
};

const STATES = {
  start: (page) => page.keyboard.press("Home"),
  question: async (page) => {
    await scrubToSentence(page, /^c2 begins to read P2/);
    await page.keyboard.press("ArrowLeft");
    await tap(page, ".choice");
  },
  branch: async (page) => {
    await scrubTo(page, 45);
    for (const name of ["c1", "c2"]) {
      await member(page, name).tap();
      await menu(page).getByRole("menuitem").first().tap();
      await scrubTo(page, 45);
    }
    await tap(page, "#undo");
  },
  records: async (page) => {
    await page.keyboard.press("End");
    await tap(page, "#verdict-2");
  },
  menu: async (page) => {
    await scrubTo(page, 50);
    await member(page, "c2").tap();
  },
  places: (page) => tap(page, "#go-to"),
  word: (page) => tap(page, ".caption .term"),
  help: (page) => tap(page, "#help-button"),
  mistakes: (page) => page.locator("input[type=file]").setInputFiles(temporaryFile("mistakes.json", MISTAKES)).then(() => page.getByRole("dialog").waitFor()),
};

for (const size of [...SIZES, { width: 660, height: 400 }]) {
  for (const lang of ["en", "ja"]) {
    pageTest(`a finger hits everything, ${size.width}x${size.height}, ${lang}`, { ...size, touch: true, reducedMotion: true, path: `?lang=${lang}` }, async ({ page, screenshot }) => {
      for (const [state, reach] of Object.entries(STATES)) {
        // The sentences that are looked for are English.
        if (await page.locator(".head [lang=en]").count()) await tap(page, ".head [lang=en]");
        await reach(page);
        if (lang === "ja" && await page.locator("dialog, .menu").count() === 0) await tap(page, ".head [lang=ja]");
        await settled(page);
        await screenshot(`touch-${state}-${size.width}-${lang}`);
        const { count, found } = await page.evaluate(outOfReach);
        assert.ok(count > 15, `${state}: ${count} things to press`);
        assert.deepEqual(found, [], state);
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await page.evaluate(() => scrollTo(0, 0));
      }
    });
  }
}

touchTest("the head: language, colours, file and help", async ({ page }) => {
  await tap(page, ".head [lang=ja]");
  assert.equal(await page.locator("html").getAttribute("lang"), "ja");
  await tap(page, ".head [lang=en]");
  await tap(page, ".theme");
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");

  const chooser = page.waitForEvent("filechooser");
  await tap(page, ".open-file");
  await (await chooser).setFiles(temporaryFile("mistakes.json", MISTAKES));
  await page.getByRole("dialog").waitFor();
  await tap(page, "dialog .dialog-head .button");
  assert.equal(await page.getByRole("dialog").count(), 0);

  await tap(page, "#help-button");
  const box = await page.getByRole("dialog").boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  assert.equal(await page.getByRole("dialog").count(), 1, "a tap in it does not close it");
  await tapBeside(page);
  assert.equal(await page.getByRole("dialog").count(), 0, "a tap beside it does");
});

touchTest("the verdicts and their records", async ({ page }) => {
  await page.keyboard.press("End");
  await tap(page, "#verdict-2");
  assert.equal(await page.locator(".concerned button").count(), 3);
  await tap(page, ".concerned button");
  assert.match(await caption(page), /for the 2nd time/);
  await tap(page, "#verdict-2");
  assert.equal(await page.locator(".concern").count(), 0);
});

touchTest("the stage: a tap opens a menu, a tap elsewhere closes it, a tap on an entry does it", async ({ page }) => {
  const { width, height } = page.viewportSize();
  for (const [selector, act] of [["#producer-0", /^Send a record/], ["#of-partition-1", /^c2: pause/], ["#group-0", /^Add a consumer/], ["#member-1", /^Freeze/]]) {
    await scrubTo(page, 45);
    const subject = page.locator(selector);
    await subject.tap();
    const box = await menu(page).boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${selector}: ${JSON.stringify(box)}`);
    const scrolled = await scrollOf(page);
    await tapBeside(page);
    assert.equal(await menu(page).count(), 0, selector);
    assert.deepEqual(await scrollOf(page), scrolled, "to close a menu scrolls nothing");
    assert.equal(await page.locator(".own-branch").count(), 0);
    await subject.tap();
    await page.getByRole("menuitem", { name: act }).first().tap();
    assert.equal(await menu(page).count(), 0);
    assert.equal(await page.locator(".own-branch").count(), 1, `${selector}: ${act}`);
    await tap(page, "#undo");
  }
  // From one to another in a single tap.
  await member(page, "c1").tap();
  await page.locator("#producer-0").tap({ force: true });
  assert.match(await menu(page).textContent(), /^shop/);
});

// As soon as a message is on its way, and slow enough to be seen.
async function messageOnItsWay(page) {
  await scrubToSentence(page, /^shop sends E1/);
  await page.locator("#timeline").blur();
  await page.locator(".speed select").selectOption("⅒×");
  await page.locator(".speed select").blur();
  await page.evaluate(() => scrollTo(0, 0));
  await page.keyboard.press("ArrowRight");
  await page.locator(".flight").first().waitFor();
  const { x, y, width, height } = await page.locator(".flight").first().boundingBox();
  return [x + width / 2, y + height / 2];
}

touchTest("a message on its way: a finger holds it up, and the page stays where it is", async ({ page }) => {
  const [x, y] = await messageOnItsWay(page);
  const scrolled = await scrollOf(page);
  const touch = await finger(page);
  await touch.down(x, y);
  for (let step = 1; step <= 10; step++) await touch.move(x, y + 14 * step);
  await page.locator(".held-up", { hasText: /^\+1\.4 s$/ }).waitFor();
  await touch.up();
  assert.match(await page.locator(".own-branch").textContent(), /Delay the Produce/);
  assert.deepEqual(await scrollOf(page), scrolled);
}, { reducedMotion: false });

touchTest("a message on its way: a tap opens its menu, which has the focus, and a tap elsewhere lets it go on", async ({ page }) => {
  const [x, y] = await messageOnItsWay(page);
  await page.touchscreen.tap(x, y);
  await menu(page).waitFor();
  assert.match(await menu(page).textContent(), /^the Produce request/);
  await page.waitForTimeout(50); // what the browser makes of a tap for the sake of old pages comes after it
  assert.ok(await page.evaluate(() => document.activeElement.matches(".menu-item")));
  await tapBeside(page);
  assert.equal(await menu(page).count(), 0);
  assert.equal(await page.locator(".own-branch").count(), 0);
}, { reducedMotion: false });

touchTest("the timeline follows a finger, and the page does not scroll", async ({ page }) => {
  const last = await lastStep(page);
  const { x, y, width, height } = await page.locator("#timeline").boundingBox();
  const scrolled = await scrollOf(page);
  const touch = await finger(page);
  await touch.down(x + width * 0.2, y + height / 2);
  const seen = [];
  for (const share of [0.3, 0.5, 0.7, 0.9, 0.4]) {
    // A finger is not a ruler.
    await touch.move(x + width * share, y + height / 2 - 40 * share);
    seen.push(await caption(page));
    assert.ok(Math.abs(await shownStep(page) / last - share) < 0.04, `${await shownStep(page)} at ${share}`);
  }
  await touch.up();
  assert.equal(new Set(seen).size, 5);
  assert.deepEqual(await scrollOf(page), scrolled);
});

touchTest("the hand on time: two quick taps are two steps, and nothing zooms or scrolls", async ({ page }) => {
  const last = await lastStep(page);
  const buttons = page.locator(".transport-buttons .button");
  await scrubTo(page, 40);
  const scrolled = await scrollOf(page);
  for (const [index, step] of [[3, 41], [3, 42], [1, 41], [0, 0], [4, last], [4, last]]) {
    await tapAt(page, buttons.nth(index)); // at an end it is there, and does nothing
    assert.equal(await shownStep(page), step);
  }
  assert.deepEqual(await scrollOf(page), scrolled);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).touchAction), "manipulation");
  await page.keyboard.press("Home");
  await buttons.nth(2).tap();
  await page.waitForFunction(() => Number(document.querySelector("#timeline").value) > 0);
  await buttons.nth(2).tap();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();

  await scrubTo(page, 40);
  await tap(page, "#go-to");
  await tapBeside(page);
  assert.equal(await menu(page).count(), 0);
  await tap(page, "#go-to");
  await tap(page, "#go-to");
  assert.equal(await menu(page).count(), 0, "its button closes it too");
  await tap(page, "#go-to");
  await page.getByRole("menuitem", { name: /^Next crash/ }).tap();
  assert.match(await caption(page), /crashes/);
});

touchTest("what was done by hand is taken back, done again, and left for the story", async ({ page }) => {
  await scrubTo(page, 45);
  await member(page, "c1").tap();
  await page.getByRole("menuitem", { name: /^Crash/ }).tap();
  await tap(page, "#undo");
  assert.equal(await page.locator(".own-branch").count(), 0);
  await tap(page, "#redo");
  assert.equal(await page.locator(".own-branch").count(), 1);
  await tap(page, "#back-to-story");
  assert.equal(await page.locator(".own-branch").count(), 0);
});

touchTest("story and why: scenes, question, causes, settings, the scene as text", async ({ page }) => {
  await page.keyboard.press("Home");
  await tap(page, ".scenes .button:last-child");
  assert.ok(await shownStep(page) > 0);

  await scrubToSentence(page, /^c2 begins to read P2/);
  await page.keyboard.press("ArrowLeft");
  const asked = await shownStep(page);
  await tap(page, ".choice");
  assert.equal(await page.locator(".answer").count(), 1);
  await tap(page, ".question .primary");
  await page.waitForFunction((asked) => Number(document.querySelector("#timeline").value) > asked, asked);
  await tap(page, "#play");

  await scrubToSentence(page, /C3 .* for the 2nd time/);
  await tap(page, ".show-all");
  assert.equal(await page.locator(".show-all").count(), 0);
  await tap(page, ".reason.is-origin");
  assert.match(await caption(page), /^c3 crashes/);

  await scrubToSentence(page, /^c1 has processed A2/);
  await tap(page, "#setting-handling\\.time");
  await tapBeside(page);
  assert.equal(await menu(page).count(), 0);
  await tap(page, "#setting-handling\\.time");
  await page.getByRole("menuitemradio", { name: /^5s/ }).first().tap();
  assert.equal(await page.locator(".own-branch").count(), 1);

  await tap(page, ".twin summary");
  assert.ok(await page.locator(".twin li").count() > 5);
});

pageTest("on a phone the hand on time leaves the stage in sight, or brings it there", { ...SIZES[0], touch: true, reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 40);
  await page.evaluate(() => scrollTo(0, 0));
  for (const control of await page.locator(".transport :is(button, input, select)").all()) {
    await control.evaluate((element) => element.focus());
    assert.deepEqual(await scrollOf(page), [0, 0], await control.evaluate((element) => element.outerHTML));
  }
  const isStageInSight = async () => (await page.locator(".stage-drawing").boundingBox()).y > -100;
  const readBelow = async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    assert.equal(await isStageInSight(), false);
  };
  for (const name of ["One step forward", "One step back", "Play"]) {
    await readBelow();
    await tapAt(page, page.getByRole("button", { name, exact: true }));
    assert.ok(await isStageInSight(), name);
  }
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await readBelow();
  const shown = await shownStep(page);
  await page.keyboard.press("ArrowRight");
  assert.ok(await shownStep(page) > shown);
  assert.equal(await isStageInSight(), false, "whoever reads by keyboard is left there");
});

for (const [lang, width, says] of [["en", 360, "Press Play to begin."], ["en", 1280, "Press → or Play to begin."], ["ja", 360, "再生ボタンで始めます。"], ["ja", 1280, "→ キーか再生ボタンで始めます。"]]) {
  pageTest(`what begins the run is named where it is, ${width} px, ${lang}`, { lang, width, reducedMotion: true }, async ({ page }) => {
    await page.keyboard.press("Home");
    assert.ok((await caption(page)).endsWith(says), await caption(page));
    await page.setViewportSize({ width: width === 360 ? 1280 : 360, height: 800 });
    assert.equal((await caption(page)).includes("→"), width === 360, "it follows the window");
  });
}

pageTest("on a phone a question that stepping comes to says where it is", { reducedMotion: true, touch: true, width: 360, height: 740 }, async ({ page }) => {
  await scrubTo(page, QUESTION);
  await page.locator(".to-question").tap();
  await settled(page);
  assert.ok(await page.locator("#question .choice").first().evaluate((choice) => {
    const { top, bottom } = choice.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }));
  await page.locator("#question .choice").first().tap();
  assert.equal(await page.locator(".to-question").count(), 0);
});
