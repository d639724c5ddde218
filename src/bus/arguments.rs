//! Arguments of operations, read strictly: an unknown key, a wrong type or a word that is none is
//! refused with what would work, and then nothing is done.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::Deserialize;
use zbus::{OwnedVariant, Variant};

use super::dict::internal;
use super::errors::{Error, Result};
use super::variant::{Reader, members};
use crate::control::Settings;
use crate::control::presets::{Presets, resolve};
use crate::control::quote::{MAX_NAME, quote};
use crate::daemon::bridge::{Condition, Origin, Submission};
use crate::engine::Operation;
use crate::engine::operation::{NewGame, StartAt};
use crate::record::{Annotations, read_operation};

/// A dictionary from a caller.
pub(super) type Args = HashMap<String, OwnedVariant>;

/// Arguments that are given by position; what is `None` is left out.
pub(super) fn args<const N: usize>(members: [(&str, Option<Variant<'_>>); N]) -> Result<Args> {
    let mut all = Args::new();
    for (name, value) in members {
        if let Some(value) = value {
            all.insert(name.to_owned(), value.try_to_owned().map_err(internal)?);
        }
    }
    Ok(all)
}

/// A text; `None` where it is empty.
pub(super) fn text(text: &str) -> Option<Variant<'_>> {
    (!text.is_empty()).then(|| text.into())
}

/// Options of the method `NewGame` as members of the operation: switches are given by their names.
pub(super) fn new_game_options(control: &str, options: Args) -> Result<Args> {
    let mut all = args([("control", text(control))])?;
    let mut switches: HashMap<String, OwnedVariant> = HashMap::new();
    for (name, value) in options {
        match name.as_str() {
            "profile" | "abandon" => all.insert(name, value),
            "white-on" => all.insert("white_on".to_owned(), value),
            _ => switches.insert(name, value),
        };
    }
    if !switches.is_empty() {
        let switches = Variant::from(switches);
        all.extend(args([("switches", Some(switches))])?);
    }
    Ok(all)
}

/// Reads an operation with the members that every operation takes. `presets` are those whose ids a
/// control may name, `defaults` the configured settings of a new game.
pub(super) fn submission(
    name: &str,
    mut args: Args,
    presets: &Presets,
    defaults: &Settings,
    origin: Origin,
) -> Result<Submission> {
    let condition = Condition {
        if_seq: take(&mut args, "if_seq")?.unwrap_or(0),
        if_game: take(&mut args, "if_game")?.filter(|game: &String| !game.is_empty()),
    };
    let annotations = Annotations {
        reason: take(&mut args, "reason")?.filter(|reason: &String| !reason.is_empty()),
        on_behalf_of: take(&mut args, "on_behalf_of")?,
    };
    annotations.check().map_err(Error::argument)?;
    let operation = operation(name, args, presets, defaults)?;
    Ok(Submission { operation, origin, annotations, condition })
}

/// Reads an operation that can be asked for.
pub(super) fn operation(
    name: &str,
    mut args: Args,
    presets: &Presets,
    defaults: &Settings,
) -> Result<Operation> {
    if matches!(name, "new_game" | "change_control") {
        resolve_control(name, &mut args, presets)?;
    }
    let operation = read_operation(name, members(&args))
        .map_err(|problem| Error::argument(problem.to_string()))?;
    if !operation.can_be_asked() {
        let name = quote(name, MAX_NAME);
        return Err(Error::argument(format!("{name} is written by the daemon alone")));
    }
    match operation {
        Operation::NewGame(new_game) => Ok(complete(new_game, defaults).into()),
        Operation::StartAt(StartAt { unix_us }) => {
            check_start(unix_us)?;
            Ok(StartAt { unix_us }.into())
        }
        operation => Ok(operation),
    }
}

/// Puts the canonical notation in the place of any other and of a preset's id, which brings a
/// profile.
fn resolve_control(name: &str, args: &mut Args, presets: &Presets) -> Result<()> {
    let Some(Variant::Str(named)) = args.get("control").map(|value| &**value) else {
        return Ok(());
    };
    let (control, profile) = resolve(presets, named.as_str())?;
    let profile = profile.filter(|_| name == "new_game" && !args.contains_key("profile"));
    args.extend(self::args([
        ("control", Some(control.to_string().into())),
        ("profile", profile.map(|profile| profile.name().into())),
    ])?);
    Ok(())
}

/// A new game with everything that the configuration says in the place of what is not given.
fn complete(mut new_game: NewGame, defaults: &Settings) -> NewGame {
    if new_game.control.is_some() {
        return NewGame::of(&new_game.settings(defaults, defaults), new_game.abandon);
    }
    if new_game.profile == Some(defaults.profile) {
        let mut switches = defaults.switches;
        new_game.switches.apply(&mut switches);
        new_game.switches = switches.changes_from(defaults.profile);
    }
    new_game
}

/// A scheduled start is in the future, or 0.
fn check_start(unix_us: i64) -> Result<()> {
    let now = Timestamp::now();
    match Timestamp::from_microsecond(unix_us) {
        _ if unix_us == 0 => Ok(()),
        Ok(at) if at <= now => Err(Error::argument(format!(
            "{at} is in the past, it is {now}: give a time in the future, in microseconds since \
             1970 in UTC"
        ))),
        Ok(_) => Ok(()),
        Err(_) => Err(Error::argument("unix_us: not a time on any calendar".to_owned())),
    }
}

/// Takes a member that every operation may have.
fn take<T: for<'de> Deserialize<'de>>(args: &mut Args, name: &str) -> Result<Option<T>> {
    let Some(value) = args.remove(name) else { return Ok(None) };
    T::deserialize(Reader(&value))
        .map(Some)
        .map_err(|error| Error::argument(format!("{name}: {error}")))
}

#[cfg(test)]
mod tests;
