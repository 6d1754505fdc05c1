// For everyone: with a screen reader, by keyboard, on a phone and on a projector, with other colours, larger, without motion.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { BEYOND, COVERED, QUESTION, REBALANCE, SILENCE, openMenu, reach, scrollsSideways, show, stepsOf } from "./states.mjs";
import { CRASH, atSteps, leaving, member, range, scenario, scrubTo, shownStep } from "./story.mjs";

const STEPS = stepsOf("story");

for (const options of [{ lang: "ja", width: 360 }, { lang: "en", width: 360 }, { lang: "ja" }, { lang: "en" }]) {
  pageTest(`words stay inside their boxes, ${options.width ?? 1280} px, ${options.lang}`, { ...options, reducedMotion: true }, async ({ page }) => {
    const found = await atSteps(page, range(0, STEPS.length).filter((step) => step % 3 === 0), leaving);
    assert.deepEqual([...new Set(found.flat())], []);
  });
}

for (const [lang, title] of Object.entries(scenario(CRASH).title).map(([lang, title]) => [lang, `${title} – logstep`])) {
  pageTest(`language and title of the document follow, ${lang}`, { lang: lang === "en" ? "ja-JP" : "en-GB" }, async ({ page }) => {
    await page.getByRole("button", { name: lang === "en" ? "English" : "日本語" }).click();
    await page.waitForFunction((title) => document.title === title, title);
    assert.equal(await page.locator("html").getAttribute("lang"), lang);
  });
}

pageTest("each step is announced once, and while it plays nothing is", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, 20);
  await page.locator("#timeline").blur();
  await page.evaluate(() => {
    window.said = [];
    const status = document.querySelector("[role=status][aria-live=polite]");
    new MutationObserver(() => window.said.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
  });
  const said = async () => {
    await settled(page);
    return page.evaluate(() => window.said.splice(0));
  };
  for (const step of [21, 22, 23]) {
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await said(), [STEPS[step - 1].sentence]);
  }
  await page.keyboard.press(" ");
  await page.waitForFunction(() => Number(document.querySelector("#timeline").value) >= 26);
  assert.deepEqual((await said()).filter((text) => text !== ""), []);
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await page.waitForFunction(() => window.said.length > 0);
  const stopped = await said();
  assert.equal(stopped.at(-1), STEPS[await shownStep(page) - 1].sentence);
});

pageTest("slider, members and stage say what they are", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, SILENCE);
  const slider = page.getByRole("slider", { name: "Timeline" });
  assert.equal(await slider.getAttribute("aria-valuetext"), `step ${SILENCE} / ${STEPS.length}: ${STEPS[SILENCE - 1].sentence}`);
  await page.getByRole("button", { name: "consumer c3, crashed, silent, owns no partition" }).waitFor();
  await page.getByRole("button", { name: /^consumer c1, .*owns P0, leads the group$/ }).waitFor();
  await page.getByText("Read this scene as text").click();
  await page.getByText(/^P2: end 7, committed 3, position none, lag 4, owner nobody since/).waitFor();
});

for (const [what, options] of [["on a phone", { width: 360, height: 740 }], ["at 200 % on a small laptop", { width: 660, height: 400 }], ["on a laptop", {}]]) {
  pageTest(`the focus is seen wherever Tab takes it, ${what}`, { ...options, reducedMotion: true }, async ({ page }) => {
    await scrubTo(page, QUESTION);
    const visited = new Set();
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press("Tab");
      await settled(page);
      const found = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === document.body) return null;
        const box = (element.matches(".visually-hidden") ? element.parentElement : element).getBoundingClientRect();
        const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        const bar = document.querySelector(".transport").getBoundingClientRect();
        const isInBar = element.closest(".transport") !== null;
        return {
          name: element.id || element.getAttribute("aria-label") || element.textContent,
          inside: middle.y > 0 && middle.y < innerHeight && middle.x > 0 && middle.x < innerWidth,
          covered: !isInBar && box.bottom > bar.top + 1 && box.top < bar.bottom && getComputedStyle(document.querySelector(".transport")).position === "sticky",
        };
      });
      if (!found || visited.has(found.name)) break;
      visited.add(found.name);
      assert.ok(found.inside, `${found.name} is outside the window`);
      assert.ok(!found.covered, `${found.name} is under the bar`);
    }
    assert.ok(visited.size > 25, [...visited].join(", "));
  });
}

pageTest("the focus changes the look of whatever has it", { reducedMotion: true }, async ({ page }) => {
  let visited = 0;
  for (; visited < 60; visited++) {
    await page.evaluate(() => {
      const style = (element) => element && ["outline", "stroke", "strokeWidth"].map((name) => getComputedStyle(element)[name]).join();
      // The look of an element, or of what stands for it: a label, a card, a handle, the thumb of the timeline.
      window.lookOf = (element) =>
        [element, element.closest("label"), element.querySelector(".card"), element.querySelector(".handle"), element.closest(".timeline")?.querySelector(".thumb")].map(style).join("|");
      window.looks = new Map([...document.querySelectorAll("button, input, select, summary, [tabindex]")].map((element) => [element, window.lookOf(element)]));
    });
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const element = document.activeElement;
      return element === document.body ? null : { name: element.outerHTML.slice(0, 120), changed: window.lookOf(element) !== window.looks.get(element) };
    });
    if (!found) break;
    assert.ok(found.changed, `nothing shows that this has the focus: ${found.name}`);
  }
  assert.ok(visited > 25, `Tab comes to ${visited} places`);
});

pageTest("with colours of the system the slider is there and works", {
  reducedMotion: true,
  prepare: ({ page }) => page.emulateMedia({ forcedColors: "active" }),
}, async ({ page, screenshot }) => {
  const fills = await page.evaluate(() => [".thumb", ".track", ".track.is-past"].map((selector) => getComputedStyle(document.querySelector(selector)).fill));
  const background = await page.evaluate(() => getComputedStyle(document.querySelector(".transport")).backgroundColor);
  assert.ok(fills.every((fill) => fill !== background) && fills[1] !== fills[2], `${fills} on ${background}`);
  await page.locator("#timeline").focus();
  const before = await shownStep(page);
  await page.keyboard.press("ArrowRight");
  assert.equal(await shownStep(page), before + 1);
  await scrubTo(page, REBALANCE);
  await screenshot("forced-colours");
});

for (const theme of ["light", "dark"]) {
  pageTest(`with colours of the system, ${theme}, the drawing follows them, and what is on or off shows`, {
    path: `?theme=${theme === "light" ? "dark" : "light"}`,
    theme,
    reducedMotion: true,
    prepare: ({ page }) => page.emulateMedia({ forcedColors: "active", colorScheme: theme }),
  }, async ({ page, screenshot }) => {
    assert.equal(await page.locator("html").getAttribute("data-theme"), theme, "not what the address asks for");
    assert.equal(await page.locator(".theme").isVisible(), false, "there is nothing to switch");
    const look = (selector) => page.locator(selector).first().evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element);
      return `${color} on ${backgroundColor}`;
    });
    await scrubTo(page, QUESTION);
    for (const [on, off] of [["#verdict-4", "#verdict-3"], [".choice >> nth=0", ".choice >> nth=1"]]) {
      await page.locator(on).click();
      assert.notEqual(await look(on), await look(off), on);
    }
    await page.locator("#play").focus();
    await page.keyboard.press("Home");
    assert.notEqual(await look(".transport-buttons .button"), await look(".transport-buttons .button:last-child"), "what does nothing here");
    await openMenu(page, "c3");
    await page.getByRole("menu").waitFor();
    assert.notEqual(await look(".menu-item:not([aria-disabled])"), await look(".menu-item[aria-disabled]"), "what is not possible");
    await page.keyboard.press("Escape");
    await scrubTo(page, REBALANCE);
    await screenshot(`forced-colours-${theme}`);
  });
}

pageTest("at 200 % on a small laptop everything can be reached", { width: 660, height: 400, reducedMotion: true }, async ({ page, screenshot }) => {
  await scrubTo(page, SILENCE);
  await screenshot("zoomed");
  assert.equal(await scrollsSideways(page), 0);
  const stage = await page.locator(".stage-drawing").boundingBox();
  assert.ok(stage.width > 500, "the stage has the width of the window");
  await member(page, "c3").click();
  await page.getByRole("menuitem", { name: "Start", exact: true }).click();
  await page.locator(".own-branch").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Back to the story" }).click();
  await page.getByRole("button", { name: "One step forward" }).click();
});

// Runs in the page: makes every word outside the drawing twice as long, and says what does not fit any more.
const DOUBLED = () => {
  const walker = document.createTreeWalker(document.querySelector("#app"), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.data.trim() && !text.parentElement.closest("svg, option")) text.data = `${text.data} ${text.data}`;
  }
  const shown = (element) => element.getClientRects().length > 0;
  const cut = [...document.querySelectorAll("button, .verdict, .caption, .story, .why, dialog[open]")].filter(shown)
    .filter((element) => element.scrollWidth > element.clientWidth + 1).map((element) => `cut: ${element.textContent}`);
  const outside = [...document.querySelectorAll("button")].filter(shown).map((button) => [button, button.getBoundingClientRect()])
    .filter(([, { left, right }]) => left < -1 || right > innerWidth + 1).map(([button]) => `outside: ${button.textContent}`);
  const sideways = document.scrollingElement.scrollWidth - document.documentElement.clientWidth;
  return [...cut, ...outside, ...(sideways > 0 ? [`scrolls sideways by ${sideways}`] : [])];
};

for (const options of [{ lang: "ja" }, { lang: "en" }, { lang: "ja", width: 360, height: 740 }, { lang: "en", width: 360, height: 740 }]) {
  pageTest(`words may be twice as long, ${options.width ?? 1280} px, ${options.lang}`, { ...options, reducedMotion: true }, async ({ page, screenshot }) => {
    for (const state of ["silence", "question", "duplicates", "menu", "fork", "help"]) {
      await reach(page, state);
      const found = await page.evaluate(DOUBLED);
      await screenshot(`doubled-${state}-${options.width ?? 1280}-${options.lang}`);
      assert.deepEqual(found, [], state);
      await page.reload();
      await page.locator(".member").first().waitFor();
      await settled(page);
    }
  });
}

// Runs in the page: makes the words of the drawing twice as long, shortened to their room as the drawing does, or what they
// were. Says how many there are, what has been shortened already, and what has neither a room nor is a name or a number.
const DOUBLED_ON_STAGE = (isDoubled) => {
  const NAMES = ".card-name, .frame-name, .tape-name, .mono, .offset, .number, .chip-name, .chip-value, .row-value, .silence, .fold, .badge, .broker, .message";
  const drawing = document.querySelector(".stage-drawing");
  const texts = document.createTreeWalker(drawing, NodeFilter.SHOW_TEXT);
  const strange = [];
  while (texts.nextNode()) {
    const { parentElement: element, data } = texts.currentNode;
    if (data.trim() && !element.matches("[data-room]") && !element.closest(NAMES)) strange.push(data);
  }
  const width = (letter) => (letter > "\u2e80" ? 5 : 3);
  const widthOf = (text) => [...text].reduce((sum, letter) => sum + width(letter), 0);
  const clip = (text, most) => {
    const room = 3 * most;
    if (widthOf(text) <= room) return text;
    let cut = "";
    for (const letter of text) {
      if (widthOf(cut) + width(letter) + 3 > room) break;
      cut += letter;
    }
    return `${cut}…`;
  };
  const words = [...drawing.querySelectorAll("[data-room]")].map((element) => element.firstChild).filter((text) => text?.data);
  // Behind a dot names may follow, which are as long as they like.
  const short = words.filter(({ data }) => data.endsWith("…") && !data.includes(" · ")).map(({ data }) => data);
  for (const text of words) {
    text.asItWas ??= text.data;
    text.data = isDoubled ? clip(`${text.asItWas} ${text.asItWas}`, Number(text.parentElement.dataset.room)) : text.asItWas;
    if (!isDoubled) delete text.asItWas;
  }
  return { count: words.length, short, strange };
};

for (const state of ["crash", "rebalance", "duplicates", "consumer", "loss", "groups", "topics", "twelve"]) {
  pageTest(`words of the stage may be twice as long: ${state}`, { reducedMotion: true }, async ({ page, screenshot }) => {
    await reach(page, state);
    const found = [];
    for (const [width, height] of [[360, 740], [820, 1180], [1320, 800]]) {
      for (const lang of ["ja", "en"]) {
        await show(page, { width, height, lang, theme: "light" });
        const name = `doubled-stage-${state}-${width}-${lang}`;
        const { count, short, strange } = await page.evaluate(`(${DOUBLED_ON_STAGE})(true)`);
        assert.ok(count > 10, `${name}: ${count} words`);
        await screenshot(name);
        const [covered, beyond, outside] = [await page.evaluate(`(${COVERED})()`), await page.evaluate(`(${BEYOND})()`), await page.evaluate(leaving)];
        const kinds = { short, strange, covered, beyond, outside };
        for (const [kind, texts] of Object.entries(kinds)) found.push(...texts.map((text) => `${name}: ${kind}: ${text}`));
        await page.evaluate(`(${DOUBLED_ON_STAGE})(false)`);
      }
    }
    assert.deepEqual(found, []);
  });
}
