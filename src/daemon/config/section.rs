//! Reading keys one by one: each has a type, a range and a sentence when it is wrong, and none may
//! be left over.

use std::cell::RefCell;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::time::Span;

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file's name.
    pub file: String,
    /// What is wrong, in the order of the lines.
    pub problems: Vec<Problem>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The line, from 1; 0 where it is the whole file.
    pub line: usize,
    /// What is wrong and what would work.
    pub sentence: String,
}

impl ConfigError {
    pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        let sentence = format!("the file cannot be read: {error}; name another one with --config");
        let problems = vec![Problem { line: 0, sentence }];
        ConfigError { file: path.display().to_string(), problems }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Problem { line, sentence }) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{}", self.file)?;
            if *line > 0 {
                write!(f, ", line {line}")?;
            }
            write!(f, ": {sentence}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

/// A file that is TOML, and what is wrong with its keys.
pub(super) struct Document<'a> {
    name: &'a str,
    text: &'a str,
    table: DeTable<'a>,
    problems: RefCell<Vec<Problem>>,
}

/// A table of a file that is being read.
pub(super) struct Section<'a> {
    document: &'a Document<'a>,
    table: Option<&'a DeTable<'a>>,
    /// Its name with a point behind, or nothing for the file itself.
    path: String,
    line: usize,
    known: Vec<&'static str>,
}

impl<'a> Document<'a> {
    pub(super) fn parse(name: &'a str, text: &'a str) -> Result<Self, ConfigError> {
        match DeTable::parse(text) {
            Ok(table) => {
                let table = table.into_inner();
                Ok(Document { name, text, table, problems: RefCell::default() })
            }
            Err(error) => {
                let line = line_at(text, error.span().map_or(0, |span| span.start));
                let what = error.message().trim().replace('\n', ", ");
                let sentence = format!(
                    "this cannot be read: {what}; each line holds key = value, with words in \
                     quotes, as in board = \"sim\""
                );
                let problems = vec![Problem { line, sentence }];
                Err(ConfigError { file: name.to_owned(), problems })
            }
        }
    }

    pub(super) fn root(&'a self) -> Section<'a> {
        Section {
            document: self,
            table: Some(&self.table),
            path: String::new(),
            line: 1,
            known: Vec::new(),
        }
    }

    /// What was read, if nothing was wrong.
    pub(super) fn finish<T>(&self, read: T) -> Result<T, ConfigError> {
        let mut problems = self.problems.borrow().clone();
        problems.sort();
        if problems.is_empty() {
            Ok(read)
        } else {
            Err(ConfigError { file: self.name.to_owned(), problems })
        }
    }

    fn note(&self, line: usize, sentence: String) {
        self.problems.borrow_mut().push(Problem { line, sentence });
    }
}

impl<'a> Section<'a> {
    /// A key's value; `default` where it is not there, or wrong, which is noted.
    pub(super) fn read<T>(
        &mut self,
        key: &'static str,
        default: T,
        read: impl FnOnce(&DeValue<'_>) -> Result<T, String>,
    ) -> T {
        let Some(value) = self.take(key) else {
            return default;
        };
        read(value.get_ref()).unwrap_or_else(|would_work| {
            let text = self.document.text;
            let shown = text.get(value.span()).unwrap_or_default().replace('\n', " ");
            let line = line_at(text, value.span().start);
            self.document.note(line, format!("{key} = {shown} does not do: {would_work}"));
            default
        })
    }

    /// A table within this one; an empty one where it is not there.
    pub(super) fn section(&mut self, key: &'static str) -> Section<'a> {
        let path = format!("{}{key}.", self.path);
        let (document, value) = (self.document, self.take(key));
        let line = value.map_or(0, |value| line_at(document.text, value.span().start));
        let table = value.and_then(|value| value.get_ref().as_table());
        if value.is_some() && table.is_none() {
            let sentence = format!("{key} is a section: write [{}{key}] on a line", self.path);
            document.note(line, sentence);
        }
        Section { document, table, path, line, known: Vec::new() }
    }

    /// Notes something that concerns several keys of this section.
    pub(super) fn problem(&self, sentence: &str) {
        self.document.note(self.line, sentence.to_owned());
    }

    /// Every key that nobody asked for is unknown.
    pub(super) fn finish(self) {
        for key in self.table.into_iter().flat_map(|table| table.keys()) {
            let name: &str = key.get_ref();
            if self.known.contains(&name) {
                continue;
            }
            let line = line_at(self.document.text, key.span().start);
            let whole = format!("{}{name}", self.path);
            self.document.note(line, format!("there is no key {whole}: {}", self.instead(name)));
        }
    }

    /// The nearest known key, or all of them where none is near.
    fn instead(&self, name: &str) -> String {
        let distance = |known: &&str| strsim::damerau_levenshtein(name, known);
        let nearest = self.known.iter().copied().min_by_key(|known| distance(known));
        match nearest {
            Some(near) if distance(&near) <= 1 + name.chars().count() / 3 => {
                format!("did you mean {}{near}?", self.path)
            }
            _ => format!("here the keys are {}", self.known.join(", ")),
        }
    }

    fn take(&mut self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.known.push(key);
        let table = self.table?;
        table.iter().find(|(name, _)| &**name.get_ref() == key).map(|(_, value)| value)
    }
}

/// The line of a place in a text, from 1.
fn line_at(text: &str, place: usize) -> usize {
    let before = text.as_bytes().get(..place).unwrap_or_default();
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}

/// A text.
pub(super) fn text<'a>(value: &'a DeValue<'_>) -> Result<&'a str, String> {
    value.as_str().ok_or_else(|| "write it in quotes, as \"...\"".to_owned())
}

/// True or false.
pub(super) fn truth(value: &DeValue<'_>) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| "write true or false, without quotes".to_owned())
}

/// A switch's value: true, false or a word.
pub(super) fn switch(value: &DeValue<'_>) -> Result<String, String> {
    match value.as_bool() {
        Some(on) => Ok(on.to_string()),
        None => text(value).map(str::to_owned),
    }
}

/// One of a few words.
pub(super) fn word<T: Clone>(value: &DeValue<'_>, words: &[(&str, T)]) -> Result<T, String> {
    let found = value.as_str().and_then(|text| words.iter().find(|(word, _)| *word == text));
    found.map(|(_, meaning)| meaning.clone()).ok_or_else(|| {
        let words: Vec<_> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        format!("write {}", words.join(" or "))
    })
}

/// A whole number within a range.
pub(super) fn number<T>(value: &DeValue<'_>, range: RangeInclusive<T>) -> Result<T, String>
where
    T: TryFrom<i64> + PartialOrd + fmt::Display,
{
    value
        .as_integer()
        .and_then(|integer| i64::from_str_radix(integer.as_str(), integer.radix()).ok())
        .and_then(|number| T::try_from(number).ok())
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("write a whole number from {least} to {most}, without quotes")
        })
}

/// A number within a range.
pub(super) fn decimal(value: &DeValue<'_>, range: RangeInclusive<f64>) -> Result<f64, String> {
    let digits = match value {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
        DeValue::Float(float) => float.as_str(),
        _ => "",
    };
    digits.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        format!("write a number from {least} to {most}, without quotes")
    })
}

/// A time within a range, as a number and its unit: `250us`, `0.25ms`, `10s`, `1min`.
pub(super) fn duration(value: &DeValue<'_>, range: RangeInclusive<Span>) -> Result<Span, String> {
    value.as_str().and_then(read_duration).filter(|span| range.contains(span)).ok_or_else(|| {
        let (least, most) = (write_span(*range.start()), write_span(*range.end()));
        format!("write a time from \"{least}\" to \"{most}\", in quotes and with us, ms, s or min")
    })
}

fn read_duration(text: &str) -> Option<Span> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
    let (number, unit) = text.split_at_checked(end)?;
    let unit = match unit.trim_start() {
        "us" => Span::from_micros(1),
        "ms" => Span::from_millis(1),
        "s" => Span::from_secs(1),
        "min" => Span::from_mins(1),
        _ => return None,
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let scale = 10i64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let nanos = |digits: &str| digits.parse::<i64>().ok()?.checked_mul(unit.as_nanos());
    let (whole, part) = (nanos(whole)?, nanos(part)?);
    // What is finer than a nanosecond was not meant.
    (part % scale == 0).then(|| Span::from_nanos(whole.saturating_add(part / scale)))
}

/// As [`read_duration`] takes it.
fn write_span(span: Span) -> String {
    let micros = span.as_micros_floor();
    match micros {
        0 => "0s".to_owned(),
        _ if micros % 60_000_000 == 0 => format!("{}min", micros / 60_000_000),
        _ if micros % 1_000_000 == 0 => format!("{}s", micros / 1_000_000),
        _ if micros % 1_000 == 0 => format!("{}ms", micros / 1_000),
        _ => format!("{micros}us"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_one_number_and_one_unit() {
        for (text, nanos) in [
            ("5ms", Some(5_000_000)),
            ("0.25ms", Some(250_000)),
            ("250 us", Some(250_000)),
            ("0s", Some(0)),
            ("1.5min", Some(90_000_000_000)),
            ("5", None),
            ("ms", None),
            (".5ms", None),
            ("1.ms", None),
            ("1.2.3ms", None),
            ("-5ms", None),
            ("5 parsecs", None),
            ("0.0001us", None),
            ("0.00000000000000000000001s", None),
            ("99999999999999999999s", None),
            ("999999999999999min", None),
            ("", None),
        ] {
            assert_eq!(read_duration(text).map(Span::as_nanos), nanos, "{text}");
        }
    }
}
