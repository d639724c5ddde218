//! What the program has to say, below the box.

use std::collections::VecDeque;

/// How many lines are remembered: more than any terminal shows.
const KEPT: usize = 200;

/// The latest lines, oldest first.
#[derive(Debug, Default)]
pub(super) struct Messages {
    lines: VecDeque<String>,
}

impl Messages {
    /// Adds a message of one or more lines. Control characters, which would move the cursor,
    /// become spaces.
    pub(super) fn push(&mut self, text: &str) {
        for line in text.lines() {
            let shown = |c: char| if c.is_control() { ' ' } else { c };
            self.lines.push_back(line.chars().map(shown).collect());
        }
        let surplus = self.lines.len().saturating_sub(KEPT);
        self.lines.drain(..surplus);
    }

    /// The latest `height` rows of `width` characters. A longer line goes on in the next row
    /// without a break between words: a command that is copied from the screen stays whole.
    pub(super) fn rows(&self, width: usize, height: usize) -> Vec<String> {
        let mut rows = Vec::new();
        for line in &self.lines {
            let characters: Vec<char> = line.chars().collect();
            rows.extend(characters.chunks(width.max(1)).map(|row| row.iter().collect::<String>()));
            if characters.is_empty() {
                rows.push(String::new());
            }
        }
        rows.split_off(rows.len().saturating_sub(height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_rows_are_shown_and_long_lines_go_on_unbroken() {
        let mut messages = Messages::default();
        messages.push("first\n\nbusctl call");
        messages.push("\u{1b}[2Jtab\there");
        assert_eq!(messages.rows(8, 5), ["", "busctl c", "all", " [2Jtab ", "here"]);
        assert_eq!(messages.rows(80, 9), ["first", "", "busctl call", " [2Jtab here"]);
    }

    #[test]
    fn old_lines_are_forgotten() {
        let mut messages = Messages::default();
        for n in 0..1_000 {
            messages.push(&n.to_string());
        }
        assert_eq!(messages.rows(80, 1_000).len(), KEPT);
        assert_eq!(messages.rows(80, 1), ["999"]);
    }
}
