//! How the clock is, beside the game: what is counted, granted, failing.

use std::sync::atomic::Ordering::Relaxed;

use super::{Bridge, Inner, locked};
use crate::daemon::screen;
use crate::input::Key;
use crate::time::Span;
use crate::timing::Granted;

/// How the clock is, beside the game.
#[derive(Clone, Debug)]
pub struct Health {
    /// What the timing thread was granted, and what not.
    pub granted: Granted,
    /// The period of its polls.
    pub tick_period: Span,
    /// Ticks done.
    pub ticks: u64,
    /// Ticks left out because one before them came too late.
    pub late_ticks: u64,
    /// How long after its instant the latest tick of all began.
    pub worst_lateness: Span,
    /// Events that could not be told: a bug, or a daemon that stood still.
    pub dropped_events: u64,
    /// Events that came to the engine after later ones: a fault.
    pub late_events: u64,
    /// Lines that readers on the bus or elsewhere were too slow for.
    pub missed_lines: u64,
    /// The battery is low.
    pub low_power: bool,
    /// Buttons that are stuck.
    pub stuck_buttons: Vec<Key>,
    /// The calibration that the time line goes by, in parts in 10^9 (positive: the oscillator runs
    /// slow).
    pub calibration_ppb: i32,
    /// The displays.
    pub display: screen::Status,
    /// What is wrong with the disk of the journal; `None` while lines are written as they come.
    pub disk_trouble: Option<String>,
    /// The newest line of the running game that is surely on the disk.
    pub durable_seq: Option<u64>,
}

impl Bridge {
    /// How the clock is, beside the game.
    #[must_use]
    pub fn health(&self) -> Health {
        let Inner { counters, line, .. } = &*self.inner;
        let (low_power, stuck_buttons) = {
            let pending = locked(&self.inner.pending);
            (pending.low_power, pending.stuck.clone())
        };
        Health {
            granted: self.inner.granted.clone(),
            tick_period: self.inner.tick_period,
            ticks: counters.ticks(),
            late_ticks: counters.late_ticks(),
            worst_lateness: counters.worst_lateness(),
            dropped_events: counters.dropped_events(),
            late_events: counters.late_events(),
            missed_lines: self.inner.missed_lines.load(Relaxed),
            low_power,
            stuck_buttons,
            calibration_ppb: line.calibration_ppb(),
            display: self.inner.display.borrow().clone(),
            disk_trouble: self.inner.recorder.trouble(),
            durable_seq: self.inner.recorder.durable(&self.published.borrow().game),
        }
    }
}
