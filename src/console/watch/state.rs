//! The state of the watch: what the daemon has reported, and how fresh that is.

use std::collections::VecDeque;

use serde_json::Value;

use super::super::clocks::{self, Digits};
use super::super::feed::FeedEvent;
use super::controller::Controller;
use super::link::{Update, event_of};
use super::picture::{ClockPicture, FRESH};
use crate::control::BySide;
use crate::record::Fields;
use crate::time::{Instant, Span};

/// How many lines are kept: more than any terminal shows.
const KEPT: usize = 200;

#[derive(Debug)]
pub(super) struct WatchState {
    pub(super) controller: Controller,
    pub(super) picture: Option<ClockPicture>,
    /// When the daemon went.
    lost: Option<Instant>,
    /// The latest lines, oldest first.
    pub(super) lines: VecDeque<LogLine>,
    /// The game and the number of the newest line.
    newest: (String, Option<u64>),
}

/// A line of the journal on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogLine {
    /// When, since the game began.
    pub(super) at: String,
    pub(super) words: String,
    /// A flag, or something that was refused.
    pub(super) stands_out: bool,
}

/// How far the screen can be believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Freshness {
    Live,
    /// No answer yet.
    Nothing,
    /// The daemon is there, but has not answered for this time.
    Late(Span),
    /// The daemon has been gone for this time.
    Lost(Span),
}

impl WatchState {
    pub(super) fn new() -> WatchState {
        WatchState {
            controller: Controller::new(),
            picture: None,
            lost: None,
            lines: VecDeque::new(),
            newest: (String::new(), None),
        }
    }

    /// Takes an update that came at `now`.
    pub(super) fn take(&mut self, now: Instant, update: Update) {
        match update {
            Update::State { state, properties } => {
                if self.lost.take().is_some() {
                    self.push(LogLine::own("the daemon is back"));
                }
                self.picture = Some(ClockPicture::new(now, state, properties));
            }
            Update::Earlier(lines) => {
                lines.iter().filter_map(|line| event_of(line)).for_each(|event| self.log(&event));
            }
            Update::Event(event) => self.log(&event),
            Update::Lost(why) => {
                let since = self.picture.as_ref().map_or(Span::ZERO, |picture| picture.age(now));
                self.lost.get_or_insert(now - since);
                let why = why.split_once(". Start").map_or(&*why, |(why, _)| why).to_owned();
                self.push(LogLine { stands_out: true, ..LogLine::own(&why) });
            }
            Update::Outcome { request_id, outcome } => {
                self.controller.outcome(request_id, outcome);
            }
        }
    }

    fn log(&mut self, event: &FeedEvent) {
        let (game, newest) = &self.newest;
        if *game == event.game() && newest.is_some_and(|newest| event.seq <= newest) {
            // Shown already: it was among the lines from the journal.
            return;
        }
        self.newest = (event.game().to_owned(), Some(event.seq));
        self.push(LogLine::of(event));
    }

    fn push(&mut self, line: LogLine) {
        self.lines.push_back(line);
        let surplus = self.lines.len().saturating_sub(KEPT);
        self.lines.drain(..surplus);
    }

    pub(super) fn freshness(&self, now: Instant) -> Freshness {
        match (&self.picture, self.lost) {
            (_, Some(since)) => Freshness::Lost((now - since).or_zero()),
            (None, None) => Freshness::Nothing,
            (Some(picture), None) if picture.age(now) > FRESH => Freshness::Late(picture.age(now)),
            (Some(_), None) => Freshness::Live,
        }
    }

    /// The state to show at `now`. Only a clock that is known to run is advanced.
    pub(super) fn state(&self, now: Instant) -> Option<Fields> {
        let picture = self.picture.as_ref()?;
        Some(match self.freshness(now) {
            Freshness::Live => picture.at(now),
            _ => picture.state.clone(),
        })
    }

    /// The large digits at `now`, where they are known.
    pub(super) fn figures(&self, now: Instant) -> BySide<Option<Span>> {
        let Some(picture) = &self.picture else { return BySide::default() };
        picture.figures(match self.freshness(now) {
            Freshness::Live => now,
            _ => picture.taken,
        })
    }

    pub(super) fn phase(&self) -> &str {
        self.picture.as_ref().map_or("", ClockPicture::phase)
    }
}

impl LogLine {
    fn of(event: &FeedEvent) -> LogLine {
        let at = clocks::point(Span::from_micros(event.at_us), Digits::Tenths);
        let mut own = event.details.clone();
        let origin = own.shift_remove("origin");
        own.retain(|name, _| !["wall", "hash", "after"].contains(&&**name));
        let mut words = clocks::named(&event.kind, &own);
        if let Some(origin) = origin.as_ref().and_then(Value::as_str) {
            words.push_str(&format!(" ({})", origin.trim_start_matches("bus:")));
        }
        let stands_out = ["flag", "refused", "denied", "warning"].contains(&&*event.kind);
        LogLine { at, words, stands_out }
    }

    /// A message of the watch itself.
    fn own(words: &str) -> LogLine {
        LogLine { at: String::new(), words: words.to_owned(), stands_out: false }
    }
}

#[cfg(test)]
mod tests;
