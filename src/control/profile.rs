//! Profiles: named sets of switches (`timing.md` 7).
//!
//! A profile never changes the arithmetic except through its switches, and every switch can be
//! set alone.

use super::{Side, Switches};
use crate::named::named_enum;

named_enum! {
    /// A named set of switches.
    #[derive(Default)]
    pub enum Profile {
        /// FIDE competition: frozen at the first fall, counters kept from the players.
        Fide = "fide",
        /// US Chess: nothing is frozen, stages go by time, only the players call a flag.
        Us = "us",
        /// A club evening: frozen, everything shown, either player may start.
        #[default]
        Club = "club",
        /// Go and the games that borrow its clocks: Black moves first.
        Go = "go",
    }
}

named_enum! {
    /// Which press starts a game that is ready (`timing.md` 2.10).
    pub enum StartPress {
        /// Only the press of the side that moves second.
        Second = "second",
        /// Either's: who presses is the side that moves second.
        Either = "either",
    }
}

named_enum! {
    /// What ends a stage that names a number of moves (`timing.md` 4.1).
    pub enum Trigger {
        /// The side's own N-th press of the stage.
        Moves = "moves",
        /// The first side to reach zero; N is only shown (US Chess 13C, 16W).
        Zero = "zero",
    }
}

named_enum! {
    /// When the box shows the press counters.
    pub enum ShowMoves {
        /// Never.
        Never = "never",
        /// While plus is held (Laws 12.6 and 6.12.1).
        OnRequest = "on-request",
        /// Always.
        Always = "always",
    }
}

named_enum! {
    /// How the box lets a paused game run on (Laws 6.11.3: the arbiter decides).
    pub enum BoxResume {
        /// Ok held for a second.
        Hold = "hold",
        /// A short press of the pause key.
        Short = "short",
    }
}

named_enum! {
    /// What the opponent gets for an illegal move or a wrong claim (Laws 7.5.5, 9.5.3, A.5, B.2).
    pub enum PenaltyAmounts {
        /// Two minutes; in rapid and blitz one.
        ByClass = "by-class",
        /// Two minutes, whatever the class.
        TwoMinutes = "two-minutes",
        /// Nothing: the offence is counted.
        Nothing = "nothing",
    }
}

impl Profile {
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
