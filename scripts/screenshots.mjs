// Takes pictures of the page, for a person to look at, and the one in the README.
//
//   node scripts/screenshots.mjs [PART...]    builds dist/ if the sources have changed; LOGSTEP_DIST names another build
//
// Writes target/screenshots/gallery/SIZE-THEME-LANGUAGE-SCENE.png; with PARTs, only those whose name holds one of them. The
// picture in the README is docs/stage.png, taken without PARTs and with the PART "readme".

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { ensureDist } from "./dist.mjs";
import { findChrome } from "./find-chrome.mjs";
import { smaller } from "./png.mjs";
import { startServer } from "./serve-static.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const GALLERY = join(ROOT, "target/screenshots/gallery");
const SIZES = { desktop: [1320, 800], phone: [360, 740] };

// Scenes of the main story, found by the marks of its timeline.
const SCENES = {
  start: (page) => page.keyboard.press("Home"),
  crash: (page) => mark(page, "is-crash", 8),
  silence: (page) => mark(page, "is-timeout", -8),
  rebalance: (page) => mark(page, "is-rebalance", -2),
  question: (page) => question(page),
  duplicates: (page) => mark(page, "is-duplicate", 2),
  end: (page) => page.keyboard.press("End"),
  menu: async (page) => {
    await mark(page, "is-crash", -4);
    await page.locator(".member").last().click();
  },
  help: (page) => page.locator("#help-button").click(),
};

const parts = process.argv.slice(2);
const server = await startServer({ root: process.env.LOGSTEP_DIST || ensureDist(), prefix: "/" });
const browser = await chromium.launch({ executablePath: findChrome(), headless: true, args: ["--no-sandbox", "--disable-gpu"] });
try {
  mkdirSync(GALLERY, { recursive: true });
  for (const size of Object.keys(SIZES)) {
    for (const theme of ["light", "dark"]) {
      for (const lang of ["ja", "en"]) {
        for (const scene of Object.keys(SCENES)) {
          const name = `${size}-${theme}-${lang}-${scene}`;
          if (parts.length === 0 || parts.some((part) => name.includes(part))) {
            await take({ size: SIZES[size], theme, lang, scene, path: join(GALLERY, `${name}.png`) });
          }
        }
      }
    }
  }
  if (parts.length === 0 || parts.includes("readme")) {
    mkdirSync(join(ROOT, "docs"), { recursive: true });
    const path = join(ROOT, "docs/stage.png");
    await take({ size: SIZES.desktop, theme: "light", lang: "en", scene: "silence", path });
    writeFileSync(path, smaller(readFileSync(path)));
  }
} finally {
  await browser.close();
  await server.close();
}

async function take({ size: [width, height], theme, lang, scene, path }) {
  // Without motion, so that the pictures are the same each time.
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale: lang, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.locator("#timeline").waitFor({ state: "attached" });
  await SCENES[scene](page);
  await page.waitForTimeout(150);
  await page.screenshot({ path });
  await context.close();
  console.log(path.slice(ROOT.length + 1));
}

// Goes to so many steps after the last mark of a kind.
async function mark(page, kind, after) {
  await page.evaluate(([kind, after]) => {
    const marks = [...document.querySelectorAll(`.mark.${kind}`)];
    const share = parseFloat(marks.at(-1).parentElement.getAttribute("x")) / 100;
    const slider = document.querySelector("#timeline");
    slider.value = Math.round(share * slider.max) + after;
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, [kind, after]);
}

// Goes to the question and gives the second answer.
async function question(page) {
  await page.keyboard.press("Home");
  for (let scene = 0; scene < 100 && (await page.locator(".choice").count()) === 0; scene++) {
    await page.keyboard.press("Shift+ArrowRight");
    await page.waitForTimeout(30);
  }
  await page.locator(".choice").nth(1).click();
}
