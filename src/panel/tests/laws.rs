//! What holds for every method at every time.

use proptest::prelude::*;

use super::*;
use figure::{Course, Figure, clock, until_change};

/// A control of every kind.
fn controls() -> Vec<Control> {
    let increment = |base| one(base, Method::granting(Grant::Increment { each: s(2), cap: None }));
    let blocks = [Block::new(3, s(20)), Block::new(2, s(15))].into_iter().collect();
    let by_moves = Stage { moves: Some(2), ..stage(s(20), Method::PLAIN) };
    vec![
        one(s(75), Method::PLAIN),
        one(s(3_605), Method::PLAIN),
        one(Span::from_hours(10) + s(3), delay(s(12))),
        one(Span::from_hours(100), Method::PLAIN),
        increment(s(30)),
        one(s(30), delay(s(5))),
        // Not whole seconds: its changes fall between those of the blinking point.
        one(s(30), delay(Span::from_millis(2_700))),
        one(s(3_605), delay(s(14))),
        one(s(5), delay(s(104))),
        one(Span::ZERO, delay(s(5))),
        one(s(20), Method::granting(Grant::Bronstein { each: s(5) })),
        one(s(10), byoyomi(3, s(10))),
        one(Span::ZERO, free_byoyomi(3, s(10), s(5), false)),
        one(s(7), free_byoyomi(3, s(10), s(5), true)),
        one(s(10), then(Overtime::Canadian { blocks })),
        one(s(10), then(Overtime::Below { limit: s(90) })),
        one(s(30), Method::Hourglass),
        one(s(10), Method::PerMove { stays_at_zero: true }),
        one(s(10), Method::PerMove { stays_at_zero: false }),
        one(s(10), Method::Gong),
        one(Span::ZERO, Method::CountUp { limit: None }),
        one(Span::ZERO, Method::CountUp { limit: Some(s(40)) }),
        stages(vec![stage(s(10), Method::PLAIN), stage(s(30), delay(s(3)))]),
        stages(vec![by_moves, stage(s(30), Method::PLAIN)]),
    ]
}

/// A game in the middle: turns of these lengths have been played, perhaps it is paused.
fn games() -> impl Strategy<Value = (usize, Vec<i64>, bool, bool, i64)> {
    (
        0..controls().len(),
        prop::collection::vec(0..12_000_000_000i64, 0..6),
        any::<bool>(),
        any::<bool>(),
        prop_oneof![Just(0i64), Just(1_000_000_000), Just(10_000_000_000), Just(60_000_000_000)],
    )
}

fn play((control, turns, pause, freeze, tenths): (usize, Vec<i64>, bool, bool, i64)) -> Table {
    let control = controls()[control];
    let mut table = Table::with_tenths(control, Span::from_nanos(tenths), |switches| {
        switches.freeze = freeze;
        switches.show_moves = ShowMoves::Always;
    });
    table.command(&crate::engine::operation::Start::default().into());
    for turn in turns {
        table.wait(Span::from_nanos(turn)).press();
    }
    table.wait(Span::from_millis(300));
    if pause && table.engine.phase() == Phase::Running {
        table.pause();
    }
    table
}

proptest! {
    #[test]
    fn what_is_shown_stands_until_next_change_and_is_different_then(
        game in games(),
        fractions in prop::collection::vec(0.0..1.0f64, 8),
    ) {
        let mut table = play(game);
        for _ in 0..6 {
            let view = table.view();
            let deadline = table.engine.next_deadline();
            let day = table.now + Span::from_hours(24);
            let change = view.next_change.unwrap_or(day);
            prop_assert!(change > table.now, "a change that has been already");
            let until = deadline.map_or(change, |deadline| deadline.min(change));
            let length = (until - table.now).as_nanos();
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_precision_loss,
                reason = "any instant in between will do"
            )]
            let between = fractions.iter().map(|part| (length as f64 * part) as i64);
            for later in between.chain([length - 1]).filter(|later| (0..length).contains(later)) {
                let at = table.now + Span::from_nanos(later);
                let shown = table.view_at(at);
                prop_assert_eq!((shown.frame, shown.signals), (view.frame, view.signals));
                prop_assert_eq!(shown.next_change, view.next_change);
            }
            table.wait(until - table.now);
            if view.next_change == Some(until) && deadline != Some(until) {
                let shown = table.view();
                prop_assert_ne!((shown.frame, shown.signals), (view.frame, view.signals));
            }
        }
    }

    #[test]
    fn zero_is_shown_only_when_nothing_is_left(game in games()) {
        let mut table = play(game);
        let snapshot = table.engine.snapshot(table.now);
        let view = table.view();
        for side in Side::BOTH {
            let digits = view.frame.of(side.seat(Seat::Left));
            let text = read(digits);
            let zero = text.rsplit(' ').next().is_some_and(|time| {
                time.chars().all(|c| matches!(c, '0' | '.'))
            });
            let left = snapshot.sides[side].remaining;
            let stages = &table.engine.settings().control.sides[side].list;
            let counts_up = matches!(stages[0].method, Method::CountUp { .. });
            prop_assert!(!zero || left == Some(Span::ZERO) || counts_up, "{left:?} reads {text}");
        }
    }

    #[test]
    fn a_figure_is_written_alike_until_its_change_and_differently_then(
        ns in prop_oneof![
            0..70_000_000_000i64,
            0..4_000_000_000_000i64,
            0..900 * 3_600_000_000_000i64,
            (0..4_000i64).prop_map(|seconds| seconds * 1_000_000_000),
        ],
        below in any::<bool>(),
        rising in any::<bool>(),
        tenths in prop_oneof![Just(0i64), 1..60_000i64],
        part in 0.0..1.0f64,
    ) {
        let scales = clock(Span::from_millis(tenths));
        let time = Span::from_nanos(if below { -ns } else { ns });
        let (course, sign) = if rising && !below { (Course::Rising, 1) } else { (Course::Falling, -1) };
        let after = |ns: i64| Figure::time(time + Span::from_nanos(sign * ns), &scales);
        let change = until_change(time, course, &scales).expect("it moves").as_nanos();
        prop_assert!(change > 0);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "any instant in between will do"
        )]
        let between = (change as f64 * part) as i64;
        prop_assert_eq!(after(between.min(change - 1)), after(0));
        prop_assert_eq!(after(change - 1), after(0));
        prop_assert_ne!(after(change), after(0));
        prop_assert_eq!(until_change(time, Course::Still, &scales), None);
    }
}

/// Seconds of a time as it is read: `1.30.00`, `5.00`, `42`.
fn seconds(text: &str) -> i64 {
    let parts = text.trim_end_matches('.').split('.');
    parts.fold(0, |sum, part| 60 * sum + part.parse::<i64>().expect("digits"))
}

#[test]
fn the_time_for_the_next_move_is_always_shown() {
    // Equipment rule b: the delay included or beside.
    for (base, method) in [
        (mins(5), Method::PLAIN),
        (s(3_610), delay(s(5))),
        (mins(25), delay(s(12))),
        (mins(90), delay(s(12))),
        (Span::from_hours(11), delay(s(7))),
        (Span::from_hours(11), delay(s(70))),
        (Span::ZERO, delay(s(9))),
        (mins(2), Method::granting(Grant::Bronstein { each: s(4) })),
        (mins(1), Method::granting(Grant::Increment { each: s(30), cap: None })),
        (s(40), Method::PerMove { stays_at_zero: false }),
    ] {
        let mut table = Table::started(one(base, method), |_| {});
        for step in 0..80 {
            table.wait(Span::from_millis(730));
            if step % 9 == 8 {
                table.press();
            }
            for side in Side::BOTH {
                let view = table.engine.snapshot(table.now).sides[side];
                if view.flag.is_some() {
                    continue;
                }
                let shown = if side == Side::White { table.left() } else { table.right() };
                let sum: i64 = shown.replace('d', " ").split_whitespace().map(seconds).sum();
                let left = (view.main + view.allowance).ceil_div(s(1).as_nanos());
                assert!((left..=left + 1).contains(&sum), "{shown:?} for {left} s");
            }
        }
    }
}
