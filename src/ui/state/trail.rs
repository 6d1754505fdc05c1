//! What the table of records needs besides the moment: the way of the selected record.

use super::State;
use crate::scene::records::{Fact, Of, Trail};
use crate::scene::{self, Subject};

impl State {
    /// Brings the table of records up to date: the selected record's way, and whose records are wanted.
    #[inline(never)]
    pub(super) fn settle_records(&mut self) {
        let (run, group) = (self.playback.run(), self.group());
        let is_there = |of: Of| match of {
            Of::Partition(partition) => scene::is_there(run, Subject::Partition(partition)),
            Of::Producer(producer) => scene::is_there(run, Subject::Producer(producer)),
            Of::Member(member) => {
                scene::is_there(run, Subject::Member(member)) && Some(run.consumer(member).group) == group
            }
        };
        let of = self.inspector.records.query.of.filter(|&of| is_there(of));
        let selected = self.inspector.record().filter(|record| record.0 < run.records());
        let key = (self.opened, self.playback.history().current());
        let kept = self.trail.take().filter(|(opened, branch, trail)| {
            (*opened, *branch) == key && selected.is_some_and(|record| trail.is_of(record, group))
        });
        self.trail = selected.map(|record| {
            let mut trail = kept.map_or_else(|| Trail::new(run, record, group), |(_, _, trail)| trail);
            trail.follow(run);
            (key.0, key.1, trail)
        });
        self.inspector.records.query.of = of;
    }

    /// What happened to the selected record up to the moment that is looked at.
    pub fn way(&self) -> Vec<Fact> {
        self.trail.as_ref().map_or_else(Vec::new, |(_, _, trail)| trail.facts(self.playback.run()))
    }
}
