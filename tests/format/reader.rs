//! The described defaults and ranges are those of the reader.

use crate::good_files;
use crate::kafka::described;
use crate::walk::objects;
use logstep::scenario::fields::{Default, Shape, tables};
use logstep::scenario::mistake::Problem;
use logstep::scenario::{Mistake, Scenario, Version, duration, read};
use logstep::sim::Span;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn parsed(source: &str) -> Value {
    serde_json::from_str(source).expect("JSON")
}

/// A file with this version everywhere: Java clients are those of the cluster then.
fn with_version(source: &str, version: Version) -> Value {
    let mut file = parsed(source);
    file["cluster"]["kafka"] = version.to_string().into();
    for list in ["producers", "groups"] {
        for entry in file[list].as_array_mut().expect("a list") {
            // What the others are does not depend on it.
            if entry["client"]["family"] == "java" {
                entry.as_object_mut().expect("an object").remove("client");
            }
        }
    }
    file
}

/// Warnings apart, which say where they are.
fn read_calmly(file: &Value) -> Result<Scenario, Vec<Mistake>> {
    read(&file.to_string()).map(|scenario| Scenario { warnings: Vec::new(), ..scenario })
}

/// Writing a default into a file makes no difference.
#[test]
fn what_is_left_out_is_as_the_description_says() {
    let mut compared = BTreeSet::new();
    for (name, source) in good_files() {
        for version in Version::all() {
            let file = with_version(source, version);
            // What a member does not say is as in its group.
            for found in objects(&file)
                .into_iter()
                .filter(|found| !found.path.contains(".members[") || found.table.name == "member")
            {
                for field in found.table.description.fields {
                    // What does not depend on the version need not be looked at more than once.
                    let depends = matches!(field.default, Default::ByVersion(_));
                    let Some(default) = described(field, version).filter(|_| depends || version.to_string() == "4.0")
                    else {
                        continue;
                    };
                    let (mut without, mut with) = (file.clone(), file.clone());
                    found.fields(&mut without).remove(field.name);
                    found.fields(&mut with).insert(field.name.to_owned(), default);
                    let (Ok(without), Ok(with)) = (read_calmly(&without), read_calmly(&with)) else {
                        continue;
                    };
                    assert_eq!(with, without, "{} in {name}, {version}", found.path_of(field.name));
                    compared.insert((found.table.name, field.name));
                }
            }
        }
    }
    for table in tables() {
        for field in table.description.fields {
            let has_default = matches!(field.default, Default::Json(_) | Default::ByVersion(_));
            assert_eq!(has_default, compared.contains(&(table.name, field.name)), "{}.{}", table.name, field.name);
        }
    }
}

/// Values at the ends of a range and one step outside of it, if there is one.
fn ends(shape: &Shape) -> Option<(Vec<Value>, Vec<Value>)> {
    match *shape {
        Shape::Whole(least, most) | Shape::Millis(least, most) => {
            let below = least.checked_sub(1).map_or(json!(-1), Value::from);
            Some((vec![least.into(), most.into()], vec![below, (most + 1).into()]))
        }
        Shape::Duration(least, most) => {
            let written = |micros| Value::from(duration::write(Span::from_micros(micros)));
            let (least, most) = (least.as_micros(), most.as_micros());
            let below = least.checked_sub(1).map(written);
            Some((vec![written(least), written(most)], below.into_iter().chain([written(most + 1)]).collect()))
        }
        Shape::Either(shapes) => shapes.iter().find_map(ends),
        _ => None,
    }
}

fn is_out_of_range(file: &Value, path: &str) -> bool {
    let mistakes = read(&file.to_string()).err().unwrap_or_default();
    mistakes.iter().any(|found| found.path == path && matches!(found.problem, Problem::OutOfRange { .. }))
}

#[test]
fn the_described_ranges_are_the_readers() {
    let mut looked_at = BTreeSet::new();
    for (_, source) in good_files() {
        let file = parsed(source);
        for found in objects(&file) {
            for field in found.table.description.fields {
                let Some((inside, outside)) = ends(&field.shape) else {
                    continue;
                };
                if !looked_at.insert((found.table.name, field.name)) {
                    continue;
                }
                let path = found.path_of(field.name);
                let is_refused = |value: &Value| {
                    let mut file = file.clone();
                    found.fields(&mut file).insert(field.name.to_owned(), value.clone());
                    is_out_of_range(&file, &path)
                };
                for value in inside {
                    assert!(!is_refused(&value), "{path}: {value} is in its range");
                }
                for value in outside {
                    assert!(is_refused(&value), "{path}: {value} is out of its range");
                }
            }
        }
    }
    let ranges = tables().flat_map(|table| table.description.fields).filter(|field| ends(&field.shape).is_some());
    assert_eq!(looked_at.len(), ranges.count());
}

/// Long lists apart: a file would be too large before they are too long.
#[test]
fn the_described_lengths_of_lists_are_the_readers() {
    const LONG: u32 = 2_000;
    let mut looked_at = BTreeSet::new();
    for (_, source) in good_files() {
        let file = parsed(source);
        for found in objects(&file) {
            for field in found.table.description.fields {
                let Shape::List(_, least, most) = field.shape else {
                    continue;
                };
                let entry = file.pointer(&found.pointer).and_then(|object| object[field.name].get(0));
                let (Some(entry), true) = (entry, most < LONG) else {
                    continue;
                };
                if !looked_at.insert((found.table.name, field.name)) {
                    continue;
                }
                let path = found.path_of(field.name);
                for length in [0, least, most, most + 1] {
                    let mut file = file.clone();
                    let list = vec![entry.clone(); length as usize];
                    found.fields(&mut file).insert(field.name.to_owned(), list.into());
                    assert_eq!(is_out_of_range(&file, &path), !(least..=most).contains(&length), "{length} in {path}");
                }
            }
        }
    }
    let lists = tables().flat_map(|table| table.description.fields);
    let short = lists.filter(|field| matches!(field.shape, Shape::List(_, _, most) if most < LONG));
    assert_eq!(looked_at.len(), short.count(), "{looked_at:?}");
}
