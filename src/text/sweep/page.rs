//! What the page says of a sweep.

use super::super::{Lang, format, names};
use crate::sim::{ConsumerId, Simulation, Time};
use crate::sweep::grid::{Counts, Outcome};
use crate::sweep::{Case, Row, Totals};
use std::ops::Range;

/// The view.
pub const fn title(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "総当たり",
        Lang::En => "Sweep",
    }
}

/// What it is for.
pub fn about(lang: Lang) -> &'static str {
    lang.pick(
        "いま表示している実行を、条件を 1 つずつ変えて何度も実行し、結果を比べます。",
        "Makes the run that is shown many times, each time with one thing changed, and compares what comes of it.",
    )
}

/// Leads the choice of what the runs differ in.
pub fn over(lang: Lang) -> &'static str {
    lang.pick("何を変えるか", "What is changed")
}

/// A crash of each member at each step.
pub fn over_crashes(lang: Lang) -> &'static str {
    lang.pick("すべてのタイミングでクラッシュ", "A crash anywhere")
}

/// The same, in a sentence.
pub fn about_crashes(lang: Lang) -> &'static str {
    lang.pick(
        "各メンバーを、各ステップの直後に 1 回ずつクラッシュさせます。",
        "Each member crashes right after each step, one crash in each run.",
    )
}

/// Other seeds.
pub fn over_seeds(lang: Lang) -> &'static str {
    lang.pick("シード", "The seed")
}

/// The same, in a sentence.
pub fn about_seeds(lang: Lang) -> &'static str {
    lang.pick(
        "偶然で決まるもの（通信の順序やずれなど）だけを変えて実行します。",
        "Only what is left to chance is different: phases, delays, arrivals.",
    )
}

/// Other values of a setting.
pub fn over_values(lang: Lang) -> &'static str {
    lang.pick("設定値", "A setting")
}

/// The same, in a sentence.
pub fn about_values(lang: Lang) -> &'static str {
    lang.pick("最初からその値に設定して実行します。", "The run begins with each of its values.")
}

/// Which setting.
pub fn setting(lang: Lang) -> &'static str {
    lang.pick("設定", "Setting")
}

/// A run with this seed.
pub fn seed(lang: Lang, seed: u64) -> String {
    both!(lang, "シード {seed}", "seed {seed}")
}

/// The first seed.
pub fn first_seed(lang: Lang) -> &'static str {
    lang.pick("最初のシード", "First seed")
}

/// The last seed.
pub fn last_seed(lang: Lang) -> &'static str {
    lang.pick("最後のシード", "Last seed")
}

/// Why these seeds cannot be run.
pub fn bad_seeds(lang: Lang, most: u64) -> String {
    let most = format::number(most);
    both!(
        lang,
        "シードは 0 以上の整数で、最初から最後まで {most} 個以内にしてください。",
        "Seeds are whole numbers from 0 on, at most {most} of them."
    )
}

/// Starts it.
pub fn start(lang: Lang) -> &'static str {
    lang.pick("実行", "Run")
}

/// Starts it again.
pub fn start_again(lang: Lang) -> &'static str {
    lang.pick("もう一度実行", "Run again")
}

/// Nobody could crash.
pub fn nobody(lang: Lang) -> &'static str {
    lang.pick(
        "このシナリオにはコンシューマーがないため、クラッシュを試せません。シードや設定値は変えられます。",
        "There is no consumer in this scenario that could crash. Seeds and settings can be changed.",
    )
}

/// No setting can be changed.
pub fn no_setting(lang: Lang) -> &'static str {
    lang.pick("変えられる設定がありません。", "There is no setting that can be changed.")
}

/// How far it is.
pub fn progress(lang: Lang, done: u32, all: Option<u32>) -> String {
    let done = format::number(u64::from(done));
    match all {
        Some(all) => {
            let all = format::number(u64::from(all));
            both!(lang, "{all} 回中 {done} 回を実行", "{done} of {all} runs")
        }
        None => both!(lang, "準備中", "getting ready"),
    }
}

/// Names the bar of the progress.
pub fn progress_name(lang: Lang) -> &'static str {
    lang.pick("総当たりの進み具合", "Progress of the sweep")
}

/// It was stopped.
pub fn stopped(lang: Lang) -> &'static str {
    lang.pick("途中で止めました。ここまでの結果です。", "Stopped. This is what there is so far.")
}

/// How a run came out, in a word or two.
pub fn outcome(lang: Lang, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Harmless => lang.pick("消失も重複もなし", "nothing lost or repeated"),
        Outcome::OutOfOrder => lang.pick("順序の乱れ", "out of order"),
        Outcome::Repeated => lang.pick("再処理あり（n 回）", "records processed again (n times)"),
        Outcome::Lost => lang.pick("消失あり", "records lost"),
    }
}

/// The worst of a run, with its number.
pub fn worst(lang: Lang, totals: &Totals) -> String {
    let outcome = Outcome::of(totals);
    let n = outcome.number(totals);
    let records = format::number(u64::from(n));
    match outcome {
        Outcome::Harmless => self::outcome(lang, outcome).to_owned(),
        Outcome::OutOfOrder => both!(lang, "順序の乱れ {records}", "{records} out of order"),
        Outcome::Repeated => both!(lang, "再処理 {records} 回", "{records} processed again"),
        Outcome::Lost => both!(lang, "消失 {records} 件", "{records} lost"),
    }
}

/// Steps, by their numbers.
pub fn steps(lang: Lang, steps: &Range<u32>) -> String {
    let (first, last) = (format::number(u64::from(steps.start)), format::number(u64::from(steps.end.max(1) - 1)));
    if steps.len() == 1 {
        both!(lang, "ステップ {first}", "step {first}")
    } else {
        both!(lang, "ステップ {first}–{last}", "steps {first}–{last}")
    }
}

/// A cell of the grid: who, when, and what came of it.
pub fn cell(lang: Lang, name: &str, at: &Range<u32>, counts: &Counts, worst: Option<&Totals>) -> String {
    let at = steps(lang, at);
    let Some(worst) = worst else {
        return both!(lang, "{name}、{at}: 実行なし", "{name}, {at}: no run");
    };
    let (runs, worst) = (counts.runs(), self::worst(lang, worst));
    if runs == 1 {
        return both!(lang, "{name}、{at}: {worst}", "{name}, {at}: {worst}");
    }
    both!(lang, "{name}、{at}: {runs} 回のうち最も悪い結果は{worst}", "{name}, {at}: the worst of {runs} runs: {worst}")
}

/// What a sweep has shown. `is_whole` is false as long as it is not over.
pub fn summary(lang: Lang, rows: &[Row], is_whole: bool) -> String {
    let count = |is: fn(&Totals) -> bool| rows.iter().filter(|row| is(&row.totals)).count();
    let (lost, repeated) = (count(|totals| totals.lost > 0), count(|totals| totals.duplicates > 0));
    let disordered = count(|totals| totals.out_of_order > 0);
    let said = match rows.first().map(|row| &row.case) {
        Some(Case::Crash { .. }) => of_crashes(lang, [lost, repeated, disordered], rows.len(), is_whole),
        Some(_) => of_others(lang, [lost, repeated, disordered], rows.len()),
        None => return String::new(),
    };
    if is_whole { said } else { both!(lang, "ここまでのところ、{said}", "So far: {said}") }
}

fn of_crashes(lang: Lang, counts: [usize; 3], all: usize, is_whole: bool) -> String {
    let [lost, repeated, disordered] = counts.map(|count| format::number(count as u64));
    let all = format::number(all as u64);
    // Not everywhere, as long as it is not over.
    let place = match (lang, is_whole) {
        (Lang::Ja, true) => "どこでクラッシュしても",
        (Lang::Ja, false) => "試した範囲では",
        (Lang::En, true) => "Wherever a member crashes",
        (Lang::En, false) => "wherever a member has crashed",
    };
    match counts {
        [0, 0, 0] => {
            both!(lang, "{place}、消失も重複もありません。", "{place}, nothing is lost and nothing is processed again.")
        }
        [0, 0, _] => both!(
            lang,
            "{place}、消失も重複もありません。ただし、{all} 通りのうち {disordered} 通りで順序が乱れます。",
            "{place}, nothing is lost or processed again; in {disordered} of {all} places records come out of order."
        ),
        [0, _, _] => both!(
            lang,
            "{place}、消失はありません。ただし、{all} 通りのうち {repeated} 通りで、レコードが 2 回以上処理されます。",
            "{place}, nothing is lost; in {repeated} of {all} places records are processed twice or more."
        ),
        [_, 0, _] => both!(
            lang,
            "{place}、重複はありません。ただし、{all} 通りのうち {lost} 通りで、レコードが消失します。",
            "{place}, nothing is processed again; in {lost} of {all} places records are lost."
        ),
        _ => both!(
            lang,
            "{all} 通りのクラッシュのうち、{lost} 通りでレコードが消失し、{repeated} 通りで 2 回以上処理されます。",
            "of {all} crashes, {lost} lose records and {repeated} make records be processed twice or more."
        ),
    }
}

fn of_others(lang: Lang, counts: [usize; 3], all: usize) -> String {
    let [lost, repeated, disordered] = counts.map(|count| format::number(count as u64));
    let all = format::number(all as u64);
    match counts {
        [0, 0, 0] => both!(
            lang,
            "{all} 回の実行のすべてで、消失も重複も順序の乱れもありません。",
            "Runs: {all}. In none of them anything is lost, processed again or out of order."
        ),
        _ => both!(
            lang,
            "{all} 回の実行のうち、消失あり {lost} 回、重複あり {repeated} 回、順序の乱れあり {disordered} 回です。",
            "Runs: {all}. Records are lost in {lost}, processed again in {repeated}, out of order in {disordered}."
        ),
    }
}

/// What the run without a change comes to.
pub fn unchanged(lang: Lang, totals: &Totals) -> String {
    let Totals { lost, duplicates, out_of_order, .. } = totals;
    both!(
        lang,
        "クラッシュなしの実行: 消失 {lost}、重複 {duplicates}、順序の乱れ {out_of_order}",
        "Without a crash: lost {lost}, duplicates {duplicates}, out of order {out_of_order}"
    )
}

/// What of the run is left out, as the crashes of the sweep take its place.
pub fn left_out(lang: Lang) -> &'static str {
    lang.pick(
        "もともと起こるコンシューマーのクラッシュは、代わりに各ステップで起こすため外しています。",
        "The crashes of consumers that this run has of itself are left out: those of the sweep take their place.",
    )
}

/// Another run is looked at than the one that the sweep began from.
pub fn elsewhere(lang: Lang) -> &'static str {
    lang.pick(
        "これは、いま表示しているものとは別の実行の結果です。",
        "This is of another run than the one that is shown.",
    )
}

/// Names the grid.
pub fn grid(lang: Lang) -> &'static str {
    lang.pick("クラッシュしたメンバーと時点ごとの結果", "What comes of a crash, by member and step")
}

/// How to go about in the grid.
pub fn grid_keys(lang: Lang) -> &'static str {
    lang.pick(
        "マスを押すと詳細を表示します。キーボードでは矢印キーで移動し、Enter で拡大または実行を開きます。",
        "Press a cell for what is behind it. With the keyboard: arrow keys, and Enter to look closer or to open the run.",
    )
}

/// The head of the column of names.
pub fn member(lang: Lang) -> &'static str {
    lang.pick("メンバー", "Member")
}

/// Shows a column's steps one by one.
pub fn widen(lang: Lang, at: &Range<u32>) -> String {
    let at = steps(lang, at);
    both!(lang, "{at} を拡大", "Look closer at {at}")
}

/// Shows more steps again.
pub fn narrow(lang: Lang) -> &'static str {
    lang.pick("縮小", "Zoom out")
}

/// Which members are shown.
pub fn members(lang: Lang, first: usize, last: usize, all: usize) -> String {
    both!(lang, "メンバー {first}–{last} / {all}", "members {first}–{last} of {all}")
}

/// The members before.
pub fn members_before(lang: Lang) -> &'static str {
    lang.pick("前のメンバー", "Members before")
}

/// The members behind.
pub fn members_behind(lang: Lang) -> &'static str {
    lang.pick("次のメンバー", "Members behind")
}

/// A run in which somebody crashes.
pub fn crash(lang: Lang, run: &Simulation, consumer: ConsumerId, after: u32, at: Time) -> String {
    let (name, after, at) =
        (names::consumer_if_there(run, consumer), format::number(u64::from(after)), format::clock(lang, at));
    both!(
        lang,
        "{name} がステップ {after}（{at}）の直後にクラッシュ",
        "{name} crashes right after step {after}, at {at}"
    )
}

/// Leads the worst run of several.
pub fn worst_of(lang: Lang, runs: u32) -> String {
    let runs = format::number(u64::from(runs));
    both!(lang, "{runs} 回のうち最も悪い結果", "The worst of {runs} runs")
}

/// Names what is said of the chosen cell.
pub fn detail(lang: Lang) -> &'static str {
    lang.pick("選んだマスの詳細", "The chosen cell")
}

/// Nobody crashes there.
pub fn no_run(lang: Lang, name: &str, is_over: bool) -> String {
    match is_over {
        true => both!(lang, "この間 {name} は動いていません。", "{name} does not run there."),
        false => {
            both!(lang, "まだ実行していないか、{name} が動いていません。", "Not run yet, or {name} does not run there.")
        }
    }
}

/// What a run has come to.
pub fn totals(lang: Lang, row: &Row) -> String {
    let Totals { lost, duplicates, pending, out_of_order, .. } = row.totals;
    both!(
        lang,
        "消失 {lost} · 重複 {duplicates} · 順序の乱れ {out_of_order} · 終了時に未処理 {pending}",
        "lost {lost} · duplicates {duplicates} · out of order {out_of_order} · pending at the end {pending}"
    )
}

/// How long it took until all went on.
pub fn standstill(lang: Lang, row: &Row) -> String {
    let span = format::span(lang, row.standstill.span);
    match row.standstill.is_over {
        true => both!(
            lang,
            "処理が止まった時間は、最長のパーティションで {span}",
            "A partition stood still for {span} at most"
        ),
        false => both!(
            lang,
            "処理が止まったまま終わったパーティションがあります（最長 {span}）",
            "A partition stands still to the end of the run, {span} at most"
        ),
    }
}

/// Leads the sentence of the step that decided how a run came out.
pub fn decisive(lang: Lang, number: u32, at: Time) -> String {
    let (number, at) = (format::number(u64::from(number)), format::clock(lang, at));
    both!(lang, "決め手 – ステップ {number}（{at}）", "Decided by step {number}, at {at}")
}

/// Opens a run.
pub fn open(lang: Lang) -> &'static str {
    lang.pick("この実行を開く", "Open this run")
}

/// The same in a table, where it needs the name of the run.
pub fn open_run(lang: Lang, name: &str) -> String {
    both!(lang, "この実行を開く: {name}", "Open this run: {name}")
}

/// Goes back to where the first run was opened.
pub fn go_back(lang: Lang) -> &'static str {
    lang.pick("元の実行に戻る", "Back to the run before")
}

/// Shows the runs as a table.
pub fn as_table(lang: Lang) -> &'static str {
    lang.pick("表で見る", "As a table")
}

/// What is copied.
pub fn copy_more(lang: Lang) -> &'static str {
    lang.pick("すべての実行を、タブ区切りの表としてコピーします", "All runs, as a table with tabs")
}

/// A branch that begins with another seed or without the crashes that are planned.
pub fn begun(lang: Lang, seed: Option<u64>) -> String {
    match seed {
        Some(seed) => both!(lang, "最初から: シード {seed}", "from the beginning: seed {seed}"),
        None => both!(lang, "最初から: 予定されたクラッシュなし", "from the beginning: without the planned crashes"),
    }
}
