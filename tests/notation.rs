//! How long the reader takes over texts that nobody writes by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::time::{Duration, Instant};

use flagfall::control::notation::{MAX_TEXT, parse, parse_clock_time, parse_duration};
use flagfall::control::presets::{Presets, resolve};

/// No measurement: work that grows with the square of a megabyte would take hours.
const LIMIT: Duration = Duration::from_secs(5);

#[test]
fn a_megabyte_of_anything_is_refused_at_once_and_quoted_shortly() {
    refuse_all(1_000_000);
}

#[test]
fn the_longest_text_that_is_read_is_refused_at_once_and_quoted_shortly() {
    refuse_all(MAX_TEXT - 50);
}

/// Texts of about that many bytes: each begins well in another notation and goes on for ever.
fn refuse_all(length: usize) {
    let presets = Presets::shipped();
    let repeated = |piece: &str| piece.repeat(length / piece.len());
    let texts = [
        repeated("5"),
        repeated("a"),
        repeated(" "),
        repeated("-"),
        repeated("é"),
        repeated("5m "),
        repeated("5m,"),
        repeated("5m+3s "),
        repeated("1h1h"),
        repeated("40/"),
        repeated("white "),
        repeated("3+"),
        repeated("'"),
        repeated("1'+"),
        repeated("1'1\""),
        repeated("G/60,"),
        repeated("40/90,"),
        repeated("\u{1f3f3}\u{fe0f}"),
        format!("40/90{}x", repeated(" ")),
        format!("canadian {}5/5m", repeated("5/5m then ")),
        format!("pgn:{}", repeated("300:")),
        format!("pgn:{}", repeated("?")),
        format!("sgf:{}", repeated("1 ")),
        format!("1h byoyomi {}", repeated("1")),
        format!("5m{}", repeated("delay")),
        format!("5m{}3", repeated(" ")),
        format!("5m {}", repeated("bronstien-")),
    ];
    for text in &texts {
        let start: String = text.chars().take(12).collect();
        let began = Instant::now();
        let error = parse(text).expect_err(&start);
        let took = began.elapsed();
        assert!(took < LIMIT, "{start:?}: {took:?}");
        assert!(error.to_string().chars().count() < 330, "{start:?}: {error}");
        assert!(error.found.chars().count() <= 21, "{start:?}: {error}");

        let began = Instant::now();
        assert!(resolve(&presets, text).is_err());
        assert!(parse_duration(text).is_err() && parse_clock_time(text).is_err(), "{start:?}");
        let took = began.elapsed();
        assert!(took < LIMIT, "{start:?}: {took:?}");
    }
}
