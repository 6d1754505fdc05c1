//! The clients of producers, and what each of them can be told.

use super::Table;
use super::prelude::*;

tables! {
    PRODUCER_CLIENTS "Clients of producers" "プロデューサーのクライアント",
        "Client libraries pick partitions in different ways. Each has its own settings, with its own names and defaults."
        "パーティションの選び方は、クライアントライブラリによって異なります。設定の名前やデフォルト値も、ライブラリごとに異なります。";

    table PRODUCER_CLIENT "producer_client",
        "The client library of a producer. Defaults of its settings are those of its version. Java clients and brokers from 4.0 on need the other side to be 2.1 or later (KIP-896)."
        "プロデューサーが使うクライアントライブラリです。設定のデフォルト値は、このバージョンのものになります。Java クライアントとブローカーは、どちらか一方が 4.0 以降なら、もう一方は 2.1 以降でなければなりません（KIP-896）。",
        required {
            "family": Words(&[
                    word("java", "Apache Kafka's own Java client", "Apache Kafka の Java クライアント"),
                    word("librdkafka", "and all clients that are built on it", "librdkafka と、それを使うクライアント"),
                    word("kafkajs", "a client for Node.js", "Node.js のクライアント"),
                    word("kafka-python", "a client for Python", "Python のクライアント"),
                    word("aiokafka", "a client for Python with asyncio", "asyncio を使う Python のクライアント")
                ]),
                "Which library."
                "ライブラリの種類。";
            "version": Either(&[
                    Release,
                    Words(&[
                        word("2.16", "of librdkafka", "librdkafka のバージョン"),
                        word("1.16", "of kafkajs, whose newer one is 2.2", "kafkajs のバージョン（新しい方は 2.2）"),
                        word("0.9", "of kafka-python, whose newer ones are 2.0 and 3.0", "kafka-python のバージョン（新しい方は 2.0 と 3.0）"),
                        word("0.14", "of aiokafka", "aiokafka のバージョン")
                    ])
                ]),
                "Its version. Java has every release line of Kafka; of the others, there are `2.16` of librdkafka, `1.16` and `2.2` of kafkajs, `0.9`, `2.0` and `3.0` of kafka-python and `0.14` of aiokafka."
                "ライブラリのバージョン。Java では Kafka のすべてのバージョンが使えます。そのほかは、librdkafka の `2.16`、kafkajs の `1.16` と `2.2`、kafka-python の `0.9`・`2.0`・`3.0`、aiokafka の `0.14` です。";
        }
        optional {}

    table PRODUCER_SETTINGS "producer_settings",
        "Settings of a Java producer."
        "Java のプロデューサーの設定です。",
        required {}
        optional {
            kafka "linger.ms": Millis(0, MOST_INT), default Default::ByVersion(&[("2.0", "0"), ("4.0", "5")]),
                "How long a batch that is not full waits for more records (KIP-1030)."
                "満杯になっていないバッチが、後続のレコードを待つ時間（KIP-1030）。";
            kafka "batch.size": Whole(0, MOST_INT), default Default::Json("16384"),
                "The most bytes of a batch. The built-in partitioner also leaves a partition after so many bytes (KIP-794). A larger record makes a batch of its own."
                "バッチの最大サイズ（バイト）。組み込みのパーティショナーは、このバイト数ごとに行き先を変えます（KIP-794）。これより大きいレコードは、1 件で 1 つのバッチになります。";
            kafka "max.in.flight.requests.per.connection": Whole(1, MOST_INT), default Default::Json("5"),
                "How many requests to one broker may be unanswered."
                "1 台のブローカーに対し、応答を待たずに送れるリクエストの数。";
            kafka "max.request.size": Whole(0, MOST_INT), default Default::Json("1048576"),
                "The most bytes of a request. `send()` refuses a larger record."
                "リクエストの最大サイズ（バイト）。これより大きいレコードの `send()` は失敗します。";
            kafka "metadata.max.age.ms": Millis(0, MOST_INT), default Default::Json("300000"),
                "How old metadata may get. New partitions are not used before they are refreshed."
                "メタデータを更新する間隔。増えたパーティションは、更新されるまで使われません。";
            kafka "partitioner.class": Either(&[
                    Words(&[
                        word("DefaultPartitioner", "murmur2 for keys; without one, in turn up to 2.3 and sticky by batch since 2.4 (KIP-480). Up to 3.9", "キーは murmur2。キーなしは、2.3 までは順番に、2.4 以降はバッチごとに同じ行き先（KIP-480）。3.9 まで"),
                        word("UniformStickyPartitioner", "keys are ignored, sticky by batch. 2.4 to 3.9", "キーを使わず、バッチごとに同じ行き先。2.4 から 3.9 まで"),
                        word("RoundRobinPartitioner", "keys are ignored, one partition after the other. Since 2.4; up to 3.9.0 a record that opens a batch takes two turns (KAFKA-9965); `3.9` here is 3.9.1 or later", "キーを使わず、順番に選ぶ。2.4 以降。3.9.0 までは、新しいバッチを開くレコードが 2 つ進める（KAFKA-9965）。ここでの `3.9` は 3.9.1 以降のこと")
                    ]),
                    Null
                ]),
                default Default::ByVersion(&[("2.0", "\"DefaultPartitioner\""), ("3.3", "null")]),
                "The partitioner. `null` is the built-in one: murmur2 for keys; without one, it stays on a partition for `batch.size` bytes (KIP-794)."
                "パーティショナー。`null` は組み込みのものです。キーは murmur2 で決まり、キーなしは `batch.size` バイトごとに行き先を変えます（KIP-794）。";
            kafka "partitioner.ignore.keys": Bool, default Default::Json("false"),
                "Whether the built-in partitioner treats all records as if they had no key."
                "組み込みのパーティショナーが、すべてのレコードをキーなしとして扱うかどうか。";
            kafka "partitioner.adaptive.partitioning.enable": Bool, default Default::Json("true"),
                "Whether the built-in partitioner prefers partitions for which fewer batches wait."
                "組み込みのパーティショナーが、待っているバッチの少ないパーティションを優先するかどうか。";
        }

    table LIBRDKAFKA_PRODUCER_SETTINGS "librdkafka_producer_settings",
        "Settings of a producer with librdkafka."
        "librdkafka を使うプロデューサーの設定です。",
        required {}
        optional {
            kafka "partitioner": Words(LIBRDKAFKA_PARTITIONERS), default Default::Json("\"consistent_random\""),
                "The partitioner. It is a setting of topics: beside `topic_settings` it has no effect here."
                "パーティショナー。トピックの設定なので、`topic_settings` があるとここに書いても効きません。";
            kafka "sticky.partitioning.linger.ms": Millis(0, MOST_LIBRDKAFKA_LINGER), default Default::Json("10"),
                "How long records without a key stay on one partition, where the partitioner is one of `random`."
                "キーなしのレコードの行き先を変えない時間。名前に `random` が付くパーティショナーで使われます。";
            kafka "linger.ms": Millis(0, MOST_LIBRDKAFKA_LINGER), default Default::Json("5"),
                "How long a batch that is not full waits for more records."
                "満杯になっていないバッチが、後続のレコードを待つ時間。";
            kafka "batch.size": Whole(1, MOST_INT), default Default::Json("1000000"),
                "The most bytes of a batch."
                "バッチの最大サイズ（バイト）。";
            kafka "batch.num.messages": Whole(1, 1_000_000), default Default::Json("10000"),
                "The most records of a batch."
                "バッチの最大件数。";
            kafka "message.max.bytes": Whole(1_000, MOST_LIBRDKAFKA_MESSAGE), default Default::Json("1000000"),
                "The most bytes of a request."
                "リクエストの最大サイズ（バイト）。";
            kafka "max.in.flight.requests.per.connection": Whole(1, 1_000_000), default Default::Json("1000000"),
                "How many requests to one broker may be unanswered."
                "1 台のブローカーに対し、応答を待たずに送れるリクエストの数。";
            kafka "topic.metadata.refresh.interval.ms": Millis(1, MOST_LIBRDKAFKA_REFRESH), default Default::Json("300000"),
                "The time between two refreshes of metadata. New partitions are not used before."
                "メタデータを更新する間隔。増えたパーティションは、更新されるまで使われません。";
        }

    table LIBRDKAFKA_TOPIC_SETTINGS "librdkafka_topic_settings",
        "Settings that librdkafka is given for one topic."
        "librdkafka に、トピックの設定として渡すものです。",
        required {}
        optional {
            kafka "partitioner": Words(LIBRDKAFKA_PARTITIONERS), default Default::Json("\"consistent_random\""),
                "The partitioner."
                "パーティショナー。";
        }

    table KAFKAJS_PRODUCER_SETTINGS "kafkajs_producer_settings",
        "Settings of a producer with kafkajs. What one `send()` is given goes out at once."
        "kafkajs を使うプロデューサーの設定です。`send()` に渡したレコードは、すぐに送られます。",
        required {}
        optional {
            kafka "createPartitioner": Words(&[
                    word("DefaultPartitioner", "murmur2 as in Java in version 2, a hash of its own in version 1; without a key in turn", "バージョン 2 は Java と同じ murmur2、バージョン 1 は独自のハッシュ。キーなしは順番に選ぶ"),
                    word("JavaCompatiblePartitioner", "what version 2 has as default, in version 1", "バージョン 2 のデフォルトと同じもの。バージョン 1 にある"),
                    word("LegacyPartitioner", "what version 1 has as default, in version 2", "バージョン 1 のデフォルトと同じもの。バージョン 2 にある")
                ]),
                default Default::Json("\"DefaultPartitioner\""),
                "The partitioner."
                "パーティショナー。";
            kafka "maxInFlightRequests": Whole(1, MOST_INT),
                "How many requests to one broker may be unanswered; any number if nothing is said."
                "1 台のブローカーに対し、応答を待たずに送れるリクエストの数。省略すると制限はありません。";
            kafka "metadataMaxAge": Millis(1, MOST_INT), default Default::Json("300000"),
                "How old metadata may get. New partitions are not used before they are refreshed."
                "メタデータを更新する間隔。増えたパーティションは、更新されるまで使われません。";
        }

    table KAFKA_PYTHON_PRODUCER_SETTINGS "kafka_python_producer_settings",
        "Settings of a producer with kafka-python."
        "kafka-python を使うプロデューサーの設定です。",
        required {}
        optional {
            kafka "partitioner": Words(&[
                    word("DefaultPartitioner", "murmur2 as in Java; without a key at random", "Java と同じ murmur2。キーなしは乱数で選ぶ"),
                    word("HashedPartitioner", "Python's own hash, which changes each time the process starts. Only in 0.9", "Python のハッシュ。プロセスを起動するたびに変わる。0.9 だけにある")
                ]),
                default Default::Words(Text { en: "`\"HashedPartitioner\"` in 0.9, `\"DefaultPartitioner\"` since", ja: "0.9 は `\"HashedPartitioner\"`、それ以降は `\"DefaultPartitioner\"`" }),
                "The partitioner."
                "パーティショナー。";
            kafka "linger_ms": Millis(0, MOST_INT), default Default::Json("0"),
                "How long a batch that is not full waits for more records."
                "満杯になっていないバッチが、後続のレコードを待つ時間。";
            kafka "batch_size": Whole(0, MOST_INT), default Default::Json("16384"),
                "The most bytes of a batch."
                "バッチの最大サイズ（バイト）。";
            kafka "max_request_size": Whole(1, MOST_INT), default Default::Json("1048576"),
                "The most bytes of a request."
                "リクエストの最大サイズ（バイト）。";
            kafka "max_in_flight_requests_per_connection": Whole(1, MOST_INT), default Default::Json("5"),
                "How many requests to one broker may be unanswered."
                "1 台のブローカーに対し、応答を待たずに送れるリクエストの数。";
            kafka "metadata_max_age_ms": Millis(1, MOST_INT), default Default::Json("300000"),
                "How old metadata may get. New partitions are not used before they are refreshed."
                "メタデータを更新する間隔。増えたパーティションは、更新されるまで使われません。";
        }

    table AIOKAFKA_PRODUCER_SETTINGS "aiokafka_producer_settings",
        "Settings of a producer with aiokafka. One request to a broker is under way at a time."
        "aiokafka を使うプロデューサーの設定です。1 台のブローカーに同時に送るリクエストは 1 つです。",
        required {}
        optional {
            kafka "max_batch_size": Whole(0, MOST_INT), default Default::Json("16384"),
                "The most bytes of a batch."
                "バッチの最大サイズ（バイト）。";
            kafka "max_request_size": Whole(1, MOST_INT), default Default::Json("1048576"),
                "The most bytes of a request."
                "リクエストの最大サイズ（バイト）。";
            kafka "metadata_max_age_ms": Millis(1, MOST_INT), default Default::Json("300000"),
                "How old metadata may get. New partitions are not used before they are refreshed."
                "メタデータを更新する間隔。増えたパーティションは、更新されるまで使われません。";
        }
}

/// What librdkafka's `partitioner` can be.
const LIBRDKAFKA_PARTITIONERS: &[Word] = &[
    word("random", "at random", "乱数で選ぶ"),
    word("consistent", "crc32; no key counts as an empty one", "crc32。キーなしは空のキーとみなす"),
    word("consistent_random", "crc32; no key and empty keys at random", "crc32。キーなしと空のキーは乱数で選ぶ"),
    word("murmur2", "as in Java; no key counts as an empty one", "Java と同じ murmur2。キーなしは空のキーとみなす"),
    word("murmur2_random", "as in Java; no key at random", "Java と同じ murmur2。キーなしは乱数で選ぶ"),
    word("fnv1a", "FNV-1a; no key counts as an empty one", "FNV-1a。キーなしは空のキーとみなす"),
    word("fnv1a_random", "FNV-1a; no key at random", "FNV-1a。キーなしは乱数で選ぶ"),
];
