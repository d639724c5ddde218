//! The buzzer: which events sound, for how long, and when it is silent (`box.md` 5). Pure.
//!
//! Does not know what an event means for the game, and writes no pin: it is told what happened and
//! says at any instant whether the buzzer is on, and until when that holds. Nothing waits here.
//!
//! The same events sound in every method, for each side by itself. After a pause or a reset there
//! is silence.

use crate::control::{BySide, Side};
use crate::time::{Instant, Span};

/// An event that can sound, the weightiest last: a lighter one never breaks off a weightier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sound {
    /// A key of a menu.
    Menu,
    /// A key that does nothing now.
    Refused,
    /// A player's press that counts.
    Press,
    /// 10 s before the end, or a byo-yomi period's end, and in each of the last 5 s.
    Countdown,
    /// A side falls below [`Score::low_time`].
    LowTime,
    /// A byo-yomi period was lost.
    Period,
    /// A side's next stage has begun.
    Stage,
    /// A flag fell.
    Flag,
}

impl Sound {
    /// Every event.
    pub const ALL: [Sound; 8] = [
        Sound::Menu,
        Sound::Refused,
        Sound::Press,
        Sound::Countdown,
        Sound::LowTime,
        Sound::Period,
        Sound::Stage,
        Sound::Flag,
    ];

    /// The name in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Sound::Menu => "menu",
            Sound::Refused => "refused",
            Sound::Press => "press",
            Sound::Countdown => "countdown",
            Sound::LowTime => "low-time",
            Sound::Period => "period",
            Sound::Stage => "stage",
            Sound::Flag => "flag",
        }
    }

    /// How it sounds by default; zero: it is off.
    const fn length(self) -> Span {
        match self {
            Sound::Menu | Sound::Press => Span::ZERO,
            Sound::Refused => Span::from_millis(60),
            Sound::Countdown => Span::from_millis(100),
            Sound::LowTime => Span::from_millis(300),
            Sound::Period => Span::from_millis(150),
            Sound::Stage => Span::from_millis(200),
            Sound::Flag => Span::from_millis(1_500),
        }
    }

    /// True for what tells the players about their time (switch `end-sound`).
    #[must_use]
    pub const fn tells_time(self) -> bool {
        !matches!(self, Sound::Menu | Sound::Refused | Sound::Press)
    }

    /// How often it sounds in a row.
    const fn beeps(self) -> i64 {
        match self {
            Sound::Period => 3,
            Sound::Stage => 2,
            _ => 1,
        }
    }
}

/// Which events sound, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// How long each sounds, in the order of [`Sound::ALL`]; zero: it does not. At most 5 s.
    pub lengths: [Span; Sound::ALL.len()],
    /// Less than this is low time; zero: there is none. At most an hour.
    pub low_time: Span,
}

impl Score {
    /// Nothing ever sounds.
    pub const SILENT: Score =
        Score { lengths: [Span::ZERO; Sound::ALL.len()], low_time: Span::ZERO };

    /// How long an event sounds.
    #[must_use]
    pub const fn length(&self, sound: Sound) -> Span {
        self.lengths[sound as usize]
    }
}

impl Default for Score {
    fn default() -> Self {
        Score { lengths: Sound::ALL.map(Sound::length), low_time: Span::from_secs(60) }
    }
}

/// Seconds before the end that are told.
const COUNTED: [i64; 6] = [10, 5, 4, 3, 2, 1];

/// The last second is told for so many times as long.
const LAST: u32 = 5;

/// What sounds now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Playing {
    sound: Sound,
    since: Instant,
    /// Of a beep, and of the gaps between several.
    length: Span,
}

impl Playing {
    fn end(&self) -> Instant {
        self.since
            + Span::from_nanos(self.length.as_nanos().saturating_mul(2 * self.sound.beeps() - 1))
    }
}

/// A side's time now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Until the flag; `None` where none is due.
    pub until_flag: Option<Span>,
    /// Until the end that is counted down to: in byo-yomi each period's, else the flag.
    pub until_end: Option<Span>,
}

/// A side's time as it was last heard of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Heard {
    left: Left,
    /// Low time was told and not left since.
    told_low: bool,
}

/// The buzzer's part of the box.
#[derive(Clone, Debug)]
pub struct Sounds {
    score: Score,
    playing: Option<Playing>,
    heard: BySide<Heard>,
}

impl Sounds {
    /// A silent buzzer that will sound by `score`.
    #[must_use]
    pub fn new(score: Score) -> Self {
        Sounds { score, playing: None, heard: BySide::default() }
    }

    /// Something happened.
    pub fn hear(&mut self, sound: Sound, now: Instant) {
        self.play(sound, self.score.length(sound), now);
    }

    /// Silence: a pause, an arbiter's operation, a new game.
    pub fn hush(&mut self) {
        self.playing = None;
    }

    /// Nothing of an old game is remembered.
    pub fn reset(&mut self) {
        *self = Sounds::new(self.score);
    }

    /// What both sides have left now; `runs`: whose clock runs. Low time and the countdown are
    /// told as a falling time passes them, never where time was set below.
    pub fn follow(&mut self, left: BySide<Left>, runs: Option<Side>, now: Instant) {
        for side in Side::BOTH {
            let before = self.heard[side].left;
            let after = left[side];
            self.heard[side].left = after;
            let low = self.score.low_time;
            if after.until_flag.is_some_and(|left| left + left > low + low + low) {
                self.heard[side].told_low = false;
            }
            if runs != Some(side) {
                continue;
            }
            if passes(before.until_flag, after.until_flag, low) && !self.heard[side].told_low {
                self.heard[side].told_low = true;
                self.hear(Sound::LowTime, now);
            }
            let passed = |mark| passes(before.until_end, after.until_end, Span::from_secs(mark));
            if let Some(mark) = COUNTED.into_iter().rev().find(|mark| passed(*mark)) {
                let length = self.score.length(Sound::Countdown);
                let length = if mark == 1 { length.times(LAST) } else { length };
                self.play(Sound::Countdown, length, now);
            }
        }
    }

    fn play(&mut self, sound: Sound, length: Span, now: Instant) {
        let weightier = self
            .playing
            .is_some_and(|now_playing| now_playing.sound > sound && now < now_playing.end());
        if length.is_positive() && !weightier {
            self.playing = Some(Playing { sound, since: now, length });
        }
    }

    /// What the buzzer is on for, while it is.
    #[must_use]
    pub fn heard(&self, now: Instant) -> Option<Sound> {
        let playing = self.playing.filter(|playing| {
            let past = (now - playing.since).as_nanos();
            now < playing.end() && past / playing.length.as_nanos() % 2 == 0
        })?;
        Some(playing.sound)
    }

    /// Whether the buzzer is on.
    #[must_use]
    pub fn level(&self, now: Instant) -> bool {
        self.heard(now).is_some()
    }

    /// When there is next something to do for the buzzer: its level changes, or a time that falls
    /// passes a mark.
    #[must_use]
    pub fn next_change(&self, runs: Option<Side>, now: Instant) -> Option<Instant> {
        let level = self.playing.filter(|playing| now < playing.end()).map(|playing| {
            let length = playing.length.as_nanos();
            let past = (now - playing.since).as_nanos();
            playing.since + Span::from_nanos((past / length + 1).saturating_mul(length))
        });
        let left = runs.map(|side| self.heard[side].left).unwrap_or_default();
        let until = |left: Option<Span>, mark: Span| {
            left.filter(|left| mark.is_positive() && mark < *left).map(|left| now + left - mark)
        };
        let counted = COUNTED.into_iter().map(|mark| until(left.until_end, Span::from_secs(mark)));
        counted.chain([until(left.until_flag, self.score.low_time), level]).flatten().min()
    }
}

/// Whether a time that falls, and is not used up, passes a mark.
fn passes(before: Option<Span>, after: Option<Span>, mark: Span) -> bool {
    before.is_some_and(|left| left > mark)
        && after.is_some_and(|left| left <= mark && left.is_positive())
}

#[cfg(test)]
mod tests;
