//! From the log to the application and into the table.

use super::Telling;
use crate::explain::lookup;
use crate::sim::event::{Fault, RowOutcome};
use crate::sim::setup::{Library, Writes};
use crate::sim::{ConsumerId, Event, Offset, PartitionId, RecordId, Role};
use crate::text::{format, names};

impl Telling<'_> {
    pub(super) fn reading(self) -> String {
        match self.step.event {
            Event::RecordsPolled { consumer, partition, from, position } => {
                self.polled(consumer, partition, from, position)
            }
            Event::RecordProcessed { consumer, record, partition, offset, times, row, fault } => {
                let at = names::record_at(self.lang, self.run, record, partition, offset);
                match fault {
                    Fault::None => {
                        let processed = self.processed(consumer, record, &at, row);
                        match self.store_of(consumer) {
                            None => processed,
                            Some(store) => self.with_stored(processed, consumer, offset, store),
                        }
                    }
                    Fault::Stopped | Fault::Survivor | Fault::Rewound | Fault::Shared => {
                        self.processed_again(consumer, &at, times, row, fault)
                    }
                }
            }
            _ => self.fetching(),
        }
    }

    /// What most stories do not show: Fetch, and the beginning of handling.
    #[inline(never)]
    fn fetching(self) -> String {
        let (lang, run) = (self.lang, self.run);
        match self.step.event {
            Event::HandlingStarted { consumer, record, partition, offset } => {
                let time = format::span(lang, run.consumer(consumer).config().handling.time);
                let consumer = self.consumer(consumer);
                let record = names::record_at(lang, run, record, partition, offset);
                both!(
                    lang,
                    "{consumer} が {record}の処理を始めました。処理には {time}かかります。",
                    "{consumer} begins to process {record}. This takes {time}."
                )
            }
            Event::FetchSent { consumer, partitions } => {
                let (consumer, partitions) = (self.consumer(consumer), self.partitions(partitions));
                both!(
                    lang,
                    "{consumer} が {partitions}分の新しいレコードを Fetch で要求しました。",
                    "{consumer} sends a Fetch: it asks for new records of {partitions}."
                )
            }
            Event::FetchReceived { consumer, waits } => self.fetch_received(consumer, waits),
            Event::FetchAnswered { consumer, records } => {
                let (consumer, records) = (self.consumer(consumer), self.records(records));
                both!(
                    lang,
                    "ブローカーが {consumer} の Fetch にレコード {records}を返しました。",
                    "The broker answers the Fetch of {consumer} with {records}."
                )
            }
            Event::RecordsFetched { consumer, records } => {
                let (consumer, records) = (self.consumer(consumer), self.records(records));
                both!(
                    lang,
                    "レコード {records}が {consumer} のバッファーに届きました。アプリケーションに渡るのは poll() のときです。",
                    "{consumer} has fetched {records} into its buffer. The application gets them from poll()."
                )
            }
            _ => String::new(),
        }
    }

    #[inline(never)]
    fn fetch_received(self, consumer: ConsumerId, waits: bool) -> String {
        let consumer = self.consumer(consumer);
        match waits {
            true => both!(
                self.lang,
                "{consumer} の Fetch が届きましたが、新しいレコードがありません。ブローカーは届くまで応答を保留します。",
                "The broker has nothing new for {consumer} and keeps its Fetch until there is something."
            ),
            false => both!(
                self.lang,
                "{consumer} の Fetch がブローカーに届きました。返せるレコードがあります。",
                "The Fetch of {consumer} reaches the broker, which has records for it."
            ),
        }
    }

    fn polled(self, of: ConsumerId, partition: PartitionId, from: Offset, position: Offset) -> String {
        if let Library::KafkaJs { .. } = self.settings(of).library {
            return self.handed_over(of, partition, from, position);
        }
        let (lang, consumer) = (self.lang, self.consumer(of));
        let record = self.run.known_record_at(partition, from);
        let partition = names::partition(self.run, partition);
        let (first, next) = (format::number(u64::from(from)), format::number(u64::from(position)));
        let last = format::number(u64::from(position.saturating_sub(1)));
        let told = match record.filter(|_| position == from + 1).map(|record| names::record(self.run, record)) {
            Some(record) => both!(
                lang,
                "poll() が {consumer} に {record}（{partition} のオフセット {first}）を渡しました。処理はこれからですが、ポジションは {next} に進みます。",
                "poll() gives {consumer} the record {record} ({partition}, offset {first}). The position moves to {next} before the record is processed."
            ),
            None => both!(
                lang,
                "poll() が {consumer} に {partition} のオフセット {first} から {last} を渡しました。処理はこれからですが、ポジションは {next} に進みます。",
                "poll() gives {consumer} offsets {first} to {last} of {partition}. The position moves to {next} before any of them is processed."
            ),
        };
        match self.settings(of).library {
            Library::Librdkafka { auto_offset_store: true, .. } if self.settings(of).enable_auto_commit => {
                self.polled_and_stored(&told, &next)
            }
            _ => told,
        }
    }

    /// What kafkajs hands over, which has no `poll()`.
    #[inline(never)]
    fn handed_over(self, of: ConsumerId, partition: PartitionId, from: Offset, position: Offset) -> String {
        let (lang, consumer) = (self.lang, self.consumer(of));
        let partition = names::partition(self.run, partition);
        let (first, next) = (format::number(u64::from(from)), format::number(u64::from(position)));
        let last = format::number(u64::from(position.saturating_sub(1)));
        both!(
            lang,
            "{consumer} が取得した {partition} のオフセット {first} から {last} を、1 件ずつ eachMessage に渡します。処理はこれからですが、ポジションは {next} に進みます。",
            "{consumer} has fetched offsets {first} to {last} of {partition}, for eachMessage to handle one by one. The position moves to {next} before any of them is processed."
        )
    }

    #[inline(never)]
    fn polled_and_stored(self, told: &str, next: &str) -> String {
        both!(
            self.lang,
            "{told}オフセット {next} は、この時点で保存されます（offset store）。",
            "{told} Offset {next} is stored at once, for the next commit (offset store)."
        )
    }

    fn processed(self, consumer: ConsumerId, record: RecordId, at: &str, row: RowOutcome) -> String {
        let (lang, name) = (self.lang, self.consumer(consumer));
        let table = names::sink_of(self.run, consumer).unwrap_or_default();
        let value = names::value(self.run, record);
        match row {
            RowOutcome::Inserted => both!(
                lang,
                "{name} が {at}を処理し、{table} に 1 行（{value}）を書き込みました。",
                "{name} has processed {at} and written a row to {table}: {value}."
            ),
            _ => self.processed_without_new_row(name, at, row),
        }
    }

    /// What makes no row, or none that is new.
    #[inline(never)]
    fn processed_without_new_row(self, name: &str, at: &str, row: RowOutcome) -> String {
        let (lang, step) = (self.lang, &self.step.event);
        let value = step.record().map_or("", |record| names::value(self.run, record));
        let table = step.consumer().and_then(|consumer| names::sink_of(self.run, consumer)).unwrap_or_default();
        match row {
            RowOutcome::NoSink => {
                both!(lang, "{name} が {at}を処理しました。", "{name} has processed {at}.")
            }
            RowOutcome::AlreadyThere => both!(
                lang,
                "{name} が {at}を処理しました。{table} に同じ行があるため、ユニークキーにより書き込みは無視されました。",
                "{name} has processed {at}. {table} has its row already, so the unique key ignores the write."
            ),
            RowOutcome::ReplacedLater => both!(
                lang,
                "{name} が {at}を処理しました。{table} の行には、より新しい値が入っていましたが、古い値（{value}）で上書きされました。",
                "{name} has processed {at}. The row in {table} held a newer value; the older one replaces it: {value}."
            ),
            _ => both!(
                lang,
                "{name} が {at}を処理し、{table} の行の値を {value} に書き換えました。",
                "{name} has processed {at} and replaced the value of its row in {table}: {value}."
            ),
        }
    }

    fn processed_again(self, consumer: ConsumerId, at: &str, times: u16, row: RowOutcome, fault: Fault) -> String {
        let name = self.consumer(consumer);
        let table = names::sink_of(self.run, consumer).unwrap_or_default();
        let nth = format::times(self.lang, times);
        let because = self.left_uncommitted(fault);
        match row {
            RowOutcome::Inserted if !self.without_id(consumer) => both!(
                self.lang,
                "{name} が {at}を処理しました（{nth}）。{table} に同じ内容の行がもう 1 行増えました。{because}",
                "{name} has processed {at} for the {nth}: one more row in {table}. {because}"
            ),
            _ => self.row_again((name, at, &nth), table, (row, &because)),
        }
    }

    /// A repetition that makes no row of its own, or one that nothing tells from others.
    #[inline(never)]
    fn row_again(self, (name, at, nth): (&str, &str, &str), table: &str, (row, because): (RowOutcome, &str)) -> String {
        match row {
            RowOutcome::NoSink => both!(
                self.lang,
                "{name} が {at}を処理しました。これで {nth}です。{because}",
                "{name} has processed {at} for the {nth}. {because}"
            ),
            RowOutcome::AlreadyThere => both!(
                self.lang,
                "{name} が {at}を処理しました（{nth}）。{table} ではユニークキーにより書き込みが無視されました。{because}",
                "{name} has processed {at} for the {nth}. The unique key of {table} ignores the write. {because}"
            ),
            RowOutcome::Replaced => both!(
                self.lang,
                "{name} が {at}を処理しました（{nth}）。{table} の行に、この値をもう一度書き込みました。{because}",
                "{name} has processed {at} for the {nth}: its value goes into the row of {table} once more. {because}"
            ),
            RowOutcome::ReplacedLater => both!(
                self.lang,
                "{name} が {at}を処理しました（{nth}）。{table} の新しい値が古い値に戻りました。{because}",
                "{name} has processed {at} for the {nth}: in {table} the older value replaces a newer one. {because}"
            ),
            _ => both!(
                self.lang,
                "{name} が {at}を処理しました（{nth}）。{table} の行が増えましたが、重複だと見分ける列がありません。{because}",
                "{name} has processed {at} for the {nth}. {table} gets a row that nothing tells from the first. {because}"
            ),
        }
    }

    /// True if the table that a consumer writes to has no column that names the event.
    fn without_id(self, consumer: ConsumerId) -> bool {
        let sink = self.run.consumer(consumer).config().handling.writes_to;
        sink.is_some_and(|sink| self.run.setup().sinks[sink.index()].writes == Writes::InsertWithoutId)
    }

    /// Why a record comes again: a sentence of its own.
    fn left_uncommitted(self, fault: Fault) -> String {
        let first = lookup::processed_before_by(self.run, self.number);
        let by = first.map_or("", |by| self.consumer(by));
        let ended = self.step.causes.with_role(Role::Silenced).and_then(|step| self.run.step_at(step));
        let has_closed = ended.is_some_and(|step| matches!(step.event, Event::ConsumerClosed { .. }));
        let is_taken_back = lookup::taken_back_by(self.run, self.number).is_some();
        match fault {
            Fault::Survivor if !is_taken_back && !self.is_out() && !self.was_out(first) => both!(
                self.lang,
                "リバランス前に {by} がコミットしていなかったためです。",
                "{by} had not committed it before the rebalance."
            ),
            Fault::Stopped if !is_taken_back && !has_closed => both!(
                self.lang,
                "{by} がコミット前にクラッシュしたためです。",
                "{by} had crashed before committing it."
            ),
            _ => self.left_otherwise(fault),
        }
    }

    /// True if a member that processes a record is out of its group then.
    fn is_out(self) -> bool {
        let own = self.step.event.consumer();
        own.is_some_and(|own| lookup::out_before(self.run, own, self.number).is_some())
    }

    /// True if the member that processed the record first was out of its group then.
    fn was_out(self, first: Option<ConsumerId>) -> bool {
        let before = self.step.causes.with_role(Role::Repeated);
        before.zip(first).is_some_and(|(step, by)| lookup::out_before(self.run, by, step).is_some())
    }

    /// Why a record comes again that neither a crash nor a rebalance alone has left behind.
    #[inline(never)]
    fn left_otherwise(self, fault: Fault) -> String {
        let first = lookup::processed_before_by(self.run, self.number);
        let is_of_member = first.is_some_and(|first| !self.run.consumer(first).config().reads.is_by_hand());
        let by = first.map_or("", |by| self.consumer(by));
        let name = self.step.event.consumer().map_or("", |consumer| self.consumer(consumer));
        let taken_back = lookup::taken_back_by(self.run, self.number);
        match fault {
            Fault::Rewound => {
                both!(self.lang, "読み始める位置が意図的に戻されたためです。", "Reading was set back on purpose.")
            }
            Fault::Shared if is_of_member => both!(
                self.lang,
                "{name} は assign() で読むため、{by} とパーティションを分担しません。",
                "{name} reads the partition by assign() and shares nothing with {by}."
            ),
            Fault::Shared => both!(
                self.lang,
                "{by} も同じパーティションを assign() で読んでいるためです。",
                "{by} reads the same partition by assign(), too."
            ),
            Fault::Survivor | Fault::Stopped if taken_back.is_some() => {
                let by = taken_back.map_or("", |by| self.consumer(by));
                both!(
                    self.lang,
                    "{by} のコミットが、コミット済みオフセットをこれより前に戻したためです。",
                    "A commit of {by} had taken the committed offset back behind it."
                )
            }
            Fault::Survivor if self.is_out() => both!(
                self.lang,
                "{name} は、グループから外れたことをまだ知りません。",
                "{name} does not know yet that it is no longer in the group."
            ),
            Fault::Survivor => both!(
                self.lang,
                "{by} はすでにグループから外れた状態で処理していました。",
                "{by} had processed it when it was no longer in the group."
            ),
            _ => {
                both!(self.lang, "{by} がコミットせずに離脱したためです。", "{by} had left without committing it.")
            }
        }
    }
}
