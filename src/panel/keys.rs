//! The keys: what short presses and holds mean while no menu is open, and how menus are entered.
//!
//! No short press changes a game that was begun, but for a player's legitimate press and pause. A
//! hold of ok in a pause acts when it is let go, so that a longer one can still mean something
//! else:
//!
//! ```text
//! ok held      1 s           2 s                        3 s
//! running      -             confirms a pending stage   -
//! paused       resumes (1)   confirms, else resumes     the menu, at once
//! else         -             -                          the menu, at once
//! (1) where `box-resume` asks for a hold
//! ```

use super::{Meaning, Panel};
use crate::control::{BoxResume, Seat, Settings, Side};
use crate::engine::operation::{
    Adjust, ChooseRecovery, ConfirmStage, InsertPress, Pause, Resume, Start, UndoPress,
};
use crate::engine::{Candidate, Operation, Phase, State};
use crate::input::{Key, Stroke, What};
use crate::menu::{Asked, Wish};
use crate::sounds::Sound;
use crate::time::{Instant, Span};

/// How long ok is held to let the clock run on, where `box-resume` asks for a hold.
pub(super) const RESUME_HOLD: Span = Span::from_secs(1);
/// How long pause is held to pause, where players may not.
pub(super) const PAUSE_HOLD: Span = Span::from_secs(1);
/// How long ok is held to confirm a stage, and minus or plus for a press undone or inserted.
pub(super) const DEED_HOLD: Span = Span::from_secs(2);
/// How long ok is held for the menu.
pub(super) const MENU_HOLD: Span = Span::from_secs(3);
/// How long ok and pause are held together to power off.
pub(super) const POWER_HOLD: Span = Span::from_secs(5);

/// Which of the arbiter's keys are down.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Keys {
    ok: Option<Hold>,
    pause: Option<Instant>,
    plus: bool,
}

/// Ok is down.
#[derive(Clone, Copy, Debug)]
struct Hold {
    since: Instant,
    /// For so long by the strokes.
    told: Span,
    /// Letting it go at [`RESUME_HOLD`] resumes.
    resumes: bool,
    /// It has done its deed.
    spent: bool,
}

impl Keys {
    /// True while letting ok go would let the clock run on.
    pub(super) fn would_resume(&self) -> bool {
        self.ok.is_some_and(|hold| hold.resumes && !hold.spent && hold.told >= RESUME_HOLD)
    }

    pub(super) const fn plus_is_down(&self) -> bool {
        self.plus
    }
}

impl Panel {
    /// What a stroke means.
    pub(super) fn read(
        &mut self,
        stroke: Stroke,
        settings: &Settings,
        state: &State,
    ) -> Option<Meaning> {
        let Stroke { key, what, at } = stroke;
        match (key, what) {
            (key, What::Stuck) => {
                self.set_stuck(key, true);
                self.let_go(key);
                return Some(Meaning::Stuck(key));
            }
            (key, What::Freed) => {
                self.set_stuck(key, false);
                return Some(Meaning::Freed(key));
            }
            (Key::Left | Key::Right, _) => return self.players(stroke, settings, state),
            _ => {}
        }
        let was = self.keys;
        self.note(stroke, settings, state);
        let snapshot = state.snapshot(settings, at);
        let game = self.game(settings, &snapshot, state);
        if self.menu.is_open() {
            if what == What::Pressed {
                self.sound(Sound::Menu, settings, at);
            }
            return match self.menu.take(stroke, &game)? {
                Asked::Correct(changes) => Some(Meaning::Operation(Adjust::from(changes).into())),
                Asked::Wish(wish) => Some(Meaning::Wish(wish)),
                Asked::Look(look) => {
                    self.look = look;
                    Some(Meaning::Wish(Wish::Look(look)))
                }
            };
        }
        if let Some(question) = self.question(state.phase)
            && what == What::Pressed
        {
            let candidate = question.shown;
            match key {
                Key::Plus | Key::Minus => {
                    question.shown = match candidate {
                        Candidate::LastRecord => Candidate::LastPress,
                        Candidate::LastPress => Candidate::LastRecord,
                    };
                }
                _ if state.locked => {}
                Key::Ok => {
                    question.answered = true;
                    self.spend();
                    return Some(Meaning::Operation(ChooseRecovery { candidate }.into()));
                }
                // Put away: the clock stands as it was last recorded.
                _ => question.answered = true,
            }
            return None;
        }
        match (key, what) {
            (Key::Pause, What::Pressed) => self.pause_key(settings, state),
            (Key::Minus | Key::Plus, What::Pressed) => {
                match state.phase {
                    Phase::Ready => self.menu.choose(&game, at),
                    Phase::Paused => self.choice = Some(!self.choice.unwrap_or(state.to_move)),
                    Phase::Running | Phase::Flagged | Phase::Ended => {}
                }
                None
            }
            (Key::Minus, What::Held(DEED_HOLD)) => self.deed(state, UndoPress::default().into()),
            (Key::Plus, What::Held(DEED_HOLD)) => self.deed(state, InsertPress::default().into()),
            (Key::Pause, What::Held(PAUSE_HOLD))
                if state.phase == Phase::Running && !settings.switches.player_pause =>
            {
                Some(Meaning::Operation(Pause {}.into()))
            }
            (Key::Ok | Key::Pause, What::Held(POWER_HOLD)) if self.powers_off(key, state) => {
                Some(Meaning::Wish(Wish::PowerOff))
            }
            (Key::Ok, What::Held(MENU_HOLD)) if self.may_enter(state) => {
                self.spend();
                self.menu.enter(&game, at);
                None
            }
            (Key::Ok, What::Held(DEED_HOLD)) if state.phase == Phase::Running => {
                self.confirm(state)
            }
            (Key::Ok, What::Released) => self.after_hold(was.ok, state),
            _ => None,
        }
    }

    /// A player's button. What counts is for the engine.
    fn players(&mut self, stroke: Stroke, settings: &Settings, state: &State) -> Option<Meaning> {
        if self.menu.is_open() && state.phase == Phase::Ready {
            if stroke.what == What::Pressed {
                self.sound(Sound::Refused, settings, stroke.at);
            }
            return None;
        }
        let seat = if stroke.key == Key::Left { Seat::Left } else { Seat::Right };
        match (stroke.key, stroke.what) {
            (_, What::Pressed) => {
                if state.phase == Phase::Paused {
                    self.in_vain = Some((seat, stroke.at));
                }
                Some(Meaning::Press(seat))
            }
            // The right one's stroke always comes with the left one's and adds nothing.
            (Key::Left, What::PressedTogether) => Some(Meaning::PressBoth),
            _ => None,
        }
    }

    /// Notes which keys are down.
    fn note(&mut self, stroke: Stroke, settings: &Settings, state: &State) {
        let resumes =
            state.phase == Phase::Paused && settings.switches.box_resume == BoxResume::Hold;
        match (stroke.key, stroke.what) {
            (Key::Ok, What::Pressed) => {
                let spent = self.menu.is_open();
                self.keys.ok = Some(Hold { since: stroke.at, told: Span::ZERO, resumes, spent });
            }
            (Key::Pause, What::Pressed) => self.keys.pause = Some(stroke.at),
            (Key::Plus, What::Pressed) => self.keys.plus = true,
            (Key::Ok, What::Held(told)) => {
                if let Some(hold) = &mut self.keys.ok {
                    hold.told = told;
                }
            }
            (key, What::Released) => self.let_go(key),
            _ => {}
        }
    }

    fn let_go(&mut self, key: Key) {
        match key {
            Key::Ok => self.keys.ok = None,
            Key::Pause => self.keys.pause = None,
            Key::Plus => self.keys.plus = false,
            Key::Left | Key::Right | Key::Minus => {}
        }
    }

    fn spend(&mut self) {
        if let Some(hold) = &mut self.keys.ok {
            hold.spent = true;
        }
    }

    /// Start, pause, and by `box-resume` resume. In a game that a fall has stopped a pause is
    /// recorded: so a claim is made (`timing.md` 5). While ok is held pause starts nothing: both
    /// together power off.
    fn pause_key(&mut self, settings: &Settings, state: &State) -> Option<Meaning> {
        let alone = self.keys.ok.is_none();
        match state.phase {
            Phase::Ready if alone => Some(Meaning::Operation(Start::default().into())),
            Phase::Running if !settings.switches.player_pause => None,
            Phase::Running | Phase::Flagged => Some(Meaning::Operation(Pause {}.into())),
            Phase::Paused if alone && settings.switches.box_resume == BoxResume::Short => {
                Some(self.resume(state))
            }
            Phase::Ready | Phase::Paused | Phase::Ended => None,
        }
    }

    fn resume(&self, state: &State) -> Meaning {
        let side = Some(self.choice.unwrap_or(state.to_move));
        Meaning::Operation(Resume { side }.into())
    }

    /// Ok was let go after a hold that has done nothing yet.
    fn after_hold(&mut self, hold: Option<Hold>, state: &State) -> Option<Meaning> {
        let hold = hold.filter(|hold| !hold.spent && state.phase == Phase::Paused)?;
        if hold.told >= DEED_HOLD && pending(state).is_some() {
            return self.confirm(state);
        }
        (hold.told >= RESUME_HOLD && hold.resumes).then(|| self.resume(state))
    }

    /// The stage that waits; that of the side to move first.
    fn confirm(&mut self, state: &State) -> Option<Meaning> {
        let side = pending(state).filter(|_| !state.locked)?;
        self.spend();
        Some(Meaning::Operation(ConfirmStage { side }.into()))
    }

    fn deed(&mut self, state: &State, operation: Operation) -> Option<Meaning> {
        if state.phase != Phase::Paused || state.locked {
            return None;
        }
        // The short press before it chose a side to resume: that was not meant.
        self.choice = None;
        Some(Meaning::Operation(operation))
    }

    fn may_enter(&self, state: &State) -> bool {
        let unspent = self.keys.ok.is_some_and(|hold| !hold.spent);
        state.phase != Phase::Running && self.keys.pause.is_none() && unspent
    }

    /// Both keys have been down for so long when the later one has.
    fn powers_off(&mut self, key: Key, state: &State) -> bool {
        let (Some(ok), Some(pause)) = (self.keys.ok, self.keys.pause) else { return false };
        let later = if key == Key::Ok { ok.since >= pause } else { pause >= ok.since };
        let off = later && !ok.spent && state.phase != Phase::Running && !state.locked;
        if off {
            self.spend();
        }
        off
    }
}

fn pending(state: &State) -> Option<Side> {
    [state.to_move, !state.to_move].into_iter().find(|side| state.clocks[*side].pending)
}
