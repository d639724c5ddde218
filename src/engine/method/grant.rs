//! What a move brings while main time lasts: nothing, increment, delay, Bronstein.

use crate::control::{Grant, Method, Overtime, Stage};
use crate::engine::state::Clock;
use crate::time::Span;

/// The grant for move 1, or (`first` false) what stands in its place.
pub(super) fn open(grant: Grant, first: bool, clock: &mut Clock) {
    match grant {
        Grant::None => {}
        Grant::Increment { .. } | Grant::Delay { .. } if !first => {}
        Grant::Increment { each, cap } => increment(each, cap, clock),
        Grant::Delay { each } => delay(each, clock),
        // Delay in arithmetic, another figure on the display.
        Grant::Bronstein { each } if first => delay(each, clock),
        Grant::Bronstein { each } => split(each, clock),
    }
}

/// What the own press brings for the next move.
pub(super) fn credit(grant: Grant, clock: &mut Clock) {
    match grant {
        Grant::None => clock.granted = Span::ZERO,
        Grant::Increment { each, cap } => increment(each, cap, clock),
        Grant::Delay { each } => delay(each, clock),
        Grant::Bronstein { each } => bronstein(each, clock),
    }
}

/// **Increment** (Fischer, cumulative, bonus): main grows by `each`, but never above the cap; a
/// time that an arbiter has put above it is not cut.
fn increment(each: Span, cap: Option<Span>, clock: &mut Clock) {
    let room = cap.map_or(each, |cap| (cap - clock.main).or_zero());
    clock.granted = each.min(room);
    clock.main += clock.granted;
}

/// **Delay** (US, simple): the turn's allowance is whole again; what was left of it is lost.
fn delay(each: Span, clock: &mut Clock) {
    clock.allowance = each;
    clock.granted_allowance = each;
    clock.granted = Span::ZERO;
}

/// **Bronstein** (add-back): what was used comes back, at most `each`. The figure shown is main
/// and allowance together; it grows by min(used, each - the allowance that was left).
///
/// With the first grant this is delay in arithmetic. Without it (`first-increment` off) it is true
/// add-back from the bare base: base 10, `each` 5, a move of 8 leaves 7.
fn bronstein(each: Span, clock: &mut Clock) {
    clock.main += clock.used.min(each - clock.allowance).or_zero();
    split(each, clock);
}

/// Parts a Bronstein total into the allowance of the next turn and the main time behind it.
fn split(each: Span, clock: &mut Clock) {
    let total = clock.main + clock.allowance;
    clock.allowance = total.min(each).or_zero();
    clock.main = total - clock.allowance;
    clock.granted = Span::ZERO;
}

/// The increment that a stage gives for each move; zero where it gives none.
pub(super) fn increment_of(stage: &Stage) -> Span {
    match stage.method {
        Method::Main { grant: Grant::Increment { each, .. }, .. } => each,
        _ => Span::ZERO,
    }
}

/// How much a credit may add to a main time of so much; `None`: any amount.
pub(super) fn room(stage: &Stage, main: Span) -> Option<Span> {
    match stage.method {
        Method::Main { grant: Grant::Increment { cap: Some(cap), .. }, .. } => {
            Some((cap - main).or_zero())
        }
        _ => None,
    }
}

/// The allowance that a stage gives for each turn; zero where it gives none.
pub(super) fn allowance_of(stage: &Stage) -> Span {
    match stage.method {
        Method::Main { grant: Grant::Delay { each } | Grant::Bronstein { each }, .. }
        | Method::Main { overtime: Overtime::Byoyomi { free: Some(each), .. }, .. } => each,
        _ => Span::ZERO,
    }
}

/// True if the stage adds back what was used.
pub(super) fn is_bronstein(stage: &Stage) -> bool {
    matches!(stage.method, Method::Main { grant: Grant::Bronstein { .. }, .. })
}
