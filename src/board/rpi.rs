//! The box's wires on a Raspberry Pi: GPIO through mapped memory, displays through spidev.
//!
//! Nothing here decides anything, and nothing here is a clock. This is the only file that names
//! rppal. Once built, the pins neither allocate, block nor fail: a level is one volatile read of
//! memory. Whatever can go wrong goes wrong while building, and says what to do about it.

use std::fmt::Display;
use std::io::ErrorKind;

use rppal::gpio::{self, Gpio, InputPin, Level, OutputPin};
use rppal::spi::{self, Bus, Mode, SlaveSelect, Spi};
use rppal::system::DeviceInfo;

use super::wiring::{BoardError, ChainWiring, ChipSelect, Lines, MIN_HERTZ};
use super::{Chain, Chains, DisplayFault, Pins};
use crate::display::chain::Layout;
use crate::input::Contacts;
use crate::panel::Signals;
use crate::time::Instant;

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
    wiring.check()?;
    let ChainWiring { layout, select, hertz } = *wiring;
    let split = layout == Layout::Split;
    let second = split.then(|| behind(ChipSelect::Ce1, hertz)).transpose()?;
    let select = if split { ChipSelect::Ce0 } else { select };
    Ok(Chains { first: behind(select, hertz)?, second })
}

fn behind(select: ChipSelect, hertz: u32) -> Result<RpiChain, BoardError> {
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
        // What is tried last is no remedy: whoever may open /dev/mem may do anything.
        gpio::Error::PermissionDenied(path) if path == "/dev/mem" => {
            missing("there is no /dev/gpiomem")
        }
        gpio::Error::PermissionDenied(path) => forbidden(&path),
        gpio::Error::Io(error) if error.kind() == ErrorKind::NotFound => missing(error),
        // Of a Pi 5 rppal does not say which.
        gpio::Error::Io(error) if error.kind() == ErrorKind::PermissionDenied => {
            forbidden("/dev/gpiomem0 (of a Pi 5)")
        }
        gpio::Error::Io(error) => format!(
            "the pins cannot be used: {error}; see that /dev/gpiomem (/dev/gpiomem0 on a Pi 5) and \
             /dev/gpiochip0 can be opened by the daemon's user"
        ),
        gpio::Error::ThreadPanic => {
            "the pins cannot be used: a thread of the GPIO library died; start again".to_owned()
        }
    })
}

fn missing(what: impl Display) -> String {
    format!(
        "the pins cannot be used: a device of the GPIO is missing ({what}); /dev/gpiomem \
         (/dev/gpiomem0 on a Pi 5) and /dev/gpiochip0 must exist: use Raspberry Pi OS's kernel, \
         and see that the service's DeviceAllow names them"
    )
}

fn forbidden(path: &str) -> String {
    format!(
        "the pins cannot be used: {path} may not be opened; add the daemon's user to the group gpio \
         (sudo usermod -aG gpio USER; it counts from the next login or start), and see that the \
         service's DeviceAllow names it"
    )
}

/// Why a transfer or the opening of its device failed, and what to do.
fn cannot_send(select: ChipSelect, error: &spi::Error) -> String {
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
    use std::io::Error;

    #[test]
    fn every_failure_of_the_board_names_its_remedy() {
        for (error, remedy) in [
            (gpio::Error::UnknownModel, "board = \"sim\""),
            (gpio::Error::PermissionDenied("/dev/gpiomem".into()), "usermod -aG gpio"),
            (gpio::Error::Io(Error::from(ErrorKind::NotFound)), "/dev/gpiomem0"),
            // A Pi before the 5 without /dev/gpiomem, and a Pi 5 without rights.
            (gpio::Error::PermissionDenied("/dev/mem".into()), "use Raspberry Pi OS's kernel"),
            (gpio::Error::Io(Error::from(ErrorKind::PermissionDenied)), "usermod -aG gpio"),
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
