//! The scenario file, format `logstep/1`: read, validated, compiled into a [`Setup`]. One file is a lesson, a test, a
//! link and a bug report at once.
//!
//! [`read`] reports all mistakes of a file, each with its line, column and path. [`fields`] describes the format; the
//! published schema is made from it.

mod actions;
mod batches;
pub mod by_hand;
mod clients;
mod cluster;
pub mod compiled;
pub mod condition;
mod consumer_settings;
pub mod duration;
pub mod expect;
pub mod fields;
mod groups;
mod handling;
pub mod library;
mod localized;
pub mod mistake;
mod modern;
mod names;
mod nearest;
pub mod not_modelled;
pub mod outcome;
mod producer_settings;
mod producers;
pub mod quantity;
mod reader;
pub mod refused;
pub mod since;
pub mod story;
mod tree;
pub mod values;
mod version;
mod vocabulary;
mod workload;

pub use clients::{Client, Family};
pub use cluster::Cluster;
pub use condition::{Moment, Watch};
pub use expect::{Difference, Expectations};
pub use localized::Localized;
pub use mistake::{Mistake, Problem};
pub use outcome::Outcome;
pub use quantity::{Measure, Quantity};
pub use story::{Beat, Question};
pub use tree::{MOST_BYTES, STRICT};
pub use version::Version;

use crate::sim::setup::{Setup, bounds};
use crate::sim::{Condition, Progress, Simulation, Span, Time};
use borsh::{BorshDeserialize, BorshSerialize};
use producers::Producing;
use reader::{Place, Reader};
use std::rc::Rc;
use vocabulary::Vocabulary;

/// The name of the format.
pub const FORMAT: &str = "logstep/1";

/// The largest seed: every program that reads JSON agrees on whole numbers up to here.
const MOST_SEED: u64 = (1 << 53) - 1;

/// What a scenario file says.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Scenario {
    /// Its title.
    pub title: Localized,
    /// What it is about.
    pub about: Option<Localized>,
    /// The cluster.
    pub cluster: Cluster,
    /// The client of each producer.
    pub producer_clients: Vec<Client>,
    /// The client of each group's members.
    pub group_clients: Vec<Client>,
    /// What the simulation starts from.
    pub setup: Rc<Setup>,
    /// The page opens at the first step that meets this; without one, at the start of the run.
    pub opens_at: Option<Condition>,
    /// The story, in the order of the file.
    pub story: Vec<Beat>,
    /// What the run has to come to. Not in the compiled form: it is for tests, and nothing on the page asks for it.
    #[borsh(skip)]
    pub expectations: Expectations,
    /// What is no mistake, but probably not meant. Not in the compiled form: the reader tells it.
    #[borsh(skip)]
    pub warnings: Vec<Mistake>,
}

impl Scenario {
    /// A run of it from start to end, or to the limit of steps.
    pub fn run(&self) -> Simulation {
        let mut run = Simulation::new(self.setup.clone());
        while let Progress::Step(_) = run.step() {}
        run
    }
}

/// True if a text is JSON, and no larger and no deeper than a file may be.
pub fn parses(source: &str) -> bool {
    tree::read(&mut Reader::new(source), source).is_some()
}

/// Reads a scenario file, or says everything that is wrong with it.
pub fn read(source: &str) -> Result<Scenario, Vec<Mistake>> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut reader = Reader::new(source);
    let Some(tree) = tree::read(&mut reader, source) else {
        return Err(reader.into_mistakes());
    };
    let scenario = read_file(&mut reader, &Place { value: &tree, path: String::new() });
    match scenario {
        Some(scenario) if !reader.has_mistakes() => Ok(Scenario { warnings: reader.into_warnings(), ..scenario }),
        _ => Err(reader.into_mistakes()),
    }
}

fn read_file<'t>(r: &mut Reader<'t>, file: &Place<'t>) -> Option<Scenario> {
    let names = names::Names::collect(file.value);
    let fields = r.object(Some(file.clone()), &fields::SCENARIO)?;
    r.word(fields.get("format"), &[(FORMAT, ())], |_| false);
    let title = localized::read(r, fields.get("title"));
    let about = r.or(fields.get("about"), None, |r, place| localized::read(r, place).map(Some));
    let seed = r.or(fields.get("seed"), 1, |r, place| r.whole(place, 0..=MOST_SEED, mistake::Unit::Plain));
    let ends_at = r.duration(fields.get("ends_at"), Span::from_millis(1)..=bounds::DURATION);
    let ends_at = ends_at.map(|span| Time::ZERO + span);
    let cluster = cluster::read_cluster(r, fields.get("cluster"));
    let topics = cluster::read_topics(r, fields.get("topics"));
    let mut sinks = r.or(fields.get("sinks"), Vec::new(), cluster::read_sinks);
    let mut producing = Producing {
        cluster: cluster.as_ref(),
        topics: topics.as_deref(),
        ends_at,
        vocabulary: Vocabulary::with_blocks(names.key_blocks()),
    };
    let producers = producers::read(r, fields.get("producers"), &names, &mut producing);
    let mut vocabulary = producing.vocabulary;
    let topic_count = topics.as_ref().map_or(0, Vec::len);
    let around = (&names, cluster.as_ref(), topic_count, ends_at);
    let groups = groups::read(r, fields.get("groups"), around, &mut vocabulary);
    let script = r.or(fields.get("actions"), actions::Script::default(), |r, place| {
        let consumers = groups.as_ref().map_or_else(Vec::new, |(_, consumers)| consumers.clone());
        let (cluster, vocabulary) = (cluster.as_ref(), &mut vocabulary);
        let (producers, sinks) = (producers.as_deref().unwrap_or_default(), sinks.as_deref_mut().unwrap_or_default());
        let (names, named) = (&names, Vec::new());
        let mut known = actions::Known { names, vocabulary, ends_at, cluster, producers, sinks, named, consumers };
        actions::read(r, place, &mut known)
    });
    let Vocabulary { keys, values, .. } = vocabulary;
    let opens_at = r.or(fields.get("opens_at"), None, |r, place| {
        let fields = r.object(place, &fields::OPENS_AT)?;
        condition::read(r, fields.get("first"), &names).map(Some)
    });
    let story = r.or(fields.get("story"), Vec::new(), |r, place| story::read(r, place, &names));
    let expectations = r.or(fields.get("expect"), Expectations::default(), |r, place| expect::read(r, place, &names));
    let actions::Script { planned, entries } = script?;
    if let Some((groups, consumers)) = &groups {
        cluster::warn_of_classic_settings(r, fields.get("cluster"), groups.len(), consumers);
    }
    let cluster = cluster?;
    let (producers, producer_clients) = producers?.into_iter().unzip();
    let (groups, consumers) = groups?;
    let (groups, group_clients) = groups.into_iter().unzip();
    let setup = Setup {
        seed: seed?,
        ends_at: ends_at?,
        brokers: cluster.brokers.clone(),
        cluster: cluster.settings.clone(),
        topics: topics?,
        producers,
        groups,
        consumers,
        sinks: sinks?,
        keys,
        values,
        actions: planned,
    };
    Some(Scenario {
        title: title?,
        about: about?,
        cluster,
        producer_clients,
        group_clients,
        setup: Rc::new(setup),
        opens_at: opens_at?,
        story: story?,
        expectations: expectations?.with_script(entries),
        warnings: Vec::new(),
    })
}
