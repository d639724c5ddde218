//! What the daemon says to the face of the box.

use std::time::Duration;

use super::{Bridge, locked};
use crate::timing::BoxOrder;

/// How long to wait where too many orders wait.
const BUSY: Duration = Duration::from_millis(20);

impl Bridge {
    /// Says something to the face of the box. Where too many orders wait it waits, too.
    pub async fn tell_box(&self, mut order: BoxOrder) {
        loop {
            let left = {
                let mut desk = locked(&self.inner.desk);
                if desk.closed {
                    return;
                }
                desk.leave_for_box(order, self.inner.line.now())
            };
            match left {
                Ok(()) => break,
                Err(back) => order = back,
            }
            tokio::time::sleep(BUSY).await;
        }
        self.inner.line.order_waits();
    }

    /// Has everything glow and sound for a while, unless a clock runs.
    pub async fn self_test(&self) {
        self.tell_box(BoxOrder::SelfTest).await;
    }
}
