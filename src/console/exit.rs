//! Exit codes, and failures as sentences.

use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// Done.
    Done = 0,
    /// The daemon refused.
    Refused = 1,
    /// The arguments, or a file they name, make no sense.
    Usage = 2,
    /// No daemon answers.
    NoDaemon = 3,
    /// The daemon answers, but not to this user.
    NotPermitted = 4,
    /// The output could not be written (`EX_IOERR`).
    Output = 74,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why the program ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) exit: Exit,
    /// What was attempted, what stood in the way, what to do.
    pub(super) sentence: String,
    /// The daemon refused only because something has happened since the line that it was asked for.
    pub(super) stale: bool,
}

impl Failure {
    pub(super) fn refused(sentence: impl Into<String>) -> Self {
        Failure { exit: Exit::Refused, sentence: sentence.into(), stale: false }
    }

    pub(super) fn usage(sentence: impl Into<String>) -> Self {
        Failure { exit: Exit::Usage, sentence: sentence.into(), stale: false }
    }

    /// `why` nobody answers; how to start the daemon is added.
    pub(super) fn no_daemon(why: impl AsRef<str>) -> Self {
        let sentence = format!(
            "{}. Start the daemon with `sudo systemctl start flagfalld`; to try it without a box, \
             `flagfalld --board sim` prints the address of a bus of its own, \
             which `flagfallctl --bus ADDRESS` takes",
            why.as_ref()
        );
        Failure { exit: Exit::NoDaemon, sentence, stale: false }
    }

    /// `why` the daemon or the bus said no; which group to join is added.
    pub(super) fn not_permitted(why: impl AsRef<str>) -> Self {
        let sentence = format!(
            "{}. Changing the clock needs membership of the group flagfall-arbiter: \
             `sudo usermod -aG flagfall-arbiter $USER`; it counts from the next login",
            why.as_ref().trim_end_matches('.')
        );
        Failure { exit: Exit::NotPermitted, sentence, stale: false }
    }

    /// Nobody reads on (`flagfallctl watch | head`).
    pub(super) fn output(error: &std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Failure { exit: Exit::Done, sentence: String::new(), stale: false };
        }
        Failure::unwritten(format!("the output cannot be written: {error}"))
    }

    /// A file cannot be written.
    pub(super) fn unwritten(sentence: String) -> Self {
        Failure { exit: Exit::Output, sentence, stale: false }
    }
}
