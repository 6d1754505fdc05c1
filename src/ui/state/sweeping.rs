//! Sweeps: what is run many times, how far that has come, and which of the runs is looked at.

use super::State;
use crate::explain::{self, Owner, Setting};
use crate::history::BranchId;
use crate::scene::stage::Shape;
use crate::sim::{ConsumerId, Simulation, StepNo};
use crate::sweep::grid::{Cell, Grid, end};
use crate::sweep::{Base, Case, Course, Row, Sweep};
use std::ops::Range;
use std::rc::Rc;

/// The most seeds of one sweep.
pub const MOST_SEEDS: u64 = 10_000;
/// Steps between two looks at the clock.
const CHUNK: u32 = 32;
/// After so many slices it is to be seen how far it is.
const SLICES_UNSEEN: u32 = 20;
/// How many members the grid shows at once.
pub const MOST_MEMBERS: usize = 24;

/// What the runs of a sweep differ in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// Who crashes, and when.
    #[default]
    Crashes,
    /// The seed.
    Seeds,
    /// The value of a setting.
    Values,
}

impl Over {
    /// All of them, as they are offered.
    pub const ALL: [Over; 3] = [Over::Crashes, Over::Seeds, Over::Values];
}

/// What a person asks of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub enum AskedOfSweep {
    /// Chooses what the runs are to differ in.
    Over(Over),
    /// Chooses the first seed and the last.
    Seeds([Rc<str>; 2]),
    /// Chooses a setting.
    Setting(Setting, Owner),
    /// Starts it.
    Start,
    /// Stops it; what there is stays.
    Stop,
    /// Chooses a cell of the grid: a member, and a column.
    Choose(usize, usize),
    /// Shows the steps of the column that is chosen.
    Widen,
    /// Shows more steps again.
    Narrow,
    /// Shows the members from this one on.
    Members(usize),
    /// Shows the runs as a table, or the grid again.
    AsTable(bool),
    /// Turns to a page of the table.
    Page(usize),
    /// Opens a run, by its place among the rows, at the step that decided how it came out.
    Open(usize),
    /// Goes back to where the first run was opened.
    Return,
}

/// What is asked for, and the sweep that was started last.
pub struct Sweeping {
    /// What the runs of the next one are to differ in.
    pub over: Over,
    /// The first seed and the last, as they were typed.
    pub seeds: [Rc<str>; 2],
    /// The setting that was chosen.
    pub setting: Option<(Setting, Owner)>,
    /// The last one, running or not.
    pub work: Option<Box<Work>>,
    /// Changes whenever something else is to be seen.
    pub seen: u32,
}

impl Default for Sweeping {
    fn default() -> Self {
        Sweeping { over: Over::Crashes, seeds: ["1".into(), "100".into()], setting: None, work: None, seen: 0 }
    }
}

/// A sweep.
pub struct Work {
    /// What its runs differ in.
    pub over: Over,
    /// The setting whose values they have.
    pub swept: Option<(Setting, Owner)>,
    /// The runs.
    pub sweep: Sweep,
    /// In how many slices so far.
    slices: u32,
    /// True if it was stopped before its end.
    pub is_stopped: bool,
    /// The run that its runs differ from, and the branch on which that is, with how much had been done there.
    pub base: Base,
    branch: (BranchId, usize),
    /// The steps that are shown, if not all; the narrowest last.
    pub windows: Vec<Range<u32>>,
    /// The member and the column that are chosen.
    pub chosen: Option<(usize, usize)>,
    /// The first member that is shown.
    pub first_member: usize,
    /// True as a table.
    pub as_table: bool,
    /// The page of the table, from 0.
    pub page: usize,
    /// The run of the chosen cell, for the sentence of its decisive step.
    pub probe: Option<Probe>,
    /// The runs that were opened, with their branches.
    opened: Vec<(usize, BranchId)>,
    /// Where the first of them was opened.
    from: Option<(BranchId, u32)>,
}

/// A run that is made again up to the step that decided how it came out.
pub struct Probe {
    /// Its place among the rows.
    pub row: usize,
    /// The run.
    pub run: Simulation,
    course: Course,
    until: StepNo,
}

impl Probe {
    /// True once the step is there.
    pub fn is_there(&self) -> bool {
        self.run.steps() > self.until.0 || self.run.has_ended()
    }
}

impl Sweeping {
    /// Another world is opened.
    pub fn leave(&mut self) {
        (self.work, self.setting) = (None, None);
        self.seen += 1;
    }

    /// True while there is something to do.
    pub fn is_busy(&self) -> bool {
        self.work.as_ref().is_some_and(|work| work.is_running() || work.is_probing())
    }

    /// Works as long as there is time.
    #[inline(never)]
    pub fn advance(&mut self, shape: Shape, has_time: &mut dyn FnMut() -> bool) {
        let Some(work) = &mut self.work else { return };
        let before = work.percent();
        while work.is_running() || work.is_probing() {
            work.advance_once();
            if !has_time() {
                break;
            }
        }
        work.slices += 1;
        // What is to be seen changes with each percent or, where that takes long, some times in a second; not with each run.
        if before != work.percent() || !work.is_running() || work.slices % SLICES_UNSEEN == 0 {
            work.follow_chosen(shape);
            self.seen += 1;
        }
    }
}

impl Work {
    /// True until it has come to its end or was stopped.
    pub fn is_running(&self) -> bool {
        !self.is_stopped && self.sweep.ending().is_none()
    }

    fn is_probing(&self) -> bool {
        self.probe.as_ref().is_some_and(|probe| !probe.is_there())
    }

    /// How much is done; nothing as long as it is not known how much there is.
    pub fn percent(&self) -> Option<u32> {
        let (done, all) = (self.sweep.rows().len() as u64, self.sweep.expected_runs()?);
        Some((done * 100 / u64::from(all.max(1))) as u32)
    }

    fn advance_once(&mut self) {
        match &mut self.probe {
            // Whoever has chosen a cell waits for what is said of it.
            Some(probe) if !probe.is_there() => {
                for _ in 0..CHUNK {
                    if probe.is_there() || probe.course.step(&mut probe.run).is_none() {
                        break;
                    }
                }
            }
            _ => {
                self.sweep.advance(CHUNK);
            }
        }
    }

    /// The steps that are shown.
    pub fn window(&self) -> Range<u32> {
        // Nobody crashes after the end, which is a step; a run that is cut short has none.
        let all = || 1..self.sweep.expected().map_or(1, |expected| expected.steps.max(end(self.sweep.rows())).max(1));
        self.windows.last().cloned().unwrap_or_else(all)
    }

    /// The grid as it is shown, of some members.
    pub fn grid(&self, shape: Shape, members: Range<usize>) -> Grid {
        Grid::new(self.sweep.rows(), members, self.window(), columns(shape))
    }

    /// What is chosen: the steps, and what came of the crashes after them.
    pub fn chosen_cell(&self, shape: Shape) -> Option<(Range<u32>, Cell)> {
        let (member, column) = self.chosen?;
        let grid = self.grid(shape, member..member + 1);
        Some((grid.columns.get(column)?.clone(), *grid.cells.first()?.get(column)?))
    }

    /// Makes the run of the chosen cell again.
    fn follow_chosen(&mut self, shape: Shape) {
        let worst = self.chosen_cell(shape).and_then(|(_, cell)| cell.worst);
        if worst == self.probe.as_ref().map(|probe| probe.row) {
            return;
        }
        self.probe = worst.and_then(|row| {
            let Row { case, decided_by, .. } = self.sweep.rows().get(row)?;
            let plan = case.plan(&self.base, |change| vec![change]);
            Some(Probe { row, run: plan.start(), course: plan.course, until: (*decided_by)?.step })
        });
    }

    /// True if what is looked at is neither the run that the sweep began from nor one of its own.
    pub fn is_elsewhere(&self, state: &State) -> bool {
        let history = state.playback.history();
        let (branch, deeds) = self.branch;
        let is_other = history.current() != branch && !self.is_opened(state);
        is_other || history.actions(branch).len() != deeds
    }

    /// True if one of its own runs is looked at.
    pub fn is_opened(&self, state: &State) -> bool {
        let current = state.playback.history().current();
        self.from.is_some() && self.opened.iter().any(|&(_, branch)| branch == current)
    }

    /// The visible step of the run that the sweep began from at which that is looked at.
    pub fn present(&self, state: &State) -> Option<u32> {
        (state.playback.history().current() == self.branch.0).then(|| state.playback.shown())
    }
}

/// How many columns the grid has where there is little room, and where there is more.
fn columns(shape: Shape) -> u32 {
    match shape {
        Shape::Narrow => 10,
        Shape::Wide | Shape::Columns => 20,
    }
}

impl State {
    /// Does what is asked of a sweep.
    #[inline(never)]
    pub(super) fn sweep(&mut self, asked: AskedOfSweep) {
        self.sweeping.seen += 1;
        let shape = self.shape;
        match asked {
            AskedOfSweep::Over(over) => self.sweeping.over = over,
            AskedOfSweep::Seeds(seeds) => self.sweeping.seeds = seeds,
            AskedOfSweep::Setting(setting, owner) => self.sweeping.setting = Some((setting, owner)),
            AskedOfSweep::Start => self.start_sweep(),
            AskedOfSweep::Open(row) => self.open_run(row),
            AskedOfSweep::Return => {
                if let Some((branch, shown)) = self.sweeping.work.as_mut().and_then(|work| work.from.take()) {
                    self.playback.switch(branch);
                    self.playback.jump(shown);
                }
            }
            asked => {
                if let Some(work) = &mut self.sweeping.work {
                    work.apply(asked, shape);
                }
            }
        }
    }

    fn start_sweep(&mut self) {
        let base = self.playback.base(&self.scenario.setup);
        let mut swept = None;
        let sweep = match self.sweeping.over {
            Over::Crashes => Sweep::of_crashes_beside(&base),
            Over::Seeds => {
                let Some((first, count)) = self.sweeping.seeds_asked() else { return };
                let base = base.clone();
                let plan = move |nth: u32| {
                    let seed = first.saturating_add(u64::from(nth));
                    (Case::Seed(seed), base.with_seed(seed))
                };
                Sweep::of_plans((0..count).map(plan))
            }
            Over::Values => {
                let Some((setting, owner)) = self.sweeping.setting.or_else(|| sweep_settings(self).first().copied())
                else {
                    return;
                };
                swept = Some((setting, owner));
                let found = explain::alternatives(self.playback.run(), setting, owner);
                let possible = found.into_iter().flat_map(|found| found.values);
                let changes = possible.filter(|value| value.contradicts.is_none()).map(|value| value.change);
                let plan = |change| (Case::Change(change), base.with_changes(&self.changes_with(change)));
                let plans: Vec<_> = changes.map(plan).collect();
                Sweep::of_plans(plans.into_iter())
            }
        };
        let branch = self.playback.history().current();
        self.sweeping.work = Some(Box::new(Work {
            over: self.sweeping.over,
            swept,
            sweep,
            slices: 0,
            is_stopped: false,
            base,
            branch: (branch, self.playback.history().actions(branch).len()),
            windows: Vec::new(),
            chosen: None,
            first_member: 0,
            as_table: false,
            page: 0,
            probe: None,
            opened: Vec::new(),
            from: None,
        }));
    }

    fn open_run(&mut self, row: usize) {
        let Some(work) = &self.sweeping.work else { return };
        let Some(Row { case, decided_by, .. }) = work.sweep.rows().get(row) else { return };
        let until = decided_by.map(|decisive| decisive.step);
        let from = (self.playback.history().current(), self.playback.shown());
        let is_from_opened = work.is_opened(self);
        self.opening = false;
        let made_before = work.opened.iter().find(|&&(opened, _)| opened == row).map(|&(_, branch)| branch);
        let made = match (made_before, case) {
            (Some(branch), _) => {
                self.playback.show_on(branch, until);
                Ok(())
            }
            // Then nothing before the crash is different, and nothing is done after it.
            (None, Case::Crash { consumer, after, at })
                if work.base.without_crashes() == work.base && work.base.deeds.iter().all(|deed| deed.at < *at) =>
            {
                self.playback.crash_on(work.branch.0, (*consumer, *after), until)
            }
            (None, case) => {
                let plan = case.plan(&work.base, |change| self.changes_with(change));
                self.playback.begin_plan(&plan, until)
            }
        };
        self.refusal = made.err();
        let current = self.playback.history().current();
        if self.refusal.is_none()
            && let Some(work) = &mut self.sweeping.work
        {
            if !work.opened.contains(&(row, current)) {
                work.opened.push((row, current));
            }
            if !is_from_opened {
                work.from = Some(from);
            }
        }
    }
}

impl Sweeping {
    /// The first seed that is asked for, and how many; nothing if that is not possible.
    pub fn seeds_asked(&self) -> Option<(u64, u32)> {
        let [first, last] = self.seeds.each_ref().map(|seed| seed.trim().parse::<u64>().ok());
        let (first, last) = first.zip(last)?;
        let count = last.checked_sub(first)?.checked_add(1).filter(|&count| count <= MOST_SEEDS)?;
        Some((first, count as u32))
    }
}

impl Work {
    fn apply(&mut self, asked: AskedOfSweep, shape: Shape) {
        match asked {
            AskedOfSweep::Stop => self.is_stopped = self.sweep.ending().is_none(),
            AskedOfSweep::Choose(member, column) => self.chosen = Some((member, column)),
            AskedOfSweep::Widen => {
                if let Some((steps, _)) = self.chosen_cell(shape)
                    && steps.len() > 1
                {
                    self.windows.push(steps);
                    self.chosen = self.chosen.map(|(member, _)| (member, 0));
                }
            }
            AskedOfSweep::Narrow => {
                if let Some(steps) = self.windows.pop() {
                    let grid = self.grid(shape, 0..0);
                    let column = grid.columns.iter().position(|column| column.contains(&steps.start));
                    self.chosen = self.chosen.zip(column).map(|((member, _), column)| (member, column));
                }
            }
            AskedOfSweep::Members(first) => (self.first_member, self.chosen) = (first, None),
            AskedOfSweep::AsTable(as_table) => (self.as_table, self.page) = (as_table, 0),
            AskedOfSweep::Page(page) => self.page = page,
            _ => {}
        }
        self.follow_chosen(shape);
    }
}

/// The settings whose values can be run one after the other, each with whose it is.
#[inline(never)]
pub fn sweep_settings(state: &State) -> Vec<(Setting, Owner)> {
    let run = state.playback.run();
    let is_of_scenario = |owner: Owner| match owner {
        Owner::Consumer(consumer) | Owner::Handling(consumer, _) => {
            ConsumerId::index(consumer) < state.scenario.setup.consumers.len()
        }
        _ => true,
    };
    let all = explain::configuration(run).into_iter().flat_map(|part| part.settings);
    let settings = all.map(|configured| (configured.used.setting, configured.used.owner));
    settings
        .filter(|&(setting, owner)| is_of_scenario(owner) && explain::alternatives(run, setting, owner).is_some())
        .collect()
}
