//! From top to bottom, for phones.

use super::{Layout, SINK_ROW, count, lines_of_group, lines_of_topic};
use crate::scene::density::Density;
use crate::scene::drawn::Drawn;
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::Shape;
use crate::sim::{GroupId, Simulation, TopicId};

/// More members than this are drawn small.
const MOST_LARGE: usize = 24;
/// More partitions than this lie close.
const MOST_ROOMY: usize = 5;
/// From one tape to the next, and from the top of the last one to the end of its frame.
const ROW: i32 = 104;
/// From the top of a group to its first member.
const GROUP_HEAD: i32 = 50;

pub fn narrow(run: &Simulation, drawn: &Drawn) -> Layout {
    let setup = run.setup();
    let (density, slots) = match run.partition_count() {
        ..=MOST_ROOMY => (Density::Roomy, 6),
        _ => (Density::Dense, 5),
    };
    let seats = if run.consumers().len() > MOST_LARGE { Density::Close } else { Density::Roomy };
    let mut layout = Layout { slots, width: 360, density, seats, ..Layout::empty(Shape::Narrow) };
    layout.shows_offsets = density == Density::Roomy;
    let (row, foot, names) = match density {
        Density::Dense => (density.row(), density.foot(), density.names()),
        Density::Roomy | Density::Close => (ROW, ROW, 56),
    };
    let mut y = 4;
    for _ in &setup.producers {
        layout.producers.push(Rect { x: 4, y, w: 176, h: 62 });
        layout.hashes.push(Rect { x: 190, y: y + 10, w: 166, h: 42 });
        y += 70;
    }
    for topic in (0..setup.topics.len()).map(TopicId::at) {
        let lines = lines_of_topic(run, topic, drawn);
        let h = 46 + (count(&lines) - 1) * row + foot;
        layout.topics.push(Rect { x: 4, y, w: 352, h });
        layout.lay_tapes(&lines, Point { x: 4 + names, y: y + 46 }, row);
        y += h + 26;
    }
    let member_h = seats.member();
    for group in (0..setup.groups.len()).map(GroupId::at) {
        let lines = lines_of_group(run, group, drawn);
        let rows = (count(&lines) + 2) / 3;
        let h = GROUP_HEAD + 4 + rows * (member_h + 10);
        layout.groups.push(Rect { x: 4, y, w: 352, h });
        for number in lines {
            let (column, row) = (number % 3, number / 3);
            let y = y + GROUP_HEAD + row * (member_h + 10);
            layout.members.push(Rect { x: 12 + column * 115, y, w: 106, h: member_h });
        }
        y += h + 14;
    }
    for _ in &setup.sinks {
        let h = 40 + 4 * SINK_ROW;
        layout.sinks.push(Rect { x: 4, y, w: 352, h });
        let row = |number: i32| Rect {
            x: 12 + (number % 3) * 115,
            y: y + 34 + (number / 3) * SINK_ROW,
            w: 106,
            h: SINK_ROW - 3,
        };
        layout.rows.push((0..12).map(row).collect());
        y += h + 14;
    }
    layout.height = y;
    layout
}
