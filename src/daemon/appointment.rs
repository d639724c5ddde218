//! Starts an armed clock at its wall-clock time (Laws 6.6).
//!
//! The wall clock is looked at again and again, so that a step of it (a time server that answers
//! late, a box without a clock of its own) moves the start along.

use std::convert::Infallible;
use std::time::Duration;

use jiff::Timestamp;

use super::bridge::{Bridge, Origin, Submission};
use crate::engine::Phase;
use crate::engine::operation::Start;

/// How long the wall clock is trusted at most.
const TRUST: Duration = Duration::from_secs(1);

/// Keeps appointments for as long as there is a clock.
pub(super) async fn keep(bridge: Bridge) -> Infallible {
    let mut published = bridge.published();
    loop {
        let appointment = {
            let newest = published.borrow_and_update();
            let ready = newest.state.phase == Phase::Ready;
            newest.state.starts_at.filter(|_| ready)
        };
        let Some(unix_us) = appointment else {
            if published.changed().await.is_err() {
                return std::future::pending().await;
            }
            continue;
        };
        let left = unix_us.saturating_sub(Timestamp::now().as_microsecond());
        match u64::try_from(left).map(Duration::from_micros) {
            Ok(left) if !left.is_zero() => {
                tokio::select! {
                    _ = published.changed() => {}
                    () = tokio::time::sleep(left.min(TRUST)) => {}
                }
            }
            _ => {
                let start = Submission::new(Start::default(), Origin::Timer);
                if let Err(why) = bridge.submit(start).await {
                    tracing::warn!("the clock was not started at the appointed time: {why}");
                    // Somebody else was quicker; what comes next is told as a change.
                    if published.changed().await.is_err() {
                        return std::future::pending().await;
                    }
                }
            }
        }
    }
}
