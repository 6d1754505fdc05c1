//! Why a scripted action is refused, in words that a file can expect: the one table of them.

use super::fields::{Word, word};
use crate::sim::Refusal;

macro_rules! refusals {
    ($( $word:literal: $refusal:pat, $en:literal $ja:literal; )*) => {
        /// The words.
        pub const WORDS: &[&str] = &[$($word),*];

        /// The words with what they mean.
        pub const DESCRIBED: &[Word] = &[$(word($word, $en, $ja)),*];

        /// The word of a refusal; nothing for those that no script meets.
        pub const fn word_of(refusal: Refusal) -> Option<&'static str> {
            match refusal {
                $( $refusal => Some($word), )*
                // The names of a file are those of its own things, and behind the end or the last step nothing happens.
                Refusal::RunEnded | Refusal::StepLimit | Refusal::NoSuchConsumer | Refusal::ProducerRetries => None,
            }
        }
    };
}

refusals! {
    "not_running": Refusal::NotRunning,
        "the process is not running" "プロセスが動いていない";
    "already_running": Refusal::AlreadyRunning,
        "the process is running already" "プロセスがすでに動いている";
    "already_closing": Refusal::AlreadyClosing,
        "it has been asked to stop already" "すでに停止を指示されている";
    "frozen": Refusal::Frozen,
        "the process stands still" "プロセスが止まっている";
    "not_frozen": Refusal::NotFrozen,
        "the process does not stand still" "プロセスが止まっていない";
    "too_many": Refusal::TooMany,
        "there are as many consumers, partitions or records as there may be" "コンシューマー、パーティション、レコードのいずれかが上限に達している";
    "no_model": Refusal::NoModel,
        "the group has no consumer whose settings a new one could take" "手本にするコンシューマーがグループにいない";
    "not_owned": Refusal::NotOwned,
        "the member does not own the partition, or does not know its position yet" "メンバーがパーティションを担当していないか、ポジションがまだ決まっていない";
    "already_paused": Refusal::AlreadyPaused,
        "it is paused already" "すでに pause() されている";
    "not_paused": Refusal::NotPaused,
        "it is not paused" "pause() されていない";
    "no_such_offset": Refusal::NoSuchOffset,
        "the log does not go that far" "ログの末尾より先のオフセットである";
    "group_active": Refusal::GroupActive(_),
        "the group has members: only the offsets of an inactive group can be reset" "グループにメンバーがいる。リセットできるのは、メンバーのいないグループのオフセットだけ";
    "nothing_committed": Refusal::NothingCommitted,
        "nothing is committed from which to shift" "ずらす元になるコミット済みオフセットがない";
    "no_such_partition": Refusal::NoSuchPartition,
        "there is no such partition, or the client does not know of it yet" "パーティションがないか、クライアントがまだ知らない";
    "not_more_partitions": Refusal::NotMorePartitions,
        "the topic has as many partitions already" "トピックに、すでにその数のパーティションがある";
    "nothing_in_flight": Refusal::NothingInFlight,
        "no such message was on its way until the end" "最後まで、そのメッセージが送られなかった";
    "fixed_key": Refusal::FixedKey,
        "the way in which the table is written to needs its unique key, or has no column for one" "テーブルの書き込み方の都合で、ユニークキーを付け外しできない";
    "bad_value": Refusal::BadValue,
        "the value does not go with the others that hold then" "その時点のほかの設定と矛盾する値である";
    "no_rate": Refusal::NoRate,
        "the producer sends a list of records, which has no rate" "プロデューサーが送るのはレコードの一覧で、レートがない";
    "no_change": Refusal::NoChange,
        "it is so already" "すでにその値になっている";
    "duplicate_rows": Refusal::DuplicateRows,
        "the table holds an event twice already, so no unique key can be added" "テーブルに同じイベントの行が 2 つ以上あり、ユニークキーを付けられない";
    "broker_restart": Refusal::BrokerRestart,
        "a broker reads the setting when it starts, and restarting brokers is not modelled" "ブローカーが起動時に読み込む設定で、ブローカーの再起動はまだ再現できない";
}
