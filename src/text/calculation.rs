//! Arithmetic, line by line.

use super::{Lang, format, names};
use crate::explain::{Calculation, Share, Uncommitted};
use crate::sim::assignor::{Assignor, ServerAssignor};
use crate::sim::partitioner::KeyHash;
use crate::sim::partitioner::hash::{kafkajs_legacy, murmur2};
use crate::sim::{Simulation, TopicId};

/// A calculation as lines of arithmetic.
pub fn calculation(lang: Lang, run: &Simulation, calculation: &Calculation) -> Vec<String> {
    match calculation {
        Calculation::Hash { key, hash, partitions, result } => {
            let key = key.map(|key| &*run.setup().keys[key.index()].text);
            let mut lines = hash_lines(lang, *hash, key);
            let divided = hash.of(key.map(str::as_bytes));
            lines.push(format!("{divided} mod {partitions} = {result}"));
            lines
        }
        Calculation::Target { assignor, partitions, members, shares } => {
            let mut lines = match assignor {
                ServerAssignor::Uniform => vec![uniform(lang, *partitions, *members)],
                ServerAssignor::Range => Vec::new(),
            };
            lines.extend(shares.iter().map(|share| share_line(lang, run, share)));
            lines
        }
        Calculation::Turn { turn, partitions, result } => {
            vec![both!(
                lang,
                "{turn} 番目: {turn} mod {partitions} = {result}",
                "turn {turn}: {turn} mod {partitions} = {result}"
            )]
        }
        Calculation::Sticky { partition, bytes, batch_size } => {
            let partition = names::partition(run, *partition);
            let (bytes, size) = (format::number(u64::from(*bytes)), format::number(u64::from(*batch_size)));
            vec![both!(
                lang,
                "{partition} に入ったバイト数: {bytes}（batch.size={size}）",
                "bytes for {partition} so far: {bytes} (batch.size={size})"
            )]
        }
        Calculation::Dealt { assignor, topics, shares, waiting } => {
            let mut lines = match assignor {
                Assignor::Range => range(lang, run, topics),
                Assignor::RoundRobin | Assignor::RoundRobinAssigner => vec![in_turn(lang, topics)],
                Assignor::Sticky | Assignor::CooperativeSticky => balanced(lang, topics, shares.len() as u32),
            };
            lines.extend(shares.iter().map(|share| share_line(lang, run, share)));
            if !waiting.is_empty() {
                let waiting = names::partition_list(lang, run, waiting);
                lines.push(both!(
                    lang,
                    "{waiting}: 今の担当が手放すまで、どのメンバーにも割り当てない",
                    "{waiting}: for nobody until the present owner has given it up"
                ));
            }
            lines
        }
        Calculation::Lag { partition, end, committed } => {
            let partition = names::partition(run, *partition);
            let lag = end.saturating_sub(*committed);
            vec![both!(
                lang,
                "{partition} のラグ = 末尾 {end} − コミット済み {committed} = {lag}",
                "lag of {partition} = end {end} − committed {committed} = {lag}"
            )]
        }
        Calculation::Silence { setting, heard_at, timeout, now } => {
            let (heard_at, now) = (format::clock(lang, *heard_at), format::clock(lang, *now));
            let timeout = format::span(lang, *timeout);
            vec![both!(
                lang,
                "最後の連絡 {heard_at} + {setting} {timeout} = {now}",
                "last heard at {heard_at} + {setting} {timeout} = {now}"
            )]
        }
        Calculation::Uncommitted(parts) => parts.iter().map(|part| uncommitted(lang, run, part)).collect(),
    }
}

/// The hash of a key, and what is done with it before it is divided.
fn hash_lines(lang: Lang, hash: KeyHash, key: Option<&str>) -> Vec<String> {
    let bytes = key.unwrap_or_default();
    let (name, number) = (hash.name(), hash.of(key.map(str::as_bytes)));
    let signed = match hash {
        KeyHash::Murmur2 => murmur2(bytes.as_bytes()),
        KeyHash::KafkaJsLegacy => kafkajs_legacy(bytes.as_bytes()),
        _ => {
            let mut lines = vec![format!("{name}(\"{bytes}\") = {number}")];
            if let KeyHash::Salted(salt) = hash {
                lines.insert(0, both!(lang, "このプロセスのソルト = {salt}", "salt of this process = {salt}"));
            }
            return lines;
        }
    };
    let mut lines = vec![format!("{name}(\"{bytes}\") = {signed}")];
    if signed < 0 {
        lines.push(format!("{signed} & 0x7fffffff = {number}"));
    }
    lines
}

fn range(lang: Lang, run: &Simulation, topics: &[(TopicId, u32, u32)]) -> Vec<String> {
    let divisions = topics.iter().map(|&(topic, partitions, members)| {
        let topic = &run.setup().topics[topic.index()].name;
        let (each, over) = (partitions / members.max(1), partitions % members.max(1));
        match over {
            0 => {
                both!(lang, "{topic}: {partitions} ÷ {members} = {each}", "{topic}: {partitions} ÷ {members} = {each}")
            }
            1 => both!(
                lang,
                "{topic}: {partitions} ÷ {members} = {each} 余り 1（先頭のメンバーが 1 つ多く受け持つ）",
                "{topic}: {partitions} ÷ {members} = {each}, remainder 1: the first member gets one more"
            ),
            _ => both!(
                lang,
                "{topic}: {partitions} ÷ {members} = {each} 余り {over}（先頭の {over} メンバーが 1 つずつ多く受け持つ）",
                "{topic}: {partitions} ÷ {members} = {each}, remainder {over}: the first {over} members get one more"
            ),
        }
    });
    divisions.collect()
}

fn uniform(lang: Lang, partitions: u32, members: u32) -> String {
    let (each, over) = (partitions / members.max(1), partitions % members.max(1));
    match over {
        0 => both!(lang, "{partitions} ÷ {members} = {each}", "{partitions} ÷ {members} = {each}"),
        1 => both!(
            lang,
            "{partitions} ÷ {members} = {each} 余り 1（1 メンバーが 1 つ多く受け持つ）",
            "{partitions} ÷ {members} = {each}, remainder 1: one member gets one more"
        ),
        _ => both!(
            lang,
            "{partitions} ÷ {members} = {each} 余り {over}（{over} メンバーが 1 つずつ多く受け持つ）",
            "{partitions} ÷ {members} = {each}, remainder {over}: that many members get one more"
        ),
    }
}

fn in_turn(lang: Lang, topics: &[(TopicId, u32, u32)]) -> String {
    let partitions = format::partitions(lang, topics.iter().map(|&(_, partitions, _)| partitions).sum());
    both!(
        lang,
        "{partitions}を 1 つずつ、購読しているメンバーに順番に配る",
        "{partitions} in turn, one by one, to the members that subscribe"
    )
}

/// Where all members subscribe to the same topics, how many partitions each may keep.
fn balanced(lang: Lang, topics: &[(TopicId, u32, u32)], members: u32) -> Vec<String> {
    if topics.iter().any(|&(.., subscribed)| subscribed != members) {
        return vec![both!(
            lang,
            "購読が違うので、担当を保ちながら、購読の範囲で偏りが減るように動かす",
            "subscriptions differ: owners stay, and partitions move as long as that evens things out"
        )];
    }
    let partitions: u32 = topics.iter().map(|&(_, partitions, _)| partitions).sum();
    let (least, over) = (partitions / members.max(1), partitions % members.max(1));
    vec![match over {
        0 => both!(
            lang,
            "{partitions} ÷ {members} = {least}: 各メンバーは {least} つまで手元に残す",
            "{partitions} ÷ {members} = {least}: each member keeps up to {least}"
        ),
        _ => both!(
            lang,
            "{partitions} ÷ {members} = {least} 余り {over}: 各メンバーは {least} つまで、{over} メンバーはもう 1 つ手元に残す",
            "{partitions} ÷ {members} = {least}, remainder {over}: each member keeps up to {least}, and {over} of them one more"
        ),
    }]
}

fn share_line(lang: Lang, run: &Simulation, share: &Share) -> String {
    let name = names::consumer(run, share.consumer);
    let list = |partitions: &[crate::sim::PartitionId]| match partitions.is_empty() {
        true => both!(lang, "なし", "none"),
        false => names::partition_list(lang, run, partitions),
    };
    let gets = list(&share.partitions);
    match share.had.is_empty() {
        true => format!("{name}: {gets}"),
        false => format!("{name}: {} → {gets}", list(&share.had)),
    }
}

fn uncommitted(lang: Lang, run: &Simulation, part: &Uncommitted) -> String {
    let (partition, name) = (names::partition(run, part.partition), names::consumer(run, part.consumer));
    let (from, last) = (part.from, part.processed_to.saturating_sub(1));
    let offsets = match from == last {
        true => both!(lang, "オフセット {from} ", "offset {from}"),
        false => both!(lang, "オフセット {from}〜{last} ", "offsets {from}–{last}"),
    };
    let records = format::records(lang, part.processed_to - from);
    match part.committed {
        Some(committed) => both!(
            lang,
            "{partition}: コミット済みオフセットは {committed}、{name} は{offsets}も処理済み → 未コミット {records}",
            "{partition}: the committed offset is {committed}, but {name} had processed {offsets}: {records} uncommitted"
        ),
        None => both!(
            lang,
            "{partition}: コミットなし、{name} は{offsets}を処理済み → 未コミット {records}",
            "{partition}: nothing is committed, but {name} had processed {offsets}: {records} uncommitted"
        ),
    }
}
