//! Ways into a file: what is at their end, and what may be there.

use super::{Step, Way};
use crate::scenario::fields::{self, SCENARIO, Shape, Table};
use serde_json::Value;

/// A place of a file: what may stand there, and what does.
#[derive(Clone, Copy)]
pub(super) struct Spot<'v> {
    pub shape: Shape,
    /// Nothing where the field is not there.
    pub value: Option<&'v Value>,
    /// Which of the families of client libraries the nearest client around it is of, in the order of the tables.
    family: usize,
    /// What the format says of the field that it is.
    pub field: Option<&'static fields::Field>,
}

impl<'v> Spot<'v> {
    /// The whole file.
    pub fn of_file(file: &'v Value) -> Self {
        Spot { shape: Shape::Object(&SCENARIO), value: Some(file), family: 0, field: None }.narrowed()
    }

    /// A part of it, if the format has such a part.
    pub fn step(&self, step: &Step) -> Option<Spot<'v>> {
        let part = |shape, value, field| Some(Spot { shape, value, family: self.family, field }.narrowed());
        match (self.shape, step) {
            (Shape::Object(table), Step::Field(name)) => {
                let field = table.description.fields.iter().find(|field| field.name == name)?;
                part(field.shape, self.value.and_then(|value| value.get(name)), Some(field))
            }
            (Shape::List(of, ..) | Shape::OneOrList(of, _), Step::At(at)) => {
                part(*of, self.value.and_then(|value| value.get(*at as usize)), None)
            }
            (Shape::MapOf(_, of) | Shape::MapOfKeys(of) | Shape::MapOfWords(_, of), Step::Field(name)) => {
                part(*of, self.value.and_then(|value| value.get(name)), None)
            }
            _ => None,
        }
    }

    /// The place at the end of a way.
    pub fn at(self, way: &[Step]) -> Option<Spot<'v>> {
        way.iter().try_fold(self, |spot, step| spot.step(step))
    }

    /// The same, with the one shape of several that the value is of.
    fn narrowed(mut self) -> Self {
        self.shape = self.narrow(self.shape);
        let named = self.value.and_then(|value| value.get("client")?.get("family")?.as_str());
        if let Some(family) = named.and_then(|family| FAMILIES.iter().position(|known| *known == family)) {
            self.family = family;
        }
        self
    }

    fn narrow(&self, shape: Shape) -> Shape {
        match shape {
            Shape::ByFamily(tables) => {
                let named = tables.iter().find(|(family, _)| *family == FAMILIES[self.family]);
                Shape::Object(named.or(tables.first()).map_or(&SCENARIO, |(_, table)| table))
            }
            Shape::AnyOf(tables) => Shape::Object(tables.get(self.family).or(tables.first()).unwrap_or(&&SCENARIO)),
            Shape::Either(shapes) if shapes.iter().any(|shape| !is_scalar(shape)) => {
                let fits = |shape: &&Shape| self.value.is_none_or(|value| fits(shape, value));
                self.narrow(*shapes.iter().find(fits).or(shapes.first()).unwrap_or(&shape))
            }
            Shape::Object(Table { description, .. }) => match (description.or.first(), self.value) {
                (Some(or), Some(value)) if fits(or, value) => *or,
                _ => shape,
            },
            _ => shape,
        }
    }
}

/// The families of client libraries, in the order of the tables.
const FAMILIES: [&str; 5] = ["java", "librdkafka", "kafkajs", "kafka-python", "aiokafka"];

/// True if it is written as one word or number.
pub(super) fn is_scalar(shape: &Shape) -> bool {
    match shape {
        Shape::Either(shapes) => shapes.iter().all(is_scalar),
        Shape::Exactly(_)
        | Shape::Words(_)
        | Shape::Str
        | Shape::Name
        | Shape::Ref(_)
        | Shape::RefClient
        | Shape::Release
        | Shape::Bool
        | Shape::Whole(..)
        | Shape::Signed(_)
        | Shape::Millis(..)
        | Shape::Duration(..)
        | Shape::IsoAfter(_)
        | Shape::Moment
        | Shape::Null => true,
        Shape::Object(_)
        | Shape::ByFamily(_)
        | Shape::AnyOf(_)
        | Shape::List(..)
        | Shape::OneOrList(..)
        | Shape::MapOf(..)
        | Shape::MapOfKeys(_)
        | Shape::MapOfWords(..) => false,
    }
}

/// True if a value is of the kind of a shape, be it right or not.
pub(super) fn fits(shape: &Shape, value: &Value) -> bool {
    match shape {
        Shape::Either(shapes) => shapes.iter().any(|shape| fits(shape, value)),
        Shape::Null => value.is_null(),
        Shape::Bool => value.is_boolean(),
        Shape::Whole(..) | Shape::Signed(_) | Shape::Millis(..) => value.is_number(),
        Shape::Object(table) => value.is_object() || table.description.or.iter().any(|or| fits(or, value)),
        Shape::ByFamily(_) | Shape::AnyOf(_) | Shape::MapOf(..) | Shape::MapOfKeys(_) | Shape::MapOfWords(..) => {
            value.is_object()
        }
        Shape::List(..) => value.is_array(),
        Shape::OneOrList(of, _) => value.is_array() || fits(of, value),
        _ => value.is_string(),
    }
}

/// The longest beginning of a way that leads to an object.
pub(super) fn nearest_object(file: &Value, way: &[Step]) -> Way {
    let whole = Spot::of_file(file);
    let is_object = |way: &[Step]| {
        let spot = whole.at(way);
        spot.is_some_and(|spot| matches!(spot.shape, Shape::Object(_)) && spot.value.is_some_and(Value::is_object))
    };
    let length = (0..=way.len()).rev().find(|&length| is_object(&way[..length])).unwrap_or(0);
    way[..length].to_vec()
}

/// How the reader writes a step behind a path.
pub(super) fn join(path: &str, step: &Step) -> String {
    match step {
        Step::At(at) => format!("{path}[{at}]"),
        Step::Field(name) if path.is_empty() => name.clone(),
        Step::Field(name) => format!("{path}.{name}"),
    }
}

/// A way as the reader writes it.
pub(super) fn path_of(way: &[Step]) -> String {
    way.iter().fold(String::new(), |path, step| join(&path, step))
}

/// What is left of a path behind the beginning of it, if it begins like this.
pub(super) fn behind<'p>(path: &'p str, beginning: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(beginning)?;
    let is_end = beginning.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']);
    is_end.then_some(rest)
}

/// The way to what the reader calls by this path, as far as the file has it. Names have points of their own, so the file says
/// where one ends.
pub(super) fn way_of(file: &Value, path: &str) -> Way {
    let mut way = Way::new();
    let mut at = (file, String::new());
    loop {
        let (value, so_far) = &at;
        let steps: Box<dyn Iterator<Item = Step>> = match value {
            Value::Object(fields) => Box::new(fields.keys().map(|name| Step::Field(name.clone()))),
            Value::Array(entries) => Box::new((0..entries.len() as u32).map(Step::At)),
            _ => return way,
        };
        let longest = steps
            .filter(|step| behind(path, &join(so_far, step)).is_some())
            .max_by_key(|step| join(so_far, step).len());
        let Some(step) = longest else { return way };
        let next = match &step {
            Step::Field(name) => value.get(name),
            Step::At(at) => value.get(*at as usize),
        };
        let Some(next) = next else { return way };
        at = (next, join(so_far, &step));
        way.push(step);
    }
}
