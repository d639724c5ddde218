//! What the daemon tells, line by line, until it is gone.

use futures_util::StreamExt;
use serde_json::Value;
use zbus::proxy::OwnerChangedStream;

use super::bus::{Daemon, EventStream, failure};
use super::exit::Failure;
use super::values;
use crate::record::Fields;

/// A line of the journal as the daemon told it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// Its number within its game.
    pub(super) seq: u64,
    /// When, in microseconds since the game began.
    pub(super) at_us: i64,
    /// What happened.
    pub(super) kind: String,
    /// The line's own members.
    pub(super) details: Fields,
}

impl Told {
    /// The game that the line belongs to.
    pub(super) fn game(&self) -> &str {
        self.details.get("game").and_then(Value::as_str).unwrap_or_default()
    }
}

/// Every line from the moment on at which it was opened.
pub(super) struct Feed {
    events: EventStream,
    owners: OwnerChangedStream<'static>,
}

impl Feed {
    /// Listens from now on.
    pub(super) async fn open(daemon: &Daemon) -> Result<Feed, Failure> {
        let events = daemon.clock.receive_event().await.map_err(|error| failure(&error))?;
        let owners =
            daemon.clock.inner().receive_owner_changed().await.map_err(|error| failure(&error))?;
        Ok(Feed { events, owners })
    }

    /// The next line. Nothing is lost where this is not waited for to the end.
    ///
    /// # Errors
    /// The daemon has gone.
    pub(super) async fn next(&mut self) -> Result<Told, Failure> {
        loop {
            tokio::select! {
                biased;
                event = self.events.next() => {
                    let Some(event) = event else { break };
                    let event = event.args().map_err(|error| failure(&error))?;
                    return Ok(Told {
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
        Err(Failure::no_daemon("the daemon has gone"))
    }
}
