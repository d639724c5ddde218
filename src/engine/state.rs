//! The state of a game: since-when values from which the clocks at any instant follow.

use serde::{Deserialize, Serialize};

use super::{
    Attendance, FirstFlag, FlagKind, GameResult, Penalties, Phase, SideView, Snapshot, method,
};
use crate::control::class::{Class, class_of};
use crate::control::{BySide, Method, Overtime, Seat, Settings, Side, Stage};
use crate::time::{Instant, Span};

/// Everything about a game that changes while it is played. Small and `Copy`: the timing thread
/// publishes it with each change, and readers compute the clocks at their own now.
///
/// While a clock runs, the values of the running side are those at [`since`](State::since).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct State {
    /// When the game began (its `new_game`).
    pub began: Instant,
    /// The phase.
    pub phase: Phase,
    /// Whose turn it is (while ready: who moves first).
    pub to_move: Side,
    /// While running: when the values of the clocks hold.
    pub since: Instant,
    /// Both clocks.
    pub clocks: BySide<Clock>,
    /// The first fall of the game.
    pub first_flag: Option<FirstFall>,
    /// Where White sits.
    pub white_on: Seat,
    /// The result that the arbiter gave.
    pub result: Option<GameResult>,
    /// How often each side was penalised.
    pub penalties: BySide<Penalties>,
    /// Who is there.
    pub attendance: Attendance,
    /// While ready: when the clock is to start by itself, in microseconds since 1970 in UTC.
    pub starts_at: Option<i64>,
    /// What penalties go by: the class of the control that the game began under or was changed to.
    pub class: Class,
    /// Menu and correction at the box are closed. Stays when a new game begins: it is the box's.
    pub locked: bool,
}

/// The first fall, on the box's time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FirstFall {
    /// Who fell first.
    pub side: Side,
    /// When.
    pub at: Instant,
    /// What both had left then.
    pub remaining: BySide<Option<Span>>,
}

/// One side's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Clock {
    /// Main time; the sand, the slot, or the time counted up.
    pub main: Span,
    /// Allowance left of the current or waiting turn.
    pub allowance: Span,
    /// Time left in the current period or block (burn-on-entry: zero while none is begun).
    pub overtime: Span,
    /// Byo-yomi periods left.
    pub periods: u32,
    /// Canadian stones left.
    pub stones: u32,
    /// Index of the Canadian block.
    pub block: usize,
    /// Index of the stage, from 0.
    pub stage: usize,
    /// The press counter when this stage began, or should have begun.
    pub stage_began: u32,
    /// Presses of the whole game.
    pub moves: u32,
    /// The increment that was really granted for the current or waiting move.
    pub granted: Span,
    /// The allowance that was really granted for it: zero where Bronstein parts it off the total.
    pub granted_allowance: Span,
    /// The allowance that the current or waiting turn began with.
    pub turn_allowance: Span,
    /// How long the current turn has lasted, pauses left out.
    pub used: Span,
    /// The flag, if any.
    pub flag: Option<FlagKind>,
    /// When that flag fell.
    pub flag_at: Option<Instant>,
    /// When the last `stage` flag fell.
    pub stage_flag_at: Option<Instant>,
    /// The next stage waits for the arbiter.
    pub pending: bool,
    /// How many stages were entered at first zero.
    pub zero_changes: u32,
}

impl Clock {
    /// True if this side's flag has fallen and the fall was not lifted.
    #[must_use]
    pub fn is_fallen(&self) -> bool {
        self.flag == Some(FlagKind::Fall)
    }

    /// Presses made in this stage.
    #[must_use]
    pub fn moves_in_stage(&self) -> u32 {
        self.moves.saturating_sub(self.stage_began)
    }

    /// Remembers the allowance as the one that the next turn begins with.
    pub(super) fn begin_turn_allowance(&mut self) {
        self.turn_allowance = self.allowance;
    }

    /// Moves every point in time by `by`.
    pub(super) fn shift(&mut self, by: Span) {
        for at in [&mut self.flag_at, &mut self.stage_flag_at].into_iter().flatten() {
            *at += by;
        }
    }

    /// Takes a fall back: the flag is again what it was before.
    pub(super) fn lift_fall(&mut self) {
        self.flag = self.stage_flag_at.map(|_| FlagKind::Stage);
        self.flag_at = self.stage_flag_at;
    }
}

/// The stage that a clock stands in. An index past the end, which the engine never makes, reads
/// as the last stage.
pub(super) fn stage_of<'a>(settings: &'a Settings, side: Side, clock: &Clock) -> &'a Stage {
    const NOTHING: &Stage =
        &Stage { moves: None, base: Span::ZERO, method: Method::PLAIN, confirm: false };
    let stages = &settings.control.sides[side].list;
    stages.get(clock.stage).or(stages.last()).unwrap_or(NOTHING)
}

impl State {
    /// A game that is ready: full clocks, nobody runs.
    pub(super) fn new(now: Instant, settings: &Settings) -> State {
        let clocks = BySide::from_fn(|side| {
            method::open(stage_of(settings, side, &Clock::default()), &settings.switches)
        });
        State {
            began: now,
            phase: Phase::Ready,
            to_move: settings.switches.first_to_move,
            since: now,
            clocks,
            first_flag: None,
            white_on: settings.white_on,
            result: None,
            penalties: BySide::default(),
            attendance: Attendance::default(),
            starts_at: None,
            class: class_of(&settings.control, &settings.switches),
            locked: false,
        }
    }

    /// The stage that a side stands in.
    pub(super) fn stage<'a>(&self, settings: &'a Settings, side: Side) -> &'a Stage {
        stage_of(settings, side, &self.clocks[side])
    }

    /// What a side has left by the values as they stand.
    pub(super) fn remaining(&self, settings: &Settings, side: Side) -> Option<Span> {
        let clock = &self.clocks[side];
        if clock.is_fallen() {
            return Some(Span::ZERO);
        }
        method::remaining(self.stage(settings, side), clock)
    }

    /// True if a side has nothing left.
    pub(super) fn is_at_zero(&self, settings: &Settings, side: Side) -> bool {
        self.remaining(settings, side).is_some_and(|left| !left.is_positive())
    }

    /// Lets the running clock run on to `now`. Deadlines are not decided here: a clock that has
    /// reached zero stands there.
    pub(super) fn run_to(&mut self, settings: &Settings, now: Instant) {
        if self.phase != Phase::Running {
            return;
        }
        let side = self.to_move;
        let time = (now - self.since).or_zero();
        self.since = self.since.max(now);
        let stage = self.stage(settings, side);
        let clock = &mut self.clocks[side];
        clock.used += time;
        if clock.is_fallen() {
            return;
        }
        let before = clock.main;
        method::spend(stage, clock, time);
        let spent = before - clock.main;
        if stage.method == Method::Hourglass && self.first_flag.is_none() {
            self.clocks[!side].main += spent;
        }
    }

    /// When something happens by itself: a flag, a burned period, the gong, an end of patience.
    pub(super) fn next_deadline(&self, settings: &Settings) -> Option<Instant> {
        let absent = self.default_deadline(&settings.switches);
        let clock = self.clock_deadline(settings);
        absent.into_iter().chain(clock).min()
    }

    /// When the running clock does something by itself.
    fn clock_deadline(&self, settings: &Settings) -> Option<Instant> {
        if self.phase != Phase::Running {
            return None;
        }
        let clock = &self.clocks[self.to_move];
        if clock.is_fallen() {
            // A fallen side got the turn: where falls freeze, the clock stops at once.
            return settings.switches.freeze.then_some(self.since);
        }
        let left = method::until_event(self.stage(settings, self.to_move), clock)?;
        Some(self.since + left.or_zero())
    }

    /// The picture at `now`. Deadlines before `now` that were not decided yet are not anticipated:
    /// the side that reached zero stands there.
    #[must_use]
    pub fn snapshot(&self, settings: &Settings, now: Instant) -> Snapshot {
        let mut at_now = *self;
        at_now.run_to(settings, now);
        Snapshot {
            at: now - self.began,
            phase: self.phase,
            to_move: self.to_move,
            first_flag: self.first_flag.map(|first| FirstFlag {
                side: first.side,
                at: first.at - self.began,
                remaining: first.remaining,
            }),
            sides: BySide::from_fn(|side| at_now.side_view(settings, side, now)),
        }
    }

    /// One side's clock as the values stand.
    fn side_view(&self, settings: &Settings, side: Side, now: Instant) -> SideView {
        let clock = &self.clocks[side];
        let stages = &settings.control.sides[side];
        let stage = self.stage(settings, side);
        let goes_on = stages.has_next(clock.stage) || stages.repeat;
        let overtime = match &stage.method {
            Method::Main { overtime, .. } => overtime,
            _ => &Overtime::None,
        };
        let byoyomi = matches!(overtime, Overtime::Byoyomi { .. });
        let canadian = matches!(overtime, Overtime::Canadian { .. });
        let below = matches!(overtime, Overtime::Below { .. });
        SideView {
            remaining: self.remaining(settings, side),
            main: clock.main,
            allowance: clock.allowance,
            stage: count(clock.stage + 1),
            moves: clock.moves,
            moves_to_stage: stage
                .moves
                .filter(|_| goes_on)
                .map(|needed| clock.stage_began.saturating_add(needed).saturating_sub(clock.moves)),
            periods: byoyomi.then_some(clock.periods),
            stones: canadian.then_some(clock.stones),
            overtime: (byoyomi || canadian).then_some(clock.overtime),
            points: below.then(|| penalty_points(clock.main)),
            flag: clock.flag,
            flag_at: clock.flag_at.map(|at| at - self.began),
            stage_flag_at: clock.stage_flag_at.map(|at| at - self.began),
            stage_pending: clock.pending,
            used: clock.used,
            penalties: self.penalties[side],
            lateness: self.lateness(&settings.switches, side, now),
        }
    }
}

/// Scrabble: 10 points for each minute or part of one below zero.
fn penalty_points(main: Span) -> u32 {
    let minutes = (-main).or_zero().ceil_div(Span::from_mins(1).as_nanos());
    u32::try_from(minutes.saturating_mul(10)).unwrap_or(u32::MAX)
}

/// An index or length as it is sent; a control has at most eight stages.
pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
