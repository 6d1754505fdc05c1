//! An action that is done here and now, in the words of a scenario file: by whoever has the page in a frame.

use super::actions::{self, Known};
use super::mistake::Mistake;
use super::names::Names;
use super::reader::{Place, Reader};
use super::vocabulary::Vocabulary;
use super::{Client, Cluster, tree};
use crate::sim::setup::{ConsumerSetup, Setup};
use crate::sim::{Action, Simulation, Time, TopicId};
use borsh::{BorshDeserialize, BorshSerialize};

/// What an action can refer to at a moment of a run.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct World {
    cluster: Cluster,
    /// The client of each producer.
    clients: Vec<Client>,
    /// With the partitions that there are by now, and the consumers as they start next.
    setup: Setup,
}

impl World {
    /// The world of a run as it is now.
    #[inline(never)]
    pub fn of((cluster, clients): (&Cluster, &[Client]), run: &Simulation) -> Self {
        let mut setup = Setup { actions: Vec::new(), ..Setup::clone(run.setup()) };
        for (index, topic) in setup.topics.iter_mut().enumerate() {
            topic.partitions = run.topics().partitions_of(TopicId::at(index)).len() as u16;
        }
        let consumers = run.consumers().iter().map(|consumer| ConsumerSetup {
            name: consumer.name.clone(),
            group: consumer.group,
            instance_id: consumer.instance_id.clone(),
            starts_at: Time::NEVER,
            config: consumer.config.clone(),
        });
        setup.consumers = consumers.collect();
        World { cluster: cluster.clone(), clients: clients.to_vec(), setup }
    }
}

/// Reads an action, or says everything that is wrong with it. What the file says once for all brokers are several.
pub fn read_action(source: &str, world: &World) -> Result<Vec<Action>, Vec<Mistake>> {
    let setup = &world.setup;
    let mut reader = Reader::new(source);
    let Some(tree) = tree::read(&mut reader, source) else {
        return Err(reader.into_mistakes());
    };
    let names = Names::of_setup(setup);
    let mut vocabulary = Vocabulary::closed(&setup.keys, &setup.values);
    let producers: Vec<_> = setup.producers.iter().cloned().zip(world.clients.iter().copied()).collect();
    let mut sinks = setup.sinks.clone();
    let mut known = Known {
        names: &names,
        vocabulary: &mut vocabulary,
        ends_at: Some(setup.ends_at),
        cluster: Some(&world.cluster),
        producers: &producers,
        sinks: &mut sinks,
        named: Vec::new(),
        consumers: setup.consumers.clone(),
    };
    let actions = actions::read_by_hand(&mut reader, Place { value: &tree, path: String::new() }, &mut known);
    match actions {
        Some(actions) if !reader.has_mistakes() => Ok(actions),
        _ => Err(reader.into_mistakes()),
    }
}
