//! `org.flagfall.Clock1`: what everybody may read.

use std::collections::BTreeMap;
use std::sync::Arc;

use zbus::message::Header;
use zbus::object_server::SignalEmitter;
use zbus::{Variant, interface};

use super::Served;
use super::arguments::{Args, operation};
use super::dict::{self, internal, picture};
use super::errors::{Error, Result};
use super::link::Standing;
use super::properties;
use super::variant::{Counters, Dict};
use super::who::{Caller, Who};
use crate::control::Profile;
use crate::control::class::class_of;
use crate::control::describe::sentence;
use crate::control::presets::{Preset, resolve};
use crate::daemon::bridge::{Health, Published};
use crate::engine::Phase;
use crate::input::Key;
use crate::journal::reading::{Archive, Game};

/// The most lines that one call gives.
const MOST_LINES: u32 = 1_000;

/// The interface.
pub(super) struct Clock1 {
    pub(super) served: Arc<Served>,
    pub(super) who: Arc<Who>,
}

impl Clock1 {
    fn published(&self) -> Published {
        self.served.service.bridge.published().borrow().clone()
    }

    /// Under fide the counters are for arbiters only.
    async fn counters_for(&self, header: &Header<'_>) -> Result<Counters> {
        let fide = self.published().settings.profile == Profile::Fide;
        let shown = !fide || self.who.caller(header.sender()).await?.is_arbiter();
        Ok(if shown { Counters::Shown } else { Counters::Hidden })
    }

    /// Who calls, if the caller may try out operations: under fide that would give the counters
    /// away, so until the game has ended it is for arbiters only.
    async fn may_try(&self, header: &Header<'_>, what: &str) -> Result<Arc<Caller>> {
        let caller = self.who.caller(header.sender()).await?;
        if self.is_secret() && !caller.is_arbiter() {
            return Err(caller.refusal(&format!("under fide {what} of a game that has not ended")));
        }
        Ok(caller)
    }

    /// The counters of the game on the clock are for arbiters only.
    fn is_secret(&self) -> bool {
        let Published { settings, state, .. } = self.published();
        settings.profile == Profile::Fide && state.phase != Phase::Ended
    }

    /// Computes beside the runtime, so that neither the journal nor other calls wait for it, and
    /// not more at a time than is allowed.
    async fn compute<T: Send + 'static>(
        &self,
        caller: &Caller,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let _turn = self.served.workload.turn(caller).await?;
        tokio::task::spawn_blocking(work).await.map_err(internal)
    }

    /// Reads from the disk.
    async fn journal<T: Send + 'static>(
        &self,
        caller: &Caller,
        read: impl FnOnce(&Archive) -> std::io::Result<T> + Send + 'static,
    ) -> Result<T> {
        let no_journal = |why: &dyn std::fmt::Display| {
            Error::Storage(format!("the journal cannot be read: {why}"))
        };
        let journal = self.served.service.journal.clone().map_err(|why| no_journal(&why))?;
        let read = self.compute(caller, move || read(&journal)).await?;
        read.map_err(|error| no_journal(&error))
    }
}

#[interface(name = "org.flagfall.Clock1")]
impl Clock1 {
    /// The daemon's version.
    #[zbus(property(emits_changed_signal = "const"))]
    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    /// rpi or sim.
    #[zbus(property(emits_changed_signal = "const"))]
    fn board(&self) -> String {
        self.served.service.board.to_owned()
    }

    /// ready, running, paused, flagged or ended.
    #[zbus(property)]
    fn phase(&self) -> String {
        properties::phase(&self.published())
    }

    /// Whose turn it is; while ready, who moves first.
    #[zbus(property)]
    fn to_move(&self) -> String {
        properties::to_move(&self.published())
    }

    /// Empty, white or black; set by the first fall, kept until a new game.
    #[zbus(property)]
    fn first_flag(&self) -> String {
        properties::first_flag(&self.published())
    }

    /// The control in canonical notation.
    #[zbus(property)]
    fn control(&self) -> String {
        properties::control(&self.published())
    }

    /// fide, us, club or go.
    #[zbus(property)]
    fn profile(&self) -> String {
        properties::profile(&self.published())
    }

    /// standard, rapid, blitz or other.
    #[zbus(property)]
    fn control_class(&self) -> String {
        properties::control_class(&self.published())
    }

    /// 4 characters over control, profile and switches: equal on equally set clocks.
    #[zbus(property)]
    fn fingerprint(&self) -> String {
        properties::mark(&self.published())
    }

    /// The game's name, unlike that of any other game.
    #[zbus(property)]
    fn game_id(&self) -> String {
        properties::game_id(&self.published())
    }

    /// left or right.
    #[zbus(property)]
    fn white_on(&self) -> String {
        properties::white_on(&self.published())
    }

    /// Menu and correction at the box are closed.
    #[zbus(property)]
    fn locked(&self) -> bool {
        self.published().state.locked
    }

    /// The number of the newest line.
    #[zbus(property(emits_changed_signal = "false"))]
    fn sequence(&self) -> u64 {
        self.published().seq
    }

    /// How the clock is, beside the game: realtime_granted b, memory_locked b, degradations as,
    /// tick_period_us x, ticks t, late_ticks t, worst_lateness_us x, dropped_events t,
    /// late_events t, missed_lines t, spi_errors t, display_repairs t, display_fault s,
    /// buzzer_fault s, stuck_buttons as, low_power b, timebase s, calibration_ppm d, bus_ok b, disk_ok b, disk_trouble s,
    /// durable_seq t: the newest line of the running game that is surely on the disk.
    #[zbus(property(emits_changed_signal = "false"))]
    fn health(&self) -> Dict {
        let named = *self.served.standing.borrow() == Standing::Named;
        health(&self.served.service.bridge.health(), self.served.service.timebase, named)
    }

    /// One consistent picture, computed by the reader's task, never through the timing thread:
    /// game s, seq t, at_us x, at_ns x, phase s, to_move s, first_flag s, first_flag_at_us x,
    /// first_flag_white_us x, first_flag_black_us x, white a{sv}, black a{sv}. A side:
    /// remaining_us x, main_us x, allowance_us x, stage u, moves u, moves_to_stage u, periods u,
    /// stones u, overtime_us x, points u, flag s, flag_at_us x, stage_flag_at_us x,
    /// stage_pending b, penalties a{su}. Keys with no value are left out. Under fide, moves and
    /// moves_to_stage are left out for callers who are not arbiters.
    #[zbus(out_args("state"))]
    async fn snapshot(&self, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        let counters = self.counters_for(&header).await?;
        let view = self.served.service.bridge.now_view();
        picture(&view.published.game, view.published.seq, &view.snapshot, counters)
    }

    /// What an operation would do now, computed on a copy; changes nothing. operation: a cause's
    /// kind in the journal; args: its members. effects: one dictionary a line. Under fide for
    /// arbiters only until the game has ended.
    #[zbus(out_args("state", "effects"))]
    async fn preview(
        &self,
        operation: &str,
        mut args: Args,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(Dict, Vec<Dict>)> {
        let caller = self.may_try(&header, "a preview").await?;
        for common in ["if_seq", "if_game", "reason", "on_behalf_of"] {
            args.remove(common);
        }
        let service = &self.served.service;
        let operation =
            self::operation(operation, args, &service.presets.all(), &service.defaults)?;
        let bridge = service.bridge.clone();
        let computed = self.compute(&caller, move || bridge.preview(&operation)).await?;
        dict::preview(&computed.map_err(|why| Error::from(&why))?)
    }

    /// The state that this game's presses would have led to under another control: differences,
    /// penalties and pauses are replayed, values that were set are not, and a fall freezes nothing.
    /// Under fide for arbiters only until the game has ended.
    #[zbus(out_args("state"))]
    async fn what_if(&self, control: &str, #[zbus(header)] header: Header<'_>) -> Result<Dict> {
        let caller = self.may_try(&header, "what-if").await?;
        let (control, _) = resolve(&self.served.service.presets.all(), control)?;
        let bridge = self.served.service.bridge.clone();
        let computed = self.compute(&caller, move || bridge.what_if(control)).await?;
        let view = computed.map_err(|why| Error::from(&why))?;
        picture(&view.published.game, view.published.seq, &view.snapshot, Counters::Shown)
    }

    /// Every preset: id, name, control, "shipped" or "own".
    #[zbus(out_args("presets"))]
    fn list_presets(&self) -> Vec<(String, String, String, String)> {
        let presets = &self.served.service.presets;
        let row = |preset: &Preset| {
            let whose = if presets.is_own(&preset.id) { "own" } else { "shipped" };
            let control = preset.control.to_string();
            (preset.id.clone(), preset.name.clone(), control, whose.to_owned())
        };
        presets.all().iter().map(row).collect()
    }

    /// Reads any notation: canonical form, a sentence in English, the class.
    #[zbus(out_args("canonical", "sentence", "control_class"))]
    fn describe_control(&self, control: &str) -> Result<(String, String, String)> {
        let service = &self.served.service;
        let (control, profile) = resolve(&service.presets.all(), control)?;
        let switches = profile.map_or(service.defaults.switches, Profile::switches);
        let class = class_of(&control, &switches).name().to_owned();
        Ok((control.to_string(), sentence(&control), class))
    }

    /// Journal lines of a game from a sequence number on, at most max (up to 1000). "" is the
    /// running game, which under fide is for arbiters only until it has ended.
    #[zbus(out_args("lines"))]
    async fn read_journal(
        &self,
        game_id: &str,
        from_seq: u64,
        max: u32,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Vec<String>> {
        let Published { game, .. } = self.published();
        let running = game_id.is_empty() || *game_id == *game;
        let caller = match running {
            true => self.may_try(&header, "the journal").await?,
            false => self.who.caller(header.sender()).await?,
        };
        let wanted = if running { game.to_string() } else { game_id.to_owned() };
        let most = max.min(MOST_LINES) as usize;
        let found = wanted.clone();
        let lines =
            self.journal(&caller, move |journal| journal.lines(&found, from_seq, most)).await?;
        lines.ok_or_else(|| {
            Error::argument(format!(
                "there is no game '{wanted}': ListGames names those that are kept"
            ))
        })
    }

    /// The games whose journals are kept, newest first: id, started (RFC 3339), control, records.
    #[zbus(out_args("games"))]
    async fn list_games(
        &self,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<Vec<(String, String, String, i64)>> {
        let caller = self.who.caller(header.sender()).await?;
        let games = self.journal(&caller, Archive::games).await?;
        let row = |Game { id, started, control, records }| {
            (id, started, control, i64::try_from(records).unwrap_or(i64::MAX))
        };
        Ok(games.into_iter().map(row).collect())
    }

    /// Every journal line, cause or effect, in order, after it has been written. details holds
    /// game s, at_ns x and the line's own fields (under fide without move counters and state).
    /// Properties carry the newest value and may skip intermediate ones; Event has all.
    #[zbus(signal)]
    pub(super) async fn event(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        at_us: i64,
        kind: &str,
        details: Dict,
    ) -> zbus::Result<()>;
}

fn health(health: &Health, timebase: &str, bus_ok: bool) -> Dict {
    let degradations = health.granted.degradations.iter();
    let degradations: Vec<String> = degradations.map(ToString::to_string).collect();
    let stuck: Vec<&'static str> =
        health.stuck_buttons.iter().map(|key: &Key| key.name()).collect();
    let mut dict: BTreeMap<&str, Variant<'static>> = BTreeMap::from([
        ("realtime_granted", health.granted.priority.is_some().into()),
        ("memory_locked", health.granted.memory_locked.into()),
        ("degradations", degradations.into()),
        ("tick_period_us", health.tick_period.as_micros_floor().into()),
        ("ticks", health.ticks.into()),
        ("late_ticks", health.late_ticks.into()),
        ("worst_lateness_us", health.worst_lateness.as_micros_ceil().into()),
        ("dropped_events", health.dropped_events.into()),
        ("late_events", health.late_events.into()),
        ("missed_lines", health.missed_lines.into()),
        ("spi_errors", health.display.spi_errors.into()),
        ("display_repairs", health.display.repairs.into()),
        ("stuck_buttons", stuck.into()),
        ("low_power", health.low_power.into()),
        ("timebase", timebase.to_owned().into()),
        ("calibration_ppm", (f64::from(health.calibration_ppb) / 1_000.0).into()),
        ("bus_ok", bus_ok.into()),
        ("disk_ok", health.disk_trouble.is_none().into()),
    ]);
    if let Some(seq) = health.durable_seq {
        dict.insert("durable_seq", seq.into());
    }
    if let Some(trouble) = &health.disk_trouble {
        dict.insert("disk_trouble", trouble.clone().into());
    }
    if let Some(fault) = &health.display.fault {
        dict.insert("display_fault", fault.to_string().into());
    }
    if let Some(fault) = &health.display.buzzer_fault {
        dict.insert("buzzer_fault", fault.to_string().into());
    }
    dict.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
