//! Real time for the timing thread: measured with MONOTONIC_RAW, slept with MONOTONIC.
//!
//! Wall time has no part in it. MONOTONIC is bent by NTP while it slews the clock, by up to 500
//! parts in a million, so it only wakes; MONOTONIC_RAW is the oscillator itself, corrected by a
//! calibration that never changes within a game.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, Ordering, fence};

use rustix::io::Errno;
use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec, clock_gettime};

use super::{Time, TimeLine, Wake};
use crate::time::Instant;
use crate::timing::timebase::Timebase;

/// The timing thread's own time.
#[derive(Debug)]
pub struct Monotonic {
    base: Timebase,
    shared: Arc<Shared>,
}

/// The same time line for everybody else. Clones read the same line.
#[derive(Clone, Debug)]
pub struct MonotonicLine {
    shared: Arc<Shared>,
}

/// The timing thread writes `version` (odd while it writes) and the three values; readers read
/// again if the version changed meanwhile. So the thread never waits for a reader.
#[derive(Debug)]
struct Shared {
    version: AtomicU32,
    raw: AtomicI64,
    line: AtomicI64,
    ppb: AtomicI32,
    /// The calibration that the next game is to have.
    proposed: AtomicI32,
}

/// A line that begins now, at `from`, with a calibration in parts in 10^9 (positive: the oscillator
/// runs slow).
#[must_use]
pub fn monotonic(from: Instant, ppb: i32) -> (Monotonic, MonotonicLine) {
    let base = Timebase { line: from, ..Timebase::new(raw_now(), ppb) };
    let shared = Arc::new(Shared {
        version: AtomicU32::new(0),
        raw: AtomicI64::new(base.raw),
        line: AtomicI64::new(base.line.as_nanos()),
        ppb: AtomicI32::new(ppb),
        proposed: AtomicI32::new(ppb),
    });
    (Monotonic { base, shared: Arc::clone(&shared) }, MonotonicLine { shared })
}

impl Time for Monotonic {
    fn now(&self) -> Instant {
        self.base.at(raw_now())
    }

    fn wait_until(&mut self, until: Instant) -> Wake {
        // Again if it woke early: MONOTONIC may run a little faster than the line.
        loop {
            let left = (until - self.now()).as_nanos();
            if left <= 0 {
                return Wake::Due;
            }
            let target = timespec(nanos(ClockId::Monotonic).saturating_add(left));
            match clock_nanosleep_absolute(ClockId::Monotonic, &target) {
                Ok(()) | Err(Errno::INTR) => {}
                Err(_) => return Wake::Due,
            }
        }
    }

    fn new_game(&mut self) {
        let proposed = self.shared.proposed.load(Ordering::Relaxed);
        if proposed != self.base.ppb {
            self.base = self.base.recalibrated(raw_now(), proposed);
            self.shared.set(&self.base);
        }
    }
}

impl MonotonicLine {
    /// Proposes a calibration, in parts in 10^9; it is taken over when the next game begins.
    pub fn propose(&self, ppb: i32) {
        self.shared.proposed.store(ppb, Ordering::Relaxed);
    }
}

impl TimeLine for MonotonicLine {
    fn now(&self) -> Instant {
        self.shared.get().at(raw_now())
    }

    fn calibration_ppb(&self) -> i32 {
        self.shared.ppb.load(Ordering::Relaxed)
    }
}

impl Shared {
    fn set(&self, base: &Timebase) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        self.raw.store(base.raw, Ordering::Relaxed);
        self.line.store(base.line.as_nanos(), Ordering::Relaxed);
        self.ppb.store(base.ppb, Ordering::Relaxed);
        self.version.store(version.wrapping_add(2), Ordering::Release);
    }

    fn get(&self) -> Timebase {
        loop {
            let version = self.version.load(Ordering::Acquire);
            let base = Timebase {
                raw: self.raw.load(Ordering::Relaxed),
                line: Instant::from_nanos(self.line.load(Ordering::Relaxed)),
                ppb: self.ppb.load(Ordering::Relaxed),
            };
            fence(Ordering::Acquire);
            if version.is_multiple_of(2) && self.version.load(Ordering::Relaxed) == version {
                return base;
            }
            std::hint::spin_loop();
        }
    }
}

fn raw_now() -> i64 {
    nanos(ClockId::MonotonicRaw)
}

/// What a clock of the system says, in nanoseconds since its beginning.
pub(crate) fn nanos(clock: ClockId) -> i64 {
    let time = clock_gettime(clock);
    time.tv_sec.saturating_mul(1_000_000_000).saturating_add(time.tv_nsec)
}

fn timespec(nanos: i64) -> Timespec {
    Timespec { tv_sec: nanos / 1_000_000_000, tv_nsec: nanos % 1_000_000_000 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;

    #[test]
    fn a_wait_never_ends_before_its_instant() {
        let (mut time, _) = monotonic(Instant::ZERO, 0);
        for step in 1..20 {
            let until = time.now() + Span::from_micros(step * 50);
            assert_eq!(time.wait_until(until), Wake::Due);
            assert!(time.now() >= until);
        }
    }

    #[test]
    fn both_sides_read_the_same_line() {
        let (time, line) = monotonic(Instant::ZERO, -20_000);
        let (first, second, third) = (time.now(), line.now(), time.now());
        assert!(first <= second && second <= third, "{first:?} {second:?} {third:?}");
    }

    #[test]
    fn a_calibration_waits_for_the_next_game() {
        let (mut time, line) = monotonic(Instant::ZERO, 0);
        line.propose(15_000);
        assert_eq!(line.calibration_ppb(), 0);
        assert_eq!(time.base.ppb, 0);
        let before = time.now();
        time.new_game();
        assert_eq!(line.calibration_ppb(), 15_000);
        assert_eq!(line.shared.get(), time.base);
        assert!(line.now() >= before);
    }
}
