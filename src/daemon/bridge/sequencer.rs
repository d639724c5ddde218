//! The running game's lines: gives every cause and effect its number, its text and its hash.
//!
//! What is entered is not published yet: it becomes a list of things to do, in order, once the
//! lines are written.

use std::sync::Arc;

use jiff::Timestamp;

use super::game_id::GameIds;
use super::pending::{PendingRequest, PendingRequests, Reply};
use super::{Answer, Origin, Published, PublishedLine, SubmitError};
use crate::engine::operation::NewGame;
use crate::engine::{Effect, Operation, Refusal, Snapshot, State};
use crate::journal::writer::Part;
use crate::record::chain::{After, Chain};
use crate::record::verify::Followup;
use crate::record::{Annotations, BoxEvent, Content, NewLine, SCHEMA};
use crate::time::{Instant, Span};
use crate::timing::{Event, EventKind};

/// Something to do once the lines before it are written.
#[derive(Debug)]
pub(super) enum Step {
    /// This is the newest line.
    Publish(Box<Published>, Arc<PublishedLine>),
    /// An event that is a state change has been published.
    StateChange,
    /// A caller gets an answer.
    Answer(Reply, Result<Answer, SubmitError>),
}

/// Numbers the lines.
#[derive(Debug)]
pub(super) struct Sequencer {
    /// The newest line that was entered.
    newest: Published,
    next_seq: u64,
    ids: GameIds,
    chain: Chain,
    /// The game before, for the first line of the next one.
    after: Option<After>,
    dropped: u64,
    /// The event that is being entered makes orders stale that were meant for the line before.
    is_state_change: bool,
    /// Entered since the last [`take`](Self::take).
    steps: Vec<Step>,
}

/// What a line is about, beside its content.
struct About<'a> {
    origin: Option<&'a Origin>,
    annotations: &'a Annotations,
}

/// An effect, or what the daemon itself reports.
const NO_CAUSE: About<'static> =
    About { origin: None, annotations: &Annotations { reason: None, on_behalf_of: None } };

impl Sequencer {
    /// The next line has a number in the game of `newest`; the hashes follow `chain`.
    pub(super) fn new(newest: Published, next_seq: u64, ids: GameIds, chain: Chain) -> Self {
        Sequencer {
            newest,
            next_seq,
            ids,
            chain,
            after: None,
            dropped: 0,
            is_state_change: true,
            steps: Vec::new(),
        }
    }

    /// Enters the first line of a game that the daemon starts with.
    pub(super) fn begin_after(&mut self, after: Option<After>) {
        self.after = after;
        let operation = NewGame::of(&self.newest.settings, false).into();
        let state = self.newest.state;
        let about = About { origin: Some(&Origin::Recovery), ..NO_CAUSE };
        self.begin();
        self.line(state.began, Content::Operation(operation), &about, &state);
    }

    /// Enters the first lines of a game that continues another journal's.
    pub(super) fn begin_with(&mut self, after: After, lines: Vec<(Followup, Option<Origin>)>) {
        self.after = Some(after);
        self.begin();
        self.take_up(lines);
    }

    /// The newest line that was entered.
    pub(super) const fn newest(&self) -> &Published {
        &self.newest
    }

    /// What was entered since the last call.
    pub(super) fn take(&mut self) -> Vec<Step> {
        std::mem::take(&mut self.steps)
    }

    /// Enters an event, and answers where it ends a request.
    pub(super) fn enter(&mut self, pending: &mut PendingRequests, event: Event) {
        let Event { at, request_id, kind, is_state_change, state } = event;
        self.is_state_change = is_state_change;
        match kind {
            EventKind::Applied { operation, outcome } => {
                self.applied(pending, request_id, (at, operation, outcome), &state);
            }
            EventKind::Effect(effect) => {
                while pending.game.poll(at).is_some() {}
                self.effect(pending, request_id, at, effect, &state);
            }
            EventKind::Stuck(key) => {
                pending.stuck.push(key);
                self.warning(at, "button-stuck", key.name(), &state);
            }
            EventKind::Freed(key) => {
                pending.stuck.retain(|stuck| *stuck != key);
                self.warning(at, "button-freed", key.name(), &state);
            }
            EventKind::LowPower(low) => {
                pending.low_power = low;
                let (code, detail) = match low {
                    true => ("low-power", "the battery is low"),
                    false => ("power-back", "the battery is no longer low"),
                };
                self.warning(at, code, detail, &state);
            }
            EventKind::PanelRequest(wish) => {
                // The receiver is gone only while the daemon ends.
                let _ = pending.wishes.send(wish);
            }
            EventKind::Reclaim(memory) => drop(memory),
            EventKind::Done => {
                let request = request_id.and_then(|id| pending.waiting.remove(&id));
                if let Some(PendingRequest { before, effects, outcome, reply, .. }) = request {
                    let Published { game, seq, settings, state, .. } = &self.newest;
                    let snapshot = state.snapshot(settings, at);
                    let answer = outcome.map(|()| Answer {
                        game: Arc::clone(game),
                        seq: *seq,
                        before: before.unwrap_or(snapshot),
                        snapshot,
                        effects,
                    });
                    self.steps.push(Step::Answer(reply, answer));
                }
            }
            EventKind::Conflict(operation) => {
                drop(operation);
                if let Some(request) = request_id.and_then(|id| pending.waiting.remove(&id)) {
                    let (game, newest) = (Arc::clone(&self.newest.game), self.newest.seq);
                    let stale = SubmitError::Stale { game, newest };
                    self.steps.push(Step::Answer(request.reply, Err(stale)));
                }
            }
        }
        if is_state_change {
            self.steps.push(Step::StateChange);
        }
    }

    /// Enters an operation that the timing thread has carried out or refused.
    fn applied(
        &mut self,
        pending: &mut PendingRequests,
        request_id: Option<u32>,
        (at, operation, outcome): (Instant, Operation, Result<(), Refusal>),
        state: &State,
    ) {
        let request = request_id.and_then(|id| pending.waiting.get_mut(&id));
        let prepared = request.and_then(|request| request.prepared.take());
        while pending.game.poll(at).is_some() {}
        let before = pending.game.engine().snapshot(at);
        if outcome.is_ok() {
            let followed = pending.game.apply_prepared(at, &operation, prepared);
            if followed.is_err() || pending.game.engine().state() != state {
                tracing::error!("{}: the game that the daemon follows differs", operation.name());
                debug_assert_eq!(pending.game.engine().state(), state, "{operation:?}");
            }
            let settings = pending.game.engine().settings();
            if *self.newest.settings != *settings {
                self.newest.settings = Arc::new(*settings);
            }
            if matches!(operation, Operation::NewGame(_)) {
                self.begin();
            }
        }
        let request = request_id.and_then(|id| pending.waiting.get_mut(&id));
        let none = Annotations::default();
        let (origin, annotations) = match &request {
            Some(request) => (&request.origin, &request.annotations),
            None => (&Origin::Board, &none),
        };
        let refused = outcome.err().map(|refusal| BoxEvent::refused(&operation, &refusal));
        let about = About { origin: Some(origin), annotations };
        self.line(at, Content::Operation(operation), &about, state);
        if let Some(refused) = refused {
            self.line(at, Content::Box(refused), &NO_CAUSE, state);
        }
        if let Some(request) = request {
            request.before = Some(before);
            request.outcome = outcome.map_err(SubmitError::Refused);
        }
    }

    fn effect(
        &mut self,
        pending: &mut PendingRequests,
        request_id: Option<u32>,
        at: Instant,
        effect: Effect,
        state: &State,
    ) {
        let content = Content::Effect(effect);
        if let Some(request) = request_id.and_then(|id| pending.waiting.get_mut(&id)) {
            request.effects.push((at - state.began, content.clone()));
        }
        self.line(at, content, &NO_CAUSE, state);
    }

    /// Reports that events are missing, once for each time that some were lost.
    pub(super) fn report_dropped(&mut self, dropped: u64) {
        if dropped > self.dropped {
            let detail = format!("{} events were not recorded", dropped - self.dropped);
            self.dropped = dropped;
            tracing::error!("{detail}: the daemon did not run for too long");
            self.warn("dropped-events", &detail);
        }
    }

    /// A warning that does not come from the timing thread. It has the newest line's time: later
    /// events may not have been entered yet.
    pub(super) fn warn(&mut self, code: &str, detail: &str) {
        let state = self.newest.state;
        self.is_state_change = false;
        self.warning(state.began + self.newest.at, code, detail, &state);
    }

    /// Enters the lines of a game that is taken up again.
    pub(super) fn take_up(&mut self, lines: Vec<(Followup, Option<Origin>)>) {
        for (Followup { at, content, snapshot }, origin) in lines {
            let about = About { origin: origin.as_ref(), ..NO_CAUSE };
            let state = self.newest.state;
            self.push(at, content, &about, (snapshot, state));
        }
    }

    /// The next line is the first one of a new game.
    fn begin(&mut self) {
        if !self.newest.game.is_empty() {
            let (game, hash) = (self.newest.game.to_string(), self.chain.last());
            self.after = Some(After { game, hash });
        }
        self.next_seq = 0;
        self.newest.game = self.ids.next(Timestamp::now()).into();
    }

    fn warning(&mut self, at: Instant, code: &str, detail: &str, state: &State) {
        let (code, detail) = (code.to_owned(), detail.to_owned());
        let content = Content::Box(BoxEvent::Warning { code, detail });
        self.line(at, content, &NO_CAUSE, state);
    }

    fn line(&mut self, at: Instant, content: Content, about: &About, state: &State) {
        let snapshot = state.snapshot(&self.newest.settings, at);
        self.push(at - state.began, content, about, (snapshot, *state));
    }

    fn push(
        &mut self,
        at: Span,
        content: Content,
        about: &About,
        (snapshot, state): (Snapshot, State),
    ) {
        let seq = self.next_seq;
        self.next_seq += 1;
        self.newest.seq = seq;
        if self.is_state_change {
            self.newest.state_change = seq;
        }
        self.newest.at = at;
        self.newest.state = state;
        let after = self.after.take();
        let origin = about.origin.map(ToString::to_string);
        let line = NewLine {
            seq,
            schema: (seq == 0).then_some(SCHEMA),
            at,
            wall: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
            origin: origin.as_deref(),
            content: &content,
            annotations: about.annotations,
            after: after.as_ref(),
            state: &snapshot,
        };
        let text = line.seal(&mut self.chain).into();
        let line = PublishedLine {
            seq,
            game: Arc::clone(&self.newest.game),
            at,
            content,
            annotations: about.annotations.clone(),
            origin,
            snapshot,
            settings: Arc::clone(&self.newest.settings),
            text,
        };
        self.steps.push(Step::Publish(Box::new(self.newest.clone()), Arc::new(line)));
    }
}

/// The lines among the steps, as the journal takes them.
pub(super) fn parts(steps: &[Step]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for step in steps {
        let Step::Publish(_, line) = step else { continue };
        match parts.last_mut() {
            Some(part) if part.game == line.game => {
                part.last_seq = line.seq;
                part.text.push_str(&line.text);
                part.text.push('\n');
            }
            _ => parts.push(Part {
                game: Arc::clone(&line.game),
                last_seq: line.seq,
                text: format!("{}\n", line.text),
            }),
        }
    }
    parts
}
