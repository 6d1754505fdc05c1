//! Where things stand. The wide arrangement runs from left to right, the narrow one from top to bottom, the one in columns is
//! between the two.

mod narrow;
mod wide;

pub use wide::lines_of_members;

use super::density::Density;
use super::drawn::Drawn;
use super::geometry::{Point, Rect};
use super::stage::Shape;
use crate::sim::{GroupId, Simulation, TopicId};

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
    /// True if they have room for words about the batch that they fill.
    pub shows_batches: bool,
    /// The hash of each producer.
    pub hashes: Vec<Rect>,
    /// Topics.
    pub topics: Vec<Rect>,
    /// The tape of each partition. Those that are summed up share a line behind the others of their topic.
    pub tapes: Vec<Rect>,
    /// How closely tapes lie.
    pub density: Density,
    /// True if there is room for the offsets under a tape.
    pub shows_offsets: bool,
    /// How many tiles a tape has room for.
    pub slots: u32,
    /// Groups.
    pub groups: Vec<Rect>,
    /// Consumers. Those that are summed up share a box behind the others of their group.
    pub members: Vec<Rect>,
    /// How closely they stand.
    pub seats: Density,
    /// Tables.
    pub sinks: Vec<Rect>,
    /// The rows of each table, in order.
    pub rows: Vec<Vec<Rect>>,
    shape: Shape,
}

impl Layout {
    /// The places for a world in an arrangement.
    pub fn new(run: &Simulation, shape: Shape, drawn: &Drawn) -> Self {
        let mut layout = match shape {
            Shape::Wide => wide::wide(run, drawn),
            Shape::Narrow => narrow::narrow(run, drawn),
            Shape::Columns => narrow::columns(run, drawn),
        };
        order_boxes(run, &mut layout);
        layout
    }

    /// The upper left corner of the tile in a slot of a tape.
    pub fn slot(&self, tape: usize, slot: i32) -> Point {
        let (rect, tiles) = (self.tapes[tape], self.density.tiles());
        Point { x: rect.x + tiles.before + slot * tiles.pitch, y: rect.y + tiles.above }
    }

    /// Where the name of a partition stands.
    pub fn label(&self, tape: usize) -> Point {
        let (rect, name) = (self.tapes[tape], self.density.name());
        Point { x: rect.x + name.x, y: rect.y + name.y }
    }

    /// The right end of where something may hang.
    pub fn tape_end(&self, tape: usize) -> i32 {
        self.tapes[tape].x + self.tapes[tape].w
    }

    /// The arrangement.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    fn empty(shape: Shape) -> Layout {
        Layout {
            width: 0,
            height: 0,
            producers: Vec::new(),
            shows_batches: false,
            hashes: Vec::new(),
            topics: Vec::new(),
            tapes: Vec::new(),
            density: Density::Roomy,
            shows_offsets: true,
            slots: 0,
            groups: Vec::new(),
            members: Vec::new(),
            seats: Density::Roomy,
            sinks: Vec::new(),
            rows: Vec::new(),
            shape,
        }
    }

    /// The tapes of a topic, one below the other from `at` on.
    fn lay_tapes(&mut self, lines: &[i32], at: Point, row: i32) {
        let tiles = self.density.tiles();
        let (w, h) = (tiles.width(self.slots as i32), tiles.tape());
        self.tapes.extend(lines.iter().map(|line| Rect { x: at.x, y: at.y + line * row, w, h }));
    }
}

/// The line of each partition of a topic.
fn lines_of_topic(run: &Simulation, topic: TopicId, drawn: &Drawn) -> Vec<i32> {
    let partitions = run.topics().partitions_of(topic).iter();
    lines(partitions.map(|&partition| drawn.has_partition(partition)).collect())
}

/// The line of each member of a group.
fn lines_of_group(run: &Simulation, group: GroupId, drawn: &Drawn) -> Vec<i32> {
    lines(run.consumers_of(group).map(|consumer| drawn.has_member(consumer.id)).collect())
}

/// The line of each thing: its own, or for all that are not drawn the one behind those that are.
fn lines(are_drawn: Vec<bool>) -> Vec<i32> {
    let behind = are_drawn.iter().filter(|&&is_drawn| is_drawn).count() as i32;
    let mut own = 0..;
    are_drawn.into_iter().map(|is_drawn| if is_drawn { own.next().unwrap_or(behind) } else { behind }).collect()
}

/// How many lines there are.
fn count(lines: &[i32]) -> i32 {
    lines.iter().max().map_or(0, |last| last + 1)
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
}

/// What was laid, with the place of each thing given by `places`.
fn in_order<T: Copy + Default>(laid: &[T], places: &[usize]) -> Vec<T> {
    let mut ordered = vec![T::default(); laid.len()];
    for (&thing, &place) in laid.iter().zip(places) {
        ordered[place] = thing;
    }
    ordered
}
