//! What happened, in one or two short sentences, for every kind of event.

mod acting;
mod commits;
mod failing;
mod joining;
mod life;
mod members;
mod modern;
mod offsets;
mod reading;
mod storing;
mod writing;

pub(super) use commits::commit_exception;

use super::{Lang, format, library, names};
use crate::sim::{ConsumerId, Event, Simulation, Step, StepNo};

/// What happened in a known step; past or future, it makes no difference. Empty if the step is not known.
pub fn sentence(lang: Lang, run: &Simulation, step: StepNo) -> String {
    match run.step_at(step) {
        Some(&found) => {
            let told = Telling { lang, run, number: step, step: found }.tell();
            library::in_its_words(run, &found.event, told)
        }
        None => String::new(),
    }
}

/// A step that is being told.
#[derive(Clone, Copy)]
struct Telling<'a> {
    lang: Lang,
    run: &'a Simulation,
    number: StepNo,
    step: Step,
}

impl<'a> Telling<'a> {
    fn tell(self) -> String {
        match self.step.event {
            Event::RecordSent { .. }
            | Event::ProduceSent { .. }
            | Event::RecordAppended { .. }
            | Event::ProduceAcknowledged { .. }
            | Event::ProducerMetadataRefreshed { .. }
            | Event::ProducerStarted { .. }
            | Event::ProducerCrashed { .. }
            | Event::ProducerClosed { .. } => self.writing(),

            Event::ConsumerStarted { .. }
            | Event::ConsumerCrashed { .. }
            | Event::CloseRequested { .. }
            | Event::ConsumerClosed { .. }
            | Event::HeartbeatSent { .. }
            | Event::HeartbeatReceived { .. }
            | Event::HeartbeatAnswered { .. }
            | Event::MemberLeft { .. }
            | Event::SessionExpired { .. }
            | Event::RebalanceTimedOut { .. }
            | Event::PollTimedOut { .. }
            | Event::HeartbeatsSkipped { .. }
            | Event::MemberIdExpired { .. }
            | Event::GroupEmptied { .. }
            | Event::RunEnded {} => self.life(),

            Event::JoinGroupSent { .. }
            | Event::MemberIdGiven { .. }
            | Event::MemberJoined { .. }
            | Event::JoinRejected { .. }
            | Event::RejoinNeeded { .. }
            | Event::RebalanceStarted { .. }
            | Event::GenerationStarted { .. }
            | Event::AssignmentComputed { .. }
            | Event::SyncGroupSent { .. }
            | Event::SyncGroupReceived { .. }
            | Event::SyncRejected { .. }
            | Event::PartitionsAssigned { .. }
            | Event::PartitionsRevoked { .. }
            | Event::PartitionsLost { .. } => self.joining(),

            Event::JoiningHeartbeatSent { .. }
            | Event::GroupEpochBumped { .. }
            | Event::TargetAssignmentComputed { .. }
            | Event::RevocationRequested { .. }
            | Event::RevocationAcknowledged { .. }
            | Event::AssignmentGiven { .. }
            | Event::MemberEpochRaised { .. }
            | Event::ReconciliationRevoked { .. }
            | Event::ReconciliationAssigned { .. }
            | Event::StaticMemberLeft { .. }
            | Event::RevocationTimedOut { .. } => self.modern(),
            Event::ConsumerFailed { .. }
            | Event::MemberReplaced { .. }
            | Event::MetadataRefreshed { .. }
            | Event::SomePartitionsRevoked { .. }
            | Event::MorePartitionsAssigned { .. } => self.members(),

            Event::FetchSent { .. }
            | Event::FetchReceived { .. }
            | Event::FetchAnswered { .. }
            | Event::RecordsFetched { .. }
            | Event::RecordsPolled { .. }
            | Event::HandlingStarted { .. }
            | Event::RecordProcessed { .. } => self.reading(),
            Event::HandlingFailed { .. } => self.failing(),

            Event::OffsetFetchAnswered { .. }
            | Event::ListOffsetsSent { .. }
            | Event::ListOffsetsAnswered { .. }
            | Event::PositionSet { .. }
            | Event::PartitionsChosen { .. }
            | Event::PollThrew { .. }
            | Event::OffsetExpired { .. }
            | Event::OffsetOutOfRange { .. } => self.offsets(),
            Event::OffsetsStored { .. } | Event::StoredOffsetsRead { .. } => self.storing(),

            Event::OffsetCommitSent { .. }
            | Event::OffsetCommitted { .. }
            | Event::CommitRejected { .. }
            | Event::CommitRepeated { .. }
            | Event::CommitAnswered { .. }
            | Event::CommitFailed { .. } => self.commits(),

            Event::ConsumerFrozen { .. }
            | Event::ConsumerThawed { .. }
            | Event::PartitionPaused { .. }
            | Event::PartitionResumed { .. }
            | Event::PositionSought { .. }
            | Event::OffsetReset { .. }
            | Event::PartitionsAdded { .. }
            | Event::MessageDelayed { .. }
            | Event::MessageDropped { .. }
            | Event::RequestTimedOut { .. }
            | Event::HandlingTimeChanged { .. }
            | Event::LatencyChanged { .. }
            | Event::RateChanged { .. }
            | Event::SettingChanged { .. }
            | Event::ProducerSettingChanged { .. }
            | Event::CommitPolicyChanged { .. }
            | Event::UniqueKeyChanged { .. }
            | Event::SinkDownChanged { .. }
            | Event::BrokerSettingChanged { .. }
            | Event::ActionRefused { .. } => self.acting(),
        }
    }

    fn consumer(&self, consumer: ConsumerId) -> &'a str {
        names::consumer(self.run, consumer)
    }

    /// Silence after which the coordinator removes the member.
    fn session_timeout(&self, consumer: ConsumerId) -> crate::sim::Span {
        self.run.session_timeout(consumer)
    }

    fn is_static(&self, consumer: ConsumerId) -> bool {
        self.run.consumer(consumer).instance_id.is_some()
    }

    fn settings(&self, consumer: ConsumerId) -> &'a crate::sim::setup::ConsumerSettings {
        &self.run.consumer(consumer).config().settings
    }

    fn records(&self, n: u32) -> String {
        format::records(self.lang, n)
    }

    fn partitions(&self, n: u32) -> String {
        format::partitions(self.lang, n)
    }

    /// The partitions of a list by name, if it is the whole list; otherwise only their number.
    fn named(&self, partitions: &[crate::sim::PartitionId], count: u32) -> String {
        match partitions.len() as u32 == count {
            true => names::partition_list(self.lang, self.run, partitions),
            false => self.partitions(count),
        }
    }
}
