//! What a person can do to the world, and why not now.

use super::{Lang, names};
use crate::sim::{Action, Refusal, Simulation};

/// A kind of action, without whom it is done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Kill the process.
    Crash,
    /// Stop it in order.
    Close,
    /// Start it.
    Start,
}

impl From<Action> for ActionKind {
    fn from(action: Action) -> Self {
        match action {
            Action::Crash(_) => ActionKind::Crash,
            Action::Close(_) => ActionKind::Close,
            Action::Start(_) => ActionKind::Start,
        }
    }
}

/// The label of a button.
pub fn action(lang: Lang, kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::Crash => lang.pick("クラッシュさせる", "Crash"),
        ActionKind::Close => lang.pick("離脱させる（close()）", "Leave (close())"),
        ActionKind::Start => lang.pick("起動する", "Start"),
    }
}

/// The same with whom it is done to, for a list, a history or a screen reader.
pub fn action_on(lang: Lang, run: &Simulation, action: Action) -> String {
    let name = names::consumer(run, action.consumer());
    match action {
        Action::Crash(_) => both!(lang, "{name} をクラッシュさせる", "Crash {name}"),
        Action::Close(_) => both!(lang, "{name} を離脱させる（close()）", "Make {name} leave (close())"),
        Action::Start(_) => both!(lang, "{name} を起動する", "Start {name}"),
    }
}

/// Why an action is not possible here and now.
pub fn refusal(lang: Lang, refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::NotRunning => lang.pick("このプロセスは動いていません", "The process is not running"),
        Refusal::AlreadyRunning => lang.pick("このプロセスはすでに動いています", "The process is running already"),
        Refusal::AlreadyClosing => {
            lang.pick("すでに停止を指示されています", "The process has been asked to stop already")
        }
        Refusal::RunEnded => lang.pick(
            "シミュレーションは終了しています。前の時点に戻れば操作できます",
            "The run has ended; go back to act",
        ),
        Refusal::StepLimit => lang.pick(
            "ステップ数の上限に達しました。前の時点に戻れば操作できます",
            "The run has as many steps as it may have; go back to act",
        ),
    }
}
