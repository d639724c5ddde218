//! The simulated pins: levels over time on six contacts, two lamps and a buzzer.
//!
//! Here stands nothing that knows about bounce or presses: a wave is what an oscilloscope would
//! show, and the real debouncer makes of it what it will. The timing thread never waits here: it
//! takes a line only if nobody is setting it at that moment, and otherwise sees the old level.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use super::locked;
use super::sounds::{self, Sound, Sounds};
use crate::board::Pins;
use crate::input::{Contacts, Key};
use crate::panel::Signals;
use crate::time::{Instant, Span};

/// What the timing thread reads contacts from and writes lamps and buzzer to.
#[derive(Debug)]
pub struct SimPins {
    wiring: Arc<Wiring>,
    contacts: Contacts,
    now: Instant,
    /// What the buzzer sounds for, while it does.
    buzzing: Option<Option<sounds::Event>>,
}

/// One change of a level: `closed` from `after` the wave's beginning on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) after: Span,
    pub(super) closed: bool,
}

/// The wires between the simulator's handle and the timing thread.
#[derive(Debug)]
pub(super) struct Wiring {
    lines: [Mutex<Line>; Key::ALL.len()],
    /// Bit n: the timing thread last saw `Key::ALL[n]` closed.
    seen: AtomicU8,
    /// When the timing thread last looked.
    looked: AtomicI64,
    lamp_left: AtomicBool,
    lamp_right: AtomicBool,
    buzzer: AtomicBool,
    /// What for, as [`sounds::code`] has it.
    sound: AtomicU8,
    low_power: AtomicBool,
    sounds: Sounds,
}

/// A contact's level over time.
#[derive(Debug)]
struct Line {
    closed: bool,
    edges: Vec<Edge>,
    /// How many of the edges have been.
    passed: usize,
    /// When the edges began: at the first look after they were set.
    began: Option<Instant>,
}

impl Line {
    const OPEN: Line = Line { closed: false, edges: Vec::new(), passed: 0, began: None };

    /// When the level changes next, as far as is known at `now`; far away where it does not.
    fn next_edge(&self, now: Instant) -> Instant {
        match self.edges.get(self.passed) {
            Some(edge) => self.began.map_or(now, |began| began + edge.after),
            None => Instant::ZERO + Span::MAX,
        }
    }

    fn closed_at(&mut self, now: Instant) -> bool {
        let began = *self.began.get_or_insert(now);
        while let Some(edge) = self.edges.get(self.passed)
            && began + edge.after <= now
        {
            self.closed = edge.closed;
            self.passed += 1;
        }
        self.closed
    }
}

impl Wiring {
    pub(super) const fn new() -> Self {
        Wiring {
            lines: [const { Mutex::new(Line::OPEN) }; Key::ALL.len()],
            seen: AtomicU8::new(0),
            looked: AtomicI64::new(0),
            lamp_left: AtomicBool::new(false),
            lamp_right: AtomicBool::new(false),
            buzzer: AtomicBool::new(false),
            sound: AtomicU8::new(sounds::code(None)),
            low_power: AtomicBool::new(false),
            sounds: Sounds::new(),
        }
    }

    fn line(&self, key: Key) -> &Mutex<Line> {
        let [left, right, pause, minus, plus, ok] = &self.lines;
        match key {
            Key::Left => left,
            Key::Right => right,
            Key::Pause => pause,
            Key::Minus => minus,
            Key::Plus => plus,
            Key::Ok => ok,
        }
    }

    /// Sets what a contact does from the next look on; what it was still to do is forgotten.
    pub(super) fn set(&self, key: Key, edges: Vec<Edge>) {
        let mut next = Line { edges, ..Line::OPEN };
        let mut line = locked(self.line(key));
        next.closed = line.closed;
        std::mem::swap(&mut *line, &mut next);
        // The old edges are freed after the line is free again for the timing thread.
        drop(line);
        drop(next);
    }

    /// What the UPS board says from the next look on.
    pub(super) fn set_low_power(&self, low: bool) {
        self.low_power.store(low, SeqCst);
    }

    /// The contacts as the timing thread last saw them.
    pub(super) fn contacts(&self) -> Contacts {
        let seen = self.seen.load(SeqCst);
        let mut contacts = Contacts::default();
        for (bit, key) in Key::ALL.into_iter().enumerate() {
            *contact(&mut contacts, key) = seen >> bit & 1 == 1;
        }
        contacts
    }

    /// Lamps and buzzer as last written.
    pub(super) fn signals(&self) -> Signals {
        Signals {
            lamp_left: self.lamp_left.load(SeqCst),
            lamp_right: self.lamp_right.load(SeqCst),
            buzzer: self.buzzer.load(SeqCst),
            sound: sounds::event(self.sound.load(SeqCst)),
        }
    }

    /// The remembered sounds that began at or after `since`.
    pub(super) fn sounds(&self, since: Instant) -> Vec<Sound> {
        self.sounds.since(since, Instant::from_nanos(self.looked.load(SeqCst)))
    }
}

/// A key's contact.
fn contact(contacts: &mut Contacts, key: Key) -> &mut bool {
    match key {
        Key::Left => &mut contacts.left,
        Key::Right => &mut contacts.right,
        Key::Pause => &mut contacts.pause,
        Key::Minus => &mut contacts.minus,
        Key::Plus => &mut contacts.plus,
        Key::Ok => &mut contacts.ok,
    }
}

impl SimPins {
    pub(super) fn new(wiring: Arc<Wiring>) -> Self {
        let contacts = wiring.contacts();
        let Signals { buzzer, sound, .. } = wiring.signals();
        let buzzing = buzzer.then_some(sound);
        SimPins { wiring, contacts, now: Instant::ZERO, buzzing }
    }
}

impl Pins for SimPins {
    fn read(&mut self, now: Instant) -> Contacts {
        let mut seen = 0;
        for (bit, key) in Key::ALL.into_iter().enumerate() {
            let contact = contact(&mut self.contacts, key);
            if let Ok(mut line) = self.wiring.line(key).try_lock() {
                *contact = line.closed_at(now);
            }
            seen |= u8::from(*contact) << bit;
        }
        self.contacts.low_power = self.wiring.low_power.load(SeqCst);
        self.now = now;
        self.wiring.seen.store(seen, SeqCst);
        self.wiring.looked.store(now.as_nanos(), SeqCst);
        self.contacts
    }

    fn write(&mut self, signals: Signals) {
        self.wiring.lamp_left.store(signals.lamp_left, SeqCst);
        self.wiring.lamp_right.store(signals.lamp_right, SeqCst);
        self.wiring.buzzer.store(signals.buzzer, SeqCst);
        self.wiring.sound.store(sounds::code(signals.sound), SeqCst);
        // One sound may follow another without a silence between them.
        let sounds = signals.buzzer.then_some(signals.sound);
        if sounds != self.buzzing {
            if self.buzzing.is_some() {
                self.wiring.sounds.end(self.now);
            }
            if let Some(sound) = sounds {
                self.wiring.sounds.begin(self.now, sound);
            }
            self.buzzing = sounds;
        }
    }

    fn steady_until(&self, now: Instant) -> Instant {
        Key::ALL.iter().fold(Instant::ZERO + Span::MAX, |steady, key| {
            // A line that is being set may do anything.
            let line = self.wiring.line(*key).try_lock();
            steady.min(line.map_or(now, |line| line.next_edge(now)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: i64) -> Instant {
        Instant::ZERO + Span::from_millis(ms)
    }

    fn edge(after_ms: i64, closed: bool) -> Edge {
        Edge { after: Span::from_millis(after_ms), closed }
    }

    fn wired() -> (Arc<Wiring>, SimPins) {
        let wiring = Arc::new(Wiring::new());
        let pins = SimPins::new(Arc::clone(&wiring));
        (wiring, pins)
    }

    #[test]
    fn a_wave_begins_at_the_first_look_after_it_was_set() {
        let (wiring, mut pins) = wired();
        assert!(!pins.read(ms(1)).left);
        wiring.set(Key::Left, vec![edge(0, true), edge(2, false), edge(3, true), edge(5, false)]);
        let seen: Vec<bool> = (7..14).map(|t| pins.read(ms(t)).left).collect();
        assert_eq!(seen, [true, true, false, true, true, false, false]);
    }

    #[test]
    fn a_new_wave_takes_over_the_level_and_forgets_what_was_to_come() {
        let (wiring, mut pins) = wired();
        wiring.set(Key::Ok, vec![edge(0, true), edge(10, false)]);
        assert!(pins.read(ms(1)).ok);
        wiring.set(Key::Ok, vec![edge(20, false)]);
        assert!(pins.read(ms(2)).ok);
        assert!(pins.read(ms(21)).ok, "the old wave would have opened it");
        assert!(!pins.read(ms(22)).ok);
    }

    #[test]
    fn every_key_has_a_line_of_its_own() {
        for key in Key::ALL {
            let (wiring, mut pins) = wired();
            wiring.set(key, vec![edge(0, true)]);
            let mut expected = Contacts::default();
            *contact(&mut expected, key) = true;
            assert_eq!(pins.read(ms(1)), expected);
            assert_eq!(wiring.contacts(), expected);
        }
    }

    #[test]
    fn a_line_that_is_being_set_shows_its_old_level_and_nobody_waits() {
        let (wiring, mut pins) = wired();
        wiring.set(Key::Plus, vec![edge(0, true), edge(5, false)]);
        assert!(pins.read(ms(1)).plus);
        let setting = wiring.line(Key::Plus).lock().unwrap();
        assert!(pins.read(ms(6)).plus);
        drop(setting);
        assert!(!pins.read(ms(7)).plus);
    }

    #[test]
    fn lamps_are_seen_and_the_buzzer_is_heard_from_edge_to_edge() {
        let (wiring, mut pins) = wired();
        let on = Signals {
            lamp_left: true,
            lamp_right: false,
            buzzer: true,
            sound: Some(crate::sounds::Sound::Press),
        };
        pins.read(ms(10));
        pins.write(on);
        pins.read(ms(11));
        pins.write(on);
        assert_eq!(wiring.signals(), on);
        pins.read(ms(15));
        pins.write(Signals::default());
        assert_eq!(wiring.signals(), Signals::default());
        let press = Sound { at: ms(10), name: "press", length: Span::from_millis(5) };
        assert_eq!(wiring.sounds(Instant::ZERO), [press]);
        // A weightier event takes the place of the one that sounds, at once.
        pins.read(ms(20));
        pins.write(on);
        pins.read(ms(22));
        pins.write(Signals { sound: Some(crate::sounds::Sound::Flag), ..on });
        pins.read(ms(25));
        let names = wiring.sounds(ms(20)).into_iter().map(|sound| (sound.at, sound.name));
        assert!(names.eq([(ms(20), "press"), (ms(22), "flag")]));
    }
}
