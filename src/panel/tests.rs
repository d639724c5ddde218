//! What the box shows and what its keys mean, on the real engine.

mod borders;
mod box_alone;
mod byoyomi;
mod keys;
mod laws;
mod narrow;
mod pictures;
mod trouble;
mod walks;

use super::*;
use crate::control::presets::Presets;
use crate::control::{
    Block, BoxResume, Control, Grant, Overtime, Profile, ShowMoves, Stage, Stages, Switches,
};
use crate::display::read;
use crate::engine::Engine;
use crate::engine::ReplacePolicy;
use crate::engine::operation::{ChangeControl, NewGame, Pause, Press, Start};
use crate::input::What;
use crate::menu::tests::shipped;
use crate::menu::{Choice, Message};

pub(super) fn us(us: i64) -> Instant {
    Instant::ZERO + Span::from_micros(us)
}

pub(super) fn ms(ms: i64) -> Instant {
    us(1_000 * ms)
}

pub(super) const fn s(s: i64) -> Span {
    Span::from_secs(s)
}

pub(super) const fn mins(m: i64) -> Span {
    Span::from_mins(m)
}

pub(super) fn stage(base: Span, method: Method) -> Stage {
    Stage { moves: None, base, method, confirm: false }
}

pub(super) fn stages(list: Vec<Stage>) -> Control {
    Control::equal(Stages { list: list.into_iter().collect(), repeat: false })
}

pub(super) fn one(base: Span, method: Method) -> Control {
    stages(vec![stage(base, method)])
}

pub(super) fn delay(each: Span) -> Method {
    Method::granting(Grant::Delay { each })
}

pub(super) fn then(overtime: Overtime) -> Method {
    Method::Main { grant: Grant::None, overtime }
}

pub(super) fn byoyomi(periods: u32, each: Span) -> Method {
    then(Overtime::Byoyomi { periods, each, free: None, burn_on_entry: false })
}

pub(super) fn free_byoyomi(periods: u32, each: Span, free: Span, burn_on_entry: bool) -> Method {
    then(Overtime::Byoyomi { periods, each, free: Some(free), burn_on_entry })
}

/// A box on the table: engine and panel, no wires.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) engine: Engine,
    pub(super) panel: Panel,
    pub(super) now: Instant,
}

impl Table {
    /// A game that is ready, under `club` with either counter hidden unless `set` says otherwise.
    pub(super) fn new(control: Control, set: impl FnOnce(&mut Switches)) -> Table {
        Table::with_tenths(control, Span::ZERO, set)
    }

    pub(super) fn with_tenths(
        control: Control,
        tenths_below: Span,
        set: impl FnOnce(&mut Switches),
    ) -> Table {
        let mut settings = Settings::new(control, Profile::Club);
        settings.switches.show_moves = ShowMoves::Never;
        set(&mut settings.switches);
        Table {
            engine: Engine::new(Instant::ZERO, settings),
            panel: Panel::new(Look { brightness: 8, tenths_below, sound: Sounding::ByProfile }),
            now: Instant::ZERO,
        }
    }

    pub(super) fn command(&mut self, command: &crate::engine::Operation) -> &mut Table {
        let _ = self.engine.apply(self.now, command).expect("allowed in this test");
        self
    }

    /// White's clock is started.
    pub(super) fn started(control: Control, set: impl FnOnce(&mut Switches)) -> Table {
        let mut table = Table::new(control, set);
        table.command(&Start::default().into());
        table
    }

    pub(super) fn pause(&mut self) -> &mut Table {
        self.command(&Pause {}.into())
    }

    pub(super) fn wait(&mut self, span: Span) -> &mut Table {
        self.now += span;
        while !self.engine.poll(self.now).is_empty() {}
        self
    }

    /// The side to move presses.
    pub(super) fn press(&mut self) -> &mut Table {
        let side = self.engine.state().to_move;
        self.command(&Press { side, both: false }.into())
    }

    pub(super) fn view(&mut self) -> View {
        self.view_at(self.now)
    }

    pub(super) fn view_at(&mut self, now: Instant) -> View {
        self.panel.render(self.engine.settings(), self.engine.state(), now)
    }

    pub(super) fn left(&mut self) -> String {
        read(&self.view().frame.left)
    }

    pub(super) fn right(&mut self) -> String {
        read(&self.view().frame.right)
    }

    pub(super) fn stroke(&mut self, key: Key, what: What) -> Option<Meaning> {
        let stroke = Stroke { key, what, at: self.now };
        self.panel.meaning(stroke, self.engine.settings(), self.engine.state())
    }
}

/// One stroke of a practised hand.
const STROKE: Span = Span::from_millis(400);

impl Table {
    pub(super) fn with_menus(mut self) -> Table {
        self.panel = self.panel.clone().with_catalogue(shipped());
        self
    }

    /// A stroke, and whatever it means is done, the daemon's part by the test.
    pub(super) fn act(&mut self, key: Key, what: What) {
        match self.stroke(key, what) {
            Some(Meaning::Press(seat)) => {
                let side = seat.side(self.engine.state().white_on);
                self.command(&Press { side, both: false }.into());
            }
            Some(Meaning::PressBoth) => {
                let side = self.engine.counts_of_both();
                self.command(&Press { side, both: true }.into());
            }
            Some(Meaning::Operation(command)) => {
                let done = self.engine.apply(self.now, &command).is_ok();
                self.panel.answered(&command, done, self.engine.settings(), self.now);
            }
            Some(Meaning::Wish(Wish::NewGame { abandon, .. })) => {
                let new_game = NewGame::of(self.engine.settings(), abandon);
                let _ = self.engine.apply(self.now, &new_game.into());
            }
            Some(Meaning::Wish(Wish::Keep { slot, own })) => {
                self.panel.menu().kept(slot, own, Ok(shipped()), self.now);
            }
            Some(Meaning::Wish(Wish::ChangeControl(choice))) => {
                let Choice::Preset { place, .. } = choice else { panic!("all slots are empty") };
                let control = Presets::shipped().iter().nth(place).unwrap().control;
                let (control, how) = (Box::new(control.into()), ReplacePolicy::Kept);
                match self.engine.apply(self.now, &ChangeControl { control, how }.into()) {
                    Ok(_) => self.panel.menu().done(Message::Mark(['2', '4', '8', 'F']), self.now),
                    Err(_) => self.panel.menu().refused(Message::Refused, self.now),
                }
            }
            Some(Meaning::Wish(_) | Meaning::Stuck(_) | Meaning::Freed(_)) | None => {}
        }
    }

    /// A short press, and the time it takes.
    pub(super) fn tap(&mut self, key: Key) {
        self.act(key, What::Pressed);
        self.wait(Span::from_millis(60));
        self.act(key, What::Released);
        self.wait(STROKE - Span::from_millis(60));
    }

    /// A key held for so many seconds.
    pub(super) fn hold(&mut self, key: Key, seconds: i64) {
        self.act(key, What::Pressed);
        for second in 1..=seconds {
            self.wait(s(1));
            self.act(key, What::Held(s(second)));
        }
        self.wait(Span::from_millis(100));
        self.act(key, What::Released);
        self.wait(Span::from_millis(300));
    }
}

pub(super) fn paused_table(set: impl FnOnce(&mut Switches)) -> Table {
    let mut table = Table::started(one(mins(90), Method::PLAIN), set).with_menus();
    table.wait(s(1)).pause();
    table
}
