//! The program itself: exit codes, signals, systemd, and a bus of its own.

use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;

use crate::common::*;

fn flagfalld(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_flagfalld")).args(arguments).output().unwrap()
}

#[test]
fn exit_codes_say_what_was_wrong() {
    let bad = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(bad.path(), "[buttons]\nlock-out = \"30ms\"\n").unwrap();
    let path = bad.path().to_str().unwrap();
    for (arguments, expected, part) in [
        (&["--version"][..], 0, ""),
        (&["--check", "--config", "config/flagfalld.toml"], 0, ""),
        (&["--board", "pi"], 64, "possible values: rpi, sim"),
        (&["--bus", "sytem"], 64, "system, session or a D-Bus address"),
        (
            &["--check", "--config", path],
            78,
            "line 2: there is no key buttons.lock-out: did you mean",
        ),
        (&["--config", "/nonexistent.toml"], 78, "name another one with --config"),
        (&["--board", "rpi", "--sim-time", "manual"], 78, "is for the simulated box"),
        (&["--board", "sim", "--pins-safe"], 0, ""),
    ] {
        let output = flagfalld(arguments);
        let sentence = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(expected), "{arguments:?}: {sentence}");
        assert!(sentence.contains(part), "{arguments:?}: {sentence}");
    }
}

#[test]
fn a_board_whose_pins_cannot_be_read_refuses_to_start_and_says_what_to_check() {
    if Path::new("/sys/firmware/devicetree/base/model").exists() {
        eprintln!("not tried: this may be a Raspberry Pi");
        return;
    }
    let state = tempfile::tempdir().unwrap();
    let output = flagfalld(&["--board", "rpi", "--state", state.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(69));
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert!(sentence.contains("board = \"sim\""), "{sentence}");
}

#[test]
fn systemd_is_told_that_it_is_ready_how_it_stands_and_that_it_lives() {
    let directory = tempfile::tempdir().unwrap();
    let socket = UnixDatagram::bind(directory.path().join("notify")).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let bus = Bus::start();
    let mut daemon = Daemon::start(
        Daemon::command()
            .args(["--bus", &bus.address()])
            .env("NOTIFY_SOCKET", directory.path().join("notify"))
            .env("WATCHDOG_USEC", "300000"),
    );
    let mut told = Vec::new();
    let mut until = |part: &str| {
        while !told.iter().any(|message: &String| message.contains(part)) {
            let mut buffer = [0; 1_024];
            let length = socket.recv(&mut buffer).unwrap_or_else(|_| panic!("no {part}: {told:?}"));
            told.push(String::from_utf8(buffer[..length].to_vec()).unwrap());
        }
        told.clear();
    };
    until("READY=1");
    until("STATUS=3m+2s: ready, white 0:03:02, black 0:03:02; on the bus");
    until("WATCHDOG=1");
    until("WATCHDOG=1");
    daemon.signal(Signal::TERM);
    until("STOPPING=1");
    assert_eq!(code(daemon.end()), 0);
}

/// A daemon that finds no system bus, with a place for temporary files.
fn alone(place: &Path, command: &mut Command) -> Daemon {
    let nowhere = "unix:path=/nonexistent/bus";
    Daemon::start(command.env("DBUS_SYSTEM_BUS_ADDRESS", nowhere).env("XDG_RUNTIME_DIR", place))
}

#[tokio::test]
async fn without_a_system_bus_it_starts_one_that_ends_with_it_even_when_it_is_killed() {
    let place = tempfile::tempdir().unwrap();
    let daemon = alone(place.path(), &mut Daemon::command());
    let line = daemon.prints("export DBUS_SYSTEM_BUS_ADDRESS=");
    let address = line.split_once('=').unwrap().1.to_owned();
    let example = [daemon.prints("busctl call"), daemon.prints("Arbiter1 Pause")].join("\n");
    assert!(example.lines().all(|line| line.len() <= 80), "it can be copied from a terminal");
    let connection = connect(&address).await;

    // The very lines, pasted into a shell.
    let paste = |lines: &str| Command::new("sh").args(["-c", lines]).output().unwrap();
    let started = busctl(&address, &["call", NAME, ARBITER.0, ARBITER.1, "Start", "s", ""]);
    assert!(started.status.success(), "{started:?}");
    let paused = paste(&format!("{line}\n{example}"));
    assert!(paused.status.success(), "{paused:?}");
    assert!(String::from_utf8(paused.stdout).unwrap().contains("\"phase\" s \"paused\""));

    daemon.signal(Signal::KILL);
    within("the end of the private bus", connection.closed()).await;
}

#[test]
fn without_a_dbus_daemon_it_says_so_and_goes_on() {
    let place = tempfile::tempdir().unwrap();
    let mut daemon = alone(place.path(), Daemon::command().env("PATH", "/nonexistent"));
    daemon.logs("install the packages dbus");
    daemon.signal(Signal::TERM);
    assert_eq!(code(daemon.end()), 0);
}
