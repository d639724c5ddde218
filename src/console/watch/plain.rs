//! `watch --plain`: events as lines.

use serde_json::{Value, json};

use super::super::bus::Daemon;
use super::super::clocks::{self, Digits};
use super::super::exit::CliError;
use super::super::feed::{Feed, FeedEvent};
use super::super::output::Printer;
use crate::time::Span;

/// Prints events until the daemon or the reader of the output goes.
pub(super) async fn run(daemon: &Daemon, output: &Printer) -> Result<(), CliError> {
    let mut feed = Feed::open(daemon).await?;
    loop {
        let mut event = feed.next().await?;
        if !event.details.contains_key("state") {
            // Under fide signals have no state, since move counters are not for everybody; the
            // daemon gives this user what they may read.
            event.details.insert("state".to_owned(), daemon.snapshot().await?.into());
        }
        print(&event, output)?;
    }
}

fn print(event: &FeedEvent, output: &Printer) -> Result<(), CliError> {
    let FeedEvent { seq, at_us, kind, details } = event;
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
