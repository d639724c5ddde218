//! What the timing thread does each time it looks: strokes, requests and deadlines in the order of
//! their stamps, then the picture.
//!
//! It has no clock and no thread: `now` is handed in, once for everything that happens in a tick.

use super::for_box;
use super::messages::{DisplayUpdate, Event, EventKind, Reclaimed, Request, RtEndpoints, Task};
use super::{Counters, Waker};
use crate::board::Pins;
use crate::engine::operation::Press;
use crate::engine::{Effect, Engine, MAX_OUTPUTS, Operation, Output, Outputs};
use crate::input::{Input, Stroke};
use crate::menu::{Message, Wish};
use crate::panel::{Meaning, Panel, Signals};
use crate::time::{Instant, Span};

/// The most requests that one tick carries out: so many fit into a tick on the slowest board.
pub const MAX_REQUESTS: usize = 8;

/// The most events that one request leads to: its cause, its effects and its end. A request waits
/// until there is room for all of them, so that no answer is ever lost.
const ROOM: usize = MAX_OUTPUTS + 2;

/// How often every register of the display chips is written anew (`box.md` 4).
const REPAIR: Span = Span::from_secs(1);

/// What the timing thread owns.
#[derive(Debug)]
pub struct Parts<P> {
    /// The game.
    pub engine: Engine,
    /// The debouncer.
    pub input: Input,
    /// The face of the box.
    pub panel: Panel,
    /// The wires.
    pub pins: P,
}

/// The timing thread's work, without the thread.
#[derive(Debug)]
pub struct Tick<P> {
    engine: Engine,
    input: Input,
    panel: Panel,
    pins: P,
    ends: RtEndpoints,
    /// Events sent that are state changes.
    state_changes: u64,
    /// Something happened for which the picture may have to be drawn anew.
    touched: bool,
    /// An event was sent and its reader was not woken yet.
    unannounced: bool,
    new_game: bool,
    shown: Shown,
}

/// What displays and lamps show.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    post: DisplayUpdate,
    signals: Signals,
    /// When the picture changes by itself.
    next_change: Option<Instant>,
    next_repair: Instant,
}

impl<P: Pins> Tick<P> {
    /// Work that has not begun: nothing is shown yet, the first poll writes everything.
    #[must_use]
    pub fn new(parts: Parts<P>, ends: RtEndpoints) -> Self {
        let Parts { engine, input, panel, pins } = parts;
        Tick {
            engine,
            input,
            panel,
            pins,
            ends,
            state_changes: 0,
            touched: true,
            unannounced: false,
            new_game: false,
            shown: Shown::default(),
        }
    }

    /// One tick: looks at the contacts, does what is ripe, draws.
    pub fn poll(&mut self, now: Instant) {
        let contacts = self.pins.read(now);
        let strokes = self.input.sample(now, contacts);
        for stroke in &strokes {
            self.serve_before(stroke.at, usize::MAX);
            self.take(*stroke);
        }
        if let Some(low) = self.input.take_battery() {
            self.panel.set_low_power(low);
            self.send(now, None, EventKind::LowPower(low));
        }
        self.catch_up(now, MAX_REQUESTS);
    }

    /// Does what is ripe at `now` without looking at the contacts: for requests that arrive while
    /// manual time stands.
    pub fn serve(&mut self, now: Instant) {
        self.catch_up(now, usize::MAX);
    }

    /// Until when polls can find nothing to do, unless a request comes or a contact moves by hand.
    #[must_use]
    pub fn quiet_until(&self, now: Instant) -> Instant {
        if self.touched || !self.ends.requests.is_empty() {
            return now;
        }
        [self.input.next_change(), self.engine.next_deadline(), self.shown.next_change]
            .into_iter()
            .flatten()
            .fold(self.pins.steady_until(now).min(self.shown.next_repair), Instant::min)
    }

    /// The last thing of all: nothing glows or sounds on the box that nobody watches over.
    pub fn end(&mut self) {
        self.pins.write(Signals::default());
    }

    /// True once after a new game has begun.
    pub fn take_new_game(&mut self) -> bool {
        core::mem::take(&mut self.new_game)
    }

    /// Wakes the reader of the events.
    #[must_use]
    pub fn event_waker(&self) -> Waker {
        self.ends.event_waker.clone()
    }

    /// What is counted.
    #[must_use]
    pub fn counters(&self) -> &Counters {
        &self.ends.counters
    }

    /// At most `most` requests, and deadlines, as far as they may be decided at `now`; then the
    /// picture.
    ///
    /// A contact that awaits its confirmation may turn out to be a press at the horizon, and would
    /// come before what was requested later; a deadline at the horizon itself comes before that
    /// press in any case (`timing.md` 2.5, 2.6). So does one at the stamp of a request that has to wait.
    fn catch_up(&mut self, now: Instant, most: usize) {
        let horizon = self.input.horizon(now);
        let end = if horizon < now { horizon } else { now + Span::from_nanos(1) };
        self.serve_before(end, most);
        match self.ends.requests.peek() {
            Ok(request) if self.has_room() => self.decide(horizon.min(request.at)),
            // Nothing waits, or what waits does so because nobody listens; a flag does not.
            _ => self.decide(horizon),
        }
        self.draw(now);
        if core::mem::take(&mut self.unannounced) {
            self.ends.event_waker.wake();
        }
        self.ends.counters.set_late_events(self.engine.late_events());
    }

    /// Carries out the waiting requests that are older than `end`, at most `most` of them.
    fn serve_before(&mut self, end: Instant, most: usize) {
        for _ in 0..most {
            let ripe = self.ends.requests.peek().is_ok_and(|request| request.at < end);
            if !(ripe && self.has_room()) {
                return;
            }
            if let Ok(request) = self.ends.requests.pop() {
                self.serve_one(request);
            }
        }
    }

    /// Whether everything that a request leads to can be told.
    fn has_room(&self) -> bool {
        self.ends.events.slots() >= ROOM
    }

    fn serve_one(&mut self, Request { id, at, task }: Request) {
        let id = Some(id);
        self.decide(at);
        let conflict = |only_after: Option<u64>, changes| only_after.is_some_and(|n| n != changes);
        match task {
            Task::Apply { operation, only_after } if conflict(only_after, self.state_changes) => {
                return self.send(at, id, EventKind::Conflict(operation));
            }
            Task::Apply { operation, .. } => {
                self.apply(at, id, operation);
            }
            Task::Adopt { operation, game, only_after } => {
                let mut game = game;
                if conflict(only_after, self.state_changes) {
                    self.send(at, id, EventKind::Reclaim(Reclaimed::Game(game)));
                    return self.send(at, id, EventKind::Conflict(operation));
                }
                let outcome = self.engine.adopt(at, &operation, &mut game);
                self.send_as(at, id, EventKind::Applied { operation, outcome }, true);
                self.send(at, id, EventKind::Reclaim(Reclaimed::Game(game)));
            }
            Task::Panel(message) => {
                self.touched = true;
                if let Some(catalogue) = for_box::obey(&mut self.panel, at, message) {
                    let catalogue = Reclaimed::Catalogue(catalogue);
                    self.send(at, id, EventKind::Reclaim(catalogue));
                }
            }
        }
        self.send(at, id, EventKind::Done);
    }

    /// Does what a stroke at the box means.
    fn take(&mut self, stroke: Stroke) {
        let at = stroke.at;
        self.decide(at);
        // The panel may show something else now even if the game goes on as before.
        self.touched = true;
        let state = *self.engine.state();
        self.panel.ask(self.engine.candidates());
        match self.panel.meaning(stroke, self.engine.settings(), &state) {
            None => {}
            Some(Meaning::Press(seat)) => {
                let side = seat.side(state.white_on);
                self.apply(at, None, Press { side, both: false }.into());
            }
            Some(Meaning::PressBoth) => {
                let side = self.engine.counts_of_both();
                self.apply(at, None, Press { side, both: true }.into());
            }
            Some(Meaning::Operation(operation)) => {
                // Has nothing on the heap that a clone would copy.
                let done = self.apply(at, None, operation.clone());
                self.panel.answered(&operation, done, self.engine.settings(), at);
            }
            Some(Meaning::Wish(wish)) => self.wish(at, wish),
            Some(Meaning::Stuck(key)) => self.send(at, None, EventKind::Stuck(key)),
            Some(Meaning::Freed(key)) => self.send(at, None, EventKind::Freed(key)),
        }
    }

    /// Hands on what somebody at the box wants and only the daemon can do. In a full ring it is
    /// refused: nobody has listened for seconds.
    fn wish(&mut self, at: Instant, wish: Wish) {
        if self.has_room() {
            self.send(at, None, EventKind::PanelRequest(wish));
        } else if let Wish::Keep { slot, own } = wish {
            self.panel.menu().not_sent(slot, own, at);
        } else {
            self.panel.menu().refused(Message::Refused, at);
        }
    }

    /// Carries out an operation; true if the engine accepted it.
    fn apply(&mut self, at: Instant, id: Option<u32>, operation: Operation) -> bool {
        let (outcome, outputs) = match self.engine.apply(at, &operation) {
            Ok(outputs) => (Ok(()), outputs),
            Err(refusal) => (Err(refusal), Outputs::new()),
        };
        if outcome.is_ok() {
            self.new_game |= matches!(operation, Operation::NewGame(_));
            let counts = |output: &Output| matches!(output.effect, Effect::Turn { .. });
            match operation {
                Operation::Press(_) if outputs.as_slice().iter().any(counts) => {
                    self.panel.pressed(self.engine.settings(), at);
                }
                Operation::Press(_) | Operation::Denied(_) | Operation::Query(_) => {}
                ref operation => self.panel.operated(operation),
            }
        }
        let is_state_change = match operation {
            Operation::Press(_) => outputs.as_slice().iter().any(|output| !is_ignored(output)),
            Operation::Denied(_) | Operation::Query(_) => false,
            _ => true,
        };
        self.send_as(at, id, EventKind::Applied { operation, outcome }, is_state_change);
        self.send_effects(id, &outputs);
        outcome.is_ok()
    }

    /// Decides what is due until `until`, each at its own instant and told with the state there.
    fn decide(&mut self, until: Instant) {
        while let Some(deadline) = self.engine.next_deadline()
            && deadline <= until
        {
            let outputs = self.engine.poll(deadline);
            self.send_effects(None, &outputs);
        }
    }

    fn send_effects(&mut self, id: Option<u32>, outputs: &Outputs) {
        for output in outputs {
            self.panel.hear(&output.effect, self.engine.settings(), output.at);
            let kind = EventKind::Effect(output.effect);
            self.send_as(output.at, id, kind, !is_ignored(output));
        }
    }

    /// Sends an event that is no state change.
    fn send(&mut self, at: Instant, request_id: Option<u32>, kind: EventKind) {
        self.send_as(at, request_id, kind, false);
    }

    /// Sends an event. In a full ring it is lost and counted: the daemon has not run for seconds.
    /// What a request has on the heap is never lost here, and so never freed: requests wait until
    /// there is [`ROOM`].
    fn send_as(
        &mut self,
        at: Instant,
        request_id: Option<u32>,
        kind: EventKind,
        is_state_change: bool,
    ) {
        self.touched = true;
        let state = *self.engine.state();
        let event = Event { at, request_id, kind, is_state_change, state };
        if self.ends.events.push(event).is_ok() {
            self.state_changes += u64::from(is_state_change);
            self.unannounced = true;
        } else {
            self.ends.counters.dropped();
        }
    }

    /// Draws the picture if it can have changed, and shows it if it has.
    fn draw(&mut self, now: Instant) {
        let shown = &mut self.shown;
        let repair = now >= shown.next_repair;
        let due = shown.next_change.is_some_and(|change| change <= now);
        if !(core::mem::take(&mut self.touched) || due || repair) {
            return;
        }
        self.panel.ask(self.engine.candidates());
        let view = self.panel.render(self.engine.settings(), self.engine.state(), now);
        shown.next_change = view.next_change;
        if repair || view.signals != shown.signals {
            shown.signals = view.signals;
            self.pins.write(view.signals);
        }
        if repair {
            shown.next_repair = now + REPAIR;
            shown.post.repairs += 1;
        }
        let (frame, buzzer) = (view.frame, view.signals.buzzer);
        if repair || (frame, buzzer) != (shown.post.frame, shown.post.buzzer) {
            shown.post.frame = frame;
            shown.post.buzzer = buzzer;
            shown.post.number += 1;
            self.ends.display_updates.write(shown.post);
            self.ends.counters.set_posted(shown.post.number);
            self.ends.display_waker.wake();
        }
    }
}

fn is_ignored(output: &Output) -> bool {
    matches!(output.effect, Effect::Ignored { .. })
}

#[cfg(test)]
mod tests;
