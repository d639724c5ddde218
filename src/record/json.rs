//! One JSON object out of one line of text, with nothing dropped on the way.
//!
//! What the members mean is not looked at here. `serde_json` keeps the last of two members of the
//! same name and says nothing; in a journal that would be a line with two truths, so a repeated
//! name is refused at any depth.

use core::fmt;
use std::collections::HashSet;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::Fields;

/// Reads a line as an object.
///
/// # Errors
/// A sentence: what is wrong, where in the line, and what would be right.
pub(super) fn object(line: &str) -> Result<Fields, String> {
    if line.trim().is_empty() {
        return Err("the line is empty; each line holds one JSON object".to_owned());
    }
    let value: Value = serde_json::from_str(line).map_err(|error| syntax(&error))?;
    let Value::Object(fields) = value else {
        return Err(format!(
            "the line holds {} where one JSON object is expected, \
             as in {{\"kind\":\"query\",\"at_us\":0}}",
            kind_of(&value)
        ));
    };
    serde_json::from_str::<Unrepeated>(line).map_err(|error| syntax(&error))?;
    Ok(fields)
}

/// What a value is, for a sentence.
pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The parser's own words; the place is a column only, since each line is parsed alone.
fn syntax(error: &serde_json::Error) -> String {
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
                return Err(A::Error::custom(format!("`{twice}` is given twice; give it once")));
            }
        }
        Ok(Unrepeated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_named_twice_is_refused_at_any_depth() {
        for line in [
            r#"{"kind":"query","kind":"pause"}"#,
            r#"{"white":{"moves":1,"main_us":2.5,"moves":1}}"#,
            r#"{"a":[1,{"b":null,"b":true}]}"#,
        ] {
            let error = object(line).expect_err(line);
            assert!(error.contains("given twice"), "{line}: {error}");
        }
    }

    #[test]
    fn numbers_keep_their_decimal_text() {
        let fields = object(r#"{"at_us":1234.567,"n":[0.1,-2]}"#).expect("an object");
        assert_eq!(serde_json::to_string(&fields).unwrap(), r#"{"at_us":1234.567,"n":[0.1,-2]}"#);
    }

    #[test]
    fn what_is_no_object_is_refused_with_the_place_and_what_it_is() {
        for (line, part) in [
            ("", "the line is empty"),
            ("[]", "a list"),
            ("1", "a number"),
            ("\"x\"", "a text"),
            ("{\"a\":1", "column 6"),
            ("{\"a\":1} {}", "column 9"),
        ] {
            let error = object(line).expect_err(line);
            assert!(error.contains(part) && error.contains("one JSON object"), "{line}: {error}");
        }
    }
}
