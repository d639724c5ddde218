//! Building a report, line by line.
//!
//! The engine computes all times. This module adds how each turn ended and when no clock ran.

mod operations;

use jiff::{SignedDuration, Timestamp};

use super::{
    Completed, EndState, Entered, EventContent, Move, MoveStatus, Point, Report, ReportEntry,
    ReportEvent, StopReason,
};
use crate::control::class::class_of;
use crate::control::{BySide, Method, Side};
use crate::engine::operation::Press;
use crate::engine::{Effect, Engine, Operation, Phase, Refusal, SideView, Snapshot};
use crate::panel::reading::{self, DelayIs, Motion};
use crate::record::{LineError, Override, Replay, Step};
use crate::time::{Instant, Span};

/// Why there is no report of some lines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// A line cannot be replayed.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The lines are those of several games.
    #[error("line {number}: another game begins here; a report covers one game: split the file")]
    AnotherGame {
        /// The line, counted from 1.
        number: usize,
    },
    /// Only in lines written by hand: a journal records refused operations, too.
    #[error("line {number}: {asked} is refused: {refusal}; correct the line or remove it")]
    Refused {
        /// The line, counted from 1.
        number: usize,
        /// The operation.
        asked: &'static str,
        /// Why.
        refusal: Refusal,
    },
    /// There was no line.
    #[error("no game found; the lines must begin with a new_game")]
    NoGame,
}

/// Makes a report of the lines of a journal.
#[derive(Debug)]
pub struct Book {
    replay: Replay,
    number: usize,
    builder: Option<Builder>,
}

impl Default for Book {
    fn default() -> Self {
        Book { replay: Replay::new(Override::default()), number: 0, builder: None }
    }
}

impl Book {
    /// Takes the next line.
    ///
    /// # Errors
    /// The line cannot be replayed, begins another game or, written by hand, is refused. No report
    /// can be made then.
    pub fn line(&mut self, text: &str) -> Result<(), ReportError> {
        self.number += 1;
        let number = self.number;
        let Some(step) = self.replay.line(text)? else { return Ok(()) };
        let Some(engine) = self.replay.engine() else { return Ok(()) };
        if let (Some(refusal), None) = (step.refused, step.seq) {
            return Err(ReportError::Refused { number, asked: step.operation.name(), refusal });
        }
        match &mut self.builder {
            Some(_) if step.begins => return Err(ReportError::AnotherGame { number }),
            Some(builder) => builder.step(&step, engine),
            None => self.builder = Some(Builder::new(&step, engine)),
        }
        Ok(())
    }

    /// The report of all lines.
    ///
    /// # Errors
    /// No line began a game.
    pub fn close(self) -> Result<Report, ReportError> {
        self.builder.map(Builder::close).ok_or(ReportError::NoGame)
    }
}

/// The report so far.
#[derive(Debug)]
struct Builder {
    report: Report,
    /// The game after the last line: the replay is always one step ahead of what is needed here.
    engine: Engine,
    /// The moves that can be taken back, by their places in the report.
    kept: Vec<usize>,
    /// The turns that no move completed and whose time was not given back.
    broken_off: Vec<BrokenTurn>,
    /// The place of the event of the present stop.
    stop: Option<usize>,
    /// The last line with a time of day, and that time.
    last_wall: Option<(Span, Timestamp)>,
}

/// A turn that the arbiter broke off.
#[derive(Clone, Copy, Debug)]
struct BrokenTurn {
    side: Side,
    lasted: Span,
    /// How many moves could be taken back then.
    kept: usize,
}

/// When, by whom and why something was done.
#[derive(Clone, Copy)]
struct EventContext<'a> {
    at: Span,
    wall: Option<Timestamp>,
    origin: Option<&'a str>,
    /// Until an event shows it.
    reason: Option<&'a str>,
}

impl Builder {
    fn new(step: &Step, engine: &Engine) -> Builder {
        let settings = *engine.settings();
        let report = Report {
            class: class_of(&settings.control, &settings.switches),
            settings,
            began: step.wall,
            started: None,
            entries: Vec::new(),
            broken_off: BySide::default(),
            curves: BySide::default(),
            end: end_state(engine, step.at),
        };
        let mut builder = Builder {
            report,
            engine: engine.clone(),
            kept: Vec::new(),
            broken_off: Vec::new(),
            stop: None,
            last_wall: step.wall.map(|wall| (step.at, wall)),
        };
        builder.draw(step.at);
        builder
    }

    fn close(mut self) -> Report {
        let at = self.report.end.at;
        self.draw(at);
        self.report.end = end_state(&self.engine, at);
        for turn in self.broken_off {
            self.report.broken_off[turn.side] += turn.lasted;
        }
        self.report
    }

    /// An operation: what fell due before it, itself, and its effects. `now` is the game after it.
    fn step(&mut self, step: &Step, now: &Engine) {
        let at = Instant::ZERO + step.at;
        while let Some(due) = self.engine.next_deadline().filter(|due| *due <= at) {
            let since = SignedDuration::from_nanos((at - due).as_nanos());
            self.fall_due(due, step.wall.map(|wall| wall.saturating_sub(since).unwrap_or(wall)));
        }
        if step.refused.is_none() {
            self.carry_out(step, now);
        }
        debug_assert_eq!(self.engine.state(), now.state(), "after {:?}", step.operation);
        self.report.end.at = step.at;
        self.last_wall = step.wall.map(|wall| (step.at, wall)).or(self.last_wall);
    }

    fn carry_out(&mut self, step: &Step, now: &Engine) {
        let reason = step.annotations.reason.as_deref().filter(|reason| !reason.is_empty());
        let (at, wall, origin) = (step.at, step.wall, step.origin.as_deref());
        let mut context = EventContext { at, wall, origin, reason };
        self.draw(step.at);
        match &step.operation {
            Operation::Press(press) => self.press(press, &mut context),
            operation => self.operation(operation, now, &mut context),
        }
        for output in step.effects.iter().skip(step.before) {
            self.effect(output.effect, Some(&step.operation), &mut context);
        }
        self.look(stop_reason(&step.operation), &mut context);
        self.unshown_reason(&step.operation, &mut context);
        self.draw(step.at);
    }

    /// Something that happens by itself.
    fn fall_due(&mut self, due: Instant, wall: Option<Timestamp>) {
        let at = due - Instant::ZERO;
        let mut context = EventContext { at, wall, origin: None, reason: None };
        self.draw(at);
        let before = self.engine.snapshot(due);
        let outputs = self.engine.poll(due);
        for output in &outputs {
            if let Effect::Turn { side } = output.effect {
                let slots = self.report.moves().filter(|made| made.side == !side).count();
                let number = u32::try_from(slots + 1).unwrap_or(u32::MAX);
                let think_time = before.sides[!side].used;
                self.complete((!side, number), think_time, Completed::Gong, &context);
            }
            self.effect(output.effect, None, &mut context);
        }
        self.look(StopReason::Flag, &mut context);
        self.draw(at);
    }

    fn press(&mut self, press: &Press, context: &mut EventContext) {
        let at = Instant::ZERO + context.at;
        let before = self.engine.snapshot(at);
        let side = if press.both { before.to_move } else { press.side };
        let counts = before.phase == Phase::Running
            && before.to_move == side
            && *method(&self.engine, side, &before) != Method::Gong;
        // Applying a press costs less than copying the engine. A press is never refused.
        let applied = self.engine.apply(at, &Operation::Press(press.clone()));
        debug_assert!(applied.is_ok(), "{applied:?}");
        if counts {
            let number = self.engine.snapshot(at).sides[side].moves;
            let think_time = before.sides[side].used;
            self.complete((side, number), think_time, Completed::Press, context);
        }
    }

    /// A move that has just been completed.
    fn complete(
        &mut self,
        (side, number): (Side, u32),
        think_time: Span,
        by: Completed,
        &EventContext { at, wall, .. }: &EventContext,
    ) {
        if by != Completed::Gong {
            self.kept.push(self.report.entries.len());
        }
        let after = self.engine.snapshot(Instant::ZERO + at);
        let shown = shown(&self.engine, side, &after);
        self.report.entries.push(ReportEntry::Move(Move {
            side,
            number,
            at,
            wall,
            think_time,
            shown,
            left: match method(&self.engine, side, &after) {
                Method::CountUp { .. } => after.sides[side].remaining,
                _ => Some(shown),
            },
            after: after.sides[side],
            by,
            status: MoveStatus::Counts,
        }));
    }

    fn effect(&mut self, effect: Effect, cause: Option<&Operation>, context: &mut EventContext) {
        let side = match effect {
            Effect::Turn { .. } | Effect::Ignored { .. } => return,
            Effect::Flag { side, .. }
            | Effect::FlagLifted { side }
            | Effect::Stage { side, .. }
            | Effect::StagePending { side }
            | Effect::Period { side, .. }
            | Effect::OffenceLimit { side, .. }
            | Effect::DefaultTime { side } => side,
        };
        let entered = match cause {
            Some(Operation::ConfirmStage(_)) => Entered::Confirmed,
            Some(Operation::Press(_) | Operation::InsertPress(_)) => Entered::ByMoves,
            _ => Entered::AtZero,
        };
        self.note(context, Some(side), EventContent::Effect { effect, entered });
    }

    /// Adds an event. The first one that is not an effect shows the reason.
    fn note(&mut self, context: &mut EventContext, side: Option<Side>, content: EventContent) {
        let reason = match content {
            EventContent::Effect { .. } => None,
            _ => context.reason.take(),
        };
        self.report.entries.push(ReportEntry::Event(ReportEvent {
            at: context.at,
            wall: context.wall,
            origin: context.origin.map(str::to_owned),
            side,
            reason: reason.map(str::to_owned),
            content,
        }));
    }

    /// Notes that a clock runs now and none did before, or the reverse.
    fn look(&mut self, why: StopReason, context: &mut EventContext) {
        let state = self.engine.state();
        match (state.phase, self.report.started, self.stop) {
            (Phase::Running, None, _) => {
                self.report.started = Some((context.at, context.wall));
                self.note(context, Some(state.to_move), EventContent::Started);
            }
            (Phase::Running, Some(_), Some(stop)) => {
                self.stop = None;
                if let Some(ReportEntry::Event(event)) = self.report.entries.get_mut(stop)
                    && let EventContent::Stopped { length, .. } = &mut event.content
                {
                    *length = Some(context.at - event.at);
                }
            }
            (Phase::Paused | Phase::Flagged | Phase::Ended, Some(_), None) => {
                self.stop = Some(self.report.entries.len());
                self.note(context, None, EventContent::Stopped { why, length: None });
            }
            _ => {}
        }
    }

    /// Adds a point to both curves.
    fn draw(&mut self, at: Span) {
        let now = self.engine.snapshot(Instant::ZERO + at);
        for side in Side::BOTH {
            let SideView { remaining, main, .. } = now.sides[side];
            let left = remaining.unwrap_or(main);
            let curve = &mut self.report.curves[side];
            let next = Point { at, left };
            match curve.last().copied() {
                Some(last) if last == next => continue,
                // A time that may stay at zero reached it in between.
                Some(last) if left == Span::ZERO && at - last.at > last.left => {
                    curve.push(Point { at: last.at + last.left.or_zero(), left });
                }
                _ => {}
            }
            curve.push(next);
        }
    }
}

/// Why no clock runs after this operation.
const fn stop_reason(operation: &Operation) -> StopReason {
    match operation {
        Operation::Pause(_) => StopReason::Pause,
        Operation::End(_) => StopReason::End,
        Operation::Start(_) | Operation::Resume(_) | Operation::Press(_) => StopReason::Flag,
        _ => StopReason::Other,
    }
}

fn end_state(engine: &Engine, at: Span) -> EndState {
    let Snapshot { phase, to_move, sides, .. } = engine.snapshot(Instant::ZERO + at);
    let state = engine.state();
    EndState {
        at,
        phase,
        to_move,
        result: state.result,
        white_on: state.white_on,
        sides,
        shown: shown_by_both(engine, at),
    }
}

/// The method of the stage that a side is in.
fn method<'a>(engine: &'a Engine, side: Side, now: &Snapshot) -> &'a Method {
    const PLAIN: &Method = &Method::PLAIN;
    let stages = &engine.settings().control.sides[side];
    let index = usize::try_from(now.sides[side].stage).unwrap_or(usize::MAX).saturating_sub(1);
    stages.get(index).or(stages.list.last()).map_or(PLAIN, |stage| &stage.method)
}

/// The figure that a side's clock shows large.
fn shown(engine: &Engine, side: Side, now: &Snapshot) -> Span {
    let method = method(engine, side, now);
    reading::time(&now.sides[side], method, Motion::Waits, DelayIs::Beside).time
}

fn shown_by_both(engine: &Engine, at: Span) -> BySide<Span> {
    let now = engine.snapshot(Instant::ZERO + at);
    BySide::from_fn(|side| shown(engine, side, &now))
}
