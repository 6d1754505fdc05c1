//! Reads single values: words, numbers, lengths of time, names and references.

use super::duration;
use super::mistake::{Kind, Problem, Type, Unit};
use super::reader::{Place, Reader};
use crate::sim::Span;
use jsonc_parser::ast::Value;
use std::ops::RangeInclusive;

/// The longest name: that of a topic in Kafka.
pub const LONGEST_NAME: u32 = 249;

impl<'t> Reader<'t> {
    /// A string.
    pub fn string(&mut self, place: Option<Place<'t>>) -> Option<&'t str> {
        let place = place?;
        match place.value {
            Value::StringLit(string) => Some(&string.value),
            _ => {
                self.wrong_type(&place, &[Type::String]);
                None
            }
        }
    }

    /// A name: what Kafka allows for a topic.
    pub fn name(&mut self, place: Option<Place<'t>>) -> Option<&'t str> {
        let place = place?;
        let name = self.string(Some(place.clone()))?;
        let is_legal = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let fits = (1..=LONGEST_NAME as usize).contains(&name.len());
        if !fits || !name.chars().all(is_legal) || name == "." || name == ".." {
            self.report(&place, Problem::BadName { found: name.to_owned(), longest: LONGEST_NAME });
            return None;
        }
        Some(name)
    }

    /// `true` or `false`.
    pub fn boolean(&mut self, place: Option<Place<'t>>) -> Option<bool> {
        let place = place?;
        match place.value {
            Value::BooleanLit(boolean) => Some(boolean.value),
            _ => {
                self.wrong_type(&place, &[Type::Boolean]);
                None
            }
        }
    }

    /// A whole number.
    pub fn whole(&mut self, place: Option<Place<'t>>, range: RangeInclusive<u64>, unit: Unit) -> Option<u64> {
        let place = place?;
        let Value::NumberLit(number) = place.value else {
            self.wrong_type(&place, &[Type::Number]);
            return None;
        };
        let found = number.value.to_owned();
        if found.contains(['.', 'e', 'E']) {
            self.report(&place, Problem::NotWhole { found });
            return None;
        }
        // What does not fit into 64 bits or is negative is out of every range.
        match found.parse::<u64>() {
            Ok(value) if range.contains(&value) => Some(value),
            _ => {
                let problem = Problem::OutOfRange { found, least: *range.start(), most: *range.end(), unit };
                self.report(&place, problem);
                None
            }
        }
    }

    /// A whole number that fits into 32 bits.
    pub fn count(&mut self, place: Option<Place<'t>>, range: RangeInclusive<u32>) -> Option<u32> {
        let range = u64::from(*range.start())..=u64::from(*range.end());
        self.whole(place, range, Unit::Plain).map(|value| value as u32)
    }

    /// A length of time in a string.
    pub fn duration(&mut self, place: Option<Place<'t>>, range: RangeInclusive<Span>) -> Option<Span> {
        let place = place?;
        let found = self.string(Some(place.clone()))?;
        let Some(span) = duration::parse(found) else {
            self.report(&place, Problem::BadDuration { found: found.to_owned() });
            return None;
        };
        if !range.contains(&span) {
            let (least, most) = (range.start().as_micros(), range.end().as_micros());
            let problem = Problem::OutOfRange { found: found.to_owned(), least, most, unit: Unit::Duration };
            self.report(&place, problem);
            return None;
        }
        Some(span)
    }

    /// One of a few words. Words that real Kafka knows and the simulator does not model are told apart.
    pub fn word<T: Copy>(
        &mut self,
        place: Option<Place<'t>>,
        words: &[(&str, T)],
        not_modelled: impl Fn(&str) -> bool,
    ) -> Option<T> {
        let place = place?;
        let found = self.string(Some(place.clone()))?;
        if let Some(&(_, value)) = words.iter().find(|(word, _)| *word == found) {
            return Some(value);
        }
        let allowed: Vec<String> = words.iter().map(|(word, _)| (*word).to_owned()).collect();
        let problem = if not_modelled(found) {
            Problem::NotModelled { found: found.to_owned(), supported: allowed }
        } else {
            let suggestion = self.nearest(found, words.iter().map(|(word, _)| *word));
            Problem::NotOneOf { found: found.to_owned(), allowed, suggestion }
        };
        self.report(&place, problem);
        None
    }

    /// A field that may be missing.
    pub fn or<T>(
        &mut self,
        place: Option<Place<'t>>,
        default: T,
        read: impl FnOnce(&mut Self, Option<Place<'t>>) -> Option<T>,
    ) -> Option<T> {
        match place {
            None => Some(default),
            place => read(self, place),
        }
    }

    /// The index of a thing by its name.
    pub fn reference<'n>(
        &mut self,
        place: &Place<'t>,
        kind: Kind,
        name: &str,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Option<usize> {
        if let Some(index) = names.clone().position(|other| other == name) {
            return Some(index);
        }
        let suggestion = self.nearest(name, names.clone());
        let exists = shortened(names.filter(|name| !name.is_empty()));
        self.report(place, Problem::NotThere { kind, name: name.to_owned(), exists, suggestion });
        None
    }
}

/// The most names that are written out.
const MOST_NAMES: usize = 24;

/// All names, or of very many the first and the last.
pub(super) fn shortened<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let names: Vec<&str> = names.collect();
    match names[..] {
        [first, .., last] if names.len() > MOST_NAMES => vec![format!("{first} ... {last}")],
        _ => names.into_iter().map(str::to_owned).collect(),
    }
}
