//! Taking the members of a line one by one: each has a type, a range and a sentence when it is
//! wrong, and none may be left over.

use std::borrow::Cow;

use super::json::{Object, Value, kind_of, owned};
use super::time;
use crate::control::Side;
use crate::control::quote::{MAX_NAME, quote};
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
pub(super) struct Members<'a> {
    left: Object<'a>,
    asked: Vec<&'static str>,
    /// The name of the object with a point behind, or nothing for the line itself.
    within: String,
}

/// More members than any kind of line asks for.
const ASKED: usize = 16;

impl<'a> Members<'a> {
    pub(super) fn of_line(members: Object<'a>) -> Self {
        Members::within(members, String::new())
    }

    fn within(left: Object<'a>, within: String) -> Self {
        Members { left, asked: Vec::with_capacity(ASKED), within }
    }

    fn remove(&mut self, name: &'static str) -> Option<Value<'a>> {
        self.asked.push(name);
        let place = self.left.iter().position(|(own, _)| own == name)?;
        Some(self.left.remove(place).1)
    }

    /// A member that may be missing.
    pub(super) fn take<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value<'a>) -> Reading<T>,
    ) -> Result<Option<T>, Problem> {
        let value = self.remove(name);
        value.map(|value| read(&value)).transpose().map_err(|wrong| self.problem(name, wrong))
    }

    /// A member that must be there.
    pub(super) fn need<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value<'a>) -> Reading<T>,
    ) -> Result<T, Problem> {
        self.take(name, read)?.ok_or_else(|| self.problem(name, "is missing"))
    }

    /// An object within this one.
    pub(super) fn take_object(
        &mut self,
        name: &'static str,
    ) -> Result<Option<Members<'a>>, Problem> {
        match self.remove(name) {
            None => Ok(None),
            Some(Value::Object(members)) => {
                Ok(Some(Members::within(members, format!("{}{name}.", self.within))))
            }
            Some(other) => Err(self.problem(name, wrong(&other, "an object"))),
        }
    }

    /// Every member that is left, with its name.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = (Cow<'a, str>, Value<'a>)> + use<'a> {
        core::mem::take(&mut self.left).into_iter()
    }

    /// Nothing may be left over.
    pub(super) fn finish(&self, whose: impl core::fmt::Display) -> Result<(), Problem> {
        match self.left.first() {
            Some((name, _)) => {
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
        let field = format!("{}{}", self.within, quote(name, MAX_NAME));
        Problem { field: Some(field), sentence: sentence.into() }
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

/// The most characters of a value that a sentence shows.
const MOST_SHOWN: usize = 40;

fn wrong(value: &Value, expected: &str) -> String {
    let shown = at_least(value, MOST_SHOWN).map(|_| owned(value).to_string());
    match shown.filter(|shown| shown.chars().count() <= MOST_SHOWN) {
        Some(shown) => format!("is {shown} where {expected} is expected"),
        None => format!("is {} where {expected} is expected", kind_of(value)),
    }
}

/// What is left of so many characters once the value is written without escapes; `None` where they
/// do not suffice. Large values are not written only to find out that they are large.
fn at_least(value: &Value, most: usize) -> Option<usize> {
    match value {
        Value::Null | Value::Bool(_) => most.checked_sub("null".len()),
        Value::Number((text, _)) => most.checked_sub(text.len()),
        Value::String(text) => most.checked_sub(text.chars().take(most + 1).count()),
        Value::Array(values) => {
            values.iter().try_fold(most, |left, value| at_least(value, left)?.checked_sub(1))
        }
        Value::Object(members) => members.iter().try_fold(most, |left, (name, value)| {
            at_least(value, left)?.checked_sub(name.chars().take(most + 1).count() + 1)
        }),
    }
}

/// A text, where it stands in the line.
pub(super) fn text<'a>(value: &Value<'a>) -> Reading<Cow<'a, str>> {
    match value {
        Value::String(text) => Ok(text.clone()),
        other => Err(wrong(other, "a text")),
    }
}

pub(super) fn truth(value: &Value) -> Reading<bool> {
    match value {
        Value::Bool(on) => Ok(*on),
        other => Err(wrong(other, "true or false")),
    }
}

/// An object, whatever it holds.
pub(super) fn object(value: &Value) -> Reading<()> {
    match value {
        Value::Object(_) => Ok(()),
        other => Err(wrong(other, "an object")),
    }
}

pub(super) fn side(value: &Value) -> Reading<Side> {
    word(value, &Side::BOTH, Side::name)
}

/// One of a few words.
pub(super) fn word<T: Copy>(
    value: &Value,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Reading<T> {
    let found = match value {
        Value::String(text) => all.iter().find(|one| name(**one) == text),
        _ => None,
    };
    found.copied().ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|one| format!("\"{}\"", name(*one))).collect();
        wrong(value, &names.join(" or "))
    })
}

/// A whole number, if it is one and fits.
fn whole<T: core::str::FromStr>(value: &Value) -> Option<T> {
    match value {
        Value::Number((text, parts)) if parts.is_int() => text.parse().ok(),
        _ => None,
    }
}

/// A whole number of things.
pub(super) fn count(value: &Value) -> Reading<u32> {
    whole(value).ok_or_else(|| wrong(value, &format!("a whole number from 0 to {}", u32::MAX)))
}

/// A whole number of things, at least one.
pub(super) fn positive(value: &Value) -> Reading<u32> {
    match count(value)? {
        0 => Err("is 0 where at least 1 is expected".to_owned()),
        number => Ok(number),
    }
}

/// A whole number, of whatever sign.
pub(super) fn integer(value: &Value) -> Reading<i64> {
    whole(value).ok_or_else(|| wrong(value, "a whole number"))
}

/// A sequence number.
pub(super) fn sequence(value: &Value) -> Reading<u64> {
    whole(value).ok_or_else(|| wrong(value, "a whole number from 0"))
}

/// A length of time in microseconds.
pub(super) fn span(value: &Value) -> Reading<Span> {
    let number = match value {
        Value::Number((text, _)) => Some(*text),
        _ => None,
    };
    time::span_of(number).map_err(|expected| wrong(value, expected))
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
