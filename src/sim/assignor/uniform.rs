//! The broker's `uniform` assignor.

use super::table::{Table, chosen, sort};
use super::uniform_mixed;
use super::{Extras, Subscription, Topics, is_homogeneous};
use crate::sim::ids::PartitionId;

/// A balanced target assignment that leaves partitions with their owners where it can.
///
/// Source: `org.apache.kafka.coordinator.group.assignor.UniformAssignor`.
pub fn uniform(extras: Extras, topics: &Topics, members: &[Subscription<'_>]) -> Vec<Vec<PartitionId>> {
    let table = Table::new(topics, members, chosen(members.len(), &|_| true));
    if table.partition_count() == 0 {
        return vec![Vec::new(); members.len()];
    }
    let mut dealt = if is_homogeneous(members) { homogeneous(&table, extras) } else { uniform_mixed::deal(&table) };
    for list in &mut dealt {
        sort(list, &|place| place as u64);
    }
    table.named(&dealt)
}

/// With equal subscriptions: everybody keeps what it owns up to its share; what is free goes to the members below theirs,
/// one member after another.
///
/// Source: `UniformHomogeneousAssignmentBuilder`.
fn homogeneous(table: &Table<'_>, extras: Extras) -> Vec<Vec<usize>> {
    let member_count = table.members.len();
    let share = table.partition_count() / member_count;
    let mut extras_left = table.partition_count() % member_count;
    let mut dealt: Vec<Vec<usize>> = (0..member_count).map(|rank| table.owned(rank)).collect();
    let mut is_owned = vec![false; table.partition_count()];
    dealt.iter().flatten().for_each(|&place| is_owned[place] = true);
    let mut free = chosen(is_owned.len(), &|place| !is_owned[place]);
    let mut quotas = Vec::new();
    for (rank, list) in dealt.iter_mut().enumerate() {
        sort(list, &|place| place as u64);
        let mut has_extra = extras_left > 0;
        let mut quota = share + usize::from(has_extra);
        free.extend(list.drain(quota.min(list.len())..));
        // It leaves the extra to others, as long as enough of them follow.
        let is_optional = extras == Extras::ToOwnersThenLast && member_count - rank > extras_left;
        if has_extra && is_optional && list.len() < quota {
            has_extra = false;
            quota = share;
        }
        extras_left -= usize::from(has_extra);
        quotas.push(quota);
    }
    let mut free = free.into_iter();
    for (list, quota) in dealt.iter_mut().zip(quotas) {
        list.extend(free.by_ref().take(quota - list.len()));
    }
    dealt
}
