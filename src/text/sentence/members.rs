//! Static members, cooperative rebalances, metadata, and applications that end with an error.

use super::Telling;
use super::commits::exception;
use crate::sim::event::ErrorCode;
use crate::sim::{ConsumerId, Event};
use crate::text::library;

impl Telling<'_> {
    #[inline(never)]
    pub(super) fn members(self) -> String {
        let lang = self.lang;
        match self.step.event {
            Event::ConsumerFailed { consumer, error, .. } => self.failed(consumer, error),
            Event::MemberReplaced { consumer, previous, keeps_assignment, generation, .. } => {
                self.replaced(consumer, previous, keeps_assignment, generation)
            }
            Event::MetadataRefreshed { consumer, partitions, rejoins } => {
                let (name, partitions) = (self.consumer(consumer), self.partitions(partitions));
                let rejoins_at_once = library::joins_at_once(self.settings(consumer).library);
                match rejoins {
                    true if rejoins_at_once => both!(
                        lang,
                        "リーダーの {name} がメタデータを更新し、新しい {partitions}に気づきました。すぐに参加し直します。",
                        "The leader {name} refreshes its metadata and finds {partitions} more. It joins again at once."
                    ),
                    true => both!(
                        lang,
                        "リーダーの {name} がメタデータを更新し、新しい {partitions}に気づきました。次の poll() で参加し直します。",
                        "The leader {name} refreshes its metadata and finds {partitions} more. Its next poll() joins again."
                    ),
                    false if self.run.consumer(consumer).config().reads.is_by_hand() => both!(
                        lang,
                        "{name} がメタデータを更新し、新しい {partitions}に気づきました。assign() で選んだパーティションは変わりません。",
                        "{name} refreshes its metadata and finds {partitions} more. What it reads by assign() stays the same."
                    ),
                    false => both!(
                        lang,
                        "{name} がメタデータを更新し、新しい {partitions}に気づきました。リーダーではないので、何もしません。",
                        "{name} refreshes its metadata and finds {partitions} more. It is not the leader: it does nothing."
                    ),
                }
            }
            Event::SomePartitionsRevoked { consumer, partitions, kept, .. } => {
                let gone = self.run.partitions_at(self.number);
                let (name, gone, kept) = (self.consumer(consumer), self.named(gone, partitions), self.partitions(kept));
                both!(
                    lang,
                    "{name} が {gone} だけを手放し、残りの {kept}の処理を続けます（cooperative）。このあと参加し直します。",
                    "{name} gives up {gone} only and goes on with {kept} (cooperative). It joins again next."
                )
            }
            Event::MorePartitionsAssigned { consumer, generation, partitions, kept } => {
                self.more_assigned(consumer, generation, partitions, kept)
            }
            _ => String::new(),
        }
    }

    fn failed(self, consumer: ConsumerId, error: ErrorCode) -> String {
        let (name, exception) = (self.consumer(consumer), exception(self.settings(consumer).library, error));
        match error {
            ErrorCode::FencedInstanceId => both!(
                self.lang,
                "{name} に {exception} が発生し、終了しました。同じ group.instance.id を持つ別のプロセスが、この席を引き継いでいます。",
                "{exception} ends {name}: another process with the same group.instance.id has taken its place."
            ),
            ErrorCode::GroupMaxSizeReached => both!(
                self.lang,
                "{name} に {exception} が発生し、終了しました。グループは group.max.size に達しています。",
                "{exception} ends {name}: the group has as many members as group.max.size allows."
            ),
            ErrorCode::InconsistentGroupProtocol => both!(
                self.lang,
                "{name} に {exception} が発生し、終了しました。ほかのメンバーと共通のアサイナーがありません。",
                "{exception} ends {name}: it has no assignor in common with the other members."
            ),
            ErrorCode::UnreleasedInstanceId => both!(
                self.lang,
                "{name} に {exception} が発生し、終了しました。同じ group.instance.id のメンバーが、まだ離脱していません。",
                "{exception} ends {name}: a member with the same group.instance.id has not left yet."
            ),
            _ => both!(self.lang, "{name} に {exception} が発生し、終了しました。", "{exception} ends {name}."),
        }
    }

    fn replaced(self, consumer: ConsumerId, previous: ConsumerId, keeps_assignment: bool, generation: u32) -> String {
        let name = self.consumer(consumer);
        let from = self.consumer(previous);
        match (keeps_assignment, previous == consumer) {
            (true, true) => both!(
                self.lang,
                "静的メンバーの {name} が戻り、元の席に着きました。世代 {generation} も割り当てもそのままで、リバランスは起きません。",
                "The static member {name} is back in its place: same generation {generation}, same partitions, no rebalance."
            ),
            (true, false) => both!(
                self.lang,
                "{name} が同じ group.instance.id で参加し、{from} の席と割り当てを引き継ぎました。リバランスは起きません。",
                "{name} joins with the group.instance.id of {from} and takes over its place and partitions. There is no rebalance."
            ),
            (false, true) => both!(
                self.lang,
                "静的メンバーの {name} が新しいメンバー ID で元の席に戻りました。割り当ては次の世代で決まります。",
                "The static member {name} is back in its place with a new member id. The next generation decides what it gets."
            ),
            (false, false) => both!(
                self.lang,
                "{name} が同じ group.instance.id で参加し、{from} の席を引き継ぎました。割り当ては次の世代で決まります。",
                "{name} joins with the group.instance.id of {from} and takes its place. The next generation decides what it gets."
            ),
        }
    }

    fn more_assigned(self, consumer: ConsumerId, generation: u32, partitions: u32, kept: u32) -> String {
        let added = self.run.partitions_at(self.number);
        let (name, added) = (self.consumer(consumer), self.named(added, partitions));
        let keeps = self.partitions(kept);
        match (partitions, kept) {
            (0, 0) => both!(
                self.lang,
                "世代 {generation} では {name} に割り当てるパーティションがまだありません。",
                "{name} gets no partition in generation {generation} yet."
            ),
            (0, _) => both!(
                self.lang,
                "世代 {generation} で {name} の {keeps}はそのままです。追加はありません。",
                "{name} keeps {keeps} in generation {generation} and gets nothing new."
            ),
            (_, 0) => both!(
                self.lang,
                "世代 {generation} で {name} に {added} が割り当てられました。次に、コミット済みオフセットを問い合わせます。",
                "{name} gets {added} in generation {generation}. Next it asks for the committed offsets."
            ),
            _ => both!(
                self.lang,
                "世代 {generation} で {name} に {added} が加わりました。これまでの {keeps}は処理を続けています。",
                "{name} gets {added} in generation {generation} and has gone on with {keeps} all along."
            ),
        }
    }
}
