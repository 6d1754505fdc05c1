//! A producer: the record in its hand, and how its key becomes a partition.

use super::looks::{chip, clip};
use super::primitives::{button, mark, part, plate, put, put_short};
use super::{px, translate};
use crate::scene::Subject;
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::{Batch, HashPill, ProducerBox, Shape};
use crate::sim::partitioner::Choice;
use crate::sim::producer::ProducerProcess;
use crate::text::{Lang, labels, stage as words};
use yew::prelude::*;

/// A producer.
pub fn producer_view(
    producer: &ProducerBox,
    lang: Lang,
    shape: Shape,
    selected: Option<Subject>,
    on_subject: &Option<Callback<Subject>>,
) -> Html {
    let subject = Subject::Producer(producer.producer);
    let is_down = producer.process != ProducerProcess::Running;
    let rect = producer.rect;
    let kind = if producer.is_next { labels::next_record(lang) } else { labels::sending(lang) };
    let is_narrow = shape != Shape::Wide;
    let kind_at = match (&producer.record, is_narrow) {
        (Some(record), false) => Point { x: record.at.x + 50, y: record.at.y + 17 },
        _ => Point { x: rect.x + 12, y: rect.y + 52 },
    };
    let status = match &producer.batch {
        Some(batch) if !producer.shows_waiting && !is_down => words::batch(lang, batch),
        _ => words::producer_status(lang, producer.process).to_owned(),
    };
    html! {
        <g class={classes!("producer", is_down.then_some("is-crashed"))} key={producer.producer.0}>
            for (index, way) in producer.ways.iter().enumerate() { <path key={index} class="ribbon is-produce is-busy" d={way.path()} /> }
            if let Some(hash) = producer.hash.as_ref().filter(|hash| hash.is_now || !is_narrow) {
                <path class={classes!("ribbon", "is-produce", hash.is_now.then_some("is-busy"))} d={hash.curve.path()} />
            }
            { button(subject, words::producer_label(lang, &producer.name, producer.process), selected == Some(subject), on_subject, html! { <>
                { plate("card", rect, 12) }
                { put("card-name", rect.x + 12, rect.y + 21, clip(&producer.name, 12)) }
            </> }) }
            <g aria-hidden="true" pointer-events="none">
            { put_short("hint status", rect.x + 12, rect.y + 37, &status, 16) }
            if let Some(record) = &producer.record {
                { chip(record, if producer.is_next { "is-next" } else { "is-waiting" }, false) }
                { put_short("hint", kind_at.x, kind_at.y, kind, if is_narrow { 17 } else { 8 }) }
            }
            if let Some(batch) = &producer.batch {
                if !is_narrow { { marks(batch, Point { x: kind_at.x, y: kind_at.y + 16 }) } }
            }
            { accumulator(producer, lang) }
            if let Some(hash) = &producer.hash { { hash_view(hash) } }
            </g>
        </g>
    }
}

/// The marks of the first records in a batch.
fn marks(batch: &Batch, at: Point) -> Html {
    let more = batch.records - batch.looks.len() as u32;
    html! {
        <>
            for (place, look) in batch.looks.iter().enumerate() {
                <g key={place} class={format!("look-{look}")}>{ mark("row-shape", Point { x: at.x + 5 + 12 * place as i32, y: at.y - 4 }, *look) }</g>
            }
            if more > 0 { { put("hint", at.x + 37, at.y, format!("+{more}")) } }
        </>
    }
}

/// How large the batch is, and which of its limits is nearer: that it is full, or that it has lingered.
fn accumulator(producer: &ProducerBox, lang: Lang) -> Html {
    let bar = producer.bar;
    let (words, class, part) = match &producer.batch {
        None => (words::no_batch(lang).to_owned(), "limit", 0),
        Some(batch) if batch.full >= 1000 - batch.lingers => (words::batch(lang, batch), "limit is-full", batch.full),
        Some(batch) => (words::batch(lang, batch), "limit is-left", batch.lingers),
    };
    html! {
        <>
            if producer.shows_waiting {
                { put_short("hint", bar.x, bar.y - 5, &words, 16) }
                { put_short("hint", bar.x, bar.y + 17, &words::in_flight(lang, producer.in_flight), 16) }
            }
            { plate("limit", bar, 2) }
            { plate(class, Rect { w: bar.w * part as i32 / 1000, ..bar }, 2) }
        </>
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
    match (hash.choice, &hash.key) {
        (Choice::Hash(function), Some(key)) => {
            let divided = function.of(Some(key.as_bytes()));
            (format!("{}({})", function.name(), clip(key, 12)), format!("{divided} mod {} = ", hash.partitions))
        }
        _ => pill_lines_without_key(hash),
    }
}

/// The same where no key decides.
#[inline(never)]
fn pill_lines_without_key(hash: &HashPill) -> (String, String) {
    let key = hash.key.as_ref().map_or_else(|| "null".to_owned(), |key| clip(key, 12).to_string());
    let by = match hash.choice {
        Choice::Hash(function) => {
            let divided = function.of(None);
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
