//! The report for a terminal: a scoresheet of times, with the events between the moves.

use jiff::tz::TimeZone;

use super::{Move, MoveStatus, Report, ReportEntry, words};
use crate::control::describe;
use crate::control::{BySide, Side};

/// The report as lines. `game` is its name, `zone` the time zone of the times of day.
#[must_use]
pub fn write(report: &Report, game: &str, zone: &TimeZone) -> String {
    let mut lines = head(report, game, zone);
    lines.push(String::new());
    lines.extend(body(report, zone));
    lines.push(String::new());
    lines.extend(Side::BOTH.map(|side| total(report, side)));
    lines.push(footing(report));
    lines.join("\n")
}

fn head(report: &Report, game: &str, zone: &TimeZone) -> Vec<String> {
    let settings = &report.settings;
    let day = words::day(report, zone).map_or_else(String::new, |day| format!(", {day}"));
    vec![
        format!("game {game}{day}"),
        format!("{} ({}, {})", settings.control, report.class.name(), settings.profile.name()),
        describe::sentence(&settings.control),
        words::seat(report.end.white_on).to_owned(),
    ]
}

/// The moves two by two, as on a scoresheet; an event begins a new line.
fn body(report: &Report, zone: &TimeZone) -> Vec<String> {
    if report.entries.is_empty() {
        return vec!["no moves played".to_owned()];
    }
    let mut lines = vec![format!(
        "{:>4}  {:>10}  {:>11}   {:>10}  {:>11}",
        "", "White", "clock", "Black", "clock"
    )];
    let mut open: Option<BySide<Option<&Move>>> = None;
    for entry in &report.entries {
        match entry {
            ReportEntry::Move(made) if made.status == MoveStatus::Counts => {
                let fits = open.is_some_and(|row| fits(&row, made));
                if !fits {
                    lines.extend(open.take().map(|row| pair(&row)));
                }
                open.get_or_insert_default()[made.side] = Some(made);
                if words::remark(made).is_some() {
                    lines.extend(open.take().map(|row| pair(&row)));
                }
            }
            ReportEntry::Move(made) => {
                lines.extend(open.take().map(|row| pair(&row)));
                let mut row = BySide::default();
                row[made.side] = Some(made);
                lines.push(pair(&row));
            }
            ReportEntry::Event(event) => {
                let Some(sentence) = words::sentence(event) else { continue };
                lines.extend(open.take().map(|row| pair(&row)));
                lines.push(format!("{:>16}  {sentence}", words::moment(event, report, zone)));
            }
        }
    }
    lines.extend(open.map(|row| pair(&row)));
    lines
}

/// True if the move belongs on the same line as the one before.
fn fits(row: &BySide<Option<&Move>>, made: &Move) -> bool {
    row[made.side].is_none() && row[!made.side].is_some_and(|other| other.number == made.number)
}

fn pair(row: &BySide<Option<&Move>>) -> String {
    let [white, black] = [row.white, row.black].map(|made| {
        made.map_or_else(
            || format!("{:>10}  {:>11}", "", ""),
            |made| {
                let clock = words::clock(made);
                format!("{:>10}  {clock:>11}", words::elapsed(made.think_time))
            },
        )
    });
    let one = row.white.or(row.black);
    let number = one.map(|made| made.number).unwrap_or_default();
    let remarks: Vec<_> =
        [row.white, row.black].into_iter().flatten().filter_map(words::remark).collect();
    format!("{number:>4}  {white}   {black}   {}", remarks.join(", ")).trim_end().to_owned()
}

fn total(report: &Report, side: Side) -> String {
    let total = report.total(side);
    let moves = if total.moves == 1 { "move" } else { "moves" };
    let longest = total.longest.map_or_else(String::new, |(number, longest)| {
        format!(", the longest {} for move {number}", words::elapsed(longest))
    });
    let turn = report.end.sides[side].used;
    let turn = if turn.is_positive() {
        format!(", {} in the unfinished turn", words::elapsed(turn))
    } else {
        String::new()
    };
    format!(
        "{}  {} {moves} in {}{longest}{turn}; the clock shows {}",
        words::name(side),
        total.moves,
        words::elapsed(total.think_time),
        words::left(report.end.shown[side])
    )
}

fn footing(report: &Report) -> String {
    let Some((began, _)) = report.started else { return "not started".to_owned() };
    let result = report.end.result.map_or_else(String::new, |result| format!(" {}", result.name()));
    format!(
        "{}{result}, {} after the start; both clocks stopped for {} of that",
        report.end.phase.name(),
        words::elapsed(report.end.at - began),
        words::elapsed(report.stopped())
    )
}
