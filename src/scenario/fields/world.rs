//! The file itself, and the cluster with its topics.

use super::Table;
use super::prelude::*;

tables! {
    WORLD "The file and the cluster" "ファイルとクラスター",
        "The file is one object. It describes a cluster, who writes and who reads, what happens, what is said about it, and what should come out."
        "ファイル全体が 1 つのオブジェクトです。クラスター、書き込む側と読む側、起きること、それについての解説、最後に期待する結果を記述します。";

    table SCENARIO "scenario",
        "The whole file."
        "ファイル全体です。",
        required {
            "format": Exactly(FORMAT),
                "The format and its version."
                "フォーマットの名前とバージョン。";
            "title": Object(&TEXT),
                "The title, as it stands above the picture."
                "図の上に表示するタイトル。";
            "ends_at": Duration(Span::from_millis(1), bounds::DURATION),
                "When the run ends. Nothing in the file may be later."
                "実行を終える時刻。ファイル内の時刻は、これより後にはできません。";
            "cluster": Object(&CLUSTER),
                "The Kafka version, the network and the settings of the broker."
                "Kafka のバージョン、ネットワーク、ブローカーの設定。";
            "topics": List(&Object(&TOPIC), 1, bounds::TOPICS),
                "The topics. All together may have at most 1000 partitions."
                "トピック。パーティションは、全トピック合計で 1000 個までです。";
            "producers": List(&Object(&PRODUCER), 0, bounds::PRODUCERS),
                "The producers. All together may write at most 100000 records."
                "プロデューサー。レコードは、全プロデューサー合計で 100000 件までです。";
            "groups": List(&Object(&GROUP), 0, bounds::GROUPS),
                "The consumer groups. All together may have at most 256 members."
                "コンシューマーグループ。メンバーは、全グループ合計で 256 台までです。";
        }
        optional {
            "about": Object(&TEXT),
                "What the file is about, in one or two sentences."
                "何を扱うファイルかの説明。1～2 文程度。";
            "seed": Whole(0, MOST_SEED), default Default::Json("1"),
                "Seeds every random choice: the keys of a workload, and the phases of the clients' timers. The same file with the same seed gives the same run, step by step."
                "乱数のシード。workload のキーや、クライアントのタイマーの位相がこれで決まります。同じファイルと同じシードからは、必ず同じ実行結果が得られます。";
            "sinks": List(&Object(&SINK), 0, bounds::SINKS), default Default::Json("[]"),
                "The tables that consumers write to."
                "コンシューマーが書き込むテーブル。";
            "opens_at": Object(&OPENS_AT), default Default::Words(Text { en: "the start", ja: "実行の先頭" }),
                "Where the page opens the run."
                "ページを開いたときに表示する位置。";
            "actions": List(&Object(&ACTION), 0, bounds::ACTIONS), default Default::Json("[]"),
                "What happens by script: crashes, orderly stops, restarts."
                "スクリプトで起こす出来事。クラッシュ、正常終了、起動。";
            "story": List(&Object(&BEAT), 0, MOST_BEATS), default Default::Json("[]"),
                "What is said when something happens, and what is asked before it does."
                "何かが起きたときに表示する解説と、起きる前に出す問題。";
            "expect": Object(&EXPECT), default Default::Json("{}"),
                "What the run should come to. With it, the file is a test."
                "期待する実行結果。これを書けば、ファイルがそのままテストになります。";
        }

    table TEXT "text",
        "A text in both languages. A plain string stands for both."
        "日英両方で書いた文章です。文字列を 1 つだけ書くと、どちらの言語でも同じ文章になります。",
        or Str,
        required {
            "ja": Str, "Japanese." "日本語。";
            "en": Str, "English." "英語。";
        }
        optional {}

    table CLUSTER "cluster",
        "The cluster: its brokers, which lead partitions and coordinate groups. Partition `n` of a topic is led by broker `n` modulo the number of brokers."
        "クラスターです。ブローカーはパーティションのリーダーになり、グループのコーディネーターも兼ねます。パーティション `n` のリーダーは、`n` をブローカーの台数で割った余りの番号のブローカーです。",
        required {
            "kafka": Release,
                "The broker's version. Defaults that depend on the version follow it."
                "ブローカーのバージョン。バージョンによって異なるデフォルト値は、これに従います。";
        }
        optional {
            "brokers": Either(&[Whole(1, bounds::BROKERS as u64), List(&Object(&BROKER), 1, bounds::BROKERS)]),
                default Default::Json("1"),
                "How many brokers there are, or the brokers one by one. They are numbered from 0."
                "ブローカーの台数。1 台ずつ並べて書くこともできます。番号は 0 からです。";
            "network": Object(&NETWORK), default Default::Json("{ \"latency\": \"2ms\" }"),
                "The network between clients and broker."
                "クライアントとブローカーの間のネットワーク。";
            "settings": Object(&BROKER_SETTINGS), default Default::Json("{}"),
                "Settings of the broker."
                "ブローカーの設定。";
        }

    table BROKER "broker",
        "A broker."
        "ブローカーです。",
        required {}
        optional {
            "latency": Duration(Span::from_micros(1), MOST_LATENCY),
                default Default::Words(Text { en: "that of `network`", ja: "`network` の `latency`" }),
                "How long a message travels from a client to this broker, or back. This is logstep's own."
                "クライアントとこのブローカーの間で、メッセージが片道でかかる時間。logstep 独自の項目です。";
        }

    table NETWORK "network",
        "The network. This is logstep's own; Kafka has no such setting."
        "ネットワークです。logstep 独自の項目で、Kafka にこの設定はありません。",
        required {
            "latency": Duration(Span::from_micros(1), MOST_LATENCY),
                "How long a message travels from a client to the broker, or back."
                "クライアントとブローカーの間で、メッセージが片道でかかる時間。";
        }
        optional {}

    table BROKER_SETTINGS "broker_settings",
        "Settings of the broker that concern consumer groups."
        "ブローカーの設定のうち、コンシューマーグループに関わるものです。",
        required {}
        optional {
            kafka "group.initial.rebalance.delay.ms": Millis(0, MOST_INT), default Default::Json("3000"),
                "How long the first rebalance of an empty group waits for more members. The `server.properties` that ships with Kafka sets 0."
                "空のグループの最初のリバランスが、ほかのメンバーの参加を待つ時間。Kafka に同梱されている `server.properties` では 0 に設定されています。";
            kafka "group.max.size": Whole(1, MOST_INT), default Default::Json("2147483647"),
                "How many members a group of the classic protocol may have. One more is refused, and its application ends. For the consumer protocol Kafka has `group.consumer.max.size`, which is not modelled."
                "classic プロトコルのグループのメンバー数の上限。consumer プロトコルでは代わりに `group.consumer.max.size` が使われますが、これはまだ再現できません。これを超える参加は拒否され、そのアプリケーションは終了します。";
            kafka "group.min.session.timeout.ms": Millis(1, MOST_INT), default Default::Json("6000"),
                "The shortest `session.timeout.ms` with which a member may join."
                "メンバーの `session.timeout.ms` として認める最小値。";
            kafka "group.max.session.timeout.ms": Millis(1, MOST_INT),
                default Default::ByVersion(&[("2.0", "300000"), ("2.3", "1800000")]),
                "The longest `session.timeout.ms` with which a member may join."
                "メンバーの `session.timeout.ms` として認める最大値。";
            kafka "group.consumer.assignors": OneOrList(&Words(super::consuming::SERVER_ASSIGNORS), 2),
                default Default::Json("[\"uniform\", \"range\"]"),
                "The assignors for groups with `group.protocol=consumer`. The first is used where members ask for none."
                "`group.protocol=consumer` のグループで使える割り当て方。メンバーの指定がなければ先頭が使われます。";
            kafka "group.consumer.heartbeat.interval.ms": Millis(1, MOST_INT), default Default::Json("5000"),
                "The time between two heartbeats of a member with `group.protocol=consumer`."
                "`group.protocol=consumer` のメンバーのハートビートの間隔。";
            kafka "group.consumer.min.heartbeat.interval.ms": Millis(1, MOST_INT), default Default::Json("5000"),
                "The least that it may be."
                "`group.consumer.heartbeat.interval.ms` の下限。";
            kafka "group.consumer.max.heartbeat.interval.ms": Millis(1, MOST_INT), default Default::Json("15000"),
                "The most that it may be."
                "`group.consumer.heartbeat.interval.ms` の上限。";
            kafka "group.consumer.session.timeout.ms": Millis(1, MOST_INT), default Default::Json("45000"),
                "How long a member with `group.protocol=consumer` may send no heartbeat before the coordinator removes it."
                "`group.protocol=consumer` のメンバーからハートビートが途絶えて、コーディネーターが外すまでの時間。";
            kafka "group.consumer.min.session.timeout.ms": Millis(1, MOST_INT), default Default::Json("45000"),
                "The least that it may be. For a shorter session, lower this too."
                "`group.consumer.session.timeout.ms` の下限。これより短くしたいときは、この値も下げます。";
            kafka "group.consumer.max.session.timeout.ms": Millis(1, MOST_INT), default Default::Json("60000"),
                "The most that it may be."
                "`group.consumer.session.timeout.ms` の上限。";
            kafka "group.consumer.assignment.interval.ms": Millis(0, MOST_ASSIGNMENT_INTERVAL),
                default Default::ByVersion(&[("2.0", "0"), ("4.3", "1000")]),
                "The least time between two target assignments of a group with `group.protocol=consumer` (KIP-1263). Brokers without it do not wait."
                "`group.protocol=consumer` のグループで、ターゲット割り当てを決め直す間隔の下限（KIP-1263）。この設定がないバージョンのブローカーは待ちません。";
            kafka "offsets.retention.minutes": Whole(1, MOST_INT), default Default::Json("10080"),
                "How long committed offsets are kept once the group has no members; up to Kafka 2.0, since each commit (KIP-211). In a group of the consumer protocol since each commit, once no member subscribes to the topic. Afterwards `auto.offset.reset` decides where to begin."
                "グループにメンバーがいなくなってから、コミット済みオフセットを残しておく時間（Kafka 2.0 までは、コミットのたびに数え始めます。KIP-211）。コンシューマープロトコルのグループでは、トピックを購読するメンバーがいなくなると、最後のコミットからの時間で判断します。その後は `auto.offset.reset` が開始位置を決めます。";
            kafka "offsets.retention.check.interval.ms": Millis(1, MOST_INT), default Default::Json("600000"),
                "How often the coordinator looks for committed offsets that have expired."
                "期限切れのコミット済みオフセットを、コーディネーターが探す間隔。";
        }

    table TOPIC "topic",
        "A topic. Its partitions are called by its name and a number: `orders-0`, `orders-1`, ..."
        "トピックです。パーティションは、`orders-0`、`orders-1` のように、トピック名と番号で表します。",
        required {
            "name": Name, "Its name, different from all other topics." "トピック名。ほかのトピックと重複しない名前にします。";
            "partitions": Whole(1, bounds::PARTITIONS_PER_TOPIC as u64),
                "How many partitions it has."
                "パーティションの数。";
        }
        optional {}

    table CLIENT "client",
        "The client library of a group's members. Defaults of its settings are those of its version. Java clients and brokers from 4.0 on need the other side to be 2.1 or later (KIP-896)."
        "グループのメンバーが使うクライアントライブラリです。設定のデフォルト値は、このバージョンのものになります。Java クライアントとブローカーは、どちらか一方が 4.0 以降なら、もう一方は 2.1 以降でなければなりません（KIP-896）。",
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
                        word("0.14", "of aiokafka", "aiokafka のバージョン")
                    ])
                ]),
                "Its version. Java has every release line of Kafka; of the others, there are `2.16` of librdkafka, `2.2` of kafkajs, `3.0` of kafka-python and `0.14` of aiokafka."
                "ライブラリのバージョン。Java では Kafka のすべてのバージョンが使えます。そのほかは、librdkafka の `2.16`、kafkajs の `2.2`、kafka-python の `3.0`、aiokafka の `0.14` です。";
        }
        optional {}

    table SINK "sink",
        "A table in a database that consumers write each record to. This is logstep's own, to show what processing a record twice does outside of Kafka."
        "コンシューマーがレコードを 1 件ずつ書き込む、データベースのテーブルです。logstep 独自の項目で、2 回の処理が Kafka の外に与える影響を示します。",
        required {
            "name": Name,
                "Its name, different from all other tables."
                "テーブル名。ほかのテーブルと重複しない名前にします。";
        }
        optional {
            "unique_key": Either(&[Name, Null]), default Default::Json("null"),
                "The column that may hold each event once. A second write of the same record then does nothing. With `null` there is no such constraint, and the row is there twice. With `upsert` it is the column of the record's key."
                "同じイベントを 1 行しか許さない列。同じレコードをもう一度書き込んでも、何も起きなくなります。`null` なら制約はなく、同じ行が 2 行できます。`upsert` では、レコードのキーを入れる列です。";
            "writes": Words(&[
                    word("insert", "`INSERT` of a row that names its event, with `ON CONFLICT DO NOTHING` if there is a unique key", "`INSERT`。行にはイベントの ID が入る。ユニークキーがあれば `ON CONFLICT DO NOTHING`"),
                    word("insert_without_id", "`INSERT` of a row that does not: nobody can tell a repetition from another event, and there can be no unique key", "イベントの ID のない行の `INSERT`。重複と別のイベントを見分けられず、ユニークキーも付けられない"),
                    word("upsert", "`INSERT ... ON CONFLICT DO UPDATE` by the key of the record: one row for each key, in which each write replaces the value; reading again puts old values over newer ones", "レコードのキーによる `INSERT ... ON CONFLICT DO UPDATE`。キーごとに 1 行で、書き込むたびに値が置き換わる。読み直すと、新しい値が古い値で上書きされる")
                ]),
                default Default::Json("\"insert\""),
                "How a record is written to it. To take the table's database down for a while, see the action `set`."
                "レコードの書き込み方。データベースを一時的に停止させるには、アクション `set` を使います。";
        }

    table OPENS_AT "opens_at",
        "Where the page opens."
        "ページを開いたときの表示位置です。",
        required {
            "first": Object(&CONDITION),
                "The first step that meets this condition."
                "この条件を満たす最初のステップ。";
        }
        optional {}
}
