//! The arguments of flagfallctl.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::control::{BySide, Profile, Seat, Side, Switches, notation};
use crate::engine::{Adjustment, Candidate, GameResult};
use crate::time::Span;

const AFTER_HELP: &str = "\
Several of set, add, moves, stage, periods and stones make one adjustment when joined with `+`:
  flagfallctl set white 1:02:03 + moves white 14 + add black -30s

SIDE is white or black. TIME is 1h5m, 12:34 (minutes and seconds), 1:02:03 or 90s.

Exit codes: 0 done, 1 refused by the daemon, 2 bad usage, 3 no daemon, 4 not permitted.";

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
    /// Follow what happens.
    Watch {
        /// Print each event as a line.
        #[arg(long, required = true)]
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
    /// List the presets, or show one.
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
#[derive(Debug, Subcommand)]
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

/// One of a few values by its name.
fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = all.iter().map(|value| name(*value));
    PossibleValuesParser::new(names).try_map(move |given| {
        all.iter().copied().find(|value| name(*value) == given).ok_or("is not known")
    })
}

fn side() -> impl TypedValueParser<Value = Side> {
    named(&Side::BOTH, Side::name)
}

fn bus(text: &str) -> Result<Bus, String> {
    match text {
        "system" => Ok(Bus::System),
        "session" => Ok(Bus::Session),
        address => match zbus::Address::try_from(address) {
            Ok(_) => Ok(Bus::Address(address.to_owned())),
            Err(error) => Err(format!(
                "expected system, session or a D-Bus address as unix:path=/run/bus ({error})"
            )),
        },
    }
}

fn time(text: &str) -> Result<Span, String> {
    notation::parse_clock_time(text).map_err(|error| error.to_string())
}

fn difference(text: &str) -> Result<Span, String> {
    match text.strip_prefix('-') {
        Some(less) => time(less).map(|span| -span),
        None => time(text.strip_prefix('+').unwrap_or(text)),
    }
}

/// `SWITCH=VALUE`, looked at as far as the name and the value go.
fn switch(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected SWITCH=VALUE, as in freeze=false")?;
    let mut any = Profile::default().switches();
    Switches::set(&mut any, name, value).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value.to_owned()))
}
