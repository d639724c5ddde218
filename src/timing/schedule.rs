//! When the ticks are. Pure.
//!
//! It does not wait and does not catch up: ticks stand at the multiples of the period, and those
//! that are over when a tick comes late are left out and counted. Nothing is lost by it, because
//! the engine goes by stamps and not by ticks.

use crate::time::{Instant, Span};

/// The shortest period between two polls.
pub const MIN_PERIOD: Span = Span::from_micros(250);
/// The longest one.
pub const MAX_PERIOD: Span = Span::from_millis(5);

/// The instants of the ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    period: Span,
    next: Instant,
}

/// How a tick was late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lateness {
    /// How long after its instant it began.
    pub by: Span,
    /// How many ticks after it are left out for that.
    pub skipped: u64,
}

impl Schedule {
    /// Ticks at the multiples of `period`, the first of them at or after `now`. `None` if the
    /// period is not from [`MIN_PERIOD`] to [`MAX_PERIOD`].
    #[must_use]
    pub fn new(now: Instant, period: Span) -> Option<Self> {
        (MIN_PERIOD..=MAX_PERIOD).contains(&period).then(|| Schedule {
            period,
            next: Instant::ZERO
                + Span::from_nanos(count(now, period).saturating_mul(period.as_nanos())),
        })
    }

    /// When the next tick is due.
    #[must_use]
    pub const fn next(&self) -> Instant {
        self.next
    }

    /// The first tick not yet begun that stands at or after `instant`.
    #[must_use]
    pub fn first_from(&self, instant: Instant) -> Instant {
        let after = (instant - self.next).or_zero().ceil_div(self.period.as_nanos());
        self.next + Span::from_nanos(after.saturating_mul(self.period.as_nanos()))
    }

    /// Leaves out, without counting them, the ticks before `tick`, at which nothing could happen.
    pub fn leap_to(&mut self, tick: Instant) {
        self.next = self.next.max(tick);
    }

    /// Time stands at `now`: the ticks until then are over, left out or not.
    pub fn stand_at(&mut self, now: Instant) {
        self.leap_to(self.first_from(now + Span::from_nanos(1)));
    }

    /// The due tick has begun at `now`: goes on to the first multiple after `now`.
    pub fn begun(&mut self, now: Instant) -> Lateness {
        let by = (now - self.next).or_zero();
        let skipped = by.as_nanos() / self.period.as_nanos();
        self.next += Span::from_nanos((skipped + 1).saturating_mul(self.period.as_nanos()));
        Lateness { by, skipped: skipped.unsigned_abs() }
    }
}

/// How many periods cover the time until `now`.
fn count(now: Instant, period: Span) -> i64 {
    (now - Instant::ZERO).ceil_div(period.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Span = Span::from_millis(1);

    fn us(us: i64) -> Instant {
        Instant::ZERO + Span::from_micros(us)
    }

    #[test]
    fn ticks_stand_at_the_multiples_of_the_period_from_zero_on() {
        let mut schedule = Schedule::new(Instant::ZERO, MS).unwrap();
        assert_eq!(schedule.next(), us(0));
        assert_eq!(schedule.begun(us(0)), Lateness { by: Span::ZERO, skipped: 0 });
        assert_eq!(schedule.next(), us(1_000));
        assert_eq!(Schedule::new(us(2_001), MS).unwrap().next(), us(3_000));
    }

    #[test]
    fn a_leap_ends_at_a_tick_and_counts_nothing_as_late() {
        let mut schedule = Schedule::new(Instant::ZERO, MS).unwrap();
        for (from, tick) in
            [(-5, 0), (0, 0), (1, 1_000), (999, 1_000), (1_000, 1_000), (7_001, 8_000)]
        {
            assert_eq!(schedule.first_from(us(from)), us(tick), "from {from} us");
        }
        schedule.leap_to(us(8_000));
        assert_eq!(schedule.begun(us(8_000)), Lateness { by: Span::ZERO, skipped: 0 });
        schedule.stand_at(us(8_500));
        assert_eq!(schedule.next(), us(9_000));
        schedule.stand_at(us(9_000));
        assert_eq!(schedule.next(), us(10_000), "a tick where time stands is over");
        assert_eq!(
            schedule.first_from(Instant::from_nanos(i64::MAX)),
            Instant::from_nanos(i64::MAX)
        );
    }

    #[test]
    fn a_late_tick_leaves_out_those_that_are_over_and_never_shortens_the_next() {
        for (begun, by, skipped, next) in [
            (1_000, 0, 0, 2_000),
            (1_999, 999, 0, 2_000),
            (2_000, 1_000, 1, 3_000),
            (21_500, 20_500, 20, 22_000),
        ] {
            let mut schedule = Schedule::new(us(1), MS).unwrap();
            let late = schedule.begun(us(begun));
            assert_eq!(late, Lateness { by: Span::from_micros(by), skipped }, "at {begun}");
            assert_eq!(schedule.next(), us(next), "at {begun}");
        }
    }

    #[test]
    fn a_period_that_no_box_can_keep_is_refused() {
        for bad in [Span::ZERO, Span::from_micros(249), Span::from_micros(5_001), -MS] {
            assert_eq!(Schedule::new(Instant::ZERO, bad), None, "{bad:?}");
        }
    }
}
