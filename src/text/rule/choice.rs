//! The rules by which clients pick partitions.

use crate::sim::partitioner::{Choice, KeyHash};
use crate::text::Lang;

/// The rule behind the choice of a partition.
pub(super) fn choice(lang: Lang, choice: Choice) -> &'static str {
    match choice {
        Choice::Hash(hash) => hashed(lang, hash),
        Choice::Explicit => lang.pick(
            "アプリケーションがパーティションを指定したときは、キーもパーティショナーも使われません。",
            "If the application names the partition, neither the key nor the partitioner is asked.",
        ),
        Choice::StickyByBytes { .. } => lang.pick(
            "キーのないレコードは、およそ batch.size バイトごとに行き先を変えます（KIP-794、Java 3.3 以降）。待ちの多いパーティションほど選ばれにくくなります。",
            "Records without a key change partitions about every batch.size bytes (KIP-794, Java since 3.3). A partition with a long queue is chosen less often.",
        ),
        Choice::StickyByBatch { .. } => lang.pick(
            "キーのないレコードは、新しいバッチができるまで同じ行き先です（KIP-480、Java 2.4〜3.2）。遅いブローカーのバッチは大きくなり、レコードが偏ります。",
            "Records without a key stay until a new batch is needed (KIP-480, Java 2.4 to 3.2). A slow broker gets larger batches, so it gets more records.",
        ),
        Choice::StickyByTime { .. } => lang.pick(
            "librdkafka では、キーのないレコードの行き先は sticky.partitioning.linger.ms の間変わりません。その後、乱数で選び直します。",
            "librdkafka sends records without a key to one partition for sticky.partitioning.linger.ms, then draws another.",
        ),
        Choice::InTurn(_) => lang.pick(
            "行き先は 1 件ごとに次のパーティションへ移ります。開始位置はクライアントによって異なります。",
            "Each record goes to the next partition. Where the first one goes depends on the client.",
        ),
        Choice::Random => lang.pick(
            "行き先は 1 件ごとに乱数で決まります。同じキーでも、順序は保証されません。",
            "Each record goes to a partition drawn at random, so nothing keeps its order.",
        ),
    }
}

fn hashed(lang: Lang, hash: KeyHash) -> &'static str {
    match hash {
        KeyHash::Murmur2 => lang.pick(
            "パーティションは、murmur2(key) から符号ビットを除き、パーティション数で割った余りです。その数が変わらない限り、同じキーは同じパーティションに入ります。",
            "The partition is murmur2(key) without its sign bit, modulo the number of partitions. As long as that number stays the same, so does the partition of a key.",
        ),
        KeyHash::UnmaskedMurmur2 => lang.pick(
            "Java は murmur2 の符号ビットを除いてから割ります。この実装は除かないため、およそ半数のキーで行き先が Java と異なります。",
            "Java drops the sign bit of murmur2 before it divides. This port does not, so about half of all keys go elsewhere.",
        ),
        KeyHash::Crc32 => lang.pick(
            "librdkafka のデフォルトは crc32(key) です。Java は murmur2 なので、同じキーでも行き先が異なります。合わせるには partitioner=murmur2_random とします。",
            "librdkafka hashes keys with crc32 by default, Java with murmur2: the same key goes elsewhere. partitioner=murmur2_random agrees with Java.",
        ),
        KeyHash::Fnv1a => lang.pick(
            "librdkafka の fnv1a は、Sarama と行き先をそろえるためのハッシュです。Java とは異なります。",
            "fnv1a makes librdkafka agree with Sarama's hash partitioner, not with Java.",
        ),
        KeyHash::KafkaJsLegacy => lang.pick(
            "kafkajs 1 の murmur2 は JavaScript の数値で計算するため、Java とは値が異なります。kafkajs 2 では DefaultPartitioner が Java と一致します。",
            "The murmur2 of kafkajs 1 is rounded by JavaScript's numbers and differs from Java's. DefaultPartitioner of kafkajs 2 agrees with Java.",
        ),
        KeyHash::Salted(_) => lang.pick(
            "プログラミング言語のハッシュは、プロセスを起動するたびに変わります。起動し直すと、同じキーが別のパーティションに入ることがあります。",
            "The language's own hash is salted when its process starts. After a restart the same key may go elsewhere.",
        ),
    }
}
