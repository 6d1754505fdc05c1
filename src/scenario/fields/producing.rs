//! Who writes what.

use super::Table;
use super::prelude::*;

tables! {
    PRODUCING "Producers" "プロデューサー",
        "A producer writes either a list of records, each with its moment, or a workload."
        "プロデューサーは、時刻を指定したレコードの一覧か、workload のどちらかを書き込みます。";

    table PRODUCER "producer",
        "A producer."
        "プロデューサーです。",
        required {
            "name" = "client.id": Name,
                "Its name, different from all other producers."
                "名前。ほかのプロデューサーと重複しない名前にします。";
            "topic": Ref(Kind::Topic),
                "The topic that it writes to."
                "書き込み先のトピック。";
        }
        optional {
            "client": Object(&PRODUCER_CLIENT),
                default Default::Words(Text { en: "the Java client of the cluster's version", ja: "クラスターと同じバージョンの Java クライアント" }),
                "Its client library."
                "使うクライアントライブラリ。";
            "settings": ByFamily(&[
                    ("java", &PRODUCER_SETTINGS),
                    ("librdkafka", &LIBRDKAFKA_PRODUCER_SETTINGS),
                    ("kafkajs", &KAFKAJS_PRODUCER_SETTINGS),
                    ("kafka-python", &KAFKA_PYTHON_PRODUCER_SETTINGS),
                    ("aiokafka", &AIOKAFKA_PRODUCER_SETTINGS)
                ]),
                default Default::Json("{}"),
                "Its settings, with the names and defaults of its client library."
                "プロデューサーの設定。名前とデフォルト値は、クライアントライブラリのものです。";
            "topic_settings": Object(&LIBRDKAFKA_TOPIC_SETTINGS),
                "librdkafka only: the topic is created with a configuration of its own, which takes nothing over from `settings`. What is set there for topics, `partitioner`, then has no effect."
                "librdkafka 専用。トピックに独自の設定を渡す場合に書きます。`settings` からは何も引き継がれず、`settings` に書いたトピックの設定（`partitioner`）は効かなくなります。";
            "defect": Words(&[
                    word("murmur2-keeps-top-bit", "a port of murmur2 that forgets to drop the sign bit, so that about half of the keys go elsewhere", "murmur2 の移植で符号ビットを除き忘れ、およそ半数のキーの行き先が変わる"),
                    word("sticky-leaves-in-mid-batch", "Java's built-in partitioner as KIP-794 first had it: after `batch.size` bytes it leaves at once, and the rest of a batch stays behind (KAFKA-14156, never released)", "KIP-794 の当初の案。`batch.size` バイトに達するとすぐに行き先を変え、途中のバッチが取り残される（KAFKA-14156、リリースには含まれない）")
                ]),
                "A known defect of some client libraries, which takes the place of the partitioner. This is logstep's own."
                "一部のクライアントライブラリで知られている不具合。パーティショナーの代わりになります。logstep 独自の項目です。";
            "records": List(&Object(&RECORD), 0, bounds::RECORDS),
                "What it writes. The list may be in any order; records of one moment keep the order of the file."
                "書き込むレコード。順番は問いません。同じ時刻のレコードは、ファイルに書いた順に送られます。";
            "workload": Object(&WORKLOAD),
                "What it writes, as a rate."
                "書き込む量とペース。";
        }
        rules { Rule::OneOf(&[&["records"], &["workload"]]) }

    table RECORD "record",
        "A record and the moment at which the application sends it."
        "レコードと、アプリケーションがそれを送る時刻です。",
        required {
            "at": Moment,
                "When the application calls `send()`."
                "アプリケーションが `send()` を呼ぶ時刻。";
            "value": Str,
                "The value."
                "値。";
        }
        optional {
            "key": Either(&[Str, Null]), default Default::Json("null"),
                "The key. Its UTF-8 bytes decide the partition, by the hash of the client. `null` is no key; `\"\"` is an empty key, which is not the same."
                "キー。UTF-8 のバイト列から、クライアントのハッシュでパーティションが決まります。`null` はキーなしです。空のキー `\"\"` とは異なります。";
            "partition": Whole(0, bounds::PARTITIONS_PER_TOPIC as u64 - 1),
                "The number of the partition, if the application sets it. Then no partitioner is asked."
                "アプリケーションがパーティションを指定する場合の、パーティションの番号。パーティショナーは使われません。";
            "value_bytes": Whole(0, bounds::VALUE_BYTES as u64),
                default Default::Words(Text { en: "the length of `value` in UTF-8", ja: "`value` の UTF-8 での長さ" }),
                "The size of the value in bytes, which counts for `batch.size`."
                "値のサイズ（バイト）。`batch.size` などの計算に使われます。";
        }

    table WORKLOAD "workload",
        "Records at a steady rate or in bursts, each with a key drawn at random."
        "一定のペースで、またはまとめて送るレコードです。キーは 1 件ごとに乱数で選ばれます。",
        required {
            "keys": Whole(0, bounds::KEYS as u64),
                "How many different keys there are."
                "キーの種類数。";
        }
        optional {
            "per_second": Whole(1, MOST_PER_SECOND as u64),
                "How many records in a second."
                "1 秒あたりのレコード数。";
            "bursts": Object(&BURSTS),
                "Many records at once, again and again."
                "一定の間隔で、複数のレコードをまとめて送ります。";
            "records": Whole(1, bounds::RECORDS as u64),
                "How many records in all. The last one may not be later than `ends_at`."
                "全部で何件か。最後のレコードの時刻は、`ends_at` を超えられません。";
            "until": Moment,
                "No record is sent after this moment."
                "この時刻より後には送りません。";
            "null_keys": Whole(0, MOST_NULL_WEIGHT as u64), default Default::Json("0"),
                "The weight of having no key, beside the `weights` of the keys."
                "キーなしになる割合。各キーの `weights` と並べて考えます。";
            "value_bytes": Either(&[Whole(0, bounds::VALUE_BYTES as u64), Object(&SIZES)]),
                default Default::Words(Text { en: "the length of `value` in UTF-8", ja: "`value` の UTF-8 での長さ" }),
                "The size of each value in bytes, or the smallest and the largest; each size between is equally likely."
                "値のサイズ（バイト）。最小と最大を指定すると、その間のどのサイズも同じ確率で選ばれます。";
            "from": Moment, default Default::Json("\"0s\""),
                "When the first record is sent."
                "最初のレコードを送る時刻。";
            "key_prefix": Str, default Default::Json("\"key-\""),
                "The keys are this text followed by 1, 2, 3, ... Workloads with the same prefix share their keys."
                "キーは、この文字列に 1、2、3、… を付けたものです。接頭辞が同じ workload は、同じキーを使います。";
            "weights": List(&Whole(1, MOST_WEIGHT as u64), 1, bounds::KEYS),
                default Default::Words(Text { en: "every key is equally likely", ja: "どのキーも同じ確率" }),
                "How often each key is drawn, in proportion: one number for each key. `[8, 1, 1]` gives the first key 80 % of the records."
                "各キーが選ばれる割合。キー 1 種類につき数値を 1 つ書きます。`[8, 1, 1]` なら、最初のキーがレコードの 80 % を占めます。";
            "value": Str, default Default::Json("\"event\""),
                "The value of every record."
                "全レコードに共通の値。";
        }
        rules { Rule::OneOf(&[&["per_second"], &["bursts"]]), Rule::OneOf(&[&["records"], &["until"]]) }

    table BURSTS "bursts",
        "Records that are sent together."
        "まとめて送るレコードです。",
        required {
            "records": Whole(1, bounds::RECORDS as u64),
                "How many records a burst has."
                "1 回に送る件数。";
            "every": Duration(Span::from_micros(1), LONGEST_PAUSE),
                "From one burst to the next."
                "次に送るまでの間隔。";
        }
        optional {}

    table SIZES "sizes",
        "Sizes within bounds."
        "範囲で表したサイズです。",
        required {
            "at_least": Whole(0, bounds::VALUE_BYTES as u64), "The smallest." "最小サイズ。";
            "at_most": Whole(0, bounds::VALUE_BYTES as u64), "The largest." "最大サイズ。";
        }
        optional {}
}
