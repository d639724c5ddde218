//! The box's wires on a Raspberry Pi: GPIO through mapped memory, displays through spidev.
//!
//! Nothing here decides anything, and nothing here is a clock. This is the only file that names
//! rppal. Once built, the pins neither allocate, block nor fail: a level is one volatile read of
//! memory. Whatever can go wrong goes wrong while building, and says what to do about it.

use std::collections::BTreeMap;
use std::fmt;

use rppal::gpio::{self, Gpio, InputPin, Level, OutputPin};
use rppal::spi::{self, Bus, Mode, SlaveSelect, Spi};
use rppal::system::DeviceInfo;

use super::{Chain, Chains, DisplayFault, Pins};
use crate::display::chain::Layout;
use crate::input::Contacts;
use crate::panel::Signals;
use crate::time::Instant;

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
pub struct BoardError(String);

/// What kind of machine this is, for `board = "auto"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Machine {
    /// A Raspberry Pi of that model.
    RaspberryPi(String),
    /// A Raspberry Pi by its own name, but of a model that rppal does not know.
    UnknownPi(String),
    /// Something else.
    Other,
}

/// Looks what kind of machine this is.
#[must_use]
pub fn machine() -> Machine {
    if let Ok(info) = DeviceInfo::new() {
        return Machine::RaspberryPi(info.model().to_string());
    }
    match std::fs::read_to_string("/sys/firmware/devicetree/base/model") {
        Ok(name) if name.starts_with("Raspberry Pi") => {
            Machine::UnknownPi(name.trim_end_matches('\0').to_owned())
        }
        _ => Machine::Other,
    }
}

impl Lines {
    /// Every part with its line, in the order of [`Contacts`], then [`Signals`].
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

/// The pins of the box. Dropped, they leave lamps and buzzer off.
#[derive(Debug)]
pub struct RpiPins {
    left: InputPin,
    right: InputPin,
    pause: InputPin,
    minus: InputPin,
    plus: InputPin,
    ok: InputPin,
    low_power: Option<InputPin>,
    outputs: Outputs,
}

/// Lamps and an active buzzer. They stay outputs when dropped: a line that is driven low is off for sure, a
/// floating one may buzz.
#[derive(Debug)]
struct Outputs {
    lamp_left: OutputPin,
    lamp_right: OutputPin,
    buzzer: Option<OutputPin>,
}

/// Takes the pins: contacts with pull-up, lamps and buzzer off.
///
/// # Errors
/// The lines are not right ([`Lines::check`]), this is no Raspberry Pi that rppal knows, or the
/// GPIO may not be used; the sentence names the remedy. Without pins there is no clock.
pub fn pins(lines: &Lines) -> Result<RpiPins, BoardError> {
    let gpio = open(lines)?;
    let contact = |line| Ok(gpio.get(line).map_err(cannot_use)?.into_input_pullup());
    Ok(RpiPins {
        left: contact(lines.left)?,
        right: contact(lines.right)?,
        pause: contact(lines.pause)?,
        minus: contact(lines.minus)?,
        plus: contact(lines.plus)?,
        ok: contact(lines.ok)?,
        low_power: lines.low_power.map(contact).transpose()?,
        outputs: Outputs::take(&gpio, lines)?,
    })
}

/// Switches lamps and buzzer off and leaves them so: for after a kill, when nobody could (a level
/// on a pin outlives the process that set it).
///
/// # Errors
/// As [`pins`].
pub fn pins_safe(lines: &Lines) -> Result<(), BoardError> {
    let gpio = open(lines)?;
    Outputs::take(&gpio, lines).map(drop)
}

fn open(lines: &Lines) -> Result<Gpio, BoardError> {
    lines.check()?;
    Gpio::new().map_err(cannot_use)
}

impl Outputs {
    fn take(gpio: &Gpio, lines: &Lines) -> Result<Outputs, BoardError> {
        let output = |line| {
            let mut pin = gpio.get(line).map_err(cannot_use)?.into_output_low();
            pin.set_reset_on_drop(false);
            Ok(pin)
        };
        Ok(Outputs {
            lamp_left: output(lines.lamp_left)?,
            lamp_right: output(lines.lamp_right)?,
            buzzer: (!lines.passive_buzzer).then(|| output(lines.buzzer)).transpose()?,
        })
    }

    fn set(&mut self, signals: Signals) {
        self.lamp_left.write(Level::from(signals.lamp_left));
        self.lamp_right.write(Level::from(signals.lamp_right));
        if let Some(buzzer) = &mut self.buzzer {
            buzzer.write(Level::from(signals.buzzer));
        }
    }
}

impl Drop for Outputs {
    fn drop(&mut self) {
        self.set(Signals::default());
    }
}

impl Pins for RpiPins {
    fn read(&mut self, _now: Instant) -> Contacts {
        Contacts {
            left: self.left.is_low(),
            right: self.right.is_low(),
            pause: self.pause.is_low(),
            minus: self.minus.is_low(),
            plus: self.plus.is_low(),
            ok: self.ok.is_low(),
            low_power: self.low_power.as_ref().is_some_and(InputPin::is_low),
        }
    }

    fn write(&mut self, signals: Signals) {
        self.outputs.set(signals);
    }
}

/// A chain of display chips on SPI0.
#[derive(Debug)]
pub struct RpiChain {
    spi: Spi,
    select: ChipSelect,
}

/// Opens the way to a chain of display chips. Whether chips are there, no one can tell: a MAX7219
/// does not answer.
///
/// # Errors
/// The clock is out of range, or SPI is off or may not be used; the sentence names the remedy. The
/// clock keeps time without displays: try again later.
pub fn chain(wiring: &ChainWiring) -> Result<Chains<RpiChain>, BoardError> {
    let ChainWiring { layout, select, hertz } = *wiring;
    let split = layout == Layout::Split;
    let second = split.then(|| behind(ChipSelect::Ce1, hertz)).transpose()?;
    let select = if split { ChipSelect::Ce0 } else { select };
    Ok(Chains { first: behind(select, hertz)?, second })
}

fn behind(select: ChipSelect, hertz: u32) -> Result<RpiChain, BoardError> {
    if !(MIN_HERTZ..=MAX_HERTZ).contains(&hertz) {
        return Err(BoardError(format!(
            "the displays' SPI clock is to be {hertz} Hz: name one from {MIN_HERTZ} to {MAX_HERTZ}"
        )));
    }
    let slave_select = match select {
        ChipSelect::Ce0 => SlaveSelect::Ss0,
        ChipSelect::Ce1 => SlaveSelect::Ss1,
    };
    let spi = Spi::new(Bus::Spi0, slave_select, hertz, Mode::Mode0)
        .map_err(|error| BoardError(cannot_send(select, &error)))?;
    Ok(RpiChain { spi, select })
}

impl Chain for RpiChain {
    fn transfer(&mut self, row: &[u8]) -> Result<(), DisplayFault> {
        match self.spi.write(row) {
            Ok(sent) if sent == row.len() => Ok(()),
            Ok(sent) => Err(DisplayFault(format!(
                "{} took {sent} of {} bytes: the display's row is broken off; it is sent again",
                self.select,
                row.len()
            ))),
            Err(error) => Err(DisplayFault(cannot_send(self.select, &error))),
        }
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

/// Why the GPIO cannot be used, and what to do.
fn cannot_use(error: gpio::Error) -> BoardError {
    BoardError(match error {
        gpio::Error::UnknownModel => "the pins cannot be used: this machine is not known as a \
            Raspberry Pi (models up to the Pi 5, 500 and Compute Module 5 are); \
            elsewhere use board = \"sim\""
            .to_owned(),
        gpio::Error::PinUsed(line) => {
            format!("GPIO {line} cannot be used: this program uses it already; name each line once")
        }
        gpio::Error::PinNotAvailable(line) => format!(
            "GPIO {line} cannot be used: this Raspberry Pi does not have it; \
             name a BCM number from 0 to 27"
        ),
        gpio::Error::PermissionDenied(path) => format!(
            "the pins cannot be used: {path} may not be opened; add the daemon's user to the group \
             gpio (sudo usermod -aG gpio USER; it counts from the next login or start), and see \
             that the service's DeviceAllow names it"
        ),
        gpio::Error::Io(error) if error.kind() == std::io::ErrorKind::NotFound => format!(
            "the pins cannot be used: a device of the GPIO is missing ({error}); /dev/gpiomem \
             (/dev/gpiomem0 on a Pi 5) and /dev/gpiochip0 must exist: use Raspberry Pi OS's kernel, \
             and see that the service's DeviceAllow names them"
        ),
        gpio::Error::Io(error) => format!(
            "the pins cannot be used: {error}; see that /dev/gpiomem (/dev/gpiomem0 on a Pi 5) and \
             /dev/gpiochip0 can be opened by the daemon's user"
        ),
        gpio::Error::ThreadPanic => {
            "the pins cannot be used: a thread of the GPIO library died; start again".to_owned()
        }
    })
}

/// Why a transfer or the opening of its device failed, and what to do.
fn cannot_send(select: ChipSelect, error: &spi::Error) -> String {
    use std::io::ErrorKind;
    match error {
        spi::Error::Io(error) if error.kind() == ErrorKind::NotFound => format!(
            "the displays cannot be reached: {select} does not exist, SPI is off; add the line \
             dtparam=spi=on to /boot/firmware/config.txt (or switch SPI on in raspi-config) and \
             restart the Raspberry Pi"
        ),
        spi::Error::Io(error) if error.kind() == ErrorKind::PermissionDenied => format!(
            "the displays cannot be reached: {select} may not be opened; add the daemon's user to \
             the group spi (sudo usermod -aG spi USER; it counts from the next login or start), \
             and see that the service's DeviceAllow names it"
        ),
        spi::Error::ClockSpeedNotSupported(hertz) => format!(
            "the displays cannot be reached: {select} does not run at {hertz} Hz; name a slower \
             clock, at least {MIN_HERTZ} Hz"
        ),
        other => format!(
            "the displays cannot be reached: {select}: {other}; check the wiring and that nothing \
             else uses SPI0"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

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
            assert_eq!(pins(&lines).err(), Some(BoardError(says.to_owned())));
        }
    }

    #[test]
    fn a_clock_that_a_max7219_does_not_take_is_refused() {
        for hertz in [0, MIN_HERTZ - 1, MAX_HERTZ + 1] {
            let wiring = ChainWiring { select: ChipSelect::Ce1, hertz, ..ChainWiring::default() };
            let error = chain(&wiring).map(drop).unwrap_err().to_string();
            assert!(error.contains("name one from 1000000 to 10000000"), "{error}");
        }
    }

    #[test]
    fn every_failure_of_the_board_names_its_remedy() {
        for (error, remedy) in [
            (gpio::Error::UnknownModel, "board = \"sim\""),
            (gpio::Error::PermissionDenied("/dev/gpiomem".into()), "usermod -aG gpio"),
            (gpio::Error::Io(Error::from(ErrorKind::NotFound)), "/dev/gpiomem0"),
            (gpio::Error::PinNotAvailable(40), "0 to 27"),
            (gpio::Error::PinUsed(4), "name each line once"),
        ] {
            let says = cannot_use(error).to_string();
            assert!(says.contains(remedy), "{says}");
        }
        for (error, remedy) in [
            (spi::Error::Io(Error::from(ErrorKind::NotFound)), "dtparam=spi=on"),
            (spi::Error::Io(Error::from(ErrorKind::PermissionDenied)), "usermod -aG spi"),
            (spi::Error::ClockSpeedNotSupported(9), "a slower clock"),
            (spi::Error::Io(Error::from(ErrorKind::TimedOut)), "check the wiring"),
        ] {
            let says = cannot_send(ChipSelect::Ce0, &error);
            assert!(says.contains(remedy) && says.contains("/dev/spidev0.0"), "{says}");
        }
    }
}
