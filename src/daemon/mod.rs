//! The daemon: what stands around the timing thread and wires everything.

pub mod bridge;
pub mod screen;
