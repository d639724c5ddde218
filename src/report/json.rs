//! The report for a program: one object, times in nanoseconds.

use serde_json::Value;

use super::{Completed, EventContent, Move, MoveStatus, Report, ReportEvent, words};
use crate::control::{BySide, Side};
use crate::record::{Fields, fields};
use crate::time::Span;

/// The report as an object.
#[must_use]
pub fn object(report: &Report) -> Fields {
    let Report { settings, end, .. } = report;
    let started = report.started;
    fields([
        ("control", settings.control.to_string().into()),
        ("profile", settings.profile.name().into()),
        ("control_class", report.class.name().into()),
        ("began", text(report.began)),
        ("started_ns", started.map_or(Value::Null, |(at, _)| nanos(at))),
        ("started", text(started.and_then(|(_, wall)| wall))),
        ("ends_ns", nanos(end.at)),
        ("phase", end.phase.name().into()),
        ("to_move", end.to_move.name().into()),
        ("result", end.result.map(|result| result.name()).into()),
        ("white_on", end.white_on.name().into()),
        ("stood_ns", nanos(report.stopped())),
        ("sides", both(report).into()),
        ("moves", report.moves().map(|made| Value::from(move_fields(made))).collect()),
        ("events", report.events().map(|event| Value::from(event_fields(event))).collect()),
    ])
}

fn both(report: &Report) -> Fields {
    let sides = BySide::from_fn(|side| {
        let total = report.total(side);
        let end = &report.end;
        let longest = total.longest.map(|(number, longest)| {
            Value::from(fields([("number", number.into()), ("thought_ns", nanos(longest))]))
        });
        fields([
            ("moves", total.moves.into()),
            ("thought_ns", nanos(total.think_time)),
            ("longest", longest.unwrap_or_default()),
            ("turn_ns", nanos(end.sides[side].used)),
            ("clock_ns", nanos(end.shown[side])),
            ("left_ns", end.sides[side].remaining.map_or(Value::Null, nanos)),
        ])
    });
    let [white, black] = [sides.white, sides.black].map(Value::from);
    fields([(Side::White.name(), white), (Side::Black.name(), black)])
}

fn move_fields(made: &Move) -> Fields {
    let by = match made.by {
        Completed::Press => "press",
        Completed::Inserted => "inserted",
        Completed::Gong => "gong",
    };
    let status = match made.status {
        MoveStatus::Counts => "counts",
        MoveStatus::TakenBack => "taken-back",
        MoveStatus::Uncounted => "uncounted",
    };
    let view = &made.after;
    fields([
        ("number", made.number.into()),
        ("side", made.side.name().into()),
        ("at_ns", nanos(made.at)),
        ("wall", text(made.wall)),
        ("thought_ns", nanos(made.think_time)),
        ("clock_ns", nanos(made.shown)),
        ("left_ns", view.remaining.map_or(Value::Null, nanos)),
        ("allowance_ns", nanos(view.allowance)),
        ("stage", view.stage.into()),
        ("periods", view.periods.into()),
        ("stones", view.stones.into()),
        ("by", by.into()),
        ("fate", status.into()),
    ])
}

fn event_fields(event: &ReportEvent) -> Fields {
    let mut all = fields([
        ("at_ns", nanos(event.at)),
        ("wall", text(event.wall)),
        ("origin", event.origin.as_deref().into()),
        ("kind", words::kind(event).into()),
        ("side", event.side.map(|side| side.name()).into()),
        ("text", words::sentence(event).into()),
        ("reason", event.reason.as_deref().into()),
    ]);
    if let EventContent::Stopped { length, .. } = event.content {
        all.insert("length_ns".to_owned(), length.map_or(Value::Null, nanos));
    }
    all
}

fn nanos(span: Span) -> Value {
    span.as_nanos().into()
}

fn text(value: Option<impl ToString>) -> Value {
    value.map(|value| value.to_string()).into()
}
