//! `watch --plain`: what happens, a line each.

use serde_json::{Value, json};

use super::super::bus::Daemon;
use super::super::clocks::{self, Digits};
use super::super::exit::Failure;
use super::super::feed::{Feed, Told};
use super::super::output::Output;
use crate::time::Span;

/// Prints every event until the daemon or the reader is gone.
pub(super) async fn run(daemon: &Daemon, output: &Output) -> Result<(), Failure> {
    let mut feed = Feed::open(daemon).await?;
    loop {
        let mut told = feed.next().await?;
        if !told.details.contains_key("state") {
            // under fide a signal tells nobody the counters; what this user may read, the daemon
            // knows
            told.details.insert("state".to_owned(), daemon.snapshot().await?.into());
        }
        print(&told, output)?;
    }
}

fn print(told: &Told, output: &Output) -> Result<(), Failure> {
    let Told { seq, at_us, kind, details } = told;
    if output.is_json() {
        let line = json!({"seq": seq, "at_us": at_us, "kind": kind, "details": details});
        return output.line(&line.to_string());
    }
    let state = details.get("state").and_then(Value::as_object);
    let clocks = state.map(|state| clocks::one_line(state, Digits::Tenths)).unwrap_or_default();
    let time = clocks::point(Span::from_micros(*at_us), Digits::Millis);
    let words = format!("{kind} {}", clocks::words(details, Digits::Millis));
    output.line(format!("{seq:>5} {time:>12}  {words:<32}  {clocks}").trim_end())
}
