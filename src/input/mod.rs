//! From levels to strokes: debounce, stuck buttons, holds. Pure.
//!
//! Knows neither pins nor what a stroke means: a [`Contacts`] comes in with each poll, [`Strokes`]
//! go out, and the [`panel`](crate::panel) reads them. The debounce window is
//! [`Timing::confirm`]; the rule itself is [`contact`].

pub mod contact;
mod strokes;
mod supply;

pub use strokes::{MAX_STROKES, Stroke, Strokes, What};

use crate::time::{Instant, Span};
use contact::Contact;
use supply::Battery;

/// The six contacts of the box, `true` where one is closed (pressed). Polarity ends in the adapter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contacts {
    /// The player's button on the left.
    pub left: bool,
    /// The player's button on the right.
    pub right: bool,
    /// The pause key.
    pub pause: bool,
    /// The minus key.
    pub minus: bool,
    /// The plus key.
    pub plus: bool,
    /// The ok key.
    pub ok: bool,
    /// The UPS board says that its battery is low: no key, but read with them.
    pub low_power: bool,
}

/// A button of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// The player's button on the left.
    Left,
    /// The player's button on the right.
    Right,
    /// Start, pause and, by `box-resume`, resume.
    Pause,
    /// The arbiter's minus.
    Minus,
    /// The arbiter's plus.
    Plus,
    /// The arbiter's ok.
    Ok,
}

impl Key {
    /// Every key, the players' buttons first.
    pub const ALL: [Key; 6] = [Key::Left, Key::Right, Key::Pause, Key::Minus, Key::Plus, Key::Ok];

    /// The name on the wire and in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Key::Left => "left",
            Key::Right => "right",
            Key::Pause => "pause",
            Key::Minus => "minus",
            Key::Plus => "plus",
            Key::Ok => "ok",
        }
    }

    /// The key of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Key> {
        Key::ALL.into_iter().find(|key| key.name() == name)
    }

    /// Whether this key's contact is closed.
    #[must_use]
    pub const fn of(self, contacts: Contacts) -> bool {
        match self {
            Key::Left => contacts.left,
            Key::Right => contacts.right,
            Key::Pause => contacts.pause,
            Key::Minus => contacts.minus,
            Key::Plus => contacts.plus,
            Key::Ok => contacts.ok,
        }
    }
}

/// The times of the debouncer (`box.md` 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The debounce window: a closed poll is a press if a second one within this sees the contact
    /// closed, too. Default 5 ms.
    pub confirm: Span,
    /// How long a button must have been up before it can press again. Default 30 ms; not shorter
    /// than `confirm`.
    pub lockout: Span,
    /// A button held for more than this is stuck. Default 10 s.
    pub stuck: Span,
}

impl Default for Timing {
    fn default() -> Self {
        Timing {
            confirm: Span::from_millis(5),
            lockout: Span::from_millis(30),
            stuck: Span::from_secs(10),
        }
    }
}

/// The six contacts of the box, debounced each for itself.
#[derive(Clone, Debug)]
pub struct Input {
    timing: Timing,
    contacts: [Contact; Key::ALL.len()],
    waiting: Strokes,
    glitches: u64,
    lever: bool,
    battery: Battery,
    battery_changed: bool,
}

impl Input {
    /// Contacts that were never looked at: one that the first poll sees closed is stuck.
    #[must_use]
    pub const fn new(timing: Timing) -> Self {
        Input {
            timing,
            contacts: [Contact::Unseen; Key::ALL.len()],
            waiting: Strokes::new(),
            glitches: 0,
            lever: false,
            battery: Battery::NEW,
            battery_changed: false,
        }
    }

    /// The same for a rocker lever between the players: its two contacts rest closed in turn, a
    /// change of position is the press, and neither is ever stuck.
    #[must_use]
    pub const fn with_lever(mut self) -> Self {
        self.lever = true;
        self
    }

    /// Takes one poll and gives the strokes that are ripe, in the order of their stamps.
    ///
    /// A stroke is ripe when no contact can still turn out to have closed before it or in the same
    /// poll: it waits for `confirm` at most, and keeps its stamp.
    pub fn sample(&mut self, now: Instant, contacts: Contacts) -> Strokes {
        for (key, contact) in Key::ALL.into_iter().zip(&mut self.contacts) {
            let closed = key.of(contacts);
            let rests = self.lever && matches!(key, Key::Left | Key::Right);
            if rests && closed && *contact == Contact::Unseen {
                // Where the lever lies when the power comes is nobody's press.
                *contact = Contact::Down { since: now, told: 0, open_since: None };
                continue;
            }
            let stuck = if rests { Span::MAX } else { self.timing.stuck };
            let (next, what) = contact.poll(now, closed, &Timing { stuck, ..self.timing });
            let closing = contact.closing_since();
            if closing.is_some() && what.is_none() && next.closing_since() != closing {
                self.glitches = self.glitches.saturating_add(1);
            }
            if let Some((what, at)) = what {
                self.waiting.insert(Stroke { key, what, at });
            }
            *contact = next;
        }
        self.battery_changed |= self.battery.poll(now, contacts.low_power);
        match self.oldest_closing() {
            Some(oldest) => self.waiting.take_before(oldest),
            None => core::mem::take(&mut self.waiting),
        }
    }

    /// How far the engine may decide deadlines: up to the first closed poll of the oldest contact
    /// that still awaits its confirmation, else up to now (`timing.md` 2.6).
    #[must_use]
    pub fn horizon(&self, now: Instant) -> Instant {
        self.oldest_closing().unwrap_or(now)
    }

    /// The earliest instant at which a poll can yield anything while the contacts stay as the last
    /// poll saw them; `None`: never. An instant in the past: the next poll can.
    #[must_use]
    pub fn next_change(&self) -> Option<Instant> {
        let contacts = self.contacts.iter().filter_map(|contact| contact.next_change(&self.timing));
        contacts.chain(self.battery.next_change()).min()
    }

    /// Whether the battery is low, once after that has changed.
    pub fn take_battery(&mut self) -> Option<bool> {
        core::mem::take(&mut self.battery_changed).then_some(self.battery.is_low())
    }

    /// How many closed polls stood alone and were no press: a worn contact or a bad cable.
    #[must_use]
    pub const fn glitches(&self) -> u64 {
        self.glitches
    }

    fn oldest_closing(&self) -> Option<Instant> {
        self.contacts.iter().filter_map(Contact::closing_since).min()
    }
}

#[cfg(test)]
mod tests;
