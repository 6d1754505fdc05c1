//! Groups and their members.

use super::{Composer, look};
use crate::scene::density::Density;
use crate::scene::drawn::is_gone;
use crate::scene::geometry::{Point, Rect, share};
use crate::scene::names::{partition_ranges, record_name};
use crate::scene::rebalance::{exchange, time_left, turn};
use crate::scene::stage::{
    Entering, GroupFrame, Hand, MemberBox, OtherMembers, Phase, Shape, Silence, Status, Try, Waits,
};
use crate::sim::consumer::{Application, Client, Consumer, Membership, Process, Work};
use crate::sim::coordinator::GroupState;
use crate::sim::setup::bounds;
use crate::sim::{ConsumerId, Event, GroupId, MemberKey, PartitionId, StepNo, Time};

/// The most workers that a card has room for.
const MOST_HANDS: usize = 6;

impl Composer<'_> {
    pub(super) fn group(&self, group: GroupId) -> GroupFrame {
        let run = self.run;
        let found = run.group(group);
        GroupFrame {
            group,
            rect: self.layout.groups[group.index()],
            name: run.setup().groups[group.index()].name.clone(),
            generation: found.generation,
            phase: match found.state {
                GroupState::Empty => Phase::Empty,
                GroupState::PreparingRebalance if found.waits_for_newcomers() && found.missing() == 0 => {
                    Phase::Gathering
                }
                GroupState::PreparingRebalance => {
                    let joined = found.members.iter().filter(|member| member.joined).count() as u32;
                    Phase::Joining { joined, of: joined + found.missing() }
                }
                GroupState::CompletingRebalance => Phase::Assigning,
                GroupState::Stable if found.is_modern() => Phase::StableEpoch,
                GroupState::Stable => Phase::Stable,
                GroupState::Assigning => Phase::AssigningEpoch,
                GroupState::Reconciling => Phase::Reconciling(found.unreconciled()),
            },
            leader: (found.leader)
                .filter(|_| matches!(found.state, GroupState::Stable | GroupState::CompletingRebalance))
                .map(|leader| run.consumer(leader.consumer).name.clone()),
            is_chosen: self.has_several_groups().then(|| self.chosen == Some(group)),
            is_at_hand: self.has_several_groups() && self.group_at_hand == Some(group),
            waits: self.waits(group),
            members: run
                .consumers_of(group)
                .filter(|consumer| self.drawn.has_member(consumer.id))
                .map(|consumer| self.member(consumer.id))
                .collect(),
            others: self.other_members(group),
        }
    }

    /// The members that have no box of their own.
    fn other_members(&self, group: GroupId) -> Option<OtherMembers> {
        let others: Vec<&Consumer> =
            self.run.consumers_of(group).filter(|consumer| !self.drawn.has_member(consumer.id)).collect();
        (!others.is_empty()).then(|| self.summed_up_members(&others))
    }

    #[inline(never)]
    fn summed_up_members(&self, others: &[&Consumer]) -> OtherMembers {
        let is_busy = |consumer: &&&Consumer| {
            let client = consumer.client();
            client.is_some_and(|client| {
                matches!(client.application, Application::Handling { .. }) || client.workers.at_work().next().is_some()
            })
        };
        OtherMembers {
            rect: self.layout.members[others[0].id.index()],
            count: others.len() as u32,
            busy: others.iter().filter(is_busy).count() as u32,
            gone: others.iter().filter(|consumer| is_gone(consumer)).count() as u32,
        }
    }

    /// What a rebalance under way waits for, if that has an end.
    fn waits(&self, group: GroupId) -> Option<Waits> {
        if matches!(self.run.group(group).state, GroupState::Empty | GroupState::Stable) {
            return None;
        }
        let left = time_left(self.run, group, self.at)?;
        let Rect { x, y, w, .. } = self.layout.groups[group.index()];
        let is_brief = self.layout.shape() != Shape::Narrow && self.layout.seats == Density::Dense;
        // From the top of the group.
        let (words, bar) = match self.layout.shape() {
            Shape::Wide | Shape::Columns if is_brief => (37, 42),
            Shape::Wide | Shape::Columns => (53, 58),
            Shape::Narrow => (36, 41),
        };
        Some(Waits {
            left,
            at: Point { x: if is_brief { x + w - 12 } else { x + 12 }, y: y + words },
            is_brief,
            bar: Rect { x: x + 12, y: y + bar, w: w - 24, h: 3 },
        })
    }

    fn member(&self, consumer: ConsumerId) -> MemberBox {
        let run = self.run;
        let found = run.consumer(consumer);
        let client = found.client();
        let key = found.key();
        MemberBox {
            consumer,
            rect: self.layout.members[consumer.index()],
            name: self.run.consumer(consumer).name.clone(),
            status: self.status(consumer),
            density: self.layout.seats,
            session: self.session(consumer),
            partitions: client.map_or_else(Vec::new, |client| {
                let owned: Vec<PartitionId> = client.owned.iter().map(|owned| owned.partition).collect();
                partition_ranges(self.run, &owned)
            }),
            paused: client.map_or_else(Vec::new, |client| {
                let paused = client.owned.iter().filter(|owned| owned.paused || client.is_held_back());
                let paused: Vec<PartitionId> = paused.map(|owned| owned.partition).collect();
                partition_ranges(self.run, &paused)
            }),
            uncommitted: client.map_or(0, Client::uncommitted),
            exchange: exchange(run, found.group, key)
                .map(|(turn, partitions)| (turn, partition_ranges(run, &partitions))),
            message: self.messages[consumer.index()],
            turn: turn(run, consumer),
            is_zombie: client.is_some_and(|client| client.is_out() || self.is_stranger(found, client)),
            is_leader: client.is_some()
                && self.run.group(found.group).state == GroupState::Stable
                && self.run.group(found.group).leader == Some(key),
        }
    }

    /// True for one that believes to own partitions and that its coordinator does not know any more.
    fn is_stranger(&self, found: &Consumer, client: &Client) -> bool {
        let owns = !client.config.reads.is_by_hand() && !client.owned.is_empty();
        owns && self.run.group(found.group).member(found.key()).is_none()
    }

    fn status(&self, consumer: ConsumerId) -> Status {
        let found = self.run.consumer(consumer);
        match &found.process {
            Process::NotStarted => Status::NotStarted,
            Process::Running(client) => match &client.freeze {
                Some(freeze) => Status::Frozen {
                    for_long: self.at.since(freeze.since),
                    silence: self.silence(consumer, found.group, found.incarnation),
                },
                None => self.running(client, self.run.group(found.group).leader == Some(found.key())),
            },
            Process::Closed(_) => Status::Closed,
            Process::Crashed(ended) | Process::Failed(ended, _) => Status::Crashed {
                generation: ended.generation,
                silence: self.silence(consumer, found.group, found.incarnation),
            },
        }
    }

    #[inline(never)]
    fn working(&self, client: &Client, longest: &Work) -> Status {
        let hand = |work: &Work| Hand {
            look: look(self.run.record(work.record)),
            done: share(self.at.since(work.since).as_micros(), work.until.since(work.since).as_micros()),
            is_resting: work.is_resting(),
        };
        let Hand { look, done, .. } = hand(longest);
        let queue = client.config.handling.pool.map(|pool| pool.queue);
        Status::Working {
            workers: client.workers.at_work().count() as u32,
            hands: client.workers.at_work().take(MOST_HANDS).map(hand).collect(),
            waiting: client.workers.waiting(),
            queue: queue.filter(|&queue| queue < bounds::RECORDS),
            record: record_name(self.run, longest.record),
            look,
            done,
        }
    }

    /// Sleeps because of the failure of a step.
    #[inline(never)]
    fn resting(&self, client: &Client, (since, until, step): (Time, Time, StepNo)) -> Status {
        let failed = self.run.step_at(step).map(|step| step.event);
        let Some(Event::HandlingFailed { record, tries, .. }) = failed else { return Status::Polling };
        Status::Resting {
            record: record_name(self.run, record),
            look: look(self.run.record(record)),
            next: again(client, tries).unwrap_or(Try { nth: 1, most: None }),
            done: share(self.at.since(since).as_micros(), until.since(since).as_micros()),
        }
    }

    fn running(&self, client: &Client, is_leader: bool) -> Status {
        if let Some(longest) = client.workers.at_work().min_by_key(|work| (work.since, work.offset)) {
            return self.working(client, longest);
        }
        match client.application {
            Application::Handling { record, partition, offset, since, until, .. } => Status::Handling {
                record: record_name(self.run, record),
                look: look(self.run.record(record)),
                done: share(self.at.since(since).as_micros(), until.since(since).as_micros()),
                again: again(client, client.failed_tries(partition, offset)).filter(|again| again.nth > 1),
            },
            Application::Committing => Status::Committing,
            Application::Resting { since, until, step } => self.resting(client, (since, until, step)),
            Application::Polling if client.is_about_to_rest() => {
                self.resting(client, (self.at, self.at, client.failed_at()))
            }
            Application::Polling
                if let Some(next) = client.batch.front()
                    && let Some(record) = self.run.record_at(next.partition, next.from) =>
            {
                Status::Holding {
                    records: client.batch.iter().map(|range| range.len()).sum(),
                    record: record_name(self.run, record),
                    look: look(self.run.record(record)),
                }
            }
            Application::Polling if client.membership != Membership::Stable => {
                Status::Joining(entering(client, is_leader))
            }
            Application::Polling if client.owned.is_empty() => Status::Idle,
            Application::Polling => Status::Polling,
        }
    }

    /// How long ago the coordinator heard a member whose session can expire.
    fn session(&self, consumer: ConsumerId) -> Option<Silence> {
        let found = self.run.consumer(consumer);
        let waits = found.client().is_some_and(|client| {
            client.freeze.is_none() && matches!(client.membership, Membership::Joining | Membership::Syncing)
        });
        // Who waits for the coordinator's answer counts as alive.
        self.silence(consumer, found.group, found.incarnation).filter(|_| !waits)
    }

    fn silence(&self, consumer: ConsumerId, group: GroupId, incarnation: u16) -> Option<Silence> {
        let member = self.run.group(group).member(MemberKey { consumer, incarnation })?;
        let silent = self.at.since(member.heard_at);
        let timeout = member.session_ends.since(member.heard_at);
        Some(Silence { silent, timeout, passed: share(silent.as_micros(), timeout.as_micros()) })
    }
}

/// How far a member has come that is not in a generation.
fn entering(client: &Client, is_leader: bool) -> Entering {
    match client.membership {
        Membership::Joining if client.is_modern() => Entering::Asking,
        Membership::Joining => Entering::WaitsForOthers,
        Membership::Syncing if is_leader => Entering::Assigns,
        Membership::Syncing => Entering::WaitsForLeader,
        Membership::Unjoined | Membership::Stable if client.generation > 0 => Entering::GaveUp,
        Membership::Unjoined | Membership::Stable => Entering::Asking,
    }
}

/// The try that follows so many failed ones, where the application tries again.
fn again(client: &Client, failed: u32) -> Option<Try> {
    let most = client.config.handling.on_error.most_tries();
    (most != Some(1)).then_some(Try { nth: failed + 1, most })
}
