//! Arithmetic, line by line.

use super::{Lang, format, names};
use crate::explain::{Calculation, Share, Uncommitted};
use crate::sim::{Simulation, TopicId};

/// A calculation as lines of arithmetic.
pub fn calculation(lang: Lang, run: &Simulation, calculation: &Calculation) -> Vec<String> {
    match calculation {
        Calculation::Hash { key, hash, positive, partitions, result } => {
            let key = &run.setup().keys[key.index()].text;
            let mut lines = vec![format!("murmur2(\"{key}\") = {hash}")];
            if *hash < 0 {
                lines.push(format!("{hash} & 0x7fffffff = {positive}"));
            }
            lines.push(format!("{positive} mod {partitions} = {result}"));
            lines
        }
        Calculation::Range { topics, members, shares } => range(lang, run, topics, *members, shares),
        Calculation::Uniform { partitions, members, shares } => uniform(lang, run, *partitions, *members, shares),
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
            let setting = setting.name();
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

fn range(lang: Lang, run: &Simulation, topics: &[(TopicId, u32)], members: u32, shares: &[Share]) -> Vec<String> {
    let divisions = topics.iter().map(|&(topic, partitions)| {
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
    divisions.chain(shares.iter().map(|share| line_of(lang, run, share))).collect()
}

fn uniform(lang: Lang, run: &Simulation, partitions: u32, members: u32, shares: &[Share]) -> Vec<String> {
    let (each, over) = (partitions / members.max(1), partitions % members.max(1));
    let division = match over {
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
    };
    std::iter::once(division).chain(shares.iter().map(|share| line_of(lang, run, share))).collect()
}

fn line_of(lang: Lang, run: &Simulation, share: &Share) -> String {
    let name = names::consumer(run, share.consumer);
    let owned = names::partition_list(lang, run, &share.partitions);
    match share.partitions.is_empty() {
        true => both!(lang, "{name}: なし", "{name}: none"),
        false => format!("{name}: {owned}"),
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
