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
#[path = "journal/verify.rs"]
mod verify;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::*;
use zbus::Connection;

/// A daemon with a state directory, which outlives it.
struct Kept {
    daemon: Daemon,
    connection: Connection,
    bus: Bus,
    state: tempfile::TempDir,
}

impl Kept {
    async fn lay(time: &str) -> Kept {
        let (bus, state) = (Bus::start(), tempfile::tempdir().unwrap());
        let (daemon, connection) = start(&bus, state.path(), time).await;
        Kept { daemon, connection, bus, state }
    }

    /// Ends the daemon by a signal and starts another one.
    async fn restart(self, signal: rustix::process::Signal, time: &str) -> Kept {
        self.daemon.signal(signal);
        self.again(time).await
    }

    /// Waits until the daemon has ended and starts another one.
    async fn again(mut self, time: &str) -> Kept {
        self.daemon.end();
        let (daemon, connection) = start(&self.bus, self.state.path(), time).await;
        Kept { daemon, connection, ..self }
    }

    async fn call<R>(
        &self,
        (path, interface): (&str, &str),
        method: &str,
        body: &(impl serde::Serialize + zbus::wire::Type),
    ) -> zbus::Result<R>
    where
        R: serde::de::DeserializeOwned + zbus::wire::Type,
    {
        let call = self.connection.call_method(Some(NAME), path, Some(interface), method, body);
        within(method, call).await?.body().deserialize()
    }

    async fn order(
        &self,
        method: &str,
        body: &(impl serde::Serialize + zbus::wire::Type),
    ) -> zbus::Result<Dict> {
        self.call(ARBITER, method, body).await
    }

    async fn tap(&self, button: &str) {
        self.call::<()>(SIMULATOR, "Tap", &button).await.unwrap();
    }

    async fn advance(&self, us: i64) {
        self.call::<()>(SIMULATOR, "Advance", &us).await.unwrap();
    }

    async fn snapshot(&self) -> Dict {
        self.call(CLOCK, "Snapshot", &()).await.unwrap()
    }

    async fn health(&self) -> Dict {
        let properties = (CLOCK.0, "org.freedesktop.DBus.Properties");
        let body = (CLOCK.1, "Health");
        let value: zbus::OwnedVariant = self.call(properties, "Get", &body).await.unwrap();
        value.try_into().unwrap()
    }

    /// The journal of the game that is on the clock.
    async fn journal(&self) -> PathBuf {
        file(self.state.path(), &text(&self.snapshot().await, "game"))
    }
}

async fn start(bus: &Bus, state: &Path, time: &str) -> (Daemon, Connection) {
    let daemon = Daemon::start(
        Daemon::command().args(["--sim-time", time, "--bus", &bus.address(), "--state"]).arg(state),
    );
    let connection = bus.connect().await;
    named(&connection).await;
    (daemon, connection)
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
