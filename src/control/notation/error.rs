//! Why a text is no time control, as a sentence for the person who wrote it.
//!
//! This file finds no errors. A reader reports a [`Fault`], in bytes of its text and without
//! regard to people; here it becomes a [`NotationError`] with the place in characters, a short
//! quotation and the nearest text that is right.

use core::fmt;
use core::ops::Range;

use crate::control::quote::quote;

/// What is wrong with a text: where, what stands there, what would be right.
///
/// `Display` is one sentence: it quotes at most 20 characters of the text, and a suggestion has
/// at most 60.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// Where, in characters from 1; one behind the last where something is missing at the end.
    pub position: usize,
    /// What stands there, shortened; empty at the end of the text.
    pub found: String,
    /// What is wrong with it.
    pub problem: Problem,
    /// What to do about it, in words.
    pub remedy: String,
    /// The nearest whole text that is right, where one could be found. It was read to be sure.
    pub suggestion: Option<String>,
}

/// The two ways in which a text can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It cannot be read: this was expected at the position.
    Expected(String),
    /// It can be read, but no clock can keep it: why.
    Impossible(String),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: ", self.position)?;
        match (&self.problem, self.found.as_str()) {
            (Problem::Expected(what), "") => write!(f, "expected {what}, found the end")?,
            (Problem::Expected(what), found) => write!(f, "expected {what}, found `{found}`")?,
            (Problem::Impossible(why), "") => write!(f, "{why}")?,
            (Problem::Impossible(why), found) => write!(f, "`{found}` is impossible: {why}")?,
        }
        match &self.suggestion {
            Some(text) => write!(f, "; did you mean `{text}`?"),
            None => write!(f, "; {}", self.remedy),
        }
    }
}

impl core::error::Error for NotationError {}

/// What a reader has to say against its text.
#[derive(Debug)]
pub(super) struct Fault {
    at: Range<usize>,
    problem: Problem,
    remedy: String,
    fix: Option<Fix>,
}

/// A change of the text that takes it nearer to something right.
#[derive(Debug)]
struct Fix {
    at: Range<usize>,
    with: String,
}

/// The most characters of the text that a sentence quotes.
const MAX_QUOTED: usize = 20;
/// The longest text, in bytes, that is suggested or corrected as a whole.
const MAX_SUGGESTED: usize = 60;
/// The most changes that lead to a suggestion; a text with more mistakes is no slip.
const MAX_FIXES: usize = 10;

impl Fault {
    /// Something else was expected at these bytes.
    pub(super) fn expected(at: Range<usize>, what: impl Into<String>) -> Self {
        let remedy = "write it as in `3m+2s` or `40/1h30m+30s, 30m+30s`".to_owned();
        Fault { at, problem: Problem::Expected(what.into()), remedy, fix: None }
    }

    /// What stands at these bytes cannot be kept by any clock.
    pub(super) fn impossible(
        at: Range<usize>,
        why: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Fault { at, problem: Problem::Impossible(why.into()), remedy: remedy.into(), fix: None }
    }

    /// Says in words what to do.
    pub(super) fn remedy(self, remedy: impl Into<String>) -> Self {
        Fault { remedy: remedy.into(), ..self }
    }

    /// Names the change that takes the text nearer to something right.
    pub(super) fn fix(self, at: Range<usize>, with: impl Into<String>) -> Self {
        Fault { fix: Some(Fix { at, with: with.into() }), ..self }
    }

    /// The error to show for this fault of `text`, which `read` reported.
    pub(super) fn explain<T>(
        self,
        text: &str,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> NotationError {
        let before = text.get(..self.at.start).unwrap_or(text);
        NotationError {
            position: before.chars().count() + 1,
            found: quote(text.get(self.at).unwrap_or("").trim_end(), MAX_QUOTED),
            problem: self.problem,
            remedy: self.remedy,
            suggestion: self.fix.and_then(|fix| nearest(text, fix, read)),
        }
    }
}

/// Follows the fixes until the text can be read.
fn nearest<T>(text: &str, first: Fix, read: impl Fn(&str) -> Result<T, Fault>) -> Option<String> {
    let mut text = text.to_owned();
    let mut fix = first;
    for _ in 0..MAX_FIXES {
        if text.len() > MAX_SUGGESTED {
            return None;
        }
        text = format!("{}{}{}", text.get(..fix.at.start)?, fix.with, text.get(fix.at.end..)?);
        match read(&text) {
            Ok(_) => return Some(text.trim().to_owned()),
            Err(fault) => fix = fault.fix?,
        }
    }
    None
}
