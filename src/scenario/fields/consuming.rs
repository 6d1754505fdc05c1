//! Consumer groups and what their applications do.

use super::RECORD_PLACE;
use super::Table;
use super::prelude::*;

/// The classic protocol's assignors, as they are called in a file. Kafka's class names are understood too.
pub(super) const ASSIGNORS: &[Word] = &[
    word(
        "range",
        "each topic's partitions, cut into one piece for each member",
        "トピックごとに、パーティションを連続した区間に分けて割り当てる",
    ),
    word(
        "roundrobin",
        "all partitions of all topics, dealt one by one in a circle",
        "全トピックのパーティションを、メンバーへ 1 つずつ順番に割り当てる",
    ),
    word(
        "sticky",
        "balanced, and members keep what they have as far as that allows",
        "均等に割り当て、その範囲で、前の担当をできるだけ保つ",
    ),
    word(
        "cooperative-sticky",
        "as `sticky`, and only what moves is given up (KIP-429). Clients from 2.4 on",
        "`sticky` と同じ割り当てで、移すパーティションだけを手放す（KIP-429）。クライアント 2.4 以降",
    ),
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

/// What `auto.offset.reset` may be.
pub(super) const AUTO_OFFSET_RESET: Shape = Either(&[
    Words(&[
        word("earliest", "the start of the log", "ログの先頭"),
        word("latest", "the end of the log, at the moment of the question", "その時点のログの末尾"),
        word(
            "none",
            "nowhere: `poll()` throws, and the application ends",
            "読み始めない。`poll()` が例外を投げ、アプリケーションは終わる",
        ),
    ]),
    IsoAfter(BY_DURATION),
]);

tables! {
    CONSUMING "Consumer groups" "コンシューマーグループ",
        "A group's members share the partitions of its topics. Each member handles one record at a time and commits in its own way."
        "グループのメンバーは、トピックのパーティションを分担します。各メンバーはレコードを 1 件ずつ処理し、決められた方法でコミットします。";

    table GROUP "group",
        "A consumer group: what its members have in common, and the members."
        "コンシューマーグループです。メンバーに共通の設定と、メンバーの一覧を書きます。",
        required {
            "name" = "group.id": Name,
                "Its name, different from all other groups."
                "名前。ほかのグループと重複しない名前にします。";
            "settings": ByFamily(&[
                    ("java", &CONSUMER_SETTINGS),
                    ("librdkafka", &LIBRDKAFKA_CONSUMER_SETTINGS),
                    ("kafkajs", &KAFKAJS_CONSUMER_SETTINGS),
                    ("kafka-python", &KAFKA_PYTHON_CONSUMER_SETTINGS),
                    ("aiokafka", &AIOKAFKA_CONSUMER_SETTINGS)
                ]),
                "The settings of its members, with the names and defaults of their client library."
                "メンバーの設定。名前とデフォルト値は、クライアントライブラリのものです。";
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
            "committed": MapOf(Kind::Partition, &Whole(0, bounds::RECORDS as u64)),
                "What it has committed before the run. The records before that count as neither processed nor lost."
                "実行を始める前にコミット済みのオフセット。それより前のレコードは、処理済みにも消失にも数えません。";
        }

    table CONSUMER_SETTINGS "consumer_settings",
        "Settings of the members of a group with Java clients."
        "Java クライアントを使うメンバーの設定です。",
        required {}
        optional {
            kafka "enable.auto.commit": Bool, default Default::Json("true"),
                "Whether the client commits by itself: in `poll()`, what earlier polls returned; before it joins the group again; in `close()`."
                "クライアントが自動でコミットするかどうか。コミットするのは、`poll()` の中（それまでの `poll()` が返した分）、グループに参加し直す前、`close()` の中です。";
            kafka "auto.commit.interval.ms": Millis(0, MOST_INT), default Default::Json("5000"),
                "The shortest time between two commits of `poll()`, if `enable.auto.commit` is on."
                "`enable.auto.commit` が `true` のとき、`poll()` が自動でコミットする間隔。";
            kafka "auto.offset.reset": AUTO_OFFSET_RESET,
                default Default::Json("\"latest\""),
                "Where a partition is read from if the group has committed nothing, or the log has no such offset. `by_duration:` is the first record of the last while (clients from 4.0 on, KIP-1106)."
                "コミット済みオフセットがないとき、またはそのオフセットがログにないとき、パーティションをどこから読むか。`by_duration:` は、その長さの時間内の最初のレコードです（クライアント 4.0 以降、KIP-1106）。";
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

    table HANDLING "handling",
        "What the application does with each record. This is logstep's own; in reality it is your code."
        "アプリケーションが各レコードに対して行うことです。logstep 独自の項目で、実際にはアプリケーションのコードにあたります。",
        required {
            "time": Duration(Span::from_micros(1), LONGEST_HANDLING),
                "How long one record takes."
                "1 件の処理にかかる時間。";
        }
        optional {
            "times": List(&Object(&HANDLING_TIME), 0, MOST_TIMES), default Default::Json("[]"),
                "Records that take another time. Where several fit, `record` counts before `key`, and `key` before `partition`; of two for the same, the last."
                "処理時間が異なるレコード。複数が当てはまる場合は `record`、`key`、`partition` の順に優先し、同じ対象が 2 つあれば後のものが有効です。";
            "max_records": Whole(1, bounds::RECORDS as u64),
                default Default::Words(Text { en: "`1`; other clients have a setting for it", ja: "`1`（ほかのクライアントには、これを決める設定がある）" }),
                "librdkafka only: how many records one call hands over, as with `consume(5)`."
                "librdkafka 専用。1 回の呼び出しで受け取るレコードの件数（`consume(5)` など）。";
            "pool": Object(&POOL),
                default Default::Words(Text { en: "none: the thread that polls handles them", ja: "なし（poll() を呼ぶスレッドが処理する）" }),
                "Workers that the records are handed over to."
                "レコードの処理を任せるワーカー。";
            "fails": List(&Object(&FAILING), 0, MOST_TIMES), default Default::Json("[]"),
                "Records whose handling ends with an exception."
                "処理が例外で終わるレコード。";
            "on_error": Object(&ON_ERROR),
                default Default::Words(Text { en: "`{ \"then\": \"stop\" }`; with kafkajs, its own retries", ja: "`{ \"then\": \"stop\" }`。kafkajs では、ライブラリーの再試行" }),
                "What the application does after such an exception."
                "例外が起きたとき、アプリケーションがどうするか。";
            "commit": Object(&COMMIT),
                default Default::Words(Text { en: "must be there unless the client commits by itself or offsets are stored with each row", ja: "省略できるのは、クライアントの自動コミットが有効か、オフセットを行と一緒に保存するときだけ" }),
                "When the application commits by itself, whatever the client does (`enable.auto.commit`)."
                "アプリケーションが自分でコミットするタイミング。クライアントの自動コミット（`enable.auto.commit`）とは別です。";
            "writes_to": Ref(Kind::Sink),
                "The table that each record is written to, at the end of its handling."
                "処理の最後にレコードを書き込むテーブル。";
            "offset_store": Object(&OFFSET_STORE),
                default Default::Words(Text { en: "none: offsets are committed to Kafka", ja: "なし（オフセットは Kafka にコミットする）" }),
                "Offsets that the application keeps in the database of that table."
                "そのテーブルのデータベースに、アプリケーションが自分で保存するオフセット。";
        }

    table MEMBER_HANDLING "member_handling",
        "What the application of one member does otherwise than those of the group."
        "1 つのメンバーだけ、グループとは違う処理をさせるための項目です。",
        required {}
        optional {
            "time": Duration(Span::from_micros(1), LONGEST_HANDLING),
                default Default::Words(Text { en: "that of the group", ja: "グループの値" }),
                "How long one record takes."
                "1 件の処理にかかる時間。";
            "times": List(&Object(&HANDLING_TIME), 0, MOST_TIMES),
                default Default::Words(Text { en: "those of the group", ja: "グループの値" }),
                "Records that take another time. They stand in place of those of the group."
                "処理時間が異なるレコード。グループの `times` の代わりになります。";
            "max_records": Whole(1, bounds::RECORDS as u64),
                default Default::Words(Text { en: "that of the group", ja: "グループの値" }),
                "librdkafka only: how many records one call hands over, as with `consume(5)`."
                "librdkafka 専用。1 回の呼び出しで受け取るレコードの件数（`consume(5)` など）。";
            "pool": Object(&POOL),
                default Default::Words(Text { en: "that of the group", ja: "グループの値" }),
                "Workers that the records are handed over to."
                "レコードの処理を任せるワーカー。";
            "fails": List(&Object(&FAILING), 0, MOST_TIMES),
                default Default::Words(Text { en: "those of the group", ja: "グループの値" }),
                "Records whose handling ends with an exception. They stand in place of those of the group."
                "処理が例外で終わるレコード。グループの `fails` の代わりになります。";
            "on_error": Object(&ON_ERROR),
                default Default::Words(Text { en: "that of the group", ja: "グループの値" }),
                "What the application does after such an exception."
                "例外が起きたとき、アプリケーションがどうするか。";
            "commit": Object(&COMMIT),
                default Default::Words(Text { en: "that of the group", ja: "グループの値" }),
                "When its application commits."
                "アプリケーションがコミットするタイミング。";
            "writes_to": Ref(Kind::Sink),
                default Default::Words(Text { en: "that of the group", ja: "グループの値" }),
                "The table that each record is written to."
                "レコードを書き込むテーブル。";
            "offset_store": Object(&OFFSET_STORE),
                default Default::Words(Text { en: "that of the group", ja: "グループの値" }),
                "Offsets that the application keeps in the database of that table."
                "そのテーブルのデータベースに、アプリケーションが自分で保存するオフセット。";
        }

    table HANDLING_TIME "handling_time",
        "Records that take another time than the others. The action `slow_down` changes it during the run."
        "ほかと処理時間が異なるレコードです。実行中に変えるには、アクション `slow_down` を使います。",
        required {
            "time": Duration(Span::ZERO, LONGEST_HANDLING),
                "How long one of them takes."
                "1 件の処理にかかる時間。";
        }
        optional {
            "key": Str, "Records with this key." "このキーのレコード。";
            "partition": Ref(Kind::Partition), "Records of this partition." "このパーティションのレコード。";
            "record": Object(&RECORD_PLACE), "This record." "このレコード。";
        }
        rules { Rule::OneOf(&[&["key"], &["partition"], &["record"]]) }

    table POOL "pool",
        "Workers that handle the records, while the application's thread goes on calling `poll()`, hands over what it returns, and commits. They finish in any order. Where the queue is full the application pauses its partitions and polls on. It commits after `commit.after_records` finished records, as soon as its thread comes to it; `after_batch` does not go with a pool. A worker whose record fails tries again in place, sleeping meanwhile, while the others go on; it counts the tries of its record only."
        "レコードを処理するワーカーです。アプリケーションのスレッドは `poll()` を呼び続け、返されたレコードをワーカーに渡し、コミットも行います。処理が終わる順番は決まっていません。キューがいっぱいになると、パーティションを `pause()` したまま `poll()` を続けます。`commit.after_records` 件の処理が終わると、次にスレッドが動いたときにコミットします。`after_batch` は併用できません。処理が失敗したワーカーは、その場で待ってから再試行し、その間もほかのワーカーは処理を続けます。数えるのは自分のレコードの試行回数だけです。",
        required {
            "workers": Whole(1, MOST_WORKERS as u64), "How many." "ワーカーの数。";
        }
        optional {
            "queue": Whole(1, bounds::RECORDS as u64), default Default::Words(Text { en: "as many as come", ja: "制限なし" }),
                "So many records may wait for a worker before the partitions are paused. What one `poll()` returns is handed over as a whole."
                "この件数がワーカーを待つと、パーティションを `pause()` します。1 回の `poll()` が返した分は、まとめて渡されます。";
            "revoked": Words(&[
                    word("stop", "the workers put them down, unfinished", "途中でもやめる"),
                    word("go_on", "nobody tells the workers: they finish all of them", "ワーカーには知らされず、最後まで処理する")
                ]),
                default Default::Json("\"stop\""),
                "What becomes of records of partitions that the consumer gives up."
                "手放すパーティションのレコードをどうするか。";
        }

    table OFFSET_STORE "offset_store",
        "Offsets in the database of the table that the handling writes to, instead of commits to Kafka. At an assignment the application reads them and calls `seek()`; where none is stored, Kafka's committed offset and `auto.offset.reset` decide. The database asks nobody for a generation: a member that does not know that it has lost a partition still writes. While it is down, nothing is stored, and who gets partitions waits for it."
        "Kafka へのコミットの代わりに、書き込み先のテーブルと同じデータベースに保存するオフセットです。アプリケーションは、割り当てのときにそれを読んで `seek()` を呼びます。保存された値がないパーティションでは、Kafka のコミット済みオフセットと `auto.offset.reset` が開始位置を決めます。データベースは世代を確かめないため、担当を失ったことをまだ知らないメンバーも書き込めます。停止中は何も保存できず、割り当てを受けたメンバーは復旧を待ちます。",
        required {}
        optional {
            "transaction": Bool, default Default::Json("true"),
                "Whether the offset is stored in one transaction with each row: then a crash can neither lose a row nor make it twice. If not, offsets are stored where `commit` says, after the rows."
                "行とオフセットを 1 つのトランザクションで保存するかどうか。保存するなら、クラッシュしても行は失われず、重複もしません。`false` なら、行を書き込んだ後、`commit` で決めた場所で保存します。";
            "holds": Words(&[
                    word("next", "the next offset to handle, as a commit to Kafka holds it", "次に処理するオフセット。Kafka へのコミットと同じ"),
                    word("last", "the last offset that is handled", "最後に処理したオフセット")
                ]),
                default Default::Json("\"next\""),
                "Which number is stored."
                "どの値を保存するか。";
            "seeks": Words(&[
                    word("as_stored", "to the stored number: right for `next`; with `last` one record is repeated at each start", "保存した値。`next` なら正しく、`last` では開始のたびに 1 件が重複する"),
                    word("one_after", "to the one after it: right for `last`; with `next` one record is passed over at each start", "保存した値の次。`last` なら正しく、`next` では開始のたびに 1 件が飛ばされる")
                ]),
                default Default::Words(Text { en: "what is right for `holds`", ja: "`holds` に合うほう" }),
                "Where the application seeks."
                "どこへ `seek()` するか。";
        }

    table FAILING "failing",
        "Records whose handling fails, each time that it ends in this while. Without `key`, `partition` and `record` these are all records, as when a service that the handling needs is down."
        "処理が失敗するレコードです。この期間に終わる処理は、毎回失敗します。`key`、`partition`、`record` のどれも書かなければ、すべてのレコードが対象です（処理に必要なサービスが停止している場合など）。",
        required {}
        optional {
            "key": Str, "Records with this key." "このキーのレコード。";
            "partition": Ref(Kind::Partition), "Records of this partition." "このパーティションのレコード。";
            "record": Object(&RECORD_PLACE), "This record." "このレコード。";
            "from": Moment, default Default::Json("\"0s\""),
                "From when on it fails."
                "失敗し始める時刻。";
            "until": Moment, default Default::Words(Text { en: "for ever", ja: "ずっと" }),
                "Until when it fails."
                "失敗しなくなる時刻。";
        }
        rules { Rule::NotBoth("key", "partition"), Rule::NotBoth("key", "record"), Rule::NotBoth("partition", "record") }

    table ON_ERROR "on_error",
        "What the application does when the handling of a record has failed: how it tries again, and what it does after the last try. kafkajs does this by itself with what leaves `eachMessage`: `seek_back` then stands for its retries, each after twice the wait, and it is the default there, with 6 tries, 300 ms and `restart`."
        "レコードの処理が失敗したとき、アプリケーションがどうするかです。どう再試行し、最後の試行も失敗したらどうするかを書きます。kafkajs では、`eachMessage` から出た例外をライブラリーが扱います。`seek_back` はその再試行（待ち時間は毎回 2 倍）を表し、省略時は 6 回・300 ms・`restart` になります。",
        required {}
        optional {
            "retry": Words(&[
                    word("in_place", "in the same place; the records behind it wait", "その場でもう一度処理する。後ろのレコードは待つ"),
                    word("seek_back", "`seek()` back to what `poll()` has returned and was not handled, then `poll()` again, as Spring's `DefaultErrorHandler` does; also behind a record that is given up", "`poll()` が返した未処理のレコードまで `seek()` で戻り、`poll()` し直す。Spring の `DefaultErrorHandler` と同じ。レコードをあきらめた後も同様にする")
                ]),
                default Default::Json("\"in_place\""),
                "How a record is tried again."
                "レコードをどう再試行するか。";
            "tries": Whole(1, MOST_TRIES as u64),
                default Default::Words(Text { en: "without end if `retry` is there, 1 otherwise", ja: "`retry` を書けば無制限、書かなければ 1" }),
                "How often a record is tried in all, the first time included."
                "1 件を処理してみる回数の合計。最初の 1 回を含みます。";
            "back_off": Duration(Span::ZERO, LONGEST_HANDLING), default Default::Json("\"0s\""),
                "How long the application's thread sleeps before the next try. It does not call `poll()` meanwhile."
                "次に試すまで、アプリケーションのスレッドが待つ時間。その間は `poll()` を呼びません。";
            "counts": Words(&[
                    word("each_partition", "of the record that fails in each partition", "パーティションごとに、失敗しているレコードの回数を数える"),
                    word("one_record", "only of the record that failed last: if another fails meanwhile, the count starts anew", "最後に失敗したレコードの回数だけを数える。間に別のレコードが失敗すると、数え直しになる")
                ]),
                default Default::Json("\"each_partition\""),
                "Which tries it keeps count of."
                "どのレコードの試行回数を覚えておくか。";
            "then": Words(&[
                    word("stop", "the exception leaves the loop, and the application closes its consumer", "例外でループを抜け、コンシューマーを閉じる"),
                    word("skip", "it is logged, and the next record is handled", "ログに残し、次のレコードを処理する"),
                    word("leave_loop", "it is logged outside of the loop over the records: the rest of what `poll()` has returned is never handled", "レコードのループの外でログに残す。`poll()` が返した残りのレコードは処理されない"),
                    word("restart", "as `stop`, and its consumer is started again, `back_off` later", "`stop` と同じように閉じ、`back_off` のあとにコンシューマーを起動し直す")
                ]),
                default Default::Json("\"stop\""),
                "What it does after the last try."
                "最後の試行も失敗したらどうするか。";
            "send_by": Ref(Kind::Producer),
                "Instead of `then`: after the last try a copy of the record is sent by this producer, to a dead-letter or a retry topic, and the next record is handled. The application does not wait for the acknowledgement."
                "`then` の代わりに書きます。最後の試行も失敗したら、このプロデューサーがレコードのコピーをデッドレタートピックやリトライトピックへ送り、次のレコードの処理に移ります。送信の確認応答は待ちません。";
        }
        rules { Rule::NotBoth("then", "send_by") }

    table COMMIT "commit",
        "When the application commits, and by which call."
        "アプリケーションがコミットするタイミングと、その方法です。",
        required {}
        optional {
            "after_records": Whole(1, bounds::RECORDS as u64),
                "The application commits after this many records: what it has processed."
                "この件数を処理するたびに、処理した分をコミットします。";
            "every": Duration(Span::from_millis(1), LONGEST_HANDLING),
                "The application commits what it has processed so long after its last commit, between two records or while it waits in `poll()`. With `after_records` it commits when the first of the two is reached. What has not been sent by then is only in its memory."
                "前のコミットからこの時間がたつと、レコードの処理の合間か `poll()` で待っている間に、処理した分をコミットします。`after_records` と一緒に書けば、先に達したほうでコミットします。それまで、処理した位置はメモリーにしかありません。";
            "when": Words(&[
                    word("after_batch", "behind the last record that `poll()` has returned", "`poll()` が返した最後のレコードの後"),
                    word("before_batch", "right behind `poll()`: its records are handled after that", "`poll()` の直後。返されたレコードの処理はその後"),
                    word("never", "nowhere in its loop", "ループの中ではコミットしない")
                ]),
                "The place in its loop where it commits."
                "ループの中でコミットする場所。";
            "how": Words(&[
                    word("sync", "`commitSync()` waits for the answer", "`commitSync()`。応答を待つ"),
                    word("async", "`commitAsync()` goes on at once, and nothing is sent again", "`commitAsync()`。応答を待たず、失敗しても送り直さない"),
                    word("async_retry", "the same with a callback that sends the same offsets again after `REQUEST_TIMED_OUT` or `REBALANCE_IN_PROGRESS`: the committed offset goes back if a newer commit has come through meanwhile", "`commitAsync()` のコールバックで、`REQUEST_TIMED_OUT` か `REBALANCE_IN_PROGRESS` のときに同じオフセットを送り直す。その間に新しいコミットが届いていると、コミット済みオフセットが戻る")
                ]),
                default Default::Json("\"sync\""),
                "The call that it makes there."
                "そこで呼ぶメソッド。";
            "offset": Words(&[
                    word("contiguous", "the one behind the last record up to which all are processed", "すべて処理済みといえる最後のレコードの、次のオフセット"),
                    word("highest", "the one behind the last record that is processed, whatever lies unfinished before it: with a pool, a crash loses that. With `enable.auto.offset.store=false`, also the one behind a record that a worker finishes after its partition has gone and come back", "処理済みの最後のレコードの、次のオフセット。手前に未処理のレコードがあっても進むため、`pool` ではクラッシュ時に失われる。`enable.auto.offset.store=false` なら、パーティションを手放して取り戻した後に処理が終わった、古いレコードの次のオフセットも保存される"),
                    word("own", "that of the last record itself, which is one too small: it is read again after each restart", "最後のレコード自身のオフセット。1 つ小さいため、再起動のたびに読み直される")
                ]),
                default Default::Json("\"contiguous\""),
                "Which offset it commits, where it commits what it has processed."
                "処理した分をコミットするとき、どのオフセットをコミットするか。";
            "on_revoke": Bool, default Default::Json("false"),
                "Whether it calls `commitSync()` in `onPartitionsRevoked()`, before it gives partitions up."
                "パーティションを手放す前の `onPartitionsRevoked()` で `commitSync()` を呼ぶかどうか。";
            "on_close": Bool, default Default::Json("false"),
                "Whether it calls `commitSync()` before `close()`."
                "`close()` の前に `commitSync()` を呼ぶかどうか。";
        }
        rules { Rule::OneOf(&[&["after_records"], &["every"], &["after_records", "every"], &["when"]]) }

    table MEMBER "member",
        "A member of the group: one consumer in one process."
        "グループのメンバーです。1 つのプロセスで動く 1 台のコンシューマーにあたります。",
        required {
            "name" = "client.id": Name,
                "Its name, different from all other members of the file, those of other groups included."
                "名前。ほかのグループも含め、ファイル内のすべてのメンバーと重複しない名前にします。";
        }
        optional {
            "starts_at": Either(&[Moment, Exactly("never")]), default Default::Json("\"0s\""),
                "When the process starts; `\"never\"` if only an action starts it."
                "プロセスを起動する時刻。操作で起動するまで動かさない場合は `\"never\"` にします。";
            kafka "group.instance.id": Name,
                default Default::Words(Text { en: "none: a dynamic member", ja: "なし（動的メンバー）" }),
                "Makes it a static member (KIP-345): a restart within `session.timeout.ms` takes the same place without a rebalance. Of two processes with one such name the older is fenced."
                "静的メンバーにします（KIP-345）。`session.timeout.ms` 以内に再起動すれば、リバランスなしで元の席に戻ります。同じ名前のプロセスが 2 つあると、古いほうが締め出されます。";
            "topics": List(&Ref(Kind::Topic), 1, bounds::TOPICS),
                default Default::Words(Text { en: "those of the group", ja: "グループの値" }),
                "The topics that this member subscribes to."
                "このメンバーが購読するトピック。";
            "assign": List(&Ref(Kind::Partition), 1, bounds::PARTITIONS),
                "The partitions that it reads by `assign()`. It is then no member of the group, which only keeps its commits."
                "`assign()` で読むパーティション。この場合、グループのメンバーにはならず、グループの名前でコミットだけを行います。";
            "client": Object(&CLIENT),
                default Default::Words(Text { en: "that of the group", ja: "グループの値" }),
                "The client library of this member."
                "このメンバーのクライアントライブラリ。";
            "settings": AnyOf(&[
                    &CONSUMER_SETTINGS,
                    &LIBRDKAFKA_CONSUMER_SETTINGS,
                    &KAFKAJS_CONSUMER_SETTINGS,
                    &KAFKA_PYTHON_CONSUMER_SETTINGS,
                    &AIOKAFKA_CONSUMER_SETTINGS
                ]),
                default Default::Words(Text { en: "those of the group", ja: "グループの値" }),
                "Settings that are not those of the group; all others are. A member with another client library than the group's takes nothing over."
                "グループと異なる設定。書かなかったものはグループの値になります。グループと違うクライアントライブラリのメンバーには、グループの値は引き継がれません。";
            "handling": Object(&MEMBER_HANDLING),
                default Default::Words(Text { en: "that of the group", ja: "グループの値" }),
                "What its application does otherwise."
                "アプリケーションの処理のうち、グループと異なるもの。";
        }
        rules { Rule::NotBoth("topics", "assign") }
}
