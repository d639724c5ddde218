//! The engine in virtual time: one row or one scene for each rule.

mod absence;
mod arbiter;
mod change;
mod field_cases;
mod history;
mod insert;
mod laws;
mod methods;
mod penalty;
mod recovery;
mod rules;
mod saved;
mod stages;
mod undo;

use super::*;
use crate::control::{BySide, Profile, Side, notation};
use crate::engine::operation::{
    Adjust, ChangeControl, NewGame, Pause, Press, Recovered, Resume, Start, UndoPress,
};
use crate::time::{Instant, Span};

pub(super) use Side::{Black, White};

/// A game in virtual time. Every time is in milliseconds since the game began.
pub(super) struct Game {
    pub(super) engine: Engine,
    pub(super) now: i64,
    /// Everything that followed, in order.
    pub(super) log: Vec<Output>,
}

pub(super) fn ms(ms: i64) -> Span {
    Span::from_millis(ms)
}

pub(super) fn at(ms: i64) -> Instant {
    Instant::ZERO + Span::from_millis(ms)
}

impl Game {
    /// A game that is ready.
    pub(super) fn ready(control: &str, profile: Profile) -> Game {
        Game::with(control, profile, &[])
    }

    /// A game that is ready, with switches set alone.
    pub(super) fn with(control: &str, profile: Profile, switches: &[(&str, &str)]) -> Game {
        let mut settings = Settings::new(notation::parse(control).unwrap(), profile);
        for (name, value) in switches {
            settings.switches.set(name, value).unwrap();
        }
        let engine = Engine::new(Instant::ZERO, settings);
        Game { engine, now: 0, log: Vec::new() }
    }

    /// A game that was started at 0.
    pub(super) fn started(control: &str, profile: Profile) -> Game {
        let mut game = Game::ready(control, profile);
        game.command(Operation::from(Start { side: None })).unwrap();
        game
    }

    /// Lets `ms` pass without anybody looking.
    pub(super) fn wait(&mut self, ms: i64) -> &mut Game {
        self.now += ms;
        self
    }

    /// Decides what is due.
    pub(super) fn poll(&mut self) -> &mut Game {
        for _ in 0..100 {
            let outputs = self.engine.poll(at(self.now));
            if outputs.is_empty() {
                return self;
            }
            self.log.extend(outputs.as_slice());
        }
        panic!("the next deadline does not move on: {:?}", self.engine);
    }

    /// The side to move thinks for so long, then presses.
    pub(super) fn moves(&mut self, thinking: &[i64]) -> &mut Game {
        for time in thinking {
            self.now += time;
            self.poll();
            let side = self.engine.state().to_move;
            self.press(side);
        }
        self
    }

    pub(super) fn press(&mut self, side: Side) -> &mut Game {
        let outputs = self.engine.apply(at(self.now), &Press { side, both: false }.into()).unwrap();
        self.log.extend(outputs.as_slice());
        self
    }

    pub(super) fn command(&mut self, command: impl Into<Operation>) -> Result<&mut Game, Refusal> {
        self.poll();
        let outputs = self.engine.apply(at(self.now), &command.into())?;
        self.log.extend(outputs.as_slice());
        Ok(self)
    }

    /// Why a command is refused. Like every refused one, it changes nothing.
    pub(super) fn refused(&mut self, command: impl Into<Operation>) -> Refusal {
        let command = command.into();
        self.poll();
        let (state, saved) = (*self.engine.state(), self.engine.save(at(self.now)));
        let refusal = self.engine.apply(at(self.now), &command).err();
        assert_eq!(*self.engine.state(), state, "{command:?}");
        assert_eq!(self.engine.save(at(self.now)), saved, "{command:?}");
        refusal.unwrap_or_else(|| panic!("{command:?} is carried out"))
    }

    /// Goes on under another control, the clocks kept.
    pub(super) fn change_control(&mut self, control: &str) -> Result<&mut Game, Refusal> {
        let control = Box::new(notation::parse(control).unwrap().into());
        self.command(ChangeControl { control, how: ReplacePolicy::Kept })
    }

    /// Begins a new game.
    pub(super) fn new_game(
        &mut self,
        settings: &Settings,
        abandon: bool,
    ) -> Result<&mut Game, Refusal> {
        self.command(NewGame::of(settings, abandon))
    }

    /// Brings the clock back after a crash.
    pub(super) fn recover(&mut self) -> Outputs {
        self.engine.apply(at(self.now), &Recovered::default().into()).unwrap()
    }

    pub(super) fn undo(&mut self, count: u32, refund: bool) -> &mut Game {
        self.command(Operation::from(UndoPress { count, refund })).unwrap()
    }

    pub(super) fn pause(&mut self) -> &mut Game {
        self.command(Operation::from(Pause {})).unwrap()
    }

    pub(super) fn resume(&mut self, side: Option<Side>) -> &mut Game {
        self.command(Operation::from(Resume { side })).unwrap()
    }

    pub(super) fn adjust(&mut self, side: Side, adjustment: Adjustment) -> &mut Game {
        let mut changes = BySide::<Adjustment>::default();
        changes[side] = adjustment;
        self.command(Operation::from(Adjust::from(changes))).unwrap()
    }

    pub(super) fn set_main(&mut self, side: Side, main: i64) -> &mut Game {
        self.adjust(side, main_to(main))
    }

    pub(super) fn snapshot(&mut self) -> Snapshot {
        self.poll();
        self.engine.snapshot(at(self.now))
    }

    pub(super) fn side(&mut self, side: Side) -> SideView {
        self.snapshot().sides[side]
    }

    /// What a side has left, in milliseconds.
    pub(super) fn left(&mut self, side: Side) -> i64 {
        self.side(side).remaining.unwrap().as_nanos() / 1_000_000
    }

    /// What White and Black have left, in milliseconds.
    pub(super) fn both(&mut self) -> (i64, i64) {
        (self.left(White), self.left(Black))
    }

    pub(super) fn has(&self, effect: Effect) -> bool {
        self.log.iter().any(|output| output.effect == effect)
    }
}

pub(super) fn main_to(main: i64) -> Adjustment {
    Adjustment { main: Some(ms(main)), ..Adjustment::default() }
}

pub(super) fn main_by(main: i64) -> Adjustment {
    Adjustment { add: Some(ms(main)), ..Adjustment::default() }
}
