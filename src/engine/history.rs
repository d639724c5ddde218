//! What has happened in a game, kept so that it can be replayed under another control
//! (`timing.md` 6, *What-if*; Laws 6.10.2, 7.1).
//!
//! It takes memory, so it is kept outside the timing thread.

use super::{
    Adjustment, Change, Command, Effect, Engine, FlagKind, IgnoreReason, Output, Phase, Refusal,
    State,
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

/// Something that is replayed.
#[derive(Clone, Debug)]
enum Event {
    /// The side completed a move.
    Press(Side),
    /// An arbiter's operation; a press that started the game stands as `Start`.
    Command(Command),
    /// A flag stopped the clock. Under another control it may not have fallen, but nobody thought
    /// on at a clock that stood.
    Stop,
}

impl History {
    /// A game that began at `began`, in which nothing has happened yet.
    #[must_use]
    pub fn new(began: Instant) -> Self {
        let fallen = BySide::default();
        History { began, events: Vec::new(), fallen, stroke: None, unknown: None }
    }

    /// A stroke at `at`, in a game that stood so before it. Hand in its effects afterwards.
    pub fn press(&mut self, at: Instant, side: Side, before: &State) {
        let event = match before.phase {
            Phase::Ready => Event::Command(Command::Start { side: Some(before.to_move) }),
            _ => Event::Press(side),
        };
        let place = self.events.len();
        self.keep(at, event);
        self.stroke = (self.events.len() > place).then_some(place);
    }

    /// An operation that was carried out.
    pub fn command(&mut self, at: Instant, command: &Command) {
        self.stroke = None;
        self.keep(at, Event::Command(*command));
    }

    /// The clock came back from a crash, standing.
    pub fn recovered(&mut self, at: Instant) {
        self.keep(at, Event::Stop);
    }

    /// The game was replaced by one whose moves are not known here.
    pub fn imported(&mut self) {
        self.forget(
            "the game was imported, and what was played before is not known here; \
             change the control with the clocks kept, and correct them",
        );
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
        let mut replayed = Settings { control, ..settings.clone() };
        replayed.switches.freeze = false;
        replayed.switches.pause_at_stage = false;
        let mut engine = Engine::new(self.began, Box::new(replayed));
        for (at, event) in &self.events {
            settle(&mut engine, *at);
            // What is refused did not fit the other control.
            let _ = match event {
                Event::Press(side) => Ok(engine.press(*at, *side)),
                Event::Stop => engine.command(*at, &Command::Pause),
                Event::Command(Command::Adjust(changes)) => {
                    engine.command(*at, &Command::Adjust(differences(changes)))
                }
                Event::Command(command) => engine.command(*at, command),
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
fn differences(changes: &BySide<Adjustment>) -> BySide<Adjustment> {
    changes.map(|change| Adjustment {
        main: change.main.filter(|main| matches!(main, Change::By(_))),
        ..Adjustment::default()
    })
}
