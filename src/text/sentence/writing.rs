//! From `send()` into the log.

use super::Telling;
use crate::sim::Event;
use crate::text::{format, names};

impl Telling<'_> {
    pub(super) fn writing(self) -> String {
        let (lang, run) = (self.lang, self.run);
        match self.step.event {
            Event::RecordSent { record, partition } => {
                let producer = names::producer(run, run.record(record).producer);
                let (name, key, value) =
                    (names::record(run, record), names::key(run, record), names::value(run, record));
                let partition = names::partition(run, partition);
                both!(
                    lang,
                    "{producer} が {name}（{key}: {value}）を送信しました。キーのハッシュ値により、行き先は {partition} です。",
                    "{producer} sends {name} ({key}: {value}). The hash of its key picks {partition}."
                )
            }
            Event::ProduceSent { producer, partition, records } => {
                let linger = format::span(lang, run.setup().producers[producer.index()].linger);
                let (producer, partition) = (names::producer(run, producer), names::partition(run, partition));
                let records = self.records(records);
                both!(
                    lang,
                    "linger.ms の {linger}が過ぎ、{producer} が {partition} 宛てのバッチ（{records}）を送り出しました。",
                    "The batch has waited for linger.ms ({linger}): {producer} sends {records} for {partition}."
                )
            }
            Event::RecordAppended { record, partition, offset } => {
                let (name, partition) = (names::record(run, record), names::partition(run, partition));
                let (end, offset) = (format::number(u64::from(offset) + 1), format::number(u64::from(offset)));
                both!(
                    lang,
                    "{name} が {partition} のオフセット {offset} に追加されました。ログの末尾は {end} になります。",
                    "{name} is appended to {partition} at offset {offset}. The log now ends at {end}."
                )
            }
            Event::ProduceAcknowledged { producer, partition, records, base_offset } => {
                let (producer, partition) = (names::producer(run, producer), names::partition(run, partition));
                let (records, from) = (self.records(records), format::number(u64::from(base_offset)));
                both!(
                    lang,
                    "{partition} のオフセット {from} から {records}を書き込んだという応答が、{producer} に届きました。",
                    "{producer} hears from the broker: {records} written to {partition}, from offset {from} on."
                )
            }
            _ => String::new(),
        }
    }
}
