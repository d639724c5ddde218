//! flagfall: a tournament chess clock.

pub mod board;
pub mod bus;
pub mod console;
pub mod control;
pub mod daemon;
pub mod display;
pub mod engine;
pub mod input;
pub mod panel;
pub mod record;
pub mod time;
pub mod timing;
