//! Seven-segment digits of terminal characters, in two sizes.
//!
//! A digit is drawn segment by segment, so it shows whatever the chip lights, digit or not. Dark
//! segments shimmer through, as they do behind red glass.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Color;

use crate::display::glyph::POINT;
use crate::display::glyph::segment::{A, B, C, D, E, F, G};

/// How digits are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// Of bars: 32 x 3 for a display of eight.
    Bars,
    /// Of half blocks: 56 x 4 for a display of eight.
    Blocks,
}

/// The colours of a display.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glow {
    /// A lit segment.
    pub(super) lit: Color,
    /// A dark segment; none where there are no colours to tell it from a lit one.
    pub(super) dark: Option<Color>,
}

impl Size {
    /// Columns of one digit.
    const fn pitch(self) -> u16 {
        match self {
            Size::Bars => 4,
            Size::Blocks => 7,
        }
    }

    /// Columns of a display.
    pub(super) const fn width(self) -> u16 {
        8 * self.pitch()
    }

    /// Rows of a display.
    pub(super) const fn height(self) -> u16 {
        match self {
            Size::Bars => 3,
            Size::Blocks => 4,
        }
    }

    /// Draws the eight digits of a display, the first at the left, into `area` of
    /// [`width`](Self::width) and [`height`](Self::height).
    pub(super) fn draw(self, segments: [u8; 8], glow: Glow, area: Rect, buffer: &mut Buffer) {
        for (column, lit) in (area.x..).step_by(usize::from(self.pitch())).zip(segments) {
            let at = Position::new(column, area.y);
            match self {
                Size::Bars => bars(lit, glow, at, buffer),
                Size::Blocks => blocks(lit, glow, at, buffer),
            }
        }
    }
}

/// Where the bars of a digit stand: column, row, segment, character.
const BARS: [(u16, u16, u8, char); 8] = [
    (1, 0, A, '▂'),
    (0, 1, F, '▐'),
    (1, 1, G, '▂'),
    (2, 1, B, '▌'),
    (0, 2, E, '▐'),
    (1, 2, D, '▂'),
    (2, 2, C, '▌'),
    (3, 2, POINT, '▖'),
];

fn bars(lit: u8, glow: Glow, at: Position, buffer: &mut Buffer) {
    for (x, y, segment, bar) in BARS {
        let colour = if lit & segment == 0 { glow.dark } else { Some(glow.lit) };
        if let Some(colour) = colour
            && let Some(cell) = buffer.cell_mut((at.x + x, at.y + y))
        {
            cell.set_char(bar).set_fg(colour);
        }
    }
}

/// The segment that a square of a digit belongs to. Two squares make a character, one above the
/// other.
const fn square(x: u16, y: u16) -> u8 {
    match (x, y) {
        (1..=3, 0) => A,
        (4, 1..=2) => B,
        (4, 4..=5) => C,
        (1..=3, 6) => D,
        (0, 4..=5) => E,
        (0, 1..=2) => F,
        (1..=3, 3) => G,
        (5, 6) => POINT,
        _ => 0,
    }
}

fn blocks(lit: u8, glow: Glow, at: Position, buffer: &mut Buffer) {
    for y in 0..Size::Blocks.height() {
        for x in 0..Size::Blocks.pitch() {
            let colour = |y| match square(x, y) {
                0 => None,
                segment if lit & segment == 0 => glow.dark,
                _ => Some(glow.lit),
            };
            let Some(cell) = buffer.cell_mut((at.x + x, at.y + y)) else { continue };
            match (colour(2 * y), colour(2 * y + 1)) {
                (None, None) => {}
                (Some(upper), None) => {
                    cell.set_char('▀').set_fg(upper);
                }
                (None, Some(lower)) => {
                    cell.set_char('▄').set_fg(lower);
                }
                (Some(upper), Some(lower)) if upper == lower => {
                    cell.set_char('█').set_fg(upper);
                }
                (Some(upper), Some(lower)) => {
                    cell.set_char('▀').set_fg(upper).set_bg(lower);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLOW: Glow = Glow { lit: Color::Red, dark: None };

    fn drawn(size: Size, segments: [u8; 8]) -> String {
        let area = Rect::new(0, 0, size.width(), size.height());
        let mut buffer = Buffer::empty(area);
        size.draw(segments, GLOW, area, &mut buffer);
        let rows: Vec<String> = buffer
            .content()
            .chunks(usize::from(area.width))
            .map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>())
            .map(|row| row.trim_end().to_owned())
            .collect();
        rows.join("\n")
    }

    #[test]
    fn digits_can_be_read_in_both_sizes() {
        let digits = [0x7E | POINT, 0x30, 0x6D, 0x79, 0x33, 0x5B, 0x5F, 0x70];
        insta::assert_snapshot!("bars", drawn(Size::Bars, digits));
        insta::assert_snapshot!("blocks", drawn(Size::Blocks, digits));
    }

    #[test]
    fn every_segment_has_its_own_place() {
        for size in [Size::Bars, Size::Blocks] {
            let mut seen = vec![drawn(size, [0; 8])];
            for bit in 0..8 {
                let shape = drawn(size, [1 << bit, 0, 0, 0, 0, 0, 0, 0]);
                assert!(!seen.contains(&shape), "{size:?}, bit {bit}");
                seen.push(shape);
            }
        }
    }
}
