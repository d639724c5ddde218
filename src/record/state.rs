//! The state of a game as journal lines carry it.

use serde_json::Value;

use super::{Fields, Precision, at_us, fields, left_us};
use crate::control::Side;
use crate::engine::{Offence, Penalties, SideView, Snapshot};

/// The members of `state` in their order: null where there is no value.
#[must_use]
pub fn state_fields(snapshot: &Snapshot, precision: Precision) -> Fields {
    let first = snapshot.first_flag;
    let left_then = |side: Side| match first.and_then(|flag| flag.remaining[side]) {
        Some(left) => left_us(left, precision),
        None => Value::Null,
    };
    fields([
        ("phase", snapshot.phase.name().into()),
        ("to_move", snapshot.to_move.name().into()),
        ("first_flag", first.map(|flag| flag.side.name()).into()),
        ("first_flag_at_us", first.map_or(Value::Null, |flag| at_us(flag.at, precision))),
        ("first_flag_white_us", left_then(Side::White)),
        ("first_flag_black_us", left_then(Side::Black)),
        ("white", side_fields(&snapshot.sides.white, precision).into()),
        ("black", side_fields(&snapshot.sides.black, precision).into()),
    ])
}

fn side_fields(side: &SideView, precision: Precision) -> Fields {
    let left = |span| left_us(span, precision);
    let at = |span| at_us(span, precision);
    let mut all = fields([
        ("remaining_us", side.remaining.map_or(Value::Null, left)),
        ("main_us", left(side.main)),
        ("allowance_us", left(side.allowance)),
        ("stage", side.stage.into()),
        ("moves", side.moves.into()),
        ("moves_to_stage", side.moves_to_stage.into()),
        ("periods", side.periods.into()),
        ("stones", side.stones.into()),
        ("overtime_us", side.overtime.map_or(Value::Null, left)),
        ("points", side.points.into()),
        ("flag", side.flag.map(|flag| flag.name()).into()),
        ("flag_at_us", side.flag_at.map_or(Value::Null, at)),
        ("stage_flag_at_us", side.stage_flag_at.map_or(Value::Null, at)),
        ("penalties", penalties(&side.penalties).into()),
        ("stage_pending", side.stage_pending.into()),
    ]);
    // Only where somebody counts it.
    if let Some(lateness) = side.lateness {
        all.insert("late_us".to_owned(), at(lateness));
    }
    all
}

/// The counts of penalties by offence.
fn penalties(counts: &Penalties) -> Fields {
    fields(Offence::ALL.map(|offence| (offence.name(), counts.of(offence).into())))
}
