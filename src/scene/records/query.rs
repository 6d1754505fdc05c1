//! Which records are wanted, and in which order. Nothing is kept from one moment to the next: to look at all of them is quick, and
//! only those that are shown are put in order.

use super::{Account, Fate, Line};
use crate::scene::names::key_letters;
use crate::sim::ledger::LostBy;
use crate::sim::{ConsumerId, KeyId, PartitionId, ProducerId, RecordId, Simulation, TopicPartition, order};
use std::rc::Rc;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Its tile; ordered by key, then by number.
    Record,
    /// Its key, as text.
    Key,
    /// Its value.
    Value,
    /// Its partition.
    Partition,
    /// Its offset.
    Offset,
    /// When it was sent.
    Sent,
    /// When it was appended.
    Appended,
    /// What has become of it, then how often it was processed.
    State,
    /// Who processed it last, or has it in hand.
    By,
    /// When the group first processed it.
    First,
    /// When it last did.
    Last,
    /// Whether a commit covers it.
    Committed,
    /// How many rows it has.
    Rows,
}

impl Column {
    /// All of them, as they stand.
    pub const ALL: [Column; 13] = [
        Column::Record,
        Column::Key,
        Column::Value,
        Column::Partition,
        Column::Offset,
        Column::Sent,
        Column::Appended,
        Column::State,
        Column::By,
        Column::First,
        Column::Last,
        Column::Committed,
        Column::Rows,
    ];

    /// True for what only a group has to say.
    pub const fn is_of_group(self) -> bool {
        matches!(self, Column::By | Column::First | Column::Last | Column::Committed | Column::Rows)
    }
}

/// Which way a table is ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// The least first.
    #[default]
    Ascending,
    /// The greatest first.
    Descending,
}

/// What has become of records that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Fate::Unsent`].
    Unsent,
    /// [`Fate::Unread`].
    Unread,
    /// [`Fate::Waiting`].
    Waiting,
    /// [`Fate::InHand`].
    InHand,
    /// Processed, however often.
    Processed,
    /// Processed, and no commit covers it: it would be processed again.
    Uncommitted,
    /// Processed more than once.
    Repeated,
    /// [`Fate::SetAside`].
    SetAside,
    /// [`Fate::Before`].
    Before,
    /// Lost to the group.
    Lost,
}

impl Kind {
    /// All of them, in the order of a record's life.
    pub const ALL: [Kind; 10] = [
        Kind::Unsent,
        Kind::Unread,
        Kind::Waiting,
        Kind::InHand,
        Kind::Processed,
        Kind::Uncommitted,
        Kind::Repeated,
        Kind::SetAside,
        Kind::Before,
        Kind::Lost,
    ];

    fn fits(self, account: &Account, record: RecordId) -> bool {
        let times = || account.last(record).0;
        match self {
            Kind::Processed => times() > 0,
            Kind::Repeated => times() > 1,
            Kind::Uncommitted => times() > 0 && !account.is_committed(record),
            Kind::Unsent => account.fate(record) == Fate::Unsent,
            Kind::Unread => account.fate(record) == Fate::Unread,
            Kind::Waiting => account.fate(record) == Fate::Waiting,
            Kind::InHand => matches!(account.fate(record), Fate::InHand(_)),
            Kind::SetAside => account.fate(record) == Fate::SetAside,
            Kind::Before => account.fate(record) == Fate::Before,
            Kind::Lost => account.lost(record).is_some(),
        }
    }
}

/// Whose records are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Those of a partition.
    Partition(PartitionId),
    /// Those that a producer has sent.
    Producer(ProducerId),
    /// Those that a member has processed or has in hand.
    Member(ConsumerId),
}

impl Of {
    fn fits(self, account: &Account, record: RecordId) -> bool {
        let found = account.run.record(record);
        match self {
            Of::Partition(partition) => found.partition == partition,
            Of::Producer(producer) => found.producer == producer,
            Of::Member(member) => {
                account.holder(record) == Some(member)
                    || match account.last(record) {
                        (0 | 1, last) => last.is_some_and(|last| last.by == member),
                        _ => account.processings(record).any(|processing| processing.by == member),
                    }
            }
        }
    }
}

/// What is wanted of the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// What the key or the value holds, or what the name begins with; nothing for all.
    pub text: Rc<str>,
    /// What has become of them.
    pub kind: Option<Kind>,
    /// Whose they are.
    pub of: Option<Of>,
    /// By what they are ordered; what is equal there is in the order of sending, either way.
    pub by: (Column, Direction),
}

impl Default for Query {
    fn default() -> Self {
        Query { text: "".into(), kind: None, of: None, by: (Column::Sent, Direction::Ascending) }
    }
}

impl Query {
    /// True if it leaves out some records.
    pub fn is_narrow(&self) -> bool {
        !self.text.trim().is_empty() || self.kind.is_some() || self.of.is_some()
    }
}

/// The records that are wanted, each with what it is ordered by.
pub struct Found(Vec<(u64, RecordId)>);

impl Found {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The place of a record among them, from 0.
    pub fn place_of(&self, record: RecordId) -> Option<usize> {
        let &wanted = self.0.iter().find(|&&(_, found)| found == record)?;
        Some(self.0.iter().filter(|&&found| found < wanted).count())
    }

    /// Some of them in order, by their places. The others only change places: a table of 100,000 is not put in order for the
    /// few that are seen.
    pub fn part(&mut self, from: usize, to: usize) -> impl Iterator<Item = RecordId> {
        let to = to.min(self.0.len());
        let from = from.min(to);
        if from > 0 {
            self.0.select_nth_unstable(from - 1);
        }
        if to < self.0.len() && from < to {
            self.0[from..].select_nth_unstable(to - from);
        }
        let part = &mut self.0[from..to];
        part.sort_unstable();
        part.iter().map(|&(_, record)| record)
    }
}

/// The records that are wanted.
#[inline(never)]
pub fn find(account: &Account, query: &Query) -> Found {
    let run = account.run;
    let text = Text::new(run, &query.text);
    let rank = Rank::new(account, query.by.0);
    let is_wanted = |record: &RecordId| {
        query.of.is_none_or(|of| of.fits(account, *record))
            && query.kind.is_none_or(|kind| kind.fits(account, *record))
            && text.as_ref().is_none_or(|text| text.fits(run, *record))
    };
    let ranked = |record: RecordId| {
        let number = match (rank.of(account, record), query.by.1) {
            // What has nothing in a column stands behind what has, either way.
            (None, _) => u64::MAX,
            (Some(number), Direction::Ascending) => number,
            (Some(number), Direction::Descending) => u64::MAX - 1 - number,
        };
        (number, record)
    };
    Found((0..run.records()).map(RecordId).filter(is_wanted).map(ranked).collect())
}

impl Account<'_> {
    fn holder(&self, record: RecordId) -> Option<ConsumerId> {
        match self.fate(record) {
            Fate::InHand(member) => Some(member),
            _ => None,
        }
    }
}

impl Line {
    /// Who has it in hand or, if nobody, processed it last.
    pub fn by(&self) -> Option<ConsumerId> {
        match self.fate {
            Fate::InHand(member) => Some(member),
            _ => self.last.map(|last| last.by),
        }
    }
}

/// A text that is looked for, in what many records share.
struct Text {
    /// For each key whether it holds the text.
    keys: Vec<bool>,
    /// For each value.
    values: Vec<bool>,
    /// A name, or how one begins, if the text can be that.
    name: Option<Name>,
}

/// How a name begins: the letters of a key and a number, or letters alone.
struct Name {
    /// For each key whether its letters fit.
    keys: Vec<bool>,
    /// Whether what has no key fits.
    has_no_key: bool,
    /// How the number begins.
    number: Option<u32>,
}

impl Text {
    fn new(run: &Simulation, text: &str) -> Option<Self> {
        let wanted = text.trim().to_lowercase();
        let holds = |text: &str| text.to_lowercase().contains(&wanted);
        (!wanted.is_empty()).then(|| Text {
            keys: run.setup().keys.iter().map(|key| holds(&key.text)).collect(),
            values: run.setup().values.iter().map(|value| holds(value)).collect(),
            name: Name::new(run, &wanted.to_uppercase()),
        })
    }

    fn fits(&self, run: &Simulation, record: RecordId) -> bool {
        let found = run.record(record);
        let is_in_key = found.key.is_some_and(|key| self.keys[key.index()]);
        is_in_key
            || self.values[found.value.index()]
            || self.name.as_ref().is_some_and(|name| name.fits(found.key, found.number_of_key))
    }
}

impl Name {
    fn new(run: &Simulation, text: &str) -> Option<Self> {
        let digits = text.trim_start_matches(|letter: char| letter == '#' || letter.is_ascii_uppercase());
        let letters = &text[..text.len() - digits.len()];
        let number = if digits.is_empty() { None } else { Some(digits.parse().ok()?) };
        let fits = |key: usize| {
            let found = key_letters(KeyId::at(key));
            if number.is_some() { found == letters } else { found.starts_with(letters) }
        };
        (!letters.is_empty()).then(|| Name {
            keys: (0..run.setup().keys.len()).map(fits).collect(),
            has_no_key: letters == "#",
            number,
        })
    }

    fn fits(&self, key: Option<KeyId>, number: u32) -> bool {
        let begins_with = |start: u32| {
            let mut number = number;
            while number > start {
                number /= 10;
            }
            number == start
        };
        key.map_or(self.has_no_key, |key| self.keys[key.index()]) && self.number.is_none_or(begins_with)
    }
}

/// What records are ordered by, as numbers.
struct Rank {
    column: Column,
    /// For each key or value its place among all, if the column is ordered by a text.
    places: Vec<u64>,
}

impl Rank {
    fn new(account: &Account, column: Column) -> Self {
        let setup = account.run.setup();
        let places = match column {
            Column::Key => places(setup.keys.iter().map(|key| &*key.text)),
            Column::Value => places(setup.values.iter().map(|value| &**value)),
            _ => Vec::new(),
        };
        Rank { column, places }
    }

    fn of(&self, account: &Account, record: RecordId) -> Option<u64> {
        let run = account.run;
        let found = run.record(record);
        match self.column {
            Column::Record => Some(order::pair(found.key.map_or(u32::MAX - 1, |key| key.0), found.number_of_key)),
            Column::Key => found.key.map(|key| self.places[key.index()]),
            Column::Value => Some(self.places[found.value.index()]),
            Column::Partition => {
                let TopicPartition { topic, number } = run.place(found.partition);
                Some(order::pair(u32::from(topic.0), u32::from(number)))
            }
            Column::Offset => run.offset_of(record).map(u64::from),
            Column::Sent => Some(u64::from(record.0)),
            Column::Appended => account.appended(record).map(|step| u64::from(step.0)),
            Column::State => Some(order::pair(place(account.fate(record)), u32::from(account.last(record).0))),
            Column::By => {
                let by = account.holder(record).or_else(|| account.last(record).1.map(|last| last.by));
                by.map(|by| u64::from(by.0))
            }
            Column::First => account.processings(record).last().map(|first| u64::from(first.step.0)),
            Column::Last => account.last(record).1.map(|last| u64::from(last.step.0)),
            Column::Committed => Some(u64::from(account.is_committed(record))),
            Column::Rows => Some(u64::from(account.rows(record))),
        }
    }
}

/// The place of each text among all, byte by byte; equal texts have equal places.
fn places<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<u64> {
    let mut in_order: Vec<(usize, &str)> = texts.enumerate().collect();
    let mut places = vec![0; in_order.len()];
    order::by_text(&mut in_order, |&(_, text)| text);
    let mut place = 0;
    for (before, pair) in in_order.iter().enumerate() {
        place += u64::from(before > 0 && in_order[before - 1].1 != pair.1);
        places[pair.0] = place;
    }
    places
}

/// Fates in the order of a record's life.
const fn place(fate: Fate) -> u32 {
    match fate {
        Fate::Unsent => 0,
        Fate::Unread => 1,
        Fate::Waiting => 2,
        Fate::InHand(_) => 3,
        Fate::Processed => 4,
        Fate::SetAside => 5,
        Fate::Before => 6,
        Fate::Lost(LostBy::Commit) => 7,
        Fate::Lost(LostBy::Reset) => 8,
        Fate::Lost(LostBy::Error) => 9,
        Fate::Lost(LostBy::NeverSent) => 10,
    }
}
