//! The sheet that lies over the clocks: what is typed, what will be done, what was refused, keys.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Flex, Layout, Margin, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span as Words, Text};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Widget, Wrap};
use serde_json::Value;

use super::super::super::clocks::{self, Clock, Digits, capital};
use super::super::entry::Entry;
use super::super::errand::usage;
use super::super::foresight::Proposal;
use super::super::machine::{Mode, OPERATIONS};
use super::View;
use super::pens::Pens;
use crate::record::Fields;

/// No sheet is wider.
const WIDEST: u16 = 84;

/// Draws the sheet, if there is one, at the foot of `area`; false where it does not fit.
pub(super) fn draw(view: &View<'_>, pens: &Pens, area: Rect, buffer: &mut Buffer) -> bool {
    let (title, text, foot) = match &view.table.machine.mode {
        Mode::Looking => return true,
        Mode::Help => ("keys".to_owned(), help(pens, area.width), "Esc closes"),
        Mode::Typing { entry, complaint } => (
            "order".to_owned(),
            typing(pens, entry, complaint),
            "Enter shows what it will do   Esc leaves",
        ),
        Mode::Asking { words } => {
            (words.clone(), Text::from("asking what that would do ..."), "Esc leaves")
        }
        Mode::Giving { words } => (words.clone(), Text::from("it is being done ..."), ""),
        Mode::Shown { proposal, anew } => {
            let seq = view.table.picture.as_ref().map(super::super::picture::Picture::sequence);
            let old = seq.is_some_and(|seq| seq > proposal.seq);
            let foot = match proposal.can_be_given() {
                true => "Enter does it   Esc leaves it",
                false => "nothing is changed   Esc closes",
            };
            (proposal.errand.words.clone(), proposed(pens, proposal, *anew, old), foot)
        }
        Mode::Told { title, lines } => {
            let lines = lines.iter().map(|line| Line::from(line.as_str()));
            (title.clone(), lines.collect(), "Esc closes")
        }
    };
    lay(&title, text, foot, pens, area, buffer)
}

fn lay(
    title: &str,
    text: Text<'_>,
    foot: &str,
    pens: &Pens,
    area: Rect,
    buffer: &mut Buffer,
) -> bool {
    let width = area.width.min(WIDEST);
    let paragraph = Paragraph::new(text).wrap(Wrap { trim: false });
    let needed = rows(&paragraph, width.saturating_sub(4)).saturating_add(2);
    let height = needed.min(area.height);
    let fits = needed <= height;
    let foot = if fits { foot } else { "MORE THAN FITS: enlarge the terminal" };
    let [row] = area.layout(&Layout::vertical([Constraint::Length(height)]).flex(Flex::End));
    let [place] = row.layout(&Layout::horizontal([Constraint::Length(width)]).flex(Flex::Center));
    Clear.render(place, buffer);
    let frame = Block::bordered()
        .border_type(BorderType::Double)
        .title(Line::styled(format!(" {title} "), Style::new().add_modifier(Modifier::BOLD)))
        .title_bottom(Line::styled(format!(" {foot} "), pens.title()).right_aligned());
    let inner = frame.inner(place).inner(Margin::new(1, 0));
    frame.render(place, buffer);
    paragraph.render(inner, buffer);
    fits
}

/// No text on a sheet is longer.
const LONGEST: u16 = 100;

/// How many rows a text takes in that width.
fn rows(paragraph: &Paragraph<'_>, width: u16) -> u16 {
    let area = Rect::new(0, 0, width, LONGEST);
    let mut trial = Buffer::empty(area);
    paragraph.render(area, &mut trial);
    let is_empty = |row: &Rect| row.columns().all(|cell| trial[cell.as_position()].symbol() == " ");
    let empty = area.rows().rev().take_while(is_empty).count();
    LONGEST.saturating_sub(u16::try_from(empty).unwrap_or(LONGEST))
}

fn typing<'a>(pens: &Pens, entry: &'a Entry, complaint: &'a [String]) -> Text<'a> {
    let (before, after) = entry.parts();
    let mut rest = after.chars();
    let under = rest.next().map_or_else(|| " ".to_owned(), String::from);
    let cursor = Style::new().add_modifier(Modifier::REVERSED);
    let line = Line::from(vec![
        Words::styled("› ", pens.quiet()),
        before.into(),
        Words::styled(under, cursor),
        rest.as_str().to_owned().into(),
    ]);
    let mut lines = vec![line];
    match complaint {
        [] => lines.extend(usage(&entry.text()).map(|usage| Line::styled(usage, pens.quiet()))),
        complaint => lines.extend(complaint.iter().map(|line| Line::styled(&**line, pens.alarm()))),
    }
    Text::from(lines)
}

/// Both clocks before and after.
fn proposed<'a>(pens: &Pens, proposal: &'a Proposal, anew: bool, old: bool) -> Text<'a> {
    let mut lines = vec![Line::styled(proposal.errand.about.as_str(), pens.quiet())];
    if anew {
        lines.push(Line::styled(
            "Something has happened since: nothing was done. Now it would do this:",
            pens.alarm(),
        ));
    }
    if let Some(after) = &proposal.after {
        lines.extend(both(&proposal.before, after));
    }
    lines.extend(proposal.says.iter().map(|words| Line::from(format!("· {words}"))));
    if proposal.can_be_given() && runs(&proposal.before) {
        lines.push(Line::styled("· the running clock runs on until it is done", pens.quiet()));
    }
    if old && proposal.can_be_given() {
        let words = "Something has happened since this was computed: Enter computes it anew.";
        lines.push(Line::styled(words, pens.alarm()));
    }
    Text::from(lines)
}

fn runs(state: &Fields) -> bool {
    state.get("phase").and_then(Value::as_str) == Some("running")
}

/// What becomes of either clock, and of the game: only what changes is told twice.
fn both<'a>(before: &Fields, after: &Fields) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    for (old, new) in Clock::both(before).zip(Clock::both(after)) {
        let name = format!("{:<6} ", capital(old.side.name()));
        let [was, is] = [&old, &new].map(|clock| clock.time(Digits::Tenths));
        let [gone, come] = [(&old, &new), (&new, &old)].map(|(own, other)| only_of(own, other));
        lines.push(match was == is {
            true => Line::from(format!("{name}{was} stays")),
            false => change(&name, was, is),
        });
        if gone != come {
            lines.push(change("       ", gone, come));
        }
    }
    let [was, is] = [before, after].map(clocks::phase);
    lines.push(match was == is {
        true => Line::from(format!("       {is}")),
        false => change("       ", was, is),
    });
    lines
}

fn change<'a>(name: &str, was: String, is: String) -> Line<'a> {
    let or_nothing = |words: String| if words.is_empty() { "nothing".to_owned() } else { words };
    Line::from(vec![
        Words::from(format!("{name}{} → ", or_nothing(was))),
        Words::styled(or_nothing(is), Style::new().add_modifier(Modifier::BOLD)),
    ])
}

/// What there is to say of a clock that is not to say of the other.
fn only_of(own: &Clock<'_>, other: &Clock<'_>) -> String {
    let parts = |clock: &Clock<'_>| {
        let mut parts = clock.main(Digits::Tenths);
        parts.extend(clock.progress());
        parts.extend(clock.method(Digits::Tenths));
        parts.extend(clock.penalties());
        parts
    };
    let other = parts(other);
    let only: Vec<_> = parts(own).into_iter().filter(|part| !other.contains(part)).collect();
    only.join(", ")
}

/// Every key: in columns, or where there is no room for them, one behind the other.
fn help<'a>(pens: &Pens, width: u16) -> Text<'a> {
    const CELL: usize = 20;
    let mut all: Vec<(String, &str)> =
        vec![("space".to_owned(), "pause/go on"), (":".to_owned(), "any")];
    let operations = OPERATIONS.iter();
    all.extend(operations.map(|operation| (operation.key.to_string(), operation.begins.trim())));
    let columns = usize::from(width.min(WIDEST)).saturating_sub(4) / CELL;
    if columns < 3 {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let words = all.into_iter().flat_map(|(key, does)| {
            [Words::styled(key, bold), format!("\u{a0}{}  ", does.replace(' ', "\u{a0}")).into()]
        });
        return Text::from(Line::from(words.collect::<Vec<_>>()));
    }
    all.push(("q".to_owned(), "leave"));
    let cells = all.into_iter().map(|(key, does)| {
        let used = key.chars().count() + does.chars().count() + 3;
        let space = " ".repeat(CELL.saturating_sub(used).max(1));
        [Words::styled(format!(" {key} "), pens.key()), format!(" {does}{space}").into()]
    });
    let cells: Vec<_> = cells.collect();
    let rows = cells.chunks(columns).map(|row| row.iter().flatten().cloned().collect::<Vec<_>>());
    let mut lines: Vec<Line<'a>> = rows.map(Line::from).collect();
    lines.push(Line::default());
    lines.push(Line::styled(
        "An order is typed as for flagfallctl; what it will do is shown, Enter does it.",
        pens.quiet(),
    ));
    Text::from(lines)
}
