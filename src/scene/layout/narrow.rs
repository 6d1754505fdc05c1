//! From top to bottom, for phones; and for what is a little wider, such as a figure in a column of text, with the readers beside
//! what they read.

use super::wide::{group_head, seats};
use super::{Layout, SINK_ROW, count, lines_of_group, lines_of_topic};
use crate::scene::density::Density;
use crate::scene::drawn::Drawn;
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::Shape;
use crate::sim::{GroupId, Simulation, TopicId};

/// Width of the arrangement, and of a column of the one with two.
const WIDTH: i32 = 360;
/// Where the second column begins: the ribbons run between the two.
const SECOND: i32 = 386;
/// Width of the second column.
const SECOND_W: i32 = 242;
/// More members than this are drawn small.
const MOST_LARGE: usize = 24;
/// More partitions than this lie close.
const MOST_ROOMY: usize = 5;
/// From one tape to the next, and from the top of the last one to the end of its frame; at least.
const ROW: i32 = 104;
/// The same at most, where it fills a height.
const MOST_ROW: i32 = 150;
/// From the top of a group to its first member.
const GROUP_HEAD: i32 = 50;

pub fn narrow(run: &Simulation, drawn: &Drawn) -> Layout {
    let slots = if run.partition_count() <= MOST_ROOMY { 6 } else { 5 };
    let mut layout = Layout { width: WIDTH, ..Layout::empty(Shape::Narrow) };
    layout.seats = if run.consumers().len() > MOST_LARGE { Density::Close } else { Density::Roomy };
    let y = producers_and_topics(run, drawn, &mut layout, (slots, WIDTH - 8), ROW);
    let y = groups_below(run, drawn, &mut layout, y);
    layout.height = sinks_below(run, &mut layout, y);
    layout
}

#[inline(never)]
pub fn columns(run: &Simulation, drawn: &Drawn) -> Layout {
    let setup = run.setup();
    let mut layout = Layout { width: SECOND + SECOND_W + 4, ..Layout::empty(Shape::Columns) };
    // Where nobody reads, the tapes have all the width.
    let (slots, w) = match (setup.groups.is_empty(), run.partition_count() <= MOST_ROOMY) {
        (true, _) => (12, layout.width - 8),
        (false, true) => (6, WIDTH - 8),
        (false, false) => (5, WIDTH - 8),
    };
    layout.height = producers_and_topics(run, drawn, &mut layout, (slots, w), ROW) - 12;
    let y = groups_beside(run, drawn, &mut layout);
    let y = sinks_beside(run, &mut layout, y);
    let missing = (y - layout.height).max(0);
    if layout.density == Density::Roomy {
        // Tapes in one line with the foot of what is beside them.
        let row = (ROW + missing / run.partition_count().max(1) as i32).min(MOST_ROW);
        (layout.producers, layout.hashes, layout.topics, layout.tapes) = Default::default();
        producers_and_topics(run, drawn, &mut layout, (slots, w), row);
    }
    layout.height += missing;
    layout
}

/// With room for so many tiles in frames of a width; where there are few partitions, `row` is the height of each. Returns
/// where the next thing may begin.
fn producers_and_topics(run: &Simulation, drawn: &Drawn, layout: &mut Layout, (slots, w): (u32, i32), row: i32) -> i32 {
    let setup = run.setup();
    layout.slots = slots;
    layout.density = if run.partition_count() <= MOST_ROOMY { Density::Roomy } else { Density::Dense };
    let density = layout.density;
    layout.shows_offsets = density == Density::Roomy;
    let (row, foot, names) = match density {
        Density::Dense => (density.row(), density.foot(), density.names()),
        Density::Roomy | Density::Close => (row, row, 56),
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
        layout.topics.push(Rect { x: 4, y, w, h });
        layout.lay_tapes(&lines, Point { x: 4 + names, y: y + 46 }, row);
        y += h + 26;
    }
    y
}

fn groups_below(run: &Simulation, drawn: &Drawn, layout: &mut Layout, mut y: i32) -> i32 {
    let member_h = layout.seats.member();
    for group in (0..run.setup().groups.len()).map(GroupId::at) {
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
    y
}

fn sinks_below(run: &Simulation, layout: &mut Layout, mut y: i32) -> i32 {
    for _ in &run.setup().sinks {
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
    y
}

fn groups_beside(run: &Simulation, drawn: &Drawn, layout: &mut Layout) -> i32 {
    let groups = run.setup().groups.len();
    let lines: Vec<Vec<i32>> = (0..groups).map(|group| lines_of_group(run, GroupId::at(group), drawn)).collect();
    let all = lines.iter().map(|lines| count(lines)).sum();
    layout.seats = seats(groups as i32, all, layout.height);
    let (head, member_h) = (group_head(layout.seats), layout.seats.member());
    let pitch = member_h + layout.seats.between();
    let mut y = 4;
    for lines in lines {
        let h = head + 4 + count(&lines) * pitch;
        layout.groups.push(Rect { x: SECOND, y, w: SECOND_W, h });
        for line in lines {
            layout.members.push(Rect { x: SECOND + 10, y: y + head + line * pitch, w: SECOND_W - 20, h: member_h });
        }
        y += h + 14;
    }
    y
}

/// As high as what is beside them leaves room for.
fn sinks_beside(run: &Simulation, layout: &mut Layout, mut y: i32) -> i32 {
    let count = run.setup().sinks.len() as i32;
    let room = (layout.height - y + 14) / count.max(1) - 14;
    let rows = ((room - 74) / SINK_ROW).clamp(3, 20);
    for _ in 0..count {
        let h = 74 + rows * SINK_ROW;
        layout.sinks.push(Rect { x: SECOND, y, w: SECOND_W, h });
        let row = |number: i32| Rect {
            x: SECOND + 8 + (number % 2) * 115,
            y: y + 62 + (number / 2) * SINK_ROW,
            w: 111,
            h: SINK_ROW - 3,
        };
        layout.rows.push((0..2 * rows).map(row).collect());
        y += h + 14;
    }
    y
}
