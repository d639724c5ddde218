//! The engine in virtual time: one row or one scene for each rule.

mod arbiter;
mod laws;
mod methods;
mod rules;
mod stages;
mod undo;

use super::*;
use crate::control::{BySide, Profile, Side, notation};
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
        let engine = Engine::new(Instant::ZERO, Box::new(settings));
        Game { engine, now: 0, log: Vec::new() }
    }

    /// A game that was started at 0.
    pub(super) fn started(control: &str, profile: Profile) -> Game {
        let mut game = Game::ready(control, profile);
        game.command(Command::Start { side: None }).unwrap();
        game
    }

    /// Lets `ms` pass without anybody looking.
    pub(super) fn wait(&mut self, ms: i64) -> &mut Game {
        self.now += ms;
        self
    }

    /// Decides what is due.
    pub(super) fn poll(&mut self) -> &mut Game {
        loop {
            let outputs = self.engine.poll(at(self.now));
            if outputs.is_empty() {
                return self;
            }
            self.log.extend(outputs.as_slice());
        }
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
        let outputs = self.engine.press(at(self.now), side);
        self.log.extend(outputs.as_slice());
        self
    }

    pub(super) fn command(&mut self, command: Command) -> Result<&mut Game, Refusal> {
        self.poll();
        let outputs = self.engine.command(at(self.now), &command)?;
        self.log.extend(outputs.as_slice());
        Ok(self)
    }

    pub(super) fn pause(&mut self) -> &mut Game {
        self.command(Command::Pause).unwrap()
    }

    pub(super) fn resume(&mut self, side: Option<Side>) -> &mut Game {
        self.command(Command::Resume { side }).unwrap()
    }

    pub(super) fn adjust(&mut self, side: Side, adjustment: Adjustment) -> &mut Game {
        let mut changes = BySide::<Adjustment>::default();
        changes[side] = adjustment;
        self.command(Command::Adjust(changes)).unwrap()
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
    Adjustment { main: Some(Change::To(ms(main))), ..Adjustment::default() }
}

pub(super) fn main_by(main: i64) -> Adjustment {
    Adjustment { main: Some(Change::By(ms(main))), ..Adjustment::default() }
}
