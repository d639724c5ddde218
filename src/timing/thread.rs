//! The thread around the tick.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread::JoinHandle;

use super::realtime::{STACK, set_up};
use super::schedule::{MAX_PERIOD, MIN_PERIOD, Schedule};
use super::{Granted, Tick, Wanted};
use crate::board::{Pins, Time, TimeLine, Wake};
use crate::time::Span;

/// The thread's name, as `ps -L` and `top -H` show it.
pub const NAME: &str = "flagfall-rt";

/// A timing thread that runs.
#[derive(Debug)]
pub struct Running {
    /// What it was granted when it began.
    pub granted: Granted,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

/// Why there is no timing thread.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The period is out of range.
    #[error(
        "the timing thread cannot poll every {0:?}: \
         choose a period from {MIN_PERIOD:?} to {MAX_PERIOD:?}"
    )]
    Period(Span),
    /// The system gave no thread.
    #[error("the timing thread could not be started: {0}")]
    Thread(#[from] io::Error),
    /// It ended before it had begun.
    #[error("the timing thread ended while it set itself up")]
    Ended,
}

/// Starts the timing thread and waits until it has set itself up, from inside.
///
/// It polls at the multiples of `period` on `time`'s line, the first time at once.
///
/// # Errors
/// See [`StartError`]. A priority or locked memory that is not granted is no error: see
/// [`Granted`].
pub fn spawn<P, T>(
    tick: Tick<P>,
    time: T,
    period: Span,
    wanted: Wanted,
) -> Result<Running, StartError>
where
    P: Pins + 'static,
    T: Time + 'static,
{
    let schedule = Schedule::new(time.now(), period).ok_or(StartError::Period(period))?;
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let (tell, told) = mpsc::sync_channel(1);
    let waker = tick.event_waker();
    // On the heap, so that the thread's stack does not have to hold it.
    let mut tick = Box::new(tick);
    let thread =
        std::thread::Builder::new().name(NAME.to_owned()).stack_size(STACK).spawn(move || {
            let granted = set_up(wanted);
            if tell.send(granted).is_ok() {
                drop(tell);
                live(&mut tick, time, schedule, &stopped);
            }
            // Only now are the rings seen to be abandoned.
            waker.wake();
        })?;
    let granted = told.recv().map_err(|_| StartError::Ended)?;
    Ok(Running { granted, stop, thread })
}

impl Running {
    /// Ends the thread: lamps and buzzer go off, and everybody who waits for it is told.
    pub fn stop(self, line: &dyn TimeLine) {
        self.stop.store(true, Relaxed);
        line.order_waits();
        // A panic of the thread has ended the process already.
        let _ = self.thread.join();
    }
}

/// From here on nothing is allocated or freed.
fn live<P: Pins, T: Time>(
    tick: &mut Tick<P>,
    mut time: T,
    mut schedule: Schedule,
    stop: &AtomicBool,
) {
    while !stop.load(Relaxed) {
        let due = match time.may_leap() {
            true => schedule.first_from(tick.quiet_until(time.now())),
            false => schedule.next(),
        };
        match time.wait_until(due) {
            Wake::Due => {
                schedule.leap_to(due);
                let now = time.now();
                let late = schedule.begun(now);
                tick.counters().tick(late.by, late.skipped);
                tick.poll(now);
            }
            Wake::Called => {
                let now = time.now();
                // A tick that is due has still to be done, even if a request comes before it.
                if due > now {
                    schedule.stand_at(now);
                }
                tick.serve(now);
            }
        }
        if tick.take_new_game() {
            time.new_game();
        }
    }
    tick.end();
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Sender;

    use super::*;
    use crate::board::monotonic::monotonic;
    use crate::control::{Profile, Settings, notation};
    use crate::engine::Engine;
    use crate::input::Contacts;
    use crate::input::{Input, Timing};
    use crate::panel::Signals;
    use crate::panel::{Look, Panel, Sounding};
    use crate::time::Instant;
    use crate::timing::{Parts, endpoints};

    /// Pins that tell when they are looked at.
    struct Watched(Sender<Instant>);

    impl Pins for Watched {
        fn read(&mut self, now: Instant) -> Contacts {
            let _ = self.0.send(now);
            Contacts::default()
        }
        fn write(&mut self, _: Signals) {}
    }

    fn tick(pins: Watched) -> Tick<Watched> {
        let settings = Settings::new(notation::parse("3m+2s").unwrap(), Profile::Fide);
        let parts = Parts {
            engine: Engine::new(Instant::ZERO, settings),
            input: Input::new(Timing::default()),
            panel: Panel::new(Look {
                brightness: 8,
                tenths_below: Span::ZERO,
                sound: Sounding::ByProfile,
            }),
            pins,
        };
        Tick::new(parts, endpoints().unwrap().0)
    }

    #[test]
    fn in_real_time_the_thread_polls_no_tick_early_and_ends_when_told() {
        let (tell, looked) = mpsc::channel();
        let (time, line) = monotonic(Instant::ZERO, 0);
        let period = Span::from_millis(1);
        let running = spawn(tick(Watched(tell)), time, period, Wanted::NOTHING).unwrap();
        assert_eq!(running.granted, Granted::default());
        let first = looked.recv().unwrap();
        let polls: Vec<Instant> = looked.iter().take(10).collect();
        running.stop(&line);
        let index = |at: &Instant| at.as_nanos() / period.as_nanos();
        let mut before = index(&first);
        for poll in &polls {
            assert!(index(poll) > before, "two polls in one period: {polls:?}");
            before = index(poll);
        }
        // With the thread the pins are gone: this would wait for ever if it lived.
        looked.iter().for_each(drop);
    }

    #[test]
    fn a_period_out_of_range_starts_no_thread_and_names_the_range() {
        let (tell, _looked) = mpsc::channel();
        let (time, _) = monotonic(Instant::ZERO, 0);
        let error = spawn(tick(Watched(tell)), time, Span::ZERO, Wanted::NOTHING).unwrap_err();
        assert!(error.to_string().contains("0.000250000s to 0.005000000s"), "{error}");
    }
}
