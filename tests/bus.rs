//! The clock as it is seen from the bus: the real flagfalld on a real private dbus-daemon.

mod common;

#[path = "bus/arbiters.rs"]
mod arbiters;
#[path = "bus/introspection.rs"]
mod introspection;
#[path = "bus/loss.rs"]
mod loss;
#[path = "bus/playing.rs"]
mod playing;
#[path = "bus/program.rs"]
mod program;
#[path = "bus/signals.rs"]
mod signals;
