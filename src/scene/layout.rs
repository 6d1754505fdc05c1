//! Where things stand. The wide arrangement runs from left to right, the narrow one from top to bottom.

use super::geometry::{Point, Rect};
use super::stage::Shape;
use crate::sim::{GroupId, Simulation, TopicId};

/// Width of a record's tile.
pub const TILE_W: i32 = 42;
/// Height of a record's tile.
pub const TILE_H: i32 = 40;
/// From one tile to the next.
pub const PITCH: i32 = 46;
/// Height of a partition with its marks above and below, where there is room.
const ROOMY_ROW: i32 = 134;
/// The same where there are many.
const CLOSE_ROW: i32 = 108;
/// Height of a member.
const MEMBER_H: i32 = 84;
/// Height of one of many members.
const SMALL_MEMBER_H: i32 = 48;
/// Height of a row of a table.
const SINK_ROW: i32 = 24;

/// The places of one arrangement.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The whole.
    pub width: i32,
    /// The whole.
    pub height: i32,
    /// Producers.
    pub producers: Vec<Rect>,
    /// The hash of each producer.
    pub hashes: Vec<Rect>,
    /// Topics.
    pub topics: Vec<Rect>,
    /// The tape of each partition.
    pub tapes: Vec<Rect>,
    /// The name of each partition.
    pub labels: Vec<Point>,
    /// How many tiles a tape has room for.
    pub slots: u32,
    /// Groups.
    pub groups: Vec<Rect>,
    /// Consumers.
    pub members: Vec<Rect>,
    /// Tables.
    pub sinks: Vec<Rect>,
    /// The rows of each table, in order.
    pub rows: Vec<Vec<Rect>>,
    /// True if members are small, with two lines of words.
    pub small: bool,
    shape: Shape,
}

impl Layout {
    /// The places for a world in an arrangement.
    pub fn new(run: &Simulation, shape: Shape) -> Self {
        match shape {
            Shape::Wide => wide(run),
            Shape::Narrow => narrow(run),
        }
    }

    /// The upper left corner of the tile in a slot of a tape.
    pub fn slot(&self, tape: usize, slot: i32) -> Point {
        let rect = self.tapes[tape];
        Point { x: rect.x + 10 + slot * PITCH, y: rect.y + 6 }
    }

    /// The right end of where something may hang.
    pub fn tape_end(&self, tape: usize) -> i32 {
        self.tapes[tape].x + self.tapes[tape].w
    }

    fn member_h(&self) -> i32 {
        if self.small { SMALL_MEMBER_H } else { MEMBER_H }
    }

    /// The arrangement.
    pub fn shape(&self) -> Shape {
        self.shape
    }
}

fn empty(shape: Shape) -> Layout {
    Layout {
        width: 0,
        height: 0,
        producers: Vec::new(),
        hashes: Vec::new(),
        topics: Vec::new(),
        tapes: Vec::new(),
        labels: Vec::new(),
        slots: 0,
        groups: Vec::new(),
        members: Vec::new(),
        sinks: Vec::new(),
        rows: Vec::new(),
        small: false,
        shape,
    }
}

/// Width of a group, where it stands beside its topics.
const GROUP_W: i32 = 148;
/// From the top of a group to its first member, with the room under the last.
const GROUP_HEAD: i32 = 52;
/// Between frames that stand one below the other.
const GAP: i32 = 16;
/// More members than this are drawn small where they do not find room otherwise.
const MOST_LARGE: i32 = 8;
/// The same where there are three in a row.
const MOST_LARGE_NARROW: i32 = 24;
/// A producer with its hash.
const PRODUCER_H: i32 = 166;
/// Of a tall frame only a part is in sight: what belongs to it stays beside the upper one.
const IN_SIGHT: i32 = 466;

fn wide(run: &Simulation) -> Layout {
    let setup = run.setup();
    const TOPIC_X: i32 = 152;
    const SLOTS: i32 = 8;
    const TAPE_W: i32 = SLOTS * PITCH + 16;
    /// Room for a partition's name and lag.
    const LABEL_W: i32 = 52;
    const TOPIC_W: i32 = LABEL_W + TAPE_W + 16;
    let mut layout = Layout { slots: SLOTS as u32, ..empty(Shape::Wide) };
    let row = if run.topics().partition_count() <= 3 { ROOMY_ROW } else { CLOSE_ROW };
    let mut y = 12;
    for topic in (0..setup.topics.len()).map(TopicId::at) {
        let count = run.topics().partitions_of(topic).len() as i32;
        let h = 56 + count * row;
        layout.topics.push(Rect { x: TOPIC_X, y, w: TOPIC_W, h });
        for number in 0..count {
            let tape = Rect { x: TOPIC_X + LABEL_W, y: y + 60 + number * row, w: TAPE_W, h: 52 };
            layout.tapes.push(tape);
            layout.labels.push(Point { x: TOPIC_X + 12, y: tape.y + 26 });
        }
        y += h + GAP;
    }
    let height = (y - GAP).max(372);

    let group_x = wide_groups(run, &mut layout, TOPIC_X + TOPIC_W, height, row);
    wide_sinks(run, &mut layout, group_x + GROUP_W + 24, height);
    wide_producers(run, &mut layout, height);
    layout.width = match layout.sinks.first() {
        Some(sink) => sink.x + sink.w + 6,
        None => group_x + GROUP_W + 6,
    };
    let frames = layout.groups.iter().chain(&layout.sinks).chain(&layout.hashes);
    layout.height = frames.map(|frame| frame.y + frame.h).fold(height, i32::max) + 8;
    order_boxes(run, &mut layout);
    layout
}

/// Each group beside the topics that it reads. Gives where they stand.
fn wide_groups(run: &Simulation, layout: &mut Layout, topics_end: i32, height: i32, row: i32) -> i32 {
    let groups = run.setup().groups.len();
    // The ribbons of each group need a lane of their own.
    let x = topics_end + 44 + 10 * (groups as i32 - 1).clamp(0, 6);
    let count = run.consumers().len() as i32;
    let room = height - 12 - groups as i32 * (GROUP_HEAD + GAP) + GAP;
    layout.small = count > MOST_LARGE && count * (MEMBER_H + 8) > room;
    let member_h = layout.member_h();
    let pitch = (room / count.max(1)).clamp(member_h + 8, row.max(member_h + 8));
    let mut boxes = Vec::new();
    for group in (0..groups).map(GroupId::at) {
        let mut h = GROUP_HEAD + run.consumers_of(group).count() as i32 * pitch;
        if groups == 1 {
            h = h.max(height - 12);
        }
        let mut middle = Mean::default();
        for topic in run.topics_of(group) {
            middle.add(layout.topics[topic.index()]);
        }
        boxes.push((h, middle));
    }
    for (index, y) in stack(&boxes, GAP, height).into_iter().enumerate() {
        layout.groups.push(Rect { x, y, w: GROUP_W, h: boxes[index].0 });
        let mut y = y + 48;
        for _ in run.consumers_of(GroupId::at(index)) {
            layout.members.push(Rect { x: x + 10, y, w: GROUP_W - 20, h: member_h });
            y += pitch;
        }
    }
    x
}

/// Each table beside the groups that write to it.
fn wide_sinks(run: &Simulation, layout: &mut Layout, x: i32, height: i32) {
    let setup = run.setup();
    let count = setup.sinks.len() as i32;
    let h = ((height - 12 + GAP) / count.max(1) - GAP).clamp(74 + 3 * SINK_ROW, 74 + 40 * SINK_ROW);
    let mut boxes = vec![(h, Mean::default()); setup.sinks.len()];
    for group in (0..setup.groups.len()).map(GroupId::at) {
        for sink in run.sinks_of(group) {
            boxes[sink.index()].1.add(layout.groups[group.index()]);
        }
    }
    for y in stack(&boxes, GAP, height) {
        layout.sinks.push(Rect { x, y, w: 152, h });
        let row = |number: i32| Rect { x: x + 8, y: y + 62 + number * SINK_ROW, w: 136, h: SINK_ROW - 3 };
        layout.rows.push((0..(h - 74) / SINK_ROW).map(row).collect());
    }
}

/// Each producer beside its topic; those of one topic share its height.
fn wide_producers(run: &Simulation, layout: &mut Layout, height: i32) {
    let producers = &run.setup().producers;
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
        boxes.push((PRODUCER_H, Mean { sum: middle, count: 1 }));
    }
    for y in stack(&boxes, 4, height) {
        layout.producers.push(Rect { x: 6, y, w: 116, h: 96 });
        layout.hashes.push(Rect { x: 2, y: y + 116, w: 142, h: 42 });
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

/// Stacks boxes, each with its height, from the top of the drawing, and each with its middle as near to its wish as the
/// others let it; as long as they fit, none ends below `bottom`. Gives the top of each.
fn stack(boxes: &[(i32, Mean)], gap: i32, bottom: i32) -> Vec<i32> {
    let mut rest: i32 = boxes.iter().map(|(height, _)| height + gap).sum::<i32>() - gap;
    let mut top = 12;
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

fn narrow(run: &Simulation) -> Layout {
    let setup = run.setup();
    const WIDTH: i32 = 360;
    const SLOTS: i32 = 6;
    let small = run.consumers().len() as i32 > MOST_LARGE_NARROW;
    let mut layout = Layout { slots: SLOTS as u32, width: WIDTH, small, ..empty(Shape::Narrow) };
    let mut y = 4;
    for _ in &setup.producers {
        layout.producers.push(Rect { x: 4, y, w: 176, h: 58 });
        layout.hashes.push(Rect { x: 190, y: y + 8, w: 166, h: 42 });
        y += 66;
    }
    for topic in (0..setup.topics.len()).map(TopicId::at) {
        let count = run.topics().partitions_of(topic).len() as i32;
        let h = 46 + count * 104;
        layout.topics.push(Rect { x: 4, y, w: 352, h });
        for number in 0..count {
            let tape = Rect { x: 48, y: y + 46 + number * 104, w: SLOTS * PITCH + 16, h: 52 };
            layout.tapes.push(tape);
            layout.labels.push(Point { x: 9, y: tape.y + 26 });
        }
        y += h + 26;
    }
    let member_h = layout.member_h();
    for group in (0..setup.groups.len()).map(GroupId::at) {
        let members = run.consumers_of(group).count() as i32;
        let rows = (members + 2) / 3;
        let h = 34 + rows * (member_h + 10);
        layout.groups.push(Rect { x: 4, y, w: 352, h });
        for number in 0..members {
            let (column, row) = (number % 3, number / 3);
            let y = y + 30 + row * (member_h + 10);
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
    order_boxes(run, &mut layout);
    layout
}

/// Members were laid group after group and are looked up by consumer; tapes were laid topic after topic and are looked up
/// by partition.
fn order_boxes(run: &Simulation, layout: &mut Layout) {
    let groups = (0..run.setup().groups.len()).map(GroupId::at);
    let consumers: Vec<usize> = groups.flat_map(|group| run.consumers_of(group)).map(|of| of.id.index()).collect();
    let topics = (0..run.setup().topics.len()).map(TopicId::at);
    let partitions: Vec<usize> =
        topics.flat_map(|topic| run.topics().partitions_of(topic)).map(|partition| partition.index()).collect();
    layout.members = in_order(&layout.members, &consumers);
    layout.tapes = in_order(&layout.tapes, &partitions);
    layout.labels = in_order(&layout.labels, &partitions);
}

/// What was laid, with the place of each thing given by `places`.
fn in_order<T: Copy + Default>(laid: &[T], places: &[usize]) -> Vec<T> {
    let mut ordered = vec![T::default(); laid.len()];
    for (&thing, &place) in laid.iter().zip(places) {
        ordered[place] = thing;
    }
    ordered
}
