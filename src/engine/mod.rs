//! The game itself: sides, turns, stages, flags, the arbiter's operations. Pure.
//!
//! The engine reads no clock, no pin and no file. It is handed events with their instants and says
//! what followed; the same events give the same state, bit for bit, whoever looks in between and
//! how often.
//!
//! | family | methods | rule |
//! |---|---|---|
//! | getters | [`phase`](Engine::phase), [`state`](Engine::state), [`snapshot`](Engine::snapshot), ... | change nothing |
//! | presses | [`press`](Engine::press), [`press_both`](Engine::press_both) | `now` is the stroke's stamp |
//! | commands | [`command`](Engine::command), [`new_game`](Engine::new_game) | refused: nothing has changed |
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
mod command;
mod history;
mod insert;
mod method;
mod output;
mod penalty;
mod recovery;
mod refusal;
mod saved;
mod snapshot;
mod stage;
mod state;
mod turn;
mod undo;

pub use absence::Attendance;
pub use command::{Adjustment, Candidate, Change, Command, GameResult, Offence};
pub use history::History;
pub use output::{Effect, IgnoreReason, MAX_OUTPUTS, Output, Outputs};
pub use penalty::{Penalties, QUICKPLAY_INCREMENT, grant_quickplay};
pub use recovery::Candidates;
pub use refusal::{Refusal, RefusalKind};
pub use saved::Saved;
pub use snapshot::{FirstFlag, SideView, Snapshot};
pub use state::{Clock, FirstFall, State};

use crate::control::{Settings, Side};
use crate::time::Instant;
pub use undo::Press;

use serde::{Deserialize, Serialize};
use undo::Past;

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Set, not started.
    Ready,
    /// One side's clock runs.
    Running,
    /// Stopped inside a turn.
    Paused,
    /// A fall froze the clock.
    Flagged,
    /// Over.
    Ended,
}

impl Phase {
    /// The word on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Ready => "ready",
            Phase::Running => "running",
            Phase::Paused => "paused",
            Phase::Flagged => "flagged",
            Phase::Ended => "ended",
        }
    }
}

/// The two meanings of zero (`timing.md` 1, *flag*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlagKind {
    /// A side reached zero and a further stage was given; play goes on.
    Stage,
    /// The side has no time left: evidence, not a result.
    Fall,
}

impl FlagKind {
    /// The word on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FlagKind::Stage => "stage",
            FlagKind::Fall => "fall",
        }
    }
}

/// A game being timed.
#[derive(Clone, Debug)]
pub struct Engine {
    settings: Box<Settings>,
    state: State,
    past: Past,
    /// No event is taken before this instant.
    decided: Instant,
    late_events: u64,
}

impl Engine {
    /// A game that is ready, begun at `now`.
    #[must_use]
    pub fn new(now: Instant, settings: Box<Settings>) -> Self {
        let state = State::new(now, &settings);
        let past = Past::new(state.clocks);
        Engine { settings, state, past, decided: now, late_events: 0 }
    }

    /// Begins a new game in the place of this one; nothing of the old one remains. Gives back the
    /// old settings, for the caller to drop where that costs nobody time.
    ///
    /// # Errors
    /// A game is being played (after its first press) and `abandon` is false. The new settings
    /// are given back.
    pub fn new_game(
        &mut self,
        now: Instant,
        settings: Box<Settings>,
        abandon: bool,
    ) -> Result<Box<Settings>, (Refusal, Box<Settings>)> {
        let played = Side::BOTH.iter().any(|side| self.state.clocks[*side].moves > 0);
        let in_play = played && matches!(self.state.phase, Phase::Running | Phase::Paused);
        if in_play && !abandon {
            let refusal = Refusal::WrongPhase {
                asked: "a new game",
                phase: self.state.phase,
                remedy: "end the game first, or give it up with the option `abandon`",
            };
            return Err((refusal, settings));
        }
        let now = self.not_before_decided(now);
        let old = core::mem::replace(&mut self.settings, settings);
        let locked = self.state.locked;
        self.state = State { locked, ..State::new(now, &self.settings) };
        self.past = Past::new(self.state.clocks);
        self.decided = now;
        Ok(old)
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

    /// A player's stroke, stamped `now`. Deadlines up to `now` are decided first, so that a press
    /// at its deadline is too late and one a nanosecond before is in time, whether or not anybody
    /// polled (`timing.md` 2.5).
    pub fn press(&mut self, now: Instant, side: Side) -> Outputs {
        let mut outputs = Outputs::new();
        let now = self.begin_event(now, &mut outputs);
        self.take_press(now, side, &mut outputs);
        self.decide_until(now, &mut outputs);
        outputs
    }

    /// Both buttons closed in the same poll: the running side's press counts (while ready: that of
    /// the side that moves second), the other's is ignored (`timing.md` 2.11).
    pub fn press_both(&mut self, now: Instant) -> Outputs {
        let mut outputs = Outputs::new();
        let now = self.begin_event(now, &mut outputs);
        let counts = match self.state.phase {
            Phase::Ready => !self.state.to_move,
            _ => self.state.to_move,
        };
        self.take_press(now, counts, &mut outputs);
        let ignored = Effect::Ignored { side: !counts, reason: IgnoreReason::Simultaneous };
        outputs.push(now, ignored);
        self.decide_until(now, &mut outputs);
        outputs
    }

    /// An arbiter's operation at `now`. Deadlines up to `now` are decided first; [poll](Self::poll)
    /// them before, or their effects are lost where the command is then refused.
    ///
    /// # Errors
    /// The command does not fit the game as it stands; it has changed nothing.
    pub fn command(&mut self, now: Instant, command: &Command) -> Result<Outputs, Refusal> {
        let mut outputs = Outputs::new();
        let now = self.begin_event(now, &mut outputs);
        self.obey(now, command, &mut outputs)?;
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
