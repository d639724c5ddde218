//! `org.flagfall.Arbiter1`: what arbiters may do.
//!
//! Every method takes its turn, finds out who calls, submits its operation, passes the turn on and
//! waits for the answer. So requests reach the clock in the order of the calls, however long
//! anything takes.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use tokio::sync::Mutex;
use zbus::interface;
use zbus::message::Header;
use zbus::object_server::SignalEmitter;

use super::Served;
use super::arguments::{Args, args, new_game_options, submission, text};
use super::dict;
use super::errors::{Error, Result};
use super::variant::Dict;
use super::who::Who;
use crate::control::presets::{Preset, resolve};
use crate::daemon::bridge::{Origin, Submission};
use crate::daemon::collection::{Collection, CollectionError};
use crate::engine::operation::Import;
use crate::engine::{Phase, Saved};

/// The interface.
pub(super) struct Arbiter1 {
    served: Arc<Served>,
    who: Arc<Who>,
    /// Whose turn it is to submit an operation. Fair: first come, first served.
    turn: Mutex<()>,
}

impl Arbiter1 {
    pub(super) fn new(served: Arc<Served>, who: Arc<Who>) -> Self {
        Arbiter1 { served, who, turn: Mutex::new(()) }
    }

    /// Carries out an operation, if the caller may.
    async fn carry_out(&self, header: &Header<'_>, name: &str, args: Args) -> Result<Dict> {
        self.submit(header, name, |origin| {
            let service = &self.served.service;
            submission(name, args, &service.presets.all(), &service.defaults, origin)
        })
        .await
    }

    /// Submits what `read` makes of the arguments, if the caller may.
    async fn submit(
        &self,
        header: &Header<'_>,
        name: &str,
        read: impl FnOnce(Origin) -> Result<Submission>,
    ) -> Result<Dict> {
        let turn = self.turn.lock().await;
        let origin = self.permit(header, name).await?;
        let mut submitted = pin!(self.served.service.bridge.submit(read(origin)?));
        // Polled once, the request is on its way.
        let answer = match poll_fn(|context| Poll::Ready(submitted.as_mut().poll(context))).await {
            Poll::Ready(answer) => answer,
            Poll::Pending => {
                drop(turn);
                submitted.await
            }
        };
        dict::answer(&answer?)
    }

    /// Who calls, if that is an arbiter.
    async fn permit(&self, header: &Header<'_>, name: &str) -> Result<Origin> {
        self.who.permit(header.sender(), name, &self.served.service.bridge).await
    }

    /// Changes the own presets, where no other call has to wait for the disk.
    async fn collect(
        &self,
        change: impl FnOnce(&Collection) -> std::result::Result<(), CollectionError> + Send + 'static,
    ) -> Result<()> {
        let presets = self.served.service.presets.clone();
        let changed = tokio::task::spawn_blocking(move || change(&presets)).await;
        changed.map_err(|error| zbus::Error::Failure(error.to_string()))?.map_err(Error::from)
    }
}

#[interface(name = "org.flagfall.Arbiter1")]
impl Arbiter1 {
    /// Any operation by its name, a cause's kind in the journal, with its members, and for every
    /// one of them if_seq t, if_game s, reason s, on_behalf_of s (who asked for it; for the record
    /// only). The methods below are the same, with arguments that are easy to type. The state has
    /// two further keys: before a{sv}, the state at the same instant without the operation, and
    /// effects aa{sv}.
    #[zbus(out_args("state"))]
    async fn apply(
        &self,
        operation: &str,
        args: Args,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        self.carry_out(&header, operation, args).await
    }

    /// A new game; control "" is the same again. options: profile s, any switch by its name,
    /// white-on s, abandon b.
    #[zbus(out_args("state"))]
    async fn new_game(
        &self,
        control: &str,
        options: Args,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        self.carry_out(&header, "new_game", new_game_options(control, options)?).await
    }

    /// Starts the game; side: whose clock runs, "" = the side that moves first.
    #[zbus(out_args("state"))]
    async fn start(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.carry_out(&header, "start", args([("side", text(side))])?).await
    }

    /// Stops the running clock inside its turn.
    #[zbus(out_args("state"))]
    async fn pause(&self, reason: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.carry_out(&header, "pause", args([("reason", text(reason))])?).await
    }

    /// Lets a clock run on; side: whose, "" = that of the side to move.
    #[zbus(out_args("state"))]
    async fn resume(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.carry_out(&header, "resume", args([("side", text(side))])?).await
    }

    /// Resumes the other side: the last resumption did not happen.
    #[zbus(out_args("state"))]
    async fn resume_instead(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.carry_out(&header, "resume_instead", args([("side", Some(side.into()))])?).await
    }

    /// Corrects one or both clocks in one indivisible step. white a{sv}, black a{sv}: main_us x or
    /// add_us x, moves u, stage u, stage_time b, periods u, stones u, overtime_us x; any integer
    /// type is accepted. if_seq: 0 = whatever happened since.
    #[zbus(out_args("state"))]
    async fn adjust(
        &self,
        changes: Args,
        reason: &str,
        if_seq: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        let mut all: HashMap<_, _> = changes;
        all.extend(args([("reason", text(reason)), ("if_seq", Some(if_seq.into()))])?);
        self.carry_out(&header, "adjust", all).await
    }

    /// Takes back the last presses. refund: nothing since then happened for the clocks.
    #[zbus(out_args("state"))]
    async fn undo_press(
        &self,
        count: u32,
        refund: bool,
        if_seq: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        self.carry_out(
            &header,
            "undo_press",
            args([
                ("count", Some(count.into())),
                ("refund", Some(refund.into())),
                ("if_seq", Some(if_seq.into())),
            ])?,
        )
        .await
    }

    /// Makes good forgotten presses: the side to move completes its move now, count times by turns.
    #[zbus(out_args("state"))]
    async fn insert_press(
        &self,
        count: u32,
        if_seq: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        self.carry_out(
            &header,
            "insert_press",
            args([("count", Some(count.into())), ("if_seq", Some(if_seq.into()))])?,
        )
        .await
    }

    /// A press for a player who cannot use the button (Laws 6.2.6).
    #[zbus(out_args("state"))]
    async fn press(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.carry_out(&header, "press", args([("side", Some(side.into()))])?).await
    }

    /// Counts an offence (illegal-move, wrong-claim, quickplay-claim), takes an illegal move's press
    /// back (after_reply: the reply, too), gives the opponent time, and leaves the clock paused.
    #[zbus(out_args("state"))]
    async fn penalize(
        &self,
        offender: &str,
        offence: &str,
        after_reply: bool,
        if_seq: u64,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        self.carry_out(
            &header,
            "penalty",
            args([
                ("offender", Some(offender.into())),
                ("offence", Some(offence.into())),
                ("after_reply", Some(after_reply.into())),
                ("if_seq", Some(if_seq.into())),
            ])?,
        )
        .await
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
        self.carry_out(
            &header,
            "quickplay",
            args([("claimant", Some(claimant.into())), ("if_seq", Some(if_seq.into()))])?,
        )
        .await
    }

    /// Continues the game under another control. how: kept (the clocks as they are) or replayed (the
    /// presses as they would have been under it).
    #[zbus(out_args("state"))]
    async fn change_control(
        &self,
        control: &str,
        how: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        self.carry_out(
            &header,
            "change_control",
            args([("control", Some(control.into())), ("how", text(how))])?,
        )
        .await
    }

    /// Gives the time of a stage that waits for confirmation.
    #[zbus(out_args("state"))]
    async fn confirm_stage(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.carry_out(&header, "confirm_stage", args([("side", Some(side.into()))])?).await
    }

    /// Changes seats: times, moves and flags go with the colour.
    #[zbus(out_args("state"))]
    async fn swap_sides(&self, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.carry_out(&header, "swap_sides", Args::new()).await
    }

    /// Marks a player as present.
    #[zbus(out_args("state"))]
    async fn mark_arrived(&self, side: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.carry_out(&header, "arrived", args([("side", Some(side.into()))])?).await
    }

    /// Ends the game: 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2 or *.
    #[zbus(out_args("state"))]
    async fn end(&self, result: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.carry_out(&header, "end", args([("result", Some(result.into()))])?).await
    }

    /// After a power cut: sets the clock to the last record (last-record, as it is already) or to the
    /// last press (last-press), until the game continues.
    #[zbus(out_args("state"))]
    async fn choose_recovery(
        &self,
        candidate: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        self.carry_out(&header, "choose_recovery", args([("candidate", Some(candidate.into()))])?)
            .await
    }

    /// Schedules the start at a wall-clock time, in microseconds since 1970 in UTC; 0 cancels it.
    #[zbus(out_args("state"))]
    async fn start_at(&self, unix_us: i64, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.carry_out(&header, "start_at", args([("unix_us", Some(unix_us.into()))])?).await
    }

    /// Locks or unlocks menu and correction at the box; presses and pause always work.
    #[zbus(out_args("state"))]
    async fn lock(&self, locked: bool, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        self.carry_out(&header, "lock", args([("locked", Some(locked.into()))])?).await
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
        self.permit(&header, "export").await?;
        Ok(self.served.service.bridge.export().to_text())
    }

    /// Continues a game that was exported, here or from another clock; the clock is paused.
    #[zbus(out_args("state"))]
    async fn import_state(
        &self,
        exported: &str,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Dict> {
        self.submit(&header, "import", |origin| {
            let saved = Saved::from_text(exported).map_err(Error::argument)?;
            let import = Import { exported: Some(Box::new(saved)), state: None };
            Ok(Submission::new(import, origin))
        })
        .await
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
