//! What travels between the timing thread and the rest of the daemon, and the rings for it.

use std::io;
use std::sync::Arc;

use super::{Bell, Counters};
use crate::control::{Control, Settings, Side};
use crate::display::Frame;
use crate::engine::{Command, Effect, Engine, Refusal, State};
use crate::input::Key;
use crate::menu::catalogue::Catalogue;
use crate::menu::own::Own;
use crate::menu::{Message, Wish};
use crate::panel::Troubles;
use crate::time::Instant;

/// How many orders may wait. More than a burst on the bus, fewer than the notices they lead to.
const ORDERS: usize = 256;
/// How many notices may wait: what a daemon may miss while it stands still for seconds.
const NOTICES: usize = 2_048;

/// Something the timing thread is asked to do.
#[derive(Debug)]
pub struct Order {
    /// Whose answer it is: given back in the notices that follow.
    pub ticket: u32,
    /// When it arrived, on the box's time line. A later order carries the same stamp or a later
    /// one.
    pub at: Instant,
    /// What is asked.
    pub what: Request,
}

/// What an [`Order`] asks for.
#[derive(Debug)]
pub enum Request {
    /// Begins a new game.
    NewGame {
        /// Its settings. Boxed so that the thread can take them in and send the old ones back
        /// without allocating or freeing.
        settings: Box<Settings>,
        /// Also in the middle of a game.
        abandon: bool,
    },
    /// An arbiter's operation.
    Command {
        /// Which.
        command: Command,
        /// Only if exactly this many notices that [are news](Said::is_news) have been sent
        /// when its turn comes.
        only_after: Option<u64>,
    },
    /// A press for a player who cannot use the button (Laws 6.2.6).
    Press(Side),
    /// The game goes on under another control, its clocks kept. Boxed like settings.
    ChangeControl {
        /// Which; the old one comes back in the box.
        control: Box<Control>,
    },
    /// Another game, prepared outside, takes this one's place; the old one comes back in the box.
    Replace {
        /// Which.
        game: Box<Engine>,
        /// Where it comes from.
        from: Source,
        /// As in a command.
        only_after: Option<u64>,
    },
    /// The game is copied into this one's memory, settings excepted; no line tells of it.
    Save(Box<Engine>),
    /// Nothing; it has its place in the order of things.
    Note,
    /// Something for the face of the box; the game does not mind.
    Box(BoxOrder),
}

/// Where a game comes from that takes the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// This game's presses, replayed under another control.
    Replayed,
    /// Another clock.
    Imported,
}

/// What the daemon says to the face of the box.
#[derive(Debug)]
pub enum BoxOrder {
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
pub struct Notice {
    /// When, on the box's time line.
    pub at: Instant,
    /// The order that led to it; `None` where the box or the passing of time did.
    pub ticket: Option<u32>,
    /// What happened.
    pub what: Said,
    /// The game after it.
    pub state: State,
}

/// What a [`Notice`] says. An order is told as its cause, the effects that followed, and
/// [`Said::End`]; or as [`Said::Stale`] alone.
#[derive(Debug)]
pub enum Said {
    /// A new game was asked for.
    NewGame {
        /// Whether it began.
        outcome: Result<(), Refusal>,
        /// Settings that are no longer needed, the old game's or the refused ones: for the reader
        /// to drop, which the timing thread must not.
        spent: Box<Settings>,
    },
    /// An arbiter's operation, at the box or by order.
    Command {
        /// Which.
        command: Command,
        /// Whether it was carried out.
        outcome: Result<(), Refusal>,
    },
    /// Another control was asked for.
    ChangeControl {
        /// Whether it was taken.
        outcome: Result<(), Refusal>,
        /// The control that is no longer needed.
        spent: Box<Control>,
    },
    /// Another game was to take this one's place.
    Replace {
        /// Whether it did.
        outcome: Result<(), Refusal>,
        /// The game that is no longer needed.
        spent: Box<Engine>,
    },
    /// The game was copied; or in front of [`Said::Stale`], this one was not taken.
    Saved(Box<Engine>),
    /// A press.
    Press(Side),
    /// Both buttons closed in the same poll; this side's stroke counted.
    PressBoth(Side),
    /// Nothing was done; see [`Request::Note`].
    Note,
    /// An effect.
    Effect(Effect),
    /// A button is held for too long and is not believed any more.
    Stuck(Key),
    /// A button that was stuck has been seen up.
    Freed(Key),
    /// The battery has become low, or is not any more.
    LowPower(bool),
    /// Somebody at the box wants something that only the daemon can do.
    Wish(Wish),
    /// A catalogue that is no longer needed, for the reader to drop.
    Spent(Box<Catalogue>),
    /// Everything about this order has been told.
    End,
    /// Something had happened since the moment that the order was meant for: nothing was done.
    Stale,
}

impl Said {
    /// True for what an arbiter has to know who was about to give an order; false for what only
    /// concerns the one who asked, and for an attempt that was denied: a stranger who tries and
    /// tries must not make every arbiter's order stale.
    #[must_use]
    pub const fn is_news(&self) -> bool {
        use Said::{End, Note, Saved, Spent, Stale, Wish};
        !matches!(self, End | Stale | Wish(_) | Spent(_) | Saved(_) | Note)
    }
}

/// The newest picture for the display thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Post {
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
pub struct Ends {
    pub(super) orders: rtrb::Consumer<Order>,
    pub(super) notices: rtrb::Producer<Notice>,
    pub(super) notice_bell: Bell,
    pub(super) posts: triple_buffer::Input<Post>,
    pub(super) post_bell: Bell,
    pub(super) counters: Arc<Counters>,
}

/// The other ends.
#[derive(Debug)]
pub struct Links {
    /// Where orders go in, stamped in their order.
    pub orders: rtrb::Producer<Order>,
    /// Where notices come out.
    pub notices: rtrb::Consumer<Notice>,
    /// Rung when there are notices, and when the timing thread ends.
    pub notice_bell: Bell,
    /// The newest picture.
    pub posts: triple_buffer::Output<Post>,
    /// Rung when there is a new picture.
    pub post_bell: Bell,
    /// What the timing thread counts.
    pub counters: Arc<Counters>,
}

/// The rings, the slot and the bells between a timing thread and the rest.
///
/// # Errors
/// The process has no descriptor left.
pub fn links() -> io::Result<(Ends, Links)> {
    let (order_in, order_out) = rtrb::RingBuffer::new(ORDERS);
    let (notice_in, notice_out) = rtrb::RingBuffer::new(NOTICES);
    let (post_in, post_out) = triple_buffer::triple_buffer(&Post::default());
    let (notice_bell, post_bell) = (Bell::new()?, Bell::new()?);
    let counters = Arc::new(Counters::default());
    let ends = Ends {
        orders: order_out,
        notices: notice_in,
        notice_bell: notice_bell.clone(),
        posts: post_in,
        post_bell: post_bell.clone(),
        counters: Arc::clone(&counters),
    };
    let links = Links {
        orders: order_in,
        notices: notice_out,
        notice_bell,
        posts: post_out,
        post_bell,
        counters,
    };
    Ok((ends, links))
}
