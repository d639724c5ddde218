//! A move and what ends a turn by itself: presses, zero, falls, the gong.

use super::undo::UndoPoint;
use super::{Effect, Engine, FirstFall, FlagKind, IgnoreReason, Outputs, Phase, method};
use crate::control::{BySide, Method, Side, StartPress};
use crate::time::{Instant, Span};

impl Engine {
    /// A stroke at `now`; everything due before it is decided.
    pub(super) fn take_press(&mut self, now: Instant, side: Side, outputs: &mut Outputs) {
        let ignored = match self.state.phase {
            Phase::Ready => self.start_by_press(now, side, outputs).err(),
            Phase::Paused => Some(IgnoreReason::Paused),
            Phase::Flagged => Some(IgnoreReason::Flagged),
            Phase::Ended => Some(IgnoreReason::Ended),
            Phase::Running if side != self.state.to_move => Some(IgnoreReason::NotToMove),
            Phase::Running if self.is_gong(side) => Some(IgnoreReason::Gong),
            Phase::Running => {
                self.complete_move(now, side, false, outputs);
                None
            }
        };
        if let Some(reason) = ignored {
            outputs.push(now, Effect::Ignored { side, reason });
        }
    }

    /// Both buttons closed in the same poll: the running side's press counts (while ready: that of
    /// the side that moves second), the other's is ignored (`timing.md` 2.11).
    pub(super) fn take_both_presses(&mut self, now: Instant, outputs: &mut Outputs) {
        let counts = self.counts_of_both();
        self.take_press(now, counts, outputs);
        let ignored = Effect::Ignored { side: !counts, reason: IgnoreReason::Simultaneous };
        outputs.push(now, ignored);
    }

    /// Whose press counts where both buttons close in the same poll.
    #[must_use]
    pub fn counts_of_both(&self) -> Side {
        match self.state.phase {
            Phase::Ready => !self.state.to_move,
            _ => self.state.to_move,
        }
    }

    /// The press that starts a game: not a move (`timing.md` 2.10).
    fn start_by_press(
        &mut self,
        now: Instant,
        side: Side,
        outputs: &mut Outputs,
    ) -> Result<(), IgnoreReason> {
        let first = self.state.to_move;
        if side == first {
            let clocks = &self.state.clocks;
            let equal = self.settings.control.is_equal() && clocks.white == clocks.black;
            if self.settings.switches.start_press == StartPress::Second || !equal {
                return Err(IgnoreReason::NotTheStarter);
            }
            // Who presses moves second: the colours change seats.
            self.state.white_on = !self.state.white_on;
        }
        self.arrive(!first);
        self.begin_turn(now, first, outputs);
        Ok(())
    }

    /// The side to move completes its move: counter, credit, stage, then the opponent's turn.
    /// `lift`: its fall is taken back first, for the stage that the move reaches.
    pub(super) fn complete_move(
        &mut self,
        now: Instant,
        side: Side,
        lift: bool,
        outputs: &mut Outputs,
    ) {
        self.arrive(side);
        self.state.run_to(&self.settings, now);
        let before = self.state.clocks;
        if lift {
            self.state.clocks[side].lift_fall();
            outputs.push(now, Effect::FlagLifted { side });
        }
        let fallen = self.state.clocks[side].is_fallen();
        self.state.clocks[side].moves = before[side].moves.saturating_add(1);
        if !fallen {
            self.reward_move(now, side, outputs);
        }
        self.state.clocks[side].used = Span::ZERO;
        self.past.push(UndoPoint {
            side,
            before,
            stage_set: BySide::default(),
            main_set: BySide::default(),
        });
        self.begin_turn(now, !side, outputs);
    }

    /// This side's clock runs from now on, at the start of its turn.
    pub(super) fn begin_turn(&mut self, now: Instant, side: Side, outputs: &mut Outputs) {
        if self.state.phase == Phase::Ready {
            self.state.attendance.awaited_since = Some(now);
            self.state.starts_at = None;
        }
        self.state.phase = Phase::Running;
        self.state.to_move = side;
        self.state.since = now;
        self.state.clocks[side].used = Span::ZERO;
        self.past.turn = self.state.clocks;
        outputs.push(now, Effect::Turn { side });
    }

    /// What happens by itself at this deadline happens now, at the deadline's own instant.
    pub(super) fn decide(&mut self, deadline: Instant, outputs: &mut Outputs) {
        self.decided = self.decided.max(deadline);
        if self.end_default_time(deadline, outputs) {
            return;
        }
        let periods = self.state.clocks[self.state.to_move].periods;
        self.state.run_to(&self.settings, deadline);
        let side = self.state.to_move;
        if self.state.clocks[side].is_fallen() {
            // Its turn came although it has fallen, and falls freeze.
            self.state.phase = Phase::Flagged;
        } else if self.state.clocks[side].periods < periods
            && !self.state.is_at_zero(&self.settings, side)
        {
            let periods = self.state.clocks[side].periods;
            outputs.push(deadline, Effect::Period { side, periods });
        } else if self.is_gong(side) {
            self.strike_gong(deadline, side, outputs);
        } else if !self.pass_zero(deadline, side, outputs) {
            self.fall(deadline, side, outputs);
        }
    }

    /// A side has no time left: evidence, kept until a new game (`timing.md` 5).
    fn fall(&mut self, at: Instant, side: Side, outputs: &mut Outputs) {
        // A correction can have put main below zero where the allowance covered it.
        let stage = self.state.stage(&self.settings, side);
        method::level(stage, &mut self.state.clocks[side]);
        let remaining = BySide::from_fn(|side| self.state.remaining(&self.settings, side));
        let first = self.state.first_flag.is_none();
        if first {
            self.state.first_flag = Some(FirstFall { side, at, remaining });
        }
        let clock = &mut self.state.clocks[side];
        clock.flag = Some(FlagKind::Fall);
        clock.flag_at = Some(at);
        if self.settings.switches.freeze {
            self.state.phase = Phase::Flagged;
        }
        outputs.push(at, Effect::Flag { side, flag: FlagKind::Fall, first });
    }

    pub(super) fn is_gong(&self, side: Side) -> bool {
        self.state.stage(&self.settings, side).method == Method::Gong
    }

    /// The slot is over: the clock changes sides by itself, the next slot is full.
    fn strike_gong(&mut self, at: Instant, side: Side, outputs: &mut Outputs) {
        let stage = self.state.stage(&self.settings, side);
        method::credit(stage, &mut self.state.clocks[side]);
        self.state.clocks[side].used = Span::ZERO;
        self.begin_turn(at, !side, outputs);
    }
}
