//! The form of one object of a file: what it says, what it may say besides, and within which bounds.

use super::find::{Spot, behind, fits, is_scalar, join, path_of};
use super::names::names;
use super::{Step, Way, fresh, summary};
use crate::scenario::Mistake;
use crate::scenario::fields::{self, Rule, Shape, Table, Word};
use crate::scenario::mistake::Kind;
use crate::text::{self, Lang};
use borsh::{BorshDeserialize, BorshSerialize};
use serde_json::Value;

/// The most entries of a list that are offered one by one.
const MOST_ENTRIES: usize = 100;
/// The most names that a choice offers; of more, the name is typed.
const MOST_NAMES: usize = 100;
/// The deepest nesting of forms in a form.
const DEEPEST: u32 = 6;

/// The form of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Form {
    /// What the object is.
    pub about: String,
    /// What it says, in the order of the format.
    pub fields: Vec<Field>,
    /// What it may say besides.
    pub absent: Vec<Absent>,
    /// What is wrong with it as a whole.
    pub mistakes: Vec<String>,
}

/// A field of a form.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Field {
    /// Its name, as in the file.
    pub name: String,
    /// The way to it.
    pub way: Way,
    /// What it means.
    pub about: String,
    /// What it may be.
    pub limits: String,
    /// What holds without it.
    pub default: String,
    /// True if the object may do without it.
    pub can_go: bool,
    /// What else it may be, as JSON with its name: a number in place of a list, and so on.
    pub kinds: Vec<Choice>,
    /// How it is changed.
    pub control: Control,
    /// What is wrong with it.
    pub mistakes: Vec<String>,
}

/// A value to choose.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Choice {
    /// As JSON.
    pub json: String,
    /// As a person reads it.
    pub label: String,
}

/// How a value is changed.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Control {
    /// By typing it.
    Text {
        /// The value.
        value: String,
        /// Words that it may be, besides others.
        words: Vec<String>,
        /// True if only digits make sense.
        is_number: bool,
    },
    /// By choosing one of these.
    Choice {
        /// The value as JSON.
        value: String,
        /// What may be chosen. Where the value is none of it, it comes first.
        options: Vec<Choice>,
    },
    /// By a form of its own, in its place.
    Object(Form),
    /// Entry by entry.
    List {
        /// The first of them.
        entries: Vec<Entry>,
        /// How many more there are.
        more: u32,
        /// True as long as there may be another one.
        can_grow: bool,
    },
    /// Name by name.
    Map {
        /// What is there.
        fields: Vec<Field>,
        /// Names that may be added.
        names: Vec<String>,
        /// True if any other name may be, too.
        is_open: bool,
    },
    /// As it stands in the file.
    Json(String),
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Entry {
    /// The way to it.
    pub way: Way,
    /// What it is.
    pub line: String,
    /// True if it is an object, whose form can be opened.
    pub has_form: bool,
    /// True if something is wrong in it.
    pub is_wrong: bool,
}

/// A field that is not there.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Absent {
    /// Its name.
    pub name: String,
    /// What it means, and what holds without it.
    pub about: String,
}

/// The form of the object at the end of a way.
pub(super) fn form(lang: Lang, file: &Value, way: &[Step], mistakes: &[Mistake]) -> Option<Form> {
    let spot = Spot::of_file(file).at(way)?;
    let told: Vec<Told> = mistakes
        .iter()
        .map(|mistake| Told { path: &mistake.path, text: text::mistake::problem(lang, &mistake.problem) })
        .collect();
    Forms { lang, file, told }.object(&spot, way, 0)
}

/// The way to an object, step by step, with the names of what is passed.
pub(super) fn trail(lang: Lang, file: &Value, way: &[Step]) -> Vec<(String, Way)> {
    let whole = Spot::of_file(file);
    let mut trail = vec![(text::lab::whole(lang).to_owned(), Way::new())];
    for length in 1..=way.len() {
        let (part, last) = (&way[..length], &way[length - 1]);
        let Some(spot) = whole.at(part) else { break };
        if !matches!(spot.shape, Shape::Object(_)) {
            continue;
        }
        let name = match last {
            Step::Field(name) => name.clone(),
            Step::At(at) => {
                let list = match part.get(length.wrapping_sub(2)) {
                    Some(Step::Field(list)) => list.as_str(),
                    _ => "",
                };
                let named = spot.value.and_then(|value| value.get("name")?.as_str());
                named.map_or_else(|| format!("{list} {}", at + 1), str::to_owned)
            }
        };
        trail.push((name, part.to_vec()));
    }
    trail
}

/// A mistake in words.
struct Told<'m> {
    path: &'m str,
    text: String,
}

struct Forms<'m> {
    lang: Lang,
    file: &'m Value,
    told: Vec<Told<'m>>,
}

impl Forms<'_> {
    fn object(&self, spot: &Spot, way: &[Step], depth: u32) -> Option<Form> {
        let Shape::Object(table) = spot.shape else { return None };
        let there = spot.value?.as_object()?;
        let mut fields = Vec::new();
        let mut absent = Vec::new();
        for field in table.description.fields.iter().filter(|field| !matches!(field.shape, Shape::Exactly(_))) {
            let step = Step::Field(field.name.to_owned());
            match spot.step(&step) {
                Some(part) if part.value.is_some() => {
                    let can_go = !table.required.contains(&field.name);
                    fields.push(self.field(&part, [way, &[step]].concat(), field.name, can_go, depth));
                }
                // The parts of a world can be added to at once.
                Some(part) if way.is_empty() && is_list_of_things(&part.shape) => {
                    let control = Control::List { entries: Vec::new(), more: 0, can_grow: true };
                    let mut field = self.described(&part, [way, &[step]].concat(), field.name, control);
                    field.can_go = false;
                    fields.push(field);
                }
                _ => absent.push(Absent { name: field.name.to_owned(), about: self.about_absent(table, field) }),
            }
        }
        for (name, value) in there.iter().filter(|(name, _)| !table.fields.contains(&name.as_str())) {
            let way = [way, &[Step::Field(name.clone())]].concat();
            let mistakes = self.told_in(&path_of(&way));
            fields.push(Field {
                name: name.clone(),
                about: String::new(),
                limits: String::new(),
                default: String::new(),
                can_go: true,
                kinds: Vec::new(),
                control: Control::Json(value.to_string()),
                mistakes,
                way,
            });
        }
        let path = path_of(way);
        // What is told at a field that is there is told beside it.
        let is_elsewhere = |told: &&Told| {
            let is_in = |field: &Field| behind(told.path, &path_of(&field.way)).is_some();
            behind(told.path, &path).is_none() || fields.iter().any(is_in)
        };
        let mistakes = self.told.iter().filter(|told| !is_elsewhere(told)).map(|told| told.text.clone()).collect();
        Some(Form { about: table.description.about.pick(self.lang).to_owned(), fields, absent, mistakes })
    }

    fn about_absent(&self, table: &Table, field: &fields::Field) -> String {
        let default = text::lab::default(self.lang, &field.default);
        let instead = table.description.rules.iter().find_map(|rule| match rule {
            Rule::OneOf(sets) if sets.iter().any(|set| set.contains(&field.name)) => {
                Some(text::lab::instead(self.lang))
            }
            Rule::OneField => Some(text::lab::instead(self.lang)),
            _ => None,
        });
        [field.about.pick(self.lang), &default, instead.unwrap_or_default()]
            .iter()
            .filter(|part| !part.is_empty())
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(self.lang.pick("", " "))
    }

    fn field(&self, spot: &Spot, way: Way, name: &str, can_go: bool, depth: u32) -> Field {
        let control = self.control(spot, &way, depth);
        Field { can_go, ..self.described(spot, way, name, control) }
    }

    fn described(&self, spot: &Spot, way: Way, name: &str, control: Control) -> Field {
        let path = path_of(&way);
        let exactly = || self.told.iter().filter(|told| told.path == path).map(|told| told.text.clone()).collect();
        let mistakes = match control {
            Control::Object(_) => Vec::new(),
            Control::Map { .. } | Control::List { .. } => exactly(),
            Control::Text { .. } | Control::Choice { .. } | Control::Json(_) => self.told_in(&path),
        };
        let limits = match (&control, spot.shape) {
            (Control::Json(_), _) => text::lab::as_json(self.lang).to_owned(),
            (Control::List { .. }, Shape::List(_, least, most)) => text::lab::entries(self.lang, least, most),
            (_, shape) => text::lab::limits(self.lang, &shape),
        };
        let of = spot.field;
        // How many there are says more than that there need not be any.
        let is_list = matches!(control, Control::List { .. });
        let default = of.filter(|_| !is_list).map(|field| text::lab::default(self.lang, &field.default));
        Field {
            name: name.to_owned(),
            about: of.map(|field| field.about.pick(self.lang).to_owned()).unwrap_or_default(),
            limits,
            default: default.unwrap_or_default(),
            can_go: true,
            kinds: of.map(|field| self.kinds(spot, &field.shape)).unwrap_or_default(),
            control,
            mistakes,
            way,
        }
    }

    /// The mistakes at a path and below.
    fn told_in(&self, path: &str) -> Vec<String> {
        self.told.iter().filter(|told| behind(told.path, path).is_some()).map(|told| told.text.clone()).collect()
    }

    /// What else than it is a value may be.
    fn kinds(&self, spot: &Spot, of: &Shape) -> Vec<Choice> {
        let Some(value) = spot.value else { return Vec::new() };
        let others: Vec<Shape> = match of {
            Shape::Either(shapes) if shapes.iter().any(|shape| !is_scalar(shape)) => {
                shapes.iter().filter(|shape| !fits(shape, value)).copied().collect()
            }
            Shape::Object(table) if value.is_object() => table.description.or.to_vec(),
            Shape::Object(_) => vec![*of],
            _ => Vec::new(),
        };
        let kind = |shape: &Shape| Choice {
            json: fresh::value(self.file, shape).to_string(),
            label: text::lab::kind_of_value(self.lang, shape),
        };
        others.iter().map(kind).collect()
    }

    fn control(&self, spot: &Spot, way: &[Step], depth: u32) -> Control {
        let Some(value) = spot.value else { return Control::Json(String::new()) };
        let raw = || Control::Json(value.to_string());
        match &spot.shape {
            Shape::Object(_) if depth < DEEPEST => self.object(spot, way, depth + 1).map_or_else(raw, Control::Object),
            Shape::List(of, _, most) if !is_scalar(of) => match value {
                Value::Array(entries) => self.list(spot, entries, way, *most),
                _ => raw(),
            },
            Shape::List(of, ..) | Shape::OneOrList(of, _) if is_scalar(of) => {
                self.scalars(of, value).unwrap_or_else(raw)
            }
            Shape::MapOf(kind, _) => self.map(spot, way, depth, names(self.file, *kind), false).unwrap_or_else(raw),
            Shape::MapOfKeys(_) => self.map(spot, way, depth, Vec::new(), true).unwrap_or_else(raw),
            Shape::MapOfWords(words, _) => {
                let names = words.iter().map(|word| word.word.to_owned()).collect();
                self.map(spot, way, depth, names, false).unwrap_or_else(raw)
            }
            shape if is_scalar(shape) => self.scalar(shape, value).unwrap_or_else(raw),
            _ => raw(),
        }
    }

    fn list(&self, spot: &Spot, entries: &[Value], way: &[Step], most: u32) -> Control {
        let entry = |(at, entry): (u32, &Value)| {
            let step = Step::At(at);
            let has_form =
                entry.is_object() && spot.step(&step).is_some_and(|spot| matches!(spot.shape, Shape::Object(_)));
            let path = join(&path_of(way), &step);
            let is_wrong = self.told.iter().any(|told| behind(told.path, &path).is_some());
            Entry { way: [way, &[step]].concat(), line: summary::of_entry(self.lang, entry), has_form, is_wrong }
        };
        Control::List {
            entries: (0..).zip(entries).take(MOST_ENTRIES).map(entry).collect(),
            more: entries.len().saturating_sub(MOST_ENTRIES) as u32,
            can_grow: entries.len() < most as usize,
        }
    }

    fn map(&self, spot: &Spot, way: &[Step], depth: u32, names: Vec<String>, is_open: bool) -> Option<Control> {
        let there = spot.value?.as_object()?;
        let field = |name: &String| {
            let step = Step::Field(name.clone());
            let part = spot.step(&step)?;
            Some(self.field(&part, [way, &[step]].concat(), name, true, depth + 1))
        };
        let free = names.into_iter().filter(|name| !there.contains_key(name)).take(MOST_NAMES).collect();
        Some(Control::Map { fields: there.keys().filter_map(field).collect(), names: free, is_open })
    }

    /// A list of words or numbers, in one line.
    fn scalars(&self, of: &Shape, value: &Value) -> Option<Control> {
        let parts = match value {
            Value::Array(parts) => parts.as_slice(),
            part => std::slice::from_ref(part),
        };
        let word = |part: &Value| match part {
            Value::String(text) if text.contains([',', '、', '，']) || text.trim() != text || text.is_empty() => None,
            Value::String(text) => Some(text.clone()),
            Value::Array(_) | Value::Object(_) => None,
            other => Some(other.to_string()),
        };
        let parts: Option<Vec<String>> = parts.iter().map(word).collect();
        Some(Control::Text { value: parts?.join(", "), words: self.words(of), is_number: false })
    }

    fn scalar(&self, shape: &Shape, value: &Value) -> Option<Control> {
        let json = value.to_string();
        let options = match shape {
            Shape::Bool => {
                Some(["true", "false"].map(|word| Choice { json: word.to_owned(), label: word.to_owned() }).to_vec())
            }
            Shape::Words(words) => Some(self.in_words(words)),
            Shape::Ref(_) | Shape::RefClient => {
                let names = self.words(shape);
                (names.len() <= MOST_NAMES).then(|| {
                    names
                        .iter()
                        .map(|name| Choice { json: Value::from(name.as_str()).to_string(), label: name.clone() })
                        .collect()
                })
            }
            _ => None,
        };
        if let Some(mut options) = options {
            if !options.iter().any(|option| option.json == json) {
                options.insert(0, Choice { json: json.clone(), label: unquoted(value) });
            }
            return Some(Control::Choice { value: json, options });
        }
        if value.is_array() || value.is_object() {
            return None;
        }
        let is_number = matches!(shape, Shape::Whole(..) | Shape::Millis(..));
        Some(Control::Text { value: unquoted(value), words: self.words(shape), is_number })
    }

    fn in_words(&self, words: &[Word]) -> Vec<Choice> {
        let choice = |word: &Word| Choice {
            json: Value::from(word.word).to_string(),
            label: text::lab::word(self.lang, word.word, word.about.pick(self.lang)),
        };
        words.iter().map(choice).collect()
    }

    /// Words that a value may be.
    fn words(&self, shape: &Shape) -> Vec<String> {
        match shape {
            Shape::Words(words) => words.iter().map(|word| word.word.to_owned()).collect(),
            Shape::Ref(kind) => names(self.file, *kind),
            Shape::RefClient => [names(self.file, Kind::Member), names(self.file, Kind::Producer)].concat(),
            Shape::Null => vec!["null".to_owned()],
            Shape::Either(shapes) => shapes.iter().flat_map(|shape| self.words(shape)).collect(),
            _ => Vec::new(),
        }
    }
}

/// True for a list whose entries have forms of their own.
fn is_list_of_things(shape: &Shape) -> bool {
    matches!(shape, Shape::List(of, ..) if !is_scalar(of))
}

fn unquoted(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The language of a text of the tables.
trait InLang {
    fn pick(&self, lang: Lang) -> &'static str;
}

impl InLang for fields::Text {
    fn pick(&self, lang: Lang) -> &'static str {
        lang.pick(self.ja, self.en)
    }
}
