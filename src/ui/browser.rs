//! The browser's facts at the edge: storage, address, media queries, focus. Nothing here fails: what a browser refuses
//! (storage in a sandboxed frame, for one) is simply not there.

use super::state::Theme;
use crate::text::Lang;
use gloo_utils::{document, window};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{Element, HtmlElement, MediaQueryList, ScrollIntoViewOptions, ScrollLogicalPosition, Storage};

#[wasm_bindgen]
extern "C" {
    /// Opens the new version of the page in place of this one; `static/load.js` has said that it is ready.
    #[wasm_bindgen(js_namespace = logstepBoot)]
    pub fn renew();

    /// True once the whole program is here, with what explains.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = isWhole)]
    pub fn is_whole() -> bool;

    #[wasm_bindgen(js_namespace = performance, js_name = getEntriesByType)]
    fn entries_of(kind: &str) -> js_sys::Array;
}

pub const fn theme_name(theme: Theme) -> &'static str {
    match theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
    }
}

/// The event of the window when the rest of the program has arrived.
pub const WHOLE: &str = "logstep-whole";

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn stored(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

fn store(key: &str, value: &str) {
    if let Some(storage) = storage() {
        // Full or forbidden: the choice then lasts as long as the page.
        let _ = storage.set_item(key, value);
    }
}

/// The world that was built last on this device.
#[inline(never)]
pub fn work() -> Option<String> {
    stored(WORK)
}

/// Keeps the world that is being built, for when the page is left.
#[inline(never)]
pub fn keep_work(text: &str) {
    store(WORK, text);
}

const WORK: &str = "logstep.work";
/// In this tab only.
const COME_BACK: &str = "logstep.building";

fn session() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

/// Sets whether a reload comes back to the world that is being built.
#[inline(never)]
pub fn come_back_to_work(comes: bool) {
    if let Some(session) = session() {
        let _ = match comes {
            true => session.set_item(COME_BACK, "yes"),
            false => session.remove_item(COME_BACK),
        };
    }
}

/// True if this is a reload that comes back to the world that was being built. A link that was followed leads where it says.
#[inline(never)]
pub fn comes_back_to_work() -> bool {
    let kind = js_sys::Reflect::get(&entries_of("navigation").get(0), &"type".into()).ok();
    let is_reload = kind.and_then(|kind| kind.as_string()).is_some_and(|kind| kind == "reload");
    is_reload && session().is_some_and(|session| session.get_item(COME_BACK).ok().flatten().is_some())
}

/// The value of a parameter of the address.
pub fn parameter(name: &str) -> Option<String> {
    let query = window().location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&query).ok()?.get(name)
}

/// True if the address has parameters.
pub fn has_parameters() -> bool {
    window().location().search().is_ok_and(|query| !query.is_empty())
}

/// The address of the page, without what follows its path.
pub fn page_address() -> String {
    let href = window().location().href().unwrap_or_default();
    href.split(['?', '#']).next().unwrap_or_default().to_owned()
}

/// The fragment of the address, without its `#`.
pub fn fragment() -> String {
    let hash = window().location().hash().unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

/// The parameters of the address that a fragment says as well.
const PLACE: [&str; 3] = ["scenario", "step", "lang"];

/// Puts a fragment into the address, in place of the parameters that say the same: as a new entry of the browser's history, so
/// that Back returns, or in place of the present one. Where a frame may not, the address stays.
#[inline(never)]
pub fn show_fragment(fragment: &str, is_new: bool) {
    let Ok(history) = window().history() else { return };
    let location = window().location();
    let (path, query) = (location.pathname().unwrap_or_default(), location.search().unwrap_or_default());
    let is_other = |part: &&str| !PLACE.contains(&part.split('=').next().unwrap_or_default());
    let query: Vec<&str> = query.trim_start_matches('?').split('&').filter(is_other).collect();
    let query = query.join("&");
    let url = format!("{path}{}{query}#{fragment}", if query.is_empty() { "" } else { "?" });
    let _ = match is_new {
        true => history.push_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&url)),
        false => history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&url)),
    };
}

/// True inside a frame of another page.
pub fn is_framed() -> bool {
    window().parent().ok().flatten().is_none_or(|parent| parent != window())
}

fn lang_of(tag: &str) -> Option<Lang> {
    match tag.split('-').next()? {
        "ja" => Some(Lang::Ja),
        "en" => Some(Lang::En),
        _ => None,
    }
}

/// The language that a parameter of the address asks for.
pub fn asked_lang() -> Option<Lang> {
    lang_of(&parameter("lang")?)
}

/// The language to begin with: the address, else the last choice, else the browser's first that we have.
pub fn initial_lang() -> Lang {
    let preferred = || window().navigator().languages().iter().filter_map(|tag| lang_of(&tag.as_string()?)).next();
    asked_lang().or_else(|| stored("logstep.lang").and_then(|tag| lang_of(&tag))).or_else(preferred).unwrap_or(Lang::En)
}

/// The colours to begin with: the address, else the last choice, else what the system asks for. A system that forces its
/// own colours is not asked twice: words would be dark on dark.
pub fn initial_theme() -> Theme {
    let is_forced = media("(forced-colors: active)").is_some_and(|query| query.matches());
    let chosen = (!is_forced).then(|| parameter("theme").or_else(|| stored("logstep.theme"))).flatten();
    match chosen.as_deref() {
        Some("dark") => Theme::Dark,
        Some("light") => Theme::Light,
        _ => system_theme(),
    }
}

/// The colours that the system asks for.
pub fn system_theme() -> Theme {
    let is_dark = media("(prefers-color-scheme: dark)").is_some_and(|query| query.matches());
    if is_dark { Theme::Dark } else { Theme::Light }
}

/// Makes a language the document's, and remembers it if a person chose it.
pub fn show_lang(lang: Lang, chosen: bool) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("lang", lang.tag());
    }
    if chosen {
        store("logstep.lang", lang.tag());
    }
}

/// Sets the colours, and remembers them if a person chose them.
pub fn show_theme(theme: Theme, chosen: bool) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", theme_name(theme));
    }
    if chosen {
        store("logstep.theme", theme_name(theme));
    }
}

/// Sets the title of the document.
pub fn show_title(title: &str) {
    document().set_title(title);
}

/// The time in milliseconds, to tell how long something takes. It may be set back meanwhile.
pub fn now() -> f64 {
    js_sys::Date::now()
}

/// A media query.
pub fn media(query: &str) -> Option<MediaQueryList> {
    window().match_media(query).ok().flatten()
}

/// True if it is pointed at with a finger.
pub fn is_touched() -> bool {
    media("(pointer: coarse)").is_some_and(|query| query.matches())
}

/// Moves the focus to the element with this id.
pub fn focus(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        focus_element(&element);
    }
}

/// The id of the element that gets the focus when what has it goes away: its `data-home`, or that of what it is in.
pub fn home_of_focus() -> Option<String> {
    home_of(&document().active_element()?)
}

/// The same for the element with this id.
pub fn home_of_id(id: &str) -> Option<String> {
    home_of(&document().get_element_by_id(id)?)
}

fn home_of(element: &Element) -> Option<String> {
    element.closest("[data-home]").ok()??.get_attribute("data-home")
}

/// Moves the focus to the element with this id if nothing has it.
pub fn focus_if_lost(id: &str) {
    let focused = document().active_element();
    if focused.is_none_or(|element| element.tag_name() == "BODY") {
        focus(id);
    }
}

/// Scrolls until the element with this id is in sight: its start or its end.
pub fn show(id: &str, start: bool) {
    if let Some(element) = document().get_element_by_id(id) {
        element.scroll_into_view_with_bool(start);
    }
}

/// Scrolls as little as brings the element with this id into sight.
pub fn show_whole(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Moves the focus to an element; elements of a drawing can have it too.
pub fn focus_element(element: &Element) {
    if let Some(html) = element.dyn_ref::<HtmlElement>() {
        let _ = html.focus();
    } else if let Some(svg) = element.dyn_ref::<web_sys::SvgElement>() {
        let _ = svg.focus();
    }
}

/// A box of the screen, in whole CSS pixels.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its left side.
    pub left: i32,
    /// Its top.
    pub top: i32,
    /// Its width.
    pub width: i32,
    /// Its height.
    pub height: i32,
}

/// Where the element with this id is on the screen.
pub fn place_of(id: &str) -> Option<Place> {
    let rect = document().get_element_by_id(id)?.get_bounding_client_rect();
    Some(Place {
        left: rect.left() as i32,
        top: rect.top() as i32,
        width: rect.width() as i32,
        height: rect.height() as i32,
    })
}

/// Width and height of the window.
pub fn window_size() -> (i32, i32) {
    let whole = |size: Result<wasm_bindgen::JsValue, _>| size.ok().and_then(|size| size.as_f64()).unwrap_or(0.0) as i32;
    (whole(window().inner_width()), whole(window().inner_height()))
}
