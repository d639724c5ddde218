//! What can be asked of the running clock, by whom, and what comes of it.

use std::sync::Arc;

use crate::control::{Control, Settings, Side};
use crate::engine::{Command, Refusal, Saved, Snapshot};
use crate::record::How;

/// What can be asked of the running clock.
#[derive(Debug)]
pub enum Ask {
    /// A new game.
    NewGame {
        /// What it is set to.
        settings: Box<Settings>,
        /// Also in the middle of a game.
        abandon: bool,
    },
    /// An arbiter's operation.
    Command {
        /// Which.
        command: Command,
        /// Why; empty where nobody said.
        reason: String,
        /// Only if this is still the newest line's number; 0: whatever happened meanwhile.
        if_seq: u64,
    },
    /// A press for a player who cannot use the button.
    Press(Side),
    /// The game goes on under another control.
    ChangeControl {
        /// Which.
        control: Control,
        /// How.
        how: How,
    },
    /// The game is replaced by one that was taken from a clock.
    Import(Box<Saved>),
    /// The whole game as it stands; leaves no line.
    Export,
    /// Somebody without the right tried this; changes nothing, but leaves a line.
    Denied(String),
    /// Nothing: answered when everything is published that the timing thread has told until now.
    Fence,
}

/// Who caused something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Somebody at the box.
    Board,
    /// Somebody on the bus, by user name.
    Bus(String),
    /// The daemon itself as it begins.
    Recovery,
    /// The daemon itself at an appointed time.
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

/// What a request led to, once its lines are published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The game's name.
    pub game: Arc<str>,
    /// The number of the newest line.
    pub seq: u64,
    /// The game at the instant of the request.
    pub snapshot: Snapshot,
    /// The whole game, where it was asked for.
    pub saved: Option<Arc<Saved>>,
}

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The engine said no. The request and the refusal have their lines.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Something has happened since the line that the request was meant for. Nothing was done.
    #[error(
        "something has happened meanwhile, the newest line is {newest}: \
         look at the clock again, then ask with that number"
    )]
    Stale {
        /// The newest line's number.
        newest: u64,
    },
    /// Too many requests wait already. Nothing was done.
    #[error("too many requests wait to be carried out: ask again in a moment")]
    Busy,
    /// The timing thread has ended.
    #[error("the timing thread has ended: the daemon is stopping, or must be started again")]
    Gone,
}
