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

pub mod catalogue;
pub mod compose;
pub mod correct;
pub mod entry;
pub mod options;
pub mod own;
pub mod page;

use crate::control::{BySide, Seat, Settings, Side};
use crate::engine::{Adjustment, Phase, Snapshot, State};
use crate::input::{Key, Stroke, What};
use crate::time::{Instant, Span};
use catalogue::{Catalogue, SLOTS, slot_name};
use compose::{Compose, Step};
use correct::Correct;
use options::{GameOption, Look, Options, Set};
use own::Own;
use page::{Line, Page};

/// A menu that nobody touches for this long closes; what was entered stays entered.
pub const TIME_OUT: Span = Span::from_secs(60);

/// How long a message of the box stands.
pub const TOLD: Span = Span::from_secs(2);

/// How long each line of an outline is shown.
const TURN: Span = Span::from_secs(1);

/// How long ok is held to finish a number.
const FINISH_HOLD: Span = Span::from_secs(1);

/// How many presets plus or minus leap over while it is held, each second.
const LEAP: usize = 10;

/// What somebody wants by a menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Correct the clocks.
    Correct(BySide<Adjustment>),
    /// Something that the timing thread cannot do.
    Wish(Wish),
    /// Another look; it counts at once.
    Look(Look),
}

/// What only the daemon can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A new game.
    NewGame {
        /// With which control.
        choice: Choice,
        /// Also in the middle of one: somebody has held ok for it in a pause.
        abandon: bool,
    },
    /// The game that is ready, set otherwise.
    Option(GameOption),
    /// Keep this look over a power cut.
    Look(Look),
    /// Keep a control; answered by [`Menu::kept`].
    Keep {
        /// In which slot.
        slot: usize,
        /// Which; to be given back.
        own: Box<Own>,
    },
    /// Power the box off.
    PowerOff,
}

/// A control to be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The preset of that place in the catalogue.
    Preset(usize),
    /// The control in that slot.
    Slot(usize),
}

/// Something that the box says for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// The mark of the control that was set, by which boxes are compared.
    Mark([char; 4]),
    /// Menus are locked.
    Locked,
    /// The engine or the daemon said no.
    Refused,
    /// The box cannot be powered off from here.
    NoPowerOff,
    /// The box goes off.
    PowerOff,
    /// Nothing could be written: what was entered is lost at power-off.
    NotKept,
    /// An undo was done.
    Undone,
    /// A press was inserted.
    Inserted,
}

impl Message {
    fn page(self) -> Page {
        match self {
            Message::Mark(mark) => {
                let mut line = Line::DARK;
                for (cell, letter) in line.cells.iter_mut().zip(mark) {
                    *cell = crate::display::glyph::encode(letter);
                }
                Page { left: line, right: line }
            }
            Message::Locked => Page::words("LoC", "LoC"),
            Message::Refused => Page::words("Err", "no"),
            Message::NoPowerOff => Page::words("Err", "PoUEr"),
            Message::PowerOff => Page::words("PoUEr", "oFF"),
            Message::NotKept => Page::words("Err", "Not SAFE"),
            Message::Undone => {
                Page { left: Line::word("bACK").blinks(), right: Line::word("bACK").blinks() }
            }
            Message::Inserted => {
                Page { left: Line::word("Add").blinks(), right: Line::word("Add").blinks() }
            }
        }
    }
}

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

/// An item of the first menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Correct,
    New,
    Choose,
    Own,
    Options,
}

impl Item {
    const fn name(self) -> &'static str {
        match self {
            Item::Correct => "CorrEct",
            Item::New => "nEU",
            Item::Choose => "CHooSE",
            Item::Own => "oUn",
            Item::Options => "oPtion",
        }
    }
}

/// Which items there are: with a game that was begun, and with one that is ready.
const BEGUN: &[Item] = &[Item::Correct, Item::New, Item::Options];
const READY: &[Item] = &[Item::Choose, Item::Own, Item::Options];

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
            (Key::Plus | Key::Minus, What::Held(_)) => self.leap(up),
            (Key::Ok, What::Pressed) => return self.pass(game, now),
            (Key::Ok, What::Held(FINISH_HOLD)) => self.finish(),
            (Key::Pause, What::Pressed) => self.back(game),
            _ => {}
        }
        None
    }

    fn step(&mut self, up: bool, game: &Game<'_>) {
        let choices = self.catalogue.presets.len() + SLOTS;
        let Some(Open { at, phase, .. }) = &mut self.open else { return };
        let turn = |place: &mut usize, count: usize| {
            *place = (*place + if up { 1 } else { count - 1 }) % count;
        };
        match at {
            At::First(item) => turn(item, items(*phase).len()),
            At::Choose(choice) => turn(choice, choices),
            At::Slots(slot) => turn(slot, SLOTS),
            At::Compose(compose) => compose.step(&mut self.drafts[compose.slot], up),
            At::Correct(correct) => correct.step(up),
            At::Options(options) => options.step(up, game.snapshot.phase == Phase::Ready),
            At::Keeping(_) | At::Setting | At::Applying(_) => {}
        }
    }

    fn leap(&mut self, up: bool) {
        let choices = self.catalogue.presets.len() + SLOTS;
        if let Some(Open { at: At::Choose(choice), .. }) = &mut self.open {
            let by = LEAP % choices;
            *choice = (*choice + if up { by } else { choices - by }) % choices;
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
                    self.left_correction = None;
                    self.open = None;
                    return None;
                }
                *at = At::Applying(*correct);
                Some(Asked::Correct(adjustments))
            }
            At::Options(options) => match options.pass(game.look, game.settings, game.white_on)? {
                Set::Look(look) => Some(Asked::Look(look)),
                Set::Game(option) => Some(Asked::Wish(Wish::Option(option))),
            },
            At::Keeping(_) | At::Setting | At::Applying(_) => None,
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

    fn chosen(&mut self, choice: usize, abandon: bool) -> Option<Asked> {
        let presets = self.catalogue.presets.len();
        let choice = match choice.checked_sub(presets) {
            None => Choice::Preset(choice),
            Some(slot) => {
                if self.catalogue.slots.get(slot)?.offer.is_none() {
                    self.set(At::Compose(Compose::new(slot)));
                    return None;
                }
                Choice::Slot(slot)
            }
        };
        self.set(At::Setting);
        Some(Asked::Wish(Wish::NewGame { choice, abandon }))
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
            At::First(_) | At::Correct(_) | At::Applying(_) | At::Setting => self.close(),
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

    /// What the engine said to a correction.
    pub fn corrected(&mut self, done: bool, now: Instant) {
        let Some(Open { at: At::Applying(correct), .. }) = self.open else { return };
        if done {
            self.open = None;
            self.left_correction = None;
        } else {
            let mut correct = correct;
            correct.step(true);
            self.set(At::Correct(correct));
            self.tell(Message::Refused, now);
        }
    }

    /// The daemon could not do what was wished.
    pub fn refused(&mut self, message: Message, now: Instant) {
        if let Some(Open { at: At::Setting, .. }) = self.open {
            self.set(At::Choose(self.last_choice));
        }
        self.tell(message, now);
    }

    /// A control that was to be kept: with the catalogue that it now stands in, or with the side
    /// and the stage that cannot be. Gives back the old catalogue, to be dropped elsewhere.
    pub fn kept(
        &mut self,
        slot: usize,
        own: Box<Own>,
        outcome: Result<Box<Catalogue>, (Side, usize)>,
        now: Instant,
    ) -> Option<Box<Catalogue>> {
        self.carrier = Some(own);
        let waits = matches!(self.open, Some(Open { at: At::Keeping(other), .. }) if other == slot);
        match outcome {
            Ok(catalogue) => {
                let old = core::mem::replace(&mut self.catalogue, catalogue);
                if waits {
                    self.set(At::Choose(self.catalogue.presets.len() + slot));
                }
                Some(old)
            }
            Err((side, stage)) => {
                if waits {
                    let mut compose = Compose::new(slot);
                    compose.blame(&mut self.drafts[slot], side, stage);
                    self.set(At::Compose(compose));
                    self.tell(Message::Refused, now);
                }
                None
            }
        }
    }

    /// A control that could not even be sent: it stays in the making.
    pub fn not_sent(&mut self, slot: usize, own: Box<Own>, now: Instant) {
        self.carrier = Some(own);
        self.set(At::Slots(slot));
        self.tell(Message::Refused, now);
    }

    /// What is up instead of the game's face, if anything.
    #[must_use]
    pub fn page(&self, game: &Game<'_>, now: Instant) -> Option<Page> {
        if let Some((message, _)) = self.told {
            return Some(message.page());
        }
        let Open { at, since, phase, .. } = self.open.as_ref()?;
        let turn = (now - *since).as_nanos() / TURN.as_nanos();
        Some(match at {
            At::First(item) => {
                let name = items(*phase).get(*item).map_or("", |item| item.name());
                Page::words("SEt", name)
            }
            At::Choose(choice) => self.offer(*choice, turn),
            At::Slots(slot) => Page { left: Line::word("oUn"), right: slot_name(*slot) },
            At::Compose(compose) => compose.page(&self.drafts[compose.slot]),
            At::Keeping(slot) => Page { left: slot_name(*slot), right: Line::word("--------") },
            At::Setting | At::Applying(_) => Page::words("--------", "--------"),
            At::Correct(correct) => correct.page(),
            At::Options(options) => options.page(game.look, game.settings, game.white_on),
        })
    }

    fn offer(&self, choice: usize, turn: i64) -> Page {
        let presets = self.catalogue.presets.len();
        let slot = choice.saturating_sub(presets);
        let offer = match self.catalogue.presets.get(choice) {
            Some(offer) => Some(offer),
            None => self.catalogue.slots.get(slot).and_then(|slot| slot.offer.as_ref()),
        };
        let of = |lines: &[Line], turn: i64| {
            let count = i64::try_from(lines.len()).unwrap_or(1).max(1);
            lines.get(usize::try_from(turn % count).unwrap_or(0)).copied().unwrap_or(Line::DARK)
        };
        match offer {
            // A name takes its turns half as fast.
            Some(offer) => {
                Page { left: of(&offer.name, turn / 2), right: of(&offer.outline, turn) }
            }
            None => Page { left: slot_name(slot), right: Line::word("--------") },
        }
    }

    /// When what is up next changes by itself.
    #[must_use]
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        let told = self.told.map(|(_, since)| since + TOLD);
        let open = self.open.as_ref().map(|open| {
            let out = open.since + TIME_OUT;
            let past = (now - open.since).as_nanos().rem_euclid(TURN.as_nanos());
            let turn = now + TURN - Span::from_nanos(past);
            if matches!(open.at, At::Choose(_)) { out.min(turn) } else { out }
        });
        [told, open].into_iter().flatten().min()
    }

    /// When the last stroke was: what blinks is lit from there on.
    #[must_use]
    pub fn touched(&self) -> Instant {
        let open = self.open.as_ref().map(|open| open.since);
        let told = self.told.map(|(_, since)| since);
        told.or(open).unwrap_or(Instant::ZERO)
    }
}

fn items(phase: Phase) -> &'static [Item] {
    if phase == Phase::Ready { READY } else { BEGUN }
}

fn place(items: &[Item], item: Item) -> usize {
    items.iter().position(|other| *other == item).unwrap_or(0)
}

#[cfg(test)]
pub(crate) mod tests;
