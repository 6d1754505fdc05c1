//! Who reads what, and who writes where.

use super::Composer;
use crate::scene::geometry::Curve;
use crate::scene::stage::{Ribbon, RibbonKind, Shape};
use crate::sim::consumer::{Application, Process};
use crate::sim::{ConsumerId, GroupId, MemberKey, PartitionId};

impl Composer<'_> {
    pub(super) fn ribbons(&self) -> Vec<Ribbon> {
        let mut ribbons = Vec::new();
        for consumer in self.run.consumers() {
            match &consumer.process {
                Process::Running(client) => {
                    let in_hand = match client.application {
                        Application::Handling { partition, .. } => Some(partition),
                        _ => None,
                    };
                    let at_work = client.workers.at_work().map(|work| work.partition);
                    let busy: Vec<PartitionId> = in_hand.into_iter().chain(at_work).collect();
                    for owned in &client.owned {
                        let kind = if busy.contains(&owned.partition) { RibbonKind::Busy } else { RibbonKind::Owned };
                        ribbons.push(self.ribbon(owned.partition, consumer.id, kind));
                    }
                }
                Process::Crashed(_) | Process::Closed(_) | Process::Failed(..) => {
                    let key = MemberKey { consumer: consumer.id, incarnation: consumer.incarnation };
                    let assigned = self.run.group(consumer.group).member(key).map(|member| member.assigned.clone());
                    for &partition in assigned.iter().flat_map(|assigned| assigned.iter()) {
                        ribbons.push(self.ribbon(partition, consumer.id, RibbonKind::Gone));
                    }
                }
                Process::NotStarted => {}
            }
        }
        // Those of partitions that are summed up would lie upon each other.
        let is_seen = |ribbon: &Ribbon| ribbon.kind == RibbonKind::Busy || self.drawn.has_partition(ribbon.partition);
        ribbons.retain(is_seen);
        if self.layout.shape() == Shape::Narrow {
            // There they would run across everything in between.
            ribbons.retain(|ribbon| !ribbon.is_other);
        }
        ribbons
    }

    fn ribbon(&self, partition: PartitionId, consumer: ConsumerId, kind: RibbonKind) -> Ribbon {
        let is_other = self.is_other(partition, self.run.consumer(consumer).group);
        Ribbon { partition, consumer, curve: self.ribbon_curve(partition, consumer), kind, is_other }
    }

    pub(super) fn ribbon_curve(&self, partition: PartitionId, consumer: ConsumerId) -> Curve {
        let from = self.layout.tapes[partition.index()].right();
        let member = self.layout.members[consumer.index()];
        match self.layout.shape() {
            Shape::Wide | Shape::Columns => {
                let to = member.left();
                let lanes = self.run.setup().groups.len() as i32 + 1;
                let lane = self.run.consumer(consumer).group.index() as i32 + 1;
                Curve::in_lane(from, to, from.x + (to.x - from.x) * lane / lanes)
            }
            Shape::Narrow => Curve::around(from, member.top(), 366),
        }
    }

    /// Who writes where goes without saying if there is one group and one table, and has no room where they stand one below
    /// the other.
    pub(super) fn links(&self) -> String {
        let setup = self.run.setup();
        if self.layout.shape() != Shape::Wide || setup.groups.len().max(setup.sinks.len()) == 1 {
            return String::new();
        }
        self.drawn_links()
    }

    #[inline(never)]
    fn drawn_links(&self) -> String {
        let setup = self.run.setup();
        let mut links = String::new();
        for group in (0..setup.groups.len()).map(GroupId::at) {
            let from = self.layout.groups[group.index()].right();
            for sink in self.run.sinks_of(group) {
                links.push_str(&Curve::horizontal(from, self.layout.sinks[sink.index()].left()).path());
            }
        }
        links
    }
}
