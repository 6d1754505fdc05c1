//! The description of the scenario format, against everything that it must agree with: the files that are made from it,
//! the reader, and Kafka.

mod kafka;
mod published;
mod reader;
mod schema;
mod walk;

use logstep::scenario::library::BUILT_IN;

/// The files of `docs/examples` and those that come with the program: name and source.
fn good_files() -> Vec<(&'static str, &'static str)> {
    let examples = logstep::publish::EXAMPLES.iter().map(|example| (example.name, example.source));
    examples.chain(BUILT_IN.iter().map(|built_in| (built_in.name, built_in.source))).collect()
}
