// Each region of the page by keyboard alone: Tab reaches it in the order in which one reads, Enter does its thing, and the
// focus is where one goes on, never nowhere.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { UNIQUE_KEY, caption, captions, lastStep, pressUntilFocused, scenario, scrubTo, shownStep, temporaryFile, verdict } from "./story.mjs";

const menu = (page) => page.getByRole("menu");
// In the page's own words, what has the focus; a dot for the page as a whole, which means that nothing has.
const focused = async (page) => {
  await settled(page);
  return page.evaluate(() => {
    const element = document.activeElement;
    return element === document.body ? "." : element.id || element.getAttribute("aria-label") || element.textContent;
  });
};
const hasFocus = async (page, selector) => {
  await settled(page);
  return page.evaluate((selector) => document.activeElement.matches(selector), selector);
};
// Puts the focus in front of the page, as after it was opened.
const toTop = (page) => page.evaluate(() => {
  const logo = document.querySelector(".logo");
  logo.tabIndex = -1;
  logo.focus();
});
// Reaches an element by Tab from the top of the page, and presses a key there.
const press = async (page, selector, key = "Enter") => {
  await toTop(page);
  await pressUntilFocused(page, "Tab", selector);
  await page.keyboard.press(key);
  await settled(page);
};
const scrubToSentence = async (page, pattern) => {
  const index = (await captions(page)).findIndex((sentence) => pattern.test(sentence));
  assert.ok(index >= 0, `no step says ${pattern}`);
  await scrubTo(page, index + 1);
};
const crashC1 = async (page) => {
  await press(page, "#member-0");
  await page.keyboard.press("Enter");
  await settled(page);
};

// Runs in the page: whether what has the focus lies before what had it when this was called last. One reads down or, within
// a row or to another column, to the right.
const tabbed = () => {
  const place = (element) => {
    const { left, right, top, bottom } = (element.matches(".visually-hidden") ? element.parentElement : element).getBoundingClientRect();
    // The hand on time stays in sight of a phone, and comes last.
    const transport = element.closest(".transport");
    const down = transport && getComputedStyle(transport).position === "sticky" ? 1e6 : 0;
    return { left, right, top: top + down, bottom: bottom + down };
  };
  const name = (element) => element.id || element.getAttribute("aria-label") || element.textContent || element.tagName;
  const [before, now] = [window.tabbedTo, document.activeElement];
  window.tabbedTo = now;
  if (now === document.body) return null;
  if (!before) return { name: name(now), isBack: false };
  const [from, to] = [place(before), place(now)];
  const isUp = to.bottom <= from.top + 1 && to.left < from.right - 1;
  const isLeft = to.right <= from.left + 1 && to.top < from.bottom - 4 && to.bottom > from.top + 4;
  return { name: `${name(before)} -> ${name(now)}`, isBack: isUp || isLeft };
};

for (const [width, height] of [[1320, 800], [820, 1180], [360, 740], [660, 400]]) {
  pageTest(`Tab goes as one reads, ${width}x${height}`, { width, height, reducedMotion: true }, async ({ page }) => {
    await scrubToSentence(page, /^c2 begins to read P2/);
    await page.keyboard.press("ArrowLeft");
    await toTop(page);
    const moves = [];
    for (let move = true; move && moves.length < 90;) {
      await page.keyboard.press("Tab");
      await settled(page);
      move = await page.evaluate(tabbed);
      if (move) moves.push(move);
    }
    assert.ok(moves.length > 30 && moves.length < 90, `${moves.length} places`);
    assert.equal(moves[0].name, "story");
    assert.deepEqual(moves.filter(({ isBack }) => isBack).map(({ name }) => name), []);
  });
}

pageTest("nothing that is pressed, closed or stepped away from leaves the focus nowhere", { reducedMotion: true }, async ({ page }) => {
  page.on("filechooser", () => {});
  await scrubToSentence(page, /^c2 begins to read P2/);
  await crashC1(page);
  await page.keyboard.press("Home");
  await scrubToSentence(page, /^c2 begins to read P2/);
  for (const key of ["Enter", "ArrowRight", "ArrowLeft"]) {
    await toTop(page);
    let visited = 0;
    for (; visited < 120; visited++) {
      await page.keyboard.press("Tab");
      const name = await focused(page);
      if (name === ".") break;
      // The browser's own lists are not part of the page, and without the side column there is less to visit.
      if (await hasFocus(page, "select, .side-switch")) continue;
      for (const pressed of [key, "Escape"]) {
        await page.keyboard.press(pressed);
        assert.notEqual(await focused(page), ".", `${pressed} on ${name}`);
      }
    }
    assert.ok(visited > 30 && visited < 120, `${key}: ${visited} places`);
  }
});

pageTest("the head: story, file, language and colours", { reducedMotion: true }, async ({ page }) => {
  await press(page, "#story", "ArrowDown");
  await page.waitForFunction((title) => document.title.startsWith(title), scenario(UNIQUE_KEY).title.en);
  assert.equal(await focused(page), "story");

  const chooser = page.waitForEvent("filechooser");
  await press(page, "input[type=file]");
  const own = { ...scenario(UNIQUE_KEY), title: "mine" };
  await (await chooser).setFiles(temporaryFile("mine.json", own));
  await page.waitForFunction(() => document.title === "mine – logstep");
  assert.ok(await hasFocus(page, "input[type=file]"));
  const before = await shownStep(page);
  await page.keyboard.press("ArrowRight");
  assert.equal(await shownStep(page), before + 1, "from here one can step");

  await press(page, ".head [lang=ja]");
  assert.equal(await page.locator("html").getAttribute("lang"), "ja");
  assert.equal(await focused(page), "English", "the same button leads back");
  await page.keyboard.press("Enter");

  await press(page, ".theme");
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  assert.ok(await hasFocus(page, ".theme"));
});

pageTest("a dialog has the focus, keeps it, and gives it back", { reducedMotion: true }, async ({ page }) => {
  const isInDialog = () => hasFocus(page, "dialog *");
  const mistakes = temporaryFile("mistakes.json", `{ "format": "logstep/1", "seed": "x" }`);
  for (const [opener, open] of [
    ["#help-button", () => press(page, "#help-button")],
    ["input[type=file]", async () => {
      const chooser = page.waitForEvent("filechooser");
      await press(page, "input[type=file]");
      await (await chooser).setFiles(mistakes);
    }],
  ]) {
    for (const close of ["Escape", "Enter"]) {
      await open();
      await page.getByRole("dialog").waitFor();
      assert.ok(await isInDialog(), opener);
      const shown = await shownStep(page);
      await page.keyboard.press("ArrowRight");
      assert.equal(await shownStep(page), shown, "keys are the dialog's");
      await page.keyboard.press(close);
      await settled(page);
      assert.equal(await page.getByRole("dialog").count(), 0, `${close} closes`);
      assert.ok(await hasFocus(page, opener), `${close} gives the focus back to ${opener}`);
    }
  }
});

pageTest("the verdicts: one opens, its records lead to their steps, Esc leads back to it", { reducedMotion: true }, async ({ page }) => {
  await page.keyboard.press("End");
  await press(page, "#verdict-2");
  assert.equal(await verdict(page, "Duplicates"), "3");
  assert.ok(await hasFocus(page, "#verdict-2[aria-pressed=true]"));
  await pressUntilFocused(page, "Tab", ".concerned button");
  await page.keyboard.press("Enter");
  assert.match(await caption(page), /for the 2nd time/);
  assert.ok(await hasFocus(page, ".concerned button"), "one goes from record to record");
  await page.keyboard.press("Escape");
  assert.equal(await focused(page), "verdict-2");
  assert.equal(await page.locator(".concern").count(), 0);
});

pageTest("the stage: producer, partition, group and member have menus that arrows go through", { reducedMotion: true }, async ({ page }) => {
  const item = (page) => page.evaluate(() => [...document.querySelectorAll(".menu-item")].indexOf(document.activeElement));
  for (const [selector, act, effect] of [
    ["#producer-0", /^Send a record/, async () => assert.match(await page.locator(".why-head").textContent(), /by hand/)],
    ["#of-partition-1", /^c2: pause\(\) P1/, async () => assert.match(await page.locator(".tape").nth(1).textContent(), /pause\(\)/)],
    ["#group-0", /^Add a consumer/, async () => assert.equal(await page.locator(".member").count(), 4)],
    ["#member-1", /^Freeze/, async () => assert.match(await page.locator("#member-1").getAttribute("aria-label"), /frozen|stopped/)],
  ]) {
    await scrubTo(page, 45);
    for (const key of ["Enter", " "]) {
      await press(page, selector, key);
      assert.equal(await item(page), 0, `${selector} opens at its first entry`);
      await page.keyboard.press("Escape");
      assert.ok(await hasFocus(page, selector), `${selector} has the focus back`);
    }
    await page.keyboard.press("Enter");
    const entries = await menu(page).locator(".menu-item").allTextContents();
    for (const [key, at] of [["End", entries.length - 1], ["ArrowDown", 0], ["ArrowUp", entries.length - 1], ["Home", 0]]) {
      await page.keyboard.press(key);
      assert.equal(await item(page), at, `${key} in the menu of ${selector}`);
    }
    const wanted = entries.findIndex((text) => act.test(text));
    assert.ok(wanted >= 0, `${selector} offers ${entries}`);
    for (let at = 0; at < wanted; at++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.equal(await menu(page).count(), 0);
    assert.equal(await page.locator(".own-branch").count(), 1, `${selector}: ${act}`);
    await effect();
    assert.ok(await hasFocus(page, selector), `after it was done ${selector} has the focus`);
    await page.keyboard.press("Control+z");
    assert.ok(await hasFocus(page, selector));
  }
});

pageTest("the stage: a message on its way is held up in the menu of its client", { reducedMotion: true }, async ({ page }) => {
  await scrubToSentence(page, /^shop sends E1/);
  // Where every event is a step, one stands between sending and arriving.
  await press(page, "#go-to");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowRight");
  assert.match(await caption(page), /^The batch has waited/);
  await press(page, "#producer-0");
  const entries = await menu(page).locator(".menu-item").allTextContents();
  const wanted = entries.findIndex((text) => /^Delay the Produce/.test(text));
  assert.ok(wanted > 0, `${entries}`);
  for (let at = 0; at < wanted; at++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".own-branch").textContent(), /Delay the Produce/);
  assert.equal(await focused(page), "producer-0");
});

pageTest("under the stage: words, the scene as text, the side column", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 50);
  await press(page, ".caption .term");
  assert.ok(await hasFocus(page, ".meaning button"));
  await page.keyboard.press("Escape");
  assert.ok(await hasFocus(page, ".caption .term"));

  await press(page, ".twin summary");
  assert.ok(await page.locator(".twin[open]").count(), "it opens");
  const scrolled = () => page.locator(".twin").evaluate((twin) => twin.scrollTop);
  await page.keyboard.press("PageDown");
  assert.equal(await shownStep(page), 51, "a presenter remote steps from here too");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelector(".twin").scrollTop > 0);
  assert.ok(await scrolled() > 0, "all of it can be read");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".twin[open]").count(), 0);

  await press(page, ".side-switch");
  assert.equal(await page.locator(".side").count(), 0);
  assert.ok(await hasFocus(page, ".side-switch[aria-expanded=false]"));
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".side").count(), 1);
});

pageTest("the hand on time: its buttons keep the focus, at both ends too", { reducedMotion: true }, async ({ page }) => {
  const last = await lastStep(page);
  const named = (name) => `.transport-buttons [aria-label="${name}"]`;
  for (const [name, from, to] of [
    ["First step", 40, 0], ["One step back", 40, 39], ["One step forward", 40, 41], ["Last step", 40, last],
    ["First step", 0, 0], ["One step back", 0, 0], ["One step forward", last, last], ["Last step", last, last],
  ]) {
    await scrubTo(page, from);
    await press(page, named(name));
    assert.equal(await shownStep(page), to, `${name} from ${from}`);
    assert.equal(await focused(page), name);
  }

  await scrubTo(page, 40);
  await press(page, "#timeline", "ArrowRight");
  assert.equal(await shownStep(page), 41);
  await page.keyboard.press("End");
  assert.equal(await shownStep(page), last);
  assert.equal(await focused(page), "timeline");

  await press(page, ".speed select", "ArrowDown");
  assert.equal(await page.locator(".speed select").inputValue(), "2000");
  assert.ok(await hasFocus(page, ".speed select"));

  await scrubTo(page, 40);
  await press(page, "#go-to");
  await page.keyboard.press("ArrowDown");
  const chosen = await focused(page);
  await page.keyboard.press("Enter");
  assert.ok(await shownStep(page) !== 40, `${chosen} goes somewhere`);
  assert.equal(await focused(page), "go-to");
});

pageTest("what was done by hand: taken back, done again, left for the story, and looked at again", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 45);
  await crashC1(page);
  await press(page, "#undo");
  assert.equal(await focused(page), "redo", "the way back from it");
  await page.keyboard.press("Enter");
  assert.equal(await focused(page), "undo");

  await press(page, "#back-to-story");
  assert.equal(await page.locator(".own-branch").count(), 0);
  assert.equal(await focused(page), "play");
  await page.keyboard.press("Home");
  assert.equal(await shownStep(page), 0, "from here one can go to its start");
  await scrubTo(page, 45);
  await press(page, "#member-1");
  await page.keyboard.press("Enter");
  await press(page, ".branches .button:nth-child(2)");
  assert.match(await page.locator(".own-branch > p").first().textContent(), /Crash c1/);
  assert.ok(await hasFocus(page, ".branches .button:nth-child(2)[aria-pressed=true]"));
});

pageTest("the story: scenes, question, and going on", {}, async ({ page }) => {
  await page.keyboard.press("Home");
  await press(page, ".scenes .button:last-child");
  assert.ok(await shownStep(page) > 0);
  assert.ok(await hasFocus(page, ".scenes .button:last-child"));
  const shown = await shownStep(page);
  await page.keyboard.press("Enter");
  await press(page, ".scenes .button:first-child");
  assert.equal(await shownStep(page), shown);

  await scrubToSentence(page, /^c2 begins to read P2/);
  await page.keyboard.press("ArrowLeft");
  await press(page, ".choice");
  assert.ok(await hasFocus(page, ".choice[aria-pressed=true]"));
  await pressUntilFocused(page, "Tab", ".question .primary");
  await page.keyboard.press("Enter");
  await page.locator(".question").waitFor({ state: "detached" });
  assert.equal(await focused(page), "play", "where it can be stopped");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
});

pageTest("a word that goes away by stepping leaves the focus in its panel", { reducedMotion: true }, async ({ page }) => {
  for (const [panel, home] of [[".say", "#story-title"], [".why", "#why-title"], [".caption", "#caption"]]) {
    await scrubTo(page, 50);
    await press(page, `${panel} .term`, "Home");
    await page.locator("#timeline").evaluate((slider) => slider.value === "0" || slider.dispatchEvent(new InputEvent("input", { bubbles: true })));
    await settled(page);
    assert.ok(await hasFocus(page, `${home}, ${panel} .term`), `${panel}: ${await focused(page)}`);
  }
});

pageTest("why: all causes, and another value that holds from here", { reducedMotion: true }, async ({ page }) => {
  await scrubToSentence(page, /C3 .* for the 2nd time/);
  await press(page, ".show-all");
  assert.equal(await focused(page), "reasons", "one reads on in the list");
  await page.keyboard.press("Tab");
  assert.ok(await hasFocus(page, ".reason:first-child .when"));

  await scrubToSentence(page, /^c1 has processed A2/);
  await press(page, "#setting-handling\\.time");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".own-branch").count(), 1);
  assert.ok(await hasFocus(page, "#why-title, #setting-handling\\.time"), await focused(page));
});
