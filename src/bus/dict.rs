//! The dictionaries of states, answers and lines.

use super::errors::{Error, Result};
use super::variant::{Counters, Dict, to_dict};
use crate::daemon::bridge::{Answer, Preview};
use crate::engine::{Output, Snapshot};
use crate::record::Content;
use crate::time::{Instant, Span};

/// A state with the game's name and the number of its newest line: the keys of `Snapshot`.
pub(super) fn picture(
    game: &str,
    seq: u64,
    snapshot: &Snapshot,
    counters: Counters,
) -> Result<Dict> {
    let mut dict = to_dict(snapshot, counters).map_err(internal)?;
    dict.insert("game".to_owned(), game.to_owned().into());
    dict.insert("seq".to_owned(), seq.into());
    dict.insert("at_us".to_owned(), snapshot.at.as_micros_floor().into());
    dict.insert("at_ns".to_owned(), snapshot.at.as_nanos().into());
    Ok(dict)
}

/// The state that an operation led to, with `before` and `effects`.
pub(super) fn answer(answer: &Answer) -> Result<Dict> {
    let mut dict = picture(&answer.game, answer.seq, &answer.snapshot, Counters::Shown)?;
    let before = to_dict(&answer.before, Counters::Shown).map_err(internal)?;
    dict.insert("before".to_owned(), before.into());
    let effects: Result<Vec<Dict>> =
        answer.effects.iter().map(|(at, content)| effect(*at, content)).collect();
    dict.insert("effects".to_owned(), effects?.into());
    Ok(dict)
}

/// The state that an operation would lead to, and its effects.
pub(super) fn preview(preview: &Preview) -> Result<(Dict, Vec<Dict>)> {
    let mut dict = picture(&preview.game, preview.seq, &preview.after, Counters::Shown)?;
    let before = to_dict(&preview.before, Counters::Shown).map_err(internal)?;
    dict.insert("before".to_owned(), before.into());
    let at = |at: Instant| at - preview.began;
    let line = |output: &Output| effect(at(output.at), &Content::Effect(output.effect));
    let effects: Result<Vec<Dict>> = preview.effects.iter().map(line).collect();
    Ok((dict, effects?))
}

fn effect(at: Span, content: &Content) -> Result<Dict> {
    let mut dict = to_dict(content, Counters::Shown).map_err(internal)?;
    dict.insert("at_ns".to_owned(), at.as_nanos().into());
    Ok(dict)
}

/// What is written here always fits the bus.
pub(super) fn internal(error: impl std::fmt::Display) -> Error {
    Error::Bus(zbus::Error::Failure(error.to_string()))
}
