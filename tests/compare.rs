//! What if: runs beside each other, in what they part, and the sentence that sums it up.

use logstep::explain::compare::{Because, Comparison, Outcome, Quantity, differing, partings};
use logstep::scenario::{self, Scenario, library};
use logstep::sim::assignor::{Assignor, AssignorList};
use logstep::sim::setup::{CommitPolicy, CommitWhen};
use logstep::sim::*;
use logstep::text::{Lang, compare};
use std::fs;

const GROUP: GroupId = GroupId(0);

type Done = Vec<(Time, Action)>;

fn file(path: &str) -> Scenario {
    let source = fs::read_to_string(path).expect("a file is readable");
    scenario::read(&source).unwrap_or_else(|mistakes| panic!("{path}: {mistakes:?}"))
}

fn story() -> Scenario {
    library::BUILT_IN[0].read().expect("the story reads well")
}

/// A run in which this is done by hand, each thing once its time has come, up to a moment.
fn run_until(scenario: &Scenario, done: &Done, until: Time) -> Simulation {
    let mut run = Simulation::new(scenario.setup.clone());
    let mut next = done.iter().peekable();
    loop {
        while let Some((_, action)) = next.next_if(|(at, _)| run.now() >= *at) {
            run.apply(*action).expect("it is possible");
        }
        let before = run.fork();
        match run.step() {
            Progress::Step(step) if step.at > until => return before,
            Progress::Step(_) => {}
            _ => return run,
        }
    }
}

fn whole(scenario: &Scenario, done: &Done) -> Simulation {
    run_until(scenario, done, Time::NEVER)
}

fn compared(scenario: &Scenario, runs: &[Done]) -> Comparison {
    let outcomes = runs.iter().map(|done| Outcome::whole(&whole(scenario, done), GROUP)).collect();
    Comparison::new(GROUP, partings(&scenario.setup, runs), outcomes)
}

fn said(scenario: &Scenario, runs: &[Done]) -> [String; 2] {
    let worlds: Vec<Simulation> = runs.iter().map(|done| whole(scenario, done)).collect();
    let (worlds, comparison): (Vec<&Simulation>, _) = (worlds.iter().collect(), compared(scenario, runs));
    [Lang::En, Lang::Ja].map(|lang| compare::sentence(lang, &worlds, &comparison))
}

fn titles(scenario: &Scenario, runs: &[Done]) -> Vec<String> {
    let worlds: Vec<Simulation> = runs.iter().map(|done| whole(scenario, done)).collect();
    let (worlds, partings): (Vec<&Simulation>, _) = (worlds.iter().collect(), partings(&scenario.setup, runs));
    (0..runs.len()).map(|index| compare::title(Lang::En, &worlds, &partings, index)).collect()
}

/// A change for all members of the group, from the beginning.
fn for_all(scenario: &Scenario, change: impl Fn(ConsumerId) -> Change) -> Done {
    let members = (0..scenario.setup.consumers.len()).map(ConsumerId::at);
    members.map(|member| (Time::ZERO, Action::Set(change(member)))).collect()
}

fn commits(scenario: &Scenario, when: CommitWhen) -> Done {
    for_all(scenario, |consumer| {
        let policy = scenario.setup.consumers[consumer.index()].config.handling.commit;
        Change::Commit { consumer, policy: CommitPolicy { when, ..policy } }
    })
}

fn strategy(scenario: &Scenario, assignor: Assignor) -> Done {
    let setting = ConsumerSetting::PartitionAssignmentStrategy(AssignorList::new(&[assignor]));
    for_all(scenario, |consumer| Change::Setting { consumer, setting })
}

/// A file with something otherwise in it.
fn changed(path: &str, change: impl FnOnce(&mut serde_json::Value)) -> Scenario {
    let source = fs::read_to_string(path).expect("a file is readable");
    let mut file: serde_json::Value = serde_json::from_str(&source).expect("it is JSON");
    change(&mut file);
    file.as_object_mut().expect("an object").retain(|field, _| field != "expect" && field != "story");
    scenario::read(&file.to_string()).unwrap_or_else(|mistakes| panic!("{path}: {mistakes:?}"))
}

/// A changed file as an independent run: what it comes to is what the branch with that change comes to.
fn is_that_of_a_file(outcome: &Outcome, file: &Scenario) {
    let run = whole(file, &Done::new());
    let ledger = run.ledger(GROUP);
    let unowned =
        run.partitions_of_group(GROUP).map(|partition| ledger.partitions[partition.index()].unowned(run.now()));
    assert_eq!(
        (outcome.processed, outcome.lost, outcome.repeated, outcome.pending, outcome.rebalances),
        (ledger.processed, run.lost(GROUP).total(), ledger.duplicates(), run.pending(GROUP), ledger.rebalances)
    );
    assert_eq!(outcome.unowned.as_micros(), unowned.map(Span::as_micros).sum::<u64>());
    assert_eq!(outcome.done_at, Outcome::whole(&run, GROUP).done_at);
}

const STORY: &str = "static/scenarios/crash-before-commit.json";
const SLOW: &str = "tests/scenes/slow-member.json";
const FEW: &str = "tests/scenes/three-partitions.json";

fn six() -> Done {
    vec![(Time::ZERO, Action::AddPartitions { topic: TopicId(0), to: 6 })]
}

fn crash_at(secs: u64) -> Done {
    vec![(Time::ZERO + Span::from_secs(secs), Action::Crash(ConsumerId(0).into()))]
}

#[test]
fn a_commit_before_processing_loses_what_one_after_it_repeats() {
    let runs = [Done::new(), commits(&story(), CommitWhen::BeforeBatch)];
    assert_eq!(
        said(&story(), &runs),
        [
            "With the commit after every 3 records processed, no record is lost and 3 are processed twice; with the commit before processing, 1 record is lost and none is processed twice. A commit before processing passes over what is not processed yet, and a crash loses that; a commit after processing leaves it to be processed again.",
            "3 件処理するごとのコミットでは、消失は 0 件、重複は 3 件です。処理前のコミットでは、消失は 1 件、重複は 0 件です。処理前のコミットは、処理していないレコードの先までコミットするので、クラッシュするとその分が失われます。処理後のコミットでは、コミットしていない分をもう一度処理します。",
        ]
    );
    assert_eq!(titles(&story(), &runs), ["commit.after_records=3", "commit.when=before_batch"]);
    let comparison = compared(&story(), &runs);
    is_that_of_a_file(&comparison.outcomes[0], &story());
    let before = changed(STORY, |file| {
        file["groups"][0]["handling"]["commit"] = serde_json::json!({ "when": "before_batch" });
    });
    is_that_of_a_file(&comparison.outcomes[1], &before);
}

#[test]
fn with_a_slow_member_eager_ones_give_up_what_cooperative_ones_go_on_with() {
    let slow = file(SLOW);
    let runs = [Done::new(), strategy(&slow, Assignor::CooperativeSticky)];
    assert_eq!(
        said(&slow, &runs),
        [
            "With sticky (eager), partitions stand still for 30 s in all and 5 partitions are given up only to come back; with cooperative-sticky (cooperative), partitions stand still for 22 s in all and no partition is given up only to come back. Eager members give up everything before they join again, and wait for the slowest of them; cooperative ones go on with the partitions that do not move.",
            "sticky（eager）では、パーティションの停止は延べ 30 秒、手放して取り戻したパーティションは 5 個です。cooperative-sticky（cooperative）では、パーティションの停止は延べ 22 秒、手放して取り戻したパーティションは 0 個です。eager では、参加し直す前に全メンバーが担当をすべて手放し、最も遅いメンバーが来るのを待ちます。cooperative では、移動しないパーティションの処理を続けます。",
        ]
    );
    let comparison = compared(&slow, &runs);
    is_that_of_a_file(&comparison.outcomes[0], &slow);
    let cooperative = changed(SLOW, |file| {
        file["groups"][0]["settings"]["partition.assignment.strategy"] = "cooperative-sticky".into();
    });
    is_that_of_a_file(&comparison.outcomes[1], &cooperative);
}

#[test]
fn more_partitions_let_more_members_work_and_move_keys() {
    let few = file(FEW);
    let runs = [Done::new(), six()];
    assert_eq!(
        said(&few, &runs),
        [
            "With 3 partitions, 3 of 6 members have a partition and the last record is processed at 55.4 s; with 6 partitions, 6 of 6 members have a partition and the last record is processed at 38.6 s. A partition has one owner at a time. With another number of partitions, 11 of 18 keys are in another one.",
            "3 パーティションでは、パーティションを担当するメンバーは 6 台中 3 台、最後のレコードの処理が終わるのは 55.4 秒です。6 パーティションでは、パーティションを担当するメンバーは 6 台中 6 台、最後のレコードの処理が終わるのは 38.6 秒です。1 つのパーティションを担当できるのは同時に 1 台だけだからです。パーティション数が変わると、18 個のキーのうち 11 個は入るパーティションも変わります。",
        ]
    );
    assert_eq!(titles(&few, &runs), ["orders: 3 partitions", "orders: 6 partitions"]);
    let comparison = compared(&few, &runs);
    is_that_of_a_file(&comparison.outcomes[0], &few);
    let more = changed(FEW, |file| file["topics"][0]["partitions"] = 6.into());
    is_that_of_a_file(&comparison.outcomes[1], &more);
    // The keys, counted in the run of the file.
    let (here, there) = (whole(&few, &Done::new()), whole(&more, &Done::new()));
    let place = |run: &Simulation, number: u32| {
        let record = run.record(RecordId(number));
        (record.key, run.place(record.partition).number)
    };
    let mut moved: Vec<u32> = (0..here.records())
        .filter_map(|number| {
            let ((key, before), (_, after)) = (place(&here, number), place(&there, number));
            key.filter(|_| before != after).map(|key| key.0)
        })
        .collect();
    moved.sort_unstable();
    moved.dedup();
    assert_eq!(comparison.because, Some(Because::Parallelism { moved: moved.len() as u32, keys: 18 }));
}

#[test]
fn a_run_beside_itself_differs_in_nothing() {
    let scenarios = library::BUILT_IN.iter().map(|built_in| built_in.read().expect("it reads well"));
    for scenario in scenarios.chain([SLOW, FEW, "tests/scenes/loss.json"].map(file)) {
        for done in [Done::new(), crash_at(9)] {
            let runs = [done.clone(), done.clone()];
            let comparison = compared(&scenario, &runs);
            assert!(comparison.partings.is_empty() && comparison.told.is_empty() && comparison.is_same());
            let [en, ja] = said(&scenario, &runs);
            assert!(en.starts_with("No difference in what counts up to the end"), "{en}");
            assert!(ja.ends_with("結果に違いはありません。"), "{ja}");
            for secs in [0, 10, 30] {
                let [one, other] =
                    [&done, &done].map(|done| run_until(&scenario, done, Time::ZERO + Span::from_secs(secs)));
                assert!(differing(&one, &other, GROUP).is_empty());
            }
        }
    }
}

#[test]
fn what_is_done_by_hand_is_named_with_its_time() {
    let runs = [Done::new(), crash_at(10)];
    let [en, ja] = said(&story(), &runs);
    assert_eq!(
        en,
        "As it was, no record is lost, 3 are processed twice and partitions stand still for 46 s in all; with “Crash c1 at 10.0 s”, no record is lost, 5 are processed twice and partitions stand still for 90 s in all."
    );
    assert!(ja.starts_with("元のままでは、消失は 0 件") && ja.contains("10.0 秒に c1 をクラッシュさせると、"), "{ja}");
    assert_eq!(titles(&story(), &runs), ["As it was", "Crash c1 at 10.0 s"]);
}

#[test]
fn a_run_that_is_not_over_is_told_of_up_to_its_moment() {
    let (story, until) = (story(), Time::ZERO + Span::from_secs(12));
    let runs = [Done::new(), commits(&story, CommitWhen::BeforeBatch)];
    let outcomes = runs.iter().map(|done| Outcome::now(&run_until(&story, done, until), GROUP)).collect();
    let comparison = Comparison::new(GROUP, partings(&story.setup, &runs), outcomes);
    assert!(!comparison.has_ended());
    let run = Simulation::new(story.setup.clone());
    let [en, ja] = [Lang::En, Lang::Ja].map(|lang| compare::sentence(lang, &[&run, &run], &comparison));
    assert!(
        en.starts_with("Up to 12.0 s: with the commit after every 3 records")
            && ja.starts_with("12.0 秒まで: 3 件処理"),
        "{en} {ja}"
    );
}

#[test]
fn where_nothing_counts_differently_only_times_are_told() {
    let few = file(FEW);
    let time = Span::from_millis(800);
    let quicker = for_all(&few, |consumer| Change::HandlingTime { consumer, of: HandlingOf::Every, time });
    let [en, ja] = said(&few, &[Done::new(), quicker]);
    assert!(en.starts_with("No difference in what counts, only in time: with handling.time=1s, the last record is processed at 55.4 s; with handling.time=800ms,"), "{en}");
    assert!(ja.starts_with("結果に違いはなく、違うのは時間だけです。handling.time=1s では、最後のレコードの処理が終わるのは 55.4 秒です。"), "{ja}");
}

#[test]
fn where_nothing_comes_of_a_change_the_change_is_named_all_the_same() {
    let setting = ConsumerSetting::MaxPollInterval(Span::from_secs(400));
    let longer = for_all(&story(), |consumer| Change::Setting { consumer, setting });
    assert_eq!(
        said(&story(), &[Done::new(), longer]),
        [
            "Whether with max.poll.interval.ms=300000 or with max.poll.interval.ms=400000: no difference in what counts up to the end, at 80.0 s.",
            "「max.poll.interval.ms=300000」でも「max.poll.interval.ms=400000」でも、最後（80.0 秒）まで結果に違いはありません。",
        ]
    );
}

#[test]
fn a_unique_key_is_told_of_by_the_rows() {
    let key = vec![(Time::ZERO, Action::Set(Change::UniqueKey { sink: SinkId(0), is_unique: true }))];
    let [en, ja] = said(&story(), &[Done::new(), key]);
    assert_eq!(
        en,
        "With no sink.unique_key, the tables have 29 rows; with sink.unique_key=event_id, the tables have 26 rows."
    );
    assert_eq!(
        ja,
        "sink.unique_key なしでは、テーブルの行数は 29 行です。sink.unique_key=event_id では、テーブルの行数は 26 行です。"
    );
}

#[test]
fn what_is_done_to_a_consumer_that_only_one_run_has_is_named() {
    let time = |secs| Time::ZERO + Span::from_secs(secs);
    let joined = vec![(time(12), Action::Join(GROUP)), (time(14), Action::Crash(ConsumerId(3).into()))];
    let runs = [joined, Done::new()];
    assert_eq!(titles(&story(), &runs)[0], "Add a consumer to billing at 12.0 s, Crash c4 at 14.0 s");
    assert!(said(&story(), &runs)[0].contains("Crash c4"));
}

#[test]
fn three_runs_are_told_one_after_another() {
    let story = story();
    let runs = [Done::new(), commits(&story, CommitWhen::AfterRecords(1)), commits(&story, CommitWhen::BeforeBatch)];
    let comparison = compared(&story, &runs);
    assert_eq!(&comparison.told[..2], [Quantity::Lost, Quantity::Repeated]);
    let [en, _] = said(&story, &runs);
    assert_eq!(en.matches("; with the commit").count(), 2, "{en}");
    assert_eq!(titles(&story, &runs), ["commit.after_records=3", "commit.after_records=1", "commit.when=before_batch"]);
}

#[test]
fn at_a_moment_it_is_said_what_is_otherwise_in_the_other_world() {
    let (story, until) = (story(), Time::ZERO + Span::from_secs(20));
    let [here, there] = [Done::new(), crash_at(10)].map(|done| run_until(&story, &done, until));
    let found = differing(&here, &there, GROUP);
    let p0 = TopicPartition { topic: TopicId(0), number: 0 };
    assert_eq!((&found.owners[..], &found.members[..]), (&[p0][..], &[ConsumerId(0)][..]));
    assert_eq!(
        compare::here(Lang::En, &here, &found),
        "Different at this moment: owner of P0; process of c1; committed offset of P0; position in P0"
    );
}
