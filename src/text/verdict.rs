//! What a run comes to: labels, values, and what they mean.

use super::{Lang, format, names};
use crate::explain::{Idle, IdleBecause, Verdict};
use crate::sim::Simulation;
use crate::sim::ledger::Lost;

/// The label of a verdict.
pub fn verdict_label(lang: Lang, verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::OrderInPartition { .. } => lang.pick("パーティション内の順序", "Order inside each partition"),
        Verdict::OrderAcrossTopic { .. } => lang.pick("トピック全体の順序", "Order across the topic"),
        Verdict::Duplicates { .. } => lang.pick("重複", "Duplicates"),
        Verdict::Lost(_) => lang.pick("消失", "Lost"),
        Verdict::Lag { .. } => lang.pick("ラグ", "Lag"),
        Verdict::Parallelism { .. } => lang.pick("並列度", "Parallelism"),
    }
}

/// The value of a verdict, short.
pub fn verdict_value(lang: Lang, verdict: &Verdict) -> String {
    match *verdict {
        Verdict::OrderInPartition { broken: 0 } => both!(lang, "維持", "kept"),
        Verdict::OrderInPartition { broken } => broken_order(lang, broken),
        Verdict::OrderAcrossTopic { swaps } => {
            let count = format::number(u64::from(swaps));
            match swaps {
                0 => both!(lang, "維持", "kept"),
                1 => both!(lang, "入れ替わり 1 件", "1 swap"),
                _ => both!(lang, "入れ替わり {count} 件", "{count} swaps"),
            }
        }
        Verdict::Duplicates { of_stopped, of_survivors, of_rewinds, of_sharing, .. } => {
            format::number(u64::from(of_stopped + of_survivors + of_rewinds + of_sharing))
        }
        Verdict::Lost(lost) => format::number(u64::from(lost.total())),
        // Without a commit nothing says how far the group is behind.
        Verdict::Lag { records: None, .. } => both!(lang, "コミットなし", "nothing committed"),
        Verdict::Lag { records: Some(records), oldest: None } => format::number(u64::from(records)),
        Verdict::Lag { records: Some(records), oldest: Some(age) } => {
            let (records, age) = (format::number(u64::from(records)), format::span(lang, age));
            both!(lang, "{records}・最古 {age}", "{records} · oldest {age}")
        }
        Verdict::Parallelism { busy, partitions } => both!(lang, "{busy} / {partitions}", "{busy} of {partitions}"),
    }
}

#[inline(never)]
fn broken_order(lang: Lang, broken: u32) -> String {
    let broken = format::number(u64::from(broken));
    both!(lang, "乱れ {broken} 件", "broken {broken}")
}

/// What a verdict says, in one or two sentences.
pub fn verdict_explanation(lang: Lang, verdict: &Verdict) -> String {
    match *verdict {
        Verdict::OrderInPartition { broken: 0 } => both!(
            lang,
            "同じキーのレコードは、パーティションに書き込まれた順（オフセットの順）に処理されています。",
            "Records of one key have been processed in the order in which the log holds them."
        ),
        Verdict::OrderAcrossTopic { swaps: 0 } => both!(
            lang,
            "ここまで、トピック全体で見ても送信順に処理されています。ただし Kafka が保証するのはパーティション内の順序だけです。",
            "So far even the whole topic has been processed in the order of sending. Kafka promises this only inside a partition."
        ),
        Verdict::OrderAcrossTopic { swaps } => {
            let records = format::number(u64::from(swaps));
            both!(
                lang,
                "トピック全体で見ると、あとから送信されたレコードに追い越されたレコードが {records} 件あります。パーティションをまたぐ順序は保証されません。",
                "Records overtaken by one that was sent later, anywhere in the topic: {records}. Kafka promises no order across partitions."
            )
        }
        Verdict::Duplicates { of_sharing: 0, of_stopped, of_survivors, of_rewinds: 0, absorbed: 0, .. } => {
            duplicates(lang, of_stopped, of_survivors)
        }
        Verdict::Lost(lost) if lost.total() == 0 => both!(
            lang,
            "すべてのレコードが、処理済みか、これから処理できる状態です。",
            "Every record has been processed or still can be."
        ),
        Verdict::Lag { .. } => both!(
            lang,
            "コミットのあるパーティションについて、ログの末尾とコミット済みオフセットの差を合計した値です。「最古」は、未処理のレコードのうち最も古いものが待っている時間です。",
            "Log end minus committed offset, over all partitions with a commit. Oldest is how long the oldest unprocessed record has waited."
        ),
        Verdict::Parallelism { busy, partitions } => both!(
            lang,
            "{partitions} パーティションを {busy} 台のコンシューマーが担当しています。1 パーティションを担当できるのは同時に 1 台なので、上限は {partitions} 台です。",
            "Members that own a partition: {busy}. A partition has one owner at a time, so no more than {partitions} can work."
        ),
        _ => faulty(lang, verdict),
    }
}

/// What a verdict says of what few stories show: records out of order, lost, read again on purpose, or by a key.
#[inline(never)]
fn faulty(lang: Lang, verdict: &Verdict) -> String {
    match *verdict {
        Verdict::OrderInPartition { broken } => {
            let records = format::number(u64::from(broken));
            both!(
                lang,
                "同じキーのあとのレコードに追い越されたレコードが {records} 件あります。",
                "Records overtaken by a later one of the same key: {records}."
            )
        }
        Verdict::Duplicates { of_sharing: 1.., of_stopped, of_survivors, of_rewinds: 0, .. }
            if of_stopped + of_survivors == 0 =>
        {
            both!(
                lang,
                "assign() で読むコンシューマーは、同じパーティションをほかと分担しません。それぞれがすべてのレコードを処理しています。",
                "A consumer that reads by assign() shares its partitions with nobody: whoever reads them, too, processes all of their records."
            )
        }
        Verdict::Duplicates { of_stopped, of_survivors, of_rewinds: 0, absorbed, .. } => {
            absorbed_duplicates(lang, of_stopped, of_survivors, absorbed)
        }
        Verdict::Duplicates { of_stopped, of_survivors, of_rewinds, .. } => {
            let (rewinds, others) =
                (format::records(lang, of_rewinds), format::records(lang, of_stopped + of_survivors));
            both!(
                lang,
                "もう一度処理されたレコード: seek() やオフセットのリセットで意図的に読み直したもの {rewinds}、それ以外 {others}。",
                "Processed again: {rewinds} on purpose, after seek() or a reset of offsets; {others} for other reasons."
            )
        }
        Verdict::Lost(lost) if lost.skipped_by_error > 0 => lost_by_errors(lang, lost),
        Verdict::Lost(Lost { skipped_by_commit: 0, skipped_by_reset: 0, never_sent, .. }) => {
            let records = format::records(lang, never_sent);
            both!(
                lang,
                "プロデューサーがクラッシュし、送信されないまま失われたレコード: {records}。",
                "Lost with a producer that crashed before it sent them: {records}."
            )
        }
        Verdict::Lost(lost) if lost.never_sent > 0 => {
            let (by_commit, by_reset) =
                (format::records(lang, lost.skipped_by_commit), format::records(lang, lost.skipped_by_reset));
            let never_sent = format::records(lang, lost.never_sent);
            both!(
                lang,
                "処理されないレコード: コミットに飛ばされたもの {by_commit}、開始位置の変更に飛ばされたもの {by_reset}、送信されなかったもの {never_sent}。",
                "Never processed: {by_commit} skipped by a commit, {by_reset} by where reading began, {never_sent} never sent."
            )
        }
        Verdict::Lost(lost) => skipped(lang, lost),
        _ => String::new(),
    }
}

/// What skipped the records that nobody reads any more; only what has skipped some.
#[inline(never)]
fn skipped(lang: Lang, lost: Lost) -> String {
    let (by_commit, by_reset) =
        (format::records(lang, lost.skipped_by_commit), format::records(lang, lost.skipped_by_reset));
    let by = match (lost.skipped_by_commit, lost.skipped_by_reset) {
        (_, 0) => both!(lang, "コミットに飛ばされたもの {by_commit}", "{by_commit} skipped by a commit"),
        (0, _) => both!(
            lang,
            "auto.offset.reset・seek()・リセットに飛ばされたもの {by_reset}",
            "{by_reset} skipped by auto.offset.reset, seek() or a reset"
        ),
        _ => both!(
            lang,
            "コミットに飛ばされたもの {by_commit}、auto.offset.reset・seek()・リセットに飛ばされたもの {by_reset}",
            "{by_commit} skipped by a commit, {by_reset} by auto.offset.reset, seek() or a reset"
        ),
    };
    both!(lang, "処理されず、もう読まれることのないレコード: {by}。", "Never processed and never read again: {by}.")
}

/// Leads what a verdict is about: what is listed, and where each goes.
pub fn concerned(lang: Lang, verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::OrderInPartition { .. } | Verdict::OrderAcrossTopic { .. } => {
            lang.pick("追い越されたレコード（処理されたステップへ移動）", "Overtaken; go to where each was processed")
        }
        Verdict::Duplicates { .. } => {
            lang.pick("重複したレコード（2 回目の処理へ移動）", "Repeated; go to the second processing of")
        }
        Verdict::Lost(_) => lang.pick("失われたレコード（失われたステップへ移動）", "Lost; go to what lost"),
        Verdict::Lag { .. } => lang.pick(
            "まだコミットされていないレコード（追加されたステップへ移動）",
            "Not committed; go to where each was appended",
        ),
        Verdict::Parallelism { .. } => {
            lang.pick("担当のないメンバー（そうなったステップへ移動）", "Without work; go to where that began")
        }
    }
}

/// Said where a verdict is about nothing.
pub fn none_concerned(lang: Lang, verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Parallelism { .. } => {
            lang.pick("起動したメンバーは、すべて担当を持っています。", "Every member that has started has work.")
        }
        _ => lang.pick("ここまでに該当するレコードはありません。", "No record so far."),
    }
}

/// A member without work, and why.
pub fn idle(lang: Lang, run: &Simulation, idle: &Idle) -> String {
    let name = names::consumer(run, idle.consumer);
    match idle.because {
        IdleBecause::Crashed => both!(lang, "{name}: クラッシュ", "{name}: crashed"),
        IdleBecause::Closed => both!(lang, "{name}: 離脱", "{name}: has left"),
        IdleBecause::Failed => both!(lang, "{name}: エラーで終了", "{name}: ended by an error"),
        IdleBecause::Frozen => both!(lang, "{name}: プロセスが停止中", "{name}: stands still"),
        IdleBecause::NoPartition => both!(lang, "{name}: 割り当てなし", "{name}: got no partition"),
        IdleBecause::Waiting => both!(lang, "{name}: 割り当て待ち", "{name}: waits for its partitions"),
    }
}

fn duplicates(lang: Lang, of_stopped: u32, of_survivors: u32) -> String {
    if of_stopped + of_survivors == 0 {
        return both!(lang, "2 回以上処理されたレコードはありません。", "No record has been processed more than once.");
    }
    let (stopped, survivors) = (format::records(lang, of_stopped), format::records(lang, of_survivors));
    both!(
        lang,
        "もう一度処理されたレコード: 停止したメンバーの未コミット分 {stopped}、動作中のメンバーの未コミット分 {survivors}。",
        "Processed again: {stopped} not committed by a member that stopped, {survivors} not committed by a living one."
    )
}

/// The same where a key may have ignored writes.
#[inline(never)]
fn absorbed_duplicates(lang: Lang, of_stopped: u32, of_survivors: u32, absorbed: u32) -> String {
    if of_stopped + of_survivors == 0 || absorbed == 0 {
        return duplicates(lang, of_stopped, of_survivors);
    }
    let (stopped, survivors) = (format::records(lang, of_stopped), format::records(lang, of_survivors));
    let writes = format::number(u64::from(absorbed));
    both!(
        lang,
        "もう一度処理されたレコード: 停止したメンバーの未コミット分 {stopped}、動作中のメンバーの未コミット分 {survivors}。ユニークキーで無視された書き込み {writes} 件。",
        "Processed again: {stopped} of a member that stopped, {survivors} of a living one. Writes that the unique key ignored: {writes}."
    )
}

/// What is lost where an application went on behind records that it could not process.
#[inline(never)]
fn lost_by_errors(lang: Lang, lost: Lost) -> String {
    let by_error = format::records(lang, lost.skipped_by_error);
    let others = format::records(lang, lost.total() - lost.skipped_by_error);
    match lost.total() - lost.skipped_by_error {
        0 => both!(
            lang,
            "処理の例外をきっかけに飛ばされ、もう読まれることのないレコード: {by_error}。",
            "Skipped after an exception of the application, and never read again: {by_error}."
        ),
        _ => both!(
            lang,
            "処理されず、もう読まれることのないレコード: 処理の例外をきっかけに飛ばされたもの {by_error}、それ以外 {others}。",
            "Never processed and never read again: {by_error} skipped after an exception of the application, {others} for other reasons."
        ),
    }
}
