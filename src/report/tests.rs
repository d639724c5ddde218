//! Every rendering of an eventful game, and what is counted in it.

mod laws;

use jiff::tz::TimeZone;

use super::*;
use crate::record::LineError;

/// A report of lines that are written without their braces and, where they have one, with the time
/// in seconds in front: `1.5 "kind":"press","side":"white"`.
pub(super) fn report_of(control: &str, lines: &[&str]) -> Report {
    let mut book = Book::default();
    let first =
        format!(r#"{{"kind":"new_game","at_ns":0,"wall":"2026-11-28T14:00:00Z",{control}}}"#);
    book.line(&first).unwrap();
    for line in lines {
        let (at, rest) = line.split_once(' ').unwrap();
        let at_ns = (at.parse::<f64>().unwrap() * 1e9).round();
        book.line(&format!(r#"{{"at_ns":{at_ns},{rest}}}"#)).unwrap();
    }
    book.close().unwrap()
}

fn table(report: &Report) -> String {
    table::write(report, "20261128-140000-0000", &TimeZone::UTC)
}

const WHITE: &str = r#""kind":"press","side":"white""#;
const BLACK: &str = r#""kind":"press","side":"black""#;
const QUERY: &str = r#""kind":"query""#;

/// A game in which the arbiter has much to do.
pub(super) fn eventful() -> Report {
    report_of(
        r#""control":"2/5m+10s, 1m","profile":"fide""#,
        &[
            r#"60 "kind":"start""#,
            &format!("65 {WHITE}"),
            &format!("70 {BLACK}"),
            r#"72 "kind":"pause","reason":"phone in the hall","origin":"bus:anna""#,
            r#"102 "kind":"adjust","white":{"add_us":60000000},"reason":"noise","origin":"bus:anna""#,
            r#"112 "kind":"resume""#,
            &format!("115 {WHITE}"),
            &format!("121 {BLACK}"),
            &format!("125 {WHITE}"),
            r#"128 "kind":"penalty","offender":"white","offence":"illegal-move""#,
            r#"140 "kind":"resume","side":"white""#,
            &format!("150 {WHITE}"),
            r#"155 "kind":"pause""#,
            r#"160 "kind":"insert_press","count":2"#,
            r#"161 "kind":"adjust","black":{"moves":3}"#,
            r#"162 "kind":"resume","side":"white""#,
            r#"170 "kind":"pause""#,
            r#"171 "kind":"swap_sides""#,
            r#"172 "kind":"resume","side":"black""#,
            r#"173 "kind":"recovered","why":"power cut","wall":"2026-11-28T14:10:00Z""#,
            r#"173 "kind":"choose_recovery","candidate":"last-press""#,
            r#"173 "kind":"resume""#,
            &format!("180 {BLACK}"),
            &format!("1000 {QUERY}"),
            r#"1001 "kind":"pause","reason":"flag claimed""#,
            r#"1010 "kind":"end","result":"0-1""#,
        ],
    )
}

#[test]
fn a_game_with_everything_in_it_as_a_table() {
    insta::assert_snapshot!(table(&eventful()));
}

#[test]
fn a_game_with_everything_in_it_for_a_spreadsheet() {
    insta::assert_snapshot!(csv::write(&eventful()).unwrap());
}

#[test]
fn a_game_with_everything_in_it_for_a_program() {
    let report = eventful();
    let json = serde_json::Value::from(json::object(&report));
    for (path, want) in [
        ("/sides/white/moves", "4"),
        ("/sides/black/moves", "4"),
        ("/moves/0/thought_ns", "5000000000"),
        ("/events/1/length_ns", "40000000000"),
        ("/events/1/origin", "\"bus:anna\""),
        ("/result", "\"0-1\""),
        ("/white_on", "\"right\""),
        ("/control_class", "\"blitz\""),
    ] {
        let found = json.pointer(path).map(ToString::to_string);
        assert_eq!(found.as_deref(), Some(want), "{path}");
    }
}

#[test]
fn the_reason_of_every_operation_is_shown() {
    let report = report_of(
        r#""control":"5m","profile":"fide""#,
        &[
            r#"0 "kind":"start","reason":"R1""#,
            &format!("8 {WHITE}"),
            r#"9 "kind":"penalty","offender":"white","offence":"illegal-move","reason":"R2""#,
            r#"9 "kind":"resume","reason":"R3""#,
            &format!("18 {WHITE}"),
            r#"19 "kind":"penalty","offender":"white","offence":"illegal-move","reason":"R4""#,
            r#"19 "kind":"adjust","white":{"moves":7},"black":{"main_us":9000000},"reason":"R5""#,
            r#"19 "kind":"insert_press","reason":"R6""#,
            r#"19 "kind":"resume","side":"white","reason":"R7""#,
            r#"20 "kind":"pause","reason":"R8""#,
            r#"21 "kind":"pause","reason":"R9""#,
            r#"22 "kind":"end","result":"0-1","reason":"R10""#,
            r#"23 "kind":"query","reason":"nothing happened""#,
        ],
    );
    let said: Vec<_> = report.events().filter_map(words::sentence).collect();
    insta::assert_snapshot!(said.join("\n"));
    let json = serde_json::Value::from(json::object(&report));
    assert_eq!(json["events"][0]["reason"], "R1");
}

#[test]
fn a_replayed_control_names_the_stages_of_both_sides() {
    let control = r#""kind":"change_control","control":"1/5m, 1m","how":"#;
    for (how, want) in [
        ("replayed", "1/5m, 1m, presses replayed; White is in stage 2, Black in stage 1"),
        ("kept", "1/5m, 1m, times kept"),
    ] {
        let report = report_of(
            r#""control":"5m""#,
            &[
                r#"0 "kind":"start""#,
                &format!("8 {WHITE}"),
                r#"9 "kind":"pause""#,
                &format!(r#"9 {control}"{how}""#),
            ],
        );
        let table = table(&report);
        let end = format!("control changed to {want}");
        assert!(table.lines().any(|line| line.ends_with(&end)), "{table}");
    }
}

#[test]
fn every_method_has_its_table() {
    let games = [
        ("25m delay 5s", "us"),
        ("25m bronstein 5s", "club"),
        ("5s byoyomi 2x30s", "go"),
        ("5s canadian 2/1m", "go"),
        ("10s overtime 1m", "club"),
        ("hourglass 1m", "club"),
        ("move 10s", "club"),
        ("gong 10s", "club"),
        ("up", "club"),
        ("up 1m", "club"),
        ("white 5m; black 4m", "club"),
        ("40/1h confirm, 30m", "fide"),
    ];
    let tables = games.map(|(control, profile)| {
        let head = format!(r#""control":"{control}","profile":"{profile}""#);
        let lines = [
            r#"0 "kind":"start""#.to_owned(),
            format!("8 {WHITE}"),
            format!("8 {BLACK}"),
            format!("16 {WHITE}"),
            format!("24.25 {BLACK}"),
            format!("25 {WHITE}"),
            format!("100 {QUERY}"),
        ];
        let report = report_of(&head, &lines.each_ref().map(String::as_str));
        let lines = table(&report);
        let body: Vec<_> = lines.lines().skip(5).collect();
        format!("{control}\n{}\n", body.join("\n"))
    });
    insta::assert_snapshot!(tables.join("\n"));
}

#[test]
fn a_game_that_did_not_start_has_a_report_and_no_lines_have_none() {
    insta::assert_snapshot!(table(&report_of(r#""control":"3m+2s""#, &[])), @r"
    game 20261128-140000-0000, 28 November 2026, 14:00
    3m+2s (blitz, club)
    Each side has 3 minutes for the whole game, with 2 seconds added for each move.
    White on the left

    no moves played

    White  0 moves in 0:00.0; the clock shows 3:02.0
    Black  0 moves in 0:00.0; the clock shows 3:02.0
    not started
    ");
    assert_eq!(Book::default().close().unwrap_err(), ReportError::NoGame);
}

#[test]
fn a_second_game_is_refused_with_its_line() {
    let new = r#"{"kind":"new_game","at_ns":0,"control":"5m"}"#;
    let mut book = Book::default();
    book.line(new).unwrap();
    assert_eq!(book.line(new).unwrap_err(), ReportError::AnotherGame { number: 2 });
    let mut book = Book::default();
    book.line(new).unwrap();
    let ReportError::Line(LineError { number: 2, .. }) = book.line("{").unwrap_err() else {
        panic!("not the line");
    };
}

#[test]
fn a_refused_operation_is_an_error_by_hand_but_not_in_a_journal() {
    let refused = |seq: [&str; 2]| {
        let mut book = Book::default();
        let [new, pause] = seq;
        book.line(&format!(r#"{{{new}"kind":"new_game","at_ns":0,"control":"5m"}}"#)).unwrap();
        book.line(&format!(r#"{{{pause}"kind":"pause","at_ns":1000}}"#))
    };
    assert_eq!(refused([r#""seq":0,"#, r#""seq":1,"#]), Ok(()));
    let error = refused(["", ""]).unwrap_err().to_string();
    assert!(error.starts_with("line 2: pause is refused: "), "{error}");
}

#[test]
fn a_refused_new_game_does_not_end_the_report() {
    let new = r#"{"seq":0,"kind":"new_game","at_ns":0,"control":"5m"}"#;
    let mut book = Book::default();
    book.line(new).unwrap();
    book.line(r#"{"seq":1,"kind":"new_game","at_ns":5,"control":"3m"}"#).unwrap();
    assert_eq!(book.close().unwrap().settings.control.to_string(), "5m");
}

#[test]
fn the_time_of_a_press_taken_back_goes_into_the_next() {
    let report = report_of(
        r#""control":"10m""#,
        &[
            r#"0 "kind":"start""#,
            &format!("5 {WHITE}"),
            r#"9 "kind":"undo_press""#,
            r#"10 "kind":"resume""#,
            &format!("13 {WHITE}"),
        ],
    );
    let moves: Vec<_> =
        report.moves().map(|made| (made.number, made.think_time, made.status)).collect();
    assert_eq!(
        moves,
        [
            (1, Span::from_secs(5), MoveStatus::TakenBack),
            (1, Span::from_secs(8), MoveStatus::Counts)
        ]
    );
}

#[test]
fn a_turn_that_was_broken_off_is_in_the_total_where_its_time_was_not_given_back() {
    let ten_minutes = r#""control":"10m""#;
    let undo = |refund: &str, count: u32| {
        report_of(
            ten_minutes,
            &[
                r#"0 "kind":"start""#,
                &format!("10 {WHITE}"),
                &format!("21 {BLACK}"),
                &format!(r#"30 "kind":"undo_press","count":{count},"refund":{refund}"#),
                r#"31 "kind":"resume""#,
                r#"35 "kind":"pause""#,
            ],
        )
    };
    // An undo without refund, followed by another one.
    let again = |refund: &str| {
        report_of(
            ten_minutes,
            &[
                r#"0 "kind":"start""#,
                &format!("10 {WHITE}"),
                &format!("21 {BLACK}"),
                r#"30 "kind":"undo_press","refund":false"#,
                &format!(r#"33 "kind":"undo_press","refund":{refund}"#),
                r#"34 "kind":"resume""#,
                r#"35 "kind":"pause""#,
            ],
        )
    };
    let resume = report_of(
        ten_minutes,
        &[
            r#"0 "kind":"start""#,
            &format!("10 {WHITE}"),
            r#"17 "kind":"pause""#,
            r#"20 "kind":"resume","side":"white""#,
            r#"25 "kind":"pause""#,
        ],
    );
    // The time of each side in completed or broken-off turns, and in the open turn.
    for (report, white, black) in [
        (undo("true", 1), (10, 0), (0, 11 + 4)),
        (undo("false", 1), (10 + 9, 0), (0, 11 + 4)),
        (undo("true", 2), (0, 10 + 4), (0, 0)),
        (undo("false", 2), (0, 10 + 4), (11, 0)),
        (again("true"), (0, 10 + 1), (0, 0)),
        (again("false"), (0, 10 + 1), (11, 0)),
        (resume, (10, 5), (7, 0)),
    ] {
        for (side, (over, open)) in [(Side::White, white), (Side::Black, black)] {
            let used = report.end.sides[side].used;
            assert_eq!(
                (report.total(side).think_time, used),
                (Span::from_secs(over), Span::from_secs(open)),
                "{side:?} in {:?}",
                report.events().collect::<Vec<_>>()
            );
            let left = report.end.sides[side].main;
            assert_eq!(left, Span::from_secs(600 - over - open), "{:?}", report.entries);
        }
    }
}
