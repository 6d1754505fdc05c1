//! The inspector: views of the run beside the stage, one of which is open. What is selected in one is selected in all.

pub mod build;
mod chain;
pub mod lag;
mod records;
pub mod sequence;
pub mod settings;
pub mod sweep;
mod why;

use super::state::{Action, Inspect, MenuOf, Pane};
use crate::explain::{Owner, Setting};
use crate::text::sweep::page;
use crate::text::{Lang, labels};
use std::rc::Rc;
use yew::prelude::*;

use build::{BuildPane, BuildView};
pub use chain::LinkView;
pub use lag::LagView;
pub use records::{FactView, OPEN, OpenView, PagesView, RecordsView, RowView, WhenView};
use sequence::SequenceView;
pub use settings::SettingsView;
use sweep::SweepView;
pub use why::{IfStopped, SettingView, WhyView};

/// A view that is open, in words; told from another by where it is, as each moment has its own.
#[derive(Clone)]
pub enum PaneView {
    /// Why the last step happened; nothing before the first.
    Why(Option<Rc<WhyView>>),
    /// How far a group was behind; nothing where there is none.
    Lag(Option<Rc<LagView>>),
    /// All settings.
    Settings(Rc<SettingsView>),
    /// What became of each record.
    Records(Rc<RecordsView>),
    /// Who said what to whom.
    Sequence(Rc<SequenceView>),
    /// The lab.
    Build(BuildView),
    /// Many runs.
    Sweep(Rc<SweepView>),
}

impl PartialEq for PaneView {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (PaneView::Why(one), PaneView::Why(other)) => is_same(one, other),
            (PaneView::Lag(one), PaneView::Lag(other)) => is_same(one, other),
            (PaneView::Settings(one), PaneView::Settings(other)) => Rc::ptr_eq(one, other),
            (PaneView::Records(one), PaneView::Records(other)) => Rc::ptr_eq(one, other),
            (PaneView::Sequence(one), PaneView::Sequence(other)) => Rc::ptr_eq(one, other),
            (PaneView::Build(one), PaneView::Build(other)) => one == other,
            (PaneView::Sweep(one), PaneView::Sweep(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }
}

fn is_same<T>(one: &Option<Rc<T>>, other: &Option<Rc<T>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// What the inspector is drawn from.
pub struct Inspected<'a> {
    pub lang: Lang,
    /// The view that is open.
    pub pane: Pane,
    /// The same in words.
    pub view: &'a PaneView,
    /// True if all causes are shown.
    pub is_whole_chain: bool,
    /// The menu that is open.
    pub menu: Option<MenuOf>,
    pub dispatch: &'a Callback<Action>,
}

/// The choice of a view, and the view.
#[inline(never)]
pub fn inspector(inspected: Inspected) -> Html {
    let Inspected { lang, pane, view, is_whole_chain, menu, dispatch } = inspected;
    html! {
        <section class="inspector" id="inspector" aria-label={labels::inspector(lang)}>
            // Buttons, not tabs: the arrow keys step, also for whoever has just opened a view.
            <div class="panes" role="group" aria-label={labels::panes(lang)}>
                for (index, offered) in Pane::ALL.into_iter().enumerate() {
                    <button key={index} type="button" class="pane-button" id={pane_id(offered)} aria-pressed={(offered == pane).to_string()}
                        onclick={dispatch.reform(move |_| Action::Inspect(Inspect::Open(offered)))}>{ label(lang, offered) }</button>
                }
            </div>
            {
                match view {
                    PaneView::Why(Some(view)) => why::why(lang, view, is_whole_chain, menu, dispatch),
                    PaneView::Records(view) => records::records(lang, view, dispatch),
                    PaneView::Sequence(view) => sequence::sequence(lang, view, dispatch),
                    PaneView::Sweep(view) => sweep::sweep(lang, view, dispatch),
                    PaneView::Why(None) => html! { <section class="why" id="why" /> },
                    PaneView::Lag(Some(view)) => lag::lag(lang, view, dispatch),
                    PaneView::Settings(view) => settings::settings(lang, view, menu, dispatch),
                    PaneView::Build(view) => html! { <BuildPane {lang} view={view.clone()} dispatch={dispatch.clone()} /> },
                    PaneView::Lag(None) => html! { <section class="pane"><p class="muted">{ labels::no_group(lang) }</p></section> },
                }
            }
        </section>
    }
}

/// The id of the button of the open view that offers other values of a setting.
pub fn anchor_of(pane: Pane, setting: Setting, owner: Owner) -> String {
    match pane {
        Pane::Settings => settings::configured_id(setting, owner),
        _ => why::setting_id(setting),
    }
}

/// The element id of the button that opens a view.
fn pane_id(pane: Pane) -> &'static str {
    match pane {
        Pane::Why => "pane-why",
        Pane::Records => "pane-records",
        Pane::Sequence => "pane-sequence",
        Pane::Lag => "pane-lag",
        Pane::Settings => "pane-settings",
        Pane::Build => "pane-build",
        Pane::Sweep => "pane-sweep",
    }
}

fn label(lang: Lang, pane: Pane) -> &'static str {
    match pane {
        Pane::Why => labels::why(lang),
        Pane::Records => labels::records(lang),
        Pane::Sequence => labels::sequence(lang),
        Pane::Lag => labels::lag_over_time(lang),
        Pane::Settings => labels::all_settings(lang),
        Pane::Build => labels::build(lang),
        Pane::Sweep => page::title(lang),
    }
}
