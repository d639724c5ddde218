//! What the timing thread counts, for anybody to read at any time.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use crate::time::Span;

/// Counts and extremes since the daemon started. Written by the timing thread alone.
#[derive(Debug, Default)]
pub struct Counters {
    ticks: AtomicU64,
    late_ticks: AtomicU64,
    worst_lateness_ns: AtomicI64,
    dropped_events: AtomicU64,
    late_events: AtomicU64,
    posted: AtomicU64,
}

impl Counters {
    /// Ticks done. It grows while the timing thread lives: the watchdog is fed by this.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks.load(Relaxed)
    }

    /// Ticks left out because one before them came too late.
    #[must_use]
    pub fn late_ticks(&self) -> u64 {
        self.late_ticks.load(Relaxed)
    }

    /// How long after its instant the latest tick of all began.
    #[must_use]
    pub fn worst_lateness(&self) -> Span {
        Span::from_nanos(self.worst_lateness_ns.load(Relaxed))
    }

    /// Notices that found their ring full: a bug, or a daemon that stands still. The game itself
    /// is not touched by it.
    #[must_use]
    pub fn dropped_events(&self) -> u64 {
        self.dropped_events.load(Relaxed)
    }

    /// Events that were handed to the engine later than something after them had been decided
    /// (`timing.md` 2.15): a fault.
    #[must_use]
    pub fn late_events(&self) -> u64 {
        self.late_events.load(Relaxed)
    }

    /// Pictures handed to the display thread.
    #[must_use]
    pub fn posted(&self) -> u64 {
        self.posted.load(Relaxed)
    }

    /// A tick began `lateness` after its instant, so late that `skipped` ticks are left out.
    pub(super) fn tick(&self, lateness: Span, skipped: u64) {
        self.ticks.fetch_add(1, Relaxed);
        self.late_ticks.fetch_add(skipped, Relaxed);
        self.worst_lateness_ns.fetch_max(lateness.as_nanos(), Relaxed);
    }

    pub(super) fn dropped(&self) {
        self.dropped_events.fetch_add(1, Relaxed);
    }

    pub(super) fn set_late_events(&self, count: u64) {
        self.late_events.store(count, Relaxed);
    }

    pub(super) fn set_posted(&self, count: u64) {
        self.posted.store(count, Relaxed);
    }
}
