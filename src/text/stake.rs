//! What would become of a member's records if it stopped now.

use super::{Lang, format, names};
use crate::explain::{Resumes, Stake};
use crate::sim::setup::OffsetReset;
use crate::sim::{ConsumerId, Offset, Simulation};

/// What introduces the lines: `If c2 stopped now`.
pub fn if_stopped(lang: Lang, run: &Simulation, consumer: ConsumerId) -> String {
    let name = names::consumer(run, consumer);
    both!(lang, "いま {name} が止まったら", "If {name} stopped now")
}

/// One partition: where it would be read on, and what that does to the records.
pub fn stake(lang: Lang, run: &Simulation, stake: &Stake) -> String {
    let partition = names::partition(run, stake.partition);
    match stake.resumes {
        Resumes::Committed(offset) => {
            let consequence = consequence(lang, run, offset, stake);
            both!(
                lang,
                "{partition}: コミット済みオフセット {offset} から再開。{consequence}",
                "{partition}: goes on at committed offset {offset}; {consequence}"
            )
        }
        Resumes::Stored(offset) => {
            let consequence = consequence(lang, run, offset, stake);
            both!(
                lang,
                "{partition}: テーブルに保存したオフセットにより {offset} から再開。{consequence}",
                "{partition}: goes on at {offset}, by the offset stored in the table; {consequence}"
            )
        }
        Resumes::Reset(OffsetReset::Earliest) => {
            let consequence = consequence(lang, run, 0, stake);
            both!(
                lang,
                "{partition}: コミットなし、auto.offset.reset=earliest により先頭から。{consequence}",
                "{partition}: nothing is committed, so auto.offset.reset=earliest starts at offset 0; {consequence}"
            )
        }
        Resumes::Reset(OffsetReset::Latest) => both!(
            lang,
            "{partition}: コミットなし、auto.offset.reset=latest によりログの末尾から。それより前の未処理レコードは読まれない",
            "{partition}: nothing is committed, so auto.offset.reset=latest starts at the end of the log; whatever is unread before it is skipped"
        ),
        Resumes::Reset(OffsetReset::None) => both!(
            lang,
            "{partition}: コミットなし、auto.offset.reset=none なので次の担当の poll() が例外を投げる",
            "{partition}: nothing is committed and auto.offset.reset=none, so the next owner's poll() throws"
        ),
        Resumes::Reset(OffsetReset::ByDuration(_)) => both!(
            lang,
            "{partition}: コミットなし、auto.offset.reset=by_duration が再開位置を決める",
            "{partition}: nothing is committed, so auto.offset.reset=by_duration decides where it starts"
        ),
    }
}

/// What reading on at `offset` means.
fn consequence(lang: Lang, run: &Simulation, offset: Offset, stake: &Stake) -> String {
    let &Stake { next, held, .. } = stake;
    if offset > next {
        let skipped = records(lang, run, stake, next, offset);
        return both!(lang, "{skipped} は誰も処理しない", "nobody would process {skipped}");
    }
    let again = (offset < next).then(|| records(lang, run, stake, offset, next));
    let held = held.map(|record| names::record(run, record));
    let time = match stake.is_repeated {
        true => lang.pick("もう一度処理", "once more"),
        false => lang.pick(" 2 回目の処理", "a second time"),
    };
    match (again, held) {
        (Some(again), Some(held)) => both!(
            lang,
            "{again} は{time}、手元の {held} は渡し直し",
            "{again} would be processed {time}, and {held}, which it holds, handed out again"
        ),
        (Some(again), None) => both!(lang, "{again} は{time}になる", "{again} would be processed {time}"),
        (None, Some(held)) => both!(
            lang,
            "手元の {held} が渡し直されるだけで、2 回処理されるレコードはない",
            "{held}, which it holds, would be handed out again, and nothing processed twice"
        ),
        (None, None) => lang.pick("2 回処理されるレコードはない", "nothing would be processed twice").to_owned(),
    }
}

/// A few records by name, more of them by their offsets.
fn records(lang: Lang, run: &Simulation, stake: &Stake, from: Offset, to: Offset) -> String {
    const MOST_NAMED: Offset = 3;
    if to - from > MOST_NAMED {
        let last = to - 1;
        return both!(lang, "オフセット {from}〜{last}", "offsets {from}–{last}");
    }
    let named = (from..to).filter_map(|offset| run.record_at(stake.partition, offset));
    format::list(lang, &named.map(|record| names::record(run, record)).collect::<Vec<_>>())
}
