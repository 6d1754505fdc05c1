// Measures the engine in WebAssembly: node scripts/bench.mjs MODULE.wasm NATIVE_STEPS_PER_SECOND

import { readFileSync } from "node:fs";

const [file, nativeRate] = process.argv.slice(2);
const bytes = readFileSync(file);
const { instance } = await WebAssembly.instantiate(bytes);
const engine = instance.exports;

function timed(work) {
  const begins = performance.now();
  const result = work();
  return [performance.now() - begins, result];
}

function line(what, value, unit, budget, holds) {
  const number = (n) => (n >= 1000 ? n.toFixed(0) : n.toFixed(2));
  const verdict = budget === undefined ? "" : `${holds ? "ok" : "OVER"}`;
  const limit = budget === undefined ? "" : budget;
  console.log(what.padEnd(58), number(value).padStart(11), unit.padEnd(11), limit.padStart(11), "", verdict);
}

const mebibytes = () => engine.memory.buffer.byteLength / 2 ** 20;

function rate(which, times) {
  engine.prepare(which);
  let best = 0;
  for (let n = 0; n < times; n++) {
    const [time, steps] = timed(engine.run);
    best = Math.max(best, (steps * 1000) / time);
  }
  return best;
}

console.log(`\nThe same in WebAssembly (Node ${process.versions.node}, module of ${bytes.length.toLocaleString("en")} bytes)\n`);

const rates = [rate(1, 6), rate(2, 6)];
line("the main story over and over, 1,000,000 steps", rates[0], "steps/s");
const share = (100 * rates[0]) / Number(nativeRate);
line("of the native rate", share, "%", "≥ 60", share >= 60);
line("60 records/s, 1,000,000 steps", rates[1], "steps/s");

const [sweepTime, runs] = timed(engine.sweep);
line(`crash sweep of the main story, ${runs} runs`, sweepTime / 1000, "s", "≤ 1", sweepTime <= 1000);

engine.prepare(1);
const [knownTime, steps] = timed(engine.remember);
line(`running ahead over ${steps.toLocaleString("en")} steps`, knownTime, "ms");
line("WebAssembly memory with history, 1,000,000 steps", mebibytes(), "MiB", "≤ 160", mebibytes() <= 160);

const seeks = [];
let drawn = 12345;
for (let n = 0; n < 1000; n++) {
  drawn = (Math.imul(drawn, 1103515245) + 12345) >>> 0;
  seeks.push(timed(() => engine.seek(drawn % steps))[0]);
}
seeks.sort((a, b) => a - b);
line("seek to a random step of 1,000,000, the longest of 1000", seeks[999], "ms", "≤ 32", seeks[999] <= 32);
line("seek, the 95th percentile", seeks[950], "ms");

const before = mebibytes();
engine.branch(20, 1000);
line("memory after 20 more branches with 1,000 steps each", mebibytes(), "MiB");
const more = (100 * (mebibytes() - before)) / before;
line("more than before", more, "%", "≤ 10", more <= 10);
