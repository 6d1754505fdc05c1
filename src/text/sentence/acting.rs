//! What somebody does to the world, and what a lost message leads to.

use super::Telling;
use crate::sim::setup::{CommitHow, CommitPolicy, CommitWhen};
use crate::sim::{
    ConsumerId, Event, GroupId, HandlingOf, PartitionId, ProducerId, ProducerSetting, Refusal, SinkId, Span,
};
use crate::text::{acting, control, format, names, names::client};

impl Telling<'_> {
    #[inline(never)]
    pub(super) fn acting(self) -> String {
        let lang = self.lang;
        match self.step.event {
            Event::ConsumerFrozen { consumer } => {
                let name = self.consumer(consumer);
                both!(
                    lang,
                    "{name} のプロセス全体が止まりました（SIGSTOP や長い GC 停止と同じ状態です）。終了はしていませんが、ハートビートも処理も止まります。",
                    "The whole process of {name} stands still, as with SIGSTOP or a long GC pause: no heartbeats, no processing. It has not ended."
                )
            }
            Event::ConsumerThawed { consumer, frozen } => {
                let (name, frozen) = (self.consumer(consumer), format::span(lang, frozen));
                both!(
                    lang,
                    "{frozen}間止まっていた {name} が動き出しました。その間に届いたものや期限が来たものを、順に処理します。",
                    "{name} goes on after standing still for {frozen}. What came or became due meanwhile happens now, in order."
                )
            }
            Event::PartitionPaused { consumer, partition } => {
                let (name, partition) = (self.consumer(consumer), names::partition(self.run, partition));
                both!(
                    lang,
                    "{name} が {partition} を pause() しました。resume() するまで、poll() は {partition} のレコードを返しません。",
                    "{name} calls pause() for {partition}: until resume(), poll() returns none of its records."
                )
            }
            Event::PartitionResumed { consumer, partition } => {
                let (name, partition) = (self.consumer(consumer), names::partition(self.run, partition));
                both!(
                    lang,
                    "{name} が {partition} を resume() しました。poll() は再びレコードを返します。",
                    "{name} calls resume() for {partition}: poll() returns its records again."
                )
            }
            Event::PositionSought { consumer, partition, from, offset } => {
                self.sought(consumer, partition, (from, offset))
            }
            Event::OffsetReset { group, partition, was_committed, from, offset } => {
                self.offset_reset(group, partition, was_committed.then_some(from), offset)
            }
            Event::PartitionsAdded { topic, from, partitions } => {
                let name = names::topic(self.run, topic);
                both!(
                    lang,
                    "{name} のパーティションが {from} から {partitions} に増えました。既存のレコードは移動しません。同じキーでも、今後は別のパーティションに入ることがあります。",
                    "{name} goes from {from} to {partitions} partitions. Records stay where they are; from now on a key may go to another partition."
                )
            }
            Event::MessageDelayed { client, kind, by } => {
                let (what, by) = (acting::message(lang, self.run, client, kind), format::span(lang, by));
                both!(
                    lang,
                    "{what}の到着が {by}遅れます。同じ接続であとから送られたものも、それより先には届きません。",
                    "Held up by {by}: {what}. What follows on the same connection does not overtake it."
                )
            }
            Event::MessageDropped { client, kind } => {
                let what = acting::message(lang, self.run, client, kind);
                both!(lang, "{what}が途中で失われました。届きません。", "Lost on its way: {what}. It will not arrive.")
            }
            Event::RequestTimedOut { consumer, api, waited } => {
                let (name, api, waited) = (self.consumer(consumer), api.name(), format::span(lang, waited));
                both!(
                    lang,
                    "{name} は {api} のレスポンスを {waited}待ちましたが、届きませんでした。接続を切り、リクエストをやり直します。",
                    "{name} has waited {waited} for the answer to {api}. It closes the connection and asks again."
                )
            }
            Event::ActionRefused { action, refusal } => self.refused(action, refusal),
            _ => self.changing(),
        }
    }

    fn refused(self, action: u16, refusal: Refusal) -> String {
        let what = acting::planned(self.lang, self.run, action, refusal);
        let why = control::refusal(self.lang, refusal);
        match refusal {
            Refusal::NothingInFlight => both!(
                self.lang,
                "「{what}」は、最後まで実行されませんでした。対象のメッセージが送られなかったためです。",
                "Never done until the end: {what}. No such message was on its way."
            ),
            _ => both!(
                self.lang,
                "「{what}」は実行できませんでした。{why}。",
                "Not possible here and now: {what}. {why}."
            ),
        }
    }

    fn sought(self, consumer: ConsumerId, partition: PartitionId, (from, to): (u32, u32)) -> String {
        let (name, partition) = (self.consumer(consumer), names::partition(self.run, partition));
        let records = self.records(from.abs_diff(to));
        match to < from {
            true => both!(
                self.lang,
                "{name} が {partition} で seek({to}) を呼びました。ポジションが {from} から {to} に戻り、{records}をもう一度読みます。",
                "{name} calls seek({to}) on {partition}: its position goes back from {from}, and {records} will be read again."
            ),
            false => both!(
                self.lang,
                "{name} が {partition} で seek({to}) を呼びました。ポジションが {from} から {to} に進み、間の {records}は読みません。",
                "{name} calls seek({to}) on {partition}: its position jumps from {from}, past {records}."
            ),
        }
    }

    fn offset_reset(self, group: GroupId, partition: PartitionId, from: Option<u32>, to: u32) -> String {
        let (group, partition) = (names::group(self.run, group), names::partition(self.run, partition));
        match from {
            Some(from) => both!(
                self.lang,
                "{group} のオフセットをリセットしました。{partition} のコミット済みオフセットは {from} から {to} に変わります。",
                "The offsets of {group} are reset: on {partition} the committed offset goes from {from} to {to}."
            ),
            None => both!(
                self.lang,
                "{group} のオフセットをリセットしました。コミットのなかった {partition} のコミット済みオフセットは {to} になります。",
                "The offsets of {group} are reset: on {partition}, where nothing was committed, the committed offset is {to} now."
            ),
        }
    }

    /// Producers' processes and settings.
    fn changing(self) -> String {
        let lang = self.lang;
        match self.step.event {
            Event::HandlingTimeChanged { consumer, of, from, time } => self.handling_time(consumer, of, (from, time)),
            Event::LatencyChanged { from, latency, .. } => {
                let (from, latency) = (format::span(lang, from), format::span(lang, latency));
                both!(
                    lang,
                    "ネットワークの片道の遅延が {from}から {latency}に変わりました。",
                    "The network's one-way delay goes from {from} to {latency}."
                )
            }
            Event::RateChanged { producer, from, per_second } => {
                let name = client(self.run, producer.into());
                both!(
                    lang,
                    "{name} の送信レートが毎秒 {from} 件から {per_second} 件に変わりました。",
                    "The rate of {name} goes from {from} to {per_second} records a second."
                )
            }
            Event::SettingChanged { consumer, setting } => {
                let name = self.consumer(consumer);
                let library = self.run.consumer(consumer).config().settings.library;
                let (setting, value) = acting::setting(lang, library, setting);
                both!(
                    lang,
                    "{name} の {setting} を {value} に変更しました。クライアントの設定は起動時に読み込まれるので、次の起動から有効です。",
                    "{setting} of {name} is {value} from its next start on: a client reads its settings when it starts."
                )
            }
            Event::ProducerSettingChanged { producer, setting, at_once } => {
                self.producer_setting(producer, setting, at_once)
            }
            Event::CommitPolicyChanged { consumer, policy } => self.commit_policy(consumer, policy),
            Event::UniqueKeyChanged { sink, is_unique } => self.unique_key(sink, is_unique),
            Event::SinkDownChanged { sink, is_down } => {
                let name = names::sink(self.run, sink);
                match is_down {
                    true => both!(
                        lang,
                        "テーブル {name} のデータベースが停止しました。これから終わる処理は、書き込みの例外で失敗します。",
                        "The database of {name} is down: handling that ends from now on fails with an exception."
                    ),
                    false => both!(
                        lang,
                        "テーブル {name} のデータベースが復旧しました。次の書き込みから成功します。",
                        "The database of {name} is up again: the next write succeeds."
                    ),
                }
            }
            Event::BrokerSettingChanged { setting } => {
                let (setting, value) = acting::broker_setting(setting);
                both!(
                    lang,
                    "ブローカーの {setting} を {value} に変更しました。この設定は起動時に読み込まれるので、最初から有効です。",
                    "{setting} of the brokers is {value} from the beginning: a broker reads it when it starts."
                )
            }
            _ => String::new(),
        }
    }

    fn producer_setting(self, producer: ProducerId, setting: ProducerSetting, at_once: bool) -> String {
        let name = names::producer(self.run, producer);
        let (setting, value) = acting::producer_setting(setting);
        match at_once {
            true => both!(
                self.lang,
                "{name} の {setting} を {value} に変更しました。{name} はまだ何も送っていないので、最初から有効です。",
                "{setting} of {name} is {value} from the beginning, as {name} has sent nothing yet."
            ),
            false => both!(
                self.lang,
                "{name} の {setting} を {value} に変更しました。クライアントの設定は起動時に読み込まれるので、次の起動から有効です。",
                "{setting} of {name} is {value} from its next start on: a client reads its settings when it starts."
            ),
        }
    }

    fn commit_policy(self, consumer: ConsumerId, policy: CommitPolicy) -> String {
        let name = self.consumer(consumer);
        let call = match policy.how {
            CommitHow::Sync => "commitSync()",
            CommitHow::Async | CommitHow::AsyncRetry => "commitAsync()",
        };
        match policy.when {
            CommitWhen::AfterRecords(count) => {
                let records = self.records(count);
                let every = if count == 1 { "each record".to_owned() } else { format!("every {records}") };
                both!(
                    self.lang,
                    "{name} は、次のレコードから {records}を処理するごとに {call} でコミットします。",
                    "From its next record on, {name} commits after {every}, by {call}."
                )
            }
            CommitWhen::RecordsOrTime { records: CommitWhen::NO_COUNT, time } => {
                let time = format::span(self.lang, time);
                both!(
                    self.lang,
                    "{name} は、前のコミットから {time}たつごとに、処理した分を {call} でコミットします。",
                    "From now on {name} commits what it has processed once {time} have passed since its last commit, by {call}."
                )
            }
            CommitWhen::RecordsOrTime { records, time } => {
                let (records, time) = (self.records(records), format::span(self.lang, time));
                both!(
                    self.lang,
                    "{name} は、{records}を処理するか、前のコミットから {time}たつと、{call} でコミットします。",
                    "From now on {name} commits after {records} or {time} after its last commit, whichever comes first, by {call}."
                )
            }
            CommitWhen::AfterBatch => both!(
                self.lang,
                "{name} は、これから poll() が返した最後のレコードを処理したあとに、{call} でコミットします。",
                "From now on {name} commits behind the last record that poll() has returned, by {call}."
            ),
            CommitWhen::BeforeBatch => both!(
                self.lang,
                "{name} は、次の poll() から、返されたレコードを処理する前に {call} でコミットします。",
                "From its next poll() on, {name} commits what poll() returns before it processes any of it, by {call}."
            ),
            CommitWhen::Never => both!(
                self.lang,
                "{name} のアプリケーションは、これから自分ではコミットしません。",
                "From now on the application of {name} commits nothing by itself."
            ),
        }
    }

    fn unique_key(self, sink: SinkId, is_unique: bool) -> String {
        let (name, column) = (names::sink(self.run, sink), acting::column(self.run, sink));
        match is_unique {
            true => both!(
                self.lang,
                "テーブル {name} の {column} にユニークキーを付けました。これからは、同じイベントをもう一度書き込んでも行は増えません。",
                "The table {name} gets a unique key on {column}: from now on a repeated write adds no row."
            ),
            false => both!(
                self.lang,
                "テーブル {name} の {column} からユニークキーを外しました。これからは、同じイベントをもう一度書き込むと行が増えます。",
                "The table {name} loses its unique key on {column}: from now on a repeated write adds a row."
            ),
        }
    }

    fn handling_time(self, consumer: ConsumerId, of: HandlingOf, (from, time): (Span, Span)) -> String {
        let name = self.consumer(consumer);
        let (from, time) = (format::span(self.lang, from), format::span(self.lang, time));
        match of {
            HandlingOf::Every => both!(
                self.lang,
                "{name} のレコード 1 件あたりの処理時間が {from}から {time}に変わりました。次のレコードから有効です。",
                "{name} now takes {time} for a record instead of {from}, from its next record on."
            ),
            HandlingOf::Key(key) => {
                let key = &self.run.setup().keys[key.index()].text;
                both!(
                    self.lang,
                    "{name} では、キー {key} のレコード 1 件あたりの処理時間が {from}から {time}に変わりました。",
                    "{name} now takes {time} instead of {from} for a record with the key {key}."
                )
            }
            HandlingOf::Partition(place) => {
                let topic = names::topic(self.run, place.topic);
                let number = place.number;
                both!(
                    self.lang,
                    "{name} では、{topic}-{number} のレコード 1 件あたりの処理時間が {from}から {time}に変わりました。",
                    "{name} now takes {time} instead of {from} for a record of {topic}-{number}."
                )
            }
            HandlingOf::Record(place, offset) => {
                let topic = names::topic(self.run, place.topic);
                let number = place.number;
                both!(
                    self.lang,
                    "{name} では、{topic}-{number} のオフセット {offset} のレコードの処理時間が {from}から {time}に変わりました。",
                    "{name} now takes {time} instead of {from} for the record at offset {offset} of {topic}-{number}."
                )
            }
        }
    }
}
