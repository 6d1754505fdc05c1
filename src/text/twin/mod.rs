//! The stage in words, for those who hear the page instead of seeing it.

mod group;

use super::{Lang, format, names};
use crate::sim::event::Fault;
use crate::sim::setup::Writes;
use crate::sim::{BrokerId, GroupId, PartitionId, ProducerId, Simulation, SinkId, Span};
use group::members;

/// A part of the stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What it is about.
    pub heading: String,
    /// What there is to say, one thing a line.
    pub lines: Vec<String>,
}

/// The most rows of a table that are read out; the latest.
const ROWS: u32 = 20;

/// The present state of the stage: producers, partitions for each group and its members, partitions that nobody reads,
/// tables.
pub fn twin(lang: Lang, run: &Simulation) -> Vec<Section> {
    let setup = run.setup();
    let mut sections = vec![producers(lang, run)];
    for group in (0..setup.groups.len()).map(GroupId::at) {
        sections.push(partitions(lang, run, group));
        sections.push(members(lang, run, group));
    }
    sections.extend(unread(lang, run));
    sections.extend((0..setup.sinks.len()).map(|sink| table(lang, run, SinkId::at(sink))));
    sections
}

fn producers(lang: Lang, run: &Simulation) -> Section {
    let mut lines = Vec::new();
    for producer in (0..run.setup().producers.len()).map(ProducerId::at) {
        let (name, found) = (names::producer(run, producer), run.producer(producer));
        let sent = format::records(lang, found.sent);
        let brokers = 0..run.setup().brokers.len();
        let in_flight: u32 = brokers.map(|broker| found.in_flight(BrokerId::at(broker))).sum();
        lines.push(both!(
            lang,
            "{name}: 送信済み {sent}、応答待ちのリクエスト {in_flight}",
            "{name}: {sent} sent, requests in flight: {in_flight}"
        ));
        let partitions = run.topics().partitions_of(run.setup().producers[producer.index()].topic);
        lines.extend(partitions.iter().filter_map(|&partition| batch_line(lang, run, producer, partition)));
    }
    Section { heading: both!(lang, "プロデューサー", "Producers"), lines }
}

fn batch_line(lang: Lang, run: &Simulation, producer: ProducerId, partition: PartitionId) -> Option<String> {
    let filling = run.producer(producer).filling(usize::from(run.place(partition).number))?;
    let (name, partition) = (names::producer(run, producer), names::partition(run, partition));
    let records = format::records(lang, filling.to - filling.from);
    let [bytes, limit] = [filling.bytes, filling.limit].map(|bytes| format::number(u64::from(bytes)));
    let linger = run.producer(producer).settings.batching.linger;
    let left = format::span(lang, linger.saturating_sub(run.now().since(filling.opened_at)));
    Some(both!(
        lang,
        "{name}: {partition} 宛てのバッチに {records}、{limit} バイト中 {bytes} バイト、linger.ms の残り {left}",
        "{name}: the batch for {partition} holds {records}, {bytes} of {limit} bytes, {left} of linger.ms left"
    ))
}

fn partitions(lang: Lang, run: &Simulation, group: GroupId) -> Section {
    let name = names::group(run, group);
    let lines = run.partitions_of_group(group).map(|partition| partition_line(lang, run, group, partition)).collect();
    Section {
        heading: both!(lang, "{name} から見たパーティション", "Partitions, as {name} reads them"), lines
    }
}

/// The partitions that no group reads.
fn unread(lang: Lang, run: &Simulation) -> Option<Section> {
    let mut partitions: Vec<PartitionId> = (0..run.partition_count()).map(PartitionId::at).collect();
    for group in (0..run.setup().groups.len()).map(GroupId::at) {
        let read = run.topics_of(group);
        partitions.retain(|&partition| !read.contains(&run.place(partition).topic));
    }
    let mut lines = Vec::new();
    for &partition in &partitions {
        let (name, end) = (names::partition(run, partition), run.partition(partition).end);
        lines.push(both!(lang, "{name}: 末尾 {end}", "{name}: end {end}"));
    }
    let heading = both!(lang, "どのグループも読まないパーティション", "Partitions that no group reads");
    (!lines.is_empty()).then_some(Section { heading, lines })
}

fn partition_line(lang: Lang, run: &Simulation, group: GroupId, partition: PartitionId) -> String {
    let name = names::partition(run, partition);
    let end = format::number(u64::from(run.partition(partition).end));
    let lag = format::number_or_dash(run.lag(group, partition).records);
    let committed = run.group(group).committed(partition).map(|committed| format::number(u64::from(committed.offset)));
    let committed = committed.unwrap_or_else(|| both!(lang, "なし", "none"));
    let committed = match run.stored(group, partition) {
        None => committed,
        Some(stored) => {
            let stored = format::number(u64::from(stored.offset));
            both!(lang, "{committed}、テーブルに保存 {stored}", "{committed}, stored in the table {stored}")
        }
    };
    let position = position(run, group, partition).unwrap_or_else(|| both!(lang, "なし", "none"));
    let owner = owner(lang, run, group, partition);
    if run.setup().brokers.len() > 1 {
        let broker = run.leader(run.place(partition).number).0;
        return both!(
            lang,
            "{name}（リーダーはブローカー {broker}）: 末尾 {end}、コミット済み {committed}、ポジション {position}、ラグ {lag}、担当 {owner}",
            "{name}, led by broker {broker}: end {end}, committed {committed}, position {position}, lag {lag}, owner {owner}"
        );
    }
    both!(
        lang,
        "{name}: 末尾 {end}、コミット済み {committed}、ポジション {position}、ラグ {lag}、担当 {owner}",
        "{name}: end {end}, committed {committed}, position {position}, lag {lag}, owner {owner}"
    )
}

fn position(run: &Simulation, group: GroupId, partition: PartitionId) -> Option<String> {
    let owner = run.ledger(group).partitions[partition.index()].workers().next()?;
    let owned = &run.consumer(owner.consumer).client()?.owned;
    let position = owned.iter().find(|owned| owned.partition == partition)?.position?;
    Some(format::number(u64::from(position)))
}

fn owner(lang: Lang, run: &Simulation, group: GroupId, partition: PartitionId) -> String {
    let ledger = &run.ledger(group).partitions[partition.index()];
    match (ledger.workers().next(), ledger.unowned_since) {
        (Some(owner), _) if ledger.unowned(run.now()) > Span::ZERO => {
            let (name, span) = (names::consumer(run, owner.consumer), format::span(lang, ledger.unowned(run.now())));
            both!(lang, "{name}（これまでの不在は計 {span}）", "{name} (nobody for {span} so far)")
        }
        (Some(owner), _) => names::consumer(run, owner.consumer).to_owned(),
        (None, Some(since)) => {
            let (since, span) = (format::clock(lang, since), format::span(lang, run.now().since(since)));
            both!(lang, "なし（{since}から {span}間）", "nobody since {since} ({span})")
        }
        (None, None) => both!(lang, "まだなし", "nobody yet"),
    }
}

fn table(lang: Lang, run: &Simulation, sink: SinkId) -> Section {
    let (name, count) = (names::sink(run, sink), run.sink(sink).rows);
    let heading = match run.unique_key(sink) {
        Some(column) => {
            let rows = format::rows(lang, count);
            both!(
                lang,
                "テーブル {name}（ユニークキー {column}）: {rows}",
                "Table {name} (unique key {column}): {rows}"
            )
        }
        None if run.setup().sinks[sink.index()].writes == Writes::InsertWithoutId => {
            let rows = format::rows(lang, count);
            both!(lang, "テーブル {name}（イベントの ID なし）: {rows}", "Table {name} (no event id): {rows}")
        }
        None => {
            let rows = format::rows(lang, count);
            both!(lang, "テーブル {name}（ユニークキーなし）: {rows}", "Table {name} (no unique key): {rows}")
        }
    };
    let shown = count.saturating_sub(ROWS)..count;
    let lines = table_state(lang, run, sink);
    let lines = lines.into_iter().chain(shown.filter_map(|number| row_line(lang, run, sink, number))).collect();
    Section { heading, lines }
}

/// What is to be said of a table beside its rows.
#[inline(never)]
fn table_state(lang: Lang, run: &Simulation, sink: SinkId) -> Vec<String> {
    let state = run.sink(sink);
    let mut lines = Vec::new();
    if state.down.is_some() {
        lines.push(both!(lang, "データベースは停止中", "the database is down"));
    }
    if state.replaced > 0 {
        let (written, stale) = (format::number(u64::from(state.written())), format::number(u64::from(state.stale)));
        lines.push(both!(
            lang,
            "書き込み {written} 回（うち {stale} 回は、新しい値を古い値で上書き）",
            "writes: {written}, of which {stale} put an older value over a newer one"
        ));
    }
    lines
}

fn row_line(lang: Lang, run: &Simulation, sink: SinkId, number: u32) -> Option<String> {
    let row = run.row(sink, number)?;
    let (record, value) = (names::record(run, row.record), names::value(run, row.record));
    let by = names::consumer(run, row.by.consumer);
    let again = run
        .step_at(row.step)
        .is_some_and(|step| !matches!(step.event, crate::sim::Event::RecordProcessed { fault: Fault::None, .. }));
    Some(match again {
        true => both!(lang, "{record} {value}（{by}、重複）", "{record} {value}, by {by}, again"),
        false => both!(lang, "{record} {value}（{by}）", "{record} {value}, by {by}"),
    })
}
