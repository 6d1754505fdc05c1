//! What the signs of the stage mean, in a line.

use super::primitives::{aside, corners, cross, line, plate};
use super::translate;
use crate::scene::geometry::{Point, Rect};
use crate::text::{Lang, labels, stage as words};
use yew::prelude::*;

/// The place of the sign that only an application with a topic for what it cannot process needs.
const SET_ASIDE: usize = 4;
/// That of the sign of what a verdict is about.
const CONCERNED: usize = 7;

/// The line. What is no more than an explanation is left out where there is little room, and a sign of which there is nothing.
pub fn legend(lang: Lang, sets_aside: bool, has_concerned: bool) -> Html {
    let is_left_out = |index: usize| (index == SET_ASIDE && !sets_aside) || (index == CONCERNED && !has_concerned);
    let signs = words::signs(lang).into_iter().enumerate().filter(|&(index, _)| !is_left_out(index));
    html! {
        <ul class="signs" aria-label={labels::how_to_read(lang)}>
            for (index, (word, more)) in signs {
                <li key={index}>
                    <svg class="sign" viewBox="0 0 20 16" width="20" height="16" aria-hidden="true" focusable="false">{ sign(index) }</svg>
                    <span>{ word }<span class="more">{ more }</span></span>
                </li>
            }
        </ul>
    }
}

/// As they are on the stage, in the order of their words.
fn sign(index: usize) -> Html {
    let tile = |class: &'static str, ring: bool| {
        html! {
            <g class={classes!("chip", "look-0", class)} transform={translate(3, 2)}>
                { plate("chip-body", Rect { x: 0, y: 0, w: 14, h: 12 }, 3) }
                if ring { { plate("ring", Rect { x: -1, y: -1, w: 16, h: 14 }, 4) } }
            </g>
        }
    };
    match index {
        0 => tile("is-waiting", false),
        1 => tile("is-in-hand", true),
        2 => tile("is-processed", false),
        3 => html! { <>{ tile("is-lost", false) }{ cross(Rect { x: 3, y: 2, w: 14, h: 12 }) }</> },
        SET_ASIDE => html! { <>{ tile("is-aside", false) }{ aside(Point { x: 16, y: 4 }) }</> },
        5 => line("caret", "M4 4h12l-6 8z".to_owned()),
        6 => {
            html! { <g class="commit">{ line("pole", "M4 1V15".to_owned()) }{ plate("flag", Rect { x: 4, y: 3, w: 13, h: 8 }, 0) }</g> }
        }
        _ => corners(Rect { x: 2, y: 1, w: 16, h: 14 }),
    }
}
