//! What is wired to which line, and what of it cannot be: the rules, without touching a pin.

use std::collections::BTreeMap;
use std::fmt;

use crate::display::chain::Layout;

/// Which line of the header each part is wired to, by BCM number (`box.md` 1).
///
/// Contacts close to ground and get the internal pull-up; lamps and buzzer are on while their line
/// is high.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The left player's button.
    pub left: u8,
    /// The right player's button.
    pub right: u8,
    /// The pause key.
    pub pause: u8,
    /// The minus key.
    pub minus: u8,
    /// The plus key.
    pub plus: u8,
    /// The ok key.
    pub ok: u8,
    /// The left lamp.
    pub lamp_left: u8,
    /// The right lamp.
    pub lamp_right: u8,
    /// The buzzer.
    pub buzzer: u8,
    /// A passive buzzer: its line is the kernel's PWM's, and is not touched here.
    pub passive_buzzer: bool,
    /// The UPS board's signal, low while its battery is; `None`: there is none.
    pub low_power: Option<u8>,
}

impl Default for Lines {
    /// The default wiring of `box.md` 1.
    fn default() -> Self {
        Lines {
            left: 17,
            right: 27,
            pause: 22,
            minus: 23,
            plus: 24,
            ok: 25,
            lamp_left: 5,
            lamp_right: 6,
            buzzer: 13,
            passive_buzzer: false,
            low_power: None,
        }
    }
}

/// How a chain of display chips is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainWiring {
    /// How the displays are put together.
    pub layout: Layout,
    /// Which chip select of SPI0; with [`Layout::Split`] both.
    pub select: ChipSelect,
    /// The bus clock in hertz: [`MIN_HERTZ`] to [`MAX_HERTZ`].
    pub hertz: u32,
}

/// A chip select of SPI0. Other buses are not offered: on a Pi 5 `/dev/spidev10.0` is the boot
/// flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChipSelect {
    /// CE0, GPIO 8, `/dev/spidev0.0`.
    Ce0,
    /// CE1, GPIO 7, `/dev/spidev0.1`.
    Ce1,
}

/// The slowest clock that a chain may have: a row of two chips then takes 32 us.
pub const MIN_HERTZ: u32 = 1_000_000;
/// The fastest clock that a MAX7219 takes.
pub const MAX_HERTZ: u32 = 10_000_000;

impl Default for ChainWiring {
    /// CE0 at the slowest clock: the one that forgives long wires.
    fn default() -> Self {
        ChainWiring { layout: Layout::Chained, select: ChipSelect::Ce0, hertz: MIN_HERTZ }
    }
}

/// The lines of the 40-pin header.
const HEADER: std::ops::RangeInclusive<u8> = 0..=27;
/// The header's lines that SPI0 takes: CE1, CE0, MISO, MOSI, SCLK.
const SPI0: std::ops::RangeInclusive<u8> = 7..=11;

/// Why a part of the board cannot be used: what was attempted, what stood in the way, what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BoardError(pub(super) String);

impl Lines {
    /// Every part with its line: what is read first, then what is written.
    fn parts(&self) -> impl Iterator<Item = (&'static str, u8)> {
        let always = [
            ("left", self.left),
            ("right", self.right),
            ("pause", self.pause),
            ("minus", self.minus),
            ("plus", self.plus),
            ("ok", self.ok),
            ("lamp-left", self.lamp_left),
            ("lamp-right", self.lamp_right),
            ("buzzer", self.buzzer),
        ];
        always.into_iter().chain(self.low_power.map(|line| ("low-power", line)))
    }

    /// Checks that every part has a line of its own on the header that the displays do not need.
    /// It touches no pin, so it serves on any machine.
    ///
    /// # Errors
    /// The sentence names the part, its line and what would do.
    pub fn check(&self) -> Result<(), BoardError> {
        let mut taken = BTreeMap::new();
        for (part, line) in self.parts() {
            if !HEADER.contains(&line) {
                return Err(BoardError(format!(
                    "{part} is to be on GPIO {line}, which the header does not have: \
                     name a BCM number from 0 to 27"
                )));
            }
            if SPI0.contains(&line) {
                return Err(BoardError(format!(
                    "{part} is to be on GPIO {line}, which belongs to SPI0 and so to the displays: \
                     name a line other than 7 to 11"
                )));
            }
            if let Some(other) = taken.insert(line, part) {
                return Err(BoardError(format!(
                    "{part} and {other} are both to be on GPIO {line}: give each a line of its own"
                )));
            }
        }
        Ok(())
    }
}

impl ChainWiring {
    /// Checks that the clock is one that the chips take.
    ///
    /// # Errors
    /// The sentence says which would do.
    pub fn check(&self) -> Result<(), BoardError> {
        if (MIN_HERTZ..=MAX_HERTZ).contains(&self.hertz) {
            return Ok(());
        }
        Err(BoardError(format!(
            "the displays' SPI clock is to be {} Hz: name one from {MIN_HERTZ} to {MAX_HERTZ}",
            self.hertz
        )))
    }
}

impl fmt::Display for ChipSelect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChipSelect::Ce0 => "/dev/spidev0.0",
            ChipSelect::Ce1 => "/dev/spidev0.1",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_wiring_is_right() {
        assert_eq!(Lines::default().check(), Ok(()));
    }

    #[test]
    fn a_wrong_wiring_is_refused_with_the_part_the_line_and_what_would_do() {
        let default = Lines::default();
        for (lines, says) in [
            (
                Lines { buzzer: 28, ..default.clone() },
                "buzzer is to be on GPIO 28, which the header does not have: \
                 name a BCM number from 0 to 27",
            ),
            (
                Lines { ok: 10, ..default.clone() },
                "ok is to be on GPIO 10, which belongs to SPI0 and so to the displays: \
                 name a line other than 7 to 11",
            ),
            (
                Lines { lamp_right: 5, ..default },
                "lamp-right and lamp-left are both to be on GPIO 5: give each a line of its own",
            ),
        ] {
            assert_eq!(lines.check(), Err(BoardError(says.to_owned())));
        }
    }

    #[test]
    fn a_clock_that_a_max7219_does_not_take_is_refused() {
        for hertz in [0, MIN_HERTZ - 1, MAX_HERTZ + 1] {
            let wiring = ChainWiring { select: ChipSelect::Ce1, hertz, ..ChainWiring::default() };
            let error = wiring.check().unwrap_err().to_string();
            assert!(error.contains("name one from 1000000 to 10000000"), "{error}");
        }
    }
}
