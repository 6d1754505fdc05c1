//! All words, in Japanese and English. Each text is one function whose body names both, so that the compiler asks for
//! both; no sentence is glued from pieces.

pub mod mistake;

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lang {
    /// Japanese.
    Ja,
    /// English.
    En,
}

impl Lang {
    /// The tag for the `lang` attribute.
    pub const fn tag(self) -> &'static str {
        match self {
            Lang::Ja => "ja",
            Lang::En => "en",
        }
    }

    /// Picks the text of this language.
    pub fn pick<T>(self, ja: T, en: T) -> T {
        match self {
            Lang::Ja => ja,
            Lang::En => en,
        }
    }
}
