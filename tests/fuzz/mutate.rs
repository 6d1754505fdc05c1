//! Good files with something broken in their text.

use crate::tape::Tape;

const TOKENS: [&str; 26] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "null",
    "true",
    "-0",
    "1e999",
    "0.1",
    "18446744073709551616",
    "-9223372036854775809",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "// ",
    "/*",
    "\u{feff}",
    "\u{2028}",
    "\u{202e}",
    "e\u{301}",
    "\u{1f980}",
    "\u{0}",
    "NaN",
];

/// The file after a few accidents.
pub fn mutated(source: &str, numbers: &[u32]) -> String {
    let tape = &mut Tape::new(numbers);
    let mut text = source.to_owned();
    for _ in 0..1 + tape.below(4) {
        text = accident(&text, tape);
    }
    text
}

fn accident(text: &str, tape: &mut Tape<'_>) -> String {
    let parts = tokens(text);
    let at = tape.below(parts.len());
    let join = |parts: &[&str]| parts.concat();
    match tape.below(9) {
        // Most files survive this one: a number becomes another one.
        0 => with(&parts, at, |part| part.parse::<u64>().is_ok(), tape.pick(&["0", "1", "7", "4294967296", "1e3"])),
        1 => with(&parts, at, |part| part.starts_with('"'), tape.pick(&["\"\"", "\"c1\"", "\"5s\"", "\"orders-0\""])),
        2 => {
            let bytes = text.as_bytes();
            let mut bytes = bytes.to_vec();
            let place = tape.below(bytes.len());
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << tape.below(8);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
        3 => join(&[&parts[..at], &parts[(at + 1).min(parts.len())..]].concat()),
        4 => join(&[&parts[..at], &parts[at..(at + 1 + tape.below(12)).min(parts.len())], &parts[at..]].concat()),
        5 => join(&[&parts[..at], &[tape.pick(&TOKENS)], &parts[at..]].concat()),
        6 => {
            let mut parts = parts.clone();
            let other = tape.below(parts.len());
            if at < parts.len() {
                parts.swap(at, other);
            }
            join(&parts)
        }
        7 => join(&parts[..at]),
        _ => {
            let deep = tape.pick(&["[", "{\"a\":", "[[{\"\":"]).repeat(1 + tape.below(3_000));
            join(&[&parts[..at], &[deep.as_str()], &parts[at..]].concat())
        }
    }
}

/// The text with the next such part from here on replaced.
fn with(parts: &[&str], from: usize, is: impl Fn(&str) -> bool, by: &str) -> String {
    let Some(at) = (from..parts.len()).find(|&at| is(parts[at])) else {
        return parts.concat();
    };
    [&parts[..at], &[by], &parts[at + 1..]].concat().concat()
}

/// Strings, words and numbers, single signs, blanks.
fn tokens(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
        let length = match first {
            '"' => 1 + rest[1..].find('"').map_or(rest.len() - 1, |end| end + 1),
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (part, more) = rest.split_at(length);
        parts.push(part);
        rest = more;
    }
    parts
}
