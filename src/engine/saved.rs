//! The whole of a game as a value: for adjournment, and for a replacement clock (Laws 6.10.1,
//! Guidelines I).

use serde::{Deserialize, Serialize};

use super::state::stage_of;
use super::undo::{DEPTH, Past, UndoPoint};
use super::{
    Clock, Engine, FirstFall, Operation, Outputs, Phase, Refusal, Snapshot, State, adjust, method,
};
use crate::control::{BySide, Control, Profile, Seat, Settings, Side, SwitchChanges};
use crate::time::{Instant, Span};

/// The longest exported text that is read, in bytes; what is written has at most half of that.
const LONGEST_TEXT: usize = 200_000;
/// No time and no game is longer.
const LONGEST: Span = Span::from_hours(100 * 366 * 24);
/// Nothing is counted further.
const MOST: u32 = 1_000_000;

/// The version of the export's format that is written, and the only one that is read.
const VERSION: u32 = 1;

/// A game taken from one clock, to be continued on another, exact to the nanosecond.
///
/// serde reads and writes it as one object: the control in its notation, all else by the names that
/// the engine has for it, times in nanoseconds. What is read has been [checked](Saved::check).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Export", into = "Export")]
pub struct Saved {
    /// What the game is set to.
    pub settings: Settings,
    /// The state. Its points in time are on the game's own line: its beginning is
    /// [`Instant::ZERO`].
    pub state: State,
    /// When it was taken, since the game began.
    pub taken: Span,
    /// Both clocks when the present turn began.
    pub turn: BySide<Clock>,
    /// The presses that can be taken back, the last one first.
    pub presses: Vec<UndoPoint>,
}

impl Engine {
    /// The whole game as it stands at `now`.
    #[must_use]
    pub fn save(&self, now: Instant) -> Saved {
        let mut state = self.state;
        state.run_to(&self.settings, now);
        Saved {
            settings: self.settings,
            state,
            taken: now - self.state.began,
            turn: self.past.turn,
            presses: self.past.last_first().copied().collect(),
        }
        .shifted(Instant::ZERO - self.state.began)
    }

    /// A game as it was saved, with its beginning at [`Instant::ZERO`]. A clock that ran stands.
    #[must_use]
    pub fn restore(saved: Saved) -> Engine {
        let Saved { settings, state, taken, turn, presses } = saved;
        let mut engine = Engine::new(Instant::ZERO, settings);
        engine.state = state;
        engine.decided = Instant::ZERO + taken;
        engine.past = Past::new(turn);
        for press in presses.into_iter().rev() {
            engine.past.push(press);
        }
        if engine.state.phase == Phase::Running {
            engine.leave_paused();
        }
        engine
    }

    /// Puts a game that was prepared outside in the place of this one: one that was
    /// [restored](Self::restore), or this game's presses [replayed](super::History::under) under
    /// another control. The replaced game is in `other` afterwards, for the caller to drop where
    /// that delays nothing.
    ///
    /// # Errors
    /// A clock runs; nothing has changed.
    pub fn adopt(
        &mut self,
        now: Instant,
        operation: &Operation,
        other: &mut Engine,
    ) -> Result<(), Refusal> {
        let now = self.begin_event(now, &mut Outputs::new());
        let import = matches!(operation, Operation::Import(_));
        if self.state.phase == Phase::Running {
            let asked = if import { "import" } else { "another control" };
            return Err(self.wrong_phase(asked, "pause it first"));
        }
        if import {
            // Its points in time lie before `now` by as much as they lay before the moment at
            // which it was taken.
            let by = now - other.decided;
            other.state.shift(by);
            for side in Side::BOTH {
                other.past.clocks(side).for_each(|clock| clock.shift(by));
            }
        } else {
            // Seats and attendance stay, and so does the first fall (`timing.md` 5).
            other.state.white_on = self.state.white_on;
            other.state.attendance = self.state.attendance;
            other.state.first_flag = self.state.first_flag.or(other.state.first_flag);
        }
        self.take_over(now, other);
        Ok(())
    }

    fn take_over(&mut self, now: Instant, other: &mut Engine) {
        core::mem::swap(self, other);
        self.decided = now;
        self.late_events = other.late_events;
        self.state.began = other.state.began;
        self.state.since = now;
        self.state.locked = other.state.locked;
    }
}

impl Saved {
    /// The game that a picture shows, for what `engine` is set to. What a picture does not tell is
    /// as it would be in a game without corrections: the turn has just begun, everything that its
    /// stage grants was granted, and no press can be taken back.
    #[must_use]
    pub fn from_snapshot(view: &Snapshot, engine: &Engine) -> Saved {
        let settings = engine.settings();
        let mut state = State::new(Instant::ZERO, settings);
        let on_line = |at: Span| Instant::ZERO + at;
        state.phase = view.phase;
        state.to_move = view.to_move;
        state.white_on = engine.state.white_on;
        state.class = engine.state.class;
        state.since = on_line(view.at);
        state.first_flag = view.first_flag.map(|first| FirstFall {
            side: first.side,
            at: on_line(first.at),
            remaining: first.remaining,
        });
        for side in Side::BOTH {
            let seen = &view.sides[side];
            let clock = &mut state.clocks[side];
            let stage = usize::try_from(seen.stage).unwrap_or(usize::MAX).saturating_sub(1);
            clock.moves = seen.moves;
            adjust::set_stage(settings, side, clock, stage, false);
            let stage = stage_of(settings, side, clock);
            clock.main = seen.main;
            clock.allowance = seen.allowance;
            clock.granted = method::increment_of(stage);
            clock.granted_allowance = method::allowance_of(stage);
            clock.turn_allowance = clock.granted_allowance.max(seen.allowance);
            clock.periods = seen.periods.unwrap_or(0);
            clock.stones = seen.stones.unwrap_or(0);
            clock.overtime = seen.overtime.unwrap_or_default();
            clock.pending = seen.stage_pending;
            clock.flag = seen.flag;
            clock.flag_at = seen.flag_at.map(on_line);
            clock.stage_flag_at = seen.stage_flag_at.map(on_line);
            state.penalties[side] = seen.penalties;
        }
        let settings = *settings;
        let (taken, turn) = (view.at, state.clocks);
        Saved { settings, state, taken, turn, presses: Vec::new() }
    }

    /// Moves every point in time by `by`.
    fn shifted(mut self, by: Span) -> Saved {
        self.state.shift(by);
        let kept = self.presses.iter_mut().map(|press| &mut press.before).chain([&mut self.turn]);
        for clock in kept.flat_map(|clocks| [&mut clocks.white, &mut clocks.black]) {
            clock.shift(by);
        }
        self
    }

    /// The game as text, for a file.
    #[must_use]
    pub fn to_text(&self) -> String {
        // A struct of plain members can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a game from the text of a file.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn from_text(text: &str) -> Result<Saved, String> {
        if text.len() > LONGEST_TEXT {
            return Err(format!("this is not an exported game: longer than {LONGEST_TEXT} bytes"));
        }
        serde_json::from_str(text)
            .map_err(|error| format!("this is not an exported game, or it was changed: {error}"))
    }

    /// What the engine holds on to: values that it can have come to itself.
    ///
    /// # Errors
    /// What is out of the ordinary.
    pub fn check(&self) -> Result<(), &'static str> {
        if self.presses.len() > DEPTH {
            return Err("more presses are kept than can be taken back");
        }
        if self.taken.is_negative() || self.taken > LONGEST {
            return Err("it was taken at no possible moment of a game");
        }
        let kept = self.presses.iter().map(|press| &press.before);
        let clocks = kept.chain([&self.turn, &self.state.clocks]);
        let stages =
            clocks.clone().flat_map(|clocks| Side::BOTH.map(|side| (side, clocks[side].stage)));
        for (side, stage) in stages {
            if self.settings.control.sides[side].get(stage).is_none() {
                return Err("a clock stands in a stage that the control does not have");
            }
        }
        for clock in clocks.flat_map(|clocks| [&clocks.white, &clocks.black]) {
            let Clock { main, allowance, overtime, granted, granted_allowance, .. } = clock;
            let Clock { turn_allowance, used, .. } = clock;
            let spans =
                [main, allowance, overtime, granted, granted_allowance, turn_allowance, used];
            if spans.into_iter().any(|span| *span > LONGEST || *span < -LONGEST) {
                return Err("a clock has more time than a hundred years");
            }
            if clock.moves > MOST || clock.periods > MOST || clock.stones > MOST {
                return Err("a clock counts more than a million moves, periods or stones");
            }
        }
        for side in Side::BOTH {
            let clock = &self.state.clocks[side];
            let stage = stage_of(&self.settings, side, clock);
            if method::shortfall(stage, clock).is_positive() {
                return Err("a clock stands below zero");
            }
        }
        Ok(())
    }
}

impl State {
    /// Moves every point in time by `by`.
    fn shift(&mut self, by: Span) {
        let State { began, since, clocks, first_flag, attendance, .. } = self;
        *began += by;
        *since += by;
        clocks.white.shift(by);
        clocks.black.shift(by);
        for at in first_flag.iter_mut().map(|first| &mut first.at) {
            *at += by;
        }
        for at in attendance.awaited_since.iter_mut() {
            *at += by;
        }
    }
}

/// A game as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Export {
    flagfall_export: u32,
    control: Control,
    profile: Profile,
    #[serde(default)]
    switches: SwitchChanges,
    white_on: Seat,
    taken: Span,
    state: State,
    turn: BySide<Clock>,
    presses: Vec<UndoPoint>,
}

impl From<Saved> for Export {
    fn from(saved: Saved) -> Self {
        let Saved { settings, state, taken, turn, presses } = saved;
        Export {
            flagfall_export: VERSION,
            switches: settings.switches.changes_from(settings.profile),
            control: settings.control,
            profile: settings.profile,
            white_on: settings.white_on,
            taken,
            state,
            turn,
            presses,
        }
    }
}

impl TryFrom<Export> for Saved {
    type Error = String;

    fn try_from(export: Export) -> Result<Self, String> {
        if export.flagfall_export != VERSION {
            return Err(format!(
                "this export has format {}, and this flagfall reads format {VERSION}: export it \
                 again with the version that is installed here, or install the other one",
                export.flagfall_export
            ));
        }
        let mut settings = Settings::new(export.control, export.profile);
        settings.white_on = export.white_on;
        export.switches.apply(&mut settings.switches);
        let Export { taken, state, turn, presses, .. } = export;
        let saved = Saved { settings, state, taken, turn, presses };
        saved.check()?;
        Ok(saved)
    }
}
