//! The whole face of the box with its menus: what cannot go wrong at a table, tried out.

use proptest::prelude::*;

use super::*;
use crate::engine::{Adjustment, Change, State};
use crate::input::What;
use crate::menu::tests::{COUNT_PLACES, shipped, type_number};
use crate::menu::{TIME_OUT, Wish};

/// One stroke of a practised hand.
const STROKE: Span = Span::from_millis(400);

impl Table {
    fn with_menus(mut self) -> Table {
        self.panel = self.panel.clone().with_catalogue(shipped());
        self
    }

    /// A stroke, and whatever it means is done, the daemon's part by the test.
    fn act(&mut self, key: Key, what: What) {
        match self.stroke(key, what) {
            Some(Meaning::Press(seat)) => {
                let side = seat.side(self.engine.state().white_on);
                let _ = self.engine.press(self.now, side);
            }
            Some(Meaning::PressBoth) => {
                let _ = self.engine.press_both(self.now);
            }
            Some(Meaning::Command(command)) => {
                let done = self.engine.command(self.now, &command).is_ok();
                self.panel.answered(&command, done, self.engine.settings(), self.now);
            }
            Some(Meaning::Wish(Wish::NewGame { abandon, .. })) => {
                let settings = Box::new(self.engine.settings().clone());
                let _ = self.engine.new_game(self.now, settings, abandon);
            }
            Some(Meaning::Wish(Wish::Keep { slot, own })) => {
                self.panel.menu().kept(slot, own, Ok(shipped()), self.now);
            }
            Some(Meaning::Wish(_) | Meaning::Stuck(_) | Meaning::Freed(_)) | None => {}
        }
    }

    /// A short press, and the time it takes.
    fn tap(&mut self, key: Key) {
        self.act(key, What::Pressed);
        self.wait(Span::from_millis(60));
        self.act(key, What::Released);
        self.wait(STROKE - Span::from_millis(60));
    }

    /// A key held for so many seconds.
    fn hold(&mut self, key: Key, seconds: i64) {
        self.act(key, What::Pressed);
        for second in 1..=seconds {
            self.wait(s(1));
            self.act(key, What::Held(s(second)));
        }
        self.wait(Span::from_millis(100));
        self.act(key, What::Released);
        self.wait(Span::from_millis(300));
    }
}

fn paused_table(set: impl FnOnce(&mut Switches)) -> Table {
    let mut table = Table::started(one(mins(90), Method::PLAIN), set).with_menus();
    table.wait(s(1)).pause();
    table
}

const CLOCK_PLACES: [(u32, u32); 7] =
    [(360_000, 10), (36_000, 10), (3_600, 10), (600, 6), (60, 10), (10, 6), (1, 10)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn both_times_and_both_counters_are_corrected_in_under_a_minute_for_any_values(
        now in prop::array::uniform2((0..999 * 3_600u32, 0..=9_999u32)),
        then in prop::array::uniform2((0..999 * 3_600u32, 0..=9_999u32)),
        hold in any::<bool>(),
    ) {
        let mut table = paused_table(|switches| {
            switches.box_resume = if hold { BoxResume::Hold } else { BoxResume::Short };
        });
        let to = |(secs, moves): (u32, u32)| Adjustment {
            main: Some(Change::To(Span::from_secs(secs.into()))),
            moves: Some(moves),
            ..Adjustment::default()
        };
        table.command(&Command::Adjust(BySide { white: to(now[0]), black: to(now[1]) }));
        let began = table.now;
        table.hold(Key::Ok, 3);
        table.tap(Key::Ok);
        for side in 0..2 {
            type_number(&CLOCK_PLACES, now[side].0, then[side].0, |key| table.tap(key));
        }
        for side in 0..2 {
            type_number(&COUNT_PLACES, now[side].1, then[side].1, |key| table.tap(key));
        }
        // Past both stages, and done.
        for _ in 0..3 {
            table.tap(Key::Ok);
        }
        let took = table.now - began;
        prop_assert!(took < s(60), "{took:?}");
        prop_assert!(!table.panel.menu().is_open());
        for (side, (secs, moves)) in Side::BOTH.into_iter().zip(then) {
            let clock = table.engine.state().clocks[side];
            prop_assert_eq!((clock.main, clock.moves), (Span::from_secs(secs.into()), moves));
        }
    }
}

#[test]
fn the_farthest_correction_takes_under_a_minute() {
    let mut table = paused_table(|_| {});
    let begin = Adjustment { main: Some(Change::To(Span::ZERO)), ..Adjustment::default() };
    table.command(&Command::Adjust(BySide::both(begin)));
    let began = table.now;
    table.hold(Key::Ok, 3);
    table.tap(Key::Ok);
    // Each digit half way round, which is the farthest.
    let farthest = 555 * 3_600 + 35 * 60 + 35;
    for _ in 0..2 {
        type_number(&CLOCK_PLACES, 0, farthest, |key| table.tap(key));
    }
    for _ in 0..2 {
        type_number(&COUNT_PLACES, 0, 5_555, |key| table.tap(key));
    }
    for _ in 0..3 {
        table.tap(Key::Ok);
    }
    assert_eq!(table.engine.state().clocks.black.moves, 5_555);
    let took = table.now - began;
    assert!(took < s(60), "{took:?}");
    assert!(took > s(50), "the figure in docs/equipment-rules.md says about 57 s: {took:?}");
}

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
            let _ = honest.press(table.now, side);
        }
        let choice = table.panel.choice.unwrap_or(before.to_move);
        let short = table.engine.settings().switches.box_resume == BoxResume::Short;
        if key == Key::Pause {
            let command = match before.phase {
                Phase::Running => Some(Command::Pause),
                Phase::Paused if short => Some(Command::Resume { side: Some(choice) }),
                _ => None,
            };
            if let Some(command) = command {
                let _ = honest.command(table.now, &command).unwrap();
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
                    table.command(&Command::Lock { locked });
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

#[test]
fn holds_do_what_they_are_for_and_nothing_when_they_are_shorter() {
    for seconds in 0..=4 {
        let mut table = paused_table(|switches| switches.box_resume = BoxResume::Hold);
        table.hold(Key::Ok, seconds);
        let (phase, open) = (table.engine.phase(), table.panel.menu().is_open());
        let expected = match seconds {
            0 => (Phase::Paused, false),
            1 | 2 => (Phase::Running, false),
            _ => (Phase::Paused, true),
        };
        assert_eq!((phase, open), expected, "ok held for {seconds} s");
    }
    for (key, moves) in [(Key::Minus, (0, 0)), (Key::Plus, (1, 1))] {
        for seconds in [1, 2, 3] {
            let mut table = Table::started(one(mins(5), Method::PLAIN), |_| {}).with_menus();
            table.wait(s(3)).press().pause();
            table.hold(key, seconds);
            let clocks = &table.engine.state().clocks;
            let expected = if seconds < 2 { (1, 0) } else { moves };
            assert_eq!((clocks.white.moves, clocks.black.moves), expected, "{key:?} {seconds} s");
        }
    }
}

#[test]
fn a_pending_stage_is_confirmed_by_ok_held_for_two_seconds_running_or_paused() {
    let stage = Stage { moves: Some(1), confirm: true, ..stage(mins(5), Method::PLAIN) };
    let control = stages(vec![stage, super::stage(mins(30), Method::PLAIN)]);
    for pause in [false, true] {
        let mut table = Table::started(control.clone(), |_| {}).with_menus();
        table.wait(s(3)).press().wait(s(1));
        if pause {
            table.pause();
        }
        table.hold(Key::Ok, 1);
        assert!(table.engine.state().clocks.white.pending);
        table.hold(Key::Ok, 2);
        assert!(!table.engine.state().clocks.white.pending, "pause: {pause}");
        assert_eq!(table.engine.phase(), if pause { Phase::Paused } else { Phase::Running });
    }
}

#[test]
fn ok_and_pause_held_together_power_off_while_nothing_runs_and_start_nothing() {
    let mut table = Table::new(one(mins(5), Method::PLAIN), |_| {}).with_menus();
    assert_eq!(table.stroke(Key::Ok, What::Pressed), None);
    table.wait(Span::from_millis(100));
    assert_eq!(table.stroke(Key::Pause, What::Pressed), None);
    for second in 1..=4 {
        assert_eq!(table.stroke(Key::Ok, What::Held(s(second))), None);
        assert_eq!(table.stroke(Key::Pause, What::Held(s(second))), None);
    }
    assert_eq!(table.stroke(Key::Ok, What::Held(s(5))), None, "the later key counts");
    let off = table.stroke(Key::Pause, What::Held(s(5)));
    assert_eq!(off, Some(Meaning::Wish(Wish::PowerOff)));
    assert!(!table.panel.menu().is_open());
    table.command(&Command::Start { side: None });
    assert_eq!(table.stroke(Key::Pause, What::Held(s(5))), None, "a clock runs");
}

#[test]
fn a_player_who_presses_in_a_pause_is_told_so_and_in_a_menu_starts_nothing() {
    let mut table = paused_table(|_| {});
    table.act(Key::Right, What::Pressed);
    assert_eq!(table.right(), "PAU5E   ");
    table.wait(s(1));
    assert_eq!(table.right(), "   1.30.00");
    let mut table = Table::new(one(mins(5), Method::PLAIN), |_| {}).with_menus();
    table.tap(Key::Plus);
    table.tap(Key::Right);
    assert_eq!(table.engine.phase(), Phase::Ready);
    table.tap(Key::Pause);
    table.tap(Key::Right);
    assert_eq!(table.engine.phase(), Phase::Running);
}

#[test]
fn after_a_power_cut_both_records_are_shown_and_one_is_chosen() {
    let mut table = Table::started(one(mins(5), Method::PLAIN), |_| {});
    table.wait(s(3)).press().wait(s(60));
    let _ = table.engine.recover(table.now);
    table.panel.ask(table.engine.candidates());
    let shows = |table: &mut Table| {
        let view = table.view_at(ms(100_000));
        (read(&view.frame.left), read(&view.frame.right))
    };
    assert_eq!(shows(&mut table), ("r    4.57".into(), "r    4.00".into()));
    table.act(Key::Plus, What::Pressed);
    assert_eq!(shows(&mut table), ("P    4.57".into(), "P    5.00".into()));
    table.act(Key::Ok, What::Pressed);
    assert_eq!(table.engine.state().clocks.black.main, mins(5));
    assert_eq!(table.right(), "     5.00");
    table.act(Key::Ok, What::Released);
    table.tap(Key::Pause);
    assert_eq!(table.engine.phase(), Phase::Running);
}

#[test]
fn where_players_may_not_pause_the_pause_key_is_held_for_a_second() {
    let mut table =
        Table::started(one(mins(5), Method::PLAIN), |switches| switches.player_pause = false);
    table.tap(Key::Pause);
    assert_eq!(table.engine.phase(), Phase::Running);
    table.hold(Key::Pause, 1);
    assert_eq!(table.engine.phase(), Phase::Paused);
}
