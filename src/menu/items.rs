//! The first menu's items.

use crate::engine::Phase;

/// An item of the first menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Correct,
    New,
    Choose,
    Own,
    Options,
}

impl Item {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Item::Correct => "CorrEct",
            Item::New => "nEU",
            Item::Choose => "CHooSE",
            Item::Own => "oUn",
            Item::Options => "oPtion",
        }
    }
}

/// Which items there are: with a game that was begun, and with one that is ready.
pub(super) const BEGUN: &[Item] = &[Item::Correct, Item::New, Item::Options];
pub(super) const READY: &[Item] = &[Item::Choose, Item::Own, Item::Options];

pub(super) fn items(phase: Phase) -> &'static [Item] {
    if phase == Phase::Ready { READY } else { BEGUN }
}

pub(super) fn place(items: &[Item], item: Item) -> usize {
    items.iter().position(|other| *other == item).unwrap_or(0)
}
