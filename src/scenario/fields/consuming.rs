//! Consumer groups and what their applications do.

use super::Table;
#[cfg(not(target_arch = "wasm32"))]
use super::prelude::*;

/// The classic protocol's assignors, as they are called in a file. Kafka's class names are understood too.
#[cfg(not(target_arch = "wasm32"))]
const ASSIGNORS: &[Word] = &[
    word(
        "range",
        "each topic's partitions, cut into one piece for each member",
        "トピックごとに、パーティションを連続した区間に分けて割り当てる",
    ),
    word("roundrobin", "not modelled yet; not as the first entry", "未対応。先頭には書けない"),
    word("sticky", "not modelled yet; not as the first entry", "未対応。先頭には書けない"),
    word("cooperative-sticky", "not modelled yet; not as the first entry", "未対応。先頭には書けない"),
    word("org.apache.kafka.clients.consumer.RangeAssignor", "the same as `range`", "`range` と同じ"),
    word("org.apache.kafka.clients.consumer.RoundRobinAssignor", "the same as `roundrobin`", "`roundrobin` と同じ"),
    word("org.apache.kafka.clients.consumer.StickyAssignor", "the same as `sticky`", "`sticky` と同じ"),
    word(
        "org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
        "the same as `cooperative-sticky`",
        "`cooperative-sticky` と同じ",
    ),
];

/// The assignors of the broker.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const SERVER_ASSIGNORS: &[Word] = &[
    word(
        "uniform",
        "balanced over all topics; partitions stay with their owners where possible",
        "全トピックを通して均等に割り当て、できるだけ担当を変えない",
    ),
    word(
        "range",
        "each topic's partitions, cut into one piece for each member",
        "トピックごとに、パーティションを連続した区間に分けて割り当てる",
    ),
];

tables! {
    CONSUMING "Consumer groups" "コンシューマーグループ",
        "A group's members share the partitions of its topics. Each member handles one record at a time and commits after every few."
        "グループのメンバーは、トピックのパーティションを分担します。各メンバーはレコードを 1 件ずつ処理し、決まった件数ごとにコミットします。";

    table GROUP "group",
        "A consumer group: what its members have in common, and the members."
        "コンシューマーグループです。メンバーに共通の設定と、メンバーの一覧を書きます。",
        required {
            "name" = "group.id": Name,
                "Its name, different from all other groups."
                "名前。ほかのグループと重複しない名前にします。";
            "settings": Object(&CONSUMER_SETTINGS),
                "The settings of its members."
                "メンバーの設定。";
            "handling": Object(&HANDLING),
                "What the application does with a record."
                "アプリケーションがレコードをどう処理するか。";
            "members": List(&Object(&MEMBER), 1, bounds::MEMBERS),
                "Its members."
                "メンバー。";
        }
        optional {
            "client": Object(&CLIENT),
                default Default::Words(Text { en: "the Java client of the cluster's version", ja: "クラスターと同じバージョンの Java クライアント" }),
                "The client library of its members."
                "メンバーが使うクライアントライブラリ。";
            "topics": List(&Ref(Kind::Topic), 1, bounds::TOPICS),
                default Default::Words(Text { en: "all topics", ja: "すべてのトピック" }),
                "The topics that it subscribes to."
                "購読するトピック。";
        }

    table CONSUMER_SETTINGS "consumer_settings",
        "Settings of the members of a group."
        "グループのメンバーの設定です。",
        required {}
        optional {
            kafka "enable.auto.commit": OnlyBool(false),
                default Default::Words(Text { en: "must be written: Kafka's default is `true`", ja: "省略不可（Kafka のデフォルトは `true`）" }),
                "Whether `poll()` commits by itself. Auto commit is not modelled yet, so `false` is all that is allowed."
                "`poll()` が自動でコミットするかどうか。自動コミットにはまだ対応していないため、`false` だけを指定できます。";
            kafka "auto.offset.reset": Words(&[
                    word("earliest", "the start of the log", "ログの先頭"),
                    word("latest", "the end of the log, at the moment of the question", "その時点のログの末尾")
                ]),
                default Default::Json("\"latest\""),
                "Where a partition is read from if the group has committed nothing."
                "コミット済みオフセットがないとき、パーティションをどこから読むか。";
            kafka "partition.assignment.strategy": OneOrList(&Words(ASSIGNORS), 4),
                default Default::ByVersion(&[("2.0", "[\"range\"]"), ("3.0", "[\"range\", \"cooperative-sticky\"]")]),
                "How partitions are assigned, the first choice first. The group uses the one with most first votes among those that all members support. Rebalances are cooperative only if `cooperative-sticky` is all there is; with any other entry they are eager."
                "パーティションの割り当て方を、優先するものから順に書きます。全メンバーが対応するもののうち、第一希望として最も多く選ばれたものが使われます。リバランスが cooperative になるのは `cooperative-sticky` だけを書いたときで、ほかが 1 つでもあれば eager になります。";
            kafka "group.protocol": Words(&[
                    word("classic", "JoinGroup and SyncGroup; clients compute the assignment", "JoinGroup と SyncGroup を使い、割り当てはクライアントが計算する"),
                    word("consumer", "heartbeats only; the broker computes the assignment (KIP-848). Needs broker and client 4.0 or later", "ハートビートだけを使い、割り当てはブローカーが計算する（KIP-848）。ブローカーもクライアントも 4.0 以降が必要")
                ]),
                default Default::Json("\"classic\""),
                "The protocol of the group. With `consumer` a client refuses `session.timeout.ms`, `heartbeat.interval.ms` and `partition.assignment.strategy`: the broker decides instead. A group of members of both protocols is not modelled."
                "グループのプロトコル。`consumer` では `session.timeout.ms`、`heartbeat.interval.ms`、`partition.assignment.strategy` を指定できません。代わりにブローカーが決めます。両方のプロトコルが混在するグループには対応していません。";
            kafka "group.remote.assignor": Words(SERVER_ASSIGNORS),
                "The assignor that the members ask the broker for, with `group.protocol=consumer` only. Without it, the first of the broker's `group.consumer.assignors` is used."
                "メンバーがブローカーに頼む割り当て方。`group.protocol=consumer` のときだけ指定できます。省略すると、ブローカーの `group.consumer.assignors` の先頭が使われます。";
            kafka "session.timeout.ms": Millis(1, MOST_INT), default Default::ByVersion(&[("2.0", "10000"), ("3.0", "45000")]),
                "How long a member may be silent before the coordinator removes it (KIP-735). It has to lie between the broker's `group.min.session.timeout.ms` and `group.max.session.timeout.ms`."
                "メンバーからの連絡が途絶えてから、コーディネーターが外すまでの時間（KIP-735）。ブローカーの `group.min.session.timeout.ms` から `group.max.session.timeout.ms` までの範囲で指定します。";
            kafka "heartbeat.interval.ms": Millis(1, MOST_INT), default Default::Json("3000"),
                "The time between two heartbeats. It has to be below `session.timeout.ms`."
                "ハートビートの間隔。`session.timeout.ms` より短くします。";
            kafka "max.poll.interval.ms": Millis(1, MOST_INT), default Default::Json("300000"),
                "The longest time from one `poll()` to the next. A member that takes longer leaves the group. It is also how long a rebalance waits for a member."
                "`poll()` から次の `poll()` までの最長時間。これを超えたメンバーはグループから離脱します。リバランスでメンバーを待つ時間の上限でもあります。";
            kafka "max.poll.records": Whole(1, MOST_INT), default Default::Json("500"),
                "The most records that one `poll()` returns."
                "1 回の `poll()` が返すレコードの最大件数。";
            kafka "metadata.max.age.ms": Millis(1, MOST_INT), default Default::Json("300000"),
                "How often a client asks which partitions there are. The group's leader asks for a rebalance when it finds new ones."
                "クライアントがパーティションの一覧を取り直す間隔。グループのリーダーは、新しいパーティションに気づくとリバランスを求めます。";
        }
        rules { Rule::MustBeThere("enable.auto.commit") }

    table HANDLING "handling",
        "What the application does with each record. This is logstep's own; in reality it is your code."
        "アプリケーションが各レコードに対して行うことです。logstep 独自の項目で、実際にはアプリケーションのコードにあたります。",
        required {
            "time": Duration(Span::from_micros(1), LONGEST_HANDLING),
                "How long one record takes."
                "1 件の処理にかかる時間。";
            "commit": Object(&COMMIT),
                "When the application commits."
                "アプリケーションがコミットするタイミング。";
        }
        optional {
            "writes_to": Ref(Kind::Sink),
                "The table that each record is written to, at the end of its handling."
                "処理の最後にレコードを書き込むテーブル。";
        }

    table COMMIT "commit",
        "When offsets are committed, always after the records have been processed."
        "オフセットをコミットするタイミングです。コミットは、必ずレコードの処理が終わった後に行われます。",
        required {
            "after_records": Whole(1, bounds::RECORDS as u64),
                "The application calls `commitSync()` after this many records."
                "この件数を処理するたびに `commitSync()` を呼びます。";
        }
        optional {}

    table MEMBER "member",
        "A member of the group: one consumer in one process."
        "グループのメンバーです。1 つのプロセスで動く 1 台のコンシューマーにあたります。",
        required {
            "name" = "client.id": Name,
                "Its name, different from all other members of the file, those of other groups included."
                "名前。ほかのグループも含め、ファイル内のすべてのメンバーと重複しない名前にします。";
        }
        optional {
            "starts_at": Moment, default Default::Json("\"0s\""),
                "When the process starts."
                "プロセスを起動する時刻。";
            kafka "group.instance.id": Name,
                default Default::Words(Text { en: "none: a dynamic member", ja: "なし（動的メンバー）" }),
                "Makes it a static member (KIP-345): a restart within `session.timeout.ms` takes the same place without a rebalance. Of two processes with one such name the older is fenced."
                "静的メンバーにします（KIP-345）。`session.timeout.ms` 以内に再起動すれば、リバランスなしで元の席に戻ります。同じ名前のプロセスが 2 つあると、古いほうが締め出されます。";
        }
}
