//! `replay`: a journal or scenario through the engine; needs no daemon.

use serde_json::Value;

use super::arguments::ReplayArgs;
use super::clocks::{self, Digits};
use super::exit::CliError;
use super::lines::LineSource;
use super::orders;
use super::output::Printer;
use crate::control::presets::{self, Presets};
use crate::engine::{NamedControl, Precision};
use crate::record::{Fields, Override, Replay, Step, members_of};

/// Output is collected up to this size.
const CHUNK: usize = 1 << 16;

/// Replays a file and prints a line for each cause.
pub(super) fn run(what: &ReplayArgs, output: &Printer) -> Result<(), CliError> {
    let control = what
        .control
        .as_deref()
        .map(|text| presets::resolve(&Presets::shipped(), text))
        .transpose()
        .map_err(|error| CliError::usage(format!("--control: {error}")))?
        .map(|(control, profile)| NamedControl { control, profile });
    let mut replay = Replay::new(Override { control, profile: what.profile });
    let mut lines = LineSource::open(&what.file)?;
    let mut steps = StepWriter::new(what.ns, output);
    let replayed = replay_all(&mut replay, &mut lines, &mut steps);
    steps.flush()?;
    replayed
}

fn replay_all(
    replay: &mut Replay,
    lines: &mut LineSource,
    steps: &mut StepWriter<'_>,
) -> Result<(), CliError> {
    loop {
        // Somebody may be typing the lines and wait for each step.
        if lines.may_wait() {
            steps.flush()?;
        }
        let Some(line) = lines.next()? else { return Ok(()) };
        let step = replay.line(line).map_err(|error| CliError::usage(error.to_string()))?;
        step.map_or(Ok(()), |step| steps.write(&step))?;
    }
}

/// Prints steps, buffered.
pub(super) struct StepWriter<'a> {
    output: &'a Printer,
    ns: bool,
    buffer: Vec<u8>,
}

impl<'a> StepWriter<'a> {
    pub(super) fn new(ns: bool, output: &'a Printer) -> Self {
        StepWriter { output, ns, buffer: Vec::new() }
    }

    pub(super) fn write(&mut self, step: &Step) -> Result<(), CliError> {
        if self.output.is_json() {
            let precision = if self.ns { Precision::Nanos } else { Precision::Micros };
            // Writing to memory cannot fail.
            let _ = serde_json::to_writer(&mut self.buffer, &step.members(precision));
        } else {
            let digits = if self.ns { Digits::Nanos } else { Digits::Millis };
            self.buffer.extend(text(step, digits).as_bytes());
        }
        self.buffer.push(b'\n');
        if self.buffer.len() < CHUNK { Ok(()) } else { self.flush() }
    }

    pub(super) fn flush(&mut self) -> Result<(), CliError> {
        let written = self.output.raw(&self.buffer);
        self.buffer.clear();
        written
    }
}

/// A step as a line: time, cause, effects and both clocks.
fn text(step: &Step, digits: Digits) -> String {
    let exact = members_of(&step.members(Precision::Nanos));
    let mut own = members_of(&step.operation);
    own.extend(members_of(&step.annotations));
    let cause = format!("{} {}", step.operation.name(), clocks::words(&own, digits));
    let mut effects: Vec<_> = orders::effects(&exact)
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
    match clocks::span(effect, "at") {
        Some(at) if effect.get("at_ns") != step.get("at_ns") => {
            format!("{words} at {}", clocks::point(at, digits))
        }
        _ => words,
    }
}
