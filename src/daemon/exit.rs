//! How the daemon ends: named exit codes (sysexits.h), and failures as sentences.

use std::process::ExitCode;

/// An exit code of flagfalld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It was asked to end.
    Done = 0,
    /// The arguments make no sense (`EX_USAGE`).
    Usage = 64,
    /// The board's pins cannot be used, or another daemon has the state directory
    /// (`EX_UNAVAILABLE`); worth another try.
    Unavailable = 69,
    /// A thread or task ended that should not (`EX_SOFTWARE`); worth another try.
    Software = 70,
    /// The system gave no thread or descriptor (`EX_OSERR`); worth another try.
    System = 71,
    /// The configuration makes no sense (`EX_CONFIG`); systemd does not try again.
    Config = 78,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why the daemon ends without having been asked to: what was attempted, what stood in the way,
/// what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// The sentence.
    pub sentence: String,
}

impl Failure {
    /// A failure with that exit code.
    pub fn new(exit: Exit, sentence: impl Into<String>) -> Self {
        Failure { exit, sentence: sentence.into() }
    }
}
