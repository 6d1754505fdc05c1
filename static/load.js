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

// What is loaded only when it is asked for. Its files keep their names whatever is in them. Those of the page do not, so one of
// them, as a query, keeps copies that belong to another version away; so does the number of failures, after which a browser may
// take a module that it could not load for one that never can be.
const parts = {};
let failures = 0;

function addressOf(file) {
  const page = address("app-wasm");
  return `${new URL(file, page)}?${page.split("/").pop()}-${failures}`;
}

async function loadProgram(name) {
  const [glue, program] = await load(addressOf(`${name}.js`), addressOf(`${name}_bg.wasm`));
  await glue.default({ module_or_path: program });
  return glue;
}

// What `call` makes of a part. After a failure the next call loads it anew.
async function use(name, loadPart, call) {
  const asked = (parts[name] ??= loadPart(name));
  try {
    return await call(await asked);
  } catch (error) {
    console.error(error);
    if (parts[name] === asked) {
      delete parts[name];
      failures += 1;
    }
    throw error;
  }
}

// The reader of scenario files.
const read = (file) => use("logstep-reader", loadProgram, (reader) => reader.read(file));

const exporter = () => use("logstep-exporter", loadProgram, (exporter) => exporter);

// The longest address that is made, in characters; the page's own is no longer either.
const MOST_SHARED = 8_000;

// What can be taken along; export.js says what each part of the order is. To copy is not put off until that is loaded: browsers
// allow it only right after a press.
async function take(...order) {
  const [wanted, , , words, fragment, packed] = order;
  if (wanted === "step") {
    const link = `${location.href.replace(/#.*/, "")}#${fragment}${packed && `&file=${packed}`}`;
    order[3] = fragment && link.length <= MOST_SHARED ? `${words}\n${link}` : words;
    try {
      await navigator.clipboard.writeText(order[3]);
      return true;
    } catch { /* Refused, or there is none; export.js shows the words. */ }
  }
  return use("export.js", (file) => import(addressOf(file)), (exports) => exports.take(...order));
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

async function start() {
  let kind = "network";
  try {
    const [glue, program] = await load(address("app-glue"), address("app-wasm"));
    kind = "stopped";
    Object.assign(boot, { read, pack, unpack, take, exporter });
    await glue.default({ module_or_path: program });
    boot.started();
  } catch (error) {
    if (error instanceof WebAssembly.CompileError && /content security policy|csp/i.test(error.message)) kind = "refused";
    else if ([SyntaxError, WebAssembly.CompileError, WebAssembly.LinkError].some((type) => error instanceof type)) kind = "damaged";
    boot.fail(kind, error);
    console.error(error);
  }
}

if (boot) start();
