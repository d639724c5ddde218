//! Names for games: when a game began, and where within that second.

use jiff::Timestamp;

/// Gives names; never the same twice.
#[derive(Debug, Default)]
pub(super) struct GameIds {
    /// Seconds since 1970 times 65536, of the last name.
    last: i64,
}

impl GameIds {
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
    fn no_name_comes_twice_and_a_step_back_of_the_wall_clock_does_not_change_their_order() {
        let mut ids = GameIds::default();
        let late: Timestamp = "2026-11-30T04:20:53.99999Z".parse().unwrap();
        let early: Timestamp = "2020-01-01T00:00:00Z".parse().unwrap();
        let names: Vec<_> = [late, late, early].map(|now| ids.next(now)).into();
        assert_eq!(names, ["20261130-042053-ffff", "20261130-042054-0000", "20261130-042054-0001"]);
    }
}
