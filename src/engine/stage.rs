//! Stages: when one ends and what the next one brings (`timing.md` 4).

use super::state::count;
use super::{Effect, Engine, FlagKind, Outputs, Phase, Refusal, method};
use crate::control::{Side, Trigger};
use crate::time::{Instant, Span};

impl Engine {
    /// The index of the stage that follows a side's present one: the next, or where the last one
    /// repeats, itself.
    pub(super) fn next_stage(&self, side: Side) -> Option<usize> {
        let stages = &self.settings.control.sides[side];
        let here = self.state.clocks[side].stage;
        if stages.has_next(here) { Some(here + 1) } else { stages.repeat.then_some(here) }
    }

    /// A press in time: the stage's end by moves, or the credit of an ordinary move.
    pub(super) fn reward_move(&mut self, now: Instant, side: Side, outputs: &mut Outputs) {
        let stage = self.state.stage(&self.settings, side);
        let by_moves = self.settings.switches.stage_trigger == Trigger::Moves;
        let clock = &self.state.clocks[side];
        let reached =
            by_moves && stage.moves.is_some_and(|needed| clock.moves_in_stage() >= needed);
        let needed = stage.moves.unwrap_or(u32::MAX);
        match self.next_stage(side).filter(|_| reached) {
            None => method::credit(stage, &mut self.state.clocks[side]),
            Some(_) if stage.confirm => {
                let clock = &mut self.state.clocks[side];
                method::credit(stage, clock);
                if !clock.pending {
                    clock.pending = true;
                    outputs.push(now, Effect::StagePending { side });
                }
            }
            Some(next) => {
                let clock = &mut self.state.clocks[side];
                let before = clock.main;
                if next == clock.stage {
                    clock.stage_began += clock.moves_in_stage() / needed.max(1) * needed;
                } else {
                    clock.stage_began = clock.stage_began.saturating_add(needed);
                    clock.stage = next;
                }
                let entered = super::state::stage_of(&self.settings, side, clock);
                method::enter_by_press(stage, entered, clock);
                let added = clock.main - before;
                let stage = count(clock.stage + 1);
                outputs.push(now, Effect::Stage { side, stage, added });
            }
        }
    }

    /// The running side is at zero: where its stage ends at first zero, both sides that stand in
    /// it go on to the next. False if the zero is a fall.
    pub(super) fn pass_zero(&mut self, at: Instant, side: Side, outputs: &mut Outputs) -> bool {
        let here = self.state.clocks[side].stage;
        if !self.ends_at_zero(side) {
            return false;
        }
        let clock = &mut self.state.clocks[side];
        clock.flag = Some(FlagKind::Stage);
        clock.flag_at = Some(at);
        clock.stage_flag_at = Some(at);
        outputs.push(at, Effect::Flag { side, flag: FlagKind::Stage, first: false });
        for side in [side, !side] {
            let clock = &self.state.clocks[side];
            if clock.stage == here && !clock.is_fallen() && self.ends_at_zero(side) {
                let began = self.state.clocks[side].moves;
                self.enter_next_stage(at, side, (began, true), outputs);
            }
        }
        if self.settings.switches.pause_at_stage {
            self.state.phase = Phase::Paused;
        }
        true
    }

    /// True if the side's stage ends at first zero, and there is a next one that brings time.
    fn ends_at_zero(&self, side: Side) -> bool {
        let stage = self.state.stage(&self.settings, side);
        let by_zero = self.settings.switches.stage_trigger == Trigger::Zero;
        if stage.moves.is_some() && !by_zero {
            return false;
        }
        let repeats_nothing = self.next_stage(side) == Some(self.state.clocks[side].stage)
            && stage.base == Span::ZERO;
        self.next_stage(side).is_some() && !repeats_nothing
    }

    /// Gives the next stage inside a turn; `began`: the press counter it counts from; `at_zero`:
    /// not because an arbiter confirmed it.
    fn enter_next_stage(
        &mut self,
        at: Instant,
        side: Side,
        (began, at_zero): (u32, bool),
        outputs: &mut Outputs,
    ) {
        let Some(next) = self.next_stage(side) else { return };
        let left = self.state.stage(&self.settings, side);
        let clock = &mut self.state.clocks[side];
        clock.stage = next;
        clock.stage_began = began;
        clock.pending = false;
        clock.zero_changes += u32::from(at_zero);
        let stage = super::state::stage_of(&self.settings, side, clock);
        let added = method::enter_within_turn(left, stage, clock);
        outputs.push(at, Effect::Stage { side, stage: count(next + 1), added });
    }

    /// The arbiter confirms the stage that a side waits for; it counts from its N-th press.
    pub(super) fn confirm_stage(
        &mut self,
        now: Instant,
        side: Side,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        let mut at_now = self.state;
        at_now.run_to(&self.settings, now);
        if !at_now.clocks[side].pending {
            let why = "no stage of this side waits for a confirmation";
            return Err(Refusal::Nothing { asked: "confirm", why });
        }
        if at_now.is_at_zero(&self.settings, side) {
            return Err(Refusal::NoTime { side });
        }
        self.state = at_now;
        let needed = self.state.stage(&self.settings, side).moves.unwrap_or(0);
        let began = self.state.clocks[side].stage_began.saturating_add(needed);
        self.enter_next_stage(now, side, (began, false), outputs);
        Ok(())
    }
}
