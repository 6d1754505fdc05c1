//! The stage in words, for those who hear the page instead of seeing it.

use super::{Lang, format, names};
use crate::sim::consumer::{Application, Client, Membership, Process};
use crate::sim::coordinator::GroupState;
use crate::sim::event::Fault;
use crate::sim::{ConsumerId, GroupId, PartitionId, ProducerId, Simulation, SinkId, Span};

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
    let lines = (0..run.setup().producers.len())
        .map(|index| {
            let (name, sent) = (names::producer(run, ProducerId::at(index)), run.producer(ProducerId::at(index)).sent);
            let sent = format::records(lang, sent);
            both!(lang, "{name}: 送信済み {sent}", "{name}: {sent} sent")
        })
        .collect();
    Section { heading: both!(lang, "プロデューサー", "Producers"), lines }
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
    let position = position(run, group, partition).unwrap_or_else(|| both!(lang, "なし", "none"));
    let owner = owner(lang, run, group, partition);
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

fn members(lang: Lang, run: &Simulation, group: GroupId) -> Section {
    let name = names::group(run, group);
    let generation = run.group(group).generation;
    let mut lines = vec![group_line(lang, run, group)];
    lines.extend(rebalances_line(lang, run, group));
    lines.extend(run.consumers_of(group).map(|consumer| member_line(lang, run, consumer.id)));
    let heading = match run.group(group).is_modern() {
        true => both!(lang, "グループ {name}、エポック {generation}", "Group {name}, epoch {generation}"),
        false => both!(lang, "グループ {name}、世代 {generation}", "Group {name}, generation {generation}"),
    };
    Section { heading, lines }
}

fn group_line(lang: Lang, run: &Simulation, group: GroupId) -> String {
    let missing = format::members(lang, run.group(group).missing());
    match run.group(group).state {
        GroupState::Empty => both!(lang, "メンバーなし", "no members"),
        GroupState::PreparingRebalance => {
            both!(lang, "リバランス中: 残り {missing}の参加待ち", "rebalancing: {missing} still to join")
        }
        GroupState::CompletingRebalance => {
            both!(lang, "リバランス中: リーダーの割り当て待ち", "rebalancing: waits for the leader's assignment")
        }
        GroupState::Assigning => {
            both!(lang, "ターゲット割り当てはこれから", "the target assignment is still to be computed")
        }
        GroupState::Reconciling => {
            let members = format::members(lang, run.group(group).unreconciled());
            both!(
                lang,
                "移行中: {members}がまだターゲットに達していません",
                "reconciling: {members} not at the target yet"
            )
        }
        GroupState::Stable => both!(lang, "安定（Stable）", "stable"),
    }
}

fn rebalances_line(lang: Lang, run: &Simulation, group: GroupId) -> Option<String> {
    let ledger = run.ledger(group);
    let count = format::number(u64::from(ledger.rebalances));
    let span = format::span(lang, ledger.rebalancing(run.now()));
    (ledger.rebalances > 0)
        .then(|| both!(lang, "リバランス {count} 回、合計 {span}", "rebalances: {count}, {span} in all"))
}

fn member_line(lang: Lang, run: &Simulation, consumer: ConsumerId) -> String {
    let name = names::consumer(run, consumer);
    match &run.consumer(consumer).process {
        Process::NotStarted => both!(lang, "{name}: 未起動", "{name}: not started"),
        Process::Crashed(ended) => {
            let at = format::clock(lang, ended.at);
            both!(lang, "{name}: クラッシュ（{at}）", "{name}: crashed at {at}")
        }
        Process::Failed(ended, error) => {
            let (at, code) = (format::clock(lang, ended.at), error.name());
            both!(lang, "{name}: エラーで終了（{at}、{code}）", "{name}: ended by {code} at {at}")
        }
        Process::Closed(ended) => {
            let at = format::clock(lang, ended.at);
            both!(lang, "{name}: 離脱済み（{at}）", "{name}: left at {at}")
        }
        Process::Running(client) => running(lang, run, name, client),
    }
}

fn running(lang: Lang, run: &Simulation, name: &str, client: &Client) -> String {
    let uncommitted = format::records(lang, client.uncommitted());
    let owned: Vec<PartitionId> = client.owned.iter().map(|owned| owned.partition).collect();
    let owned = match owned.is_empty() {
        true => both!(lang, "なし", "none"),
        false => names::partition_list(lang, run, &owned),
    };
    match client.application {
        _ if client.timed_out.is_some() && !matches!(client.application, Application::Handling { .. }) => both!(
            lang,
            "{name}: すでにグループの外ですが、まだ {owned} を担当しているつもりです。未コミット {uncommitted}。",
            "{name}: no longer a member, but believes that it owns {owned}; {uncommitted} uncommitted"
        ),
        Application::Handling { record, partition, offset, .. } if client.timed_out.is_some() => {
            let record = names::record_at(lang, run, record, partition, offset);
            both!(
                lang,
                "{name}: {record}を処理中。すでにグループの外ですが、まだ {owned} を担当しているつもりです。未コミット {uncommitted}。",
                "{name}: processing {record}; no longer a member, but believes that it owns {owned}; {uncommitted} uncommitted"
            )
        }
        Application::Handling { record, partition, offset, .. } => {
            let record = names::record_at(lang, run, record, partition, offset);
            both!(
                lang,
                "{name}: {record}を処理中。担当は {owned}。未コミット {uncommitted}。",
                "{name}: processing {record}; owns {owned}; {uncommitted} uncommitted"
            )
        }
        Application::Committing => {
            both!(lang, "{name}: コミットの応答待ち。担当は {owned}。", "{name}: waiting for its commit; owns {owned}")
        }
        Application::Polling if client.membership != Membership::Stable => {
            both!(lang, "{name}: グループに参加中。担当は {owned}。", "{name}: joining the group; owns {owned}")
        }
        Application::Polling if client.owned.is_empty() => {
            both!(lang, "{name}: 待機中（担当パーティションなし）。", "{name}: idle, owns no partition")
        }
        Application::Polling => both!(
            lang,
            "{name}: レコード待ち。担当は {owned}。未コミット {uncommitted}。",
            "{name}: waiting for records; owns {owned}; {uncommitted} uncommitted"
        ),
    }
}

fn table(lang: Lang, run: &Simulation, sink: SinkId) -> Section {
    let (name, count) = (names::sink(run, sink), run.sink(sink).rows);
    let heading = match &run.setup().sinks[sink.index()].unique_key {
        Some(column) => {
            let rows = format::rows(lang, count);
            both!(
                lang,
                "テーブル {name}（ユニークキー {column}）: {rows}",
                "Table {name} (unique key {column}): {rows}"
            )
        }
        None => {
            let rows = format::rows(lang, count);
            both!(lang, "テーブル {name}（ユニークキーなし）: {rows}", "Table {name} (no unique key): {rows}")
        }
    };
    let shown = count.saturating_sub(ROWS)..count;
    let lines = shown.filter_map(|number| row_line(lang, run, sink, number)).collect();
    Section { heading, lines }
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
