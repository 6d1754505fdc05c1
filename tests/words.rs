//! Words: every step of many runs is said in both languages, and the main story reads well.
//!
//! The transcripts are refreshed with `UPDATE_EXPECT=1 cargo test --test words`.

mod common;

use common::{disturbed, finished, steps, story};
use expect_test::expect_file;
use logstep::explain::{Setting, Why, lookup, verdicts, why};
use logstep::sim::assignor::{Assignor, AssignorList};
use logstep::sim::coordinator::GroupState;
use logstep::sim::setup::{
    CommitHow, CommitOffset, CommitPolicy, CommitWhen, GroupProtocol, OffsetReset, Reads, Setup, SinkSetup, Writes,
};
use logstep::sim::*;
use logstep::text::*;
use std::fmt::Write as _;
use std::rc::Rc;

/// The most characters of a sentence that still fits under the stage.
fn longest(lang: Lang) -> usize {
    lang.pick(110, 160)
}

fn runs() -> Vec<Simulation> {
    let (c1, c2, c3) = (ConsumerId(0), ConsumerId(1), ConsumerId(2));
    let mut latest = story();
    latest.configure(GroupId(0), |config| config.settings.auto_offset_reset = OffsetReset::Latest);
    let mut runs = vec![finished(story()), finished(with_unique_key()), finished(latest), finished(tight())];
    runs.extend(disturbed(&story(), &[Action::Crash(c3.into()), Action::Start(c3.into())], 4));
    runs.extend(disturbed(&story(), &[Action::Close(c2.into()), Action::Start(c2.into())], 1));
    runs.extend(disturbed(
        &story(),
        &[Action::Crash(c1.into()), Action::Close(c2.into()), Action::Start(c1.into()), Action::Crash(c3.into())],
        6,
    ));
    runs.extend(disturbed(&tight(), &[Action::Close(c1.into())], 2));
    runs.extend(disturbed(&tight(), &[Action::Crash(c2.into()), Action::Start(c2.into())], 2));
    let partition = TopicPartition { topic: TopicId(0), number: 2 };
    let seek = |to| Action::Seek { consumer: c3, partition, to };
    runs.extend(disturbed(
        &story(),
        &[Action::Pause(c3, partition), Action::Resume(c3, partition), seek(0), seek(1)],
        6,
    ));
    runs.extend(disturbed(&story(), &[Action::Freeze(c3), Action::Join(GroupId(0)), Action::Restart(c1)], 9));
    runs.push(finished(frozen()));
    runs.push(finished(refused()));
    for action in actions() {
        runs.extend(disturbed(&story(), &[action], 25));
        runs.extend(disturbed(&with_unique_key(), &[action], 40));
    }
    let stop = [c1, c2, c3].map(|consumer| Action::Close(consumer.into()));
    let reset = Action::ResetOffsets { group: GroupId(0), partition: None, to: ResetTo::Earliest };
    let again = [stop.as_slice(), &[reset, Action::Start(c1.into())]].concat();
    runs.extend(disturbed(&story(), &again, 9));
    runs.extend(disturbed(&ghostly(), &[Action::Crash(c3.into()), Action::Close(c2.into())], 8));
    runs.extend(grouped().into_iter().map(finished));
    let mut named = story();
    named.consumers[2].instance_id = Some("billing-3".into());
    runs.extend(disturbed(&named, &[Action::Crash(c3.into()), Action::Start(c3.into())], 12));
    runs.extend(disturbed(&named, &[Action::Close(c3.into()), Action::Start(c3.into())], 12));
    runs.extend(disturbed(&ghostly(), &[Action::Crash(c3.into()), Action::Close(c2.into())], 8));
    runs.push(finished(modern(story())));
    runs.push(dead_when_asked());
    runs.extend(disturbed(&modern(story()), &[Action::Crash(c3.into()), Action::Start(c3.into())], 2));
    runs.extend(disturbed(
        &modern(ghostly()),
        &[Action::Close(c2.into()), Action::Start(c2.into()), Action::Crash(c1.into())],
        3,
    ));
    runs.extend(disturbed(&modern(tight()), &[Action::Close(c1.into())], 2));
    for setup in committing_in_all_ways() {
        runs.extend(disturbed(&setup, &[Action::Close(c2.into()), Action::Start(c2.into())], 29));
    }
    runs.extend(beginning_in_all_ways().into_iter().map(finished));
    runs.push(of_file(include_str!("../docs/examples/producers.json")));
    runs.push(of_file(include_str!("../docs/examples/commits.json")));
    runs.push(of_file(include_str!("../docs/examples/pool.json")));
    runs.push(of_file(include_str!("../docs/examples/sinks.json")));
    runs.push(of_file(include_str!("../docs/examples/offset-store.json")));
    runs.push(of_file(include_str!("cases/K034-adding-one-twice.json")));
    runs.push(of_file(include_str!("cases/K006-an-empty-key-is-not-no-key.json")));
    runs.push(of_file(include_str!("cases/K012-a-large-linger-mixes-batch-sizes.json")));
    runs
}

/// Cooperative members and static ones, a member that no longer fits in, and two with one name.
fn grouped() -> Vec<Setup> {
    let mut cooperative = story();
    cooperative.configure(GroupId(0), |config| config.settings.assignors = [Assignor::CooperativeSticky].into());
    cooperative.consumers[2].starts_at = Time::from_micros(6_000_000);
    let mut full = story();
    full.cluster.group_max_size = 2;
    let mut alien = story();
    alien.consumers[2].starts_at = Time::from_micros(6_000_000);
    Rc::make_mut(&mut alien.consumers[2].config).settings.assignors = [Assignor::Sticky].into();
    let mut fenced = story();
    fenced.actions.clear();
    fenced.consumers[1].instance_id = Some("billing-1".into());
    fenced.consumers[2].instance_id = Some("billing-1".into());
    fenced.consumers[2].starts_at = Time::from_micros(9_000_000);
    vec![cooperative, full, alien, fenced]
}

/// The story with every policy and auto commit; with some of them the second consumer is too slow or reads by hand.
fn committing_in_all_ways() -> Vec<Setup> {
    let whens = [CommitWhen::AfterRecords(2), CommitWhen::AfterBatch, CommitWhen::BeforeBatch, CommitWhen::Never];
    let hows = [CommitHow::Sync, CommitHow::Async];
    let mut setups = Vec::new();
    for (when, how) in whens.into_iter().flat_map(|when| hows.map(|how| (when, how))) {
        let mut setup = story();
        setup.configure(GroupId(0), |config| {
            config.handling.commit =
                CommitPolicy { when, how, on_revoke: true, on_close: true, offset: CommitOffset::Contiguous };
            config.settings.enable_auto_commit = when == CommitWhen::Never;
            config.settings.auto_commit_interval = Span::from_secs(3);
        });
        let second = std::rc::Rc::make_mut(&mut setup.consumers[1].config);
        match how {
            CommitHow::Sync => second.settings.max_poll_interval = Span::from_millis(600),
            CommitHow::Async | CommitHow::AsyncRetry => second.reads = Reads::Assigned([ORDERS_0].into()),
        }
        setups.push(setup);
    }
    setups
}

const ORDERS_0: TopicPartition = TopicPartition { topic: TopicId(0), number: 0 };

/// Nothing to go on from, an offset that is not there, commits that have expired.
fn beginning_in_all_ways() -> Vec<Setup> {
    let resets =
        [OffsetReset::None, OffsetReset::Latest, OffsetReset::Earliest, OffsetReset::ByDuration(Span::from_secs(10))];
    let with_reset = |auto_offset_reset| {
        let mut setup = story();
        setup.configure(GroupId(0), |config| config.settings.auto_offset_reset = auto_offset_reset);
        setup.consumers.iter_mut().for_each(|consumer| consumer.starts_at = Time::from_micros(10_000_000));
        setup
    };
    let mut setups: Vec<Setup> = resets.into_iter().map(with_reset).collect();
    for mut setup in resets.into_iter().map(with_reset) {
        setup.groups[0].committed = (0..3).map(|number| (TopicPartition { number, ..ORDERS_0 }, 1_000)).collect();
        setups.push(setup);
    }
    let mut forgotten = story();
    forgotten.cluster.offsets.retention = Span::from_secs(60);
    forgotten.cluster.offsets.check_interval = Span::from_secs(10);
    forgotten.ends_at = Time::from_micros(300_000_000);
    let close = |consumer| PlannedAction {
        when: logstep::sim::action::When::At(Time::from_micros(100_000_000)),
        action: Action::Close(ConsumerId(consumer).into()),
    };
    forgotten.actions = (0..3).map(close).collect();
    setups.push(forgotten);
    setups
}

fn of_file(source: &str) -> Simulation {
    logstep::scenario::read(source).expect("a good file").run()
}

fn with_unique_key() -> Setup {
    Setup {
        sinks: vec![SinkSetup {
            name: "payments".into(),
            column: "event_id".into(),
            is_unique: true,
            writes: Writes::Insert,
        }],
        ..story()
    }
}

/// The same with the consumer group protocol, and members that come one after the other.
fn modern(mut setup: Setup) -> Setup {
    let group_protocol = GroupProtocol::Consumer { remote_assignor: None };
    setup.configure(GroupId(0), |config| config.settings.group_protocol = group_protocol);
    for (n, consumer) in (0..).zip(&mut setup.consumers) {
        consumer.starts_at += Span::from_secs(7 * n);
    }
    setup
}

/// A member dies as soon as it has been asked to give up partitions.
fn dead_when_asked() -> Simulation {
    let mut run = Simulation::new(modern(ghostly()));
    while let Progress::Step(step) = run.step() {
        if let Event::RevocationRequested { consumer, .. } = step.event {
            run.apply(Action::Crash(consumer.into())).expect("it runs");
        }
    }
    run
}

/// A crashed member is waited for no longer than the rebalance timeout.
fn ghostly() -> Setup {
    let mut setup = story();
    setup.configure(GroupId(0), |config| config.settings.max_poll_interval = Span::from_secs(8));
    setup
}

/// A member stands still until its session has expired, then goes on; every answer to a commit of another is lost.
fn frozen() -> Setup {
    let (c1, c3) = (ConsumerId(0), ConsumerId(2));
    let planned = |seconds, action| PlannedAction { when: When::At(Time::ZERO + Span::from_secs(seconds)), action };
    let kind = MessageKind { api: Api::OffsetCommit, is_answer: true };
    let lost = MessageRef { kind, client: c1.into(), nth: 0 };
    Setup {
        actions: vec![
            planned(7, Action::Freeze(c3)),
            planned(8, Action::Drop(lost)),
            planned(40, Action::Drop(lost)),
            planned(60, Action::Thaw(c3)),
        ],
        ..story()
    }
}

/// Handling outlasts `max.poll.interval.ms`, so that members leave and commits are refused.
fn tight() -> Setup {
    let mut setup = story();
    setup.configure(GroupId(0), |config| config.settings.max_poll_interval = Span::from_secs(6));
    setup.configure(GroupId(0), |config| config.settings.session_timeout = Span::from_secs(6));
    setup.configure(GroupId(0), |config| config.handling.time = Span::from_secs(9));
    setup
}

/// A script of what is not possible: before anything runs, and then while all of it does.
fn refused() -> Setup {
    let mut setup = story();
    let ended = setup.ends_at;
    let planned = |at: Time| move |action| PlannedAction { when: When::At(at), action };
    let early = actions().into_iter().map(planned(Time::ZERO));
    let later = actions().into_iter().map(planned(Time::from_micros(20_000_000)));
    let nobody = Action::Crash(ConsumerId(9).into());
    setup.actions = early.chain(later).chain([planned(ended)(nobody)]).collect();
    setup
}

/// One action of each kind.
fn actions() -> Vec<Action> {
    let (c1, shop, orders) = (ConsumerId(0), ProducerId(0), TopicId(0));
    let partition = TopicPartition { topic: orders, number: 1 };
    let message = |api, is_answer| MessageRef { kind: MessageKind { api, is_answer }, client: c1.into(), nth: 0 };
    let reset = |to| Action::ResetOffsets { group: GroupId(0), partition: None, to };
    let (time, setting) = (Span::from_secs(2), ConsumerSetting::MaxPollRecords(1));
    vec![
        Action::Crash(c1.into()),
        Action::Crash(shop.into()),
        Action::Close(c1.into()),
        Action::Close(shop.into()),
        Action::Start(c1.into()),
        Action::Restart(c1),
        Action::Freeze(c1),
        Action::Thaw(c1),
        Action::Join(GroupId(0)),
        Action::Pause(c1, partition),
        Action::Resume(c1, partition),
        Action::Seek { consumer: c1, partition, to: 3 },
        reset(ResetTo::Earliest),
        reset(ResetTo::Latest),
        reset(ResetTo::Offset(3)),
        reset(ResetTo::ShiftBy(-2)),
        Action::AddPartitions { topic: orders, to: 6 },
        Action::Produce { producer: shop, key: Some(KeyId(0)), value: ValueId(0), partition: None },
        Action::Delay { message: message(Api::OffsetCommit, false), by: Span::from_secs(3) },
        Action::Drop(message(Api::JoinGroup, true)),
        Action::Set(Change::HandlingTime { consumer: c1, of: HandlingOf::Every, time }),
        Action::Set(Change::HandlingTime { consumer: c1, of: HandlingOf::Key(KeyId(0)), time }),
        Action::Set(Change::HandlingTime { consumer: c1, of: HandlingOf::Partition(partition), time }),
        Action::Set(Change::Latency { broker: BrokerId(0), latency: Span::from_millis(20) }),
        Action::Set(Change::Rate { producer: shop, per_second: 5 }),
        Action::Set(Change::Setting { consumer: c1, setting }),
        Action::RestartProducer(shop),
        Action::Set(Change::Setting { consumer: c1, setting: ConsumerSetting::EnableAutoCommit(true) }),
        Action::Set(Change::Setting {
            consumer: c1,
            setting: strategy(&[Assignor::Range, Assignor::CooperativeSticky]),
        }),
        Action::Set(Change::ProducerSetting { producer: shop, setting: ProducerSetting::Linger(time) }),
        Action::Set(Change::ProducerSetting { producer: shop, setting: ProducerSetting::BatchSize(100) }),
        Action::Set(Change::UniqueKey { sink: SinkId(0), is_unique: true }),
        Action::Set(Change::UniqueKey { sink: SinkId(0), is_unique: false }),
        Action::Set(Change::SinkDown { sink: SinkId(0), is_down: true }),
        Action::Set(Change::SinkDown { sink: SinkId(0), is_down: false }),
        Action::Set(Change::BrokerSetting(BrokerSetting::GroupInitialRebalanceDelay(time))),
        commit(CommitWhen::AfterRecords(1)),
        commit(CommitWhen::AfterRecords(100)),
        commit(CommitWhen::AfterBatch),
        commit(CommitWhen::BeforeBatch),
        commit(CommitWhen::Never),
        commit(CommitWhen::RecordsOrTime { records: CommitWhen::NO_COUNT, time }),
        commit(CommitWhen::RecordsOrTime { records: 10, time }),
    ]
}

fn strategy(assignors: &[Assignor]) -> ConsumerSetting {
    ConsumerSetting::PartitionAssignmentStrategy(AssignorList::new(assignors))
}

fn commit(when: CommitWhen) -> Action {
    let policy = CommitPolicy {
        when,
        how: CommitHow::Async,
        on_revoke: false,
        on_close: false,
        offset: CommitOffset::Contiguous,
    };
    Action::Set(Change::Commit { consumer: ConsumerId(0), policy })
}

fn check(lang: Lang, text: &str, what: &dyn std::fmt::Debug) {
    assert!(!text.trim().is_empty(), "nothing is said of {what:?}");
    let leftovers = ["{", "}", "Id(", "Some(", "None", "  ", "（）", "()。", "undefined"];
    for leftover in leftovers {
        assert!(!text.contains(leftover), "{leftover} in {text} of {what:?}");
    }
    let is_japanese = text.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'));
    assert_eq!(is_japanese, lang == Lang::Ja, "{text} of {what:?}");
    let length = text.chars().count();
    assert!(length <= longest(lang), "{length} characters: {text}");
}

#[test]
fn what_a_verdict_is_about_is_said_in_both_languages() {
    for run in runs().iter().filter(|run| !run.setup().groups.is_empty()) {
        for verdict in verdicts(run, GroupId(0)) {
            assert_ne!(concerned(Lang::Ja, &verdict), concerned(Lang::En, &verdict));
            assert_ne!(none_concerned(Lang::Ja, &verdict), none_concerned(Lang::En, &verdict));
        }
        for idle in logstep::explain::idle(run, GroupId(0)) {
            assert!(logstep::text::idle(Lang::En, run, &idle).is_ascii());
            assert!(!logstep::text::idle(Lang::Ja, run, &idle).is_ascii());
        }
    }
}

#[test]
fn every_step_is_said_in_both_languages() {
    let mut kinds = std::collections::BTreeSet::new();
    for run in runs() {
        for (number, step) in steps(&run) {
            kinds.insert(step.event.name());
            for lang in Lang::ALL {
                check(lang, &sentence(lang, &run, number), &step);
                check(lang, &headline(lang, &run, number), &step);
                check(lang, &past(lang, &run, number), &step);
                for cause in why(&run, number).reasons {
                    check(lang, &reason(lang, &run, &cause), &step);
                }
                if let Some(rule) = rule(lang, &run, &step.event) {
                    check(lang, &rule, &step);
                }
            }
        }
    }
    let rare = [
        "RebalanceTimedOut",
        "RevocationTimedOut",
        "PollTimedOut",
        "CommitFailed",
        "CommitRejected",
        "PartitionsLost",
        "PartitionsChosen",
        "PollThrew",
        "OffsetExpired",
        "OffsetOutOfRange",
        "ActionRefused",
    ];
    assert!(rare.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    assert!(kinds.len() >= 54, "{} kinds of event: {kinds:?}", kinds.len());
}

#[test]
fn verdicts_and_the_stage_are_said_at_every_visible_step() {
    for setup in [story(), with_unique_key(), tight(), modern(story())] {
        let mut run = Simulation::new(setup);
        while let Progress::Step(step) = run.step() {
            if !step.event.is_visible() {
                continue;
            }
            for lang in Lang::ALL {
                for verdict in verdicts(&run, GroupId(0)) {
                    check(lang, &verdict_explanation(lang, &verdict), &verdict);
                    check(lang, verdict_label(lang, &verdict), &verdict);
                    assert!(!verdict_value(lang, &verdict).is_empty());
                }
                for line in outcome(lang, &run) {
                    check(lang, &line, &"outcome");
                }
                for section in twin(lang, &run) {
                    check(lang, &section.heading, &section.lines);
                    assert!(section.lines.iter().all(|line| !line.is_empty()), "{section:?}");
                }
            }
        }
    }
}

#[test]
fn buttons_settings_and_roles_are_said_in_both_languages() {
    for lang in Lang::ALL {
        for &of in Setting::ALL {
            check(lang, meaning(lang, of), &of);
        }
        for part in [Role::Triggered, Role::DecidedValue, Role::Silenced, Role::WaitedFor, Role::Repeated] {
            check(lang, role(lang, part), &part);
        }
        let run = Simulation::new(story());
        for of in actions() {
            check(lang, &action_on(lang, &run, of), &of);
            assert!(!action(lang, &run, of).is_empty(), "{of:?}");
        }
        let refusals = [
            Refusal::NotRunning,
            Refusal::AlreadyRunning,
            Refusal::AlreadyClosing,
            Refusal::RunEnded,
            Refusal::StepLimit,
            Refusal::NoSuchConsumer,
            Refusal::Frozen,
            Refusal::NotFrozen,
            Refusal::TooMany,
            Refusal::NoModel,
            Refusal::NotOwned,
            Refusal::AlreadyPaused,
            Refusal::NotPaused,
            Refusal::NoSuchOffset,
            Refusal::GroupActive(GroupState::Stable),
            Refusal::GroupActive(GroupState::PreparingRebalance),
            Refusal::GroupActive(GroupState::CompletingRebalance),
            Refusal::NothingCommitted,
            Refusal::NoSuchPartition,
            Refusal::NotMorePartitions,
            Refusal::NothingInFlight,
            Refusal::ProducerRetries,
            Refusal::BadValue,
            Refusal::NoRate,
            Refusal::NoChange,
            Refusal::FixedKey,
        ];
        for why_not in refusals {
            check(lang, refusal(lang, why_not), &why_not);
        }
    }
}

#[test]
fn what_a_member_gets_and_gives_up_is_known_by_name() {
    for run in runs() {
        for (number, step) in steps(&run) {
            let (named, count) = match step.event {
                Event::PartitionsAssigned { partitions, .. } => (run.partitions_at(number).to_vec(), partitions),
                Event::PartitionsRevoked { consumer, partitions, .. } => {
                    (lookup::owned_before(&run, consumer, number), partitions)
                }
                _ => continue,
            };
            assert_eq!(named.len(), count as usize, "{number:?} {step:?}");
        }
    }
}

#[test]
fn a_step_is_told_alike_from_wherever_it_is_looked_at() {
    let mut run = Simulation::new(story());
    let start = run.mark();
    let mut told = Vec::new();
    while let Progress::Step(_) = run.step() {
        let number = StepNo(run.steps() - 1);
        told.push((sentence(Lang::En, &run, number), why(&run, number)));
    }
    run.restore(&start);
    for (number, (words, reasons)) in (0..).map(StepNo).zip(told) {
        assert_eq!(sentence(Lang::En, &run, number), words);
        assert_eq!(why(&run, number), reasons);
    }
}

/// Everything that is said of the visible steps of a run.
fn transcript(lang: Lang, setup: Setup) -> String {
    let run = finished(setup);
    let mut out = String::new();
    for number in (0..run.visible_steps()).filter_map(|number| run.visible_step(number)) {
        let step = run.step_at(number).unwrap();
        let _ = writeln!(out, "{}  [{}]", format::clock(lang, step.at), headline(lang, &run, number));
        let _ = writeln!(out, "  {}", sentence(lang, &run, number));
        write_why(lang, &run, &why(&run, number), &mut out);
        if let Some(rule) = rule(lang, &run, &step.event) {
            let _ = writeln!(out, "    = {rule}");
        }
        out.push('\n');
    }
    for line in outcome(lang, &run) {
        let _ = writeln!(out, "{line}");
    }
    for verdict in verdicts(&run, GroupId(0)) {
        let (label, value) = (verdict_label(lang, &verdict), verdict_value(lang, &verdict));
        let _ = writeln!(out, "\n{label}  {value}\n  {}", verdict_explanation(lang, &verdict));
    }
    for section in twin(lang, &run) {
        let _ = writeln!(out, "\n{}", section.heading);
        for line in section.lines {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

fn write_why(lang: Lang, run: &Simulation, why: &Why, out: &mut String) {
    for cause in &why.reasons {
        let _ = writeln!(out, "    <- {} ({})", reason(lang, run, cause), role(lang, cause.role));
    }
    if let Some(arithmetic) = &why.calculation {
        for line in calculation(lang, run, arithmetic) {
            let _ = writeln!(out, "    # {line}");
        }
    }
    for used in &why.settings {
        let _ = writeln!(out, "    * {}", setting(lang, used));
    }
}

#[test]
fn the_story_in_english() {
    expect_file!["transcripts/story.en.txt"].assert_eq(&transcript(Lang::En, story()));
}

#[test]
fn the_consumer_protocol_in_english() {
    expect_file!["transcripts/modern.en.txt"].assert_eq(&transcript(Lang::En, modern(story())));
}

#[test]
fn the_consumer_protocol_in_japanese() {
    expect_file!["transcripts/modern.ja.txt"].assert_eq(&transcript(Lang::Ja, modern(story())));
}

#[test]
fn the_story_in_japanese() {
    expect_file!["transcripts/story.ja.txt"].assert_eq(&transcript(Lang::Ja, story()));
}
