//! From the state to the words and pictures of the regions. Kept until the moment, the branch or the language changes.

use super::browser;
use super::caption::Words;
use super::explanation;
use super::export::Request;
use super::figure;
use super::inspector::{PaneView, build, lag, sequence, settings, sweep};
use super::menu::{Item, ItemState, Section as MenuSection};
use super::records;
use super::side::{QuestionView, StoryView};
use super::state::{Action, Concern, Format, Inspector, Pane, Share, State};
use super::term::plain;
use super::transport::{MarkView, TimelineView};
use super::verdicts::{ConcernView, Tone, VerdictView};
use crate::explain::{self, Verdict};
use crate::link::{Beginning, Opened};
use crate::scenario::{Beat, Localized};
use crate::scene::marks::{self, MarkKind, Wanted, Way};
use crate::scene::names::record_name;
use crate::scene::stage::Shape;
use crate::scene::{self, Subject};
use crate::sim::{self, GroupId, RecordId, Simulation, StepNo, Time};
use crate::text::{self, Finder, Lang, Section, Segment, labels};
use std::rc::Rc;
use yew::AttrValue;

/// Everything around the stage, in words.
#[derive(Clone)]
pub struct Panels {
    /// The verdicts.
    pub verdicts: Rc<[VerdictView]>,
    /// The last step in a sentence.
    pub sentence: AttrValue,
    /// The same with its words marked.
    pub marked: Rc<[Segment]>,
    /// The stage as text.
    pub twin: Rc<[Section]>,
    /// The story.
    pub story: Rc<StoryView>,
    /// The view of the inspector that is open; nothing until the rest of the program is there.
    pub pane: Option<PaneView>,
    /// Records that are marked: what the chosen verdict is about, and the one that is selected.
    pub marked_records: Rc<Vec<RecordId>>,
    /// The chosen verdict.
    pub concern: Option<Rc<ConcernView>>,
}

/// A text in a language.
pub fn localized(lang: Lang, text: &Localized) -> AttrValue {
    AttrValue::from(lang.pick(text.ja(), text.en()).clone())
}

/// Makes the panels of the present moment.
pub fn panels(state: &State) -> Panels {
    let (lang, run) = (state.lang, state.playback.run());
    let last = state.playback.last_step().map(|(number, _)| number);
    let playback = &state.playback;
    let is_cut = playback.known().complete && playback.shown() == playback.count() && !run.has_ended();
    let sentence = match last {
        Some(step) => text::sentence(lang, run, step),
        None if state.shape != Shape::Wide || browser::is_touched() => labels::before_start_by_touch(lang).to_owned(),
        None => labels::before_start(lang).to_owned(),
    };
    let sentence = if is_cut { cut_off(lang) } else { sentence };
    let concerned = state.concerned();
    Panels {
        verdicts: verdicts(state),
        concern: state.concern.and_then(|shown| concern(state, shown, &concerned)).map(Rc::new),
        // Before the first step it speaks of the page, where a key is one of the keyboard's.
        marked: if last.is_some() { Finder::new(lang).cut(&sentence) } else { plain(&sentence) },
        sentence: sentence.into(),
        twin: if state.twin { twin(lang, run) } else { Rc::new([]) },
        story: Rc::new(story(state)),
        pane: state.is_whole.then(|| pane(state, last)),
        marked_records: Rc::new(state.marked(concerned)),
    }
}

/// Said behind the last step of a run that is longer than what is worked out.
#[inline(never)]
fn cut_off(lang: Lang) -> String {
    labels::step_limit(lang).to_owned()
}

/// The view of the inspector that is open, after a step.
#[inline(never)]
fn pane(state: &State, last: Option<StepNo>) -> PaneView {
    let run = state.playback.run();
    match state.inspector.pane {
        Pane::Records => PaneView::Records(Rc::new(records::records(state))),
        Pane::Why => PaneView::Why(last.map(|step| Rc::new(explanation::why(state, step)))),
        Pane::Settings => PaneView::Settings(Rc::new(settings::view(state.lang, run, state.inspector.subject()))),
        Pane::Lag => PaneView::Lag(state.group().map(|group| {
            let Inspector { zoom, .. } = state.inspector;
            Rc::new(lag::view(state.lang, run, group, &state.lags.history, zoom, state.inspector.subject()))
        })),
        Pane::Build => PaneView::Build(build::view(&state.lab)),
        Pane::Sequence => PaneView::Sequence(Rc::new(sequence::prepare(state, last))),
        Pane::Sweep => PaneView::Sweep(Rc::new(sweep::prepare(state))),
    }
}

/// The most steps whose digest is made while a person waits for it.
const MOST_DIGESTED: u32 = 100_000;

/// The stage as text and, at the end of the run, what it came to.
#[inline(never)]
fn twin(lang: Lang, run: &Simulation) -> Rc<[Section]> {
    let mut sections = text::twin(lang, run);
    if run.has_ended() {
        let mut lines = text::outcome(lang, run);
        if run.steps() <= MOST_DIGESTED {
            lines.push(format!("{}: {}", labels::digest(lang), run.digest()));
        }
        sections.push(Section { heading: labels::outcome(lang).to_owned(), lines });
    }
    sections.into()
}

fn verdicts(state: &State) -> Rc<[VerdictView]> {
    let (lang, run) = (state.lang, state.playback.run());
    let verdicts = state.group().map(|group| explain::verdicts(run, group));
    verdicts
        .iter()
        .flatten()
        .map(|verdict| VerdictView {
            label: text::verdict_label(lang, verdict).into(),
            value: text::verdict_value(lang, verdict).into(),
            // Until the rest of the program is there, nobody asks.
            meaning: if state.is_whole {
                text::verdict_explanation(lang, verdict).into()
            } else {
                AttrValue::default()
            },
            tone: tone(verdict),
        })
        .collect()
}

/// How many records of a verdict, or members, are listed at once.
const LISTED: usize = 12;
/// The most pages of them; where they are more, a page has more.
const MOST_PAGES: usize = 500;

#[inline(never)]
fn concern(state: &State, Concern { verdict, page }: Concern, concerned: &[RecordId]) -> Option<ConcernView> {
    let (lang, run) = (state.lang, state.playback.run());
    let group = state.group()?;
    let verdict = explain::verdicts(run, group)[verdict];
    let is_of_members = matches!(verdict, Verdict::Parallelism { .. });
    let idle = if is_of_members { explain::idle(run, group) } else { Vec::new() };
    let total = if is_of_members { idle.len() } else { concerned.len() };
    let listed = LISTED.max(total.div_ceil(MOST_PAGES));
    let pages = total.div_ceil(listed);
    let page = page.min(pages.saturating_sub(1));
    let item = |index: usize| match idle.get(index) {
        Some(idle) => (idle.step, text::idle(lang, run, idle).into()),
        None => {
            let record = concerned[index];
            (explain::decisive_step(run, group, &verdict, record), record_name(run, record).into())
        }
    };
    let shown = page * listed..total.min((page + 1) * listed);
    let name = |page: usize| text::format::part(page * listed + 1, total.min((page + 1) * listed)).into();
    Some(ConcernView {
        meaning: text::verdict_explanation(lang, &verdict).into(),
        lead: text::concerned(lang, &verdict).into(),
        none: text::none_concerned(lang, &verdict).into(),
        items: shown.map(item).collect(),
        pages: if pages > 1 { (0..pages).map(name).collect() } else { Vec::new() },
        page,
        total: text::format::of_all(lang, total).into(),
    })
}

fn tone(verdict: &Verdict) -> Tone {
    match verdict {
        Verdict::OrderInPartition { broken: 0 } => Tone::Good,
        Verdict::OrderInPartition { .. } => Tone::Warning,
        Verdict::Duplicates { of_stopped: 0, of_survivors: 0, of_rewinds: 0, of_sharing: 0, .. } => Tone::Good,
        Verdict::Duplicates { .. } => Tone::Warning,
        Verdict::Lost(lost) if lost.total() == 0 => Tone::Good,
        Verdict::Lost(_) => Tone::Bad,
        Verdict::OrderAcrossTopic { .. } | Verdict::Lag { .. } | Verdict::Parallelism { .. } => Tone::Plain,
    }
}

fn story(state: &State) -> StoryView {
    let lang = state.lang;
    // Behind the parting the story has nothing to say.
    let is_own = state.is_behind_parting();
    let scene = state.scene();
    let mut finder = Finder::new(lang);
    let said = scene.filter(|_| !is_own).and_then(|last| {
        state.scenes[..=last].iter().rev().find_map(|scene| match &state.scenario.story[scene.beat] {
            Beat::Say { text, .. } => Some(localized(lang, text)),
            Beat::Ask(_) => None,
        })
    });
    let about = state.scenario.about.as_ref().filter(|_| !is_own).map(|about| localized(lang, about));
    let text = said.or(about).map(|text| finder.cut(&text));
    let question = state.open_question().and_then(|(index, question)| {
        let scene = &state.scenes[index];
        let choices = scene.choices.as_ref()?;
        Some(QuestionView {
            text: finder.cut(&localized(lang, &question.text)),
            choices: choices.choices.clone(),
            chosen: scene.chosen,
            answer: choices.answer,
        })
    });
    let history = state.playback.history();
    StoryView {
        title: localized(lang, &state.scenario.title),
        place: scene.map(|scene| (scene + 1, state.scenes.len())),
        text,
        question,
        own_branch: state.is_own_branch().then(|| branch_name(state, history.current())),
        branches: (0..history.branch_count()).map(|branch| branch_name(state, branch)).collect(),
        branch: history.current(),
        can_compare: state.can_compare(),
        compared: (0..history.branch_count()).filter(|&branch| !state.can_be_put_beside(branch)).collect(),
    }
}

/// What the menu of something on the stage offers.
pub fn choices(state: &State, subject: Subject, can_compare: bool) -> Vec<MenuSection> {
    let (lang, run) = (state.lang, state.playback.run());
    let item = |action: sim::Action| {
        let refusal = run.can_apply(action).err();
        Item {
            action: Action::Act(action),
            label: text::action(lang, run, action).into(),
            note: refusal.map(|refusal| text::refusal(lang, refusal).into()).or_else(|| consequence(state, action)),
            is_possible: refusal.is_none(),
            state: None,
        }
    };
    let section = |group: Vec<sim::Action>| group.into_iter().map(item).collect::<Vec<Item>>().into();
    let mut sections: Vec<MenuSection> = scene::choices(run, subject).into_iter().map(section).collect();
    if let Subject::Partition(partition) = subject
        && can_compare
    {
        sections.push(more_partitions(state, run.place(partition).topic));
    }
    sections
}

/// Runs whose topic has more partitions from the beginning.
#[inline(never)]
fn more_partitions(state: &State, topic: sim::TopicId) -> MenuSection {
    let (lang, run) = (state.lang, state.playback.run());
    let has = run.topics().partitions_of(topic).len() as u32;
    let item = |count: u32| {
        let action = sim::Action::AddPartitions { topic, to: count as u16 };
        Item {
            action: Action::CompareWith(action),
            label: text::format::partitions(lang, count).into(),
            note: None,
            is_possible: true,
            state: None,
        }
    };
    let most = sim::setup::bounds::PARTITIONS_PER_TOPIC;
    let counts = [has + 1, has * 2].into_iter().filter(|&count| count <= most);
    MenuSection { name: Some(text::compare::more_partitions(lang).into()), items: counts.map(item).collect() }
}

/// What an action would do to the records that a member has in hand or not committed.
fn consequence(state: &State, action: sim::Action) -> Option<AttrValue> {
    let sim::Action::Crash(sim::ClientId::Consumer(consumer)) = action else { return None };
    let lines = explanation::stakes(state, consumer);
    (!lines.is_empty()).then(|| lines.join(state.lang.pick("。", ". ")).into())
}

/// What the menu of places in time offers.
pub fn moments(state: &State) -> Vec<MenuSection> {
    let (lang, playback) = (state.lang, &state.playback);
    let item = |wanted: Wanted, way: Way| {
        let found = marks::nearest(playback.run(), playback.shown(), wanted, way);
        let none = match way {
            Way::Ahead => labels::no_such_moment(lang),
            Way::Back => labels::no_such_moment_before(lang),
        };
        Item {
            action: Action::JumpToMark(wanted, way),
            label: text::branch::nearest(lang, wanted, way).into(),
            note: Some(found.map_or_else(|| none.into(), |shown| format!("{} {shown}", labels::step(lang)).into())),
            is_possible: found.is_some(),
            state: None,
        }
    };
    let jumps = |way| Vec::from(Wanted::LISTED.map(|wanted| item(wanted, way)));
    let every_event = Item {
        action: Action::SetEveryEvent(!playback.every_event),
        label: labels::every_event(lang).into(),
        note: Some(labels::every_event_adds(lang).into()),
        is_possible: true,
        state: Some(ItemState::Switch(playback.every_event)),
    };
    vec![jumps(Way::Ahead).into(), jumps(Way::Back).into(), vec![every_event].into()]
}

/// What the menu of what can be taken along offers.
pub fn exports(state: &State) -> Vec<MenuSection> {
    let lang = state.lang;
    let section = |name: &'static str, items: &[(Format, &'static str)]| {
        let item = |&(format, label): &(Format, &'static str)| Item {
            action: Action::Export(format),
            label: label.into(),
            note: None,
            is_possible: true,
            state: None,
        };
        MenuSection { name: Some(name.into()), items: items.iter().map(item).collect() }
    };
    let share = Item {
        action: Action::SetShare(Some(share(state))),
        label: labels::share(lang).into(),
        note: None,
        is_possible: true,
        state: None,
    };
    vec![
        vec![share].into(),
        section(labels::this_step(lang), &[(Format::Step, labels::copy_step(lang))]),
        section(labels::picture(lang), &[(Format::Svg, "SVG"), (Format::Png, "PNG")]),
        section(
            labels::this_run(lang),
            &[
                (Format::Transcript, labels::transcript(lang)),
                (Format::Outcome, labels::outcome_as_json(lang)),
                (Format::Ledger, labels::ledger(lang)),
                (Format::Scenario, labels::scenario_file(lang)),
            ],
        ),
    ]
}

/// A figure as the page is: with its language, with its colours if they are not the system's, as fast.
fn share(state: &State) -> Share {
    Share {
        shown: figure::USUAL,
        plays: false,
        lang: Some(state.lang),
        theme: (state.theme != browser::system_theme()).then_some(state.theme),
        speed: state.playback.speed,
        height: None,
    }
}

/// What an export is made of.
#[inline(never)]
pub fn export(state: &State, panels: &Panels, format: Format) -> Request {
    let (lang, playback, title) = (state.lang, &state.playback, &panels.story.title);
    let step = playback.shown();
    let clock = text::format::clock(lang, playback.time());
    if let Format::Records | Format::Sweep = format {
        return Request {
            format,
            name: String::new(),
            step,
            words: if format == Format::Sweep { sweep::copied(state) } else { records::copied(state) },
            fragment: String::new(),
            packed: String::new(),
            waiting: String::new(),
        };
    }
    let mut words = format!("{title}\n{} {step} · {clock}\n{}", labels::step(lang), panels.sentence);
    let why = playback.last_step().map(|(number, _)| explanation::why(state, number));
    if let Some(cause) = why.as_ref().and_then(|why| why.links.first()) {
        words = words + "\n" + labels::why(lang) + ": ";
        words.extend(cause.text.iter().map(|part| &*part.text));
    }
    for (index, verdict) in panels.verdicts.iter().enumerate() {
        words = words + if index == 0 { "\n" } else { " · " } + &verdict.label + ": " + &verdict.value;
    }
    let mut link = state.link();
    let packed = match link.as_mut().and_then(|link| link.opened.take_if(|opened| matches!(opened, Opened::File(_)))) {
        Some(Opened::File(packed)) => packed,
        _ => String::new(),
    };
    Request {
        format,
        name: state.builtin.map_or_else(|| title.to_string(), |index| state.stories[index].name.clone()),
        step,
        words,
        fragment: link.map_or_else(String::new, |link| link.to_fragment()),
        packed,
        waiting: format!("{}\n{}", labels::exporting(lang), labels::cancel(lang)),
    }
}

/// A branch by what was done on it.
pub fn branch_name(state: &State, branch: usize) -> AttrValue {
    let is_as_told = matches!(state.playback.beginning_of(branch), Beginning { seed: None, without_crashes: false });
    match state.playback.history().deed(branch) {
        None if is_as_told => labels::story_branch(state.lang).into(),
        _ => name_of_other_branch(state, branch),
    }
}

/// The name of a branch that is not as the story tells it, from its beginning or from a deed on.
#[inline(never)]
fn name_of_other_branch(state: &State, branch: usize) -> AttrValue {
    // Another branch may not have the consumer that it was done to.
    let (lang, run) = (state.lang, state.playback.beside(branch));
    let history = state.playback.history();
    match history.deed(branch) {
        None => text::sweep::page::begun(lang, state.playback.beginning_of(branch).seed).into(),
        // Nothing but settings before it: the run begins with it.
        Some((position, action @ (sim::Action::Set(_) | sim::Action::AddPartitions { .. })))
            if history.actions(branch).get(position as usize).is_some_and(|&(at, _)| at == position) =>
        {
            text::branch::begun_with(lang, run, action).into()
        }
        Some((position, action)) => {
            let shown = run.visible_steps_before(StepNo(position));
            text::branch::done(lang, shown, &text::action_on(lang, run, action)).into()
        }
    }
}

/// The least distance of two names on one side of the timeline, in per cent of its length.
const ROOM_FOR_NAME: u32 = 12;

/// The timeline of the branch that is looked at.
pub fn timeline(state: &State) -> TimelineView {
    let (lang, run) = (state.lang, state.playback.run());
    let history = state.playback.history();
    let count = state.playback.count();
    let room = (count * ROOM_FOR_NAME / 100).max(1);
    // The end of the last name above and below the line. Below it stand the first and the last moment, too.
    let mut taken = [None::<u32>, Some(0)];
    let fits = |row: usize, position: u32| row == 0 || position + room <= count;
    let mut named_duplicate = false;
    let marks = marks::spans(marks::marks(run), count)
        .into_iter()
        .map(|(mark, until)| {
            let is_duplicate = matches!(mark.kind, MarkKind::Duplicate(_));
            let name = match mark.kind {
                MarkKind::Commit => None,
                // Of all repetitions only the first has its name on the line.
                MarkKind::Duplicate(_) if named_duplicate => None,
                MarkKind::Rebalance if mark.position < count / 8 => None,
                kind => Some(text::branch::mark(lang, kind, || mark_name(run, kind))),
            };
            named_duplicate |= is_duplicate;
            let is_free = |row: usize| taken[row].is_none_or(|end| mark.position >= end + room);
            let row = (0..2).find(|&row| is_free(row) && fits(row, mark.position));
            let label = name.zip(row).map(|(name, row)| {
                taken[row] = Some(mark.position);
                (AttrValue::from(name), row == 1)
            });
            let is_below = label.as_ref().is_some_and(|&(_, below)| below);
            MarkView { position: mark.position, until, kind: mark.kind, label: label.map(|(name, _)| name), is_below }
        })
        .collect();
    TimelineView {
        count,
        marks,
        breaks: marks::breaks(run),
        ticks: marks::ticks(run).iter().map(|tick| tick.position).collect(),
        ends: [Time::ZERO, run.setup().ends_at].map(|at| text::format::span(lang, at.since(Time::ZERO)).into()),
        forked_at: history.parent(history.current()).map(|(_, position)| run.visible_steps_before(StepNo(position))),
    }
}

fn mark_name(run: &Simulation, kind: MarkKind) -> String {
    match kind {
        MarkKind::Duplicate(record) => record_name(run, record),
        _ => String::new(),
    }
}

/// The words under the stage.
pub fn caption(state: &State, panels: &Panels) -> Words {
    let setup = &state.scenario.setup;
    let clock = state
        .playback
        .is_waiting()
        .then(|| format!("t = {}", text::format::clock(state.lang, state.playback.time())).into());
    Words {
        lang: state.lang,
        sets_aside: setup.consumers.iter().any(|consumer| consumer.config.handling.on_error.sets_aside()),
        sentence: panels.marked.clone(),
        other: other_group(state),
        asks_below: state.shape != Shape::Wide && state.side && state.is_asked_here(),
        clock,
        on_stage: text::stage::words_on_stage(state.lang, !setup.groups.is_empty(), !setup.sinks.is_empty()),
        has_concerned: !panels.marked_records.is_empty(),
        twin: panels.twin.clone(),
    }
}

/// The group that the last step is about, if that is not the one that is shown. The view stays with the group that is chosen:
/// where groups take turns it would change with each step.
fn other_group(state: &State) -> Option<(GroupId, String)> {
    let groups = &state.scenario.setup.groups;
    if groups.len() == 1 {
        return None;
    }
    let consumer = state.playback.last_step()?.1.event.consumer()?;
    let group = state.playback.run().consumer(consumer).group;
    (state.group() != Some(group)).then(|| (group, text::stage::see_as(state.lang, &groups[group.index()].name)))
}
