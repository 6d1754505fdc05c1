//! Sweeps as the page shows them: the grid and what it says, and that a run that is opened is the run of its row.

mod common;

use common::{finished, story};
use logstep::history::{History, Next};
use logstep::link::{Beginning, Deed};
use logstep::sim::setup::*;
use logstep::sim::*;
use logstep::sweep::grid::{Counts, Grid, Outcome, consumers, end};
use logstep::sweep::{Base, Case, Ending, Plan, Row, Sweep, Totals};
use logstep::text::Lang;
use logstep::text::sweep::page as words;
use std::rc::Rc;

fn swept(mut sweep: Sweep) -> Sweep {
    sweep.finish();
    assert_eq!(sweep.ending(), Some(Ending::Complete));
    sweep
}

/// The story, in which what was read is committed before it is processed.
fn lossy() -> Setup {
    let mut setup = story();
    let when = CommitWhen::BeforeBatch;
    let policy = CommitPolicy {
        when,
        how: CommitHow::Sync,
        on_revoke: false,
        on_close: false,
        offset: CommitOffset::Contiguous,
    };
    setup.configure(GroupId(0), |config| config.handling.commit = policy);
    setup
}

fn base(setup: Setup) -> Base {
    Base::new(Rc::new(setup))
}

fn by_hand(at: u64, action: Action) -> Deed {
    Deed { at: Time::from_micros(at), nth: 0, action }
}

/// What the page makes of a plan: a branch that begins anew.
fn opened(base: &Base, plan: &Plan) -> History<Simulation> {
    let mut history = History::new(Simulation::new(base.setup.clone()));
    history.advance(50);
    history.seek(30);
    let mut course = plan.course.clone();
    let next = |run: &Simulation| match course.next_due(run) {
        Some(action) => Next::Act(action),
        None if course.is_over() => Next::Enough,
        None => Next::Step,
    };
    history.begin_other(plan.begin(), &plan.first, next).expect("possible");
    assert_eq!(history.current(), 1);
    while !history.advance(10_000).complete {}
    history.seek(u32::MAX);
    history
}

fn is_the_row(run: &Simulation, row: &Row) {
    assert_eq!(Totals::of(run), row.totals, "{:?}", row.case);
    assert!(run.has_ended());
    let Some(decisive) = row.decided_by else { return };
    assert_eq!(run.visible_steps_before(decisive.step) + 1, decisive.number);
    let step = run.step_at(decisive.step).expect("it is there");
    assert_eq!(step.at, decisive.at);
    match row.totals.lost {
        0 => assert!(matches!(step.event, Event::RecordProcessed { .. }), "{:?}", step.event),
        _ => assert!(run.lost_at(decisive.step) > 0),
    }
}

#[test]
fn a_run_that_is_opened_is_that_of_its_row() {
    for setup in [story(), lossy()] {
        let base = base(setup);
        let sweep = swept(Sweep::of_crashes_beside(&base));
        for row in sweep.rows().iter().step_by(23) {
            let history = opened(&base, &row.case.plan(&base, |change| vec![change]));
            is_the_row(history.now(), row);
            let Some(&(position, Action::Crash(_))) = history.actions(1).first() else { panic!("a crash") };
            assert_eq!(history.deed(1).map(|(at, _)| at), Some(position), "the branch is known by it");
        }
    }
}

#[test]
fn where_nothing_else_is_done_a_crash_by_hand_is_the_same() {
    let base = base(Setup { actions: Vec::new(), ..story() });
    assert_eq!(base.without_crashes(), base, "nobody crashes of itself");
    let sweep = swept(Sweep::of_crashes_beside(&base));
    for row in sweep.rows().iter().skip(5).step_by(31) {
        let Case::Crash { consumer, after, .. } = row.case else { panic!("a crash") };
        let mut history = History::new(Simulation::new(base.setup.clone()));
        while !history.advance(10_000).complete {}
        history.seek(history.now().visible_step(after - 1).expect("a step").0 + 1);
        history.act(Action::Crash(consumer.into())).expect("it runs");
        while !history.advance(10_000).complete {}
        history.seek(u32::MAX);
        is_the_row(history.now(), row);
    }
}

#[test]
fn what_was_done_by_hand_is_done_in_each_run_but_for_crashes() {
    let second =
        Action::Set(Change::HandlingTime { consumer: ConsumerId(1), of: HandlingOf::Every, time: Span::from_secs(1) });
    let deeds = [by_hand(9_000_000, Action::Crash(ConsumerId(0).into())), by_hand(12_000_000, second)];
    let base = Base { deeds: deeds.into(), ..base(story()) };
    assert_eq!(&*base.without_crashes().deeds, &deeds[1..]);
    let sweep = swept(Sweep::of_crashes_beside(&base));
    let plain = swept(Sweep::of_crashes(&story()));
    assert_ne!(sweep.rows(), plain.rows());
    assert_ne!(sweep.expected().map(|expected| expected.steps), plain.expected().map(|expected| expected.steps));
    for row in sweep.rows().iter().step_by(41) {
        let history = opened(&base, &row.case.plan(&base, |change| vec![change]));
        is_the_row(history.now(), row);
        let done: Vec<Action> = history.actions(1).iter().map(|&(_, action)| action).collect();
        assert!(done.contains(&second), "{done:?}");
        assert_eq!(done.iter().filter(|action| matches!(action, Action::Crash(_))).count(), 1);
    }
}

#[test]
fn a_seed_and_a_value_are_runs_that_begin_otherwise() {
    let base = base(story());
    let sweep = swept(Sweep::of_plans((3..6).map(|seed| seed as u64).collect::<Vec<_>>().into_iter().map({
        let base = base.clone();
        move |seed| (Case::Seed(seed), base.with_seed(seed))
    })));
    for (row, seed) in sweep.rows().iter().zip(3..) {
        assert_eq!(row.totals, Totals::of(&finished(Setup { seed, ..story() })), "{seed}");
        let history = opened(&base, &row.case.plan(&base, |change| vec![change]));
        is_the_row(history.now(), row);
        assert_eq!(history.now().setup().seed, seed);
    }
    let members = |records| {
        let policy = |consumer: ConsumerId| CommitPolicy {
            when: CommitWhen::AfterRecords(records),
            ..story().consumers[consumer.index()].config.handling.commit
        };
        (0..3)
            .map(ConsumerId::at)
            .map(|consumer| Change::Commit { consumer, policy: policy(consumer) })
            .collect::<Vec<_>>()
    };
    let plans: Vec<_> = [1, 10].map(|n| (Case::Change(members(n)[0]), base.with_changes(&members(n)))).into();
    let sweep = swept(Sweep::of_plans(plans.clone().into_iter()));
    assert_eq!(sweep.expected_runs(), Some(2));
    for (row, (_, plan)) in sweep.rows().iter().zip(&plans) {
        is_the_row(opened(&base, plan).now(), row);
    }
    assert!(sweep.rows()[0].totals.duplicates < sweep.rows()[1].totals.duplicates, "who commits seldom repeats more");
}

#[test]
fn it_is_known_in_advance_how_many_crashes_there_will_be() {
    let mut sweep = Sweep::of_crashes(&story());
    assert_eq!(sweep.expected_runs(), None);
    while sweep.expected_runs().is_none() {
        assert!(sweep.advance(64) && sweep.rows().is_empty());
    }
    let expected = sweep.expected().expect("it is known");
    sweep.finish();
    assert_eq!(sweep.rows().len() as u32, expected.runs);
    let calm = finished(Setup { actions: Vec::new(), ..story() });
    assert_eq!((expected.steps, expected.unchanged), (calm.visible_steps(), Totals::of(&calm)));
}

#[test]
fn every_row_is_in_one_cell_and_the_legend_adds_up() {
    let sweep = swept(Sweep::of_crashes(&lossy()));
    let (rows, steps) = (sweep.rows(), sweep.expected().expect("known").steps);
    let all = Counts::of(rows);
    assert_eq!(all.runs() as usize, rows.len());
    for outcome in Outcome::ALL {
        let found = rows.iter().filter(|row| Outcome::of(&row.totals) == outcome).count();
        assert_eq!(all.count(outcome) as usize, found, "{outcome:?}");
    }
    assert!(all.count(Outcome::Lost) > 0 && all.count(Outcome::Harmless) > 0);
    for most in [1, 7, 20, 1_000] {
        let grid = Grid::new(rows, 0..consumers(rows), 1..steps, most);
        assert!(grid.columns.len() as u32 <= most);
        assert_eq!((grid.columns[0].start, grid.columns.last().expect("one").end), (1, steps));
        assert!(grid.columns.windows(2).all(|two| two[0].end == two[1].start));
        let cells = || grid.cells.iter().flatten();
        assert_eq!(cells().map(|cell| cell.counts.runs()).sum::<u32>() as usize, rows.len(), "{most}");
        for cell in cells() {
            let worst = cell.worst.map(|worst| Outcome::of(&rows[worst].totals));
            let found = Outcome::ALL.into_iter().rev().find(|&outcome| cell.counts.count(outcome) > 0);
            assert_eq!(worst, found, "a cell shows the worst");
        }
    }
}

#[test]
fn a_column_opens_into_its_steps_and_members_can_be_left_out() {
    let sweep = swept(Sweep::of_crashes(&lossy()));
    let (rows, steps) = (sweep.rows(), sweep.expected().expect("known").steps);
    let whole = Grid::new(rows, 0..3, 1..steps, 20);
    let column = whole.columns[9].clone();
    let closer = Grid::new(rows, 0..3, column.clone(), 20);
    assert_eq!(closer.columns.len(), column.len(), "each is a step");
    for member in 0..3 {
        let runs: u32 = closer.cells[member].iter().map(|cell| cell.counts.runs()).sum();
        assert_eq!(runs, whole.cells[member][9].counts.runs());
        assert!(closer.cells[member].iter().all(|cell| cell.counts.runs() <= 1));
    }
    let last = Grid::new(rows, 2..3, 1..steps, 20);
    assert_eq!(last.cells, whole.cells[2..]);
    assert!(end(rows) <= steps);
    let none = Grid::new(&[], 0..2, 1..1, 20);
    assert!(none.columns.is_empty() && none.cells == vec![Vec::new(), Vec::new()]);
}

#[test]
fn the_summary_says_what_the_rows_say() {
    let of = |setup: Setup| swept(Sweep::of_crashes(&setup)).rows().to_vec();
    let rows = of(story());
    let repeated = rows.iter().filter(|row| row.totals.duplicates > 0).count();
    assert!(rows.iter().all(|row| row.totals.lost == 0));
    let all = rows.len();
    assert_eq!(
        words::summary(Lang::En, &rows, true),
        format!(
            "Wherever a member crashes, nothing is lost; in {repeated} of {all} places records are processed twice or more."
        )
    );
    assert_eq!(
        words::summary(Lang::Ja, &rows, true),
        format!(
            "どこでクラッシュしても、消失はありません。ただし、{all} 通りのうち {repeated} 通りで、レコードが 2 回以上処理されます。"
        )
    );
    // As long as it is not over, nothing is said of what has not been tried.
    assert!(!words::summary(Lang::En, &rows[..9], false).contains("Wherever"));
    let rows = of(lossy());
    let lost = rows.iter().filter(|row| row.totals.lost > 0).count();
    assert!(lost > 0 && words::summary(Lang::En, &rows, true).contains(&format!("{lost} ")));
    assert!(!words::summary(Lang::En, &rows, true).contains("nothing is lost"));
    assert_eq!(words::summary(Lang::En, &[], false), "");
}

#[test]
fn a_beginning_that_is_the_scenarios_own_is_the_same_setup() {
    let setup = Rc::new(story());
    assert!(Rc::ptr_eq(&Beginning::default().of(&setup), &setup));
    let other = Beginning { seed: Some(9), without_crashes: true }.of(&setup);
    assert_eq!((other.seed, other.actions.len()), (9, setup.actions.len() - 1));
}
