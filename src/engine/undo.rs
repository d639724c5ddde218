//! Taking presses back (`timing.md` 6, *Undo press*).
//!
//! Before each press the engine keeps both clocks as they stood. An arbiter's correction is made to
//! the kept clocks as well as to the present ones: so a difference stays a difference and a value
//! stays final, however far back an undo goes.

use super::state::stage_of;
use super::{Adjustment, Change, Clock, Effect, Engine, Outputs, Phase, Refusal, adjust, method};
use crate::control::{BySide, Settings, Side};
use crate::time::{Instant, Span};

/// How many presses can be taken back; `timing.md` asks for at least 20.
const DEPTH: usize = 32;

/// A press that can be taken back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Press {
    /// Who pressed.
    pub(super) side: Side,
    /// Both clocks at the instant of the press, before its credit; corrected like the present ones.
    pub(super) before: BySide<Clock>,
    /// What the press added to the presser's main time.
    pub(super) credit: Span,
    /// The presser's stage after the press.
    pub(super) stage_after: usize,
    /// What an arbiter has set to a value since.
    pub(super) fixed: BySide<Fixed>,
}

/// The parts of a clock that an arbiter's value made final: no credit or refund moves them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fixed {
    main: bool,
    moves: bool,
    stage: bool,
}

/// The last presses, a ring.
#[derive(Clone, Debug)]
pub(super) struct Past {
    presses: [Option<Press>; DEPTH],
    /// Where the next press goes.
    next: usize,
}

impl Past {
    pub(super) const fn new() -> Self {
        Past { presses: [None; DEPTH], next: 0 }
    }

    pub(super) fn clear(&mut self) {
        *self = Past::new();
    }

    /// Keeps a press; the oldest one is forgotten.
    pub(super) fn push(&mut self, press: Press) {
        self.presses[self.next] = Some(press);
        self.next = (self.next + 1) % DEPTH;
    }

    fn pop(&mut self) -> Option<Press> {
        let last = (self.next + DEPTH - 1) % DEPTH;
        let press = self.presses[last].take()?;
        self.next = last;
        Some(press)
    }

    fn len(&self) -> usize {
        self.presses.iter().flatten().count()
    }

    /// Makes an arbiter's correction to every kept clock.
    pub(super) fn adjust(&mut self, settings: &Settings, changes: &BySide<Adjustment>) {
        for press in self.presses.iter_mut().flatten() {
            for side in Side::BOTH {
                let change = &changes[side];
                adjust::apply(settings, side, &mut press.before[side], change);
                let fixed = &mut press.fixed[side];
                fixed.main |= matches!(change.main, Some(Change::To(_)));
                fixed.moves |= change.moves.is_some();
                fixed.stage |= change.stage.is_some();
            }
        }
    }
}

impl Engine {
    pub(super) fn undo(
        &mut self,
        now: Instant,
        count: u32,
        refund: bool,
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
        let fallen = BySide::from_fn(|side| self.state.clocks[side].is_fallen());
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
            if self.state.clocks[side].is_fallen() && self.has_time(side) {
                self.state.clocks[side].lift_fall();
            }
            if fallen[side] && !self.state.clocks[side].is_fallen() {
                outputs.push(now, Effect::FlagLifted { side });
            }
        }
        self.leave_paused();
        Ok(())
    }

    /// Takes back what a press gave, without refund: what both sides used since stays used, later
    /// changes at first zero stay.
    fn withdraw(&mut self, press: &Press) {
        let side = press.side;
        let fixed = &press.fixed[side];
        let present = self.state.clocks[side];
        let mut clock = press.before[side];
        if present.stage != press.stage_after || fixed.stage {
            clock.stage = present.stage;
            clock.stage_began = present.stage_began;
            method::regrant(stage_of(&self.settings, side, &clock), &mut clock);
        }
        clock.main = if fixed.main { present.main } else { present.main - press.credit };
        if !fixed.moves {
            clock.moves = present.moves.saturating_sub(1);
        }
        (clock.flag, clock.flag_at) = (present.flag, present.flag_at);
        clock.stage_flag_at = present.stage_flag_at;
        self.state.clocks[side] = clock;
        self.break_off(!side);
    }

    /// A difference given since can be more than a side had back then: it stands at zero.
    fn raise_to_zero(&mut self, side: Side) {
        let stage = self.state.stage(&self.settings, side);
        let clock = &mut self.state.clocks[side];
        clock.main += method::shortfall(stage, clock);
    }
}
