//! What the timing thread asks of the system when it begins: its priority, and memory that stays.
//!
//! It keeps no time. Nothing here is needed for the clock to be right, only for it to be prompt:
//! what is not granted is said, and the clock goes on without it. The only unsafe code of the
//! program stands here, because no library offers `sched_setscheduler` with `RESET_ON_FORK`.

use std::fmt;
use std::hint::black_box;
use std::io;

use rustix::io::Errno;
use rustix::mm::{MlockAllFlags, mlockall};

/// The stack of the timing thread.
pub(super) const STACK: usize = 256 * 1024;
/// How much of it is touched beforehand; the rest is left to the thread's own start.
const PREFAULTED: usize = STACK - 64 * 1024;

/// What the timing thread is to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// SCHED_FIFO at this priority, 1 to 99; `None`: a thread like any other.
    pub priority: Option<u8>,
    /// The whole process stays in memory.
    pub lock_memory: bool,
}

impl Wanted {
    /// Nothing: where time is manual, promptness is of no use.
    pub const NOTHING: Wanted = Wanted { priority: None, lock_memory: false };
}

/// What it was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Granted {
    /// SCHED_FIFO at this priority.
    pub priority: Option<u8>,
    /// The process stays in memory.
    pub memory_locked: bool,
    /// What was asked for and refused.
    pub degradations: Vec<Degradation>,
}

/// A request that the system refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degradation {
    /// No real-time priority.
    NoPriority {
        /// The priority asked for.
        priority: u8,
        /// The error number.
        errno: i32,
    },
    /// The memory is not locked.
    MemoryNotLocked {
        /// The error number.
        errno: i32,
    },
}

impl fmt::Display for Degradation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Degradation::NoPriority { priority, errno } => write!(
                f,
                "the timing thread could not get the real-time priority {priority} ({}) and goes \
                 on at normal priority: allow it with LimitRTPRIO={priority} in the unit or the \
                 rtprio limit of the user",
                io::Error::from_raw_os_error(errno)
            ),
            Degradation::MemoryNotLocked { errno } => write!(
                f,
                "the memory could not be locked ({}), so that a tick may wait for the disk: allow \
                 it with LimitMEMLOCK=infinity in the unit or the memlock limit of the user",
                io::Error::from_raw_os_error(errno)
            ),
        }
    }
}

/// Sets up the calling thread. Allocates; to be called once, before the first tick.
pub(super) fn set_up(wanted: Wanted) -> Granted {
    let mut granted = Granted::default();
    if wanted.lock_memory {
        match lock_memory() {
            Ok(()) => granted.memory_locked = true,
            Err(error) => granted
                .degradations
                .push(Degradation::MemoryNotLocked { errno: error.raw_os_error() }),
        }
        touch_stack();
    }
    if let Some(priority) = wanted.priority {
        match take_priority(priority) {
            Ok(()) => granted.priority = Some(priority),
            Err(errno) => {
                granted.degradations.push(Degradation::NoPriority { priority, errno });
            }
        }
    }
    granted
}

/// Locks what is there now, and what comes later as soon as it is first touched. With `ONFAULT`
/// because otherwise every thread that is started later claims its whole stack at once.
fn lock_memory() -> Result<(), Errno> {
    mlockall(MlockAllFlags::CURRENT)?;
    mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT)
}

/// Touches the stack so that its pages are there before the first tick. By reference: by value the
/// array could be there twice, and too big.
#[inline(never)]
fn touch_stack() {
    let mut stack = [0u8; PREFAULTED];
    black_box(&mut stack);
}

/// SCHED_FIFO for the calling thread; threads and programs that it starts do not inherit it.
#[expect(unsafe_code, reason = "no library offers sched_setscheduler with RESET_ON_FORK")]
fn take_priority(priority: u8) -> Result<(), i32> {
    let param = libc::sched_param { sched_priority: i32::from(priority) };
    // SAFETY: the thread 0 is the calling one, and `param` is a valid `sched_param` that the call
    // only reads, for as long as it lasts.
    let status = unsafe {
        libc::sched_setscheduler(0, libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK, &param)
    };
    if status == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error().raw_os_error().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_asked_for_is_neither_granted_nor_missed() {
        assert_eq!(set_up(Wanted::NOTHING), Granted::default());
    }

    #[test]
    fn an_impossible_priority_is_a_degradation_with_a_remedy() {
        let granted = set_up(Wanted { priority: Some(255), lock_memory: false });
        assert_eq!(granted.priority, None);
        let [degradation] = granted.degradations[..] else { panic!("{granted:?}") };
        assert_eq!(degradation, Degradation::NoPriority { priority: 255, errno: libc::EINVAL });
        assert!(degradation.to_string().contains("LimitRTPRIO=255"), "{degradation}");
    }

    #[test]
    fn the_stack_is_big_enough_to_be_touched_beforehand() {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(touch_stack).unwrap();
        thread.join().unwrap();
    }
}
