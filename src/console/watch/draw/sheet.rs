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

/// Draws the sheet, if there is one, at the foot of `area`.
pub(super) fn draw(view: &View<'_>, pens: &Pens, area: Rect, buffer: &mut Buffer) {
    let (title, text, foot) = match &view.table.machine.mode {
        Mode::Looking => return,
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
    lay(&title, text, foot, pens, area, buffer);
}

fn lay(title: &str, text: Text<'_>, foot: &str, pens: &Pens, area: Rect, buffer: &mut Buffer) {
    let width = area.width.min(WIDEST);
    let paragraph = Paragraph::new(text).wrap(Wrap { trim: false });
    let height = rows(&paragraph, width.saturating_sub(4), area.height).saturating_add(2);
    let height = height.min(area.height);
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
}

/// How many rows a text takes in that width, as far as there are so many.
fn rows(paragraph: &Paragraph<'_>, width: u16, most: u16) -> u16 {
    let area = Rect::new(0, 0, width, most);
    let mut trial = Buffer::empty(area);
    paragraph.render(area, &mut trial);
    let is_empty = |row: &Rect| row.columns().all(|cell| trial[cell.as_position()].symbol() == " ");
    let empty = area.rows().rev().take_while(is_empty).count();
    most.saturating_sub(u16::try_from(empty).unwrap_or(most))
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
        lines.push(Line::default());
        lines.extend(both(pens, &proposal.before, after));
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

fn both<'a>(pens: &Pens, before: &Fields, after: &Fields) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    for (old, new) in Clock::both(before).zip(Clock::both(after)) {
        let name = capital(old.side.name());
        let (was, is) = (row(&old), row(&new));
        lines.push(Line::from(format!("{name:<6} {was}")));
        if was == is {
            lines.push(Line::styled("       stays as it is", pens.quiet()));
        } else {
            lines.push(Line::styled(
                format!("     → {is}"),
                Style::new().add_modifier(Modifier::BOLD),
            ));
        }
    }
    let (was, is) = (clocks::phase(before), clocks::phase(after));
    lines.push(match was == is {
        true => Line::styled(format!("       {is}"), pens.quiet()),
        false => Line::from(vec![
            Words::from(format!("       {was} → ")),
            Words::styled(is, Style::new().add_modifier(Modifier::BOLD)),
        ]),
    });
    lines
}

fn row(clock: &Clock<'_>) -> String {
    let mut parts = clock.progress();
    parts.extend(clock.method(Digits::Tenths));
    parts.extend(clock.penalties());
    format!("{:>9}  {}", clock.time(Digits::Tenths), parts.join(", ")).trim_end().to_owned()
}

/// Every key, in columns.
fn help<'a>(pens: &Pens, width: u16) -> Text<'a> {
    const CELL: usize = 20;
    let mut all: Vec<(String, &str)> =
        vec![("space".to_owned(), "start pause resume"), (":".to_owned(), "any order")];
    all.extend(
        OPERATIONS.iter().map(|operation| (operation.key.to_string(), operation.begins.trim())),
    );
    all.push(("q".to_owned(), "leave the watch"));
    let columns = (usize::from(width.min(WIDEST)).saturating_sub(4) / CELL).max(1);
    let cells = all.into_iter().map(|(key, does)| {
        let used = key.chars().count() + does.chars().count() + 3;
        let space = " ".repeat(CELL.saturating_sub(used).max(1));
        [Words::styled(format!(" {key} "), pens.key()), format!(" {does}{space}").into()]
    });
    let cells: Vec<_> = cells.collect();
    let mut lines: Vec<Line<'a>> = cells
        .chunks(columns)
        .map(|row| row.iter().flatten().cloned().collect::<Vec<_>>().into())
        .collect();
    lines.push(Line::default());
    lines.push(Line::styled(
        "An order is typed as for flagfallctl. What it will do is shown; Enter does it.",
        pens.quiet(),
    ));
    Text::from(lines)
}
