//! The arbiter's operations and the phases that allow them (`timing.md` 6).

use super::{Command, Engine, GameResult, Outputs, Phase, Refusal, method};
use crate::control::Side;
use crate::time::{Instant, Span};

impl Engine {
    /// Does what the command says, or refuses and changes nothing.
    pub(super) fn obey(
        &mut self,
        now: Instant,
        command: &Command,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        match *command {
            Command::Start { side } => self.start(now, side, outputs),
            Command::Pause => self.pause(now),
            Command::Resume { side } => self.resume(now, side, outputs),
            Command::Adjust(ref changes) => self.adjust(now, changes, outputs),
            Command::UndoPress { count, refund } => self.undo(now, count, refund, outputs),
            Command::ConfirmStage { side } => self.confirm_stage(now, side, outputs),
            Command::End { result } => self.end(now, result),
        }
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
    fn resume(
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

    fn end(&mut self, now: Instant, result: GameResult) -> Result<(), Refusal> {
        self.state.run_to(&self.settings, now);
        self.state.phase = Phase::Ended;
        self.state.result = Some(result);
        Ok(())
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
