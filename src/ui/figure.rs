//! The page as a figure in somebody else's: which of its regions are shown, and how it begins. See `docs/embedding.md`.

use super::browser;
use super::playback::{FASTEST, Speed};
use yew::Classes;

/// What can be left out, in the words of the parameter `show`, each with the class that hides it.
const PARTS: [(&str, &str); 7] = [
    ("verdicts", "hides-verdicts"),
    ("transport", "hides-transport"),
    ("timeline", "hides-timeline"),
    ("legend", "hides-legend"),
    ("story", "hides-story"),
    ("why", "hides-why"),
    ("text", "hides-text"),
];

/// What of this is shown, in the same order.
pub type Shown = [bool; PARTS.len()];
/// What a figure shows if nothing else is asked for.
pub const USUAL: Shown = [true, true, true, true, false, false, false];
/// What it shows if it is to be compact.
const COMPACT: Shown = [false, true, false, false, false, false, false];

/// The parameter that asks for this, if there has to be one.
pub fn asks_for(shown: &Shown) -> Option<(&'static str, Option<String>)> {
    match *shown {
        USUAL => None,
        COMPACT => Some(("compact", None)),
        _ => {
            let names = PARTS.iter().zip(shown).filter(|(_, is_shown)| **is_shown).map(|((name, _), _)| *name);
            Some(("show", Some(names.collect::<Vec<_>>().join(","))))
        }
    }
}

/// The speeds in the words of the parameter `speed`.
const SPEEDS: [(&str, Speed); 8] = [
    ("0.1", 100),
    ("0.25", 250),
    ("0.5", 500),
    ("1", USUAL_SPEED),
    ("2", 2000),
    ("4", 4000),
    ("8", 8000),
    ("max", FASTEST),
];
/// How fast a figure plays if nothing else is asked for.
pub const USUAL_SPEED: Speed = 1000;

/// What the parameter `speed` says of a speed.
pub fn speed_name(speed: Speed) -> Option<&'static str> {
    SPEEDS.iter().find(|(_, of)| *of == speed).map(|(name, _)| *name)
}

/// A figure.
pub struct Figure {
    /// The classes of the page.
    pub classes: Classes,
    /// True if there is something beside the stage.
    pub has_side: bool,
}

impl Figure {
    /// What the address asks for; nothing if it asks for the page.
    #[inline(never)]
    pub fn of_address() -> Option<Self> {
        browser::parameter("embed")?;
        let asked = browser::parameter("show");
        let shown: Shown = match &asked {
            Some(asked) => PARTS.map(|(name, _)| asked.split(',').any(|part| part.trim() == name)),
            None if browser::parameter("compact").is_some() => COMPACT,
            None => USUAL,
        };
        let mut classes = Classes::from("is-figure");
        classes.extend(PARTS.iter().zip(shown).filter(|(_, is_shown)| !is_shown).map(|(&(_, class), _)| class));
        let [.., has_story, has_why, _] = shown;
        Some(Figure { classes, has_side: has_story || has_why })
    }
}

/// How many steps have happened at the beginning, if the address says it.
#[inline(never)]
pub fn step() -> Option<u32> {
    browser::parameter("step")?.parse().ok()
}

/// How fast it plays at the beginning, if the address says it.
#[inline(never)]
pub fn speed() -> Option<Speed> {
    let asked = browser::parameter("speed")?;
    SPEEDS.iter().find(|(name, _)| *name == asked).map(|(_, speed)| *speed)
}
