//! Walking through a text: the small steps that every reader is made of.
//!
//! Knows no notation. Positions are bytes, always on a character's border.

use core::ops::Range;

use super::error::Fault;
use crate::control::MAX_DURATION;
use crate::time::Span;

/// The largest count of moves, periods or stones. A count of this size times the longest duration
/// still fits into a [`Span`].
pub(super) const MAX_COUNT: u32 = 9_999;

/// A text and how far it has been read.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At the beginning of the text, blanks left out.
    pub(super) fn new(text: &'a str) -> Self {
        let mut cursor = Cursor { text, at: 0 };
        cursor.blanks();
        cursor
    }

    /// The byte to be read next.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// All that has not been read.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// What has been read since `start`.
    pub(super) fn since(&self, start: usize) -> Range<usize> {
        start..self.at.max(start)
    }

    /// The next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// True if nothing is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// Goes on while `fits` holds, and gives what was passed.
    pub(super) fn take(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or("")
    }

    /// Passes over blanks.
    pub(super) fn blanks(&mut self) {
        self.take(char::is_whitespace);
    }

    /// Passes over `mark` and the blanks behind it, if it stands here.
    pub(super) fn eat(&mut self, mark: &str) -> bool {
        let stands = self.rest().starts_with(mark);
        if stands {
            self.at += mark.len();
            self.blanks();
        }
        stands
    }

    /// As [`eat`](Self::eat), capitals or not. `mark` is ASCII.
    pub(super) fn eat_any_case(&mut self, mark: &str) -> bool {
        let stands =
            self.rest().get(..mark.len()).is_some_and(|here| here.eq_ignore_ascii_case(mark));
        if stands {
            self.at += mark.len();
            self.blanks();
        }
        stands
    }

    /// The word that stands here: letters, with hyphens inside. Empty if none does.
    pub(super) fn peek_word(&self) -> &'a str {
        if self.peek().is_some_and(char::is_alphabetic) {
            self.clone().take(|c| c.is_alphabetic() || c == '-')
        } else {
            ""
        }
    }

    /// Passes over the whole word `word` and the blanks behind it, if it stands here.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        self.peek_word() == word && self.eat(word)
    }

    /// The digits that stand here.
    pub(super) fn digits(&mut self) -> &'a str {
        self.take(|c| c.is_ascii_digit())
    }

    /// The place of the blanks that end where the cursor stands.
    pub(super) fn blanks_before(&self) -> Range<usize> {
        let before = self.text.get(..self.at).unwrap_or("");
        before.trim_end().len()..self.at
    }

    /// Passes over one character.
    pub(super) fn skip(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    /// The place of what stands here: up to a blank or a separator, or one character.
    pub(super) fn here(&self) -> Range<usize> {
        let rest = self.rest();
        let end = rest
            .find(|c: char| c.is_whitespace() || c == ',' || c == ';')
            .filter(|end| *end > 0)
            .or_else(|| rest.chars().next().filter(|c| ",;".contains(*c)).map(char::len_utf8))
            .unwrap_or(rest.len());
        self.at..self.at + end
    }

    /// `what` was expected here.
    pub(super) fn expected(&self, what: impl Into<String>) -> Fault {
        Fault::expected(self.here(), what)
    }

    /// Nothing may be left; `what` says what else could have stood here.
    pub(super) fn end(&self, what: &str) -> Result<(), Fault> {
        if self.is_at_end() { Ok(()) } else { Err(self.expected(what)) }
    }

    /// A count of `what`, with the blanks behind it.
    pub(super) fn count(&mut self, what: &str) -> Result<u32, Fault> {
        let start = self.at;
        let digits = self.digits();
        if digits.is_empty() {
            return Err(self.expected(format!("a number of {what}")));
        }
        let count = digits.parse().ok().filter(|count| *count <= MAX_COUNT).ok_or_else(|| {
            Fault::impossible(
                self.since(start),
                format!("a number of {what} is at most {MAX_COUNT}"),
                "write a smaller number",
            )
        })?;
        self.blanks();
        Ok(count)
    }

    /// A bare number of `unit`s, where the notation says what bare numbers are. A fraction of up
    /// to three digits is read where the unit is the second. Blanks behind it are passed.
    pub(super) fn amount(&mut self, unit: Unit, what: &str) -> Result<Span, Fault> {
        let start = self.at;
        let digits = self.digits();
        if digits.is_empty() {
            return Err(self.expected(format!("{what} as a number of {}", unit.plural())));
        }
        let mut span = unit.times(digits);
        if unit == Unit::Second {
            span += self.fraction()?;
        }
        let span = within_bounds(span, self.since(start))?;
        self.blanks();
        Ok(span)
    }

    /// The part of a second behind a point, if one stands here.
    pub(super) fn fraction(&mut self) -> Result<Span, Fault> {
        if self.peek() != Some('.') {
            return Ok(Span::ZERO);
        }
        let start = self.at;
        self.skip();
        let digits = self.digits();
        let (1..=3) = digits.len() else {
            return Err(Fault::expected(self.since(start), "a fraction of one to three digits")
                .remedy("write at most three digits behind the point, as in `0.5`"));
        };
        Ok(Unit::Millisecond.times(&format!("{digits:0<3}")))
    }
}

/// A duration as it was read, if a control may name it.
pub(super) fn within_bounds(span: Span, at: Range<usize>) -> Result<Span, Fault> {
    if span <= MAX_DURATION {
        Ok(span)
    } else {
        Err(Fault::impossible(at, "a duration is at most 99h", "write a shorter one"))
    }
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    /// `ms`
    Millisecond,
    /// `s`
    Second,
    /// `m`
    Minute,
    /// `h`
    Hour,
}

impl Unit {
    /// From long to short, as a duration is written.
    pub(super) const ALL: [Unit; 4] = [Unit::Hour, Unit::Minute, Unit::Second, Unit::Millisecond];

    /// As it stands behind a number.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Unit::Hour => "h",
            Unit::Minute => "m",
            Unit::Second => "s",
            Unit::Millisecond => "ms",
        }
    }

    const fn plural(self) -> &'static str {
        match self {
            Unit::Hour => "hours",
            Unit::Minute => "minutes",
            Unit::Second => "seconds",
            Unit::Millisecond => "milliseconds",
        }
    }

    /// The unit that is written so.
    pub(super) fn from_name(name: &str) -> Option<Unit> {
        Unit::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// The unit that somebody meant who wrote this.
    pub(super) fn from_habit(word: &str) -> Option<Unit> {
        match word.to_lowercase().as_str() {
            "h" | "hr" | "hrs" | "hour" | "hours" => Some(Unit::Hour),
            "m" | "min" | "mins" | "minute" | "minutes" => Some(Unit::Minute),
            "s" | "sec" | "secs" | "second" | "seconds" => Some(Unit::Second),
            "ms" | "msec" | "millis" => Some(Unit::Millisecond),
            _ => None,
        }
    }

    /// One of it.
    pub(super) const fn span(self) -> Span {
        match self {
            Unit::Hour => Span::from_hours(1),
            Unit::Minute => Span::from_mins(1),
            Unit::Second => Span::from_secs(1),
            Unit::Millisecond => Span::from_millis(1),
        }
    }

    /// As many of it as the digits say; a number too large for any clock stays beyond all bounds.
    pub(super) fn times(self, digits: &str) -> Span {
        self.span().times(digits.parse().unwrap_or(u32::MAX))
    }
}
