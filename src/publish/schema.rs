//! The JSON Schema (draft 2020-12). It is as strict as a schema can be: what it cannot say - that a name exists, that two
//! values go together, the length of a time - stays with the reader.

use super::InLang as _;
use super::json::Json;
use super::words;
use crate::scenario::fields::{Default, Field, Rule, Shape, Table, tables};
use crate::scenario::mistake::Kind;
use crate::scenario::{FORMAT, Version, duration, values};
use crate::text::Lang;
use std::collections::BTreeSet;

/// The schema, with descriptions in this language.
pub fn schema(lang: Lang) -> String {
    let mut definitions = common(lang);
    definitions.extend(tables().map(|table| (table.name, table_schema(lang, table))));
    Json::object([
        ("$schema", Json::text("https://json-schema.org/draft/2020-12/schema")),
        (
            "title",
            Json::text(
                &lang.pick(format!("logstep のシナリオ（{FORMAT}）"), format!("logstep scenario, format {FORMAT}")),
            ),
        ),
        ("$ref", reference("scenario")),
        ("$defs", Json::object(definitions)),
    ])
    .write()
}

/// Definitions that many fields share.
fn common(lang: Lang) -> Vec<(&'static str, Json)> {
    let pattern = |pattern: &str, description: &str| {
        vec![("description", Json::text(description)), ("type", Json::text("string")), ("pattern", Json::text(pattern))]
    };
    let longest = values::LONGEST_NAME;
    let legal = format!("[A-Za-z0-9._-]{{1,{longest}}}");
    let mut name = pattern(&format!("^{legal}$"), words::name(lang));
    name.push(("not", Json::object([("enum", Json::texts([".", ".."]))])));
    let mut length = pattern(&duration_pattern(), words::duration(lang));
    length.push(("minLength", Json::number(1u32)));
    let releases: Vec<String> = Version::all().map(|version| version.to_string()).collect();
    let release = Json::object([
        ("description", Json::text(words::release(lang))),
        ("enum", Json::texts(releases.iter().map(String::as_str))),
    ]);
    vec![
        ("name", Json::object(name)),
        ("partition", Json::object(pattern(&format!("^{legal}-[0-9]+$"), words::partition(lang)))),
        ("duration", Json::object(length)),
        ("release", release),
    ]
}

/// Numbers with their units, the longest unit first, each unit once.
fn duration_pattern() -> String {
    let parts = duration::UNITS.iter().map(|(unit, _)| format!("([0-9]+(\\.[0-9]{{1,12}})?{unit})?"));
    format!("^{}$", parts.collect::<String>())
}

fn table_schema(lang: Lang, table: &Table) -> Json {
    let description = ("description", Json::text(table.description.about.pick(lang)));
    let object = object_schema(lang, table);
    match table.description.or {
        [] => Json::object([description].into_iter().chain(object)),
        [or, ..] => Json::object([
            description,
            ("oneOf", Json::List(vec![Json::object(shape_schema(or)), Json::object(object)])),
        ]),
    }
}

fn object_schema(lang: Lang, table: &Table) -> Vec<(&'static str, Json)> {
    let mut keywords = vec![("type", Json::text("object")), ("additionalProperties", Json::Raw("false".to_owned()))];
    if !table.required.is_empty() {
        keywords.push(("required", Json::texts(table.required.iter().copied())));
    }
    let fields = table.description.fields.iter().map(|field| (field.name, field_schema(lang, field)));
    keywords.push(("properties", Json::object(fields)));
    let mut alternatives: Vec<Json> = Vec::new();
    for rule in table.description.rules {
        match rule {
            Rule::OneField => {
                keywords.push(("minProperties", Json::number(1u32)));
                keywords.push(("maxProperties", Json::number(1u32)));
            }
            Rule::OneOf(sets) => alternatives.push(one_of(sets)),
            Rule::Needs(field, other) => {
                keywords.push(("dependentRequired", Json::object([(*field, Json::texts([*other]))])));
            }
            Rule::NotBoth(one, other) => {
                keywords.push(("not", Json::object([("required", Json::texts([*one, *other]))])));
            }
        }
    }
    for field in table.description.fields {
        if let Shape::ByFamily(tables) = field.shape {
            alternatives.extend(by_family(field.name, tables));
        }
    }
    if !alternatives.is_empty() {
        keywords.push(("allOf", Json::List(alternatives)));
    }
    keywords
}

/// Of these sets of fields, exactly one is there, and of the others nothing.
fn one_of(sets: &[&[&str]]) -> Json {
    // Where one set is part of another, the fields that are there do not tell them apart by themselves.
    let within = |set: &&[&str], other: &&[&str]| set != other && set.iter().all(|field| other.contains(field));
    let is_nested = sets.iter().any(|set| sets.iter().any(|other| within(set, other)));
    let alternative = |set: &&[&str]| {
        let others =
            sets.iter().filter(|other| *other != set && (other.len() > 1 || is_nested)).flat_map(|other| other.iter());
        let others = others.filter(|other| !set.contains(other)).collect::<BTreeSet<_>>().into_iter();
        let others: Vec<(&str, Json)> = others.map(|field| (*field, Json::Raw("false".to_owned()))).collect();
        let mut keywords = vec![("required", Json::texts(set.iter().copied()))];
        if !others.is_empty() {
            keywords.push(("properties", Json::object(others)));
        }
        Json::object(keywords)
    };
    Json::object([("oneOf", Json::List(sets.iter().map(alternative).collect()))])
}

/// What a field is for each family of the client.
fn by_family(field: &str, tables: &[(&str, &Table)]) -> Vec<Json> {
    let if_family = |families: &[&str]| {
        let family = Json::object([("family", Json::object([("enum", Json::texts(families.iter().copied()))]))]);
        let client = Json::object([("properties", family), ("required", Json::texts(["family"]))]);
        Json::object([("properties", Json::object([("client", client)])), ("required", Json::texts(["client"]))])
    };
    let then = |table: &Table| {
        let of = Json::object([("$ref", reference(table.name))]);
        Json::object([("properties", Json::object([(field, of)]))])
    };
    let others: Vec<&str> = tables.iter().skip(1).map(|(family, _)| *family).collect();
    let first = tables.first().map(|(_, table)| Json::object([("if", if_family(&others)), ("else", then(table))]));
    let rest = tables.iter().skip(1);
    first
        .into_iter()
        .chain(rest.map(|(family, table)| Json::object([("if", if_family(&[family])), ("then", then(table))])))
        .collect()
}

fn field_schema(lang: Lang, field: &Field) -> Json {
    let mut keywords = vec![("description", Json::text(&words::description(lang, field)))];
    if let Default::Json(value) = field.default {
        keywords.push(("default", Json::Raw(value.to_owned())));
    }
    keywords.extend(shape_schema(&field.shape));
    Json::object(keywords)
}

fn shape_schema(shape: &Shape) -> Vec<(&'static str, Json)> {
    let of_type = |name| ("type", Json::text(name));
    match *shape {
        Shape::Exactly(text) => vec![("const", Json::text(text))],
        Shape::Words(words) => vec![("enum", Json::texts(words.iter().map(|word| word.word)))],
        Shape::Str => vec![of_type("string")],
        Shape::Ref(Kind::Partition) => vec![("$ref", reference("partition"))],
        Shape::Name | Shape::Ref(_) | Shape::RefClient => vec![("$ref", reference("name"))],
        Shape::Release => vec![("$ref", reference("release"))],
        Shape::Bool => vec![of_type("boolean")],
        Shape::Whole(least, most) | Shape::Millis(least, most) => {
            vec![of_type("integer"), ("minimum", Json::number(least)), ("maximum", Json::number(most))]
        }
        Shape::Signed(most) => {
            vec![of_type("integer"), ("minimum", Json::Raw(format!("-{most}"))), ("maximum", Json::number(most))]
        }
        Shape::Duration(..) | Shape::Moment => vec![("$ref", reference("duration"))],
        Shape::IsoAfter(prefix) => {
            let time = "T(?=.)([0-9]+H)?([0-9]+M)?([0-9]+(\\.[0-9]{1,12})?S)?";
            vec![of_type("string"), ("pattern", Json::text(&format!("^{prefix}P(?=.)([0-9]+D)?({time})?$")))]
        }
        Shape::Null => vec![of_type("null")],
        Shape::Object(table) => vec![("$ref", reference(table.name))],
        Shape::ByFamily(_) => vec![of_type("object")],
        Shape::AnyOf(tables) => {
            let any = tables.iter().map(|table| Json::object([("$ref", reference(table.name))]));
            vec![("anyOf", Json::List(any.collect()))]
        }
        Shape::List(of, least, most) => vec![
            of_type("array"),
            ("minItems", Json::number(least)),
            ("maxItems", Json::number(most)),
            ("items", Json::object(shape_schema(of))),
        ],
        Shape::OneOrList(of, most) => {
            let list = Json::object(shape_schema(&Shape::List(of, 1, most)));
            vec![("oneOf", Json::List(vec![Json::object(shape_schema(of)), list]))]
        }
        Shape::MapOf(kind, of) => vec![
            of_type("object"),
            ("propertyNames", Json::object(shape_schema(&Shape::Ref(kind)))),
            ("additionalProperties", Json::object(shape_schema(of))),
        ],
        Shape::MapOfKeys(of) => vec![of_type("object"), ("additionalProperties", Json::object(shape_schema(of)))],
        Shape::MapOfWords(words, of) => vec![
            of_type("object"),
            ("additionalProperties", Json::Raw("false".to_owned())),
            ("properties", Json::object(words.iter().map(|word| (word.word, Json::object(shape_schema(of)))))),
        ],
        Shape::Either(shapes) => {
            vec![("oneOf", Json::List(shapes.iter().map(|shape| Json::object(shape_schema(shape))).collect()))]
        }
    }
}

fn reference(definition: &str) -> Json {
    Json::text(&format!("#/$defs/{definition}"))
}
