//! How clients come to know partitions that are added while they run.

use super::Simulation;
use crate::sim::effect::Context;
use crate::sim::ids::*;
use crate::sim::queue::Due;

impl Simulation {
    /// Partitions have been added: each running consumer and producer that they concern learns of them when it next asks, at most
    /// `metadata.max.age.ms` from now. Where nothing is added nobody asks, as that would bring nothing new.
    pub(super) fn schedule_metadata_refreshes(&mut self) {
        let Simulation { setup, state, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        for consumer in &state.consumers {
            if let Some(at) = consumer.client().and_then(|client| client.asks_again_at(ctx)) {
                state.queue.push(at, Due::MetadataRefresh(consumer.id, consumer.incarnation));
            }
        }
        for (index, producer) in state.producers.iter_mut().enumerate() {
            if let Some(at) = producer.expect_partitions(ctx) {
                state.queue.push(at, Due::Metadata(ProducerId::at(index)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::assignor::Assignor;
    use crate::sim::event::{Event, RebalanceReason};
    use crate::sim::failing::OnError;
    use crate::sim::setup::*;
    use crate::sim::time::{Span, Time};
    use crate::sim::topics::Topics;
    use crate::sim::{Progress, Step};
    use std::rc::Rc;

    const TOPIC: TopicId = TopicId(0);

    fn setup(partitions: u16, assignor: Assignor) -> Setup {
        let config = Rc::new(ConsumerConfig {
            reads: Reads::Subscribed([TOPIC].into()),
            settings: ConsumerSettings {
                assignors: [assignor].into(),
                metadata_max_age: Span::from_secs(10),
                ..ConsumerSettings::default()
            },
            handling: Handling {
                time: Span::from_millis(1),
                times: Vec::new(),
                fails: Vec::new(),
                on_error: OnError::STOP,
                pool: None,
                commit: CommitPolicy::after_records(1),
                writes_to: None,
                offset_store: None,
            },
        });
        let consumer = |(name, starts_at): (&str, u64)| ConsumerSetup {
            name: name.into(),
            group: GroupId(0),
            instance_id: None,
            starts_at: Time::from_micros(starts_at * 1_000_000),
            config: config.clone(),
        };
        Setup {
            seed: 1,
            ends_at: Time::from_micros(60_000_000),
            brokers: vec![BrokerSetup { latency: Span::from_millis(1) }],
            cluster: ClusterSettings::default(),
            topics: vec![TopicSetup { name: "t".into(), partitions }],
            producers: Vec::new(),
            groups: vec![GroupSetup { name: "g".into(), committed: Vec::new() }],
            consumers: [("c1", 0), ("c2", 2)].map(consumer).into(),
            sinks: Vec::new(),
            keys: Vec::new(),
            values: Vec::new(),
            actions: Vec::new(),
        }
    }

    /// A topic with three partitions gets three more at 15 s. Room for them is there from the start.
    fn grown(assignor: Assignor) -> Vec<Step> {
        let mut run = Simulation::new(setup(6, assignor));
        run.state.topics = Topics::new(&setup(3, assignor));
        while run.now() < Time::from_micros(15_000_000) {
            run.step();
        }
        for _ in 0..3 {
            run.state.topics.add_to(TOPIC);
        }
        run.schedule_metadata_refreshes();
        let mut steps = Vec::new();
        while let Progress::Step(step) = run.step() {
            steps.push(step);
        }
        let owned = |consumer: u16| run.consumer(ConsumerId(consumer)).client().map_or(0, |client| client.owned.len());
        assert_eq!([owned(0), owned(1)], [3, 3], "all six are dealt");
        steps
    }

    #[test]
    fn each_client_learns_after_its_own_metadata_age_and_only_the_leader_acts() {
        let steps = grown(Assignor::Range);
        let learned: Vec<(u64, u16, u32, bool)> = steps
            .iter()
            .filter_map(|step| match step.event {
                Event::MetadataRefreshed { consumer, partitions, rejoins } => {
                    Some((step.at.as_micros() / 1_000_000, consumer.0, partitions, rejoins))
                }
                _ => None,
            })
            .collect();
        assert_eq!(learned, [(20, 0, 3, true), (22, 1, 3, false)]);
        let begins: Vec<u64> = steps
            .iter()
            .filter(|step| {
                let reason = RebalanceReason::MetadataChanged;
                matches!(step.event, Event::RebalanceStarted { reason: found, consumer: ConsumerId(0), .. } if found == reason)
            })
            .map(|step| step.at.as_micros() / 1_000_000)
            .collect();
        assert_eq!(begins, [20]);
    }

    /// New partitions have no owner to take them from: one rebalance is enough, and nobody gives anything up.
    #[test]
    fn cooperative_members_get_new_partitions_at_once() {
        let steps = grown(Assignor::CooperativeSticky);
        let count = |wanted: fn(&Event) -> bool| steps.iter().filter(|step| wanted(&step.event)).count();
        assert_eq!(count(|event| matches!(event, Event::SomePartitionsRevoked { .. })), 0);
        assert_eq!(count(|event| matches!(event, Event::GenerationStarted { .. })), 1);
    }
}
