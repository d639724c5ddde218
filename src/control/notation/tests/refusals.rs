//! What each wrong text is answered.

use super::super::{Problem, parse};

/// One text a line, the answer below it.
fn answers(texts: &[&str]) -> String {
    texts
        .iter()
        .map(|text| match parse(text) {
            Ok(control) => format!("{text:?}\n    IS READ AS {control}\n"),
            Err(error) => format!("{text:?}\n    {error}\n"),
        })
        .collect()
}

#[test]
fn a_number_without_a_unit_is_never_guessed_at() {
    insta::assert_snapshot!(answers(&[
        "5", "5m+3", "5 m", "1h 30m", "5min + 3sec", "40/90+30, 30+30", "40/5400+60",
        "5m delay 5", "5M", "1.5h", "5:00", "5400+30:1800+30", "byoyomi 5x30", "300",
    ]), @r#"
    "5"
        at character 1: expected a duration with its unit (h, m, s or ms), found `5`; did you mean `5m`?
    "5m+3"
        at character 4: expected a duration with its unit (h, m, s or ms), found `3`; did you mean `5m+3s`?
    "5 m"
        at character 1: expected a duration with its unit (h, m, s or ms), found `5`; did you mean `5m`?
    "1h 30m"
        at character 4: expected a method, `,` and a further stage, or the end, found `30m`; did you mean `1h30m`?
    "5min + 3sec"
        at character 2: expected a unit (h, m, s or ms), found `min`; did you mean `5m + 3s`?
    "40/90+30, 30+30"
        at character 4: expected a duration with its unit (h, m, s or ms), found `90`; did you mean `40/90m+30s, 30m+30s`?
    "40/5400+60"
        at character 4: expected a duration with its unit (h, m, s or ms), found `5400`; put a unit behind each number, or `pgn:` in front if all are seconds
    "5m delay 5"
        at character 10: expected a duration with its unit (h, m, s or ms), found `5`; did you mean `5m delay 5s`?
    "5M"
        at character 2: expected a unit (h, m, s or ms), found `M`; did you mean `5m`?
    "1.5h"
        at character 2: expected a unit (h, m, s or ms), found `.5h`; write whole numbers of smaller units: 1m30s instead of 1.5m
    "5:00"
        at character 1: expected a duration with its unit (h, m, s or ms), found `5`; put a unit behind the number: h, m, s or ms
    "5400+30:1800+30"
        at character 1: expected a duration with its unit (h, m, s or ms), found `5400`; put a unit behind each number, or `pgn:` in front if all are seconds
    "byoyomi 5x30"
        at character 11: expected a duration with its unit (h, m, s or ms), found `30`; did you mean `byoyomi 5x30s`?
    "300"
        at character 1: expected a duration with its unit (h, m, s or ms), found `300`; did you mean `300m`?
    "#);
}

#[test]
fn what_cannot_be_read_is_refused_with_the_place_and_what_was_expected() {
    insta::assert_snapshot!(answers(&[
        "", "  ", "blitz", "5m,", "5m;", "5m; 4m", "white 5m", "white 5m black 4m",
        "black 4m; white 5m", "white 5m; 4m", "5m bronstien 5s", "5m inc 3s", "1h byo-yomi 5x1m",
        "25m delay", "2h/40", "40/", "40/1h repeat, 30m", "40/1h repeat repeat", "15|10",
        "1h byoyomi 5", "1h canadian 20", "5m+3s cap", "confirm", "repeat", "40/1h, confirm",
        "3m+2s extra", "５m", "5m – 3s", "5m\u{7}\u{1b}[31m",
    ]), @r#"
    ""
        at character 1: expected a time control, found the end; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "  "
        at character 3: expected a time control, found the end; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "blitz"
        at character 1: expected the time of a stage, such as `5m` or `40/1h30m`, found `blitz`; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "5m,"
        at character 4: expected the time of a stage, such as `5m` or `40/1h30m`, found the end; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "5m;"
        at character 3: expected the end, found `;`; write unequal sides as in `white 5m; black 4m`
    "5m; 4m"
        at character 3: expected the end, found `;`; did you mean `white 5m; black 4m`?
    "white 5m"
        at character 9: expected `;` and Black's side, found the end; write both sides, as in `white 5m; black 4m`
    "white 5m black 4m"
        at character 10: expected `;` before Black's side, found `black`; did you mean `white 5m; black 4m`?
    "black 4m; white 5m"
        at character 1: expected White's side, found `black`; write White first, as in `white 5m; black 4m`
    "white 5m; 4m"
        at character 11: expected `black`, found `4m`; did you mean `white 5m; black 4m`?
    "5m bronstien 5s"
        at character 4: expected a method, found `bronstien`; did you mean `5m bronstein 5s`?
    "5m inc 3s"
        at character 4: expected a method, found `inc`; did you mean `5m + 3s`?
    "1h byo-yomi 5x1m"
        at character 4: expected a method, found `byo-yomi`; did you mean `1h byoyomi 5x1m`?
    "25m delay"
        at character 10: expected the delay, such as `5s`, found the end; write a number with its unit, as in `1h30m`, `45s` or `500ms`
    "2h/40"
        at character 3: expected a method, `,` and a further stage, or the end, found `/40`; write the moves before the time, as in `40/2h`, or as FIDE: `120'/40`
    "40/"
        at character 4: expected the time of a stage, such as `5m` or `40/1h30m`, found the end; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "40/1h repeat, 30m"
        at character 13: expected the end, since `repeat` concerns the last stage, found `,`; write `repeat` once, behind the last stage
    "40/1h repeat repeat"
        at character 14: expected the end, since `repeat` concerns the last stage, found `repeat`; write `repeat` once, behind the last stage
    "15|10"
        at character 1: expected a duration with its unit (h, m, s or ms), found `15`; did you mean `15m+10s`?
    "1h byoyomi 5"
        at character 13: expected `x` and the length of a period, found the end; write number and length of the periods, as in `byoyomi 5x30s`
    "1h canadian 20"
        at character 15: expected `/` and the time for the moves, found the end; write moves and time of a block, as in `canadian 20/5m`
    "5m+3s cap"
        at character 10: expected the cap, such as `10m`, found the end; write a number with its unit, as in `1h30m`, `45s` or `500ms`
    "confirm"
        at character 1: expected the time of a stage, such as `5m` or `40/1h30m`, found `confirm`; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "repeat"
        at character 1: expected the time of a stage, such as `5m` or `40/1h30m`, found `repeat`; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "40/1h, confirm"
        at character 8: expected the time of a stage, such as `5m` or `40/1h30m`, found `confirm`; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "3m+2s extra"
        at character 7: expected a method, found `extra`; write one of `+2s`, `delay 5s`, `bronstein 5s`, `byoyomi 5x30s`, `canadian 20/5m`, `overtime 10m`
    "５m"
        at character 1: expected the time of a stage, such as `5m` or `40/1h30m`, found `５m`; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "5m – 3s"
        at character 4: expected a method, `,` and a further stage, or the end, found `–`; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "5m\u{7}\u{1b}[31m"
        at character 3: expected a method, `,` and a further stage, or the end, found `��[31m`; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "#);
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
    insta::assert_snapshot!(answers(&texts), @r#"
    "0s"
        at character 1: `0s` is impossible: there is no time to begin with; give it a time, as in `5m` or `0s+10s`
    "0s, 0s"
        at character 1: `0s` is impossible: there is no time to begin with; give it a time, as in `5m` or `0s+10s`
    "0+0"
        at character 1: `0+0` is impossible: there is no time to begin with; give it a time, as in `5m` or `0s+10s`
    "hourglass 0s"
        at character 1: `hourglass 0s` is impossible: there is no time to begin with; give it a time, as in `5m` or `0s+10s`
    "up 0s"
        at character 1: `up 0s` is impossible: there is no time to begin with; give it a time, as in `5m` or `0s+10s`
    "25m delay 5s byoyomi 5x1m"
        at character 14: `byoyomi` is impossible: `delay` and `byoyomi` do not go together; keep one of them; only an increment goes with `byoyomi`, `canadian` or `overtime`
    "25m bronstein 5s canadian 20/5m"
        at character 18: `canadian` is impossible: `bronstein` and `canadian` do not go together; keep one of them; only an increment goes with `byoyomi`, `canadian` or `overtime`
    "25m delay 5s overtime 10m"
        at character 14: `overtime` is impossible: `delay` and `overtime` do not go together; keep one of them; only an increment goes with `byoyomi`, `canadian` or `overtime`
    "5m+3s delay 2s"
        at character 7: `delay` is impossible: an increment (`+`) and `delay` do not go together; keep one of them; only an increment goes with `byoyomi`, `canadian` or `overtime`
    "5m+3s+2s"
        at character 6: `+` is impossible: an increment (`+`) stands twice in one stage; keep one of them; only an increment goes with `byoyomi`, `canadian` or `overtime`
    "5m byoyomi 5x1m overtime 10m"
        at character 17: `overtime` is impossible: `byoyomi` and `overtime` do not go together; keep one of them; only an increment goes with `byoyomi`, `canadian` or `overtime`
    "5m hourglass 1m"
        at character 1: `5m` is impossible: main time and `hourglass` do not go together; keep one of them: `hourglass` has its own time behind it
    "hourglass 1m delay 5s"
        at character 14: `delay` is impossible: `hourglass` and `delay` do not go together; keep one of them; only an increment goes with `byoyomi`, `canadian` or `overtime`
    "10m+5s cap 5m"
        at character 1: `10m+5s cap 5m` is impossible: the cap of 5m lies below the base of 10m; raise the cap to at least 10m, or leave it out
    "10m+0s cap 10m"
        at character 8: `cap 10m` is impossible: an increment of nothing needs no cap; leave out the cap, or write what a move adds
    "10m byoyomi 10x1m burn-on-entry"
        at character 1: `10m byoyomi 10x1m bu…` is impossible: `burn-on-entry` burns a period when free time ends, and there is no `free`; add the free time, as in `free 30s burn-on-entry`, or leave out `burn-on-entry`
    "1h+30s, 10s+10s"
        at character 9: `10s+10s` is impossible: after a stage that ends at zero it would take time away: its 10s and +10s are less than the +30s before; give it at least 30s in all
    "0/1h, 30m"
        at character 1: `0/1h` is impossible: a stage of 0 moves never begins; write at least 1 move
    "2h repeat"
        at character 1: `2h` is impossible: `repeat` begins the last stage again after its moves, and it counts none; write the moves, as in `40/2h repeat`, or leave out `repeat`
    "40/2h, 30m repeat"
        at character 8: `30m` is impossible: `repeat` begins the last stage again after its moves, and it counts none; write the moves, as in `40/30m repeat`, or leave out `repeat`
    "40/2h confirm"
        at character 1: `40/2h confirm` is impossible: `confirm` holds back the next stage, and no stage follows; leave out `confirm`, or add a stage as in `40/2h confirm, 30m`
    "40/1h confirm repeat"
        at character 1: `40/1h confirm` is impossible: `confirm` holds back the next stage, and no stage follows; leave out `confirm`, or add a stage as in `40/2h confirm, 30m`
    "2h confirm, 30m"
        at character 1: `2h confirm` is impossible: `confirm` waits for the last move of a stage, and this one counts no moves; write the moves, as in `40/2h confirm`, or leave out `confirm`
    "40/2h"
        at character 1: `40/2h` is impossible: nothing follows the 40 moves of the last stage; add a stage, as in `40/2h, 30m`, or `repeat`
    "9m, 8m, 7m, 6m, 5m, 4m, 3m, 2m, 1m"
        at character 33: `1m` is impossible: a side has at most 8 stages; leave out what follows the 8th stage
    "100h"
        at character 1: `100h` is impossible: a duration is at most 99h; write a shorter one
    "5m+99h1s"
        at character 4: `99h1s` is impossible: a duration is at most 99h; write a shorter one
    "-5m"
        at character 1: `-5m` is impossible: a duration is never negative; did you mean `5m`?
    "5m+-3s"
        at character 4: `-3s` is impossible: a duration is never negative; did you mean `5m+3s`?
    "byoyomi 0x1m"
        at character 1: `byoyomi 0x1m` is impossible: `byoyomi` without a period gives no time; write at least 1 period
    "byoyomi 5x0s"
        at character 1: `byoyomi 5x0s` is impossible: a byo-yomi period of no time; give the period a length, as in `5x30s`
    "byoyomi 5x1m free 0s"
        at character 1: `byoyomi 5x1m free 0s` is impossible: `free` of no time; give it a length, as in `free 30s`, or leave it out
    "canadian 0/5m"
        at character 1: `canadian 0/5m` is impossible: a canadian block of 0 moves; write at least 1 move, as in `canadian 20/5m`
    "canadian 5/0s"
        at character 1: `canadian 5/0s` is impossible: a canadian block of no time; give it a length, as in `canadian 20/5m`
    "5m overtime 0s"
        at character 1: `5m overtime 0s` is impossible: `overtime` of no time; give it a length, as in `overtime 10m`, or leave it out
    "overtime 10m"
        at character 1: `overtime 10m` is impossible: `overtime` comes after main time, and there is none; write the main time
    "1h byoyomi 5x1m, 5m"
        at character 1: `1h byoyomi 5x1m` is impossible: `byoyomi` stands only in the last stage; move it behind the last stage's time, or leave out the stages after it
    "40/1h byoyomi 5x1m"
        at character 1: `40/1h byoyomi 5x1m` is impossible: a stage with `byoyomi` lasts to the end and counts no moves; leave out the number of moves
    "hourglass 1m, 5m"
        at character 1: `hourglass 1m` is impossible: `hourglass` stands alone, without moves and further stages; write `hourglass` and its time only, or leave it out
    "40/move 10s repeat"
        at character 1: `40/move 10s` is impossible: `move` stands alone, without moves and further stages; write `move` and its time only, or leave it out
    "gong 10s repeat"
        at character 1: `gong 10s` is impossible: `gong` stands alone, without moves and further stages; write `gong` and its time only, or leave it out
    "10000/1h repeat"
        at character 1: `10000` is impossible: a number of moves is at most 9999; write a smaller number
    "white hourglass 1m; black 5m"
        at character 27: `5m` is impossible: `hourglass` moves both clocks, so both sides must have it; write `hourglass` for both sides or for none
    "white 5m; black gong 10s"
        at character 17: `gong 10s` is impossible: `gong` moves both clocks, so both sides must have it; write `gong` for both sides or for none
    "white 5m; black 40/4m"
        at character 17: `40/4m` is impossible: nothing follows the 40 moves of the last stage; add a stage, as in `40/4m, 30m`, or `repeat`
    "#);
}

#[test]
fn foreign_notations_are_refused_in_their_own_terms() {
    insta::assert_snapshot!(answers(&[
        "90'/40", "90'+30\"+30'", "90'/40 + 30", "90' 30'", "30\"/40", "1h40'x", "'", "100h0'",
        "G/", "G/60 d5", "G/60+5", "G/60;x5", "G/60;d", "40/90", "40/90,", "40/90,SD30", "G/6000",
        "pgn:", "pgn:?", "pgn:-", "pgn:40/", "pgn:*180:60", "pgn:0", "pgn:5m", "pgn:300 s", "pgn:1.2345",
        "sgf:", "sgf:1200 5", "sgf:1200 5x30", "sgf:1200 5x30 fischer", "sgf:1200 5/30 byo-yomi",
        "99999999999999999999+0", "3+99999999999999999999",
    ]), @r#"
    "90'/40"
        at character 1: `90'/40` is impossible: nothing follows the 40 moves of the last stage; add a stage, as in `40/1h30m, 30m`, or `repeat`
    "90'+30\"+30'"
        at character 5: expected the time of a stage in minutes, found `30"`; write the increment of all stages once, at the end
    "90'/40 + 30"
        at character 10: expected a time with its mark, found `30`; did you mean `90'/40 + 30'`?
    "90' 30'"
        at character 5: expected a part smaller than the one before it, found `30'`; write hours, minutes and seconds in this order, with `+` between stages
    "30\"/40"
        at character 1: `30"/40` is impossible: nothing follows the 40 moves of the last stage; add a stage, as in `40/30s, 30m`, or `repeat`
    "1h40'x"
        at character 6: expected `+` and a further stage or the increment, or the end, found `x`; write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`
    "'"
        at character 1: expected a time with its mark, found `'`; write minutes as 90' and seconds as 30", as in `90'/40 + 30' + 30"`
    "100h0'"
        at character 1: `100h0'` is impossible: a duration is at most 99h; write a shorter one
    "G/"
        at character 3: expected the time as a number of minutes, found the end; write it as in `G/60;d5`, `G/3;inc2` or `40/90,SD/30;+30`
    "G/60 d5"
        at character 6: expected `,`, `;` or the end, found `d5`; did you mean `G/60;d5`?
    "G/60+5"
        at character 5: expected `,`, `;` or the end, found `+5`; did you mean `G/60;+5`?
    "G/60;x5"
        at character 6: expected a delay or increment (`d5`, `inc2`, `+30`), found `x5`; write it as in `G/60;d5`, `G/3;inc2` or `40/90,SD/30;+30`
    "G/60;d"
        at character 7: expected its length as a number of seconds, found the end; write it as in `G/60;d5`, `G/3;inc2` or `40/90,SD/30;+30`
    "40/90"
        at character 1: `40/90` is impossible: nothing follows the 40 moves of the last stage; add a stage, as in `40/1h30m, 30m`, or `repeat`
    "40/90,"
        at character 7: expected `SD/` and minutes, or moves and minutes, found the end; write it as in `G/60;d5`, `G/3;inc2` or `40/90,SD/30;+30`
    "40/90,SD30"
        at character 7: expected `SD/` and minutes, or moves and minutes, found `SD30`; write it as in `G/60;d5`, `G/3;inc2` or `40/90,SD/30;+30`
    "G/6000"
        at character 3: `6000` is impossible: a duration is at most 99h; write it as in `G/60;d5`, `G/3;inc2` or `40/90,SD/30;+30`
    "pgn:"
        at character 5: expected the time as a number of seconds, found the end; write seconds as in `pgn:300`, `pgn:40/5400+30:1800+30` or `pgn:*180`
    "pgn:?"
        at character 5: expected a time control (`?` says unknown, `-` says none), found `?`; write seconds as in `pgn:300`, `pgn:40/5400+30:1800+30` or `pgn:*180`
    "pgn:-"
        at character 5: expected a time control (`?` says unknown, `-` says none), found `-`; write seconds as in `pgn:300`, `pgn:40/5400+30:1800+30` or `pgn:*180`
    "pgn:40/"
        at character 8: expected the time as a number of seconds, found the end; write seconds as in `pgn:300`, `pgn:40/5400+30:1800+30` or `pgn:*180`
    "pgn:*180:60"
        at character 5: `*180` is impossible: `hourglass` stands alone, without moves and further stages; write `hourglass` and its time only, or leave it out
    "pgn:0"
        at character 5: `0` is impossible: there is no time to begin with; give it a time, as in `5m` or `0s+10s`
    "pgn:5m"
        at character 6: expected `+`, `:` and a further field, or the end, found `m`; write seconds as in `pgn:300`, `pgn:40/5400+30:1800+30` or `pgn:*180`
    "pgn:300 s"
        at character 9: expected `+`, `:` and a further field, or the end, found `s`; write seconds as in `pgn:300`, `pgn:40/5400+30:1800+30` or `pgn:*180`
    "pgn:1.2345"
        at character 6: expected a fraction of one to three digits, found `.2345`; write seconds as in `pgn:300`, `pgn:40/5400+30:1800+30` or `pgn:*180`
    "sgf:"
        at character 5: expected main time as a number of seconds, found the end; write seconds as in `sgf:1200`, `sgf:1200 5x30 byo-yomi` or `sgf:3600 15/300 Canadian`
    "sgf:1200 5"
        at character 11: expected `x` (byo-yomi) or `/` (Canadian), found the end; write seconds as in `sgf:1200`, `sgf:1200 5x30 byo-yomi` or `sgf:3600 15/300 Canadian`
    "sgf:1200 5x30"
        at character 14: expected `byo-yomi`, found the end; write seconds as in `sgf:1200`, `sgf:1200 5x30 byo-yomi` or `sgf:3600 15/300 Canadian`
    "sgf:1200 5x30 fischer"
        at character 15: expected `byo-yomi`, found `fischer`; write seconds as in `sgf:1200`, `sgf:1200 5x30 byo-yomi` or `sgf:3600 15/300 Canadian`
    "sgf:1200 5/30 byo-yomi"
        at character 15: expected `Canadian`, found `byo-yomi`; write seconds as in `sgf:1200`, `sgf:1200 5x30 byo-yomi` or `sgf:3600 15/300 Canadian`
    "99999999999999999999+0"
        at character 1: `99999999999999999999` is impossible: a duration is at most 99h; write a shorter one
    "3+99999999999999999999"
        at character 3: `99999999999999999999` is impossible: a duration is at most 99h; write a shorter one
    "#);
}

#[test]
fn a_quotation_is_short_and_the_place_counts_characters_not_bytes() {
    let error = parse(&"é".repeat(4_000)).expect_err("nonsense");
    assert_eq!((error.position, error.found), (1, format!("{}…", "é".repeat(20))));
    let error = parse("40/2h, 日本").expect_err("nonsense");
    assert_eq!((error.position, error.found.as_str()), (8, "日本"));
    let error = parse("90’+日本").expect_err("nonsense");
    assert_eq!((error.position, error.found.as_str()), (5, "日本"));
}
