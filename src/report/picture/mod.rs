//! The report on a sheet of A4: a picture that an organiser prints, readable in black and white.
//!
//! Top down: what was played, what both sides used, a bar for each move, both clocks by the time of
//! play, and what happened between the moves.

mod bars;
mod curves;
mod pen;
mod scale;

#[cfg(test)]
mod tests;

use jiff::tz::TimeZone;
use svg::Node;
use svg::node::element::Element;

use super::{EventContent, Report, ReportEvent, words};
use crate::control::quote::quote;
use crate::control::{Method, Side, describe};
use pen::{Anchor, Pen, Style};

/// The page, in millimetres.
const PAGE: (f64, f64) = (210.0, 297.0);
const MARGIN: f64 = 16.0;
/// Sizes of type.
const LARGE: f64 = 6.0;
const NORMAL: f64 = 3.6;
const SMALL: f64 = 2.7;
/// Black's bars.
const GREY: &str = "#444";
/// Where no clock ran.
const HATCHED: &str = "url(#hatched)";
/// Grid lines.
const FAINT: Style = Style::line("#bbb", 0.15);

/// A part of the page with axes.
#[derive(Clone, Copy, Debug)]
struct Axes {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Axes {
    /// Across the page, with room for figures on the left.
    fn across(top: f64, height: f64) -> Axes {
        let left = MARGIN + 14.0;
        Axes { left, top, width: PAGE.0 - MARGIN - left, height }
    }

    fn outline(self, pen: &mut Pen) {
        let corner = (self.left, self.top);
        pen.area(corner, (self.width, self.height), Style::line("black", 0.3), "");
    }
}

/// The report as an SVG document. `game` is its name, `zone` the time zone of the times of day.
#[must_use]
pub fn write(report: &Report, game: &str, zone: &TimeZone) -> String {
    let mut pen = Pen::new();
    pen.area((0.0, 0.0), PAGE, Style::area("white"), "");
    let below = head(&mut pen, report, game, zone);
    summary(&mut pen, report, below + 7.0);
    legend(&mut pen, below + 31.0);
    bars::draw(&mut pen, report, Axes::across(below + 34.0, 70.0));
    let events = listed(report);
    let title = if counts_up(report) { "Time used" } else { "Time left until the flag" };
    let curves = Axes::across(below + 131.0, 58.0);
    pen.text((MARGIN, curves.top - 15.5), (NORMAL, true), Anchor::Start, title);
    let note = "over playing time; hatched: clock stopped, not to scale";
    pen.text((PAGE.0 - MARGIN, curves.top - 15.5), (SMALL, false), Anchor::End, note);
    curves::draw(&mut pen, report, &events, curves);
    happened(&mut pen, report, &events, (curves.top + curves.height + 11.0, zone));
    let foot = format!("flagfall {}, report of game {game}", env!("CARGO_PKG_VERSION"));
    pen.text((PAGE.0 / 2.0, PAGE.1 - 7.0), (2.3, false), Anchor::Middle, &foot);
    document(pen, game)
}

fn document(pen: Pen, game: &str) -> String {
    let mut root = Element::new("svg");
    for (name, value) in [
        ("xmlns", "http://www.w3.org/2000/svg".to_owned()),
        ("width", format!("{}mm", PAGE.0)),
        ("height", format!("{}mm", PAGE.1)),
        ("viewBox", format!("0 0 {} {}", PAGE.0, PAGE.1)),
        (
            "font-family",
            "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif".to_owned(),
        ),
    ] {
        root.assign(name, value);
    }
    let mut title = Element::new("title");
    title.append(svg::node::Text::new(format!("Game {}", quote(game, 80))));
    root.append(title);
    root.append(hatching());
    root.append(pen.into_group());
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{root}\n")
}

fn hatching() -> Element {
    let mut lines = Element::new("pattern");
    for (name, value) in [
        ("id", "hatched"),
        ("width", "1"),
        ("height", "1"),
        ("patternUnits", "userSpaceOnUse"),
        ("patternTransform", "rotate(45)"),
    ] {
        lines.assign(name, value);
    }
    let mut pen = Pen::new();
    pen.line((0.0, 0.0), (0.0, 1.0), Style::line("#777", 0.35));
    lines.append(pen.into_group());
    let mut definitions = Element::new("defs");
    definitions.append(lines);
    definitions
}

/// What was played; returns where it ends.
fn head(pen: &mut Pen, report: &Report, game: &str, zone: &TimeZone) -> f64 {
    let settings = &report.settings;
    let right = PAGE.0 - MARGIN;
    let result =
        report.end.result.map_or_else(String::new, |result| format!("   {}", result.name()));
    let name = format!("Game {}{result}", quote(game, 26));
    pen.text((MARGIN, 20.0), (LARGE, true), Anchor::Start, &name);
    let day = words::day(report, zone).unwrap_or_default();
    pen.text((right, 20.0), (NORMAL, false), Anchor::End, &day);
    let control = quote(&settings.control.to_string(), 50);
    pen.text((MARGIN, 27.5), (4.4, false), Anchor::Start, &control);
    let (class, profile) = (report.class.name(), settings.profile.name());
    let kind = format!("{class}, profile {profile}, {}", words::seat(report.end.white_on));
    pen.text((right, 27.5), (3.2, false), Anchor::End, &kind);
    let mut y = 33.5;
    for line in wrapped(&describe::sentence(&settings.control), 108).into_iter().take(3) {
        pen.text((MARGIN, y), (3.2, false), Anchor::Start, &line);
        y += 4.2;
    }
    y - 4.2
}

/// A line for each side: its times, flag and penalties.
fn summary(pen: &mut Pen, report: &Report, top: f64) {
    let columns = [
        (MARGIN, Anchor::Start, "side"),
        (MARGIN + 34.0, Anchor::End, "moves"),
        (MARGIN + 62.0, Anchor::End, "thinking time"),
        (MARGIN + 84.0, Anchor::End, "per move"),
        (MARGIN + 120.0, Anchor::End, "longest"),
        (MARGIN + 142.0, Anchor::End, "clock"),
        (PAGE.0 - MARGIN, Anchor::End, ""),
    ];
    for (x, anchor, words) in columns {
        pen.text((x, top), (SMALL, false), anchor, words);
    }
    let rule = |pen: &mut Pen, y: f64| {
        pen.line((MARGIN, y), (PAGE.0 - MARGIN, y), Style::line("black", 0.2));
    };
    rule(pen, top + 1.4);
    for (side, y) in Side::BOTH.into_iter().zip([top + 6.4, top + 11.8]) {
        let total = report.total(side);
        let each = total.think_time.as_nanos().checked_div(i64::from(total.moves));
        let each = each.map(crate::time::Span::from_nanos);
        let longest = total.longest.map_or_else(String::new, |(number, longest)| {
            format!("{} (move {number})", words::elapsed(longest))
        });
        let cells = [
            words::name(side).to_owned(),
            total.moves.to_string(),
            words::elapsed(total.think_time),
            each.map(words::elapsed).unwrap_or_default(),
            longest,
            words::left(report.end.shown[side]),
            marks_of(report, side),
        ];
        for ((x, anchor, _), words) in columns.into_iter().zip(cells) {
            pen.text((x, y), (NORMAL, matches!(anchor, Anchor::Start)), anchor, &words);
        }
    }
    rule(pen, top + 13.6);
}

/// Flag and penalties of a side.
fn marks_of(report: &Report, side: Side) -> String {
    let view = &report.end.sides[side];
    let mut parts = Vec::new();
    if view.flag == Some(crate::engine::FlagKind::Fall) {
        parts.push("flag fell".to_owned());
    }
    let penalties: u32 =
        crate::engine::Offence::ALL.iter().map(|offence| view.penalties.of(*offence)).sum();
    match penalties {
        0 => {}
        1 => parts.push("1 penalty".to_owned()),
        many => parts.push(format!("{many} penalties")),
    }
    parts.join(", ")
}

fn legend(pen: &mut Pen, y: f64) {
    pen.text((MARGIN, y), (NORMAL, true), Anchor::Start, "Thinking time per move");
    let right = PAGE.0 - MARGIN;
    for (side, x, fill) in [(Side::White, right - 53.0, "white"), (Side::Black, right - 22.0, GREY)]
    {
        let style = Style { fill: Some(fill), ..Style::line("black", 0.2) };
        pen.area((x, y - 2.4), (2.6, 2.6), style, "");
        curves::stroke(pen, &[(x + 4.0, y - 1.1), (x + 11.0, y - 1.1)], side);
        pen.text((x + 13.0, y), (3.2, false), Anchor::Start, words::name(side));
    }
}

/// The events that are listed: those with a sentence, without the start.
fn listed(report: &Report) -> Vec<&ReportEvent> {
    let listed = |event: &&ReportEvent| {
        !matches!(event.content, EventContent::Started) && words::sentence(event).is_some()
    };
    report.events().filter(listed).collect()
}

/// Rows of the list of events.
const ROWS: usize = 12;
const ROW: f64 = 3.9;

/// The list of events, in one column or, if they do not fit, in two.
fn happened(
    pen: &mut Pen,
    report: &Report,
    events: &[&ReportEvent],
    (top, zone): (f64, &TimeZone),
) {
    if events.is_empty() {
        return;
    }
    let columns = if events.len() > ROWS { 2 } else { 1 };
    let (width, letters) = if columns == 1 { (0.0, 116) } else { (90.0, 50) };
    let room = ROWS * columns;
    let shown = if events.len() > room { room - 1 } else { events.len() };
    let places = (0..columns).flat_map(|column| (0..ROWS).map(move |row| (column, row)));
    let place = |(column, row): (usize, usize)| {
        let [column, row] = [column, row].map(|n| f64::from(u32::try_from(n).unwrap_or(0)));
        (MARGIN + width * column, top + ROW * row)
    };
    for ((at, event), number) in places.clone().zip(events).zip(1_usize..).take(shown) {
        let (x, y) = place(at);
        pen.text((x + 4.0, y), (SMALL, true), Anchor::End, &number.to_string());
        pen.text((x + 19.0, y), (SMALL, false), Anchor::End, &words::moment(event, report, zone));
        let sentence = words::sentence(event).unwrap_or_default();
        pen.text((x + 21.0, y), (SMALL, false), Anchor::Start, &quote(&sentence, letters));
    }
    let more = events.len() - shown;
    if let Some(at) = places.clone().nth(shown).filter(|_| more > 0) {
        let (x, y) = place(at);
        let words = format!("and {more} more; see the table of this report");
        pen.text((x + 21.0, y), (SMALL, false), Anchor::Start, &words);
    }
}

fn counts_up(report: &Report) -> bool {
    let up = |side: Side| {
        let stages = &report.settings.control.sides[side].list;
        stages.iter().any(|stage| stage.method == Method::CountUp { limit: None })
    };
    Side::BOTH.into_iter().any(up)
}

/// The words of a sentence in lines of at most so many letters.
fn wrapped(sentence: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in sentence.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
