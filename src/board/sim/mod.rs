//! The simulated box: wires, display chips and time, and a picture of it all in a terminal.
//!
//! It does not simulate the clock: it stands where the wires are, so that everything behind them
//! is the real thing. Buttons are levels on pins that go through the real debouncer; what the
//! displays show is decoded from the words that the real driver sent to simulated MAX7219 chips.
//!
//! [`Simulator`] is the tester's hand and eye; [`pins`](Simulator::pins) and
//! [`chain`](Simulator::chain) are what the daemon is wired to; [`manual`] is time for tests;
//! [`terminal`] draws the box.

mod chain;
mod chip;
pub mod manual;
mod pins;
mod sounds;
pub mod terminal;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use chain::SimChain;
pub use pins::SimPins;
pub use sounds::Sound;

use chain::Modules;
use pins::{Edge, Wiring};

use super::{Contacts, Signals};
use crate::control::Seat;
use crate::input::Key;
use crate::time::{Instant, Span};

/// How long a tap holds a key down.
pub const TAP: Span = Span::from_millis(60);

/// The most edges that one wave may have.
pub const MAX_EDGES: usize = 4_096;

/// A hand on the keys of the simulated box and an eye on its displays. Clones are of the same box.
///
/// What it does to a key takes the place of whatever that key was still to do, and is seen at the
/// timing thread's next look.
#[derive(Clone, Debug)]
pub struct Simulator {
    wiring: Arc<Wiring>,
    modules: Arc<Mutex<Modules>>,
}

/// What can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `spi-error`: transfers to the displays fail for as long as it is on.
    SpiError,
    /// `display-upset`: switched on, it scrambles every register of both chips once; it needs no
    /// switching off.
    DisplayUpset,
}

/// A request that the simulated box does not fulfil.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimulatorError {
    /// No fault has that name.
    #[error("there is no fault '{0}': there are spi-error and display-upset")]
    UnknownFault(String),
    /// A fault of a part that this box does not have.
    #[error("the fault '{0}' cannot be injected: nothing in this version would notice it")]
    FaultWithoutEffect(&'static str),
    /// A wave without edges.
    #[error("a wave needs at least one edge, such as (0, true)")]
    EmptyWave,
    /// A wave with more than [`MAX_EDGES`] edges.
    #[error("a wave of {0} edges is too long: at most {MAX_EDGES} are possible")]
    LongWave(usize),
    /// An edge before the wave's beginning or before the edge in front of it.
    #[error(
        "edge {number} of the wave lies at {offset_us} us, after one at {least_us} us or more: offsets begin at 0 and never go back"
    )]
    BackwardEdge {
        /// Which edge, from 1.
        number: usize,
        /// Its offset.
        offset_us: i64,
        /// The least that its offset could be.
        least_us: i64,
    },
}

impl Fault {
    /// The fault of that name on the wire.
    ///
    /// # Errors
    /// No fault has that name, or nothing would notice it (`disk-full`, `low-power`).
    pub fn from_name(name: &str) -> Result<Fault, SimulatorError> {
        match name {
            "spi-error" => Ok(Fault::SpiError),
            "display-upset" => Ok(Fault::DisplayUpset),
            "disk-full" => Err(SimulatorError::FaultWithoutEffect("disk-full")),
            "low-power" => Err(SimulatorError::FaultWithoutEffect("low-power")),
            _ => Err(SimulatorError::UnknownFault(name.to_owned())),
        }
    }
}

impl Default for Simulator {
    fn default() -> Self {
        Simulator::new()
    }
}

impl Simulator {
    /// A box just powered on: no key down, lamps off, displays dark.
    #[must_use]
    pub fn new() -> Self {
        Simulator { wiring: Arc::new(Wiring::new()), modules: Arc::new(Mutex::new(Modules::new())) }
    }

    /// The pins, for the timing thread. Taken once for each box: two readers would each move on
    /// the other's waves.
    #[must_use]
    pub fn pins(&self) -> SimPins {
        SimPins::new(Arc::clone(&self.wiring))
    }

    /// The display chain, for the display thread.
    #[must_use]
    pub fn chain(&self) -> SimChain {
        SimChain { modules: Arc::clone(&self.modules) }
    }

    /// Presses a key and keeps it down.
    pub fn hold(&self, key: Key) {
        self.wiring.set(key, vec![Edge { after: Span::ZERO, closed: true }]);
    }

    /// Lets a key go.
    pub fn release(&self, key: Key) {
        self.wiring.set(key, vec![Edge { after: Span::ZERO, closed: false }]);
    }

    /// Presses a key for [`TAP`] on the box's time line.
    pub fn tap(&self, key: Key) {
        let down = Edge { after: Span::ZERO, closed: true };
        let up = Edge { after: TAP, closed: false };
        self.wiring.set(key, vec![down, up]);
    }

    /// Lets a key's level run through `edges`: from each offset (in microseconds since the timing
    /// thread's next look) on, the key is down or up as said. Before the first edge and after the
    /// last one the level stays as it is.
    ///
    /// # Errors
    /// No edges or more than [`MAX_EDGES`], or offsets that are negative or go back: nothing
    /// happens.
    pub fn wave(&self, key: Key, edges: &[(i64, bool)]) -> Result<(), SimulatorError> {
        match edges.len() {
            0 => return Err(SimulatorError::EmptyWave),
            1..=MAX_EDGES => {}
            more => return Err(SimulatorError::LongWave(more)),
        }
        let mut least_us = 0;
        for (index, &(offset_us, _)) in edges.iter().enumerate() {
            if offset_us < least_us {
                return Err(SimulatorError::BackwardEdge {
                    number: index + 1,
                    offset_us,
                    least_us,
                });
            }
            least_us = offset_us;
        }
        let edge = |&(us, closed)| Edge { after: Span::from_micros(us), closed };
        self.wiring.set(key, edges.iter().map(edge).collect());
        Ok(())
    }

    /// The contacts as the timing thread last saw them.
    #[must_use]
    pub fn contacts(&self) -> Contacts {
        self.wiring.contacts()
    }

    /// Lamps and buzzer as they are.
    #[must_use]
    pub fn signals(&self) -> Signals {
        self.wiring.signals()
    }

    /// The names of the lamps that are lit, of `left` and `right`.
    #[must_use]
    pub fn lamps(&self) -> Vec<&'static str> {
        let signals = self.signals();
        let lamps = [("left", signals.lamp_left), ("right", signals.lamp_right)];
        lamps.into_iter().filter(|(_, lit)| *lit).map(|(name, _)| name).collect()
    }

    /// The latest sounds that began at or after `since`, oldest first.
    #[must_use]
    pub fn sounds(&self, since: Instant) -> Vec<Sound> {
        self.wiring.sounds(since)
    }

    /// What glows on a seat's display, leftmost digit first: bit 7 = point, bits 6..0 = a..g.
    #[must_use]
    pub fn segments(&self, seat: Seat) -> [u8; 8] {
        // Digit 7 of a module is its leftmost.
        let mut lit = locked(&self.modules).chip(seat).lit();
        lit.reverse();
        lit
    }

    /// How bright a seat's display glows, 0 to 15.
    #[must_use]
    pub fn brightness(&self, seat: Seat) -> u8 {
        locked(&self.modules).chip(seat).brightness()
    }

    /// Switches a fault on or off.
    pub fn inject(&self, fault: Fault, on: bool) {
        let mut modules = locked(&self.modules);
        match fault {
            Fault::SpiError => modules.spi_error = on,
            Fault::DisplayUpset if on => modules.scramble(),
            Fault::DisplayUpset => {}
        }
    }
}

/// A lock that a panic elsewhere does not spoil: what it guards here is whole after every step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
