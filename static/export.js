// Makes what a person takes along, and says what has to be said meanwhile. Loaded by load.js when it is first asked for.

const boot = window.logstepBoot;
const SVG = "http://www.w3.org/2000/svg";

// How long work goes on before the page may draw and hear, and how long loading may take before that is said, in milliseconds.
const SLICE = 60;
const PATIENCE = 300;

// The largest scenario file, as the reader has it.
const MOST_BYTES = 1 << 20;

// The longest side of a canvas that every browser makes, and the scale of a picture made of points.
const MOST_POINTS = 16_384;
const SCALE = 2;

// --- The picture.

const GEOMETRY = ["transform", "d", "x", "y", "width", "height", "rx", "cx", "cy", "r", "textLength", "lengthAdjust"];
// What an element takes from the one around it, with what holds where nothing is said; a colour with its opacity.
const INHERITED = {
  "fill": "#000000", "fill-opacity": "1", "stroke": "none", "stroke-opacity": "1", "stroke-width": "1", "stroke-dasharray": "none",
  "stroke-linecap": "butt", "fill-rule": "nonzero", "font-family": "", "font-size": "", "font-weight": "400",
  "font-variant-numeric": "normal", "letter-spacing": "normal", "text-anchor": "start", "paint-order": "normal",
};
const TEXT_ONLY = /^(font|letter|text)/;

// A computed colour as one that every program knows, and its opacity.
function colour(value) {
  const found = value.match(/^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/);
  if (!found) return [value, 1];
  const hex = found.slice(1, 4).map((part) => Math.round(Number(part)).toString(16).padStart(2, "0"));
  return [`#${hex.join("")}`, found[4] === undefined ? 1 : Number(found[4])];
}

function looksOf(style) {
  const looks = {};
  for (const name of Object.keys(INHERITED)) looks[name] = style.getPropertyValue(name).replace(/(\d)px/g, "$1");
  for (const paint of ["fill", "stroke"]) {
    const [value, opacity] = colour(looks[paint]);
    looks[paint] = opacity === 0 ? "none" : value;
    looks[`${paint}-opacity`] = String(Number(looks[`${paint}-opacity`]) * opacity);
  }
  return looks;
}

// The element with everything that the style sheet says of it as attributes, and nothing that only the page needs.
function copied(element, around, to) {
  const style = getComputedStyle(element);
  if (style.display === "none" || style.visibility !== "visible" || style.opacity === "0") return undefined;
  const copy = to.createElementNS(SVG, element.localName);
  for (const name of GEOMETRY) if (element.hasAttribute(name)) copy.setAttribute(name, element.getAttribute(name));
  const isText = /^(text|tspan)$/.test(element.localName);
  const isGroup = element.localName === "g";
  const looks = looksOf(style);
  // Not every program knows a length that is only said.
  if (element.hasAttribute("pathLength")) {
    const unit = element.getTotalLength() / element.pathLength.baseVal;
    looks["stroke-dasharray"] = looks["stroke-dasharray"].replace(/[\d.]+/g, (part) => (part * unit).toFixed(2));
  }
  // A group says nothing itself: what its parts have differs too much to be worth it.
  const said = isGroup ? around : looks;
  for (const name of Object.keys(INHERITED)) {
    if (said[name] !== around[name] && (isText || !TEXT_ONLY.test(name))) copy.setAttribute(name, said[name]);
  }
  if (style.opacity !== "1") copy.setAttribute("opacity", style.opacity);
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(writable(child.data));
    else if (child.nodeType === Node.ELEMENT_NODE) copy.append(copied(child, said, to) ?? "");
  }
  const isPainted = looks.fill !== "none" || looks.stroke !== "none";
  const isSeen = isGroup ? copy.hasChildNodes() : isPainted && (!isText || copy.textContent !== "");
  return isSeen ? copy : undefined;
}

// XML has no letter for most control characters.
const writable = (text) => text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");

// The stage as it is, as a drawing of its own.
function picture(title, description) {
  const stage = document.querySelector(".stage-drawing");
  for (const animation of stage.getAnimations({ subtree: true })) animation.finish();
  const { width, height } = stage.viewBox.baseVal;
  const to = document.implementation.createDocument(SVG, "svg");
  const root = to.documentElement;
  const attributes = { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": "title", "aria-describedby": "description", lang: document.documentElement.lang };
  for (const [name, value] of Object.entries(attributes)) root.setAttribute(name, value);
  for (const [name, id, text] of [["title", "title", title], ["desc", "description", description]]) {
    const element = to.createElementNS(SVG, name);
    element.id = id;
    element.textContent = writable(text);
    root.append(element);
  }
  const ground = to.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ width, height, fill: colour(getComputedStyle(document.body).backgroundColor)[0] })) ground.setAttribute(name, value);
  root.append(ground);
  const start = { ...INHERITED, "font-family": getComputedStyle(stage).fontFamily };
  const all = to.createElementNS(SVG, "g");
  all.setAttribute("font-family", start["font-family"]);
  for (const child of stage.children) all.append(copied(child, start, to) ?? "");
  root.append(all);
  return { text: `${new XMLSerializer().serializeToString(to)}\n`, width, height };
}

async function pointsOf({ text, width, height }) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = Math.min(SCALE, MOST_POINTS / width, MOST_POINTS / height);
    const canvas = document.createElement("canvas");
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

// --- The run.

// What there is to do, piece by piece: yields how far it is, in per cent, and returns the text.
async function* textOf({ wanted, name, fragment, packed }) {
  if (!fragment) throw new Error("a file that could not be packed");
  const exporter = yield* awaited(boot.exporter());
  const source = packed ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(await boot.unpack(packed, MOST_BYTES)) : exporter.built_in(name);
  if (wanted === "scenario") return source;
  const job = new exporter.Exporter(wanted, source, fragment);
  try {
    for (let since = performance.now(); ;) {
      const text = job.go_on();
      if (text !== undefined) return text;
      if (performance.now() - since > SLICE) {
        yield job.percent();
        since = performance.now();
      }
    }
  } finally {
    job.free();
  }
}

// What a promise gives; meanwhile that nothing is done yet, if it takes long.
async function* awaited(promise) {
  let isOver = false;
  const over = promise.catch(() => {}).then(() => { isOver = true; });
  for (;;) {
    await Promise.race([over, new Promise((done) => setTimeout(done, PATIENCE))]);
    if (isOver) return promise;
    yield 0;
  }
}

// Does all of it, and shows how far it is as soon as there is something to wait for. Nothing if the person does not wait.
async function finished(work, waiting) {
  let shown;
  try {
    for (;;) {
      const { done, value } = await work.next();
      // Somebody has stopped it while it was waited for.
      if (shown && !shown.open) return undefined;
      if (done) return value;
      if (!shown) {
        const [label, cancel] = waiting.split("\n");
        const bar = make("progress", { max: 100, "aria-label": label });
        shown = dialog(label, [make("div", { class: "working" }, bar, make("button", { type: "button", class: "button" }, cancel))]);
        shown.bar = bar;
      }
      shown.bar.value = value;
      // The page draws and hears.
      await new Promise((done) => setTimeout(done));
      if (!shown.open) {
        work.return();
        return undefined;
      }
    }
  } finally {
    shown?.close();
  }
}

// --- Dialogs. They are the page's in looks and behaviour.

function make(name, attributes, ...content) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...content);
  return element;
}

// A dialog that any button in it closes.
function dialog(title, content) {
  const before = document.activeElement;
  const element = make("dialog", { class: "dialog", "aria-label": title, lang: document.documentElement.lang }, make("h2", {}, title), ...content);
  element.addEventListener("click", ({ target }) => { if (target.closest("button")) element.close(); });
  // A key in it is not for the page.
  element.addEventListener("keydown", (event) => event.stopPropagation());
  element.addEventListener("close", () => {
    element.remove();
    before?.focus();
  });
  document.body.append(element);
  element.showModal();
  return element;
}

// --- Handing over.

const fileName = (name, rest) => `logstep-${name.replace(/[^\p{L}\p{N}_]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60)}${rest}`;

const said = async () => (await boot.exporter()).words(document.documentElement.lang).split("\n");

// What the browser may not take, or what it may be forbidden to take without our hearing of it: the person gets to see it.
async function show(title, content, file) {
  const [close, lead, save, picture] = await said();
  const isText = typeof content === "string";
  const shown = isText ? make("textarea", { class: "taken mono", readonly: "", rows: 12, "aria-label": title }) : make("img", { class: "taken", src: file.address, alt: picture });
  if (isText) shown.value = content;
  const buttons = make("p", { class: "working" }, make("button", { type: "button", class: "button" }, close));
  if (file) buttons.prepend(make("a", { class: "button", href: file.address, download: file.name }, `${save} ${file.name}`));
  const opened = dialog(title, [make("p", {}, lead), shown, buttons]);
  opened.addEventListener("close", () => URL.revokeObjectURL(file?.address));
  if (isText) {
    shown.focus();
    shown.select();
  }
  return false;
}

// True if the browser has taken it. A frame may be forbidden to save files, and is not told.
function handOver(title, content, type, name) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  if (window.parent !== window) return show(title, content, { address, name });
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return true;
}

const FORMS = {
  transcript: ["text/plain;charset=utf-8", "-transcript.txt"],
  outcome: ["application/json", "-outcome.json"],
  ledger: ["text/csv;charset=utf-8", "-ledger.csv"],
  scenario: ["application/json", ".json"],
};

// The order: what is wanted, the name of the scenario, the step that is shown, what is said of it in lines (a title, the step and
// its time, what happened, ...), the place as the fragment of an address, the file packed if one was opened, and what is said
// while it takes long, with what stops it. True if the browser has taken it, false if there is nothing more to say.
export async function take(wanted, name, step, words, fragment, packed, waiting) {
  const { title } = document.querySelector("#export");
  if (wanted === "step" || wanted === "records") return show(title, words);
  if (wanted === "svg" || wanted === "png") {
    const [story, when, ...description] = words.split("\n");
    const drawing = picture(`${story} – ${when}`, description.join("\n"));
    const file = fileName(name, `-step-${step}.${wanted}`);
    if (wanted === "svg") return handOver(title, drawing.text, "image/svg+xml", file);
    const points = await pointsOf(drawing).catch(() => undefined);
    if (points) return handOver(title, points, "image/png", file);
    const [close, , , , noPoints] = await said();
    dialog(title, [make("p", {}, noPoints), make("p", { class: "working" }, make("button", { type: "button", class: "button" }, close))]);
    return false;
  }
  const text = await finished(textOf({ wanted, name, fragment, packed }), waiting);
  if (text === undefined) return false;
  const [type, rest] = FORMS[wanted];
  // A text tells by itself what it is of, and where to see it.
  const [story] = words.split("\n");
  const head = wanted === "transcript" ? `${[story, boot.linkTo(fragment, packed)].filter(Boolean).join("\n")}\n\n` : "";
  return handOver(title, head + text, type, fileName(name, rest));
}
