//! The side that should have been resumed, and the clock that comes back from a crash.

use super::*;
use crate::engine::operation::{ChooseRecovery, ResumeInstead};

fn instead(side: Side) -> Operation {
    Operation::from(ResumeInstead { side })
}

#[test]
fn the_broken_off_turn_goes_on_where_it_stood_and_the_wrong_ones_time_is_given_back() {
    let mut game = Game::started("1m delay 5s", Profile::Us);
    game.wait(2_000).pause().resume(Some(Black)).wait(9_000);
    game.command(instead(White)).unwrap();
    let snapshot = game.snapshot();
    assert_eq!((snapshot.phase, snapshot.to_move), (Phase::Running, White));
    let (white, black) = (snapshot.sides.white, snapshot.sides.black);
    assert_eq!((white.main, white.allowance, white.used), (ms(60_000), ms(3_000), ms(2_000)));
    assert_eq!((black.main, black.allowance), (ms(60_000), ms(5_000)));
    assert_eq!(game.wait(4_000).left(White), 59_000);
}

#[test]
fn after_a_resumption_of_the_side_to_move_the_other_one_begins_a_turn() {
    let mut game = Game::started("1m delay 5s", Profile::Us);
    game.wait(7_000).pause().resume(None).wait(9_000);
    game.command(instead(Black)).unwrap();
    assert_eq!(game.snapshot().to_move, Black);
    assert_eq!((game.side(White).main, game.side(White).allowance), (ms(58_000), ms(5_000)));
    assert_eq!(game.wait(6_000).left(Black), 59_000);
}

#[test]
fn a_correction_in_between_stays_and_a_fall_does_not() {
    let mut game = Game::started("5s", Profile::Fide);
    game.wait(3_000).pause().resume(Some(Black)).wait(6_000).poll();
    assert_eq!(game.side(Black).flag, Some(FlagKind::Fall));
    game.adjust(White, main_by(1_000)).command(instead(White)).unwrap();
    assert!(game.has(Effect::FlagLifted { side: Black }));
    assert_eq!((game.both(), game.snapshot().phase), ((3_000, 5_000), Phase::Running));
    assert!(game.snapshot().first_flag.is_some());
}

#[test]
fn without_a_wrong_resumption_there_is_nothing_to_mend() {
    let mut fresh = Game::started("5m", Profile::Fide);
    assert_eq!(fresh.refused(instead(Black)).kind(), RefusalKind::Nothing);
    let mut same = Game::started("5m", Profile::Fide);
    same.pause().resume(Some(Black));
    assert_eq!(same.refused(instead(Black)).kind(), RefusalKind::Nothing);
    same.press(Black);
    assert_eq!(same.refused(instead(Black)).kind(), RefusalKind::Nothing, "a press settles it");
}

#[test]
fn a_running_clock_comes_back_standing_with_two_candidates() {
    let mut game = Game::started("5m+2s", Profile::Fide);
    game.moves(&[1_000]).wait(4_000);
    let outputs = game.recover();
    assert!(outputs.is_empty());
    let snapshot = game.wait(600_000).snapshot();
    assert_eq!((snapshot.phase, snapshot.to_move), (Phase::Paused, Black));
    assert_eq!((game.both(), game.side(White).moves), ((303_000, 298_000), 1));
    let candidates = game.engine.candidates().unwrap();
    let left = |white, black| BySide { white: Some(ms(white)), black: Some(ms(black)) };
    assert_eq!(candidates.last_record, left(303_000, 298_000));
    assert_eq!(candidates.last_press, left(303_000, 302_000));
    for (candidate, black) in [
        (Candidate::LastPress, 302_000),
        (Candidate::LastRecord, 298_000),
        (Candidate::LastPress, 302_000),
    ] {
        game.command(Operation::from(ChooseRecovery { candidate })).unwrap();
        assert_eq!(game.both(), (303_000, black), "{candidate:?}");
    }
    game.resume(None).wait(1_000);
    assert_eq!((game.left(Black), game.engine.candidates()), (301_000, None));
    let choose = Operation::from(ChooseRecovery { candidate: Candidate::LastRecord });
    assert_eq!(game.refused(choose).kind(), RefusalKind::Nothing);
}

#[test]
fn a_correction_before_the_choice_is_in_both_candidates() {
    let mut game = Game::started("5m", Profile::Fide);
    game.wait(4_000);
    let _ = game.recover();
    game.adjust(White, main_by(10_000));
    game.command(Operation::from(ChooseRecovery { candidate: Candidate::LastPress })).unwrap();
    assert_eq!(game.left(White), 310_000);
}

#[test]
fn a_clock_that_stood_has_nothing_to_choose() {
    let mut game = Game::started("5m", Profile::Fide);
    game.wait(4_000).pause();
    let _ = game.recover();
    assert_eq!((game.engine.candidates(), game.left(White)), (None, 296_000));
}

#[test]
fn a_flag_due_before_the_last_record_has_fallen() {
    let mut game = Game::started("5s", Profile::Fide);
    game.wait(6_000);
    let outputs = game.recover();
    game.log.extend(outputs.as_slice());
    assert_eq!(game.side(White).flag_at, Some(ms(5_000)));
    assert_eq!((game.snapshot().phase, game.engine.candidates()), (Phase::Flagged, None));
}
