// What the lesson does with its figures: the text leads the first, speaks with the second in plain messages, and
// hears what was answered in the third.

const WORDS = {
  en: {
    title: "When a consumer crashes - Millrace Academy",
    moment: ({ step, steps, time, sentence }) => `Step ${step} of ${steps}, ${(time / 1_000).toFixed(3)} s: ${sentence}`,
    right: "Right. Well thought through.",
    wrong: "Not quite. Step on and see where it begins.",
    unanswered: "Not answered yet.",
    measured: "As measured: takeover after a crash",
  },
  ja: {
    title: "コンシューマーがクラッシュしたとき - ミルレース学習室",
    moment: ({ step, steps, time, sentence }) => `ステップ ${step} / ${steps}（${(time / 1_000).toFixed(3)} 秒）: ${sentence}`,
    right: "正解です。よく考えました。",
    wrong: "惜しい。続きを進めて、どこから読むかを確かめましょう。",
    unanswered: "まだ答えていません。",
    measured: "実測との比較: クラッシュしたコンシューマーの引き継ぎ",
  },
};

const find = (id) => document.getElementById(id);
const lesson = find("lesson");
const quiz = find("quiz");
const measurement = find("measurement");

const answers = [];
let moment; // what the first figure shows
let isMeasurementReady = false;

let lang = new URLSearchParams(location.search).get("lang") ?? navigator.language;
lang = lang.startsWith("ja") ? "ja" : "en";

const words = () => WORDS[lang];

// --- The first figure: places in the text, and the sentence of the step.

function showMoment(shown) {
  moment = shown;
  find("sentence").textContent = words().moment(moment);
  for (const place of document.querySelectorAll(".place")) {
    if (Number(place.dataset.step) === moment.step && !moment.own) place.setAttribute("aria-current", "true");
    else place.removeAttribute("aria-current");
  }
}

const showProblem = ({ message }) => { find("sentence").textContent = message; };
const showState = () => lesson.state().then(showMoment, showProblem);

lesson.addEventListener("ready", showState);
lesson.addEventListener("step", ({ detail }) => showMoment(detail));

// Where the reader has done something, the story goes differently; the text speaks of it as it is told.
async function goTo(step) {
  try {
    await lesson.seek({ step });
    if (!(await lesson.state()).own) return;
    await lesson.load(lesson.getAttribute("scenario"));
    await lesson.seek({ step });
  } catch (problem) {
    showProblem(problem);
  }
}

for (const place of document.querySelectorAll(".place")) {
  place.addEventListener("click", (event) => {
    event.preventDefault();
    lesson.scrollIntoView({ block: "nearest" });
    goTo(Number(place.dataset.step));
  });
}

// What is done is said as in a scenario file.
for (const button of document.querySelectorAll("[data-act]")) {
  button.addEventListener("click", () => lesson.act(JSON.parse(button.dataset.act)).catch(showProblem));
}
find("again").addEventListener("click", async () => {
  try {
    await lesson.load(lesson.getAttribute("scenario"));
    await lesson.seek({ step: Number(lesson.getAttribute("step")) });
  } catch (problem) {
    showProblem(problem);
  }
});

// --- The second: a frame and nothing else.

const post = (message) => measurement.contentWindow.postMessage({ logstep: 1, ...message }, "*");

window.addEventListener("message", ({ source, data }) => {
  if (source !== measurement.contentWindow || data?.logstep !== 1) return;
  if (data.type === "height") measurement.style.height = `${data.height}px`;
  if (data.type === "ready") {
    isMeasurementReady = true;
    post({ type: "hello" });
    post({ type: "set", lang });
  }
});

// --- The third: a score, and a statement for a learning record store.

const statementOf = ({ question, text, right }) => ({
  actor: { objectType: "Agent", account: { homePage: "https://academy.example", name: "reader-1" } },
  verb: { id: "http://adlnet.gov/expapi/verbs/answered", display: { en: "answered" } },
  object: {
    objectType: "Activity",
    id: "https://academy.example/streams/4#question",
    definition: {
      type: "http://adlnet.gov/expapi/activities/cmi.interaction",
      interactionType: "other",
      description: { [lang]: question },
    },
  },
  result: { success: right, response: text },
});

function showResult() {
  const last = answers.at(-1);
  find("score").textContent = `${answers.filter(({ right }) => right).length} / ${answers.length}`;
  find("reaction").textContent = last === undefined ? words().unanswered : last.right ? words().right : words().wrong;
  find("result").className = `result ${last === undefined ? "" : last.right ? "is-right" : "is-wrong"}`;
}

quiz.addEventListener("answered", ({ detail }) => {
  answers.push(detail);
  showResult();
  find("statement").textContent = JSON.stringify(statementOf(detail), undefined, 2);
});

// --- The language of the page, which its figures follow.

function speak(chosen) {
  lang = chosen;
  document.documentElement.lang = lang;
  document.title = words().title;
  measurement.title = words().measured;
  for (const button of document.querySelectorAll(".languages button")) button.setAttribute("aria-pressed", button.value === lang);
  for (const figure of [lesson, quiz]) figure.setAttribute("lang", lang);
  if (isMeasurementReady) post({ type: "set", lang });
  showResult();
  // After the change of language, since a figure answers in turn.
  if (moment) showState();
}

for (const button of document.querySelectorAll(".languages button")) button.addEventListener("click", () => speak(button.value));
speak(lang);
