//! The arbiter's operations and the phases that allow them (`timing.md` 6).

use super::operation::{
    Arrived, ChangeControl, ChooseRecovery, ConfirmStage, End, Lock, Press, Resume, ResumeInstead,
    Start, StartAt,
};
use super::{
    Effect, Engine, GameResult, Operation, Outputs, Phase, Refusal, ReplacePolicy, method,
};
use crate::control::{BySide, Side};
use crate::time::{Instant, Span};

impl Engine {
    /// Carries out an operation, or refuses it and changes nothing. Everything due before is
    /// decided.
    pub(super) fn carry_out(
        &mut self,
        now: Instant,
        operation: &Operation,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        match operation {
            Operation::Start(Start { side }) => self.start(now, *side, outputs),
            Operation::Press(Press { side, both: false }) => {
                self.take_press(now, *side, outputs);
                Ok(())
            }
            Operation::Press(Press { both: true, .. }) => {
                self.take_both_presses(now, outputs);
                Ok(())
            }
            Operation::Pause(_) => self.pause(now),
            Operation::Resume(Resume { side }) => self.resume(now, *side, outputs),
            Operation::ResumeInstead(ResumeInstead { side }) => {
                self.resume_instead(now, *side, outputs)
            }
            Operation::Adjust(adjust) => self.adjust(now, &adjust.sides(), outputs),
            Operation::UndoPress(undo) => self.undo(now, undo, outputs),
            Operation::InsertPress(insert) => self.insert_press(now, insert, outputs),
            Operation::Penalty(penalty) => self.penalty(now, penalty, outputs),
            Operation::Quickplay(quickplay) => self.quickplay(now, quickplay, outputs),
            Operation::ChangeControl(ChangeControl { control, how: ReplacePolicy::Kept }) => {
                self.change_control(now, &control.control, outputs)
            }
            Operation::ConfirmStage(ConfirmStage { side }) => {
                self.confirm_stage(now, *side, outputs)
            }
            Operation::SwapSides(_) => self.swap_sides(),
            Operation::Arrived(Arrived { side }) => {
                self.arrive(*side);
                Ok(())
            }
            Operation::StartAt(StartAt { unix_us }) => self.start_at(*unix_us),
            Operation::Lock(Lock { locked }) => {
                self.state.locked = *locked;
                Ok(())
            }
            Operation::Recovered(_) => {
                self.recover(now);
                Ok(())
            }
            Operation::ChooseRecovery(ChooseRecovery { candidate }) => {
                self.choose_recovery(*candidate)
            }
            Operation::End(End { result }) => self.end(now, *result),
            Operation::Denied(_) | Operation::Query(_) => Ok(()),
            // A new game needs no instant decided before; the other two come prepared.
            Operation::NewGame(_) | Operation::ChangeControl(_) | Operation::Import(_) => {
                let why = "it has to be prepared first";
                Err(Refusal::Unfit { asked: operation.name(), why })
            }
        }
    }

    /// Runs several steps of which none may stand alone: on a refusal the game is as before.
    pub(super) fn all_or_nothing(
        &mut self,
        steps: impl FnOnce(&mut Engine) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let (state, past) = (self.state, self.past.clone());
        let outcome = steps(self);
        if outcome.is_err() {
            (self.state, self.past) = (state, past);
        }
        outcome
    }

    fn start(
        &mut self,
        now: Instant,
        side: Option<Side>,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        if self.state.phase != Phase::Ready {
            let remedy = match self.state.phase {
                Phase::Running => "the clock runs already",
                _ => "resume lets it run on, new sets another game",
            };
            return Err(self.wrong_phase("start", remedy));
        }
        self.begin_turn(now, side.unwrap_or(self.state.to_move), outputs);
        Ok(())
    }

    /// Stops the running side inside its turn. Accepted, too, where nothing runs: a claim is made
    /// by pausing (Laws 6.11, A.5.3), and the record of it is the point.
    fn pause(&mut self, now: Instant) -> Result<(), Refusal> {
        match self.state.phase {
            Phase::Ready => return Err(self.wrong_phase("pause", "nothing runs yet: start it")),
            Phase::Running => {
                self.state.run_to(&self.settings, now);
                self.state.phase = Phase::Paused;
            }
            Phase::Paused | Phase::Flagged | Phase::Ended => {}
        }
        Ok(())
    }

    /// Lets a clock run on. Naming the side that is not to move breaks the turn off
    /// (`timing.md` 2.12).
    pub(super) fn resume(
        &mut self,
        now: Instant,
        side: Option<Side>,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        match self.state.phase {
            Phase::Ready => return Err(self.wrong_phase("resume", "start begins the game")),
            Phase::Running => return Err(self.wrong_phase("resume", "the clock runs already")),
            Phase::Paused | Phase::Flagged | Phase::Ended => {}
        }
        let side = side.unwrap_or(self.state.to_move);
        if self.settings.switches.freeze && self.state.clocks[side].is_fallen() {
            return Err(Refusal::NoTime { side });
        }
        self.remember_resumption();
        self.state.result = None;
        if side == self.state.to_move {
            self.state.phase = Phase::Running;
            self.state.since = now;
        } else {
            self.break_off(!side);
            self.begin_turn(now, side, outputs);
        }
        Ok(())
    }

    /// The side's turn did not end by a press: its next one starts afresh. A fallen side has none.
    pub(super) fn break_off(&mut self, side: Side) {
        if self.state.clocks[side].is_fallen() {
            return;
        }
        let stage = self.state.stage(&self.settings, side);
        method::break_off(stage, &mut self.state.clocks[side]);
    }

    /// The colours change seats; everything else belongs to the colour.
    fn swap_sides(&mut self) -> Result<(), Refusal> {
        if self.state.phase == Phase::Running {
            return Err(self.wrong_phase("swap", "pause it first"));
        }
        self.state.white_on = !self.state.white_on;
        Ok(())
    }

    fn start_at(&mut self, unix_us: i64) -> Result<(), Refusal> {
        if self.state.phase != Phase::Ready {
            return Err(self.wrong_phase("start-at", "only a game that is ready can be started"));
        }
        self.state.starts_at = (unix_us != 0).then_some(unix_us);
        Ok(())
    }

    fn end(&mut self, now: Instant, result: GameResult) -> Result<(), Refusal> {
        self.past.settle();
        self.state.run_to(&self.settings, now);
        self.state.phase = Phase::Ended;
        self.state.result = Some(result);
        Ok(())
    }

    /// Who has fallen.
    pub(super) fn fallen(&self) -> BySide<bool> {
        BySide::from_fn(|side| self.state.clocks[side].is_fallen())
    }

    /// After an operation that gave time or took back what happened: a side that has fallen and
    /// has time is not fallen any more; the record of the first fall stays (`timing.md` 5).
    pub(super) fn settle_falls(
        &mut self,
        now: Instant,
        before: BySide<bool>,
        outputs: &mut Outputs,
    ) {
        for side in Side::BOTH {
            if self.state.clocks[side].is_fallen() && self.has_time(side) {
                self.state.clocks[side].lift_fall();
            }
            if before[side] && !self.state.clocks[side].is_fallen() {
                outputs.push(now, Effect::FlagLifted { side });
            }
        }
    }

    /// The clock is left standing: *paused*, or where a fall still freezes it, *flagged*.
    pub(super) fn leave_paused(&mut self) {
        let fallen = Side::BOTH.iter().any(|side| self.state.clocks[*side].is_fallen());
        let frozen = fallen && self.settings.switches.freeze;
        self.state.phase = if frozen { Phase::Flagged } else { Phase::Paused };
        self.state.result = None;
    }

    pub(super) fn wrong_phase(&self, asked: &'static str, remedy: &'static str) -> Refusal {
        Refusal::WrongPhase { asked, phase: self.state.phase, remedy }
    }

    /// True if the side's time is above zero by its own values, fall or not.
    pub(super) fn has_time(&self, side: Side) -> bool {
        let stage = self.state.stage(&self.settings, side);
        method::remaining(stage, &self.state.clocks[side]).is_none_or(Span::is_positive)
    }
}
