//! The words of the canonical form, and what people write in their place.

use super::cursor::Cursor;
use super::error::Fault;

/// The words that can stand where a method or its addition may.
const WORDS: [&str; 14] = [
    "delay",
    "bronstein",
    "byoyomi",
    "canadian",
    "overtime",
    "hourglass",
    "move",
    "gong",
    "cap",
    "free",
    "burn-on-entry",
    "then",
    "repeat",
    "confirm",
];

/// Other words for the same, and what the canonical form writes.
const HABITS: [(&str, &str); 14] = [
    ("byo-yomi", "byoyomi"),
    ("byo", "byoyomi"),
    ("inc", "+"),
    ("increment", "+"),
    ("fischer", "+"),
    ("bonus", "+"),
    ("plus", "+"),
    ("d", "delay"),
    ("us-delay", "delay"),
    ("add-back", "bronstein"),
    ("sandclock", "hourglass"),
    ("continued", "continue"),
    ("max", "cap"),
    ("rep", "repeat"),
];

/// No word of any notation is longer; what is longer is not compared.
const LONGEST: usize = 16;
/// The most letters by which a misspelt word differs from the right one.
const MOST_SLIPS: usize = 2;

/// The fault to report for a word that stands here and is unknown, with the word that was
/// probably meant. `None` if no word stands here, or a known one.
///
/// `expected` says what should have stood here.
pub(super) fn misspelt(cursor: &Cursor<'_>, expected: &str) -> Option<Fault> {
    let word = cursor.peek_word();
    if word.is_empty() || WORDS.contains(&word) {
        return None;
    }
    let at = cursor.at()..cursor.at() + word.len();
    let fault = Fault::expected(at.clone(), expected).remedy(
        "write the time first, then a method: `+2s`, `delay 5s`, `bronstein 5s`, `byoyomi 5x30s`, \
         `canadian 20/5m`, `overtime 10m`",
    );
    Some(match nearest(word) {
        Some(meant) => fault.fix(at, meant),
        None => fault,
    })
}

fn nearest(word: &str) -> Option<&'static str> {
    if word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    if let Some((_, meant)) = HABITS.into_iter().find(|(habit, _)| *habit == word) {
        return Some(meant);
    }
    WORDS
        .into_iter()
        .map(|known| (strsim::osa_distance(&word, known), known))
        .filter(|(slips, known)| *slips <= MOST_SLIPS && *slips < known.len() / 2)
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, known)| known)
}
