// A small static server on this computer only, with the headers that a careful host would send.
//
//   node scripts/serve-static.mjs [--root dist] [--port 0] [--prefix /some/path/]
//
// Port 0 takes a free one; the address is printed.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

// The strictest policy that WebAssembly works under, and that lets the page draw its own picture as a PNG.
export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'";

export const HEADERS = {
  // It says nothing of frames: "frame-ancestors *" would shut out those whose page has no host, as in an app or a file.
  "Content-Security-Policy": POLICY,
  // A frame with sandbox="allow-scripts" has no origin; without this it may not load modules or WebAssembly.
  "Access-Control-Allow-Origin": "*",
  "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
};

// The file that a request asks for, or undefined.
function locate(root, prefix, url) {
  try {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
    if (!path.startsWith(prefix) || path.includes("\0")) return undefined;
    let file = normalize(join(root, path.slice(prefix.length)));
    if (file !== root && !file.startsWith(root + sep)) return undefined;
    if (path.endsWith("/")) file = join(file, "index.html");
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

// Resolves to { url, close } once the server listens.
export function startServer({ root, port = 0, prefix = "/" }) {
  root = normalize(root).replace(/[\\/]+$/, "");
  const server = createServer((request, response) => {
    const file = ["GET", "HEAD"].includes(request.method) ? locate(root, prefix, request.url) : undefined;
    if (!file) {
      response.writeHead(404, { ...HEADERS, "Content-Type": "text/plain; charset=utf-8" });
      response.end("Not found\n");
      return;
    }
    response.writeHead(200, { ...HEADERS, "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    if (request.method === "HEAD") response.end();
    else createReadStream(file).on("error", () => response.destroy()).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      resolve({
        url: `http://127.0.0.1:${server.address().port}${prefix}`,
        close: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }),
      });
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      root: { type: "string", default: "dist" },
      port: { type: "string", default: "0" },
      prefix: { type: "string", default: "/" },
    },
  });
  const { url } = await startServer({ root: values.root, port: Number(values.port), prefix: values.prefix });
  console.log(`Serving ${values.root}/ at ${url}`);
}
