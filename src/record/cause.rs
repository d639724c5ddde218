//! Causes: what came from outside, as journal lines name it.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use super::{Fields, Precision, fields, left_us};
use crate::control::{Seat, Settings, Side, Switches};
use crate::engine::{Adjustment, Change, Command};

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
    /// An arbiter's operation.
    Command {
        /// Which.
        command: Command,
        /// Why; empty where nobody said. Only `pause` and `adjust` write it.
        reason: String,
    },
    /// Nothing happens; somebody asks for the state.
    Query,
    /// Somebody without the right tried; does nothing.
    Denied {
        /// What was tried.
        what: String,
    },
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
            Cause::Press { .. } => "press",
            Cause::Command { command, .. } => command.name(),
            Cause::Query => "query",
            Cause::Denied { .. } => "denied",
        }
    }

    /// The cause's own members, without `kind` and `at_us`; those that say nothing are left out.
    #[must_use]
    pub fn fields(&self) -> Fields {
        match self {
            Cause::NewGame { settings } => new_game_fields(settings),
            Cause::Press { side } => fields([("side", side.name().into())]),
            Cause::Command { command, reason } => command_fields(command, reason),
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
        Command::ConfirmStage { side } => fields([("side", side.name().into())]),
        Command::End { result } => fields([("result", result.name().into())]),
    };
    let takes_reason = matches!(command, Command::Pause | Command::Adjust(_));
    if takes_reason && !reason.is_empty() {
        all.insert("reason".to_owned(), reason.into());
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
