//! The dialog over the clocks: input, preview, refusal, keys.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Flex, Layout, Margin, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span as Words, Text};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Widget, Wrap};
use serde_json::Value;

use super::super::super::clocks::{self, Digits, SideClock, capital};
use super::super::command::{CommandPreview, usage};
use super::super::controller::{KEYS, Mode};
use super::super::line_edit::LineEdit;
use super::ScreenView;
use super::theme::Theme;
use crate::record::Fields;

/// The greatest width.
const WIDEST: u16 = 84;

/// Draws the dialog, if there is one, at the foot of `area`; false where it does not fit.
pub(super) fn draw(view: &ScreenView<'_>, theme: &Theme, area: Rect, buffer: &mut Buffer) -> bool {
    let (title, text, foot) = match &view.watch.controller.mode {
        Mode::Idle => return true,
        Mode::Help => ("keys".to_owned(), help(theme, area.width), "Esc closes"),
        Mode::Typing { edit, complaint } => (
            "order".to_owned(),
            typing(theme, edit, complaint),
            "Enter shows what it will do   Esc leaves",
        ),
        Mode::Previewing { words } => {
            (words.clone(), Text::from("asking what that would do ..."), "Esc leaves")
        }
        Mode::Applying { words } => (words.clone(), Text::from("it is being done ..."), ""),
        Mode::Confirming { preview, changed } => {
            let seq =
                view.watch.picture.as_ref().map(super::super::picture::ClockPicture::sequence);
            let old = seq.is_some_and(|seq| seq > preview.seq);
            let foot = match preview.can_be_applied() {
                true => "Enter does it   Esc leaves it",
                false => "nothing is changed   Esc closes",
            };
            (preview.command.words.clone(), previewed(theme, preview, *changed, old), foot)
        }
        Mode::Message { title, lines } => {
            let lines = lines.iter().map(|line| Line::from(line.as_str()));
            (title.clone(), lines.collect(), "Esc closes")
        }
    };
    lay(&title, text, foot, theme, area, buffer)
}

fn lay(
    title: &str,
    text: Text<'_>,
    foot: &str,
    theme: &Theme,
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
        .title_bottom(Line::styled(format!(" {foot} "), theme.title()).right_aligned());
    let inner = frame.inner(place).inner(Margin::new(1, 0));
    frame.render(place, buffer);
    paragraph.render(inner, buffer);
    fits
}

/// The greatest height of a text.
const LONGEST: u16 = 100;

/// The number of rows of a text in that width.
fn rows(paragraph: &Paragraph<'_>, width: u16) -> u16 {
    let area = Rect::new(0, 0, width, LONGEST);
    let mut trial = Buffer::empty(area);
    paragraph.render(area, &mut trial);
    let is_empty = |row: &Rect| row.columns().all(|cell| trial[cell.as_position()].symbol() == " ");
    let empty = area.rows().rev().take_while(is_empty).count();
    LONGEST.saturating_sub(u16::try_from(empty).unwrap_or(LONGEST))
}

fn typing<'a>(theme: &Theme, edit: &'a LineEdit, complaint: &'a [String]) -> Text<'a> {
    let (before, after) = edit.parts();
    let mut rest = after.chars();
    let under = rest.next().map_or_else(|| " ".to_owned(), String::from);
    let cursor = Style::new().add_modifier(Modifier::REVERSED);
    let line = Line::from(vec![
        Words::styled("› ", theme.quiet()),
        before.into(),
        Words::styled(under, cursor),
        rest.as_str().to_owned().into(),
    ]);
    let mut lines = vec![line];
    match complaint {
        [] => lines.extend(usage(&edit.text()).map(|usage| Line::styled(usage, theme.quiet()))),
        complaint => {
            lines.extend(complaint.iter().map(|line| Line::styled(&**line, theme.alarm())))
        }
    }
    Text::from(lines)
}

/// Both clocks before and after.
fn previewed<'a>(theme: &Theme, preview: &'a CommandPreview, changed: bool, old: bool) -> Text<'a> {
    let mut lines = vec![Line::styled(preview.command.about.as_str(), theme.quiet())];
    if changed {
        lines.push(Line::styled(
            "Something has happened since: nothing was done. Now it would do this:",
            theme.alarm(),
        ));
    }
    if let Some(after) = &preview.after {
        lines.extend(both(&preview.before, after));
    }
    lines.extend(preview.notes.iter().map(|words| Line::from(format!("· {words}"))));
    if preview.can_be_applied() && runs(&preview.before) {
        lines.push(Line::styled("· the running clock runs on until it is done", theme.quiet()));
    }
    if old && preview.can_be_applied() {
        let words = "Something has happened since this was computed: Enter computes it again.";
        lines.push(Line::styled(words, theme.alarm()));
    }
    Text::from(lines)
}

fn runs(state: &Fields) -> bool {
    state.get("phase").and_then(Value::as_str) == Some("running")
}

/// Both clocks and the phase, before and after where they change.
fn both<'a>(before: &Fields, after: &Fields) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    for (old, new) in SideClock::both(before).zip(SideClock::both(after)) {
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

/// The details of a clock that the other does not have.
fn only_of(own: &SideClock<'_>, other: &SideClock<'_>) -> String {
    let parts = |clock: &SideClock<'_>| {
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

/// All keys: in columns, or in running text where the terminal is narrow.
fn help<'a>(theme: &Theme, width: u16) -> Text<'a> {
    const CELL: usize = 20;
    let mut all: Vec<(String, &str)> =
        vec![("space".to_owned(), "pause/go on"), (":".to_owned(), "any")];
    let keys =
        KEYS.iter().map(|(key, words)| (key.to_string(), words.trim_end_matches([' ', '$'])));
    all.extend(keys);
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
        [Words::styled(format!(" {key} "), theme.key()), format!(" {does}{space}").into()]
    });
    let cells: Vec<_> = cells.collect();
    let rows = cells.chunks(columns).map(|row| row.iter().flatten().cloned().collect::<Vec<_>>());
    let mut lines: Vec<Line<'a>> = rows.map(Line::from).collect();
    lines.push(Line::default());
    lines.push(Line::styled(
        "An order is typed as for flagfallctl; what it will do is shown, Enter does it.",
        theme.quiet(),
    ));
    Text::from(lines)
}
