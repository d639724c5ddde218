//! The lines of a file, one at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use serde::de::IgnoredAny;

use super::exchange::STREAM;
use super::exit::CliError;

/// The longest line that is read: hundreds of times a journal's. A file without line ends is
/// refused here instead of filling the memory.
const LONGEST: u64 = 1 << 20;

/// How much is read at a time.
const CHUNK: usize = 1 << 16;

/// A file that is read line by line.
pub(super) struct LineSource {
    name: String,
    source: BufReader<Box<dyn Read>>,
    /// The newest line, with its end where it has one.
    line: Vec<u8>,
    number: usize,
}

impl LineSource {
    /// Opens a file; `-` is standard input.
    pub(super) fn open(name: &str) -> Result<LineSource, CliError> {
        let (name, source): (_, Box<dyn Read>) = match name {
            STREAM => ("standard input", Box::new(io::stdin())),
            name => match File::open(name) {
                Ok(file) => (name, Box::new(file)),
                Err(error) => {
                    return Err(CliError::usage(format!("{name} cannot be opened: {error}")));
                }
            },
        };
        let source = BufReader::with_capacity(CHUNK, source);
        Ok(LineSource { name: name.to_owned(), source, line: Vec::new(), number: 0 })
    }

    /// The next line without its end.
    pub(super) fn next(&mut self) -> Result<Option<&str>, CliError> {
        self.number += 1;
        self.line.clear();
        let number = self.number;
        match (&mut self.source).take(LONGEST + 1).read_until(b'\n', &mut self.line) {
            Ok(0) => return Ok(None),
            Ok(length) if length as u64 > LONGEST => {
                return Err(CliError::usage(format!(
                    "line {number}: is longer than {LONGEST} bytes; each line holds one JSON object"
                )));
            }
            Ok(_) => {}
            Err(error) => {
                return Err(CliError::usage(format!("{} cannot be read: {error}", self.name)));
            }
        }
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        std::str::from_utf8(line).map(Some).map_err(|error| {
            let byte = error.valid_up_to() + 1;
            let sentence =
                format!("line {number}: byte {byte} is not UTF-8; save the file as UTF-8");
            CliError::usage(sentence)
        })
    }

    /// True where reading on may wait for whoever writes the lines.
    pub(super) fn may_wait(&self) -> bool {
        self.source.buffer().is_empty()
    }

    /// True if the newest line is the end of a file whose writer was stopped by a power cut: the
    /// line is cut off, or NUL bytes follow.
    pub(super) fn is_torn(&self) -> bool {
        let nul = self.line.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let written = self.line.get(..nul).unwrap_or_default();
        let cut_off =
            || serde_json::from_slice::<IgnoredAny>(written).is_err_and(|why| why.is_eof());
        !written.ends_with(b"\n") && !self.line.is_empty() && (nul < self.line.len() || cut_off())
    }
}
