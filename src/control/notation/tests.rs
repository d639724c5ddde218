//! Every notation as a table, every refusal as a sentence, and the laws of reading and writing.

pub(crate) mod laws;
mod refusals;

use super::parse;

/// What is read, and how it is written canonically.
fn assert_read(table: &[(&str, &str)]) {
    for (text, canonical) in table {
        let control = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(control.to_string(), *canonical, "{text}");
        assert_eq!(parse(canonical).as_ref(), Ok(&control), "{text}");
    }
}

#[test]
fn every_example_of_the_canonical_form_is_read_and_written_as_it_stands() {
    for text in [
        "5m",
        "3m+2s",
        "40/1h30m+30s, 30m+30s",
        "40/2h, 20/1h, 15m+30s",
        "40/1h repeat",
        "40/2h, 20/1h repeat",
        "2h, 15m",
        "40/2h confirm, 30m",
        "25m delay 5s",
        "25m bronstein 5s",
        "1h byoyomi 5x1m",
        "byoyomi 30x1m",
        "10m byoyomi 10x1m free 30s burn-on-entry",
        "byoyomi 10x1m free 30s",
        "1h canadian 10/5m then 20/5m",
        "canadian 3/3m",
        "25m overtime 10m",
        "1h+10s byoyomi 5x1m",
        "0s+10s canadian 20/5m",
        "0s+10s overtime 1m",
        "hourglass 1m",
        "move 10s",
        "move 10s continue",
        "gong 10s",
        "up",
        "up 1h",
        "60/5m, 0s+3s",
        "0s delay 5s",
        "0s bronstein 5s",
        "white 5m; black 4m",
        "white 60/5m, 0s+3s; black 60/4m, 0s+3s",
        "white 40/1h repeat; black move 10s",
        "10m+5s cap 10m",
        "10m+500ms",
        "99h",
        "9999/99h repeat",
        "8m, 7m, 6m, 5m, 4m, 3m, 2m, 1m",
    ] {
        assert_read(&[(text, text)]);
    }
}

#[test]
fn the_canonical_form_may_be_written_more_freely_than_it_is_printed() {
    assert_read(&[
        ("90m", "1h30m"),
        (" 3m + 2s ", "3m+2s"),
        ("40 / 2h ,30m", "40/2h, 30m"),
        ("25m delay5s", "25m delay 5s"),
        ("delay 5s", "0s delay 5s"),
        ("+10s", "0s+10s"),
        ("0s byoyomi 3 x 30s", "byoyomi 3x30s"),
        ("1h byoyomi 5x1m +10s", "1h+10s byoyomi 5x1m"),
        ("5m+0s", "5m"),
        ("5m delay 0s", "5m"),
        ("white 5m;black 5m", "5m"),
        ("3m\u{a0}+\t2s\n", "3m+2s"),
    ]);
}

#[test]
fn chess_sites_write_minutes_and_seconds() {
    assert_read(&[
        ("3+2", "3m+2s"),
        ("90+30", "1h30m+30s"),
        ("5+0", "5m"),
        ("0+1", "0s+1s"),
        (" 15 + 10 ", "15m+10s"),
    ]);
}

#[test]
fn fide_writes_minutes_and_seconds_as_marks() {
    assert_read(&[
        ("90'/40 + 30' + 30\"", "40/1h30m+30s, 30m+30s"),
        ("90'+30\"", "1h30m+30s"),
        ("1h40'", "1h40m"),
        ("100'/40 + 50'/20 + 15' + 30\"", "40/1h40m+30s, 20/50m+30s, 15m+30s"),
        ("120'/40 + 60'", "40/2h, 1h"),
        ("2h/40 + 30'", "40/2h, 30m"),
        ("3'+2''", "3m+2s"),
        ("90’ + 30”", "1h30m+30s"),
        ("90′+30″", "1h30m+30s"),
        ("1'30\"+1\"", "1m30s+1s"),
        ("90'+30'", "1h30m, 30m"),
        ("30\"+2\"", "30s+2s"),
        ("45\"", "45s"),
    ]);
}

#[test]
fn us_chess_writes_minutes_with_a_delay_or_increment_for_all_stages() {
    assert_read(&[
        ("G/60;d5", "1h delay 5s"),
        ("G/3;inc2", "3m+2s"),
        ("40/90,SD/30;+30", "40/1h30m+30s, 30m+30s"),
        ("40/120, SD/60; d5", "40/2h delay 5s, 1h delay 5s"),
        ("40/90, SD/30; inc/30", "40/1h30m+30s, 30m+30s"),
        ("g/30 ; D/5", "30m delay 5s"),
        ("G/60;d0", "1h"),
        ("G/60", "1h"),
        ("40/120,20/60,SD/30", "40/2h, 20/1h, 30m"),
    ]);
}

#[test]
fn pgn_writes_seconds_and_repeats_its_last_field() {
    assert_read(&[
        ("pgn:40/5400+30:1800+30", "40/1h30m+30s, 30m+30s"),
        ("pgn:300", "5m"),
        ("pgn:*180", "hourglass 3m"),
        ("pgn:40/9000", "40/2h30m repeat"),
        ("pgn:60+0.6", "1m+600ms"),
        ("pgn:40/7200:3600", "40/2h, 1h"),
        ("PGN: 300+0", "5m"),
    ]);
}

#[test]
fn sgf_writes_main_time_and_overtime() {
    assert_read(&[
        ("sgf:1200 5x30 byo-yomi", "20m byoyomi 5x30s"),
        ("sgf:3600 15/300 Canadian", "1h canadian 15/5m"),
        ("sgf:0 5x30 Byo-Yomi", "byoyomi 5x30s"),
        ("sgf:1200.5", "20m500ms"),
    ]);
}
