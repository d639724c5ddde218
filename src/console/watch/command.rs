//! What an arbiter types at the watch: the words of flagfallctl itself, read by the same parser.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Subcommand};

use super::super::arguments::{AdjustCommand, Cli, Command, OrderCommand, names};
use super::super::joined;
use super::super::orders::Call;
use crate::record::Fields;

/// A command for the daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypedCommand {
    /// As it was typed.
    pub(super) words: String,
    /// What it does, in the words of the manual.
    pub(super) about: String,
    pub(super) cli: Cli,
}

/// What a command will do, shown before it is confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandPreview {
    pub(super) command: TypedCommand,
    /// The operation that is confirmed; `None` for a self-test and for what only shows something.
    pub(super) call: Option<Call>,
    /// The newest line that the preview knows: the command is for that and no later one.
    pub(super) seq: u64,
    pub(super) before: Fields,
    /// The state that it leads to; `None` where the clocks are not concerned.
    pub(super) after: Option<Fields>,
    /// Further lines to show.
    pub(super) notes: Vec<String>,
}

impl CommandPreview {
    /// True if there is something to confirm.
    pub(super) fn can_be_applied(&self) -> bool {
        !matches!(self.command.cli.command, Command::WhatIf { .. })
    }
}

/// The commands of the command line that are neither orders nor adjustments and work here, too.
const OTHERS: [&str; 2] = ["what-if", "selftest"];

/// True if a command of that name can be given here.
pub(super) fn is_known(name: &str) -> bool {
    OrderCommand::has_subcommand(name)
        || AdjustCommand::has_subcommand(name)
        || OTHERS.contains(&name)
}

fn known() -> String {
    let all = [names::<OrderCommand>(), names::<AdjustCommand>(), OTHERS.map(str::to_owned).into()];
    all.concat().join(", ")
}

impl TypedCommand {
    /// Reads what was typed.
    ///
    /// # Errors
    /// What is wrong and what would work, in lines for the screen.
    pub(super) fn read(typed: &str) -> Result<TypedCommand, Vec<String>> {
        let mut words = split(typed);
        if words.first().is_some_and(|word| word == "flagfallctl") {
            words.remove(0);
        }
        let Some(name) = words.first().cloned() else {
            return Err(vec![format!("type one of {}", known())]);
        };
        if let Some(word) = words.iter().find(|word| is_for_the_program(word)) {
            return Err(vec![format!("{word} is for the command line: leave it out here")]);
        }
        let all = std::iter::once("flagfallctl").chain(words.iter().map(String::as_str));
        let cli = joined::parse(all.map(OsString::from).collect()).map_err(|why| lines(&why))?;
        if !is_known(&name) {
            return Err(vec![format!("{name} is for the command line; here are {}", known())]);
        }
        let joined = words.iter().any(|word| word == "+");
        let about = match &cli.command {
            Command::Adjust(_) if joined => "Correct the clocks in one step".to_owned(),
            _ => about(&name),
        };
        Ok(TypedCommand { words: words.join(" "), about, cli })
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

/// Options that would have no effect here. A preview is shown for every command.
fn is_for_the_program(word: &str) -> bool {
    ["--json", "--bus", "--dry-run"].contains(&word) || word.starts_with("--bus=")
}

/// What a command does, as its help says.
fn about(name: &str) -> String {
    let program = Cli::command();
    let about = program.find_subcommand(name).and_then(clap::Command::get_about);
    about.map(ToString::to_string).unwrap_or_default()
}

/// The usage of the command whose name a line begins with: `set <SIDE> <TIME>`.
pub(super) fn usage(typed: &str) -> Option<String> {
    let name = typed.split_whitespace().next().filter(|name| is_known(name))?;
    let mut command = Cli::command().find_subcommand(name)?.clone();
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace(" [OPTIONS]", "");
    let options =
        command.get_arguments().filter_map(clap::Arg::get_long).filter(|long| *long != "help");
    Some(options.fold(usage, |usage, option| format!("{usage} [--{option}]")))
}

/// The parser's message without what only a command line needs; help as it is.
fn lines(error: &clap::Error) -> Vec<String> {
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
    use crate::engine::Offence;
    use crate::time::Span;

    fn read(typed: &str) -> Cli {
        TypedCommand::read(typed).unwrap_or_else(|why| panic!("{typed}: {why:?}")).cli
    }

    #[test]
    fn what_is_typed_is_read_as_on_the_command_line() {
        let penalty = OrderCommand::Penalty {
            side: Side::White,
            offence: Offence::WrongClaim,
            after_reply: false,
        };
        let undo = OrderCommand::Undo { count: 2, no_refund: false };
        for (typed, command) in [
            ("start", Command::Order(OrderCommand::Start { side: None })),
            ("flagfallctl undo 2", Command::Order(undo)),
            ("  penalty  white wrong-claim ", Command::Order(penalty)),
            (
                "what-if \"40/2h, 30m+30s\"",
                Command::WhatIf { control: vec!["40/2h, 30m+30s".to_owned()] },
            ),
            ("selftest", Command::Selftest),
        ] {
            assert_eq!(read(typed).command, command, "{typed}");
        }
        let both = read("set white 5m + add black -30s").adjustment;
        assert_eq!(both.white.main, Some(Span::from_mins(5)));
        assert_eq!(both.black.add, Some(Span::from_secs(-30)));
        let reason = read("swap --reason \"wrong colours\"").options.reason;
        assert_eq!(reason.as_deref(), Some("wrong colours"));
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
            ("pause --dry-run", "leave it out"),
            ("--bus session pause", "leave it out"),
            ("penalty --help", "Who offended"),
        ] {
            let told = TypedCommand::read(typed).expect_err(typed).join("\n");
            assert!(told.contains(part), "{typed}: {told}");
            assert!(!told.starts_with("error"), "{typed}: {told}");
        }
    }

    #[test]
    fn every_command_that_is_named_is_there_and_says_what_it_does() {
        for name in known().split(", ") {
            assert!(is_known(name) && !about(name).is_empty(), "{name}");
        }
    }
}
