//! Large digits of 3 x 5 squares, in any size.
//!
//! A square is lit by the segments of the box's own digits that meet in it, so that a figure looks
//! the same in both places. At size 1 a square is one column wide and half a row high.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::display::glyph::encode;
use crate::display::glyph::segment::{A, B, C, D, E, F, G};

/// The segments that meet in each square.
const SQUARES: [[u8; 3]; 5] =
    [[A | F, A, A | B], [F, 0, B], [E | F | G, G, B | C | G], [E, 0, C], [D | E, D, C | D]];

/// The height in squares.
const HIGH: u16 = 5;

/// The width of a character in squares, with the space after it.
const fn pitch(character: char) -> u16 {
    match character {
        ':' | '.' => 2,
        _ => 4,
    }
}

/// True if a square of a character is lit.
fn is_lit(character: char, x: u16, y: u16) -> bool {
    match character {
        ':' => x == 0 && (y == 1 || y == 3),
        '.' => x == 0 && y == 4,
        other => {
            let meet = SQUARES.get(usize::from(y)).and_then(|row| row.get(usize::from(x)));
            meet.is_some_and(|meet| encode(other) & meet != 0)
        }
    }
}

/// The width of a text at size 1, in columns.
pub(super) fn width(text: &str) -> u16 {
    text.chars().map(pitch).sum::<u16>().saturating_sub(1)
}

/// The height of a figure in rows.
pub(super) const fn height(size: u16) -> u16 {
    (HIGH * size).div_ceil(2)
}

/// Draws a text centred in `area`, as far as it fits.
pub(super) fn draw(text: &str, size: u16, style: Style, area: Rect, buffer: &mut Buffer) {
    let size = size.max(1);
    let left = area.x + area.width.saturating_sub(width(text) * size) / 2;
    let top = area.y + area.height.saturating_sub(height(size)) / 2;
    let mut column = left;
    for character in text.chars() {
        let lit = |x: u16, half_row: u16| {
            half_row < HIGH * size && is_lit(character, x / size, half_row / size)
        };
        for x in 0..pitch(character) * size {
            for y in 0..height(size) {
                let square = match (lit(x, 2 * y), lit(x, 2 * y + 1)) {
                    (false, false) => continue,
                    (true, false) => '▀',
                    (false, true) => '▄',
                    (true, true) => '█',
                };
                let at = (column + x, top + y);
                if area.contains(at.into())
                    && let Some(cell) = buffer.cell_mut(at)
                {
                    cell.set_char(square).set_style(style);
                }
            }
        }
        column += pitch(character) * size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, size: u16) -> String {
        let area = Rect::new(0, 0, width(text) * size, height(size));
        let mut buffer = Buffer::empty(area);
        draw(text, size, Style::new(), area, &mut buffer);
        let rows = buffer.content().chunks(usize::from(area.width));
        let rows = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>());
        rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn figures_can_be_read_in_every_size() {
        insta::assert_snapshot!("small", drawn("-0:12.3", 1));
        insta::assert_snapshot!("middling", drawn("4:56", 2));
        insta::assert_snapshot!("large", drawn("7.89", 3));
    }

    #[test]
    fn no_two_numerals_look_alike() {
        for size in [1, 2, 3] {
            let mut seen = Vec::new();
            for numeral in "0123456789-:.".chars() {
                let shape = drawn(&numeral.to_string(), size);
                assert!(!seen.contains(&shape), "{numeral} in size {size}");
                seen.push(shape);
            }
        }
    }

    #[test]
    fn what_finds_no_room_is_cut_off() {
        for (width, height) in [(0, 0), (3, 1), (10, 2), (100, 100)] {
            let area = Rect::new(1, 1, width, height);
            let mut buffer = Buffer::empty(Rect::new(0, 0, width + 2, height + 2));
            draw("12:34:56", 4, Style::new(), area, &mut buffer);
            let outside = |x, y| !area.contains((x, y).into());
            for (x, y) in (0..width + 2).flat_map(|x| (0..height + 2).map(move |y| (x, y))) {
                assert!(!outside(x, y) || buffer[(x, y)].symbol() == " ", "{x} {y}");
            }
        }
    }
}
