//! The game itself: sides, turns, stages, flags, the arbiter's operations. Pure.
//!
//! The engine reads no clock, no pin and no file. It is handed events with their instants and says
//! what followed; the same events give the same state, bit for bit, whoever looks in between and
//! how often.
//!
//! | family | methods | rule |
//! |---|---|---|
//! | getters | [`phase`](Engine::phase), [`state`](Engine::state), [`snapshot`](Engine::snapshot), ... | change nothing |
//! | operations | [`apply`](Engine::apply) | refused: nothing has changed |
//! | deadlines | [`next_deadline`](Engine::next_deadline), [`poll`](Engine::poll) | decided at their own instant |
//!
//! `now` comes first, is one value for the whole event, and does not go back: an event older than
//! the last decided instant is taken at that instant and [counted](Engine::late_events).
//!
//! The rules live where they are looked for: a move and a fall in `turn`, stages in `stage`,
//! methods of timing in `method`, the arbiter's operations in `arbiter` (which allows what when),
//! `adjust`, `undo`, `insert`, `penalty`, `change` and `recovery`, late players in `absence`.

mod absence;
mod adjust;
mod arbiter;
mod change;
mod game;
mod history;
mod insert;
mod method;
mod new_game;
pub mod operation;
mod output;
mod penalty;
mod recovery;
mod refusal;
mod saved;
mod snapshot;
mod stage;
mod state;
mod terms;
mod turn;
mod undo;

pub use absence::Attendance;
pub use game::Game;
pub use history::History;
pub use operation::{Adjustment, NamedControl, Operation};
pub use output::{Effect, MAX_OUTPUTS, Output, Outputs};
pub use penalty::{Penalties, QUICKPLAY_INCREMENT};
pub use recovery::Candidates;
pub use refusal::Refusal;
pub use saved::Saved;
pub use snapshot::{FirstFlag, Precision, SideView, Snapshot, StateMembers};
pub use state::{Clock, FirstFall, State};
pub use terms::{
    Candidate, FlagKind, GameResult, IgnoreReason, Offence, Phase, RefusalKind, ReplacePolicy,
};

use crate::control::{Profile, Settings, Side};
use crate::time::Instant;
use operation::NewGame;
use undo::Past;
pub use undo::UndoPoint;

/// A game being timed.
#[derive(Clone, Debug)]
pub struct Engine {
    settings: Settings,
    state: State,
    past: Past,
    /// No event is taken before this instant.
    decided: Instant,
    late_events: u64,
}

impl Engine {
    /// A game that is ready, begun at `now`.
    #[must_use]
    pub fn new(now: Instant, settings: Settings) -> Self {
        let state = State::new(now, &settings);
        let past = Past::new(state.clocks);
        Engine { settings, state, past, decided: now, late_events: 0 }
    }

    /// Begins a new game in the place of this one; nothing of the old one remains.
    fn new_game(&mut self, now: Instant, new_game: &NewGame) -> Result<(), Refusal> {
        let played = Side::BOTH.iter().any(|side| self.state.clocks[*side].moves > 0);
        let in_play = played && matches!(self.state.phase, Phase::Running | Phase::Paused);
        if in_play && !new_game.abandon {
            return Err(Refusal::WrongPhase {
                asked: "a new game",
                phase: self.state.phase,
                remedy: "end the game first, or abandon it (`abandon`)",
            });
        }
        let now = self.not_before_decided(now);
        let defaults = Settings::new(self.settings.control, Profile::default());
        self.settings = new_game.settings(&self.settings, &defaults);
        let locked = self.state.locked;
        self.state = State { locked, ..State::new(now, &self.settings) };
        self.past = Past::new(self.state.clocks);
        self.decided = now;
        Ok(())
    }

    /// What the game was set to.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The state, from which readers compute the clocks at their own now.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The phase.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// The picture at `now`.
    #[must_use]
    pub fn snapshot(&self, now: Instant) -> Snapshot {
        self.state.snapshot(&self.settings, now)
    }

    /// How many events were older than the last decided instant: a fault of the caller.
    #[must_use]
    pub fn late_events(&self) -> u64 {
        self.late_events
    }

    /// Carries out an operation at `now`. Deadlines up to `now` are decided first, so that a press
    /// at its deadline is too late and one a nanosecond before is in time, whether or not the
    /// engine was polled (`timing.md` 2.5). [Poll](Self::poll) them before, or their effects are
    /// lost where the operation is then refused.
    ///
    /// A control whose presses are replayed, and an import, are prepared outside and
    /// [adopted](Self::adopt): see [`Game::apply`].
    ///
    /// # Errors
    /// The operation does not fit the game as it stands; it has changed nothing.
    pub fn apply(&mut self, now: Instant, operation: &Operation) -> Result<Outputs, Refusal> {
        let mut outputs = Outputs::new();
        if let Operation::NewGame(new_game) = operation {
            self.new_game(now, new_game)?;
            return Ok(outputs);
        }
        let now = self.begin_event(now, &mut outputs);
        self.carry_out(now, operation, &mut outputs)?;
        self.decide_until(now, &mut outputs);
        Ok(outputs)
    }

    /// When something happens by itself next (a flag, a burned period, the gong), if ever.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Instant> {
        self.state.next_deadline(&self.settings)
    }

    /// Decides what is due at or before `now`, each at its own instant. Call until the batch is
    /// empty: a long leap over many deadlines takes several.
    pub fn poll(&mut self, now: Instant) -> Outputs {
        let mut outputs = Outputs::new();
        while let Some(deadline) = self.due(now)
            && !outputs.is_nearly_full()
        {
            self.decide(deadline, &mut outputs);
        }
        outputs
    }

    /// The next deadline, if it is due at `now`.
    fn due(&self, now: Instant) -> Option<Instant> {
        self.next_deadline().filter(|deadline| *deadline <= now)
    }

    /// The instant at which an event is taken, once everything before it is decided.
    fn begin_event(&mut self, now: Instant, outputs: &mut Outputs) -> Instant {
        let now = self.not_before_decided(now);
        self.decide_until(now, outputs);
        self.decided = now;
        now
    }

    fn decide_until(&mut self, now: Instant, outputs: &mut Outputs) {
        while let Some(deadline) = self.due(now) {
            self.decide(deadline, outputs);
        }
    }

    /// Time never goes back (`timing.md` 2.15).
    fn not_before_decided(&mut self, now: Instant) -> Instant {
        if now < self.decided {
            self.late_events = self.late_events.saturating_add(1);
        }
        now.max(self.decided)
    }
}

#[cfg(test)]
mod tests;
