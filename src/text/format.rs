//! Numbers, times and lists as people write them in each language.

use super::Lang;
use crate::sim::{Span, Time};

/// A number with its digits in groups of three.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The same, or a dash where there is no number.
pub fn number_or_dash(n: Option<u32>) -> String {
    n.map_or_else(|| "–".to_owned(), |n| number(u64::from(n)))
}

/// A number where there is little room: from 10,000 on as `12.3k`, `1.2万`. Cut, not rounded.
pub fn short_number(lang: Lang, n: u32) -> String {
    let n = u64::from(n);
    match n {
        0..10_000 => number(n),
        _ => {
            let short = tenths(n / lang.pick(1_000, 100));
            both!(lang, "{short}万", "{short}k")
        }
    }
}

/// A length of time with as much detail as a sentence needs: `45 s`, `4 ms`, `1.5 s`, `2 min`. Cut, not rounded.
pub fn span(lang: Lang, span: Span) -> String {
    let micros = span.as_micros();
    match micros {
        0 => both!(lang, "0 秒", "0 s"),
        1_000_000..120_000_000 => {
            let secs = tenths(micros / 100_000);
            both!(lang, "{secs} 秒", "{secs} s")
        }
        _ => span_out_of_seconds(lang, micros),
    }
}

/// Shorter ones, and longer ones.
#[inline(never)]
fn span_out_of_seconds(lang: Lang, micros: u64) -> String {
    match micros {
        ..1_000 => both!(lang, "{micros} マイクロ秒", "{micros} µs"),
        1_000..1_000_000 => {
            let millis = tenths(micros / 100);
            both!(lang, "{millis} ミリ秒", "{millis} ms")
        }
        _ => minutes(lang, micros / 1_000_000),
    }
}

fn minutes(lang: Lang, secs: u64) -> String {
    let (hours, mins, secs) = (secs / 3600, secs / 60 % 60, secs % 60);
    match (hours, mins, secs) {
        (0, mins, 0) => both!(lang, "{mins} 分", "{mins} min"),
        (0, mins, secs) => both!(lang, "{mins} 分 {secs} 秒", "{mins} min {secs} s"),
        (hours, 0, _) => both!(lang, "{hours} 時間", "{hours} h"),
        (hours, mins, _) => both!(lang, "{hours} 時間 {mins} 分", "{hours} h {mins} min"),
    }
}

/// A moment of the run, to a tenth of a second: `52.5 s`.
pub fn clock(lang: Lang, time: Time) -> String {
    let tenths = time.as_micros() / 100_000;
    since_start(lang, tenths / 10, &(tenths % 10).to_string())
}

/// A moment of the run, to a thousandth of a second, where the order of things that happen close together has to be seen:
/// `52.517 s`.
pub fn moment(lang: Lang, time: Time) -> String {
    let millis = time.as_micros() / 1_000;
    since_start(lang, millis / 1_000, &format!("{:03}", millis % 1_000))
}

/// The same without a unit, where many of them stand one below the other: `52.517`, `12:05.250`.
pub fn seconds(time: Time) -> String {
    let (secs, millis) = (time.as_micros() / 1_000_000, time.as_micros() / 1_000 % 1_000);
    match secs / 60 {
        0..10 => format!("{secs}.{millis:03}"),
        mins => format!("{mins}:{:02}.{millis:03}", secs % 60),
    }
}

/// Seconds with their decimals; with minutes where they are many.
fn since_start(lang: Lang, secs: u64, decimals: &str) -> String {
    match secs / 60 {
        0..10 => both!(lang, "{secs}.{decimals} 秒", "{secs}.{decimals} s"),
        mins => {
            let (mins, secs) = (number(mins), secs % 60);
            both!(lang, "{mins} 分 {secs}.{decimals} 秒", "{mins} min {secs}.{decimals} s")
        }
    }
}

/// A length of time as it stands in a scenario file: `500ms`, `45s`, `100us`.
pub fn literal(span: Span) -> String {
    match span.as_micros() {
        micros if micros > 0 && micros % 1_000_000 == 0 => format!("{}s", micros / 1_000_000),
        micros if micros % 1_000 == 0 => format!("{}ms", micros / 1_000),
        micros => format!("{micros}us"),
    }
}

/// Tenths as a decimal number, without a zero behind the point.
fn tenths(n: u64) -> String {
    match n % 10 {
        0 => number(n / 10),
        tenth => format!("{}.{tenth}", number(n / 10)),
    }
}

/// Things one after another: `P0, P1`, `P0、P1`.
pub fn list<S: AsRef<str>>(lang: Lang, items: &[S]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    items.join(lang.pick("、", ", "))
}

/// Some of many, by their numbers from 1.
pub fn part(first: usize, last: usize) -> String {
    format!("{}–{}", number(first as u64), number(last as u64))
}

/// How many there are, behind some of them.
pub fn of_all(lang: Lang, total: usize) -> String {
    let total = number(total as u64);
    both!(lang, "/ {total} 件", "of {total}")
}

/// A moment of the run on the clock of the page: `t = 52.5 s`.
pub fn clock_readout(lang: Lang, clock: &str) -> String {
    both!(lang, "t = {clock}", "t = {clock}")
}

/// A control with the keys that do the same: `Play (Space)`, `再生（Space）`.
pub fn with_keys(lang: Lang, label: &str, keys: &str) -> String {
    both!(lang, "{label}（{keys}）", "{label} ({keys})")
}

/// `1 record`, `2 records`, `3 件`.
pub fn records(lang: Lang, n: u32) -> String {
    counted(lang, n, " 件", "record", "records")
}

/// `1 partition`, `3 partitions`, `3 パーティション`.
pub fn partitions(lang: Lang, n: u32) -> String {
    counted(lang, n, " パーティション", "partition", "partitions")
}

/// `1 member`, `2 members`, `2 メンバー`.
pub fn members(lang: Lang, n: u32) -> String {
    counted(lang, n, " メンバー", "member", "members")
}

/// `1 row`, `2 rows`, `2 行`.
pub fn rows(lang: Lang, n: u32) -> String {
    counted(lang, n, " 行", "row", "rows")
}

fn counted(lang: Lang, n: u32, ja: &str, one: &str, many: &str) -> String {
    let count = number(u64::from(n));
    match (lang, n) {
        (Lang::Ja, _) => format!("{count}{ja}"),
        (Lang::En, 1) => format!("{count} {one}"),
        (Lang::En, _) => format!("{count} {many}"),
    }
}

/// `first`, `2nd`, `11th`; `2 回目`.
pub fn times(lang: Lang, n: u16) -> String {
    let ending = match (n % 10, n % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    both!(lang, "{n} 回目", "{n}{ending} time")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_the_unit_that_people_would_use() {
        let spans =
            [0, 100, 4_000, 1_500, 999_999, 1_000_000, 1_500_000, 45_000_000, 90_000_000, 120_000_000, 300_000_000]
                .map(|micros| span(Lang::En, Span::from_micros(micros)));
        assert_eq!(
            spans,
            ["0 s", "100 µs", "4 ms", "1.5 ms", "999.9 ms", "1 s", "1.5 s", "45 s", "90 s", "2 min", "5 min"]
        );
        let long = [150, 3_600, 5_400].map(|secs| span(Lang::Ja, Span::from_secs(secs)));
        assert_eq!(long, ["2 分 30 秒", "1 時間", "1 時間 30 分"]);
    }

    #[test]
    fn a_moment_is_told_to_a_tenth_of_a_second_or_a_thousandth() {
        let clocks = [0, 52_517_000, 599_999_999, 600_000_000].map(|micros| clock(Lang::En, Time::from_micros(micros)));
        assert_eq!(clocks, ["0.0 s", "52.5 s", "599.9 s", "10 min 0.0 s"]);
        let moments = [0, 52_517_000, 600_004_000].map(|micros| moment(Lang::En, Time::from_micros(micros)));
        assert_eq!(moments, ["0.000 s", "52.517 s", "10 min 0.004 s"]);
    }

    #[test]
    fn one_is_singular_and_thousands_are_grouped() {
        assert_eq!(
            [0, 1, 2, 1234].map(|n| records(Lang::En, n)),
            ["0 records", "1 record", "2 records", "1,234 records"]
        );
        assert_eq!([0, 1, 1_000_000].map(|n| records(Lang::Ja, n)), ["0 件", "1 件", "1,000,000 件"]);
        assert_eq!(
            [1, 2, 3, 4, 11, 21].map(|n| times(Lang::En, n)).join(" "),
            "1st time 2nd time 3rd time 4th time 11th time 21st time"
        );
    }
}
