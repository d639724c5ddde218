//! The battery's own signal: a level from a UPS board, believed when it has stood for a while.

use crate::time::{Instant, Span};

/// How long the signal must stand: batteries droop for moments when a lamp goes on.
const STANDS: Span = Span::from_secs(1);

/// Whether the battery is low.
#[derive(Clone, Copy, Debug)]
pub(super) struct Battery {
    is_low: bool,
    /// Since when the signal says otherwise.
    since: Option<Instant>,
}

impl Battery {
    /// A battery that nothing was heard of.
    pub(super) const NEW: Battery = Battery { is_low: false, since: None };

    /// Takes one poll of the signal; true if it is believed otherwise from now on.
    pub(super) fn poll(&mut self, now: Instant, low: bool) -> bool {
        if low == self.is_low {
            self.since = None;
            return false;
        }
        let since = *self.since.get_or_insert(now);
        let stands = now - since >= STANDS;
        if stands {
            self.is_low = low;
            self.since = None;
        }
        stands
    }

    /// Whether the battery is low.
    pub(super) const fn is_low(&self) -> bool {
        self.is_low
    }

    /// When a poll that sees the same signal can next change that.
    pub(super) fn next_change(&self) -> Option<Instant> {
        self.since.map(|since| since + STANDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_low_battery_is_believed_when_it_is_told_for_a_second_and_so_is_its_end() {
        let mut battery = Battery::NEW;
        let ms = |ms| Instant::ZERO + Span::from_millis(ms);
        for (at, low, changes) in [
            (0, true, false),
            (999, true, false),
            (1_000, false, false),
            (1_500, true, false),
            (2_499, true, false),
            (2_500, true, true),
            (2_600, false, false),
            (3_600, false, true),
        ] {
            assert_eq!(battery.poll(ms(at), low), changes, "at {at} ms");
        }
        assert!(!battery.is_low());
    }
}
