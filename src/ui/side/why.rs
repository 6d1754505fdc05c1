//! Why the last step happened: the chain of causes, the rule, the settings, the numbers.

use crate::sim::StepNo;
use crate::text::{Lang, labels};
use crate::ui::state::Action;
use yew::prelude::*;

/// An explanation in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WhyView {
    /// What happened.
    pub headline: AttrValue,
    /// How it came to this, the root first.
    pub reasons: Vec<ReasonView>,
    /// The rule in Kafka.
    pub rule: Option<AttrValue>,
    /// The numbers worked out.
    pub numbers: Vec<AttrValue>,
    /// The settings that made it so.
    pub settings: Vec<SettingView>,
}

/// One step of the chain.
#[derive(Clone, Debug, PartialEq)]
pub struct ReasonView {
    /// Which step it is.
    pub step: StepNo,
    /// What part it has.
    pub role: AttrValue,
    /// What happened.
    pub text: AttrValue,
}

/// One setting.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingView {
    /// Its name and value, as in a configuration.
    pub assignment: AttrValue,
    /// What it does.
    pub meaning: AttrValue,
}

/// The explanation; nothing before the first step.
pub fn why(lang: Lang, view: &WhyView, dispatch: &Callback<Action>) -> Html {
    if view.headline.is_empty() {
        return html! { <section class="why" id="why" /> };
    }
    html! {
        <section class="why" id="why" aria-labelledby="why-title">
            <h2 class="why-lead">{ labels::why(lang) }</h2>
            <h3 id="why-title">{ &view.headline }</h3>
            if !view.numbers.is_empty() {
                <div class="numbers mono" aria-label={labels::numbers(lang)} role="group">
                    for (index, line) in view.numbers.iter().enumerate() { <p key={index}>{ line }</p> }
                </div>
            }
            if !view.reasons.is_empty() {
                <h4>{ labels::because(lang) }</h4>
                <ol class="reasons">
                    for reason in &view.reasons { { reason_view(lang, reason, dispatch) } }
                </ol>
            }
            if let Some(rule) = &view.rule {
                <h4>{ labels::rule(lang) }</h4>
                <p class="rule">{ rule }</p>
            }
            if !view.settings.is_empty() {
                <h4>{ labels::settings(lang) }</h4>
                <dl class="settings">
                    for setting in &view.settings {
                        <div key={setting.assignment.to_string()}>
                            <dt><code>{ &setting.assignment }</code></dt>
                            <dd>{ &setting.meaning }</dd>
                        </div>
                    }
                </dl>
            }
        </section>
    }
}

fn reason_view(lang: Lang, reason: &ReasonView, dispatch: &Callback<Action>) -> Html {
    let step = reason.step;
    html! {
        <li key={step.0}>
            <button type="button" class="reason" title={labels::go_to_step(lang)} onclick={dispatch.reform(move |_| Action::JumpToStep(step))}>
                <span class="role">{ &reason.role }</span>{ " " }{ &reason.text }
            </button>
        </li>
    }
}
