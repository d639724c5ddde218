//! The switches of a game: each has a name and a value as text, on the wire and in the
//! configuration.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::{Deserializer, Error as _};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::quote::{MAX_NAME, quote};
use super::{BoxResume, PenaltyAmounts, Profile, ShowMoves, Side, StartPress, Trigger, notation};
use crate::time::Span;

macro_rules! switches {
    ($($(#[$doc:meta])* $field:ident $name:literal: $type:ty,)*) => {
        /// The switches of a game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct Switches {
            $($(#[$doc])* pub $field: $type,)*
        }

        /// Switches that are set apart from those of a profile; `None` leaves one as it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        pub struct SwitchChanges {
            $($(#[$doc])* pub $field: Option<$type>,)*
        }

        impl Switches {
            /// The names on the wire, in the order of the table of profiles.
            pub const NAMES: &'static [&'static str] = &[$($name,)*];

            /// Sets one switch by its name on the wire.
            ///
            /// # Errors
            /// The name or the value is not known; the switches are then unchanged.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), SwitchError> {
                match name {
                    $($name => self.$field = read($name, value)?,)*
                    _ => return Err(SwitchError::unknown(name)),
                }
                Ok(())
            }

            /// The value of a switch by its name on the wire; `None` for an unknown name.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<Cow<'static, str>> {
                match name {
                    $($name => Some(self.$field.text()),)*
                    _ => None,
                }
            }

            /// The switches that differ from those of `profile`.
            #[must_use]
            pub fn changes_from(&self, profile: Profile) -> SwitchChanges {
                let own = profile.switches();
                SwitchChanges { $($field: (self.$field != own.$field).then_some(self.$field),)* }
            }
        }

        impl SwitchChanges {
            /// Sets one switch by its name on the wire.
            ///
            /// # Errors
            /// The name or the value is not known; nothing is changed then.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), SwitchError> {
                match name {
                    $($name => self.$field = Some(read($name, value)?),)*
                    _ => return Err(SwitchError::unknown(name)),
                }
                Ok(())
            }

            /// Makes the changes.
            pub fn apply(&self, switches: &mut Switches) {
                $(if let Some(value) = self.$field {
                    switches.$field = value;
                })*
            }

            /// The changes by name, each with its value as text.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
                [$(($name, self.$field.map(|value| value.text())),)*]
                    .into_iter()
                    .filter_map(|(name, value)| Some((name, value?)))
            }
        }
    };
}

switches! {
    /// At a fall nothing runs any more (`timing.md` 5).
    freeze "freeze": bool,
    /// Who moves first.
    first_to_move "first-to-move": Side,
    /// Which press starts the game.
    start_press "start-press": StartPress,
    /// The grant is given for move 1, too (FIDE glossary, "increment").
    first_increment "first-increment": bool,
    /// What ends a stage that names moves.
    stage_trigger "stage-trigger": Trigger,
    /// A `stage` flag pauses the clock (Laws 8.5.1).
    pause_at_stage "pause-at-stage": bool,
    /// How late a player may come, from zero up (Laws 6.7); `None`: lateness is not watched.
    default_time "default-time": Option<Span>,
    /// When the box shows the press counters.
    show_moves "show-moves": ShowMoves,
    /// How the box lets a paused game run on.
    box_resume "box-resume": BoxResume,
    /// A sound marks the end of a side's time.
    end_sound "end-sound": bool,
    /// What a penalty gives to the opponent.
    penalty_amounts "penalty-amounts": PenaltyAmounts,
    /// The box's menu can change the control of a paused game.
    box_change "box-change": bool,
    /// The pause key serves the players, too.
    player_pause "player-pause": bool,
}

impl SwitchChanges {
    /// True if nothing is changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == SwitchChanges::default()
    }
}

impl Serialize for SwitchChanges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.iter() {
            match value.parse::<bool>() {
                Ok(on) => map.serialize_entry(name, &on)?,
                Err(_) => map.serialize_entry(name, &value)?,
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for SwitchChanges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// A switch's value: true, false or a word.
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "true, false or a word")]
        enum SwitchText {
            Truth(bool),
            Word(String),
        }
        let mut changes = SwitchChanges::default();
        for (name, value) in BTreeMap::<String, SwitchText>::deserialize(deserializer)? {
            let value = match value {
                SwitchText::Truth(on) => on.to_string(),
                SwitchText::Word(word) => word,
            };
            changes.set(&name, &value).map_err(D::Error::custom)?;
        }
        Ok(changes)
    }
}

/// Why a switch could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SwitchError {
    /// No switch has that name.
    #[error("no switch is called `{name}`; the switches are {}", Switches::NAMES.join(", "))]
    UnknownSwitch {
        /// What was asked for, shortened.
        name: String,
    },
    /// The switch has no such value.
    #[error("the switch `{name}` cannot be `{value}`; it can be {allowed}")]
    UnknownValue {
        /// The switch.
        name: &'static str,
        /// What was asked for, shortened.
        value: String,
        /// What it can be, for people.
        allowed: String,
    },
}

impl SwitchError {
    fn unknown(name: &str) -> Self {
        SwitchError::UnknownSwitch { name: quote(name, MAX_NAME) }
    }
}

/// Reads a switch's value.
fn read<T: SwitchValue>(name: &'static str, value: &str) -> Result<T, SwitchError> {
    T::read(value).ok_or_else(|| SwitchError::UnknownValue {
        name,
        value: quote(value, MAX_NAME),
        allowed: T::allowed(),
    })
}

/// A switch's value as text.
trait SwitchValue: Sized {
    /// Reads a value; `None` for a text that is none.
    fn read(value: &str) -> Option<Self>;
    /// The value as text.
    fn text(&self) -> Cow<'static, str>;
    /// What the value can be.
    fn allowed() -> String;
}

/// Switches that are one of a few words.
macro_rules! switch_words {
    ($($Enum:ty,)*) => {
        $(impl SwitchValue for $Enum {
            fn read(value: &str) -> Option<Self> {
                Self::from_name(value)
            }

            fn text(&self) -> Cow<'static, str> {
                Cow::Borrowed(self.name())
            }

            fn allowed() -> String {
                Self::ALL.map(Self::name).join(" or ")
            }
        })*
    };
}

switch_words! { Side, StartPress, Trigger, ShowMoves, BoxResume, PenaltyAmounts, }

impl SwitchValue for bool {
    fn read(value: &str) -> Option<Self> {
        value.parse().ok()
    }

    fn text(&self) -> Cow<'static, str> {
        Cow::Borrowed(if *self { "true" } else { "false" })
    }

    fn allowed() -> String {
        "true or false".to_owned()
    }
}

/// `off`, or a duration.
impl SwitchValue for Option<Span> {
    fn read(value: &str) -> Option<Self> {
        match value {
            "off" => Some(None),
            value => notation::parse_duration(value).ok().map(Some),
        }
    }

    fn text(&self) -> Cow<'static, str> {
        self.map_or(Cow::Borrowed("off"), |time| Cow::Owned(notation::write_duration(time)))
    }

    fn allowed() -> String {
        "off or a time such as 30m, or 0s for no lateness at all".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_of_every_profile_can_be_read_and_set_back_by_its_name() {
        for profile in Profile::ALL {
            for other in Profile::ALL {
                let mut switches = other.switches();
                for &name in Switches::NAMES {
                    let value = profile.switches().get(name).expect("named in NAMES");
                    switches.set(name, &value).expect("its own value");
                }
                assert_eq!(switches, profile.switches(), "{profile:?} over {other:?}");
            }
        }
    }

    #[test]
    fn an_unknown_switch_or_value_is_refused_with_what_would_work() {
        let mut switches = Profile::Fide.switches();
        let before = switches;
        let error = switches.set("frieze", "true").expect_err("no such switch").to_string();
        assert!(error.contains("`frieze`") && error.contains("freeze"), "{error}");
        let error = switches.set("start-press", "first").expect_err("no such value").to_string();
        assert!(error.contains("second or either"), "{error}");
        let error = switches.set("default-time", "soon").expect_err("no time").to_string();
        assert!(error.contains("off or a time such as 30m"), "{error}");
        assert_eq!(switches, before);
    }

    #[test]
    fn the_default_time_is_off_or_a_time_and_none_at_all_is_a_time() {
        let mut switches = Profile::Fide.switches();
        assert_eq!(switches.get("default-time").as_deref(), Some("off"));
        for (text, time) in
            [("30m", Some(Span::from_mins(30))), ("0s", Some(Span::ZERO)), ("off", None)]
        {
            switches.set("default-time", text).expect("a default time");
            assert_eq!(switches.default_time, time);
            assert_eq!(switches.get("default-time").as_deref(), Some(text));
        }
    }
}
