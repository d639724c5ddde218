//! Exit codes and error messages.

use std::process::ExitCode;

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CliExit {
    Done = 0,
    /// The daemon refused, or a file does not verify.
    Refused = 1,
    /// The arguments, or a file that they name, are not valid.
    Usage = 2,
    NoDaemon = 3,
    NotPermitted = 4,
    /// The output could not be written (`EX_IOERR`).
    Printer = 74,
}

impl From<CliExit> for ExitCode {
    fn from(exit: CliExit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why the program ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CliError {
    pub(super) exit: CliExit,
    /// What failed, why, what to do.
    pub(super) sentence: String,
    /// Refused only because another journal line was written meanwhile (`if_seq`).
    pub(super) stale: bool,
}

impl CliError {
    pub(super) fn refused(sentence: impl Into<String>) -> Self {
        CliError { exit: CliExit::Refused, sentence: sentence.into(), stale: false }
    }

    pub(super) fn usage(sentence: impl Into<String>) -> Self {
        CliError { exit: CliExit::Usage, sentence: sentence.into(), stale: false }
    }

    /// Adds to `why` how to start the daemon.
    pub(super) fn no_daemon(why: impl AsRef<str>) -> Self {
        let sentence = format!(
            "{}. Start the daemon with `sudo systemctl start flagfalld`; to try it without a box, \
             `flagfalld --board sim` prints the address of a bus of its own, \
             which `flagfallctl --bus ADDRESS` takes",
            why.as_ref()
        );
        CliError { exit: CliExit::NoDaemon, sentence, stale: false }
    }

    /// Adds to `why` which group to join.
    pub(super) fn not_permitted(why: impl AsRef<str>) -> Self {
        let sentence = format!(
            "{}. Changing the clock needs membership of the group flagfall-arbiter: \
             `sudo usermod -aG flagfall-arbiter $USER`; it takes effect at the next login",
            why.as_ref().trim_end_matches('.')
        );
        CliError { exit: CliExit::NotPermitted, sentence, stale: false }
    }

    /// Not an error where the reader has gone (`flagfallctl watch | head`).
    pub(super) fn output(error: &std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return CliError { exit: CliExit::Done, sentence: String::new(), stale: false };
        }
        CliError::unwritten(format!("the output cannot be written: {error}"))
    }

    pub(super) fn unwritten(sentence: String) -> Self {
        CliError { exit: CliExit::Printer, sentence, stale: false }
    }
}
