//! Values of the bus as JSON.

use serde_json::Value;
use zbus::Variant;

use super::bus::ReplyDict;
use crate::record::Fields;

/// The order of keys in states and events; others follow alphabetically.
const ORDER: [&str; 30] = [
    "game",
    "seq",
    "at_us",
    "at_ns",
    "phase",
    "to_move",
    "first_flag",
    "first_flag_at_us",
    "first_flag_white_us",
    "first_flag_black_us",
    "white",
    "black",
    "what",
    "side",
    "remaining_us",
    "main_us",
    "allowance_us",
    "stage",
    "moves",
    "moves_to_stage",
    "periods",
    "stones",
    "overtime_us",
    "points",
    "flag",
    "first",
    "flag_at_us",
    "stage_flag_at_us",
    "penalties",
    "stage_pending",
];

/// A dictionary of the bus as JSON members.
pub(super) fn fields(dict: &ReplyDict) -> Fields {
    ordered(dict.iter().map(|(key, value)| (key.clone(), json(value))))
}

fn ordered(members: impl Iterator<Item = (String, Value)>) -> Fields {
    let rank = |key: &str| ORDER.iter().position(|known| *known == key).unwrap_or(ORDER.len());
    let mut members: Vec<_> = members.collect();
    members.sort_by(|(a, _), (b, _)| rank(a).cmp(&rank(b)).then_with(|| a.cmp(b)));
    members.into_iter().collect()
}

/// A value of the bus as JSON; null where JSON has no such value (a file descriptor, infinity).
pub(super) fn json(value: &Variant<'_>) -> Value {
    match value {
        Variant::U8(number) => (*number).into(),
        Variant::Bool(on) => (*on).into(),
        Variant::I16(number) => (*number).into(),
        Variant::U16(number) => (*number).into(),
        Variant::I32(number) => (*number).into(),
        Variant::U32(number) => (*number).into(),
        Variant::I64(number) => (*number).into(),
        Variant::U64(number) => (*number).into(),
        Variant::F64(number) => (*number).into(),
        Variant::Str(text) => text.as_str().into(),
        Variant::Signature(signature) => signature.to_string().into(),
        Variant::ObjectPath(path) => path.as_str().into(),
        Variant::Variant(inner) => json(inner),
        Variant::Array(list) => list.iter().map(json).collect(),
        Variant::Dict(dict) => ordered(dict.iter().map(|(key, value)| {
            let key = json(key);
            (key.as_str().map_or_else(|| key.to_string(), str::to_owned), json(value))
        }))
        .into(),
        Variant::Structure(structure) => structure.fields().iter().map(json).collect(),
        Variant::Fd(_) => Value::Null,
    }
}
