//! What each method of timing does with a clock (`timing.md` 3): five questions, answered by a
//! few lines a method.
//!
//! | question | asked |
//! |---|---|
//! | [`open`] | when a game begins |
//! | [`spend`] | when time has passed in a turn |
//! | [`credit`] | at the own press in time |
//! | [`remaining`] | whenever somebody looks |
//! | [`until_event`] | to know when something happens by itself |
//!
//! Stages, turns and flags are not known here.

mod grant;
mod overtime;

use super::state::Clock;
use crate::control::{Method, Overtime, Stage, Switches};
use crate::time::Span;

/// The clock of a side at the start of its first stage. The first grant is given unless the
/// switch `first-increment` is off and there is a base to live on (`timing.md` 2.8).
pub(super) fn open(stage: &Stage, switches: &Switches) -> Clock {
    let mut clock = Clock { main: stage.base, ..Clock::default() };
    match &stage.method {
        Method::Main { grant, overtime } => {
            overtime::enter(overtime, &mut clock);
            overtime::restore_free_time(overtime, &mut clock);
            let first = switches.first_increment || stage.base == Span::ZERO;
            grant::open(*grant, first, &mut clock);
        }
        Method::CountUp { .. } => clock.main = Span::ZERO,
        Method::Hourglass | Method::PerMove { .. } | Method::Gong => {}
    }
    clock.begin_turn_allowance();
    clock
}

/// Takes `time` of thinking from the clock of the side that runs. Never more than
/// [`remaining`]: what lies beyond zero belongs to nobody.
///
/// The hourglass's other half, the opponent's gain, is the [`State`](super::State)'s to give.
pub(super) fn spend(stage: &Stage, clock: &mut Clock, time: Span) {
    let time = remaining(stage, clock).map_or(time, |left| time.min(left)).or_zero();
    match &stage.method {
        Method::Main { overtime, .. } => {
            let mut time = time;
            // Free time lies behind main; every other allowance before it, also one that a clock
            // has brought into a stage that gives none.
            if !matches!(overtime, Overtime::Byoyomi { free: Some(_), .. }) {
                take(&mut clock.allowance, &mut time);
            }
            overtime::spend(overtime, clock, time);
        }
        Method::Hourglass | Method::PerMove { .. } | Method::Gong => clock.main -= time,
        Method::CountUp { .. } => clock.main += time,
    }
}

/// The side enters this stage with its press: what it kept stands, base and the grant for the next
/// move come on top (`timing.md` 4.2). `left` is the stage that the press completed.
pub(super) fn enter_by_press(left: &Stage, stage: &Stage, clock: &mut Clock) {
    let Method::Main { grant, overtime } = &stage.method else { return };
    unpart(left, clock);
    clock.main += stage.base;
    overtime::enter(overtime, clock);
    (clock.allowance, clock.granted_allowance) = (Span::ZERO, Span::ZERO);
    clock.granted = Span::ZERO;
    overtime::restore_free_time(overtime, clock);
    grant::open(*grant, true, clock);
    clock.main = clock.main.max(least_main(stage));
    clock.begin_turn_allowance();
}

/// The side enters this stage inside a turn (at zero, or confirmed): what was granted for the
/// current or waiting move under the old stage, `left`, is replaced by what the new one grants
/// (`timing.md` 4.2). Returns what was added to main.
pub(super) fn enter_within_turn(left: &Stage, stage: &Stage, clock: &mut Clock) -> Span {
    if !grant::is_bronstein(stage) {
        unpart(left, clock);
    }
    let before = *clock;
    clock.main += stage.base;
    let room = grant::room(stage, clock.main);
    regrant(stage, clock, room);
    // No change of stages takes time away; the notation refuses those that would.
    clock.main = clock.main.max(before.main);
    fill_overtime(stage, clock);
    // Where main was below zero because the allowance covered it, that allowance may be gone.
    let short = (least_main(stage) - clock.main).max(-clock.main - clock.allowance).or_zero();
    clock.main += short;
    clock.main - before.main
}

/// What Bronstein has parted off from the total without granting it is main time.
fn unpart(left: &Stage, clock: &mut Clock) {
    if grant::is_bronstein(left) && clock.granted_allowance == Span::ZERO {
        clock.main += clock.allowance;
        (clock.allowance, clock.turn_allowance) = (Span::ZERO, Span::ZERO);
    }
}

/// Periods and blocks never make up for main below zero.
fn least_main(stage: &Stage) -> Span {
    match &stage.method {
        Method::Main { overtime: Overtime::Byoyomi { .. } | Overtime::Canadian { .. }, .. } => {
            Span::ZERO
        }
        _ => -Span::MAX,
    }
}

/// Replaces what was really granted for the current or waiting move by what `stage` grants; more
/// than was granted only as far as there is `room` below a cap.
pub(super) fn regrant(stage: &Stage, clock: &mut Clock, room: Option<Span>) {
    let wanted = grant::increment_of(stage) - clock.granted;
    let added = room.map_or(wanted, |room| wanted.min(room));
    clock.main += added;
    clock.granted += added;
    let allowance = grant::allowance_of(stage);
    let more = allowance - clock.granted_allowance;
    clock.allowance = (clock.allowance + more).or_zero();
    clock.turn_allowance = (clock.turn_allowance + more).or_zero();
    clock.granted_allowance = allowance;
}

/// What the own press brings; the side had time left. The allowance for the next turn is set, too.
pub(super) fn credit(stage: &Stage, clock: &mut Clock) {
    match &stage.method {
        Method::Main { grant, overtime } => {
            // An increment beside overtime is credited only while main lasts.
            let in_main = clock.main.is_positive();
            if grant::allowance_of(stage) == Span::ZERO {
                (clock.allowance, clock.granted_allowance) = (Span::ZERO, Span::ZERO);
            }
            overtime::press(overtime, clock);
            if in_main || matches!(overtime, Overtime::None) {
                grant::credit(*grant, clock);
            } else {
                clock.granted = Span::ZERO;
            }
        }
        Method::PerMove { .. } | Method::Gong => clock.main = stage.base,
        Method::Hourglass | Method::CountUp { .. } => {}
    }
    clock.begin_turn_allowance();
}

/// A turn was broken off: the side's next one starts with the allowance that this one began with,
/// the running period and the time of the move full; main, blocks and burned periods stay used
/// (`timing.md` 2.12).
pub(super) fn break_off(stage: &Stage, clock: &mut Clock) {
    clock.allowance = clock.turn_allowance;
    clock.used = Span::ZERO;
    match &stage.method {
        Method::Main { overtime, .. } => overtime::refill_period(overtime, clock),
        Method::PerMove { .. } | Method::Gong => clock.main = stage.base,
        Method::Hourglass | Method::CountUp { .. } => {}
    }
}

/// The time until this side's next flag if it runs on and nothing else happens; `None`: never.
/// Later stages are not in it. For the gong it is the rest of the slot.
pub(super) fn remaining(stage: &Stage, clock: &Clock) -> Option<Span> {
    match &stage.method {
        Method::Main { overtime, .. } => {
            Some(clock.main + clock.allowance + overtime::behind_main(overtime, clock))
        }
        Method::Hourglass | Method::PerMove { .. } | Method::Gong => Some(clock.main),
        Method::CountUp { limit } => limit.map(|limit| limit - clock.main),
    }
}

/// By how much a correction has put a clock below what it may hold; zero for a sound one. Periods
/// and blocks lie behind main time and never make up for main below zero; nothing counts up from
/// below it.
pub(super) fn shortfall(stage: &Stage, clock: &Clock) -> Span {
    let left = match &stage.method {
        Method::Main { overtime: Overtime::Byoyomi { .. } | Overtime::Canadian { .. }, .. } => {
            clock.main
        }
        Method::CountUp { .. } => remaining(stage, clock).unwrap_or(clock.main).min(clock.main),
        _ => remaining(stage, clock).unwrap_or(Span::MAX),
    };
    (-left).or_zero()
}

/// At a fall everything is used up: no part is below zero, and no other part makes up for it.
pub(super) fn level(stage: &Stage, clock: &mut Clock) {
    if let Method::Main { overtime: Overtime::None, .. } = &stage.method {
        (clock.main, clock.allowance) = (Span::ZERO, Span::ZERO);
    }
}

/// How long the side can run until something happens by itself: a burned period, zero, the gong.
pub(super) fn until_event(stage: &Stage, clock: &Clock) -> Option<Span> {
    match &stage.method {
        // Begun, or still in main and free time: what comes before the next period is burned.
        Method::Main { overtime: Overtime::Byoyomi { .. }, .. } => {
            Some(clock.main + clock.allowance + clock.overtime)
        }
        Method::PerMove { stays_at_zero: true } => None,
        _ => remaining(stage, clock),
    }
}

/// Makes the stage's periods and block full, and takes away what it has none of.
pub(super) fn fill_overtime(stage: &Stage, clock: &mut Clock) {
    match &stage.method {
        Method::Main { overtime, .. } => overtime::enter(overtime, clock),
        _ => overtime::enter(&Overtime::None, clock),
    }
}

/// The increment that a stage gives for each move; zero where it gives none.
pub(super) fn increment_of(stage: &Stage) -> Span {
    grant::increment_of(stage)
}

/// The allowance that a stage gives for each turn: delay, Bronstein, free time; zero where none.
pub(super) fn allowance_of(stage: &Stage) -> Span {
    grant::allowance_of(stage)
}

/// Takes as much of `wanted` as `store` holds; what could not be had stays in `wanted`.
fn take(store: &mut Span, wanted: &mut Span) {
    let taken = store.or_zero().min(*wanted);
    *store -= taken;
    *wanted -= taken;
}
