//! Turns notices into numbered lines, makes them known, and then answers who asked.

use std::io;
use std::sync::Arc;

use jiff::Timestamp;
use rtrb::Consumer;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{broadcast, watch};

use super::desk::Desk;
use super::game_id::GameIds;
use super::{Answer, AskError, Inner, Origin, Published, PublishedLine, locked};
use crate::control::Settings;
use crate::engine::{Effect, Refusal, State};
use crate::menu::Wish;
use crate::record::{Cause, Fields, effect_fields, effect_kind, refused_fields};
use crate::time::Instant;
use crate::timing::{Bell, Notice, Said};

/// The one task that reads what the timing thread tells.
#[derive(Debug)]
pub struct Clerk {
    pub(super) inner: Arc<Inner>,
    pub(super) notices: Consumer<Notice>,
    pub(super) bell: Bell,
    pub(super) book: Book,
}

/// The lines of the running game.
#[derive(Debug)]
pub(super) struct Book {
    published: watch::Sender<Published>,
    lines: broadcast::Sender<Arc<PublishedLine>>,
    ids: GameIds,
    wishes: UnboundedSender<Wish>,
    next_seq: u64,
    dropped: u64,
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
        loop {
            let mut ready = ringing.readable().await?;
            self.bell.take();
            ready.clear_ready();
            // Asked before the ring is emptied: what was told before the end is still published.
            let ended = self.notices.is_abandoned();
            self.work();
            if ended {
                locked(&self.inner.desk).close();
                return Ok(());
            }
        }
    }

    /// Publishes everything that has been told until now.
    fn work(&mut self) {
        let inner = Arc::clone(&self.inner);
        let mut desk = locked(&inner.desk);
        // Fences that are there already are passed by everything told before them.
        let fences = std::mem::take(&mut desk.fences);
        while let Ok(notice) = self.notices.pop() {
            self.book.enter(&mut desk, notice);
        }
        self.book.confess(inner.counters.dropped_events());
        let answer = self.book.answer(inner.line.now());
        for fence in fences {
            // Who does not wait any more needs no answer; so below.
            let _ = fence.send(Ok(answer.clone()));
        }
    }
}

impl Book {
    pub(super) fn new(
        published: watch::Sender<Published>,
        lines: broadcast::Sender<Arc<PublishedLine>>,
        ids: GameIds,
        wishes: UnboundedSender<Wish>,
    ) -> Self {
        Book { published, lines, ids, wishes, next_seq: 0, dropped: 0 }
    }

    /// The first line of a game.
    pub(super) fn begin(&mut self, settings: &Arc<Settings>, state: &State, origin: &Origin) {
        let game: Arc<str> = self.ids.next(Timestamp::now()).into();
        self.next_seq = 0;
        self.published.send_modify(|published| {
            published.game = game;
            published.settings = Arc::clone(settings);
        });
        let cause = Cause::NewGame { settings: Arc::clone(settings) };
        self.cause(state.began, &cause, origin, state);
    }

    /// Enters what a notice says, and answers where it ends a request.
    fn enter(&mut self, desk: &mut Desk, notice: Notice) {
        let Notice { at, ticket, what, state } = notice;
        desk.heard += u64::from(what.makes_line());
        match what {
            Said::NewGame { outcome, spent } => {
                drop(spent);
                self.asked(desk, ticket, at, outcome, &state, None);
            }
            Said::Command { command, outcome } => {
                self.asked(desk, ticket, at, outcome, &state, Some(Cause::command(command)));
            }
            Said::Press(side) => {
                self.asked(desk, ticket, at, Ok(()), &state, Some(Cause::Press { side }));
            }
            Said::Note => self.asked(desk, ticket, at, Ok(()), &state, None),
            Said::Effect(effect) => self.effect(at, &effect, &state),
            Said::Stuck(key) => {
                desk.stuck.push(key);
                self.warning(at, "button-stuck", key.name(), &state);
            }
            Said::Freed(key) => {
                desk.stuck.retain(|stuck| *stuck != key);
                self.warning(at, "button-freed", key.name(), &state);
            }
            Said::End => {
                if let Some(waiting) = ticket.and_then(|ticket| desk.waiting.remove(&ticket)) {
                    let answer = self.answer(at);
                    let _ = waiting.reply.send(waiting.outcome.map(|()| answer));
                }
            }
            Said::LowPower(low) => {
                desk.low_power = low;
                let (code, detail) = match low {
                    true => ("low-power", "the battery is low"),
                    false => ("power-back", "the battery is not low any more"),
                };
                self.warning(at, code, detail, &state);
            }
            Said::Wish(wish) => {
                // Nobody left to fulfil it: the daemon is ending.
                let _ = self.wishes.send(wish);
            }
            Said::Spent(spent) => drop(spent),
            Said::Stale => {
                if let Some(waiting) = ticket.and_then(|ticket| desk.waiting.remove(&ticket)) {
                    let newest = self.published.borrow().seq;
                    let _ = waiting.reply.send(Err(AskError::Stale { newest }));
                }
            }
        }
    }

    /// Enters a cause: that of the request it belongs to, else `at_the_box`.
    fn asked(
        &mut self,
        desk: &mut Desk,
        ticket: Option<u32>,
        at: Instant,
        outcome: Result<(), Refusal>,
        state: &State,
        at_the_box: Option<Cause>,
    ) {
        let waiting = ticket.and_then(|ticket| desk.waiting.get_mut(&ticket));
        if let Some(waiting) = waiting {
            match (&waiting.cause, outcome) {
                (Cause::NewGame { settings }, Ok(())) => {
                    self.begin(settings, state, &waiting.origin);
                }
                (cause, _) => self.cause(at, cause, &waiting.origin, state),
            }
            waiting.outcome = outcome.map_err(AskError::Refused);
            if let Err(refusal) = outcome {
                self.refused(at, waiting.cause.kind(), &refusal, state);
            }
        } else if let Some(cause) = at_the_box {
            self.cause(at, &cause, &Origin::Board, state);
            if let Err(refusal) = outcome {
                self.refused(at, cause.kind(), &refusal, state);
            }
        }
    }

    /// Says that events are missing, once for each time that some were lost.
    fn confess(&mut self, dropped: u64) {
        if dropped > self.dropped {
            let detail = format!("{} events were not recorded", dropped - self.dropped);
            self.dropped = dropped;
            tracing::error!("{detail}: the daemon stood still for too long");
            let state = self.published.borrow().state;
            self.warning(state.since, "dropped-events", &detail, &state);
        }
    }

    fn cause(&mut self, at: Instant, cause: &Cause, origin: &Origin, state: &State) {
        self.line(at, cause.kind(), cause.fields(), Some(origin.to_string()), state);
    }

    fn effect(&mut self, at: Instant, effect: &Effect, state: &State) {
        self.line(at, effect_kind(effect), effect_fields(effect), None, state);
    }

    fn refused(&mut self, at: Instant, what: &str, refusal: &Refusal, state: &State) {
        self.line(at, "refused", refused_fields(what, refusal), None, state);
    }

    fn warning(&mut self, at: Instant, code: &str, detail: &str, state: &State) {
        let mut fields = Fields::new();
        fields.insert("code".to_owned(), code.into());
        fields.insert("detail".to_owned(), detail.into());
        self.line(at, "warning", fields, None, state);
    }

    /// Numbers a line and makes it known. A journal takes its lines here: what is published is
    /// written before.
    fn line(
        &mut self,
        at: Instant,
        kind: &'static str,
        fields: Fields,
        origin: Option<String>,
        state: &State,
    ) {
        let seq = self.next_seq;
        self.next_seq += 1;
        self.published.send_modify(|published| {
            published.seq = seq;
            published.state = *state;
        });
        let published = self.published.borrow();
        let line = PublishedLine {
            seq,
            game: Arc::clone(&published.game),
            at: at - state.began,
            kind,
            fields,
            origin,
            snapshot: state.snapshot(&published.settings, at),
            settings: Arc::clone(&published.settings),
        };
        // Nobody listening is no fault.
        let _ = self.lines.send(Arc::new(line));
    }

    fn answer(&self, at: Instant) -> Answer {
        let published = self.published.borrow();
        Answer {
            game: Arc::clone(&published.game),
            seq: published.seq,
            snapshot: published.state.snapshot(&published.settings, at),
        }
    }
}
