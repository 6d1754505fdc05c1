//! Which message a step is the arrival of.

use crate::sim::event::ErrorCode;
use crate::sim::{Api, BrokerId, ClientId, Event, MessageKind, PartitionId, Role, Simulation, Step, StepNo};

/// A message that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    pub kind: MessageKind,
    pub client: ClientId,
    pub broker: BrokerId,
    /// The step that sent it.
    pub sent: StepNo,
    /// What an answer tells, if that is no success.
    pub error: Option<&'static str>,
    /// True for what goes on all the time and tells nothing new: a heartbeat that finds everything as it was, a Fetch.
    pub is_chatter: bool,
}

/// The message whose arrival a step is. Several steps may follow from one message, and all of them name it: the first is the
/// arrival.
pub(super) fn arrival(run: &Simulation, number: StepNo, step: &Step) -> Option<Arrival> {
    let trigger = step.causes.with_role(Role::Triggered);
    let because = trigger.and_then(|trigger| run.step_at(trigger)).map(|step| step.event);
    let request = |api| Some(MessageKind { api, is_answer: false });
    let answer = |api| Some(MessageKind { api, is_answer: true });
    if let Event::RecordAppended { record, partition, .. } = step.event {
        // What set it off is the record's own step; the request is what it waited for.
        return Some(Arrival {
            kind: MessageKind { api: Api::Produce, is_answer: false },
            client: ClientId::Producer(run.record(record).producer),
            broker: leader(run, partition),
            sent: step.causes.with_role(Role::WaitedFor)?,
            error: None,
            is_chatter: false,
        });
    }
    if let Event::ProduceAcknowledged { producer, partition, .. } = step.event {
        return Some(Arrival {
            kind: MessageKind { api: Api::Produce, is_answer: true },
            client: ClientId::Producer(producer),
            broker: leader(run, partition),
            sent: trigger?,
            error: None,
            is_chatter: false,
        });
    }
    let consumer = match step.event {
        Event::TargetAssignmentComputed { .. } => because?.consumer()?,
        event => event.consumer()?,
    };
    let heartbeat = match run.setup().is_modern(run.consumer(consumer).group) {
        true => Api::ConsumerGroupHeartbeat,
        false => Api::Heartbeat,
    };
    let is_modern = heartbeat == Api::ConsumerGroupHeartbeat;
    let from_client = because.is_some_and(|because| !is_of_broker(&because));
    let kind = match step.event {
        Event::FetchReceived { .. } => request(Api::Fetch),
        Event::RecordsFetched { .. } | Event::OffsetOutOfRange { .. } => answer(Api::Fetch),
        Event::MemberReplaced { .. } if is_modern => request(heartbeat),
        Event::MemberIdGiven { .. }
        | Event::MemberJoined { .. }
        | Event::MemberReplaced { .. }
        | Event::JoinRejected { .. } => request(Api::JoinGroup),
        Event::SyncGroupReceived { .. } | Event::SyncRejected { .. } => request(Api::SyncGroup),
        Event::OffsetFetchAnswered { .. } => request(Api::OffsetFetch),
        Event::ListOffsetsAnswered { .. } => request(Api::ListOffsets),
        Event::OffsetCommitted { .. } | Event::CommitRepeated { .. } | Event::CommitRejected { .. } => {
            request(Api::OffsetCommit)
        }
        Event::CommitAnswered { .. } => answer(Api::OffsetCommit),
        Event::HeartbeatReceived { .. }
        | Event::GroupEpochBumped { .. }
        | Event::TargetAssignmentComputed { .. }
        | Event::RevocationRequested { .. }
        | Event::RevocationAcknowledged { .. }
        | Event::AssignmentGiven { .. }
        | Event::MemberEpochRaised { .. }
            if from_client =>
        {
            request(heartbeat)
        }
        Event::HeartbeatAnswered { .. } => answer(heartbeat),
        Event::MemberLeft { .. } | Event::StaticMemberLeft { .. } if from_client => {
            request(if is_modern { heartbeat } else { Api::LeaveGroup })
        }
        _ if is_of_broker(&step.event) => None,
        // What a client does next tells that the answer has come.
        _ => match because? {
            Event::MemberIdGiven { .. }
            | Event::GenerationStarted { .. }
            | Event::MemberReplaced { .. }
            | Event::MemberJoined { .. }
            | Event::JoinRejected { .. }
            | Event::SessionExpired { .. } => answer(Api::JoinGroup),
            Event::SyncGroupReceived { .. } | Event::SyncRejected { .. } => answer(Api::SyncGroup),
            // SyncGroups that the coordinator has held back.
            Event::RebalanceStarted { .. } if matches!(step.event, Event::RejoinNeeded { .. }) => {
                answer(Api::SyncGroup)
            }
            _ => None,
        },
    }?;
    let sent = trigger?;
    // A client that gives up waiting does what it does with an answer, and there is none.
    let is_of_other_side =
        is_of_broker(&because?) == kind.is_answer || matches!(because?, Event::HeartbeatsSkipped { .. });
    if !is_of_other_side {
        return None;
    }
    let error = if kind.is_answer { because.and_then(|because| told_by(&because, &step.event)) } else { None };
    let plain = |event: &Event| matches!(event, Event::HeartbeatReceived { error: ErrorCode::None, .. });
    let is_chatter = match kind.api {
        Api::Fetch => error.is_none(),
        Api::Heartbeat | Api::ConsumerGroupHeartbeat => {
            plain(&step.event) || (kind.is_answer && because.is_none_or(|because| plain(&because)))
        }
        _ => false,
    };
    let broker = match kind.api {
        Api::Fetch if kind.is_answer => {
            let answered = run.step_at(sent)?;
            broker_of_data(run, answered.causes.with_role(Role::Triggered)?)
        }
        Api::Fetch | Api::ListOffsets => broker_of_data(run, number),
        _ => run.group(run.consumer(consumer).group).broker,
    };
    Some(Arrival { kind, client: consumer.into(), broker, sent, error, is_chatter })
}

/// The answer that is sent in a step to the one consumer that it is about. Its arrival may bring about no step: where nothing
/// tells of it, where the consumer has ended, where it no longer waits for it.
pub(super) fn answer_sent(run: &Simulation, number: StepNo, step: &Step) -> Option<Arrival> {
    let (api, broker) = match step.event {
        Event::OffsetFetchAnswered { group, .. } => (Api::OffsetFetch, run.group(group).broker),
        Event::CommitRejected { group, .. } | Event::CommitRepeated { group, .. } => {
            (Api::OffsetCommit, run.group(group).broker)
        }
        // Where the application is busy, its client gets the answer and it hears of it later.
        Event::OffsetCommitted { group, .. } if is_last_of_request(run, number, step) => {
            (Api::OffsetCommit, run.group(group).broker)
        }
        Event::MemberIdGiven { group, .. } | Event::JoinRejected { group, .. } => {
            (Api::JoinGroup, run.group(group).broker)
        }
        Event::SyncRejected { group, .. } => (Api::SyncGroup, run.group(group).broker),
        Event::ListOffsetsAnswered { .. } => (Api::ListOffsets, broker_of_data(run, number)),
        Event::FetchAnswered { .. } => (Api::Fetch, broker_of_data(run, step.causes.with_role(Role::Triggered)?)),
        _ => return None,
    };
    Some(Arrival {
        kind: MessageKind { api, is_answer: true },
        client: step.event.consumer()?.into(),
        broker,
        sent: number,
        error: told_by(&step.event, &step.event),
        is_chatter: api == Api::Fetch,
    })
}

/// True for the last of the steps in which a commit of several partitions is stored, one after the other at one time.
fn is_last_of_request(run: &Simulation, number: StepNo, step: &Step) -> bool {
    let trigger = |step: &Step| step.causes.with_role(Role::Triggered);
    let is_same =
        |other: &Step| matches!(other.event, Event::OffsetCommitted { .. }) && trigger(other) == trigger(step);
    let later = (number.0 + 1..).map_while(|later| run.step_at(StepNo(later)));
    !later.take_while(|later| later.at == step.at).any(is_same)
}

/// The broker that a Fetch or a ListOffsets came to in a step.
fn broker_of_data(run: &Simulation, received: StepNo) -> BrokerId {
    run.partitions_at(received).first().map_or(BrokerId(0), |&partition| leader(run, partition))
}

fn leader(run: &Simulation, partition: PartitionId) -> BrokerId {
    run.leader(run.place(partition).number)
}

/// What the answer says that is sent in the step of the first event and arrives in that of the second.
fn told_by(sent: &Event, arrived: &Event) -> Option<&'static str> {
    if let Event::OffsetOutOfRange { .. } = arrived {
        return Some("OFFSET_OUT_OF_RANGE");
    }
    error_name(match *sent {
        Event::MemberIdGiven { .. } => ErrorCode::MemberIdRequired,
        Event::SessionExpired { .. } => ErrorCode::UnknownMemberId,
        Event::RebalanceStarted { .. } => ErrorCode::RebalanceInProgress,
        Event::JoinRejected { error, .. }
        | Event::SyncRejected { error, .. }
        | Event::HeartbeatReceived { error, .. }
        | Event::CommitRejected { error, .. } => error,
        _ => ErrorCode::None,
    })
}

/// The name of an error, if it is one.
pub(super) fn error_name(error: ErrorCode) -> Option<&'static str> {
    (error != ErrorCode::None).then(|| error.name())
}

/// True for what happens at a broker.
pub(super) const fn is_of_broker(event: &Event) -> bool {
    matches!(
        event,
        Event::RecordAppended { .. }
            | Event::MemberIdGiven { .. }
            | Event::MemberJoined { .. }
            | Event::RebalanceStarted { .. }
            | Event::GenerationStarted { .. }
            | Event::SyncGroupReceived { .. }
            | Event::OffsetFetchAnswered { .. }
            | Event::ListOffsetsAnswered { .. }
            | Event::FetchReceived { .. }
            | Event::FetchAnswered { .. }
            | Event::OffsetCommitted { .. }
            | Event::CommitRepeated { .. }
            | Event::CommitRejected { .. }
            | Event::HeartbeatReceived { .. }
            | Event::MemberLeft { .. }
            | Event::SessionExpired { .. }
            | Event::RebalanceTimedOut { .. }
            | Event::JoinRejected { .. }
            | Event::SyncRejected { .. }
            | Event::MemberIdExpired { .. }
            | Event::GroupEmptied { .. }
            | Event::MemberReplaced { .. }
            | Event::OffsetExpired { .. }
            | Event::GroupEpochBumped { .. }
            | Event::TargetAssignmentComputed { .. }
            | Event::RevocationRequested { .. }
            | Event::RevocationAcknowledged { .. }
            | Event::AssignmentGiven { .. }
            | Event::MemberEpochRaised { .. }
            | Event::RevocationTimedOut { .. }
            | Event::StaticMemberLeft { .. }
    )
}
