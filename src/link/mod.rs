//! A place of the page as the fragment of an address: what is open, what was done by hand, which moment is shown.
//!
//! The fragment is a list like that of a query, `v=1&scenario=crash-before-commit&step=70&t=12998000&do=AQ…`, so that a
//! person can read and write the simple ones. It never leaves the browser.
//!
//! | name | what it says |
//! | --- | --- |
//! | `v` | the version of this list; [`VERSION`]; without it, this one |
//! | `scenario` | the name of a built-in story |
//! | `file` | or a whole scenario file: its text in UTF-8, as a zlib stream, in base64url |
//! | `seed` | the seed of the run, if not that of the scenario |
//! | `without` | `crashes` if the crashes of consumers are left out that the scenario plans |
//! | `do` | what was done by hand, in order: [`deeds`] in base64url |
//! | `step` | visible steps shown |
//! | `t` | simulated time in microseconds at that moment; where it is not the same any more, time counts, not the step |
//! | `check` | the first [`CHECK`] digits of the run's digest up to that moment, if it is not too long |
//! | `events` | `all` if every event is a step |
//! | `lang` | `ja` or `en` |
//!
//! Names that are not in this table are passed over: a later version may say more.

mod beginning;
pub mod deeds;
mod known;

use crate::sim::Time;
pub use beginning::Beginning;
pub use deeds::Deed;
pub use known::names_what_exists;

/// The version of the list.
pub const VERSION: u32 = 1;

/// The longest fragment that is read, in bytes.
pub const MOST_BYTES: usize = 100_000;

/// The longest address that is made, in characters. Some hosts, chats and mail programs cut longer ones.
pub const MOST_SHARED: usize = 8_000;

/// How many hexadecimal digits of the digest are kept.
pub const CHECK: usize = 8;

/// What stands for a run without the crashes of consumers that the scenario plans.
const WITHOUT_CRASHES: &str = "crashes";

/// What is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// A built-in story, by its name.
    Builtin(String),
    /// A scenario file, packed.
    File(String),
}

/// A place of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// What is open; the first story where nothing is said.
    pub opened: Option<Opened>,
    /// How its run begins.
    pub beginning: Beginning,
    /// What was done by hand.
    pub done: Vec<Deed>,
    /// Visible steps shown; where nothing is said, the page opens as the scenario says.
    pub step: Option<u32>,
    /// Simulated time at that moment.
    pub at: Option<Time>,
    /// The beginning of the digest at that moment.
    pub check: Option<String>,
    /// True if every event is a step.
    pub every_event: bool,
    /// The tag of the language.
    pub lang: Option<String>,
}

/// Why a fragment is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkProblem {
    /// It is longer than [`MOST_BYTES`].
    TooLong,
    /// It is of a later version.
    Newer,
    /// There is no built-in story of this name.
    NoSuchStory,
    /// A part of it is damaged; this is its name.
    Damaged(&'static str),
}

impl Link {
    /// The place of a fragment, with or without its `#`. Nothing if it says nothing.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    #[inline(never)]
    pub fn from_fragment(fragment: &str) -> Result<Option<Self>, LinkProblem> {
        let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
        if fragment.len() > MOST_BYTES {
            return Err(LinkProblem::TooLong);
        }
        let value = |name: &str| {
            let pairs = fragment.split('&').filter_map(|pair| pair.split_once('='));
            pairs.into_iter().find(|&(key, _)| key == name).map(|(_, value)| value)
        };
        match number(value("v"), "v")?.unwrap_or(VERSION) {
            0 => return Err(LinkProblem::Damaged("v")),
            VERSION => {}
            _ => return Err(LinkProblem::Newer),
        }
        let opened = match (value("scenario"), value("file")) {
            (Some(name), _) => Some(Opened::Builtin(name.to_owned())),
            (None, Some(packed)) => Some(Opened::File(packed.to_owned())),
            (None, None) => None,
        };
        let step = number(value("step"), "step")?;
        if opened.is_none() && step.is_none() {
            return Ok(None);
        }
        Ok(Some(Link {
            opened,
            beginning: Beginning {
                seed: number(value("seed"), "seed")?,
                without_crashes: value("without") == Some(WITHOUT_CRASHES),
            },
            done: value("do")
                .map_or(Ok(Vec::new()), |text| deeds::from_text(text).ok_or(LinkProblem::Damaged("do")))?,
            step,
            at: number(value("t"), "t")?.map(Time::from_micros),
            check: value("check").map(|check| check.chars().take(CHECK).collect()),
            every_event: value("events") == Some("all"),
            lang: value("lang").map(str::to_owned),
        }))
    }

    /// The place where a query beside the fragment has the last word: on the story, on the moment. What was done by hand belongs to
    /// the story of the fragment, and its time and digest to the moment there.
    #[must_use]
    #[inline(never)]
    pub fn led_by(self, story: Option<String>, step: Option<u32>) -> Self {
        let asked = story.map(Opened::Builtin);
        let link =
            if asked.is_some() && asked != self.opened { Link { opened: asked, ..Link::default() } } else { self };
        match step {
            Some(_) => Link { step, at: None, check: None, ..link },
            None => link,
        }
    }

    /// The place as a fragment, without its `#`.
    pub fn to_fragment(&self) -> String {
        let mut parts = vec![format!("v={VERSION}")];
        match &self.opened {
            Some(Opened::Builtin(name)) => parts.push(format!("scenario={name}")),
            Some(Opened::File(packed)) => parts.push(format!("file={packed}")),
            None => {}
        }
        parts.extend(self.beginning.seed.map(|seed| format!("seed={seed}")));
        parts.extend(self.beginning.without_crashes.then(|| format!("without={WITHOUT_CRASHES}")));
        if !self.done.is_empty() {
            parts.push(format!("do={}", deeds::to_text(&self.done)));
        }
        parts.extend(self.step.map(|step| format!("step={step}")));
        parts.extend(self.at.map(|at| format!("t={}", at.as_micros())));
        parts.extend(self.check.as_ref().map(|check| format!("check={check}")));
        parts.extend(self.every_event.then(|| "events=all".to_owned()));
        parts.extend(self.lang.as_ref().map(|tag| format!("lang={tag}")));
        parts.join("&")
    }
}

fn number<T: std::str::FromStr>(text: Option<&str>, name: &'static str) -> Result<Option<T>, LinkProblem> {
    text.map(|text| text.parse().map_err(|_| LinkProblem::Damaged(name))).transpose()
}
