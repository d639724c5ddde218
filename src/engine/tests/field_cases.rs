//! What users of other clocks reported: the cases that no other room of these tests holds.

use super::*;

const MIN: i64 = 60_000;

#[test]
fn the_second_player_does_not_start_with_more() {
    for control in ["1m+10s", "1m delay 10s", "1m bronstein 10s", "hourglass 1m", "byoyomi 3x10s"] {
        for profile in [Profile::Fide, Profile::Us, Profile::Club] {
            let mut game = Game::started(control, profile);
            let before = game.both();
            assert_eq!(before.0, before.1, "{control}");
            game.moves(&[0]);
            assert_eq!(game.left(Black), before.1, "{control}: until its own first move");
        }
    }
}

#[test]
fn a_late_press_never_leaves_less_than_nothing() {
    let mut game = Game::started("10s+100ms", Profile::Fide);
    game.wait(10_250).press(White);
    let white = game.side(White);
    assert_eq!((white.flag_at, white.remaining), (Some(ms(10_100)), Some(ms(0))));
    assert_eq!(white.main, ms(0));
}

#[test]
fn zero_main_time_lives_on_its_allowance_also_through_a_pause() {
    for control in ["0s bronstein 10s", "0s delay 10s"] {
        let mut game = Game::started(control, Profile::Club);
        game.wait(3_000).pause().wait(60_000);
        assert_eq!(game.left(White), 7_000, "{control}");
        game.resume(None).wait(6_999).poll();
        assert_eq!(game.side(White).flag, None, "{control}");
        game.wait(1);
        assert_eq!(game.side(White).flag, Some(FlagKind::Fall), "{control}");
    }
}

#[test]
fn a_pause_in_one_players_delay_leaves_the_others_whole() {
    let mut game = Game::started("5m delay 5s", Profile::Us);
    game.moves(&[1_000]).wait(2_000).pause().wait(9_000).resume(None).moves(&[500]);
    assert_eq!(game.side(White).allowance, ms(5_000));
    assert_eq!(game.side(Black).main, ms(5 * MIN));
}

#[test]
fn the_mark_of_a_stage_stays_readable() {
    let mut game = Game::started("10m, 20m", Profile::Fide);
    game.wait(16 * MIN).moves(&[0, 0, 0]);
    let white = game.side(White);
    assert_eq!((white.flag, white.stage_flag_at), (Some(FlagKind::Stage), Some(ms(10 * MIN))));
}

#[test]
fn a_forgotten_press_can_be_made_good_by_two_quick_ones() {
    let mut game = Game::started("5m", Profile::Fide);
    game.moves(&[20_000, 100]);
    assert_eq!(game.both(), (280_000, 299_900));
    assert_eq!((game.side(White).moves, game.side(Black).moves), (1, 1));
}

#[test]
fn one_period_is_full_again_each_turn_and_stands_in_a_pause() {
    let mut game = Game::started("byoyomi 1x1m", Profile::Go);
    for _ in 0..3 {
        assert_eq!(game.both(), (60_000, 60_000));
        game.moves(&[20_000, 59_999]);
    }
    let mut entered = Game::started("10s byoyomi 3x30s", Profile::Club);
    entered.wait(10_000).pause();
    let white = entered.side(White);
    assert_eq!((white.main, white.periods, white.overtime), (ms(0), Some(3), Some(ms(30_000))));
}

#[test]
fn the_total_of_five_periods_tells_what_a_press_would_leave() {
    for (used, total) in [(50, 5), (60, 4), (70, 4), (130, 3)] {
        let mut game = Game::started("byoyomi 5x1m", Profile::Club);
        game.moves(&[used * 1_000]);
        assert_eq!(game.left(White), total * MIN, "{used} s used");
    }
}

#[test]
fn one_period_after_main_is_gone_in_time() {
    for (after, left, fallen) in [(10, 10, false), (19, 1, false), (20, 0, true)] {
        let mut game = Game::started("15s byoyomi 1x5s", Profile::Club);
        game.wait(after * 1_000);
        assert_eq!(game.left(White), left * 1_000, "after {after} s");
        assert_eq!(game.side(White).flag.is_some(), fallen, "after {after} s");
    }
}

#[test]
fn a_flagged_clock_shows_zero_until_an_arbiter_gives_time() {
    let mut game = Game::started("5s+3s", Profile::Fide);
    game.moves(&[1_000, 1_000]).wait(60_000).poll();
    for side in [White, Black, White] {
        game.press(side).wait(10_000);
        assert_eq!((game.left(White), game.snapshot().phase), (0, Phase::Flagged));
    }
}

#[test]
fn extra_time_for_one_side_before_the_start_is_no_flag() {
    let mut game = Game::ready("5m", Profile::Fide);
    game.adjust(White, main_by(10 * MIN)).press(Black);
    assert_eq!((game.both(), game.side(White).flag), ((15 * MIN, 5 * MIN), None));
}

#[test]
fn a_press_and_a_pause_at_the_same_instant_are_taken_in_their_order() {
    let mut pressed = Game::started("5m+2s", Profile::Fide);
    pressed.wait(1_000).press(White).pause();
    assert_eq!((pressed.both(), pressed.snapshot().to_move), ((303_000, 302_000), Black));
    let mut paused = Game::started("5m+2s", Profile::Fide);
    paused.wait(1_000).pause().press(White);
    assert_eq!((paused.both(), paused.snapshot().to_move), ((301_000, 302_000), White));
    assert!(paused.has(Effect::Ignored { side: White, reason: IgnoreReason::Paused }));
}

#[test]
fn what_both_have_used_sums_to_what_has_passed() {
    let mut game = Game::started("1h", Profile::Fide);
    game.moves(&[1_001, 2_002, 3_003, 4_004]).wait(5_005);
    let used = BySide { white: 60 * MIN - game.left(White), black: 60 * MIN - game.left(Black) };
    assert_eq!(used.white + used.black, game.now);
    assert_eq!(game.side(White).used, ms(5_005));
}

#[test]
fn the_first_move_is_timed() {
    let mut game = Game::started("5m", Profile::Fide);
    assert_eq!(game.wait(1).left(White), 299_999);
}

#[test]
fn the_same_game_again_has_both_sides_own_times() {
    let mut game = Game::started("white 15m; black 10m", Profile::Fide);
    game.moves(&[1_000, 1_000]);
    let settings = Box::new(*game.engine.settings());
    game.new_game(&settings, true).unwrap();
    assert_eq!(game.both(), (15 * MIN, 10 * MIN));
}
