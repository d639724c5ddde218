//! Another control in a running game, its clocks kept (`timing.md` 6, *Change control*).
//!
//! The other way, the presses replayed under the new control, is [`History`](super::History)'s: it
//! takes memory, so it is prepared outside and put in the engine's place as a whole.

use super::state::stage_of;
use super::{Clock, Engine, Outputs, Phase, Refusal, method};
use crate::control::class::class_of;
use crate::control::{Control, Settings, Side, Trigger};
use crate::time::{Instant, Span};

impl Engine {
    /// Continues under another control: main time and counters stay, to the nanosecond; each side
    /// stands in the stage that its counter lies in, which brings no base; nothing is granted for
    /// the current move; periods and blocks are full.
    ///
    /// # Errors
    /// A clock runs, or a side would be left below zero; nothing has changed.
    pub(super) fn change_control(
        &mut self,
        now: Instant,
        control: &Control,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        if self.state.phase == Phase::Running {
            return Err(self.wrong_phase("another control", "pause it first"));
        }
        let before = core::mem::replace(&mut self.settings.control, *control);
        let kept = self.all_or_nothing(|engine| {
            let fallen = engine.fallen();
            for side in Side::BOTH {
                for clock in engine.past.clocks(side).chain([&mut engine.state.clocks[side]]) {
                    keep(&engine.settings, side, clock);
                }
                let clock = &engine.state.clocks[side];
                if method::shortfall(stage_of(&engine.settings, side, clock), clock).is_positive() {
                    return Err(Refusal::BelowZero { side });
                }
            }
            engine.settle_falls(now, fallen, outputs);
            if engine.state.phase == Phase::Flagged {
                engine.leave_paused();
            }
            Ok(())
        });
        match kept {
            Ok(()) => {
                self.state.class = class_of(&self.settings.control, &self.settings.switches);
            }
            Err(_) => self.settings.control = before,
        }
        kept
    }
}

/// One side's clock under the new control, which the settings hold already.
fn keep(settings: &Settings, side: Side, clock: &mut Clock) {
    (clock.stage, clock.stage_began) = stage_by_counter(settings, side, clock);
    clock.pending = false;
    let stage = stage_of(settings, side, clock);
    method::fill_overtime(stage, clock);
    let allowance = method::allowance_of(stage);
    clock.granted = Span::ZERO;
    clock.granted_allowance = allowance;
    clock.turn_allowance = allowance;
    clock.allowance = (allowance - clock.used).or_zero();
}

/// The stage that a counter lies in, and where that stage began. What ends at zero was left
/// behind if the clock has left as many stages behind already.
fn stage_by_counter(settings: &Settings, side: Side, clock: &Clock) -> (usize, u32) {
    let stages = &settings.control.sides[side];
    let by_moves = settings.switches.stage_trigger == Trigger::Moves;
    let mut began: u32 = 0;
    for (index, stage) in stages.list.iter().enumerate() {
        let needed = stage.moves.filter(|_| by_moves);
        if !stages.has_next(index) {
            if let Some(needed) = needed.filter(|_| stages.repeat) {
                began += clock.moves.saturating_sub(began) / needed.max(1) * needed;
            }
            return (index, began);
        }
        match needed {
            Some(needed) if clock.moves >= began.saturating_add(needed) => began += needed,
            None if clock.stage > index => began = clock.moves,
            _ => return (index, began),
        }
    }
    (0, 0)
}
