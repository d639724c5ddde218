//! The registers of the MAX7219 and the values that this box writes to them.
//!
//! Does not know the chain or what is shown. Numbers and reasons: Maxim's data sheet 19-4452,
//! tables 2 to 10.

/// An address in the chip: the first byte of a word, the value being the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Register {
    /// Changes nothing: passes a chip by while others in the chain are written.
    NoOp = 0x00,
    /// Segments of digit 0: on the usual modules the *rightmost* one.
    Digit0 = 0x01,
    /// Segments of digit 1.
    Digit1 = 0x02,
    /// Segments of digit 2.
    Digit2 = 0x03,
    /// Segments of digit 3.
    Digit3 = 0x04,
    /// Segments of digit 4.
    Digit4 = 0x05,
    /// Segments of digit 5.
    Digit5 = 0x06,
    /// Segments of digit 6.
    Digit6 = 0x07,
    /// Segments of digit 7: the leftmost one.
    Digit7 = 0x08,
    /// One bit a digit: translate numbers to shapes in the chip ([`NO_DECODE`]).
    DecodeMode = 0x09,
    /// Brightness, 0 to 15: the segment current flows for 1/32 to 31/32 of each digit's share.
    Intensity = 0x0A,
    /// The highest digit that is scanned ([`ALL_DIGITS`]).
    ScanLimit = 0x0B,
    /// 0: all dark, the registers keep their values; 1: [`NORMAL_OPERATION`].
    Shutdown = 0x0C,
    /// 1: everything lit at full brightness, over all else; 0: [`NO_TEST`].
    DisplayTest = 0x0F,
}

/// The digit registers from left to right.
pub const DIGITS_FROM_LEFT: [Register; super::DIGITS] = [
    Register::Digit7,
    Register::Digit6,
    Register::Digit5,
    Register::Digit4,
    Register::Digit3,
    Register::Digit2,
    Register::Digit1,
    Register::Digit0,
];

/// For [`Register::DecodeMode`]: bytes are segments. The chip's own decoder knows the numerals and
/// `-EHLP` only.
pub const NO_DECODE: u8 = 0x00;

/// For [`Register::ScanLimit`]: all eight. The chip wakes up with one, and the brightness of the
/// digits depends on how many share the scan.
pub const ALL_DIGITS: u8 = 0x07;

/// For [`Register::Shutdown`]: the chip wakes up shut down.
pub const NORMAL_OPERATION: u8 = 0x01;

/// For [`Register::DisplayTest`]: noise on the wires is known to leave chips stuck in the test.
pub const NO_TEST: u8 = 0x00;
