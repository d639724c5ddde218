//! What travels between the timing thread and the rest of the daemon.

use crate::control::{Settings, Side};
use crate::display::Frame;
use crate::engine::{Command, Effect, Refusal, State};
use crate::input::Key;
use crate::time::Instant;

/// Something the timing thread is asked to do.
#[derive(Debug)]
pub struct Order {
    /// Whose answer it is: given back in the notices that follow.
    pub ticket: u32,
    /// When it arrived, on the box's time line. Later orders carry the same stamp or a later one.
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
    Command(Command),
    /// A press for a player who cannot use the button (Laws 6.2.6).
    Press(Side),
}

/// Something that happened, in the order in which it happened.
#[derive(Debug)]
pub struct Notice {
    /// When, on the box's time line.
    pub at: Instant,
    /// The order that this belongs to; `None` where the box or the passing of time caused it.
    pub ticket: Option<u32>,
    /// What happened.
    pub what: Said,
    /// The game after it.
    pub state: State,
}

/// What a [`Notice`] says.
///
/// An order is told as: its cause, the effects that followed, then [`Said::Answer`].
#[derive(Debug)]
pub enum Said {
    /// A new game began, or was refused (the answer says which).
    NewGame {
        /// Settings that are no longer needed, the old game's or the refused ones: for the reader
        /// to drop, which the timing thread must not.
        spent: Box<Settings>,
    },
    /// An arbiter's operation was handed to the engine.
    Command(Command),
    /// A press was handed to the engine.
    Press(Side),
    /// An effect.
    Effect(Effect),
    /// The end of an order: whether it was carried out.
    Answer(Result<(), Refusal>),
    /// A button is held for too long and is not believed any more.
    Stuck(Key),
    /// A button that was stuck has been seen up.
    Freed(Key),
}

/// The newest picture for the display thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Post {
    /// What is to be shown.
    pub frame: Frame,
    /// How many pictures were posted before this one.
    pub number: u64,
    /// How often every register of the chips was to be written anew until now. The display thread
    /// repairs when this has grown: it has no clock of its own, so that manual time governs
    /// repairs, too.
    pub repairs: u64,
}
