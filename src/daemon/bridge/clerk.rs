//! Has the lines written that notices make, makes them known, and then answers who asked.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rtrb::Consumer;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::book::{Book, Step, parts};
use super::{Inner, Published, locked};
use crate::engine::Phase;
use crate::timing::{Bell, Notice};

/// How often the running time is recorded: a killed daemon loses nothing that is older than 50 ms, and
/// a power cut not much more than a second.
const RECORD: Duration = Duration::from_millis(40);
/// How often the disk is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// The one task that reads what the timing thread tells.
#[derive(Debug)]
pub struct Clerk {
    pub(super) inner: Arc<Inner>,
    pub(super) publish: watch::Sender<Published>,
    pub(super) notices: Consumer<Notice>,
    pub(super) bell: Bell,
    pub(super) book: Book,
    /// The trouble with the disk that was told.
    pub(super) told: Option<String>,
}

impl Clerk {
    /// Works until the timing thread has ended, and then lets everybody know who still waits.
    ///
    /// # Errors
    /// The bell cannot be waited for: nothing more would be heard of the clock.
    pub async fn run(mut self) -> io::Result<()> {
        #[expect(
            deprecated,
            reason = "its successor is unsafe for the sake of types that change their descriptor, \
                      which an OwnedFd cannot"
        )]
        let ringing = AsyncFd::with_interest(self.bell.descriptor()?, Interest::READABLE)?;
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut records = interval(RECORD);
        records.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The lines that the game began with.
        self.work().await;
        loop {
            tokio::select! {
                ready = ringing.readable() => {
                    let mut ready = ready?;
                    self.bell.take();
                    ready.clear_ready();
                    drop(ready);
                    // Asked before the ring is emptied: what was told before the end is published.
                    let ended = self.notices.is_abandoned();
                    self.work().await;
                    if ended {
                        locked(&self.inner.desk).close();
                        return Ok(());
                    }
                }
                _ = records.tick(), if self.runs() => self.record(),
                _ = looks.tick() => self.look().await,
            }
        }
    }

    /// Publishes everything that has been told until now.
    async fn work(&mut self) {
        let inner = Arc::clone(&self.inner);
        let fences = {
            let mut desk = locked(&inner.desk);
            // Fences that are there already are passed by everything told before them.
            let fences = std::mem::take(&mut desk.fences);
            while let Ok(notice) = self.notices.pop() {
                self.book.enter(&mut desk, notice);
            }
            fences
        };
        self.book.confess(inner.counters.dropped_events());
        self.publish().await;
        let answer = self.book.answer(inner.line.now());
        for fence in fences {
            // Who does not wait any more needs no answer; so below.
            let _ = fence.send(Ok(answer.clone()));
        }
    }

    /// Has what was entered written, and then does what was to be done.
    async fn publish(&mut self) {
        let steps = self.book.take();
        self.inner.recorder.write(parts(&steps)).await;
        // What is published is published at once: nobody who asks in between is told half of it.
        let mut desk = locked(&self.inner.desk);
        for step in steps {
            match step {
                Step::Publish(newest, line) => {
                    self.publish.send_replace(*newest);
                    // Nobody listening is no fault.
                    let _ = self.inner.lines.send(line);
                }
                Step::Heard => desk.heard += 1,
                Step::Answer(reply, answer) => {
                    let _ = reply.send(answer);
                }
            }
        }
    }

    fn runs(&self) -> bool {
        self.book.newest().state.phase == Phase::Running
    }

    /// Records how far the running game's time has come.
    fn record(&self) {
        let newest = self.book.newest();
        let at = self.inner.line.now() - newest.state.began;
        self.inner.recorder.running(&newest.game, at);
    }

    /// Says when the disk fails or is well again.
    async fn look(&mut self) {
        let trouble = self.inner.recorder.trouble();
        match (&self.told, &trouble) {
            (None, Some(trouble)) => {
                tracing::error!("the journal is not written: {trouble}; the clock goes on");
                self.book.warn("disk-failed", trouble);
            }
            (Some(_), None) => {
                tracing::warn!("the journal is written again, with all that waited");
                self.book.warn("disk-well", "the journal is written again");
            }
            _ => return,
        }
        self.told = trouble;
        self.publish().await;
    }
}
