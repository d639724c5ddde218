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

/// The span to the nanosecond, without trailing zeros.
fn exact_us(span: Span) -> Value {
    let sign = if span.is_negative() { "-" } else { "" };
    let nanos = span.as_nanos().unsigned_abs();
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
