//! Reads values of the syntax tree with their paths and collects every mistake on the way.
//!
//! A reader function takes a place that may be missing and returns nothing where it is missing or wrong; what is
//! wrong has been reported then, and so has what is missing but must be there. So callers read all parts first and
//! give up afterwards.

use super::duration;
use super::fields::Table;
use super::mistake::{Kind, Mistake, Problem, Type, Unit};
use super::nearest::nearest;
use crate::sim::Span;
use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged as _;
use std::ops::RangeInclusive;

/// How many mistakes are listed.
const MOST_MISTAKES: usize = 200;

/// The longest name: that of a topic in Kafka.
const LONGEST_NAME: u32 = 249;

/// A value and the path to it.
#[derive(Clone, Debug)]
pub(super) struct Place<'t> {
    pub value: &'t Value<'t>,
    pub path: String,
}

/// The fields of an object whose names have been checked.
pub(super) struct Fields<'t> {
    object: &'t Object<'t>,
    path: String,
}

impl<'t> Fields<'t> {
    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<Place<'t>> {
        let property = self.object.properties.iter().find(|property| property.name.as_str() == name)?;
        Some(Place { value: &property.value, path: join(&self.path, name) })
    }

    /// How many of these fields are there.
    pub fn count(&self, names: &[&str]) -> usize {
        names
            .iter()
            .filter(|name| self.object.properties.iter().any(|property| property.name.as_str() == **name))
            .count()
    }
}

fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

/// Collects mistakes.
pub(super) struct Reader<'t> {
    source: &'t str,
    line_starts: Vec<usize>,
    mistakes: Vec<Mistake>,
}

impl<'t> Reader<'t> {
    pub fn new(source: &'t str) -> Self {
        let line_starts =
            std::iter::once(0).chain(source.match_indices('\n').map(|(newline, _)| newline + 1)).collect();
        Reader { source, line_starts, mistakes: Vec::new() }
    }

    /// All mistakes, in the order of the file.
    pub fn into_mistakes(mut self) -> Vec<Mistake> {
        self.mistakes.sort_by_key(|mistake| (mistake.line, mistake.column));
        if self.mistakes.len() > MOST_MISTAKES {
            let count = (self.mistakes.len() - MOST_MISTAKES) as u32;
            self.mistakes.truncate(MOST_MISTAKES);
            let last = self.mistakes.last().expect("some are left");
            let (line, column) = (last.line, last.column);
            self.mistakes.push(Mistake { line, column, path: String::new(), problem: Problem::More { count } });
        }
        self.mistakes
    }

    pub fn has_mistakes(&self) -> bool {
        !self.mistakes.is_empty()
    }

    /// Reports a mistake at a byte of the file.
    pub fn report_at(&mut self, byte: usize, path: String, problem: Problem) {
        let line = self.line_of(byte);
        let before = &self.source[self.line_starts[line]..byte];
        let column = before.chars().count() as u32 + 1;
        self.mistakes.push(Mistake { line: line as u32 + 1, column, path, problem });
    }

    /// Reports a mistake at a value.
    pub fn report(&mut self, place: &Place<'t>, problem: Problem) {
        self.report_at(place.value.start(), place.path.clone(), problem);
    }

    fn line_of(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte) - 1
    }

    fn wrong_type(&mut self, place: &Place<'t>, expected: &[Type]) {
        let problem = Problem::WrongType { expected: expected.to_vec(), found: type_of(place.value) };
        self.report(place, problem);
    }

    /// An object with the fields of a table.
    pub fn object(&mut self, place: Option<Place<'t>>, table: &Table) -> Option<Fields<'t>> {
        let place = place?;
        let Value::Object(object) = place.value else {
            self.wrong_type(&place, &[Type::Object]);
            return None;
        };
        self.check_duplicate_fields(object, &place.path);
        for property in &object.properties {
            let name = property.name.as_str();
            if !table.fields.contains(&name) {
                let suggestion = nearest(name, table.fields.iter().copied());
                let allowed = strings(table.fields);
                self.report_at(
                    property.range.start,
                    join(&place.path, name),
                    Problem::UnknownField { field: name.to_owned(), allowed, suggestion },
                );
            }
        }
        let fields = Fields { object, path: place.path.clone() };
        for field in table.required {
            if fields.count(&[field]) == 0 {
                self.report(&place, Problem::MissingField { field: (*field).to_owned() });
            }
        }
        Some(fields)
    }

    /// An object whose fields are names of the file's own things.
    pub fn entries(&mut self, place: Option<Place<'t>>) -> Vec<(&'t str, Place<'t>)> {
        let Some(place) = place else {
            return Vec::new();
        };
        let Value::Object(object) = place.value else {
            self.wrong_type(&place, &[Type::Object]);
            return Vec::new();
        };
        self.check_duplicate_fields(object, &place.path);
        let entry = |property: &'t jsonc_parser::ast::ObjectProp<'t>| {
            let name = property.name.as_str();
            (name, Place { value: &property.value, path: join(&place.path, name) })
        };
        object.properties.iter().map(entry).collect()
    }

    fn check_duplicate_fields(&mut self, object: &'t Object<'t>, path: &str) {
        let mut seen = std::collections::BTreeMap::new();
        for property in &object.properties {
            let name = property.name.as_str();
            let first = *seen.entry(name).or_insert(property.range.start);
            if first != property.range.start {
                let first_line = self.line_of(first) as u32 + 1;
                let problem = Problem::DuplicateField { field: name.to_owned(), first_line };
                self.report_at(property.range.start, join(path, name), problem);
            }
        }
    }

    /// A list with between `least` and `most` entries.
    pub fn list(&mut self, place: Option<Place<'t>>, least: u32, most: u32) -> Vec<Place<'t>> {
        let Some(place) = place else {
            return Vec::new();
        };
        let Value::Array(array) = place.value else {
            self.wrong_type(&place, &[Type::List]);
            return Vec::new();
        };
        let count = array.elements.len() as u64;
        let (least, most) = (u64::from(least), u64::from(most));
        if !(least..=most).contains(&count) {
            let problem = Problem::OutOfRange { found: count.to_string(), least, most, unit: Unit::Entries };
            self.report(&place, problem);
        }
        let entry = |(index, value)| Place { value, path: format!("{}[{index}]", place.path) };
        array.elements.iter().take(most as usize).enumerate().map(entry).collect()
    }

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
            let suggestion = nearest(found, words.iter().map(|(word, _)| *word));
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
        let suggestion = nearest(name, names.clone());
        let exists = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
        self.report(place, Problem::NotThere { kind, name: name.to_owned(), exists, suggestion });
        None
    }

    /// True if exactly one of these fields is there; reports it otherwise.
    pub fn exactly_one(&mut self, place: &Place<'t>, fields: &Fields<'t>, names: &[&str]) -> bool {
        let found = fields.count(names) as u32;
        if found != 1 {
            self.report(place, Problem::OneOfFields { fields: strings(names), found });
        }
        found == 1
    }

    /// Reports the second and every further of equal names.
    pub fn check_unique(&mut self, kind: Kind, names: &[(&str, Place<'t>)]) {
        let mut seen = std::collections::BTreeSet::new();
        for (name, place) in names {
            if !seen.insert(*name) {
                self.report(place, Problem::DuplicateName { kind, name: (*name).to_owned() });
            }
        }
    }
}

pub(super) fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub(super) fn type_of(value: &Value<'_>) -> Type {
    match value {
        Value::StringLit(_) => Type::String,
        Value::NumberLit(_) => Type::Number,
        Value::BooleanLit(_) => Type::Boolean,
        Value::Object(_) => Type::Object,
        Value::Array(_) => Type::List,
        Value::NullKeyword(_) => Type::Null,
    }
}
