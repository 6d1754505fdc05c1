//! What the actions need to know that are more than a name.

use super::Table;
use super::consumer_settings::{PYTHON_ASSIGNORS, PYTHON_OFFSET_RESET};
use super::consuming::ASSIGNORS;
use super::prelude::*;
use super::{COMMIT, RECORD_PLACE};

/// `auto.offset.reset` of Java's client and of librdkafka.
const OFFSET_RESET: Shape = Either(&[
    Words(&[
        word("earliest", "the start of the log", "ログの先頭"),
        word("smallest", "the same, librdkafka only", "同じ。librdkafka 専用"),
        word("beginning", "the same, librdkafka only", "同じ。librdkafka 専用"),
        word("latest", "the end of the log", "ログの末尾"),
        word("largest", "the same, librdkafka only", "同じ。librdkafka 専用"),
        word("end", "the same, librdkafka only", "同じ。librdkafka 専用"),
        word("none", "nowhere: `poll()` throws, Java only", "読み始めない。`poll()` が例外を投げる。Java 専用"),
    ]),
    IsoAfter(BY_DURATION),
]);

/// Kinds of message, by Kafka's names for requests and responses.
const MESSAGES: &[Word] = {
    const fn request(name: &'static str) -> Word {
        word(name, "the request", "リクエスト")
    }
    const fn response(name: &'static str) -> Word {
        word(name, "its response", "そのレスポンス")
    }
    &[
        request("Produce"),
        response("ProduceResponse"),
        request("Fetch"),
        response("FetchResponse"),
        request("ListOffsets"),
        response("ListOffsetsResponse"),
        request("OffsetCommit"),
        response("OffsetCommitResponse"),
        request("OffsetFetch"),
        response("OffsetFetchResponse"),
        request("JoinGroup"),
        response("JoinGroupResponse"),
        request("Heartbeat"),
        response("HeartbeatResponse"),
        request("LeaveGroup"),
        request("SyncGroup"),
        response("SyncGroupResponse"),
        request("ConsumerGroupHeartbeat"),
        response("ConsumerGroupHeartbeatResponse"),
    ]
};

tables! {
    ACTING "What an action is done to" "アクションの対象",
        "Most actions name one thing. These say more."
        "多くのアクションは対象の名前だけで書けます。ここにあるのは、それ以外の項目も必要なアクションです。";

    table MEMBER_PARTITION "member_partition",
        "A partition that a member reads."
        "メンバーが読んでいるパーティションです。",
        required {
            "member": Ref(Kind::Member), "The member." "メンバー。";
            "partition": Ref(Kind::Partition), "The partition; the member has to own it." "パーティション。メンバーが担当しているもの。";
        }
        optional {}

    table SEEK "seek",
        "`seek()`: the member's next `poll()` reads the partition from another offset on. The committed offset stays."
        "`seek()` を呼び、次の `poll()` から別のオフセットを読みます。コミット済みオフセットは変わりません。",
        required {
            "member": Ref(Kind::Member), "The member." "メンバー。";
            "partition": Ref(Kind::Partition), "The partition; the member has to own it." "パーティション。メンバーが担当しているもの。";
            "to": Whole(0, bounds::RECORDS as u64), "The new position." "新しいポジション。";
        }
        optional {}

    table SLOW_DOWN "slow_down",
        "A member's application takes another time for a record: from its next record on, and after a restart. It may be less, too."
        "メンバーのアプリケーションが 1 件の処理にかける時間を変えます。次のレコードから有効で、起動し直しても変わりません。短くすることもできます。",
        required {
            "member": Ref(Kind::Member), "The member." "メンバー。";
            "time": Duration(Span::ZERO, LONGEST_HANDLING), "How long one record takes from now on. Records with a time of their own (`key`, `partition`, `record`) keep it, unless this says which." "1 件の処理にかかる時間。対象を指定しなければ、`key`、`partition`、`record` ごとの時間が決まっているレコードは、その時間のままです。";
        }
        optional {
            "key": Str, "Only records with this key." "このキーのレコードだけに適用します。";
            "partition": Ref(Kind::Partition), "Only records of this partition." "このパーティションのレコードだけに適用します。";
            "record": Object(&RECORD_PLACE), "Only this record." "このレコードだけに適用します。";
        }
        rules { Rule::NotBoth("key", "partition"), Rule::NotBoth("key", "record"), Rule::NotBoth("partition", "record") }

    table RESET_OFFSETS "reset_offsets",
        "Sets what a group has committed, as `kafka-consumer-groups --reset-offsets --execute` does. While the group has members, Kafka refuses it and nothing happens."
        "`kafka-consumer-groups --reset-offsets --execute` と同じく、グループのコミット済みオフセットを書き換えます。メンバーがいる間は Kafka に拒否され、何も起きません。",
        required {
            "to": Either(&[
                Words(&[
                    word("earliest", "the start of the log", "ログの先頭"),
                    word("latest", "the end of the log", "ログの末尾")
                ]),
                Object(&RESET_TO)
            ]),
                "Where to."
                "書き換える先。";
        }
        optional {
            "group": Ref(Kind::Group),
                default Default::Words(Text { en: "the only group there is", ja: "グループが 1 つだけなら、そのグループ" }),
                "The group."
                "グループ。";
            "partition": Ref(Kind::Partition),
                default Default::Words(Text { en: "all partitions of the group's topics", ja: "グループが読むトピックの全パーティション" }),
                "Only this partition."
                "このパーティションだけを書き換えます。";
        }

    table RESET_TO "reset_to",
        "An offset, or a distance from what is committed. What lies beyond the log is taken as its nearest end."
        "オフセット、またはコミット済みオフセットからの差です。ログの範囲を外れる場合は、近いほうの端になります。",
        required {}
        optional {
            "offset": Whole(0, bounds::RECORDS as u64), "This offset." "このオフセット。";
            "shift_by": Signed(bounds::RECORDS as u64), "So many records forward; back if it is negative." "この件数だけ先へ進めます。負の数なら前へ戻します。";
        }
        rules { Rule::OneField }

    table ADD_PARTITIONS "add_partitions",
        "Gives a topic more partitions. Records stay where they are."
        "トピックのパーティションを増やします。既存のレコードは移動しません。",
        required {
            "topic": Ref(Kind::Topic), "The topic." "トピック。";
            "to": Whole(2, bounds::PARTITIONS_PER_TOPIC as u64), "How many it has afterwards." "増やした後のパーティション数。";
        }
        optional {}

    table PRODUCE "produce",
        "A producer's application sends one record more."
        "プロデューサーがレコードを 1 件追加で送信します。",
        required {
            "producer": Ref(Kind::Producer), "The producer." "プロデューサー。";
            "key": Either(&[Str, Null]), "The record's key. With `null`, the partitioner picks the partition as it does for records without a key." "レコードのキー。`null` なら、キーのないレコードとしてパーティショナーが送信先を選びます。";
            "value": Str, "The record's value." "レコードの値。";
        }
        optional {
            "partition": Ref(Kind::Partition),
                default Default::Words(Text { en: "the partitioner picks it", ja: "パーティショナーが選ぶ" }),
                "The record's partition, as if the application had named it; of the topic that the producer writes to."
                "送信先のパーティション。プロデューサーが送信するトピックのもので、アプリケーションが指定した場合と同じです。";
        }

    table DELAY "delay",
        "A message on its way arrives later, and what is sent behind it on the same connection does not overtake it. If there is no such message, the action waits for the next one."
        "送信中のメッセージの到着を遅らせます。同じ接続であとから送られたものも、それを追い越しません。該当するメッセージがなければ、次に送られるまで待ちます。",
        required {
            "message": Words(MESSAGES), "What it is." "メッセージの種類。";
            "of": RefClient, "The client that sends or gets it." "送信または受信するクライアント。";
            "by": Duration(Span::from_micros(1), bounds::DURATION), "By how much." "遅らせる時間。";
        }
        optional {
            "nth": Whole(1, 1_000), default Default::Json("1"), "Which of those on their way, in the order of sending." "送信中のもののうち何番目か（送信順）。";
        }

    table DROP "drop",
        "A message never arrives. A consumer notices after `request.timeout.ms` (30 s) and asks again: so it does with `ConsumerGroupHeartbeat`, which until then is its only one. A classic `Heartbeat` is just missing. If there is no such message on its way, the action waits for the next one."
        "メッセージが届かなくなります。コンシューマーは `request.timeout.ms`（30 秒）が過ぎると気づき、リクエストをやり直します。`ConsumerGroupHeartbeat` も同じで、それまでは次のハートビートを送りません。classic プロトコルの `Heartbeat` の場合は 1 回分が抜けるだけです。該当するメッセージがなければ、次に送られるまで待ちます。",
        required {
            "message": Words(MESSAGES), "What it is. A producer's retries are not modelled yet, so not `Produce` or its response." "メッセージの種類。プロデューサーのリトライはまだ再現できないため、`Produce` とそのレスポンスは使えません。";
            "of": Ref(Kind::Member), "The client that sends or gets it." "送信または受信するクライアント。";
        }
        optional {
            "nth": Whole(1, 1_000), default Default::Json("1"), "Which of those on their way, in the order of sending." "送信中のもののうち何番目か（送信順）。";
        }

    table SET "set",
        "Changes a setting. What is logstep's own changes at once: the network's latency, a workload's rate, when an application commits, a table's unique key and whether its database is down. A Kafka client reads its settings when it starts, so those of a member or a producer hold from its next start on; at `0s`, those of a producer that has sent nothing yet hold from the beginning. They have to go with its other settings, as the actions above in the file have left them. Those of a member have the names of its client library. Brokers read theirs when they start, too, and restarting a broker is not modelled: theirs can be set at `0s` only, and are refused later."
        "設定を変更します。ネットワークの遅延、ワークロードのレート、アプリケーションのコミット、テーブルのユニークキーと停止・復旧は logstep 独自のもので、すぐに変わります。Kafka のクライアントは起動時に設定を読むため、メンバーとプロデューサーの設定は次に起動したときから有効です（まだ何も送っていないプロデューサーの設定は、`0s` に変更すれば最初から有効です）。値は、ファイルのそれより前のアクションで変えた分も含め、ほかの設定と矛盾しないようにします。メンバーの設定は、そのクライアントライブラリの名前で書きます。ブローカーも起動時に設定を読みますが、ブローカーの再起動はまだ再現できません。そのため、変更できるのは `0s` だけで、それより後は拒否されます。",
        required {}
        optional {
            "latency": Duration(Span::from_micros(1), MOST_LATENCY), "The one-way delay between any client and a broker." "クライアントとブローカーの間の片道の遅延。";
            "broker": Whole(0, bounds::BROKERS as u64 - 1),
                default Default::Words(Text { en: "all brokers", ja: "すべてのブローカー" }),
                "The number of the broker whose latency changes." "遅延を変えるブローカーの番号。";
            "producer": Ref(Kind::Producer), "The producer whose rate or setting changes." "レートや設定を変えるプロデューサー。";
            "per_second": Whole(1, MOST_PER_SECOND as u64), "Records in a second." "1 秒あたりの件数。";
            kafka "linger.ms": Millis(0, MOST_INT), "How long a batch of the producer now waits for more records. Only for the Java client." "プロデューサーのバッチがほかのレコードを待つ、新しい時間。Java クライアントだけで使えます。";
            kafka "batch.size": Whole(0, MOST_INT), "The new most bytes of a batch of the producer. Only for the Java client." "プロデューサーのバッチの、新しい最大サイズ（バイト）。Java クライアントだけで使えます。";
            "member": Ref(Kind::Member), "The member whose setting or way to commit changes." "設定やコミットの方法を変えるメンバー。";
            "commit": Object(&COMMIT), "When its application commits from now on, in place of all that was said of that before: from its next record on, and after a restart." "これからアプリケーションがコミットするタイミング。それまでの指定はすべて置き換わります。次のレコードから有効で、起動し直しても変わりません。";
            kafka "session.timeout.ms": Millis(1, MOST_INT), "Its new session timeout." "新しいセッションタイムアウト。";
            kafka "heartbeat.interval.ms": Millis(1, MOST_INT), "Its new heartbeat interval." "新しいハートビート間隔。";
            kafka "max.poll.interval.ms": Millis(1, MOST_INT), "The new longest time between two polls." "新しい、poll() の間隔の上限。";
            kafka "max.poll.records": Whole(1, MOST_INT), "The new most records of one poll." "新しい、1 回の poll() で返る件数の上限。";
            kafka "auto.offset.reset": OFFSET_RESET, "Where to begin without a committed offset." "コミット済みオフセットがないときの開始位置。";
            kafka "auto.commit.interval.ms": Millis(0, MOST_INT), "The new shortest time between two commits of `poll()`, if `enable.auto.commit` is on." "新しい、`poll()` が自動でコミットする間隔（`enable.auto.commit` が `true` のとき）。";
            kafka "metadata.max.age.ms": Millis(1, MOST_INT), "How often it now asks which partitions there are." "新しい、パーティションの一覧を取り直す間隔。";
            kafka "enable.auto.commit": Bool, "Whether its client commits by itself." "クライアントが自動でコミットするかどうか。";
            kafka "partition.assignment.strategy": OneOrList(&Words(ASSIGNORS), 4), "Its new assignors, the first choice first. A group lets nobody in who has none in common with all of its members." "新しいパーティションの割り当て方。優先するものから順に書きます。ほかの全メンバーと共通のものが 1 つもなければ、グループへの参加は拒否されます。";
            kafka "topic.metadata.refresh.interval.ms": Millis(1, MOST_LIBRDKAFKA_REFRESH), "librdkafka: how often it now asks which partitions there are." "librdkafka 用。新しい、パーティションの一覧を取り直す間隔。";
            kafka "enable.auto.offset.store": Bool, "librdkafka: whether the offset behind a record is stored when the record is handed over." "librdkafka 用。レコードを渡した時点で、その次のオフセットを保存するかどうか。";
            "max_records": Whole(1, bounds::RECORDS as u64), "librdkafka: how many records one call hands over." "librdkafka 用。1 回の呼び出しで受け取るレコードの件数。";
            kafka "sessionTimeout": Millis(1, MOST_INT), "kafkajs: its new session timeout." "kafkajs 用。新しいセッションタイムアウト。";
            kafka "heartbeatInterval": Millis(1, MOST_INT), "kafkajs: its new heartbeat interval." "kafkajs 用。新しいハートビート間隔。";
            kafka "rebalanceTimeout": Millis(1, MOST_INT), "kafkajs: how long a rebalance now waits for it." "kafkajs 用。新しい、リバランスで待つ時間の上限。";
            kafka "metadataMaxAge": Millis(1, MOST_INT), "kafkajs: how often it now asks which partitions there are." "kafkajs 用。新しい、パーティションの一覧を取り直す間隔。";
            kafka "fromBeginning": Bool, "kafkajs: whether it begins at the start of the log without a committed offset." "kafkajs 用。コミット済みオフセットがないとき、ログの先頭から読むかどうか。";
            kafka "autoCommit": Bool, "kafkajs: whether its client commits by itself." "kafkajs 用。クライアントが自動でコミットするかどうか。";
            kafka "autoCommitInterval": Either(&[Millis(1, MOST_INT), Null]), "kafkajs: after which time it commits behind a record; `null` for none." "kafkajs 用。前回のコミットからこの時間がたつと、レコードの処理後にコミットします。`null` なら時間では決めません。";
            kafka "autoCommitThreshold": Either(&[Whole(1, MOST_INT), Null]), "kafkajs: after how many handled records it commits; `null` for none." "kafkajs 用。この件数を処理するごとにコミットします。`null` なら件数では決めません。";
            kafka "session_timeout_ms": Millis(1, MOST_INT), "kafka-python, aiokafka: its new session timeout." "kafka-python と aiokafka 用。新しいセッションタイムアウト。";
            kafka "heartbeat_interval_ms": Millis(1, MOST_INT), "kafka-python, aiokafka: its new heartbeat interval." "kafka-python と aiokafka 用。新しいハートビート間隔。";
            kafka "max_poll_interval_ms": Millis(1, MOST_INT), "kafka-python, aiokafka: the new longest time between two polls." "kafka-python と aiokafka 用。新しい、poll() の間隔の上限。";
            kafka "max_poll_records": Whole(1, MOST_INT), "kafka-python, aiokafka: the new most records of one poll." "kafka-python と aiokafka 用。新しい、1 回の poll() で返る件数の上限。";
            kafka "metadata_max_age_ms": Millis(1, MOST_INT), "kafka-python, aiokafka: how often it now asks which partitions there are." "kafka-python と aiokafka 用。新しい、パーティションの一覧を取り直す間隔。";
            kafka "auto_offset_reset": Words(PYTHON_OFFSET_RESET), "kafka-python, aiokafka: where to begin without a committed offset." "kafka-python と aiokafka 用。コミット済みオフセットがないときの開始位置。";
            kafka "enable_auto_commit": Bool, "kafka-python, aiokafka: whether its client commits by itself." "kafka-python と aiokafka 用。クライアントが自動でコミットするかどうか。";
            kafka "auto_commit_interval_ms": Millis(0, MOST_INT), "kafka-python, aiokafka: the new time between two commits of the client; with aiokafka at least 1." "kafka-python と aiokafka 用。新しい、クライアントが自動でコミットする間隔。aiokafka では 1 以上にします。";
            kafka "partition_assignment_strategy": OneOrList(&Words(PYTHON_ASSIGNORS), 2), "kafka-python, aiokafka: its new assignors, the first choice first." "kafka-python と aiokafka 用。新しいパーティションの割り当て方。優先するものから順に書きます。";
            "sink": Ref(Kind::Sink), "The table whose unique key changes, or whose database goes down." "ユニークキーを変える、または停止させるテーブル。";
            "unique_key": Either(&[Name, Null]), "The column of the unique key that the table gets, or `null` to drop it. It is refused where the table holds an event twice already." "テーブルに付けるユニークキーの列。`null` なら外します。同じイベントの行がすでに 2 つ以上あるテーブルには付けられません。";
            "down": Bool, "Whether the table's database is down. While it is, every handling that writes to the table fails at its end, and `on_error` says what the application does." "テーブルのデータベースが停止しているかどうか。停止中は、そのテーブルに書き込む処理がすべて最後に失敗します。その後どうするかは `on_error` で決まります。";
            kafka "group.initial.rebalance.delay.ms": Millis(0, MOST_INT), "How long the first rebalance of an empty group waits for more members, with all brokers." "空のグループの最初のリバランスが、ほかのメンバーの参加を待つ時間。すべてのブローカーに設定します。";
        }
        rules {
            Rule::OneOf(&[
                &["latency"],
                &["producer", "per_second"],
                &["member", "session.timeout.ms"],
                &["member", "heartbeat.interval.ms"],
                &["member", "max.poll.interval.ms"],
                &["member", "max.poll.records"],
                &["member", "auto.offset.reset"],
                &["member", "auto.commit.interval.ms"],
                &["member", "metadata.max.age.ms"],
                &["member", "enable.auto.commit"],
                &["member", "partition.assignment.strategy"],
                &["member", "topic.metadata.refresh.interval.ms"],
                &["member", "enable.auto.offset.store"],
                &["member", "max_records"],
                &["member", "sessionTimeout"],
                &["member", "heartbeatInterval"],
                &["member", "rebalanceTimeout"],
                &["member", "metadataMaxAge"],
                &["member", "fromBeginning"],
                &["member", "autoCommit"],
                &["member", "autoCommitInterval"],
                &["member", "autoCommitThreshold"],
                &["member", "session_timeout_ms"],
                &["member", "heartbeat_interval_ms"],
                &["member", "max_poll_interval_ms"],
                &["member", "max_poll_records"],
                &["member", "metadata_max_age_ms"],
                &["member", "auto_offset_reset"],
                &["member", "enable_auto_commit"],
                &["member", "auto_commit_interval_ms"],
                &["member", "partition_assignment_strategy"],
                &["member", "commit"],
                &["producer", "linger.ms"],
                &["producer", "batch.size"],
                &["sink", "unique_key"],
                &["sink", "down"],
                &["group.initial.rebalance.delay.ms"]
            ]),
            Rule::Needs("broker", "latency")
        }
}
