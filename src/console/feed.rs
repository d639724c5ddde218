//! Journal lines as signals, until the daemon goes.

use futures_util::StreamExt;
use serde_json::Value;
use zbus::proxy::OwnerChangedStream;

use super::bus::{Daemon, EventStream};
use super::exit::CliError;
use super::values;
use crate::record::Fields;

/// A journal line as a signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FeedEvent {
    pub(super) seq: u64,
    /// Since the game began.
    pub(super) at_us: i64,
    pub(super) kind: String,
    /// The line's own members.
    pub(super) details: Fields,
}

impl FeedEvent {
    pub(super) fn game(&self) -> &str {
        self.details.get("game").and_then(Value::as_str).unwrap_or_default()
    }
}

/// The signals since it was opened, and whether the daemon is there.
pub(super) struct Feed {
    events: EventStream,
    owners: OwnerChangedStream<'static>,
}

impl Feed {
    pub(super) async fn open(daemon: &Daemon) -> Result<Feed, CliError> {
        let events = daemon.clock.receive_event().await?;
        let owners = daemon.clock.inner().receive_owner_changed().await?;
        Ok(Feed { events, owners })
    }

    /// The next line. Cancel safe.
    ///
    /// # Errors
    /// The daemon has gone.
    pub(super) async fn next(&mut self) -> Result<FeedEvent, CliError> {
        loop {
            tokio::select! {
                biased;
                event = self.events.next() => {
                    let Some(event) = event else { break };
                    let event = event.args()?;
                    return Ok(FeedEvent {
                        seq: event.seq,
                        at_us: event.at_us,
                        details: values::fields(&event.details),
                        kind: event.kind,
                    });
                }
                owner = self.owners.next() => {
                    if owner.flatten().is_none() {
                        break;
                    }
                }
            }
        }
        Err(CliError::no_daemon("the daemon has gone"))
    }
}
