//! Laws that hold for every method and every game, tried on random ones.

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

#[derive(Clone, Copy, Debug)]
enum Event {
    Press(Side),
    Both,
    Command(Command),
}

fn event() -> impl Strategy<Value = Event> {
    let side = prop_oneof![Just(White), Just(Black)];
    let maybe = proptest::option::of(side.clone());
    let change = prop_oneof![
        (0..60_000i64).prop_map(|to| Change::To(ms(to))),
        (-9_000..30_000i64).prop_map(|by| Change::By(ms(by))),
    ];
    let adjust = (side.clone(), change).prop_map(|(side, main)| {
        let mut changes = BySide::<Adjustment>::default();
        changes[side].main = Some(main);
        Command::Adjust(changes)
    });
    prop_oneof![
        8 => side.clone().prop_map(Event::Press),
        1 => Just(Event::Both),
        2 => Just(Event::Command(Command::Pause)),
        4 => maybe.prop_map(|side| Event::Command(Command::Resume { side })),
        2 => adjust.prop_map(Event::Command),
        1 => (1..4u32, any::<bool>())
            .prop_map(|(count, refund)| Event::Command(Command::UndoPress { count, refund })),
        1 => side.prop_map(|side| Event::Command(Command::ConfirmStage { side })),
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
            let outputs = game.engine.press_both(at(game.now));
            game.log.extend(outputs.as_slice());
        }
        Event::Command(command) => {
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
                play(game, event);
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
            tried.command(Command::UndoPress { count: 1, refund: true }).unwrap();
            let after = tried.snapshot();
            prop_assert_eq!(after.to_move, before.to_move);
            prop_assert_eq!(after.sides, before.sides, "{}", control);
        }
    }
}
