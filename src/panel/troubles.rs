//! What the box itself suffers from, said in words while no clock runs.

use super::Panel;
use crate::engine::{Phase, State};
use crate::menu::page::Page;
use crate::time::{Instant, Span};

/// What the box suffers from although the clock goes on (`box.md` 6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Troubles {
    /// The journal is not kept: the disk, which is a card on most boxes, is full, dead or missing.
    pub card: bool,
    /// No arbiter can ask the clock over the bus.
    pub bus: bool,
    /// The timing thread was denied what keeps other work from delaying it.
    pub priority: bool,
}

/// So long a trouble is said.
const SAID: Span = Span::from_secs(1);

/// How often it is: in the last second of these. In the others the times can be read.
const EVERY: i64 = 5;

impl Troubles {
    fn words(self) -> impl Iterator<Item = &'static str> + Clone {
        let all = [(self.card, "CArd"), (self.bus, "bUS"), (self.priority, "SLoU")];
        all.into_iter().filter_map(|(is_there, word)| is_there.then_some(word))
    }
}

impl Panel {
    /// What the box suffers from now.
    pub fn set_troubles(&mut self, troubles: Troubles) {
        self.troubles = troubles;
    }

    /// The trouble whose turn it is, while no clock runs.
    pub(super) fn trouble_page(&self, state: &State, now: Instant) -> Option<Page> {
        let second = second(now);
        if state.phase == Phase::Running || second % EVERY != EVERY - 1 {
            return None;
        }
        let words = self.troubles.words();
        let count = i64::try_from(words.clone().count()).ok()?;
        let turn = (second / EVERY).checked_rem(count)?;
        let word = words.clone().nth(usize::try_from(turn).ok()?)?;
        Some(Page::words("Err", word))
    }

    /// When a trouble is next said, or has been.
    pub(super) fn next_trouble(&self, phase: Phase, now: Instant) -> Option<Instant> {
        self.troubles.words().next().filter(|_| phase != Phase::Running)?;
        let second = second(now);
        let wait = (EVERY - 2 - second % EVERY).rem_euclid(EVERY);
        let whole = if second % EVERY == EVERY - 1 { second + 1 } else { second + wait + 1 };
        Some(Instant::ZERO + Span::from_nanos(SAID.as_nanos().saturating_mul(whole)))
    }
}

fn second(now: Instant) -> i64 {
    (now - Instant::ZERO).as_nanos().div_euclid(SAID.as_nanos())
}
