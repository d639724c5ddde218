//! Instants and spans on the clock's own time line, in integer nanoseconds.
//!
//! Nothing here asks any clock for the time: an [`Instant`] is always handed in by whoever owns a
//! time source (the timing thread, a replayed journal, a test). There is no floating point and no
//! rounding, but for the two named conversions to microseconds at the border.
//!
//! Overflow policy: every operator saturates. A signed 64-bit count of nanoseconds holds 292
//! years, the longest duration a control may name is 99 hours, so saturation is never reached by
//! honest input; a hostile number then stays at the end of the scale instead of wrapping into a
//! plausible time or stopping the thread that keeps it.

pub mod both;
pub mod micros;
pub mod written;

use core::fmt;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

/// A point on the time line: nanoseconds since the line began (the daemon's start, or the
/// `new_game` of a replayed journal).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Instant(i64);

/// A signed length of time in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(i64);

impl Instant {
    /// The beginning of the time line.
    pub const ZERO: Instant = Instant(0);

    /// The instant `ns` nanoseconds after the line began.
    #[must_use]
    pub const fn from_nanos(ns: i64) -> Self {
        Instant(ns)
    }

    /// Nanoseconds since the line began.
    #[must_use]
    pub const fn as_nanos(self) -> i64 {
        self.0
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);
    /// The longest span there is (292 years): "never" in a comparison of deadlines.
    pub const MAX: Span = Span(i64::MAX);

    /// `ns` nanoseconds.
    #[must_use]
    pub const fn from_nanos(ns: i64) -> Self {
        Span(ns)
    }

    /// `us` microseconds; saturates.
    #[must_use]
    pub const fn from_micros(us: i64) -> Self {
        Span(us.saturating_mul(1_000))
    }

    /// `ms` milliseconds; saturates.
    #[must_use]
    pub const fn from_millis(ms: i64) -> Self {
        Span(ms.saturating_mul(1_000_000))
    }

    /// `s` seconds; saturates.
    #[must_use]
    pub const fn from_secs(s: i64) -> Self {
        Span(s.saturating_mul(1_000_000_000))
    }

    /// `m` minutes; saturates.
    #[must_use]
    pub const fn from_mins(m: i64) -> Self {
        Span::from_secs(m.saturating_mul(60))
    }

    /// `h` hours; saturates.
    #[must_use]
    pub const fn from_hours(h: i64) -> Self {
        Span::from_secs(h.saturating_mul(3_600))
    }

    /// The span in nanoseconds.
    #[must_use]
    pub const fn as_nanos(self) -> i64 {
        self.0
    }

    /// The span in microseconds, rounded up (towards plus infinity): how remaining times are
    /// sent, so that 0 means exactly nothing left.
    #[must_use]
    pub const fn as_micros_ceil(self) -> i64 {
        self.ceil_div(1_000)
    }

    /// The span in microseconds, rounded down: how points in time are sent.
    #[must_use]
    pub const fn as_micros_floor(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// How many whole units of `unit` nanoseconds cover this span (rounded up).
    /// `unit` must be positive.
    #[must_use]
    pub const fn ceil_div(self, unit: i64) -> i64 {
        let quotient = self.0.div_euclid(unit);
        if self.0.rem_euclid(unit) == 0 { quotient } else { quotient + 1 }
    }

    /// `n` times this span; saturates.
    #[must_use]
    pub const fn times(self, n: u32) -> Self {
        Span(self.0.saturating_mul(n as i64))
    }

    /// True for more than nothing.
    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// True for less than nothing.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// This span, or nothing where it is negative.
    #[must_use]
    pub fn or_zero(self) -> Self {
        self.max(Span::ZERO)
    }
}

impl Add<Span> for Instant {
    type Output = Instant;
    /// Saturates.
    fn add(self, span: Span) -> Instant {
        Instant(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Instant {
    type Output = Instant;
    /// Saturates.
    fn sub(self, span: Span) -> Instant {
        Instant(self.0.saturating_sub(span.0))
    }
}

impl Sub for Instant {
    type Output = Span;
    /// The signed span from `earlier` to `self`; saturates.
    fn sub(self, earlier: Instant) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Span {
    type Output = Span;
    /// Saturates.
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl Sub for Span {
    type Output = Span;
    /// Saturates.
    fn sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

impl Neg for Span {
    type Output = Span;
    /// Saturates.
    fn neg(self) -> Span {
        Span(self.0.saturating_neg())
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        *self = *self + other;
    }
}

impl SubAssign for Span {
    fn sub_assign(&mut self, other: Span) {
        *self = *self - other;
    }
}

impl AddAssign<Span> for Instant {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

/// `1.500000000s`: seconds with the unit, as a person debugging wants to read it.
fn seconds(ns: i64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let sign = if ns < 0 { "-" } else { "" };
    let ns = ns.unsigned_abs();
    write!(f, "{sign}{}.{:09}s", ns / 1_000_000_000, ns % 1_000_000_000)
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("@")?;
        seconds(self.0, f)
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        seconds(self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_of_a_remaining_time_round_up_so_that_zero_means_nothing_left() {
        for (ns, up, down) in [
            (0, 0, 0),
            (1, 1, 0),
            (999, 1, 0),
            (1_000, 1, 1),
            (1_001, 2, 1),
            (-1, 0, -1),
            (-1_000, -1, -1),
            (-1_001, -1, -2),
        ] {
            assert_eq!(Span::from_nanos(ns).as_micros_ceil(), up, "{ns} ns up");
            assert_eq!(Span::from_nanos(ns).as_micros_floor(), down, "{ns} ns down");
        }
    }

    #[test]
    fn operators_stay_at_the_end_of_the_scale_instead_of_wrapping() {
        assert_eq!(Span::MAX + Span::from_nanos(1), Span::MAX);
        assert_eq!(Span::from_hours(i64::MAX), Span::MAX);
        assert_eq!(
            Instant::from_nanos(i64::MAX) + Span::from_secs(1),
            Instant::from_nanos(i64::MAX)
        );
        assert_eq!(-Span::from_nanos(i64::MIN), Span::MAX);
    }

    #[test]
    fn debug_prints_the_unit() {
        assert_eq!(format!("{:?}", Span::from_millis(-1_500)), "-1.500000000s");
        assert_eq!(format!("{:?}", Instant::from_nanos(2)), "@0.000000002s");
    }
}
