//! The running game's lines: gives every cause and effect its number, its text and its hash.
//!
//! What is entered is not known to anybody yet: it becomes a list of things to be done, in order,
//! once the lines are written.

use std::sync::Arc;

use jiff::Timestamp;

use super::desk::{Desk, Reply};
use super::game_id::GameIds;
use super::{Answer, AskError, Origin, Published, PublishedLine};
use crate::control::Settings;
use crate::engine::{Command, Effect, History, Output, Refusal, Snapshot, State, grant_quickplay};
use crate::journal::writer::Part;
use crate::record::chain::{After, Chain};
use crate::record::verify::Followup;
use crate::record::{Cause, DENIED, Entry, Fields, effect_fields, effect_kind, refused_fields};
use crate::time::{Instant, Span};
use crate::timing::{Notice, Said};

/// Something that is to be done once the lines before it are written.
#[derive(Debug)]
pub(super) enum Step {
    /// This is the newest line.
    Publish(Box<Published>, Arc<PublishedLine>),
    /// A notice that is news has been published.
    Heard,
    /// Somebody gets an answer.
    Answer(Reply, Result<Answer, AskError>),
}

/// The book.
#[derive(Debug)]
pub(super) struct Book {
    /// The newest line that was entered.
    newest: Published,
    next_seq: u64,
    ids: GameIds,
    chain: Chain,
    /// What the next game's first line stands on.
    after: Option<After>,
    dropped: u64,
    /// Entered since it was last asked.
    steps: Vec<Step>,
}

impl Book {
    /// A book whose next line has a number in the game of `newest`; the hashes go on from `chain`.
    pub(super) fn new(newest: Published, next_seq: u64, ids: GameIds, chain: Chain) -> Self {
        Book { newest, next_seq, ids, chain, after: None, dropped: 0, steps: Vec::new() }
    }

    /// The first line of a game; the one of all games stands on what is handed over.
    pub(super) fn begin_after(
        &mut self,
        after: Option<After>,
        settings: &Arc<Settings>,
        state: &State,
    ) {
        self.after = after;
        self.begin(settings, state, &Origin::Recovery);
    }

    /// The newest line that was entered.
    pub(super) const fn newest(&self) -> &Published {
        &self.newest
    }

    /// What was entered since this was last asked.
    pub(super) fn take(&mut self) -> Vec<Step> {
        std::mem::take(&mut self.steps)
    }

    /// The newest line's state at an instant, for who asked.
    pub(super) fn answer(&self, at: Instant) -> Answer {
        let Published { game, seq, settings, state, .. } = &self.newest;
        let (game, snapshot) = (Arc::clone(game), state.snapshot(settings, at));
        Answer { game, seq: *seq, snapshot, saved: None }
    }

    /// Enters what a notice says, and answers where it ends a request.
    pub(super) fn enter(&mut self, desk: &mut Desk, notice: Notice) {
        let Notice { at, ticket, what, state } = notice;
        let is_news = what.is_news();
        match what {
            Said::NewGame { outcome, spent } => {
                drop(spent);
                self.asked(desk, ticket, at, outcome, &state, None);
            }
            Said::Command { command, outcome } => {
                self.asked(desk, ticket, at, outcome, &state, Some(Cause::command(command)));
            }
            Said::ChangeControl { outcome, spent } => {
                drop(spent);
                self.asked(desk, ticket, at, outcome, &state, None);
            }
            Said::Replace { outcome, spent } => {
                drop(spent);
                self.asked(desk, ticket, at, outcome, &state, None);
            }
            Said::Saved(game) => {
                if let Some(waiting) = ticket.and_then(|ticket| desk.waiting.get_mut(&ticket)) {
                    waiting.saved = Some(Arc::new(game.save(at)));
                }
            }
            Said::Press(side) => {
                self.asked(desk, ticket, at, Ok(()), &state, Some(Cause::Press { side }));
            }
            Said::PressBoth(side) => {
                self.asked(desk, ticket, at, Ok(()), &state, Some(Cause::PressBoth { side }));
            }
            Said::Note => self.asked(desk, ticket, at, Ok(()), &state, None),
            Said::Effect(effect) => {
                desk.history.effect(&Output { at, effect }, &self.newest.settings);
                self.effect(at, &effect, &state);
            }
            Said::Stuck(key) => {
                desk.stuck.push(key);
                self.warning(at, "button-stuck", key.name(), &state);
            }
            Said::Freed(key) => {
                desk.stuck.retain(|stuck| *stuck != key);
                self.warning(at, "button-freed", key.name(), &state);
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
                let _ = desk.wishes.send(wish);
            }
            Said::Spent(spent) => drop(spent),
            Said::End => {
                if let Some(waiting) = ticket.and_then(|ticket| desk.waiting.remove(&ticket)) {
                    let saved = waiting.saved;
                    let answer = waiting.outcome.map(|()| Answer { saved, ..self.answer(at) });
                    self.steps.push(Step::Answer(waiting.reply, answer));
                }
            }
            Said::Stale => {
                if let Some(waiting) = ticket.and_then(|ticket| desk.waiting.remove(&ticket)) {
                    let stale = AskError::Stale { newest: self.newest.seq };
                    self.steps.push(Step::Answer(waiting.reply, Err(stale)));
                }
            }
        }
        if is_news {
            self.steps.push(Step::Heard);
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
            if outcome.is_ok() {
                self.note(&mut desk.history, at, &waiting.cause, waiting.settings.take());
            }
            match (&waiting.cause, outcome) {
                (Cause::NewGame { settings }, Ok(())) => {
                    desk.history = History::new(state.began);
                    self.begin(settings, state, &waiting.origin);
                }
                (cause, _) => self.cause(at, cause, &waiting.origin, state),
            }
            waiting.outcome = outcome.map_err(AskError::Refused);
            if let Err(refusal) = outcome {
                self.refused(at, waiting.cause.kind(), &refusal, state);
            }
        } else if let Some(cause) = at_the_box {
            if outcome.is_ok() {
                self.note(&mut desk.history, at, &cause, None);
            }
            self.cause(at, &cause, &Origin::Board, state);
            if let Err(refusal) = outcome {
                self.refused(at, cause.kind(), &refusal, state);
            }
        }
    }

    /// Keeps in mind what a cause that was carried out means for what comes after it.
    fn note(
        &mut self,
        history: &mut History,
        at: Instant,
        cause: &Cause,
        settings: Option<Arc<Settings>>,
    ) {
        match cause {
            Cause::Press { side } | Cause::PressBoth { side } => {
                history.press(at, *side, &self.newest.state);
            }
            Cause::Command { command, .. } => {
                history.command(at, command);
                if let Command::Quickplay { .. } = command {
                    grant_quickplay(&mut Arc::make_mut(&mut self.newest.settings).control);
                }
            }
            Cause::Import { .. } => history.imported(),
            _ => {}
        }
        if let Some(settings) = settings {
            self.newest.settings = settings;
        }
    }

    /// Says that events are missing, once for each time that some were lost.
    pub(super) fn confess(&mut self, dropped: u64) {
        if dropped > self.dropped {
            let detail = format!("{} events were not recorded", dropped - self.dropped);
            self.dropped = dropped;
            tracing::error!("{detail}: the daemon stood still for too long");
            self.warn("dropped-events", &detail);
        }
    }

    /// A warning that does not come from the timing thread. It stands at the newest line's time:
    /// what happened on the box's time line since may not have been told yet.
    pub(super) fn warn(&mut self, code: &str, detail: &str) {
        let state = self.newest.state;
        self.warning(state.began + self.newest.at, code, detail, &state);
    }

    /// Enters the lines of a game that is taken up again.
    pub(super) fn take_up(&mut self, lines: Vec<(Followup, Option<Origin>)>) {
        for (Followup { at, kind, fields, snapshot }, origin) in lines {
            let origin = origin.map(|origin| origin.to_string());
            let state = self.newest.state;
            self.push(at, kind, fields, origin, (snapshot, state));
        }
    }

    fn begin(&mut self, settings: &Arc<Settings>, state: &State, origin: &Origin) {
        if !self.newest.game.is_empty() {
            let (game, hash) = (self.newest.game.to_string(), self.chain.last());
            self.after = Some(After { game, hash });
        }
        self.next_seq = 0;
        self.newest.game = self.ids.next(Timestamp::now()).into();
        self.newest.settings = Arc::clone(settings);
        let cause = Cause::NewGame { settings: Arc::clone(settings) };
        self.cause(state.began, &cause, origin, state);
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

    fn line(
        &mut self,
        at: Instant,
        kind: &'static str,
        fields: Fields,
        origin: Option<String>,
        state: &State,
    ) {
        let snapshot = state.snapshot(&self.newest.settings, at);
        self.push(at - state.began, kind, fields, origin, (snapshot, *state));
    }

    fn push(
        &mut self,
        at: Span,
        kind: &'static str,
        fields: Fields,
        origin: Option<String>,
        (snapshot, state): (Snapshot, State),
    ) {
        let seq = self.next_seq;
        self.next_seq += 1;
        self.newest.seq = seq;
        if kind != DENIED {
            self.newest.news = seq;
        }
        self.newest.at = at;
        self.newest.state = state;
        let after = self.after.take();
        let entry = Entry {
            seq,
            at,
            kind,
            wall: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
            origin: origin.as_deref(),
            fields: &fields,
            snapshot: &snapshot,
            after: after.as_ref(),
        };
        let text = entry.seal(&mut self.chain).into();
        let line = PublishedLine {
            seq,
            game: Arc::clone(&self.newest.game),
            at,
            kind,
            fields,
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
