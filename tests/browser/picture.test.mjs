// The stage can be read: a world that can be seen whole is, and no words stand over others.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { largeScenario } from "../../scripts/large-scenario.mjs";
import { pageTest } from "./page.mjs";
import { atSteps, lastStep, range, temporaryFile } from "./story.mjs";

const COOPERATIVE = fileURLToPath(new URL("../cases/K053-cooperative-leave.json", import.meta.url));
const CONSUMER = fileURLToPath(new URL("../cases/consumer-protocol-join.json", import.meta.url));
const TWELVE = largeScenario({ partitions: 12, members: 12, records: 300, perSecond: 20, endsAt: "30s" });
const WORLDS = [
  ["the story", undefined],
  ["12 partitions, cooperative", () => COOPERATIVE],
  ["the consumer protocol", () => CONSUMER],
  ["12 partitions and 12 members", () => temporaryFile("twelve.json", TWELVE)],
];

// Runs in the page: what is said of a group beyond its frame.
const beyond = () => [...document.querySelectorAll(".group")].flatMap((group) => {
  const { left, right } = group.querySelector(".frame").getBoundingClientRect();
  return [...group.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < left || box.right > right;
  });
}).map((text) => text.textContent);

// Runs in the page: pairs of texts that cover each other. Only the ink counts, which is lower than a line; what travels
// may pass over anything.
const covered = () => {
  const texts = [...document.querySelectorAll(".stage-drawing text")].filter((text) => !text.closest(".flight"));
  const boxes = texts.map((text) => {
    const { left, right, top, bottom, height } = text.getBoundingClientRect();
    return { text, left, right, top: top + height * 0.22, bottom: bottom - height * 0.2 };
  });
  return boxes.flatMap((a, index) => boxes.slice(index + 1)
    .filter((b) => a.left + 0.5 < b.right && b.left + 0.5 < a.right && a.top < b.bottom && b.top < a.bottom)
    .map((b) => `${a.text.textContent} | ${b.text.textContent}`));
};

for (const [name, file] of WORLDS) {
  for (const lang of ["en", "ja"]) {
    pageTest(`words do not cover each other: ${name}, ${lang}`, { lang, width: 1320, height: 800, reducedMotion: true }, async ({ page, screenshot }) => {
      if (file) {
        const before = await page.locator("#timeline").getAttribute("max");
        await page.locator("input[type=file]").setInputFiles(file());
        await page.waitForFunction((before) => document.querySelector("#timeline").max !== before, before);
      }
      const last = await lastStep(page);
      const steps = range(0, 97).map((n) => Math.round((last * n) / 97));
      assert.deepEqual([...new Set((await atSteps(page, steps, covered)).flat())], []);
      assert.deepEqual([...new Set((await atSteps(page, steps, beyond)).flat())], []);

      const view = await page.locator(".stage-view").evaluate((view) => view.scrollHeight - view.clientHeight);
      assert.ok(view <= 1, `the stage scrolls: ${view} px are out of sight`);
      const smallest = await page.evaluate(() => {
        const drawing = document.querySelector(".stage-drawing");
        const scale = drawing.getScreenCTM().a;
        const texts = [...drawing.querySelectorAll("text:not(.chip-value)")];
        return Math.min(...texts.map((text) => parseFloat(getComputedStyle(text).fontSize) * scale));
      });
      assert.ok(smallest >= 9, `the smallest words are ${smallest} px high`);
      await screenshot(`picture-${WORLDS.findIndex(([of]) => of === name)}-${lang}`);
    });
  }
}
