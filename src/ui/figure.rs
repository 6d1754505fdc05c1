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

/// What a figure shows if nothing else is asked for.
pub const fn usual(is_compact: bool) -> &'static str {
    if is_compact { "transport" } else { "verdicts,transport,timeline,legend" }
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
        let usual = usual(browser::parameter("compact").is_some());
        let shown: Vec<&str> = asked.as_deref().unwrap_or(usual).split(',').map(str::trim).collect();
        let mut classes = Classes::from("is-figure");
        classes.extend(PARTS.iter().filter(|(name, _)| !shown.contains(name)).map(|&(_, class)| class));
        Some(Figure { classes, has_side: shown.contains(&"story") || shown.contains(&"why") })
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
    Some(match &*browser::parameter("speed")? {
        "0.1" => 100,
        "0.25" => 250,
        "0.5" => 500,
        "1" => 1000,
        "2" => 2000,
        "4" => 4000,
        "8" => 8000,
        "max" => FASTEST,
        _ => return None,
    })
}
