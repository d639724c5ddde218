//! The box's face: what a key means now, and what displays and lamps show. Pure.
//!
//! Does not keep time, does not decide whether something is allowed (the
//! [`engine`](crate::engine) does), and sends nothing. Menus and sounds are not built yet.
//!
//! | looking for | see |
//! |---|---|
//! | what a key does | [`Panel::meaning`] |
//! | where on a display something stands, what a sign means | [`face`] |
//! | which of a side's times is shown, and what beside it | [`reading`] |
//! | how a time is written, and when it changes | [`figure`] |

pub mod blink;
pub mod face;
pub mod figure;
pub mod reading;

use crate::control::{BoxResume, Method, Seat, Settings, Side};
use crate::display::Frame;
use crate::engine::{FlagKind, Phase, Snapshot, State};
use crate::input::{Key, Stroke, What};
use crate::time::{Instant, Span};
use face::Subject;
use reading::{Counter, Fall, Marks, Motion};

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
    /// Both players press in the same poll (`timing.md` 2.11).
    PressBoth,
    /// Start the game that is ready.
    Start,
    /// Pause.
    Pause,
    /// Let this side's clock run on.
    Resume(Side),
    /// The key is stuck: to be reported.
    Stuck(Key),
    /// The key is not stuck any more: to be reported.
    Freed(Key),
}

/// The lamps beside the buttons and the buzzer: what the timing thread writes to pins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// The lamp on the left.
    pub lamp_left: bool,
    /// The lamp on the right.
    pub lamp_right: bool,
    /// The buzzer sounds.
    pub buzzer: bool,
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

/// How long ok is held to let the clock run on, where `box-resume` asks for a hold.
pub const RESUME_HOLD: Span = Span::from_secs(1);

/// The face of the box: the little that it remembers beside the game.
#[derive(Clone, Debug)]
pub struct Panel {
    look: Look,
    /// While paused: the side chosen with minus or plus.
    choice: Option<Side>,
    /// Plus is held down.
    plus_down: bool,
    stuck: [bool; Key::ALL.len()],
}

impl Panel {
    /// A face on which nothing was touched yet.
    #[must_use]
    pub const fn new(look: Look) -> Self {
        Panel { look, choice: None, plus_down: false, stuck: [false; Key::ALL.len()] }
    }

    /// What a stroke means in this state of the game. Hand in the strokes one by one, each with
    /// the state that the one before has led to.
    ///
    /// A player's press is always the engine's to judge, in a pause, too: it records why it does
    /// not count.
    pub fn meaning(
        &mut self,
        stroke: Stroke,
        settings: &Settings,
        state: &State,
    ) -> Option<Meaning> {
        self.follow(state.phase);
        match (stroke.key, stroke.what) {
            (key, What::Stuck) => {
                self.set_stuck(key, true);
                self.plus_down &= key != Key::Plus;
                Some(Meaning::Stuck(key))
            }
            (key, What::Freed) => {
                self.set_stuck(key, false);
                Some(Meaning::Freed(key))
            }
            (Key::Left, What::Pressed) => Some(Meaning::Press(Seat::Left)),
            (Key::Right, What::Pressed) => Some(Meaning::Press(Seat::Right)),
            // The right one's stroke always comes with the left one's and adds nothing.
            (Key::Left, What::PressedTogether) => Some(Meaning::PressBoth),
            (Key::Pause, What::Pressed) => self.pause_key(settings, state),
            (Key::Minus, What::Pressed) => self.step(state),
            (Key::Plus, What::Pressed) => {
                self.plus_down = true;
                self.step(state)
            }
            (Key::Plus, What::Released) => {
                self.plus_down = false;
                None
            }
            (Key::Ok, What::Held(RESUME_HOLD))
                if state.phase == Phase::Paused
                    && settings.switches.box_resume == BoxResume::Hold =>
            {
                Some(self.resume(state))
            }
            _ => None,
        }
    }

    /// What the box shows at `now`, `snapshot` being the game at that instant. Allocates nothing.
    #[must_use]
    pub fn render(
        &mut self,
        snapshot: &Snapshot,
        settings: &Settings,
        white_on: Seat,
        now: Instant,
    ) -> View {
        self.follow(snapshot.phase);
        let draw = |seat: Seat| {
            let side = seat.side(white_on);
            let subject = Subject {
                view: &snapshot.sides[side],
                method: method(snapshot, settings, side),
                motion: motion(snapshot, side),
                marks: self.marks(snapshot, side, seat),
                counter: self.counter(snapshot, settings),
            };
            face::draw(&subject, self.look.tenths_below, now)
        };
        let (left, right) = (draw(Seat::Left), draw(Seat::Right));
        let lamp = self.lamp(snapshot, now);
        let lamp_changes =
            (snapshot.phase == Phase::Paused).then(|| blink::until_next_half(now - Instant::ZERO));
        let lit = |seat: Seat| lamp.is_some_and(|side| side.seat(white_on) == seat);
        View {
            frame: Frame {
                left: left.digits,
                right: right.digits,
                brightness: self.look.brightness,
            },
            signals: Signals {
                lamp_left: lit(Seat::Left),
                lamp_right: lit(Seat::Right),
                buzzer: false,
            },
            next_change: [left.until_change, right.until_change, lamp_changes]
                .into_iter()
                .flatten()
                .min()
                .map(|span| now + span),
        }
    }

    /// A choice ends with the pause that it was made in.
    fn follow(&mut self, phase: Phase) {
        if phase != Phase::Paused {
            self.choice = None;
        }
    }

    /// Start, pause, and by `box-resume` resume. In a game that a fall has stopped a pause is
    /// recorded: so a claim is made (`timing.md` 5).
    fn pause_key(&self, settings: &Settings, state: &State) -> Option<Meaning> {
        match state.phase {
            Phase::Ready => Some(Meaning::Start),
            Phase::Running | Phase::Flagged => Some(Meaning::Pause),
            Phase::Paused => match settings.switches.box_resume {
                BoxResume::Short => Some(self.resume(state)),
                BoxResume::Hold => None,
            },
            Phase::Ended => None,
        }
    }

    fn resume(&self, state: &State) -> Meaning {
        Meaning::Resume(self.choice.unwrap_or(state.to_move))
    }

    /// Minus and plus step through the two sides.
    fn step(&mut self, state: &State) -> Option<Meaning> {
        if state.phase == Phase::Paused {
            self.choice = Some(!self.choice.unwrap_or(state.to_move));
        }
        None
    }

    /// Whose lamp is lit.
    fn lamp(&self, snapshot: &Snapshot, now: Instant) -> Option<Side> {
        match snapshot.phase {
            Phase::Running => Some(snapshot.to_move),
            Phase::Paused if blink::second_half(now - Instant::ZERO) => None,
            Phase::Paused => Some(self.choice.unwrap_or(snapshot.to_move)),
            Phase::Ready | Phase::Flagged | Phase::Ended => None,
        }
    }

    fn counter(&self, snapshot: &Snapshot, settings: &Settings) -> Counter {
        let asked = self.plus_down && matches!(snapshot.phase, Phase::Running | Phase::Flagged);
        Counter { show: settings.switches.show_moves, asked }
    }

    fn marks(&self, snapshot: &Snapshot, side: Side, seat: Seat) -> Marks {
        let view = &snapshot.sides[side];
        let first = snapshot.first_flag.is_none_or(|first| first.side == side);
        let fallen = view.flag == Some(FlagKind::Fall);
        Marks {
            fall: fallen.then_some(if first { Fall::First } else { Fall::Second }),
            stage: view.stage_flag_at.is_some(),
            pending: view.stage_pending,
            stuck: Key::ALL.into_iter().zip(self.stuck).any(|(key, stuck)| {
                stuck
                    && match key {
                        Key::Left => seat == Seat::Left,
                        Key::Right => seat == Seat::Right,
                        Key::Pause | Key::Minus | Key::Plus | Key::Ok => true,
                    }
            }),
        }
    }

    fn set_stuck(&mut self, key: Key, is_stuck: bool) {
        for (other, stuck) in Key::ALL.into_iter().zip(&mut self.stuck) {
            if other == key {
                *stuck = is_stuck;
            }
        }
    }
}

/// How the side's present stage treats time.
fn method<'a>(snapshot: &Snapshot, settings: &'a Settings, side: Side) -> &'a Method {
    let stage = usize::try_from(snapshot.sides[side].stage).unwrap_or(usize::MAX).saturating_sub(1);
    settings.control.sides[side].get(stage).map_or(&Method::PLAIN, |stage| &stage.method)
}

fn motion(snapshot: &Snapshot, side: Side) -> Motion {
    match snapshot.phase {
        Phase::Running if snapshot.to_move == side => Motion::Runs,
        Phase::Running => Motion::Waits,
        Phase::Ready | Phase::Paused | Phase::Flagged | Phase::Ended => Motion::Stands,
    }
}

#[cfg(test)]
mod tests;
