// Talks with the page that has this one in a frame, as docs/embedding.md says. Loaded by load.js in frames only, once the
// app has started. What arrives here is of any kind and from anybody: the app gets plain values, each of a known type and
// within bounds, and nothing of a message is ever told back from here, so that nobody can take it for the figure's own words.

const boot = window.logstepBoot;
const host = window.parent;

const VERSION = 1;

const parameters = new URLSearchParams(location.search);

const MOST_LETTERS = 300_000; // of a scenario
const MOST_ACTION = 2_000; // letters of an action
const MOST_ID = 64; // letters
const MOST_NAME = 200; // letters of the name of a story
const MOST_BY = 1_000;
const MOST_STEP = 1_000_000_000;
const MOST_TIME = 1_000_000_000_000; // simulated milliseconds

const SECOND = 1_000;
const MOST_MESSAGES = 50; // heard in a second
const MOST_REFUSALS = 4; // of those that are too many, answered in a second

// --- What is wrong with a message.

class Mistake extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const malformed = (message) => new Mistake("malformed", message);

// A copy of what an object has itself, with nothing beside `names`.
function fieldsOf(value, names, what) {
  const fields = { ...value };
  if (Object.keys(fields).some((name) => !names.includes(name))) {
    throw malformed(`${what} has a field that is not known; it may have ${names.length > 0 ? names.join(", ") : "none"}`);
  }
  return fields;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function whole(value, name, least, most) {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw malformed(`${name} has to be a whole number from ${least} to ${most}`);
}

function oneOf(value, name, values) {
  if (values.includes(value)) return value;
  throw malformed(`${name} has to be one of ${values.join(", ")}`);
}

function nameIn(value, name) {
  if (typeof value === "string" && value !== "" && value.length <= MOST_NAME) return value;
  throw malformed(`${name} has to be a text of 1 to ${MOST_NAME} letters`);
}

// --- What the app is told, by type of message.

const tooLarge = (name, most) => new Mistake("too-large", `${name} may have ${most} letters`);

// An object as JSON. It is given up as soon as it is clear that it will be too long.
function jsonOf(object, name, most) {
  let letters = 0;
  try {
    return JSON.stringify(object, (field, value) => {
      letters += field.length + (typeof value === "string" ? value.length : 1);
      if (letters > most) throw tooLarge(name, most);
      return value;
    });
  } catch (error) {
    if (error instanceof Mistake) throw error;
    throw malformed(`${name} has to be an object that JSON can say: without cycles, nested less deeply`);
  }
}

function fileOf(scenario) {
  if (typeof scenario === "string") return scenario;
  if (!isObject(scenario)) throw malformed("scenario has to be a name, the text of a file, or an object");
  return jsonOf(scenario, "scenario", MOST_LETTERS);
}

const bytesOf = (text, name, most) => {
  if (text.length > most) throw tooLarge(name, most);
  return new TextEncoder().encode(text);
};

function load({ scenario }) {
  // No name of a story begins as a file does.
  if (typeof scenario === "string" && !/^[\s\ufeff]*\{/.test(scenario) && scenario.length <= MOST_LETTERS) {
    return { name: nameIn(scenario, "scenario") };
  }
  return { file: bytesOf(fileOf(scenario), "scenario", MOST_LETTERS) };
}

function moved({ by = 1 }) {
  return { by: whole(by, "by", 1, MOST_BY) };
}

function seek({ step, time }) {
  if ((step === undefined) === (time === undefined)) throw malformed("seek has either step or time");
  return step === undefined ? { time: whole(time, "time", 0, MOST_TIME) } : { step: whole(step, "step", 0, MOST_STEP) };
}

// What it says is for the reader of scenarios to judge.
function act({ action }) {
  if (!isObject(action)) throw malformed("action has to be an object, as in a scenario file");
  return { action: bytesOf(jsonOf(action, "action", MOST_ACTION), "action", MOST_ACTION) };
}

const isDark = window.matchMedia("(prefers-color-scheme: dark)");
const themeOf = (name) => (name !== "auto" ? name : isDark.matches ? "dark" : "light");

function set({ lang, theme }) {
  if (lang === undefined && theme === undefined) throw malformed("set has lang, theme, or both");
  const values = {};
  if (lang !== undefined) values.lang = oneOf(lang, "lang", ["ja", "en"]);
  if (theme !== undefined) values.theme = themeOf(oneOf(theme, "theme", ["light", "dark", "auto"]));
  return values;
}

const nothing = () => ({});

// The fields of each type, and what the app is told of them.
const TYPES = new Map(Object.entries({
  hello: [[], nothing],
  load: [["scenario"], load],
  play: [[], nothing],
  pause: [[], nothing],
  step: [["by"], moved],
  back: [["by"], moved],
  seek: [["step", "time"], seek],
  act: [["action"], act],
  set: [["lang", "theme"], set],
  state: [[], nothing],
}));

function commandOf(message) {
  if (message.logstep !== VERSION) throw new Mistake("unknown", `logstep has to be ${VERSION}, the version of messages that this figure knows`);
  if (!TYPES.has(message.type)) throw new Mistake("unknown", `type has to be one of ${[...TYPES.keys()].join(", ")}`);
  const { type } = message;
  const [names, valuesOf] = TYPES.get(type);
  return { type, ...valuesOf(fieldsOf(message, ["logstep", "type", "id", ...names], type)) };
}

// --- Answers.

let origin; // of the host, once it has said hello

function tell(type, values, id) {
  // An origin that is opaque has no name that one could write to.
  const target = origin === "null" ? "*" : origin;
  if (target !== undefined) host.postMessage({ ...values, logstep: VERSION, type, ...(id !== undefined && { id }) }, target);
}

// What goes to whoever has the frame.
const announce = (type, values) => host.postMessage({ logstep: VERSION, type, ...values }, "*");

// What was asked and is not answered yet, in order; the app knows the first. One is done after the other, since a scenario or an
// action may have to wait for its reader.
const asked = [];
const MOST_WAITING = 100;
let number = 0; // of the first, as the app knows it

boot.replied = (answered, error, answer) => {
  if (answered !== number || asked.length === 0) return;
  const { type, id } = asked.shift();
  if (error) tell("error", { code: error[0], message: error[1] }, id);
  else if (type === "state") tell("state", answer, id);
  else tell("done", {}, id);
  // Not from here: browsers hand on no event within an event within an event, and so forth.
  if (asked.length > 0) queueMicrotask(askNext);
};
boot.shown = (moment) => {
  noteMoment(moment);
  tell("step", moment);
};
boot.answered = (answer) => tell("answered", answer);

// What was wrong with the address, as a code and words; kept until there is a host to hear it.
let { trouble } = boot;
boot.troubled = (...found) => {
  trouble = found;
  tellTrouble();
};

function tellTrouble() {
  if (origin === undefined || trouble === undefined) return;
  const [code, message] = trouble;
  trouble = undefined;
  tell("error", { code, message });
}

const hasStopped = () => document.documentElement.dataset.boot !== "started";

const order = (number, command) => window.dispatchEvent(new CustomEvent("logstep-host", { detail: { id: number, ...command } }));

function ask(command, id) {
  if (asked.length === MOST_WAITING) throw new Mistake("too-often", `${MOST_WAITING} messages are still waiting for an answer`);
  if (!["set", "state"].includes(command.type)) leaveSight();
  asked.push({ ...command, id });
  if (asked.length === 1) askNext();
  // Whatever was not answered before it stopped never will be.
  else if (hasStopped()) giveUp();
}

function askNext() {
  if (asked.length > 0 && !hasStopped()) {
    const { id: _, ...command } = asked[0];
    order((number += 1), command);
  }
  if (hasStopped()) giveUp();
}

function giveUp() {
  while (asked.length > 0) tell("error", { code: "failed", message: "the figure has stopped because of an internal error; it has to be loaded again" }, asked.shift().id);
}

// --- What is heard.

// What says whether something may be done again: at most so many times in a second.
function limit(most) {
  let times = [];
  return () => {
    const now = performance.now();
    times = times.filter((time) => now - time < SECOND);
    return times.length < most && times.push(now) > 0;
  };
}

const mayHear = limit(MOST_MESSAGES);
const mayRefuse = limit(MOST_REFUSALS);

// The only origin that is obeyed, if the address says one. What is no origin is nobody's: a slip of the pen must not open the
// figure to all.
const wanted = parameters.get("host");

const isObeyed = (origin) => wanted === null || (origin !== "null" && origin === originOf(wanted));

function originOf(address) {
  try {
    return new URL(address).origin;
  } catch {
    return undefined;
  }
}

const idOf = ({ id }) => ((typeof id === "string" && id.length <= MOST_ID) || Number.isFinite(id) ? id : undefined);

function hear(message, from) {
  if (message.logstep === VERSION && message.type === "hello") origin = from;
  if (origin === undefined) return;
  const id = idOf(message);
  if (!mayHear()) {
    if (mayRefuse()) tell("error", { code: "too-often", message: `a figure hears ${MOST_MESSAGES} messages in a second; this one was not heard, and some after it may not be` }, id);
    return;
  }
  try {
    if (message.id !== undefined && id === undefined) throw malformed(`id has to be a number or a text of at most ${MOST_ID} letters`);
    const command = commandOf(message);
    if (command.type !== "hello") return ask(command, id);
    tell("done", {}, id);
    tellTrouble();
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    tell("error", { code: error.code, message: error.message }, id);
  }
}

window.addEventListener("message", (event) => {
  // Asked first: what others send is not even looked at.
  if (event.source !== host || !isObeyed(event.origin)) return;
  const { data } = event;
  if (isObject(data) && Object.hasOwn(data, "logstep")) hear(data, event.origin);
});

// --- The height.

const MOST_HEIGHT = 10_000;
const ECHO = 250; // milliseconds in which content answers to another height of the frame
const MOST_ECHOES = 5;

let told = 0; // which is also the height where the frame is not displayed
let resized = -Infinity; // when the frame had another height last
let echoes = 0;
let [width, height] = [window.innerWidth, window.innerHeight];

window.addEventListener("resize", () => {
  const isTurned = window.innerWidth !== width;
  if (isTurned) echoes = 0;
  else if (window.innerHeight !== height) resized = performance.now();
  [width, height] = [window.innerWidth, window.innerHeight];
});

// Called once in a frame at most. Content whose height depends on that of the frame would make it higher and higher: after some
// heights that were each an answer to the one before, there are no more until the content changes by itself.
function tellHeight() {
  const content = Math.min(Math.ceil(document.documentElement.getBoundingClientRect().height), MOST_HEIGHT);
  if (content === told) return;
  echoes = performance.now() - resized < ECHO ? echoes + 1 : 0;
  if (echoes > MOST_ECHOES) return;
  told = content;
  announce("height", { height: content });
}

// --- Playing by itself.

const ENOUGH = 0.4; // of the stage, as a part of it
const ACTS = ["click", "keydown", "input"];
const NOBODY = 0; // the number of an order that nobody hears the answer of

const still = window.matchMedia("(prefers-reduced-motion: reduce)");
let sight; // what watches whether the stage is in sight, as long as it plays because of that
let plays = false; // because of that

function followSight() {
  if (still.matches || !parameters.has("autoplay")) return;
  sight = new IntersectionObserver((seen) => {
    plays = false;
    order(NOBODY, { type: seen.at(-1).intersectionRatio >= ENOUGH ? "play-in-sight" : "pause" });
  }, { threshold: ENOUGH });
  sight.observe(document.querySelector(".stage-view"));
  for (const act of ACTS) window.addEventListener(act, heed, true);
  still.addEventListener("change", stopPlaying);
}

// For good.
function leaveSight() {
  sight?.disconnect();
  sight = undefined;
  plays = false;
  for (const act of ACTS) window.removeEventListener(act, heed, true);
  still.removeEventListener("change", stopPlaying);
}

// What stops without being told to has come to a question or to the end.
function noteMoment({ playing }) {
  if (plays && !playing) leaveSight();
  plays = playing && sight !== undefined;
}

function stopPlaying() {
  // After the app has heard what was done: it may have been the button that pauses.
  if (plays) setTimeout(() => order(NOBODY, { type: "pause" }));
  leaveSight();
}

// The reader does something. A key that presses a button is followed by a click.
function heed({ key, target }) {
  if (!(["Enter", " "].includes(key) && target.closest("button, a, summary"))) stopPlaying();
}

announce("ready", { version: VERSION });
new ResizeObserver(tellHeight).observe(document.documentElement);
followSight();
