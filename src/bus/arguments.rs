//! Arguments that come in, read strictly: an unknown key, a wrong type or a number out of range is
//! refused with what would work, and then nothing is done.

use std::collections::HashMap;

use jiff::Timestamp;
use zbus::{OwnedVariant, Variant};

use super::errors::{Error, Result};
use crate::control::presets::{Presets, resolve};
use crate::control::quote::{MAX_NAME, quote};
use crate::control::{BySide, Profile, Seat, Settings, Side, Switches};
use crate::engine::{Adjustment, Candidate, Change, GameResult, Offence};
use crate::record::How;
use crate::time::Span;

/// A dictionary from a caller.
pub(super) type Options = HashMap<String, OwnedVariant>;

/// The longest reason that is taken, in bytes: a line of a journal is to stay a line.
const REASON: usize = 500;

/// A side by name.
pub(super) fn side(name: &str) -> Result<Side> {
    Side::from_name(name)
        .ok_or_else(|| Error::argument(format!("'{name}' is no side: give white or black")))
}

/// A side by name, or none where the name is empty.
pub(super) fn side_if_any(name: &str) -> Result<Option<Side>> {
    match name {
        "" => Ok(None),
        name => side(name).map(Some).map_err(|_| {
            Error::argument(format!("'{name}' is no side: give white, black or nothing"))
        }),
    }
}

/// An offence by name.
pub(super) fn offence(name: &str) -> Result<Offence> {
    Offence::from_name(name).ok_or_else(|| {
        let names = Offence::ALL.map(Offence::name).join(", ");
        Error::argument(format!("'{}' is no offence: give one of {names}", quote(name, MAX_NAME)))
    })
}

/// How another control is taken up, by name; nothing: kept.
pub(super) fn how(name: &str) -> Result<How> {
    match name {
        "" => Ok(How::default()),
        name => How::from_name(name).ok_or_else(|| {
            let name = quote(name, MAX_NAME);
            Error::argument(format!(
                "'{name}' is no way to change a control: give kept or replayed"
            ))
        }),
    }
}

/// A wall-clock time to come, or none.
pub(super) fn appointment(unix_us: i64) -> Result<Option<i64>> {
    let appointed = (unix_us != 0).then_some(unix_us);
    let Some(unix_us) = appointed else { return Ok(None) };
    let now = Timestamp::now();
    match Timestamp::from_microsecond(unix_us) {
        Ok(at) if at <= now => Err(Error::argument(format!(
            "{at} is over, it is {now}: give a time to come, in microseconds since 1970 in UTC"
        ))),
        Ok(_) => Ok(appointed),
        Err(_) => Err(Error::argument("this is no time on any calendar".to_owned())),
    }
}

/// A result by name.
pub(super) fn result(name: &str) -> Result<GameResult> {
    GameResult::from_name(name).ok_or_else(|| {
        let names = GameResult::ALL.map(GameResult::name).join(", ");
        Error::argument(format!("'{name}' is no result: give one of {names}"))
    })
}

/// A candidate by name.
pub(super) fn candidate(name: &str) -> Result<Candidate> {
    Candidate::from_name(name).ok_or_else(|| {
        let names = Candidate::ALL.map(Candidate::name).join(" or ");
        Error::argument(format!("'{name}' is no candidate: give {names}"))
    })
}

/// A reason of a reasonable length.
pub(super) fn reason(text: &str) -> Result<String> {
    if text.len() > REASON {
        let length = text.len();
        return Err(Error::argument(format!(
            "a reason of {length} bytes is too long: at most {REASON} are taken"
        )));
    }
    Ok(text.to_owned())
}

/// What a new game is set to, and whether a game may be given up for it. `defaults` are the
/// configuration's, `present` those of the game that is on the clock.
pub(super) fn new_game(
    presets: &Presets,
    defaults: &Settings,
    present: &Settings,
    control: &str,
    options: Options,
) -> Result<(Settings, bool)> {
    let mut options = Reader::new("the options of a new game", options);
    let mut settings = if control.is_empty() {
        present.clone()
    } else {
        let (control, profile) = resolve(presets, control)?;
        let mut settings = Settings { control, ..defaults.clone() };
        if let Some(profile) = profile {
            take_profile(defaults, &mut settings, profile);
        }
        settings
    };
    if let Some(profile) = options.word("profile", &Profile::ALL.map(Profile::name))? {
        let profile = Profile::from_name(&profile).unwrap_or_default();
        take_profile(defaults, &mut settings, profile);
    }
    if let Some(seat) = options.word("white-on", &Seat::BOTH.map(Seat::name))? {
        settings.white_on = Seat::from_name(&seat).unwrap_or_default();
    }
    let abandon = options.truth("abandon")?.unwrap_or(false);
    for name in Switches::NAMES {
        if let Some(value) = options.switch(name)? {
            let set = settings.switches.set(name, &value);
            set.map_err(|error| Error::argument(error.to_string()))?;
        }
    }
    options.finish()?;
    Ok((settings, abandon))
}

/// A profile's switches; those of the configured profile are as they are configured.
fn take_profile(defaults: &Settings, settings: &mut Settings, profile: Profile) {
    settings.profile = profile;
    settings.switches =
        if profile == defaults.profile { defaults.switches } else { profile.switches() };
}

/// Corrections of one or both clocks.
pub(super) fn adjustments(changes: Options) -> Result<BySide<Adjustment>> {
    let mut changes = Reader::new("a correction", changes);
    let white = changes.dict(Side::White.name())?.map_or(Ok(Adjustment::default()), adjustment)?;
    let black = changes.dict(Side::Black.name())?.map_or(Ok(Adjustment::default()), adjustment)?;
    changes.finish()?;
    Ok(BySide { white, black })
}

fn adjustment(mut change: Reader) -> Result<Adjustment> {
    let to = change.span("main_us")?;
    let by = change.span("add_us")?;
    let main = match (to, by) {
        (Some(_), Some(_)) => {
            return Err(Error::argument(format!(
                "{}: main_us sets the time and add_us changes it: give one of them",
                change.whose
            )));
        }
        (Some(to), None) => Some(Change::To(to)),
        (None, by) => by.map(Change::By),
    };
    let adjustment = Adjustment {
        main,
        moves: change.count("moves")?,
        stage: change.count("stage")?,
        stage_time: change.truth("stage_time")?.unwrap_or(false),
        periods: change.count("periods")?,
        stones: change.count("stones")?,
        overtime: change.span("overtime_us")?,
    };
    change.finish()?;
    Ok(adjustment)
}

/// A dictionary whose keys are taken one by one.
struct Reader {
    whose: String,
    left: Options,
    known: Vec<String>,
}

impl Reader {
    fn new(whose: &str, left: Options) -> Self {
        Reader { whose: whose.to_owned(), left, known: Vec::new() }
    }

    fn take<T>(
        &mut self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&Variant<'_>) -> Option<T>,
    ) -> Result<Option<T>> {
        self.known.push(key.to_owned());
        let Some(value) = self.left.remove(key) else {
            return Ok(None);
        };
        read(inner(&value))
            .map(Some)
            .ok_or_else(|| Error::argument(format!("{}: {key} must be {expected}", self.whose)))
    }

    fn truth(&mut self, key: &str) -> Result<Option<bool>> {
        self.take(key, "true or false (type b)", |value| match value {
            Variant::Bool(truth) => Some(*truth),
            _ => None,
        })
    }

    fn word(&mut self, key: &str, words: &[&str]) -> Result<Option<String>> {
        let expected = format!("one of {} (type s)", words.join(", "));
        self.take(key, &expected, |value| text(value).filter(|text| words.contains(&text.as_str())))
    }

    /// A switch's value as its name on the wire; the switch itself judges it.
    fn switch(&mut self, key: &str) -> Result<Option<String>> {
        self.take(key, "true, false (type b) or a word (type s)", |value| match value {
            Variant::Bool(truth) => Some(truth.to_string()),
            value => text(value),
        })
    }

    fn count(&mut self, key: &str) -> Result<Option<u32>> {
        let expected = format!("a whole number from 0 to {} (any integer type)", u32::MAX);
        self.take(key, &expected, |value| integer(value).and_then(|n| u32::try_from(n).ok()))
    }

    fn span(&mut self, key: &str) -> Result<Option<Span>> {
        let expected = "a whole number of microseconds (any integer type)";
        self.take(key, expected, |value| {
            integer(value).and_then(|n| i64::try_from(n).ok()).map(Span::from_micros)
        })
    }

    fn dict(&mut self, key: &str) -> Result<Option<Reader>> {
        let expected = "a dictionary of what is to change (type a{sv})";
        let left = self.take(key, expected, |value| {
            value.try_clone().ok().and_then(|value| Options::try_from(value).ok())
        })?;
        Ok(left.map(|left| Reader::new(key, left)))
    }

    /// Nothing may be left over.
    fn finish(self) -> Result<()> {
        match self.left.keys().min() {
            None => Ok(()),
            Some(key) => Err(Error::argument(format!(
                "'{key}' is no key of {}: the keys are {}",
                self.whose,
                self.known.join(", ")
            ))),
        }
    }
}

/// What a variant holds, however often it is wrapped.
fn inner<'a>(value: &'a Variant<'a>) -> &'a Variant<'a> {
    match value {
        Variant::Variant(value) => inner(value),
        value => value,
    }
}

fn text(value: &Variant<'_>) -> Option<String> {
    match value {
        Variant::Str(text) => Some(text.to_string()),
        _ => None,
    }
}

fn integer(value: &Variant<'_>) -> Option<i128> {
    match *value {
        Variant::U8(n) => Some(n.into()),
        Variant::I16(n) => Some(n.into()),
        Variant::U16(n) => Some(n.into()),
        Variant::I32(n) => Some(n.into()),
        Variant::U32(n) => Some(n.into()),
        Variant::I64(n) => Some(n.into()),
        Variant::U64(n) => Some(n.into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
