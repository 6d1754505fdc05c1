//! The one table of keys: listener, help and hints come from here.

use super::state::Action;
use crate::scene::marks::{Wanted, Way};
use crate::text::{Lang, labels};

/// A command that a key gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// `KeyboardEvent.key` values that give it, with `Ctrl+` (or Command) and `Shift+` before where those are held.
    pub keys: &'static [&'static str],
    /// How the keys are shown.
    pub shown: &'static str,
    /// What it does.
    pub command: Command,
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Plays or pauses.
    Toggle,
    /// One step on.
    Forward,
    /// One step back.
    Back,
    /// To the start.
    First,
    /// To the end.
    Last,
    /// To the next scene of the story.
    NextScene,
    /// To the scene before.
    PreviousScene,
    /// To the next moment that has a mark on the timeline, but for commits.
    NextMark,
    /// To the one before.
    PreviousMark,
    /// Takes back the last thing done by hand.
    Undo,
    /// Does it again.
    Redo,
    /// Shows the stage alone, to an audience, or no longer.
    Present,
    /// Shows an audience nothing, or the stage again.
    Blank,
    /// Closes what is open.
    Escape,
}

/// All bindings. No letters, digits or signs, so that speech input and screen readers stay out of each other's way
/// (WCAG 2.1.4), but for [`Command::Blank`], which does something only for an audience. Page Up and Page Down are what a presenter
/// remote sends; for a blank screen, a point or a B.
pub const BINDINGS: &[Binding] = &[
    Binding { keys: &["ArrowRight", "PageDown"], shown: "→ / PageDown", command: Command::Forward },
    Binding { keys: &["ArrowLeft", "PageUp"], shown: "← / PageUp", command: Command::Back },
    Binding { keys: &[" "], shown: "Space", command: Command::Toggle },
    Binding { keys: &["Home"], shown: "Home", command: Command::First },
    Binding { keys: &["End"], shown: "End", command: Command::Last },
    Binding { keys: &["Shift+ArrowRight"], shown: "Shift + →", command: Command::NextScene },
    Binding { keys: &["Shift+ArrowLeft"], shown: "Shift + ←", command: Command::PreviousScene },
    Binding { keys: &["Shift+PageDown"], shown: "Shift + PageDown", command: Command::NextMark },
    Binding { keys: &["Shift+PageUp"], shown: "Shift + PageUp", command: Command::PreviousMark },
    Binding { keys: &["Ctrl+z"], shown: "Ctrl / ⌘ + Z", command: Command::Undo },
    Binding { keys: &["Ctrl+y", "Ctrl+Shift+z", "Ctrl+Shift+Z"], shown: "Ctrl / ⌘ + Y", command: Command::Redo },
    Binding { keys: &["F9"], shown: "F9", command: Command::Present },
    Binding { keys: &[".", "b", "B"], shown: "F9, . / B", command: Command::Blank },
    Binding { keys: &["Escape"], shown: "Esc", command: Command::Escape },
];

impl Command {
    /// The command of a key.
    pub fn of_key(key: &str) -> Option<Command> {
        BINDINGS.iter().find(|binding| binding.keys.contains(&key)).map(|binding| binding.command)
    }

    /// What it asks of the state.
    pub const fn action(self) -> Action {
        match self {
            Command::Toggle => Action::Toggle,
            Command::Forward => Action::Forward,
            Command::Back => Action::Back,
            Command::First => Action::First,
            Command::Last => Action::Last,
            Command::NextScene => Action::NextScene,
            Command::PreviousScene => Action::PreviousScene,
            Command::NextMark => Action::JumpToMark(Wanted::Any, Way::Ahead),
            Command::PreviousMark => Action::JumpToMark(Wanted::Any, Way::Back),
            Command::Undo => Action::Undo,
            Command::Redo => Action::Redo,
            Command::Present => Action::Present,
            Command::Blank => Action::Blank,
            Command::Escape => Action::Escape,
        }
    }

    /// What the help says of it.
    pub const fn label(self, lang: Lang) -> &'static str {
        match self {
            Command::Toggle => labels::toggle(lang),
            Command::Forward => labels::forward(lang),
            Command::Back => labels::back(lang),
            Command::First => labels::first(lang),
            Command::Last => labels::last(lang),
            Command::NextScene => labels::next_scene(lang),
            Command::PreviousScene => labels::previous_scene(lang),
            Command::NextMark => labels::next_mark(lang),
            Command::PreviousMark => labels::previous_mark(lang),
            Command::Undo => labels::undo(lang),
            Command::Redo => labels::redo(lang),
            Command::Present => labels::present(lang),
            Command::Blank => labels::blank(lang),
            Command::Escape => labels::close(lang),
        }
    }

    /// What it asks of the state when the key is held and repeats: playing as long as it is held, instead of as fast as the
    /// keyboard repeats.
    pub const fn action_held(self) -> Action {
        match self {
            Command::Forward => Action::Hold,
            other => other.action(),
        }
    }

    /// The keys of a command, as they are shown.
    pub fn shown(self) -> &'static str {
        BINDINGS.iter().find(|binding| binding.command == self).map_or("", |binding| binding.shown)
    }
}
