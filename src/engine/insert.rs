//! Making forgotten presses good (`timing.md` 6, *Insert press*).

use super::operation::InsertPress;
use super::{Engine, Outputs, Phase, Refusal};
use crate::control::Trigger;
use crate::time::Instant;

/// How many presses one command may insert; "twice" says that both have forgotten.
const MOST: u32 = 20;

impl Engine {
    /// The side to move completes a move now, `count` times by turns; no time is moved.
    pub(super) fn insert_press(
        &mut self,
        now: Instant,
        &InsertPress { count }: &InsertPress,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        if self.state.phase == Phase::Ready {
            return Err(self.wrong_phase("insert-press", "start the game first"));
        }
        if count == 0 {
            return Err(Refusal::Empty { asked: "insert-press" });
        }
        if count > MOST {
            let why = "at most 20 presses are inserted at once: ask again for the rest";
            return Err(Refusal::Unfit { asked: "insert-press", why });
        }
        self.all_or_nothing(|engine| {
            engine.state.run_to(&engine.settings, now);
            for _ in 0..count {
                engine.insert_one(now, outputs)?;
            }
            engine.leave_paused();
            Ok(())
        })
    }

    fn insert_one(&mut self, now: Instant, outputs: &mut Outputs) -> Result<(), Refusal> {
        let side = self.state.to_move;
        if self.is_gong(side) {
            let why = "the gong changes sides by itself, a press completes nothing";
            return Err(Refusal::Unfit { asked: "insert-press", why });
        }
        let fallen = self.state.clocks[side].is_fallen();
        if fallen && !self.next_press_ends_stage() {
            return Err(Refusal::NoTime { side });
        }
        self.complete_move(now, side, fallen, outputs);
        // A stage that waits for the arbiter brings no time yet.
        if fallen && !self.has_time(side) { Err(Refusal::NoTime { side }) } else { Ok(()) }
    }

    /// True if the next press of the side to move is the last one of a stage that goes by moves.
    fn next_press_ends_stage(&self) -> bool {
        let side = self.state.to_move;
        let made = self.state.clocks[side].moves_in_stage().saturating_add(1);
        let needed = self.state.stage(&self.settings, side).moves;
        self.settings.switches.stage_trigger == Trigger::Moves
            && self.next_stage(side).is_some()
            && needed.is_some_and(|needed| made >= needed)
    }
}
