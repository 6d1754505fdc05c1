//! Commits: `commitSync()`, `commitAsync()`, and what `enable.auto.commit` does inside `poll()` and `close()`.
//!
//! Source: `ConsumerCoordinator#{sendOffsetCommitRequest, commitOffsetsSync, commitOffsetsAsync,
//! maybeAutoCommitOffsetsAsync}`, `SubscriptionState#allConsumed`. A call without arguments names every partition that has a
//! position, also where nothing has changed: it can be refused, it lets the retention of the offset start anew, and it
//! takes back what another consumer has committed meanwhile. Only the periodic commit of a consumer for which *nothing*
//! has changed is left out; Kafka sends it every `auto.commit.interval.ms` all the same.

use super::{Application, Client, Membership, Owned};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{CommitCall, ErrorCode, Event};
use crate::sim::ids::*;
use crate::sim::network::{Message, PartitionOffset};
use crate::sim::queue::Due;
use crate::sim::setup::{CommitHow, CommitOffset, CommitPolicy, CommitWhen, CommitsIn};
use crate::sim::step::{Causes, Role};
use crate::sim::time::{Span, Time};
use std::rc::Rc;

/// A commit that has not been answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Commit {
    /// The step that sent it.
    request: StepNo,
    /// When the application or the client began to wait for it.
    called_at: Time,
    call: CommitCall,
    offsets: Rc<[PartitionOffset]>,
}

/// A commit whose callback has not been called yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Completed {
    call: CommitCall,
    error: ErrorCode,
    answered_by: StepNo,
    offsets: Rc<[PartitionOffset]>,
}

/// What an application does beside the calls of its loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Buffered {
    /// When it last committed, or started.
    since: Time,
    /// When it is to be woken to commit, if that is scheduled.
    wake_at: Option<Time>,
    /// Offsets whose commit failed, that its callback is about to send again, and the step of the callback.
    again: Option<(Rc<[PartitionOffset]>, StepNo)>,
}

impl Buffered {
    /// Nothing has been processed yet.
    pub(super) const fn new(now: Time) -> Self {
        Buffered { since: now, wake_at: None, again: None }
    }
}

/// The timer of `auto.commit.interval.ms`. Only `poll()` looks at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AutoCommit {
    pub(super) due: Time,
    /// Since when the application has been inside `poll()`, if it is: then the timer is looked at all the time.
    polling_since: Option<Time>,
    /// When the application is to be woken for it, if that is scheduled.
    pub(super) wake_at: Option<Time>,
}

impl AutoCommit {
    /// The timer starts.
    pub(super) fn new(now: Time, interval: Option<Span>) -> Self {
        AutoCommit { due: now + interval.unwrap_or(Span::ZERO), polling_since: None, wake_at: None }
    }
}

impl Owned {
    /// Records processed that no commit holds which was sent and not refused.
    pub(super) fn uncommitted(&self) -> u32 {
        let beyond = self.beyond.iter().filter(|&&offset| offset >= self.commit_sent).count() as u32;
        self.next.saturating_sub(self.commit_sent) + beyond
    }

    /// What is to be committed of it: its position, or what is processed. Nothing while its position is not known.
    pub(super) fn offset_for(&self, of_positions: bool, offset: CommitOffset) -> Option<Offset> {
        self.position.map(|position| if of_positions { position } else { self.processed_to(offset) })
    }

    /// True if the application has stored an offset of it since it began to read there.
    pub(super) fn has_stored(&self, of_positions: bool, offset: CommitOffset) -> bool {
        self.offset_for(of_positions, offset).is_some_and(|offset| offset != self.began_at)
    }

    /// What the application takes for the offset to commit.
    fn processed_to(&self, offset: CommitOffset) -> Offset {
        match offset {
            CommitOffset::Contiguous => self.next,
            CommitOffset::Highest => {
                self.stored_late.unwrap_or_else(|| self.beyond.last().map_or(self.next, |&last| last + 1))
            }
            CommitOffset::Own => self.next.saturating_sub(1).max(self.committed),
        }
    }

    /// True if a commit of positions commits another offset of it than the last one did.
    pub(super) fn has_moved(&self) -> bool {
        self.position.is_some_and(|position| position != self.commit_sent || !self.is_committed)
    }

    /// True if there is something to commit of it beyond the last commit.
    pub(super) fn has_progress(&self, of_positions: bool, offset: CommitOffset) -> bool {
        self.offset_for(of_positions, offset).is_some_and(|offset| offset > self.commit_sent)
    }
}

impl CommitCall {
    /// True for a call of the application's own; the others are made by the client and no error of theirs is thrown.
    pub const fn is_of_application(self) -> bool {
        !matches!(
            self,
            CommitCall::AutoInterval | CommitCall::AutoRejoin | CommitCall::AutoClose | CommitCall::AutoSeek
        )
    }

    /// True if the application thread waits for the answer.
    pub(super) const fn blocks(self) -> bool {
        !matches!(self, CommitCall::Async | CommitCall::AsyncBefore | CommitCall::AsyncAgain | CommitCall::AutoInterval)
    }

    /// True for a commit of positions, hence of what `poll()` has returned, processed or not.
    pub(super) const fn is_of_positions(self) -> bool {
        matches!(self, CommitCall::SyncBefore | CommitCall::AsyncBefore) || !self.is_of_application()
    }
}

/// How long an application that has given back its batch does not ask for records. Otherwise it would do nothing but fetch
/// the same ones as long as its commits fail, which is while a cooperative rebalance goes on, or for ever. It is the
/// application's own, and as long as a client's `retry.backoff.ms`.
const COMMIT_RETRY: Span = Span::from_millis(100);

impl Client {
    /// Records processed that no commit holds which was sent and not refused.
    pub fn uncommitted(&self) -> u32 {
        self.owned.iter().chain(&self.leftover).map(Owned::uncommitted).sum()
    }

    /// True unless the client knows that it is no member (`generationIfStable`): then a commit fails here. Who assigned
    /// its partitions by hand needs no membership.
    pub(super) fn may_commit(&self) -> bool {
        match self.library().always_asks() {
            true => self.has_generation(),
            false => self.membership == Membership::Stable && !self.is_lost(),
        }
    }

    /// The application commits in another way from its next record on. Inside of `poll()`, or in the middle of a batch that
    /// it did not commit before, it makes no commit that it would not have made before.
    pub fn set_commit_policy(&mut self, policy: CommitPolicy) {
        self.batch_is_new &= self.config.handling.commit.when == CommitWhen::BeforeBatch;
        self.since_commit = match policy.when {
            CommitWhen::AfterRecords(records) | CommitWhen::RecordsOrTime { records, .. } => {
                self.since_commit.min(records - 1)
            }
            _ if self.batch.is_empty() => 0,
            _ => self.since_commit,
        };
        Rc::make_mut(&mut self.config).handling.commit = policy;
    }

    /// The commit that the application's loop makes at this place, if it makes one.
    pub(super) fn loop_commits(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        let policy = self.config.handling.commit;
        let (call, call_before) = match policy.how {
            CommitHow::Sync => (CommitCall::Sync, CommitCall::SyncBefore),
            CommitHow::Async | CommitHow::AsyncRetry => (CommitCall::Async, CommitCall::AsyncBefore),
        };
        match policy.when {
            CommitWhen::AfterRecords(records) => {
                self.since_commit >= records.max(1) && self.commit(ctx, call, self.last_processed, out)
            }
            CommitWhen::AfterBatch => {
                self.since_commit > 0 && self.batch.is_empty() && self.commit(ctx, call, self.last_processed, out)
            }
            CommitWhen::BeforeBatch => {
                let begins = std::mem::take(&mut self.batch_is_new) && !self.batch.is_empty();
                begins && self.commit(ctx, call_before, self.polled.1, out)
            }
            CommitWhen::RecordsOrTime { records, time } => self.commits_in_time(ctx, (call, records, time), out),
            CommitWhen::Never => false,
        }
    }

    /// The commit of an application that looks at the clock, too: between two records, and while it waits in `poll()`.
    #[inline(never)]
    fn commits_in_time(
        &mut self,
        ctx: Context<'_>,
        (call, records, time): (CommitCall, u32, Span),
        out: &mut Out,
    ) -> bool {
        let joins = self.batch.is_empty() && self.membership != Membership::Stable;
        if self.since_commit == 0 || joins {
            return false;
        }
        let due = self.buffered.since + time;
        if self.since_commit >= records || due <= ctx.now {
            self.buffered.since = ctx.now;
            return self.commit(ctx, call, self.last_processed, out);
        }
        if self.buffered.wake_at != Some(due) {
            self.buffered.wake_at = Some(due);
            out.wake(due, Due::Application(self.consumer(), self.key.incarnation));
        }
        false
    }

    /// The callback of a commit that failed sends its offsets again. False if there are none.
    #[inline(never)]
    pub(super) fn commits_again(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        let Some((offsets, because)) = self.buffered.again.take() else {
            return false;
        };
        if !self.may_commit() {
            return false;
        }
        for &(partition, offset) in offsets.iter() {
            if let Some(owned) = self.owned_mut(partition) {
                owned.commit_sent = offset;
            }
        }
        let (consumer, generation, call) = (self.consumer(), self.generation, CommitCall::AsyncAgain);
        let partitions = offsets.len() as u32;
        out.event(Event::OffsetCommitSent { consumer, generation, partitions, call }, Causes::triggered_by(because));
        self.commits.push(Commit { request: ctx.step, called_at: ctx.now, call, offsets: offsets.clone() });
        let generation = (!self.is_assigned_by_hand()).then_some(generation);
        self.send_to_coordinator(Message::OffsetCommit { member: self.key, generation, offsets }, out);
        self.again(ctx, out);
        true
    }

    /// True if the call passes offsets: an application that commits after every few records names those that it has
    /// processed since, `commitSync(Map)`. All others are calls without arguments.
    pub(super) fn passes_offsets(&self, call: CommitCall) -> bool {
        matches!(call, CommitCall::Sync | CommitCall::Async) && self.config.handling.commit.when.is_by_the_record()
    }

    /// Commits. False if there is nothing to be sent and nobody to be told; otherwise this is what happens in the step,
    /// and the application goes on later.
    pub(super) fn commit(&mut self, ctx: Context<'_>, call: CommitCall, because: StepNo, out: &mut Out) -> bool {
        if let Some(store) = self.config.handling.offset_store.filter(|_| call.is_of_application()) {
            return self.store_offsets(ctx, (store, call, because), out);
        }
        if !call.is_of_positions() {
            self.since_commit = 0;
        }
        // The newer client asks in any case, without an epoch (`CommitRequestManager`).
        let knows_better = !self.may_commit();
        let is_leftover = self.works_on_leftover() && self.commits_leftover(call);
        let names_unassigned = is_leftover && self.names_unassigned(call);
        let fails_here = (knows_better && !self.is_modern() && !self.library().always_asks()) || names_unassigned;
        if knows_better && !call.is_of_application() && !self.waits_beside(call) {
            return false;
        }
        let which = self.config.handling.commit.offset;
        let of_positions = self.commits_positions(call);
        let only_progress = self.passes_offsets(call) || self.commits_only_progress(call);
        let only_stored = self.commits_all_stored(call);
        let only_these = self.given_up_by(call);
        let take = |owned: &mut Owned| {
            let is_meant = only_these.as_ref().is_none_or(|these| these.contains(&owned.partition));
            let is_left_out = match only_stored {
                true => !owned.has_stored(of_positions, which),
                false => only_progress && !owned.has_progress(of_positions, which),
            };
            if !is_meant || is_left_out {
                return None;
            }
            let offset = owned.offset_for(of_positions, which)?;
            if !fails_here {
                owned.commit_sent = offset;
                owned.is_committed = true;
            }
            Some((owned.partition, offset))
        };
        let list = if is_leftover { &mut self.leftover } else { &mut self.owned };
        let offsets: Rc<[PartitionOffset]> = list.iter_mut().filter_map(take).collect();
        if offsets.is_empty() {
            return false;
        }
        let consumer = self.consumer();
        let causes = Causes::triggered_by(because).and_maybe(
            Role::DecidedValue,
            Some(self.last_processed).filter(|&last| last != because && !call.is_of_positions()),
        );
        if fails_here {
            let error = match self.membership {
                _ if names_unassigned => ErrorCode::PartitionNotAssigned,
                Membership::Joining | Membership::Syncing => ErrorCode::RebalanceInProgress,
                _ => ErrorCode::UnknownMemberId,
            };
            out.event(Event::CommitFailed { consumer, call, error }, causes);
            self.give_back_batch(ctx, call, out);
            self.again(ctx, out);
            return true;
        }
        self.send_commit(ctx, (call, causes), offsets, out);
        true
    }

    /// Sends these offsets to the coordinator, without a generation if the client knows of none.
    pub(super) fn send_commit(
        &mut self,
        ctx: Context<'_>,
        (call, causes): (CommitCall, Causes),
        offsets: Rc<[PartitionOffset]>,
        out: &mut Out,
    ) {
        let (consumer, generation, partitions) = (self.consumer(), self.generation, offsets.len() as u32);
        out.event(Event::OffsetCommitSent { consumer, generation, partitions, call }, causes);
        self.commits.push(Commit { request: ctx.step, called_at: ctx.now, call, offsets: offsets.clone() });
        let generation = (!self.is_assigned_by_hand() && self.may_commit()).then_some(generation);
        self.send_to_coordinator(Message::OffsetCommit { member: self.key, generation, offsets }, out);
        if self.waits_beside(call) {
            if let Some(revocation) = &mut self.revocation {
                revocation.waits = true;
            }
        } else if self.waits_for(call) {
            self.application = Application::Committing;
        } else {
            self.again(ctx, out);
        }
    }

    /// When the commit that this step sent was called, if its answer is waited for; nothing of one that is not sent again.
    pub(super) fn waits_for_commit(&self, request: StepNo) -> Option<Option<Time>> {
        let commit = self.commits.iter().find(|commit| commit.request == request)?;
        Some(self.waits_for(commit.call).then_some(commit.called_at))
    }

    /// Sends a commit once more that has not been answered.
    pub(super) fn send_commit_again(&mut self, ctx: Context<'_>, request: StepNo, out: &mut Out) {
        let generation = (!self.is_assigned_by_hand()).then_some(self.generation);
        if let Some(commit) = self.commits.iter_mut().find(|commit| commit.request == request) {
            commit.request = ctx.step;
            let offsets = commit.offsets.clone();
            self.send_to_coordinator(Message::OffsetCommit { member: self.key, generation, offsets }, out);
        }
    }

    /// The answer to a commit. After a `CommitFailedException` the application goes on with the rest of its batch; the
    /// next `poll()` joins the group again.
    pub fn handle_commit_answer(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (request, error): (StepNo, ErrorCode),
        out: &mut Out,
    ) {
        let Some(place) = self.commits.iter().position(|commit| commit.request == request) else {
            return;
        };
        let commit = self.commits.remove(place);
        for &(partition, offset) in commit.offsets.iter() {
            let is_meant = |owned: &&mut Owned| (owned.partition, owned.commit_sent) == (partition, offset);
            for owned in self.owned.iter_mut().chain(&mut self.leftover).filter(is_meant) {
                match error {
                    ErrorCode::None => owned.committed = offset,
                    _ => owned.commit_sent = owned.committed,
                }
            }
        }
        let call = commit.call;
        if !self.waits_for(call) {
            self.note_commit_error(sent_by, error);
            self.set_commit_timer(ctx, out);
            self.completed.push_back(Completed { call, error, answered_by: sent_by, offsets: commit.offsets });
            if self.is_in_poll() && self.revocation.is_none() {
                self.call_back(ctx, out);
            }
            return;
        }
        if !self.waits_beside(call) {
            self.application = Application::Polling;
        }
        out.event(Event::CommitAnswered { consumer: self.consumer(), call, error }, Causes::triggered_by(sent_by));
        self.note_commit_error(ctx.step, error);
        if let Some(fatal) = &mut self.fatal {
            fatal.is_thrown |= call.is_of_application();
        }
        if let Some(revocation) = &mut self.revocation {
            revocation.waited_for = Some(ctx.step);
            revocation.waits = false;
        }
        if (call, error) == (CommitCall::AutoRejoin, ErrorCode::StaleMemberEpoch) {
            self.repeat_auto_commit();
        }
        if error != ErrorCode::None {
            self.give_back_batch(ctx, call, out);
        }
        self.again(ctx, out);
    }

    /// In the consumer protocol only a heartbeat's answer can end the membership.
    fn note_commit_error(&mut self, step: StepNo, error: ErrorCode) {
        if !self.is_modern() && !self.is_on_its_way_back() {
            self.note_group_error(step, error);
        }
    }

    /// Calls the callback of a `commitAsync()` that has been answered; `poll()` begins with that. False if there is none.
    pub(super) fn call_back(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        let Some(Completed { call, error, answered_by, offsets }) = self.completed.pop_front() else {
            return false;
        };
        let may_help = matches!(error, ErrorCode::RequestTimedOut | ErrorCode::RebalanceInProgress);
        if may_help && call.is_of_application() && self.config.handling.commit.how == CommitHow::AsyncRetry {
            self.buffered.again = Some((offsets, ctx.step));
        }
        let consumer = self.consumer();
        out.event(Event::CommitAnswered { consumer, call, error }, Causes::triggered_by(answered_by));
        self.again(ctx, out);
        true
    }

    /// An application that must not process anything twice does not touch a batch whose commit has failed: it goes back
    /// to where the batch begins.
    #[inline(never)]
    fn give_back_batch(&mut self, ctx: Context<'_>, call: CommitCall, out: &mut Out) {
        if call != CommitCall::SyncBefore {
            return;
        }
        self.put_back_batch(ctx);
        self.records_from = ctx.now + COMMIT_RETRY;
        out.wake(self.records_from, Due::Application(self.consumer(), self.key.incarnation));
    }

    /// What `poll()` has returned and is not handled is to be fetched once more.
    #[inline(never)]
    pub(super) fn put_back_batch(&mut self, ctx: Context<'_>) {
        self.buffer.clear();
        self.fetches.clear();
        let is_leftover = self.works_on_leftover();
        for owned in self.owned.iter_mut().filter(|_| !is_leftover) {
            if let Some(first) = self.batch.iter().find(|range| range.partition == owned.partition) {
                owned.position = Some(first.from);
                owned.position_step = ctx.step;
            }
            owned.fetched_to = owned.position.unwrap_or(owned.fetched_to);
        }
        self.batch.clear();
    }

    /// The periodic commit of `poll()`: what earlier calls of `poll()` returned, once the timer has run out.
    pub(super) fn auto_commits(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        let Some(interval) = self.config.settings.auto_commit().filter(|_| self.commits_in() == CommitsIn::Poll) else {
            return false;
        };
        // The client's clock counts milliseconds: with 0 every poll of another one commits.
        let interval = interval.max(Span::from_millis(1));
        let since = *self.auto_commit.polling_since.get_or_insert(ctx.now);
        let due = self.auto_commit.due;
        if due <= ctx.now {
            // While the application waited in `poll()`, the timer ran out again and again and there was nothing to do.
            let late = if since <= due { ctx.now.since(due).as_micros() % interval.as_micros() } else { 0 };
            self.auto_commit.due = ctx.now + Span::from_micros(interval.as_micros() - late);
            if late == 0 && self.has_auto_commit() && self.commit(ctx, CommitCall::AutoInterval, self.polled.1, out) {
                return true;
            }
        }
        let due = self.auto_commit.due;
        if self.auto_commit.wake_at.is_none() && self.has_auto_commit() {
            self.auto_commit.wake_at = Some(due);
            out.wake(due, Due::AutoCommit(self.consumer(), self.key.incarnation));
        }
        false
    }

    /// The application thread leaves `poll()`.
    pub(super) fn leave_poll(&mut self) {
        self.auto_commit.polling_since = None;
    }

    /// The timer starts anew with each assignment (`onJoinComplete`).
    pub(super) fn restart_auto_commit(&mut self, ctx: Context<'_>) {
        if let Some(interval) = self.config.settings.auto_commit().filter(|_| self.commits_in() == CommitsIn::Poll) {
            self.auto_commit.due = ctx.now + interval;
        }
    }

    /// True if the periodic commit would have something to send.
    pub(super) fn has_auto_commit(&self) -> bool {
        let has_some = |owned: &Owned| match self.library().commits_only_progress() {
            true => self.has_progress(owned),
            false => owned.has_moved(),
        };
        self.may_commit() && self.owned.iter().any(has_some)
    }

    /// The moment has come for which the periodic commit had scheduled itself; returns when to look again.
    #[inline(never)]
    pub fn handle_auto_commit_due(&mut self, ctx: Context<'_>, out: &mut Out) -> Option<Time> {
        self.auto_commit.wake_at = None;
        if self.commits_in() == CommitsIn::Background {
            self.commit_in_background(ctx, out);
            return None;
        }
        if !self.is_in_poll() || self.revocation.is_some() {
            return None;
        }
        if ctx.now < self.auto_commit.due && self.has_auto_commit() {
            self.auto_commit.wake_at = Some(self.auto_commit.due);
            return self.auto_commit.wake_at;
        }
        self.again(ctx, out);
        None
    }

    /// The wake-up that is scheduled is for something that is still to be committed, or there is none.
    pub fn settle_auto_commit(&mut self) {
        self.auto_commit.wake_at = self.auto_commit.wake_at.filter(|_| self.waits_for_auto_commit());
    }

    /// True if there is something to commit when the timer runs out: for an application that waits in `poll()`, or beside
    /// it.
    pub fn waits_for_auto_commit(&self) -> bool {
        (self.is_in_poll() || self.commits_in() == CommitsIn::Background) && self.has_auto_commit()
    }
}
