//! A game with its history: what the timing thread plays, followed outside of it.

use super::operation::{ChangeControl, Import};
use super::{Engine, History, Operation, Outputs, Refusal, ReplacePolicy, Saved};
use crate::control::Settings;
use crate::time::Instant;

/// A game and what has happened in it. Replay, preview, recovery and the bridge to the timing
/// thread apply operations through it; the timing thread has an [`Engine`] alone.
#[derive(Clone, Debug)]
pub struct Game {
    engine: Engine,
    history: History,
}

impl Game {
    /// A game that is ready, begun at `now`.
    #[must_use]
    pub fn new(now: Instant, settings: Settings) -> Self {
        Game::of(Engine::new(now, settings))
    }

    /// A game of which nothing has happened yet.
    #[must_use]
    pub fn of(engine: Engine) -> Self {
        let history = History::new(engine.state().began);
        Game { engine, history }
    }

    /// The clocks.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What has happened.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Decides the next deadline, if it is due at `now`. Call until nothing is due.
    pub fn poll(&mut self, now: Instant) -> Option<Outputs> {
        let due = self.engine.next_deadline().filter(|deadline| *deadline <= now)?;
        let outputs = self.engine.poll(due);
        self.note(&outputs);
        Some(outputs)
    }

    /// Carries out an operation at `now`. [Poll](Self::poll) what is due before.
    ///
    /// # Errors
    /// The operation does not fit the game; it has changed nothing.
    pub fn apply(&mut self, now: Instant, operation: &Operation) -> Result<Outputs, Refusal> {
        let prepared = self.prepare(now, operation)?;
        self.apply_prepared(now, operation, prepared)
    }

    /// Carries out an operation that was [prepared](Self::prepare) at `now`.
    ///
    /// # Errors
    /// The operation does not fit the game; it has changed nothing.
    pub fn apply_prepared(
        &mut self,
        now: Instant,
        operation: &Operation,
        prepared: Option<Box<Engine>>,
    ) -> Result<Outputs, Refusal> {
        let before = *self.engine.state();
        let outputs = match prepared {
            Some(mut prepared) => {
                self.engine.adopt(now, operation, &mut prepared)?;
                Outputs::new()
            }
            None => self.engine.apply(now, operation)?,
        };
        if let Operation::NewGame(_) = operation {
            self.history = History::new(self.engine.state().began);
        } else {
            self.history.operation(now, operation, &before);
        }
        self.note(&outputs);
        Ok(outputs)
    }

    /// The game that an operation puts in the place of this one, which takes memory and time to
    /// make; `None` for an operation that the engine carries out by itself.
    ///
    /// # Errors
    /// The operation is refused.
    pub fn prepare(
        &self,
        now: Instant,
        operation: &Operation,
    ) -> Result<Option<Box<Engine>>, Refusal> {
        let prepared = match operation {
            Operation::ChangeControl(ChangeControl { control, how: ReplacePolicy::Replayed }) => {
                self.history.under(control.control, self.engine.settings(), now)?
            }
            Operation::Import(Import { exported: Some(saved), .. }) => {
                Engine::restore((**saved).clone())
            }
            Operation::Import(Import { state: Some(state), .. }) => {
                let saved = Saved::from_snapshot(state, &self.engine);
                saved.check().map_err(|why| Refusal::Unfit { asked: "import", why })?;
                Engine::restore(saved)
            }
            Operation::Import(_) => return Err(Refusal::Empty { asked: "import" }),
            _ => return Ok(None),
        };
        Ok(Some(Box::new(prepared)))
    }

    fn note(&mut self, outputs: &Outputs) {
        for output in outputs {
            self.history.effect(output, self.engine.settings());
        }
    }
}
