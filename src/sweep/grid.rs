//! The rows of a sweep of crashes as a grid: who crashes down, after which visible step across. Where there are more steps than
//! columns, a column stands for several, and shows the worst that comes of them.

use super::{Case, Row, Totals};
use crate::sim::ConsumerId;
use std::ops::Range;

/// How a run came out; the worst is greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Nothing was lost or repeated, and all came in order.
    Harmless,
    /// Records came out of order.
    OutOfOrder,
    /// Records were processed again.
    Repeated,
    /// Records were lost.
    Lost,
}

impl Outcome {
    /// All of them, from the best to the worst.
    pub const ALL: [Outcome; 4] = [Outcome::Harmless, Outcome::OutOfOrder, Outcome::Repeated, Outcome::Lost];

    /// The worst of what a run has come to.
    pub fn of(totals: &Totals) -> Self {
        match totals {
            Totals { lost: 1.., .. } => Outcome::Lost,
            Totals { duplicates: 1.., .. } => Outcome::Repeated,
            Totals { out_of_order: 1.., .. } => Outcome::OutOfOrder,
            _ => Outcome::Harmless,
        }
    }

    /// How many records it concerns, or how often.
    pub fn number(self, totals: &Totals) -> u32 {
        match self {
            Outcome::Harmless => 0,
            Outcome::OutOfOrder => totals.out_of_order,
            Outcome::Repeated => totals.duplicates,
            Outcome::Lost => totals.lost,
        }
    }
}

/// How many runs came out how. Each counts once, by its worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u32; Outcome::ALL.len()]);

impl Counts {
    /// Those of some rows.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        let mut counts = Counts::default();
        for row in rows {
            counts.add(row);
        }
        counts
    }

    fn add(&mut self, row: &Row) {
        self.0[Outcome::of(&row.totals) as usize] += 1;
    }

    /// How many came out like this.
    pub fn count(&self, outcome: Outcome) -> u32 {
        self.0[outcome as usize]
    }

    /// How many there are.
    pub fn runs(&self) -> u32 {
        self.0.iter().sum()
    }
}

/// What comes of the crashes of one consumer after some steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// How many crashes came out how; none where the consumer does not run, or has not been made to crash yet.
    pub counts: Counts,
    /// The worst of them, the first if there are several, by its place among the rows.
    pub worst: Option<usize>,
}

/// A grid over some visible steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The visible steps of each column, by their numbers from 1.
    pub columns: Vec<Range<u32>>,
    /// For each of the consumers the cells of its row.
    pub cells: Vec<Vec<Cell>>,
}

impl Grid {
    /// The crashes of these consumers after these steps, in at most so many columns. The rows are in the order of a sweep.
    pub fn new(rows: &[Row], consumers: Range<usize>, steps: Range<u32>, most_columns: u32) -> Self {
        let width = steps.end.saturating_sub(steps.start).div_ceil(most_columns.max(1)).max(1);
        let columns: Vec<Range<u32>> =
            steps.clone().step_by(width as usize).map(|from| from..steps.end.min(from.saturating_add(width))).collect();
        let mut cells = vec![vec![Cell::default(); columns.len()]; consumers.len()];
        let from = rows.partition_point(|row| step_of(row) < steps.start);
        for (index, row) in rows.iter().enumerate().skip(from) {
            let Case::Crash { consumer, after, .. } = row.case else { continue };
            if after >= steps.end {
                break;
            }
            let Some(line) = consumer.index().checked_sub(consumers.start) else { continue };
            let column = ((after - steps.start) / width) as usize;
            if let Some(cell) = cells.get_mut(line).and_then(|line| line.get_mut(column)) {
                cell.counts.add(row);
                if cell.worst.is_none_or(|worst| badness(row) > badness(&rows[worst])) {
                    cell.worst = Some(index);
                }
            }
        }
        Grid { columns, cells }
    }
}

/// The visible step after which the crash of a row is; 0 for a row of another sweep.
fn step_of(row: &Row) -> u32 {
    match row.case {
        Case::Crash { after, .. } => after,
        _ => 0,
    }
}

fn badness(row: &Row) -> (Outcome, u32) {
    let outcome = Outcome::of(&row.totals);
    (outcome, outcome.number(&row.totals))
}

/// The number behind the last step after which somebody has crashed.
pub fn end(rows: &[Row]) -> u32 {
    rows.last().map_or(0, |row| step_of(row) + 1)
}

/// How many consumers there are in the rows of a sweep of crashes.
pub fn consumers(rows: &[Row]) -> usize {
    let index = |row: &Row| match row.case {
        Case::Crash { consumer, .. } => ConsumerId::index(consumer) + 1,
        _ => 0,
    };
    rows.iter().map(index).max().unwrap_or(0)
}
