//! A sweep as a table, on the page and for the headless runner, and what else only that says.

pub mod page;

use super::{Lang, acting, format, names};
use crate::sim::{Simulation, Time};
#[cfg(not(target_arch = "wasm32"))]
use crate::sweep::Sweep;
use crate::sweep::{Case, Ending, MOST_RUNS, MOST_STEPS, Row, Totals};

/// What a sweep has come to: the run without a change, a line for each of the others, and how many came out how. `run` is
/// the unchanged run at its end.
#[cfg(not(target_arch = "wasm32"))]
pub fn table(lang: Lang, run: &Simulation, sweep: &Sweep) -> String {
    let rows = sweep.rows();
    let mut lines = vec![head(lang, rows.first().map(|row| &row.case))];
    lines.extend(rows.iter().map(|row| line(lang, run, row)));
    let mut text = format!("{}\n\n", unchanged(lang, &Totals::of(run)));
    text += &aligned(&lines);
    text += &format!("\n{}\n", summary(lang, rows));
    if let Some(ending) = sweep.ending().and_then(|ending| stopped(lang, ending)) {
        text += &format!("{ending}\n");
    }
    text
}

/// The heads of the columns; what makes the first run differ says of what kind the sweep is.
pub fn head(lang: Lang, first: Option<&Case>) -> Vec<String> {
    let first = match first {
        Some(Case::Crash { .. }) | None => {
            vec![both!(lang, "ステップ", "step"), both!(lang, "時刻", "time"), both!(lang, "クラッシュ", "crashes")]
        }
        Some(Case::Seed(_)) => vec![both!(lang, "シード", "seed")],
        Some(Case::Value(_) | Case::Change(_)) => vec![both!(lang, "値", "value")],
    };
    let rest = [
        both!(lang, "消失", "lost"),
        both!(lang, "重複", "duplicates"),
        both!(lang, "未処理", "pending"),
        both!(lang, "退避", "set aside"),
        both!(lang, "順序の乱れ", "out of order"),
        both!(lang, "テーブルの行", "rows"),
        both!(lang, "処理の停止", "standstill"),
        both!(lang, "決め手のステップ", "decided by"),
    ];
    first.into_iter().chain(rest).collect()
}

/// A run as a line of the table.
pub fn line(lang: Lang, run: &Simulation, row: &Row) -> Vec<String> {
    let number = |number: u32| format::number(u64::from(number));
    let first = match &row.case {
        Case::Crash { consumer, after, at } => {
            vec![number(*after), format::clock(lang, *at), names::consumer_if_there(run, *consumer)]
        }
        Case::Seed(seed) => vec![seed.to_string()],
        Case::Value(value) => vec![value.clone()],
        Case::Change(change) => vec![acting::assigned(lang, run, *change).1],
    };
    let Totals { lost, duplicates, pending, set_aside, out_of_order, rows } = row.totals;
    let span = format::span(lang, row.standstill.span);
    let standstill =
        if row.standstill.is_over { span } else { both!(lang, "{span}（終了まで）", "{span}, to the end") };
    let decided = row.decided_by.map_or_else(
        || "–".to_owned(),
        |decisive| {
            let (step, at) = (number(decisive.number), format::clock(lang, decisive.at));
            both!(lang, "{step}（{at}）", "{step} ({at})")
        },
    );
    let numbers = [lost, duplicates, pending, set_aside, out_of_order, rows].map(number);
    first.into_iter().chain(numbers).chain([standstill, decided]).collect()
}

/// Columns as wide as they must be, two spaces between them; the last is as long as it is.
#[cfg(not(target_arch = "wasm32"))]
fn aligned(lines: &[Vec<String>]) -> String {
    use unicode_width::UnicodeWidthStr as _;

    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| lines.iter().map(|line| line[column].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        for (column, cell) in line.iter().enumerate() {
            let space = if column + 1 == columns { 0 } else { widths[column] - cell.width() + 2 };
            text += cell;
            text += &" ".repeat(space);
        }
        text.push('\n');
    }
    text
}

#[cfg(not(target_arch = "wasm32"))]
fn unchanged(lang: Lang, totals: &Totals) -> String {
    let Totals { lost, duplicates, out_of_order, .. } = totals;
    both!(
        lang,
        "ファイルのままの実行: 消失 {lost}、重複 {duplicates}、順序の乱れ {out_of_order}",
        "The file as it is: lost {lost}, duplicates {duplicates}, out of order {out_of_order}"
    )
}

/// How many runs came out how.
pub fn summary(lang: Lang, rows: &[Row]) -> String {
    let count = |is: fn(&Totals) -> bool| format::number(rows.iter().filter(|row| is(&row.totals)).count() as u64);
    let all = format::number(rows.len() as u64);
    let lossy = count(|totals| totals.lost > 0);
    let repeated = count(|totals| totals.duplicates > 0);
    let clean = count(|totals| totals.lost == 0 && totals.duplicates == 0);
    both!(
        lang,
        "実行 {all} 回のうち、消失あり {lossy} 回、重複あり {repeated} 回、どちらもなし {clean} 回",
        "Runs: {all}. With lost records: {lossy}. With duplicates: {repeated}. With neither: {clean}."
    )
}

/// Why the rest was left out, if it was.
pub fn stopped(lang: Lang, ending: Ending) -> Option<String> {
    match ending {
        Ending::Complete => None,
        Ending::TooManyRuns => {
            let most = format::number(u64::from(MOST_RUNS));
            Some(both!(
                lang,
                "実行回数の上限（{most} 回）に達したため、残りは実行していません。",
                "There are more runs than {most}; the rest was left out."
            ))
        }
        Ending::TooManySteps => {
            let most = format::number(MOST_STEPS);
            Some(both!(
                lang,
                "ステップ数の合計が上限（{most}）に達したため、残りは実行していません。",
                "The runs make more than {most} steps together; the rest was left out."
            ))
        }
    }
}

/// What the sweep has left out of the file's script.
pub fn crashes_left_out(lang: Lang, count: usize) -> String {
    both!(
        lang,
        "ファイルに書かれたコンシューマーのクラッシュ（{count} 件）は、代わりに各ステップで起こすため外しました。",
        "Crashes of consumers that the file plans are left out, as those of the sweep take their place: {count}."
    )
}

/// Why a setting cannot be varied.
pub fn no_such_setting(lang: Lang, name: &str, allowed: &[String]) -> String {
    let allowed = allowed.join(", ");
    both!(
        lang,
        "{name} という設定は、このファイルにはありません。使えるもの: {allowed}",
        "there is no setting {name} in this file; allowed: {allowed}"
    )
}

/// In front of the mistakes of a file with this value.
pub fn with_value(lang: Lang, name: &str, value: &str) -> String {
    both!(lang, "{name}={value} とした場合", "with {name}={value}")
}

/// A moment that a run never comes to.
pub fn after_the_end(lang: Lang, ends_at: Time) -> String {
    let end = format::clock(lang, ends_at);
    both!(
        lang,
        "実行は {end}で終わります。それより後の時刻は指定できません。",
        "the run ends at {end}; there is no later moment"
    )
}
