//! Checks a journal: the hash chain, and that every recorded effect and state comes out again.
//!
//! Pure over lines. Whether other games lie beside this one, and whether their hashes fit, is for
//! whoever has the files.

use std::collections::VecDeque;

use serde_json::Value;
use serde_json::value::RawValue;

use super::chain::{After, LineHash, unseal};
use super::line::{BoxEvent, Content};
use super::reading::Problem;
use super::replay::Followed;
use super::{Fields, LineError, Override, Replay, Step, members_of};
use crate::engine::{Effect, Engine, Operation, Output, Snapshot};
use crate::time::{Instant, Span};

/// A check, line by line.
#[derive(Debug)]
pub struct Verify {
    replay: Replay,
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
    /// What it says.
    pub content: Content,
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
            replay: Replay::new(Override::default()),
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
        let line = self.replay.read(text)?;
        let (seq, at, state) = (line.seq, line.at, line.state.clone());
        let step = match &line.content {
            Content::Operation(_) => {
                let step = self.replay.take(line)?;
                if let Some(step) = &step {
                    self.check_cause(step, state.as_deref())?;
                }
                step
            }
            content => {
                self.check_effect(at, content, state.as_deref())?;
                self.replay.take(line)?
            }
        };
        self.last_at = self.last_at.max(at);
        self.next_seq = seq.unwrap_or(self.next_seq).saturating_add(1);
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
    fn check_cause(&mut self, step: &Step, state: Option<&RawValue>) -> Result<(), VerifyError> {
        let mut follows = followups(&step.effects, &step.states);
        let after = follows.split_off(step.before);
        self.expected.extend(follows);
        self.all_seen()?;
        self.expected.extend(after);
        if let Some(refusal) = &step.refused {
            self.expected.push_back(Followup {
                at: step.at,
                content: Content::Box(BoxEvent::refused(&step.operation, refusal)),
                snapshot: step.snapshot,
            });
        }
        if let Operation::Recovered(recorded) = &step.operation
            && let Some(engine) = self.replay.engine()
            && recorded.last_record.is_some()
            && engine.recovered(&recorded.why) != *recorded
        {
            return Err(self.differs("the candidates differ from the replay"));
        }
        self.check_state(state, &step.snapshot)
    }

    fn check_effect(
        &mut self,
        at: Span,
        recorded: &Content,
        state: Option<&RawValue>,
    ) -> Result<(), VerifyError> {
        let due = self.replay.until(at);
        let Followed { effects, states } = due.map_err(|problem| self.malformed(problem))?;
        self.expected.extend(followups(&effects, &states));
        if let Content::Box(BoxEvent::Warning { .. }) = recorded {
            return match (self.expected.is_empty(), self.replay.engine()) {
                (true, Some(engine)) => {
                    self.check_state(state, &engine.snapshot(Instant::ZERO + at))
                }
                _ => Ok(()),
            };
        }
        while let Some(next) = self.expected.pop_front() {
            if next.at == at && next.content == *recorded {
                return self.check_state(state, &next.snapshot);
            }
            // Lines written by hand may leave effects out.
            if self.chain != Links::Unlinked || self.expected.is_empty() {
                let (recorded, follows) = (shown(at, recorded), shown(next.at, &next.content));
                let sentence = format!("recorded is {recorded}, what follows is {follows}");
                return Err(self.differs(sentence));
            }
        }
        Err(self.differs("this effect does not follow from what is before it"))
    }

    /// In a sealed journal every effect is before the next cause.
    fn all_seen(&mut self) -> Result<(), VerifyError> {
        match self.expected.pop_front() {
            Some(missing) if self.chain != Links::Unlinked => {
                let what = shown(missing.at, &missing.content);
                Err(self.differs(format!("before it, this effect is missing: {what}")))
            }
            _ => {
                self.expected.clear();
                Ok(())
            }
        }
    }

    /// Each recorded member of the state comes out; a line may leave some out.
    fn check_state(
        &self,
        recorded: Option<&RawValue>,
        snapshot: &Snapshot,
    ) -> Result<(), VerifyError> {
        let Some(recorded) = recorded else { return Ok(()) };
        let computed = serde_json::to_string(snapshot).unwrap_or_default();
        if recorded.get() == computed {
            return Ok(());
        }
        let read = |text: &str| serde_json::from_str::<Fields>(text).unwrap_or_default();
        match state_difference("", &read(recorded.get()), &read(&computed)) {
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
        content: Content::Effect(match output.effect {
            // As finely as it is written.
            Effect::Stage { side, stage, added } => {
                let added = Span::from_micros(added.as_micros_ceil());
                Effect::Stage { side, stage, added }
            }
            effect => effect,
        }),
        snapshot: *snapshot,
    };
    effects.iter().zip(states).map(followup).collect()
}

fn shown(at: Span, content: &Content) -> String {
    let mut fields = super::fields([("at_ns", at.as_nanos().into())]);
    fields.extend(members_of(content));
    Value::from(fields).to_string()
}

/// The first recorded member that does not come out, with its parents.
fn state_difference(within: &str, recorded: &Fields, computed: &Fields) -> Option<String> {
    recorded.iter().find_map(|(name, recorded)| {
        let computed = computed.get(name);
        if let (Value::Object(recorded), Some(Value::Object(computed))) = (recorded, computed) {
            return state_difference(&format!("{within}{name}."), recorded, computed);
        }
        (Some(recorded) != computed).then(|| {
            let computed = computed.map_or_else(|| "no such member".to_owned(), Value::to_string);
            format!(
                "the state's {within}{name} is recorded as {recorded}, the replay gives {computed}"
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = r#"{"kind":"new_game","at_us":0,"control":"10s"}"#;
    const START: &str = r#"{"kind":"start","at_us":0}"#;

    fn check(lines: &[&str]) -> Result<(), VerifyError> {
        let mut verify = Verify::default();
        for (n, line) in lines.iter().enumerate() {
            verify.line(line, lines.get(n + 1).copied())?;
        }
        Ok(())
    }

    #[test]
    fn lines_written_by_hand_may_leave_effects_and_members_out() {
        for rest in [
            &[][..],
            &[r#"{"kind":"query","at_us":3000000,"state":{"white":{"main_us":7000000}}}"#],
            &[r#"{"kind":"turn","at_us":0,"side":"white"}"#],
            &[
                r#"{"kind":"flag","at_us":10000000,"side":"white","flag":"fall","first":true}"#,
                r#"{"kind":"query","at_us":12000000,"state":{"phase":"flagged"}}"#,
            ],
        ] {
            let lines = [&[GAME, START], rest].concat();
            assert_eq!(check(&lines), Ok(()), "{rest:?}");
        }
    }

    #[test]
    fn what_does_not_come_out_is_named_with_its_line() {
        for (line, part) in [
            (
                r#"{"kind":"query","at_us":3000000,"state":{"white":{"main_us":8000000}}}"#,
                "white.main_us is recorded as 8000000, the replay gives 7000000",
            ),
            (r#"{"kind":"query","at_us":0,"state":{"mood":1}}"#, "no such member"),
            (r#"{"kind":"turn","at_us":0,"side":"black"}"#, "what follows is"),
            (r#"{"kind":"period","at_us":0,"side":"black","periods":1}"#, "recorded is"),
            (
                r#"{"kind":"flag","at_us":9999999,"side":"white","flag":"fall","first":true}"#,
                "recorded is",
            ),
        ] {
            let error = check(&[GAME, START, line]).expect_err(line);
            assert!(matches!(error, VerifyError::Differs { number: 3, .. }), "{error}");
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn an_effect_that_nothing_led_to_is_named() {
        let turn = r#"{"kind":"turn","at_us":0,"side":"white"}"#;
        let error = check(&[GAME, START, turn, turn]).expect_err("two turns");
        assert!(error.to_string().contains("line 4: this effect does not follow"), "{error}");
    }

    #[test]
    fn a_line_that_is_none_is_malformed_and_not_different() {
        let error = check(&[GAME, r#"{"kind":"strat","at_us":0}"#]).expect_err("malformed");
        assert!(matches!(&error, VerifyError::Malformed(line) if line.number == 2), "{error}");
    }

    #[test]
    fn effects_that_were_not_written_any_more_are_given() {
        let mut verify = Verify::default();
        for line in [GAME, START] {
            verify.line(line, None).unwrap();
        }
        let unwritten = verify.unwritten(Span::from_secs(20)).unwrap();
        let kinds: Vec<_> = unwritten.iter().map(|line| (line.content.kind(), line.at)).collect();
        assert_eq!(kinds, [("turn", Span::ZERO), ("flag", Span::from_secs(10))]);
    }
}
