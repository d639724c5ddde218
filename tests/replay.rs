//! `flagfallctl replay` over scenario files, seen from outside.

// what the tests lean on fails as loudly as they do
#![allow(clippy::expect_used, clippy::panic)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn flagfallctl(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_flagfallctl"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("flagfallctl starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // it may end before it has read everything, which is not what is tested here
    let writer = std::thread::spawn(move || stdin.write_all(&input).ok());
    let output = child.wait_with_output().expect("flagfallctl ends");
    writer.join().expect("the writer ends");
    output
}

fn scenario(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios").join(name).with_extension("jsonl")
}

/// The steps of a replay, as JSON.
fn steps(arguments: &[&str], input: &str) -> Vec<Value> {
    let output = flagfallctl(&[&["replay", "--json"], arguments].concat(), input.as_bytes());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// What a replay says for lines that it refuses.
fn refusal(arguments: &[&str], input: &[u8]) -> String {
    let output = flagfallctl(&[&["replay", "-"], arguments].concat(), input);
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{errors}");
    errors
}

/// The figures that a scenario must come to: line of the file, JSON pointer into the step, value.
struct Row {
    file: &'static str,
    figures: &'static [(usize, &'static str, Figure)],
}

enum Figure {
    Us(i64),
    Number(u64),
    Word(&'static str),
    Null,
}

use Figure::{Null, Number, Us, Word};

const WHITE_LEFT: &str = "/state/white/remaining_us";
const BLACK_LEFT: &str = "/state/black/remaining_us";
const WHITE_MAIN: &str = "/state/white/main_us";
const WHITE_STAGE: &str = "/state/white/stage";
const BLACK_STAGE: &str = "/state/black/stage";
const WHITE_MOVES: &str = "/state/white/moves";
const BLACK_MOVES: &str = "/state/black/moves";
const WHITE_FLAG: &str = "/state/white/flag";
const BLACK_FLAG: &str = "/state/black/flag";
const PHASE: &str = "/state/phase";

const S: i64 = 1_000_000;
const MIN: i64 = 60 * S;
const HOUR: i64 = 60 * MIN;

const TABLE: &[Row] = &[
    // 3m+2s: start
    Row { file: "v1", figures: &[(2, WHITE_LEFT, Us(182 * S)), (2, BLACK_LEFT, Us(182 * S))] },
    // 10s delay 5s: two moves of 8 s
    Row { file: "v5", figures: &[(3, WHITE_MAIN, Us(7 * S)), (5, WHITE_MAIN, Us(4 * S))] },
    // 15m delay 12s: moves of 11 s and 25 s
    Row {
        file: "v8",
        figures: &[(3, WHITE_MAIN, Us(15 * MIN)), (5, WHITE_MAIN, Us(14 * MIN + 47 * S))],
    },
    // 5m+5s, the first increment off: an immediate press
    Row { file: "v24", figures: &[(3, WHITE_LEFT, Us(305 * S)), (3, BLACK_LEFT, Us(300 * S))] },
    // 40/1h, 30m: each side's own 40th press brings its own 30 minutes
    Row {
        file: "v25",
        figures: &[
            (81, WHITE_LEFT, Us(HOUR - 40 * S + 30 * MIN)),
            (81, BLACK_LEFT, Us(HOUR - 39 * S)),
            (81, BLACK_STAGE, Number(1)),
            (82, BLACK_LEFT, Us(HOUR - 40 * S + 30 * MIN)),
            (82, BLACK_STAGE, Number(2)),
        ],
    },
    // 1h30m, 30m: White reaches zero; both get 30 minutes at that instant
    Row {
        file: "v26",
        figures: &[
            (5, WHITE_LEFT, Us(30 * MIN)),
            (5, BLACK_LEFT, Us(89 * MIN + 30 * MIN)),
            (5, WHITE_FLAG, Word("stage")),
            (5, BLACK_FLAG, Null),
            (5, "/state/white/flag_at_us", Us(91 * MIN)),
            (5, PHASE, Word("running")),
            (5, "/state/first_flag", Null),
        ],
    },
    // 5m delay 5s: main set to 3 s gives 8 s for this move and 3 s of main afterwards
    Row {
        file: "v36",
        figures: &[
            (5, WHITE_LEFT, Us(8 * S)),
            (6, WHITE_MAIN, Us(2 * S)),
            (8, WHITE_MAIN, Us(S)),
            (10, WHITE_LEFT, Us(S)),
            (11, WHITE_LEFT, Us(0)),
            (11, WHITE_FLAG, Word("fall")),
        ],
    },
    // 40m, 15m+10s: White reaches zero while Black has 3:00
    Row {
        file: "d1",
        figures: &[
            (4, BLACK_LEFT, Us(3 * MIN)),
            (5, WHITE_LEFT, Us(15 * MIN + 10 * S)),
            (5, BLACK_LEFT, Us(18 * MIN + 10 * S)),
        ],
    },
    // 40/2h, 30m+30s: White presses move 40 with 1:00 left
    Row {
        file: "d3",
        figures: &[
            (80, WHITE_LEFT, Us(MIN)),
            (81, WHITE_LEFT, Us(31 * MIN + 30 * S)),
            (81, WHITE_MOVES, Number(40)),
        ],
    },
    // Black presses 30 ms after White: two completed moves
    Row {
        file: "d7",
        figures: &[
            (4, WHITE_MOVES, Number(1)),
            (4, BLACK_MOVES, Number(1)),
            (4, BLACK_LEFT, Us(299_970_000)),
        ],
    },
    // 5m delay 5s: the rest of the delay outlives a pause
    Row { file: "d9", figures: &[(4, WHITE_LEFT, Us(303 * S)), (5, WHITE_MAIN, Us(5 * MIN))] },
    // 10s: a press 1 ms before zero is in time, one at zero is too late
    Row {
        file: "d10",
        figures: &[
            (3, WHITE_LEFT, Us(1_000)),
            (3, WHITE_FLAG, Null),
            (3, "/state/to_move", Word("black")),
        ],
    },
    Row {
        file: "d10-at-zero",
        figures: &[
            (3, WHITE_FLAG, Word("fall")),
            (3, WHITE_MOVES, Number(0)),
            (3, PHASE, Word("flagged")),
            (3, "/effects/1/kind", Word("ignored")),
        ],
    },
    // 3m+2s: the increment belongs to move one, too
    Row { file: "r1", figures: &[(2, BLACK_LEFT, Us(182 * S)), (3, WHITE_LEFT, Us(183 * S))] },
    Row {
        file: "r1-first-move-off",
        figures: &[(2, WHITE_LEFT, Us(180 * S)), (3, WHITE_LEFT, Us(181 * S))],
    },
    // 40/10m+5s repeat: the 40th press brings 600 s and 5 s, not 610 s
    Row {
        file: "r9",
        figures: &[(80, WHITE_LEFT, Us(605 * S)), (81, WHITE_LEFT, Us(605 * S + 600 * S))],
    },
    // 40/2h, 20/1h, 15m+30s: no increment before press 60
    Row {
        file: "r25",
        figures: &[
            (80, WHITE_LEFT, Us(2 * HOUR - 39 * S)),
            (81, WHITE_LEFT, Us(3 * HOUR - 40 * S)),
            (119, WHITE_LEFT, Us(3 * HOUR - 59 * S)),
            (121, WHITE_LEFT, Us(3 * HOUR - 60 * S + 15 * MIN + 30 * S)),
            (123, WHITE_LEFT, Us(3 * HOUR - 61 * S + 15 * MIN + 60 * S)),
        ],
    },
    // 40/2h, 1h: out of time at move 39; the next stage covers nothing up
    Row {
        file: "r29",
        figures: &[
            (79, WHITE_LEFT, Us(0)),
            (79, WHITE_FLAG, Word("fall")),
            (79, WHITE_STAGE, Number(1)),
            (79, "/state/first_flag", Word("white")),
            (79, "/state/first_flag_at_us", Us(2 * HOUR + 38 * S)),
            (79, "/state/first_flag_white_us", Us(0)),
            (79, "/state/first_flag_black_us", Us(2 * HOUR - 38 * S)),
        ],
    },
];

#[test]
fn every_scenario_comes_to_its_figures() {
    for row in TABLE {
        let steps = steps(&[scenario(row.file).to_str().expect("UTF-8")], "");
        for (line, pointer, figure) in row.figures {
            let found = steps[line - 1].pointer(pointer).unwrap_or_else(|| {
                panic!("{} line {line} has no {pointer}", row.file);
            });
            let expected = match figure {
                Us(us) => json!(us),
                Number(number) => json!(number),
                Word(word) => json!(word),
                Null => Value::Null,
            };
            assert_eq!(*found, expected, "{} line {line} {pointer}", row.file);
        }
    }
}

#[test]
fn every_scenario_file_stands_in_the_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    for entry in std::fs::read_dir(folder).expect("the scenarios") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        assert!(TABLE.iter().any(|row| row.file == name), "{name} is in no row");
    }
}

const EXAMPLE: &str = r#"{"kind":"new_game","at_us":0,"control":"3m+2s","profile":"fide"}
{"kind":"start","at_us":0}
{"kind":"press","at_us":1000000,"side":"white"}
{"kind":"query","at_us":1500000}
"#;

#[test]
fn the_example_of_the_format_comes_out_as_it_says() {
    let steps = steps(&["-"], EXAMPLE);
    assert_eq!(steps[2].pointer(WHITE_LEFT), Some(&json!(183_000_000)));
    assert_eq!(steps[3].pointer(BLACK_LEFT), Some(&json!(181_500_000)));
}

#[test]
fn a_step_has_its_members_in_the_order_of_the_format() {
    let output = flagfallctl(&["replay", "--json", "-"], EXAMPLE.as_bytes());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let last = text.lines().last().expect("four lines");
    let side = |remaining: u32, moves: u32| {
        format!(
            "{{\"remaining_us\":{remaining},\"main_us\":{remaining},\"allowance_us\":0,\
             \"stage\":1,\"moves\":{moves},\"moves_to_stage\":null,\"periods\":null,\
             \"stones\":null,\"overtime_us\":null,\"points\":null,\"flag\":null,\
             \"flag_at_us\":null,\"stage_flag_at_us\":null,\"penalties\":{{\"illegal-move\":0,\
             \"wrong-claim\":0,\"quickplay-claim\":0}},\"stage_pending\":false}}"
        )
    };
    let expected = format!(
        "{{\"at_ns\":1500000000,\"kind\":\"query\",\"effects\":[],\"state\":{{\"phase\":\"running\",\
         \"to_move\":\"black\",\"first_flag\":null,\"first_flag_at_us\":null,\
         \"first_flag_white_us\":null,\"first_flag_black_us\":null,\"white\":{},\"black\":{}}}}}",
        side(183_000_000, 1),
        side(181_500_000, 0)
    );
    assert_eq!(last, expected);
}

#[test]
fn an_effect_between_two_causes_stands_with_the_later_one_and_has_its_own_time() {
    let steps = steps(
        &["-", "--ns"],
        r#"{"kind":"new_game","at_us":0,"control":"10s"}
{"kind":"start","at_us":0.007}
{"kind":"query","at_us":20000000}
"#,
    );
    let flag = json!({
        "at_ns": 10_000_000_007_i64,
        "kind": "flag", "side": "white", "flag": "fall", "first": true,
    });
    assert_eq!(steps[2]["effects"], json!([flag]));
    assert_eq!(steps[2]["at_ns"], json!(20_000_000_000_i64));
}

#[test]
fn times_left_are_rounded_up_and_points_in_time_down_unless_nanoseconds_are_asked_for() {
    let lines = r#"{"kind":"new_game","at_us":0,"control":"10s"}
{"kind":"start","at_us":0}
{"kind":"press","at_us":1234.567,"side":"white"}
"#;
    let micros = steps(&["-"], lines);
    assert_eq!(micros[2]["at_ns"].to_string(), "1234567");
    assert_eq!(micros[2].pointer(WHITE_LEFT).expect("left").to_string(), "9998766");
    let nanos = steps(&["-", "--ns"], lines);
    assert_eq!(nanos[2]["at_ns"].to_string(), "1234567");
    assert_eq!(
        nanos[2].pointer("/state/white/remaining_ns").expect("left").to_string(),
        "9998765433"
    );
}

#[test]
fn the_same_causes_can_be_replayed_under_another_control_and_profile() {
    let under = |arguments: &[&str]| steps(&[&["-"], arguments].concat(), EXAMPLE).pop();
    let kept = under(&["--control", "5m"]).expect("a step");
    assert_eq!(kept.pointer(WHITE_LEFT), Some(&json!(299_000_000)));
    // in go it is Black who moves first, so that White's press is ignored
    let go = under(&["--profile", "go"]).expect("a step");
    assert_eq!(go.pointer(WHITE_MOVES), Some(&json!(0)));
    assert_eq!(go.pointer(BLACK_LEFT), Some(&json!(180_500_000)));
}

#[test]
fn lines_without_a_new_game_need_a_control() {
    let lines = r#"{"kind":"start","at_us":0}
{"kind":"press","at_us":1000000,"side":"white"}
"#;
    let steps = steps(&["-", "--control", "3+2"], lines);
    assert_eq!(steps[1].pointer(WHITE_LEFT), Some(&json!(183_000_000)));
    let error = refusal(&[], lines.as_bytes());
    assert!(error.contains("line 1") && error.contains("--control"), "{error}");
}

#[test]
fn a_second_new_game_begins_anew() {
    let lines = [EXAMPLE, EXAMPLE].concat();
    let steps = steps(&["-"], &lines);
    assert_eq!(steps.len(), 8);
    assert_eq!(steps[..4], steps[4..]);
}

#[test]
fn recorded_effects_are_computed_anew_and_change_nothing() {
    let recorded = r#"{"seq":0,"at_us":0,"kind":"new_game","wall":"2026-11-30T10:00:00Z","origin":"board","control":"10s","state":{}}
{"seq":1,"at_us":0,"kind":"start","origin":"bus:arbiter"}
{"seq":2,"at_us":0,"kind":"turn","side":"white"}
{"seq":3,"at_us":5000000,"kind":"flag","side":"white","flag":"fall","first":true}
{"seq":4,"at_us":5000000,"kind":"query","hash":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}
"#;
    let steps = steps(&["-"], recorded);
    assert_eq!(steps.len(), 3);
    assert_eq!(steps[2]["effects"], json!([]));
    assert_eq!(steps[2].pointer(WHITE_LEFT), Some(&json!(5_000_000)));
}

#[test]
fn a_refused_cause_is_told_and_changes_nothing() {
    let lines = r#"{"kind":"new_game","at_us":0,"control":"10s"}
{"kind":"pause","at_us":5}
"#;
    let told = &steps(&["-"], lines)[1];
    let refused = json!([{"at_ns":5000,"kind":"refused","what":"pause","error":"WrongPhase"}]);
    assert_eq!(told["effects"], refused);
    assert_eq!(told.pointer(PHASE), Some(&json!("ready")));
    let text = flagfallctl(&["replay", "-"], lines.as_bytes());
    let text = String::from_utf8(text.stdout).expect("UTF-8");
    assert!(text.contains("refused: ") && text.contains("ready"), "{text}");
}

#[test]
fn a_malformed_line_ends_the_replay_with_its_number_the_field_and_what_would_work() {
    let first = r#"{"kind":"new_game","at_us":0,"control":"3m+2s"}"#;
    for (line, parts) in [
        ("", &["empty", "JSON object"] as &[&str]),
        ("nonsense", &["column", "JSON object"]),
        ("[1,2]", &["sequence", "JSON object"]),
        (r#"{"at_us":0}"#, &["`kind`", "missing"]),
        (r#"{"kind":"query"}"#, &["`at_ns`", "missing"]),
        (r#"{"kind":"query","at_us":"0"}"#, &["`at_us`", "number of microseconds"]),
        (r#"{"kind":"query","at_us":-1}"#, &["`at_us`", "from 0 to a hundred years"]),
        (r#"{"kind":"query","at_us":1.2345}"#, &["`at_us`", "nanosecond"]),
        (r#"{"kind":"query","at_us":1e3}"#, &["`at_us`", "number of microseconds"]),
        (r#"{"kind":"query","at_us":9e99}"#, &["`at_us`"]),
        (r#"{"kind":"query","at_us":9000000000000000}"#, &["`at_us`", "hundred years"]),
        (r#"{"kind":"pres","at_us":0,"side":"white"}"#, &["`kind`", "did you mean `press`"]),
        (r#"{"kind":"penalty","at_us":0}"#, &["`offender`", "missing"]),
        (
            r#"{"kind":"penalty","at_us":0,"offender":"white","offence":"talking"}"#,
            &["`offence`", "illegal-move"],
        ),
        (
            r#"{"kind":"change_control","at_us":0,"control":"5m","how":"gladly"}"#,
            &["`how`", "kept", "replayed"],
        ),
        (r#"{"kind":"press","at_us":0}"#, &["`side`", "missing"]),
        (r#"{"kind":"press","at_us":0,"side":"White"}"#, &["`side`", "`white` or `black`"]),
        (
            r#"{"kind":"press","at_us":0,"side":"white","sid":1}"#,
            &["`sid`", "expected `side` or `both`"],
        ),
        (r#"{"kind":"query","at_us":0,"at_us":1}"#, &["`at_us`", "twice"]),
        (r#"{"kind":"query","at_us":0,"origin":"me"}"#, &["`origin`", "bus:<user name>"]),
        (r#"{"kind":"query","at_us":0,"hash":"0"}"#, &["`hash`", "64"]),
        (r#"{"kind":"query","at_us":0,"wall":"noon"}"#, &["`wall`"]),
        (r#"{"kind":"query","at_us":0,"state":1}"#, &["`state`", "object"]),
        (r#"{"kind":"query","at_us":0,"seq":-1}"#, &["`seq`", "expected u64"]),
        (r#"{"kind":"end","at_us":0,"result":"2-0"}"#, &["`result`", "1/2-1/2"]),
        (r#"{"kind":"adjust","at_us":0,"white":{"main":1}}"#, &["`main`", "`main_us`"]),
        (r#"{"kind":"new_game","at_us":0}"#, &["`control`", "missing"]),
        (r#"{"kind":"new_game","at_us":0,"control":"5"}"#, &["`control`", "5m"]),
        (r#"{"kind":"new_game","at_us":1,"control":"5m"}"#, &["`at_ns`", "begins"]),
        (
            r#"{"kind":"new_game","at_us":0,"control":"5m","switches":{"frieze":true}}"#,
            &["`switches`", "`frieze`", "freeze"],
        ),
        (
            r#"{"kind":"new_game","at_us":0,"control":"5m","profile":"uscf"}"#,
            &["`profile`", "fide"],
        ),
        (r#"{"kind":"flag","at_us":0,"side":"white","flag":"fell","first":true}"#, &["`flag`"]),
    ] {
        let error = refusal(&[], format!("{first}\n{line}\n").as_bytes());
        assert!(error.contains("line 2: "), "{line}: {error}");
        for part in parts {
            assert!(error.contains(part), "{line}: {error} lacks {part}");
        }
    }
}

#[test]
fn lines_out_of_their_order_are_refused() {
    let game = r#"{"seq":0,"kind":"new_game","at_us":0,"control":"3m+2s"}
{"seq":1,"kind":"query","at_us":2000}
"#;
    let back = format!("{game}{}", r#"{"seq":2,"kind":"query","at_us":1999.999}"#);
    let error = refusal(&[], back.as_bytes());
    assert!(error.contains("line 3: `at_ns`") && error.contains("never goes back"), "{error}");
    let gap = format!("{game}{}", r#"{"seq":3,"kind":"query","at_us":2000}"#);
    let error = refusal(&[], gap.as_bytes());
    assert!(error.contains("line 3: `seq`: is 3 where 2 is expected"), "{error}");
}

#[test]
fn bytes_that_are_no_text_and_lines_without_an_end_are_refused() {
    let error = refusal(&[], b"{\"kind\":\"query\xff\"}\n");
    assert!(error.contains("line 1") && error.contains("UTF-8"), "{error}");
    let error = refusal(&[], &vec![b'['; 3 << 20]);
    assert!(error.contains("line 1") && error.contains("longer"), "{error}");
}

#[test]
fn a_line_for_people_has_time_cause_effects_and_both_clocks() {
    let output = flagfallctl(&["replay", "-"], EXAMPLE.as_bytes());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    for part in ["0:01.000", "press white", "turn black", "3:03.000", "3:02.000"] {
        assert!(lines[2].contains(part), "{} lacks {part}", lines[2]);
    }
    let clocks: Vec<_> = lines.iter().map(|line| line.find("  W")).collect();
    assert!(clocks.iter().all(|place| *place == clocks[0]), "not aligned:\n{text}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let output = flagfallctl(&["replay", "no-such-file.jsonl"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-file.jsonl"));
}
