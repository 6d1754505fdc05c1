//! A rebalance, from the first JoinGroup to the assignment.

use super::Telling;
use crate::explain::lookup;
use crate::sim::event::{ErrorCode, RebalanceReason};
use crate::sim::setup::Library;
use crate::sim::{ConsumerId, Event, GroupId, Role, Span};
use crate::text::{format, names};

impl Telling<'_> {
    pub(super) fn joining(self) -> String {
        let lang = self.lang;
        match self.step.event {
            Event::MemberJoined { consumer, missing, .. } => self.member_joined(consumer, missing),
            Event::RebalanceStarted { group, generation, reason, consumer } => match generation {
                0 => self.first_rebalance(group),
                _ if lookup::is_empty_before(self.run, group, self.number) => self.rebalance_of_empty(group, consumer),
                _ if reason == RebalanceReason::SessionExpired => self.rebalance_after_expiry(group, consumer),
                _ => self.rebalance(group, reason, consumer),
            },
            Event::GenerationStarted { group, generation, leader, members } => {
                let (group, leader) = (names::group(self.run, group), self.consumer(leader));
                let members = format::members(lang, members);
                both!(
                    lang,
                    "{group} の世代 {generation} が {members}で始まりました。リーダーの {leader} が割り当てを決めます。",
                    "Generation {generation} of {group} begins with {members}. Its leader, {leader}, decides who gets which partition."
                )
            }
            Event::AssignmentComputed { leader, members, partitions, .. } => {
                self.assignment_computed(leader, members, partitions)
            }
            Event::PartitionsAssigned { consumer, generation, partitions } => {
                self.assigned(consumer, generation, partitions)
            }
            Event::PartitionsRevoked { consumer, partitions, .. } => self.revoked(consumer, partitions),
            _ => self.asking(),
        }
    }

    /// What most stories do not show: requests, and what is refused.
    #[inline(never)]
    fn asking(self) -> String {
        let lang = self.lang;
        match self.step.event {
            Event::JoinGroupSent { consumer, .. } => {
                let (name, group) = (self.consumer(consumer), names::group_of(self.run, consumer));
                both!(
                    lang,
                    "{name} が {group} に参加するため、コーディネーターに JoinGroup を送りました。",
                    "{name} sends JoinGroup to the coordinator of {group}."
                )
            }
            Event::MemberIdGiven { consumer, .. } => {
                let consumer = self.consumer(consumer);
                both!(
                    lang,
                    "コーディネーターが {consumer} にメンバー ID を発行しました。{consumer} はこの ID で JoinGroup を送り直します。",
                    "The coordinator gives {consumer} a member id. {consumer} has to send JoinGroup again with it."
                )
            }
            Event::JoinRejected { consumer, error, .. } => self.join_rejected(consumer, error),
            Event::RejoinNeeded { consumer, error } => {
                let (consumer, code) = (self.consumer(consumer), error.name());
                both!(
                    lang,
                    "{consumer} は応答（{code}）を受け、最初から参加し直します。",
                    "The answer was {code}: {consumer} begins joining anew."
                )
            }
            Event::SyncGroupSent { consumer, .. } => {
                let consumer = self.consumer(consumer);
                both!(
                    lang,
                    "{consumer} が SyncGroup を送り、自分の割り当てを問い合わせました。",
                    "{consumer} sends SyncGroup: it asks which partitions it gets."
                )
            }
            Event::SyncGroupReceived { consumer, stable, .. } => self.sync_received(consumer, stable),
            Event::SyncRejected { consumer, error, .. } => {
                let (consumer, code) = (self.consumer(consumer), error.name());
                both!(
                    lang,
                    "コーディネーターが {consumer} の SyncGroup を拒否しました（{code}）。グループはすでに先へ進んでいます。",
                    "The coordinator refuses the SyncGroup of {consumer} ({code}): the group has moved on."
                )
            }
            Event::PartitionsLost { consumer, partitions, error, .. } => self.lost(consumer, partitions, error),
            _ => String::new(),
        }
    }

    /// A client that has left by itself knows that from no broker.
    #[inline(never)]
    fn lost(self, consumer: ConsumerId, partitions: u32, error: ErrorCode) -> String {
        let because = self.step.causes.with_role(Role::Triggered).and_then(|step| self.run.step_at(step));
        let left_by_itself = because.is_some_and(|step| matches!(step.event, Event::PollTimedOut { .. }));
        let owned = lookup::owned_before(self.run, consumer, self.number);
        let library = self.settings(consumer).library;
        let (name, owned) = (self.consumer(consumer), self.named(&owned, partitions));
        match library {
            Library::Librdkafka { .. } if left_by_itself => both!(
                self.lang,
                "{name} の poll() が _MAX_POLL_EXCEEDED を返しました。呼び出しが間に合わず、クライアントが自分から離脱していたためです。コミットせずに {owned} を手放します。",
                "poll() of {name} returns _MAX_POLL_EXCEEDED: it was late, and the client has left the group by itself. It drops {owned} without committing."
            ),
            _ if left_by_itself => both!(
                self.lang,
                "{name} は poll() が間に合わず、自分からグループを離脱していました。コミットせずに {owned} を手放します（onPartitionsLost()）。",
                "{name} was late to call poll() and has left the group by itself. It drops {owned} without committing (onPartitionsLost())."
            ),
            _ => {
                let code = match (library, error) {
                    (Library::KafkaJs { .. }, ErrorCode::UnknownMemberId) => {
                        "The coordinator is not aware of this member"
                    }
                    (Library::KafkaJs { .. }, ErrorCode::IllegalGeneration) => {
                        "Specified group generation id is not valid"
                    }
                    _ => error.name(),
                };
                both!(
                    self.lang,
                    "{name} はもうメンバーではありません（{code}）。コミットせずに {owned} を手放します。",
                    "{name} is no longer a member ({code}). It drops {owned} without committing."
                )
            }
        }
    }

    #[inline(never)]
    fn join_rejected(self, consumer: ConsumerId, error: ErrorCode) -> String {
        let (consumer, code) = (self.consumer(consumer), error.name());
        match error {
            ErrorCode::InconsistentGroupProtocol => both!(
                self.lang,
                "コーディネーターが {consumer} の JoinGroup を拒否しました。全メンバーに共通のアサイナーを指定していません（{code}）。",
                "The coordinator refuses the JoinGroup of {consumer}: it names no assignor that all members support ({code})."
            ),
            ErrorCode::GroupMaxSizeReached => both!(
                self.lang,
                "コーディネーターが {consumer} の JoinGroup を拒否しました。グループは満員です（{code}）。",
                "The coordinator refuses the JoinGroup of {consumer}: the group is full ({code})."
            ),
            ErrorCode::FencedInstanceId => both!(
                self.lang,
                "コーディネーターが {consumer} の JoinGroup を拒否しました。席はすでに別のプロセスのものです（{code}）。",
                "The coordinator refuses the JoinGroup of {consumer}: another process has its place ({code})."
            ),
            _ => both!(
                self.lang,
                "コーディネーターが {consumer} の JoinGroup を拒否しました。このメンバー ID はもう有効ではありません（{code}）。",
                "The coordinator refuses the JoinGroup of {consumer}: it does not know this member id ({code})."
            ),
        }
    }

    fn member_joined(self, consumer: ConsumerId, missing: u32) -> String {
        let (name, members) = (self.consumer(consumer), format::members(self.lang, missing));
        match missing {
            0 => both!(
                self.lang,
                "{name} の JoinGroup が届きました。これで、コーディネーターが把握しているメンバーが全員そろいました。",
                "The JoinGroup of {name} arrives. All members known to the coordinator have joined."
            ),
            _ => both!(
                self.lang,
                "{name} の JoinGroup が届きました。残り {members}がそろうまで、コーディネーターは応答を保留します。",
                "The JoinGroup of {name} arrives. It gets no answer yet: {members} still to come."
            ),
        }
    }

    fn first_rebalance(self, group: GroupId) -> String {
        let delay = self.run.group_initial_rebalance_delay();
        let (group, wait) = (names::group(self.run, group), format::span(self.lang, delay));
        match delay == Span::ZERO {
            true => {
                both!(self.lang, "{group} の最初のリバランスが始まりました。", "{group} begins its first rebalance.")
            }
            false => both!(
                self.lang,
                "{group} の最初のリバランスが始まりました。コーディネーターは、ほかのメンバーが来るのを {wait}待ちます。その間に来れば、待ち時間を延ばします。",
                "{group} begins its first rebalance. The coordinator waits {wait} for more members, and longer if some come."
            ),
        }
    }

    /// `InitialDelayedJoin`: what the first rebalance waits for, each one out of an empty group waits for.
    #[inline(never)]
    fn rebalance_of_empty(self, group: GroupId, consumer: ConsumerId) -> String {
        let delay = self.run.group_initial_rebalance_delay();
        let (group, name) = (names::group(self.run, group), self.consumer(consumer));
        let wait = format::span(self.lang, delay);
        match delay == Span::ZERO {
            true => both!(
                self.lang,
                "空だった {group} に {name} が参加し、リバランスが始まりました。",
                "{name} joins {group}, which was empty: a rebalance begins."
            ),
            false => both!(
                self.lang,
                "空だった {group} に {name} が参加し、リバランスが始まりました。コーディネーターは、ほかのメンバーが来るのを {wait}待ちます。",
                "{name} joins {group}, which was empty: a rebalance begins. The coordinator waits {wait} for more members."
            ),
        }
    }

    /// The reason that most stories show.
    fn rebalance_after_expiry(self, group: GroupId, consumer: ConsumerId) -> String {
        let (group, name) = (names::group(self.run, group), self.consumer(consumer));
        both!(
            self.lang,
            "{name} のセッションが切れたため、{group} のリバランスが始まりました。全メンバーが JoinGroup を送り直します。",
            "The session of {name} expired, so {group} rebalances: every member has to send JoinGroup again."
        )
    }

    /// The other reasons.
    #[inline(never)]
    fn rebalance(self, group: GroupId, reason: RebalanceReason, consumer: ConsumerId) -> String {
        let (group, name) = (names::group(self.run, group), self.consumer(consumer));
        match reason {
            RebalanceReason::MemberJoins => both!(
                self.lang,
                "{name} が参加するため、{group} のリバランスが始まりました。全メンバーが JoinGroup を送り直します。",
                "{name} joins, so {group} rebalances: every member has to send JoinGroup again."
            ),
            RebalanceReason::MemberLeft => both!(
                self.lang,
                "{name} が離脱したため、{group} のリバランスが始まりました。残りの全メンバーが JoinGroup を送り直します。",
                "{name} has left, so {group} rebalances: every member has to send JoinGroup again."
            ),
            RebalanceReason::SyncTimedOut => both!(
                self.lang,
                "{name} から SyncGroup が届かなかったため、{group} のリバランスがもう一度始まりました。",
                "{name} sent no SyncGroup, so {group} rebalances once more."
            ),
            RebalanceReason::PartitionsRevoked => both!(
                self.lang,
                "{name} がパーティションを手放したため、{group} のリバランスがもう一度始まりました。空いた分を割り当てるためです。",
                "{name} has given up partitions, so {group} rebalances once more to assign them."
            ),
            RebalanceReason::MetadataChanged => both!(
                self.lang,
                "リーダーの {name} が新しいパーティションに気づいたため、{group} のリバランスが始まりました。",
                "The leader {name} has found new partitions, so {group} rebalances."
            ),
            RebalanceReason::MemberRejoins => both!(
                self.lang,
                "{name} が参加し直すため、{group} のリバランスが始まりました。全メンバーが JoinGroup を送り直します。",
                "{name} joins again, so {group} rebalances: every member has to send JoinGroup again."
            ),
            RebalanceReason::StaticMemberChanged => both!(
                self.lang,
                "静的メンバーの {name} が割り当てを変える形で戻ったため、{group} のリバランスが始まりました。",
                "The static member {name} came back in a way that changes the assignment, so {group} rebalances."
            ),
            RebalanceReason::SessionExpired => String::new(),
        }
    }

    fn assignment_computed(self, leader: ConsumerId, members: u32, partitions: u32) -> String {
        let Some(shares) = self.shares() else {
            return self.assignment_without_shares(leader, members, partitions);
        };
        let (name, partitions) = (self.consumer(leader), self.partitions(partitions));
        let by = self.assignor();
        both!(
            self.lang,
            "リーダーの {name} が {by} で {partitions}を割り当てました（{shares}）。",
            "The leader {name} assigns {partitions} by {by}: {shares}."
        )
    }

    /// Too many members to name what each gets.
    #[inline(never)]
    fn assignment_without_shares(self, leader: ConsumerId, members: u32, partitions: u32) -> String {
        let (name, by) = (self.consumer(leader), self.assignor());
        let (members, partitions) = (format::members(self.lang, members), self.partitions(partitions));
        both!(
            self.lang,
            "リーダーの {name} が {by} で {partitions}を {members}に割り当てました。",
            "The leader {name} assigns {partitions} to {members} by {by}."
        )
    }

    fn assignor(self) -> &'static str {
        self.run.dealt_at(self.number).map_or("", |dealt| dealt.assignor.name())
    }

    /// Who gets what in this step, if that is short enough for a sentence.
    pub(super) fn shares(self) -> Option<String> {
        const MOST: usize = 4;
        let assignment = self.run.assignment_at(self.number).filter(|assignment| assignment.len() <= MOST)?;
        let shares: Vec<String> = assignment
            .iter()
            .map(|(key, partitions)| {
                let name = self.consumer(key.consumer);
                let owned = names::partition_list(self.lang, self.run, partitions);
                match partitions.is_empty() {
                    true => both!(self.lang, "{name}: なし", "{name} gets none"),
                    false => both!(self.lang, "{name}: {owned}", "{name} gets {owned}"),
                }
            })
            .collect();
        Some(shares.join(self.lang.pick(" / ", "; ")))
    }

    #[inline(never)]
    fn sync_received(self, consumer: ConsumerId, stable: bool) -> String {
        let consumer = self.consumer(consumer);
        match stable {
            true => both!(
                self.lang,
                "コーディネーターが {consumer} の SyncGroup を受け取り、割り当てを返します。",
                "The coordinator has the SyncGroup of {consumer} and answers with its partitions."
            ),
            false => both!(
                self.lang,
                "コーディネーターが {consumer} の SyncGroup を受け取りました。リーダーの割り当てが届くまで応答を保留します。",
                "The coordinator has the SyncGroup of {consumer}; it answers when the leader's has come."
            ),
        }
    }

    fn assigned(self, consumer: ConsumerId, generation: u32, partitions: u32) -> String {
        if partitions == 0 || self.settings(consumer).library.retains_positions() {
            return self.assigned_otherwise(consumer, generation, partitions);
        }
        let owned = self.run.partitions_at(self.number);
        let (name, owned) = (self.consumer(consumer), self.named(owned, partitions));
        both!(
            self.lang,
            "世代 {generation} で {name} に {owned} が割り当てられました。次に、コミット済みオフセットを問い合わせます。",
            "{name} gets {owned} in generation {generation}. Next it asks for the committed offsets."
        )
    }

    /// Nothing to read, or nothing to ask for where it was read before.
    #[inline(never)]
    fn assigned_otherwise(self, consumer: ConsumerId, generation: u32, partitions: u32) -> String {
        let owned = self.run.partitions_at(self.number);
        let (name, owned) = (self.consumer(consumer), self.named(owned, partitions));
        match partitions {
            0 => both!(
                self.lang,
                "世代 {generation} では {name} に割り当てるパーティションがありません。{name} は待機します。",
                "{name} gets no partition in generation {generation}: it stays idle."
            ),
            _ => both!(
                self.lang,
                "世代 {generation} で {name} に {owned} が割り当てられました。前から持っていたパーティションは手元のポジションから読み続け、ほかはコミット済みオフセットを問い合わせます。",
                "{name} gets {owned} in generation {generation}. Where it had a partition before it goes on at its own position; of others it asks for the committed offsets."
            ),
        }
    }

    #[inline(never)]
    fn revoked(self, consumer: ConsumerId, partitions: u32) -> String {
        let owned = lookup::owned_before(self.run, consumer, self.number);
        let parts = lookup::uncommitted_before(self.run, consumer, self.number);
        let uncommitted: u32 = parts.iter().map(|(_, from, to)| to - from).sum();
        let (name, owned, records) =
            (self.consumer(consumer), self.named(&owned, partitions), self.records(uncommitted));
        let goes_on = matches!(self.settings(consumer).library, Library::AioKafka { .. });
        match uncommitted {
            _ if goes_on => self.revoked_by_task(name, &owned, uncommitted),
            0 => both!(
                self.lang,
                "{name} が {owned} を手放し、処理を止めました（eager）。このあと参加し直します。",
                "{name} gives up {owned} and stops (eager). It joins again next."
            ),
            _ => both!(
                self.lang,
                "{name} が {owned} を手放し、処理を止めました（eager）。処理済みの {records}は未コミットのままです。",
                "{name} gives up {owned} and stops (eager), with {records} processed but not committed."
            ),
        }
    }

    /// By a client that does so beside the application.
    #[inline(never)]
    fn revoked_by_task(self, name: &str, owned: &str, uncommitted: u32) -> String {
        let records = self.records(uncommitted);
        match uncommitted {
            0 => both!(
                self.lang,
                "aiokafka のタスクが {name} の {owned} を手放しました（eager）。アプリケーションは、受け取り済みのレコードの処理を続けます。",
                "A task of aiokafka gives up {owned} of {name} (eager). The application goes on with the records that it has got."
            ),
            _ => both!(
                self.lang,
                "aiokafka のタスクが {name} の {owned} を手放しました（eager）。処理済みの {records}は未コミットのままで、アプリケーションは受け取り済みのレコードの処理を続けます。",
                "A task of aiokafka gives up {owned} of {name} (eager), with {records} processed but not committed. The application goes on with the records that it has got."
            ),
        }
    }
}
