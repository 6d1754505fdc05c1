//! The lab: a scenario file as a form, in which a person builds a world. Whatever is changed there is changed in the text of the file,
//! so that what the lab can build is what a file can say, its limits are those of the reader, and its mistakes are told in the
//! reader's words. The forms are made from the tables of the format, [`crate::scenario::fields`].
//!
//! The page does not do this itself: it asks the module that reads files, with a [`Request`], and draws the [`Answer`].

mod edit;
mod find;
mod form;
mod fresh;
mod names;
mod summary;
pub mod templates;

pub use edit::{MOST_ENTERED, NotDone};
pub use form::{Absent, Choice, Control, Entry, Field, Form};

use crate::reading::Reading;
use crate::scenario::{compiled, library, parses, read};
use crate::text::{self, Lang};
use borsh::{BorshDeserialize, BorshSerialize};
use serde_json::Value;

/// A step from a value of the file to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Step {
    /// To a field of an object.
    Field(String),
    /// To an entry of a list, from 0.
    At(u32),
}

/// The way from the whole file to a value.
pub type Way = Vec<Step>;

/// A change of a file.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Edit {
    /// Takes over what was typed for a value, as the shape of the value asks for. Where it is the name of a thing, what refers to
    /// the thing follows.
    Enter(Way, String),
    /// Puts a value in place of another, as JSON.
    Put(Way, String),
    /// Gives an object another field, and takes away those that do not go with it.
    Choose(Way, String),
    /// Takes away a field or an entry.
    Remove(Way),
    /// Appends an entry to a list; the list is made if there is none.
    Add(Way),
    /// Appends another entry like this one to its list, with a name of its own.
    Copy(Way),
    /// The whole text.
    Text(String),
}

/// What a file is taken from.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Source {
    /// A built-in story.
    BuiltIn(String),
    /// Something to begin with, by its name.
    Template(String),
    /// This.
    Text(String),
}

/// What the page asks.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Request {
    /// The file.
    pub source: Source,
    /// What is to be changed; nothing if it is only looked at.
    pub edit: Option<Edit>,
    /// The object whose form is wanted. Of what has none, that of the nearest object around it.
    pub place: Way,
    /// Whether the form is wanted in Japanese.
    pub is_japanese: bool,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Answer {
    /// The file as it is now.
    pub text: String,
    /// What it says.
    pub reading: Reading,
    /// Where each of its mistakes is, in the order of the mistakes.
    pub mistakes_at: Vec<Way>,
    /// The form; nothing if the text is no JSON object.
    pub form: Option<Form>,
    /// The way to the object that the form is of, each step with what is reached by it.
    pub trail: Vec<(String, Way)>,
    /// Why nothing was changed.
    pub not_done: Option<String>,
}

impl Request {
    /// Answers it; nothing if there is no such story or template.
    pub fn answer(self) -> Option<Answer> {
        let Request { source, edit, place, is_japanese } = self;
        let lang = if is_japanese { Lang::Ja } else { Lang::En };
        let before = match source {
            Source::Text(text) => text,
            Source::BuiltIn(name) => library::find(&name)?.source.to_owned(),
            Source::Template(name) => templates::find(&name)?.source.to_owned(),
        };
        let mut place = place;
        let edited = edit.map(|edit| edit::apply(&before, &edit));
        let (text, not_done) = match edited {
            None => (before, None),
            Some(Ok(edited)) => {
                if let Some(made) = edited.made {
                    place = made;
                }
                (edited.text, None)
            }
            Some(Err(why)) => (before, Some(text::lab::not_done(lang, why))),
        };
        let mistakes = read(&text).err().unwrap_or_default();
        let file = file_of(&text);
        let place = file.as_ref().map(|file| find::nearest_object(file, &place)).unwrap_or_default();
        let mistakes_at = match &file {
            Some(file) => mistakes.iter().map(|mistake| find::way_of(file, &mistake.path)).collect(),
            None => mistakes.iter().map(|_| Way::new()).collect(),
        };
        Some(Answer {
            reading: Reading::of(text.as_bytes()),
            mistakes_at,
            form: file.as_ref().and_then(|file| form::form(lang, file, &place, &mistakes)),
            trail: file.as_ref().map(|file| form::trail(lang, file, &place)).unwrap_or_default(),
            not_done,
            text,
        })
    }
}

/// Answers a request in bytes; with none if it is of another version, or asks for what is not there.
pub fn answer_in_bytes(request: &[u8]) -> Vec<u8> {
    let answer = compiled::decode::<Request>(request).and_then(Request::answer);
    answer.map_or_else(Vec::new, |answer| compiled::encode(&answer))
}

/// The file, if it is an object and no larger and no deeper than a file may be.
fn file_of(text: &str) -> Option<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file: Value = if parses(text) { serde_json::from_str(text).ok()? } else { return None };
    file.is_object().then_some(file)
}
