//! The clock as it is seen from the bus: the real flagfalld on a real private dbus-daemon.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a helper that fails fails its test")]

mod common;

#[path = "bus/arbiters.rs"]
mod arbiters;
#[path = "bus/introspection.rs"]
mod introspection;
#[path = "bus/limits.rs"]
mod limits;
#[path = "bus/loss.rs"]
mod loss;
#[path = "bus/manual.rs"]
mod manual;
#[path = "bus/operations.rs"]
mod operations;
#[path = "bus/playing.rs"]
mod playing;
#[path = "bus/policy.rs"]
mod policy;
#[path = "bus/program.rs"]
mod program;
#[path = "bus/reference.rs"]
mod reference;
#[path = "bus/report.rs"]
mod report;
#[path = "bus/signals.rs"]
mod signals;
#[path = "bus/watching.rs"]
mod watching;
