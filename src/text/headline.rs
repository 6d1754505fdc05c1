//! A step in a few words: the title of its explanation, the name of its mark on the timeline.

use super::{Lang, acting, format, library, names};
use crate::sim::event::Fault;
use crate::sim::{ConsumerId, Event, Simulation, Step, StepNo};

/// A known step in a few words. Empty if the step is not known.
pub fn headline(lang: Lang, run: &Simulation, number: StepNo) -> String {
    match run.step_at(number) {
        Some(step) => library::in_its_words(run, &step.event, headline_of(lang, run, (number, step))),
        None => String::new(),
    }
}

fn headline_of(lang: Lang, run: &Simulation, (number, step): (StepNo, &Step)) -> String {
    let c = |consumer: ConsumerId| names::consumer(run, consumer);
    match step.event {
        Event::RecordSent { .. }
        | Event::ProduceSent { .. }
        | Event::RecordAppended { .. }
        | Event::ProduceAcknowledged { .. }
        | Event::ProducerMetadataRefreshed { .. }
        | Event::ProducerStarted { .. }
        | Event::ProducerCrashed { .. }
        | Event::ProducerClosed { .. } => writing(lang, run, &step.event),
        Event::ConsumerStarted { consumer, .. } => {
            let name = c(consumer);
            both!(lang, "{name} が起動", "{name} starts")
        }
        Event::ConsumerCrashed { consumer, .. } => {
            let name = c(consumer);
            both!(lang, "{name} がクラッシュ", "{name} crashes")
        }
        Event::CloseRequested { consumer } => {
            let name = c(consumer);
            both!(lang, "{name} に停止を指示", "{name} is asked to stop")
        }
        Event::ConsumerClosed { consumer, .. } => {
            let name = c(consumer);
            both!(lang, "{name} が close()", "{name} closes")
        }
        Event::HeartbeatSent { consumer, .. }
        | Event::HeartbeatReceived { consumer, .. }
        | Event::HeartbeatAnswered { consumer, .. } => {
            let name = c(consumer);
            both!(lang, "{name} のハートビート", "heartbeat of {name}")
        }
        Event::MemberLeft { consumer, .. } => {
            let name = c(consumer);
            both!(lang, "{name} が離脱", "{name} has left")
        }
        Event::SessionExpired { consumer, .. } => {
            let name = c(consumer);
            both!(lang, "{name} のセッション切れ", "session of {name} expires")
        }
        Event::RebalanceTimedOut { consumer, .. } => {
            let name = c(consumer);
            both!(lang, "{name} が時間切れ", "{name} is too late")
        }
        Event::PollTimedOut { consumer, .. } if names::stays_when_silent(run, consumer) => {
            let name = c(consumer);
            both!(lang, "{name} の poll() が間に合わず沈黙", "{name} has not polled in time and falls silent")
        }
        Event::PollTimedOut { consumer, .. } => {
            let name = c(consumer);
            both!(lang, "{name} の poll() が間に合わず離脱", "{name} has not polled in time and leaves")
        }
        Event::ConsumerFailed { .. }
        | Event::MemberReplaced { .. }
        | Event::MetadataRefreshed { .. }
        | Event::SomePartitionsRevoked { .. }
        | Event::MorePartitionsAssigned { .. } => members(lang, run, &step.event),
        Event::HeartbeatsSkipped { .. } => both!(lang, "変化なし", "no change"),
        Event::RunEnded {} => both!(lang, "終了", "end of the run"),
        Event::FetchSent { .. }
        | Event::FetchReceived { .. }
        | Event::FetchAnswered { .. }
        | Event::RecordsFetched { .. }
        | Event::RecordsPolled { .. }
        | Event::HandlingStarted { .. }
        | Event::RecordProcessed { .. }
        | Event::HandlingFailed { .. } => reading(lang, run, &step.event),
        Event::OffsetFetchAnswered { .. }
        | Event::ListOffsetsSent { .. }
        | Event::ListOffsetsAnswered { .. }
        | Event::PositionSet { .. }
        | Event::OffsetCommitSent { .. }
        | Event::OffsetCommitted { .. }
        | Event::CommitRejected { .. }
        | Event::CommitRepeated { .. }
        | Event::CommitAnswered { .. }
        | Event::PartitionsChosen { .. }
        | Event::PollThrew { .. }
        | Event::OffsetExpired { .. }
        | Event::OffsetOutOfRange { .. }
        | Event::CommitFailed { .. } => offsets(lang, run, &step.event),
        Event::OffsetsStored { .. } | Event::StoredOffsetsRead { .. } => storing(lang, run, &step.event),
        Event::JoiningHeartbeatSent { .. }
        | Event::GroupEpochBumped { .. }
        | Event::TargetAssignmentComputed { .. }
        | Event::RevocationRequested { .. }
        | Event::RevocationAcknowledged { .. }
        | Event::AssignmentGiven { .. }
        | Event::MemberEpochRaised { .. }
        | Event::ReconciliationRevoked { .. }
        | Event::ReconciliationAssigned { .. }
        | Event::StaticMemberLeft { .. }
        | Event::RevocationTimedOut { .. } => modern(lang, run, number, &step.event),
        Event::JoinGroupSent { .. }
        | Event::MemberIdGiven { .. }
        | Event::MemberJoined { .. }
        | Event::JoinRejected { .. }
        | Event::RejoinNeeded { .. }
        | Event::MemberIdExpired { .. }
        | Event::GroupEmptied { .. }
        | Event::RebalanceStarted { .. }
        | Event::GenerationStarted { .. }
        | Event::AssignmentComputed { .. }
        | Event::SyncGroupSent { .. }
        | Event::SyncGroupReceived { .. }
        | Event::SyncRejected { .. }
        | Event::PartitionsAssigned { .. }
        | Event::PartitionsRevoked { .. }
        | Event::PartitionsLost { .. } => joining(lang, run, number, &step.event),
        Event::ConsumerFrozen { .. }
        | Event::ConsumerThawed { .. }
        | Event::PartitionPaused { .. }
        | Event::PartitionResumed { .. }
        | Event::PositionSought { .. }
        | Event::OffsetReset { .. }
        | Event::PartitionsAdded { .. }
        | Event::MessageDelayed { .. }
        | Event::MessageDropped { .. }
        | Event::RequestTimedOut { .. }
        | Event::HandlingTimeChanged { .. }
        | Event::LatencyChanged { .. }
        | Event::RateChanged { .. }
        | Event::SettingChanged { .. }
        | Event::ProducerSettingChanged { .. }
        | Event::CommitPolicyChanged { .. }
        | Event::UniqueKeyChanged { .. }
        | Event::SinkDownChanged { .. }
        | Event::BrokerSettingChanged { .. }
        | Event::ActionRefused { .. } => acting::headline(lang, run, &step.event),
    }
}

fn writing(lang: Lang, run: &Simulation, event: &Event) -> String {
    match *event {
        Event::RecordSent { record, partition } => {
            let (record, partition) = (names::record(run, record), names::partition(run, partition));
            both!(lang, "{record} を {partition} へ送信", "{record} is sent to {partition}")
        }
        Event::ProduceSent { producer, partition, .. } => {
            let (producer, partition) = (names::producer(run, producer), names::partition(run, partition));
            both!(lang, "{producer} が {partition} へバッチを送信", "{producer} sends a batch to {partition}")
        }
        Event::RecordAppended { record, partition, offset } => {
            let (record, partition) = (names::record(run, record), names::partition(run, partition));
            both!(
                lang,
                "{record} を {partition} のオフセット {offset} に追加",
                "{record} is appended to {partition} at {offset}"
            )
        }
        Event::ProduceAcknowledged { producer, partition, .. } => {
            let (producer, partition) = (names::producer(run, producer), names::partition(run, partition));
            both!(lang, "{producer} に {partition} への書き込み応答", "{producer} hears that {partition} has its batch")
        }
        Event::ProducerMetadataRefreshed { producer, .. } => {
            let producer = names::producer(run, producer);
            both!(lang, "{producer} がメタデータを更新", "{producer} refreshes its metadata")
        }
        Event::ProducerStarted { producer, .. } => {
            let producer = names::producer(run, producer);
            both!(lang, "{producer} が再起動", "{producer} starts again")
        }
        Event::ProducerCrashed { producer, .. } => {
            let producer = names::producer(run, producer);
            both!(lang, "{producer} がクラッシュ", "{producer} crashes")
        }
        Event::ProducerClosed { producer, .. } => {
            let producer = names::producer(run, producer);
            both!(lang, "{producer} が close()", "{producer} closes")
        }
        _ => String::new(),
    }
}

fn joining(lang: Lang, run: &Simulation, step: StepNo, event: &Event) -> String {
    let name = event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    match *event {
        Event::JoinGroupSent { .. } => both!(lang, "{name} が JoinGroup を送信", "{name} sends JoinGroup"),
        Event::MemberIdGiven { .. } => both!(lang, "{name} にメンバー ID を発行", "{name} gets a member id"),
        Event::MemberJoined { .. } => both!(lang, "{name} の JoinGroup が到着", "JoinGroup of {name} arrives"),
        Event::JoinRejected { .. } => both!(lang, "{name} の JoinGroup を拒否", "JoinGroup of {name} refused"),
        Event::RejoinNeeded { .. } => both!(lang, "{name} が参加し直し", "{name} has to join again"),
        Event::MemberIdExpired { .. } => both!(lang, "{name} を待つのをやめる", "{name} is no longer waited for"),
        Event::GroupEmptied { .. } => both!(lang, "グループが空に", "the group is empty"),
        Event::RebalanceStarted { .. } => both!(lang, "リバランス開始", "rebalance begins"),
        Event::GenerationStarted { generation, .. } => {
            both!(lang, "世代 {generation} 開始", "generation {generation} begins")
        }
        Event::AssignmentComputed { .. } => both!(lang, "{name} が割り当てを決定", "{name} assigns the partitions"),
        Event::SyncGroupSent { .. } => both!(lang, "{name} が SyncGroup を送信", "{name} sends SyncGroup"),
        Event::SyncGroupReceived { .. } => both!(lang, "{name} の SyncGroup が到着", "SyncGroup of {name} arrives"),
        Event::SyncRejected { .. } => both!(lang, "{name} の SyncGroup を拒否", "SyncGroup of {name} refused"),
        Event::PartitionsAssigned { partitions: 0, .. } => {
            both!(lang, "{name} は割り当てなし", "{name} gets no partition")
        }
        Event::PartitionsAssigned { .. } => {
            let owned = names::partition_list(lang, run, run.partitions_at(step));
            both!(lang, "{name} に {owned} を割り当て", "{name} gets {owned}")
        }
        Event::PartitionsRevoked { .. } => {
            both!(lang, "{name} がパーティションを手放す", "{name} gives up its partitions")
        }
        Event::PartitionsLost { .. } => both!(lang, "{name} がパーティションを失う", "{name} loses its partitions"),
        _ => String::new(),
    }
}

#[inline(never)]
fn modern(lang: Lang, run: &Simulation, step: StepNo, event: &Event) -> String {
    let name = event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    let list = || names::partition_list(lang, run, run.partitions_at(step));
    match *event {
        Event::JoiningHeartbeatSent { .. } => both!(lang, "{name} が参加を申し込み", "{name} asks to join"),
        Event::GroupEpochBumped { epoch, .. } => both!(lang, "グループエポック {epoch}", "group epoch {epoch}"),
        Event::TargetAssignmentComputed { epoch, .. } => {
            both!(lang, "エポック {epoch} のターゲット割り当て", "target assignment of epoch {epoch}")
        }
        Event::RevocationRequested { .. } => {
            let list = list();
            both!(lang, "{name} に {list} を手放すよう要求", "{name} has to give up {list}")
        }
        Event::RevocationAcknowledged { .. } => {
            let list = list();
            both!(lang, "{list} が空く", "{list} free")
        }
        Event::AssignmentGiven { partitions: 0, epoch, .. } | Event::MemberEpochRaised { epoch, .. } => {
            both!(lang, "{name} がエポック {epoch} へ", "{name} comes to epoch {epoch}")
        }
        Event::AssignmentGiven { .. } => {
            let list = list();
            both!(lang, "{name} に {list} を割り当て", "{name} is given {list}")
        }
        Event::ReconciliationRevoked { .. } => {
            let list = list();
            both!(lang, "{name} が {list} を手放す", "{name} gives up {list}")
        }
        Event::ReconciliationAssigned { partitions: 0, .. } => {
            both!(lang, "{name} は担当なし", "{name} has no partition")
        }
        Event::ReconciliationAssigned { .. } => {
            let list = list();
            both!(lang, "{name} が {list} の担当に", "{name} takes over {list}")
        }
        Event::RevocationTimedOut { .. } => both!(lang, "{name} が時間切れ", "{name} is too late"),
        Event::StaticMemberLeft { .. } => both!(lang, "{name} が一時的に離脱", "{name} leaves for a while"),
        _ => String::new(),
    }
}

#[inline(never)]
fn members(lang: Lang, run: &Simulation, event: &Event) -> String {
    let name = event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    match *event {
        Event::ConsumerFailed { .. } => both!(lang, "{name} がエラーで終了", "{name} ends with an error"),
        Event::MemberReplaced { .. } => both!(lang, "{name} が元の席に戻る", "{name} takes its place again"),
        Event::MetadataRefreshed { .. } => {
            both!(lang, "{name} が新しいパーティションに気づく", "{name} finds new partitions")
        }
        Event::SomePartitionsRevoked { partitions, .. } => {
            let partitions = format::partitions(lang, partitions);
            both!(lang, "{name} が {partitions}を手放す", "{name} gives up {partitions}")
        }
        Event::MorePartitionsAssigned { partitions: 0, .. } => {
            both!(lang, "{name} に追加なし", "{name} gets nothing new")
        }
        Event::MorePartitionsAssigned { partitions, .. } => {
            let partitions = format::partitions(lang, partitions);
            both!(lang, "{name} に {partitions}を追加", "{name} gets {partitions} more")
        }
        _ => String::new(),
    }
}

fn reading(lang: Lang, run: &Simulation, event: &Event) -> String {
    let name = event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    match *event {
        Event::FetchSent { .. } => both!(lang, "{name} が Fetch を送信", "{name} sends a Fetch"),
        Event::FetchReceived { .. } => both!(lang, "{name} の Fetch が到着", "Fetch of {name} arrives"),
        Event::FetchAnswered { .. } => both!(lang, "{name} の Fetch に応答", "Fetch of {name} answered"),
        Event::RecordsFetched { records, .. } => {
            let records = format::records(lang, records);
            both!(lang, "{name} に {records}到着", "{records} fetched by {name}")
        }
        Event::RecordsPolled { position, partition, .. } => {
            let partition = names::partition(run, partition);
            both!(lang, "{partition} のポジションが {position} に", "position on {partition} moves to {position}")
        }
        Event::HandlingStarted { record, .. } => {
            let record = names::record(run, record);
            both!(lang, "{name} が {record} の処理を開始", "{name} begins {record}")
        }
        Event::RecordProcessed { record, fault: Fault::None, .. } => {
            let record = names::record(run, record);
            both!(lang, "{name} が {record} を処理", "{name} processes {record}")
        }
        Event::HandlingFailed { record, .. } => {
            let record = names::record(run, record);
            both!(lang, "{name} で {record} の処理が失敗", "{name} fails at {record}")
        }
        Event::RecordProcessed { record, times, .. } => {
            let (record, nth) = (names::record(run, record), format::times(lang, times));
            both!(lang, "{name} が {record} を処理（{nth}）", "{name} processes {record} for the {nth}")
        }
        _ => String::new(),
    }
}

#[inline(never)]
fn storing(lang: Lang, run: &Simulation, event: &Event) -> String {
    let name = event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    match *event {
        Event::OffsetsStored { partition, offset, .. } => {
            let partition = names::partition(run, partition);
            both!(lang, "{name} が {partition} の {offset} を保存", "{name} stores {offset} for {partition}")
        }
        Event::StoredOffsetsRead { .. } => {
            both!(lang, "{name} が保存したオフセットを読む", "{name} reads the stored offsets")
        }
        _ => String::new(),
    }
}

fn offsets(lang: Lang, run: &Simulation, event: &Event) -> String {
    let name = event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    match *event {
        Event::OffsetFetchAnswered { .. } => {
            both!(lang, "{name} にコミット済みオフセットを返す", "{name} is told the committed offsets")
        }
        Event::ListOffsetsSent { .. } => both!(lang, "{name} がログの端を照会", "{name} asks for the log's bounds"),
        Event::ListOffsetsAnswered { .. } => {
            both!(lang, "{name} にログの端を返す", "{name} is told the log's bounds")
        }
        Event::PositionSet { partition, offset, .. } => {
            let partition = names::partition(run, partition);
            both!(lang, "{name} が {partition} を {offset} から読む", "{name} reads {partition} from {offset}")
        }
        Event::PartitionsChosen { .. } => both!(lang, "{name} が assign() を呼ぶ", "{name} calls assign()"),
        Event::PollThrew { .. } => both!(lang, "{name} の poll() が例外を投げる", "poll() of {name} throws"),
        Event::OffsetExpired { partition, offset, .. } => {
            let partition = names::partition(run, partition);
            both!(lang, "{partition} のコミット {offset} が期限切れ", "the commit {offset} on {partition} expires")
        }
        Event::OffsetOutOfRange { partition, offset, .. } => {
            let partition = names::partition(run, partition);
            both!(lang, "{partition} に {offset} は存在しない", "{partition} has no offset {offset}")
        }
        Event::OffsetCommitSent { call, .. } => {
            let call = names::commit_call(call);
            both!(lang, "{name} の {call} がコミットを送信", "{call} of {name} sends a commit")
        }
        Event::OffsetCommitted { partition, offset, .. } => {
            let partition = names::partition(run, partition);
            both!(lang, "{name} が {partition} に {offset} をコミット", "{name} commits {offset} on {partition}")
        }
        Event::CommitRepeated { .. } => {
            both!(lang, "{name} のコミットに変化なし", "commit of {name} changes nothing")
        }
        Event::CommitRejected { .. } => both!(lang, "{name} のコミットを拒否", "commit of {name} refused"),
        Event::CommitAnswered { call, .. } => {
            let call = names::commit_call(call);
            both!(lang, "{name} の {call} のコミットに応答", "{name} hears of the commit of {call}")
        }
        Event::CommitFailed { call, .. } => {
            let call = names::commit_call(call);
            both!(lang, "{name} の {call} が失敗", "{call} of {name} fails")
        }
        _ => String::new(),
    }
}
