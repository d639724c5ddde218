//! `status`.

use serde_json::{Value, json};

use super::bus::Daemon;
use super::clocks::{self, Digits, capital};
use super::exit::CliError;
use super::output::{Ink, Printer};
use crate::record::Fields;
use crate::time::Span;

/// Prints the status.
pub(super) async fn run(daemon: &Daemon, output: &Printer) -> Result<(), CliError> {
    let state = daemon.snapshot().await?;
    let properties = &daemon.properties;
    let own = |name| properties.get(name).cloned().unwrap_or(Value::Null);
    let json = json!({
        "version": own("Version"),
        "board": own("Board"),
        "control": own("Control"),
        "profile": own("Profile"),
        "control_class": own("ControlClass"),
        "fingerprint": own("Fingerprint"),
        "white_on": own("WhiteOn"),
        "locked": own("Locked"),
        "state": state.clone(),
        "health": own("Health"),
    });
    output.result(json, || text(&state, properties, output))
}

fn text(state: &Fields, properties: &Fields, output: &Printer) -> String {
    let own = |name| properties.get(name).and_then(Value::as_str).unwrap_or("?");
    let mut lines = vec![clocks::two_lines(state, output), String::new()];
    let mut say = |name: &str, words: String| lines.push(format!("{name:<11} {words}"));
    say("phase", clocks::phase(state));
    say("first flag", first_flag(state));
    say("control", format!("{} ({})", own("Control"), own("ControlClass")));
    say("profile", format!("{}, fingerprint {}", own("Profile"), own("Fingerprint")));
    say("white on", own("WhiteOn").to_owned());
    say("game", game(state));
    let locked = properties.get("Locked").and_then(Value::as_bool) == Some(true);
    let locked = if locked { ", box locked" } else { "" };
    say("clock", format!("flagfalld {} on board {}{locked}", own("Version"), own("Board")));
    let faults = properties.get("Health").and_then(Value::as_object).map(faults);
    say(
        "health",
        match faults {
            None => "unknown".to_owned(),
            Some(faults) if faults.is_empty() => "good".to_owned(),
            Some(faults) => output.ink(Ink::Red, &faults.join("; ")),
        },
    );
    lines.join("\n")
}

fn first_flag(state: &Fields) -> String {
    let Some(side) =
        state.get("first_flag").and_then(Value::as_str).filter(|side| !side.is_empty())
    else {
        return "none".to_owned();
    };
    let told = |name, write: fn(Span, Digits) -> String| {
        clocks::span(state, name).map_or_else(|| "?".to_owned(), |span| write(span, Digits::Tenths))
    };
    format!(
        "{} at {}; White had {}, Black {}",
        capital(side),
        told("first_flag_at", clocks::point),
        told("first_flag_white", clocks::time),
        told("first_flag_black", clocks::time)
    )
}

fn game(state: &Fields) -> String {
    let id = state.get("game").and_then(Value::as_str).unwrap_or("?");
    let mut words = id.to_owned();
    if let Some(at) = clocks::span(state, "at") {
        words.push_str(&format!(", begun {} ago", clocks::point(at, Digits::Tenths)));
    }
    if let Some(seq) = state.get("seq").and_then(Value::as_u64) {
        words.push_str(&format!(", line {seq}"));
    }
    words
}

/// The faults that the daemon reports, in words.
pub(super) fn faults(health: &Fields) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, good, words) in [
        ("realtime_granted", true, "no real-time rights: times stay right, lamps may react late"),
        ("disk_ok", true, "the journal cannot be written"),
        ("bus_ok", true, "the bus is lost"),
        ("low_power", false, "the supply voltage is low"),
    ] {
        if health.get(name).and_then(Value::as_bool) == Some(!good) {
            faults.push(words.to_owned());
        }
    }
    for (name, words) in [
        ("late_ticks", "late ticks"),
        ("dropped_events", "events lost"),
        ("spi_errors", "errors on the way to the displays"),
        ("late_events", "events out of their order"),
    ] {
        match health.get(name).and_then(Value::as_u64) {
            None | Some(0) => {}
            Some(number) => faults.push(format!("{number} {words}")),
        }
    }
    let stuck = health.get("stuck_buttons").and_then(Value::as_array);
    let stuck: Vec<_> = stuck.into_iter().flatten().filter_map(Value::as_str).collect();
    if !stuck.is_empty() {
        faults.push(format!("stuck buttons: {}", stuck.join(", ")));
    }
    faults
}
