//! `org.flagfall.Simulator1`: a tester's hand and eye on the simulated box.

use std::sync::Arc;

use zbus::interface;

use super::errors::{Error, Result};
use super::{Served, Simulation};
use crate::board::sim::manual::AdvanceError;
use crate::board::sim::{Fault, SimulatorError};
use crate::control::Seat;
use crate::input::Key;
use crate::time::{Instant, Span};

/// The interface.
pub(super) struct Simulator1 {
    pub(super) served: Arc<Served>,
    pub(super) simulation: Simulation,
}

#[interface(name = "org.flagfall.Simulator1")]
impl Simulator1 {
    /// Presses a button and keeps it down: left, right, pause, minus, plus or ok.
    fn hold(&self, button: &str) -> Result<()> {
        self.simulation.simulator.hold(key(button)?);
        Ok(())
    }

    /// Lets a button go.
    fn release(&self, button: &str) -> Result<()> {
        self.simulation.simulator.release(key(button)?);
        Ok(())
    }

    /// 60 ms down, then up.
    fn tap(&self, button: &str) -> Result<()> {
        self.simulation.simulator.tap(key(button)?);
        Ok(())
    }

    /// Levels over time on one pin: (offset_us, pressed) pairs, for bounce and glitches; the first
    /// edge at the next poll.
    fn wave(&self, button: &str, edges: Vec<(i64, bool)>) -> Result<()> {
        Ok(self.simulation.simulator.wave(key(button)?, &edges)?)
    }

    /// Manual time only: runs to now + us and returns when all that happened is published and
    /// shown.
    async fn advance(&self, us: i64) -> Result<()> {
        let Some(manual) = self.simulation.manual.clone() else {
            return Err(Error::WrongPhase(
                "advance is not possible while time runs by itself: \
                 start flagfalld with --sim-time manual"
                    .to_owned(),
            ));
        };
        // It blocks for as long as the timing thread works.
        let advanced = tokio::task::spawn_blocking(move || manual.advance(Span::from_micros(us)));
        advanced.await.map_err(|error| zbus::Error::Failure(error.to_string()))??;
        let bridge = &self.served.service.bridge;
        bridge.fence().await;
        bridge.displayed().await;
        self.served.announced().await;
        Ok(())
    }

    /// What a person reads on a seat's display: digits with '.' where the point is lit, ' ' for a
    /// dark digit; left to right.
    #[zbus(out_args("text"))]
    fn display(&self, seat: &str) -> Result<String> {
        Ok(self.simulation.simulator.display(self::seat(seat)?))
    }

    /// 8 bytes, leftmost digit first, bit 7 = point, bits 6..0 = a..g.
    #[zbus(out_args("lit"))]
    fn segments(&self, seat: &str) -> Result<Vec<u8>> {
        Ok(self.simulation.simulator.segments(self::seat(seat)?).to_vec())
    }

    /// The lamps that are lit, of left and right.
    #[zbus(out_args("lit"))]
    fn lamps(&self) -> Vec<String> {
        self.simulation.simulator.lamps().into_iter().map(str::to_owned).collect()
    }

    /// The sounds that began at or after a point in time: at, name, length.
    #[zbus(out_args("sounds"))]
    fn sounds(&self, since_us: i64) -> Vec<(i64, String, i64)> {
        let since = Instant::ZERO + Span::from_micros(since_us);
        let micros = |span: Span| span.as_micros_floor();
        let sounds = self.simulation.simulator.sounds(since).into_iter();
        sounds
            .map(|sound| {
                (micros(sound.at - Instant::ZERO), sound.name.to_owned(), micros(sound.length))
            })
            .collect()
    }

    /// Faults: spi-error, display-upset (chip registers scrambled), disk-full, low-power.
    fn inject(&self, fault: &str, on: bool) -> Result<()> {
        self.simulation.simulator.inject(Fault::from_name(fault)?, on);
        Ok(())
    }
}

fn key(name: &str) -> Result<Key> {
    Key::from_name(name).ok_or_else(|| {
        let names = Key::ALL.map(Key::name).join(", ");
        Error::argument(format!("'{name}' is no button: give one of {names}"))
    })
}

fn seat(name: &str) -> Result<Seat> {
    Seat::from_name(name)
        .ok_or_else(|| Error::argument(format!("'{name}' is no seat: give left or right")))
}

impl From<SimulatorError> for Error {
    fn from(error: SimulatorError) -> Self {
        Error::argument(error.to_string())
    }
}

impl From<AdvanceError> for Error {
    fn from(error: AdvanceError) -> Self {
        match error {
            AdvanceError::Backwards | AdvanceError::TooFar => Error::argument(error.to_string()),
            AdvanceError::Stopped => Error::Bus(zbus::Error::Failure(error.to_string())),
        }
    }
}
