//! Bytes to chips and back.

use super::chain::{Driver, Layout, Row};
use super::max7219::{DIGITS_FROM_LEFT, Register};
use super::*;

/// Rows as they are sent.
fn bytes(rows: &super::chain::Rows) -> Vec<&[u8]> {
    rows.as_slice().iter().map(Row::bytes).collect()
}

/// What two chips hold, fed with rows: enough of a MAX7219 to see what a person would see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Chips {
    /// Registers by address, of the right and the left module.
    registers: [[u8; 16]; 2],
}

impl Chips {
    fn take(&mut self, row: &Row) {
        for (chip, word) in self.registers.iter_mut().zip(row.bytes().chunks(2)) {
            chip[usize::from(word[0])] = word[1];
        }
    }

    /// What a module shows: `None` while it is in the test or decodes, else the lit digits.
    fn shown(&self, module: usize) -> Option<Digits> {
        let register = |register: Register| self.registers[module][register as usize];
        if register(Register::DisplayTest) != 0 {
            return None;
        }
        if register(Register::Shutdown) == 0 {
            return Some([0; DIGITS]);
        }
        let scanned = usize::from(register(Register::ScanLimit)) + 1;
        let mut digits = DIGITS_FROM_LEFT.map(register);
        digits.reverse();
        digits.iter_mut().skip(scanned).for_each(|digit| *digit = 0);
        digits.reverse();
        (register(Register::DecodeMode) == 0).then_some(digits)
    }

    fn show(&self, frame: &Frame) -> bool {
        self.shown(0) == Some(frame.right)
            && self.shown(1) == Some(frame.left)
            && self.registers.iter().all(|chip| chip[0x0A] == frame.brightness)
    }
}

const POWERED_ON: Chips = Chips { registers: [[0; 16]; 2] };

fn frame(left: &str, right: &str) -> Frame {
    Frame { left: word(left), right: word(right), brightness: 7 }
}

#[test]
fn every_character_reads_back_and_no_two_look_alike() {
    for character in ('0'..='9').chain(" -=_AbCcdEFGHhiJLnoPqrtUuy".chars()) {
        let segments = glyph::encode(character);
        assert_eq!(glyph::decode(segments), Some(character), "{segments:#010b}");
        assert_eq!(glyph::decode(segments | glyph::POINT), Some(character));
    }
}

#[test]
fn a_letter_takes_the_shape_that_it_has_and_an_impossible_one_stays_dark() {
    assert_eq!(glyph::encode('B'), glyph::encode('b'));
    assert_eq!(glyph::encode('f'), glyph::encode('F'));
    assert_eq!(glyph::encode('m'), glyph::DARK);
    for (letter, numeral) in [('S', 5), ('s', 5), ('O', 0), ('I', 1)] {
        assert_eq!(glyph::encode(letter), glyph::NUMERALS[numeral]);
    }
}

#[test]
fn a_display_reads_as_a_person_reads_it() {
    let segments = [0x00, 0x3D, 0x00, 0x33, 0xDB, 0x7E, 0x7E, 0x49];
    assert_eq!(read(&segments), " d 45.00?");
    assert_eq!(read(&Frame::off(3).left), "oFF     ");
    assert_eq!(read(&Frame::error("no PinSx", 3).right), "no Pin5 ");
}

#[test]
fn what_is_no_clock_does_not_look_like_one() {
    for frame in [Frame::off(3), Frame::error("display", 3)] {
        for seat in Seat::BOTH {
            let text = read(frame.of(seat));
            let letters = text.chars().filter(|c| c.is_alphabetic()).count();
            assert!(letters >= 3 && !text.contains('.'), "{text}");
        }
    }
}

#[test]
fn a_row_holds_the_farthest_module_first_and_the_leftmost_digit_is_digit_seven() {
    let mut driver = Driver::new(Layout::Chained);
    let _ = driver.show(&frame("", ""));
    let rows = driver.show(&frame("1", "2"));
    assert_eq!(bytes(&rows), [[0x08, glyph::NUMERALS[2], 0x08, glyph::NUMERALS[1]]]);
}

#[test]
fn only_rows_that_differ_are_sent() {
    let mut driver = Driver::new(Layout::Chained);
    assert_eq!(driver.show(&frame("12345678", "12345678")).as_slice().len(), 13);
    assert!(driver.show(&frame("12345678", "12345678")).is_empty());
    let rows = driver.show(&frame("12345679", "12345670"));
    assert_eq!(bytes(&rows), [[0x01, glyph::NUMERALS[0], 0x01, glyph::NUMERALS[9]]]);
    let dimmer = Frame { brightness: 2, ..frame("12345679", "12345670") };
    assert_eq!(bytes(&driver.show(&dimmer)), [[0x0A, 2, 0x0A, 2]]);
}

#[test]
fn after_a_failed_transfer_everything_is_sent_again() {
    let mut driver = Driver::new(Layout::Chained);
    let _ = driver.show(&frame("1", "2"));
    driver.forget();
    assert_eq!(driver.show(&frame("1", "2")).as_slice().len(), 13);
}

#[test]
fn a_brightness_out_of_range_is_the_brightest() {
    let mut driver = Driver::new(Layout::Chained);
    let mut chips = POWERED_ON;
    let rows = driver.show(&Frame { brightness: 200, ..frame("1", "2") });
    rows.as_slice().iter().for_each(|row| chips.take(row));
    assert_eq!(chips.registers[0][0x0A], MAX_BRIGHTNESS);
}

#[test]
fn r103_init_shows_nothing_but_dark_and_then_the_frame_whatever_the_digits_held() {
    let target = frame("12 34.5", "oFF");
    let mut chips = POWERED_ON;
    for chip in &mut chips.registers {
        chip[1..=8].fill(0xA5);
    }
    let rows = Driver::new(Layout::Chained).show(&target);
    for row in rows.as_slice() {
        chips.take(row);
        let dark = (0..2).all(|module| chips.shown(module) == Some([0; DIGITS]));
        assert!(dark || chips.show(&target), "{row:02x?} showed {chips:02x?}");
    }
    assert!(chips.show(&target));
}

#[test]
fn r103_a_repair_heals_every_register_and_a_healthy_chip_shows_no_change_in_it() {
    let target = frame("0123 456", "9876 543");
    let mut driver = Driver::new(Layout::Chained);
    let mut healthy = POWERED_ON;
    driver.show(&target).as_slice().iter().for_each(|row| healthy.take(row));
    for address in (1..=0x0C).chain([0x0F]) {
        for noise in [0x00, 0xFF, 0x5A] {
            let mut upset = healthy;
            for chip in &mut upset.registers {
                chip[address] ^= noise;
            }
            for row in driver.repair(&target).as_slice() {
                healthy.take(row);
                assert!(healthy.show(&target), "{row:02x?} disturbed the display");
                upset.take(row);
            }
            assert_eq!(upset, healthy, "register {address:#04x}");
        }
    }
}
