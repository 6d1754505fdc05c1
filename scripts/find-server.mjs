// Where a web server is: $PATH, the folders of system programs, which are not on everybody's PATH, or what scripts/setup.sh
// has fetched. As a program it prints the path of the one that is named, or says that it is missing.

import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { executable } from "./find-chrome.mjs";

const FETCHED = join(dirname(fileURLToPath(import.meta.url)), "../.tools/servers");
const SYSTEM = ["/usr/sbin", "/usr/local/sbin"];

export function findServer(name) {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...SYSTEM, join(FETCHED, "usr/bin"), join(FETCHED, "usr/sbin")];
  const found = folders.map((folder) => join(folder, name)).find(executable);
  if (!found) throw new Error(`there is no ${name}; make setup fetches it, or says how to install it`);
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(findServer(process.argv[2]));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
