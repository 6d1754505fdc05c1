//! A table and its rows.

use super::looks::clip;
use super::primitives::{mark, plate, put};
use crate::scene::geometry::Point;
use crate::scene::stage::{RowChip, Shape, SinkFrame};
use crate::sim::RecordId;
use crate::text::{Lang, labels, stage as words};
use yew::prelude::*;

/// A table; rows of `concerned` records, which are in order, are marked.
pub fn sink_view(sink: &SinkFrame, lang: Lang, shape: Shape, concerned: &[RecordId]) -> Html {
    let rect = sink.rect;
    let key_text = match &sink.unique_key {
        Some(key) => words::unique_key(lang, key),
        None => labels::no_unique_key(lang).to_owned(),
    };
    let (key_x, key_y, key_class) = match shape {
        Shape::Wide | Shape::Columns => (rect.x + 12, rect.y + 37, "hint"),
        Shape::Narrow => (rect.x + rect.w - 12, rect.y + 21, "hint at-end"),
    };
    let (absorbed_x, absorbed_y, absorbed_class) = match shape {
        Shape::Wide | Shape::Columns => (rect.x + rect.w - 12, rect.y + 55, "absorbed at-end"),
        Shape::Narrow => (rect.x + 140, rect.y + 21, "absorbed"),
    };
    let (rows_x, rows_class) = match shape {
        Shape::Wide | Shape::Columns => (rect.x + rect.w - 12, "hint at-end"),
        Shape::Narrow => (rect.x + 92, "hint"),
    };
    html! {
        <g class="sink" key={sink.sink.0}>
            { plate("frame", rect, 14) }
            { put("frame-name", rect.x + 12, rect.y + 21, clip(&sink.name, if shape == Shape::Wide { 9 } else { 10 })) }
            { put(rows_class, rows_x, rect.y + 21, words::rows(lang, sink.total)) }
            { put(key_class, key_x, key_y, key_text) }
            if sink.absorbed > 0 {
                { put(absorbed_class, absorbed_x, absorbed_y, words::absorbed(lang, sink.absorbed)) }
            }
            if sink.folded > 0 && shape != Shape::Narrow {
                { put("fold", rect.x + 12, rect.y + 55, words::rows_above(lang, sink.folded)) }
            }
            for row in &sink.rows { { row_view(row, lang, concerned.binary_search(&row.record).is_ok()) } }
        </g>
    }
}

fn row_view(row: &RowChip, lang: Lang, is_concerned: bool) -> Html {
    let rect = row.rect;
    let class = classes!(
        "row",
        format!("look-{}", row.look),
        (row.nth > 1).then_some("is-duplicate"),
        is_concerned.then_some("is-concerned"),
        row.is_new.then_some("is-new"),
    );
    let value = if row.nth > 1 { words::nth_row(lang, row.nth) } else { clip(&row.value, 12) };
    html! {
        <g key={row.number} {class}>
            { plate("row-body", rect, 6) }
            { mark("row-shape", Point { x: rect.x + 12, y: rect.y + rect.h / 2 }, row.look) }
            { put("mono small", rect.x + 23, rect.y + 15, &row.name) }
            { put("row-value at-end", rect.x + rect.w - 7, rect.y + 15, value) }
        </g>
    }
}
