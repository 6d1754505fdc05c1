//! What a run has to come to.

use super::Table;
use super::prelude::*;

/// The most that a number of an outcome can come to.
const COUNT: Shape = Whole(0, bounds::STEPS as u64);

/// A number, or the least and the most that it may be.
const COUNTS: Shape = Either(&[COUNT, Object(&BOUNDS)]);

/// A length of time, or the shortest and the longest that it may be.
const TIMES: Shape = Either(&[Duration(Span::ZERO, bounds::DURATION), Object(&TIME_BOUNDS)]);

/// The same, or nothing.
const AGES: Shape = Either(&[Duration(Span::ZERO, bounds::DURATION), Object(&TIME_BOUNDS), Null]);

const OFFSET: Shape = Whole(0, bounds::RECORDS as u64);

tables! {
    EXPECTING "Expectations" "期待する結果",
        "Expectations make the file a test: `logstep-run check` compares them with the run. What is not mentioned is not looked at."
        "期待する結果を書くと、ファイルがテストになります。`logstep-run check` が実行結果と比較します。書かれていない項目は検査されません。";

    table EXPECT "expect",
        "What the run has to come to."
        "期待する実行結果です。",
        required {}
        optional {
            "topics": MapOf(Kind::Topic, &Object(&EXPECT_TOPIC)),
                "What each topic comes to."
                "トピックごとの結果。";
            "producers": MapOf(Kind::Producer, &Object(&EXPECT_PRODUCER)),
                "What each producer comes to."
                "プロデューサーごとの結果。";
            "groups": MapOf(Kind::Group, &Object(&EXPECT_GROUP)),
                "What each group comes to."
                "グループごとの結果。";
            "sinks": MapOf(Kind::Sink, &Object(&EXPECT_SINK)),
                "What each table comes to."
                "テーブルごとの結果。";
            "no_owner_change_between": List(&Object(&CONDITION), 2, 2),
                "No partition changes hands between the first step that meets the first condition and the next one that meets the second."
                "1 つ目の条件を満たす最初のステップから、その後で 2 つ目の条件を満たすステップまでの間、どのパーティションも担当が変わらない。";
            "takes": List(&Object(&TAKES), 0, MOST_CHECKS),
                "How long something takes."
                "所要時間。";
        }

    table EXPECT_TOPIC "expect_topic",
        "What a topic has to come to at the end of the run."
        "実行が終わった時点の、トピックの結果です。",
        required {}
        optional {
            "records": MapOf(Kind::Partition, &COUNTS),
                "Records in each partition."
                "各パーティションにあるレコードの件数。";
            "keys": MapOfKeys(&List(&Whole(0, bounds::PARTITIONS_PER_TOPIC as u64 - 1), 0, bounds::PARTITIONS_PER_TOPIC)),
                "For each key the numbers of the partitions that hold records with it, in the order of the first one."
                "各キーのレコードがあるパーティションの番号。最初のレコードが書かれた順に並べます。";
            "partitions_used": COUNTS,
                "Partitions that hold a record."
                "レコードが 1 件以上あるパーティションの数。";
            "largest": COUNTS,
                "Records in the partition that has the most."
                "最も多いパーティションにあるレコードの件数。";
            "smallest": COUNTS,
                "Records in the partition that has the fewest."
                "最も少ないパーティションにあるレコードの件数。";
            "keys_split": COUNTS,
                "Keys with records in more than one partition."
                "レコードが複数のパーティションに分かれているキーの数。";
        }

    table EXPECT_PRODUCER "expect_producer",
        "What a producer has to come to at the end of the run."
        "実行が終わった時点の、プロデューサーの結果です。",
        required {}
        optional {
            "sent": COUNTS,
                "Records handed to `send()`."
                "`send()` に渡したレコードの件数。";
            "never_sent": COUNTS,
                "Records that its process had in hand when it died, and never sent."
                "プロセスがクラッシュしたときに送信待ちだったレコードの件数。";
            "batches": COUNTS,
                "Batches that were appended."
                "ログに追加されたバッチの数。";
            "batch_records": List(&Whole(0, bounds::RECORDS as u64), 0, bounds::RECORDS),
                "How many records these batches hold: each number once, in order."
                "そのバッチのレコード件数。同じ件数は 1 回だけ、小さい順に並べます。";
        }

    table EXPECT_GROUP "expect_group",
        "What a group has to come to at the end of the run."
        "実行が終わった時点の、グループの結果です。",
        required {}
        optional {
            "owner": MapOf(Kind::Partition, &Either(&[Ref(Kind::Member), Null])),
                "The member that works on each partition; `null` for nobody."
                "各パーティションを担当しているメンバー。いなければ `null`。";
            "processed": COUNTS,
                "Records processed at least once."
                "1 回以上処理されたレコードの件数。";
            "processed_twice": MapOf(Kind::Partition, &List(&OFFSET, 0, bounds::RECORDS)),
                "In each partition, exactly the records at these offsets have been processed more than once. Partitions that are not named are not looked at."
                "各パーティションで 2 回以上処理されたレコードのオフセット。過不足なく書きます。書かれていないパーティションは検査されません。";
            "duplicates": Either(&[COUNT, Object(&EXPECT_DUPLICATES)]),
                "The sum over all records of (times processed - 1), or the same apart by fault."
                "重複の数。全レコードについて「処理回数 - 1」を合計した値です。原因別に分けて書くこともできます。";
            "records_duplicated": COUNTS,
                "Records processed more than once."
                "2 回以上処理されたレコードの件数。";
            "lost": COUNTS,
                "Records that have never been processed and no longer will be."
                "1 回も処理されず、今後も処理されないレコードの件数。";
            "out_of_order": COUNTS,
                "Records that were first processed after a later record of the same key."
                "同じキーの後続レコードより後に、初めて処理されたレコードの件数。";
            "swaps": COUNTS,
                "Records that were first processed after a later record of the topic, whatever its key."
                "キーに関係なく、同じトピックの後続レコードより後に、初めて処理されたレコードの件数。";
            "overlaps": COUNTS,
                "Times that two members had the same record in hand at the same time."
                "2 台のメンバーが、同じレコードを同時に処理していた回数。";
            "rebalances": COUNTS,
                "Rebalances after the first generation. In the consumer protocol, how often the group epoch has risen after the first member came, while there was a member."
                "最初の世代より後に行われたリバランスの回数。consumer プロトコルでは、最初のメンバーの参加より後に、メンバーがいる状態でグループエポックが上がった回数。";
            "generation": COUNTS,
                "The last generation; in the consumer protocol, the group epoch."
                "最後の世代番号。consumer プロトコルではグループエポック。";
            "committed": MapOf(Kind::Partition, &Either(&[OFFSET, Null])),
                "The committed offset of each partition; `null` for none."
                "各パーティションのコミット済みオフセット。なければ `null`。";
            "stored": MapOf(Kind::Partition, &Either(&[OFFSET, Null])),
                "The number that the group keeps for each partition in the database of its table; `null` for none."
                "グループがテーブルのデータベースに保存している、各パーティションのオフセット。なければ `null`。";
            "end": MapOf(Kind::Partition, &COUNTS),
                "The log end offset of each partition."
                "各パーティションのログ終端オフセット（log end offset）。";
            "lag": MapOf(Kind::Partition, &Either(&[COUNT, Object(&BOUNDS), Null])),
                "The log end offset minus the committed offset of each partition; `null` where nothing is committed."
                "各パーティションのラグ（log end offset からコミット済みオフセットを引いた値）。コミットがなければ `null`。";
            "unread": MapOf(Kind::Partition, &Either(&[COUNT, Object(&BOUNDS), Null])),
                "The log end offset minus the position of whoever reads each partition, as Kafka's metric `records-lag`; `null` where nobody reads."
                "各パーティションのログ終端オフセットから、読んでいるメンバーのポジションを引いた値（Kafka のメトリクス `records-lag`）。読むメンバーがいなければ `null`。";
            "uncommitted_age": MapOf(Kind::Partition, &AGES),
                "The lag as a time: how long ago the record at the committed offset of each partition was sent; `null` where there is none."
                "時間で見たラグ。各パーティションのコミット済みオフセットにあるレコードが送信されてからの時間。レコードがなければ `null`。";
            "unread_age": MapOf(Kind::Partition, &AGES),
                "The same of the record at the position of whoever reads each partition."
                "各パーティションを読んでいるメンバーのポジションにあるレコードについての、同じ時間。";
            "unprocessed_age": MapOf(Kind::Partition, &AGES),
                "The same of the oldest record that the group has not processed and can still come to."
                "グループがまだ処理していない、これから処理できる最も古いレコードについての、同じ時間。";
            "unowned": MapOf(Kind::Partition, &TIMES),
                "How long nobody worked on each partition, after somebody had."
                "各パーティションの担当がいなかった時間の合計。最初に担当が決まる前は含みません。";
            "rebalancing": TIMES,
                "The time between two generations, over all rebalances after the first generation."
                "リバランスにかかった時間の合計。最初の世代が始まる前は含みません。";
            "stopped": TIMES,
                "How long nobody in the group worked on any partition, after somebody had."
                "グループのどのメンバーも、どのパーティションも担当していなかった時間の合計。最初に担当が決まる前は含みません。";
            "pending": COUNTS,
                "Records that are neither processed nor lost nor set aside."
                "まだ処理されておらず、失われても別のトピックへ送られてもいないレコードの件数。";
            "set_aside": COUNTS,
                "Records never processed of which a copy was sent to another topic (`on_error`, `send_by`)."
                "処理できず、コピーが別のトピックへ送られたレコードの件数（`on_error` の `send_by`）。";
            "busy": COUNTS,
                "Members that work on at least one partition."
                "1 つ以上のパーティションを担当しているメンバーの数。";
            "members": MapOf(Kind::Member, &Object(&EXPECT_MEMBER)),
                "What each member comes to."
                "メンバーごとの結果。";
            "errors": MapOfWords(
                &[
                    word("ILLEGAL_GENERATION", "the request is of an old generation", "リクエストの世代が古い"),
                    word("UNKNOWN_MEMBER_ID", "the sender is no member any more", "送信元がもうメンバーではない"),
                    word("REBALANCE_IN_PROGRESS", "the group is rebalancing", "グループがリバランス中である"),
                    word("FENCED_INSTANCE_ID", "another process has the same `group.instance.id`", "同じ `group.instance.id` を持つ別のプロセスがある"),
                    word("INCONSISTENT_GROUP_PROTOCOL", "the member has no assignor in common with the others", "ほかのメンバーと共通のアサイナーがない"),
                    word("GROUP_MAX_SIZE_REACHED", "the group is full", "グループが満員である"),
                    word("FENCED_MEMBER_EPOCH", "the heartbeat names another member epoch", "ハートビートのメンバーエポックが現在のものと違う"),
                    word("UNRELEASED_INSTANCE_ID", "the member that has the `group.instance.id` has not left", "その `group.instance.id` のメンバーがまだ離脱していない"),
                    word("STALE_MEMBER_EPOCH", "the commit names an older member epoch", "コミットのメンバーエポックが古い")
                ],
                &COUNT
            ),
                "How often the coordinator has refused a request, by error. Errors that are not named must not occur; `{}` expects none at all."
                "コーディネーターがリクエストを拒否した回数。エラーごとに書きます。書かれていないエラーは起きてはならず、`{}` なら 1 回も起きないことを期待します。";
        }

    table EXPECT_MEMBER "expect_member",
        "What a member has to come to at the end of the run."
        "実行が終わった時点の、メンバーの結果です。",
        required {}
        optional {
            "owns": Either(&[List(&Ref(Kind::Partition), 0, bounds::PARTITIONS), COUNT, Object(&BOUNDS)]),
                "The partitions that it works on, in any order, or only how many."
                "担当しているパーティション。順番は問いません。数だけを書くこともできます。";
            "processed": COUNTS,
                "Records that it has processed, repetitions included."
                "処理したレコードの件数。重複も数えます。";
            "callbacks": List(&Str, 0, MOST_CHECKS),
                "The calls of its rebalance listener, in order. Each is `assigned`, `revoked` or `lost` and the partitions, apart by blanks: `assigned orders-0 orders-1`."
                "リバランスリスナーの呼び出し。順番どおりに書きます。`assigned`、`revoked`、`lost` のどれかに、空白で区切ったパーティション名を続けます（`assigned orders-0 orders-1`）。";
        }

    table BOUNDS "bounds",
        "A number within bounds."
        "範囲で表した数です。",
        required {}
        optional {
            "at_least": COUNT, default Default::Json("0"), "The least." "最小値。";
            "at_most": COUNT, default Default::Json("1000000"), "The most." "最大値。";
        }

    table TIME_BOUNDS "time_bounds",
        "A length of time within bounds."
        "範囲で表した時間です。",
        required {}
        optional {
            "at_least": Duration(Span::ZERO, bounds::DURATION), default Default::Json("\"0s\""),
                "The shortest." "最短時間。";
            "at_most": Duration(Span::ZERO, bounds::DURATION), default Default::Json("\"30d\""),
                "The longest." "最長時間。";
        }

    table EXPECT_DUPLICATES "expect_duplicates",
        "Duplicates apart by fault."
        "原因別に分けた、重複の数です。",
        required {}
        optional {
            "total": COUNTS,
                "All of them."
                "重複の合計。";
            "of_stopped": COUNTS,
                "Repeated, because a process had stopped before it committed."
                "停止したプロセスがコミットしていなかったために、やり直した数。";
            "of_survivors": COUNTS,
                "Repeated, because a member that goes on running lost the partition before it committed."
                "動作中のメンバーが、コミットする前に担当を失ったために、やり直した数。";
            "of_rewinds": COUNTS,
                "Repeated on purpose: `seek()` or a reset of the group's offsets went back."
                "`seek()` やオフセットのリセットで意図的に戻したために、やり直した数。";
            "of_sharing": COUNTS,
                "Repeated, because several consumers read the partition and at least one of them by `assign()`."
                "複数のコンシューマーが同じパーティションを読み、そのうち 1 つ以上が `assign()` を使ったために重複した数。";
        }

    table EXPECT_SINK "expect_sink",
        "What a table has to come to at the end of the run."
        "実行が終わった時点の、テーブルの結果です。",
        required {}
        optional {
            "rows": COUNTS, "Its rows." "行数。";
            "absorbed": COUNTS,
                "Writes that the unique key turned into nothing."
                "ユニークキーによって無視された書き込みの数。";
            "written": COUNTS,
                "All writes that succeeded, whether they made a row or not."
                "成功した書き込みの合計。行が増えなかったものも数えます。";
            "stale": COUNTS,
                "Writes of an upsert that put the value of an earlier record over that of a later one."
                "upsert のうち、あとのレコードの値を前のレコードの値で上書きしたものの数。";
        }

    table TAKES "takes",
        "The time from the first step that meets a condition to the next one that meets another."
        "ある条件を満たす最初のステップから、次に別の条件を満たすステップまでの時間です。",
        required {
            "from": Object(&CONDITION), "The start." "始まりの条件。";
            "to": Object(&CONDITION), "The end." "終わりの条件。";
        }
        optional {
            "at_least": Duration(Span::ZERO, bounds::DURATION), default Default::Json("\"0s\""),
                "The least time." "最短時間。";
            "at_most": Duration(Span::ZERO, bounds::DURATION), default Default::Json("\"30d\""),
                "The most time." "最長時間。";
        }
}
