//! What can be wrong with a scenario file, as data; the words are in `text::mistake`.

use super::version::Version;
use crate::sim::Time;
use crate::sim::setup::Writes;

/// One mistake and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The value concerned, as in `groups[0].settings.session.timeout.ms`; empty for the file as a whole.
    pub path: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The file is no JSON.
    Syntax(Syntax),
    /// The file is longer than a file may be.
    TooLarge {
        /// Its length.
        bytes: u64,
        /// The longest.
        most: u64,
    },
    /// Objects and lists are nested deeper than any scenario needs.
    TooDeep {
        /// The deepest.
        most: u32,
    },
    /// An object has a field that the format does not know here.
    UnknownField {
        /// Its name.
        field: String,
        /// The fields that there are.
        allowed: Vec<String>,
        /// The one that was probably meant.
        suggestion: Option<String>,
    },
    /// An object lacks a field that it must have.
    MissingField {
        /// The field.
        field: String,
    },
    /// An object has the same field twice.
    DuplicateField {
        /// The field.
        field: String,
        /// The line of the first one.
        first_line: u32,
    },
    /// A value of another type.
    WrongType {
        /// What it has to be.
        expected: Vec<Type>,
        /// What it is.
        found: Type,
    },
    /// A word that is not one of those allowed here.
    NotOneOf {
        /// The word.
        found: String,
        /// Those allowed.
        allowed: Vec<String>,
        /// The one that was probably meant.
        suggestion: Option<String>,
    },
    /// Something that real Kafka has and that this simulator does not model yet.
    NotModelled {
        /// What is asked for.
        found: String,
        /// What there is instead.
        supported: Vec<String>,
    },
    /// A setting of Kafka that a file gives by the name of a thing.
    IsName {
        /// The setting.
        setting: String,
        /// What has the name.
        kind: Kind,
    },
    /// A number, a length of time or a count outside of its range.
    OutOfRange {
        /// What is given.
        found: String,
        /// The least.
        least: u64,
        /// The most.
        most: u64,
        /// What is counted.
        unit: Unit,
    },
    /// A number with a fraction or an exponent where only a whole one makes sense.
    NotWhole {
        /// What is given.
        found: String,
    },
    /// A string that is no length of time.
    BadDuration {
        /// What is given.
        found: String,
    },
    /// A name with characters that a name may not have.
    BadName {
        /// What is given.
        found: String,
        /// The longest that it may be.
        longest: u32,
    },
    /// Two things of one kind have the same name.
    DuplicateName {
        /// What they are.
        kind: Kind,
        /// Their name.
        name: String,
    },
    /// The name of something that does not exist.
    NotThere {
        /// What it would be.
        kind: Kind,
        /// Its name.
        name: String,
        /// What exists.
        exists: Vec<String>,
        /// The one that was probably meant.
        suggestion: Option<String>,
    },
    /// Exactly one of these fields has to be there.
    OneOfFields {
        /// The fields.
        fields: Vec<String>,
        /// How many of them are there.
        found: u32,
    },
    /// Parts that do not go together.
    Contradiction(Contradiction),
    /// The file has more mistakes than are listed.
    More {
        /// How many more.
        count: u32,
    },
}

/// Why a text is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// There is nothing in it.
    Empty,
    /// A comment.
    Comment,
    /// A comma behind the last entry.
    TrailingComma,
    /// A comma is missing between two entries.
    MissingComma,
    /// A colon is missing behind a field's name.
    MissingColon,
    /// A value is missing.
    MissingValue,
    /// A field's name without quotes.
    UnquotedName,
    /// Single quotes.
    SingleQuotes,
    /// A string without end, or with a wrong escape.
    BadString,
    /// A number in a form that JSON does not have.
    BadNumber,
    /// An object that is not closed.
    OpenObject,
    /// A list that is not closed.
    OpenList,
    /// More behind the end.
    MoreThanOneValue,
    /// A character that does not belong here.
    Unexpected,
}

/// A type of JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// An object.
    Object,
    /// A list.
    List,
    /// A string.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// `null`.
    Null,
}

/// What a bounded number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nothing in particular.
    Plain,
    /// Milliseconds.
    Millis,
    /// A length of time, bounds in microseconds.
    Duration,
    /// Entries of a list.
    Entries,
    /// Nothing in particular, and it may be negative: the bound holds to either side.
    Signed,
}

/// A kind of thing that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A topic.
    Topic,
    /// A partition of a topic.
    Partition,
    /// A producer.
    Producer,
    /// A consumer group.
    Group,
    /// A member of a group.
    Member,
    /// A table.
    Sink,
}

/// One of the two that speak with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The brokers.
    Broker,
    /// A client.
    Client,
}

/// Parts that do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// A pool, and something after an error that only the thread that polls can do.
    OnErrorInPool {
        /// The word.
        what: &'static str,
    },
    /// A pool, and a commit behind the batch: it is not known to the thread that commits when a pool has finished it.
    AfterBatchInPool,
    /// An offset store without a table, in whose database it would be.
    StoreWithoutTable,
    /// Offsets that are stored with each row, and a commit.
    CommitBesideRows,
    /// Offsets in a database, and a commit that is not waited for.
    AsyncStore,
    /// Offsets that are stored with each row, and a client that commits by itself.
    AutoCommitBesideRows,
    /// Records that fail up to a moment that is not behind the one from which they do.
    NeverFails {
        /// From when on.
        from: Time,
        /// Up to when.
        until: Time,
    },
    /// Something that kafkajs does not have, or that is not modelled with `eachMessage`.
    NotInKafkaJs {
        /// The field, or its word.
        what: &'static str,
    },
    /// `heartbeat.interval.ms` has to be below `session.timeout.ms`.
    HeartbeatNotBelowSession {
        /// What the client calls the two.
        names: [&'static str; 2],
        /// The heartbeat interval in milliseconds.
        heartbeat: u64,
        /// The session timeout in milliseconds.
        session: u64,
    },
    /// The broker refuses a `session.timeout.ms` outside of its bounds (`INVALID_SESSION_TIMEOUT`).
    SessionOutsideOfBroker {
        /// What the client calls it.
        name: &'static str,
        /// The session timeout in milliseconds.
        session: u64,
        /// `group.min.session.timeout.ms`.
        least: u64,
        /// `group.max.session.timeout.ms`.
        most: u64,
    },
    /// `group.min.session.timeout.ms` above `group.max.session.timeout.ms`.
    BrokerBounds {
        /// The former.
        least: u64,
        /// The latter.
        most: u64,
    },
    /// A setting of the broker outside of bounds that are settings of the broker too.
    GroupBounds {
        /// The setting.
        name: &'static str,
        /// Its value in milliseconds.
        value: u64,
        /// The setting that says what is the least, and its value.
        least: (&'static str, u64),
        /// The setting that says what is the most, and its value.
        most: (&'static str, u64),
    },
    /// `group.consumer.heartbeat.interval.ms` has to be below `group.consumer.session.timeout.ms`.
    GroupHeartbeatNotBelowSession {
        /// The former.
        heartbeat: u64,
        /// The latter.
        session: u64,
    },
    /// A setting that a client refuses in a group of this protocol.
    NotWithProtocol {
        /// The setting.
        setting: &'static str,
        /// The protocol.
        protocol: &'static str,
    },
    /// Something that only newer versions have.
    NeedsVersion {
        /// What it is.
        what: &'static str,
        /// Who has to have it.
        side: Side,
        /// The first version that has it.
        since: Version,
        /// The version that there is.
        is: Version,
    },
    /// A member asks for an assignor that the broker does not have (`UNSUPPORTED_ASSIGNOR`).
    UnsupportedAssignor {
        /// The assignor.
        assignor: &'static str,
        /// Those that it has.
        has: Vec<String>,
    },
    /// A list that names an assignor twice, by its name or by its class.
    RepeatedAssignor {
        /// The assignor.
        assignor: &'static str,
        /// Whose list it is.
        side: Side,
    },
    /// Members of one group with both group protocols: a rolling upgrade, which is not modelled.
    MixedProtocols,
    /// Something is to happen after the end of the run.
    AfterTheEnd {
        /// When it would happen.
        at: Time,
        /// When the run ends.
        ends_at: Time,
    },
    /// A name beside a setting that is not its.
    SetOfNobody,
    /// A producer's setting that can be changed only if its client is the Java client.
    SetOfJavaOnly,
    /// A setting that the member's client does not have, or not by this name.
    NotInClient {
        /// What stands there.
        setting: String,
        /// What the client calls it.
        own: Option<&'static str>,
    },
    /// A unique key, or none, where the way in which the table is written to says otherwise.
    UniqueKeyWith {
        /// The way.
        writes: Writes,
    },
    /// A table has one column for its events, and this is another one.
    OtherColumn {
        /// The one that it has.
        is: String,
    },
    /// A wait without something to wait after.
    WaitWithoutAfter,
    /// As many weights as keys are needed.
    Weights {
        /// The weights.
        weights: u64,
        /// The keys.
        keys: u64,
    },
    /// Two workloads make the same key out of different prefixes.
    KeysOverlap {
        /// The key.
        key: String,
    },
    /// All workloads together have too many keys.
    TooManyKeys {
        /// The most.
        most: u32,
    },
    /// All topics together have too many partitions.
    TooManyPartitions {
        /// How many they have.
        partitions: u32,
        /// The most.
        most: u32,
    },
    /// Client and broker do not speak a common version of the protocol (KIP-896).
    Versions {
        /// The client's.
        client: Version,
        /// The broker's.
        kafka: Version,
    },
    /// A setting or one of its values that this version of the client does not have.
    NotInVersion {
        /// The version.
        version: Version,
        /// The first one that has it.
        since: Version,
        /// The last one that has it.
        until: Version,
    },
    /// `topic_settings` of a client other than librdkafka.
    OnlyLibrdkafka,
    /// `max_records` of a client other than librdkafka.
    OnlyLibrdkafkaRecords,
    /// librdkafka refuses a `max.poll.interval.ms` below `session.timeout.ms`.
    PollBelowSession {
        /// The former in milliseconds.
        poll: u64,
        /// The latter in milliseconds.
        session: u64,
    },
    /// librdkafka refuses eager and cooperative assignors in one list.
    MixedRebalanceProtocols,
    /// A pool behind kafkajs: what is handed over counts as handled there, which is not modelled.
    PoolBehindKafkaJs,
    /// kafkajs has no rebalance listener in which an application could commit.
    NoRebalanceListener,
    /// A client takes this setting without a complaint and does not heed it: only a warning.
    NoEffect {
        /// The setting.
        setting: String,
        /// Why not.
        why: NoEffect,
    },
    /// A record for a partition of another topic than its producer's.
    OtherTopic,
    /// A broker that the cluster does not have.
    NoSuchBroker {
        /// Its number.
        broker: u32,
        /// How many there are.
        brokers: u32,
    },
    /// A record for a partition that its topic does not have.
    NoSuchPartition {
        /// The number of the partition.
        partition: u32,
        /// How many there are.
        partitions: u32,
    },
    /// `send()` refuses the record (`RecordTooLargeException`, `MSG_SIZE_TOO_LARGE`).
    RecordTooLarge {
        /// Its bytes, as the client reckons them.
        bytes: u32,
        /// The most.
        most: u32,
    },
    /// A workload without keys and without records that have none.
    NothingToDraw,
    /// A length of time whose least is above its most.
    Bounds {
        /// The least; a time in microseconds.
        least: u64,
        /// The most; a time in microseconds.
        most: u64,
        /// What is counted.
        unit: Unit,
    },
}

/// Why a setting has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEffect {
    /// The topic is created with a configuration of its own, which does not inherit this one.
    OwnTopicSettings,
    /// It belongs to Java's built-in partitioner, and `partitioner.class` names another one.
    PartitionerClass,
    /// It is for groups of the classic protocol, and there are only others.
    OnlyClassicGroups,
    /// It says what comes after the last try, and there is none.
    TriesForEver,
    /// It says how a record is tried again, and none is.
    TriesOnce,
    /// It is for tries that go back with `seek()`.
    OnlySeekBack,
    /// This version of the client does not know it.
    UnknownToVersion {
        /// The version.
        version: Version,
    },
}
