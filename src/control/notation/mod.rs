//! Reading and writing time controls as text.
//!
//! Knows no preset ids (see [`presets`](super::presets)) and keeps no time. One canonical form is
//! written; that and the notations of chess sites, FIDE, US Chess, PGN and SGF are read. Printing
//! then reading gives the same control. The grammar of the
//! canonical form heads its reader, `canonical.rs`; each foreign notation heads its own.
//!
//! No reader looks at a text longer than any control is ([`MAX_TEXT`]).

mod canonical;
mod check;
mod cursor;
mod draft;
mod duration;
mod error;
mod foreign;
mod method;
mod words;
mod write;

#[cfg(test)]
pub(crate) mod tests;

pub use error::{NotationError, Problem};

use cursor::Cursor;
use error::Fault;

use super::{Control, Side};
use crate::time::Span;

/// The longest text, in bytes, that is read at all. The longest control, of two sides with eight
/// stages and a hundred Canadian blocks, has about 7,000.
pub const MAX_TEXT: usize = 10_000;

/// Reads a time control in any notation but a preset's id.
///
/// # Errors
/// The text is no control, or one that no clock can keep; the error says where and why, and what
/// would be right.
pub fn parse(text: &str) -> Result<Control, NotationError> {
    read_bounded(text, read)
}

/// Reads a canonical duration: `1h30m`, `45s`, `500ms`; at most 99 h, never negative.
///
/// # Errors
/// The text is no duration.
pub fn parse_duration(text: &str) -> Result<Span, NotationError> {
    read_bounded(text, duration::read_whole)
}

/// Reads a time as the console takes it: `1h5m`, `90s`, `12:34` (minutes and seconds), `1:02:03`,
/// with a fraction of the second behind a point if need be; at most 99 h, never negative.
///
/// # Errors
/// The text is no time.
pub fn parse_clock_time(text: &str) -> Result<Span, NotationError> {
    read_bounded(text, duration::read_clock_time)
}

/// Writes a duration canonically: `1h30m`, `0s`. Parts of a millisecond are rounded up; a span
/// below zero has a minus sign in front.
#[must_use]
pub fn write_duration(span: Span) -> String {
    duration::write(span)
}

/// Reads a text of a reasonable length, and explains what is wrong with it.
fn read_bounded<T>(
    text: &str,
    read: impl Fn(&str) -> Result<T, Fault>,
) -> Result<T, NotationError> {
    let result = if text.len() > MAX_TEXT {
        let why = format!("no time control is longer than {MAX_TEXT} bytes");
        Err(Fault::impossible(0..text.len(), why, "write a shorter one"))
    } else {
        read(text)
    };
    result.map_err(|fault| fault.explain(text, read))
}

/// Whether a clock can keep a control that was put together otherwise than from a text.
///
/// # Errors
/// Whose stage, which one (from 0), and the sentence that says why and what would be right.
pub fn check(control: &Control) -> Result<(), (Side, usize, String)> {
    check::check(control).map_err(|objection| {
        let sentence = format!("{}: {}", objection.why, objection.remedy);
        (objection.side, objection.stage, sentence)
    })
}

fn read(text: &str) -> Result<Control, Fault> {
    if text.trim().is_empty() {
        return Err(Cursor::new(text).expected("a time control"));
    }
    foreign::read(text).unwrap_or_else(|| canonical::read(text))?.finish()
}
