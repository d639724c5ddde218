//! What an arbiter can ask of the engine, and the ways in which it says no.

use core::fmt;

use super::Phase;
use crate::control::{BySide, Side};
use crate::time::Span;

/// An arbiter's operation (`timing.md` 6). Who asked, when and why is the caller's to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Starts a game that is ready; `None`: the side that moves first runs.
    Start {
        /// Whose clock is to run.
        side: Option<Side>,
    },
    /// Stops the running side inside its turn.
    Pause,
    /// Lets a clock run on; `None`: that of the side to move. The other one: the turn is broken off.
    Resume {
        /// Whose clock is to run.
        side: Option<Side>,
    },
    /// Corrects one or both clocks in one indivisible step.
    Adjust(BySide<Adjustment>),
    /// Takes back the last presses.
    UndoPress {
        /// How many; at least 1.
        count: u32,
        /// Everything since the press did not happen for the clocks; else what the other side
        /// used stays used.
        refund: bool,
    },
    /// Gives the time of a stage that waits for the arbiter (`confirm`).
    ConfirmStage {
        /// Whose stage.
        side: Side,
    },
    /// Ends the game.
    End {
        /// How it ended.
        result: GameResult,
    },
}

impl Command {
    /// The name of the command in a journal line (`kind`).
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Command::Start { .. } => "start",
            Command::Pause => "pause",
            Command::Resume { .. } => "resume",
            Command::Adjust(_) => "adjust",
            Command::UndoPress { .. } => "undo_press",
            Command::ConfirmStage { .. } => "confirm_stage",
            Command::End { .. } => "end",
        }
    }
}

/// What one side's clock is corrected to; `None` leaves a part as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Adjustment {
    /// Main time, to a value or by a difference.
    pub main: Option<Change>,
    /// The press counter.
    pub moves: Option<u32>,
    /// The stage, counted from 1.
    pub stage: Option<u32>,
    /// With `stage`: base and grant of the stages left or entered are moved, too.
    pub stage_time: bool,
    /// Byo-yomi periods left (the current one included; with burn-on-entry those not begun).
    pub periods: Option<u32>,
    /// Canadian stones left in the block.
    pub stones: Option<u32>,
    /// Time left in the running period or block.
    pub overtime: Option<Span>,
}

/// A new value, or a difference to the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// To this value (`=`).
    To(Span),
    /// By this much (`+` or `-`).
    By(Span),
}

impl Adjustment {
    /// True if nothing is to change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Adjustment::default()
            || *self == Adjustment { stage_time: true, ..Adjustment::default() }
    }
}

/// How a game ended, as the arbiter says it. The daemon never decides a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `0-0`
    BothLose,
    /// `1/2-0`
    HalfToWhite,
    /// `0-1/2`
    HalfToBlack,
    /// `*`
    Unfinished,
}

impl GameResult {
    /// Every result.
    pub const ALL: [GameResult; 7] = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::BothLose,
        GameResult::HalfToWhite,
        GameResult::HalfToBlack,
        GameResult::Unfinished,
    ];

    /// As it is written: `1-0`, `0-1`, `1/2-1/2`, `0-0`, `1/2-0`, `0-1/2` or `*`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::BothLose => "0-0",
            GameResult::HalfToWhite => "1/2-0",
            GameResult::HalfToBlack => "0-1/2",
            GameResult::Unfinished => "*",
        }
    }

    /// The result that is written so.
    #[must_use]
    pub fn from_name(name: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.name() == name)
    }
}

/// Why the engine did not do what was asked. Nothing has changed then.
///
/// `Display` is the sentence for the arbiter: what was asked, what stands in the way, what works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The phase does not allow it.
    WrongPhase {
        /// What was asked.
        asked: &'static str,
        /// The phase it was asked in.
        phase: Phase,
        /// What would work.
        remedy: &'static str,
    },
    /// There is nothing to undo or to confirm.
    Nothing {
        /// What was asked.
        asked: &'static str,
        /// What stands in the way.
        why: &'static str,
    },
    /// More presses are to be undone than are remembered.
    TooManyPresses {
        /// How many were asked for.
        asked: u32,
        /// How many can be undone.
        possible: u32,
    },
    /// A side would be left with less than nothing.
    BelowZero {
        /// Whose clock.
        side: Side,
    },
    /// A side without time cannot run while falls freeze the clock.
    NoTime {
        /// Whose clock.
        side: Side,
    },
    /// A number or field does not fit the control.
    Argument {
        /// Which side it was given for.
        side: Side,
        /// What does not fit, and what would.
        why: &'static str,
    },
    /// The command names nothing that is to change.
    Empty {
        /// What was asked.
        asked: &'static str,
    },
}

/// The families of refusals; each is one D-Bus error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// Not in this phase.
    WrongPhase,
    /// Nothing to undo or confirm.
    Nothing,
    /// An argument that cannot be.
    InvalidArgument,
}

impl Refusal {
    /// The family of this refusal.
    #[must_use]
    pub const fn kind(&self) -> RefusalKind {
        match self {
            Refusal::WrongPhase { .. } | Refusal::NoTime { .. } => RefusalKind::WrongPhase,
            Refusal::Nothing { .. } | Refusal::TooManyPresses { .. } => RefusalKind::Nothing,
            Refusal::BelowZero { .. } | Refusal::Argument { .. } | Refusal::Empty { .. } => {
                RefusalKind::InvalidArgument
            }
        }
    }
}

impl RefusalKind {
    /// The name: the last part of the D-Bus error, and `error` in a journal line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RefusalKind::WrongPhase => "WrongPhase",
            RefusalKind::Nothing => "Nothing",
            RefusalKind::InvalidArgument => "InvalidArgument",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::WrongPhase { asked, phase, remedy } => {
                write!(f, "{asked} is not possible while the game is {}: {remedy}", phase.name())
            }
            Refusal::Nothing { asked, why } => write!(f, "{asked} has nothing to do: {why}"),
            Refusal::TooManyPresses { asked, possible } => write!(
                f,
                "{asked} presses cannot be undone: {possible} can be, ask for at most as many"
            ),
            Refusal::BelowZero { side } => write!(
                f,
                "{side} would be left with less than no time: give a time of zero or more, \
                 or take away less"
            ),
            Refusal::NoTime { side } => write!(
                f,
                "{side} has no time left and falls freeze the clock: \
                 give {side} time first, or resume the other side"
            ),
            Refusal::Argument { side, why } => write!(f, "{side}: {why}"),
            Refusal::Empty { asked } => {
                write!(f, "{asked} names nothing that is to change: name at least one value")
            }
        }
    }
}

impl core::error::Error for Refusal {}
