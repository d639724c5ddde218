//! A MAX7219 as its data sheet describes it: registers in, lit segments out.
//!
//! It knows nothing of digits' meaning or of the clock: what it shows is what the words sent to it
//! say, and a wrong word shows wrongly here, too.

/// Register addresses (data sheet, table 2), the low four bits of a word's first byte. They are not
/// the driver's own constants: a mistake in those has to show here.
mod register {
    pub(super) const DIGIT_0: u8 = 0x1;
    pub(super) const DIGIT_7: u8 = 0x8;
    pub(super) const DECODE_MODE: u8 = 0x9;
    pub(super) const INTENSITY: u8 = 0xA;
    pub(super) const SCAN_LIMIT: u8 = 0xB;
    pub(super) const SHUTDOWN: u8 = 0xC;
    pub(super) const DISPLAY_TEST: u8 = 0xF;
}

/// Code B (data sheet, table 5): `0` to `9`, `-`, `E`, `H`, `L`, `P`, blank; bits 6..0 = a..g.
const CODE_B: [u8; 16] = [
    0x7E, 0x30, 0x6D, 0x79, 0x33, 0x5B, 0x5F, 0x70, 0x7F, 0x7B, 0x01, 0x4F, 0x37, 0x0E, 0x67, 0x00,
];

/// The decimal point's bit in a digit register and in a segment byte.
const POINT: u8 = 0x80;

/// The registers of one chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chip {
    digits: [u8; 8],
    decode_mode: u8,
    intensity: u8,
    scan_limit: u8,
    operating: bool,
    testing: bool,
}

impl Chip {
    /// A chip just powered on: shut down, dark, one digit scanned, dimmest (data sheet, "initial
    /// power-up").
    pub(super) const POWERED_ON: Chip = Chip {
        digits: [0; 8],
        decode_mode: 0,
        intensity: 0,
        scan_limit: 0,
        operating: false,
        testing: false,
    };

    /// Takes a latched word. Address 0 is the no-op; unassigned addresses do nothing.
    pub(super) fn take(&mut self, [address, value]: [u8; 2]) {
        match address & 0x0F {
            digit @ register::DIGIT_0..=register::DIGIT_7 => {
                if let Some(slot) = self.digits.get_mut(usize::from(digit - register::DIGIT_0)) {
                    *slot = value;
                }
            }
            register::DECODE_MODE => self.decode_mode = value,
            register::INTENSITY => self.intensity = value & 0x0F,
            register::SCAN_LIMIT => self.scan_limit = value & 0x07,
            register::SHUTDOWN => self.operating = value & 1 == 1,
            register::DISPLAY_TEST => self.testing = value & 1 == 1,
            _ => {}
        }
    }

    /// What glows, digit 0 first: bit 7 = point, bits 6..0 = a..g.
    pub(super) fn lit(&self) -> [u8; 8] {
        if self.testing {
            return [0xFF; 8];
        }
        if !self.operating {
            return [0; 8];
        }
        let mut lit = self.digits;
        for (digit, byte) in lit.iter_mut().enumerate() {
            if digit > usize::from(self.scan_limit) {
                *byte = 0;
            } else if self.decode_mode >> digit & 1 == 1 {
                let glyph = CODE_B.get(usize::from(*byte & 0x0F)).copied().unwrap_or(0);
                *byte = glyph | *byte & POINT;
            }
        }
        lit
    }

    /// How bright it glows, 0 to 15; a display test is always brightest.
    pub(super) fn brightness(&self) -> u8 {
        if self.testing { 15 } else { self.intensity }
    }

    /// Puts nonsense into every register, as a spike on the wires does; `testing` says whether the
    /// chip then hangs in display test (all lit) or in shutdown (dark).
    pub(super) fn scramble(&mut self, testing: bool) {
        for digit in &mut self.digits {
            *digit ^= 0x5A;
        }
        self.decode_mode = !self.decode_mode;
        self.intensity = 15 - self.intensity;
        self.scan_limit = 7 - self.scan_limit;
        self.operating = testing;
        self.testing = testing;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chip(words: &[[u8; 2]]) -> Chip {
        let mut chip = Chip::POWERED_ON;
        for &word in words {
            chip.take(word);
        }
        chip
    }

    const ON: [u8; 2] = [0x0C, 1];
    const ALL_DIGITS: [u8; 2] = [0x0B, 7];

    #[test]
    fn a_chip_is_dark_until_it_is_taken_out_of_shutdown() {
        let digits = [ALL_DIGITS, [0x01, 0xFF], [0x08, 0x7E]];
        assert_eq!(chip(&digits).lit(), [0; 8]);
        let mut lit = chip(&digits);
        lit.take(ON);
        assert_eq!(lit.lit(), [0xFF, 0, 0, 0, 0, 0, 0, 0x7E]);
    }

    #[test]
    fn digits_beyond_the_scan_limit_are_dark() {
        let words = [ON, [0x0B, 2], [0x03, 0x7F], [0x04, 0x7F]];
        assert_eq!(chip(&words).lit(), [0, 0, 0x7F, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn code_b_decodes_only_the_digits_whose_bit_is_set_and_keeps_their_point() {
        let words = [ON, ALL_DIGITS, [0x09, 0b0000_0101], [0x01, 0x85], [0x02, 0x05], [0x03, 0x0A]];
        assert_eq!(chip(&words).lit(), [0xDB, 0x05, 0x01, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_display_test_lights_everything_even_in_shutdown_and_at_full_brightness() {
        let chip = chip(&[[0x0F, 1], [0x0A, 3]]);
        assert_eq!((chip.lit(), chip.brightness()), ([0xFF; 8], 15));
    }

    #[test]
    fn address_zero_and_unassigned_addresses_change_nothing_and_high_address_bits_are_ignored() {
        assert_eq!(chip(&[[0x00, 0xFF], [0x0D, 0xFF], [0x0E, 0xFF]]), Chip::POWERED_ON);
        assert_eq!(chip(&[[0xFC, 1]]), chip(&[ON]));
    }

    #[test]
    fn an_upset_leaves_no_register_as_it_was() {
        let before = chip(&[ON, ALL_DIGITS, [0x0A, 8], [0x02, 0x7E]]);
        for testing in [true, false] {
            let mut after = before.clone();
            after.scramble(testing);
            assert!(after.digits.iter().zip(before.digits).all(|(now, then)| *now != then));
            assert_ne!(after.decode_mode, before.decode_mode);
            assert_ne!(after.intensity, before.intensity);
            assert_ne!(after.scan_limit, before.scan_limit);
            assert!(after.testing != before.testing || after.operating != before.operating);
        }
    }
}
