//! What was done by hand, so short that a hundred deeds fit into an address.
//!
//! Each is the time since the one before in microseconds and the number of events of that instant before it, both as
//! variable-length integers, and the action in Borsh. Times stay right where a later model makes a step more or less.
//! The numbers of the kinds of action are their order in [`Action`], so new kinds belong at its end; links of old are a
//! test.

use crate::sim::{Action, Simulation, Span, StepNo, Time};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use borsh::{BorshDeserialize as _, BorshSerialize as _};

/// The most deeds of a link.
pub const MOST: usize = 1_000;

/// Something done by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deed {
    /// When, in simulated time.
    pub at: Time,
    /// After how many events of that instant.
    pub nth: u32,
    /// What.
    pub action: Action,
}

impl Deed {
    /// What was done in a run as its step at this position.
    pub fn of(run: &Simulation, position: u32, action: Action) -> Self {
        let at = run.step_at(StepNo(position)).map_or(Time::ZERO, |step| step.at);
        Deed { at, nth: events_at(run, at, position), action }
    }

    /// True once a run has come to where this was done in another one, or beyond.
    pub fn is_due(&self, run: &Simulation) -> bool {
        let now = run.now();
        now > self.at || (now == self.at && events_at(run, now, run.steps()) >= self.nth)
    }
}

/// How many of the events right before a position belong to the instant `at`.
fn events_at(run: &Simulation, at: Time, position: u32) -> u32 {
    let is_same = |&before: &u32| run.step_at(StepNo(before)).is_some_and(|step| step.at == at);
    (0..position).rev().take_while(is_same).count() as u32
}

/// Deeds in base64url.
pub fn to_text(deeds: &[Deed]) -> String {
    let mut bytes = Vec::new();
    let mut before = Time::ZERO;
    for deed in deeds {
        put_integer(&mut bytes, deed.at.since(before).as_micros());
        put_integer(&mut bytes, u64::from(deed.nth));
        // Writing into memory does not fail.
        let _ = deed.action.serialize(&mut bytes);
        before = deed.at;
    }
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The deeds of a text; nothing if it is damaged or says too much.
#[inline(never)]
pub fn from_text(text: &str) -> Option<Vec<Deed>> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let mut rest = &bytes[..];
    let (mut deeds, mut now) = (Vec::new(), 0_u64);
    while !rest.is_empty() {
        if deeds.len() == MOST {
            return None;
        }
        now = now.checked_add(integer(&mut rest)?)?;
        let nth = integer(&mut rest)?.try_into().ok()?;
        let action = Action::deserialize(&mut rest).ok()?;
        deeds.push(Deed { at: Time::ZERO + Span::from_micros(now), nth, action });
    }
    Some(deeds)
}

/// Seven bits a byte, the lowest first; the highest bit of a byte says that more follow (LEB128).
fn put_integer(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn integer(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..56).step_by(7) {
        let (&first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first < 0x80 {
            return Some(value);
        }
    }
    None
}
