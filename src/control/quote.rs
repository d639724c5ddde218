//! Quoting what somebody wrote, in a sentence about it.

/// The most characters of a name that a sentence about it quotes.
pub(crate) const MAX_NAME: usize = 40;

/// The characters that turn the direction of a text (Unicode's UAX 9, Bidi_Control).
const TURNS: [char; 12] = [
    '\u{061c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// The beginning of a text, fit to be shown: at most so many characters, none that controls or
/// turns the direction of what stands after it.
pub(crate) fn quote(text: &str, most: usize) -> String {
    let mut quoted: String = text
        .chars()
        .take(most)
        .map(|c| if is_plain(c) { c } else { char::REPLACEMENT_CHARACTER })
        .collect();
    if text.chars().nth(most).is_some() {
        quoted.push('…');
    }
    quoted
}

/// True for a character that neither controls a terminal nor turns the direction of a text.
pub(crate) fn is_plain(c: char) -> bool {
    !c.is_control() && !TURNS.contains(&c)
}

/// ` (did you mean ...?)` where one of the known words is close.
pub(crate) fn nearest(word: &str, known: &[&str]) -> String {
    if word.len() > MAX_NAME {
        return String::new();
    }
    known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(word, known), known))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map_or_else(String::new, |(_, known)| format!(" (did you mean `{known}`?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_controls_a_terminal_or_turns_the_text_is_replaced_and_the_rest_cut() {
        for (text, shown) in [
            ("phone rang", "phone rang"),
            ("\u{1b}[2Jgone", "\u{fffd}[2Jgone"),
            ("ab\u{202e}cd", "ab\u{fffd}cd"),
            ("ab\u{2066}cd\u{2069}", "ab\u{fffd}cd\u{fffd}"),
            ("Überzeit für Weiß", "Überzeit f…"),
        ] {
            assert_eq!(quote(text, 10), shown, "{text:?}");
        }
    }
}
