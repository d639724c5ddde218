//! A number that is entered digit by digit.
//!
//! ```text
//!   whole ──plus, minus──> first digit ──ok──> next digit ... last digit ──ok──> done
//!     └──────────ok──────────────────────────────────────────────────────────────^
//! ```
//!
//! Seen whole, a number is passed by with one ok, so that nothing is changed by passing. Plus and
//! minus then step the digit that blinks, round and round: no wrong key loses another digit.

use super::page::Line;
use crate::display::DIGITS;
use crate::display::glyph::{DARK, MINUS, NUMERALS, POINT};

/// One digit of a number.
#[derive(Debug)]
struct Place {
    /// How much the digit counts; 0 for the sign.
    weight: u32,
    /// It counts from 0 to one less than this.
    radix: u32,
    /// Its point is lit.
    point: bool,
}

const fn place(weight: u32, radix: u32) -> Place {
    Place { weight, radix, point: false }
}

const fn pointed(weight: u32, radix: u32) -> Place {
    Place { weight, radix, point: true }
}

/// What kind of number it is: which digits it has, and what one of them counts.
#[derive(Debug)]
pub struct Format {
    places: &'static [Place],
    /// How many digits at the right end are lit even when they are leading zeros.
    always: usize,
}

/// `hhh.mm.ss`, in seconds: as far as a clock can be set.
pub const CLOCK: &Format = &Format { places: SIGNED_PLACES.split_at(1).1, always: 3 };

/// The same with a sign in front: for overtime, which goes below zero.
pub const SIGNED_CLOCK: &Format = &Format { places: SIGNED_PLACES, always: 3 };

const SIGNED_PLACES: &[Place] = &[
    place(0, 2),
    place(360_000, 10),
    place(36_000, 10),
    pointed(3_600, 10),
    place(600, 6),
    pointed(60, 10),
    place(10, 6),
    place(1, 10),
];

/// `hh.mm.ss.ttt`, in milliseconds: every time that a control can name.
pub const DURATION: &Format = &Format {
    places: &[
        place(36_000_000, 10),
        pointed(3_600_000, 10),
        place(600_000, 6),
        pointed(60_000, 10),
        place(10_000, 6),
        pointed(1_000, 10),
        place(100, 10),
        place(10, 10),
        place(1, 10),
    ],
    always: 6,
};

/// A number of up to four digits.
pub const COUNT: &Format =
    &Format { places: &[place(1_000, 10), place(100, 10), place(10, 10), place(1, 10)], always: 1 };

/// One digit.
pub const DIGIT: &Format = &Format { places: &[place(1, 10)], always: 1 };

/// What an ok did to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// The next digit is up.
    Within,
    /// The number is done.
    Done,
}

/// A number in the making.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    format: &'static Format,
    size: u32,
    negative: bool,
    /// The digit that is up; `None`: the number is seen whole.
    at: Option<usize>,
    changed: bool,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        core::ptr::eq(self.format, other.format)
            && (self.size, self.negative, self.at, self.changed)
                == (other.size, other.negative, other.at, other.changed)
    }
}

impl Eq for Entry {}

impl Entry {
    /// A number as it stands, seen whole.
    #[must_use]
    pub const fn new(format: &'static Format, size: u32, negative: bool) -> Self {
        Entry { format, size, negative, at: None, changed: false }
    }

    /// The number without its sign.
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// The number with its sign.
    #[must_use]
    pub const fn value(&self) -> i64 {
        let size = self.size as i64;
        if self.negative { -size } else { size }
    }

    /// True if a digit was stepped.
    #[must_use]
    pub const fn is_changed(&self) -> bool {
        self.changed
    }

    /// True if a digit is up.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.at.is_some()
    }

    /// Steps the digit that is up; the first one comes up where none is.
    pub fn step(&mut self, up: bool) {
        let Some(at) = self.at else {
            self.at = Some(0);
            return;
        };
        let Some(&Place { weight, radix, .. }) = self.format.places.get(at) else { return };
        self.changed = true;
        if weight == 0 {
            self.negative = !self.negative;
            return;
        }
        let digit = self.size / weight % radix;
        let next = (digit + if up { 1 } else { radix - 1 }) % radix;
        self.size = self.size - digit * weight + next * weight;
    }

    /// Goes on to the next digit.
    pub fn pass(&mut self) -> Passed {
        match self.at {
            Some(at) if at + 1 < self.format.places.len() => {
                self.at = Some(at + 1);
                Passed::Within
            }
            _ => {
                self.close();
                Passed::Done
            }
        }
    }

    /// Goes back to the digit before, or from the first one to the whole; false where it was whole.
    pub fn back(&mut self) -> bool {
        let was_open = self.is_open();
        self.at = self.at.and_then(|at| at.checked_sub(1));
        was_open
    }

    /// Sees the number whole again.
    pub fn close(&mut self) {
        self.at = None;
    }

    /// The number at the right end of a line; the digit that is up blinks. Of more than eight
    /// digits the line shows those around the one that is up, else the first where the last ones
    /// are zeros.
    #[must_use]
    pub fn line(&self) -> Line {
        let places = self.format.places;
        let surplus = places.len().saturating_sub(DIGITS);
        let first = match self.at {
            Some(at) => surplus.min(at.saturating_sub(DIGITS - 1)),
            None => surplus,
        };
        let short = surplus > 0 && self.at.is_none() && self.size.is_multiple_of(1_000);
        let shown = if short {
            // Nothing behind the seconds.
            places.get(..places.len() - 3).unwrap_or(places)
        } else {
            places.get(first..places.len().min(first + DIGITS)).unwrap_or(places)
        };
        let (first, always) =
            if short { (0, self.format.always - 3) } else { (first, self.format.always) };
        let mut line = Line::DARK;
        let room = DIGITS - shown.len();
        let mut leading = self.at.is_none();
        for (index, place) in shown.iter().enumerate() {
            let cell = room + index;
            let digit = match place.weight {
                0 => 0,
                weight => self.size / weight % place.radix,
            };
            leading &= digit == 0 && index + always < shown.len();
            let last = index + 1 == shown.len();
            line.cells[cell] = match place.weight {
                0 if self.negative && self.at.is_some() => MINUS,
                0 if self.at.is_some() => encode_plus(),
                0 => DARK,
                _ if leading => DARK,
                _ => NUMERALS[digit as usize] | if place.point && !last { POINT } else { DARK },
            };
            if self.at == Some(first + index) {
                line.blinking |= 1 << cell;
            }
        }
        let before =
            line.cells.iter().position(|cell| *cell != DARK).and_then(|at| at.checked_sub(1));
        if let Some(before) = before.filter(|_| self.negative && self.at.is_none()) {
            line.cells[before] = MINUS;
        }
        line
    }
}

/// What stands for plus while the sign can be stepped: seven segments cannot draw one.
const fn encode_plus() -> u8 {
    crate::display::glyph::encode('_')
}
