//! What the arbiter's operations do to the account.

use super::{Account, BrokenOff, Place, shown};
use crate::control::{BySide, Side};
use crate::engine::{Command, Engine, Offence, Phase, Snapshot};
use crate::report::{Completed, Fate, Move, What};
use crate::time::{Instant, Span};

impl Account {
    pub(super) fn command(
        &mut self,
        command: &Command,
        reason: &str,
        (before, was): (&Engine, &Snapshot),
        (now, is): (&Engine, &Snapshot),
        place: Place,
    ) {
        let reason = || reason.to_owned();
        match *command {
            Command::Pause if was.phase != Phase::Running => {
                self.note(place, What::PausedAgain { reason: reason() });
            }
            Command::Resume { side: Some(side) } | Command::ResumeInstead { side }
                if side != was.to_move =>
            {
                let broken_off = was.sides[!side].used;
                let instead = matches!(command, Command::ResumeInstead { .. });
                if !instead {
                    self.broken_off.push(BrokenOff {
                        side: !side,
                        lasted: broken_off,
                        kept: self.kept.len(),
                    });
                }
                self.note(place, What::TurnedOver { side, broken_off, instead });
            }
            Command::Adjust(changes) => {
                for side in Side::BOTH.into_iter().filter(|side| !changes[*side].is_empty()) {
                    let change = changes[side];
                    if let Some(count) = change.moves {
                        self.uncount(|made| made.side == side && made.number > count);
                    }
                    let (before, after) = (shown(before, side, was), shown(now, side, is));
                    let reason = reason();
                    self.note(place, What::Corrected { side, change, before, after, reason });
                }
            }
            Command::UndoPress { count, refund } => {
                let moves = self.take_back(before, now, place.at, refund);
                if !refund {
                    self.break_off(before.clone(), count, place);
                }
                self.note(place, What::TakenBack { moves, refund });
            }
            Command::InsertPress { count } => self.insert(before.clone(), count, place),
            Command::Penalty { offender, offence, .. } => {
                let (moves, added) = self.penalise(before, now, (offender, offence), place.at);
                self.note(place, What::Penalty { offender, offence, added, moves });
            }
            Command::Quickplay { claimant } => self.note(place, What::Quickplay { claimant }),
            Command::SwapSides => {
                self.note(place, What::Swapped { white_on: now.state().white_on });
            }
            Command::Arrived { side } => self.note(place, What::Arrived { side }),
            Command::ChooseRecovery { candidate } => {
                self.note(place, What::Chosen { candidate });
            }
            Command::End { result } => self.note(place, What::Ended { result }),
            Command::Start { .. }
            | Command::Pause
            | Command::Resume { .. }
            | Command::ResumeInstead { .. }
            | Command::ConfirmStage { .. }
            | Command::StartAt { .. }
            | Command::Lock { .. } => {}
        }
    }

    /// Presses that the arbiter made good, one after the other.
    fn insert(&mut self, mut engine: Engine, count: u32, place: Place) {
        let now = Instant::ZERO + place.at;
        for _ in 0..count {
            let was = engine.snapshot(now);
            if engine.command(now, &Command::InsertPress { count: 1 }).is_err() {
                break;
            }
            let (side, is) = (was.to_move, engine.snapshot(now));
            let number = is.sides[side].moves;
            self.complete((side, number), &was, (&engine, &is), Completed::Inserted, place);
        }
    }

    /// What the turns had lasted that an undo without refund has broken off, one press after the
    /// other. Whoever made a press that is taken back has the time that it had then.
    fn break_off(&mut self, mut engine: Engine, count: u32, place: Place) {
        let now = Instant::ZERO + place.at;
        let mut lasted = BySide::both(Span::ZERO);
        for _ in 0..count {
            let was = engine.snapshot(now);
            let undo = Command::UndoPress { count: 1, refund: false };
            if engine.command(now, &undo).is_err() {
                break;
            }
            let presser = engine.state().to_move;
            lasted[presser] = Span::ZERO;
            if presser != was.to_move {
                lasted[!presser] += was.sides[!presser].used;
            }
        }
        let kept = self.kept.len();
        let new = Side::BOTH.map(|side| BrokenOff { side, lasted: lasted[side], kept });
        self.broken_off.extend(new);
    }

    /// What a penalty took back, and what it brought to the opponent.
    fn penalise(
        &mut self,
        before: &Engine,
        now: &Engine,
        (offender, _): (Side, Offence),
        at: Span,
    ) -> (Vec<(Side, u32)>, Span) {
        let at_now = Instant::ZERO + at;
        let kept = before.save(at_now).presses;
        let moves = self.take_back(before, now, at, true);
        let stood = match moves.len().checked_sub(1).and_then(|last| kept.get(last)) {
            Some(press) => press.before[!offender].main,
            None => before.snapshot(at_now).sides[!offender].main,
        };
        (moves, now.snapshot(at_now).sides[!offender].main - stood)
    }

    /// As many moves are taken back as the engine keeps less of. A turn that was broken off after
    /// one of them gets its time back: from a refund, or since the press was its own side's.
    fn take_back(
        &mut self,
        before: &Engine,
        now: &Engine,
        at: Span,
        refund: bool,
    ) -> Vec<(Side, u32)> {
        let kept = |engine: &Engine| engine.save(Instant::ZERO + at).presses.len();
        let count = kept(before).saturating_sub(kept(now));
        let places = self.kept.split_off(self.kept.len().saturating_sub(count));
        let left = self.kept.len();
        let made = |place: &usize| self.report.moves.get(*place).map(|made| made.side);
        let sides: Vec<_> = places.iter().map(made).collect();
        self.broken_off.retain(|turn| {
            let since = sides.get(..turn.kept.saturating_sub(left)).unwrap_or(&sides);
            let given_back =
                if refund { !since.is_empty() } else { since.contains(&Some(turn.side)) };
            !given_back
        });
        let mut moves = Vec::new();
        for place in places.into_iter().rev() {
            if let Some(made) = self.report.moves.get_mut(place) {
                made.fate = Fate::TakenBack;
                moves.push((made.side, made.number));
            }
        }
        moves
    }

    /// Moves that do not count any more.
    pub(super) fn uncount(&mut self, which: impl Fn(&Move) -> bool) {
        let moves = self.report.moves.iter_mut();
        for made in moves.filter(|made| made.fate == Fate::Counts && which(made)) {
            made.fate = Fate::Uncounted;
        }
    }
}
