//! The fields that each kind of object has: the one description of the scenario format. The reader refuses every field
//! that is not in these tables; the JSON Schema and the authors' page are made from them (see `publish`).
//!
//! A new field is one entry here, in the file of its subject, and a line in the reader. So is the form in which a person changes
//! a file (see `lab`).

mod shape;

pub use shape::*;

/// The fields of one kind of object.
#[derive(Debug)]
pub struct Table {
    /// The kind; also its name among the schema's definitions.
    pub name: &'static str,
    /// All fields, the required ones first.
    pub fields: &'static [&'static str],
    /// Those that must be there.
    pub required: &'static [&'static str],
    /// What they mean and what they may hold.
    pub description: Description,
}

/// What the tables are written with. The bounds are the reader's own.
mod prelude {
    pub(super) use super::Shape::*;
    pub(super) use super::*;
    pub(super) use crate::scenario::cluster::{MOST_INT, MOST_LATENCY};
    pub(super) use crate::scenario::consumer_settings::{MOST_LIBRDKAFKA_DAY, MOST_LIBRDKAFKA_HOUR};
    pub(super) use crate::scenario::expect::MOST_CHECKS;
    pub(super) use crate::scenario::handling::{BY_DURATION, LONGEST_HANDLING, MOST_TIMES, MOST_TRIES, MOST_WORKERS};
    pub(super) use crate::scenario::mistake::Kind;
    pub(super) use crate::scenario::modern::MOST_ASSIGNMENT_INTERVAL;
    pub(super) use crate::scenario::producer_settings::{
        MOST_LIBRDKAFKA_LINGER, MOST_LIBRDKAFKA_MESSAGE, MOST_LIBRDKAFKA_REFRESH,
    };
    pub(super) use crate::scenario::producers::{MOST_PER_SECOND, MOST_WEIGHT};
    pub(super) use crate::scenario::refused::DESCRIBED as REFUSALS;
    pub(super) use crate::scenario::story::{MOST_BEATS, MOST_TEMPTING};
    pub(super) use crate::scenario::workload::{LONGEST_PAUSE, MOST_NULL_WEIGHT};
    pub(super) use crate::scenario::{FORMAT, MOST_SEED};
    pub(super) use crate::sim::Span;
    pub(super) use crate::sim::setup::bounds;
}

/// A part of the page for authors, and its tables:
///
/// ```text
/// CONSTANT "Title" "題", "Introduction." "説明。";
/// table CONSTANT "name", "What it is." "説明。", or Words(&[...]),
///     required { "field": Shape, "Meaning." "意味。"; }
///     optional {
///         "field" = "kafka.name": Shape, default Default, "Meaning." "意味。";
///         kafka "kafka.name": Shape, default Default, "Meaning." "意味。";
///     }
///     rules { Rule }
/// ```
///
/// `or` is what may stand in place of the object. `kafka` marks a setting of Kafka; `= "kafka.name"` a field of ours
/// that sets one of Kafka's. English always comes first.
macro_rules! tables {
    (
        $section:ident $title_en:literal $title_ja:literal, $intro_en:literal $intro_ja:literal;
        $(
            table $constant:ident $name:literal, $about_en:literal $about_ja:literal, $(or $or:expr,)?
            required { $(
                $($kafka:ident)? $required:literal $(= $kafka_name:literal)? :
                    $shape:expr, $en:literal $ja:literal;
            )* }
            optional { $(
                $($optional_kafka:ident)? $optional:literal $(= $optional_kafka_name:literal)? :
                    $optional_shape:expr, $(default $default:expr,)? $optional_en:literal $optional_ja:literal;
            )* }
            $(rules { $($rule:expr),* })?
        )*
    ) => {
        $(
            #[doc = concat!("The fields of `", $name, "`.")]
            pub static $constant: Table = Table {
                name: $name,
                fields: &[$($required,)* $($optional),*],
                required: &[$($required),*],
                description: Description {
                    about: Text { en: $about_en, ja: $about_ja },
                    or: &[$($or)?],
                    fields: &[
                        $(Field {
                            name: $required,
                            kafka: tables!(@kafka $($kafka)? $required $(= $kafka_name)?),
                            shape: $shape,
                            default: Default::Required,
                            about: Text { en: $en, ja: $ja },
                        },)*
                        $(Field {
                            name: $optional,
                            kafka: tables!(@kafka $($optional_kafka)? $optional $(= $optional_kafka_name)?),
                            shape: $optional_shape,
                            default: tables!(@default $($default)?),
                            about: Text { en: $optional_en, ja: $optional_ja },
                        },)*
                    ],
                    rules: &[$($($rule),*)?],
                },
            };
        )*

        #[doc = concat!("The part \"", $title_en, "\".")]
        pub static $section: Section = Section {
            title: Text { en: $title_en, ja: $title_ja },
            about: Text { en: $intro_en, ja: $intro_ja },
            tables: &[$(&$constant),*],
        };
    };
    (@kafka kafka $field:literal) => { Some($field) };
    (@kafka $field:literal = $name:literal) => { Some($name) };
    (@kafka $field:literal) => { None };
    (@default $default:expr) => { $default };
    (@default) => { Default::Nothing };
}

mod acting;
mod consumer_settings;
mod consuming;
mod expecting;
mod happening;
mod producer_settings;
mod producing;
mod story;
mod world;

pub use acting::*;
pub use consumer_settings::*;
pub use consuming::*;
pub use expecting::*;
pub use happening::*;
pub use producer_settings::*;
pub use producing::*;
pub use story::*;
pub use world::*;

/// The parts of the format, in the order in which an author meets them.
pub static SECTIONS: [&Section; 9] =
    [&WORLD, &PRODUCING, &PRODUCER_CLIENTS, &CONSUMING, &CONSUMER_CLIENTS, &HAPPENING, &ACTING, &STORY, &EXPECTING];

/// All tables.
pub fn tables() -> impl Iterator<Item = &'static Table> {
    SECTIONS.iter().flat_map(|section| section.tables.iter().copied())
}
