//! Positions.

use super::Telling;
use crate::sim::event::PositionSource;
use crate::sim::setup::OffsetReset;
use crate::sim::{ConsumerId, Event, Offset, PartitionId};
use crate::text::{format, names};

impl Telling<'_> {
    #[inline(never)]
    pub(super) fn offsets(self) -> String {
        match self.step.event {
            Event::PositionSet { consumer, partition, offset, source, was_out_of_range } => {
                self.position_set(consumer, (partition, offset), source, was_out_of_range)
            }
            _ => self.rarer(),
        }
    }

    /// What most stories do not show.
    #[inline(never)]
    fn rarer(self) -> String {
        let lang = self.lang;
        match self.step.event {
            Event::OffsetFetchAnswered { consumer, partitions, .. } => {
                let (consumer, partitions) = (self.consumer(consumer), self.partitions(partitions));
                both!(
                    lang,
                    "コーディネーターが {partitions}のコミット済みオフセットを {consumer} に返しました。",
                    "The coordinator tells {consumer} what is committed for {partitions}."
                )
            }
            Event::ListOffsetsSent { consumer, partitions } => self.list_offsets_sent(consumer, partitions),
            Event::ListOffsetsAnswered { consumer, partitions } => self.list_offsets_answered(consumer, partitions),
            Event::PartitionsChosen { consumer, partitions } => {
                let (name, group) = (self.consumer(consumer), names::group_of(self.run, consumer));
                let chosen = self.named(self.run.partitions_at(self.number), partitions);
                both!(
                    lang,
                    "{name} は assign() で {chosen} を自分で選びます。グループ {group} には参加せず、その名前でコミットを読み書きするだけです。",
                    "{name} chooses {chosen} by itself with assign(). It does not join {group}; it only reads and writes commits under that name."
                )
            }
            Event::PollThrew { consumer, exception, partitions } => {
                let (name, exception) = (self.consumer(consumer), exception.name());
                let partitions = self.named(self.run.partitions_at(self.number), partitions);
                both!(
                    lang,
                    "{name} の poll() が {exception} を投げました（{partitions}）。auto.offset.reset=none のためです。アプリケーションは終了します。",
                    "poll() of {name} throws {exception} for {partitions}, as auto.offset.reset=none. The application closes the consumer and ends."
                )
            }
            Event::OffsetExpired { group, partition, offset, unused } => {
                let (group, partition) = (names::group(self.run, group), names::partition(self.run, partition));
                let (offset, unused) = (format::number(u64::from(offset)), format::span(lang, unused));
                both!(
                    lang,
                    "{group} の {partition} のコミット {offset} は {unused}使われなかったため、コーディネーターが削除しました。",
                    "The coordinator forgets that {group} had committed {offset} on {partition}: it was of no use for {unused}."
                )
            }
            Event::OffsetOutOfRange { consumer, partition, offset, end } => {
                let (name, partition) = (self.consumer(consumer), names::partition(self.run, partition));
                let (offset, end) = (format::number(u64::from(offset)), format::number(u64::from(end)));
                both!(
                    lang,
                    "{name} が {partition} の {offset} を読もうとしましたが、末尾は {end} です（OFFSET_OUT_OF_RANGE）。次の位置は auto.offset.reset で決まります。",
                    "{name} asks for offset {offset} of {partition}, which ends at {end} (OFFSET_OUT_OF_RANGE). auto.offset.reset decides where to go on."
                )
            }
            _ => String::new(),
        }
    }

    #[inline(never)]
    fn list_offsets_answered(self, consumer: ConsumerId, partitions: u32) -> String {
        let (name, partitions) = (self.consumer(consumer), self.partitions(partitions));
        match self.settings(consumer).auto_offset_reset {
            OffsetReset::Latest => both!(
                self.lang,
                "ブローカーが {partitions}のログの末尾オフセットを {name} に返しました。",
                "The broker tells {name} where the log ends, for {partitions}."
            ),
            OffsetReset::ByDuration(_) => both!(
                self.lang,
                "ブローカーが、{partitions}でその時刻以降に送られた最初のレコードを探し、{name} に答えました。",
                "The broker has looked for the first record of that time in {partitions} and answers {name}."
            ),
            OffsetReset::Earliest | OffsetReset::None => both!(
                self.lang,
                "ブローカーが {partitions}のログの先頭オフセットを {name} に返しました。",
                "The broker tells {name} where the log begins, for {partitions}."
            ),
        }
    }

    #[inline(never)]
    fn list_offsets_sent(self, consumer: ConsumerId, partitions: u32) -> String {
        let (name, partitions) = (self.consumer(consumer), self.partitions(partitions));
        match self.settings(consumer).auto_offset_reset {
            OffsetReset::Latest => both!(
                self.lang,
                "{partitions}に使えるオフセットがないため、{name} はログの末尾を問い合わせます（auto.offset.reset=latest）。",
                "{partitions} without an offset to go on from: {name} asks where the log ends (auto.offset.reset=latest)."
            ),
            OffsetReset::ByDuration(span) => {
                let span = format::span(self.lang, span);
                both!(
                    self.lang,
                    "{partitions}に使えるオフセットがないため、{name} は {span}前より新しい最初のレコードを問い合わせます（auto.offset.reset=by_duration）。",
                    "{partitions} without an offset to go on from: {name} asks for the first record of the last {span} (auto.offset.reset=by_duration)."
                )
            }
            OffsetReset::Earliest | OffsetReset::None => both!(
                self.lang,
                "{partitions}に使えるオフセットがないため、{name} はログの先頭を問い合わせます（auto.offset.reset=earliest）。",
                "{partitions} without an offset to go on from: {name} asks where the log begins (auto.offset.reset=earliest)."
            ),
        }
    }

    fn position_set(
        self,
        consumer: ConsumerId,
        (partition, offset): (PartitionId, Offset),
        source: PositionSource,
        was_out_of_range: bool,
    ) -> String {
        let (name, at) = (self.consumer(consumer), partition);
        let (partition, number) = (names::partition(self.run, partition), format::number(u64::from(offset)));
        match source {
            PositionSource::Committed => both!(
                self.lang,
                "{name} は {partition} をコミット済みオフセットの {number} から読みます。",
                "{name} begins to read {partition} at {number}, the committed offset."
            ),
            PositionSource::Earliest if !was_out_of_range => both!(
                self.lang,
                "{partition} にはまだコミットがないため、{name} はログの先頭 {number} から読みます（auto.offset.reset=earliest）。",
                "Nothing is committed for {partition}: {name} begins at {number}, the start of the log (auto.offset.reset=earliest)."
            ),
            _ => self.position_set_otherwise(consumer, (at, offset), source, was_out_of_range),
        }
    }

    /// A position that is neither a commit nor, for want of one, the start of the log.
    #[inline(never)]
    fn position_set_otherwise(
        self,
        consumer: ConsumerId,
        (partition, offset): (PartitionId, Offset),
        source: PositionSource,
        was_out_of_range: bool,
    ) -> String {
        let (name, partition) = (self.consumer(consumer), names::partition(self.run, partition));
        let number = offset;
        let offset = format::number(u64::from(offset));
        let because = match was_out_of_range {
            true => both!(
                self.lang,
                "{partition} の位置はログの範囲外だったため",
                "The position on {partition} was outside of the log"
            ),
            false => both!(self.lang, "{partition} にはまだコミットがないため", "Nothing is committed for {partition}"),
        };
        match source {
            PositionSource::Stored => self.position_from_store(consumer, &partition, number),
            PositionSource::Committed => String::new(),
            PositionSource::Earliest => both!(
                self.lang,
                "{because}、{name} はログの先頭 {offset} から読みます（auto.offset.reset=earliest）。",
                "{because}: {name} begins at {offset}, the start of the log (auto.offset.reset=earliest)."
            ),
            PositionSource::Latest => both!(
                self.lang,
                "{because}、{name} はログの末尾 {offset} から読みます（auto.offset.reset=latest）。",
                "{because}: {name} begins at {offset}, the end of the log (auto.offset.reset=latest)."
            ),
            PositionSource::ByDuration => both!(
                self.lang,
                "{because}、{name} は指定した時間内の最初のレコード {offset} から読みます（auto.offset.reset=by_duration）。",
                "{because}: {name} begins at {offset}, the first record that is young enough (auto.offset.reset=by_duration)."
            ),
        }
    }
}
