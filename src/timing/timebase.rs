//! From the oscillator's time to the box's time line. Pure: it asks no clock.
//!
//! The oscillator of a board runs a few parts in a million too fast or too slow. A calibration
//! says how much; the line is the oscillator's time, corrected by it. A change of the calibration
//! bends the line from then on and never makes it jump.

use crate::time::{Instant, Span};

const PARTS: i128 = 1_000_000_000;

/// A straight piece of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timebase {
    /// The oscillator's reading in nanoseconds where the piece begins.
    pub raw: i64,
    /// The box's time there.
    pub line: Instant,
    /// How many nanoseconds more than the oscillator's the line gains in a second (parts in
    /// 10^9; positive: the oscillator runs slow).
    pub ppb: i32,
}

impl Timebase {
    /// A line that begins at this reading of the oscillator.
    #[must_use]
    pub const fn new(raw: i64, ppb: i32) -> Self {
        Timebase { raw, line: Instant::ZERO, ppb }
    }

    /// The box's time at a reading of the oscillator.
    #[must_use]
    pub fn at(&self, raw: i64) -> Instant {
        let passed = raw.saturating_sub(self.raw);
        let gained = i128::from(passed) * i128::from(self.ppb) / PARTS;
        let gained = i64::try_from(gained).unwrap_or(0);
        self.line + Span::from_nanos(passed) + Span::from_nanos(gained)
    }

    /// The line with another calibration from this reading on.
    #[must_use]
    pub fn recalibrated(&self, raw: i64, ppb: i32) -> Self {
        Timebase { raw, line: self.at(raw), ppb }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000_000_000;

    #[test]
    fn a_slow_oscillator_is_made_good_to_the_nanosecond() {
        // 405 ppm slow: the worst board of the field reports, 1.458 s an hour.
        let base = Timebase::new(7, 405_000);
        assert_eq!(base.at(7), Instant::ZERO);
        assert_eq!(base.at(7 + HOUR), Instant::from_nanos(HOUR + 1_458_000_000));
    }

    #[test]
    fn a_new_calibration_bends_the_line_and_does_not_make_it_jump() {
        let old = Timebase::new(0, 100_000);
        let new = old.recalibrated(HOUR, -100_000);
        assert_eq!(new.at(HOUR), old.at(HOUR));
        assert_eq!(new.at(HOUR + 1_000_000_000) - new.at(HOUR), Span::from_nanos(999_900_000));
    }

    #[test]
    fn the_line_never_runs_backwards_and_years_do_not_overflow_it() {
        let base = Timebase::new(0, -500_000);
        let year = 365 * 24 * HOUR;
        assert_eq!(base.at(100 * year).as_nanos(), 100 * year - 100 * year / 2_000);
        for raw in 0..5_000 {
            assert!(base.at(raw) <= base.at(raw + 1));
        }
    }
}
