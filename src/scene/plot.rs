//! A lag over time as lines: places, no words.

use super::geometry::{Point, Rect};
use crate::explain::lag::{Behind, Chart};
use crate::sim::{PartitionId, Span, Time};

/// What a plot measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Records behind what is committed.
    Records,
    /// The age of the first of them, in microseconds.
    Age,
}

/// A line of a plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlotLine {
    /// The partition; nothing for several together.
    pub partition: Option<PartitionId>,
    /// Its points, left to right.
    pub points: Vec<Point>,
    /// Where its name begins.
    pub label: Point,
}

/// A plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The box of the lines; names stand to its right, numbers to its left, times below.
    pub area: Rect,
    /// The lines.
    pub lines: Vec<PlotLine>,
    /// Values with their heights, from 0 up.
    pub values: Vec<(u64, i32)>,
    /// Times with their places.
    pub times: Vec<(Time, i32)>,
    /// Where the rebalances are.
    pub rebalances: Vec<i32>,
    /// Where the present moment is.
    pub now: i32,
}

impl Plot {
    /// The line that is highest at its end, if one is above all others.
    pub fn most(&self) -> Option<usize> {
        let ends: Vec<i32> = self.lines.iter().filter_map(|line| Some(line.points.last()?.y)).collect();
        let top = ends.iter().min()?;
        (ends.iter().filter(|&end| end == top).count() == 1).then(|| ends.iter().position(|end| end == top))?
    }
}

/// The size of a plot with everything around it.
pub const SIZE: (i32, i32) = (480, 168);
const AREA: Rect = Rect { x: 50, y: 10, w: 376, h: 128 };
/// From one name to the next.
const LINE_HEIGHT: i32 = 13;
/// How many lines with values there are at most, above that of 0.
const MOST_VALUES: u64 = 4;
/// How many times are written at most.
const MOST_TIMES: u64 = 5;
/// Steps of whole numbers and of times that read well.
const NICE: [u64; 3] = [1, 2, 5];
const NICE_MINUTES: [u64; 10] = [15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600];

/// The smallest step that reads well and divides `most` into no more than so many parts.
fn step_of(most: u64, parts: u64, is_time: bool) -> u64 {
    let least = most.div_ceil(parts).max(1);
    let minutes = NICE_MINUTES.map(|secs| secs * 1_000_000);
    let powers = std::iter::successors(Some(1u64), |power| power.checked_mul(10));
    let tens = powers.flat_map(|power| NICE.map(|nice| nice.saturating_mul(power)));
    match is_time && least > 10_000_000 {
        true => {
            minutes.into_iter().find(|&step| step >= least).unwrap_or(86_400_000_000 * least.div_ceil(86_400_000_000))
        }
        false => tens.into_iter().find(|&step| step >= least).unwrap_or(least),
    }
}

fn value(measure: Measure, behind: &Behind) -> u64 {
    match measure {
        Measure::Records => u64::from(behind.records),
        Measure::Age => behind.age.as_micros(),
    }
}

/// The plot of a chart over a stretch of time that it begins, and that may end later than it.
pub fn plot(chart: &Chart, until: Time, measure: Measure) -> Plot {
    let (from, now) = (chart.samples[0].0, chart.samples[chart.samples.len() - 1].0);
    let whole = until.max(now).since(from).as_micros().max(1);
    let x = |at: Time| AREA.x + (at.since(from).as_micros() * AREA.w as u64 / whole) as i32;
    let most = chart.series.iter().flat_map(|series| &series.behind).map(|behind| value(measure, behind)).max();
    let step = step_of(most.unwrap_or(0).max(1), MOST_VALUES, measure == Measure::Age);
    let top = most.unwrap_or(0).max(1).div_ceil(step) * step;
    let y = |value: u64| AREA.y + AREA.h - (value * AREA.h as u64 / top) as i32;
    let mut lines: Vec<PlotLine> = (chart.series.iter())
        .map(|series| {
            let samples = chart.samples.iter().zip(&series.behind);
            let points: Vec<Point> =
                samples.map(|((at, _), behind)| Point { x: x(*at), y: y(value(measure, behind)) }).collect();
            let end = points[points.len() - 1];
            PlotLine { partition: series.partition, points, label: Point { x: end.x + 6, y: end.y + 4 } }
        })
        .collect();
    part_labels(&mut lines);
    let time_step = step_of(whole, MOST_TIMES, true);
    let first = from.as_micros().div_ceil(time_step);
    let times = (first..)
        .map(|nth| Time::from_micros(nth * time_step))
        .take_while(|&at| at.since(from).as_micros() <= whole && at >= from);
    Plot {
        area: AREA,
        lines,
        values: (0..=top / step).map(|nth| (nth * step, y(nth * step))).collect(),
        times: times.map(|at| (at, x(at))).collect(),
        rebalances: chart.rebalances.iter().map(|&(at, _)| x(at)).collect(),
        now: x(now),
    }
}

/// Names do not lie upon each other: from the bottom up, each is so far above the one before as it needs.
fn part_labels(lines: &mut [PlotLine]) {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    crate::sim::order::by_number(&mut order, |&line| u64::from((10_000 - lines[line].label.y) as u32));
    let mut free = AREA.y + AREA.h + 4;
    for &line in &order {
        let label = &mut lines[line].label;
        label.y = label.y.min(free);
        free = label.y - LINE_HEIGHT;
    }
    // What has been pushed out at the top goes back down as far as it must.
    let mut least = AREA.y + 6;
    for &line in order.iter().rev() {
        let label = &mut lines[line].label;
        label.y = label.y.max(least);
        least = label.y + LINE_HEIGHT;
    }
}

/// The moment at a place of a plot, as a thousandth of the width of the whole drawing.
pub fn time_at(chart: &Chart, until: Time, place: u32) -> Time {
    let (from, now) = (chart.samples[0].0, chart.samples[chart.samples.len() - 1].0);
    let whole = until.max(now).since(from).as_micros();
    let x = place as i32 * SIZE.0 / 1000 - AREA.x;
    from + Span::from_micros(whole * x.clamp(0, AREA.w) as u64 / AREA.w as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_scale_read_well() {
        assert_eq!(step_of(7, 4, false), 2);
        assert_eq!(step_of(100_000, 4, false), 50_000);
        assert_eq!(step_of(8_000_000, 4, true), 2_000_000);
        assert_eq!(step_of(80_000_000, 4, true), 30_000_000);
        assert_eq!(step_of(30 * 86_400_000_000, 5, true), 6 * 86_400_000_000);
    }
}
