//! The properties of `Clock1` that change with the game, each a function of what is published.

use zbus::Variant;

use crate::control::fingerprint::fingerprint;
use crate::daemon::bridge::Published;

/// A property: its name and how it is read.
pub(super) type Property = (&'static str, fn(&Published) -> Variant<'static>);

/// Those that signal their changes.
pub(super) const SIGNALLED: [Property; 10] = [
    ("Phase", |published| phase(published).into()),
    ("ToMove", |published| to_move(published).into()),
    ("FirstFlag", |published| first_flag(published).into()),
    ("Control", |published| control(published).into()),
    ("Profile", |published| profile(published).into()),
    ("ControlClass", |published| control_class(published).into()),
    ("Fingerprint", |published| mark(published).into()),
    ("GameId", |published| game_id(published).into()),
    ("WhiteOn", |published| white_on(published).into()),
    ("Locked", |published| published.state.locked.into()),
];

/// The values of all of them.
pub(super) fn values(published: &Published) -> [Variant<'static>; SIGNALLED.len()] {
    SIGNALLED.map(|(_, read)| read(published))
}

pub(super) fn phase(published: &Published) -> String {
    published.state.phase.name().to_owned()
}

pub(super) fn to_move(published: &Published) -> String {
    published.state.to_move.name().to_owned()
}

pub(super) fn first_flag(published: &Published) -> String {
    published.state.first_flag.map_or("", |first| first.side.name()).to_owned()
}

pub(super) fn control(published: &Published) -> String {
    published.settings.control.to_string()
}

pub(super) fn profile(published: &Published) -> String {
    published.settings.profile.name().to_owned()
}

pub(super) fn control_class(published: &Published) -> String {
    published.state.class.name().to_owned()
}

pub(super) fn mark(published: &Published) -> String {
    fingerprint(&published.settings)
}

pub(super) fn game_id(published: &Published) -> String {
    published.game.to_string()
}

pub(super) fn white_on(published: &Published) -> String {
    published.state.white_on.name().to_owned()
}
