//! Whether a clock can keep a control: the refusals that concern a control's meaning.
//!
//! Durations and counts out of bounds, and methods that cannot even be held by one
//! [`Stage`], are refused where they are read.

use super::duration::write as duration;
use crate::control::{BySide, Control, Grant, Method, Overtime, Side, Stage, Stages};
use crate::time::Span;

/// Why no clock can keep a control, and where that lies.
#[derive(Debug)]
pub(super) struct Objection {
    /// Whose stage; White's where both are alike.
    pub(super) side: Side,
    /// Which one, from 0.
    pub(super) stage: usize,
    /// What is impossible.
    pub(super) why: String,
    /// What would be possible.
    pub(super) remedy: String,
}

/// What is impossible, and what would be possible.
struct Reason(String, String);

fn refuse<T>(why: impl Into<String>, remedy: impl Into<String>) -> Result<T, Reason> {
    Err(Reason(why.into(), remedy.into()))
}

/// Finds the first part of a control that cannot be kept.
pub(super) fn check(control: &Control) -> Result<(), Objection> {
    for side in Side::BOTH {
        let stages = &control.sides[side];
        for (index, stage) in stages.list.iter().enumerate() {
            check_stage(stages, index, stage).map_err(|Reason(why, remedy)| Objection {
                side,
                stage: index,
                why,
                remedy,
            })?;
        }
    }
    check_opponents(&control.sides).map_err(|Reason(why, remedy)| Objection {
        side: Side::Black,
        stage: 0,
        why,
        remedy,
    })
}

fn check_stage(stages: &Stages, index: usize, stage: &Stage) -> Result<(), Reason> {
    check_place(stages, index, stage)?;
    check_moves(stages, index, stage)?;
    if let Method::Main { grant, overtime } = &stage.method {
        check_grant(stage.base, grant)?;
        check_overtime(overtime)?;
    }
    check_time(stages, index, stage)
}

/// What stands alone stands alone, and overtime ends a control.
fn check_place(stages: &Stages, index: usize, stage: &Stage) -> Result<(), Reason> {
    let word = match &stage.method {
        Method::Main { overtime: Overtime::None, .. } => return Ok(()),
        Method::Main { overtime, .. } => {
            let word = overtime_word(overtime);
            if stages.has_next(index) {
                return refuse(
                    format!("`{word}` stands only in the last stage"),
                    "move it behind the last stage's time, or leave out the stages after it",
                );
            }
            if stage.moves.is_some() {
                return refuse(
                    format!("a stage with `{word}` lasts to the end and counts no moves"),
                    "leave out the number of moves",
                );
            }
            return Ok(());
        }
        Method::Hourglass => "hourglass",
        Method::PerMove { .. } => "move",
        Method::Gong => "gong",
        Method::CountUp { .. } => "up",
    };
    if stages.list.len() > 1 || stages.repeat || stage.moves.is_some() || stage.confirm {
        return refuse(
            format!("`{word}` stands alone, without moves and further stages"),
            format!("write `{word}` and its time only, or leave it out"),
        );
    }
    Ok(())
}

fn overtime_word(overtime: &Overtime) -> &'static str {
    match overtime {
        Overtime::None => "",
        Overtime::Byoyomi { .. } => "byoyomi",
        Overtime::Canadian { .. } => "canadian",
        Overtime::Below { .. } => "overtime",
    }
}

/// The number of moves, `confirm` and `repeat`.
fn check_moves(stages: &Stages, index: usize, stage: &Stage) -> Result<(), Reason> {
    let time = duration(stage.base);
    let is_last = !stages.has_next(index);
    let repeats = is_last && stages.repeat;
    if stage.moves == Some(0) {
        return refuse("a stage of 0 moves never begins", "write at least 1 move");
    }
    if stage.confirm && is_last {
        return refuse(
            "`confirm` holds back the next stage, and no stage follows",
            "leave out `confirm`, or add a stage as in `40/2h confirm, 30m`",
        );
    }
    if stage.confirm && stage.moves.is_none() {
        return refuse(
            "`confirm` waits for the last move of a stage, and this one counts no moves",
            format!("write the moves, as in `40/{time} confirm`, or leave out `confirm`"),
        );
    }
    if repeats && stage.moves.is_none() {
        return refuse(
            "`repeat` begins the last stage again after its moves, and it counts none",
            format!("write the moves, as in `40/{time} repeat`, or leave out `repeat`"),
        );
    }
    if let Some(moves) = stage.moves.filter(|_| is_last && !repeats) {
        return refuse(
            format!("nothing follows the {moves} moves of the last stage"),
            format!("add a stage, as in `{moves}/{time}, 30m`, or `repeat`"),
        );
    }
    Ok(())
}

fn check_grant(base: Span, grant: &Grant) -> Result<(), Reason> {
    match grant {
        Grant::Increment { cap: Some(cap), .. } if *cap < base => refuse(
            format!("the cap of {} lies below the base of {}", duration(*cap), duration(base)),
            format!("raise the cap to at least {}, or leave it out", duration(base)),
        ),
        _ => Ok(()),
    }
}

fn check_overtime(overtime: &Overtime) -> Result<(), Reason> {
    match overtime {
        Overtime::Byoyomi { periods: 0, .. } => {
            refuse("`byoyomi` without a period gives no time", "write at least 1 period")
        }
        Overtime::Byoyomi { each: Span::ZERO, .. } => {
            refuse("a byo-yomi period of no time", "give the period a length, as in `5x30s`")
        }
        Overtime::Byoyomi { free: Some(Span::ZERO), .. } => {
            refuse("`free` of no time", "give it a length, as in `free 30s`, or leave it out")
        }
        Overtime::Byoyomi { free: None, burn_on_entry: true, .. } => refuse(
            "`burn-on-entry` burns a period when free time ends, and there is no `free`",
            "add the free time, as in `free 30s burn-on-entry`, or leave out `burn-on-entry`",
        ),
        Overtime::Canadian { blocks } if blocks.iter().any(|block| block.stones == 0) => {
            refuse("a canadian block of 0 moves", "write at least 1 move, as in `canadian 20/5m`")
        }
        Overtime::Canadian { blocks } if blocks.iter().any(|block| block.time() == Span::ZERO) => {
            refuse("a canadian block of no time", "give it a length, as in `canadian 20/5m`")
        }
        Overtime::Below { limit: Span::ZERO } => refuse(
            "`overtime` of no time",
            "give it a length, as in `overtime 10m`, or leave it out",
        ),
        _ => Ok(()),
    }
}

/// There must be time to play with, and a new stage must not take any away.
fn check_time(stages: &Stages, index: usize, stage: &Stage) -> Result<(), Reason> {
    if index == 0 && brings_nothing(stage) {
        return refuse("there is no time to begin with", "give it a time, as in `5m` or `0s+10s`");
    }
    if let Method::Main { grant: Grant::None, overtime: Overtime::Below { .. } } = stage.method
        && index == 0
        && stage.base == Span::ZERO
    {
        return refuse(
            "`overtime` comes after main time, and there is none",
            "write the main time",
        );
    }
    let previous = index.checked_sub(1).and_then(|before| stages.get(before));
    if let Some(previous) = previous.filter(|previous| previous.moves.is_none()) {
        let (old, new) = (increment_of(previous), increment_of(stage));
        if stage.base + new < old {
            return refuse(
                format!(
                    "after a stage that ends at zero it would take time away: \
                     its {} and +{} are less than the +{} before",
                    duration(stage.base),
                    duration(new),
                    duration(old)
                ),
                format!("give it at least {} in all", duration(old)),
            );
        }
    }
    Ok(())
}

fn brings_nothing(stage: &Stage) -> bool {
    match &stage.method {
        Method::Main { grant: Grant::None, overtime: Overtime::None }
        | Method::Hourglass
        | Method::PerMove { .. }
        | Method::Gong => stage.base == Span::ZERO,
        Method::CountUp { limit } => *limit == Some(Span::ZERO),
        Method::Main { .. } => false,
    }
}

fn increment_of(stage: &Stage) -> Span {
    match stage.method {
        Method::Main { grant: Grant::Increment { each, .. }, .. } => each,
        _ => Span::ZERO,
    }
}

/// The hourglass and the gong concern both clocks at once.
fn check_opponents(sides: &BySide<Stages>) -> Result<(), Reason> {
    let is_shared = |side: Side| {
        sides[side].get(0).and_then(|stage| match stage.method {
            Method::Hourglass => Some("hourglass"),
            Method::Gong => Some("gong"),
            _ => None,
        })
    };
    match (is_shared(Side::White), is_shared(Side::Black)) {
        (white, black) if white == black => Ok(()),
        (white, black) => {
            let word = white.or(black).unwrap_or_default();
            refuse(
                format!("`{word}` moves both clocks, so both sides must have it"),
                format!("write `{word}` for both sides or for none"),
            )
        }
    }
}
