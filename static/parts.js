// What reads files, packs addresses and makes what is taken along; static/load.js fetches it when the page has started.

const boot = window.logstepBoot;

const address = (name) => new URL(document.querySelector(`meta[name="${name}"]`).content, document.baseURI).href;

// What is loaded only when it is asked for. The number of failures is a part of its address, since a browser may take a
// module that it could not load once for one that never can be.
const parts = {};
let failures = 0;

const partAddress = (name) => address(name) + (failures ? `?${failures}` : "");

async function loadProgram(name) {
  const [glue, program] = await boot.load(partAddress(`${name}-glue`), partAddress(`${name}-wasm`));
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

// The reader of scenario files, and of an action in the words of one.
const read = (file) => use("reader", loadProgram, (reader) => reader.read(file));
const readAction = (action, world) => use("reader", loadProgram, (reader) => reader.read_action(action, world));

const answerLab = (request) => use("reader", loadProgram, (reader) => reader.answer_lab(request));

const copy = async (text) => navigator.clipboard.writeText(text);

const exporter = () => use("exporter", loadProgram, (exporter) => exporter);

// The longest address that is made, in characters; the page's own is no longer either.
const MOST_SHARED = 8_000;

// The address of a place, if there is one that is short enough.
function linkTo(fragment, packed) {
  const link = `${location.href.replace(/[?#].*/, "")}#${fragment}${packed && `&file=${packed}`}`;
  return fragment && link.length <= MOST_SHARED ? link : "";
}

// What can be taken along; export.js says what each part of the order is. To copy is not put off until that is loaded: browsers
// allow it only right after a press.
async function take(...order) {
  const [wanted, , , words, fragment, packed] = order;
  if (wanted === "step" || wanted === "records") {
    order[3] = [words, linkTo(fragment, packed)].filter(Boolean).join("\n");
    try {
      await navigator.clipboard.writeText(order[3]);
      return true;
    } catch { /* Refused, or there is none; export.js shows the words. */ }
  }
  return use("export-script", (name) => import(partAddress(name)), (exports) => exports.take(...order));
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

// Browsers refuse it without a press, and in frames that may not.
const fill = (fills) => Promise.resolve(fills ? document.documentElement.requestFullscreen?.() : document.exitFullscreen?.()).catch(() => {});

Object.assign(boot, { fill, read, readAction, answerLab, pack, unpack, take, linkTo, exporter, copy });

// A file that is dropped anywhere on the page is chosen, as if with its button. Figures have none.
const chooser = () => document.querySelector(".open-file input");
const brings = (event) => event.dataTransfer?.types.includes("Files") && chooser();
const marks = (drops) => document.documentElement.toggleAttribute("data-drops", Boolean(drops));

addEventListener("dragover", (event) => {
  if (!brings(event)) return;
  event.preventDefault();
  marks(true);
});
addEventListener("dragleave", (event) => { if (!event.relatedTarget) marks(false); });
addEventListener("drop", (event) => {
  marks(false);
  if (!brings(event)) return;
  event.preventDefault();
  chooser().files = event.dataTransfer.files;
  chooser().dispatchEvent(new Event("change", { bubbles: true }));
});
