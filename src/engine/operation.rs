//! Everything that can happen to a game from outside: the one list of operations.
//!
//! An [`Operation`] is the request to the timing thread, the cause in the journal, the arguments
//! of `Arbiter1.Apply`, of `Clock1.Preview` and of the command line, and what a replay or a report
//! reads. It is read and written by serde alone; [`Engine::apply`](super::Engine::apply) and
//! [`Game::apply`](super::Game::apply) carry it out. Ranges are checked there and not when an
//! operation is read, so that the record of a refused operation can be read back, too.
//!
//! To add an operation: a line in the list below, a struct of arguments, an arm in
//! [`Engine::apply`](super::Engine::apply). CONTRIBUTING.md has a worked example.

use serde::de::Deserializer;
use serde::{Deserialize, Serialize};

pub use super::new_game::{NamedControl, NewGame};
use super::recovery::left_ns;
use super::{Candidate, GameResult, Offence, ReplacePolicy, Saved, Snapshot};
use crate::control::{BySide, Side};
use crate::time::{Span, micros};

macro_rules! operations {
    ($($(#[doc = $doc:literal])* $name:literal => $Variant:ident,)*) => {
        /// Something that happens to a game from outside.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
        #[serde(tag = "kind")]
        pub enum Operation {
            $($(#[doc = $doc])* #[serde(rename = $name)] $Variant($Variant),)*
        }

        impl Operation {
            /// Every operation's name, and what it does.
            pub const LIST: &'static [(&'static str, &'static str)] =
                &[$(($name, concat!($($doc),*)),)*];

            /// The name: `kind` in a journal line, `operation` on the bus.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Operation::$Variant(_) => $name,)*
                }
            }

            /// Reads the arguments of the operation of that name; `None` where there is none.
            ///
            /// # Errors
            /// Those of the deserializer: an argument is missing, unknown or of a wrong type.
            pub fn read<'de, D: Deserializer<'de>>(
                name: &str,
                arguments: D,
            ) -> Option<Result<Operation, D::Error>> {
                match name {
                    $($name => Some($Variant::deserialize(arguments).map(Operation::$Variant)),)*
                    _ => None,
                }
            }
        }

        $(impl From<$Variant> for Operation {
            fn from(arguments: $Variant) -> Operation {
                Operation::$Variant(arguments)
            }
        })*
    };
}

operations! {
    /// Sets a new game.
    "new_game" => NewGame,
    /// Starts a game that is ready.
    "start" => Start,
    /// Completes a move, or starts a game that is ready.
    "press" => Press,
    /// Stops the running clock inside its turn.
    "pause" => Pause,
    /// Lets a clock run on.
    "resume" => Resume,
    /// Corrects one or both clocks in one indivisible step.
    "adjust" => Adjust,
    /// Takes back the last presses.
    "undo_press" => UndoPress,
    /// Makes good forgotten presses: the side to move completes its move now.
    "insert_press" => InsertPress,
    /// Resumes the other side: the last resumption did not happen.
    "resume_instead" => ResumeInstead,
    /// Counts an offence, takes an illegal move's press back and gives the opponent time.
    "penalty" => Penalty,
    /// Grants a quickplay claim (Guidelines III.4).
    "quickplay" => Quickplay,
    /// Continues the game under another control.
    "change_control" => ChangeControl,
    /// Gives the time of a stage that waits for confirmation.
    "confirm_stage" => ConfirmStage,
    /// Changes seats: times, moves and flags go with the colour.
    "swap_sides" => SwapSides,
    /// Marks a player as present (Laws 6.7).
    "arrived" => Arrived,
    /// Ends the game with a result.
    "end" => End,
    /// Brings the clock back, paused, after a crash or a power cut.
    "recovered" => Recovered,
    /// Sets a recovered clock to one of its candidates.
    "choose_recovery" => ChooseRecovery,
    /// Replaces the game by one that was exported.
    "import" => Import,
    /// Locks or unlocks menu and correction at the box; presses and pause always work.
    "lock" => Lock,
    /// Schedules the start of a game that is ready, or cancels it.
    "start_at" => StartAt,
    /// Records an attempt without permission; changes nothing.
    "denied" => Denied,
    /// Asks for the state; changes nothing.
    "query" => Query,
}

/// Arguments of [`Operation::Start`].
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Start {
    /// Whose clock runs; `None`: that of the side that moves first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
}

/// Arguments of [`Operation::Press`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Press {
    /// Whose button was pressed.
    pub side: Side,
    /// Both contacts closed in the same poll; `side` is the one that counts.
    #[serde(default, skip_serializing_if = "is_false")]
    pub both: bool,
}

/// Arguments of [`Operation::Pause`]: none.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pause {}

/// Arguments of [`Operation::Resume`].
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Resume {
    /// Whose clock runs; `None`: that of the side to move. The other side's: the turn is broken off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
}

/// Arguments of [`Operation::Adjust`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjust {
    /// Changes of White's clock.
    #[serde(skip_serializing_if = "is_default")]
    pub white: Adjustment,
    /// Changes of Black's clock.
    #[serde(skip_serializing_if = "is_default")]
    pub black: Adjustment,
}

/// Changes of one side's clock; `None` leaves a part as it is. Times are whole microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjustment {
    /// Sets main time.
    #[serde(rename = "main_us", with = "micros", skip_serializing_if = "Option::is_none")]
    pub main: Option<Span>,
    /// Adds to main time, or takes from it; excludes `main`.
    #[serde(rename = "add_us", with = "micros", skip_serializing_if = "Option::is_none")]
    pub add: Option<Span>,
    /// Sets the press counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// Sets the stage, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<u32>,
    /// With `stage`: moves base and grant of the stages left or entered, too.
    #[serde(skip_serializing_if = "is_false")]
    pub stage_time: bool,
    /// Sets the byo-yomi periods left (the current one included; with burn-on-entry those not
    /// begun).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periods: Option<u32>,
    /// Sets the stones left in the Canadian block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stones: Option<u32>,
    /// Sets the time left in the running period or block.
    #[serde(rename = "overtime_us", with = "micros", skip_serializing_if = "Option::is_none")]
    pub overtime: Option<Span>,
}

/// Arguments of [`Operation::UndoPress`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct UndoPress {
    /// How many presses, at least 1.
    pub count: u32,
    /// Nothing since the press happened for the clocks; else what the other side has used since
    /// stays used.
    pub refund: bool,
}

/// Arguments of [`Operation::InsertPress`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InsertPress {
    /// How many presses, by turns, at least 1.
    pub count: u32,
}

/// Arguments of [`Operation::ResumeInstead`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResumeInstead {
    /// Whose clock runs.
    pub side: Side,
}

/// Arguments of [`Operation::Penalty`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Penalty {
    /// Who committed the offence.
    pub offender: Side,
    /// The offence.
    pub offence: Offence,
    /// The opponent has replied to the illegal move already: the reply is taken back, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub after_reply: bool,
}

/// Arguments of [`Operation::Quickplay`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quickplay {
    /// Who claimed.
    pub claimant: Side,
}

/// Arguments of [`Operation::ChangeControl`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeControl {
    /// The new control.
    pub control: Box<NamedControl>,
    /// What becomes of the clocks.
    #[serde(default)]
    pub how: ReplacePolicy,
}

/// Arguments of [`Operation::ConfirmStage`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfirmStage {
    /// Whose stage is confirmed.
    pub side: Side,
}

/// Arguments of [`Operation::SwapSides`]: none.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwapSides {}

/// Arguments of [`Operation::Arrived`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrived {
    /// Who has arrived.
    pub side: Side,
}

/// Arguments of [`Operation::End`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The result.
    pub result: GameResult,
}

/// Arguments of [`Operation::Recovered`]: what both sides have left by each candidate.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Recovered {
    /// What had happened: `stopped` or `cut-off`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// By the last instant that was recorded.
    #[serde(with = "left_ns", skip_serializing_if = "Option::is_none")]
    pub last_record: Option<BySide<Option<Span>>>,
    /// By the beginning of the turn: the last press, or the start or resumption that began it.
    #[serde(with = "left_ns", skip_serializing_if = "Option::is_none")]
    pub last_press: Option<BySide<Option<Span>>>,
}

/// Arguments of [`Operation::ChooseRecovery`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChooseRecovery {
    /// The candidate that the clock is set to.
    pub candidate: Candidate,
}

/// Arguments of [`Operation::Import`].
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Import {
    /// The whole game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exported: Option<Box<Saved>>,
    /// In a file written by hand: what a `state` shows of it, for the control that is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Box<Snapshot>>,
}

/// Arguments of [`Operation::Lock`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// Whether they are locked.
    pub locked: bool,
}

/// Arguments of [`Operation::StartAt`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartAt {
    /// Microseconds since 1970 in UTC; 0 cancels the scheduled start.
    pub unix_us: i64,
}

/// Arguments of [`Operation::Denied`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Denied {
    /// What was tried.
    pub what: String,
}

/// Arguments of [`Operation::Query`]: none.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {}

impl Operation {
    /// True if the operation can be asked for, by `Arbiter1.Apply` and `Clock1.Preview`; the
    /// others are written by the daemon alone.
    #[must_use]
    pub const fn can_be_asked(&self) -> bool {
        !matches!(self, Operation::Denied(_) | Operation::Recovered(_) | Operation::Query(_))
    }
}

impl Default for UndoPress {
    fn default() -> Self {
        UndoPress { count: 1, refund: true }
    }
}

impl Default for InsertPress {
    fn default() -> Self {
        InsertPress { count: 1 }
    }
}

impl From<BySide<Adjustment>> for Adjust {
    fn from(BySide { white, black }: BySide<Adjustment>) -> Self {
        Adjust { white, black }
    }
}

impl Adjust {
    /// Each side's changes.
    #[must_use]
    pub const fn sides(&self) -> BySide<Adjustment> {
        BySide { white: self.white, black: self.black }
    }
}

impl Adjustment {
    /// True if nothing is changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        Adjustment { stage_time: false, ..*self } == Adjustment::default()
    }
}

pub(super) fn is_false(on: &bool) -> bool {
    !on
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
