//! `watch`: the game on a full screen, with keys for the arbiter's operations; or events as lines.
//!
//! It keeps no time and decides nothing. Between two answers of the daemon the engine's own
//! arithmetic advances the running clock ([`picture`]); the daemon computes what an order will do
//! ([`link`]); the parser of the command line reads what is typed ([`command`]).

mod command;
mod controller;
mod draw;
mod line_edit;
mod link;
mod picture;
mod plain;
mod state;

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval};

use super::arguments::BusAddress;
use super::bus::Daemon;
use super::exit::CliError;
use super::output::Printer;
use crate::terminal::{Keys, Screen, wants_colour};
use crate::time::{Instant, Span};
use controller::WatchRequest;
use draw::ScreenView;
use state::WatchState;

/// How often the screen is drawn; only changes are written to the terminal.
const FRAME: Duration = Duration::from_millis(50);

/// How long the keyboard thread may outlive the screen.
const KEYBOARD: Duration = Duration::from_millis(200);

/// Follows the game: on the full screen, or as lines where asked for or without a terminal.
pub(super) async fn run(
    daemon: Daemon,
    bus: &BusAddress,
    plain: bool,
    output: &Printer,
) -> Result<(), CliError> {
    if plain || output.is_json() || !Screen::is_there() {
        return plain::run(&daemon, output).await;
    }
    let mut screen = Screen::open(Keys::Pressed).map_err(|error| CliError::output(&error))?;
    let end = watch(&mut screen, daemon, bus).await;
    // Before an error is printed: it would vanish with the screen.
    drop(screen);
    end.map_err(|error| CliError::output(&error))
}

async fn watch(screen: &mut Screen, daemon: Daemon, bus: &BusAddress) -> io::Result<()> {
    let (tell, mut updates) = unbounded_channel();
    let (request, requests) = unbounded_channel();
    tokio::spawn(link::run(daemon, bus.clone(), tell, requests));
    let mut keyboard = keyboard()?;
    let mut ends = [
        signal(SignalKind::terminate())?,
        signal(SignalKind::interrupt())?,
        signal(SignalKind::hangup())?,
    ];
    let [terminate, interrupt, hangup] = &mut ends;
    let mut frames = interval(FRAME);
    frames.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let colour = wants_colour();
    let began = std::time::Instant::now();
    let now = || {
        Instant::ZERO
            + Span::from_nanos(i64::try_from(began.elapsed().as_nanos()).unwrap_or(i64::MAX))
    };
    let mut watch = WatchState::new();
    loop {
        tokio::select! {
            biased;
            _ = terminate.recv() => return Ok(()),
            _ = interrupt.recv() => return Ok(()),
            _ = hangup.recv() => return Ok(()),
            event = keyboard.recv() => match event {
                None => return Ok(()),
                // Pasted text comes as keys: all of them are taken before the screen is drawn.
                Some(first) => {
                    let mut event = Some(first);
                    while let Some(Event::Key(key)) = event {
                        let phase = watch.phase().to_owned();
                        match watch.controller.key(&key, &phase) {
                            None => {}
                            Some(WatchRequest::Leave) => return Ok(()),
                            // The receiver lives as long as this loop.
                            Some(wanted) => drop(request.send(wanted)),
                        }
                        event = keyboard.try_recv().ok();
                    }
                }
            },
            update = updates.recv() => match update {
                None => return Ok(()),
                Some(update) => watch.take(now(), update),
            },
            _ = frames.tick() => {}
        }
        let view = ScreenView { watch: &watch, now: now(), colour };
        let mut legible = true;
        screen.draw(|area, buffer| legible = draw::draw(&view, area, buffer))?;
        watch.controller.legible = legible;
    }
}

/// Reads the keyboard in a thread, which ends with the receiver or the terminal.
fn keyboard() -> io::Result<UnboundedReceiver<Event>> {
    let (send, receive): (UnboundedSender<Event>, _) = unbounded_channel();
    std::thread::Builder::new().name("keyboard".to_owned()).spawn(move || {
        while !send.is_closed() {
            match event::poll(KEYBOARD) {
                Ok(false) => continue,
                Ok(true) => {}
                Err(_) => return,
            }
            let Ok(event) = event::read() else { return };
            if send.send(event).is_err() {
                return;
            }
        }
    })?;
    Ok(receive)
}
