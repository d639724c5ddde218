//! Time that stands still until it is told to go on.
//!
//! This is no clock: it never moves by itself, so a test that uses it cannot be early, late or
//! slow. The timing thread lives by [`ManualTime`]; whoever tests holds the [`ManualHandle`].
//! Both block on a lock, which the real time source may never do: here nobody waits for a player.

use std::sync::{Arc, Condvar, Mutex};

use super::locked;
use crate::board::{Time, TimeLine, Wake};
use crate::time::{Instant, Span};

/// The timing thread's side: a [`Time`] that goes as far as its handle says.
#[derive(Debug)]
pub struct ManualTime {
    shared: Arc<Shared>,
}

/// The tester's side: moves the time of one [`ManualTime`]. Clones move the same time.
#[derive(Clone, Debug)]
pub struct ManualHandle {
    shared: Arc<Shared>,
}

/// How far time moves at once, in hours: the timing thread looks up once a second on the way, and
/// whoever asked waits for it.
const FARTHEST: i64 = 1_000;

/// Why time was not moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdvanceError {
    /// The span was negative.
    #[error("time cannot go back: advance by 0 or more")]
    Backwards,
    /// The span was longer than a thousand hours.
    #[error("{FARTHEST} hours at the most, which is {} us: advance in steps", FARTHEST * 3_600_000_000)]
    TooFar,
    /// The timing thread has ended, or ended while time went on.
    #[error("the timing thread has ended: nobody lives by this time any more")]
    Stopped,
}

#[derive(Debug)]
struct Shared {
    line: Mutex<Line>,
    changed: Condvar,
}

#[derive(Debug)]
struct Line {
    /// Where the thread is.
    now: Instant,
    /// How far it may go.
    target: Instant,
    /// It stands at `now`, which is the target, with everything done.
    parked: bool,
    /// It shall look up from its wait without any time passing.
    called: bool,
    /// It is gone.
    stopped: bool,
}

/// A time that stands at `from`, and the handle that moves it.
#[must_use]
pub fn manual_time(from: Instant) -> (ManualTime, ManualHandle) {
    let line = Line { now: from, target: from, parked: false, called: false, stopped: false };
    let shared = Arc::new(Shared { line: Mutex::new(line), changed: Condvar::new() });
    (ManualTime { shared: Arc::clone(&shared) }, ManualHandle { shared })
}

impl Time for ManualTime {
    fn now(&self) -> Instant {
        self.shared.now()
    }

    fn wait_until(&mut self, until: Instant) -> Wake {
        let mut line = locked(&self.shared.line);
        loop {
            if line.called {
                line.called = false;
                return Wake::Called;
            }
            if until <= line.target {
                line.now = line.now.max(until);
                return Wake::Due;
            }
            line.now = line.target;
            line.parked = true;
            self.shared.changed.notify_all();
            line = self.shared.wait(line);
        }
    }

    fn may_leap(&self) -> bool {
        true
    }
}

impl TimeLine for ManualHandle {
    fn now(&self) -> Instant {
        ManualHandle::now(self)
    }

    fn order_waits(&self) {
        self.call();
    }
}

impl Drop for ManualTime {
    fn drop(&mut self) {
        locked(&self.shared.line).stopped = true;
        self.shared.changed.notify_all();
    }
}

impl ManualHandle {
    /// Where the timing thread stands, on the box's time line.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.shared.now()
    }

    /// Lets time go on by `span` and returns when the timing thread stands at the new instant with
    /// everything done that was due until then. A span of zero waits for a thread that is still
    /// busy at the present instant. Blocks the caller for as long as the thread works.
    ///
    /// # Errors
    /// `span` is negative or longer than a thousand hours (nothing happens), or the timing thread has
    /// ended.
    pub fn advance(&self, span: Span) -> Result<Instant, AdvanceError> {
        if span.is_negative() {
            return Err(AdvanceError::Backwards);
        }
        if span > Span::from_secs(FARTHEST * 3_600) {
            return Err(AdvanceError::TooFar);
        }
        let mut line = locked(&self.shared.line);
        line.target += span;
        let goal = line.target;
        // Contacts may have moved while time stood: the thread is to look how far it may leap.
        line.called = true;
        line.parked = false;
        self.shared.changed.notify_all();
        while !(line.stopped || line.parked && line.now >= goal) {
            line = self.shared.wait(line);
        }
        if line.stopped { Err(AdvanceError::Stopped) } else { Ok(goal) }
    }

    /// Wakes the timing thread at the present instant: an order awaits it. Returns at once.
    pub fn call(&self) {
        let mut line = locked(&self.shared.line);
        line.called = true;
        line.parked = false;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn now(&self) -> Instant {
        locked(&self.line).now
    }

    fn wait<'a>(&self, line: std::sync::MutexGuard<'a, Line>) -> std::sync::MutexGuard<'a, Line> {
        self.changed.wait(line).unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};
    use std::thread::JoinHandle;

    /// A thread that polls every millisecond and tells when, until `polls` polls are done.
    fn poller(mut time: ManualTime, polls: usize) -> (JoinHandle<()>, Receiver<(Wake, Instant)>) {
        let (tell, told) = channel();
        let thread = std::thread::spawn(move || {
            let mut next = Instant::ZERO;
            let mut done = 0;
            while done < polls {
                let wake = time.wait_until(next);
                let _ = tell.send((wake, time.now()));
                if wake == Wake::Due {
                    next += Span::from_millis(1);
                    done += 1;
                }
            }
        });
        (thread, told)
    }

    fn ms(ms: i64) -> Instant {
        Instant::ZERO + Span::from_millis(ms)
    }

    /// When the thread has polled since it was last asked.
    fn polls(told: &Receiver<(Wake, Instant)>) -> Vec<Instant> {
        told.try_iter().filter(|(wake, _)| *wake == Wake::Due).map(|(_, at)| at).collect()
    }

    #[test]
    fn advance_returns_when_every_poll_until_then_is_done_and_no_further_one() {
        let (time, handle) = manual_time(Instant::ZERO);
        let (thread, told) = poller(time, 6);
        assert_eq!(handle.advance(Span::ZERO), Ok(ms(0)));
        assert_eq!(polls(&told), [ms(0)]);
        let end = ms(2) + Span::from_micros(500);
        assert_eq!(handle.advance(Span::from_micros(2_500)), Ok(end));
        assert_eq!(polls(&told), [ms(1), ms(2)]);
        assert_eq!(handle.now(), end);
        // The last poll ends the thread, and with it the wait.
        assert_eq!(handle.advance(Span::from_secs(1)), Err(AdvanceError::Stopped));
        thread.join().unwrap();
        assert_eq!(handle.advance(Span::ZERO), Err(AdvanceError::Stopped));
    }

    #[test]
    fn a_call_wakes_the_thread_without_any_time_passing() {
        let (time, handle) = manual_time(Instant::ZERO);
        let (thread, told) = poller(time, 2);
        handle.advance(Span::from_micros(300)).unwrap();
        handle.call();
        handle.advance(Span::ZERO).unwrap();
        let wakes: Vec<_> = told.try_iter().collect();
        assert_eq!(wakes.last(), Some(&(Wake::Called, ms(0) + Span::from_micros(300))));
        assert_eq!(wakes.iter().filter(|(wake, _)| *wake == Wake::Due).count(), 1);
        assert_eq!(handle.advance(Span::from_millis(1)), Err(AdvanceError::Stopped));
        thread.join().unwrap();
    }

    #[test]
    fn time_goes_neither_back_nor_too_far_at_once() {
        let (mut time, handle) = manual_time(Instant::ZERO);
        assert_eq!(handle.advance(Span::from_nanos(-1)), Err(AdvanceError::Backwards));
        for far in [Span::MAX, Span::from_secs(1_000 * 3_600) + Span::from_nanos(1)] {
            assert_eq!(handle.advance(far), Err(AdvanceError::TooFar));
        }
        let said = AdvanceError::TooFar.to_string();
        assert_eq!(said, "1000 hours at the most, which is 3600000000000 us: advance in steps");
        assert_eq!(time.wait_until(Instant::from_nanos(-5)), Wake::Due);
        assert_eq!(time.now(), Instant::ZERO);
    }
}
