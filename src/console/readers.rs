//! The words of the command line as values.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::arguments::Bus;
use crate::control::{Profile, Side, Switches, notation};
use crate::time::Span;

/// One of a few values by its name.
pub(super) fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = all.iter().map(|value| name(*value));
    PossibleValuesParser::new(names).try_map(move |given| {
        all.iter().copied().find(|value| name(*value) == given).ok_or("is not known")
    })
}

pub(super) fn side() -> impl TypedValueParser<Value = Side> {
    named(&Side::BOTH, Side::name)
}

pub(super) fn bus(text: &str) -> Result<Bus, String> {
    match text {
        "system" => Ok(Bus::System),
        "session" => Ok(Bus::Session),
        address => match zbus::Address::try_from(address) {
            Ok(_) => Ok(Bus::Address(address.to_owned())),
            Err(error) => Err(format!(
                "expected system, session or a D-Bus address as unix:path=/run/bus ({error})"
            )),
        },
    }
}

pub(super) fn time(text: &str) -> Result<Span, String> {
    notation::parse_clock_time(text).map_err(|error| error.to_string())
}

pub(super) fn difference(text: &str) -> Result<Span, String> {
    match text.strip_prefix('-') {
        Some(less) => time(less).map(|span| -span),
        None => time(text.strip_prefix('+').unwrap_or(text)),
    }
}

/// `SWITCH=VALUE`, looked at as far as the name and the value go.
pub(super) fn switch(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected SWITCH=VALUE, as in freeze=false")?;
    let mut any = Profile::default().switches();
    Switches::set(&mut any, name, value).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value.to_owned()))
}
