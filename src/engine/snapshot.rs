//! One consistent picture of a game at an instant: what is shown, sent and written.

use super::{FlagKind, Penalties, Phase};
use crate::control::{BySide, Side};
use crate::time::Span;

/// The whole game as it stands at one instant. Points in time are given as spans since the game
/// began (its `new_game`), as they stand in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// When, since the game began.
    pub at: Span,
    /// The phase.
    pub phase: Phase,
    /// Whose turn it is (while ready: who moves first).
    pub to_move: Side,
    /// The first fall of the game, kept until a new game.
    pub first_flag: Option<FirstFlag>,
    /// Both clocks.
    pub sides: BySide<SideView>,
}

/// The first fall with both times (`timing.md` 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstFlag {
    /// Who fell first.
    pub side: Side,
    /// When, since the game began.
    pub at: Span,
    /// What both had left at that instant; `None` for count-up without a limit.
    pub remaining: BySide<Option<Span>>,
}

/// One side's clock at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideView {
    /// The time until this side's next flag if nothing else happens; `None` for count-up without
    /// a limit.
    pub remaining: Option<Span>,
    /// Main time; below zero only in overtime (Scrabble).
    pub main: Span,
    /// Allowance left of the current or next turn (delay, Bronstein, free time).
    pub allowance: Span,
    /// The stage, counted from 1.
    pub stage: u32,
    /// Presses of the whole game.
    pub moves: u32,
    /// Presses still to be made in this stage; `None` where it names none.
    pub moves_to_stage: Option<u32>,
    /// Byo-yomi periods left, the current one included (burn-on-entry: those not begun).
    pub periods: Option<u32>,
    /// Canadian stones left in the block.
    pub stones: Option<u32>,
    /// Time left in the current period or block.
    pub overtime: Option<Span>,
    /// Scrabble's penalty points: 10 for each minute or part of one below zero.
    pub points: Option<u32>,
    /// The flag, if any.
    pub flag: Option<FlagKind>,
    /// When that flag fell, since the game began.
    pub flag_at: Option<Span>,
    /// When the last `stage` flag fell, since the game began; stays when a fall follows.
    pub stage_flag_at: Option<Span>,
    /// The next stage waits for the arbiter.
    pub stage_pending: bool,
    /// How long the current turn has lasted so far, pauses left out; zero for the waiting side.
    pub used: Span,
    /// How often the side was penalised.
    pub penalties: Penalties,
    /// How late the side's player is; `None` where nobody counts it.
    pub lateness: Option<Span>,
}
