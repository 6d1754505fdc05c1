//! The dialog that gives away the place that is shown: as a link, as a frame, as an element of `embed.js`, with a preview.

use super::browser;
use super::dialog::Dialog;
use super::figure;
use super::state::{Action, Format, Share, Theme};
use crate::text::{Lang, labels};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Fails where the browser does not let the page copy.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = copy, catch)]
    async fn copy(text: &str) -> Result<JsValue, JsValue>;
}

/// What is shared.
pub struct Shared<'a> {
    /// The fragment of the place; none where it is too long for an address.
    pub fragment: Option<&'a str>,
    /// The title of the frame.
    pub title: &'a str,
    pub theme: Theme,
    pub share: Share,
}

/// The dialog.
#[inline(never)]
pub fn share_dialog(lang: Lang, shared: &Shared<'_>, dispatch: &Callback<Action>) -> Html {
    let Shared { fragment, title, theme, share } = shared;
    let content = match fragment {
        None => html! { <>
            <p>{ labels::link_too_long(lang) }</p>
            <p><button type="button" class="button" onclick={dispatch.reform(|_| Action::Export(Format::Scenario))}>{ labels::scenario_file(lang) }</button></p>
        </> },
        Some(fragment) => {
            let page = browser::page_address();
            let query = query(share);
            let title = escaped(title);
            let frame = format!(
                "<iframe src=\"{page}?embed{}#{fragment}\"\n  title=\"{title}\" width=\"100%\" height=\"{}\" loading=\"lazy\" style=\"border: 0\"></iframe>",
                escaped(&query),
                if share.is_compact { 640 } else { 720 },
            );
            let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
            let attributes = attributes(share);
            let element = format!(
                "<script type=\"module\" src=\"{folder}/embed.js\"></script>\n<logstep-figure label=\"{title}\"{attributes} src=\"{page}#{fragment}\">\n  <a href=\"{page}#{fragment}\">{title}</a>\n</logstep-figure>",
            );
            let theme = if *theme == Theme::Dark { "dark" } else { "light" };
            html! { <>
                <Snippet {lang} label={labels::link(lang)} text={format!("{page}#{fragment}")} rows="2" />
                <h3>{ labels::figure(lang) }</h3>
                <p class="share-options">
                    { option(labels::compact(lang), share.is_compact, Share { is_compact: !share.is_compact, ..*share }, dispatch) }
                    { option(labels::side_story(lang), share.has_story, Share { has_story: !share.has_story, ..*share }, dispatch) }
                    { option(labels::side_why(lang), share.has_why, Share { has_why: !share.has_why, ..*share }, dispatch) }
                    { option(labels::plays_in_sight(lang), share.plays, Share { plays: !share.plays, ..*share }, dispatch) }
                </p>
                <Snippet {lang} label={labels::as_frame(lang)} text={frame} rows="3" />
                <Snippet {lang} label={labels::as_element(lang)} text={element} rows="5" />
                <h3>{ labels::preview(lang) }</h3>
                <iframe class="preview" title={labels::preview(lang)} loading="lazy" src={format!("./?embed{query}&theme={theme}#{fragment}")}></iframe>
            </> }
        }
    };
    html! { <Dialog {lang} title={labels::share(lang)} dispatch={dispatch.clone()}>{ content }</Dialog> }
}

/// The parameters of a figure.
fn query(share: &Share) -> String {
    let mut query: String = flags(share).map(|flag| format!("&{flag}")).collect();
    if let Some(shown) = shown(share) {
        query.push_str(&format!("&show={shown}"));
    }
    query
}

/// The same as attributes of the element.
fn attributes(share: &Share) -> String {
    let mut attributes: String = flags(share).map(|flag| format!(" {flag}")).collect();
    if let Some(shown) = shown(share) {
        attributes.push_str(&format!(" show=\"{shown}\""));
    }
    attributes
}

/// The parameters that have no value.
fn flags(share: &Share) -> impl Iterator<Item = &'static str> {
    let flags = [("compact", share.is_compact), ("autoplay", share.plays)];
    flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name)
}

/// What is shown, if that is not the usual.
fn shown(share: &Share) -> Option<String> {
    let more = [("story", share.has_story), ("why", share.has_why)].into_iter().filter(|(_, is_shown)| *is_shown);
    let shown: Vec<&str> = std::iter::once(figure::usual(share.is_compact)).chain(more.map(|(name, _)| name)).collect();
    (shown.len() > 1).then(|| shown.join(","))
}

/// As it stands between quotes in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

fn option(label: &'static str, is_on: bool, other: Share, dispatch: &Callback<Action>) -> Html {
    let onchange = dispatch.reform(move |_: Event| Action::SetShare(Some(other)));
    html! { <label><input type="checkbox" checked={is_on} {onchange} />{ " " }{ label }</label> }
}

#[derive(Properties, PartialEq)]
struct SnippetProps {
    lang: Lang,
    label: AttrValue,
    text: AttrValue,
    rows: AttrValue,
}

/// A text to be copied. Where the browser does not allow that, it is selected.
#[component]
fn Snippet(props: &SnippetProps) -> Html {
    let SnippetProps { lang, label, text, rows } = props;
    let node = use_node_ref();
    let copied = use_state(|| None::<AttrValue>);
    let onclick = {
        let (node, copied, text) = (node.clone(), copied.clone(), text.clone());
        Callback::from(move |_: MouseEvent| {
            let (node, copied, text) = (node.clone(), copied.clone(), text.clone());
            spawn_local(async move {
                match copy(&text).await {
                    Ok(_) => copied.set(Some(text)),
                    Err(_) => {
                        if let Some(area) = node.cast::<HtmlTextAreaElement>() {
                            let _ = area.focus();
                            area.select();
                        }
                    }
                }
            });
        })
    };
    let is_copied = copied.as_ref() == Some(text);
    html! {
        <div class="snippet">
            <label><span>{ label }</span><textarea readonly=true {rows} ref={node} value={text} /></label>
            <button type="button" class="button small" aria-label={format!("{}: {label}", labels::copy(*lang))} {onclick}>
                { if is_copied { labels::copied(*lang) } else { labels::copy(*lang) } }
            </button>
        </div>
    }
}
