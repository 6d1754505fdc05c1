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

// Files and what is taken along are the business of static/parts.js. What is asked of it before it is here waits for it.
const LATER = ["read", "readAction", "answerLab", "pack", "unpack", "take", "exporter", "copy", "fill"];
let failures = 0; // in its address, since a browser may take a module that it could not load once for one that never can be

async function loadParts() {
  try {
    await import(address("parts-script") + (failures ? `?${failures}` : ""));
  } catch (error) {
    failures += 1;
    throw error;
  }
}

const later = (name) => async (...order) => {
  await loadParts();
  return boot[name](...order);
};

// What the first story does without is a program of its own, in the release build: scripts/split.mjs. It joins the first as
// soon as it is there.
const isSplit = () => document.querySelector('meta[name="rest-wasm"]') !== null;

// Its style sheet comes with it. Whatever becomes of it, the program goes on.
function fetchStyles() {
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address("rest-styles") });
  return new Promise((done) => {
    sheet.onload = sheet.onerror = done;
    document.head.append(sheet);
  });
}

let first; // what the first exports

const isWhole = () => !isSplit() || first?.rest_is_here.value === 1;

async function join(rest) {
  if (isWhole()) return;
  await WebAssembly.instantiate(rest, { first });
  joined();
}

// If it joins twice, the second time changes nothing.
function joined() {
  if (isWhole()) return;
  first.rest_is_here.value = 1;
  setTimeout(() => window.dispatchEvent(new Event("logstep-whole")));
}

// Chrome before 114 neither compiles nor starts at once what has more than 4 kB: there, nothing may need the rest before it is
// here. This is an empty program with a section that nobody reads.
const LARGE = new Uint8Array(5_000);
LARGE.set([0, 97, 115, 109, 1, 0, 0, 0, 0, 253, 38]);

function canNeedRest() {
  try {
    return Boolean(new WebAssembly.Module(LARGE));
  } catch {
    return false;
  }
}

const PATIENCE = [1_000, 5_000, 25_000]; // milliseconds until it is asked for again

async function fetchRest(tries = 0) {
  try {
    return await fetchProgram(address("rest-wasm")).then(compile);
  } catch (error) {
    if (tries === PATIENCE.length) throw error;
    await new Promise((done) => setTimeout(done, PATIENCE[tries]));
    return fetchRest(tries + 1);
  }
}

// Something needs it that cannot wait for a promise.
function needRest() {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", address("rest-wasm"), false);
    // Bytes as letters, since a request that is waited for has no other type.
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status !== 200) throw new Error(`${request.status} ${request.statusText} ${request.responseURL}`);
    new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0))), { first });
    joined();
  } catch (error) {
    boot.fail("network", error);
    throw error;
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

// Somebody else's page has this one in a frame. What host.js puts in the place of these tells that page what happens.
const hasHost = window.parent !== window;
const untold = () => {};

async function start() {
  let kind = "network";
  try {
    // Whatever an address says needs the rest at once.
    const needsAll = !isSplit() || location.hash || location.search || !canNeedRest();
    const [[glue, program], rest] = await Promise.all([
      load(address("app-glue"), address("app-wasm")),
      needsAll && isSplit() ? fetchRest(PATIENCE.length) : undefined,
      needsAll ? fetchStyles() : undefined,
    ]);
    kind = "stopped";
    for (const name of LATER) boot[name] = later(name);
    Object.assign(boot, { load, needRest, isWhole, hasHost: () => hasHost, replied: untold, shown: untold, answered: untold, troubled: (...trouble) => { boot.trouble = trouble; } });
    first = await glue.default({ module_or_path: program });
    if (rest) await join(rest);
    glue.open();
    boot.started();
    if (hasHost) import(address("host-script")).catch(console.error);
    // Where it does not come, it is asked for once more when something needs it.
    if (!isWhole()) Promise.all([fetchRest(), fetchStyles()]).then(([rest]) => join(rest), console.warn);
    loadParts().catch(console.warn);
    keep();
  } catch (error) {
    if (error instanceof WebAssembly.CompileError && /content security policy|csp/i.test(error.message)) kind = "refused";
    else if ([SyntaxError, WebAssembly.CompileError, WebAssembly.LinkError].some((type) => error instanceof type)) kind = "damaged";
    boot.fail(kind, error);
    console.error(error);
  }
}

if (boot) start();
