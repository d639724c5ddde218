//! The properties of `Clock1` that change with the game, each a function of what is published.

use crate::control::class::class_of;
use crate::control::fingerprint::fingerprint;
use crate::daemon::bridge::Published;

/// A property: its name and how it is read.
pub(super) type Property = (&'static str, fn(&Published) -> String);

/// Those that signal their changes. All are texts.
pub(super) const SIGNALLED: [Property; 9] = [
    ("Phase", phase),
    ("ToMove", to_move),
    ("FirstFlag", first_flag),
    ("Control", control),
    ("Profile", profile),
    ("ControlClass", control_class),
    ("Fingerprint", mark),
    ("GameId", game_id),
    ("WhiteOn", white_on),
];

/// The values of all of them.
pub(super) fn values(published: &Published) -> [String; SIGNALLED.len()] {
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
    class_of(&published.settings.control, &published.settings.switches).name().to_owned()
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
