//! What is said and asked.

use super::Table;
use super::prelude::*;

tables! {
    STORY "Story and questions" "解説と問題",
        "The story follows the run. Answers to questions are never typed in: they are taken from the run, so they stay right when you change the world."
        "解説は実行に合わせて進みます。問題の答えは書き込みません。実行結果から計算されるため、設定を変えても正しい答えになります。";

    table BEAT "beat",
        "A beat of the story: something that is said when a condition is met, or asked before it is. If the condition never comes true, the beat stays silent."
        "解説の 1 単位です。条件が満たされたときに解説を表示するか、満たされる前に問題を出します。条件が満たされなければ、何も表示されません。",
        required {}
        optional {
            "when": Object(&CONDITION),
                "It is said at the first step that meets this."
                "この条件を満たす最初のステップで表示します。";
            "before": Object(&CONDITION),
                "It is asked before the first step that meets this."
                "この条件を満たす最初のステップの直前に出題します。";
            "after": Object(&CONDITION),
                "Steps only count after the first one that meets this."
                "この条件が満たされた後のステップだけを対象にします。";
            "say": Object(&TEXT),
                "What is said."
                "解説の文章。";
            "ask": Object(&ASK),
                "What is asked."
                "問題。";
        }
        rules { Rule::OneOf(&[&["when", "say"], &["before", "ask"]]) }

    table ASK "ask",
        "A question with answers to choose from. It is left out if all answers come to the same number."
        "選択肢から答える問題です。すべての選択肢が同じ値になる場合は出題されません。",
        required {
            "text": Object(&TEXT), "The question." "問題文。";
            "answer": Object(&QUANTITY), "The right answer." "正解。";
            "tempting": List(&Object(&QUANTITY), 1, MOST_TEMPTING),
                "Wrong answers that seem right."
                "正解のように見える、誤った選択肢。";
        }
        optional {}

    table QUANTITY "quantity",
        "A number that is taken from the run."
        "実行結果から取り出す数値です。",
        required {}
        optional {
            "position_of": Ref(Kind::Partition),
                "The group's position in this partition: what the next `poll()` returns."
                "パーティションでのグループのポジション。次の `poll()` が返すオフセットです。";
            "processed_to": Ref(Kind::Partition),
                "The offset behind the last record that the group has processed in this partition."
                "グループがこのパーティションで最後に処理したレコードの、次のオフセット。";
            "committed_of": Ref(Kind::Partition),
                "The offset that the group has committed in this partition."
                "グループがこのパーティションでコミットしたオフセット。";
            "end_of": Ref(Kind::Partition),
                "The log end offset of this partition."
                "パーティションのログ終端オフセット（log end offset）。";
            "processed_times": Object(&RECORD_PLACE),
                "How often the group has processed this record."
                "グループがこのレコードを処理した回数。";
            "duplicates_of": Ref(Kind::Group),
                "How often this group has processed a record once more."
                "グループが処理済みのレコードをもう一度処理した回数。";
            "rows_of": Ref(Kind::Sink),
                "How many rows this table has."
                "テーブルの行数。";
            "group": Ref(Kind::Group),
                default Default::Words(Text { en: "the only group there is", ja: "グループが 1 つだけなら、そのグループ" }),
                "The group."
                "グループ。";
            "at": Object(&CONDITION),
                default Default::Words(Text { en: "the step that the question is asked before", ja: "問題の直後のステップ" }),
                "The number is taken after the first step that meets this."
                "この条件を満たす最初のステップの後で、数値を取り出します。";
            "after": Object(&CONDITION),
                "For `at`, steps only count after the first one that meets this."
                "`at` の対象を、この条件が満たされた後のステップに限ります。";
        }
        rules {
            Rule::OneOf(&[
                &["position_of"], &["processed_to"], &["committed_of"], &["end_of"], &["processed_times"],
                &["duplicates_of"], &["rows_of"]
            ]),
            Rule::Needs("after", "at")
        }

    table RECORD_PLACE "record_place",
        "A record, by its place."
        "位置で指定したレコードです。",
        required {
            "partition": Ref(Kind::Partition), "The partition." "パーティション。";
            "offset": Whole(0, bounds::RECORDS as u64), "The offset." "オフセット。";
        }
        optional {}
}
