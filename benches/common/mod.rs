//! What is measured: a game of presses, and its lines.

use std::hint::black_box;

use flagfall::control::{Profile, Settings, Side, notation};
use flagfall::engine::operation::Press;
use flagfall::engine::{Engine, Precision};
use flagfall::record::{Override, Replay};
use flagfall::time::{Instant, Span};
use serde_json::{Value, json};

/// Presses of the game.
pub(crate) const PRESSES: usize = 400;

/// The controls that are measured, a method each.
pub(crate) const CONTROLS: [&str; 5] = [
    "3m+2s",
    "40/1h40m+30s, 20/50m+30s, 15m+30s",
    "25m delay 5s",
    "10m byoyomi 10x1m free 30s burn-on-entry",
    "1h canadian 10/5m then 20/5m then 30/5m",
];

/// A game that is ready.
pub(crate) fn ready(control: &str) -> Engine {
    let control = notation::parse(control).unwrap();
    Engine::new(Instant::ZERO, Settings::new(control, Profile::Fide))
}

/// Presses a game on, two a second; the first press starts it.
pub(crate) fn play(engine: &mut Engine, presses: usize) {
    let mut now = engine.state().began;
    for side in [Side::Black, Side::White].into_iter().cycle().take(presses) {
        now += Span::from_millis(500);
        let _ = black_box(engine.apply(now, &Press { side, both: false }.into()));
    }
}

/// The lines of a game as somebody writes them by hand: causes alone.
pub(crate) fn short_lines() -> Vec<String> {
    let game = r#"{"kind":"new_game","at_ns":0,"control":"40/1h40m+30s, 15m+30s"}"#.to_owned();
    let start = r#"{"kind":"start","at_ns":0}"#.to_owned();
    let presses = (1..=PRESSES).map(|press| {
        let side = if press % 2 == 1 { Side::White } else { Side::Black };
        format!(r#"{{"kind":"press","at_ns":{},"side":"{side}"}}"#, press * 20_123_456_000)
    });
    [game, start].into_iter().chain(presses).collect()
}

/// The same game as a journal holds it: causes and effects, each with its number, the time of day,
/// both clocks and a hash.
pub(crate) fn journal_lines() -> Vec<String> {
    let mut replay = Replay::new(Override::default());
    let mut lines = Vec::new();
    let mut add = |mut line: Value, state: &Value| {
        line["wall"] = json!("2026-11-30T10:00:00.123456Z");
        line["state"] = state.clone();
        line["hash"] = json!("0123456789abcdef".repeat(4));
        let line = line.to_string();
        lines.push(format!("{{\"seq\":{},{}", lines.len(), &line[1..]));
    };
    for line in short_lines() {
        let step = replay.line(&line).unwrap().unwrap();
        let fields = serde_json::to_value(step.members(Precision::Micros)).unwrap();
        let mut cause = serde_json::from_str::<Value>(&line).unwrap();
        cause["origin"] = json!("board");
        add(cause, &fields["state"]);
        for effect in fields["effects"].as_array().unwrap() {
            add(effect.clone(), &fields["state"]);
        }
    }
    lines
}
