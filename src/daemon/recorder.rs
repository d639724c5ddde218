//! The daemon's pen: hands lines to the journal's threads, and waits for them, but not for ever.
//!
//! A line is written before it is published. A disk that takes too long, or takes nothing, changes
//! that and nothing else: lines are published all the same, the health says so, and what waits is
//! written as soon as the disk takes it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::journal::reading::Archive;
use crate::journal::slots::Moment;
use crate::journal::writer::{Part, Writer};
use crate::time::Span;

/// How long lines wait for the disk before they are published all the same.
const PATIENCE: Duration = Duration::from_millis(250);

/// The pen. Clones write with the same one.
#[derive(Clone, Debug)]
pub struct Recorder {
    writer: Option<Arc<Writer>>,
    why_not: Option<Arc<str>>,
    waits: Arc<Waits>,
}

/// Batches on their way.
#[derive(Debug, Default)]
struct Waits {
    batches: AtomicUsize,
    /// One was not written in time, and not all have been since.
    late: AtomicBool,
}

impl Recorder {
    /// Writes to a state directory.
    #[must_use]
    pub fn on(writer: Writer) -> Self {
        Recorder { writer: Some(Arc::new(writer)), why_not: None, waits: Arc::default() }
    }

    /// Writes nothing; the sentence says why.
    #[must_use]
    pub fn without(why: &str) -> Self {
        Recorder { writer: None, why_not: Some(why.into()), waits: Arc::default() }
    }

    /// See [`Writer::full`]; of no effect where nothing is written anyway.
    #[must_use]
    pub fn full(&self) -> Arc<AtomicBool> {
        self.writer.as_ref().map(|writer| writer.full()).unwrap_or_default()
    }

    /// Has lines written, and returns when they are, or when that takes too long.
    pub async fn write(&self, parts: Vec<Part>) {
        let Some(writer) = self.writer.as_ref().filter(|_| !parts.is_empty()) else { return };
        let (tell, told) = oneshot::channel();
        let waits = Arc::clone(&self.waits);
        waits.batches.fetch_add(1, Relaxed);
        let done = move || {
            if waits.batches.fetch_sub(1, Relaxed) == 1 {
                waits.late.store(false, Relaxed);
            }
            // Who does not wait any more needs no answer.
            let _ = tell.send(());
        };
        writer.write(parts, Box::new(done));
        // Behind a batch that is late there is nothing to wait for.
        if !self.waits.late.load(Relaxed) && timeout(PATIENCE, told).await.is_err() {
            self.waits.late.store(self.waits.batches.load(Relaxed) > 0, Relaxed);
        }
    }

    /// Records how far the time of the running game has come.
    pub fn running(&self, game: &str, at: Span) {
        if let Some(writer) = &self.writer {
            writer.running(Moment { game: game.to_owned(), at_ns: at.as_nanos(), closed: false });
        }
    }

    /// Writes and flushes everything, and where the running game's time stands. False where the
    /// disk did not take it.
    pub fn end(&self, game: &str, at: Span) -> bool {
        let moment = Moment { game: game.to_owned(), at_ns: at.as_nanos(), closed: true };
        self.writer.as_ref().is_none_or(|writer| writer.end(moment))
    }

    /// What is wrong with the disk, in a sentence; `None` while lines are written as they come.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        if let Some(why_not) = &self.why_not {
            return Some(why_not.to_string());
        }
        let writer = self.writer.as_ref()?;
        if self.waits.late.load(Relaxed) {
            return Some(format!("the disk takes more than {PATIENCE:?} for a line"));
        }
        (!writer.is_well()).then(|| {
            writer.trouble().unwrap_or_else(|| "the disk does not keep what is written".to_owned())
        })
    }

    /// The number of the newest line of a game that is surely on the disk.
    #[must_use]
    pub fn durable(&self, game: &str) -> Option<u64> {
        let (of, seq) = self.writer.as_ref()?.durable()?;
        (*of == *game).then_some(seq)
    }

    /// What was written, to be read; the sentence says why there is nothing.
    ///
    /// # Errors
    /// Nothing is written at all.
    pub fn archive(&self) -> Result<Archive, Arc<str>> {
        match (&self.writer, &self.why_not) {
            (Some(writer), _) => Ok(Archive::new(writer.folder().path())),
            (None, why_not) => Err(why_not.clone().unwrap_or_default()),
        }
    }
}
