// Fetches, compiles and starts the app, one stage after the other, so that what goes wrong can be
// named. In a file of its own because a strict content security policy refuses inline scripts.

const boot = window.logstepBoot; // Absent when boot.js has already said why nothing can start.

const address = (name) => new URL(document.querySelector(`meta[name="${name}"]`).content, document.baseURI).href;

async function fetchProgram(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText} ${url}`);
  return response;
}

// Compiling while the bytes arrive is faster, but browsers refuse to where a host does not know
// the type of a .wasm file.
async function compile(response) {
  const type = response.headers.get("Content-Type") || "";
  return type.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

const load = (glue, program) => Promise.all([import(glue), fetchProgram(program).then(compile)]);

// The reader of scenario files, from the first file on that a person opens. The number of failures is a part of its
// address, since a browser may take a module that it could not load once for one that never can be.
let reader;
let failures = 0;

async function loadReader() {
  const again = failures ? `?${failures}` : "";
  const [glue, program] = await load(address("reader-glue") + again, address("reader-wasm") + again);
  await glue.default({ module_or_path: program });
  return glue;
}

async function read(file) {
  reader ??= loadReader();
  const asked = reader;
  try {
    return (await asked).read(file);
  } catch (error) {
    console.error(error);
    if (reader === asked) {
      reader = undefined;
      failures += 1;
    }
    throw error;
  }
}

// Bytes as a part of an address: a zlib stream in base64url.
async function pack(bytes) {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  let binary = "";
  for (const byte of new Uint8Array(await new Response(packed).arrayBuffer())) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The bytes again; fewer than `most`, however small they were packed.
async function unpack(text, most) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const packed = new Blob([Uint8Array.from(binary, (letter) => letter.charCodeAt(0))]);
  const parts = [];
  let size = 0;
  for (const reader = packed.stream().pipeThrough(new DecompressionStream("deflate")).getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    parts.push(value);
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError("too large");
    }
  }
}

// Has the page kept for when there is no network, and tells the app when another version of it is ready. Not inside a
// frame, where it is part of somebody else's page.
async function keep() {
  if (!document.querySelector('meta[name="worker"]') || window.top !== window) return; // Only release builds have one.
  try {
    if (!window.localStorage) return;
    const registration = await navigator.serviceWorker.register(address("worker"));
    const look = () => {
      if (registration.active && registration.waiting) window.dispatchEvent(new Event("logstep-renewed"));
    };
    const watch = () => registration.installing?.addEventListener("statechange", look);
    boot.renew = () => {
      const { waiting } = registration;
      if (!waiting) return location.reload(); // Another window has already asked for it.
      waiting.addEventListener("statechange", () => location.reload());
      waiting.postMessage("renew");
    };
    registration.addEventListener("updatefound", watch);
    watch();
    look();
  } catch {
    // No storage, no https: everything but that works.
  }
}

async function start() {
  let kind = "network";
  try {
    const [glue, program] = await load(address("app-glue"), address("app-wasm"));
    kind = "stopped";
    Object.assign(boot, { read, pack, unpack });
    await glue.default({ module_or_path: program });
    boot.started();
    keep();
  } catch (error) {
    if (error instanceof WebAssembly.CompileError && /content security policy|csp/i.test(error.message)) kind = "refused";
    else if ([SyntaxError, WebAssembly.CompileError, WebAssembly.LinkError].some((type) => error instanceof type)) kind = "damaged";
    boot.fail(kind, error);
    console.error(error);
  }
}

if (boot) start();
