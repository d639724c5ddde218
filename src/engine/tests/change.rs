//! Another control in a running game, its clocks kept (`timing.md` 6, *Change control*).

use super::*;
use crate::engine::operation::Penalty;

const MIN: i64 = 60_000;

#[test]
fn main_and_counters_stay_and_the_next_press_is_credited() {
    let mut game = Game::started("1h30m", Profile::Fide);
    game.moves(&[0; 28]).wait(30 * MIN).pause().change_control("1h30m+30s").unwrap();
    assert_eq!(game.both(), (60 * MIN, 90 * MIN), "nothing is granted for the current move");
    assert_eq!((game.side(White).moves, game.snapshot().phase), (14, Phase::Paused));
    game.resume(None).moves(&[0, 0]);
    assert_eq!(game.both(), (60 * MIN + 30_000, 90 * MIN + 30_000));
}

#[test]
fn the_allowance_of_the_current_move_is_what_is_not_used_of_the_new_one() {
    for (used, white) in [(2_000, 3_000), (9_000, 0)] {
        let mut game = Game::started("5m", Profile::Us);
        game.wait(used).pause().change_control("5m delay 5s").unwrap();
        assert_eq!(game.side(White).allowance, ms(white), "{used} ms used");
        assert_eq!(game.side(White).main, ms(5 * MIN - used));
        assert_eq!(game.side(Black).allowance, ms(5_000));
    }
}

#[test]
fn a_side_stands_in_the_stage_that_its_counter_lies_in_without_its_base() {
    for (control, made, stage, left) in [
        ("40/2h, 30m+30s", 45, 2, None),
        ("40/2h, 30m", 39, 1, Some(1)),
        ("20/1h, 20/30m, 15m", 30, 2, Some(10)),
        ("20/1h, 20/30m, 15m", 40, 3, None),
        ("20/1h repeat", 45, 1, Some(15)),
        ("1h30m, 30m", 45, 1, None),
    ] {
        let mut game = Game::started("1h", Profile::Fide);
        game.moves(&vec![0; made * 2]).pause().change_control(control).unwrap();
        let white = game.side(White);
        assert_eq!((white.stage, white.moves_to_stage), (stage, left), "{control}, {made} moves");
        assert_eq!(white.remaining, Some(ms(60 * MIN)), "{control}");
    }
}

#[test]
fn stages_that_end_at_zero_are_told_by_their_number() {
    let mut game = Game::started("10s, 20s", Profile::Fide);
    game.wait(11_000).pause().change_control("10s, 30s, 40s").unwrap();
    assert_eq!((game.side(White).stage, game.side(Black).stage), (2, 2));
    assert_eq!(game.both(), (19_000, 30_000));
}

#[test]
fn periods_and_blocks_are_full() {
    let mut game = Game::started("10s byoyomi 3x10s", Profile::Club);
    game.wait(25_000).pause().change_control("10s byoyomi 5x30s").unwrap();
    let white = game.side(White);
    assert_eq!((white.main, white.periods, white.overtime), (ms(0), Some(5), Some(ms(30_000))));
    game.change_control("10s canadian 3/1m").unwrap();
    let white = game.side(White);
    assert_eq!((white.periods, white.stones, white.overtime), (None, Some(3), Some(ms(60_000))));
}

#[test]
fn time_that_the_new_control_brings_lifts_a_fall_and_nothing_else_does() {
    let mut game = Game::started("10s", Profile::Fide);
    game.wait(10_000).change_control("20s+5s").unwrap();
    assert_eq!((game.left(White), game.snapshot().phase), (0, Phase::Flagged));
    game.change_control("10s byoyomi 3x10s").unwrap();
    assert_eq!((game.left(White), game.snapshot().phase), (30_000, Phase::Paused));
    assert!(game.has(Effect::FlagLifted { side: White }));
}

#[test]
fn a_fallen_side_does_not_go_along_at_the_others_first_zero() {
    let mut game = Game::started("9s", Profile::Club);
    game.wait(10_000).change_control("2s, 18s").unwrap().resume(Some(Black)).wait(20_000);
    let white = game.side(White);
    assert_eq!((white.stage, white.main, white.flag), (1, ms(0), Some(FlagKind::Fall)));
    assert_eq!((game.side(Black).stage, game.left(Black)), (2, 7_000));
}

#[test]
fn the_class_follows_and_with_it_the_penalties() {
    let mut game = Game::started("1h30m", Profile::Fide);
    game.pause().change_control("3m+2s").unwrap();
    let claim = Offence::WrongClaim;
    let command = Operation::from(Penalty { offender: White, offence: claim, after_reply: false });
    game.command(command).unwrap();
    assert_eq!(game.left(Black), 91 * MIN);
}

#[test]
fn a_press_undone_behind_the_change_leaves_the_new_control() {
    let mut game = Game::started("5m", Profile::Fide);
    game.moves(&[1_000]).wait(2_000).pause().change_control("5m+3s").unwrap().undo(1, true);
    assert_eq!(game.both(), (299_000, 300_000));
    game.resume(None).moves(&[0]);
    assert_eq!(game.left(White), 302_000);
}

#[test]
fn a_running_clock_or_a_side_below_zero_keeps_its_control() {
    let mut running = Game::started("5m", Profile::Fide);
    let mut scrabble = Game::started("25m overtime 10m", Profile::Club);
    scrabble.wait(25 * MIN + 61_000).pause();
    for (game, kind) in
        [(&mut running, RefusalKind::WrongPhase), (&mut scrabble, RefusalKind::InvalidArgument)]
    {
        let before = game.engine.save(at(game.now));
        let refusal = game.change_control("1h").err().unwrap();
        assert_eq!(refusal.kind(), kind);
        assert_eq!(game.engine.save(at(game.now)), before);
    }
}
