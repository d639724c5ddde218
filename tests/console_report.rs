//! `flagfallctl report` of files, seen from outside: what is printed, what is written, what is said.

// what the tests lean on fails as loudly as they do
#![allow(clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const NOWHERE: &str = "unix:path=/nonexistent/flagfall-test-bus";

const GAME: &str = r#"{"kind":"new_game","at_us":0,"control":"3m+2s"}
{"kind":"start","at_us":1000000}
{"kind":"press","at_us":5000000,"side":"white"}
{"kind":"pause","at_us":6000000,"reason":"a bee"}
{"kind":"resume","at_us":9000000}
{"kind":"press","at_us":11500000,"side":"black"}
{"kind":"end","at_us":12000000,"result":"1-0"}
"#;

/// Types a command in a folder with the game in it, and `input` at standard input.
fn report(folder: &Path, arguments: &str, input: &str) -> Output {
    fs::write(folder.join("game.jsonl"), GAME).expect("written");
    let words = arguments.split_whitespace();
    let file = folder.join("standard-input");
    fs::write(&file, input).expect("written");
    Command::new(env!("CARGO_BIN_EXE_flagfallctl"))
        .args(["--bus", NOWHERE, "report"])
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::from(fs::File::open(file).expect("opened")))
        .output()
        .expect("flagfallctl runs")
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_file_is_told_without_a_daemon_and_so_is_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, table, errors) = said(&report(folder.path(), "game.jsonl", ""));
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    for part in
        ["game game", "3m+2s (blitz, club)", "paused for 0:03.0: a bee", "the game ends 1-0"]
    {
        assert!(table.contains(part), "{table} lacks {part}");
    }
    assert!(table.contains("0:04.0       3:00.0"), "{table}");
    let (code, piped, _) = said(&report(folder.path(), "-", GAME));
    assert_eq!((code, piped.lines().skip(1).eq(table.lines().skip(1))), (Some(0), true));
}

#[test]
fn every_form_is_written_as_a_file_or_to_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    for (form, begins) in [("svg", "<?xml"), ("csv", "at_s,wall,kind,"), ("pgn", "[Event \"?\"]")] {
        let (code, text, errors) =
            said(&report(folder.path(), &format!("game.jsonl --{form} -"), ""));
        assert_eq!(code, Some(0), "{form}: {errors}");
        assert!(text.starts_with(begins), "{form}: {text}");
        let file = folder.path().join(format!("out.{form}"));
        let typed = format!("game.jsonl --{form} out.{form} --json");
        let (code, result, errors) = said(&report(folder.path(), &typed, ""));
        assert_eq!(
            (code, result.trim()),
            (Some(0), &*format!("{{\"file\":\"out.{form}\"}}")),
            "{errors}"
        );
        assert_eq!(fs::read_to_string(&file).expect("read"), text, "{form}");
    }
}

#[test]
fn times_are_put_into_the_moves_of_a_pgn_that_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let moves = folder.path().join("moves.pgn");
    // Latin-1, as the standard has it: J\xe4ger
    let given = b"[White \"J\xe4ger\"]\n[TimeControl \"180+2\"]\n\n1. e4 {good} e5 1-0\n";
    fs::write(&moves, given).expect("written");
    let timed = b"[White \"J\xe4ger\"]\n[TimeControl \"180+2\"]\n\n1. e4 {[%clk 0:03:00] [%emt 0:00:04] good} e5 {[%clk 0:03:00.5] [%emt 0:00:03.5]} 1-0\n";
    let output = report(folder.path(), "game.jsonl --pgn new.pgn --moves moves.pgn", "");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    assert_eq!(fs::read(folder.path().join("new.pgn")).expect("read"), timed);
    assert_eq!(fs::read(&moves).expect("read"), given, "the moves are left as they are");
    let output = report(folder.path(), "game.jsonl --pgn moves.pgn", "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(fs::read(&moves).expect("read"), timed);
}

#[test]
fn counts_that_differ_are_said_on_stderr() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, text, errors) =
        said(&report(folder.path(), "game.jsonl --pgn - --moves -", "1. e4 e5 2. Qh5 *"));
    assert_eq!(code, Some(0));
    assert!(text.contains("2. Qh5 *"), "{text}");
    assert!(errors.contains("2 moves by White and 1 by Black, the clock 1 and 1"), "{errors}");
    assert!(errors.contains("not timed by the clock: White's 2"), "{errors}");
}

#[test]
fn what_makes_no_sense_is_exit_code_2_and_leaves_every_file_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("two.pgn"), "1. e4 1-0\n\n[White \"B\"]\n\n1. d4 *\n")
        .expect("written");
    fs::write(folder.path().join("bad.pgn"), "1. e4 {").expect("written");
    fs::write(folder.path().join("twice.jsonl"), GAME.repeat(2)).expect("written");
    fs::write(folder.path().join("none.jsonl"), "").expect("written");
    let refused = "{\"kind\":\"new_game\",\"at_us\":0,\"control\":\"5m\"}\n{\"kind\":\"pause\",\"at_us\":9}\n";
    fs::write(folder.path().join("refused.jsonl"), refused).expect("written");
    for (typed, part) in [
        ("none-there.jsonl", "none-there.jsonl cannot be opened"),
        ("twice.jsonl", "line 8: another game begins here"),
        ("none.jsonl", "begin with a new_game"),
        ("refused.jsonl", "line 2: pause is refused"),
        ("game.jsonl --svg a --csv b", "cannot be used with"),
        ("game.jsonl --moves two.pgn", "--pgn"),
        (
            "game.jsonl --pgn two.pgn",
            "contains 2 games (1: ? - ?; 2: B - ?); choose one with --which N",
        ),
        ("game.jsonl --pgn two.pgn --which 3", "there is no game 3"),
        ("game.jsonl --pgn bad.pgn", "bad.pgn: line 1: a comment is opened here"),
        ("game.jsonl --pgn new.pgn --moves absent.pgn", "absent.pgn cannot be read"),
    ] {
        let (code, text, errors) = said(&report(folder.path(), typed, ""));
        assert_eq!((code, text.as_str()), (Some(2), ""), "{typed}: {errors}");
        assert!(errors.contains(part), "{typed}: {errors}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("bad.pgn")).expect("read"), "1. e4 {");
    assert!(!folder.path().join("new.pgn").exists() && !folder.path().join("a").exists());
    for file in ["--svg absent/a.svg", "--svg /dev/full", "--csv /dev/full", "--pgn /dev/full"] {
        let (code, _, errors) = said(&report(folder.path(), &format!("game.jsonl {file}"), ""));
        assert_eq!(code, Some(74), "{file}: {errors}");
    }
    let (code, _, errors) = said(&report(folder.path(), "a-game", ""));
    assert_eq!(code, Some(3), "no file of that name, so it is the daemon's: {errors}");
}
