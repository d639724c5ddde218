//! Moves and events in a few words, the same in every rendering.

use jiff::tz::TimeZone;

use super::{Completed, Entered, Event, Fate, Move, Report, What, Why};
use crate::control::notation::write_duration;
use crate::control::{BySide, Seat, Side};
use crate::engine::{Adjustment, Candidate, Change, FlagKind};
use crate::record::How;
use crate::time::Span;
use crate::time::written::{Digits, point, time};

/// The most characters of somebody's reason that are shown in a line.
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
pub const fn kind(what: &What) -> &'static str {
    match what {
        What::Started { .. } => "start",
        What::Stopped { .. } => "stop",
        What::PausedAgain { .. } => "pause",
        What::TurnedOver { .. } => "turn",
        What::Corrected { .. } => "adjust",
        What::TakenBack { .. } => "undo_press",
        What::Penalty { .. } => "penalty",
        What::SecondOffence { .. } => "second_offence",
        What::Quickplay { .. } => "quickplay",
        What::Control { .. } => "change_control",
        What::Stage { .. } => "stage",
        What::StagePending { .. } => "stage_pending",
        What::Flag { .. } => "flag",
        What::FlagLifted { .. } => "flag_lifted",
        What::Period { .. } => "period",
        What::Swapped { .. } => "swap_sides",
        What::Arrived { .. } => "arrived",
        What::DefaultTime { .. } => "default_time",
        What::Recovered { .. } => "recovered",
        What::Chosen { .. } => "choose_recovery",
        What::Imported => "import",
        What::Ended { .. } => "end",
    }
}

/// Whose event it is, where it is one side's.
#[must_use]
pub const fn side(what: &What) -> Option<Side> {
    match what {
        What::Started { side }
        | What::TurnedOver { side, .. }
        | What::Corrected { side, .. }
        | What::SecondOffence { side, .. }
        | What::Stage { side, .. }
        | What::StagePending { side }
        | What::Flag { side, .. }
        | What::FlagLifted { side }
        | What::Period { side, .. }
        | What::Arrived { side }
        | What::DefaultTime { side } => Some(*side),
        What::Penalty { offender, .. } => Some(*offender),
        What::Quickplay { claimant } => Some(*claimant),
        _ => None,
    }
}

/// The event in a sentence without its full stop; `None` where another one says it already: a
/// clock that stands because of a flag, or when the game is over, and stays so.
#[must_use]
pub fn sentence(event: &Event) -> Option<String> {
    Some(match &event.what {
        What::Started { side } => format!("start, {}'s clock runs", name(*side)),
        What::Stopped { why, length } => return stopped(why, *length),
        What::PausedAgain { reason } => format!("pause while the clock stood{}", because(reason)),
        What::TurnedOver { side, broken_off, instead } => {
            let other = name(!*side);
            let fate = if *instead { "did not happen" } else { "was broken off" };
            let lasted = elapsed(*broken_off);
            format!("{}'s clock runs; {other}'s turn of {lasted} {fate}", name(*side))
        }
        What::Corrected { side, change, before, after, reason } => {
            let mut parts = corrections(change);
            if before != after {
                parts.push(format!("{} becomes {}", left(*before), left(*after)));
            }
            format!("{} corrected: {}{}", name(*side), parts.join(", "), because(reason))
        }
        What::TakenBack { moves, refund } => {
            let kept = if *refund { "" } else { ", the time used since stays used" };
            format!("{} taken back{kept}", moves_of(moves))
        }
        What::Penalty { offender, offence, added, moves } => {
            let mut text = format!("{}'s {}", name(*offender), offence.name().replace('-', " "));
            if !moves.is_empty() {
                text.push_str(&format!(": {} taken back", moves_of(moves)));
            }
            if added.is_positive() {
                text.push_str(&format!(", {} for {}", write_duration(*added), name(!*offender)));
            }
            text
        }
        What::SecondOffence { side, offence } => {
            format!("{}'s second {}", name(*side), offence.name().replace('-', " "))
        }
        What::Quickplay { claimant } => format!("{}'s quickplay claim granted", name(*claimant)),
        What::Control { control, how, stages } => {
            let how = match how {
                How::Kept => "the times stay",
                How::Replayed => "the presses replayed",
            };
            let stand = stages.filter(|stages| stages.white.max(stages.black) > 1);
            let stand = stand.map_or_else(String::new, |BySide { white, black }| {
                format!("; White stands in stage {white}, Black in stage {black}")
            });
            format!("the control becomes {control}, {how}{stand}")
        }
        What::Stage { side, stage, added, by } => {
            let by = match by {
                Entered::Moves => "by its moves",
                Entered::Zero => "at first zero",
                Entered::Confirmed => "confirmed",
            };
            format!("{} enters stage {stage} {by}: {} more", name(*side), write_duration(*added))
        }
        What::StagePending { side } => {
            format!("{} has made the moves of its stage, to be confirmed", name(*side))
        }
        What::Flag { side, flag, first } => match (flag, first) {
            (FlagKind::Stage, _) => format!("{} reaches zero in its stage", name(*side)),
            (FlagKind::Fall, true) => format!("{}'s flag falls, the first", name(*side)),
            (FlagKind::Fall, false) => format!("{}'s flag falls", name(*side)),
        },
        What::FlagLifted { side } => format!("{}'s flag is lifted", name(*side)),
        What::Period { side, left } => {
            let periods = if *left == 1 { "period" } else { "periods" };
            format!("{} burns a period, {left} {periods} left", name(*side))
        }
        What::Swapped { white_on } => format!("the players change seats, {}", seat(*white_on)),
        What::Arrived { side } => format!("{} has come", name(*side)),
        What::DefaultTime { side } => {
            format!("{} is absent at the end of the default time", name(*side))
        }
        What::Recovered { why, off } => {
            let off = off.map_or_else(String::new, |off| {
                format!(", {} after what it wrote last", elapsed(off))
            });
            format!("the clock comes back{off}{}", because(why))
        }
        What::Chosen { candidate } => match candidate {
            Candidate::LastRecord => "the clock stands as at the last record".to_owned(),
            Candidate::LastPress => "the clock is set back to the last press".to_owned(),
        },
        What::Imported => "another game is put in place of this one".to_owned(),
        What::Ended { result } => format!("the game ends {}", result.name()),
    })
}

fn stopped(why: &Why, length: Option<Span>) -> Option<String> {
    let lasted = length.map(|length| format!(" for {}", elapsed(length)));
    match (why, lasted) {
        (Why::Pause(reason), lasted) => {
            Some(format!("paused{}{}", lasted.unwrap_or_default(), because(reason)))
        }
        (_, Some(_)) if length == Some(Span::ZERO) => None,
        (_, Some(lasted)) => Some(format!("the clock stands{lasted}")),
        (Why::Flag | Why::End, None) => None,
        (Why::Order, None) => Some("the clock stands".to_owned()),
    }
}

/// `, as somebody said`.
fn because(reason: &str) -> String {
    if reason.is_empty() {
        return String::new();
    }
    format!(": {}", crate::control::quote::quote(reason, LONGEST_REASON))
}

fn corrections(change: &Adjustment) -> Vec<String> {
    let main = change.main.map(|main| match main {
        Change::To(span) => format!("set to {}", left(span)),
        Change::By(span) if span.is_negative() => format!("less {}", write_duration(-span)),
        Change::By(span) => format!("{} more", write_duration(span)),
    });
    let with_time = if change.stage_time { " with its time" } else { "" };
    [
        main,
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

/// What is to be said of a move beside its times, if anything.
#[must_use]
pub const fn remark(made: &Move) -> Option<&'static str> {
    match (made.fate, made.by) {
        (Fate::TakenBack, _) => Some("taken back"),
        (Fate::Uncounted, _) => Some("does not count"),
        (Fate::Counts, Completed::Inserted) => Some("press inserted"),
        (Fate::Counts, Completed::Press | Completed::Gong) => None,
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
pub fn moment(event: &Event, report: &Report, zone: &TimeZone) -> String {
    let began = report.started.map_or(Span::ZERO, |(at, _)| at);
    event.wall.map_or_else(
        || elapsed(event.at - began),
        |wall| wall.to_zoned_datetime(zone.clone()).strftime("%H:%M:%S").to_string(),
    )
}
