//! What one side's display has to say: which of its times, what beside it, which marks.
//!
//! Does not place it on digits ([`face`](super::face) does) and computes no time: every value is
//! the snapshot's. The time available to complete the next move is always in it (equipment rule b
//! of FIDE's Standards of Chess Equipment), the delay included or beside.

use super::figure::Course;
use crate::control::{Grant, Method, Overtime, ShowMoves};
use crate::engine::{FlagKind, SideView};
use crate::time::Span;

/// A time and what it is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The time; below zero in overtime.
    pub time: Span,
    /// Its course.
    pub course: Course,
}

/// What stands beside the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The delay of this turn, which main time waits for.
    Delay {
        /// What is left of it.
        left: Timed,
        /// What it begins with.
        full: Span,
    },
    /// Byo-yomi periods left.
    Periods(u32),
    /// The free time of this turn runs, before a period is touched.
    FreeTime,
    /// Canadian stones left.
    Stones(u32),
    /// Presses of the whole game.
    Moves(u32),
}

/// The marks of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The side has no time left; whether it was the first of this game.
    pub fall: Option<Fall>,
    /// It reached zero and was given a further stage.
    pub stage: bool,
    /// Its next stage waits for the arbiter.
    pub pending: bool,
    /// It lost a byo-yomi period just now.
    pub period_lost: bool,
    /// A key that concerns it is stuck.
    pub stuck: bool,
    /// The battery or the supply is low.
    pub low_power: bool,
}

/// Which fall it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fall {
    /// The first of the game.
    First,
    /// The other side's after it.
    Second,
}

/// Whether press counters are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The switch.
    pub show: ShowMoves,
    /// Somebody asks for it now.
    pub asked: bool,
}

/// How a side's clock moves at this instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// It is this side's turn and the clock runs.
    Runs,
    /// The opponent's clock runs.
    Waits,
    /// Nobody's does.
    Stands,
}

/// Where the delay of a turn is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayIs {
    /// Beside main time.
    Beside,
    /// In one figure with it: there is no room for both, or no main time.
    Included,
}

/// The time of a side that is shown large.
#[must_use]
pub fn time(view: &SideView, method: &Method, motion: Motion, delay: DelayIs) -> Timed {
    let falling = |time: Span| {
        let falls = runs(view, motion) && time.is_positive();
        Timed { time, course: if falls { Course::Falling } else { Course::Still } }
    };
    let rising = |moves: bool| {
        let course = if moves { Course::Rising } else { Course::Still };
        Timed { time: view.main, course }
    };
    match method {
        Method::Main { grant, overtime } => match (grant, overtime) {
            (Grant::Bronstein { .. }, _) => falling(view.main + view.allowance),
            (Grant::Delay { .. }, _) if delay == DelayIs::Included => {
                falling(view.main + view.allowance)
            }
            (Grant::Delay { .. }, _) if view.allowance.is_positive() => {
                Timed { time: view.main, course: Course::Still }
            }
            (_, Overtime::Below { limit }) => {
                Timed { time: view.main, ..falling(view.main + *limit) }
            }
            (_, Overtime::Byoyomi { .. }) if in_free_time(view, method) => falling(view.allowance),
            (_, Overtime::Byoyomi { each, .. }) if !view.main.is_positive() => {
                let begun = view.overtime.filter(|left| left.is_positive());
                // one that is lost when it begins has not begun before its turn
                let next = (view.periods > Some(0) && view.flag.is_none()).then_some(*each);
                falling(begun.or(next).unwrap_or(view.allowance))
            }
            (_, Overtime::Canadian { .. }) if !view.main.is_positive() => {
                let block = view.overtime.unwrap_or(Span::ZERO);
                falling(if view.allowance.is_positive() { view.allowance } else { block })
            }
            _ => falling(view.main),
        },
        Method::Hourglass if motion == Motion::Waits => rising(view.flag.is_none()),
        Method::CountUp { .. } => rising(runs(view, motion)),
        Method::Hourglass | Method::PerMove { .. } | Method::Gong => falling(view.main),
    }
}

/// What stands beside the time.
#[must_use]
pub fn beside(
    view: &SideView,
    method: &Method,
    motion: Motion,
    counter: Counter,
) -> Option<Beside> {
    let counted = Some(Beside::Moves(view.moves));
    let of_method = match method {
        Method::Main { grant, overtime } if view.flag != Some(FlagKind::Fall) => {
            match (grant, overtime) {
                (Grant::Delay { each }, _) => view.main.is_positive().then(|| {
                    let falls = runs(view, motion) && view.allowance.is_positive();
                    let course = if falls { Course::Falling } else { Course::Still };
                    let left = Timed { time: view.allowance, course };
                    Beside::Delay { left, full: view.allowance.max(*each) }
                }),
                (_, Overtime::Byoyomi { .. }) if in_free_time(view, method) => {
                    Some(Beside::FreeTime)
                }
                (_, Overtime::Byoyomi { .. }) if !view.main.is_positive() => {
                    view.periods.map(Beside::Periods)
                }
                (_, Overtime::Canadian { .. }) if !view.main.is_positive() => {
                    view.stones.map(Beside::Stones)
                }
                _ => None,
            }
        }
        _ => None,
    };
    match counter.show {
        ShowMoves::Never => of_method,
        _ if counter.asked => counted,
        ShowMoves::OnRequest => of_method,
        ShowMoves::Always => of_method.or(counted),
    }
}

/// The time until the end that is counted down to: of the running byo-yomi period, else the flag.
/// There is none in main time before byo-yomi.
#[must_use]
pub fn until_end(view: &SideView, method: &Method) -> Option<Span> {
    match method {
        Method::Main { overtime: Overtime::Byoyomi { .. }, .. } => {
            let period = view.allowance + view.overtime.unwrap_or(Span::ZERO);
            (!view.main.is_positive() && view.flag != Some(FlagKind::Fall)).then_some(period)
        }
        _ => view.remaining,
    }
}

/// Main time is gone and the turn's free time has begun. A waiting side shows its next period.
fn in_free_time(view: &SideView, method: &Method) -> bool {
    let free =
        matches!(method, Method::Main { overtime: Overtime::Byoyomi { free: Some(_), .. }, .. });
    free && !view.main.is_positive() && view.allowance.is_positive() && view.used.is_positive()
}

/// A side that has fallen stands at zero, even when its turn goes on.
fn runs(view: &SideView, motion: Motion) -> bool {
    motion == Motion::Runs && view.flag != Some(FlagKind::Fall)
}
