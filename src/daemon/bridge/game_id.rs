//! Names for games: when a game began, and where within that second.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Gives names; never the same twice.
#[derive(Debug, Default)]
pub struct GameIds {
    /// Seconds since 1970 times 65536, of the last name.
    last: i64,
}

impl GameIds {
    /// Goes on after a game of that name, also where the wall clock has been set back since, as on
    /// a board without a battery.
    #[must_use]
    pub fn after(name: &str) -> Self {
        let last = || {
            let (second, part) = name.rsplit_once('-')?;
            let second = DateTime::strptime("%Y%m%d-%H%M%S", second).ok()?;
            let second = TimeZone::UTC.to_timestamp(second).ok()?.as_second();
            Some((second << 16) + i64::from(u16::from_str_radix(part, 16).ok()?))
        };
        GameIds { last: last().unwrap_or_default() }
    }

    /// A name for a game that begins now, as `20261130-042053-3f9a`: the second in UTC, and the
    /// part of it in 65536ths. Two games in the same part, or after a step of the wall clock back,
    /// are told apart all the same. Names sort as their games began.
    pub(super) fn next(&mut self, now: Timestamp) -> String {
        let nanos = now.as_nanosecond();
        let parts = i64::try_from(nanos * 65_536 / 1_000_000_000).unwrap_or(i64::MAX);
        self.last = parts.max(self.last.saturating_add(1));
        let second = Timestamp::from_second(self.last >> 16).unwrap_or(now);
        format!("{}-{:04x}", second.strftime("%Y%m%d-%H%M%S"), self.last & 0xffff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_when_the_game_began() {
        let half_past: Timestamp = "2026-11-30T04:20:53.25Z".parse().unwrap();
        assert_eq!(GameIds::default().next(half_past), "20261130-042053-4000");
    }

    #[test]
    fn names_go_on_after_the_last_one_of_the_journal() {
        let early: Timestamp = "2020-01-01T00:00:00Z".parse().unwrap();
        for (last, next) in [
            ("20261130-042053-3f9a", "20261130-042053-3f9b"),
            ("20261130-235959-ffff", "20261201-000000-0000"),
            ("no name at all", "20200101-000000-0000"),
        ] {
            assert_eq!(GameIds::after(last).next(early), next);
        }
    }

    #[test]
    fn no_name_comes_twice_and_a_step_back_of_the_wall_clock_does_not_change_their_order() {
        let mut ids = GameIds::default();
        let late: Timestamp = "2026-11-30T04:20:53.99999Z".parse().unwrap();
        let early: Timestamp = "2020-01-01T00:00:00Z".parse().unwrap();
        let names: Vec<_> = [late, late, early].map(|now| ids.next(now)).into();
        assert_eq!(names, ["20261130-042053-ffff", "20261130-042054-0000", "20261130-042054-0001"]);
    }
}
