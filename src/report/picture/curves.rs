//! What both sides had left over playing time, and when each event was.

use super::pen::{Anchor, Pen, Style};
use super::scale::{Ruler, marks, seconds};
use super::{Axes, FAINT, HATCHED, SMALL};
use crate::control::Side;
use crate::engine::{Effect, FlagKind};
use crate::report::{EventContent, Report, ReportEvent, words};
use crate::time::Span;

/// Rows of badges above the curves.
const ROWS: usize = 3;
const ROW: f64 = 4.2;

/// Draws the curves; `events` are those that have a number, counted from 1.
pub(super) fn draw(pen: &mut Pen, report: &Report, events: &[&ReportEvent], axes: Axes) {
    let Axes { left, top, width, height } = axes;
    let bottom = top + height;
    let ran = report.started.filter(|(began, _)| *began + report.stopped() < report.end.at);
    let Some((began, _)) = ran else {
        axes.outline(pen);
        let middle = (left + width / 2.0, top + height / 2.0);
        return pen.text(middle, (SMALL, false), Anchor::Middle, "no clock has run");
    };
    let ruler = Ruler::new((left, width), (began, report.end.at), report.stops());
    let both = Side::BOTH.into_iter().flat_map(|side| &report.curves[side]);
    let most = both.map(|point| point.left).max().unwrap_or_default().max(Span::from_secs(1));
    let scale = (height - 3.0) / seconds(most);
    let y = |left: Span| bottom - seconds(left.or_zero()) * scale;

    for (x, gap, (from, until)) in ruler.gaps() {
        let title = format!("stopped for {}", words::elapsed(until - from));
        pen.area((x, top), (gap, height), Style::area(HATCHED), &title);
    }
    for (at, label) in marks(most, 6) {
        pen.line((left, y(at)), (left + width, y(at)), FAINT);
        pen.text((left - 1.5, y(at) + 0.95), (SMALL, false), Anchor::End, &label);
    }
    for (at, label) in marks(ruler.played(report.end.at), 9) {
        let x = ruler.x_of_played(at);
        pen.line((x, bottom), (x, bottom + 1.0), Style::line("black", 0.2));
        pen.text((x, bottom + 4.2), (SMALL, false), Anchor::Middle, &label);
    }
    badges(pen, events, &ruler, axes);
    for side in [Side::Black, Side::White] {
        let mut points: Vec<_> = report.curves[side]
            .iter()
            .filter(|point| point.at >= began)
            .map(|point| (ruler.x(point.at), y(point.left)))
            .collect();
        points.dedup();
        stroke(pen, &points, side);
    }
    for event in report.events() {
        if let EventContent::Effect { effect, .. } = event.content
            && let Effect::Flag { flag: FlagKind::Fall, .. } = effect
        {
            let x = ruler.x(event.at);
            // a pennant on its pole
            pen.line((x, bottom), (x, bottom - 7.0), Style::line("black", 0.4));
            let back = if x > left + width - 6.0 { -4.0 } else { 4.0 };
            let cloth = [(x, bottom - 7.0), (x + back, bottom - 5.6), (x, bottom - 4.2)];
            pen.path(&cloth, Style::area("black"), &words::sentence(event).unwrap_or_default());
        }
    }
    axes.outline(pen);
}

/// White's line is white between black edges, Black's is black.
pub(super) fn stroke(pen: &mut Pen, points: &[(f64, f64)], side: Side) {
    match side {
        Side::White => {
            pen.path(points, Style::line("black", 1.1), "");
            pen.path(points, Style::line("white", 0.6), "White");
        }
        Side::Black => pen.path(points, Style::line("black", 0.6), "Black"),
    }
}

/// The numbers of the events above their points in time, each with a thin line down to it. One that
/// does not fit leaves only its line.
fn badges(pen: &mut Pen, events: &[&ReportEvent], ruler: &Ruler, axes: Axes) {
    let mut taken = [f64::NEG_INFINITY; ROWS];
    for (event, number) in events.iter().zip(1..) {
        let x = ruler.x(event.at);
        let row = taken.iter().position(|end| x - 1.9 >= *end);
        let lift = |row: usize| f64::from(u32::try_from(row).unwrap_or(0)) * ROW;
        let y = axes.top - 2.4 - row.map_or(0.0, lift);
        let line = Style { dashes: Some("0.3 0.7"), ..Style::line("black", 0.2) };
        let from = if row.is_some() { y + 1.75 } else { axes.top };
        pen.line((x, from), (x, axes.top + axes.height), line);
        if let Some(row) = row {
            let words = words::sentence(event).unwrap_or_default();
            pen.badge((x, y), &format!("{number}"), &words);
            taken[row] = x + 1.9;
        }
    }
}
