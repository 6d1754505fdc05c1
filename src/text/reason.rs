//! The lines of a chain of causes: what had happened before, in the past tense.

use super::{Lang, acting, format, library, names, sentence};
use crate::explain::{Reason, lookup};
use crate::sim::event::PositionSource;
use crate::sim::{ConsumerId, Event, Role, Simulation, StepNo};

/// What part a cause has: a label.
pub fn role(lang: Lang, role: Role) -> &'static str {
    match role {
        Role::Triggered => lang.pick("きっかけ", "set off by"),
        Role::DecidedValue => lang.pick("値の決め手", "value from"),
        Role::Silenced => lang.pick("連絡が途絶えた理由", "silenced by"),
        Role::WaitedFor => lang.pick("待っていたもの", "waited for"),
        Role::Repeated => lang.pick("前回の処理", "repeats"),
    }
}

/// A reason as one line: when, and what happened then.
pub fn reason(lang: Lang, run: &Simulation, reason: &Reason) -> String {
    let at = run.step_at(reason.step).map_or_else(String::new, |step| format::clock(lang, step.at));
    let what = reason_text(lang, run, reason);
    format!("{at}: {what}")
}

/// A reason without its time, in view of what it is a reason for.
pub fn reason_text(lang: Lang, run: &Simulation, reason: &Reason) -> String {
    let text = java_reason(lang, run, reason);
    match run.step_at(reason.step) {
        Some(step) => library::in_its_words(run, &step.event, text),
        None => text,
    }
}

fn java_reason(lang: Lang, run: &Simulation, reason: &Reason) -> String {
    let what = past(lang, run, reason.step);
    match (reason.role, run.step_at(reason.of).map(|step| step.event)) {
        (
            Role::DecidedValue,
            Some(Event::SessionExpired { consumer, .. } | Event::RebalanceTimedOut { consumer, .. }),
        ) => last_sign(lang, run, names::consumer(run, consumer), reason.step),
        (
            Role::Triggered,
            Some(Event::ConsumerCrashed { .. } | Event::CloseRequested { .. } | Event::ConsumerStarted { .. }),
        ) if !matches!(run.step_at(reason.step).map(|step| step.event), Some(Event::ConsumerClosed { .. })) => {
            both!(lang, "{what}シナリオは、これをきっかけに次の操作をします。", "{what} The scenario acts on this.")
        }
        _ => what,
    }
}

/// How the coordinator heard a member for the last time.
fn last_sign(lang: Lang, run: &Simulation, name: &str, step: StepNo) -> String {
    match run.step_at(step).map(|step| step.event) {
        Some(Event::OffsetCommitted { .. } | Event::CommitRepeated { .. }) => both!(
            lang,
            "コーディネーターへの {name} の最後の連絡は、このコミットでした。",
            "This commit was the last that the coordinator heard from {name}."
        ),
        Some(Event::HeartbeatReceived { .. }) => both!(
            lang,
            "コーディネーターへの {name} の最後の連絡は、このハートビートでした。",
            "This heartbeat was the last that the coordinator heard from {name}."
        ),
        Some(Event::MemberJoined { .. }) => both!(
            lang,
            "コーディネーターへの {name} の最後の連絡は、この JoinGroup でした。",
            "This JoinGroup was the last that the coordinator heard from {name}."
        ),
        Some(Event::SyncGroupReceived { .. }) => both!(
            lang,
            "コーディネーターへの {name} の最後の連絡は、この SyncGroup でした。",
            "This SyncGroup was the last that the coordinator heard from {name}."
        ),
        _ => both!(
            lang,
            "コーディネーターが {name} の JoinGroup に応答し、ここからセッションを数え始めました。",
            "The coordinator answered the JoinGroup of {name} and started the clock of its session."
        ),
    }
}

/// What had happened in a step that later ones go back to, without the time.
pub fn past(lang: Lang, run: &Simulation, step: StepNo) -> String {
    let Some(found) = run.step_at(step) else { return String::new() };
    let name = found.event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    match found.event {
        Event::RecordSent { .. }
        | Event::RecordAppended { .. }
        | Event::ProducerMetadataRefreshed { .. }
        | Event::ProducerStarted { .. }
        | Event::ProducerCrashed { .. }
        | Event::ProducerClosed { .. } => written(lang, run, &found.event),
        Event::ConsumerStarted { incarnation: 1, .. } => both!(lang, "{name} が起動しました。", "{name} started."),
        Event::ConsumerStarted { .. } => both!(lang, "{name} が再起動しました。", "{name} started again."),
        Event::ConsumerCrashed { uncommitted, .. } => ended(lang, name, uncommitted, true),
        Event::ConsumerClosed { uncommitted, .. } => ended(lang, name, uncommitted, false),
        Event::CloseRequested { .. } => both!(lang, "{name} に停止が指示されました。", "{name} was asked to stop."),
        Event::HeartbeatReceived { .. } => {
            both!(lang, "{name} のハートビートが届きました。", "A heartbeat of {name} arrived.")
        }
        Event::MemberLeft { .. } => both!(lang, "{name} がグループから外れました。", "{name} left the group."),
        Event::SessionExpired { consumer, silent, .. } => {
            let silent = format::span(lang, silent);
            session_expired(lang, run, consumer, step, &silent)
        }
        Event::RebalanceTimedOut { .. } => both!(
            lang,
            "{name} は時間内に参加し直さず、グループから外されました。",
            "{name} did not join again in time and was removed."
        ),
        Event::PollTimedOut { consumer, unpolled, .. } if names::stays_when_silent(run, consumer) => {
            let unpolled = format::span(lang, unpolled);
            both!(
                lang,
                "{name} が {unpolled}間 poll() を呼ばず、ハートビートを止めました。",
                "{name} had not called poll() for {unpolled} and sent no more heartbeats."
            )
        }
        Event::PollTimedOut { unpolled, .. } => {
            let unpolled = format::span(lang, unpolled);
            both!(
                lang,
                "{name} が {unpolled}間 poll() を呼ばず、グループから離脱しました。",
                "{name} had not called poll() for {unpolled} and left the group."
            )
        }
        Event::JoinRejected { error, .. } => {
            let code = error.name();
            both!(
                lang,
                "{name} の JoinGroup が拒否されました（{code}）。",
                "The JoinGroup of {name} was refused ({code})."
            )
        }
        Event::GroupEpochBumped { .. }
        | Event::TargetAssignmentComputed { .. }
        | Event::RevocationRequested { .. }
        | Event::RevocationAcknowledged { .. }
        | Event::AssignmentGiven { .. }
        | Event::ReconciliationRevoked { .. }
        | Event::ReconciliationAssigned { .. }
        | Event::StaticMemberLeft { .. }
        | Event::RevocationTimedOut { .. } => reconciled(lang, run, step, &found.event),
        Event::PartitionsAssigned { .. }
        | Event::PartitionsRevoked { .. }
        | Event::PartitionsLost { .. }
        | Event::MemberJoined { .. }
        | Event::SyncGroupReceived { .. }
        | Event::RebalanceStarted { .. }
        | Event::GenerationStarted { .. }
        | Event::AssignmentComputed { .. } => rebalanced(lang, run, step, &found.event),
        Event::PartitionsChosen { .. } => {
            both!(
                lang,
                "{name} が assign() でパーティションを選びました。",
                "{name} chose its partitions with assign()."
            )
        }
        Event::PollThrew { exception, .. } => {
            let exception = exception.name();
            both!(lang, "{name} の poll() が {exception} を投げました。", "poll() of {name} threw {exception}.")
        }
        Event::OffsetExpired { partition, offset, .. } => {
            let (partition, offset) = (names::partition(run, partition), format::number(u64::from(offset)));
            both!(
                lang,
                "{partition} のコミット {offset} が期限切れになりました。",
                "The commit {offset} on {partition} had expired."
            )
        }
        Event::PositionSet { .. }
        | Event::OffsetOutOfRange { .. }
        | Event::OffsetCommitted { .. }
        | Event::CommitRejected { .. }
        | Event::CommitFailed { .. }
        | Event::RecordsPolled { .. }
        | Event::RecordProcessed { .. } => read(lang, run, &found.event),
        _ => acting::past(lang, run, &found.event).unwrap_or_else(|| sentence(lang, run, step)),
    }
}

fn written(lang: Lang, run: &Simulation, event: &Event) -> String {
    match *event {
        Event::RecordSent { record, partition } => {
            let producer = names::producer(run, run.record(record).producer);
            let (record, partition) = (names::record(run, record), names::partition(run, partition));
            both!(
                lang,
                "{producer} が {record} を {partition} へ送信しました。",
                "{producer} sent {record} to {partition}."
            )
        }
        Event::RecordAppended { record, partition, offset } => {
            let (record, partition) = (names::record(run, record), names::partition(run, partition));
            let offset = format::number(u64::from(offset));
            both!(
                lang,
                "{record} が {partition} のオフセット {offset} に追加されました。",
                "{record} was appended to {partition} at offset {offset}."
            )
        }
        Event::ProducerMetadataRefreshed { producer, partitions, .. } => {
            let producer = names::producer(run, producer);
            both!(
                lang,
                "{producer} が、パーティションが {partitions} 個に増えたことを知りました。",
                "{producer} learned that there were {partitions} partitions."
            )
        }
        Event::ProducerStarted { producer, .. } => {
            let producer = names::producer(run, producer);
            both!(lang, "{producer} が再起動しました。", "{producer} started again.")
        }
        Event::ProducerCrashed { producer, .. } => {
            let producer = names::producer(run, producer);
            both!(lang, "{producer} がクラッシュしました。", "{producer} crashed.")
        }
        Event::ProducerClosed { producer, .. } => {
            let producer = names::producer(run, producer);
            both!(lang, "{producer} が close() を呼びました。", "{producer} called close().")
        }
        _ => String::new(),
    }
}

fn ended(lang: Lang, name: &str, uncommitted: u32, crashed: bool) -> String {
    let records = format::records(lang, uncommitted);
    match (crashed, uncommitted) {
        (true, 0) => both!(
            lang,
            "{name} がクラッシュしました。未コミットの処理済みレコードはありません。",
            "{name} crashed. Everything that it had processed was committed."
        ),
        (true, _) => both!(
            lang,
            "{name} が、処理済みの {records}をコミットしないままクラッシュしました。",
            "{name} crashed before it committed {records} that it had processed."
        ),
        (false, 0) => both!(lang, "{name} が close() を呼びました。", "{name} called close()."),
        (false, _) => both!(
            lang,
            "{name} が、処理済みの {records}をコミットしないまま close() を呼びました。",
            "{name} called close() without committing {records} that it had processed."
        ),
    }
}

fn session_expired(lang: Lang, run: &Simulation, consumer: ConsumerId, step: StepNo, silent: &str) -> String {
    let owned = lookup::owned_until_expiry(run, consumer, step);
    let name = names::consumer(run, consumer);
    if owned.is_empty() {
        return both!(
            lang,
            "{silent}間連絡がなく、{name} のセッションが切れました。",
            "After {silent} of silence the session of {name} expired."
        );
    }
    let owned = names::partition_list(lang, run, &owned);
    both!(
        lang,
        "{silent}間連絡がなく、{name} のセッションが切れました。{owned} の担当がいなくなりました。",
        "After {silent} of silence the session of {name} expired: {owned} lost its owner."
    )
}

fn rebalanced(lang: Lang, run: &Simulation, step: StepNo, event: &Event) -> String {
    let name = event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    match *event {
        Event::PartitionsAssigned { partitions: 0, generation, .. } => both!(
            lang,
            "世代 {generation} では {name} に割り当てがありませんでした。",
            "{name} got no partition in generation {generation}."
        ),
        Event::PartitionsAssigned { generation, .. } => {
            let owned = names::partition_list(lang, run, run.partitions_at(step));
            both!(
                lang,
                "世代 {generation} で {name} に {owned} が割り当てられました。",
                "{name} got {owned} in generation {generation}."
            )
        }
        Event::PartitionsRevoked { consumer, .. } | Event::PartitionsLost { consumer, .. } => {
            let parts = lookup::uncommitted_before(run, consumer, step);
            given_up(lang, name, parts.iter().map(|(_, from, to)| to - from).sum())
        }
        Event::MemberJoined { .. } => both!(
            lang,
            "{name} の JoinGroup がコーディネーターに届きました。",
            "The JoinGroup of {name} reached the coordinator."
        ),
        Event::SyncGroupReceived { .. } => both!(
            lang,
            "{name} の SyncGroup がコーディネーターに届きました。",
            "The SyncGroup of {name} reached the coordinator."
        ),
        Event::RebalanceStarted { group, .. } => {
            let group = names::group(run, group);
            both!(lang, "{group} のリバランスが始まりました。", "{group} began to rebalance.")
        }
        Event::GenerationStarted { group, generation, .. } => {
            let group = names::group(run, group);
            both!(lang, "{group} の世代 {generation} が始まりました。", "Generation {generation} of {group} began.")
        }
        Event::AssignmentComputed { partitions, members, .. } => {
            let (partitions, members) = (format::partitions(lang, partitions), format::members(lang, members));
            both!(
                lang,
                "リーダーの {name} が {partitions}を {members}に割り当てました。",
                "The leader {name} assigned {partitions} to {members}."
            )
        }
        _ => String::new(),
    }
}

#[inline(never)]
fn reconciled(lang: Lang, run: &Simulation, step: StepNo, event: &Event) -> String {
    let name = event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    let list = names::partition_list(lang, run, run.partitions_at(step));
    match *event {
        Event::GroupEpochBumped { group, epoch, .. } => {
            let group = names::group(run, group);
            both!(
                lang,
                "{group} のグループエポックが {epoch} になりました。",
                "The group epoch of {group} rose to {epoch}."
            )
        }
        Event::TargetAssignmentComputed { epoch, .. } => both!(
            lang,
            "コーディネーターがエポック {epoch} のターゲット割り当てを決めました。",
            "The coordinator computed the target assignment of epoch {epoch}."
        ),
        Event::RevocationRequested { .. } => both!(
            lang,
            "コーディネーターが {list} を手放すよう {name} に求めました。",
            "The coordinator asked {name} to give up {list}."
        ),
        Event::RevocationAcknowledged { .. } => {
            both!(lang, "{name} が {list} を手放したことを知らせました。", "{name} said that it had given up {list}.")
        }
        Event::AssignmentGiven { epoch, partitions: 0, .. } => {
            both!(lang, "{name} がエポック {epoch} に進みました。", "{name} came to epoch {epoch}.")
        }
        Event::AssignmentGiven { .. } => {
            both!(lang, "コーディネーターが {name} に {list} を渡しました。", "The coordinator gave {list} to {name}.")
        }
        Event::ReconciliationRevoked { uncommitted: 0, .. } => {
            both!(lang, "{name} が {list} を手放しました。", "{name} gave up {list}.")
        }
        Event::ReconciliationRevoked { uncommitted, .. } => {
            let records = format::records(lang, uncommitted);
            both!(
                lang,
                "{name} が、処理済みの {records}をコミットしないまま {list} を手放しました。",
                "{name} gave up {list} without committing {records} that it had processed."
            )
        }
        Event::ReconciliationAssigned { partitions: 0, .. } => {
            both!(lang, "{name} の担当はまだありませんでした。", "{name} had no partition yet.")
        }
        Event::ReconciliationAssigned { .. } => {
            both!(lang, "{name} が {list} の担当になりました。", "{name} took over {list}.")
        }
        Event::StaticMemberLeft { .. } => both!(
            lang,
            "静的メンバーの {name} が、戻る予定で離脱しました。",
            "The static member {name} left for a while."
        ),
        Event::RevocationTimedOut { .. } => both!(
            lang,
            "{name} は時間内に {list} を手放さず、グループから外されました。",
            "{name} did not give up {list} in time and was removed."
        ),
        _ => String::new(),
    }
}

fn given_up(lang: Lang, name: &str, uncommitted: u32) -> String {
    let records = format::records(lang, uncommitted);
    match uncommitted {
        0 => both!(lang, "{name} がパーティションを手放しました。", "{name} gave up its partitions."),
        _ => both!(
            lang,
            "{name} が、処理済みの {records}をコミットしないままパーティションを手放しました。",
            "{name} gave up its partitions without committing {records} that it had processed."
        ),
    }
}

fn read(lang: Lang, run: &Simulation, event: &Event) -> String {
    let name = event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    let partition = event.partition().map_or_else(String::new, |partition| names::partition(run, partition));
    match *event {
        Event::PositionSet { offset, source: PositionSource::Committed, .. } => {
            let offset = format::number(u64::from(offset));
            both!(
                lang,
                "{name} が {partition} をコミット済みオフセットの {offset} から読み始めました。",
                "{name} began to read {partition} at the committed offset, {offset}."
            )
        }
        Event::OffsetOutOfRange { offset, .. } => {
            let offset = format::number(u64::from(offset));
            both!(
                lang,
                "{name} が {partition} にない {offset} を読もうとしました。",
                "{name} asked for offset {offset}, which {partition} does not have."
            )
        }
        Event::PositionSet { offset, was_out_of_range: true, .. } => {
            let offset = format::number(u64::from(offset));
            both!(
                lang,
                "{partition} の位置がログの範囲外だったため、{name} は {offset} から読み始めました。",
                "The position on {partition} was outside of the log: {name} began to read at {offset}."
            )
        }
        Event::PositionSet { offset, .. } => {
            let offset = format::number(u64::from(offset));
            both!(
                lang,
                "{partition} にコミットがなく、{name} は {offset} から読み始めました。",
                "Nothing was committed for {partition}: {name} began to read at {offset}."
            )
        }
        Event::OffsetCommitted { offset, .. } => {
            let offset = format::number(u64::from(offset));
            both!(
                lang,
                "{name} が {partition} に {offset} をコミットしました。",
                "{name} committed {offset} on {partition}."
            )
        }
        Event::CommitRejected { error, .. } => {
            let code = error.name();
            both!(lang, "{name} のコミットが拒否されました（{code}）。", "The commit of {name} was refused ({code}).")
        }
        Event::CommitFailed { consumer, call, error, .. } => {
            let library = run.consumer(consumer).config().settings.library;
            let (call, exception) = (names::commit_call(call), sentence::commit_exception(library, call, error));
            both!(lang, "{name} の {call} が {exception} で失敗しました。", "{call} of {name} failed with {exception}.")
        }
        Event::RecordsPolled { consumer, position, .. } => {
            let position = format::number(u64::from(position));
            if run.consumer(consumer).config().settings.library.runs_the_handler() {
                return both!(
                    lang,
                    "{name} が {partition} のレコードを取得し、ポジションが {position} になりました。",
                    "{name} fetched records of {partition}; its position became {position}."
                );
            }
            both!(
                lang,
                "poll() が {name} にレコードを渡し、{partition} のポジションが {position} になりました。",
                "poll() gave {name} records of {partition}; its position became {position}."
            )
        }
        Event::RecordProcessed { record, times: 1, offset, .. } => {
            let record = names::record(run, record);
            both!(
                lang,
                "{name} が {record}（{partition} のオフセット {offset}）を処理しました。",
                "{name} processed {record} ({partition}, offset {offset})."
            )
        }
        Event::RecordProcessed { record, times, offset, .. } => {
            let (record, nth) = (names::record(run, record), format::times(lang, times));
            both!(
                lang,
                "{name} が {record}（{partition} のオフセット {offset}）を処理しました（{nth}）。",
                "{name} processed {record} ({partition}, offset {offset}) for the {nth}."
            )
        }
        _ => String::new(),
    }
}
