//! From the run to the words of the sequence diagram.

use super::{Head, ItemView, SequenceView};
use crate::scene::Subject;
use crate::scene::sequence::{End, Item, Lifeline, place, read};
use crate::sim::{ClientId, Event, GroupId, Simulation, StepNo};
use crate::text::{self, format};
use crate::ui::state::{Selected, State};
use yew::AttrValue;

/// Makes the view at the present moment.
#[inline(never)]
pub fn prepare(state: &State, last: Option<StepNo>) -> SequenceView {
    let (lang, run, shown) = (state.lang, state.playback.run(), state.inspector.sequence);
    let found = read(run, shown.chatter);
    let words: Vec<String> = found.items.iter().map(|item| text::sequence::label(lang, run, item)).collect();
    let widths: Vec<i32> = words.iter().map(|words| text::sequence::width(words)).collect();
    let drawing = place(run, &found, &widths);
    let item = |(item, label): (&Item, String)| item_view(state, last, item, label);
    let items: Vec<ItemView> = found.items.iter().zip(words).map(item).collect();
    let messages = found.items.iter().filter(|item| matches!(item, Item::Message(_))).count();
    SequenceView {
        shown,
        heads: found.lifelines.iter().map(|&on| head(state, on)).collect(),
        items,
        breaks: drawing.breaks.iter().map(|found| format::span(lang, found.span).into()).collect(),
        times: drawing.times.iter().map(|&(_, at)| format::seconds(at).into()).collect(),
        now: format::seconds(found.now).into(),
        idle: (!found.idle.is_empty()).then(|| text::sequence::idle(lang, run, &found.idle).into()),
        summary: text::sequence::summary(lang, messages, found.lifelines.len()).into(),
        earlier: found.begins.and_then(|begins| run.visible_step(run.visible_steps_before(begins).checked_sub(1)?)),
        drawing,
    }
}

fn head(state: &State, on: Lifeline) -> Head {
    let (lang, run) = (state.lang, state.playback.run());
    let select = match on {
        Lifeline::Producer(producer) => Some(Selected::Subject(Subject::Producer(producer))),
        Lifeline::Consumer(consumer) => Some(Selected::Subject(Subject::Member(consumer))),
        Lifeline::Broker(_) => None,
    };
    let groups = run.setup().groups.len();
    let coordinates = |broker| (0..groups).map(GroupId::at).any(|group| run.group(group).broker == broker);
    Head {
        on,
        name: text::sequence::lifeline(lang, run, on).into(),
        role: text::sequence::role(lang, run, on).into(),
        coordinates: matches!(on, Lifeline::Broker(broker) if coordinates(broker)),
        select,
        is_selected: select.is_some() && select == state.inspector.selected,
    }
}

fn item_view(state: &State, last: Option<StepNo>, item: &Item, label: String) -> ItemView {
    let (lang, run) = (state.lang, state.playback.run());
    // What is no step of its own on the page has happened with the next one that is.
    let goal = match state.playback.every_event {
        true => Some(item.step()),
        false => run.visible_step(run.visible_steps_before(item.step())),
    };
    let is_under_way = matches!(item, Item::Message(message) if matches!(message.end, End::OnItsWay { .. }));
    let select = select(run, item);
    let line = match state.inspector.sequence.as_list {
        true => AttrValue::from(text::sequence::line(lang, run, item)),
        false => AttrValue::default(),
    };
    ItemView {
        label: label.into(),
        line,
        at: item.begins_at(run).map_or_else(String::new, |at| format::moment(lang, at)).into(),
        class: class(run, item),
        step: goal.filter(|_| !is_under_way),
        select,
        is_selected: select.is_some() && select == state.inspector.selected,
        is_present: goal.is_some() && goal == last && !is_under_way,
    }
}

/// What is selected with an item: a message as long as it is on its way, a record, or who it happens to.
fn select(run: &Simulation, item: &Item) -> Option<Selected> {
    let of_client = |client| match client {
        ClientId::Producer(producer) => Selected::Subject(Subject::Producer(producer)),
        ClientId::Consumer(consumer) => Selected::Subject(Subject::Member(consumer)),
    };
    match item {
        Item::Message(message) => match message.end {
            End::OnItsWay { name, .. } => name.map(|name| Selected::Subject(Subject::Message(name))),
            _ => Some(of_client(message.client)),
        },
        Item::Happening { on, step, .. } => {
            let record = run.step_at(*step).and_then(|step| step.event.record());
            match (record, on) {
                (Some(record), _) => Some(Selected::Record(record)),
                (None, Lifeline::Consumer(consumer)) => Some(of_client(ClientId::Consumer(*consumer))),
                (None, Lifeline::Producer(producer)) => Some(of_client(ClientId::Producer(*producer))),
                (None, Lifeline::Broker(_)) => {
                    let consumer = run.step_at(*step)?.event.consumer()?;
                    Some(of_client(consumer.into()))
                }
            }
        }
        Item::Waiting { consumer, .. } => Some(of_client((*consumer).into())),
    }
}

fn class(run: &Simulation, item: &Item) -> &'static str {
    match item {
        Item::Message(message) => match (message.end, message.error, message.kind.is_answer) {
            (End::Dropped(..) | End::Unheard(_), ..) | (_, Some(_), _) => "is-bad",
            (End::OnItsWay { .. }, ..) => "is-under-way",
            (_, None, true) => "is-answer",
            (_, None, false) => "",
        },
        Item::Happening { step, .. } => match run.step_at(*step).map(|step| step.event) {
            Some(
                Event::ConsumerCrashed { .. }
                | Event::ProducerCrashed { .. }
                | Event::ConsumerFailed { .. }
                | Event::SessionExpired { .. }
                | Event::PollTimedOut { .. }
                | Event::RebalanceTimedOut { .. }
                | Event::RevocationTimedOut { .. }
                | Event::RequestTimedOut { .. }
                | Event::PartitionsLost { .. }
                | Event::CommitFailed { .. }
                | Event::PollThrew { .. }
                | Event::HandlingFailed { .. },
            ) => "is-bad",
            Some(Event::RecordProcessed { times, .. }) if times > 1 => "is-twice",
            _ => "is-happening",
        },
        Item::Waiting { .. } => "is-waiting",
    }
}
