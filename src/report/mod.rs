//! A game told afterwards: what each move took, what the arbiter did, how both clocks stood.
//!
//! Keeps no time and judges nothing. The lines of a journal go into a [`Book`], which lets the
//! engine play them again and keeps the account; out comes one [`Report`], and each rendering of it
//! (for a terminal, a program, a spreadsheet, paper, a database of games) is a room of its own.

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

pub use book::{Book, Trouble};

use crate::control::class::Class;
use crate::control::{BySide, Seat, Settings, Side};
use crate::engine::{Adjustment, Candidate, FlagKind, GameResult, Offence, Phase, SideView};
use crate::record::How;
use crate::time::Span;

/// A game as it is told. Points in time are spans since the game began (its `new_game`).
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
    /// Every completed move in its order, those that count no more as well.
    pub moves: Vec<Move>,
    /// Everything else in its order.
    pub events: Vec<Event>,
    /// What turns took that no move completed, since the arbiter broke them off and gave nothing
    /// back.
    pub broken_off: BySide<Span>,
    /// The time left by the game's time, a line from each point to the next.
    pub curves: BySide<Vec<Point>>,
    /// How the game stands where the lines end.
    pub end: End,
    /// Moves and events in the order in which they happened.
    order: Vec<Row>,
}

/// A place among the moves, or among the events.
#[derive(Clone, Copy, Debug)]
enum Row {
    Move(usize),
    Event(usize),
}

/// A turn that was completed.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// Whose.
    pub side: Side,
    /// Which of its moves, by its counter after the press; for the gong, which of its slots.
    pub number: u32,
    /// When it was completed.
    pub at: Span,
    /// The time of day.
    pub wall: Option<Timestamp>,
    /// How long the turn lasted, pauses left out: what was used before a press that was taken back
    /// belongs to the press that took its place.
    pub thought: Span,
    /// The figure that the clock then showed large: main time, or the running period or block.
    pub shown: Span,
    /// That figure, as far as it is time that is left: none where time is counted up without a
    /// limit.
    pub left: Option<Span>,
    /// The side's clock then, the credit for the move included.
    pub after: SideView,
    /// What completed it.
    pub by: Completed,
    /// Whether it counts.
    pub fate: Fate,
}

/// What completed a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completed {
    /// The player's press.
    Press,
    /// The arbiter, for a press that was forgotten.
    Inserted,
    /// The gong.
    Gong,
}

/// Whether a move counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It does.
    Counts,
    /// Its press was taken back.
    TakenBack,
    /// The arbiter set the counter below it, or another game was put in its place.
    Uncounted,
}

/// Something that is not a move.
#[derive(Clone, Debug)]
pub struct Event {
    /// When.
    pub at: Span,
    /// The time of day, where it has a line of its own that says so.
    pub wall: Option<Timestamp>,
    /// Who caused it: `board`, `timer`, `recovery` or `bus:` and a user's name.
    pub origin: Option<String>,
    /// What.
    pub what: What,
}

/// What an event is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The first clock ran.
    Started {
        /// Whose.
        side: Side,
    },
    /// Nobody's clock ran any more.
    Stopped {
        /// Why.
        why: Why,
        /// For how long; `None`: until the lines end.
        length: Option<Span>,
    },
    /// Pause was asked for while nothing ran: so a claim is made at a frozen clock.
    PausedAgain {
        /// Why.
        reason: String,
    },
    /// The clock of the side that was not to move was let run.
    TurnedOver {
        /// Whose.
        side: Side,
        /// The other side's turn had lasted so long.
        broken_off: Span,
        /// The turn before did not happen, and its time was given back.
        instead: bool,
    },
    /// The arbiter corrected a clock.
    Corrected {
        /// Whose.
        side: Side,
        /// What was asked for.
        change: Adjustment,
        /// What the clock showed before.
        before: Span,
        /// What it showed then.
        after: Span,
        /// Why.
        reason: String,
    },
    /// Presses were taken back.
    TakenBack {
        /// Whose, and which of its moves; the last one first.
        moves: Vec<(Side, u32)>,
        /// What the other side had used since was given back.
        refund: bool,
    },
    /// A penalty was given.
    Penalty {
        /// Who offended.
        offender: Side,
        /// In what.
        offence: Offence,
        /// What the opponent got.
        added: Span,
        /// The presses that were taken back with it, the last one first.
        moves: Vec<(Side, u32)>,
    },
    /// It was the second offence of its kind.
    SecondOffence {
        /// Who offended.
        side: Side,
        /// In what.
        offence: Offence,
    },
    /// A quickplay claim was granted.
    Quickplay {
        /// Who claimed.
        claimant: Side,
    },
    /// The game went on under another control.
    Control {
        /// Which, in its notation.
        control: String,
        /// How.
        how: How,
        /// The stages in which the sides stand then, where the presses were replayed.
        stages: Option<BySide<u32>>,
    },
    /// A side entered a stage.
    Stage {
        /// Whose.
        side: Side,
        /// Which, counted from 1.
        stage: u32,
        /// What was added for it, the change of the grant included.
        added: Span,
        /// What ended the one before.
        by: Entered,
    },
    /// A side has made the moves of its stage and waits for the arbiter.
    StagePending {
        /// Whose stage.
        side: Side,
    },
    /// A flag fell.
    Flag {
        /// Whose.
        side: Side,
        /// Whether a further stage was given.
        flag: FlagKind,
        /// The first fall of the game.
        first: bool,
    },
    /// A fall was lifted.
    FlagLifted {
        /// Whose.
        side: Side,
    },
    /// A byo-yomi period was burned.
    Period {
        /// Whose.
        side: Side,
        /// How many are left.
        left: u32,
    },
    /// The players changed seats.
    Swapped {
        /// Where White sits since.
        white_on: Seat,
    },
    /// A player came.
    Arrived {
        /// Who.
        side: Side,
    },
    /// A player was absent at the end of the default time.
    DefaultTime {
        /// Who.
        side: Side,
    },
    /// The clock came back after a crash or a power cut.
    Recovered {
        /// What had happened.
        why: String,
        /// How long it was off by the time of day.
        off: Option<Span>,
    },
    /// What the clock came back to was chosen.
    Chosen {
        /// Which candidate.
        candidate: Candidate,
    },
    /// Another game was put in the place of this one.
    Imported,
    /// The arbiter ended the game.
    Ended {
        /// How.
        result: GameResult,
    },
}

/// Why nobody's clock ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was paused; for what reason, where somebody said.
    Pause(String),
    /// A flag fell.
    Flag,
    /// The game was ended.
    End,
    /// What stands beside it: an order of the arbiter's, a restart.
    Order,
}

/// What brought a side into a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// Its moves.
    Moves,
    /// First zero.
    Zero,
    /// The arbiter confirmed it.
    Confirmed,
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

/// How the game stands where the lines end.
#[derive(Clone, Copy, Debug)]
pub struct End {
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
    /// What both show.
    pub shown: BySide<Span>,
}

/// What a side used in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Moves that count and were timed here.
    pub moves: u32,
    /// What they took, and the turns that were [broken off](Report::broken_off).
    pub thought: Span,
    /// The longest of the moves: its number and what it took.
    pub longest: Option<(u32, Span)>,
}

impl Report {
    /// The moves that count.
    pub fn counted(&self) -> impl Iterator<Item = &Move> {
        self.moves.iter().filter(|made| made.fate == Fate::Counts)
    }

    /// What a side's turns took in all; the one that is not completed yet is not in it.
    #[must_use]
    pub fn total(&self, side: Side) -> Total {
        let none = Total { thought: self.broken_off[side], ..Total::default() };
        self.counted().filter(|made| made.side == side).fold(none, |total, made| {
            let longest = total.longest.filter(|(_, longest)| *longest >= made.thought);
            Total {
                moves: total.moves + 1,
                thought: total.thought + made.thought,
                longest: longest.or(Some((made.number, made.thought))),
            }
        })
    }

    /// How long nobody's clock ran since the game was started.
    #[must_use]
    pub fn stood(&self) -> Span {
        self.stops().fold(Span::ZERO, |sum, (from, until)| sum + (until - from))
    }

    /// When nobody's clock ran since the game was started: from and until.
    pub fn stops(&self) -> impl Iterator<Item = (Span, Span)> {
        self.events.iter().filter_map(|event| match &event.what {
            What::Stopped { length, .. } => {
                Some((event.at, length.map_or(self.end.at, |length| event.at + length)))
            }
            _ => None,
        })
    }

    /// Moves and events in the order in which they happened; what a move brought stands after it.
    pub fn in_order(&self) -> impl Iterator<Item = Entry<'_>> {
        self.order.iter().filter_map(|row| match *row {
            Row::Move(place) => self.moves.get(place).map(Entry::Move),
            Row::Event(place) => self.events.get(place).map(Entry::Event),
        })
    }
}

/// A line of the report.
#[derive(Clone, Copy, Debug)]
pub enum Entry<'a> {
    /// A move.
    Move(&'a Move),
    /// Something else.
    Event(&'a Event),
}
