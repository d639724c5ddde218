//! Finding games and moves in a PGN text without changing a byte of it.
//!
//! Moves are not checked for legality: what looks like a move is one.

use core::ops::Range;

use crate::control::Side;

/// A game within a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// Its tags in their order.
    pub tags: Vec<(String, String)>,
    /// Where its last tag ends; without tags, where the game begins.
    pub tags_end: usize,
    /// The moves of its main line.
    pub moves: Vec<Spot>,
}

/// A move within a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Where it begins.
    pub begin: usize,
    /// Where it ends, its marks (`!`, `$3`) included.
    pub end: usize,
    /// The number before it.
    pub number: Option<u32>,
    /// Whether a comment is between it and the move before.
    pub parted: bool,
    /// The comment that follows it at once.
    pub comment: Option<Range<usize>>,
    /// Further comments up to the next move or variation.
    pub more: Vec<Range<usize>>,
}

/// Text that is not valid PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct NoPgn {
    /// Which line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Tag,
    Move,
    Mark,
    Number,
    Comment,
    Aside,
    Open,
    Close,
    Result,
}

/// Every game of a text.
///
/// # Errors
/// A comment, a tag or a variation does not end.
pub fn games(text: &str) -> Result<Vec<PgnGame>, NoPgn> {
    let mut games = Vec::new();
    let mut open: Option<PgnGame> = None;
    let (mut depth, mut depth_at) = (0_usize, 0);
    // Seen since the last move of the main line.
    let mut since = Since::default();
    for (kind, range) in tokens(text)? {
        let played = open.as_ref().is_some_and(|game| !game.moves.is_empty());
        if kind == TokenKind::Tag && depth == 0 && (played || since.number.is_some()) {
            games.extend(open.take());
            since = Since::default();
        }
        if kind == TokenKind::Open {
            (depth, depth_at) = (depth + 1, range.start);
            since.varied = true;
            continue;
        }
        if kind == TokenKind::Close {
            depth = depth
                .checked_sub(1)
                .ok_or_else(|| no_pgn(text, range.start, "a `)` closes no variation"))?;
            continue;
        }
        if depth > 0 {
            continue;
        }
        let game = match (&mut open, kind) {
            (None, TokenKind::Comment | TokenKind::Aside) => continue,
            (game, _) => {
                game.get_or_insert_with(|| PgnGame { tags_end: range.start, ..PgnGame::default() })
            }
        };
        match kind {
            TokenKind::Tag => {
                game.tags.extend(tag(text.get(range.clone()).unwrap_or_default()));
                game.tags_end = range.end;
            }
            TokenKind::Move => {
                game.moves.push(Spot {
                    begin: range.start,
                    end: range.end,
                    number: since.number,
                    parted: since.parted,
                    comment: None,
                    more: Vec::new(),
                });
                since = Since::default();
            }
            TokenKind::Mark if !since.parted && !since.varied => {
                if let Some(last) = game.moves.last_mut() {
                    last.end = range.end;
                }
            }
            TokenKind::Number => {
                let number = text.get(range).unwrap_or_default().parse();
                since.number = Some(number.unwrap_or(u32::MAX));
            }
            TokenKind::Comment => {
                let first = !since.parted && !since.varied && since.number.is_none();
                match game.moves.last_mut() {
                    Some(last) if first && text[range.clone()].starts_with('{') => {
                        last.comment = Some(range);
                    }
                    Some(last) if !since.varied => last.more.push(range),
                    _ => {}
                }
                since.parted = true;
            }
            TokenKind::Result => {
                since = Since::default();
                games.extend(open.take());
            }
            TokenKind::Mark | TokenKind::Aside | TokenKind::Open | TokenKind::Close => {}
        }
        if kind == TokenKind::Result {
            // what follows is another game
            depth = 0;
        }
    }
    if depth > 0 {
        return Err(no_pgn(text, depth_at, "a variation is opened here and not closed"));
    }
    games.extend(open.filter(|game| !game.tags.is_empty() || !game.moves.is_empty()));
    Ok(games)
}

#[derive(Default)]
struct Since {
    number: Option<u32>,
    parted: bool,
    varied: bool,
}

impl PgnGame {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Whose move is first, and its number: the position's of the tag `FEN`.
    #[must_use]
    pub fn first(&self) -> (Side, u32) {
        let fen = self.tag("FEN").unwrap_or_default();
        let mut fields = fen.split_whitespace().skip(1);
        let side = if fields.next() == Some("b") { Side::Black } else { Side::White };
        let number = fields.nth(3).and_then(|number| number.parse().ok());
        (side, number.unwrap_or(1).max(1))
    }

    /// Who played, for a list: `Short - Kasparov, round 3`.
    #[must_use]
    pub fn name(&self) -> String {
        let name = |tag| self.tag(tag).unwrap_or("?").to_owned();
        let round = self.tag("Round").filter(|round| *round != "?");
        let round = round.map_or_else(String::new, |round| format!(", round {round}"));
        format!("{} - {}{round}", name("White"), name("Black"))
    }
}

fn no_pgn(text: &str, at: usize, what: &'static str) -> NoPgn {
    let before = text.get(..at).unwrap_or(text);
    NoPgn { line: before.matches('\n').count() + 1, what }
}

fn tokens(text: &str) -> Result<Vec<(TokenKind, Range<usize>)>, NoPgn> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or_default();
        let new_line = at == 0 || text[..at].ends_with('\n');
        let line = || rest.find('\n').unwrap_or(rest.len());
        let (kind, length) = match first {
            '%' if new_line => (TokenKind::Aside, line()),
            '{' => match rest.find('}') {
                Some(end) => (TokenKind::Comment, end + 1),
                None => return Err(no_pgn(text, at, "a comment is opened here and not closed")),
            },
            ';' => (TokenKind::Comment, line()),
            '(' => (TokenKind::Open, 1),
            ')' => (TokenKind::Close, 1),
            '[' => match tag_length(rest) {
                Some(length) => (TokenKind::Tag, length),
                None => return Err(no_pgn(text, at, "a tag is opened here and not closed")),
            },
            '$' | '!' | '?' => (
                TokenKind::Mark,
                1 + length_while(&rest[1..], |c| c.is_ascii_digit() || "!?".contains(c)),
            ),
            blank if blank.is_whitespace() || "}].\"\u{feff}".contains(blank) => {
                at += blank.len_utf8();
                continue;
            }
            _ => {
                let length =
                    length_while(rest, |c| !c.is_whitespace() && !"{}();[]$!?.\"".contains(c));
                (word(&rest[..length]), length)
            }
        };
        found.push((kind, at..at + length));
        at += length;
    }
    Ok(found)
}

fn length_while(text: &str, fits: impl Fn(char) -> bool) -> usize {
    text.find(|c| !fits(c)).unwrap_or(text.len())
}

/// How long the tag is that begins here; a bracket within quotes does not end it.
fn tag_length(rest: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    rest.char_indices().find_map(|(at, letter)| {
        match (letter, escaped) {
            (_, true) => escaped = false,
            ('\\', _) if quoted => escaped = true,
            ('"', _) => quoted = !quoted,
            (']', _) if !quoted => return Some(at + 1),
            _ => {}
        }
        None
    })
}

fn tag(text: &str) -> Option<(String, String)> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// Tells results, numbers and moves from other words (`e.p.`, `+-`, `N`).
fn word(word: &str) -> TokenKind {
    if ["1-0", "0-1", "1/2-1/2", "1/2", "*"].contains(&word) {
        return TokenKind::Result;
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return TokenKind::Number;
    }
    let piece = word.starts_with(|c| "abcdefghKQRBNPO0oZ".contains(c));
    let place = word.contains(|c: char| c.is_ascii_digit() || c == 'O' || c == 'o');
    if word == "--" || piece && place && word.len() > 1 {
        TokenKind::Move
    } else {
        TokenKind::Aside
    }
}
