//! Why the last step happened: the chain of causes, the rule, the settings, the numbers.

use super::chain::{LinkView, chain};
use crate::explain::{Owner, Setting};
use crate::text::{Lang, Segment, labels};
use crate::ui::icons::{self, icon};
use crate::ui::state::{Action, MenuOf, Panel};
use crate::ui::term::words;
use std::rc::Rc;
use yew::prelude::*;

/// An explanation in words.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyView {
    /// What happened.
    pub headline: AttrValue,
    /// Who or what did it, if nothing of the run did.
    pub by: Option<AttrValue>,
    /// How it came to this, in order of time.
    pub links: Rc<[LinkView]>,
    /// The rule in Kafka.
    pub rule: Option<Rc<[Segment]>>,
    /// The numbers worked out.
    pub numbers: Vec<AttrValue>,
    /// What would become of a member's records.
    pub if_stopped: Option<IfStopped>,
    /// The settings that made it so.
    pub settings: Vec<SettingView>,
}

/// What would become of the records of the member that the step is about.
#[derive(Clone, Debug, PartialEq)]
pub struct IfStopped {
    /// If what.
    pub lead: AttrValue,
    /// Partition by partition.
    pub lines: Vec<AttrValue>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingView {
    /// Which one.
    pub setting: Setting,
    /// Whose it is.
    pub owner: Owner,
    /// Its name and value, as in a configuration.
    pub assignment: AttrValue,
    /// What it does.
    pub meaning: AttrValue,
}

/// The id of the button that offers other values of a setting.
pub fn setting_id(setting: Setting) -> String {
    format!("setting-{}", setting.name())
}

/// The explanation. `is_whole` says whether its whole chain is shown, `menu` is the menu that is open.
#[inline(never)]
pub fn why(lang: Lang, view: &WhyView, is_whole: bool, menu: Option<MenuOf>, dispatch: &Callback<Action>) -> Html {
    let open = match menu {
        Some(MenuOf::Term(Panel::Why, term)) => Some(term),
        _ => None,
    };
    html! {
        <section class="why" id="why" aria-labelledby="why-title" data-home="why-title">
            <div class="why-head">
                <h2 class="why-lead">{ labels::why(lang) }</h2>
                if let Some(by) = &view.by { <span class="role by">{ by }</span> }
            </div>
            <h3 id="why-title" tabindex="-1">{ &view.headline }</h3>
            if !view.numbers.is_empty() {
                <div class="numbers mono" aria-label={labels::numbers(lang)} role="group">
                    for (index, line) in view.numbers.iter().enumerate() { <p key={index}>{ line }</p> }
                </div>
            }
            if let Some(IfStopped { lead, lines }) = &view.if_stopped {
                <h4>{ lead }</h4>
                <ul class="stakes">
                    for (index, line) in lines.iter().enumerate() { <li key={index}>{ line }</li> }
                </ul>
            }
            if !view.links.is_empty() {
                <h4>{ labels::because(lang) }</h4>
                { chain(lang, &view.links, is_whole, open, dispatch) }
            }
            if let Some(rule) = &view.rule {
                <h4>{ labels::rule(lang) }</h4>
                <p class="rule">{ words(Panel::Why, rule, open, dispatch) }</p>
            }
            if !view.settings.is_empty() {
                <h4>{ labels::settings(lang) }</h4>
                <dl class="settings">
                    for setting in &view.settings { { setting_view(lang, setting, menu, dispatch) } }
                </dl>
            }
        </section>
    }
}

fn setting_view(lang: Lang, view: &SettingView, menu: Option<MenuOf>, dispatch: &Callback<Action>) -> Html {
    let of = MenuOf::Setting(view.setting, view.owner);
    html! {
        <div key={view.assignment.to_string()}>
            <dt>
                <button type="button" class="setting" id={setting_id(view.setting)} aria-haspopup="menu" title={labels::other_values(lang)}
                    aria-expanded={(menu == Some(of)).to_string()} onclick={dispatch.reform(move |_| Action::ToggleMenu(of))}>
                    <code>{ &view.assignment }</code>{ icon(icons::DOWN) }
                </button>
            </dt>
            <dd>{ &view.meaning }</dd>
        </div>
    }
}
