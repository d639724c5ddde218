//! A time control as a value: who gets how much time, for how many moves, by which method.
//!
//! This room does not keep time: it describes what the [`engine`](crate::engine) is to keep.
//! [`notation`] reads and writes controls, [`profile`] holds the named sets of switches.

pub mod class;
pub mod describe;
pub mod fingerprint;
pub mod notation;
pub mod presets;
pub mod profile;
pub(crate) mod quote;
pub mod side;
pub mod switches;

pub use profile::{BoxResume, PenaltyAmounts, Profile, ShowMoves, StartPress, Trigger};
pub use side::{BySide, Seat, Side};
pub use switches::{SwitchChanges, SwitchError, Switches};

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use tinyvec::ArrayVec;

use crate::time::Span;

/// A whole time control: the stages of each side.
///
/// A value of this type that came out of [`notation::parse`] is valid: at least one stage a side,
/// at most [`MAX_STAGES`], durations from 0 to [`MAX_DURATION`], and every combination one that
/// the engine can keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// Each side's own stages; equal for both but in handicap games and Armageddon.
    pub sides: BySide<Stages>,
}

/// One side's stages in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages {
    /// The stages; never empty.
    pub list: ArrayVec<[Stage; MAX_STAGES]>,
    /// The last stage starts again after each `moves` presses (40/1h for ever).
    pub repeat: bool,
}

/// One part of a time control, as "40 moves in 90 minutes"; the Laws and DGT call it a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Presses needed in this stage; `None`: it ends at first zero, or never where it is the last.
    pub moves: Option<u32>,
    /// The time that the stage brings: main time, the hourglass's sand, the slot of a move or gong.
    pub base: Span,
    /// How the time falls and what each move brings.
    pub method: Method,
    /// The next stage's time comes when the arbiter confirms it.
    pub confirm: bool,
}

/// How a stage treats time (`timing.md` 3). What each does is one function in
/// `engine::method`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Main time falls; `grant` says what each move brings, `overtime` what comes after main.
    Main {
        /// What each move brings.
        grant: Grant,
        /// What lies behind main time; other than `None` only in a last stage.
        overtime: Overtime,
    },
    /// The own time falls, the opponent's rises by as much. Stands alone.
    Hourglass,
    /// Every turn has the base anew. Stands alone.
    PerMove {
        /// At zero the time stays there and no flag falls.
        stays_at_zero: bool,
    },
    /// Fixed slots: the clock changes sides by itself. Stands alone.
    Gong,
    /// Time rises from zero. Stands alone.
    CountUp {
        /// Where the flag falls, if anywhere.
        limit: Option<Span>,
    },
}

/// What a move brings while main time lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Nothing: plain time, in a last stage sudden death.
    None,
    /// Fischer, cumulative, bonus: credited at the own press, for the next move.
    Increment {
        /// What every move brings; more than zero.
        each: Span,
        /// A credit never lifts main above this.
        cap: Option<Span>,
    },
    /// US or simple delay: an allowance that every turn spends first and never saves.
    Delay {
        /// The allowance of every turn; more than zero.
        each: Span,
    },
    /// Add-back: what was used is given back at the press, at most `each`.
    Bronstein {
        /// The most that comes back; more than zero.
        each: Span,
    },
}

/// What lies behind main time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overtime {
    /// Nothing: at zero the flag falls.
    None,
    /// Byo-yomi: periods that are full again after each move made within them.
    Byoyomi {
        /// How many; at least 1.
        periods: u32,
        /// How long each is; more than zero.
        each: Span,
        /// Free time of each turn, once main is gone, before a period is touched (NHK).
        free: Option<Span>,
        /// A period is lost when it is begun, not when it is used up; only with `free`.
        burn_on_entry: bool,
    },
    /// Canadian: so many moves in a block of time; block k + 1 after block k, the last repeats.
    Canadian {
        /// The blocks; never empty.
        blocks: ArrayVec<[Block; MAX_BLOCKS]>,
    },
    /// Scrabble: time goes on below zero, down to `limit` under it.
    Below {
        /// How far below zero the flag falls; more than zero.
        limit: Span,
    },
}

/// A Canadian block: so many moves in a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Block {
    /// Moves to be made; at least 1.
    pub stones: u32,
    /// Milliseconds, so that sixteen blocks do not make a control large.
    millis: u32,
}

impl Block {
    /// A block; the time is in whole milliseconds, as the notation reads it.
    #[must_use]
    pub fn new(stones: u32, time: Span) -> Self {
        let millis = u32::try_from(time.as_nanos() / 1_000_000).unwrap_or(u32::MAX);
        Block { stones, millis }
    }

    /// The time for the moves; more than zero.
    #[must_use]
    pub fn time(&self) -> Span {
        Span::from_millis(self.millis.into())
    }
}

impl Method {
    /// Main time and nothing else.
    pub const PLAIN: Method = Method::Main { grant: Grant::None, overtime: Overtime::None };

    /// Main time with a grant and no overtime.
    #[must_use]
    pub const fn granting(grant: Grant) -> Method {
        Method::Main { grant, overtime: Overtime::None }
    }
}

impl Default for Stage {
    fn default() -> Self {
        Stage { moves: None, base: Span::ZERO, method: Method::PLAIN, confirm: false }
    }
}

/// The most stages that one side may have.
pub const MAX_STAGES: usize = 8;
/// The most Canadian blocks.
pub const MAX_BLOCKS: usize = 16;

/// The longest duration that a control may name.
pub const MAX_DURATION: Span = Span::from_hours(99);

/// What a new game is set to: everything that a player or arbiter can choose about its timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The time control.
    pub control: Control,
    /// The profile that the switches were taken from.
    pub profile: Profile,
    /// The switches as they are: the profile's, but for those set alone.
    pub switches: Switches,
    /// Where White sits.
    pub white_on: Seat,
}

impl Settings {
    /// A control under a profile's own switches, White on the left.
    #[must_use]
    pub fn new(control: Control, profile: Profile) -> Self {
        Settings { control, profile, switches: profile.switches(), white_on: Seat::Left }
    }
}

impl Control {
    /// The same stages for both sides.
    #[must_use]
    pub fn equal(stages: Stages) -> Self {
        Control { sides: BySide::both(stages) }
    }

    /// True if both sides have the same stages.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.sides.white == self.sides.black
    }
}

impl Stages {
    /// The stage of that index, counted from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Stage> {
        self.list.get(index)
    }

    /// True if a stage follows the one of that index.
    #[must_use]
    pub fn has_next(&self, index: usize) -> bool {
        index + 1 < self.list.len()
    }
}

/// Written in its canonical notation.
impl Serialize for Control {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reads any notation.
impl<'de> Deserialize<'de> for Control {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        notation::parse(&text).map_err(D::Error::custom)
    }
}
