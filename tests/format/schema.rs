//! The schema against the reader, with a validator that is not ours: it accepts what the reader accepts, and refuses every
//! mistake in the structure of a file. What only the reader can know - names, moments, contradictions - is left to it.

use crate::good_files;
use crate::walk::objects;
use jsonschema::Validator;
use logstep::scenario::mistake::{Contradiction, Problem, Unit};
use logstep::scenario::{Mistake, read};
use logstep::{publish, text::Lang};
use serde_json::{Value, json};
use std::path::Path;

fn validator() -> Validator {
    let schema = serde_json::from_str(&publish::schema(Lang::En)).expect("the schema is JSON");
    jsonschema::meta::validate(&schema).expect("the schema is a schema");
    jsonschema::validator_for(&schema).expect("the schema has no loose ends")
}

/// True for a mistake that a schema can see.
fn is_of_structure(mistake: &Mistake) -> bool {
    match &mistake.problem {
        // It may be left out where there is only one group.
        Problem::MissingField { field } if field == "group" => mistake.path.contains("generation"),
        // Whether it has to be there is up to the settings.
        Problem::MissingField { field } if field == "commit" => false,
        Problem::UnknownField { .. }
        | Problem::MissingField { .. }
        | Problem::OneOfFields { .. }
        | Problem::WrongType { .. }
        | Problem::NotOneOf { .. }
        | Problem::NotWhole { .. }
        | Problem::BadDuration { .. }
        | Problem::BadName { .. } => true,
        Problem::OutOfRange { unit, .. } => *unit != Unit::Duration,
        // Which assignor comes first is beyond the schema.
        Problem::NotModelled { .. } => !mistake.path.contains("partition.assignment.strategy"),
        Problem::Contradiction(contradiction) => {
            matches!(contradiction, Contradiction::WaitWithoutAfter)
        }
        _ => false,
    }
}

#[test]
fn every_good_file_is_valid() {
    let validator = validator();
    for (name, source) in good_files() {
        let file: Value = serde_json::from_str(source).expect(name);
        let errors: Vec<String> = validator.iter_errors(&file).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn broken_files_with_a_mistake_of_structure_are_refused() {
    let validator = validator();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut refused = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let source = std::fs::read_to_string(&path).expect("a file");
        let (true, Ok(file)) = (path.extension().is_some_and(|end| end == "json"), serde_json::from_str(&source))
        else {
            continue;
        };
        let mistakes = read(&source).expect_err("it is broken");
        if mistakes.iter().any(is_of_structure) {
            assert!(!validator.is_valid(&file), "{}: {mistakes:?}", path.display());
            refused += 1;
        }
    }
    assert!(refused >= 15, "{refused}");
}

/// Reader and schema agree about a file that has been changed.
fn check(validator: &Validator, file: &Value, change: &str) {
    let mistakes = read(&file.to_string()).err().unwrap_or_default();
    let is_valid = validator.is_valid(file);
    if let Some(mistake) = mistakes.iter().find(|mistake| is_of_structure(mistake)) {
        assert!(!is_valid, "{change}: the schema lets pass {mistake:?}");
    }
    assert!(is_valid || !mistakes.is_empty(), "{change}: the schema refuses what the reader takes");
}

/// A file of which a few of many like entries are left.
fn shortened(source: &str) -> Value {
    let mut file: Value = serde_json::from_str(source).expect("JSON");
    if let Some(records) = file["producers"][0]["records"].as_array_mut() {
        records.truncate(2);
    }
    if let Some(beats) = file["story"].as_array_mut() {
        let late = beats.len().saturating_sub(4);
        beats.drain(..late);
    }
    file
}

#[test]
fn schema_and_reader_agree_when_a_field_is_missing_or_unknown() {
    let validator = validator();
    for (name, source) in good_files() {
        let file = shortened(source);
        for found in objects(&file) {
            for field in found.table.fields {
                let mut changed = file.clone();
                if found.fields(&mut changed).remove(*field).is_some() {
                    check(&validator, &changed, &format!("{name} without {}", found.path_of(field)));
                }
            }
            let mut changed = file.clone();
            found.fields(&mut changed).insert("colour".to_owned(), json!("blue"));
            check(&validator, &changed, &format!("{name} with {}", found.path_of("colour")));
        }
    }
}

#[test]
fn schema_and_reader_agree_about_strange_values() {
    let validator = validator();
    let strange = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1.5),
        json!(4_294_967_296u64),
        json!(""),
        json!("c1"),
        json!(".."),
        json!("range"),
        json!("1m30s"),
        json!("1s2m"),
        json!("orders-0"),
        json!([]),
        json!([[]]),
        json!({}),
        json!({ "a": {} }),
    ];
    for (name, source) in good_files() {
        let file = shortened(source);
        for found in objects(&file) {
            for field in found.table.fields {
                for value in &strange {
                    let mut changed = file.clone();
                    found.fields(&mut changed).insert((*field).to_owned(), value.clone());
                    check(&validator, &changed, &format!("{name} with {} = {value}", found.path_of(field)));
                }
            }
        }
    }
}
