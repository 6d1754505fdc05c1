//! Named properties of a run: what must hold after every step, what should happen at some step, and what must hold in
//! the end.

use super::coordinator::GroupState;
use super::ids::*;
use super::setup::ProducerSetup;
use super::simulation::Simulation;

/// When a property has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// After every step.
    Always,
    /// After some step.
    Sometimes,
    /// After the last step.
    Eventually,
}

/// A named claim about the world.
#[derive(Clone, Copy)]
pub struct Property {
    /// Its name.
    pub name: &'static str,
    /// When it has to hold.
    pub mode: Mode,
    /// Whether it holds now.
    pub holds: fn(&Simulation) -> bool,
}

impl std::fmt::Debug for Property {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Property").field("name", &self.name).field("mode", &self.mode).finish_non_exhaustive()
    }
}

const fn always(name: &'static str, holds: fn(&Simulation) -> bool) -> Property {
    Property { name, mode: Mode::Always, holds }
}

const fn sometimes(name: &'static str, holds: fn(&Simulation) -> bool) -> Property {
    Property { name, mode: Mode::Sometimes, holds }
}

const fn eventually(name: &'static str, holds: fn(&Simulation) -> bool) -> Property {
    Property { name, mode: Mode::Eventually, holds }
}

/// What holds in every run of consumers that commit after processing, where each topic has one producer.
pub const COMMIT_AFTER_PROCESSING: &[Property] = &[
    always("committed_is_at_most_the_lowest_unfinished", committed_is_finished),
    always("a_partition_has_one_member_in_a_generation", one_member_a_partition),
    always("no_two_members_hold_one_record", no_overlap),
    always("order_is_kept_within_a_key", order_within_key),
    always("a_living_owner_reads_from_its_position_on", next_is_within_the_log),
];

/// What also holds where groups start at the earliest offset.
pub const EARLIEST: &[Property] = &[always("nothing_is_lost", nothing_lost)];

/// What holds once nothing has been done to the consumers for long enough, and all records have been sent.
pub const SETTLED: &[Property] = &[
    eventually("a_group_with_a_living_member_is_stable", living_groups_are_stable),
    eventually("a_group_without_a_living_member_is_empty", dead_groups_are_empty),
    eventually("the_members_of_a_group_are_the_living_processes", members_are_the_living),
    eventually("every_partition_of_a_living_group_has_an_owner", living_groups_own_all),
    eventually("a_living_group_has_processed_everything", living_groups_are_done),
];

/// What a run shows if it is to say something about consumer groups.
pub const TELLING: &[Property] = &[
    sometimes("a_group_rebalances_after_its_first_generation", |run| {
        groups(run).any(|group| run.ledger(group).rebalances > 0)
    }),
    sometimes("a_record_is_processed_twice", |run| groups(run).any(|group| run.ledger(group).duplicates() > 0)),
    sometimes("a_partition_has_no_working_owner", |run| {
        groups(run).any(|group| run.ledger(group).partitions.iter().any(|part| part.unowned_since.is_some()))
    }),
];

/// Looks after every step which properties hold.
#[derive(Clone, Debug)]
pub struct Watch {
    open: Vec<Property>,
    broken: Vec<(&'static str, u32)>,
}

impl Watch {
    /// Nothing has been seen yet.
    pub fn new<'a>(properties: impl IntoIterator<Item = &'a Property>) -> Self {
        Watch { open: properties.into_iter().copied().collect(), broken: Vec::new() }
    }

    /// The run has made a step.
    pub fn note(&mut self, run: &Simulation) {
        let broken = &mut self.broken;
        self.open.retain(|property| match property.mode {
            Mode::Always if (property.holds)(run) => true,
            Mode::Always => {
                broken.push((property.name, run.steps()));
                false
            }
            Mode::Sometimes => !(property.holds)(run),
            Mode::Eventually => true,
        });
    }

    /// The run is at its end. Returns each property that did not hold, with the number of steps after which that was
    /// certain.
    pub fn finish(self, run: &Simulation) -> Vec<(&'static str, u32)> {
        let missing = self.open.iter().filter(|property| match property.mode {
            Mode::Always => false,
            Mode::Sometimes => true,
            Mode::Eventually => !(property.holds)(run),
        });
        let mut broken = self.broken;
        broken.extend(missing.map(|property| (property.name, run.steps())));
        broken
    }
}

fn groups(run: &Simulation) -> impl Iterator<Item = GroupId> {
    (0..run.setup().groups.len()).map(GroupId::at)
}

fn has_living_member(run: &Simulation, group: GroupId) -> bool {
    run.consumers().iter().any(|consumer| consumer.group == group && consumer.client().is_some())
}

fn committed_is_finished(run: &Simulation) -> bool {
    groups(run).all(|group| {
        run.partitions_of_group(group).all(|partition| {
            let committed = run.group(group).committed(partition).map_or(0, |committed| committed.offset);
            let skipped = run.ledger(group).lost_in(partition, Some(committed)).skipped_by_commit;
            skipped == 0
        })
    })
}

fn one_member_a_partition(run: &Simulation) -> bool {
    groups(run).all(|group| {
        let mut owned: Vec<PartitionId> =
            run.group(group).members.iter().flat_map(|member| member.assigned.iter().copied()).collect();
        owned.extend(run.group(group).members.iter().flat_map(|member| member.current.revoking()));
        let count = owned.len();
        owned.sort_unstable();
        owned.dedup();
        owned.len() == count
    })
}

fn no_overlap(run: &Simulation) -> bool {
    groups(run).all(|group| run.ledger(group).overlaps == 0)
}

/// Where each key has one partition.
fn order_within_key(run: &Simulation) -> bool {
    let keeps_keys_together = |producer: &ProducerSetup| producer.settings.picks_by().keeps_keys_together();
    if !run.setup().producers.iter().all(keeps_keys_together) {
        return true;
    }
    groups(run).all(|group| run.ledger(group).out_of_order == 0)
}

fn next_is_within_the_log(run: &Simulation) -> bool {
    run.consumers().iter().filter_map(|consumer| consumer.client()).all(|client| {
        client.owned.iter().all(|owned| {
            let end = run.partition(owned.partition).end;
            owned.position.is_none_or(|position| owned.next <= position && position <= end)
        })
    })
}

fn nothing_lost(run: &Simulation) -> bool {
    groups(run).all(|group| run.lost(group).total() == 0)
}

fn living_groups_are_stable(run: &Simulation) -> bool {
    groups(run).all(|group| !has_living_member(run, group) || run.group(group).state == GroupState::Stable)
}

fn dead_groups_are_empty(run: &Simulation) -> bool {
    groups(run).all(|group| {
        has_living_member(run, group)
            || (run.group(group).state == GroupState::Empty && run.group(group).members.is_empty())
    })
}

fn members_are_the_living(run: &Simulation) -> bool {
    groups(run).all(|group| {
        let mut members: Vec<(ConsumerId, Incarnation)> =
            run.group(group).members.iter().map(|member| (member.key.consumer, member.key.incarnation)).collect();
        members.sort_unstable();
        let living = run.consumers().iter().filter(|consumer| consumer.group == group && consumer.client().is_some());
        living.map(|consumer| (consumer.id, consumer.incarnation)).eq(members)
    })
}

fn living_groups_own_all(run: &Simulation) -> bool {
    groups(run).filter(|&group| has_living_member(run, group)).all(|group| {
        run.partitions_of_group(group)
            .all(|partition| run.ledger(group).partitions[partition.index()].owner().is_some())
    })
}

fn living_groups_are_done(run: &Simulation) -> bool {
    groups(run).filter(|&group| has_living_member(run, group)).all(|group| {
        run.partitions_of_group(group).all(|partition| {
            let end = run.partition(partition).end;
            let lost = run.ledger(group).lost_in(partition, run.reach(group, partition)).total();
            lost > 0 || run.ledger(group).partitions[partition.index()].first_undone(0) == end
        })
    })
}
