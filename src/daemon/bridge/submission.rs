//! What the running clock is asked to do, by whom, and what comes of it.

use std::sync::Arc;

use crate::engine::{Operation, Refusal, Snapshot};
use crate::record::{Annotations, Content};
use crate::time::Span;

/// An operation with who asks for it, why, and on what condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// What is to be done.
    pub operation: Operation,
    /// Who asks for it.
    pub origin: Origin,
    /// What is to be recorded with it.
    pub annotations: Annotations,
    /// What must hold for it to be done at all.
    pub condition: Condition,
}

impl Submission {
    /// An operation without a reason or a condition.
    #[must_use]
    pub fn new(operation: impl Into<Operation>, origin: Origin) -> Self {
        Submission {
            operation: operation.into(),
            origin,
            annotations: Annotations::default(),
            condition: Condition::default(),
        }
    }
}

/// Refuses an operation that was meant for another moment.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Condition {
    /// The newest line that the caller knows; 0: whatever happened since.
    pub if_seq: u64,
    /// The game that the caller means; `None`: the one on the clock.
    pub if_game: Option<String>,
}

/// Who caused something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The box's buttons.
    Board,
    /// A caller on the bus, by user name.
    Bus(String),
    /// The daemon itself as it starts.
    Recovery,
    /// The daemon itself at a scheduled time.
    Timer,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Board => f.write_str("board"),
            Origin::Bus(user) => write!(f, "bus:{user}"),
            Origin::Recovery => f.write_str("recovery"),
            Origin::Timer => f.write_str("timer"),
        }
    }
}

/// What an operation led to, once its lines are published.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The game's name.
    pub game: Arc<str>,
    /// The number of the newest line.
    pub seq: u64,
    /// The game at the instant of the operation, without it.
    pub before: Snapshot,
    /// The game at the instant of the operation.
    pub snapshot: Snapshot,
    /// What followed, each with its instant since the game began.
    pub effects: Vec<(Span, Content)>,
}

/// Why an operation was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// The engine refused. The operation and the refusal have their lines.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The game is another, or something has happened since the line that the operation was meant
    /// for. Nothing was done.
    #[error(
        "the clock has changed since: the newest line is {newest} of game {game}; \
         look at the clock again, then ask with that number"
    )]
    Stale {
        /// The game on the clock.
        game: Arc<str>,
        /// The newest line's number.
        newest: u64,
    },
    /// Too many requests wait already. Nothing was done.
    #[error("too many requests are waiting: ask again in a moment")]
    Busy,
    /// The timing thread has ended.
    #[error("the timing thread has ended: the daemon is stopping, or must be started again")]
    Gone,
}
