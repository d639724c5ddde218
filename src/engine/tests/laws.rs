//! Laws that hold for every method and every game, tried on random ones.

use crate::engine::operation::{
    Adjust, ConfirmStage, End, InsertPress, Pause, Penalty, Press, Quickplay, Resume,
    ResumeInstead, SwapSides, UndoPress,
};
use proptest::prelude::*;

use super::*;

/// A control of each kind.
const CONTROLS: [&str; 20] = [
    "5m",
    "3m+2s",
    "20s+10s cap 25s",
    "25s delay 5s",
    "25s bronstein 5s",
    "2/30s, 20s+3s",
    "30s, 20s, 10s+1s",
    "2/20s+5s confirm, 30s",
    "2/20s+2s repeat",
    "20s byoyomi 3x10s",
    "20s+3s byoyomi 3x10s",
    "5s byoyomi 3x10s free 4s",
    "5s byoyomi 3x10s free 4s burn-on-entry",
    "10s canadian 2/20s then 3/15s",
    "20s overtime 1m",
    "hourglass 30s",
    "move 10s",
    "move 10s continue",
    "up 2m",
    "white 30s+2s; black 20s delay 3s",
];

#[derive(Clone, Debug)]
enum Event {
    Press(Side),
    Both,
    Operation(Operation),
}

fn event() -> impl Strategy<Value = Event> {
    let side = prop_oneof![Just(White), Just(Black)];
    let maybe = proptest::option::of(side.clone());
    let change =
        prop_oneof![(0..60_000i64).prop_map(main_to), (-9_000..30_000i64).prop_map(main_by),];
    let adjust = (side.clone(), change).prop_map(|(side, change)| {
        let mut changes = BySide::<Adjustment>::default();
        changes[side] = change;
        Operation::from(Adjust::from(changes))
    });
    prop_oneof![
        8 => side.clone().prop_map(Event::Press),
        1 => Just(Event::Both),
        2 => Just(Event::Operation(Operation::from(Pause {}))),
        4 => maybe.prop_map(|side| Event::Operation(Operation::from(Resume { side }))),
        2 => adjust.prop_map(Event::Operation),
        1 => (1..4u32, any::<bool>())
            .prop_map(|(count, refund)| Event::Operation(Operation::from(UndoPress { count, refund }))),
        1 => side.clone().prop_map(|side| Event::Operation(Operation::from(ConfirmStage { side }))),
        1 => operation(side).prop_map(Event::Operation),
    ]
}

/// What an arbiter does more rarely.
fn operation(side: impl Strategy<Value = Side> + Clone) -> impl Strategy<Value = Operation> {
    let by_hand = (side.clone(), 1..4u32, any::<bool>()).prop_map(|(side, stage, stage_time)| {
        let mut changes = BySide::<Adjustment>::default();
        changes[side] = Adjustment { stage: Some(stage), stage_time, ..Adjustment::default() };
        Operation::from(Adjust::from(changes))
    });
    let penalty = (side.clone(), proptest::sample::select(&Offence::ALL), any::<bool>()).prop_map(
        |(offender, offence, after_reply)| {
            Operation::from(Penalty { offender, offence, after_reply })
        },
    );
    prop_oneof![
        2 => penalty,
        2 => (1..4u32).prop_map(|count| Operation::from(InsertPress { count })),
        1 => side.clone().prop_map(|side| Operation::from(ResumeInstead { side })),
        1 => side.prop_map(|claimant| Operation::from(Quickplay { claimant })),
        1 => by_hand,
        1 => Just(Operation::from(SwapSides {})),
        1 => Just(Operation::from(End { result: GameResult::Unfinished })),
    ]
}

/// A random game: what happens, and after how many milliseconds.
fn game() -> impl Strategy<Value = (&'static str, Profile, Vec<(i64, Event)>)> {
    let profile = prop_oneof![Just(Profile::Fide), Just(Profile::Us), Just(Profile::Club)];
    let events = proptest::collection::vec((0..15_000i64, event()), 1..60);
    (proptest::sample::select(&CONTROLS[..]), profile, events)
}

fn play(game: &mut Game, event: Event) {
    match event {
        Event::Press(side) => {
            game.poll().press(side);
        }
        Event::Both => {
            game.poll();
            game.command(Press { side: White, both: true }).unwrap();
        }
        Event::Operation(command) => {
            let _ = game.command(command).map(|_| ());
        }
    }
}

proptest! {
    #[test]
    fn extra_polls_change_neither_state_nor_stamps((control, profile, events) in game(), polls in 1..9i64) {
        let mut lazy = Game::started(control, profile);
        let mut eager = Game::started(control, profile);
        for (pause, event) in events {
            for part in 1..=polls {
                let now = at(eager.now + pause * part / polls);
                let outputs = eager.engine.poll(now);
                eager.log.extend(outputs.as_slice());
            }
            for game in [&mut lazy, &mut eager] {
                game.wait(pause);
                play(game, event.clone());
            }
            prop_assert_eq!(lazy.snapshot(), eager.snapshot());
        }
        prop_assert_eq!(lazy.log, eager.log);
    }

    #[test]
    fn only_the_running_clock_changes_and_by_exactly_the_time_that_passes((control, profile, events) in game()) {
        let mut game = Game::started(control, profile);
        for (pause, event) in events {
            // So far that nothing happens by itself meanwhile.
            let quiet = game.engine.next_deadline().map_or(pause, |deadline| {
                pause.min((deadline - at(game.now)).as_nanos() / 1_000_000)
            });
            let before = game.snapshot();
            let after = game.engine.snapshot(at(game.now + quiet));
            let runs = |side| before.phase == Phase::Running && before.to_move == side;
            for side in Side::BOTH {
                let spent = before.sides[side].remaining.unwrap() - after.sides[side].remaining.unwrap();
                let fallen = before.sides[side].flag == Some(FlagKind::Fall);
                let expected = match control {
                    "move 10s continue" if before.sides[side].remaining.unwrap() < ms(quiet) => continue,
                    "hourglass 30s" if runs(!side) && before.first_flag.is_none() => -quiet,
                    _ if runs(side) && !fallen => quiet,
                    _ => 0,
                };
                prop_assert_eq!(spent, ms(expected), "{} of {}", side, control);
            }
            game.wait(pause);
            play(&mut game, event);
        }
    }

    #[test]
    fn remaining_is_never_below_zero_and_zero_while_running_is_flagged((control, profile, events) in game()) {
        let mut game = Game::started(control, profile);
        for (pause, event) in events {
            game.wait(pause);
            play(&mut game, event);
            let snapshot = game.snapshot();
            for side in Side::BOTH {
                let view = snapshot.sides[side];
                let left = view.remaining.unwrap();
                prop_assert!(!left.is_negative(), "{:?} of {}", left, control);
                let runs = snapshot.phase == Phase::Running && snapshot.to_move == side;
                if runs && left == Span::ZERO && control != "move 10s continue" {
                    prop_assert_eq!(view.flag, Some(FlagKind::Fall));
                }
            }
        }
    }

    #[test]
    fn press_then_undo_leaves_both_clocks_as_they_were((control, profile, events) in game(), later in 0..5_000i64) {
        let mut game = Game::started(control, profile);
        for (pause, event) in events {
            game.wait(pause);
            play(&mut game, event);
            let before = game.snapshot();
            let running = before.phase == Phase::Running;
            let fallen = before.sides[before.to_move].flag == Some(FlagKind::Fall);
            if !running || fallen {
                continue;
            }
            let mut tried = Game { engine: game.engine.clone(), now: game.now, log: Vec::new() };
            tried.press(before.to_move).wait(later);
            tried.command(Operation::from(UndoPress { count: 1, refund: true })).unwrap();
            let after = tried.snapshot();
            prop_assert_eq!(after.to_move, before.to_move);
            prop_assert_eq!(after.sides, before.sides, "{}", control);
        }
    }

    #[test]
    fn the_next_deadline_lies_ahead_once_what_was_due_is_decided((control, profile, events) in game()) {
        let mut game = Game::started(control, profile);
        for (pause, event) in events {
            game.wait(pause);
            play(&mut game, event);
            // Ends in a panic where deadlines do not move on.
            game.poll();
            let ahead = game.engine.next_deadline().is_none_or(|next| next > at(game.now));
            prop_assert!(ahead, "{}: {:?}", control, game.engine.state());
        }
    }

    #[test]
    fn a_refused_command_changes_nothing((control, profile, events) in game()) {
        let mut game = Game::started(control, profile);
        for (pause, event) in events {
            game.wait(pause).poll();
            let before = game.engine.save(at(game.now));
            if let Event::Operation(command) = event {
                if game.command(command.clone()).is_err() {
                    prop_assert_eq!(game.engine.save(at(game.now)), before, "{:?}", command);
                }
            } else {
                play(&mut game, event);
            }
        }
    }

    #[test]
    fn save_then_restore_is_the_identity_now_and_later(
        (control, profile, events) in game(),
        place in any::<prop::sample::Index>(),
    ) {
        let place = place.index(events.len());
        let mut game = Game::started(control, profile);
        for (pause, event) in &events[..place] {
            game.wait(*pause);
            play(&mut game, event.clone());
        }
        if game.poll().engine.phase() == Phase::Running {
            game.pause();
        }
        let saved = game.engine.save(at(game.now));
        prop_assert_eq!(saved.check(), Ok(()));
        let engine = Engine::restore(saved.clone());
        let mut other = Game { engine, now: game.now, log: game.log.clone() };
        prop_assert_eq!(other.engine.save(at(other.now)), saved);
        for (pause, event) in &events[place..] {
            // Which side was resumed before is not taken along.
            if matches!(event, Event::Operation(Operation::ResumeInstead(_))) {
                continue;
            }
            for game in [&mut game, &mut other] {
                game.wait(*pause);
                play(game, event.clone());
            }
            prop_assert_eq!(other.snapshot(), game.snapshot());
        }
        prop_assert_eq!(other.log, game.log);
    }

    #[test]
    fn nobody_gains_or_loses_by_a_pause(
        control in proptest::sample::select(&CONTROLS[..]),
        thinking in proptest::collection::vec((0..9_000i64, 0..9_000i64, 0..99_000i64), 1..30),
    ) {
        let mut plain = Game::started(control, Profile::Us);
        let mut paused = Game::started(control, Profile::Us);
        for (before, after, pause) in thinking {
            plain.wait(before + after).poll();
            paused.wait(before).pause().wait(pause).resume(None).wait(after).poll();
            for game in [&mut plain, &mut paused] {
                let side = game.engine.state().to_move;
                game.press(side);
            }
            let sides = |game: &mut Game| game.snapshot().sides.map(|side| SideView {
                flag_at: None,
                stage_flag_at: None,
                ..side
            });
            prop_assert_eq!(sides(&mut paused), sides(&mut plain), "{}", control);
        }
    }

    #[test]
    fn time_is_conserved(
        (control, granted) in proptest::sample::select(&LEDGERS[..]),
        events in proptest::collection::vec((0..6_000i64, event_of_the_ledger()), 1..60),
    ) {
        let mut game = Game::started(control, Profile::Club);
        let given = game.snapshot().sides.map(|side| side.remaining.unwrap());
        let mut account = BySide { white: Span::ZERO, black: Span::ZERO };
        for (pause, event) in events {
            let before = game.snapshot();
            let to_move = before.to_move;
            if before.phase == Phase::Running {
                account[to_move] -= ms(pause).min(before.sides[to_move].remaining.unwrap());
            }
            let at_press = game.wait(pause).snapshot();
            if at_press.phase == Phase::Flagged {
                break;
            }
            match event {
                Entry::Press if at_press.phase == Phase::Running => {
                    account[to_move] += granted(&at_press.sides[to_move]);
                    game.press(to_move);
                }
                Entry::Press => {
                    game.press(to_move);
                }
                Entry::Pause => {
                    game.pause();
                }
                Entry::Resume if at_press.phase == Phase::Paused => {
                    game.resume(None);
                }
                Entry::Resume => {}
                Entry::Give(side, more) if at_press.phase == Phase::Paused => {
                    account[side] += ms(more);
                    game.adjust(side, main_by(more));
                }
                Entry::Give(..) => {}
                Entry::Penalty(offender) => {
                    let offence = Offence::QuickplayClaim;
                    account[!offender] += Span::from_mins(2);
                    let penalty = Operation::from(Penalty { offender, offence, after_reply: false });
                    game.command(penalty).unwrap();
                }
            }
            let snapshot = game.snapshot();
            for side in Side::BOTH {
                let left = snapshot.sides[side].remaining.unwrap();
                prop_assert_eq!(left - account[side], given[side], "{} of {}", side, control);
            }
        }
    }
}

/// What can happen to a time that is kept account of.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Press,
    Pause,
    Resume,
    Give(Side, i64),
    Penalty(Side),
}

fn event_of_the_ledger() -> impl Strategy<Value = Entry> {
    let side = prop_oneof![Just(White), Just(Black)];
    prop_oneof![
        8 => Just(Entry::Press),
        2 => Just(Entry::Pause),
        4 => Just(Entry::Resume),
        1 => (side.clone(), 0..20_000i64).prop_map(|(side, more)| Entry::Give(side, more)),
        1 => side.prop_map(Entry::Penalty),
    ]
}

/// A control, and by how much a press lengthens what its side has left, told from what can be seen
/// just before it.
type Ledger = (&'static str, fn(&SideView) -> Span);

/// An account for each method whose clocks know nothing of each other.
const LEDGERS: [Ledger; 14] = [
    ("1m", |_| Span::ZERO),
    ("30s+2s", |_| ms(2_000)),
    ("20s+10s cap 25s", |side| (ms(25_000) - side.main).or_zero().min(ms(10_000))),
    ("25s delay 5s", |side| ms(5_000) - side.allowance),
    ("25s bronstein 5s", |side| ms(5_000) - side.allowance),
    ("0s delay 5s", |side| ms(5_000) - side.allowance),
    ("2/20s+2s repeat", |side| ms(if side.moves % 2 == 1 { 22_000 } else { 2_000 })),
    ("2/30s, 20s+3s", |side| match side.moves {
        0 => Span::ZERO,
        1 => ms(23_000),
        _ => ms(3_000),
    }),
    ("2/30s+1s confirm, 30s", |_| ms(1_000)),
    ("20s byoyomi 3x10s", |side| ms(10_000) - side.overtime.unwrap()),
    ("10s+3s byoyomi 3x10s", |side| {
        let increment = if side.main.is_positive() { ms(3_000) } else { Span::ZERO };
        increment + ms(10_000) - side.overtime.unwrap()
    }),
    ("5s byoyomi 3x10s free 4s burn-on-entry", |side| {
        ms(4_000) - side.allowance - side.overtime.unwrap()
    }),
    ("10s canadian 2/20s", |side| match (side.main, side.stones) {
        (Span::ZERO, Some(1)) => ms(20_000) - side.overtime.unwrap(),
        _ => Span::ZERO,
    }),
    ("20s overtime 1m", |_| Span::ZERO),
];

#[test]
fn the_sum_of_an_hourglass_never_changes() {
    let mut game = Game::started("hourglass 30s", Profile::Club);
    for (thinking, paused) in [(1, 5), (20_000, 0), (3_333, 77), (17, 9), (45_000, 1)] {
        game.wait(thinking).pause().wait(paused).resume(None).moves(&[0]);
        let (white, black) = game.both();
        assert_eq!(white + black, 60_000);
    }
}
