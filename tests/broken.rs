//! Broken scenario files. Each file of `tests/broken/` stands for a kind of mistake; the recorded report beside it
//! has a line for each mistake, in English and in Japanese, as `logstep-run` prints it.
//!
//! `UPDATE_EXPECT=1 cargo test --test broken` records the reports anew.

use expect_test::expect_file;
use logstep::scenario::mistake::{Problem, Syntax};
use logstep::scenario::{library, read};
use logstep::text::{Lang, mistake::mistake};
use std::fmt::Write as _;
use std::path::PathBuf;

fn report(source: &str) -> String {
    let mistakes = read(source).expect_err("the file is broken");
    let mut text = String::new();
    for found in &mistakes {
        for lang in [Lang::En, Lang::Ja] {
            let _ = writeln!(text, "{}:{}: {}", found.line, found.column, mistake(lang, found));
        }
    }
    text
}

#[test]
fn every_broken_file_has_its_report() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    assert!(files.len() > 40);
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a file");
        expect_file![file.with_extension("txt")].assert_eq(&report(&source));
    }
}

#[test]
fn a_file_of_more_than_a_mebibyte_is_refused() {
    let source = format!("{}{}", library::BUILT_IN[0].source, " ".repeat(1 << 20));
    let mistakes = read(&source).expect_err("it is too large");
    assert!(matches!(mistakes[..], [ref only] if matches!(only.problem, Problem::TooLarge { .. })), "{mistakes:?}");
}

#[test]
fn deep_nesting_is_a_mistake_and_no_crash() {
    for open in ["[", "{\"a\":", "[{\"a\":"] {
        let mistakes = read(&open.repeat(100_000)).expect_err("it is too deep");
        assert!(matches!(mistakes[..], [ref only] if matches!(only.problem, Problem::TooDeep { .. })), "{open}");
    }
}

#[test]
fn a_file_full_of_mistakes_lists_some_and_counts_the_rest() {
    let fields: Vec<String> = (0..10_000).map(|number| format!("\"field{number}\": {number}")).collect();
    let mistakes = read(&format!("{{{}}}", fields.join(",\n"))).expect_err("no field is known");
    assert_eq!(mistakes.len(), 201);
    assert!(matches!(mistakes[200].problem, Problem::More { count: 9_807 }), "{:?}", mistakes[200]);
}

/// What is wrong takes no longer to say in a long line, or of a long list of names, than it takes to read.
#[test]
fn many_mistakes_in_one_long_line_are_found_at_once() {
    let owners: Vec<String> = (0..40_000).map(|number| format!("\"b-{number}\":null")).collect();
    let topics: Vec<String> = (0..64).map(|number| format!("{{\"name\":\"a{number}\",\"partitions\":200}}")).collect();
    let groups = r#"[{"name":"g","settings":{"enable.auto.commit":false},"handling":{},"members":[]}]"#;
    let source = format!(
        r#"{{"topics":[{}],"groups":{groups},"expect":{{"groups":{{"g":{{"owner":{{{}}}}}}}}}}}"#,
        topics.join(","),
        owners.join(",")
    );
    let mistakes = read(&source).expect_err("no such partitions");
    assert_eq!(mistakes.len(), 201);
    assert!(mistake(Lang::En, &mistakes[100]).contains("There are: a0-0 ... a63-199"));
}

#[test]
fn a_byte_order_mark_is_no_mistake() {
    assert!(read(&format!("\u{feff}{}", library::BUILT_IN[0].source)).is_ok());
}

#[test]
fn columns_count_characters() {
    let mistakes = read("{ \"題名\": 1, \"x\" 2 }").expect_err("a colon is missing");
    assert_eq!((mistakes[0].line, mistakes[0].column), (1, 16));
    assert_eq!(mistakes[0].problem, Problem::Syntax(Syntax::MissingColon));
}

/// Cutting a good file short anywhere gives a mistake, never a panic.
#[test]
fn every_beginning_of_a_good_file_is_read_without_a_panic() {
    let source = library::BUILT_IN[0].source.trim_end();
    for end in (0..source.len()).filter(|&end| source.is_char_boundary(end)) {
        assert!(read(&source[..end]).is_err(), "{end}");
    }
}

/// Replacing any one value of a good file by something else gives a scenario or mistakes, never a panic.
#[test]
fn any_value_may_be_anything_without_a_panic() {
    let mut file: serde_json::Value = serde_json::from_str(library::BUILT_IN[0].source).expect("JSON");
    // A few of the many records are enough.
    file["producers"][0]["records"].as_array_mut().expect("records").truncate(2);
    let strange = ["null", "true", "-1", "1e400", "\"\"", "\"c1\"", "[]", "[[]]", "{}", "{\"a\":{}}", "4294967296"];
    for index in 0..count(&file) {
        for text in strange {
            let mut changed = file.clone();
            *nth(&mut changed, &mut { index }).expect("counted") = serde_json::Value::from("@@@");
            let source = changed.to_string().replace("\"@@@\"", text);
            if let Ok(scenario) = read(&source) {
                assert!(scenario.run().has_ended());
            }
        }
    }
}

fn count(value: &serde_json::Value) -> usize {
    let inside: usize = match value {
        serde_json::Value::Array(list) => list.iter().map(count).sum(),
        serde_json::Value::Object(map) => map.values().map(count).sum(),
        _ => 0,
    };
    1 + inside
}

fn nth<'v>(value: &'v mut serde_json::Value, index: &mut usize) -> Option<&'v mut serde_json::Value> {
    if *index == 0 {
        return Some(value);
    }
    *index -= 1;
    match value {
        serde_json::Value::Array(list) => list.iter_mut().find_map(|entry| nth(entry, index)),
        serde_json::Value::Object(map) => map.values_mut().find_map(|entry| nth(entry, index)),
        _ => None,
    }
}
