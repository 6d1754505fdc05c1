//! Parts of a file that do not go together.

use super::moment;
use crate::scenario::duration;
use crate::scenario::mistake::{Contradiction, Unit};
use crate::sim::Span;
use crate::text::Lang;

pub(super) fn contradicts(lang: Lang, contradiction: &Contradiction) -> String {
    match contradiction {
        Contradiction::HeartbeatNotBelowSession { heartbeat, session } => lang.pick(
            format!("heartbeat.interval.ms は session.timeout.ms より小さくしてください。いまは {heartbeat} と {session} です。"),
            format!("heartbeat.interval.ms has to be below session.timeout.ms. They are {heartbeat} and {session}."),
        ),
        Contradiction::SessionOutsideOfBroker { session, least, most } => lang.pick(
            format!("session.timeout.ms が {session} では、ブローカーが参加を拒否します。group.min.session.timeout.ms は {least}、group.max.session.timeout.ms は {most} です。"),
            format!("The broker refuses members with session.timeout.ms {session}: group.min.session.timeout.ms is {least} and group.max.session.timeout.ms is {most}."),
        ),
        Contradiction::BrokerBounds { least, most } => lang.pick(
            format!("group.min.session.timeout.ms（{least}）が group.max.session.timeout.ms（{most}）を超えています。"),
            format!("group.min.session.timeout.ms ({least}) is above group.max.session.timeout.ms ({most})."),
        ),
        Contradiction::AfterTheEnd { at, ends_at } => lang.pick(
            format!("{} は、実行が終わる {}（ends_at）よりあとです。", moment(*at), moment(*ends_at)),
            format!("{} is after the end of the run at {} (ends_at).", moment(*at), moment(*ends_at)),
        ),
        Contradiction::WaitWithoutAfter => lang.pick(
            "\"wait\" は \"after\" と一緒に使います。".to_owned(),
            "\"wait\" goes with \"after\".".to_owned(),
        ),
        Contradiction::Weights { weights, keys } => lang.pick(
            format!("重みはキーと同じ数だけ必要です。キーは {keys} 個、重みは {weights} 個です。"),
            format!("There have to be as many weights as keys: {keys} keys, {weights} weights."),
        ),
        Contradiction::KeysOverlap { key } => lang.pick(
            format!("キー「{key}」は、別の key_prefix のキーと同じになります。"),
            format!("The key \"{key}\" is the same as one of another key_prefix."),
        ),
        Contradiction::TooManyKeys { most } => lang.pick(
            format!("キーが多すぎます。すべてのワークロードを合わせて {most} 個までです。"),
            format!("These are too many keys. All workloads together may have {most}."),
        ),
        Contradiction::TooManyPartitions { partitions, most } => lang.pick(
            format!("パーティションが多すぎます。すべてのトピックを合わせて {most} 個までです。いまは {partitions} 個あります。"),
            format!("These are too many partitions. All topics together may have {most}. They have {partitions}."),
        ),
        Contradiction::Versions { client, kafka } => lang.pick(
            format!("クライアント {client} とブローカー {kafka} は通信できません。4.0 以降には、相手も 2.1 以降が必要です（KIP-896）。"),
            format!("A client {client} cannot talk to a broker {kafka}: from 4.0 on, the other side has to be 2.1 or later (KIP-896)."),
        ),
        Contradiction::Bounds { least, most, unit } => {
            let [least, most] = [*least, *most].map(|bound| match unit {
                Unit::Duration => duration::write(Span::from_micros(bound)),
                _ => bound.to_string(),
            });
            lang.pick(
                format!("at_least（{least}）が at_most（{most}）を超えています。"),
                format!("at_least ({least}) is above at_most ({most})."),
            )
        }
    }
}
