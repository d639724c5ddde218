//! Messages to the face of the box.

use std::time::Duration;

use super::{Bridge, locked};
use crate::timing::PanelMessage;

/// How long to wait where too many requests wait.
const BUSY: Duration = Duration::from_millis(20);

impl Bridge {
    /// Sends a message to the face of the box. Where too many requests wait it waits, too.
    pub async fn tell_panel(&self, mut message: PanelMessage) {
        loop {
            let sent = {
                let mut pending = locked(&self.inner.pending);
                if pending.closed {
                    return;
                }
                pending.send_to_panel(message, self.inner.line.now())
            };
            match sent {
                Ok(()) => break,
                Err(back) => message = back,
            }
            tokio::time::sleep(BUSY).await;
        }
        self.inner.line.order_waits();
    }

    /// Lights and sounds everything for a while, unless a clock runs.
    pub async fn self_test(&self) {
        self.tell_panel(PanelMessage::SelfTest).await;
    }
}
