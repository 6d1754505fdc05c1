//! Settings: what they mean and how they are written.

use super::{Lang, acting, format, names};
use crate::explain::{Beside, HasToBe, Owner, Part, Setting, SettingUse, SettingValue};
use crate::sim::setup::{Library, ProducerClient, Release};
use crate::sim::{Change, ClientId, Simulation};

/// A setting with its value, as it would stand in a configuration: `session.timeout.ms=45000`, `handling.time=500ms`.
pub fn setting(lang: Lang, used: &SettingUse) -> String {
    let name = used.name;
    match used.value {
        SettingValue::Absent => both!(lang, "{name} なし", "no {name}"),
        _ => format!("{name}={}", value(lang, used)),
    }
}

/// The value of a setting, as it would stand in a configuration.
pub fn value(lang: Lang, used: &SettingUse) -> String {
    match &used.value {
        SettingValue::Time(span) if used.setting.is_of_kafka() => span.as_millis().to_string(),
        SettingValue::Time(span) => format::literal(*span),
        SettingValue::Count(count) => count.to_string(),
        SettingValue::Switch(on) => on.to_string(),
        SettingValue::Text(text) => text.to_string(),
        SettingValue::Absent => both!(lang, "なし", "none"),
    }
}

/// What is said beside a value that is offered: a long time in a handier unit, and whether it is the default.
pub fn about_value(lang: Lang, used: &SettingUse, is_default: bool) -> Option<String> {
    let time = match used.value {
        SettingValue::Time(span) if used.setting.is_of_kafka() => Some(format::span(lang, span)),
        _ => None,
    };
    match (time, is_default) {
        (Some(time), true) => Some(both!(lang, "{time}（デフォルト）", "{time}, the default")),
        (None, true) => Some(both!(lang, "デフォルト", "the default")),
        (time, false) => time,
    }
}

/// What is said of the default beside a value.
pub fn beside_default(lang: Lang, differs: bool, default: &str) -> String {
    match differs {
        true => both!(lang, "変更済み（デフォルト {default}）", "changed; default {default}"),
        false => both!(lang, "デフォルト", "default"),
    }
}

/// Whose settings they are.
pub fn part(lang: Lang, run: &Simulation, part: &Part) -> String {
    match part {
        Part::Brokers => both!(lang, "ブローカーとネットワーク", "Brokers and network"),
        Part::Producer(producer) => {
            let name = names::producer(run, *producer);
            both!(lang, "プロデューサー {name}", "Producer {name}")
        }
        Part::Members(group, members) => {
            let group = names::group(run, *group);
            let all: Vec<&str> = members.iter().take(MOST_NAMED).map(|&member| names::consumer(run, member)).collect();
            let (named, more) = (format::list(lang, &all), members.len().saturating_sub(MOST_NAMED));
            match more {
                0 => both!(lang, "{group}: {named}", "{group}: {named}"),
                _ => both!(lang, "{group}: {named} ほか {more} 台", "{group}: {named} and {more} more"),
            }
        }
        Part::Sink(sink) => {
            let name = names::sink(run, *sink);
            both!(lang, "テーブル {name}", "Table {name}")
        }
    }
}

/// So many members are named.
const MOST_NAMED: usize = 6;

/// Which client it is.
pub fn client_of_part(run: &Simulation, part: &Part) -> Option<String> {
    let members = match part {
        Part::Members(_, members) => members,
        Part::Producer(producer) => return Some(client_of_producer(run.producer(*producer).settings.client)),
        Part::Sink(_) | Part::Brokers => return None,
    };
    let settings = &run.consumer(*members.first()?).config().settings;
    Some(match settings.library {
        Library::Java => java(settings.release),
        Library::Librdkafka { .. } => "librdkafka".to_owned(),
        Library::KafkaJs { .. } => "kafkajs".to_owned(),
        Library::KafkaPython => "kafka-python".to_owned(),
        Library::AioKafka { .. } => "aiokafka".to_owned(),
    })
}

fn client_of_producer(client: ProducerClient) -> String {
    match client {
        ProducerClient::Java { release, .. } => java(release),
        ProducerClient::Librdkafka { .. } => "librdkafka".to_owned(),
        ProducerClient::KafkaJs { .. } => "kafkajs".to_owned(),
        ProducerClient::KafkaPython { .. } => "kafka-python".to_owned(),
        ProducerClient::AioKafka => "aiokafka".to_owned(),
    }
}

fn java((major, minor): Release) -> String {
    format!("Java {major}.{minor}")
}

/// Why a value is refused beside that of another setting.
pub fn contradiction(lang: Lang, Beside { has_to_be, name, value }: Beside) -> String {
    let value = value.as_millis();
    match has_to_be {
        HasToBe::Shorter => {
            both!(lang, "{name}={value} より短くする必要があります", "It has to be shorter than {name}={value}")
        }
        HasToBe::Longer => {
            both!(lang, "{name}={value} より長くする必要があります", "It has to be longer than {name}={value}")
        }
        HasToBe::AtMost => {
            both!(lang, "{name}={value} 以下にする必要があります", "It has to be {name}={value} at most")
        }
        HasToBe::AtLeast => {
            both!(lang, "{name}={value} 以上にする必要があります", "It has to be {name}={value} at least")
        }
    }
}

/// What is said of a value with which a group would not let a client in again.
pub fn shut_out(lang: Lang) -> &'static str {
    lang.pick(
        "ほかのメンバーと共通の割り当て方がないため、グループに入れません",
        "It has none in common with the other members: the group will not let it in",
    )
}

/// Why other values of a setting are not offered, and where one can be given.
pub fn fixed(lang: Lang, setting: Setting, owner: Owner) -> String {
    let place = match owner {
        Owner::Brokers => "cluster.settings",
        Owner::Producer(_) if setting == Setting::TopicPartitioner => "producers[].topic_settings",
        Owner::Producer(_) => "producers[].settings",
        _ if matches!(setting, Setting::OnErrorTries | Setting::OnErrorBackOff) => "groups[].handling.on_error",
        _ if setting == Setting::GroupInstanceId => "groups[].members[]",
        _ => "groups[].settings",
    };
    match owner {
        Owner::Brokers => both!(
            lang,
            "ブローカーが起動時に読み込む設定です。シナリオファイルの {place} で指定できます",
            "A broker reads it at its start; a scenario file sets it under {place}"
        ),
        Owner::Sink(_) => both!(
            lang,
            "このテーブルの書き込み方で決まります。シナリオファイルの sinks[].writes で指定できます",
            "The way in which this table is written to decides it; a scenario file sets that under sinks[].writes"
        ),
        Owner::Consumer(_) if setting == Setting::PartitionAssignmentStrategy => both!(
            lang,
            "このクライアントで再現できる割り当て方は、これだけです",
            "It is the only assignor of this client that is modelled"
        ),
        _ => both!(
            lang,
            "途中での変更は、まだ再現できません。シナリオファイルの {place} で指定できます",
            "Changing it in a run is not modelled yet; a scenario file sets it under {place}"
        ),
    }
}

/// Leads the values with which a run can begin again.
pub fn from_beginning(lang: Lang, run: &Simulation, change: Change) -> String {
    let owner = acting::owner_from_beginning(lang, run, change);
    match change.consumer() {
        Some(_) => {
            both!(lang, "最初からやり直す（{owner} の全メンバー）", "From the beginning, all members of {owner}")
        }
        None => both!(lang, "最初からやり直す（{owner}）", "From the beginning, {owner}"),
    }
}

/// Leads the values that hold at once.
pub fn from_here(lang: Lang, run: &Simulation, change: Change) -> String {
    let owner = acting::owner(lang, run, change);
    both!(lang, "ここから変更する（{owner}）", "From here on, {owner}")
}

/// Leads the values with which a client can be started again.
pub fn restart_with(lang: Lang, run: &Simulation, client: ClientId) -> String {
    let name = names::client(run, client);
    both!(lang, "ここで {name} を起動し直す", "Restart {name} with it here")
}

/// What a setting means, in one line.
pub fn meaning(lang: Lang, setting: Setting) -> &'static str {
    match setting {
        Setting::Linger => lang.pick(
            "バッチがほかのレコードを待つ時間（ミリ秒）",
            "how long a batch waits for more records, in milliseconds",
        ),
        Setting::BatchSize => lang.pick(
            "バッチの最大サイズ（バイト）。Java 3.3 以降では、キーのないレコードが行き先を変える目安でもある",
            "the most bytes of a batch; in Java since 3.3 also how many go to a partition before records without a key move on",
        ),
        Setting::MaxInFlight => lang.pick(
            "ブローカー 1 台に対し、応答を待たずに送れるリクエストの数",
            "how many requests to one broker may be unanswered",
        ),
        Setting::StickyLinger => lang.pick(
            "キーのないレコードの行き先を変えない時間（ミリ秒、librdkafka）",
            "how long records without a key stay on one partition, in milliseconds (librdkafka)",
        ),
        Setting::MaxRequestSize => lang.pick(
            "リクエストの最大サイズ（バイト）。Java では、これより大きいレコードの send() は失敗する",
            "the most bytes of a request; in Java, send() refuses a larger record",
        ),
        Setting::BatchRecords => {
            lang.pick("バッチの最大件数（librdkafka）", "the most records of a batch (librdkafka)")
        }
        Setting::Partitioner => lang.pick(
            "パーティショナー（レコードの行き先を決める規則）。Java 3.3 以降では、指定がなければ組み込みのものを使う。librdkafka では、トピックの設定があると効かない",
            "how partitions are picked; in Java since 3.3 the built-in partitioner does it if none is named; in librdkafka without effect beside settings of the topic",
        ),
        Setting::TopicPartitioner => lang.pick(
            "トピックの設定として librdkafka に渡したパーティショナー。partitioner より優先される",
            "the partitioner as librdkafka is given it for the topic; it counts in place of partitioner",
        ),
        Setting::IgnoreKeys => lang.pick(
            "組み込みのパーティショナーが、すべてのレコードをキーなしとして扱うかどうか",
            "whether the built-in partitioner treats all records as if they had no key",
        ),
        Setting::AdaptivePartitioning => lang.pick(
            "組み込みのパーティショナーが、待っているバッチの少ないパーティションを優先するかどうか",
            "whether the built-in partitioner prefers partitions for which fewer batches wait",
        ),
        Setting::GroupInitialRebalanceDelay => lang.pick(
            "新しいグループの最初のリバランスが、ほかのメンバーを待つ時間（ミリ秒）",
            "how long the first rebalance of a new group waits for more members, in milliseconds",
        ),
        Setting::OffsetsRetention => lang.pick(
            "メンバーのいないグループのコミットを残しておく時間（分）",
            "how long the commits of a group without members are kept, in minutes",
        ),
        Setting::OffsetsRetentionCheckInterval => lang.pick(
            "期限切れのコミット済みオフセットを、コーディネーターが探す間隔（ミリ秒）",
            "how often the coordinator looks for committed offsets that have expired, in milliseconds",
        ),
        Setting::GroupMinSessionTimeout => lang.pick(
            "メンバーの session.timeout.ms として認める最小値（ミリ秒）",
            "the shortest session.timeout.ms with which a member may join, in milliseconds",
        ),
        Setting::GroupMaxSessionTimeout => lang.pick(
            "メンバーの session.timeout.ms として認める最大値（ミリ秒）",
            "the longest session.timeout.ms with which a member may join, in milliseconds",
        ),
        Setting::SessionTimeout => lang.pick(
            "連絡が途絶えてからメンバーが外されるまでの時間（ミリ秒）",
            "how long a member may be silent before it is removed, in milliseconds",
        ),
        Setting::HeartbeatInterval => {
            lang.pick("ハートビートの間隔（ミリ秒）", "time between two heartbeats, in milliseconds")
        }
        Setting::MaxPollInterval => lang.pick(
            "poll() から次の poll() までの最長時間（ミリ秒）。リバランスで待つ上限でもある",
            "longest time between two polls, in milliseconds; also how long a rebalance waits for a member",
        ),
        Setting::MaxPollRecords => {
            lang.pick("1 回の poll() が返すレコードの最大件数", "the most records that one poll() returns")
        }
        Setting::AutoOffsetReset => lang.pick(
            "コミット済みオフセットがないときの開始位置（earliest は先頭、latest は末尾）",
            "where to begin if nothing is committed: earliest is the start of the log, latest its end",
        ),
        Setting::EnableAutoCommit => lang.pick(
            "poll() が自動でコミットするかどうか。false なら、コミットはアプリケーションの仕事になる",
            "whether poll() commits by itself; if false, the application has to",
        ),
        Setting::AutoCommitInterval => lang.pick(
            "poll() が自動でコミットする間隔（ミリ秒）",
            "time between two commits that poll() makes by itself, in milliseconds",
        ),
        Setting::EnableAutoOffsetStore => lang.pick(
            "レコードを渡した時点で次のオフセットを保存するかどうか（librdkafka）。false なら、処理後にアプリケーションが保存する",
            "whether the offset behind a record is stored at the hand-over; if false, the application stores it after the handling (librdkafka)",
        ),
        Setting::AutoCommitThreshold => lang.pick(
            "処理したレコードがこの件数になるとコミットする（kafkajs）",
            "after how many handled records the client commits (kafkajs)",
        ),
        Setting::FetchMaxWait => lang.pick(
            "Fetch がブローカーでレコードを待つ時間の上限（ミリ秒、kafkajs）。何も届かない間、ハートビートは Fetch が返ったときにだけ送られる",
            "how long a Fetch waits for records at the broker, in milliseconds (kafkajs); an idle consumer sends heartbeats only when one has come back",
        ),
        Setting::RebalanceTimeout => lang.pick(
            "リバランスでメンバーを待つ時間の上限（ミリ秒、aiokafka）。指定がなければ session_timeout_ms と同じ",
            "how long a rebalance waits for a member, in milliseconds (aiokafka); as long as session_timeout_ms if nothing is said",
        ),
        Setting::PartitionAssignmentStrategy => lang.pick(
            "パーティションの割り当て方。cooperative-sticky だけを指定すると cooperative、それ以外は eager なリバランスになる",
            "how partitions are assigned; cooperative-sticky alone rebalances cooperatively, everything else eagerly",
        ),
        Setting::GroupProtocol => lang.pick(
            "グループのプロトコル。consumer では、割り当てをブローカーが決める",
            "the protocol of the group; with consumer the broker assigns partitions",
        ),
        Setting::GroupRemoteAssignor => lang.pick(
            "メンバーがブローカーに頼む割り当て方。なければブローカーが選ぶ",
            "the assignor that a member asks the broker for; without it the broker chooses",
        ),
        Setting::GroupConsumerAssignors => lang.pick(
            "ブローカーが使える割り当て方。先頭がデフォルト",
            "the assignors of the broker; the first is the default",
        ),
        Setting::GroupConsumerHeartbeatInterval => lang.pick(
            "ブローカーが決めるハートビートの間隔（ミリ秒）",
            "time between two heartbeats, as the broker decides it, in milliseconds",
        ),
        Setting::GroupConsumerSessionTimeout => lang.pick(
            "ハートビートが途絶えてからメンバーが外されるまでの時間（ミリ秒）",
            "how long a member may send no heartbeat before it is removed, in milliseconds",
        ),
        Setting::GroupConsumerMinHeartbeatInterval => lang.pick(
            "group.consumer.heartbeat.interval.ms の下限（ミリ秒）",
            "the least that group.consumer.heartbeat.interval.ms may be, in milliseconds",
        ),
        Setting::GroupConsumerMaxHeartbeatInterval => lang.pick(
            "group.consumer.heartbeat.interval.ms の上限（ミリ秒）",
            "the most that group.consumer.heartbeat.interval.ms may be, in milliseconds",
        ),
        Setting::GroupConsumerMinSessionTimeout => lang.pick(
            "group.consumer.session.timeout.ms の下限（ミリ秒）",
            "the least that group.consumer.session.timeout.ms may be, in milliseconds",
        ),
        Setting::GroupConsumerMaxSessionTimeout => lang.pick(
            "group.consumer.session.timeout.ms の上限（ミリ秒）",
            "the most that group.consumer.session.timeout.ms may be, in milliseconds",
        ),
        Setting::GroupConsumerAssignmentInterval => lang.pick(
            "ターゲット割り当てを決め直す間隔の下限（ミリ秒）",
            "the least time between two target assignments, in milliseconds",
        ),
        Setting::GroupInstanceId => lang.pick(
            "静的メンバーの名前。再起動しても、session.timeout.ms 以内なら同じ割り当てを受け取る",
            "the name of a static member: after a restart within session.timeout.ms it gets the same partitions",
        ),
        Setting::MetadataMaxAge => lang.pick(
            "クライアントがパーティションの一覧を取り直す間隔（ミリ秒）",
            "how often a client asks which partitions there are, in milliseconds",
        ),
        Setting::GroupMaxSize => lang.pick("グループのメンバー数の上限", "the most members that a group may have"),
        Setting::CommitAfterRecords => lang.pick(
            "アプリケーションがコミットするまでに処理するレコードの件数",
            "after how many processed records the application commits",
        ),
        Setting::CommitEvery => lang.pick(
            "アプリケーションが前のコミットから次のコミットまで空ける時間",
            "how long after its last commit the application makes the next",
        ),
        Setting::CommitWhen => {
            lang.pick("アプリケーションがコミットするタイミング", "where in its loop the application commits")
        }
        Setting::HandlingTime => {
            lang.pick("アプリケーションが 1 件の処理にかける時間", "how long the application takes for one record")
        }
        Setting::OnErrorTries => lang.pick(
            "処理に失敗するレコードを、最初の 1 回も含めて何回まで試すか。なければ無制限",
            "how often the application tries a record in all, the first time included; without it, without end",
        ),
        Setting::OnErrorBackOff => lang.pick(
            "失敗したレコードを次に試すまで、アプリケーションのスレッドが待つ時間",
            "how long the application's thread sleeps before the next try of a record that has failed",
        ),
        Setting::NetworkLatency => lang.pick("メッセージが片道でかかる時間", "how long a message travels, one way"),
        Setting::SinkDown => lang.pick(
            "テーブルのデータベースが停止しているかどうか。停止中の書き込みは失敗する",
            "whether the table's database is down: then every write fails",
        ),
        Setting::UniqueKey => lang.pick(
            "同じ値を 1 行しか許さない列。なければ、同じ書き込みで行が増える",
            "the column that holds each value once; without it a repeated write adds a row",
        ),
    }
}
