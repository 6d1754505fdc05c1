// Thousands of keys and clicks at random, with fixed seeds: nothing breaks, nothing gets stuck, and what is drawn is what
// the world is.

import assert from "node:assert/strict";
import { assertConsistent } from "./consistent.mjs";
import { pageTest, settled } from "./page.mjs";
import { lastStep, scenarioFile, shownStep } from "./story.mjs";

// Runs in the page. Each act is followed by as much time as the page needs to draw.
const ACT_AT_RANDOM = `async (seed, acts) => {
  // Mulberry32: small, and good enough to choose a button.
  let state = seed;
  const random = (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
  const KEYS = ["ArrowRight", "ArrowRight", "ArrowLeft", "PageDown", "PageUp", " ", "Home", "End", "Escape", "Enter", "ArrowDown", "ArrowUp",
    "Shift+ArrowRight", "Shift+ArrowLeft", "Shift+PageDown", "Shift+PageUp", "Ctrl+z", "Ctrl+y"];
  const press = () => {
    const name = KEYS[random(KEYS.length)];
    const key = name.split("+").pop();
    const options = { key, bubbles: true, cancelable: true, shiftKey: name.startsWith("Shift+"), ctrlKey: name.startsWith("Ctrl+"), repeat: random(10) === 0 };
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", options));
    target.dispatchEvent(new KeyboardEvent("keyup", options));
    return "key " + name;
  };
  const visible = (element) => element.getClientRects().length > 0;
  const click = () => {
    const dialog = document.querySelector("dialog[open]");
    const places = [...(dialog ?? document).querySelectorAll("button, summary, [role=button]")].filter(visible);
    if (places.length === 0) return "nothing to click";
    const place = places[random(places.length)];
    place.focus();
    place.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    place.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    return "click " + (place.getAttribute("aria-label") ?? place.textContent);
  };
  const drag = () => {
    const slider = document.querySelector("#timeline");
    slider.value = random(Number(slider.max) + 1);
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    return "drag to " + slider.value;
  };
  const choose = () => {
    const selects = [...document.querySelectorAll("select")].filter(visible);
    // While somebody presents there are none.
    if (selects.length === 0) return "nothing to choose";
    const select = selects[random(selects.length)];
    select.selectedIndex = random(select.options.length);
    select.dispatchEvent(new Event("change", { bubbles: true }));
    return "choose " + select.value;
  };

  const wrong = [];
  const log = [];
  for (let act = 0; act < acts; act += 1) {
    const kind = random(20);
    log.push(kind < 9 ? press() : kind < 17 ? click() : kind < 19 ? drag() : choose());
    await new Promise((done) => setTimeout(done, kind === 0 ? 20 : 2));
    const slider = document.querySelector("#timeline");
    const wrongHere = [];
    if (Number(slider.value) > Number(slider.max)) wrongHere.push("the slider is beyond its end");
    for (const text of document.querySelectorAll(".stage-drawing text")) {
      if (/undefined|NaN|-\\d{6}/.test(text.textContent)) wrongHere.push(text.textContent);
    }
    if (wrongHere.length > 0) wrong.push([act, log.slice(-5), wrongHere]);
    if (wrong.length > 3) break;
  }
  return wrong;
}`;

async function restore(page) {
  for (let times = 0; times < 4; times++) await page.keyboard.press("Escape");
  // What was asked for at last may come with a dialog of its own.
  await page.waitForTimeout(300);
  if ((await page.locator("dialog[open]").count()) > 0) await page.keyboard.press("Escape");
  // In a text, Home and End scroll it.
  await page.evaluate(() => document.activeElement?.blur());
  await settled(page);
}

for (const [seed, options] of [
  [1, {}],
  [2, { width: 360, height: 740, lang: "ja", theme: "dark", touch: true }],
  [3, { width: 820, height: 1180 }],
  [4, { lang: "ja", theme: "dark" }],
  [5, { width: 1920, height: 1080, reducedMotion: true }],
]) {
  pageTest(`a thousand keys and clicks at random, seed ${seed}`, { reducedMotion: seed % 2 === 0, ...options }, async ({ page }) => {
    if (seed === 3) await page.locator("input[type=file]").setInputFiles(scenarioFile("recorded-crash-takeover"));
    for (let part = 0; part < 4; part++) {
      assert.deepEqual(await page.evaluate(`(${ACT_AT_RANDOM})(${seed * 100 + part}, 250)`), []);
      await restore(page);
      // It goes where it is told, whatever happened before.
      await page.keyboard.press("Home");
      assert.equal(await shownStep(page), 0);
      assert.ok((await lastStep(page)) > 10);
      if ((await page.locator(".twin[open]").count()) === 0) await page.locator(".twin summary").click();
      for (const share of [0.2, 0.35, 0.5, 0.7, 0.85, 1]) {
        const step = Math.floor((await lastStep(page)) * share);
        await page.locator("#timeline").evaluate((slider, step) => {
          slider.value = step;
          slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
        }, step);
        await settled(page);
        await assertConsistent(page, `seed ${seed}, part ${part}, step ${step}`);
      }
    }
  });
}
