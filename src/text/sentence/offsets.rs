//! Positions.

use super::Telling;
use crate::sim::event::PositionSource;
use crate::sim::setup::OffsetReset;
use crate::sim::{ConsumerId, Event, Offset, PartitionId};
use crate::text::{format, names};

impl Telling<'_> {
    pub(super) fn offsets(self) -> String {
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
            Event::ListOffsetsAnswered { consumer, partitions } => {
                let (name, partitions) = (self.consumer(consumer), self.partitions(partitions));
                match self.settings(consumer).auto_offset_reset {
                    OffsetReset::Earliest => both!(
                        lang,
                        "ブローカーが {partitions}のログの先頭オフセットを {name} に返しました。",
                        "The broker tells {name} where the log begins, for {partitions}."
                    ),
                    OffsetReset::Latest => both!(
                        lang,
                        "ブローカーが {partitions}のログの末尾オフセットを {name} に返しました。",
                        "The broker tells {name} where the log ends, for {partitions}."
                    ),
                }
            }
            Event::PositionSet { consumer, partition, offset, source } => {
                self.position_set(consumer, partition, offset, source)
            }
            _ => String::new(),
        }
    }

    fn list_offsets_sent(self, consumer: ConsumerId, partitions: u32) -> String {
        let (name, partitions) = (self.consumer(consumer), self.partitions(partitions));
        match self.settings(consumer).auto_offset_reset {
            OffsetReset::Earliest => both!(
                self.lang,
                "{partitions}にコミット済みオフセットがないため、{name} はログの先頭を問い合わせます（auto.offset.reset=earliest）。",
                "{partitions} without a committed offset: {name} asks where the log begins (auto.offset.reset=earliest)."
            ),
            OffsetReset::Latest => both!(
                self.lang,
                "{partitions}にコミット済みオフセットがないため、{name} はログの末尾を問い合わせます（auto.offset.reset=latest）。",
                "{partitions} without a committed offset: {name} asks where the log ends (auto.offset.reset=latest)."
            ),
        }
    }

    fn position_set(
        self,
        consumer: ConsumerId,
        partition: PartitionId,
        offset: Offset,
        source: PositionSource,
    ) -> String {
        let (name, partition) = (self.consumer(consumer), names::partition(self.run, partition));
        let offset = format::number(u64::from(offset));
        match source {
            PositionSource::Committed => both!(
                self.lang,
                "{name} は {partition} をコミット済みオフセットの {offset} から読みます。",
                "{name} begins to read {partition} at {offset}, the committed offset."
            ),
            PositionSource::Earliest => both!(
                self.lang,
                "{partition} にはまだコミットがないため、{name} はログの先頭 {offset} から読みます（auto.offset.reset=earliest）。",
                "Nothing is committed for {partition}: {name} begins at {offset}, the start of the log (auto.offset.reset=earliest)."
            ),
            PositionSource::Latest => both!(
                self.lang,
                "{partition} にはまだコミットがないため、{name} はログの末尾 {offset} から読みます（auto.offset.reset=latest）。",
                "Nothing is committed for {partition}: {name} begins at {offset}, the end of the log (auto.offset.reset=latest)."
            ),
        }
    }
}
