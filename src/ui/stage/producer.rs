//! A producer: the record in its hand, and how its key becomes a partition.

use super::looks::{chip, clip};
use super::primitives::{part, plate, put};
use super::{px, translate};
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::{HashPill, ProducerBox, Shape};
use crate::text::{Lang, labels};
use yew::prelude::*;

/// A producer.
pub fn producer_view(producer: &ProducerBox, lang: Lang, shape: Shape) -> Html {
    let rect = producer.rect;
    let kind = if producer.is_next { labels::next_record(lang) } else { labels::sending(lang) };
    let is_narrow = shape == Shape::Narrow;
    let kind_at = match (&producer.record, is_narrow) {
        (Some(record), false) => Point { x: record.at.x + 50, y: record.at.y + 25 },
        _ => Point { x: rect.x + 12, y: rect.y + 52 },
    };
    html! {
        <g class="producer" key={producer.producer.0}>
            if let Some(hash) = producer.hash.as_ref().filter(|hash| hash.is_now || !is_narrow) {
                <path class={classes!("ribbon", "is-produce", hash.is_now.then_some("is-busy"))} d={hash.curve.path()} />
            }
            { plate("card", rect, 12) }
            { put("card-name", rect.x + 12, rect.y + 21, clip(&producer.name, 12)) }
            { put("hint", rect.x + 12, rect.y + 37, labels::producer(lang)) }
            if let Some(record) = &producer.record {
                { chip(record, if producer.is_next { "is-next" } else { "is-processed" }) }
                { put("hint", kind_at.x, kind_at.y, kind) }
            }
            if let Some(hash) = &producer.hash { { hash_view(hash) } }
        </g>
    }
}

fn hash_view(hash: &HashPill) -> Html {
    let middle = hash.rect.w / 2;
    // Without a key there is no hash to show, only where the record went.
    let (key, rule) = match &hash.key {
        Some((key, positive)) => {
            (format!("murmur2({})", clip(key, 12)), format!("{positive} mod {} = ", hash.partitions))
        }
        None => ("key null".to_owned(), "partition ".to_owned()),
    };
    let fit = |text: &str| fitted(text, hash.rect.w - 12);
    html! {
        <g class={classes!("hash", hash.is_now.then_some("is-now"))} transform={translate(hash.rect.x, hash.rect.y)}>
            { plate("hash-body", Rect { x: 0, y: 0, w: hash.rect.w, h: hash.rect.h }, 9) }
            <text class="mono small" text-anchor="middle" x={px(middle)} y="17" textLength={fit(&key)} lengthAdjust="spacingAndGlyphs">{ &key }</text>
            <text class="mono small" text-anchor="middle" x={px(middle)} y="33" textLength={fit(&format!("{rule}{}", hash.number))} lengthAdjust="spacingAndGlyphs">
                { part("muted", rule) }
                { part("strong", hash.number.to_string()) }
            </text>
        </g>
    }
}

/// The length that a small text is pressed to, if it is longer than there is room.
fn fitted(text: &str, room: i32) -> Option<AttrValue> {
    // A character of 11 px in a monospaced face is 6.6 px wide; some are a little wider.
    (text.chars().count() as i32 * 7 > room).then(|| px(room))
}
