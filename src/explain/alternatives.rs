//! Other values of a setting, as far as the engine can be told to take them.

use super::settings::{Owner, Setting, SettingValue};
use crate::sim::order;
use crate::sim::setup::{ConsumerSettings, OffsetReset};
use crate::sim::{BrokerId, Change, ConsumerId, ConsumerSetting, HandlingOf, Simulation, Span};

/// The values that are offered for a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternatives {
    /// When a change takes effect.
    pub takes_effect: TakesEffect,
    /// The values, in order.
    pub values: Vec<Alternative>,
}

/// When a change takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakesEffect {
    /// At once: it is part of the small world around Kafka.
    FromHere,
    /// When this client starts: it is a client's setting.
    AtStartOf(ConsumerId),
}

/// A value that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The value.
    pub value: SettingValue,
    /// What sets it.
    pub change: Change,
    /// True if it is the present one.
    pub is_present: bool,
    /// True if it is Kafka's default.
    pub is_default: bool,
    /// The setting beside which the client refuses it, and that setting's value.
    pub contradicts: Option<(Setting, Span)>,
}

/// What is offered for a setting; nothing if it cannot be changed.
pub fn alternatives(run: &Simulation, setting: Setting, owner: Owner) -> Option<Alternatives> {
    match owner {
        Owner::World if setting == Setting::NetworkLatency => {
            let broker = BrokerId(0);
            let change = |latency| Change::Latency { broker, latency };
            Some(from_here([1, 4, 50, 500], run.latency(broker), change))
        }
        Owner::Consumer(consumer) if setting == Setting::HandlingTime => {
            let change = |time| Change::HandlingTime { consumer, of: HandlingOf::Every, time };
            Some(from_here([50, 100, 500, 1000, 5000], run.consumer(consumer).config().handling.time, change))
        }
        Owner::Consumer(consumer) => of_client(run, setting, consumer),
        _ => None,
    }
}

fn from_here<const N: usize>(millis: [u64; N], present: Span, change: impl Fn(Span) -> Change) -> Alternatives {
    let value = |span| Alternative {
        value: SettingValue::Time(span),
        change: change(span),
        is_present: span == present,
        is_default: false,
        contradicts: None,
    };
    let times = with(&millis.map(|millis| millis * 1000), [present.as_micros(); 2]);
    let values = times.into_iter().map(|micros| value(Span::from_micros(micros))).collect();
    Alternatives { takes_effect: TakesEffect::FromHere, values }
}

fn of_client(run: &Simulation, setting: Setting, consumer: ConsumerId) -> Option<Alternatives> {
    let (present, default) = (&run.consumer(consumer).config().settings, &ConsumerSettings::default());
    let alternative = |value, setting, is_present, is_default| Alternative {
        value,
        change: Change::Setting { consumer, setting },
        is_present,
        is_default,
        contradicts: contradicts(present, setting),
    };
    let times = |millis: [u64; 3], of: fn(&ConsumerSettings) -> Span, setting: fn(Span) -> ConsumerSetting| {
        let (present, default) = (of(present), of(default));
        let values = with(&millis.map(|millis| millis * 1000), [present.as_micros(), default.as_micros()]);
        let value = |span| alternative(SettingValue::Time(span), setting(span), span == present, span == default);
        values.into_iter().map(Span::from_micros).map(value).collect()
    };
    let values: Vec<Alternative> = match setting {
        Setting::SessionTimeout => {
            times([6_000, 10_000, 30_000], |settings| settings.session_timeout, ConsumerSetting::SessionTimeout)
        }
        Setting::HeartbeatInterval => {
            times([1_000, 10_000, 60_000], |settings| settings.heartbeat_interval, ConsumerSetting::HeartbeatInterval)
        }
        Setting::MaxPollInterval => {
            times([2_000, 10_000, 60_000], |settings| settings.max_poll_interval, ConsumerSetting::MaxPollInterval)
        }
        Setting::MaxPollRecords => {
            let (present, default) = (present.max_poll_records, default.max_poll_records);
            let value = |count| {
                let setting = ConsumerSetting::MaxPollRecords(count);
                alternative(SettingValue::Count(count), setting, count == present, count == default)
            };
            let counts = with(&[1, 10, 100], [present, default].map(u64::from));
            counts.into_iter().map(|count| value(count as u32)).collect()
        }
        Setting::AutoOffsetReset => {
            let offered = [OffsetReset::Earliest, OffsetReset::Latest, OffsetReset::None];
            let own = (!offered.contains(&present.auto_offset_reset)).then_some(present.auto_offset_reset);
            let value = |reset: OffsetReset| {
                let text = SettingValue::Text(super::settings::reset_name(reset).into());
                let (is_present, is_default) = (reset == present.auto_offset_reset, reset == default.auto_offset_reset);
                alternative(text, ConsumerSetting::AutoOffsetReset(reset), is_present, is_default)
            };
            offered.into_iter().chain(own).map(value).collect()
        }
        _ => return None,
    };
    Some(Alternatives { takes_effect: TakesEffect::AtStartOf(consumer), values })
}

/// A heartbeat has to come more often than the session expires (`AbstractCoordinator`).
fn contradicts(present: &ConsumerSettings, setting: ConsumerSetting) -> Option<(Setting, Span)> {
    let (interval, timeout) = (present.heartbeat_interval, present.session_timeout);
    match setting {
        ConsumerSetting::SessionTimeout(span) if span <= interval => Some((Setting::HeartbeatInterval, interval)),
        ConsumerSetting::HeartbeatInterval(span) if span >= timeout => Some((Setting::SessionTimeout, timeout)),
        _ => None,
    }
}

/// The offered numbers and those that must not be missing, in order, each once.
fn with(offered: &[u64], more: [u64; 2]) -> Vec<u64> {
    let mut values = offered.to_vec();
    values.extend(more);
    order::by_number(&mut values, |&value| value);
    values.dedup();
    values
}
