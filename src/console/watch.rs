//! `watch --plain`: what happens, a line each.

use futures_util::StreamExt;
use serde_json::{Value, json};

use super::bus::{Daemon, failure};
use super::clocks::{self, Digits};
use super::exit::Failure;
use super::output::Output;
use super::values;
use crate::record::Fields;
use crate::time::Span;

/// Prints every event until the daemon or the reader is gone.
pub(super) async fn run(daemon: &Daemon, output: &Output) -> Result<(), Failure> {
    let mut events = daemon.clock.receive_event().await.map_err(|error| failure(&error))?;
    let mut owners =
        daemon.clock.inner().receive_owner_changed().await.map_err(|error| failure(&error))?;
    loop {
        tokio::select! {
            biased;
            event = events.next() => {
                let Some(event) = event else { break };
                let event = event.args().map_err(|error| failure(&error))?;
                let mut details = values::fields(&event.details);
                if !details.contains_key("state") {
                    // under fide a signal tells nobody the counters; what this user may read,
                    // the daemon knows
                    details.insert("state".to_owned(), daemon.snapshot().await?.into());
                }
                print(event.seq, event.at_us, &event.kind, details, output)?;
            }
            owner = owners.next() => {
                if owner.flatten().is_none() {
                    break;
                }
            }
        }
    }
    Err(Failure::no_daemon("the daemon has gone"))
}

fn print(
    seq: u64,
    at_us: i64,
    kind: &str,
    details: Fields,
    output: &Output,
) -> Result<(), Failure> {
    if output.is_json() {
        let line = json!({"seq": seq, "at_us": at_us, "kind": kind, "details": details});
        return output.line(&line.to_string());
    }
    let state = details.get("state").and_then(Value::as_object);
    let clocks = state.map(|state| clocks::one_line(state, Digits::Tenths)).unwrap_or_default();
    let time = clocks::point(Span::from_micros(at_us), Digits::Millis);
    let words = format!("{kind} {}", clocks::words(&details, Digits::Millis));
    output.line(format!("{seq:>5} {time:>12}  {words:<32}  {clocks}").trim_end())
}
