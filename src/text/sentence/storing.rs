//! Offsets that an application keeps in the database of its table.

use super::Telling;
use crate::sim::setup::{OffsetStore, Seeks, StoreWhen};
use crate::sim::{ConsumerId, Event, Offset};
use crate::text::{format, names};

impl Telling<'_> {
    #[inline(never)]
    pub(super) fn storing(self) -> String {
        let lang = self.lang;
        match self.step.event {
            Event::OffsetsStored { consumer, partition, offset, partitions, .. } => {
                let (name, table) = (self.consumer(consumer), self.table(consumer));
                let (partition, offset) = (names::partition(self.run, partition), format::number(u64::from(offset)));
                match partitions {
                    1 => both!(
                        lang,
                        "{name} が {partition} のオフセット {offset} を {table} のデータベースに保存しました。Kafka にはコミットしません。",
                        "{name} stores {offset} for {partition} in the database of {table}. It commits nothing to Kafka."
                    ),
                    _ => {
                        let others = self.partitions(partitions - 1);
                        both!(
                            lang,
                            "{name} が {partition} のオフセット {offset} と、ほかの {others}分を {table} のデータベースに保存しました。Kafka にはコミットしません。",
                            "{name} stores {offset} for {partition} and those of {others} more in the database of {table}, and commits nothing to Kafka."
                        )
                    }
                }
            }
            Event::StoredOffsetsRead { consumer, partitions, found } => {
                let (name, table) = (self.consumer(consumer), self.table(consumer));
                let (partitions, found) = (self.partitions(partitions), format::number(u64::from(found)));
                both!(
                    lang,
                    "{table} のデータベースが復旧し、{name} は開始位置を読めるようになりました。割り当てられた {partitions}のうち、保存されているのは {found} 個です。",
                    "The database of {table} answers again: {name} reads where to begin. Of the {partitions} that it got, {found} have a stored offset."
                )
            }
            _ => String::new(),
        }
    }

    fn table(self, consumer: ConsumerId) -> String {
        names::sink_of(self.run, consumer).unwrap_or_default().to_owned()
    }

    pub(super) fn store_of(self, consumer: ConsumerId) -> Option<OffsetStore> {
        self.run.consumer(consumer).config().handling.offset_store
    }

    /// What is said of a processed record, with the offset that went into one transaction with its row; nothing of that where a
    /// pool works, as it may be that of an earlier record.
    #[inline(never)]
    pub(super) fn with_stored(self, told: String, consumer: ConsumerId, offset: Offset, store: OffsetStore) -> String {
        let is_pool = self.run.consumer(consumer).config().handling.pool.is_some();
        let value = store.value_of(offset + 1).filter(|_| store.when == StoreWhen::WithRow && !is_pool);
        let Some(value) = value.map(|value| format::number(u64::from(value))) else {
            return told;
        };
        both!(
            self.lang,
            "{told}同じトランザクションで、オフセット {value} も保存しました。",
            "{told} In the same transaction it stores the offset {value}."
        )
    }

    /// Where a member begins because of what is stored.
    #[inline(never)]
    pub(super) fn position_from_store(self, consumer: ConsumerId, partition: &str, offset: Offset) -> String {
        let (name, table) = (self.consumer(consumer), self.table(consumer));
        let goes_one_further = self.store_of(consumer).is_some_and(|store| store.seeks == Seeks::OneAfter);
        let (stored, offset) = (format::number(u64::from(offset.saturating_sub(1))), format::number(u64::from(offset)));
        match goes_one_further {
            true => both!(
                self.lang,
                "{name} は {table} のデータベースから {partition} の {stored} を読み、その次の {offset} に seek() しました。",
                "{name} finds {stored} for {partition} in the database of {table} and seeks to the one after it: {offset}."
            ),
            false => both!(
                self.lang,
                "{name} は {table} のデータベースから {partition} の {offset} を読み、そこへ seek() しました。",
                "{name} finds {offset} for {partition} in the database of {table} and seeks there."
            ),
        }
    }
}
