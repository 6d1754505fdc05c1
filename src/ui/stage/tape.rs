//! A partition: its tape of records, committed flags, positions, lag.

use super::looks::chip;
use super::primitives::{line, part, plate, put, put_html};
use super::{partition_id, translate};
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::{Caret, Flag, Tape, Tile, TileState};
use crate::sim::RecordId;
use crate::text::{Lang, labels, stage as words};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct TapeProps {
    pub tape: Tape,
    pub lang: Lang,
    pub concerned: Rc<Vec<RecordId>>,
}

#[component]
pub fn TapeView(props: &TapeProps) -> Html {
    let TapeProps { tape, lang, concerned } = props;
    let lang = *lang;
    let rect = tape.rect;
    let right = rect.x + rect.w;
    html! {
        <g id={partition_id(tape.partition)} class={classes!("tape", tape.unowned.map(|_| "is-unowned"))}>
            { put("tape-name", tape.label_at.x, tape.label_at.y, &tape.name) }
            { plate("tape-body", rect, 10) }
            if tape.folded_before > 0 {
                { put("fold at-end", rect.x - 2, rect.y + 63, format!("‹ {}", tape.folded_before)) }
            }
            if tape.folded_after > 0 {
                { put("fold at-end", right, rect.y + 66, format!("{} ›", tape.folded_after)) }
            }
            for tile in &tape.tiles { { tile_view(tile, concerned.binary_search(&tile.chip.record).is_ok()) } }
            if let Some((at, offset)) = tape.ghost {
                { ghost(at, offset) }
            }
            for flag in &tape.flags { { flag_view(*flag, lang) } }
            for caret in &tape.carets { { caret_view(*caret, lang) } }
            { put_html("lag", tape.label_at.x, tape.label_at.y + 18, html! { <>{ labels::lag(lang) }{ " " }{ part("number", words::lag(tape.lag)) }</> }) }
            if let Some(unowned) = tape.unowned {
                { put("unowned", right, rect.y - 6, format!("{} · {}", labels::nobody_reads(lang), words::seconds(lang, unowned))) }
            }
        </g>
    }
}

fn tile_view(tile: &Tile, is_concerned: bool) -> Html {
    let at = tile.chip.at;
    let class = match tile.state {
        TileState::Waiting => "is-waiting",
        TileState::InHand => "is-in-hand",
        TileState::Processed => "is-processed",
    };
    let ring = match tile {
        _ if is_concerned => Some("ring is-concerned"),
        Tile { state: TileState::InHand, .. } => Some("ring"),
        Tile { times: 2.., .. } => Some("ring is-duplicate"),
        _ => None,
    };
    html! {
        <g key={tile.offset}>
            { chip(&tile.chip, class) }
            if let Some(ring) = ring {
                { plate(ring, Rect { x: at.x - 2, y: at.y - 2, w: 46, h: 44 }, 9) }
            }
            if tile.times > 1 {
                <g class="times" transform={translate(at.x + 28, at.y - 9)}>
                    { plate("times-body", Rect { x: 0, y: 0, w: 24, h: 16 }, 8) }
                    { put("badge", 12, 12, format!("{}×", tile.times)) }
                </g>
            }
            { put("offset", at.x + 21, at.y + 57, tile.offset) }
        </g>
    }
}

fn ghost(at: Point, offset: u32) -> Html {
    html! {
        <g key="ghost">
            { plate("ghost", Rect { x: at.x, y: at.y, w: 42, h: 40 }, 7) }
            { put("offset", at.x + 21, at.y + 57, offset) }
        </g>
    }
}

fn flag_view(flag: Flag, lang: Lang) -> Html {
    const WIDTH: i32 = 84;
    if flag.is_other {
        return html! { <g class="commit" key={format!("flag-{}", flag.group.0)}>{ line("pole is-other", format!("M{} {}v56", flag.at.x, flag.at.y)) }</g> };
    }
    let left = if flag.hangs_left { flag.at.x - WIDTH } else { flag.at.x };
    let top = flag.at.y + 72;
    html! {
        <g class="commit" key={format!("flag-{}", flag.group.0)}>
            { line("pole", format!("M{} {}V{}", flag.at.x, flag.at.y, top)) }
            { plate("flag", Rect { x: left, y: top - 1, w: WIDTH, h: 16 }, 0) }
            { put("badge", left + WIDTH / 2, top + 11, format!("{} {}", labels::committed(lang), flag.offset)) }
        </g>
    }
}

fn caret_view(caret: Caret, lang: Lang) -> Html {
    let Point { x, y } = caret.at;
    let (text_x, class) = if caret.hangs_left { (x - 9, "caret-label at-end") } else { (x + 9, "caret-label") };
    let (shape_class, shape, label) = match caret.is_other {
        true => ("caret is-other", format!("M{} {}h8l-4 6z", x - 4, y - 6), String::new()),
        false => {
            ("caret", format!("M{} {}h12l-6 8z", x - 6, y - 9), format!("{} {}", labels::position(lang), caret.offset))
        }
    };
    html! {
        <g key={format!("caret-{}", caret.consumer.0)}>
            { line(shape_class, shape) }
            { put(class, text_x, y - 2, label) }
        </g>
    }
}
