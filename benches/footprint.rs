//! How many instructions, and how much memory: `cargo bench --bench footprint` gives figures of
//! docs/PERFORMANCE.md, the same ones whatever else the machine does.
//!
//! Instructions are counted by valgrind: this program runs itself below it, once with twice the
//! work, and the difference is what the work takes without beginning and end.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

mod common;
#[path = "../tests/common/nonsense.rs"]
mod nonsense;

use std::alloc::{GlobalAlloc, Layout, System};
use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use flagfall::board::Pins;
use flagfall::control::presets::Presets;
use flagfall::engine::{self, State};
use flagfall::input::{Contacts, Input, Timing};
use flagfall::panel::{Look, Panel, Signals, Sounding};
use flagfall::record::{Override, Replay};
use flagfall::time::{Instant, Span};
use flagfall::timing::{Parts, Tick, endpoints};

/// How much work is counted.
const TIMES: usize = 2_000;

/// Doing something so often.
type Work = fn(usize);

/// What is counted, and its name.
const WORK: [(&str, Work); 5] = [
    ("a tick with nothing to do", |times| tick(times, Span::ZERO)),
    ("a tick each millisecond, pictures included", |times| tick(times, Span::from_millis(1))),
    ("a press", |times| common::play(&mut common::ready("3m+2s"), times)),
    ("a line as written by hand, replayed", |times| replay(&common::short_lines(), times)),
    ("a line of a journal, replayed", |times| replay(&common::journal_lines(), times)),
];

fn main() {
    let mut arguments = env::args().skip(1);
    if let (Some(name), Some(times)) = (arguments.next(), arguments.next()) {
        return work(&name, times.parse().unwrap());
    }
    println!("memory of a game, {} bytes of it the state that readers get:", size_of::<State>());
    for control in common::CONTROLS {
        let before = HELD.load(SeqCst);
        let mut engine = common::ready(control);
        common::play(&mut engine, common::PRESSES);
        let heap = HELD.load(SeqCst) - before;
        println!("  {:>5} bytes + {heap:>3} on the heap  {control}", size_of_val(&engine));
    }
    println!("instructions:");
    for (name, _) in WORK {
        let each = (count(name, 2 * TIMES) - count(name, TIMES)) / TIMES;
        println!("  {each:>6}  {name}");
    }
    println!("instructions for a byte of nonsense, in {LENGTH} bytes and in twice as many:");
    nonsense_of("line", &nonsense::lines(100));
    nonsense_of("file", &nonsense::files(100));
}

/// The length of nonsense that is counted.
const LENGTH: usize = 50_000;

/// Counts each shape of nonsense, without what it takes to make all of them up.
fn nonsense_of(kind: &str, shapes: &[String]) {
    let lengths = [LENGTH, 2 * LENGTH];
    let making = lengths.map(|length| count(kind, length));
    for (shape, text) in shapes.iter().enumerate() {
        let refusing = lengths.map(|length| count(&format!("{kind} {shape}"), length));
        let [once, twice] = [0, 1].map(|of| (refusing[of] - making[of]) / lengths[of]);
        let start: String = text.chars().take(40).collect();
        println!("  {once:>6} {twice:>6}  {kind} {start:?}...");
        assert!(twice < once + once / 2 + 10, "the work grows faster than the text");
    }
}

/// Does a work of the table so often, or makes up nonsense of that length and has it refused.
fn work(name: &str, times: usize) {
    if let Some((_, work)) = WORK.iter().find(|(known, _)| *known == name) {
        return work(times);
    }
    let (kind, shape) =
        name.split_once(' ').map_or((name, None), |(kind, shape)| (kind, Some(shape)));
    let texts = if kind == "line" { nonsense::lines(times) } else { nonsense::files(times) };
    let Some(shape) = shape else { return };
    let text = &texts[shape.parse::<usize>().unwrap()];
    let is_refused = match kind {
        "line" => Replay::new(Override::default()).line(text).is_err(),
        _ => Presets::from_toml(text).is_err(),
    };
    assert!(is_refused, "{name}");
}

/// The instructions of this program while it does some work.
fn count(name: &str, times: usize) -> usize {
    let program = env::current_exe().unwrap();
    let valgrind = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([name, &times.to_string()])
        .output();
    let output = valgrind.unwrap_or_else(|error| {
        panic!("valgrind counts the instructions (sudo apt-get install valgrind): {error}")
    });
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = told.lines().find_map(|line| line.split("Collected :").nth(1));
    collected.unwrap_or_else(|| panic!("{told}")).trim().parse().unwrap()
}

/// A box of which nobody touches anything.
struct Wires;

impl Pins for Wires {
    fn read(&mut self, _: Instant) -> Contacts {
        Contacts::default()
    }
    fn write(&mut self, _: Signals) {}
}

/// Ticks so far apart while White's clock runs.
fn tick(times: usize, apart: Span) {
    let (ends, _links) = endpoints().unwrap();
    let mut engine = common::ready("1h30m+30s");
    let start = engine::operation::Start::default().into();
    assert!(engine.apply(Instant::ZERO, &start).is_ok());
    let parts = Parts {
        engine,
        input: Input::new(Timing::default()),
        panel: Panel::new(Look {
            brightness: 8,
            tenths_below: Span::from_secs(20),
            sound: Sounding::On,
        }),
        pins: Wires,
    };
    let mut tick = Tick::new(parts, ends);
    let mut now = Instant::ZERO;
    tick.poll(now);
    for _ in 0..times {
        now += apart;
        tick.poll(now);
    }
}

/// So many lines, game after game.
fn replay(lines: &[String], times: usize) {
    let mut replay = Replay::new(Override::default());
    for line in lines.iter().cycle().take(times) {
        replay.line(line).unwrap();
    }
}

/// Counts the bytes that are held.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came; `realloc` and `alloc_zeroed` are
// the trait's own, which call these two.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), SeqCst);
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), SeqCst);
        // SAFETY: the caller keeps `dealloc`'s contract, and the block came from `System`.
        unsafe { System.dealloc(block, layout) }
    }
}
