//! `watch`: the game on a full screen, with keys for the arbiter's operations; or, plain, what
//! happens, a line each.
//!
//! It keeps no time and decides nothing. Between two answers of the daemon the running clock is
//! carried on by the engine's own arithmetic ([`picture`]); what an order will do is computed by
//! the engine from the game's journal ([`foresight`]); what was typed is read by the parser of the
//! command line ([`errand`]).

mod draw;
mod entry;
mod errand;
mod foresight;
mod link;
mod machine;
mod picture;
mod plain;
mod table;

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval};

use super::arguments::Bus;
use super::bus::Daemon;
use super::exit::Failure;
use super::output::Output;
use crate::terminal::{Keys, Screen, wants_colour};
use crate::time::{Instant, Span};
use draw::View;
use machine::Wish;
use table::Table;

/// How often the picture is looked over; only what changed is drawn.
const FRAME: Duration = Duration::from_millis(50);

/// How long the thread that reads the keyboard may outlive the picture.
const KEYBOARD: Duration = Duration::from_millis(200);

/// Follows the game: on the full screen, or plain where that is asked for or there is no terminal.
pub(super) async fn run(
    daemon: Daemon,
    bus: &Bus,
    plain: bool,
    output: &Output,
) -> Result<(), Failure> {
    if plain || output.is_json() || !Screen::is_there() {
        return plain::run(&daemon, output).await;
    }
    let mut screen = Screen::open(Keys::Pressed).map_err(|error| Failure::output(&error))?;
    let end = watch(&mut screen, daemon, bus).await;
    // before anything is said that a person at the terminal ought to read there
    drop(screen);
    end.map_err(|error| Failure::output(&error))
}

async fn watch(screen: &mut Screen, daemon: Daemon, bus: &Bus) -> io::Result<()> {
    let (tell, mut news) = unbounded_channel();
    let (wish, wishes) = unbounded_channel();
    tokio::spawn(link::run(daemon, bus.clone(), tell, wishes));
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
    let mut table = Table::new();
    loop {
        tokio::select! {
            biased;
            _ = terminate.recv() => return Ok(()),
            _ = interrupt.recv() => return Ok(()),
            _ = hangup.recv() => return Ok(()),
            event = keyboard.recv() => match event {
                None => return Ok(()),
                // What was pasted comes as keys, too: all that are there, and then one picture.
                Some(first) => {
                    let mut event = Some(first);
                    while let Some(Event::Key(key)) = event {
                        let phase = table.phase().to_owned();
                        match table.machine.key(&key, &phase) {
                            None => {}
                            Some(Wish::Leave) => return Ok(()),
                            // the other end lives as long as this one
                            Some(wanted) => drop(wish.send(wanted)),
                        }
                        event = keyboard.try_recv().ok();
                    }
                }
            },
            tidings = news.recv() => match tidings {
                None => return Ok(()),
                Some(tidings) => table.take(now(), tidings),
            },
            _ = frames.tick() => {}
        }
        let view = View { table: &table, now: now(), colour };
        let mut legible = true;
        screen.draw(|area, buffer| legible = draw::draw(&view, area, buffer))?;
        table.machine.legible = legible;
    }
}

/// Reads the keyboard on a thread of its own, which ends when nobody listens or the terminal is
/// gone.
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
