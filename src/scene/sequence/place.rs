//! Where everything stands. Across, places are thousandths of the width, so that the drawing takes the room that it has; down,
//! they are pixels: each thing that has words has a row of its own, in the order in which things happen. Time is not to
//! scale: a longer time takes a little more room, a long one is a break.

use super::{Bar, BarKind, End, Item, Lifeline, Message, Moment, Sequence};
use crate::scene::pace::LONG_WAIT;
use crate::sim::{Event, Simulation, StepNo, Time};

/// The least room across of a client.
const CLIENT: i32 = 47;
/// The least room across of a broker, which has two lines of words.
const BROKER: i32 = 80;
/// The height of a row with words.
const ROW: i32 = 18;
/// The height of an arrival.
const ARRIVAL: i32 = 8;
/// The height of what has no words and no arrow.
const TICK: i32 = 3;
/// The height of a break.
const BREAK: i32 = 26;
/// From a lifeline to the words beside it.
const BESIDE: i32 = 9;
/// From words to the edge of the drawing.
const EDGE: i32 = 2;
/// From one time at the edge to the next.
const BETWEEN_TIMES: i32 = 14;

/// A place: thousandths of the width, and pixels down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Across.
    pub x: i32,
    /// Down.
    pub y: i32,
}

/// Words: from a place across, so many pixels beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where they begin, or end.
    pub at: Spot,
    /// So many pixels to the right of it.
    pub beside: i32,
    /// True if they end there.
    pub ends: bool,
}

/// A lifeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Whose.
    pub on: Lifeline,
    /// Where.
    pub x: i32,
}

/// What an arrow ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tip {
    /// It arrives.
    Arrives,
    /// It is on its way.
    OnItsWay,
    /// It is lost.
    Lost,
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Which of the items it is.
    pub item: usize,
    /// Where it begins.
    pub from: Spot,
    /// Where it ends.
    pub to: Spot,
    /// How it ends.
    pub tip: Tip,
    /// Its words, if there is a place for them.
    pub label: Option<Label>,
}

/// What is drawn where something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Something happens.
    Dot,
    /// A process ends without a word.
    Cross,
    /// A process begins.
    Begin,
    /// A process ends in order.
    End,
    /// Time is up.
    Clock,
    /// What goes on is over: its bar ends here, or begins.
    None,
}

/// Something that happens at a lifeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Which of the items it is.
    pub item: usize,
    /// Where.
    pub at: Spot,
    /// What is drawn there.
    pub sign: Sign,
    /// Its words.
    pub label: Label,
}

/// What goes on for a while at a lifeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// What.
    pub kind: BarKind,
    /// At whom.
    pub on: Lifeline,
    /// Where it begins.
    pub from: Spot,
    /// Down to here.
    pub until: i32,
    /// Which of several at once.
    pub place: i32,
}

/// A long time in which nothing is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Break {
    /// Its middle.
    pub y: i32,
    /// How long.
    pub span: crate::sim::Span,
}

/// The whole drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The least width, in pixels.
    pub least_width: i32,
    /// The height, in pixels.
    pub height: i32,
    /// The lifelines.
    pub lanes: Vec<Lane>,
    /// What goes on.
    pub stretches: Vec<Stretch>,
    /// The messages.
    pub arrows: Vec<Arrow>,
    /// What happens.
    pub marks: Vec<Mark>,
    /// Long times.
    pub breaks: Vec<Break>,
    /// Times at the edge.
    pub times: Vec<(i32, Time)>,
    /// The present.
    pub present: i32,
}

/// A row: what begins or ends there.
#[derive(Clone, Copy)]
struct Row {
    at: Moment,
    height: i32,
    /// The item whose words stand in it.
    says: Option<usize>,
}

/// Places everything. `widths` are those of the words of the items, in pixels.
#[inline(never)]
pub fn place(run: &Simulation, sequence: &Sequence, widths: &[i32]) -> Drawing {
    let (lanes, whole) = lanes(&sequence.lifelines);
    let widest = widths.iter().max().map_or(0, |width| width + 2 * BESIDE);
    let least_width = whole.max(widest);
    let rows = rows(sequence);
    let mut drawing = Drawing {
        least_width,
        height: 0,
        lanes,
        stretches: Vec::new(),
        arrows: Vec::new(),
        marks: Vec::new(),
        breaks: Vec::new(),
        times: Vec::new(),
        present: 0,
    };
    let places = drawing.lay_rows(&rows, sequence.now);
    let placer = Placer { rows: &rows, places: &places, widths, drawing };
    placer.place(run, sequence)
}

/// The lifelines side by side, and the room that they need.
fn lanes(lifelines: &[Lifeline]) -> (Vec<Lane>, i32) {
    let room = |on: &Lifeline| if matches!(on, Lifeline::Broker(_)) { BROKER } else { CLIENT };
    let whole: i32 = lifelines.iter().map(room).sum();
    let mut before = 0;
    let lanes = lifelines
        .iter()
        .map(|on| {
            let x = (before + room(on) / 2) * 1000 / whole.max(1);
            before += room(on);
            Lane { on: *on, x }
        })
        .collect();
    (lanes, whole)
}

/// The rows in order. Each item with words has one of its own.
fn rows(sequence: &Sequence) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut put = |row: Row| rows.insert(rows.partition_point(|other: &Row| other.at <= row.at), row);
    for (index, item) in sequence.items.iter().enumerate() {
        if let Some(at) = item.shows_at() {
            put(Row { at, height: ROW, says: Some(index) });
        }
        if let Item::Message(Message { from: Some(_), end, .. }) = item
            && let End::Arrived(at, _) | End::Dropped(at, _) | End::Unheard(at) = *end
        {
            put(Row { at, height: ARRIVAL, says: None });
        }
    }
    for at in sequence.bars.iter().flat_map(|bar| [bar.from, bar.until]).flatten() {
        let place = rows.partition_point(|row| row.at < at);
        if rows.get(place).is_none_or(|row| row.at != at) {
            rows.insert(place, Row { at, height: TICK, says: None });
        }
    }
    rows
}

/// The room that a time takes besides what happens at its end.
fn room_of(micros: u64) -> i32 {
    match micros {
        0..1_000 => 0,
        1_000..10_000 => 2,
        10_000..100_000 => 4,
        100_000..1_000_000 => 7,
        _ => 11,
    }
}

impl Drawing {
    /// The rows one below the other; returns where each one is.
    fn lay_rows(&mut self, rows: &[Row], now: Time) -> Vec<i32> {
        let mut y = 6;
        let mut before = rows.first().map(|row| row.at.at);
        let mut places = Vec::new();
        for row in rows {
            y = self.pass(y, before, row.at.at) + row.height;
            if before != Some(row.at.at) || places.is_empty() {
                self.note_time(y, row.at.at);
            }
            before = Some(row.at.at);
            places.push(y);
        }
        self.present = self.pass(y, before, now) + ROW;
        self.height = self.present + ROW + TICK;
        // The present has its time, too.
        let present = self.present;
        self.times.retain(|&(y, _)| y <= present - BETWEEN_TIMES + TICK);
        places
    }

    /// Time passes.
    fn pass(&mut self, y: i32, before: Option<Time>, at: Time) -> i32 {
        let Some(span) = before.map(|before| at.since(before)) else { return y };
        if span < LONG_WAIT {
            return y + room_of(span.as_micros());
        }
        self.breaks.push(Break { y: y + BREAK / 2 + 3, span });
        y + BREAK
    }

    fn note_time(&mut self, y: i32, at: Time) {
        if self.times.last().is_none_or(|&(last, _)| y >= last + BETWEEN_TIMES) {
            self.times.push((y, at));
        }
    }

    fn x(&self, on: Lifeline) -> i32 {
        self.lanes.iter().find(|lane| lane.on == on).map_or(0, |lane| lane.x)
    }
}

struct Placer<'a> {
    rows: &'a [Row],
    places: &'a [i32],
    widths: &'a [i32],
    drawing: Drawing,
}

impl Placer<'_> {
    fn place(mut self, run: &Simulation, sequence: &Sequence) -> Drawing {
        for (index, item) in sequence.items.iter().enumerate() {
            let y = self.row_of(index);
            match item {
                Item::Message(message) => self.arrow(index, message, y),
                Item::Happening { on, step, .. } => self.mark(index, *on, y.unwrap_or(0), sign_of(run, *step)),
                Item::Waiting { consumer, .. } => {
                    self.mark(index, Lifeline::Consumer(*consumer), y.unwrap_or(0), Sign::None);
                }
            }
        }
        for bar in &sequence.bars {
            self.stretch(bar);
        }
        self.drawing
    }

    fn row_of(&self, item: usize) -> Option<i32> {
        let place = self.rows.iter().position(|row| row.says == Some(item))?;
        self.places.get(place).copied()
    }

    fn y_of(&self, at: Moment) -> i32 {
        let place = self.rows.partition_point(|row| row.at < at);
        self.places.get(place).copied().unwrap_or(self.drawing.present)
    }

    fn arrow(&mut self, item: usize, message: &Message, row: Option<i32>) {
        let (sender, receiver) = (self.drawing.x(message.sender()), self.drawing.x(message.receiver()));
        let from = Spot { x: sender, y: message.from.and(row).unwrap_or(0) };
        let (to, tip) = match message.end {
            End::Arrived(at, _) => (Spot { x: receiver, y: self.end_of(message, at, row) }, Tip::Arrives),
            End::Unheard(at) => (Spot { x: receiver, y: self.end_of(message, at, row) }, Tip::Lost),
            End::Dropped(at, _) => {
                (Spot { x: i32::midpoint(sender, receiver), y: self.end_of(message, at, row) }, Tip::Lost)
            }
            End::OnItsWay { passed, .. } => {
                // Neither hidden at its sender nor as if it had arrived.
                let passed = passed.clamp(150, 850) as i32;
                let x = sender + (receiver - sender) * passed / 1000;
                (Spot { x, y: self.drawing.present - 4 }, Tip::OnItsWay)
            }
        };
        let label = match (message.from, row) {
            (Some(_), Some(y)) => Some(self.label(item, sender, y - 5, receiver > sender)),
            // Of what was sent before, the words stand where it arrives.
            (None, Some(y)) => Some(self.label(item, to.x, y - 5, sender > receiver)),
            (_, None) => None,
        };
        self.drawing.arrows.push(Arrow { item, from, to, tip, label });
    }

    /// Where a message ends: in a row of its own or, if its words stand there, in that.
    fn end_of(&self, message: &Message, at: Moment, row: Option<i32>) -> i32 {
        match message.from {
            Some(_) => {
                let place = self.rows.iter().position(|row| row.at == at && row.says.is_none());
                place.and_then(|place| self.places.get(place).copied()).unwrap_or_else(|| self.y_of(at))
            }
            None => row.unwrap_or(self.drawing.present),
        }
    }

    fn mark(&mut self, item: usize, on: Lifeline, y: i32, sign: Sign) {
        let x = self.drawing.x(on);
        let width = self.widths.get(item).copied().unwrap_or(0);
        let to_the_right = self.fits(width, x, true) || !self.fits(width, x, false);
        let label = self.label(item, x, y - 3, to_the_right);
        self.drawing.marks.push(Mark { item, at: Spot { x, y: y - 7 }, sign, label });
    }

    /// Words beside a lifeline, on the side that is wished; where they do not fit there, as near as they fit.
    fn label(&self, item: usize, x: i32, y: i32, to_the_right: bool) -> Label {
        let width = self.widths.get(item).copied().unwrap_or(0);
        if self.fits(width, x, to_the_right) {
            return Label {
                at: Spot { x, y },
                beside: if to_the_right { BESIDE } else { -BESIDE },
                ends: !to_the_right,
            };
        }
        // Rounded so that they stay inside.
        let room = ((width + EDGE) * 1000 + self.drawing.least_width - 1) / self.drawing.least_width;
        let x = if to_the_right { 1000 - room } else { room };
        Label { at: Spot { x, y }, beside: 0, ends: !to_the_right }
    }

    fn fits(&self, width: i32, x: i32, to_the_right: bool) -> bool {
        let room = if to_the_right { 1000 - x } else { x };
        room * self.drawing.least_width / 1000 >= width + BESIDE
    }

    fn stretch(&mut self, bar: &Bar) {
        let from = bar.from.map_or(0, |at| self.y_of(at) - if bar.kind == BarKind::Lives { 7 } else { 0 });
        let until = bar.until.map_or(self.drawing.present, |at| self.y_of(at) - 7);
        let x = self.drawing.x(bar.on);
        // Workers have several records in hand at once.
        let is_beside = |kind: BarKind| matches!((kind, bar.kind), (BarKind::Handling(_), BarKind::Handling(_)));
        let at_once = |other: &&Stretch| other.on == bar.on && is_beside(other.kind) && other.until > from;
        let place = self.drawing.stretches.iter().filter(at_once).map(|other| other.place + 1).max().unwrap_or(0);
        let until = until.max(from + 1);
        self.drawing.stretches.push(Stretch { kind: bar.kind, on: bar.on, from: Spot { x, y: from }, until, place });
    }
}

fn sign_of(run: &Simulation, step: StepNo) -> Sign {
    match run.step_at(step).map(|step| step.event) {
        Some(Event::ConsumerCrashed { .. } | Event::ProducerCrashed { .. } | Event::ConsumerFailed { .. }) => {
            Sign::Cross
        }
        Some(Event::ConsumerStarted { .. } | Event::ProducerStarted { .. }) => Sign::Begin,
        Some(Event::ConsumerClosed { .. } | Event::ProducerClosed { .. }) => Sign::End,
        Some(
            Event::SessionExpired { .. }
            | Event::RebalanceTimedOut { .. }
            | Event::RevocationTimedOut { .. }
            | Event::PollTimedOut { .. }
            | Event::RequestTimedOut { .. },
        ) => Sign::Clock,
        Some(Event::RecordProcessed { .. }) => Sign::None,
        _ => Sign::Dot,
    }
}
