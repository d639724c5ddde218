//! Each method of timing by worked numbers.

use super::*;

const MIN: i64 = 60_000;

#[test]
fn an_increment_is_given_before_each_move_from_the_start() {
    let mut game = Game::started("3m+2s", Profile::Fide);
    assert_eq!(game.both(), (182_000, 182_000));
    game.moves(&[1_000]);
    assert_eq!(game.wait(500).both(), (183_000, 181_500));
}

#[test]
fn without_the_first_grant_the_base_stands_bare_until_the_first_press() {
    for (control, opening, after_10_s) in [
        ("1h+2m", 60 * MIN, 61 * MIN + 50_000),
        ("5m+5s", 5 * MIN, 5 * MIN - 5_000),
        // A base of zero needs its grant to live on.
        ("0s+15s", 15_000, 20_000),
        ("15m delay 12s", 15 * MIN, 15 * MIN - 10_000 + 12_000),
    ] {
        let mut game = Game::with(control, Profile::Fide, &[("first-increment", "false")]);
        assert_eq!(game.both(), (opening, opening), "{control}");
        game.press(Black).moves(&[10_000]);
        assert_eq!(game.left(White), after_10_s, "{control}");
    }
}

#[test]
fn a_cap_stops_the_credit_but_cuts_nothing() {
    let mut game = Game::started("4m55s+10s cap 5m", Profile::Fide);
    assert_eq!(game.left(White), 5 * MIN);
    game.moves(&[2_000]);
    assert_eq!(game.left(White), 5 * MIN);
    game.pause().set_main(White, 6 * MIN).resume(None).moves(&[0, 0, 1_000]);
    assert_eq!(game.left(White), 6 * MIN, "0 s, then 1 s below an arbiter's six minutes: uncut");
}

#[test]
fn a_delay_is_spent_first_and_never_saved() {
    for (control, used, main) in [
        ("15m delay 12s", vec![11_000], 15 * MIN),
        ("15m delay 12s", vec![25_000], 15 * MIN - 13_000),
        ("10s delay 5s", vec![8_000], 7_000),
        ("10s delay 5s", vec![8_000, 8_000], 4_000),
    ] {
        let mut game = Game::started(control, Profile::Us);
        for used in used {
            game.moves(&[used, 0]);
        }
        assert_eq!(game.side(White).main, ms(main), "{control}");
    }
}

#[test]
fn bronstein_adds_back_what_was_used_up_to_its_amount() {
    let mut game = Game::started("5m bronstein 3s", Profile::Fide);
    assert_eq!(game.left(White), 303_000);
    assert_eq!(game.wait(2_000).left(White), 301_000);
    game.moves(&[0]);
    assert_eq!(game.left(White), 303_000);
    assert_eq!(game.wait(5_000).left(Black), 298_000);
    game.moves(&[0]);
    assert_eq!(game.left(Black), 301_000);
}

#[test]
fn bronstein_without_the_first_grant_is_true_add_back_from_the_bare_base() {
    let mut game = Game::with("10s bronstein 5s", Profile::Fide, &[("first-increment", "false")]);
    assert_eq!(game.left(White), 10_000);
    game.press(Black).moves(&[8_000, 0]);
    assert_eq!(game.left(White), 7_000);
    game.wait(7_000).poll();
    assert_eq!(game.side(White).flag_at, Some(ms(15_000)));
}

#[test]
fn bronstein_with_the_first_grant_and_delay_are_the_same_arithmetic() {
    for used in [0, 1, 2_999, 3_000, 3_001, 8_000] {
        let mut delay = Game::started("20s delay 3s", Profile::Fide);
        let mut bronstein = Game::started("20s bronstein 3s", Profile::Fide);
        for game in [&mut delay, &mut bronstein] {
            game.moves(&[used, 100, used, 200]);
        }
        assert_eq!(delay.both(), bronstein.both(), "moves of {used} ms");
    }
}

#[test]
fn an_hourglass_gives_one_side_what_the_other_loses() {
    let mut game = Game::started("hourglass 30s", Profile::Club);
    assert_eq!(game.wait(5_000).both(), (25_000, 35_000));
    game.moves(&[0]);
    assert_eq!(game.wait(35_001).both(), (60_000, 0), "the sum never changes, to the fall");
    assert_eq!(game.side(Black).flag_at, Some(ms(40_000)));
}

#[test]
fn after_the_first_fall_an_hourglass_transfers_nothing() {
    let mut game = Game::started("hourglass 30s", Profile::Us);
    game.wait(40_000).poll().press(White);
    assert_eq!(game.wait(10_000).both(), (0, 50_000));
}

#[test]
fn byo_yomi_periods_refill_and_burned_ones_stay_burned() {
    let mut game = Game::started("1m byoyomi 1x10s", Profile::Go);
    game.moves(&[65_000]);
    let black = game.side(Black);
    assert_eq!(
        (black.periods, black.overtime, black.remaining),
        (Some(1), Some(ms(10_000)), Some(ms(10_000)))
    );
    game.moves(&[0, 5_000]);
    assert_eq!(game.left(Black), 10_000);
    game.moves(&[0]).wait(9_999);
    assert_eq!(game.left(Black), 1);
    game.wait(1);
    assert_eq!(game.side(Black).flag, Some(FlagKind::Fall));
}

#[test]
fn a_long_think_burns_period_after_period() {
    for (control, think, left_in_period, periods) in [
        ("10s byoyomi 3x10s", 32_000, 8_000, 1),
        ("15s byoyomi 1x5s", 10_000, 5_000, 1),
        ("15s byoyomi 1x5s", 19_000, 1_000, 1),
        ("200ms byoyomi 2x30s", 500, 29_700, 2),
        ("byoyomi 5x1m", 60_000, 60_000, 4),
        ("byoyomi 5x1m", 59_999, 1, 5),
    ] {
        let mut game = Game::started(control, Profile::Club);
        let white = game.wait(think).side(White);
        assert_eq!(
            (white.overtime, white.periods),
            (Some(ms(left_in_period)), Some(periods)),
            "{control} after {think} ms"
        );
    }
}

#[test]
fn thirty_periods_go_as_they_were_used() {
    let mut game = Game::started("byoyomi 30x1m", Profile::Club);
    let used = [40, 210, 550, 920, 55, 65, 120];
    for (used, left) in used.iter().zip([30, 27, 18, 3, 3, 2]) {
        game.moves(&[used * 1_000]);
        assert_eq!(game.side(White).periods, Some(left), "after {used} s");
        game.moves(&[0]);
    }
    game.wait(120_000);
    assert_eq!(game.side(White).flag, Some(FlagKind::Fall));
}

#[test]
fn a_burned_period_is_told_at_the_instant_it_is_used_up() {
    let mut game = Game::started("10s byoyomi 3x10s", Profile::Club);
    game.wait(32_000).poll();
    let burned: Vec<_> = game
        .log
        .iter()
        .filter_map(|output| match output.effect {
            Effect::Period { periods, .. } => Some((output.at, periods)),
            _ => None,
        })
        .collect();
    assert_eq!(burned, [(at(20_000), 2), (at(30_000), 1)]);
}

#[test]
fn free_time_is_spent_between_main_and_periods_and_comes_back() {
    let mut game = Game::started("10s byoyomi 2x60s free 30s", Profile::Club);
    assert_eq!(game.left(White), 160_000);
    game.moves(&[45_000, 0]);
    let white = game.side(White);
    assert_eq!(
        (white.main, white.allowance, white.overtime),
        (ms(0), ms(30_000), Some(ms(60_000)))
    );
    assert_eq!(white.periods, Some(2));
}

#[test]
fn burn_on_entry_takes_a_period_when_it_is_begun() {
    for (think, periods, begun, left) in [
        (39_999, 10, 0, 600_001),
        (40_000, 9, 60_000, 600_000),
        (99_999, 9, 1, 540_001),
        (100_000, 8, 60_000, 540_000),
    ] {
        let mut game = Game::started("10s byoyomi 10x1m free 30s burn-on-entry", Profile::Club);
        let white = game.wait(think).side(White);
        assert_eq!(white.periods, Some(periods), "after {think} ms");
        assert_eq!(white.overtime, Some(ms(begun)), "after {think} ms");
        assert_eq!(white.remaining, Some(ms(left)), "after {think} ms");
        game.moves(&[0]);
        let white = game.side(White);
        assert_eq!(
            (white.overtime, white.allowance),
            (Some(ms(0)), ms(30_000)),
            "a begun period is lost"
        );
        assert_eq!(white.periods, Some(periods));
    }
    let mut game = Game::started("byoyomi 1x1m free 30s burn-on-entry", Profile::Club);
    game.wait(90_000);
    assert_eq!(game.side(White).flag_at, Some(ms(90_000)), "the last begun one used up");
}

#[test]
fn an_increment_beside_overtime_is_credited_only_while_main_lasts() {
    let mut game = Game::started("10s+5s byoyomi 2x30s", Profile::Club);
    game.moves(&[5_000, 0]);
    assert_eq!(game.side(White).main, ms(15_000));
    game.moves(&[16_000, 0]);
    assert_eq!((game.side(White).main, game.side(White).overtime), (ms(0), Some(ms(30_000))));
}

#[test]
fn canadian_blocks_are_reset_at_the_last_stone() {
    for (used, after) in [
        (vec![40, 110, 29], vec![(140, 2), (30, 1), (180, 3)]),
        (vec![70, 105, 3], vec![(110, 2), (5, 1), (180, 3)]),
        (vec![130], vec![(50, 2)]),
    ] {
        let mut game = Game::started("canadian 3/3m", Profile::Club);
        for (used, (time, stones)) in used.into_iter().zip(after) {
            game.moves(&[used * 1_000]);
            let white = game.side(White);
            assert_eq!((white.overtime, white.stones), (Some(ms(time * 1_000)), Some(stones)));
            game.moves(&[0]);
        }
    }
    let mut game = Game::started("canadian 3/3m", Profile::Club);
    game.moves(&[130_000, 0]).wait(50_000);
    assert_eq!(game.side(White).flag, Some(FlagKind::Fall));
}

#[test]
fn progressive_canadian_goes_on_to_the_next_block_and_the_last_repeats() {
    let mut game = Game::started("canadian 1/5m then 2/4m", Profile::Club);
    game.moves(&[1_000, 0]);
    assert_eq!((game.side(White).stones, game.left(White)), (Some(2), 4 * MIN));
    game.moves(&[1_000, 0, 1_000, 0]);
    assert_eq!((game.side(White).stones, game.left(White)), (Some(2), 4 * MIN));
}

#[test]
fn canadian_takes_over_what_main_could_not_cover_and_plays_no_stone_before() {
    let mut game = Game::started("1s canadian 2/1m", Profile::Club);
    game.moves(&[999, 0]);
    assert_eq!(game.side(White).stones, Some(2));
    game.moves(&[501, 0]);
    assert_eq!((game.side(White).stones, game.side(White).overtime), (Some(1), Some(ms(59_500))));
}

#[test]
fn a_move_timer_is_full_again_each_turn_and_may_stay_at_zero() {
    let mut game = Game::started("move 10s", Profile::Club);
    game.moves(&[9_000, 0]);
    assert_eq!(game.left(White), 10_000);
    game.wait(10_000);
    assert_eq!(game.side(White).flag, Some(FlagKind::Fall));
    let mut game = Game::started("move 10s continue", Profile::Club);
    game.wait(15_000);
    assert_eq!((game.left(White), game.side(White).flag), (0, None));
    game.moves(&[0, 0]);
    assert_eq!((game.left(White), game.side(White).moves), (10_000, 1));
}

#[test]
fn scrabble_counts_below_zero_and_charges_each_minute_or_part_of_one() {
    let mut game = Game::started("25m overtime 10m", Profile::Club);
    for (over, points) in [(-1, 0), (0, 0), (1, 10), (60_000, 10), (61_000, 20), (599_999, 100)] {
        let white = game.engine.snapshot(at(25 * MIN + over)).sides.white;
        assert_eq!((white.main, white.points), (ms(-over), Some(points)), "{over} ms over");
    }
    game.wait(35 * MIN);
    assert_eq!((game.left(White), game.side(White).flag), (0, Some(FlagKind::Fall)));
}

#[test]
fn count_up_rises_and_falls_only_at_its_limit() {
    let mut game = Game::started("up", Profile::Club);
    let white = game.wait(90_000).side(White);
    assert_eq!((white.main, white.remaining, white.flag), (ms(90_000), None, None));
    let mut game = Game::started("up 2m", Profile::Club);
    assert_eq!(game.wait(90_000).left(White), 30_000);
    game.wait(30_000);
    assert_eq!(game.side(White).flag, Some(FlagKind::Fall));
}

#[test]
fn the_gong_changes_sides_by_itself_and_hears_no_press() {
    let mut game = Game::started("gong 10s", Profile::Club);
    game.wait(4_000).press(White);
    assert!(game.has(Effect::Ignored { side: White, reason: IgnoreReason::Gong }));
    assert_eq!(game.both(), (6_000, 10_000));
    assert_eq!(game.wait(21_000).snapshot().to_move, White);
    assert_eq!(game.both(), (5_000, 10_000));
    assert_eq!((game.side(White).moves, game.side(White).flag), (0, None));
}
