//! The layout of the watch screen. [`face`] and [`dialog`] draw the parts.

mod dialog;
mod face;
mod numerals;
mod theme;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span as Words};
use ratatui::widgets::{Paragraph, Widget, Wrap};
use serde_json::Value;

use super::super::clocks::{self, SideClock};
use super::super::status;
use super::controller::{Mode, space};
use super::picture::ClockPicture;
use super::state::{Freshness, WatchState};
use crate::control::{BySide, Seat, Side};
use crate::record::Fields;
use crate::time::{Instant, Span};
use face::Face;
use theme::Theme;

#[derive(Debug)]
pub(super) struct ScreenView<'a> {
    pub(super) watch: &'a WatchState,
    pub(super) now: Instant,
    /// Colours are wanted.
    pub(super) colour: bool,
}

/// The smallest terminal that shows everything that matters.
const SMALLEST: (u16, u16) = (40, 12);

/// Draws the whole screen; false where the dialog does not fit.
pub(super) fn draw(view: &ScreenView<'_>, area: Rect, buffer: &mut Buffer) -> bool {
    let theme = Theme::new(view.colour);
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        too_small(area, buffer);
        return false;
    }
    let freshness = view.watch.freshness(view.now);
    let trouble = trouble(view, &freshness);
    let [head, rest, notes, keys] = area.layout(&Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(u16::from(!trouble.is_empty())),
        Constraint::Length(1),
    ]));
    draw_head(view, &theme, head, buffer);
    if let Some(state) = view.watch.state(view.now) {
        let times = times(view, &state);
        let plan = Plan::of(&times, rest);
        let white_on = view.watch.picture.as_ref().and_then(|picture| picture.property("WhiteOn"));
        let left =
            white_on.and_then(Seat::from_name).map_or(Side::White, |seat| Seat::Left.side(seat));
        draw_clocks(view, &theme, &plan, (&state, &times), left, buffer);
        draw_banner(&theme, &state, freshness == Freshness::Live, plan.banner, buffer);
        draw_lines(view, &theme, plan.lines, buffer);
    }
    Line::styled(trouble, theme.alarm()).render(notes, buffer);
    draw_keys(view, &theme, keys, buffer);
    dialog::draw(view, &theme, rest, buffer)
}

fn too_small(area: Rect, buffer: &mut Buffer) {
    let text = format!(
        "The watch needs {} columns and {} rows, this terminal has {} and {}. q leaves.",
        SMALLEST.0, SMALLEST.1, area.width, area.height
    );
    Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
}

/// The layout.
struct Plan {
    /// Left and right player.
    clocks: [Rect; 2],
    /// The size of the digits.
    size: u16,
    /// One clock above the other, with the words beside the digits.
    stacked: bool,
    framed: bool,
    banner: Rect,
    lines: Rect,
}

/// Rows of a frame.
const FRAME: u16 = 2;
/// Rows of words below the digits.
const WORDS: u16 = 3;
/// Columns of words beside the digits, where the clocks are stacked.
pub(super) const BESIDE: u16 = 15;
/// The width of the widest usual figure at size 1: `1:30:00`.
const USUAL: u16 = 23;
/// The greatest size of digits.
const LARGEST: u16 = 8;

impl Plan {
    fn of(times: &BySide<Option<Span>>, area: Rect) -> Plan {
        let units = face::widest(times.white).max(face::widest(times.black));
        // Side by side, as the players sit, where that leaves room for large digits.
        let stacked = area.width < 2 * (2 * USUAL + 4) + 1;
        let framed = area.height >= 14;
        let frame = if framed { FRAME } else { 0 };
        let columns = match stacked {
            true => area.width.saturating_sub(frame + BESIDE + 2),
            false => (area.width.saturating_sub(1) / 2).saturating_sub(frame + 2),
        };
        // The banner and the latest lines come first.
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

/// The large digits: those of the box, or where the control is not known, the time until the next
/// flag.
fn times(view: &ScreenView<'_>, state: &Fields) -> BySide<Option<Span>> {
    let mut times = view.watch.figures(view.now);
    for clock in SideClock::both(state) {
        times[clock.side] = times[clock.side].or(clock.shown());
    }
    times
}

fn draw_clocks(
    view: &ScreenView<'_>,
    theme: &Theme,
    plan: &Plan,
    (state, times): (&Fields, &BySide<Option<Span>>),
    left: Side,
    buffer: &mut Buffer,
) {
    let hides_moves = view.watch.picture.as_ref().is_some_and(ClockPicture::hides_moves);
    let live = view.watch.freshness(view.now) == Freshness::Live;
    let first = state.get("first_flag").and_then(Value::as_str);
    for clock in SideClock::both(state) {
        let [first_place, second_place] = plan.clocks;
        let area = if clock.side == left { first_place } else { second_place };
        let (time, fell_first) = (times[clock.side], first == Some(clock.side.name()));
        let face = Face { clock: &clock, time, fell_first, hides_moves, live, theme };
        face.draw(area, plan.size, plan.stacked, plan.framed, buffer);
    }
}

fn draw_head(view: &ScreenView<'_>, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let own = |name| view.watch.picture.as_ref().and_then(|picture| picture.property(name));
    let mut words = vec![Words::styled(" flagfall ", theme.title())];
    if let (Some(control), Some(class)) = (own("Control"), own("ControlClass")) {
        words.push(format!("  {control}").into());
        words.push(Words::styled(format!("  {class}"), theme.quiet()));
    }
    let tail = [own("Profile"), own("Fingerprint")];
    let tail: Vec<_> = tail.into_iter().flatten().collect();
    let locked = view.watch.picture.as_ref().and_then(|picture| picture.properties.get("Locked"));
    let locked = if locked == Some(&Value::Bool(true)) { "box locked  " } else { "" };
    let tail = format!("{locked}{} ", tail.join(" "));
    let line = Line::from(words);
    let room = usize::from(area.width);
    if line.width() + tail.chars().count() <= room {
        Line::styled(tail, theme.quiet()).right_aligned().render(area, buffer);
    }
    line.render(area, buffer);
}

/// The phase in spaced letters, so that it does not depend on colours.
fn draw_banner(theme: &Theme, state: &Fields, live: bool, area: Rect, buffer: &mut Buffer) {
    if !live {
        let text = format!("last seen: {}", clocks::phase(state));
        return Line::from(text).centered().style(theme.quiet()).render(area, buffer);
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
    Line::from(text).centered().style(theme.banner(phase)).render(area, buffer);
}

/// The latest lines of the journal, the newest last.
fn draw_lines(view: &ScreenView<'_>, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let surplus = view.watch.lines.len().saturating_sub(usize::from(area.height));
    for (line, row) in view.watch.lines.iter().skip(surplus).zip(area.rows()) {
        let words = if line.stands_out { theme.alarm() } else { theme.plain() };
        let at = Words::styled(format!("{:>12}  ", line.at), theme.quiet());
        Line::from(vec![at, Words::styled(&*line.words, words)]).render(row, buffer);
    }
}

/// What is wrong: an old state first, then the faults of the clock.
fn trouble(view: &ScreenView<'_>, freshness: &Freshness) -> String {
    let since = |span: Span| {
        let whole = clocks::point(span, clocks::Digits::Tenths);
        whole.split('.').next().map(str::to_owned).unwrap_or_default()
    };
    match freshness {
        Freshness::Nothing => " asking the daemon ...".to_owned(),
        Freshness::Late(age) => {
            format!(
                " NO ANSWER from the daemon for {}: the clocks are shown as they were then",
                since(*age)
            )
        }
        Freshness::Lost(age) => format!(
            " THE DAEMON IS GONE for {}: the clocks are shown as they were; looking for it",
            since(*age)
        ),
        Freshness::Live => {
            let picture = view.watch.picture.as_ref();
            let health = picture.and_then(|picture| picture.properties.get("Health")?.as_object());
            let faults = health.map(status::faults).unwrap_or_default();
            if faults.is_empty() { String::new() } else { format!(" ! {}", faults.join("; ")) }
        }
    }
}

fn draw_keys(view: &ScreenView<'_>, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    if let (Mode::Idle, Some(done)) = (&view.watch.controller.mode, &view.watch.controller.done) {
        return Line::styled(format!(" {done}"), theme.done()).render(area, buffer);
    }
    let all: [(&str, &str); 8] = [
        ("space", space(view.watch.phase())),
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
        let part = [Words::styled(format!(" {key} "), theme.key()), format!(" {does}  ").into()];
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
