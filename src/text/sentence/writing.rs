//! From `send()` into the log, and the life of a producer.

use super::Telling;
use crate::explain::lookup;
use crate::sim::event::SentBecause;
use crate::sim::partitioner::Choice;
use crate::sim::{Event, PartitionId, ProducerId, RecordId, Role, Span};
use crate::text::{format, names};

impl Telling<'_> {
    pub(super) fn writing(self) -> String {
        let (lang, run) = (self.lang, self.run);
        match self.step.event {
            Event::RecordSent { record, partition } => self.sent(record, partition),
            Event::RecordAppended { record, partition, offset } => {
                let (name, partition) = (names::record(run, record), names::partition(run, partition));
                let (end, offset) = (format::number(u64::from(offset) + 1), format::number(u64::from(offset)));
                both!(
                    lang,
                    "{name} が {partition} のオフセット {offset} に追加されました。ログの末尾は {end} になります。",
                    "{name} is appended to {partition} at offset {offset}. The log now ends at {end}."
                )
            }
            _ => self.requests(),
        }
    }

    /// What most stories do not show: Produce.
    #[inline(never)]
    fn requests(self) -> String {
        let (lang, run) = (self.lang, self.run);
        match self.step.event {
            Event::ProduceSent { producer, partition, batches, records, because, .. } => {
                self.produce_sent(producer, (partition, batches, records), because)
            }
            Event::ProduceAcknowledged { producer, partition, batches: 1, records, base_offset } => {
                let (producer, partition) = (names::producer(run, producer), names::partition(run, partition));
                let (records, from) = (self.records(records), format::number(u64::from(base_offset)));
                both!(
                    lang,
                    "{partition} のオフセット {from} から {records}を書き込んだという応答が、{producer} に届きました。",
                    "{producer} hears from the broker: {records} written to {partition}, from offset {from} on."
                )
            }
            Event::ProduceAcknowledged { producer, batches, records, .. } => {
                let producer = names::producer(run, producer);
                let (partitions, records) = (self.partitions(batches.into()), self.records(records));
                both!(
                    lang,
                    "{partitions}に {records}を書き込んだという応答が、{producer} に届きました。",
                    "{producer} hears from the broker: {records} written to {partitions}."
                )
            }
            _ => self.producer_life(),
        }
    }

    fn sent(self, record: RecordId, partition: PartitionId) -> String {
        let (lang, run) = (self.lang, self.run);
        if let Some(told) = self.step.causes.with_role(Role::Triggered).and_then(|by| self.set_aside(record, by)) {
            return told;
        }
        let found = run.record(record);
        let producer = names::producer(run, found.producer);
        let (name, key, value) = (names::record(run, record), names::key(run, record), names::value(run, record));
        let partition = names::partition(run, partition);
        let sent = both!(
            lang,
            "{producer} が {name}（{key}: {value}）を送信しました。",
            "{producer} sends {name} ({key}: {value})."
        );
        let why = match found.choice {
            Choice::Hash(_) if found.key.is_some() => both!(
                lang,
                "キーのハッシュ値により、行き先は {partition} です。",
                "The hash of its key picks {partition}."
            ),
            _ => self.chosen_without_key(record, &partition),
        };
        match lang {
            crate::text::Lang::Ja => sent + &why,
            crate::text::Lang::En => format!("{sent} {why}"),
        }
    }

    /// Why it goes where it goes, if no hash of its key says so.
    #[inline(never)]
    fn chosen_without_key(self, record: RecordId, partition: &str) -> String {
        let (lang, found) = (self.lang, self.run.record(record));
        let keyless = match found.key {
            None => lang.pick("キーがないため", "It has no key"),
            Some(_) => lang.pick("キーは使わず", "Its key does not count"),
        };
        match found.choice {
            Choice::Hash(_) => both!(
                lang,
                "キーがないため空のキーとみなされ、そのハッシュ値により、行き先は {partition} です。",
                "Without a key it counts as one with an empty key, whose hash picks {partition}."
            ),
            Choice::Explicit => both!(
                lang,
                "行き先は、アプリケーションが指定した {partition} です。",
                "The application has named {partition}."
            ),
            Choice::StickyByBytes { is_first: true, .. }
            | Choice::StickyByBatch { is_first: true }
            | Choice::StickyByTime { is_first: true } => both!(
                lang,
                "{keyless}、行き先は新しく選ばれた {partition} です。",
                "{keyless}: it goes to {partition}, which has just been drawn."
            ),
            Choice::StickyByBytes { .. } | Choice::StickyByBatch { .. } | Choice::StickyByTime { .. } => both!(
                lang,
                "{keyless}、行き先は前と同じ {partition} です。",
                "{keyless}: it goes where the one before went, {partition}."
            ),
            Choice::InTurn(_) => both!(
                lang,
                "{keyless}、行き先は順番で次の {partition} です。",
                "{keyless}: it goes to the next in turn, {partition}."
            ),
            Choice::Random => both!(
                lang,
                "{keyless}、行き先は乱数で選ばれた {partition} です。",
                "{keyless}: it goes to {partition}, drawn at random."
            ),
        }
    }

    #[inline(never)]
    fn produce_sent(
        self,
        producer: ProducerId,
        (partition, batches, records): (PartitionId, u16, u32),
        because: SentBecause,
    ) -> String {
        let (lang, run) = (self.lang, self.run);
        let linger = lookup::producer_settings(run, producer, self.number).batching.linger;
        let (producer, records) = (names::producer(run, producer), self.records(records));
        let partition = match batches {
            1 => names::partition(run, partition),
            _ => self.partitions(batches.into()),
        };
        match because {
            SentBecause::Linger if linger == Span::ZERO => both!(
                lang,
                "linger.ms=0 のため、{producer} が {partition} 宛てのバッチ（{records}）をすぐに送り出しました。",
                "linger.ms=0: {producer} sends {records} for {partition} at once."
            ),
            SentBecause::Linger => {
                let linger = format::span(lang, linger);
                both!(
                    lang,
                    "linger.ms の {linger}が過ぎ、{producer} が {partition} 宛てのバッチ（{records}）を送り出しました。",
                    "The batch has waited for linger.ms ({linger}): {producer} sends {records} for {partition}."
                )
            }
            SentBecause::Full => both!(
                lang,
                "バッチが満杯になり、{producer} が {partition} 宛てのバッチ（{records}）を送り出しました。",
                "A batch is full: {producer} sends {records} for {partition}."
            ),
            SentBecause::Answered => both!(
                lang,
                "応答を 1 つ受け取って次のリクエストを送れるようになり、{producer} が {partition} 宛てのバッチ（{records}）を送り出しました。",
                "An answer has made room for one more request: {producer} sends {records} for {partition}."
            ),
            SentBecause::Closing => both!(
                lang,
                "close() が呼ばれたため、{producer} が {partition} 宛てのバッチ（{records}）を待たずに送り出しました。",
                "It closes, so nothing waits: {producer} sends {records} for {partition}."
            ),
        }
    }

    #[inline(never)]
    fn producer_life(self) -> String {
        let (lang, run) = (self.lang, self.run);
        match self.step.event {
            Event::ProducerMetadataRefreshed { producer, from, partitions } => {
                let topic = &run.setup().topics[run.setup().producers[producer.index()].topic.index()].name;
                let producer = names::producer(run, producer);
                both!(
                    lang,
                    "{producer} がメタデータを更新し、{topic} のパーティションが {from} 個から {partitions} 個に増えたことを知りました。",
                    "{producer} refreshes its metadata and learns that {topic} has {partitions} partitions, no longer {from}."
                )
            }
            Event::ProducerStarted { producer, .. } => {
                let producer = names::producer(run, producer);
                both!(lang, "{producer} が再起動しました。", "{producer} starts again.")
            }
            Event::ProducerCrashed { producer, unsent: 0 } => {
                let producer = names::producer(run, producer);
                both!(
                    lang,
                    "{producer} がクラッシュしました。送信待ちのレコードはありませんでした。",
                    "{producer} crashes. No record was waiting to be sent."
                )
            }
            Event::ProducerCrashed { producer, unsent } => {
                let (producer, unsent) = (names::producer(run, producer), self.records(unsent));
                both!(
                    lang,
                    "{producer} がクラッシュしました。バッチの中で送信を待っていた {unsent}は失われました。",
                    "{producer} crashes. What waited in its batches is lost: {unsent}."
                )
            }
            Event::ProducerClosed { producer, waiting: 0 } => {
                let producer = names::producer(run, producer);
                both!(lang, "{producer} が close() を呼び、終了しました。", "{producer} calls close() and ends.")
            }
            Event::ProducerClosed { producer, waiting } => {
                let (producer, waiting) = (names::producer(run, producer), self.records(waiting));
                both!(
                    lang,
                    "{producer} が close() を呼びました。送信待ちの {waiting}をすべて送ってから終了します。",
                    "{producer} calls close(). It ends when what still waits is sent: {waiting}."
                )
            }
            _ => String::new(),
        }
    }
}
