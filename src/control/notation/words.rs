//! The words of the canonical form, and what people write in their place.

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

/// True for a word of the canonical form.
pub(super) fn is_known(word: &str) -> bool {
    WORDS.contains(&word)
}

/// The word that was probably meant by one that is not known.
pub(super) fn meant_by(word: &str) -> Option<&'static str> {
    if word.is_empty() || word.len() > LONGEST || is_known(word) {
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
