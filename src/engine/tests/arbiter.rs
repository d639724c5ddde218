//! The arbiter's corrections (`timing.md` 6).

use super::*;
use crate::engine::operation::{Adjust, End, Start};

const MIN: i64 = 60_000;

fn refusal(game: &mut Game, side: Side, adjustment: Adjustment) -> Refusal {
    let before = *game.engine.state();
    let mut changes = BySide::<Adjustment>::default();
    changes[side] = adjustment;
    let refusal = game.command(Operation::from(Adjust::from(changes))).err().unwrap();
    assert_eq!(*game.engine.state(), before, "a refused command changes nothing");
    refusal
}

#[test]
fn a_correction_edits_main_and_leaves_the_allowance_of_the_turn() {
    for control in ["5m delay 5s", "5m bronstein 5s"] {
        let mut game = Game::started(control, Profile::Us);
        game.pause().set_main(White, 3_000).resume(None);
        assert_eq!(game.left(White), 8_000, "{control}");
        game.moves(&[6_000, 0]);
        assert_eq!(game.side(White).main, ms(2_000), "{control}: not 3 s per move for ever");
    }
}

#[test]
fn both_sides_are_corrected_in_one_step_or_not_at_all() {
    let mut game = Game::started("5m", Profile::Fide);
    game.pause();
    let changes = BySide { white: main_by(-10_000), black: main_by(-301_000) };
    let refusal = game.command(Operation::from(Adjust::from(changes))).err().unwrap();
    assert_eq!(refusal, Refusal::BelowZero { side: Black });
    assert_eq!(game.both(), (5 * MIN, 5 * MIN));
    let changes = BySide { white: main_by(-10_000), black: main_to(MIN) };
    game.command(Operation::from(Adjust::from(changes))).unwrap();
    assert_eq!(game.both(), (5 * MIN - 10_000, MIN));
}

#[test]
fn a_running_clock_is_not_corrected() {
    let mut game = Game::started("5m", Profile::Fide);
    assert_eq!(refusal(&mut game, White, main_to(1)).kind(), RefusalKind::WrongPhase);
}

#[test]
fn what_does_not_fit_the_control_is_refused() {
    let mut game = Game::ready("40/1h, 30m", Profile::Fide);
    let nothing = Adjustment::default();
    for adjustment in [
        nothing,
        Adjustment { stage: Some(0), ..nothing },
        Adjustment { stage: Some(3), ..nothing },
        Adjustment { stage_time: true, ..main_to(1) },
        Adjustment { periods: Some(1), ..nothing },
        Adjustment { stones: Some(1), ..nothing },
        Adjustment { overtime: Some(ms(1)), ..nothing },
        Adjustment { moves: Some(u32::MAX), ..nothing },
        Adjustment { main: Some(Span::MAX), ..nothing },
        main_to(-1),
        main_by(-3_600_001),
    ] {
        let refusal = refusal(&mut game, White, adjustment);
        assert_eq!(refusal.kind(), RefusalKind::InvalidArgument, "{adjustment:?}");
    }
    for control in ["up", "up 10s", "byoyomi 3x30s"] {
        let mut game = Game::ready(control, Profile::Fide);
        assert_eq!(refusal(&mut game, White, main_to(-1)), Refusal::BelowZero { side: White });
    }
    let mut canadian = Game::ready("canadian 3/3m", Profile::Fide);
    refusal(&mut canadian, White, Adjustment { stones: Some(0), ..nothing });
    refusal(&mut canadian, White, Adjustment { overtime: Some(ms(-1)), ..nothing });
}

#[test]
fn periods_stones_and_overtime_can_be_set() {
    let mut game = Game::started("10s byoyomi 3x30s", Profile::Club);
    game.wait(45_000).pause();
    let periods = Adjustment { periods: Some(3), overtime: Some(ms(20_000)), ..main_to(0) };
    game.adjust(White, periods);
    assert_eq!(game.left(White), 80_000);
    let mut canadian = Game::ready("canadian 3/3m", Profile::Club);
    canadian.adjust(White, Adjustment { stones: Some(1), ..Adjustment::default() });
    assert_eq!(canadian.side(White).stones, Some(1));
}

#[test]
fn a_stage_that_fired_one_move_early_is_taken_back_with_its_time() {
    let mut game = Game::started("40/2h, 30m+30s", Profile::Fide);
    game.moves(&[0; 78]).pause().set_main(White, MIN).resume(None).moves(&[0]).pause();
    assert_eq!(game.left(White), 31 * MIN + 30_000);
    let back =
        Adjustment { stage: Some(1), moves: Some(39), stage_time: true, ..Adjustment::default() };
    game.adjust(White, back);
    let white = game.side(White);
    assert_eq!((white.remaining, white.stage), (Some(ms(MIN)), 1));
    assert_eq!((white.moves, white.moves_to_stage), (39, Some(1)));
}

#[test]
fn a_stage_set_by_hand_adds_no_time_by_itself() {
    let mut game = Game::ready("40/2h, 30m+30s", Profile::Fide);
    let forward = Adjustment { stage: Some(2), ..Adjustment::default() };
    game.adjust(White, forward);
    assert_eq!((game.left(White), game.side(White).stage), (120 * MIN, 2));
    game.adjust(Black, Adjustment { stage_time: true, ..forward });
    assert_eq!(game.left(Black), 150 * MIN + 30_000);
}

#[test]
fn setting_the_counter_leaves_the_stages_beginning() {
    let mut game = Game::ready("40/2h, 30m", Profile::Fide);
    game.adjust(White, Adjustment { moves: Some(38), ..Adjustment::default() });
    assert_eq!(game.side(White).moves_to_stage, Some(2));
    game.press(Black).moves(&[0, 0, 0]);
    assert_eq!((game.side(White).stage, game.side(Black).stage), (2, 1));
}

#[test]
fn time_given_to_a_fallen_side_lifts_its_fall_but_not_the_memory_of_it() {
    let mut game = Game::started("10s", Profile::Fide);
    game.wait(11_000).poll().adjust(White, main_by(60_000));
    let snapshot = game.snapshot();
    assert_eq!((snapshot.phase, snapshot.sides.white.flag), (Phase::Paused, None));
    assert_eq!(snapshot.first_flag.map(|first| first.at), Some(ms(10_000)));
    assert!(game.has(Effect::FlagLifted { side: White }));
    assert_eq!(game.resume(None).left(White), 60_000);
}

#[test]
fn time_given_to_the_other_side_lifts_nothing() {
    let mut game = Game::started("10s", Profile::Fide);
    game.wait(11_000).poll().adjust(Black, main_by(60_000));
    assert_eq!(game.snapshot().phase, Phase::Flagged);
}

#[test]
fn a_lifted_fall_shows_the_stage_flag_that_was_there_before() {
    let mut game = Game::started("10s, 5s", Profile::Fide);
    game.wait(20_000).poll().adjust(White, main_to(1_000));
    let white = game.side(White);
    assert_eq!((white.flag, white.flag_at), (Some(FlagKind::Stage), Some(ms(10_000))));
}

#[test]
fn an_ended_game_keeps_its_times_and_can_be_opened_again() {
    let mut game = Game::started("5m", Profile::Fide);
    game.wait(1_000).command(Operation::from(End { result: GameResult::WhiteWins })).unwrap();
    assert_eq!(game.wait(9_000).both(), (299_000, 300_000));
    assert_eq!(game.engine.state().result, Some(GameResult::WhiteWins));
    game.press(White);
    assert!(game.has(Effect::Ignored { side: White, reason: IgnoreReason::Ended }));
    game.resume(None).wait(1_000);
    assert_eq!((game.left(White), game.engine.state().result), (298_000, None));
}

#[test]
fn start_can_name_either_side_and_works_once() {
    let mut game = Game::ready("5m", Profile::Fide);
    game.command(Operation::from(Start { side: Some(Black) })).unwrap();
    assert_eq!(game.wait(1_000).both(), (300_000, 299_000));
    let refusal = game.command(Operation::from(Start { side: None })).err().unwrap();
    assert!(refusal.to_string().contains("runs already"), "{refusal}");
}

#[test]
fn times_set_before_the_start_are_kept() {
    let mut game = Game::ready("5m", Profile::Fide);
    game.set_main(White, 15 * MIN).command(Operation::from(Start { side: None })).unwrap();
    assert_eq!(game.both(), (15 * MIN, 5 * MIN));
}
