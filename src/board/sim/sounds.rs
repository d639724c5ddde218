//! What the buzzer did, written by the timing thread without a lock and read by anybody.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::SeqCst};

use crate::time::{Instant, Span};

/// A sound that was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sound {
    /// When it began.
    pub at: Instant,
    /// What it was. The pins know one sound only: `buzzer`.
    pub name: &'static str,
    /// How long it sounded; so far, if it still does.
    pub length: Span,
}

/// How many sounds are remembered; the oldest are forgotten first.
const KEPT: usize = 256;

/// `ended` of a sound that goes on.
const GOES_ON: i64 = i64::MAX;

#[derive(Debug)]
struct Slot {
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
        let slots = [const { Slot { began: AtomicI64::new(0), ended: AtomicI64::new(0) } }; KEPT];
        Sounds { slots, count: AtomicU64::new(0) }
    }

    fn slot(&self, number: u64) -> Option<&Slot> {
        self.slots.get(usize::try_from(number % KEPT as u64).ok()?)
    }

    /// The buzzer goes on at `now`. For the timing thread alone.
    pub(super) fn begin(&self, now: Instant) {
        let number = self.count.load(SeqCst);
        if let Some(slot) = self.slot(number) {
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
        let read: Vec<(u64, i64, i64)> = (count.saturating_sub(KEPT as u64)..count)
            .filter_map(|number| {
                let slot = self.slot(number)?;
                Some((number, slot.began.load(SeqCst), slot.ended.load(SeqCst)))
            })
            .collect();
        // Slots that the writer reached meanwhile, or may be writing just now, are not to be
        // trusted.
        let trusted = (self.count.load(SeqCst) + 1).saturating_sub(KEPT as u64);
        read.into_iter()
            .filter(|(number, ..)| *number >= trusted)
            .map(|(_, began, ended)| {
                let ended = if ended == GOES_ON { now } else { Instant::from_nanos(ended) };
                let at = Instant::from_nanos(began);
                Sound { at, name: "buzzer", length: ended - at }
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
        sounds.begin(at(10));
        sounds.end(at(15));
        sounds.begin(at(20));
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
    fn the_oldest_sounds_are_forgotten_first() {
        let sounds = Sounds::new();
        for n in 0..1_000 {
            sounds.begin(at(n));
            sounds.end(at(n));
        }
        let heard = sounds.since(Instant::ZERO, at(2_000));
        assert_eq!(heard.len(), 255);
        assert_eq!(heard.last().map(|sound| sound.at), Some(at(999)));
    }
}
