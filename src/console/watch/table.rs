//! Everything that the watch knows: what the daemon has told, and how fresh that is.

use std::collections::VecDeque;

use super::super::clocks::{self, Digits};
use super::super::feed::Told;
use super::link::{News, told};
use super::machine::Machine;
use super::picture::{FRESH, Picture};
use crate::control::BySide;
use crate::record::Fields;
use crate::time::{Instant, Span};

/// How many lines are remembered: more than any terminal shows.
const KEPT: usize = 200;

/// The watch.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) machine: Machine,
    pub(super) picture: Option<Picture>,
    /// Since when the daemon is gone.
    lost: Option<Instant>,
    /// The latest lines as they are shown, oldest first.
    pub(super) lines: VecDeque<Line>,
    /// The newest line that was told: its game and its number.
    newest: (String, Option<u64>),
}

/// A line of the journal as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// When, since the game began.
    pub(super) at: String,
    pub(super) words: String,
    /// A flag, or something that was refused.
    pub(super) stands_out: bool,
}

/// How far what is shown can be believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is as it stands.
    Live,
    /// Nothing was heard of the daemon yet.
    Nothing,
    /// The daemon is there, but has not answered for so long.
    Late(Span),
    /// The daemon is gone, for so long.
    Lost(Span),
}

impl Table {
    pub(super) fn new() -> Table {
        Table {
            machine: Machine::new(),
            picture: None,
            lost: None,
            lines: VecDeque::new(),
            newest: (String::new(), None),
        }
    }

    /// Takes what came at `now`.
    pub(super) fn take(&mut self, now: Instant, news: News) {
        match news {
            News::Picture { state, properties } => {
                if self.lost.take().is_some() {
                    self.push(Line::own("the daemon is back"));
                }
                self.picture = Some(Picture::new(now, state, properties));
            }
            News::Earlier(lines) => {
                for told in lines.iter().filter_map(|line| told(line)) {
                    self.tell(&told);
                }
            }
            News::Line(told) => self.tell(&told),
            News::Lost(why) => {
                let since = self.picture.as_ref().map_or(Span::ZERO, |picture| picture.age(now));
                self.lost.get_or_insert(now - since);
                let why = why.split_once(". Start").map_or(&*why, |(why, _)| why).to_owned();
                self.push(Line { stands_out: true, ..Line::own(&why) });
            }
            News::Answer { ticket, answer } => self.machine.answer(ticket, answer),
        }
    }

    fn tell(&mut self, told: &Told) {
        let (game, newest) = &self.newest;
        if *game == told.game() && newest.is_some_and(|newest| told.seq <= newest) {
            // heard of before, from the journal
            return;
        }
        self.newest = (told.game().to_owned(), Some(told.seq));
        self.push(Line::of(told));
    }

    fn push(&mut self, line: Line) {
        self.lines.push_back(line);
        let surplus = self.lines.len().saturating_sub(KEPT);
        self.lines.drain(..surplus);
    }

    /// How far the picture can be believed at `now`.
    pub(super) fn standing(&self, now: Instant) -> Standing {
        match (&self.picture, self.lost) {
            (_, Some(since)) => Standing::Lost((now - since).or_zero()),
            (None, None) => Standing::Nothing,
            (Some(picture), None) if picture.age(now) > FRESH => Standing::Late(picture.age(now)),
            (Some(_), None) => Standing::Live,
        }
    }

    /// The state to be shown at `now`. Nothing runs that is not known to run.
    pub(super) fn state(&self, now: Instant) -> Option<Fields> {
        let picture = self.picture.as_ref()?;
        Some(match self.standing(now) {
            Standing::Live => picture.at(now),
            _ => picture.state.clone(),
        })
    }

    /// The times to be shown large at `now`, where they are known.
    pub(super) fn figures(&self, now: Instant) -> BySide<Option<Span>> {
        let Some(picture) = &self.picture else { return BySide::default() };
        picture.figures(match self.standing(now) {
            Standing::Live => now,
            _ => picture.taken,
        })
    }

    /// The phase of the game as far as it is known.
    pub(super) fn phase(&self) -> &str {
        self.picture.as_ref().map_or("", Picture::phase)
    }
}

impl Line {
    fn of(told: &Told) -> Line {
        let at = clocks::point(Span::from_micros(told.at_us), Digits::Tenths);
        let mut own = told.details.clone();
        // Who caused it stands last; when and how it was sealed is the journal's.
        let origin = own.remove("origin").and_then(|origin| Some(origin.as_str()?.to_owned()));
        own.retain(|name, _| !["wall", "hash", "after"].contains(&&**name));
        let mut words = told.kind.replace('_', " ");
        let more = clocks::words(&own, Digits::Tenths);
        if !more.is_empty() {
            words.push_str(&format!(" {more}"));
        }
        if let Some(origin) = origin {
            words.push_str(&format!(" ({})", origin.trim_start_matches("bus:")));
        }
        let stands_out = ["flag", "refused", "denied", "warning"].contains(&&*told.kind);
        Line { at, words, stands_out }
    }

    /// Something that the watch itself has to say.
    fn own(words: &str) -> Line {
        Line { at: String::new(), words: words.to_owned(), stands_out: false }
    }
}

#[cfg(test)]
mod tests;
