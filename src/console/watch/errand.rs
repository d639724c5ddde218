//! What an arbiter types at the watch: the words of flagfallctl itself, read by the same parser.

use std::ffi::OsString;

use clap::CommandFactory;
use clap::error::ErrorKind;

use super::super::arguments::{Arguments, Command, Order};
use super::super::joined;
use crate::control::BySide;
use crate::engine::Adjustment;

/// Something to be done, or to be shown, by the daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Errand {
    /// As it was typed.
    pub(super) words: String,
    /// What it does, in the words of the manual.
    pub(super) about: String,
    pub(super) what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Order(Order),
    Adjust(BySide<Adjustment>),
    SelfTest,
    /// What the clocks would show under another control; changes nothing.
    Would(String),
}

/// The commands that have a place here.
pub(super) const COMMANDS: [&str; 26] = [
    "start",
    "pause",
    "resume",
    "end",
    "new",
    "set",
    "add",
    "moves",
    "stage",
    "periods",
    "stones",
    "undo",
    "insert-press",
    "press",
    "swap",
    "confirm",
    "arrived",
    "change",
    "what-if",
    "penalty",
    "quickplay",
    "start-at",
    "lock",
    "unlock",
    "recover",
    "selftest",
];

impl Errand {
    /// Reads what was typed.
    ///
    /// # Errors
    /// What makes no sense and what would, in lines for the screen.
    pub(super) fn read(typed: &str) -> Result<Errand, Vec<String>> {
        let mut words = split(typed);
        if words.first().is_some_and(|word| word == "flagfallctl") {
            words.remove(0);
        }
        let Some(name) = words.first().cloned() else {
            return Err(vec![format!("type one of {}", COMMANDS.join(", "))]);
        };
        if let Some(word) = words.iter().find(|word| is_for_the_program(word)) {
            return Err(vec![format!("{word} is for the command line: leave it out here")]);
        }
        let all = std::iter::once("flagfallctl".to_owned()).chain(words.iter().cloned());
        let arguments =
            joined::parse(all.map(OsString::from).collect()).map_err(|error| told(&error))?;
        let what = match arguments.command {
            Command::Order(order) => What::Order(order),
            Command::Adjust(_) => What::Adjust(arguments.adjustment),
            Command::Selftest => What::SelfTest,
            Command::WhatIf { control } => What::Would(control.join(" ")),
            _ => {
                return Err(vec![format!(
                    "{name} is for the command line; here are {}",
                    COMMANDS.join(", ")
                )]);
            }
        };
        let about = match words.iter().any(|word| word == "+") && matches!(what, What::Adjust(_)) {
            true => "Correct the clocks in one step".to_owned(),
            false => about(&name),
        };
        Ok(Errand { words: words.join(" "), about, what })
    }
}

/// The words of a line; double quotes keep some together.
fn split(typed: &str) -> Vec<String> {
    let parts = typed.split('"').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// Options of the program that would be passed over in silence here.
fn is_for_the_program(word: &str) -> bool {
    word == "--json" || word == "--bus" || word.starts_with("--bus=")
}

/// What a command does, as its help says.
fn about(name: &str) -> String {
    let program = Arguments::command();
    let about = program.find_subcommand(name).and_then(clap::Command::get_about);
    about.map(ToString::to_string).unwrap_or_default()
}

/// How the command is written whose name a line begins with: `set <SIDE> <TIME>`.
pub(super) fn usage(typed: &str) -> Option<String> {
    let name = typed.split_whitespace().next().filter(|name| COMMANDS.contains(name))?;
    let mut command = Arguments::command().find_subcommand(name)?.clone();
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace(" [OPTIONS]", "");
    let options =
        command.get_arguments().filter_map(clap::Arg::get_long).filter(|long| *long != "help");
    Some(options.fold(usage, |usage, option| format!("{usage} [--{option}]")))
}

/// The parser's sentence without what only a command line needs; help as it is.
fn told(error: &clap::Error) -> Vec<String> {
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim_end);
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return lines.map(str::to_owned).collect();
    }
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    let lines = lines.map(|line| line.strip_prefix("error: ").unwrap_or(line).trim());
    lines.map(|line| line.replace("flagfallctl ", "")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Side;
    use crate::engine::{Change, Offence};
    use crate::time::Span;

    fn read(typed: &str) -> What {
        Errand::read(typed).unwrap_or_else(|why| panic!("{typed}: {why:?}")).what
    }

    #[test]
    fn what_is_typed_is_read_as_on_the_command_line() {
        let penalty =
            Order::Penalty { side: Side::White, offence: Offence::WrongClaim, after_reply: false };
        for (typed, what) in [
            ("start", What::Order(Order::Start { side: None })),
            ("flagfallctl undo 2", What::Order(Order::Undo { count: 2, no_refund: false })),
            ("  penalty  white wrong-claim ", What::Order(penalty)),
            ("what-if \"40/2h, 30m+30s\"", What::Would("40/2h, 30m+30s".to_owned())),
            ("what-if 40/2h, 30m+30s", What::Would("40/2h, 30m+30s".to_owned())),
            ("selftest", What::SelfTest),
        ] {
            assert_eq!(read(typed), what, "{typed}");
        }
        let What::Adjust(both) = read("set white 5m + add black -30s") else { panic!() };
        assert_eq!(both.white.main, Some(Change::To(Span::from_mins(5))));
        assert_eq!(both.black.main, Some(Change::By(Span::from_secs(-30))));
    }

    #[test]
    fn what_makes_no_sense_is_answered_with_what_would() {
        for (typed, part) in [
            ("", "start, pause"),
            ("pres white", "press"),
            ("set white", "<TIME>"),
            ("set green 5m", "white, black"),
            ("set white soon", "soon"),
            ("journal", "is for the command line"),
            ("pause --json", "leave it out"),
            ("--bus session pause", "leave it out"),
            ("penalty --help", "Who offended"),
        ] {
            let told = Errand::read(typed).expect_err(typed).join("\n");
            assert!(told.contains(part), "{typed}: {told}");
            assert!(!told.starts_with("error"), "{typed}: {told}");
        }
    }

    #[test]
    fn every_command_that_is_named_is_there_and_says_what_it_does() {
        for name in COMMANDS {
            assert!(!about(name).is_empty(), "{name}");
        }
    }
}
