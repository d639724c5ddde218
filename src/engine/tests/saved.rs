//! A game as a value: adjourned, or taken to another clock (`timing.md` 6, *Export / import*).

use super::*;
use crate::engine::operation::{Import, Lock, Penalty, SwapSides};

/// Takes a game to a clock that has been on for `on` and has another game.
fn carry(game: &mut Game, on: i64) -> Game {
    game.poll();
    let saved = game.engine.save(at(game.now));
    assert_eq!(saved.check(), Ok(()));
    let mut other = Game::ready("1h", Profile::Us);
    other.wait(on);
    let mut engine = Engine::restore(saved);
    other.engine.adopt(at(on), &Import::default().into(), &mut engine).unwrap();
    other
}

#[test]
fn an_imported_game_goes_on_to_the_nanosecond_and_can_be_undone() {
    for control in [
        "3m+2s",
        "2/1m delay 5s, 30s+3s",
        "1m bronstein 5s",
        "10s byoyomi 3x10s free 4s burn-on-entry",
        "10s canadian 2/20s then 3/15s",
        "hourglass 1m",
    ] {
        let mut game = Game::started(control, Profile::Club);
        game.moves(&[3_000, 4_000, 12_000]).wait(1_234);
        let mut other = carry(&mut game, 9_999_999);
        game.pause();
        assert_eq!(other.snapshot().sides, game.snapshot().sides, "{control}");
        for game in [&mut game, &mut other] {
            game.resume(None).moves(&[1_500, 700]).wait(10).undo(4, true);
        }
        assert_eq!(other.snapshot().sides, game.snapshot().sides, "{control}, undone");
        assert_eq!(other.snapshot().to_move, game.snapshot().to_move);
    }
}

#[test]
fn flags_penalties_and_seats_go_along_and_the_lock_stays() {
    let mut game = Game::started("10s, 5s", Profile::Us);
    game.wait(11_000).pause().command(Operation::from(SwapSides {})).unwrap();
    let offence = Offence::IllegalMove;
    let penalty = Operation::from(Penalty { offender: Black, offence, after_reply: false });
    game.command(penalty).unwrap().resume(None).wait(200_000);
    game.pause().command(Operation::from(Lock { locked: true })).unwrap();
    let mut other = carry(&mut game, 1_000_000);
    let (old, new) = (game.snapshot(), other.snapshot());
    assert_eq!(new.sides.black.penalties, old.sides.black.penalties);
    assert_eq!(other.engine.state().white_on, game.engine.state().white_on);
    assert!(!other.engine.state().locked);
    for side in Side::BOTH {
        assert_eq!(new.sides[side].flag, old.sides[side].flag);
        let ago =
            |snapshot: &Snapshot| snapshot.sides[side].flag_at.map(|flag_at| snapshot.at - flag_at);
        assert_eq!(ago(&new), ago(&old), "it fell as long ago as there");
    }
    let first =
        |snapshot: &Snapshot| snapshot.first_flag.map(|first| (first.side, first.remaining));
    assert_eq!(first(&new), first(&old));
    assert!(first(&new).is_some());
}

#[test]
fn a_running_clock_takes_no_other_game() {
    let mut game = Game::started("5m", Profile::Fide);
    game.wait(1_000);
    let before = game.engine.save(at(1_000));
    let mut other = Engine::restore(Game::started("1h", Profile::Us).engine.save(at(0)));
    let refusal =
        game.engine.adopt(at(1_000), &Import::default().into(), &mut other).err().unwrap();
    assert_eq!(refusal.kind(), RefusalKind::WrongPhase);
    assert_eq!(game.engine.save(at(1_000)), before);
}

#[test]
fn what_no_game_can_come_to_is_found() {
    let mut game = Game::started("3m+2s", Profile::Fide);
    game.moves(&[1_000, 1_000]);
    let sound = game.engine.save(at(game.now));
    assert_eq!(sound.check(), Ok(()));
    let spoilt: [fn(&mut Saved); 8] = [
        |saved| saved.taken = ms(-1),
        |saved| saved.taken = Span::MAX,
        |saved| saved.state.clocks.black.stage = 1,
        |saved| saved.turn.white.stage = 7,
        |saved| saved.presses[1].before.white.stage = 7,
        |saved| saved.state.clocks.white.main = ms(-1),
        |saved| saved.presses[0].before.black.main = Span::MAX,
        |saved| saved.state.clocks.white.moves = u32::MAX,
    ];
    for (number, spoil) in spoilt.into_iter().enumerate() {
        let mut saved = sound.clone();
        spoil(&mut saved);
        assert!(saved.check().is_err(), "number {number}");
    }
    let mut long = sound.clone();
    long.presses = vec![sound.presses[0]; 33];
    assert!(long.check().is_err());
}
