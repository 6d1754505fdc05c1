//! The words of the stage.

use super::{Lang, format};
use crate::scene::rebalance::Turn;
use crate::scene::stage::{Batch, Entering, MemberBox, OtherMembers, OtherPartitions, Phase, Status, Try};
use crate::sim::producer::ProducerProcess;
use crate::sim::{BrokerId, Generation, MessageKind, Span};

/// The generation and phase of a group, and who leads it.
pub fn phase(lang: Lang, generation: Generation, phase: Phase, leader: Option<&str>) -> String {
    match (phase, lang) {
        (Phase::Empty, Lang::Ja) => "メンバーなし".to_owned(),
        (Phase::Empty, Lang::En) => "no members".to_owned(),
        (Phase::Gathering, Lang::Ja) => "ほかの参加を待機".to_owned(),
        (Phase::Gathering, Lang::En) => "open to newcomers".to_owned(),
        (Phase::Joining { joined, of }, Lang::Ja) => format!("参加待ち {joined} / {of}"),
        (Phase::Joining { joined, of }, Lang::En) => format!("joined: {joined} of {of}"),
        (Phase::Assigning, _) => {
            let leader = leader.unwrap_or_default();
            both!(lang, "{leader} が割り当て", "{leader} assigns")
        }
        (Phase::Stable, _) if let Some(leader) = leader => {
            both!(lang, "世代 {generation} · リーダー {leader}", "gen. {generation} · leader {leader}")
        }
        _ => rarer_phase(lang, generation, phase),
    }
}

/// The phases of a group of the consumer protocol, and of one without a leader.
#[inline(never)]
fn rarer_phase(lang: Lang, generation: Generation, phase: Phase) -> String {
    match (phase, lang) {
        (Phase::AssigningEpoch, Lang::Ja) => format!("エポック {generation} · 割り当て前"),
        (Phase::AssigningEpoch, Lang::En) => format!("epoch {generation} · to assign"),
        (Phase::Reconciling(members), Lang::Ja) => format!("エポック {generation} · 移行中 {members}"),
        (Phase::Reconciling(members), Lang::En) => format!("epoch {generation} · {members} behind"),
        (Phase::StableEpoch, Lang::Ja) => format!("エポック {generation}"),
        (Phase::StableEpoch, Lang::En) => format!("epoch {generation}"),
        (Phase::Stable, Lang::Ja) => format!("世代 {generation}"),
        (Phase::Stable, Lang::En) => format!("generation {generation}"),
        _ => String::new(),
    }
}

/// How long the coordinator waits for members in a rebalance, at most.
pub fn waits(lang: Lang, left: Span) -> String {
    let seconds = seconds(lang, left);
    both!(lang, "あと最長 {seconds}待つ", "waits up to {seconds}")
}

/// The same where there is little room: the workers of a pool are drawn, so of a queue there is only how full it is.
pub fn drawn_status(lang: Lang, status: &Status) -> String {
    match *status {
        Status::Working { waiting: waiting @ 1.., queue: Some(queue), .. } => {
            both!(lang, "キュー {waiting}/{queue}", "queue {waiting}/{queue}")
        }
        _ => self::status(lang, status),
    }
}

/// What a member does, in a word or two.
pub fn status(lang: Lang, status: &Status) -> String {
    let fixed = match status {
        Status::NotStarted => lang.pick("未起動", "not started"),
        Status::Joining(Entering::Asking) => lang.pick("グループに参加中", "joining"),
        Status::Joining(Entering::GaveUp) => lang.pick("再参加へ", "about to rejoin"),
        Status::Joining(Entering::WaitsForOthers) => lang.pick("ほかの参加待ち", "awaits others"),
        Status::Joining(Entering::Assigns) => lang.pick("割り当てを計算", "assigning"),
        Status::Joining(Entering::WaitsForLeader) => lang.pick("割り当て待ち", "awaits leader"),
        Status::Polling => lang.pick("レコード待ち", "waiting"),
        Status::Holding { records: 1, record, .. } => return both!(lang, "手元に {record}", "holds {record}"),
        Status::Holding { records, .. } => return both!(lang, "手元に {records} 件", "holds {records} records"),
        Status::Handling { again: None, .. } => lang.pick("処理中", "processing"),
        Status::Committing => lang.pick("コミット中", "committing"),
        Status::Crashed { silence: Some(_), .. } => lang.pick("応答なし", "crashed, silent"),
        Status::Crashed { .. } => lang.pick("クラッシュ", "crashed"),
        _ => return rarer_status(lang, status),
    };
    fixed.to_owned()
}

/// What few members do.
#[inline(never)]
fn rarer_status(lang: Lang, status: &Status) -> String {
    let fixed = match status {
        Status::Handling { again: Some(again), .. } => return nth_try(lang, *again),
        Status::Idle => lang.pick("待機中", "idle"),
        Status::Working { workers, waiting: waiting @ 1.., queue: Some(queue), .. } => {
            return both!(lang, "並行 {workers}・キュー {waiting}/{queue}", "{workers} busy, queue {waiting}/{queue}");
        }
        Status::Working { workers, waiting: 0, .. } => {
            return both!(lang, "{workers} 件を並行処理", "{workers} busy");
        }
        Status::Working { workers, waiting, .. } => {
            return both!(lang, "並行 {workers}・待ち {waiting}", "{workers} busy · {waiting} wait");
        }
        Status::Resting { next, .. } => return resting(lang, *next),
        Status::Frozen { for_long, .. } => {
            let seconds = seconds(lang, *for_long);
            return both!(lang, "プロセス停止 {seconds}", "frozen for {seconds}");
        }
        Status::Closed => lang.pick("離脱済み", "has left"),
        _ => "",
    };
    fixed.to_owned()
}

/// Which try it is.
#[inline(never)]
fn nth_try(lang: Lang, Try { nth, most }: Try) -> String {
    match most {
        Some(most) => both!(lang, "試行 {nth}/{most}", "try {nth} of {most}"),
        None => both!(lang, "試行 {nth} 回目", "try {nth}"),
    }
}

/// Before which try it sleeps.
#[inline(never)]
fn resting(lang: Lang, Try { nth, most }: Try) -> String {
    match most {
        Some(most) => both!(lang, "再試行待ち {nth}/{most}", "waits, try {nth}/{most}"),
        None => both!(lang, "再試行待ち {nth}", "waits, try {nth}"),
    }
}

/// The lag of a partition, if anything is committed there.
pub fn lag(lang: Lang, records: Option<u32>) -> String {
    records.map_or_else(|| format::number_or_dash(None), |records| format::short_number(lang, records))
}

/// The partitions of a member.
pub fn owned(lang: Lang, member: &MemberBox) -> String {
    match member.status {
        Status::Crashed { generation, .. } => both!(lang, "世代 {generation} のメンバー", "was in gen. {generation}"),
        _ if member.is_zombie => both!(lang, "グループ外", "out of the group"),
        Status::Joining(entering) if entering != Entering::Asking && member.partitions.is_empty() => {
            both!(lang, "担当なし", "owns nothing")
        }
        Status::Idle => both!(lang, "担当なし", "owns nothing"),
        _ => first_few(&member.partitions),
    }
}

/// What one of many members does and what it owns, in a line. Where both have no room, what it owns: the record in hand, if there
/// is one, stands above.
pub fn brief(lang: Lang, member: &MemberBox) -> String {
    let does = status(lang, &member.status);
    match &member.status {
        _ if let Some(kind) = member.message => message(kind),
        _ if member.is_zombie => owned(lang, member),
        Status::Crashed { silence: Some(silence), .. } => {
            let silent = seconds(lang, silence.silent);
            both!(lang, "応答なし {silent}", "silent for {silent}")
        }
        Status::Resting { .. } | Status::Handling { again: Some(_), .. } => does,
        _ if let Some(exchange) = exchange(lang, member) => exchange,
        _ if member.partitions.is_empty() => does,
        _ => {
            // In Latin letters.
            const ROOM: usize = 19;
            let names = first_few(&member.partitions);
            let letters = does.chars().count() * lang.pick(5, 3) / 3 + " · ".chars().count() + names.chars().count();
            if letters > ROOM { names } else { format!("{does} · {names}") }
        }
    }
}

/// What a member sends to its coordinator or gets from it, by its name in the protocol.
pub fn message(kind: MessageKind) -> String {
    format!("{} {}", if kind.is_answer { "←" } else { "→" }, kind.api.name())
}

/// Offers to look at a step as the group sees it that it is about.
pub fn see_as(lang: Lang, group: &str) -> String {
    both!(lang, "{group} から見る", "See it as {group}")
}

/// What a member of the consumer protocol is still to give up, or to get.
pub fn exchange(lang: Lang, member: &MemberBox) -> Option<String> {
    let (turn, partitions) = member.exchange.as_ref()?;
    let partitions = first_few(partitions);
    Some(match turn {
        Turn::GivesUp => both!(lang, "{partitions} を返す", "gives up {partitions}"),
        _ => both!(lang, "{partitions} 待ち", "waits for {partitions}"),
    })
}

/// Whose progress a topic shows; nothing where that goes without saying.
pub fn seen_by(lang: Lang, group: &str) -> String {
    if group.is_empty() { String::new() } else { seen_by_group(lang, group) }
}

#[inline(never)]
fn seen_by_group(lang: Lang, group: &str) -> String {
    both!(lang, "{group} から見た状態", "as {group} sees it")
}

/// As many names as there is room for, and how many more there are.
fn first_few(names: &[String]) -> String {
    const ROOM: usize = 14;
    let mut used = 0;
    let fitting = names.iter().take_while(|name| {
        used += name.chars().count() + 2;
        used <= ROOM + 2
    });
    let shown = fitting.count().max(1).min(names.len());
    match names.len() - shown {
        0 => names.join(", "),
        more => format!("{} +{more}", names[..shown].join(", ")),
    }
}

/// Records that a member has processed and not committed.
pub fn uncommitted(lang: Lang, count: u32) -> String {
    both!(lang, "未コミット {count}", "{count} uncommitted")
}

/// A member for a screen reader.
pub fn member_label(lang: Lang, member: &MemberBox) -> String {
    let (name, does) = (&member.name, status(lang, &member.status));
    let owns = match (lang, member.partitions.is_empty()) {
        (Lang::Ja, true) => "担当パーティションなし".to_owned(),
        (Lang::Ja, false) => format!("担当 {}", member.partitions.join("、")),
        (Lang::En, true) => "owns no partition".to_owned(),
        (Lang::En, false) => format!("owns {}", member.partitions.join(", ")),
    };
    let owns = if member.paused.is_empty() { owns } else { with_paused(lang, &owns, &member.paused) };
    match member.is_leader {
        true => both!(
            lang,
            "コンシューマー {name}、{does}、{owns}、グループのリーダー",
            "consumer {name}, {does}, {owns}, leads the group"
        ),
        false => both!(lang, "コンシューマー {name}、{does}、{owns}", "consumer {name}, {does}, {owns}"),
    }
}

#[inline(never)]
fn with_paused(lang: Lang, owns: &str, paused: &[String]) -> String {
    match lang {
        Lang::Ja => format!("{owns}、pause() 中 {}", paused.join("、")),
        Lang::En => format!("{owns}, paused {}", paused.join(", ")),
    }
}

/// A producer for a screen reader.
pub fn producer_label(lang: Lang, name: &str, process: ProducerProcess) -> String {
    match process {
        ProducerProcess::Running => both!(lang, "プロデューサー {name}", "producer {name}"),
        _ => ended_producer_label(lang, name, process),
    }
}

#[inline(never)]
fn ended_producer_label(lang: Lang, name: &str, process: ProducerProcess) -> String {
    match process {
        ProducerProcess::Running => String::new(),
        ProducerProcess::Crashed => both!(lang, "プロデューサー {name}、クラッシュ", "producer {name}, crashed"),
        ProducerProcess::Closed => both!(lang, "プロデューサー {name}、停止済み", "producer {name}, closed"),
    }
}

/// What a producer's process is doing, if it does not just run.
pub fn producer_status(lang: Lang, process: ProducerProcess) -> &'static str {
    match process {
        ProducerProcess::Running => super::labels::producer(lang),
        ProducerProcess::Crashed => lang.pick("クラッシュ", "crashed"),
        ProducerProcess::Closed => lang.pick("停止済み", "closed"),
    }
}

/// How many records a batch holds.
pub fn batch(lang: Lang, batch: &Batch) -> String {
    let (records, elsewhere) = (batch.records, batch.elsewhere);
    match elsewhere {
        0 => both!(lang, "バッチ {records} 件", "batch of {records}"),
        _ => both!(lang, "バッチ {records} 件 +{elsewhere}", "batch of {records} +{elsewhere}"),
    }
}

/// No batch is open.
pub const fn no_batch(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "バッチなし",
        Lang::En => "no batch waits",
    }
}

/// Requests without an answer.
pub fn in_flight(lang: Lang, requests: u32) -> String {
    both!(lang, "応答待ち {requests}", "in flight: {requests}")
}

/// A partition's leader.
pub fn leader(lang: Lang, broker: BrokerId) -> String {
    let broker = broker.0;
    both!(lang, "ブローカー {broker}", "broker {broker}")
}

/// A partition for a screen reader.
pub fn partition_label(lang: Lang, name: &str) -> String {
    both!(lang, "パーティション {name}", "partition {name}")
}

/// A group for a screen reader.
pub fn group_label(lang: Lang, name: &str) -> String {
    both!(lang, "{name} グループ", "{name} group")
}

/// How many rows a table has. Of many there is room for the number only.
pub fn rows(lang: Lang, count: u32) -> String {
    let rows = format::short_number(lang, count);
    match count {
        1 => both!(lang, "{rows} 行", "{rows} row"),
        1_000.. => both!(lang, "{rows} 行", "{rows}"),
        _ => both!(lang, "{rows} 行", "{rows} rows"),
    }
}

/// The unique key of a table.
pub fn unique_key(lang: Lang, column: &str) -> String {
    match lang {
        Lang::Ja => format!("ユニークキー {column}"),
        Lang::En => format!("unique {column}"),
    }
}

/// Writes that the unique key absorbed.
pub fn absorbed(lang: Lang, count: u32) -> String {
    match lang {
        Lang::Ja => format!("{count} 件は無視"),
        Lang::En => format!("{count} ignored"),
    }
}

/// Partitions that are summed up.
pub fn other_partitions(lang: Lang, others: OtherPartitions) -> String {
    let OtherPartitions { count, unowned, lag, .. } = others;
    let lag = format::short_number(lang, lag);
    match unowned {
        0 => both!(lang, "ほか {count} パーティション：ラグ {lag}", "{count} more partitions: lag {lag}"),
        _ => both!(
            lang,
            "ほか {count} パーティション：担当なし {unowned}、ラグ {lag}",
            "{count} more partitions: {unowned} without an owner, lag {lag}"
        ),
    }
}

/// How many members are summed up.
pub fn other_members(lang: Lang, others: OtherMembers) -> String {
    let count = others.count;
    both!(lang, "ほか {count} メンバー", "{count} more members")
}

/// What they do.
pub fn what_others_do(lang: Lang, others: OtherMembers) -> String {
    let OtherMembers { busy, gone, .. } = others;
    match gone {
        0 => both!(lang, "処理中 {busy}", "{busy} processing"),
        _ => both!(lang, "処理中 {busy} · 停止 {gone}", "{busy} busy · {gone} gone"),
    }
}

/// What the signs of the stage mean: a tile that is hollow, ringed, filled, crossed, left by an arrow; the caret; the flag; corners.
/// Each in a word, and what is added where there is room.
pub const fn signs(lang: Lang) -> [(&'static str, &'static str); 8] {
    match lang {
        Lang::Ja => [
            ("未処理", ""),
            ("手元", ""),
            ("処理済み", ""),
            ("消失", ""),
            ("退避", "（別トピックへ）"),
            ("ポジション", "（次の poll() で渡される位置）"),
            ("コミット済み", "（次の担当はここから読む）"),
            ("選択中の対象", ""),
        ],
        Lang::En => [
            ("not processed", ""),
            ("in hand", ""),
            ("processed", ""),
            ("lost", ""),
            ("set aside", ": a copy is in another topic"),
            ("position", ": what poll() returns next"),
            ("committed", ": where the next owner starts"),
            ("what is selected", ""),
        ],
    }
}

/// Words that stand on a stage with groups or with tables and are explained below it.
pub fn words_on_stage(lang: Lang, has_groups: bool, has_sinks: bool) -> &'static str {
    match (has_groups, has_sinks) {
        (true, true) => lang.pick("用語 ラグ 世代 ユニークキー", "Terms lag generation unique key"),
        (true, false) => lang.pick("用語 ラグ 世代", "Terms lag generation"),
        (false, true) => lang.pick("用語 ユニークキー", "Terms unique key"),
        (false, false) => "",
    }
}

/// Rows that are not shown.
pub fn rows_above(lang: Lang, count: u32) -> String {
    let count = format::short_number(lang, count);
    both!(lang, "↑ 前に {count} 行", "↑ {count} earlier")
}

/// Records before those that are shown of a tape.
pub fn earlier(lang: Lang, count: u32) -> String {
    let count = format::short_number(lang, count);
    both!(lang, "‹ {count}", "‹ {count}")
}

/// Records behind those that are shown of a tape.
pub fn later(lang: Lang, count: u32) -> String {
    let count = format::short_number(lang, count);
    both!(lang, "+{count}", "+{count}")
}

/// Which row of a record it is.
pub fn nth_row(lang: Lang, nth: u16) -> String {
    match (lang, nth) {
        (Lang::Ja, _) => format!("{nth} 行目"),
        (Lang::En, 2) => "2nd row".to_owned(),
        (Lang::En, 3) => "3rd row".to_owned(),
        (Lang::En, _) => format!("{nth}th row"),
    }
}

/// Whole seconds, for a clock that runs.
pub fn seconds(lang: Lang, span: Span) -> String {
    let seconds = span.as_micros() / 1_000_000;
    match lang {
        Lang::Ja => format!("{seconds} 秒"),
        Lang::En => format!("{seconds} s"),
    }
}
