//! The connection to the daemon: events and states for the screen, commands for the daemon, and
//! looking for the daemon again when it has gone.

use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::super::arguments::{BusAddress, Command, OrderCommand};
use super::super::bus::Daemon;
use super::super::exit::CliError;
use super::super::feed::{Feed, FeedEvent};
use super::super::{clocks, journal, orders};
use super::command::{CommandPreview, TypedCommand};
use super::controller::{Outcome, WatchRequest};
use crate::record::Fields;

/// How often the daemon is asked for the state, besides after each event.
const POLL: Duration = Duration::from_secs(1);

/// The pause before a daemon that has gone is looked for again.
const PAUSE: Duration = Duration::from_millis(500);

/// How many lines from before the watch began are shown.
const EARLIER: u64 = 30;

/// Something new for the screen.
#[derive(Debug)]
pub(super) enum Update {
    State {
        state: Fields,
        properties: Fields,
    },
    /// Journal lines from before the watch began.
    Earlier(Vec<String>),
    Event(FeedEvent),
    /// The daemon has gone; why.
    Lost(String),
    /// What came of a request.
    Outcome {
        request_id: u64,
        outcome: Outcome,
    },
}

/// Why the daemon is not served any more.
enum Stopped {
    /// The screen is gone.
    Unwatched,
    Lost(CliError),
}

impl From<CliError> for Stopped {
    fn from(failure: CliError) -> Stopped {
        Stopped::Lost(failure)
    }
}

/// Serves the screen until that is gone.
pub(super) async fn run(
    mut daemon: Daemon,
    bus: BusAddress,
    updates: UnboundedSender<Update>,
    mut requests: UnboundedReceiver<WatchRequest>,
) {
    loop {
        match serve(&daemon, &updates, &mut requests).await {
            Err(Stopped::Lost(failure)) => {
                let _ = updates.send(Update::Lost(failure.sentence));
            }
            Ok(()) | Err(Stopped::Unwatched) => return,
        }
        daemon = loop {
            tokio::select! {
                request = requests.recv() => match request {
                    None | Some(WatchRequest::Leave) => return,
                    Some(
                        WatchRequest::Preview { request_id, .. }
                        | WatchRequest::Apply { request_id, .. },
                    ) => {
                        let outcome = Outcome::Failed(CliError::no_daemon("the daemon has gone"));
                        let _ = updates.send(Update::Outcome { request_id, outcome });
                    }
                },
                () = sleep(PAUSE) => {
                    if let Ok(daemon) = Daemon::connect(&bus).await {
                        break daemon;
                    }
                }
            }
        };
    }
}

async fn serve(
    daemon: &Daemon,
    updates: &UnboundedSender<Update>,
    requests: &mut UnboundedReceiver<WatchRequest>,
) -> Result<(), Stopped> {
    let send = |update| updates.send(update).map_err(|_| Stopped::Unwatched);
    let mut feed = Feed::open(daemon).await?;
    let state = daemon.snapshot().await?;
    let from = orders::sequence(&state).saturating_sub(EARLIER);
    // Under fide the running game's journal is for arbiters only; for others the list begins empty.
    send(Update::Earlier(journal::page(daemon, "", from).await.unwrap_or_default()))?;
    let mut poll = interval(POLL);
    poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            event = feed.next() => {
                send(Update::Event(event?))?;
                poll.reset_immediately();
            }
            request = requests.recv() => match request {
                None | Some(WatchRequest::Leave) => return Ok(()),
                Some(WatchRequest::Preview { request_id, command }) => {
                    let shown = preview(daemon, &command).await;
                    let outcome = shown.map(Box::new).map(Outcome::Previewed);
                    let outcome = outcome.unwrap_or_else(Outcome::Failed);
                    send(Update::Outcome { request_id, outcome })?;
                }
                Some(WatchRequest::Apply { request_id, preview }) => {
                    let outcome = apply(daemon, &preview).await.unwrap_or_else(Outcome::Failed);
                    send(Update::Outcome { request_id, outcome })?;
                    poll.reset_immediately();
                }
            },
            _ = poll.tick() => {
                let properties = daemon.properties_now().await?;
                let state = daemon.snapshot().await?;
                send(Update::State { state, properties })?;
            }
        }
    }
}

/// What a command would do now.
async fn preview(daemon: &Daemon, command: &TypedCommand) -> Result<CommandPreview, CliError> {
    let command = command.clone();
    let mut notes = Vec::new();
    let (call, before, after) = match &command.cli.command {
        Command::WhatIf { control } => {
            let control = control.join(" ");
            notes.push(describe(daemon, &control).await?);
            let before = daemon.snapshot().await?;
            (None, before, Some(orders::answered(daemon.clock.what_if(&control).await)?))
        }
        Command::Selftest => {
            notes.push(orders::SELF_TEST.to_owned());
            (None, daemon.snapshot().await?, None)
        }
        typed => {
            let call = orders::call(daemon, &command.cli).await?;
            if let Some(control) = call.control() {
                notes.push(describe(daemon, control).await?);
            }
            if let Command::Order(OrderCommand::StartAt { .. }) = typed {
                notes.push(call.words.clone());
            }
            let mut after = call.preview(daemon).await?;
            notes.extend(orders::effects(&after).map(orders::effect));
            let before = match after.shift_remove("before") {
                Some(Value::Object(before)) => before,
                _ => Fields::new(),
            };
            (Some(call), before, Some(after))
        }
    };
    let seq = orders::sequence(after.as_ref().unwrap_or(&before));
    Ok(CommandPreview { command, call, seq, before, after, notes })
}

/// A control as the daemon reads it: only the daemon knows the presets that are saved there.
async fn describe(daemon: &Daemon, control: &str) -> Result<String, CliError> {
    let described = daemon.clock.describe_control(control).await;
    let (canonical, sentence, class) = described?;
    Ok(format!("{canonical} ({class}): {sentence}"))
}

/// Does what was shown; where another line has been written since, shows what it would do now.
async fn apply(daemon: &Daemon, shown: &CommandPreview) -> Result<Outcome, CliError> {
    let Some(call) = shown.call.clone() else {
        let done = daemon.arbiter.self_test().await;
        return done.map(|()| Outcome::Done).map_err(CliError::from);
    };
    let game = shown.after.as_ref().and_then(|after| after.get("game")).cloned();
    match call.with("if_game", game.unwrap_or_default()).apply(daemon, shown.seq).await {
        Ok(_) => Ok(Outcome::Done),
        Err(failure) if failure.stale => {
            Ok(Outcome::Changed(Box::new(preview(daemon, &shown.command).await?)))
        }
        Err(failure) => Err(failure),
    }
}

/// A line of the journal as an event.
pub(super) fn event_of(line: &str) -> Option<FeedEvent> {
    let details: Fields = serde_json::from_str(line).ok()?;
    let kind = details.get("kind")?.as_str()?.to_owned();
    let seq = details.get("seq")?.as_u64()?;
    let at_us = clocks::span(&details, "at")?.as_micros_floor();
    Some(FeedEvent { seq, at_us, kind, details })
}
