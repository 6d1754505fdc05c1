//! What the application around a consumer does: handling, commits; and where it begins to read.

use super::clients::Client;
use super::duration;
use super::fields::*;
use super::mistake::{Problem, Side};
use super::names::Names;
use super::reader::{Fields, Place, Reader, strings};
use super::since;
use super::vocabulary::Vocabulary;
use crate::sim::setup::{CommitHow, CommitPolicy, CommitWhen, Handling, OffsetReset, bounds};
use crate::sim::time::Span;
use crate::sim::{HandlingOf, Offset, TopicPartition};

pub(super) const LONGEST_HANDLING: Span = Span::from_secs(24 * 60 * 60);

/// The most records, keys and partitions with a time of their own.
pub(super) const MOST_TIMES: u32 = 1_000;

/// The fields that say which records something is for.
pub(super) const HANDLING_OF: [&str; 3] = ["key", "partition", "record"];

/// What `auto.offset.reset` begins with if a length of time follows.
pub(crate) const BY_DURATION: &str = "by_duration:";

/// `fields` are those of a handling at `place`. With auto commit on, nothing has to be said of commits.
pub(super) fn read_handling<'t>(
    r: &mut Reader<'t>,
    (place, fields): (&Place<'t>, &Fields<'t>),
    (names, vocabulary): (&Names<'t>, &mut Vocabulary),
    auto_commit: bool,
) -> Option<Handling> {
    let time = r.duration(fields.get("time"), Span::from_micros(1)..=LONGEST_HANDLING);
    let times = r.list(fields.get("times"), 0, MOST_TIMES).into_iter().map(|place| {
        let fields = r.object(Some(place.clone()), &HANDLING_TIME)?;
        let time = r.duration(fields.get("time"), Span::ZERO..=LONGEST_HANDLING);
        r.exactly_one(&place, &fields, &HANDLING_OF).then(|| read_of(r, &fields, names, vocabulary))?.zip(time)
    });
    let times: Vec<Option<(HandlingOf, Span)>> = times.collect();
    let commit = match fields.get("commit") {
        None if auto_commit => Some(CommitPolicy { when: CommitWhen::Never, ..CommitPolicy::after_records(1) }),
        None => {
            r.required(place, fields, "commit");
            None
        }
        place => read_commit(r, place),
    };
    let writes_to = match fields.get("writes_to") {
        None => Some(None),
        place => names.sink(r, place).map(Some),
    };
    let mut handling = Handling { time: time?, times: Vec::new(), commit: commit?, writes_to: writes_to? };
    for (of, time) in times.into_iter().collect::<Option<Vec<_>>>()? {
        handling.set_time(of, time);
    }
    Some(handling)
}

/// Which records something is for: those of the one of [`HANDLING_OF`] that is there.
pub(super) fn read_of<'t>(
    r: &mut Reader<'t>,
    fields: &Fields<'t>,
    names: &Names<'t>,
    vocabulary: &mut Vocabulary,
) -> Option<HandlingOf> {
    let key = r.string(fields.get("key")).map(|key| HandlingOf::Key(vocabulary.key(key)));
    let partition = names.partition(r, fields.get("partition")).map(HandlingOf::Partition);
    let record = fields.get("record").and_then(|place| {
        let (partition, offset) = read_record_place(r, Some(place), names)?;
        Some(HandlingOf::Record(partition, offset))
    });
    key.or(partition).or(record)
}

/// A record, by its place.
pub(super) fn read_record_place<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    names: &Names<'t>,
) -> Option<(TopicPartition, Offset)> {
    let fields = r.object(place, &RECORD_PLACE)?;
    let partition = names.partition(r, fields.get("partition"));
    partition.zip(r.count(fields.get("offset"), 0..=bounds::RECORDS))
}

pub(super) fn read_commit<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<CommitPolicy> {
    let place = place?;
    let fields = r.object(Some(place.clone()), &COMMIT)?;
    let has_one = r.exactly_one(&place, &fields, &["when", "after_records"]);
    let whens = [
        ("never", CommitWhen::Never),
        ("before_batch", CommitWhen::BeforeBatch),
        ("after_batch", CommitWhen::AfterBatch),
    ];
    let when = match fields.get("after_records") {
        None => r.word(fields.get("when"), &whens, |_| false),
        place => r.count(place, 1..=bounds::RECORDS).map(CommitWhen::AfterRecords),
    };
    let hows = [("sync", CommitHow::Sync), ("async", CommitHow::Async)];
    let how = r.or(fields.get("how"), CommitHow::Sync, |r, place| r.word(place, &hows, |_| false));
    let on_revoke = r.or(fields.get("on_revoke"), false, Reader::boolean);
    let on_close = r.or(fields.get("on_close"), false, Reader::boolean);
    Some(CommitPolicy { when: when.filter(|_| has_one)?, how: how?, on_revoke: on_revoke?, on_close: on_close? })
}

/// `auto.offset.reset`, as the client's version understands it.
pub(super) fn read_auto_offset_reset<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    client: Option<Client>,
) -> Option<OffsetReset> {
    let place = place?;
    let found = r.string(Some(place.clone()))?;
    if let Some(span) = found.strip_prefix(BY_DURATION).and_then(duration::parse_iso) {
        if let Some(client) = client {
            since::check(r, &place, since::BY_DURATION, Side::Client, client.version);
        }
        return Some(OffsetReset::ByDuration(span));
    }
    let words = [("earliest", OffsetReset::Earliest), ("latest", OffsetReset::Latest), ("none", OffsetReset::None)];
    if let Some(&(_, reset)) = words.iter().find(|&&(word, _)| word == found) {
        return Some(reset);
    }
    let suggestion = r.nearest(found, words.iter().map(|&(word, _)| word));
    let mut allowed = strings(&["earliest", "latest", "none"]);
    allowed.push(format!("{BY_DURATION}PT1H30M"));
    r.report(&place, Problem::NotOneOf { found: found.to_owned(), allowed, suggestion });
    None
}
