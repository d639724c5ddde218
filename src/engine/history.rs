//! What has happened in a game, kept so that it can be replayed under another control
//! (`timing.md` 6, *What-if*; Laws 6.10.2, 7.1).
//!
//! It takes memory, so it is kept outside the timing thread.

use super::operation::{Adjust, Import, Pause, Press, Start};
use super::{
    Adjustment, Effect, Engine, FlagKind, IgnoreReason, Operation, Output, Phase, Refusal, State,
};
use crate::control::{BySide, Control, Settings, Side};
use crate::time::Instant;

/// The events of a game in their order.
#[derive(Clone, Debug)]
pub struct History {
    began: Instant,
    events: Vec<(Instant, Event)>,
    /// Falls that were not lifted: a frozen side's turn stands as soon as it comes.
    fallen: BySide<bool>,
    /// Where the last stroke stands, until it is known whether it counted.
    stroke: Option<usize>,
    /// Why what was played is not known, where it is not.
    unknown: Option<&'static str>,
}

/// How many events are kept: twenty times those of the longest games. A program that pauses and
/// resumes without end must not fill the memory.
const MOST_EVENTS: usize = 16_384;

/// Something that is replayed. Most are presses: the rare operation is boxed because of its size.
#[derive(Clone, Debug)]
enum Event {
    /// The side completed a move.
    Press(Side),
    /// An operation; a press that started the game is here as `Start`.
    Operation(Box<Operation>),
    /// A flag or a restart stopped the clock. Under another control the flag may not have fallen,
    /// but neither player used time while the clock stood.
    Stop,
}

impl History {
    /// A game that began at `began`, in which nothing has happened yet.
    #[must_use]
    pub fn new(began: Instant) -> Self {
        let fallen = BySide::default();
        History { began, events: Vec::new(), fallen, stroke: None, unknown: None }
    }

    /// An operation that was carried out at `at`; `before` is the state before it. Its effects
    /// are to follow.
    pub fn operation(&mut self, at: Instant, operation: &Operation, before: &State) {
        let first = self.events.len();
        self.stroke = None;
        let event = match operation {
            Operation::Press(_) if before.phase == Phase::Ready => {
                let start = Start { side: Some(before.to_move) };
                Event::Operation(Box::new(start.into()))
            }
            Operation::Press(Press { side, both: false }) => Event::Press(*side),
            Operation::Press(Press { both: true, .. }) => Event::Press(before.to_move),
            Operation::Recovered(_) => Event::Stop,
            Operation::Import(Import { .. }) => {
                return self.forget(
                    "the game was imported, and what was played before is not known here; \
                     change the control with the clocks kept, and correct them",
                );
            }
            Operation::NewGame(_)
            | Operation::Denied(_)
            | Operation::Query(_)
            | Operation::ChangeControl(_) => return,
            operation => Event::Operation(Box::new(operation.clone())),
        };
        self.keep(at, event);
        let press = matches!(operation, Operation::Press(_));
        self.stroke = (press && self.events.len() > first).then_some(first);
    }

    fn keep(&mut self, at: Instant, event: Event) {
        if self.events.len() >= MOST_EVENTS {
            self.forget(
                "more has happened in this game than is kept; \
                 change the control with the clocks kept, and correct them",
            );
        } else if self.unknown.is_none() {
            self.events.push((at, event));
        }
    }

    fn forget(&mut self, why: &'static str) {
        self.unknown = Some(why);
        self.events = Vec::new();
        self.stroke = None;
    }

    /// An effect, of the last press or command or of time alone.
    pub fn effect(&mut self, output: &Output, settings: &Settings) {
        let switches = &settings.switches;
        let stops = match output.effect {
            Effect::Ignored { reason: IgnoreReason::Simultaneous, .. } => false,
            Effect::Ignored { .. } => {
                if let Some(stroke) = self.stroke.take() {
                    self.events.remove(stroke);
                }
                false
            }
            Effect::Flag { side, flag: FlagKind::Fall, .. } => {
                self.fallen[side] = true;
                switches.freeze
            }
            Effect::Flag { flag: FlagKind::Stage, .. } => switches.pause_at_stage,
            Effect::FlagLifted { side } => {
                self.fallen[side] = false;
                false
            }
            Effect::Turn { side } => self.fallen[side] && switches.freeze,
            _ => false,
        };
        if stops {
            self.keep(output.at, Event::Stop);
        }
    }

    /// The game as it would stand at `now` under another control, all else being as in `settings`:
    /// presses, pauses, differences and penalties are replayed, values set with `=` are not, nor is
    /// what does not fit the other control. A fall is reported, and the rest computed as if falls
    /// froze nothing.
    ///
    /// # Errors
    /// The presses are not known: the game was imported, or is endless.
    pub fn under(
        &self,
        control: Control,
        settings: &Settings,
        now: Instant,
    ) -> Result<Engine, Refusal> {
        if let Some(why) = self.unknown {
            let asked = "another control for the moves that were made";
            return Err(Refusal::Nothing { asked, why });
        }
        let mut replayed = Settings { control, ..*settings };
        replayed.switches.freeze = false;
        replayed.switches.pause_at_stage = false;
        let mut engine = Engine::new(self.began, replayed);
        for (at, event) in &self.events {
            settle(&mut engine, *at);
            // What is refused did not fit the other control.
            let _ = match event {
                Event::Press(side) => engine.apply(*at, &Press { side: *side, both: false }.into()),
                Event::Stop => engine.apply(*at, &Pause {}.into()),
                Event::Operation(operation) => match &**operation {
                    Operation::Adjust(adjust) => engine.apply(*at, &differences(adjust).into()),
                    operation => engine.apply(*at, operation),
                },
            };
        }
        settle(&mut engine, now);
        engine.settings.switches = settings.switches;
        if engine.state.phase == Phase::Paused {
            engine.leave_paused();
        }
        Ok(engine)
    }
}

/// Decides everything that is due.
fn settle(engine: &mut Engine, now: Instant) {
    while !engine.poll(now).is_empty() {}
}

/// The differences of a correction.
fn differences(adjust: &Adjust) -> Adjust {
    let sides = adjust.sides();
    let only_added = sides.map(|change| Adjustment { add: change.add, ..Adjustment::default() });
    only_added.into()
}
