//! From text to a syntax tree that keeps the place of every value: strict JSON, of bounded length and depth.

use super::mistake::{Problem, Syntax};
use super::reader::Reader;
use jsonc_parser::ast::Value;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// The longest file, in bytes.
pub const MOST_BYTES: usize = 1 << 20;

/// The deepest nesting of objects and lists. The parser recurses, so the depth is bounded before it starts.
pub const MOST_DEPTH: u32 = 64;

/// JSON and nothing else, as the parser is told.
pub const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Parses a text, or reports what is wrong with it.
pub(super) fn read<'t>(r: &mut Reader<'t>, source: &'t str) -> Option<Value<'t>> {
    parse(source).map_err(|(byte, problem)| r.report_at(byte, String::new(), problem)).ok()
}

/// Parses a text, or says what is wrong and at which byte.
fn parse(source: &str) -> Result<Value<'_>, (usize, Problem)> {
    if source.len() > MOST_BYTES {
        return Err((0, Problem::TooLarge { bytes: source.len() as u64, most: MOST_BYTES as u64 }));
    }
    if let Some(place) = too_deep(source) {
        return Err((place, Problem::TooDeep { most: MOST_DEPTH }));
    }
    let collect = CollectOptions::default();
    let parsed = parse_to_ast(source, &collect, &STRICT)
        .map_err(|error| (error.range().start, Problem::Syntax(syntax(error.kind()))))?;
    let value = parsed.value.ok_or((0, Problem::Syntax(Syntax::Empty)))?;
    // The parser lets a few things pass that JSON does not have, as a missing comma between two objects of a list.
    match serde_json::from_str::<serde::de::IgnoredAny>(source) {
        Ok(_) => Ok(value),
        Err(error) => Err((byte_at(source, error.line(), error.column()), Problem::Syntax(Syntax::Unexpected))),
    }
}

/// Where the nesting gets too deep, if it does. Brackets in strings do not count.
fn too_deep(source: &str) -> Option<usize> {
    let mut depth = 0u32;
    let (mut in_string, mut escaped) = (false, false);
    for (place, byte) in source.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                if depth > MOST_DEPTH {
                    return Some(place);
                }
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn byte_at(source: &str, line: usize, column: usize) -> usize {
    let start: usize = source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut place = (start + column.saturating_sub(1)).min(source.len());
    while !source.is_char_boundary(place) {
        place -= 1;
    }
    place
}

fn syntax(kind: &ParseErrorKind) -> Syntax {
    match kind {
        ParseErrorKind::CommentsNotAllowed | ParseErrorKind::UnterminatedCommentBlock => Syntax::Comment,
        ParseErrorKind::TrailingCommasNotAllowed => Syntax::TrailingComma,
        ParseErrorKind::ExpectedComma => Syntax::MissingComma,
        ParseErrorKind::ExpectedColonAfterObjectKey => Syntax::MissingColon,
        ParseErrorKind::ExpectedObjectValue => Syntax::MissingValue,
        ParseErrorKind::ExpectedStringObjectProperty => Syntax::UnquotedName,
        ParseErrorKind::SingleQuotedStringsNotAllowed => Syntax::SingleQuotes,
        ParseErrorKind::String(_) => Syntax::BadString,
        ParseErrorKind::BareDecimalPointNumbersNotAllowed
        | ParseErrorKind::ExpectedDigit
        | ParseErrorKind::ExpectedDigitFollowingNegativeSign
        | ParseErrorKind::ExpectedPlusMinusOrDigitInNumberLiteral
        | ParseErrorKind::HexadecimalNumbersNotAllowed
        | ParseErrorKind::NonFiniteNumbersNotAllowed
        | ParseErrorKind::UnaryPlusNumbersNotAllowed => Syntax::BadNumber,
        ParseErrorKind::UnterminatedObject => Syntax::OpenObject,
        ParseErrorKind::UnterminatedArray => Syntax::OpenList,
        ParseErrorKind::MultipleRootJsonValues => Syntax::MoreThanOneValue,
        _ => Syntax::Unexpected,
    }
}
