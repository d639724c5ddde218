//! The report of a game: what each move took, what the arbiter did, what both clocks showed.
//!
//! It keeps no time and judges nothing. A [`Book`] takes the lines of a journal and lets the engine
//! play them again; the result is one [`Report`], and each rendering of it (for a terminal, a
//! program, a spreadsheet, paper, a database of games) is a module of its own.

mod book;
pub mod csv;
pub mod json;
pub mod pgn;
pub mod picture;
pub mod table;
pub mod words;

#[cfg(test)]
mod tests;

use jiff::Timestamp;

pub use book::{Book, ReportError};

use crate::control::class::Class;
use crate::control::{BySide, Seat, Settings, Side};
use crate::engine::{Effect, GameResult, Operation, Phase, SideView};
use crate::time::Span;

/// The report of a game. Points in time are spans since the game began (its `new_game`).
#[derive(Clone, Debug)]
pub struct Report {
    /// What the game was set to when it began.
    pub settings: Settings,
    /// The class of that control.
    pub class: Class,
    /// The time of day when it was set.
    pub began: Option<Timestamp>,
    /// When the first clock ran, and the time of day.
    pub started: Option<(Span, Option<Timestamp>)>,
    /// Moves and events in their order; an effect of a move comes after it.
    pub entries: Vec<ReportEntry>,
    /// The time of turns that the arbiter broke off and gave nothing back for.
    pub broken_off: BySide<Span>,
    /// What each side had left over time, a line from each point to the next.
    pub curves: BySide<Vec<Point>>,
    /// The game after the last line.
    pub end: EndState,
}

/// A line of the report.
#[derive(Clone, Debug)]
pub enum ReportEntry {
    /// A turn that was completed.
    Move(Move),
    /// Anything else.
    Event(ReportEvent),
}

/// A turn that was completed, whether or not it still counts.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// Who made it.
    pub side: Side,
    /// Its number by the side's counter after the press; for the gong the number of the slot.
    pub number: u32,
    /// When it was completed.
    pub at: Span,
    /// The time of day.
    pub wall: Option<Timestamp>,
    /// How long the turn lasted without pauses. What was used before a press that was taken back
    /// belongs to the press that replaced it.
    pub think_time: Span,
    /// The figure that the clock then showed large: main time, or the running period or block.
    pub shown: Span,
    /// That figure if it is time left; `None` where time is counted up without a limit.
    pub left: Option<Span>,
    /// The side's clock then, the credit for the move included.
    pub after: SideView,
    /// What completed it.
    pub by: Completed,
    /// Whether it counts.
    pub status: MoveStatus,
}

/// What completed a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completed {
    /// The player's press.
    Press,
    /// The arbiter, for a forgotten press.
    Inserted,
    /// The gong.
    Gong,
}

/// Whether a move counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveStatus {
    /// It counts.
    Counts,
    /// Its press was taken back.
    TakenBack,
    /// The arbiter set the counter below it, or imported another game.
    Uncounted,
}

/// Something that is not a move.
#[derive(Clone, Debug)]
pub struct ReportEvent {
    /// When.
    pub at: Span,
    /// The time of day, if its line has one.
    pub wall: Option<Timestamp>,
    /// Who caused it: `board`, `timer`, `recovery` or `bus:` and a user's name.
    pub origin: Option<String>,
    /// Whose event it is, if it is one side's.
    pub side: Option<Side>,
    /// The reason that was given for the operation.
    pub reason: Option<String>,
    /// What happened.
    pub content: EventContent,
}

/// What an event is.
#[derive(Clone, Debug)]
pub enum EventContent {
    /// An operation that was carried out.
    Operation(CarriedOut),
    /// An effect of an operation, or of time alone.
    Effect {
        /// The effect.
        effect: Effect,
        /// For a new stage: how the side entered it.
        entered: Entered,
    },
    /// The first clock ran.
    Started,
    /// No clock ran any more.
    Stopped {
        /// Why.
        why: StopReason,
        /// For how long; `None`: to the end of the report.
        length: Option<Span>,
    },
    /// The clock of the side that was not to move was resumed.
    BrokenOff {
        /// How long the other side's turn had lasted.
        lasted: Span,
        /// The turn did not happen: its time was given back.
        instead: bool,
    },
}

/// An operation that was carried out, and what came of it that neither its arguments nor its
/// effects say.
#[derive(Clone, Debug)]
pub struct CarriedOut {
    /// The operation.
    pub operation: Operation,
    /// What the clock of a corrected side showed before and after.
    pub shown: Option<(Span, Span)>,
    /// The moves that were taken back, the last one first.
    pub taken_back: Vec<(Side, u32)>,
    /// What a penalty gave to the opponent.
    pub added: Span,
    /// How long a recovered clock was off, by the time of day.
    pub off: Option<Span>,
    /// Where White sits afterwards.
    pub white_on: Seat,
    /// The stages of both sides afterwards.
    pub stages: BySide<u32>,
}

/// How a side entered a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// By its moves.
    ByMoves,
    /// At first zero.
    AtZero,
    /// The arbiter confirmed it.
    Confirmed,
}

/// Why no clock ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// It was paused.
    Pause,
    /// A flag fell.
    Flag,
    /// The game was ended.
    End,
    /// The event before says it: an operation of the arbiter, a restart.
    Other,
}

/// What a side had left at a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// When.
    pub at: Span,
    /// Time until the flag, periods and blocks included; for count-up without a limit the time
    /// that has passed.
    pub left: Span,
}

/// The game after the last line.
#[derive(Clone, Copy, Debug)]
pub struct EndState {
    /// When that is.
    pub at: Span,
    /// The phase.
    pub phase: Phase,
    /// Whose turn it is.
    pub to_move: Side,
    /// The result that the arbiter gave.
    pub result: Option<GameResult>,
    /// Where White sits.
    pub white_on: Seat,
    /// Both clocks.
    pub sides: BySide<SideView>,
    /// What both clocks show.
    pub shown: BySide<Span>,
}

/// What a side used in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Moves that count and were timed by this clock.
    pub moves: u32,
    /// What they took, and the turns that were [broken off](Report::broken_off).
    pub think_time: Span,
    /// The number of the longest move and what it took.
    pub longest: Option<(u32, Span)>,
}

impl Report {
    /// All moves in their order, those that no longer count included.
    pub fn moves(&self) -> impl Iterator<Item = &Move> {
        self.entries.iter().filter_map(|entry| match entry {
            ReportEntry::Move(made) => Some(made),
            ReportEntry::Event(_) => None,
        })
    }

    /// The moves that count.
    pub fn counted(&self) -> impl Iterator<Item = &Move> {
        self.moves().filter(|made| made.status == MoveStatus::Counts)
    }

    /// Everything else in its order.
    pub fn events(&self) -> impl Iterator<Item = &ReportEvent> {
        self.entries.iter().filter_map(|entry| match entry {
            ReportEntry::Event(event) => Some(event),
            ReportEntry::Move(_) => None,
        })
    }

    /// What a side's turns took in all, without the one that is not completed.
    #[must_use]
    pub fn total(&self, side: Side) -> Total {
        let none = Total { think_time: self.broken_off[side], ..Total::default() };
        self.counted().filter(|made| made.side == side).fold(none, |total, made| {
            let longest = total.longest.filter(|(_, longest)| *longest >= made.think_time);
            Total {
                moves: total.moves + 1,
                think_time: total.think_time + made.think_time,
                longest: longest.or(Some((made.number, made.think_time))),
            }
        })
    }

    /// How long no clock ran since the game was started.
    #[must_use]
    pub fn stopped(&self) -> Span {
        self.stops().fold(Span::ZERO, |sum, (from, until)| sum + (until - from))
    }

    /// When no clock ran since the game was started: from and until.
    pub fn stops(&self) -> impl Iterator<Item = (Span, Span)> {
        self.events().filter_map(|event| match event.content {
            EventContent::Stopped { length, .. } => {
                Some((event.at, length.map_or(self.end.at, |length| event.at + length)))
            }
            _ => None,
        })
    }
}
