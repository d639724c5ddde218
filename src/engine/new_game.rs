//! What a new game is set to, and controls by their names.

use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::operation::is_false;
use crate::control::presets::{self, Presets};
use crate::control::{Control, Profile, Seat, Settings, SwitchChanges};

/// Arguments of [`Operation::NewGame`](super::Operation::NewGame). What is left out stays as it is
/// where the control is left out, too; else it is that of the preset or the default.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NewGame {
    /// The control; `None`: the same again. Boxed, as a control is large and an operation is to be
    /// small.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Box<NamedControl>>,
    /// The rules; `None`: see above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// Switches that differ from the profile's.
    #[serde(skip_serializing_if = "SwitchChanges::is_empty")]
    pub switches: SwitchChanges,
    /// The seat of White; `None`: see above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white_on: Option<Seat>,
    /// Also in the middle of a game.
    #[serde(skip_serializing_if = "is_false")]
    pub abandon: bool,
}

impl NewGame {
    /// A new game that is set to exactly this.
    #[must_use]
    pub fn of(settings: &Settings, abandon: bool) -> Self {
        NewGame {
            control: Some(Box::new(settings.control.into())),
            profile: Some(settings.profile),
            switches: settings.switches.changes_from(settings.profile),
            white_on: Some(settings.white_on),
            abandon,
        }
    }

    /// What the game is set to. `present` are the settings of the game on the clock, `defaults`
    /// those of a control that brings none of its own.
    #[must_use]
    pub fn settings(&self, present: &Settings, defaults: &Settings) -> Settings {
        let mut settings = match &self.control {
            None => *present,
            Some(named) => Settings { control: named.control, ..*defaults },
        };
        let brought = self.control.as_ref().and_then(|named| named.profile);
        if let Some(profile) = self.profile.or(brought) {
            settings.profile = profile;
            // The default profile's switches are as they are configured.
            settings.switches = match profile == defaults.profile {
                true => defaults.switches,
                false => profile.switches(),
            };
        }
        self.switches.apply(&mut settings.switches);
        settings.white_on = self.white_on.unwrap_or(settings.white_on);
        settings
    }
}

/// A control by its notation or by the id of a preset, which brings a profile. It is written in
/// canonical notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedControl {
    /// The control.
    pub control: Control,
    /// The preset's profile, where it was named by an id.
    pub profile: Option<Profile>,
}

impl From<Control> for NamedControl {
    fn from(control: Control) -> Self {
        NamedControl { control, profile: None }
    }
}

impl Serialize for NamedControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.control)
    }
}

/// Reads any notation and the ids of the shipped presets.
impl<'de> Deserialize<'de> for NamedControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let resolved = presets::resolve(&Presets::shipped(), &text);
        let (control, profile) = resolved.map_err(D::Error::custom)?;
        Ok(NamedControl { control, profile })
    }
}
