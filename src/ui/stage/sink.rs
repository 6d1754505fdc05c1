//! A table and its rows.

use super::looks::{clip, shape};
use super::px;
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
    let (key_x, key_y, anchor) = match shape {
        Shape::Wide => (rect.x + 12, rect.y + 37, "start"),
        Shape::Narrow => (rect.x + rect.w - 12, rect.y + 21, "end"),
    };
    let (absorbed_x, absorbed_y, absorbed_anchor) = match shape {
        Shape::Wide => (rect.x + rect.w - 12, rect.y + 55, "end"),
        Shape::Narrow => (rect.x + 140, rect.y + 21, "start"),
    };
    let (rows_x, rows_anchor) = match shape {
        Shape::Wide => (rect.x + rect.w - 12, "end"),
        Shape::Narrow => (rect.x + 92, "start"),
    };
    html! {
        <g class="sink" key={sink.sink.0}>
            <rect class="frame" x={px(rect.x)} y={px(rect.y)} width={px(rect.w)} height={px(rect.h)} rx="14" />
            <text class="frame-name" x={px(rect.x + 12)} y={px(rect.y + 21)}>{ clip(&sink.name, 10) }</text>
            <text class="hint" text-anchor={rows_anchor} x={px(rows_x)} y={px(rect.y + 21)}>{ words::rows(lang, sink.total) }</text>
            <text class="hint" text-anchor={anchor} x={px(key_x)} y={px(key_y)}>{ key_text }</text>
            if sink.absorbed > 0 {
                <text class="absorbed" text-anchor={absorbed_anchor} x={px(absorbed_x)} y={px(absorbed_y)}>{ words::absorbed(lang, sink.absorbed) }</text>
            }
            if sink.folded > 0 && shape == Shape::Wide {
                <text class="fold" x={px(rect.x + 12)} y={px(rect.y + 55)}>{ words::rows_above(lang, sink.folded) }</text>
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
    html! {
        <g key={row.number} {class}>
            <rect class="row-body" x={px(rect.x)} y={px(rect.y)} width={px(rect.w)} height={px(rect.h)} rx="6" />
            <path class="row-shape" transform={format!("translate({} {})", rect.x + 12, rect.y + rect.h / 2)} d={shape(row.look)} />
            <text class="mono small" x={px(rect.x + 23)} y={px(rect.y + 15)}>{ &row.name }</text>
            <text class="row-value" text-anchor="end" x={px(rect.x + rect.w - 7)} y={px(rect.y + 15)}>
                if row.nth > 1 { { words::nth_row(lang, row.nth) } } else { { clip(&row.value, 12) } }
            </text>
        </g>
    }
}
