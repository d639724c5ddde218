//! Forgotten presses made good (`timing.md` 6, *Insert press*).

use super::*;
use crate::engine::operation::{End, InsertPress, Start};

fn insert(count: u32) -> Operation {
    Operation::from(InsertPress { count })
}

#[test]
fn an_inserted_press_completes_the_move_and_moves_no_time() {
    let mut game = Game::started("3m+2s", Profile::Fide);
    game.wait(5_000).command(insert(1)).unwrap();
    let snapshot = game.snapshot();
    assert_eq!((snapshot.phase, snapshot.to_move), (Phase::Paused, Black));
    assert_eq!(game.both(), (179_000, 182_000), "what ran stays used, the credit comes");
    assert_eq!((game.side(White).moves, game.side(Black).moves), (1, 0));
}

#[test]
fn twice_says_that_both_forgot() {
    let mut game = Game::started("3m+2s", Profile::Fide);
    game.wait(5_000).command(insert(2)).unwrap();
    assert_eq!(game.both(), (179_000, 184_000));
    assert_eq!((game.side(White).moves, game.side(Black).moves), (1, 1));
    assert_eq!(game.snapshot().to_move, White);
}

#[test]
fn an_inserted_press_brings_the_stage_that_it_reaches() {
    let mut game = Game::started("2/10m, 5m+10s", Profile::Fide);
    game.moves(&[0, 0]).command(insert(1)).unwrap();
    assert_eq!((game.left(White), game.side(White).stage), (910_000, 2));
}

#[test]
fn a_fallen_side_is_helped_only_by_the_press_that_completes_its_stage() {
    for (made, helps) in [(38, false), (39, true)] {
        let mut game = Game::started("40/2m, 1h", Profile::Fide);
        game.moves(&vec![0; made * 2]).wait(130_000).poll();
        if !helps {
            assert_eq!(game.refused(insert(1)), Refusal::NoTime { side: White });
            continue;
        }
        game.command(insert(1)).unwrap();
        let snapshot = game.snapshot();
        let white = snapshot.sides.white;
        assert_eq!((white.moves, white.stage, white.flag), (40, 2, None));
        assert_eq!(white.remaining, Some(Span::from_hours(1)));
        assert_eq!((snapshot.phase, snapshot.to_move), (Phase::Paused, Black));
        assert!(game.has(Effect::FlagLifted { side: White }));
        assert_eq!(snapshot.first_flag.map(|first| first.at), Some(ms(120_000)));
        game.undo(1, true);
        assert_eq!(game.side(White).flag, Some(FlagKind::Fall), "undone, it is fallen again");
    }
}

#[test]
fn a_stage_that_waits_for_the_arbiter_helps_a_fallen_side_only_with_an_increment() {
    let mut bare = Game::started("1/10s confirm, 30m", Profile::Fide);
    bare.wait(10_000);
    assert_eq!(bare.refused(insert(1)), Refusal::NoTime { side: White });
    let mut game = Game::started("1/10s+5s confirm, 30m", Profile::Fide);
    game.wait(15_000).command(insert(1)).unwrap();
    let white = game.side(White);
    assert_eq!((white.remaining, white.stage_pending, white.flag), (Some(ms(5_000)), true, None));
}

#[test]
fn presses_are_inserted_all_or_none() {
    let mut game = Game::started("10s", Profile::Fide);
    game.wait(10_000).resume(Some(Black)).wait(1_000);
    assert_eq!(game.refused(insert(2)), Refusal::NoTime { side: White });
    assert_eq!(game.side(Black).moves, 0);
}

#[test]
fn what_cannot_be_inserted_is_refused() {
    for (control, start, count, kind) in [
        ("5m", false, 1, RefusalKind::WrongPhase),
        ("5m", true, 0, RefusalKind::InvalidArgument),
        ("5m", true, 21, RefusalKind::InvalidArgument),
        ("gong 10s", true, 1, RefusalKind::InvalidArgument),
    ] {
        let mut game = Game::ready(control, Profile::Fide);
        if start {
            game.command(Operation::from(Start { side: None })).unwrap();
        }
        assert_eq!(game.refused(insert(count)).kind(), kind, "{control}, {count}");
    }
}

#[test]
fn inserted_presses_are_undone_like_others_and_reopen_an_ended_game() {
    let mut game = Game::started("3m+2s", Profile::Fide);
    game.wait(5_000).command(Operation::from(End { result: GameResult::Draw })).unwrap();
    game.command(insert(20)).unwrap();
    assert_eq!((game.snapshot().phase, game.engine.state().result), (Phase::Paused, None));
    assert_eq!(game.both(), (177_000 + 20_000, 182_000 + 20_000));
    game.undo(20, true);
    assert_eq!((game.both(), game.snapshot().to_move), ((177_000, 182_000), White));
}
