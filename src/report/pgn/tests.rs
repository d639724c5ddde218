//! Times are put into moves, nothing else changes, and mismatches are reported.

use proptest::prelude::*;

use super::*;
use crate::report::Book;

/// Two moves by White and one by Black, of 12, 0.25 and 70 seconds.
fn report() -> Report {
    played(r#""control":"40/1h30m+30s, 30m+30s""#, &[12_000_000, 12_250_000, 82_250_000])
}

fn played(control: &str, presses_us: &[i64]) -> Report {
    let mut book = Book::default();
    book.line(&format!(
        r#"{{"kind":"new_game","at_us":0,"wall":"2026-11-28T14:00:00Z",{control}}}"#
    ))
    .unwrap();
    book.line(r#"{"kind":"start","at_us":0}"#).unwrap();
    for (at, side) in presses_us.iter().zip(["white", "black"].into_iter().cycle()) {
        book.line(&format!(r#"{{"kind":"press","at_us":{at},"side":"{side}"}}"#)).unwrap();
    }
    book.close().unwrap()
}

const ONE: &str = "{[%clk 1:30:48] [%emt 0:00:12]}";
const TWO: &str = "{[%clk 1:30:59.75] [%emt 0:00:00.25]}";
const THREE: &str = "{[%clk 1:30:08] [%emt 0:01:10]}";
const TAG: &str = "[TimeControl \"40/5400+30:1800+30\"]\n\n";

/// The text without its breaks of lines: comments that are put in begin new ones.
fn flat(text: &str) -> String {
    text.replace('\n', " ")
}

#[test]
fn times_follow_their_moves_and_all_else_stays() {
    for (given, merged) in [
        ("1. e4 e5 2. Nf3 *", format!("1. e4 {ONE} 1... e5 {TWO} 2. Nf3 {THREE} *")),
        ("1.e4 e5 2.Nf3", format!("1.e4 {ONE} 1... e5 {TWO} 2.Nf3 {THREE}")),
        ("1. e4 1... e5 2. Nf3 *", format!("1. e4 {ONE} 1... e5 {TWO} 2. Nf3 {THREE} *")),
        // marks belong to the move
        ("e4!? e5 $2 $10 Nf3?! *", format!("e4!? {ONE} 1... e5 $2 $10 {TWO} Nf3?! {THREE} *")),
        // comments are kept, of old times only the rest
        (
            "1. e4 {[%clk 0:01:00] best} e5 { [%emt 0:00:01] [%eval 0.3] } Nf3 {[%clk 9:00:00]} *",
            format!(
                "1. e4 {{[%clk 1:30:48] [%emt 0:00:12] best}} e5 \
                 {{[%clk 1:30:59.75] [%emt 0:00:00.25] [%eval 0.3]}} Nf3 {THREE} *"
            ),
        ),
        (
            "1. e4 ; e5 is next\ne5 2. Nf3 *",
            format!("1. e4 {ONE} ; e5 is next\ne5 {TWO} 2. Nf3 {THREE} *"),
        ),
        // variations have their own times
        (
            "1. e4 (1. d4 {[%clk 0:09:00]} d5 (1... Nf6)) 1... e5 {a} {b [%clk 0:00:01]} 2. Nf3 *",
            format!(
                "1. e4 {ONE} (1. d4 {{[%clk 0:09:00]}} d5 (1... Nf6)) 1... e5 \
                 {{[%clk 1:30:59.75] [%emt 0:00:00.25] a}} {{b}} 2. Nf3 {THREE} *"
            ),
        ),
        // words that only resemble moves
        (
            "1. e4 N e5 e.p. += 2. Nf3 *",
            format!("1. e4 {ONE} N 1... e5 {TWO} e.p. += 2. Nf3 {THREE} *"),
        ),
        (
            "% aside e4 e5\n1. O-O 0-0 2. -- *",
            format!("% aside e4 e5\n1. O-O {ONE} 1... 0-0 {TWO} 2. -- {THREE} *"),
        ),
    ] {
        let result = merge(&report(), given, None).unwrap();
        assert!(result.text.lines().all(|line| line.len() <= 140), "{}", result.text);
        let text = result.text.replacen(TAG, "", 1);
        assert_eq!(flat(&text), flat(&merged), "{given}");
        assert_eq!(result.mismatch(), None, "{given}");
        let again = merge(&report(), &result.text, None).unwrap().text;
        assert_eq!(again, result.text, "a second time changes nothing: {given}");
    }
}

#[test]
fn tags_stay_as_they_are_and_the_time_control_is_added_where_it_is_missing() {
    let tags = "[Event \"A ] \\\"B\\\"\"]\r\n[White \"J\u{e4}ger\"]\r\n";
    let moves = "\r\n1. e4 e5 2. Nf3 *\r\n";
    let merged = merge(&report(), &format!("{tags}{moves}"), None).unwrap().text;
    assert!(merged.starts_with(tags.trim_end()), "{merged:?}");
    assert!(
        merged.contains("\"]\r\n[TimeControl \"40/5400+30:1800+30\"]\r\n\r\n1. e4"),
        "{merged:?}"
    );
    let own = "[TimeControl \"?\"]\n\n1. e4 e5 2. Nf3 *";
    assert_eq!(merge(&report(), own, None).unwrap().text.matches("TimeControl").count(), 1);
}

#[test]
fn a_mismatch_is_reported_with_the_counts() {
    for (given, sentence) in [
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
            "the PGN has 3 moves by White and 3 by Black, the clock 2 and 1; not timed by the clock: White's 3, Black's 2 to 3",
        ),
        (
            "1. e4 *",
            "the PGN has 1 moves by White and 0 by Black, the clock 2 and 1; not in the PGN: White's 2, Black's 1",
        ),
    ] {
        let merged = merge(&report(), given, None).unwrap();
        assert_eq!(merged.mismatch().unwrap(), sentence);
    }
}

#[test]
fn one_of_several_games_must_be_chosen_and_the_others_stay() {
    let two = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n\n[White \"C\"]\n[Black \"D\"]\n[Round \"2\"]\n[TimeControl \"-\"]\n\n1. d4 d5 2. c4 1-0\n";
    let error = merge(&report(), two, None).unwrap_err().to_string();
    assert_eq!(error, "it contains 2 games (1: A - B; 2: C - D, round 2); choose one");
    let merged = merge(&report(), two, Some(2)).unwrap().text;
    let (first, second) = two.split_at(two.find("[White \"C\"]").unwrap());
    assert!(merged.starts_with(first), "{merged}");
    let timed = second.replace("d4 d5 2. c4", &format!("d4 {ONE} 1... d5 {TWO} 2. c4 {THREE}"));
    assert_eq!(flat(merged.strip_prefix(first).unwrap()), flat(&timed));
    for which in [0, 3] {
        assert!(matches!(merge(&report(), two, Some(which)), Err(NoMerge::Fewer { .. })));
    }
}

#[test]
fn a_game_that_is_taken_up_from_a_position_goes_by_its_numbers_or_by_its_own_count() {
    let fen = "[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 24\"]\n\n24. Kb1 Kd2 25. Ka1 *";
    let merged = merge(&report(), fen, None).unwrap();
    assert_eq!((merged.timed, merged.mismatch()), (3, None), "the clock began at 1");
    let mut book = Book::default();
    for line in [
        r#"{"kind":"new_game","at_us":0,"control":"1h"}"#,
        r#"{"kind":"start","at_us":0}"#,
        r#"{"kind":"pause","at_us":0}"#,
        r#"{"kind":"adjust","at_us":0,"white":{"moves":23},"black":{"moves":23}}"#,
        r#"{"kind":"resume","at_us":0}"#,
        r#"{"kind":"press","at_us":1000000,"side":"white"}"#,
    ] {
        book.line(line).unwrap();
    }
    let merged = merge(&book.close().unwrap(), fen, None).unwrap();
    assert_eq!((merged.timed, merged.untimed), (1, vec![(Side::Black, 24), (Side::White, 25)]));
}

#[test]
fn invalid_pgn_is_refused_with_its_line() {
    for (given, why) in [
        ("", "it contains no game"),
        ("{only words}", "it contains no game"),
        ("1. e4\n{oh", "line 2: a comment is opened here and not closed"),
        ("1. e4 (1. d4", "line 1: a variation is opened here and not closed"),
        ("1. e4 ) e5", "line 1: a `)` closes no variation"),
        ("\n\n[Event \"x\"", "line 3: a tag is opened here and not closed"),
    ] {
        assert_eq!(merge(&report(), given, None).unwrap_err().to_string(), why, "{given:?}");
    }
}

#[test]
fn a_clock_below_zero_reads_zero_and_one_that_counts_up_has_no_time_left() {
    for (control, comment) in [
        ("10s overtime 10m", "{[%clk 0:00:00] [%emt 0:00:12]}"),
        ("up", "{[%emt 0:00:12]}"),
        ("up 1h", "{[%clk 0:59:48] [%emt 0:00:12]}"),
        ("5s byoyomi 5x30s", "{[%clk 0:00:30] [%emt 0:00:12]}"),
        ("25m delay 5s", "{[%clk 0:24:53] [%emt 0:00:12]}"),
    ] {
        let report = played(&format!(r#""control":"{control}""#), &[12_000_000]);
        let merged = merge(&report, "[TimeControl \"-\"]\n\n1. e4 *", None).unwrap().text;
        assert!(merged.ends_with(&format!("1. e4 {comment} *")), "{control}: {merged}");
    }
}

#[test]
fn controls_as_the_tag_has_them_are_read_back() {
    for (control, tag) in [
        ("5m", Some("300")),
        ("3m+2s", Some("180+2")),
        ("40/2h, 20/1h, 15m+30s", Some("40/7200:20/3600:900+30")),
        ("40/1h repeat", Some("40/3600")),
        ("hourglass 3m", Some("*180")),
        ("25m delay 5s", None),
        ("2h, 15m", None),
        ("1m500ms", None),
        ("white 5m; black 4m", None),
    ] {
        let control = crate::control::notation::parse(control).unwrap();
        assert_eq!(time_control(&control).as_deref(), tag);
        if let Some(tag) = tag {
            let read = crate::control::notation::parse(&format!("pgn:{tag}")).unwrap();
            assert_eq!(read, control);
        }
    }
}

#[test]
fn without_moves_the_times_belong_to_null_moves() {
    let alone = alone(&report(), &TimeZone::UTC);
    insta::assert_snapshot!(alone, @r#"
    [Event "?"]
    [Site "?"]
    [Date "2026.11.28"]
    [Round "?"]
    [White "?"]
    [Black "?"]
    [Result "*"]
    [Time "14:00:00"]
    [TimeControl "40/5400+30:1800+30"]

    1. -- {[%clk 1:30:48] [%emt 0:00:12]}
    1... -- {[%clk 1:30:59.75] [%emt 0:00:00.25]}
    2. -- {[%clk 1:30:08] [%emt 0:01:10]}
    *
    "#);
    assert_eq!(merge(&report(), &alone, None).unwrap().text, alone);
}

proptest! {
    #[test]
    fn no_text_makes_the_merge_panic_and_none_of_it_is_lost(
        parts in proptest::collection::vec(
            proptest::sample::select(&[
                "e4", "Nf3", "O-O", "1.", "2...", "1-0", "*", "$1", "!?", "{", "}", "(", ")", ";", "%",
                "[", "]", "\"", "\n", "\r\n", " ", "ä", "word", "[Event \"x\"]", "[%clk 0:00:01]",
                "{[%emt 0:00:01] a}", "(1. d4)", "[FEN \"8 b - - 0 7\"]",
            ][..]),
            0..40,
        ),
        which in proptest::option::of(0..3_usize),
    ) {
        let text = parts.concat();
        if let Ok(merged) = merge(&report(), &text, which) {
            let old = text.replace("[%clk 0:00:01]", "").replace("[%emt 0:00:01]", "");
            let mut new = merged.text.chars();
            for letter in old.chars().filter(|c| !c.is_whitespace() && !"{};".contains(*c)) {
                prop_assert!(new.any(|c| c == letter), "{:?} is lost: {:?}", letter, merged.text);
            }
        }
    }
}

#[test]
fn a_reply_gets_the_number_that_the_text_itself_counts() {
    // White to move at 24, and Black to move at 1: the clock counts from 1 for each side.
    let from_24 = "[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 24\"]\n[TimeControl \"?\"]\n\n";
    let merged = merge(&report(), &format!("{from_24}24. Kb1 Kd2 25. Ka1 Ke2 *"), None).unwrap();
    assert_eq!(
        flat(merged.text.strip_prefix(from_24).unwrap()),
        format!("24. Kb1 {ONE} 24... Kd2 {TWO} 25. Ka1 {THREE} 25... Ke2 *")
    );
    let unnumbered = merge(&report(), &format!("{from_24}Kb1 Kd2 Ka1 *"), None).unwrap().text;
    assert!(unnumbered.contains(" 24... Kd2"), "{unnumbered}");
    let bare = merge(&report(), "[TimeControl \"?\"]\n\n7. Kb1 Kd2 8. Ka1 *", None).unwrap().text;
    assert!(bare.contains(" 7... Kd2"), "{bare}");
}

#[test]
fn of_two_games_without_tags_the_other_one_is_left_alone() {
    let given = "1. e4 e5 1-0\n\n1. d4 d5 0-1";
    let merged = merge(&report(), given, Some(2)).unwrap().text;
    let (first, second) = merged.split_once("[TimeControl").unwrap();
    assert_eq!(first, "1. e4 e5 1-0\n\n");
    assert!(second.contains("1. d4 {[%clk"), "{merged}");
}

#[test]
fn where_black_was_first_a_null_move_comes_before() {
    let mut book = Book::default();
    for line in [
        r#"{"kind":"new_game","at_us":0,"control":"5m"}"#,
        r#"{"kind":"start","at_us":0,"side":"black"}"#,
        r#"{"kind":"press","at_us":1000000,"side":"black"}"#,
        r#"{"kind":"press","at_us":3000000,"side":"white"}"#,
    ] {
        book.line(line).unwrap();
    }
    let text = alone(&book.close().unwrap(), &TimeZone::UTC);
    let moves = text.split_once("\n\n").unwrap().1;
    assert_eq!(
        moves,
        "1. --\n1... -- {[%clk 0:04:59] [%emt 0:00:01]}\n\
         2. -- {[%clk 0:04:58] [%emt 0:00:02]}\n*\n"
    );
}

#[test]
fn after_another_control_there_is_no_tag_and_counting_up_leaves_no_time() {
    let mut book = Book::default();
    for line in [
        r#"{"kind":"new_game","at_us":0,"control":"5m"}"#,
        r#"{"kind":"start","at_us":0}"#,
        r#"{"kind":"press","at_us":1000000,"side":"white"}"#,
        r#"{"kind":"pause","at_us":1000000}"#,
        r#"{"kind":"change_control","at_us":1000000,"control":"up","how":"kept"}"#,
        r#"{"kind":"resume","at_us":1000000}"#,
        r#"{"kind":"press","at_us":3000000,"side":"black"}"#,
    ] {
        book.line(line).unwrap();
    }
    let text = alone(&book.close().unwrap(), &TimeZone::UTC);
    assert!(!text.contains("TimeControl"), "{text}");
    assert!(text.contains("1. -- {[%clk 0:04:59] [%emt 0:00:01]}"), "{text}");
    assert!(text.contains("1... -- {[%emt 0:00:02]}"), "{text}");
}
