//! Dictionaries that go out: the members of journal lines as they are on the bus.
//!
//! Keys are those of the journal. What has no value is left out; times (`_us`, `_ns`) are `x`,
//! numbers of things `u`.

use std::collections::BTreeMap;

use serde_json::Value;
use zbus::Variant;

use crate::engine::Snapshot;
use crate::record::{Fields, Precision, read_us, state_fields};

/// A dictionary, its keys in the order of the alphabet, so that who reads `busctl` finds them.
pub(super) type Dict = BTreeMap<String, Variant<'static>>;

/// Whether move counters are shown: under `fide` they are for arbiters only (Laws 12.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counters {
    /// They are.
    Shown,
    /// They are left out.
    Hidden,
}

/// The members that are move counters, wherever they stand.
const COUNTERS: [&str; 2] = ["moves", "moves_to_stage"];

/// One consistent picture: the keys of `Snapshot`.
pub(super) fn picture(game: &str, seq: u64, snapshot: &Snapshot, counters: Counters) -> Dict {
    let mut dict = state(snapshot, counters);
    dict.insert("game".to_owned(), game.to_owned().into());
    dict.insert("seq".to_owned(), seq.into());
    dict.insert("at_us".to_owned(), snapshot.at.as_micros_floor().into());
    dict.insert("at_ns".to_owned(), snapshot.at.as_nanos().into());
    dict
}

/// Both sides and the phase.
pub(super) fn state(snapshot: &Snapshot, counters: Counters) -> Dict {
    members(&state_fields(snapshot, Precision::Micros), counters)
}

/// Any members of a line.
pub(super) fn members(fields: &Fields, counters: Counters) -> Dict {
    fields
        .iter()
        .filter(|(name, _)| counters == Counters::Shown || !COUNTERS.contains(&name.as_str()))
        .filter_map(|(name, value)| Some((name.clone(), variant(name, value, counters)?)))
        .collect()
}

fn variant(name: &str, value: &Value, counters: Counters) -> Option<Variant<'static>> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(truth) => (*truth).into(),
        Value::String(text) => text.clone().into(),
        Value::Number(_) if name.ends_with("_us") => read_us(value).ok()?.as_micros_ceil().into(),
        Value::Number(number) => u32::try_from(number.as_u64()?).ok()?.into(),
        Value::Object(counts) if name == "penalties" => {
            let count = |value: &Value| u32::try_from(value.as_u64()?).ok();
            let counts =
                counts.iter().filter_map(|(name, value)| Some((name.clone(), count(value)?)));
            counts.collect::<BTreeMap<String, u32>>().into()
        }
        Value::Object(fields) => members(fields, counters).into(),
        Value::Array(texts) => {
            let texts = texts.iter().filter_map(Value::as_str).map(str::to_owned);
            texts.collect::<Vec<String>>().into()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Profile, Settings, notation};
    use crate::engine::Engine;
    use crate::record::Cause;
    use crate::time::{Instant, Span};

    fn snapshot(control: &str) -> Snapshot {
        let control = notation::parse(control).unwrap();
        let engine = Engine::new(Instant::ZERO, Box::new(Settings::new(control, Profile::Club)));
        engine.snapshot(Instant::ZERO + Span::from_nanos(1_500))
    }

    fn side(dict: &Dict, side: &str) -> BTreeMap<String, zbus::OwnedVariant> {
        dict[side].try_clone().unwrap().try_into().unwrap()
    }

    #[test]
    fn every_key_has_the_type_of_the_introspection() {
        let dict = picture("g", 7, &snapshot("40/1h30m+30s, 30m+30s"), Counters::Shown);
        for (key, signature) in [
            ("game", "s"),
            ("seq", "t"),
            ("at_us", "x"),
            ("at_ns", "x"),
            ("phase", "s"),
            ("to_move", "s"),
            ("white", "a{sv}"),
            ("black", "a{sv}"),
        ] {
            assert_eq!(dict[key].value_signature().to_string(), signature, "{key}");
        }
        assert_eq!((&dict["at_us"], &dict["at_ns"]), (&1_i64.into(), &1_500_i64.into()));
        assert!(!dict.contains_key("first_flag"), "what has no value is left out");
        let white = side(&dict, "white");
        for (key, signature) in [
            ("remaining_us", "x"),
            ("main_us", "x"),
            ("allowance_us", "x"),
            ("stage", "u"),
            ("moves", "u"),
            ("moves_to_stage", "u"),
            ("stage_pending", "b"),
            ("penalties", "a{su}"),
        ] {
            assert_eq!(white[key].value_signature().to_string(), signature, "{key}");
        }
        for key in ["periods", "stones", "overtime_us", "points", "flag"] {
            assert!(!white.contains_key(key), "{key}");
        }
    }

    #[test]
    fn counters_are_hidden_at_every_depth() {
        let dict = picture("g", 7, &snapshot("40/1h30m, 30m"), Counters::Hidden);
        let white = side(&dict, "white");
        assert!(white.contains_key("stage"));
        assert!(!white.contains_key("moves") && !white.contains_key("moves_to_stage"));
    }

    #[test]
    fn a_corrections_exact_times_become_whole_microseconds() {
        use crate::control::BySide;
        use crate::engine::{Adjustment, Change, Command};
        let change = Change::By(Span::from_micros(-60_000_000));
        let white = Adjustment { main: Some(change), ..Adjustment::default() };
        let command = Command::Adjust(BySide { white, ..BySide::default() });
        let dict = members(&Cause::command(command).fields(), Counters::Shown);
        assert_eq!(*side(&dict, "white")["add_us"], (-60_000_000_i64).into());
        assert!(!dict.contains_key("black"));
    }
}
