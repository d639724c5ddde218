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
use zbus::interface;
use zbus::message::Header;
use zbus::object_server::SignalEmitter;

use super::Served;
use super::arguments::{self, Options};
use super::dict::{Counters, Dict, picture};
use super::errors::{Error, Result};
use super::who::Who;
use crate::control::presets::{Preset, resolve};
use crate::daemon::bridge::{Answer, Ask, Origin};
use crate::daemon::collection::{Collection, CollectionError};
use crate::engine::{Command, Phase};
use crate::record::{export_text, read_export_text};

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
        self.who.permit(header.sender(), name, &self.served.service.bridge).await
    }

    async fn command(
        &self,
        header: &Header<'_>,
        name: &str,
        command: impl FnOnce() -> Result<Command>,
    ) -> Result<Dict> {
        self.command_after(header, name, 0, command).await
    }

    async fn command_after(
        &self,
        header: &Header<'_>,
        name: &str,
        if_seq: u64,
        command: impl FnOnce() -> Result<Command>,
    ) -> Result<Dict> {
        let ask = || Ok(Ask::Command { command: command()?, reason: String::new(), if_seq });
        self.change(header, name, ask).await
    }

    /// Changes the own presets, where nobody else has to wait for the disk.
    async fn collect(
        &self,
        change: impl FnOnce(&Collection) -> std::result::Result<(), CollectionError> + Send + 'static,
    ) -> Result<()> {
        let presets = self.served.service.presets.clone();
        let changed = tokio::task::spawn_blocking(move || change(&presets)).await;
        changed.map_err(|error| zbus::Error::Failure(error.to_string()))?.map_err(Error::from)
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
        let (presets, defaults) = (service.presets.all(), &service.defaults);
        let (settings, abandon) =
            arguments::new_game(&presets, defaults, &present, control, options)?;
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
        let command = || Ok(Command::UndoPress { count, refund });
        self.command_after(&header, "undo_press", if_seq, command).await
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

    /// Starts the game by itself at a wall-clock time, in microseconds since 1970 in UTC; 0: does
    /// not.
    #[zbus(out_args("state"))]
    async fn start_at(&self, unix_us: i64, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        let command = || Ok(Command::StartAt { unix_us: arguments::appointment(unix_us)? });
        self.command(&header, "start_at", command).await
    }

    /// The wrong side was resumed: what has happened since did not, and this side's clock runs.
    #[zbus(out_args("state"))]
    async fn resume_instead(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        let command = || Ok(Command::ResumeInstead { side: arguments::side(side)? });
        self.command(&header, "resume_instead", command).await
    }

    /// Forgotten presses made good: the side to move completes its move now, count times by turns.
    #[zbus(out_args("state"))]
    async fn insert_press(
        &self,
        count: u32,
        if_seq: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        let command = || Ok(Command::InsertPress { count });
        self.command_after(&header, "insert_press", if_seq, command).await
    }

    /// Counts an offence (illegal-move, wrong-claim, quickplay-claim), takes an illegal move's press
    /// back (after_reply: the reply, too), gives the opponent its time, and leaves the clock paused.
    #[zbus(out_args("state"))]
    async fn penalize(
        &self,
        offender: &str,
        offence: &str,
        after_reply: bool,
        if_seq: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        let command = || {
            let (offender, offence) = (arguments::side(offender)?, arguments::offence(offence)?);
            Ok(Command::Penalty { offender, offence, after_reply })
        };
        self.command_after(&header, "penalty", if_seq, command).await
    }

    /// Grants a quickplay claim (Guidelines III.4): five seconds a move for both from now on, two
    /// minutes for the opponent.
    #[zbus(out_args("state"))]
    async fn quickplay_increment(
        &self,
        claimant: &str,
        if_seq: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        let command = || Ok(Command::Quickplay { claimant: arguments::side(claimant)? });
        self.command_after(&header, "quickplay", if_seq, command).await
    }

    /// The game goes on under another control. how: kept (the clocks as they are) or replayed (the
    /// presses as they would have been under it).
    #[zbus(out_args("state"))]
    async fn change_control(
        &self,
        control: &str,
        how: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        // The turn is kept, so that nobody comes between the presses and what they lead to.
        let _turn = self.turn.lock().await;
        let origin = self.permit(&header, "another control").await?;
        let service = &self.served.service;
        let (control, _) = resolve(&service.presets.all(), control)?;
        let how = arguments::how(how)?;
        Ok(state(&service.bridge.change_control(&control, how, &origin).await?))
    }

    /// White and Black change seats; times, moves and flags belong to the colour.
    #[zbus(out_args("state"))]
    async fn swap_sides(&self, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.command(&header, "swap_sides", || Ok(Command::SwapSides)).await
    }

    /// A player has come.
    #[zbus(out_args("state"))]
    async fn mark_arrived(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        let command = || Ok(Command::Arrived { side: arguments::side(side)? });
        self.command(&header, "arrived", command).await
    }

    /// Closes or opens menu and correction at the box; presses and pause always work.
    #[zbus(out_args("state"))]
    async fn lock(&self, locked: bool, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.command(&header, "lock", || Ok(Command::Lock { locked })).await
    }

    /// Saves a control under an id of its own, in the place of an own preset that has it. The
    /// profile is that of the preset which the control names, or the configured one.
    async fn save_preset(
        &self,
        id: &str,
        name: &str,
        control: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<()> {
        self.permit(&header, "saving a preset").await?;
        let service = &self.served.service;
        let (control, profile) = resolve(&service.presets.all(), control)?;
        let profile = profile.unwrap_or(service.defaults.profile);
        let preset = Preset::own(id, name, control, profile).map_err(Error::argument)?;
        self.collect(move |presets| presets.save(preset)).await
    }

    /// Deletes an own preset.
    async fn delete_preset(&self, id: &str, #[zbus(header)] header: Header<'_>) -> Result<()> {
        self.permit(&header, "deleting a preset").await?;
        let id = id.to_owned();
        self.collect(move |presets| presets.delete(&id)).await
    }

    /// The whole game as text, for adjournment or a replacement clock.
    #[zbus(out_args("exported"))]
    async fn export_state(&self, #[zbus(header)] header: Header<'_>) -> Result<String> {
        let turn = self.turn.lock().await;
        let origin = self.permit(&header, "taking the game along").await?;
        let answer = self.served.service.bridge.ask(Ask::Export, origin).await?;
        drop(turn);
        let saved = answer.saved.ok_or_else(|| {
            Error::Bus(zbus::Error::Failure("the game was not handed out".to_owned()))
        })?;
        Ok(export_text(&saved))
    }

    /// Goes on with a game that was exported, here or from another clock; it stands paused.
    #[zbus(out_args("state"))]
    async fn import_state(
        &self,
        exported: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        let ask = || {
            let saved = read_export_text(exported);
            Ok(Ask::Import(Box::new(saved.map_err(|why| Error::argument(why.to_string()))?)))
        };
        self.change(&header, "import", ask).await
    }

    /// All segments, lamps and the buzzer for 3 s; refused while a clock runs.
    async fn self_test(&self, #[zbus(header)] header: Header<'_>) -> Result<()> {
        self.permit(&header, "a self-test").await?;
        let bridge = &self.served.service.bridge;
        if bridge.published().borrow().state.phase == Phase::Running {
            let sentence = "a self-test is not possible while a clock runs: pause it first";
            return Err(Error::WrongPhase(sentence.to_owned()));
        }
        bridge.self_test().await;
        Ok(())
    }

    /// The whole journal line, move counters included: for arbiters only.
    #[zbus(signal)]
    pub(super) async fn record(
        emitter: &SignalEmitter<'_>,
        game: &str,
        seq: u64,
        line: &str,
    ) -> zbus::Result<()>;
}
