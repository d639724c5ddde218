//! Whatever stands in a time control, a presets file or a journal: it is read or refused, and
//! nothing panics.
//!
//! The fuzzer makes edits to texts that are right, in bytes that stand for pieces of the format: so
//! most texts are nearly right, with any engine. `cargo test` gives each target a second; how long
//! runs are started stands in CONTRIBUTING.md.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::HashSet;
use std::sync::LazyLock;

use flagfall::control::describe::sentence;
use flagfall::control::notation::{self, NotationError};
use flagfall::control::presets::{self, Presets};
use flagfall::engine::Precision;
use flagfall::record::{Override, Replay};

/// What the fuzzer makes up: which text, and for each edit where, how many characters go, and what
/// comes instead.
type Edits = (u8, Vec<(u16, u8, Vec<u8>)>);

/// The text after the edits. A byte is a character, or from 128 on one of the pieces.
fn edited(texts: &[&str], pieces: &[&str], (which, edits): &Edits) -> String {
    let mut text: Vec<char> = texts[usize::from(*which) % texts.len()].chars().collect();
    for (place, cut, put) in edits {
        let from = usize::from(*place) % (text.len() + 1);
        let to = (from + usize::from(*cut) % 16).min(text.len());
        let put = put.iter().flat_map(|byte| match byte.checked_sub(128) {
            None => vec![char::from(*byte)],
            Some(piece) => pieces[usize::from(piece) % pieces.len()].chars().collect(),
        });
        text.splice(from..to, put.collect::<Vec<_>>());
    }
    text.into_iter().collect()
}

static SHIPPED: LazyLock<Presets> = LazyLock::new(Presets::shipped);

const CONTROLS: [&str; 18] = [
    "",
    "3m+2s",
    "40/1h40m+30s, 20/50m+30s, 15m+30s",
    "40/1h repeat",
    "40/2h confirm, 30m",
    "25m bronstein 10s",
    "40/1h30m delay 5s, 30m delay 5s",
    "10m+5s cap 10m",
    "10m byoyomi 10x1m free 30s burn-on-entry",
    "1h canadian 10/5m then 20/5m",
    "25m overtime 10m",
    "move 10s continue",
    "white 60/5m, 0s+3s; black 60/4m",
    "90+30",
    "90'/40 + 30' + 30\"",
    "40/90,SD/30;+30",
    "pgn:40/5400+30:1800+30",
    "sgf:3600 15/300 Canadian",
];

const WORDS: [&str; 48] = [
    "h",
    "m",
    "s",
    "ms",
    "1h30m",
    "5m",
    "500ms",
    "9999",
    "99999999999999999999",
    ", ",
    ";",
    "+",
    "/",
    " cap ",
    " delay 5s",
    " bronstein ",
    " byoyomi ",
    "5x1m",
    " free ",
    " burn-on-entry",
    " canadian ",
    "20/5m",
    " then ",
    " overtime ",
    "hourglass ",
    "move ",
    " continue",
    "gong ",
    "up",
    "white ",
    "black ",
    " repeat",
    " confirm",
    "'",
    "\"",
    "G/60",
    "SD/",
    ";d5",
    ";inc2",
    "pgn:",
    ":",
    "*",
    "?",
    "sgf:",
    " byo-yomi",
    " Canadian",
    "♔",
    "fide-classical",
];

#[test]
fn any_notation_is_read_or_refused() {
    bolero::check!().with_type::<Edits>().for_each(|edits: &Edits| {
        let text = edited(&CONTROLS, &WORDS, edits);
        match presets::resolve(&SHIPPED, &text) {
            Ok((control, _)) => {
                assert_eq!(notation::parse(&control.to_string()), Ok(control), "{text:?}");
                assert!(!sentence(&control).is_empty(), "{text:?}");
            }
            Err(error) => check_refusal(&text, &error),
        }
        for read in [notation::parse_duration, notation::parse_clock_time] {
            if let Err(error) = read(&text) {
                assert!(!error.to_string().is_empty(), "{text:?}");
            }
        }
    });
}

/// A refusal is short, names a place within the text, and suggests only what can be read.
fn check_refusal(text: &str, error: &NotationError) {
    assert!((1..=text.chars().count() + 1).contains(&error.position), "{text:?}: {error:?}");
    assert!(error.to_string().chars().count() < SHORT, "{text:?}: {error}");
    if let Some(better) = &error.suggestion {
        assert!(presets::resolve(&SHIPPED, better).is_ok(), "{text:?}: {error}");
    }
}

/// No sentence has more characters, whatever it is about.
const SHORT: usize = 700;

const FILES: [&str; 3] = [
    "",
    "[[preset]]\nid = \"a\"\nname = \"A\"\nlabel = \"A\"\ncontrol = \"5m\"\nprofile = \"us\"\n",
    "# two\n[[preset]]\nid = \"a\"\nname = 'A'\nlabel = \"A.5\"\ncontrol = \"90'+30\\\"\"\n\n\
     [[preset]]\nid = \"b-2\"\nname = \"\"\"B\"\"\"\nlabel = \"b\"\ncontrol = \"up\"\n",
];

const TOML: [&str; 28] = [
    "[[preset]]\n",
    "[preset]\n",
    "preset = ",
    "id = ",
    "name = ",
    "label = ",
    "control = ",
    "profile = ",
    "\"",
    "\"\"\"",
    "'",
    "'''",
    "\\u0041",
    "\\U0010ffff",
    "\n",
    "\r\n",
    "#",
    "[",
    "]",
    "{",
    "}",
    "=",
    ".",
    "1e400",
    "2026-11-30T10:00:00Z",
    "true",
    "nan",
    "é♔",
];

#[test]
fn any_presets_file_is_taken_whole_or_refused() {
    bolero::check!().with_type::<Edits>().for_each(|edits: &Edits| {
        let text = edited(&FILES, &TOML, edits);
        match Presets::from_toml(&text) {
            Ok(presets) => {
                let ids: HashSet<_> = presets.iter().map(|preset| &preset.id).collect();
                assert_eq!(ids.len(), presets.iter().count(), "{text:?}");
            }
            Err(error) => assert!(error.to_string().chars().count() < SHORT, "{text:?}: {error}"),
        }
    });
}

const JOURNALS: [&str; 3] = [
    include_str!("scenarios/r1-first-move-off.jsonl"),
    include_str!("scenarios/v26.jsonl"),
    r#"{"seq":0,"kind":"new_game","at_us":0,"control":"10m byoyomi 3x30s","switches":{"freeze":false}}
{"seq":1,"kind":"start","at_us":0.001,"origin":"bus:anna","wall":"2026-11-30T10:00:00Z"}
{"seq":2,"kind":"turn","at_us":0.001,"side":"white","state":{"phase":"running","white":{"moves":0}}}
{"seq":3,"kind":"adjust","at_us":5000000,"white":{"add_us":-1500,"stage":1},"reason":"Art. 6.10.2"}
{"seq":4,"kind":"adjust","at_us":6000000,"black":{"main_us":900,"periods":2}}
{"seq":5,"kind":"undo_press","at_us":6000000,"count":1,"refund":false}
{"seq":6,"kind":"end","at_us":7000000,"result":"draw"}
"#,
];

const JSON: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u00e9",
    "\\ud834\\udd1e",
    "\n",
    "null",
    "true",
    "-",
    ".",
    "e",
    "1e400",
    "0.0001",
    "9223372036854775807",
    "18446744073709551616",
    "\"kind\":\"press\",",
    "\"kind\":\"query\",",
    "\"kind\":\"pause\",",
    "\"kind\":\"resume\",",
    "\"kind\":\"new_game\",",
    "\"at_us\":1,",
    "\"at_us\":8000000000,",
    "\"side\":\"white\",",
    "\"side\":\"black\",",
    "\"seq\":3,",
    "\"control\":\"gong 1s\",",
    "\"white\":{",
    "\"main_us\":0,",
    "\"moves\":4294967295,",
    "\"stage_time\":true,",
    "\"state\":{}",
    "\"hash\":\"0\",",
    "{\"kind\":\"query\",\"at_us\":9000000}\n",
    "{\"kind\":\"new_game\",\"at_us\":0,\"control\":\"5m\"}\n",
    "♔",
];

#[test]
fn any_journal_is_replayed_or_refused_with_the_line() {
    bolero::check!().with_type::<Edits>().for_each(|edits: &Edits| {
        let text = edited(&JOURNALS, &JSON, edits);
        let mut replay = Replay::new(Override::default());
        for (line, number) in text.lines().zip(1..) {
            match replay.line(line) {
                Ok(Some(step)) => {
                    let written = serde_json::to_string(&step.members(Precision::Nanos)).unwrap();
                    assert!(written.contains("\"state\":{"), "{written}");
                }
                Ok(None) => {}
                Err(error) => {
                    assert_eq!(error.number, number, "{text:?}");
                    assert!(error.to_string().chars().count() < SHORT, "{line:?}: {error}");
                    return;
                }
            }
        }
    });
}
