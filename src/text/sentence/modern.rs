//! The consumer group protocol: group epoch, target assignment, and how each member comes to its part.

use super::Telling;
use crate::sim::event::EpochReason;
use crate::sim::{ConsumerId, Event, Generation, GroupId};
use crate::text::{format, names};

impl Telling<'_> {
    #[inline(never)]
    pub(super) fn modern(self) -> String {
        let lang = self.lang;
        match self.step.event {
            Event::JoiningHeartbeatSent { consumer } => {
                let (name, group) = (self.consumer(consumer), names::group_of(self.run, consumer));
                both!(
                    lang,
                    "{name} が {group} に参加するため、メンバーエポック 0 のハートビートを送りました。",
                    "{name} sends a heartbeat with member epoch 0: it asks to join {group}."
                )
            }
            Event::GroupEpochBumped {
                group,
                epoch,
                reason: EpochReason::MemberJoins,
                consumer,
                members: 0 | 1,
                ..
            } => {
                let (group, name) = (names::group(self.run, group), self.consumer(consumer));
                both!(
                    lang,
                    "{name} が、メンバーのいない {group} に参加しました。グループエポックが {epoch} に上がりました。",
                    "{name} joins {group}, which has no other member: the group epoch rises to {epoch}."
                )
            }
            Event::GroupEpochBumped { group, epoch, reason, consumer, .. } => {
                self.epoch_bumped(group, epoch, reason, consumer)
            }
            Event::TargetAssignmentComputed { epoch, assignor, members, partitions, .. } => {
                let assignor = assignor.name();
                let (members, partitions) = (format::members(lang, members), self.partitions(partitions));
                match self.shares() {
                    Some(shares) => both!(
                        lang,
                        "コーディネーターがエポック {epoch} のターゲット割り当てを {assignor} で決めました（{shares}）。",
                        "The coordinator computes the target assignment of epoch {epoch} by {assignor}: {shares}."
                    ),
                    None => both!(
                        lang,
                        "コーディネーターがエポック {epoch} のターゲット割り当てを {assignor} で決めました（{partitions}、{members}）。",
                        "The coordinator computes the target assignment of epoch {epoch} by {assignor}: {partitions} for {members}."
                    ),
                }
            }
            Event::RevocationRequested { consumer, epoch, partitions, .. } => {
                let (name, list) = (self.consumer(consumer), self.concerned(partitions));
                both!(
                    lang,
                    "コーディネーターがハートビートの応答で、{list} を手放すよう {name} に求めます。{name} はエポック {epoch} のままです。",
                    "The answer to its heartbeat asks {name} to give up {list}. Until then it stays in epoch {epoch}."
                )
            }
            Event::RevocationAcknowledged { consumer, epoch, partitions, .. } => {
                let (name, list) = (self.consumer(consumer), self.concerned(partitions));
                both!(
                    lang,
                    "{name} が {list} を手放したことを、ハートビートで知らせました。{name} はエポック {epoch} に進みます。",
                    "A heartbeat of {name} says that it has given up {list}. {name} comes to epoch {epoch}."
                )
            }
            Event::AssignmentGiven { consumer, epoch, partitions, waiting, .. } => {
                self.assignment_given(consumer, epoch, partitions, waiting)
            }
            Event::MemberEpochRaised { consumer, epoch, waiting: 0, .. } => {
                let name = self.consumer(consumer);
                both!(
                    lang,
                    "{name} がエポック {epoch} に進みました。担当は変わりません。",
                    "{name} comes to epoch {epoch}. Its partitions stay the same."
                )
            }
            Event::MemberEpochRaised { consumer, epoch, waiting, .. } => {
                let (name, waiting) = (self.consumer(consumer), self.partitions(waiting));
                both!(
                    lang,
                    "{name} がエポック {epoch} に進みました。受け取る予定の {waiting}は、まだ空いていません。",
                    "{name} comes to epoch {epoch}. It is still to get {waiting} from other members."
                )
            }
            Event::ReconciliationRevoked { consumer, partitions, kept, uncommitted, .. } => {
                self.reconciliation_revoked(consumer, partitions, kept, uncommitted)
            }
            Event::ReconciliationAssigned { consumer, epoch, partitions, kept } => {
                self.reconciliation_assigned(consumer, epoch, partitions, kept)
            }
            Event::StaticMemberLeft { consumer, partitions, .. } => {
                let (name, list) = (self.consumer(consumer), self.concerned(partitions));
                let timeout = format::span(lang, self.session_timeout(consumer));
                both!(
                    lang,
                    "静的メンバーの {name} が、戻る予定で離脱しました。最後のハートビートから {timeout}の間、{list} はほかのメンバーに渡りません。",
                    "The static member {name} leaves for a while. For {timeout} from its last heartbeat, nobody else gets {list}."
                )
            }
            Event::RevocationTimedOut { consumer, partitions, members, waited, .. } => {
                let (name, list) = (self.consumer(consumer), self.concerned(partitions));
                let (members, waited) = (format::members(lang, members), format::span(lang, waited));
                both!(
                    lang,
                    "{waited}待っても {name} が {list} を手放さず、コーディネーターが外しました。残りは {members}です。",
                    "{name} has not given up {list} within {waited}, so the coordinator removes it. The group has {members} now."
                )
            }
            _ => String::new(),
        }
    }

    /// The partitions that the step is about.
    fn concerned(&self, count: u32) -> String {
        self.named(self.run.partitions_at(self.number), count)
    }

    fn epoch_bumped(self, group: GroupId, epoch: Generation, reason: EpochReason, consumer: ConsumerId) -> String {
        let (group, name) = (names::group(self.run, group), self.consumer(consumer));
        match reason {
            EpochReason::GroupCreated => both!(
                self.lang,
                "{name} が最初のメンバーとして {group} に参加しました。グループエポックは {epoch} です。",
                "{name} is the first to join {group}. The group epoch is {epoch}."
            ),
            EpochReason::MemberJoins => both!(
                self.lang,
                "{name} が参加し、{group} のグループエポックが {epoch} に上がりました。ほかのメンバーは処理を続けます。",
                "{name} joins: the group epoch of {group} rises to {epoch}. The other members go on."
            ),
            EpochReason::MemberLeft => both!(
                self.lang,
                "{name} が離脱したため、{group} のグループエポックが {epoch} に上がりました。",
                "{name} has left: the group epoch of {group} rises to {epoch}."
            ),
            EpochReason::SessionExpired => both!(
                self.lang,
                "{name} のセッションが切れたため、{group} のグループエポックが {epoch} に上がりました。",
                "The session of {name} expired: the group epoch of {group} rises to {epoch}."
            ),
            EpochReason::RevocationTimedOut => both!(
                self.lang,
                "{name} が外されたため、{group} のグループエポックが {epoch} に上がりました。",
                "{name} was removed: the group epoch of {group} rises to {epoch}."
            ),
            EpochReason::SubscriptionChanged => both!(
                self.lang,
                "{name} が別の購読で戻ったため、{group} のグループエポックが {epoch} に上がりました。",
                "{name} is back with another subscription: the group epoch of {group} rises to {epoch}."
            ),
            EpochReason::PartitionsAdded => both!(
                self.lang,
                "購読しているトピックのパーティションが増えたため、{group} のグループエポックが {epoch} に上がりました。",
                "A topic of {group} has got new partitions: the group epoch rises to {epoch}."
            ),
        }
    }

    fn assignment_given(self, consumer: ConsumerId, epoch: Generation, partitions: u32, waiting: u32) -> String {
        let (name, list, more) = (self.consumer(consumer), self.concerned(partitions), self.partitions(waiting));
        match (partitions, waiting) {
            (0, 0) => both!(
                self.lang,
                "{name} がエポック {epoch} に入りました。担当するパーティションはまだありません。",
                "{name} comes to epoch {epoch}. There is no partition for it yet."
            ),
            (0, _) => both!(
                self.lang,
                "{name} がエポック {epoch} に入りました。受け取る予定の {more}は、まだ空いていません。",
                "{name} comes to epoch {epoch}. It is still to get {more} from other members."
            ),
            (_, 0) => both!(
                self.lang,
                "{name} がエポック {epoch} に進み、ハートビートの応答で {list} を受け取ります。",
                "{name} comes to epoch {epoch}, and the answer to its heartbeat gives it {list}."
            ),
            _ => both!(
                self.lang,
                "{name} がエポック {epoch} に進み、ハートビートの応答で {list} を受け取ります。あと {more}は、まだ空いていません。",
                "{name} comes to epoch {epoch}, and the answer to its heartbeat gives it {list}. It is still to get {more}."
            ),
        }
    }

    fn reconciliation_revoked(self, consumer: ConsumerId, partitions: u32, kept: u32, uncommitted: u32) -> String {
        let (name, list, kept) = (self.consumer(consumer), self.concerned(partitions), self.partitions(kept));
        let records = self.records(uncommitted);
        match uncommitted {
            0 => both!(
                self.lang,
                "{name} が poll() の中で {list} を手放しました（onPartitionsRevoked）。ほかの {kept}は、そのまま担当します。",
                "Inside poll() {name} gives up {list} (onPartitionsRevoked). It keeps {kept}."
            ),
            _ => both!(
                self.lang,
                "{name} が poll() の中で {list} を手放しました（onPartitionsRevoked）。処理済みの {records}は未コミットのままです。ほかの {kept}は、そのまま担当します。",
                "Inside poll() {name} gives up {list} (onPartitionsRevoked), with {records} processed but not committed. It keeps {kept}."
            ),
        }
    }

    fn reconciliation_assigned(self, consumer: ConsumerId, epoch: Generation, partitions: u32, kept: u32) -> String {
        let (name, list) = (self.consumer(consumer), self.concerned(partitions));
        let more = self.partitions(kept);
        match (partitions, kept) {
            (0, _) => both!(
                self.lang,
                "エポック {epoch} では、{name} が担当するパーティションはまだありません。",
                "{name} has no partition in epoch {epoch} yet."
            ),
            (_, 0) => both!(
                self.lang,
                "{name} が {list} の担当になりました（onPartitionsAssigned）。次に、コミット済みオフセットを問い合わせます。",
                "{name} takes over {list} (onPartitionsAssigned). Next it asks for the committed offsets."
            ),
            _ => both!(
                self.lang,
                "{name} が {list} も担当するようになりました（onPartitionsAssigned）。これまでの {more}も読み続けます。",
                "{name} takes over {list} as well (onPartitionsAssigned). It reads on in the {more} that it had."
            ),
        }
    }
}
