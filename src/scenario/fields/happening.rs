//! What happens by script, and the conditions that things are bound to.

use super::Table;
#[cfg(not(target_arch = "wasm32"))]
use super::prelude::*;

tables! {
    HAPPENING "Actions and conditions" "アクションと条件",
        "Actions happen at a moment or after a condition. A condition is met by a step of the run, so it stays right when you change a time or a setting."
        "アクションは、時刻を指定するか、条件が満たされた後に起こします。条件は実行中のステップによって満たされるため、時刻や設定を変えても意味が変わりません。";

    table ACTION "action",
        "Something that happens by script."
        "スクリプトで起こす出来事です。",
        required {}
        optional {
            "crash": Ref(Kind::Member),
                "Kill this member's process. Nobody is told; what it had not committed is lost with it."
                "メンバーのプロセスを強制終了します。このことは誰にも通知されず、コミットしていない分の進捗は失われます。";
            "close": Ref(Kind::Member),
                "Stop this member in order: it calls `close()` and leaves the group."
                "メンバーを正常に終了します。`close()` を呼び、グループから離脱します。";
            "start": Ref(Kind::Member),
                "Start this member again, as a new process."
                "停止しているメンバーを、新しいプロセスとして起動します。";
            "at": Moment,
                "When it happens."
                "起こす時刻。";
            "after": Object(&CONDITION),
                "It happens after the first step that meets this condition."
                "この条件を満たす最初のステップの後に起こします。";
            "wait": Duration(Span::ZERO, bounds::DURATION), default Default::Json("\"0s\""),
                "How long after that. With `0s` it is the very next step."
                "条件が満たされてから待つ時間。`0s` なら、すぐ次のステップになります。";
        }
        rules {
            Rule::OneOf(&[&["crash"], &["close"], &["start"]]),
            Rule::OneOf(&[&["at"], &["after"]]),
            Rule::Needs("wait", "after")
        }

    table CONDITION "condition",
        "Something that a step of the run makes true: a word, or an object with exactly one field."
        "実行中のステップによって満たされる条件です。単語か、項目が 1 つだけのオブジェクトで書きます。",
        or Words(&[
            word("record_appended", "a record has been appended to a log", "レコードがログに追加された"),
            word("ended", "the run has come to its end", "実行が終わった")
        ]),
        required {}
        optional {
            "processed": Object(&PROCESSED),
                "A member has processed so many records."
                "メンバーが、指定した件数のレコードを処理した。";
            "crashed": Ref(Kind::Member),
                "This member has crashed."
                "メンバーがクラッシュした。";
            "closed": Ref(Kind::Member),
                "This member has stopped in order."
                "メンバーが正常に終了した。";
            "restarted": Ref(Kind::Member),
                "This member has been started again."
                "メンバーが再び起動した。";
            "session_expired": Ref(Kind::Member),
                "The coordinator has removed this member, because it had been silent for `session.timeout.ms` (in the consumer protocol, `group.consumer.session.timeout.ms`)."
                "`session.timeout.ms`（consumer プロトコルでは `group.consumer.session.timeout.ms`）の間連絡がなく、コーディネーターがメンバーを外した。";
            "rebalance_started": Ref(Kind::Group),
                "A rebalance of this group has begun; in the consumer protocol, its group epoch has risen."
                "グループのリバランスが始まった（consumer プロトコルでは、グループエポックが上がった）。";
            "generation": Object(&GENERATION),
                "A group has come to a generation."
                "グループが、指定した世代になった。";
            "assigned": Ref(Kind::Member),
                "This member has been given its partitions; in the consumer protocol, at least one."
                "メンバーにパーティションが割り当てられた（consumer プロトコルでは 1 つ以上）。";
            "position_set": Object(&POSITION_SET),
                "A member of the group begins to read a partition."
                "グループのメンバーが、パーティションを読む位置を決めた。";
            "duplicate": Ref(Kind::Group),
                "This group has processed a record once more."
                "グループが、処理済みのレコードをもう一度処理した。";
            "committed": Ref(Kind::Group),
                "This group has committed an offset."
                "グループがオフセットをコミットした。";
            "processed_by": Ref(Kind::Group),
                "This group has processed a record."
                "グループがレコードを処理した。";
        }
        rules { Rule::OneField }

    table PROCESSED "processed",
        "A member has processed so many records, repetitions included."
        "メンバーが処理したレコードの件数です。同じレコードを 2 回処理すれば 2 件と数えます。",
        required {
            "member": Ref(Kind::Member), "The member." "メンバー。";
            "records": Whole(1, bounds::STEPS as u64), "How many records." "件数。";
        }
        optional {}

    table GENERATION "generation",
        "A group has come to a generation. The first one is 1. In the consumer protocol it is the group epoch, which begins with 2 since Kafka 4.3."
        "グループの世代です。最初の世代は 1 です。consumer プロトコルではグループエポックを表し、Kafka 4.3 以降は 2 から始まります。",
        required {
            "group": Ref(Kind::Group), "The group." "グループ。";
            "number": Whole(1, bounds::STEPS as u64), "The generation id." "世代番号。";
        }
        optional {}

    table POSITION_SET "position_set",
        "A member of the group begins to read a partition."
        "グループのメンバーが、パーティションを読む位置を決めた、という条件です。",
        required {
            "partition": Ref(Kind::Partition), "The partition." "パーティション。";
        }
        optional {
            "group": Ref(Kind::Group),
                default Default::Words(Text { en: "the only group there is", ja: "グループが 1 つだけなら、そのグループ" }),
                "The group."
                "グループ。";
        }
}
