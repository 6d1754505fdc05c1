//! What an entry of a list is, in one line: its name, or what its fields say.

use crate::text::{self, Lang};
use serde_json::Value;

/// The longest line, in letters.
const LONGEST: usize = 72;

/// An entry in one line.
pub(super) fn of_entry(lang: Lang, entry: &Value) -> String {
    let mut parts = Vec::new();
    match entry {
        Value::Object(fields) => {
            if let Some(name) = fields.get("name") {
                parts.push(plain(name));
            }
            // When it happens comes first, what happens next.
            for name in ["at", "when", "before", "after"] {
                parts.extend(fields.get(name).map(|value| format!("{name} {}", plain(value))));
            }
            for (name, value) in fields {
                let is_count = value.is_array();
                match name.as_str() {
                    "name" | "at" | "when" | "before" | "after" => {}
                    _ if is_count => parts.push(text::lab::count(lang, name, value.as_array().map_or(0, Vec::len))),
                    "settings" | "handling" | "client" | "workload" => {}
                    _ => parts.push(format!("{name} {}", plain(value))),
                }
            }
        }
        other => parts.push(plain(other)),
    }
    shortened(&parts.join(" · "))
}

/// A value without the marks of JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(entries) => entries.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let part = |(name, value): (&String, &Value)| format!("{name} {}", plain(value));
            fields.iter().map(part).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

fn shortened(text: &str) -> String {
    let mut letters = text.chars();
    let short: String = letters.by_ref().take(LONGEST).collect();
    if letters.next().is_some() { format!("{}…", short.trim_end()) } else { short }
}
