//! All words, in Japanese and English. Each text is one function whose body names both, so that the compiler asks for
//! both; no sentence is glued from pieces. Text is text, never markup.

/// The text of a language: the Japanese format string first, the English one second. Only the one that is asked for
/// is made.
macro_rules! both {
    ($lang:expr, $ja:literal, $en:literal $(,)?) => {
        match $lang {
            $crate::text::Lang::Ja => format!($ja),
            $crate::text::Lang::En => format!($en),
        }
    };
}

pub mod acting;
pub mod branch;
mod calculation;
pub mod compare;
mod control;
pub mod format;
pub mod glossary;
mod headline;
pub mod help;
pub mod lab;
pub mod labels;
pub mod lag;
mod library;
mod link;
pub mod mistake;
pub mod names;
mod outcome;
mod reason;
pub mod records;
mod rule;
mod sentence;
pub mod sequence;
pub mod settings;
pub mod stage;
mod stake;
pub mod sweep;
mod twin;
mod verdict;

pub use calculation::calculation;
pub use control::{action, action_on, refusal, subject};
pub use glossary::{Finder, Segment, Term};
pub use headline::headline;
pub use link::{link_problem, no_such_story};
pub use outcome::{outcome, stopped_early};
pub use reason::{past, reason, reason_text, role};
pub use rule::rule;
pub use sentence::sentence;
pub use settings::{
    about_value, contradiction, fixed, from_beginning, from_here, meaning, restart_with, setting, shut_out, value,
};
pub use stake::{if_stopped, stake};
pub use twin::{Section, twin};
pub use verdict::{concerned, idle, none_concerned, verdict_explanation, verdict_label, verdict_value};

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lang {
    /// Japanese.
    Ja,
    /// English.
    En,
}

impl Lang {
    /// Both, in the order of the language switch.
    pub const ALL: [Lang; 2] = [Lang::Ja, Lang::En];

    /// The other language.
    #[must_use]
    pub const fn other(self) -> Lang {
        match self {
            Lang::Ja => Lang::En,
            Lang::En => Lang::Ja,
        }
    }

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
