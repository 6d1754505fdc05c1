//! Words for branches and for the marks of the timeline.

use super::{Lang, acting, action_on};
use crate::scene::marks::{MarkKind, Wanted, Way};
use crate::sim::{Action, Simulation};

/// A branch by what was done at its beginning, after `shown` steps.
pub fn done(lang: Lang, shown: u32, action: &str) -> String {
    both!(lang, "ステップ {shown} のあと: {action}", "after step {shown}: {action}")
}

/// A branch that begins with something otherwise.
pub fn begun_with(lang: Lang, run: &Simulation, action: Action) -> String {
    let Action::Set(change) = action else { return begun(lang, &action_on(lang, run, action)) };
    let (owner, (setting, value)) =
        (acting::owner_from_beginning(lang, run, change), acting::assigned(lang, run, change));
    both!(lang, "最初から: {owner} の {setting}={value}", "from the beginning: {setting}={value} for {owner}")
}

fn begun(lang: Lang, what: &str) -> String {
    both!(lang, "最初から: {what}", "from the beginning: {what}")
}

/// What is said when a run has begun again with something otherwise.
pub fn begun_again(lang: Lang, run: &Simulation, action: Action) -> String {
    let Action::Set(change) = action else {
        let what = action_on(lang, run, action);
        return both!(
            lang,
            "「{what}」を行ったうえで、最初から実行し直しました。いまは、ほぼ同じ時刻の場面です。",
            "Run again from the beginning with this: {what}. This is about the same moment."
        );
    };
    let (owner, (setting, value)) =
        (acting::owner_from_beginning(lang, run, change), acting::assigned(lang, run, change));
    both!(
        lang,
        "{owner} の {setting} を {value} にして、最初から実行し直しました。いまは、ほぼ同じ時刻の場面です。",
        "Run again from the beginning with {setting}={value} for {owner}. This is about the same moment."
    )
}

/// A mark of the timeline; `record` names the record of a repetition.
pub fn mark(lang: Lang, kind: MarkKind, record: impl FnOnce() -> String) -> String {
    let fixed = match kind {
        MarkKind::Crash => lang.pick("クラッシュ", "crash"),
        MarkKind::Process => lang.pick("離脱・起動", "leave or start"),
        MarkKind::Timeout => lang.pick("セッション切れ", "session timeout"),
        MarkKind::Rebalance => lang.pick("リバランス", "rebalance"),
        MarkKind::Duplicate(_) => {
            let record = record();
            return both!(lang, "{record} を再処理", "{record} again");
        }
        _ => rarer_mark(lang, kind),
    };
    fixed.to_owned()
}

#[inline(never)]
fn rarer_mark(lang: Lang, kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::LatePoll => lang.pick("poll() 遅れ", "poll timeout"),
        MarkKind::Commit => lang.pick("コミット", "commit"),
        MarkKind::Action => lang.pick("操作", "action"),
        MarkKind::Failure => lang.pick("処理の失敗", "failed record"),
        MarkKind::NoAnswer => lang.pick("応答なし", "no answer"),
        MarkKind::Rejected => lang.pick("コミット拒否", "commit refused"),
        MarkKind::Loss => lang.pick("消失", "loss"),
        MarkKind::Crash | MarkKind::Process | MarkKind::Timeout | MarkKind::Rebalance | MarkKind::Duplicate(_) => "",
    }
}

/// An entry of the menu of places in time.
pub fn nearest(lang: Lang, wanted: Wanted, way: Way) -> String {
    let what = match wanted {
        Wanted::Crash => lang.pick("クラッシュ", "crash"),
        Wanted::Rebalance => lang.pick("リバランス", "rebalance"),
        Wanted::Commit => lang.pick("コミット", "commit"),
        Wanted::Duplicate => lang.pick("重複", "duplicate"),
        Wanted::Loss => lang.pick("消失", "loss"),
        Wanted::Any => lang.pick("出来事", "mark"),
    };
    match way {
        Way::Ahead => both!(lang, "次の{what}", "Next {what}"),
        Way::Back => both!(lang, "前の{what}", "Previous {what}"),
    }
}
