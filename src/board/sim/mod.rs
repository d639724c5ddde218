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

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use chain::SimChain;
pub use pins::SimPins;
pub use sounds::Sound;

use chain::{Behind, Modules};
use pins::{Edge, Wiring};

use super::Chains;
use crate::control::Seat;
use crate::display;
use crate::display::chain::Layout;
use crate::input::Contacts;
use crate::input::Key;
use crate::panel::Signals;
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
    layout: Layout,
    lever: bool,
    disk_full: Arc<AtomicBool>,
}

/// What can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `spi-error`: transfers to the displays fail for as long as it is on.
    SpiError,
    /// `display-upset`: switched on, it scrambles every register of both chips once; it needs no
    /// switching off.
    DisplayUpset,
    /// `low-power`: the battery is low for as long as it is on.
    LowPower,
    /// `disk-full`: the journal's disk takes nothing for as long as it is on.
    DiskFull,
}

/// A request that the simulated box does not fulfil.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimulatorError {
    /// No fault has that name.
    #[error("there is no fault '{0}': there are spi-error, display-upset, disk-full and low-power")]
    UnknownFault(String),
    /// A wave without edges.
    #[error("a wave needs at least one edge, such as (0, true)")]
    EmptyWave,
    /// A wave with more than [`MAX_EDGES`] edges.
    #[error("a wave of {0} edges is too long: at most {MAX_EDGES} are possible")]
    LongWave(usize),
    /// An edge before the wave's beginning or before the edge in front of it.
    #[error(
        "edge {number} of the wave lies at {offset_us} us, before {least_us} us: \
         offsets begin at 0 and never go back"
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
    /// No fault has that name.
    pub fn from_name(name: &str) -> Result<Fault, SimulatorError> {
        match name {
            "spi-error" => Ok(Fault::SpiError),
            "display-upset" => Ok(Fault::DisplayUpset),
            "disk-full" => Ok(Fault::DiskFull),
            "low-power" => Ok(Fault::LowPower),
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
        Simulator::of(Layout::Chained)
    }

    /// The same with displays that are put together otherwise.
    #[must_use]
    pub fn of(layout: Layout) -> Self {
        let modules = Arc::new(Mutex::new(Modules::new()));
        let (wiring, disk_full) = (Arc::new(Wiring::new()), Arc::default());
        Simulator { wiring, modules, layout, lever: false, disk_full }
    }

    /// The same with a disk that takes nothing while `full` is true.
    #[must_use]
    pub fn with_disk(mut self, full: Arc<AtomicBool>) -> Self {
        self.disk_full = full;
        self
    }

    /// The same with a rocker lever between the players, which lies on the right: a player's key
    /// throws it over, and it stays there.
    #[must_use]
    pub fn with_lever(mut self) -> Self {
        self.lever = true;
        self.wiring.set(Key::Right, vec![Edge { after: Span::ZERO, closed: true }]);
        self
    }

    /// How the displays are put together.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// True if the players press a lever.
    #[must_use]
    pub const fn has_lever(&self) -> bool {
        self.lever
    }

    /// The pins, for the timing thread. Taken once for each box: two readers would each move on
    /// the other's waves.
    #[must_use]
    pub fn pins(&self) -> SimPins {
        SimPins::new(Arc::clone(&self.wiring))
    }

    /// The displays, for the display thread.
    #[must_use]
    pub fn chain(&self) -> Chains<SimChain> {
        let behind = |behind| SimChain { modules: Arc::clone(&self.modules), behind };
        match self.layout {
            Layout::Chained => Chains { first: behind(Behind::Both), second: None },
            Layout::Shared => Chains { first: behind(Behind::One(Seat::Left)), second: None },
            Layout::Split => Chains {
                first: behind(Behind::One(Seat::Left)),
                second: Some(behind(Behind::One(Seat::Right))),
            },
        }
    }

    /// How many words the displays were sent since the power came.
    #[must_use]
    pub fn words_sent(&self) -> usize {
        locked(&self.modules).words
    }

    /// Presses a key and keeps it down.
    pub fn hold(&self, key: Key) {
        if let Some(raised) = self.throws(key) {
            self.wiring.set(raised, vec![Edge { after: Span::ZERO, closed: false }]);
        }
        self.wiring.set(key, vec![Edge { after: Span::ZERO, closed: true }]);
    }

    /// Lets a key go. A lever stays where it was thrown.
    pub fn release(&self, key: Key) {
        if self.throws(key).is_some() {
            return;
        }
        self.wiring.set(key, vec![Edge { after: Span::ZERO, closed: false }]);
    }

    /// Presses a key for [`TAP`] on the box's time line, or throws the lever to that side.
    pub fn tap(&self, key: Key) {
        if self.throws(key).is_some() {
            return self.hold(key);
        }
        let down = Edge { after: Span::ZERO, closed: true };
        let up = Edge { after: TAP, closed: false };
        self.wiring.set(key, vec![down, up]);
    }

    /// The side that rises when the lever goes down at that one.
    const fn throws(&self, key: Key) -> Option<Key> {
        match key {
            Key::Left if self.lever => Some(Key::Right),
            Key::Right if self.lever => Some(Key::Left),
            _ => None,
        }
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
        let modules = locked(&self.modules);
        let shared = self.layout == Layout::Shared;
        // Digit 7 of a module is its leftmost.
        let mut lit = modules.chip(if shared { Seat::Left } else { seat }).lit();
        lit.reverse();
        if shared {
            // Each side's four digits, at the right end.
            if seat == Seat::Left {
                lit.rotate_right(4);
            }
            lit[..4].fill(0);
        }
        lit
    }

    /// How bright a seat's display glows, 0 to 15.
    #[must_use]
    pub fn brightness(&self, seat: Seat) -> u8 {
        let shared = self.layout == Layout::Shared;
        locked(&self.modules).chip(if shared { Seat::Left } else { seat }).brightness()
    }

    /// What a person reads on a seat's display: `.` where a point is lit, a space for a dark digit.
    #[must_use]
    pub fn display(&self, seat: Seat) -> String {
        display::read(&self.segments(seat))
    }

    /// Switches a fault on or off.
    pub fn inject(&self, fault: Fault, on: bool) {
        let mut modules = locked(&self.modules);
        match fault {
            Fault::LowPower => self.wiring.set_low_power(on),
            Fault::SpiError => modules.spi_error = on,
            Fault::DisplayUpset if on => modules.scramble(),
            Fault::DisplayUpset => {}
            Fault::DiskFull => self.disk_full.store(on, Relaxed),
        }
    }
}

/// A lock that a panic elsewhere does not spoil: what it guards here is whole after every step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Chain, DisplayFault, Pins};
    use crate::display::Frame;
    use crate::display::chain::{Driver, Rows};

    fn frame() -> Frame {
        let left = [0, 0, 0, 0, 0, 0xF9, 0x7E, 0x7E];
        let right = [0x4F, 0x05, 0x05, 0, 0, 0, 0, 0x01];
        Frame { left, right, brightness: 9 }
    }

    fn send(chain: &mut Chains<SimChain>, rows: &Rows) -> Result<(), DisplayFault> {
        rows.as_slice().iter().try_for_each(|row| chain.transfer(row.bytes()))
    }

    fn shows(simulator: &Simulator, frame: &Frame) -> bool {
        Seat::BOTH.into_iter().all(|seat| {
            simulator.segments(seat) == *frame.of(seat)
                && simulator.brightness(seat) == frame.brightness
        })
    }

    #[test]
    fn the_chips_show_what_the_real_driver_sends() {
        let simulator = Simulator::new();
        let (mut driver, mut chain) = (Driver::new(Layout::Chained), simulator.chain());
        send(&mut chain, &driver.show(&frame())).unwrap();
        assert!(shows(&simulator, &frame()));
        assert_eq!(simulator.display(Seat::Left), "     3.00");
        assert_eq!(simulator.display(Seat::Right), "Err    -");
        let next = Frame { left: [0x5B; 8], brightness: 3, ..frame() };
        send(&mut chain, &driver.show(&next)).unwrap();
        assert!(shows(&simulator, &next));
    }

    #[test]
    fn in_every_layout_the_chips_show_the_frame_and_only_changes_are_sent() {
        // Words for a full rewrite, and for one digit of the left display.
        for (layout, full, one) in
            [(Layout::Chained, 26, 2), (Layout::Split, 26, 2), (Layout::Shared, 13, 1)]
        {
            let simulator = Simulator::of(layout);
            let (mut driver, mut chain) = (Driver::new(layout), simulator.chain());
            let seen = |frame: &Frame| {
                let mut frame = *frame;
                if layout == Layout::Shared {
                    frame.left[..4].fill(0);
                    frame.right[..4].fill(0);
                }
                shows(&simulator, &frame)
            };
            send(&mut chain, &driver.show(&frame())).unwrap();
            assert!(seen(&frame()), "{layout:?}");
            assert_eq!(simulator.words_sent(), full, "{layout:?}");
            send(&mut chain, &driver.show(&frame())).unwrap();
            assert_eq!(simulator.words_sent(), full, "nothing has changed: {layout:?}");
            let mut next = frame();
            next.left[7] = 0x30;
            send(&mut chain, &driver.show(&next)).unwrap();
            assert!(seen(&next), "{layout:?}");
            assert_eq!(simulator.words_sent(), full + one, "{layout:?}");
            simulator.inject(Fault::DisplayUpset, true);
            assert!(!seen(&next), "{layout:?}");
            send(&mut chain, &driver.repair(&next)).unwrap();
            assert!(seen(&next), "{layout:?}");
            assert_eq!(simulator.words_sent(), full + one + full, "{layout:?}");
        }
    }

    #[test]
    fn an_upset_changes_what_is_seen_at_once_and_a_repair_heals_it() {
        let simulator = Simulator::new();
        let (mut driver, mut chain) = (Driver::new(Layout::Chained), simulator.chain());
        send(&mut chain, &driver.show(&frame())).unwrap();
        simulator.inject(Fault::DisplayUpset, true);
        assert_eq!(simulator.segments(Seat::Left), [0xFF; 8]);
        assert_eq!(simulator.segments(Seat::Right), [0; 8]);
        simulator.inject(Fault::DisplayUpset, false);
        assert_eq!(simulator.segments(Seat::Left), [0xFF; 8]);
        send(&mut chain, &driver.repair(&frame())).unwrap();
        assert!(shows(&simulator, &frame()));
    }

    #[test]
    fn a_dead_bus_leaves_the_chips_as_they_are_until_it_is_back() {
        let simulator = Simulator::new();
        let (mut driver, mut chain) = (Driver::new(Layout::Chained), simulator.chain());
        send(&mut chain, &driver.show(&frame())).unwrap();
        simulator.inject(Fault::SpiError, true);
        let error = send(&mut chain, &driver.repair(&Frame::default())).unwrap_err();
        assert!(error.to_string().contains("spi-error"), "{error}");
        assert!(shows(&simulator, &frame()));
        simulator.inject(Fault::SpiError, false);
        send(&mut chain, &driver.repair(&Frame::default())).unwrap();
        assert!(shows(&simulator, &Frame::default()));
    }

    #[test]
    fn a_tap_is_sixty_milliseconds_on_the_boxs_time_line() {
        let simulator = Simulator::new();
        let mut pins = simulator.pins();
        simulator.tap(Key::Pause);
        let down = (0..100)
            .filter(|ms| pins.read(Instant::ZERO + Span::from_millis(*ms)).pause)
            .collect::<Vec<i64>>();
        assert_eq!(down, (0..60).collect::<Vec<i64>>());
    }

    #[test]
    fn a_wave_that_cannot_be_is_refused_and_changes_nothing() {
        let simulator = Simulator::new();
        let long = vec![(0, true); MAX_EDGES + 1];
        for (edges, says) in [
            (&[][..], "a wave needs at least one edge, such as (0, true)"),
            (&long, "a wave of 4097 edges is too long: at most 4096 are possible"),
            (
                &[(-1, true)],
                "edge 1 of the wave lies at -1 us, before 0 us: \
                 offsets begin at 0 and never go back",
            ),
            (
                &[(0, true), (900, false), (300, true)],
                "edge 3 of the wave lies at 300 us, before 900 us: \
                 offsets begin at 0 and never go back",
            ),
        ] {
            let refusal = simulator.wave(Key::Left, edges).unwrap_err();
            assert_eq!(refusal.to_string(), says);
        }
        assert_eq!(simulator.pins().read(Instant::ZERO), Contacts::default());
    }

    #[test]
    fn faults_have_their_names_on_the_wire() {
        assert_eq!(Fault::from_name("spi-error"), Ok(Fault::SpiError));
        assert_eq!(Fault::from_name("display-upset"), Ok(Fault::DisplayUpset));
        assert_eq!(Fault::from_name("low-power"), Ok(Fault::LowPower));
        assert_eq!(Fault::from_name("disk-full"), Ok(Fault::DiskFull));
        assert_eq!(
            Fault::from_name("fire").unwrap_err().to_string(),
            "there is no fault 'fire': there are spi-error, display-upset, disk-full and low-power"
        );
    }

    #[test]
    fn lamps_are_named_by_their_seats() {
        let simulator = Simulator::new();
        assert_eq!(simulator.lamps(), [""; 0]);
        let both = Signals { lamp_left: true, lamp_right: true, buzzer: false, sound: None };
        simulator.pins().write(both);
        assert_eq!(simulator.lamps(), ["left", "right"]);
    }
}
