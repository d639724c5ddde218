//! Each method, mark and lamp as it reads.

use super::*;
use crate::control::BySide;
use crate::engine::operation::{Adjust, ConfirmStage, End, Pause, Start};
use crate::engine::{Adjustment, Operation};

#[test]
fn v41_five_minutes_read_five_for_the_whole_first_second() {
    let mut table = Table::started(one(mins(5), Method::PLAIN), |_| {});
    for (ms_after, reads) in [
        (0, "     5.00"),
        (499, "     5.00"),
        (500, "     5.00."),
        (999, "     5.00."),
        (1_000, "     4.59"),
        (1_999, "     4.59."),
        (2_000, "     4.58"),
    ] {
        assert_eq!(read(&table.view_at(ms(ms_after)).frame.left), reads, "after {ms_after} ms");
    }
    assert_eq!(table.right(), "     5.00");
}

#[test]
fn r101_r95_the_hour_is_passed_without_a_flash() {
    let mut table = Table::started(one(mins(90), Method::PLAIN), |_| {});
    assert_eq!(table.left(), "   1.30.00");
    for (ms_after, reads) in [
        (1_799_999, "   1.00.01."),
        (1_800_000, "   1.00.00"),
        (1_800_999, "   1.00.00."),
        (1_801_000, "    59.59"),
    ] {
        assert_eq!(read(&table.view_at(ms(ms_after)).frame.left), reads, "after {ms_after} ms");
    }
}

/// What White's display reads, the point left out, after so many milliseconds of the first turn.
pub(super) fn reads(control: &Control, after: &[(i64, &str)]) {
    for (ms_after, expected) in after {
        let mut table = Table::started(*control, |_| {});
        table.wait(Span::from_millis(*ms_after)).pause();
        assert_eq!(table.left(), *expected, "{control:?} after {ms_after} ms");
    }
}

#[test]
fn a_delay_without_main_time_is_the_time() {
    reads(&one(Span::ZERO, delay(s(5))), &[(0, "       5"), (1_000, "       4")]);
}

#[test]
fn every_other_method_shows_its_figure() {
    let increment = Method::granting(Grant::Increment { each: s(2), cap: None });
    reads(&one(mins(3), increment), &[(0, "     3.02"), (1_000, "     3.01")]);
    let bronstein = Method::granting(Grant::Bronstein { each: s(3) });
    reads(&one(mins(5), bronstein), &[(0, "     5.03"), (2_000, "     5.01")]);
    reads(
        &one(s(15), byoyomi(3, s(30))),
        &[
            (0, "      15"),
            (14_999, "       1"),
            (15_000, "P 3   30"),
            (45_000, "P 2   30"),
            (104_999, "P 1    1"),
        ],
    );
    reads(
        &one(Span::ZERO, free_byoyomi(10, mins(1), s(30), false)),
        &[
            (0, "P10  1.00"),
            (1, "F     30"),
            (29_999, "F      1"),
            (30_000, "P10  1.00"),
            (90_000, "P 9  1.00"),
        ],
    );
    reads(
        &one(Span::ZERO, free_byoyomi(10, mins(1), s(30), true)),
        &[(0, "P10  1.00"), (1, "F     30"), (30_000, "P 9  1.00")],
    );
    let canadian =
        then(Overtime::Canadian { blocks: [Block::new(20, mins(5))].into_iter().collect() });
    reads(&one(s(10), canadian), &[(0, "      10"), (10_000, "c20  5.00"), (11_000, "c20  4.59")]);
    let below = then(Overtime::Below { limit: mins(10) });
    reads(
        &one(s(10), below),
        &[(0, "      10"), (9_999, "       1"), (10_001, "      -1"), (71_000, "    -1.01")],
    );
    reads(&one(s(30), Method::Hourglass), &[(0, "      30"), (5_000, "      25")]);
    let per_move = Method::PerMove { stays_at_zero: true };
    reads(&one(s(10), per_move), &[(1_000, "       9"), (20_000, "     0.00")]);
    reads(&one(s(10), Method::Gong), &[(1_000, "       9")]);
    reads(
        &one(Span::ZERO, Method::CountUp { limit: None }),
        &[(0, "     0.00"), (1_000, "       1"), (61_000, "     1.01")],
    );
}

#[test]
fn the_opponents_hourglass_rises() {
    let mut table = Table::started(one(s(30), Method::Hourglass), |_| {});
    assert_eq!(table.wait(s(5)).right(), "      35");
}

#[test]
fn r97_a_tenth_is_shown_until_nothing_is_left() {
    let mut table = Table::with_tenths(one(s(10), Method::PLAIN), s(10), |_| {});
    table.command(&Operation::from(Start { side: None }));
    table.wait(Span::from_millis(9_960));
    assert_eq!(table.left(), "      0.1.");
    table.wait(Span::from_millis(40));
    assert!(table.left().ends_with(" 0.0"), "{}", table.left());
}

#[test]
fn the_running_display_has_a_point_that_blinks_at_one_hertz_and_its_lamp_is_lit() {
    let mut table = Table::started(one(mins(5), Method::PLAIN), |_| {});
    table.wait(Span::from_millis(700));
    let view = table.view();
    assert_eq!(read(&view.frame.left), "     5.00.");
    assert_eq!(read(&view.frame.right), "     5.00");
    assert_eq!(view.signals, Signals { lamp_left: true, ..Signals::default() });
    table.press().wait(Span::from_millis(100));
    assert_eq!(table.view().signals, Signals { lamp_right: true, ..Signals::default() });
}

#[test]
fn a_paused_box_stands_still_but_for_the_lamp_of_the_side_to_resume() {
    let mut table = Table::started(one(mins(5), Method::PLAIN), |_| {});
    table.wait(Span::from_millis(2_700)).pause();
    let paused = table.view().frame;
    assert_eq!(read(&paused.left), "     4.58");
    for tenths in 0..40 {
        let at = table.now + Span::from_millis(100 * tenths);
        let view = table.view_at(at);
        assert_eq!(view.frame, paused);
        let lit = (at.as_nanos() / 500_000_000) % 2 == 0;
        assert_eq!(view.signals, Signals { lamp_left: lit, ..Signals::default() });
    }
}

#[test]
fn a_standing_box_has_nothing_to_redraw() {
    let mut table = Table::new(one(mins(5), Method::PLAIN), |_| {});
    assert_eq!(table.view().next_change, None);
    assert_eq!(table.view().signals, Signals::default());
    table.command(&Operation::from(End { result: crate::engine::GameResult::Draw }));
    assert_eq!(table.view().next_change, None);
}

#[test]
fn a_stage_flag_is_a_steady_mark_until_a_new_game() {
    let control = stages(vec![stage(s(10), Method::PLAIN), stage(mins(30), delay(s(5)))]);
    let mut table = Table::started(control, |_| {});
    table.wait(s(10));
    assert_eq!(table.left(), "d 5=30.00");
    assert_eq!(table.right(), "d 5 30.10");
    for _ in 0..20 {
        table.wait(Span::from_millis(250));
        assert!(table.left().contains('='), "{}", table.left());
    }
    table.press().wait(s(5)).pause();
    assert_eq!(table.left(), "d 5=30.00");
    table.command(&Operation::from(End { result: crate::engine::GameResult::Draw }));
    assert_eq!(table.left(), "d 5=30.00");
}

#[test]
fn r51_first_and_second_fall_differ_for_ever() {
    let mut table = Table::started(one(s(10), Method::PLAIN), |switches| switches.freeze = false);
    table.wait(s(10)).press().wait(s(10)).pause();
    let mut marked = 0;
    for _ in 0..40 {
        match (table.left().as_str(), table.right().as_str()) {
            ("  F1 0.00", "  F2 0.00") => marked += 1,
            ("     0.00", "     0.00") => {}
            (left, right) => panic!("{left} {right}"),
        }
        table.wait(Span::from_millis(100));
    }
    assert_eq!(marked, 20);
}

#[test]
fn a_fallen_sides_press_counter_stands_beside_its_mark() {
    let mut table = Table::started(one(s(10), Method::PLAIN), |switches| {
        switches.show_moves = ShowMoves::Always;
    });
    for _ in 0..24 {
        table.press();
    }
    table.wait(s(10));
    assert_eq!((table.left(), table.right()), ("12F1 0.00".into(), "12    10".into()));
}

#[test]
fn marks_stand_in_a_row_and_a_number_never_touches_the_time() {
    let marks = Marks { fall: Some(Fall::First), ..Marks::default() };
    let table = Table::new(one(mins(5), Method::PLAIN), |_| {});
    let draw = |main: Span, marks: Marks| {
        let view = crate::engine::SideView {
            main,
            flag: marks.fall.map(|_| FlagKind::Fall),
            ..table.engine.snapshot(table.now).sides.white
        };
        let subject = Subject {
            view: &view,
            method: &Method::CountUp { limit: None },
            motion: Motion::Stands,
            marks,
            counter: Counter { show: ShowMoves::Never, asked: false },
        };
        read(&face::draw(&subject, Width::Eight, true, Span::ZERO, ms(0)).digits)
    };
    let all = Marks { stage: true, pending: true, stuck: true, ..marks };
    assert_eq!(draw(Span::ZERO, marks), "  F1 0.00");
    assert_eq!(draw(mins(10), marks), " F1 10.00");
    assert_eq!(draw(mins(100), marks), "F1 1.40.00");
    assert_eq!(draw(mins(10), all), "F1=A10.00");
    assert_eq!(draw(mins(100), Marks { fall: None, ..all }), "=AE1.40.00");
}

#[test]
fn a_frozen_box_shows_the_mark_of_the_fall_and_no_lamp() {
    let mut table = Table::started(one(s(10), Method::PLAIN), |_| {});
    table.wait(s(12));
    assert_eq!(table.left(), "  F1 0.00");
    assert_eq!(table.right(), "      10");
    assert_eq!(table.view().signals, Signals::default());
}

#[test]
fn a_stage_that_waits_for_the_arbiter_has_a_mark_of_its_own() {
    let first = Stage { moves: Some(1), confirm: true, ..stage(mins(30), Method::PLAIN) };
    let control = stages(vec![first, stage(mins(15), Method::PLAIN)]);
    let mut table = Table::started(control, |_| {});
    assert_eq!(table.press().left(), "   A30.00");
    table.command(&Operation::from(ConfirmStage { side: Side::White }));
    assert_eq!(table.left(), "    45.00");
}

#[test]
fn the_press_counter_is_shown_as_the_switch_says_where_room_allows() {
    let of = |control: Control, show: ShowMoves| {
        let mut table = Table::started(control, |switches| switches.show_moves = show);
        table.press().press().press();
        table
    };
    let plain = one(mins(30), Method::PLAIN);
    assert_eq!(of(plain, ShowMoves::Always).left(), "2   30.00");
    assert_eq!(of(plain, ShowMoves::Always).right(), "1   30.00");
    for show in [ShowMoves::Never, ShowMoves::OnRequest] {
        assert_eq!(of(plain, show).left(), "    30.00");
    }
    for (show, asked) in [(ShowMoves::OnRequest, "2   30.00"), (ShowMoves::Never, "    30.00")] {
        let mut table = of(plain, show);
        table.stroke(Key::Plus, What::Pressed);
        assert_eq!(table.left(), asked);
        table.stroke(Key::Plus, What::Released);
        assert_eq!(table.left(), "    30.00");
    }
    let mut go = of(one(Span::ZERO, byoyomi(3, s(30))), ShowMoves::Always);
    assert_eq!(go.left(), "P 3   30");
    go.stroke(Key::Plus, What::Pressed);
    assert_eq!(go.left(), "2     30");

    let mut long = of(one(mins(90), Method::PLAIN), ShowMoves::Always);
    for (moves, reads) in [(40, "40 1.30.00"), (140, "   1.30.00")] {
        let moves = Adjustment { moves: Some(moves), ..Adjustment::default() };
        let _ = long.engine.apply(long.now, &Operation::from(Pause {}));
        long.command(&Operation::from(Adjust::from(BySide {
            white: moves,
            black: Adjustment::default(),
        })));
        assert_eq!(long.left(), reads);
    }
}

#[test]
fn a_delay_stays_visible_while_the_press_counter_is_asked_for() {
    let mut table = Table::started(one(mins(25), delay(s(5))), |switches| {
        switches.show_moves = ShowMoves::OnRequest;
    });
    table.wait(s(1));
    table.stroke(Key::Plus, What::Pressed);
    assert_eq!(table.left(), "0   25.04");
}

#[test]
fn swapped_seats_swap_displays_and_lamps() {
    let mut table = Table::started(one(mins(5), Method::PLAIN), |_| {});
    table.wait(s(2));
    let state = crate::engine::State { white_on: Seat::Right, ..*table.engine.state() };
    let swapped = table.panel.render(table.engine.settings(), &state, table.now);
    assert_eq!(read(&swapped.frame.right), "     4.58");
    assert_eq!(swapped.signals, Signals { lamp_right: true, ..Signals::default() });
}

#[test]
fn a_stuck_key_is_marked_beside_the_time() {
    let mut table = Table::new(one(mins(25), Method::PLAIN), |_| {});
    table.stroke(Key::Right, What::Stuck);
    assert_eq!((table.left(), table.right()), ("    25.00".into(), "   E25.00".into()));
    table.stroke(Key::Pause, What::Stuck);
    assert_eq!((table.left(), table.right()), ("   E25.00".into(), "   E25.00".into()));
    table.stroke(Key::Pause, What::Freed);
    table.stroke(Key::Right, What::Freed);
    assert_eq!((table.left(), table.right()), ("    25.00".into(), "    25.00".into()));
}

#[test]
fn the_longest_time_that_can_be_set_has_a_figure() {
    let mut table = Table::new(one(mins(25), Method::PLAIN), |_| {});
    let long = Span::from_hours(999);
    let far = Adjustment { main: Some(long), ..Adjustment::default() };
    table.command(&Operation::from(Adjust::from(BySide::both(far))));
    assert_eq!(table.left(), "   999.00");
}

#[test]
fn a_fall_is_seen_beside_the_widest_time() {
    let table = Table::new(one(mins(5), Method::PLAIN), |_| {});
    let hours = Span::from_hours;
    for (main, lit, dark) in [
        (mins(9), "  F1 9.00", "     9.00"),
        (mins(99), "F1 1.39.00", "   1.39.00"),
        (hours(12), "F1      ", "  12.00.00"),
        (-hours(12), "F1      ", " -12.00.00"),
        (hours(120), "F1 120.00", "   120.00"),
    ] {
        let view = crate::engine::SideView {
            main,
            flag: Some(FlagKind::Fall),
            ..table.engine.snapshot(table.now).sides.white
        };
        let subject = Subject {
            view: &view,
            method: &Method::CountUp { limit: None },
            motion: Motion::Stands,
            marks: Marks { fall: Some(Fall::First), ..Marks::default() },
            counter: Counter { show: ShowMoves::Never, asked: false },
        };
        let at = |at| read(&face::draw(&subject, Width::Eight, true, Span::ZERO, ms(at)).digits);
        assert_eq!((at(0).as_str(), at(500).as_str()), (lit, dark), "{main:?}");
    }
}
