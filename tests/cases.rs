//! What people observed with real Kafka, as scenario files: each comes to what was observed.
//!
//! A file's name begins with the number of the case; its `about` says what was observed and where that can be read.

use logstep::scenario::{self, Scenario};
use logstep::text::{Lang, mistake};
use std::fs;
use std::path::PathBuf;

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir("tests/cases")
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
}

fn read(path: &PathBuf) -> Scenario {
    let source = fs::read_to_string(path).expect("a case is readable");
    scenario::read(&source).unwrap_or_else(|mistakes| {
        let texts: Vec<String> = mistakes
            .iter()
            .map(|found| format!("{}:{}: {}", found.line, found.column, mistake::mistake(Lang::En, found)))
            .collect();
        panic!("{}: {texts:#?}", path.display())
    })
}

#[test]
fn every_case_comes_to_what_was_observed() {
    let mut differences = Vec::new();
    for path in files() {
        let scenario = read(&path);
        assert!(!scenario.expectations.is_empty(), "{} expects something", path.display());
        let about = scenario.about.as_ref().unwrap_or_else(|| panic!("{} says what was observed", path.display()));
        let in_both = [about, &scenario.title].iter().all(|text| text.ja() != text.en());
        assert!(in_both, "{} says it in both languages", path.display());
        let found = scenario.expectations.check(&scenario.run());
        differences.extend(
            found.iter().map(|differs| format!("{}: {}", path.display(), mistake::difference(Lang::En, differs))),
        );
    }
    assert!(differences.is_empty(), "{differences:#?}");
}
