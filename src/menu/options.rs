//! The options: how the box looks and sounds, and, while a game is ready, how that game is set.
//!
//! An option is shown with its present value. Ok takes it up, plus and minus step it, ok sets it;
//! pause leaves it as it was.

use super::page::{Line, Page};
use crate::control::{Profile, Seat, Settings, ShowMoves};
use crate::display::{DIGITS, MAX_BRIGHTNESS};
use crate::time::Span;

/// How the box looks and sounds: the owner's choice, the same for every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// 0 to 15.
    pub brightness: u8,
    /// Tenths of a second are shown at this and below; zero: never. At most a minute.
    pub tenths_below: Span,
    /// Whether it sounds.
    pub sound: Sounding,
}

/// Whether the box sounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sounding {
    /// By the profile: never under `fide` and `us` (`box.md` 5, Laws 11.5).
    #[default]
    ByProfile,
    /// Yes.
    On,
    /// No.
    Off,
}

/// A setting of the game that is ready, to be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOption {
    /// Whether a fall freezes the clock.
    Freeze(bool),
    /// When the press counters are shown.
    ShowMoves(ShowMoves),
    /// Where White sits.
    WhiteOn(Seat),
    /// The profile, with all of its switches.
    Profile(Profile),
}

/// What was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// How the box looks and sounds.
    Look(Look),
    /// The game that is ready.
    Game(GameOption),
}

/// An option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Sound,
    Brightness,
    Tenths,
    Freeze,
    Moves,
    Swap,
    Profile,
}

const ITEMS: [Item; 7] = [
    Item::Sound,
    Item::Brightness,
    Item::Tenths,
    Item::Freeze,
    Item::Moves,
    Item::Swap,
    Item::Profile,
];

/// Those of the box alone, which no game minds.
const OF_THE_BOX: usize = 3;

const TENTHS: [(Span, &str); 4] = [
    (Span::ZERO, "oFF"),
    (Span::from_secs(10), "10"),
    (Span::from_secs(20), "20"),
    (Span::from_secs(60), "60"),
];
const SOUND: [(Sounding, &str); 3] =
    [(Sounding::ByProfile, "Auto"), (Sounding::On, "on"), (Sounding::Off, "oFF")];
const MOVES: [(ShowMoves, &str); 3] =
    [(ShowMoves::Never, "nEUEr"), (ShowMoves::OnRequest, "PLUS"), (ShowMoves::Always, "ALL")];
const SEATS: [(Seat, &str); 2] = [(Seat::Left, "U - b"), (Seat::Right, "b - U")];
const PROFILES: [(Profile, &str); 4] =
    [(Profile::Fide, "FidE"), (Profile::Us, "US"), (Profile::Club, "CLUb"), (Profile::Go, "Go")];
const ON: [(bool, &str); 2] = [(true, "on"), (false, "oFF")];

/// The options on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    item: usize,
    /// The value that is up, by its place among the item's.
    value: Option<usize>,
}

impl Options {
    /// Plus or minus; `ready`: the game's own options are there, too.
    pub fn step(&mut self, up: bool, ready: bool) {
        let (place, count) = match &mut self.value {
            Some(value) => (value, count(ITEMS[self.item])),
            None => (&mut self.item, if ready { ITEMS.len() } else { OF_THE_BOX }),
        };
        *place = (*place + if up { 1 } else { count - 1 }) % count;
    }

    /// Ok: takes the value up, or sets it.
    pub fn pass(&mut self, look: Look, settings: &Settings, white_on: Seat) -> Option<Set> {
        let item = ITEMS[self.item];
        match self.value.take() {
            None => {
                self.value = Some(present(item, look, settings, white_on));
                None
            }
            Some(value) => Some(set(item, value, look)),
        }
    }

    /// Pause: leaves the value; false where none was up.
    pub fn back(&mut self) -> bool {
        self.value.take().is_some()
    }

    /// The item at the left, its value at the right.
    #[must_use]
    pub fn page(&self, look: Look, settings: &Settings, white_on: Seat) -> Page {
        let item = ITEMS[self.item];
        let name = match item {
            Item::Sound => "Sound",
            Item::Brightness => "brigHt",
            Item::Tenths => "tEnths",
            Item::Freeze => "FrEE-E",
            Item::Moves => "PrESS",
            Item::Swap => "SEAtS",
            Item::Profile => "rULES",
        };
        let shown = self.value.unwrap_or_else(|| present(item, look, settings, white_on));
        let right = value(item, shown);
        let right = if self.value.is_some() { right.blinks() } else { right };
        Page { left: Line::word(name), right }
    }
}

const fn count(item: Item) -> usize {
    match item {
        Item::Sound => SOUND.len(),
        Item::Brightness => MAX_BRIGHTNESS as usize + 1,
        Item::Tenths => TENTHS.len(),
        Item::Freeze => ON.len(),
        Item::Moves => MOVES.len(),
        Item::Swap => SEATS.len(),
        Item::Profile => PROFILES.len(),
    }
}

fn present(item: Item, look: Look, settings: &Settings, white_on: Seat) -> usize {
    fn at<T: PartialEq>(value: &T, all: &[(T, &str)]) -> usize {
        all.iter().position(|(other, _)| other == value).unwrap_or(0)
    }
    match item {
        Item::Sound => at(&look.sound, &SOUND),
        Item::Brightness => usize::from(look.brightness.min(MAX_BRIGHTNESS)),
        Item::Tenths => {
            // The configuration may have another value: the next shorter one stands for it.
            TENTHS.iter().rposition(|(span, _)| *span <= look.tenths_below).unwrap_or(0)
        }
        Item::Freeze => at(&settings.switches.freeze, &ON),
        Item::Moves => at(&settings.switches.show_moves, &MOVES),
        Item::Swap => at(&white_on, &SEATS),
        Item::Profile => at(&settings.profile, &PROFILES),
    }
}

fn value(item: Item, place: usize) -> Line {
    Line::word(match item {
        Item::Brightness => {
            let number = u32::try_from(place).unwrap_or(0);
            return Line::DARK.number(DIGITS - 1, number);
        }
        Item::Sound => SOUND[place].1,
        Item::Tenths => TENTHS[place].1,
        Item::Freeze => ON[place].1,
        Item::Moves => MOVES[place].1,
        Item::Swap => SEATS[place].1,
        Item::Profile => PROFILES[place].1,
    })
}

fn set(item: Item, place: usize, look: Look) -> Set {
    match item {
        Item::Sound => Set::Look(Look { sound: SOUND[place].0, ..look }),
        Item::Brightness => {
            Set::Look(Look { brightness: u8::try_from(place).unwrap_or(MAX_BRIGHTNESS), ..look })
        }
        Item::Tenths => Set::Look(Look { tenths_below: TENTHS[place].0, ..look }),
        Item::Freeze => Set::Game(GameOption::Freeze(ON[place].0)),
        Item::Moves => Set::Game(GameOption::ShowMoves(MOVES[place].0)),
        Item::Swap => Set::Game(GameOption::WhiteOn(SEATS[place].0)),
        Item::Profile => Set::Game(GameOption::Profile(PROFILES[place].0)),
    }
}
