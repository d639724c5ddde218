//! What the menus ask for: they do nothing themselves.

use super::options::{GameOption, Look};
use super::own::Own;
use crate::control::BySide;
use crate::engine::Adjustment;

/// What somebody wants by a menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Correct the clocks.
    Correct(BySide<Adjustment>),
    /// Something that the timing thread cannot do.
    Wish(Wish),
    /// Another look; it counts at once.
    Look(Look),
}

/// What only the daemon can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A new game.
    NewGame {
        /// With which control.
        choice: Choice,
        /// Also in the middle of one: somebody has held ok for it in a pause.
        abandon: bool,
    },
    /// The paused game goes on under another control, its clocks kept.
    ChangeControl(Choice),
    /// The game that is ready, set otherwise.
    Option(GameOption),
    /// Keep this look over a power cut.
    Look(Look),
    /// Keep a control; answered by [`Menu::kept`](super::Menu::kept).
    Keep {
        /// In which slot.
        slot: usize,
        /// Which; to be given back.
        own: Box<Own>,
    },
    /// Power the box off.
    PowerOff,
}

/// A control to be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A preset.
    Preset {
        /// The edition of the catalogue that it was chosen from.
        edition: u32,
        /// Its place there.
        place: usize,
    },
    /// The control in that slot.
    Slot(usize),
}
