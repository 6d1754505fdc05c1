//! The files that are made from the description. `UPDATE_EXPECT=1 cargo test --test format` makes them anew.

use expect_test::expect_file;
use logstep::publish::EXAMPLES;
use logstep::scenario::fields::{SECTIONS, Shape, Text, tables};
use logstep::scenario::read;
use std::collections::BTreeSet;
use std::process::Command;

/// What `logstep-run` prints.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_logstep-run")).args(arguments).output().expect("it starts");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_published_files_are_what_the_program_prints() {
    expect_file!["../../static/scenario.schema.json"].assert_eq(&printed(&["schema"]));
    expect_file!["../../docs/scenario-format.md"].assert_eq(&printed(&["schema", "--markdown", "en"]));
    expect_file!["../../docs/scenario-format.ja.md"].assert_eq(&printed(&["schema", "--markdown", "ja"]));
}

#[test]
fn the_schema_can_be_had_with_japanese_descriptions() {
    let (en, ja) = (printed(&["schema"]), printed(&["schema", "--lang", "ja"]));
    assert!(ja.contains("パーティション") && !en.contains("パーティション"));
    let without_words = |schema: &str| {
        let mut schema: serde_json::Value = serde_json::from_str(schema).expect("JSON");
        forget_words(&mut schema);
        schema
    };
    assert_eq!(without_words(&ja), without_words(&en));
}

fn forget_words(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.retain(|name, value| !(["description", "title"].contains(&name.as_str()) && value.is_string()));
            fields.values_mut().for_each(forget_words);
        }
        serde_json::Value::Array(entries) => entries.iter_mut().for_each(forget_words),
        _ => {}
    }
}

/// All texts that must end as a sentence does.
fn sentences() -> Vec<Text> {
    let mut texts: Vec<Text> = SECTIONS.iter().map(|section| section.about).collect();
    for table in tables() {
        texts.push(table.description.about);
        texts.extend(table.description.fields.iter().map(|field| field.about));
    }
    texts
}

#[test]
fn everything_is_explained_in_both_languages() {
    let is_japanese = |text: &str| text.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'));
    let mut seen = BTreeSet::new();
    for text in sentences() {
        assert!(text.en.ends_with('.') && !is_japanese(text.en), "{}", text.en);
        assert!(text.ja.ends_with('。') && is_japanese(text.ja), "{}", text.ja);
        // A bar would end the cell of the page's table.
        assert!(!text.en.contains('|') && !text.ja.contains('|'), "{}", text.en);
        assert_eq!(text.en.matches('`').count() % 2, 0, "{}", text.en);
        assert_eq!(text.ja.matches('`').count() % 2, 0, "{}", text.ja);
        seen.insert(text.en);
    }
    assert!(seen.len() > 80);
    for table in tables() {
        for field in table.description.fields {
            for word in words(&field.shape) {
                assert!(!word.en.is_empty() && is_japanese(word.ja), "{} of {}", word.en, field.name);
            }
        }
    }
}

fn words(shape: &Shape) -> Vec<Text> {
    match *shape {
        Shape::Words(words) | Shape::MapOfWords(words, _) => words.iter().map(|word| word.about).collect(),
        Shape::List(of, ..) | Shape::OneOrList(of, _) | Shape::MapOf(_, of) | Shape::MapOfKeys(of) => words(of),
        Shape::Either(shapes) => shapes.iter().flat_map(words).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn the_examples_run_and_come_to_what_they_expect() {
    for example in EXAMPLES {
        let scenario = read(example.source).unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", example.name));
        let run = scenario.run();
        assert!(run.has_ended(), "{}", example.name);
        assert_eq!(scenario.expectations.check(&run), [], "{}", example.name);
    }
    assert!(EXAMPLES[0].source.lines().count() <= 20, "the first file is short");
}

#[test]
fn the_pages_show_an_example_of_every_object() {
    for page in [printed(&["schema", "--markdown", "en"]), printed(&["schema", "--markdown", "ja"])] {
        for table in tables().skip(1) {
            let heading = format!("### `{}`\n", table.name);
            let part = &page[page.find(&heading).expect(&heading) + heading.len()..];
            let part = &part[..part.find("\n##").unwrap_or(part.len())];
            assert!(part.contains("```json\n"), "no example has a short {}", table.name);
        }
    }
}

#[test]
fn every_link_of_the_pages_leads_somewhere() {
    for page in [printed(&["schema", "--markdown", "en"]), printed(&["schema", "--markdown", "ja"])] {
        let headings = page.lines().filter_map(|line| line.strip_prefix("##")).map(|heading| {
            let heading = heading.trim_start_matches('#').trim().replace('`', "");
            heading.to_lowercase().replace(' ', "-")
        });
        let named = page.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned);
        let places: BTreeSet<String> = headings.chain(named).collect();
        let links: BTreeSet<&str> = page.split("](#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(links.len() > 40);
        for link in links {
            assert!(places.contains(link), "#{link}");
        }
    }
}
