//! The page as a whole: keeps the state, runs the frames, listens to the browser, lays out the regions.

use super::browser;
use super::caption::caption as words;
use super::compare;
use super::dialog::{help_dialog, report_dialog, report_note};
use super::explanation;
use super::export;
use super::figure::{self, Figure};
use super::header::{EXPORT, Head, PRESENT, header};
use super::host::{self, Asked, Order};
use super::inspector::{OPEN, anchor_of};
use super::keys::Command;
use super::menu::{Section, menu};
use super::playback::Refused;
use super::present::{self, PRESENTING};
use super::reader;
use super::share::{Shared, share_dialog};
use super::side::{QUESTION, Side};
use super::stage::{Drag, Prepared, StageView, partition_id, subject_id};
use super::state::{
    Action, AskedOfSweep, Concern, FileReport, Format, Inspect, Inspector, MenuOf, Pane, Selected, Share, State,
};
use super::term;
use super::transport::{GO_TO, PLAY, TimelineView, Transport};
use super::verdicts::{RunSetup, Verdicts};
use super::view::{self, Panels};
use crate::history::BranchId;
use crate::link::{Link, MOST_SHARED};
use crate::reading::ActionReading;
use crate::scenario::by_hand::World;
use crate::scene::drawn::Rows;
use crate::scene::pace::matters;
use crate::scene::stage::Shape;
use crate::scene::{self, Seen, Subject};
use crate::sim::{GroupId, RecordId, StepNo};
use crate::stories::{self, Story};
use crate::text::{self, Lang, labels};
use gloo_events::EventListener;
use gloo_render::{AnimationFrame, request_animation_frame};
use gloo_timers::callback::Timeout;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use yew::html::Scope;
use yew::prelude::*;

/// The longest real time that one frame stands for, in milliseconds: after a hidden tab, nothing rushes.
const LONGEST_FRAME: f64 = 100.0;
/// So much of a frame, in milliseconds, a sweep may take: the page goes on answering.
const SLICE: f64 = 8.0;
/// Up to this width the verdicts stand below the stage, where those who read are beside what they read. The style sheet says the
/// same.
const NARROW: &str = "(max-width: 760px)";
/// Up to this width what is on the stage does so, too; and here as well.
const ONE_COLUMN: &str = "(max-width: 559px)";
/// From one change of the address to the next, in milliseconds: browsers refuse a page that changes it all the time.
const ADDRESS_DELAY: u32 = 400;
const REDUCED_MOTION: &str = "(prefers-reduced-motion: reduce)";

/// The id of the stage.
const STAGE: &str = "stage";
/// So much of the stage has to be in sight, in CSS pixels from the top of the window, for it to follow the steps.
const LEAST_IN_SIGHT: i32 = 200;

/// What the page hears.
pub enum Message {
    /// Something for the state.
    Do(Action),
    /// A frame, with its time in milliseconds.
    Frame(f64),
    /// A file was chosen.
    File(web_sys::File),
    /// The page around asks for something.
    Asked(Asked),
    /// What the page around wants done has been read: the number of its message, the scenario that it is about, and what it says.
    ActionRead(f64, u32, Option<ActionReading>),
    /// The address has changed, by a link or by Back.
    Address,
    /// The address may be changed again, or the page is about to go: it has to say what is shown.
    ShowAddress,
    /// A button of the hand on time was pressed.
    Pressed(Command),
}

/// The page.
pub struct App {
    state: State,
    dispatch: Callback<Action>,
    on_file: Callback<web_sys::File>,
    on_subject: Callback<Subject>,
    on_group: Callback<GroupId>,
    on_record: Callback<RecordId>,
    on_press: Callback<Command>,
    on_drag: Callback<Drag>,
    on_all: Callback<MouseEvent>,
    frame: Option<AnimationFrame>,
    last_frame: Option<f64>,
    panels: Panels,
    panels_of: Moment,
    timeline: Rc<TimelineView>,
    timeline_of: (u32, usize, bool, Lang),
    titles: Rc<[AttrValue]>,
    /// Set inside a page that wants a figure.
    figure: Option<Figure>,
    /// What the page around was told last: step, steps, whether it plays.
    told: Option<(u32, u32, bool)>,
    /// The file that the page around has sent, and the number of its message.
    sent: Option<(u32, f64)>,
    /// What the page around was told last of a link or a file that is wrong.
    told_problem: Option<FileReport>,
    /// What is open beside something.
    popup: NodeRef,
    /// The fragment of the address that the page has shown or opened last, and which scenario that was.
    address: (String, u32),
    /// Set if something else may be shown than the address says.
    is_address_behind: bool,
    /// Waits until the address may be changed again.
    address_timer: Option<Timeout>,
    /// The id of the region that has to be brought into sight.
    in_sight: Option<&'static str>,
    /// The id of the element that gets the focus if what had it is gone.
    home: Option<String>,
    /// The id of what the step at hand is about, if that has to be brought into sight.
    at_hand: Option<String>,
    /// True if what is being built would be gone after a reload, so that the page has to come back to it by itself.
    is_only_here: bool,
    /// True until the page has come back to what was being built, if anything was.
    is_coming_back: bool,
    _listeners: Vec<EventListener>,
}

/// What the panels depend on.
#[derive(Clone, PartialEq)]
struct Moment {
    lang: Lang,
    shape: Shape,
    opened: u32,
    branch: usize,
    branches: usize,
    shown: u32,
    position: u32,
    scenes: usize,
    group: Option<GroupId>,
    concern: Option<Concern>,
    twin: bool,
    is_whole: bool,
    inspector: Inspector,
    lab: u32,
    /// What is seen of the sweep, where it is seen.
    sweep: Option<u32>,
    compared: usize,
    chosen: Vec<Option<u32>>,
}

impl Moment {
    fn of(state: &State) -> Self {
        let history = state.playback.history();
        let is_moving = state.playback.needs_frames();
        Moment {
            lang: state.lang,
            shape: state.shape,
            opened: state.opened,
            branch: history.current(),
            branches: history.branch_count(),
            shown: state.playback.shown(),
            // While it moves, hidden steps go by; the words wait until it comes to rest.
            position: if is_moving { 0 } else { history.position() },
            scenes: state.scenes.len(),
            group: state.group(),
            concern: state.concern,
            twin: state.twin,
            is_whole: state.is_whole,
            inspector: state.inspector.clone(),
            lab: state.lab.version,
            sweep: (state.inspector.pane == Pane::Sweep).then_some(state.sweeping.seen),
            compared: state.comparing.as_ref().map_or(0, |comparing| comparing.branches.len()),
            chosen: state.scenes.iter().map(|scene| scene.chosen).collect(),
        }
    }
}

impl Component for App {
    type Message = Message;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link();
        let lang = browser::initial_lang();
        let theme = browser::initial_theme();
        browser::show_lang(lang, false);
        browser::show_theme(theme, false);
        let has_parameters = browser::has_parameters();
        let mut state = State::new(lang, theme, stories::all());
        state.apply(Action::SetShape(shape_now()));
        state.apply(Action::SetStill(browser::media(REDUCED_MOTION).is_some_and(|query| query.matches())));
        if browser::is_whole() {
            state.apply(Action::BecomeWhole);
        }
        let address = browser::fragment();
        if has_parameters || !address.is_empty() {
            open_address(&mut state, &address);
        }
        if has_parameters && let Some(speed) = figure::speed() {
            state.apply(Action::SetSpeed(speed));
        }
        let dispatch = link.callback(Message::Do);
        let panels = view::panels(&state);
        let timeline = Rc::new(view::timeline(&state));
        let figure = if has_parameters { Figure::of_address() } else { None };
        let mut app = App {
            panels_of: Moment::of(&state),
            panels,
            timeline_of: timeline_key(&state),
            timeline,
            titles: titles(state.lang, &state.stories),
            on_record: match &figure {
                // It has no list of records to lead to.
                Some(_) => Callback::noop(),
                None => dispatch.reform(|record| Action::Inspect(Inspect::Record(record))),
            },
            figure,
            told: None,
            sent: None,
            told_problem: None,
            popup: NodeRef::default(),
            in_sight: None,
            home: None,
            at_hand: None,
            on_file: link.callback(Message::File),
            on_subject: dispatch.reform(|subject| Action::ToggleMenu(MenuOf::Subject(subject))),
            on_group: dispatch.reform(Action::ChooseGroup),
            on_press: link.callback(Message::Pressed),
            on_all: dispatch.reform(|_| Action::ShowRows(Rows::All)),
            on_drag: dispatch.reform(|drag| match drag {
                Drag::Begin => Action::Grab,
                Drag::End(message, by) => Action::LetGo(Some((message, by))),
                Drag::Cancel => Action::LetGo(None),
            }),
            address: (address, state.opened),
            is_address_behind: state.report.is_some(),
            address_timer: None,
            is_only_here: false,
            is_coming_back: !has_parameters,
            _listeners: listeners(link, &dispatch),
            dispatch,
            frame: None,
            last_frame: None,
            state,
        };
        app.read_packed();
        if app.state.report.is_some() {
            app.tell_problem();
            link.send_message(Message::ShowAddress);
        }
        app
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let was_playing = self.state.playback.is_playing();
        let before = self.step_at_hand();
        let lang = self.state.lang;
        let was_presenting = self.state.presenting.is_some();
        let was_comparing = self.state.comparing.is_some();
        let mut is_drag = false;
        let mut is_press = false;
        match message {
            Message::Do(action) => {
                if let Action::SetLang(lang) = action {
                    browser::show_lang(lang, true);
                    // The address has the last word on the language of a reload.
                    self.address_timer = None;
                }
                is_drag = matches!(action, Action::JumpTo(_));
                // Whoever opens a run wants to see it.
                is_press = matches!(action, Action::Inspect(Inspect::Sweep(AskedOfSweep::Open(_))));
                if matches!(action, Action::Inspect(Inspect::Record(_) | Inspect::Select(Some(Selected::Record(_))))) {
                    self.at_hand = Some(OPEN.to_owned());
                }
                let is_theme = matches!(action, Action::SwitchTheme);
                if let Action::Export(format) = action {
                    export::start(view::export(&self.state, &self.panels, format), self.dispatch.clone());
                }
                if let Action::Answer(choice) = action
                    && host::has_host()
                {
                    host::tell_answer(&self.state, choice);
                }
                let read = match action {
                    Action::OpenFile(number, ..) => Some(number),
                    _ => None,
                };
                self.state.apply(action);
                if let Some((_, id)) = self.sent.take_if(|(number, _)| Some(*number) == read) {
                    let report = self.state.report.take();
                    host::reply(id, host::problem(self.state.lang, report.as_ref()));
                }
                if is_theme {
                    browser::show_theme(self.state.theme, true);
                }
            }
            Message::Frame(time) => {
                self.frame = None;
                let passed = self.last_frame.map_or(0.0, |last| (time - last).clamp(0.0, LONGEST_FRAME));
                // Whole milliseconds are played; the rest waits for the next frame.
                let whole = passed.floor();
                self.last_frame = Some(time - (passed - whole));
                let is_still = !self.state.playback.needs_frames() && !self.state.playback.is_playing();
                self.state.apply(Action::Frame(whole as u32));
                if self.sweep_on() && is_still {
                    self.keep_frames_coming(ctx);
                    return false;
                }
            }
            Message::File(file) => {
                self.state.apply(Action::ReadFile);
                if let Some(number) = self.state.reading {
                    reader::read(number, file, self.dispatch.clone());
                }
            }
            Message::Asked(asked) => self.obey(ctx, asked),
            Message::ActionRead(id, opened, reading) => host::reply(id, host::act(&mut self.state, opened, reading)),
            Message::Address => {
                let address = browser::fragment();
                if address == self.address.0 {
                    return false;
                }
                let Some(opened) = Link::from_fragment(&address).transpose() else { return false };
                self.state.apply(Action::OpenLink(opened));
                self.address = (address, self.state.opened);
            }
            Message::ShowAddress => {
                self.address_timer = None;
                self.follow(ctx);
                return self.figure.is_some();
            }
            Message::Pressed(command) => {
                is_press = true;
                self.state.apply(command.action());
            }
        }
        if lang != self.state.lang {
            browser::show_lang(self.state.lang, false);
            self.titles = titles(self.state.lang, &self.state.stories);
        }
        if was_presenting != self.state.presenting.is_some() {
            present::show(self.state.presenting.is_some());
        }
        self.read_packed();
        if self.state.uses_lab() || (self.is_coming_back && self.state.is_whole) {
            self.ask_lab();
        }
        self.in_sight = self.brought_into_sight(was_playing);
        if !was_comparing && self.state.comparing.is_some() {
            self.in_sight = Some(STAGE);
        }
        if before != self.step_at_hand() && !is_drag {
            self.at_hand = self.subject();
        }
        let has_gone_on = before != self.step_at_hand() || self.state.playback.is_playing();
        if is_press && has_gone_on && !is_stage_in_sight() {
            self.in_sight = self.in_sight.or(Some(STAGE));
        }
        self.keep_frames_coming(ctx);
        self.is_address_behind |= self.refresh() || self.state.report.is_some();
        if self.address_timer.is_none() {
            self.follow(ctx);
        }
        if host::has_host() && self.state.is_whole {
            self.tell_host();
            self.tell_problem();
        }
        // What comes between drawing and `rendered` finds the focus lost already.
        self.home = browser::home_of_focus().or(self.home.take());
        if was_presenting != self.state.presenting.is_some() {
            self.home = Some(if was_presenting { PRESENT } else { PRESENTING }.to_owned());
        }
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        let state = &self.state;
        let lang = state.lang;
        let playback = &state.playback;
        let seen = Seen { chosen: state.group(), rows: state.rows, concerned: &self.panels.marked_records };
        let shows_side = state.side && self.figure.as_ref().is_none_or(|figure| figure.has_side);
        let shape = state.comparing.as_ref().map_or(state.shape, |comparing| compare::shape(state, comparing));
        let stage = Prepared(Rc::new(scene::stage(playback.run(), playback.drawn_time(), shape, seen)));
        let is_summed = stage.0.is_summed;
        let mut caption = view::caption(state, &self.panels);
        if let Some(notice) = self.notice() {
            caption.sentence = term::plain(&notice);
        }
        let selected = state.menu.and_then(|of| match of {
            MenuOf::Subject(subject) => Some(subject),
            _ => None,
        });
        let head = Head {
            lang,
            builtin: state.builtin,
            is_whole: state.is_whole,
            is_reading: state.reading.is_some(),
            menu: state.menu,
            title: &self.panels.story.title,
            titles: &self.titles,
            dispatch: &self.dispatch,
            on_file: &self.on_file,
        };
        let stage = html! {
            <StageView {stage} {lang} concerned={self.panels.marked_records.clone()} selected={selected} picked={state.inspector.marked()} on_record={self.on_record.clone()} on_subject={Some(self.on_subject.clone())} on_group={self.on_group.clone()} on_drag={self.on_drag.clone()} on_all={self.on_all.clone()} />
        };
        let stage = match &state.comparing {
            Some(comparing) => compare::compare(state, comparing, stage, &self.dispatch),
            None => stage,
        };
        // Where no group reads there are none; each of several runs has its own beside it.
        let has_verdicts = !self.panels.verdicts.is_empty() && state.comparing.is_none();
        let verdicts = has_verdicts.then(|| html! {
            <Verdicts {lang} run={RunSetup(state.scenario.setup.clone())} group={state.group().unwrap_or(GroupId(0))} verdicts={self.panels.verdicts.clone()} chosen={state.concern.map(|concern| concern.verdict)} concern={self.panels.concern.clone()} dispatch={self.dispatch.clone()} />
        });
        // Tab goes through the regions as one sees them.
        let (above, below) = match state.shape {
            Shape::Wide => (verdicts, None),
            Shape::Narrow | Shape::Columns => (None, verdicts),
        };
        html! {
            <>
            if state.new_version { { new_version(lang) } }
            <div inert={state.presenting.is_some()} class={classes!("app", state.presenting.map(|_| "is-presenting"), (!shows_side).then_some("is-wide-stage"), state.comparing.as_ref().map(|_| "is-comparing"), (state.inspector.pane != Pane::Why).then_some("is-broad"), self.figure.as_ref().map(|figure| figure.classes.clone()))} data-home={PLAY}>
                { header(head) }
                { above }
                <main class={if state.twin { "stage has-twin" } else { "stage" }} id={STAGE}>
                    <div class="stage-view">
                        { stage }
                    </div>
                    { words(&caption, state.menu, &self.dispatch) }
                    if let Some(report) = &state.report && self.figure.is_some() { { report_note(lang, report, &self.dispatch) } }
                    { self.stage_buttons(is_summed) }
                    // In the page's main part, so that whoever goes by landmarks comes to it.
                    if let Some(of) = state.menu { { self.menu(of) } }
                </main>
                { below }
                if shows_side {
                    <Side {lang} story={self.panels.story.clone()} pane={state.inspector.pane} view={self.panels.pane.clone()} is_whole_chain={state.whole_chain} menu={state.menu} dispatch={self.dispatch.clone()} />
                }
                <Transport {lang} shape={state.shape} timeline={self.timeline.clone()} shown={playback.shown()} sentence={self.panels.sentence.clone()}
                    is_playing={playback.is_playing()} speed={playback.speed} clock={text::format::moment(lang, playback.time())}
                    computing={!playback.known().complete} events={playback.every_event.then(|| playback.events())}
                    is_menu_open={state.menu == Some(MenuOf::Time)} on_press={self.on_press.clone()} dispatch={self.dispatch.clone()} />
                if state.help { { help_dialog(lang, &self.dispatch) } }
                if let Some(share) = &state.share { { self.share(share) } }
                if let Some(report) = &state.report && self.figure.is_none() { { report_dialog(lang, report, &self.dispatch) } }
            </div>
            <p class="visually-hidden" role="status" aria-live="polite">{ self.announcement() }</p>
            if let Some(presenting) = state.presenting { { present::over(lang, presenting, playback.shown(), playback.count()) } }
            </>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if first {
            self.keep_frames_coming(ctx);
            browser::show_title(&format!("{} – logstep", self.panels.story.title));
        }
        if let Some(home) = self.home.take() {
            // What can no longer be pressed keeps the focus for a moment.
            if home == PRESENTING {
                browser::focus(&home);
            }
            browser::focus_if_lost(&home);
            browser::focus_if_lost(PLAY);
        }
        let at_hand = self.at_hand.take();
        if let Some(region) = self.in_sight.take() {
            browser::show(region, region == STAGE);
        } else if let Some(id) = at_hand
            // Whoever reads below the stage is left there.
            && is_stage_in_sight()
        {
            browser::show_whole(&id);
        }
    }
}

impl App {
    fn step_at_hand(&self) -> Option<StepNo> {
        self.state.playback.step_at_hand().map(|(number, _)| number)
    }

    /// The id of what the step at hand is about. Where much is to be seen at once, or while it plays, only what must not be
    /// missed moves the view.
    fn subject(&self) -> Option<String> {
        let state = &self.state;
        let (_, step) = state.playback.step_at_hand()?;
        let is_calm = state.shape != Shape::Wide || state.playback.is_playing() || state.comparing.is_some();
        if is_calm && !matters(&step.event) {
            return None;
        }
        let member = step.event.consumer().map(|consumer| subject_id(Subject::Member(consumer)));
        member.or_else(|| step.event.partition().map(partition_id))
    }

    /// The question at which playing stops; on a phone, where it lies below the stage, the stage as it goes on.
    fn brought_into_sight(&self, was_playing: bool) -> Option<&'static str> {
        let state = &self.state;
        let (scene, _) = state.open_question()?;
        if was_playing && state.scenes[scene].chosen.is_some() {
            return None;
        }
        match (was_playing, state.playback.is_playing()) {
            (true, false) => Some(QUESTION),
            (false, true) if state.shape != Shape::Wide => Some(STAGE),
            _ => None,
        }
    }

    /// Goes on with a sweep for a part of a frame; true if nothing else is to be seen of it.
    #[inline(never)]
    fn sweep_on(&mut self) -> bool {
        if !self.state.sweeping.is_busy() {
            return false;
        }
        let (seen, began) = (self.state.sweeping.seen, browser::now());
        self.state.sweeping.advance(self.state.shape, &mut || (browser::now() - began).abs() < SLICE);
        seen == self.state.sweeping.seen
    }

    fn keep_frames_coming(&mut self, ctx: &Context<Self>) {
        if !self.state.needs_frames() && !self.state.playback.is_playing() {
            self.last_frame = None;
        } else if self.frame.is_none() {
            let link = ctx.link().clone();
            self.frame = Some(request_animation_frame(move |time| link.send_message(Message::Frame(time))));
        }
    }

    /// Brings everything up to date that is kept; says whether another moment is shown.
    fn refresh(&mut self) -> bool {
        let moment = Moment::of(&self.state);
        let is_other = moment != self.panels_of;
        if is_other {
            self.panels = view::panels(&self.state);
            if (moment.opened, moment.lang) != (self.panels_of.opened, self.panels_of.lang) {
                browser::show_title(&format!("{} – logstep", self.panels.story.title));
            }
            self.panels_of = moment;
        }
        let key = timeline_key(&self.state);
        // While the future is worked out the timeline grows by leaps, as all of it is made anew each time.
        let count = self.state.playback.count();
        let has_leapt =
            count > self.timeline.count + self.timeline.count / 8 || self.state.playback.shown() > self.timeline.count;
        if key != self.timeline_of || has_leapt {
            self.timeline = Rc::new(view::timeline(&self.state));
            self.timeline_of = key;
        }
        is_other
    }

    /// Reads the file that a link has brought.
    fn read_packed(&mut self) {
        if let Some((number, packed)) = self.state.take_packed() {
            reader::read_packed(number, packed, self.dispatch.clone());
        }
    }

    /// Asks what the lab has to ask.
    #[inline(never)]
    fn ask_lab(&mut self) {
        if std::mem::take(&mut self.is_coming_back) {
            let work = browser::work();
            self.state.lab.has_last = work.is_some();
            if let Some(work) = work.filter(|_| browser::comes_back_to_work()) {
                self.state.go_on_with(work);
                self.is_only_here = true;
            }
        }
        if let Some(text) = self.state.lab.take_changed() {
            browser::keep_work(&text);
        }
        let is_only_here = self.state.is_only_here();
        if is_only_here != self.is_only_here {
            browser::come_back_to_work(is_only_here);
            self.is_only_here = is_only_here;
        }
        if let Some(sent) = self.state.take_request() {
            reader::ask_lab(sent, self.dispatch.clone());
        }
    }

    /// Lets the address say what is shown, so that leaving the page and coming back, or passing it on, leads here. It does so
    /// while it plays, too: a reload goes to the address that there is when it begins. Another scenario is another entry of the
    /// browser's history; inside a frame that is the host's, and nothing is added to it.
    fn follow(&mut self, ctx: &Context<Self>) {
        // The address may be of a file that is still being read.
        if !std::mem::take(&mut self.is_address_behind) || !self.state.is_whole || self.state.reading.is_some() {
            return;
        }
        let Some(fragment) = self.state.link().map(|link| link.to_fragment()) else { return };
        if fragment == self.address.0 {
            return;
        }
        let link = ctx.link().clone();
        self.address_timer = Some(Timeout::new(ADDRESS_DELAY, move || link.send_message(Message::ShowAddress)));
        if fragment.len() > MOST_SHARED {
            return;
        }
        let is_new = self.state.opened != self.address.1 && self.state.linked != Some(self.state.opened);
        browser::show_fragment(&fragment, is_new && !browser::is_framed());
        self.address = (fragment, self.state.opened);
    }

    /// Does what the page around asks for, and answers.
    #[inline(never)]
    fn obey(&mut self, ctx: &Context<Self>, Asked { id, order }: Asked) {
        let order = match order {
            Order::LoadFile(bytes) => {
                self.state.apply(Action::ReadFile);
                let Some(number) = self.state.reading else { return };
                self.sent = Some((number, id));
                return reader::read_bytes(number, bytes, self.dispatch.clone());
            }
            Order::Act(action) => {
                let world = World::of(
                    (&self.state.scenario.cluster, &self.state.scenario.producer_clients),
                    self.state.playback.run(),
                );
                let (link, opened) = (ctx.link().clone(), self.state.opened);
                let done = move |reading| link.send_message(Message::ActionRead(id, opened, reading));
                return reader::read_action(action, &world, done);
            }
            order => order,
        };
        let theme = self.state.theme;
        host::reply(id, host::obey(&mut self.state, &order, &self.panels));
        if self.state.theme != theme {
            browser::show_theme(self.state.theme, false);
        }
    }

    /// Tells the page around which moment is shown, if it has not heard it.
    #[inline(never)]
    fn tell_host(&mut self) {
        let playback = &self.state.playback;
        let now = (playback.shown(), playback.count(), playback.is_playing());
        if self.told != Some(now) {
            self.told = Some(now);
            host::tell(&self.state, &self.panels.sentence);
        }
    }

    /// Tells the page around what is wrong with the link or the file of the address, if it has not heard it.
    #[inline(never)]
    fn tell_problem(&mut self) {
        if self.told_problem == self.state.report {
            return;
        }
        self.told_problem = self.state.report.clone();
        if let Err((code, message)) = host::problem(self.state.lang, self.told_problem.as_ref()) {
            host::troubled(code, &message);
        }
    }

    /// The buttons under the stage.
    fn stage_buttons(&self, is_summed: bool) -> Html {
        let (lang, open) = (self.state.lang, self.state.side);
        let label = if open { labels::hide_side(lang) } else { labels::show_side(lang) };
        let playback = &self.state.playback;
        let back = |id: &'static str, home: &'static str, command: Command, branch: Option<BranchId>| {
            branch.map(|branch| self.branch_button(id, home, command, branch))
        };
        html! {
            <div class="stage-buttons">
                if is_summed || self.state.rows == Rows::All { { self.rows_button(is_summed) } }
                { back("undo", "redo", Command::Undo, playback.can_undo()) }
                { back("redo", "undo", Command::Redo, playback.can_redo()) }
                if self.figure.is_some() { { self.page_link() } }
                if !open && self.state.is_own_branch() { { self.story_button() } }
                <button type="button" class="button small side-switch" aria-expanded={open.to_string()} aria-controls={open.then_some("side")}
                    onclick={self.dispatch.reform(|_| Action::ToggleSide)}>{ label }</button>
            </div>
        }
    }

    /// Takes back what was done, or does it again.
    #[inline(never)]
    fn branch_button(&self, id: &'static str, home: &'static str, command: Command, branch: BranchId) -> Html {
        let lang = self.state.lang;
        let name = format!("{}: {}", command.label(lang), view::branch_name(&self.state, branch));
        html! {
            <button type="button" class="button small" {id} data-home={home} aria-label={name.clone()}
                title={text::format::with_keys(lang, &name, command.shown())}
                onclick={self.dispatch.reform(move |_| command.action())}>{ command.label(lang) }</button>
        }
    }

    /// Draws what is summed up, or sums it up again.
    #[inline(never)]
    fn rows_button(&self, is_summed: bool) -> Html {
        html! {
            <button type="button" class="button small" id="all-rows" aria-pressed={(!is_summed).to_string()}
                onclick={self.dispatch.reform(move |_| Action::ShowRows(if is_summed { Rows::All } else { Rows::Summed }))}>{ labels::all_rows(self.state.lang) }</button>
        }
    }

    /// From a figure to the whole page.
    #[inline(never)]
    fn page_link(&self) -> Html {
        html! {
            <a class="open-page" href={format!("./#{}", self.address.0)} target="_blank" rel="noopener">{ labels::open_page(self.state.lang) }</a>
        }
    }

    #[inline(never)]
    fn story_button(&self) -> Html {
        html! {
            <button type="button" class="button small" data-home={PLAY} onclick={self.dispatch.reform(|_| Action::SwitchBranch(0))}>{ labels::back_to_story(self.state.lang) }</button>
        }
    }

    #[inline(never)]
    fn share(&self, share: &Share) -> Html {
        let state = &self.state;
        share_dialog(state.lang, Shared { link: state.link(), title: &self.panels.story.title, share }, &self.dispatch)
    }

    #[inline(never)]
    fn menu(&self, of: MenuOf) -> Html {
        let lang = self.state.lang;
        let (anchor, name, sections): (String, String, Vec<Section>) = match of {
            MenuOf::Term(panel, term) => {
                return term::meaning(lang, panel, term, &self.popup, &self.dispatch);
            }
            MenuOf::Setting(setting, owner) => {
                let name = crate::explain::setting_name(self.state.playback.run(), setting, owner);
                let anchor = anchor_of(self.state.inspector.pane, setting, owner);
                let can_compare = self.figure.is_none() && self.state.can_compare();
                (anchor, name.to_owned(), explanation::other_values(&self.state, setting, owner, can_compare))
            }
            MenuOf::Subject(subject) => {
                let name = text::subject(lang, self.state.playback.run(), subject);
                let can_compare = self.figure.is_none() && self.state.can_compare();
                (subject_id(subject), name, view::choices(&self.state, subject, can_compare))
            }
            MenuOf::Export => (EXPORT.to_owned(), labels::take_along(lang).to_owned(), view::exports(&self.state)),
            MenuOf::Time => (GO_TO.to_owned(), labels::go_to_moment(lang).to_owned(), view::moments(&self.state)),
        };
        menu(anchor, name, &sections, &self.popup, &self.dispatch)
    }

    /// Why the last thing asked for was not done, or what was done if no step says it.
    fn notice(&self) -> Option<AttrValue> {
        let State { begun_with, exported, refusal, .. } = &self.state;
        if begun_with.is_none() && exported.is_none() && refusal.is_none() {
            return None;
        }
        self.noticed()
    }

    #[inline(never)]
    fn noticed(&self) -> Option<AttrValue> {
        let lang = self.state.lang;
        if let Some(action) = self.state.begun_with {
            return Some(text::branch::begun_again(lang, self.state.playback.run(), action).into());
        }
        match self.state.exported {
            Some(Format::Step | Format::Records | Format::Sweep) => return Some(labels::copied(lang).into()),
            Some(_) => return Some(labels::exported(lang).into()),
            None => {}
        }
        Some(match self.state.refusal? {
            Refused::Here(refusal) => text::refusal(lang, refusal).into(),
            Refused::TooManyBranches => labels::too_many_branches(lang).into(),
        })
    }

    /// Each step when it is stepped; while playing, silence.
    fn announcement(&self) -> AttrValue {
        match self.notice() {
            Some(notice) => notice,
            None if self.state.reading.is_some() => labels::reading_file(self.state.lang).into(),
            None if self.state.playback.is_playing() => AttrValue::default(),
            None => self.panels.sentence.clone(),
        }
    }
}

/// Opens what the address says, by its parameters or its fragment. The parameters have the last word: somebody has written them
/// beside a link.
#[inline(never)]
fn open_address(state: &mut State, fragment: &str) {
    let link = Link::from_fragment(fragment).map(|link| {
        let mut link = link.unwrap_or_default().led_by(browser::parameter("scenario"), figure::step());
        link.lang.take_if(|_| browser::asked_lang().is_some());
        link
    });
    if link != Ok(Link::default()) {
        state.apply(Action::OpenLink(link));
        browser::show_lang(state.lang, false);
    }
}

/// Above the page, so that it covers nothing.
#[inline(never)]
fn new_version(lang: Lang) -> Html {
    html! {
        <p class="new-version" role="status">
            { labels::new_version(lang) }
            <button type="button" class="button small" onclick={|_| browser::renew()}>{ labels::reload(lang) }</button>
        </p>
    }
}

fn titles(lang: Lang, stories: &[Story]) -> Rc<[AttrValue]> {
    stories.iter().map(|story| view::localized(lang, &story.title)).collect()
}

/// True if enough of the stage is in sight.
fn is_stage_in_sight() -> bool {
    browser::place_of(STAGE).is_some_and(|stage| stage.top + stage.height > LEAST_IN_SIGHT)
}

fn timeline_key(state: &State) -> (u32, usize, bool, Lang) {
    let playback = &state.playback;
    (state.opened, playback.history().current(), playback.known().complete, state.lang)
}

fn shape_now() -> Shape {
    let is = |query| browser::media(query).is_some_and(|query| query.matches());
    match (is(ONE_COLUMN), is(NARROW)) {
        (true, _) => Shape::Narrow,
        (false, true) => Shape::Columns,
        (false, false) => Shape::Wide,
    }
}

fn listeners(link: &Scope<App>, dispatch: &Callback<Action>) -> Vec<EventListener> {
    let mut listeners = Vec::new();
    let hears = |target: web_sys::EventTarget, name: &'static str, message: fn() -> Message| {
        let link = link.clone();
        EventListener::new(&target, name, move |_| link.send_message(message()))
    };
    let (window, document) = (gloo_utils::window, gloo_utils::document);
    listeners.push(hears(window().into(), "popstate", || Message::Address));
    listeners.push(hears(window().into(), "hashchange", || Message::Address));
    // A page that is no longer seen may be gone without another word.
    listeners.push(hears(window().into(), "pagehide", || Message::ShowAddress));
    listeners.push(hears(document().into(), "visibilitychange", || Message::ShowAddress));
    let offer = dispatch.clone();
    listeners.push(EventListener::new(&gloo_utils::window(), "logstep-renewed", move |_| {
        offer.emit(Action::OfferNewVersion)
    }));
    // Whoever has opened a list with the mouse or a finger and chosen goes on with the keys of the page, which the list would
    // keep. With the keyboard, the choice may not have been made yet.
    let is_pointed_at = Rc::new(Cell::new(false));
    let pointed_at = is_pointed_at.clone();
    listeners
        .push(EventListener::new(&gloo_utils::document(), "pointerdown", move |event| pointed_at.set(is_list(event))));
    let tabbed = is_pointed_at.clone();
    listeners.push(EventListener::new(&gloo_utils::document(), "change", move |event| {
        if is_pointed_at.get() && is_list(event) {
            browser::focus(PLAY);
        }
    }));
    let options = gloo_events::EventListenerOptions::enable_prevent_default();
    let keys = dispatch.clone();
    listeners.push(EventListener::new_with_options(&gloo_utils::document(), "keydown", options, move |event| {
        let event = event.dyn_ref::<KeyboardEvent>();
        if event.is_some_and(|event| event.key() == "Tab") {
            tabbed.set(false);
        }
        if let Some(event) = event
            && let Some(command) = command_of(event)
        {
            event.prevent_default();
            keys.emit(if event.repeat() { command.action_held() } else { command.action() });
        }
    }));
    for (target, name) in [(gloo_utils::document().into(), "keyup"), (gloo_utils::window().into(), "blur")] {
        let target: web_sys::EventTarget = target;
        let release = dispatch.clone();
        listeners.push(EventListener::new(&target, name, move |_| release.emit(Action::Release)));
    }
    // Whoever leaves the full screen has finished.
    let ended = dispatch.clone();
    listeners.push(EventListener::new(&gloo_utils::document(), "fullscreenchange", move |_| {
        if present::has_ended() {
            ended.emit(Action::Escape);
        }
    }));
    if host::has_host() {
        let link = link.clone();
        listeners.push(EventListener::new(&gloo_utils::window(), host::ASKED, move |event| {
            if let Some(asked) = Asked::of(event) {
                link.send_message(Message::Asked(asked));
            }
        }));
    }
    let whole = dispatch.clone();
    listeners.push(EventListener::new(&gloo_utils::window(), browser::WHOLE, move |_| whole.emit(Action::BecomeWhole)));
    for query in [NARROW, ONE_COLUMN].into_iter().filter_map(browser::media) {
        let dispatch = dispatch.clone();
        listeners.push(EventListener::new(&query, "change", move |_| dispatch.emit(Action::SetShape(shape_now()))));
    }
    if let Some(query) = browser::media(REDUCED_MOTION) {
        let dispatch = dispatch.clone();
        let matches = query.clone();
        listeners
            .push(EventListener::new(&query, "change", move |_| dispatch.emit(Action::SetStill(matches.matches()))));
    }
    listeners
}

/// True for what happens to a list of the head or the transport.
#[inline(never)]
fn is_list(event: &web_sys::Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.is_some_and(|target| target.matches(".head select, .transport select").unwrap_or_default())
}

/// The command of a key, unless the focus is where the key has a meaning of its own.
fn command_of(event: &KeyboardEvent) -> Option<Command> {
    if event.default_prevented() || event.alt_key() {
        return None;
    }
    let with = |held: bool, name: &'static str| if held { name } else { "" };
    let has_control = event.ctrl_key() || event.meta_key();
    let key = format!("{}{}{}", with(has_control, "Ctrl+"), with(event.shift_key(), "Shift+"), event.key());
    let command = Command::of_key(&key)?;
    let focused = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let inside =
        |selector: &str| focused.as_ref().is_some_and(|element| element.closest(selector).ok().flatten().is_some());
    let keeps_key = match command {
        Command::Escape => false,
        Command::Toggle => inside("button, input, select, summary, a, dialog, [role=button]"),
        // They scroll where there is much to read. Page Up and Page Down step also from the side column: a presenter remote
        // sends them, wherever an answer has left the focus.
        Command::First | Command::Last => inside("input:not([type=file]), select, textarea, dialog, .side, .twin"),
        _ => inside("input:not([type=file]), select, textarea, dialog"),
    };
    (!keeps_key).then_some(command)
}
