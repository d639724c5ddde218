//! The manual is right: what docs/arbiters.md and the README tell an arbiter to type, works.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::common::*;

/// The situations in which an arbiter types something, each made from the one before.
pub(super) const SITUATIONS: [&[&str]; 5] = [
    // ready, with a stage that is to be confirmed
    &["new", "1/1h confirm, 30m", "--abandon"],
    // running, Black's turn; White's stage waits
    &["start", "+", "press", "white"],
    // paused
    &["pause"],
    // running again, the wrong clock
    &["resume", "white"],
    // paused, and White, who is to move, may claim the quickplay increment
    &["new", "1h", "--abandon", "+", "start", "+", "pause", "+", "set", "white", "1m"],
];

/// What stands between backquotes, or behind a prompt, and begins with one of the programs.
fn commands(document: &str) -> Vec<String> {
    let quoted = document.split('`').skip(1).step_by(2);
    let typed = document.lines().filter_map(|line| line.strip_prefix("$ "));
    quoted
        .chain(typed)
        .map(|command| command.replace("cargo run --bin flagfallctl --", "flagfallctl"))
        .filter(|command| command.starts_with("flagfallctl ") || command.starts_with("busctl "))
        // What is to be done after a power cut: `tests/journal/kill.rs` makes one and does it.
        .filter(|command| !["recover ", "ChooseRecovery"].iter().any(|word| command.contains(word)))
        // Those that go on for ever, and those that leave a word to be filled in.
        .filter(|command| !command.contains(" monitor") && !command.contains(" watch"))
        // That one looks at an installation, which there is none of here.
        .filter(|command| !command.starts_with("flagfallctl doctor"))
        .filter(|command| {
            !command.split(' ').any(|word| ["FILE", "CONTROL", "GAME"].contains(&word))
        })
        .collect()
}

/// Types a line into a shell in a folder.
pub(super) fn typed(address: &str, folder: &Path, line: &str) -> Result<(), String> {
    let script = format!(
        "flagfallctl() {{ \"$FLAGFALLCTL\" --bus \"$DBUS_SYSTEM_BUS_ADDRESS\" \"$@\"; }}\n\
         ARBITER=\"org.flagfall.Clock1 /org/flagfall/Clock1 org.flagfall.Arbiter1\"\n{line}"
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .env("FLAGFALLCTL", env!("CARGO_BIN_EXE_flagfallctl"))
        .env("DBUS_SYSTEM_BUS_ADDRESS", address)
        .output()
        .unwrap();
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

/// Brings the clock into a situation.
pub(super) fn arrange(address: &str, folder: &Path, situation: usize) {
    for words in SITUATIONS.iter().take(situation + 1).flat_map(|words| words.split(|w| *w == "+"))
    {
        let line = words.iter().fold("flagfallctl".to_owned(), |mut line, word| {
            write!(line, " '{word}'").unwrap();
            line
        });
        typed(address, folder, &line).unwrap();
    }
}

#[tokio::test]
async fn every_line_of_the_manual_works_in_some_situation() {
    let table = Table::lay().await;
    let address = table.bus.address();
    let folder = tempfile::tempdir().unwrap();
    let mut tried = 0;
    for document in [include_str!("../../docs/arbiters.md"), include_str!("../../README.md")] {
        for command in commands(document) {
            let mut refusals = String::new();
            let works = (0..SITUATIONS.len()).any(|situation| {
                arrange(&address, folder.path(), situation);
                let said = typed(&address, folder.path(), &command);
                said.map_err(|sentence| writeln!(refusals, "{sentence}").unwrap()).is_ok()
            });
            assert!(works, "`{command}` never works:\n{refusals}");
            tried += 1;
        }
    }
    assert!(tried > 30, "only {tried} lines were found");
}
