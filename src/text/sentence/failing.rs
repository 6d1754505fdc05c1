//! Handling that fails, and what the application does then.

use super::Telling;
use crate::sim::event::AfterFailure;
use crate::sim::failing::{Counts, GivesUp, OnError};
use crate::sim::{ConsumerId, Event, RecordId, Role, StepNo};
use crate::text::{format, names};

impl Telling<'_> {
    #[inline(never)]
    pub(super) fn failing(self) -> String {
        let Event::HandlingFailed { consumer, record, partition, offset, tries, after, given_up } = self.step.event
        else {
            return String::new();
        };
        let (lang, run) = (self.lang, self.run);
        let on_error = run.consumer(consumer).config().handling.on_error;
        let name = self.consumer(consumer);
        let what = names::record_at(lang, run, record, partition, offset);
        let failed = self.fails_at(name, &what, tries, &on_error);
        let failed = match self.table_down(consumer) {
            None => failed,
            Some(table) => {
                both!(lang, "{table} が停止中です。{failed}", "{table} is down. {failed}")
            }
        };
        let in_pool = run.consumer(consumer).config().handling.pool.is_some();
        let in_library = self.settings(consumer).library.runs_the_handler();
        let then = match after {
            AfterFailure::TriesAgain if in_pool => self.worker_tries_again(&on_error),
            AfterFailure::SeeksBack if in_library => self.fetches_again(&on_error, tries),
            AfterFailure::Restarts if in_library => both!(
                lang,
                "kafkajs は再試行をあきらめ（KafkaJSNumberOfRetriesExceeded）、コンシューマーを切断してから起動し直します。",
                "kafkajs gives up (KafkaJSNumberOfRetriesExceeded): it disconnects the consumer and starts it again."
            ),
            AfterFailure::Restarts => both!(
                lang,
                "例外はループを抜けます。アプリケーションはコンシューマーを閉じ、起動し直します。",
                "The exception leaves the loop: the application closes its consumer and starts it again."
            ),
            AfterFailure::TriesAgain | AfterFailure::SeeksBack => self.tries_again(after, &on_error),
            AfterFailure::Stops => both!(
                lang,
                "例外はループを抜け、アプリケーションはコンシューマーを閉じます。",
                "The exception leaves the loop, and the application closes its consumer."
            ),
            AfterFailure::Skips => both!(
                lang,
                "アプリケーションはログに残すだけで、次のレコードへ進みます。{what}は処理されません。",
                "The application only logs it and goes on: {what} is not processed."
            ),
            AfterFailure::LeavesLoop => {
                let records = self.records(given_up);
                both!(
                    lang,
                    "例外はレコードのループの外で記録されます。poll() が返したうち残りの {records}は処理されず、ポジションはすでにその後ろです。",
                    "It is logged outside of the loop over the records. Of what poll() returned, the rest ({records}) is not processed, and the position is behind it already."
                )
            }
            AfterFailure::SetsAside => {
                let producer = match on_error.then {
                    GivesUp::SetAside(producer) => names::producer(run, producer),
                    _ => "",
                };
                both!(
                    lang,
                    "アプリケーションは {producer} でコピーを別のトピックへ送り、次のレコードへ進みます。",
                    "The application sends a copy to another topic, by {producer}, and goes on."
                )
            }
        };
        both!(lang, "{failed}{then}", "{failed} {then}")
    }

    /// The table that made the handling fail, as it was down.
    fn table_down(self, consumer: ConsumerId) -> Option<String> {
        let down = self.step.causes.with_role(Role::DecidedValue)?;
        let Event::SinkDownChanged { .. } = self.run.step_at(down)?.event else { return None };
        names::sink_of(self.run, consumer).map(str::to_owned)
    }

    fn fails_at(self, name: &str, what: &str, tries: u32, on_error: &OnError) -> String {
        let lang = self.lang;
        let nth = format::number(u64::from(tries));
        match on_error.tries {
            1 => both!(
                lang,
                "{name} での {what}の処理が例外で終わりました。",
                "Processing {what} in {name} ends with an exception."
            ),
            OnError::FOR_EVER => both!(
                lang,
                "{name} での {what}の処理が例外で終わりました（{nth} 回目）。",
                "Processing {what} in {name} ends with an exception: try {nth}."
            ),
            most => {
                let most = format::number(u64::from(most));
                both!(
                    lang,
                    "{name} での {what}の処理が例外で終わりました（{most} 回中 {nth} 回目）。",
                    "Processing {what} in {name} ends with an exception: try {nth} of {most}."
                )
            }
        }
    }

    #[inline(never)]
    fn fetches_again(self, on_error: &OnError, tries: u32) -> String {
        let back_off = format::span(self.lang, on_error.doubled_back_off(tries));
        both!(
            self.lang,
            "kafkajs は処理済みの分までを残し、{back_off}待ってから、このレコードからフェッチし直します。",
            "kafkajs keeps what is handled, waits {back_off} and fetches again from this record on."
        )
    }

    fn tries_again(self, after: AfterFailure, on_error: &OnError) -> String {
        let lang = self.lang;
        let back_off = format::span(lang, on_error.back_off);
        let waits = on_error.back_off.as_micros() > 0;
        let then = match (after, waits) {
            (AfterFailure::SeeksBack, false) => both!(
                lang,
                "アプリケーションは seek() でこのレコードまで戻ります。",
                "The application seeks back to it."
            ),
            (AfterFailure::SeeksBack, true) => both!(
                lang,
                "アプリケーションは seek() でこのレコードまで戻り、{back_off}待ちます。",
                "The application seeks back to it and waits {back_off}."
            ),
            (_, false) => both!(lang, "すぐにもう一度処理します。", "It is tried again at once."),
            (_, true) => both!(
                lang,
                "{back_off}待って、もう一度処理します。その間 poll() は呼ばれません。",
                "It is tried again after {back_off}; meanwhile nobody calls poll()."
            ),
        };
        if on_error.counts == Counts::OneRecord && on_error.tries != OnError::FOR_EVER {
            return both!(
                lang,
                "{then}回数は、最後に失敗したレコードの分しか数えていません。",
                "{then} Only the tries of the record that failed last are counted."
            );
        }
        then
    }

    fn worker_tries_again(self, on_error: &OnError) -> String {
        let back_off = format::span(self.lang, on_error.back_off);
        match on_error.back_off.as_micros() {
            0 => both!(self.lang, "ワーカーがすぐにもう一度処理します。", "The worker tries it again at once."),
            _ => both!(
                self.lang,
                "ワーカーは {back_off}待って再試行します。ほかのワーカーは動き続けます。",
                "The worker tries it again after {back_off}; the others and poll() go on."
            ),
        }
    }

    /// A record that an application has sent as a copy of one that it could not process.
    #[inline(never)]
    pub(super) fn set_aside(self, copy: RecordId, failed_at: StepNo) -> Option<String> {
        let (lang, run) = (self.lang, self.run);
        let Event::HandlingFailed { consumer, record, partition, offset, .. } = run.step_at(failed_at)?.event else {
            return None;
        };
        let sent = run.record(copy);
        let topic = names::topic(run, run.place(sent.partition).topic);
        let (name, producer) = (self.consumer(consumer), names::producer(run, sent.producer));
        let (what, copy) = (names::record_at(lang, run, record, partition, offset), names::record(run, copy));
        Some(both!(
            lang,
            "{name} は、処理できなかった {what}のコピー {copy} を、{producer} で {topic} に送りました。元のレコードは処理済みと同じ扱いになり、次へ進みます。",
            "{name} sends {copy}, a copy of {what}, which it could not process, to {topic} by {producer}. It goes on behind the original as if that were done."
        ))
    }
}
