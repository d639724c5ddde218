//! Times as a clock shows them and as people write them.

use super::Span;

/// How many digits of a second are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// Whole seconds.
    Seconds = 0,
    /// Tenths.
    Tenths = 1,
    /// Milliseconds.
    Millis = 3,
    /// Nanoseconds.
    Nanos = 9,
}

impl Digits {
    fn unit_ns(self) -> i64 {
        match self {
            Digits::Seconds => 1_000_000_000,
            Digits::Tenths => 100_000_000,
            Digits::Millis => 1_000_000,
            Digits::Nanos => 1,
        }
    }
}

/// A time as a clock shows it, `1:02:03.4` or `2:03.4`; rounded up, so that 0 is nothing left.
#[must_use]
pub fn time(span: Span, digits: Digits) -> String {
    let sign = if span.is_negative() { "-" } else { "" };
    let units = span.ceil_div(digits.unit_ns()).unsigned_abs();
    let per_second = 10_u64.pow(digits as u32);
    let (seconds, fraction) = (units / per_second, units % per_second);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let whole = match hours {
        0 => format!("{sign}{minutes}:{seconds:02}"),
        hours => format!("{sign}{hours}:{minutes:02}:{seconds:02}"),
    };
    match digits as usize {
        0 => whole,
        width => format!("{whole}.{fraction:0width$}"),
    }
}

/// A point in time as a clock shows it; rounded down.
#[must_use]
pub fn point(at: Span, digits: Digits) -> String {
    let unit = digits.unit_ns();
    time(Span::from_nanos(at.as_nanos().div_euclid(unit).saturating_mul(unit)), digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_rounded_up_so_that_only_nothing_left_reads_as_zero() {
        for (ns, tenths, millis) in [
            (0, "0:00.0", "0:00.000"),
            (1, "0:00.1", "0:00.001"),
            (59_900_000_001, "1:00.0", "0:59.901"),
            (3_599_999_999_999, "1:00:00.0", "1:00:00.000"),
            (5_400_000_000_000, "1:30:00.0", "1:30:00.000"),
            (-61_000_000_000, "-1:01.0", "-1:01.000"),
        ] {
            let span = Span::from_nanos(ns);
            assert_eq!(time(span, Digits::Tenths), tenths, "{ns} ns");
            assert_eq!(time(span, Digits::Millis), millis, "{ns} ns");
        }
        assert_eq!(time(Span::from_nanos(1), Digits::Nanos), "0:00.000000001");
        assert_eq!(point(Span::from_nanos(59_999_999_999), Digits::Tenths), "0:59.9");
    }
}
