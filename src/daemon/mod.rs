//! The daemon: what stands around the timing thread and wires everything. Here it is told as a
//! story; nothing is decided here about a game, and no time is kept.
//!
//! | looking for | see |
//! |---|---|
//! | arguments, configuration, exit codes | [`arguments`], [`config`], [`exit`] |
//! | timing thread, displays and bridge together, on either board | [`clock`], [`boards`] |
//! | where the state is kept, what is written there, how a game is taken up again | [`state`], [`recorder`], [`startup`] |
//! | the way between the timing thread and everybody else | [`bridge`] |
//! | what the box's menus wish, and what they keep | [`keeper`], [`shelf`] |
//! | powering off, the supply | [`power`] |
//! | what the box says of the disk, the bus, the priority | `troubles` |
//! | the display thread | [`screen`] |
//! | the log, and the picture's messages | [`logging`] |
//! | what systemd is told | [`watchdog`] |
//! | a bus where there is none | [`private_bus`] |
//! | a machine that slept | `suspend` |

mod appointment;
pub mod arguments;

pub mod boards;
pub mod bridge;
pub mod clock;
pub mod collection;
pub mod config;
pub mod exit;
pub mod keeper;
pub mod logging;
pub mod power;
pub mod private_bus;
pub mod recorder;
pub mod screen;
pub mod shelf;
pub mod startup;
pub mod state;
mod suspend;
mod troubles;
pub mod watchdog;

use std::convert::Infallible;
use std::future::pending;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use clap::Parser;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Notify, watch};

use crate::bus::{Link, Place, Service, Standing};
use arguments::Arguments;
use boards::{Chosen, OnBoard, With};
use collection::Collection;
use config::{Config, DEFAULT_FILE};
use exit::{Exit, Failure};
use keeper::{Keeper, catalogue};
use logging::Voice;
use power::Supply;
use shelf::Shelf;
use startup::Startup;
use state::State;
use watchdog::Progress;

/// Runs the daemon on the program's arguments. The exit codes are those of [`Exit`].
#[must_use]
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Where even this cannot be written there is nobody left to tell.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() };
        }
    };
    match run(&arguments) {
        Ok(()) => Exit::Done.into(),
        Err(failure) => {
            logging::last_words(&failure.to_string());
            failure.exit.into()
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    // What is asked for: the file first, then the arguments.
    let mut config = Config::load(arguments.config.as_deref())
        .map_err(|error| Failure::new(Exit::Config, error.to_string()))?;
    arguments.override_keys(&mut config);
    let board = boards::choose(&config)?;

    // Some only ask whether that is right, or clean up after a daemon that was killed.
    if arguments.check {
        confirm(arguments);
        return Ok(());
    }
    if arguments.pins_safe {
        return boards::make_safe(board, &config);
    }

    // Everything but the timing thread, the displays and the picture lives on this one thread.
    let voice = Voice::start(config.log_level);
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| no_means(&error))?
        .block_on(live(&config, board, &voice))
}

/// From the first signal handler to the last thread.
async fn live(config: &Config, board: Chosen, voice: &Voice) -> Result<(), Failure> {
    // Being asked to end must not surprise what has only half begun.
    let mut terminated = listen(SignalKind::terminate())?;
    let mut interrupted = listen(SignalKind::interrupt())?;
    let mut hung_up = listen(SignalKind::hangup())?;
    let quit = Arc::new(Notify::new());

    // A file may be as large as it is allowed to be: then a line is not written, and that is all.
    let _too_large = listen(SignalKind::from_raw(libc::SIGXFSZ))?;

    // What is to outlive the daemon, and what has outlived the last one.
    let environment = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let state = State::open(&state::Place::choose(config, board, environment))?;
    let startup = match &state.directory {
        Some(directory) => Startup::after(directory, state.goes_on, config),
        None => Startup::afresh(config),
    };

    // The clock. Without pins there is none. From here on it can be played on, whatever becomes of
    // the rest.
    let recorder = state.recorder.clone();
    let presets = Collection::open(state.directory.as_deref());
    let (shelf, kept) = Shelf::open(state.directory.as_deref());
    let config = &Config { look: kept.look.unwrap_or(config.look), ..config.clone() };
    let catalogue = catalogue(0, &presets.all(), &kept);
    let on = boards::start(board, config, With { startup, recorder, catalogue })?;
    watchdog::ready();

    // Its picture, before anything is said that a person at the terminal ought to read there.
    let picture = boards::draw(&on, config, voice, &quit);
    for degradation in &on.clock.bridge.health().granted.degradations {
        tracing::warn!("{degradation}");
    }

    // A bus to be asked on; the clock does not need it.
    let place = Place::choose(&config.bus, board == Chosen::Simulated).await;
    let invitation = place.invitation();

    // Everybody who may ask it, read it or listen to it.
    let OnBoard { clock, event_loop, wishes, board, timebase, simulation } = on;
    let simulated = simulation.is_some();
    let manual = simulation.as_ref().is_some_and(|simulation| simulation.manual.is_some());
    let progress = if manual { Progress::NotDemanded } else { Progress::Demanded };
    let (bridge, defaults) = (clock.bridge.clone(), config.game);
    let power: Box<dyn power::Off> = match simulation {
        Some(_) => Box::new(power::Simulated),
        None => Box::new(power::Logind::OF_THE_SYSTEM),
    };
    let keeper = Keeper::new(bridge.clone(), wishes, presets.watch(), (shelf, kept), power);
    let supply = keeper::watch_supply(bridge.clone(), Supply::of_this_machine());
    let appointments = appointment::keep(bridge.clone());
    // In manual time the machine's sleep is nothing to the game.
    let asleep = move || if manual { Duration::ZERO } else { suspend::asleep() };
    let suspensions = suspend::watch(bridge.clone(), asleep, suspend::LOOK);
    let journal = state.recorder.archive();
    let service = Service { bridge, defaults, presets, board, timebase, simulation, journal };
    let link = Link::new(service, place);
    let standing = link.standing();
    let troubles = troubles::watch(clock.bridge.clone(), standing.clone(), simulated);

    // So it goes on until somebody wants it to end, or something ends that should not.
    let end = tokio::select! {
        _ = terminated.recv() => Ok(()),
        _ = interrupted.recv() => Ok(()),
        _ = hung_up.recv() => Ok(()),
        () = quit.notified() => Ok(()),
        event_loop = event_loop.run() => Err(ended("the timing thread", event_loop.err())),
        () = last_of(clock.displays()) => Err(ended("the display thread", None)),
        never = link.run() => match never {},
        never = keeper.run() => match never {},
        never = supply => match never {},
        never = troubles => match never {},
        never = appointments => match never {},
        never = suspensions => match never {},
        never = watchdog::run(clock.bridge.clone(), standing.clone(), progress) => match never {},
        never = invite(standing, invitation, voice) => match never {},
    };

    // Lamps off, displays that show no time, the journal closed, the terminal as it was.
    watchdog::stopping();
    clock.stop();
    voice.end_picture();
    if let Some(Ok(Err(error))) = picture.map(JoinHandle::join) {
        tracing::warn!("the picture ended because the terminal failed: {error}");
    }
    end
}

/// Says that the configuration is right.
fn confirm(arguments: &Arguments) {
    let sentence = match &arguments.config {
        Some(file) => format!("{}: nothing is wrong", file.display()),
        None if Path::new(DEFAULT_FILE).exists() => format!("{DEFAULT_FILE}: nothing is wrong"),
        None => format!("there is no {DEFAULT_FILE}: every key has its default"),
    };
    // The exit code says it, too.
    let _ = writeln!(io::stdout(), "{sentence}");
}

/// Tells how to ask the clock, once it can be asked.
async fn invite(
    mut standing: watch::Receiver<Standing>,
    invitation: Option<String>,
    voice: &Voice,
) -> Infallible {
    let there = standing.wait_for(|standing| *standing == Standing::Named).await.is_ok();
    if let Some(invitation) = invitation
        && there
    {
        voice.say(&invitation);
    }
    pending().await
}

/// Waits until nobody tells about the displays any more.
async fn last_of(mut displays: watch::Receiver<screen::Status>) {
    while displays.changed().await.is_ok() {}
}

fn listen(kind: SignalKind) -> Result<Signal, Failure> {
    signal(kind).map_err(|error| no_means(&error))
}

fn ended(what: &str, why: Option<io::Error>) -> Failure {
    let why = why.map_or_else(String::new, |error| format!(" ({error})"));
    let sentence = format!("{what} has ended unexpectedly{why}: start the daemon again");
    Failure::new(Exit::Software, sentence)
}

fn no_means(error: &io::Error) -> Failure {
    let sentence = format!("the system gives no thread or descriptor: {error}");
    Failure::new(Exit::System, sentence)
}
