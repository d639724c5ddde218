//! Seven-segment displays: the picture as bytes, and the words that bring it to the chips. Pure.
//!
//! Does not decide what is shown (the [`panel`](crate::panel) does) and does not send anything
//! (a [`board`](crate::board) does).
//!
//! | looking for | see |
//! |---|---|
//! | the shape of a character | [`glyph`] |
//! | a register of the chip: intensity, scan limit, shutdown ... | [`max7219::Register`] |
//! | which module stands where in the chain, what is sent when | [`chain`] |

pub mod chain;
pub mod glyph;
pub mod max7219;

use crate::control::Seat;

/// Digits of one display.
pub const DIGITS: usize = 8;

/// One display: a byte for each digit, leftmost first; bit 7 the point, bits 6 to 0 the segments
/// a to g, as in the chip's data sheet.
pub type Digits = [u8; DIGITS];

/// The brightest that a display can be.
pub const MAX_BRIGHTNESS: u8 = 15;

/// Everything that both displays show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The display on the left.
    pub left: Digits,
    /// The display on the right.
    pub right: Digits,
    /// 0 (dim, not dark) to [`MAX_BRIGHTNESS`].
    pub brightness: u8,
}

impl Frame {
    /// One display of the two.
    #[must_use]
    pub const fn of(&self, seat: Seat) -> &Digits {
        match seat {
            Seat::Left => &self.left,
            Seat::Right => &self.right,
        }
    }

    /// Nobody keeps time any more: what a daemon that ends leaves on the table. A time that stood
    /// still there would look like a clock.
    #[must_use]
    pub fn off(brightness: u8) -> Frame {
        Frame { left: word("oFF"), right: word("oFF"), brightness }
    }

    /// Something is wrong: `Err` on the left, a word of up to eight letters on the right.
    /// Letters that seven segments cannot show stay dark.
    #[must_use]
    pub fn error(what: &str, brightness: u8) -> Frame {
        Frame { left: word("Err"), right: word(what), brightness }
    }
}

/// A word as digits, from the left; what does not fit is cut.
fn word(text: &str) -> Digits {
    let mut digits = [glyph::DARK; DIGITS];
    for (digit, letter) in digits.iter_mut().zip(text.chars()) {
        *digit = glyph::encode(letter);
    }
    digits
}

/// What a person reads on a display: characters left to right, `.` where a point is lit, a space
/// for a dark digit, `?` for segments that are no character.
#[must_use]
pub fn read(digits: &Digits) -> String {
    let mut text = String::with_capacity(2 * DIGITS);
    for digit in digits {
        text.push(glyph::decode(*digit).unwrap_or('?'));
        if digit & glyph::POINT != 0 {
            text.push('.');
        }
    }
    text
}

#[cfg(test)]
mod tests;
