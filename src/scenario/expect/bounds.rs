//! What a number or a length of time has to come to: one value, or a range.

use super::{Differs, Found};
use crate::scenario::fields::{BOUNDS, TIME_BOUNDS, Table};
use crate::scenario::mistake::{Contradiction, Problem, Unit};
use crate::scenario::reader::{Place, Reader};
use crate::sim::Span;
use crate::sim::setup::bounds;
use jsonc_parser::ast::Value;

/// The least and the most, both allowed; times in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    at_least: u64,
    at_most: u64,
    unit: Unit,
}

impl Bounds {
    /// What differs, if `found` is out of bounds.
    pub fn differs(self, found: u64) -> Option<Differs> {
        let holds = (self.at_least..=self.at_most).contains(&found);
        (!holds).then(|| Differs::Value { expected: self.expected(), found: self.value(found) })
    }

    /// What differs where there is nothing.
    pub fn differs_from_nothing(self) -> Option<Differs> {
        Some(Differs::Value { expected: self.expected(), found: Found::Nothing })
    }

    fn expected(self) -> Found {
        match self.at_least == self.at_most {
            true => self.value(self.at_least),
            false => Found::Between(self.at_least, self.at_most, self.unit),
        }
    }

    fn value(self, number: u64) -> Found {
        match self.unit {
            Unit::Duration => Found::Time(Span::from_micros(number)),
            _ => Found::Number(number),
        }
    }

    /// A number, or an object with `at_least` and `at_most`.
    pub fn count<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<Bounds> {
        let most = bounds::STEPS;
        let count = |r: &mut Reader<'t>, place| r.count(place, 0..=most).map(u64::from);
        Bounds::read(r, place, (&BOUNDS, 0, u64::from(most)), Unit::Plain, count)
    }

    /// A length of time, or an object with `at_least` and `at_most`.
    pub fn time<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<Bounds> {
        let span = |r: &mut Reader<'t>, place| r.duration(place, Span::ZERO..=bounds::DURATION).map(Span::as_micros);
        Bounds::read(r, place, (&TIME_BOUNDS, 0, bounds::DURATION.as_micros()), Unit::Duration, span)
    }

    fn read<'t>(
        r: &mut Reader<'t>,
        place: Option<Place<'t>>,
        (table, least, most): (&Table, u64, u64),
        unit: Unit,
        value: impl Fn(&mut Reader<'t>, Option<Place<'t>>) -> Option<u64>,
    ) -> Option<Bounds> {
        let place = place?;
        if !matches!(place.value, Value::Object(_)) {
            let exact = value(r, Some(place))?;
            return Some(Bounds { at_least: exact, at_most: exact, unit });
        }
        let fields = r.object(Some(place.clone()), table)?;
        let at_least = r.or(fields.get("at_least"), least, &value);
        let at_most = r.or(fields.get("at_most"), most, &value);
        Bounds::ordered(r, &place, at_least?, at_most?, unit)
    }

    /// Bounds whose ends have been read.
    pub fn ordered<'t>(
        r: &mut Reader<'t>,
        place: &Place<'t>,
        at_least: u64,
        at_most: u64,
        unit: Unit,
    ) -> Option<Bounds> {
        if at_least > at_most {
            r.report(place, Problem::Contradiction(Contradiction::Bounds { least: at_least, most: at_most, unit }));
            return None;
        }
        Some(Bounds { at_least, at_most, unit })
    }
}
