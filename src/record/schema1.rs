//! Lines of schema 1, the format before `at_ns`, as lines of schema 2.
//!
//! The hashes of such a file are checked over its own bytes, before this.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use super::reading::{Problem, span_of_micros};
use super::{Fields, fields};

/// A line of schema 1 in the words of schema 2: times with a fraction become nanoseconds.
pub(super) fn convert(members: &[(Cow<str>, &RawValue)]) -> Result<String, Problem> {
    let text = |name: &str| {
        let value = members.iter().find(|(own, _)| own == name).map(|(_, value)| value.get());
        value.and_then(|value| serde_json::from_str::<String>(value).ok())
    };
    let kind = text("kind").unwrap_or_default();
    let default_time = kind == "warning" && text("code").as_deref() == Some("default-time");
    let mut line = Fields::new();
    for (name, value) in members {
        let (name, value): (&str, Value) = match (&**name, &*kind) {
            ("kind", "second_offence") => ("kind", "offence_limit".into()),
            ("kind", "warning") if default_time => ("kind", "default_time".into()),
            ("code", _) if default_time => continue,
            ("detail", _) if default_time => ("side", absent_side(value).into()),
            ("at_us", _) => ("at_ns", nanos("at_us", value.get())?),
            (name @ ("last_record" | "last_press"), "recovered") => (name, candidate(name, value)?),
            (name, _) => (name, serde_json::from_str(value.get()).unwrap_or_default()),
        };
        line.insert(name.to_owned(), value);
    }
    if kind == "second_offence" {
        line.insert("count".to_owned(), 2.into());
    }
    Ok(Value::from(line).to_string())
}

fn nanos(name: &str, number: &str) -> Result<Value, Problem> {
    let span = span_of_micros(number).map_err(|expected| Problem::member(name, expected))?;
    Ok(span.as_nanos().into())
}

/// What both sides have left by a candidate.
fn candidate(name: &str, value: &RawValue) -> Result<Value, Problem> {
    #[derive(serde::Deserialize)]
    struct LeftUs<'a> {
        #[serde(borrow)]
        white_us: &'a RawValue,
        #[serde(borrow)]
        black_us: &'a RawValue,
    }
    let left = |value: &RawValue| match value.get() {
        "null" => Ok(Value::Null),
        number => nanos(name, number),
    };
    let LeftUs { white_us, black_us } = serde_json::from_str(value.get())
        .map_err(|error| Problem::member(name, error.to_string()))?;
    Ok(fields([("white_ns", left(white_us)?), ("black_ns", left(black_us)?)]).into())
}

/// The side that a warning's sentence begins with.
fn absent_side(detail: &RawValue) -> &'static str {
    if detail.get().starts_with("\"black") { "black" } else { "white" }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::reading::LineReader;
    use crate::record::Content;
    use crate::time::Span;

    const HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

    #[test]
    fn a_file_with_hashes_and_without_a_schema_is_read_as_schema_1() {
        for (members, at_ns, written) in [
            (
                json!({"at_us": 0, "kind": "new_game", "control": "5m"}),
                0,
                json!({"kind": "new_game", "control": "5m"}),
            ),
            (
                json!({"at_us": 7, "kind": "second_offence", "side": "white",
                       "offence": "illegal-move"}),
                7_000,
                json!({"kind": "offence_limit", "side": "white", "offence": "illegal-move",
                       "count": 2}),
            ),
            (
                json!({"at_us": 7, "kind": "warning", "code": "default-time",
                       "detail": "black is absent at the end of the default time"}),
                7_000,
                json!({"kind": "default_time", "side": "black"}),
            ),
        ] {
            let mut line = members.to_string();
            line.truncate(line.len() - 1);
            let line = format!("{line},\"hash\":\"{HASH}\"}}");
            let read = LineReader::default().read(&line).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(read.at, Span::from_nanos(at_ns), "{line}");
            assert_eq!(serde_json::to_value(&read.content).unwrap(), written, "{line}");
        }
    }

    #[test]
    fn fractions_of_a_microsecond_are_kept() {
        let line = format!(
            "{{\"at_us\":1234.567,\"kind\":\"recovered\",\"why\":\"cut-off\",\
             \"last_record\":{{\"white_us\":5.001,\"black_us\":null}},\
             \"last_press\":{{\"white_us\":7,\"black_us\":null}},\"hash\":\"{HASH}\"}}"
        );
        let read = LineReader::default().read(&line).unwrap();
        assert_eq!(read.at, Span::from_nanos(1_234_567));
        let Content::Operation(crate::engine::Operation::Recovered(recovered)) = read.content
        else {
            panic!("{:?}", read.content);
        };
        let left = recovered.last_record.unwrap();
        assert_eq!((left.white, left.black), (Some(Span::from_nanos(5_001)), None));
    }
}
