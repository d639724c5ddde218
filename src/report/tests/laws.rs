//! Laws that hold for the report of every game.

use proptest::prelude::*;

use super::{BLACK, QUERY, WHITE};
use crate::control::{BySide, Side};
use crate::report::{Book, Report};
use crate::time::Span;

/// A turn of a random game.
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
        let seq = seq.next().unwrap();
        book.line(&format!(r#"{{"seq":{seq},"at_ns":{at},{rest}}}"#)).unwrap();
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
        let (Turn::Press(time) | Turn::PauseAndPress(_, _, time)) = turn;
        at += time;
        line(at, press);
    }
    line(at + rest, QUERY);
    book.close().unwrap()
}

proptest! {
    #[test]
    fn all_time_since_the_start_is_think_time_or_stopped(
        control in proptest::sample::select(&["1h", "1h+5s", "1h delay 5s", "1h bronstein 5s", "20s"][..]),
        start in 0..10_000_000_000_i64, turns in turns(), rest in 0..10_000_000_000_i64,
    ) {
        let report = play(control, start, &turns, rest);
        let (began, _) = report.started.unwrap();
        let think_time = report.moves().fold(Span::ZERO, |sum, made| sum + made.think_time);
        let open = report.end.sides.white.used + report.end.sides.black.used;
        prop_assert_eq!(think_time + open + report.stopped(), report.end.at - began);
    }

    #[test]
    fn no_time_is_lost_between_a_clock_and_what_its_moves_took(
        start in 0..10_000_000_000_i64, turns in turns(),
    ) {
        let (hour, five) = (Span::from_hours(1), Span::from_secs(5));
        type Spent = fn(Span) -> Span;
        let all: Spent = |time| time;
        let beyond: Spent = |time| (time - Span::from_secs(5)).or_zero();
        for (control, at_first, each, spent) in [
            ("1h", hour, Span::ZERO, all),
            ("1h+5s", hour + five, five, all),
            ("1h delay 5s", hour, Span::ZERO, beyond),
        ] {
            let report = play(control, start, &turns, 0);
            let mut main = BySide::both(at_first);
            for made in report.counted() {
                main[made.side] = main[made.side] - spent(made.think_time) + each;
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
