//! Before the game and at its edge: late players, the armed start, seats, the lock
//! (`timing.md` 6 and 8; Laws 6.6, 6.7).

use super::*;
use crate::engine::operation::{Arrived, End, Lock, Start, StartAt, SwapSides};

const MIN: i64 = 60_000;

fn awaited() -> Game {
    Game::with("1h30m", Profile::Fide, &[("default-time", "30m")])
}

fn defaults(game: &Game) -> Vec<(Instant, Side)> {
    game.log
        .iter()
        .filter_map(|output| match output.effect {
            Effect::DefaultTime { side } => Some((output.at, side)),
            _ => None,
        })
        .collect()
}

#[test]
fn with_both_absent_whites_clock_runs_and_both_are_told_at_the_end() {
    let mut game = awaited();
    game.wait(5 * MIN).command(Operation::from(Start { side: None })).unwrap();
    game.wait(20 * MIN);
    let snapshot = game.snapshot();
    assert_eq!(
        snapshot.sides.map(|side| side.lateness),
        BySide { white: Some(ms(20 * MIN)), black: Some(ms(20 * MIN)) }
    );
    game.wait(60 * MIN).poll();
    let end = at(35 * MIN);
    assert_eq!(defaults(&game), [(end, White), (end, Black)]);
    assert_eq!(game.both(), (10 * MIN, 90 * MIN));
    assert_eq!(game.snapshot().phase, Phase::Running, "the result is the arbiter's");
}

#[test]
fn whoever_has_come_is_not_late_and_whites_clock_goes_on() {
    let mut game = awaited();
    game.command(Operation::from(Start { side: None })).unwrap();
    game.wait(10 * MIN).command(Operation::from(Arrived { side: White })).unwrap();
    assert_eq!((game.side(White).lateness, game.left(White)), (None, 80 * MIN));
    game.wait(10 * MIN).press(White);
    assert_eq!(game.side(Black).lateness, Some(ms(20 * MIN)));
    game.wait(10 * MIN).poll();
    assert_eq!(defaults(&game), [(at(30 * MIN), Black)]);
    game.command(Operation::from(Arrived { side: Black })).unwrap();
    assert_eq!(game.side(Black).lateness, None);
}

#[test]
fn a_press_says_that_its_player_is_there() {
    let mut game = awaited();
    game.press(Black).wait(29 * MIN).press(White);
    game.wait(10 * MIN).poll();
    assert_eq!(defaults(&game), []);
    assert_eq!((game.side(White).lateness, game.side(Black).lateness), (None, None));
}

#[test]
fn lateness_is_counted_through_a_pause_but_not_before_the_start_or_after_the_end() {
    let mut game = awaited();
    assert_eq!(game.wait(40 * MIN).side(White).lateness, None);
    game.command(Operation::from(Start { side: None })).unwrap().pause();
    game.wait(30 * MIN).poll();
    assert_eq!(defaults(&game), [(at(70 * MIN), White), (at(70 * MIN), Black)]);
    assert_eq!((game.left(White), game.snapshot().phase), (90 * MIN, Phase::Paused));
    let mut ended = awaited();
    ended.command(Operation::from(Start { side: None })).unwrap();
    ended.wait(MIN).command(Operation::from(End { result: GameResult::Unfinished })).unwrap();
    ended.wait(60 * MIN).poll();
    assert_eq!((defaults(&ended), ended.side(White).lateness), (vec![], None));
}

#[test]
fn without_a_default_time_nobody_counts() {
    let mut game = Game::started("1h30m", Profile::Fide);
    game.wait(80 * MIN).poll();
    assert_eq!((defaults(&game), game.side(Black).lateness), (vec![], None));
}

#[test]
fn only_a_game_that_is_ready_is_armed_and_a_start_disarms_it() {
    let arm = |unix_us| Operation::from(StartAt { unix_us });
    let mut game = Game::ready("5m", Profile::Fide);
    game.command(arm(1)).unwrap();
    assert_eq!(game.engine.state().starts_at, Some(1));
    game.command(arm(0)).unwrap();
    assert_eq!(game.engine.state().starts_at, None);
    game.command(arm(2)).unwrap().press(Black);
    assert_eq!(game.engine.state().starts_at, None);
    assert_eq!(game.refused(arm(3)).kind(), RefusalKind::WrongPhase);
}

#[test]
fn swapping_seats_moves_nothing_that_belongs_to_the_colour() {
    let mut game = Game::started("3m+2s", Profile::Fide);
    game.moves(&[5_000]).wait(1_000);
    assert_eq!(game.refused(Operation::from(SwapSides {})).kind(), RefusalKind::WrongPhase);
    let before = game.pause().snapshot();
    let seat = game.engine.state().white_on;
    game.command(Operation::from(SwapSides {})).unwrap();
    assert_eq!((game.snapshot(), game.engine.state().white_on), (before, !seat));
    game.command(Operation::from(SwapSides {})).unwrap();
    assert_eq!(game.engine.state().white_on, seat);
}

#[test]
fn the_lock_stops_neither_presses_nor_the_pause_and_stays_in_a_new_game() {
    let mut game = Game::started("3m+2s", Profile::Fide);
    game.command(Operation::from(Lock { locked: true })).unwrap().moves(&[1_000]).pause();
    assert_eq!((game.side(White).moves, game.snapshot().phase), (1, Phase::Paused));
    let settings = Box::new(*game.engine.settings());
    game.new_game(&settings, true).unwrap();
    assert!(game.engine.state().locked);
}
