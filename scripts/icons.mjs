// Draws static/icons/*.png from static/icons/icon.svg, for browsers and systems that take no SVG.
//
//   node scripts/icons.mjs

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findChrome } from "./find-chrome.mjs";

const ICONS = join(dirname(fileURLToPath(import.meta.url)), "../static/icons");
const svg = readFileSync(join(ICONS, "icon.svg"), "utf8");
// A system cuts its own shape out of this one: nothing is round yet, and all that matters lies in the middle 80 %.
const maskable = svg.replace('viewBox="0 0 32 32"', 'viewBox="-5 -5 42 42"').replace('<rect width="32" height="32" rx="7"', '<rect x="-5" y="-5" width="42" height="42"');

const browser = await chromium.launch({ executablePath: findChrome(), headless: true, args: ["--no-sandbox", "--disable-gpu"] });
try {
  for (const [name, size, drawing] of [["192", 192, svg], ["512", 512, svg], ["maskable", 512, maskable]]) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${drawing}`);
    writeFileSync(join(ICONS, `${name}.png`), await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
