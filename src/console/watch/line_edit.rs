//! The input line of the watch.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The longest line, in bytes.
const LONGEST: usize = 500;

/// A line with a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LineEdit {
    before: String,
    after: String,
}

impl LineEdit {
    /// A line that begins with `text`.
    pub(super) fn new(text: &str) -> LineEdit {
        LineEdit { before: text.to_owned(), after: String::new() }
    }

    /// The whole line.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.before, self.after)
    }

    /// The text before and after the cursor.
    pub(super) fn parts(&self) -> (&str, &str) {
        (&self.before, &self.after)
    }

    /// Takes a key, with the usual bindings of a terminal.
    pub(super) fn key(&mut self, key: &KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('u') if control => self.before.clear(),
            KeyCode::Char('k') if control => self.after.clear(),
            KeyCode::Char('a') if control => self.go_to_beginning(),
            KeyCode::Char('e') if control => self.go_to_end(),
            KeyCode::Char('w') if control => self.rub_out_word(),
            KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => {}
            KeyCode::Char(letter) => self.insert(letter),
            KeyCode::Backspace => {
                self.before.pop();
            }
            KeyCode::Delete => {
                let mut rest = self.after.chars();
                rest.next();
                self.after = rest.as_str().to_owned();
            }
            KeyCode::Left => {
                if let Some(letter) = self.before.pop() {
                    self.after.insert(0, letter);
                }
            }
            KeyCode::Right => {
                let mut rest = self.after.chars();
                self.before.extend(rest.next());
                self.after = rest.as_str().to_owned();
            }
            KeyCode::Home => self.go_to_beginning(),
            KeyCode::End => self.go_to_end(),
            _ => {}
        }
    }

    fn insert(&mut self, letter: char) {
        if !letter.is_control() && self.before.len() + self.after.len() < LONGEST {
            self.before.push(letter);
        }
    }

    fn go_to_beginning(&mut self) {
        self.after.insert_str(0, &std::mem::take(&mut self.before));
    }

    fn go_to_end(&mut self) {
        self.before.push_str(&std::mem::take(&mut self.after));
    }

    fn rub_out_word(&mut self) {
        let kept = self.before.trim_end();
        let kept = kept.rfind(char::is_whitespace).map_or(0, |space| space + 1);
        self.before.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &str) -> (String, String) {
        let mut edit = LineEdit::new("set ");
        for letter in keys.chars() {
            let (code, modifiers) = match letter {
                '<' => (KeyCode::Left, KeyModifiers::NONE),
                '>' => (KeyCode::Right, KeyModifiers::NONE),
                '[' => (KeyCode::Home, KeyModifiers::NONE),
                ']' => (KeyCode::End, KeyModifiers::NONE),
                '~' => (KeyCode::Backspace, KeyModifiers::NONE),
                '!' => (KeyCode::Delete, KeyModifiers::NONE),
                'W' => (KeyCode::Char('w'), KeyModifiers::CONTROL),
                'U' => (KeyCode::Char('u'), KeyModifiers::CONTROL),
                'X' => (KeyCode::Char('x'), KeyModifiers::CONTROL),
                letter => (KeyCode::Char(letter), KeyModifiers::NONE),
            };
            edit.key(&KeyEvent::new(code, modifiers));
        }
        let (before, after) = edit.parts();
        (before.to_owned(), after.to_owned())
    }

    #[test]
    fn a_line_is_edited_as_in_any_terminal() {
        for (keys, before, after) in [
            ("white 5m", "set white 5m", ""),
            ("w~black", "set black", ""),
            ("white<<X", "set whi", "te"),
            ("white<<!>h", "set whieh", ""),
            ("black 5mWW", "set ", ""),
            ("[un]x", "unset x", ""),
            ("é<U", "", "é"),
            ("~~~~~", "", ""),
        ] {
            let (got_before, got_after) = typed(keys);
            assert_eq!((got_before.as_str(), got_after.as_str()), (before, after), "{keys}");
        }
    }
}
