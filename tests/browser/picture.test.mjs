// The stage can be read from the first step to the last: a world that can be seen whole is, and no words stand over others.

import assert from "node:assert/strict";
import { pageTest, settled } from "./page.mjs";
import { BEYOND, COVERED, REBALANCE, WORLDS, openWorld, reach, show, stepOf } from "./states.mjs";
import { atSteps, caption, lastStep, range, scrubTo, shownStep } from "./story.mjs";

const MOMENTS = 32;

for (const world of Object.keys(WORLDS)) {
  pageTest(`words do not cover each other: ${world}`, { reducedMotion: true }, async ({ page }) => {
    await openWorld(page, world);
    const last = await lastStep(page);
    const steps = range(0, MOMENTS).map((n) => Math.round((last * n) / MOMENTS));
    for (const lang of ["en", "ja"]) {
      for (const width of [360, 1320]) {
        await show(page, { width, height: 800, lang, theme: "light" });
        assert.deepEqual([...new Set((await atSteps(page, steps, COVERED)).flat())], [], `${lang}, ${width} px: covered`);
        assert.deepEqual([...new Set((await atSteps(page, steps, BEYOND)).flat())], [], `${lang}, ${width} px: beyond its frame`);
      }
      const view = await page.locator(".stage-view").evaluate((view) => view.scrollHeight - view.clientHeight);
      assert.ok(view <= 1, `the stage scrolls: ${view} px are out of sight`);
    }
  });
}

pageTest("at the step of a crash its mark is seen on the handle of the timeline", { reducedMotion: true }, async ({ page }) => {
  await reach(page, "crash");
  const [handle, mark] = await Promise.all([".thumb", ".mark.is-crash"].map((selector) => page.locator(selector).boundingBox()));
  assert.ok(Math.abs(handle.x + handle.width / 2 - mark.x - mark.width / 2) < 2, "there they meet");
  const isAbove = await page.evaluate(() => {
    const [handle, mark] = [".thumb", ".mark.is-crash"].map((selector) => document.querySelector(selector));
    return Boolean(handle.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_FOLLOWING);
  });
  assert.ok(isAbove);
});

pageTest("a line says what the signs of the stage mean, in at most two lines on a phone", { width: 360, height: 740, reducedMotion: true }, async ({ page }) => {
  for (const lang of ["en", "ja"]) {
    await show(page, { width: 360, height: 740, lang, theme: "light" });
    const { height } = await page.locator(".signs").boundingBox();
    assert.ok(height <= 2 * 18 + 6, `${lang}: ${height} px`);
    assert.equal(await page.locator(".signs li").count(), 6);
  }
});

pageTest("Go to leads to the step that lost records, and there they are crossed out", { reducedMotion: true }, async ({ page }) => {
  await openWorld(page, "loss");
  await page.keyboard.press("Home");
  await page.locator("#go-to").click();
  await page.getByRole("menuitem", { name: /^Next loss/ }).click();
  assert.equal(await shownStep(page), stepOf(/^c1 crashes/, "loss"));
  const said = (await caption(page)).match(/is lost: (\d+) records/);
  assert.equal(await page.locator(".tape .cross").count(), Number(said[1]));
  assert.equal(await page.locator(".timeline-drawing .cross").count(), 1);
});

for (const [width, height] of [[360, 740], [820, 1180], [1320, 800]]) {
  pageTest(`words of the drawing are explained below it, ${width} px`, { width, height, reducedMotion: true }, async ({ page }) => {
    for (const [lang, words] of [["en", ["lag", "generation", "unique key"]], ["ja", ["ラグ", "世代", "ユニークキー"]]]) {
      await show(page, { width, height, lang, theme: "light" });
      assert.deepEqual(await page.locator(".words .term").allTextContents(), words);
      const [summary, explained] = await Promise.all([".twin summary", ".words"].map((selector) => page.locator(selector).boundingBox()));
      const isBeside = summary.x + summary.width <= explained.x;
      const isBelow = width < 400 && summary.y + summary.height <= explained.y;
      assert.ok((isBeside || isBelow) && explained.x + explained.width <= width, "they do not meet");
      assert.ok(explained.height < 40, "in one line");
      for (const word of words) {
        await page.locator(".words .term", { hasText: word }).click();
        assert.equal(await page.getByRole("dialog").locator("b").textContent(), word);
        await page.keyboard.press("Escape");
        assert.ok(await page.locator(".words .term", { hasText: word }).evaluate((term) => term === document.activeElement));
      }
    }
  });
}

pageTest("without a group there are no words about one and no results", { reducedMotion: true }, async ({ page }) => {
  await openWorld(page, "keyless");
  assert.equal(await page.locator(".words").textContent(), "");
  assert.equal(await page.locator(".verdicts").count(), 0);
});

pageTest("a tape with a long lag shows what is worked on and the last record, at its offset", { reducedMotion: true }, async ({ page }) => {
  await reach(page, "records");
  const tapes = await page.locator(".tape:has(.fold.at-middle)").evaluateAll((tapes) => tapes.map((tape) => {
    const places = [...tape.querySelectorAll(".offset")].map((text) => [Number(text.textContent), Number(text.getAttribute("x"))]);
    const fold = tape.querySelector(".fold.at-middle");
    return { behind: places.filter(([, x]) => x > Number(fold.getAttribute("x"))), offsets: places.map(([offset]) => offset), folded: Number(fold.textContent.replace(/[+,]/g, "")) };
  }));
  assert.ok(tapes.length > 0);
  for (const { behind, offsets, folded } of tapes) {
    assert.equal(behind.length, 1);
    assert.equal(behind[0][0] - folded - 1, offsets.at(-2));
  }
});

pageTest("no mark begins a line behind a word that is explained", { reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, REBALANCE);
  const kept = await page.locator(".kept").evaluateAll((all) => all.map((kept) => {
    const mark = document.createRange();
    mark.selectNode(kept.lastChild);
    return [kept.textContent, getComputedStyle(kept).whiteSpace, kept.firstChild.getBoundingClientRect().bottom - mark.getBoundingClientRect().top];
  }).filter(([text]) => /[.,]$/.test(text)));
  assert.ok(kept.length > 1);
  assert.deepEqual(kept.filter(([, wraps, below]) => wraps !== "nowrap" || below < 4), []);
  const loose = await page.locator(".kept").evaluateAll((all) => all.map((kept) => kept.nextSibling?.textContent ?? "").filter((text) => /^[.,]/.test(text)));
  assert.deepEqual(loose, []);
});

pageTest("on a page that is zoomed in, what happened and to whom are in sight together", { width: 660, height: 400, reducedMotion: true }, async ({ page }) => {
  await scrubTo(page, stepOf(/^c3 crashes/) - 1);
  await page.keyboard.press("ArrowRight");
  await page.locator(".seat.is-crashed").waitFor();
  const { bottom, tops } = await page.evaluate(() => {
    const place = (selector) => document.querySelector(selector).getBoundingClientRect();
    return { bottom: [".seat.is-crashed .card", ".caption"].map((selector) => place(selector).bottom), tops: [place(".caption").top, place(".transport").top, place(".seat.is-crashed .card").top] };
  });
  assert.ok(tops[2] >= 0 && bottom[0] <= tops[0] + 1, `c3 ends at ${bottom[0]}, the sentence begins at ${tops[0]}`);
  assert.ok(bottom[1] <= tops[1] + 2, `the sentence ends at ${bottom[1]}, the bar begins at ${tops[1]}`);
});

pageTest("a pool is drawn: what each worker has in hand, and what waits", { reducedMotion: true }, async ({ page }) => {
  await openWorld(page, "workers");
  await page.locator("#timeline").evaluate((slider) => {
    slider.value = Math.floor(slider.max / 3);
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await settled(page);
  const words = await page.locator(".seat .status").first().textContent();
  const [, waiting, most] = words.match(/^queue (\d+)\/(\d+)$/);
  assert.equal(most, "10", "what the file allows");
  assert.equal(await page.locator(".seat .workers").first().locator(".dial-on").count(), 4, "as many workers as the file has");
  const queue = await page.locator(".seat .workers .queue").first().getAttribute("d");
  assert.equal(queue.split("M").length - 1, Math.min(5, Number(waiting)));
});

pageTest("a record of which a copy was sent elsewhere is neither waiting nor lost, and a sign says so", { reducedMotion: true }, async ({ page }) => {
  assert.equal(await page.locator(".signs", { hasText: "set aside" }).count(), 0, "where nothing sends copies, it is no sign");
  await openWorld(page, "aside");
  await scrubTo(page, Math.round((await lastStep(page)) * 0.4));
  await settled(page);
  const copies = await page.locator(".tape", { hasText: "P0" }).last().locator(".chip-name").allTextContents();
  const aside = await page.locator(".tape g:has(> .chip.is-aside) .chip-name").allTextContents();
  assert.ok(aside.length > 0 && copies.length >= aside.length, `${aside}, copies ${copies}`);
  assert.equal(await page.locator(".signs", { hasText: "set aside" }).count(), 1);
});

pageTest("an offset that is kept in a table is flagged where it leads to, and a table that is down says so", { reducedMotion: true }, async ({ page }) => {
  await openWorld(page, "store");
  await page.keyboard.press("End");
  await settled(page);
  const flags = await page.locator(".commit .badge").allTextContents();
  assert.ok(flags.length > 0 && flags.every((flag) => /^resumes \d+$/.test(flag)), flags.join());
  await openWorld(page, "down");
  await scrubTo(page, stepOf(/is down/, "down"));
  assert.equal(await page.locator(".sink.is-down").count(), 1);
  assert.equal(await page.locator(".sink.is-down", { hasText: "down" }).count(), 1);
});
