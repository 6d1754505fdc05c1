//! What a run has to come to.

use super::Table;
#[cfg(not(target_arch = "wasm32"))]
use super::prelude::*;

/// The most that a number of an outcome can come to.
#[cfg(not(target_arch = "wasm32"))]
const COUNT: Shape = Whole(0, bounds::STEPS as u64);

#[cfg(not(target_arch = "wasm32"))]
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

    table EXPECT_GROUP "expect_group",
        "What a group has to come to at the end of the run."
        "実行が終わった時点の、グループの結果です。",
        required {}
        optional {
            "owner": MapOf(Kind::Partition, &Either(&[Ref(Kind::Member), Null])),
                "The member that works on each partition; `null` for nobody."
                "各パーティションを担当しているメンバー。いなければ `null`。";
            "processed": COUNT,
                "Records processed at least once."
                "1 回以上処理されたレコードの件数。";
            "processed_twice": MapOf(Kind::Partition, &List(&OFFSET, 0, bounds::RECORDS)),
                "In each partition, exactly the records at these offsets have been processed more than once. Partitions that are not named are not looked at."
                "各パーティションで 2 回以上処理されたレコードのオフセット。過不足なく書きます。書かれていないパーティションは検査されません。";
            "duplicates": Either(&[COUNT, Object(&EXPECT_DUPLICATES)]),
                "The sum over all records of (times processed - 1), or the same apart by fault."
                "重複の数。全レコードについて「処理回数 - 1」を合計した値です。原因別に分けて書くこともできます。";
            "records_duplicated": COUNT,
                "Records processed more than once."
                "2 回以上処理されたレコードの件数。";
            "lost": COUNT,
                "Records that have never been processed and no longer will be."
                "1 回も処理されず、今後も処理されないレコードの件数。";
            "out_of_order": COUNT,
                "Records that were first processed after a later record of the same key."
                "同じキーの後続レコードより後に、初めて処理されたレコードの件数。";
            "swaps": COUNT,
                "Records that were first processed after a later record of the topic, whatever its key."
                "キーに関係なく、同じトピックの後続レコードより後に、初めて処理されたレコードの件数。";
            "overlaps": COUNT,
                "Times that two members had the same record in hand at the same time."
                "2 台のメンバーが、同じレコードを同時に処理していた回数。";
            "rebalances": COUNT,
                "Rebalances after the first generation."
                "最初の世代より後に行われたリバランスの回数。";
            "generation": COUNT,
                "The last generation."
                "最後の世代番号。";
            "committed": MapOf(Kind::Partition, &Either(&[OFFSET, Null])),
                "The committed offset of each partition; `null` for none."
                "各パーティションのコミット済みオフセット。なければ `null`。";
            "end": MapOf(Kind::Partition, &OFFSET),
                "The log end offset of each partition."
                "各パーティションのログ終端オフセット（log end offset）。";
            "errors": MapOfWords(
                &[
                    word("ILLEGAL_GENERATION", "the request is of an old generation", "リクエストの世代が古い"),
                    word("UNKNOWN_MEMBER_ID", "the sender is no member any more", "送信元がもうメンバーではない"),
                    word("REBALANCE_IN_PROGRESS", "the group is rebalancing", "グループがリバランス中である")
                ],
                &COUNT
            ),
                "How often the coordinator has refused a request, by error. Errors that are not named must not occur; `{}` expects none at all."
                "コーディネーターがリクエストを拒否した回数。エラーごとに書きます。書かれていないエラーは起きてはならず、`{}` なら 1 回も起きないことを期待します。";
        }

    table EXPECT_DUPLICATES "expect_duplicates",
        "Duplicates apart by fault."
        "原因別に分けた、重複の数です。",
        required {
            "of_stopped": COUNT,
                "Repeated, because a process had stopped before it committed."
                "停止したプロセスがコミットしていなかったために、やり直した数。";
            "of_survivors": COUNT,
                "Repeated, because a member that goes on running lost the partition before it committed."
                "動作中のメンバーが、コミットする前に担当を失ったために、やり直した数。";
        }
        optional {}

    table EXPECT_SINK "expect_sink",
        "What a table has to come to at the end of the run."
        "実行が終わった時点の、テーブルの結果です。",
        required {}
        optional {
            "rows": COUNT, "Its rows." "行数。";
            "absorbed": COUNT,
                "Writes that the unique key turned into nothing."
                "ユニークキーによって無視された書き込みの数。";
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
