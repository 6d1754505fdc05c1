//! The look of a key: a shape and a colour class, eight of them and one for records without a key; and the chip that
//! wears it.

use super::primitives::{mark, plate};
use super::{px, translate};
use crate::scene::density::{Density, Tiles};
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::{Chip, PLAIN_LOOK};
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

/// A record as a tile: shape, name and, where there is room, value. Without a key it has no shape, and its name, which is
/// a number, all of the room; unless that is taken by a badge.
pub fn chip(chip: &Chip, class: &'static str, has_badge: bool) -> Html {
    let Tiles { w, h, .. } = chip.density.tiles();
    let is_dense = chip.density == Density::Dense;
    let (middle, name_y) = if is_dense { (10, 14) } else { (13, 17) };
    let has_shape = chip.look != PLAIN_LOOK;
    let (name_x, name_room, most) = match () {
        () if has_shape || (has_badge && is_dense) => (if is_dense { 26 } else { 28 }, 22, 2),
        () => (w / 2, w - 8, 4),
    };
    let value = clip(&chip.value, 9);
    html! {
        <g class={classes!("chip", format!("look-{}", chip.look), class)} transform={translate(chip.at.x, chip.at.y)}>
            { plate("chip-body", Rect { x: 0, y: 0, w, h }, if is_dense { 5 } else { 7 }) }
            if has_shape { { mark("chip-shape", Point { x: 9, y: middle }, chip.look) } }
            { pressed("chip-name", name_x, name_y, clip(&chip.name, 7), most, name_room) }
            if !is_dense { { pressed("chip-value", w / 2, 33, value, 5, w - 4) } }
        </g>
    }
}

/// Words that are pressed to the room that there is, if they have more letters than fit.
pub fn pressed(class: &'static str, x: i32, y: i32, words: String, most: usize, room: i32) -> Html {
    let length = (width(&words) > most * LETTER).then(|| px(room));
    html! { <text {class} x={px(x)} y={px(y)} textLength={length} lengthAdjust="spacingAndGlyphs">{ words }</text> }
}

/// The width of a Latin letter, in the unit in which a Japanese one is five wide. Wide faces have them like that.
const LETTER: usize = 3;

/// The width of a text.
fn width(text: &str) -> usize {
    text.chars().map(width_of).sum()
}

const fn width_of(letter: char) -> usize {
    if letter > '\u{2e80}' { 5 } else { LETTER }
}

/// As much of a text as there is room for, in Latin letters.
pub fn clip(text: &str, letters: usize) -> String {
    let room = letters * LETTER;
    if width(text) <= room {
        return text.to_owned();
    }
    let mut taken = LETTER;
    let mut cut: String = text
        .chars()
        .take_while(|&letter| {
            taken += width_of(letter);
            taken <= room
        })
        .collect();
    cut.push('…');
    cut
}
