//! The daemon: what stands around the timing thread and wires everything.

pub mod arguments;
pub mod bridge;
pub mod config;
pub mod exit;
pub mod screen;
