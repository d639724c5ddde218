//! A megabyte of nonsense is refused like anything else: with a short sentence, and without more
//! memory than a few copies of it. `cargo bench --bench footprint` counts the work.

#![allow(clippy::expect_used, reason = "a test that cannot go on has failed")]

#[path = "common/nonsense.rs"]
mod nonsense;

use flagfall::control::presets::{MAX_FILE, Presets};
use flagfall::record::{Override, Replay};

const MEGABYTE: usize = 1 << 20;

/// No sentence has more characters, whatever it is about.
const SHORT: usize = 700;

fn check_sentence(text: &str, sentence: &str) {
    let start: String = text.chars().take(60).collect();
    assert!(sentence.chars().count() < SHORT, "{start:?}: {sentence}");
}

#[test]
fn a_line_of_a_megabyte_is_refused_with_a_short_sentence() {
    for line in nonsense::lines(MEGABYTE) {
        let start: String = line.chars().take(60).collect();
        let error = Replay::new(Override::default()).line(&line).expect_err(&start);
        check_sentence(&line, &error.to_string());
    }
}

#[test]
fn a_presets_file_of_any_length_is_refused_with_a_short_sentence() {
    for length in [MEGABYTE, MAX_FILE - 1_000] {
        for file in nonsense::files(length) {
            let start: String = file.chars().take(60).collect();
            let error = Presets::from_toml(&file).expect_err(&start);
            check_sentence(&file, &error.to_string());
        }
    }
}
