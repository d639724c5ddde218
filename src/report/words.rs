//! Moves and events in a few words, the same in every rendering.

use jiff::tz::TimeZone;

use super::{
    CarriedOut, Completed, Entered, EventContent, Move, MoveStatus, Report, ReportEvent, StopReason,
};
use crate::control::notation::write_duration;
use crate::control::quote::quote;
use crate::control::{BySide, Seat, Side};
use crate::engine::operation::ChangeControl;
use crate::engine::{Adjustment, Candidate, Effect, FlagKind, Offence, Operation, ReplacePolicy};
use crate::time::Span;
use crate::time::written::{Digits, point, time};

/// The most characters of a reason that are shown.
const LONGEST_REASON: usize = 60;

/// `White` or `Black`.
#[must_use]
pub const fn name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// The kind of an event, one word as in a journal.
#[must_use]
pub const fn kind(event: &ReportEvent) -> &'static str {
    match &event.content {
        EventContent::Operation(done) => done.operation.name(),
        EventContent::Effect { effect, .. } => effect.name(),
        EventContent::Started => "start",
        EventContent::Stopped { .. } => "stop",
        EventContent::BrokenOff { .. } => "turn",
    }
}

/// The event in a sentence without a full stop; `None` where the event before says it already: a
/// clock that stopped because of a flag, or at the end of the game.
#[must_use]
pub fn sentence(event: &ReportEvent) -> Option<String> {
    let reason = event.reason.as_deref();
    let side = event.side.unwrap_or(Side::White);
    let text = match &event.content {
        EventContent::Operation(done) => carried_out(done, side),
        EventContent::Effect { effect, entered } => followed(effect, *entered)?,
        EventContent::Started => format!("start, {}'s clock runs", name(side)),
        EventContent::Stopped { why, length } => {
            let pause = *why == StopReason::Pause;
            let known = match length {
                None => matches!(why, StopReason::Flag | StopReason::End),
                Some(length) => !pause && *length == Span::ZERO,
            };
            if known && reason.is_none() {
                return None;
            }
            let what = if pause { "paused" } else { "clock stopped" };
            let lasted = length.map(|length| format!(" for {}", elapsed(length)));
            what.to_owned() + &lasted.unwrap_or_default()
        }
        EventContent::BrokenOff { lasted, instead } => {
            let (other, lasted) = (name(!side), elapsed(*lasted));
            let what = if *instead { "did not happen" } else { "was broken off" };
            format!("{}'s clock runs; {other}'s turn of {lasted} {what}", name(side))
        }
    };
    let reason = reason.map(|reason| format!(": {}", quote(reason, LONGEST_REASON)));
    Some(text + &reason.unwrap_or_default())
}

fn carried_out(done: &CarriedOut, side: Side) -> String {
    let whose = name(side);
    match &done.operation {
        Operation::Pause(_) => "pause while no clock ran".to_owned(),
        Operation::Adjust(adjust) => {
            let mut parts = corrections(&adjust.sides()[side]);
            if let Some((before, after)) = done.shown.filter(|(before, after)| before != after) {
                parts.push(format!("{} becomes {}", left(before), left(after)));
            }
            format!("{whose} corrected: {}", parts.join(", "))
        }
        Operation::UndoPress(undo) => {
            let kept = if undo.refund { "" } else { ", without refund" };
            format!("{} taken back{kept}", moves_of(&done.taken_back))
        }
        Operation::Penalty(penalty) => {
            let mut text = format!("{whose}'s {}", offence(penalty.offence));
            if !done.taken_back.is_empty() {
                text.push_str(&format!(": {} taken back", moves_of(&done.taken_back)));
            }
            if done.added.is_positive() {
                text.push_str(&format!(", {} for {}", write_duration(done.added), name(!side)));
            }
            text
        }
        Operation::Quickplay(_) => format!("{whose}'s quickplay claim granted"),
        Operation::ChangeControl(ChangeControl { control, how }) => {
            let how = match how {
                ReplacePolicy::Kept => "times kept".to_owned(),
                ReplacePolicy::Replayed => match done.stages {
                    BySide { white: 1, black: 1 } => "presses replayed".to_owned(),
                    BySide { white, black } => format!(
                        "presses replayed; White is in stage {white}, Black in stage {black}"
                    ),
                },
            };
            format!("control changed to {}, {how}", control.control)
        }
        Operation::SwapSides(_) => format!("players change seats, {}", seat(done.white_on)),
        Operation::Arrived(_) => format!("{whose} has arrived"),
        Operation::Recovered(recovered) => {
            let off = done.off.map(|off| format!(", {} after its last record", elapsed(off)));
            let why = quote(&recovered.why, LONGEST_REASON);
            let why = if why.is_empty() { why } else { format!(": {why}") };
            format!("clock recovered{}{why}", off.unwrap_or_default())
        }
        Operation::ChooseRecovery(choice) => match choice.candidate {
            Candidate::LastRecord => "clock set to the last record".to_owned(),
            Candidate::LastPress => "clock set back to the last press".to_owned(),
        },
        Operation::Import(_) => "another game imported in place of this one".to_owned(),
        Operation::End(end) => format!("the game ends {}", end.result.name()),
        operation => operation.name().replace('_', " "),
    }
}

/// An effect; `None` for those that are not events of a report.
fn followed(effect: &Effect, entered: Entered) -> Option<String> {
    Some(match *effect {
        Effect::Turn { .. } | Effect::Ignored { .. } => return None,
        Effect::OffenceLimit { side, offence: kind, count } => {
            format!("{} reaches the limit: {count} {}s", name(side), offence(kind))
        }
        Effect::Stage { side, stage, added } => {
            let how = match entered {
                Entered::ByMoves => "by its moves",
                Entered::AtZero => "at first zero",
                Entered::Confirmed => "as confirmed",
            };
            format!("{} enters stage {stage} {how}: {} more", name(side), write_duration(added))
        }
        Effect::StagePending { side } => {
            format!("{} has made the moves of its stage, to be confirmed", name(side))
        }
        Effect::Flag { side, flag: FlagKind::Stage, .. } => {
            format!("{} reaches zero in its stage", name(side))
        }
        Effect::Flag { side, flag: FlagKind::Fall, first } => {
            format!("{}'s flag falls{}", name(side), if first { ", the first" } else { "" })
        }
        Effect::FlagLifted { side } => format!("{}'s flag is lifted", name(side)),
        Effect::Period { side, periods } => {
            let s = if periods == 1 { "" } else { "s" };
            format!("{} burns a period, {periods} period{s} left", name(side))
        }
        Effect::DefaultTime { side } => {
            format!("{} is absent at the end of the default time", name(side))
        }
    })
}

fn offence(offence: Offence) -> String {
    offence.name().replace('-', " ")
}

fn corrections(change: &Adjustment) -> Vec<String> {
    let main = change.main.map(|span| format!("set to {}", left(span)));
    let add = change.add.map(|span| match span.is_negative() {
        true => format!("less {}", write_duration(-span)),
        false => format!("{} more", write_duration(span)),
    });
    let with_time = if change.stage_time { " with its time" } else { "" };
    [
        main,
        add,
        change.moves.map(|moves| format!("moves {moves}")),
        change.stage.map(|stage| format!("stage {stage}{with_time}")),
        change.periods.map(|periods| format!("periods {periods}")),
        change.stones.map(|stones| format!("stones {stones}")),
        change.overtime.map(|overtime| format!("overtime {}", left(overtime))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// `White's move 12`, `Black's move 12 and White's move 12`.
fn moves_of(moves: &[(Side, u32)]) -> String {
    match moves {
        [] => "no move".to_owned(),
        moves => moves
            .iter()
            .map(|(side, number)| format!("{}'s move {number}", name(*side)))
            .collect::<Vec<_>>()
            .join(" and "),
    }
}

/// Where White sits.
#[must_use]
pub const fn seat(white_on: Seat) -> &'static str {
    match white_on {
        Seat::Left => "White on the left",
        Seat::Right => "White on the right",
    }
}

/// A remark on a move, if there is one.
#[must_use]
pub const fn remark(made: &Move) -> Option<&'static str> {
    match (made.status, made.by) {
        (MoveStatus::TakenBack, _) => Some("taken back"),
        (MoveStatus::Uncounted, _) => Some("does not count"),
        (MoveStatus::Counts, Completed::Inserted) => Some("press inserted"),
        (MoveStatus::Counts, Completed::Press | Completed::Gong) => None,
    }
}

/// Time that has passed, in tenths; rounded down.
#[must_use]
pub fn elapsed(span: Span) -> String {
    point(span, Digits::Tenths)
}

/// Time that is left, in tenths; rounded up.
#[must_use]
pub fn left(span: Span) -> String {
    time(span, Digits::Tenths)
}

/// What a clock showed after a move, with the periods or stones beside it.
#[must_use]
pub fn clock(made: &Move) -> String {
    let beside = match (made.after.periods, made.after.stones) {
        (Some(periods), _) => format!(" ({periods})"),
        (None, Some(stones)) => format!(" ({stones})"),
        (None, None) => String::new(),
    };
    left(made.shown) + &beside
}

/// The day and time of the start, or else of the setting: `30 November 2026, 10:00`.
#[must_use]
pub fn day(report: &Report, zone: &TimeZone) -> Option<String> {
    let wall = report.started.and_then(|(_, wall)| wall).or(report.began)?;
    Some(wall.to_zoned_datetime(zone.clone()).strftime("%-d %B %Y, %H:%M").to_string())
}

/// When an event was: the time of day where it is known, else the time since the start.
#[must_use]
pub fn moment(event: &ReportEvent, report: &Report, zone: &TimeZone) -> String {
    let began = report.started.map_or(Span::ZERO, |(at, _)| at);
    event.wall.map_or_else(
        || elapsed(event.at - began),
        |wall| wall.to_zoned_datetime(zone.clone()).strftime("%H:%M:%S").to_string(),
    )
}
