//! `replay`: lines from a file through the engine. No bus, no daemon, no hardware.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use serde_json::Value;

use super::arguments;
use super::clocks::{self, Digits};
use super::exit::Failure;
use super::output::Output;
use crate::control::presets::{self, Presets};
use crate::record::{Fields, Instead, Precision, Replay, Step};

/// The longest line that is read: hundreds of times a journal's. A file without line ends is
/// refused here instead of filling the memory.
const LONGEST_LINE: u64 = 1 << 20;

/// Replays a file and prints a line for each cause, as it goes.
pub(super) fn run(what: &arguments::Replay, output: &Output) -> Result<(), Failure> {
    let control = what
        .control
        .as_deref()
        .map(|text| presets::resolve(&Presets::shipped(), text))
        .transpose()
        .map_err(|error| Failure::usage(format!("--control: {error}")))?;
    let mut replay = Replay::new(Instead { control, profile: what.profile });
    let mut lines = Lines::open(&what.file)?;
    while let Some(line) = lines.next()? {
        let step = replay.line(line).map_err(|error| Failure::usage(error.to_string()))?;
        if let Some(step) = step {
            print(&step, what.ns, output)?;
        }
    }
    Ok(())
}

/// Prints a step.
pub(super) fn print(step: &Step, ns: bool, output: &Output) -> Result<(), Failure> {
    if output.is_json() {
        let precision = if ns { Precision::Nanos } else { Precision::Micros };
        output.line(&Value::from(step.fields(precision)).to_string())
    } else {
        output.line(&text(step, if ns { Digits::Nanos } else { Digits::Millis }))
    }
}

/// Time, cause, effects and both clocks.
fn text(step: &Step, digits: Digits) -> String {
    let exact = step.fields(Precision::Nanos);
    let cause = format!("{} {}", step.cause.kind(), clocks::words(&step.cause.fields(), digits));
    let mut effects: Vec<_> = exact
        .get("effects")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .filter(|effect| effect.get("kind").is_none_or(|kind| kind != "refused"))
        .map(|effect| effect_text(effect, &exact, digits))
        .collect();
    effects.extend(step.refused.map(|refusal| format!("refused: {refusal}")));
    let state = exact.get("state").and_then(Value::as_object);
    let both = state.map(|state| clocks::one_line(state, digits)).unwrap_or_default();
    let width = 9 + digits as usize;
    let what = format!("{:<22}  {}", cause.trim_end(), effects.join(", "));
    let line = format!("{:>width$}  {what:<48}  {both}", clocks::point(step.at, digits));
    line.trim_end().to_owned()
}

/// An effect, with its own time where that is not the cause's.
fn effect_text(effect: &Fields, step: &Fields, digits: Digits) -> String {
    let kind = effect.get("kind").and_then(Value::as_str).unwrap_or_default();
    let words = format!("{kind} {}", clocks::words(effect, digits));
    match clocks::span(effect, "at_us") {
        Some(at) if effect.get("at_us") != step.get("at_us") => {
            format!("{words} at {}", clocks::point(at, digits))
        }
        _ => words,
    }
}

/// The lines of a file, one at a time.
pub(super) struct Lines {
    name: String,
    source: Box<dyn BufRead>,
    buffer: Vec<u8>,
    number: usize,
}

impl Lines {
    /// Opens a file; `-` is standard input.
    pub(super) fn open(name: &str) -> Result<Lines, Failure> {
        let (name, source): (_, Box<dyn BufRead>) = match name {
            "-" => ("standard input", Box::new(io::stdin().lock())),
            name => match File::open(name) {
                Ok(file) => (name, Box::new(BufReader::new(file))),
                Err(error) => {
                    return Err(Failure::usage(format!("{name} cannot be opened: {error}")));
                }
            },
        };
        Ok(Lines { name: name.to_owned(), source, buffer: Vec::new(), number: 0 })
    }

    /// The next line without its end.
    pub(super) fn next(&mut self) -> Result<Option<&str>, Failure> {
        self.number += 1;
        self.buffer.clear();
        let read = (&mut self.source).take(LONGEST_LINE + 1).read_until(b'\n', &mut self.buffer);
        match read {
            Ok(0) => return Ok(None),
            Ok(length) if length as u64 > LONGEST_LINE => {
                return Err(Failure::usage(format!(
                    "line {}: is longer than {LONGEST_LINE} bytes; each line holds one JSON object",
                    self.number
                )));
            }
            Ok(_) => {}
            Err(error) => {
                return Err(Failure::usage(format!("{} cannot be read: {error}", self.name)));
            }
        }
        let line = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        std::str::from_utf8(line).map(Some).map_err(|error| {
            Failure::usage(format!(
                "line {}: byte {} is not UTF-8; save the file as UTF-8",
                self.number,
                error.valid_up_to() + 1
            ))
        })
    }
}
