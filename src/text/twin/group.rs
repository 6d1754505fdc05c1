//! A group and its members in words.

use super::super::{Lang, format, names};
use super::Section;
use crate::scene::rebalance::{self, TimeLeft, Turn};
use crate::sim::consumer::{Application, Client, Consumer, Membership, Owned, Process};
use crate::sim::coordinator::GroupState;
use crate::sim::{ConsumerId, GroupId, PartitionId, Simulation, Span};

pub fn members(lang: Lang, run: &Simulation, group: GroupId) -> Section {
    let name = names::group(run, group);
    let generation = run.group(group).generation;
    let mut lines = vec![group_line(lang, run, group)];
    lines.extend(rebalance_lines(lang, run, group));
    lines.extend(rebalances_line(lang, run, group));
    for consumer in run.consumers_of(group) {
        lines.push(member_line(lang, run, consumer.id));
        lines.extend(session_line(lang, run, consumer));
    }
    let heading = match run.group(group).is_modern() {
        true => both!(lang, "グループ {name}、エポック {generation}", "Group {name}, epoch {generation}"),
        false => both!(lang, "グループ {name}、世代 {generation}", "Group {name}, generation {generation}"),
    };
    Section { heading, lines }
}

/// What the coordinator waits for while the group rebalances.
fn rebalance_lines(lang: Lang, run: &Simulation, group: GroupId) -> Vec<String> {
    let found = run.group(group);
    if matches!(found.state, GroupState::Empty | GroupState::Stable) {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for (consumer, turn) in rebalance::turns(run, group) {
        let (name, key) = (names::consumer(run, consumer), run.consumer(consumer).key());
        let exchanged = rebalance::exchange(run, group, key).map_or_else(Vec::new, |(_, partitions)| partitions);
        let partitions = names::partition_list(lang, run, &exchanged);
        lines.push(match turn {
            Turn::Missing => both!(lang, "{name}: まだ応答なし", "{name}: no answer yet"),
            Turn::Asked => {
                both!(lang, "{name}: 連絡済み、リクエスト待ち", "{name}: knows of it, its request is still to come")
            }
            Turn::Assigns => {
                both!(lang, "{name}: リーダーとして割り当てを計算", "{name}: leads and computes the assignment")
            }
            Turn::GivesUp => {
                both!(lang, "{name}: {partitions} を手放すまで待機", "{name}: still to give up {partitions}")
            }
            Turn::Awaits => both!(lang, "{name}: {partitions} が空くのを待機", "{name}: waits for {partitions}"),
            Turn::Done => both!(lang, "{name}: 完了", "{name}: has done its part"),
        });
    }
    if let Some(TimeLeft { left, .. }) = rebalance::time_left(run, group, run.now()) {
        let left = format::span(lang, left);
        lines.push(both!(lang, "コーディネーターが待つ残り時間: {left}", "The coordinator waits for {left} more"));
    }
    lines
}

/// When the coordinator last heard a member that it counts in.
fn session_line(lang: Lang, run: &Simulation, consumer: &Consumer) -> Option<String> {
    let member = run.group(consumer.group).member(consumer.key())?;
    let name = names::consumer(run, consumer.id);
    let [silent, timeout] =
        [run.now(), member.session_ends].map(|until| format::span(lang, until.since(member.heard_at)));
    Some(both!(
        lang,
        "{name}: コーディネーターへの最後の連絡は {silent}前（セッションは {timeout}）",
        "{name}: last heard by the coordinator {silent} ago; its session lasts {timeout}"
    ))
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
        Process::Running(client) => match &client.freeze {
            Some(freeze) => frozen(lang, name, &client.owned, run.now().since(freeze.since), run),
            None => running(lang, run, name, client),
        },
    }
}

fn frozen(lang: Lang, name: &str, owned: &[Owned], span: Span, run: &Simulation) -> String {
    let owned: Vec<PartitionId> = owned.iter().map(|owned| owned.partition).collect();
    let span = format::span(lang, span);
    match owned.is_empty() {
        true => {
            both!(lang, "{name}: プロセスが {span}間止まっています。", "{name}: its process has stood still for {span}")
        }
        false => {
            let owned = names::partition_list(lang, run, &owned);
            both!(
                lang,
                "{name}: プロセスが {span}間止まっています。本人の認識では担当は {owned}。",
                "{name}: its process has stood still for {span}; believes that it owns {owned}"
            )
        }
    }
}

fn running(lang: Lang, run: &Simulation, name: &str, client: &Client) -> String {
    let uncommitted = format::records(lang, client.uncommitted());
    let of = if client.is_out() { client.at_hand() } else { &client.owned };
    let owned: Vec<PartitionId> = of.iter().map(|owned| owned.partition).collect();
    let owned = match owned.is_empty() {
        true => both!(lang, "なし", "none"),
        false => names::partition_list(lang, run, &owned),
    };
    let (workers, waiting) = (client.workers.at_work().count(), format::number(u64::from(client.workers.waiting())));
    match client.application {
        _ if workers > 0 => both!(
            lang,
            "{name}: {workers} 件をワーカーが処理中、{waiting} 件がワーカー待ち。担当は {owned}。未コミット {uncommitted}。",
            "{name}: workers process {workers} at once, {waiting} wait for one; owns {owned}; {uncommitted} uncommitted"
        ),
        _ if client.is_out() && !matches!(client.application, Application::Handling { .. }) => both!(
            lang,
            "{name}: すでにグループの外ですが、まだ {owned} を担当しているつもりです。未コミット {uncommitted}。",
            "{name}: no longer a member, but believes that it owns {owned}; {uncommitted} uncommitted"
        ),
        Application::Handling { record, partition, offset, .. } if client.is_out() => {
            let record = names::record_at(lang, run, record, partition, offset);
            both!(
                lang,
                "{name}: {record}を処理中。すでにグループの外ですが、まだ {owned} を担当しているつもりです。未コミット {uncommitted}。",
                "{name}: processing {record}; no longer a member, but believes that it owns {owned}; {uncommitted} uncommitted"
            )
        }
        Application::Handling { record, partition, offset, .. } if client.works_on_leftover() => {
            let record = names::record_at(lang, run, record, partition, offset);
            both!(
                lang,
                "{name}: リバランスの前に受け取った {record}を処理中。担当は {owned}。未コミット {uncommitted}。",
                "{name}: processing {record}, which it got before the rebalance; owns {owned}; {uncommitted} uncommitted"
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
        Application::Resting { until, .. } => {
            let until = format::clock(lang, until);
            both!(
                lang,
                "{name}: 処理が失敗したため、{until}まで再試行を待っています。担当は {owned}。未コミット {uncommitted}。",
                "{name}: waits until {until} to try a failed record again; owns {owned}; {uncommitted} uncommitted"
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
