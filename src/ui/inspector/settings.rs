//! All settings as they are at this moment: each with its default, its value and what it does; what differs comes first.

use crate::explain::{self, Owner, Part, Setting, SettingUse};
use crate::scene::Subject;
use crate::sim::Simulation;
use crate::text::{self, Lang, labels};
use crate::ui::icons::{self, icon};
use crate::ui::state::{Action, Inspect, MenuOf, Selected};
use yew::prelude::*;

/// All settings, in words.
#[derive(Clone, Debug)]
pub struct SettingsView {
    parts: Vec<PartView>,
}

/// Those of a part of the run.
#[derive(Clone, Debug)]
struct PartView {
    title: AttrValue,
    /// Which client it is.
    about: Option<AttrValue>,
    /// What of it can be selected.
    subject: Option<Subject>,
    is_selected: bool,
    rows: Vec<RowView>,
}

#[derive(Clone, Debug)]
struct RowView {
    setting: Setting,
    owner: Owner,
    name: &'static str,
    value: AttrValue,
    /// What is said of its default.
    default: Option<AttrValue>,
    differs: bool,
    meaning: AttrValue,
}

/// The settings of the run at its present moment; those of what is selected come first.
#[inline(never)]
pub fn view(lang: Lang, run: &Simulation, selected: Option<Subject>) -> SettingsView {
    let mut parts: Vec<PartView> = explain::configuration(run)
        .into_iter()
        .map(|part| {
            let is_selected = selected.is_some_and(|selected| is_part(&part.part, selected));
            let row = |configured: explain::Configured| {
                let differs = configured.differs();
                let default = configured.default.map(|value| {
                    let default = text::value(lang, &SettingUse { value, ..configured.used.clone() });
                    text::settings::beside_default(lang, differs, &default).into()
                });
                RowView {
                    setting: configured.used.setting,
                    owner: configured.used.owner,
                    name: configured.used.name,
                    value: text::value(lang, &configured.used).into(),
                    default,
                    differs,
                    meaning: text::meaning(lang, configured.used.setting).into(),
                }
            };
            PartView {
                title: text::settings::part(lang, run, &part.part).into(),
                about: text::settings::client_of_part(run, &part.part).map(AttrValue::from),
                subject: match &part.part {
                    Part::Members(_, members) => members.first().map(|&member| Subject::Member(member)),
                    Part::Producer(producer) => Some(Subject::Producer(*producer)),
                    Part::Sink(_) | Part::Brokers => None,
                },
                is_selected,
                rows: part.settings.into_iter().map(row).collect(),
            }
        })
        .collect();
    let (first, others): (Vec<PartView>, Vec<PartView>) =
        std::mem::take(&mut parts).into_iter().partition(|part| part.is_selected);
    SettingsView { parts: [first, others].concat() }
}

/// True if something selected is, or belongs to, a part.
fn is_part(part: &Part, selected: Subject) -> bool {
    match (part, selected) {
        (Part::Members(_, members), Subject::Member(member)) => members.contains(&member),
        (Part::Members(group, _), Subject::Group(selected)) => *group == selected,
        (Part::Producer(producer), Subject::Producer(selected)) => *producer == selected,
        (_, Subject::Message(message)) => {
            let client = message.client;
            match part {
                Part::Members(_, members) => members.iter().any(|&member| client == member.into()),
                Part::Producer(producer) => client == (*producer).into(),
                _ => false,
            }
        }
        _ => false,
    }
}

/// The id of the button that offers other values of a setting in this view.
pub fn configured_id(setting: Setting, owner: Owner) -> String {
    let owner = match owner {
        Owner::Brokers => "brokers".to_owned(),
        Owner::Network(broker) => format!("network-{}", broker.0),
        Owner::Producer(producer) => format!("producer-{}", producer.0),
        Owner::Consumer(consumer) | Owner::Handling(consumer, _) => format!("consumer-{}", consumer.0),
        Owner::Sink(sink) => format!("table-{}", sink.0),
    };
    format!("configured-{owner}-{}", setting.name())
}

/// All settings.
#[inline(never)]
pub fn settings(lang: Lang, view: &SettingsView, menu: Option<MenuOf>, dispatch: &Callback<Action>) -> Html {
    html! {
        <section class="pane" id="all-settings" aria-labelledby="all-settings-title">
            <h3 id="all-settings-title" tabindex="-1">{ labels::settings_now(lang) }</h3>
            <p class="muted">{ labels::changed_first(lang) }</p>
            for part in &view.parts { { part_view(lang, part, menu, dispatch) } }
        </section>
    }
}

fn part_view(lang: Lang, part: &PartView, menu: Option<MenuOf>, dispatch: &Callback<Action>) -> Html {
    let name =
        html! { <>{ &part.title }if let Some(about) = &part.about { <span class="muted">{ " " }{ about }</span> }</> };
    let title = match part.subject {
        Some(subject) => {
            let asked = (!part.is_selected).then_some(Selected::Subject(subject));
            html! {
                <button type="button" class="part-name" aria-pressed={part.is_selected.to_string()} title={labels::mark_everywhere(lang)}
                    onclick={dispatch.reform(move |_| Action::Inspect(Inspect::Select(asked)))}>{ name }</button>
            }
        }
        None => name,
    };
    html! {
        <section key={part.title.to_string()} class={classes!("part", part.is_selected.then_some("is-selected"))}>
            <h4>{ title }</h4>
            <dl class="settings">
                for row in &part.rows { { row_view(lang, row, menu, dispatch) } }
            </dl>
        </section>
    }
}

fn row_view(lang: Lang, row: &RowView, menu: Option<MenuOf>, dispatch: &Callback<Action>) -> Html {
    let of = MenuOf::Setting(row.setting, row.owner);
    html! {
        <div key={row.name} class={classes!("configured", row.differs.then_some("is-changed"))}>
            <dt>
                <button type="button" class="setting" id={configured_id(row.setting, row.owner)} aria-haspopup="menu" title={labels::other_values(lang)}
                    aria-expanded={(menu == Some(of)).to_string()} onclick={dispatch.reform(move |_| Action::ToggleMenu(of))}>
                    <code>{ row.name }{ "=" }{ &row.value }</code>{ icon(icons::DOWN) }
                </button>
                if let Some(default) = &row.default { <span class="default">{ default }</span> }
            </dt>
            <dd>{ &row.meaning }</dd>
        </div>
    }
}
