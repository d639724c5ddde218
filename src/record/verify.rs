//! Checks a journal: the hash chain, and that every recorded effect and state comes out again.
//!
//! Pure over lines. Whether other games lie beside this one, and whether their hashes fit, is for
//! whoever has the files.

use std::collections::VecDeque;

use serde_json::Value;

use super::chain::{After, LineHash, unseal};
use super::line::{Content, parse_line};
use super::members::Problem;
use super::replay::Followed;
use super::{
    Cause, Fields, Instead, LineError, Precision, Replay, Step, at_us, effect_fields, effect_kind,
    fields, refused_fields, state_fields,
};
use crate::control::presets::Presets;
use crate::engine::{Engine, Output, Snapshot};
use crate::time::{Instant, Span};

/// A check, line by line.
#[derive(Debug)]
pub struct Verify {
    replay: Replay,
    presets: Presets,
    number: usize,
    chain: Links,
    /// Effects that were computed and are still to be seen in the lines.
    expected: VecDeque<Followup>,
    last_at: Span,
    next_seq: u64,
}

/// Whether the lines carry hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Links {
    /// No line was seen yet.
    Unknown,
    /// They do; the last one.
    Linked(LineHash),
    /// They do not, as those written by hand.
    Unlinked,
}

/// A line that follows by the rules.
#[derive(Clone, Debug)]
pub struct Followup {
    /// When, since the game began.
    pub at: Span,
    /// Its kind.
    pub kind: &'static str,
    /// Its own members.
    pub fields: Fields,
    /// The game after it.
    pub snapshot: Snapshot,
}

/// Why a journal is not right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// A line that is none.
    #[error(transparent)]
    Malformed(#[from] LineError),
    /// A line that is not what was written, or not what follows.
    #[error("line {number}: {sentence}")]
    Differs {
        /// Which line, counted from 1.
        number: usize,
        /// What is wrong with it.
        sentence: String,
    },
}

impl Default for Verify {
    fn default() -> Self {
        Verify {
            replay: Replay::new(Instead::default()),
            presets: Presets::shipped(),
            number: 0,
            chain: Links::Unknown,
            expected: VecDeque::new(),
            last_at: Span::ZERO,
            next_seq: 0,
        }
    }
}

impl Verify {
    /// Takes the next line; `following` is the one after it, by which a line that was put in is
    /// told from one that was changed. Gives the step where the line is a cause.
    ///
    /// # Errors
    /// The first line that is not right; the check is over then.
    pub fn line(
        &mut self,
        text: &str,
        following: Option<&str>,
    ) -> Result<Option<Step>, VerifyError> {
        self.number += 1;
        self.check_link(text, following)?;
        let line = parse_line(text, &self.presets).map_err(|problem| self.malformed(problem))?;
        let recorded = serde_json::from_str::<Fields>(text)
            .map_err(|error| self.malformed(Problem::line(error.to_string())))?;
        let step = match line.content {
            Content::Cause(_) => {
                let step = self.replay.line(text)?;
                if let Some(step) = &step {
                    self.check_cause(step, &recorded)?;
                }
                step
            }
            Content::Effect => {
                self.check_effect(line.at, &recorded)?;
                self.replay.line(text)?
            }
        };
        self.last_at = line.at;
        self.next_seq = line.seq.map_or(self.next_seq, |seq| seq) + 1;
        Ok(step)
    }

    /// Effects that follow from the last lines and do not stand behind them, and those that are due
    /// by then: a daemon that was killed had not come to write them.
    ///
    /// # Errors
    /// More effects are due than can have been meant.
    pub fn unwritten(&mut self, until: Span) -> Result<Vec<Followup>, VerifyError> {
        let due = self.replay.until(until);
        let Followed { effects, states } = due.map_err(|problem| self.malformed(problem))?;
        self.expected.extend(followups(&effects, &states));
        Ok(self.expected.drain(..).collect())
    }

    /// When the last line was, since the game began.
    #[must_use]
    pub const fn last_at(&self) -> Span {
        self.last_at
    }

    /// The number that the next line has.
    #[must_use]
    pub const fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// The game after the last line, if there is one.
    #[must_use]
    pub fn engine(&self) -> Option<&Engine> {
        self.replay.engine()
    }

    /// The replay after the last line.
    #[must_use]
    pub fn into_replay(self) -> Replay {
        self.replay
    }

    /// The hash of the last line; `None` where lines carry none.
    #[must_use]
    pub const fn last_hash(&self) -> Option<LineHash> {
        match self.chain {
            Links::Linked(hash) => Some(hash),
            Links::Unknown | Links::Unlinked => None,
        }
    }

    fn check_link(&mut self, text: &str, following: Option<&str>) -> Result<(), VerifyError> {
        let begins = self.chain == Links::Unknown || begins_game(text);
        let (bare, hash) = match (unseal(text), self.chain) {
            (Some(sealed), Links::Unknown | Links::Linked(_)) => sealed,
            (Some(_), Links::Unlinked) => {
                return Err(self.differs("carries a hash, the lines before do not"));
            }
            (None, Links::Linked(_)) => {
                return Err(self.differs("carries no hash: it was changed or put in"));
            }
            (None, Links::Unknown | Links::Unlinked) => {
                self.chain = Links::Unlinked;
                return Ok(());
            }
        };
        let before = match self.chain {
            Links::Linked(before) => before,
            _ => After::of_line(text).map_or(LineHash::NOTHING, |after| after.hash),
        };
        if before.then(&bare) != hash {
            let following = following.and_then(unseal);
            let follows = |before: LineHash| {
                following.as_ref().is_some_and(|(bare, hash)| before.then(bare) == *hash)
            };
            let seq = seq_of(text);
            return Err(self.differs(match seq {
                Some(seq) if seq > self.next_seq && !begins => format!(
                    "its number is {seq} where {} is expected: what stood before it was taken out",
                    self.next_seq
                ),
                _ if follows(hash) => "it was changed: its hash is not that of its text".to_owned(),
                _ if follows(before) => {
                    "it was put in: the line after it stands on the line before it".to_owned()
                }
                _ => "its hash does not follow from its text and the line before: it was \
                      changed, or lines around it were changed, taken out or put in"
                    .to_owned(),
            }));
        }
        self.chain = Links::Linked(hash);
        Ok(())
    }

    /// A cause is what it is; the effects before it and the state after it must come out.
    fn check_cause(&mut self, step: &Step, recorded: &Fields) -> Result<(), VerifyError> {
        let mut follows = followups(&step.effects, &step.states);
        let after = follows.split_off(step.before);
        self.expected.extend(follows);
        self.all_seen()?;
        self.expected.extend(after);
        if let Some(refusal) = &step.refused {
            self.expected.push_back(Followup {
                at: step.at,
                kind: "refused",
                fields: refused_fields(step.cause.kind(), refusal),
                snapshot: step.snapshot,
            });
        }
        if let Cause::Recovered { candidates: Some(told), .. } = &step.cause
            && self.replay.engine().and_then(Engine::candidates).as_ref() != Some(told)
        {
            return Err(self.differs("the candidates are not those that come out"));
        }
        self.check_state(recorded, &step.snapshot)
    }

    fn check_effect(&mut self, at: Span, recorded: &Fields) -> Result<(), VerifyError> {
        let due = self.replay.until(at);
        let Followed { effects, states } = due.map_err(|problem| self.malformed(problem))?;
        self.expected.extend(followups(&effects, &states));
        if recorded.get("kind").is_some_and(|kind| kind == "warning") {
            return match (self.expected.is_empty(), self.replay.engine()) {
                (true, Some(engine)) => {
                    self.check_state(recorded, &engine.snapshot(Instant::ZERO + at))
                }
                _ => Ok(()),
            };
        }
        while let Some(next) = self.expected.pop_front() {
            match difference(recorded, &next) {
                None => return self.check_state(recorded, &next.snapshot),
                // Lines written by hand may leave effects out.
                Some(_) if self.chain == Links::Unlinked && !self.expected.is_empty() => {}
                Some(sentence) => return Err(self.differs(sentence)),
            }
        }
        Err(self.differs("this effect does not follow from what stands before it"))
    }

    /// In a sealed journal every effect stands before the next cause.
    fn all_seen(&mut self) -> Result<(), VerifyError> {
        match self.expected.pop_front() {
            Some(missing) if self.chain != Links::Unlinked => {
                let at = at_us(missing.at, Precision::Nanos);
                let what = shown(missing.kind, &missing.fields);
                Err(self.differs(format!(
                    "before it, this effect is missing: {what} at {at} microseconds"
                )))
            }
            _ => {
                self.expected.clear();
                Ok(())
            }
        }
    }

    /// Each recorded member of the state comes out; a line may leave some out.
    fn check_state(&self, recorded: &Fields, snapshot: &Snapshot) -> Result<(), VerifyError> {
        let Some(Value::Object(recorded)) = recorded.get("state") else { return Ok(()) };
        let exact = state_fields(snapshot, Precision::Nanos);
        let micros = state_fields(snapshot, Precision::Micros);
        match state_difference("", recorded, &micros, &exact) {
            None => Ok(()),
            Some(sentence) => Err(self.differs(sentence)),
        }
    }

    fn differs(&self, sentence: impl Into<String>) -> VerifyError {
        VerifyError::Differs { number: self.number, sentence: sentence.into() }
    }

    fn malformed(&self, problem: Problem) -> VerifyError {
        LineError { number: self.number, problem }.into()
    }
}

/// A new game's own journal begins here.
fn begins_game(text: &str) -> bool {
    seq_of(text) == Some(0)
}

/// The number of a line, as it stands in its text.
fn seq_of(text: &str) -> Option<u64> {
    serde_json::from_str::<Value>(text).ok()?.get("seq")?.as_u64()
}

fn followups(effects: &[Output], states: &[Snapshot]) -> Vec<Followup> {
    let followup = |(output, snapshot): (&Output, &Snapshot)| Followup {
        at: snapshot.at,
        kind: effect_kind(&output.effect),
        fields: effect_fields(&output.effect),
        snapshot: *snapshot,
    };
    effects.iter().zip(states).map(followup).collect()
}

/// How a recorded effect differs from the one that follows.
fn difference(recorded: &Fields, follows: &Followup) -> Option<String> {
    let mut due =
        fields([("at_us", at_us(follows.at, Precision::Nanos)), ("kind", follows.kind.into())]);
    due.extend(follows.fields.clone());
    const OF_EVERY_LINE: [&str; 4] = ["seq", "wall", "state", "hash"];
    let told: Fields = recorded
        .iter()
        .filter(|(name, _)| !OF_EVERY_LINE.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let differs =
        told.len() != due.len() || due.iter().any(|(name, value)| told.get(name) != Some(value));
    differs.then(|| {
        let (told, due) = (Value::from(told), Value::from(due));
        format!("recorded is {told}, what follows is {due}")
    })
}

fn shown(kind: &str, own: &Fields) -> String {
    format!("{kind} {}", Value::from(own.clone()))
}

/// The first recorded member that does not come out, with its parents.
fn state_difference(
    within: &str,
    recorded: &Fields,
    micros: &Fields,
    exact: &Fields,
) -> Option<String> {
    recorded.iter().find_map(|(name, told)| {
        let (micros, exact) = (micros.get(name), exact.get(name));
        if let (Value::Object(told), Some(Value::Object(micros)), Some(Value::Object(exact))) =
            (told, micros, exact)
        {
            return state_difference(&format!("{within}{name}."), told, micros, exact);
        }
        let comes_out = Some(told) == micros || Some(told) == exact;
        (!comes_out).then(|| {
            let due = micros.map_or_else(|| "nothing of this name".to_owned(), Value::to_string);
            format!("the state's {within}{name} is recorded as {told}, what comes out is {due}")
        })
    })
}
