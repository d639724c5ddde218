//! The menus by themselves, on a real engine; the test plays the daemon.

mod choosing;
mod correcting;
mod making;
mod pages;

use super::catalogue::{Offer, Slot};
use super::compose::Part;
use super::options::GameOption;
use super::page::Line;
use super::*;
use crate::control::presets::Presets;
use crate::control::{Control, Profile, notation};
use crate::display::read;
use crate::engine::operation::{Adjust, ChangeControl, Lock, NewGame, Pause, Start};
use crate::engine::{Engine, Operation, ReplacePolicy};

/// Everything that ships, and five empty slots.
pub(crate) fn shipped() -> Box<Catalogue> {
    let presets = Presets::shipped();
    let presets = presets.iter().zip(1..);
    Box::new(Catalogue {
        edition: 0,
        presets: presets.map(|(p, n)| Offer::of_preset(n, p)).collect(),
        slots: Default::default(),
    })
}

/// Menus in front of a game.
struct Bench {
    engine: Engine,
    menu: Menu,
    kept: [Option<Control>; SLOTS],
    now: Instant,
    look: Look,
}

impl Bench {
    fn new(control: &str) -> Bench {
        Bench::under(control, Profile::Club)
    }

    fn under(control: &str, profile: Profile) -> Bench {
        let settings = Settings::new(notation::parse(control).unwrap(), profile);
        Bench {
            engine: Engine::new(Instant::ZERO, settings),
            menu: Menu::new(shipped()),
            kept: Default::default(),
            now: Instant::ZERO,
            look: Look { brightness: 8, tenths_below: Span::ZERO, sound: options::Sounding::On },
        }
    }

    fn paused(control: &str) -> Bench {
        Bench::paused_under(control, Profile::Club)
    }

    fn paused_under(control: &str, profile: Profile) -> Bench {
        let mut bench = Bench::under(control, profile);
        for command in [Operation::from(Start { side: None }), Operation::from(Pause {})] {
            let _ = bench.engine.apply(bench.now, &command).unwrap();
        }
        bench
    }

    fn with<T>(&mut self, f: impl FnOnce(&mut Menu, &Game<'_>, Instant) -> T) -> T {
        let state = *self.engine.state();
        let snapshot = self.engine.snapshot(self.now);
        let game = Game {
            settings: self.engine.settings(),
            snapshot: &snapshot,
            white_on: state.white_on,
            began: state.began,
            look: self.look,
            locked: state.locked,
        };
        self.menu.follow(self.now, &state);
        f(&mut self.menu, &game, self.now)
    }

    fn lock(&mut self, locked: bool) {
        let _ = self.engine.apply(self.now, &Operation::from(Lock { locked })).unwrap();
        self.with(|_, _, _| ());
    }

    fn enter(&mut self) -> &mut Bench {
        self.with(Menu::enter);
        self
    }

    fn stroke(&mut self, key: Key, what: What) -> &mut Bench {
        let stroke = Stroke { key, what, at: self.now };
        if let Some(asked) = self.with(|menu, game, _| menu.take(stroke, game)) {
            self.do_it(asked);
        }
        self.wait(400)
    }

    fn press(&mut self, key: Key) -> &mut Bench {
        self.stroke(key, What::Pressed)
    }

    fn wait(&mut self, ms: i64) -> &mut Bench {
        self.now += Span::from_millis(ms);
        self.with(|_, _, _| ());
        self
    }

    fn control(&self, choice: Choice) -> Control {
        let control = match choice {
            Choice::Preset { place, .. } => {
                Presets::shipped().iter().nth(place).map(|preset| preset.control)
            }
            Choice::Slot(slot) => self.kept[slot],
        };
        control.unwrap()
    }

    fn do_it(&mut self, asked: Asked) {
        let now = self.now;
        match asked {
            Asked::Look(look) => self.look = look,
            Asked::Correct(changes) => {
                let done = self.engine.apply(now, &Operation::from(Adjust::from(changes))).is_ok();
                self.menu.corrected(done, self.engine.settings(), now);
            }
            Asked::Wish(Wish::NewGame { choice, abandon }) => {
                let settings = Settings::new(self.control(choice), Profile::Club);
                let new_game = NewGame::of(&settings, abandon).into();
                let _ = self.engine.apply(now, &new_game).unwrap();
            }
            Asked::Wish(Wish::Keep { slot, own }) => {
                let control = own.control();
                let outcome = match notation::check(&control) {
                    Ok(()) => {
                        let mut catalogue = shipped();
                        let offer = Some(Offer::of_slot(slot, &control));
                        catalogue.slots[slot] = Slot { offer, own: None };
                        self.kept[slot] = Some(control);
                        Ok(catalogue)
                    }
                    Err((side, stage, _)) => Err((side, stage)),
                };
                self.menu.kept(slot, own, outcome, now);
            }
            Asked::Wish(Wish::Option(option)) => {
                let mut settings = *self.engine.settings();
                if let GameOption::WhiteOn(seat) = option {
                    settings.white_on = seat;
                }
                let new_game = NewGame::of(&settings, false).into();
                let _ = self.engine.apply(now, &new_game).unwrap();
            }
            Asked::Wish(Wish::ChangeControl(choice)) => {
                let control = self.control(choice);
                let (control, how) = (Box::new(control.into()), ReplacePolicy::Kept);
                match self.engine.apply(now, &ChangeControl { control, how }.into()) {
                    Ok(_) => self.menu.done(Message::Mark(['2', '4', '8', 'F']), now),
                    Err(_) => self.menu.refused(Message::Refused, now),
                }
            }
            Asked::Wish(Wish::Look(_) | Wish::PowerOff) => {}
        }
    }

    /// Both displays, what blinks in brackets.
    fn shows(&mut self) -> String {
        let line = |line: Line| {
            let blinking = if line.blinking == 0 {
                String::new()
            } else {
                let mut up = line;
                for (place, cell) in up.cells.iter_mut().enumerate() {
                    if line.blinking >> place & 1 == 0 {
                        *cell = 0;
                    }
                }
                format!(" <{}>", read(&up.cells).trim())
            };
            format!("{}{blinking}", read(&line.cells).trim_end())
        };
        match self.with(|menu, game, now| menu.page(game, now)) {
            None => "the game".to_owned(),
            Some(page) => format!("{} | {}", line(page.left), line(page.right)),
        }
    }

    /// Where the making of a control is.
    fn making(&self) -> Option<(Part, Own)> {
        match self.menu.open {
            Some(Open { at: At::Compose(compose), .. }) => {
                Some((compose.part(), self.menu.drafts[compose.slot]))
            }
            _ => None,
        }
    }
}

/// Steps a number that is seen whole to another one: digit by digit, the shorter way round.
pub(crate) fn type_number(places: &[(u32, u32)], from: u32, to: u32, mut key: impl FnMut(Key)) {
    if from == to {
        return key(Key::Ok);
    }
    key(Key::Plus);
    for (weight, radix) in places {
        let (from, to) = (from / weight % radix, to / weight % radix);
        let up = (to + radix - from) % radix;
        let (times, step) =
            if up <= radix / 2 { (up, Key::Plus) } else { (radix - up, Key::Minus) };
        for _ in 0..times {
            key(step);
        }
        key(Key::Ok);
    }
}

pub(crate) const COUNT_PLACES: [(u32, u32); 4] = [(1_000, 10), (100, 10), (10, 10), (1, 10)];

#[test]
fn locked_means_locked() {
    let mut bench = Bench::paused("5m");
    bench.enter();
    bench.lock(true);
    assert!(!bench.menu.is_open(), "an open menu closes");
    bench.enter();
    assert_eq!(bench.shows(), "LoC | LoC");
    bench.wait(2_000);
    assert_eq!(bench.shows(), "the game");
    bench.with(Menu::choose);
    assert!(!bench.menu.is_open());
    bench.lock(false);
    bench.enter();
    assert!(bench.menu.is_open());
}

#[test]
fn a_menu_closes_when_the_clock_runs_or_another_game_stands_there() {
    let mut bench = Bench::new("5m");
    bench.enter();
    let _ = bench.engine.apply(bench.now, &Operation::from(Start { side: None })).unwrap();
    assert_eq!(bench.shows(), "the game");
    let mut bench = Bench::paused("5m");
    bench.enter().press(Key::Ok);
    let settings = *bench.engine.settings();
    let new_game = NewGame::of(&settings, true).into();
    let _ = bench.engine.apply(bench.now, &new_game).unwrap();
    assert_eq!(bench.shows(), "the game");
}
