//! The ways in which the engine says no.

use core::fmt;

use super::{Phase, RefusalKind};
use crate::control::Side;

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
    /// The command as a whole does not fit the game.
    Unfit {
        /// What was asked.
        asked: &'static str,
        /// What does not fit, and what would.
        why: &'static str,
    },
    /// The command names nothing that is to change.
    Empty {
        /// What was asked.
        asked: &'static str,
    },
}

impl Refusal {
    /// The family of this refusal.
    #[must_use]
    pub const fn kind(&self) -> RefusalKind {
        match self {
            Refusal::WrongPhase { .. } | Refusal::NoTime { .. } => RefusalKind::WrongPhase,
            Refusal::Nothing { .. } | Refusal::TooManyPresses { .. } => RefusalKind::Nothing,
            Refusal::BelowZero { .. }
            | Refusal::Argument { .. }
            | Refusal::Unfit { .. }
            | Refusal::Empty { .. } => RefusalKind::InvalidArgument,
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
            Refusal::Unfit { asked, why } => write!(f, "{asked} does not fit: {why}"),
            Refusal::Empty { asked } => {
                write!(f, "{asked} names nothing that is to change: name at least one value")
            }
        }
    }
}

impl core::error::Error for Refusal {}
