//! The real-time thread: it alone owns the game's engine and the box's pins.

mod bell;
mod counters;

pub use bell::Bell;
pub use counters::Counters;
