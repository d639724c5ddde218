//! What systemd is told: ready, a line of state, and that the timing thread makes progress.
//!
//! Without systemd nothing is told to anybody.

use std::convert::Infallible;
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::bridge::{Bridge, Published};
use crate::bus::Standing;
use crate::engine::Phase;

/// How often progress is looked for where no watchdog asks.
const IDLE: Duration = Duration::from_secs(3_600);

/// Whether the timing thread is to be seen making progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It polls all the time: the watchdog is fed while it does.
    Demanded,
    /// Its time stands until it is told to go on.
    NotDemanded,
}

/// Decides whether the watchdog is fed.
#[derive(Debug)]
struct Feeder {
    progress: Progress,
    /// The ticks at the last look.
    ticks: Option<u64>,
}

impl Feeder {
    /// Whether there is progress since the last look.
    fn feeds(&mut self, ticks: u64) -> bool {
        let stands = self.ticks.replace(ticks) == Some(ticks);
        !stands || self.progress == Progress::NotDemanded
    }
}

/// The pins are there, the timing thread runs.
pub fn ready() {
    tell(&[NotifyState::Ready]);
}

/// The daemon ends because it was asked to.
pub fn stopping() {
    tell(&[NotifyState::Stopping]);
}

/// Tells systemd how the clock stands, for ever.
pub async fn run(
    bridge: Bridge,
    mut standing: watch::Receiver<Standing>,
    progress: Progress,
) -> Infallible {
    let mut published = bridge.published();
    // Three looks in the time that the watchdog gives.
    let look = sd_notify::watchdog_enabled().map_or(IDLE, |patience| patience / 3);
    let mut looks = interval(look.max(Duration::from_millis(1)));
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut feeder = Feeder { progress, ticks: None };
    let mut told = String::new();
    loop {
        let status = status(&published.borrow_and_update(), &standing.borrow_and_update());
        if status != told {
            tell(&[NotifyState::Status(&status)]);
            told = status;
        }
        tokio::select! {
            _ = looks.tick() => {
                if feeder.feeds(bridge.ticks()) {
                    tell(&[NotifyState::Watchdog]);
                }
            }
            Ok(()) = published.changed() => {}
            Ok(()) = standing.changed() => {}
        }
    }
}

/// A line of state: the control, the phase, whose turn it is, and how it stands with the bus.
fn status(published: &Published, standing: &Standing) -> String {
    let control = &published.settings.control;
    let phase = published.state.phase;
    let turn = match phase {
        Phase::Running | Phase::Paused => format!(", {} to move", published.state.to_move),
        Phase::Ready | Phase::Flagged | Phase::Ended => String::new(),
    };
    format!("{control}: {}{turn}; {standing}", phase.name())
}

fn tell(state: &[NotifyState<'_>]) {
    // Where systemd does not hear it cannot be told so, either.
    let _ = sd_notify::notify(state);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_watchdog_starves_when_ticks_stand_still_and_is_fed_again_when_they_go_on() {
        let mut feeder = Feeder { progress: Progress::Demanded, ticks: None };
        let fed = [0, 100, 200, 200, 200, 201].map(|ticks| feeder.feeds(ticks));
        assert_eq!(fed, [true, true, true, false, false, true]);
    }

    #[test]
    fn in_manual_time_ticks_may_stand_still() {
        let mut feeder = Feeder { progress: Progress::NotDemanded, ticks: None };
        assert_eq!([1, 1, 1].map(|ticks| feeder.feeds(ticks)), [true; 3]);
    }
}
