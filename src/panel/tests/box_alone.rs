//! The whole face of the box with its menus: what cannot go wrong at a table, tried out.

use crate::engine::operation::{Adjust, Recovered, Start};
use proptest::prelude::*;

use super::*;
use crate::engine::{Adjustment, Operation};
use crate::menu::tests::{COUNT_PLACES, type_number};

const CLOCK_PLACES: [(u32, u32); 7] =
    [(360_000, 10), (36_000, 10), (3_600, 10), (600, 6), (60, 10), (10, 6), (1, 10)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn both_times_and_both_counters_are_corrected_in_under_a_minute_for_any_values(
        now in prop::array::uniform2((0..999 * 3_600u32, 0..=9_999u32)),
        then in prop::array::uniform2((0..999 * 3_600u32, 0..=9_999u32)),
        hold in any::<bool>(),
    ) {
        let mut table = paused_table(|switches| {
            switches.box_resume = if hold { BoxResume::Hold } else { BoxResume::Short };
        });
        let to = |(secs, moves): (u32, u32)| Adjustment {
            main: Some(Span::from_secs(secs.into())),
            moves: Some(moves),
            ..Adjustment::default()
        };
        table.command(&Operation::from(Adjust::from(BySide { white: to(now[0]), black: to(now[1]) })));
        let began = table.now;
        table.hold(Key::Ok, 3);
        table.tap(Key::Ok);
        for side in 0..2 {
            type_number(&CLOCK_PLACES, now[side].0, then[side].0, |key| table.tap(key));
        }
        for side in 0..2 {
            type_number(&COUNT_PLACES, now[side].1, then[side].1, |key| table.tap(key));
        }
        // Past both stages, done, and the control stays.
        for _ in 0..4 {
            table.tap(Key::Ok);
        }
        let took = table.now - began;
        prop_assert!(took < s(60), "{took:?}");
        prop_assert!(!table.panel.menu().is_open());
        for (side, (secs, moves)) in Side::BOTH.into_iter().zip(then) {
            let clock = table.engine.state().clocks[side];
            prop_assert_eq!((clock.main, clock.moves), (Span::from_secs(secs.into()), moves));
        }
    }
}

#[test]
fn the_farthest_correction_takes_under_a_minute() {
    let mut table = paused_table(|_| {});
    let begin = Adjustment { main: Some(Span::ZERO), ..Adjustment::default() };
    table.command(&Operation::from(Adjust::from(BySide::both(begin))));
    let began = table.now;
    table.hold(Key::Ok, 3);
    table.tap(Key::Ok);
    // Each digit half way round, which is the farthest.
    let farthest = 555 * 3_600 + 35 * 60 + 35;
    for _ in 0..2 {
        type_number(&CLOCK_PLACES, 0, farthest, |key| table.tap(key));
    }
    for _ in 0..2 {
        type_number(&COUNT_PLACES, 0, 5_555, |key| table.tap(key));
    }
    for _ in 0..4 {
        table.tap(Key::Ok);
    }
    assert_eq!(table.engine.state().clocks.black.moves, 5_555);
    let took = table.now - began;
    assert!(took < s(60), "{took:?}");
    assert!(took > s(50), "the figure in docs/equipment-rules.md says about 57 s: {took:?}");
}

#[test]
fn holds_do_what_they_are_for_and_nothing_when_they_are_shorter() {
    for seconds in 0..=4 {
        let mut table = paused_table(|switches| switches.box_resume = BoxResume::Hold);
        table.hold(Key::Ok, seconds);
        let (phase, open) = (table.engine.phase(), table.panel.menu().is_open());
        let expected = match seconds {
            0 => (Phase::Paused, false),
            1 | 2 => (Phase::Running, false),
            _ => (Phase::Paused, true),
        };
        assert_eq!((phase, open), expected, "ok held for {seconds} s");
    }
    for (key, moves) in [(Key::Minus, (0, 0)), (Key::Plus, (1, 1))] {
        for seconds in [1, 2, 3] {
            let mut table = Table::started(one(mins(5), Method::PLAIN), |_| {}).with_menus();
            table.wait(s(3)).press().pause();
            table.hold(key, seconds);
            let clocks = &table.engine.state().clocks;
            let expected = if seconds < 2 { (1, 0) } else { moves };
            assert_eq!((clocks.white.moves, clocks.black.moves), expected, "{key:?} {seconds} s");
        }
    }
}

#[test]
fn a_pending_stage_is_confirmed_by_ok_held_for_two_seconds_running_or_paused() {
    let stage = Stage { moves: Some(1), confirm: true, ..stage(mins(5), Method::PLAIN) };
    let control = stages(vec![stage, super::stage(mins(30), Method::PLAIN)]);
    for pause in [false, true] {
        let mut table = Table::started(control, |_| {}).with_menus();
        table.wait(s(3)).press().wait(s(1));
        if pause {
            table.pause();
        }
        table.hold(Key::Ok, 1);
        assert!(table.engine.state().clocks.white.pending);
        table.hold(Key::Ok, 2);
        assert!(!table.engine.state().clocks.white.pending, "pause: {pause}");
        assert_eq!(table.engine.phase(), if pause { Phase::Paused } else { Phase::Running });
    }
}

#[test]
fn ok_and_pause_held_together_power_off_while_nothing_runs_and_start_nothing() {
    let mut table = Table::new(one(mins(5), Method::PLAIN), |_| {}).with_menus();
    assert_eq!(table.stroke(Key::Ok, What::Pressed), None);
    table.wait(Span::from_millis(100));
    assert_eq!(table.stroke(Key::Pause, What::Pressed), None);
    for second in 1..=4 {
        assert_eq!(table.stroke(Key::Ok, What::Held(s(second))), None);
        assert_eq!(table.stroke(Key::Pause, What::Held(s(second))), None);
    }
    assert_eq!(table.stroke(Key::Ok, What::Held(s(5))), None, "the later key counts");
    let off = table.stroke(Key::Pause, What::Held(s(5)));
    assert_eq!(off, Some(Meaning::Wish(Wish::PowerOff)));
    assert!(!table.panel.menu().is_open());
    table.command(&Operation::from(Start { side: None }));
    assert_eq!(table.stroke(Key::Pause, What::Held(s(5))), None, "a clock runs");
}

#[test]
fn a_player_who_presses_in_a_pause_is_told_so_and_in_a_menu_starts_nothing() {
    let mut table = paused_table(|_| {});
    table.act(Key::Right, What::Pressed);
    assert_eq!(table.right(), "PAU5E   ");
    table.wait(s(1));
    assert_eq!(table.right(), "   1.30.00");
    let mut table = Table::new(one(mins(5), Method::PLAIN), |_| {}).with_menus();
    table.tap(Key::Plus);
    table.tap(Key::Right);
    assert_eq!(table.engine.phase(), Phase::Ready);
    table.tap(Key::Pause);
    table.tap(Key::Right);
    assert_eq!(table.engine.phase(), Phase::Running);
}

#[test]
fn after_a_power_cut_both_records_are_shown_and_one_is_chosen() {
    let mut table = Table::started(one(mins(5), Method::PLAIN), |_| {});
    table.wait(s(3)).press().wait(s(60));
    let _ = table.engine.apply(table.now, &Recovered::default().into()).unwrap();
    table.panel.ask(table.engine.candidates());
    let shows = |table: &mut Table| {
        let view = table.view_at(ms(100_000));
        (read(&view.frame.left), read(&view.frame.right))
    };
    assert_eq!(shows(&mut table), ("r    4.57".into(), "r    4.00".into()));
    table.act(Key::Plus, What::Pressed);
    assert_eq!(shows(&mut table), ("P    4.57".into(), "P    5.00".into()));
    table.act(Key::Ok, What::Pressed);
    assert_eq!(table.engine.state().clocks.black.main, mins(5));
    assert_eq!(table.right(), "     5.00");
    table.act(Key::Ok, What::Released);
    table.tap(Key::Pause);
    assert_eq!(table.engine.phase(), Phase::Running);
}

#[test]
fn where_players_may_not_pause_the_pause_key_is_held_for_a_second() {
    let mut table =
        Table::started(one(mins(5), Method::PLAIN), |switches| switches.player_pause = false);
    table.tap(Key::Pause);
    assert_eq!(table.engine.phase(), Phase::Running);
    table.hold(Key::Pause, 1);
    assert_eq!(table.engine.phase(), Phase::Paused);
}
