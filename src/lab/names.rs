//! The names of a file's things: what can be referred to, what refers to it, and names that are still free.

use super::find::Spot;
use super::{Step, Way};
use crate::scenario::fields::{GROUP, MEMBER, PRODUCER, SINK, Shape, TOPIC, Table};
use crate::scenario::mistake::Kind;
use serde_json::Value;

/// The most partitions whose names are looked for.
const MOST_PARTITIONS: u64 = 1_000;

/// The kind of thing that an object of a table is, if it has a name that others may refer to.
pub(super) fn kind_of(table: &Table) -> Option<Kind> {
    let tables = [
        (&TOPIC, Kind::Topic),
        (&PRODUCER, Kind::Producer),
        (&GROUP, Kind::Group),
        (&MEMBER, Kind::Member),
        (&SINK, Kind::Sink),
    ];
    tables.into_iter().find(|(known, _)| known.name == table.name).map(|(_, kind)| kind)
}

/// The names of all things of a kind, in the order of the file.
pub(super) fn names(file: &Value, kind: Kind) -> Vec<String> {
    let entries = |of: &Value, field: &str| of.get(field).and_then(Value::as_array).cloned().unwrap_or_default();
    let name = |thing: &Value| thing.get("name").and_then(Value::as_str).map(str::to_owned);
    let named = |field| entries(file, field).iter().filter_map(name).collect();
    match kind {
        Kind::Topic => named("topics"),
        Kind::Producer => named("producers"),
        Kind::Group => named("groups"),
        Kind::Sink => named("sinks"),
        Kind::Member => entries(file, "groups")
            .iter()
            .flat_map(|group| entries(group, "members"))
            .filter_map(|member| name(&member))
            .collect(),
        Kind::Partition => {
            let partitions = |topic: &Value| {
                let count = topic.get("partitions").and_then(Value::as_u64).unwrap_or(0).min(MOST_PARTITIONS);
                let topic = name(topic).unwrap_or_default();
                (0..count).map(move |number| format!("{topic}-{number}")).collect::<Vec<_>>()
            };
            entries(file, "topics").iter().flat_map(partitions).take(MOST_PARTITIONS as usize).collect()
        }
    }
}

/// A name that no thing of this kind has yet: `like`, or the same with the next number behind it.
pub(super) fn free(file: &Value, kind: Kind, like: &str) -> String {
    let taken = names(file, kind);
    let is_free = |name: &String| !taken.contains(name);
    let stem = like.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let named = |number: usize| format!("{stem}{number}");
    Some(like.to_owned()).filter(is_free).unwrap_or_else(|| (1..).map(named).find(is_free).unwrap_or_default())
}

/// Where a thing is referred to: the ways to values that become others, and to fields that get other names.
pub(super) struct References {
    pub values: Vec<(Way, String)>,
    pub fields: Vec<(Way, String)>,
}

/// What has to change where a thing gets another name; nothing if several have the name that it had.
pub(super) fn renamed(file: &Value, kind: Kind, old: &str, new: &str) -> References {
    let mut found = References { values: Vec::new(), fields: Vec::new() };
    if names(file, kind).iter().filter(|name| *name == old).count() == 1 {
        let name_for = |of: Kind, name: &str| match of {
            _ if of == kind && name == old => Some(new.to_owned()),
            Kind::Partition if kind == Kind::Topic => {
                let number = name.strip_prefix(old)?.strip_prefix('-')?;
                number.bytes().all(|digit| digit.is_ascii_digit()).then(|| format!("{new}-{number}"))
            }
            _ => None,
        };
        visit(&Spot::of_file(file), &mut Way::new(), &name_for, kind, &mut found);
    }
    found
}

fn visit(
    spot: &Spot,
    way: &mut Way,
    name_for: &impl Fn(Kind, &str) -> Option<String>,
    kind: Kind,
    found: &mut References,
) {
    let new_name = |shape: &Shape, name: &str| match shape {
        Shape::Ref(of) => name_for(*of, name),
        Shape::RefClient if matches!(kind, Kind::Member | Kind::Producer) => name_for(kind, name),
        _ => None,
    };
    match spot.value {
        Some(Value::String(name)) => {
            let shapes = match &spot.shape {
                Shape::Either(shapes) => shapes,
                shape => std::slice::from_ref(shape),
            };
            if let Some(new) = shapes.iter().find_map(|shape| new_name(shape, name)) {
                found.values.push((way.clone(), new));
            }
        }
        Some(Value::Array(entries)) => {
            for at in 0..entries.len() as u32 {
                go_on(spot, Step::At(at), way, name_for, kind, found);
            }
        }
        Some(Value::Object(fields)) => {
            for name in fields.keys() {
                go_on(spot, Step::Field(name.clone()), way, name_for, kind, found);
                if let Shape::MapOf(of, _) = spot.shape
                    && let Some(new) = name_for(of, name)
                {
                    let field = [way.as_slice(), &[Step::Field(name.clone())]].concat();
                    found.fields.push((field, new));
                }
            }
        }
        _ => {}
    }
}

fn go_on(
    spot: &Spot,
    step: Step,
    way: &mut Way,
    name_for: &impl Fn(Kind, &str) -> Option<String>,
    kind: Kind,
    found: &mut References,
) {
    if let Some(part) = spot.step(&step) {
        way.push(step);
        visit(&part, way, name_for, kind, found);
        way.pop();
    }
}
