//! The page around a figure: what it asks for, and what it is told. `static/host.js` has checked what comes from there; see
//! `docs/embedding.md`.

use super::browser;
use super::state::{Action, FileProblem, FileReport, FileWrong, State, Theme};
use super::verdicts::VerdictView;
use super::view::{self, Panels};
use crate::link::{LinkProblem, names_what_exists};
use crate::reading::{ActionReading, MistakeInWords};
use crate::sim::{self, Refusal, Simulation, Time};
use crate::text::{self, Lang, labels};
use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};

#[wasm_bindgen]
extern "C" {
    /// True inside a frame.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = hasHost)]
    pub fn has_host() -> bool;

    #[wasm_bindgen(js_namespace = logstepBoot, js_name = replied)]
    fn replied(id: f64, error: &JsValue, answer: &JsValue);

    #[wasm_bindgen(js_namespace = logstepBoot, js_name = shown)]
    fn shown(place: &Object);

    /// Tells the host, or keeps it until there is one to tell, that what the address brought is wrong: a code and words.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = troubled)]
    pub fn troubled(code: &str, message: &str);

    #[wasm_bindgen(js_namespace = logstepBoot, js_name = answered)]
    fn answered(answer: &Object);
}

/// The event of the window with which `static/host.js` hands on what the host asks for.
pub const ASKED: &str = "logstep-host";

/// What the host asks for.
pub struct Asked {
    /// By which `static/host.js` knows the answer.
    pub id: f64,
    /// What.
    pub order: Order,
}

/// What a host can ask for.
pub enum Order {
    /// Plays, or pauses.
    Play(bool),
    /// Plays because it has come into sight, unless a question waits for an answer there.
    PlayInSight,
    /// Goes so many steps on or, below zero, back.
    Step(i64),
    /// Shows the moment after so many visible steps.
    Seek(u32),
    /// Shows a moment of simulated time, in milliseconds.
    SeekTime(f64),
    /// Does something to the world: an action as in a scenario file.
    Act(Uint8Array),
    /// Sets the language and the colours.
    Set(Option<Lang>, Option<Theme>),
    /// Tells everything.
    Tell,
    /// Opens a built-in story.
    Load(String),
    /// Opens a scenario file.
    LoadFile(Uint8Array),
}

/// Why the host does not get what it asks for: one of the codes of the document, and words.
pub type Problem = (&'static str, String);

impl Asked {
    /// What an event asks for.
    #[inline(never)]
    pub fn of(event: &web_sys::Event) -> Option<Self> {
        let detail = event.dyn_ref::<web_sys::CustomEvent>()?.detail();
        let get = |name: &str| Reflect::get(&detail, &name.into()).ok().filter(|value| !value.is_undefined());
        let text = |name: &str| get(name)?.as_string();
        let number = |name: &str| get(name)?.as_f64();
        let order = match &*text("type")? {
            "play" => Order::Play(true),
            "pause" => Order::Play(false),
            "play-in-sight" => Order::PlayInSight,
            "step" => Order::Step(number("by")? as i64),
            "back" => Order::Step(-(number("by")? as i64)),
            "seek" => match number("step") {
                Some(step) => Order::Seek(step as u32),
                None => Order::SeekTime(number("time")?),
            },
            "act" => Order::Act(get("action")?.dyn_into().ok()?),
            "set" => {
                let theme = text("theme").map(|theme| if theme == "dark" { Theme::Dark } else { Theme::Light });
                Order::Set(Lang::ALL.into_iter().find(|lang| Some(lang.tag()) == text("lang").as_deref()), theme)
            }
            "state" => Order::Tell,
            "load" => match text("name") {
                Some(name) => Order::Load(name),
                None => Order::LoadFile(get("file")?.dyn_into().ok()?),
            },
            _ => return None,
        };
        Some(Asked { id: number("id")?, order })
    }
}

/// Says that something is done, or why it is not.
#[inline(never)]
pub fn reply(id: f64, result: Result<JsValue, Problem>) {
    match result {
        Ok(answer) => replied(id, &JsValue::UNDEFINED, &answer),
        Err((code, message)) => {
            replied(id, &Array::of2(&code.into(), &message.into()).into(), &JsValue::UNDEFINED);
        }
    }
}

fn set(object: &Object, name: &str, value: impl Into<JsValue>) {
    // It only fails on what is no object.
    let _ = Reflect::set(object, &name.into(), &value.into());
}

/// The moment that is shown.
fn place(state: &State, sentence: &str) -> Object {
    let playback = &state.playback;
    let object = Object::new();
    set(&object, "step", playback.shown());
    set(&object, "steps", playback.count());
    set(&object, "time", playback.time().as_micros() as f64 / 1000.0);
    set(&object, "sentence", sentence);
    set(&object, "playing", playback.is_playing());
    set(&object, "own", state.is_behind_parting());
    object
}

/// Tells the host which moment is shown.
#[inline(never)]
pub fn tell(state: &State, sentence: &str) {
    shown(&place(state, sentence));
}

/// Everything that a host can ask for.
fn everything(state: &State, sentence: &str, verdicts: &[VerdictView]) -> JsValue {
    let object = place(state, sentence);
    let title = view::localized(state.lang, &state.scenario.title);
    set(&object, "scenario", state.builtin.map_or(JsValue::NULL, |index| (&*state.stories[index].name).into()));
    set(&object, "title", &*title);
    set(&object, "lang", state.lang.tag());
    set(&object, "theme", if state.theme == Theme::Dark { "dark" } else { "light" });
    set(
        &object,
        "link",
        state.link().map_or(JsValue::NULL, |link| format!("{}#{}", browser::page_address(), link.to_fragment()).into()),
    );
    let list = Array::new();
    for verdict in verdicts {
        let entry = Object::new();
        set(&entry, "name", &*verdict.label);
        set(&entry, "value", &*verdict.value);
        list.push(&entry);
    }
    set(&object, "verdicts", list);
    object.into()
}

/// Tells the host which answer was chosen of the question that is open.
#[inline(never)]
pub fn tell_answer(state: &State, choice: u32) {
    let Some((index, question)) = state.open_question() else { return };
    let Some(choices) = &state.scenes[index].choices else { return };
    let object = Object::new();
    set(&object, "question", &*view::localized(state.lang, &question.text));
    set(&object, "choice", choices.choices.iter().position(|&of| of == choice).map_or(JsValue::NULL, JsValue::from));
    set(&object, "text", choice.to_string());
    set(&object, "right", choices.answer == choice);
    answered(&object);
}

/// Why a world does not do what was read, if it does not.
fn refused(lang: Lang, run: &Simulation, actions: &[sim::Action]) -> Option<Problem> {
    // While it was read, the consumer that it is about may have been taken back.
    let check = |&action| match names_what_exists(run, action) {
        true => run.can_apply(action),
        false => Err(Refusal::NoSuchConsumer),
    };
    let refusal = actions.iter().find_map(|action| check(action).err())?;
    Some(("refused", text::refusal(lang, refusal).to_owned()))
}

fn words(lang: Lang, mistakes: &[MistakeInWords], say: impl Fn(&MistakeInWords, &str) -> String) -> Problem {
    /// How many mistakes a host is told.
    const MOST_TOLD: usize = 5;
    let said = mistakes.iter().take(MOST_TOLD).map(|found| say(found, lang.pick(found.text.ja(), found.text.en())));
    ("malformed", said.collect::<Vec<_>>().join("\n"))
}

fn no_reader(lang: Lang) -> Problem {
    ("failed", labels::no_reader(lang).to_owned())
}

/// What a report on a file or a link says to a host: nothing, if it was opened.
#[inline(never)]
pub fn problem(lang: Lang, report: Option<&FileReport>) -> Result<JsValue, Problem> {
    match report.map(|report| &report.wrong) {
        Some(FileWrong::Mistakes(mistakes)) => {
            Err(words(lang, mistakes, |found, text| format!("{}:{}: {text}", found.line, found.column)))
        }
        Some(FileWrong::Problem(FileProblem::TooLarge)) => Err(("too-large", labels::file_too_large(lang).to_owned())),
        Some(FileWrong::Problem(FileProblem::Unreadable)) => {
            Err(("malformed", labels::file_unreadable(lang).to_owned()))
        }
        Some(FileWrong::Problem(FileProblem::NoReader)) => Err(no_reader(lang)),
        Some(FileWrong::Link(problem)) => {
            let code = match problem {
                LinkProblem::TooLong => "too-large",
                LinkProblem::Newer | LinkProblem::NoSuchStory => "unknown",
                LinkProblem::Damaged(_) => "malformed",
            };
            Err((code, text::link_problem(lang, *problem)))
        }
        Some(FileWrong::Elsewhere) => Err(("outdated", labels::link_elsewhere(lang).to_owned())),
        _ => Ok(JsValue::UNDEFINED),
    }
}

/// Does what the reader has made of an action, in the scenario that was opened as number `opened`.
#[inline(never)]
pub fn act(state: &mut State, opened: u32, reading: Option<ActionReading>) -> Result<JsValue, Problem> {
    let lang = state.lang;
    let actions = reading
        .ok_or_else(|| no_reader(lang))?
        .map_err(|mistakes| words(lang, &mistakes, |_, text| text.to_owned()))?;
    if state.opened != opened {
        return Err(("failed", labels::opened_meanwhile(lang).to_owned()));
    }
    if let Some(problem) = refused(lang, state.playback.run(), &actions) {
        return Err(problem);
    }
    state.apply(Action::ActAll(actions));
    match state.refusal {
        Some(_) => Err(("refused", labels::too_many_branches(lang).to_owned())),
        None => Ok(JsValue::UNDEFINED),
    }
}

/// Does what a host asks for, but for files and actions, which have to be read first.
#[inline(never)]
pub fn obey(state: &mut State, order: &Order, panels: &Panels) -> Result<JsValue, Problem> {
    let lang = state.lang;
    match order {
        Order::Tell => return Ok(everything(state, &panels.sentence, &panels.verdicts)),
        Order::Play(plays) if *plays != state.playback.is_playing() => state.apply(Action::Toggle),
        Order::PlayInSight if !state.playback.is_playing() && !state.is_asked_here() => state.apply(Action::Toggle),
        Order::Play(_) | Order::PlayInSight | Order::LoadFile(_) | Order::Act(_) => {}
        Order::Step(by) => {
            let step = (i64::from(state.playback.shown()) + by).clamp(0, i64::from(state.playback.count()));
            state.apply(Action::JumpTo(step as u32));
        }
        Order::Seek(step) => {
            state.playback.make_known(*step);
            state.apply(Action::JumpTo(*step));
        }
        Order::SeekTime(millis) => {
            let shown = state.playback.shown_at(Time::from_micros((millis * 1000.0) as u64));
            state.apply(Action::JumpTo(shown));
        }
        Order::Set(lang, theme) => {
            if let Some(lang) = *lang {
                state.apply(Action::SetLang(lang));
            }
            if theme.is_some_and(|theme| theme != state.theme) {
                state.apply(Action::SwitchTheme);
            }
        }
        Order::Load(name) => {
            let Some(index) = state.stories.iter().position(|story| story.name == *name) else {
                let names: Vec<&str> = state.stories.iter().map(|story| &*story.name).collect();
                return Err(("unknown", text::no_such_story(lang, &names.join(", "))));
            };
            state.apply(Action::OpenBuiltin(index));
        }
    }
    Ok(JsValue::UNDEFINED)
}
