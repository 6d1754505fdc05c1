//! A table and its rows.

use super::looks::clip;
use super::primitives::{corners, mark, plate, put, put_short};
use crate::scene::geometry::Point;
use crate::scene::stage::{RowChip, Shape, SinkFrame};
use crate::sim::RecordId;
use crate::text::{Lang, format, labels, stage as words};
use yew::prelude::*;

/// A table; rows of `concerned` records, which are in order, are marked.
pub fn sink_view(sink: &SinkFrame, lang: Lang, shape: Shape, concerned: &[RecordId]) -> Html {
    let rect = sink.rect;
    let key_text = match sink.unique_key {
        None if !sink.is_down => labels::no_unique_key(lang).to_owned(),
        _ => key_or_down(sink, lang),
    };
    let (key_x, key_y, key_class, key_room) = match shape {
        Shape::Wide | Shape::Columns => (rect.x + 12, rect.y + 37, "hint", 19),
        Shape::Narrow => (rect.x + rect.w - 12, rect.y + 21, "hint at-end", 18),
    };
    // Beside each other; the first has the room of the second where there is no second.
    let has_absorbed = sink.absorbed > 0;
    let (rows_x, rows_class, rows_room) = match shape {
        Shape::Wide | Shape::Columns => (rect.x + rect.w - 12, "hint at-end", 9),
        Shape::Narrow => (rect.x + 92, "hint", if has_absorbed { 8 } else { 14 }),
    };
    html! {
        <g class={classes!("sink", sink.is_down.then_some("is-down"))} key={sink.sink.0}>
            { plate("frame", rect, 14) }
            { put("frame-name", rect.x + 12, rect.y + 21, clip(&sink.name, if shape == Shape::Narrow { 10 } else { 9 })) }
            { put_short(rows_class, rows_x, rect.y + 21, &words::rows(lang, sink.total), rows_room) }
            { put_short(key_class, key_x, key_y, &key_text, key_room) }
            if has_absorbed {
                { absorbed_view(sink, lang, shape) }
            }
            if sink.folded > 0 && shape != Shape::Narrow {
                if has_absorbed {
                    { fold_briefly(sink, lang) }
                } else {
                    { put_short("fold", rect.x + 12, rect.y + 55, &words::rows_above(lang, sink.folded), 17) }
                }
            }
            for row in &sink.rows { { row_view(row, lang, concerned.binary_search(&row.record).is_ok()) } }
        </g>
    }
}

/// The key by which a table ignores writes, or that there is no asking it.
#[inline(never)]
fn key_or_down(sink: &SinkFrame, lang: Lang) -> String {
    match &sink.unique_key {
        Some(key) if !sink.is_down => words::unique_key(lang, key),
        _ => labels::database_down(lang).to_owned(),
    }
}

/// How many rows stand above, beside how many writes the key has ignored.
#[inline(never)]
fn fold_briefly(sink: &SinkFrame, lang: Lang) -> Html {
    put("fold", sink.rect.x + 12, sink.rect.y + 55, format!("↑ {}", format::short_number(lang, sink.folded)))
}

/// How many writes the key has ignored.
#[inline(never)]
fn absorbed_view(sink: &SinkFrame, lang: Lang, shape: Shape) -> Html {
    let rect = sink.rect;
    let (x, y, class) = match shape {
        Shape::Wide | Shape::Columns => (rect.x + rect.w - 12, rect.y + 55, "absorbed at-end"),
        Shape::Narrow => (rect.x + 140, rect.y + 21, "absorbed"),
    };
    put_short(class, x, y, &words::absorbed(lang, sink.absorbed), 9)
}

fn row_view(row: &RowChip, lang: Lang, is_concerned: bool) -> Html {
    let rect = row.rect;
    let class = classes!(
        "row",
        format!("look-{}", row.look),
        (row.nth > 1).then_some("is-duplicate"),
        row.is_new.then_some("is-new"),
    );
    let (value_x, value_y) = (rect.x + rect.w - 7, rect.y + 15);
    html! {
        <g {class}>
            { plate("row-body", rect, 6) }
            { mark("row-shape", Point { x: rect.x + 12, y: rect.y + rect.h / 2 }, row.look) }
            { put("mono small", rect.x + 23, rect.y + 15, &row.name) }
            if row.nth > 1 {
                { put_short("row-value at-end", value_x, value_y, &words::nth_row(lang, row.nth), 8) }
            } else {
                { put("row-value at-end", value_x, value_y, clip(&row.value, 12)) }
            }
            if is_concerned { { corners(rect) } }
        </g>
    }
}
