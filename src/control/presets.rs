//! Presets.

use super::notation::{self, NotationError};
use super::{Control, Profile};

/// A control with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The id.
    pub id: String,
    /// For people.
    pub name: String,
    /// For seven-segment digits; at most 8 characters.
    pub label: String,
    /// The control.
    pub control: Control,
    /// The profile it is usually played under.
    pub profile: Profile,
}

/// The presets in the order of their file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presets {
    list: Vec<Preset>,
}

/// Why a presets file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct PresetError {
    sentence: String,
}

impl Presets {
    /// The presets that come with the program.
    #[must_use]
    pub fn shipped() -> Presets {
        Presets { list: Vec::new() }
    }

    /// Reads a presets file.
    ///
    /// # Errors
    /// The text is no presets file, or a preset in it cannot be.
    pub fn from_toml(text: &str) -> Result<Presets, PresetError> {
        Err(PresetError { sentence: text.to_owned() })
    }

    /// The preset of that id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Preset> {
        self.list.iter().find(|preset| preset.id == id)
    }

    /// The presets in the order of their file.
    pub fn iter(&self) -> impl Iterator<Item = &Preset> {
        self.list.iter()
    }
}

/// A preset's id, or any notation: the control, and the preset's profile.
///
/// # Errors
/// The text is neither.
pub fn resolve(presets: &Presets, text: &str) -> Result<(Control, Option<Profile>), NotationError> {
    match presets.get(text.trim()) {
        Some(preset) => Ok((preset.control.clone(), Some(preset.profile))),
        None => Ok((notation::parse(text)?, None)),
    }
}
