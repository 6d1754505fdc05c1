//! Commits.

use super::Telling;
use crate::explain::lookup::{self, CommittedWork};
use crate::sim::event::{CommitCall, ErrorCode};
use crate::sim::setup::{CommitOffset, Library};
use crate::sim::{ConsumerId, Event, Generation, Offset, PartitionId};
use crate::text::{format, library, names};

impl Telling<'_> {
    #[inline(never)]
    pub(super) fn commits(self) -> String {
        match self.step.event {
            Event::OffsetCommitted { consumer, partition, offset, .. } => self.committed(consumer, partition, offset),
            _ => self.around_commits(),
        }
    }

    /// What most stories do not show: what goes back and forth, and what is refused.
    #[inline(never)]
    fn around_commits(self) -> String {
        match self.step.event {
            Event::OffsetCommitSent { consumer, partitions, call, .. } => self.commit_sent(consumer, partitions, call),
            Event::CommitRepeated { consumer, partitions, .. } => {
                let (name, partitions) = (self.consumer(consumer), self.partitions(partitions));
                both!(
                    self.lang,
                    "{name} がコミットした{partitions}のオフセットは、すでにコミット済みの値と同じです。",
                    "{name} commits {partitions} once more: the committed offsets are the same as before."
                )
            }
            Event::CommitRejected { consumer, generation, error, .. } => {
                self.commit_rejected(consumer, generation, error)
            }
            Event::CommitAnswered { consumer, call, error } => self.commit_answered(consumer, call, error),
            Event::CommitFailed { consumer, call, error: error @ ErrorCode::RebalanceInProgress } => {
                let (name, call) = (self.consumer(consumer), names::commit_call(call));
                let exception = exception(self.settings(consumer).library, error);
                both!(
                    self.lang,
                    "{name} の {call} が {exception} で失敗しました。リバランスが終わるまで、クライアントはコミットを送りません。",
                    "{call} of {name} fails with {exception}: its client sends no commit before the rebalance is over."
                )
            }
            Event::CommitFailed { consumer, call, error: error @ ErrorCode::PartitionNotAssigned } => {
                let (name, call) = (self.consumer(consumer), names::commit_call(call));
                let exception = exception(self.settings(consumer).library, error);
                both!(
                    self.lang,
                    "{name} の {call} が {exception} で失敗しました。処理していたパーティションは、もう {name} に割り当てられていません。コーディネーターには何も送りません。",
                    "{call} of {name} fails with {exception}: what it has processed is of a partition that it is no longer assigned. The coordinator is not asked."
                )
            }
            Event::CommitFailed { consumer, call, .. } => {
                let (name, call) = (self.consumer(consumer), names::commit_call(call));
                both!(
                    self.lang,
                    "{name} の {call} が CommitFailedException で失敗しました。クライアントはもうメンバーではないと知っているので、コーディネーターには送りません。",
                    "{call} of {name} fails with CommitFailedException: the client knows that it is no member and does not even ask."
                )
            }
            _ => String::new(),
        }
    }

    #[inline(never)]
    fn commit_sent(self, consumer: ConsumerId, partitions: u32, call: CommitCall) -> String {
        let lang = self.lang;
        let (name, partitions) = (self.consumer(consumer), self.partitions(partitions));
        if let Some(own) = library::own_commit(lang, self.settings(consumer).library, (name, &partitions), call) {
            return own;
        }
        match call {
            CommitCall::Sync => both!(
                lang,
                "{name} が commitSync() で {partitions}のオフセットを送り、応答を待ちます。",
                "{name} calls commitSync() for {partitions} and waits for the answer."
            ),
            CommitCall::Async => both!(
                lang,
                "{name} が commitAsync() で {partitions}のオフセットを送り、応答を待たずに先へ進みます。",
                "{name} calls commitAsync() for {partitions} and goes on without waiting."
            ),
            CommitCall::AsyncAgain => both!(
                lang,
                "{name} のコールバックが、失敗したコミットと同じオフセットを commitAsync() でもう一度送ります（{partitions}）。",
                "The callback of {name} calls commitAsync() once more with the offsets of the commit that failed, for {partitions}."
            ),
            CommitCall::SyncBefore => both!(
                lang,
                "{name} は、受け取ったレコードを処理する前に commitSync() を呼び、応答を待ちます（{partitions}）。",
                "Before it processes what it got, {name} calls commitSync() for {partitions} and waits for the answer."
            ),
            CommitCall::AsyncBefore => both!(
                lang,
                "{name} は、受け取ったレコードを処理する前に commitAsync() を呼びます（{partitions}）。応答は待ちません。",
                "Before it processes what it got, {name} calls commitAsync() for {partitions}. It does not wait."
            ),
            CommitCall::OnRevoke => both!(
                lang,
                "{name} は onPartitionsRevoked() の中で commitSync() を呼び、応答を待ちます（{partitions}）。",
                "In onPartitionsRevoked(), {name} calls commitSync() for {partitions} and waits for the answer."
            ),
            CommitCall::OnClose => both!(
                lang,
                "{name} は close() の前に commitSync() を呼び、応答を待ちます（{partitions}）。",
                "Before close(), {name} calls commitSync() for {partitions} and waits for the answer."
            ),
            CommitCall::AutoInterval => both!(
                lang,
                "{name} の poll() が、{partitions}のポジションを自動でコミットします。応答は待ちません。",
                "poll() of {name} commits the positions of {partitions} by itself. It does not wait."
            ),
            CommitCall::AutoRejoin if self.is_modern(consumer) => both!(
                lang,
                "{name} の poll() は、担当を変える前に {partitions}のポジションを自動でコミットし、応答を待ちます。",
                "Before its partitions change, poll() of {name} commits the positions of {partitions} and waits for the answer."
            ),
            CommitCall::AutoRejoin => both!(
                lang,
                "{name} の poll() は、参加し直す前に {partitions}のポジションを自動でコミットし、応答を待ちます。",
                "Before it joins again, poll() of {name} commits the positions of {partitions} and waits for the answer."
            ),
            CommitCall::AutoSeek => both!(
                lang,
                "autoCommit が有効なので、kafkajs は次のフェッチの前に、{name} が seek() した先のオフセット（{partitions}）をコミットし、応答を待ちます。",
                "With autoCommit, kafkajs commits where {name} has sought to ({partitions}) before the next Fetch, and waits for the answer."
            ),
            CommitCall::AutoClose => both!(
                lang,
                "{name} の close() が、{partitions}のポジションを自動でコミットし、応答を待ちます。",
                "close() of {name} commits the positions of {partitions} and waits for the answer."
            ),
        }
    }

    fn committed(self, consumer: ConsumerId, partition: PartitionId, offset: Offset) -> String {
        let call = lookup::commit_call(self.run, self.number);
        let is_usual = matches!(
            call,
            None | Some(CommitCall::Sync | CommitCall::Async | CommitCall::OnRevoke | CommitCall::OnClose)
        ) && lookup::committed_work(self.run, self.number) == CommittedWork::Processed
            && self.commits_which(consumer) == CommitOffset::Contiguous;
        if !is_usual {
            return self.committed_otherwise(consumer, partition, offset);
        }
        let (name, partition) = (self.consumer(consumer), names::partition(self.run, partition));
        let (offset, done) = (format::number(u64::from(offset)), format::number(u64::from(offset).saturating_sub(1)));
        both!(
            self.lang,
            "{name} が {partition} に {offset} をコミットしました。{done} まで処理済みで、次に読むのは {offset} です。",
            "{name} commits {offset} on {partition}: processed up to {done}, the next to read is {offset}."
        )
    }

    /// Offsets that are not those behind what is processed, or not for certain.
    #[inline(never)]
    fn committed_otherwise(self, consumer: ConsumerId, partition: PartitionId, offset: Offset) -> String {
        let (name, partition) = (self.consumer(consumer), names::partition(self.run, partition));
        let work = lookup::committed_work(self.run, self.number);
        let (offset, done) = (format::number(u64::from(offset)), format::number(u64::from(offset).saturating_sub(1)));
        match lookup::commit_call(self.run, self.number) {
            Some(CommitCall::AsyncAgain) => self.committed_again(name, &partition, &offset),
            Some(CommitCall::SyncBefore | CommitCall::AsyncBefore) if work == CommittedWork::None => both!(
                self.lang,
                "{name} が {partition} に {offset} をコミットしました。受け取ったレコードはなく、次に読むのは {offset} です。",
                "{name} commits {offset} on {partition}, of which it got no record: the next to read is {offset}."
            ),
            Some(CommitCall::SyncBefore | CommitCall::AsyncBefore) => both!(
                self.lang,
                "{name} が {partition} に {offset} をコミットしました。次に読むのは {offset} ですが、受け取ったレコードの処理はこれからです。",
                "{name} commits {offset} on {partition}: the next to read is {offset}, though what it got is not processed yet."
            ),
            Some(CommitCall::AutoInterval | CommitCall::AutoRejoin | CommitCall::AutoClose | CommitCall::AutoSeek) => {
                self.committed_by_client(name, &partition, &offset)
            }
            _ if work != CommittedWork::Processed => both!(
                self.lang,
                "{name} が {partition} に {offset} をコミットしました。新しく処理したレコードはなく、次に読むのは {offset} です。",
                "{name} commits {offset} on {partition}, where it has processed nothing new: the next to read is {offset}."
            ),
            _ if self.commits_which(consumer) == CommitOffset::Own => both!(
                self.lang,
                "{name} が {partition} に {offset} をコミットしました。これは最後に処理したレコード自身のオフセットなので、次に読み始めると、そのレコードをもう一度処理します。",
                "{name} commits {offset} on {partition}, the offset of the last record itself: whoever begins there processes it once more."
            ),
            _ => both!(
                self.lang,
                "{name} が {partition} に {offset} をコミットしました。{done} は処理済みですが、それより前がすべて済んだかどうかは確かめていません。",
                "{name} commits {offset} on {partition}: {done} is processed. Whether everything before it is, nobody has looked."
            ),
        }
    }

    /// What a smaller offset takes back, as it is written.
    fn takes_back_from(self) -> Option<String> {
        let Event::OffsetCommitted { group, partition, offset, .. } = self.step.event else { return None };
        let before = lookup::committed_before(self.run, group, partition, self.number)?;
        (before > offset).then(|| format::number(u64::from(before)))
    }

    #[inline(never)]
    fn committed_by_client(self, name: &str, partition: &str, offset: &str) -> String {
        match self.takes_back_from() {
            Some(before) => both!(
                self.lang,
                "{name} のクライアントの自動コミットで、{partition} のコミット済みオフセットが {before} から {offset} に戻りました。",
                "The client of {name} commits by itself, and takes the committed offset of {partition} back from {before} to {offset}."
            ),
            None => both!(
                self.lang,
                "{name} のクライアントが {partition} に {offset} を自動でコミットしました。次に読むのは {offset} です。",
                "The client of {name} commits {offset} on {partition} by itself: the next to read is {offset}."
            ),
        }
    }

    #[inline(never)]
    fn committed_again(self, name: &str, partition: &str, offset: &str) -> String {
        match self.takes_back_from() {
            Some(before) => both!(
                self.lang,
                "{name} が送り直した古いコミットで、{partition} のコミット済みオフセットが {before} から {offset} に戻りました。",
                "The old commit that {name} has sent again takes the committed offset of {partition} back from {before} to {offset}."
            ),
            None => both!(
                self.lang,
                "{name} が送り直したコミットで、{partition} に {offset} がコミットされました。",
                "The commit that {name} has sent again commits {offset} on {partition}."
            ),
        }
    }

    fn commits_which(self, consumer: ConsumerId) -> CommitOffset {
        self.run.consumer(consumer).config().handling.commit.offset
    }

    /// What the coordinator does, and what the application gets.
    #[inline(never)]
    fn commit_rejected(self, consumer: ConsumerId, generation: Generation, error: ErrorCode) -> String {
        let refusal = self.refusal(consumer, generation, error);
        let call = lookup::commit_call(self.run, self.number).filter(|call| call.is_of_application());
        let Some(call) = call.filter(|_| !self.assigns_by_hand(consumer)) else {
            return refusal;
        };
        let exception = commit_exception(self.settings(consumer).library, call, error);
        let call = names::commit_call(call);
        match exception == error.name() {
            true => refusal,
            false => both!(
                self.lang,
                "{refusal}{call} は {exception} で失敗します。",
                "{refusal} Its {call} fails with {exception}."
            ),
        }
    }

    #[inline(never)]
    fn refusal(self, consumer: ConsumerId, generation: Generation, error: ErrorCode) -> String {
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
            _ if self.assigns_by_hand(consumer) => both!(
                self.lang,
                "{name} のコミットが拒否されました（{code}）。グループにはメンバーがいますが、assign() で読む {name} はメンバーではありません。",
                "The coordinator refuses the commit of {name} ({code}): the group has members, and {name}, which uses assign(), is none."
            ),
            _ => both!(
                self.lang,
                "{name} のコミットが拒否されました（{code}）。{name} はもうメンバーではありません。",
                "The coordinator refuses the commit of {name} ({code}): it is no longer a member."
            ),
        }
    }

    #[inline(never)]
    fn commit_answered(self, consumer: ConsumerId, call: CommitCall, error: ErrorCode) -> String {
        let lang = self.lang;
        let library = self.settings(consumer).library;
        let (name, exception) = (self.consumer(consumer), commit_exception(library, call, error));
        match (call, error) {
            (CommitCall::Sync, ErrorCode::None) => both!(
                lang,
                "{name} の commitSync() が完了しました。次のレコードへ進みます。",
                "commitSync() returns: {name} goes on with the next record."
            ),
            (
                CommitCall::AutoInterval | CommitCall::AutoRejoin | CommitCall::AutoClose | CommitCall::AutoSeek,
                ErrorCode::None,
            ) => {
                both!(lang, "{name} の自動コミットが完了しました。", "The automatic commit of {name} is done.")
            }
            (CommitCall::AutoRejoin, ErrorCode::StaleMemberEpoch) => both!(
                lang,
                "{name} の自動コミットのメンバーエポックが古かったため、新しいエポックで送り直します。",
                "The automatic commit of {name} named an old member epoch. It is sent again with the new one."
            ),
            (CommitCall::AutoInterval | CommitCall::AutoRejoin | CommitCall::AutoClose | CommitCall::AutoSeek, _) => {
                both!(
                    lang,
                    "{name} の自動コミットが {exception} で失敗しました。ログに残るだけです。",
                    "The automatic commit of {name} fails with {exception}, which is only logged."
                )
            }
            (CommitCall::Async | CommitCall::AsyncBefore | CommitCall::AsyncAgain, ErrorCode::None) => both!(
                lang,
                "{name} の commitAsync() のコールバックに、成功が伝えられました。",
                "The callback of commitAsync() tells {name} that the commit is stored."
            ),
            (CommitCall::Async | CommitCall::AsyncBefore | CommitCall::AsyncAgain, _) => both!(
                lang,
                "{name} の commitAsync() のコールバックに、{exception} が渡されました。コミットは送り直されません。",
                "The callback of commitAsync() gets {exception}. {name} does not send the commit again."
            ),
            (_, ErrorCode::None) => {
                both!(lang, "{name} の commitSync() が完了しました。", "commitSync() of {name} returns.")
            }
            (_, ErrorCode::StaleMemberEpoch) => both!(
                lang,
                "{name} の commitSync() が {exception} で失敗しました。{name} はメンバーのままで、次のレコードへ進みます。",
                "commitSync() of {name} fails with {exception}. It is still a member and goes on with the next record."
            ),
            (_, error) if error.is_fatal() => both!(
                lang,
                "{name} の commitSync() が {exception} で失敗しました。{name} はもうグループに戻れず、終了します。",
                "commitSync() of {name} fails with {exception}. It cannot come back into the group, and ends."
            ),
            _ if self.goes_on_reading(consumer) => both!(
                lang,
                "{name} の commitSync() が {exception} で失敗しました。処理中のバッチはそのまま続け、グループへの再参加は別のタスクが行います。",
                "commitSync() of {name} fails with {exception}. It goes on with its batch; a task of its client joins the group again."
            ),
            _ if self.joins_between_records(consumer) => both!(
                lang,
                "{name} の commitOffsets() が {exception} で失敗しました。次のハートビートの応答を受けて、グループに参加し直します。",
                "commitOffsets() of {name} fails with {exception}. Told so by its next heartbeat, too, it joins the group again."
            ),
            _ if self.assigns_by_hand(consumer) => both!(
                lang,
                "{name} の commitSync() が {exception} で失敗しました。それでも {name} は読み続けます。",
                "commitSync() of {name} fails with {exception}. It goes on reading all the same."
            ),
            _ => both!(
                lang,
                "{name} の commitSync() が {exception} で失敗しました。次の poll() で参加し直します。",
                "commitSync() of {name} fails with {exception}. Its next poll() joins the group again."
            ),
        }
    }

    fn goes_on_reading(self, consumer: ConsumerId) -> bool {
        matches!(self.settings(consumer).library, Library::AioKafka { .. }) && !self.assigns_by_hand(consumer)
    }

    fn joins_between_records(self, consumer: ConsumerId) -> bool {
        matches!(self.settings(consumer).library, Library::KafkaJs { .. })
    }

    fn is_modern(self, consumer: ConsumerId) -> bool {
        self.run.setup().is_modern(self.run.consumer(consumer).group)
    }

    fn assigns_by_hand(self, consumer: ConsumerId) -> bool {
        self.run.consumer(consumer).config().reads.is_by_hand()
    }
}

/// What a client throws at the application, or hands to its callback, when a commit fails.
///
/// Source: `ConsumerCoordinator.OffsetCommitResponseHandler`,
/// `CommitRequestManager#{commitSyncExceptionForError, commitAsyncExceptionForError}`: a callback gets what may be tried
/// again in a wrapper, and an old member epoch as it is. kafka-python, `_handle_offset_commit_response`; aiokafka,
/// `commit_offsets`.
pub(in crate::text) fn commit_exception(library: Library, call: CommitCall, error: ErrorCode) -> &'static str {
    match library {
        Library::Java => {}
        Library::KafkaPython | Library::AioKafka { .. } => return python_commit_error(library, error),
        Library::Librdkafka { .. } | Library::KafkaJs { .. } => return exception(library, error),
    }
    let waits_for_nothing =
        matches!(call, CommitCall::Async | CommitCall::AsyncBefore | CommitCall::AsyncAgain | CommitCall::AutoInterval);
    match error {
        ErrorCode::RequestTimedOut if waits_for_nothing => "RetriableCommitFailedException",
        ErrorCode::StaleMemberEpoch if waits_for_nothing => "StaleMemberEpochException",
        ErrorCode::UnknownMemberId | ErrorCode::IllegalGeneration | ErrorCode::StaleMemberEpoch => {
            "CommitFailedException"
        }
        _ => exception(library, error),
    }
}

/// The same of both Python clients, which take a rebalance that the coordinator tells of for the end of the membership.
/// aiokafka does not know the code of a fenced member.
#[inline(never)]
fn python_commit_error(library: Library, error: ErrorCode) -> &'static str {
    match error {
        ErrorCode::UnknownMemberId | ErrorCode::IllegalGeneration | ErrorCode::RebalanceInProgress => {
            "CommitFailedError"
        }
        ErrorCode::FencedInstanceId if matches!(library, Library::AioKafka { .. }) => "UnknownError",
        _ => exception(library, error),
    }
}

/// What a client throws at the application for an error of its group.
///
/// Source: `org.apache.kafka.common.protocol.Errors`; librdkafka, where an error has the protocol's name; kafkajs,
/// `src/retry/index.js`, `src/protocol/error.js`; kafka-python, `errors.py`; aiokafka, `errors.py`, `group_coordinator.py`.
pub(in crate::text) fn exception(library: Library, error: ErrorCode) -> &'static str {
    match library {
        Library::Java => java_exception(error),
        Library::Librdkafka { .. } => error.name(),
        Library::KafkaJs { .. } => kafkajs_error(error),
        Library::KafkaPython | Library::AioKafka { .. } => python_error(library, error),
    }
}

fn java_exception(error: ErrorCode) -> &'static str {
    match error {
        ErrorCode::None => "",
        ErrorCode::IllegalGeneration => "IllegalGenerationException",
        ErrorCode::RequestTimedOut => "TimeoutException",
        ErrorCode::UnknownMemberId => "UnknownMemberIdException",
        ErrorCode::InconsistentGroupProtocol => "InconsistentGroupProtocolException",
        ErrorCode::RebalanceInProgress => "RebalanceInProgressException",
        ErrorCode::MemberIdRequired => "MemberIdRequiredException",
        ErrorCode::GroupMaxSizeReached => "GroupMaxSizeReachedException",
        ErrorCode::FencedInstanceId => "FencedInstanceIdException",
        ErrorCode::FencedMemberEpoch => "FencedMemberEpochException",
        ErrorCode::UnreleasedInstanceId => "UnreleasedInstanceIdException",
        ErrorCode::StaleMemberEpoch => "StaleMemberEpochException",
        ErrorCode::PartitionNotAssigned => "IllegalStateException",
    }
}

#[inline(never)]
fn kafkajs_error(error: ErrorCode) -> &'static str {
    match error {
        ErrorCode::IllegalGeneration => "KafkaJSNonRetriableError: Specified group generation id is not valid",
        ErrorCode::UnknownMemberId => "KafkaJSNonRetriableError: The coordinator is not aware of this member",
        ErrorCode::InconsistentGroupProtocol => {
            "KafkaJSNonRetriableError: The group member's supported protocols are incompatible with those of existing members"
        }
        ErrorCode::RebalanceInProgress => "KafkaJSNonRetriableError: The group is rebalancing, so a rejoin is needed",
        ErrorCode::GroupMaxSizeReached => {
            "KafkaJSNonRetriableError: The consumer group has reached its max size. It already has the configured maximum number of members"
        }
        ErrorCode::RequestTimedOut => "KafkaJSRequestTimeoutError",
        _ => "KafkaJSNonRetriableError",
    }
}

#[inline(never)]
fn python_error(library: Library, error: ErrorCode) -> &'static str {
    let is_aiokafka = matches!(library, Library::AioKafka { .. });
    match error {
        ErrorCode::None => "",
        // Codes that aiokafka has no class for.
        ErrorCode::GroupMaxSizeReached | ErrorCode::FencedInstanceId if is_aiokafka => "KafkaError",
        ErrorCode::IllegalGeneration => "IllegalGenerationError",
        ErrorCode::RequestTimedOut => "KafkaTimeoutError",
        ErrorCode::UnknownMemberId => "UnknownMemberIdError",
        ErrorCode::InconsistentGroupProtocol => "InconsistentGroupProtocolError",
        ErrorCode::RebalanceInProgress => "RebalanceInProgressError",
        ErrorCode::MemberIdRequired => "MemberIdRequiredError",
        ErrorCode::GroupMaxSizeReached => "GroupMaxSizeReachedError",
        ErrorCode::FencedInstanceId => "FencedInstanceIdError",
        ErrorCode::FencedMemberEpoch => "FencedMemberEpochError",
        ErrorCode::UnreleasedInstanceId => "UnreleasedInstanceIdError",
        ErrorCode::StaleMemberEpoch => "StaleMemberEpochError",
        ErrorCode::PartitionNotAssigned => "IllegalStateError",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callback_gets_another_exception_than_a_call_that_waits() {
        let both =
            |error| [CommitCall::Sync, CommitCall::Async].map(|call| commit_exception(Library::Java, call, error));
        assert_eq!(both(ErrorCode::StaleMemberEpoch), ["CommitFailedException", "StaleMemberEpochException"]);
        assert_eq!(both(ErrorCode::RequestTimedOut), ["TimeoutException", "RetriableCommitFailedException"]);
        assert_eq!(both(ErrorCode::UnknownMemberId), ["CommitFailedException"; 2]);
        assert_eq!(both(ErrorCode::IllegalGeneration), ["CommitFailedException"; 2]);
        assert_eq!(both(ErrorCode::RebalanceInProgress), ["RebalanceInProgressException"; 2]);
        assert_eq!(both(ErrorCode::FencedInstanceId), ["FencedInstanceIdException"; 2]);
    }

    #[test]
    fn each_client_has_its_own_names_for_errors() {
        let aiokafka = Library::AioKafka { rebalance_timeout: crate::sim::Span::from_secs(10) };
        let of = |library, error| (commit_exception(library, CommitCall::Sync, error), exception(library, error));
        let [fenced, rebalance] = [ErrorCode::FencedInstanceId, ErrorCode::RebalanceInProgress];
        assert_eq!(of(Library::KafkaPython, fenced), ("FencedInstanceIdError", "FencedInstanceIdError"));
        assert_eq!(of(aiokafka, fenced), ("UnknownError", "KafkaError"));
        assert_eq!(of(Library::KafkaPython, rebalance), ("CommitFailedError", "RebalanceInProgressError"));
        assert_eq!(of(aiokafka, rebalance), ("CommitFailedError", "RebalanceInProgressError"));
        let librdkafka = Library::LIBRDKAFKA;
        assert_eq!(of(librdkafka, rebalance), ("REBALANCE_IN_PROGRESS", "REBALANCE_IN_PROGRESS"));
    }
}
