//! From a step to the words of its explanation, and what is offered in place of a setting.

use super::inspector::{IfStopped, LinkView, SettingView, WhyView};
use super::menu::{Item, ItemState, Section};
use super::state::{Action, State};
use crate::explain::{self, Alternative, Link, Origin, Owner, Setting, SettingUse, TakesEffect};
use crate::sim::{self, Change, ConsumerId, Event, Refusal, StepNo};
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
pub fn other_values(state: &State, setting: Setting, owner: Owner, can_compare: bool) -> Vec<Section> {
    let (lang, run) = (state.lang, state.playback.run());
    let Some(offered) = explain::alternatives(run, setting, owner) else {
        let why = text::fixed(lang, setting, owner);
        return vec![impossible(labels::fixed(lang).into(), why.into())];
    };
    let first = offered.values[0].change;
    let refused = |refusal: Refusal| AttrValue::from(text::refusal(lang, refusal));
    let item = |alternative: &Alternative, action: Action, refusal: Option<AttrValue>| {
        let used = SettingUse { setting, name: setting.name(), owner, value: alternative.value.clone() };
        let about = text::about_value(lang, &used, alternative.is_default).map(AttrValue::from);
        Item {
            action,
            label: text::value(lang, &used).into(),
            is_possible: refusal.is_none() && !alternative.is_present,
            note: refusal.or(about),
            state: Some(ItemState::Choice(alternative.is_present)),
        }
    };
    let section = |name: String, item: &dyn Fn(&Alternative) -> Item| Section {
        name: Some(name.into()),
        items: offered.values.iter().map(item).collect(),
    };
    let not_allowed = |alternative: &Alternative| {
        alternative.contradicts.map(|beside| AttrValue::from(text::contradiction(lang, beside)))
    };
    // The run may have begun with what holds now, or have come to it only later.
    let is_changed = was_changed_by_hand(state, first);
    let from_beginning = section(text::from_beginning(lang, run, first), &|alternative| {
        let item = item(alternative, Action::BeginWith(alternative.change), not_allowed(alternative));
        Item { is_possible: item.is_possible || (is_changed && alternative.is_present), ..item }
    });
    let compared = can_compare.then(|| {
        let name = text::compare::with_setting(lang, run, first);
        let others = offered.values.iter().filter(|alternative| !alternative.is_present);
        let item = |alternative: &Alternative| {
            let action = Action::CompareWith(sim::Action::Set(alternative.change));
            Item { state: None, ..item(alternative, action, not_allowed(alternative)) }
        };
        Section { name: Some(name.into()), items: others.map(item).collect() }
    });
    // Nothing applies from here to a process that is not there: what is changed is for its next start.
    let is_gone = |consumer: &ConsumerId| run.consumer(*consumer).client().is_none();
    let takes_effect = match first.consumer().filter(is_gone) {
        Some(consumer) if offered.takes_effect == TakesEffect::FromHere => TakesEffect::AtStartOf(consumer.into()),
        _ => offered.takes_effect,
    };
    let mut sections = match takes_effect {
        TakesEffect::FromHere => {
            let here = section(text::from_here(lang, run, first), &|alternative| {
                let action = sim::Action::Set(alternative.change);
                let refusal = run.can_apply(action).err().filter(|_| !alternative.is_present);
                item(alternative, Action::Act(action), refusal.map(refused))
            });
            vec![here, from_beginning]
        }
        TakesEffect::AtStartOf(client) => {
            let name = text::restart_with(lang, run, client);
            // The reason once, not beside each value.
            let restarted = match run.can_apply(sim::Action::restart(client)) {
                Err(refusal) => impossible(name.into(), refused(refusal)),
                Ok(()) => section(name, &|alternative| {
                    let action = Action::RestartWith(client, alternative.change);
                    let item = item(alternative, action, not_allowed(alternative));
                    let warning = alternative.is_shut_out.then(|| text::shut_out(lang).into());
                    Item { note: warning.or(item.note), ..item }
                }),
            };
            vec![from_beginning, restarted]
        }
        TakesEffect::AtStartOfBrokers => {
            let name = text::from_here(lang, run, first);
            vec![from_beginning, impossible(name.into(), refused(Refusal::BrokerRestart))]
        }
    };
    sections.extend(compared);
    sections
}

/// What cannot be done, and why.
fn impossible(label: AttrValue, why: AttrValue) -> Section {
    vec![Item { action: Action::Escape, label, note: Some(why), is_possible: false, state: None }].into()
}

/// True if a setting was changed by hand since the run began.
fn was_changed_by_hand(state: &State, change: Change) -> bool {
    let history = state.playback.history();
    let is_of_the_same = |action| matches!(action, sim::Action::Set(other) if change.is_of_the_same(other));
    history.actions(history.current()).iter().any(|&(_, action)| is_of_the_same(action))
}
