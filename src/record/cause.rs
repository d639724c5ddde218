//! Causes: what came from outside, as journal lines name it.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use super::{Fields, Precision, export_fields, fields, left_us, state_fields};
use crate::control::{Control, Seat, Settings, Side, Switches};
use crate::engine::{Adjustment, Candidates, Change, Command, Saved, Snapshot};
use crate::time::Span;

/// The `kind` of an attempt by somebody without the right to it: the one line after which the game
/// is what it was before.
pub const DENIED: &str = "denied";

/// Something from outside that a game's journal records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A new game is set.
    NewGame {
        /// What it is set to.
        settings: Arc<Settings>,
    },
    /// A player's stroke.
    Press {
        /// Whose.
        side: Side,
    },
    /// Both buttons closed in the same poll.
    PressBoth {
        /// Whose stroke counted.
        side: Side,
    },
    /// An arbiter's operation.
    Command {
        /// Which.
        command: Command,
        /// Why; empty where nobody said. Only `pause` and `adjust` write it.
        reason: String,
    },
    /// The game goes on under another control.
    ChangeControl {
        /// Which.
        control: Arc<Control>,
        /// How.
        how: How,
    },
    /// The game is replaced by one that was taken from a clock.
    Import {
        /// Which.
        game: Arc<Imported>,
    },
    /// The clock has come back after a crash or a power cut, standing.
    Recovered {
        /// What had happened; empty where nobody said.
        why: String,
        /// What the arbiter can choose from, as it was then.
        candidates: Option<Candidates>,
    },
    /// Nothing happens; somebody asks for the state.
    Query,
    /// Somebody without the right tried; does nothing.
    Denied {
        /// What was tried.
        what: String,
    },
}

/// How a game goes on under another control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum How {
    /// Its clocks are kept.
    #[default]
    Kept,
    /// Its presses are replayed.
    Replayed,
}

impl How {
    /// Both.
    pub const ALL: [How; 2] = [How::Kept, How::Replayed];

    /// The word on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            How::Kept => "kept",
            How::Replayed => "replayed",
        }
    }

    /// The way of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<How> {
        How::ALL.into_iter().find(|how| how.name() == name)
    }
}

/// A game that is to go on at another clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Imported {
    /// The whole of it, as it was exported.
    Exported(Saved),
    /// What a journal's `state` shows of it, for the control that is set.
    Seen(Snapshot),
}

impl Cause {
    /// An operation without a reason.
    #[must_use]
    pub const fn command(command: Command) -> Self {
        Cause::Command { command, reason: String::new() }
    }

    /// The `kind` of the cause's line.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Cause::NewGame { .. } => "new_game",
            Cause::Press { .. } | Cause::PressBoth { .. } => "press",
            Cause::Command { command, .. } => command.name(),
            Cause::ChangeControl { .. } => "change_control",
            Cause::Import { .. } => "import",
            Cause::Recovered { .. } => "recovered",
            Cause::Query => "query",
            Cause::Denied { .. } => DENIED,
        }
    }

    /// The cause's own members, without `kind` and `at_us`; those that say nothing are left out.
    #[must_use]
    pub fn fields(&self) -> Fields {
        match self {
            Cause::NewGame { settings } => new_game_fields(settings),
            Cause::Press { side } => fields([("side", side.name().into())]),
            Cause::PressBoth { side } => {
                fields([("side", side.name().into()), ("both", true.into())])
            }
            Cause::Command { command, reason } => command_fields(command, reason),
            Cause::ChangeControl { control, how } => {
                fields([("control", control.to_string().into()), ("how", how.name().into())])
            }
            Cause::Import { game } => match &**game {
                Imported::Exported(saved) => fields([("exported", export_fields(saved).into())]),
                Imported::Seen(view) => {
                    fields([("state", state_fields(view, Precision::Nanos).into())])
                }
            },
            Cause::Recovered { why, candidates } => recovered_fields(why, candidates.as_ref()),
            Cause::Query => Fields::new(),
            Cause::Denied { what } => fields([("what", what.as_str().into())]),
        }
    }
}

fn new_game_fields(settings: &Settings) -> Fields {
    let mut all = fields([
        ("control", settings.control.to_string().into()),
        ("profile", settings.profile.name().into()),
    ]);
    let switches: Fields = own_switches(settings)
        .map(|(name, value)| (name.to_owned(), switch_value(&value)))
        .collect();
    if !switches.is_empty() {
        all.insert("switches".to_owned(), switches.into());
    }
    if settings.white_on != Seat::default() {
        all.insert("white_on".to_owned(), settings.white_on.name().into());
    }
    all
}

/// The switches that were set alone, with their values: those that differ from the profile's.
pub(super) fn own_switches(
    settings: &Settings,
) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
    let profile = settings.profile.switches();
    Switches::NAMES
        .into_iter()
        .filter_map(|name| Some((name, settings.switches.get(name)?)))
        .filter(move |(name, value)| profile.get(name).as_ref() != Some(value))
}

/// A switch's value as JSON: on and off are true and false.
fn switch_value(value: &str) -> Value {
    value.parse::<bool>().map_or_else(|_| Value::from(value), Value::from)
}

fn command_fields(command: &Command, reason: &str) -> Fields {
    let mut all = match command {
        Command::Start { side } | Command::Resume { side } => {
            side.map_or_else(Fields::new, |side| fields([("side", side.name().into())]))
        }
        Command::Pause => Fields::new(),
        Command::Adjust(changes) => Side::BOTH
            .into_iter()
            .filter(|side| changes[*side] != Adjustment::default())
            .map(|side| (side.name().to_owned(), adjustment_fields(&changes[side]).into()))
            .collect(),
        Command::UndoPress { count, refund } => {
            fields([("count", (*count).into()), ("refund", (*refund).into())])
        }
        Command::ConfirmStage { side }
        | Command::ResumeInstead { side }
        | Command::Arrived { side } => fields([("side", side.name().into())]),
        Command::InsertPress { count } => fields([("count", (*count).into())]),
        Command::Penalty { offender, offence, after_reply } => fields([
            ("offender", offender.name().into()),
            ("offence", offence.name().into()),
            ("after_reply", (*after_reply).into()),
        ]),
        Command::Quickplay { claimant } => fields([("claimant", claimant.name().into())]),
        Command::SwapSides => Fields::new(),
        Command::StartAt { unix_us } => fields([("unix_us", unix_us.unwrap_or(0).into())]),
        Command::Lock { locked } => fields([("locked", (*locked).into())]),
        Command::ChooseRecovery { candidate } => fields([("candidate", candidate.name().into())]),
        Command::End { result } => fields([("result", result.name().into())]),
    };
    let takes_reason = matches!(command, Command::Pause | Command::Adjust(_));
    if takes_reason && !reason.is_empty() {
        all.insert("reason".to_owned(), reason.into());
    }
    all
}

fn recovered_fields(why: &str, candidates: Option<&Candidates>) -> Fields {
    let mut all = Fields::new();
    if !why.is_empty() {
        all.insert("why".to_owned(), why.into());
    }
    if let Some(Candidates { last_record, last_press }) = candidates {
        for (name, left) in [("last_record", last_record), ("last_press", last_press)] {
            let us = |left: Option<Span>| {
                left.map_or(Value::Null, |left| left_us(left, Precision::Nanos))
            };
            let both = fields([("white_us", us(left.white)), ("black_us", us(left.black))]);
            all.insert(name.to_owned(), both.into());
        }
    }
    all
}

/// One side of an `adjust`. Times are exact, so that a replay does to the nanosecond what was done.
fn adjustment_fields(change: &Adjustment) -> Fields {
    let exact = |span| left_us(span, Precision::Nanos);
    let (main, add) = match change.main {
        Some(Change::To(span)) => (Some(exact(span)), None),
        Some(Change::By(span)) => (None, Some(exact(span))),
        None => (None, None),
    };
    [
        ("main_us", main),
        ("add_us", add),
        ("moves", change.moves.map(Value::from)),
        ("stage", change.stage.map(Value::from)),
        ("stage_time", change.stage_time.then(|| Value::from(true))),
        ("periods", change.periods.map(Value::from)),
        ("stones", change.stones.map(Value::from)),
        ("overtime_us", change.overtime.map(exact)),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name.to_owned(), value?)))
    .collect()
}
