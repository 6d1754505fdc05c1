//! What is published about the scenario format, made from the tables in [`crate::scenario::fields`]: the JSON Schema for
//! editors and the page for authors. Not part of WebAssembly builds.

mod examples;
mod json;
mod page;
mod schema;
mod words;

pub use examples::{EXAMPLES, Example};
pub use page::page;
pub use schema::schema;

use crate::scenario::fields::Text;
use crate::text::Lang;

/// Picks the language of a text of the tables.
trait InLang {
    /// The text in this language.
    fn pick(self, lang: Lang) -> &'static str;
}

impl InLang for Text {
    fn pick(self, lang: Lang) -> &'static str {
        lang.pick(self.ja, self.en)
    }
}
