//! The lab: the world as a form, what it may begin with, what is wrong with it, and its text.

mod form;

use crate::lab::{Answer, Edit, Source, Step, Way, templates::TEMPLATES};
use crate::reading::{MistakeInWords, Reading};
use crate::text::{Lang, lab as words, labels};
use crate::ui::browser;
use crate::ui::sometimes;
use crate::ui::state::{Action, Build, Format, Lab};
use crate::ui::view::localized;
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use web_sys::{HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

/// The id of the title, which has the focus when another form has been opened.
pub const TITLE: &str = "build-title";
const TEXT: &str = "build-text";
/// What the choice of a world to begin with calls the one that was built last.
const LAST: &str = "last";

/// The lab as it is shown.
#[derive(Clone)]
pub struct BuildView {
    answer: Option<Rc<Answer>>,
    can_undo: bool,
    can_redo: bool,
    has_failed: bool,
    has_last: bool,
    left_out: u32,
}

/// Each answer is another one.
impl PartialEq for BuildView {
    fn eq(&self, other: &Self) -> bool {
        let flags = |view: &Self| (view.can_undo, view.can_redo, view.has_failed, view.has_last, view.left_out);
        flags(self) == flags(other) && self.answer.as_ref().map(Rc::as_ptr) == other.answer.as_ref().map(Rc::as_ptr)
    }
}

/// What is shown of the lab.
#[inline(never)]
pub fn view(lab: &Lab) -> BuildView {
    BuildView {
        answer: lab.answer.clone(),
        can_undo: lab.can_undo(),
        can_redo: lab.can_redo(),
        has_failed: lab.has_failed,
        has_last: lab.has_last,
        left_out: lab.left_out,
    }
}

#[derive(Properties, PartialEq)]
pub struct BuildProps {
    pub lang: Lang,
    pub view: BuildView,
    pub dispatch: Callback<Action>,
}

/// The lab. It stays as it is from step to step.
#[component]
pub fn BuildPane(props: &BuildProps) -> Html {
    let BuildProps { lang, view, dispatch } = props;
    let lang = *lang;
    let answer = view.answer.as_deref();
    let trail_of = answer.map(|answer| answer.trail.as_slice()).unwrap_or_default();
    let title = trail_of.last().filter(|(_, way)| !way.is_empty());
    let mistakes: Vec<(&MistakeInWords, &Way)> = answer.map(mistakes_of).unwrap_or_default();
    html! {
        <section class="pane build" id="build" aria-labelledby={TITLE} data-home={TITLE}>
            { tools(lang, view, dispatch) }
            if view.has_failed {
                <p role="alert">{ labels::no_reader(lang) }</p>
                <p>{ asks(words::again(lang), Build::Go(Way::new()), dispatch) }</p>
            }
            if let Some(why) = answer.and_then(|answer| answer.not_done.as_ref()) { <p class="build-mistake" role="alert">{ why }</p> }
            if view.left_out > 0 { <p class="build-left-out" role="status">{ words::left_out(lang, view.left_out) }</p> }
            if !mistakes.is_empty() { { wrong(lang, &mistakes, dispatch) } }
            if trail_of.len() > 1 { { trail(lang, trail_of, dispatch) } }
            <h3 id={TITLE} tabindex="-1">{ title.map_or(words::title(lang), |(name, _)| name) }</h3>
            if title.is_none() { <p class="muted">{ words::lead(lang) }</p> }
            if let Some(form) = answer.and_then(|answer| answer.form.as_ref()) {
                {
                    match title {
                        Some((_, way)) => form::form(lang, form, way.clone(), dispatch),
                        None => form::whole(lang, form, dispatch),
                    }
                }
            }
            if let Some(answer) = answer { { file_text(lang, &answer.text, dispatch) } }
        </section>
    }
}

/// Everything that is wrong with the file, each with the way to it.
fn mistakes_of(answer: &Answer) -> Vec<(&MistakeInWords, &Way)> {
    match &answer.reading {
        Reading::Mistakes(mistakes) => mistakes.iter().zip(&answer.mistakes_at).collect(),
        Reading::Scenario(..) | Reading::NoText => Vec::new(),
    }
}

fn asks(label: impl Into<AttrValue>, asked: Build, dispatch: &Callback<Action>) -> Html {
    let onclick = dispatch.reform(move |_| Action::Build(asked.clone()));
    html! { <button type="button" class="button small" {onclick}>{ label.into() }</button> }
}

fn tools(lang: Lang, view: &BuildView, dispatch: &Callback<Action>) -> Html {
    let tool = |label: &'static str, can: bool, asked: Build| {
        let onclick = dispatch.reform(move |_| Action::Build(asked.clone()));
        html! { <button type="button" class="button small" disabled={!can} {onclick}>{ label }</button> }
    };
    let begin = sometimes(dispatch, |event: Event| {
        let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
        let chosen = select.value();
        select.set_value("");
        let source = match chosen.as_str() {
            LAST => Source::Text(browser::work()?),
            _ => Source::Template(chosen),
        };
        Some(Action::Build(Build::Begin(source)))
    });
    html! {
        <div class="pane-tools">
            { tool(words::undo(lang), view.can_undo, Build::Undo) }
            { tool(words::redo(lang), view.can_redo, Build::Redo) }
            <select aria-label={words::begin_with(lang)} onchange={begin}>
                <option value="" selected=true>{ words::begin_with(lang) }</option>
                if view.has_last { <option value={LAST}>{ words::last_work(lang) }</option> }
                for template in TEMPLATES { <option key={template.name} value={template.name}>{ words::template(lang, template.name) }</option> }
            </select>
            <button type="button" class="button small" onclick={dispatch.reform(|_| Action::Export(Format::Scenario))}>{ words::save(lang) }</button>
        </div>
    }
}

/// What is wrong, each with the way to where it is.
fn wrong(lang: Lang, mistakes: &[(&MistakeInWords, &Way)], dispatch: &Callback<Action>) -> Html {
    html! {
        <div class="build-wrong" role="alert">
            <p><b>{ words::not_yet(lang, mistakes.len()) }</b></p>
            <ol class="mistakes">
                for (index, (mistake, way)) in mistakes.iter().take(20).enumerate() {
                    <li key={index}><button type="button" class="link" onclick={leads_to((*way).clone(), dispatch)}>{ localized(lang, &mistake.text) }</button></li>
                }
            </ol>
        </div>
    }
}

/// To the control of a value, if that is to be seen; else its form is opened.
fn leads_to(way: Way, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |_| {
        let id = id_of(&way);
        match gloo_utils::document().get_element_by_id(&id) {
            Some(_) => browser::focus(&id),
            None => dispatch.emit(Action::Build(Build::Go(way.clone()))),
        }
    })
}

fn goes(way: Way, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    dispatch.reform(move |_| Action::Build(Build::Go(way.clone())))
}

fn trail(lang: Lang, trail: &[(String, Way)], dispatch: &Callback<Action>) -> Html {
    let last = trail.len() - 1;
    html! {
        <nav aria-label={words::trail(lang)}>
            <ol class="trail">
                for (index, (name, way)) in trail.iter().enumerate() {
                    <li key={index}>
                        if index == last { <span aria-current="page">{ name }</span> }
                        else { <button type="button" class="link" onclick={goes(way.clone(), dispatch)}>{ name }</button> }
                    </li>
                }
            </ol>
        </nav>
    }
}

/// The text of the file, to be read, changed and pasted.
fn file_text(lang: Lang, text: &str, dispatch: &Callback<Action>) -> Html {
    let apply = sometimes(dispatch, |_: MouseEvent| {
        let area = gloo_utils::document().get_element_by_id(TEXT)?.dyn_into::<HtmlTextAreaElement>().ok()?;
        Some(Action::Build(Build::Edit(Edit::Text(area.value()))))
    });
    html! {
        <details class="build-file">
            <summary>{ words::as_text(lang) }</summary>
            <textarea id={TEXT} aria-label={words::as_text(lang)} rows="16" spellcheck="false" autocapitalize="off" value={text.to_owned()} />
            <p><button type="button" class="button small" onclick={apply}>{ words::apply(lang) }</button></p>
        </details>
    }
}

/// What the element of a value is called.
fn id_of(way: &[Step]) -> String {
    let part = |step: &Step| match step {
        Step::Field(name) => format!("-{name}"),
        Step::At(at) => format!("-{at}"),
    };
    format!("build{}", way.iter().map(part).collect::<String>())
}
