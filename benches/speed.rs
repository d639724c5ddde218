//! How fast: `cargo bench --bench speed` gives figures of
//! docs/PERFORMANCE.md.
//!
//! Each is the best of many rounds: what else a machine does makes a round slower, never faster.
//! What is compared is measured in turns within one run, so that a slow spell meets all of it.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench that cannot go on has failed")]
#![allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

mod common;

use std::hint::black_box;
use std::time::Instant as Clock;

use flagfall::engine::Precision;
use flagfall::record::{Override, Replay};

/// How often each thing is measured.
const ROUNDS: usize = 100;

fn main() {
    println!("the engine, {} presses a game:", common::PRESSES);
    for control in common::CONTROLS {
        let [seconds] = fastest([&mut || {
            common::play(black_box(&mut common::ready(control)), common::PRESSES);
        }]);
        println!("  {:>9.0} presses/s  {control}", common::PRESSES as f64 / seconds);
    }
    replay("as written by hand", &common::short_lines());
    replay("of a journal", &common::journal_lines());
}

/// Replays lines, and parses them with `serde_json` alone.
fn replay(what: &str, lines: &[String]) {
    let length = lines.iter().map(String::len).sum::<usize>() / lines.len();
    let [parse, steps, text] = fastest([
        &mut || {
            for line in lines {
                black_box(serde_json::from_str::<serde_json::Value>(line).unwrap());
            }
        },
        &mut || {
            let mut replay = Replay::new(Override::default());
            for line in lines {
                black_box(replay.line(line).unwrap());
            }
        },
        &mut || {
            let mut replay = Replay::new(Override::default());
            for step in lines.iter().filter_map(|line| replay.line(line).unwrap()) {
                let step = serde_json::to_string(&step.members(Precision::Nanos)).unwrap();
                black_box(step);
            }
        },
    ])
    .map(|seconds| lines.len() as f64 / seconds);
    println!("lines {what}, {length} bytes each:");
    println!("  {parse:>9.0} lines/s  parsed by serde_json alone");
    println!("  {steps:>9.0} lines/s  replayed: {:.2} times as fast", steps / parse);
    println!("  {text:>9.0} lines/s  replayed and written: {:.2} times as fast", text / parse);
}

/// The seconds that each of these takes at best.
fn fastest<const N: usize>(mut what: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        for (run, best) in what.iter_mut().zip(&mut best) {
            let begun = Clock::now();
            run();
            *best = best.min(begun.elapsed().as_secs_f64());
        }
    }
    best
}
