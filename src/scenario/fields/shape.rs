//! What a field may hold, as data: the vocabulary of the tables.

use super::Table;
use crate::scenario::mistake::Kind;
use crate::sim::Span;

/// A text in both languages. It is Markdown; code stands between backquotes.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// English.
    pub en: &'static str,
    /// Japanese.
    pub ja: &'static str,
}

/// A part of the format, with its tables.
#[derive(Debug)]
pub struct Section {
    /// Its heading.
    pub title: Text,
    /// What it is about.
    pub about: Text,
    /// Its tables.
    pub tables: &'static [&'static Table],
}

/// What there is to say of a kind of object.
#[derive(Debug)]
pub struct Description {
    /// What it is.
    pub about: Text,
    /// What may stand in place of the object; at most one.
    pub or: &'static [Shape],
    /// All fields, in the order of the table.
    pub fields: &'static [Field],
    /// What holds between its fields.
    pub rules: &'static [Rule],
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// The setting of Kafka that it is; nothing if it is only ours.
    pub kafka: Option<&'static str>,
    /// What it may hold.
    pub shape: Shape,
    /// What holds without it.
    pub default: Default,
    /// What it means.
    pub about: Text,
}

/// What holds if a field is not there.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// It has to be there.
    Required,
    /// Then there is nothing of the kind.
    Nothing,
    /// This value, as JSON.
    Json(&'static str),
    /// It depends on the version of Kafka: each value as JSON, with the first release line that has it; the oldest
    /// first. Of a client's setting it is the client's version, of a broker's the cluster's.
    ByVersion(&'static [(&'static str, &'static str)]),
    /// In words.
    Words(Text),
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Exactly this string.
    Exactly(&'static str),
    /// One of these words.
    Words(&'static [Word]),
    /// Any string.
    Str,
    /// A name, as Kafka allows it for a topic.
    Name,
    /// The name of one of the file's own things.
    Ref(Kind),
    /// The name of a member or of a producer.
    RefClient,
    /// A release line of Kafka or of a client.
    Release,
    /// `true` or `false`.
    Bool,
    /// A whole number within these bounds, both included.
    Whole(u64, u64),
    /// A whole number that may be negative, so far away from 0 at most.
    Signed(u64),
    /// A whole number of milliseconds within these bounds, both included.
    Millis(u64, u64),
    /// A length of time within these bounds, both included.
    Duration(Span, Span),
    /// These letters and a length of time in ISO 8601, as Java's `Duration` writes it.
    IsoAfter(&'static str),
    /// A moment of the run, as the time since its start; at most `ends_at`.
    Moment,
    /// `null`.
    Null,
    /// An object.
    Object(&'static Table),
    /// An object that depends on the family of the `client` beside it; the first family is that of no `client`.
    ByFamily(&'static [(&'static str, &'static Table)]),
    /// An object of one of these kinds; which one, the client library decides.
    AnyOf(&'static [&'static Table]),
    /// A list with at least and at most so many entries.
    List(&'static Shape, u32, u32),
    /// One such value, or a list of at least one and at most so many, as Kafka's settings of type list.
    OneOrList(&'static Shape, u32),
    /// An object whose fields are names of the file's own things.
    MapOf(Kind, &'static Shape),
    /// An object whose fields are keys of records.
    MapOfKeys(&'static Shape),
    /// An object whose fields are some of these words.
    MapOfWords(&'static [Word], &'static Shape),
    /// One of these.
    Either(&'static [Shape]),
}

/// A word that a field may hold.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// As it is written.
    pub word: &'static str,
    /// What it means.
    pub about: Text,
}

/// A word and what it means, in English and in Japanese.
pub const fn word(word: &'static str, en: &'static str, ja: &'static str) -> Word {
    Word { word, about: Text { en, ja } }
}

/// What holds between the fields of one object.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Exactly one of all its fields is there.
    OneField,
    /// The fields of exactly one of these sets are there; of the others none.
    OneOf(&'static [&'static [&'static str]]),
    /// The first field only goes with the second.
    Needs(&'static str, &'static str),
    /// These two fields do not go together.
    NotBoth(&'static str, &'static str),
}
