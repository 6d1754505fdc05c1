//! What if: in what runs part, and what came of it, in a sentence.

use super::control::place;
use super::{Lang, acting, action_on, format, names, settings};
use crate::explain::compare::{Because, Comparison, Differing, Outcome, Parting, Quantity, Value};
use crate::sim::setup::{CommitPolicy, CommitWhen};
use crate::sim::{Action, Change, Simulation, Span, Time, TopicPartition};

/// What is special about one of the runs, short: `commit.when=before_batch`, `orders: 6 partitions`.
///
/// Each run names what was done in it: another may not have the consumer that it was done to.
pub fn title(lang: Lang, runs: &[&Simulation], partings: &[Parting], index: usize) -> String {
    let run = runs[index];
    let special: Vec<String> = partings
        .iter()
        .filter_map(|parting| match parting {
            Parting::Begun { action, values } => Some(assigned(lang, run, *action, values.get(index)?)),
            Parting::Done { at, action, done } => done.get(index)?.then(|| deed(lang, run, *at, *action)),
        })
        .collect();
    let special = once(special);
    match special.is_empty() {
        false => format::list(lang, &special),
        true if partings.is_empty() => both!(lang, "同じ実行", "The same run"),
        true => both!(lang, "元のまま", "As it was"),
    }
}

/// Each only once: members that were configured otherwise may now be alike.
fn once(items: Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for item in items {
        if !all.contains(&item) {
            all.push(item);
        }
    }
    all
}

/// Leads the values of a setting with which a run can be put beside the one that is looked at.
pub fn with_setting(lang: Lang, run: &Simulation, change: Change) -> String {
    let owner = acting::owner_from_beginning(lang, run, change);
    both!(lang, "最初からこの値だった場合と比較する（{owner}）", "Compare with this from the beginning, {owner}")
}

/// The same for a topic's partitions.
pub const fn more_partitions(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "最初からこの数だった場合と比較する",
        Lang::En => "Compare with this many from the beginning",
    }
}

/// What was changed and what came of it: one sentence, and a second one that says why where the model knows.
pub fn sentence(lang: Lang, runs: &[&Simulation], comparison: &Comparison) -> String {
    let told: Vec<String> = (0..comparison.outcomes.len()).map(|index| clause(lang, runs, comparison, index)).collect();
    let until = comparison.outcomes.iter().map(|outcome| outcome.at).min().unwrap_or(Time::ZERO);
    let until = format::clock(lang, until);
    let all = match lang {
        Lang::Ja => told.iter().map(|clause| format!("{clause}。")).collect::<String>(),
        Lang::En => told.join("; ") + ".",
    };
    let what = match (comparison.is_same(), comparison.told.is_empty(), comparison.has_ended()) {
        (true, true, has_ended) if !comparison.partings.is_empty() => {
            same(lang, &whatever(lang, runs, comparison), &until, has_ended)
        }
        (true, true, true) => both!(
            lang,
            "最後（{until}）まで、結果に違いはありません。",
            "No difference in what counts up to the end, at {until}."
        ),
        (true, true, false) => {
            both!(lang, "{until}までは、結果に違いはありません。", "No difference in what counts up to {until}.")
        }
        (true, false, _) => both!(
            lang,
            "結果に違いはなく、違うのは時間だけです。{all}",
            "No difference in what counts, only in time: {all}"
        ),
        (false, _, true) if lang == Lang::En => capital(&all),
        (false, _, true) => all,
        (false, _, false) => both!(lang, "{until}まで: {all}", "Up to {until}: {all}"),
    };
    match comparison.because.map(|because| because_of(lang, because)) {
        Some(why) => both!(lang, "{what}{why}", "{what} {why}"),
        None => what,
    }
}

/// Nothing came of it.
fn same(lang: Lang, whatever: &str, until: &str, has_ended: bool) -> String {
    match has_ended {
        true => both!(
            lang,
            "{whatever}、最後（{until}）まで結果に違いはありません。",
            "Whether {whatever}: no difference in what counts up to the end, at {until}."
        ),
        false => both!(
            lang,
            "{whatever}、{until}までは結果に違いはありません。",
            "Whether {whatever}: no difference in what counts up to {until}."
        ),
    }
}

/// All that was tried: `with linger.ms=5 or with linger.ms=100`.
fn whatever(lang: Lang, runs: &[&Simulation], comparison: &Comparison) -> String {
    let each = 0..comparison.outcomes.len();
    match lang {
        Lang::Ja => {
            each.map(|index| format!("「{}」でも", title(lang, runs, &comparison.partings, index))).collect::<String>()
        }
        Lang::En => {
            each.map(|index| lead(lang, runs[index], &comparison.partings, index)).collect::<Vec<_>>().join(" or ")
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What one of the runs came to: `with 6 partitions, 6 of 6 members have a partition`.
fn clause(lang: Lang, runs: &[&Simulation], comparison: &Comparison, index: usize) -> String {
    let outcome = &comparison.outcomes[index];
    let facts: Vec<String> = comparison.told.iter().map(|&quantity| fact(lang, quantity, outcome)).collect();
    let (lead, facts) = (lead(lang, runs[index], &comparison.partings, index), and(lang, &facts));
    both!(lang, "{lead}、{facts}です", "{lead}, {facts}")
}

/// `a`, `a and b`, `a, b and c`.
fn and(lang: Lang, items: &[String]) -> String {
    match (lang, items) {
        (Lang::En, [first @ .., last]) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => format::list(lang, items),
    }
}

/// With what one of the runs goes as it does.
fn lead(lang: Lang, run: &Simulation, partings: &[Parting], index: usize) -> String {
    let (mut with, mut done) = (Vec::new(), Vec::new());
    for parting in partings {
        match parting {
            Parting::Begun { action, values } => {
                with.extend(values.get(index).map(|value| described(lang, run, *action, value)));
            }
            Parting::Done { at, action, done: in_runs } if in_runs.get(index) == Some(&true) => {
                done.push(deed(lang, run, *at, *action));
            }
            Parting::Done { .. } => {}
        }
    }
    let (all, deeds) = (and(lang, &once(with)), and(lang, &done));
    // A word of Kafka's and a Japanese one have a space between them.
    let gap = if all.ends_with(|last: char| last.is_ascii()) { " " } else { "" };
    match (all.is_empty(), deeds.is_empty()) {
        (false, true) => both!(lang, "{all}{gap}では", "with {all}"),
        (true, false) => both!(lang, "{deeds}と", "with “{deeds}”"),
        (false, false) => both!(lang, "{all}{gap}で、{deeds}と", "with {all} and “{deeds}”"),
        (true, true) if partings.is_empty() => both!(lang, "いずれも", "each time"),
        (true, true) => both!(lang, "元のままでは", "as it was"),
    }
}

/// Something done by hand, with its time.
fn deed(lang: Lang, run: &Simulation, at: Time, action: Action) -> String {
    let (what, at) = (action_on(lang, run, action), format::clock(lang, at));
    both!(lang, "{at}に {what}", "{what} at {at}")
}

/// The value with which a run begins, as a setting.
fn assigned(lang: Lang, run: &Simulation, action: Action, value: &Value) -> String {
    match value {
        Value::Commit(policy) => {
            let (name, value) = acting::commit_setting(*policy);
            format!("{name}={value}")
        }
        Value::Strategy { used, .. } | Value::Setting(used) => settings::setting(lang, used),
        Value::Partitions(count) => {
            let partitions = format::partitions(lang, *count);
            match action {
                Action::AddPartitions { topic, .. } => {
                    let topic = names::topic(run, topic);
                    both!(lang, "{topic}: {partitions}", "{topic}: {partitions}")
                }
                _ => partitions,
            }
        }
        Value::Rate(per_second) => format!("per_second={per_second}"),
    }
}

/// The same in a sentence.
fn described(lang: Lang, run: &Simulation, action: Action, value: &Value) -> String {
    match value {
        Value::Commit(policy) => commit(lang, *policy),
        Value::Strategy { used, is_cooperative } => {
            let names = settings::value(lang, used);
            match is_cooperative {
                true => both!(lang, "{names}（cooperative）", "{names} (cooperative)"),
                false => both!(lang, "{names}（eager）", "{names} (eager)"),
            }
        }
        Value::Partitions(count) => format::partitions(lang, *count),
        Value::Rate(per_second) => both!(lang, "毎秒 {per_second} 件の送信", "{per_second} records a second"),
        Value::Setting(_) => assigned(lang, run, action, value),
    }
}

/// When an application commits.
fn commit(lang: Lang, policy: CommitPolicy) -> String {
    match policy.when {
        CommitWhen::Never => both!(lang, "コミットなし", "no commit"),
        CommitWhen::BeforeBatch => both!(lang, "処理前のコミット", "the commit before processing"),
        CommitWhen::AfterBatch => both!(lang, "処理後のコミット", "the commit after processing"),
        CommitWhen::AfterRecords(1) => both!(lang, "1 件処理するごとのコミット", "the commit after each record"),
        CommitWhen::AfterRecords(records) => {
            both!(lang, "{records} 件処理するごとのコミット", "the commit after every {records} records processed")
        }
        CommitWhen::RecordsOrTime { .. } => {
            let (name, value) = acting::commit_setting(policy);
            format!("{name}={value}")
        }
    }
}

/// What one run came to in one respect.
fn fact(lang: Lang, quantity: Quantity, outcome: &Outcome) -> String {
    let number = |n: u32| format::number(u64::from(n));
    match quantity {
        Quantity::Lost => {
            let lost = number(outcome.lost);
            match outcome.lost {
                0 => both!(lang, "消失は 0 件", "no record is lost"),
                1 => both!(lang, "消失は 1 件", "1 record is lost"),
                _ => both!(lang, "消失は {lost} 件", "{lost} records are lost"),
            }
        }
        Quantity::Repeated => {
            let repeated = number(outcome.repeated);
            match outcome.repeated {
                0 => both!(lang, "重複は 0 件", "none is processed twice"),
                1 => both!(lang, "重複は 1 件", "1 is processed twice"),
                all if all == outcome.repeated_records => {
                    both!(lang, "重複は {repeated} 件", "{repeated} are processed twice")
                }
                _ => both!(lang, "重複は {repeated} 件", "records are processed again {repeated} times"),
            }
        }
        Quantity::OutOfOrder => {
            let broken = number(outcome.out_of_order);
            match outcome.out_of_order {
                0 => both!(lang, "キーごとの順序の乱れは 0 件", "no record comes after a later one of its key"),
                1 => both!(lang, "キーごとの順序の乱れは 1 件", "1 record comes after a later one of its key"),
                _ => both!(
                    lang,
                    "キーごとの順序の乱れは {broken} 件",
                    "{broken} records come after a later one of their key"
                ),
            }
        }
        Quantity::Busy => {
            let (busy, members) = (number(outcome.busy), number(outcome.members));
            match outcome.busy {
                1 => both!(
                    lang,
                    "パーティションを担当するメンバーは {members} 台中 1 台",
                    "1 of {members} members has a partition"
                ),
                _ => both!(
                    lang,
                    "パーティションを担当するメンバーは {members} 台中 {busy} 台",
                    "{busy} of {members} members have a partition"
                ),
            }
        }
        Quantity::Stopped => {
            let stopped = format::span(lang, outcome.stopped);
            match outcome.stopped {
                Span::ZERO => both!(lang, "グループ全体の停止は 0 秒", "the whole group never stands still"),
                _ => both!(lang, "グループ全体の停止は {stopped}", "the whole group stands still for {stopped}"),
            }
        }
        Quantity::Unowned => {
            let waited = format::span(lang, outcome.unowned);
            match outcome.unowned {
                Span::ZERO => both!(lang, "パーティションの停止は延べ 0 秒", "no partition stands still"),
                _ => both!(lang, "パーティションの停止は延べ {waited}", "partitions stand still for {waited} in all"),
            }
        }
        Quantity::Returned => {
            let returned = number(outcome.returned);
            match outcome.returned {
                0 => {
                    both!(lang, "手放して取り戻したパーティションは 0 個", "no partition is given up only to come back")
                }
                1 => {
                    both!(lang, "手放して取り戻したパーティションは 1 個", "1 partition is given up only to come back")
                }
                _ => both!(
                    lang,
                    "手放して取り戻したパーティションは {returned} 個",
                    "{returned} partitions are given up only to come back"
                ),
            }
        }
        Quantity::Pending => {
            let pending = number(outcome.pending);
            match outcome.pending {
                0 => both!(lang, "未処理は 0 件", "no record is left unprocessed"),
                1 => both!(lang, "未処理は 1 件", "1 record is left unprocessed"),
                _ => both!(lang, "未処理は {pending} 件", "{pending} records are left unprocessed"),
            }
        }
        Quantity::Done => {
            let at = outcome.done_at.map_or_else(|| "–".to_owned(), |at| format::clock(lang, at));
            both!(lang, "最後のレコードの処理が終わるのは {at}", "the last record is processed at {at}")
        }
        Quantity::Rows => {
            let rows = format::rows(lang, outcome.rows);
            both!(lang, "テーブルの行数は {rows}", "the tables have {rows}")
        }
        Quantity::Rebalances => {
            let count = number(outcome.rebalances);
            match outcome.rebalances {
                0 => both!(lang, "リバランスは 0 回", "the group never rebalances"),
                1 => both!(lang, "リバランスは 1 回", "the group rebalances once"),
                _ => both!(lang, "リバランスは {count} 回", "the group rebalances {count} times"),
            }
        }
    }
}

/// Why it follows.
fn because_of(lang: Lang, because: Because) -> String {
    match because {
        Because::CommitsBefore => both!(
            lang,
            "処理前のコミットは、処理していないレコードの先までコミットするので、クラッシュするとその分が失われます。処理後のコミットでは、コミットしていない分をもう一度処理します。",
            "A commit before processing passes over what is not processed yet, and a crash loses that; a commit after processing leaves it to be processed again."
        ),
        Because::CommitsLessOften => both!(
            lang,
            "再処理されるのは、最後のコミットより後に処理していた分です。",
            "What is repeated is what had been processed since the last commit."
        ),
        Because::Eager => both!(
            lang,
            "eager では、参加し直す前に全メンバーが担当をすべて手放し、最も遅いメンバーが来るのを待ちます。cooperative では、移動しないパーティションの処理を続けます。",
            "Eager members give up everything before they join again, and wait for the slowest of them; cooperative ones go on with the partitions that do not move."
        ),
        Because::Parallelism { moved: 0, .. } => both!(
            lang,
            "1 つのパーティションを担当できるのは同時に 1 台だけだからです。",
            "A partition has one owner at a time."
        ),
        Because::Parallelism { moved, keys } => both!(
            lang,
            "1 つのパーティションを担当できるのは同時に 1 台だけだからです。パーティション数が変わると、{keys} 個のキーのうち {moved} 個は入るパーティションも変わります。",
            "A partition has one owner at a time. With another number of partitions, {moved} of {keys} keys are in another one."
        ),
    }
}

/// What is otherwise than in the run that is stepped, at this moment.
pub fn here(lang: Lang, run: &Simulation, found: &Differing) -> String {
    let list = |places: &[TopicPartition]| {
        let names: Vec<String> = places.iter().map(|&at| place(run, at)).collect();
        format::list(lang, &names)
    };
    let (owners, committed, positions) = (list(&found.owners), list(&found.committed), list(&found.positions));
    let members: Vec<&str> = found.members.iter().map(|&member| names::consumer(run, member)).collect();
    let members = format::list(lang, &members);
    let parts = [
        (!owners.is_empty()).then(|| both!(lang, "担当者（{owners}）", "owner of {owners}")),
        (!members.is_empty()).then(|| both!(lang, "プロセス（{members}）", "process of {members}")),
        (!committed.is_empty())
            .then(|| both!(lang, "コミット済みオフセット（{committed}）", "committed offset of {committed}")),
        (!positions.is_empty()).then(|| both!(lang, "ポジション（{positions}）", "position in {positions}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match parts.is_empty() {
        true => both!(lang, "この時点では同じ状態", "The same at this moment"),
        false => {
            let parts = parts.join(lang.pick("、", "; "));
            both!(lang, "この時点での違い: {parts}", "Different at this moment: {parts}")
        }
    }
}
