//! The bridge between the timing thread's two rings and everything that asks, waits and listens.
//!
//! It decides nothing about the game and keeps no time. It gives every cause and every effect its
//! line with a number, has the lines written, makes them known in their order, and answers who
//! asked, after that.
//! Reading never passes the timing thread: a reader computes the clocks at its own now.

mod event_loop;
mod game_id;
mod health;
mod panel;
mod pending;
mod sequencer;
mod submission;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{broadcast, mpsc, oneshot, watch};

pub use event_loop::EventLoop;
pub use game_id::GameIds;
pub use health::Health;
pub use submission::{Answer, Condition, Origin, Submission, SubmitError};

use pending::PendingRequests;
use sequencer::Sequencer;

use super::recorder::Recorder;
use super::screen;
use super::startup::{FirstGame, Startup};
use crate::board::TimeLine;
use crate::control::{Control, Settings};
use crate::engine::{Game, Operation, Output, Refusal, ReplacePolicy, Saved, Snapshot, State};
use crate::menu::Wish;
use crate::record::{Annotations, Content};
use crate::time::{Instant, Span};
use crate::timing::{Counters, Event, Granted, Request, Waker};

/// How many lines a reader may lag behind before it misses some.
const LINES: usize = 4_096;

/// How often an operation whose presses are replayed is tried where something happens meanwhile.
const TRIES: usize = 5;

/// The newest state that has been published.
#[derive(Clone, Debug)]
pub struct Published {
    /// The game's name, unlike that of any other game: when it began (UTC) and where within that
    /// second.
    pub game: Arc<str>,
    /// The number of the newest line.
    pub seq: u64,
    /// The number of the newest line that is a state change.
    pub state_change: u64,
    /// When the newest line was, since the game began.
    pub at: Span,
    /// What the game is set to.
    pub settings: Arc<Settings>,
    /// The game as since-when values.
    pub state: State,
}

/// What a reader sees at its own now.
#[derive(Clone, Debug)]
pub struct View {
    /// The newest published state.
    pub published: Published,
    /// The game at the reader's now.
    pub snapshot: Snapshot,
}

/// A line of the journal, made known.
#[derive(Clone, Debug)]
pub struct PublishedLine {
    /// Its number within the game, from 0.
    pub seq: u64,
    /// The game's name.
    pub game: Arc<str>,
    /// When, since the game began.
    pub at: Span,
    /// What the line says.
    pub content: Content,
    /// What is recorded with it.
    pub annotations: Annotations,
    /// Who caused it; `None` for an effect.
    pub origin: Option<String>,
    /// The game after the line.
    pub snapshot: Snapshot,
    /// What the game is set to.
    pub settings: Arc<Settings>,
    /// The whole line as it stands in the journal, with its hash, without the line's end.
    pub text: Arc<str>,
}

/// What a bridge is made of.
#[derive(Debug)]
pub struct BridgeParts {
    /// Requests to the timing thread.
    pub requests: rtrb::Producer<Request>,
    /// Events from it.
    pub events: rtrb::Consumer<Event>,
    /// Woken when there are events.
    pub event_waker: Waker,
    /// What the timing thread counts.
    pub counters: Arc<Counters>,
    /// Its time line.
    pub line: Arc<dyn TimeLine>,
    /// The game that the timing thread begins with.
    pub game: Game,
    /// How the daemon starts.
    pub startup: Startup,
    /// Writes the journal.
    pub recorder: Recorder,
    /// What the timing thread was granted.
    pub granted: Granted,
    /// The period of its polls.
    pub tick_period: Span,
    /// How the displays are.
    pub display: watch::Receiver<screen::Status>,
    /// Where wishes from the box's menus go.
    pub wishes: mpsc::UnboundedSender<Wish>,
}

/// The running clock, for everybody in the daemon who asks, reads or listens. Clones are the same
/// bridge.
#[derive(Clone, Debug)]
pub struct Bridge {
    inner: Arc<Inner>,
    published: watch::Receiver<Published>,
}

#[derive(Debug)]
struct Inner {
    pending: Mutex<PendingRequests>,
    line: Arc<dyn TimeLine>,
    waker: Waker,
    counters: Arc<Counters>,
    lines: broadcast::Sender<Arc<PublishedLine>>,
    missed_lines: AtomicU64,
    granted: Granted,
    tick_period: Span,
    display: watch::Receiver<screen::Status>,
    recorder: Recorder,
}

/// Every line from the moment on at which it was asked for.
#[derive(Debug)]
pub struct Lines {
    receiver: broadcast::Receiver<Arc<PublishedLine>>,
    inner: Arc<Inner>,
}

/// Why there is no next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinesError {
    /// The reader was too slow: so many lines have passed it by. What follows comes in order.
    #[error("{0} lines have passed by a reader that was too slow")]
    Missed(u64),
    /// The clock has ended.
    #[error("the clock has ended")]
    Closed,
}

/// A bridge, and the task without which it answers nothing: to be run on the runtime and watched.
#[must_use]
pub fn connect(parts: BridgeParts) -> (Bridge, EventLoop) {
    let BridgeParts { requests, events, event_waker: waker, counters, line, game, .. } = parts;
    let Startup { first_game, ids, chain } = parts.startup;
    let (lines, _) = broadcast::channel(LINES);
    let (id, next_seq) = match &first_game {
        FirstGame::Recovered(recovered) => (recovered.id.as_str(), recovered.next_seq),
        FirstGame::New { .. } | FirstGame::Imported { .. } => ("", 0),
    };
    let seq = next_seq.saturating_sub(1);
    let newest = Published {
        game: Arc::from(id),
        seq,
        state_change: seq,
        at: Span::ZERO,
        settings: Arc::new(*game.engine().settings()),
        state: *game.engine().state(),
    };
    let mut sequencer = Sequencer::new(newest, next_seq, ids, chain);
    match first_game {
        FirstGame::New { after, .. } => sequencer.begin_after(after),
        FirstGame::Imported { after, lines, .. } => sequencer.begin_with(after, lines),
        FirstGame::Recovered(recovered) => sequencer.take_up(recovered.lines),
    }
    let (publish, published) = watch::channel(sequencer.newest().clone());
    let inner = Arc::new(Inner {
        pending: Mutex::new(PendingRequests::new(requests, parts.wishes, game)),
        line,
        waker: waker.clone(),
        counters,
        lines,
        missed_lines: AtomicU64::new(0),
        granted: parts.granted,
        tick_period: parts.tick_period,
        display: parts.display,
        recorder: parts.recorder,
    });
    let event_loop = EventLoop {
        inner: Arc::clone(&inner),
        publish,
        events,
        waker,
        sequencer,
        last_reported: None,
    };
    (Bridge { inner, published }, event_loop)
}

/// What an operation would do.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The game's name.
    pub game: Arc<str>,
    /// The number of the newest line.
    pub seq: u64,
    /// The game without the operation.
    pub before: Snapshot,
    /// The game with it.
    pub after: Snapshot,
    /// What would follow.
    pub effects: Vec<Output>,
    /// When the game began, on the time line of the effects.
    pub began: Instant,
}

impl Bridge {
    /// Submits an operation and waits until it is carried out and published. Operations are carried
    /// out in the order in which this is first polled.
    ///
    /// # Errors
    /// See [`SubmitError`].
    pub async fn submit(&self, submission: Submission) -> Result<Answer, SubmitError> {
        let replayed = is_replayed(&submission.operation);
        for _ in 1..TRIES {
            match self.submit_once(submission.clone()).await {
                // Something happened while the presses were replayed (a press, perhaps).
                Err(SubmitError::Stale { .. })
                    if replayed && submission.condition == Condition::default() =>
                {
                    self.fence().await;
                }
                answer => return answer,
            }
        }
        Err(SubmitError::Busy)
    }

    async fn submit_once(&self, submission: Submission) -> Result<Answer, SubmitError> {
        let (reply, answer) = oneshot::channel();
        {
            // Stamped under the lock, so that stamps come in the order of the requests.
            let mut pending = locked(&self.inner.pending);
            let published = self.published.borrow();
            pending.submit(submission, self.inner.line.now(), &published, reply)?;
        }
        self.inner.line.order_waits();
        answer.await.unwrap_or(Err(SubmitError::Gone))
    }

    /// Waits until every event that the timing thread has sent so far is published.
    pub async fn fence(&self) {
        let (passed, wait) = oneshot::channel();
        {
            let mut pending = locked(&self.inner.pending);
            if pending.closed {
                return;
            }
            pending.fences.push(passed);
        }
        self.inner.waker.wake();
        // The sender is gone only when the timing thread has ended.
        let _ = wait.await;
    }

    /// What an operation would do now, computed on a copy of the game; changes nothing.
    ///
    /// # Errors
    /// The operation would be refused.
    pub fn preview(&self, operation: &Operation) -> Result<Preview, Refusal> {
        let (mut game, now) = self.game_now();
        let before = game.engine().snapshot(now);
        let outputs = game.apply(now, operation)?;
        let Published { game: name, seq, .. } = self.published.borrow().clone();
        Ok(Preview {
            game: name,
            seq,
            before,
            after: game.engine().snapshot(now),
            effects: outputs.as_slice().to_vec(),
            began: game.engine().state().began,
        })
    }

    /// The whole game, as it is now.
    #[must_use]
    pub fn export(&self) -> Saved {
        let (game, now) = self.game_now();
        game.engine().save(now)
    }

    /// A copy of the game in which everything due has happened, and the instant of it.
    fn game_now(&self) -> (Game, Instant) {
        let pending = locked(&self.inner.pending);
        let now = self.inner.line.now();
        let mut game = pending.game.clone();
        drop(pending);
        while game.poll(now).is_some() {}
        (game, now)
    }

    /// The clock as it is now. Computed here: the timing thread hears nothing of it.
    #[must_use]
    pub fn now_view(&self) -> View {
        let published = self.published.borrow().clone();
        // After the state was taken: now is never before it.
        let now = self.inner.line.now();
        let snapshot = published.state.snapshot(&published.settings, now);
        View { published, snapshot }
    }

    /// The game as its presses would have led to it under another control, now.
    ///
    /// # Errors
    /// The game was imported: its presses are not known.
    pub fn what_if(&self, control: Control) -> Result<View, Refusal> {
        let (game, now) = self.game_now();
        let mut published = self.published.borrow().clone();
        let engine = game.history().under(control, &published.settings, now)?;
        published.settings = Arc::new(*engine.settings());
        published.state = *engine.state();
        let snapshot = engine.snapshot(now);
        Ok(View { published, snapshot })
    }

    /// The newest published state, to be read or waited on.
    #[must_use]
    pub fn published(&self) -> watch::Receiver<Published> {
        self.published.clone()
    }

    /// Every line from now on.
    #[must_use]
    pub fn lines(&self) -> Lines {
        Lines { receiver: self.inner.lines.subscribe(), inner: Arc::clone(&self.inner) }
    }

    /// Waits until the displays have dealt with every picture posted so far.
    pub async fn displayed(&self) {
        let posted = self.inner.counters.posted();
        // An error means that their thread has ended: then there is nothing to wait for.
        let _ = self.inner.display.clone().wait_for(|status| status.shown >= posted).await;
    }

    /// Ticks done so far: the timing thread lives while this grows.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.inner.counters.ticks()
    }

    /// Writes what is left to write, and where the running game's time stands: the last thing
    /// before the daemon ends. False where the disk did not take it.
    #[must_use]
    pub fn close(&self) -> bool {
        let Published { game, state, .. } = &*self.published.borrow();
        self.inner.recorder.end(game, self.inner.line.now() - state.began)
    }
}

impl Lines {
    /// The next line, as soon as there is one.
    ///
    /// # Errors
    /// Lines were missed (counted in [`Health::missed_lines`]; go on), or the clock has ended.
    pub async fn recv(&mut self) -> Result<Arc<PublishedLine>, LinesError> {
        self.receiver.recv().await.map_err(|error| match error {
            broadcast::error::RecvError::Lagged(missed) => {
                self.inner.missed_lines.fetch_add(missed, Relaxed);
                LinesError::Missed(missed)
            }
            broadcast::error::RecvError::Closed => LinesError::Closed,
        })
    }
}

/// The requests are whole after every step, so a panic elsewhere does not spoil them.
fn locked(pending: &Mutex<PendingRequests>) -> MutexGuard<'_, PendingRequests> {
    pending.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_replayed(operation: &Operation) -> bool {
    matches!(operation, Operation::ChangeControl(change) if change.how == ReplacePolicy::Replayed)
}

#[cfg(test)]
mod tests;
