//! A game taken from one clock for another, as text (`timing.md` 6, *Export / import*).
//!
//! One JSON object. Everything is there by the names that the engine has for it, times in
//! nanoseconds, points in time since the game began.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Fields;
use super::cause::own_switches;
use crate::control::{BySide, Profile, Seat, Settings, notation};
use crate::engine::{Clock, Press, Saved, State};
use crate::time::Span;

/// The version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;

/// The longest export that is read, in bytes. What is written has at most half of that.
const LONGEST: usize = 200_000;

/// What stands in the text.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Export {
    flagfall_export: u32,
    control: String,
    profile: String,
    #[serde(default)]
    switches: std::collections::BTreeMap<String, String>,
    white_on: Seat,
    taken: Span,
    state: State,
    turn: BySide<Clock>,
    presses: Vec<Press>,
}

/// Why an exported game cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// It is no export at all, or a damaged one.
    #[error("this is no exported game, or it was changed: {0}")]
    Damaged(String),
    /// Another version wrote it.
    #[error(
        "this export has format {0}, and this flagfall reads format {VERSION}: \
         export it anew with the version that is installed here, or install the other one"
    )]
    OtherVersion(u32),
}

/// An exported game's members.
#[must_use]
pub fn export_fields(saved: &Saved) -> Fields {
    let settings = &saved.settings;
    let export = Export {
        flagfall_export: VERSION,
        control: settings.control.to_string(),
        profile: settings.profile.name().to_owned(),
        switches: own_switches(settings)
            .map(|(name, value)| (name.to_owned(), value.into_owned()))
            .collect(),
        white_on: settings.white_on,
        taken: saved.taken,
        state: saved.state,
        turn: saved.turn,
        presses: saved.presses.clone(),
    };
    match serde_json::to_value(export) {
        Ok(Value::Object(fields)) => fields,
        // A struct of plain fields is an object.
        _ => Fields::new(),
    }
}

/// An exported game as text.
#[must_use]
pub fn export_text(saved: &Saved) -> String {
    Value::from(export_fields(saved)).to_string()
}

/// Reads an exported game.
///
/// # Errors
/// See [`ExportError`].
pub fn read_export_text(text: &str) -> Result<Saved, ExportError> {
    if text.len() > LONGEST {
        let sentence = format!("it is longer than {LONGEST} bytes");
        return Err(ExportError::Damaged(sentence));
    }
    let value = serde_json::from_str(text);
    read_export(value.map_err(|error| ExportError::Damaged(error.to_string()))?)
}

/// Reads an exported game from its members.
///
/// # Errors
/// See [`ExportError`].
pub fn read_export(value: Value) -> Result<Saved, ExportError> {
    let version = value.get("flagfall-export").and_then(Value::as_u64);
    if let Some(other) = version.filter(|version| *version != u64::from(VERSION)) {
        return Err(ExportError::OtherVersion(u32::try_from(other).unwrap_or(u32::MAX)));
    }
    let damaged = |error: &dyn std::fmt::Display| ExportError::Damaged(error.to_string());
    let export: Export = serde_json::from_value(value).map_err(|error| damaged(&error))?;
    let control = notation::parse(&export.control).map_err(|error| damaged(&error))?;
    let profile = Profile::from_name(&export.profile)
        .ok_or_else(|| damaged(&format!("no profile is called {}", export.profile)))?;
    let mut settings = Settings::new(control, profile);
    settings.white_on = export.white_on;
    for (name, value) in &export.switches {
        settings.switches.set(name, value).map_err(|error| damaged(&error))?;
    }
    let Export { taken, state, turn, presses, .. } = export;
    let saved = Saved { settings, state, taken, turn, presses };
    saved.check().map_err(|why| damaged(&why))?;
    Ok(saved)
}
