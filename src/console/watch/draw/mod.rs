//! The watch screen: what stands where. The parts are drawn by [`face`] and [`sheet`].

mod face;
mod numerals;
mod pens;
mod sheet;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span as Words};
use ratatui::widgets::{Paragraph, Widget, Wrap};
use serde_json::Value;

use super::super::clocks::{self, Clock};
use super::super::status;
use super::machine::Mode;
use super::picture::Picture;
use super::table::{Standing, Table};
use crate::control::{BySide, Seat, Side};
use crate::record::Fields;
use crate::time::{Instant, Span};
use face::Face;
use pens::Pens;

/// What is drawn, when, and with what.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) table: &'a Table,
    pub(super) now: Instant,
    /// Colours are wanted.
    pub(super) colour: bool,
}

/// The smallest terminal that shows everything that matters.
const SMALLEST: (u16, u16) = (40, 12);

/// Draws the whole screen; false where what lies over the clocks has no room to be read.
pub(super) fn draw(view: &View<'_>, area: Rect, buffer: &mut Buffer) -> bool {
    let pens = Pens::new(view.colour);
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        too_small(area, buffer);
        return false;
    }
    let standing = view.table.standing(view.now);
    let trouble = trouble(view, &standing);
    let [head, rest, notes, keys] = area.layout(&Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(u16::from(!trouble.is_empty())),
        Constraint::Length(1),
    ]));
    draw_head(view, &pens, head, buffer);
    if let Some(state) = view.table.state(view.now) {
        let times = times(view, &state);
        let plan = Plan::of(&times, rest);
        let white_on = view.table.picture.as_ref().and_then(|picture| picture.property("WhiteOn"));
        let left =
            white_on.and_then(Seat::from_name).map_or(Side::White, |seat| Seat::Left.side(seat));
        draw_clocks(view, &pens, &plan, (&state, &times), left, buffer);
        draw_banner(&pens, &state, standing == Standing::Live, plan.banner, buffer);
        draw_lines(view, &pens, plan.lines, buffer);
    }
    Line::styled(trouble, pens.alarm()).render(notes, buffer);
    draw_keys(view, &pens, keys, buffer);
    sheet::draw(view, &pens, rest, buffer)
}

fn too_small(area: Rect, buffer: &mut Buffer) {
    let text = format!(
        "The watch needs {} columns and {} rows, this terminal has {} and {}. q leaves.",
        SMALLEST.0, SMALLEST.1, area.width, area.height
    );
    Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
}

/// Where everything stands.
struct Plan {
    /// The place of the left player's clock and of the right one's.
    clocks: [Rect; 2],
    /// How large the digits are.
    size: u16,
    /// The clocks stand one above the other, with their words beside the digits.
    stacked: bool,
    framed: bool,
    banner: Rect,
    lines: Rect,
}

/// Rows of a frame.
const FRAME: u16 = 2;
/// Rows of words below the digits of a clock, where they stand below.
const WORDS: u16 = 3;
/// Columns of words beside them, where they stand beside.
pub(super) const BESIDE: u16 = 15;
/// Columns of the largest figure that a game usually shows, at size 1: `1:30:00`.
const USUAL: u16 = 23;
/// No digit is larger.
const LARGEST: u16 = 8;

impl Plan {
    fn of(times: &BySide<Option<Span>>, area: Rect) -> Plan {
        let units = face::widest(times.white).max(face::widest(times.black));
        // Side by side, as the players sit, as soon as that can be read from afar.
        let stacked = area.width < 2 * (2 * USUAL + 4) + 1;
        let framed = area.height >= 14;
        let frame = if framed { FRAME } else { 0 };
        let columns = match stacked {
            true => area.width.saturating_sub(frame + BESIDE + 2),
            false => (area.width.saturating_sub(1) / 2).saturating_sub(frame + 2),
        };
        // The banner and the latest lines keep their place.
        let rows = area.height.saturating_sub(if framed { 1 + 3 } else { 1 + 2 });
        let height = |size: u16| match stacked {
            true => 2 * (numerals::height(size).max(3) + frame),
            false => numerals::height(size) + 2 + WORDS + frame,
        };
        let fits = |size: &u16| units * size <= columns && height(*size) <= rows;
        let size = (1..=LARGEST).rev().find(fits).unwrap_or(1);
        let tall = height(size).min(area.height.saturating_sub(1));
        let [clocks, banner, lines] = area.layout(&Layout::vertical([
            Constraint::Length(tall),
            Constraint::Length(1),
            Constraint::Fill(1),
        ]));
        let halves = match stacked {
            true => Layout::vertical([Constraint::Fill(1); 2]),
            false => Layout::horizontal([Constraint::Fill(1); 2]).spacing(1),
        };
        Plan { clocks: clocks.layout(&halves), size, stacked, framed, banner, lines }
    }
}

/// The times in large digits: those of the box, or where its control is not known here, the time
/// until the next flag.
fn times(view: &View<'_>, state: &Fields) -> BySide<Option<Span>> {
    let mut times = view.table.figures(view.now);
    for clock in Clock::both(state) {
        times[clock.side] = times[clock.side].or(clock.shown());
    }
    times
}

fn draw_clocks(
    view: &View<'_>,
    pens: &Pens,
    plan: &Plan,
    (state, times): (&Fields, &BySide<Option<Span>>),
    left: Side,
    buffer: &mut Buffer,
) {
    let hides_moves = view.table.picture.as_ref().is_some_and(Picture::hides_moves);
    let live = view.table.standing(view.now) == Standing::Live;
    let first = state.get("first_flag").and_then(Value::as_str);
    for clock in Clock::both(state) {
        let [first_place, second_place] = plan.clocks;
        let area = if clock.side == left { first_place } else { second_place };
        let (time, fell_first) = (times[clock.side], first == Some(clock.side.name()));
        let face = Face { clock: &clock, time, fell_first, hides_moves, live, pens };
        face.draw(area, plan.size, plan.stacked, plan.framed, buffer);
    }
}

fn draw_head(view: &View<'_>, pens: &Pens, area: Rect, buffer: &mut Buffer) {
    let own = |name| view.table.picture.as_ref().and_then(|picture| picture.property(name));
    let mut words = vec![Words::styled(" flagfall ", pens.title())];
    if let (Some(control), Some(class)) = (own("Control"), own("ControlClass")) {
        words.push(format!("  {control}").into());
        words.push(Words::styled(format!("  {class}"), pens.quiet()));
    }
    let tail = [own("Profile"), own("Fingerprint")];
    let tail: Vec<_> = tail.into_iter().flatten().collect();
    let locked = view.table.picture.as_ref().and_then(|picture| picture.properties.get("Locked"));
    let locked = if locked == Some(&Value::Bool(true)) { "box locked  " } else { "" };
    let tail = format!("{locked}{} ", tail.join(" "));
    let line = Line::from(words);
    let room = usize::from(area.width);
    if line.width() + tail.chars().count() <= room {
        Line::styled(tail, pens.quiet()).right_aligned().render(area, buffer);
    }
    line.render(area, buffer);
}

/// The phase in large letters, told by more than a colour.
fn draw_banner(pens: &Pens, state: &Fields, live: bool, area: Rect, buffer: &mut Buffer) {
    if !live {
        let text = format!("last seen: {}", clocks::phase(state));
        return Line::from(text).centered().style(pens.quiet()).render(area, buffer);
    }
    let phase = state.get("phase").and_then(Value::as_str).unwrap_or_default();
    let spaced: Vec<_> = phase.to_uppercase().chars().map(String::from).collect();
    let spaced = spaced.join(" ");
    let words = clocks::phase(state);
    let turn = words.split_once(", ").map_or("", |(_, turn)| turn);
    let text = match phase {
        "ended" => spaced,
        _ => format!("{spaced}   {turn}"),
    };
    Line::from(text).centered().style(pens.banner(phase)).render(area, buffer);
}

/// The latest lines of the journal, the newest last.
fn draw_lines(view: &View<'_>, pens: &Pens, area: Rect, buffer: &mut Buffer) {
    let surplus = view.table.lines.len().saturating_sub(usize::from(area.height));
    for (line, row) in view.table.lines.iter().skip(surplus).zip(area.rows()) {
        let words = if line.stands_out { pens.alarm() } else { pens.plain() };
        let at = Words::styled(format!("{:>12}  ", line.at), pens.quiet());
        Line::from(vec![at, Words::styled(&*line.words, words)]).render(row, buffer);
    }
}

/// What is not as it should be: that the picture is old before how the clock is.
fn trouble(view: &View<'_>, standing: &Standing) -> String {
    let since = |span: Span| {
        let whole = clocks::point(span, clocks::Digits::Tenths);
        whole.split('.').next().map(str::to_owned).unwrap_or_default()
    };
    match standing {
        Standing::Nothing => " asking the daemon ...".to_owned(),
        Standing::Late(age) => {
            format!(
                " NO ANSWER from the daemon for {}: the clocks are shown as they were then",
                since(*age)
            )
        }
        Standing::Lost(age) => format!(
            " THE DAEMON IS GONE for {}: the clocks are shown as they were; looking for it",
            since(*age)
        ),
        Standing::Live => {
            let picture = view.table.picture.as_ref();
            let health = picture.and_then(|picture| picture.properties.get("Health")?.as_object());
            let faults = health.map(status::faults).unwrap_or_default();
            if faults.is_empty() { String::new() } else { format!(" ! {}", faults.join("; ")) }
        }
    }
}

fn draw_keys(view: &View<'_>, pens: &Pens, area: Rect, buffer: &mut Buffer) {
    let space = match view.table.phase() {
        "ready" => "start",
        "running" => "pause",
        _ => "resume",
    };
    if let (Mode::Looking, Some(done)) = (&view.table.machine.mode, &view.table.machine.done) {
        return Line::styled(format!(" {done}"), pens.done()).render(area, buffer);
    }
    let all: [(&str, &str); 8] = [
        ("space", space),
        ("?", "keys"),
        ("q", "leave"),
        ("s", "set"),
        ("a", "add"),
        ("u", "undo"),
        ("x", "penalty"),
        (":", "any order"),
    ];
    let mut words = Vec::new();
    let mut room = usize::from(area.width);
    for (key, does) in all {
        let part = [Words::styled(format!(" {key} "), pens.key()), format!(" {does}  ").into()];
        let columns: usize = part.iter().map(Words::width).sum();
        if columns > room + 2 {
            break;
        }
        room = room.saturating_sub(columns);
        words.extend(part);
    }
    Line::from(words).render(area, buffer);
}

#[cfg(test)]
mod tests;
