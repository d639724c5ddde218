//! Times as the numbers of a line: microseconds, down to nanoseconds where asked.

use serde_json::{Number, Value};

use crate::time::Span;

/// How finely times are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Whole microseconds.
    Micros,
    /// Microseconds with as many digits behind the point as are needed, at most three
    /// (`1234.567`).
    Nanos,
}

/// A point in time, as a span since the game began; whole microseconds round down.
#[must_use]
pub fn at_us(since_began: Span, precision: Precision) -> Value {
    match precision {
        Precision::Micros => since_began.as_micros_floor().into(),
        Precision::Nanos => exact_us(since_began),
    }
}

/// Time that is left; whole microseconds round up, so that 0 means exactly nothing.
#[must_use]
pub fn left_us(left: Span, precision: Precision) -> Value {
    match precision {
        Precision::Micros => left.as_micros_ceil().into(),
        Precision::Nanos => exact_us(left),
    }
}

/// The latest point on a game's time line that a line may name. Beyond it deadlines would come
/// near the end of the 64-bit scale.
pub(super) const LATEST: Span = Span::from_hours(100 * 366 * 24);

/// Reads a number of microseconds with at most three digits behind the point.
///
/// # Errors
/// What was expected instead.
pub fn read_us(value: &Value) -> Result<Span, &'static str> {
    span_of(value.as_number().map(Number::as_str))
}

/// The same for a number's text; `None` where the value is no number.
pub(super) fn span_of(number: Option<&str>) -> Result<Span, &'static str> {
    let text = number.ok_or("a number of microseconds")?;
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain(whole) || !plain(fraction) {
        return Err("a number of microseconds without an exponent");
    }
    if fraction.len() > 3 {
        return Err("a time no finer than a nanosecond (three digits behind the point)");
    }
    let zeros = b"000".iter().skip(fraction.len());
    // counted downwards, since there is one more number below zero than above
    whole
        .bytes()
        .chain(fraction.bytes())
        .chain(zeros.copied())
        .try_fold(0_i64, |nanos, digit| nanos.checked_mul(10)?.checked_sub(i64::from(digit - b'0')))
        .and_then(|below| if sign < 0 { Some(below) } else { below.checked_neg() })
        .map(Span::from_nanos)
        .ok_or("a time of less than 292 years")
}

/// The span to the nanosecond, without trailing zeros.
fn exact_us(span: Span) -> Value {
    let nanos = span.as_nanos();
    if nanos % 1_000 == 0 {
        return (nanos / 1_000).into();
    }
    let sign = if span.is_negative() { "-" } else { "" };
    let nanos = nanos.unsigned_abs();
    let text = format!("{sign}{}.{:03}", nanos / 1_000, nanos % 1_000);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.parse::<Number>().map_or_else(|_| span.as_micros_floor().into(), Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_left_round_up_and_points_in_time_round_down() {
        for (ns, left, at) in [(0, "0", "0"), (1, "1", "0"), (1_000, "1", "1"), (-1, "0", "-1")] {
            let span = Span::from_nanos(ns);
            assert_eq!(left_us(span, Precision::Micros).to_string(), left, "{ns} ns left");
            assert_eq!(at_us(span, Precision::Micros).to_string(), at, "at {ns} ns");
        }
    }

    #[test]
    fn what_is_written_to_the_nanosecond_is_read_back_and_nothing_finer_is() {
        for (text, read) in [
            ("0", Ok(0)),
            ("-0", Ok(0)),
            ("0.001", Ok(1)),
            ("1234.567", Ok(1_234_567)),
            ("1.5000", Ok(1_500)),
            ("-2.5", Ok(-2_500)),
            ("9223372036854775.807", Ok(i64::MAX)),
            ("-9223372036854775.808", Ok(i64::MIN)),
            ("9223372036854775.808", Err("292 years")),
            ("0.0001", Err("nanosecond")),
            ("1e6", Err("exponent")),
            ("1.5e3", Err("exponent")),
            ("\"1\"", Err("number")),
            ("null", Err("number")),
        ] {
            let value = serde_json::from_str::<Value>(text).unwrap();
            match (read_us(&value), read) {
                (Ok(span), Ok(ns)) => assert_eq!(span.as_nanos(), ns, "{text}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{text}: {why}"),
                (got, _) => panic!("{text}: {got:?}"),
            }
        }
    }

    #[test]
    fn nanoseconds_stand_behind_the_point_only_where_there_are_some() {
        for (ns, text) in [
            (0, "0"),
            (1, "0.001"),
            (10, "0.01"),
            (100, "0.1"),
            (10_000, "10"),
            (1_000_000, "1000"),
            (1_234_567, "1234.567"),
            (1_234_500, "1234.5"),
            (-1_500, "-1.5"),
            (i64::MIN, "-9223372036854775.808"),
            (i64::MAX, "9223372036854775.807"),
        ] {
            let span = Span::from_nanos(ns);
            assert_eq!(left_us(span, Precision::Nanos).to_string(), text);
            assert_eq!(at_us(span, Precision::Nanos).to_string(), text);
        }
    }
}
