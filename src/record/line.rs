//! What a journal line says, and how it is written.

use serde::{Deserialize, Serialize};

use super::chain::{After, Chain};
use crate::control::quote::is_plain;
use crate::engine::{Effect, Operation, Refusal, Snapshot};
use crate::time::Span;

/// The version of the journal's format that is written.
pub const SCHEMA: u32 = 2;

/// The content of a line; it is written as `kind` and the members of that kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// A cause: something from outside.
    Operation(Operation),
    /// An effect, which a replay computes again.
    Effect(Effect),
    /// What only the box knows, and a refusal.
    Box(BoxEvent),
}

/// What follows from the box and not from the rules of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum BoxEvent {
    /// The cause before was refused.
    Refused {
        /// The name of the operation.
        what: String,
        /// The [kind](crate::engine::RefusalKind) of the refusal.
        error: String,
    },
    /// Something that the arbiter should know: a stuck button, a full disk.
    Warning {
        /// What happened, as a word for programs.
        code: String,
        /// The same for people.
        detail: String,
    },
}

impl BoxEvent {
    /// The names of all of them.
    pub const NAMES: [&'static str; 2] = ["refused", "warning"];

    /// The refusal of an operation.
    #[must_use]
    pub fn refused(operation: &Operation, refusal: &Refusal) -> Self {
        let (what, error) = (operation.name().to_owned(), refusal.kind().name().to_owned());
        BoxEvent::Refused { what, error }
    }
}

impl Content {
    /// The `kind` of the line.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Content::Operation(operation) => operation.name(),
            Content::Effect(effect) => effect.name(),
            Content::Box(BoxEvent::Refused { .. }) => "refused",
            Content::Box(BoxEvent::Warning { .. }) => "warning",
        }
    }
}

/// What can be recorded with every operation.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Annotations {
    /// Why; at most 500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who asked for it, as the caller says: 1 to 64 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_behalf_of: Option<String>,
}

impl Annotations {
    /// Only a reason; none where the text is empty.
    #[must_use]
    pub fn because(reason: &str) -> Self {
        let reason = (!reason.is_empty()).then(|| reason.to_owned());
        Annotations { reason, on_behalf_of: None }
    }

    /// Checks the lengths and characters.
    ///
    /// # Errors
    /// Which text is wrong, and what would work.
    pub fn check(&self) -> Result<(), String> {
        for (name, text, least, most) in
            [("reason", &self.reason, 0, 500), ("on_behalf_of", &self.on_behalf_of, 1, 64)]
        {
            let Some(text) = text else { continue };
            let length = text.chars().count();
            if !(least..=most).contains(&length) {
                return Err(format!("{name}: has {length} characters; give {least} to {most}"));
            }
            if !text.chars().all(is_plain) {
                return Err(format!("{name}: contains a control character; leave it out"));
            }
        }
        Ok(())
    }
}

/// A line that is to be written.
#[derive(Debug, Serialize)]
pub struct NewLine<'a> {
    /// The line's number within the game, from 0.
    pub seq: u64,
    /// The [version](SCHEMA) of the format, in the first line of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<u32>,
    /// When, since the game began.
    #[serde(rename = "at_ns")]
    pub at: Span,
    /// Wall time as RFC 3339, for people.
    pub wall: String,
    /// Who caused it; `None` for an effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<&'a str>,
    /// The operation, the effect or what the box itself reports.
    #[serde(flatten)]
    pub content: &'a Content,
    /// What an operation was annotated with.
    #[serde(flatten)]
    pub annotations: &'a Annotations,
    /// In the first line of a game: the game before, whose last hash begins this chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<&'a After>,
    /// The game after the line.
    pub state: &'a Snapshot,
}

impl NewLine<'_> {
    /// The line's text with its hash, the next link of a chain.
    #[must_use]
    pub fn seal(&self, chain: &mut Chain) -> String {
        // Numbers, texts and maps with text keys can always be written.
        let bare = serde_json::to_string(self).unwrap_or_default();
        chain.seal(bare)
    }
}
