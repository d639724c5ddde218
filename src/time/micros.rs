//! Spans as whole microseconds in what is read and written (`_us`).
//!
//! For `#[serde(with = "crate::time::micros")]`; the member is left out where there is no span.

use serde::{Deserialize, Deserializer, Serializer};

use super::Span;

/// Writes whole microseconds.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(span: &Option<Span>, serializer: S) -> Result<S::Ok, S::Error> {
    match span {
        Some(span) => serializer.serialize_i64(span.as_micros_floor()),
        None => serializer.serialize_none(),
    }
}

/// Reads whole microseconds.
///
/// # Errors
/// The value is not an integer.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Span>, D::Error> {
    Ok(Option::<i64>::deserialize(deserializer)?.map(Span::from_micros))
}
