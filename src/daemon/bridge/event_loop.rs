//! Reads the events of the timing thread, has their lines written, publishes them, and then
//! answers the callers.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rtrb::Consumer;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::sequencer::{Sequencer, Step, parts};
use super::{Inner, Published, locked};
use crate::engine::Phase;
use crate::timing::{Event, Waker};

/// How often the running time is recorded: a killed daemon loses nothing that is older than 50 ms, and
/// a power cut not much more than a second.
const RECORD: Duration = Duration::from_millis(40);
/// How often the disk is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// The one task that reads the timing thread's events.
#[derive(Debug)]
pub struct EventLoop {
    pub(super) inner: Arc<Inner>,
    pub(super) publish: watch::Sender<Published>,
    pub(super) events: Consumer<Event>,
    pub(super) waker: Waker,
    pub(super) sequencer: Sequencer,
    /// The trouble with the disk that was reported last.
    pub(super) last_reported: Option<String>,
}

impl EventLoop {
    /// Works until the timing thread has ended, and then ends every wait.
    ///
    /// # Errors
    /// The waker cannot be waited for: no event would arrive any more.
    pub async fn run(mut self) -> io::Result<()> {
        #[expect(
            deprecated,
            reason = "its successor is unsafe for the sake of types that change their descriptor, \
                      which an OwnedFd cannot"
        )]
        let ringing = AsyncFd::with_interest(self.waker.descriptor()?, Interest::READABLE)?;
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut records = interval(RECORD);
        records.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The lines that the game begins with.
        self.work().await;
        loop {
            tokio::select! {
                ready = ringing.readable() => {
                    let mut ready = ready?;
                    self.waker.take();
                    ready.clear_ready();
                    drop(ready);
                    // Asked before the ring is emptied: events before the end are published.
                    let ended = self.events.is_abandoned();
                    self.work().await;
                    if ended {
                        locked(&self.inner.pending).close();
                        return Ok(());
                    }
                }
                _ = records.tick(), if self.runs() => self.record(),
                _ = looks.tick() => self.look().await,
            }
        }
    }

    /// Publishes every event so far.
    async fn work(&mut self) {
        let inner = Arc::clone(&self.inner);
        let fences = {
            let mut pending = locked(&inner.pending);
            // Fences that are there already come after every event before them.
            let fences = std::mem::take(&mut pending.fences);
            while let Ok(event) = self.events.pop() {
                self.sequencer.enter(&mut pending, event);
            }
            fences
        };
        self.sequencer.report_dropped(inner.counters.dropped_events());
        self.publish().await;
        for fence in fences {
            // A caller that no longer waits needs no answer; so below.
            let _ = fence.send(());
        }
    }

    /// Has what was entered written, and then does the steps.
    async fn publish(&mut self) {
        let steps = self.sequencer.take();
        self.inner.recorder.write(parts(&steps)).await;
        // Published at once: no caller in between sees half of it.
        let mut pending = locked(&self.inner.pending);
        for step in steps {
            match step {
                Step::Publish(newest, line) => {
                    self.publish.send_replace(*newest);
                    // There may be no listener.
                    let _ = self.inner.lines.send(line);
                }
                Step::StateChange => pending.state_changes += 1,
                Step::Answer(reply, answer) => {
                    let _ = reply.send(answer);
                }
            }
        }
    }

    fn runs(&self) -> bool {
        self.sequencer.newest().state.phase == Phase::Running
    }

    /// Records how far the running game's time has come.
    fn record(&self) {
        let newest = self.sequencer.newest();
        let at = self.inner.line.now() - newest.state.began;
        self.inner.recorder.running(&newest.game, at);
    }

    /// Reports when the disk fails or works again.
    async fn look(&mut self) {
        let trouble = self.inner.recorder.trouble();
        match (&self.last_reported, &trouble) {
            (None, Some(trouble)) => {
                tracing::error!("the journal is not written: {trouble}; the clock keeps running");
                self.sequencer.warn("disk-failed", trouble);
            }
            (Some(_), None) => {
                tracing::warn!("the journal is written again, with all that waited");
                self.sequencer.warn("disk-well", "the journal is written again");
            }
            _ => return,
        }
        self.last_reported = trouble;
        self.publish().await;
    }
}
