//! The arguments of flagfallctl.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::appointment::Appointment;
use super::readers::{bus, difference, switch, time};
use crate::control::{BySide, Profile, Seat, Side};
use crate::engine::{Adjustment, Candidate, GameResult, Offence};
use crate::time::Span;

const AFTER_HELP: &str = "\
Several of set, add, moves, stage, periods and stones make one adjustment when joined with `+`:
  flagfallctl set white 1:02:03 + moves white 14 + add black -30s

SIDE is white or black. TIME is 1h5m, 12:34 (minutes and seconds), 1:02:03 or 90s.

Exit codes: 0 done, 1 refused by the daemon, 2 bad usage, 3 no daemon, 4 not permitted,
74 the output could not be written.";

/// The arbiter's console of the chess clock flagfall.
#[derive(Clone, Debug, PartialEq, Eq, Parser)]
#[command(name = "flagfallctl", version, after_help = AFTER_HELP, max_term_width = 100)]
pub(super) struct Cli {
    /// The bus of the daemon: system, session or a D-Bus address.
    #[arg(long, global = true, value_name = "BUS", default_value = "system", value_parser = bus)]
    pub(super) bus: BusAddress,

    /// Print results as JSON.
    #[arg(long, global = true)]
    pub(super) json: bool,

    #[command(flatten, next_help_heading = "Options of orders")]
    pub(super) options: OrderOptions,

    #[command(subcommand)]
    pub(super) command: Command,

    /// The adjustments that were joined with `+`.
    #[arg(skip)]
    pub(super) adjustment: BySide<Adjustment>,
}

/// Options of every order; global, so that they may be anywhere in the line.
#[derive(Clone, Debug, PartialEq, Eq, Default, Args)]
pub(super) struct OrderOptions {
    /// Show what the order would do to the clocks, and do nothing.
    #[arg(long, global = true)]
    pub(super) dry_run: bool,

    /// Why, for the record.
    #[arg(long, global = true, value_name = "TEXT")]
    pub(super) reason: Option<String>,

    /// Who asked for the order, for the record.
    #[arg(long, global = true, value_name = "NAME")]
    pub(super) on_behalf_of: Option<String>,
}

/// Where the daemon is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BusAddress {
    System,
    Session,
    Address(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(super) enum Command {
    /// Show both clocks, phase, turn, stage, moves, flags, control and health.
    Status,
    /// Follow the game on a full screen, with keys for the arbiter's operations (`?` lists them).
    Watch {
        /// Print each event as a line; the default without a terminal.
        #[arg(long)]
        plain: bool,
    },
    #[command(flatten)]
    Order(OrderCommand),
    #[command(flatten)]
    Adjust(AdjustCommand),
    /// Print the journal of a game, a JSON object per line; under fide that of a running game is for
    /// arbiters only.
    Journal {
        /// The name of a game, from `games`; the running one by default.
        game: Option<String>,
        /// Print new lines as they are written.
        #[arg(long)]
        follow: bool,
    },
    /// List the recorded games, newest first.
    Games,
    /// List the presets, show one, save or delete your own.
    Presets {
        #[command(subcommand)]
        command: Option<PresetsCommand>,
    },
    /// Explain a time control; needs no daemon.
    Describe {
        /// A preset's id or any notation.
        #[arg(required = true)]
        control: Vec<String>,
    },
    /// Replay a game from its journal; needs no daemon.
    Replay(ReplayArgs),
    /// Report on a game: time used for each move, pauses, stages, penalties; a file needs no daemon.
    Report(ReportArgs),
    /// Show the clocks as if this game had been played under another control.
    WhatIf {
        /// A preset's id or any notation.
        #[arg(required = true)]
        control: Vec<String>,
    },
    /// Save the game, for another clock or to continue later.
    Export {
        /// The file to write; `-` is standard output.
        file: PathBuf,
    },
    /// Continue a game that was exported; the clock is paused.
    Import {
        /// The file to read; `-` is standard input.
        file: PathBuf,
    },
    /// Turn on all segments, lamps and the buzzer for three seconds.
    Selftest,
    /// Check the installation, and say how to fix it.
    Doctor,
    /// Print a completion script for a shell; needs no daemon.
    Completions {
        shell: Shell,
        /// The program whose arguments are completed.
        #[arg(default_value = "flagfallctl")]
        program: Program,
    },
    /// Print the manual page; needs no daemon.
    Man {
        /// The program whose page it is.
        #[arg(default_value = "flagfallctl")]
        program: Program,
        /// Write all pages of both programs into a folder.
        #[arg(long, value_name = "FOLDER", conflicts_with = "program")]
        into: Option<PathBuf>,
    },
}

/// The names of commands.
pub(super) fn names<T: Subcommand>() -> Vec<String> {
    let commands = T::augment_subcommands(clap::Command::new(""));
    commands.get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// A program of flagfall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Program {
    Flagfallctl,
    Flagfalld,
}

/// An order to the daemon.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(super) enum OrderCommand {
    /// Start a game that is ready.
    Start {
        /// Whose clock runs; by default that of the side that moves first.
        side: Option<Side>,
    },
    /// Stop the clocks.
    Pause {
        /// Why, for the record.
        #[arg(value_name = "REASON")]
        why: Vec<String>,
    },
    /// Resume a paused game.
    Resume {
        /// Whose clock runs; by default that of the side to move.
        side: Option<Side>,
        /// The wrong clock was resumed: give back the time it has used since. Without a side, the clock
        /// of the side that is not to move runs.
        #[arg(long)]
        instead: bool,
    },
    /// Set a new game.
    New {
        /// A preset's id or any notation: fide-classical, 3m+2s, 90+30, "40/2h, 30m+30s".
        #[arg(required = true)]
        control: Vec<String>,
        /// The set of rules.
        #[arg(long)]
        profile: Option<Profile>,
        /// Set a switch of the profile.
        #[arg(long = "set", value_name = "SWITCH=VALUE", value_parser = switch)]
        switches: Vec<(String, String)>,
        /// Where White sits.
        #[arg(long)]
        white_on: Option<Seat>,
        /// Abandon a game that is in progress.
        #[arg(long)]
        abandon: bool,
    },
    /// Undo the last press, or the last N.
    Undo {
        /// How many presses.
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        count: u32,
        /// The time that the other side has used since stays used.
        #[arg(long)]
        no_refund: bool,
    },
    /// Add a forgotten press, or N of them by turns: the side to move completes its move now.
    InsertPress {
        /// How many presses.
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        count: u32,
    },
    /// Swap the seats of White and Black; times, moves and flags go with the colour.
    Swap,
    /// Record that a player has arrived.
    Arrived { side: Side },
    /// Continue under another control; the times stay as they are.
    Change {
        /// A preset's id or any notation.
        #[arg(required = true)]
        control: Vec<String>,
        /// Recompute the times from this game's presses under the other control.
        #[arg(long)]
        replayed: bool,
    },
    /// Record an offence, and give the opponent the time for it.
    Penalty {
        /// Who offended.
        side: Side,
        /// The offence.
        offence: Offence,
        /// The opponent has replied to the illegal move: undo the reply, too.
        #[arg(long)]
        after_reply: bool,
    },
    /// Grant a quickplay claim: five seconds a move from now on, two minutes for the opponent.
    Quickplay {
        /// Who claimed.
        side: Side,
    },
    /// Schedule the start.
    StartAt {
        /// The next 10:00, or 10:00:30, in local time; `off`: cancel the scheduled start.
        #[arg(value_name = "HH:MM")]
        time: Appointment,
    },
    /// Lock the box's menu and correction; presses and pause always work.
    Lock,
    /// Unlock the box's menu and correction.
    Unlock,
    /// End the game.
    End {
        /// The result.
        result: GameResult,
    },
    /// Give the time of a stage that waits for confirmation.
    Confirm { side: Side },
    /// After a power cut: set the clock to the last record (where it is already) or to the last press.
    Recover { candidate: Candidate },
    /// Press for a player who cannot use the button.
    Press { side: Side },
}

/// A correction of a clock; several can be joined.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(super) enum AdjustCommand {
    /// Set a side's main time.
    Set {
        side: Side,
        #[arg(value_parser = time)]
        time: Span,
    },
    /// Add to a side's main time, or take away: `add white -1m`.
    Add {
        side: Side,
        #[arg(value_name = "[-]TIME", value_parser = difference, allow_hyphen_values = true)]
        time: Span,
    },
    /// Set a side's move counter.
    Moves { side: Side, n: u32 },
    /// Move a side to another stage, counted from 1.
    Stage {
        side: Side,
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        n: u32,
        /// Also give or take the time of the stages in between.
        #[arg(long)]
        with_time: bool,
    },
    /// Set a side's byo-yomi periods left.
    Periods { side: Side, n: u32 },
    /// Set the stones left in a side's Canadian block.
    Stones { side: Side, n: u32 },
}

#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(super) enum PresetsCommand {
    /// Show one preset.
    Show {
        /// Its id.
        id: String,
    },
    /// Save a control under an id of your own.
    Save {
        /// Its id, a word: club-evening.
        id: String,
        /// Its name, as the box shows it: "Club evening".
        name: String,
        /// A preset's id or any notation.
        #[arg(required = true)]
        control: Vec<String>,
    },
    /// Delete a preset of your own.
    Delete {
        /// Its id.
        id: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub(super) struct ReplayArgs {
    /// The file; `-` is standard input.
    pub(super) file: String,
    /// Check the hash chain and that the replay gives every recorded effect and state; ends with exit
    /// code 1 at the first line that does not hold.
    #[arg(long, conflicts_with_all = ["control", "profile"])]
    pub(super) verify: bool,
    /// Replay under another control.
    #[arg(long)]
    pub(super) control: Option<String>,
    /// Replay under another profile.
    #[arg(long)]
    pub(super) profile: Option<Profile>,
    /// Print nanoseconds.
    #[arg(long)]
    pub(super) ns: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub(super) struct ReportArgs {
    /// The name of a game, from `games`, or a file with its journal (`-` is standard input); the running
    /// game by default.
    pub(super) game: Option<String>,
    /// Write a picture for a sheet of A4 (SVG); `-` is standard output.
    #[arg(long, value_name = "FILE", group = "form")]
    pub(super) svg: Option<PathBuf>,
    /// Write a table for a spreadsheet, times in seconds; `-` is standard output.
    #[arg(long, value_name = "FILE", group = "form")]
    pub(super) csv: Option<PathBuf>,
    /// Write a PGN with `%clk` and `%emt`; where the file exists, add the times to its moves and leave
    /// the rest as it is; `-` is standard output.
    #[arg(long, value_name = "FILE", group = "form")]
    pub(super) pgn: Option<PathBuf>,
    /// Take the moves from this PGN, which is not changed; `-` is standard input.
    #[arg(long, value_name = "FILE", requires = "pgn")]
    pub(super) moves: Option<PathBuf>,
    /// The game in the PGN, counted from 1; needed where it has several.
    #[arg(long, value_name = "N", requires = "pgn")]
    pub(super) which: Option<usize>,
}
