//! The rules of the consumer group protocol, where they differ from the classic one's.

use crate::sim::Event;
use crate::sim::event::ErrorCode;
use crate::text::Lang;

#[inline(never)]
pub(super) fn rule(lang: Lang, event: &Event) -> Option<String> {
    let rule = match event {
        Event::GroupEpochBumped { .. } => both!(
            lang,
            "メンバーやパーティションが変わると、グループエポックが 1 増えます。担当が変わらないメンバーは処理を止めません。",
            "The group epoch rises by one when members or partitions change. A member that keeps its partitions does not stop."
        ),
        Event::TargetAssignmentComputed { .. } => both!(
            lang,
            "割り当てはメンバーではなくコーディネーターが決めます。各メンバーは、自分のハートビートのたびにターゲットへ近づきます。",
            "The coordinator assigns partitions, not a member. Each member comes to its target in its own heartbeats."
        ),
        Event::RevocationRequested { .. }
        | Event::ReconciliationRevoked { .. }
        | Event::RevocationAcknowledged { .. } => both!(
            lang,
            "パーティションは、前の担当が手放したと知らせたあとで、次の担当に渡ります。ほかのパーティションの処理は止まりません。",
            "A partition goes to its new owner once the old one has said that it gave it up. All others are processed meanwhile."
        ),
        Event::AssignmentGiven { .. } | Event::ReconciliationAssigned { .. } | Event::MemberEpochRaised { .. } => {
            both!(
                lang,
                "メンバーは、ほかのメンバーを待たずにターゲットのエポックへ進みます。まだ空いていないパーティションは、あとのハートビートで受け取ります。",
                "A member comes to the epoch of the target without waiting for the others. What is not free yet comes with a later heartbeat."
            )
        }
        Event::RevocationTimedOut { .. } => both!(
            lang,
            "max.poll.interval.ms のうちに手放さないメンバーは外されます。それまで待つのは、そのパーティションだけです。",
            "A member that does not give up what it has to within max.poll.interval.ms is removed. Only those partitions wait for it."
        ),
        Event::StaticMemberLeft { .. } => both!(
            lang,
            "静的メンバーの close() は、メンバーエポック -2 のハートビートを送ります。セッションが切れるまで割り当ては変わらず、同じ group.instance.id で戻れば引き継げます。",
            "close() of a static member sends a heartbeat of epoch -2. The assignment stays until its session ends; who comes with the same group.instance.id takes it over."
        ),
        Event::MemberReplaced { .. } => both!(
            lang,
            "離脱していた静的メンバーが戻ると、グループエポックも割り当ても変わりません。",
            "When a static member that has left comes back, neither the group epoch nor the assignment changes."
        ),
        Event::ConsumerFailed { error: ErrorCode::UnreleasedInstanceId, .. } => both!(
            lang,
            "group.instance.id を持つメンバーが離脱していない間、同じ ID の新しいメンバーは拒否されます。クラッシュした直後の再起動も、セッションが切れるまでは失敗します。",
            "While the member with a group.instance.id has not left, a new one with the same id is refused. So is a restart right after a crash, until the session ends."
        ),
        Event::MemberLeft { .. } => both!(
            lang,
            "離脱の連絡を受けると、コーディネーターはすぐにグループエポックを上げます。割り当ては、次に届くハートビートで決め直されます。",
            "When a member says that it leaves, the group epoch rises at once. The next heartbeat of any member brings a new target assignment."
        ),
        Event::ConsumerCrashed { .. } => both!(
            lang,
            "クラッシュしたプロセスは何も通知しません。コーディネーターが気づくのは、group.consumer.session.timeout.ms の間、連絡が途絶えたときです。",
            "A crashed process tells nobody. The coordinator notices when it has not heard from the member for group.consumer.session.timeout.ms."
        ),
        Event::CloseRequested { .. } | Event::ConsumerClosed { .. } => both!(
            lang,
            "close() は、メンバーエポック -1 のハートビートで離脱を伝えます。ただし enable.auto.commit=false なら、コミットはしません。",
            "close() says so with a heartbeat of member epoch -1. With enable.auto.commit=false it commits nothing."
        ),
        Event::ConsumerStarted { .. } | Event::JoiningHeartbeatSent { .. } => both!(
            lang,
            "コンシューマーは起動のたびに自分で新しいメンバー ID を作ります。コーディネーターから見ると、以前とは別のメンバーです。",
            "A consumer makes itself a new member id each time it starts: to the coordinator it is a new member."
        ),
        Event::HeartbeatSent { .. } | Event::HeartbeatAnswered { .. } => both!(
            lang,
            "ハートビートの間隔はブローカーの group.consumer.heartbeat.interval.ms で決まります。割り当ての変更も、この応答で伝わります。",
            "The broker decides how often: group.consumer.heartbeat.interval.ms. The answer also brings a new assignment."
        ),
        Event::HeartbeatReceived { .. } => both!(
            lang,
            "ハートビートを受け取るたびに、コーディネーターはセッションの期限を group.consumer.session.timeout.ms 先に延ばします。",
            "With each heartbeat the member's session lasts another group.consumer.session.timeout.ms. Commits do not count."
        ),
        Event::SessionExpired { .. } => both!(
            lang,
            "最後のハートビートから group.consumer.session.timeout.ms が過ぎると、コーディネーターはメンバーを外します。それまで、担当パーティションはほかのメンバーに渡りません。",
            "The coordinator removes a member that it has not heard from for group.consumer.session.timeout.ms. Until then nobody else gets its partitions."
        ),
        Event::CommitRejected { error: ErrorCode::StaleMemberEpoch, .. }
        | Event::CommitAnswered { error: ErrorCode::StaleMemberEpoch, .. } => both!(
            lang,
            "コミットにはメンバーエポックが付き、コーディネーターが確かめます。4.3 以降は、ずっと担当しているパーティションなら古いエポックでも受け付けます。",
            "A commit names the member epoch, and the coordinator checks it. Since 4.3 an older one will do for partitions that stayed the member's."
        ),
        Event::CommitRejected { .. } => both!(
            lang,
            "コーディネーターはメンバー ID とエポックを確かめ、外れたメンバーのコミットを拒否します。新しい担当のコミットを上書きさせないためです。",
            "The coordinator checks member id and epoch, so that a former member cannot overwrite the new owner's commit."
        ),
        _ => return None,
    };
    Some(rule)
}
