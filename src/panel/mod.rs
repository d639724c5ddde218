//! The box's face: what a key means now, and what displays and lamps show. Pure.
//!
//! Does not keep time, does not decide whether something is allowed (the
//! [`engine`](crate::engine) does), and sends nothing. Menus and sounds are not built yet.
//!
//! | looking for | see |
//! |---|---|
//! | what a key does | [`Panel::meaning`] |
//! | how a time is written | [`figure`] |

use crate::board::Signals;
use crate::control::{Seat, Settings, Side};
use crate::display::Frame;
use crate::engine::{Snapshot, State};
use crate::input::{Key, Stroke};
use crate::time::{Instant, Span};

/// How the box shows things: the owner's choice, the same for every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// 0 to 15.
    pub brightness: u8,
    /// Tenths of a second are shown at this and below; zero: never. At most a minute.
    pub tenths_below: Span,
}

/// What somebody at the box wants. All but the last two are for the engine, at the stroke's stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The player there presses.
    Press(Seat),
    /// The player there pressed in the same poll as the opponent, whose press is the one that
    /// counts (`timing.md` 2.11): to be recorded as ignored, `simultaneous`.
    Simultaneous(Seat),
    /// Start the game that is ready.
    Start,
    /// Pause.
    Pause,
    /// Resume, this side.
    Resume(Side),
    /// The key is stuck: to be reported.
    Stuck(Key),
    /// The key is not stuck any more: to be reported.
    Freed(Key),
}

/// Everything that the box shows at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Both displays.
    pub frame: Frame,
    /// Lamps and buzzer.
    pub signals: Signals,
    /// The first instant at which any of it will change if nobody does anything; `None`: never.
    pub next_change: Option<Instant>,
}

/// The face of the box: the little that it remembers beside the game.
#[derive(Clone, Debug)]
pub struct Panel {
    look: Look,
}

impl Panel {
    /// A face on which nothing was touched yet.
    #[must_use]
    pub const fn new(look: Look) -> Self {
        Panel { look }
    }

    /// What a stroke means in this state of the game; hand in the strokes one by one, each with
    /// the state that the one before has led to.
    pub fn meaning(
        &mut self,
        stroke: Stroke,
        settings: &Settings,
        state: &State,
    ) -> Option<Meaning> {
        let _ = (stroke, settings, state);
        None
    }

    /// What the box shows at `now`, `snapshot` being the game at that instant.
    #[must_use]
    pub fn render(
        &mut self,
        snapshot: &Snapshot,
        settings: &Settings,
        white_on: Seat,
        now: Instant,
    ) -> View {
        let _ = (snapshot, settings, white_on, now, self.look);
        View { frame: Frame::default(), signals: Signals::default(), next_change: None }
    }
}
