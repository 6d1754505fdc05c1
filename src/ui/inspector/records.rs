//! The table of records: what became of each, for the group that is shown. Where there is little room, columns are left out; what
//! became of the selected record is told below its row.

use crate::scene::density::{Density, Tiles};
use crate::scene::records::{Column, Direction, Kind, Of, Query};
use crate::scene::stage::Tile;
use crate::sim::{RecordId, StepNo};
use crate::text::{Lang, labels, records as words};
use crate::ui::icons::{self, icon};
use crate::ui::records::columns;
use crate::ui::sometimes;
use crate::ui::stage::tile_view;
use crate::ui::state::{Action, AskedOfRecords, Format, Inspect, Selected};
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// The table in words.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordsView {
    /// False where nobody reads, and nothing is to be said of that.
    pub has_group: bool,
    /// What is wanted.
    pub query: Query,
    /// What can have become of a record.
    pub kinds: Vec<Kind>,
    /// Whose records can be asked for, in lists with a name.
    pub whose: Vec<(&'static str, Vec<(Of, AttrValue)>)>,
    /// What is selected, and what offers only its records.
    pub of_selected: Option<(Of, AttrValue)>,
    /// How many there are.
    pub count: AttrValue,
    /// True if a screen reader is to say how many there are as that changes.
    pub says_count: bool,
    /// Those on the page.
    pub rows: Rc<[RowView]>,
    /// Why there is none.
    pub none: Option<&'static str>,
    /// What became of the selected record.
    pub open: Option<Rc<OpenView>>,
    /// Said if the selected record is not among those that fit.
    pub left_out: Option<AttrValue>,
    /// The pages, if there are several.
    pub pages: Option<PagesView>,
}

/// A record in words.
#[derive(Clone, Debug, PartialEq)]
pub struct RowView {
    pub record: RecordId,
    /// True if it is selected.
    pub is_open: bool,
    pub tile: Tile,
    pub name: AttrValue,
    pub key: AttrValue,
    pub value: AttrValue,
    pub partition: AttrValue,
    pub offset: AttrValue,
    pub sent: WhenView,
    pub appended: Option<WhenView>,
    pub state: AttrValue,
    pub is_lost: bool,
    pub is_repeated: bool,
    pub by: AttrValue,
    pub first: Option<WhenView>,
    pub last: Option<WhenView>,
    pub committed: AttrValue,
    pub rows: AttrValue,
}

/// A step in words.
#[derive(Clone, Debug, PartialEq)]
pub struct WhenView {
    pub step: StepNo,
    /// When it was.
    pub at: AttrValue,
    /// The same, and what a press on it does.
    pub label: AttrValue,
    /// True for the step that is shown.
    pub is_now: bool,
}

/// What became of a record, step by step.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenView {
    pub record: RecordId,
    pub name: AttrValue,
    pub key: AttrValue,
    pub value: AttrValue,
    pub facts: Vec<FactView>,
}

/// Something that happened to a record, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct FactView {
    pub when: WhenView,
    pub text: AttrValue,
    pub is_lost: bool,
    pub is_repeated: bool,
}

/// The pages of a long table.
#[derive(Clone, Debug, PartialEq)]
pub struct PagesView {
    /// The page that is shown, from 0.
    pub page: usize,
    /// The last one.
    pub last: usize,
    /// The numbers of the records on it.
    pub shown: AttrValue,
    /// How many there are on all.
    pub total: AttrValue,
}

/// The id of what is said of the selected record.
pub const OPEN: &str = "open-record";
/// The id of the field for a text.
const FIND: &str = "find-record";

/// The view.
#[inline(never)]
pub fn records(lang: Lang, view: &RecordsView, dispatch: &Callback<Action>) -> Html {
    let is_in_table = view.rows.iter().any(|row| row.is_open);
    html! {
        <section class="pane records" id="records" aria-label={labels::records(lang)} data-home={FIND}>
            <Filter {lang} query={view.query.clone()} kinds={view.kinds.clone()} whose={view.whose.clone()} of_selected={view.of_selected.clone()} dispatch={dispatch.clone()} />
            <div class="records-head">
                <p class="records-count" aria-live={if view.says_count { "polite" } else { "off" }}>{ &view.count }</p>
                if view.query.is_narrow() { { asks(words::show_all(lang), AskedOfRecords::ShowAll, dispatch) } }
                <span class="spring" />
                <button type="button" class="button small" title={words::copy_more(lang)} aria-label={format!("{}: {}", words::copy(lang), words::copy_more(lang))}
                    onclick={dispatch.reform(|_| Action::Export(Format::Records))}>{ words::copy(lang) }</button>
            </div>
            if !view.has_group { <p class="muted">{ words::no_group(lang) }</p> }
            if let Some(left_out) = &view.left_out { <p class="muted">{ left_out }</p> }
            if let Some(open) = view.open.as_ref().filter(|_| !is_in_table) { <div class="record-aside">{ open_view(lang, open, dispatch) }</div> }
            if let Some(none) = view.none {
                <p class="records-none">{ none }</p>
            } else {
                { table(lang, view, dispatch) }
            }
            if let Some(pages) = &view.pages { { pages_view(lang, pages, dispatch) } }
        </section>
    }
}

fn table(lang: Lang, view: &RecordsView, dispatch: &Callback<Action>) -> Html {
    let has_group = view.has_group;
    let open = view.open.as_ref();
    html! {
        <table class="record-table">
            <caption class="visually-hidden">{ labels::records(lang) }</caption>
            <thead><tr>
                for column in columns(has_group) { { head(lang, column, view.query.by, dispatch) } }
            </tr></thead>
            <tbody>
                for row in view.rows.iter() {
                    <RecordRow key={row.record.0} {lang} {has_group} row={row.clone()} dispatch={dispatch.clone()} />
                    if let Some(open) = open.filter(|_| row.is_open) {
                        <tr key="open" class="record-open"><td colspan={columns(has_group).count().to_string()}>{ open_view(lang, open, dispatch) }</td></tr>
                    }
                }
            </tbody>
        </table>
    }
}

/// The head of a column, which orders the table by it.
fn head(lang: Lang, column: Column, by: (Column, Direction), dispatch: &Callback<Action>) -> Html {
    let direction = (by.0 == column).then_some(by.1);
    let (sort, sign) = match direction {
        None => (None, ""),
        Some(Direction::Ascending) => (Some("ascending"), "▲"),
        Some(Direction::Descending) => (Some("descending"), "▼"),
    };
    html! {
        <th key={column as usize} scope="col" class={class_of(column)} aria-sort={sort}>
            <button type="button" onclick={asking(AskedOfRecords::Order(column), dispatch)}>
                { words::column(lang, column) }<span class="sort" aria-hidden="true">{ sign }</span>
            </button>
        </th>
    }
}

/// What the style sheet calls a column; there it says how much room one needs to be shown.
const fn class_of(column: Column) -> &'static str {
    match column {
        Column::Record => "of-record",
        Column::Key => "of-key",
        Column::Value => "of-value",
        Column::Partition => "of-partition",
        Column::Offset => "of-offset",
        Column::Sent => "of-sent",
        Column::Appended => "of-appended",
        Column::State => "of-state",
        Column::By => "of-by",
        Column::First => "of-first",
        Column::Last => "of-last",
        Column::Committed => "of-committed",
        Column::Rows => "of-rows",
    }
}

fn asking(asked: AskedOfRecords, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    dispatch.reform(move |_| Action::Inspect(Inspect::Records(asked.clone())))
}

fn asks(label: &'static str, asked: AskedOfRecords, dispatch: &Callback<Action>) -> Html {
    html! { <button type="button" class="button small" onclick={asking(asked, dispatch)}>{ label }</button> }
}

#[derive(Properties, PartialEq)]
struct RecordRowProps {
    lang: Lang,
    has_group: bool,
    row: RowView,
    dispatch: Callback<Action>,
}

/// A row. One that stays as it is costs nothing.
#[component]
fn RecordRow(props: &RecordRowProps) -> Html {
    let RecordRowProps { lang, has_group, row, dispatch } = props;
    let selected = (!row.is_open).then_some(Selected::Record(row.record));
    let onclick = dispatch.reform(move |_| Action::Inspect(Inspect::Select(selected)));
    html! {
        <tr class={classes!("record-row", row.is_open.then_some("is-selected"))} {onclick}>
            for column in columns(*has_group) { { cell(*lang, column, row, dispatch) } }
        </tr>
    }
}

fn cell(lang: Lang, column: Column, row: &RowView, dispatch: &Callback<Action>) -> Html {
    let class = class_of(column);
    let text = |text: &AttrValue| html! { <td {class}>{ text }</td> };
    let step = |when: Option<&WhenView>| {
        html! { <td {class}>if let Some(when) = when { { when_view(when, dispatch) } } else { { "–" } }</td> }
    };
    match column {
        Column::Record => html! {
            <th scope="row" {class}>
                // The press is heard by the row.
                <button type="button" class="record-name" aria-expanded={row.is_open.to_string()} aria-controls={row.is_open.then_some(OPEN)}>
                    { tile(&row.tile) }<span class="visually-hidden">{ words::open(lang, &row.name) }</span>
                </button>
            </th>
        },
        Column::State => html! {
            <td class={classes!(class, row.is_lost.then_some("is-lost"), row.is_repeated.then_some("is-repeated"))}>{ &row.state }</td>
        },
        Column::Key => text(&row.key),
        Column::Value => text(&row.value),
        Column::Partition => text(&row.partition),
        Column::Offset => text(&row.offset),
        Column::By => text(&row.by),
        Column::Committed => text(&row.committed),
        Column::Rows => text(&row.rows),
        Column::Sent => step(Some(&row.sent)),
        Column::Appended => step(row.appended.as_ref()),
        Column::First => step(row.first.as_ref()),
        Column::Last => step(row.last.as_ref()),
    }
}

/// A tile as it is on the stage.
fn tile(tile: &Tile) -> Html {
    let Tiles { w, h, .. } = Density::Dense.tiles();
    let (width, height) = (w + 2 * tile.chip.at.x, h + 2 * tile.chip.at.y);
    html! {
        <svg class="record-tile" viewBox={format!("0 0 {width} {height}")} width={width.to_string()} height={height.to_string()} aria-hidden="true" focusable="false">
            { tile_view(tile, false) }
        </svg>
    }
}

/// A moment that can be gone to.
fn when_view(when: &WhenView, dispatch: &Callback<Action>) -> Html {
    let step = when.step;
    let onclick = dispatch.reform(move |event: MouseEvent| {
        // The row stays as it is.
        event.stop_propagation();
        Action::JumpToStep(step)
    });
    html! {
        <button type="button" class="step-button mono" aria-label={when.label.clone()} title={when.label.clone()}
            aria-current={when.is_now.then_some("step")} {onclick}>{ &when.at }</button>
    }
}

fn open_view(lang: Lang, open: &OpenView, dispatch: &Callback<Action>) -> Html {
    html! {
        <div class="record-way" id={OPEN} role="group" aria-label={words::open(lang, &open.name)}>
            <p class="record-what"><b>{ &open.name }</b>{ " " }<code>{ format!("{} = {}", open.key, open.value) }</code></p>
            <ol>
                for (index, fact) in open.facts.iter().enumerate() {
                    <li key={index} class={classes!(fact.when.is_now.then_some("is-now"), fact.is_lost.then_some("is-lost"), fact.is_repeated.then_some("is-repeated"))}>
                        { when_view(&fact.when, dispatch) }<span>{ &fact.text }</span>
                    </li>
                }
            </ol>
        </div>
    }
}

fn pages_view(lang: Lang, pages: &PagesView, dispatch: &Callback<Action>) -> Html {
    let PagesView { page, last, shown, total } = pages;
    let turn = |label: &'static str, sign: &'static str, to: usize| {
        let is_here = to == *page;
        let onclick = sometimes(dispatch, move |_: MouseEvent| {
            (!is_here).then_some(Action::Inspect(Inspect::Records(AskedOfRecords::Page(to))))
        });
        html! { <button type="button" class="button small" aria-label={label} title={label} aria-disabled={is_here.then_some("true")} {onclick}>{ icon(sign) }</button> }
    };
    html! {
        <nav class="record-pages" aria-label={words::pages(lang)}>
            { turn(words::first_page(lang), icons::FIRST, 0) }
            { turn(words::previous_page(lang), icons::BACK, page.saturating_sub(1)) }
            <span>{ shown }{ " " }{ total }</span>
            { turn(words::next_page(lang), icons::PLAY, (*last).min(page + 1)) }
            { turn(words::last_page(lang), icons::LAST, *last) }
        </nav>
    }
}

#[derive(Properties, PartialEq)]
struct FilterProps {
    lang: Lang,
    query: Query,
    kinds: Vec<Kind>,
    whose: Vec<(&'static str, Vec<(Of, AttrValue)>)>,
    of_selected: Option<(Of, AttrValue)>,
    dispatch: Callback<Action>,
}

/// What is wanted.
#[component]
fn Filter(props: &FilterProps) -> Html {
    let FilterProps { lang, query, kinds, whose, of_selected, dispatch } = props;
    let ask = dispatch.reform(|asked| Action::Inspect(Inspect::Records(asked)));
    let oninput = sometimes(&ask, |event: InputEvent| {
        let field: HtmlInputElement = event.target()?.dyn_into().ok()?;
        Some(AskedOfRecords::Find(field.value().into()))
    });
    let on_kind = {
        let kinds = kinds.clone();
        sometimes(&ask, move |event: Event| {
            Some(AskedOfRecords::Keep(chosen(&event)?.checked_sub(1).and_then(|index| kinds.get(index).copied())))
        })
    };
    let everyone: Vec<Of> = whose.iter().flat_map(|(_, list)| list.iter().map(|(of, _)| *of)).collect();
    let on_of = sometimes(&ask, move |event: Event| {
        Some(AskedOfRecords::Of(chosen(&event)?.checked_sub(1).and_then(|index| everyone.get(index).copied())))
    });
    html! {
        <div class="record-filter" role="search" aria-label={words::find(*lang)}>
            <input type="search" id={FIND} value={query.text.to_string()} placeholder={words::find_short(*lang)} aria-label={words::find(*lang)} autocomplete="off" spellcheck="false" {oninput} />
            <select aria-label={words::state(*lang)} onchange={on_kind}>
                <option selected={query.kind.is_none()}>{ words::any_state(*lang) }</option>
                for kind in kinds.iter() {
                    <option key={*kind as usize} selected={query.kind == Some(*kind)}>{ words::kind(*lang, *kind) }</option>
                }
            </select>
            if !whose.is_empty() {
                <select aria-label={words::whose(*lang)} onchange={on_of}>
                    <option selected={query.of.is_none()}>{ words::anyones(*lang) }</option>
                    for (label, list) in whose.iter() {
                        <optgroup key={*label} label={*label}>
                            for (of, name) in list.iter() {
                                <option key={name.to_string()} selected={query.of == Some(*of)}>{ name }</option>
                            }
                        </optgroup>
                    }
                </select>
            }
            if let Some((of, label)) = of_selected {
                <button type="button" class="button small" aria-pressed={(query.of == Some(*of)).to_string()}
                    onclick={asking(AskedOfRecords::Of((query.of != Some(*of)).then_some(*of)), dispatch)}>{ label }</button>
            }
        </div>
    }
}

/// Which entry of a list was chosen, from 0.
fn chosen(event: &Event) -> Option<usize> {
    let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
    usize::try_from(select.selected_index()).ok()
}
