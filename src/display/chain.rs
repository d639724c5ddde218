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

/// How the displays are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Two modules of eight digits in one chain.
    #[default]
    Chained,
    /// One module of eight digits, four for each side: the right half of each side's digits.
    Shared,
    /// Two modules of eight digits, each behind a chip select of its own.
    Split,
}

/// One transfer: register and value for each chip, the farthest chip's first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    bytes: [u8; 2 * FARTHEST_FIRST.len()],
    len: usize,
}

impl Row {
    /// The bytes as they are sent.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

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
    fn push(&mut self, layout: Layout, register: Register, value: impl Fn(Seat) -> u8) {
        let row = &mut self.list[self.len];
        let modules = layout.modules();
        for (word, seat) in row.bytes.chunks_exact_mut(2).zip(modules) {
            word.copy_from_slice(&[register as u8, value(*seat)]);
        }
        row.len = 2 * modules.len();
        self.len += 1;
    }
}

impl Layout {
    /// The modules in the order of their words; a shared one counts as the left one.
    const fn modules(self) -> &'static [Seat] {
        match self {
            Layout::Chained | Layout::Split => &FARTHEST_FIRST,
            Layout::Shared => &[Seat::Left],
        }
    }

    /// The digit at that place of a seat's module, from the left.
    const fn digit(self, frame: &Frame, seat: Seat, place: usize) -> u8 {
        const HALF: usize = super::DIGITS / 2;
        match self {
            Layout::Chained | Layout::Split => frame.of(seat)[place],
            Layout::Shared if place < HALF => frame.left[HALF + place],
            Layout::Shared => frame.right[place],
        }
    }
}

/// Knows what the chips show and what they need to be sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Driver {
    layout: Layout,
    shown: Option<Frame>,
}

impl Driver {
    /// Nothing is known about the chips: the first frame is a full rewrite.
    #[must_use]
    pub const fn new(layout: Layout) -> Self {
        Driver { layout, shown: None }
    }

    /// The rows that turn what is shown into `frame`: only those that differ.
    pub fn show(&mut self, frame: &Frame) -> Rows {
        let Some(shown) = self.shown.replace(*frame) else { return self.everything(frame) };
        let (layout, mut rows) = (self.layout, Rows::default());
        if brightness(frame) != brightness(&shown) {
            rows.push(layout, Register::Intensity, |_| brightness(frame));
        }
        for (place, register) in DIGITS_FROM_LEFT.into_iter().enumerate() {
            let digit = |frame: &Frame, seat| layout.digit(frame, seat, place);
            if layout.modules().iter().any(|seat| digit(frame, *seat) != digit(&shown, *seat)) {
                rows.push(layout, register, |seat| digit(frame, seat));
            }
        }
        rows
    }

    /// Every register again, once a second: heals a chip that noise on the wires has upset. A chip
    /// that is well shows no change while this goes on.
    pub fn repair(&mut self, frame: &Frame) -> Rows {
        self.shown = Some(*frame);
        self.everything(frame)
    }

    /// Rows did not get through: nothing is known about the chips any more.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// Every register, in an order that never shows what nobody meant: the test, which overrides
    /// all, ends first; a chip that is shut down (after power-on, with chance in its digits) is
    /// lit last, when everything is in place. Nothing is blanked in between.
    fn everything(&self, frame: &Frame) -> Rows {
        let (layout, mut rows) = (self.layout, Rows::default());
        rows.push(layout, Register::DisplayTest, |_| NO_TEST);
        rows.push(layout, Register::DecodeMode, |_| NO_DECODE);
        rows.push(layout, Register::ScanLimit, |_| ALL_DIGITS);
        rows.push(layout, Register::Intensity, |_| brightness(frame));
        for (place, register) in DIGITS_FROM_LEFT.into_iter().enumerate() {
            rows.push(layout, register, |seat| layout.digit(frame, seat, place));
        }
        rows.push(layout, Register::Shutdown, |_| NORMAL_OPERATION);
        rows
    }
}

fn brightness(frame: &Frame) -> u8 {
    frame.brightness.min(MAX_BRIGHTNESS)
}
