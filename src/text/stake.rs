//! What would become of a member's records if it stopped now.

use super::{Lang, names};
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
            let consequence = consequence(lang, offset, stake);
            both!(
                lang,
                "{partition}: コミット済みオフセット {offset} から再開。{consequence}",
                "{partition}: goes on at committed offset {offset}; {consequence}"
            )
        }
        Resumes::Reset(OffsetReset::Earliest) => {
            let consequence = consequence(lang, 0, stake);
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
fn consequence(lang: Lang, offset: Offset, stake: &Stake) -> String {
    let &Stake { next, is_in_hand, .. } = stake;
    let offsets = |from: Offset, to: Offset| match from == to {
        true => both!(lang, "オフセット {from} ", "offset {from}"),
        false => both!(lang, "オフセット {from}〜{to} ", "offsets {from}–{to}"),
    };
    if offset > next {
        let skipped = offsets(next, offset - 1);
        return both!(lang, "{skipped}は誰も処理しない", "nobody processes {skipped}");
    }
    match (offset == next, is_in_hand) {
        (true, true) => lang.pick("処理中のレコードは最初からやり直し", "the record in hand is begun anew").to_owned(),
        (true, false) => lang.pick("2 回処理されるレコードはない", "nothing is processed twice").to_owned(),
        (false, true) => {
            let again = offsets(offset, next - 1);
            both!(
                lang,
                "{again}は 2 回目の処理、処理中のレコードは最初からやり直し",
                "{again} processed a second time, the record in hand begun anew"
            )
        }
        (false, false) => {
            let again = offsets(offset, next - 1);
            both!(lang, "{again}は 2 回目の処理になる", "{again} processed a second time")
        }
    }
}
