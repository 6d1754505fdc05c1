//! The published schema and the reader say the same: the same fields for each kind of object, and every built-in
//! scenario is valid. The validator below knows the keywords that the schema uses and refuses all others.

use logstep::scenario::fields::ALL;
use logstep::scenario::library::{BUILT_IN, SCHEMA};
use serde_json::Value;

fn schema() -> Value {
    serde_json::from_str(SCHEMA).expect("the schema is JSON")
}

/// The definition of an object; one that can be a word too is the last of its alternatives.
fn object<'s>(schema: &'s Value, name: &str) -> &'s Value {
    let definition = &schema["$defs"][name];
    assert!(definition.is_object(), "{name} is not defined");
    match &definition["oneOf"] {
        Value::Array(alternatives) if definition["properties"].is_null() => alternatives.last().expect("not empty"),
        _ => definition,
    }
}

#[test]
fn the_schema_has_the_fields_that_the_reader_knows() {
    let schema = schema();
    for table in ALL {
        let object = object(&schema, table.name);
        let mut expected = table.fields.to_vec();
        expected.sort_unstable();
        let properties: Vec<&str> =
            object["properties"].as_object().expect(table.name).keys().map(String::as_str).collect();
        assert_eq!(properties, expected, "fields of {}", table.name);
        assert_eq!(object["additionalProperties"], Value::Bool(false), "{}", table.name);
    }
}

#[test]
fn the_schema_requires_what_the_reader_requires() {
    let schema = schema();
    for table in ALL {
        let required = object(&schema, table.name)["required"].as_array().cloned().unwrap_or_default();
        let mut required: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
        // The reader has a message of its own for this one: nothing said means Kafka's default, which is not modelled.
        required.retain(|field| *field != "enable.auto.commit");
        assert_eq!(required, table.required, "required fields of {}", table.name);
    }
}

#[test]
fn every_built_in_scenario_is_valid() {
    let schema = schema();
    for built_in in BUILT_IN {
        let file = serde_json::from_str(built_in.source).expect(built_in.name);
        assert_eq!(errors(&schema, &schema, &file, built_in.name), Vec::<String>::new());
    }
}

#[test]
fn the_validator_finds_mistakes() {
    let schema = schema();
    let mut file: Value = serde_json::from_str(BUILT_IN[0].source).expect("JSON");
    file["topics"][0]["partitions"] = Value::from(201);
    file["groups"][0]["colour"] = Value::from("blue");
    assert_eq!(errors(&schema, &schema, &file, "").len(), 2);
}

/// What is wrong with `value`, each with its path.
fn errors(root: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    let Value::Object(keywords) = schema else {
        panic!("{path}: a schema is an object");
    };
    let mut found = Vec::new();
    for (keyword, rule) in keywords {
        let holds = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "pattern" => true,
            "$ref" => {
                let name = rule.as_str().and_then(|name| name.strip_prefix("#/$defs/")).expect("a local reference");
                found.extend(errors(root, &root["$defs"][name], value, path));
                true
            }
            "type" => has_type(value, rule.as_str().expect("one type")),
            "const" => value == rule,
            "enum" => rule.as_array().expect("a list").contains(value),
            "minimum" => value.as_u64() >= rule.as_u64(),
            "maximum" => value.as_u64() <= rule.as_u64(),
            "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap_or(0)),
            "maxItems" => value.as_array().is_none_or(|list| list.len() as u64 <= rule.as_u64().unwrap_or(0)),
            "minProperties" => value.as_object().is_none_or(|map| map.len() as u64 >= rule.as_u64().unwrap_or(0)),
            "maxProperties" => value.as_object().is_none_or(|map| map.len() as u64 <= rule.as_u64().unwrap_or(0)),
            "required" => {
                rule.as_array().expect("a list").iter().all(|field| !value[field.as_str().unwrap_or("")].is_null())
            }
            "oneOf" => {
                let valid = |alternative: &&Value| errors(root, alternative, value, path).is_empty();
                rule.as_array().expect("a list").iter().filter(valid).count() == 1
            }
            "allOf" => {
                found.extend(rule.as_array().expect("a list").iter().flat_map(|part| errors(root, part, value, path)));
                true
            }
            "items" => {
                let list = value.as_array().cloned().unwrap_or_default();
                found.extend(
                    list.iter().enumerate().flat_map(|(i, entry)| errors(root, rule, entry, &format!("{path}[{i}]"))),
                );
                true
            }
            "properties" | "additionalProperties" => {
                found.extend(field_errors(root, keywords, keyword, value, path));
                true
            }
            other => panic!("the validator does not know {other}"),
        };
        if !holds {
            found.push(format!("{path}: {keyword} {rule}"));
        }
    }
    found
}

fn field_errors(
    root: &Value,
    keywords: &serde_json::Map<String, Value>,
    keyword: &str,
    value: &Value,
    path: &str,
) -> Vec<String> {
    let mut found = Vec::new();
    for (name, field) in value.as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        let property = keywords.get("properties").and_then(|properties| properties.get(name));
        match (keyword, property) {
            ("properties", Some(schema)) => found.extend(errors(root, schema, field, &path)),
            ("additionalProperties", None) => match &keywords[keyword] {
                Value::Bool(false) => found.push(format!("{path}: unknown")),
                schema => found.extend(errors(root, schema, field, &path)),
            },
            _ => {}
        }
    }
    found
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64(),
        "null" => value.is_null(),
        other => panic!("the validator does not know the type {other}"),
    }
}
