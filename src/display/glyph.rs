//! The seven-segment alphabet, both ways.
//!
//! ```text
//!     a
//!   f   b      bit 7 6 5 4 3 2 1 0
//!     g            p a b c d e f g
//!   e   c
//!     d   p
//! ```
//!
//! What is written is what is read: a letter that has a numeral's shape is read as the numeral.

/// Nothing lit.
pub const DARK: u8 = 0;

/// The point, to be added to any character.
pub const POINT: u8 = 0b1000_0000;

/// The bit of each segment: `a` on top, then clockwise, `g` in the middle.
pub mod segment {
    /// On top.
    pub const A: u8 = 0x40;
    /// At the right, above.
    pub const B: u8 = 0x20;
    /// At the right, below.
    pub const C: u8 = 0x10;
    /// At the bottom.
    pub const D: u8 = 0x08;
    /// At the left, below.
    pub const E: u8 = 0x04;
    /// At the left, above.
    pub const F: u8 = 0x02;
    /// In the middle.
    pub const G: u8 = 0x01;
}

/// The digits 0 to 9.
pub const NUMERALS: [u8; 10] = [
    0b111_1110, 0b011_0000, 0b110_1101, 0b111_1001, 0b011_0011, 0b101_1011, 0b101_1111, 0b111_0000,
    0b111_1111, 0b111_1011,
];

/// The minus sign.
pub const MINUS: u8 = 0b000_0001;

/// The letter of hours.
pub const LETTER_H: u8 = 0b001_0111;

/// Letters that are a numeral to the eye: written, they are read as that numeral.
const LIKE_NUMERALS: [(char, usize); 4] = [('O', 0), ('I', 1), ('S', 5), ('s', 5)];

/// Letters and signs. k, m, v, w, x, z are not here, which seven segments cannot draw.
const LETTERS: [(char, u8); 26] = [
    (' ', DARK),
    ('-', MINUS),
    ('=', 0b000_1001),
    ('_', 0b000_1000),
    ('A', 0b111_0111),
    ('b', 0b001_1111),
    ('C', 0b100_1110),
    ('c', 0b000_1101),
    ('d', 0b011_1101),
    ('E', 0b100_1111),
    ('F', 0b100_0111),
    ('G', 0b101_1110),
    ('H', 0b011_0111),
    ('h', LETTER_H),
    ('i', 0b001_0000),
    ('J', 0b011_1000),
    ('L', 0b000_1110),
    ('n', 0b001_0101),
    ('o', 0b001_1101),
    ('P', 0b110_0111),
    ('q', 0b111_0011),
    ('r', 0b000_0101),
    ('t', 0b000_1111),
    ('U', 0b011_1110),
    ('u', 0b001_1100),
    ('y', 0b011_1011),
];

/// The segments of a character, the point dark. A letter that has only the other case's shape takes
/// that one; what seven segments cannot show stays dark.
#[must_use]
pub const fn encode(character: char) -> u8 {
    if let Some(digit) = character.to_digit(10) {
        return NUMERALS[digit as usize];
    }
    let mut at = 0;
    while at < LIKE_NUMERALS.len() {
        let (letter, numeral) = LIKE_NUMERALS[at];
        if letter == character {
            return NUMERALS[numeral];
        }
        at += 1;
    }
    let mut other_case = DARK;
    at = 0;
    while at < LETTERS.len() {
        let (letter, segments) = LETTERS[at];
        if letter == character {
            return segments;
        }
        if letter.eq_ignore_ascii_case(&character) {
            other_case = segments;
        }
        at += 1;
    }
    other_case
}

/// The character that these segments show, whether the point is lit or not; `None` for a pattern
/// that is none.
#[must_use]
pub fn decode(segments: u8) -> Option<char> {
    let bare = segments & !POINT;
    let numeral = ('0'..='9').zip(NUMERALS).find(|(_, numeral)| *numeral == bare);
    numeral.or_else(|| LETTERS.into_iter().find(|(_, letter)| *letter == bare)).map(|(c, _)| c)
}
