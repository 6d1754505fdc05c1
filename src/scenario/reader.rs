//! Reads values of the syntax tree with their paths and collects every mistake on the way.
//!
//! A reader function takes a place that may be missing and returns nothing where it is missing or wrong; what is
//! wrong has been reported then, and so has what is missing but must be there. So callers read all parts first and
//! give up afterwards.

use super::fields::Table;
use super::mistake::{Kind, Mistake, Problem, Type, Unit};
use super::nearest::nearest;
use super::not_modelled::{has_kafka, named};
use crate::sim::order;
use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged as _;

/// How many mistakes are listed.
const MOST_MISTAKES: usize = 200;

/// A value and the path to it.
#[derive(Clone, Debug)]
pub(super) struct Place<'t> {
    pub value: &'t Value<'t>,
    pub path: String,
}

impl<'t> Place<'t> {
    /// A field of it, if it is an object that has the field; nothing is reported.
    pub fn field(&self, name: &str) -> Option<Place<'t>> {
        let property = self.value.as_object()?.properties.iter().find(|property| property.name.as_str() == name)?;
        Some(Place { value: &property.value, path: join(&self.path, name) })
    }
}

/// The fields of an object whose names have been checked.
#[derive(Clone)]
pub(super) struct Fields<'t> {
    object: &'t Object<'t>,
    path: String,
    /// The object that says what this one does not.
    base: Option<Box<Fields<'t>>>,
}

impl<'t> Fields<'t> {
    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<Place<'t>> {
        match self.object.properties.iter().find(|property| property.name.as_str() == name) {
            Some(property) => Some(Place { value: &property.value, path: join(&self.path, name) }),
            None => self.base.as_ref()?.get(name),
        }
    }

    /// The same, and where a field is not there, that of `base`.
    pub fn over(mut self, base: &Fields<'t>) -> Self {
        self.base = Some(Box::new(base.clone()));
        self
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
    found: Vec<Found>,
    warned: Vec<Found>,
}

/// A mistake whose line and column have not been counted yet: only those that are listed are worth it.
struct Found {
    byte: usize,
    path: String,
    problem: Problem,
}

impl<'t> Reader<'t> {
    pub fn new(source: &'t str) -> Self {
        let line_starts =
            std::iter::once(0).chain(source.match_indices('\n').map(|(newline, _)| newline + 1)).collect();
        Reader { source, line_starts, found: Vec::new(), warned: Vec::new() }
    }

    /// What is no mistake, but probably not meant, in the order of the file.
    pub fn into_warnings(mut self) -> Vec<Mistake> {
        self.found = std::mem::take(&mut self.warned);
        self.into_mistakes()
    }

    /// All mistakes, in the order of the file; of very many only the first ones, and how many more there are.
    pub fn into_mistakes(mut self) -> Vec<Mistake> {
        order::by_number(&mut self.found, |found| found.byte as u64);
        let more = self.found.len().saturating_sub(MOST_MISTAKES) as u32;
        let mut found = std::mem::take(&mut self.found);
        found.truncate(MOST_MISTAKES);
        let mut mistakes: Vec<Mistake> = found.into_iter().map(|found| self.placed(found)).collect();
        if let (1.., Some(&Mistake { line, column, .. })) = (more, mistakes.last()) {
            mistakes.push(Mistake { line, column, path: String::new(), problem: Problem::More { count: more } });
        }
        mistakes
    }

    fn placed(&self, found: Found) -> Mistake {
        let line = self.line_of(found.byte);
        let before = &self.source[self.line_starts[line]..found.byte];
        let column = before.chars().count() as u32 + 1;
        Mistake { line: line as u32 + 1, column, path: found.path, problem: found.problem }
    }

    pub fn has_mistakes(&self) -> bool {
        !self.found.is_empty()
    }

    /// Reports a mistake at a byte of the file.
    pub fn report_at(&mut self, byte: usize, path: String, problem: Problem) {
        self.found.push(Found { byte, path, problem });
    }

    /// The name that was probably meant. In a file full of mistakes it is no longer looked for.
    pub fn nearest<'n>(&self, word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
        if self.found.len() > MOST_MISTAKES { None } else { nearest(word, names) }
    }

    /// Reports a mistake at a value.
    pub fn report(&mut self, place: &Place<'t>, problem: Problem) {
        self.report_at(place.value.start(), place.path.clone(), problem);
    }

    /// Tells of something at a value that is no mistake, but probably not meant. What a group says of its members is read
    /// once for each that says something of its own; it is told once.
    pub fn warn(&mut self, place: &Place<'t>, problem: Problem) {
        if self.warned.iter().any(|found| (found.byte, &found.problem) == (place.value.start(), &problem)) {
            return;
        }
        self.warned.push(Found { byte: place.value.start(), path: place.path.clone(), problem });
    }

    fn line_of(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte) - 1
    }

    /// Reports a value of the wrong type.
    pub fn wrong_type(&mut self, place: &Place<'t>, expected: &[Type]) {
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
                let problem = match named(table.name, name) {
                    Some(kind) => Problem::IsName { setting: name.to_owned(), kind },
                    None if has_kafka(table.name, name) => {
                        Problem::NotModelled { found: name.to_owned(), supported: strings(table.fields) }
                    }
                    None => {
                        let suggestion = self.nearest(name, table.fields.iter().copied());
                        Problem::UnknownField { field: name.to_owned(), allowed: strings(table.fields), suggestion }
                    }
                };
                self.report_at(property.range.start, join(&place.path, name), problem);
            }
        }
        let fields = Fields { object, path: place.path.clone(), base: None };
        for field in table.required {
            self.required(&place, &fields, field);
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

    /// True if exactly one of these fields is there; reports it otherwise.
    pub fn exactly_one(&mut self, place: &Place<'t>, fields: &Fields<'t>, names: &[&str]) -> bool {
        let found = fields.count(names) as u32;
        if found != 1 {
            self.report(place, Problem::OneOfFields { fields: strings(names), found });
        }
        found == 1
    }

    /// Reports a field that has to be there in this place.
    pub fn required(&mut self, place: &Place<'t>, fields: &Fields<'t>, name: &str) {
        if fields.count(&[name]) == 0 {
            self.report(place, Problem::MissingField { field: name.to_owned() });
        }
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

fn type_of(value: &Value<'_>) -> Type {
    match value {
        Value::StringLit(_) => Type::String,
        Value::NumberLit(_) => Type::Number,
        Value::BooleanLit(_) => Type::Boolean,
        Value::Object(_) => Type::Object,
        Value::Array(_) => Type::List,
        Value::NullKeyword(_) => Type::Null,
    }
}
