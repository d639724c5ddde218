//! Why a line is refused as JSON, in the words of `serde_json` and with the column.
//!
//! Only lines that are refused come here, and they may take their time.

use core::fmt;
use std::collections::HashSet;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::json::DEEPEST;
use crate::control::quote::{MAX_NAME, quote};

/// Why a line cannot be read.
pub(super) fn unreadable(line: &str) -> String {
    if line.trim().is_empty() {
        return "the line is empty; each line holds one JSON object".to_owned();
    }
    match serde_json::from_str::<serde_json::Value>(line) {
        Err(error) => sentence(&error),
        Ok(_) => format!("the line nests deeper than {DEEPEST} values"),
    }
}

/// Which member of a line that can be read is named twice.
pub(super) fn repeated(line: &str) -> String {
    match serde_json::from_str::<Unrepeated>(line) {
        Err(error) => sentence(&error),
        Ok(Unrepeated) => "a member is given twice; give it once".to_owned(),
    }
}

/// The parser's own words; the place is a column only, since each line is parsed alone.
fn sentence(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let what = words.split(" at line ").next().unwrap_or_default();
    format!("column {}: {what}; each line holds one JSON object", error.column())
}

/// Any value in which no object names a member twice.
struct Unrepeated;

impl<'de> Deserialize<'de> for Unrepeated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Walk)
    }
}

struct Walk;

impl<'de> Visitor<'de> for Walk {
    type Value = Unrepeated;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Unrepeated, E> {
        Ok(Unrepeated)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Unrepeated, E> {
        Ok(Unrepeated)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Unrepeated, E> {
        Ok(Unrepeated)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Unrepeated, E> {
        Ok(Unrepeated)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Unrepeated, E> {
        Ok(Unrepeated)
    }

    fn visit_unit<E: Error>(self) -> Result<Unrepeated, E> {
        Ok(Unrepeated)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Unrepeated, A::Error> {
        while list.next_element::<Unrepeated>()?.is_some() {}
        Ok(Unrepeated)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unrepeated, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            map.next_value::<Unrepeated>()?;
            if let Some(twice) = names.replace(name) {
                return Err(A::Error::custom(format!(
                    "`{}` is given twice; give it once",
                    quote(&twice, MAX_NAME)
                )));
            }
        }
        Ok(Unrepeated)
    }
}
