//! What followed from an event: the engine's effects, in bounded batches.

use serde::{Deserialize, Serialize};

use super::{FlagKind, IgnoreReason, Offence};
use crate::control::Side;
use crate::time::{Instant, Span};

/// Something that followed (`journal-and-replay.md`, effects).
///
/// Written as the members of its line; `kind` is the [name](Effect::name).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    /// This side's turn begins; its clock runs.
    Turn {
        /// Whose turn.
        side: Side,
    },
    /// A side reached zero.
    Flag {
        /// Whose flag.
        side: Side,
        /// Whether a further stage was given or the side has no time left.
        flag: FlagKind,
        /// For a fall: the first one of this game.
        first: bool,
    },
    /// An arbiter's correction left a fallen side with time.
    FlagLifted {
        /// Whose fall.
        side: Side,
    },
    /// A side entered another stage.
    Stage {
        /// Whose stage.
        side: Side,
        /// The new stage, counted from 1.
        stage: u32,
        /// What was added for it, the change of the grant included.
        #[serde(rename = "added_us", with = "added_us")]
        added: Span,
    },
    /// A side has made its moves and waits for the arbiter to confirm the next stage.
    StagePending {
        /// Whose stage.
        side: Side,
    },
    /// A byo-yomi period was burned.
    Period {
        /// Whose period.
        side: Side,
        /// How many are left.
        periods: u32,
    },
    /// A side has reached the number of offences at which the game is lost, or has passed it
    /// (Laws 7.5.5): the result is the arbiter's.
    OffenceLimit {
        /// The offender.
        side: Side,
        /// The offence.
        offence: Offence,
        /// How many offences of this kind the side has.
        count: u32,
    },
    /// This side's player has not come by the end of the default time (Laws 6.7).
    DefaultTime {
        /// Who is absent.
        side: Side,
    },
    /// A press that changed nothing.
    #[serde(with = "ignored_press")]
    Ignored {
        /// Whose press.
        side: Side,
        /// Why.
        reason: IgnoreReason,
    },
}

impl Effect {
    /// The names of all effects of the engine.
    pub const NAMES: [&'static str; 9] = [
        "turn",
        "flag",
        "flag_lifted",
        "stage",
        "stage_pending",
        "period",
        "offence_limit",
        "default_time",
        "ignored",
    ];

    /// The name: `kind` in a journal line.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        Effect::NAMES[match self {
            Effect::Turn { .. } => 0,
            Effect::Flag { .. } => 1,
            Effect::FlagLifted { .. } => 2,
            Effect::Stage { .. } => 3,
            Effect::StagePending { .. } => 4,
            Effect::Period { .. } => 5,
            Effect::OffenceLimit { .. } => 6,
            Effect::DefaultTime { .. } => 7,
            Effect::Ignored { .. } => 8,
        }]
    }
}

/// The members of an ignored press: what was ignored, whose it was, why.
mod ignored_press {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::control::Side;
    use crate::engine::IgnoreReason;

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Members {
        what: Ignored,
        side: Side,
        reason: IgnoreReason,
    }

    #[derive(Serialize, Deserialize)]
    enum Ignored {
        #[serde(rename = "press")]
        Press,
    }

    pub(super) fn serialize<S: Serializer>(
        side: &Side,
        reason: &IgnoreReason,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Members { what: Ignored::Press, side: *side, reason: *reason }.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<(Side, IgnoreReason), D::Error> {
        Members::deserialize(deserializer).map(|Members { side, reason, .. }| (side, reason))
    }
}

/// What a stage adds, in whole microseconds rounded up.
mod added_us {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::time::Span;

    pub(super) fn serialize<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(span.as_micros_ceil())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Span, D::Error> {
        i64::deserialize(deserializer).map(Span::from_micros)
    }
}

/// An effect and when it happened: a flag at its deadline, not at the poll that found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// When.
    pub at: Instant,
    /// What.
    pub effect: Effect,
}

/// The most that one batch holds.
pub const MAX_OUTPUTS: usize = 48;

/// The effects of one event in their order.
///
/// A caller that [polls](super::Engine::poll) every deadline before it hands in an event gets at
/// most six; 20 inserted presses bring more. One that does not (weeks between two lines of a journal) may meet more deadlines than
/// fit; burned periods are then told by their last count, and nothing else is ever left out.
#[must_use = "effects are to be recorded and published"]
#[derive(Clone, Copy, Debug)]
pub struct Outputs {
    list: [Output; MAX_OUTPUTS],
    len: usize,
}

impl Outputs {
    /// An empty batch.
    pub const fn new() -> Self {
        const BLANK: Output =
            Output { at: Instant::ZERO, effect: Effect::Turn { side: Side::White } };
        Outputs { list: [BLANK; MAX_OUTPUTS], len: 0 }
    }

    /// Adds an effect; in a full batch it takes the last one's place.
    pub(super) fn push(&mut self, at: Instant, effect: Effect) {
        let place = self.len.min(MAX_OUTPUTS - 1);
        self.list[place] = Output { at, effect };
        self.len = place + 1;
    }

    /// True if a further effect would take another one's place.
    pub(super) fn is_nearly_full(&self) -> bool {
        self.len + 8 > MAX_OUTPUTS
    }

    /// The effects in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Output] {
        &self.list[..self.len]
    }

    /// True if nothing followed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Default for Outputs {
    fn default() -> Self {
        Outputs::new()
    }
}

impl<'a> IntoIterator for &'a Outputs {
    type Item = &'a Output;
    type IntoIter = core::slice::Iter<'a, Output>;
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}
