//! Positions and commits.

use super::{Telling, exception};
use crate::sim::event::{ErrorCode, PositionSource};
use crate::sim::setup::OffsetReset;
use crate::sim::{ConsumerId, Event, Generation, Offset, PartitionId};
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
            Event::OffsetCommitSent { consumer, partitions, .. } => {
                let (consumer, partitions) = (self.consumer(consumer), self.partitions(partitions));
                both!(
                    lang,
                    "{consumer} が commitSync() で {partitions}のオフセットを送り、応答を待ちます。",
                    "{consumer} calls commitSync() for {partitions} and waits for the answer."
                )
            }
            Event::OffsetCommitted { consumer, partition, offset, .. } => {
                let (consumer, partition) = (self.consumer(consumer), names::partition(self.run, partition));
                let (offset, done) = (format::number(u64::from(offset)), u64::from(offset).saturating_sub(1));
                both!(
                    lang,
                    "{consumer} が {partition} に {offset} をコミットしました。{done} まで処理済みで、次に読むのは {offset} です。",
                    "{consumer} commits {offset} on {partition}: processed up to {done}, the next to read is {offset}."
                )
            }
            Event::CommitRejected { consumer, generation, error, .. } => {
                self.commit_rejected(consumer, generation, error)
            }
            Event::CommitAnswered { consumer, error } => self.commit_answered(consumer, error),
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

    fn commit_rejected(self, consumer: ConsumerId, generation: Generation, error: ErrorCode) -> String {
        let (name, code) = (self.consumer(consumer), error.name());
        match error {
            ErrorCode::IllegalGeneration => both!(
                self.lang,
                "{name} のコミットが拒否されました（{code}）。世代 {generation} はもう終わっています。",
                "The coordinator refuses the commit of {name} ({code}): generation {generation} is over."
            ),
            ErrorCode::RebalanceInProgress => both!(
                self.lang,
                "{name} のコミットが拒否されました（{code}）。グループは新しい割り当てを待っています。",
                "The coordinator refuses the commit of {name} ({code}): the group waits for its new assignment."
            ),
            ErrorCode::StaleMemberEpoch => both!(
                self.lang,
                "{name} のコミットが拒否されました（{code}）。{name} はもうエポック {generation} ではありません。",
                "The coordinator refuses the commit of {name} ({code}): it is no longer in epoch {generation}."
            ),
            _ => both!(
                self.lang,
                "{name} のコミットが拒否されました（{code}）。{name} はもうメンバーではありません。",
                "The coordinator refuses the commit of {name} ({code}): it is no longer a member."
            ),
        }
    }

    fn commit_answered(self, consumer: ConsumerId, error: ErrorCode) -> String {
        let (name, exception) = (self.consumer(consumer), exception(error));
        match error {
            ErrorCode::None => both!(
                self.lang,
                "{name} の commitSync() が完了しました。次のレコードへ進みます。",
                "commitSync() returns: {name} goes on with the next record."
            ),
            ErrorCode::StaleMemberEpoch => both!(
                self.lang,
                "{name} の commitSync() が {exception} で失敗しました。{name} はメンバーのままで、次のレコードへ進みます。",
                "commitSync() of {name} fails with {exception}. It is still a member and goes on with the next record."
            ),
            _ => both!(
                self.lang,
                "{name} の commitSync() が {exception} で失敗しました。次の poll() で参加し直します。",
                "commitSync() of {name} fails with {exception}. Its next poll() joins the group again."
            ),
        }
    }
}
