//! Small worlds, and what is said of a step of theirs: each of these sentences has once told something else.

use logstep::scenario::read;
use logstep::sim::{Simulation, StepNo};
use logstep::text::{Lang, outcome, sentence};

/// A run of two partitions, one producer and these groups and actions.
#[track_caller]
fn run(groups: &str, actions: &str) -> Simulation {
    let source = format!(
        r#"{{
  "format": "logstep/1", "title": "said", "ends_at": "1m",
  "cluster": {{ "kafka": "4.0" }},
  "topics": [{{ "name": "t", "partitions": 2 }}],
  "producers": [{{ "name": "p", "topic": "t", "workload": {{ "per_second": 1, "records": 20, "keys": 1 }} }}],
  "groups": [{groups}],
  "actions": [{actions}]
}}"#
    );
    let scenario = read(&source).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    scenario.run()
}

/// A group `g` with these settings, this way to commit, and these members.
fn group(settings: &str, handling: &str, members: &str) -> String {
    format!(
        r#"{{ "name": "g", "settings": {{ "auto.offset.reset": "earliest", {settings} }}, "handling": {handling}, "members": [{members}] }}"#
    )
}

const C1: &str = r#"{ "name": "c1" }"#;
const BY_RECORD: &str = r#"{ "time": "50ms", "commit": { "after_records": 1 } }"#;
const BY_BATCH: &str = r#"{ "time": "50ms", "commit": { "when": "after_batch" } }"#;
const AUTO: &str = r#""enable.auto.commit": true"#;
const BY_HAND: &str = r#""enable.auto.commit": false"#;
const CONSUMER: &str = r#""enable.auto.commit": false, "group.protocol": "consumer""#;

fn sentences(lang: Lang, run: &Simulation) -> Vec<String> {
    let visible = |step: &StepNo| run.step_at(*step).is_some_and(|step| step.event.is_visible());
    (0..run.steps()).map(StepNo).filter(visible).map(|step| sentence(lang, run, step)).collect()
}

/// That something is said, in both languages.
#[track_caller]
fn says(run: &Simulation, en: &str, ja: &str) {
    for (lang, wanted) in [(Lang::En, en), (Lang::Ja, ja)] {
        let said = sentences(lang, run);
        assert!(said.iter().any(|sentence| sentence.contains(wanted)), "{wanted} is not in {said:#?}");
    }
}

#[track_caller]
fn says_nothing_of(run: &Simulation, en: &str) {
    let said = sentences(Lang::En, run);
    assert!(!said.iter().any(|sentence| sentence.contains(en)), "{en} is in {said:#?}");
}

#[test]
fn a_record_that_fails_is_told_with_what_the_application_does_about_it() {
    let handling = |on_error: &str| {
        format!(
            r#"{{ "time": "50ms", "fails": [{{ "record": {{ "partition": "t-0", "offset": 1 }} }}], "on_error": {on_error} }}"#
        )
    };
    let told = |on_error: &str, en: &str, ja: &str| says(&run(&group(AUTO, &handling(on_error), C1), ""), en, ja);
    told(
        r#"{ "then": "skip" }"#,
        "ends with an exception. The application only logs it",
        "例外で終わりました。アプリケーションはログに残すだけで",
    );
    told(r#"{ "then": "stop" }"#, "closes its consumer", "コンシューマーを閉じます");
    told(r#"{ "then": "leave_loop" }"#, "It is logged outside of the loop", "レコードのループの外で記録されます");
    let seeks = r#"{ "retry": "seek_back", "back_off": "200ms", "tries": 3, "counts": "one_record" }"#;
    told(
        seeks,
        "try 2 of 3. The application seeks back to it and waits 200 ms. Only the tries",
        "（3 回中 2 回目）。アプリケーションは seek() でこのレコードまで戻り、200 ミリ秒待ちます。回数は",
    );
    told(
        r#"{ "retry": "in_place", "back_off": "2s" }"#,
        "try 2. It is tried again after 2 s",
        "（2 回目）。2 秒待って、もう一度処理します",
    );
    told(r#"{ "retry": "in_place", "tries": 2 }"#, "It is tried again at once.", "すぐにもう一度処理します。");
    told(r#"{ "send_by": "p" }"#, "a copy of", "のコピー");
    let skipped = run(&group(AUTO, &handling(r#"{ "then": "skip" }"#), C1), "");
    assert!(outcome(Lang::En, &skipped)[0].ends_with("Lost: 1."), "{:?}", outcome(Lang::En, &skipped));
}

#[test]
fn a_commit_that_is_not_of_the_next_record_says_so() {
    let own = r#"{ "time": "50ms", "commit": { "after_records": 2, "offset": "own" } }"#;
    says(
        &run(&group(BY_HAND, own, C1), ""),
        "the offset of the last record itself",
        "最後に処理したレコード自身のオフセット",
    );
    let highest =
        r#"{ "time": "50ms", "pool": { "workers": 2 }, "commit": { "after_records": 2, "offset": "highest" } }"#;
    says(
        &run(&group(BY_HAND, highest, C1), ""),
        "Whether everything before it is, nobody has looked",
        "すべて済んだかどうかは確かめていません",
    );
}

#[test]
fn a_static_member_that_is_refused_ends_with_the_exception_of_its_error() {
    let members = r#"{ "name": "c1", "group.instance.id": "one" }, { "name": "c2", "group.instance.id": "one", "starts_at": "3s" }"#;
    says(
        &run(&group(CONSUMER, BY_RECORD, members), ""),
        "UnreleasedInstanceIdException ends c2: a member with the same group.instance.id has not left yet.",
        "c2 に UnreleasedInstanceIdException が発生し、終了しました。",
    );
    says(
        &run(&group(BY_HAND, BY_RECORD, members), ""),
        "FencedInstanceIdException ends c1",
        "c1 に FencedInstanceIdException が発生し、終了しました。",
    );
    let again = r#"{ "at": "5s", "crash": "c1" }, { "at": "7s", "start": "c1" }"#;
    says(
        &run(&group(CONSUMER, BY_RECORD, r#"{ "name": "c1", "group.instance.id": "one" }"#), again),
        "UnreleasedInstanceIdException ends c1",
        "c1 に UnreleasedInstanceIdException が発生し、終了しました。",
    );
}

#[test]
fn a_commit_of_a_partition_without_work_does_not_say_that_there_was_some() {
    let after = run(&group(BY_HAND, BY_BATCH, C1), "");
    says(
        &after,
        "where it has processed nothing new: the next to read is 0.",
        "新しく処理したレコードはなく、次に読むのは 0 です。",
    );
    says(&after, "processed up to 3, the next to read is 4.", "3 まで処理済みで、次に読むのは 4 です。");
    says_nothing_of(&after, "processed up to 0, the next to read is 0");

    let before = r#"{ "time": "50ms", "commit": { "when": "before_batch" } }"#;
    let before = run(&group(BY_HAND, before, C1), "");
    says(
        &before,
        "of which it got no record: the next to read is 0.",
        "受け取ったレコードはなく、次に読むのは 0 です。",
    );
    says(
        &before,
        "the next to read is 4, though what it got is not processed yet.",
        "次に読むのは 4 ですが、受け取ったレコードの処理はこれからです。",
    );
    says_nothing_of(&before, "the next to read is 0, though");
}

#[test]
fn a_member_leaves_in_the_way_of_its_protocol_when_its_poll_is_overdue() {
    let slow = r#"{ "time": "20s", "commit": { "after_records": 1 } }"#;
    let with = |settings: &str, member: &str| {
        let settings = format!(r#"{settings}, "max.poll.interval.ms": 5000"#);
        run(&group(&settings, slow, member), "")
    };
    let named = r#"{ "name": "c1", "group.instance.id": "one" }"#;
    says(&with(BY_HAND, C1), "its heartbeat thread leaves the group.", "ハートビートスレッドが c1 をグループから離脱");
    let silent = with(BY_HAND, named);
    says(&silent, "its heartbeats end. A static member does not leave", "静的メンバーは離脱を伝えず");
    says_nothing_of(&silent, "leaves the group");
    says(&with(CONSUMER, C1), "its background thread leaves the group.", "バックグラウンドスレッドが離脱を伝えました");
    says(&with(CONSUMER, named), "its background thread leaves with epoch -2.", "離脱（エポック -2）を伝えました");
}

#[test]
fn a_member_of_a_group_without_a_leader_does_not_look_for_partitions() {
    let more = r#"{ "at": "5s", "add_partitions": { "topic": "t", "to": 4 } }"#;
    let metadata = r#""metadata.max.age.ms": 10000"#;
    let two = r#"{ "name": "c1" }, { "name": "c2" }"#;
    let classic = run(&group(&format!("{BY_HAND}, {metadata}"), BY_RECORD, two), more);
    says(&classic, "It is not the leader: it does nothing.", "リーダーではないので、何もしません。");
    let modern = run(&group(&format!("{CONSUMER}, {metadata}"), BY_RECORD, two), more);
    says_nothing_of(&modern, "leader");
    says_nothing_of(&modern, "c1 refreshes its metadata");
}

#[test]
fn a_member_that_is_to_stop_says_what_it_does_before() {
    let close = r#"{ "at": "5s", "close": "c1" }"#;
    for settings in [BY_HAND, CONSUMER] {
        says(
            &run(&group(settings, BY_RECORD, C1), close),
            "It finishes the record in hand, if any, and then calls close().",
            "処理中のレコードがあれば、それを終えてから close() を呼びます。",
        );
        says(
            &run(&group(settings, BY_BATCH, C1), close),
            "It first processes what is left of the batch that poll() returned",
            "poll() で受け取ったレコードが残っていれば、すべて処理してから close() を呼びます。",
        );
    }
    says(
        &run(&group(r#""enable.auto.commit": true"#, r#"{ "time": "50ms" }"#, C1), close),
        "It first processes what is left of the batch that poll() returned",
        "すべて処理してから close() を呼びます。",
    );
}

#[test]
fn a_member_that_comes_alone_has_no_others_beside_it() {
    let again = r#"{ "at": "5s", "close": "c1" }, { "at": "9s", "start": "c1" }"#;
    let modern = run(&group(CONSUMER, BY_RECORD, C1), again);
    says(
        &modern,
        "c1 joins g, which has no other member: the group epoch rises to 3.",
        "メンバーのいない g に参加しました",
    );
    says_nothing_of(&modern, "The other members go on");
    let classic = run(&group(BY_HAND, BY_RECORD, C1), again);
    says(
        &classic,
        "c1 joins g, which was empty: a rebalance begins. The coordinator waits 3 s for more members.",
        "空だった g に c1 が参加し、リバランスが始まりました。コーディネーターは、ほかのメンバーが来るのを 3 秒待ちます。",
    );
    says_nothing_of(&classic, "every member has to send JoinGroup again");
}

#[test]
fn the_outcome_names_the_group_of_each_line_and_tells_of_one_that_never_worked() {
    let idle = group(&format!(r#"{BY_HAND}, "max.poll.interval.ms": 1"#), BY_RECORD, C1);
    let other = idle.replace("\"g\"", "\"h\"").replace("c1", "x1").replace(r#", "max.poll.interval.ms": 1"#, "");
    let run = run(&format!("{idle}, {other}"), "");
    let lines = outcome(Lang::En, &run);
    for line in ["g has processed no record more than once.", "h has processed no record more than once."] {
        assert!(lines.iter().any(|said| said == line), "{lines:#?}");
    }
    assert!(lines.iter().any(|line| line.ends_with("Nobody was ever at work on a partition.")), "{lines:#?}");
    let lines = outcome(Lang::Ja, &run);
    assert!(
        lines.iter().any(|line| line.ends_with("パーティションを担当したメンバーはいませんでした。")),
        "{lines:#?}"
    );
}

#[test]
fn a_request_is_told_by_the_linger_that_its_producer_had_then() {
    let actions =
        r#"{ "set": { "producer": "p", "linger.ms": 70 }, "at": "5500ms" }, { "restart": "p", "at": "6500ms" }"#;
    let run = run(&group(BY_HAND, BY_RECORD, C1), actions);
    let said: Vec<String> = (0..run.steps())
        .map(StepNo)
        .filter(|&step| run.step_at(step).is_some_and(|step| step.event.name() == "ProduceSent"))
        .map(|step| sentence(Lang::En, &run, step))
        .collect();
    let (before, after): (Vec<&String>, Vec<&String>) = said.iter().partition(|said| said.contains("(5 ms)"));
    assert_eq!((before.len(), after.len()), (7, 13), "{said:#?}");
    assert!(after.iter().all(|said| said.contains("(70 ms)")), "{said:#?}");
}
