//! The exporter: the module that the page loads when a person takes a run along. `static/export.js` calls it.

use logstep::export::{Job, Wanted};
use logstep::link::Link;
use logstep::scenario::{library, read};
use logstep::text::{Lang, labels};
use wasm_bindgen::prelude::*;

/// The file of a built-in scenario.
#[wasm_bindgen]
pub fn built_in(name: &str) -> Option<String> {
    library::find(name).map(|found| found.source.to_owned())
}

/// The words of what `static/export.js` shows, in lines.
#[wasm_bindgen]
pub fn words(tag: &str) -> String {
    let lang = lang(Some(tag));
    let words = [labels::close, labels::by_hand_instead, labels::save, labels::picture, labels::no_png];
    words.map(|word| word(lang)).join("\n")
}

fn lang(tag: Option<&str>) -> Lang {
    Lang::ALL.into_iter().find(|lang| Some(lang.tag()) == tag).unwrap_or(Lang::En)
}

/// A text in the making.
#[wasm_bindgen]
pub struct Exporter(Job);

#[wasm_bindgen]
impl Exporter {
    /// `transcript`, `outcome` or `ledger` of the run of a scenario file, with what a fragment says was done by hand.
    #[wasm_bindgen(constructor)]
    pub fn new(wanted: &str, source: &str, fragment: &str) -> Result<Exporter, JsError> {
        let scenario = read(source).map_err(|_| JsError::new("the scenario has mistakes"))?;
        let link =
            Link::from_fragment(fragment).ok().flatten().ok_or_else(|| JsError::new("the address is damaged"))?;
        let wanted = match wanted {
            "transcript" => Wanted::Transcript(lang(link.lang.as_deref())),
            "outcome" => Wanted::Outcome,
            _ => Wanted::Ledger,
        };
        Ok(Exporter(Job::new(wanted, &scenario, link.beginning, link.done)))
    }

    /// Works for a while; the text, once it is there.
    pub fn go_on(&mut self) -> Result<Option<String>, JsError> {
        self.0.go_on().ok_or_else(|| JsError::new("the run goes differently"))?;
        Ok(self.0.take_text())
    }

    /// How much is done.
    pub fn percent(&self) -> u32 {
        self.0.percent()
    }
}

fn main() {}
