//! What a person can do to the world, and why not now.

use super::{Lang, acting, format, names};
use crate::scene::Subject;
use crate::sim::coordinator::GroupState;
use crate::sim::{Action, Change, ClientId, HandlingOf, Refusal, ResetTo, Simulation, TopicPartition};

/// What a menu is about.
pub fn subject(lang: Lang, run: &Simulation, subject: Subject) -> String {
    match subject {
        Subject::Member(consumer) => names::consumer(run, consumer).to_owned(),
        Subject::Producer(producer) => names::producer(run, producer).to_owned(),
        Subject::Partition(partition) => names::partition(run, partition),
        Subject::Group(group) => names::group(run, group).to_owned(),
        Subject::Message(message) => acting::message(lang, run, message.client, message.kind),
    }
}

/// The label of an action in a menu of what it is done to.
pub fn action(lang: Lang, run: &Simulation, action: Action) -> String {
    let fixed = match action {
        Action::Crash(_) => lang.pick("クラッシュさせる", "Crash"),
        Action::Close(ClientId::Consumer(_)) => lang.pick("離脱させる（close()）", "Leave (close())"),
        Action::Close(ClientId::Producer(_)) => lang.pick("停止させる（close()）", "Stop (close())"),
        Action::Start(_) => lang.pick("起動する", "Start"),
        Action::Restart(_) | Action::RestartProducer(_) => lang.pick("起動し直す", "Restart"),
        Action::Freeze(_) => lang.pick("プロセスを止める（SIGSTOP）", "Freeze (SIGSTOP)"),
        Action::Thaw(_) => lang.pick("動かす（SIGCONT）", "Let it go on (SIGCONT)"),
        Action::Join(_) => lang.pick("コンシューマーを追加する", "Add a consumer"),
        Action::ResetOffsets { to: ResetTo::Earliest, .. } => {
            lang.pick("オフセットを earliest にリセット", "Reset offsets to earliest")
        }
        Action::ResetOffsets { to: ResetTo::Latest, .. } => {
            lang.pick("オフセットを latest にリセット", "Reset offsets to latest")
        }
        _ => return short(lang, run, action),
    };
    fixed.to_owned()
}

fn short(lang: Lang, run: &Simulation, action: Action) -> String {
    match action {
        Action::Pause(consumer, at) => {
            let (name, at) = (names::consumer(run, consumer), place(run, at));
            both!(lang, "{name} が {at} を pause()", "{name}: pause() {at}")
        }
        Action::Resume(consumer, at) => {
            let (name, at) = (names::consumer(run, consumer), place(run, at));
            both!(lang, "{name} が {at} を resume()", "{name}: resume() {at}")
        }
        Action::Seek { consumer, partition, to } => {
            let (name, at) = (names::consumer(run, consumer), place(run, partition));
            both!(lang, "{name} が {at} を seek({to})", "{name}: seek() {at} to {to}")
        }
        Action::AddPartitions { to, .. } => {
            both!(lang, "{to} パーティションに増やす", "Grow to {to} partitions")
        }
        Action::Produce { key: Some(key), .. } => {
            let key = &run.setup().keys[key.index()].text;
            both!(lang, "キー {key} のレコードを送る", "Send a record with the key {key}")
        }
        Action::Produce { key: None, .. } => both!(lang, "キーなしのレコードを送る", "Send a record without a key"),
        Action::Set(Change::HandlingTime { time, .. }) => {
            let time = format::span(lang, time);
            both!(lang, "処理時間を {time}にする", "Take {time} for a record")
        }
        _ => action_on(lang, run, action),
    }
}

pub(super) fn place(run: &Simulation, at: TopicPartition) -> String {
    match run.setup().topics.len() {
        1 => format!("P{}", at.number),
        _ => format!("{}-{}", names::topic(run, at.topic), at.number),
    }
}

/// The same with what it is done to, for a list, a history or a screen reader.
pub fn action_on(lang: Lang, run: &Simulation, action: Action) -> String {
    match action {
        Action::Crash(client) => {
            let name = names::client(run, client);
            both!(lang, "{name} をクラッシュさせる", "Crash {name}")
        }
        Action::Close(client) => {
            let name = names::client(run, client);
            both!(lang, "{name} を停止させる（close()）", "Stop {name} (close())")
        }
        Action::Start(client) => {
            let name = names::client(run, client);
            both!(lang, "{name} を起動する", "Start {name}")
        }
        Action::Restart(consumer) => restart(lang, names::consumer(run, consumer)),
        Action::RestartProducer(producer) => restart(lang, names::producer(run, producer)),
        Action::Freeze(consumer) => {
            let name = names::consumer(run, consumer);
            both!(lang, "{name} のプロセスを止める", "Freeze {name}")
        }
        Action::Thaw(consumer) => {
            let name = names::consumer(run, consumer);
            both!(lang, "{name} のプロセスを動かす", "Let {name} go on")
        }
        Action::Join(group) => {
            let name = names::group(run, group);
            both!(lang, "{name} にコンシューマーを追加する", "Add a consumer to {name}")
        }
        Action::Pause(..) | Action::Resume(..) | Action::Seek { .. } => short(lang, run, action),
        Action::ResetOffsets { group, to, .. } => reset(lang, names::group(run, group), to),
        Action::AddPartitions { topic, to } => {
            let name = names::topic(run, topic);
            both!(lang, "{name} を {to} パーティションに増やす", "Grow {name} to {to} partitions")
        }
        Action::Produce { producer, .. } => {
            let (name, what) = (names::producer(run, producer), short(lang, run, action));
            both!(lang, "{name}: {what}", "{name}: {what}")
        }
        Action::Delay { message, by } => {
            let what = acting::message(lang, run, message.client, message.kind);
            let by = format::span(lang, by);
            both!(lang, "{what}を {by}遅らせる", "Delay {what} by {by}")
        }
        Action::Drop(message) => {
            let what = acting::message(lang, run, message.client, message.kind);
            both!(lang, "{what}を失わせる", "Drop {what}")
        }
        Action::Set(change) => set(lang, run, change),
    }
}

fn restart(lang: Lang, name: &str) -> String {
    both!(lang, "{name} を起動し直す", "Restart {name}")
}

fn reset(lang: Lang, group: &str, to: ResetTo) -> String {
    match to {
        ResetTo::Earliest => {
            both!(lang, "{group} のオフセットを earliest にリセットする", "Reset the offsets of {group} to earliest")
        }
        ResetTo::Latest => {
            both!(lang, "{group} のオフセットを latest にリセットする", "Reset the offsets of {group} to latest")
        }
        ResetTo::Offset(offset) => {
            both!(lang, "{group} のオフセットを {offset} にリセットする", "Reset the offsets of {group} to {offset}")
        }
        ResetTo::ShiftBy(by) => {
            both!(lang, "{group} のオフセットを {by:+} ずらす", "Shift the offsets of {group} by {by:+}")
        }
    }
}

fn set(lang: Lang, run: &Simulation, change: Change) -> String {
    match change {
        Change::HandlingTime { consumer, of, time } => {
            let (name, time) = (names::consumer(run, consumer), format::span(lang, time));
            match of {
                HandlingOf::Every => {
                    both!(lang, "{name} の処理時間を {time}にする", "Let {name} take {time} for a record")
                }
                HandlingOf::Key(key) => {
                    let key = &run.setup().keys[key.index()].text;
                    both!(
                        lang,
                        "キー {key} に対する {name} の処理時間を {time}にする",
                        "Let {name} take {time} for the key {key}"
                    )
                }
                HandlingOf::Partition(at) => {
                    let at = place(run, at);
                    both!(
                        lang,
                        "{at} に対する {name} の処理時間を {time}にする",
                        "Let {name} take {time} for a record of {at}"
                    )
                }
                HandlingOf::Record(at, offset) => {
                    let at = place(run, at);
                    both!(
                        lang,
                        "{at} のオフセット {offset} に対する {name} の処理時間を {time}にする",
                        "Let {name} take {time} for the record at offset {offset} of {at}"
                    )
                }
            }
        }
        Change::Latency { latency, .. } => {
            let latency = format::span(lang, latency);
            both!(lang, "片道の遅延を {latency}にする", "Set the one-way delay to {latency}")
        }
        Change::Rate { producer, per_second } => {
            let name = names::producer(run, producer);
            both!(
                lang,
                "{name} の送信レートを毎秒 {per_second} 件にする",
                "Let {name} send {per_second} records a second"
            )
        }
        Change::UniqueKey { sink, is_unique } => {
            let (name, column) = (names::sink(run, sink), acting::column(run, sink));
            match is_unique {
                true => both!(lang, "{name} にユニークキー {column} を付ける", "Give {name} the unique key {column}"),
                false => both!(lang, "{name} のユニークキー {column} を外す", "Drop the unique key {column} of {name}"),
            }
        }
        Change::SinkDown { sink, is_down } => {
            let name = names::sink(run, sink);
            match is_down {
                true => both!(lang, "{name} のデータベースを止める", "Take the database of {name} down"),
                false => both!(lang, "{name} のデータベースを復旧させる", "Bring the database of {name} up again"),
            }
        }
        Change::Setting { .. } | Change::ProducerSetting { .. } | Change::Commit { .. } | Change::BrokerSetting(_) => {
            let (owner, (setting, value)) = (acting::owner(lang, run, change), acting::assigned(lang, run, change));
            both!(lang, "{owner} の {setting} を {value} にする", "Set {setting} of {owner} to {value}")
        }
    }
}

/// Why an action is not possible here and now.
pub fn refusal(lang: Lang, refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::NotRunning => lang.pick("このプロセスは動いていません", "The process is not running"),
        Refusal::AlreadyRunning => lang.pick("このプロセスはすでに動いています", "The process is running already"),
        Refusal::AlreadyClosing => {
            lang.pick("すでに停止を指示されています", "The process has been asked to stop already")
        }
        Refusal::RunEnded => lang.pick(
            "シミュレーションは終了しています。前の時点に戻れば操作できます",
            "The run has ended; go back to act",
        ),
        Refusal::StepLimit => lang.pick(
            "ステップ数の上限に達しました。前の時点に戻れば操作できます",
            "The run has as many steps as it may have; go back to act",
        ),
        Refusal::Frozen => lang.pick("プロセスが止まっています", "The process stands still"),
        Refusal::NotFrozen => lang.pick("プロセスは止まっていません", "The process does not stand still"),
        Refusal::TooMany => lang.pick("これ以上は増やせません", "There are as many as there may be"),
        Refusal::NoSuchConsumer => {
            lang.pick("このコンシューマーは、まだ参加していません", "This consumer has not joined yet")
        }
        Refusal::NoModel => lang.pick(
            "手本にするコンシューマーがグループにいません",
            "The group has no consumer whose settings it could take",
        ),
        Refusal::NotOwned => lang.pick(
            "このパーティションを担当していないか、読む位置が決まっていません",
            "It does not own the partition, or does not know yet where to read",
        ),
        Refusal::AlreadyPaused => lang.pick("すでに pause() されています", "It is paused already"),
        Refusal::NotPaused => lang.pick("pause() されていません", "It is not paused"),
        Refusal::NoSuchOffset => lang.pick("ログの末尾より先です", "The log does not go that far"),
        Refusal::GroupActive(state) => active(lang, state),
        Refusal::NothingCommitted => {
            lang.pick("コミット済みオフセットがありません", "Nothing is committed from which to shift")
        }
        Refusal::NoSuchPartition => lang.pick(
            "そのパーティションはないか、クライアントがまだ知りません",
            "There is no such partition, or the client does not know it yet",
        ),
        Refusal::NotMorePartitions => {
            lang.pick("パーティション数は増やすことしかできません", "The number of partitions can only grow")
        }
        Refusal::NothingInFlight => lang.pick("そのメッセージは送信中ではありません", "No such message is on its way"),
        Refusal::ProducerRetries => {
            lang.pick("プロデューサーのリトライはまだ再現できません", "Retries of the producer are not modelled yet")
        }
        Refusal::BadValue => lang.pick("この値は使えません", "This value is not allowed"),
        Refusal::NoRate => lang.pick(
            "このプロデューサーは決められたレコードを送るので、レートがありません",
            "The producer sends a list of records, which has no rate",
        ),
        Refusal::NoChange => lang.pick("すでにその値です", "It is so already"),
        Refusal::DuplicateRows => lang.pick(
            "同じイベントの行が 2 つ以上あるため、ユニークキーを付けられません",
            "The table holds an event twice already, so no unique key can be added",
        ),
        Refusal::FixedKey => lang.pick(
            "このテーブルの書き込み方では、ユニークキーを付け外しできません",
            "The way in which this table is written to leaves no choice of a unique key",
        ),
        Refusal::BrokerRestart => lang.pick(
            "ブローカーが起動時に読み込む設定です。ブローカーの再起動は、まだ再現できません",
            "A broker reads it at its start, and restarting one is not modelled yet",
        ),
    }
}

/// Kafka's own tool refuses in these words, but for the state.
fn active(lang: Lang, state: GroupState) -> &'static str {
    macro_rules! refused {
        ($($state:ident)*) => {
            match state {
                $(GroupState::$state => lang.pick(
                    concat!("リセットできるのは、メンバーのいないグループだけです（現在は ", stringify!($state), "）"),
                    concat!("Offsets can only be reset if the group is inactive, but the current state is ", stringify!($state)),
                ),)*
            }
        };
    }
    refused!(Empty PreparingRebalance CompletingRebalance Stable Assigning Reconciling)
}
