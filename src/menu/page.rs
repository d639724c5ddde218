//! What a menu shows: a line for each display.
//!
//! It is not said here how wide the displays are; the panel fits a line into them.

use crate::control::Seat;
use crate::display::glyph::{DARK, NUMERALS, POINT, encode};
use crate::display::{DIGITS, Digits};

/// A line of up to eight digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The digits.
    pub cells: Digits,
    /// Bit n: the n-th digit from the left blinks.
    pub blinking: u8,
}

/// Both displays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The left display's line.
    pub left: Line,
    /// The right display's line.
    pub right: Line,
}

impl Line {
    /// Nothing lit.
    pub const DARK: Line = Line { cells: [DARK; DIGITS], blinking: 0 };

    /// A word from the left end; `.` lights the point of the digit before it. What does not fit is
    /// cut off.
    #[must_use]
    pub fn word(text: &str) -> Line {
        let mut line = Line::DARK;
        let mut at = 0;
        for letter in text.chars() {
            if letter == '.' && at > 0 {
                line.cells[at - 1] |= POINT;
            } else if let Some(cell) = line.cells.get_mut(at) {
                *cell = encode(letter);
                at += 1;
            }
        }
        line
    }

    /// This line with a number whose last digit is the one of that index. Digits beyond the left
    /// end are cut off.
    #[must_use]
    pub fn number(mut self, last: usize, number: u32) -> Line {
        let mut rest = number;
        for cell in self.cells.iter_mut().take(last + 1).rev() {
            *cell = NUMERALS[(rest % 10) as usize];
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self
    }

    /// This line, all of it blinking.
    #[must_use]
    pub const fn blinks(mut self) -> Line {
        self.blinking = 0xFF;
        self
    }
}

impl Page {
    /// Words for both displays.
    #[must_use]
    pub fn words(left: &str, right: &str) -> Page {
        Page { left: Line::word(left), right: Line::word(right) }
    }

    /// `here` on that seat's display, `there` on the other.
    #[must_use]
    pub fn facing(seat: Seat, here: Line, there: Line) -> Page {
        match seat {
            Seat::Left => Page { left: here, right: there },
            Seat::Right => Page { left: there, right: here },
        }
    }
}
