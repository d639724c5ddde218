//! Adjustments joined with `+`.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use super::arguments::{AdjustCommand, Cli, Command, OrderOptions, names};
use crate::control::{BySide, Side};
use crate::engine::Adjustment;

/// Parses the arguments. Adjustments joined with `+` become one.
pub(super) fn parse(words: Vec<OsString>) -> Result<Cli, clap::Error> {
    if !is_adjustment(&words) {
        return Cli::try_parse_from(words);
    }
    let program = words.first().cloned().unwrap_or_default();
    let mut segments = words.split(|word| word == "+");
    let mut all = Cli::try_parse_from(segments.next().unwrap_or_default())?;
    change(&mut all.adjustment, &all.command)?;
    for segment in segments {
        let further = Cli::try_parse_from(std::iter::once(&program).chain(segment))?;
        change(&mut all.adjustment, &further.command)?;
        all.json |= further.json;
        let OrderOptions { dry_run, reason, on_behalf_of } = further.options;
        all.options.dry_run |= dry_run;
        all.options.reason = all.options.reason.or(reason);
        all.options.on_behalf_of = all.options.on_behalf_of.or(on_behalf_of);
    }
    Ok(all)
}

/// True if the command can be joined; elsewhere `+` is an ordinary word (in the reason of a pause,
/// in the notation of a control).
fn is_adjustment(words: &[OsString]) -> bool {
    let mut words = words.iter().skip(1).map(OsString::as_os_str);
    while let Some(word) = words.next() {
        if ["--bus", "--reason", "--on-behalf-of"].into_iter().any(|option| word == option) {
            words.next();
        } else if !word.as_encoded_bytes().starts_with(b"-") {
            return word.to_str().is_some_and(AdjustCommand::has_subcommand);
        }
    }
    false
}

/// Adds a part to an adjustment.
fn change(all: &mut BySide<Adjustment>, command: &Command) -> Result<(), clap::Error> {
    let Command::Adjust(part) = command else {
        return Err(usage(format!(
            "only {} can be joined with `+`",
            names::<AdjustCommand>().join(", ")
        )));
    };
    use AdjustCommand::{Add, Moves, Periods, Set, Stage, Stones};
    match *part {
        Set { side, .. } | Add { side, .. } if all[side].main.or(all[side].add).is_some() => {
            Err(twice(side, "main time"))
        }
        Set { side, time } => put(&mut all[side].main, time, side, "main time"),
        Add { side, time } => put(&mut all[side].add, time, side, "main time"),
        Moves { side, n } => put(&mut all[side].moves, n, side, "move counter"),
        Stage { side, n, with_time } => {
            all[side].stage_time = with_time;
            put(&mut all[side].stage, n, side, "stage")
        }
        Periods { side, n } => put(&mut all[side].periods, n, side, "number of periods"),
        Stones { side, n } => put(&mut all[side].stones, n, side, "number of stones"),
    }
}

fn put<T>(place: &mut Option<T>, value: T, side: Side, what: &str) -> Result<(), clap::Error> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(twice(side, what)),
    }
}

fn twice(side: Side, what: &str) -> clap::Error {
    usage(format!("{side}'s {what} is changed twice; change it once"))
}

fn usage(sentence: String) -> clap::Error {
    Cli::command().error(ErrorKind::ArgumentConflict, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::arguments::OrderCommand;
    use crate::time::Span;

    fn read(words: &[&str]) -> Result<Cli, clap::Error> {
        parse(std::iter::once(&"flagfallctl").chain(words).map(OsString::from).collect())
    }

    #[test]
    fn joined_parts_come_to_one_adjustment() {
        let words = ["set", "white", "1:02:03", "+", "moves", "white", "14", "+", "add", "black"];
        let all = read(&[&words, &["-1h5m", "--json"] as &[_]].concat()).expect("usage is good");
        let white = Adjustment {
            main: Some(Span::from_secs(3723)),
            moves: Some(14),
            ..Adjustment::default()
        };
        let black = Adjustment { add: Some(-Span::from_mins(65)), ..Adjustment::default() };
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
            main: Some(Span::from_secs(90)),
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
            let by = Some(Span::from_secs(seconds));
            assert_eq!(all.adjustment.white.add, by, "{time}");
        }
    }

    #[test]
    fn a_plus_is_a_word_like_any_other_where_nothing_can_be_joined() {
        let all = read(&["--bus", "session", "pause", "set", "+", "match"]).expect("usage is good");
        let Command::Order(OrderCommand::Pause { why }) = all.command else {
            panic!("{:?}", all.command);
        };
        assert_eq!(why, ["set", "+", "match"]);
        assert_eq!(all.options.reason, None);
    }
}
