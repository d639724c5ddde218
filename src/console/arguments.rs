//! The arguments of flagfallctl.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::appointment::Appointment;
use super::readers::{bus, difference, named, side, switch, time};
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
#[derive(Debug, Parser)]
#[command(name = "flagfallctl", version, after_help = AFTER_HELP, max_term_width = 100)]
pub(super) struct Arguments {
    /// The bus of the daemon: system, session or a D-Bus address.
    #[arg(long, global = true, value_name = "BUS", default_value = "system", value_parser = bus)]
    pub(super) bus: Bus,

    /// Print results as JSON.
    #[arg(long, global = true)]
    pub(super) json: bool,

    #[command(subcommand)]
    pub(super) command: Command,

    /// What the adjustments, joined with `+`, come to.
    #[arg(skip)]
    pub(super) adjustment: BySide<Adjustment>,
}

/// Where the daemon is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bus {
    System,
    Session,
    Address(String),
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Show both clocks, phase, turn, stage, moves, flags, control and health.
    Status,
    /// Follow the game on a full screen, with keys for the arbiter's operations; `?` there tells
    /// them.
    Watch {
        /// Print each event as a line; so it is, too, where there is no terminal.
        #[arg(long)]
        plain: bool,
    },
    #[command(flatten)]
    Order(Order),
    #[command(flatten)]
    Adjust(Part),
    /// Print the journal of a game, a JSON object a line; under fide that of a running game is for
    /// arbiters only.
    Journal {
        /// Which game, as `games` names it; else the running one.
        game: Option<String>,
        /// Go on with the lines that come.
        #[arg(long)]
        follow: bool,
    },
    /// List the games whose journals are kept, newest first.
    Games,
    /// List the presets, show one, or keep your own.
    Presets {
        #[command(subcommand)]
        command: Option<PresetsCommand>,
    },
    /// Say what a time control means; needs no daemon.
    Describe {
        /// A preset's id or any notation.
        #[arg(required = true)]
        control: Vec<String>,
    },
    /// Compute a game from its causes; needs no daemon.
    Replay(Replay),
    /// Tell a game afterwards: time used for each move, pauses, stages, penalties; a file needs no
    /// daemon.
    Report(Report),
    /// Show what the clocks would show had this game been played under another control.
    WhatIf {
        /// A preset's id or any notation.
        #[arg(required = true)]
        control: Vec<String>,
    },
    /// Take the game out, for another clock or to go on later.
    Export {
        /// The file to write; `-` is standard output.
        file: PathBuf,
    },
    /// Go on with a game that was taken out; the clock is paused.
    Import {
        /// The file to read; `-` is standard input.
        file: PathBuf,
    },
    /// Light all segments and lamps and sound the buzzer for three seconds.
    Selftest,
    /// Check the installation, and say what to do about what is wrong.
    Doctor,
    /// Print what a shell needs to complete the arguments; needs no daemon.
    Completions {
        /// The shell.
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

/// A program of flagfall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Program {
    /// The arbiter's console.
    Flagfallctl,
    /// The daemon.
    Flagfalld,
}

/// An order to the daemon, given in one call.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(super) enum Order {
    /// Start a game that is ready.
    Start {
        /// Whose clock is to run; else that of the side that moves first.
        #[arg(value_parser = side())]
        side: Option<Side>,
    },
    /// Stop the clocks.
    Pause {
        /// Why, for the record.
        reason: Vec<String>,
    },
    /// Let a paused clock run on.
    Resume {
        /// Whose clock is to run; else that of the side to move.
        #[arg(value_parser = side())]
        side: Option<Side>,
        /// The other clock was let run by mistake: what it used since was not used. Without a side, that
        /// of the side whose turn it is not runs on.
        #[arg(long)]
        instead: bool,
    },
    /// Set a new game.
    New {
        /// A preset's id or any notation: fide-classical, 3m+2s, 90+30, "40/2h, 30m+30s".
        #[arg(required = true)]
        control: Vec<String>,
        /// The set of switches to play under.
        #[arg(long, value_parser = named(&Profile::ALL, Profile::name))]
        profile: Option<Profile>,
        /// Set one switch apart from its profile.
        #[arg(long = "set", value_name = "SWITCH=VALUE", value_parser = switch)]
        switches: Vec<(String, String)>,
        /// Where White sits.
        #[arg(long, value_parser = named(&Seat::BOTH, Seat::name))]
        white_on: Option<Seat>,
        /// Give up a game that is being played.
        #[arg(long)]
        abandon: bool,
    },
    /// Take back the last press, or the last N.
    Undo {
        /// How many presses.
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        count: u32,
        /// What the other side has used since stays used.
        #[arg(long)]
        no_refund: bool,
    },
    /// Make good a forgotten press, or N of them by turns: the side to move completes its move now.
    InsertPress {
        /// How many presses.
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        count: u32,
    },
    /// Let White and Black change seats; times, moves and flags go with the colour.
    Swap,
    /// Put down that a player has come.
    Arrived {
        #[arg(value_parser = side())]
        side: Side,
    },
    /// Go on under another control; the times stay as they are.
    Change {
        /// A preset's id or any notation.
        #[arg(required = true)]
        control: Vec<String>,
        /// The times become what this game's presses come to under the other control.
        #[arg(long)]
        replayed: bool,
    },
    /// Count an offence, and give the opponent what it brings.
    Penalty {
        /// Who offended.
        #[arg(value_parser = side())]
        side: Side,
        /// In what.
        #[arg(value_parser = named(&Offence::ALL, Offence::name))]
        offence: Offence,
        /// The opponent has replied to the illegal move: take the reply back, too.
        #[arg(long)]
        after_reply: bool,
    },
    /// Grant a quickplay claim: five seconds a move from now on, two minutes for the opponent.
    Quickplay {
        /// Who claimed.
        #[arg(value_parser = side())]
        side: Side,
    },
    /// Start by itself at a time of the day.
    StartAt {
        /// The next 10:00, or 10:00:30, in local time; `off`: not by itself.
        #[arg(value_name = "HH:MM")]
        time: Appointment,
    },
    /// Close the box's menu and correction; presses and pause always work.
    Lock,
    /// Open the box's menu and correction.
    Unlock,
    /// End the game.
    End {
        /// How it ended.
        #[arg(value_parser = named(&GameResult::ALL, GameResult::name))]
        result: GameResult,
    },
    /// Give the time of a stage that waits for confirmation.
    Confirm {
        #[arg(value_parser = side())]
        side: Side,
    },
    /// After a power cut: let the clock stand where it stood at the last record (as it does
    /// already), or where it stood at the last press.
    Recover {
        #[arg(value_parser = named(&Candidate::ALL, Candidate::name))]
        candidate: Candidate,
    },
    /// Press for a player who cannot use the button.
    Press {
        #[arg(value_parser = side())]
        side: Side,
    },
}

/// A part of an adjustment.
#[derive(Debug, Subcommand)]
pub(super) enum Part {
    /// Set a side's main time.
    Set {
        #[arg(value_parser = side())]
        side: Side,
        #[arg(value_parser = time)]
        time: Span,
    },
    /// Add to a side's main time, or take away: `add white -1m`.
    Add {
        #[arg(value_parser = side())]
        side: Side,
        #[arg(value_name = "[-]TIME", value_parser = difference, allow_hyphen_values = true)]
        time: Span,
    },
    /// Set a side's move counter.
    Moves {
        #[arg(value_parser = side())]
        side: Side,
        #[arg(value_name = "N")]
        count: u32,
    },
    /// Put a side into another stage, counted from 1.
    Stage {
        #[arg(value_parser = side())]
        side: Side,
        #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        number: u32,
        /// Move the time of the stages left or entered, too.
        #[arg(long)]
        with_time: bool,
    },
    /// Set a side's byo-yomi periods left.
    Periods {
        #[arg(value_parser = side())]
        side: Side,
        #[arg(value_name = "N")]
        count: u32,
    },
    /// Set the stones left in a side's Canadian block.
    Stones {
        #[arg(value_parser = side())]
        side: Side,
        #[arg(value_name = "N")]
        count: u32,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum PresetsCommand {
    /// Show one preset.
    Show {
        /// Its id.
        id: String,
    },
    /// Keep a control under an id of your own.
    Save {
        /// Its id, a word: club-evening.
        id: String,
        /// Its name, as the box shows it: "Club evening".
        name: String,
        /// A preset's id or any notation.
        #[arg(required = true)]
        control: Vec<String>,
    },
    /// Forget a preset of your own.
    Delete {
        /// Its id.
        id: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct Replay {
    /// The lines to replay; `-` is standard input.
    pub(super) file: String,
    /// Check the hash chain, and that every recorded effect and state comes out again: the first
    /// line that is not right ends it with exit code 1.
    #[arg(long, conflicts_with_all = ["control", "profile"])]
    pub(super) verify: bool,
    /// Another control than the game's own.
    #[arg(long)]
    pub(super) control: Option<String>,
    /// Another profile than the game's own.
    #[arg(long, value_parser = named(&Profile::ALL, Profile::name))]
    pub(super) profile: Option<Profile>,
    /// Print times down to the nanosecond.
    #[arg(long)]
    pub(super) ns: bool,
}

#[derive(Debug, Args)]
pub(super) struct Report {
    /// Which game, as `games` names it, or a file with its journal (`-` is standard input); else
    /// the running one.
    pub(super) game: Option<String>,
    /// Write a picture for a sheet of A4 (SVG); `-` is standard output.
    #[arg(long, value_name = "FILE", group = "form")]
    pub(super) svg: Option<PathBuf>,
    /// Write a table for a spreadsheet, times in seconds; `-` is standard output.
    #[arg(long, value_name = "FILE", group = "form")]
    pub(super) csv: Option<PathBuf>,
    /// Write a PGN with `%clk` and `%emt`. Where the file is there, the times are put into its
    /// moves and all else in it stays; `-` is standard output.
    #[arg(long, value_name = "FILE", group = "form")]
    pub(super) pgn: Option<PathBuf>,
    /// Take the moves from this PGN instead, and leave it as it is; `-` is standard input.
    #[arg(long, value_name = "FILE", requires = "pgn")]
    pub(super) moves: Option<PathBuf>,
    /// Which game of the PGN, counted from 1; needed where it holds several.
    #[arg(long, value_name = "N", requires = "pgn")]
    pub(super) which: Option<usize>,
}
