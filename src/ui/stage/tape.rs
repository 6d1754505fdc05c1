//! A partition: its tape of records, committed flags, positions, lag.

use super::looks::{chip, clip};
use super::primitives::{aside, button, corners, cross, line, part, part_short, plate, put, put_html, put_short};
use super::{partition_id, translate};
use crate::scene::Subject;
use crate::scene::density::{Density, Tiles};
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::{Caret, CaretLabel, Flag, Ghost, MOST_OF_NAME, Tape, Tile, TileState};
use crate::sim::{BrokerId, Offset, RecordId, Span};
use crate::text::{Lang, labels, stage as words};
use crate::ui::sometimes;
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use web_sys::Element;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct TapeProps {
    pub tape: Tape,
    pub lang: Lang,
    pub concerned: Rc<Vec<RecordId>>,
    pub is_selected: bool,
    pub on_subject: Option<Callback<Subject>>,
    pub on_record: Callback<RecordId>,
}

#[component]
pub fn TapeView(props: &TapeProps) -> Html {
    let TapeProps { tape, lang, concerned, is_selected, on_subject, on_record } = props;
    let lang = *lang;
    let rect = tape.rect;
    let right = rect.x + rect.w;
    let (label, tiles) = (tape.label_at, tape.density.tiles());
    let is_dense = tape.density == Density::Dense;
    // Beside the name or below it.
    let (lag_class, lag_x, lag_y) = match is_dense {
        true => ("lag is-dense", rect.x - 6, label.y),
        false => ("lag", label.x, label.y + 18),
    };
    html! {
        <g id={on_subject.as_ref().map(|_| partition_id(tape.partition))} class={classes!("tape", tape.unowned.map(|_| "is-unowned"))}>
            { button(Subject::Partition(tape.partition), words::partition_label(lang, &tape.name), *is_selected, on_subject, html! { <>
                { plate("handle", Rect { x: label.x - 6, y: label.y - 19, w: if is_dense { 38 } else { 50 }, h: 28 }, 7) }
                { put(if is_dense { "tape-name is-dense" } else { "tape-name" }, label.x, label.y, &tape.name) }
            </> }) }
            <g aria-hidden="true">
            { plate("tape-body", rect, if is_dense { 7 } else { 10 }) }
            if tape.folded_before > 0 {
                { put("fold at-end", rect.x - 2, if is_dense { rect.y - 2 } else { rect.y + 63 }, words::earlier(lang, tape.folded_before)) }
            }
            if tape.folded_after > 0 {
                { fold_behind(tape, tiles, lang) }
            }
            <g onclick={chooses(tape, on_record)}>
                for tile in &tape.tiles { { tile_view(tile, concerned.binary_search(&tile.chip.record).is_ok()) } }
            </g>
            if let Some(next) = tape.ghost {
                { ghost(next, tiles) }
            }
            for flag in &tape.flags { { flag_view(flag, tape, lang) } }
            if let Some(at) = tape.uncommitted_at { { put_short("hint", at.x, at.y, labels::no_commit(lang), 24) } }
            for caret in &tape.carets { { caret_view(caret, tape.density, lang) } }
            { put_html(lag_class, lag_x, lag_y, html! { <>{ part_short("", labels::lag(lang), 4) }{ " " }{ part("number", words::lag(lang, tape.lag)) }</> }) }
            if let Some(leader) = tape.leader { { leader_view(leader, label, is_dense, lang) } }
            if let Some(unowned) = tape.unowned {
                if is_dense {
                    { unowned_briefly(unowned, Point { x: label.x, y: rect.y - 2 }, tape.folded_before > 0, lang) }
                } else {
                    { put_short("unowned", right, rect.y - 6, &format!("{} · {}", labels::nobody_reads(lang), words::seconds(lang, unowned)), 24) }
                }
            }
            </g>
        </g>
    }
}

/// The broker that leads a partition, beside its name or above it.
#[inline(never)]
fn leader_view(leader: BrokerId, label: Point, is_dense: bool, lang: Lang) -> Html {
    match is_dense {
        true => put("broker", label.x + 31, label.y, format!("b{}", leader.0)),
        false => put_short("broker", label.x, label.y - 18, &words::leader(lang, leader), 12),
    }
}

/// For how long nobody has had a partition, where there is little room.
#[inline(never)]
fn unowned_briefly(span: Span, Point { x, y }: Point, is_folded: bool, lang: Lang) -> Html {
    let words = format!("{} {}", labels::nobody(lang), words::seconds(lang, span));
    put_short("unowned is-dense", x, y, &words, if is_folded { 11 } else { 14 })
}

/// Chooses the record whose tile is pressed. For the mouse and the finger; the keyboard comes to a record by the list of all.
fn chooses(tape: &Tape, on_record: &Callback<RecordId>) -> Callback<MouseEvent> {
    let records: Vec<RecordId> = tape.tiles.iter().map(|tile| tile.chip.record).collect();
    sometimes(on_record, move |event| chosen(&event, &records))
}

/// One listener for all tiles, which are told apart by their order.
#[inline(never)]
fn chosen(event: &MouseEvent, records: &[RecordId]) -> Option<RecordId> {
    let pressed: Element = event.target()?.dyn_into().ok()?;
    let mut tile = pressed.closest(".tile").ok()??;
    let mut place = 0;
    while let Some(before) = tile.previous_element_sibling() {
        (tile, place) = (before, place + 1);
    }
    records.get(place).copied()
}

/// A record on a tape.
pub fn tile_view(tile: &Tile, is_concerned: bool) -> Html {
    let at = tile.chip.at;
    let class = match tile.state {
        TileState::Waiting => "is-waiting",
        TileState::InHand => "is-in-hand",
        TileState::Processed => "is-processed",
        TileState::SetAside => "is-aside",
        TileState::Lost => "is-lost",
    };
    let ring = match tile {
        Tile { state: TileState::InHand, .. } => Some("ring"),
        Tile { times: 2.., .. } => Some("ring is-duplicate"),
        _ => None,
    };
    let Tiles { w, h, .. } = tile.chip.density.tiles();
    let around = Rect { x: at.x - 2, y: at.y - 2, w: w + 4, h: h + 4 };
    let is_dense = tile.chip.density == Density::Dense;
    // Where there is no room above a tile, it takes the place of the shape.
    let (times, corner) = match is_dense {
        true => (Rect { x: -4, y: 3, w: 20, h: 14 }, 6),
        false => (Rect { x: 28, y: -9, w: 24, h: 16 }, 8),
    };
    html! {
        <g class="tile">
            { chip(&tile.chip, class, tile.times > 1) }
            if let Some(ring) = ring {
                { plate(ring, around, if is_dense { 7 } else { 9 }) }
            }
            if tile.state == TileState::Lost { { cross(Rect { x: at.x, y: at.y, w, h }) } }
            if tile.state == TileState::SetAside { { aside(Point { x: at.x + w - 1, y: at.y }) } }
            if is_concerned { { corners(around) } }
            if tile.times > 1 {
                <g class="times" transform={translate(at.x + times.x, at.y + times.y)}>
                    { plate("times-body", Rect { x: 0, y: 0, w: times.w, h: times.h }, corner) }
                    { put("badge", times.w / 2, times.h - 4, format!("{}×", tile.times)) }
                </g>
            }
            if tile.shows_offset {
                { put("offset", at.x + w / 2, at.y + h + if is_dense { 11 } else { 17 }, tile.offset) }
            }
        </g>
    }
}

fn ghost(next: Ghost, tiles: Tiles) -> Html {
    let Ghost { at, offset, shows_offset } = next;
    let Tiles { w, h, .. } = tiles;
    let is_dense = h < 30;
    html! {
        <g key="ghost">
            { plate("ghost", Rect { x: at.x, y: at.y, w, h }, if is_dense { 5 } else { 7 }) }
            if shows_offset {
                { put("offset", at.x + w / 2, at.y + h + if is_dense { 11 } else { 17 }, offset) }
            }
        </g>
    }
}

/// How many records are folded behind those that are shown.
#[inline(never)]
fn fold_behind(tape: &Tape, tiles: Tiles, lang: Lang) -> Html {
    let Point { x, y } = tape.folded_at;
    put("fold at-middle", x + tiles.w / 2, y + tiles.h / 2 + 4, words::later(lang, tape.folded_after))
}

fn flag_view(flag: &Flag, tape: &Tape, lang: Lang) -> Html {
    let Point { x, y } = flag.at;
    let bottom = tape.rect.y + tape.rect.h + 2;
    let pole = if flag.is_other { "pole is-other" } else { "pole" };
    let key = format!("flag-{}", flag.group.0);
    let Some(tag) = flag.tag else {
        return html! { <g class="commit" {key}>{ line(pole, format!("M{x} {y}V{bottom}")) }</g> };
    };
    let (x_of_words, y_of_words) = (tag.x + tag.w / 2, tag.y + tag.h - 3);
    let is_dense = tape.density == Density::Dense;
    let words = match &flag.name {
        None if !is_dense && !flag.is_stored => {
            let words = format!("{} {}", labels::committed(lang), flag.offset);
            put_short("badge", x_of_words, y_of_words, &words, (tag.w - 10) / 7)
        }
        _ => other_flag_words(flag, is_dense, Point { x: x_of_words, y: y_of_words }, (tag.w - 10) / 7, lang),
    };
    let d = if is_dense { format!("M{x} {}V{bottom}", tag.y) } else { format!("M{x} {y}V{}", tag.y + 1) };
    html! {
        <g class="commit" {key}>
            { line(pole, d) }
            { plate("flag", tag, 0) }
            { words }
        </g>
    }
}

/// The words of a flag of another group, on a dense tape, or of what a table keeps.
#[inline(never)]
fn other_flag_words(flag: &Flag, is_dense: bool, at: Point, room: i32, lang: Lang) -> Html {
    match &flag.name {
        Some(name) => put("badge", at.x, at.y, named(name, flag.offset)),
        None if is_dense => put("badge", at.x, at.y, flag.offset),
        None => {
            let kept = if flag.is_stored { labels::resumes(lang) } else { labels::committed(lang) };
            put_short("badge", at.x, at.y, &format!("{kept} {}", flag.offset), room)
        }
    }
}

/// An offset of another group than the one that the partition is seen by.
#[inline(never)]
fn named(group: &str, offset: Offset) -> String {
    format!("{} {offset}", clip(group, MOST_OF_NAME))
}

fn caret_view(caret: &Caret, density: Density, lang: Lang) -> Html {
    let Point { x, y } = caret.at;
    let is_dense = density == Density::Dense;
    let (shape_class, shape) = match (caret.is_other, caret.paused) {
        (false, false) if !is_dense => ("caret", format!("M{} {}h12l-6 8z", x - 6, y - 9)),
        _ => other_caret(caret),
    };
    let label = caret.label.as_ref().map(|CaretLabel { at_end, name }| {
        let class = if *at_end { "caret-label at-end" } else { "caret-label" };
        let (x, y) = (x + if *at_end { -8 } else { 8 }, if is_dense { y - 1 } else { y - 2 });
        match name {
            None if !is_dense && !caret.paused => {
                let words = format!("{} {}", labels::position(lang), caret.offset);
                put_short(class, x, y, &words, 10 + caret.offset.to_string().len() as i32)
            }
            _ => other_words(caret, is_dense, class, Point { x, y }, name.as_deref()),
        }
    });
    html! {
        <g key={format!("caret-{}", caret.consumer.0)}>
            { line(shape_class, shape) }
            { label }
        </g>
    }
}

/// The shape of a position that is another group's, or paused, or on a dense tape.
#[inline(never)]
fn other_caret(caret: &Caret) -> (&'static str, String) {
    let Point { x, y } = caret.at;
    match (caret.is_other, caret.paused) {
        (true, _) => ("caret is-other", format!("M{} {}h8l-4 6z", x - 4, y - 6)),
        // Two bars in place of the tip.
        (false, true) => ("caret", format!("M{} {}h4v9h-4zm7 0h4v9h-4z", x - 5, y - 10)),
        (false, false) => ("caret", format!("M{} {}h10l-5 8z", x - 5, y - 8)),
    }
}

/// The words of such a position.
#[inline(never)]
fn other_words(caret: &Caret, is_dense: bool, class: &'static str, at: Point, group: Option<&str>) -> Html {
    match group {
        Some(name) => put_html(class, at.x, at.y, part("number", named(name, caret.offset))),
        None if is_dense => put_html(class, at.x, at.y, part("number", caret.offset.to_string())),
        None => {
            let words = format!("pause() {}", caret.offset);
            put_short(class, at.x, at.y, &words, 10 + caret.offset.to_string().len() as i32)
        }
    }
}
