//! Coming into a group, being in it, and leaving it.

use super::Telling;
use crate::explain::lookup;
use crate::sim::event::{ErrorCode, RebalanceReason};
use crate::sim::{ConsumerId, Event, GroupId, Role, Span, StepNo};
use crate::text::{format, names};

/// The life of a process, as itself and as the coordinator sees it.
impl Telling<'_> {
    pub(super) fn life(self) -> String {
        let lang = self.lang;
        match self.step.event {
            Event::ConsumerStarted { consumer, incarnation } => self.started(consumer, incarnation > 1),
            Event::ConsumerCrashed { consumer, uncommitted, .. } => self.crashed(consumer, uncommitted),
            Event::CloseRequested { consumer } => {
                let consumer = self.consumer(consumer);
                both!(
                    lang,
                    "{consumer} に停止が指示されました。処理中のレコードがあれば、それを終えてから close() を呼びます。",
                    "{consumer} is asked to stop. It finishes the record in hand, if any, and then calls close()."
                )
            }
            Event::ConsumerClosed { consumer, uncommitted, .. } => self.closed(consumer, uncommitted),
            Event::HeartbeatSent { consumer, .. } => {
                let consumer = self.consumer(consumer);
                both!(lang, "{consumer} がハートビートを送りました。", "{consumer} sends a heartbeat.")
            }
            Event::HeartbeatReceived { consumer, error, .. } => self.heartbeat_received(consumer, error),
            Event::HeartbeatAnswered { consumer, error } => self.heartbeat_answered(consumer, error),
            Event::MemberLeft { group, consumer, members } => {
                let (group, consumer) = (names::group(self.run, group), self.consumer(consumer));
                let members = format::members(lang, members);
                both!(
                    lang,
                    "離脱を申し出た {consumer} を、コーディネーターがすぐに {group} から外しました。残りは {members}です。",
                    "{consumer} said that it leaves {group}: the coordinator removes it at once. {members} left."
                )
            }
            Event::SessionExpired { consumer, members, silent, .. } => self.session_expired(consumer, members, silent),
            Event::RebalanceTimedOut { consumer, members, .. } => self.timed_out(consumer, members),
            Event::HeartbeatsSkipped { heartbeats, span } => {
                let (span, heartbeats) = (format::span(lang, span), format::number(u64::from(heartbeats)));
                both!(
                    lang,
                    "{span}のあいだ、ハートビート（{heartbeats} 回）のほかには何も起きません。",
                    "For {span} nothing happens but {heartbeats} heartbeats."
                )
            }
            Event::RunEnded {} => {
                let at = format::span(lang, self.step.at.since(crate::sim::Time::ZERO));
                both!(lang, "{at}が経過し、シミュレーションが終わりました。", "The run ends after {at}.")
            }
            _ => String::new(),
        }
    }

    fn started(self, consumer: ConsumerId, again: bool) -> String {
        let (name, group) = (self.consumer(consumer), names::group_of(self.run, consumer));
        match again {
            false => both!(
                self.lang,
                "{name} が起動しました。最初の poll() でグループ {group} に参加します。",
                "{name} starts. Its first poll() will join the group {group}."
            ),
            true => both!(
                self.lang,
                "{name} が再起動しました。前のプロセスの状態は残っておらず、新しいメンバーとして {group} に参加します。",
                "{name} starts again. It remembers nothing and joins {group} as a new member."
            ),
        }
    }

    fn crashed(self, consumer: ConsumerId, uncommitted: u32) -> String {
        let (name, records) = (self.consumer(consumer), self.records(uncommitted));
        match uncommitted {
            0 => both!(
                self.lang,
                "{name} が落ちました。処理済みのレコードはすべてコミット済みです。誰にも知らされません。",
                "{name} crashes. It has no processed record left to commit. Nobody is told."
            ),
            _ => both!(
                self.lang,
                "{name} が落ちました。処理済みで未コミットのレコードが {records}あります。誰にも知らされません。",
                "{name} crashes. It has processed {records} that it has not committed. Nobody is told."
            ),
        }
    }

    fn closed(self, consumer: ConsumerId, uncommitted: u32) -> String {
        let (name, records) = (self.consumer(consumer), self.records(uncommitted));
        match uncommitted {
            0 => both!(
                self.lang,
                "{name} が close() を呼びました。パーティションを手放し、離脱をコーディネーターに伝えます。",
                "{name} calls close(): it gives up its partitions and tells the coordinator that it leaves."
            ),
            _ => both!(
                self.lang,
                "{name} が close() を呼び、離脱をコーディネーターに伝えます。処理済みの {records}は未コミットのままです。",
                "{name} calls close() and tells the coordinator that it leaves. {records} processed, not committed."
            ),
        }
    }

    fn heartbeat_received(self, consumer: ConsumerId, error: ErrorCode) -> String {
        let timeout = format::span(self.lang, self.settings(consumer).session_timeout);
        let (name, code) = (self.consumer(consumer), error.name());
        match error {
            ErrorCode::None => both!(
                self.lang,
                "コーディネーターが {name} のハートビートを受け取りました。セッションの期限は今から {timeout}後に延びます。",
                "The coordinator hears the heartbeat of {name}: its session now lasts another {timeout}."
            ),
            ErrorCode::RebalanceInProgress => both!(
                self.lang,
                "コーディネーターが {name} のハートビートを受け取り、リバランス中であること（{code}）を伝えます。",
                "The coordinator hears the heartbeat of {name} and answers that the group rebalances ({code})."
            ),
            _ => both!(
                self.lang,
                "コーディネーターが {name} のハートビートを拒否しました（{code}）。現在のメンバーとして認められません。",
                "The coordinator refuses the heartbeat of {name} ({code}): it is no member of this generation."
            ),
        }
    }

    fn heartbeat_answered(self, consumer: ConsumerId, error: ErrorCode) -> String {
        let (name, code) = (self.consumer(consumer), error.name());
        match error {
            ErrorCode::None => both!(
                self.lang,
                "{name} にハートビートの応答が届きました。異常はありません。",
                "{name} has the answer to its heartbeat: all is well."
            ),
            ErrorCode::RebalanceInProgress => both!(
                self.lang,
                "{name} がハートビートの応答でリバランスを知りました。次の poll() で参加し直します。",
                "The answer to its heartbeat tells {name} that the group rebalances. Its next poll() joins again."
            ),
            _ => both!(
                self.lang,
                "{name} がハートビートの応答（{code}）で、自分がメンバーでなくなったことを知りました。",
                "The answer to its heartbeat ({code}) tells {name} that it is no longer a member."
            ),
        }
    }

    fn session_expired(self, consumer: ConsumerId, members: u32, silent: Span) -> String {
        let owned = lookup::owned_before(self.run, consumer, self.number);
        let (name, silent) = (self.consumer(consumer), format::span(self.lang, silent));
        let members = format::members(self.lang, members);
        if owned.is_empty() {
            return both!(
                self.lang,
                "{name} から {silent}間連絡がなく、セッションが切れました。残りは {members}です。",
                "Not heard for {silent}: the session of {name} expires. {members} left."
            );
        }
        let owned = names::partition_list(self.lang, self.run, &owned);
        both!(
            self.lang,
            "{name} から {silent}間連絡がなく、セッションが切れました。{owned} の担当がいなくなり、残りは {members}です。",
            "Not heard for {silent}: the session of {name} expires. {owned} has no owner; {members} left."
        )
    }

    fn timed_out(self, consumer: ConsumerId, members: u32) -> String {
        let waited_for = self.step.causes.with_role(Role::WaitedFor).and_then(|step| self.run.step_at(step));
        let timeout = format::span(self.lang, self.settings(consumer).max_poll_interval);
        let (name, members) = (self.consumer(consumer), format::members(self.lang, members));
        match waited_for.map(|step| step.event) {
            Some(Event::GenerationStarted { .. }) => both!(
                self.lang,
                "{timeout}待っても {name} から SyncGroup が届かず、コーディネーターが外しました。残りは {members}です。",
                "{name} has sent no SyncGroup for {timeout}: the coordinator removes it. {members} left."
            ),
            _ => both!(
                self.lang,
                "{timeout}待っても {name} から JoinGroup が届かず、コーディネーターが外しました。残りは {members}です。",
                "{name} has sent no JoinGroup for {timeout}: the coordinator removes it. {members} left."
            ),
        }
    }
}

/// One rebalance.
impl Telling<'_> {
    pub(super) fn joining(self) -> String {
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
            Event::MemberJoined { consumer, missing, .. } => self.member_joined(consumer, missing),
            Event::JoinRejected { consumer, error, .. } => {
                let (consumer, code) = (self.consumer(consumer), error.name());
                both!(
                    lang,
                    "コーディネーターが {consumer} の JoinGroup を拒否しました。このメンバー ID はもう有効ではありません（{code}）。",
                    "The coordinator refuses the JoinGroup of {consumer}: it does not know this member id ({code})."
                )
            }
            Event::RejoinNeeded { consumer, error } => {
                let (consumer, code) = (self.consumer(consumer), error.name());
                both!(
                    lang,
                    "{consumer} は応答（{code}）を受け、最初から参加し直します。",
                    "The answer was {code}: {consumer} begins joining anew."
                )
            }
            Event::MemberIdExpired { consumer, .. } => {
                let consumer = self.consumer(consumer);
                both!(
                    lang,
                    "{consumer} に渡したメンバー ID は使われませんでした。コーディネーターはもう待ちません。",
                    "{consumer} has not used its member id: the coordinator no longer waits for it."
                )
            }
            Event::GroupEmptied { group, generation } => {
                let group = names::group(self.run, group);
                both!(
                    lang,
                    "参加したメンバーはなく、{group} は空になりました。世代は {generation} です。",
                    "Nobody has joined: {group} is empty. This is generation {generation}."
                )
            }
            Event::JoinGroupAnswered { consumer, generation } => {
                let consumer = self.consumer(consumer);
                both!(
                    lang,
                    "{consumer} に JoinGroup の応答が届きました。世代は {generation} です。",
                    "{consumer} has the answer to its JoinGroup: it is in generation {generation}."
                )
            }
            Event::RebalanceStarted { group, generation, reason, consumer } => match generation {
                0 => self.first_rebalance(group),
                _ => self.rebalance(group, reason, consumer),
            },
            Event::GenerationStarted { group, generation, leader, members } => {
                let (group, leader) = (names::group(self.run, group), self.consumer(leader));
                let members = format::members(lang, members);
                both!(
                    lang,
                    "{group} の世代 {generation} が {members}で始まりました。リーダーの {leader} が割り当てを決めます。",
                    "Generation {generation} of {group} begins with {members}. Its leader {leader} decides who gets what."
                )
            }
            Event::AssignmentComputed { leader, members, partitions, .. } => {
                self.assignment_computed(leader, members, partitions)
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
            Event::PartitionsAssigned { consumer, generation, partitions } => {
                self.assigned(consumer, generation, partitions)
            }
            Event::PartitionsRevoked { consumer, partitions, .. } => self.revoked(consumer, partitions),
            Event::PartitionsLost { consumer, partitions, error, .. } => {
                let owned = lookup::owned_before(self.run, consumer, self.number);
                let (owned, code) = (self.named(&owned, partitions), error.name());
                let consumer = self.consumer(consumer);
                both!(
                    lang,
                    "{consumer} はもうメンバーではありません（{code}）。コミットせずに {owned} を手放します。",
                    "{consumer} is no longer a member ({code}). It drops {owned} without committing."
                )
            }
            _ => String::new(),
        }
    }

    fn member_joined(self, consumer: ConsumerId, missing: u32) -> String {
        let (name, members) = (self.consumer(consumer), format::members(self.lang, missing));
        match missing {
            0 => both!(
                self.lang,
                "{name} の JoinGroup が届きました。これで、コーディネーターが知っているメンバーは全員そろいました。",
                "The JoinGroup of {name} arrives. All members that the coordinator knows of have joined."
            ),
            _ => both!(
                self.lang,
                "{name} の JoinGroup が届きました。残り {members}がそろうまで、コーディネーターは応答を保留します。",
                "The JoinGroup of {name} arrives. It gets no answer yet: {members} still to come."
            ),
        }
    }

    fn first_rebalance(self, group: GroupId) -> String {
        let delay = self.run.setup().broker.group_initial_rebalance_delay;
        let (group, wait) = (names::group(self.run, group), format::span(self.lang, delay));
        match delay == Span::ZERO {
            true => {
                both!(self.lang, "{group} の最初のリバランスが始まりました。", "{group} begins its first rebalance.")
            }
            false => both!(
                self.lang,
                "{group} の最初のリバランスが始まりました。コーディネーターは、ほかのメンバーが来るのを {wait}待ちます。",
                "{group} begins its first rebalance. The coordinator waits {wait} for more members."
            ),
        }
    }

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
            RebalanceReason::SessionExpired => both!(
                self.lang,
                "{name} のセッションが切れたため、{group} のリバランスが始まりました。全メンバーが JoinGroup を送り直します。",
                "The session of {name} expired, so {group} rebalances: every member has to send JoinGroup again."
            ),
            RebalanceReason::SyncTimedOut => both!(
                self.lang,
                "{name} から SyncGroup が届かなかったため、{group} のリバランスがもう一度始まりました。",
                "{name} sent no SyncGroup, so {group} rebalances once more."
            ),
        }
    }

    fn assignment_computed(self, leader: ConsumerId, members: u32, partitions: u32) -> String {
        let (name, shares) = (self.consumer(leader), self.shares());
        let (members, partitions) = (format::members(self.lang, members), self.partitions(partitions));
        match shares {
            Some(shares) => both!(
                self.lang,
                "リーダーの {name} が range で {partitions}を割り当てました（{shares}）。",
                "The leader {name} deals {partitions} by range: {shares}."
            ),
            None => both!(
                self.lang,
                "リーダーの {name} が range で {partitions}を {members}に割り当てました。",
                "The leader {name} deals {partitions} to {members} by range."
            ),
        }
    }

    /// Who gets what in this step, if that is short enough for a sentence.
    fn shares(self) -> Option<String> {
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
        let owned = lookup::assigned_in(self.run, consumer, self.number);
        let (name, owned) = (self.consumer(consumer), self.named(&owned, partitions));
        match partitions {
            0 => both!(
                self.lang,
                "世代 {generation} では {name} に割り当てられるパーティションがなく、待機します。",
                "{name} gets no partition in generation {generation}: it stays idle."
            ),
            _ => both!(
                self.lang,
                "世代 {generation} で {name} に {owned} が割り当てられました。次に、コミット済みオフセットを問い合わせます。",
                "{name} gets {owned} in generation {generation}. It asks next where the group has committed."
            ),
        }
    }

    fn revoked(self, consumer: ConsumerId, partitions: u32) -> String {
        let owned = self.owned_until_now(consumer);
        let parts = lookup::uncommitted_before(self.run, consumer, self.number);
        let uncommitted: u32 = parts.iter().map(|(_, from, to)| to - from).sum();
        let (name, owned, records) =
            (self.consumer(consumer), self.named(&owned, partitions), self.records(uncommitted));
        match uncommitted {
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

    /// What a consumer owns, as itself sees it: its latest assignment that arrived.
    fn owned_until_now(self, consumer: ConsumerId) -> Vec<crate::sim::PartitionId> {
        let assigned = (0..self.number.0).rev().map(StepNo).find(|&number| {
            self.run.step_at(number).is_some_and(
                |step| matches!(step.event, Event::PartitionsAssigned { consumer: of, .. } if of == consumer),
            )
        });
        assigned.map_or_else(Vec::new, |step| lookup::assigned_in(self.run, consumer, step))
    }
}
