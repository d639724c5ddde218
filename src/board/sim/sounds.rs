//! What the buzzer did, written by the timing thread without a lock and read by anybody.

use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU64, Ordering::SeqCst};

pub(super) use crate::sounds::Sound as Event;
use crate::time::{Instant, Span};

/// A sound that was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sound {
    /// When it began.
    pub at: Instant,
    /// What it was: the event's name in the configuration (`box.md` 5), or `self-test`.
    pub name: &'static str,
    /// How long it sounded; so far, if it still does.
    pub length: Span,
}

/// How many sounds are remembered; the oldest are forgotten first.
const KEPT: usize = 256;

/// `ended` of a sound that goes on.
const GOES_ON: i64 = i64::MAX;

/// A sound as a number.
pub(super) const fn code(sound: Option<Event>) -> u8 {
    match sound {
        Some(sound) => sound as u8,
        None => u8::MAX,
    }
}

/// The sound of a number; none for the self-test.
pub(super) fn event(code: u8) -> Option<Event> {
    Event::ALL.get(usize::from(code)).copied()
}

#[derive(Debug)]
struct Slot {
    /// As [`code`] has it.
    sound: AtomicU8,
    began: AtomicI64,
    ended: AtomicI64,
}

/// The latest sounds in a ring of slots: one writer, any number of readers.
#[derive(Debug)]
pub(super) struct Sounds {
    slots: [Slot; KEPT],
    /// How many sounds ever began.
    count: AtomicU64,
}

impl Sounds {
    pub(super) const fn new() -> Self {
        let slots = [const {
            Slot {
                sound: AtomicU8::new(u8::MAX),
                began: AtomicI64::new(0),
                ended: AtomicI64::new(0),
            }
        }; KEPT];
        Sounds { slots, count: AtomicU64::new(0) }
    }

    fn slot(&self, number: u64) -> Option<&Slot> {
        self.slots.get(usize::try_from(number % KEPT as u64).ok()?)
    }

    /// The buzzer goes on at `now`, for an event or the self-test. For the timing thread alone.
    pub(super) fn begin(&self, now: Instant, sound: Option<Event>) {
        let number = self.count.load(SeqCst);
        if let Some(slot) = self.slot(number) {
            slot.sound.store(code(sound), SeqCst);
            slot.began.store(now.as_nanos(), SeqCst);
            slot.ended.store(GOES_ON, SeqCst);
        }
        self.count.store(number + 1, SeqCst);
    }

    /// The buzzer goes off at `now`, after a [`begin`](Self::begin). For the timing thread alone.
    pub(super) fn end(&self, now: Instant) {
        if let Some(slot) = self.slot(self.count.load(SeqCst).wrapping_sub(1)) {
            slot.ended.store(now.as_nanos(), SeqCst);
        }
    }

    /// The remembered sounds that began at or after `since`, oldest first, as heard until `now`.
    pub(super) fn since(&self, since: Instant, now: Instant) -> Vec<Sound> {
        let count = self.count.load(SeqCst);
        let read: Vec<(u64, u8, i64, i64)> = (count.saturating_sub(KEPT as u64)..count)
            .filter_map(|number| {
                let slot = self.slot(number)?;
                Some((
                    number,
                    slot.sound.load(SeqCst),
                    slot.began.load(SeqCst),
                    slot.ended.load(SeqCst),
                ))
            })
            .collect();
        // Slots that the writer reached meanwhile, or may be writing just now, are not to be
        // trusted.
        let trusted = (self.count.load(SeqCst) + 1).saturating_sub(KEPT as u64);
        read.into_iter()
            .filter(|(number, ..)| *number >= trusted)
            .map(|(_, sound, began, ended)| {
                let ended = if ended == GOES_ON { now } else { Instant::from_nanos(ended) };
                let at = Instant::from_nanos(began);
                let name = event(sound).map_or("self-test", Event::name);
                Sound { at, name, length: ended - at }
            })
            .filter(|sound| sound.at >= since)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Instant {
        Instant::ZERO + Span::from_millis(ms)
    }

    #[test]
    fn a_sound_that_goes_on_has_the_length_heard_so_far() {
        let sounds = Sounds::new();
        sounds.begin(at(10), None);
        sounds.end(at(15));
        sounds.begin(at(20), None);
        let heard = |since, now| {
            let heard = sounds.since(at(since), at(now));
            heard.into_iter().map(|sound| (sound.at, sound.length)).collect::<Vec<_>>()
        };
        let first = (at(10), Span::from_millis(5));
        assert_eq!(heard(0, 23), [first, (at(20), Span::from_millis(3))]);
        assert_eq!(heard(11, 24), [(at(20), Span::from_millis(4))]);
        assert_eq!(heard(21, 24), []);
    }

    #[test]
    fn every_event_has_a_number_of_its_own() {
        for sound in Event::ALL {
            assert_eq!(event(code(Some(sound))), Some(sound));
        }
        assert_eq!(event(code(None)), None);
    }

    #[test]
    fn the_oldest_sounds_are_forgotten_first() {
        let sounds = Sounds::new();
        for n in 0..1_000 {
            sounds.begin(at(n), None);
            sounds.end(at(n));
        }
        let heard = sounds.since(Instant::ZERO, at(2_000));
        assert_eq!(heard.len(), 255);
        assert_eq!(heard.last().map(|sound| sound.at), Some(at(999)));
    }
}
