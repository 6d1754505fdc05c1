//! Dialogs: the help, and what is wrong with a file. They are the browser's own modal dialogs, so the focus stays inside.

use super::icons::{self, icon};
use super::keys::BINDINGS;
use super::state::{Action, FileProblem, FileReport, FileWrong};
use super::view;
use crate::reading::MistakeInWords;
use crate::text::{self, Lang, help, labels};
use web_sys::HtmlDialogElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct DialogProps {
    pub lang: Lang,
    pub title: AttrValue,
    pub dispatch: Callback<Action>,
    pub children: Html,
}

/// A modal dialog with a title and a button that closes it.
#[component]
pub fn Dialog(props: &DialogProps) -> Html {
    let DialogProps { lang, title, dispatch, children } = props;
    let node = use_node_ref();
    use_effect_with(node.clone(), |node| {
        let dialog = node.cast::<HtmlDialogElement>();
        if let Some(dialog) = &dialog {
            let _ = dialog.show_modal();
        }
        // Closing gives the focus back to where it came from; being taken away would not.
        move || {
            if let Some(dialog) = dialog {
                dialog.close();
            }
        }
    });
    // Esc, or a press beside it: the state closes it, so that there is one truth.
    let oncancel = dispatch.reform(|event: Event| {
        event.prevent_default();
        Action::Escape
    });
    html! {
        <dialog class="dialog" ref={node} closedby="any" aria-labelledby="dialog-title" {oncancel}>
            <div class="dialog-head">
                <h2 id="dialog-title">{ title }</h2>
                <button type="button" class="button" aria-label={labels::close(*lang)} title={labels::close(*lang)}
                    onclick={dispatch.reform(|_| Action::Escape)}>{ icon(icons::CLOSE) }</button>
            </div>
            { children.clone() }
        </dialog>
    }
}

/// The help: how to read the stage, the keys, and the terms.
#[inline(never)]
pub fn help_dialog(lang: Lang, dispatch: &Callback<Action>) -> Html {
    html! {
        <Dialog {lang} title={labels::help(lang)} dispatch={dispatch.clone()}>
            <h3>{ labels::how_to_read(lang) }</h3>
            <dl class="legend">
                for (index, (term, meaning)) in help::legend(lang).iter().enumerate() {
                    <div key={index}><dt>{ *term }</dt><dd>{ *meaning }</dd></div>
                }
            </dl>
            <h3>{ labels::keys(lang) }</h3>
            <dl class="keys">
                for binding in BINDINGS {
                    <div key={binding.shown}><dt><kbd>{ binding.shown }</kbd></dt><dd>{ binding.command.label(lang) }</dd></div>
                }
            </dl>
            <p class="muted">{ help::members(lang) }</p>
            <h3>{ labels::about(lang) }</h3>
            for (index, term) in help::terms(lang).iter().enumerate() {
                <p key={index} class="muted">{ *term }</p>
            }
        </Dialog>
    }
}

/// What has to be said of the file or the link that was opened, or of what was to be taken along.
#[inline(never)]
pub fn report_dialog(lang: Lang, report: &FileReport, dispatch: &Callback<Action>) -> Html {
    let title = match (&report.name, &report.wrong) {
        (Some(name), _) => name.clone(),
        (None, FileWrong::Export) => labels::export(lang).to_owned(),
        (None, _) => labels::link(lang).to_owned(),
    };
    html! {
        <Dialog {lang} title={title} dispatch={dispatch.clone()}>
            { wrong(lang, &report.wrong) }
        </Dialog>
    }
}

/// The same in somebody else's page, where nothing may come between what is read there and take the focus.
#[inline(never)]
pub fn report_note(lang: Lang, report: &FileReport, dispatch: &Callback<Action>) -> Html {
    html! {
        <div class="report-note" role="status">
            <div>{ wrong(lang, &report.wrong) }</div>
            <button type="button" class="button small" aria-label={labels::close(lang)} title={labels::close(lang)}
                onclick={dispatch.reform(|_| Action::Escape)}>{ icon(icons::CLOSE) }</button>
        </div>
    }
}

fn wrong(lang: Lang, wrong: &FileWrong) -> Html {
    match wrong {
        FileWrong::Problem(FileProblem::TooLarge) => html! { <p>{ labels::file_too_large(lang) }</p> },
        FileWrong::Problem(FileProblem::Unreadable) => html! { <p>{ labels::file_unreadable(lang) }</p> },
        FileWrong::Problem(FileProblem::NoReader) => html! { <p>{ labels::no_reader(lang) }</p> },
        FileWrong::Export => html! { <p>{ labels::export_failed(lang) }</p> },
        FileWrong::Link(problem) => html! { <p>{ text::link_problem(lang, *problem) }</p> },
        FileWrong::Elsewhere => html! { <p>{ labels::link_elsewhere(lang) }</p> },
        FileWrong::Mistakes(mistakes) => listed(lang, labels::file_has_mistakes(lang), mistakes),
        FileWrong::Warnings(warnings) => listed(lang, labels::file_has_warnings(lang), warnings),
    }
}

fn listed(lang: Lang, lead: &'static str, mistakes: &[MistakeInWords]) -> Html {
    html! {
        <>
            <p>{ lead }</p>
            <ol class="mistakes">
                for (index, found) in mistakes.iter().take(100).enumerate() {
                    <li key={index}><span class="mono">{ format!("{}:{}", found.line, found.column) }</span>{ " " }{ view::localized(lang, &found.text) }</li>
                }
            </ol>
            if mistakes.len() > 100 { <p class="muted">{ format!("+ {}", mistakes.len() - 100) }</p> }
        </>
    }
}
