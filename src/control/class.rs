//! The class of a control: standard, rapid, blitz or another game's.

use super::{Control, Switches};

/// What sort of chess a control makes (`timing.md` 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// 60 minutes and more.
    Standard,
    /// Above 10 and below 60 minutes.
    Rapid,
    /// Up to 10 minutes.
    Blitz,
    /// Another game's method.
    Other,
}

impl Class {
    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Class::Standard => "standard",
            Class::Rapid => "rapid",
            Class::Blitz => "blitz",
            Class::Other => "other",
        }
    }
}

/// The class of a control under these switches.
#[must_use]
pub fn class_of(control: &Control, switches: &Switches) -> Class {
    let _ = (control, switches);
    Class::Other
}
