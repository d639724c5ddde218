//! Stages: by moves, at first zero, confirmed, repeated (`timing.md` 4).

use super::*;
use crate::engine::operation::{Adjust, ConfirmStage, Start};

const MIN: i64 = 60_000;

/// So many quick moves by both, White first.
fn rush(game: &mut Game, moves_each: usize) {
    game.moves(&vec![0; moves_each * 2]);
}

#[test]
fn a_stage_by_moves_comes_for_each_side_with_its_own_press() {
    let mut game = Game::started("40/1h, 30m", Profile::Fide);
    rush(&mut game, 39);
    game.moves(&[0]);
    assert_eq!(game.both(), (90 * MIN, 60 * MIN));
    assert_eq!((game.side(White).stage, game.side(Black).stage), (2, 1));
    game.moves(&[0]);
    assert_eq!(game.both(), (90 * MIN, 90 * MIN));
}

#[test]
fn press_n_brings_the_base_and_the_grant_of_the_new_stage() {
    let mut game = Game::started("40/2h, 30m+30s", Profile::Fide);
    rush(&mut game, 39);
    game.pause().set_main(White, MIN).resume(None).moves(&[0]);
    assert_eq!(game.left(White), 31 * MIN + 30_000);
    let added = ms(30 * MIN + 30_000);
    assert!(game.has(Effect::Stage { side: White, stage: 2, added }));
}

#[test]
fn an_increment_that_starts_late_comes_with_the_press_before() {
    let mut game = Game::started("40/2h, 20/1h, 15m+30s", Profile::Fide);
    rush(&mut game, 59);
    assert_eq!(game.left(White), 180 * MIN);
    game.moves(&[0, 0]);
    assert_eq!(game.left(White), 195 * MIN + 30_000);
    game.moves(&[0, 0]);
    assert_eq!(game.left(White), 196 * MIN);
}

#[test]
fn armageddon_gives_three_seconds_with_each_sides_press_60() {
    let mut game = Game::started("white 60/5m, 0s+3s; black 60/4m, 0s+3s", Profile::Fide);
    rush(&mut game, 59);
    assert_eq!(game.both(), (5 * MIN, 4 * MIN));
    rush(&mut game, 1);
    assert_eq!(game.both(), (5 * MIN + 3_000, 4 * MIN + 3_000));
    rush(&mut game, 1);
    assert_eq!(game.both(), (5 * MIN + 6_000, 4 * MIN + 6_000));
}

#[test]
fn zero_before_the_moves_are_made_is_a_fall_that_no_later_stage_covers() {
    let mut game = Game::started("40/2m, 1h", Profile::Fide);
    rush(&mut game, 39);
    game.wait(2 * MIN);
    assert_eq!((game.left(White), game.side(White).flag), (0, Some(FlagKind::Fall)));
    game.press(White);
    assert_eq!((game.left(White), game.side(White).stage), (0, 1));
}

#[test]
fn at_first_zero_both_sides_get_the_next_stage_at_that_instant() {
    let mut game = Game::started("1h30m, 30m", Profile::Fide);
    game.moves(&[0]).wait(5 * MIN).press(Black).wait(90 * MIN).poll();
    assert_eq!(game.both(), (30 * MIN, 115 * MIN));
    let white = game.side(White);
    assert_eq!((white.flag, white.flag_at), (Some(FlagKind::Stage), Some(ms(95 * MIN))));
    assert_eq!(game.snapshot().phase, Phase::Running);
    assert_eq!(game.snapshot().first_flag, None, "no fall yet");
    game.wait(30 * MIN);
    let white = game.side(White);
    assert_eq!((white.flag, white.stage_flag_at), (Some(FlagKind::Fall), Some(ms(95 * MIN))));
}

#[test]
fn first_zero_replaces_what_was_granted_for_the_current_and_the_waiting_move() {
    for (control, white, black) in [
        ("40m, 15m+10s", 15 * MIN + 10_000, 18 * MIN + 10_000),
        ("40m+20s, 15m+30s", 15 * MIN + 10_000, 18 * MIN + 10_000),
        ("40m+20s, 15m", 15 * MIN - 20_000, 18 * MIN - 20_000),
        ("40m delay 5s, 15m delay 8s", 15 * MIN + 3_000, 18 * MIN + 8_000),
    ] {
        let mut game = Game::started(control, Profile::Fide);
        game.moves(&[0, 0]).pause();
        let allowance = game.side(White).allowance;
        game.set_main(White, 0).set_main(Black, 3 * MIN).wait(1).resume(None);
        game.wait(allowance.as_nanos() / 1_000_000);
        assert_eq!(game.both(), (white, black), "{control}");
    }
}

#[test]
fn the_us_trigger_ends_every_stage_at_first_zero_and_only_shows_the_moves() {
    let mut game = Game::started("40/10m, 5m", Profile::Us);
    rush(&mut game, 45);
    assert_eq!((game.side(White).stage, game.both()), (1, (10 * MIN, 10 * MIN)));
    game.wait(10 * MIN);
    assert_eq!((game.side(White).stage, game.side(Black).stage), (2, 2));
    assert_eq!(game.both(), (5 * MIN, 15 * MIN));
}

#[test]
fn the_switch_pause_at_stage_pauses_at_a_stage_flag() {
    let mut game = Game::with("10m, 5m", Profile::Fide, &[("pause-at-stage", "true")]);
    game.press(Black).wait(11 * MIN);
    assert_eq!((game.snapshot().phase, game.left(White)), (Phase::Paused, 5 * MIN));
}

#[test]
fn a_repeated_stage_adds_base_and_grant_once() {
    let mut game = Game::started("40/10m+5s repeat", Profile::Fide);
    rush(&mut game, 39);
    let before = game.left(White);
    game.moves(&[0]);
    assert_eq!(game.left(White) - before, 10 * MIN + 5_000);
    assert_eq!(game.side(White).moves_to_stage, Some(40));
    game.moves(&[0]);
    rush(&mut game, 40);
    assert_eq!(game.side(Black).moves_to_stage, Some(40), "for ever");
}

#[test]
fn a_confirmed_stage_waits_for_the_arbiter_and_counts_from_n() {
    let mut game = Game::started("2/10m+5s confirm, 1/30m+15s, 1m", Profile::Fide);
    rush(&mut game, 3);
    assert_eq!(game.left(White), 10 * MIN + 4 * 5_000);
    assert!(game.side(White).stage_pending);
    assert!(game.has(Effect::StagePending { side: White }));
    assert_eq!(
        game.log.iter().filter(|o| matches!(o.effect, Effect::StagePending { .. })).count(),
        2
    );
    game.command(Operation::from(ConfirmStage { side: White })).unwrap();
    let white = game.side(White);
    assert_eq!(white.remaining, Some(ms(40 * MIN + 20_000 + 10_000)));
    assert_eq!((white.stage, white.moves_to_stage, white.stage_pending), (2, Some(0), false));
    let refusal = game.command(Operation::from(ConfirmStage { side: White })).err().unwrap();
    assert_eq!(refusal.kind(), RefusalKind::Nothing);
    game.moves(&[0]);
    assert_eq!(game.side(White).stage, 3, "at least N");
}

#[test]
fn a_pending_stage_does_not_cover_zero() {
    let mut game = Game::started("1/10s confirm, 30m", Profile::Fide);
    game.moves(&[1_000, 0]).wait(9_000);
    assert_eq!(game.side(White).flag, Some(FlagKind::Fall));
    let refusal = game.command(Operation::from(ConfirmStage { side: White })).err().unwrap();
    assert_eq!(refusal, Refusal::NoTime { side: White });
}

#[test]
fn moves_left_are_told_only_where_they_lead_somewhere() {
    for (control, left) in [("40/1h, 30m", Some(40)), ("40/1h repeat", Some(40)), ("1h, 30m", None)]
    {
        assert_eq!(
            Game::ready(control, Profile::Fide).side(White).moves_to_stage,
            left,
            "{control}"
        );
    }
}

#[test]
fn entering_byo_yomi_fills_the_periods() {
    let mut game = Game::started("1/10m, 5m byoyomi 3x30s", Profile::Club);
    assert_eq!(game.side(White).periods, None);
    game.moves(&[0, 0]);
    assert_eq!((game.side(White).periods, game.left(White)), (Some(3), 15 * MIN + 90_000));
}

#[test]
fn leaving_a_delay_loses_the_unused_part_and_brings_the_new_allowance() {
    for (control, total) in [
        ("1/10m delay 5s, 1m delay 8s", 11 * MIN + 8_000),
        ("1/10m bronstein 5s, 1m bronstein 8s", 11 * MIN + 8_000),
        ("1/10m delay 5s, 1m", 11 * MIN),
        ("1/10m bronstein 5s, 1m+2s", 11 * MIN + 2_000),
    ] {
        let mut game = Game::started(control, Profile::Fide);
        game.moves(&[2_000, 0]);
        assert_eq!(game.left(White), total, "{control}");
    }
}

#[test]
fn a_change_of_stage_never_leaves_less_than_nothing_behind() {
    let below = |side: Side, main| {
        let mut changes = BySide::<Adjustment>::default();
        changes[side] = main_by(main);
        Operation::from(Adjust::from(changes))
    };
    for (control, side, main) in [
        ("9s delay 2s, 0s byoyomi 2x6s", White, -11_000),
        ("9s delay 2s, 0s byoyomi 2x6s", Black, -10_500),
        ("9s delay 2s, 0s canadian 2/19s", White, -11_000),
        ("9s delay 5s, 1s byoyomi 30x6s", Black, -12_400),
        ("9s bronstein 5s, 1s", Black, -12_400),
    ] {
        for changes in [true, false] {
            let mut game = Game::ready(control, Profile::Us);
            game.command(below(side, main)).unwrap();
            game.command(Operation::from(Start { side: None })).unwrap();
            let stage = game.wait(20_000).side(side).stage;
            assert_eq!(stage, 2, "{control}");
            if changes {
                game.press(White).wait(400_000).poll();
            }
            for side in Side::BOTH {
                let view = game.wait(1).side(side);
                assert!(!view.main.is_negative(), "{control}: {view:?}");
                assert!(view.overtime.is_none_or(|left| !left.is_negative()), "{control}");
            }
        }
    }
}
