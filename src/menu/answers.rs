//! What became of what was asked for.

use super::catalogue::Catalogue;
use super::compose::Compose;
use super::own::Own;
use super::{At, Menu, Message, Open};
use crate::control::{Settings, Side};
use crate::time::Instant;

impl Menu {
    /// What the engine said to a correction.
    pub fn corrected(&mut self, done: bool, settings: &Settings, now: Instant) {
        let Some(Open { at: At::Applying(correct), .. }) = self.open else { return };
        if done {
            self.after_correction(settings);
        } else {
            let mut correct = correct;
            correct.step(true);
            self.set(At::Correct(correct));
            self.tell(Message::Refused, now);
        }
    }

    /// A control was set, as was wished.
    pub fn done(&mut self, message: Message, now: Instant) {
        if let Some(Open { at: At::Setting | At::Changing(_), .. }) = self.open {
            self.open = None;
        }
        self.tell(message, now);
    }

    /// The daemon could not do what was wished.
    pub fn refused(&mut self, message: Message, now: Instant) {
        match self.open {
            Some(Open { at: At::Setting, .. }) => self.set(At::Choose(self.last_choice)),
            Some(Open { at: At::Changing(choice), .. }) => self.set(At::Control(Some(choice))),
            _ => {}
        }
        self.tell(message, now);
    }

    /// Other presets are on offer. Who is choosing stays at what is read there; if it is not that
    /// any more, that is said first. Gives back the old catalogue, to be dropped elsewhere.
    pub fn renew(&mut self, catalogue: Box<Catalogue>, now: Instant) -> Box<Catalogue> {
        let old = core::mem::replace(&mut self.catalogue, catalogue);
        (self.last_choice, _) = self.catalogue.follow(&old, self.last_choice);
        let (choice, read) = match &mut self.open {
            Some(Open { at: At::Choose(choice) | At::Control(Some(choice)), .. }) => (choice, true),
            Some(Open { at: At::Changing(choice), .. }) => (choice, false),
            _ => return old,
        };
        let (place, same) = self.catalogue.follow(&old, *choice);
        *choice = place;
        if read && !same {
            self.tell(Message::Changed, now);
        }
        old
    }

    /// A control that was to be kept: with the catalogue that it now stands in, or with the side
    /// and the stage that cannot be. Gives back the old catalogue, to be dropped elsewhere.
    pub fn kept(
        &mut self,
        slot: usize,
        own: Box<Own>,
        outcome: Result<Box<Catalogue>, (Side, usize)>,
        now: Instant,
    ) -> Option<Box<Catalogue>> {
        self.carrier = Some(own);
        let waits = matches!(self.open, Some(Open { at: At::Keeping(other), .. }) if other == slot);
        match outcome {
            Ok(catalogue) => {
                let old = core::mem::replace(&mut self.catalogue, catalogue);
                if waits {
                    self.set(At::Choose(self.catalogue.presets.len() + slot));
                }
                Some(old)
            }
            Err((side, stage)) => {
                if waits {
                    let mut compose = Compose::new(slot);
                    compose.blame(&mut self.drafts[slot], side, stage);
                    self.set(At::Compose(compose));
                    self.tell(Message::Refused, now);
                }
                None
            }
        }
    }

    /// A control that could not even be sent: it stays in the making.
    pub fn not_sent(&mut self, slot: usize, own: Box<Own>, now: Instant) {
        self.carrier = Some(own);
        self.set(At::Slots(slot));
        self.tell(Message::Refused, now);
    }
}
