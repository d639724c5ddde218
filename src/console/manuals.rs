//! `man` and `completions`, generated from the definitions of the arguments.

use std::fs;
use std::io;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::arguments::{Cli, Program};
use super::exit::CliError;
use super::output::Printer;
use crate::daemon::arguments::Arguments as DaemonArguments;

/// The definition of a program's arguments, and its section of the manual.
fn definition(program: Program) -> (Command, &'static str) {
    match program {
        Program::Flagfallctl => (Cli::command().disable_help_subcommand(true), "1"),
        Program::Flagfalld => (DaemonArguments::command(), "8"),
    }
}

/// Prints the completion script of a program for a shell.
pub(super) fn completions(
    shell: Shell,
    program: Program,
    output: &Printer,
) -> Result<(), CliError> {
    let (mut command, _) = definition(program);
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    output.raw(&script)
}

/// Prints the manual page of a program.
pub(super) fn page(program: Program, output: &Printer) -> Result<(), CliError> {
    let (command, section) = definition(program);
    let page = render(command, section).map_err(|error| CliError::output(&error))?;
    output.raw(&page)
}

/// Writes all manual pages into a folder: of both programs, and of each command of the console.
pub(super) fn pages(folder: &Path) -> Result<(), CliError> {
    write_pages(folder).map_err(|error| {
        CliError::usage(format!(
            "the pages cannot be written into {}: {error}; name a folder that exists and may be \
             written to",
            folder.display()
        ))
    })
}

fn write_pages(folder: &Path) -> io::Result<()> {
    for program in [Program::Flagfallctl, Program::Flagfalld] {
        let (mut command, section) = definition(program);
        command.build();
        write_page(folder, command.get_name(), &command, section)?;
        for part in command.get_subcommands() {
            // `flagfallctl-status`: clap_mangen refers to the page by this name.
            let name = format!("{}-{}", command.get_name(), part.get_name());
            write_page(folder, &name, part, section)?;
        }
    }
    Ok(())
}

fn write_page(folder: &Path, name: &str, command: &Command, section: &str) -> io::Result<()> {
    let file = folder.join(format!("{name}.{section}"));
    fs::write(file, render(command.clone(), section)?)
}

fn render(command: Command, section: &str) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command)
        .section(section)
        .manual("flagfall")
        .source(concat!("flagfall ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_that_a_page_refers_to_is_written() {
        let folder = tempfile::tempdir().unwrap();
        pages(folder.path()).unwrap();
        let main = fs::read_to_string(folder.path().join("flagfallctl.1")).unwrap();
        let referred: Vec<_> = main
            .lines()
            .filter_map(|line| line.strip_suffix("(1)"))
            .map(|name| name.replace('\\', ""))
            .filter(|name| name.starts_with("flagfallctl-"))
            .collect();
        assert!(referred.len() > 15, "only {referred:?}");
        for name in referred {
            let page = fs::read_to_string(folder.path().join(format!("{name}.1"))).unwrap();
            assert!(page.contains(".SH SYNOPSIS"), "{name}");
        }
        let daemon = fs::read_to_string(folder.path().join("flagfalld.8")).unwrap();
        assert!(daemon.contains("pins\\-safe") && daemon.contains("Exit codes"), "{daemon}");
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let failure = pages(Path::new("/nowhere")).unwrap_err();
        assert!(failure.sentence.contains("into /nowhere"), "{}", failure.sentence);
    }
}
