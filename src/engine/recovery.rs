//! Going back to where the clock was left, and to the side that should have been resumed.

use super::operation::Recovered;
use super::undo::{Recovery, Resumed};
use super::{Candidate, Clock, Engine, Outputs, Phase, Refusal, State};
use crate::control::{BySide, Side};
use crate::time::{Instant, Span};

/// What both sides have left by each candidate; `None` for count-up without a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidates {
    /// By the last instant that was recorded.
    pub last_record: BySide<Option<Span>>,
    /// By the beginning of the turn: the last press, or the start or resumption that began it.
    pub last_press: BySide<Option<Span>>,
}

impl Engine {
    /// Remembers the game as it stands, for [`resume_instead`](Self::resume_instead).
    pub(super) fn remember_resumption(&mut self) {
        self.past.settle();
        let clocks = self.state.clocks;
        self.past.resumed = Some(Resumed { to_move: self.state.to_move, clocks });
    }

    /// The wrong side was resumed: the turn begun by that did not happen, its time is given back,
    /// and this side runs (`timing.md` 6, *Resume instead*).
    pub(super) fn resume_instead(
        &mut self,
        now: Instant,
        side: Side,
        outputs: &mut Outputs,
    ) -> Result<(), Refusal> {
        let nothing = |why| Err(Refusal::Nothing { asked: "resume instead", why });
        let Some(resumed) = self.past.resumed else {
            return nothing("no side was resumed since the last press or correction of presses");
        };
        if side == self.state.to_move {
            return nothing("this is the side that was resumed; name the other one");
        }
        self.all_or_nothing(|engine| {
            let fallen = engine.fallen();
            engine.state.clocks = resumed.clocks;
            engine.state.to_move = resumed.to_move;
            engine.state.since = now;
            engine.settle_falls(now, fallen, outputs);
            engine.leave_paused();
            engine.resume(now, Some(side), outputs)
        })
    }

    /// The clock comes back after a crash or a power cut: whatever ran is paused at `now`, the last
    /// instant that was recorded, and can be [set back](super::operation::ChooseRecovery) to the
    /// beginning of the turn until the game continues.
    pub(super) fn recover(&mut self, now: Instant) {
        if self.state.phase == Phase::Running {
            self.state.run_to(&self.settings, now);
            self.state.phase = Phase::Paused;
            self.past.settle();
            let last_press = self.past.turn;
            self.past.recovery = Some(Recovery { last_record: self.state.clocks, last_press });
        }
    }

    /// What both sides have left by each candidate; `None` where there is nothing to choose.
    #[must_use]
    pub fn candidates(&self) -> Option<Candidates> {
        let recovery = self.past.recovery.as_ref()?;
        let left = |clocks: &BySide<Clock>| {
            BySide::from_fn(|side| {
                let state = State { clocks: *clocks, ..self.state };
                state.remaining(&self.settings, side)
            })
        };
        Some(Candidates {
            last_record: left(&recovery.last_record),
            last_press: left(&recovery.last_press),
        })
    }

    /// The `recovered` line of a clock that has just been recovered.
    #[must_use]
    pub fn recovered(&self, why: &str) -> Recovered {
        let candidates = self.candidates();
        Recovered {
            why: why.to_owned(),
            last_record: candidates.map(|left| left.last_record),
            last_press: candidates.map(|left| left.last_press),
        }
    }

    /// Sets a recovered clock to one of its candidates.
    pub(super) fn choose_recovery(&mut self, candidate: Candidate) -> Result<(), Refusal> {
        let Some(recovery) = self.past.recovery.filter(|_| self.state.phase == Phase::Paused)
        else {
            let why = "the clock did not come back from a crash, or has gone on since";
            return Err(Refusal::Nothing { asked: "recover", why });
        };
        self.state.clocks = match candidate {
            Candidate::LastRecord => recovery.last_record,
            Candidate::LastPress => recovery.last_press,
        };
        Ok(())
    }
}

/// What both sides have left, as `white_ns` and `black_ns`.
pub(super) mod left_ns {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::control::BySide;
    use crate::time::Span;

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct LeftNs {
        white_ns: Option<Span>,
        black_ns: Option<Span>,
    }

    pub(in crate::engine) fn serialize<S: Serializer>(
        left: &Option<BySide<Option<Span>>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        left.map(|BySide { white, black }| LeftNs { white_ns: white, black_ns: black })
            .serialize(serializer)
    }

    pub(in crate::engine) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<BySide<Option<Span>>>, D::Error> {
        let left = Option::<LeftNs>::deserialize(deserializer)?;
        Ok(left.map(|LeftNs { white_ns, black_ns }| BySide { white: white_ns, black: black_ns }))
    }
}
