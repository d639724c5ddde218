//! The journal on the disk: the real flagfalld is killed, finds full and dead disks, and comes
//! back; what it has left is read, checked and spoiled.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a helper that fails fails its test")]
#![allow(dead_code, reason = "the common table has more hands than these tests need")]

mod common;

#[path = "journal/disk.rs"]
mod disk;
#[path = "journal/kill.rs"]
mod kill;
#[path = "journal/reading.rs"]
mod reading;
#[path = "journal/schema1.rs"]
mod schema1;
#[path = "journal/verify.rs"]
mod verify;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::*;

/// A daemon with a state directory, which outlives it.
struct Kept {
    daemon: Daemon,
    caller: Caller,
    bus: Bus,
    state: tempfile::TempDir,
}

impl Kept {
    async fn lay(time: &str) -> Kept {
        let (bus, state) = (Bus::start(), tempfile::tempdir().unwrap());
        let (daemon, caller) = start(&bus, state.path(), time).await;
        Kept { daemon, caller, bus, state }
    }

    /// Ends the daemon by a signal and starts another one.
    async fn restart(self, signal: rustix::process::Signal, time: &str) -> Kept {
        self.daemon.signal(signal);
        self.again(time).await
    }

    /// Waits until the daemon has ended and starts another one.
    async fn again(mut self, time: &str) -> Kept {
        self.daemon.end();
        let (daemon, caller) = start(&self.bus, self.state.path(), time).await;
        Kept { daemon, caller, ..self }
    }

    /// The journal of the game that is on the clock.
    async fn journal(&self) -> PathBuf {
        file(self.state.path(), &text(&self.snapshot().await, "game"))
    }
}

impl std::ops::Deref for Kept {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

async fn start(bus: &Bus, state: &Path, time: &str) -> (Daemon, Caller) {
    let daemon = Daemon::start(
        Daemon::command().args(["--sim-time", time, "--bus", &bus.address(), "--state"]).arg(state),
    );
    (daemon, Caller::on(bus).await)
}

fn file(state: &Path, game: &str) -> PathBuf {
    state.join(format!("{game}.jsonl"))
}

fn flagfallctl(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flagfallctl")).args(arguments).output().unwrap()
}

/// Checks a journal; its exit code and what was said.
fn verify(file: &Path) -> (i32, String) {
    let output = flagfallctl(&["replay", "--verify", file.to_str().unwrap()]);
    (code(output.status), String::from_utf8(output.stderr).unwrap())
}

fn assert_verified(file: &Path) {
    let (code, said) = verify(file);
    assert_eq!(code, 0, "{said}\n{}", std::fs::read_to_string(file).unwrap());
}

fn lines(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

fn member(line: &str, pointer: &str) -> serde_json::Value {
    serde_json::from_str::<serde_json::Value>(line).unwrap().pointer(pointer).cloned().unwrap()
}

fn kinds(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| member(line, "/kind").as_str().unwrap().to_owned()).collect()
}

/// What a side has left.
fn left(state: &Dict, of: &str) -> i64 {
    number(&side(state, of), "remaining_us")
}
