// What a viewer can come across: the worlds that the stage is to show, and the moments in them at which everything has to
// read. One list, for the tests and for the pictures.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { largeScenario } from "../../scripts/large-scenario.mjs";
import { settled } from "./settled.mjs";
import { CRASH, member, nativeSteps, scenarioFile, scrubTo, temporaryFile } from "./story.mjs";

const of = (path) => fileURLToPath(new URL(path, import.meta.url));
const large = (name, options) => () => temporaryFile(`${name}.json`, largeScenario(options));

// A file for each world; the story is what the page opens with.
export const WORLDS = {
  story: undefined,
  cooperative: () => of("../cases/K053-cooperative-leave.json"),
  consumer: () => of("../cases/consumer-protocol-join.json"),
  loss: () => of("../scenes/loss.json"),
  keyless: () => of("../cases/K011-the-sticky-partitioner-prefers-slow-brokers.json"),
  workers: () => of("../../docs/examples/pool.json"),
  aside: () => of("../../docs/examples/failing.json"),
  store: () => of("../../docs/examples/offset-store.json"),
  down: () => of("../../docs/examples/sinks.json"),
  groups: () => of("../scenes/two-groups.json"),
  topics: () => of("../scenes/several.json"),
  twelve: large("twelve", { partitions: 12, members: 12, records: 300, perSecond: 20, endsAt: "30s" }),
  many: large("many", { partitions: 128, members: 40, records: 2_000, perSecond: 100, endsAt: "40s" }),
  records: large("records", { partitions: 4, members: 3, records: 100_000, perSecond: 2_000, handling: "1ms", endsAt: "60s" }),
};

// What the native runner says of each step of a world, in English. Steps are the same in every language.
const told = new Map();
export function stepsOf(world) {
  if (!told.has(world)) told.set(world, nativeSteps(WORLDS[world]?.() ?? scenarioFile(CRASH), "en"));
  return told.get(world);
}

// The number of the first step that is told like this: how many have happened then.
export function stepOf(pattern, world = "story") {
  const found = stepsOf(world).findIndex(({ sentence }) => pattern.test(sentence));
  if (found < 0) throw new Error(`${world} tells nothing like ${pattern}`);
  return found + 1;
}

// Moments of the story.
export const SILENCE = stepOf(/^E3 is appended/);
export const REBALANCE = stepOf(/^c2 gives up P1/);
export const QUESTION = stepOf(/^c1 begins to read P0 at 6/);

// Opens a world, and waits until all of it is worked out. The page has just been opened, with the story.
export async function openWorld(page, world) {
  if (WORLDS[world]) {
    await page.locator("input[type=file]").setInputFiles(WORLDS[world]());
    await page.locator("#story option[value='']").waitFor({ state: "attached" });
  }
  await settled(page);
  await page.locator(".computing").waitFor({ state: "detached" });
}

const share = async (page, part) => {
  const last = await page.locator("#timeline").evaluate((slider) => Number(slider.max));
  await scrubTo(page, Math.round(last * part));
};
export const openMenu = async (page, name) => {
  await member(page, name).focus();
  await page.keyboard.press("Enter");
};

// By name: the world, and what is done there.
export const STATES = {
  start: { reach: (page) => page.keyboard.press("Home") },
  flight: {
    // Held by the pointer, so that it stays where it is.
    reach: async (page) => {
      await scrubTo(page, stepOf(/^shop sends E1/));
      await page.emulateMedia({ reducedMotion: "no-preference" });
      await page.locator(".speed select").selectOption("⅒×");
      await page.locator(".speed select").blur();
      await page.keyboard.press("ArrowRight");
      await page.locator(".flight").first().waitFor();
      await page.waitForTimeout(400);
      await page.locator(".flight").first().dispatchEvent("pointerdown", { button: 0, pointerId: 1 });
    },
  },
  crash: { reach: (page) => scrubTo(page, stepOf(/^c3 crashes/)) },
  silence: { reach: (page) => scrubTo(page, SILENCE) },
  rebalance: { reach: (page) => scrubTo(page, REBALANCE) },
  question: {
    reach: async (page) => {
      await scrubTo(page, QUESTION);
      await page.locator(".choice").last().click();
    },
  },
  duplicates: {
    reach: async (page) => {
      await page.keyboard.press("End");
      await page.locator(".verdict.is-warning").click();
      await page.locator(".twin summary").click();
    },
  },
  menu: {
    reach: async (page) => {
      await scrubTo(page, SILENCE);
      await openMenu(page, "c3");
      await page.getByRole("menu").waitFor();
    },
  },
  fork: {
    reach: async (page) => {
      await scrubTo(page, SILENCE);
      await openMenu(page, "c1");
      await page.keyboard.press("Enter");
      await page.locator(".own-branch").waitFor();
    },
  },
  help: {
    reach: async (page) => {
      await page.locator("#help-button").click();
      await page.getByRole("dialog").waitFor();
    },
  },
  mistakes: {
    reach: async (page) => {
      await page.locator("input[type=file]").setInputFiles(temporaryFile("mistakes.json", `{ "format": "logstep/1", "seed": "x", "colour": 1 }`));
      await page.getByRole("dialog").waitFor();
    },
  },
  cooperative: { world: "cooperative", reach: (page) => scrubTo(page, stepOf(/gives up/, "cooperative") + 1) },
  consumer: { world: "consumer", reach: (page) => scrubTo(page, stepOf(/gives up/, "consumer")) },
  loss: {
    world: "loss",
    reach: async (page) => {
      await page.keyboard.press("End");
      await page.locator(".verdict.is-bad").click();
    },
  },
  workers: { world: "workers", reach: (page) => share(page, 0.5) },
  aside: { world: "aside", reach: (page) => share(page, 0.4) },
  keyless: { world: "keyless", reach: (page) => share(page, 0.5) },
  groups: { world: "groups", reach: (page) => share(page, 0.5) },
  topics: { world: "topics", reach: (page) => share(page, 0.7) },
  twelve: { world: "twelve", reach: (page) => share(page, 0.5) },
  many: { world: "many", reach: (page) => share(page, 0.6) },
  records: { world: "records", reach: (page) => share(page, 0.6) },
};

// Runs in the page: the words of the stage. What travels may pass over anything.
const WORDS = `const words = [...document.querySelectorAll(".stage-drawing text")]
  .filter((text) => !text.closest(".flight") && text.textContent.trim() !== "")
  .map((text) => {
    // Only the ink counts, which is lower than a line.
    const { left, right, top, bottom, height } = text.getBoundingClientRect();
    return { text: text.textContent, left, right, top: top + height * 0.22, bottom: bottom - height * 0.2 };
  });`;

// Runs in the page: pairs of words that cover each other.
export const COVERED = `() => {
  ${WORDS}
  return words.flatMap((a, index) => words.slice(index + 1)
    .filter((b) => a.left + 0.5 < b.right && b.left + 0.5 < a.right && a.top < b.bottom && b.top < a.bottom)
    .map((b) => a.text + " | " + b.text));
}`;

// Runs in the page: words that leave the frame in which their middle is.
export const BEYOND = `() => {
  ${WORDS}
  const frames = [...document.querySelectorAll(".stage-drawing .frame")].map((frame) => frame.getBoundingClientRect());
  const within = (x, from, to) => from <= x && x <= to;
  return words.filter(({ left, right, top, bottom }) => {
    const frame = frames.find((frame) => within((left + right) / 2, frame.left, frame.right) && within((top + bottom) / 2, frame.top, frame.bottom));
    return frame && (left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom);
  }).map(({ text }) => text);
}`;

// The height of the smallest words of the stage, in CSS pixels, and what they are.
export const smallestWords = (page) => page.evaluate(() => {
  const drawing = document.querySelector(".stage-drawing");
  const scale = drawing.getScreenCTM().a;
  const sizes = [...drawing.querySelectorAll("text")].map((text) => ({ size: parseFloat(getComputedStyle(text).fontSize) * scale, text: text.textContent }));
  return sizes.reduce((least, found) => (found.size < least.size ? found : least));
});

// How much of the height that the drawing has been given stays empty, in CSS pixels.
export const emptyHeight = (page) => page.evaluate(() => {
  const drawing = document.querySelector(".stage-drawing");
  return drawing.getBoundingClientRect().height - drawing.viewBox.baseVal.height * drawing.getScreenCTM().a;
});

export const scrollsSideways = (page) => page.evaluate(() => document.scrollingElement.scrollWidth - document.documentElement.clientWidth);

// Shows the page as somebody else has it, without opening it anew.
export async function show(page, { width, height, lang, theme }) {
  await page.setViewportSize({ width, height });
  await page.evaluate(([lang, theme]) => {
    const { documentElement: root } = document;
    // By the element itself: a dialog may lie over the buttons.
    if (root.lang !== lang) document.querySelector(".head button[lang]").click();
    if (root.dataset.theme !== theme) document.querySelector(".head .theme").click();
  }, [lang, theme]);
  await settled(page);
  const shown = await page.evaluate(() => ({ lang: document.documentElement.lang, theme: document.documentElement.dataset.theme }));
  assert.deepEqual(shown, { lang, theme });
}

// Opens the world of a state and goes there.
export async function reach(page, name) {
  const { world = "story", reach } = STATES[name];
  await openWorld(page, world);
  await reach(page);
  await settled(page);
}
