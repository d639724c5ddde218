//! The real-time thread: it alone owns the game's engine and the box's pins.
//!
//! It does not know tokio, the bus, files or the displays' wires: what it has to say goes into a
//! ring ([`Event`]) and into a slot for the newest picture ([`DisplayUpdate`]); what it is asked to
//! do comes out of another ring ([`Request`]). Once it runs it never allocates, frees, locks, logs,
//! formats or waits without a bound.
//!
//! | looking for | see |
//! |---|---|
//! | what one tick does; tested in virtual time | [`Tick`] |
//! | when the ticks are, and what becomes of late ones | [`Schedule`] |
//! | the thread, its priority, its locked memory | [`spawn`], [`Wanted`], [`Granted`] |
//! | the box's time line from the oscillator's | [`timebase`] |

mod counters;
mod for_box;
mod messages;
mod realtime;
mod schedule;
mod thread;
mod tick;
pub mod timebase;
mod waker;

pub use counters::Counters;
pub use messages::{
    DisplayUpdate, Event, EventKind, HostEndpoints, PanelMessage, Reclaimed, Request, RtEndpoints,
    Task, endpoints,
};
pub use realtime::{Degradation, Granted, Wanted};
pub use schedule::{Lateness, MAX_PERIOD, MIN_PERIOD, Schedule};
pub use thread::{NAME, Running, StartError, spawn};
pub use tick::{MAX_REQUESTS, Parts, Tick};
pub use waker::Waker;
