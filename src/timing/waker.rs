//! Wakes another thread from the timing thread. It carries no data.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::{read, write};

/// A non-blocking eventfd, shared by the thread that wakes and the thread that waits.
///
/// Not a pipe: a pipe is guarded by a lock in the kernel, which a preempted reader may hold while
/// the timing thread wants to write.
#[derive(Clone, Debug)]
pub struct Waker(Arc<OwnedFd>);

impl Waker {
    /// A waker that has not been used.
    ///
    /// # Errors
    /// The process has no descriptor left.
    pub fn new() -> io::Result<Self> {
        Ok(Waker(Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?)))
    }

    /// Wakes the waiting thread. Never blocks, and cannot fail in a way that matters: the counter
    /// is full after 2^64 - 2 calls that were not taken, and then the thread is to be woken already.
    pub fn wake(&self) {
        let _ = write(&self.0, &1u64.to_ne_bytes());
    }

    /// Takes the calls of [`wake`](Self::wake) so far; true if there was one.
    pub fn take(&self) -> bool {
        read(&self.0, &mut [0; 8]).is_ok()
    }

    /// A descriptor of its own for an event loop to wait on; readable after a wake.
    ///
    /// # Errors
    /// The process has no descriptor left.
    pub fn descriptor(&self) -> io::Result<OwnedFd> {
        self.0.try_clone()
    }
}

impl AsFd for Waker {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_wakes_are_taken_at_once() {
        let waker = Waker::new().unwrap();
        assert!(!waker.take());
        waker.wake();
        waker.wake();
        assert!(waker.take());
        assert!(!waker.take());
    }
}
