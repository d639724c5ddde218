//! The menus of the box (`box.md` 3): strokes in, requests out. Pure.
//!
//! Does nothing itself: it says what is wanted ([`Asked`]), and is told what came of it. It knows
//! no clock, changes no game, and allocates nothing after it was made. A drawing of all states
//! stands in `docs/box.md`.
//!
//! | looking for | see |
//! |---|---|
//! | a number, digit by digit | [`entry`] |
//! | presets and slots | [`catalogue`] |
//! | putting a control together | [`compose`], [`own`] |
//! | correcting times, counters, stages | [`correct`] |
//! | sound, brightness, freeze ... | [`options`] |
//! | what a menu shows | [`page`] |

mod answers;
mod asked;
pub mod catalogue;
mod choosing;
pub mod compose;
pub mod correct;
pub mod entry;
mod items;
mod message;
pub mod options;
pub mod own;
pub mod page;
mod show;

pub use asked::{Asked, Choice, Wish};
pub use message::{Message, TOLD};

use crate::control::{Seat, Settings, Side};
use crate::engine::{Phase, Snapshot, State};
use crate::input::{Key, Stroke, What};
use crate::time::{Instant, Span};
use catalogue::{Catalogue, SLOTS};
use compose::{Compose, Step};
use correct::Correct;
use items::{BEGUN, Item, READY, items, place};
use options::{Look, Options, Set};
use own::Own;

/// A menu that nobody touches for this long closes; what was entered stays entered.
pub const TIME_OUT: Span = Span::from_secs(60);

/// How long ok is held to finish a number.
const FINISH_HOLD: Span = Span::from_secs(1);

/// How many presets plus or minus leap over while it is held, each second.
const LEAP: usize = 10;

/// The game that a stroke is made at.
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    /// What it is set to.
    pub settings: &'a Settings,
    /// How it stands at the stroke.
    pub snapshot: &'a Snapshot,
    /// Where White sits.
    pub white_on: Seat,
    /// When it began: tells it from every other game.
    pub began: Instant,
    /// How the box looks.
    pub look: Look,
    /// Menus and correction are locked.
    pub locked: bool,
}

/// Where in the menus somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    First(usize),
    Choose(usize),
    Slots(usize),
    Compose(Compose),
    /// A control is on its way to its slot.
    Keeping(usize),
    /// A new game or another setting is on its way.
    Setting,
    Correct(Correct),
    /// The engine is asked.
    Applying(Correct),
    /// Correcting ends with the control: a choice, or the present one.
    Control(Option<usize>),
    /// Another control is on its way.
    Changing(usize),
    Options(Options),
}

/// The menus.
#[derive(Clone, Debug)]
pub struct Menu {
    catalogue: Box<Catalogue>,
    drafts: Box<[Own; SLOTS]>,
    /// What carries a control to the daemon and comes back.
    carrier: Option<Box<Own>>,
    open: Option<Open>,
    /// What was entered in a correction that was left.
    left_correction: Option<Correct>,
    told: Option<(Message, Instant)>,
    /// A slot whose control was refused is looked at again from there.
    last_choice: usize,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    at: At,
    /// The last stroke.
    since: Instant,
    phase: Phase,
    began: Instant,
}

impl Menu {
    /// Menus over what can be chosen.
    #[must_use]
    pub fn new(catalogue: Box<Catalogue>) -> Self {
        let mut drafts = Box::new([Own::NEW; SLOTS]);
        for (draft, slot) in drafts.iter_mut().zip(&catalogue.slots) {
            if let Some(own) = &slot.own {
                *draft = **own;
            }
        }
        Menu {
            catalogue,
            drafts,
            carrier: Some(Box::new(Own::NEW)),
            open: None,
            left_correction: None,
            told: None,
            last_choice: 0,
        }
    }

    /// True while a menu is up: it takes every stroke but those of the players' buttons.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Says something for a while.
    pub fn tell(&mut self, message: Message, now: Instant) {
        self.told = Some((message, now));
    }

    /// The first menu, for a game that does not run.
    pub fn enter(&mut self, game: &Game<'_>, now: Instant) {
        self.go(At::First(0), game, now);
    }

    /// Choosing, for a game that is ready.
    pub fn choose(&mut self, game: &Game<'_>, now: Instant) {
        self.go(At::Choose(self.last_choice), game, now);
    }

    fn go(&mut self, at: At, game: &Game<'_>, now: Instant) {
        if game.locked {
            self.tell(Message::Locked, now);
            return;
        }
        self.told = None;
        let phase = game.snapshot.phase;
        self.open = Some(Open { at, since: now, phase, began: game.began });
    }

    /// Closes what was left alone for too long, and whatever another game or phase has overtaken.
    pub fn follow(&mut self, now: Instant, state: &State) {
        let State { phase, began, locked, .. } = *state;
        if phase == Phase::Running {
            self.left_correction = None;
        }
        if let Some(Open { at: At::Options(_), began: then, phase: Phase::Ready, .. }) =
            &mut self.open
        {
            // Another setting of a game that is ready makes it another game.
            *then = began;
        }
        if let Some(open) = &self.open
            && (locked
                || now - open.since >= TIME_OUT
                || open.phase != phase
                || open.began != began)
        {
            self.close();
        }
        if let Some((_, since)) = self.told
            && (now - since >= TOLD || phase == Phase::Running)
        {
            self.told = None;
        }
    }

    fn close(&mut self) {
        if let Some(Open { at: At::Correct(correct) | At::Applying(correct), .. }) = self.open {
            self.left_correction = Some(correct);
        }
        self.open = None;
    }

    /// Takes a stroke of the arbiter's keys while a menu is open.
    pub fn take(&mut self, stroke: Stroke, game: &Game<'_>) -> Option<Asked> {
        let now = stroke.at;
        let open = self.open.as_mut()?;
        open.since = now;
        if self.told.take().is_some() && stroke.what == What::Pressed {
            // A message that is in the way is put away first.
            return None;
        }
        let up = stroke.key == Key::Plus;
        match (stroke.key, stroke.what) {
            (Key::Plus | Key::Minus, What::Pressed) => self.step(up, game),
            (Key::Plus | Key::Minus, What::Held(_)) => self.leap(up, game),
            (Key::Ok, What::Pressed) => return self.pass(game, now),
            (Key::Ok, What::Held(FINISH_HOLD)) => self.finish(),
            (Key::Pause, What::Pressed) => self.back(game),
            _ => {}
        }
        None
    }

    fn step(&mut self, up: bool, game: &Game<'_>) {
        let catalogue = &self.catalogue;
        let Some(Open { at, phase, .. }) = &mut self.open else { return };
        let turn = |place: &mut usize, count: usize| {
            *place = (*place + if up { 1 } else { count - 1 }) % count;
        };
        match at {
            At::First(item) => turn(item, items(*phase).len()),
            At::Choose(choice) => turn(choice, catalogue.choices()),
            At::Slots(slot) => turn(slot, SLOTS),
            At::Compose(compose) => compose.step(&mut self.drafts[compose.slot], up),
            At::Correct(correct) => correct.step(up),
            At::Options(options) => options.step(up, game.snapshot.phase == Phase::Ready),
            At::Control(control) => *control = choosing::next(*control, up, catalogue),
            At::Keeping(_) | At::Setting | At::Applying(_) | At::Changing(_) => {}
        }
    }

    fn leap(&mut self, up: bool, game: &Game<'_>) {
        if let Some(Open { at: At::Choose(_) | At::Control(_), .. }) = self.open {
            for _ in 0..LEAP {
                self.step(up, game);
            }
        }
    }

    fn finish(&mut self) {
        match &mut self.open {
            Some(Open { at: At::Compose(compose), .. }) => {
                compose.finish(&mut self.drafts[compose.slot]);
            }
            Some(Open { at: At::Correct(correct), .. }) => correct.finish(),
            _ => {}
        }
    }

    fn pass(&mut self, game: &Game<'_>, now: Instant) -> Option<Asked> {
        let Some(Open { at, phase, .. }) = &mut self.open else { return None };
        match at {
            At::First(item) => {
                let item = items(*phase).get(*item).copied().unwrap_or(Item::Options);
                let to = match item {
                    Item::Correct => At::Correct(self.correction(game)),
                    Item::New | Item::Choose => At::Choose(self.last_choice),
                    Item::Own => At::Slots(0),
                    Item::Options => At::Options(Options::default()),
                };
                self.set(to);
                None
            }
            At::Choose(choice) => {
                let (choice, abandon) = (*choice, *phase != Phase::Ready);
                self.last_choice = choice;
                self.chosen(choice, abandon)
            }
            At::Slots(slot) => {
                *at = At::Compose(Compose::new(*slot));
                None
            }
            At::Compose(compose) => {
                let slot = compose.slot;
                match compose.pass(&mut self.drafts[slot]) {
                    Step::On | Step::Left => None,
                    Step::TooLong => {
                        self.tell(Message::Refused, now);
                        None
                    }
                    Step::Keep => self.keep(slot, now),
                }
            }
            At::Correct(correct) => {
                if !correct.pass() {
                    return None;
                }
                let adjustments = correct.adjustments();
                if Side::BOTH.iter().all(|side| adjustments[*side].is_empty()) {
                    self.after_correction(game.settings);
                    return None;
                }
                *at = At::Applying(*correct);
                Some(Asked::Correct(adjustments))
            }
            At::Options(options) => match options.pass(game.look, game.settings, game.white_on)? {
                Set::Look(look) => Some(Asked::Look(look)),
                Set::Game(option) => Some(Asked::Wish(Wish::Option(option))),
            },
            At::Control(control) => match *control {
                None => {
                    self.open = None;
                    None
                }
                Some(choice) => self.changes(choice),
            },
            At::Keeping(_) | At::Setting | At::Applying(_) | At::Changing(_) => None,
        }
    }

    /// The correction that was left on the game as it still stands, or a new one.
    fn correction(&self, game: &Game<'_>) -> Correct {
        match self.left_correction {
            Some(mut left) if left.fits(game.snapshot, game.began) => {
                left.rewind(game.white_on);
                left
            }
            _ => Correct::new(game.snapshot, game.settings, game.white_on, game.began),
        }
    }

    fn keep(&mut self, slot: usize, now: Instant) -> Option<Asked> {
        let Some(mut own) = self.carrier.take() else {
            // The last one is still on its way.
            self.tell(Message::Refused, now);
            return None;
        };
        *own = self.drafts[slot];
        self.set(At::Keeping(slot));
        Some(Asked::Wish(Wish::Keep { slot, own }))
    }

    fn set(&mut self, to: At) {
        if let Some(Open { at, .. }) = &mut self.open {
            *at = to;
        }
    }

    fn back(&mut self, game: &Game<'_>) {
        let ready = game.snapshot.phase == Phase::Ready;
        let Some(Open { at, .. }) = &mut self.open else { return };
        match at {
            At::First(_)
            | At::Correct(_)
            | At::Applying(_)
            | At::Setting
            | At::Control(_)
            | At::Changing(_) => self.close(),
            At::Choose(choice) => {
                self.last_choice = *choice;
                self.close();
            }
            At::Slots(_) => *at = At::First(place(READY, Item::Own)),
            At::Compose(compose) => {
                let slot = compose.slot;
                if compose.back(&mut self.drafts[slot]) == Step::Left {
                    *at = At::Slots(slot);
                }
            }
            At::Keeping(slot) => *at = At::Slots(*slot),
            At::Options(options) => {
                if !options.back() {
                    let items = if ready { READY } else { BEGUN };
                    *at = At::First(place(items, Item::Options));
                }
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
