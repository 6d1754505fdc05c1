//! The rule of Kafka behind an event.

mod choice;
mod modern;

use super::{Lang, acting, library, names};
use crate::sim::event::{AfterFailure, CommitCall, ErrorCode, Fault, PositionSource, RebalanceReason, RowOutcome};

use crate::sim::{Event, Simulation};

/// The rule behind an event, in one or two sentences, if there is one worth saying.
pub fn rule(lang: Lang, run: &Simulation, event: &Event) -> Option<String> {
    if let Event::OffsetCommitSent { consumer, call, .. } = *event {
        let library = run.consumer(consumer).config().settings.library;
        if let Some(rule) = library::rule_of_own_commit(lang, library, call) {
            return Some(rule);
        }
    }
    if let Some(consumer) = event.consumer() {
        let library = run.consumer(consumer).config().settings.library;
        if let Some(rule) = library::rule_of_rebalance(lang, library, event).filter(|_| !is_first_rebalance(event)) {
            return Some(rule);
        }
    }
    java_rule(lang, run, event).map(|rule| library::in_its_words(run, event, rule))
}

fn is_first_rebalance(event: &Event) -> bool {
    matches!(event, Event::RebalanceStarted { generation: 0, .. })
}

fn java_rule(lang: Lang, run: &Simulation, event: &Event) -> Option<String> {
    let is_modern = |consumer| run.setup().is_modern(run.consumer(consumer).group);
    if matches!(event, Event::TargetAssignmentComputed { .. }) || event.consumer().is_some_and(is_modern) {
        return modern::rule(lang, event).or_else(|| rule_of_both(lang, run, event));
    }
    rule_of_both(lang, run, event)
}

fn rule_of_both(lang: Lang, run: &Simulation, event: &Event) -> Option<String> {
    let rule = match *event {
        Event::RecordSent { record, .. } => choice::choice(lang, run.record(record).choice).to_owned(),
        Event::ProduceSent { .. } => both!(
            lang,
            "プロデューサーはパーティションごとにレコードをバッチにまとめます。linger.ms は、そのバッチがほかのレコードを待つ時間です。",
            "A producer gathers the records of a partition in a batch. linger.ms is how long that batch waits for more."
        ),
        Event::ProducerMetadataRefreshed { .. } => both!(
            lang,
            "プロデューサーは metadata.max.age.ms ごとにメタデータを更新します。パーティションが増えても、それまでは使いません。増えたあとは、キーの行き先が変わります。",
            "A producer refreshes its metadata every metadata.max.age.ms. Until then it does not use new partitions; from then on keys may go elsewhere."
        ),
        Event::ProducerCrashed { .. } => both!(
            lang,
            "send() が返っても、レコードはまだメモリー上のバッチの中です。送信する前にプロセスがクラッシュすると失われます。",
            "When send() returns, the record is only in a batch in memory. If the process dies before it is sent, it is lost."
        ),
        Event::ProducerClosed { .. } => both!(
            lang,
            "close() は、待っているバッチを linger.ms を待たずに送り、応答を受け取ってから終わります。",
            "close() sends all batches without waiting for linger.ms, and returns when they are acknowledged."
        ),
        Event::RecordAppended { .. } => both!(
            lang,
            "レコードはログの末尾に追加され、オフセットはあとから変わりません。順序が保証されるのは 1 つのパーティションの中だけです。",
            "A record is appended at the end of the log and keeps its offset. Order is only guaranteed inside one partition."
        ),
        Event::ConsumerStarted { .. } | Event::MemberIdGiven { .. } => both!(
            lang,
            "起動したコンシューマーは毎回新しいメンバー ID を受け取ります。group.instance.id がなければ、コーディネーターから見て別のメンバーです。",
            "A consumer gets a new member id each time it starts. Without group.instance.id it is a new member to the coordinator."
        ),
        Event::ConsumerCrashed { .. } => both!(
            lang,
            "クラッシュしたプロセスは何も通知しません。コーディネーターが気づくのは、session.timeout.ms の間、連絡が途絶えたときです。",
            "A crashed process tells nobody. The coordinator notices when it has not heard from the member for session.timeout.ms."
        ),
        Event::CloseRequested { .. } | Event::ConsumerClosed { .. } => both!(
            lang,
            "close() は離脱をコーディネーターに伝えるため、すぐにリバランスが始まります。ただし enable.auto.commit=false なら、コミットはしません。",
            "close() tells the coordinator, so the group rebalances at once. With enable.auto.commit=false it commits nothing by itself."
        ),
        Event::HeartbeatSent { .. } | Event::HeartbeatAnswered { .. } => both!(
            lang,
            "ハートビートは処理とは別のスレッドから heartbeat.interval.ms ごとに送られます。リバランスもこの応答で伝わります。",
            "Heartbeats come from a thread of their own, every heartbeat.interval.ms. The answer also tells a member of a rebalance."
        ),
        Event::HeartbeatReceived { .. } => both!(
            lang,
            "連絡があるたびに、コーディネーターはセッションの期限を session.timeout.ms 先に延ばします。",
            "Each time the coordinator hears from a member, its session lasts another session.timeout.ms."
        ),
        Event::SessionExpired { .. } => both!(
            lang,
            "最後の連絡から session.timeout.ms が過ぎると、コーディネーターはメンバーを外します。それまで、担当パーティションはほかのメンバーに渡りません。",
            "The coordinator removes a member that it has not heard from for session.timeout.ms. Until then nobody else gets its partitions."
        ),
        Event::RebalanceTimedOut { .. } => both!(
            lang,
            "コーディネーターは全メンバーを最長 max.poll.interval.ms まで待ち、来なかったメンバーを外します。遅いメンバーが 1 台でもあると、グループ全体の処理が止まります。",
            "The coordinator waits for every member, at most max.poll.interval.ms, and removes those that did not come. One slow member stops the whole group."
        ),
        Event::PollTimedOut { consumer, .. } if names::stays_when_silent(run, consumer) => both!(
            lang,
            "LeaveGroup を送るのは動的メンバーだけです。静的メンバーは max.poll.interval.ms を過ぎるとハートビートを止め、席はセッションが切れたときに空きます。",
            "Only a dynamic member sends LeaveGroup. After max.poll.interval.ms a static one stops its heartbeats; its place is free once its session expires."
        ),
        Event::PollTimedOut { .. } => both!(
            lang,
            "max.poll.interval.ms の間 poll() が呼ばれないと、クライアントは自分から離脱します。処理は止まらず、新しい担当も同じレコードを処理します。",
            "A client that does not call poll() for max.poll.interval.ms leaves by itself. Its application goes on, while the new owner processes the same records."
        ),
        Event::ConsumerFailed { .. } => both!(
            lang,
            "再試行しても直らないエラーは、poll() や commitSync() の例外になります。アプリケーションはこれを捕まえても続けられません。",
            "What no retry can mend is thrown by poll() or commitSync(). An application that catches it cannot go on either."
        ),
        Event::MemberReplaced { keeps_assignment: true, .. } => both!(
            lang,
            "静的メンバーの席は group.instance.id で決まり、セッションが切れるまで残ります。戻ったプロセスは、同じ世代の同じ割り当てを受け取ります。",
            "group.instance.id holds a static member's place until its session expires. A process that comes back gets the same partitions in the same generation."
        ),
        Event::MemberReplaced { .. } => both!(
            lang,
            "席を引き継いだ時点で、前のプロセスは締め出されます。前のプロセスのリクエストは FENCED_INSTANCE_ID になります。",
            "From now on the process that had the place before is fenced: its requests are answered FENCED_INSTANCE_ID."
        ),
        Event::MetadataRefreshed { .. } => both!(
            lang,
            "クライアントは metadata.max.age.ms ごとにメタデータを更新します。パーティションの増加に反応して参加し直すのはリーダーだけです。",
            "Each client refreshes its metadata every metadata.max.age.ms. Only the leader acts on new partitions, by joining again."
        ),
        Event::MemberLeft { .. } => both!(
            lang,
            "LeaveGroup を受け取ると、コーディネーターはセッション切れを待たずにリバランスを始めます。",
            "After LeaveGroup the group rebalances at once: there is no session to wait for."
        ),
        Event::HandlingFailed { after, .. } => failing_rule(lang, after),
        _ => return group_or_offset_rule(lang, event),
    };
    Some(rule)
}

/// What Kafka has to do with an exception of the application: nothing, beyond where its position is.
#[inline(never)]
fn failing_rule(lang: Lang, after: AfterFailure) -> String {
    match after {
        AfterFailure::TriesAgain => both!(
            lang,
            "Kafka は処理の失敗を知りません。その場で再試行する間、同じスレッドのほかのレコードは待たされます。そのスレッドが poll() も呼ぶなら、max.poll.interval.ms も進みます。",
            "Kafka knows nothing of a failure. While a record is tried again, all others of its thread wait. If that thread also polls, max.poll.interval.ms goes on."
        ),
        AfterFailure::SeeksBack => both!(
            lang,
            "poll() のポジションは、失敗したレコードより先に進んでいます。seek() で戻さないと、次の poll() はその後ろから返します。",
            "The position is behind the failed record already: without seek(), the next poll() would go on behind it."
        ),
        AfterFailure::Stops | AfterFailure::Restarts => both!(
            lang,
            "失敗したレコードはコミットされていないので、次の担当が同じレコードから読み、同じように失敗します。",
            "The failed record is not committed, so the next owner reads it first, and fails likewise."
        ),
        AfterFailure::Skips | AfterFailure::LeavesLoop => both!(
            lang,
            "コミットは「この位置より前はすべて済んだ」という印です。後ろのレコードがコミットされると、飛ばしたレコードが読まれることはもうありません。",
            "A commit says that everything before it is done. Once a later record is committed, those that were skipped are never read again."
        ),
        AfterFailure::SetsAside => both!(
            lang,
            "コピーを送る先はふつうのトピックです。送信とコミットは別々の操作で、間にクラッシュすると、コピーは 2 つになります。",
            "The copy goes to a topic like any other. Sending it and committing are two things: after a crash in between there are two copies."
        ),
    }
}

fn group_or_offset_rule(lang: Lang, event: &Event) -> Option<String> {
    let rule = match event {
        Event::RebalanceStarted { generation: 0, reason: RebalanceReason::MemberJoins, .. } => both!(
            lang,
            "新しいグループの最初のリバランスは group.initial.rebalance.delay.ms だけ待ち、参加者が続けば延長されます。リバランスを繰り返さないためです。",
            "The first rebalance of a new group waits group.initial.rebalance.delay.ms, longer while members keep coming, so that one rebalance is enough."
        ),
        Event::RebalanceStarted { .. } => both!(
            lang,
            "メンバーはハートビートの応答でリバランスを知り、次の poll() の中で参加し直します。コーディネーターは全員を待ちます。",
            "Members learn of a rebalance from the answer to a heartbeat and join again in their next poll(). The coordinator waits for all of them."
        ),
        Event::MemberJoined { .. } => both!(
            lang,
            "JoinGroup の応答は、既知のメンバーが全員そろうまで保留されます。空だったグループでは、group.initial.rebalance.delay.ms の経過も待ちます。",
            "JoinGroup is not answered before all known members have joined. A group that was empty also waits for group.initial.rebalance.delay.ms."
        ),
        Event::GenerationStarted { .. } => both!(
            lang,
            "リバランスのたびに世代が 1 増えます。前の世代のコミットは拒否されます。",
            "Each rebalance raises the generation by one. Commits from an older generation are refused."
        ),
        Event::AssignmentComputed { .. } => both!(
            lang,
            "割り当てはブローカーではなく、リーダーのクライアントがアサイナーで計算します。どのアサイナーを使うかは、全メンバーの指定から決まります。",
            "The leader's client assigns partitions, not the broker. Which assignor it uses follows from what all members support."
        ),
        Event::PartitionsAssigned { partitions: 0, .. } => both!(
            lang,
            "1 つのパーティションを同時に担当できるのは、グループ内の 1 メンバーだけです。メンバーがパーティションより多いと、余ったメンバーは待機します。",
            "A partition belongs to one member of a group at a time. Members beyond the number of partitions have nothing to do."
        ),
        Event::PartitionsAssigned { .. } => both!(
            lang,
            "1 つのパーティションを同時に担当するのは、グループ内の 1 メンバーだけです。",
            "A partition belongs to one member of a group at a time."
        ),
        Event::PartitionsRevoked { .. } => both!(
            lang,
            "eager なリバランスでは、全メンバーが参加し直す前にすべてのパーティションを手放します。担当が変わらなくても、その間はどのメンバーも処理しません。",
            "Eager: everyone gives up all partitions before joining again. Nobody processes in between, even where the owner stays the same."
        ),
        Event::SomePartitionsRevoked { .. } => both!(
            lang,
            "cooperative なリバランスでは、移すパーティションだけを手放し、空いた分を次のリバランスで新しい担当に渡します。残りの処理は止まりません。",
            "Cooperative: a member gives up only what moves, and the next rebalance hands it on. It never stops working on the rest."
        ),
        Event::MorePartitionsAssigned { .. } => both!(
            lang,
            "cooperative なリバランスの onPartitionsAssigned() には、新しく加わったパーティションだけが渡ります。空のときも呼ばれます。",
            "Cooperative: onPartitionsAssigned() is given only what is new, and is called even if that is nothing."
        ),
        Event::PartitionsLost { .. } => both!(
            lang,
            "メンバーでなくなったコンシューマーはコミットできません。パーティションは、すでにほかのメンバーのものかもしれません。",
            "A consumer that is no longer a member cannot commit: its partitions may already belong to another."
        ),
        Event::PositionSet { source: PositionSource::Committed, .. } => both!(
            lang,
            "割り当て後は、コミット済みオフセットから読みます。前の担当がどこまで処理したかは、コミット以外に伝わりません。",
            "After an assignment, reading begins at the committed offset. Only the commit tells how far the previous owner got."
        ),
        Event::PositionSet { source: PositionSource::Stored, .. } => return table_rule(lang, event),
        Event::PositionSet { source: PositionSource::Latest, was_out_of_range: false, .. } => both!(
            lang,
            "コミット済みオフセットがないと、latest では末尾から読み始めます。それより前のレコードは、このグループでは読まれません。",
            "If nothing is committed, latest begins at the end of the log: this group does not read what lies before."
        ),
        Event::PartitionsChosen { .. } => both!(
            lang,
            "assign() はグループによる割り当てを使いません。同じパーティションを複数のコンシューマーが選べば、どれもすべてのレコードを読みます。",
            "assign() leaves the group out of it: consumers that choose the same partition all read all of its records."
        ),
        Event::PollThrew { .. } => both!(
            lang,
            "auto.offset.reset=none では、始める位置が決まらないと poll() が例外を投げます。",
            "With auto.offset.reset=none, poll() throws if it does not know where to begin."
        ),
        Event::OffsetExpired { .. } => both!(
            lang,
            "グループにメンバーがいなくなってから offsets.retention.minutes が過ぎると、コミット済みオフセットは削除されます。その後は auto.offset.reset が開始位置を決めます。",
            "Once a group has had no members for offsets.retention.minutes, its committed offsets are gone, and auto.offset.reset decides where to begin."
        ),
        Event::OffsetOutOfRange { .. } | Event::PositionSet { was_out_of_range: true, .. } => both!(
            lang,
            "ログにないオフセットは読めません。このときも auto.offset.reset が次の位置を決めます。",
            "An offset that is not in the log cannot be read. Then, too, auto.offset.reset decides where to go on."
        ),
        Event::PositionSet { .. } | Event::ListOffsetsSent { .. } | Event::ListOffsetsAnswered { .. } => both!(
            lang,
            "コミット済みオフセットがないときだけ、auto.offset.reset が開始位置を決めます。デフォルトは latest です。",
            "auto.offset.reset decides where to begin only if nothing is committed. Its default is latest."
        ),
        Event::RecordsPolled { .. } => both!(
            lang,
            "ポジションは poll() が返った時点で進みます。コミット済みオフセットは、コミットするまで進みません。",
            "The position moves when poll() returns. The committed offset moves only with a commit."
        ),
        _ => return commit_or_processing_rule(lang, event),
    };
    Some(rule)
}

fn commit_or_processing_rule(lang: Lang, event: &Event) -> Option<String> {
    let rule = match event {
        Event::RecordProcessed { row: RowOutcome::AlreadyThere, .. } => both!(
            lang,
            "Kafka は同じレコードをもう一度届けることがあります。書き込みが冪等なら、2 回処理しても結果は 1 回のときと同じです。",
            "Kafka may deliver a record again. If the write is idempotent, twice has the same result as once."
        ),
        Event::RecordProcessed { row: RowOutcome::Replaced | RowOutcome::ReplacedLater, .. }
        | Event::SinkDownChanged { .. }
        | Event::OffsetsStored { .. } => return table_rule(lang, event),
        Event::RecordProcessed { fault: Fault::Shared, .. } => both!(
            lang,
            "group.id が同じでも、assign() で読むコンシューマーはパーティションを分担しません。それぞれがすべてのレコードを読みます。",
            "Even with one group.id, consumers that use assign() share nothing: each reads all records of its partitions."
        ),
        Event::RecordProcessed { fault: Fault::Stopped | Fault::Survivor, .. } => both!(
            lang,
            "処理のあとでコミットする方式は at-least-once です。処理とコミットの間で担当が変わると、その分はもう一度処理されます。",
            "Committing after processing gives at-least-once: what is processed but not committed is done again when the owner changes."
        ),
        Event::OffsetCommitSent { call, .. } if *call != CommitCall::Sync => return Some(rule_of_call(lang, *call)),
        Event::CommitFailed { error: ErrorCode::RebalanceInProgress, .. } => both!(
            lang,
            "参加の手続きをしている間、クライアントはコミットを送りません。poll() でリバランスが終われば、手元に残ったパーティションの分をコミットできます。",
            "While a client is joining, it sends no commit. Once poll() has completed the rebalance, it can commit what it still owns."
        ),
        Event::CommitFailed { .. } => both!(
            lang,
            "クライアントは、グループから外れたと知っていればコミットを送りません。次の poll() で参加し直します。",
            "A client that knows that it has left its group sends no commit. Its next poll() joins again."
        ),
        Event::OffsetCommitted { .. } | Event::OffsetCommitSent { .. } => both!(
            lang,
            "コミット済みオフセットは「次に読むオフセット」です。動作中のコンシューマーは自分のポジションから読み、コミットを読み直しません。",
            "A committed offset is the next offset to read. A running consumer goes by its position and never re-reads the commit."
        ),
        Event::CommitRejected { error: ErrorCode::RebalanceInProgress, .. } => both!(
            lang,
            "JoinGroup と SyncGroup の間はコミットできません。poll() で参加を終えてからコミットします。",
            "Between JoinGroup and SyncGroup no member can commit: call poll() first, then commit again."
        ),
        Event::CommitRejected { .. } | Event::CommitAnswered { error: ErrorCode::IllegalGeneration, .. } => both!(
            lang,
            "コーディネーターはメンバー ID と世代を確かめ、外れたメンバーのコミットを拒否します。新しい担当のコミットを上書きさせないためです。",
            "The coordinator checks member id and generation, so that a former member cannot overwrite the new owner's commit."
        ),
        _ => return acting::rule(lang, event),
    };
    Some(rule)
}

/// What Kafka has to do with a table: nothing.
#[inline(never)]
fn table_rule(lang: Lang, event: &Event) -> Option<String> {
    Some(match event {
        Event::PositionSet { source: PositionSource::Stored, .. } => both!(
            lang,
            "Kafka の外に保存したオフセットの「1 を足す」規則は、保存する側と読む側で揃えます。両方で足せば、開始のたびに 1 件が失われます。",
            "Outside of Kafka it is up to the application who adds one: if both who stores and who seeks do, a record is lost at each start."
        ),
        Event::OffsetsStored { .. } => both!(
            lang,
            "データベースは世代を確かめません。担当を失ったことを知らないメンバーも、新しい担当のオフセットを上書きできます。",
            "The database checks no generation: a member that does not know that it has lost a partition may overwrite its successor's offset."
        ),
        Event::RecordProcessed { row: RowOutcome::Replaced, .. } => both!(
            lang,
            "upsert では、同じレコードを 2 回書き込んでも行は 1 つです。ただし、読み直しの途中では古い値に戻ります。",
            "An upsert writes one row, however often. But while records are read again, the row goes back to older values."
        ),
        Event::RecordProcessed { row: RowOutcome::ReplacedLater, .. } => both!(
            lang,
            "upsert は最後に書かれた値を残すだけです。読み直したレコードの後続が処理されるまで、行は古い値のままです。",
            "An upsert keeps what was written last. Until the later records come again, too, the row holds an old value."
        ),
        Event::SinkDownChanged { is_down: true, .. } => both!(
            lang,
            "Kafka は書き込み先の障害を知りません。失敗したレコードをどうするかは、アプリケーションの例外処理で決まります。",
            "Kafka knows nothing of it. What becomes of the records depends on what the application does with an exception."
        ),
        _ => return None,
    })
}

/// What is special about a commit by this call.
fn rule_of_call(lang: Lang, call: CommitCall) -> String {
    match call {
        CommitCall::Sync | CommitCall::OnRevoke => both!(
            lang,
            "onPartitionsRevoked() の間は、まだメンバーなのでコミットできます。ここでコミットすれば、次の担当はその続きから読みます。",
            "In onPartitionsRevoked() a consumer is still a member and may commit. The next owner then goes on from there."
        ),
        CommitCall::Async => both!(
            lang,
            "commitAsync() は失敗しても送り直されません。送り直すと、あとから送った新しいコミットを古いオフセットで上書きするおそれがあるからです。",
            "commitAsync() is not repeated if it fails: an old offset might overwrite a newer commit."
        ),
        CommitCall::AsyncAgain => both!(
            lang,
            "コーディネーターはオフセットの大小を比べません。あとから届いた古いコミットが、新しいコミットを上書きします。",
            "The coordinator does not compare offsets: an old commit that comes later takes the place of a newer one."
        ),
        CommitCall::SyncBefore | CommitCall::AsyncBefore => both!(
            lang,
            "処理の前にコミットする方式は at-most-once です。処理が途中で止まると、残りのレコードは失われます。",
            "Committing before processing gives at-most-once: what is not processed when the process stops is lost."
        ),
        CommitCall::OnClose => both!(
            lang,
            "close() の前にコミットしておけば、次の担当はその続きから読みます。",
            "After a commit before close(), the next owner goes on from there."
        ),
        CommitCall::AutoInterval => both!(
            lang,
            "自動コミットをするのは poll() です。auto.commit.interval.ms が過ぎていれば、それまでの poll() が返した分をコミットします。専用のスレッドはありません。",
            "Auto commit is done by poll(): once auto.commit.interval.ms has passed, it commits what earlier polls returned. There is no thread for it."
        ),
        CommitCall::AutoRejoin | CommitCall::AutoClose | CommitCall::AutoSeek => both!(
            lang,
            "enable.auto.commit=true なら、グループに参加し直す前と close() の中でも自動でコミットします。失敗しても、ログに残るだけです。",
            "With enable.auto.commit=true the client also commits before it joins again and in close(). A failure is only logged."
        ),
    }
}
