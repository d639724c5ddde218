//! The keeper on a whole clock but for the bus: keys in, lettering out.

use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

use super::*;
use crate::board::sim::Simulator;
use crate::board::sim::manual::{ManualHandle, manual_time};
use crate::bus::Standing;
use crate::control::presets::Preset;
use crate::control::{Control, Profile, Seat};
use crate::daemon::clock::{Clock, Wires};
use crate::daemon::collection::Collection;
use crate::daemon::config::Config;
use crate::daemon::recorder::Recorder;
use crate::daemon::startup::Startup;
use crate::daemon::state::{Place, State};
use crate::daemon::troubles;
use crate::engine::operation::Lock;
use crate::input::Key;
use crate::time::{Instant, Span};
use crate::timing::Wanted;

/// How long a test waits before it has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// The supply: does what the test says.
#[derive(Debug)]
struct Supplied(Result<(), String>);

impl power::Off for Supplied {
    fn off(&mut self) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + '_>> {
        Box::pin(async { self.0.clone() })
    }
}

/// A box on the table.
struct Table {
    clock: Clock,
    time: ManualHandle,
    simulator: Simulator,
    collection: Collection,
    _state: State,
}

impl Table {
    async fn new(profile: Profile) -> Table {
        Table::with(profile, None, Ok(())).await
    }

    /// A box whose journal is not kept, and which stands so with the bus.
    async fn in_trouble(standing: watch::Receiver<Standing>) -> Table {
        let without = Recorder::without("the card is full");
        let table = Table::begin(Profile::Club, None, Ok(()), Some(without)).await;
        let bridge = table.clock.bridge.clone();
        tokio::spawn(troubles::watch(bridge, standing, true));
        table
    }

    async fn with(profile: Profile, shelf: Option<&Path>, off: Result<(), String>) -> Table {
        Table::begin(profile, shelf, off, None).await
    }

    async fn begin(
        profile: Profile,
        shelf: Option<&Path>,
        off: Result<(), String>,
        recorder: Option<Recorder>,
    ) -> Table {
        let game = Settings::new(control("5m"), profile);
        let config = Config { game, ..Config::default() };
        let state = State::open(&Place::Passing).unwrap();
        let (time, handle) = manual_time(Instant::ZERO);
        let simulator = Simulator::new();
        let displays = simulator.clone();
        let wires = Wires {
            pins: simulator.pins(),
            time,
            line: Arc::new(handle.clone()),
            open: move || Ok(displays.chain()),
            tone: None,
            wanted: Wanted::NOTHING,
            startup: Startup::afresh(&config),
            recorder: recorder.unwrap_or_else(|| state.recorder.clone()),
        };
        let collection = Collection::open(None);
        let (shelf, kept) = Shelf::open(shelf);
        let offered = catalogue(0, &collection.all(), &kept);
        let (clock, event_loop, wishes) = Clock::start(&config, offered, wires).unwrap();
        let bridge = clock.bridge.clone();
        let power = Box::new(Supplied(off));
        let keeper = Keeper::new(bridge, wishes, collection.watch(), (shelf, kept), power);
        tokio::spawn(event_loop.run());
        tokio::spawn(keeper.run());
        handle.advance(Span::ZERO).unwrap();
        Table { clock, time: handle, simulator, collection, _state: state }
    }

    /// So much time passes, and everything that the timing thread has told is known.
    async fn wait(&self, ms: i64) -> &Table {
        self.time.advance(Span::from_millis(ms)).unwrap();
        self.clock.bridge.fence().await;
        self
    }

    async fn tap(&self, key: Key) -> &Table {
        self.simulator.tap(key);
        self.wait(400).await
    }

    async fn hold(&self, key: Key, ms: i64) -> &Table {
        self.simulator.hold(key);
        self.wait(ms).await;
        self.simulator.release(key);
        self.wait(200).await
    }

    async fn shows(&self) -> String {
        self.clock.bridge.displayed().await;
        let read = |seat| self.simulator.display(seat).trim_end().to_owned();
        format!("{} | {}", read(Seat::Left), read(Seat::Right))
    }

    /// Waits until both displays read so, while hardly any time passes.
    async fn comes_to_show(&self, what: &str) {
        let mut last = String::new();
        let come = async {
            loop {
                last = self.shows().await;
                if last == what {
                    return;
                }
                tokio::task::yield_now().await;
                self.wait(0).await;
            }
        };
        assert!(tokio::time::timeout(PATIENCE, come).await.is_ok(), "{last:?}, not {what:?}");
    }

    async fn comes_to_be_set(&self, control: &str) {
        let mut published = self.clock.bridge.published();
        let set = published.wait_for(|it| it.settings.control.to_string() == control);
        assert!(tokio::time::timeout(PATIENCE, set).await.is_ok(), "not set to {control}");
    }
}

fn control(text: &str) -> Control {
    notation::parse(text).unwrap()
}

fn own(id: &str, name: &str, text: &str) -> Preset {
    Preset::own(id, name, control(text), Profile::Us).unwrap()
}

#[tokio::test]
async fn an_arbiters_preset_comes_to_the_box_is_chosen_there_and_goes() {
    let table = Table::new(Profile::Club).await;
    let shipped = Presets::shipped().iter().count();
    table.collection.save(own("tuesday", "Tuesday", "7m+3s")).unwrap();
    // The slots come last; before them the own presets.
    table.tap(Key::Plus).await;
    for _ in 0..6 {
        table.tap(Key::Minus).await;
    }
    table.comes_to_show("tuE5dAy |      7.00").await;
    table.tap(Key::Ok).await;
    table.comes_to_be_set("7m+3s").await;
    assert_eq!(table.clock.bridge.published().borrow().settings.profile, Profile::Us);

    table.wait(3_000).await.tap(Key::Plus).await;
    table.collection.delete("tuesday").unwrap();
    table.comes_to_show("PrE5Et | CHAnGEd").await;
    table.tap(Key::Pause).await.tap(Key::Pause).await;
    table.comes_to_show("0    7.03 | 0    7.03").await;
    assert_eq!(catalogue(2, &table.collection.all(), &Kept::default()).presets.len(), shipped);
}

#[test]
fn the_box_offers_no_more_presets_than_two_digits_number() {
    let collection = Collection::open(None);
    for n in 0..200 {
        collection.save(own(&format!("p{n}"), "Club", "5m")).unwrap();
    }
    let offered = catalogue(0, &collection.all(), &Kept::default());
    assert_eq!(offered.presets.len(), MOST_PRESETS);
    let shipped = Presets::shipped().iter().count();
    assert_eq!(&*offered.presets[shipped].id, "p0");
}

/// A keeper whose wishes the test makes.
fn keeper(table: &Table) -> Keeper {
    let (_, wishes) = tokio::sync::mpsc::unbounded_channel();
    let (bridge, presets) = (table.clock.bridge.clone(), table.collection.watch());
    Keeper::new(bridge, wishes, presets, Shelf::open(None), Box::new(Supplied(Ok(()))))
}

/// The first menu, over a game that stands.
async fn menu(table: &Table) -> &Table {
    table.hold(Key::Ok, 3_100).await
}

/// Puts five minutes together in the first slot and keeps them.
async fn keep_own(table: &Table) {
    menu(table).await.tap(Key::Plus).await.tap(Key::Ok).await.tap(Key::Ok).await;
    while !table.shows().await.contains("5AuE") {
        table.tap(Key::Ok).await;
    }
    table.tap(Key::Ok).await;
}

#[tokio::test]
async fn an_own_control_is_kept_chosen_and_there_again_after_a_power_cut() {
    let directory = tempfile::tempdir().unwrap();
    let table = Table::with(Profile::Fide, Some(directory.path()), Ok(())).await;
    keep_own(&table).await;
    table.comes_to_show("oUn 1 |      5.00").await;
    table.tap(Key::Ok).await;
    let mut published = table.clock.bridge.published();
    let again = published.wait_for(|it| it.state.began != Instant::ZERO);
    assert!(tokio::time::timeout(PATIENCE, again).await.is_ok(), "the slot was set");
    let (_, kept) = Shelf::open(Some(directory.path()));
    assert_eq!(kept.slots[0], Some(control("5m")));
}

#[tokio::test]
async fn where_nothing_can_be_written_the_box_says_so_and_offers_the_control_all_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let table = Table::with(Profile::Fide, Some(&directory.path().join("gone")), Ok(())).await;
    keep_own(&table).await;
    table.comes_to_show("Err | not 5AFE").await;
    table.wait(2_000).await.comes_to_show("oUn 1 |      5.00").await;
}

#[tokio::test]
async fn an_option_sets_the_game_that_is_ready_and_a_look_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let table = Table::with(Profile::Fide, Some(directory.path()), Ok(())).await;
    menu(&table).await.tap(Key::Minus).await.tap(Key::Ok).await;
    table.comes_to_show("5ound | Auto").await;
    // The last one: the rules, one further.
    for key in [Key::Minus, Key::Ok, Key::Plus, Key::Ok] {
        table.tap(key).await;
    }
    let mut published = table.clock.bridge.published();
    let us = published.wait_for(|it| it.settings.profile == Profile::Us);
    assert!(tokio::time::timeout(PATIENCE, us).await.is_ok());
    assert!(!table.clock.bridge.published().borrow().settings.switches.freeze, "by its rules");
    // The second one: brighter.
    for key in [Key::Plus, Key::Plus, Key::Ok, Key::Plus, Key::Ok] {
        table.tap(key).await;
    }
    let kept = async {
        while Shelf::open(Some(directory.path())).1.look.is_none() {
            tokio::task::yield_now().await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, kept).await.is_ok());
    let look = Shelf::open(Some(directory.path())).1.look.unwrap();
    assert_eq!(look.brightness, Config::default().look.brightness + 1);
}

#[tokio::test]
async fn a_new_game_in_a_pause_takes_the_place_of_the_one_that_was_begun() {
    let table = Table::new(Profile::Club).await;
    table.tap(Key::Pause).await.wait(3_000).await.tap(Key::Pause).await;
    menu(&table).await.tap(Key::Plus).await.tap(Key::Ok).await;
    let text = Presets::shipped().iter().next().unwrap().control.to_string();
    table.tap(Key::Ok).await.comes_to_be_set(&text).await;
    assert_eq!(table.clock.bridge.published().borrow().state.phase, Phase::Ready);
}

#[tokio::test]
async fn the_box_goes_off_or_says_that_it_cannot() {
    for (off, shown) in [(Ok(()), "PoUEr | oFF"), (Err("no".to_owned()), "Err | PoUEr")] {
        let table = Table::with(Profile::Club, None, off).await;
        table.simulator.hold(Key::Ok);
        table.wait(100).await;
        table.simulator.hold(Key::Pause);
        table.wait(5_100).await.comes_to_show(shown).await;
        assert_eq!(table.clock.bridge.published().borrow().state.phase, Phase::Ready);
    }
}

#[tokio::test]
async fn a_clock_that_runs_keeps_the_box_from_going_off() {
    let table = Table::new(Profile::Club).await;
    table.tap(Key::Pause).await;
    let mut keeper = keeper(&table);
    // Somebody has started the clock while the wish was on its way.
    let order = keeper.fulfil(Wish::PowerOff).await;
    assert!(matches!(order, Some(PanelMessage::Refused(Message::Refused))), "{order:?}");
}

#[tokio::test]
async fn what_was_chosen_from_a_list_that_has_changed_is_refused() {
    let table = Table::new(Profile::Club).await;
    let mut keeper = keeper(&table);
    let wish = || Wish::NewGame { choice: Choice::Preset { edition: 0, place: 3 }, abandon: false };
    table.collection.save(own("fide-classical", "Ours", "1h")).unwrap();
    keeper.offer_anew();
    let order = keeper.fulfil(wish()).await;
    assert!(matches!(order, Some(PanelMessage::Refused(Message::Refused))), "{order:?}");
    assert_eq!(table.clock.bridge.published().borrow().settings.control, control("5m"));
}

#[tokio::test]
async fn a_paused_game_goes_on_under_another_control_with_its_clocks_kept() {
    let table = Table::new(Profile::Club).await;
    table.tap(Key::Pause).await.wait(3_000).await.tap(Key::Pause).await;
    let before = table.clock.bridge.now_view().snapshot.sides;
    menu(&table).await;
    while table.shows().await != "CtrL | 5tAy5" {
        table.tap(Key::Ok).await;
    }
    let first = Presets::shipped().iter().next().unwrap().control;
    table.tap(Key::Plus).await.tap(Key::Ok).await.comes_to_be_set(&first.to_string()).await;
    let view = table.clock.bridge.now_view();
    for side in crate::control::Side::BOTH {
        assert_eq!(view.snapshot.sides[side].main, before[side].main, "{side:?}");
    }
    assert_eq!(view.snapshot.phase, Phase::Paused);
    assert_eq!(view.published.settings.profile, Profile::Club, "only the control changes");
}

#[tokio::test]
async fn the_control_of_a_game_that_may_not_be_changed_stays() {
    let first = || Wish::ChangeControl(Choice::Preset { edition: 0, place: 0 });
    for (profile, locked) in [(Profile::Fide, false), (Profile::Us, false), (Profile::Club, true)] {
        let table = Table::new(profile).await;
        let lock = Submission::new(Lock { locked }, Origin::Board);
        table.clock.bridge.submit(lock).await.unwrap();
        // A wish that was on its way when the lock was closed, say.
        let order = keeper(&table).fulfil(first()).await;
        assert!(matches!(order, Some(PanelMessage::Refused(Message::Refused))), "{order:?}");
        assert_eq!(table.clock.bridge.published().borrow().settings.control, control("5m"));
    }
}

#[tokio::test]
async fn troubles_are_told_to_the_box_and_taken_back_when_they_are_over() {
    let (stand, standing) = watch::channel(Standing::NoBus("there is none".to_owned()));
    let table = Table::in_trouble(standing).await;
    // The last second of five, and of the next five.
    table.wait(4_000).await.comes_to_show("Err | CArd").await;
    table.wait(5_000).await.comes_to_show("Err | bU5").await;
    table.wait(1_000).await.comes_to_show("0    5.00 | 0    5.00").await;
    stand.send_replace(Standing::Named);
    table.wait(4_000).await.comes_to_show("Err | CArd").await;
    table.wait(5_000).await.comes_to_show("Err | CArd").await;
}
