//! A machine that slept: nobody is charged for it, and the game is paused (`timing.md` 2.16).
//!
//! The game's time line stands while the machine sleeps. But a clock that runs on when somebody opens
//! the lid again would run on with nobody at the board, so that it is stopped, and says why.

use std::convert::Infallible;
use std::time::Duration;

use rustix::time::ClockId;

use super::bridge::{Bridge, Origin, Submission};
use crate::board::monotonic::nanos;
use crate::engine::Phase;
use crate::engine::operation::Pause;
use crate::record::Annotations;
use crate::time::both::both;

/// How often is looked: so long the game may run on after the machine has woken.
pub(super) const LOOK: Duration = Duration::from_millis(250);

/// What is shorter than this is how far two readings are apart at the worst, and no sleep.
const SHORTEST: Duration = Duration::from_millis(100);

/// How long this machine has slept since it was started.
pub(super) fn asleep() -> Duration {
    let now = both(|| nanos(ClockId::Monotonic), || nanos(ClockId::Boottime));
    Duration::from_nanos(now.second.saturating_sub(now.first).try_into().unwrap_or_default())
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
        let annotations = Annotations::because(&reason);
        let pause = Submission { annotations, ..Submission::new(Pause {}, Origin::Timer) };
        if let Err(why) = bridge.submit(pause).await {
            tracing::warn!("the game was not paused for that: {why}");
        }
    }
}
