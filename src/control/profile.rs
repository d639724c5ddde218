//! Profiles: named sets of switches (`timing.md` 7).
//!
//! A profile never changes the arithmetic except through its switches, and every switch can be
//! set alone.

use super::Side;
use super::quote::{MAX_NAME, quote};

/// A named set of switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// FIDE competition: frozen at the first fall, counters kept from the players.
    Fide,
    /// US Chess: nothing is frozen, stages go by time, only the players call a flag.
    Us,
    /// A club evening: frozen, everything shown, either player may start.
    #[default]
    Club,
    /// Go and the games that borrow its clocks: Black moves first.
    Go,
}

/// Which press starts a game that is ready (`timing.md` 2.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StartPress {
    /// Only the press of the side that moves second.
    Second,
    /// Either's: who presses is the side that moves second.
    Either,
}

/// What ends a stage that names a number of moves (`timing.md` 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// The side's own N-th press of the stage.
    Moves,
    /// The first side to reach zero; N is only shown (US Chess 13C, 16W).
    Zero,
}

/// When the box shows the press counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShowMoves {
    /// Never.
    Never,
    /// While plus is held (Laws 12.6 and 6.12.1).
    OnRequest,
    /// Always.
    Always,
}

/// How the box lets a paused game run on (Laws 6.11.3: the arbiter decides).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxResume {
    /// Ok held for a second.
    Hold,
    /// A short press of the pause key.
    Short,
}

/// The switches of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Switches {
    /// At a fall nothing runs any more (`timing.md` 5).
    pub freeze: bool,
    /// Who moves first.
    pub first_to_move: Side,
    /// Which press starts the game.
    pub start_press: StartPress,
    /// The grant is given for move 1, too (FIDE glossary, "increment").
    pub first_increment: bool,
    /// What ends a stage that names moves.
    pub stage_trigger: Trigger,
    /// A `stage` flag pauses the clock (Laws 8.5.1).
    pub pause_at_stage: bool,
    /// When the box shows the press counters.
    pub show_moves: ShowMoves,
    /// How the box lets a paused game run on.
    pub box_resume: BoxResume,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Profile; 4] = [Profile::Fide, Profile::Us, Profile::Club, Profile::Go];

    /// The name on the wire and in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Profile::Fide => "fide",
            Profile::Us => "us",
            Profile::Club => "club",
            Profile::Go => "go",
        }
    }

    /// The profile of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// The profile's own switches: the table of `timing.md` 7, a column each.
    #[must_use]
    pub const fn switches(self) -> Switches {
        let club = Switches {
            freeze: true,
            first_to_move: Side::White,
            start_press: StartPress::Either,
            first_increment: true,
            stage_trigger: Trigger::Moves,
            pause_at_stage: false,
            show_moves: ShowMoves::Always,
            box_resume: BoxResume::Short,
        };
        match self {
            Profile::Fide => Switches {
                start_press: StartPress::Second,
                show_moves: ShowMoves::OnRequest,
                box_resume: BoxResume::Hold,
                ..club
            },
            Profile::Us => Switches {
                freeze: false,
                start_press: StartPress::Second,
                stage_trigger: Trigger::Zero,
                ..club
            },
            Profile::Club => club,
            Profile::Go => Switches { first_to_move: Side::Black, ..club },
        }
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
    #[error("the switch `{name}` cannot be `{value}`; it can be {}", allowed.join(" or "))]
    UnknownValue {
        /// The switch.
        name: &'static str,
        /// What was asked for, shortened.
        value: String,
        /// What it can be.
        allowed: &'static [&'static str],
    },
}

const ON_OFF: &[&str] = &["true", "false"];

impl Switches {
    /// The names on the wire, in the order of `timing.md` 7.
    pub const NAMES: [&'static str; 8] = [
        "freeze",
        "first-to-move",
        "start-press",
        "first-increment",
        "stage-trigger",
        "pause-at-stage",
        "show-moves",
        "box-resume",
    ];

    /// Sets one switch by its name on the wire.
    ///
    /// # Errors
    /// The name or the value is not known; the switches are then as they were.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SwitchError> {
        fn choose<T: Copy>(
            name: &'static str,
            value: &str,
            allowed: &'static [&'static str],
            values: &[T],
        ) -> Result<T, SwitchError> {
            allowed
                .iter()
                .position(|a| *a == value)
                .and_then(|at| values.get(at).copied())
                .ok_or_else(|| SwitchError::UnknownValue {
                    name,
                    value: quote(value, MAX_NAME),
                    allowed,
                })
        }
        match name {
            "freeze" => self.freeze = choose("freeze", value, ON_OFF, &[true, false])?,
            "first-to-move" => {
                self.first_to_move =
                    choose("first-to-move", value, &["white", "black"], &Side::BOTH)?;
            }
            "start-press" => {
                let values = [StartPress::Second, StartPress::Either];
                self.start_press = choose("start-press", value, &["second", "either"], &values)?;
            }
            "first-increment" => {
                self.first_increment = choose("first-increment", value, ON_OFF, &[true, false])?;
            }
            "stage-trigger" => {
                let values = [Trigger::Moves, Trigger::Zero];
                self.stage_trigger = choose("stage-trigger", value, &["moves", "zero"], &values)?;
            }
            "pause-at-stage" => {
                self.pause_at_stage = choose("pause-at-stage", value, ON_OFF, &[true, false])?;
            }
            "show-moves" => {
                let values = [ShowMoves::Never, ShowMoves::OnRequest, ShowMoves::Always];
                self.show_moves =
                    choose("show-moves", value, &["never", "on-request", "always"], &values)?;
            }
            "box-resume" => {
                let values = [BoxResume::Hold, BoxResume::Short];
                self.box_resume = choose("box-resume", value, &["hold", "short"], &values)?;
            }
            _ => return Err(SwitchError::UnknownSwitch { name: quote(name, MAX_NAME) }),
        }
        Ok(())
    }

    /// The present value of a switch by its name on the wire; `None` for an unknown name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'static str> {
        let on_off = |on: bool| if on { "true" } else { "false" };
        Some(match name {
            "freeze" => on_off(self.freeze),
            "first-to-move" => self.first_to_move.name(),
            "start-press" => match self.start_press {
                StartPress::Second => "second",
                StartPress::Either => "either",
            },
            "first-increment" => on_off(self.first_increment),
            "stage-trigger" => match self.stage_trigger {
                Trigger::Moves => "moves",
                Trigger::Zero => "zero",
            },
            "pause-at-stage" => on_off(self.pause_at_stage),
            "show-moves" => match self.show_moves {
                ShowMoves::Never => "never",
                ShowMoves::OnRequest => "on-request",
                ShowMoves::Always => "always",
            },
            "box-resume" => match self.box_resume {
                BoxResume::Hold => "hold",
                BoxResume::Short => "short",
            },
            _ => return None,
        })
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
                for name in Switches::NAMES {
                    let value = profile.switches().get(name).expect("named in NAMES");
                    switches.set(name, value).expect("its own value");
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
        assert_eq!(switches, before);
    }
}
