//! The one rhythm of the box: 1 Hz, half a second each way.

use crate::time::Span;

const HALF: Span = Span::from_millis(500);

/// True in the second half of each second of `elapsed`.
#[must_use]
pub const fn second_half(elapsed: Span) -> bool {
    elapsed.as_nanos().div_euclid(HALF.as_nanos()) % 2 != 0
}

/// How long the present half goes on.
#[must_use]
pub const fn until_next_half(elapsed: Span) -> Span {
    Span::from_nanos(HALF.as_nanos() - elapsed.as_nanos().rem_euclid(HALF.as_nanos()))
}
