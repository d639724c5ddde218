//! Quoting what somebody wrote, in a sentence about it.

/// The most characters of a name that a sentence about it quotes.
pub(crate) const MAX_NAME: usize = 40;

/// The beginning of a text, fit to be shown: at most so many characters, none that controls.
pub(crate) fn quote(text: &str, most: usize) -> String {
    let mut quoted: String = text
        .chars()
        .take(most)
        .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })
        .collect();
    if text.chars().nth(most).is_some() {
        quoted.push('…');
    }
    quoted
}
