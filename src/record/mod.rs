//! Journal lines: how operations, effects and states are written, read back and replayed.
//!
//! Nothing here touches files, the bus or a clock: lines come in and go out as text, and time is
//! what a line says. The format is that of a game's journal; a scenario written by hand has the
//! same format, shortened. `docs/journal.md` describes it.

pub mod chain;
mod line;
mod reading;
mod replay;
mod schema1;
pub mod verify;

#[cfg(test)]
mod tests;

pub use line::{Annotations, BoxEvent, Content, NewLine, SCHEMA};
pub use reading::{JournalLine, LineReader, Problem, read_operation, span_of_micros};
pub use replay::{LineError, Override, Replay, Step};

/// Members of a JSON object in their order.
pub type Fields = serde_json::Map<String, serde_json::Value>;

/// Writes members in their order.
pub(crate) fn fields<const N: usize>(members: [(&str, serde_json::Value); N]) -> Fields {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The members of a value that is written as an object.
#[must_use]
pub fn members_of(value: &impl serde::Serialize) -> Fields {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => Fields::new(),
    }
}
