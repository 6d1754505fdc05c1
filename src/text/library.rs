//! What other client libraries than Java's call things, and what they say of commits of their own.

use super::Lang;
use crate::sim::event::{AfterFailure, CommitCall};
use crate::sim::setup::{CommitsIn, Library};
use crate::sim::{Event, Simulation};

/// The names of calls in Java, and in librdkafka.
const LIBRDKAFKA: &[(&str, &str)] = &[
    ("commitSync()", "rd_kafka_commit()"),
    ("commitAsync()", "rd_kafka_commit(async)"),
    ("onPartitionsRevoked()", "rebalance_cb"),
    ("onPartitionsAssigned()", "rebalance_cb"),
    ("onPartitionsLost()", "rebalance_cb"),
    ("onPartitionsAssigned", "rebalance_cb"),
    ("onPartitionsRevoked", "rebalance_cb"),
    ("poll()", "rd_kafka_consumer_poll()"),
    ("close()", "rd_kafka_consumer_close()"),
    ("seek()", "rd_kafka_seek_partitions()"),
    ("pause()", "rd_kafka_pause_partitions()"),
    ("resume()", "rd_kafka_resume_partitions()"),
    ("assign()", "rd_kafka_assign()"),
];

/// The same in kafkajs.
const KAFKAJS: &[(&str, &str)] = &[
    ("auto.offset.reset=earliest", "fromBeginning=true"),
    ("auto.offset.reset=latest", "fromBeginning=false"),
    ("commitSync()", "commitOffsets()"),
    ("commitAsync()", "commitOffsets()"),
    ("poll()", "run()"),
    ("close()", "disconnect()"),
];

/// The same in kafka-python.
const KAFKA_PYTHON: &[(&str, &str)] = &[
    ("commitSync()", "commit()"),
    ("commitAsync()", "commit_async()"),
    ("onPartitionsRevoked()", "on_partitions_revoked()"),
    ("onPartitionsAssigned()", "on_partitions_assigned()"),
    ("onPartitionsLost()", "on_partitions_lost()"),
    ("CommitFailedException", "CommitFailedError"),
];

/// What aiokafka has in another way than kafka-python.
const AIOKAFKA: &[(&str, &str)] = &[
    ("commitAsync()", "commit()"),
    ("onPartitionsLost()", "on_partitions_revoked()"),
    ("poll()", "getmany()"),
    ("close()", "stop()"),
];

fn own_names(library: Library) -> impl Iterator<Item = (&'static str, &'static str)> {
    let (first, second): (&[_], &[_]) = match library {
        Library::Java => (&[], &[]),
        Library::Librdkafka { .. } => (LIBRDKAFKA, &[]),
        Library::KafkaJs { .. } => (KAFKAJS, &[]),
        Library::KafkaPython => (KAFKA_PYTHON, &[]),
        Library::AioKafka { .. } => (AIOKAFKA, KAFKA_PYTHON),
    };
    first.iter().chain(second).chain(library.setting_names()).copied()
}

/// A text about an event of a consumer, written with Java's names: now with those of the consumer's library.
pub(super) fn in_its_words(run: &Simulation, event: &Event, text: String) -> String {
    match event.consumer().map(|consumer| run.consumer(consumer).config().settings.library) {
        None | Some(Library::Java) => text,
        Some(library) => renamed(library, text),
    }
}

#[inline(never)]
fn renamed(library: Library, text: String) -> String {
    own_names(library).fold(text, |text, (java, own)| text.replace(java, own))
}

/// Whether it joins its group again at once when it is told to; otherwise its next `poll()` does that.
pub(super) const fn joins_at_once(library: Library) -> bool {
    matches!(library, Library::KafkaJs { .. } | Library::AioKafka { .. })
}

/// What a client does that learns of a rebalance from a heartbeat, where that is not left to the next `poll()`.
#[inline(never)]
pub(super) fn told_of_rebalance(lang: Lang, library: Library, name: &str) -> Option<String> {
    Some(match library {
        Library::KafkaJs { .. } => both!(
            lang,
            "{name} がハートビートの応答でリバランスを知りました。バッチの処理を打ち切り、すぐに参加し直します。",
            "The answer to its heartbeat tells {name} that the group rebalances. It breaks off its batch and joins again at once."
        ),
        Library::AioKafka { .. } => both!(
            lang,
            "{name} がハートビートの応答でリバランスを知りました。アプリケーションの処理とは関係なく、aiokafka のタスクがすぐに参加し直します。",
            "The answer to its heartbeat tells {name} that the group rebalances. A task of aiokafka joins again at once, whatever the application is doing."
        ),
        Library::Java | Library::Librdkafka { .. } | Library::KafkaPython => return None,
    })
}

/// What leaves the group where that is no heartbeat thread.
#[inline(never)]
pub(super) fn polled_too_late(lang: Lang, library: Library, (name, unpolled): (&str, &str)) -> Option<String> {
    Some(match library {
        Library::Librdkafka { .. } => both!(
            lang,
            "{name} が {unpolled}間 poll() を呼ばなかったため、librdkafka のメインスレッドが {name} をグループから離脱させました。アプリケーションは、次に poll() を呼ぶまで気づきません。",
            "{name} has not called poll() for {unpolled}: the main thread of librdkafka leaves the group. The application does not notice before its next poll()."
        ),
        Library::AioKafka { .. } => both!(
            lang,
            "{name} が {unpolled}間 poll() を呼ばなかったため、aiokafka のハートビートのタスクが {name} をグループから離脱させました。アプリケーションは気づかずに処理を続けます。",
            "{name} has not called poll() for {unpolled}: the heartbeat task of aiokafka leaves the group. The application does not notice and goes on."
        ),
        Library::Java | Library::KafkaJs { .. } | Library::KafkaPython => return None,
    })
}

/// The rule behind what a member does in a rebalance, where that is another one than Java's.
#[inline(never)]
pub(super) fn rule_of_rebalance(lang: Lang, library: Library, event: &Event) -> Option<String> {
    Some(match (library, event) {
        (Library::AioKafka { .. }, Event::RebalanceTimedOut { .. }) => both!(
            lang,
            "コーディネーターは全メンバーを、最長でそれぞれの rebalance_timeout_ms（指定がなければ session_timeout_ms と同じ）まで待ち、来なかったメンバーを外します。遅いメンバーが 1 台でもあると、グループ全体の処理が止まります。",
            "The coordinator waits for every member, at most its rebalance_timeout_ms, which is session_timeout_ms where it is not set, and removes those that did not come. One slow member stops the whole group."
        ),
        (Library::KafkaJs { .. }, Event::RebalanceStarted { .. }) => both!(
            lang,
            "メンバーはハートビートの応答でリバランスを知り、レコードの合間に参加し直します。コーディネーターは全員を待ちます。",
            "Members learn of a rebalance from the answer to a heartbeat and join again between two records. The coordinator waits for all of them."
        ),
        (Library::KafkaJs { .. }, Event::HandlingFailed { after: AfterFailure::SeeksBack, .. }) => both!(
            lang,
            "eachMessage から例外が出ると、kafkajs は処理済みの分までをコミットし、待ち時間を 2 倍にしながら再試行します（retry）。回数は、グループに参加し直すまで、別のレコードの失敗も合わせて数え続けます。",
            "When eachMessage throws, kafkajs commits what is handled and tries again, waiting twice as long each time (retry). It counts on, whichever record fails, until it joins its group anew."
        ),
        (Library::AioKafka { .. }, Event::RebalanceStarted { .. }) => both!(
            lang,
            "メンバーはハートビートの応答でリバランスを知り、アプリケーションとは別のタスクで参加し直します。コーディネーターは全員を待ちます。",
            "Members learn of a rebalance from the answer to a heartbeat, and a task beside the application joins again. The coordinator waits for all of them."
        ),
        (Library::AioKafka { .. }, Event::PartitionsRevoked { .. }) => both!(
            lang,
            "aiokafka は、ハンドラーの処理が終わるのを待たずに参加し直します。処理中のバッチは最後まで処理されますが、新しい割り当てはコミット済みオフセットから始まるため、その間に処理した分は重複します。",
            "aiokafka joins again without waiting for the handler. That finishes the batch that it has, while the new assignment begins at the committed offsets: what it processes meanwhile is processed twice."
        ),
        (Library::KafkaPython, Event::PartitionsRevoked { .. }) => both!(
            lang,
            "eager なリバランスの間は、どのメンバーも処理しません。ただし kafka-python は、そのあとも同じパーティションを持つときは手元のポジションから続けるので、未コミットの分も読み直しません。",
            "In an eager rebalance nobody processes anything. But where kafka-python keeps a partition afterwards it goes on at its own position and does not read again what is not committed."
        ),
        _ => return None,
    })
}

/// A commit that a library makes in another place than `poll()` and `close()`.
#[inline(never)]
pub(super) fn own_commit(
    lang: Lang,
    library: Library,
    (name, partitions): (&str, &str),
    call: CommitCall,
) -> Option<String> {
    let text = match (library, call) {
        (Library::Librdkafka { .. }, CommitCall::AutoInterval) => both!(
            lang,
            "librdkafka のスレッドが、{name} の処理とは関係なく、保存済みのオフセット（{partitions}）をコミットします。",
            "A thread of librdkafka commits the stored offsets of {name} ({partitions}), whatever the application is doing."
        ),
        (Library::Librdkafka { .. }, CommitCall::AutoRejoin) => both!(
            lang,
            "{name} がパーティションを手放す前に、librdkafka が保存済みのオフセット（{partitions}）をコミットし、応答を待ちます。",
            "Before the partitions of {name} go, librdkafka commits their stored offsets ({partitions}) and waits for the answer."
        ),
        (Library::Librdkafka { .. }, CommitCall::AutoClose) => both!(
            lang,
            "{name} の rd_kafka_consumer_close() が、保存済みのオフセット（{partitions}）をコミットし、応答を待ちます。",
            "rd_kafka_consumer_close() of {name} commits the stored offsets ({partitions}) and waits for the answer."
        ),
        (Library::AioKafka { .. }, CommitCall::AutoInterval) => both!(
            lang,
            "aiokafka のタスクが、{name} の処理とは関係なく、{partitions}のポジションをコミットします。",
            "A task of aiokafka commits the positions of {partitions} for {name}, whatever the application is doing."
        ),
        (Library::KafkaJs { .. }, CommitCall::AutoInterval) => both!(
            lang,
            "{name} の run() が、レコードの合間に、処理済みの{partitions}のオフセットをコミットし、応答を待ちます。",
            "Between two records, run() of {name} commits what has been handled of {partitions} and waits for the answer."
        ),
        (Library::KafkaJs { .. }, CommitCall::AutoRejoin) => both!(
            lang,
            "リバランスを知った {name} の run() が、参加し直す前に、処理済みの{partitions}のオフセットをコミットします。",
            "Told of a rebalance, run() of {name} commits what has been handled of {partitions} before it joins again."
        ),
        (Library::KafkaJs { .. }, CommitCall::AutoClose) => both!(
            lang,
            "{name} の run() が、終わる前に、処理済みの{partitions}のオフセットをコミットします。",
            "Before it ends, run() of {name} commits what has been handled of {partitions}."
        ),
        _ => return None,
    };
    Some(text)
}

/// The rule behind such a commit.
#[inline(never)]
pub(super) fn rule_of_own_commit(lang: Lang, library: Library, call: CommitCall) -> Option<String> {
    if call == CommitCall::AutoSeek {
        return Some(both!(
            lang,
            "kafkajs の seek() は、autoCommit が有効なら、移動先をコミットします。クラッシュしても、次の担当はそこから読みます。",
            "With autoCommit, seek() of kafkajs commits where it goes: after a crash the next owner begins there, too."
        ));
    }
    let is_own = matches!(call, CommitCall::AutoInterval | CommitCall::AutoRejoin | CommitCall::AutoClose);
    if !is_own || library.commits_in() == CommitsIn::Poll {
        return None;
    }
    Some(match library {
        Library::Librdkafka { auto_offset_store: true, .. } => both!(
            lang,
            "enable.auto.offset.store=true では、レコードを渡した時点で次のオフセットが保存されます。コミットするのは別のスレッドなので、処理中のレコードまでコミットされることがあり、そこでクラッシュすると失われます。",
            "With enable.auto.offset.store=true the offset behind a record is stored when the record is handed over. A thread of its own commits it, maybe while the record is still in work: a crash then loses the record."
        ),
        Library::Librdkafka { .. } if call != CommitCall::AutoInterval => both!(
            lang,
            "手放すパーティションについては、rd_kafka_offsets_store() で最後に保存されたオフセットがコミットされます。コミット済みのオフセットより小さくても、比べることはありません。",
            "Of partitions that go, the offset stored last by rd_kafka_offsets_store() is committed, even if it is smaller than the committed one: nobody compares them."
        ),
        Library::Librdkafka { .. } => both!(
            lang,
            "enable.auto.offset.store=false では、アプリケーションが処理を終えてから rd_kafka_offsets_store() で保存したオフセットだけがコミットされます。",
            "With enable.auto.offset.store=false only what the application has stored by rd_kafka_offsets_store(), after the handling, is committed."
        ),
        Library::AioKafka { .. } => both!(
            lang,
            "自動コミットをするのは別のタスクで、getmany() が返したバッチの末尾までをコミットします。まだ処理していない分も含まれるため、そこでクラッシュすると失われます。",
            "A task of its own commits up to the end of the batch that getmany() has returned, processed or not: a crash then loses the rest of the batch."
        ),
        _ => both!(
            lang,
            "kafkajs がコミットするのは、レコードの合間だけです。autoCommitInterval も autoCommitThreshold もなければ、取得したバッチを処理し終えたときだけになります。",
            "kafkajs commits between two records only. Without autoCommitInterval and autoCommitThreshold that is when a fetched batch is done."
        ),
    })
}
