//! Replaying lines: the engine and nothing else.
//!
//! Recorded effects are not looked at; they are computed anew from the causes.

use jiff::Timestamp;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::line::{Annotations, BoxEvent, Content};
use super::reading::{JournalLine, LineReader, Problem};
use crate::control::{Profile, Settings};
use crate::engine::operation::NewGame;
use crate::engine::{
    Effect, Engine, Game, NamedControl, Operation, Output, Outputs, Precision, Refusal, Snapshot,
    StateMembers,
};
use crate::time::{Instant, Span};

/// The most effects that may lie between two causes. Only a gong left alone for days gets there.
const MAX_BETWEEN: usize = 100_000;

/// What to replay the causes under instead of what the lines say.
#[derive(Clone, Debug, Default)]
pub struct Override {
    /// Another control; the profile of a preset counts only for lines that begin without a
    /// `new_game`.
    pub control: Option<NamedControl>,
    /// Another profile; switches that a game sets apart from its profile's stay.
    pub profile: Option<Profile>,
}

/// A replay: lines in, steps out. No time passes but what the lines say.
#[derive(Debug)]
pub struct Replay {
    reader: LineReader,
    instead: Override,
    game: Option<Game>,
    number: usize,
    last_at: Span,
    next_seq: Option<u64>,
}

/// A cause and what followed from it and since the cause before.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its line's number in a journal; none in a line that was written by hand.
    pub seq: Option<u64>,
    /// When, since the game began.
    pub at: Span,
    /// The time of day of the cause, as its line says it.
    pub wall: Option<Timestamp>,
    /// Who caused it, as its line says it.
    pub origin: Option<String>,
    /// What was recorded with it.
    pub annotations: Annotations,
    /// True where the cause sets the game that the steps after it belong to.
    pub begins: bool,
    /// The cause.
    pub operation: Operation,
    /// The effects in their order; those that fell between two causes stand with the later one.
    pub effects: Vec<Output>,
    /// Why the cause was refused, if it was.
    pub refused: Option<Refusal>,
    /// The game after the cause.
    pub snapshot: Snapshot,
    /// The game after each of the effects.
    pub states: Vec<Snapshot>,
    /// How many of the effects fell before the cause.
    pub before: usize,
}

/// Effects, and the game after each.
#[derive(Clone, Debug, Default)]
pub(super) struct Followed {
    pub(super) effects: Vec<Output>,
    pub(super) states: Vec<Snapshot>,
}

/// A line that cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {number}: {problem}")]
pub struct LineError {
    /// Which line, counted from 1.
    pub number: usize,
    /// What is wrong with it and what would work.
    pub problem: Problem,
}

impl Replay {
    /// A replay that has seen no line yet.
    #[must_use]
    pub fn new(instead: Override) -> Self {
        Replay {
            reader: LineReader::default(),
            instead,
            game: None,
            number: 0,
            last_at: Span::ZERO,
            next_seq: None,
        }
    }

    /// Takes the next line; gives the step where it is a cause.
    ///
    /// # Errors
    /// The line is malformed, or does not follow the one before: the number of the line and what
    /// is wrong. The replay is over then.
    pub fn line(&mut self, text: &str) -> Result<Option<Step>, LineError> {
        let line = self.read(text)?;
        self.take(line)
    }

    /// Reads the next line, to be [taken](Self::take).
    pub(super) fn read(&mut self, text: &str) -> Result<JournalLine, LineError> {
        self.number += 1;
        self.reader.read(text).map_err(|problem| self.error(problem))
    }

    /// Takes a line that was read.
    pub(super) fn take(&mut self, line: JournalLine) -> Result<Option<Step>, LineError> {
        self.follow(line).map_err(|problem| self.error(problem))
    }

    pub(super) fn error(&self, problem: Problem) -> LineError {
        LineError { number: self.number, problem }
    }

    fn follow(&mut self, line: JournalLine) -> Result<Option<Step>, Problem> {
        let sets = matches!(line.content, Content::Operation(Operation::NewGame(_)));
        // One in the middle of a journal was asked for and refused: a game has its own journal.
        let refused = sets && self.game.is_some() && line.seq.is_some_and(|seq| seq != 0);
        let begins = sets && !refused;
        self.check_sequence(line.seq, begins)?;
        let Content::Operation(operation) = line.content else {
            return Ok(None);
        };
        self.check_time(line.at, begins)?;
        let JournalLine { seq, wall, origin, annotations, .. } = line;
        let step = self.step(line.at, operation, begins)?;
        Ok(Some(Step { seq, wall, origin, annotations, ..step }))
    }

    /// The game, if there is one.
    #[must_use]
    pub fn engine(&self) -> Option<&Engine> {
        self.game.as_ref().map(Game::engine)
    }

    /// Whether the lines are of schema 1.
    #[must_use]
    pub const fn is_schema1(&self) -> bool {
        self.reader.is_schema1()
    }

    /// The game with its history, to be continued: its time line is that of the lines.
    #[must_use]
    pub fn into_game(self) -> Option<Game> {
        self.game
    }

    /// Lets everything happen that is due by then, before the next line is taken.
    pub(super) fn until(&mut self, at: Span) -> Result<Followed, Problem> {
        let mut followed = Followed::default();
        if let Some(game) = &mut self.game {
            followed.decide(game, Instant::ZERO + at)?;
        }
        Ok(followed)
    }

    /// Each line counts one, with a number or without; a new game may begin at 0 again.
    fn check_sequence(&mut self, seq: Option<u64>, begins: bool) -> Result<(), Problem> {
        if let (Some(seq), Some(next)) = (seq, self.next_seq)
            && seq != next
            && !(begins && seq == 0)
        {
            let sentence =
                format!("is {seq} where {next} is expected: a line is missing or out of place");
            return Err(Problem::member("seq", sentence));
        }
        self.next_seq = seq.or(self.next_seq).and_then(|seq| seq.checked_add(1));
        Ok(())
    }

    fn check_time(&mut self, at: Span, begins: bool) -> Result<(), Problem> {
        if begins && at != Span::ZERO {
            let sentence = format!("is {}; a game begins at 0", at.as_nanos());
            return Err(Problem::member("at_ns", sentence));
        }
        if !begins && at < self.last_at {
            let (at, last) = (at.as_nanos(), self.last_at.as_nanos());
            let sentence =
                format!("is {at}, before the last cause at {last}; time never goes back");
            return Err(Problem::member("at_ns", sentence));
        }
        self.last_at = at;
        Ok(())
    }

    fn step(&mut self, at: Span, operation: Operation, begins: bool) -> Result<Step, Problem> {
        let now = Instant::ZERO + at;
        if let Operation::NewGame(new_game) = &operation
            && begins
        {
            let settings = self.settings_for(new_game)?;
            let snapshot = self.begin(settings).engine().snapshot(now);
            return Ok(Step { begins: true, ..Step::new(at, operation, snapshot) });
        }
        let game = match &mut self.game {
            Some(game) => game,
            None => {
                let settings = self.settings_without_a_game()?;
                self.begin(settings)
            }
        };
        let mut followed = Followed::default();
        followed.decide(game, now)?;
        let before = followed.effects.len();
        // A new game begins a journal of its own: this one was refused.
        let applied = match &operation {
            Operation::NewGame(_) => game.clone().apply(now, &operation).map(|_| Outputs::new()),
            operation => game.apply(now, operation),
        };
        let refused = applied.map(|outputs| followed.add(game, &outputs)).err();
        // A clock that was started or resumed at zero falls at that very instant.
        followed.decide(game, now)?;
        let Followed { effects, states } = followed;
        let last = states.get(before..).and_then(<[_]>::last).filter(|last| last.at == at);
        let snapshot = last.copied().unwrap_or_else(|| game.engine().snapshot(now));
        Ok(Step { effects, refused, states, before, ..Step::new(at, operation, snapshot) })
    }

    fn begin(&mut self, settings: Settings) -> &mut Game {
        self.game.insert(Game::new(Instant::ZERO, settings))
    }

    fn settings_for(&self, new_game: &NewGame) -> Result<Settings, Problem> {
        let control = self.instead.control.as_ref().or(new_game.control.as_deref());
        let Some(NamedControl { control, .. }) = control else {
            return Err(Problem::member("control", "is missing"));
        };
        let default = Settings::new(*control, Profile::default());
        let profile = self.instead.profile.or(new_game.profile);
        let mut settings = NewGame { profile, ..new_game.clone() }.settings(&default, &default);
        settings.control = *control;
        Ok(settings)
    }

    fn settings_without_a_game(&self) -> Result<Settings, Problem> {
        let Some(NamedControl { control, profile }) = &self.instead.control else {
            return Err(Problem::line(
                "the lines do not begin with a new_game, so the control is not known; \
                 begin with {\"kind\":\"new_game\",\"at_ns\":0,\"control\":\"...\"} \
                 or `replay` the file with --control",
            ));
        };
        let profile = self.instead.profile.or(*profile).unwrap_or_default();
        Ok(Settings::new(*control, profile))
    }
}

impl Followed {
    /// Lets everything happen that is due by `now`, one deadline after the other as the box does.
    fn decide(&mut self, game: &mut Game, now: Instant) -> Result<(), Problem> {
        while let Some(outputs) = game.poll(now) {
            self.add(game, &outputs);
            if self.effects.len() > MAX_BETWEEN {
                let sentence = format!(
                    "more than {MAX_BETWEEN} effects lie between this line and the one before; \
                     put a query somewhere between them"
                );
                return Err(Problem::member("at_ns", sentence));
            }
        }
        Ok(())
    }

    fn add(&mut self, game: &Game, outputs: &Outputs) {
        for output in outputs {
            self.effects.push(*output);
            self.states.push(game.engine().snapshot(output.at));
        }
    }
}

impl Step {
    /// A cause that nothing followed from.
    fn new(at: Span, operation: Operation, snapshot: Snapshot) -> Step {
        Step {
            seq: None,
            at,
            wall: None,
            origin: None,
            annotations: Annotations::default(),
            begins: false,
            operation,
            effects: Vec::new(),
            refused: None,
            snapshot,
            states: Vec::new(),
            before: 0,
        }
    }

    /// The step as one object: `at_ns`, `kind`, `effects` and `state`, with times as finely as
    /// asked.
    #[must_use]
    pub const fn members(&self, precision: Precision) -> StepMembers<'_> {
        StepMembers { step: self, precision }
    }
}

/// A [`Step`] as it is written.
#[derive(Clone, Copy, Debug)]
pub struct StepMembers<'a> {
    step: &'a Step,
    precision: Precision,
}

impl Serialize for StepMembers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let StepMembers { step, precision } = *self;
        let computed = step.effects.iter().map(|output| EffectLine {
            at_ns: output.at - Instant::ZERO,
            content: match output.effect {
                Effect::Stage { side, stage, added } if precision == Precision::Nanos => {
                    EffectContent::Exact { kind: "stage", side, stage, added_ns: added }
                }
                ref effect => EffectContent::Effect(effect),
            },
        });
        let refused = step.refused.iter().map(|refusal| EffectLine {
            at_ns: step.at,
            content: EffectContent::Box(BoxEvent::refused(&step.operation, refusal)),
        });
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("at_ns", &step.at)?;
        map.serialize_entry("kind", step.operation.name())?;
        map.serialize_entry("effects", &Sequence(computed.chain(refused)))?;
        let state = StateMembers { snapshot: &step.snapshot, precision };
        map.serialize_entry("state", &state)?;
        map.end()
    }
}

/// An effect with its instant.
#[derive(serde::Serialize)]
struct EffectLine<'a> {
    at_ns: Span,
    #[serde(flatten)]
    content: EffectContent<'a>,
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum EffectContent<'a> {
    Effect(&'a Effect),
    /// A stage change to the nanosecond.
    Exact {
        kind: &'static str,
        side: crate::control::Side,
        stage: u32,
        added_ns: Span,
    },
    Box(BoxEvent),
}

/// What an iterator gives, as a list.
struct Sequence<I>(I);

impl<I: Iterator + Clone> Serialize for Sequence<I>
where
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}
