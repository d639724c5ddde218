//! The game at the present moment, between two answers of the daemon.
//!
//! The engine's own arithmetic advances the running clock from the last answer, for a moment. Flags,
//! periods and stages are never decided here: they come from the daemon.

use serde_json::Value;

use super::super::orders;
use crate::control::{BySide, Profile, Settings, Side, notation};
use crate::engine::{Engine, Phase, Saved, Snapshot, State};
use crate::panel::reading::{self, DelayIs, Motion};
use crate::record::{Fields, members_of};
use crate::time::{Instant, Span};

/// The clock is advanced from answers up to this age. The daemon is asked every second.
pub(super) const FRESH: Span = Span::from_millis(2_500);

/// The members of a side that change while its clock runs.
const RUNNING: [&str; 5] = ["remaining_us", "main_us", "allowance_us", "overtime_us", "points"];

/// An answer of the daemon.
#[derive(Clone, Debug)]
pub(super) struct ClockPicture {
    pub(super) state: Fields,
    pub(super) properties: Fields,
    /// When the answer came.
    pub(super) taken: Instant,
    /// The game, where this program can read its control.
    game: Option<Box<(State, Settings)>>,
}

impl ClockPicture {
    pub(super) fn new(now: Instant, state: Fields, properties: Fields) -> ClockPicture {
        let game = game(&state, &properties).map(Box::new);
        ClockPicture { state, properties, taken: now, game }
    }

    pub(super) fn age(&self, now: Instant) -> Span {
        (now - self.taken).or_zero()
    }

    /// The state at `now`; an old one stays as it was.
    pub(super) fn at(&self, now: Instant) -> Fields {
        let mut state = self.state.clone();
        if let Some((later, _)) = self.advanced(now) {
            let later = members_of(&later);
            for side in Side::BOTH {
                advance(&mut state, &later, side);
            }
        }
        state
    }

    /// The large digits of the box at `now`; `None` where the control is not known.
    pub(super) fn figures(&self, now: Instant) -> BySide<Option<Span>> {
        let advanced = self.advanced(now);
        BySide::from_fn(|side| {
            let (view, settings) = advanced?;
            let own = &view.sides[side];
            let stage = usize::try_from(own.stage).ok()?.checked_sub(1)?;
            let method = &settings.control.sides[side].get(stage)?.method;
            let motion = match view.phase {
                Phase::Running if view.to_move == side => Motion::Runs,
                Phase::Running => Motion::Waits,
                _ => Motion::Stands,
            };
            Some(reading::time(own, method, motion, DelayIs::Beside).time)
        })
    }

    /// The game at `now`, or as it was where the answer is old.
    fn advanced(&self, now: Instant) -> Option<(Snapshot, &Settings)> {
        let (game, settings) = &**self.game.as_ref()?;
        let age = self.age(now);
        let stands = age > FRESH || self.time_is_manual();
        let later = game.since + if stands { Span::ZERO } else { age };
        Some((game.snapshot(settings, later), settings))
    }

    /// True for a simulated clock whose time is advanced by hand.
    fn time_is_manual(&self) -> bool {
        let health = self.properties.get("Health").and_then(Value::as_object);
        health.and_then(|health| health.get("timebase")?.as_str()) == Some("manual")
    }

    pub(super) fn property(&self, name: &str) -> Option<&str> {
        self.properties.get(name)?.as_str()
    }

    pub(super) fn sequence(&self) -> u64 {
        orders::sequence(&self.state)
    }

    pub(super) fn phase(&self) -> &str {
        self.state.get("phase").and_then(Value::as_str).unwrap_or_default()
    }

    /// Under fide move counters are for arbiters only (Laws 12.6).
    pub(super) fn hides_moves(&self) -> bool {
        let white = self.state.get("white").and_then(Value::as_object);
        white.is_some_and(|side| !side.contains_key("moves"))
    }
}

fn advance(state: &mut Fields, later: &Fields, side: Side) {
    let later = later.get(side.name()).and_then(Value::as_object);
    let shown = state.get_mut(side.name()).and_then(Value::as_object_mut);
    let (Some(later), Some(shown)) = (later, shown) else { return };
    for name in RUNNING {
        if let (Some(shown), Some(later)) = (shown.get_mut(name), later.get(name)) {
            shown.clone_from(later);
        }
    }
}

/// The game of a state. Switches do not matter for the time of a turn, so any profile will do.
fn game(state: &Fields, properties: &Fields) -> Option<(State, Settings)> {
    let control = notation::parse(properties.get("Control")?.as_str()?).ok()?;
    let at = state.get("at_ns").and_then(Value::as_i64).unwrap_or_default();
    let mut members = state.clone();
    members.retain(|name, _| !BESIDE.contains(&name.as_str()));
    let seen: Snapshot = serde_json::from_value(Value::from(members)).ok()?;
    let seen = Snapshot { at: Span::from_nanos(at), ..seen };
    let engine = Engine::new(Instant::ZERO, Settings::new(control, Profile::default()));
    let Saved { state, settings, .. } = Saved::from_snapshot(&seen, &engine);
    Some((state, settings))
}

/// Members of an answer that are not part of the `state`.
const BESIDE: [&str; 6] = ["game", "seq", "at_us", "at_ns", "before", "effects"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::engine::operation::{Pause, Press, Start};

    fn picture(control: &Control, engine: &Engine, at: Span) -> ClockPicture {
        let mut state = members_of(&engine.snapshot(Instant::ZERO + at));
        state.retain(|_, value| !value.is_null());
        state.insert("at_ns".to_owned(), at.as_nanos().into());
        let properties = Fields::from_iter([("Control".to_owned(), control.to_string().into())]);
        ClockPicture::new(Instant::ZERO, state, properties)
    }

    fn begun(control: &Control) -> Engine {
        let settings = Settings::new(*control, Profile::Club);
        let mut engine = Engine::new(Instant::ZERO, settings);
        let at = |s| Instant::ZERO + Span::from_secs(s);
        let start = Start { side: Some(Side::White) };
        let _ = engine.apply(at(1), &start.into()).expect("it is ready");
        for (s, side) in [(4, Side::White), (7, Side::Black)] {
            let press = Press { side, both: false };
            let _ = engine.apply(at(s), &press.into()).expect("a press");
        }
        engine
    }

    #[test]
    fn between_two_answers_every_method_runs_as_in_the_engine() {
        for control in [
            "5m",
            "3m+2s",
            "25m delay 5s",
            "3m bronstein 2s",
            "hourglass 1m",
            "byoyomi 3x30s",
            "8s byoyomi 3x30s",
            "1m canadian 10/1m",
            "move 30s",
            "5s overtime 10m",
            "up",
            "40/1h30m+30s, 30m+30s",
        ] {
            let control =
                notation::parse(control).unwrap_or_else(|error| panic!("{control}: {error}"));
            let engine = begun(&control);
            for (at, later) in [(7_000, 0), (7_500, 300), (8_000, 999), (8_100, 1_500)] {
                let (at, later) = (Span::from_millis(at), Span::from_millis(later));
                let then = engine.snapshot(Instant::ZERO + at + later);
                let then = members_of(&then);
                let shown = picture(&control, &engine, at).at(Instant::ZERO + later);
                for (side, name) in
                    Side::BOTH.into_iter().flat_map(|side| RUNNING.map(|name| (side, name)))
                {
                    let own = |state: &Fields| state[side.name()][name].clone();
                    assert_eq!(
                        own(&shown),
                        own(&then),
                        "{control}: {side}'s {name}, {later:?} after {at:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_large_digits_are_those_of_the_box() {
        for (control, white, black) in [
            ("25m delay 5s", 1_500_000, 1_500_000),
            ("8s byoyomi 3x30s", 4_000, 5_000),
            ("2s byoyomi 3x30s", 29_000, 30_000),
            ("up", 4_000, 3_000),
        ] {
            let control = notation::parse(control).expect("a control");
            let mut engine = begun(&control);
            while !engine.poll(Instant::ZERO + Span::from_secs(8)).is_empty() {}
            let figures = picture(&control, &engine, Span::from_secs(8)).figures(Instant::ZERO);
            let want = BySide { white, black }.map(|ms| Some(Span::from_millis(ms)));
            assert_eq!(figures, want, "{control}");
        }
    }

    #[test]
    fn a_clock_that_stands_and_a_time_that_stands_do_not_run() {
        let control = notation::parse("5m").expect("a control");
        let mut engine = begun(&control);
        let mut manual = picture(&control, &engine, Span::from_secs(8));
        let health = Fields::from_iter([("timebase".to_owned(), "manual".into())]);
        manual.properties.insert("Health".to_owned(), health.into());
        let manual = ClockPicture::new(Instant::ZERO, manual.state, manual.properties);
        let now = Instant::ZERO + Span::from_secs(8);
        let _ = engine.apply(now, &Pause {}.into()).expect("it runs");
        let paused = picture(&control, &engine, Span::from_secs(8));
        for picture in [manual, paused] {
            assert_eq!(picture.at(Instant::ZERO + Span::from_secs(2)), picture.state);
        }
    }
}
