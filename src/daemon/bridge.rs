//! The bridge between the timing thread's two rings and everything that asks, waits and listens.
//!
//! It decides nothing about the game and keeps no time. It gives every cause and every effect its
//! line with a number, has the lines written, makes them known in their order, and answers who
//! asked, after that.
//! Reading never passes the timing thread: a reader computes the clocks at its own now.

mod ask;
mod book;
mod clerk;
mod desk;
mod for_box;
mod game_id;
mod health;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{broadcast, mpsc, oneshot, watch};

pub use ask::{Answer, Ask, AskError, Origin};
pub use clerk::Clerk;
pub use game_id::GameIds;
pub use health::Health;

use book::Book;
use desk::Desk;

use super::beginning::{Beginning, Game};
use super::recorder::Recorder;
use super::screen;
use crate::board::TimeLine;
use crate::control::{Control, Settings};
use crate::engine::{History, Refusal, Snapshot, State};
use crate::menu::Wish;
use crate::record::{Fields, How};
use crate::time::Span;
use crate::timing::{Bell, Counters, Granted, Notice, Order};

/// How many lines a reader may lag behind before it misses some.
const LINES: usize = 4_096;

/// How often presses are replayed where something happens meanwhile.
const TRIES: usize = 5;

/// The newest state that has been published.
#[derive(Clone, Debug)]
pub struct Published {
    /// The game's name, unlike that of any other game: when it began (UTC) and where within that
    /// second.
    pub game: Arc<str>,
    /// The number of the newest line.
    pub seq: u64,
    /// The number of the newest line that is news: all but those of denied attempts.
    pub news: u64,
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
    /// The `kind` of the line.
    pub kind: &'static str,
    /// The line's own members.
    pub fields: Fields,
    /// Who caused it; `None` for an effect.
    pub origin: Option<String>,
    /// The game after the line.
    pub snapshot: Snapshot,
    /// What the game is set to.
    pub settings: Arc<Settings>,
    /// The whole line as it stands in the journal, with its hash, without the line's end.
    pub text: Arc<str>,
}

/// What a bridge stands on.
#[derive(Debug)]
pub struct Ground {
    /// Orders to the timing thread.
    pub orders: rtrb::Producer<Order>,
    /// Notices from it.
    pub notices: rtrb::Consumer<Notice>,
    /// Rung when there are notices.
    pub notice_bell: Bell,
    /// What the timing thread counts.
    pub counters: Arc<Counters>,
    /// Its time line.
    pub line: Arc<dyn TimeLine>,
    /// The game's settings.
    pub settings: Arc<Settings>,
    /// The game as it begins.
    pub state: State,
    /// What it begins with.
    pub beginning: Beginning,
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
    desk: Mutex<Desk>,
    line: Arc<dyn TimeLine>,
    bell: Bell,
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
pub fn connect(ground: Ground) -> (Bridge, Clerk) {
    let Ground { orders, notices, notice_bell: bell, counters, line, settings, state, .. } = ground;
    let Beginning { game, ids, chain } = ground.beginning;
    let (lines, _) = broadcast::channel(LINES);
    let nothing = |game: &str, seq| {
        let (game, settings) = (Arc::from(game), Arc::clone(&settings));
        Published { game, seq, news: seq, at: Span::ZERO, settings, state }
    };
    let mut history = History::new(state.began);
    let book = match game {
        Game::New { after, .. } => {
            let mut book = Book::new(nothing("", 0), 0, ids, chain);
            book.begin_after(after, &settings, &state);
            book
        }
        Game::GoesOn(taken_up) => {
            history = taken_up.history;
            let next_seq = taken_up.next_seq;
            let before = nothing(&taken_up.id, next_seq.saturating_sub(1));
            let mut book = Book::new(before, next_seq, ids, chain);
            book.take_up(taken_up.lines);
            book
        }
    };
    let (publish, published) = watch::channel(book.newest().clone());
    let inner = Arc::new(Inner {
        desk: Mutex::new(Desk::new(orders, ground.wishes, history)),
        line,
        bell: bell.clone(),
        counters,
        lines,
        missed_lines: AtomicU64::new(0),
        granted: ground.granted,
        tick_period: ground.tick_period,
        display: ground.display,
        recorder: ground.recorder,
    });
    let clerk = Clerk { inner: Arc::clone(&inner), publish, notices, bell, book, told: None };
    (Bridge { inner, published }, clerk)
}

impl Bridge {
    /// Asks for something and waits until it is done and published. Requests are carried out in
    /// the order in which this is first polled.
    ///
    /// # Errors
    /// See [`AskError`].
    pub async fn ask(&self, what: Ask, origin: Origin) -> Result<Answer, AskError> {
        let (reply, answer) = oneshot::channel();
        let fence = matches!(what, Ask::Fence);
        {
            // Stamped under the lock, so that stamps come in the order of the requests.
            let mut desk = locked(&self.inner.desk);
            let published = self.published.borrow();
            desk.leave(what, origin, self.inner.line.now(), &published, reply)?;
        }
        if fence {
            self.inner.bell.ring();
        } else {
            self.inner.line.order_waits();
        }
        answer.await.unwrap_or(Err(AskError::Gone))
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

    /// Goes on under another control, and where its presses are replayed and something happens
    /// meanwhile (a stroke at the box perhaps), replays them anew.
    ///
    /// # Errors
    /// See [`AskError`].
    pub async fn change_control(
        &self,
        control: &Control,
        how: How,
        origin: &Origin,
    ) -> Result<Answer, AskError> {
        for _ in 0..TRIES {
            let ask = Ask::ChangeControl { control: control.clone(), how };
            match self.ask(ask, origin.clone()).await {
                Err(AskError::Stale { .. }) => {
                    self.ask(Ask::Fence, origin.clone()).await?;
                }
                answer => return answer,
            }
        }
        Err(AskError::Busy)
    }

    /// The game as its presses would have led to it under another control, now.
    ///
    /// # Errors
    /// The game was imported: its presses are not known.
    pub fn what_if(&self, control: Control) -> Result<View, Refusal> {
        let history = locked(&self.inner.desk).history.clone();
        let mut published = self.published.borrow().clone();
        let now = self.inner.line.now();
        let engine = history.under(control, &published.settings, now)?;
        published.settings = Arc::new(engine.settings().clone());
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

/// The desk is whole after every step, so a panic elsewhere does not spoil it.
fn locked(desk: &Mutex<Desk>) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
