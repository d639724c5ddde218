//! The world's edge: contacts, lamps, display chips and time, behind small traits.
//!
//! Each is a trait because the same daemon runs on a Raspberry Pi's wires and on simulated ones;
//! which it is, the configuration says, never `cfg`.

mod chains;
pub mod monotonic;
pub mod pwm;
pub mod rpi;
pub mod sim;
pub mod wiring;

pub use chains::Chains;

use crate::input::Contacts;
use crate::panel::Signals;
use crate::time::Instant;

/// The pins of the box. A trait because a test stands where the wires are.
///
/// Called from the timing thread only: no call may allocate, block or fail.
pub trait Pins: Send {
    /// The contacts as they are now.
    fn read(&mut self, now: Instant) -> Contacts;
    /// Sets lamps and buzzer.
    fn write(&mut self, signals: Signals);
    /// Until when the contacts are sure to stay as they are at `now`. Wires promise nothing.
    fn steady_until(&self, now: Instant) -> Instant {
        now
    }
}

/// A chain of MAX7219 chips behind one chip select. A trait because simulated chips decode the
/// very words that the real ones would get.
pub trait Chain: Send {
    /// Sends one row: two bytes (register, value) for each chip, the farthest chip's first, as one
    /// transfer, latched at its end.
    ///
    /// # Errors
    /// The transfer failed; the text says what and what to check.
    fn transfer(&mut self, row: &[u8]) -> Result<(), DisplayFault>;
}

/// A buzzer that needs a tone, which something else than a pin makes. A trait because a test stands
/// where the kernel's PWM is.
pub trait Tone: Send + core::fmt::Debug {
    /// Switches the tone on or off. May block: called from the display thread only.
    ///
    /// # Errors
    /// It could not be switched; the text says what and what to check.
    fn sound(&mut self, on: bool) -> Result<(), BuzzerFault>;
}

/// A buzzer that cannot be switched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BuzzerFault(pub String);

/// A display bus that does not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DisplayFault(pub String);

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// The awaited instant has come: poll the pins.
    Due,
    /// Something else wants attention at the present instant (an order in manual time): no poll.
    Called,
}

/// The time that the timing thread lives by. A trait because in tests it stands until it is told
/// to go on.
pub trait Time: Send {
    /// Now, on the box's time line (begins with the daemon).
    fn now(&self) -> Instant;
    /// Waits until `until`, an absolute instant.
    fn wait_until(&mut self, until: Instant) -> Wake;
    /// Whether polls at which nothing can happen may be left out. Real time passes anyway.
    fn may_leap(&self) -> bool {
        false
    }
    /// A new game has begun: a calibration that came in meanwhile is taken over now.
    fn new_game(&mut self) {}
}

/// The timing thread's time line as everybody else reads it. A trait because in tests it stands.
pub trait TimeLine: Send + Sync + core::fmt::Debug {
    /// Now, on the box's time line.
    fn now(&self) -> Instant;
    /// An order has been left for the timing thread. Real time need not do anything: the thread
    /// looks at its next tick.
    fn order_waits(&self) {}
    /// The calibration that the line goes by, in parts in 10^9 (positive: the oscillator runs
    /// slow).
    fn calibration_ppb(&self) -> i32 {
        0
    }
}
