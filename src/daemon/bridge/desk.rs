//! Where requests are left for the timing thread and wait for their answers.
//!
//! It is locked for moments only, never while anybody waits; the timing thread never comes here.

use std::collections::HashMap;
use std::sync::Arc;

use rtrb::{Producer, PushError};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::{Answer, Ask, AskError, Origin, Published};
use crate::control::Settings;
use crate::engine::{Engine, History, Refusal, Saved};
use crate::input::Key;
use crate::menu::Wish;
use crate::record::{Cause, How, Imported};
use crate::time::Instant;
use crate::timing::{BoxOrder, Order, Request, Source};

/// How an answer comes back.
pub(super) type Reply = oneshot::Sender<Result<Answer, AskError>>;

/// A request that is not answered yet.
#[derive(Debug)]
pub(super) struct Waiting {
    /// The line that it makes.
    pub(super) cause: Cause,
    /// Who asked.
    pub(super) origin: Origin,
    /// What the game is set to if this is done and sets it anew.
    pub(super) settings: Option<Arc<Settings>>,
    /// The game, where it was asked for.
    pub(super) saved: Option<Arc<Saved>>,
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
    /// How many notices that are news have been published.
    pub(super) heard: u64,
    /// What has happened in the game.
    pub(super) history: History,
    /// The battery is low.
    pub(super) low_power: bool,
    /// Buttons that are not believed.
    pub(super) stuck: Vec<Key>,
    /// The timing thread has ended.
    pub(super) closed: bool,
}

impl Desk {
    pub(super) fn new(
        orders: Producer<Order>,
        wishes: UnboundedSender<Wish>,
        history: History,
    ) -> Self {
        Desk {
            orders,
            wishes,
            next_ticket: 0,
            waiting: HashMap::new(),
            fences: Vec::new(),
            heard: 0,
            history,
            low_power: false,
            stuck: Vec::new(),
            closed: false,
        }
    }

    /// Leaves a request that arrived at `at`, when `published` was the newest line; the answer comes
    /// through `reply`.
    pub(super) fn leave(
        &mut self,
        what: Ask,
        origin: Origin,
        at: Instant,
        published: &Published,
        reply: Reply,
    ) -> Result<(), AskError> {
        if self.closed {
            return Err(AskError::Gone);
        }
        let mut sets = None;
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
                if if_seq != 0 && !(published.news..=published.seq).contains(&if_seq) {
                    return Err(AskError::Stale { newest: published.seq });
                }
                let only_after = (if_seq != 0).then_some(self.heard);
                let cause = Cause::Command { command, reason };
                (Request::Command { command, only_after }, cause)
            }
            Ask::ChangeControl { control, how } => {
                let cause = Cause::ChangeControl { control: Arc::new(control.clone()), how };
                let present = &published.settings;
                let settings = Settings { control: control.clone(), ..(**present).clone() };
                sets = Some(Arc::new(settings));
                let request = match how {
                    How::Kept => Request::ChangeControl { control: Box::new(control) },
                    How::Replayed => Request::Replace {
                        game: Box::new(self.history.under(control, present, at)?),
                        from: Source::Replayed,
                        only_after: Some(self.heard),
                    },
                };
                (request, cause)
            }
            Ask::Import(saved) => {
                saved.check().map_err(|why| Refusal::Unfit { asked: "import", why })?;
                sets = Some(Arc::new(saved.settings.clone()));
                let game = Box::new(Engine::restore((*saved).clone()));
                let cause = Cause::Import { game: Arc::new(Imported::Exported(*saved)) };
                (Request::Replace { game, from: Source::Imported, only_after: None }, cause)
            }
            Ask::Export => {
                let settings = Box::new((*published.settings).clone());
                (Request::Save(Box::new(Engine::new(at, settings))), Cause::Query)
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
        let waiting =
            Waiting { cause, origin, settings: sets, saved: None, outcome: Ok(()), reply };
        self.waiting.insert(ticket, waiting);
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
