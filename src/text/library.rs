//! What other client libraries than Java's call things, and what they say of commits of their own.

use super::Lang;
use crate::sim::event::CommitCall;
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
