//! The box's face: what a key means now, and what displays, lamps and buzzer show. Pure.
//!
//! Does not keep time, does not decide whether something is allowed (the
//! [`engine`](crate::engine) does), and sends nothing. Menus are a [room](crate::menu) of their
//! own, and so are [sounds](crate::sounds): here they get their strokes, displays and events.
//!
//! | looking for | see |
//! |---|---|
//! | what a key does | [`Panel::meaning`] and `keys` |
//! | where on a display something stands, what a sign means | [`face`] |
//! | which of a side's times is shown, and what beside it | [`reading`] |
//! | how a time is written, and when it changes | [`figure`] |

pub mod blink;
pub mod face;
pub mod figure;
mod hearing;
mod keys;
mod question;
pub mod reading;
mod self_test;
mod troubles;

use crate::control::{BySide, Method, Profile, Seat, Settings, Side};
use crate::display::glyph::DARK;
use crate::display::{Digits, Frame};
use crate::engine::{FlagKind, Operation, Phase, Snapshot, State};
use crate::input::{Key, Stroke};
use crate::menu::catalogue::Catalogue;
pub use crate::menu::options::{Look, Sounding};
use crate::menu::page::Line;
use crate::menu::{Game, Menu, Wish};
use crate::sounds::{Left, Score, Sound, Sounds};
use crate::time::{Instant, Span};
use face::Subject;
pub use face::Width;
use hearing::may_sound;
use keys::Keys;
use question::Question;
use reading::{Counter, Fall, Marks, Motion};
pub use self_test::SELF_TEST;
pub use troubles::Troubles;

/// What somebody at the box wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The player there presses; for the engine.
    Press(Seat),
    /// Both players press in the same poll (`timing.md` 2.11); for the engine.
    PressBoth,
    /// An arbiter's operation; for the engine, whose answer is to be [told](Panel::answered).
    Operation(Operation),
    /// Something that only the daemon can do.
    Wish(Wish),
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
    /// For which event it does; none in the self-test.
    pub sound: Option<Sound>,
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

/// How long a player's button says that it does nothing in a pause.
const SAYS_SO: Span = Span::from_secs(1);

/// How long a lost byo-yomi period is shown: the number of those left blinks.
const PERIOD_LOST: Span = Span::from_secs(3);

/// The face of the box: the little that it remembers beside the game.
#[derive(Clone, Debug)]
pub struct Panel {
    look: Look,
    width: Width,
    menu: Menu,
    sounds: Sounds,
    keys: Keys,
    /// While paused: the side chosen with minus or plus.
    choice: Option<Side>,
    /// A player pressed in a pause.
    in_vain: Option<(Seat, Instant)>,
    /// Who lost a byo-yomi period just now, and when.
    lost_period: Option<(Side, Instant)>,
    stuck: [bool; Key::ALL.len()],
    low_power: bool,
    low_supply: bool,
    troubles: Troubles,
    /// Until when everything glows and sounds.
    self_test: Option<Instant>,
    /// The game that is followed.
    began: Option<Instant>,
    /// What is asked after a power cut.
    question: Option<Question>,
}

impl Panel {
    /// A face on which nothing was touched yet: two displays of eight digits, nothing to choose
    /// from, and silence.
    #[must_use]
    pub fn new(look: Look) -> Self {
        Panel {
            look,
            width: Width::Eight,
            menu: Menu::new(Box::default()),
            sounds: Sounds::new(Score::SILENT),
            keys: Keys::default(),
            choice: None,
            in_vain: None,
            lost_period: None,
            stuck: [false; Key::ALL.len()],
            low_power: false,
            low_supply: false,
            troubles: Troubles::default(),
            self_test: None,
            began: None,
            question: None,
        }
    }

    /// The same with so many digits a side.
    #[must_use]
    pub fn of_width(mut self, width: Width) -> Self {
        self.width = width;
        self
    }

    /// The same with something to choose from.
    #[must_use]
    pub fn with_catalogue(mut self, catalogue: Box<Catalogue>) -> Self {
        self.menu = Menu::new(catalogue);
        self
    }

    /// The same with sounds.
    #[must_use]
    pub fn with_score(mut self, score: Score) -> Self {
        self.sounds = Sounds::new(score);
        self
    }

    /// How the box looks and sounds now.
    #[must_use]
    pub const fn look(&self) -> Look {
        self.look
    }

    /// The menus, to be told what became of a wish.
    pub fn menu(&mut self) -> &mut Menu {
        &mut self.menu
    }

    /// The battery is low.
    pub fn set_low_power(&mut self, is_low: bool) {
        self.low_power = is_low;
    }

    /// The supply's voltage is low.
    pub fn set_low_supply(&mut self, is_low: bool) {
        self.low_supply = is_low;
    }

    /// What a stroke means in this state of the game. Hand in the strokes one by one, each with
    /// the state that the one before has led to.
    ///
    /// A player's press is always the engine's to judge, in a pause, too: it records why it does
    /// not count. Only in a menu over a game that is ready it starts nothing: somebody is setting
    /// that game.
    pub fn meaning(
        &mut self,
        stroke: Stroke,
        settings: &Settings,
        state: &State,
    ) -> Option<Meaning> {
        self.follow(stroke.at, state);
        let meaning = self.read(stroke, settings, state);
        if matches!(meaning, Some(Meaning::Press(_))) && state.phase == Phase::Paused {
            self.sound(Sound::Refused, settings, stroke.at);
        }
        meaning
    }

    /// What the box shows at `now`. Allocates nothing.
    #[must_use]
    pub fn render(&mut self, settings: &Settings, state: &State, now: Instant) -> View {
        self.follow(now, state);
        if let Some(view) = self.self_test(state, now) {
            return view;
        }
        let snapshot = &state.snapshot(settings, now);
        let white_on = state.white_on;
        let draw = |seat: Seat| {
            let side = seat.side(white_on);
            let subject = Subject {
                view: &snapshot.sides[side],
                method: method(snapshot, settings, side),
                motion: motion(snapshot, side),
                marks: self.marks(snapshot, side, seat),
                counter: self.counter(snapshot, settings),
            };
            let alternates = settings.profile != Profile::Fide;
            face::draw(&subject, self.width, alternates, self.look.tenths_below, now)
        };
        let (left, right) = (draw(Seat::Left), draw(Seat::Right));
        let game = self.game(settings, snapshot, state);
        let question = self.question_page(state);
        let vain = self.in_vain.is_some();
        let trouble = self.trouble_page(state, now).filter(|_| !vain);
        let page = self.menu.page(&game, now).or(question).or(trouble);
        let shown = |seat: Seat, drawn: face::Drawn| match &page {
            Some(page) => {
                let line = if seat == Seat::Left { &page.left } else { &page.right };
                self.lettering(line, now)
            }
            None if self.in_vain.is_some_and(|(other, _)| other == seat) => {
                self.lettering(&Line::word("PAUSE"), now)
            }
            None => drawn.digits,
        };
        let frame = Frame {
            left: shown(Seat::Left, left),
            right: shown(Seat::Right, right),
            brightness: self.look.brightness,
        };

        let runs = (snapshot.phase == Phase::Running).then_some(snapshot.to_move);
        let told = |sound| may_sound(sound, self.look.sound, settings);
        let counted = told(Sound::Countdown).then_some(()).and(runs);
        let times = BySide::from_fn(|side| {
            let view = &snapshot.sides[side];
            let until_end = reading::until_end(view, method(snapshot, settings, side));
            Left { until_flag: view.remaining, until_end }
        });
        self.sounds.follow(times, counted, now);

        let lamp = self.lamp(snapshot, now);
        let lit = |seat: Seat| lamp.is_some_and(|side| side.seat(white_on) == seat);
        let blinks = page.is_some() || snapshot.phase == Phase::Paused;
        let half = |since: Instant| now + blink::until_next_half(now - since);
        let changes = [
            left.until_change.map(|span| now + span),
            right.until_change.map(|span| now + span),
            blinks.then(|| half(Instant::ZERO).min(half(self.menu.touched()))),
            self.menu.next_change(now),
            self.next_trouble(snapshot.phase, now),
            self.in_vain.map(|(_, since)| since + SAYS_SO),
            self.lost_period.map(|(_, since)| since + PERIOD_LOST),
            self.sounds.next_change(counted, now),
        ];
        View {
            frame,
            signals: Signals {
                lamp_left: lit(Seat::Left),
                lamp_right: lit(Seat::Right),
                buzzer: self.sounds.level(now),
                sound: self.sounds.heard(now),
            },
            next_change: changes.into_iter().flatten().min(),
        }
    }

    fn game<'a>(&self, settings: &'a Settings, snapshot: &'a Snapshot, state: &State) -> Game<'a> {
        let State { white_on, began, locked, .. } = *state;
        Game { settings, snapshot, white_on, began, look: self.look, locked }
    }

    /// A choice ends with the pause that it was made in, a menu with the phase.
    fn follow(&mut self, now: Instant, state: &State) {
        if state.phase != Phase::Paused {
            self.choice = None;
            self.in_vain = None;
        }
        if self.in_vain.is_some_and(|(_, since)| now - since >= SAYS_SO) {
            self.in_vain = None;
        }
        if self.lost_period.is_some_and(|(_, since)| now - since >= PERIOD_LOST) {
            self.lost_period = None;
        }
        if self.began != Some(state.began) {
            self.began = Some(state.began);
            self.lost_period = None;
            self.sounds.reset();
        }
        self.menu.follow(now, state);
    }

    /// A line of a menu on this box's digits: what blinks is lit when it was just touched. Four
    /// digits show the part that blinks, else both halves in turn.
    fn lettering(&self, line: &Line, now: Instant) -> Digits {
        let since = now - self.menu.touched();
        let mut digits = line.cells;
        if blink::second_half(since) {
            for (place, digit) in digits.iter_mut().enumerate() {
                if line.blinking >> place & 1 == 1 {
                    *digit = DARK;
                }
            }
        }
        match self.width {
            Width::Eight => digits,
            Width::Four => face::window(line, digits, since),
        }
    }

    /// Whose lamp is lit. While ok is held so that letting it go resumes, it does not blink.
    fn lamp(&self, snapshot: &Snapshot, now: Instant) -> Option<Side> {
        match snapshot.phase {
            Phase::Running => Some(snapshot.to_move),
            Phase::Paused
                if blink::second_half(now - Instant::ZERO) && !self.keys.would_resume() =>
            {
                None
            }
            Phase::Paused => Some(self.choice.unwrap_or(snapshot.to_move)),
            Phase::Ready | Phase::Flagged | Phase::Ended => None,
        }
    }

    fn counter(&self, snapshot: &Snapshot, settings: &Settings) -> Counter {
        let plays = matches!(snapshot.phase, Phase::Running | Phase::Flagged);
        Counter { show: settings.switches.show_moves, asked: self.keys.plus_is_down() && plays }
    }

    fn marks(&self, snapshot: &Snapshot, side: Side, seat: Seat) -> Marks {
        let view = &snapshot.sides[side];
        let first = snapshot.first_flag.is_none_or(|first| first.side == side);
        let fallen = view.flag == Some(FlagKind::Fall);
        Marks {
            fall: fallen.then_some(if first { Fall::First } else { Fall::Second }),
            stage: view.stage_flag_at.is_some(),
            pending: view.stage_pending,
            period_lost: self.lost_period.is_some_and(|(loser, _)| loser == side),
            stuck: Key::ALL.into_iter().zip(self.stuck).any(|(key, stuck)| {
                stuck
                    && match key {
                        Key::Left => seat == Seat::Left,
                        Key::Right => seat == Seat::Right,
                        Key::Pause | Key::Minus | Key::Plus | Key::Ok => true,
                    }
            }),
            low_power: self.low_power || self.low_supply,
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
