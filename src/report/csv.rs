//! The report for a spreadsheet: a row for each move and each event, times in seconds.

use super::{MoveStatus, Report, ReportEntry, words};
use crate::time::Span;

/// The header line.
const HEAD: [&str; 14] = [
    "at_s",
    "wall",
    "kind",
    "side",
    "move",
    "thought_s",
    "clock_s",
    "left_s",
    "delay_s",
    "stage",
    "periods",
    "stones",
    "counts",
    "remark",
];

/// The report as comma-separated values (RFC 4180), with a header line.
///
/// # Errors
/// None in practice: only memory is written to.
pub fn write(report: &Report) -> Result<String, csv::Error> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(HEAD)?;
    for entry in &report.entries {
        table.write_record(row(entry))?;
    }
    let bytes = table.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn row(entry: &ReportEntry) -> [String; HEAD.len()] {
    match entry {
        ReportEntry::Move(made) => {
            let view = &made.after;
            let count = |number: Option<u32>| number.map(|n| n.to_string()).unwrap_or_default();
            [
                seconds(made.at),
                made.wall.map(|wall| wall.to_string()).unwrap_or_default(),
                "move".to_owned(),
                made.side.name().to_owned(),
                made.number.to_string(),
                seconds(made.think_time),
                seconds(made.shown),
                view.remaining.map(seconds).unwrap_or_default(),
                seconds(view.allowance),
                view.stage.to_string(),
                count(view.periods),
                count(view.stones),
                (made.status == MoveStatus::Counts).to_string(),
                words::remark(made).unwrap_or_default().to_owned(),
            ]
        }
        ReportEntry::Event(event) => {
            let mut row: [String; HEAD.len()] = Default::default();
            let [at, wall, kind, whose, .., remark] = &mut row;
            *at = seconds(event.at);
            *wall = event.wall.map(|wall| wall.to_string()).unwrap_or_default();
            *kind = words::kind(event).to_owned();
            *whose = event.side.map(|side| side.name().to_owned()).unwrap_or_default();
            *remark = words::sentence(event).unwrap_or_default();
            row
        }
    }
}

/// Seconds to the nanosecond, without trailing zeros.
fn seconds(span: Span) -> String {
    let nanos = span.as_nanos();
    let sign = if nanos < 0 { "-" } else { "" };
    let nanos = nanos.unsigned_abs();
    let text = format!("{sign}{}.{:09}", nanos / 1_000_000_000, nanos % 1_000_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
