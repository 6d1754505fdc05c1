//! The state of the page and the one reducer. Nothing here touches the browser.

mod building;
mod comparing;
mod inspecting;
mod opening;
mod sequence;
mod sweeping;
mod trail;

pub use building::{Build, FileFrom, Lab, Sent};
pub use comparing::{Comparing, MOST_COMPARED};
pub use inspecting::{AskedOfRecords, Inspect, Inspector, Lags, Pane, Selected};
pub use opening::{FileProblem, FileReport, FileWrong};
pub use sequence::SequenceShown;
pub use sweeping::{AskedOfSweep, MOST_MEMBERS, MOST_SEEDS, Over, Sweeping, Work, sweep_settings};

use super::figure::Shown;
use super::playback::{FASTEST, Playback, Refused, Speed};
use crate::explain::{self, Owner, Setting};
use crate::history::BranchId;
use crate::link::{Link, LinkProblem};
use crate::reading::Reading;
use crate::scenario::condition::Watch;
use crate::scenario::story::Choices;
use crate::scenario::{Beat, Moment, Question, Scenario};
use crate::scene::drawn::Rows;
use crate::scene::marks::{self, Wanted, Way};
use crate::scene::records::Trail;
use crate::scene::stage::Shape;
use crate::scene::{self, Subject};
use crate::sim::setup::Library;
use crate::sim::{self, Change, ClientId, ConsumerId, GroupId, RecordId, Simulation, StepNo, order};
use crate::stories::Story;
use crate::text::{Lang, Term};
use std::mem::{Discriminant, discriminant};
use std::rc::Rc;

/// What a person, the clock or the browser asks of the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// One step on.
    Forward,
    /// One step back.
    Back,
    /// To the start.
    First,
    /// To the end of what is known.
    Last,
    /// Plays or pauses.
    Toggle,
    /// Plays as long as a key is held.
    Hold,
    /// The key is not held any more.
    Release,
    /// Takes hold of something: nothing moves until it is let go.
    Grab,
    /// Lets it go; if it is a message that was dragged back, it arrives so much later.
    LetGo(Option<(sim::MessageRef, sim::Span)>),
    /// To the nearest moment of a kind.
    JumpToMark(Wanted, Way),
    /// Takes back the last thing done by hand.
    Undo,
    /// Does again what was taken back.
    Redo,
    /// Sets whether every event is a step, or only what everybody sees.
    SetEveryEvent(bool),
    /// To the next scene of the story.
    NextScene,
    /// To the scene before.
    PreviousScene,
    /// Shows the stage alone, to an audience, or no longer.
    Present,
    /// Shows an audience nothing, or the stage again.
    Blank,
    /// Closes whatever is open, the innermost first.
    Escape,
    /// Shows the moment after this many visible steps.
    JumpTo(u32),
    /// Shows the moment after a step.
    JumpToStep(StepNo),
    /// Sets the speed.
    SetSpeed(Speed),
    /// Milliseconds of real time have passed.
    Frame(u32),
    /// Opens a menu, or closes it if it is open.
    ToggleMenu(MenuOf),
    /// Does something to the world.
    Act(sim::Action),
    /// Does several things, one right after the other.
    ActAll(Vec<sim::Action>),
    /// Begins again with another setting; a consumer's, for all members of its group.
    BeginWith(Change),
    /// Begins again with something otherwise, for a consumer's setting for all members of its group, and puts that run beside the
    /// one that is looked at.
    CompareWith(sim::Action),
    /// Puts a branch beside the one that is looked at.
    Compare(BranchId),
    /// Steps another of the runs beside each other.
    Drive(usize),
    /// Shows one run again.
    EndComparison,
    /// Starts a client again with another setting.
    RestartWith(ClientId, Change),
    /// Looks at another branch.
    SwitchBranch(BranchId),
    /// Sets the language.
    SetLang(Lang),
    /// Switches between light and dark.
    SwitchTheme,
    /// Shows verdicts and stage as one group sees them.
    ChooseGroup(GroupId),
    /// Sets the arrangement.
    SetShape(Shape),
    /// Sets whether nothing may move.
    SetStill(bool),
    /// The rest of the program has arrived, which explains and makes links.
    BecomeWhole,
    /// Opens or closes the side column.
    ToggleSide,
    /// Opens or closes the help.
    ToggleHelp,
    /// Opens the dialog that shares what is shown, with these choices, or closes it.
    SetShare(Option<Share>),
    /// The preview of what is being shared is so many CSS pixels high.
    Previewed(u32),
    /// The stage as text was opened or closed.
    SetTwin(bool),
    /// Draws all partitions and members, or no more than can be seen at once.
    ShowRows(Rows),
    /// Opens a built-in story.
    OpenBuiltin(usize),
    /// A file was chosen; it is being read.
    ReadFile,
    /// What a file says: which of the files chosen so far it is, its name, what the reader answers and, packed for an
    /// address, what was read.
    OpenFile(u32, String, Result<Reading, FileProblem>, Option<String>),
    /// An address says what to open, or is none. A file that it brings is still packed.
    OpenLink(Result<Link, LinkProblem>),
    /// Chooses an answer of the open question.
    Answer(u32),
    /// Shows all causes of the step, also those further back.
    ShowWholeChain,
    /// Shows which records a verdict is about, or no longer.
    ToggleConcern(usize),
    /// Shows another page of these records.
    ShowPage(usize),
    /// Looks at something beside the stage, or selects it.
    Inspect(Inspect),
    /// Does something in the lab.
    Build(Build),
    /// Another version of the page is ready to take its place.
    OfferNewVersion,
    /// Makes something to be taken along.
    Export(Format),
    /// Whether the browser has taken it; nothing if it could not be made.
    Exported(Format, Option<bool>),
}

impl Action {
    /// True for what moves the moment that is looked at, or changes the world.
    const fn moves(&self) -> bool {
        matches!(
            self,
            Action::Forward
                | Action::Back
                | Action::First
                | Action::Last
                | Action::Toggle
                | Action::Hold
                | Action::JumpToMark(..)
                | Action::Undo
                | Action::Redo
                | Action::NextScene
                | Action::PreviousScene
                | Action::JumpTo(_)
                | Action::JumpToStep(_)
                | Action::Act(_)
                | Action::ActAll(_)
                | Action::BeginWith(..)
                | Action::CompareWith(_)
                | Action::RestartWith(..)
                | Action::SwitchBranch(_)
        )
    }
}

/// What a menu is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuOf {
    /// Something on the stage.
    Subject(Subject),
    /// Where to go in time.
    Time,
    /// What can be taken along.
    Export,
    /// The other values of a setting.
    Setting(Setting, Owner),
    /// What a word means, where it stands in a panel.
    Term(Panel, Term),
}

/// A panel in which words are explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// Words of the drawing, in which nothing can be opened, beside it.
    Stage,
    /// Under the stage.
    Caption,
    /// The story.
    Story,
    /// Why.
    Why,
}

/// What can be taken along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The step that is shown, in words.
    Step,
    /// The stage as a drawing.
    Svg,
    /// The stage as points.
    Png,
    /// The run in sentences.
    Transcript,
    /// What the run came to, as JSON.
    Outcome,
    /// Each processing of a record, as CSV.
    Ledger,
    /// The scenario file.
    Scenario,
    /// The table of records, as it is shown.
    Records,
    /// The runs of the sweep.
    Sweep,
}

impl Format {
    /// What `static/export.js` calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Step => "step",
            Format::Svg => "svg",
            Format::Png => "png",
            Format::Transcript => "transcript",
            Format::Outcome => "outcome",
            Format::Ledger => "ledger",
            Format::Scenario => "scenario",
            // A table that is copied is a table that is copied.
            Format::Records | Format::Sweep => "records",
        }
    }
}

/// Which colours are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// A verdict whose records are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concern {
    /// Which one.
    pub verdict: usize,
    /// Which page of them, from 0. There may be fewer pages at another step.
    pub page: usize,
}

/// How a figure is to look that is given away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// What is shown beside the stage and the sentence.
    pub shown: Shown,
    /// It plays as soon as it is in sight.
    pub plays: bool,
    /// Its language, if not that of the reader's browser.
    pub lang: Option<Lang>,
    /// Its colours, if not those of the reader's system.
    pub theme: Option<Theme>,
    /// How fast it plays.
    pub speed: Speed,
    /// How high it is in CSS pixels, once the preview has said so.
    pub height: Option<u32>,
}

/// What an audience sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presenting {
    /// The stage alone, with what happens as a subtitle.
    Stage,
    /// Nothing.
    Blank,
}

/// A scene of the story: a beat and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The number of visible steps after which it is said or asked.
    pub shown: u32,
    /// Its beat in the scenario.
    pub beat: usize,
    /// The answers, if it asks.
    pub choices: Option<Choices>,
    /// The answer that was chosen.
    pub chosen: Option<u32>,
}

/// The state of the page.
pub struct State {
    /// The language.
    pub lang: Lang,
    /// The colours.
    pub theme: Theme,
    /// The arrangement.
    pub shape: Shape,
    /// The built-in stories.
    pub stories: Vec<Story>,
    /// What is played.
    pub scenario: Rc<Scenario>,
    /// Which of the scenarios opened so far it is: another number for each that is opened.
    pub opened: u32,
    /// Which of the built-in stories it is.
    pub builtin: Option<usize>,
    /// The run and the place in it.
    pub playback: Playback,
    /// The scenes of the branch that is looked at, in order of time.
    pub scenes: Vec<Scene>,
    /// Looks for the scenes, and for where the scenario opens, on this branch.
    watch: (BranchId, Watch),
    /// True until the page has gone to where the scenario opens.
    opening: bool,
    /// The group that was chosen, or whose member was.
    chosen_group: GroupId,
    /// What the open menu is about.
    pub menu: Option<MenuOf>,
    /// True once the rest of the program is there, which explains and makes links.
    pub is_whole: bool,
    /// True while the help is open.
    pub help: bool,
    /// Set while what is shown is being shared.
    pub share: Option<Share>,
    /// True once another version of the page is ready to take its place.
    pub new_version: bool,
    /// True while the side column is open.
    pub side: bool,
    /// True while the stage is also there as text.
    pub twin: bool,
    /// How many partitions and members are drawn.
    pub rows: Rows,
    /// The last refusal, until something else happens.
    pub refusal: Option<Refused>,
    /// What is otherwise in the run that has just begun again, until something else happens.
    pub begun_with: Option<sim::Action>,
    /// The files chosen so far.
    files: u32,
    /// Which of them is being read.
    pub reading: Option<u32>,
    /// What was wrong with the file that was chosen last.
    pub report: Option<FileReport>,
    /// What the browser has just taken, until something else happens.
    pub exported: Option<Format>,
    /// True if all causes of the step are shown.
    pub whole_chain: bool,
    /// The verdict whose records are shown.
    pub concern: Option<Concern>,
    /// Set while an audience is shown the stage alone.
    pub presenting: Option<Presenting>,
    /// The runs beside each other, while there are any.
    pub comparing: Option<Box<Comparing>>,
    /// The views beside the stage.
    pub inspector: Inspector,
    /// What the view of the lag is drawn from.
    pub lags: Lags,
    /// The file of the world, as it is being changed.
    pub lab: Lab,
    /// Many runs that differ from the one that is looked at.
    pub sweeping: Sweeping,
    /// The way of the selected record, with the scenario and the branch on which it is.
    trail: Option<(u32, BranchId, Trail)>,
    /// What is open, packed for an address, if it came from a file and has been packed.
    packed: Option<String>,
    /// Which of the scenarios opened so far a link has brought.
    pub linked: Option<u32>,
    /// The place to go to when the file of a link has been read.
    arriving: Option<Link>,
}

impl State {
    /// The page with the first story.
    pub fn new(lang: Lang, theme: Theme, stories: Vec<Story>) -> Self {
        let scenario = stories[0].scenario();
        let playback = Playback::new(Simulation::new(scenario.setup.clone()));
        let mut state = State {
            lang,
            theme,
            shape: Shape::Wide,
            watch: (0, watch(&scenario, playback.run())),
            playback,
            stories,
            scenario,
            opened: 0,
            builtin: Some(0),
            scenes: Vec::new(),
            opening: true,
            chosen_group: GroupId(0),
            menu: None,
            is_whole: false,
            help: false,
            share: None,
            new_version: false,
            side: true,
            twin: false,
            rows: Rows::Summed,
            refusal: None,
            begun_with: None,
            files: 0,
            reading: None,
            report: None,
            exported: None,
            whole_chain: false,
            concern: None,
            presenting: None,
            comparing: None,
            inspector: Inspector::default(),
            lags: Lags::default(),
            lab: Lab::default(),
            sweeping: Sweeping::default(),
            trail: None,
            packed: None,
            linked: None,
            arriving: None,
        };
        state.settle();
        state
    }

    /// The group that verdicts and stage are about, if there is any.
    pub fn group(&self) -> Option<GroupId> {
        (!self.scenario.setup.groups.is_empty()).then_some(self.chosen_group)
    }

    /// The scene that is shown: the last one that has come.
    pub fn scene(&self) -> Option<usize> {
        let shown = self.playback.shown();
        self.scenes.iter().rposition(|scene| scene.shown <= shown)
    }

    /// The question that waits for an answer at the moment that is shown, with its scene.
    pub fn open_question(&self) -> Option<(usize, &Question)> {
        if self.playback.forked_at().is_some() {
            return None;
        }
        let index = self.scene()?;
        let scene = &self.scenes[index];
        match &self.scenario.story[scene.beat] {
            Beat::Ask(question) if scene.choices.is_some() => Some((index, question)),
            _ => None,
        }
    }

    /// True at the moment where a question comes that has not been answered.
    pub fn is_asked_here(&self) -> bool {
        self.unanswered().any(|shown| shown == self.playback.shown())
    }

    /// The moments where questions come that have not been answered.
    fn unanswered(&self) -> impl Iterator<Item = u32> {
        self.scenes.iter().filter(|scene| scene.choices.is_some() && scene.chosen.is_none()).map(|scene| scene.shown)
    }

    /// True on a branch that was made by hand.
    pub fn is_own_branch(&self) -> bool {
        self.playback.history().current() != 0
    }

    /// True where the run is no longer that of the story: behind the first thing done by hand.
    pub fn is_behind_parting(&self) -> bool {
        self.playback.forked_at().is_some_and(|parting| self.playback.shown() > parting)
    }

    /// The records that the shown verdict is about, in order.
    pub fn concerned(&self) -> Vec<RecordId> {
        let run = self.playback.run();
        match (self.concern, self.group()) {
            (Some(Concern { verdict, .. }), Some(group)) => {
                explain::concerned(run, group, &explain::verdicts(run, group)[verdict])
            }
            _ => Vec::new(),
        }
    }

    /// The records that are marked on the stage, in order: those that are concerned, and the one that is selected.
    pub fn marked(&self, concerned: Vec<RecordId>) -> Vec<RecordId> {
        let mut marked = concerned;
        if let Some(record) = self.inspector.record() {
            mark(&mut marked, record, self.playback.run());
        }
        marked
    }

    /// The one reducer.
    pub fn apply(&mut self, action: Action) {
        if !matches!(
            action,
            Action::Frame(_) | Action::SetShape(_) | Action::SetStill(_) | Action::BecomeWhole | Action::Release
        ) {
            (self.refusal, self.begun_with, self.exported) = (None, None, None);
        }
        // The first press after a blank screen brings the stage back, and nothing else.
        if self.presenting == Some(Presenting::Blank) && action.moves() {
            self.presenting = Some(Presenting::Stage);
            return;
        }
        // Whoever goes somewhere is not taken elsewhere later, when a long run comes to where the story opens.
        self.opening &= !action.moves();
        self.whole_chain &= !action.moves();
        // What is open beside a word or a setting goes with it.
        if action.moves() && matches!(self.menu, Some(MenuOf::Term(..) | MenuOf::Setting(..))) {
            self.menu = None;
        }
        match action {
            Action::Forward => self.playback.forward(),
            Action::Back => self.playback.back(),
            Action::First => self.playback.jump(0),
            Action::Last => self.playback.jump(u32::MAX),
            Action::Toggle if self.playback.is_playing() => self.playback.pause(),
            Action::Toggle => self.playback.play(),
            Action::Hold => self.playback.hold(),
            Action::Release => self.playback.release(),
            Action::NextScene => self.go_to_scene(|scenes, shown| scenes.iter().find(|scene| scene.shown > shown)),
            Action::PreviousScene => {
                self.go_to_scene(|scenes, shown| scenes.iter().rev().find(|scene| scene.shown < shown));
            }
            Action::JumpTo(shown) => self.playback.jump(shown),
            Action::SetSpeed(speed) => self.playback.speed = speed.clamp(1, FASTEST),
            Action::Frame(millis) => self.frame(millis),
            Action::SetShape(shape) => self.shape = shape,
            Action::SetStill(still) => self.playback.still = still,
            Action::BecomeWhole => self.is_whole = true,
            Action::Answer(choice) => {
                if let Some(index) = self.scene() {
                    self.scenes[index].chosen = Some(choice);
                }
            }
            Action::SetLang(lang) => self.lang = lang,
            Action::SwitchTheme => {
                self.theme = match self.theme {
                    Theme::Light => Theme::Dark,
                    Theme::Dark => Theme::Light,
                }
            }
            Action::ToggleSide => self.side = !self.side,
            Action::ToggleHelp => self.help = !self.help,
            Action::SetTwin(open) => self.twin = open,
            _ => self.apply_otherwise(action),
        }
        self.settle();
    }

    /// What is done beside going through the story and setting up the page.
    #[inline(never)]
    fn apply_otherwise(&mut self, action: Action) {
        match action {
            Action::JumpToMark(wanted, way) => {
                self.menu = None;
                if let Some(shown) = marks::nearest(self.playback.run(), self.playback.shown(), wanted, way) {
                    self.playback.jump(shown);
                }
            }
            Action::Grab => self.playback.grab(true),
            Action::LetGo(dragged) => {
                self.playback.grab(false);
                if let Some((message, by)) = dragged {
                    self.act(&[sim::Action::Delay { message, by }]);
                }
            }
            Action::Undo | Action::Redo => self.undo_or_redo(&action),
            Action::SetEveryEvent(every_event) => self.playback.show_every_event(every_event),
            Action::Present | Action::Blank => self.present(&action),
            Action::Escape => self.close_innermost(),
            Action::JumpToStep(step) => self.playback.jump_to_step(step),
            Action::ToggleMenu(of) => self.toggle_menu(of),
            Action::Act(action) => self.act(&[action]),
            Action::ActAll(actions) => self.act(&actions),
            Action::RestartWith(client, change) => {
                self.act(&[sim::Action::Set(change), sim::Action::restart(client)]);
            }
            Action::BeginWith(change) => self.begin_with(sim::Action::Set(change)),
            Action::CompareWith(_) | Action::Compare(_) | Action::Drive(_) | Action::EndComparison => {
                self.compare(&action)
            }
            Action::SwitchBranch(branch) => self.playback.switch(branch),
            Action::ChooseGroup(group) => self.chosen_group = group,
            Action::SetShare(share) => {
                self.menu = None;
                self.share = share;
            }
            Action::Previewed(height) => {
                if let Some(share) = &mut self.share {
                    share.height = Some(height);
                }
            }
            Action::OfferNewVersion => self.new_version = true,
            Action::ShowRows(rows) => self.rows = rows,
            Action::OpenBuiltin(index) => {
                if let Some(story) = self.stories.get(index) {
                    self.open(story.scenario(), Some(index));
                }
            }
            Action::ReadFile => {
                self.arriving = None;
                self.files += 1;
                self.reading = Some(self.files);
            }
            // Whoever has opened something else in the meantime keeps it.
            Action::OpenFile(file, name, reading, packed) if self.reading == Some(file) => {
                let before = self.opened;
                self.open_file(name, reading);
                if self.opened != before {
                    self.packed = packed;
                }
            }
            Action::OpenFile(..) => {}
            Action::OpenLink(link) => self.open_link(link),
            Action::ShowWholeChain => self.whole_chain = true,
            Action::ToggleConcern(verdict) => {
                let is_shown = self.concern.is_some_and(|concern| concern.verdict == verdict);
                self.concern = (!is_shown).then_some(Concern { verdict, page: 0 });
            }
            Action::ShowPage(page) => self.concern = self.concern.map(|concern| Concern { page, ..concern }),
            Action::Inspect(asked) => self.inspect(asked),
            Action::Build(asked) => self.build(asked),
            Action::Export(_) => self.menu = None,
            Action::Exported(format, Some(is_taken)) => self.exported = is_taken.then_some(format),
            Action::Exported(_, None) => self.report = Some(FileReport { name: None, wrong: FileWrong::Export }),
            Action::Forward
            | Action::Back
            | Action::First
            | Action::Last
            | Action::Toggle
            | Action::Hold
            | Action::Release
            | Action::NextScene
            | Action::PreviousScene
            | Action::JumpTo(_)
            | Action::SetSpeed(_)
            | Action::Frame(_)
            | Action::Answer(_)
            | Action::SetShape(_)
            | Action::SetStill(_)
            | Action::BecomeWhole
            | Action::SetLang(_)
            | Action::SwitchTheme
            | Action::ToggleSide
            | Action::ToggleHelp
            | Action::SetTwin(_) => {}
        }
    }

    /// Of the lab while that is open, and of what was done by hand.
    #[inline(never)]
    fn undo_or_redo(&mut self, asked: &Action) {
        let is_building = self.inspector.pane == Pane::Build;
        match asked {
            Action::Undo if is_building && self.lab.can_undo() => self.build(Build::Undo),
            Action::Redo if is_building && self.lab.can_redo() => self.build(Build::Redo),
            Action::Undo => self.playback.undo(),
            _ => self.playback.redo(),
        }
    }

    fn go_to_scene(&mut self, choose: impl Fn(&[Scene], u32) -> Option<&Scene>) {
        if let Some(shown) = choose(&self.scenes, self.playback.shown()).map(|scene| scene.shown) {
            self.playback.jump(shown);
        }
    }

    /// Whoever looks at a member sees what concerns its group.
    #[inline(never)]
    fn toggle_menu(&mut self, of: MenuOf) {
        self.menu = (self.menu != Some(of)).then_some(of);
        if let MenuOf::Subject(subject) = of {
            self.inspector.selected = Some(Selected::Subject(subject));
        }
        match of {
            // Whoever reads what a word means, or wants what is shown, does not want it to go away.
            MenuOf::Term(..) | MenuOf::Export => self.playback.pause(),
            MenuOf::Subject(Subject::Member(consumer)) => {
                self.chosen_group = self.playback.run().consumer(consumer).group;
            }
            MenuOf::Subject(Subject::Group(group)) => self.chosen_group = group,
            _ => {}
        }
    }

    #[inline(never)]
    fn close_innermost(&mut self) {
        if self.presenting.take().is_none()
            && self.menu.take().is_none()
            && !std::mem::take(&mut self.help)
            && self.report.take().is_none()
            && self.share.take().is_none()
            && !self.end_comparison()
        {
            self.put_back();
        }
    }

    /// What is open would lie over the stage.
    #[inline(never)]
    fn present(&mut self, asked: &Action) {
        self.presenting = match (asked, self.presenting) {
            (Action::Blank, Some(Presenting::Stage)) => Some(Presenting::Blank),
            (Action::Blank, Some(Presenting::Blank)) | (Action::Present, None) => Some(Presenting::Stage),
            (Action::Blank, None) => return,
            _ => None,
        };
        (self.menu, self.help, self.share) = (None, false, None);
    }

    #[inline(never)]
    fn inspect(&mut self, asked: Inspect) {
        if let Inspect::Sweep(asked) = asked {
            return self.sweep(asked);
        }
        if let Inspect::At(time) = asked {
            self.playback.jump_to_time(time);
        }
        self.inspector.apply(asked);
    }

    /// Nothing is open: what is marked is marked no longer, the selection first.
    #[inline(never)]
    fn put_back(&mut self) {
        // A selection that nothing shows is not what somebody wants to be rid of.
        let is_marked = self.inspector.record().is_some() || self.inspector.marked().is_some();
        self.inspector.selected = None;
        if !is_marked {
            self.concern = None;
        }
    }

    fn frame(&mut self, millis: u32) {
        // A message would have arrived before anybody has read what can be done with it.
        if matches!(self.menu, Some(MenuOf::Subject(Subject::Message(_)))) {
            return;
        }
        // Playing stops where a question waits for an answer.
        let asks: Vec<u32> = self.unanswered().collect();
        self.playback.frame(millis, |shown| !asks.contains(&shown));
    }

    fn act(&mut self, actions: &[sim::Action]) {
        self.menu = None;
        self.refusal = self.playback.act(actions).err();
    }

    #[inline(never)]
    fn begin_with(&mut self, action: sim::Action) {
        self.menu = None;
        let changes = match action {
            sim::Action::Set(change) => self.changes_with(change).into_iter().map(sim::Action::Set).collect(),
            _ => vec![action],
        };
        self.refusal = self.playback.begin_with(&changes).err();
        self.begun_with = self.refusal.is_none().then_some(action);
    }

    /// A change with those that go with it: a group's members are configured alike, those with one client library as far as its
    /// settings go.
    #[inline(never)]
    fn changes_with(&self, change: Change) -> Vec<Change> {
        match change.consumer().map(|consumer| self.playback.run().consumer(consumer).group) {
            None => vec![change],
            Some(group) => {
                let members = self.scenario.setup.consumers.iter().zip(0..).filter(|(member, _)| member.group == group);
                let library = match change {
                    Change::Setting { consumer, .. } => Some(self.library_of(consumer)),
                    _ => None,
                };
                let members = members.filter(|(member, _)| {
                    library.is_none_or(|known| known == discriminant(&member.config.settings.library))
                });
                members.map(|(_, index)| change.of_consumer(ConsumerId::at(index))).collect()
            }
        }
    }

    /// Which client library a consumer has.
    fn library_of(&self, consumer: ConsumerId) -> Discriminant<Library> {
        discriminant(&self.playback.run().consumer(consumer).config().settings.library)
    }

    /// Brings what follows from the run up to date: the scenes, and the place where the scenario opens.
    fn settle(&mut self) {
        if let Some(MenuOf::Subject(subject)) = self.menu
            && !scene::is_there(self.playback.run(), subject)
        {
            self.menu = None;
        }
        if let Some(subject) = self.inspector.subject()
            && !scene::is_there(self.playback.run(), subject)
        {
            self.inspector.selected = None;
        }
        let branch = self.playback.history().current();
        if self.inspector.pane == Pane::Lag {
            self.lags.advance((self.opened, branch), self.playback.run());
        }
        let is_other_branch = branch != self.watch.0;
        if is_other_branch {
            self.watch = (branch, watch(&self.scenario, self.playback.run()));
        }
        if self.watch.1.advance(self.playback.run()) || is_other_branch {
            self.find_scenes(is_other_branch);
        }
        if self.opening {
            let opens_at = self.watch.1.step_of(self.scenario.story.len());
            self.opening = opens_at.is_none() && self.scenario.opens_at.is_some() && !self.playback.known().complete;
            if let Some(step) = opens_at {
                self.playback.jump_to_step(step);
            }
        }
        if self.inspector.pane == Pane::Records {
            self.settle_records();
        }
        if self.comparing.is_some() {
            self.settle_comparison();
        }
    }

    /// Puts the beats of the story at their places on this branch. An answer stays only on the branch on which it was
    /// given: elsewhere the run may say something else.
    fn find_scenes(&mut self, is_other_branch: bool) {
        let run = self.playback.run();
        let before = if is_other_branch { Vec::new() } else { std::mem::take(&mut self.scenes) };
        let chosen_before = |beat: usize| before.iter().find(|scene| scene.beat == beat)?.chosen;
        // What the story says of later steps was written for the run as it is told; on a branch of the viewer's own it
        // stays silent from the parting on, and no question is asked.
        let parting = self.playback.forked_at().unwrap_or(u32::MAX);
        let mut scenes: Vec<Scene> = (self.scenario.story.iter().enumerate())
            .filter_map(|(beat, found)| {
                let step = self.watch.1.step_of(beat)?;
                let (shown, choices) = match found {
                    Beat::Say { .. } => (run.visible_steps_before(StepNo(step.0 + 1)), None),
                    Beat::Ask(question) => (run.visible_steps_before(step), Some(question.choices(run)?)),
                };
                Some(Scene { shown, beat, choices, chosen: chosen_before(beat) })
            })
            .filter(|scene| scene.shown <= parting)
            .collect();
        order::by_number(&mut scenes, |scene| order::pair(scene.shown, scene.beat as u32));
        self.scenes = scenes;
    }
}

/// Marks a record, too, if it is there at this moment.
#[inline(never)]
fn mark(marked: &mut Vec<RecordId>, record: RecordId, run: &Simulation) {
    if let Err(place) = marked.binary_search(&record)
        && record.0 < run.records()
    {
        marked.insert(place, record);
    }
}

/// Looks for all moments of a scenario: those of its story in order, then where it opens.
fn watch(scenario: &Scenario, run: &Simulation) -> Watch {
    let opens_at = scenario.opens_at.map(|condition| Moment { condition, after: None });
    Watch::new(run, scenario.story.iter().map(|beat| *beat.moment()).chain(opens_at))
}
