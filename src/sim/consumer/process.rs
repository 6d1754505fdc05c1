//! The process: started, killed, closed.

use super::{Application, Client, Fatal, Membership};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{ErrorCode, Event};
use crate::sim::ids::*;
use crate::sim::network::Message;
use crate::sim::queue::{Due, MemberKey};
use crate::sim::setup::{ConsumerConfig, ConsumerSetup};
use crate::sim::step::Causes;
use crate::sim::time::{Span, Time};
use std::rc::Rc;

/// A consumer through all of its restarts. What a process holds is in [`Process::Running`] and is gone when it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumer {
    /// Which consumer.
    pub id: ConsumerId,
    /// Its name, the `client.id`.
    pub name: Rc<str>,
    /// Its group.
    pub group: GroupId,
    /// `group.instance.id`, which makes it a static member.
    pub instance_id: Option<Rc<str>>,
    /// True if its process is to be started again as soon as it has closed.
    pub(super) restarts: bool,
    /// How long after that.
    pub(super) restarts_after: Span,
    /// How its next process is started.
    pub config: Rc<ConsumerConfig>,
    /// Which start of the process is the latest; 0 before the first.
    pub incarnation: Incarnation,
    /// The process, or what is known of its end.
    pub process: Process,
    /// Records processed by all of its processes, repetitions included.
    pub processed: u32,
    /// How each of its earlier processes ended.
    ends: Vec<End>,
    /// How long after the interval its heartbeat thread wakes up: differs from client to client.
    pub phase: Span,
}

/// The state of a consumer process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Process {
    /// It has not been started yet.
    NotStarted,
    /// It runs.
    Running(Box<Client>),
    /// It was killed.
    Crashed(Ended),
    /// It called `close()`.
    Closed(Ended),
    /// `poll()` or `commitSync()` threw this error, and the application ended.
    Failed(Ended, ErrorCode),
}

/// What is known of a process that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The step that ended it.
    pub step: StepNo,
    /// When that was.
    pub at: Time,
    /// The last generation that it knew of.
    pub generation: Generation,
}

/// The end of a process, for as long as the run lasts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct End {
    step: StepNo,
    /// The step in which it had last given up its partitions while it ran.
    gave_up: Option<StepNo>,
    /// Partitions that it had given up while it kept others.
    gave_up_some: Vec<(PartitionId, StepNo)>,
}

impl Consumer {
    /// The latest start of its process, as the coordinator knows it.
    pub fn key(&self) -> MemberKey {
        MemberKey { consumer: self.id, incarnation: self.incarnation }
    }

    /// A consumer that has not been started.
    pub fn new(id: ConsumerId, setup: &ConsumerSetup, phase: Span) -> Self {
        Consumer {
            id,
            name: setup.name.clone(),
            group: setup.group,
            instance_id: setup.instance_id.clone(),
            restarts: false,
            restarts_after: Span::ZERO,
            config: setup.config.clone(),
            incarnation: 0,
            process: Process::NotStarted,
            processed: 0,
            ends: Vec::new(),
            phase,
        }
    }

    /// The configuration of the running process or, if there is none, of the next one.
    pub fn config(&self) -> &ConsumerConfig {
        self.client().map_or(&self.config, |client| &client.config)
    }

    /// The running process, if there is one.
    pub fn client(&self) -> Option<&Client> {
        match &self.process {
            Process::Running(client) => Some(client),
            _ => None,
        }
    }

    /// The running process of this start, to be changed.
    pub fn client_mut(&mut self, incarnation: Incarnation) -> Option<&mut Client> {
        match &mut self.process {
            Process::Running(client) if client.key.incarnation == incarnation => Some(client),
            _ => None,
        }
    }

    /// The step that ended the process of this start, if that is over.
    pub fn end_of(&self, incarnation: Incarnation) -> Option<StepNo> {
        self.end(incarnation).map(|end| end.step)
    }

    /// The step that ended the process of this start, if it ended with this partition, which it owned in step `since`.
    /// Nothing if it runs, or had given the partition up before.
    pub fn end_with(&self, incarnation: Incarnation, partition: PartitionId, since: StepNo) -> Option<StepNo> {
        let end = self.end(incarnation)?;
        let of_these = end.gave_up_some.iter().filter(|&&(given_up, _)| given_up == partition);
        let gave_up = end.gave_up.max(of_these.map(|&(_, step)| step).max());
        gave_up.is_none_or(|gave_up| gave_up < since).then_some(end.step)
    }

    /// The process starts; the application's first `poll()` joins the group.
    pub fn start(&mut self, ctx: Context<'_>, coordinator: BrokerId, causes: Causes, out: &mut Out) {
        self.incarnation += 1;
        self.restarts = false;
        let key = MemberKey { consumer: self.id, incarnation: self.incarnation };
        let standing = (self.group, self.phase, self.instance_id.clone());
        self.process = Process::Running(Box::new(Client::new(key, (self.config.clone(), coordinator), standing, ctx)));
        out.event(Event::ConsumerStarted { consumer: self.id, incarnation: self.incarnation }, causes);
        out.wake(ctx.now, Due::Application(self.id, self.incarnation));
    }

    /// The process starts because it is time to: for the first time, or again after a restart was asked for.
    pub fn start_in_time(&mut self, ctx: Context<'_>, coordinator: BrokerId, out: &mut Out) {
        match &self.process {
            Process::NotStarted => self.start(ctx, coordinator, Causes::NONE, out),
            Process::Closed(ended) if self.restarts => {
                let closed = ended.step;
                self.start(ctx, coordinator, Causes::triggered_by(closed), out);
            }
            _ => {}
        }
    }

    /// The process is killed: everything that it held is gone, and nobody is told.
    pub fn crash(&mut self, ctx: Context<'_>, causes: Causes, out: &mut Out) {
        let Process::Running(client) = &mut self.process else {
            return;
        };
        client.let_go(ctx, out);
        let (generation, uncommitted, key) = (client.generation, client.uncommitted(), client.key);
        out.event(Event::ConsumerCrashed { consumer: self.id, generation, uncommitted }, causes);
        out.effects.push(Effect::Released { member: key });
        self.restarts = false;
        self.ends.push(client.end(ctx));
        self.process = Process::Crashed(Ended { step: ctx.step, at: ctx.now, generation });
    }

    /// Somebody asks the process to stop and, if so, to start again.
    #[inline(never)]
    pub fn request_close(&mut self, ctx: Context<'_>, restarts: bool, causes: Causes, out: &mut Out) {
        let Process::Running(client) = &mut self.process else {
            return;
        };
        client.closing = Some(ctx.step);
        self.restarts = restarts;
        self.restarts_after = Span::ZERO;
        out.event(Event::CloseRequested { consumer: self.id }, causes);
        if client.application == Application::Polling {
            out.wake(ctx.now, Due::Application(self.id, self.incarnation));
        }
    }

    /// `close()`: gives up its partitions, leaves the group, ends. What it commits before that takes steps of its own.
    pub(super) fn close(&mut self, ctx: Context<'_>, out: &mut Out) {
        let Process::Running(client) = &mut self.process else {
            return;
        };
        if !client.is_ready_to_close(ctx, out) {
            return;
        }
        let requested = client.closing.unwrap_or(ctx.step);
        let generation = client.generation;
        out.effects.push(Effect::Concerns(client.owned.iter().map(|owned| owned.partition).collect()));
        out.event(
            Event::ConsumerClosed {
                consumer: self.id,
                generation,
                partitions: client.owned.len() as u32,
                uncommitted: client.uncommitted(),
            },
            Causes::triggered_by(requested),
        );
        if client.is_modern() {
            if client.membership != Membership::Unjoined {
                client.send_leaving_heartbeat(out);
            }
        } else if client.has_member_id && !client.is_static() {
            client.send_to_coordinator(Message::LeaveGroup { member: client.key }, out);
        }
        out.effects.push(Effect::Released { member: client.key });
        self.ends.push(client.end(ctx));
        self.process = Process::Closed(Ended { step: ctx.step, at: ctx.now, generation });
        if self.restarts {
            out.wake(ctx.now + self.restarts_after, Due::StartConsumer(self.id));
        }
    }

    /// The application ends, as `poll()` or `commitSync()` has thrown.
    pub(super) fn fail(&mut self, ctx: Context<'_>, out: &mut Out) {
        let Process::Running(client) = &self.process else {
            return;
        };
        let Some(Fatal { error, because, .. }) = client.fatal else {
            return;
        };
        let generation = client.generation;
        out.event(
            Event::ConsumerFailed { consumer: self.id, generation, error, uncommitted: client.uncommitted() },
            Causes::triggered_by(because),
        );
        out.effects.push(Effect::Concerns(client.owned.iter().map(|owned| owned.partition).collect()));
        out.effects.push(Effect::Released { member: client.key });
        self.ends.push(client.end(ctx));
        self.process = Process::Failed(Ended { step: ctx.step, at: ctx.now, generation }, error);
    }

    fn end(&self, incarnation: Incarnation) -> Option<&End> {
        self.ends.get(usize::from(incarnation).checked_sub(1)?)
    }
}

impl Client {
    /// Its end in this step. Who has left because `poll()` was overdue owns nothing any more, whatever it believes.
    fn end(&self, ctx: Context<'_>) -> End {
        let gave_up = self.timed_out.map_or(self.gave_up, |_| Some(ctx.step));
        End { step: ctx.step, gave_up, gave_up_some: self.gave_up_some.clone() }
    }
}
