//! How far a group was behind, over time, in words.

use super::{Lang, format, names};
use crate::explain::lag::{Because, Chart, LagShape, Stands};
use crate::sim::{GroupId, Simulation, Span, Time};

/// The name of a shape.
pub fn shape(lang: Lang, run: &Simulation, shape: &LagShape) -> String {
    match shape {
        LagShape::Empty => both!(lang, "まだレコードがありません", "No records yet"),
        LagShape::KeepsUp => both!(lang, "遅れていません", "Keeps up"),
        LagShape::Stands(Stands { partitions, .. }) => {
            let partitions = names::partition_list(lang, run, partitions);
            both!(
                lang,
                "{partitions} のラグが急に増え、増え続けている",
                "{partitions}: rises suddenly, and goes on rising"
            )
        }
        LagShape::OnePartition { partition, .. } => {
            let partition = names::partition(run, *partition);
            both!(lang, "{partition} だけが遅れている", "{partition} alone falls behind")
        }
        LagShape::Rebalancing { .. } => {
            both!(lang, "リバランスのたびに増減している", "Goes up and down with the rebalances")
        }
        LagShape::Commits { .. } => both!(lang, "のこぎり形に増減している", "Goes up and down like a saw"),
        LagShape::Rises => both!(lang, "じわじわ増え続けている", "Rises slowly"),
        LagShape::Falls { .. } => both!(lang, "追いつきつつある", "Catches up"),
    }
}

/// What such a shape comes from here.
pub fn cause(lang: Lang, run: &Simulation, shape: &LagShape, chart: &Chart) -> String {
    match shape {
        LagShape::Empty => both!(
            lang,
            "レコードが書き込まれると、ここにグラフが描かれます。",
            "Once something has been written, it is drawn here."
        ),
        LagShape::KeepsUp => both!(
            lang,
            "書き込まれたレコードは、まもなくコミットされています。",
            "What is written is committed soon after."
        ),
        LagShape::Stands(stands) => {
            let since = format::clock(lang, stands.since);
            let because = because(lang, run, stands.because);
            both!(
                lang,
                "{since}からコミットがありません。{because}",
                "Nothing has been committed since {since}: {because}"
            )
        }
        LagShape::OnePartition { partition, percent, written } => {
            let partition = names::partition(run, *partition);
            let skew = both!(
                lang,
                "{partition} に、ラグの {percent} % と書き込みの {written} % が集中しています。キーが偏っていると、コンシューマーを増やしても解消しません。",
                "{partition} has {percent} % of the lag and got {written} % of what was written. Where keys are skewed, more consumers do not help."
            );
            let slow = both!(
                lang,
                "{partition} への書き込みは全体の {written} % なのに、ラグの {percent} % を占めています。このパーティションのレコードは、処理に時間がかかっています。",
                "{partition} got only {written} % of what was written, but has {percent} % of the lag: its records take longer to handle."
            );
            if *written >= 50 { skew } else { slow }
        }
        LagShape::Rebalancing { rebalances } => both!(
            lang,
            "この間に {rebalances} 回リバランスしています。止まっている間にたまり、再開すると減ります。",
            "{rebalances} rebalances in this time: while the group stands still it falls behind, then it catches up."
        ),
        LagShape::Commits { peaks } => both!(
            lang,
            "{peaks} 回の山があります。ラグはコミット済みオフセットから数えるので、処理済みでもコミット前の分は含まれます。コミットの間隔が長いと、この形になります。",
            "{peaks} peaks. Lag counts from what is committed, so what is processed and not committed yet is part of it: seldom commits make such teeth."
        ),
        LagShape::Rises => {
            let (written, done) = rates(chart);
            both!(
                lang,
                "書き込みが毎秒 {written} 件、処理が毎秒 {done} 件。処理能力が足りていません。",
                "{written} records a second are written, {done} are processed: there is too little capacity."
            )
        }
        LagShape::Falls { from, to } => {
            let (from, to) = (format::number(u64::from(*from)), format::number(u64::from(*to)));
            both!(
                lang,
                "最大 {from} 件から {to} 件まで減りました。処理が書き込みを上回っています。",
                "It was {from} records at most and is {to} now: more is processed than written."
            )
        }
    }
}

fn because(lang: Lang, run: &Simulation, because: Because) -> String {
    match because {
        Because::Rebalancing => {
            both!(
                lang,
                "グループがリバランス中で、まだ誰も読んでいません。",
                "the group is rebalancing, and nobody reads it meanwhile."
            )
        }
        Because::Nobody => {
            both!(lang, "読んでいるメンバーがいません。", "no member that is alive reads it.")
        }
        Because::Frozen(consumer) => {
            let consumer = names::consumer(run, consumer);
            both!(
                lang,
                "担当の {consumer} のプロセスが停止したままです。",
                "the process of its owner, {consumer}, stands still."
            )
        }
        Because::SinkDown(sink) => {
            let sink = names::sink(run, sink);
            both!(lang, "書き込み先の {sink} がダウンしています。", "the table that is written to, {sink}, is down.")
        }
        Because::Failing(record) => {
            let record = names::record(run, record);
            both!(lang, "{record} の処理が失敗し続けています。", "the handling of {record} fails again and again.")
        }
    }
}

/// Records a second that were written, and that were processed.
fn rates(chart: &Chart) -> (String, String) {
    let per_second = |records: u32| {
        let tenths = u64::from(records) * 10_000_000 / chart.length().as_micros().max(1);
        format!("{}.{}", format::number(tenths / 10), tenths % 10)
    };
    (per_second(chart.appended), per_second(chart.processed))
}

/// How much was written and processed meanwhile.
pub fn throughput(lang: Lang, chart: &Chart) -> String {
    let ((written, done), length) = (rates(chart), format::span(lang, chart.length()));
    let (all, handled) = (format::records(lang, chart.appended), format::records(lang, chart.processed));
    both!(
        lang,
        "{length}の間に、書き込み {all}（毎秒 {written} 件）、処理 {handled}（毎秒 {done} 件）",
        "In {length}: {all} written ({written} a second), {handled} processed ({done} a second)"
    )
}

/// What the line of those that have none of their own stands for.
pub fn others(lang: Lang, summed: usize) -> String {
    both!(lang, "ほか {summed}", "{summed} others")
}

/// The greatest lag, and when it was.
pub fn peak(lang: Lang, records: u32, at: Time) -> String {
    let (records, at) = (format::number(u64::from(records)), format::clock(lang, at));
    both!(lang, "最大 {records}（{at}）", "most: {records}, at {at}")
}

/// A stretch of time up to the present moment.
pub fn window(lang: Lang, length: Span) -> String {
    let length = format::span(lang, length);
    both!(lang, "直近 {length}", "last {length}")
}

/// What a drawing shows, to those who do not see it.
pub fn drawing(lang: Lang, run: &Simulation, group: GroupId, is_age: bool) -> String {
    let group = names::group(run, group);
    match is_age {
        false => both!(lang, "{group} のラグ（レコード数）の推移", "Lag of {group} over time, in records"),
        true => both!(lang, "{group} のラグ（時間）の推移", "Lag of {group} over time, as an age"),
    }
}
