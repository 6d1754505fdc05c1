//! The coordinator alone, told what to do.

use super::join::NEW_MEMBER_JOIN_TIMEOUT;
use super::*;
use crate::sim::assignor::Assignor;
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{ErrorCode, Event};
use crate::sim::network::{Assignment, JoinRequest, Message, PartitionOffset};
use crate::sim::setup::{BrokerSetup, ClusterSettings, Setup, TopicSetup};
use crate::sim::topics::Topics;
use std::collections::VecDeque;

const A: MemberKey = MemberKey { consumer: ConsumerId(0), incarnation: 1 };
const B: MemberKey = MemberKey { consumer: ConsumerId(1), incarnation: 1 };

/// A member that likes these assignors, with a `group.instance.id` or without.
fn request(assignors: &[Assignor], instance_id: Option<&str>) -> Rc<JoinRequest> {
    Rc::new(JoinRequest {
        session_timeout: Span::from_secs(6),
        rebalance_timeout: Span::from_secs(300),
        instance_id: instance_id.map(Into::into),
        assignors: assignors.into(),
        topics: [TopicId(0)].into(),
        owned: Rc::new([]),
        generation: None,
        user_data: None,
        reason: RebalanceReason::MemberRejoins,
        may_skip_assignment: true,
        joins_twice: true,
    })
}

/// A coordinator with one group, and what it has asked for since the last look.
struct Fixture {
    group: Group,
    setup: Setup,
    topics: Topics,
    step: u32,
    now: Time,
}

impl Fixture {
    fn new() -> Self {
        let setup = Setup {
            seed: 0,
            ends_at: Time::ZERO,
            brokers: vec![BrokerSetup { latency: Span::ZERO }],
            cluster: ClusterSettings { group_initial_rebalance_delay: Span::ZERO, ..ClusterSettings::default() },
            topics: vec![TopicSetup { name: "t".into(), partitions: 2 }],
            producers: Vec::new(),
            groups: Vec::new(),
            consumers: Vec::new(),
            sinks: Vec::new(),
            keys: Vec::new(),
            values: Vec::new(),
            actions: Vec::new(),
        };
        let topics = Topics::new(&setup);
        let group = Group::new(GroupId(0), BrokerId(0), 2, &setup.cluster);
        Fixture { group, setup, topics, step: 0, now: Time::ZERO }
    }

    /// Hands the group something to do, and then whatever it asks for at the same moment.
    fn tell(&mut self, what: impl Fn(&mut Group, Context<'_>, &mut Out)) -> (Vec<Event>, Vec<Message>) {
        let (mut events, mut messages, mut due) = (Vec::new(), Vec::new(), VecDeque::new());
        self.hand(&what, &mut events, &mut messages, &mut due);
        while let Some(next) = due.pop_front() {
            let then = |group: &mut Group, ctx: Context<'_>, out: &mut Out| match next {
                Due::BeginRebalance(_) => group.begin_rebalance(ctx, out),
                Due::CompleteJoin(_) => group.handle_all_joined(ctx, out),
                Due::JoinPhase(_, round) => group.handle_join_phase(ctx, round, out),
                Due::StoreOffset(_) => group.store_offset(ctx, out),
                _ => {}
            };
            self.hand(&then, &mut events, &mut messages, &mut due);
        }
        (events, messages)
    }

    fn hand(
        &mut self,
        what: &dyn Fn(&mut Group, Context<'_>, &mut Out),
        events: &mut Vec<Event>,
        messages: &mut Vec<Message>,
        due: &mut VecDeque<Due>,
    ) {
        let mut out = Out::default();
        self.step += 1;
        let ctx =
            Context { now: self.now, step: StepNo(self.step), setup: &self.setup, topics: &self.topics, sinks: &[] };
        what(&mut self.group, ctx, &mut out);
        events.extend(out.event.map(|(event, _)| event));
        for effect in out.effects {
            match effect {
                Effect::Send { message, .. } => messages.push(message),
                Effect::Wake { at, due: next } if at == self.now => due.push_back(next),
                _ => {}
            }
        }
    }

    fn first_join(&mut self, key: MemberKey) -> (Vec<Event>, Vec<Message>) {
        self.first_join_with(key, &request(&[Assignor::Range], None))
    }

    fn join(&mut self, key: MemberKey) -> (Vec<Event>, Vec<Message>) {
        self.join_with(key, &request(&[Assignor::Range], None))
    }

    fn first_join_with(&mut self, key: MemberKey, request: &Rc<JoinRequest>) -> (Vec<Event>, Vec<Message>) {
        self.tell(|group, ctx, out| group.handle_first_join(ctx, StepNo(0), (key, "id".into()), request, out))
    }

    fn join_with(&mut self, key: MemberKey, request: &Rc<JoinRequest>) -> (Vec<Event>, Vec<Message>) {
        self.tell(|group, ctx, out| group.handle_join(ctx, StepNo(0), key, request, out))
    }

    /// A group that is Stable with this one member.
    fn stable_with(key: MemberKey) -> Self {
        let mut fixture = Fixture::new();
        fixture.first_join(key);
        fixture.join(key);
        let assignment: Assignment = Rc::new([(key, Rc::new([PartitionId(0), PartitionId(1)]) as Rc<[_]>)]);
        fixture.tell(|group, ctx, out| {
            group.handle_sync(ctx, StepNo(0), key, 1, Some(assignment.clone()), out);
        });
        assert_eq!((fixture.group.state, fixture.group.generation), (GroupState::Stable, 1));
        fixture
    }
}

#[test]
fn a_commit_or_heartbeat_of_another_generation_is_refused() {
    let mut fixture = Fixture::stable_with(A);
    let offsets: Rc<[PartitionOffset]> = Rc::new([(PartitionId(0), 3)]);
    let (events, messages) =
        fixture.tell(|group, ctx, out| group.handle_commit(ctx, StepNo(0), A, Some(0), offsets.clone(), out));
    let error = ErrorCode::IllegalGeneration;
    assert!(matches!(events[..], [Event::CommitRejected { error: ErrorCode::IllegalGeneration, .. }]));
    assert_eq!(messages, [Message::OffsetCommitAnswer { request: StepNo(0), error }]);
    assert_eq!(fixture.group.committed(PartitionId(0)), None);
    let (_, messages) = fixture.tell(|group, ctx, out| group.handle_heartbeat(ctx, StepNo(0), A, 2, out));
    assert_eq!(messages, [Message::HeartbeatAnswer { error }]);
}

#[test]
fn a_stranger_is_told_that_it_is_unknown() {
    let mut fixture = Fixture::stable_with(A);
    let error = ErrorCode::UnknownMemberId;
    let (_, messages) = fixture.tell(|group, ctx, out| group.handle_heartbeat(ctx, StepNo(0), B, 1, out));
    assert_eq!(messages, [Message::HeartbeatAnswer { error }]);
    let (events, messages) = fixture.join(B);
    assert!(matches!(events[..], [Event::JoinRejected { error: ErrorCode::UnknownMemberId, .. }]));
    assert_eq!(messages, [Message::JoinGroupAnswer(Err(error))]);
}

#[test]
fn a_join_phase_that_waits_for_an_unused_member_id_ends_when_its_owner_leaves() {
    let mut fixture = Fixture::stable_with(A);
    fixture.first_join(B);
    let (events, messages) = fixture.join(A);
    assert!(matches!(events[..], [Event::MemberJoined { missing: 1, .. }, Event::RebalanceStarted { .. }]));
    assert_eq!(messages, []);
    let (events, _) = fixture.tell(|group, ctx, out| group.handle_leave(ctx, StepNo(0), B, out));
    assert!(matches!(events[..], [Event::MemberLeft { .. }, Event::GenerationStarted { generation: 2, .. }]));
}

#[test]
fn a_join_phase_whose_time_is_up_removes_members_but_not_unused_member_ids() {
    let mut fixture = Fixture::stable_with(A);
    fixture.first_join(B);
    fixture.join(B);
    let c = MemberKey { consumer: ConsumerId(2), incarnation: 1 };
    fixture.first_join(c);
    fixture.now = fixture.group.join_phase_ends().expect("it waits for A");
    let round = fixture.group.rebalance.round;
    let (events, _) = fixture.tell(|group, ctx, out| group.handle_join_phase(ctx, round, out));
    assert!(matches!(
        events[..],
        [Event::RebalanceTimedOut { consumer: ConsumerId(0), .. }, Event::GenerationStarted { members: 1, .. }]
    ));
    let (events, _) = fixture.join(c);
    assert!(matches!(events[..], [Event::MemberJoined { .. }, Event::RebalanceStarted { .. }]), "{events:?}");
}

#[test]
fn a_new_member_is_not_kept_for_longer_than_its_join_may_wait() {
    let mut fixture = Fixture::stable_with(A);
    fixture.first_join(B);
    fixture.join(B);
    fixture.now += NEW_MEMBER_JOIN_TIMEOUT;
    let (events, messages) = fixture.tell(|group, ctx, out| {
        assert_eq!(group.handle_session_check(ctx, B, None, out), None);
    });
    assert!(matches!(events[..], [Event::SessionExpired { consumer: ConsumerId(1), .. }]), "{events:?}");
    let error = ErrorCode::UnknownMemberId;
    assert_eq!(messages, [Message::JoinGroupAnswer(Err(error))]);
}
