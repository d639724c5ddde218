//! What an arbiter can ask of the engine.

use serde::{Deserialize, Serialize};

use crate::control::{BySide, Side};
use crate::time::Span;

/// An arbiter's operation (`timing.md` 6). Who asked, when and why is the caller's to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Starts a game that is ready; `None`: the side that moves first runs.
    Start {
        /// Whose clock is to run.
        side: Option<Side>,
    },
    /// Stops the running side inside its turn.
    Pause,
    /// Lets a clock run on; `None`: that of the side to move. The other one: the turn is broken off.
    Resume {
        /// Whose clock is to run.
        side: Option<Side>,
    },
    /// Corrects one or both clocks in one indivisible step.
    Adjust(BySide<Adjustment>),
    /// Takes back the last presses.
    UndoPress {
        /// How many; at least 1.
        count: u32,
        /// Everything since the press did not happen for the clocks; else what the other side
        /// used stays used.
        refund: bool,
    },
    /// Gives the time of a stage that waits for the arbiter (`confirm`).
    ConfirmStage {
        /// Whose stage.
        side: Side,
    },
    /// Ends the game.
    End {
        /// How it ended.
        result: GameResult,
    },
    /// Makes good forgotten presses: the side to move completes its move now.
    InsertPress {
        /// How many, by turns; at least 1.
        count: u32,
    },
    /// The wrong side was resumed: what has happened since did not, and this side's clock runs.
    ResumeInstead {
        /// Whose clock is to run.
        side: Side,
    },
    /// Counts an offence and gives the opponent what it brings.
    Penalty {
        /// Who offended.
        offender: Side,
        /// In what.
        offence: Offence,
        /// The opponent has replied to the illegal move already: the reply is taken back, too.
        after_reply: bool,
    },
    /// Grants a quickplay claim: five seconds a move from now on (Guidelines III.4).
    Quickplay {
        /// Who claimed.
        claimant: Side,
    },
    /// White and Black change seats; times, moves and flags belong to the colour.
    SwapSides,
    /// A player has come (Laws 6.7).
    Arrived {
        /// Who.
        side: Side,
    },
    /// Arms the clock for a wall-clock time, or disarms it. Whoever knows that time starts it.
    StartAt {
        /// Microseconds since 1970 in UTC; `None`: not by itself.
        unix_us: Option<i64>,
    },
    /// Closes or opens menu and correction at the box; presses and pause always work.
    Lock {
        /// Closed.
        locked: bool,
    },
    /// Which of the two candidates holds.
    ChooseRecovery {
        /// Which.
        candidate: Candidate,
    },
}

impl Command {
    /// The name of the command in a journal line (`kind`).
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Command::Start { .. } => "start",
            Command::Pause => "pause",
            Command::Resume { .. } => "resume",
            Command::Adjust(_) => "adjust",
            Command::UndoPress { .. } => "undo_press",
            Command::ConfirmStage { .. } => "confirm_stage",
            Command::End { .. } => "end",
            Command::InsertPress { .. } => "insert_press",
            Command::ResumeInstead { .. } => "resume_instead",
            Command::Penalty { .. } => "penalty",
            Command::Quickplay { .. } => "quickplay",
            Command::SwapSides => "swap_sides",
            Command::Arrived { .. } => "arrived",
            Command::StartAt { .. } => "start_at",
            Command::Lock { .. } => "lock",
            Command::ChooseRecovery { .. } => "choose_recovery",
        }
    }
}

/// What one side's clock is corrected to; `None` leaves a part as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Adjustment {
    /// Main time, to a value or by a difference.
    pub main: Option<Change>,
    /// The press counter.
    pub moves: Option<u32>,
    /// The stage, counted from 1.
    pub stage: Option<u32>,
    /// With `stage`: base and grant of the stages left or entered are moved, too.
    pub stage_time: bool,
    /// Byo-yomi periods left (the current one included; with burn-on-entry those not begun).
    pub periods: Option<u32>,
    /// Canadian stones left in the block.
    pub stones: Option<u32>,
    /// Time left in the running period or block.
    pub overtime: Option<Span>,
}

/// A new value, or a difference to the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// To this value (`=`).
    To(Span),
    /// By this much (`+` or `-`).
    By(Span),
}

impl Adjustment {
    /// True if nothing is to change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Adjustment::default()
            || *self == Adjustment { stage_time: true, ..Adjustment::default() }
    }
}

/// What a player is penalised for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offence {
    /// A completed illegal move (Laws 7.5).
    IllegalMove,
    /// A wrong claim of a draw (Laws 9.5.3).
    WrongClaim,
    /// A rejected quickplay claim (Guidelines III.5.3).
    QuickplayClaim,
}

impl Offence {
    /// Every offence.
    pub const ALL: [Offence; 3] =
        [Offence::IllegalMove, Offence::WrongClaim, Offence::QuickplayClaim];

    /// The word on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Offence::IllegalMove => "illegal-move",
            Offence::WrongClaim => "wrong-claim",
            Offence::QuickplayClaim => "quickplay-claim",
        }
    }

    /// The offence of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Offence> {
        Offence::ALL.into_iter().find(|offence| offence.name() == name)
    }
}

/// What a clock that was torn from a running game can come back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Candidate {
    /// The last instant that was recorded.
    LastRecord,
    /// The beginning of the turn: what the side to move used since is given back.
    LastPress,
}

impl Candidate {
    /// Both.
    pub const ALL: [Candidate; 2] = [Candidate::LastRecord, Candidate::LastPress];

    /// The word on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Candidate::LastRecord => "last-record",
            Candidate::LastPress => "last-press",
        }
    }

    /// The candidate of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Candidate> {
        Candidate::ALL.into_iter().find(|candidate| candidate.name() == name)
    }
}

/// How a game ended, as the arbiter says it. The daemon never decides a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// `1-0`
    #[serde(rename = "1-0")]
    WhiteWins,
    /// `0-1`
    #[serde(rename = "0-1")]
    BlackWins,
    /// `1/2-1/2`
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// `0-0`
    #[serde(rename = "0-0")]
    BothLose,
    /// `1/2-0`
    #[serde(rename = "1/2-0")]
    HalfToWhite,
    /// `0-1/2`
    #[serde(rename = "0-1/2")]
    HalfToBlack,
    /// `*`
    #[serde(rename = "*")]
    Unfinished,
}

impl GameResult {
    /// Every result.
    pub const ALL: [GameResult; 7] = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::BothLose,
        GameResult::HalfToWhite,
        GameResult::HalfToBlack,
        GameResult::Unfinished,
    ];

    /// As it is written: `1-0`, `0-1`, `1/2-1/2`, `0-0`, `1/2-0`, `0-1/2` or `*`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::BothLose => "0-0",
            GameResult::HalfToWhite => "1/2-0",
            GameResult::HalfToBlack => "0-1/2",
            GameResult::Unfinished => "*",
        }
    }

    /// The result that is written so.
    #[must_use]
    pub fn from_name(name: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.name() == name)
    }
}
