// Builds dist/, unless it already is the release build of exactly these sources. Tests and `make dist`
// both come here, so one release build serves them all.
//
// Compares contents, not times of change: a fresh clone or a switched branch has new times on old files.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { POLICY } from "./serve-static.mjs";
import { shortenImports, split } from "./split.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
export const DIST = join(ROOT, "dist");
const TARGET = process.env.CARGO_TARGET_DIR || join(ROOT, "target");
const STAMP = join(TARGET, "dist.json");
// The page's program before it is parted, with the names of its functions; for scripts/first-run.mjs.
export const WHOLE_PROGRAM = join(TARGET, "whole-program.wasm");
const MAP = join(TARGET, "whole-program.map"); // where its linker has put what

// What cannot change the build. Everything else may be included by a source file.
const NOT_BUILT_FROM = new Set([".git", ".github", ".ci", ".tools", "node_modules", "target", "dist", "tests", "benches", "docs", "README.md"]);

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (NOT_BUILT_FROM.has(relative(ROOT, path)) && folder === ROOT) return [];
    if (entry.isDirectory()) return existsSync(join(path, "CACHEDIR.TAG")) ? [] : files(path);
    return entry.isFile() ? [path] : [];
  });
}

function digest(paths) {
  const hash = createHash("sha256");
  for (const path of paths.sort()) {
    const bytes = readFileSync(path);
    hash.update(`${relative(ROOT, path)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

const state = () => JSON.stringify({ sources: digest(files(ROOT)), dist: existsSync(DIST) ? digest(files(DIST)) : "" });

// Makes the scripts and style sheets smaller, in place. (Trunk's own minifier stumbles over what wasm-bindgen writes.)
// boot.js has to run where nothing newer than ES5 does.
function minify() {
  for (const name of readdirSync(DIST).filter((name) => /\.(js|css)$/.test(name))) {
    const path = join(DIST, name);
    const loader = name.endsWith(".css") ? "css" : "js";
    const target = name.startsWith("boot-") && loader === "js" ? "es5" : "es2022";
    // Only in a module may the names that stand outside of every function be shortened.
    const format = loader === "js" && target !== "es5" ? "esm" : undefined;
    const { code } = transformSync(readFileSync(path, "utf8"), { loader, target, format, minify: true, legalComments: "none" });
    writeFileSync(path, code);
  }
}

// Trunk names files by a hash from which it drops zeros at the beginning. All names get its sixteen digits, by which hosts tell
// what never changes.
function padNames() {
  for (const name of readdirSync(DIST)) {
    const padded = name.replace(/-([0-9a-f]{8,15})(?=(_bg)?\.)/, (_, hash) => `-${hash.padStart(16, "0")}`);
    if (padded === name) continue;
    renameSync(join(DIST, name), join(DIST, padded));
    rewrite(join(DIST, "index.html"), (html) => html.replaceAll(name, padded));
  }
}

// The page's program in two parts, see split.mjs, each named by what is in it.
function splitProgram() {
  const page = join(DIST, "index.html");
  const html = readFileSync(page, "utf8");
  const [meta, name] = html.match(/<meta name="app-wasm" content="\.\/([^"]+)">/);
  const { program, names } = shortenImports(readFileSync(join(DIST, name)));
  writeFileSync(WHOLE_PROGRAM, program);
  const parts = split(program, readFileSync(MAP, "utf8"));
  const put = (part, kind, bytes) => {
    const file = `logstep-${part}-${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}.${kind}`;
    writeFileSync(join(DIST, file), bytes);
    return file;
  };
  const [, glue] = html.match(/<meta name="app-glue" content="\.\/([^"]+)">/);
  const renamed = readFileSync(join(DIST, glue), "utf8").replace(/\b__wb\w+/g, (name) => names.get(name) ?? name);
  for (const old of [name, glue]) rmSync(join(DIST, old));
  const rest = `<meta name="rest-wasm" content="./${put("rest", "wasm", parts.rest)}">`;
  writeFileSync(page, html.replace(meta, meta + rest).replaceAll(name, put("first", "wasm", parts.first)).replaceAll(glue, put("page", "js", renamed)));
}

function rewrite(path, change) {
  const text = readFileSync(path, "utf8");
  const changed = change(text);
  if (changed === text) throw new Error(`${relative(ROOT, path)} is not what it was when this script was written`);
  writeFileSync(path, changed);
}

// Gives what is fetched later names by its contents, as Trunk does with what the page is made of: so that no page can come
// upon a part of another version, and a host may say that none of them ever changes.
function nameParts() {
  for (const part of [["logstep-reader.js", "logstep-reader_bg.wasm"], ["logstep-exporter.js", "logstep-exporter_bg.wasm"], ["export.js"], ["host.js"], ["rest.css"], ["parts.js"]]) {
    const hash = digest(part.map((name) => join(DIST, name))).slice(0, 16);
    for (const name of part) {
      const named = name.replace(/(_bg)?(?=\.)/, `-${hash}$1`);
      renameSync(join(DIST, name), join(DIST, named));
      rewrite(join(DIST, "index.html"), (html) => html.replace(`"./${name}"`, `"./${named}"`));
    }
  }
}

// The policy stands in the page as well, for hosts that cannot send it. And only what is in dist/ has a worker: while the
// page is worked on, nothing old may answer.
function completePage() {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  rewrite(join(DIST, "index.html"), (html) => html.replace(/<meta charset="utf-8">/i, `$&${policy}<meta name="worker" content="./sw.js">`));
}

// Writes the service worker of what else is in a folder.
export function writeWorker(folder) {
  const path = join(folder, "sw.js");
  const list = files(folder).filter((file) => file !== path).sort();
  const integrity = (file) => `sha256-${createHash("sha256").update(readFileSync(file)).digest("base64")}`;
  // A host may lead the name of the first one elsewhere; the page is asked for by the name of its folder.
  const name = (file) => relative(folder, file).replaceAll("\\", "/").replace(/^index\.html$/, "./");
  const build = { digest: digest(list).slice(0, 16), files: Object.fromEntries(list.map((file) => [name(file), integrity(file)])) };
  const source = readFileSync(join(ROOT, "static/sw.js"), "utf8");
  writeFileSync(path, transformSync(source, { define: { BUILD: JSON.stringify(build) }, target: "es2022", minify: true }).code);
}

export function ensureDist() {
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === state()) return DIST;

  const env = { ...process.env, TRUNK_SKIP_VERSION_CHECK: "true" };
  // The same tools, whether started by a script or by a test runner alone.
  env.PATH = [join(ROOT, ".tools/bin"), join(ROOT, "node_modules/.bin"), env.PATH].join(":");
  env.LOGSTEP_MAP = MAP;
  delete env.NO_COLOR; // Trunk 0.21 takes NO_COLOR=1 for a wrong value and stops.
  const trunk = spawnSync("trunk", ["build", "--release", "--locked"], { cwd: ROOT, env, stdio: ["ignore", "inherit", "inherit"] });
  if (trunk.error?.code === "ENOENT") throw new Error("trunk is not installed; `make setup` installs it");
  if (trunk.status !== 0) throw new Error("the release build failed, see above");
  padNames();
  splitProgram();
  minify();
  nameParts();
  completePage();
  writeWorker(DIST);

  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, state());
  return DIST;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(`The release build is in ${relative(process.cwd(), ensureDist()) || "."}/`);
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exit(1);
  }
}
