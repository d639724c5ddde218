//! The state of a game: since-when values from which the clocks at any instant follow.

use super::{FlagKind, Phase, Snapshot};
use crate::control::{BySide, Seat, Settings, Side};
use crate::time::{Instant, Span};

/// Everything about a game that changes while it is played. Small and `Copy`: the timing thread
/// publishes it with each change, and readers compute the clocks at their own now.
///
/// While a clock runs, the values of the running side are those at [`since`](State::since).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// When the game began (its `new_game`).
    pub began: Instant,
    /// The phase.
    pub phase: Phase,
    /// Whose turn it is (while ready: who moves first).
    pub to_move: Side,
    /// When the values of the clocks hold; while running, since when the side to move has run.
    pub since: Instant,
    /// Both clocks.
    pub clocks: BySide<Clock>,
    /// The first fall of the game.
    pub first_flag: Option<FirstFall>,
    /// Where White sits.
    pub white_on: Seat,
    /// The result that the arbiter gave.
    pub result: Option<super::GameResult>,
}

/// The first fall, on the box's time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstFall {
    /// Who fell first.
    pub side: Side,
    /// When.
    pub at: Instant,
    /// What both had left then.
    pub remaining: BySide<Span>,
}

/// One side's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Main time.
    pub main: Span,
    /// Allowance left of the current or waiting turn.
    pub allowance: Span,
    /// Time left in the running period or block.
    pub overtime: Span,
    /// Byo-yomi periods left.
    pub periods: u32,
    /// Canadian stones left.
    pub stones: u32,
    /// Index of the Canadian block.
    pub block: usize,
    /// Index of the stage, from 0.
    pub stage: usize,
    /// The press counter when this stage began.
    pub stage_began: u32,
    /// Presses of the whole game.
    pub moves: u32,
    /// The increment that was really granted for the current or waiting move.
    pub granted: Span,
    /// The allowance that the current or waiting turn began with.
    pub turn_allowance: Span,
    /// How long the current turn has lasted.
    pub used: Span,
    /// The flag, if any.
    pub flag: Option<FlagKind>,
    /// When that flag fell.
    pub flag_at: Option<Instant>,
    /// When the last `stage` flag fell.
    pub stage_flag_at: Option<Instant>,
    /// The next stage waits for the arbiter.
    pub pending: bool,
}

impl State {
    /// The picture at `now`. Deadlines that lie before `now` and were not decided yet are not
    /// anticipated: the side then stands at zero.
    #[must_use]
    pub fn snapshot(&self, settings: &Settings, now: Instant) -> Snapshot {
        let _ = (settings, now);
        unimplemented!()
    }
}
