//! Penalties and the quickplay increment (`timing.md` 6; Laws 7.5, 9.5, A.5, B.2; Guidelines III).

use serde::{Deserialize, Serialize};

use super::operation::{Penalty, Quickplay};
use super::state::stage_of;
use super::{Adjustment, Effect, Engine, Offence, Outputs, Phase, Refusal, method};
use crate::control::class::Class;
use crate::control::{BySide, Control, Grant, Method, Overtime, PenaltyAmounts, Side};
use crate::time::{Instant, Span};

/// What a granted quickplay claim brings to both for every move from now on.
pub const QUICKPLAY_INCREMENT: Span = Span::from_secs(5);
/// What it brings to the opponent at once.
const QUICKPLAY_BONUS: Span = Span::from_mins(2);
/// Who claims has less than this.
const QUICKPLAY_BELOW: Span = Span::from_mins(2);

/// The number of illegal moves at which the game is lost (Laws 7.5.5).
const OFFENCE_LIMIT: u32 = 2;

/// How often a player was penalised, by offence. Nothing but a new game takes a count back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Penalties {
    /// For completed illegal moves.
    pub illegal_move: u32,
    /// For wrong claims of a draw.
    pub wrong_claim: u32,
    /// For rejected quickplay claims.
    pub quickplay_claim: u32,
}

impl Penalties {
    /// How often for this offence.
    #[must_use]
    pub const fn of(&self, offence: Offence) -> u32 {
        match offence {
            Offence::IllegalMove => self.illegal_move,
            Offence::WrongClaim => self.wrong_claim,
            Offence::QuickplayClaim => self.quickplay_claim,
        }
    }

    /// The count for this offence.
    pub const fn of_mut(&mut self, offence: Offence) -> &mut u32 {
        match offence {
            Offence::IllegalMove => &mut self.illegal_move,
            Offence::WrongClaim => &mut self.wrong_claim,
            Offence::QuickplayClaim => &mut self.quickplay_claim,
        }
    }
}

impl Engine {
    /// What this offence brings to the opponent.
    fn amount(&self, offence: Offence) -> Span {
        let (one, two) = (Span::from_mins(1), Span::from_mins(2));
        match (offence, self.settings.switches.penalty_amounts) {
            (Offence::QuickplayClaim, _) | (_, PenaltyAmounts::TwoMinutes) => two,
            (_, PenaltyAmounts::Nothing) => Span::ZERO,
            (_, PenaltyAmounts::ByClass) => match self.state.class {
                Class::Rapid | Class::Blitz => one,
                Class::Standard | Class::Other => two,
            },
        }
    }

    /// Counts the offence, takes an illegal move's press back, gives the opponent its time, and
    /// leaves the clock paused.
    pub(super) fn penalty(
        &mut self,
        now: Instant,
        &Penalty { offender, offence, after_reply }: &Penalty,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        if self.state.phase == Phase::Ready {
            return Err(self.wrong_phase("a penalty", "start the game first"));
        }
        let amount = self.amount(offence);
        self.all_or_nothing(|engine| {
            engine.state.run_to(&engine.settings, now);
            let fallen = engine.fallen();
            if offence == Offence::IllegalMove {
                let presses = engine.past.completing(offender, after_reply);
                engine.take_back(now, presses, true);
            }
            engine.give(!offender, amount)?;
            engine.settle_falls(now, fallen, outputs);
            let count = engine.state.penalties[offender].of_mut(offence);
            *count = count.saturating_add(1);
            let count = *count;
            if offence == Offence::IllegalMove && count >= OFFENCE_LIMIT {
                outputs.push(now, Effect::OffenceLimit { side: offender, offence, count });
            }
            engine.leave_paused();
            Ok(())
        })
    }

    /// Adds to a side's main time, as an arbiter's difference: an undo keeps it.
    fn give(&mut self, side: Side, amount: Span) -> Result<(), Refusal> {
        let stage = stage_of(&self.settings, side, &self.state.clocks[side]);
        if matches!(stage.method, Method::CountUp { .. }) {
            // What is counted up is no time to live on.
            return Ok(());
        }
        self.state.clocks[side].main += amount;
        if method::shortfall(stage, &self.state.clocks[side]).is_positive() {
            return Err(Refusal::BelowZero { side });
        }
        let mut changes = BySide::<Adjustment>::default();
        changes[side].add = Some(amount);
        self.past.adjust(&self.settings, &changes, &self.state.clocks);
        Ok(())
    }

    /// Grants a quickplay claim (Guidelines III.4): from now on both get five seconds for every
    /// move, the claimant's current one and the opponent's next one included; the opponent gets two
    /// minutes.
    pub(super) fn quickplay(
        &mut self,
        now: Instant,
        &Quickplay { claimant }: &Quickplay,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        if self.state.phase == Phase::Ready {
            return Err(self.wrong_phase("the quickplay increment", "start the game first"));
        }
        self.all_or_nothing(|engine| {
            engine.state.run_to(&engine.settings, now);
            engine.may_claim(claimant)?;
            let fallen = engine.fallen();
            for side in Side::BOTH {
                for clock in engine.past.clocks(side).chain([&mut engine.state.clocks[side]]) {
                    if stage_of(&engine.settings, side, clock).method == Method::PLAIN {
                        clock.main += QUICKPLAY_INCREMENT;
                        clock.granted = QUICKPLAY_INCREMENT;
                    }
                }
            }
            grant_quickplay(&mut engine.settings.control);
            engine.give(!claimant, QUICKPLAY_BONUS)?;
            engine.settle_falls(now, fallen, outputs);
            engine.leave_paused();
            Ok(())
        })
    }

    /// Whether a quickplay claim can be granted at all.
    fn may_claim(&self, claimant: Side) -> Result<(), Refusal> {
        let unfit = |why| Err(Refusal::Unfit { asked: "the quickplay increment", why });
        if claimant != self.state.to_move {
            return unfit("only the player to move can claim it");
        }
        if self.state.class == Class::Blitz {
            return unfit("in blitz there is none (Guidelines III.2)");
        }
        if self.next_stage(claimant).is_some() {
            return unfit("it belongs to the last stage, in which all moves are to be made");
        }
        let plain = |side| self.state.stage(&self.settings, side).method == Method::PLAIN;
        if !Side::BOTH.into_iter().all(plain) {
            return unfit("it is for plain time, without increment, delay or overtime");
        }
        match self.state.remaining(&self.settings, claimant) {
            _ if self.state.clocks[claimant].is_fallen() => Err(Refusal::NoTime { side: claimant }),
            Some(left) if left < QUICKPLAY_BELOW => Ok(()),
            _ => unfit("the claimant has two minutes or more"),
        }
    }
}

/// Puts the quickplay increment into every stage of plain time. What is over already does not ask.
fn grant_quickplay(control: &mut Control) {
    for side in Side::BOTH {
        for stage in &mut control.sides[side].list {
            if let Method::Main { grant: grant @ Grant::None, overtime: Overtime::None } =
                &mut stage.method
            {
                *grant = Grant::Increment { each: QUICKPLAY_INCREMENT, cap: None };
            }
        }
    }
}
