//! What systemd is told: ready, a line of state, and that the timing thread makes progress.
//!
//! Without systemd nothing is told to anybody.

use std::convert::Infallible;
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::bridge::{Bridge, View};
use crate::bus::Standing;
use crate::control::Side;
use crate::engine::Phase;
use crate::time::Span;

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
        published.borrow_and_update();
        let status = status(&bridge.now_view(), &standing.borrow_and_update());
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

/// A line of state: the control, the phase, whose turn it is, both times at this look, and how it
/// stands with the bus.
fn status(View { published, snapshot }: &View, standing: &Standing) -> String {
    let control = &published.settings.control;
    let turn = match snapshot.phase {
        Phase::Running | Phase::Paused => format!(", {} to move", snapshot.to_move),
        Phase::Ready | Phase::Flagged | Phase::Ended => String::new(),
    };
    let [white, black] = Side::BOTH.map(|side| time_left(snapshot.sides[side].remaining));
    let phase = snapshot.phase.name();
    format!("{control}: {phase}{turn}, white {white}, black {black}; {standing}")
}

/// Hours, minutes and seconds, rounded up as on the box.
fn time_left(remaining: Option<Span>) -> String {
    let Some(remaining) = remaining else { return "without a limit".to_owned() };
    let seconds = remaining.or_zero().ceil_div(1_000_000_000);
    format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

fn tell(state: &[NotifyState<'_>]) {
    // Where systemd does not hear it cannot be told so, either.
    let _ = sd_notify::notify(state);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_up_to_the_second() {
        let times = [0, 1, 179_999_000_001, 3_600_000_000_000, 36_000_000_000_001];
        let texts = times.map(|nanos| time_left(Some(Span::from_nanos(nanos))));
        assert_eq!(texts, ["0:00:00", "0:00:01", "0:03:00", "1:00:00", "10:00:01"]);
        assert_eq!(time_left(None), "without a limit");
    }

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
