//! A partition: its tape of records, committed flags, positions, lag.

use super::looks::chip;
use super::{px, translate};
use crate::scene::geometry::Point;
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
        <g class={classes!("tape", tape.unowned.map(|_| "is-unowned"))}>
            <text class="tape-name" x={px(tape.label_at.x)} y={px(tape.label_at.y)}>{ &tape.name }</text>
            <rect class="tape-body" x={px(rect.x)} y={px(rect.y)} width={px(rect.w)} height={px(rect.h)} rx="10" />
            if tape.folded_before > 0 {
                <text class="fold at-end" x={px(rect.x - 2)} y={px(rect.y + 63)}>{ format!("‹ {}", tape.folded_before) }</text>
            }
            if tape.folded_after > 0 {
                <text class="fold at-end" x={px(right)} y={px(rect.y + 66)}>{ format!("{} ›", tape.folded_after) }</text>
            }
            for tile in &tape.tiles { { tile_view(tile, concerned.binary_search(&tile.chip.record).is_ok()) } }
            if let Some((at, offset)) = tape.ghost {
                { ghost(at, offset) }
            }
            for flag in &tape.flags { { flag_view(*flag, lang) } }
            for caret in &tape.carets { { caret_view(*caret, lang) } }
            <text class="lag" x={px(tape.label_at.x)} y={px(tape.label_at.y + 18)}>
                { labels::lag(lang) }{ " " }<tspan class="number">{ tape.lag }</tspan>
            </text>
            if let Some(unowned) = tape.unowned {
                <text class="unowned" x={px(right)} y={px(rect.y - 6)}>
                    { format!("{} · {}", labels::nobody_reads(lang), words::seconds(lang, unowned)) }
                </text>
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
                <rect class={ring} x={px(at.x - 2)} y={px(at.y - 2)} width="46" height="44" rx="9" />
            }
            if tile.times > 1 {
                <g class="times" transform={translate(at.x + 28, at.y - 9)}>
                    <rect width="24" height="16" rx="8" />
                    <text class="badge" x="12" y="12">{ format!("{}×", tile.times) }</text>
                </g>
            }
            <text class="offset" x={px(at.x + 21)} y={px(at.y + 57)}>{ tile.offset }</text>
        </g>
    }
}

fn ghost(at: Point, offset: u32) -> Html {
    html! {
        <g key="ghost">
            <rect class="ghost" x={px(at.x)} y={px(at.y)} width="42" height="40" rx="7" />
            <text class="offset" x={px(at.x + 21)} y={px(at.y + 57)}>{ offset }</text>
        </g>
    }
}

fn flag_view(flag: Flag, lang: Lang) -> Html {
    const WIDTH: i32 = 84;
    let left = if flag.hangs_left { flag.at.x - WIDTH } else { flag.at.x };
    let top = flag.at.y + 72;
    html! {
        <g class="commit" key={format!("flag-{}", flag.group.0)}>
            <path class="pole" d={format!("M{} {}V{}", flag.at.x, flag.at.y, top)} />
            <rect class="flag" x={px(left)} y={px(top - 1)} width={px(WIDTH)} height="16" />
            <text class="badge" x={px(left + WIDTH / 2)} y={px(top + 11)}>
                { format!("{} {}", labels::committed(lang), flag.offset) }
            </text>
        </g>
    }
}

fn caret_view(caret: Caret, lang: Lang) -> Html {
    let Point { x, y } = caret.at;
    let (text_x, class) = if caret.hangs_left { (x - 9, "caret-label at-end") } else { (x + 9, "caret-label") };
    html! {
        <g key={format!("caret-{}", caret.consumer.0)}>
            <path class="caret" d={format!("M{} {}h12l-6 8z", x - 6, y - 9)} />
            <text {class} x={px(text_x)} y={px(y - 2)}>{ format!("{} {}", labels::position(lang), caret.offset) }</text>
        </g>
    }
}
