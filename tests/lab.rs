//! The lab: whatever is built in it is a file, and the file says the same.

use logstep::lab::{
    Answer, Control, Edit, Field, Form, Request, Source, Step, Way, answer_in_bytes, templates::TEMPLATES,
};
use logstep::publish::EXAMPLES;
use logstep::reading::Reading;
use logstep::scenario::{compiled, library::BUILT_IN, read};
use logstep::sim::{Progress, Simulation};
use logstep::text::{Lang, lab};
use proptest::prelude::*;
use proptest::sample::Index;

/// The most steps of a run whose digest is compared.
const MOST_STEPS: u32 = 3_000;

fn ask(text: &str, edit: Option<Edit>, place: &[Step]) -> Answer {
    let request = Request { source: Source::Text(text.to_owned()), edit, place: place.to_vec(), is_japanese: false };
    request.answer().expect("a text is always answered")
}

fn edited(text: &str, edit: Edit) -> Answer {
    let answer = ask(text, Some(edit.clone()), &[]);
    assert_eq!(answer.not_done, None, "{edit:?}");
    answer
}

/// The way that the words of a test say: `groups 0 members`.
fn way(words: &str) -> Way {
    let step = |word: &str| word.parse().map_or_else(|_| Step::Field(word.to_owned()), Step::At);
    words.split(' ').filter(|word| !word.is_empty()).map(step).collect()
}

fn is_good(answer: &Answer) -> bool {
    matches!(answer.reading, Reading::Scenario(..))
}

fn mistakes(answer: &Answer) -> Vec<String> {
    match &answer.reading {
        Reading::Mistakes(mistakes) => mistakes.iter().map(|mistake| mistake.text.en().to_string()).collect(),
        _ => Vec::new(),
    }
}

fn template(name: &str) -> &'static str {
    TEMPLATES.iter().find(|template| template.name == name).expect(name).source
}

/// Every file that there is to begin with.
fn files() -> Vec<&'static str> {
    let built_in = BUILT_IN.iter().map(|story| story.source);
    let examples = EXAMPLES.iter().map(|example| example.source);
    built_in.chain(examples).chain(TEMPLATES.iter().map(|template| template.source)).collect()
}

/// All forms of a file.
fn forms(text: &str) -> Vec<(Way, Form)> {
    let mut open = vec![Way::new()];
    let mut found = Vec::new();
    while let Some(place) = open.pop() {
        let answer = ask(text, None, &place);
        let form = answer.form.expect("the place of an object has a form");
        each_field(&form, &mut |field| {
            if let Control::List { entries, .. } = &field.control {
                open.extend(entries.iter().filter(|entry| entry.has_form).take(3).map(|entry| entry.way.clone()));
            }
        });
        found.push((place, form));
    }
    found
}

/// All fields of a form, with those of the forms in it.
fn each_field(form: &Form, visit: &mut impl FnMut(&Field)) {
    for field in &form.fields {
        visit(field);
        match &field.control {
            Control::Object(form) => each_field(form, visit),
            Control::Map { fields, .. } => fields.iter().for_each(&mut *visit),
            _ => {}
        }
    }
}

/// All objects in a form, each with the way to it.
fn each_object(way: &Way, form: &Form, visit: &mut impl FnMut(&Way, &Form)) {
    visit(way, form);
    for field in &form.fields {
        if let Control::Object(form) = &field.control {
            each_object(&field.way, form, visit);
        }
    }
}

#[test]
fn every_template_reads_well_and_is_called_as_it_says() {
    for template in TEMPLATES {
        let scenario = read(template.source).unwrap_or_else(|mistakes| panic!("{}: {mistakes:#?}", template.name));
        assert_eq!(scenario.warnings, [], "{}", template.name);
        assert_eq!(&**scenario.title.ja(), lab::template(Lang::Ja, template.name));
        assert_eq!(&**scenario.title.en(), lab::template(Lang::En, template.name));
    }
}

#[test]
fn what_is_not_changed_stays_as_it_stands() {
    let before = template("one-group");
    let after = edited(before, Edit::Enter(way("topics 0 partitions"), "6".to_owned())).text;
    assert_eq!(after, before.replace("\"partitions\": 3", "\"partitions\": 6"));
}

#[test]
fn what_is_typed_is_taken_as_the_shape_asks_for() {
    let text = template("one-group");
    let typed = |place: &str, entered: &str| {
        let text = edited(text, Edit::Enter(way(place), entered.to_owned())).text;
        let file: serde_json::Value = serde_json::from_str(&text).unwrap();
        way(place)
            .iter()
            .fold(&file, |value, step| match step {
                Step::Field(name) => &value[name],
                Step::At(at) => &value[*at as usize],
            })
            .to_string()
    };
    assert_eq!(typed("topics 0 partitions", "12"), "12");
    assert_eq!(typed("topics 0 partitions", "１２"), "12", "digits of a Japanese keyboard");
    assert_eq!(typed("topics 0 partitions", "many"), "\"many\"", "the reader says what is wrong with it");
    assert_eq!(typed("ends_at", "90s"), "\"90s\"");
    assert_eq!(typed("producers 0 workload weights", "8, 1,1"), "[8,1,1]");
    assert_eq!(typed("groups 0 topics", "orders"), "[\"orders\"]");
    assert_eq!(typed("sinks 0 unique_key", "null"), "null");
    assert_eq!(typed("sinks 0 unique_key", "event_id"), "\"event_id\"");
    assert_eq!(
        typed("groups 0 settings partition.assignment.strategy", "cooperative-sticky"),
        "[\"cooperative-sticky\"]"
    );
    assert_eq!(typed("title", "１２"), "\"１２\"", "a text is a text");
}

#[test]
fn a_limit_is_told_at_its_control_in_the_readers_words() {
    let answer =
        ask(template("one-group"), Some(Edit::Enter(way("topics 0 partitions"), "201".to_owned())), &way("topics 0"));
    assert_eq!(mistakes(&answer), ["topics[0].partitions: This has to be between 1 and 200. 201 is not."]);
    assert_eq!(answer.mistakes_at, [way("topics 0 partitions")]);
    let form = answer.form.unwrap();
    let wrong: Vec<_> =
        form.fields.iter().filter(|field| !field.mistakes.is_empty()).map(|field| &*field.name).collect();
    assert_eq!(wrong, ["partitions"]);
    assert!(form.mistakes.is_empty());
    let partitions = form.fields.iter().find(|field| field.name == "partitions").unwrap();
    assert_eq!(partitions.limits, "1 to 200");
    let whole = ask(&answer.text, None, &[]).form.unwrap();
    let topics = whole.fields.iter().find(|field| field.name == "topics").unwrap();
    assert!(matches!(&topics.control, Control::List { entries, .. } if entries[0].is_wrong), "one sees where to look");
}

#[test]
fn what_refers_to_a_thing_follows_its_name() {
    for (place, old, new) in [
        ("topics 0 name", "orders", "events"),
        ("groups 0 members 2 name", "c3", "worker"),
        ("producers 0 name", "shop", "web"),
        ("groups 0 name", "billing", "accounts"),
        ("sinks 0 name", "payments", "paid"),
    ] {
        let before = BUILT_IN[0].source;
        let answer = edited(before, Edit::Enter(way(place), new.to_owned()));
        assert!(is_good(&answer), "{old}: {:?}", mistakes(&answer));
        let scenario = read(&answer.text).unwrap();
        let run = scenario.run();
        assert!(scenario.expectations.check(&run).is_empty(), "{old} is still expected of");
    }
}

#[test]
fn a_name_that_several_have_takes_nothing_along() {
    let text = template("one-group").replace("\"c2\"", "\"c1\"");
    let text = edited(&text, Edit::Add(way("actions"))).text;
    let answer = edited(&text, Edit::Enter(way("groups 0 members 0 name"), "c9".to_owned()));
    assert!(answer.text.contains("\"crash\": \"c1\""), "{}", answer.text);
}

#[test]
fn a_new_thing_of_every_kind_reads_well() {
    for source in TEMPLATES {
        for list in ["topics", "producers", "groups", "sinks", "actions", "story"] {
            let once = ask(source.source, Some(Edit::Add(way(list))), &[]);
            let is_empty_action = list == "actions" && source.name == "empty";
            assert!(
                is_good(&once) || list == "story" || is_empty_action,
                "{} {list}: {:?}\n{}",
                source.name,
                mistakes(&once),
                once.text
            );
            let twice = ask(&once.text, Some(Edit::Add(way(list))), &[]);
            assert_eq!(is_good(&twice), is_good(&once), "{} {list}: {:?}", source.name, mistakes(&twice));
            assert_ne!(twice.trail.len(), 1, "its form is opened");
        }
    }
}

#[test]
fn a_world_can_be_built_from_nothing() {
    let mut text = template("empty").to_owned();
    for edit in [
        Edit::Add(way("producers")),
        Edit::Add(way("groups")),
        Edit::Add(way("groups 0 members")),
        Edit::Copy(way("groups 0 members 1")),
        Edit::Add(way("sinks")),
        Edit::Choose(way("groups 0 handling"), "writes_to".to_owned()),
        Edit::Choose(way("groups 0 handling"), "times".to_owned()),
        Edit::Copy(way("groups 0")),
        Edit::Add(way("actions")),
        Edit::Choose(way("actions 0"), "freeze".to_owned()),
        Edit::Choose(way("cluster"), "network".to_owned()),
        Edit::Enter(way("cluster network latency"), "20ms".to_owned()),
    ] {
        let answer = edited(&text, edit.clone());
        assert!(is_good(&answer), "{edit:?}: {:?}\n{}", mistakes(&answer), answer.text);
        text = answer.text;
    }
    let scenario = read(&text).unwrap();
    let names: Vec<_> = scenario.setup.consumers.iter().map(|consumer| &*consumer.name).collect();
    assert_eq!(names, ["c1", "c2", "c3", "c4", "c5", "c6"]);
    let run = scenario.run();
    assert!(run.records() > 50);
}

/// Whatever a form offers can be had, and takes at most its own value to be right.
#[test]
fn every_field_that_is_offered_can_be_added_and_removed() {
    let (mut right, mut all) = (0, 0);
    for text in files() {
        for (place, form) in forms(text) {
            let mut objects = Vec::new();
            each_object(&place, &form, &mut |way, form| objects.push((way.clone(), form.absent.clone())));
            for (way, absent) in objects {
                for absent in absent {
                    let added = edited(text, Edit::Choose(way.clone(), absent.name.clone()));
                    all += 1;
                    right += u32::from(is_good(&added));
                    let path = [way.as_slice(), &[Step::Field(absent.name.clone())]].concat();
                    let there = ask(&added.text, None, &way).form.expect("the object is still there");
                    let mut is_there = false;
                    each_field(&there, &mut |field| is_there |= field.way == path);
                    assert!(is_there, "{}: {way:?} {}", text.lines().nth(2).unwrap(), absent.name);
                    let removed = edited(&added.text, Edit::Remove(path.clone()));
                    let mut is_there = false;
                    each_field(&ask(&removed.text, None, &way).form.unwrap(), &mut |field| {
                        is_there |= field.way == path
                    });
                    assert!(!is_there);
                }
            }
        }
    }
    assert!(all > 3_000 && right * 10 > all * 6, "{right} of {all} are right as they are offered");
}

#[test]
fn every_form_shows_what_the_file_says() {
    for text in files() {
        for (place, form) in forms(text) {
            each_field(&form, &mut |field| {
                // Entering what is shown changes nothing.
                if let Control::Text { value, .. } = &field.control {
                    let answer = edited(text, Edit::Enter(field.way.clone(), value.clone()));
                    let same: [serde_json::Value; 2] =
                        [text, &answer.text].map(|text| serde_json::from_str(text).unwrap());
                    let is_one_or_list = field.limits.contains("first choice");
                    assert!(same[0] == same[1] || is_one_or_list, "{place:?} {:?} {value}", field.way);
                }
                if let Control::Choice { value, options } = &field.control {
                    assert!(options.iter().any(|option| option.json == *value), "{:?}", field.way);
                }
                assert!(field.mistakes.is_empty());
            });
        }
    }
}

#[test]
fn a_text_that_is_no_object_can_only_be_changed_as_text() {
    for text in ["", "[]", "{", "null", "{\"a\": 1,}", &"[".repeat(100)] {
        let answer = ask(text, Some(Edit::Add(way("topics"))), &way("groups 0"));
        assert_eq!(answer.text, text);
        assert!(answer.not_done.is_some() && answer.form.is_none() && !is_good(&answer));
        let mended = ask(text, Some(Edit::Text(template("empty").to_owned())), &[]);
        assert!(is_good(&mended) && mended.form.is_some());
    }
}

#[test]
fn what_is_too_large_or_not_there_changes_nothing() {
    let text = template("one-group");
    let long = "x".repeat((1 << 20) + 1);
    for edit in [
        Edit::Text(long.clone()),
        Edit::Enter(way("title"), long),
        Edit::Remove(way("topics 7")),
        Edit::Remove(way("")),
        Edit::Put(way("topics 0 partitions"), "{".to_owned()),
        Edit::Copy(way("cluster")),
        Edit::Add(way("cluster")),
        Edit::Choose(way("cluster"), "colour".to_owned()),
        Edit::Enter(way("topics 9 name"), "x".to_owned()),
    ] {
        let answer = ask(text, Some(edit.clone()), &[]);
        assert!(answer.text == text && answer.not_done.is_some(), "{:.80}", format!("{edit:?}"));
    }
}

#[test]
fn what_the_format_does_not_know_is_shown_and_can_go() {
    let text = template("one-group").replace("\"ends_at\"", "\"color\": \"red\", \"ends_at\"");
    let form = ask(&text, None, &[]).form.unwrap();
    let colour = form.fields.iter().find(|field| field.name == "color").expect("it is there to be seen");
    assert_eq!((colour.mistakes.len(), colour.can_go), (1, true));
    assert!(is_good(&edited(&text, Edit::Remove(colour.way.clone()))));
}

/// What a random person does: with which control of the form, and how.
#[derive(Clone, Debug)]
enum Hand {
    Type(Index, String),
    Choose(Index, Index),
    Kind(Index),
    Add(Index),
    Copy(Index),
    Remove(Index),
    AddField(Index),
    Open(Index),
}

fn hand() -> impl Strategy<Value = Hand> {
    let entered = prop_oneof![
        "[0-9]{1,4}",
        "[0-9]{1,3}(ms|s|us)",
        Just("null".to_owned()),
        Just(String::new()),
        "[a-z]{1,5}(-[0-9])?",
        Just("orders-0".to_owned()),
        Just("c1".to_owned()),
        any::<String>(),
    ];
    prop_oneof![
        4 => (any::<Index>(), entered).prop_map(|(at, text)| Hand::Type(at, text)),
        4 => (any::<Index>(), any::<Index>()).prop_map(|(at, which)| Hand::Choose(at, which)),
        1 => any::<Index>().prop_map(Hand::Kind),
        2 => any::<Index>().prop_map(Hand::Add),
        1 => any::<Index>().prop_map(Hand::Copy),
        1 => any::<Index>().prop_map(Hand::Remove),
        3 => any::<Index>().prop_map(Hand::AddField),
        3 => any::<Index>().prop_map(Hand::Open),
    ]
}

/// The edit that a hand makes of a form; nothing where the form offers nothing of the kind.
fn edit_of(hand: &Hand, place: &Way, form: &Form) -> Result<Option<Edit>, Way> {
    let (mut texts, mut choices, mut kinds, mut lists, mut entries, mut optional, mut absent) =
        (vec![], vec![], vec![], vec![], vec![], vec![], vec![]);
    each_field(form, &mut |field| {
        kinds.extend(field.kinds.iter().map(|kind| (field.way.clone(), kind.json.clone())));
        if field.can_go {
            optional.push(field.way.clone());
        }
        match &field.control {
            Control::Text { .. } | Control::Json(_) => texts.push(field.way.clone()),
            Control::Choice { options, .. } => choices.push((field.way.clone(), options.clone())),
            Control::List { entries: of, .. } => {
                lists.push(field.way.clone());
                entries.extend(of.iter().cloned());
            }
            Control::Map { names, .. } => absent.extend(names.iter().map(|name| (field.way.clone(), name.clone()))),
            Control::Object(_) => {}
        }
    });
    each_object(place, form, &mut |way, form| {
        absent.extend(form.absent.iter().map(|absent| (way.clone(), absent.name.clone())))
    });
    fn pick<'a, T>(index: &Index, of: &'a [T]) -> Option<&'a T> {
        (!of.is_empty()).then(|| index.get(of))
    }
    let edit = match hand {
        Hand::Type(at, text) => pick(at, &texts).map(|way| Edit::Enter(way.clone(), text.clone())),
        Hand::Choose(at, which) => {
            pick(at, &choices).map(|(way, options)| Edit::Put(way.clone(), which.get(options).json.clone()))
        }
        Hand::Kind(at) => pick(at, &kinds).map(|(way, json)| Edit::Put(way.clone(), json.clone())),
        Hand::Add(at) => pick(at, &lists).map(|way| Edit::Add(way.clone())),
        Hand::Copy(at) => pick(at, &entries).map(|entry| Edit::Copy(entry.way.clone())),
        Hand::Remove(at) => {
            let all: Vec<Way> = entries.iter().map(|entry| entry.way.clone()).chain(optional).collect();
            pick(at, &all).map(|way| Edit::Remove(way.clone()))
        }
        Hand::AddField(at) => pick(at, &absent).map(|(way, name)| Edit::Choose(way.clone(), name.clone())),
        Hand::Open(at) => {
            let open: Vec<Way> = entries
                .iter()
                .filter(|entry| entry.has_form)
                .map(|entry| entry.way.clone())
                .chain([Way::new()])
                .collect();
            return Err(at.get(&open).clone());
        }
    };
    Ok(edit)
}

/// The steps of a run up to a bound, as a digest.
fn digest(run: &mut Simulation) -> String {
    for _ in 0..MOST_STEPS {
        if !matches!(run.step(), Progress::Step(_)) {
            break;
        }
    }
    run.digest()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever is done at random in the forms: nothing stops, every world has its file, and the file is the world.
    #[test]
    fn every_world_that_is_built_is_its_file(begin in any::<Index>(), hands in prop::collection::vec(hand(), 1..40)) {
        let begin = *begin.get(&files());
        let (mut text, mut place) = (begin.to_owned(), Way::new());
        let mut worlds = 0;
        for hand in hands {
            let form = ask(&text, None, &place).form.expect("the file stays an object");
            let edit = match edit_of(&hand, &place, &form) {
                Err(open) => { place = open; continue; }
                Ok(edit) => edit,
            };
            let answer = ask(&text, edit, &place);
            let Reading::Scenario(scenario, _) = &answer.reading else {
                prop_assert!(!mistakes(&answer).is_empty());
                prop_assert_eq!(mistakes(&answer).len(), answer.mistakes_at.len());
                // With what is wrong, too, the form goes on; but half of the time the hand is taken back.
                if mistakes(&answer).len() < 3 { text = answer.text; }
                continue;
            };
            worlds += 1;
            if worlds % 4 == 1 {
                let again = read(&answer.text).expect("it has just been read");
                prop_assert_eq!(&*again.setup, &*scenario.setup);
                let bytes = answer.reading.to_bytes();
                let Some(Reading::Scenario(carried, _)) = Reading::from_bytes(&bytes) else { panic!("what is said arrives") };
                let digests = [again.setup.clone(), carried.setup.clone()].map(|setup| digest(&mut Simulation::new(setup)));
                prop_assert_eq!(&digests[0], &digests[1]);
            }
            (text, place) = (answer.text, answer.trail.last().map(|(_, way)| way.clone()).unwrap_or_default());
        }
    }

    /// Bytes of anything are answered, if only with nothing.
    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let answer = answer_in_bytes(&bytes);
        prop_assert!(answer.is_empty() || compiled::decode::<Answer>(&answer).is_some());
    }
}
