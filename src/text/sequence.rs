//! The words of the sequence diagram: short beside the drawing, whole in its list.

use super::{Lang, format, names, sentence, stage};
use crate::scene::sequence::{End, For, Item, Lifeline, Message};
use crate::sim::{ConsumerId, Event, Simulation, Step, StepNo};

/// So many members are named.
const NAMED: usize = 3;

/// Who has a lifeline.
pub fn lifeline(lang: Lang, run: &Simulation, on: Lifeline) -> String {
    match on {
        Lifeline::Producer(producer) => names::producer(run, producer).to_owned(),
        Lifeline::Broker(broker) => stage::leader(lang, broker),
        Lifeline::Consumer(consumer) => names::consumer(run, consumer).to_owned(),
    }
}

/// What a lifeline is, besides its name: of a broker, the groups that it coordinates.
pub fn role(lang: Lang, run: &Simulation, on: Lifeline) -> String {
    match on {
        Lifeline::Producer(_) => lang.pick("プロデューサー", "producer").to_owned(),
        Lifeline::Consumer(consumer) => {
            let group = names::group_of(run, consumer);
            both!(lang, "{group} のコンシューマー", "consumer of {group}")
        }
        Lifeline::Broker(broker) => {
            let setup = run.setup();
            let of_broker =
                (0..setup.groups.len()).map(crate::sim::GroupId::at).filter(|&group| run.group(group).broker == broker);
            let groups: Vec<&str> = of_broker.map(|group| names::group(run, group)).collect();
            let groups = some_of(lang, &groups);
            match groups.as_str() {
                "" => lang.pick("パーティションのリーダー", "leader of partitions").to_owned(),
                _ => both!(lang, "{groups} のコーディネーター", "coordinator of {groups}"),
            }
        }
    }
}

/// The words beside something that is drawn.
pub fn label(lang: Lang, run: &Simulation, item: &Item) -> String {
    match item {
        Item::Message(message) => message_label(lang, message),
        Item::Happening { step, .. } => {
            run.step_at(*step).map_or_else(String::new, |found| happening(lang, run, *step, found))
        }
        Item::Waiting { waits_for, .. } => waits(lang, run, waits_for),
    }
}

fn message_label(lang: Lang, message: &Message) -> String {
    let name = message.kind.api.name();
    let name = message.error.map_or_else(|| name.to_owned(), |error| format!("{name}: {error}"));
    match message.end {
        End::Dropped(..) => both!(lang, "{name}（消失）", "{name} (lost)"),
        End::Unheard(_) => both!(lang, "{name}（宛先は終了済み）", "{name} (nobody is there)"),
        _ if message.is_delayed => both!(lang, "{name}（遅延）", "{name} (delayed)"),
        _ => name,
    }
}

fn waits(lang: Lang, run: &Simulation, waits_for: &For) -> String {
    match waits_for {
        For::Members(members) => {
            let members = some_members(lang, run, members);
            both!(lang, "{members} を待つ", "waits for {members}")
        }
        For::Newcomers => lang.pick("ほかの参加を待つ", "waits for newcomers").to_owned(),
        For::Leader(leader) => {
            let leader = names::consumer(run, *leader);
            both!(lang, "リーダー {leader} を待つ", "waits for leader {leader}")
        }
    }
}

fn some_members(lang: Lang, run: &Simulation, members: &[ConsumerId]) -> String {
    let members: Vec<&str> = members.iter().map(|&member| names::consumer(run, member)).collect();
    some_of(lang, &members)
}

/// The first few of them, and how many there are besides.
fn some_of(lang: Lang, all: &[&str]) -> String {
    let named = format::list(lang, &all[..all.len().min(NAMED)]);
    match all.len().saturating_sub(NAMED) {
        0 => named,
        others => both!(lang, "{named} ほか {others}", "{named} and {others} more"),
    }
}

/// Who takes no part.
pub fn idle(lang: Lang, run: &Simulation, idle: &[Lifeline]) -> String {
    let idle: Vec<String> = idle.iter().map(|&on| lifeline(lang, run, on)).collect();
    let idle: Vec<&str> = idle.iter().map(String::as_str).collect();
    let idle = some_of(lang, &idle);
    both!(lang, "この範囲で動きがないため省略: {idle}", "Left out, as nothing happens there: {idle}")
}

/// A step at a lifeline, in a word or two.
fn happening(lang: Lang, run: &Simulation, number: StepNo, step: &Step) -> String {
    let partitions = || names::partition_list(lang, run, run.partitions_at(number));
    let fixed = match step.event {
        Event::ConsumerStarted { .. } | Event::ProducerStarted { .. } => lang.pick("起動", "starts"),
        Event::ConsumerCrashed { .. } | Event::ProducerCrashed { .. } => lang.pick("クラッシュ", "crashes"),
        Event::ConsumerClosed { .. } | Event::ProducerClosed { .. } => "close()",
        Event::ConsumerFrozen { .. } => lang.pick("プロセス停止", "stands still"),
        Event::ConsumerThawed { .. } => lang.pick("プロセス再開", "goes on"),
        Event::PollTimedOut { .. } => lang.pick("max.poll.interval.ms 超過", "max.poll.interval.ms exceeded"),
        Event::AssignmentComputed { .. } => lang.pick("割り当てを計算", "assigns partitions"),
        Event::RebalanceStarted { .. } => "PreparingRebalance",
        Event::SyncGroupReceived { .. } => "Stable",
        Event::GroupEmptied { .. } => "Empty",
        Event::PollThrew { exception, .. } => exception.name(),
        Event::ConsumerFailed { error, .. } => {
            let error = error.name();
            return both!(lang, "{error} で終了", "ends with {error}");
        }
        Event::CommitFailed { error, .. } => {
            let error = error.name();
            return both!(lang, "コミット失敗: {error}", "commit fails: {error}");
        }
        Event::RequestTimedOut { api, waited, .. } => {
            let (api, waited) = (api.name(), format::span(lang, waited));
            return both!(lang, "{api} のレスポンスなし（{waited}）", "no answer to {api} for {waited}");
        }
        Event::RecordSent { record, .. } => return format!("send({})", names::record(run, record)),
        Event::RecordsPolled { partition, from, position, .. } => {
            let (partition, records) = (names::partition(run, partition), position - from);
            return both!(lang, "poll(): {partition} から {records} 件", "poll(): {records} of {partition}");
        }
        Event::RecordProcessed { record, times, .. } => {
            let record = names::record(run, record);
            return match times {
                1 => both!(lang, "{record} を処理", "{record} processed"),
                _ => both!(lang, "{record} を処理（{times} 回目）", "{record} processed ({times}×)"),
            };
        }
        Event::HandlingFailed { record, .. } => {
            let record = names::record(run, record);
            return both!(lang, "{record} の処理が失敗", "{record} fails");
        }
        Event::PartitionsChosen { .. } => return format!("assign({})", partitions()),
        Event::PartitionsAssigned { .. }
        | Event::MorePartitionsAssigned { .. }
        | Event::ReconciliationAssigned { .. } => {
            let partitions = or_none(lang, partitions());
            return both!(lang, "割り当て: {partitions}", "assigned: {partitions}");
        }
        Event::PartitionsRevoked { .. } | Event::SomePartitionsRevoked { .. } | Event::ReconciliationRevoked { .. } => {
            let partitions = or_none(lang, partitions());
            return both!(lang, "手放す: {partitions}", "revoked: {partitions}");
        }
        Event::PartitionsLost { .. } => {
            let partitions = or_none(lang, partitions());
            return both!(lang, "失う: {partitions}", "lost: {partitions}");
        }
        Event::GenerationStarted { generation, leader, .. } => {
            let leader = names::consumer(run, leader);
            return both!(lang, "世代 {generation}・リーダー {leader}", "generation {generation}, leader {leader}");
        }
        Event::SessionExpired { consumer, .. } => {
            let name = names::consumer(run, consumer);
            return both!(lang, "{name} のセッション切れ", "{name}: session expired");
        }
        Event::RebalanceTimedOut { consumer, .. } | Event::RevocationTimedOut { consumer, .. } => {
            let name = names::consumer(run, consumer);
            return both!(lang, "{name} が時間切れ", "{name} is too late");
        }
        Event::GroupEpochBumped { epoch, .. } => return both!(lang, "グループエポック {epoch}", "group epoch {epoch}"),
        Event::TargetAssignmentComputed { epoch, .. } => {
            return both!(lang, "エポック {epoch} のターゲット割り当て", "target assignment of epoch {epoch}");
        }
        ref other => other.name(),
    };
    fixed.to_owned()
}

fn or_none(lang: Lang, partitions: String) -> String {
    if partitions.is_empty() { lang.pick("なし", "none").to_owned() } else { partitions }
}

/// What is drawn as a whole sentence.
pub fn line(lang: Lang, run: &Simulation, item: &Item) -> String {
    match item {
        Item::Message(message) => message_line(lang, run, message),
        Item::Happening { on, step, .. } => match run.step_at(*step) {
            Some(found) if !found.event.is_visible() => {
                let (who, what) = (lifeline(lang, run, *on), happening(lang, run, *step, found));
                both!(lang, "{who}: {what}", "{who}: {what}")
            }
            _ => sentence(lang, run, *step),
        },
        Item::Waiting { consumer, waits_for, .. } => {
            let (who, what) = (names::consumer(run, *consumer), waits(lang, run, waits_for));
            both!(lang, "{who}: {what}", "{who}: {what}")
        }
    }
}

fn message_line(lang: Lang, run: &Simulation, message: &Message) -> String {
    let (from, to) = (lifeline(lang, run, message.sender()), lifeline(lang, run, message.receiver()));
    let name = message_label(lang, message);
    let name = match message.kind.is_answer {
        true => both!(lang, "レスポンス {name}", "answer, {name}"),
        false => name,
    };
    match message.end {
        End::Arrived(at, _) => {
            let at = format::moment(lang, at.at);
            both!(lang, "{from} → {to}: {name}（{at} に到着）", "{from} → {to}: {name}, arrives at {at}")
        }
        End::OnItsWay { .. } => both!(lang, "{from} → {to}: {name}（送信中）", "{from} → {to}: {name}, on its way"),
        End::Dropped(..) | End::Unheard(_) => both!(lang, "{from} → {to}: {name}", "{from} → {to}: {name}"),
    }
}

/// The drawing in a sentence.
pub fn summary(lang: Lang, messages: usize, lifelines: usize) -> String {
    both!(
        lang,
        "シーケンス図: {lifelines} 本のライフラインとメッセージ {messages} 件。同じ内容を一覧でも読めます。",
        "Sequence diagram: {messages} messages between {lifelines} lifelines. The list says the same in words."
    )
}

/// The width of words in the drawing, about, in pixels.
pub fn width(words: &str) -> i32 {
    let tenths: i32 = words.chars().map(|letter| if letter < '\u{2e80}' { 66 } else { 118 }).sum();
    tenths / 10 + 1
}
