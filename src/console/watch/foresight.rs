//! What an errand will do, before anybody confirms it.
//!
//! It is no second rule engine: the game's journal is replayed by the one that the daemon runs, up
//! to the instant of the daemon's picture, and the order is its next line.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::appointment::Appointment;
use super::super::arguments::Order;
use super::super::clocks::{self, Digits};
use super::super::exit::Failure;
use super::super::orders;
use super::errand::{Errand, What};
use crate::control::{Control, Profile, Settings};
use crate::engine::Command;
use crate::record::{
    Cause, Fields, How, Instead, Precision, Replay, at_us, effect_fields, effect_kind, state_fields,
};
use crate::time::Span;

/// What is shown before it is confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proposal {
    pub(super) errand: Errand,
    /// The newest line that the picture before knows: the order is for that and no later one.
    pub(super) seq: u64,
    pub(super) before: Fields,
    /// The state that it leads to; `None` where that is not a matter of the clocks, or not known.
    pub(super) after: Option<Fields>,
    /// What else there is to say.
    pub(super) says: Vec<String>,
}

impl Proposal {
    /// True if there is something to confirm: else it is there to be looked at.
    pub(super) fn can_be_given(&self) -> bool {
        !matches!(self.errand.what, What::Would(_))
    }
}

/// The line that an errand makes in the journal; `None` for what is no step of the game.
/// `control` is the one that the daemon has read in its words.
pub(super) fn cause(what: &What, control: Option<&Control>) -> Result<Option<Cause>, Failure> {
    let command = match what {
        What::Adjust(changes) => Command::Adjust(*changes),
        What::SelfTest | What::Would(_) => return Ok(None),
        What::Order(order) => match order {
            Order::Start { side } => Command::Start { side: *side },
            Order::Pause { .. } => Command::Pause,
            Order::Resume { side: Some(side), instead: true } => {
                Command::ResumeInstead { side: *side }
            }
            Order::Resume { side, .. } => Command::Resume { side: *side },
            Order::Undo { count, no_refund } => {
                Command::UndoPress { count: *count, refund: !no_refund }
            }
            Order::InsertPress { count } => Command::InsertPress { count: *count },
            Order::Swap => Command::SwapSides,
            Order::Arrived { side } => Command::Arrived { side: *side },
            Order::Penalty { side, offence, after_reply } => {
                orders::check_reply(*offence, *after_reply)?;
                let (offender, offence, after_reply) = (*side, *offence, *after_reply);
                Command::Penalty { offender, offence, after_reply }
            }
            Order::Quickplay { side } => Command::Quickplay { claimant: *side },
            Order::StartAt { time } => {
                let unix_us = orders::instant(*time)?.unix_us();
                let armed = *time != Appointment::Off;
                Command::StartAt { unix_us: armed.then_some(unix_us) }
            }
            Order::Lock => Command::Lock { locked: true },
            Order::Unlock => Command::Lock { locked: false },
            Order::End { result } => Command::End { result: *result },
            Order::Confirm { side } => Command::ConfirmStage { side: *side },
            Order::Recover { candidate } => Command::ChooseRecovery { candidate: *candidate },
            Order::Press { side } => return Ok(Some(Cause::Press { side: *side })),
            Order::Change { replayed, .. } => {
                let how = if *replayed { How::Replayed } else { How::Kept };
                let control = control.map(|control| Arc::new(control.clone()));
                return Ok(control.map(|control| Cause::ChangeControl { control, how }));
            }
            Order::New { .. } => return Ok(None),
        },
    };
    Ok(Some(Cause::command(command)))
}

/// A game as its journal tells it, at the instant of a picture.
pub(super) struct Game {
    replay: Replay,
    at: Span,
}

/// What a cause leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Foreseen {
    pub(super) after: Fields,
    /// The effects in words.
    pub(super) effects: Vec<String>,
}

impl Game {
    /// Replays a game's lines.
    ///
    /// # Errors
    /// Why they do not lead to this picture.
    pub(super) fn of(lines: &[String], picture: &Fields) -> Result<Game, String> {
        let mut replay = Replay::new(Instead::default());
        for line in lines {
            replay.line(line).map_err(|error| error.to_string())?;
        }
        if replay.engine().is_none() {
            return Err("the journal of this game has no lines".to_owned());
        }
        let at = picture.get("at_ns").and_then(Value::as_i64).unwrap_or_default();
        Ok(Game { replay, at: Span::from_nanos(at) })
    }

    /// What a cause would do now.
    ///
    /// # Errors
    /// Why it would be refused.
    pub(super) fn foresee(mut self, cause: &Cause) -> Result<Foreseen, Failure> {
        let mut line = json!({
            "kind": cause.kind(),
            "at_us": at_us(self.at, Precision::Nanos),
        });
        if let Some(line) = line.as_object_mut() {
            line.extend(cause.fields());
        }
        let step = self.replay.line(&line.to_string());
        let step = step.map_err(|error| Failure::refused(error.problem.to_string()))?;
        let Some(step) = step else {
            return Err(Failure::refused("that is no step of a game"));
        };
        if let Some(refusal) = step.refused {
            return Err(Failure::refused(refusal.to_string()));
        }
        let effects = step.effects.iter().skip(step.before).map(|output| {
            let (kind, own) = (effect_kind(&output.effect), effect_fields(&output.effect));
            format!("{} {}", kind.replace('_', " "), clocks::words(&own, Digits::Tenths))
        });
        let effects = effects.map(|words| words.trim_end().to_owned()).collect();
        Ok(Foreseen { after: state_fields(&step.snapshot, Precision::Micros), effects })
    }

    /// Why a new game would be refused now, if it would.
    pub(super) fn refuses_new(&self, control: Control, abandon: bool) -> Option<Failure> {
        let mut engine = self.replay.engine()?.clone();
        let now = crate::time::Instant::ZERO + self.at;
        let settings = Box::new(Settings::new(control, Profile::default()));
        let (refusal, _) = engine.new_game(now, settings, abandon).err()?;
        Some(Failure::refused(refusal.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::notation;

    /// A game of which this is known, at three seconds.
    fn game(lines: &[&str]) -> Game {
        let begins = r#"{"kind":"new_game","at_us":0,"control":"5m","profile":"club"}"#;
        let lines: Vec<_> = [begins].iter().chain(lines).map(|line| (*line).to_owned()).collect();
        let picture = Fields::from_iter([("at_ns".to_owned(), 3_000_000_000_i64.into())]);
        Game::of(&lines, &picture).expect("a game")
    }

    fn foresee(lines: &[&str], typed: &str) -> Result<Foreseen, Failure> {
        let errand = Errand::read(typed).expect("usage is good");
        let control = notation::parse("10m").expect("a control");
        game(lines).foresee(&cause(&errand.what, Some(&control))?.expect("a step of a game"))
    }

    const STARTED: &str = r#"{"kind":"start","at_us":1000000,"side":"white"}"#;
    const PAUSED: &str = r#"{"kind":"pause","at_us":2000000}"#;
    const PRESSED: &str = r#"{"kind":"press","at_us":2000000,"side":"white"}"#;
    const PAUSED_THEN: &str = r#"{"kind":"pause","at_us":2500000}"#;

    #[test]
    fn an_order_is_foreseen_as_the_engine_would_do_it_now() {
        for (lines, typed, stands, white_ms, black_ms) in [
            (&[STARTED] as &[&str], "pause", "paused white", 298_000, 300_000),
            (&[STARTED, PAUSED], "resume", "running white", 299_000, 300_000),
            (&[STARTED, PAUSED], "set white 1m + add black 30s", "paused white", 60_000, 330_000),
            (&[STARTED, PRESSED], "undo", "paused white", 299_000, 300_000),
            (&[STARTED, PRESSED], "undo --no-refund", "paused white", 299_000, 299_000),
            (&[STARTED, PRESSED], "press black", "running white", 299_000, 299_000),
            (
                &[STARTED, PRESSED, PAUSED_THEN],
                "change 10m --replayed",
                "paused black",
                599_000,
                599_500,
            ),
            (&[STARTED], "end 1-0", "ended white", 298_000, 300_000),
        ] {
            let foreseen = foresee(lines, typed).unwrap_or_else(|why| panic!("{typed}: {why:?}"));
            let after = foreseen.after;
            let text = |name: &str| after[name].as_str().unwrap_or("?").to_owned();
            assert_eq!(format!("{} {}", text("phase"), text("to_move")), stands, "{typed}");
            let left = |side: &str| after[side]["remaining_us"].as_i64().map(|us| us / 1_000);
            assert_eq!((left("white"), left("black")), (Some(white_ms), Some(black_ms)), "{typed}");
        }
    }

    #[test]
    fn what_would_be_refused_is_refused_before_it_is_given() {
        for (lines, typed, part) in [
            (&[STARTED] as &[&str], "set white 5m", "pause it first"),
            (&[], "undo", "no press"),
            (&[STARTED, PAUSED], "add white -10m", "less than no time"),
            (&[STARTED], "penalty white wrong-claim --after-reply", "leave it out"),
        ] {
            let why = foresee(lines, typed).expect_err(typed);
            assert!(why.sentence.contains(part), "{typed}: {}", why.sentence);
        }
        let refuses = |lines: &[&str], abandon| {
            let other = notation::parse("3m").expect("a control");
            game(lines).refuses_new(other, abandon).is_some()
        };
        assert!(refuses(&[STARTED, PRESSED], false));
        assert!(!refuses(&[STARTED, PRESSED], true));
        assert!(!refuses(&[STARTED], false));
    }

    #[test]
    fn effects_are_told_and_a_journal_that_leads_nowhere_is_said() {
        let foreseen = foresee(&[STARTED, PRESSED], "press white").expect("it is only ignored");
        assert!(foreseen.effects[0].starts_with("ignored press white"), "{:?}", foreseen.effects);
        for (lines, part) in [(vec![], "no lines"), (vec!["{".to_owned()], "line 1")] {
            let why = Game::of(&lines, &Fields::new()).err().unwrap_or_default();
            assert!(why.contains(part), "{why}");
        }
    }
}
