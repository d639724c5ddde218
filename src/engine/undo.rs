//! Taking presses back (`timing.md` 6, *Undo press*).
//!
//! Before each press the engine keeps both clocks as they stood. An arbiter's correction is made to
//! the kept clocks as well as to the present ones: so a difference stays a difference and a value
//! stays final, however far back an undo goes.

use serde::{Deserialize, Serialize};

use super::operation::UndoPress;
use super::state::stage_of;
use super::{Adjustment, Clock, Engine, Outputs, Phase, Refusal, adjust, method};
use crate::control::{BySide, Settings, Side};
use crate::time::Instant;

/// How many presses can be taken back; `timing.md` asks for at least 20.
pub(super) const DEPTH: usize = 32;

/// A press that can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct UndoPoint {
    /// Who pressed.
    pub side: Side,
    /// Both clocks at the instant of the press, before its credit; corrected like the present ones.
    pub before: BySide<Clock>,
    /// How many changes at first zero an arbiter's value for the stage, set since, stands behind.
    pub stage_set: BySide<Option<u32>>,
    /// The same for an arbiter's value for main.
    pub main_set: BySide<Option<u32>>,
}

/// What can be gone back to: the last presses, a ring; and what began the present turn.
#[derive(Clone, Debug)]
pub(super) struct Past {
    presses: [Option<UndoPoint>; DEPTH],
    /// Where the next press goes.
    next: usize,
    /// Both clocks when the present turn began.
    pub(super) turn: BySide<Clock>,
    /// The last resumption, until something else is done with the game.
    pub(super) resumed: Option<Resumed>,
    /// What a clock that came back from a crash can be set to.
    pub(super) recovery: Option<Recovery>,
}

/// The game as it stood before a side was resumed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resumed {
    /// Who was to move.
    pub(super) to_move: Side,
    /// Both clocks.
    pub(super) clocks: BySide<Clock>,
}

/// The clocks of both candidates after a crash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recovery {
    pub(super) last_record: BySide<Clock>,
    pub(super) last_press: BySide<Clock>,
}

impl Past {
    /// Nothing has happened; the clocks are those of a game that is ready.
    pub(super) fn new(turn: BySide<Clock>) -> Self {
        Past { presses: [None; DEPTH], next: 0, turn, resumed: None, recovery: None }
    }

    /// What was resumed or recovered is settled by what is done now.
    pub(super) fn settle(&mut self) {
        (self.resumed, self.recovery) = (None, None);
    }

    /// Keeps a press; the oldest one is forgotten.
    pub(super) fn push(&mut self, press: UndoPoint) {
        self.settle();
        self.presses[self.next] = Some(press);
        self.next = (self.next + 1) % DEPTH;
    }

    fn pop(&mut self) -> Option<UndoPoint> {
        let last = (self.next + DEPTH - 1) % DEPTH;
        let press = self.presses[last].take()?;
        self.next = last;
        Some(press)
    }

    fn len(&self) -> usize {
        self.presses.iter().flatten().count()
    }

    /// The kept presses, the last one first.
    pub(super) fn last_first(&self) -> impl Iterator<Item = &UndoPoint> {
        let (newer, older) = self.presses.split_at(self.next);
        newer.iter().rev().chain(older.iter().rev()).flatten()
    }

    /// How many presses a completed illegal move of this side is to be taken back by: its own if
    /// that was the last one; with `after_reply` the reply and its own.
    pub(super) fn completing(&self, offender: Side, after_reply: bool) -> usize {
        let mut last = self.last_first().map(|press| press.side);
        match (last.next(), last.next()) {
            (Some(side), _) if side == offender => 1,
            (Some(_), Some(side)) if after_reply && side == offender => 2,
            _ => 0,
        }
    }

    /// Every kept clock of a side.
    pub(super) fn clocks(&mut self, side: Side) -> impl Iterator<Item = &mut Clock> {
        let presses = self.presses.iter_mut().flatten().map(move |press| &mut press.before[side]);
        let resumed = self.resumed.iter_mut().map(move |resumed| &mut resumed.clocks[side]);
        let recovery = self.recovery.iter_mut().flat_map(move |recovery| {
            [&mut recovery.last_record[side], &mut recovery.last_press[side]]
        });
        presses.chain(resumed).chain(recovery).chain([&mut self.turn[side]])
    }

    /// Every kept press.
    pub(super) fn presses(&mut self) -> impl Iterator<Item = &mut UndoPoint> {
        self.presses.iter_mut().flatten()
    }

    /// Makes an arbiter's correction to every kept clock.
    pub(super) fn adjust(
        &mut self,
        settings: &Settings,
        changes: &BySide<Adjustment>,
        present: &BySide<Clock>,
    ) {
        for side in Side::BOTH {
            let change = &changes[side];
            for clock in self.clocks(side) {
                adjust::apply(settings, side, clock, change);
            }
            for press in self.presses() {
                if change.stage.is_some() {
                    press.stage_set[side] = Some(present[side].zero_changes);
                }
                if change.main.is_some() {
                    press.main_set[side] = Some(present[side].zero_changes);
                }
            }
        }
    }
}

impl Engine {
    pub(super) fn undo(
        &mut self,
        now: Instant,
        &UndoPress { count, refund }: &UndoPress,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        if self.state.phase == Phase::Ready {
            return Err(self.wrong_phase("undo", "no press has been made yet"));
        }
        if count == 0 {
            return Err(Refusal::Empty { asked: "undo" });
        }
        let possible = super::state::count(self.past.len());
        if possible == 0 {
            return Err(Refusal::Nothing { asked: "undo", why: "no press is left to take back" });
        }
        if count > possible {
            return Err(Refusal::TooManyPresses { asked: count, possible });
        }
        self.state.run_to(&self.settings, now);
        let fallen = self.fallen();
        self.take_back(now, count as usize, refund);
        self.settle_falls(now, fallen, outputs);
        self.leave_paused();
        Ok(())
    }

    /// Takes back so many presses, as far as they are kept.
    pub(super) fn take_back(&mut self, now: Instant, count: usize, refund: bool) {
        if count == 0 {
            return;
        }
        self.past.settle();
        for _ in 0..count {
            let Some(press) = self.past.pop() else { break };
            if refund {
                self.state.clocks = press.before;
            } else {
                self.withdraw(&press);
            }
            self.state.to_move = press.side;
        }
        self.state.since = now;
        for side in Side::BOTH {
            self.raise_to_zero(side);
        }
        self.past.turn = self.state.clocks;
    }

    /// Takes a press back without refund: the presser has the time that it had at the press, what
    /// the other side used since stays used, and later changes at first zero stay.
    fn withdraw(&mut self, press: &UndoPoint) {
        let side = press.side;
        let present = self.state.clocks[side];
        let mut clock = press.before[side];
        let stages = &self.settings.control.sides[side];
        if let Some(changes) = press.stage_set[side] {
            clock.zero_changes = changes;
        }
        while clock.zero_changes < present.zero_changes {
            clock.zero_changes += 1;
            let left = stage_of(&self.settings, side, &clock);
            let main = clock.main;
            if stages.has_next(clock.stage) {
                clock.stage += 1;
            }
            clock.stage_began = present.stage_began.min(clock.moves);
            clock.pending = false;
            method::enter_within_turn(left, stage_of(&self.settings, side, &clock), &mut clock);
            if press.main_set[side].is_some_and(|last| clock.zero_changes <= last) {
                clock.main = main;
            }
        }
        // A press that was inserted for a fallen side has lifted its fall.
        if !press.before[side].is_fallen() {
            (clock.flag, clock.flag_at) = (present.flag, present.flag_at);
        }
        clock.stage_flag_at = present.stage_flag_at;
        clock.zero_changes = present.zero_changes;
        self.state.clocks[side] = clock;
        // Where the presser itself was to move, the other side's turn was broken off before.
        if self.state.to_move != side {
            self.break_off(!side);
        }
    }

    /// A difference given since can be more than a side had back then: it stands at zero.
    fn raise_to_zero(&mut self, side: Side) {
        let stage = self.state.stage(&self.settings, side);
        let clock = &mut self.state.clocks[side];
        clock.main += method::shortfall(stage, clock);
    }
}
