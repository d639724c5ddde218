//! What the timing thread does each time it looks: strokes, orders and deadlines in the order of
//! their stamps, then the picture.
//!
//! It has no clock and no thread: `now` is handed in, once for everything that happens in a tick.

use super::for_box;
use super::messages::{Ends, Notice, Order, Post, Request, Said, Source};
use super::{Bell, Counters};
use crate::board::Pins;
use crate::control::{Control, Side};
use crate::engine::{Command, Effect, Engine, IgnoreReason, MAX_OUTPUTS, Output, Outputs};
use crate::input::{Input, Stroke};
use crate::menu::{Message, Wish};
use crate::panel::{Meaning, Panel, Signals};
use crate::time::{Instant, Span};

/// The most orders that one tick carries out: so many fit into a tick on the slowest board.
pub const MAX_ORDERS: usize = 8;

/// The most notices that one order leads to: its cause, its effects and its end. An order waits
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
    ends: Ends,
    /// Notices sent that are news.
    told: u64,
    /// Something happened for which the picture may have to be drawn anew.
    touched: bool,
    /// A notice was sent for which the bell was not rung yet.
    unrung: bool,
    new_game: bool,
    shown: Shown,
}

/// What displays and lamps show.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    post: Post,
    signals: Signals,
    /// When the picture changes by itself.
    next_change: Option<Instant>,
    next_repair: Instant,
}

impl<P: Pins> Tick<P> {
    /// Work that has not begun: nothing is shown yet, the first poll writes everything.
    #[must_use]
    pub fn new(parts: Parts<P>, ends: Ends) -> Self {
        let Parts { engine, input, panel, pins } = parts;
        Tick {
            engine,
            input,
            panel,
            pins,
            ends,
            told: 0,
            touched: true,
            unrung: false,
            new_game: false,
            shown: Shown::default(),
        }
    }

    /// One tick: looks at the contacts, does what is ripe, draws.
    pub fn poll(&mut self, now: Instant) {
        let contacts = self.pins.read(now);
        let strokes = self.input.sample(now, contacts);
        for stroke in &strokes {
            self.obey_before(stroke.at, usize::MAX);
            self.take(*stroke);
        }
        if let Some(low) = self.input.take_battery() {
            self.panel.set_low_power(low);
            self.tell(now, None, Said::LowPower(low));
        }
        self.catch_up(now, MAX_ORDERS);
    }

    /// Does what is ripe at `now` without looking at the contacts: for orders that arrive while
    /// manual time stands.
    pub fn serve(&mut self, now: Instant) {
        self.catch_up(now, usize::MAX);
    }

    /// Until when polls can find nothing to do, unless an order comes or a contact moves by hand.
    #[must_use]
    pub fn quiet_until(&self, now: Instant) -> Instant {
        if self.touched || !self.ends.orders.is_empty() {
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

    /// The bell of whoever reads the notices.
    #[must_use]
    pub fn notice_bell(&self) -> Bell {
        self.ends.notice_bell.clone()
    }

    /// What is counted.
    #[must_use]
    pub fn counters(&self) -> &Counters {
        &self.ends.counters
    }

    /// At most so many orders, and deadlines, as far as they may be decided at `now`; then the
    /// picture.
    ///
    /// A contact that awaits its confirmation may turn out to be a press at the horizon, and would
    /// come before what was ordered later; a deadline at the horizon itself comes before that press
    /// in any case (`timing.md` 2.5, 2.6). So does one at the stamp of an order that has to wait.
    fn catch_up(&mut self, now: Instant, orders: usize) {
        let horizon = self.input.horizon(now);
        let end = if horizon < now { horizon } else { now + Span::from_nanos(1) };
        self.obey_before(end, orders);
        match self.ends.orders.peek() {
            Ok(order) if self.has_room() => self.decide(horizon.min(order.at)),
            // Nothing waits, or what waits does so because nobody listens; a flag does not.
            _ => self.decide(horizon),
        }
        self.draw(now);
        if core::mem::take(&mut self.unrung) {
            self.ends.notice_bell.ring();
        }
        self.ends.counters.late_events_are(self.engine.late_events());
    }

    /// Carries out the waiting orders that are older than `end`, at most `most` of them.
    fn obey_before(&mut self, end: Instant, most: usize) {
        for _ in 0..most {
            let ripe = self.ends.orders.peek().is_ok_and(|order| order.at < end);
            if !(ripe && self.has_room()) {
                return;
            }
            if let Ok(order) = self.ends.orders.pop() {
                self.obey(order);
            }
        }
    }

    /// Whether everything that an order leads to can be told.
    fn has_room(&self) -> bool {
        self.ends.notices.slots() >= ROOM
    }

    fn obey(&mut self, order: Order) {
        let Order { ticket, at, what } = order;
        let ticket = Some(ticket);
        self.decide(at);
        let end = match what {
            Request::NewGame { settings, abandon } => {
                let (outcome, spent) = match self.engine.new_game(at, settings, abandon) {
                    Ok(old) => (Ok(()), old),
                    Err((refusal, refused)) => (Err(refusal), refused),
                };
                self.new_game |= outcome.is_ok();
                self.tell(at, ticket, Said::NewGame { outcome, spent });
                Said::End
            }
            Request::Command { only_after: Some(count), .. } if count != self.told => Said::Stale,
            Request::Command { command, .. } => {
                self.command(at, ticket, command);
                Said::End
            }
            Request::Press(side) => {
                self.press(at, ticket, side);
                Said::End
            }
            Request::ChangeControl { control } => {
                self.change_control(at, ticket, control);
                Said::End
            }
            Request::Replace { game, only_after: Some(count), .. } if count != self.told => {
                self.tell(at, ticket, Said::Saved(game));
                Said::Stale
            }
            Request::Replace { game, from, .. } => {
                self.replace(at, ticket, game, from);
                Said::End
            }
            Request::Save(mut game) => {
                self.engine.copy_into(&mut game);
                self.tell(at, ticket, Said::Saved(game));
                Said::End
            }
            Request::Note => {
                self.tell(at, ticket, Said::Note);
                Said::End
            }
            Request::Box(order) => {
                self.touched = true;
                if let Some(spent) = for_box::obey(&mut self.panel, at, order) {
                    self.tell(at, ticket, Said::Spent(spent));
                }
                Said::End
            }
        };
        self.tell(at, ticket, end);
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
            Some(Meaning::Press(seat)) => self.press(at, None, seat.side(state.white_on)),
            Some(Meaning::PressBoth) => self.press_both(at),
            Some(Meaning::Command(command)) => {
                let done = self.command(at, None, command);
                self.panel.answered(&command, done, self.engine.settings(), at);
            }
            Some(Meaning::Wish(wish)) => self.wish(at, wish),
            Some(Meaning::Stuck(key)) => self.tell(at, None, Said::Stuck(key)),
            Some(Meaning::Freed(key)) => self.tell(at, None, Said::Freed(key)),
        }
    }

    fn press(&mut self, at: Instant, ticket: Option<u32>, side: Side) {
        let outputs = self.engine.press(at, side);
        let counts = |output: &Output| matches!(output.effect, Effect::Turn { .. });
        if outputs.as_slice().iter().any(counts) {
            self.panel.pressed(self.engine.settings(), at);
        }
        self.tell(at, ticket, Said::Press(side));
        self.tell_effects(ticket, &outputs);
    }

    /// Both buttons in one poll. Which one counts the engine knows: not the one that it ignores.
    fn press_both(&mut self, at: Instant) {
        let outputs = self.engine.press_both(at);
        let counts = outputs.as_slice().iter().find_map(|output| match output.effect {
            Effect::Ignored { side, reason: IgnoreReason::Simultaneous } => Some(!side),
            _ => None,
        });
        if let Some(side) = counts {
            self.tell(at, None, Said::PressBoth(side));
        }
        self.tell_effects(None, &outputs);
    }

    /// Hands on what somebody at the box wants and only the daemon can do. In a full ring it is
    /// refused: nobody has listened for seconds.
    fn wish(&mut self, at: Instant, wish: Wish) {
        if self.has_room() {
            self.tell(at, None, Said::Wish(wish));
        } else if let Wish::Keep { slot, own } = wish {
            self.panel.menu().not_sent(slot, own, at);
        } else {
            self.panel.menu().refused(Message::Refused, at);
        }
    }

    /// True if the engine has obeyed.
    fn command(&mut self, at: Instant, ticket: Option<u32>, command: Command) -> bool {
        match self.engine.command(at, &command) {
            Ok(outputs) => {
                self.panel.operated(&command);
                self.tell(at, ticket, Said::Command { command, outcome: Ok(()) });
                self.tell_effects(ticket, &outputs);
                true
            }
            Err(refusal) => {
                self.tell(at, ticket, Said::Command { command, outcome: Err(refusal) });
                false
            }
        }
    }

    fn change_control(&mut self, at: Instant, ticket: Option<u32>, control: Box<Control>) {
        let (outcome, spent, outputs) = match self.engine.change_control(at, control) {
            Ok((outputs, old)) => (Ok(()), old, outputs),
            Err((refusal, refused)) => (Err(refusal), refused, Outputs::new()),
        };
        self.tell(at, ticket, Said::ChangeControl { outcome, spent });
        self.tell_effects(ticket, &outputs);
    }

    fn replace(&mut self, at: Instant, ticket: Option<u32>, mut game: Box<Engine>, from: Source) {
        let outcome = match from {
            Source::Replayed => self.engine.change_control_replayed(at, &mut game),
            Source::Imported => self.engine.import(at, &mut game),
        };
        self.tell(at, ticket, Said::Replace { outcome, spent: game });
    }

    /// Decides what is due until `until`, each at its own instant and told with the state there.
    fn decide(&mut self, until: Instant) {
        while let Some(deadline) = self.engine.next_deadline()
            && deadline <= until
        {
            let outputs = self.engine.poll(deadline);
            self.tell_effects(None, &outputs);
        }
    }

    fn tell_effects(&mut self, ticket: Option<u32>, outputs: &Outputs) {
        for output in outputs {
            self.panel.hear(&output.effect, self.engine.settings(), output.at);
            self.tell(output.at, ticket, Said::Effect(output.effect));
        }
    }

    /// Sends a notice. In a full ring it is lost and counted: nobody has listened for seconds.
    /// Settings are never lost here, and so never freed: orders wait until there is [`ROOM`].
    fn tell(&mut self, at: Instant, ticket: Option<u32>, what: Said) {
        self.touched = true;
        let is_news = what.is_news();
        let notice = Notice { at, ticket, what, state: *self.engine.state() };
        if self.ends.notices.push(notice).is_ok() {
            self.told += u64::from(is_news);
            self.unrung = true;
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
            self.ends.posts.write(shown.post);
            self.ends.counters.posted_are(shown.post.number);
            self.ends.post_bell.ring();
        }
    }
}

#[cfg(test)]
mod tests;
