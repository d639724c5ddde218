//! Why a text is no time control, as a sentence for the person who wrote it.

use core::fmt;

/// What is wrong with a text: where, what stands there, what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// Where, in characters from 1.
    pub position: usize,
    /// What stands there, quoted and shortened; "the end" where nothing does.
    pub found: String,
    /// What is wrong with it.
    pub problem: Problem,
    /// What to do.
    pub remedy: String,
    /// The nearest text that is right, where one could be found.
    pub suggestion: Option<String>,
}

/// The two ways of being wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It cannot be read: this was expected.
    Expected(String),
    /// It can be read, but no clock can keep it: why.
    Impossible(String),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.remedy)
    }
}

impl core::error::Error for NotationError {}

pub(super) fn skeleton(text: &str) -> NotationError {
    NotationError {
        position: 1,
        found: text.to_owned(),
        problem: Problem::Expected(String::new()),
        remedy: String::new(),
        suggestion: None,
    }
}
