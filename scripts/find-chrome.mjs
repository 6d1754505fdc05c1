// Which Chrome or Chromium to test in: $CHROME, or the first one on PATH, or where macOS keeps it.
// As a program it prints the path, or says that there is none.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
const MAC = ["Google Chrome", "Chromium", "Microsoft Edge"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

export function executable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function findChrome() {
  if (process.env.CHROME) {
    if (!executable(process.env.CHROME)) throw new Error(`CHROME=${process.env.CHROME} is not a program`);
    return process.env.CHROME;
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const found = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MAC].find(executable);
  if (!found) throw new Error("no Chrome or Chromium on PATH; install one, or set CHROME to its path");
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(findChrome());
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
