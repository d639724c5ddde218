//! What the operations change in a report.

use super::{BrokenTurn, Builder, EventContext, shown_by_both};
use crate::control::{BySide, Side};
use crate::engine::operation::{InsertPress, Penalty, Resume, ResumeInstead, UndoPress};
use crate::engine::{Engine, Operation, Phase};
use crate::report::{CarriedOut, Completed, EventContent, Move, MoveStatus, ReportEntry};
use crate::time::{Instant, Span};

impl Builder {
    /// An operation that is not a press. `now` is the game after it.
    pub(super) fn operation(
        &mut self,
        operation: &Operation,
        now: &Engine,
        context: &mut EventContext,
    ) {
        if let Operation::InsertPress(InsertPress { count }) = operation {
            self.insert(*count, context);
            self.engine = now.clone();
            return;
        }
        let at = Instant::ZERO + context.at;
        let before = core::mem::replace(&mut self.engine, now.clone());
        let (was, is) = (before.snapshot(at), now.snapshot(at));
        let mut done = carried_out(operation, now, context.at);
        let mut whose = None;
        match operation {
            Operation::Resume(Resume { side: Some(side) })
            | Operation::ResumeInstead(ResumeInstead { side })
                if *side != was.to_move =>
            {
                let lasted = was.sides[!*side].used;
                let instead = matches!(operation, Operation::ResumeInstead(_));
                if !instead {
                    let kept = self.kept.len();
                    self.broken_off.push(BrokenTurn { side: !*side, lasted, kept });
                }
                return self.note(
                    context,
                    Some(*side),
                    EventContent::BrokenOff { lasted, instead },
                );
            }
            Operation::Adjust(adjust) => {
                let [from, to] = [&before, now].map(|engine| shown_by_both(engine, context.at));
                let reason = context.reason;
                let changes = adjust.sides();
                for side in Side::BOTH.into_iter().filter(|side| !changes[*side].is_empty()) {
                    if let Some(count) = changes[side].moves {
                        self.uncount(|made| made.side == side && made.number > count);
                    }
                    let done = CarriedOut { shown: Some((from[side], to[side])), ..done.clone() };
                    context.reason = reason;
                    self.note(context, Some(side), EventContent::Operation(done));
                }
                return;
            }
            Operation::UndoPress(UndoPress { count, refund }) => {
                done.taken_back =
                    self.take_back(usize::try_from(*count).unwrap_or(usize::MAX), *refund);
                if !refund {
                    self.break_off(before, *count, at);
                }
            }
            Operation::Penalty(Penalty { offender, .. }) => {
                let presses = before.save(at).presses;
                let count = presses.len().saturating_sub(now.save(at).presses.len());
                done.taken_back = self.take_back(count, true);
                let back_to = count.checked_sub(1).and_then(|last| presses.get(last));
                let main = back_to
                    .map_or(was.sides[!*offender].main, |press| press.before[!*offender].main);
                done.added = is.sides[!*offender].main - main;
                whose = Some(*offender);
            }
            Operation::Import(_) => {
                // Moves that both games have in common stay what they are.
                self.uncount(|made| made.number > is.sides[made.side].moves);
                self.kept.clear();
            }
            Operation::Recovered(_) => {
                let last = context.wall.zip(self.last_wall);
                done.off = last.map(|(wall, (at, last))| {
                    let passed = wall.duration_since(last).as_nanos();
                    let passed = i64::try_from(passed).unwrap_or(i64::MAX);
                    Span::from_nanos(passed) - (context.at - at)
                });
                done.off = done.off.filter(|off| off.is_positive());
            }
            Operation::Quickplay(quickplay) => whose = Some(quickplay.claimant),
            Operation::Arrived(arrived) => whose = Some(arrived.side),
            // A claim is made by pausing, also at a stopped clock.
            Operation::Pause(_) if was.phase != Phase::Running => {}
            Operation::ChangeControl(_)
            | Operation::SwapSides(_)
            | Operation::ChooseRecovery(_)
            | Operation::End(_) => {}
            _ => return,
        }
        self.note(context, whose, EventContent::Operation(done));
    }

    /// An operation without an event of its own has one if a reason was given for it.
    pub(super) fn unshown_reason(&mut self, operation: &Operation, context: &mut EventContext) {
        let silent =
            matches!(operation, Operation::NewGame(_) | Operation::Query(_) | Operation::Denied(_));
        if context.reason.is_some() && !silent {
            let done = carried_out(operation, &self.engine, context.at);
            self.note(context, None, EventContent::Operation(done));
        }
    }

    /// Forgotten presses that the arbiter made good, one at a time.
    fn insert(&mut self, count: u32, context: &EventContext) {
        let at = Instant::ZERO + context.at;
        for _ in 0..count {
            let before = self.engine.snapshot(at);
            if self.engine.apply(at, &InsertPress { count: 1 }.into()).is_err() {
                break;
            }
            let side = before.to_move;
            let number = self.engine.snapshot(at).sides[side].moves;
            self.complete((side, number), before.sides[side].used, Completed::Inserted, context);
        }
    }

    /// The turns that an undo without refund broke off, one press at a time. The side that made a
    /// press has the time that it had at that press.
    fn break_off(&mut self, mut engine: Engine, count: u32, at: Instant) {
        let mut lasted = BySide::both(Span::ZERO);
        for _ in 0..count {
            let before = engine.snapshot(at);
            if engine.apply(at, &UndoPress { count: 1, refund: false }.into()).is_err() {
                break;
            }
            let presser = engine.state().to_move;
            lasted[presser] = Span::ZERO;
            if presser != before.to_move {
                lasted[!presser] += before.sides[!presser].used;
            }
        }
        let kept = self.kept.len();
        self.broken_off.extend(Side::BOTH.map(|side| BrokenTurn {
            side,
            lasted: lasted[side],
            kept,
        }));
    }

    /// Takes back the last moves. A turn that was broken off after one of them gets its time back
    /// by a refund, or because the press was its own side's.
    fn take_back(&mut self, count: usize, refund: bool) -> Vec<(Side, u32)> {
        let left = self.kept.len().saturating_sub(count);
        let mut moves = Vec::new();
        for place in self.kept.split_off(left) {
            if let Some(ReportEntry::Move(made)) = self.report.entries.get_mut(place) {
                made.status = MoveStatus::TakenBack;
                moves.push((made.side, made.number));
            }
        }
        self.broken_off.retain(|turn| {
            let since = moves.get(..turn.kept.saturating_sub(left)).unwrap_or(&moves);
            !since.iter().any(|(side, _)| refund || *side == turn.side)
        });
        moves.reverse();
        moves
    }

    /// Takes moves out of the count.
    fn uncount(&mut self, which: impl Fn(&Move) -> bool) {
        for entry in &mut self.report.entries {
            if let ReportEntry::Move(made) = entry
                && made.status == MoveStatus::Counts
                && which(made)
            {
                made.status = MoveStatus::Uncounted;
            }
        }
    }
}

fn carried_out(operation: &Operation, after: &Engine, at: Span) -> CarriedOut {
    let now = after.snapshot(Instant::ZERO + at);
    CarriedOut {
        operation: operation.clone(),
        shown: None,
        taken_back: Vec::new(),
        added: Span::ZERO,
        off: None,
        white_on: after.state().white_on,
        stages: BySide::from_fn(|side| now.sides[side].stage),
    }
}
