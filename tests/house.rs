//! Who may know whom: reads the imports of every file in `src/` and keeps the rooms apart.
//!
//! The rules are those of docs/DESIGN.md, "The house". Each rule is also tried on a line that
//! breaks it, so that a rule that finds nothing is noticed.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

/// A room, and the rooms of this crate that its code may name.
const MAY_KNOW: [(&str, &[&str]); 7] = [
    ("time", &[]),
    ("control", &["time"]),
    ("engine", &["time", "control"]),
    ("record", &["time", "control", "engine"]),
    ("input", &["time", "board", "control"]),
    ("panel", &["time", "control", "engine", "input", "board", "display"]),
    ("display", &["time", "control", "panel"]),
];

/// What a pure room never names: it reads no clock, no file and no wire, and starts no thread.
const OUTSIDE: [&str; 8] =
    ["tokio", "zbus", "rppal", "rustix", "std::time", "std::thread", "std::fs", "std::net"];

/// The one file that may name rppal, and the one that may hold `unsafe`.
const RPPAL: &str = "board/rpi.rs";
const UNSAFE: &str = "timing/realtime.rs";

/// The longest file that somebody finds their way in, tests left out.
const LONGEST: usize = 400;

/// A source file: its path below `src/`, and its lines without comments and unit tests.
struct Source {
    path: String,
    lines: Vec<String>,
}

impl Source {
    fn room(&self) -> &str {
        self.path.split(['/', '.']).next().unwrap_or_default()
    }

    fn is_test(&self) -> bool {
        self.path.split('/').any(|part| part.starts_with("tests"))
    }
}

fn sources() -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("UTF-8");
            let below = path.strip_prefix(&root).expect("below src").to_string_lossy();
            Source { path: below.into_owned(), lines: code_lines(&text) }
        })
        .collect()
}

/// The lines up to the unit tests, comments cut off.
fn code_lines(text: &str) -> Vec<String> {
    text.lines()
        .take_while(|line| *line != "#[cfg(test)]")
        .map(|line| line.split("//").next().unwrap_or_default().to_owned())
        .collect()
}

/// What a line of a pure room names that it should not.
fn forbidden(room: &str, line: &str) -> Option<String> {
    let (_, known) = MAY_KNOW.iter().find(|(name, _)| *name == room)?;
    if let Some(outside) = OUTSIDE.iter().find(|name| names(line, &format!("{name}::"))) {
        return Some((*outside).to_owned());
    }
    let (_, rest) = line.split_once("crate::")?;
    let other = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    let fine = other == room || known.contains(&other) || other.is_empty();
    (!fine).then(|| format!("crate::{other}"))
}

/// True if `line` names `path` as a path of its own, not as the end of another word.
fn names(line: &str, path: &str) -> bool {
    line.match_indices(path)
        .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'))
}

#[test]
fn the_pure_rooms_name_neither_the_world_nor_a_room_above_them() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        for (number, line) in source.lines.iter().enumerate() {
            if let Some(what) = forbidden(source.room(), line) {
                faults.push(format!("src/{}:{} names {what}", source.path, number + 1));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn rppal_and_unsafe_each_live_in_one_file() {
    for source in sources() {
        for line in &source.lines {
            let unsafe_code = line.contains("unsafe {") || line.contains("unsafe impl");
            assert!(!names(line, "rppal::") || source.path == RPPAL, "{}: {line}", source.path);
            assert!(!unsafe_code || source.path == UNSAFE, "{}: {line}", source.path);
        }
    }
}

#[test]
fn no_file_is_longer_than_somebody_finds_their_way_in() {
    let mut long: Vec<_> = sources()
        .into_iter()
        .filter(|source| source.lines.len() > LONGEST && !source.is_test())
        .map(|source| format!("src/{}: {} lines", source.path, source.lines.len()))
        .collect();
    long.sort();
    assert!(long.is_empty(), "split these rooms:\n{}", long.join("\n"));
}

#[test]
fn every_rule_finds_a_line_that_breaks_it() {
    for (room, line, found) in [
        ("engine", "use std::time::Instant;", Some("std::time")),
        ("control", "let x = tokio::spawn(y);", Some("tokio")),
        ("time", "use crate::control::Side;", Some("crate::control")),
        ("engine", "use crate::record::Cause;", Some("crate::record")),
        ("panel", "use crate::daemon::Bridge;", Some("crate::daemon")),
        ("engine", "use crate::time::Instant;", None),
        ("engine", "use crate::engine::state::Clock;", None),
        ("daemon", "use tokio::sync::watch;", None),
        ("record", "let x = my_tokio::y();", None),
    ] {
        assert_eq!(forbidden(room, line).as_deref(), found, "{room}: {line}");
    }
    assert!(code_lines("a // tokio::x\n#[cfg(test)]\nuse tokio::y;").concat() == "a ");
}
