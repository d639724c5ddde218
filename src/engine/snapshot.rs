//! One consistent picture of a game at an instant: what is shown, sent and written.

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Deserializer, Serialize};

use super::{FlagKind, Penalties, Phase};
use crate::control::{BySide, Side};
use crate::time::{Span, micros};

/// The whole game as it stands at one instant. Points in time are given as spans since the game
/// began (its `new_game`), as they stand in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// When, since the game began.
    pub at: Span,
    /// The phase.
    pub phase: Phase,
    /// Whose turn it is (while ready: who moves first).
    pub to_move: Side,
    /// The first fall of the game, kept until a new game.
    pub first_flag: Option<FirstFlag>,
    /// Both clocks.
    pub sides: BySide<SideView>,
}

/// The first fall with both times (`timing.md` 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstFlag {
    /// Who fell first.
    pub side: Side,
    /// When, since the game began.
    pub at: Span,
    /// What both had left at that instant; `None` for count-up without a limit.
    pub remaining: BySide<Option<Span>>,
}

/// One side's clock at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideView {
    /// The time until this side's next flag if nothing else happens; `None` for count-up without
    /// a limit.
    pub remaining: Option<Span>,
    /// Main time; below zero only in overtime (Scrabble).
    pub main: Span,
    /// Allowance left of the current or next turn (delay, Bronstein, free time).
    pub allowance: Span,
    /// The stage, counted from 1.
    pub stage: u32,
    /// Presses of the whole game.
    pub moves: u32,
    /// Presses still to be made in this stage; `None` where it names none.
    pub moves_to_stage: Option<u32>,
    /// Byo-yomi periods left, the current one included (burn-on-entry: those not begun).
    pub periods: Option<u32>,
    /// Canadian stones left in the block.
    pub stones: Option<u32>,
    /// Time left in the current period or block.
    pub overtime: Option<Span>,
    /// Scrabble's penalty points: 10 for each minute or part of one below zero.
    pub points: Option<u32>,
    /// The flag, if any.
    pub flag: Option<FlagKind>,
    /// When that flag fell, since the game began.
    pub flag_at: Option<Span>,
    /// When the last `stage` flag fell, since the game began; stays when a fall follows.
    pub stage_flag_at: Option<Span>,
    /// The next stage waits for the arbiter.
    pub stage_pending: bool,
    /// How long the current turn has lasted so far, pauses left out; zero for the waiting side.
    pub used: Span,
    /// How often the side was penalised.
    pub penalties: Penalties,
    /// How late the side's player is; `None` where nobody counts it.
    pub lateness: Option<Span>,
}

/// How finely times are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Whole microseconds (`_us`): time left is rounded up, so that 0 means nothing left; points
    /// in time are rounded down.
    Micros,
    /// Nanoseconds (`_ns`).
    Nanos,
}

impl Precision {
    /// Time that is left, as a number.
    #[must_use]
    pub const fn left(self, left: Span) -> i64 {
        match self {
            Precision::Micros => left.as_micros_ceil(),
            Precision::Nanos => left.as_nanos(),
        }
    }

    /// A point in time, as a number.
    #[must_use]
    pub const fn at(self, at: Span) -> i64 {
        match self {
            Precision::Micros => at.as_micros_floor(),
            Precision::Nanos => at.as_nanos(),
        }
    }
}

/// A `state` as it is written in a journal line, an answer on the bus or a replay: null where
/// there is no value.
#[derive(Clone, Copy, Debug)]
pub struct StateMembers<'a> {
    /// The state.
    pub snapshot: &'a Snapshot,
    /// The unit of its times.
    pub precision: Precision,
}

struct SideMembers<'a> {
    side: &'a SideView,
    precision: Precision,
}

/// Writes a time under the name that goes with the precision.
macro_rules! time_entry {
    ($map:ident, $precision:expr, $name:literal, $rounded:ident, $span:expr) => {
        $map.serialize_entry(
            match $precision {
                Precision::Micros => concat!($name, "_us"),
                Precision::Nanos => concat!($name, "_ns"),
            },
            &$span.map(|span| $precision.$rounded(span)),
        )?
    };
}

impl Serialize for StateMembers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let StateMembers { snapshot, precision } = *self;
        let first = snapshot.first_flag;
        let left_then = |side: Side| first.and_then(|flag| flag.remaining[side]);
        let side = |side: Side| SideMembers { side: &snapshot.sides[side], precision };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("phase", &snapshot.phase)?;
        map.serialize_entry("to_move", &snapshot.to_move)?;
        map.serialize_entry("first_flag", &first.map(|flag| flag.side))?;
        time_entry!(map, precision, "first_flag_at", at, first.map(|flag| flag.at));
        time_entry!(map, precision, "first_flag_white", left, left_then(Side::White));
        time_entry!(map, precision, "first_flag_black", left, left_then(Side::Black));
        map.serialize_entry("white", &side(Side::White))?;
        map.serialize_entry("black", &side(Side::Black))?;
        map.end()
    }
}

impl Serialize for SideMembers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SideMembers { side, precision } = *self;
        let mut map = serializer.serialize_map(None)?;
        time_entry!(map, precision, "remaining", left, side.remaining);
        time_entry!(map, precision, "main", left, Some(side.main));
        time_entry!(map, precision, "allowance", left, Some(side.allowance));
        map.serialize_entry("stage", &side.stage)?;
        map.serialize_entry("moves", &side.moves)?;
        map.serialize_entry("moves_to_stage", &side.moves_to_stage)?;
        map.serialize_entry("periods", &side.periods)?;
        map.serialize_entry("stones", &side.stones)?;
        time_entry!(map, precision, "overtime", left, side.overtime);
        map.serialize_entry("points", &side.points)?;
        map.serialize_entry("flag", &side.flag)?;
        time_entry!(map, precision, "flag_at", at, side.flag_at);
        time_entry!(map, precision, "stage_flag_at", at, side.stage_flag_at);
        map.serialize_entry("penalties", &side.penalties)?;
        map.serialize_entry("stage_pending", &side.stage_pending)?;
        if side.lateness.is_some() {
            time_entry!(map, precision, "late", at, side.lateness);
        }
        map.end()
    }
}

/// Whole microseconds, as in the lines of a journal.
impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StateMembers { snapshot: self, precision: Precision::Micros }.serialize(serializer)
    }
}

/// Reads a `state` in whole microseconds. What follows from the rest (`remaining_us`, `points`,
/// `moves_to_stage`) may be left out; other values that are left out are zero or absent. `at` is
/// zero, as a state does not say when it was.
impl<'de> Deserialize<'de> for Snapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Members {
            phase: Phase,
            to_move: Side,
            first_flag: Option<Side>,
            #[serde(default, with = "micros")]
            first_flag_at_us: Option<Span>,
            #[serde(default, with = "micros")]
            first_flag_white_us: Option<Span>,
            #[serde(default, with = "micros")]
            first_flag_black_us: Option<Span>,
            white: SideView,
            black: SideView,
        }
        let read = Members::deserialize(deserializer)?;
        let first_flag = read.first_flag.map(|side| FirstFlag {
            side,
            at: read.first_flag_at_us.unwrap_or_default(),
            remaining: BySide { white: read.first_flag_white_us, black: read.first_flag_black_us },
        });
        let sides = BySide { white: read.white, black: read.black };
        let Members { phase, to_move, .. } = read;
        Ok(Snapshot { at: Span::ZERO, phase, to_move, first_flag, sides })
    }
}

impl<'de> Deserialize<'de> for SideView {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Members {
            #[serde(default, with = "micros")]
            remaining_us: Option<Span>,
            main_us: i64,
            #[serde(default, with = "micros")]
            allowance_us: Option<Span>,
            stage: Option<u32>,
            #[serde(default)]
            moves: u32,
            moves_to_stage: Option<u32>,
            periods: Option<u32>,
            stones: Option<u32>,
            #[serde(default, with = "micros")]
            overtime_us: Option<Span>,
            points: Option<u32>,
            flag: Option<FlagKind>,
            #[serde(default, with = "micros")]
            flag_at_us: Option<Span>,
            #[serde(default, with = "micros")]
            stage_flag_at_us: Option<Span>,
            #[serde(default)]
            penalties: Penalties,
            #[serde(default)]
            stage_pending: bool,
            #[serde(default, with = "micros")]
            late_us: Option<Span>,
        }
        let read = Members::deserialize(deserializer)?;
        Ok(SideView {
            remaining: read.remaining_us,
            main: Span::from_micros(read.main_us),
            allowance: read.allowance_us.unwrap_or_default(),
            stage: read.stage.unwrap_or(1),
            moves: read.moves,
            moves_to_stage: read.moves_to_stage,
            periods: read.periods,
            stones: read.stones,
            overtime: read.overtime_us,
            points: read.points,
            flag: read.flag,
            flag_at: read.flag_at_us,
            stage_flag_at: read.stage_flag_at_us,
            stage_pending: read.stage_pending,
            used: Span::ZERO,
            penalties: read.penalties,
            lateness: read.late_us,
        })
    }
}
