//! Taking the members of a line one by one: each has a type, a range and a sentence when it is
//! wrong, and none may be left over.

use serde_json::Value;

use super::json::kind_of;
use super::{Fields, time};
use crate::control::Side;
use crate::time::Span;

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which member, with its parents (`white.main_us`); `None` where it is the whole line.
    pub field: Option<String>,
    /// What is wrong with it and what would work.
    pub sentence: String,
}

impl Problem {
    pub(super) fn line(sentence: impl Into<String>) -> Self {
        Problem { field: None, sentence: sentence.into() }
    }
}

impl core::fmt::Display for Problem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match &self.field {
            Some(field) => write!(f, "`{field}`: {}", self.sentence),
            None => f.write_str(&self.sentence),
        }
    }
}

/// A member's value, or what would be right instead.
pub(super) type Reading<T> = Result<T, String>;

/// The members of an object that were not taken yet.
pub(super) struct Members {
    left: Fields,
    asked: Vec<&'static str>,
    /// The name of the object with a point behind, or nothing for the line itself.
    within: String,
}

impl Members {
    pub(super) fn of_line(fields: Fields) -> Self {
        Members { left: fields, asked: Vec::new(), within: String::new() }
    }

    /// The members of an object of that name within a line.
    pub(super) fn within(name: &str, fields: Fields) -> Self {
        Members { left: fields, asked: Vec::new(), within: format!("{name}.") }
    }

    /// A member that may be missing.
    pub(super) fn take<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Reading<T>,
    ) -> Result<Option<T>, Problem> {
        self.asked.push(name);
        match self.left.shift_remove(name) {
            Some(value) => read(&value).map(Some).map_err(|sentence| self.problem(name, sentence)),
            None => Ok(None),
        }
    }

    /// A member that must be there.
    pub(super) fn need<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Reading<T>,
    ) -> Result<T, Problem> {
        self.take(name, read)?.ok_or_else(|| self.problem(name, "is missing"))
    }

    /// An object within this one.
    pub(super) fn take_object(&mut self, name: &'static str) -> Result<Option<Members>, Problem> {
        let within = format!("{}{name}.", self.within);
        let fields = self.take(name, object)?;
        Ok(fields.map(|left| Members { left, asked: Vec::new(), within }))
    }

    /// Every member that is left, with its name in full.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = (String, Value)> + use<> {
        core::mem::take(&mut self.left).into_iter()
    }

    /// Nothing may be left over.
    pub(super) fn finish(&self, whose: &str) -> Result<(), Problem> {
        match self.left.keys().next() {
            Some(name) => {
                let known: Vec<_> = self.asked.iter().map(|name| format!("`{name}`")).collect();
                let sentence = format!(
                    "is not a field of {whose}; its fields are {}{}",
                    known.join(", "),
                    nearest(name, &self.asked)
                );
                Err(self.problem(name, sentence))
            }
            None => Ok(()),
        }
    }

    /// A problem with one member.
    pub(super) fn problem(&self, name: &str, sentence: impl Into<String>) -> Problem {
        Problem { field: Some(format!("{}{name}", self.within)), sentence: sentence.into() }
    }
}

/// `; did you mean ...?` where one of the known words is close.
pub(super) fn nearest(word: &str, known: &[&str]) -> String {
    if word.len() > 40 {
        return String::new();
    }
    known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(word, known), known))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map_or_else(String::new, |(_, known)| format!(" (did you mean `{known}`?)"))
}

fn wrong(value: &Value, expected: &str) -> String {
    let shown = value.to_string();
    if shown.chars().count() > 40 {
        format!("is {} where {expected} is expected", kind_of(value))
    } else {
        format!("is {shown} where {expected} is expected")
    }
}

pub(super) fn text(value: &Value) -> Reading<String> {
    value.as_str().map(str::to_owned).ok_or_else(|| wrong(value, "a text"))
}

pub(super) fn truth(value: &Value) -> Reading<bool> {
    value.as_bool().ok_or_else(|| wrong(value, "true or false"))
}

pub(super) fn object(value: &Value) -> Reading<Fields> {
    value.as_object().cloned().ok_or_else(|| wrong(value, "an object"))
}

pub(super) fn side(value: &Value) -> Reading<Side> {
    value.as_str().and_then(Side::from_name).ok_or_else(|| wrong(value, "\"white\" or \"black\""))
}

/// One of a few words.
pub(super) fn word<T: Copy>(
    value: &Value,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Reading<T> {
    let found = value.as_str().and_then(|text| all.iter().find(|one| name(**one) == text));
    found.copied().ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|one| format!("\"{}\"", name(*one))).collect();
        wrong(value, &names.join(" or "))
    })
}

/// A whole number of things.
pub(super) fn count(value: &Value) -> Reading<u32> {
    value
        .as_u64()
        .and_then(|number| u32::try_from(number).ok())
        .ok_or_else(|| wrong(value, &format!("a whole number from 0 to {}", u32::MAX)))
}

/// A whole number of things, at least one.
pub(super) fn positive(value: &Value) -> Reading<u32> {
    match count(value)? {
        0 => Err("is 0 where at least 1 is expected".to_owned()),
        number => Ok(number),
    }
}

/// A whole number, of whatever sign.
pub(super) fn whole(value: &Value) -> Reading<i64> {
    value.as_i64().ok_or_else(|| wrong(value, "a whole number"))
}

/// A sequence number.
pub(super) fn sequence(value: &Value) -> Reading<u64> {
    value.as_u64().ok_or_else(|| wrong(value, "a whole number from 0"))
}

/// A length of time in microseconds.
pub(super) fn span(value: &Value) -> Reading<Span> {
    time::read_us(value).map_err(|expected| wrong(value, expected))
}

/// A length of time in microseconds, not below zero.
pub(super) fn span_from_zero(value: &Value) -> Reading<Span> {
    match span(value)? {
        span if span.is_negative() => Err(wrong(value, "a time of 0 or more microseconds")),
        span => Ok(span),
    }
}

/// A point on the game's time line.
pub(super) fn at(value: &Value) -> Reading<Span> {
    match span_from_zero(value)? {
        at if at > time::LATEST => {
            Err(wrong(value, "a point within a hundred years after the game began"))
        }
        at => Ok(at),
    }
}
