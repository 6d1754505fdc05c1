//! Parts of a file that do not go together.

use super::moment;
use crate::scenario::duration;
use crate::scenario::mistake::{Contradiction, NoEffect, Side, Unit};
use crate::sim::Span;
use crate::sim::setup::Writes;
use crate::text::Lang;

pub(super) fn contradicts(lang: Lang, contradiction: &Contradiction) -> String {
    match contradiction {
        Contradiction::OnErrorInPool { what } => lang.pick(
            format!("`pool` では `{what}` を使えません。ワーカーは poll() のループに手を出せず、自分のレコードのことしか知らないためです。その場での再試行、読み飛ばし、コピーの送信、停止が使えます。"),
            format!("`{what}` does not go with `pool`: a worker cannot reach the loop around poll() and knows of its own record only. It can try again in place, skip, send a copy, or stop."),
        ),
        Contradiction::AfterBatchInPool => lang.pick(
            "`pool` では `after_batch` を使えません。バッチの処理がいつ終わるかが決まらないためです。`after_records` を使ってください。".to_owned(),
            "`after_batch` does not go with `pool`: a batch has no end there. Use `after_records`.".to_owned(),
        ),
        Contradiction::UniqueKeyWith { writes: Writes::Upsert } => lang.pick(
            "`upsert` にはユニークキーが必要です。`unique_key` を省略するか、レコードのキーを入れる列の名前を書いてください。".to_owned(),
            "An `upsert` needs a unique key: leave `unique_key` out, or name the column that holds the record's key.".to_owned(),
        ),
        Contradiction::UniqueKeyWith { .. } => lang.pick(
            "`insert_without_id` のテーブルには、イベントを表す列がありません。ユニークキーは付けられません。".to_owned(),
            "With `insert_without_id` the table has no column for the event, so it can have no unique key.".to_owned(),
        ),
        Contradiction::StoreWithoutTable => lang.pick(
            "`offset_store` は、`writes_to` のテーブルと同じデータベースに置かれます。`writes_to` を書いてください。".to_owned(),
            "`offset_store` is in the database of the table: `writes_to` has to name one.".to_owned(),
        ),
        Contradiction::CommitBesideRows => lang.pick(
            "オフセットは行と同じトランザクションで保存されるので、`commit` は使われません。`commit` を外すか、`offset_store` の `transaction` を `false` にしてください。".to_owned(),
            "Offsets are stored with each row, so there is nothing to commit. Leave `commit` out, or set `transaction` of `offset_store` to `false`.".to_owned(),
        ),
        Contradiction::AsyncStore => lang.pick(
            "データベースへの保存は、終わるまで待ちます。`offset_store` では `\"how\": \"sync\"` だけを使えます。".to_owned(),
            "An application waits for its database: with `offset_store`, only `\"how\": \"sync\"` is possible.".to_owned(),
        ),
        Contradiction::AutoCommitBesideRows => lang.pick(
            "オフセットは行と同じトランザクションで保存されるので、クライアントの自動コミットは要りません。自動コミットをオフにしてください。".to_owned(),
            "Offsets are stored with each row, and the client commits by itself besides. Turn its auto commit off.".to_owned(),
        ),
        Contradiction::NeverFails { from, until } => lang.pick(
            format!("from（{}）が until（{}）より前ではないため、失敗することがありません。", moment(*from), moment(*until)),
            format!("from ({}) is not before until ({}): this never fails.", moment(*from), moment(*until)),
        ),
        Contradiction::NotInKafkaJs { what } => not_in_kafkajs(lang, what),
        Contradiction::HeartbeatNotBelowSession { names: [heartbeat_name, session_name], heartbeat, session } => lang.pick(
            format!("{heartbeat_name} は {session_name} より小さくしてください。いまは {heartbeat} と {session} です。"),
            format!("{heartbeat_name} has to be below {session_name}. They are {heartbeat} and {session}."),
        ),
        Contradiction::SessionOutsideOfBroker { name, session, least, most } => lang.pick(
            format!("{name} が {session} では、ブローカーが参加を拒否します。group.min.session.timeout.ms は {least}、group.max.session.timeout.ms は {most} です。"),
            format!("The broker refuses members with {name} {session}: group.min.session.timeout.ms is {least} and group.max.session.timeout.ms is {most}."),
        ),
        Contradiction::BrokerBounds { least, most } => lang.pick(
            format!("group.min.session.timeout.ms（{least}）が group.max.session.timeout.ms（{most}）を超えています。"),
            format!("group.min.session.timeout.ms ({least}) is above group.max.session.timeout.ms ({most})."),
        ),
        Contradiction::GroupBounds { name, value, least: (least_name, least), most: (most_name, most) } => lang.pick(
            format!("{name}（{value}）は {least_name}（{least}）以上、{most_name}（{most}）以下にしてください。そうでないと、ブローカーは起動しません。"),
            format!("{name} ({value}) has to lie between {least_name} ({least}) and {most_name} ({most}). A broker would not start."),
        ),
        Contradiction::GroupHeartbeatNotBelowSession { heartbeat, session } => lang.pick(
            format!("group.consumer.heartbeat.interval.ms は group.consumer.session.timeout.ms より小さくしてください。いまは {heartbeat} と {session} です。"),
            format!("group.consumer.heartbeat.interval.ms has to be below group.consumer.session.timeout.ms. They are {heartbeat} and {session}."),
        ),
        Contradiction::NotWithProtocol { setting, protocol } => lang.pick(
            format!("group.protocol={protocol} のクライアントは {setting} を受け付けません。"),
            format!("With group.protocol={protocol} a client refuses {setting}."),
        ),
        Contradiction::NeedsVersion { what, side, since, is } => {
            let side = side_name(lang, *side);
            lang.pick(
                format!("{what} を使うには、{side}が {since} 以降でなければなりません。いまは {is} です。"),
                format!("{what} needs a {side} {since} or later. This one is {is}."),
            )
        }
        Contradiction::RepeatedAssignor { assignor, side } => {
            let side = side_name(lang, *side);
            lang.pick(
                format!("{assignor} が 2 回書かれています。このような一覧では、{side}は起動しません。"),
                format!("{assignor} is there twice. A {side} does not start with such a list."),
            )
        }
        Contradiction::UnsupportedAssignor { assignor, has } => lang.pick(
            format!("ブローカーの group.consumer.assignors に {assignor} がないため、参加が拒否されます（UNSUPPORTED_ASSIGNOR）。使えるのは {} です。", has.join("、")),
            format!("The broker refuses members that ask for {assignor} (UNSUPPORTED_ASSIGNOR): its group.consumer.assignors has {}.", has.join(", ")),
        ),
        Contradiction::MixedProtocols => lang.pick(
            "グループのほかのメンバーと group.protocol が違います。両方のプロトコルが混在するグループ（ローリングアップグレード）は、まだ再現できません。".to_owned(),
            "The other members of the group have another group.protocol. A group of both protocols, as in a rolling upgrade, is not modelled yet.".to_owned(),
        ),
        Contradiction::AfterTheEnd { at, ends_at } => lang.pick(
            format!("{} は、実行が終わる {}（ends_at）よりあとです。", moment(*at), moment(*ends_at)),
            format!("{} is after the end of the run at {} (ends_at).", moment(*at), moment(*ends_at)),
        ),
        Contradiction::SetOfNobody => lang.pick(
            "この設定には関係のない項目です。\"member\" はコンシューマーの設定や \"commit\" と、\"producer\" はプロデューサーの設定や \"per_second\" と、\"broker\" は \"latency\" と、\"sink\" は \"unique_key\" と一緒に使います。".to_owned(),
            "This does not go with the setting: \"member\" goes with a consumer's setting or \"commit\", \"producer\" with a producer's setting or \"per_second\", \"broker\" with \"latency\", \"sink\" with \"unique_key\".".to_owned(),
        ),
        Contradiction::SetOfJavaOnly => lang.pick(
            "途中で変えられるのは、Java クライアントを使うプロデューサーの設定だけです。".to_owned(),
            "Only producers with the Java client can be given another setting during the run.".to_owned(),
        ),
        Contradiction::NotInClient { setting, own: Some(own) } => lang.pick(
            format!("このメンバーのクライアントでは、{setting} は {own} という名前です。"),
            format!("The client of this member calls {setting} {own}."),
        ),
        Contradiction::NotInClient { setting, own: None } => lang.pick(
            format!("このメンバーのクライアントに {setting} という設定はありません。"),
            format!("The client of this member has no setting {setting}."),
        ),
        Contradiction::OtherColumn { is } => lang.pick(
            format!("このテーブルのユニークキーの列は {is} です。別の列は使えません。"),
            format!("The unique key of this table is on {is}. It cannot be on another column."),
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
        Contradiction::NotInVersion { version, since, until } => lang.pick(
            format!("バージョン {version} では使えません。使えるのは {since} から {until} までです。"),
            format!("Version {version} does not have this. It is there from {since} to {until}."),
        ),
        Contradiction::OnlyLibrdkafka => lang.pick(
            "topic_settings は librdkafka だけのものです。".to_owned(),
            "Only librdkafka has topic_settings.".to_owned(),
        ),
        Contradiction::OnlyLibrdkafkaRecords => lang.pick(
            "max_records は librdkafka だけのものです。ほかのクライアントには、件数の上限を決める設定があります。".to_owned(),
            "Only librdkafka has max_records: the number is an argument there. Other clients have a setting for it.".to_owned(),
        ),
        Contradiction::PollBelowSession { poll, session } => lang.pick(
            format!("librdkafka では、max.poll.interval.ms（{poll}）を session.timeout.ms（{session}）より小さくできません。"),
            format!("librdkafka refuses a max.poll.interval.ms ({poll}) below session.timeout.ms ({session})."),
        ),
        Contradiction::MixedRebalanceProtocols => lang.pick(
            "librdkafka では、eager のアサイナーと cooperative のアサイナーを並べることはできません。".to_owned(),
            "librdkafka refuses eager and cooperative assignors in one list.".to_owned(),
        ),
        Contradiction::PoolBehindKafkaJs => lang.pick(
            "kafkajs と pool の組み合わせは、まだ再現できません。eachMessage が返った時点で処理済みになるためです。".to_owned(),
            "A pool behind kafkajs is not modelled yet: there a record counts as handled when eachMessage returns.".to_owned(),
        ),
        Contradiction::NoRebalanceListener => lang.pick(
            "kafkajs にはリバランスのリスナーがないため、on_revoke でコミットできません。".to_owned(),
            "kafkajs has no rebalance listener: on_revoke has no place to commit.".to_owned(),
        ),
        Contradiction::NoEffect { setting, why } => no_effect(lang, setting, *why),
        Contradiction::OtherTopic => lang.pick(
            "このプロデューサーが送信するのは、別のトピックです。".to_owned(),
            "This producer writes to another topic.".to_owned(),
        ),
        Contradiction::NoSuchBroker { broker, brokers } => lang.pick(
            format!("ブローカー {broker} はありません。ブローカーは {brokers} 台です（番号は 0 から）。"),
            format!("There is no broker {broker}: the cluster has {brokers}, numbered from 0."),
        ),
        Contradiction::NoSuchPartition { partition, partitions } => lang.pick(
            format!("パーティション {partition} はありません。実行開始時のトピックのパーティションは {partitions} 個です（番号は 0 から）。あとから増えるパーティションには、アクション \"produce\" で送信します。"),
            format!("There is no partition {partition}: the topic starts with {partitions}, numbered from 0. To one that is added later, the action \"produce\" sends a record."),
        ),
        Contradiction::RecordTooLarge { bytes, most } => lang.pick(
            format!("レコードが大きすぎて、send() が失敗します。{bytes} バイトになりますが、クライアントの上限は {most} バイトです。"),
            format!("send() refuses this record: it takes {bytes} bytes, and the client's limit is {most}."),
        ),
        Contradiction::NothingToDraw => lang.pick(
            "キーがありません。keys か null_keys を 1 以上にしてください。".to_owned(),
            "There is nothing to draw keys from: keys or null_keys has to be at least 1.".to_owned(),
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

fn not_in_kafkajs(lang: Lang, what: &str) -> String {
    match what {
        "assign" => lang.pick(
            "kafkajs に assign() はありません。subscribe() だけを使えます。".to_owned(),
            "kafkajs has no assign(), only subscribe().".to_owned(),
        ),
        "group.instance.id" => lang.pick(
            "kafkajs 2.2 に静的メンバー（group.instance.id）はありません。".to_owned(),
            "kafkajs 2.2 has no static members (group.instance.id).".to_owned(),
        ),
        "leave_loop" => lang.pick(
            "kafkajs の eachMessage は 1 件ずつ呼ばれるため、`leave_loop` にあたる、レコードを回すループがアプリケーションにありません。".to_owned(),
            "kafkajs calls eachMessage for each record: the application has no loop over records that it could leave (`leave_loop`).".to_owned(),
        ),
        _ => lang.pick(
            format!("`{what}` には eachBatch が必要です。kafkajs で再現できるのは eachMessage だけです。`after_records` か `every` を使ってください。"),
            format!("`{what}` needs eachBatch, and only eachMessage of kafkajs is modelled. Use `after_records` or `every`."),
        ),
    }
}

fn side_name(lang: Lang, side: Side) -> &'static str {
    match side {
        Side::Broker => lang.pick("ブローカー", "broker"),
        Side::Client => lang.pick("クライアント", "client"),
    }
}

fn no_effect(lang: Lang, setting: &str, why: NoEffect) -> String {
    match why {
        NoEffect::OwnTopicSettings => lang.pick(
            format!("{setting} は効きません。topic_settings があると、トピックの設定は settings から引き継がれないためです。"),
            format!("{setting} has no effect: with topic_settings, the topic takes nothing over from settings."),
        ),
        NoEffect::PartitionerClass => lang.pick(
            format!("{setting} は効きません。partitioner.class に別のパーティショナーが指定されているためです。"),
            format!("{setting} has no effect, as partitioner.class names another partitioner."),
        ),
        NoEffect::OnlyClassicGroups => lang.pick(
            format!("{setting} は効きません。どのグループも consumer プロトコルで、この設定はclassic プロトコルのグループだけのものだからです。"),
            format!("{setting} has no effect: it is for groups of the classic protocol, and all groups use the consumer protocol."),
        ),
        NoEffect::TriesForEver => lang.pick(
            format!("{setting} は効きません。tries がなく、いつまでも試し続けるためです。"),
            format!("{setting} has no effect: without tries, there is no last one."),
        ),
        NoEffect::TriesOnce => lang.pick(
            format!("{setting} は効きません。試すのは 1 回だけで、再試行しないためです。"),
            format!("{setting} has no effect: a record is tried once only."),
        ),
        NoEffect::OnlySeekBack => lang.pick(
            format!("{setting} は効きません。\"retry\": \"seek_back\" のときだけの項目です。"),
            format!("{setting} has no effect: it goes with \"retry\": \"seek_back\"."),
        ),
        NoEffect::UnknownToVersion { version } => lang.pick(
            format!("{setting} は効きません。クライアント {version} はこの設定を知らず、警告を出すだけです。"),
            format!("{setting} has no effect: a client {version} does not know it and only logs a warning."),
        ),
    }
}
