//! A scenario file along with its description: each object with its table.

use logstep::scenario::fields::{SCENARIO, Shape, Table};
use serde_json::Value;

/// An object of a file.
pub struct Found {
    /// Its kind.
    pub table: &'static Table,
    /// Where it is, as serde_json finds it.
    pub pointer: String,
    /// Where it is, as the reader says it.
    pub path: String,
}

impl Found {
    /// The path of one of its fields.
    pub fn path_of(&self, field: &str) -> String {
        join(&self.path, field)
    }

    /// The object's fields in a copy of the file.
    pub fn fields<'v>(&self, file: &'v mut Value) -> &'v mut serde_json::Map<String, Value> {
        file.pointer_mut(&self.pointer).and_then(Value::as_object_mut).expect("it was found there")
    }
}

/// All objects of a file.
pub fn objects(file: &Value) -> Vec<Found> {
    let mut found = Vec::new();
    walk(&Shape::Object(&SCENARIO), file, "", "", &mut found);
    found
}

fn walk(shape: &Shape, value: &Value, pointer: &str, path: &str, found: &mut Vec<Found>) {
    match (*shape, value) {
        (Shape::Object(table), Value::Object(fields)) => {
            found.push(Found { table, pointer: pointer.to_owned(), path: path.to_owned() });
            for field in table.description.fields {
                let Some(value) = fields.get(field.name) else { continue };
                let shape = match field.shape {
                    Shape::ByFamily(tables) => {
                        let family = fields.get("client").and_then(|client| client["family"].as_str());
                        let table = tables.iter().find(|(of, _)| family.is_none_or(|family| family == *of));
                        let Some((_, table)) = table else { continue };
                        Shape::Object(table)
                    }
                    shape => shape,
                };
                walk(&shape, value, &format!("{pointer}/{}", field.name), &join(path, field.name), found);
            }
        }
        (Shape::List(of, ..), Value::Array(entries)) => {
            for (index, entry) in entries.iter().enumerate() {
                walk(of, entry, &format!("{pointer}/{index}"), &format!("{path}[{index}]"), found);
            }
        }
        (Shape::MapOf(_, of) | Shape::MapOfKeys(of) | Shape::MapOfWords(_, of), Value::Object(fields)) => {
            for (name, value) in fields {
                walk(of, value, &format!("{pointer}/{name}"), &join(path, name), found);
            }
        }
        (Shape::AnyOf(tables), Value::Object(fields)) => {
            let has_all = |table: &&&'static Table| fields.keys().all(|name| table.fields.contains(&name.as_str()));
            if let Some(table) = tables.iter().find(has_all) {
                walk(&Shape::Object(table), value, pointer, path, found);
            }
        }
        (Shape::Either(shapes), value) => shapes.iter().for_each(|shape| walk(shape, value, pointer, path, found)),
        _ => {}
    }
}

fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}
