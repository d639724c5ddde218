//! Results on stdout, messages on stderr, colours only where a person looks.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use serde_json::Value;

use super::exit::{Exit, Failure};
use crate::terminal::wants_colour;

/// Where results go and how.
pub(super) struct Output {
    json: bool,
    colour: bool,
}

/// How a part of a line stands out.
#[derive(Clone, Copy)]
pub(super) enum Ink {
    /// The side to move.
    Bold,
    /// A flag or a fault.
    Red,
}

impl Output {
    pub(super) fn new(json: bool) -> Self {
        Output { json, colour: io::stdout().is_terminal() && wants_colour() }
    }

    /// True if results are JSON.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// A result: as JSON, or as a person reads it.
    pub(super) fn result(
        &self,
        json: impl Into<Value>,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json { self.line(&json.into().to_string()) } else { self.line(&text()) }
    }

    /// Lines for stdout.
    pub(super) fn line(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| Failure::output(&error))
    }

    /// What is not for a person: a script, a page.
    pub(super) fn raw(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| Failure::output(&error))
    }

    /// A message for stderr.
    pub(super) fn message(&self, text: &str) {
        // where stderr is closed nobody wants messages
        let _ = writeln!(io::stderr().lock(), "flagfallctl: {text}");
    }

    /// Says why, and gives the exit code.
    pub(super) fn failure(&self, failure: &Failure) -> ExitCode {
        if failure.exit != Exit::Done {
            self.message(&failure.sentence);
        }
        failure.exit.into()
    }

    /// Text in an ink, where there are colours.
    pub(super) fn ink(&self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Bold => "1",
            Ink::Red => "1;31",
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
