//! Named properties of a run: what must hold after every step, and what should happen at some step.

use super::ids::*;
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

/// What holds in every run of consumers that commit after processing.
pub const COMMIT_AFTER_PROCESSING: &[Property] = &[
    Property { name: "committed_is_at_most_the_lowest_unfinished", mode: Mode::Always, holds: committed_is_finished },
    Property { name: "a_partition_has_one_member_in_a_generation", mode: Mode::Always, holds: one_member_a_partition },
    Property { name: "no_two_members_hold_one_record", mode: Mode::Always, holds: no_overlap },
    Property { name: "order_is_kept_within_a_key", mode: Mode::Always, holds: order_within_key },
];

fn groups(run: &Simulation) -> impl Iterator<Item = GroupId> {
    (0..run.setup().groups.len()).map(GroupId::at)
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
        let count = owned.len();
        owned.sort_unstable();
        owned.dedup();
        owned.len() == count
    })
}

fn no_overlap(run: &Simulation) -> bool {
    groups(run).all(|group| run.ledger(group).overlaps == 0)
}

fn order_within_key(run: &Simulation) -> bool {
    groups(run).all(|group| run.ledger(group).out_of_order == 0)
}
