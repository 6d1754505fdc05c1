//! What the application around a consumer does: handling, commits; and where it begins to read.

use super::clients::Client;
use super::duration;
use super::fields::*;
use super::mistake::{Contradiction, NoEffect, Problem, Side};
use super::names::Names;
use super::reader::{Fields, Place, Reader, strings};
use super::since;
use super::vocabulary::Vocabulary;
use crate::sim::failing::{Counts, Failing, GivesUp, OnError, Retry};
use crate::sim::setup::{
    CommitHow, CommitOffset, CommitPolicy, CommitWhen, Handling, Holds, OffsetReset, OffsetStore, Pool, Revoked, Seeks,
    StoreWhen, bounds,
};
use crate::sim::time::{Span, Time};
use crate::sim::{HandlingOf, Offset, TopicPartition};

pub(super) const LONGEST_HANDLING: Span = Span::from_secs(24 * 60 * 60);

/// The most records, keys and partitions with a time of their own.
pub(super) const MOST_TIMES: u32 = 1_000;

/// The fields that say which records something is for.
pub(super) const HANDLING_OF: [&str; 3] = ["key", "partition", "record"];

/// The most workers of a pool.
pub(super) const MOST_WORKERS: u32 = 64;

/// The most tries of a record that has a last one.
pub(super) const MOST_TRIES: u32 = 1_000_000;

/// What `auto.offset.reset` begins with if a length of time follows.
pub(crate) const BY_DURATION: &str = "by_duration:";

/// `fields` are those of a handling at `place`. With auto commit on, nothing has to be said of commits.
pub(super) fn read_handling<'t>(
    r: &mut Reader<'t>,
    (place, fields): (&Place<'t>, &Fields<'t>),
    (names, vocabulary): (&Names<'t>, &mut Vocabulary),
    (auto_commit, runs_the_handler): (bool, bool),
) -> Option<Handling> {
    let time = r.duration(fields.get("time"), Span::from_micros(1)..=LONGEST_HANDLING);
    let times = r.list(fields.get("times"), 0, MOST_TIMES).into_iter().map(|place| {
        let fields = r.object(Some(place.clone()), &HANDLING_TIME)?;
        let time = r.duration(fields.get("time"), Span::ZERO..=LONGEST_HANDLING);
        r.exactly_one(&place, &fields, &HANDLING_OF).then(|| read_of(r, &fields, names, vocabulary))?.zip(time)
    });
    let times: Vec<Option<(HandlingOf, Span)>> = times.collect();
    let fails =
        r.list(fields.get("fails"), 0, MOST_TIMES).into_iter().map(|place| read_failing(r, &place, names, vocabulary));
    let fails: Vec<Option<Failing>> = fails.collect();
    let on_error = {
        let default = if runs_the_handler { OnError::KAFKAJS } else { OnError::STOP };
        r.or(fields.get("on_error"), default, |r, place| read_on_error(r, place, names, runs_the_handler))
    };
    let pool = r.or(fields.get("pool"), None, |r, place| read_pool(r, place).map(Some));
    let offset_store = r.or(fields.get("offset_store"), None, |r, place| read_offset_store(r, place).map(Some));
    let is_with_row = matches!(offset_store, Some(Some(OffsetStore { when: StoreWhen::WithRow, .. })));
    let commit = match fields.get("commit") {
        None if auto_commit || is_with_row || offset_store.is_none() => {
            Some(CommitPolicy { when: CommitWhen::Never, ..CommitPolicy::after_records(1) })
        }
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
    if let (Some(Some(_)), Some(what)) = (pool, on_error.and_then(needs_the_loop)) {
        r.report(&fields.get("on_error")?, Problem::Contradiction(Contradiction::OnErrorInPool { what }));
        return None;
    }
    if let (Some(Some(_)), Some(CommitPolicy { when: CommitWhen::AfterBatch, .. })) = (pool, commit) {
        r.report(&fields.get("commit")?, Problem::Contradiction(Contradiction::AfterBatchInPool));
        return None;
    }
    if let (Some(Some(_)), Some(place)) = (offset_store, fields.get("offset_store")) {
        if fields.get("writes_to").is_none() {
            r.report(&place, Problem::Contradiction(Contradiction::StoreWithoutTable));
        }
        let is_async = commit.is_some_and(|commit| commit.how != CommitHow::Sync);
        if let Some(commit) = fields.get("commit").filter(|_| is_with_row || is_async) {
            let contradiction = if is_with_row { Contradiction::CommitBesideRows } else { Contradiction::AsyncStore };
            r.report(&commit, Problem::Contradiction(contradiction));
        }
        if is_with_row && auto_commit {
            r.report(&place, Problem::Contradiction(Contradiction::AutoCommitBesideRows));
            return None;
        }
    }
    let mut handling = Handling {
        offset_store: offset_store?,
        pool: pool?,
        time: time?,
        times: Vec::new(),
        fails: fails.into_iter().collect::<Option<_>>()?,
        on_error: on_error?,
        commit: commit?,
        writes_to: writes_to?,
    };
    for (of, time) in times.into_iter().collect::<Option<Vec<_>>>()? {
        handling.set_time(of, time);
    }
    Some(handling)
}

/// The workers behind `poll()`.
fn read_pool<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<Pool> {
    let fields = r.object(place, &POOL)?;
    let workers = r.count(fields.get("workers"), 1..=MOST_WORKERS);
    let queue = r.or(fields.get("queue"), bounds::RECORDS, |r, place| r.count(place, 1..=bounds::RECORDS));
    let ways = [("stop", Revoked::Stops), ("go_on", Revoked::GoesOn)];
    let revoked = r.or(fields.get("revoked"), Revoked::Stops, |r, place| r.word(place, &ways, |_| false));
    Some(Pool { workers: workers? as u16, queue: queue?, revoked: revoked? })
}

/// Offsets in the database of the table.
fn read_offset_store<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<OffsetStore> {
    let fields = r.object(place, &OFFSET_STORE)?;
    let transaction = r.or(fields.get("transaction"), true, Reader::boolean);
    let ways = [("next", Holds::Next), ("last", Holds::Last)];
    let holds = r.or(fields.get("holds"), Holds::Next, |r, place| r.word(place, &ways, |_| false));
    let fits = if holds == Some(Holds::Last) { Seeks::OneAfter } else { Seeks::AsStored };
    let ways = [("as_stored", Seeks::AsStored), ("one_after", Seeks::OneAfter)];
    let seeks = r.or(fields.get("seeks"), fits, |r, place| r.word(place, &ways, |_| false));
    let when = if transaction? { StoreWhen::WithRow } else { StoreWhen::LikeCommits };
    Some(OffsetStore { when, holds: holds?, seeks: seeks? })
}

/// Records that fail: those of one of [`HANDLING_OF`], or all, as when a service that the handling needs is down.
fn read_failing<'t>(
    r: &mut Reader<'t>,
    place: &Place<'t>,
    names: &Names<'t>,
    vocabulary: &mut Vocabulary,
) -> Option<Failing> {
    let fields = r.object(Some(place.clone()), &FAILING)?;
    let of = match fields.count(&HANDLING_OF) {
        0 => Some(HandlingOf::Every),
        _ => r.exactly_one(place, &fields, &HANDLING_OF).then(|| read_of(r, &fields, names, vocabulary))?,
    };
    let moment =
        |r: &mut Reader<'t>, place| r.duration(place, Span::ZERO..=bounds::DURATION).map(|span| Time::ZERO + span);
    let from = r.or(fields.get("from"), Time::ZERO, moment);
    let until = r.or(fields.get("until"), Time::NEVER, moment);
    let (from, until) = (from?, until?);
    if from >= until {
        r.report(place, Problem::Contradiction(Contradiction::NeverFails { from, until }));
        return None;
    }
    Some(Failing { of: of?, from, until })
}

/// What the application does after a failed try.
fn read_on_error<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    names: &Names<'t>,
    runs_the_handler: bool,
) -> Option<OnError> {
    let place = place?;
    let fields = r.object(Some(place.clone()), &ON_ERROR)?;
    let retries = [("in_place", Retry::InPlace), ("seek_back", Retry::SeekBack)];
    let retry = r.or(fields.get("retry"), Retry::InPlace, |r, place| r.word(place, &retries, |_| false));
    // What leaves the handler is the library's business, which has settings of its own for it.
    let of_library = OnError::KAFKAJS;
    let is_of_library = runs_the_handler && retry == Some(Retry::SeekBack);
    let tries = match fields.get("tries") {
        None if is_of_library => Some(of_library.tries),
        // Who says nothing of retries gives up at once; who says nothing of their end has none.
        None if fields.get("retry").is_none() => Some(1),
        None => Some(OnError::FOR_EVER),
        place => r.count(place, 1..=MOST_TRIES),
    };
    let back_off =
        r.or(fields.get("back_off"), if is_of_library { of_library.back_off } else { Span::ZERO }, |r, place| {
            r.duration(place, Span::ZERO..=LONGEST_HANDLING)
        });
    let counts = [("each_partition", Counts::EachPartition), ("one_record", Counts::OneRecord)];
    let counts = r.or(fields.get("counts"), Counts::EachPartition, |r, place| r.word(place, &counts, |_| false));
    let ways = [
        ("stop", GivesUp::Stop),
        ("skip", GivesUp::Skip),
        ("leave_loop", GivesUp::LeaveLoop),
        ("restart", GivesUp::Restart),
    ];
    let way_of_all = if is_of_library { of_library.then } else { GivesUp::Stop };
    let then = match (fields.get("then"), fields.get("send_by")) {
        (Some(_), Some(_)) => {
            r.exactly_one(&place, &fields, &["then", "send_by"]);
            None
        }
        (_, Some(producer)) => names.producer(r, Some(producer)).map(GivesUp::SetAside),
        (way, None) => r.or(way, way_of_all, |r, place| r.word(place, &ways, |_| false)),
    };
    let on_error = OnError { retry: retry?, tries: tries?, back_off: back_off?, counts: counts?, then: then? };
    warn_of_no_effect(r, &fields, on_error);
    Some(on_error)
}

/// What is said of tries that there are not, and is not what holds without a word anyway.
fn warn_of_no_effect<'t>(r: &mut Reader<'t>, fields: &Fields<'t>, on_error: OnError) {
    let (is_endless, is_once) = (on_error.tries == OnError::FOR_EVER, on_error.tries == 1);
    let seeks = on_error.retry == Retry::SeekBack;
    let checks = [
        ("then", is_endless && on_error.then != GivesUp::Stop, NoEffect::TriesForEver),
        ("send_by", is_endless, NoEffect::TriesForEver),
        ("retry", is_once && !seeks, NoEffect::TriesOnce),
        ("back_off", is_once && on_error.back_off > Span::ZERO, NoEffect::TriesOnce),
        ("counts", !seeks && on_error.counts == Counts::OneRecord, NoEffect::OnlySeekBack),
    ];
    for (field, has_none, why) in checks {
        if let Some(place) = fields.get(field).filter(|_| has_none) {
            r.warn(&place, Problem::Contradiction(Contradiction::NoEffect { setting: field.to_owned(), why }));
        }
    }
}

/// What a worker of a pool cannot do after a failed try, as only the thread that polls can.
fn needs_the_loop(on_error: OnError) -> Option<&'static str> {
    match on_error {
        OnError { retry: Retry::SeekBack, .. } => Some("seek_back"),
        OnError { then: GivesUp::LeaveLoop, .. } => Some("leave_loop"),
        OnError { then: GivesUp::Restart, .. } => Some("restart"),
        OnError { counts: Counts::OneRecord, .. } => Some("one_record"),
        _ => None,
    }
}

/// Which records something is for: those of the one of [`HANDLING_OF`] that is there.
pub(super) fn read_of<'t>(
    r: &mut Reader<'t>,
    fields: &Fields<'t>,
    names: &Names<'t>,
    vocabulary: &mut Vocabulary,
) -> Option<HandlingOf> {
    let key = vocabulary.read_key(r, fields.get("key")).map(HandlingOf::Key);
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
    // It may count records and look at the clock, too.
    let by_the_record = fields.count(&["after_records", "every"]) > 0 && fields.get("when").is_none();
    let has_one = by_the_record || r.exactly_one(&place, &fields, &["when", "after_records", "every"]);
    let whens = [
        ("never", CommitWhen::Never),
        ("before_batch", CommitWhen::BeforeBatch),
        ("after_batch", CommitWhen::AfterBatch),
    ];
    let records = fields.get("after_records").map(|place| r.count(Some(place), 1..=bounds::RECORDS));
    let time = fields.get("every").map(|place| r.duration(Some(place), Span::from_millis(1)..=LONGEST_HANDLING));
    let when = match (records, time) {
        (None, None) => r.word(fields.get("when"), &whens, |_| false),
        (Some(records), None) => records.map(CommitWhen::AfterRecords),
        (None, Some(time)) => time.map(|time| CommitWhen::RecordsOrTime { records: CommitWhen::NO_COUNT, time }),
        (Some(records), Some(time)) => {
            records.zip(time).map(|(records, time)| CommitWhen::RecordsOrTime { records, time })
        }
    };
    let hows = [("sync", CommitHow::Sync), ("async", CommitHow::Async), ("async_retry", CommitHow::AsyncRetry)];
    let how = r.or(fields.get("how"), CommitHow::Sync, |r, place| r.word(place, &hows, |_| false));
    let on_revoke = r.or(fields.get("on_revoke"), false, Reader::boolean);
    let on_close = r.or(fields.get("on_close"), false, Reader::boolean);
    let offsets =
        [("contiguous", CommitOffset::Contiguous), ("highest", CommitOffset::Highest), ("own", CommitOffset::Own)];
    let offset = r.or(fields.get("offset"), CommitOffset::Contiguous, |r, place| r.word(place, &offsets, |_| false));
    let when = when.filter(|_| has_one);
    Some(CommitPolicy { when: when?, how: how?, on_revoke: on_revoke?, on_close: on_close?, offset: offset? })
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
