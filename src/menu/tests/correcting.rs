//! Correcting, and the control that comes last.

use super::*;
use crate::engine::operation::{Adjust, Pause, Resume, Start};

#[test]
fn a_correction_that_was_left_is_found_again_while_the_game_stands_as_it_stood() {
    let mut bench = Bench::paused("1h");
    bench.enter().press(Key::Ok).press(Key::Plus).press(Key::Plus);
    assert_eq!(bench.shows(), " 101.00.00 <1> | CLoC");
    bench.press(Key::Pause);
    assert_eq!(bench.shows(), "the game");
    assert_eq!(bench.engine.state().clocks.white.main, Span::from_hours(1), "nothing changed");
    bench.enter().press(Key::Ok);
    assert_eq!(bench.shows(), " 101.00.00 <1> | CLoC");
    bench.press(Key::Pause);
    for command in [Operation::from(Resume { side: None }), Operation::from(Pause {})] {
        bench.now += Span::from_secs(1);
        let _ = bench.engine.apply(bench.now, &command).unwrap();
        bench.with(|_, _, _| ());
    }
    bench.enter().press(Key::Ok);
    assert_eq!(bench.shows(), "    59.59 | CLoC");
}

#[test]
fn a_refused_correction_keeps_what_was_entered() {
    let mut bench = Bench::paused("10s overtime 1m");
    bench.enter().press(Key::Ok);
    // White to minus ten seconds less than may be: -0.10 is fine, -2.10 is not.
    for key in [Key::Plus, Key::Plus, Key::Ok, Key::Ok, Key::Ok, Key::Ok, Key::Ok, Key::Plus] {
        bench.press(key);
    }
    bench.press(Key::Ok).press(Key::Ok).press(Key::Ok);
    for _ in 0..5 {
        bench.press(Key::Ok);
    }
    assert_eq!(bench.shows(), "CorrEct | donE");
    bench.press(Key::Ok);
    assert_eq!(bench.shows(), "Err | no");
    bench.press(Key::Ok);
    assert_eq!(bench.shows(), "    -1.10 | CLoC");
    assert_eq!(bench.engine.state().clocks.white.main, Span::from_secs(10));
}

/// Past every sheet of a correction of plain time, and done.
fn past_all_sheets(bench: &mut Bench) {
    bench.enter().press(Key::Ok);
    while bench.shows() != "CorrEct | donE" {
        bench.press(Key::Ok);
    }
    bench.press(Key::Ok);
}

#[test]
fn a_correction_ends_with_the_control_of_a_paused_game_where_the_switch_says_so() {
    for profile in Profile::ALL {
        let mut bench = Bench::paused_under("1h", profile);
        past_all_sheets(&mut bench);
        let on = matches!(profile, Profile::Club | Profile::Go);
        let shows = bench.shows();
        assert_eq!(shows, if on { "CtrL | 5tAy5" } else { "the game" }, "{profile:?}");
    }
    // One that a fall has stopped is not paused.
    let mut bench = Bench::new("1s");
    let _ = bench.engine.apply(bench.now, &Operation::from(Start { side: None })).unwrap();
    bench.wait(2_000);
    while !bench.engine.poll(bench.now).is_empty() {}
    assert_eq!(bench.engine.phase(), Phase::Flagged);
    past_all_sheets(&mut bench);
    assert_eq!(bench.shows(), "the game");
}

#[test]
fn the_control_stays_by_ok_pause_and_the_time_out_and_is_changed_by_ok_on_another_one() {
    let begin = || {
        let mut bench = Bench::paused("1h");
        past_all_sheets(&mut bench);
        bench
    };
    for keys in [&[Key::Ok][..], &[Key::Pause], &[Key::Plus, Key::Plus, Key::Pause]] {
        let mut bench = begin();
        for key in keys {
            bench.press(*key);
        }
        assert_eq!(bench.shows(), "the game");
        assert_eq!(bench.engine.settings().control.to_string(), "1h");
    }
    let mut bench = begin();
    bench.press(Key::Plus).wait(60_000);
    assert_eq!(bench.shows(), "the game");
    let mut bench = begin();
    bench.press(Key::Plus);
    bench.lock(true);
    assert_eq!(bench.shows(), "the game");

    let mut bench = begin();
    bench.press(Key::Plus).press(Key::Ok);
    assert_eq!(bench.shows(), "248F | 248F");
    let first = Presets::shipped().iter().next().unwrap().control;
    assert_eq!(bench.engine.settings().control, first);
    assert_eq!(bench.engine.phase(), Phase::Paused);
    for side in Side::BOTH {
        assert_eq!(bench.engine.state().clocks[side].main, Span::from_hours(1), "clocks are kept");
    }
    assert!(!bench.menu.is_open());
}

#[test]
fn controls_are_stepped_through_like_presets_but_for_empty_slots() {
    let mut bench = Bench::paused("1h");
    past_all_sheets(&mut bench);
    let presets = Presets::shipped().iter().count();
    bench.press(Key::Minus);
    let At::Control(last) = bench.menu.open.unwrap().at else { panic!() };
    assert_eq!(last, Some(presets - 1), "five empty slots are passed over");
    let left = |bench: &mut Bench| bench.shows().split(" |").next().unwrap().to_owned();
    assert_ne!(left(&mut bench), "CtrL");
    bench.wait(3_600);
    assert_eq!(left(&mut bench), "CtrL", "every third time it says what it is about");
    bench.wait(2_000);
    assert_ne!(left(&mut bench), "CtrL");
    bench.press(Key::Plus);
    assert_eq!(bench.shows(), "CtrL | 5tAy5");
    bench.stroke(Key::Plus, What::Held(Span::from_secs(1)));
    let At::Control(tenth) = bench.menu.open.unwrap().at else { panic!() };
    assert_eq!(tenth, Some(9));
}

#[test]
fn a_control_that_cannot_be_taken_is_still_up() {
    // Ten minutes below nothing are no time without overtime.
    let mut bench = Bench::paused("1m overtime 10m");
    let below = crate::engine::Adjustment { main: Some(-Span::from_mins(1)), ..Default::default() };
    let both = crate::control::BySide { white: below, black: below };
    let _ = bench.engine.apply(bench.now, &Operation::from(Adjust::from(both))).unwrap();
    past_all_sheets(&mut bench);
    bench.press(Key::Plus).press(Key::Ok);
    assert_eq!(bench.shows(), "Err | no");
    assert_eq!(bench.engine.settings().control.to_string(), "1m overtime 10m");
    bench.press(Key::Pause);
    let At::Control(up) = bench.menu.open.unwrap().at else { panic!() };
    assert_eq!(up, Some(0), "the message was put away first");
}
