//! What each move took: a bar for each, White's upwards, Black's downwards.

use super::pen::{Anchor, Pen, Style};
use super::scale::{marks, seconds};
use super::{Axes, FAINT, GREY, SMALL};
use crate::control::Side;
use crate::engine::Effect;
use crate::report::{EventContent, Report, ReportEntry, words};
use crate::time::Span;

/// The widest bar.
const WIDEST: f64 = 5.0;

pub(super) fn draw(pen: &mut Pen, report: &Report, axes: Axes) {
    let Axes { left, top, width, height } = axes;
    let numbers = || report.counted().map(|made| made.number);
    let Some((first, last)) = numbers().min().zip(numbers().max()) else {
        axes.outline(pen);
        let middle = (left + width / 2.0, top + height / 2.0);
        return pen.text(middle, (SMALL, false), Anchor::Middle, "no move was completed");
    };
    let Layout { scale, middle, longest } = layout(report, axes);
    let slot = width / f64::from(last - first + 1);
    let x = |number: u32| left + slot * f64::from(number - first);
    for (at, label) in marks(longest, 5) {
        let ways: &[f64] = if at == Span::ZERO { &[0.0] } else { &[-1.0, 1.0] };
        for way in ways {
            let y = middle + way * seconds(at) * scale;
            if y > top && y < top + height {
                pen.line((left, y), (left + width, y), FAINT);
                pen.text((left - 1.5, y + 0.95), (SMALL, false), Anchor::End, &label);
            }
        }
    }
    let bar = (slot * 0.76).min(WIDEST);
    for made in report.counted() {
        let tall = (seconds(made.think_time) * scale).max(0.05);
        let outline = bar.min(1.0) * 0.2;
        let (y, fill) = match made.side {
            Side::White => (middle - tall, "white"),
            Side::Black => (middle, GREY),
        };
        let remark = words::remark(made).map_or_else(String::new, |remark| format!(" ({remark})"));
        let title = format!(
            "{} {}: {} used, the clock shows {}{remark}",
            words::name(made.side),
            made.number,
            words::elapsed(made.think_time),
            words::clock(made)
        );
        let style = Style { fill: Some(fill), ..Style::line("black", outline) };
        pen.area((x(made.number) + (slot - bar) / 2.0, y), (bar, tall), style, &title);
    }
    pen.line((left, middle), (left + width, middle), Style::line("black", 0.3));
    axes.outline(pen);
    borders(pen, report, (axes, middle), &x);
    numbers_below(pen, axes, (first, last), slot);
}

/// How the two sides share the area.
struct Layout {
    /// Millimetres a second.
    scale: f64,
    /// Where the bars begin.
    middle: f64,
    /// The longest turn of both.
    longest: Span,
}

/// Each side gets the height that its longest turn needs, but always enough for a line of text.
fn layout(report: &Report, axes: Axes) -> Layout {
    const LEAST: f64 = 8.0;
    // A bar that reaches the axes would look cut off.
    const FREE: f64 = 3.0;
    let longest = |side| report.total(side).longest.map_or(Span::ZERO, |(_, longest)| longest);
    let [white, black] = Side::BOTH.map(longest);
    let [up, down] = [white, black].map(|longest| seconds(longest).max(0.001));
    let share = (axes.height * up / (up + down)).clamp(LEAST, axes.height - LEAST);
    let scale = ((share - FREE) / up).min((axes.height - share - FREE) / down);
    Layout { scale, middle: axes.top + share, longest: white.max(black) }
}

/// A dashed line after the last move of each stage, in the half of its side.
fn borders(pen: &mut Pen, report: &Report, (axes, middle): (Axes, f64), x: &impl Fn(u32) -> f64) {
    let Axes { left, top, width, height } = axes;
    let mut made = crate::control::BySide::<Option<u32>>::default();
    for entry in &report.entries {
        match entry {
            ReportEntry::Move(one) => made[one.side] = Some(one.number),
            ReportEntry::Event(event) => {
                let EventContent::Effect { effect, .. } = event.content else { continue };
                let Effect::Stage { side, stage, .. } = effect else { continue };
                let Some(number) = made[side] else { continue };
                let at = x(number.saturating_add(1));
                let (from, to, label) = match side {
                    Side::White => (top, middle, top + 3.0),
                    Side::Black => (middle, top + height, top + height - 1.2),
                };
                let dashes = Some("1.2 0.8");
                pen.line((at, from), (at, to), Style { dashes, ..Style::line("black", 0.25) });
                let (at, anchor) = match at > left + width - 14.0 {
                    true => (at - 1.0, Anchor::End),
                    false => (at + 1.0, Anchor::Start),
                };
                pen.text((at, label), (SMALL, false), anchor, &format!("stage {stage}"));
            }
        }
    }
}

/// Move numbers under the bars, as many as fit.
fn numbers_below(pen: &mut Pen, axes: Axes, (first, last): (u32, u32), slot: f64) {
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000]
        .into_iter()
        .find(|step| slot * f64::from(*step) >= 7.0)
        .unwrap_or(100_000);
    for number in (first..=last).filter(|number| number.is_multiple_of(step) || *number == 1) {
        if number == 1 && step > 1 && slot * f64::from(step - 1) < 5.0 {
            continue;
        }
        let x = axes.left + slot * (f64::from(number - first) + 0.5);
        let y = axes.top + axes.height + 3.6;
        pen.text((x, y), (SMALL, false), Anchor::Middle, &number.to_string());
    }
}
