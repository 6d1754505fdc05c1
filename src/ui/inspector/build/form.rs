//! A form of the lab: a control for each field, with what it means, its bounds and what is wrong with it.

use super::{goes, id_of};
use crate::lab::{Absent, Control, Edit, Entry, Field, Form, Step, Way};
use crate::text::{Lang, lab as words};
use crate::ui::icons::{self, icon};
use crate::ui::sometimes;
use crate::ui::state::{Action, Build};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

/// The parts of a world, which its form begins with; what else it has is told about them and folded away.
const PARTS: [&str; 7] = ["ends_at", "cluster", "topics", "producers", "groups", "sinks", "actions"];

/// The form of the whole world.
pub fn whole(lang: Lang, form: &Form, dispatch: &Callback<Action>) -> Html {
    let (parts, besides): (Vec<&Field>, Vec<&Field>) =
        form.fields.iter().partition(|field| PARTS.contains(&&*field.name));
    // What is wrong there has to be seen.
    let is_wrong = besides.iter().any(|field| !field.mistakes.is_empty());
    html! {
        <>
            for (index, text) in form.mistakes.iter().enumerate() { <p key={format!("wrong {index}")} class="build-mistake">{ text }</p> }
            for field in parts { { field_view(lang, field, dispatch) } }
            <details class="build-besides" open={is_wrong}>
                <summary>{ words::besides(lang) }</summary>
                for field in besides { { field_view(lang, field, dispatch) } }
                if !form.absent.is_empty() { { absent(lang, &form.absent, Way::new(), dispatch) } }
            </details>
        </>
    }
}

/// The form of an object.
pub fn form(lang: Lang, form: &Form, way: Way, dispatch: &Callback<Action>) -> Html {
    html! {
        <>
            for (index, text) in form.mistakes.iter().enumerate() { <p key={format!("wrong {index}")} class="build-mistake">{ text }</p> }
            for field in &form.fields { { field_view(lang, field, dispatch) } }
            if !form.absent.is_empty() { { absent(lang, &form.absent, way, dispatch) } }
        </>
    }
}

fn edits(edit: Edit, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    dispatch.reform(move |_| Action::Build(Build::Edit(edit.clone())))
}

/// Calls back with what a control has come to.
fn entered(dispatch: &Callback<Action>, edit: impl Fn(String) -> Edit + 'static) -> Callback<Event> {
    sometimes(dispatch, move |event: Event| {
        let target = event.target()?;
        let value = match target.dyn_ref::<HtmlInputElement>() {
            Some(input) => input.value(),
            None => match target.dyn_ref::<HtmlSelectElement>() {
                Some(select) => select.value(),
                None => target.dyn_ref::<HtmlTextAreaElement>()?.value(),
            },
        };
        Some(Action::Build(Build::Edit(edit(value))))
    })
}

fn field_view(lang: Lang, field: &Field, dispatch: &Callback<Action>) -> Html {
    let id = id_of(&field.way);
    let notes = format!("{id}-notes");
    let is_wrong = !field.mistakes.is_empty();
    let name = html! { <code>{ &field.name }</code> };
    let remove = field.can_go.then(|| {
        icon_button(icons::CLOSE, words::remove(lang, &field.name), Edit::Remove(field.way.clone()), dispatch)
    });
    let kinds = field.kinds.iter().map(|kind| {
        let put = Edit::Put(field.way.clone(), kind.json.clone());
        html! { <button key={kind.label.clone()} type="button" class="link" onclick={edits(put, dispatch)}>{ words::turn_into(lang, &kind.label) }</button> }
    });
    let notes_view = html! {
        <div class="build-notes" id={notes.clone()}>
            if let Some(about) = first_sentence(&field.about) { <p title={field.about.clone()}>{ about }</p> }
            if !field.limits.is_empty() || !field.default.is_empty() {
                <p class="muted">{ [&*field.limits, &*field.default].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" · ") }</p>
            }
            for (index, text) in field.mistakes.iter().enumerate() { <p key={index} class="build-mistake">{ text }</p> }
            { for kinds }
        </div>
    };
    let described = |control: Html| {
        html! {
            <div key={id.clone()} class={classes!("build-field", is_wrong.then_some("is-wrong"))}>
                <div class="build-row"><label for={id.clone()}>{ name.clone() }</label>{ control }{ remove.clone() }</div>
                { notes_view.clone() }
            </div>
        }
    };
    let way = field.way.clone();
    match &field.control {
        Control::Text { value, words: known, is_number } => {
            let list = format!("{id}-words");
            described(html! {
                <>
                    <input id={id.clone()} class="build-input" type="text" inputmode={is_number.then_some("numeric")} autocomplete="off" autocapitalize="off" spellcheck="false"
                        value={value.clone()} list={(!known.is_empty()).then(|| list.clone())} aria-describedby={notes.clone()} aria-invalid={is_wrong.then_some("true")}
                        onchange={entered(dispatch, move |text| Edit::Enter(way.clone(), text))} />
                    if !known.is_empty() { <datalist id={list}>for word in known { <option key={word.clone()} value={word.clone()} /> }</datalist> }
                </>
            })
        }
        Control::Choice { value, options } => described(html! {
            <select id={id.clone()} class="build-input" ~value={JsValue::from_str(value)} aria-describedby={notes.clone()} aria-invalid={is_wrong.then_some("true")}
                onchange={entered(dispatch, move |json| Edit::Put(way.clone(), json))}>
                for option in options { <option key={option.json.clone()} value={option.json.clone()} selected={option.json == *value}>{ &option.label }</option> }
            </select>
        }),
        Control::Json(json) => described(html! {
            <textarea id={id.clone()} class="build-input" rows="2" spellcheck="false" value={json.clone()} aria-describedby={notes.clone()} aria-invalid={is_wrong.then_some("true")}
                onchange={entered(dispatch, move |text| Edit::Enter(way.clone(), text))} />
        }),
        Control::Object(inner) => html! {
            <fieldset key={id} class="build-part">
                <legend>{ name }{ remove }</legend>
                { notes_view }
                { form(lang, inner, way, dispatch) }
            </fieldset>
        },
        Control::List { entries, more, can_grow } => html! {
            <section key={id.clone()} class={classes!("build-list", is_wrong.then_some("is-wrong"))} aria-labelledby={format!("{id}-name")}>
                <h4 id={format!("{id}-name")}>{ name }{ " " }<span class="muted">{ entries.len() + *more as usize }</span>{ remove }</h4>
                { notes_view }
                if !entries.is_empty() {
                    <ul>for entry in entries { { entry_view(lang, entry, dispatch) } }</ul>
                }
                if *more > 0 { <p class="muted">{ words::more(lang, *more) }</p> }
                <button type="button" class="button small" {id} disabled={!can_grow} onclick={edits(Edit::Add(way), dispatch)}>{ words::add(lang, &field.name) }</button>
            </section>
        },
        Control::Map { fields, names, is_open } => html! {
            <fieldset key={id.clone()} class="build-part">
                <legend>{ name }{ remove }</legend>
                { notes_view }
                for field in fields { { field_view(lang, field, dispatch) } }
                if !names.is_empty() { { choose(&id, words::add(lang, &field.name), names.iter().map(|name| (name.clone(), String::new())), way.clone(), dispatch) } }
                if *is_open {
                    <input {id} class="build-input" type="text" placeholder={words::new_name(lang)} aria-label={words::new_name(lang)}
                        onchange={entered(dispatch, move |name| Edit::Choose(way.clone(), name))} />
                }
            </fieldset>
        },
    }
}

/// The first sentence of a text; what else there is to say is its title.
fn first_sentence(text: &str) -> Option<String> {
    let plain = text.replace('`', "");
    let end = plain.find('。').map(|at| at + '。'.len_utf8()).or_else(|| plain.find(". ").map(|at| at + 1));
    let first = plain.get(..end.unwrap_or(plain.len()))?.to_owned();
    (!first.is_empty()).then_some(first)
}

fn icon_button(path: &'static str, label: String, edit: Edit, dispatch: &Callback<Action>) -> Html {
    html! {
        <button type="button" class="build-icon" aria-label={label.clone()} title={label} onclick={edits(edit, dispatch)}>{ icon(path) }</button>
    }
}

fn entry_view(lang: Lang, entry: &Entry, dispatch: &Callback<Action>) -> Html {
    let Entry { way, line, has_form, is_wrong } = entry;
    let key = match way.last() {
        Some(Step::At(at)) => *at,
        _ => 0,
    };
    html! {
        <li key={key} class={classes!("build-entry", is_wrong.then_some("is-wrong"))}>
            if *has_form {
                <button type="button" class="build-open" id={id_of(way)} title={words::open(lang, line)} onclick={goes(way.clone(), dispatch)}>{ if *is_wrong { "⚠ " } else { "" } }{ line }{ icon(icons::DOWN) }</button>
            } else {
                <span class="build-open">{ line }</span>
            }
            { icon_button(icons::COPY, words::copy(lang, line), Edit::Copy(way.clone()), dispatch) }
            { icon_button(icons::CLOSE, words::remove(lang, line), Edit::Remove(way.clone()), dispatch) }
        </li>
    }
}

/// The fields that are not there, to be added.
fn absent(lang: Lang, absent: &[Absent], way: Way, dispatch: &Callback<Action>) -> Html {
    let options = absent.iter().map(|absent| (absent.name.clone(), absent.about.replace('`', "")));
    choose(&id_of(&way), words::add_field(lang).to_owned(), options, way, dispatch)
}

fn choose(
    id: &str,
    label: String,
    options: impl Iterator<Item = (String, String)>,
    way: Way,
    dispatch: &Callback<Action>,
) -> Html {
    let chosen = sometimes(dispatch, move |event: Event| {
        let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
        let name = select.value();
        select.set_value("");
        (!name.is_empty()).then(|| Action::Build(Build::Edit(Edit::Choose(way.clone(), name))))
    });
    html! {
        <p class="build-absent">
            <select id={format!("{id}-add")} aria-label={label.clone()} onchange={chosen}>
                <option value="" selected=true>{ label }</option>
                for (name, about) in options {
                    <option key={name.clone()} value={name.clone()} title={about.clone()}>{ if about.is_empty() { name } else { format!("{name} – {}", short(&about)) } }</option>
                }
            </select>
        </p>
    }
}

/// As much of a text as a choice has room for.
fn short(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
