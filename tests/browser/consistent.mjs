// What is drawn of the world beside what the scene as text says of it. The text is made from the world itself, not from what
// is laid out to be drawn.

import assert from "node:assert/strict";

// Runs in the page.
const FOUND = `() => {
  const number = (text) => text?.match(/\\d[\\d,]*/)?.[0].replaceAll(",", "") ?? "none";
  // "P0–P2, P5" as four names.
  const names = (list = "") => [...list.matchAll(/P(\\d+)(?:–P(\\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: to - from + 1 }, (_, index) => "P" + (Number(from) + index)));
  const sections = [...document.querySelectorAll(".twin h2, .twin h3")].map((heading) =>
    ({ heading: heading.textContent, lines: [...(heading.nextElementSibling?.querySelectorAll("li") ?? [])].map((line) => line.textContent) }));

  const partition = /^(P\\d+)(?:: end |: 末尾 )([\\d,]+)(?:, committed |、コミット済み )([^,、]+)(?:, position |、ポジション )([^,、]+)(?:, lag |、ラグ )([^,、]+)/;
  const member = (line) => {
    const name = line.match(/^([^:]+): /)?.[1];
    const isGone = /: (not started|crashed at|ended by|left at|未起動|クラッシュ（|エラーで終了|離脱済み)/.test(line);
    const owns = line.match(/owns (P[P\\d–]*(?:, P[P\\d–]+)*)|担当は (P[P\\d–]*(?:、P[P\\d–]+)*)/);
    const inHand = line.match(/processing (\\S+) \\(|: (\\S+?)（[^）]*）を処理中/);
    const uncommitted = line.match(/; (\\d+) records? uncommitted|未コミット (\\d+)/);
    return { name, isGone, owns: names(owns?.[1] ?? owns?.[2]), inHand: inHand?.[1] ?? inHand?.[2] ?? null, uncommitted: Number(uncommitted?.[1] ?? uncommitted?.[2] ?? 0) };
  };
  const told = (heading) => sections.filter((section) => heading.test(section.heading));
  const said = {
    partitions: told(/^(Partitions, as|.*から見たパーティション)/).flatMap(({ lines }) => lines.map((line) => line.match(partition)).filter(Boolean)
      .map(([, name, end, committed, position, lag]) => ({ name, end: number(end), committed: number(committed), position: number(position), lag: number(lag) }))),
    // The state of the group comes first; what follows a member's line about it is about its turn or its session.
    members: told(/^(Group|グループ) /).flatMap(({ lines }) => lines.filter((line) =>
      /^c\\d+: /.test(line) && !/last heard by|最後の連絡|no answer yet|knows of it|leads and computes|still to give up|waits for P|has done its part|まだ応答なし|リクエスト待ち|割り当てを計算|手放すまで|空くのを待機|: 完了/.test(line)).map(member)),
    tables: told(/^(Table|テーブル) /).map(({ heading, lines }) => ({
      count: heading.match(/([\\d,]+) ?(?:rows?|行)/)?.[1],
      rows: lines.map((line) => ({ name: line.split(" ")[0], isAgain: /, again$|、重複）$/.test(line) })),
    })),
  };

  // The records that are drawn, and how many are folded away on either side.
  const end = (tape) => {
    const folded = [...tape.querySelectorAll(".fold")].map((fold) => Number(number(fold.textContent)));
    return String([tape.querySelectorAll(".chip").length, ...folded].reduce((sum, some) => sum + some));
  };
  const drawn = {
    partitions: [...document.querySelectorAll(".tape")].map((tape) => ({
      name: tape.querySelector(".tape-name").textContent,
      end: end(tape),
      committed: number(tape.querySelector(".commit:has(.flag) .badge")?.textContent),
      position: number(tape.querySelector(".caret-label")?.textContent.replace("pause()", "")),
      lag: number(tape.querySelector(".lag")?.textContent),
    })),
    members: [...document.querySelectorAll(".seat")].map((seat) => {
      const label = seat.querySelector(".member").getAttribute("aria-label");
      const owns = label.match(/owns (P[P\\d–]*(?:, P[P\\d–]+)*)|担当 (P[P\\d–]*(?:、P[P\\d–]+)*)/);
      const detail = [...seat.querySelectorAll("text")].map((text) => text.textContent).join(" ");
      const uncommitted = detail.match(/(\\d+) uncommitted|未コミット (\\d+)/);
      return {
        name: seat.querySelector(".card-name").textContent,
        isGone: seat.matches(".is-crashed, .is-absent"),
        owns: names(owns?.[1] ?? owns?.[2]),
        inHand: /processing|処理中/.test(label) ? seat.querySelector(".mono.small")?.textContent ?? null : null,
        uncommitted: uncommitted && Number(uncommitted[1] ?? uncommitted[2]),
      };
    }),
    tables: [...document.querySelectorAll(".sink")].map((sink) => ({
      count: [...sink.querySelectorAll("text")].map((text) => text.textContent.match(/^([\\d,]+) ?(?:rows?|行)$/)?.[1]).find(Boolean),
      rows: [...sink.querySelectorAll(".row")].map((row) => ({ name: row.querySelector(".mono").textContent, isAgain: row.matches(".is-duplicate") })),
    })),
    tiles: [...document.querySelectorAll(".tape g:has(> .chip)")].map((tile) => ({
      name: tile.querySelector(".chip-name").textContent,
      isProcessed: tile.querySelector(".chip").matches(".is-processed") || tile.querySelector(".times") !== null,
      isInHand: tile.querySelector(".chip").matches(".is-in-hand"),
      times: Number(tile.querySelector(".times")?.textContent.replace("×", "") ?? 1),
    })),
  };
  return { said, drawn };
}`;

// Fails unless what is drawn of partitions, members, records and tables is what the text says; the text has to be open.
// For a story with one group and one table.
export async function assertConsistent(page, where) {
  const { said, drawn } = await page.evaluate(`(${FOUND})()`);

  assert.ok(said.partitions.length >= 3, "the partitions are told");
  for (const { name, ...values } of said.partitions) {
    const { name: _, ...shown } = drawn.partitions.find((tape) => tape.name === name);
    assert.deepEqual(shown, values, `${name}, ${where}`);
  }

  assert.ok(said.members.length > 0, "the members are told");
  for (const { name, isGone, owns, inHand, uncommitted } of said.members) {
    const shown = drawn.members.find((seat) => seat.name === name);
    assert.ok(shown, `${name} is drawn, ${where}`);
    assert.equal(shown.isGone, isGone, `whether ${name} is there, ${where}`);
    if (isGone) continue;
    assert.deepEqual(shown.owns, owns, `what ${name} owns, ${where}`);
    assert.equal(shown.inHand, inHand, `what ${name} has in hand, ${where}`);
    // Where there is no room for it, or something matters more, it is not drawn.
    if (shown.uncommitted !== null) assert.equal(shown.uncommitted, uncommitted, `what ${name} has not committed, ${where}`);
  }

  assert.equal(drawn.tables.length, said.tables.length);
  for (const [index, table] of said.tables.entries()) {
    assert.equal(drawn.tables[index].count, table.count, `rows, ${where}`);
    const { rows } = drawn.tables[index];
    if (rows.length > 0 && table.rows.length > 0) {
      const both = Math.min(rows.length, table.rows.length);
      assert.deepEqual(rows.slice(-both), table.rows.slice(-both), `the last rows, ${where}`);
    }
    // All rows are told: what has one is processed, and as often as it has rows, or oftener where a key has absorbed some.
    if (Number(table.count) > table.rows.length) continue;
    for (const { name, isProcessed, isInHand, times } of drawn.tiles) {
      // Once more, perhaps.
      if (isInHand) continue;
      const written = table.rows.filter((row) => row.name === name).length;
      assert.equal(isProcessed, written > 0, `whether ${name} is processed, ${where}`);
      if (isProcessed) assert.ok(times >= written, `how often ${name} is processed, ${where}`);
    }
  }
}
