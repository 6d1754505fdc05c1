//! The settings of consumers with other clients than Java's, by the names of each.

use super::Table;
use super::prelude::*;

tables! {
    CONSUMER_CLIENTS "Clients of consumers" "コンシューマーのクライアント",
        "Clients differ in who commits and when, in what keeps a member alive, and in how partitions are assigned. Each has its own settings, with its own names and defaults; a setting that a client does not have is a mistake. A group's members may have different clients, as long as they have an assignor in common."
        "だれがいつコミットするか、何がメンバーを生かし続けるか、パーティションをどう割り当てるかは、クライアントによって異なります。設定の名前やデフォルト値もクライアントごとに異なり、そのクライアントにない設定を書くと誤りになります。共通のアサイナーがあれば、1 つのグループに異なるクライアントのメンバーを置けます。";

    table LIBRDKAFKA_CONSUMER_SETTINGS "librdkafka_consumer_settings",
        "Settings of a consumer with librdkafka, as in the clients of confluent. One record at a time is handed over, unless `handling.max_records` says more. In the classic protocol `max.poll.interval.ms` has to be at least `session.timeout.ms`."
        "librdkafka（confluent の各クライアントなど）を使うコンシューマーの設定です。`handling.max_records` を書かないかぎり、レコードは 1 件ずつ渡されます。`classic` プロトコルでは、`max.poll.interval.ms` を `session.timeout.ms` 以上にします。",
        required {}
        optional {
            kafka "enable.auto.commit": Bool, default Default::Json("true"),
                "Whether a thread of the client commits the stored offsets: every `auto.commit.interval.ms`, whatever the application does meanwhile, and when partitions go."
                "クライアントのスレッドが、保存されたオフセットを自動でコミットするかどうか。アプリケーションが何をしていても `auto.commit.interval.ms` ごとに、またパーティションを手放すときにコミットします。";
            kafka "auto.commit.interval.ms": Millis(0, MOST_LIBRDKAFKA_DAY), default Default::Json("5000"),
                "The time between two such commits. With 0 offsets are committed only when partitions go."
                "自動コミットの間隔。0 なら、パーティションを手放すときだけコミットします。";
            kafka "enable.auto.offset.store": Bool, default Default::Json("true"),
                "Whether the offset behind a record is stored when the record is handed over. With `false` the application stores it when it has handled the record."
                "レコードを渡した時点で、その次のオフセットを保存するかどうか。`false` なら、アプリケーションが処理を終えてから保存します。";
            kafka "auto.offset.reset": Words(LIBRDKAFKA_OFFSET_RESET),
                default Default::Json("\"largest\""),
                "Where a partition is read from if the group has committed nothing, or the log has no such offset."
                "コミット済みオフセットがないとき、またはそのオフセットがログにないとき、パーティションをどこから読むか。";
            kafka "partition.assignment.strategy": OneOrList(&Words(&[
                    word("range", "each topic's partitions, cut into one piece for each member", "トピックごとに、パーティションを連続した区間に分けて割り当てる"),
                    word("roundrobin", "all partitions of all topics, dealt one by one in a circle", "全トピックのパーティションを、メンバーへ 1 つずつ順番に割り当てる"),
                    word("cooperative-sticky", "balanced, and only what moves is given up: the lowest partitions of a member that has too many", "均等に割り当て、移すものだけを手放す。持ちすぎのメンバーからは、番号の小さいパーティションが移る")
                ]), 3),
                default Default::Json("[\"range\", \"roundrobin\"]"),
                "How partitions are assigned, the first choice first. librdkafka writes the list with commas; it refuses `cooperative-sticky` beside another one."
                "パーティションの割り当て方を、優先するものから順に書きます。librdkafka ではコンマで区切ります。`cooperative-sticky` をほかと並べることはできません。";
            kafka "group.protocol": Words(&[
                    word("classic", "JoinGroup and SyncGroup; clients compute the assignment", "JoinGroup と SyncGroup を使い、割り当てはクライアントが計算する"),
                    word("consumer", "heartbeats only; the broker computes the assignment (KIP-848). Needs a broker 4.0 or later", "ハートビートだけを使い、割り当てはブローカーが計算する（KIP-848）。ブローカー 4.0 以降が必要")
                ]),
                default Default::Json("\"classic\""),
                "The protocol of the group. With `consumer` the client refuses `session.timeout.ms`, `heartbeat.interval.ms` and `partition.assignment.strategy`."
                "グループのプロトコル。`consumer` では `session.timeout.ms`、`heartbeat.interval.ms`、`partition.assignment.strategy` を指定できません。";
            kafka "group.remote.assignor": Words(SERVER_ASSIGNORS),
                "The assignor that the members ask the broker for; beside `classic` nobody looks at it. Without it, the first of the broker's `group.consumer.assignors` is used."
                "メンバーがブローカーに頼む割り当て方。`classic` では使われません。省略すると、ブローカーの `group.consumer.assignors` の先頭が使われます。";
            kafka "session.timeout.ms": Millis(1, MOST_LIBRDKAFKA_HOUR), default Default::Json("45000"),
                "How long a member may be silent before the coordinator removes it."
                "メンバーからの連絡が途絶えてから、コーディネーターが外すまでの時間。";
            kafka "heartbeat.interval.ms": Millis(1, MOST_LIBRDKAFKA_HOUR), default Default::Json("3000"),
                "The time between two heartbeats, which a thread of the client sends."
                "ハートビートの間隔。クライアントのスレッドが送ります。";
            kafka "max.poll.interval.ms": Millis(1, MOST_LIBRDKAFKA_DAY), default Default::Json("300000"),
                "The longest time from one `poll()` to the next. A member that takes longer leaves the group, and loses its partitions in its next `poll()`."
                "`poll()` から次の `poll()` までの最長時間。これを超えたメンバーはグループから離脱し、次の `poll()` で担当を失います。";
            kafka "topic.metadata.refresh.interval.ms": Millis(1, MOST_LIBRDKAFKA_REFRESH), default Default::Json("300000"),
                "How often the client asks which partitions there are."
                "どんなパーティションがあるかを、クライアントが問い合わせる間隔。";
        }

    table KAFKAJS_CONSUMER_SETTINGS "kafkajs_consumer_settings",
        "Settings of a consumer with kafkajs and `eachMessage`: what its constructor, `subscribe()` and `run()` are given. It has no thread beside the handler: heartbeats and commits are made between two records, so that `sessionTimeout` bounds the handling of one record. It has no rebalance listener, and one assignor, which deals the partitions in the order of the broker's metadata."
        "kafkajs（`eachMessage`）を使うコンシューマーの設定です。コンストラクター、`subscribe()`、`run()` に渡すものをまとめて書きます。処理とは別に動くスレッドはなく、ハートビートもコミットも、レコードとレコードの間で行われます。そのため、1 件の処理は `sessionTimeout` より短くなければなりません。リバランスのリスナーはありません。アサイナーは 1 つだけで、ブローカーのメタデータに並ぶ順にパーティションを配ります。",
        required {}
        optional {
            kafka "autoCommit": Bool, default Default::Json("true"),
                "Whether the client commits what has been handled: after each fetched batch of a partition, when a heartbeat tells of a rebalance, and as the two settings below say."
                "処理が済んだ分をクライアントがコミットするかどうか。パーティションごとに、取得したバッチを処理し終えたとき、ハートビートでリバランスを知ったとき、および下の 2 つの設定に従ってコミットします。";
            kafka "autoCommitInterval": Either(&[Millis(1, MOST_INT), Null]), default Default::Json("null"),
                "After this time it commits behind a record as well."
                "前回のコミットからこの時間がたつと、レコードの処理後にもコミットします。";
            kafka "autoCommitThreshold": Either(&[Whole(1, MOST_INT), Null]), default Default::Json("null"),
                "After so many handled records it commits behind a record as well."
                "この件数を処理するごとに、レコードの処理後にもコミットします。";
            kafka "fromBeginning": Bool, default Default::Json("false"),
                "Where a partition is read from if the group has committed nothing: from the start of the log, or from its end."
                "コミット済みオフセットがないとき、ログの先頭から読むかどうか。`false` なら末尾から読みます。";
            kafka "sessionTimeout": Millis(1, MOST_INT), default Default::Json("30000"),
                "How long a member may be silent before the coordinator removes it."
                "メンバーからの連絡が途絶えてから、コーディネーターが外すまでの時間。";
            kafka "rebalanceTimeout": Millis(1, MOST_INT), default Default::Json("60000"),
                "How long a rebalance waits for a member."
                "リバランスでメンバーを待つ時間の上限。";
            kafka "heartbeatInterval": Millis(1, MOST_INT), default Default::Json("3000"),
                "The shortest time between two heartbeats. It has to be below `sessionTimeout`."
                "ハートビートの最短の間隔。`sessionTimeout` より短くします。";
            kafka "maxWaitTimeInMs": Millis(1, MOST_INT), default Default::Json("5000"),
                "How long a Fetch waits for records at the broker. An idle consumer sends its heartbeats only when a Fetch has come back."
                "Fetch がブローカーでレコードを待つ時間の上限。何も届かない間、ハートビートは Fetch が返ったときにしか送られません。";
            kafka "metadataMaxAge": Millis(1, MOST_INT), default Default::Json("300000"),
                "How often the client asks which partitions there are."
                "どんなパーティションがあるかを、クライアントが問い合わせる間隔。";
        }

    table KAFKA_PYTHON_CONSUMER_SETTINGS "kafka_python_consumer_settings",
        "Settings of a consumer with kafka-python. As in Java, `poll()` commits what earlier calls returned."
        "kafka-python を使うコンシューマーの設定です。Java と同じく、`poll()` がそれまでに返した分をコミットします。",
        required {}
        optional {
            kafka "enable_auto_commit": Bool, default Default::Json("true"),
                "Whether the client commits by itself: in `poll()`, what earlier polls returned; before it joins the group again; in `close()`."
                "クライアントが自動でコミットするかどうか。コミットするのは、`poll()` の中（それまでの `poll()` が返した分）、グループに参加し直す前、`close()` の中です。";
            kafka "auto_commit_interval_ms": Millis(0, MOST_INT), default Default::Json("5000"),
                "The shortest time between two commits of `poll()`."
                "`poll()` が自動でコミットする間隔。";
            kafka "auto_offset_reset": Words(PYTHON_OFFSET_RESET), default Default::Json("\"latest\""),
                "Where a partition is read from if the group has committed nothing, or the log has no such offset."
                "コミット済みオフセットがないとき、またはそのオフセットがログにないとき、パーティションをどこから読むか。";
            kafka "partition_assignment_strategy": OneOrList(&Words(PYTHON_ASSIGNORS), 2),
                default Default::Json("[\"RangePartitionAssignor\", \"RoundRobinPartitionAssignor\"]"),
                "How partitions are assigned, the first choice first."
                "パーティションの割り当て方を、優先するものから順に書きます。";
            kafka "session_timeout_ms": Millis(1, MOST_INT),
                default Default::Words(Text { en: "`45000`, and `30000` with brokers before 3.0", ja: "`45000`（ブローカーが 3.0 より前なら `30000`）" }),
                "How long a member may be silent before the coordinator removes it."
                "メンバーからの連絡が途絶えてから、コーディネーターが外すまでの時間。";
            kafka "heartbeat_interval_ms": Millis(1, MOST_INT), default Default::Json("3000"),
                "The time between two heartbeats. It has to be below `session_timeout_ms`."
                "ハートビートの間隔。`session_timeout_ms` より短くします。";
            kafka "max_poll_interval_ms": Millis(1, MOST_INT), default Default::Json("300000"),
                "The longest time from one `poll()` to the next. A member that takes longer leaves the group."
                "`poll()` から次の `poll()` までの最長時間。これを超えたメンバーはグループから離脱します。";
            kafka "max_poll_records": Whole(1, MOST_INT), default Default::Json("500"),
                "The most records that one `poll()` returns."
                "1 回の `poll()` が返すレコードの最大件数。";
            kafka "metadata_max_age_ms": Millis(1, MOST_INT), default Default::Json("300000"),
                "How often the client asks which partitions there are."
                "どんなパーティションがあるかを、クライアントが問い合わせる間隔。";
        }

    table AIOKAFKA_CONSUMER_SETTINGS "aiokafka_consumer_settings",
        "Settings of a consumer with aiokafka and `getmany()`. A task beside the application commits the positions, which are behind all that `getmany()` has returned."
        "aiokafka（`getmany()`）を使うコンシューマーの設定です。アプリケーションとは別のタスクが、ポジションをコミットします。ポジションは、`getmany()` が返したすべてのレコードの次を指します。",
        required {}
        optional {
            kafka "enable_auto_commit": Bool, default Default::Json("true"),
                "Whether that task commits: every `auto_commit_interval_ms`, before it joins the group again, and when the consumer stops."
                "このタスクがコミットするかどうか。`auto_commit_interval_ms` ごとに、またグループに参加し直す前と、コンシューマーを止めるときにコミットします。";
            kafka "auto_commit_interval_ms": Millis(1, MOST_INT), default Default::Json("5000"),
                "The time between two such commits."
                "自動コミットの間隔。";
            kafka "auto_offset_reset": Words(PYTHON_OFFSET_RESET), default Default::Json("\"latest\""),
                "Where a partition is read from if the group has committed nothing, or the log has no such offset."
                "コミット済みオフセットがないとき、またはそのオフセットがログにないとき、パーティションをどこから読むか。";
            kafka "partition_assignment_strategy": OneOrList(&Words(PYTHON_ASSIGNORS), 2),
                default Default::Json("[\"RoundRobinPartitionAssignor\"]"),
                "How partitions are assigned, the first choice first."
                "パーティションの割り当て方を、優先するものから順に書きます。";
            kafka "session_timeout_ms": Millis(1, MOST_INT), default Default::Json("10000"),
                "How long a member may be silent before the coordinator removes it."
                "メンバーからの連絡が途絶えてから、コーディネーターが外すまでの時間。";
            kafka "rebalance_timeout_ms": Millis(1, MOST_INT),
                default Default::Words(Text { en: "`session_timeout_ms`", ja: "`session_timeout_ms`" }),
                "How long a rebalance waits for a member."
                "リバランスでメンバーを待つ時間の上限。";
            kafka "heartbeat_interval_ms": Millis(1, MOST_INT), default Default::Json("3000"),
                "The time between two heartbeats. It has to be below `session_timeout_ms`."
                "ハートビートの間隔。`session_timeout_ms` より短くします。";
            kafka "max_poll_interval_ms": Millis(1, MOST_INT), default Default::Json("300000"),
                "The longest time from one `getmany()` to the next. A member that takes longer leaves the group."
                "`getmany()` から次の `getmany()` までの最長時間。これを超えたメンバーはグループから離脱します。";
            kafka "max_poll_records": Whole(1, MOST_INT),
                default Default::Words(Text { en: "all that has been fetched", ja: "取得済みのすべて" }),
                "The most records that one `getmany()` returns."
                "1 回の `getmany()` が返すレコードの最大件数。";
            kafka "metadata_max_age_ms": Millis(1, MOST_INT), default Default::Json("300000"),
                "How often the client asks which partitions there are."
                "どんなパーティションがあるかを、クライアントが問い合わせる間隔。";
        }
}

const LIBRDKAFKA_OFFSET_RESET: &[Word] = &[
    word("earliest", "the start of the log", "ログの先頭"),
    word("smallest", "the same as `earliest`", "`earliest` と同じ"),
    word("beginning", "the same as `earliest`", "`earliest` と同じ"),
    word("latest", "the end of the log", "ログの末尾"),
    word("largest", "the same as `latest`", "`latest` と同じ"),
    word("end", "the same as `latest`", "`latest` と同じ"),
];

pub(super) const PYTHON_OFFSET_RESET: &[Word] =
    &[word("earliest", "the start of the log", "ログの先頭"), word("latest", "the end of the log", "ログの末尾")];

pub(super) const PYTHON_ASSIGNORS: &[Word] = &[
    word(
        "RangePartitionAssignor",
        "each topic's partitions, cut into one piece for each member",
        "トピックごとに、パーティションを連続した区間に分けて割り当てる",
    ),
    word(
        "RoundRobinPartitionAssignor",
        "all partitions of all topics, dealt one by one in a circle",
        "全トピックのパーティションを、メンバーへ 1 つずつ順番に割り当てる",
    ),
];
