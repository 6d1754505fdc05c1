//! The grid of crashes: members down, steps across. One cell is in the order of Tab; the arrow keys go on from there.

use crate::sweep::Totals;
use crate::sweep::grid::Outcome;
use crate::text::Lang;
use crate::text::sweep::page as words;
use crate::ui::browser;
use crate::ui::state::{Action, AskedOfSweep, Inspect};
use std::rc::Rc;
use yew::prelude::*;

/// The grid in words.
#[derive(Clone, Debug, PartialEq)]
pub struct GridView {
    pub lines: Vec<LineView>,
    /// The number of the first step of some columns, with how many they are.
    pub heads: Vec<(usize, AttrValue)>,
    /// True if each column is one step.
    pub is_single: bool,
    /// The column of the step that is shown.
    pub present: Option<usize>,
    /// The member and the column that are chosen.
    pub chosen: Option<(usize, usize)>,
    /// All steps that are shown.
    pub steps: AttrValue,
    /// True if these are not all.
    pub is_narrowed: bool,
    /// Which members are shown if not all, and the first one before and behind.
    pub members: Option<(AttrValue, Option<usize>, Option<usize>)>,
}

/// The crashes of a member.
#[derive(Clone, Debug, PartialEq)]
pub struct LineView {
    pub member: usize,
    pub name: AttrValue,
    pub cells: Vec<CellView>,
}

/// What comes of some crashes.
#[derive(Clone, Debug, PartialEq)]
pub struct CellView {
    pub class: &'static str,
    pub sign: AttrValue,
    pub label: AttrValue,
    /// The worst of the runs, by its place among the rows.
    pub worst: Option<usize>,
}

/// What the style sheet calls an outcome.
pub const fn class_of(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "cell",
        Some(Outcome::Harmless) => "cell is-harmless",
        Some(Outcome::OutOfOrder) => "cell is-disordered",
        Some(Outcome::Repeated) => "cell is-repeated",
        Some(Outcome::Lost) => "cell is-lost",
    }
}

/// The sign of an outcome, which says it without its colour; of repetitions it is their number.
pub fn sign_of(totals: &Totals) -> String {
    match Outcome::of(totals) {
        Outcome::Repeated if totals.duplicates < 100 => totals.duplicates.to_string(),
        Outcome::Repeated => "99+".to_owned(),
        other => sign(other).to_owned(),
    }
}

/// The same where it stands for any number.
pub const fn sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Harmless => "·",
        Outcome::OutOfOrder => "⇅",
        Outcome::Repeated => "n",
        Outcome::Lost => "✕",
    }
}

fn id_of(member: usize, column: usize) -> String {
    format!("sweep-{member}-{column}")
}

fn asked(asked: AskedOfSweep) -> Action {
    Action::Inspect(Inspect::Sweep(asked))
}

#[derive(Properties, PartialEq)]
pub struct GridProps {
    pub lang: Lang,
    pub view: Rc<GridView>,
    pub dispatch: Callback<Action>,
}

/// The grid.
#[component]
pub fn SweepGrid(props: &GridProps) -> Html {
    let GridProps { lang, view, dispatch } = props;
    let onkeydown = keys(view, dispatch);
    // Where nothing is chosen, Tab leads to the first cell.
    let first = view.lines.first().map(|line| (line.member, 0));
    let in_order = view.chosen.or(first);
    html! {
        <table class="sweep-grid" role="grid" aria-label={words::grid(*lang)} {onkeydown}>
            <thead><tr role="row">
                <th scope="col"><span class="visually-hidden">{ words::member(*lang) }</span></th>
                for (index, (columns, label)) in view.heads.iter().enumerate() {
                    <th key={index} scope="colgroup" colspan={columns.to_string()}>{ label }</th>
                }
            </tr></thead>
            <tbody>
                for line in &view.lines {
                    <tr key={line.member} role="row">
                        <th scope="row">{ &line.name }</th>
                        for (column, cell) in line.cells.iter().enumerate() {
                            { cell_view(view, (line.member, column), cell, in_order, dispatch) }
                        }
                    </tr>
                }
            </tbody>
        </table>
    }
}

fn cell_view(
    view: &GridView,
    at: (usize, usize),
    cell: &CellView,
    in_order: Option<(usize, usize)>,
    dispatch: &Callback<Action>,
) -> Html {
    let is_chosen = view.chosen == Some(at);
    let (member, column) = at;
    html! {
        <td key={column} role="gridcell" id={id_of(member, column)} class={classes!(cell.class, (view.present == Some(column)).then_some("is-present"))}
            tabindex={if in_order == Some(at) { "0" } else { "-1" }} aria-selected={is_chosen.to_string()} aria-label={&cell.label} title={&cell.label}
            onclick={dispatch.reform(move |_| asked(AskedOfSweep::Choose(member, column)))}>{ &cell.sign }</td>
    }
}

/// The keys of a grid. Elsewhere the arrow keys step.
fn keys(view: &Rc<GridView>, dispatch: &Callback<Action>) -> Callback<KeyboardEvent> {
    let (view, dispatch) = (view.clone(), dispatch.clone());
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key() {
            return;
        }
        let Some((first, last)) = view.lines.first().zip(view.lines.last()) else { return };
        let columns = first.cells.len();
        let (member, column) = view.chosen.unwrap_or((first.member, 0));
        let to = match event.key().as_str() {
            "ArrowLeft" => (member, column.saturating_sub(1)),
            "ArrowRight" => (member, (column + 1).min(columns.saturating_sub(1))),
            "ArrowUp" => (member.saturating_sub(1).max(first.member), column),
            "ArrowDown" => ((member + 1).min(last.member), column),
            "Home" => (member, 0),
            "End" => (member, columns.saturating_sub(1)),
            "Enter" | " " => {
                event.prevent_default();
                let line = view.lines.iter().find(|line| line.member == member);
                let worst = line.and_then(|line| line.cells.get(column)?.worst);
                dispatch.emit(asked(AskedOfSweep::Choose(member, column)));
                match worst {
                    Some(row) if view.is_single => dispatch.emit(asked(AskedOfSweep::Open(row))),
                    _ => {
                        dispatch.emit(asked(AskedOfSweep::Widen));
                        browser::focus(&id_of(member, 0));
                    }
                }
                return;
            }
            _ => return,
        };
        event.prevent_default();
        // Without a choice the first press makes one.
        let to = if view.chosen.is_none() { (member, column) } else { to };
        dispatch.emit(asked(AskedOfSweep::Choose(to.0, to.1)));
        browser::focus(&id_of(to.0, to.1));
    })
}
