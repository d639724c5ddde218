//! Effects as journal lines name them.

use serde_json::Value;

use super::{Fields, Precision, fields, left_us};
use crate::engine::{Effect, Refusal};

/// The `kind` of an effect's line.
#[must_use]
pub const fn effect_kind(effect: &Effect) -> &'static str {
    match effect {
        Effect::Turn { .. } => "turn",
        Effect::Flag { .. } => "flag",
        Effect::FlagLifted { .. } => "flag_lifted",
        Effect::Stage { .. } => "stage",
        Effect::StagePending { .. } => "stage_pending",
        Effect::Period { .. } => "period",
        Effect::SecondOffence { .. } => "second_offence",
        Effect::DefaultTime { .. } => "warning",
        Effect::Ignored { .. } => "ignored",
    }
}

/// An effect's own members, without `kind` and `at_us`. Times are whole microseconds.
#[must_use]
pub fn effect_fields(effect: &Effect) -> Fields {
    effect_fields_to(effect, Precision::Micros)
}

/// An effect's own members with times as finely as asked.
pub(crate) fn effect_fields_to(effect: &Effect, precision: Precision) -> Fields {
    match *effect {
        Effect::Turn { side } | Effect::FlagLifted { side } | Effect::StagePending { side } => {
            fields([("side", side.name().into())])
        }
        Effect::Flag { side, flag, first } => fields([
            ("side", side.name().into()),
            ("flag", flag.name().into()),
            ("first", first.into()),
        ]),
        Effect::Stage { side, stage, added } => fields([
            ("side", side.name().into()),
            ("stage", stage.into()),
            ("added_us", left_us(added, precision)),
        ]),
        Effect::Period { side, periods } => {
            fields([("side", side.name().into()), ("periods", periods.into())])
        }
        Effect::SecondOffence { side, offence } => {
            fields([("side", side.name().into()), ("offence", offence.name().into())])
        }
        Effect::DefaultTime { side } => fields([
            ("code", "default-time".into()),
            ("detail", format!("{side} is absent at the end of the default time").into()),
        ]),
        Effect::Ignored { side, reason } => fields([
            ("what", "press".into()),
            ("side", side.name().into()),
            ("reason", reason.name().into()),
        ]),
    }
}

/// The members of a `refused` effect: what was asked (the cause's kind) and the family of the
/// refusal, which is also the name of the D-Bus error.
#[must_use]
pub fn refused_fields(what: &str, refusal: &Refusal) -> Fields {
    fields([("what", what.into()), ("error", Value::from(refusal.kind().name()))])
}
