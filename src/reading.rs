//! Reading a file that a person opens, and an action that is to be done. The page does not read: a module of its own,
//! `logstep-reader`, is loaded for it and answers in bytes, so that neither the rules of the format nor the words for its
//! mistakes are in the first load.

use crate::scenario::by_hand::{World, read_action};
use crate::scenario::{Localized, Mistake, Scenario, compiled, read};
use crate::sim::Action;
use crate::text::{Lang, mistake::mistake};
use borsh::{BorshDeserialize, BorshSerialize};
use std::rc::Rc;

/// What the reader answers.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Reading {
    /// What the file says, and what in it is probably not meant.
    Scenario(Rc<Scenario>, Vec<MistakeInWords>),
    /// Everything that is wrong with it.
    Mistakes(Vec<MistakeInWords>),
    /// It is not text in UTF-8.
    NoText,
}

/// A mistake of a file, as it is told.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct MistakeInWords {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub text: Localized,
}

impl Reading {
    /// Reads a file.
    pub fn of(file: &[u8]) -> Self {
        let Ok(source) = std::str::from_utf8(file) else { return Reading::NoText };
        match read(source) {
            Ok(scenario) => {
                let warnings = in_words(&scenario.warnings);
                Reading::Scenario(Rc::new(scenario), warnings)
            }
            Err(mistakes) => Reading::Mistakes(in_words(&mistakes)),
        }
    }

    /// The answer in bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        compiled::encode(self)
    }

    /// The answer of these bytes; nothing if they are not one from first to last.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        compiled::decode(bytes)
    }
}

/// What is to be done, or everything that is wrong with how that is said.
pub type ActionReading = Result<Vec<Action>, Vec<MistakeInWords>>;

/// Reads an action in a world, and answers with an [`ActionReading`] in bytes; with none if the world is of another version.
pub fn action_in_bytes(source: &[u8], world: &[u8]) -> Vec<u8> {
    let source = String::from_utf8_lossy(source);
    let answer = |world: World| {
        let reading: ActionReading = read_action(&source, &world).map_err(|mistakes| in_words(&mistakes));
        compiled::encode(&reading)
    };
    compiled::decode(world).map_or_else(Vec::new, answer)
}

fn in_words(mistakes: &[Mistake]) -> Vec<MistakeInWords> {
    let in_words = |found: &Mistake| MistakeInWords {
        line: found.line,
        column: found.column,
        text: Localized::Both { ja: mistake(Lang::Ja, found).into(), en: mistake(Lang::En, found).into() },
    };
    mistakes.iter().map(in_words).collect()
}
