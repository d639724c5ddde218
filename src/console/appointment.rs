//! `start-at`: the next instant of a time of day.

use std::str::FromStr;

use jiff::civil::Time;
use jiff::{ToSpan, ZonedDateTime};

/// When a scheduled start is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Appointment {
    At(Time),
    /// The scheduled start is cancelled.
    Off,
}

impl FromStr for Appointment {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "off" {
            return Ok(Appointment::Off);
        }
        Time::strptime("%H:%M", text)
            .or_else(|_| Time::strptime("%H:%M:%S", text))
            .map(Appointment::At)
            .map_err(|_| "expected a time of the day as 10:00 or 10:00:30, or off")
    }
}

/// The first instant after `now` at which local clocks show this time. Daylight saving time may skip
/// it on a day, or repeat it.
pub(super) fn next(time: Time, now: &ZonedDateTime) -> Option<ZonedDateTime> {
    let days = (0..=2).filter_map(|days| now.date().checked_add(days.days()).ok());
    let named = days.flat_map(|day| {
        let there = now.time_zone().to_ambiguous_zoned_datetime(day.to_datetime(time));
        [there.clone().earlier(), there.later()]
    });
    named.flatten().find(|at| at.time() == time && at > now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use jiff::tz::TimeZone;

    #[test]
    fn a_time_of_the_day_is_read_with_or_without_seconds() {
        for (text, want) in [
            ("10:00", Some((10, 0, 0))),
            ("9:05", Some((9, 5, 0))),
            ("23:59:30", Some((23, 59, 30))),
            ("00:00", Some((0, 0, 0))),
            ("24:00", None),
            ("10", None),
            ("10:60", None),
            ("10:00 pm", None),
            ("-1:00", None),
            ("", None),
        ] {
            let want = want.map(|(hour, minute, second)| {
                Appointment::At(Time::constant(hour, minute, second, 0))
            });
            assert_eq!(text.parse().ok(), want, "{text}");
        }
        assert_eq!("off".parse(), Ok(Appointment::Off));
    }

    #[test]
    fn the_next_time_of_that_name_is_always_to_come() {
        let berlin = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        for (now, time, want) in [
            // later today, and tomorrow
            ("2026-11-30T09:23+01:00", "10:00", "2026-11-30T10:00+01:00"),
            ("2026-11-30T10:00+01:00", "10:00", "2026-12-01T10:00+01:00"),
            ("2026-12-31T22:00+01:00", "10:00", "2027-01-01T10:00+01:00"),
            // over the night in which the clocks change
            ("2026-10-24T20:00+02:00", "10:00", "2026-10-25T10:00+01:00"),
            ("2026-03-28T20:00+01:00", "10:00", "2026-03-29T10:00+02:00"),
            // there is no such time that day
            ("2026-03-29T01:00+01:00", "02:30", "2026-03-30T02:30+02:00"),
            // there are two
            ("2026-10-25T01:00+02:00", "02:30", "2026-10-25T02:30+02:00"),
            ("2026-10-25T02:40+02:00", "02:30", "2026-10-25T02:30+01:00"),
        ] {
            let [now, want] = [now, want].map(|at| at.parse::<Timestamp>().unwrap());
            let now = now.to_zoned_datetime(berlin.clone());
            let Ok(Appointment::At(time)) = time.parse() else { panic!("{time}") };
            assert_eq!(next(time, &now).unwrap().timestamp(), want, "{time} after {now}");
        }
    }
}
