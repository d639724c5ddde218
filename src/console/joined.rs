//! Several adjustments joined with `+` into one.

use std::ffi::{OsStr, OsString};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use super::arguments::{Arguments, Command, Part};
use crate::control::{BySide, Side};
use crate::engine::{Adjustment, Change};

/// The commands that can be joined.
const PARTS: [&str; 6] = ["set", "add", "moves", "stage", "periods", "stones"];

/// Reads the program's arguments. Adjustments joined with `+` come to one.
pub(super) fn parse(words: Vec<OsString>) -> Result<Arguments, clap::Error> {
    if !is_adjustment(&words) {
        return Arguments::try_parse_from(words);
    }
    let program = words.first().cloned().unwrap_or_default();
    let mut segments = words.split(|word| word == "+");
    let mut all = Arguments::try_parse_from(segments.next().unwrap_or_default())?;
    change(&mut all.adjustment, &all.command)?;
    for segment in segments {
        let further = Arguments::try_parse_from(std::iter::once(&program).chain(segment))?;
        change(&mut all.adjustment, &further.command)?;
        all.json |= further.json;
    }
    Ok(all)
}

/// True if the command is one of those that can be joined: else a `+` is a word like any other
/// (the reason of a pause, the notation of a control).
fn is_adjustment(words: &[OsString]) -> bool {
    let mut words = words.iter().skip(1).map(OsString::as_os_str);
    while let Some(word) = words.next() {
        if word == "--bus" {
            words.next();
        } else if !word.as_encoded_bytes().starts_with(b"-") {
            return PARTS.into_iter().any(|part| word == OsStr::new(part));
        }
    }
    false
}

/// Adds a part to an adjustment.
fn change(all: &mut BySide<Adjustment>, command: &Command) -> Result<(), clap::Error> {
    let Command::Adjust(part) = command else {
        return Err(usage(format!("only {} can be joined with `+`", PARTS.join(", "))));
    };
    match *part {
        Part::Set { side, time } => put(&mut all[side].main, Change::To(time), side, "main time"),
        Part::Add { side, time } => put(&mut all[side].main, Change::By(time), side, "main time"),
        Part::Moves { side, count } => put(&mut all[side].moves, count, side, "move counter"),
        Part::Stage { side, number, with_time } => {
            all[side].stage_time = with_time;
            put(&mut all[side].stage, number, side, "stage")
        }
        Part::Periods { side, count } => {
            put(&mut all[side].periods, count, side, "number of periods")
        }
        Part::Stones { side, count } => put(&mut all[side].stones, count, side, "number of stones"),
    }
}

fn put<T>(place: &mut Option<T>, value: T, side: Side, what: &str) -> Result<(), clap::Error> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(usage(format!("{side}'s {what} is changed twice; change it once"))),
    }
}

fn usage(sentence: String) -> clap::Error {
    Arguments::command().error(ErrorKind::ArgumentConflict, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;

    fn read(words: &[&str]) -> Result<Arguments, clap::Error> {
        parse(std::iter::once(&"flagfallctl").chain(words).map(OsString::from).collect())
    }

    #[test]
    fn joined_parts_come_to_one_adjustment() {
        let words = ["set", "white", "1:02:03", "+", "moves", "white", "14", "+", "add", "black"];
        let all = read(&[&words, &["-1h5m", "--json"] as &[_]].concat()).expect("usage is good");
        let white = Adjustment {
            main: Some(Change::To(Span::from_secs(3723))),
            moves: Some(14),
            ..Adjustment::default()
        };
        let black =
            Adjustment { main: Some(Change::By(-Span::from_mins(65))), ..Adjustment::default() };
        assert_eq!(all.adjustment, BySide { white, black });
        assert!(all.json);
    }

    #[test]
    fn every_part_changes_its_own_value() {
        let words = "stage white 2 --with-time + periods white 3 + stones black 10 + set black 90s";
        let all = read(&words.split(' ').collect::<Vec<_>>()).expect("usage is good");
        let white = Adjustment {
            stage: Some(2),
            stage_time: true,
            periods: Some(3),
            ..Adjustment::default()
        };
        let black = Adjustment {
            stones: Some(10),
            main: Some(Change::To(Span::from_secs(90))),
            ..Adjustment::default()
        };
        assert_eq!(all.adjustment, BySide { white, black });
    }

    #[test]
    fn a_time_is_read_in_every_form_and_added_or_taken_away() {
        for (time, seconds) in [
            ("1h5m", 3900),
            ("12:34", 754),
            ("1:02:03", 3723),
            ("90s", 90),
            ("+90s", 90),
            ("-0:30", -30),
        ] {
            let all = read(&["add", "white", time]).expect("usage is good");
            let by = Some(Change::By(Span::from_secs(seconds)));
            assert_eq!(all.adjustment.white.main, by, "{time}");
        }
    }

    #[test]
    fn a_plus_is_a_word_like_any_other_where_nothing_can_be_joined() {
        let all = read(&["--bus", "session", "pause", "set", "+", "match"]).expect("usage is good");
        let Command::Order(crate::console::arguments::Order::Pause { reason }) = all.command else {
            panic!("{:?}", all.command);
        };
        assert_eq!(reason, ["set", "+", "match"]);
    }
}
