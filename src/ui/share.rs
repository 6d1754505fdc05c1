//! The dialog that gives away the place that is shown: as a link, as a frame, as an element of `embed.js`, with a preview.

use super::browser;
use super::dialog::Dialog;
use super::figure;
use super::playback::SPEEDS;
use super::sometimes;
use super::state::{Action, Format, Share, Theme};
use super::transport::factor;
use crate::link::{Beginning, Link, MOST_SHARED, Opened};
use crate::text::{Lang, labels};
use gloo_events::EventListener;
use js_sys::Reflect;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Fails where the browser does not let the page copy.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = copy, catch)]
    async fn copy(text: &str) -> Result<JsValue, JsValue>;
}

/// What is shared.
pub struct Shared<'a> {
    /// The place; none where what is open has no link.
    pub link: Option<Link>,
    /// The title of the frame.
    pub title: &'a str,
    pub share: &'a Share,
}

/// A parameter of a figure: its name and, if it has one, its value.
type Parameter = (&'static str, Option<String>);

/// Until the preview has said how high the figure is.
const HEIGHT: u32 = 640;

/// The dialog.
#[inline(never)]
pub fn share_dialog(lang: Lang, shared: Shared<'_>, dispatch: &Callback<Action>) -> Html {
    let Shared { link, title, share } = shared;
    let place = link.map(|link| (link.to_fragment(), figure_of(link, share)));
    let content = match place.filter(|(fragment, _)| fragment.len() <= MOST_SHARED) {
        None => html! { <>
            <p>{ labels::link_too_long(lang) }</p>
            <p><button type="button" class="button" onclick={dispatch.reform(|_| Action::Export(Format::Scenario))}>{ labels::scenario_file(lang) }</button></p>
        </> },
        Some((fragment, (mut parameters, figure_fragment))) => {
            let page = browser::page_address();
            // The same place on the page, for whoever has no script.
            let place = format!("{}{figure_fragment}", query("?", &parameters));
            parameters.extend(looks(share));
            let title = escaped(title);
            let address = format!("?embed{}{figure_fragment}", query("&", &parameters));
            let height = share.height.unwrap_or(HEIGHT);
            let frame = format!(
                "<iframe src=\"{page}{}\"\n  title=\"{title}\" width=\"100%\" height=\"{height}\" loading=\"lazy\" frameborder=\"0\"></iframe>",
                escaped(&address),
            );
            let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
            // The script knows where the page is; what is in a fragment, it does not.
            let src =
                if figure_fragment.is_empty() { String::new() } else { format!(" src=\"{page}{figure_fragment}\"") };
            let element = format!(
                "<script type=\"module\" src=\"{folder}/embed.js\"></script>\n<logstep-figure label=\"{title}\"{}{src}>\n  <a href=\"{page}{}\">{title}</a>\n</logstep-figure>",
                attributes(&parameters),
                escaped(&place),
            );
            html! { <>
                <Snippet {lang} label={labels::link(lang)} text={format!("{page}#{fragment}")} rows="2" />
                <h3>{ labels::figure(lang) }</h3>
                { choices(lang, share, dispatch) }
                <Snippet {lang} label={labels::as_frame(lang)} text={frame} rows="3" />
                <Snippet {lang} label={labels::as_element(lang)} text={element} rows="5" />
                <h3>{ labels::preview(lang) }</h3>
                <Preview key={address.clone()} {lang} address={format!("./{address}")} {height} dispatch={dispatch.clone()} />
            </> }
        }
    };
    html! { <Dialog {lang} title={labels::share(lang)} dispatch={dispatch.clone()}>{ content }</Dialog> }
}

/// Where a figure begins: by parameters that a person can read, if they can say it, else by the fragment of a link, with its `#`.
fn figure_of(link: Link, share: &Share) -> (Vec<Parameter>, String) {
    let lang = share.lang.map(|lang| lang.tag().to_owned());
    match link {
        Link { opened: Some(Opened::Builtin(name)), beginning, done, step, every_event: false, .. }
            if done.is_empty() && beginning == Beginning::default() =>
        {
            let step = step.map(|step| ("step", Some(step.to_string())));
            let place = [Some(("scenario", Some(name))), step, lang.map(|tag| ("lang", Some(tag)))];
            (place.into_iter().flatten().collect(), String::new())
        }
        link => (Vec::new(), format!("#{}", Link { lang, ..link }.to_fragment())),
    }
}

/// How a figure looks and plays, where that is not the usual.
fn looks(share: &Share) -> impl Iterator<Item = Parameter> {
    let theme = share.theme.map(|theme| ("theme", Some(browser::theme_name(theme).to_owned())));
    let speed = figure::speed_name(share.speed).filter(|_| share.speed != figure::USUAL_SPEED);
    let speed = speed.map(|name| ("speed", Some(name.to_owned())));
    let plays = share.plays.then_some(("autoplay", None));
    [theme, speed, figure::asks_for(&share.shown), plays].into_iter().flatten()
}

/// Parameters as they stand in an address; `first` leads them.
fn query(first: &str, parameters: &[Parameter]) -> String {
    let part = |(name, value): &Parameter| value.as_ref().map_or((*name).to_owned(), |value| format!("{name}={value}"));
    let parts: Vec<String> = parameters.iter().map(part).collect();
    if parts.is_empty() { String::new() } else { first.to_owned() + &parts.join("&") }
}

/// The same as attributes of the element.
fn attributes(parameters: &[Parameter]) -> String {
    let attribute = |(name, value): &Parameter| {
        value.as_ref().map_or_else(|| format!(" {name}"), |value| format!(" {name}=\"{value}\""))
    };
    parameters.iter().map(attribute).collect()
}

/// As it stands between quotes in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// What can be chosen of a figure.
fn choices(lang: Lang, share: &Share, dispatch: &Callback<Action>) -> Html {
    let labels = [
        Some(labels::shows_verdicts(lang)),
        // Without its buttons a figure is a picture.
        None,
        Some(labels::shows_timeline(lang)),
        Some(labels::shows_legend(lang)),
        Some(labels::shows_story(lang)),
        Some(labels::shows_why(lang)),
        Some(labels::shows_text(lang)),
    ];
    let parts = labels.into_iter().enumerate().filter_map(|(part, label)| {
        let mut other = share.clone();
        other.shown[part] = !other.shown[part];
        Some(option(label?, share.shown[part], other, dispatch))
    });
    let langs = std::iter::once((labels::as_reader_speaks(lang), None))
        .chain(Lang::ALL.map(|of| (labels::other_language(of.other()), Some(of))))
        .map(|(name, of)| (name.to_owned(), Share { lang: of, ..share.clone() }));
    let themes = [
        (labels::as_reader_sees(lang), None),
        (labels::light(lang), Some(Theme::Light)),
        (labels::dark(lang), Some(Theme::Dark)),
    ]
    .map(|(name, theme)| (name.to_owned(), Share { theme, ..share.clone() }));
    let speeds = SPEEDS.iter().map(|&speed| (factor(lang, speed), Share { speed, ..share.clone() }));
    let plays = Share { plays: !share.plays, ..share.clone() };
    html! {
        <div class="share-options">
            for part in parts { { part } }
            { option(labels::plays_in_sight(lang), share.plays, plays, dispatch) }
            { select(labels::language(lang), share, langs.collect(), dispatch) }
            { select(labels::colours(lang), share, themes.into(), dispatch) }
            { select(labels::speed(lang), share, speeds.collect(), dispatch) }
        </div>
    }
}

fn option(label: &'static str, is_on: bool, other: Share, dispatch: &Callback<Action>) -> Html {
    let onchange = dispatch.reform(move |_: Event| Action::SetShare(Some(other.clone())));
    html! { <label><input type="checkbox" checked={is_on} {onchange} />{ " " }{ label }</label> }
}

fn select(label: &'static str, share: &Share, offered: Vec<(String, Share)>, dispatch: &Callback<Action>) -> Html {
    let shares: Vec<Share> = offered.iter().map(|(_, share)| share.clone()).collect();
    let onchange = sometimes(dispatch, move |event: Event| {
        let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
        let chosen: usize = select.value().parse().ok()?;
        Some(Action::SetShare(Some(shares.get(chosen)?.clone())))
    });
    html! {
        <label>{ label }{ " " }<select {onchange}>
            for (index, (name, offered)) in offered.iter().enumerate() {
                <option key={index} value={index.to_string()} selected={offered == share}>{ name }</option>
            }
        </select></label>
    }
}

#[derive(Properties, PartialEq)]
struct PreviewProps {
    lang: Lang,
    address: AttrValue,
    height: u32,
    dispatch: Callback<Action>,
}

/// The figure as it will be, in a frame that hears from it as any host does how high it is.
#[component]
fn Preview(props: &PreviewProps) -> Html {
    let PreviewProps { lang, address, height, dispatch } = props;
    let node = use_node_ref();
    use_effect_with((node.clone(), dispatch.clone()), |(node, dispatch)| {
        let (node, dispatch) = (node.clone(), dispatch.clone());
        let listener = EventListener::new(&gloo_utils::window(), "message", move |event| {
            if let Some(height) = node.get().and_then(|frame| told_height(event, &frame)) {
                dispatch.emit(Action::Previewed(height));
            }
        });
        move || drop(listener)
    });
    html! { <iframe class="preview" ref={node} title={labels::preview(*lang)} height={height.to_string()} src={address}></iframe> }
}

/// The height in a message, if it is one from this frame.
fn told_height(event: &web_sys::Event, frame: &JsValue) -> Option<u32> {
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let data = get(event, "data")?;
    let is_height = get(event, "source")? == get(frame, "contentWindow")? && get(&data, "type")? == "height";
    is_height.then(|| get(&data, "height")?.as_f64().map(|height| height as u32)).flatten()
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
