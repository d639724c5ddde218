//! One contact: bouncing levels in, clean strokes out (`box.md` 2).
//!
//! Does not know which key it belongs to, nor the other contacts: nothing on one side delays the
//! other. The times are [`Timing`]'s.
//!
//! ```text
//!                    closed                     closed again within `confirm`
//!    ┌────────> Up ─────────────────> Closing ───────────────────────────────┐
//!    │          ^ ^                      │       press, stamped with the     │
//!    │          │ └──────────────────────┘       first closed poll           v
//!    │          │    `confirm` is over: a glitch                     ┌───> Down ───┐
//!    │ open     │                                          closed    │       │     │ closed for more
//!    │          │         open for `lockout`: released               └─ Opening    │ than `stuck`
//!    │          ├──────────────────────────────────────────────────────────┘       v
//!    │          └───────────────────────────────────────────────────────────── Stuck <──┐
//!    │                    open for `lockout`: freed                                     │
//! Unseen ───────────────────────────────────────────────────────────────────────────────┘
//!                                  closed at power-on
//! ```
//!
//! *Opening* is `Down` or `Stuck` with `open_since` set: bounce on the way up leads back, so that
//! neither a release nor a weak finger makes a second press, and a hold goes on.

use super::{Timing, What};
use crate::time::{Instant, Span};

/// The state of one contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// Not looked at yet.
    Unseen,
    /// Up long enough: the next closed poll may be a press.
    Up,
    /// Seen closed, not confirmed yet.
    Closing {
        /// The first closed poll: the stamp of the press to be.
        since: Instant,
        /// It bounced: an open poll came in between.
        bounced: bool,
    },
    /// Pressed.
    Down {
        /// The stamp of the press.
        since: Instant,
        /// How many whole seconds of it have been told.
        told: i64,
        /// Since when it has been open again, if it is.
        open_since: Option<Instant>,
    },
    /// Held at power-on or for too long.
    Stuck {
        /// Since when it has been open again, if it is.
        open_since: Option<Instant>,
    },
}

impl Contact {
    /// The state after a poll, and the stroke that it completes with its stamp.
    ///
    /// A poll that comes late is still the next poll: two closed ones in a row are a press, however
    /// far apart the timing thread was made to run. A player never pays for the box.
    #[must_use]
    pub fn poll(
        self,
        now: Instant,
        closed: bool,
        timing: &Timing,
    ) -> (Contact, Option<(What, Instant)>) {
        match (self, closed) {
            (Contact::Unseen, true) => {
                (Contact::Stuck { open_since: None }, Some((What::Stuck, now)))
            }
            (Contact::Unseen | Contact::Up, false) => (Contact::Up, None),
            (Contact::Up, true) => (Contact::Closing { since: now, bounced: false }, None),
            (Contact::Closing { since, bounced }, true) => {
                if bounced && now - since > timing.confirm {
                    (Contact::Closing { since: now, bounced: false }, None)
                } else {
                    let down = Contact::Down { since, told: 0, open_since: None };
                    (down, Some((What::Pressed, since)))
                }
            }
            (Contact::Closing { since, .. }, false) => {
                if now - since < timing.confirm {
                    (Contact::Closing { since, bounced: true }, None)
                } else {
                    (Contact::Up, None)
                }
            }
            (Contact::Down { since, told, .. }, true) => {
                Contact::held(now, since, told, timing.stuck)
            }
            (Contact::Down { since, told, open_since }, false) => {
                let open = open_since.unwrap_or(now);
                if now - open < timing.lockout {
                    (Contact::Down { since, told, open_since: Some(open) }, None)
                } else {
                    (Contact::Up, Some((What::Released, now)))
                }
            }
            (Contact::Stuck { .. }, true) => (Contact::Stuck { open_since: None }, None),
            (Contact::Stuck { open_since }, false) => {
                let open = open_since.unwrap_or(now);
                if now - open < timing.lockout {
                    (Contact::Stuck { open_since: Some(open) }, None)
                } else {
                    (Contact::Up, Some((What::Freed, now)))
                }
            }
        }
    }

    /// The stamp of a press that is not confirmed yet.
    #[must_use]
    pub const fn closing_since(&self) -> Option<Instant> {
        match self {
            Contact::Closing { since, .. } => Some(*since),
            _ => None,
        }
    }

    /// When a poll that sees the same level can next yield a stroke; `None`: never.
    #[must_use]
    pub fn next_change(&self, timing: &Timing) -> Option<Instant> {
        match *self {
            Contact::Unseen => Some(Instant::ZERO),
            Contact::Up | Contact::Stuck { open_since: None } => None,
            Contact::Closing { since, .. } => Some(since),
            Contact::Down { since, told, open_since: None } => {
                let stuck = since + timing.stuck + Span::from_nanos(1);
                Some(stuck.min(since + Span::from_secs(told + 1)))
            }
            Contact::Down { open_since: Some(open), .. }
            | Contact::Stuck { open_since: Some(open) } => Some(open + timing.lockout),
        }
    }

    fn held(
        now: Instant,
        since: Instant,
        told: i64,
        stuck: Span,
    ) -> (Contact, Option<(What, Instant)>) {
        let held = now - since;
        if held > stuck {
            return (Contact::Stuck { open_since: None }, Some((What::Stuck, now)));
        }
        let whole = held.as_nanos() / Span::from_secs(1).as_nanos();
        let down = Contact::Down { since, told: whole, open_since: None };
        (down, (whole > told).then_some((What::Held(Span::from_secs(whole)), now)))
    }
}
