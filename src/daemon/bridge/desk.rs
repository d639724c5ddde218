//! Where requests are left for the timing thread and wait for their answers.
//!
//! It is locked for moments only, never while anybody waits; the timing thread never comes here.

use std::collections::HashMap;
use std::sync::Arc;

use rtrb::{Producer, PushError};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::{Answer, Ask, AskError, Origin};
use crate::input::Key;
use crate::menu::Wish;
use crate::record::Cause;
use crate::time::Instant;
use crate::timing::{BoxOrder, Order, Request};

/// How an answer comes back.
pub(super) type Reply = oneshot::Sender<Result<Answer, AskError>>;

/// A request that is not answered yet.
#[derive(Debug)]
pub(super) struct Waiting {
    /// The line that it makes.
    pub(super) cause: Cause,
    /// Who asked.
    pub(super) origin: Origin,
    /// What the engine said.
    pub(super) outcome: Result<(), AskError>,
    /// Who waits.
    pub(super) reply: Reply,
}

/// The desk.
#[derive(Debug)]
pub(super) struct Desk {
    orders: Producer<Order>,
    /// What somebody at the box wishes.
    pub(super) wishes: UnboundedSender<Wish>,
    next_ticket: u32,
    /// Requests on their way, by ticket.
    pub(super) waiting: HashMap<u32, Waiting>,
    /// Who waits until everything told so far is published.
    pub(super) fences: Vec<Reply>,
    /// How many notices that make a line have been published.
    pub(super) heard: u64,
    /// The battery is low.
    pub(super) low_power: bool,
    /// Buttons that are not believed.
    pub(super) stuck: Vec<Key>,
    /// The timing thread has ended.
    pub(super) closed: bool,
}

impl Desk {
    pub(super) fn new(orders: Producer<Order>, wishes: UnboundedSender<Wish>) -> Self {
        Desk {
            orders,
            wishes,
            next_ticket: 0,
            waiting: HashMap::new(),
            fences: Vec::new(),
            heard: 0,
            low_power: false,
            stuck: Vec::new(),
            closed: false,
        }
    }

    /// Leaves a request that arrived at `at`, when `newest` was the newest line's number; the
    /// answer comes through `reply`.
    pub(super) fn leave(
        &mut self,
        what: Ask,
        origin: Origin,
        at: Instant,
        newest: u64,
        reply: Reply,
    ) -> Result<(), AskError> {
        if self.closed {
            return Err(AskError::Gone);
        }
        let (what, cause) = match what {
            Ask::Fence => {
                self.fences.push(reply);
                return Ok(());
            }
            Ask::NewGame { settings, abandon } => {
                let cause = Cause::NewGame { settings: Arc::new((*settings).clone()) };
                (Request::NewGame { settings, abandon }, cause)
            }
            Ask::Command { command, reason, if_seq } => {
                if if_seq != 0 && if_seq != newest {
                    return Err(AskError::Stale { newest });
                }
                let only_after = (if_seq != 0).then_some(self.heard);
                let cause = Cause::Command { command, reason };
                (Request::Command { command, only_after }, cause)
            }
            Ask::Press(side) => (Request::Press(side), Cause::Press { side }),
            Ask::Denied(what) => (Request::Note, Cause::Denied { what }),
        };
        let ticket = self.next_ticket;
        match self.orders.push(Order { ticket, at, what }) {
            Ok(()) => {}
            Err(PushError::Full(_)) => return Err(AskError::Busy),
        }
        self.next_ticket = ticket.wrapping_add(1);
        self.waiting.insert(ticket, Waiting { cause, origin, outcome: Ok(()), reply });
        Ok(())
    }

    /// Leaves something for the face of the box; given back where too many orders wait.
    pub(super) fn leave_for_box(&mut self, order: BoxOrder, at: Instant) -> Result<(), BoxOrder> {
        let ticket = self.next_ticket;
        match self.orders.push(Order { ticket, at, what: Request::Box(order) }) {
            Ok(()) => {
                self.next_ticket = ticket.wrapping_add(1);
                Ok(())
            }
            Err(PushError::Full(Order { what: Request::Box(order), .. })) => Err(order),
            Err(PushError::Full(_)) => Ok(()),
        }
    }

    /// The timing thread has ended: nobody will be answered any more.
    pub(super) fn close(&mut self) {
        self.closed = true;
        self.waiting.clear();
        self.fences.clear();
    }
}
