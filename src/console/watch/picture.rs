//! The game as it stands at the reader's now, between two answers of the daemon.
//!
//! It decides nothing. The engine's own arithmetic carries the clock that runs on from the last
//! answer, for a moment; a flag, a period or a stage that is due is the daemon's to tell.

use serde_json::Value;

use super::super::orders;
use crate::control::{Profile, Settings, Side, notation};
use crate::engine::{Engine, Phase, Saved, State};
use crate::record::{self, Fields, Precision, state_fields};
use crate::time::{Instant, Span};

/// How old an answer may be and still be carried on from. The daemon is asked every second.
pub(super) const FRESH: Span = Span::from_millis(2_500);

/// The members of a side that change while its clock runs.
const RUNNING: [&str; 5] = ["remaining_us", "main_us", "allowance_us", "overtime_us", "points"];

/// An answer of the daemon's, and when it came on the reader's time line.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) state: Fields,
    pub(super) properties: Fields,
    taken: Instant,
    /// What runs, where something does and its control is known here.
    running: Option<Box<(State, Settings)>>,
}

impl Picture {
    /// A picture that came at `now`.
    pub(super) fn new(now: Instant, state: Fields, properties: Fields) -> Picture {
        let running = running(&state, &properties).map(Box::new);
        Picture { state, properties, taken: now, running }
    }

    /// How long ago it was taken.
    pub(super) fn age(&self, now: Instant) -> Span {
        (now - self.taken).or_zero()
    }

    /// The state at `now`; one that is not fresh stays as it was.
    pub(super) fn at(&self, now: Instant) -> Fields {
        let mut state = self.state.clone();
        let age = self.age(now);
        if let Some(running) = &self.running
            && age <= FRESH
        {
            let (game, settings) = &**running;
            let later = game.snapshot(settings, game.since + age);
            let later = state_fields(&later, Precision::Micros);
            for side in Side::BOTH {
                carry_on(&mut state, &later, side);
            }
        }
        state
    }

    /// A property of the daemon's.
    pub(super) fn property(&self, name: &str) -> Option<&str> {
        self.properties.get(name)?.as_str()
    }

    /// The number of the newest line that it knows.
    pub(super) fn sequence(&self) -> u64 {
        orders::sequence(&self.state)
    }

    /// Ready, running, paused, flagged or ended.
    pub(super) fn phase(&self) -> &str {
        self.state.get("phase").and_then(Value::as_str).unwrap_or_default()
    }

    /// Move counters are kept from this reader (Laws 12.6): under fide they are for arbiters.
    pub(super) fn hides_moves(&self) -> bool {
        let white = self.state.get("white").and_then(Value::as_object);
        white.is_some_and(|side| !side.contains_key("moves"))
    }
}

fn carry_on(state: &mut Fields, later: &Fields, side: Side) {
    let later = later.get(side.name()).and_then(Value::as_object);
    let shown = state.get_mut(side.name()).and_then(Value::as_object_mut);
    let (Some(later), Some(shown)) = (later, shown) else { return };
    for name in RUNNING {
        if let (Some(shown), Some(later)) = (shown.get_mut(name), later.get(name)) {
            shown.clone_from(later);
        }
    }
}

/// The game that a picture shows, where its clock runs. No switch has a say in how a turn's time
/// is used, so those of any profile do.
fn running(state: &Fields, properties: &Fields) -> Option<(State, Settings)> {
    // A simulated clock whose time stands until it is told otherwise
    let health = properties.get("Health").and_then(Value::as_object);
    if health.and_then(|health| health.get("timebase")?.as_str()) == Some("manual") {
        return None;
    }
    let control = notation::parse(properties.get("Control")?.as_str()?).ok()?;
    let seen = record::read_picture(state).ok()?;
    if seen.phase != Phase::Running {
        return None;
    }
    let engine = Engine::new(Instant::ZERO, Box::new(Settings::new(control, Profile::default())));
    let Saved { state, settings, .. } = Saved::seen(&seen, &engine);
    Some((state, settings))
}
