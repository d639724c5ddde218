//! What each wrong text is answered.

use super::super::{Problem, parse};

/// One text a line, the answer below it.
fn answers(texts: &[&str]) -> String {
    texts
        .iter()
        .map(|text| match parse(text) {
            Ok(control) => format!("{text}\n    IS READ AS {control}\n"),
            Err(error) => format!("{text}\n    {error}\n"),
        })
        .collect()
}

#[test]
fn a_number_without_a_unit_is_never_guessed_at() {
    insta::assert_snapshot!(answers(&[
        "5", "5m+3", "5 m", "1h 30m", "5min + 3sec", "40/90+30, 30+30", "40/5400+60",
        "5m delay 5", "5M", "1.5h", "5:00", "5400+30:1800+30", "byoyomi 5x30", "300",
    ]), @"");
}

#[test]
fn what_cannot_be_read_is_refused_with_the_place_and_what_was_expected() {
    insta::assert_snapshot!(answers(&[
        "", "  ", "blitz", "5m,", "5m;", "5m; 4m", "white 5m", "white 5m black 4m",
        "black 4m; white 5m", "white 5m; 4m", "5m bronstien 5s", "5m inc 3s", "1h byo-yomi 5x1m",
        "25m delay", "2h/40", "40/", "40/1h repeat, 30m", "40/1h repeat repeat", "15|10",
        "1h byoyomi 5", "1h canadian 20", "5m+3s cap", "confirm", "repeat", "40/1h, confirm",
        "3m+2s extra", "５m", "5m – 3s", "5m\u{7}\u{1b}[31m",
    ]), @"");
}

#[test]
fn what_no_clock_can_keep_is_refused_with_the_part_and_the_remedy() {
    let texts = [
        "0s",
        "0s, 0s",
        "0+0",
        "hourglass 0s",
        "up 0s",
        "25m delay 5s byoyomi 5x1m",
        "25m bronstein 5s canadian 20/5m",
        "25m delay 5s overtime 10m",
        "5m+3s delay 2s",
        "5m+3s+2s",
        "5m byoyomi 5x1m overtime 10m",
        "5m hourglass 1m",
        "hourglass 1m delay 5s",
        "10m+5s cap 5m",
        "10m+0s cap 10m",
        "10m byoyomi 10x1m burn-on-entry",
        "1h+30s, 10s+10s",
        "0/1h, 30m",
        "2h repeat",
        "40/2h, 30m repeat",
        "40/2h confirm",
        "40/1h confirm repeat",
        "2h confirm, 30m",
        "40/2h",
        "9m, 8m, 7m, 6m, 5m, 4m, 3m, 2m, 1m",
        "100h",
        "5m+99h1s",
        "-5m",
        "5m+-3s",
        "byoyomi 0x1m",
        "byoyomi 5x0s",
        "byoyomi 5x1m free 0s",
        "canadian 0/5m",
        "canadian 5/0s",
        "5m overtime 0s",
        "overtime 10m",
        "1h byoyomi 5x1m, 5m",
        "40/1h byoyomi 5x1m",
        "hourglass 1m, 5m",
        "40/move 10s repeat",
        "gong 10s repeat",
        "10000/1h repeat",
        "white hourglass 1m; black 5m",
        "white 5m; black gong 10s",
        "white 5m; black 40/4m",
    ];
    for text in texts {
        let error = parse(text).expect_err(text);
        assert!(matches!(error.problem, Problem::Impossible(_)), "{text}: {error}");
    }
    insta::assert_snapshot!(answers(&texts), @"");
}

#[test]
fn foreign_notations_are_refused_in_their_own_terms() {
    insta::assert_snapshot!(answers(&[
        "90'/40", "90'+30\"+30'", "90'/40 + 30", "90' 30'", "30\"/40", "1h40'x", "'", "100h0'",
        "G/", "G/60 d5", "G/60+5", "G/60;x5", "G/60;d", "40/90", "40/90,", "40/90,SD30", "G/6000",
        "pgn:", "pgn:?", "pgn:-", "pgn:40/", "pgn:*180:60", "pgn:0", "pgn:5m", "pgn:300 s", "pgn:1.2345",
        "sgf:", "sgf:1200 5", "sgf:1200 5x30", "sgf:1200 5x30 fischer", "sgf:1200 5/30 byo-yomi",
        "99999999999999999999+0", "3+99999999999999999999",
    ]), @"");
}

#[test]
fn a_quotation_is_short_and_the_place_counts_characters_not_bytes() {
    let error = parse(&"é".repeat(1_000_000)).expect_err("nonsense");
    assert_eq!((error.position, error.found), (1, format!("{}…", "é".repeat(20))));
    let error = parse("40/2h, 日本").expect_err("nonsense");
    assert_eq!((error.position, error.found.as_str()), (8, "日本"));
    let error = parse("90’+日本").expect_err("nonsense");
    assert_eq!((error.position, error.found.as_str()), (5, "日本"));
}
