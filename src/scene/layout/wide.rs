//! From left to right: producers, topics, groups, tables.

use super::{Layout, SINK_ROW, count, lines_of_group, lines_of_topic};
use crate::scene::density::Density;
use crate::scene::drawn::Drawn;
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::Shape;
use crate::sim::{GroupId, Simulation, TopicId};

/// Width of a group, where it stands beside its topics.
const GROUP_W: i32 = 156;
/// Width of a table.
const SINK_W: i32 = 160;
/// Between frames that stand one below the other.
const GAP: i32 = 16;
/// A producer with its hash, where there are few: its batch is shown.
const PRODUCER_H: i32 = 196;
/// One of many.
const SMALL_PRODUCER_H: i32 = 158;
/// Of a tall frame only a part is in sight: what belongs to it stays beside the upper one.
const IN_SIGHT: i32 = 466;
/// What is not higher is seen whole on a usual screen, and read.
const WHOLE: i32 = 486;
/// The same of the width.
const WHOLE_W: i32 = 1010;

pub fn wide(run: &Simulation, drawn: &Drawn) -> Layout {
    let setup = run.setup();
    let lines: Vec<Vec<i32>> = topics(run).map(|topic| lines_of_topic(run, topic, drawn)).collect();
    let counts: Vec<i32> = lines.iter().map(|lines| count(lines)).collect();
    let partitions: i32 = counts.iter().sum();
    let density = density(&counts);
    let mut layout = Layout { density, ..Layout::empty(Shape::Wide) };
    let x = if setup.producers.is_empty() { 6 } else { 152 };
    // The ribbons of each group need a lane of their own.
    let lanes = 44 + 10 * (setup.groups.len() as i32 - 1).clamp(0, 6);
    let beside = if setup.groups.is_empty() { 0 } else { lanes + GROUP_W }
        + if setup.sinks.is_empty() { 0 } else { 24 + SINK_W };
    let tiles = density.tiles();
    let room = WHOLE_W - x - density.names() - 16 - beside - 6;
    layout.slots = match density {
        Density::Dense => ((room - tiles.width(0)) / tiles.pitch).clamp(8, 14),
        Density::Roomy | Density::Close => 8,
    } as u32;
    let row = match density {
        // Where they do not fill the height, with more room around them.
        Density::Dense => {
            density.row().max(((WHOLE - height_of(&counts, density)) / partitions + density.row()).min(64))
        }
        Density::Roomy | Density::Close => density.row(),
    };
    layout.shows_offsets = density != Density::Dense || row >= 54;
    // The last tape has its offsets inside the frame, too.
    let foot = density.foot() + if density == Density::Dense && layout.shows_offsets { 12 } else { 0 };
    let w = density.names() + tiles.width(layout.slots as i32) + 16;
    let mut y = if density == Density::Dense { 8 } else { 12 };
    for lines in &lines {
        let h = density.head() + (count(lines) - 1) * row + foot;
        layout.topics.push(Rect { x, y, w, h });
        layout.lay_tapes(lines, Point { x: x + density.names(), y: y + density.head() }, row);
        y += h + GAP;
    }
    let height = (y - GAP).max(372);

    let group_x = x + w + lanes;
    wide_groups(run, drawn, &mut layout, (group_x, height), row);
    wide_sinks(run, &mut layout, group_x + GROUP_W + 24, height);
    wide_producers(run, &mut layout, height);
    layout.width = match layout.sinks.first() {
        Some(sink) => sink.x + sink.w + 6,
        None if setup.groups.is_empty() => x + w + 6,
        None => group_x + GROUP_W + 6,
    };
    let frames = layout.groups.iter().chain(&layout.sinks).chain(&layout.hashes);
    layout.height = frames.map(|frame| frame.y + frame.h).fold(height, i32::max) + 8;
    layout
}

fn topics(run: &Simulation) -> impl Iterator<Item = TopicId> {
    (0..run.setup().topics.len()).map(TopicId::at)
}

/// How closely the partitions of these topics have to lie to be seen at once, as far as that is possible.
fn density(counts: &[i32]) -> Density {
    let fits = |density| height_of(counts, density) <= WHOLE;
    let partitions: i32 = counts.iter().sum();
    match partitions {
        ..=3 if fits(Density::Roomy) => Density::Roomy,
        ..=5 if fits(Density::Close) => Density::Close,
        _ => Density::Dense,
    }
}

/// Height of topics with so many partitions each.
fn height_of(counts: &[i32], density: Density) -> i32 {
    let of = |&count: &i32| density.head() + (count - 1) * density.row() + density.foot() + GAP;
    counts.iter().map(of).sum::<i32>() - GAP
}

/// From the top of a group to its first member.
pub(super) const fn group_head(seats: Density) -> i32 {
    match seats {
        Density::Roomy | Density::Close => 68,
        Density::Dense => 46,
    }
}

/// Between groups.
const fn group_gap(seats: Density) -> i32 {
    match seats {
        Density::Roomy | Density::Close => GAP,
        Density::Dense => 10,
    }
}

/// How many lines of members are seen at once of several groups, one below the other.
pub const fn lines_of_members(groups: i32) -> i32 {
    const SEATS: Density = Density::Dense;
    let around = groups * (group_head(SEATS) + 4 + group_gap(SEATS)) - group_gap(SEATS);
    (WHOLE - 12 - around) / (SEATS.member() + SEATS.between())
}

/// How closely the members have to stand to be seen at once, as far as that is possible, and how high a group is without
/// them.
pub(super) fn seats(groups: i32, count: i32, height: i32) -> Density {
    let fits = |&seats: &Density| {
        let members = count * (seats.member() + seats.between());
        groups * (group_head(seats) + 6 + group_gap(seats)) - group_gap(seats) + members <= height.max(WHOLE + 12) - 12
    };
    [Density::Roomy, Density::Close].into_iter().find(fits).unwrap_or(Density::Dense)
}

/// Each group beside the topics that it reads.
fn wide_groups(run: &Simulation, drawn: &Drawn, layout: &mut Layout, (x, height): (i32, i32), row: i32) {
    let groups = run.setup().groups.len();
    let lines: Vec<Vec<i32>> = (0..groups).map(|group| lines_of_group(run, GroupId::at(group), drawn)).collect();
    let all: i32 = lines.iter().map(|lines| count(lines)).sum();
    layout.seats = seats(groups as i32, all, height);
    let (head, gap, member_h) = (group_head(layout.seats), group_gap(layout.seats), layout.seats.member());
    let room = height - 12 - groups as i32 * (head + 4 + gap) + gap;
    let least = member_h + layout.seats.between();
    let pitch = (room / all.max(1)).clamp(least, Density::Roomy.row().max(row));
    let mut boxes = Vec::new();
    for group in (0..groups).map(GroupId::at) {
        let mut h = head + 4 + count(&lines[group.index()]) * pitch;
        if groups == 1 {
            h = h.max(height - layout.topics[0].y);
        }
        let mut middle = Mean::default();
        for topic in run.topics_of(group) {
            middle.add(layout.topics[topic.index()]);
        }
        boxes.push((h, middle));
    }
    let top = layout.topics[0].y;
    for (index, y) in stack(&boxes, gap, (top, height)).into_iter().enumerate() {
        layout.groups.push(Rect { x, y, w: GROUP_W, h: boxes[index].0 });
        for line in &lines[index] {
            layout.members.push(Rect { x: x + 10, y: y + head + line * pitch, w: GROUP_W - 20, h: member_h });
        }
    }
}

/// Each table beside the groups that write to it.
fn wide_sinks(run: &Simulation, layout: &mut Layout, x: i32, height: i32) {
    let setup = run.setup();
    let count = setup.sinks.len() as i32;
    let top = layout.topics[0].y;
    let h = ((height - top + GAP) / count.max(1) - GAP).clamp(74 + 3 * SINK_ROW, 74 + 40 * SINK_ROW);
    let mut boxes = vec![(h, Mean::default()); setup.sinks.len()];
    for group in (0..setup.groups.len()).map(GroupId::at) {
        for sink in run.sinks_of(group) {
            boxes[sink.index()].1.add(layout.groups[group.index()]);
        }
    }
    for y in stack(&boxes, GAP, (top, height)) {
        layout.sinks.push(Rect { x, y, w: SINK_W, h });
        let row = |number: i32| Rect { x: x + 8, y: y + 62 + number * SINK_ROW, w: SINK_W - 16, h: SINK_ROW - 3 };
        layout.rows.push((0..(h - 74) / SINK_ROW).map(row).collect());
    }
}

/// Each producer beside its topic; those of one topic share its height.
fn wide_producers(run: &Simulation, layout: &mut Layout, height: i32) {
    let producers = &run.setup().producers;
    layout.shows_batches = producers.len() as i32 * (PRODUCER_H + 4) <= height.max(WHOLE);
    let (h, card) = if layout.shows_batches { (PRODUCER_H, 130) } else { (SMALL_PRODUCER_H, 100) };
    let mut boxes = Vec::new();
    for (number, producer) in producers.iter().enumerate() {
        let (mut before, mut all) = (0, 0);
        for (index, other) in producers.iter().enumerate() {
            if other.topic == producer.topic {
                all += 1;
                before += i32::from(index < number);
            }
        }
        let topic = layout.topics[producer.topic.index()];
        let reach = topic.h.min(IN_SIGHT.max(200 * all));
        let middle = topic.y + reach * (2 * before + 1) / (2 * all) - 9;
        boxes.push((h, Mean { sum: middle, count: 1 }));
    }
    for y in stack(&boxes, 4, (12, height)) {
        layout.producers.push(Rect { x: 6, y, w: 116, h: card });
        layout.hashes.push(Rect { x: 2, y: y + card + if layout.shows_batches { 14 } else { 10 }, w: 142, h: 42 });
    }
}

/// The height of the middle of some frames; of a tall one that of its upper part.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: i32,
    count: i32,
}

impl Mean {
    fn add(&mut self, frame: Rect) {
        self.sum += frame.y + frame.h.min(IN_SIGHT) / 2;
        self.count += 1;
    }

    /// What belongs to no frame goes behind all others.
    fn get(self) -> i32 {
        self.sum.checked_div(self.count).unwrap_or(i32::MAX / 2)
    }
}

/// Stacks boxes, each with its height, from `top` on, and each with its middle as near to its wish as the others let it; as
/// long as they fit, none ends below `bottom`. Gives the top of each.
fn stack(boxes: &[(i32, Mean)], gap: i32, (mut top, bottom): (i32, i32)) -> Vec<i32> {
    let mut rest: i32 = boxes.iter().map(|(height, _)| height + gap).sum::<i32>() - gap;
    let mut tops = vec![0; boxes.len()];
    // They are few.
    while let Some(next) = (0..boxes.len()).filter(|&next| tops[next] == 0).min_by_key(|&next| boxes[next].1.get()) {
        let (height, wish) = boxes[next];
        tops[next] = (wish.get() - height / 2).min(bottom - rest).max(top);
        top = tops[next] + height + gap;
        rest -= height + gap;
    }
    tops
}
