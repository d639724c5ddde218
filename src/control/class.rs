//! The class of a control: standard, rapid, blitz or another game's.
//!
//! Decides nothing by itself: penalties and the quickplay rule ask for it (`timing.md` 6).

use super::{BySide, Control, Grant, Method, Overtime, Side, Stage, Stages, Switches, Trigger};
use crate::time::Span;

/// What sort of chess a control makes (`timing.md` 6, after Laws A.1 and B.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// 60 minutes and more.
    Standard,
    /// Above 10 and below 60 minutes.
    Rapid,
    /// Up to 10 minutes.
    Blitz,
    /// A method of another game.
    Other,
}

/// The length of the game that the Laws measure a control by.
const MOVES: u32 = 60;
/// The longest time that still is blitz.
const BLITZ: Span = Span::from_mins(10);
/// The shortest time that is standard.
const STANDARD: Span = Span::from_mins(60);

impl Class {
    /// The name on the wire: `standard`, `rapid`, `blitz` or `other`.
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

/// The class of a control under these switches: by what the slower side may use for 60 moves.
#[must_use]
pub fn class_of(control: &Control, switches: &Switches) -> Class {
    let BySide { white, black } = &control.sides;
    if [white, black].iter().any(|stages| !stages.list.iter().all(is_chess)) {
        return Class::Other;
    }
    match Side::BOTH.map(|side| time_for_moves(&control.sides[side], switches)) {
        [white, black] if white.max(black) <= BLITZ => Class::Blitz,
        [white, black] if white.max(black) < STANDARD => Class::Rapid,
        _ => Class::Standard,
    }
}

fn is_chess(stage: &Stage) -> bool {
    matches!(stage.method, Method::Main { overtime: Overtime::None, .. })
}

/// The bases that one of the 60 moves can use, and what those moves are granted.
///
/// When a stage that ends at zero will end is not known, so the stages from it on may all govern
/// a move; the move counts with the largest of their grants.
fn time_for_moves(stages: &Stages, switches: &Switches) -> Span {
    let mut list = stages.list.iter().peekable();
    let mut time = Span::ZERO;
    let mut grant = Span::ZERO;
    let mut first = 1;
    while let Some(stage) = list.next() {
        time += stage.base;
        grant = grant.max(grant_of(stage));
        let counted = stage.moves.filter(|_| switches.stage_trigger == Trigger::Moves);
        let is_last = list.peek().is_none();
        match counted {
            Some(moves) if !is_last => {
                let next = first + moves;
                time += grant.times(next.min(MOVES + 1) - first);
                first = next;
                grant = Span::ZERO;
            }
            Some(moves) if stages.repeat => {
                time += stage.base.times((MOVES - first) / moves.max(1));
            }
            _ => {}
        }
        if first > MOVES {
            break;
        }
    }
    time += grant.times((MOVES + 1).saturating_sub(first));
    time - ungranted(stages, switches)
}

/// The grant of move 1, where it is switched off.
fn ungranted(stages: &Stages, switches: &Switches) -> Span {
    match stages.list.first() {
        Some(stage) if !switches.first_increment && stage.base.is_positive() => grant_of(stage),
        _ => Span::ZERO,
    }
}

fn grant_of(stage: &Stage) -> Span {
    match stage.method {
        Method::Main {
            grant: Grant::Increment { each, .. } | Grant::Delay { each } | Grant::Bronstein { each },
            ..
        } => each,
        _ => Span::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Profile, notation::parse};

    fn class(text: &str, profile: Profile) -> Class {
        class_of(
            &parse(text).unwrap_or_else(|error| panic!("{text}: {error}")),
            &profile.switches(),
        )
    }

    #[test]
    fn the_time_for_sixty_moves_decides() {
        for (text, expected) in [
            ("3+2", Class::Blitz),
            ("10+0", Class::Blitz),
            ("5m", Class::Blitz),
            ("10+1", Class::Rapid),
            ("15+10", Class::Rapid),
            ("59+0", Class::Rapid),
            ("20/10m repeat", Class::Rapid),
            ("50+10", Class::Standard),
            ("90+30", Class::Standard),
            ("15/15m repeat", Class::Standard),
            ("40/50m, 5m+30s", Class::Standard),
            ("40/50m, 5m+10s", Class::Rapid),
            ("3m delay 7s", Class::Blitz),
            ("3m bronstein 8s", Class::Rapid),
            ("0s+10s", Class::Blitz),
            ("60m", Class::Standard),
            ("9m59s999ms", Class::Blitz),
            ("10m1ms", Class::Rapid),
            ("35m, 24m", Class::Rapid),
            ("35m, 25m", Class::Standard),
        ] {
            assert_eq!(class(text, Profile::Fide), expected, "{text}");
        }
    }

    #[test]
    fn the_slower_side_decides() {
        assert_eq!(class("white 5m; black 4m", Profile::Fide), Class::Blitz);
        assert_eq!(class("white 5m; black 11m", Profile::Fide), Class::Rapid);
        assert_eq!(class("white 60m; black 5m", Profile::Fide), Class::Standard);
    }

    #[test]
    fn a_base_or_increment_that_comes_after_move_sixty_does_not_count() {
        assert_eq!(class("60/5m, 30m+30s", Profile::Fide), Class::Blitz);
        assert_eq!(class("59/10m, 0s+1s", Profile::Fide), Class::Rapid);
        assert_eq!(class("30/5m repeat", Profile::Fide), Class::Blitz);
    }

    #[test]
    fn the_switches_count() {
        assert_eq!(class("60/5m, 30m", Profile::Us), Class::Rapid, "every stage ends at zero");
        let mut switches = Profile::Fide.switches();
        switches.first_increment = false;
        let control = |text| parse(text).expect("a control");
        assert_eq!(class_of(&control("50m+10s"), &switches), Class::Rapid);
        assert_eq!(class_of(&control("0s+1m"), &switches), Class::Standard);
    }

    #[test]
    fn the_methods_of_other_games_have_no_class_of_chess() {
        for text in [
            "1h byoyomi 5x1m",
            "canadian 20/5m",
            "25m overtime 10m",
            "hourglass 1m",
            "move 10s",
            "gong 10s",
            "up",
            "white 5m; black move 10s",
        ] {
            assert_eq!(class(text, Profile::Club), Class::Other, "{text}");
        }
    }
}
