//! JSON that keeps the order of its fields and breaks only the lines that are too long.

const LONGEST_LINE: usize = 120;

/// A JSON value.
pub(super) enum Json {
    /// A value as it is written.
    Raw(String),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// A string.
    pub fn text(text: &str) -> Json {
        Json::Raw(quoted(text))
    }

    /// A list of strings.
    pub fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Json {
        Json::List(texts.into_iter().map(Json::text).collect())
    }

    /// A whole number.
    pub fn number(number: impl Into<u64>) -> Json {
        Json::Raw(number.into().to_string())
    }

    /// An object.
    pub fn object<'f>(fields: impl IntoIterator<Item = (&'f str, Json)>) -> Json {
        Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// As text, ending with a line break.
    pub fn write(&self) -> String {
        let mut out = String::new();
        self.write_at(&mut out, 0, 0);
        out.push('\n');
        out
    }

    /// Writes the value at this depth; `before` and behind it, the line has something already.
    fn write_at(&self, out: &mut String, depth: usize, before: usize) {
        let flat = self.flat();
        if fits(&flat, depth, before) {
            return out.push_str(&flat);
        }
        let (open, close, parts): (_, _, Vec<(String, &Json)>) = match self {
            Json::Object(fields) => {
                ('{', '}', fields.iter().map(|(name, value)| (format!("{}: ", quoted(name)), value)).collect())
            }
            Json::List(entries) if entries.iter().any(|entry| !matches!(entry, Json::Raw(_))) => {
                ('[', ']', entries.iter().map(|entry| (String::new(), entry)).collect())
            }
            Json::List(entries) => return fill(entries, out, depth),
            Json::Raw(_) => return out.push_str(&flat),
        };
        out.push(open);
        for (number, (name, value)) in parts.iter().enumerate() {
            out.push_str(if number == 0 { "\n" } else { ",\n" });
            out.push_str(&"  ".repeat(depth + 1));
            out.push_str(name);
            value.write_at(out, depth + 1, name.chars().count());
        }
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
        out.push(close);
    }

    fn flat(&self) -> String {
        match self {
            Json::Raw(text) => text.clone(),
            Json::List(entries) => format!("[{}]", entries.iter().map(Json::flat).collect::<Vec<_>>().join(", ")),
            Json::Object(fields) if fields.is_empty() => "{}".to_owned(),
            Json::Object(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, value)| format!("{}: {}", quoted(name), value.flat())).collect();
                format!("{{ {} }}", fields.join(", "))
            }
        }
    }
}

/// A list of plain values, as many in a line as it holds.
fn fill(entries: &[Json], out: &mut String, depth: usize) {
    out.push('[');
    let mut line = String::new();
    for (number, entry) in entries.iter().enumerate() {
        let text = entry.flat();
        if number == 0 || !fits(&format!("{line} {text}"), depth + 1, 0) {
            out.push_str(&line);
            out.push('\n');
            out.push_str(&"  ".repeat(depth + 1));
            line.clear();
        } else {
            line.push(' ');
        }
        line.push_str(&text);
        if number + 1 < entries.len() {
            line.push(',');
        }
    }
    out.push_str(&line);
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(']');
}

/// True if a line holds the value, with a comma behind it.
fn fits(flat: &str, depth: usize, before: usize) -> bool {
    2 * depth + before + flat.chars().count() < LONGEST_LINE
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
