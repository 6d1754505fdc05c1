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
        shape,
    }
}

fn wide(run: &Simulation) -> Layout {
    let setup = run.setup();
    const TOPIC_X: i32 = 152;
    const SLOTS: i32 = 8;
    const TAPE_W: i32 = SLOTS * PITCH + 16;
    /// Room for a partition's name and lag.
    const LABEL_W: i32 = 52;
    let mut layout = Layout { slots: SLOTS as u32, ..empty(Shape::Wide) };
    let topic_w = LABEL_W + TAPE_W + 16;
    let row = if run.topics().partition_count() <= 3 { ROOMY_ROW } else { CLOSE_ROW };
    let mut y = 12;
    for topic in (0..setup.topics.len()).map(TopicId::at) {
        let count = run.topics().partitions_of(topic).len() as i32;
        let h = 56 + count * row;
        layout.topics.push(Rect { x: TOPIC_X, y, w: topic_w, h });
        for number in 0..count {
            let tape = Rect { x: TOPIC_X + LABEL_W, y: y + 60 + number * row, w: TAPE_W, h: 52 };
            layout.tapes.push(tape);
            layout.labels.push(Point { x: TOPIC_X + 12, y: tape.y + 26 });
        }
        y += h + 16;
    }
    let producer_pitch = 170;
    let height = (y - 16).max(372).max(12 + producer_pitch * setup.producers.len() as i32);
    let group_x = TOPIC_X + topic_w + 44;
    let group_w = 148;
    let mut group_y = 12;
    for group in (0..setup.groups.len()).map(GroupId::at) {
        let members = run.consumers_of(group).count() as i32;
        let only = setup.groups.len() == 1;
        let pitch =
            if only && members > 0 { ((height - 64) / members).clamp(MEMBER_H + 8, row) } else { MEMBER_H + 10 };
        let h = if only { (52 + members * pitch).max(height - 12) } else { 52 + members * pitch };
        layout.groups.push(Rect { x: group_x, y: group_y, w: group_w, h });
        for number in 0..members {
            layout.members.push(Rect {
                x: group_x + 10,
                y: group_y + 48 + number * pitch,
                w: group_w - 20,
                h: MEMBER_H,
            });
        }
        group_y += h + 16;
    }
    let sink_x = group_x + group_w + 24;
    let mut sink_y = 12;
    let sinks = setup.sinks.len().max(1) as i32;
    for _ in &setup.sinks {
        let h = (height - 12 - (sinks - 1) * 16) / sinks;
        layout.sinks.push(Rect { x: sink_x, y: sink_y, w: 152, h });
        let count = (h - 74) / SINK_ROW;
        let row = |number: i32| Rect { x: sink_x + 8, y: sink_y + 62 + number * SINK_ROW, w: 136, h: SINK_ROW - 3 };
        layout.rows.push((0..count).map(row).collect());
        sink_y += h + 16;
    }
    let producers = setup.producers.len().max(1) as i32;
    // Of a tall stage only a part is in sight: they stay in the upper one.
    let reach = height.min(478.max(200 * producers));
    for number in 0..setup.producers.len() as i32 {
        let middle = 12 + (reach - 12) * (2 * number + 1) / (2 * producers);
        layout.producers.push(Rect { x: 6, y: middle - 92, w: 116, h: 96 });
        layout.hashes.push(Rect { x: 2, y: middle + 24, w: 142, h: 42 });
    }
    layout.width = if setup.sinks.is_empty() { group_x + group_w + 6 } else { sink_x + 158 };
    layout.height = height.max(group_y - 16).max(sink_y - 16) + 8;
    order_boxes(run, &mut layout);
    layout
}

fn narrow(run: &Simulation) -> Layout {
    let setup = run.setup();
    const WIDTH: i32 = 360;
    const SLOTS: i32 = 6;
    let mut layout = Layout { slots: SLOTS as u32, width: WIDTH, ..empty(Shape::Narrow) };
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
    for group in (0..setup.groups.len()).map(GroupId::at) {
        let members = run.consumers_of(group).count() as i32;
        let rows = (members + 2) / 3;
        let h = 34 + rows * (MEMBER_H + 10);
        layout.groups.push(Rect { x: 4, y, w: 352, h });
        for number in 0..members {
            layout.members.push(Rect {
                x: 12 + (number % 3) * 115,
                y: y + 30 + (number / 3) * (MEMBER_H + 10),
                w: 106,
                h: MEMBER_H,
            });
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
