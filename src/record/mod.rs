//! Journal lines: how causes, effects and states are written, read back and replayed.
//!
//! Nothing here touches files, the bus or a clock: lines come in and go out as text, and time is
//! what a line says. The format is that of a game's journal; a scenario written by hand is the
//! same format, shortened.

mod cause;
pub mod chain;
mod effect;
mod entry;
mod export;
mod json;
mod line;
mod members;
mod objection;
mod replay;
mod state;
mod time;
pub mod verify;
mod view;

#[cfg(test)]
mod tests;

pub use cause::{Cause, DENIED, How, Imported};
pub use effect::{effect_fields, effect_kind, refused_fields};
pub use entry::Entry;
pub use export::{ExportError, export_fields, export_text, read_export, read_export_text};
pub use line::{Content, Line, parse_line};
pub use members::Problem;
pub use replay::{Instead, LineError, Replay, Step};
pub use state::state_fields;
pub use time::{Precision, at_us, left_us, read_us};
pub use view::read_picture;

/// The members of a line or of a part of it, in the order in which they are written.
pub type Fields = serde_json::Map<String, serde_json::Value>;

/// Writes members in their order.
pub(crate) fn fields<const N: usize>(members: [(&str, serde_json::Value); N]) -> Fields {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
