//! The life of a process: as itself, and as the coordinator sees it.

use super::Telling;
use crate::explain::lookup;
use crate::sim::event::ErrorCode;
use crate::sim::setup::Library;
use crate::sim::{ConsumerId, Event, Role, Span};
use crate::text::{format, library, names};

impl Telling<'_> {
    pub(super) fn life(self) -> String {
        let lang = self.lang;
        match self.step.event {
            Event::ConsumerStarted { consumer, incarnation } => self.started(consumer, incarnation > 1),
            Event::ConsumerCrashed { consumer, uncommitted, .. } => self.crashed(consumer, uncommitted),
            Event::SessionExpired { consumer, members, silent, .. } => self.session_expired(consumer, members, silent),
            Event::RunEnded {} => {
                let at = format::span(lang, self.step.at.since(crate::sim::Time::ZERO));
                both!(lang, "{at}が経過し、シミュレーションが終わりました。", "The run ends after {at}.")
            }
            _ => self.leaving(),
        }
    }

    /// What most stories do not show: heartbeats, and members that leave.
    #[inline(never)]
    fn leaving(self) -> String {
        let lang = self.lang;
        match self.step.event {
            Event::CloseRequested { consumer } => {
                let stops_between_records = self.run.consumer(consumer).config().stops_between_records();
                let name = self.consumer(consumer);
                match stops_between_records {
                    true => both!(
                        lang,
                        "{name} に停止が指示されました。処理中のレコードがあれば、それを終えてから close() を呼びます。",
                        "{name} is asked to stop. It finishes the record in hand, if any, and then calls close()."
                    ),
                    false => both!(
                        lang,
                        "{name} に停止が指示されました。poll() で受け取ったレコードが残っていれば、すべて処理してから close() を呼びます。",
                        "{name} is asked to stop. It first processes what is left of the batch that poll() returned, if any, and then calls close()."
                    ),
                }
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
                    "{consumer} has told the coordinator that it leaves and is removed from {group} at once. The group has {members} now."
                )
            }
            Event::RebalanceTimedOut { consumer, members, .. } => self.timed_out(consumer, members),
            Event::PollTimedOut { consumer, unpolled, .. } => self.poll_timed_out(consumer, unpolled),
            Event::HeartbeatsSkipped { heartbeats, span } => {
                let (span, heartbeats) = (format::span(lang, span), format::number(u64::from(heartbeats)));
                both!(
                    lang,
                    "{span}の間、ハートビート（{heartbeats} 回）以外には何も起きません。",
                    "For {span} nothing happens but {heartbeats} heartbeats."
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
            _ => String::new(),
        }
    }

    fn started(self, consumer: ConsumerId, again: bool) -> String {
        let is_by_hand = self.run.consumer(consumer).config().reads.is_by_hand();
        if again || is_by_hand || matches!(self.settings(consumer).library, Library::KafkaJs { .. }) {
            return self.started_otherwise(consumer, again);
        }
        let (name, group) = (self.consumer(consumer), names::group_of(self.run, consumer));
        both!(
            self.lang,
            "{name} が起動しました。最初の poll() でグループ {group} に参加します。",
            "{name} starts. Its first poll() will join the group {group}."
        )
    }

    /// Not for the first time, or not into its group by a `poll()`.
    #[inline(never)]
    fn started_otherwise(self, consumer: ConsumerId, again: bool) -> String {
        let (name, group) = (self.consumer(consumer), names::group_of(self.run, consumer));
        match again {
            _ if self.run.consumer(consumer).config().reads.is_by_hand() => both!(
                self.lang,
                "{name} が起動しました。グループ {group} には参加せず、パーティションを自分で選びます。",
                "{name} starts. It does not join the group {group}: it chooses its partitions itself."
            ),
            false => both!(
                self.lang,
                "{name} が起動しました。run() がグループ {group} に参加します。",
                "{name} starts. run() joins the group {group}."
            ),
            true if self.is_static(consumer) => both!(
                self.lang,
                "{name} が再起動しました。group.instance.id が同じなので、セッションが切れていなければ元の席に戻ります。",
                "{name} starts again with the same group.instance.id: it takes its place again, unless its session has expired."
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
        let told = match uncommitted {
            0 => self.crashed_without_work(name),
            _ => both!(
                self.lang,
                "{name} がクラッシュしました。処理済みで未コミットのレコードが {records}あります。このことは誰にも通知されません。",
                "{name} crashes. It has processed {records} that it has not committed. Nobody is told."
            ),
        };
        match self.run.lost_at(self.number) {
            0 => told,
            lost => self.with_lost(&told, lost),
        }
    }

    #[inline(never)]
    fn crashed_without_work(self, name: &str) -> String {
        both!(
            self.lang,
            "{name} がクラッシュしました。未コミットの処理済みレコードはありません。このことは誰にも通知されません。",
            "{name} crashes. It has nothing left to commit. Nobody is told."
        )
    }

    #[inline(never)]
    fn with_lost(self, told: &str, lost: u32) -> String {
        let records = self.records(lost);
        both!(
            self.lang,
            "{told}コミットしたのに処理していなかったレコード {records}が失われました。",
            "{told} What it had committed but not processed is lost: {records}."
        )
    }

    #[inline(never)]
    fn closed(self, consumer: ConsumerId, uncommitted: u32) -> String {
        let (name, records) = (self.consumer(consumer), self.records(uncommitted));
        match uncommitted {
            _ if self.run.consumer(consumer).config().reads.is_by_hand() => {
                both!(self.lang, "{name} が close() を呼びました。", "{name} calls close().")
            }
            _ if self.is_static(consumer) => both!(
                self.lang,
                "{name} が close() を呼びました。静的メンバーなので離脱は伝えず、席はセッションが切れるまで残ります（未コミット {records}）。",
                "{name} calls close(). As a static member it does not leave: its place stays until its session expires ({records} uncommitted)."
            ),
            0 => both!(
                self.lang,
                "{name} が close() を呼びました。パーティションを手放し、離脱をコーディネーターに伝えます。",
                "{name} calls close(): it gives up its partitions and tells the coordinator that it leaves."
            ),
            _ => both!(
                self.lang,
                "{name} が close() を呼び、離脱をコーディネーターに伝えます。処理済みの {records}は未コミットのままです。",
                "{name} calls close() and tells the coordinator that it leaves, with {records} processed but not committed."
            ),
        }
    }

    #[inline(never)]
    fn heartbeat_received(self, consumer: ConsumerId, error: ErrorCode) -> String {
        let timeout = format::span(self.lang, self.session_timeout(consumer));
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

    #[inline(never)]
    fn heartbeat_answered(self, consumer: ConsumerId, error: ErrorCode) -> String {
        let (name, code) = (self.consumer(consumer), error.name());
        if error == ErrorCode::RebalanceInProgress
            && let Some(told) = library::told_of_rebalance(self.lang, self.settings(consumer).library, name)
        {
            return told;
        }
        match error {
            ErrorCode::None => both!(
                self.lang,
                "{name} にハートビートの応答が届きました。問題はありません。",
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
        let owned = lookup::owned_until_expiry(self.run, consumer, self.number);
        let (name, silent) = (self.consumer(consumer), format::span(self.lang, silent));
        let members = format::members(self.lang, members);
        if owned.is_empty() {
            return self.expired_without_partitions(name, &silent, &members);
        }
        let owned = names::partition_list(self.lang, self.run, &owned);
        both!(
            self.lang,
            "{name} から {silent}間連絡がなく、セッションが切れました。{owned} の担当がいなくなり、残りは {members}です。",
            "Nothing heard from {name} for {silent}: its session expires. Nobody owns {owned}; the group has {members} now."
        )
    }

    #[inline(never)]
    fn expired_without_partitions(self, name: &str, silent: &str, members: &str) -> String {
        both!(
            self.lang,
            "{name} から {silent}間連絡がなく、セッションが切れました。残りは {members}です。",
            "Nothing heard from {name} for {silent}: its session expires. The group has {members} now."
        )
    }

    /// Source: `AbstractCoordinator#maybeLeaveGroup`, where only a dynamic member sends LeaveGroup, and
    /// `ConsumerMembershipManager#leaveGroupEpoch`.
    #[inline(never)]
    fn poll_timed_out(self, consumer: ConsumerId, unpolled: Span) -> String {
        let is_modern = self.run.setup().is_modern(self.run.consumer(consumer).group);
        let (name, unpolled) = (self.consumer(consumer), format::span(self.lang, unpolled));
        if !self.is_static(consumer)
            && let Some(told) = library::polled_too_late(self.lang, self.settings(consumer).library, (name, &unpolled))
        {
            return told;
        }
        match (is_modern, self.is_static(consumer)) {
            (false, false) => both!(
                self.lang,
                "{name} が {unpolled}間 poll() を呼ばなかったため、ハートビートスレッドが {name} をグループから離脱させました。アプリケーションは気づかずに処理を続けます。",
                "{name} has not called poll() for {unpolled}: its heartbeat thread leaves the group. The application does not notice and goes on."
            ),
            (false, true) => both!(
                self.lang,
                "{name} が {unpolled}間 poll() を呼ばなかったため、ハートビートが止まりました。静的メンバーは離脱を伝えず、席はセッションが切れるまで残ります。",
                "{name} has not called poll() for {unpolled}: its heartbeats end. A static member does not leave: its place stays until its session expires."
            ),
            (true, false) => both!(
                self.lang,
                "{name} が {unpolled}間 poll() を呼ばなかったため、バックグラウンドスレッドが離脱を伝えました。アプリケーションは気づかずに処理を続けます。",
                "{name} has not called poll() for {unpolled}: its background thread leaves the group. The application does not notice and goes on."
            ),
            (true, true) => both!(
                self.lang,
                "{name} が {unpolled}間 poll() を呼ばなかったため、バックグラウンドスレッドが戻る予定の離脱（エポック -2）を伝えました。席はセッションが切れるまで残ります。",
                "{name} has not called poll() for {unpolled}: its background thread leaves with epoch -2. The place stays until the session expires."
            ),
        }
    }

    #[inline(never)]
    fn timed_out(self, consumer: ConsumerId, members: u32) -> String {
        let waited_for = self.step.causes.with_role(Role::WaitedFor).and_then(|step| self.run.step_at(step));
        let timeout = format::span(self.lang, self.settings(consumer).rebalance_timeout());
        let (name, members) = (self.consumer(consumer), format::members(self.lang, members));
        match waited_for.map(|step| step.event) {
            Some(Event::GenerationStarted { .. }) => both!(
                self.lang,
                "{timeout}待っても {name} から SyncGroup が届かず、コーディネーターが外しました。残りは {members}です。",
                "{name} has sent no SyncGroup for {timeout}, so the coordinator removes it. The group has {members} now."
            ),
            _ => both!(
                self.lang,
                "{timeout}待っても {name} から JoinGroup が届かず、コーディネーターが外しました。残りは {members}です。",
                "{name} has sent no JoinGroup for {timeout}, so the coordinator removes it. The group has {members} now."
            ),
        }
    }
}
