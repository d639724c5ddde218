//! The times of a game in its PGN: `%clk`, what the clock showed after a move, and `%emt`, what
//! the move took, as comments that programs read (`{[%clk 1:29:48] [%emt 0:00:12]}`).
//!
//! A given PGN keeps every byte but its own `%clk` and `%emt` of the moves that get new ones.

pub mod scan;
mod tag;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;

use jiff::tz::TimeZone;

use super::{Move, Report, words};
use crate::control::{BySide, Side};
use crate::engine::GameResult;
use crate::time::Span;
use scan::{NoPgn, PgnGame, Spot};
pub use tag::time_control;

/// Where an inserted comment begins a new line.
const COLUMNS: usize = 80;

/// Why times cannot be put into a PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMerge {
    /// It is not a PGN.
    #[error(transparent)]
    NoPgn(#[from] NoPgn),
    /// There is no game in it.
    #[error("it contains no game")]
    NoGame,
    /// There are several.
    #[error("it contains {} games ({}); choose one", .0.len(), list(.0))]
    Several(Vec<String>),
    /// There are fewer.
    #[error("it contains {there} games; there is no game {asked}")]
    Fewer {
        /// How many there are.
        there: usize,
        /// Which was asked for, counted from 1.
        asked: usize,
    },
}

/// The most games that are listed.
const LISTED: usize = 9;

fn list(names: &[String]) -> String {
    let more = if names.len() > LISTED { ", ..." } else { "" };
    let named: Vec<_> = names
        .iter()
        .zip(1..)
        .take(LISTED)
        .map(|(name, number)| format!("{number}: {}", crate::control::quote::quote(name, 60)))
        .collect();
    named.join("; ") + more
}

/// A PGN with times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The text.
    pub text: String,
    /// How many moves got their times.
    pub timed: usize,
    /// How many moves of both sides the PGN has.
    pub written: BySide<u32>,
    /// How many the clock counted.
    pub counted: BySide<u32>,
    /// Moves of the PGN that the clock has no times of: whose, and which.
    pub untimed: Vec<(Side, u32)>,
    /// Moves of the clock that the PGN does not have.
    pub unwritten: Vec<(Side, u32)>,
}

impl Merged {
    /// The mismatches in a sentence; `None` if there are none.
    #[must_use]
    pub fn mismatch(&self) -> Option<String> {
        if self.untimed.is_empty() && self.unwritten.is_empty() {
            return None;
        }
        let Merged { written, counted, .. } = self;
        let mut text = format!(
            "the PGN has {} moves by White and {} by Black, the clock {} and {}",
            written.white, written.black, counted.white, counted.black
        );
        for (moves, what) in
            [(&self.untimed, "not timed by the clock"), (&self.unwritten, "not in the PGN")]
        {
            if !moves.is_empty() {
                text.push_str(&format!("; {what}: {}", ranges(moves)));
            }
        }
        Some(text)
    }
}

/// `White's 41, Black's 12, 15 to 18`.
fn ranges(moves: &[(Side, u32)]) -> String {
    let sides = Side::BOTH.into_iter().filter_map(|side| {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (_, number) in moves.iter().filter(|(whose, _)| *whose == side) {
            match runs.last_mut() {
                Some((_, last)) if last.checked_add(1) == Some(*number) => *last = *number,
                _ => runs.push((*number, *number)),
            }
        }
        let runs: Vec<_> = runs
            .iter()
            .map(|(first, last)| match first == last {
                true => first.to_string(),
                false => format!("{first} to {last}"),
            })
            .collect();
        (!runs.is_empty()).then(|| format!("{}'s {}", words::name(side), runs.join(", ")))
    });
    sides.collect::<Vec<_>>().join(", ")
}

/// Puts the times into the moves of a game of `text`; `which`, counted from 1, is needed where it
/// contains several.
///
/// # Errors
/// The text is no PGN, or it is not clear which game of it is meant.
pub fn merge(report: &Report, text: &str, which: Option<usize>) -> Result<Merged, NoMerge> {
    let games = scan::games(text)?;
    let game = match (which, games.as_slice()) {
        (_, []) => return Err(NoMerge::NoGame),
        (None, [game]) => game,
        (None, several) => {
            return Err(NoMerge::Several(several.iter().map(PgnGame::name).collect()));
        }
        (Some(asked), games) => asked
            .checked_sub(1)
            .and_then(|index| games.get(index))
            .ok_or(NoMerge::Fewer { there: games.len(), asked })?,
    };
    let times = times(report);
    let numbers = numbers(game, &times);
    let mut edits = Vec::new();
    if game.tag("TimeControl").is_none()
        && let Some(control) = tag::of_game(report)
    {
        let tag = format!("[TimeControl \"{control}\"]");
        let tag = if game.tags.is_empty() { tag + "\n\n" } else { "\n".to_owned() + &tag };
        edits.push((game.tags_end..game.tags_end, tag));
    }
    // The text's own move number, which may differ from the clock's count.
    let (_, mut written) = game.first();
    for (index, (spot, key)) in game.moves.iter().zip(&numbers).enumerate() {
        written = spot.number.unwrap_or(written);
        let white = key.0 == Side::White;
        if let Some(made) = times.get(key) {
            let reply = game.moves.get(index + 1).filter(|_| white);
            annotate(text, spot, reply.map(|reply| (reply, written)), made, &mut edits);
        }
        written = written.saturating_add(u32::from(!white));
    }
    let untimed: Vec<_> =
        numbers.iter().filter(|number| !times.contains_key(number)).copied().collect();
    let mut unwritten: Vec<_> =
        times.keys().filter(|number| !numbers.contains(number)).copied().collect();
    unwritten.sort();
    let count = |moves: &mut dyn Iterator<Item = &(Side, u32)>, side| {
        u32::try_from(moves.filter(|(whose, _)| *whose == side).count()).unwrap_or(u32::MAX)
    };
    Ok(Merged {
        text: edited(text, edits),
        timed: numbers.len() - untimed.len(),
        written: BySide::from_fn(|side| count(&mut numbers.iter(), side)),
        counted: BySide::from_fn(|side| count(&mut times.keys(), side)),
        untimed,
        unwritten,
    })
}

/// The moves that count by side and number; of two with the same number the later one.
fn times(report: &Report) -> HashMap<(Side, u32), &Move> {
    report.counted().map(|made| ((made.side, made.number), made)).collect()
}

/// The number of each move as the clock counts them: each side's own first move is its 1st, or, for
/// a game that is taken up from a position, the one that the position says, whichever finds more.
fn numbers(game: &PgnGame, times: &HashMap<(Side, u32), &Move>) -> Vec<(Side, u32)> {
    let (first, number) = game.first();
    let from = |number: BySide<u32>| {
        let mut next = number;
        let mut side = first;
        let moves = game.moves.iter().map(|_| {
            let key = (side, next[side]);
            next[side] = next[side].saturating_add(1);
            side = !side;
            key
        });
        moves.collect::<Vec<_>>()
    };
    let own = from(BySide::both(1));
    let mut by_position = BySide::both(number);
    if first == Side::Black {
        by_position.white = number.saturating_add(1);
    }
    let position = from(by_position);
    let found = |keys: &[(Side, u32)]| keys.iter().filter(|key| times.contains_key(key)).count();
    if found(&position) > found(&own) { position } else { own }
}

type Edit = (Range<usize>, String);

/// Writes the times after a move; `reply` is Black's move after it, which then needs its number.
fn annotate(
    text: &str,
    spot: &Spot,
    reply: Option<(&Spot, u32)>,
    made: &Move,
    edits: &mut Vec<Edit>,
) {
    let commands = commands(made);
    let inner = |range: &Range<usize>| {
        let comment = text.get(range.clone()).unwrap_or_default();
        without_times(comment.trim_start_matches(['{', ';']).trim_end_matches('}'))
    };
    match &spot.comment {
        Some(range) => {
            let kept = inner(range);
            let blank = if kept.is_empty() { "" } else { " " };
            edits.push((range.clone(), format!("{{{commands}{blank}{kept}}}")));
        }
        None => edits.push((spot.end..spot.end, format!(" {{{commands}}}"))),
    }
    for range in &spot.more {
        let comment = text.get(range.clone()).unwrap_or_default();
        let kept = inner(range);
        let edit = match (comment.contains("[%clk") || comment.contains("[%emt"), kept.is_empty()) {
            (false, _) => continue,
            (true, true) => String::new(),
            (true, false) if comment.starts_with(';') => format!("; {kept}"),
            (true, false) => format!("{{{kept}}}"),
        };
        edits.push((range.clone(), edit));
    }
    if let Some((reply, number)) = reply
        && reply.number.is_none()
        && !reply.parted
    {
        edits.push((reply.begin..reply.begin, format!("{number}... ")));
    }
}

/// A comment without the times.
fn without_times(comment: &str) -> String {
    let mut kept = String::new();
    let mut rest = comment;
    while let Some(begin) = ["[%clk", "[%emt"].iter().filter_map(|command| rest.find(command)).min()
    {
        let (before, from) = rest.split_at(begin);
        let Some(end) = from.find(']') else { break };
        kept.push_str(before);
        rest = from.get(end + 1..).unwrap_or_default();
        if kept.is_empty() || kept.ends_with(char::is_whitespace) {
            rest = rest.strip_prefix(' ').unwrap_or(rest);
        }
    }
    (kept + rest).trim().to_owned()
}

/// Applies edits that do not overlap. Inserted text breaks long lines.
fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let end_of_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut new = String::new();
    let mut from = 0;
    for (range, inserted) in edits {
        new.push_str(text.get(from..range.start).unwrap_or_default());
        let column = new.len() - new.rfind('\n').map_or(0, |end| end + 1);
        match inserted.strip_prefix(' ') {
            Some(inserted) if column + inserted.len() > COLUMNS => {
                new.push_str(end_of_line);
                new.push_str(inserted);
            }
            _ => new.push_str(&inserted.replace('\n', end_of_line)),
        }
        from = range.end;
    }
    new.push_str(text.get(from..).unwrap_or_default());
    new
}

/// The times of a move as commands.
fn commands(made: &Move) -> String {
    let emt = format!(
        "[%emt {}]",
        stamp(made.think_time, made.think_time.as_nanos().div_euclid(1_000_000))
    );
    // PGN knows no time below zero.
    match made.left.map(Span::or_zero) {
        Some(left) => format!("[%clk {}] {emt}", stamp(left, left.ceil_div(1_000_000))),
        None => emt,
    }
}

/// `1:29:48`, with thousandths where there are some.
fn stamp(span: Span, millis: i64) -> String {
    let millis = if span.is_negative() { 0 } else { millis };
    let (seconds, fraction) = (millis / 1_000, millis % 1_000);
    let whole = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match fraction {
        0 => whole,
        fraction => format!("{whole}.{fraction:03}").trim_end_matches('0').to_owned(),
    }
}

/// A PGN of the times alone, on null moves (`--`) to be replaced by those of a scoresheet.
#[must_use]
pub fn alone(report: &Report, zone: &TimeZone) -> String {
    let wall = report.started.and_then(|(_, wall)| wall).or(report.began);
    let date =
        |format| wall.map(|wall| wall.to_zoned_datetime(zone.clone()).strftime(format).to_string());
    let result = match report.end.result {
        Some(result @ (GameResult::WhiteWins | GameResult::BlackWins | GameResult::Draw)) => {
            result.name()
        }
        _ => "*",
    };
    let mut text = String::new();
    for (name, value) in [
        ("Event", Some("?".to_owned())),
        ("Site", Some("?".to_owned())),
        ("Date", Some(date("%Y.%m.%d").unwrap_or_else(|| "????.??.??".to_owned()))),
        ("Round", Some("?".to_owned())),
        ("White", Some("?".to_owned())),
        ("Black", Some("?".to_owned())),
        ("Result", Some(result.to_owned())),
        ("Time", date("%H:%M:%S")),
        ("TimeControl", tag::of_game(report)),
    ] {
        if let Some(value) = value {
            text.push_str(&format!("[{name} \"{value}\"]\n"));
        }
    }
    text.push('\n');
    // In PGN White is always first: if Black was, White's first move is a null move without a time.
    let late = u32::from(report.counted().next().is_some_and(|made| made.side == Side::Black));
    let times: HashMap<_, _> = times(report)
        .into_iter()
        .map(|((side, number), made)| match side {
            Side::White => ((side, number.saturating_add(late)), made),
            Side::Black => ((side, number), made),
        })
        .collect();
    let numbers = |side| times.keys().filter(move |(whose, _)| *whose == side).map(|(_, n)| *n);
    let first = times.keys().map(|(_, number)| *number).min().unwrap_or(1);
    let (white, black) = (numbers(Side::White).max(), numbers(Side::Black).max());
    for number in first..=white.max(black).unwrap_or(0) {
        for (side, dots) in [(Side::White, "."), (Side::Black, "...")] {
            let times = times.get(&(side, number)).map(|made| commands(made));
            let times = times.map_or_else(String::new, |times| format!(" {{{times}}}"));
            if side == Side::White || black >= Some(number) {
                text.push_str(&format!("{number}{dots} --{times}\n"));
            }
        }
    }
    text + result + "\n"
}
