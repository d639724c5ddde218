//! Parsers of argument values.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::arguments::BusAddress;
use crate::control::{Profile, Seat, Side, Switches, notation};
use crate::engine::{Candidate, GameResult, Offence};
use crate::time::Span;

/// Has clap read enums by the words that journal and bus have for them.
macro_rules! read_by_name {
    ($($Enum:ty),*) => {
        $(impl ValueEnum for $Enum {
            fn value_variants<'a>() -> &'a [Self] {
                &Self::ALL
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(PossibleValue::new(self.name()))
            }
        })*
    };
}

read_by_name! { Side, Seat, Profile, Offence, GameResult, Candidate }

pub(super) fn bus(text: &str) -> Result<BusAddress, String> {
    match text {
        "system" => Ok(BusAddress::System),
        "session" => Ok(BusAddress::Session),
        address => match zbus::Address::try_from(address) {
            Ok(_) => Ok(BusAddress::Address(address.to_owned())),
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

/// `SWITCH=VALUE`; both parts are checked.
pub(super) fn switch(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected SWITCH=VALUE, as in freeze=false")?;
    let mut any = Profile::default().switches();
    Switches::set(&mut any, name, value).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value.to_owned()))
}
