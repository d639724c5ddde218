//! Choosing a control: for a new game, and for the game that stands paused.

use super::catalogue::{Catalogue, Offer};
use super::compose::Compose;
use super::page::{Line, Page};
use super::{Asked, At, Choice, Menu, Open, Wish};
use crate::control::Settings;
use crate::engine::Phase;

/// What the control that a paused game has is called.
const CONTROL: &str = "CtrL";

/// The next choice of a control for a game that has one: the present one (`None`) and all that is
/// offered, round and round; empty slots are passed over.
pub(super) fn next(control: Option<usize>, up: bool, catalogue: &Catalogue) -> Option<usize> {
    // The present one stands at 0.
    let count = catalogue.choices() + 1;
    let mut place = control.map_or(0, |choice| choice + 1);
    loop {
        place = (place + if up { 1 } else { count - 1 }) % count;
        let choice = place.checked_sub(1)?;
        if catalogue.offer(choice).is_some() {
            return Some(choice);
        }
    }
}

impl Menu {
    /// Ok on a choice for a new game.
    pub(super) fn chosen(&mut self, choice: usize, abandon: bool) -> Option<Asked> {
        if self.catalogue.offer(choice).is_none() {
            let slot = choice.checked_sub(self.catalogue.presets.len())?;
            self.set(At::Compose(Compose::new(slot)));
            return None;
        }
        self.set(At::Setting);
        Some(Asked::Wish(Wish::NewGame { choice: self.named(choice), abandon }))
    }

    /// A correction was made, or there was nothing to correct. Where the switch `box-change` lets
    /// the box, the control of a paused game comes last (`timing.md` 7).
    pub(super) fn after_correction(&mut self, settings: &Settings) {
        self.left_correction = None;
        match &mut self.open {
            Some(Open { at, phase: Phase::Paused, .. }) if settings.switches.box_change => {
                *at = At::Control(None);
            }
            _ => self.open = None,
        }
    }

    /// Ok on another control for the paused game.
    pub(super) fn changes(&mut self, choice: usize) -> Option<Asked> {
        self.set(At::Changing(choice));
        Some(Asked::Wish(Wish::ChangeControl(self.named(choice))))
    }

    /// The choice, as it is told to the daemon.
    fn named(&self, choice: usize) -> Choice {
        match choice.checked_sub(self.catalogue.presets.len()) {
            None => Choice::Preset { edition: self.catalogue.edition, place: choice },
            Some(slot) => Choice::Slot(slot),
        }
    }

    /// The name of what is offered at the left, line by line, the control at the right.
    pub(super) fn offer_page(&self, choice: usize, turn: i64) -> Page {
        match self.catalogue.offer(choice) {
            // A name takes its turns half as fast.
            Some(Offer { name, outline, .. }) => {
                Page { left: in_turn(name, turn / 2), right: in_turn(outline, turn) }
            }
            None => {
                let slot = choice.saturating_sub(self.catalogue.presets.len());
                let left = super::catalogue::slot_name(slot);
                Page { left, right: Line::word("--------") }
            }
        }
    }

    /// The same for the game that stands paused; every third time the left display says what it
    /// is about.
    pub(super) fn control_page(&self, control: Option<usize>, turn: i64) -> Page {
        let Some(choice) = control else { return Page::words(CONTROL, "StAyS") };
        let page = self.offer_page(choice, turn);
        if turn / 2 % 3 == 2 { Page { left: Line::word(CONTROL), ..page } } else { page }
    }
}

fn in_turn(lines: &[Line], turn: i64) -> Line {
    let count = i64::try_from(lines.len()).unwrap_or(1).max(1);
    lines.get(usize::try_from(turn % count).unwrap_or(0)).copied().unwrap_or(Line::DARK)
}
