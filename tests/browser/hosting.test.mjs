// dist/ on the servers that docs/hosting/ has configurations for, as they are but for the port and the folder.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DIST } from "../../scripts/dist.mjs";
import { findServer } from "../../scripts/find-server.mjs";
import { HEADERS } from "../../scripts/serve-static.mjs";
import { appStarted, dist, pageTest } from "./page.mjs";
import { CRASH, scenario, temporaryFile } from "./story.mjs";

const DOCS = join(dirname(fileURLToPath(import.meta.url)), "../../docs/hosting");

const folder = mkdtempSync(join(tmpdir(), "logstep-hosting-"));
after(() => rmSync(folder, { recursive: true, force: true }));

// What they serve: the page under a path.
const ROOT = join(folder, "root");
mkdirSync(join(ROOT, "course"), { recursive: true });
symlinkSync(dist, join(ROOT, "course/unit 3"));

function replaced(text, changes) {
  for (const [from, to] of changes) {
    assert.equal(text.split(from).length, 2, `${from} is not there once`);
    text = text.replace(from, to);
  }
  return text;
}

const SERVERS = {
  nginx: {
    configuration: "nginx.conf",
    // A process that is all alone, and keeps its files here.
    command(port) {
      const site = replaced(readFileSync(join(DOCS, "nginx.conf"), "utf8"), [["listen 80;", `listen 127.0.0.1:${port};`], ["root /srv/logstep;", `root ${ROOT};`]]);
      const bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
      const file = join(folder, "nginx.conf");
      writeFileSync(file, `daemon off; master_process off; error_log stderr; pid ${folder}/nginx.pid; events {} http { ${bodies} access_log off;\n${site}\n}`);
      return ["-c", file];
    },
  },
  caddy: {
    configuration: "Caddyfile",
    command(port) {
      const site = replaced(readFileSync(join(DOCS, "Caddyfile"), "utf8"), [[":80 {", `:${port} {`], ["root * /srv/logstep", `root * ${ROOT}`]]);
      const file = join(folder, "Caddyfile");
      writeFileSync(file, `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${site}`);
      return ["run", "--adapter", "caddyfile", "--config", file];
    },
  },
};

const freePort = () => new Promise((done) => {
  const server = createServer();
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

// The answer's status, headers and length.
const get = (url, headers = {}) => new Promise((resolve, reject) => {
  request(url, { headers }, async (response) => {
    let length = 0;
    for await (const part of response) length += part.length;
    resolve({ status: response.statusCode, headers: response.headers, length });
  }).on("error", reject).end();
});

const children = [];
after(() => children.forEach((child) => child.kill()));

async function start(name) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/course/unit%203/`;
  const child = spawn(findServer(name), SERVERS[name].command(port), { env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder } });
  children.push(child);
  let said = "";
  child.stderr.on("data", (text) => { said += text; });
  for (let tries = 0; tries < 100 && child.exitCode === null; tries++) {
    if (await get(url).catch(() => undefined)) return { url };
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${name} does not answer: ${said}`);
}

const found = (name) => {
  try {
    return findServer(name);
  } catch {
    return undefined;
  }
};

const FILES = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(dist.length + 1));
const TYPES = {
  css: /^text\/css/, html: /^text\/html/, js: /^(text|application)\/javascript/, png: /^image\/png$/, svg: /^image\/svg\+xml/,
  wasm: /^application\/wasm$/, webmanifest: /^application\/manifest\+json/,
};

for (const name of Object.keys(SERVERS)) {
  const skip = found(name) ? false : `there is no ${name} here`;
  let server;
  const running = () => (server ??= start(name));

  test(`${name} answers as the configuration promises`, { skip, timeout: 60_000 }, async () => {
    const { url } = await running();
    for (const file of [...FILES, "", "not-there.js"]) {
      const { status, headers } = await get(url + file);
      assert.equal(status, file === "not-there.js" ? 404 : 200, file);
      for (const [header, value] of Object.entries(HEADERS)) {
        if (header !== "Cache-Control") assert.equal(headers[header.toLowerCase()], value, `${header} of ${file}`);
      }
      assert.equal(headers["x-frame-options"], undefined);
      if (status !== 200) continue;
      if (!file.startsWith("LICENSE")) assert.match(headers["content-type"], TYPES[(file || "index.html").split(".").pop()], file);
      const hashed = /-[0-9a-f]{16}/.test(file);
      assert.equal(headers["cache-control"], hashed ? "public, max-age=31536000, immutable" : "no-cache", file);
      assert.ok(headers.etag ?? headers["last-modified"], `${file} could not be asked for again`);
    }
    assert.deepEqual(FILES.filter((file) => !/-[0-9a-f]{16}/.test(file)).map((file) => file.split("/")[0]).sort(),
      ["LICENSE", "LICENSE-TEXTS", "demo.css", "demo.html", "demo.js", "embed.js", "icons", "icons", "icons", "icons", "icons", "index.html", "manifest.webmanifest", "sw.js"]);
    for (const file of FILES.filter((file) => /\.(wasm|js|css)$/.test(file) && file !== "sw.js")) {
      assert.equal((await get(url + file, { "Accept-Encoding": "gzip, br, zstd" })).headers["content-encoding"], "gzip", file);
    }
    const { status, headers } = await get(url.slice(0, -1));
    assert.ok([301, 308].includes(status));
    assert.equal(new URL(headers.location, url).href, url);
  });

  pageTest(`on ${name} the page starts, opens a file, and is kept for use without a network`, { skip, keeps: true, server: running }, async ({ page }) => {
    await page.locator("input[type=file]").setInputFiles(temporaryFile("own.json", { ...scenario(CRASH), title: "Opened here" }));
    await page.locator("#story option:checked", { hasText: "Opened here" }).waitFor({ state: "attached" });
    await page.evaluate(() => navigator.serviceWorker.ready);
  });

  pageTest(`on ${name} the page starts in a sandboxed frame that has no origin`, { skip, wait: "nothing", server: running }, async ({ page, url }) => {
    await page.setContent(`<iframe sandbox="allow-scripts" src="${url}" title="logstep"></iframe>`);
    const frame = await (await page.waitForSelector("iframe")).contentFrame();
    await appStarted(frame);
    assert.equal(await frame.evaluate(() => window.origin), "null");
  });
}

test("the README names the same headers", () => {
  const readme = readFileSync(join(DOCS, "../../README.md"), "utf8");
  for (const [header, value] of Object.entries(HEADERS)) {
    if (header !== "Cache-Control") assert.ok(readme.includes(`| \`${header}\` | \`${value}\` |`), header);
  }
});

pageTest("where a host sends no headers the page's own policy holds", {
  wait: "nothing", expect: [/Content Security Policy/],
}, async ({ page, url, problems }) => {
  await page.route("**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { "content-type": response.headers()["content-type"] } });
  });
  await page.goto(url);
  await appStarted(page);
  assert.deepEqual(problems, []);
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.ran = true";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.ran), undefined);
});

// --- GitHub Pages.

test("the workflow makes and publishes what make dist writes, may do nothing else than that, and runs what there is", () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
  const read = (name) => readFileSync(join(root, name), "utf8");
  // One step or setting in a line; what is deeper belongs to what is above it.
  const lines = read(".github/workflows/pages.yml").split("\n").filter((line) => !/^\s*(#|$)/.test(line)).map((line) => line.replace(/^(\s*)- /, "$1  "));
  const depth = (line) => line.search(/\S/);
  const below = (name, from = lines) => {
    const start = from.findIndex((line) => line.trim() === `${name}:`);
    const rest = from.slice(start + 1);
    const end = rest.findIndex((line) => depth(line) <= depth(from[start]));
    return end < 0 ? rest : rest.slice(0, end);
  };
  const texts = (block) => block.map((line) => line.trim());

  const targets = [...read("Makefile").matchAll(/^([a-z]+):/gm)].map(([, target]) => target);
  const run = texts(lines).filter((line) => line.startsWith("run: ")).map((line) => line.slice("run: ".length));
  assert.deepEqual(run.filter((command) => command.startsWith("make ")), ["make test", "make dist"]);
  for (const command of run.filter((command) => command.startsWith("make "))) assert.ok(targets.includes(command.slice("make ".length)));

  const [test, publish] = [below("test"), below("publish")];
  const upload = test.findIndex((line) => line.includes("uses: actions/upload-pages-artifact@"));
  assert.ok(upload > test.findIndex((line) => line.includes("make dist")));
  assert.deepEqual(texts(below("with", test.slice(upload))), [`path: ${basename(DIST)}`]);
  for (const name of texts(test).join(" ").match(/(?<=hashFiles\().*?(?=\))/)[0].match(/[^', ]+/g)) assert.ok(existsSync(join(root, name)), name);

  // Whoever tests may read; only who publishes may do that, and only what has come from the main branch.
  assert.deepEqual(texts(below("permissions")), ["contents: read"]);
  assert.equal(texts(test).includes("permissions:"), false);
  assert.deepEqual(texts(below("permissions", publish)), ["pages: write", "id-token: write"]);
  assert.ok(texts(publish).includes("needs: test") && texts(publish).includes("if: github.ref == 'refs/heads/main'"));
  assert.deepEqual(texts(below("environment", publish)), ["name: github-pages", "url: ${{ steps.deployment.outputs.page_url }}"]);
  assert.ok(texts(publish).includes("id: deployment"));
});
