//! Keeping the account of a game, line by line.
//!
//! What the engine says is taken over as it is; what is added here is which turn ended how, and
//! what stood when.

mod orders;

use jiff::{SignedDuration, Timestamp};

use super::{Completed, End, Entered, Event, Fate, Move, Point, Report, Row, What, Why};
use crate::control::class::class_of;
use crate::control::{BySide, Method, Settings, Side};
use crate::engine::{Command, Effect, Engine, Output, Phase, Refusal, SideView, Snapshot};
use crate::panel::reading::{self, DelayIs, Motion};
use crate::record::{Cause, How, Instead, LineError, Replay, Step};
use crate::time::{Instant, Span};

/// Why lines make no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// A line cannot be replayed.
    #[error(transparent)]
    Line(#[from] LineError),
    /// Several games stand one after the other.
    #[error("line {number}: another game begins here; a report is of one game: split the file")]
    AnotherGame {
        /// Where the second one begins, counted from 1.
        number: usize,
    },
    /// A line that was written by hand asks for what the rules do not allow there.
    #[error("line {number}: {asked} is refused: {refusal}; mend the line, or take it out")]
    Refused {
        /// The line, counted from 1.
        number: usize,
        /// What was asked for, by its kind.
        asked: &'static str,
        /// Why not.
        refusal: Refusal,
    },
    /// There is no game in it.
    #[error("the lines hold no game: they are to begin with a new_game")]
    NoGame,
}

/// The account of a game: lines in, a report out.
#[derive(Debug)]
pub struct Book {
    replay: Replay,
    number: usize,
    account: Option<Account>,
}

impl Default for Book {
    fn default() -> Self {
        Book { replay: Replay::new(Instead::default()), number: 0, account: None }
    }
}

impl Book {
    /// Takes the next line.
    ///
    /// # Errors
    /// The line cannot be replayed, begins another game or, written by hand, is refused by the
    /// rules; a journal tells of orders that were refused, and nothing came of them. The account is
    /// over then.
    pub fn line(&mut self, text: &str) -> Result<(), Trouble> {
        self.number += 1;
        let before = self.replay.engine().cloned();
        let Some(step) = self.replay.line(text)? else { return Ok(()) };
        let Some(now) = self.replay.engine() else { return Ok(()) };
        if let (Some(refusal), None) = (&step.refused, step.seq) {
            let (number, asked) = (self.number, step.cause.kind());
            return Err(Trouble::Refused { number, asked, refusal: *refusal });
        }
        match (&mut self.account, before) {
            (Some(_), _) if step.begins => {
                return Err(Trouble::AnotherGame { number: self.number });
            }
            (Some(account), Some(before)) => account.step(before, step, now),
            (account, _) => *account = Some(Account::open(&step, now)),
        }
        Ok(())
    }

    /// The report of what was taken.
    ///
    /// # Errors
    /// No line began a game.
    pub fn close(self) -> Result<Report, Trouble> {
        let (account, engine) = self.account.zip(self.replay.engine()).ok_or(Trouble::NoGame)?;
        Ok(account.close(engine))
    }
}

/// What is known of a game so far.
#[derive(Debug)]
struct Account {
    report: Report,
    /// The moves that can be taken back, as places in the report.
    kept: Vec<usize>,
    /// The turns that no move completed and whose time was not given back.
    broken_off: Vec<BrokenOff>,
    /// Where in the events the present standstill is told.
    stop: Option<usize>,
    /// The last line that said the time of day, and when that was on the game's own line.
    told: Option<(Span, Timestamp)>,
}

/// A turn that the arbiter broke off.
#[derive(Clone, Copy, Debug)]
struct BrokenOff {
    side: Side,
    lasted: Span,
    /// How many moves could be taken back then.
    kept: usize,
}

/// Where and by whom something came about.
#[derive(Clone, Copy)]
struct Place<'a> {
    at: Span,
    wall: Option<Timestamp>,
    origin: Option<&'a str>,
}

impl Account {
    fn open(step: &Step, engine: &Engine) -> Account {
        let settings = engine.settings().clone();
        let report = Report {
            class: class_of(&settings.control, &settings.switches),
            settings,
            began: step.wall,
            started: None,
            moves: Vec::new(),
            events: Vec::new(),
            broken_off: BySide::default(),
            curves: BySide::default(),
            end: end(engine, step.at),
            order: Vec::new(),
        };
        let told = step.wall.map(|wall| (step.at, wall));
        let (kept, broken_off) = (Vec::new(), Vec::new());
        let mut account = Account { report, kept, broken_off, stop: None, told };
        account.draw(engine, step.at);
        account
    }

    fn close(mut self, engine: &Engine) -> Report {
        let at = self.report.end.at;
        self.draw(engine, at);
        self.report.end = end(engine, at);
        for turn in self.broken_off {
            self.report.broken_off[turn.side] += turn.lasted;
        }
        self.report
    }

    /// A cause: what fell due before it, itself, and what followed.
    fn step(&mut self, mut engine: Engine, step: Step, now: &Engine) {
        let due =
            |engine: &Engine| engine.next_deadline().filter(|due| *due <= Instant::ZERO + step.at);
        while let Some(due) = due(&engine) {
            let wall = step.wall.map(|wall| before(wall, step.at - (due - Instant::ZERO)));
            self.fall_due(&mut engine, due, wall);
        }
        let place = Place { at: step.at, wall: step.wall, origin: step.origin.as_deref() };
        if step.refused.is_none() {
            self.draw(&engine, step.at);
            self.cause(&engine, &step, now, place);
            for output in step.effects.iter().skip(step.before) {
                self.effect(output, Some(&step.cause), place);
            }
            self.look(now, why(&step.cause), place);
            self.draw(now, step.at);
        }
        self.report.end.at = step.at;
        self.told = step.wall.map(|wall| (step.at, wall)).or(self.told);
    }

    /// Something that happens by itself.
    fn fall_due(&mut self, engine: &mut Engine, due: Instant, wall: Option<Timestamp>) {
        let at = due - Instant::ZERO;
        let place = Place { at, wall, origin: None };
        self.draw(engine, at);
        let before = engine.snapshot(due);
        let outputs = engine.poll(due);
        for output in &outputs {
            if let Effect::Turn { side } = output.effect {
                let slots = self.report.moves.iter().filter(|made| made.side == !side).count();
                let number = u32::try_from(slots + 1).unwrap_or(u32::MAX);
                let after = engine.snapshot(due);
                self.complete((!side, number), &before, (engine, &after), Completed::Gong, place);
            }
            self.effect(output, None, place);
        }
        self.look(engine, Why::Flag, place);
        self.draw(engine, at);
    }

    /// What the cause itself is, as far as its effects do not tell it.
    fn cause(&mut self, before: &Engine, step: &Step, now: &Engine, place: Place) {
        let at = Instant::ZERO + step.at;
        let (was, is) = (before.snapshot(at), now.snapshot(at));
        match &step.cause {
            Cause::Press { side } | Cause::PressBoth { side } => {
                let side = match step.cause {
                    Cause::PressBoth { .. } => was.to_move,
                    _ => *side,
                };
                let runs = was.phase == Phase::Running && was.to_move == side;
                if runs && *method(before, side, &was) != Method::Gong {
                    let number = is.sides[side].moves;
                    self.complete((side, number), &was, (now, &is), Completed::Press, place);
                }
            }
            Cause::Command { command, reason } => {
                self.command(command, reason, (before, &was), (now, &is), place);
            }
            Cause::ChangeControl { control, how } => {
                let stages = || BySide::from_fn(|side| is.sides[side].stage);
                let (stages, control) = ((*how == How::Replayed).then(stages), control.to_string());
                self.note(place, What::Control { control, how: *how, stages });
            }
            Cause::Import { .. } => {
                // A game that comes back here, or moves of which both know, stay what they are.
                self.uncount(|made| made.number > is.sides[made.side].moves);
                self.kept.clear();
                self.note(place, What::Imported);
            }
            Cause::Recovered { why, .. } => {
                let off = step
                    .wall
                    .zip(self.told)
                    .map(|(wall, (at, told))| span(wall.duration_since(told)) - (step.at - at));
                let off = off.filter(|off| off.is_positive());
                self.note(place, What::Recovered { why: why.clone(), off });
            }
            Cause::NewGame { .. } | Cause::Query | Cause::Denied { .. } => {}
        }
    }

    fn complete(
        &mut self,
        (side, number): (Side, u32),
        before: &Snapshot,
        (engine, after): (&Engine, &Snapshot),
        by: Completed,
        place: Place,
    ) {
        if by != Completed::Gong {
            self.kept.push(self.report.moves.len());
        }
        self.report.order.push(Row::Move(self.report.moves.len()));
        self.report.moves.push(Move {
            side,
            number,
            at: place.at,
            wall: place.wall,
            thought: before.sides[side].used,
            shown: shown(engine, side, after),
            left: match method(engine, side, after) {
                Method::CountUp { .. } => after.sides[side].remaining,
                _ => Some(shown(engine, side, after)),
            },
            after: after.sides[side],
            by,
            fate: Fate::Counts,
        });
    }

    fn effect(&mut self, output: &Output, cause: Option<&Cause>, place: Place) {
        let what = match output.effect {
            Effect::Flag { side, flag, first } => What::Flag { side, flag, first },
            Effect::FlagLifted { side } => What::FlagLifted { side },
            Effect::Stage { side, stage, added } => {
                let by = match cause {
                    Some(Cause::Command { command: Command::ConfirmStage { .. }, .. }) => {
                        Entered::Confirmed
                    }
                    Some(
                        Cause::Press { .. }
                        | Cause::PressBoth { .. }
                        | Cause::Command { command: Command::InsertPress { .. }, .. },
                    ) => Entered::Moves,
                    _ => Entered::Zero,
                };
                What::Stage { side, stage, added, by }
            }
            Effect::StagePending { side } => What::StagePending { side },
            Effect::Period { side, periods } => What::Period { side, left: periods },
            Effect::SecondOffence { side, offence } => What::SecondOffence { side, offence },
            Effect::DefaultTime { side } => What::DefaultTime { side },
            Effect::Turn { .. } | Effect::Ignored { .. } => return,
        };
        self.note(place, what);
    }

    fn note(&mut self, Place { at, wall, origin }: Place, what: What) {
        let origin = origin.map(str::to_owned);
        self.report.order.push(Row::Event(self.report.events.len()));
        self.report.events.push(Event { at, wall, origin, what });
    }

    /// Whether a clock runs now that did not, or none does any more.
    fn look(&mut self, engine: &Engine, why: Why, place: Place) {
        let state = engine.state();
        match (state.phase, self.report.started, self.stop) {
            (Phase::Running, None, _) => {
                self.report.started = Some((place.at, place.wall));
                self.note(place, What::Started { side: state.to_move });
            }
            (Phase::Running, Some(_), Some(stop)) => {
                self.stop = None;
                if let Some(Event { at, what: What::Stopped { length, .. }, .. }) =
                    self.report.events.get_mut(stop)
                {
                    *length = Some(place.at - *at);
                }
            }
            (Phase::Paused | Phase::Flagged | Phase::Ended, Some(_), None) => {
                self.stop = Some(self.report.events.len());
                self.note(place, What::Stopped { why, length: None });
            }
            _ => {}
        }
    }

    /// Puts down what both sides have left.
    fn draw(&mut self, engine: &Engine, at: Span) {
        let now = engine.snapshot(Instant::ZERO + at);
        for side in Side::BOTH {
            let left = left(&now.sides[side]);
            let curve = &mut self.report.curves[side];
            let next = Point { at, left };
            match curve.last().copied() {
                Some(last) if last == next => continue,
                // A time that may stay at zero came there on the way.
                Some(last) if left == Span::ZERO && at - last.at > last.left => {
                    curve.push(Point { at: last.at + last.left.or_zero(), left });
                }
                _ => {}
            }
            curve.push(next);
        }
    }
}

/// Why a clock stands after this cause.
fn why(cause: &Cause) -> Why {
    match cause {
        Cause::Command { command: Command::Pause, reason } => Why::Pause(reason.clone()),
        Cause::Command { command: Command::End { .. }, .. } => Why::End,
        Cause::Command { command: Command::Start { .. } | Command::Resume { .. }, .. }
        | Cause::Press { .. }
        | Cause::PressBoth { .. } => Why::Flag,
        _ => Why::Order,
    }
}

fn end(engine: &Engine, at: Span) -> End {
    let now = engine.snapshot(Instant::ZERO + at);
    let state = engine.state();
    End {
        at,
        phase: now.phase,
        to_move: now.to_move,
        result: state.result,
        white_on: state.white_on,
        sides: now.sides,
        shown: BySide::from_fn(|side| shown(engine, side, &now)),
    }
}

/// The method of the stage that a side stands in.
fn method<'a>(engine: &'a Engine, side: Side, now: &Snapshot) -> &'a Method {
    const PLAIN: &Method = &Method::PLAIN;
    let Settings { control, .. } = engine.settings();
    let stages = &control.sides[side];
    let index = usize::try_from(now.sides[side].stage).unwrap_or(usize::MAX).saturating_sub(1);
    stages.get(index).or(stages.list.last()).map_or(PLAIN, |stage| &stage.method)
}

/// The figure that a side's clock shows large.
fn shown(engine: &Engine, side: Side, now: &Snapshot) -> Span {
    let view = &now.sides[side];
    reading::time(view, method(engine, side, now), Motion::Waits, DelayIs::Beside).time
}

fn left(view: &SideView) -> Span {
    view.remaining.unwrap_or(view.main)
}

/// The time of day so much earlier.
fn before(wall: Timestamp, by: Span) -> Timestamp {
    wall.saturating_sub(SignedDuration::from_nanos(by.as_nanos())).unwrap_or(wall)
}

fn span(duration: SignedDuration) -> Span {
    Span::from_nanos(i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX))
}
