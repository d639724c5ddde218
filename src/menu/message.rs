//! What the box says for a while.

use super::page::{Line, Page};
use crate::time::Span;

/// How long a message of the box stands.
pub const TOLD: Span = Span::from_secs(2);

/// Something that the box says for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// The mark of the control that was set, by which boxes are compared.
    Mark([char; 4]),
    /// Menus are locked.
    Locked,
    /// The engine or the daemon said no.
    Refused,
    /// The box cannot be powered off from here.
    NoPowerOff,
    /// The box goes off.
    PowerOff,
    /// What was about to be chosen has been changed or deleted by an arbiter.
    Changed,
    /// Nothing could be written: what was entered is lost at power-off.
    NotKept,
    /// An undo was done.
    Undone,
    /// A press was inserted.
    Inserted,
}

impl Message {
    pub(super) fn page(self) -> Page {
        match self {
            Message::Mark(mark) => {
                let mut line = Line::DARK;
                for (cell, letter) in line.cells.iter_mut().zip(mark) {
                    *cell = crate::display::glyph::encode(letter);
                }
                Page { left: line, right: line }
            }
            Message::Locked => Page::words("LoC", "LoC"),
            Message::Refused => Page::words("Err", "no"),
            Message::NoPowerOff => Page::words("Err", "PoUEr"),
            Message::PowerOff => Page::words("PoUEr", "oFF"),
            Message::Changed => Page::words("PrESEt", "CHAnGEd"),
            Message::NotKept => Page::words("Err", "Not SAFE"),
            Message::Undone => {
                Page { left: Line::word("bACK").blinks(), right: Line::word("bACK").blinks() }
            }
            Message::Inserted => {
                Page { left: Line::word("Add").blinks(), right: Line::word("Add").blinks() }
            }
        }
    }
}
