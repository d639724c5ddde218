//! The thread that brings what is written to the disk: many lines a flush, and nobody waits for it.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::folder::Folder;

/// How far a game's lines have come: its name and a line's number.
pub(super) type Reached = (Arc<str>, u64);

/// What is to be flushed.
#[derive(Debug, Default)]
struct Work {
    /// Files with new lines, and up to which line.
    files: Vec<(Arc<File>, Reached)>,
    /// The running time.
    slots: Option<File>,
    /// A game began: its name is to be on the disk, too, and the oldest ones may go.
    began: Option<Arc<str>>,
    end: bool,
}

/// What the flusher shares with those who bring work and those who look how far it is.
#[derive(Debug, Default)]
pub(super) struct Flushing {
    work: Mutex<Work>,
    more: Condvar,
    durable: Mutex<Option<Reached>>,
    failing: AtomicBool,
}

/// A value is whole after every step, so a panic elsewhere does not spoil it.
fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Flushing {
    /// The newest line that is on the disk.
    pub(super) fn durable(&self) -> Option<Reached> {
        locked(&self.durable).clone()
    }

    /// True if the last flush failed.
    pub(super) fn failing(&self) -> bool {
        self.failing.load(Relaxed)
    }

    pub(super) fn lines(&self, file: &Arc<File>, reached: Reached) {
        self.bring(|work| match work.files.last_mut() {
            Some((last, until)) if Arc::ptr_eq(last, file) => *until = reached,
            _ => work.files.push((Arc::clone(file), reached)),
        });
    }

    pub(super) fn slots(&self, file: File) {
        self.bring(|work| work.slots = Some(file));
    }

    pub(super) fn began(&self, game: Arc<str>) {
        self.bring(|work| work.began = Some(game));
    }

    /// Ends the thread when it has flushed everything.
    pub(super) fn end(&self) {
        self.bring(|work| work.end = true);
    }

    fn bring(&self, what: impl FnOnce(&mut Work)) {
        what(&mut locked(&self.work));
        self.more.notify_one();
    }

    fn take(&self) -> Work {
        let mut work = locked(&self.work);
        while work.files.is_empty() && work.slots.is_none() && work.began.is_none() && !work.end {
            work = self.more.wait(work).unwrap_or_else(PoisonError::into_inner);
        }
        std::mem::take(&mut work)
    }

    fn do_work(&self, folder: &PathBuf, work: Work) -> io::Result<()> {
        for (file, reached) in work.files {
            file.sync_data()?;
            *locked(&self.durable) = Some(reached);
        }
        if let Some(slots) = work.slots {
            slots.sync_data()?;
        }
        if let Some(game) = work.began {
            File::open(folder)?.sync_all()?;
            Folder::tidy(folder, &game)?;
        }
        Ok(())
    }
}

/// Starts the thread.
pub(super) fn spawn(folder: PathBuf, flushing: Arc<Flushing>) -> io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name("flagfall-flush".to_owned()).spawn(move || {
        loop {
            let work = flushing.take();
            let end = work.end;
            let failed = flushing.do_work(&folder, work).is_err();
            flushing.failing.store(failed, Relaxed);
            if end {
                return;
            }
        }
    })
}
