//! Two clocks read at one instant, although a processor reads one after the other.

/// How often it is tried: a thread may be put aside in the middle of a reading, but not each time.
const TRIES: u32 = 8;

/// What two clocks say at the same instant, each in nanoseconds since its own beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Both {
    /// The first clock.
    pub first: i64,
    /// The second clock.
    pub second: i64,
}

/// Reads two clocks as near to one instant as this machine lets.
///
/// The second is read between two readings of the first, eight times over, and the closest of them
/// counts: the second clock said so when the first stood in their middle, give or take half of
/// what passed. A first clock that runs backwards counts as one that stands.
#[must_use]
pub fn both(mut first: impl FnMut() -> i64, mut second: impl FnMut() -> i64) -> Both {
    let mut read = || {
        let before = first();
        let second = second();
        let passed = first().saturating_sub(before).max(0);
        (passed, Both { first: before.saturating_add(passed / 2), second })
    };
    let mut closest = read();
    for _ in 1..TRIES {
        let next = read();
        if next.0 < closest.0 {
            closest = next;
        }
    }
    closest.1
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const AHEAD: i64 = 5_000_000_000;

    /// Reads a clock and one that is five seconds ahead, on a machine where so many nanoseconds pass
    /// at each look at either; gives by how much the second seems to be ahead.
    fn ahead(passing: impl Fn(u32) -> i64) -> i64 {
        let (now, looks) = (Cell::new(0), Cell::new(0));
        let look = || {
            let at = now.get();
            now.set(at + passing(looks.get()));
            looks.set(looks.get() + 1);
            at
        };
        let read = both(look, || look() + AHEAD);
        read.second - read.first
    }

    #[test]
    fn a_steady_machine_reads_both_at_one_instant() {
        assert_eq!(ahead(|_| 100), AHEAD);
        assert_eq!(ahead(|_| 0), AHEAD);
    }

    #[test]
    fn a_thread_that_is_put_aside_between_the_two_does_not_count_that() {
        for held_up in 0..23 {
            let put_aside = |look| if look == held_up { 200_000_000 } else { 100 };
            assert_eq!(ahead(put_aside), AHEAD, "put aside after look {held_up}");
        }
        assert_eq!(ahead(|look| if look < 21 { 200_000_000 } else { 100 }), AHEAD);
    }

    #[test]
    fn what_cannot_be_known_is_at_most_half_of_what_passed() {
        // Put aside before each look at the second clock, but never after it.
        assert_eq!(ahead(|look| if look % 3 == 0 { 1_000 } else { 0 }), AHEAD + 500);
        assert_eq!(ahead(|look| if look % 3 == 1 { 1_000 } else { 0 }), AHEAD - 500);
    }

    #[test]
    fn no_clock_makes_it_overflow() {
        for ends in [[i64::MIN, i64::MAX], [i64::MAX, i64::MIN]] {
            let mut looks = ends.into_iter().cycle();
            let read = both(|| looks.next().unwrap(), || 0);
            assert_eq!(read.second, 0);
        }
    }
}
