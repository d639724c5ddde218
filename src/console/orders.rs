//! The arbiter's orders: each is one operation, sent through `Apply` or `Preview`.

use jiff::ZonedDateTime;
use serde_json::{Value, json};

use super::appointment::{self, Appointment};
use super::arguments::{Cli, Command, OrderCommand};
use super::bus::{Daemon, ReplyDict};
use super::clocks;
use super::exit::CliError;
use super::output::Printer;
use super::values;
use crate::bus::variant::{self, Counters, to_dict};
use crate::control::{Side, SwitchChanges};
use crate::engine::operation::{
    Adjust, Arrived, ChooseRecovery, ConfirmStage, End, InsertPress, Lock, NewGame, Pause, Penalty,
    Press, Quickplay, Resume, ResumeInstead, Start, StartAt, SwapSides, UndoPress,
};
use crate::engine::{Offence, Operation, ReplacePolicy};
use crate::record::{Fields, members_of};

/// `if_seq` without a condition.
const ANY_SEQUENCE: u64 = 0;

/// `unix_us` that cancels a scheduled start.
const CANCELLED: i64 = 0;

/// An operation as it is sent to the daemon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Call {
    name: &'static str,
    members: Fields,
    /// What it does, for the arbiter.
    pub(super) words: String,
}

impl Call {
    fn of(operation: impl Into<Operation>) -> Call {
        let operation = operation.into();
        let mut members = members_of(&operation);
        members.shift_remove("kind");
        Call { name: operation.name(), members, words: String::new() }
    }

    /// A control is sent as it was typed: only the daemon knows the presets that are saved there.
    fn with_control(self, words: &[String]) -> Call {
        self.with("control", words.join(" "))
    }

    /// Adds a member.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Call {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// The control that it sets.
    pub(super) fn control(&self) -> Option<&str> {
        self.members.get("control")?.as_str()
    }

    /// Carries the operation out. `if_seq`: only if that is still the newest line's number.
    pub(super) async fn apply(self, daemon: &Daemon, if_seq: u64) -> Result<Fields, CliError> {
        let call = self.with("if_seq", if_seq);
        answered(daemon.arbiter.apply(call.name, call.args()?).await)
    }

    /// The state that the operation would lead to, with `before` and `effects`.
    pub(super) async fn preview(&self, daemon: &Daemon) -> Result<Fields, CliError> {
        let answer = daemon.clock.preview(self.name, self.args()?).await;
        let (state, effects) = answer?;
        let mut state = values::fields(&state);
        let effects = effects.iter().map(|effect| Value::from(values::fields(effect)));
        state.insert("effects".to_owned(), effects.collect());
        Ok(state)
    }

    fn args(&self) -> Result<variant::Dict, CliError> {
        to_dict(&self.members, Counters::Shown).map_err(|error| CliError::usage(error.to_string()))
    }
}

/// Carries out an order and prints what it did; with `--dry-run`, what it would do.
pub(super) async fn run(daemon: &Daemon, cli: &Cli, output: &Printer) -> Result<(), CliError> {
    let call = call(daemon, cli).await?;
    let words = call.words.clone();
    if cli.options.dry_run {
        let mut state = call.preview(daemon).await?;
        state.insert("dry_run".to_owned(), true.into());
        return print(&format!("dry run, nothing was done: {words}"), &state, output);
    }
    let state = call.apply(daemon, ANY_SEQUENCE).await?;
    print(&words, &state, output)?;
    match effects(&state).find(|effect| text_of(effect, "kind") == "ignored") {
        Some(ignored) => {
            let reason = text_of(ignored, "reason");
            Err(CliError::refused(format!("the press was ignored: {reason}")))
        }
        None => Ok(()),
    }
}

/// The operation that an order asks for, with its reason and on whose behalf.
pub(super) async fn call(daemon: &Daemon, cli: &Cli) -> Result<Call, CliError> {
    let mut call = match &cli.command {
        Command::Order(OrderCommand::Resume { side: None, instead: true }) => {
            let now = daemon.snapshot().await?;
            let to_move = Side::from_name(text_of(&now, "to_move")).unwrap_or(Side::Black);
            Call::of(ResumeInstead { side: !to_move })
        }
        Command::Order(order) => order.call()?,
        _ => Call::of(Adjust::from(cli.adjustment)),
    };
    for (name, text) in
        [("reason", &cli.options.reason), ("on_behalf_of", &cli.options.on_behalf_of)]
    {
        let Some(text) = text else { continue };
        if call.members.contains_key(name) {
            return Err(CliError::usage("the reason is given twice; give it once"));
        }
        call = call.with(name, text.as_str());
    }
    if call.words.is_empty() {
        call.words = clocks::named(call.name, &call.members);
    }
    Ok(call)
}

impl OrderCommand {
    fn call(&self) -> Result<Call, CliError> {
        Ok(match self {
            Self::New { control, profile, switches, white_on, abandon } => {
                let mut changes = SwitchChanges::default();
                for (name, value) in switches {
                    let set = changes.set(name, value);
                    set.map_err(|error| CliError::usage(format!("--set: {error}")))?;
                }
                let (profile, white_on, abandon) = (*profile, *white_on, *abandon);
                let new_game =
                    NewGame { control: None, profile, switches: changes, white_on, abandon };
                Call::of(new_game).with_control(control)
            }
            Self::Change { control, replayed } => {
                let how = if *replayed { ReplacePolicy::Replayed } else { ReplacePolicy::Kept };
                let call = Call { name: "change_control", ..Call::default() };
                call.with_control(control).with("how", how.name())
            }
            Self::Pause { why } if why.is_empty() => Call::of(Pause {}),
            Self::Pause { why } => Call::of(Pause {}).with("reason", why.join(" ")),
            Self::StartAt { time } => {
                let (unix_us, words) = scheduled(*time)?;
                Call { words, ..Call::of(StartAt { unix_us }) }
            }
            Self::Penalty { side, offence, after_reply } => {
                check_reply(*offence, *after_reply)?;
                Call::of(Penalty { offender: *side, offence: *offence, after_reply: *after_reply })
            }
            Self::Resume { side: Some(side), instead: true } => {
                Call::of(ResumeInstead { side: *side })
            }
            Self::Resume { side, .. } => Call::of(Resume { side: *side }),
            Self::Start { side } => Call::of(Start { side: *side }),
            Self::Undo { count, no_refund } => {
                Call::of(UndoPress { count: *count, refund: !no_refund })
            }
            Self::InsertPress { count } => Call::of(InsertPress { count: *count }),
            Self::Swap => Call::of(SwapSides {}),
            Self::Arrived { side } => Call::of(Arrived { side: *side }),
            Self::Quickplay { side } => Call::of(Quickplay { claimant: *side }),
            Self::End { result } => Call::of(End { result: *result }),
            Self::Confirm { side } => Call::of(ConfirmStage { side: *side }),
            Self::Recover { candidate } => Call::of(ChooseRecovery { candidate: *candidate }),
            Self::Press { side } => Call::of(Press { side: *side, both: false }),
            Self::Lock => Call::of(Lock { locked: true }),
            Self::Unlock => Call::of(Lock { locked: false }),
        })
    }
}

/// A reply can be taken back only together with the illegal move that it answered.
fn check_reply(offence: Offence, after_reply: bool) -> Result<(), CliError> {
    if after_reply && offence != Offence::IllegalMove {
        return Err(CliError::usage(format!(
            "--after-reply takes back the reply to an illegal move; a {} has none: leave it out",
            offence.name()
        )));
    }
    Ok(())
}

/// When a scheduled start is, for the bus and in words.
fn scheduled(time: Appointment) -> Result<(i64, String), CliError> {
    let Appointment::At(time) = time else {
        return Ok((CANCELLED, "no start is scheduled".to_owned()));
    };
    let at = appointment::next(time, &ZonedDateTime::now()).ok_or_else(|| {
        CliError::usage(format!("{time} does not exist on that day (daylight saving time)"))
    })?;
    let words = format!("starts at {}", at.strftime("%Y-%m-%d %H:%M:%S %:z"));
    Ok((at.timestamp().as_microsecond(), words))
}

/// Prints what the clocks would show under another control.
pub(super) async fn what_if(
    daemon: &Daemon,
    control: &str,
    output: &Printer,
) -> Result<(), CliError> {
    let state = answered(daemon.clock.what_if(control).await)?;
    output.result(state.clone(), || shown(&state, output))
}

/// What the arbiter looks for during a self-test.
pub(super) const SELF_TEST: &str =
    "look and listen: all segments, both lamps and the buzzer are on for three seconds";

/// Starts the self-test.
pub(super) async fn self_test(daemon: &Daemon, output: &Printer) -> Result<(), CliError> {
    daemon.arbiter.self_test().await?;
    output.result(json!({"selftest": "started"}), || SELF_TEST.to_owned())
}

/// The number of the newest line in a state: an operation with this `if_seq` is refused once
/// another line has been written.
pub(super) fn sequence(state: &Fields) -> u64 {
    state.get("seq").and_then(Value::as_u64).unwrap_or(ANY_SEQUENCE)
}

/// The state in an answer.
pub(super) fn answered(answer: zbus::Result<ReplyDict>) -> Result<Fields, CliError> {
    Ok(values::fields(&answer?))
}

/// Prints what an operation did, with both clocks before and after where they changed.
pub(super) fn print(what: &str, state: &Fields, output: &Printer) -> Result<(), CliError> {
    output.result(state.clone(), || {
        let after = shown(state, output);
        let before = state.get("before").and_then(Value::as_object);
        let clocks = match before.map(|before| shown(before, output)) {
            Some(before) if before != after => format!("before\n{before}\nafter\n{after}"),
            _ => after,
        };
        let lines = [what.to_owned(), clocks].into_iter().chain(effects(state).map(effect));
        lines.collect::<Vec<_>>().join("\n")
    })
}

/// The effects in an answer.
pub(super) fn effects(state: &Fields) -> impl Iterator<Item = &Fields> {
    let effects = state.get("effects").and_then(Value::as_array);
    effects.into_iter().flatten().filter_map(Value::as_object)
}

/// An effect in words: `flag white fall first`.
pub(super) fn effect(effect: &Fields) -> String {
    clocks::named(text_of(effect, "kind"), effect)
}

fn text_of<'a>(fields: &'a Fields, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn shown(state: &Fields, output: &Printer) -> String {
    format!("{}\n{}", clocks::two_lines(state, output), clocks::phase(state))
}
