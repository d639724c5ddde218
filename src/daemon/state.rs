//! Where the daemon keeps what is to outlive it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::config::{Config, SimTime};
use super::exit::{Exit, Failure};
use super::recorder::Recorder;
use crate::daemon::boards::Chosen;
use crate::journal::folder::{Folder, FolderError};
use crate::journal::writer::Writer;

/// Where a Raspberry Pi's daemon keeps its state where systemd says nothing.
const DEFAULT: &str = "/var/lib/flagfall";
/// What the directories among temporary files are called.
const PASSING: &str = "flagfall-state-";

/// A place for the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// This directory. A game that was interrupted is taken up again.
    Named(PathBuf),
    /// This directory, if it can be had. The simulated box begins afresh each time.
    Offered(PathBuf),
    /// Among temporary files, for as long as the daemon lives.
    Passing,
}

/// The state, open.
#[derive(Debug)]
pub struct State {
    /// Writes the journal.
    pub recorder: Recorder,
    /// The directory whose last game is to be looked at, where there is one.
    pub directory: Option<PathBuf>,
    /// An interrupted game is to be taken up again.
    pub goes_on: bool,
    passing: Option<PathBuf>,
}

impl Place {
    /// Decides by what was asked for, and else by the environment.
    pub fn choose(
        config: &Config,
        board: Chosen,
        environment: impl Fn(&str) -> Option<PathBuf>,
    ) -> Place {
        let directory = |name: &str| environment(name).filter(|path| path.is_absolute());
        if let Some(named) = &config.state {
            return Place::Named(named.clone());
        }
        // systemd may name several, one behind the other.
        let by_systemd = environment("STATE_DIRECTORY").and_then(|paths| {
            let first = paths.to_str()?.split(':').next()?.to_owned();
            (!first.is_empty()).then(|| PathBuf::from(first))
        });
        if let Some(named) = by_systemd {
            return Place::Named(named);
        }
        match (board, config.sim_time) {
            (Chosen::RaspberryPi, _) => Place::Named(DEFAULT.into()),
            (Chosen::Simulated, SimTime::Manual) => Place::Passing,
            (Chosen::Simulated, SimTime::Real) => directory("XDG_STATE_HOME")
                .or_else(|| directory("HOME").map(|home| home.join(".local/state")))
                .map_or(Place::Passing, |within| Place::Offered(within.join("flagfall"))),
        }
    }
}

impl State {
    /// Opens the state. A disk that cannot be used is said, and the clock goes on without it.
    ///
    /// # Errors
    /// Another daemon has the directory that was named.
    pub fn open(place: &Place) -> Result<State, Failure> {
        match place {
            Place::Named(path) => match Folder::open(path) {
                Ok(folder) => Ok(State::on(folder, true, None)),
                Err(error @ FolderError::Locked(_)) => {
                    Err(Failure::new(Exit::Unavailable, error.to_string()))
                }
                Err(error) => Ok(State::nowhere(&error)),
            },
            Place::Offered(path) => match Folder::open(path) {
                Ok(folder) => Ok(State::on(folder, false, None)),
                Err(error) => {
                    tracing::info!("{error}; the journal is kept until the daemon ends");
                    State::open(&Place::Passing)
                }
            },
            Place::Passing => {
                let opened = make_passing(&std::env::temp_dir())
                    .map_err(|error| format!("no place for temporary files: {error}"))
                    .and_then(|path| match Folder::open(&path) {
                        Ok(folder) => Ok(State::on(folder, false, Some(path))),
                        Err(error) => Err(error.to_string()),
                    });
                Ok(opened.unwrap_or_else(|error| State::nowhere(&error)))
            }
        }
    }

    fn on(folder: Folder, goes_on: bool, passing: Option<PathBuf>) -> State {
        let path = folder.path().to_owned();
        match Writer::start(folder) {
            Ok(writer) => {
                let recorder = Recorder::on(writer);
                State { recorder, directory: Some(path), goes_on, passing }
            }
            Err(error) => State::nowhere(&format!(
                "the journal in {} cannot be begun: {error}",
                path.display()
            )),
        }
    }

    fn nowhere(why: &dyn std::fmt::Display) -> State {
        let recorder = Recorder::without(&why.to_string());
        State { recorder, directory: None, goes_on: false, passing: None }
    }
}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(passing) = &self.passing {
            // What stays is a small directory among temporary files, and goes with the next one's.
            let _ = fs::remove_dir_all(passing);
        }
    }
}

/// A new directory for the own user alone. Those that daemons have left that were killed go.
fn make_passing(within: &Path) -> io::Result<PathBuf> {
    let own = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(within)?.flatten() {
        let path = entry.path();
        let ours = entry.file_name().to_string_lossy().starts_with(PASSING)
            && entry.metadata().is_ok_and(|known| known.is_dir() && known.uid() == own);
        let free = || File::open(path.join("lock")).is_ok_and(|lock| lock.try_lock().is_ok());
        if ours && !lives(&path) && free() {
            // Somebody else may have been quicker.
            let _ = fs::remove_dir_all(&path);
        }
    }
    let id = std::process::id();
    let mut made = Err(io::ErrorKind::AlreadyExists.into());
    for attempt in 1..=100 {
        let path = within.join(format!("{PASSING}{id}-{attempt}"));
        made = fs::DirBuilder::new().mode(0o700).create(&path).map(|()| path);
        match &made {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            _ => break,
        }
    }
    made
}

/// Whether the daemon that made such a directory is still there: it may not have taken it yet.
fn lives(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let rest = name.as_deref().and_then(|name| name.strip_prefix(PASSING));
    let id = rest.and_then(|rest| rest.split('-').next());
    id.is_some_and(|id| Path::new("/proc").join(id).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_comes_before_what_the_environment_says() {
        let all = [
            ("STATE_DIRECTORY", "/var/lib/flagfall:/var/lib/other"),
            ("XDG_STATE_HOME", "/xdg"),
            ("HOME", "/home/anna"),
        ];
        let choose = |state: Option<&str>, board, sim_time, from: usize| {
            let state = state.map(PathBuf::from);
            let config = Config { state, sim_time, ..Config::default() };
            Place::choose(&config, board, |name| {
                let known = all[from..].iter().find(|(known, _)| *known == name);
                known.map(|(_, value)| PathBuf::from(value))
            })
        };
        let (pi, sim) = (Chosen::RaspberryPi, Chosen::Simulated);
        let (real, manual) = (SimTime::Real, SimTime::Manual);
        let named = |path: &str| Place::Named(path.into());
        let offered = |path: &str| Place::Offered(path.into());
        assert_eq!(choose(Some("here"), sim, manual, 0), named("here"));
        assert_eq!(choose(None, sim, manual, 0), named("/var/lib/flagfall"));
        assert_eq!(choose(None, pi, real, 1), named("/var/lib/flagfall"));
        assert_eq!(choose(None, sim, real, 1), offered("/xdg/flagfall"));
        assert_eq!(choose(None, sim, real, 2), offered("/home/anna/.local/state/flagfall"));
        assert_eq!(choose(None, sim, real, 3), Place::Passing);
        assert_eq!(choose(None, sim, manual, 1), Place::Passing);
    }

    #[test]
    fn a_directory_that_another_daemon_has_is_passed_over_only_where_it_was_not_named() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().to_owned();
        let first = State::open(&Place::Named(path.clone())).unwrap();
        let failure = State::open(&Place::Named(path.clone())).unwrap_err();
        assert_eq!(failure.exit, Exit::Unavailable);
        let second = State::open(&Place::Offered(path.clone())).unwrap();
        assert!(second.directory.as_ref().is_some_and(|other| *other != path));
        assert_eq!(first.directory.as_ref(), Some(&path));
    }

    #[test]
    fn a_directory_that_cannot_be_used_does_not_stop_the_clock() {
        let place = tempfile::NamedTempFile::new().unwrap();
        let state = State::open(&Place::Named(place.path().join("state"))).unwrap();
        assert!(state.recorder.trouble().is_some_and(|why| why.contains("cannot be used")));
        assert_eq!(state.directory, None);
    }

    #[test]
    fn directories_that_killed_daemons_left_go_and_those_in_use_stay() {
        let within = tempfile::tempdir().unwrap();
        // No process ever has this number.
        let left = within.path().join("flagfall-state-4194305-1");
        drop(Folder::open(&left).unwrap());
        let used = within.path().join("flagfall-state-4194305-2");
        let held = Folder::open(&used).unwrap();
        let made = make_passing(within.path()).unwrap();
        assert!(made.exists() && held.path().exists() && !left.exists());
    }
}
