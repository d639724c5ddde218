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
    let mut ticks = None;
    let mut told = String::new();
    loop {
        let status = status(&published.borrow_and_update(), &standing.borrow_and_update());
        if status != told {
            tell(&[NotifyState::Status(&status)]);
            told = status;
        }
        tokio::select! {
            _ = looks.tick() => {
                let now = Some(bridge.ticks());
                if now != ticks || progress == Progress::NotDemanded {
                    tell(&[NotifyState::Watchdog]);
                }
                ticks = now;
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
