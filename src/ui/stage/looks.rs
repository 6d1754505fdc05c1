//! The look of a key: a shape and a colour class, eight of them and one for records without a key; and the chip that
//! wears it.

use super::primitives::{mark, plate, put};
use super::{px, translate};
use crate::scene::density::{Density, Tiles};
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::Chip;
use yew::prelude::*;

/// The outline of each look, around the origin.
const SHAPES: [&str; 9] = [
    "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0",
    "M-4.3 -4.3h8.6v8.6h-8.6z",
    "M0 -5.4L5.4 0L0 5.4L-5.4 0z",
    "M0 -4.9L5.2 4.2H-5.2z",
    "M0 -5L4.9 -1.4L3 4.4H-3L-4.9 -1.4z",
    "M-1.7 -4.8h3.4v3.1h3.1v3.4h-3.1v3.1h-3.4v-3.1h-3.1v-3.4h3.1z",
    "M0 4.9L5.2 -4.2H-5.2z",
    "M-2.7 -4.6h5.4L5.4 0L2.7 4.6h-5.4L-5.4 0z",
    "M-4.6 -1.3h9.2v2.6h-9.2z",
];

/// The shape of a look.
pub fn shape(look: u8) -> &'static str {
    SHAPES[usize::from(look) % SHAPES.len()]
}

/// A record as a tile: shape, name and, where there is room, value.
pub fn chip(chip: &Chip, class: &'static str) -> Html {
    let value_class = if chip.value.chars().count() > 7 { "chip-value is-long" } else { "chip-value" };
    let Tiles { w, h, .. } = chip.density.tiles();
    let is_dense = chip.density == Density::Dense;
    let (middle, name_x, name_y) = if is_dense { (10, 26, 14) } else { (13, 28, 17) };
    html! {
        <g class={classes!("chip", format!("look-{}", chip.look), class)} transform={translate(chip.at.x, chip.at.y)}>
            { plate("chip-body", Rect { x: 0, y: 0, w, h }, if is_dense { 5 } else { 7 }) }
            { mark("chip-shape", Point { x: 9, y: middle }, chip.look) }
            <text class="chip-name" x={px(name_x)} y={px(name_y)} textLength={(chip.name.len() > 2).then_some("22")} lengthAdjust="spacingAndGlyphs">{ clip(&chip.name, 5) }</text>
            if !is_dense { { put(value_class, 21, 32, clip(&chip.value, 9)) } }
        </g>
    }
}

/// As much of a text as there is room for, in letters; Japanese ones take two.
pub fn clip(text: &str, room: usize) -> String {
    let width = |letter: char| if letter > '\u{2e80}' { 2 } else { 1 };
    if text.chars().map(width).sum::<usize>() <= room {
        return text.to_owned();
    }
    let mut taken = 1;
    let mut cut: String = text
        .chars()
        .take_while(|&letter| {
            taken += width(letter);
            taken <= room
        })
        .collect();
    cut.push('…');
    cut
}
