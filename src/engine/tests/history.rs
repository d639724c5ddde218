//! The moves of a game under another control (`timing.md` 6, *What-if*, *Change control*).

use super::*;
use crate::engine::operation::{
    Adjust, ChangeControl, Import, InsertPress, Pause, Penalty, Press, Resume, Start, SwapSides,
    UndoPress,
};

const MIN: i64 = 60_000;

fn replayed_control() -> Operation {
    let control = Box::new(notation::parse("5m").unwrap().into());
    ChangeControl { control, how: ReplacePolicy::Replayed }.into()
}

/// A game whose events are kept.
struct Recorded {
    game: Game,
    history: History,
}

impl Recorded {
    fn started(control: &str, profile: Profile) -> Recorded {
        let game = Game::ready(control, profile);
        let mut recorded = Recorded { game, history: History::new(Instant::ZERO) };
        recorded.command(Operation::from(Start { side: None }));
        recorded
    }

    fn wait(&mut self, ms: i64) -> &mut Recorded {
        self.game.wait(ms);
        self
    }

    fn effects(&mut self, from: usize) {
        for output in &self.game.log[from..] {
            self.history.effect(output, self.game.engine.settings());
        }
    }

    fn poll(&mut self) -> &mut Recorded {
        let told = self.game.log.len();
        self.game.poll();
        self.effects(told);
        self
    }

    fn press(&mut self, side: Side) -> &mut Recorded {
        self.poll();
        self.command(Press { side, both: false })
    }

    fn command(&mut self, command: impl Into<Operation>) -> &mut Recorded {
        self.poll();
        let told = self.game.log.len();
        let (command, before) = (command.into(), *self.game.engine.state());
        self.game.command(command.clone()).unwrap();
        self.history.operation(at(self.game.now), &command, &before);
        self.effects(told);
        self
    }

    fn adjust(&mut self, side: Side, adjustment: Adjustment) -> &mut Recorded {
        let mut changes = BySide::<Adjustment>::default();
        changes[side] = adjustment;
        self.command(Operation::from(Adjust::from(changes)))
    }

    fn moves(&mut self, thinking: &[i64]) -> &mut Recorded {
        for time in thinking {
            self.wait(*time).poll();
            self.press(self.game.engine.state().to_move);
        }
        self
    }

    /// The game as it would stand now under another control.
    fn under(&mut self, control: &str) -> Game {
        self.poll();
        let settings = *self.game.engine.settings();
        let control = notation::parse(control).unwrap();
        let now = self.game.now;
        let engine = self.history.under(control, &settings, at(now)).unwrap();
        Game { engine, now, log: Vec::new() }
    }
}

#[test]
fn after_fourteen_moves_the_increments_that_were_missing_are_there() {
    let mut game = Recorded::started("1h30m", Profile::Fide);
    game.moves(&[0; 28]).wait(30 * MIN).command(Operation::from(Pause {}));
    let mut replayed = game.under("1h30m+30s");
    assert_eq!(replayed.both(), (67 * MIN + 30_000, 97 * MIN + 30_000));
    assert_eq!((replayed.side(White).moves, replayed.snapshot().phase), (14, Phase::Paused));
    let mut same = game.under("1h30m");
    assert_eq!(same.snapshot().sides, game.game.snapshot().sides);
}

#[test]
fn after_fourteen_moves_the_increments_that_were_too_much_are_gone() {
    let mut game = Recorded::started("3m+5s", Profile::Fide);
    game.moves(&[1_000; 28]).command(Operation::from(Pause {}));
    let mut replayed = game.under("3m delay 2s");
    assert_eq!((replayed.side(White).main, replayed.side(Black).main), (ms(180_000), ms(180_000)));
}

#[test]
fn a_fall_is_reported_and_the_rest_computed_as_if_nothing_froze() {
    let mut game = Recorded::started("1m", Profile::Fide);
    game.moves(&[12_000, 3_000, 1_000]).command(Operation::from(Pause {}));
    let mut replayed = game.under("10s");
    let snapshot = replayed.snapshot();
    assert_eq!(snapshot.sides.white.flag_at, Some(ms(10_000)));
    assert_eq!(snapshot.first_flag.map(|first| first.side), Some(White));
    assert_eq!(replayed.both(), (0, 7_000));
    assert_eq!(replayed.side(White).moves, 2);
}

#[test]
fn nobody_thinks_on_at_a_clock_that_a_flag_has_stopped() {
    let mut game = Recorded::started("10s", Profile::Fide);
    game.moves(&[1_000]).wait(600_000).command(Operation::from(Pause {}));
    let mut replayed = game.under("5m");
    assert_eq!(replayed.both(), (299_000, 290_000));
    assert_eq!((replayed.snapshot().to_move, replayed.snapshot().phase), (Black, Phase::Paused));
}

#[test]
fn pauses_differences_and_penalties_are_replayed_and_values_are_not() {
    let mut game = Recorded::started("3m", Profile::Fide);
    game.moves(&[1_000]).wait(2_000).command(Operation::from(Pause {})).wait(60_000);
    game.adjust(White, main_by(-7_000)).adjust(Black, main_to(5_000));
    game.command(Operation::from(Resume { side: None })).wait(500);
    let offence = Offence::WrongClaim;
    game.command(Operation::from(Penalty { offender: White, offence, after_reply: false }));
    let mut replayed = game.under("5m");
    assert_eq!(replayed.both(), (292_000, 297_500 + MIN));
    assert_eq!(replayed.side(White).penalties.wrong_claim, 1);
}

#[test]
fn undone_inserted_and_ignored_presses_count_as_they_did() {
    let mut game = Recorded::started("3m", Profile::Fide);
    game.moves(&[1_000, 1_000, 1_000]).press(White);
    game.command(Operation::from(UndoPress { count: 1, refund: true }));
    game.command(Operation::from(InsertPress { count: 2 }));
    let mut replayed = game.under("5m+2s");
    assert_eq!((replayed.side(White).moves, replayed.side(Black).moves), (2, 2));
    assert_eq!(replayed.both(), (304_000, 305_000));
}

#[test]
fn the_stages_of_the_other_control_come_where_they_would_have_come() {
    let mut game = Recorded::started("1h", Profile::Fide);
    game.moves(&[0; 5]).command(Operation::from(Pause {}));
    let mut replayed = game.under("3/10m, 5m+10s");
    assert_eq!((replayed.side(White).stage, replayed.side(Black).stage), (2, 1));
    assert_eq!(replayed.both(), (15 * MIN + 10_000, 10 * MIN));
}

#[test]
fn an_imported_games_moves_are_not_known() {
    let mut game = Recorded::started("3m", Profile::Fide);
    game.moves(&[0]);
    let before = *game.game.engine.state();
    game.history.operation(at(game.game.now), &Import::default().into(), &before);
    let settings = *game.game.engine.settings();
    let refusal = game.history.under(settings.control, &settings, at(0)).err().unwrap();
    assert_eq!(refusal.kind(), RefusalKind::Nothing);
    // What is not kept cannot be taken back: a stroke that does not count changes nothing.
    game.command(Operation::from(Pause {}));
    game.press(White).press(Black);
}

#[test]
fn a_game_without_end_is_not_kept_without_end() {
    let mut game = Recorded::started("3m", Profile::Fide);
    let settings = *game.game.engine.settings();
    let known =
        |game: &Recorded| game.history.under(settings.control, &settings, at(0)).map(|_| ());
    for _ in 0..8_000 {
        game.command(Operation::from(Pause {}));
        game.command(Operation::from(Resume { side: None }));
    }
    assert_eq!(known(&game), Ok(()));
    for _ in 0..400 {
        game.command(Operation::from(Pause {}));
        game.command(Operation::from(Resume { side: None }));
    }
    let refusal = known(&game).unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::Nothing);
    assert!(refusal.to_string().contains("more has happened in this game than is kept"));
    game.command(Operation::from(Pause {}));
    game.press(White).press(Black);
}

#[test]
fn a_replayed_control_takes_the_games_place_and_keeps_who_sits_where_and_fell_first() {
    let mut game = Recorded::started("10s", Profile::Fide);
    game.moves(&[1_000]).wait(10_000).poll();
    game.command(Operation::from(SwapSides {}));
    let seat = game.game.engine.state().white_on;
    let mut replayed = game.under("5m");
    assert_eq!(replayed.snapshot().first_flag, None);
    let live = &mut game.game;
    live.engine.adopt(at(live.now), &replayed_control(), &mut replayed.engine).unwrap();
    assert_eq!((live.both(), live.snapshot().phase), ((299_000, 290_000), Phase::Paused));
    assert_eq!(live.engine.state().white_on, seat);
    let first = live.snapshot().first_flag.unwrap();
    assert_eq!((first.side, first.at), (Black, ms(11_000)));
    live.resume(None).moves(&[500, 0]).undo(3, true);
    assert_eq!(live.both(), (299_000, 300_000), "presses of before can be taken back");
}

#[test]
fn a_running_clock_is_not_replaced() {
    let mut game = Recorded::started("5m", Profile::Fide);
    game.moves(&[1_000]);
    let mut replayed = game.under("1h");
    let before = game.game.engine.save(at(game.game.now));
    let live = &mut game.game;
    let refusal = live.engine.adopt(at(live.now), &replayed_control(), &mut replayed.engine);
    assert_eq!(refusal.err().map(|refusal| refusal.kind()), Some(RefusalKind::WrongPhase));
    assert_eq!(live.engine.save(at(live.now)), before);
}
