// Takes pictures of the page, for a person to look at, and the one in the README.
//
//   node scripts/screenshots.mjs [PART...]    builds dist/ if the sources have changed; LOGSTEP_DIST names another build
//
// Writes target/screenshots/gallery/SIZE-THEME-LANGUAGE-STATE.png; with PARTs, only those whose name holds one of them. The
// picture in the README is docs/stage.png, taken without PARTs and with the PART "readme".

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { ensureDist } from "./dist.mjs";
import { findChrome } from "./find-chrome.mjs";
import { smaller } from "./png.mjs";
import { startServer } from "./serve-static.mjs";
import { STATES, reach } from "../tests/browser/states.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const GALLERY = join(ROOT, "target/screenshots/gallery");
const SIZES = { wide: [1920, 1080], desktop: [1320, 800], tablet: [820, 1180], phone: [360, 740] };

const parts = process.argv.slice(2);
const server = await startServer({ root: process.env.LOGSTEP_DIST || ensureDist(), prefix: "/" });
const browser = await chromium.launch({ executablePath: findChrome(), headless: true, args: ["--no-sandbox", "--disable-gpu"] });
try {
  mkdirSync(GALLERY, { recursive: true });
  for (const size of Object.keys(SIZES)) {
    for (const theme of ["light", "dark"]) {
      for (const lang of ["ja", "en"]) {
        for (const state of Object.keys(STATES)) {
          const name = `${size}-${theme}-${lang}-${state}`;
          if (parts.length === 0 || parts.some((part) => name.includes(part))) {
            await take({ size: SIZES[size], theme, lang, state, path: join(GALLERY, `${name}.png`) });
          }
        }
      }
    }
  }
  if (parts.length === 0 || parts.includes("readme")) {
    mkdirSync(join(ROOT, "docs"), { recursive: true });
    const path = join(ROOT, "docs/stage.png");
    await take({ size: SIZES.desktop, theme: "light", lang: "en", state: "silence", path });
    writeFileSync(path, smaller(readFileSync(path)));
  }
} finally {
  await browser.close();
  await server.close();
}

async function take({ size: [width, height], theme, lang, state, path }) {
  // Without motion, so that the pictures are the same each time.
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale: lang, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.locator("#timeline").waitFor({ state: "attached" });
  await reach(page, state);
  await page.screenshot({ path });
  await context.close();
  console.log(path.slice(ROOT.length + 1));
}
