//! One side's clock.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Paragraph, Widget, Wrap};

use super::super::super::clocks::{self, Digits, SideClock};
use super::numerals;
use super::theme::Theme;
use super::{BESIDE, WORDS};
use crate::control::Side;
use crate::time::Span;

pub(super) struct Face<'a> {
    pub(super) clock: &'a SideClock<'a>,
    /// The time in large digits.
    pub(super) time: Option<Span>,
    /// Its flag was the first to fall in this game.
    pub(super) fell_first: bool,
    /// The reader may not see the move counters.
    pub(super) hides_moves: bool,
    /// The state is fresh.
    pub(super) live: bool,
    pub(super) theme: &'a Theme,
}

/// Tenths are shown up to this time.
const TENTHS: Span = Span::from_mins(1);

/// A time in large digits, rounded up: 0:00.0 means that nothing is left.
fn figure(time: Span) -> String {
    if time.max(-time) <= TENTHS {
        return clocks::time(time, Digits::Tenths);
    }
    let second = Span::from_secs(1).as_nanos();
    let whole = Span::from_secs(time.ceil_div(second));
    let text = clocks::time(whole, Digits::Tenths);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The width at size 1 of the widest figure that follows while the clock runs down, so that the size
/// of the digits does not change all the time.
pub(super) fn widest(time: Option<Span>) -> u16 {
    let text = time.map(figure).unwrap_or_default();
    numerals::width(&text).max(numerals::width("0:00.0"))
}

impl Face<'_> {
    pub(super) fn draw(
        &self,
        area: Rect,
        size: u16,
        stacked: bool,
        framed: bool,
        buffer: &mut Buffer,
    ) {
        let inner = if framed { self.frame(area, buffer) } else { area };
        let inner = inner.inner(Margin::new(1, 0));
        let mut words = self.words();
        if stacked {
            let layout = Layout::horizontal([Constraint::Length(BESIDE), Constraint::Fill(1)]);
            let [beside, digits] = inner.layout(&layout);
            if !framed {
                words.insert(0, format!("{}{}", self.name(), self.flag_mark()));
            }
            self.paragraph(&words, beside, buffer);
            self.digits(digits, size, buffer);
        } else {
            let rows = Layout::vertical([Constraint::Fill(1), Constraint::Length(WORDS)]);
            let [digits, below] = inner.layout(&rows);
            self.digits(digits, size, buffer);
            self.paragraph(&[words.join(" · ")], below, buffer);
        }
    }

    /// The frame, with the side, the turn and the flag in its border.
    fn frame(&self, area: Rect, buffer: &mut Buffer) -> Rect {
        let SideClock { runs, to_move, .. } = *self.clock;
        let pen = self.theme.frame(to_move, runs);
        let border = if to_move { BorderType::Thick } else { BorderType::Rounded };
        let mut frame = Block::bordered()
            .border_type(border)
            .border_style(pen)
            .title(Line::styled(format!(" {} ", self.name()), pen));
        if let Some(flag) = self.flag() {
            frame =
                frame.title(Line::styled(format!(" {flag} "), self.theme.alarm()).right_aligned());
        }
        let inner = frame.inner(area);
        frame.render(area, buffer);
        inner
    }

    fn name(&self) -> String {
        let (disc, name) = match self.clock.side {
            Side::White => ('○', "WHITE"),
            Side::Black => ('●', "BLACK"),
        };
        let turn = match (self.clock.runs, self.clock.to_move) {
            (true, _) => " ▶",
            (false, true) => " ‖",
            (false, false) => "",
        };
        format!("{disc} {name}{turn}")
    }

    /// The flag, where there is no room for words.
    fn flag_mark(&self) -> &'static str {
        match (self.clock.flag(), self.clock.fell(), self.fell_first) {
            (None, _, _) => "",
            (_, true, true) => " ⚑ 1st",
            (_, true, false) => " ⚑ 2nd",
            _ => " ⚑",
        }
    }

    fn flag(&self) -> Option<String> {
        let flag = self.clock.flag()?;
        let which = match (self.clock.fell(), self.fell_first) {
            (true, true) => ", first",
            (true, false) => ", second",
            _ => "",
        };
        Some(format!("⚑ {flag}{which}"))
    }

    /// Everything beside the digits.
    fn words(&self) -> Vec<String> {
        let mut words = self.clock.beside(Digits::Tenths);
        words.extend(self.clock.progress());
        if self.hides_moves {
            words.push("moves kept from readers".to_owned());
        }
        words.extend(self.clock.penalties());
        words
    }

    fn paragraph(&self, words: &[String], area: Rect, buffer: &mut Buffer) {
        let pen = if self.live { self.theme.plain() } else { self.theme.quiet() };
        let lines: Vec<Line<'_>> = words.iter().map(|line| Line::styled(&**line, pen)).collect();
        Paragraph::new(lines).wrap(Wrap { trim: true }).render(area, buffer);
    }

    fn digits(&self, area: Rect, size: u16, buffer: &mut Buffer) {
        let style = self.theme.digits(self.clock.runs, self.clock.fell(), self.live);
        let text = self.time.map_or_else(|| "-".to_owned(), figure);
        numerals::draw(&text, size, style, area, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_digits_are_rounded_up_and_tenths_come_in_the_last_minute() {
        for (ms, text) in [
            (5_400_000, "1:30:00"),
            (3_599_001, "1:00:00"),
            (3_599_000, "59:59"),
            (60_001, "1:01"),
            (60_000, "1:00.0"),
            (59_901, "1:00.0"),
            (1, "0:00.1"),
            (0, "0:00.0"),
            (-61_500, "-1:01"),
            (-1_500, "-0:01.5"),
        ] {
            assert_eq!(figure(Span::from_millis(ms)), text, "{ms} ms");
        }
    }
}
