//! Reading a `state` back: for an `import` that was written by hand, and for whoever computes on
//! from a picture of the bus.

use super::Fields;
use super::json::{self, Value};
use super::members::{self, Members, Problem, Reading};
use crate::control::{BySide, Side};
use crate::engine::{FirstFlag, FlagKind, Offence, Penalties, Phase, SideView, Snapshot};
use crate::time::Span;

/// The members of a picture on the bus that are no part of a `state`.
const BESIDE: [&str; 4] = ["game", "seq", "at_us", "at_ns"];

/// Reads a picture as the bus gives it: the members of a `state`, and beside them `at_ns`, when it
/// was, since the game began.
///
/// # Errors
/// Which member is wrong, and what would be right.
pub fn read_picture(picture: &Fields) -> Result<Snapshot, Problem> {
    let at = picture.get("at_ns").and_then(serde_json::Value::as_i64).unwrap_or_default();
    let mut state = picture.clone();
    state.retain(|name, _| !BESIDE.contains(&name.as_str()));
    let text = serde_json::Value::from(state).to_string();
    let members = Members::of_line(json::object(&text).map_err(Problem::line)?);
    Ok(Snapshot { at: Span::from_nanos(at), ..read_state(members)? })
}

/// Reads the members of a `state`. What follows from the rest (`remaining_us`, `points`,
/// `moves_to_stage`) is looked at and not kept; what is left out is zero or not there.
pub(super) fn read_state(mut state: Members) -> Result<Snapshot, Problem> {
    const PHASES: [Phase; 5] =
        [Phase::Ready, Phase::Running, Phase::Paused, Phase::Flagged, Phase::Ended];
    let phase = state.need("phase", |value| members::word(value, &PHASES, Phase::name))?;
    let to_move = state.need("to_move", members::side)?;
    let first = state.take("first_flag", or_null(members::side))?.flatten();
    let at = state.take("first_flag_at_us", or_null(members::span))?.flatten();
    let white = state.take("first_flag_white_us", or_null(members::span))?.flatten();
    let black = state.take("first_flag_black_us", or_null(members::span))?.flatten();
    let remaining = BySide { white, black };
    let first_flag = first.map(|side| FirstFlag { side, at: at.unwrap_or_default(), remaining });
    let sides =
        BySide { white: side(&mut state, Side::White)?, black: side(&mut state, Side::Black)? };
    state.finish("`state`")?;
    Ok(Snapshot { at: Span::ZERO, phase, to_move, first_flag, sides })
}

fn side(state: &mut Members, side: Side) -> Result<SideView, Problem> {
    let Some(mut own) = state.take_object(side.name())? else {
        return Err(state.problem(side.name(), "is missing"));
    };
    let mut span = |name| own.take(name, or_null(members::span)).map(Option::flatten);
    let remaining = span("remaining_us")?;
    let allowance = span("allowance_us")?.unwrap_or_default();
    let overtime = span("overtime_us")?;
    let flag_at = span("flag_at_us")?;
    let stage_flag_at = span("stage_flag_at_us")?;
    let lateness = span("late_us")?;
    let main = own.need("main_us", members::span)?;
    let mut count = |name| own.take(name, or_null(members::count)).map(Option::flatten);
    let moves = count("moves")?.unwrap_or(0);
    let moves_to_stage = count("moves_to_stage")?;
    let periods = count("periods")?;
    let stones = count("stones")?;
    let points = count("points")?;
    let stage = own.take("stage", members::positive)?.unwrap_or(1);
    let kinds = [FlagKind::Stage, FlagKind::Fall];
    let flag =
        own.take("flag", or_null(|value| members::word(value, &kinds, FlagKind::name)))?.flatten();
    let stage_pending = own.take("stage_pending", members::truth)?.unwrap_or(false);
    let mut penalties = Penalties::default();
    if let Some(mut counts) = own.take_object("penalties")? {
        for offence in Offence::ALL {
            *penalties.of_mut(offence) = counts.take(offence.name(), members::count)?.unwrap_or(0);
        }
        counts.finish("`penalties`")?;
    }
    own.finish(format_args!("`{side}` in `state`"))?;
    Ok(SideView {
        remaining,
        main,
        allowance,
        stage,
        moves,
        moves_to_stage,
        periods,
        stones,
        overtime,
        points,
        flag,
        flag_at,
        stage_flag_at,
        stage_pending,
        used: Span::ZERO,
        penalties,
        lateness,
    })
}

/// A value, or null for none.
fn or_null<T>(
    read: impl FnOnce(&Value) -> Reading<T>,
) -> impl FnOnce(&Value) -> Reading<Option<T>> {
    move |value| match value {
        Value::Null => Ok(None),
        value => read(value).map(Some),
    }
}
