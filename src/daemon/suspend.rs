//! A machine that slept: nobody is charged for it, and the game is paused (`timing.md` 2.16).
//!
//! The game's time line stands while the machine sleeps. But a clock that runs on when somebody opens
//! the lid again would run on with nobody at the board, so that it is stopped, and says why.

use std::convert::Infallible;
use std::time::Duration;

use rustix::time::{ClockId, Timespec, clock_gettime};

use super::bridge::{Ask, Bridge, Origin};
use crate::engine::{Command, Phase};

/// How often is looked: so long the game may run on after the machine has woken.
pub(super) const LOOK: Duration = Duration::from_millis(250);

/// What is shorter than this is how far two readings are apart, and no sleep.
const SHORTEST: Duration = Duration::from_millis(100);

/// How long this machine has slept since it was started.
pub(super) fn asleep() -> Duration {
    // In this order: what passes between the two counts as sleep, which must not be below zero.
    let awake = since_boot(clock_gettime(ClockId::Monotonic));
    since_boot(clock_gettime(ClockId::Boottime)).saturating_sub(awake)
}

fn since_boot(time: Timespec) -> Duration {
    Duration::try_from(time).unwrap_or_default()
}

/// Pauses the game whenever `asleep` has grown, for as long as there is a clock.
pub(super) async fn watch(
    bridge: Bridge,
    mut asleep: impl FnMut() -> Duration + Send,
    look: Duration,
) -> Infallible {
    let mut known = asleep();
    loop {
        tokio::time::sleep(look).await;
        let slept = asleep().saturating_sub(known);
        if slept < SHORTEST {
            continue;
        }
        known += slept;
        let reason = format!("the machine slept for {:.1} s", slept.as_secs_f64());
        tracing::warn!("{reason}; nobody's clock ran meanwhile");
        if bridge.now_view().snapshot.phase != Phase::Running {
            continue;
        }
        let pause = Ask::Command { command: Command::Pause, reason, if_seq: 0 };
        if let Err(why) = bridge.ask(pause, Origin::Timer).await {
            tracing::warn!("the game was not paused for that: {why}");
        }
    }
}
