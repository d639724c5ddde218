//! The report for a program: one object, times in microseconds to the nanosecond as in a journal.

use serde_json::Value;

use super::{Completed, Event, Fate, Move, Report, What, words};
use crate::control::{BySide, Side};
use crate::record::{Fields, Precision, at_us, fields, left_us};
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
        ("started_us", started.map_or(Value::Null, |(at, _)| exact(at))),
        ("started", text(started.and_then(|(_, wall)| wall))),
        ("ends_us", exact(end.at)),
        ("phase", end.phase.name().into()),
        ("to_move", end.to_move.name().into()),
        ("result", end.result.map(|result| result.name()).into()),
        ("white_on", end.white_on.name().into()),
        ("stood_us", exact(report.stood())),
        ("sides", both(report).into()),
        ("moves", report.moves.iter().map(|made| Value::from(made_fields(made))).collect()),
        ("events", report.events.iter().map(|event| Value::from(event_fields(event))).collect()),
    ])
}

fn both(report: &Report) -> Fields {
    let sides = BySide::from_fn(|side| {
        let total = report.total(side);
        let end = &report.end;
        let longest = total.longest.map(|(number, thought)| {
            Value::from(fields([("number", number.into()), ("thought_us", exact(thought))]))
        });
        fields([
            ("moves", total.moves.into()),
            ("thought_us", exact(total.thought)),
            ("longest", longest.unwrap_or_default()),
            ("turn_us", exact(end.sides[side].used)),
            ("clock_us", left_us(end.shown[side], Precision::Nanos)),
            ("left_us", end.sides[side].remaining.map_or(Value::Null, exact)),
        ])
    });
    let [white, black] = [sides.white, sides.black].map(Value::from);
    fields([(Side::White.name(), white), (Side::Black.name(), black)])
}

fn made_fields(made: &Move) -> Fields {
    let by = match made.by {
        Completed::Press => "press",
        Completed::Inserted => "inserted",
        Completed::Gong => "gong",
    };
    let fate = match made.fate {
        Fate::Counts => "counts",
        Fate::TakenBack => "taken-back",
        Fate::Uncounted => "uncounted",
    };
    let view = &made.after;
    fields([
        ("number", made.number.into()),
        ("side", made.side.name().into()),
        ("at_us", exact(made.at)),
        ("wall", text(made.wall)),
        ("thought_us", exact(made.thought)),
        ("clock_us", exact(made.shown)),
        ("left_us", view.remaining.map_or(Value::Null, exact)),
        ("allowance_us", exact(view.allowance)),
        ("stage", view.stage.into()),
        ("periods", view.periods.into()),
        ("stones", view.stones.into()),
        ("by", by.into()),
        ("fate", fate.into()),
    ])
}

fn event_fields(event: &Event) -> Fields {
    let mut all = fields([
        ("at_us", exact(event.at)),
        ("wall", text(event.wall)),
        ("origin", event.origin.as_deref().into()),
        ("kind", words::kind(&event.what).into()),
        ("side", words::side(&event.what).map(|side| side.name()).into()),
        ("text", words::sentence(event).into()),
    ]);
    if let What::Stopped { length, .. } = event.what {
        all.insert("length_us".to_owned(), length.map_or(Value::Null, exact));
    }
    all
}

fn exact(span: Span) -> Value {
    at_us(span, Precision::Nanos)
}

fn text(value: Option<impl ToString>) -> Value {
    value.map(|value| value.to_string()).into()
}
