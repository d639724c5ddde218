//! The rules that hold for every method (`timing.md` 2 and 5).

use super::*;
use crate::engine::operation::{Pause, Press, Resume, Start, UndoPress};

#[test]
fn a_press_at_its_deadline_is_too_late_and_a_nanosecond_before_is_in_time() {
    let deadline = 5 * 60 * 1_000_000_000;
    for (offset, in_time) in [(-1, true), (0, false), (1, false)] {
        for polled in [false, true] {
            for profile in [Profile::Fide, Profile::Us] {
                let mut game = Game::started("5m", profile);
                let now = Instant::from_nanos(deadline + offset);
                if polled {
                    let _ = game.engine.poll(now);
                }
                let _ = game.engine.apply(now, &Press { side: White, both: false }.into());
                let white = game.engine.snapshot(now).sides.white;
                assert_eq!(white.flag.is_none(), in_time, "{offset} ns, polled: {polled}");
                let stamp = (!in_time).then_some(Span::from_nanos(deadline));
                assert_eq!(white.flag_at, stamp, "the flag is stamped with its deadline");
            }
        }
    }
}

#[test]
fn flag_falls_at_its_deadline_not_at_the_poll() {
    let mut game = Game::started("10s", Profile::Fide);
    game.wait(10_500).poll();
    assert_eq!(game.log.last().map(|output| output.at), Some(at(10_000)));
    assert_eq!(game.side(White).flag_at, Some(ms(10_000)));
    assert_eq!(game.snapshot().phase, Phase::Flagged);
}

#[test]
fn a_late_press_gets_no_credit_with_or_without_freeze() {
    let mut frozen = Game::started("10s+5s", Profile::Fide);
    frozen.wait(15_000).press(White);
    assert_eq!((frozen.left(White), frozen.side(White).moves), (0, 0));
    assert!(frozen.has(Effect::Ignored { side: White, reason: IgnoreReason::Flagged }));
    let mut running = Game::started("10s+5s", Profile::Us);
    running.wait(15_150).press(White);
    assert_eq!((running.left(White), running.side(White).moves), (0, 1));
    assert_eq!(running.snapshot().to_move, Black);
}

#[test]
fn both_sides_can_fall_where_nothing_freezes_and_the_first_is_remembered() {
    let mut game = Game::started("10s", Profile::Us);
    game.wait(4_000).press(White).wait(3_000).press(Black).wait(8_000).press(White);
    game.wait(60_000).poll();
    let snapshot = game.snapshot();
    assert_eq!(snapshot.sides.white.flag_at, Some(ms(13_000)));
    assert_eq!(snapshot.sides.black.flag_at, Some(ms(22_000)));
    let first = snapshot.first_flag.unwrap();
    assert_eq!((first.side, first.at), (White, ms(13_000)));
    assert_eq!(first.remaining, BySide { white: Some(ms(0)), black: Some(ms(7_000)) });
    assert_eq!(snapshot.phase, Phase::Running, "the result is not the clock's to say");
    assert!(game.has(Effect::Flag { side: Black, flag: FlagKind::Fall, first: false }));
}

#[test]
fn a_frozen_clock_keeps_the_other_sides_time_and_still_takes_a_pause() {
    let mut game = Game::started("10s", Profile::Fide);
    game.wait(20_000).poll().press(Black).press(White);
    assert_eq!(game.both(), (0, 10_000));
    game.pause();
    assert_eq!(game.snapshot().phase, Phase::Flagged);
}

#[test]
fn asking_more_often_changes_nothing() {
    let mut often = Game::started("3m+2s", Profile::Fide);
    let mut seldom = Game::started("3m+2s", Profile::Fide);
    for _ in 0..100 {
        often.wait(17).snapshot();
    }
    seldom.wait(1_700);
    assert_eq!(often.moves(&[0]).snapshot(), seldom.moves(&[0]).snapshot());
}

#[test]
fn the_starting_press_is_no_move_and_only_the_second_side_gives_it() {
    let mut game = Game::ready("5m", Profile::Fide);
    game.press(White);
    assert_eq!(game.snapshot().phase, Phase::Ready);
    assert!(game.has(Effect::Ignored { side: White, reason: IgnoreReason::NotTheStarter }));
    game.press(Black).moves(&[1_000, 1_000]);
    assert_eq!((game.side(White).moves, game.side(Black).moves), (1, 1));
    assert_eq!(game.snapshot().to_move, White);
}

#[test]
fn either_may_start_by_changing_seats_while_both_are_set_alike() {
    let mut game = Game::ready("5m", Profile::Club);
    game.press(White);
    let state = *game.engine.state();
    assert_eq!((state.phase, state.to_move), (Phase::Running, White));
    assert_eq!(state.white_on, crate::control::Seat::Right);
    let mut unequal = Game::ready("white 5m; black 4m", Profile::Club);
    assert_eq!(unequal.press(White).snapshot().phase, Phase::Ready);
    let mut corrected = Game::ready("5m", Profile::Club);
    corrected.set_main(White, 60_000);
    assert_eq!(corrected.press(White).snapshot().phase, Phase::Ready);
}

#[test]
fn in_go_black_moves_first_and_whites_press_starts() {
    let mut game = Game::ready("5m", Profile::Go);
    assert_eq!(game.press(White).snapshot().to_move, Black);
}

#[test]
fn a_press_by_the_side_that_does_not_run_changes_nothing() {
    let mut game = Game::started("5m+3s", Profile::Fide);
    let before = *game.engine.state();
    game.wait(100).press(Black);
    assert_eq!(*game.engine.state(), before);
    assert!(game.has(Effect::Ignored { side: Black, reason: IgnoreReason::NotToMove }));
}

#[test]
fn both_buttons_at_once_are_the_running_sides_press() {
    for (presses, to_move, ignored) in [(0, Black, Black), (1, White, White)] {
        let mut game = Game::started("5m", Profile::Fide);
        for _ in 0..presses {
            game.moves(&[10]);
        }
        game.command(Press { side: White, both: true }).unwrap();
        assert_eq!(game.snapshot().to_move, to_move);
        assert!(game.has(Effect::Ignored { side: ignored, reason: IgnoreReason::Simultaneous }));
    }
}

#[test]
fn two_presses_thirty_milliseconds_apart_are_two_moves() {
    let mut game = Game::started("5m", Profile::Fide);
    game.wait(1_000).press(White).wait(30).press(Black);
    assert_eq!(game.both(), (299_000, 299_970));
    assert_eq!((game.side(White).moves, game.side(Black).moves), (1, 1));
}

#[test]
fn a_pause_keeps_the_used_and_the_unused_part_of_a_delay() {
    let mut game = Game::started("5m delay 5s", Profile::Us);
    game.wait(2_000).pause().wait(60_000).resume(None).wait(2_900).press(White);
    assert_eq!(game.side(White).main, ms(300_000));
    assert_eq!(game.side(Black).allowance, ms(5_000));
}

#[test]
fn naming_the_other_side_breaks_the_turn_off() {
    let mut game = Game::started("1m delay 5s", Profile::Us);
    game.wait(7_000).pause().resume(Some(Black));
    assert_eq!(game.snapshot().to_move, Black);
    assert_eq!(game.side(Black).used, ms(0));
    let white = game.side(White);
    assert_eq!((white.main, white.allowance, white.moves), (ms(58_000), ms(5_000), 0));
    let mut period = Game::started("byoyomi 3x30s", Profile::Club);
    period.wait(40_000).pause().resume(Some(Black));
    assert_eq!((period.side(White).periods, period.left(White)), (Some(2), 60_000));
}

#[test]
fn a_fallen_sides_broken_off_turn_gives_it_nothing_back() {
    let mut game = Game::started("5s byoyomi 1x10s free 4s", Profile::Club);
    game.wait(20_000).poll().resume(Some(Black));
    let white = game.side(White);
    assert_eq!((white.remaining, white.allowance), (Some(ms(0)), ms(0)));
}

#[test]
fn pause_before_the_start_is_refused_and_the_game_starts_as_usual() {
    let mut game = Game::ready("5m", Profile::Fide);
    let refusal = game.command(Operation::from(Pause {})).err().unwrap();
    assert_eq!(refusal.kind(), RefusalKind::WrongPhase);
    assert_eq!(game.press(Black).snapshot().phase, Phase::Running);
}

#[test]
fn a_side_resumed_at_zero_falls_at_that_instant() {
    let mut game = Game::started("5m", Profile::Fide);
    game.pause().set_main(White, 0).wait(1_000).resume(None);
    assert_eq!(game.side(White).flag_at, Some(ms(1_000)));
}

#[test]
fn a_fallen_side_resumes_only_where_nothing_freezes() {
    let mut frozen = Game::started("5s", Profile::Fide);
    frozen.wait(5_000);
    let refusal = frozen.command(Operation::from(Resume { side: None })).err().unwrap();
    assert_eq!(refusal, Refusal::NoTime { side: White });
    let mut free = Game::started("5s", Profile::Us);
    free.wait(6_000).pause().resume(None).wait(10).press(White);
    assert_eq!(free.snapshot().to_move, Black);
}

#[test]
fn a_fallen_side_that_gets_the_turn_where_falls_freeze_stops_the_clock() {
    let mut game = Game::started("5s", Profile::Fide);
    game.wait(5_000).resume(Some(Black)).wait(100).press(Black);
    assert_eq!(game.snapshot().phase, Phase::Flagged);
    assert_eq!(game.log.iter().filter(|o| matches!(o.effect, Effect::Flag { .. })).count(), 1);
}

#[test]
fn an_event_older_than_the_last_is_taken_at_the_last_and_counted() {
    let mut game = Game::started("5m", Profile::Fide);
    game.wait(2_000).press(White);
    let _ = game.engine.apply(at(1_500), &Press { side: Black, both: false }.into());
    assert_eq!(game.engine.late_events(), 1);
    assert_eq!(game.both(), (298_000, 300_000));
}

#[test]
fn nothing_of_an_old_game_survives_into_a_new_one() {
    let mut game = Game::started("5s", Profile::Us);
    game.wait(6_000).press(White);
    let settings = Settings::new(notation::parse("3m+2s").unwrap(), Profile::Fide);
    game.wait(1_000);
    let refused = game.new_game(&settings, false).err().unwrap();
    assert_eq!(refused.kind(), RefusalKind::WrongPhase);
    game.new_game(&settings, true).unwrap();
    let fresh = Engine::new(at(7_000), settings);
    assert_eq!(game.engine.state(), fresh.state());
    assert_eq!(
        game.engine.apply(at(8_000), &Operation::from(Start { side: None })).map(|_| ()),
        Ok(())
    );
    let undo = Operation::from(UndoPress { count: 1, refund: true });
    let refusal = game.engine.apply(at(8_000), &undo).err().unwrap();
    assert_eq!(refusal.kind(), RefusalKind::Nothing);
}

#[test]
fn a_loop_that_looks_late_every_time_loses_nothing() {
    let mut game = Game::started("2h", Profile::Fide);
    for _ in 0..180_000 {
        game.wait(20).snapshot();
    }
    assert_eq!(game.left(White), 3_600_000);
}
