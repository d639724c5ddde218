//! From frames to the rows that a chain of chips is sent.
//!
//! Does not send them: whoever holds a [`board::Chain`](crate::board::Chain) does, and says with
//! [`Driver::forget`] when that failed. A row writes one register of every chip in one transfer.
//!
//! The wiring (`box.md` 1): the left module is nearest the Pi. What is shifted in first travels
//! farthest, so the right module's word comes first.

use super::max7219::{
    ALL_DIGITS, DIGITS_FROM_LEFT, NO_DECODE, NO_TEST, NORMAL_OPERATION, Register,
};
use super::{Frame, MAX_BRIGHTNESS};
use crate::control::Seat;

/// The modules in the order in which their words are sent: the farthest first.
pub const FARTHEST_FIRST: [Seat; 2] = [Seat::Right, Seat::Left];

/// One transfer: register and value for each chip, the farthest chip's first.
pub type Row = [u8; 2 * FARTHEST_FIRST.len()];

/// Rows of a full rewrite: five settings and the digits.
const ALL_ROWS: usize = 5 + super::DIGITS;

/// Rows to be sent in this order.
#[must_use = "rows that are not sent are not shown"]
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows {
    list: [Row; ALL_ROWS],
    len: usize,
}

impl Rows {
    /// The rows in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Row] {
        &self.list[..self.len]
    }

    /// True if the chips show everything already.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a row; `value` says what each module gets.
    fn push(&mut self, register: Register, value: impl Fn(Seat) -> u8) {
        let row = &mut self.list[self.len];
        for (word, seat) in row.chunks_exact_mut(2).zip(FARTHEST_FIRST) {
            word.copy_from_slice(&[register as u8, value(seat)]);
        }
        self.len += 1;
    }
}

/// Knows what the chips show and what they need to be sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Driver {
    shown: Option<Frame>,
}

impl Driver {
    /// Nothing is known about the chips: the first frame is a full rewrite.
    #[must_use]
    pub const fn new() -> Self {
        Driver { shown: None }
    }

    /// The rows that turn what is shown into `frame`: only those that differ.
    pub fn show(&mut self, frame: &Frame) -> Rows {
        let Some(shown) = self.shown.replace(*frame) else { return Driver::everything(frame) };
        let mut rows = Rows::default();
        if brightness(frame) != brightness(&shown) {
            rows.push(Register::Intensity, |_| brightness(frame));
        }
        for (place, register) in DIGITS_FROM_LEFT.into_iter().enumerate() {
            let digit = |frame: &Frame, seat| frame.of(seat)[place];
            if FARTHEST_FIRST.iter().any(|seat| digit(frame, *seat) != digit(&shown, *seat)) {
                rows.push(register, |seat| digit(frame, seat));
            }
        }
        rows
    }

    /// Every register again, once a second: heals a chip that noise on the wires has upset. A chip
    /// that is well shows no change while this goes on.
    pub fn repair(&mut self, frame: &Frame) -> Rows {
        self.shown = Some(*frame);
        Driver::everything(frame)
    }

    /// Rows did not get through: nothing is known about the chips any more.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// Every register, in an order that never shows what nobody meant: the test, which overrides
    /// all, ends first; a chip that is shut down (after power-on, with chance in its digits) is
    /// lit last, when everything is in place. Nothing is blanked in between.
    fn everything(frame: &Frame) -> Rows {
        let mut rows = Rows::default();
        rows.push(Register::DisplayTest, |_| NO_TEST);
        rows.push(Register::DecodeMode, |_| NO_DECODE);
        rows.push(Register::ScanLimit, |_| ALL_DIGITS);
        rows.push(Register::Intensity, |_| brightness(frame));
        for (place, register) in DIGITS_FROM_LEFT.into_iter().enumerate() {
            rows.push(register, |seat| frame.of(seat)[place]);
        }
        rows.push(Register::Shutdown, |_| NORMAL_OPERATION);
        rows
    }
}

fn brightness(frame: &Frame) -> u8 {
    frame.brightness.min(MAX_BRIGHTNESS)
}
