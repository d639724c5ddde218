//! The clock on one board or the other: what differs between them is here and nowhere else.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedReceiver;

use super::bridge::EventLoop;
use super::clock::{Clock, Wires};
use super::config::{Board, Config, SimTime};
use super::exit::{Exit, Failure};
use super::logging::Voice;
use super::recorder::Recorder;
use super::startup::Startup;
use crate::board::monotonic::monotonic;
use crate::board::pwm::Pwm;
use crate::board::rpi::{self, Machine};
use crate::board::sim::manual::manual_time;
use crate::board::sim::{Simulator, terminal};
use crate::board::wiring::BoardError;
use crate::board::{DisplayFault, Time, TimeLine, Tone};
use crate::bus::Simulation;
use crate::menu::Wish;
use crate::menu::catalogue::Catalogue;
use crate::timing::Wanted;

/// A board to run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// A Raspberry Pi's pins.
    RaspberryPi,
    /// The simulated box.
    Simulated,
}

/// A clock on its board.
#[derive(Debug)]
pub struct OnBoard {
    /// The clock.
    pub clock: Clock,
    /// Its event_loop, who is to be run.
    pub event_loop: EventLoop,
    /// What somebody at the box wishes.
    pub wishes: UnboundedReceiver<Wish>,
    /// `rpi` or `sim`.
    pub board: &'static str,
    /// What the time line goes by.
    pub timebase: &'static str,
    /// The simulated box, where it is one.
    pub simulation: Option<Simulation>,
}

/// What a clock starts with, whatever the board.
#[derive(Debug)]
pub struct With {
    /// The game.
    pub startup: Startup,
    /// Writes the journal.
    pub recorder: Recorder,
    /// What can be chosen at the box.
    pub catalogue: Catalogue,
}

/// A picture that is being drawn.
pub type Picture = JoinHandle<io::Result<()>>;

/// The board that the configuration means.
///
/// # Errors
/// Time is to be manual on a Raspberry Pi.
pub fn choose(config: &Config) -> Result<Chosen, Failure> {
    let chosen = match (config.board, rpi::machine()) {
        (Board::Sim, _) | (Board::Auto, Machine::Other) => Chosen::Simulated,
        (Board::Rpi, _) | (Board::Auto, _) => Chosen::RaspberryPi,
    };
    if chosen == Chosen::RaspberryPi && config.sim_time == SimTime::Manual {
        return Err(Failure::new(
            Exit::Config,
            "sim-time = \"manual\" is for the simulated box: choose board = \"sim\", or leave \
             sim-time out",
        ));
    }
    Ok(chosen)
}

/// Starts the clock on a board.
///
/// # Errors
/// The pins cannot be used, or the system gives no thread; the sentence says what to check.
pub fn start(chosen: Chosen, config: &Config, with: With) -> Result<OnBoard, Failure> {
    // The time of a game that is taken up goes on where it stood.
    let from = with.startup.from();
    match chosen {
        Chosen::RaspberryPi => raspberry_pi(config, with),
        Chosen::Simulated => match config.sim_time {
            SimTime::Real => {
                let (time, line) = monotonic(from, config.calibration_ppb);
                let wanted = config.real_time;
                simulated(config, (time, Arc::new(line)), wanted, "monotonic-raw", with)
            }
            SimTime::Manual => {
                let (time, handle) = manual_time(from);
                let line = Arc::new(handle.clone());
                let mut on = simulated(config, (time, line), Wanted::NOTHING, "manual", with)?;
                if let Some(simulation) = &mut on.simulation {
                    simulation.manual = Some(handle);
                }
                Ok(on)
            }
        },
    }
}

/// Switches lamps and buzzer off and leaves them so.
///
/// # Errors
/// The pins or the buzzer's PWM cannot be used.
pub fn make_safe(chosen: Chosen, config: &Config) -> Result<(), Failure> {
    match chosen {
        Chosen::RaspberryPi => {
            let silent = config.tone.map_or(Ok(()), |channel| Pwm::new(channel).silence());
            rpi::pins_safe(&config.pins).map_err(unusable)?;
            silent.map_err(|fault| Failure::new(Exit::Unavailable, fault.to_string()))
        }
        Chosen::Simulated => Ok(()),
    }
}

/// Draws the simulated box, if there is a terminal and a picture is wanted; in manual time nobody
/// plays on it. `quit` is told when somebody has had enough of it.
#[must_use]
pub fn draw(on: &OnBoard, config: &Config, voice: &Voice, quit: &Arc<Notify>) -> Option<Picture> {
    let simulator = on.simulation.as_ref()?.simulator.clone();
    let wanted = !config.headless && config.sim_time == SimTime::Real;
    if !(wanted && io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return None;
    }
    let quit = Arc::clone(quit);
    let messages = voice.begin_picture();
    terminal::spawn(simulator, messages, move || quit.notify_one())
        .inspect_err(|error| {
            voice.end_picture();
            tracing::warn!("the box cannot be drawn: {error}; the clock goes on without a picture");
        })
        .ok()
}

fn raspberry_pi(config: &Config, with: With) -> Result<OnBoard, Failure> {
    let With { startup, recorder, catalogue } = with;
    let (time, line) = monotonic(startup.from(), config.calibration_ppb);
    let displays = config.displays.clone();
    let wires = Wires {
        pins: rpi::pins(&config.pins).map_err(unusable)?,
        time,
        line: Arc::new(line),
        open: move || rpi::chain(&displays).map_err(|error| DisplayFault(error.to_string())),
        tone: config.tone.map(|channel| Box::new(Pwm::new(channel)) as Box<dyn Tone>),
        wanted: config.real_time,
        startup,
        recorder,
    };
    let (clock, event_loop, wishes) = Clock::start(config, catalogue, wires)?;
    let timebase = "monotonic-raw";
    Ok(OnBoard { clock, event_loop, wishes, board: "rpi", timebase, simulation: None })
}

fn simulated<T: Time + 'static>(
    config: &Config,
    (time, line): (T, Arc<dyn TimeLine>),
    wanted: Wanted,
    timebase: &'static str,
    With { startup, recorder, catalogue }: With,
) -> Result<OnBoard, Failure> {
    let simulator = Simulator::of(config.displays.layout).with_disk(recorder.full());
    let simulator = if config.lever { simulator.with_lever() } else { simulator };
    let displays = simulator.clone();
    let open = move || Ok(displays.chain());
    let pins = simulator.pins();
    // The simulated buzzer sounds by its level, whatever would be soldered to a real one.
    let wires = Wires { pins, time, line, open, tone: None, wanted, startup, recorder };
    let (clock, event_loop, wishes) = Clock::start(config, catalogue, wires)?;
    let simulation = Some(Simulation { simulator, manual: None });
    Ok(OnBoard { clock, event_loop, wishes, board: "sim", timebase, simulation })
}

fn unusable(error: BoardError) -> Failure {
    Failure::new(Exit::Unavailable, error.to_string())
}
