//! What the debouncer found: strokes in bounded lists.

use super::Key;
use crate::time::{Instant, Span};

/// Something that a finger did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// On which key.
    pub key: Key,
    /// What.
    pub what: What,
    /// When: a press at the first poll that saw the contact closed, all else at the poll that
    /// found it.
    pub at: Instant,
}

/// The kinds of strokes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The key went down.
    Pressed,
    /// A player's button went down in the same poll as the opponent's (`timing.md` 2.11).
    PressedTogether,
    /// The key has been down for this long; told at each whole second until it is stuck.
    Held(Span),
    /// The key came up again.
    Released,
    /// The key was down at power-on or is down for too long: nothing comes from it until it was up.
    Stuck,
    /// The key that was stuck is up again.
    Freed,
}

/// The most strokes that wait at once: within one debounce window a key can be pressed, held,
/// stuck or come up again, once each.
pub const MAX_STROKES: usize = 4 * Key::ALL.len();

/// Strokes in the order of their stamps.
#[must_use = "strokes that are not read are lost"]
#[derive(Clone, Copy, Debug)]
pub struct Strokes {
    list: [Stroke; MAX_STROKES],
    len: usize,
}

impl Strokes {
    /// No stroke.
    pub const fn new() -> Self {
        const BLANK: Stroke = Stroke { key: Key::Left, what: What::Released, at: Instant::ZERO };
        Strokes { list: [BLANK; MAX_STROKES], len: 0 }
    }

    /// The strokes in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Stroke] {
        &self.list[..self.len]
    }

    /// True if nobody touched anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts a stroke in its place: after those with the same stamp. In a full list it is lost,
    /// which [`MAX_STROKES`] rules out.
    pub(super) fn insert(&mut self, mut stroke: Stroke) {
        if self.len == MAX_STROKES {
            return;
        }
        if stroke.what == What::Pressed {
            stroke.what = self.together(stroke);
        }
        let place = self.list[..self.len].partition_point(|other| other.at <= stroke.at);
        self.list[place..=self.len].rotate_right(1);
        self.list[place] = stroke;
        self.len += 1;
    }

    /// Takes out the strokes that are older than `end`.
    pub(super) fn take_before(&mut self, end: Instant) -> Strokes {
        let mut ripe = *self;
        ripe.len = self.list[..self.len].partition_point(|stroke| stroke.at < end);
        self.list[..self.len].rotate_left(ripe.len);
        self.len -= ripe.len;
        ripe
    }

    /// What a press is: marks it and the opponent's if both carry the same stamp.
    fn together(&mut self, press: Stroke) -> What {
        let opponent = match press.key {
            Key::Left => Key::Right,
            Key::Right => Key::Left,
            _ => return What::Pressed,
        };
        let theirs = Stroke { key: opponent, ..press };
        match self.list[..self.len].iter_mut().find(|other| **other == theirs) {
            Some(other) => {
                other.what = What::PressedTogether;
                What::PressedTogether
            }
            None => What::Pressed,
        }
    }
}

impl Default for Strokes {
    fn default() -> Self {
        Strokes::new()
    }
}

impl<'a> IntoIterator for &'a Strokes {
    type Item = &'a Stroke;
    type IntoIter = core::slice::Iter<'a, Stroke>;
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}
