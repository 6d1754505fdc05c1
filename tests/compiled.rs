//! The compiled form of scenarios and the answers of the reader: the page gets exactly what the reader makes of a file, and
//! nothing but whole answers.

use logstep::reading::Reading;
use logstep::scenario::library::{BUILT_IN, BuiltIn};
use logstep::scenario::{Expectations, Localized, Scenario, compiled, read};
use logstep::stories;
use logstep::text::{Lang, mistake::mistake};
use std::path::PathBuf;

/// A built-in story as the reader reads it, without what only tests need.
fn as_read(built_in: &BuiltIn) -> Scenario {
    Scenario { expectations: Expectations::default(), ..built_in.read().expect("it has no mistakes") }
}

#[test]
fn the_page_has_every_built_in_story_as_the_reader_reads_it() {
    let stories = stories::all();
    assert_eq!(stories.len(), BUILT_IN.len());
    for (story, built_in) in stories.iter().zip(BUILT_IN) {
        assert_eq!(story.name, built_in.name);
        assert_eq!(*story.scenario(), as_read(built_in), "{}", story.name);
    }
}

#[test]
fn a_file_arrives_as_it_is_read() {
    for built_in in BUILT_IN {
        let arrived = Reading::from_bytes(&Reading::of(built_in.source.as_bytes()).to_bytes());
        let Some(Reading::Scenario(scenario, _)) = arrived else { panic!("{}: {arrived:?}", built_in.name) };
        assert_eq!(*scenario, as_read(built_in), "{}", built_in.name);
    }
}

#[test]
fn mistakes_arrive_in_both_languages_with_their_places() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/broken/wrong-types.json");
    let source = std::fs::read_to_string(file).expect("the file is there");
    let found = read(&source).expect_err("the file is broken");
    let arrived = Reading::from_bytes(&Reading::of(source.as_bytes()).to_bytes());
    let Some(Reading::Mistakes(told)) = arrived else { panic!("{arrived:?}") };
    assert_eq!(told.len(), found.len());
    for (told, found) in told.iter().zip(&found) {
        assert_eq!((told.line, told.column), (found.line, found.column));
        let (ja, en) = (mistake(Lang::Ja, found), mistake(Lang::En, found));
        assert_eq!(told.text, Localized::Both { ja: ja.into(), en: en.into() });
    }
}

#[test]
fn what_is_not_utf_8_is_no_text() {
    assert_eq!(Reading::of(&[b'{', 0xff, b'}']), Reading::NoText);
}

fn answer() -> Vec<u8> {
    Reading::of(BUILT_IN[0].source.as_bytes()).to_bytes()
}

#[test]
fn half_an_answer_and_more_than_one_are_none() {
    let answer = answer();
    for end in 0..answer.len() {
        assert_eq!(Reading::from_bytes(&answer[..end]), None, "{end}");
    }
    assert_eq!(Reading::from_bytes(&[&answer[..], &[0]].concat()), None);
}

/// Any one byte may be any other: the result is an answer or none, never a panic, nor memory for a length that is not there.
#[test]
fn damaged_answers_are_decoded_without_a_panic() {
    let mut answer = answer();
    for place in 0..answer.len() {
        let right = answer[place];
        for wrong in [0, right.wrapping_add(1), 0xff] {
            answer[place] = wrong;
            let _ = Reading::from_bytes(&answer);
        }
        answer[place] = right;
    }
    assert_eq!(Reading::from_bytes(&[0xff; 64]), None);
    assert_eq!(compiled::decode::<Scenario>(&[0, 0xff, 0xff, 0xff, 0xff]), None);
}
