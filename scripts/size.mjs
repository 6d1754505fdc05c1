// Prints what the first load of dist/ transfers, and fails if that is more than the budget.

import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { DIST } from "./dist.mjs";

const BUDGET = 250_000; // bytes with brotli

// index.html and whatever it names, and what those style sheets and scripts name in turn. A file that
// the app asks for at its start but that is not named here must be preloaded, or the count is wrong;
// a browser test compares the two.
export function firstLoadFiles(dist = DIST) {
  const found = new Set(["index.html"]);
  for (const file of found) {
    const links = {
      html: /\s(?:src|href)="([^"]+)"|<meta name="app-[a-z]+" content="([^"]+)"/g,
      css: /url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)/g,
      js: /^\s*import\b[^"'\n]*["'](\.[^"']+)["']/gm,
    }[file.split(".").pop()];
    if (!links) continue;
    for (const match of readFileSync(join(dist, file), "utf8").matchAll(links)) {
      const address = match[1] ?? match[2];
      if (!/^([a-z]+:|#|\/\/)/.test(address)) found.add(normalize(join(dirname(file), address.replace(/[?#].*/, ""))));
    }
  }
  return [...found];
}

function brotli(bytes) {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
}

function main() {
  const rows = firstLoadFiles().map((file) => {
    const bytes = readFileSync(join(DIST, file));
    return [file, bytes.length, gzipSync(bytes, { level: 9 }).length, brotli(bytes).length];
  });
  const total = [1, 2, 3].map((column) => rows.reduce((sum, row) => sum + row[column], 0));
  const width = Math.max(...rows.map(([file]) => file.length));
  for (const [file, ...sizes] of [["first load, bytes", "plain", "gzip", "brotli"], ...rows, ["total", ...total]]) {
    console.log(file.padEnd(width), ...sizes.map((size) => String(size.toLocaleString("en")).padStart(10)));
  }
  const share = `${total[2].toLocaleString("en")} of ${BUDGET.toLocaleString("en")} bytes (${Math.round((total[2] / BUDGET) * 100)} %)`;
  if (total[2] > BUDGET) {
    console.error(`error: the first load is over its budget: ${share}`);
    process.exit(1);
  }
  console.log(`Within the budget: ${share}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
