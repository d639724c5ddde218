//! Laws of the account, and what the renderings make of games with everything in them.

use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::*;
use crate::record::LineError;

/// A report of lines that are written without their braces and, where they have one, with the time
/// in seconds in front: `1.5 "kind":"press","side":"white"`.
pub(super) fn told(control: &str, lines: &[&str]) -> Report {
    let mut book = Book::default();
    let first =
        format!(r#"{{"kind":"new_game","at_us":0,"wall":"2026-11-28T14:00:00Z",{control}}}"#);
    book.line(&first).unwrap();
    for line in lines {
        let (at, rest) = line.split_once(' ').unwrap();
        let at_us = (at.parse::<f64>().unwrap() * 1e6).round();
        book.line(&format!(r#"{{"at_us":{at_us},{rest}}}"#)).unwrap();
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
    told(
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
        ("/moves/0/thought_us", "5000000"),
        ("/events/1/length_us", "40000000"),
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
fn another_control_tells_where_the_sides_stand_when_the_presses_are_replayed() {
    let control = r#""kind":"change_control","control":"1/5m, 1m","how":"#;
    for (how, want) in [
        ("replayed", "1/5m, 1m, the presses replayed; White stands in stage 2, Black in stage 1"),
        ("kept", "1/5m, 1m, the times stay"),
    ] {
        let report = told(
            r#""control":"5m""#,
            &[
                r#"0 "kind":"start""#,
                &format!("8 {WHITE}"),
                r#"9 "kind":"pause""#,
                &format!(r#"9 {control}"{how}""#),
            ],
        );
        let said = table(&report);
        let line = format!("the control becomes {want}");
        assert!(said.lines().any(|told| told.ends_with(&line)), "{said}");
    }
}

#[test]
fn every_method_is_told() {
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
        let report = told(&head, &lines.each_ref().map(String::as_str));
        let lines = table(&report);
        let body: Vec<_> = lines.lines().skip(5).collect();
        format!("{control}\n{}\n", body.join("\n"))
    });
    insta::assert_snapshot!(tables.join("\n"));
}

#[test]
fn a_game_that_was_set_and_no_more_has_a_report_and_no_lines_have_none() {
    insta::assert_snapshot!(table(&told(r#""control":"3m+2s""#, &[])), @r"
    game 20261128-140000-0000, 28 November 2026, 14:00
    3m+2s (blitz, club)
    Each side has 3 minutes for the whole game, with 2 seconds added for each move.
    White on the left

    nothing has been played

    White  0 moves in 0:00.0; the clock shows 3:02.0
    Black  0 moves in 0:00.0; the clock shows 3:02.0
    not started
    ");
    assert_eq!(Book::default().close().unwrap_err(), Trouble::NoGame);
}

#[test]
fn what_is_no_single_game_is_refused_with_its_line() {
    let new = r#"{"kind":"new_game","at_us":0,"control":"5m"}"#;
    let mut book = Book::default();
    book.line(new).unwrap();
    assert_eq!(book.line(new).unwrap_err(), Trouble::AnotherGame { number: 2 });
    let mut book = Book::default();
    book.line(new).unwrap();
    let Trouble::Line(LineError { number: 2, .. }) = book.line("{").unwrap_err() else {
        panic!("not the line");
    };
}

#[test]
fn an_order_that_the_rules_refuse_ends_a_report_of_lines_by_hand_but_not_of_a_journal() {
    let refused = |seq: [&str; 2]| {
        let mut book = Book::default();
        let [new, pause] = seq;
        book.line(&format!(r#"{{{new}"kind":"new_game","at_us":0,"control":"5m"}}"#)).unwrap();
        book.line(&format!(r#"{{{pause}"kind":"pause","at_us":1000}}"#))
    };
    assert_eq!(refused([r#""seq":0,"#, r#""seq":1,"#]), Ok(()));
    let told = refused(["", ""]).unwrap_err().to_string();
    assert!(told.starts_with("line 2: pause is refused: "), "{told}");
}

#[test]
fn a_new_game_that_was_refused_ends_no_report() {
    let new = r#"{"seq":0,"kind":"new_game","at_us":0,"control":"5m"}"#;
    let mut book = Book::default();
    book.line(new).unwrap();
    book.line(r#"{"seq":1,"kind":"new_game","at_us":5,"control":"3m"}"#).unwrap();
    assert_eq!(book.close().unwrap().settings.control.to_string(), "5m");
}

#[test]
fn presses_that_are_taken_back_count_no_more_and_their_thought_goes_into_the_next() {
    let report = told(
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
        report.moves.iter().map(|made| (made.number, made.thought, made.fate)).collect();
    assert_eq!(
        moves,
        [(1, Span::from_secs(5), Fate::TakenBack), (1, Span::from_secs(8), Fate::Counts)]
    );
}

#[test]
fn a_turn_that_was_broken_off_is_in_the_total_where_its_time_was_not_given_back() {
    let ten_minutes = r#""control":"10m""#;
    let undo = |refund: &str, count: u32| {
        told(
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
    // An undo without refund, then another one behind it.
    let again = |refund: &str| {
        told(
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
    let resume = told(
        ten_minutes,
        &[
            r#"0 "kind":"start""#,
            &format!("10 {WHITE}"),
            r#"17 "kind":"pause""#,
            r#"20 "kind":"resume","side":"white""#,
            r#"25 "kind":"pause""#,
        ],
    );
    // What each side used in turns that are over, and in the one that is not.
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
                (report.total(side).thought, used),
                (Span::from_secs(over), Span::from_secs(open)),
                "{side:?} in {:?}",
                report.events
            );
            let left = report.end.sides[side].main;
            assert_eq!(left, Span::from_secs(600 - over - open), "{:?}", report.events);
        }
    }
}

/// What happens in a random game.
#[derive(Clone, Debug)]
enum Turn {
    Press(i64),
    PauseAndPress(i64, i64, i64),
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let ns = || 0..20_000_000_000_i64;
    let turn = prop_oneof![
        3 => ns().prop_map(Turn::Press),
        1 => (ns(), ns(), ns()).prop_map(|(a, b, c)| Turn::PauseAndPress(a, b, c)),
    ];
    proptest::collection::vec(turn, 0..40)
}

fn play(control: &str, start: i64, turns: &[Turn], rest: i64) -> Report {
    let mut book = Book::default();
    // Numbered as a journal's: under `fide` a fallen flag makes what comes later refused.
    let mut seq = 0..;
    let mut line = |at: i64, rest: &str| {
        let (seq, us, ns) = (seq.next().unwrap(), at / 1_000, at % 1_000);
        book.line(&format!(r#"{{"seq":{seq},"at_us":{us}.{ns:03},{rest}}}"#)).unwrap();
    };
    line(0, &format!(r#""kind":"new_game","control":"{control}","profile":"fide""#));
    let mut at = start;
    line(at, r#""kind":"start""#);
    for (turn, press) in turns.iter().zip([WHITE, BLACK].into_iter().cycle()) {
        if let Turn::PauseAndPress(before, pause, _) = turn {
            at += before;
            line(at, r#""kind":"pause""#);
            at += pause;
            line(at, r#""kind":"resume""#);
        }
        let (Turn::Press(thought) | Turn::PauseAndPress(_, _, thought)) = turn;
        at += thought;
        line(at, press);
    }
    line(at + rest, QUERY);
    book.close().unwrap()
}

proptest! {
    #[test]
    fn all_time_since_the_start_was_thought_or_stood(
        control in proptest::sample::select(&["1h", "1h+5s", "1h delay 5s", "1h bronstein 5s", "20s"][..]),
        start in 0..10_000_000_000_i64, turns in turns(), rest in 0..10_000_000_000_i64,
    ) {
        let report = play(control, start, &turns, rest);
        let (began, _) = report.started.unwrap();
        let thought = report.moves.iter().fold(Span::ZERO, |sum, made| sum + made.thought);
        let open = report.end.sides.white.used + report.end.sides.black.used;
        prop_assert_eq!(thought + open + report.stood(), report.end.at - began);
    }

    #[test]
    fn no_time_is_lost_between_a_clock_and_what_its_moves_took(
        start in 0..10_000_000_000_i64, turns in turns(),
    ) {
        let (hour, five) = (Span::from_hours(1), Span::from_secs(5));
        type Spent = fn(Span) -> Span;
        let all: Spent = |thought| thought;
        let beyond: Spent = |thought| (thought - Span::from_secs(5)).or_zero();
        for (control, at_first, each, spent) in [
            ("1h", hour, Span::ZERO, all),
            ("1h+5s", hour + five, five, all),
            ("1h delay 5s", hour, Span::ZERO, beyond),
        ] {
            let report = play(control, start, &turns, 0);
            let mut main = BySide::both(at_first);
            for made in report.counted() {
                main[made.side] = main[made.side] - spent(made.thought) + each;
                prop_assert_eq!(made.after.main, main[made.side], "{} {:?}", control, made);
            }
        }
    }

    #[test]
    fn a_curve_goes_forward_in_time_and_never_below_zero(turns in turns()) {
        for control in ["30s+2s", "20s byoyomi 2x10s", "move 10s continue", "hourglass 1m"] {
            let report = play(control, 0, &turns, 0);
            for side in Side::BOTH {
                let curve = &report.curves[side];
                prop_assert!(curve.windows(2).all(|pair| pair[0].at <= pair[1].at), "{curve:?}");
                prop_assert!(curve.iter().all(|point| !point.left.is_negative()), "{curve:?}");
            }
        }
    }
}
