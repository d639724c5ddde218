//! flagfallctl: the arbiter's console.
//!
//! It keeps no time and decides nothing: orders go to the daemon over the bus, and what comes back
//! is printed. `replay`, `report` of a file, `describe`, `man` and `completions` need no daemon.

mod appointment;
mod arguments;
mod bus;
mod clocks;
mod controls;
mod doctor;
mod exchange;
mod exit;
mod feed;
mod joined;
mod journal;
mod manuals;
mod orders;
mod output;
mod readers;
mod replay;
mod report;
mod status;
mod values;
mod verify;
mod watch;

use std::process::ExitCode;

use arguments::{Arguments, Command, PresetsCommand};
use bus::Daemon;
use exit::{Exit, Failure};
use output::Output;

/// Runs the console on the program's arguments.
///
/// Exit codes: 0 done, 1 refused by the daemon, 2 bad usage, 3 no daemon, 4 not permitted,
/// 74 the output could not be written.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = match joined::parse(std::env::args_os().collect()) {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let output = Output::new(arguments.json);
    match run(&arguments, &output) {
        Ok(()) => Exit::Done.into(),
        Err(failure) => output.failure(&failure),
    }
}

/// Help and the version are asked for and go to stdout; anything else is bad usage.
fn usage(error: &clap::Error) -> ExitCode {
    // where even this cannot be written there is nobody left to tell
    let _ = error.print();
    if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() }
}

fn run(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    match &arguments.command {
        Command::Replay(what) if what.verify => verify::run(&what.file, what.ns, output),
        Command::Replay(what) => replay::run(what, output),
        Command::Report(what) if what.game.as_deref().is_some_and(report::is_file) => {
            report::of_file(what.game.as_deref().unwrap_or_default(), what, output)
        }
        Command::Describe { control } => controls::describe(&control.join(" "), output),
        Command::Completions { shell, program } => manuals::completions(*shell, *program, output),
        Command::Man { into: Some(folder), .. } => manuals::pages(folder),
        Command::Man { program, into: None } => manuals::page(*program, output),
        _ => tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::no_daemon(format!("the bus cannot be reached: {error}")))?
            .block_on(on_the_bus(arguments, output)),
    }
}

async fn on_the_bus(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    match &arguments.command {
        // there may be no daemon, and that is a finding
        Command::Doctor => doctor::run(&arguments.bus, output).await,
        _ => with_daemon(arguments, output).await,
    }
}

async fn with_daemon(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let daemon = Daemon::connect(&arguments.bus).await?;
    if let Some(warning) = daemon.version_skew() {
        output.message(&warning);
    }
    match &arguments.command {
        Command::Status => status::run(&daemon, output).await,
        Command::Watch { plain } => watch::run(daemon, &arguments.bus, *plain, output).await,
        Command::Order(order) => orders::run(&daemon, order, output).await,
        Command::Adjust(_) => orders::adjust(&daemon, arguments.adjustment, output).await,
        Command::Journal { game, follow } => {
            journal::run(&daemon, game.as_deref().unwrap_or_default(), *follow, output).await
        }
        Command::Report(what) => report::of_daemon(&daemon, what, output).await,
        Command::Games => journal::games(&daemon, output).await,
        Command::Presets { command: None } => controls::list(&daemon, output).await,
        Command::Presets { command: Some(command) } => match command {
            PresetsCommand::Show { id } => controls::show(&daemon, id, output).await,
            PresetsCommand::Save { id, name, control } => {
                controls::save(&daemon, id, name, &control.join(" "), output).await
            }
            PresetsCommand::Delete { id } => controls::delete(&daemon, id, output).await,
        },
        Command::WhatIf { control } => orders::what_if(&daemon, &control.join(" "), output).await,
        Command::Export { file } => exchange::export(&daemon, file, output).await,
        Command::Import { file } => exchange::import(&daemon, file, output).await,
        Command::Selftest => orders::self_test(&daemon, output).await,
        // these were served without a daemon
        Command::Describe { .. }
        | Command::Replay(_)
        | Command::Doctor
        | Command::Completions { .. }
        | Command::Man { .. } => Ok(()),
    }
}
