//! Changes of a file's text. What is not changed stays as it stands, line breaks and all.

use super::find::{Spot, fits, is_scalar};
use super::names::{self, kind_of};
use super::{Edit, Step, Way, file_of, fresh};
use crate::scenario::fields::{Rule, Shape, Table};
use crate::scenario::mistake::Kind;
use crate::scenario::{MOST_BYTES, STRICT};
use jsonc_parser::cst::{CstContainerNode, CstInputValue, CstLeafNode, CstNode, CstObjectProp, CstRootNode};
use serde_json::Value;

/// The most letters that are taken over from one control.
pub const MOST_ENTERED: usize = 100_000;

/// Why a change was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotDone {
    /// There is no such place in the file any more.
    NotThere,
    /// The file would be larger than a file may be.
    TooLarge,
    /// The text is no JSON object, so only the text can be changed.
    NoObject,
}

/// A text that was changed.
pub(super) struct Edited {
    pub text: String,
    /// The way to what was made, if something was that has a form of its own.
    pub made: Option<Way>,
}

/// Changes a text.
pub(super) fn apply(text: &str, edit: &Edit) -> Result<Edited, NotDone> {
    if let Edit::Text(text) = edit {
        return bounded(text.clone(), None);
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = file_of(text).ok_or(NotDone::NoObject)?;
    let tree = CstRootNode::parse(text, &STRICT).map_err(|_| NotDone::NoObject)?;
    let made = change(&tree, &file, edit).ok_or(NotDone::NotThere)?;
    bounded(tree.to_string(), made)
}

fn bounded(text: String, made: Option<Way>) -> Result<Edited, NotDone> {
    if text.len() > MOST_BYTES { Err(NotDone::TooLarge) } else { Ok(Edited { text, made }) }
}

/// Nothing if there is no such place; otherwise the way to what was made, if there is one.
fn change(tree: &CstRootNode, file: &Value, edit: &Edit) -> Option<Option<Way>> {
    let whole = Spot::of_file(file);
    match edit {
        Edit::Text(_) => None,
        Edit::Enter(way, entered) => {
            if entered.len() > MOST_ENTERED {
                return None;
            }
            let spot = whole.at(way);
            let value = spot.map_or_else(|| as_json(entered), |spot| typed(&spot, entered));
            rename(tree, file, way, &value);
            put(tree, way, value)?;
            Some(None)
        }
        Edit::Put(way, json) => {
            let value = serde_json::from_str(json).ok()?;
            rename(tree, file, way, &value);
            put(tree, way, value)?;
            Some(None)
        }
        Edit::Choose(way, name) => {
            let step = Step::Field(name.clone());
            let object = whole.at(way)?;
            let part = [way.as_slice(), &[step]].concat();
            match (object.shape, whole.at(&part)) {
                (Shape::Object(table), Some(spot)) => {
                    let value = fresh::field(file, spot.field?);
                    for other in instead_of(table, name, object.value?) {
                        property(tree, &[way.as_slice(), &[Step::Field(other)]].concat())?.remove();
                    }
                    put(tree, &part, value)?;
                    for other in together(table, name) {
                        let way = [way.as_slice(), &[Step::Field(other)]].concat();
                        if let Some(Spot { value: None, field: Some(field), .. }) = whole.at(&way) {
                            put(tree, &way, fresh::field(file, field))?;
                        }
                    }
                }
                (_, Some(spot)) => put(tree, &part, fresh::value(file, &spot.shape))?,
                _ => return None,
            }
            Some(None)
        }
        Edit::Remove(way) => {
            match way.last()? {
                Step::Field(_) => property(tree, way)?.remove(),
                Step::At(_) => node(tree, way)?.remove(),
            }
            Some(None)
        }
        Edit::Add(way) => {
            let spot = whole.at(way)?;
            let (Shape::List(of, ..) | Shape::OneOrList(of, _)) = spot.shape else { return None };
            append(tree, way, spot.value, fresh::value(file, of))
        }
        Edit::Copy(way) => {
            let (last, list) = way.split_last()?;
            let copied = whole.at(list)?.step(last)?;
            let mut value = copied.value?.clone();
            rename_copy(file, &copied.shape, &mut value);
            append(tree, list, whole.at(list)?.value, value)
        }
    }
}

/// Appends an entry to a list; the way to it.
fn append(tree: &CstRootNode, list: &[Step], before: Option<&Value>, value: Value) -> Option<Option<Way>> {
    let count = before.and_then(Value::as_array).map_or(0, Vec::len) as u32;
    let has_form = value.is_object();
    match before {
        Some(Value::Array(_)) => {
            node(tree, list)?.as_array()?.append(input(value));
        }
        _ => put(tree, list, Value::Array(vec![value]))?,
    }
    Some(has_form.then(|| [list, &[Step::At(count)]].concat()))
}

/// A copy has names that nothing has yet.
fn rename_copy(file: &Value, shape: &Shape, copied: &mut Value) {
    let Shape::Object(table) = shape else { return };
    let Some(kind) = kind_of(table) else { return };
    let name = copied.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut grown = file.clone();
    let free = names::free(file, kind, &name);
    if let Some(members) = copied.get_mut("members").and_then(Value::as_array_mut) {
        for member in members.iter_mut().filter_map(Value::as_object_mut) {
            let like = member.get("name").and_then(Value::as_str).unwrap_or("c1").to_owned();
            let free = names::free(&grown, Kind::Member, &like);
            member.insert("name".to_owned(), Value::from(free.clone()));
            // The next one has to differ from it, too.
            if let Some(groups) = grown.get_mut("groups").and_then(Value::as_array_mut) {
                groups.push(serde_json::json!({ "members": [{ "name": free }] }));
            }
        }
    }
    if let Some(fields) = copied.as_object_mut() {
        fields.insert("name".to_owned(), Value::from(free));
    }
}

/// What refers to a thing follows where the thing gets another name.
fn rename(tree: &CstRootNode, file: &Value, way: &[Step], value: &Value) {
    let Some((Step::Field(field), around)) = way.split_last() else { return };
    let Some(Spot { shape: Shape::Object(table), value: Some(thing), .. }) = Spot::of_file(file).at(around) else {
        return;
    };
    let names = (thing.get("name").and_then(Value::as_str), value.as_str());
    if let (Some(kind), "name", (Some(old), Some(new))) = (kind_of(table), field.as_str(), names) {
        let found = names::renamed(file, kind, old, new);
        for (way, new) in found.values {
            put(tree, &way, Value::from(new));
        }
        for (way, new) in found.fields {
            if let Some((property, value)) =
                property(tree, &way).zip(Spot::of_file(file).at(&way).and_then(|spot| spot.value))
            {
                property.replace_with(&new, input(value.clone()));
            }
        }
    }
}

/// The fields of an object that do not go with another.
fn instead_of(table: &Table, name: &str, object: &Value) -> Vec<String> {
    let mut others = Vec::new();
    for rule in table.description.rules {
        match rule {
            Rule::OneField => others.extend(table.fields.iter().filter(|field| **field != name)),
            Rule::OneOf(sets) => {
                let chosen: Vec<_> = sets.iter().filter(|set| set.contains(&name)).collect();
                if let Some(set) = chosen.first() {
                    others.extend(sets.iter().flat_map(|set| set.iter()).filter(|field| !set.contains(field)));
                }
            }
            Rule::NotBoth(one, other) if *one == name => others.push(other),
            Rule::NotBoth(one, other) if *other == name => others.push(one),
            Rule::NotBoth(..) | Rule::Needs(..) => {}
        }
    }
    // Several rules may say the same.
    let others: std::collections::BTreeSet<&str> = others.into_iter().copied().collect();
    others.into_iter().filter(|other| object.get(other).is_some()).map(str::to_owned).collect()
}

/// The fields that a field is of no use without.
fn together(table: &Table, name: &str) -> Vec<String> {
    let mut others = Vec::new();
    for rule in table.description.rules {
        match rule {
            Rule::OneOf(sets) => {
                others.extend(sets.iter().find(|set| set.contains(&name)).into_iter().flat_map(|set| set.iter()))
            }
            Rule::Needs(field, other) if *field == name => others.push(other),
            Rule::OneField | Rule::Needs(..) | Rule::NotBoth(..) => {}
        }
    }
    others.into_iter().filter(|other| **other != name).map(|other| (*other).to_owned()).collect()
}

/// What somebody typed, as a value of a shape. What cannot be one stays a string, and the reader says what is wrong with it.
fn typed(spot: &Spot, entered: &str) -> Value {
    match spot.shape {
        Shape::List(of, ..) | Shape::OneOrList(of, _) if is_scalar(of) => {
            let parts = entered.split([',', '、', '，']).map(str::trim).filter(|part| !part.is_empty());
            parts.map(|part| scalar(of, part)).collect()
        }
        shape if is_scalar(&shape) => scalar(&shape, entered),
        _ => as_json(entered),
    }
}

fn scalar(shape: &Shape, entered: &str) -> Value {
    let shapes = match shape {
        Shape::Either(shapes) => *shapes,
        shape => std::slice::from_ref(shape),
    };
    // Digits and letters of a Japanese keyboard are meant as those that a number or a length of time has.
    let narrow: String = entered.trim().chars().map(narrow).collect();
    let read: Option<Value> = serde_json::from_str(&narrow).ok();
    if let Some(value) = read.filter(|value| !value.is_string() && shapes.iter().any(|shape| fits(shape, value))) {
        return value;
    }
    let is_free = shapes.iter().any(|shape| matches!(shape, Shape::Str));
    Value::from(if is_free { entered.to_owned() } else { narrow })
}

fn narrow(letter: char) -> char {
    match letter {
        '！'..='～' => char::from_u32(letter as u32 - '！' as u32 + '!' as u32).unwrap_or(letter),
        _ => letter,
    }
}

fn as_json(entered: &str) -> Value {
    serde_json::from_str(entered).unwrap_or_else(|_| Value::from(entered))
}

/// Puts a value at the end of a way; objects on the way are made.
fn put(tree: &CstRootNode, way: &[Step], value: Value) -> Option<()> {
    match way.split_last()? {
        (Step::Field(name), around) => {
            let object = match node(tree, around) {
                Some(node) => node.as_object()?,
                None => {
                    put(tree, around, Value::Object(serde_json::Map::new()))?;
                    node(tree, around)?.as_object()?
                }
            };
            match object.get(name) {
                Some(property) => property.set_value(input(value)),
                None => {
                    object.append(name, input(value));
                }
            }
        }
        (Step::At(_), _) => {
            replace(node(tree, way)?, input(value));
        }
    }
    Some(())
}

fn replace(node: CstNode, value: CstInputValue) {
    match node {
        CstNode::Container(CstContainerNode::Object(node)) => node.replace_with(value),
        CstNode::Container(CstContainerNode::Array(node)) => node.replace_with(value),
        CstNode::Leaf(CstLeafNode::BooleanLit(node)) => node.replace_with(value),
        CstNode::Leaf(CstLeafNode::NullKeyword(node)) => node.replace_with(value),
        CstNode::Leaf(CstLeafNode::NumberLit(node)) => node.replace_with(value),
        CstNode::Leaf(CstLeafNode::StringLit(node)) => node.replace_with(value),
        _ => None,
    };
}

fn node(tree: &CstRootNode, way: &[Step]) -> Option<CstNode> {
    way.iter().try_fold(tree.value()?, |node, step| match step {
        Step::Field(name) => node.as_object()?.get(name)?.value(),
        Step::At(at) => node.as_array()?.elements().into_iter().nth(*at as usize),
    })
}

fn property(tree: &CstRootNode, way: &[Step]) -> Option<CstObjectProp> {
    let (Step::Field(name), around) = way.split_last()? else { return None };
    node(tree, around)?.as_object()?.get(name)
}

fn input(value: Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value),
        Value::Array(values) => CstInputValue::Array(values.into_iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.into_iter().map(|(name, value)| (name, input(value))).collect())
        }
    }
}
