//! A bell that the timing thread rings to wake another thread. It carries no data.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::{read, write};

/// A non-blocking eventfd, shared by the one who rings and the one who waits.
///
/// Not a pipe: a pipe is guarded by a lock in the kernel, which a preempted reader may hold while
/// the timing thread wants to write.
#[derive(Clone, Debug)]
pub struct Bell(Arc<OwnedFd>);

impl Bell {
    /// A bell that has not been rung.
    ///
    /// # Errors
    /// The process has no descriptor left.
    pub fn new() -> io::Result<Self> {
        Ok(Bell(Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?)))
    }

    /// Rings. Never blocks and cannot fail in a way that matters: the counter could only be full
    /// after 2^64 - 2 rings that nobody heard, and then the waiter is to be woken already.
    pub fn ring(&self) {
        let _ = write(&self.0, &1u64.to_ne_bytes());
    }

    /// Forgets the rings until now; true if there was one.
    pub fn take(&self) -> bool {
        read(&self.0, &mut [0; 8]).is_ok()
    }

    /// A descriptor of its own for an event loop to wait on; readable after a ring.
    ///
    /// # Errors
    /// The process has no descriptor left.
    pub fn descriptor(&self) -> io::Result<OwnedFd> {
        self.0.try_clone()
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_rings_are_heard_once() {
        let bell = Bell::new().unwrap();
        assert!(!bell.take());
        bell.ring();
        bell.ring();
        assert!(bell.take());
        assert!(!bell.take());
    }
}
