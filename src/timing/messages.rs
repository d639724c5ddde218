//! What travels between the timing thread and the rest of the daemon, and the rings for it.

use std::io;
use std::sync::Arc;

use super::{Counters, Waker};
use crate::control::Side;
use crate::display::Frame;
use crate::engine::{Effect, Engine, Operation, Refusal, State};
use crate::input::Key;
use crate::menu::catalogue::Catalogue;
use crate::menu::own::Own;
use crate::menu::{Message, Wish};
use crate::panel::Troubles;
use crate::time::Instant;

/// How many requests may wait. More than a burst on the bus, fewer than the events they lead to.
const REQUESTS: usize = 256;
/// How many events may wait: what a daemon may miss while it does not run for seconds.
const EVENTS: usize = 2_048;

/// Something that the timing thread is asked to do.
#[derive(Debug)]
pub struct Request {
    /// Identifies the request in the events that follow from it.
    pub id: u32,
    /// When it arrived, on the box's time line. A later request carries the same stamp or a later
    /// one.
    pub at: Instant,
    /// What is asked for.
    pub task: Task,
}

/// What a [`Request`] asks for.
#[derive(Debug)]
pub enum Task {
    /// An operation that the engine carries out by itself.
    Apply {
        /// Comes back in [`EventKind::Applied`]: what it has on the heap is not freed here.
        operation: Operation,
        /// Only if exactly this many events that are [state changes](Event::is_state_change)
        /// have been sent when its turn comes.
        only_after: Option<u64>,
    },
    /// An operation that was [prepared](crate::engine::Game::prepare) outside.
    Adopt {
        /// The operation.
        operation: Operation,
        /// Takes the game's place; the replaced game comes back in [`EventKind::Reclaim`].
        game: Box<Engine>,
        /// As in [`Task::Apply`].
        only_after: Option<u64>,
    },
    /// Something for the face of the box; the game is not concerned.
    Panel(PanelMessage),
}

/// What the daemon says to the face of the box.
#[derive(Debug)]
pub enum PanelMessage {
    /// What became of a control that was to be kept.
    Kept {
        /// In which slot.
        slot: usize,
        /// What carried it, given back.
        own: Box<Own>,
        /// The catalogue in which it now stands, or the side and stage that cannot be.
        outcome: Result<Box<Catalogue>, (Side, usize)>,
    },
    /// Other presets are on offer.
    Offers(Box<Catalogue>),
    /// A control was set, as was wished.
    Done(Message),
    /// A wish was not fulfilled.
    Refused(Message),
    /// Something to be said.
    Tell(Message),
    /// Everything that glows and sounds, for [3 s](crate::panel::SELF_TEST), unless a clock runs.
    SelfTest,
    /// The supply's voltage is low, or is not any more.
    LowSupply(bool),
    /// What the box suffers from now.
    Troubles(Troubles),
}

/// Something that happened, in the order in which it happened.
#[derive(Debug)]
pub struct Event {
    /// When, on the box's time line.
    pub at: Instant,
    /// The request that led to it; `None` where the box or the passing of time did.
    pub request_id: Option<u32>,
    /// What happened.
    pub kind: EventKind,
    /// True for what an arbiter who was about to give an order has to know; false for what changes
    /// nothing about the game: a stranger who tries again and again, or a player who presses again
    /// and again, must not make every arbiter's order stale.
    pub is_state_change: bool,
    /// The game after it.
    pub state: State,
}

/// What an [`Event`] reports. A request is answered with [`EventKind::Applied`], the effects that
/// followed, and [`EventKind::Done`]; or with [`EventKind::Conflict`] alone.
#[derive(Debug)]
pub enum EventKind {
    /// An operation, at the box or by request.
    Applied {
        /// The operation.
        operation: Operation,
        /// Whether it was carried out.
        outcome: Result<(), Refusal>,
    },
    /// A consequence that the engine computed.
    Effect(Effect),
    /// A button is held for too long; no further presses come from it.
    Stuck(Key),
    /// A button that was stuck has been seen up.
    Freed(Key),
    /// The battery has become low, or is no longer low.
    LowPower(bool),
    /// The box's menu asks for what only the daemon can do.
    PanelRequest(Wish),
    /// Memory that is no longer needed, for the reader to free.
    Reclaim(Reclaimed),
    /// The request has been answered.
    Done,
    /// Something had happened since the moment that the request was meant for: nothing was done.
    Conflict(Operation),
}

/// Memory that the timing thread gives back, since it frees none itself.
#[derive(Debug)]
pub enum Reclaimed {
    /// A game that another one replaced.
    Game(Box<Engine>),
    /// Presets that others replaced.
    Catalogue(Box<Catalogue>),
}

/// The newest picture for the display thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisplayUpdate {
    /// What is to be shown.
    pub frame: Frame,
    /// Whether the buzzer is on, for one that is no pin of the timing thread's.
    pub buzzer: bool,
    /// The number of this picture, from 1.
    pub number: u64,
    /// How often every register of the chips was to be written anew until now. The display thread
    /// repairs when this has grown: it has no clock of its own, so that manual time governs
    /// repairs, too.
    pub repairs: u64,
}

/// The timing thread's ends of everything.
#[derive(Debug)]
pub struct RtEndpoints {
    pub(super) requests: rtrb::Consumer<Request>,
    pub(super) events: rtrb::Producer<Event>,
    pub(super) event_waker: Waker,
    pub(super) display_updates: triple_buffer::Input<DisplayUpdate>,
    pub(super) display_waker: Waker,
    pub(super) counters: Arc<Counters>,
}

/// The other ends.
#[derive(Debug)]
pub struct HostEndpoints {
    /// Where requests go in, in the order of their stamps.
    pub requests: rtrb::Producer<Request>,
    /// Where events come out.
    pub events: rtrb::Consumer<Event>,
    /// Woken when there are events, and when the timing thread ends.
    pub event_waker: Waker,
    /// The newest picture.
    pub display_updates: triple_buffer::Output<DisplayUpdate>,
    /// Woken when there is a new picture.
    pub display_waker: Waker,
    /// What the timing thread counts.
    pub counters: Arc<Counters>,
}

/// The rings, the slot and the wakers between a timing thread and the rest.
///
/// # Errors
/// The process has no descriptor left.
pub fn endpoints() -> io::Result<(RtEndpoints, HostEndpoints)> {
    let (request_in, request_out) = rtrb::RingBuffer::new(REQUESTS);
    let (event_in, event_out) = rtrb::RingBuffer::new(EVENTS);
    let (update_in, update_out) = triple_buffer::triple_buffer(&DisplayUpdate::default());
    let (event_waker, display_waker) = (Waker::new()?, Waker::new()?);
    let counters = Arc::new(Counters::default());
    let rt = RtEndpoints {
        requests: request_out,
        events: event_in,
        event_waker: event_waker.clone(),
        display_updates: update_in,
        display_waker: display_waker.clone(),
        counters: Arc::clone(&counters),
    };
    let host = HostEndpoints {
        requests: request_in,
        events: event_out,
        event_waker,
        display_updates: update_out,
        display_waker,
        counters,
    };
    Ok((rt, host))
}
