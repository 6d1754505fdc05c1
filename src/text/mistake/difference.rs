//! Where a run differs from what its file expects.

use super::{at, list, moment};
use crate::scenario::duration;
use crate::scenario::expect::{Difference, Differs, Found};
use crate::scenario::mistake::Unit;
use crate::scenario::refused::word_of;
use crate::sim::Span;
use crate::text::{Lang, control};

/// A difference: which expectation, what was expected, what came out.
pub fn difference(lang: Lang, difference: &Difference) -> String {
    at(&difference.path, differs(lang, &difference.what))
}

fn differs(lang: Lang, what: &Differs) -> String {
    match what {
        Differs::Value { expected, found } => {
            let (expected, found) = (value(lang, expected), value(lang, found));
            lang.pick(
                format!("期待は {expected}、結果は {found} です。"),
                format!("expected {expected}, found {found}"),
            )
        }
        Differs::NeverHappened { the_first: true } => lang.pick(
            "最初の条件は最後まで成り立ちませんでした。".to_owned(),
            "the first condition is never met".to_owned(),
        ),
        Differs::NeverHappened { the_first: false } => lang.pick(
            "最初の条件が成り立ったあと、2 つ目の条件が成り立ちませんでした。".to_owned(),
            "the second condition is never met after the first".to_owned(),
        ),
        Differs::OwnerChanged { at, member } => lang.pick(
            format!("{} に {member} の担当が変わりました。", moment(*at)),
            format!("the partitions of {member} change at {}", moment(*at)),
        ),
        Differs::NotRefused => lang.pick(
            "拒否されませんでした。実行されたか、その時が来ませんでした。".to_owned(),
            "it is not refused: it is done, or never due".to_owned(),
        ),
        Differs::Refused(refusal) => {
            let (word, why) = (word_of(*refusal).unwrap_or_default(), control::refusal(lang, *refusal));
            lang.pick(format!("拒否されました（{word}）。{why}。"), format!("it is refused ({word}): {why}."))
        }
        Differs::NotEnded => lang.pick(
            "ステップ数の上限に達し、最後まで進みませんでした。".to_owned(),
            "the run reached the limit of steps before its end".to_owned(),
        ),
    }
}

fn value(lang: Lang, found: &Found) -> String {
    match found {
        Found::Number(number) => number.to_string(),
        Found::Time(span) => duration::write(*span),
        Found::Between(least, most, unit) => {
            let [least, most] = [*least, *most].map(|bound| match unit {
                Unit::Duration => duration::write(Span::from_micros(bound)),
                _ => bound.to_string(),
            });
            lang.pick(format!("{least} から {most}"), format!("between {least} and {most}"))
        }
        Found::Names(names) if names.len() == 1 => names[0].clone(),
        Found::Names(names) => format!("{names:?}"),
        Found::Numbers(numbers) => format!("{numbers:?}"),
        Found::Errors(errors) if errors.is_empty() => lang.pick("エラーなし", "no errors").to_owned(),
        Found::Errors(errors) => {
            list(lang, &errors.iter().map(|(name, count)| format!("{name} x {count}")).collect::<Vec<_>>())
        }
        Found::Nothing => lang.pick("なし", "none").to_owned(),
    }
}
