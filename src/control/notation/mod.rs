//! Reading and writing time controls as text.

mod error;

pub use error::{NotationError, Problem};

use super::Control;
use crate::time::Span;

/// Reads a time control in any notation but a preset's id.
///
/// # Errors
/// The text is no control, or an impossible one.
pub fn parse(text: &str) -> Result<Control, NotationError> {
    Err(error::skeleton(text))
}

/// Reads a canonical duration: `1h30m`, `45s`, `500ms`.
///
/// # Errors
/// The text is no duration.
pub fn parse_duration(text: &str) -> Result<Span, NotationError> {
    Err(error::skeleton(text))
}

/// Reads a time as the console takes it: `1h5m`, `12:34` (minutes and seconds), `1:02:03`, `90s`.
/// Never negative.
///
/// # Errors
/// The text is no time.
pub fn parse_clock_time(text: &str) -> Result<Span, NotationError> {
    Err(error::skeleton(text))
}

/// Writes a duration canonically; parts of a millisecond are rounded up.
#[must_use]
pub fn write_duration(span: Span) -> String {
    format!("{span:?}")
}

impl core::fmt::Display for Control {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("skeleton")
    }
}
