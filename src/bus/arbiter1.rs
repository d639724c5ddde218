//! `org.flagfall.Arbiter1`: what arbiters may do.
//!
//! Every method takes its turn, finds out who calls, leaves its request, gives the turn on and
//! waits for the answer. So requests reach the clock in the order of the calls, however long
//! anything takes.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use tokio::sync::Mutex;
use tokio::time::Instant;
use zbus::interface;
use zbus::message::Header;

use super::Served;
use super::arguments::{self, Options};
use super::dict::{Counters, Dict, picture};
use super::errors::Result;
use super::who::Who;
use crate::daemon::bridge::{Answer, Ask, Origin};
use crate::engine::Command;

/// The interface.
pub(super) struct Arbiter1 {
    served: Arc<Served>,
    who: Arc<Who>,
    /// Whose turn it is to leave a request. Fair: first come, first served.
    turn: Mutex<()>,
}

impl Arbiter1 {
    pub(super) fn new(served: Arc<Served>, who: Arc<Who>) -> Self {
        Arbiter1 { served, who, turn: Mutex::new(()) }
    }

    /// Carries out what `what` makes of the arguments, if the caller may.
    async fn change(
        &self,
        header: &Header<'_>,
        name: &str,
        what: impl FnOnce() -> Result<Ask>,
    ) -> Result<Dict> {
        let turn = self.turn.lock().await;
        let origin = self.permit(header, name).await?;
        let mut asked = pin!(self.served.service.bridge.ask(what()?, origin));
        // Polled once, the request is on its way.
        let answer = match poll_fn(|context| Poll::Ready(asked.as_mut().poll(context))).await {
            Poll::Ready(answer) => answer,
            Poll::Pending => {
                drop(turn);
                asked.await
            }
        };
        Ok(state(&answer?))
    }

    /// Who calls, if that is an arbiter.
    async fn permit(&self, header: &Header<'_>, name: &str) -> Result<Origin> {
        let caller = self.who.caller(header.sender()).await?;
        if caller.is_arbiter() {
            return Ok(caller.origin());
        }
        if let Some(what) = caller.denial(name, Instant::now()) {
            self.served.service.bridge.ask(Ask::Denied(what), caller.origin()).await?;
        }
        Err(caller.refusal(name))
    }

    async fn command(
        &self,
        header: &Header<'_>,
        name: &str,
        command: impl FnOnce() -> Result<Command>,
    ) -> Result<Dict> {
        let ask = || Ok(Ask::Command { command: command()?, reason: String::new(), if_seq: 0 });
        self.change(header, name, ask).await
    }
}

/// The state that a request led to.
fn state(answer: &Answer) -> Dict {
    picture(&answer.game, answer.seq, &answer.snapshot, Counters::Shown)
}

#[interface(name = "org.flagfall.Arbiter1")]
impl Arbiter1 {
    /// A new game; control "" is the same again. options: profile s, any switch by its name,
    /// white-on s, abandon b.
    #[zbus(out_args("state"))]
    async fn new_game(
        &self,
        control: &str,
        options: Options,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        // The turn is kept until the game has begun: the next call may ask for the same again.
        let _turn = self.turn.lock().await;
        let origin = self.permit(&header, "a new game").await?;
        let service = &self.served.service;
        let present = Arc::clone(&service.bridge.published().borrow().settings);
        let (presets, defaults) = (&service.presets, &service.defaults);
        let (settings, abandon) =
            arguments::new_game(presets, defaults, &present, control, options)?;
        let ask = Ask::NewGame { settings: Box::new(settings), abandon };
        Ok(state(&service.bridge.ask(ask, origin).await?))
    }

    /// Starts the game; side: whose clock runs, "" = the side that moves first.
    #[zbus(out_args("state"))]
    async fn start(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        let command = || Ok(Command::Start { side: arguments::side_if_any(side)? });
        self.command(&header, "start", command).await
    }

    /// Stops the running clock inside its turn.
    #[zbus(out_args("state"))]
    async fn pause(&self, reason: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        let ask = || {
            let reason = arguments::reason(reason)?;
            Ok(Ask::Command { command: Command::Pause, reason, if_seq: 0 })
        };
        self.change(&header, "pause", ask).await
    }

    /// Lets a clock run on; side: whose, "" = that of the side to move.
    #[zbus(out_args("state"))]
    async fn resume(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        let command = || Ok(Command::Resume { side: arguments::side_if_any(side)? });
        self.command(&header, "resume", command).await
    }

    /// Corrects one or both clocks in one indivisible step. white a{sv}, black a{sv}: main_us x or
    /// add_us x, moves u, stage u, stage_time b, periods u, stones u, overtime_us x; any integer
    /// type is accepted. if_seq: 0 = whatever happened meanwhile.
    #[zbus(out_args("state"))]
    async fn adjust(
        &self,
        changes: Options,
        reason: &str,
        if_seq: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        let ask = || {
            let command = Command::Adjust(arguments::adjustments(changes)?);
            Ok(Ask::Command { command, reason: arguments::reason(reason)?, if_seq })
        };
        self.change(&header, "adjust", ask).await
    }

    /// The last presses did not happen. refund: nothing since then did for the clocks.
    #[zbus(out_args("state"))]
    async fn undo_press(
        &self,
        count: u32,
        refund: bool,
        if_seq: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        let ask = || {
            let command = Command::UndoPress { count, refund };
            Ok(Ask::Command { command, reason: String::new(), if_seq })
        };
        self.change(&header, "undo_press", ask).await
    }

    /// A press for a player who cannot use the button (Laws 6.2.6).
    #[zbus(out_args("state"))]
    async fn press(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.change(&header, "press", || Ok(Ask::Press(arguments::side(side)?))).await
    }

    /// Gives the time of a stage that waits for the arbiter.
    #[zbus(out_args("state"))]
    async fn confirm_stage(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        let command = || Ok(Command::ConfirmStage { side: arguments::side(side)? });
        self.command(&header, "confirm_stage", command).await
    }

    /// Ends the game: 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2 or *.
    #[zbus(out_args("state"))]
    async fn end(&self, result: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        let command = || Ok(Command::End { result: arguments::result(result)? });
        self.command(&header, "end", command).await
    }

    /// After a power cut: sets the clock to where it stood at the last record (last-record, as it
    /// does already) or at the last press (last-press), until it goes on.
    #[zbus(out_args("state"))]
    async fn choose_recovery(
        &self,
        candidate: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        let command =
            || Ok(Command::ChooseRecovery { candidate: arguments::candidate(candidate)? });
        self.command(&header, "choose_recovery", command).await
    }
}
