//! Results on stdout, messages on stderr, colours only on a terminal.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use serde_json::Value;

use super::exit::{CliError, CliExit};
use crate::terminal::wants_colour;

/// Prints results as text or JSON.
pub(super) struct Printer {
    json: bool,
    colour: bool,
}

/// How a part of a line is highlighted.
#[derive(Clone, Copy)]
pub(super) enum Ink {
    /// The side to move.
    Bold,
    /// A flag or a fault.
    Red,
}

impl Printer {
    pub(super) fn new(json: bool) -> Self {
        Printer { json, colour: io::stdout().is_terminal() && wants_colour() }
    }

    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints a result as JSON or as text.
    pub(super) fn result(
        &self,
        json: impl Into<Value>,
        text: impl FnOnce() -> String,
    ) -> Result<(), CliError> {
        if self.json { self.line(&json.into().to_string()) } else { self.line(&text()) }
    }

    /// Prints lines of text.
    pub(super) fn line(&self, text: &str) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| CliError::output(&error))
    }

    /// Prints bytes as they are.
    pub(super) fn raw(&self, bytes: &[u8]) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| CliError::output(&error))
    }

    /// Prints a message on stderr.
    pub(super) fn message(&self, text: &str) {
        // Without stderr there is no place for messages.
        let _ = writeln!(io::stderr().lock(), "flagfallctl: {text}");
    }

    /// Prints the reason and gives the exit code.
    pub(super) fn failure(&self, failure: &CliError) -> ExitCode {
        if failure.exit != CliExit::Done {
            self.message(&failure.sentence);
        }
        failure.exit.into()
    }

    /// Highlighted text, where colours are wanted.
    pub(super) fn ink(&self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Bold => "1",
            Ink::Red => "1;31",
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
