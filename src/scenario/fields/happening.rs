//! What happens by script, and the conditions that things are bound to.

use super::Table;
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
            "crash": RefClient,
                "Kill this member's or producer's process. Nobody is told; what a member had not committed and what a producer had not sent is lost with it."
                "メンバーやプロデューサーのプロセスを強制終了します。このことは誰にも通知されません。メンバーがコミットしていない分の進捗と、プロデューサーが送信していないレコードは失われます。";
            "close": RefClient,
                "Stop it in order: a member calls `close()` and leaves the group, a producer sends what it has."
                "正常に終了します。メンバーは `close()` を呼んでグループから離脱し、プロデューサーは残りのレコードを送信します。";
            "start": RefClient,
                "Start it again, as a new process."
                "停止しているメンバーやプロデューサーを、新しいプロセスとして起動します。";
            "restart": RefClient,
                "Stop this member or producer in order and start it again as soon as it has ended: a producer, once all that it has sent is acknowledged."
                "メンバーやプロデューサーを正常に終了し、終わりしだい起動します。プロデューサーが終わるのは、送信したものすべての応答を受け取ったときです。";
            "freeze": Ref(Kind::Member),
                "This member's whole process stands still, as with `SIGSTOP` or a long GC pause: no heartbeats, no processing."
                "`SIGSTOP` や長い GC 停止のように、メンバーのプロセス全体を止めます。ハートビートも処理も止まります。";
            "thaw": Ref(Kind::Member),
                "It goes on; what came or became due meanwhile happens then."
                "止まっているプロセスを動かします。その間に届いたものや期限が来たものは、このときに処理します。";
            "join": Ref(Kind::Group),
                "A new consumer joins this group, started as the group's first member is and numbered on from the last one."
                "新しいコンシューマーがグループに参加します。設定はグループの最初のメンバーと同じで、名前には最後のメンバーに続く番号が付きます。";
            "pause": Object(&MEMBER_PARTITION),
                "`pause()`: `poll()` returns no more records of a partition."
                "`pause()` を呼びます。`poll()` は、そのパーティションのレコードを返さなくなります。";
            "resume": Object(&MEMBER_PARTITION),
                "`resume()`."
                "`resume()` を呼びます。";
            "seek": Object(&SEEK),
                "`seek()`: a member goes on elsewhere in a partition."
                "`seek()` を呼び、メンバーがパーティションの別の位置から読みます。";
            "slow_down": Object(&SLOW_DOWN),
                "A member takes another time for its records."
                "メンバーがレコードの処理にかける時間を変えます。";
            "reset_offsets": Object(&RESET_OFFSETS),
                "Sets what a group without members has committed."
                "メンバーのいないグループのコミット済みオフセットを書き換えます。";
            "add_partitions": Object(&ADD_PARTITIONS),
                "Gives a topic more partitions."
                "トピックのパーティションを増やします。";
            "produce": Object(&PRODUCE),
                "A producer sends one record more."
                "プロデューサーがレコードを 1 件追加で送信します。";
            "delay": Object(&DELAY),
                "A message arrives later."
                "メッセージの到着を遅らせます。";
            "drop": Object(&DROP),
                "A message never arrives."
                "メッセージが届かなくなります。";
            "set": Object(&SET),
                "Changes a setting."
                "設定を変更します。";
            "at": Moment,
                "When it happens."
                "起こす時刻。";
            "after": Object(&CONDITION),
                "It happens after the first step that meets this condition."
                "この条件を満たす最初のステップの後に起こします。";
            "wait": Duration(Span::ZERO, bounds::DURATION), default Default::Json("\"0s\""),
                "How long after that. With `0s` it is the very next step."
                "条件が満たされてから待つ時間。`0s` なら、すぐ次のステップになります。";
            "refused": Either(&[Bool, Words(REFUSALS)]),
                "An expectation: `true` or the reason if the action is not possible when it is due, as `kafka-consumer-groups` refuses to reset the offsets of a group with members; `false` if it is possible. Without this field, `logstep-run check` warns of an action that is refused. What is done to all brokers is refused if it is refused for each of them."
                "期待する結果です。実行する時点でアクションが拒否されるなら、`true` または理由を書きます（メンバーのいるグループのオフセットは、`kafka-consumer-groups` でもリセットできません）。実行できるなら `false` です。この項目のないアクションが拒否されると、`logstep-run check` が警告します。すべてのブローカーが対象のアクションは、どのブローカーでも拒否されたときに、拒否されたとみなします。";
        }
        rules {
            Rule::OneOf(&[
                &["crash"], &["close"], &["start"], &["restart"], &["freeze"], &["thaw"], &["join"], &["pause"],
                &["resume"], &["seek"], &["slow_down"], &["reset_offsets"], &["add_partitions"], &["produce"],
                &["delay"], &["drop"], &["set"]
            ]),
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
            "sent": Object(&SENT),
                "A producer has sent so many records."
                "プロデューサーが、指定した件数のレコードを送信した。";
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
            "frozen": Ref(Kind::Member),
                "This member's process stands still."
                "メンバーのプロセスが止まった。";
            "thawed": Ref(Kind::Member),
                "It goes on."
                "止まっていたメンバーのプロセスが動き出した。";
            "poll_timed_out": Ref(Kind::Member),
                "This member has left its group, because it had not called `poll()` for `max.poll.interval.ms`."
                "`max.poll.interval.ms` の間 `poll()` を呼ばず、メンバーがグループから離脱した。";
            "partitions_revoked": Ref(Kind::Member),
                "This member has given up partitions in a rebalance."
                "リバランスでメンバーがパーティションを手放した。";
            "partitions_lost": Ref(Kind::Member),
                "This member has learned that its partitions are no longer its."
                "メンバーが、パーティションを失っていたことを知った。";
            "commit_rejected": Ref(Kind::Member),
                "A commit of this member has been refused."
                "メンバーのコミットが拒否された。";
            "offsets_reset": Ref(Kind::Group),
                "Somebody has reset the offsets of this group."
                "グループのオフセットがリセットされた。";
            "partitions_added": Ref(Kind::Topic),
                "This topic has got more partitions."
                "トピックのパーティションが増えた。";
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

    table SENT "sent",
        "A producer's application has handed so many records to `send()`. They may still wait in a batch."
        "プロデューサーのアプリケーションが `send()` に渡したレコードの件数です。まだバッチの中で待っているものも数えます。",
        required {
            "producer": Ref(Kind::Producer), "The producer." "プロデューサー。";
            "records": Whole(1, bounds::RECORDS as u64), "How many records." "件数。";
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
