//! The words of the table of records.

use super::{Lang, format, names};
use crate::scene::records::{Column, Fact, Fate, Happened, Kind, Line};
use crate::sim::event::{AfterFailure, RowOutcome};
use crate::sim::ledger::LostBy;
use crate::sim::{ConsumerId, Event, RecordId, Simulation};

/// The head of a column.
pub const fn column(lang: Lang, column: Column) -> &'static str {
    let (ja, en) = match column {
        Column::Record => ("レコード", "Record"),
        Column::Key => ("キー", "Key"),
        Column::Value => ("値", "Value"),
        Column::Partition => ("パーティション", "Partition"),
        Column::Offset => ("オフセット", "Offset"),
        Column::Sent => ("送信", "Sent"),
        Column::Appended => ("追加", "Appended"),
        Column::State => ("状態", "State"),
        Column::By => ("処理した側", "By"),
        Column::First => ("初回の処理", "First processed"),
        Column::Last => ("最後の処理", "Last processed"),
        Column::Committed => ("コミット", "Committed"),
        Column::Rows => ("行数", "Rows"),
    };
    match lang {
        Lang::Ja => ja,
        Lang::En => en,
    }
}

/// What has become of a record, in a word or two.
pub fn fate(lang: Lang, line: &Line, has_group: bool) -> String {
    let times = line.times;
    let word = match line.fate {
        Fate::Unsent => lang.pick("送信中", "on its way"),
        Fate::Unread if has_group => lang.pick("読み取り対象外", "not read"),
        Fate::Unread => lang.pick("ログに追加済み", "in the log"),
        Fate::Before => lang.pick("開始前にコミット済み", "committed before"),
        Fate::Waiting => lang.pick("未処理", "not processed"),
        Fate::InHand(_) if line.lost.is_some() => lang.pick("手元（グループからは消失）", "in hand, lost to the group"),
        Fate::InHand(_) if times > 0 => {
            return both!(lang, "手元（処理済み {times} 回）", "in hand, processed {times}×");
        }
        Fate::InHand(_) => lang.pick("手元", "in hand"),
        Fate::Processed if times > 1 => return both!(lang, "処理済み {times} 回", "processed {times}×"),
        Fate::Processed => lang.pick("処理済み", "processed"),
        Fate::SetAside => lang.pick("退避", "set aside"),
        Fate::Lost(LostBy::Commit) => lang.pick("消失（コミット）", "lost: commit"),
        Fate::Lost(LostBy::Reset) => lang.pick("消失（開始位置）", "lost: start position"),
        Fate::Lost(LostBy::Error) => lang.pick("消失（エラー）", "lost: error"),
        Fate::Lost(LostBy::NeverSent) => lang.pick("消失（未送信）", "lost: never sent"),
    };
    word.to_owned()
}

/// What has become of records that are wanted.
pub const fn kind(lang: Lang, kind: Kind) -> &'static str {
    let (ja, en) = match kind {
        Kind::Unsent => ("送信中", "on its way"),
        Kind::Unread => ("ログに追加済み・読み取り対象外", "in the log, not read"),
        Kind::Waiting => ("未処理", "not processed"),
        Kind::InHand => ("手元", "in hand"),
        Kind::Processed => ("処理済み", "processed"),
        Kind::Uncommitted => ("処理済み・未コミット", "processed, not committed"),
        Kind::Repeated => ("2 回以上処理", "processed more than once"),
        Kind::SetAside => ("退避", "set aside"),
        Kind::Before => ("開始前にコミット済み", "committed before the run"),
        Kind::Lost => ("消失", "lost"),
    };
    match lang {
        Lang::Ja => ja,
        Lang::En => en,
    }
}

/// Whether a commit covers a record; nothing is said of one that is in no log, or not read.
pub fn committed(lang: Lang, can_be: bool, is_committed: bool) -> &'static str {
    match (can_be, is_committed) {
        (false, _) => "–",
        (true, true) => lang.pick("済み", "yes"),
        (true, false) => lang.pick("まだ", "no"),
    }
}

/// How many there are, and of how many they are chosen.
pub fn count(lang: Lang, found: usize, all: u32, is_narrow: bool) -> String {
    let total = format::number(u64::from(all));
    let found = format::number(found as u64);
    match is_narrow {
        true => both!(lang, "{total} 件中 {found} 件", "{found} of {total}"),
        false => format::records(lang, all),
    }
}

/// Offers to show only the records of something.
pub fn only(lang: Lang, name: &str) -> String {
    both!(lang, "{name} だけ", "Only {name}")
}

/// The selected record is not in the table.
pub fn left_out(lang: Lang, run: &Simulation, record: RecordId) -> String {
    let name = names::record(run, record);
    both!(
        lang,
        "{name} は条件に合わないため、下の一覧にはありません。",
        "{name} does not fit the filter and is not in the table below."
    )
}

/// What happened to a record.
pub fn happened(lang: Lang, run: &Simulation, fact: Fact) -> String {
    let name = |of: ConsumerId| names::consumer(run, of);
    match fact.what {
        Happened::Sent(producer) => {
            let producer = names::producer(run, producer);
            both!(lang, "{producer} が送信", "sent by {producer}")
        }
        Happened::Appended(partition, offset) => {
            let (partition, offset) = (names::partition(run, partition), format::number(u64::from(offset)));
            both!(lang, "{partition} のオフセット {offset} に追加", "appended to {partition} at offset {offset}")
        }
        Happened::Fetched(by) => {
            let by = name(by);
            both!(lang, "{by} が Fetch でバッファーに取得", "fetched into the buffer of {by}")
        }
        Happened::Polled(by) => {
            let by = name(by);
            both!(lang, "poll() が {by} に渡す", "handed to {by} by poll()")
        }
        Happened::Failed(by, after) => failed(lang, name(by), after),
        Happened::Processed(by, times, row) => processed(lang, run, by, times, row),
        Happened::EndedWithIt(by) => ended_with_it(lang, run, by, fact),
        Happened::EndedBeforeCommit(by) => ended_before_commit(lang, run, by, fact),
        Happened::GivenUpBeforeCommit(by) => {
            let by = name(by);
            both!(
                lang,
                "{by} がコミット前にパーティションを手放す",
                "{by} gives the partition up before it has committed"
            )
        }
        Happened::Committed(by, offset) => {
            let (by, offset) = (name(by), format::number(u64::from(offset)));
            both!(lang, "{by} がコミット（オフセット {offset}）", "committed by {by} (offset {offset})")
        }
        Happened::Stored(by, offset) => {
            let (by, offset) = (name(by), format::number(u64::from(offset)));
            both!(
                lang,
                "{by} がオフセット {offset} をテーブルに保存",
                "covered: {by} stores offset {offset} in its table"
            )
        }
        Happened::WentBack(offset) => {
            let offset = format::number(u64::from(offset));
            both!(lang, "コミット済みオフセットが {offset} に戻る", "the committed offset goes back to {offset}")
        }
        Happened::Forgotten => both!(lang, "コミット済みオフセットが失効", "the committed offset expires"),
        Happened::Lost(by) => lost(lang, by).to_owned(),
    }
}

fn failed(lang: Lang, by: &str, after: AfterFailure) -> String {
    match after {
        AfterFailure::TriesAgain => both!(lang, "{by} で失敗し、もう一度処理", "fails in {by}, which tries again"),
        AfterFailure::SeeksBack => both!(lang, "{by} で失敗し、seek() で戻る", "fails in {by}, which seeks back to it"),
        AfterFailure::Stops => both!(lang, "{by} で失敗し、{by} は終了", "fails in {by}, which stops"),
        AfterFailure::Restarts => {
            both!(lang, "{by} で失敗し、{by} のコンシューマーは再起動", "fails in {by}, whose consumer starts anew")
        }
        AfterFailure::Skips => {
            both!(lang, "{by} で失敗し、処理されずに次へ", "fails in {by}, which goes on without it")
        }
        AfterFailure::LeavesLoop => {
            both!(lang, "{by} で失敗し、次の poll() へ", "fails in {by}, which goes on with the next poll()")
        }
        AfterFailure::SetsAside => {
            both!(lang, "{by} で失敗し、コピーを別のトピックへ", "fails in {by}, which sends a copy to another topic")
        }
    }
}

fn processed(lang: Lang, run: &Simulation, of: ConsumerId, times: u16, row: RowOutcome) -> String {
    let (by, nth) = (names::consumer(run, of), format::times(lang, times));
    let table = names::sink_of(run, of).unwrap_or_default();
    match row {
        RowOutcome::NoSink => both!(lang, "{by} が処理（{nth}）", "processed by {by} ({nth})"),
        RowOutcome::Inserted => {
            both!(lang, "{by} が処理（{nth}）: {table} に 1 行", "processed by {by} ({nth}): a row in {table}")
        }
        RowOutcome::AlreadyThere => both!(
            lang,
            "{by} が処理（{nth}）: {table} に行があり、書き込まない",
            "processed by {by} ({nth}): its row is in {table} already"
        ),
        RowOutcome::Replaced => {
            both!(
                lang,
                "{by} が処理（{nth}）: {table} の行を更新",
                "processed by {by} ({nth}): updates a row of {table}"
            )
        }
        RowOutcome::ReplacedLater => both!(
            lang,
            "{by} が処理（{nth}）: {table} の新しい値を古い値で上書き",
            "processed by {by} ({nth}): puts an older value into {table}"
        ),
    }
}

fn is_crash(run: &Simulation, fact: Fact) -> bool {
    run.step_at(fact.step).is_some_and(|step| matches!(step.event, Event::ConsumerCrashed { .. }))
}

fn ended_with_it(lang: Lang, run: &Simulation, by: ConsumerId, fact: Fact) -> String {
    let by = names::consumer(run, by);
    match is_crash(run, fact) {
        true => both!(lang, "{by} が処理する前にクラッシュ", "{by} crashes before it has processed it"),
        false => both!(lang, "{by} が処理する前に終了", "{by} ends before it has processed it"),
    }
}

fn ended_before_commit(lang: Lang, run: &Simulation, by: ConsumerId, fact: Fact) -> String {
    let by = names::consumer(run, by);
    match is_crash(run, fact) {
        true => both!(lang, "{by} がコミットする前にクラッシュ", "{by} crashes before it has committed"),
        false => both!(lang, "{by} がコミットする前に終了", "{by} ends before it has committed"),
    }
}

fn lost(lang: Lang, by: LostBy) -> &'static str {
    match by {
        LostBy::Commit => lang.pick("消失: コミットに飛ばされる", "lost: a commit had gone past it"),
        LostBy::Reset => lang.pick("消失: 読み始める位置に飛ばされる", "lost: reading begins behind it"),
        LostBy::Error => {
            lang.pick("消失: 失敗のあと、処理されずに先へ", "lost: the application goes on after a failure")
        }
        LostBy::NeverSent => {
            lang.pick("消失: プロデューサーが送る前にクラッシュ", "lost: its producer crashes before it sends it")
        }
    }
}

/// A record's name, and what a press on it does.
pub fn open(lang: Lang, record: &str) -> String {
    both!(lang, "{record} の経過", "{record}: what became of it")
}

macro_rules! words {
    ($( $(#[$doc:meta])* $name:ident: $ja:literal, $en:literal; )*) => {
        $( $(#[$doc])* pub const fn $name(lang: Lang) -> &'static str {
            match lang { Lang::Ja => $ja, Lang::En => $en }
        } )*
    };
}

words! {
    /// Names the field for a text.
    find: "キー・値・名前で検索", "Find by key, value or name";
    /// Names the choice of what has become of records.
    state: "状態で絞り込む", "Filter by state";
    /// The same where there is little room.
    find_short: "キー・値・名前", "Key, value or name";
    /// No choice of that.
    any_state: "すべての状態", "Any state";
    /// Names the choice of whose they are.
    whose: "対象で絞り込む", "Filter by partition, producer or member";
    /// No choice of that.
    anyones: "すべての対象", "Anywhere";
    /// Leads partitions.
    partitions: "パーティション", "Partitions";
    /// Leads producers.
    producers: "プロデューサー", "Producers";
    /// Leads members.
    members: "メンバー", "Members";
    /// Copies the records that fit.
    copy: "表をコピー", "Copy the table";
    /// Says more about it.
    copy_more: "条件に合うレコードを、表計算ソフトに貼り付けられる形（タブ区切り）でコピーします", "Copies the records that fit the filter, separated by tabs as a spreadsheet takes them";
    /// Takes the filter away.
    show_all: "絞り込みを解除", "Show all";
    /// There is none yet.
    none_yet: "まだレコードは送信されていません。", "No record has been sent yet.";
    /// None fits.
    none_fits: "条件に合うレコードはありません。", "No record fits the filter.";
    /// Where nothing is to come to what became of it.
    no_group: "コンシューマーグループがないため、ログに追加されるところまでを表示します。", "There is no consumer group: a record goes no further than the log.";
    /// Names the pages.
    pages: "表示範囲", "Which are shown";
    /// To the first page.
    first_page: "先頭へ", "To the first";
    /// One page back.
    previous_page: "前へ", "Back";
    /// One page on.
    next_page: "次へ", "On";
    /// To the last page.
    last_page: "末尾へ", "To the last";
}
