//! Profiles: named sets of switches (`timing.md` 7).
//!
//! A profile never changes the arithmetic except through its switches, and every switch can be
//! set alone.

use std::borrow::Cow;

use super::quote::{MAX_NAME, quote};
use super::{Side, notation};
use crate::time::Span;

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

/// What the opponent gets for an illegal move or a wrong claim (Laws 7.5.5, 9.5.3, A.5, B.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PenaltyAmounts {
    /// Two minutes; in rapid and blitz one.
    ByClass,
    /// Two minutes, whatever the class.
    TwoMinutes,
    /// Nothing: the offence is counted.
    Nothing,
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
    /// How late a player may come, from zero up (Laws 6.7); `None`: lateness is not watched.
    pub default_time: Option<Span>,
    /// When the box shows the press counters.
    pub show_moves: ShowMoves,
    /// How the box lets a paused game run on.
    pub box_resume: BoxResume,
    /// The end of a side's time is told by a sound.
    pub end_sound: bool,
    /// What a penalty gives to the opponent.
    pub penalty_amounts: PenaltyAmounts,
    /// The box's menu can change the control of a paused game.
    pub box_change: bool,
    /// The pause key serves the players, too.
    pub player_pause: bool,
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
            default_time: None,
            show_moves: ShowMoves::Always,
            box_resume: BoxResume::Short,
            end_sound: true,
            penalty_amounts: PenaltyAmounts::ByClass,
            box_change: true,
            player_pause: true,
        };
        match self {
            Profile::Fide => Switches {
                start_press: StartPress::Second,
                show_moves: ShowMoves::OnRequest,
                box_resume: BoxResume::Hold,
                end_sound: false,
                box_change: false,
                ..club
            },
            Profile::Us => Switches {
                freeze: false,
                start_press: StartPress::Second,
                stage_trigger: Trigger::Zero,
                end_sound: false,
                penalty_amounts: PenaltyAmounts::TwoMinutes,
                box_change: false,
                ..club
            },
            Profile::Club => club,
            Profile::Go => Switches {
                first_to_move: Side::Black,
                penalty_amounts: PenaltyAmounts::Nothing,
                ..club
            },
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

impl Switches {
    /// The names on the wire, in the order of `timing.md` 7.
    pub const NAMES: [&'static str; 13] = [
        "freeze",
        "first-to-move",
        "start-press",
        "first-increment",
        "stage-trigger",
        "pause-at-stage",
        "default-time",
        "show-moves",
        "box-resume",
        "end-sound",
        "penalty-amounts",
        "box-change",
        "player-pause",
    ];

    /// Sets one switch by its name on the wire.
    ///
    /// # Errors
    /// The name or the value is not known; the switches are then as they were.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SwitchError> {
        let Some((name, switch)) = self.switch(name) else {
            return Err(SwitchError::UnknownSwitch { name: quote(name, MAX_NAME) });
        };
        switch.set(value).map_err(|allowed| SwitchError::UnknownValue {
            name,
            value: quote(value, MAX_NAME),
            allowed,
        })
    }

    /// The present value of a switch by its name on the wire; `None` for an unknown name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Cow<'static, str>> {
        let mut own = *self;
        own.switch(name).map(|(_, switch)| switch.get())
    }

    /// The switch of that name.
    fn switch(&mut self, name: &str) -> Option<(&'static str, &mut dyn Switch)> {
        let at = Self::NAMES.iter().position(|known| *known == name)?;
        let switches: [&mut dyn Switch; Self::NAMES.len()] = [
            &mut self.freeze,
            &mut self.first_to_move,
            &mut self.start_press,
            &mut self.first_increment,
            &mut self.stage_trigger,
            &mut self.pause_at_stage,
            &mut self.default_time,
            &mut self.show_moves,
            &mut self.box_resume,
            &mut self.end_sound,
            &mut self.penalty_amounts,
            &mut self.box_change,
            &mut self.player_pause,
        ];
        Some((Self::NAMES[at], switches.into_iter().nth(at)?))
    }
}

/// A switch's value as text.
trait Switch {
    /// Takes a value, or says what it could be.
    fn set(&mut self, value: &str) -> Result<(), String>;
    /// The value.
    fn get(&self) -> Cow<'static, str>;
}

/// A switch that is one of a few words.
trait Words: Copy + PartialEq + 'static {
    /// Each value with its word on the wire.
    const WORDS: &'static [(Self, &'static str)];
}

impl<T: Words> Switch for T {
    fn set(&mut self, value: &str) -> Result<(), String> {
        match T::WORDS.iter().find(|(_, word)| *word == value) {
            Some((known, _)) => *self = *known,
            None => {
                return Err(T::WORDS
                    .iter()
                    .map(|(_, word)| *word)
                    .collect::<Vec<_>>()
                    .join(" or "));
            }
        }
        Ok(())
    }

    fn get(&self) -> Cow<'static, str> {
        let word = T::WORDS.iter().find(|(value, _)| value == self);
        Cow::Borrowed(word.map_or("", |(_, word)| *word))
    }
}

/// `off`, or a duration.
impl Switch for Option<Span> {
    fn set(&mut self, value: &str) -> Result<(), String> {
        *self = match value {
            "off" => None,
            value => Some(notation::parse_duration(value).map_err(|_| {
                "off or a time such as 30m, or 0s for no lateness at all".to_owned()
            })?),
        };
        Ok(())
    }

    fn get(&self) -> Cow<'static, str> {
        self.map_or(Cow::Borrowed("off"), |time| Cow::Owned(notation::write_duration(time)))
    }
}

impl Words for bool {
    const WORDS: &'static [(bool, &'static str)] = &[(true, "true"), (false, "false")];
}

impl Words for Side {
    const WORDS: &'static [(Side, &'static str)] =
        &[(Side::White, "white"), (Side::Black, "black")];
}

impl Words for StartPress {
    const WORDS: &'static [(StartPress, &'static str)] =
        &[(StartPress::Second, "second"), (StartPress::Either, "either")];
}

impl Words for Trigger {
    const WORDS: &'static [(Trigger, &'static str)] =
        &[(Trigger::Moves, "moves"), (Trigger::Zero, "zero")];
}

impl Words for ShowMoves {
    const WORDS: &'static [(ShowMoves, &'static str)] = &[
        (ShowMoves::Never, "never"),
        (ShowMoves::OnRequest, "on-request"),
        (ShowMoves::Always, "always"),
    ];
}

impl Words for BoxResume {
    const WORDS: &'static [(BoxResume, &'static str)] =
        &[(BoxResume::Hold, "hold"), (BoxResume::Short, "short")];
}

impl Words for PenaltyAmounts {
    const WORDS: &'static [(PenaltyAmounts, &'static str)] = &[
        (PenaltyAmounts::ByClass, "by-class"),
        (PenaltyAmounts::TwoMinutes, "two-minutes"),
        (PenaltyAmounts::Nothing, "nothing"),
    ];
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
