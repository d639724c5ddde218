//! Replaying lines: the engine and nothing else.
//!
//! Recorded effects are not looked at; they are computed anew from the causes.

use std::sync::Arc;

use jiff::Timestamp;

use super::cause::own_switches;
use super::effect::effect_fields_to;
use super::line::{Content, parse_line};
use super::members::Problem;
use super::{
    Cause, Fields, How, Imported, Precision, at_us, effect_kind, fields, refused_fields,
    state_fields,
};
use crate::control::presets::Presets;
use crate::control::{Control, Profile, Settings};
use crate::engine::{Engine, History, Output, Outputs, Refusal, Saved, Snapshot};
use crate::time::{Instant, Span};

/// The most effects that may lie between two causes. Only a gong left alone for days gets there.
const MAX_BETWEEN: usize = 100_000;

/// What to replay the causes under instead of what the lines say.
#[derive(Clone, Debug, Default)]
pub struct Instead {
    /// Another control, and the profile that comes with it where it is a preset. The latter
    /// counts only for lines that begin without a `new_game`.
    pub control: Option<(Control, Option<Profile>)>,
    /// Another profile; switches that a game sets apart from its profile's stay.
    pub profile: Option<Profile>,
}

/// A replay: lines in, steps out. No time passes but what the lines say.
#[derive(Debug)]
pub struct Replay {
    presets: Presets,
    instead: Instead,
    game: Option<Game>,
    number: usize,
    last_at: Span,
    next_seq: Option<u64>,
}

/// The game that the lines tell.
#[derive(Debug)]
struct Game {
    engine: Engine,
    history: History,
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
    /// True where the cause sets the game that the steps after it belong to.
    pub begins: bool,
    /// The cause. A new game's settings are those that it was replayed under.
    pub cause: Cause,
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
    pub fn new(instead: Instead) -> Self {
        Replay {
            presets: Presets::shipped(),
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
        self.number += 1;
        self.follow(text).map_err(|problem| LineError { number: self.number, problem })
    }

    fn follow(&mut self, text: &str) -> Result<Option<Step>, Problem> {
        let line = parse_line(text, &self.presets)?;
        let sets = matches!(line.content, Content::Cause(Cause::NewGame { .. }));
        // One in the middle of a journal was asked for and refused: a game has its own journal.
        let refused = sets && self.game.is_some() && line.seq.is_some_and(|seq| seq != 0);
        let begins = sets && !refused;
        self.check_sequence(line.seq, begins)?;
        let Content::Cause(cause) = line.content else {
            return Ok(None);
        };
        self.check_time(line.at, begins)?;
        let step = self.step(line.at, cause, begins)?;
        Ok(Some(Step { seq: line.seq, wall: line.wall, origin: line.origin, ..step }))
    }

    /// The game as it stands, if there is one.
    #[must_use]
    pub fn engine(&self) -> Option<&Engine> {
        self.game.as_ref().map(|game| &game.engine)
    }

    /// The game as it stands, to be played on, and what has happened in it: the time line of both
    /// is that of the lines.
    #[must_use]
    pub fn into_game(self) -> Option<(Engine, History)> {
        self.game.map(|game| (game.engine, game.history))
    }

    /// Lets everything happen that is due by then, before the next line is taken.
    pub(super) fn until(&mut self, at: Span) -> Result<Followed, Problem> {
        let mut followed = Followed::default();
        if let Some(game) = &mut self.game {
            game.decide(Instant::ZERO + at, &mut followed)?;
        }
        Ok(followed)
    }

    /// Each line counts one, whether it says its number or not; a new game may begin at 0 again.
    fn check_sequence(&mut self, seq: Option<u64>, begins: bool) -> Result<(), Problem> {
        if let (Some(seq), Some(next)) = (seq, self.next_seq)
            && seq != next
            && !(begins && seq == 0)
        {
            let sentence =
                format!("is {seq} where {next} is expected: a line is missing or out of its place");
            return Err(Problem { field: Some("seq".to_owned()), sentence });
        }
        self.next_seq = seq.or(self.next_seq).and_then(|seq| seq.checked_add(1));
        Ok(())
    }

    fn check_time(&mut self, at: Span, begins: bool) -> Result<(), Problem> {
        let problem = |sentence| Problem { field: Some("at_us".to_owned()), sentence };
        let written = |at| at_us(at, Precision::Nanos);
        if begins && at != Span::ZERO {
            return Err(problem(format!(
                "is {}; a game's time line begins with its new_game at 0",
                written(at)
            )));
        }
        if !begins && at < self.last_at {
            return Err(problem(format!(
                "is {}, before the last cause at {}; time never goes back",
                written(at),
                written(self.last_at)
            )));
        }
        self.last_at = at;
        Ok(())
    }

    fn step(&mut self, at: Span, cause: Cause, begins: bool) -> Result<Step, Problem> {
        let now = Instant::ZERO + at;
        if let Cause::NewGame { settings } = &cause
            && begins
        {
            let settings = self.settings_for(settings);
            let snapshot = self.begin(&settings).engine.snapshot(now);
            let cause = Cause::NewGame { settings: Arc::new(settings) };
            return Ok(Step { begins: true, ..Step::new(at, cause, snapshot) });
        }
        let game = match &mut self.game {
            Some(game) => game,
            None => {
                let settings = self.settings_without_a_game()?;
                self.begin(&settings)
            }
        };
        let mut followed = Followed::default();
        game.decide(now, &mut followed)?;
        let before = followed.effects.len();
        let refused = game.take(now, &cause, &mut followed).err();
        // a clock that was started or resumed at zero falls at that very instant
        game.decide(now, &mut followed)?;
        let Followed { effects, states } = followed;
        let told = states.get(before..).and_then(<[_]>::last).filter(|told| told.at == at);
        let snapshot = told.copied().unwrap_or_else(|| game.engine.snapshot(now));
        Ok(Step { effects, refused, states, before, ..Step::new(at, cause, snapshot) })
    }

    fn begin(&mut self, settings: &Settings) -> &mut Game {
        let engine = Engine::new(Instant::ZERO, Box::new(settings.clone()));
        self.game.insert(Game { engine, history: History::new(Instant::ZERO) })
    }

    fn settings_for(&self, recorded: &Settings) -> Settings {
        let mut settings = recorded.clone();
        if let Some((control, _)) = &self.instead.control {
            settings.control = control.clone();
        }
        if let Some(profile) = self.instead.profile {
            settings.profile = profile;
            settings.switches = profile.switches();
            for (name, value) in own_switches(recorded) {
                // names and values are the switches' own
                let _ = settings.switches.set(name, &value);
            }
        }
        settings
    }

    fn settings_without_a_game(&self) -> Result<Settings, Problem> {
        let Some((control, own_profile)) = &self.instead.control else {
            return Err(Problem::line(
                "the lines do not begin with a new_game, so no control is known; \
                 begin with {\"kind\":\"new_game\",\"at_us\":0,\"control\":\"...\"} \
                 or `replay` it with --control",
            ));
        };
        let profile = self.instead.profile.or(*own_profile).unwrap_or_default();
        Ok(Settings::new(control.clone(), profile))
    }
}

impl Game {
    /// Lets everything happen that is due by `now`, one deadline after the other as the box does.
    fn decide(&mut self, now: Instant, followed: &mut Followed) -> Result<(), Problem> {
        while let Some(deadline) = self.engine.next_deadline()
            && deadline <= now
        {
            let outputs = self.engine.poll(deadline);
            self.tell(&outputs, followed);
            if followed.effects.len() > MAX_BETWEEN {
                let sentence = format!(
                    "more than {MAX_BETWEEN} effects lie between this line and the one before; \
                     put a query somewhere between them"
                );
                return Err(Problem { field: Some("at_us".to_owned()), sentence });
            }
        }
        Ok(())
    }

    /// Does what the cause says.
    fn take(
        &mut self,
        now: Instant,
        cause: &Cause,
        followed: &mut Followed,
    ) -> Result<(), Refusal> {
        let outputs = match cause {
            Cause::Press { side } => {
                self.history.press(now, *side, self.engine.state());
                self.engine.press(now, *side)
            }
            Cause::PressBoth { side } => {
                self.history.press(now, *side, self.engine.state());
                self.engine.press_both(now)
            }
            Cause::Command { command, .. } => {
                let outputs = self.engine.command(now, command)?;
                self.history.command(now, command);
                outputs
            }
            Cause::ChangeControl { control, how: How::Kept } => {
                let control = Box::new((**control).clone());
                self.engine.change_control(now, control).map_err(|(refusal, _)| refusal)?.0
            }
            Cause::ChangeControl { control, how: How::Replayed } => {
                let control = (**control).clone();
                let mut replayed = self.history.under(control, self.engine.settings(), now)?;
                self.engine.change_control_replayed(now, &mut replayed)?;
                Outputs::new()
            }
            Cause::Import { game } => {
                let saved = match &**game {
                    Imported::Exported(saved) => saved.clone(),
                    Imported::Seen(view) => Saved::seen(view, &self.engine),
                };
                saved.check().map_err(|why| Refusal::Unfit { asked: "import", why })?;
                self.engine.import(now, &mut Engine::restore(saved))?;
                self.history.imported();
                Outputs::new()
            }
            Cause::Recovered { .. } => {
                let outputs = self.engine.recover(now);
                self.history.recovered(now);
                outputs
            }
            Cause::NewGame { settings } => {
                // Asked of a copy, which gives the reason; this game goes on in any case.
                let asked =
                    self.engine.clone().new_game(now, Box::new((**settings).clone()), false);
                asked.map(|_| Outputs::new()).map_err(|(refusal, _)| refusal)?
            }
            Cause::Query | Cause::Denied { .. } => Outputs::new(),
        };
        self.tell(&outputs, followed);
        Ok(())
    }

    fn tell(&mut self, outputs: &Outputs, followed: &mut Followed) {
        followed.effects.reserve_exact(outputs.as_slice().len());
        followed.states.reserve_exact(outputs.as_slice().len());
        for output in outputs {
            self.history.effect(output, self.engine.settings());
            followed.effects.push(*output);
            followed.states.push(self.engine.snapshot(output.at));
        }
    }
}

impl Step {
    /// A cause that nothing followed from.
    fn new(at: Span, cause: Cause, snapshot: Snapshot) -> Step {
        Step {
            seq: None,
            at,
            wall: None,
            origin: None,
            begins: false,
            cause,
            effects: Vec::new(),
            refused: None,
            snapshot,
            states: Vec::new(),
            before: 0,
        }
    }

    /// The step as one object: `at_us`, `kind`, `effects` and `state`.
    #[must_use]
    pub fn fields(&self, precision: Precision) -> Fields {
        let line = |at: Span, kind: &str, own: Fields| {
            let mut all = fields([("at_us", at_us(at, precision)), ("kind", kind.into())]);
            all.extend(own);
            serde_json::Value::from(all)
        };
        let computed = self.effects.iter().map(|output| {
            let own = effect_fields_to(&output.effect, precision);
            line(output.at - Instant::ZERO, effect_kind(&output.effect), own)
        });
        let kind = self.cause.kind();
        let refused = self
            .refused
            .iter()
            .map(|refusal| line(self.at, "refused", refused_fields(kind, refusal)));
        fields([
            ("at_us", at_us(self.at, precision)),
            ("kind", kind.into()),
            ("effects", computed.chain(refused).collect()),
            ("state", state_fields(&self.snapshot, precision).into()),
        ])
    }
}
