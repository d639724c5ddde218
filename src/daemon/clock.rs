//! The clock itself: timing thread, display thread and bridge, on whatever board. It knows no bus.

use std::sync::Arc;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::watch;

use super::bridge::{self, Bridge, BridgeParts, EventLoop};
use super::config::Config;
use super::exit::{Exit, Failure};
use super::no_means;
use super::recorder::Recorder;
use super::screen::{self, Screen};
use super::startup::{FirstGame, Startup};
use crate::board::{Chain, DisplayFault, Pins, Time, TimeLine, Tone};
use crate::display::chain::Layout;
use crate::engine::Game;
use crate::input::Input;
use crate::menu::Wish;
use crate::menu::catalogue::Catalogue;
use crate::panel::{Panel, Width};
use crate::timing::{self, HostEndpoints, Parts, Running, Tick, Wanted};

/// What a board brings.
#[derive(Debug)]
pub struct Wires<P, T, F> {
    /// The pins.
    pub pins: P,
    /// The timing thread's time.
    pub time: T,
    /// The same time line for everybody else.
    pub line: Arc<dyn TimeLine>,
    /// Opens the displays.
    pub open: F,
    /// The buzzer, where it is not one of the pins.
    pub tone: Option<Box<dyn Tone>>,
    /// What the timing thread asks of the system.
    pub wanted: Wanted,
    /// How the daemon starts.
    pub startup: Startup,
    /// Writes the journal.
    pub recorder: Recorder,
}

/// A clock that runs.
#[derive(Debug)]
pub struct Clock {
    /// For everybody who asks, reads or listens.
    pub bridge: Bridge,
    running: Running,
    screen: Screen,
    line: Arc<dyn TimeLine>,
}

impl Clock {
    /// Starts a clock, and gives it with its event loop, which is to be run, and the requests of
    /// its box's menu.
    ///
    /// # Errors
    /// The system gives no thread or descriptor.
    pub fn start<P, T, C, F>(
        config: &Config,
        catalogue: Catalogue,
        wires: Wires<P, T, F>,
    ) -> Result<(Clock, EventLoop, UnboundedReceiver<Wish>), Failure>
    where
        P: Pins + 'static,
        T: Time + 'static,
        C: Chain + 'static,
        F: FnMut() -> Result<C, DisplayFault> + Send + 'static,
    {
        let Wires { pins, time, line, open, tone, wanted, startup, recorder } = wires;
        let game = match &startup.first_game {
            FirstGame::New { settings, .. } => Game::new(time.now(), *settings),
            FirstGame::Recovered(recovered) => recovered.game.clone(),
            FirstGame::Imported { game, .. } => (**game).clone(),
        };
        let (rt, host) = timing::endpoints().map_err(|error| no_means(&error))?;
        let HostEndpoints {
            requests,
            events,
            event_waker,
            display_updates,
            display_waker,
            counters,
        } = host;

        // The displays' thread first, so that the first picture finds it there.
        let screen =
            screen::spawn(display_updates, display_waker, config.displays.layout, open, tone)
                .map_err(|error| no_means(&error))?;
        let panel = Panel::new(config.look)
            .of_width(match config.displays.layout {
                Layout::Shared => Width::Four,
                Layout::Chained | Layout::Split => Width::Eight,
            })
            .with_catalogue(Box::new(catalogue))
            .with_score(config.score);
        let mut input = Input::new(config.buttons);
        if config.lever {
            input = input.with_lever();
        }
        let (wish, wishes) = unbounded_channel();
        let engine = game.engine().clone();
        let tick = Tick::new(Parts { engine, input, panel, pins }, rt);
        let running = timing::spawn(tick, time, config.poll_period, wanted)
            .map_err(|error| Failure::new(Exit::System, error.to_string()))?;

        let parts = BridgeParts {
            requests,
            events,
            event_waker,
            counters,
            line: Arc::clone(&line),
            game,
            startup,
            recorder,
            granted: running.granted.clone(),
            tick_period: config.poll_period,
            display: screen.status(),
            wishes: wish,
        };
        let (bridge, event_loop) = bridge::connect(parts);
        Ok((Clock { bridge, running, screen, line }, event_loop, wishes))
    }

    /// How the displays are; closed when their thread has ended.
    #[must_use]
    pub fn displays(&self) -> watch::Receiver<screen::Status> {
        self.screen.status()
    }

    /// Ends the clock: lamps and buzzer off, displays that show no time, the journal closed.
    pub fn stop(self) {
        self.running.stop(&*self.line);
        self.screen.stop();
        if !self.bridge.close() {
            tracing::error!("could not write the end of the journal");
        }
    }
}
