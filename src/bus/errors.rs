//! The errors by name. A message says what was asked, what stands in the way, and what would work.

use crate::control::notation::NotationError;
use crate::daemon::bridge::SubmitError;
use crate::daemon::collection::CollectionError;
use crate::engine::{Refusal, RefusalKind};

/// `org.flagfall.Error.*`.
#[derive(Debug, zbus::DBusError)]
#[zbus(prefix = "org.flagfall.Error")]
pub(super) enum Error {
    /// Whatever the bus itself has against it.
    #[zbus(error)]
    Bus(zbus::Error),
    /// The phase does not allow it.
    WrongPhase(String),
    /// Something has happened since.
    Stale(String),
    /// The notation cannot be read.
    InvalidControl(String),
    /// An argument that cannot be.
    InvalidArgument(String),
    /// The caller is no arbiter.
    NotPermitted(String),
    /// There is nothing to undo or confirm.
    Nothing(String),
    /// Too many requests wait.
    Busy(String),
    /// The disk does not give or take what was asked.
    Storage(String),
}

/// What a method gives.
pub(super) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An argument that cannot be.
    pub(super) fn argument(sentence: impl Into<String>) -> Self {
        Error::InvalidArgument(sentence.into())
    }
}

impl From<&Refusal> for Error {
    fn from(refusal: &Refusal) -> Self {
        let sentence = refusal.to_string();
        match refusal.kind() {
            RefusalKind::WrongPhase => Error::WrongPhase(sentence),
            RefusalKind::Nothing => Error::Nothing(sentence),
            RefusalKind::InvalidArgument => Error::InvalidArgument(sentence),
        }
    }
}

impl From<SubmitError> for Error {
    fn from(error: SubmitError) -> Self {
        match &error {
            SubmitError::Refused(refusal) => refusal.into(),
            SubmitError::Stale { .. } => Error::Stale(error.to_string()),
            SubmitError::Busy => Error::Busy(error.to_string()),
            SubmitError::Gone => Error::Bus(zbus::Error::Failure(error.to_string())),
        }
    }
}

impl From<CollectionError> for Error {
    fn from(error: CollectionError) -> Self {
        let sentence = error.to_string();
        match error {
            CollectionError::Unknown(_) => Error::InvalidArgument(sentence),
            CollectionError::TooMany | CollectionError::Disk(_) => Error::Storage(sentence),
        }
    }
}

impl From<NotationError> for Error {
    fn from(error: NotationError) -> Self {
        Error::InvalidControl(error.to_string())
    }
}
