//! From a step to the words of its explanation, and what is offered in place of a setting.

use super::menu::{Item, ItemState, Section};
use super::side::{IfStopped, LinkView, SettingView, WhyView};
use super::state::{Action, State};
use crate::explain::{self, Alternative, Link, Origin, Owner, Setting, SettingUse, TakesEffect};
use crate::sim::{self, Change, ConsumerId, ConsumerSetting, Event, Refusal, StepNo};
use crate::text::{self, Finder, labels};
use yew::AttrValue;

/// Why a step happened.
#[inline(never)]
pub fn why(state: &State, step: StepNo) -> WhyView {
    let (lang, run) = (state.lang, state.playback.run());
    let why = explain::why(run, step);
    let event = run.step_at(step).map(|step| step.event);
    let mut finder = Finder::new(lang);
    let links = explain::chain(run, step).iter().map(|link| link_view(state, link, &mut finder)).collect();
    WhyView {
        headline: text::headline(lang, run, step).into(),
        by: by(state, step),
        links,
        rule: event.and_then(|event| text::rule(lang, run, &event)).map(|rule| finder.cut(&rule)),
        numbers: why
            .calculation
            .iter()
            .flat_map(|calculation| text::calculation(lang, run, calculation))
            .map(AttrValue::from)
            .collect(),
        if_stopped: event.and_then(|event| if_stopped(state, at_work(&event)?)),
        settings: why
            .settings
            .iter()
            .map(|used| SettingView {
                setting: used.setting,
                owner: used.owner,
                assignment: text::setting(lang, used).into(),
                meaning: text::meaning(lang, used.setting).into(),
                can_change: explain::alternatives(run, used.setting, used.owner).is_some(),
            })
            .collect(),
    }
}

/// Whose records are at stake in an event.
fn at_work(event: &Event) -> Option<ConsumerId> {
    match event {
        Event::RecordsPolled { consumer, .. }
        | Event::HandlingStarted { consumer, .. }
        | Event::RecordProcessed { consumer, .. }
        | Event::OffsetCommitted { consumer, .. } => Some(*consumer),
        _ => None,
    }
}

/// What would become of a member's records, if it has some.
fn if_stopped(state: &State, consumer: ConsumerId) -> Option<IfStopped> {
    let lines = stakes(state, consumer);
    let lead = text::if_stopped(state.lang, state.playback.run(), consumer);
    (!lines.is_empty()).then(|| IfStopped { lead: lead.into(), lines })
}

/// The same, line by line.
pub fn stakes(state: &State, consumer: ConsumerId) -> Vec<AttrValue> {
    let (lang, run) = (state.lang, state.playback.run());
    explain::stakes(run, consumer).iter().map(|stake| text::stake(lang, run, stake).into()).collect()
}

fn link_view(state: &State, link: &Link, finder: &mut Finder) -> LinkView {
    let (lang, run) = (state.lang, state.playback.run());
    let reason = &link.reason;
    LinkView {
        step: reason.step,
        at: run.step_at(reason.step).map_or_else(String::new, |step| text::format::moment(lang, step.at)).into(),
        role: text::role(lang, reason.role).into(),
        by: by(state, reason.step),
        text: finder.cut(&text::reason_text(lang, run, reason)),
        is_near: reason.depth == 1 || link.origin.is_some(),
    }
}

/// Who or what did a step, if nothing of the run did.
fn by(state: &State, step: StepNo) -> Option<AttrValue> {
    let history = state.playback.history();
    let is_by_hand = || history.actions(history.current()).iter().any(|&(position, _)| position == step.0);
    let lang = state.lang;
    let label = match explain::origin(state.playback.run(), step)? {
        Origin::Action if is_by_hand() => labels::by_hand(lang),
        Origin::Action => labels::by_scenario(lang),
        Origin::TooSlow => labels::by_slowness(lang),
        Origin::Clock => labels::by_clock(lang),
    };
    Some(label.into())
}

/// What the menu of a setting offers.
#[inline(never)]
pub fn other_values(state: &State, setting: Setting, owner: Owner) -> Vec<Section> {
    let (lang, run) = (state.lang, state.playback.run());
    let Some(offered) = explain::alternatives(run, setting, owner) else { return Vec::new() };
    let item = |alternative: &Alternative, action: Action, refusal: Option<AttrValue>| {
        let used = SettingUse { setting, owner, value: alternative.value.clone() };
        let about = text::about_value(lang, &used, alternative.is_default).map(AttrValue::from);
        Item {
            action,
            label: text::value(lang, &used).into(),
            is_possible: refusal.is_none() && !alternative.is_present,
            note: refusal.or(about),
            state: Some(ItemState::Choice(alternative.is_present)),
        }
    };
    let not_allowed = |alternative: &Alternative| {
        alternative.contradicts.map(|other| AttrValue::from(text::contradiction(lang, setting, other)))
    };
    let refused = |refusal: Refusal| AttrValue::from(text::refusal(lang, refusal));
    match offered.takes_effect {
        TakesEffect::FromHere => {
            let items = offered.values.iter().map(|alternative| {
                let action = sim::Action::Set(alternative.change);
                item(alternative, Action::Act(action), run.can_apply(action).err().map(refused))
            });
            vec![Section { name: Some(labels::from_here(lang).into()), items: items.collect() }]
        }
        TakesEffect::AtStartOf(consumer) => {
            let section = |name: String, action: fn(ConsumerId, ConsumerSetting) -> Action| {
                let items = offered.values.iter().filter_map(|alternative| {
                    let Change::Setting { consumer, setting } = alternative.change else { return None };
                    Some(item(alternative, action(consumer, setting), not_allowed(alternative)))
                });
                Section { name: Some(name.into()), items: items.collect() }
            };
            let from_beginning = section(text::from_beginning(lang, run, consumer), Action::BeginWith);
            let name = text::restart_with(lang, run, consumer);
            let restarted = match run.can_apply(sim::Action::Restart(consumer)) {
                Ok(()) => section(name, Action::RestartWith),
                // The reason once, not beside each value.
                Err(refusal) => vec![Item {
                    action: Action::Act(sim::Action::Restart(consumer)),
                    label: name.into(),
                    note: Some(refused(refusal)),
                    is_possible: false,
                    state: None,
                }]
                .into(),
            };
            vec![from_beginning, restarted]
        }
    }
}
