//! Every way through the keys, and long random ones.

use super::*;
use crate::engine::State;
use crate::engine::operation::{Lock, Pause, Press, Resume};
use crate::menu::TIME_OUT;

/// Tries every sequence of short presses up to that length and gives each game to `check`, with
/// one on which only presses of players, pauses and resumptions were done.
fn every_sequence(table: &Table, honest: &Engine, length: usize, tried: &mut usize) {
    for key in Key::ALL {
        let mut table = table.clone();
        let mut honest = honest.clone();
        let before = *table.engine.state();
        // What the rules let this press do, by themselves.
        let side = match key {
            Key::Left => Some(Seat::Left.side(before.white_on)),
            Key::Right => Some(Seat::Right.side(before.white_on)),
            _ => None,
        };
        if let Some(side) = side {
            let _ = honest.apply(table.now, &Press { side, both: false }.into()).unwrap();
        }
        let choice = table.panel.choice.unwrap_or(before.to_move);
        let short = table.engine.settings().switches.box_resume == BoxResume::Short;
        if key == Key::Pause {
            let command = match before.phase {
                Phase::Running => Some(Operation::from(Pause {})),
                Phase::Paused if short => Some(Operation::from(Resume { side: Some(choice) })),
                _ => None,
            };
            if let Some(command) = command {
                let _ = honest.apply(table.now, &command).unwrap();
            }
        }
        table.tap(key);
        while !honest.poll(table.now).is_empty() {}
        let same = |state: &State| *state == *honest.state();
        assert!(same(table.engine.state()), "{key:?} after {before:?}");
        *tried += 1;
        if length > 1 {
            every_sequence(&table, &honest, length - 1, tried);
        }
    }
}

#[test]
fn no_six_short_presses_change_a_running_game_but_by_legitimate_presses_and_pause() {
    for profile in [Profile::Club, Profile::Fide] {
        let switches = profile.switches();
        let stage = Stage { moves: Some(2), confirm: true, ..stage(mins(5), Method::PLAIN) };
        let control = stages(vec![stage, super::stage(mins(5), delay(s(5)))]);
        let mut table = Table::started(control, |own| *own = switches);
        for _ in 0..5 {
            table.wait(s(7)).press();
        }
        assert!(table.engine.state().clocks.white.pending, "a stage to be confirmed, too");
        let honest = table.engine.clone();
        let mut tried = 0;
        every_sequence(&table, &honest, 6, &mut tried);
        assert_eq!(tried, 6 + 36 + 216 + 1_296 + 7_776 + 46_656);
    }
}

/// A small generator of numbers, the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i64::try_from(self.0 % sides.unsigned_abs()).unwrap()
    }

    fn key(&mut self) -> Key {
        Key::ALL[usize::try_from(self.roll(6)).unwrap()]
    }
}

/// Who runs, as somebody at the table sees it.
fn looks_true(table: &mut Table) {
    let view = table.view();
    let state = *table.engine.state();
    let lit = |seat: Seat| match seat {
        Seat::Left => view.signals.lamp_left,
        Seat::Right => view.signals.lamp_right,
    };
    let seat = state.to_move.seat(state.white_on);
    if state.phase == Phase::Running {
        assert!(lit(seat) && !lit(!seat), "the lamp of the side that runs");
        assert!(!table.panel.menu().is_open(), "no menu hides a clock that runs");
        let digits = read(view.frame.of(seat));
        assert!(digits.contains(|c: char| c.is_ascii_digit()), "{digits:?} shows no time");
    } else {
        assert!(!(lit(Seat::Left) && lit(Seat::Right)), "never both lamps");
        let (left, right) = (view.frame.left[7], view.frame.right[7]);
        let points = (left | right) & crate::display::glyph::POINT;
        assert!(points == 0 || table.panel.menu().is_open(), "no point blinks");
    }
}

#[test]
fn a_week_of_random_keys_finds_no_dead_end_and_no_display_that_lies() {
    let controls = [
        one(mins(90), Method::granting(Grant::Increment { each: s(30), cap: None })),
        one(mins(25), delay(s(5))),
        one(mins(10), byoyomi(5, s(30))),
        one(mins(3), Method::Hourglass),
    ];
    let mut dice = Dice(0x5eed_f1a9);
    let mut opened = 0;
    for (control, profile) in controls.into_iter().zip(Profile::ALL) {
        let settings = profile.switches();
        let mut table = Table::new(control, |own| *own = settings).with_menus();
        let end = table.now + Span::from_hours(7 * 24 / 4);
        while table.now < end {
            let mut key = dice.key();
            if table.panel.menu().is_open() && key == Key::Pause && dice.roll(10) > 0 {
                // Deeper into the menus than chance would lead.
                key = Key::Ok;
            }
            match dice.roll(60) {
                0 => table.hold(key, 1 + dice.roll(6)),
                1 => {
                    table.wait(s(dice.roll(300)));
                }
                6 => table.hold(Key::Ok, 3),
                2 => {
                    // Both of the arbiter's keys at once.
                    table.act(Key::Ok, What::Pressed);
                    table.hold(Key::Pause, 6);
                    table.act(Key::Ok, What::Released);
                }
                3 => {
                    table.act(key, What::Stuck);
                    table.wait(s(20));
                    table.act(key, What::Freed);
                }
                4 => {
                    table.act(Key::Left, What::PressedTogether);
                    table.act(Key::Right, What::PressedTogether);
                }
                5 => {
                    let locked = dice.roll(8) == 1;
                    table.command(&Operation::from(Lock { locked }));
                }
                _ => table.tap(key),
            }
            looks_true(&mut table);
            if !table.panel.menu().is_open() {
                continue;
            }
            opened += 1;
            if dice.roll(50) > 0 {
                continue;
            }
            // A way back by keys from here, and by time.
            let (mut by_keys, mut by_time) = (table.clone(), table.clone());
            let mut pauses = 0;
            while by_keys.panel.menu().is_open() {
                by_keys.tap(Key::Pause);
                pauses += 1;
                assert!(pauses < 500, "no way back");
            }
            by_time.wait(TIME_OUT);
            let _ = by_time.view();
            assert!(!by_time.panel.menu().is_open(), "no time-out");
        }
    }
    assert!(opened > 10_000, "the menus were walked through: {opened} strokes");
}

/// Tries every sequence of short presses from a sheet that offers other controls.
fn every_way_from_the_control(table: &Table, length: usize, changes: &mut usize) {
    for key in Key::ALL {
        let mut table = table.clone();
        let before = *table.engine.state();
        let control = table.engine.settings().control;
        let open = table.panel.menu().is_open();
        table.tap(key);
        let after = *table.engine.state();
        if !open {
            // Back at the game: that is another test's.
            continue;
        }
        if table.engine.settings().control != control {
            assert_eq!(key, Key::Ok);
            assert!(!table.panel.menu().is_open());
            *changes += 1;
        }
        assert_eq!(after.phase, Phase::Paused);
        for side in Side::BOTH {
            let (was, is) = (before.clocks[side], after.clocks[side]);
            assert_eq!((was.main, was.moves), (is.main, is.moves), "{key:?}");
        }
        if length > 1 {
            every_way_from_the_control(&table, length - 1, changes);
        }
    }
}

#[test]
fn no_five_short_presses_at_the_control_change_a_time_or_a_counter() {
    let mut table = paused_table(|_| {});
    table.press();
    table.hold(Key::Ok, 3);
    // The item, six sheets, done: nothing was stepped.
    for _ in 0..8 {
        table.tap(Key::Ok);
    }
    assert_eq!(table.left(), "CtrL    ");
    let mut changes = 0;
    every_way_from_the_control(&table, 5, &mut changes);
    assert!(changes > 0, "and the control can be changed there");
}
