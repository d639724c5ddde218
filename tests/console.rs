//! flagfallctl from outside where no daemon is: usage, exit codes, describe.

// what the tests lean on fails as loudly as they do
#![allow(clippy::expect_used, clippy::panic)]

use std::process::{Command, Output};

fn flagfallctl(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flagfallctl"))
        .args(arguments)
        .env_remove("NO_COLOR")
        .output()
        .expect("flagfallctl runs")
}

const NOWHERE: &str = "unix:path=/nonexistent/flagfall-test-bus";

fn code_and_errors(arguments: &[&str]) -> (Option<i32>, String) {
    let output = flagfallctl(arguments);
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

#[test]
fn bad_usage_is_exit_code_2_with_a_sentence_on_stderr_and_nothing_on_stdout() {
    for (arguments, part) in [
        (&[] as &[&str], "Usage"),
        (&["statis"], "status"),
        (&["press", "green"], "white"),
        (&["set", "white"], "TIME"),
        (&["set", "white", "soon"], "soon"),
        (&["set", "white", "-5m"], "-5"),
        (&["add", "white", "-"], "TIME"),
        (&["set", "white", "5m", "+"], "Usage"),
        (&["set", "white", "5m", "+", "pause"], "only set, add, moves"),
        (&["set", "white", "5m", "+", "add", "white", "-1m"], "main time is changed twice"),
        (&["set", "white", "5m", "+", "moves", "blue", "3"], "blue"),
        (&["stage", "white", "0"], "0"),
        (&["undo", "0"], "0"),
        (&["end", "2-0"], "1/2-1/2"),
        (&["new"], "CONTROL"),
        (&["new", "5m", "--set", "freeze=perhaps"], "true or false"),
        (&["new", "5m", "--set", "frieze=true"], "freeze"),
        (&["new", "5m", "--profile", "uscf"], "fide"),
        (&["status", "--bus", "nowhere"], "system, session"),
        (&["describe", "5"], "5m"),
        (&["replay", "-", "--control", "5"], "5m"),
    ] {
        let output = flagfallctl(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors} lacks {part}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn no_daemon_is_exit_code_3_with_how_to_start_it() {
    for command in [
        &["status"] as &[&str],
        &["watch", "--plain"],
        &["watch"],
        &["presets"],
        &["new", "40/2h,", "30m+30s", "--profile", "fide", "--set", "freeze=false"],
        &["add", "white", "-1m"],
        &["set", "white", "1:02:03", "+", "moves", "white", "14", "+", "add", "black", "-90s"],
        &["stage", "white", "2", "--with-time", "+", "periods", "black", "3"],
        &["pause", "black", "+", "white", "talk"],
        &["undo", "2", "--no-refund"],
    ] {
        let (code, errors) = code_and_errors(&[&["--bus", NOWHERE], command].concat());
        assert_eq!(code, Some(3), "{command:?}: {errors}");
        for part in [NOWHERE, "systemctl start flagfall", "--board sim"] {
            assert!(errors.contains(part), "{command:?}: {errors} lacks {part}");
        }
    }
}

#[test]
fn help_and_version_are_results() {
    for arguments in [&["--help"] as &[&str], &["--version"], &["add", "--help"]] {
        let output = flagfallctl(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(!output.stdout.is_empty() && output.stderr.is_empty(), "{arguments:?}");
        assert!(!output.stdout.contains(&0x1b), "colours without a terminal: {arguments:?}");
    }
}

#[test]
fn a_control_is_described_without_a_daemon() {
    let output = flagfallctl(&["--bus", NOWHERE, "describe", "90+30"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("1h30m+30s") && text.contains("standard"), "{text}");
    let output = flagfallctl(&["describe", "--json", "3+2"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["canonical"], "3m+2s");
    assert_eq!(json["control_class"], "blitz");
    assert!(json["sentence"].as_str().is_some_and(|sentence| !sentence.is_empty()));
}

#[test]
fn words_of_a_control_need_no_quotes() {
    let quoted = flagfallctl(&["describe", "25m delay 5s"]);
    let loose = flagfallctl(&["describe", "25m", "delay", "5s"]);
    assert_eq!(quoted.status.code(), Some(0));
    assert_eq!(quoted.stdout, loose.stdout);
}
