//! What somebody does to the world, in a few words and in the past tense.

use super::{Lang, control, format, names};
use crate::sim::setup::{CommitPolicy, CommitWhen, Library, OffsetReset};
use crate::sim::{
    BrokerSetting, Change, ClientId, ConsumerSetting, Event, MessageKind, ProducerSetting, Refusal, Simulation, SinkId,
};

/// A message on its way: `the Heartbeat request of c3`, `the JoinGroup response to c3`.
pub fn message(lang: Lang, run: &Simulation, client: ClientId, kind: MessageKind) -> String {
    let (name, api) = (names::client(run, client), kind.api.name());
    match kind.is_answer {
        false => both!(lang, "{name} の {api} リクエスト", "the {api} request of {name}"),
        true => both!(lang, "{name} への {api} レスポンス", "the {api} response to {name}"),
    }
}

/// A setting of a consumer's client by the name that the client has for it, and its value in the client's unit.
pub fn setting(lang: Lang, library: Library, setting: ConsumerSetting) -> (&'static str, String) {
    let (name, value) = java_setting(lang, library, setting);
    (library.setting_name(name), value)
}

/// The same by Java's name.
fn java_setting(lang: Lang, library: Library, setting: ConsumerSetting) -> (&'static str, String) {
    let (name, value) = match setting {
        ConsumerSetting::SessionTimeout(span) => ("session.timeout.ms", span.as_millis()),
        ConsumerSetting::HeartbeatInterval(span) => ("heartbeat.interval.ms", span.as_millis()),
        ConsumerSetting::MaxPollInterval(span) => ("max.poll.interval.ms", span.as_millis()),
        ConsumerSetting::MaxPollRecords(records) => ("max.poll.records", u64::from(records)),
        ConsumerSetting::AutoCommitInterval(span) => ("auto.commit.interval.ms", span.as_millis()),
        ConsumerSetting::MetadataMaxAge(span) => ("metadata.max.age.ms", span.as_millis()),
        ConsumerSetting::EnableAutoCommit(on) => return ("enable.auto.commit", on.to_string()),
        ConsumerSetting::PartitionAssignmentStrategy(list) => {
            let names: Vec<&str> = list.iter().map(|assignor| library.assignor_name(assignor)).collect();
            return ("partition.assignment.strategy", names.join(","));
        }
        ConsumerSetting::EnableAutoOffsetStore(on) => return ("enable.auto.offset.store", on.to_string()),
        ConsumerSetting::AutoCommitThreshold(records) => {
            return ("autoCommitThreshold", or_none(lang, records.map(u64::from)));
        }
        ConsumerSetting::LoopCommitInterval(span) => {
            return ("auto.commit.interval.ms", or_none(lang, span.map(|span| span.as_millis())));
        }
        ConsumerSetting::AutoOffsetReset(reset) if matches!(library, Library::KafkaJs { .. }) => {
            return ("auto.offset.reset", (reset == OffsetReset::Earliest).to_string());
        }
        ConsumerSetting::AutoOffsetReset(reset) => {
            let word = match reset {
                OffsetReset::Earliest => "earliest",
                OffsetReset::Latest => "latest",
                OffsetReset::None => "none",
                OffsetReset::ByDuration(_) => "by_duration",
            };
            return ("auto.offset.reset", word.to_owned());
        }
    };
    (name, value.to_string())
}

/// A number, if one is set.
fn or_none(lang: Lang, number: Option<u64>) -> String {
    number.map_or_else(|| lang.pick("なし", "none").to_owned(), |number| number.to_string())
}

/// The same of a producer.
pub fn producer_setting(setting: ProducerSetting) -> (&'static str, String) {
    match setting {
        ProducerSetting::Linger(span) => ("linger.ms", span.as_millis().to_string()),
        ProducerSetting::BatchSize(bytes) => ("batch.size", bytes.to_string()),
    }
}

/// The same of the brokers.
pub fn broker_setting(setting: BrokerSetting) -> (&'static str, String) {
    match setting {
        BrokerSetting::GroupInitialRebalanceDelay(span) => {
            ("group.initial.rebalance.delay.ms", span.as_millis().to_string())
        }
    }
}

/// When an application commits, as a setting and its value.
pub fn commit_setting(policy: CommitPolicy) -> (&'static str, String) {
    let word = match policy.when {
        CommitWhen::AfterRecords(records) => return ("commit.after_records", records.to_string()),
        CommitWhen::RecordsOrTime { records: CommitWhen::NO_COUNT, time } => {
            return ("commit.every", format::literal(time));
        }
        CommitWhen::RecordsOrTime { records, time } => {
            return ("commit.after_records, commit.every", format!("{records}, {}", format::literal(time)));
        }
        CommitWhen::Never => "never",
        CommitWhen::BeforeBatch => "before_batch",
        CommitWhen::AfterBatch => "after_batch",
    };
    ("commit.when", word.to_owned())
}

/// What a change sets, by the name of the setting, and the value.
pub fn assigned(lang: Lang, run: &Simulation, change: Change) -> (&'static str, String) {
    match change {
        Change::HandlingTime { time, .. } => ("handling.time", format::literal(time)),
        Change::Latency { latency, .. } => ("network.latency", format::literal(latency)),
        Change::Rate { per_second, .. } => ("per_second", per_second.to_string()),
        Change::Setting { consumer, setting: changed } => {
            setting(lang, run.consumer(consumer).config().settings.library, changed)
        }
        Change::ProducerSetting { setting, .. } => producer_setting(setting),
        Change::Commit { policy, .. } => commit_setting(policy),
        Change::BrokerSetting(setting) => broker_setting(setting),
        Change::UniqueKey { sink, is_unique } => {
            let value = if is_unique { column(run, sink) } else { lang.pick("なし", "none") };
            ("sink.unique_key", value.to_owned())
        }
        Change::SinkDown { is_down, .. } => ("sink.down", is_down.to_string()),
    }
}

/// Whose setting a change sets.
pub fn owner(lang: Lang, run: &Simulation, change: Change) -> &str {
    match change {
        Change::HandlingTime { consumer, .. } | Change::Setting { consumer, .. } | Change::Commit { consumer, .. } => {
            names::consumer(run, consumer)
        }
        Change::Rate { producer, .. } | Change::ProducerSetting { producer, .. } => names::producer(run, producer),
        Change::UniqueKey { sink, .. } | Change::SinkDown { sink, .. } => names::sink(run, sink),
        Change::Latency { .. } => lang.pick("ネットワーク", "the network"),
        Change::BrokerSetting(_) => lang.pick("ブローカー", "the brokers"),
    }
}

/// The same from the beginning: a group's members are configured alike.
pub fn owner_from_beginning(lang: Lang, run: &Simulation, change: Change) -> &str {
    match change.consumer() {
        Some(consumer) => names::group_of(run, consumer),
        None => owner(lang, run, change),
    }
}

/// The column of a table that names the event.
pub fn column(run: &Simulation, sink: SinkId) -> &str {
    &run.setup().sinks[sink.index()].column
}

/// What the script was to do, and to what.
pub(super) fn planned(lang: Lang, run: &Simulation, action: u16, refusal: Refusal) -> String {
    match refusal {
        // It has no name, and perhaps never gets one.
        Refusal::NoSuchConsumer => both!(lang, "コンシューマーの操作", "An action on a consumer"),
        _ => control::action_on(lang, run, run.setup().actions[usize::from(action)].action),
    }
}

/// An action in a few words.
#[inline(never)]
pub(super) fn headline(lang: Lang, run: &Simulation, event: &Event) -> String {
    let name = event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    let partition = || event.partition().map_or_else(String::new, |partition| names::partition(run, partition));
    match *event {
        Event::ConsumerFrozen { .. } => both!(lang, "{name} のプロセスが停止", "{name} stands still"),
        Event::ConsumerThawed { .. } => both!(lang, "{name} が動き出す", "{name} goes on"),
        Event::PartitionPaused { .. } => {
            let partition = partition();
            both!(lang, "{name} が {partition} を pause()", "{name} pauses {partition}")
        }
        Event::PartitionResumed { .. } => {
            let partition = partition();
            both!(lang, "{name} が {partition} を resume()", "{name} resumes {partition}")
        }
        Event::PositionSought { offset, .. } => {
            let partition = partition();
            both!(lang, "{name} が {partition} を seek({offset})", "{name} seeks {offset} on {partition}")
        }
        Event::OffsetReset { group, offset, .. } => {
            let (group, partition) = (names::group(run, group), partition());
            both!(
                lang,
                "{group} の {partition} のオフセットを {offset} にリセット",
                "offset of {group} on {partition} reset to {offset}"
            )
        }
        Event::PartitionsAdded { topic, partitions, .. } => {
            let topic = names::topic(run, topic);
            both!(lang, "{topic} を {partitions} パーティションに拡張", "{topic} gets {partitions} partitions")
        }
        Event::MessageDelayed { client, kind, .. } => {
            let what = message(lang, run, client, kind);
            both!(lang, "{what}が遅延", "{what} is delayed")
        }
        Event::MessageDropped { client, kind } => {
            let what = message(lang, run, client, kind);
            both!(lang, "{what}が消失", "{what} is lost")
        }
        Event::RequestTimedOut { api, .. } => {
            let api = api.name();
            both!(lang, "{name} の {api} がタイムアウト", "{api} of {name} times out")
        }
        Event::HandlingTimeChanged { time, .. } => {
            let time = format::span(lang, time);
            both!(lang, "{name} の処理時間を {time}に変更", "{name} now takes {time}")
        }
        Event::LatencyChanged { latency, .. } => {
            let latency = format::span(lang, latency);
            both!(lang, "遅延を {latency}に変更", "delay is now {latency}")
        }
        Event::RateChanged { producer, per_second, .. } => {
            let name = names::producer(run, producer);
            both!(lang, "{name} のレートを毎秒 {per_second} 件に変更", "{name} now sends {per_second} a second")
        }
        Event::SinkDownChanged { sink, is_down } => {
            let name = names::sink(run, sink);
            match is_down {
                true => both!(lang, "{name} が停止", "{name} goes down"),
                false => both!(lang, "{name} が復旧", "{name} is up again"),
            }
        }
        Event::SettingChanged { .. }
        | Event::ProducerSettingChanged { .. }
        | Event::CommitPolicyChanged { .. }
        | Event::UniqueKeyChanged { .. }
        | Event::BrokerSettingChanged { .. } => set(lang, run, event),
        Event::ActionRefused { action, refusal } => {
            let what = planned(lang, run, action, refusal);
            both!(lang, "実行できず: {what}", "not possible: {what}")
        }
        _ => String::new(),
    }
}

fn set(lang: Lang, run: &Simulation, event: &Event) -> String {
    let Some(change) = change(event) else { return String::new() };
    let (owner, (setting, value)) = (owner(lang, run, change), assigned(lang, run, change));
    both!(lang, "{owner} の {setting} を {value} に変更", "{setting} of {owner} becomes {value}")
}

/// What has been changed in an event that names only what is new.
fn change(event: &Event) -> Option<Change> {
    Some(match *event {
        Event::SettingChanged { consumer, setting } => Change::Setting { consumer, setting },
        Event::ProducerSettingChanged { producer, setting, .. } => Change::ProducerSetting { producer, setting },
        Event::CommitPolicyChanged { consumer, policy } => Change::Commit { consumer, policy },
        Event::UniqueKeyChanged { sink, is_unique } => Change::UniqueKey { sink, is_unique },
        Event::BrokerSettingChanged { setting } => Change::BrokerSetting(setting),
        _ => return None,
    })
}

/// What had been done, for a line of a chain of causes.
pub(super) fn past(lang: Lang, run: &Simulation, event: &Event) -> Option<String> {
    let name = event.consumer().map_or("", |consumer| names::consumer(run, consumer));
    let partition = || event.partition().map_or_else(String::new, |partition| names::partition(run, partition));
    Some(match *event {
        Event::ConsumerFrozen { .. } => {
            both!(lang, "{name} のプロセス全体が止まりました。", "The whole process of {name} stood still.")
        }
        Event::ConsumerThawed { frozen, .. } => {
            let frozen = format::span(lang, frozen);
            both!(
                lang,
                "{frozen}間止まっていた {name} が動き出しました。",
                "{name} went on after standing still for {frozen}."
            )
        }
        Event::PartitionPaused { .. } => {
            let partition = partition();
            both!(lang, "{name} が {partition} を pause() しました。", "{name} had called pause() for {partition}.")
        }
        Event::PartitionResumed { .. } => {
            let partition = partition();
            both!(lang, "{name} が {partition} を resume() しました。", "{name} called resume() for {partition}.")
        }
        Event::PositionSought { from, offset, .. } => {
            let partition = partition();
            both!(
                lang,
                "{name} が {partition} で seek({offset}) を呼びました。それまでのポジションは {from} でした。",
                "{name} called seek({offset}) on {partition}; its position had been {from}."
            )
        }
        Event::OffsetReset { group, offset, .. } => {
            let (group, partition) = (names::group(run, group), partition());
            both!(
                lang,
                "{group} のオフセットがリセットされ、{partition} は {offset} になりました。",
                "The offsets of {group} were reset, on {partition} to {offset}."
            )
        }
        Event::PartitionsAdded { topic, from, partitions } => {
            let topic = names::topic(run, topic);
            both!(
                lang,
                "{topic} のパーティションが {from} から {partitions} に増えました。",
                "{topic} went from {from} to {partitions} partitions."
            )
        }
        Event::MessageDelayed { client, kind, by } => {
            let (what, by) = (message(lang, run, client, kind), format::span(lang, by));
            both!(lang, "{what}の到着が {by}遅れました。", "Held up by {by}: {what}.")
        }
        Event::MessageDropped { client, kind } => {
            let what = message(lang, run, client, kind);
            both!(lang, "{what}が途中で失われました。", "Lost on its way: {what}.")
        }
        Event::RequestTimedOut { api, waited, .. } => {
            let (api, waited) = (api.name(), format::span(lang, waited));
            both!(
                lang,
                "{name} の {api} に {waited}レスポンスがなく、リクエストをやり直しました。",
                "{name} had no answer to {api} for {waited} and asked again."
            )
        }
        Event::ActionRefused { action, refusal } => {
            let (what, why) = (planned(lang, run, action, refusal), control::refusal(lang, refusal));
            both!(lang, "「{what}」は実行できませんでした。{why}。", "Not possible: {what}. {why}.")
        }
        _ => return None,
    })
}

/// The rule of Kafka that an action shows.
pub(super) fn rule(lang: Lang, event: &Event) -> Option<String> {
    Some(match event {
        Event::ConsumerFrozen { .. } => both!(
            lang,
            "止まっているのか終了したのか、コーディネーターには区別できません。ハートビートが session.timeout.ms の間届かなければ、メンバーから外します。",
            "The coordinator cannot tell a process that stands still from one that has ended: after session.timeout.ms without a heartbeat it removes the member."
        ),
        Event::ConsumerThawed { .. } => both!(
            lang,
            "グループから外されていても、動き出した直後は気づきません。手元のレコードの処理を続け、次のハートビート、コミット、poll() で初めて知ります。",
            "A process that was removed meanwhile does not know it: it goes on with what it holds until a heartbeat, a commit or poll() tells it."
        ),
        Event::PartitionPaused { .. } | Event::PartitionResumed { .. } => both!(
            lang,
            "pause() しても割り当ては変わりません。poll() を呼び続けるので、max.poll.interval.ms を超えることもありません。",
            "pause() changes no assignment. The application goes on calling poll(), so max.poll.interval.ms is kept."
        ),
        Event::PositionSought { .. } => both!(
            lang,
            "seek() が変えるのは、このコンシューマーのポジションだけです。コミット済みオフセットは、次のコミットまで変わりません。",
            "seek() moves only the position of this consumer. The committed offset stays until the next commit."
        ),
        Event::OffsetReset { .. } => both!(
            lang,
            "リセットで変わるのは、グループのコミット済みオフセットだけです。レコードは増えも減りもしません。メンバーのいるグループでは拒否されます。",
            "A reset changes only what the group has committed, no record. It is refused while the group has members."
        ),
        Event::PartitionsAdded { .. } => both!(
            lang,
            "キーのあるレコードの行き先は、ハッシュをパーティション数で割った余りです。数が変わる前後では、同じキーでも順序が保証されません。",
            "A key's partition is its hash modulo the number of partitions. Across a change of that number, even one key has no order."
        ),
        Event::MessageDropped { .. } => both!(
            lang,
            "レスポンスが届かないとき、リクエストが処理されたかどうかはクライアントにはわかりません。",
            "A client that gets no answer cannot know whether its request was carried out."
        ),
        Event::MessageDelayed { .. } => both!(
            lang,
            "1 本の TCP 接続の中では追い越しが起きません。コーディネーターとの接続は、データ用の接続とは別です。",
            "Nothing overtakes on one TCP connection. A client talks to its coordinator over a connection of its own."
        ),
        Event::RequestTimedOut { .. } => both!(
            lang,
            "request.timeout.ms を過ぎても応答がなければ、クライアントは接続を切ります。JoinGroup だけは、少なくとも max.poll.interval.ms に 5 秒を足した時間まで待ちます。",
            "A client closes the connection after request.timeout.ms without an answer; for JoinGroup not before max.poll.interval.ms plus 5 s."
        ),
        _ => return None,
    })
}
