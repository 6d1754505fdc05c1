//! Lengths of time as people write them: `5s`, `5.2s`, `500ms`, `250us`, `1m30s`.

use crate::sim::Span;

/// The units, the longest first, with their length in microseconds.
pub const UNITS: [(&str, u64); 6] =
    [("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1)];

/// Reads one or more numbers, each with its unit, from the longest unit to the shortest. A number may have a fraction,
/// as long as whole microseconds come out.
pub fn parse(text: &str) -> Option<Span> {
    parse_with(text, &UNITS)
}

/// Reads a length of time as ISO 8601 and Java's `Duration` write it, with capital letters and without a sign: `P1D`,
/// `PT1H30M`, `PT0.5S`.
pub fn parse_iso(text: &str) -> Option<Span> {
    let text = text.strip_prefix('P')?;
    let (days, time) = text.split_once('T').map_or((text, None), |(days, time)| (days, Some(time)));
    let days = Some(days).filter(|days| !days.is_empty()).map(|days| parse_with(days, &[("D", UNITS[0].1)]));
    let units = [("H", UNITS[1].1), ("M", UNITS[2].1), ("S", UNITS[3].1)];
    let time = time.map(|time| parse_with(time, &units));
    match (days, time) {
        (Some(days), Some(time)) => Some(days? + time?),
        (days, time) => days.or(time)?,
    }
}

fn parse_with(text: &str, units: &[(&str, u64)]) -> Option<Span> {
    let mut rest = text;
    let mut micros: u64 = 0;
    let mut shortest = u64::MAX;
    while !rest.is_empty() {
        let number_ends = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
        let (number, after) = rest.split_at(number_ends);
        let unit_ends = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_ends);
        let &(_, length) = units.iter().find(|(name, _)| *name == unit)?;
        if length >= shortest {
            return None;
        }
        shortest = length;
        micros = micros.checked_add(in_micros(number, length)?)?;
        rest = after;
    }
    (shortest < u64::MAX).then(|| Span::from_micros(micros))
}

fn in_micros(number: &str, unit: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.len() > 12 {
        return None;
    }
    let whole = whole.parse::<u64>().ok()?.checked_mul(unit)?;
    let scale = 10u128.pow(fraction.len() as u32);
    let fraction = fraction.parse::<u128>().ok()? * u128::from(unit);
    if fraction % scale != 0 {
        return None;
    }
    whole.checked_add(u64::try_from(fraction / scale).ok()?)
}

/// Writes a length of time in the same form, as short as it is exact: `1m30s`, `5.2s`, `4ms`.
pub fn write(span: Span) -> String {
    let mut micros = span.as_micros();
    if micros == 0 {
        return "0s".to_owned();
    }
    let mut text = String::new();
    for (unit, length) in &UNITS[..3] {
        if micros >= *length {
            text.push_str(&format!("{}{unit}", micros / length));
            micros %= length;
        }
    }
    if micros == 0 {
        return text;
    }
    let (unit, length, digits) = match micros {
        1_000_000.. => ("s", 1_000_000, 6),
        1_000.. => ("ms", 1_000, 3),
        _ => ("us", 1, 0),
    };
    let fraction = format!("{:0digits$}", micros % length);
    let fraction = fraction.trim_end_matches('0');
    match fraction {
        "" => text + &format!("{}{unit}", micros / length),
        _ => text + &format!("{}.{fraction}{unit}", micros / length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["0s", "5s", "5.2s", "500ms", "250us", "1m30s", "1h500ms", "1.5ms", "2d3h4m5.000006s", "45s"] {
            let span = parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(write(span), text);
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "",
            "5",
            "s",
            "5 s",
            "-5s",
            "5sec",
            "1s1m",
            "1s1s",
            "0.5us",
            ".5s",
            "5.s",
            "1e3s",
            "５s",
            "99999999999999999d",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn iso_8601_is_read_as_java_reads_it() {
        let seconds = |text| parse_iso(text).map(|span| span.as_micros() / 1_000_000);
        assert_eq!([seconds("PT10S"), seconds("PT1H30M"), seconds("P1DT1M")], [Some(10), Some(5_400), Some(86_460)]);
        assert_eq!(parse_iso("PT0.5S"), Some(Span::from_millis(500)));
        for wrong in ["", "P", "PT", "P1H", "PT1D", "1H", "PT1S1H", "P-1D", "pt1s", "PT1s"] {
            assert_eq!(parse_iso(wrong), None, "{wrong}");
        }
    }
}
