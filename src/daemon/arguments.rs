//! The arguments of flagfalld. They override the configuration's keys of the same meaning.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use super::config::{Board, Bus, Config, SimTime};

/// Keeps the time of a chess game: on a Raspberry Pi's buttons and displays, or on a simulated box.
///
/// Exit codes: 0 asked to end, 64 bad arguments, 69 the board's pins or the state directory cannot be used, 70 a part of
/// the daemon ended unexpectedly, 71 the system gave no thread or descriptor, 78 bad
/// configuration.
#[derive(Clone, Debug, Default, Parser)]
#[command(name = "flagfalld", version)]
pub struct Arguments {
    /// The configuration file [default: /etc/flagfall/flagfalld.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The board to run on [default: the Raspberry Pi this is, else a simulated one]
    #[arg(long, value_name = "BOARD")]
    pub board: Option<BoardArgument>,
    /// Draw no picture of the simulated box
    #[arg(long)]
    pub headless: bool,
    /// The simulated board's time: it runs, or stands until it is told to advance
    #[arg(long, value_name = "TIME")]
    pub sim_time: Option<SimTimeArgument>,
    /// The bus to serve on: system, session or a D-Bus address such as unix:path=/run/bus
    #[arg(long, value_parser = Bus::from_name)]
    pub bus: Option<Bus>,
    /// The directory for the journal [default: systemd's; on the simulated board one of the user's,
    /// and then each start begins afresh]
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
    /// Check the configuration, say what is wrong with it, and end
    #[arg(long)]
    pub check: bool,
    /// Switch lamps and buzzer off after the daemon was killed, and end
    #[arg(long, conflicts_with = "check")]
    pub pins_safe: bool,
}

/// What `--board` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BoardArgument {
    /// A Raspberry Pi's pins.
    Rpi,
    /// The simulated box.
    Sim,
}

/// What `--sim-time` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SimTimeArgument {
    /// It runs.
    Real,
    /// It stands until `Simulator1.Advance`.
    Manual,
}

impl Arguments {
    /// Lets the arguments override what the configuration says.
    pub fn override_keys(&self, config: &mut Config) {
        if let Some(board) = self.board {
            config.board = match board {
                BoardArgument::Rpi => Board::Rpi,
                BoardArgument::Sim => Board::Sim,
            };
        }
        if let Some(time) = self.sim_time {
            config.sim_time = match time {
                SimTimeArgument::Real => SimTime::Real,
                SimTimeArgument::Manual => SimTime::Manual,
            };
        }
        if let Some(bus) = &self.bus {
            config.bus = bus.clone();
        }
        if let Some(state) = &self.state {
            config.state = Some(state.clone());
        }
        config.headless |= self.headless;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_override_keys_and_leave_the_others() {
        let arguments = Arguments::try_parse_from([
            "flagfalld",
            "--board",
            "sim",
            "--sim-time",
            "manual",
            "--bus",
            "unix:path=/tmp/bus",
            "--state",
            "/tmp/state",
        ])
        .unwrap();
        let mut config = Config { headless: true, ..Config::default() };
        arguments.override_keys(&mut config);
        let expected = Config {
            board: Board::Sim,
            sim_time: SimTime::Manual,
            bus: Bus::At("unix:path=/tmp/bus".to_owned()),
            state: Some("/tmp/state".into()),
            headless: true,
            ..Config::default()
        };
        assert_eq!(config, expected);
    }

    #[test]
    fn a_bus_that_is_no_address_is_refused_with_what_would_work() {
        let refusal = Arguments::try_parse_from(["flagfalld", "--bus", "sesion"]).unwrap_err();
        assert!(refusal.to_string().contains("system, session"), "{refusal}");
    }
}
