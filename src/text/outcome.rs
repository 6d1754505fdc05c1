//! How a run came out, in a few lines.

use super::{Lang, format, names};
use crate::sim::{GroupId, PartitionId, RecordId, Simulation, Time};

/// What the run has come to up to the present moment: a few lines for each group.
pub fn outcome(lang: Lang, run: &Simulation) -> Vec<String> {
    (0..run.setup().groups.len()).map(GroupId::at).flat_map(|group| of_group(lang, run, group)).collect()
}

/// What to say before the outcome of a run that was to go on to its end and did not come to it.
pub fn stopped_early(lang: Lang, run: &Simulation) -> Option<String> {
    let (steps, at) = (format::number(u64::from(run.steps())), format::span(lang, run.now().since(Time::ZERO)));
    let end = format::span(lang, run.setup().ends_at.since(Time::ZERO));
    (!run.has_ended()).then(|| {
        both!(
            lang,
            "シミュレーションは、ステップ数の上限（{steps}）に達したため、{end}のうち {at}で打ち切られました。以下は、そこまでの結果です。",
            "The run was stopped after {at} of {end}: it has {steps} steps, as many as it may have. What follows is the outcome up to there."
        )
    })
}

fn of_group(lang: Lang, run: &Simulation, group: GroupId) -> Vec<String> {
    let mut lines = vec![processed(lang, run, group), duplicates(lang, run, group)];
    lines.extend(set_aside(lang, run, group));
    lines.extend(rebalances(lang, run, group));
    for sink in run.sinks_of(group) {
        let (table, rows) = (names::sink(run, sink), format::rows(lang, run.sink(sink).rows));
        let processed = format::records(lang, run.ledger(group).processed);
        lines.push(both!(
            lang,
            "{table} には {rows}あります。処理されたレコードは {processed}です。",
            "{table} holds {rows} for {processed}."
        ));
    }
    lines
}

fn processed(lang: Lang, run: &Simulation, group: GroupId) -> String {
    let (ledger, lost) = (run.ledger(group), run.lost(group).total());
    let name = names::group(run, group);
    let topics = run.topics_of(group);
    let is_for_it = |record: &RecordId| topics.contains(&run.place(run.record(*record).partition).topic);
    let sent = (0..run.records()).map(RecordId).filter(is_for_it).count() as u32;
    let (sent, processed) = (format::records(lang, sent), format::number(u64::from(ledger.processed)));
    let lost_records = format::number(u64::from(lost));
    match lost {
        0 => both!(
            lang,
            "{name} は、送信された {sent}のうち {processed} 件を処理しました。失われたレコードはありません。",
            "{name} has processed {processed} of {sent} sent. Nothing is lost."
        ),
        _ => both!(
            lang,
            "{name} は、送信された {sent}のうち {processed} 件を処理しました。{lost_records} 件は失われました。",
            "{name} has processed {processed} of {sent} sent. Lost: {lost_records}."
        ),
    }
}

/// Records that it could not process and sent elsewhere.
fn set_aside(lang: Lang, run: &Simulation, group: GroupId) -> Option<String> {
    let (name, count) = (names::group(run, group), run.ledger(group).set_aside);
    let records = format::records(lang, count);
    (count > 0).then(|| {
        both!(
            lang,
            "{name} が処理できず、コピーを別のトピックへ送ったレコード: {records}。",
            "Not processed by {name}, which sent a copy to another topic: {records}."
        )
    })
}

/// How often the group rebalanced after its first generation, and how long its partitions had nobody at work.
fn rebalances(lang: Lang, run: &Simulation, group: GroupId) -> Option<String> {
    let (ledger, name) = (run.ledger(group), names::group(run, group));
    if ledger.rebalances == 0 {
        return None;
    }
    let count = format::number(u64::from(ledger.rebalances));
    let rebalancing = format::span(lang, ledger.rebalancing(run.now()));
    let unowned = |partition: PartitionId| ledger.partitions[partition.index()].unowned(run.now());
    let longest = format::span(lang, run.partitions_of_group(group).map(unowned).max()?);
    let never_owned = |partition: PartitionId| !ledger.partitions[partition.index()].was_ever_owned();
    Some(match run.partitions_of_group(group).all(never_owned) {
        true => both!(
            lang,
            "{name} のリバランスは {count} 回、合計 {rebalancing}でした。パーティションを担当したメンバーはいませんでした。",
            "Rebalances of {name}: {count}, {rebalancing} in all. Nobody was ever at work on a partition."
        ),
        false => both!(
            lang,
            "{name} のリバランスは {count} 回、合計 {rebalancing}でした。担当が不在だった時間は、最も長いパーティションで {longest}です。",
            "Rebalances of {name}: {count}, {rebalancing} in all. The longest that a partition had nobody at work: {longest}."
        ),
    })
}

fn duplicates(lang: Lang, run: &Simulation, group: GroupId) -> String {
    let (ledger, name) = (run.ledger(group), names::group(run, group));
    let (stopped, survivors) = (ledger.duplicates_of_stopped, ledger.duplicates_of_survivors);
    let rewinds = ledger.duplicates_of_rewinds;
    let all = format::records(lang, stopped + survivors + rewinds);
    let (stopped_count, survivors_count) = (format::number(u64::from(stopped)), format::number(u64::from(survivors)));
    let shared = format::records(lang, ledger.duplicates_of_sharing);
    match (stopped, survivors) {
        _ if rewinds > 0 => {
            let rewinds = format::number(u64::from(rewinds));
            both!(
                lang,
                "{name} では、{all}がもう一度処理されました。うち {rewinds} 件は、seek() やオフセットのリセットで意図的に読み直したものです。",
                "Processed again by {name}: {all}, {rewinds} of them on purpose, after seek() or a reset of offsets."
            )
        }
        (0, 0) if ledger.duplicates_of_sharing > 0 => both!(
            lang,
            "{name} では、同じパーティションを読む別のコンシューマーにも {shared}が処理されました（assign()）。",
            "Processed again by {name}: {shared}, by another consumer that reads the same partition (assign())."
        ),
        (0, 0) => both!(
            lang,
            "{name} で 2 回以上処理されたレコードはありません。",
            "{name} has processed no record more than once."
        ),
        (_, 0) => both!(
            lang,
            "{name} では、停止したメンバーがコミットしていなかった {all}が、もう一度処理されました。",
            "Processed again by {name}: {all}, not committed by a member that stopped."
        ),
        (0, _) => both!(
            lang,
            "{name} では、動作中のメンバーがリバランス前にコミットしていなかった {all}が、もう一度処理されました。",
            "Processed again by {name}: {all}, not committed by a living member before the rebalance."
        ),
        _ => both!(
            lang,
            "{name} では、{all}がもう一度処理されました。停止したメンバーの未コミット分が {stopped_count} 件、動作中のメンバーの未コミット分が {survivors_count} 件です。",
            "Processed again by {name}: {all}, {stopped_count} not committed by a member that stopped and {survivors_count} by a living one."
        ),
    }
}
