//! Giving up partitions: the commits that come first, and the callbacks.
//!
//! Source: `ConsumerCoordinator#{onJoinPrepare, onLeavePrepare, close}`. The order is always the same: the client's own
//! commit if `enable.auto.commit` is on, then `onPartitionsRevoked()`, in which the application may commit, and only then
//! the partitions go. `onPartitionsLost()` never commits. Clients before 2.4 do not know it: they call
//! `onPartitionsRevoked()` whatever has become of the membership, and nothing on `close()`.

use super::{Client, Membership};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{CommitCall, ErrorCode, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::setup::Release;
use crate::sim::step::{Causes, Role};
use std::rc::Rc;

/// Since this release a listener learns that partitions are lost, and that they go because of `close()` (KIP-429).
const PARTITIONS_LOST: Release = (2, 4);

/// Partitions that a member is about to give up. As long as it waits for a commit, it still owns them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Revocation {
    partitions: Rc<[PartitionId]>,
    then: Then,
    stage: Stage,
    because: StepNo,
    /// The answer to the commit that came first.
    pub(super) waited_for: Option<StepNo>,
    /// True while a commit is not answered that no application waits for.
    pub(super) waits: bool,
}

/// What comes after the partitions have been given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// It joins the group again.
    Join,
    /// It comes to the assignment that it has been told, in the consumer protocol.
    Reconcile,
    /// It gets what it is given by a new assignment (cooperative), which was decided in this step.
    Assign {
        /// The step that computed it.
        decided: StepNo,
    },
    /// The process ends.
    Close,
}

/// What comes next, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The application's last commit before `close()`.
    LastCommit,
    /// The client's own commit.
    AutoCommit,
    /// `onPartitionsRevoked()` or `onPartitionsLost()`.
    Callback,
    /// The partitions go.
    GiveUp,
}

impl Client {
    /// Begins to give up partitions; what is to be committed before may take more steps.
    pub(super) fn begin_revocation(
        &mut self,
        ctx: Context<'_>,
        (partitions, then, because): (Rc<[PartitionId]>, Then, StepNo),
        out: &mut Out,
    ) {
        let stage = match then {
            Then::Join | Then::Reconcile => self.after_last_commit(),
            Then::Assign { .. } => Stage::Callback,
            Then::Close => Stage::LastCommit,
        };
        self.revocation = Some(Revocation { partitions, then, stage, because, waited_for: None, waits: false });
        self.go_on_revoking(ctx, out);
    }

    /// True while `poll()` gives up partitions.
    pub(super) fn is_revoking(&self) -> bool {
        self.revocation.as_ref().is_some_and(|revocation| revocation.then != Then::Close)
    }

    /// True while it waits for the answer to a commit beside the application.
    pub(super) fn revocation_waits(&self) -> bool {
        self.revocation.as_ref().is_some_and(|revocation| revocation.waits)
    }

    /// The commit of the client's own that came first is made once more (`maybeAutoCommitSyncBeforeRebalance`).
    pub(super) fn repeat_auto_commit(&mut self) {
        if let Some(revocation) = &mut self.revocation {
            revocation.stage = Stage::AutoCommit;
        }
    }

    /// True if the process is about to end and has given its partitions up, except for saying so.
    pub(super) fn is_ready_to_close(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        match &self.revocation {
            None => {
                let because = self.closing.unwrap_or(ctx.step);
                self.begin_revocation(ctx, (self.partitions(), Then::Close, because), out);
            }
            Some(_) => self.go_on_revoking(ctx, out),
        }
        out.event.is_none()
    }

    /// What comes behind the application's last commit.
    fn after_last_commit(&self) -> Stage {
        if self.library().calls_back_first() { Stage::Callback } else { Stage::AutoCommit }
    }

    /// Which partitions a client of librdkafka commits by itself when it gives up some: these only, as the others stay.
    /// Nothing of other clients and calls, which name all.
    #[inline(never)]
    pub(super) fn given_up_by(&self, call: CommitCall) -> Option<Rc<[PartitionId]>> {
        let of_library = self.library().calls_back_first() && call == CommitCall::AutoRejoin;
        let revocation = self.revocation.as_ref().filter(|_| of_library)?;
        let keeps_all = revocation.then == Then::Join && self.config.settings.is_cooperative();
        Some(if keeps_all { Rc::new([]) } else { revocation.partitions.clone() })
    }

    /// Goes on giving up partitions, up to the next thing that happens.
    pub(super) fn go_on_revoking(&mut self, ctx: Context<'_>, out: &mut Out) {
        let tells_lost = self.tells_lost();
        let (after_last_commit, calls_back_first) = (self.after_last_commit(), self.library().calls_back_first());
        while let Some(revocation) = &mut self.revocation {
            let (stage, then, because) = (revocation.stage, revocation.then, revocation.because);
            let commit = self.config.handling.commit;
            let (next, call) = match stage {
                Stage::LastCommit => (after_last_commit, commit.on_close.then_some(CommitCall::OnClose)),
                Stage::AutoCommit => {
                    let call = if then == Then::Close { CommitCall::AutoClose } else { CommitCall::AutoRejoin };
                    let next = if calls_back_first { Stage::GiveUp } else { Stage::Callback };
                    (next, self.config.settings.enable_auto_commit.then_some(call))
                }
                Stage::Callback => {
                    let calls_back = !self.config.reads.is_by_hand()
                        && match then {
                            Then::Reconcile => !revocation.partitions.is_empty(),
                            Then::Close => tells_lost,
                            Then::Join | Then::Assign { .. } => true,
                        };
                    let next = if calls_back_first { Stage::AutoCommit } else { Stage::GiveUp };
                    (next, (commit.on_revoke && calls_back).then_some(CommitCall::OnRevoke))
                }
                Stage::GiveUp => break,
            };
            revocation.stage = next;
            let is_lost =
                stage == Stage::Callback && tells_lost && (self.is_lost() || self.membership != Membership::Stable);
            if let Some(call) = call.filter(|_| !is_lost)
                && self.commit(ctx, call, because, out)
            {
                return;
            }
        }
        match self.revocation.as_ref().map(|revocation| revocation.then) {
            Some(Then::Join) => self.give_up_and_join(ctx, out),
            Some(Then::Assign { decided }) => self.give_up_some(ctx, decided, out),
            Some(Then::Reconcile) => {
                if let Some(Revocation { partitions, waited_for, .. }) = self.revocation.take() {
                    self.go_on_reconciling(ctx, (partitions, waited_for), out);
                }
            }
            Some(Then::Close) | None => {}
        }
    }

    /// Cooperative: what a new assignment does not hold is gone, the rest stays, and the group has to deal once more.
    #[inline(never)]
    fn give_up_some(&mut self, ctx: Context<'_>, decided: StepNo, out: &mut Out) {
        let Some(Revocation { partitions, because, waited_for, .. }) = self.revocation.take() else {
            return;
        };
        self.drop_partitions(&partitions, out);
        self.gave_up_some.retain(|(partition, _)| !partitions.contains(partition));
        self.gave_up_some.extend(partitions.iter().map(|&partition| (partition, ctx.step)));
        out.effects.extend(partitions.iter().map(|&partition| Effect::GivenUp { member: self.key, partition }));
        out.effects.push(Effect::Concerns(partitions.clone()));
        out.event(
            Event::SomePartitionsRevoked {
                consumer: self.consumer(),
                generation: self.generation,
                partitions: partitions.len() as u32,
                kept: self.owned.len() as u32,
            },
            Causes::NONE
                .and(Role::DecidedValue, decided)
                .and(Role::Triggered, because)
                .and_maybe(Role::WaitedFor, waited_for),
        );
        if self.rejoin.is_none() {
            self.rejoin = Some(ctx.step);
            self.rejoin_error = ErrorCode::None;
            self.standing.reason = RebalanceReason::PartitionsRevoked;
        }
        self.again(ctx, out);
    }

    fn give_up_and_join(&mut self, ctx: Context<'_>, out: &mut Out) {
        let Some(Revocation { mut partitions, because, waited_for, .. }) = self.revocation.take() else {
            return;
        };
        self.join_because = because;
        let is_lost = self.is_lost();
        if self.config.settings.is_cooperative() && !is_lost {
            partitions = Rc::new([]);
        }
        self.rejoin = None;
        self.membership = Membership::Unjoined;
        self.heartbeats += 1;
        if partitions.is_empty() {
            return self.send_join(ctx, out);
        }
        if self.library().retains_positions() {
            self.retain_positions(is_lost);
        }
        self.tell_given_up(
            ctx,
            (&partitions, is_lost && self.tells_lost()),
            Causes::triggered_by(because).and_maybe(Role::WaitedFor, waited_for),
            out,
        );
        self.join_because = ctx.step;
        self.again(ctx, out);
    }

    /// `onPartitionsRevoked()` or `onPartitionsLost()` returns: the partitions are gone, with what was polled or fetched
    /// of them and not processed.
    fn tell_given_up(
        &mut self,
        ctx: Context<'_>,
        (partitions, is_lost): (&[PartitionId], bool),
        causes: Causes,
        out: &mut Out,
    ) {
        let (consumer, generation, error, count) =
            (self.consumer(), self.generation, self.rejoin_error, partitions.len() as u32);
        let event = match is_lost {
            true => Event::PartitionsLost { consumer, generation, partitions: count, error },
            false => Event::PartitionsRevoked { consumer, generation, partitions: count },
        };
        out.event(event, causes);
        out.effects.push(Effect::Concerns(partitions.into()));
        self.gave_up = Some(ctx.step);
        self.drop_partitions(partitions, out);
        out.effects.extend(partitions.iter().map(|&partition| Effect::GivenUp { member: self.key, partition }));
    }

    /// True if the client knows that it is no longer in the generation in which it got its partitions: they may belong
    /// to somebody else already.
    pub(super) fn is_lost(&self) -> bool {
        self.rejoin.is_some() && is_fatal_for_generation(self.rejoin_error)
    }

    /// True if its listener has `onPartitionsLost()`.
    fn tells_lost(&self) -> bool {
        self.config.settings.release >= PARTITIONS_LOST && !self.coordinates_beside()
    }

    pub(super) fn drop_partitions(&mut self, gone: &[PartitionId], out: &mut Out) {
        self.revoke_from_pool(gone, out);
        let stays_in_hand = self.coordinates_beside();
        if stays_in_hand {
            self.leave_with_application(gone);
        }
        self.owned.retain(|owned| !gone.contains(&owned.partition));
        self.buffer.retain(|(range, _)| !gone.contains(&range.partition));
        if !stays_in_hand {
            self.batch.retain(|range| !gone.contains(&range.partition));
        }
        if self.has_failures() && !stays_in_hand {
            self.forget_failures(gone);
        }
        self.positions_due.retain(|due| !gone.contains(&due.0));
        self.reads.forget(gone);
        self.resets_due.retain(|partition| !gone.contains(partition));
        if self.owned.is_empty() {
            self.fetches.clear();
            self.timed_out = None;
        }
    }
}

/// Errors after which the client forgets its generation (`resetStateOnResponseError`).
pub(super) const fn is_fatal_for_generation(error: ErrorCode) -> bool {
    matches!(error, ErrorCode::UnknownMemberId | ErrorCode::IllegalGeneration | ErrorCode::FencedMemberEpoch)
}
