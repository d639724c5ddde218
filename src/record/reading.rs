//! Reading a line: once, into its header, its operation or effect, and its recorded state.

use std::borrow::Cow;
use std::fmt;

use jiff::Timestamp;
use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::{RawValue, Value};
use serde_path_to_error::Track;

use super::chain::{After, LineHash};
use super::line::{Annotations, BoxEvent, Content, SCHEMA};
use super::{Fields, schema1};
use crate::control::quote::{MAX_NAME, nearest, quote};
use crate::engine::{Effect, Operation};
use crate::time::Span;

/// A line that was read.
#[derive(Clone, Debug)]
pub struct JournalLine {
    /// Its number in the sequence, where the line has one.
    pub seq: Option<u64>,
    /// When, since the game began.
    pub at: Span,
    /// The time of day, where the line has it: for people, never for the order of lines.
    pub wall: Option<Timestamp>,
    /// Who caused it, where a cause says so.
    pub origin: Option<String>,
    /// What an operation was annotated with.
    pub annotations: Annotations,
    /// The operation, the effect or what the box itself reports.
    pub content: Content,
    /// The recorded state, as it was written.
    pub state: Option<Box<RawValue>>,
    /// In the first line of a game: the game before.
    pub after: Option<After>,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The member, with its parents (`white.main_us`); `None` for the whole line.
    pub field: Option<String>,
    /// What is wrong with it, and what would work.
    pub sentence: String,
}

impl Problem {
    pub(super) fn line(sentence: impl Into<String>) -> Self {
        Problem { field: None, sentence: sentence.into() }
    }

    pub(super) fn member(name: &str, sentence: impl Into<String>) -> Self {
        Problem { field: Some(quote(name, MAX_NAME)), sentence: sentence.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "`{field}`: {}", self.sentence),
            None => f.write_str(&self.sentence),
        }
    }
}

/// Reads the lines of a file in their order.
#[derive(Clone, Debug, Default)]
pub struct LineReader {
    /// The version of the format, once the first line was read.
    schema: Option<u32>,
}

/// The most characters of what the parser says; it quotes as much as there is.
const MAX_SENTENCE: usize = 300;

/// The longest time that a game's time line may have.
const LATEST: Span = Span::from_hours(100 * 366 * 24);

impl LineReader {
    /// Whether the lines so far are of schema 1.
    #[must_use]
    pub const fn is_schema1(&self) -> bool {
        matches!(self.schema, Some(1))
    }

    /// Reads the next line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(&mut self, text: &str) -> Result<JournalLine, Problem> {
        let mut members = Members::of(text)?;
        let declared: Option<u32> = members.take("schema")?;
        let hashed = members.find("hash").is_some();
        match declared {
            Some(schema) if schema > SCHEMA => {
                return Err(Problem::member(
                    "schema",
                    format!("is {schema}, and this flagfall reads 1 and 2; install a newer one"),
                ));
            }
            Some(schema) => self.schema = Some(schema),
            // Only files with hashes must say their schema; of those, schema 1 had no number.
            None if self.schema.is_none() => self.schema = Some(if hashed { 1 } else { SCHEMA }),
            None => {}
        }
        if self.is_schema1() {
            let converted = schema1::convert(&members.0)?;
            return read_members(Members::of(&converted)?);
        }
        read_members(members)
    }
}

fn read_members(mut members: Members) -> Result<JournalLine, Problem> {
    let kind: String = members.need("kind")?;
    let seq = members.take("seq")?;
    let at = at(&mut members)?;
    let wall = members.take("wall")?;
    members.take::<LineHash>("hash")?;
    let after = members.take("after")?;
    let mut origin: Option<String> = None;
    let mut annotations = Annotations::default();
    let mut state = None;
    let operation = Operation::LIST.iter().any(|(name, _)| *name == kind);
    if operation {
        origin = members.take("origin")?;
        if let Some(origin) = &origin {
            check_origin(origin)?;
        }
        annotations.reason = members.take("reason")?;
        annotations.on_behalf_of = members.take("on_behalf_of")?;
    }
    // An import that was written by hand has the state that is imported as its own member.
    if kind != "import" || members.find("exported").is_some() {
        state = members.remove("state").map(RawValue::to_owned);
        if state.as_ref().is_some_and(|state| !state.get().starts_with('{')) {
            return Err(Problem::member("state", "expected an object"));
        }
    }
    let content = members.content(&kind)?;
    Ok(JournalLine { seq, at, wall, origin, annotations, content, state, after })
}

/// When a line was: `at_ns`, or in a file written by hand `at_us`.
fn at(members: &mut Members) -> Result<Span, Problem> {
    let (name, at) = match (members.take::<i64>("at_ns")?, members.remove("at_us")) {
        (Some(_), Some(_)) => {
            return Err(Problem::member("at_us", "repeats `at_ns`; give one of the two"));
        }
        (Some(at), None) => ("at_ns", Span::from_nanos(at)),
        (None, Some(at)) => {
            let at = span_of_micros(at.get());
            ("at_us", at.map_err(|expected| Problem::member("at_us", expected))?)
        }
        (None, None) => return Err(Problem::member("at_ns", "is missing")),
    };
    if at.is_negative() || at > LATEST {
        let sentence = "expected a time from 0 to a hundred years after the game began";
        return Err(Problem::member(name, sentence));
    }
    Ok(at)
}

fn check_origin(origin: &str) -> Result<(), Problem> {
    let user = origin.strip_prefix("bus:").is_some_and(|user| !user.is_empty());
    if user || ["board", "timer", "recovery"].contains(&origin) {
        return Ok(());
    }
    let sentence = "expected \"board\", \"timer\", \"recovery\" or \"bus:<user name>\"";
    Err(Problem::member("origin", sentence))
}

/// Reads a number of microseconds with at most three decimals.
///
/// # Errors
/// What was expected instead.
pub fn span_of_micros(number: &str) -> Result<Span, &'static str> {
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, number),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !plain(whole) || !plain(fraction) {
        return Err("expected a number of microseconds");
    }
    if fraction.len() > 3 {
        return Err("expected a time no finer than a nanosecond (three decimals)");
    }
    format!("{whole}{fraction:0<3}")
        .parse::<i64>()
        .map(|nanos| Span::from_nanos(sign * nanos))
        .map_err(|_| "expected a time of less than 292 years")
}

/// The members of a line in their order, each as it is written. A line is walked through once;
/// only what is asked for is looked at more closely.
pub(super) struct Members<'a>(pub(super) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    pub(super) fn of(text: &'a str) -> Result<Self, Problem> {
        serde_json::from_str(text).map_err(|error| {
            if text.trim().is_empty() {
                return Problem::line("the line is empty; each line holds one JSON object");
            }
            let (what, column) = (words(&error), error.column());
            let sentence = format!("column {column}: {what}; each line holds one JSON object");
            Problem::line(sentence)
        })
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|(own, _)| own == name)
    }

    fn remove(&mut self, name: &str) -> Option<&'a RawValue> {
        self.find(name).map(|place| self.0.remove(place).1)
    }

    fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, Problem> {
        let Some(value) = self.remove(name) else { return Ok(None) };
        serde_json::from_str(value.get())
            .map(Some)
            .map_err(|error| Problem::member(name, words(&error)))
    }

    fn need<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, Problem> {
        self.take(name)?.ok_or_else(|| Problem::member(name, "is missing"))
    }

    /// What the members say that are left over once the header is taken off.
    fn content(self, kind: &str) -> Result<Content, Problem> {
        let members = self.0.iter().map(|(name, value)| (&**name, *value));
        let read = Operation::read(kind, MapDeserializer::new(members));
        if let Some(Ok(operation)) = read {
            return Ok(Content::Operation(operation));
        }
        let value = |raw: &RawValue| serde_json::from_str(raw.get()).unwrap_or_default();
        let mut fields: Fields =
            self.0.iter().map(|(name, raw)| (name.to_string(), value(raw))).collect();
        if read.is_some() {
            // Read once more, for the place of the error.
            return read_operation(kind, Value::from(fields)).map(Content::Operation);
        }
        fields.insert("kind".to_owned(), kind.into());
        let value = Value::from(fields);
        let content = if Effect::NAMES.contains(&kind) {
            Effect::deserialize(value).map(Content::Effect)
        } else if BoxEvent::NAMES.contains(&kind) {
            BoxEvent::deserialize(value).map(Content::Box)
        } else {
            return Err(Problem::member("kind", unknown_kind(kind)));
        };
        content.map_err(|error| Problem::line(format!("`{kind}`: {}", words(&error))))
    }
}

/// Reads an operation by its name, and says where its arguments are wrong.
///
/// # Errors
/// No operation has that name, or an argument is missing, unknown or of a wrong type.
pub fn read_operation<'de, D>(name: &str, arguments: D) -> Result<Operation, Problem>
where
    D: Deserializer<'de>,
    D::Error: fmt::Display,
{
    let mut track = Track::new();
    let tracked = serde_path_to_error::Deserializer::new(arguments, &mut track);
    match Operation::read(name, tracked) {
        None => Err(Problem::member("kind", unknown_kind(name))),
        Some(Ok(operation)) => Ok(operation),
        Some(Err(error)) => {
            let path = quote(&track.path().to_string(), MAX_NAME);
            let field = Some(path).filter(|path| path != ".");
            let sentence = quote(&error.to_string(), MAX_SENTENCE);
            Err(Problem { field, sentence: format!("{sentence} (in `{name}`)") })
        }
    }
}

fn unknown_kind(kind: &str) -> String {
    let operations = Operation::LIST.iter().map(|(name, _)| *name);
    let names: Vec<_> = operations.chain(Effect::NAMES).chain(BoxEvent::NAMES).collect();
    format!(
        "\"{}\" is not known{}; known are {}",
        quote(kind, MAX_NAME),
        nearest(kind, &names),
        names.join(", ")
    )
}

/// The parser's own words without the place: each line, and each member, is read alone.
fn words(error: &serde_json::Error) -> String {
    let words = error.to_string();
    quote(words.split(" at line ").next().unwrap_or_default(), MAX_SENTENCE)
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

        struct Walk;

        impl<'de> Visitor<'de> for Walk {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members: Self::Value = Vec::with_capacity(16);
                while let Some(Name(name)) = map.next_key()? {
                    // Most readers keep one of two members of the same name and say nothing; in a
                    // journal that would be a line with two truths.
                    if members.iter().any(|(other, _)| *other == name) {
                        return Err(A::Error::custom(format_args!(
                            "`{}` is given twice; give it once",
                            quote(&name, MAX_NAME)
                        )));
                    }
                    members.push((name, map.next_value()?));
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(Walk).map(Members)
    }
}
