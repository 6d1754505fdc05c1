//! Random scenario files, made from the description of the format: a new field takes part as soon as it is described.

use crate::tape::Tape;
use crate::walk::objects;
use logstep::scenario::fields::{
    AIOKAFKA_CONSUMER_SETTINGS, CONSUMER_SETTINGS, Default, Field, KAFKA_PYTHON_CONSUMER_SETTINGS,
    KAFKAJS_CONSUMER_SETTINGS, LIBRDKAFKA_CONSUMER_SETTINGS, Rule, SCENARIO, Shape, Table,
};
use logstep::scenario::mistake::Kind;
use logstep::scenario::{Mistake, Problem, Version, duration, read};
use logstep::sim::Span;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The lists that decide which names there are; everything else only refers to them.
#[derive(Default)]
struct Names {
    topics: Vec<(String, u16)>,
    producers: Vec<String>,
    groups: Vec<String>,
    members: Vec<String>,
    sinks: Vec<String>,
}

impl Names {
    fn of(&self, kind: Kind, tape: &mut Tape<'_>) -> String {
        let names = match kind {
            Kind::Topic => return self.topic(tape).0,
            Kind::Partition => {
                let (topic, partitions) = self.topic(tape);
                return format!("{topic}-{}", tape.below(usize::from(partitions)));
            }
            Kind::Producer => &self.producers,
            Kind::Group => &self.groups,
            Kind::Member => &self.members,
            Kind::Sink => &self.sinks,
        };
        names.get(tape.below(names.len())).cloned().unwrap_or_else(|| "nobody".to_owned())
    }

    fn topic(&self, tape: &mut Tape<'_>) -> (String, u16) {
        self.topics[tape.below(self.topics.len())].clone()
    }
}

struct Generator<'t, 'n> {
    tape: &'t mut Tape<'n>,
    names: Names,
    ends_at: u64,
    version: String,
    /// One value in so many hundred is strange.
    strange: u32,
}

/// Values that stand anywhere, and hardly ever rightly so.
fn strange(tape: &mut Tape<'_>) -> Value {
    let values = [
        json!(null),
        json!(""),
        json!("\u{0}\u{202e}\u{1f980}e\u{301}"),
        json!("t0-99999999999999999999"),
        json!("t0-00"),
        json!("0us"),
        json!("99999999999999999999d"),
        json!("1.0000001s"),
        json!(-1),
        json!(0),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1.5),
        json!(1e300),
        json!(true),
        json!([]),
        json!([[[[]]]]),
        json!({}),
        json!({ "": { "": null } }),
    ];
    values[tape.below(values.len())].clone()
}

/// A scenario file: right in most cases, because what the reader found wrong is taken out again.
pub fn file(numbers: &[u32]) -> Value {
    let tape = &mut Tape::new(numbers);
    let mut names = Names::default();
    for number in 0..1 + tape.below(3) {
        names.topics.push((format!("t{number}"), tape.pick(&[1, 2, 3, 5, 12])));
    }
    let named = |letter: char, count: usize| (0..count).map(|number| format!("{letter}{number}")).collect();
    names.producers = named('p', 1 + tape.below(3));
    names.groups = named('g', 1 + tape.below(3));
    names.sinks = named('s', tape.below(2));
    names.members = named('c', names.groups.len() + tape.below(4));
    let seconds = tape.pick(&[60, 1, 10, 90, 300, 3_600, 86_400, 2_592_000]);
    let versions: Vec<String> = Version::all().map(|version| version.to_string()).collect();
    let version = versions[versions.len() - 1 - tape.below(versions.len())].clone();
    let strange = tape.pick(&[0, 0, 0, 1, 4]);
    let mut generator = Generator { tape, names, ends_at: seconds * 1_000_000, version, strange };
    let mut file = generator.object(&SCENARIO, 0);
    if strange == 0 {
        mend(&mut generator, &mut file);
    }
    file
}

impl Generator<'_, '_> {
    fn object(&mut self, table: &'static Table, depth: u32) -> Value {
        let mut fields = Map::new();
        // What depends on the client comes behind it.
        let mut chosen = self.chosen(table, depth);
        chosen.sort_by_key(|field| matches!(field.shape, Shape::ByFamily(_)));
        for field in chosen {
            let value = match field.shape {
                Shape::ByFamily(tables) => {
                    let family = fields.get("client").and_then(|client: &Value| client["family"].as_str());
                    let of_family = tables.iter().find(|(of, _)| family == Some(of)).unwrap_or(&tables[0]);
                    self.object(of_family.1, depth + 1)
                }
                _ => self.field(table, field, depth),
            };
            fields.insert(field.name.to_owned(), value);
        }
        if let ("client" | "producer_client", Some(family), 1..) =
            (table.name, fields.get("family"), self.tape.below(20))
        {
            let version = match family.as_str() {
                Some("librdkafka") => "2.16",
                Some("kafkajs") => "2.2",
                Some("kafka-python") => "3.0",
                Some("aiokafka") => "0.14",
                _ => &self.version,
            };
            fields.insert("version".to_owned(), json!(version));
        }
        Value::Object(fields)
    }

    /// Has a group or a member say what its client library knows.
    fn suit(&mut self, entry: &mut Value, family: &str, depth: u32) {
        let knows = |library: &str| family == library;
        if let Some(handling) = entry.get_mut("handling").and_then(Value::as_object_mut) {
            if !knows("librdkafka") {
                handling.remove("max_records");
            }
            if knows("kafkajs") {
                handling.remove("pool");
            }
            if let Some(commit) = handling.get_mut("commit").and_then(Value::as_object_mut).filter(|_| knows("kafkajs"))
            {
                commit.remove("on_revoke");
            }
        }
        if entry.get("settings").is_some_and(Value::is_object) || entry.get("client").is_some() {
            let table = match family {
                "librdkafka" => &LIBRDKAFKA_CONSUMER_SETTINGS,
                "kafkajs" => &KAFKAJS_CONSUMER_SETTINGS,
                "kafka-python" => &KAFKA_PYTHON_CONSUMER_SETTINGS,
                "aiokafka" => &AIOKAFKA_CONSUMER_SETTINGS,
                _ => &CONSUMER_SETTINGS,
            };
            entry["settings"] = self.object(table, depth + 1);
        }
    }

    /// The fields that an object gets: as the table's rules have it.
    fn chosen(&mut self, table: &'static Table, depth: u32) -> Vec<&'static Field> {
        let all = table.description.fields;
        let share = if depth == 0 { 60 } else { 35 };
        let mut chosen: Vec<bool> =
            all.iter().map(|field| table.required.contains(&field.name) || self.tape.percent(share)).collect();
        let at = |name: &str| all.iter().position(|field| field.name == name).expect("a rule names fields");
        for rule in table.description.rules {
            match *rule {
                Rule::OneField => {
                    let which = self.tape.below(all.len());
                    chosen.iter_mut().enumerate().for_each(|(index, is)| *is = index == which);
                }
                Rule::OneOf(sets) => {
                    // Many actions set something: of these there are most kinds.
                    let setting = sets.iter().position(|set| set.contains(&"set")).filter(|_| self.tape.percent(40));
                    let which = setting.unwrap_or_else(|| self.tape.below(sets.len()));
                    sets.iter().flat_map(|set| *set).for_each(|name| chosen[at(name)] = false);
                    sets[which].iter().for_each(|name| chosen[at(name)] = true);
                }
                Rule::Needs(field, other) => chosen[at(field)] &= chosen[at(other)],
                Rule::NotBoth(field, other) => chosen[at(field)] &= !chosen[at(other)],
            }
        }
        all.iter().zip(chosen).filter(|(_, is)| *is).map(|(field, _)| field).collect()
    }

    fn field(&mut self, table: &'static Table, field: &'static Field, depth: u32) -> Value {
        match (table.name, field.name) {
            ("scenario", "ends_at") => json!(duration::write(Span::from_micros(self.ends_at))),
            ("scenario", "topics") => self.named_objects(field, depth, self.names.topics.len()),
            ("scenario", "producers") => self.named_objects(field, depth, self.names.producers.len()),
            ("scenario", "groups") => self.groups(field, depth),
            ("scenario", "sinks") => self.named_objects(field, depth, self.names.sinks.len()),
            ("cluster", "kafka") => json!(self.version),
            (_, "version") if self.tape.percent(80) => json!(self.version),
            _ => self.value(&field.shape, &field.default, depth),
        }
    }

    fn named_objects(&mut self, field: &'static Field, depth: u32, count: usize) -> Value {
        let Shape::List(Shape::Object(table), ..) = field.shape else {
            panic!("{} is a list of objects", field.name);
        };
        let mut list = Vec::new();
        for index in 0..count {
            let mut entry = self.object(table, depth + 1);
            let name = match field.name {
                "topics" => {
                    entry["partitions"] = json!(self.names.topics[index].1);
                    &self.names.topics[index].0
                }
                "producers" => &self.names.producers[index],
                "groups" => &self.names.groups[index],
                _ => &self.names.sinks[index],
            };
            entry["name"] = json!(name);
            list.push(entry);
        }
        list.into()
    }

    /// The members are dealt to the groups in turn.
    fn groups(&mut self, field: &'static Field, depth: u32) -> Value {
        let mut groups = self.named_objects(field, depth, self.names.groups.len());
        let groups_list = groups.as_array_mut().expect("a list");
        let count = groups_list.len();
        for (index, group) in groups_list.iter_mut().enumerate() {
            let family_of =
                |entry: &Value| entry.get("client").and_then(|client| client["family"].as_str()).map(str::to_owned);
            let of_group = family_of(group).unwrap_or_else(|| "java".to_owned());
            let mut like = group["members"].get(0).filter(|member| member.is_object()).cloned().unwrap_or(json!({}));
            let of_member = family_of(&like).unwrap_or_else(|| of_group.clone());
            if self.strange == 0 {
                self.suit(group, &of_group, depth);
                self.suit(&mut like, &of_member, depth);
            }
            let named = |name: &String| {
                let mut member = like.clone();
                member["name"] = json!(name);
                member
            };
            group["members"] = self.names.members.iter().skip(index).step_by(count).map(named).collect();
        }
        groups
    }

    fn value(&mut self, shape: &Shape, default: &Default, depth: u32) -> Value {
        if self.strange > 0 && self.tape.percent(self.strange) {
            return strange(self.tape);
        }
        match (default, self.tape.percent(20)) {
            (Default::Json(json), true) => serde_json::from_str(json).expect("a default is JSON"),
            _ => self.plain(shape, depth),
        }
    }

    fn plain(&mut self, shape: &Shape, depth: u32) -> Value {
        let anything = &Default::Nothing;
        match *shape {
            Shape::Exactly(word) => json!(word),
            Shape::Words(words) => json!(words[self.tape.below(words.len())].word),
            Shape::Str => self.text(),
            Shape::Name => json!(format!("n{}", self.tape.below(4))),
            Shape::Ref(kind) => json!(self.names.of(kind, self.tape)),
            Shape::RefClient => {
                let kind = if self.tape.percent(50) { Kind::Member } else { Kind::Producer };
                json!(self.names.of(kind, self.tape))
            }
            Shape::Signed(most) => {
                let size = self.whole(0, most, &[1, 4, 12, 50]) as i64;
                json!(if self.tape.percent(50) { size } else { -size })
            }
            Shape::Release => {
                let all: Vec<_> = Version::all().collect();
                json!(all[self.tape.below(all.len())].to_string())
            }
            Shape::Bool => json!(self.tape.percent(50)),
            Shape::Whole(least, most) => json!(self.whole(least, most, &[1, 4, 12, 50])),
            Shape::Millis(least, most) => json!(self.whole(least, most, &[1_000, 5, 10_000, 60_000])),
            Shape::Duration(least, most) => {
                let scales = [1_000_000, 1, 5_000, 300_000, 20_000_000, 4_000_000_000];
                let micros = self.whole(least.as_micros(), most.as_micros(), &scales);
                json!(duration::write(Span::from_micros(micros)))
            }
            Shape::IsoAfter(prefix) => json!(format!("{prefix}{}", self.tape.pick(&["PT1S", "PT10M", "P1D", "PT0S"]))),
            Shape::Moment => {
                let part = u64::from(self.tape.next() % 1_001);
                let micros = self.ends_at / 1_000 * part / self.tape.pick(&[10, 1, 100]);
                json!(duration::write(Span::from_micros(micros)))
            }
            Shape::Null => Value::Null,
            Shape::Object(table) => match table.description.or {
                [or] if self.tape.percent(40) => self.value(or, anything, depth + 1),
                _ => self.object(table, depth + 1),
            },
            Shape::ByFamily(tables) => {
                let (_, table) = tables[self.tape.below(tables.len())];
                self.object(table, depth + 1)
            }
            Shape::AnyOf(tables) => {
                let table = tables[self.tape.below(tables.len())];
                self.object(table, depth + 1)
            }
            Shape::List(of, least, most) => self.list(of, least, most, depth),
            Shape::OneOrList(of, _) if !self.tape.percent(30) => self.value(of, anything, depth),
            Shape::OneOrList(of, most) => self.list(of, 1, most, depth),
            Shape::MapOf(kind, of) => {
                let count = 1 + self.tape.below(2);
                (0..count)
                    .map(|_| (self.names.of(kind, self.tape), self.value(of, anything, depth + 1)))
                    .collect::<Map<_, _>>()
                    .into()
            }
            Shape::MapOfKeys(of) => Map::from_iter([("key-1".to_owned(), self.value(of, anything, depth + 1))]).into(),
            Shape::MapOfWords(words, of) => {
                let word = words[self.tape.below(words.len())].word;
                Map::from_iter([(word.to_owned(), self.value(of, anything, depth + 1))]).into()
            }
            Shape::Either(shapes) => {
                let which = self.tape.below(shapes.len());
                self.value(&shapes[which], anything, depth)
            }
        }
    }

    fn list(&mut self, of: &Shape, least: u32, most: u32, depth: u32) -> Value {
        let count = least.max(self.tape.pick(&[1, 0, 2, 3, 6])).min(most);
        (0..count).map(|_| self.value(of, &Default::Nothing, depth + 1)).collect()
    }

    /// Small numbers of one of these scales, and now and then an end of the range.
    fn whole(&mut self, least: u64, most: u64, scales: &[u64]) -> u64 {
        match self.tape.next() % 80 {
            78 => least,
            79 => most,
            _ => {
                let scale = self.tape.pick(scales);
                let part = u64::from(1 + self.tape.next() % 10);
                least.saturating_add(scale * part / 10).min(most)
            }
        }
    }

    fn text(&mut self) -> Value {
        let texts = [
            "k1",
            "k2",
            "",
            "注文",
            "\u{1f980} \u{202e}<b>&\"'\\",
            "assigned t0-0",
            "e\u{301}\u{0}\n",
            "a text that is longer than the place that it will be shown in, so that it has to be cut somewhere",
        ];
        json!(self.tape.pick(&texts))
    }
}

/// Takes out or makes anew what the reader complains about, as long as it does.
fn mend(generator: &mut Generator<'_, '_>, file: &mut Value) {
    for _ in 0..12 {
        let Err(mistakes) = read(&file.to_string()) else {
            return;
        };
        let places = places(file);
        // Later entries first, so that the places of the others stay right.
        for mistake in mistakes.iter().rev() {
            mend_one(generator, file, &places, mistake);
        }
    }
}

/// Every field that the file's objects may have, by the reader's path: the object's place, its kind, the field.
type Places = BTreeMap<String, (String, &'static Table, &'static Field)>;

fn places(file: &Value) -> Places {
    let found = objects(file).into_iter().flat_map(|found| {
        let fields = found.table.description.fields.iter();
        let places = fields.map(|field| (found.path_of(field.name), (found.pointer.clone(), found.table, field)));
        places.collect::<Vec<_>>()
    });
    found.collect()
}

fn mend_one(generator: &mut Generator<'_, '_>, file: &mut Value, places: &Places, mistake: &Mistake) {
    // An entry of a list is best left out.
    if let Some((list, index)) = mistake.path.strip_suffix(']').and_then(|path| path.rsplit_once('[')) {
        if let (Some((pointer, _, field)), Ok(index)) = (places.get(list), index.parse::<usize>())
            && let Some(entries) =
                file.pointer_mut(pointer).and_then(|object| object.get_mut(field.name)?.as_array_mut())
            && index < entries.len()
        {
            entries.remove(index);
        }
        return;
    }
    let lacking = match &mistake.problem {
        Problem::MissingField { field } if mistake.path.is_empty() => Some(field.clone()),
        Problem::MissingField { field } => Some(format!("{}.{field}", mistake.path)),
        _ => None,
    };
    // So is an entry under a name that does not exist.
    if let Problem::NotThere { name, .. } = &mistake.problem
        && let Some(parent) = mistake.path.strip_suffix(name.as_str()).and_then(|path| path.strip_suffix('.'))
        && let Some((pointer, _, field)) = places.get(parent)
    {
        let entries = file.pointer_mut(pointer).and_then(|object| object.get_mut(field.name)?.as_object_mut());
        entries.and_then(|entries| entries.remove(name));
        return;
    }
    let Some((pointer, table, field)) = places.get(lacking.as_ref().unwrap_or(&mistake.path)) else {
        return;
    };
    // Of its many fields, two go together with each other and with the client of a member.
    if table.name == "set"
        && let Some(object) = file.pointer_mut(pointer)
    {
        *object = generator.object(table, 1);
        return;
    }
    let again = table.required.contains(&field.name) || lacking.is_some() || generator.tape.percent(30);
    let value = match &mistake.problem {
        Problem::NotOneOf { allowed, .. } if generator.tape.percent(80) => {
            Some(json!(allowed[generator.tape.below(allowed.len())]))
        }
        _ => again.then(|| generator.field(table, field, 1)),
    };
    let Some(fields) = file.pointer_mut(pointer).and_then(Value::as_object_mut) else {
        return;
    };
    match value {
        Some(value) => fields.insert(field.name.to_owned(), value),
        None => fields.remove(field.name),
    };
}
