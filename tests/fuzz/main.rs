//! Scenario files of all kinds, right ones and broken ones: nothing panics, nothing hangs, and what can be read runs.
//!
//! A failing case is printed whole, made small by proptest; it becomes a file under `tests/broken` or a plain test of its
//! own.

mod claims;
mod generate;
mod mutate;
#[path = "../common/random.rs"]
mod random;
mod tape;
#[path = "../format/walk.rs"]
mod walk;

use logstep::scenario::fields::tables;
use logstep::scenario::library::BUILT_IN;
use logstep::scenario::read;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use std::fmt;
use std::time::{Duration, Instant};

/// A file that a failing test prints as it is.
#[derive(Clone)]
struct File(String);

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}\n", self.0)
    }
}

fn numbers(most: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..most)
}

fn generated() -> impl Strategy<Value = File> {
    numbers(900).prop_map(|numbers| File(format!("{:#}", generate::file(&numbers))))
}

/// Files that are good: examples, built-in ones, and generated ones.
fn mutated() -> impl Strategy<Value = File> {
    let examples = logstep::publish::EXAMPLES.iter().map(|example| example.source);
    let good: Vec<&str> = examples.chain(BUILT_IN.iter().map(|built_in| built_in.source)).collect();
    let good = prop_oneof![prop::sample::select(good).prop_map(|source| File(source.to_owned())), generated()];
    (good, numbers(24)).prop_map(|(File(source), numbers)| File(mutate::mutated(&source, &numbers)))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 2_000, ..random::cases(module_path!(), 16) })]

    #[test]
    fn what_is_written_as_described_does_no_harm(file in generated()) {
        claims::check(&file.0);
    }

    #[test]
    fn what_is_broken_does_no_harm(file in mutated()) {
        claims::check(&file.0);
    }
}

/// The generator is worth its time: most of its files are right, and hardly a field never occurs in one.
#[test]
fn most_generated_files_are_right_and_use_what_there_is() {
    let mut runner = TestRunner::deterministic();
    let (mut right, mut used) = (0, BTreeSet::new());
    const FILES: u32 = 1_500;
    for _ in 0..FILES {
        let File(source) = generated().new_tree(&mut runner).expect("nothing is filtered").current();
        if read(&source).is_err() {
            continue;
        }
        right += 1;
        let mut file = serde_json::from_str(&source).expect("JSON");
        for found in walk::objects(&file) {
            let fields = found.fields(&mut file).keys().cloned();
            used.extend(fields.map(|field| (found.table.name, field)));
        }
    }
    assert!(right * 5 > FILES * 2, "only {right} of {FILES} files are right");
    let all = tables().flat_map(|table| table.fields.iter().map(|field| (table.name, (*field).to_owned())));
    let all: BTreeSet<_> = all.collect();
    let never: Vec<_> = all.difference(&used).collect();
    assert!(never.len() * 10 < all.len(), "never in a file that is right: {never:?}");
}

/// The largest and strangest files are read, or refused, within seconds even without optimisation.
#[test]
fn large_files_are_read_quickly() {
    let whole = |part: &str| part.repeat((1 << 20) / part.len());
    let many_fields = format!("{{{}\"z\":0}}", whole("\"field\":1,"));
    let records = format!(
        r#"{{"format":"logstep/1","title":"t","ends_at":"1s","cluster":{{"kafka":"4.0"}},"groups":[],
            "topics":[{{"name":"a","partitions":1}}],"producers":[{{"name":"p","topic":"a","records":[{}]}}]}}"#,
        vec![r#"{"at":"9s","key":"","valu":""}"#; 30_000].join(",")
    );
    let names = format!(
        r#"{{"format":"logstep/1","title":"t","ends_at":"1s","cluster":{{"kafka":"4.0"}},"groups":[],"producers":[],
            "topics":[{}]}}"#,
        vec![r#"{"name":"a","partitions":1}"#; 30_000].join(",")
    );
    let files =
        [whole("["), whole("{\"a\":"), whole("\""), whole("\n"), whole("\u{1f980}"), many_fields, records, names];
    for source in files {
        let start = Instant::now();
        assert!(!claims::check(&source));
        let beginning: String = source.chars().take(40).collect();
        assert!(start.elapsed() < Duration::from_secs(20), "{beginning} took {:?}", start.elapsed());
    }
}
