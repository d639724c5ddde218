//! A picture of the simulated box in the terminal, with the keyboard for its keys.
//!
//! It knows no game: it draws what the display chips, lamps and contacts show, and its keys are
//! levels on the simulated pins. It looks about thirty times a second and draws only what changed.

mod digits;
mod keyboard;
mod messages;
mod picture;

use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::thread::JoinHandle;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event};

use super::Simulator;
use crate::terminal::{Keys, Screen, wants_colour};
use keyboard::Keyboard;
use messages::Messages;
use picture::Scene;

/// How long the picture may lag behind the box.
const FRAME: Duration = Duration::from_millis(33);

/// Who ended the picture.
enum End {
    /// The person at the keyboard, who wants the whole program to stop.
    Person,
    /// The program, which sends no more messages.
    Program,
}

/// Draws the box on a thread of its own until `q` or Ctrl-C is typed, or the sender of `messages`
/// is dropped. The terminal is as it was before when that thread ends, and before a panic's
/// message is printed.
///
/// `messages` are shown below the box, the latest last. `stop` is called, with the terminal
/// restored, when a person ended the picture or the terminal is gone.
///
/// # Errors
/// Standard input and output are no terminal, or it cannot be set up, or there is no thread to be
/// had. The thread's own result is an error if the terminal failed later.
pub fn spawn(
    simulator: Simulator,
    messages: Receiver<String>,
    stop: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<io::Result<()>>> {
    if !Screen::is_there() {
        return Err(io::Error::other(
            "the box cannot be drawn: standard input and output are not a terminal; \
             run it in one, or with --headless",
        ));
    }
    let mut screen = Screen::open(Keys::PressedAndReleased)?;
    std::thread::Builder::new().name("flagfall-box".to_owned()).spawn(move || {
        let end = run(&mut screen, simulator, &messages);
        drop(screen);
        match end {
            Ok(End::Program) => Ok(()),
            Ok(End::Person) => {
                stop();
                Ok(())
            }
            Err(error) => {
                stop();
                Err(error)
            }
        }
    })
}

fn run(screen: &mut Screen, simulator: Simulator, source: &Receiver<String>) -> io::Result<End> {
    let colour = wants_colour();
    let mut keyboard = Keyboard::new(simulator.clone(), screen.reports_releases());
    let mut messages = Messages::default();
    let mut drawn = None;
    loop {
        loop {
            match source.try_recv() {
                Ok(text) => {
                    messages.push(&text);
                    drawn = None;
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Ok(End::Program),
            }
        }
        let scene = Scene::of(&simulator, screen.reports_releases(), colour);
        if drawn.as_ref() != Some(&scene) {
            screen.draw(|area, buffer| picture::draw(&scene, &messages, area, buffer))?;
            drawn = Some(scene);
        }
        if event::poll(FRAME)? {
            match event::read()? {
                Event::Resize(..) => drawn = None,
                event => {
                    if let ControlFlow::Break(()) = keyboard.take(&event) {
                        return Ok(End::Person);
                    }
                }
            }
        }
    }
}
