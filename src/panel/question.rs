//! The question after a power cut: both records of the clocks are shown, the keys choose.

use super::{Panel, face};
use crate::control::Side;
use crate::engine::{Candidate, Candidates, Phase, State};
use crate::menu::page::Page;

/// The question after a power cut: which of two records of the clocks holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    candidates: Candidates,
    /// The one that is shown.
    pub(super) shown: Candidate,
    /// It was answered or put away.
    pub(super) answered: bool,
}

impl Panel {
    /// There is a choice between two records of the clocks after a power cut, or none. It is asked
    /// for as long as the game is paused and nobody has answered.
    pub fn ask(&mut self, candidates: Option<Candidates>) {
        self.question = candidates.map(|candidates| Question {
            candidates,
            shown: self.question.map_or(Candidate::LastRecord, |question| question.shown),
            answered: self.question.is_some_and(|question| question.answered),
        });
    }

    pub(super) fn question(&mut self, phase: Phase) -> Option<&mut Question> {
        let open = phase == Phase::Paused && !self.menu.is_open();
        self.question.as_mut().filter(|question| open && !question.answered)
    }

    /// Both times of the record that is shown, and its letter blinking: `r`, as last recorded, or
    /// `P`, as at the last press.
    pub(super) fn question_page(&mut self, state: &State) -> Option<Page> {
        let (tenths_below, width) = (self.look.tenths_below, self.width);
        let Question { candidates, shown, .. } = *self.question(state.phase)?;
        let (left, letter) = match shown {
            Candidate::LastRecord => (candidates.last_record, 'r'),
            Candidate::LastPress => (candidates.last_press, 'P'),
        };
        let line = |side: Side| face::record(left[side], letter, width, tenths_below);
        Some(Page::facing(state.white_on, line(Side::White), line(Side::Black)))
    }
}
