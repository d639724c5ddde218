//! The bridge between the timing thread's two rings and everything that asks, waits and listens.
//!
//! It decides nothing about the game and keeps no time. It gives every cause and every effect its
//! line with a number, makes the lines known in their order, and answers who asked, after that.
//! Reading never passes the timing thread: a reader computes the clocks at its own now.

use std::sync::Arc;

use tokio::sync::{broadcast, watch};

use crate::control::{Settings, Side};
use crate::engine::{Command, Refusal, Snapshot, State};
use crate::record::Fields;
use crate::time::Span;

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
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Board => f.write_str("board"),
            Origin::Bus(user) => write!(f, "bus:{user}"),
        }
    }
}

/// What a request led to, once its lines are published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The number of the newest line.
    pub seq: u64,
    /// The game at the instant of the request.
    pub snapshot: Snapshot,
}

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The engine said no. The request and the refusal have their lines.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Something has happened since the line that the request was meant for. Nothing was done.
    #[error(
        "something has happened since line {asked}, the newest is {newest}: \
         look at the clock again, then ask with the new number"
    )]
    Stale {
        /// The number that was given.
        asked: u64,
        /// The newest number.
        newest: u64,
    },
    /// Too many requests wait already. Nothing was done.
    #[error("too many requests wait to be carried out: ask again in a moment")]
    Busy,
    /// The timing thread has ended.
    #[error("the timing thread has ended: the daemon is stopping, or must be started again")]
    Gone,
}

/// The newest state that has been published.
#[derive(Clone, Debug)]
pub struct Published {
    /// The game's name, unlike that of any other game: when it began (UTC) and where within that
    /// second.
    pub game: Arc<str>,
    /// The number of the newest line.
    pub seq: u64,
    /// What the game is set to.
    pub settings: Arc<Settings>,
    /// The game as since-when values.
    pub state: State,
}

/// What a reader sees at its own now.
#[derive(Clone, Debug)]
pub struct View {
    /// The newest published state.
    pub published: Published,
    /// The game at the reader's now.
    pub snapshot: Snapshot,
}

/// A line of the journal, made known.
#[derive(Clone, Debug)]
pub struct PublishedLine {
    /// Its number within the game, from 0.
    pub seq: u64,
    /// The game's name.
    pub game: Arc<str>,
    /// When, since the game began.
    pub at: Span,
    /// The `kind` of the line.
    pub kind: &'static str,
    /// The line's own members.
    pub fields: Fields,
    /// Who caused it; `None` for an effect.
    pub origin: Option<String>,
    /// The game after the line.
    pub snapshot: Snapshot,
    /// What the game is set to.
    pub settings: Arc<Settings>,
}

/// The running clock, for everybody in the daemon who asks, reads or listens. Clones are the same
/// bridge.
#[derive(Clone, Debug)]
pub struct Bridge {
    published: watch::Receiver<Published>,
    lines: broadcast::Sender<Arc<PublishedLine>>,
}

impl Bridge {
    /// Asks for something and waits until it is done and published. Requests are carried out in
    /// the order in which this is first polled.
    ///
    /// # Errors
    /// See [`AskError`].
    pub async fn ask(&self, what: Ask, origin: Origin) -> Result<Answer, AskError> {
        let _ = (what, origin);
        Err(AskError::Gone)
    }

    /// The newest published state.
    #[must_use]
    pub fn published(&self) -> watch::Receiver<Published> {
        self.published.clone()
    }

    /// Every line from now on.
    #[must_use]
    pub fn lines(&self) -> broadcast::Receiver<Arc<PublishedLine>> {
        self.lines.subscribe()
    }
}
