//! Who may know whom: reads the imports of every file in `src/` and keeps the rooms apart.
//!
//! The rules are those of docs/DESIGN.md, "The house". Each rule is also tried on a line that
//! breaks it, so that a rule that finds nothing is noticed.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

/// A room, and the rooms of this crate (or parts of them) that its code may name. `daemon` puts everything together
/// and may name all.
const MAY_KNOW: [(&str, &[&str]); 17] = [
    ("time", &[]),
    ("control", &["time", "named"]),
    ("named", &[]),
    ("engine", &["time", "control", "named"]),
    ("record", &["time", "control", "engine"]),
    ("input", &["time"]),
    ("menu", &["time", "control", "engine", "input", "display"]),
    ("sounds", &["time", "control"]),
    ("panel", &["time", "control", "engine", "input", "menu", "sounds", "display"]),
    ("display", &["control"]),
    ("report", &["time", "control", "engine", "record", "panel::reading"]),
    ("terminal", &[]),
    (
        "board",
        &[
            "time",
            "control",
            "input",
            "panel::Signals",
            "sounds",
            "display",
            "timing::timebase",
            "terminal",
        ],
    ),
    ("timing", &["time", "control", "engine", "input", "menu", "panel", "display", "board"]),
    ("journal", &["record"]),
    ("bus", &["time", "control", "engine", "record", "input", "board", "journal", "daemon"]),
    (
        "console",
        &[
            "time",
            "control",
            "engine",
            "record",
            "report",
            "panel::reading",
            "display::glyph",
            "terminal",
            "daemon::arguments",
            "bus::variant",
        ],
    ),
];

/// What the pure rooms never name: they read no clock, no file and no wire, and start no thread.
const OUTSIDE: [&str; 9] = [
    "tokio",
    "zbus",
    "rppal",
    "rustix",
    "tracing",
    "std::time",
    "std::thread",
    "std::fs",
    "std::net",
];
const PURE: [&str; 10] = [
    "time", "control", "engine", "record", "report", "input", "menu", "sounds", "panel", "display",
];

/// What the rooms of the timing thread never name: it waits for no bus and writes no log.
const BUS: [&str; 3] = ["tokio", "zbus", "tracing"];
const REAL_TIME: [&str; 2] = ["board", "timing"];

/// The longest file that somebody finds their way in, tests left out.
const LONGEST: usize = 400;

/// The longest program: a call of the library.
const STUB: usize = 20;

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

    /// Every path that is named, with its line (for an import: the line where it begins).
    fn paths(&self) -> Vec<(usize, String)> {
        let mut paths = Vec::new();
        let mut lines = self.lines.iter().zip(1..);
        while let Some((line, number)) = lines.next() {
            let mut statement = line.clone();
            let words = line.trim_start().trim_start_matches("pub ");
            if words.starts_with("use ") || words.starts_with("pub(") && words.contains(" use ") {
                while !statement.contains(';')
                    && let Some((line, _)) = lines.next()
                {
                    statement.push_str(line.trim());
                }
                let tree = statement.split("use ").nth(1).unwrap_or_default();
                unfold("", tree.trim_end_matches(';'), &mut |path| paths.push((number, path)));
            } else {
                paths.extend(words_with_colons(line).map(|path| (number, path.to_owned())));
            }
        }
        for (_, path) in &mut paths {
            *path = self.absolute(path);
        }
        paths
    }

    /// `super::x` as `crate::room::x`; other paths as they are.
    fn absolute(&self, path: &str) -> String {
        let module = self.path.trim_end_matches(".rs").trim_end_matches("/mod");
        let mut module: Vec<_> = module.split('/').collect();
        let mut rest = path.strip_prefix("self::").unwrap_or(path);
        if !rest.starts_with("super::") {
            return path.to_owned();
        }
        while let Some(above) = rest.strip_prefix("super::") {
            module.pop();
            rest = above;
        }
        let above: String = module.iter().map(|name| format!("{name}::")).collect();
        format!("crate::{above}{rest}")
    }
}

/// Hands on every path of an import: `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn unfold(before: &str, tree: &str, found: &mut impl FnMut(String)) {
    let tree = tree.trim();
    let Some((stem, group)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return found(format!("{before}{}", path.trim_start_matches("::")));
    };
    let group = group.strip_suffix('}').expect("an import's braces close at its end");
    let before = format!("{before}{}", stem.trim_start_matches("::"));
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                unfold(&before, &group[start..at], found);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !group[start..].trim().is_empty() {
        unfold(&before, &group[start..], found);
    }
}

/// The words of a line of code, paths in one piece.
fn words_with_colons(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
        .map(|word| word.trim_matches(':'))
        .filter(|word| !word.is_empty())
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
    let tests = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    text[..tests]
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default().to_owned())
        .collect()
}

/// True if `path` is `name` or lies in it.
fn lies_in(path: &str, name: &str) -> bool {
    path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// True if code of `room` must not name `path`.
fn forbidden(room: &str, path: &str) -> bool {
    let outside = |names: &[&str]| names.iter().any(|name| lies_in(path, name));
    if PURE.contains(&room) && outside(&OUTSIDE) || REAL_TIME.contains(&room) && outside(&BUS) {
        return true;
    }
    let Some((_, known)) = MAY_KNOW.iter().find(|(name, _)| *name == room) else { return false };
    let Some(inside) = path.strip_prefix("crate::") else { return false };
    !lies_in(inside, room) && !known.iter().any(|known| lies_in(inside, known))
}

#[test]
fn no_room_names_what_it_must_not_know() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        for (line, path) in source.paths() {
            if forbidden(source.room(), &path) {
                faults.push(format!("src/{}:{line} names {path}", source.path));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn rppal_and_unsafe_each_live_in_one_file() {
    let mut homes = Vec::new();
    for source in sources() {
        for (_, path) in source.paths() {
            // The compiler denies unsafe code everywhere (`src/lib.rs`) but where that is lifted.
            if lies_in(&path, "rppal") || path == "unsafe_code" && source.path != "lib.rs" {
                homes.push((
                    path.split("::").next().unwrap_or_default().to_owned(),
                    source.path.clone(),
                ));
            }
        }
    }
    homes.sort();
    homes.dedup();
    let want = [("rppal", "board/rpi.rs"), ("unsafe_code", "timing/realtime.rs")];
    assert_eq!(homes, want.map(|(name, home)| (name.to_owned(), home.to_owned())));
}

#[test]
fn the_programs_only_call_the_library() {
    for source in sources().iter().filter(|source| source.room() == "bin") {
        assert!(source.lines.len() < STUB, "src/{}: {} lines", source.path, source.lines.len());
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
    for (path, text, found) in [
        ("engine/mod.rs", "use std::time::Instant;", "std::time::Instant"),
        ("engine/mod.rs", "use std::{fmt, thread};", "std::thread"),
        ("engine/mod.rs", "let x = std::fs::read(y);", "std::fs::read"),
        ("control/mod.rs", "let x = tokio::spawn(y);", "tokio::spawn"),
        (
            "control/mod.rs",
            "pub(super) use std::{\n    io,\n    net::{self, IpAddr},\n};",
            "std::net",
        ),
        ("time.rs", "use crate::control::Side;", "crate::control::Side"),
        ("time.rs", "use super::control::Side;", "crate::control::Side"),
        ("engine/method/grant.rs", "use super::super::super::record;", "crate::record"),
        ("engine/mod.rs", "use crate::{control::Side, record as r};", "crate::record"),
        ("engine/mod.rs", "f(crate::time::A, crate::record::B)", "crate::record::B"),
        ("panel/mod.rs", "pub use crate::daemon::{Bridge};", "crate::daemon::Bridge"),
        ("timing/tick.rs", "tracing::warn!(\"late\");", "tracing::warn"),
        ("board/rpi.rs", "use zbus::Connection;", "zbus::Connection"),
        ("console/mod.rs", "use crate::daemon::config::Config;", "crate::daemon::config::Config"),
        ("engine/mod.rs", "use crate::time::{Instant, Span};", ""),
        ("engine/method/grant.rs", "use super::super::state::Clock;", ""),
        ("control/mod.rs", "let x = my_tokio::y() // tokio::z", ""),
        ("record/mod.rs", "#[cfg(test)]\nmod tests {\n    use std::fs;\n}", ""),
        ("daemon/mod.rs", "use tokio::sync::watch;", ""),
    ] {
        let source = Source { path: path.to_owned(), lines: code_lines(text) };
        let mut named = source.paths().into_iter().map(|(_, path)| path);
        let fault = named.find(|named| forbidden(source.room(), named)).unwrap_or_default();
        // An import of a module itself is told as `std::net::self`.
        assert_eq!(fault.trim_end_matches("::self"), found, "in {path}: {text}");
    }
}
