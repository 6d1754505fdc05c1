//! A producer: the record in its hand, and how its key becomes a partition.

use super::looks::{chip, clip};
use super::primitives::{part, plate, put};
use super::{px, translate};
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::{HashPill, ProducerBox, Shape};
use crate::sim::partitioner::Choice;
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
    let (key, rule) = pill_lines(hash);
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

/// What is chosen by, and how, up to the number of the partition. Names are those of the clients' documentation in every
/// language.
fn pill_lines(hash: &HashPill) -> (String, String) {
    let key = hash.key.as_ref().map_or_else(|| "null".to_owned(), |key| clip(key, 12).to_string());
    let by = match hash.choice {
        Choice::Hash(function) => {
            let divided = function.of(hash.key.as_deref().map(str::as_bytes));
            return (format!("{}({key})", function.name()), format!("{divided} mod {} = ", hash.partitions));
        }
        Choice::InTurn(turn) => {
            return (format!("round robin, key {key}"), format!("{turn} mod {} = ", hash.partitions));
        }
        Choice::Explicit => "partition",
        Choice::StickyByBytes { .. } | Choice::StickyByBatch { .. } | Choice::StickyByTime { .. } => "sticky",
        Choice::Random => "random",
    };
    (format!("key {key}"), format!("{by} = "))
}

/// The length that a small text is pressed to, if it is longer than there is room.
fn fitted(text: &str, room: i32) -> Option<AttrValue> {
    // A character of 11 px in a monospaced face is 6.6 px wide; some are a little wider.
    (text.chars().count() as i32 * 7 > room).then(|| px(room))
}
