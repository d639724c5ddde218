//! Taking presses back (`timing.md` 6, *Undo press*).

use super::*;
use crate::engine::operation::UndoPress;

#[test]
fn press_then_undo_is_the_identity() {
    for control in [
        "3m+2s",
        "5m delay 5s",
        "5m bronstein 5s",
        "1/5m, 3m+2s",
        "2s byoyomi 3x10s",
        "2s canadian 2/1m",
        "hourglass 1m",
        "move 10s",
        "byoyomi 3x10s free 2s burn-on-entry",
    ] {
        let mut pressed = Game::started(control, Profile::Fide);
        let mut thinking = Game::started(control, Profile::Fide);
        pressed.wait(3_000).press(White).wait(4_000);
        pressed.undo(1, true);
        thinking.wait(3_000).pause();
        let (mut pressed, thinking) = (*pressed.engine.state(), *thinking.engine.state());
        pressed.since = thinking.since;
        // Whoever has pressed was there.
        pressed.attendance = thinking.attendance;
        assert_eq!(pressed, thinking, "{control}");
    }
}

#[test]
fn an_accidental_press_is_taken_back_and_the_presser_goes_on() {
    let mut game = Game::started("3m+2s", Profile::Fide);
    game.moves(&[1_000]).wait(5_000);
    game.undo(1, true);
    let snapshot = game.snapshot();
    assert_eq!((snapshot.phase, snapshot.to_move), (Phase::Paused, White));
    assert_eq!(game.both(), (181_000, 182_000));
    assert_eq!(game.side(White).moves, 0);
    game.resume(None).wait(1_000);
    assert_eq!(game.both(), (180_000, 182_000));
}

#[test]
fn without_refund_what_the_other_side_used_stays_used() {
    let mut game = Game::started("3m delay 2s", Profile::Fide);
    game.moves(&[1_000]).wait(5_000);
    game.undo(1, false);
    let (white, black) = (game.side(White), game.side(Black));
    assert_eq!((white.main, white.allowance, white.moves), (ms(180_000), ms(1_000), 0));
    assert_eq!((black.main, black.allowance), (ms(177_000), ms(2_000)), "its next turn is fresh");
}

#[test]
fn a_stage_reached_by_the_press_is_withdrawn() {
    for refund in [true, false] {
        let mut game = Game::started("1/5m, 3m+2s", Profile::Fide);
        game.moves(&[1_000]);
        game.undo(1, refund);
        let white = game.side(White);
        assert_eq!((white.remaining, white.stage), (Some(ms(299_000)), 1));
        assert_eq!(white.moves_to_stage, Some(1));
    }
}

#[test]
fn a_first_zero_change_since_the_press_goes_with_refund_and_stays_without() {
    for (refund, stage, white, black) in [(true, 1, 10_000, 10_000), (false, 2, 15_000, 5_000)] {
        let mut game = Game::started("10s, 5s", Profile::Fide);
        game.moves(&[0]).wait(10_000).poll();
        game.undo(1, refund);
        assert_eq!(game.side(White).stage, stage, "refund {refund}");
        assert_eq!(game.both(), (white, black), "refund {refund}");
    }
}

#[test]
fn a_fall_since_the_press_is_lifted_with_refund() {
    let mut game = Game::started("10s", Profile::Fide);
    game.moves(&[1_000]).wait(10_000).poll();
    game.undo(1, true);
    let snapshot = game.snapshot();
    assert_eq!((snapshot.phase, snapshot.sides.black.flag), (Phase::Paused, None));
    assert!(snapshot.first_flag.is_some());
    assert!(game.has(Effect::FlagLifted { side: Black }));
    let mut kept = Game::started("10s", Profile::Fide);
    kept.moves(&[1_000]).wait(10_000).poll();
    kept.undo(1, false);
    assert_eq!(kept.snapshot().phase, Phase::Flagged);
}

#[test]
fn differences_given_since_stay_differences_and_values_stay_final() {
    for refund in [true, false] {
        let mut game = Game::started("3m+2s", Profile::Fide);
        game.moves(&[1_000]).pause().adjust(White, main_by(60_000));
        game.undo(1, refund);
        assert_eq!(game.left(White), 241_000, "a difference, refund {refund}");
        let mut game = Game::started("3m+2s", Profile::Fide);
        game.moves(&[1_000]).pause().set_main(White, 60_000);
        game.undo(1, refund);
        assert_eq!(game.left(White), 60_000, "a value, refund {refund}");
    }
}

#[test]
fn an_undone_period_comes_back() {
    let mut game = Game::started("1s byoyomi 3x10s", Profile::Club);
    game.moves(&[3_000]);
    game.undo(1, true);
    let white = game.side(White);
    assert_eq!((white.overtime, white.periods), (Some(ms(8_000)), Some(3)));
    assert_eq!(game.snapshot().to_move, White);
}

#[test]
fn at_least_twenty_presses_can_be_taken_back_at_once_or_one_by_one() {
    for one_by_one in [false, true] {
        let mut game = Game::started("3m+2s", Profile::Fide);
        game.moves(&[500; 40]);
        if one_by_one {
            for _ in 0..20 {
                game.undo(1, true);
            }
        } else {
            game.undo(20, true);
        }
        let mut reference = Game::started("3m+2s", Profile::Fide);
        reference.moves(&[500; 20]).wait(500);
        assert_eq!(game.both(), reference.both());
        assert_eq!(game.side(White).moves, 10);
    }
}

#[test]
fn more_presses_than_are_known_are_refused_whole() {
    let mut game = Game::started("3m+2s", Profile::Fide);
    let command = Operation::from(UndoPress { count: 1, refund: true });
    assert_eq!(game.command(command).err().map(|r| r.kind()), Some(RefusalKind::Nothing));
    game.moves(&[500, 500]);
    let command = Operation::from(UndoPress { count: 3, refund: true });
    let refusal = game.command(command).err();
    assert_eq!(refusal, Some(Refusal::TooManyPresses { asked: 3, possible: 2 }));
    assert_eq!(game.snapshot().phase, Phase::Running);
    let command = Operation::from(UndoPress { count: 0, refund: true });
    assert!(game.command(command).is_err());
}
