//! The lag of a group over time: in records and as an age, with the shape named, and the partitions as a table.

use crate::explain::lag::{self, Behind, Chart, LagHistory};
use crate::scene::Subject;
use crate::scene::plot::{self, Measure, Plot, SIZE};
use crate::sim::{GroupId, PartitionId, Simulation, Span, StepNo, Time};
use crate::text::{self, Lang, format, labels, names};
use crate::ui::browser;
use crate::ui::sometimes;
use crate::ui::state::{Action, Inspect, Selected};
use std::rc::Rc;
use yew::prelude::*;

/// How often the shown time can be halved.
pub const MOST_ZOOM: u8 = 12;

/// The lag of a group, in words and places.
#[derive(Clone, Debug)]
pub struct LagView {
    /// What it looks like, and what that comes from.
    shape: [AttrValue; 2],
    throughput: AttrValue,
    plots: Vec<PlotView>,
    rows: Vec<RowView>,
    /// The greatest lag, and the step after which it was.
    peak: Option<(AttrValue, StepNo)>,
    zoom: u8,
    /// The stretch of time that is shown.
    window: AttrValue,
    chart: Rc<Chart>,
    until: Time,
}

#[derive(Clone, Debug)]
struct PlotView {
    id: &'static str,
    title: AttrValue,
    label: AttrValue,
    plot: Plot,
    values: Vec<AttrValue>,
    times: Vec<AttrValue>,
}

/// A partition, or several together.
#[derive(Clone, Debug)]
struct RowView {
    partition: Option<PartitionId>,
    name: AttrValue,
    /// Committed, end, lag, age.
    cells: [AttrValue; 4],
    is_selected: bool,
}

/// The lag of a group up to the present moment; `zoom` is how often the shown time has been halved.
#[inline(never)]
pub fn view(
    lang: Lang,
    run: &Simulation,
    group: GroupId,
    history: &LagHistory,
    zoom: u8,
    selected: Option<Subject>,
) -> LagView {
    let now = run.now();
    let known_end =
        run.known_steps().checked_sub(1).and_then(|last| run.step_at(StepNo(last))).map_or(now, |step| step.at);
    let length = known_end.since(Time::ZERO).as_micros() >> zoom;
    // Zoomed in, the present moment is at the right end.
    let (from, until) = match zoom {
        0 => (Time::ZERO, known_end),
        _ => (Time::from_micros(now.as_micros().saturating_sub(length)), now),
    };
    let chart = lag::chart(history, run, group, from);
    let shape = lag::shape(history, run, group, &chart);
    let name = |partition: Option<PartitionId>| match partition {
        Some(partition) => names::partition(run, partition),
        None => text::lag::others(lang, chart.summed),
    };
    let is_selected =
        |partition: Option<PartitionId>| partition.is_some() && selected == partition.map(Subject::Partition);
    let plots = [
        (Measure::Records, "plot-records", labels::lag_in_records(lang)),
        (Measure::Age, "plot-age", labels::lag_as_age(lang)),
    ];
    let plots = plots.map(|(measure, id, title)| {
        let plot = plot::plot(&chart, until, measure);
        let value = |value: u64| match measure {
            Measure::Records => format::number(value),
            Measure::Age => format::span(lang, Span::from_micros(value)),
        };
        PlotView {
            id,
            title: title.into(),
            label: text::lag::drawing(lang, run, group, measure == Measure::Age).into(),
            values: plot.values.iter().map(|&(of, _)| value(of).into()).collect(),
            times: plot.times.iter().map(|&(at, _)| format::span(lang, at.since(Time::ZERO)).into()).collect(),
            plot,
        }
    });
    let rows = chart.series.iter().map(|series| {
        let behind = series.behind.last().copied().unwrap_or_default();
        RowView {
            partition: series.partition,
            name: name(series.partition).into(),
            cells: cells(lang, run, group, series.partition, behind),
            is_selected: is_selected(series.partition),
        }
    });
    LagView {
        shape: [text::lag::shape(lang, run, &shape), text::lag::cause(lang, run, &shape, &chart)].map(AttrValue::from),
        throughput: text::lag::throughput(lang, &chart).into(),
        plots: plots.into(),
        rows: rows.collect(),
        peak: chart
            .peak()
            .map(|(at, step, most)| (text::lag::peak(lang, most, at).into(), StepNo(step.0.saturating_sub(1)))),
        zoom,
        window: if zoom == 0 {
            labels::whole_run(lang).into()
        } else {
            text::lag::window(lang, Span::from_micros(length)).into()
        },
        chart: Rc::new(chart),
        until,
    }
}

/// Committed offset, end, lag and age of a partition; of several together what adds up.
fn cells(
    lang: Lang,
    run: &Simulation,
    group: GroupId,
    partition: Option<PartitionId>,
    behind: Behind,
) -> [AttrValue; 4] {
    let dash = || format::number_or_dash(None);
    let age = if behind.age == Span::ZERO { dash() } else { format::span(lang, behind.age) };
    let (committed, end) = match partition {
        Some(partition) => {
            let committed = run.group(group).committed(partition).map(|committed| committed.offset);
            (format::number_or_dash(committed), format::number(u64::from(run.partition(partition).end)))
        }
        None => (dash(), dash()),
    };
    [committed, end, format::number(u64::from(behind.records)), age].map(AttrValue::from)
}

/// The lag of a group.
#[inline(never)]
pub fn lag(lang: Lang, view: &LagView, dispatch: &Callback<Action>) -> Html {
    let [shape, cause] = &view.shape;
    let zoom = |by: i8| {
        let zoom = view.zoom.saturating_add_signed(by).min(MOST_ZOOM);
        dispatch.reform(move |_| Action::Inspect(Inspect::Zoom(zoom)))
    };
    let button = |label: &'static str, sign: &'static str, by: i8, is_possible: bool| {
        html! {
            <button type="button" class="button small" aria-label={label} title={label} aria-disabled={(!is_possible).to_string()} onclick={zoom(by)}>{ sign }</button>
        }
    };
    html! {
        <section class="pane" id="lag" aria-labelledby="lag-title">
            <h3 id="lag-title" tabindex="-1">{ shape }</h3>
            <p class="pane-text">{ cause }</p>
            <p class="muted">{ &view.throughput }</p>
            <div class="pane-tools" role="group" aria-label={labels::stretch_shown(lang)}>
                { button(labels::zoom_out(lang), "−", -1, view.zoom > 0) }
                <span class="muted" aria-live="polite">{ &view.window }</span>
                { button(labels::zoom_in(lang), "+", 1, view.zoom < MOST_ZOOM) }
                if let Some((words, step)) = view.peak.clone() {
                    <button type="button" class="button small" title={labels::go_to_step(lang)} onclick={dispatch.reform(move |_| Action::JumpToStep(step))}>{ words }</button>
                }
            </div>
            for plot in &view.plots { { plot_view(view, plot, dispatch) } }
            <table class="lag-table">
                <thead><tr>
                    <th scope="col">{ labels::partition(lang) }</th><th scope="col">{ labels::committed_offset(lang) }</th><th scope="col">{ labels::log_end(lang) }</th>
                    <th scope="col">{ labels::lag_over_time(lang) }</th><th scope="col">{ labels::age(lang) }</th>
                </tr></thead>
                <tbody>
                    for row in &view.rows { { row_view(lang, row, dispatch) } }
                </tbody>
            </table>
            <p class="muted">{ labels::lag_counts_from(lang) }</p>
        </section>
    }
}

fn row_view(lang: Lang, row: &RowView, dispatch: &Callback<Action>) -> Html {
    let name = match row.partition.map(Subject::Partition) {
        Some(subject) => {
            let asked = (!row.is_selected).then_some(Selected::Subject(subject));
            html! {
                <button type="button" class="button small" aria-pressed={row.is_selected.to_string()} title={labels::mark_everywhere(lang)}
                    onclick={dispatch.reform(move |_| Action::Inspect(Inspect::Select(asked)))}>{ &row.name }</button>
            }
        }
        None => html! { &row.name },
    };
    html! {
        <tr key={row.name.to_string()} class={classes!(row.is_selected.then_some("is-selected"))}>
            <th scope="row">{ name }</th>
            for (index, cell) in row.cells.iter().enumerate() { <td key={index}>{ cell }</td> }
        </tr>
    }
}

/// How the lines are told apart without colour, beside their names.
const DASHES: [&str; 4] = ["none", "6 3", "2 3", "9 3 2 3"];

fn plot_view(view: &LagView, drawn: &PlotView, dispatch: &Callback<Action>) -> Html {
    let PlotView { id, title, label, plot, values, times } = drawn;
    let (id, area) = (*id, plot.area);
    let (chart, until) = (view.chart.clone(), view.until);
    let onclick = sometimes(dispatch, move |event: MouseEvent| {
        let place = browser::place_of(id)?;
        let share = (event.client_x() - place.left).clamp(0, place.width) as u32 * 1000 / place.width.max(1) as u32;
        Some(Action::Inspect(Inspect::At(plot::time_at(&chart, until, share))))
    });
    let bottom = area.y + area.h;
    let most = plot.most();
    let path = |line: &plot::PlotLine| {
        let mut d = String::new();
        for (index, point) in line.points.iter().enumerate() {
            d += &format!("{}{} {}", if index == 0 { "M" } else { "L" }, point.x, point.y);
        }
        d
    };
    html! {
        <figure class="plot-figure" key={id}>
            <figcaption>{ title }</figcaption>
            <svg class="plot" {id} viewBox={format!("0 0 {} {}", SIZE.0, SIZE.1)} role="img" aria-label={label} {onclick}>
                for (index, (&(_, y), value)) in plot.values.iter().zip(values).enumerate() {
                    <g key={index}>
                        <path class="grid" d={format!("M{} {y}h{}", area.x, area.w)} />
                        <text class="at-end" x={(area.x - 6).to_string()} y={(y + 4).to_string()}>{ value }</text>
                    </g>
                }
                for (index, (&(_, x), time)) in plot.times.iter().zip(times).enumerate() {
                    <text key={index} class="at-middle" x={x.to_string()} y={(bottom + 20).to_string()}>{ time }</text>
                }
                for (index, x) in plot.rebalances.iter().enumerate() {
                    <path key={index} class="rebalance" d={format!("M{x} {}V{bottom}", area.y)} />
                }
                <path class="now" d={format!("M{} {}V{}", plot.now, area.y, bottom + 4)} />
                for (index, (line, row)) in plot.lines.iter().zip(&view.rows).enumerate() {
                    <g key={index} class={classes!("line", row.is_selected.then_some("is-selected"), (most == Some(index)).then_some("is-most"))}>
                        <path d={path(line)} stroke-dasharray={DASHES[index % DASHES.len()]} />
                        <text x={line.label.x.to_string()} y={line.label.y.to_string()}>{ &row.name }</text>
                    </g>
                }
            </svg>
        </figure>
    }
}
