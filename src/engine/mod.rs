//! The game itself: sides, turns, stages, flags, the arbiter's operations. Pure.
//!
//! Skeleton of the contract; the behaviour follows.

pub mod command;
pub mod method;
pub mod output;
pub mod snapshot;
pub mod state;

pub use command::{Adjustment, Change, Command, GameResult, Refusal, RefusalKind};
pub use output::{Effect, IgnoreReason, MAX_OUTPUTS, Output, Outputs};
pub use snapshot::{FirstFlag, SideView, Snapshot};
pub use state::State;

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

use crate::control::{Settings, Side};
use crate::time::Instant;

/// The engine (skeleton: signatures are final, bodies follow).
#[derive(Debug)]
pub struct Engine {
    settings: Box<Settings>,
    state: State,
}

impl Engine {
    /// A game that is ready, begun at `now`.
    #[must_use]
    pub fn new(now: Instant, settings: Box<Settings>) -> Self {
        let _ = (now, &settings);
        unimplemented!()
    }
    /// Begins a new game in place; gives back the old settings for the caller to drop.
    /// Refused in a running or paused game after its first press, unless `abandon`.
    /// # Errors
    /// `Err((refusal, settings))`: the new settings are given back.
    pub fn new_game(
        &mut self,
        now: Instant,
        settings: Box<Settings>,
        abandon: bool,
    ) -> Result<Box<Settings>, (Refusal, Box<Settings>)> {
        let _ = (now, abandon);
        Ok(settings)
    }
    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
    /// The state to publish.
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
    /// A player's stroke. Decides outstanding deadlines up to `now` first.
    pub fn press(&mut self, now: Instant, side: Side) -> Outputs {
        let _ = (now, side);
        unimplemented!()
    }
    /// Records a press that does not count (`simultaneous`).
    pub fn ignore(&mut self, now: Instant, side: Side, reason: IgnoreReason) -> Outputs {
        let _ = (now, side, reason);
        unimplemented!()
    }
    /// An arbiter's operation. Decides outstanding deadlines up to `now` first: their effects are
    /// in the outputs, and stand even when the command is refused (then poll first).
    /// # Errors
    /// The refusal; nothing has changed by the command.
    pub fn command(&mut self, now: Instant, command: &Command) -> Result<Outputs, Refusal> {
        let _ = (now, command);
        unimplemented!()
    }
    /// When something happens by itself next (flag, period, gong), if ever.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Instant> {
        None
    }
    /// Decides what is due at or before `now`; call until the batch is empty.
    pub fn poll(&mut self, now: Instant) -> Outputs {
        let _ = now;
        unimplemented!()
    }
    /// Events older than the last decided instant (a fault of the caller, counted).
    #[must_use]
    pub fn late_events(&self) -> u64 {
        0
    }
}
