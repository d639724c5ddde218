//! What followed from an event: the engine's effects, in bounded batches.

use super::{FlagKind, Offence};
use crate::control::Side;
use crate::time::{Instant, Span};

/// Something that followed (`journal-and-replay.md`, effects).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// This side's turn begins; its clock runs.
    Turn {
        /// Whose turn.
        side: Side,
    },
    /// A side reached zero.
    Flag {
        /// Whose flag.
        side: Side,
        /// Whether a further stage was given or the side has no time left.
        flag: FlagKind,
        /// For a fall: the first one of this game.
        first: bool,
    },
    /// An arbiter's correction left a fallen side with time.
    FlagLifted {
        /// Whose fall.
        side: Side,
    },
    /// A side entered another stage.
    Stage {
        /// Whose stage.
        side: Side,
        /// The new stage, counted from 1.
        stage: u32,
        /// What was added for it, the change of the grant included.
        added: Span,
    },
    /// A side has made its moves and waits for the arbiter to confirm the next stage.
    StagePending {
        /// Whose stage.
        side: Side,
    },
    /// A byo-yomi period was burned.
    Period {
        /// Whose period.
        side: Side,
        /// How many are left.
        periods: u32,
    },
    /// The second offence of its kind by this side.
    SecondOffence {
        /// Who offended.
        side: Side,
        /// In what.
        offence: Offence,
    },
    /// This side's player has not come by the end of the default time (Laws 6.7).
    DefaultTime {
        /// Who is absent.
        side: Side,
    },
    /// A press that changed nothing.
    Ignored {
        /// Whose press.
        side: Side,
        /// Why.
        reason: IgnoreReason,
    },
}

/// Why a press changed nothing (`timing.md` 2.9 to 2.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IgnoreReason {
    /// The other side's clock runs.
    NotToMove,
    /// Both buttons in the same poll: only the running side's counts.
    Simultaneous,
    /// The game is ready and this is not the press that starts it.
    NotTheStarter,
    /// The clock is paused.
    Paused,
    /// A fall froze the clock.
    Flagged,
    /// The game has ended.
    Ended,
    /// Gong: the clock changes sides by itself.
    Gong,
}

impl IgnoreReason {
    /// The word in a journal line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            IgnoreReason::NotToMove => "not-to-move",
            IgnoreReason::Simultaneous => "simultaneous",
            IgnoreReason::NotTheStarter => "not-the-starter",
            IgnoreReason::Paused => "paused",
            IgnoreReason::Flagged => "flagged",
            IgnoreReason::Ended => "ended",
            IgnoreReason::Gong => "gong",
        }
    }
}

/// An effect and when it happened: a flag at its deadline, not at the poll that found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// When.
    pub at: Instant,
    /// What.
    pub effect: Effect,
}

/// The most that one batch holds.
pub const MAX_OUTPUTS: usize = 48;

/// The effects of one event in their order.
///
/// A caller that [polls](super::Engine::poll) every deadline before it hands in an event gets at
/// most six; 20 inserted presses bring more. One that does not (weeks between two lines of a journal) may meet more deadlines than
/// fit; burned periods are then told by their last count, and nothing else is ever left out.
#[must_use = "effects are to be recorded and published"]
#[derive(Clone, Copy, Debug)]
pub struct Outputs {
    list: [Output; MAX_OUTPUTS],
    len: usize,
}

impl Outputs {
    /// An empty batch.
    pub const fn new() -> Self {
        const BLANK: Output =
            Output { at: Instant::ZERO, effect: Effect::Turn { side: Side::White } };
        Outputs { list: [BLANK; MAX_OUTPUTS], len: 0 }
    }

    /// Adds an effect; in a full batch it takes the last one's place.
    pub(super) fn push(&mut self, at: Instant, effect: Effect) {
        let place = self.len.min(MAX_OUTPUTS - 1);
        self.list[place] = Output { at, effect };
        self.len = place + 1;
    }

    /// True if a further effect would take another one's place.
    pub(super) fn is_nearly_full(&self) -> bool {
        self.len + 8 > MAX_OUTPUTS
    }

    /// The effects in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Output] {
        &self.list[..self.len]
    }

    /// True if nothing followed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Default for Outputs {
    fn default() -> Self {
        Outputs::new()
    }
}

impl<'a> IntoIterator for &'a Outputs {
    type Item = &'a Output;
    type IntoIter = core::slice::Iter<'a, Output>;
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}
