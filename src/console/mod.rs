//! flagfallctl: the arbiter's console.
//!
//! It keeps no time and decides nothing: it sends orders to the daemon over the bus and prints the
//! answers. `replay`, `report` of a file, `describe`, `man` and `completions` need no daemon.

mod appointment;
mod arguments;
mod bus;
mod clocks;
mod controls;
mod doctor;
mod exchange;
mod exit;
mod feed;
mod files;
mod joined;
mod journal;
mod lines;
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

use arguments::{Cli, Command, OrderOptions, PresetsCommand};
use bus::Daemon;
use exit::{CliError, CliExit};
use output::Printer;

/// Runs the console on the program's arguments.
///
/// Exit codes: 0 done, 1 refused by the daemon, 2 bad usage, 3 no daemon, 4 not permitted,
/// 74 the output could not be written.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match joined::parse(std::env::args_os().collect()) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let output = Printer::new(cli.json);
    let is_order = matches!(cli.command, Command::Order(_) | Command::Adjust(_));
    if cli.options != OrderOptions::default() && !is_order {
        let sentence = "--dry-run, --reason and --on-behalf-of belong to an order: leave them out";
        return output.failure(&CliError::usage(sentence));
    }
    match run(&cli, &output) {
        Ok(()) => CliExit::Done.into(),
        Err(failure) => output.failure(&failure),
    }
}

/// Help and the version go to stdout and are no error.
fn usage(error: &clap::Error) -> ExitCode {
    // There is no way to report that the message cannot be written.
    let _ = error.print();
    if error.use_stderr() { CliExit::Usage.into() } else { CliExit::Done.into() }
}

fn run(cli: &Cli, output: &Printer) -> Result<(), CliError> {
    match &cli.command {
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
            .map_err(|error| CliError::no_daemon(format!("the bus cannot be reached: {error}")))?
            .block_on(on_the_bus(cli, output)),
    }
}

async fn on_the_bus(cli: &Cli, output: &Printer) -> Result<(), CliError> {
    match &cli.command {
        // It must also work without a daemon.
        Command::Doctor => doctor::run(&cli.bus, output).await,
        _ => with_daemon(cli, output).await,
    }
}

async fn with_daemon(cli: &Cli, output: &Printer) -> Result<(), CliError> {
    let daemon = Daemon::connect(&cli.bus).await?;
    if let Some(warning) = daemon.version_skew() {
        output.message(&warning);
    }
    match &cli.command {
        Command::Status => status::run(&daemon, output).await,
        Command::Watch { plain } => watch::run(daemon, &cli.bus, *plain, output).await,
        Command::Order(_) | Command::Adjust(_) => orders::run(&daemon, cli, output).await,
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
        // Done already, without a daemon.
        Command::Describe { .. }
        | Command::Replay(_)
        | Command::Doctor
        | Command::Completions { .. }
        | Command::Man { .. } => Ok(()),
    }
}
